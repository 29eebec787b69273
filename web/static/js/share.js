// Hands a link on: by the phone's own share sheet where there is one, else copied; over plain http it is shown, ready to be copied.

import { html } from "./dom.js";
import { t } from "./words.js";

/** Shares an address; what came of it is said in `place`. Browsers let a page share and copy over https only. */
export async function share(address, title, place) {
  place.replaceChildren();
  try {
    if (navigator.share) {
      await navigator.share({ title, url: address });
      return;
    }
    await navigator.clipboard.writeText(address);
    place.textContent = t("The link is copied.");
  } catch (error) {
    if (error?.code === DOMException.ABORT_ERR) return;
    const link = html("input", { class: "link", readonly: "", value: address, "aria-label": t("The link, to be copied") });
    place.replaceChildren(link);
    link.select();
  }
}

/** The address of a page of this program as other devices reach it. base: the viewers' address, "" where nobody knows it. */
export function reachable(base, path) {
  return new URL(path, base || document.baseURI).href;
}
