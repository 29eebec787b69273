// The cameras that are plugged in, each with what it sees now: a tap chooses the one that looks at the board.

import { get, send } from "./api.js";
import { html } from "./dom.js";
import { t } from "./words.js";

const ANEW_MS = 5000; // opening a camera for one picture takes a second or two

export class Cameras {
  /** chosen: is given the server's answer when another camera was chosen. */
  constructor({ section, list }, chosen) {
    [this.section, this.list, this.chosen] = [section, list, chosen];
    [this.next, this.names] = [0, ""];
  }

  /** Looks what is there; where there is nothing to choose it stays away. */
  async show() {
    if (performance.now() < this.next) return;
    this.next = performance.now() + ANEW_MS;
    const found = await get("api/setup/cameras");
    const cameras = Array.isArray(found) ? found : [];
    this.section.hidden = !cameras.some((one) => !one.used);
    const names = JSON.stringify(cameras);
    if (names !== this.names) {
      this.names = names;
      this.list.replaceChildren(...cameras.map((one) => this.#entry(one)));
    }
    if (!this.section.hidden) for (const entry of this.list.children) glance(entry);
  }

  #entry({ source, name, used }) {
    const picture = html("img", { alt: "", width: 160, height: 90 });
    const button = html("button", { type: "button", "aria-pressed": String(used) }, picture, html("span", { class: "words" }, name), html("span", { class: "state" }, used ? t("in use") : ""));
    button.addEventListener("click", async () => {
      if (used) return;
      button.disabled = true;
      this.next = 0;
      this.names = "";
      this.chosen(await send("api/setup/camera", JSON.stringify({ source })));
    });
    return html("li", { "data-source": source }, button);
  }
}

function glance(entry) {
  entry.querySelector("img").src = `api/setup/glance.jpg?camera=${encodeURIComponent(entry.dataset.source)}&${Date.now()}`;
}
