// The last position that was seen, kept in the browser: shown with its age while nothing newer is heard.

import { recall, remember } from "./settings.js";
import { t, tn } from "./words.js";

const TELL_MS = 10000;
const KEPT = `last-seen${location.pathname.slice(0, -1)}`; // a hub shows many boards, each at its own address

function ageWords(ms) {
  const minutes = Math.floor(ms / 60000);
  if (minutes < 1) return t("This is how it stood less than a minute ago.");
  if (minutes < 120) return tn("This is how it stood {n} minute ago.", "This is how it stood {n} minutes ago.", minutes);
  return tn("This is how it stood {n} hour ago.", "This is how it stood {n} hours ago.", Math.floor(minutes / 60));
}

function keptView() {
  try {
    return JSON.parse(recall(KEPT, "null"));
  } catch {
    return null;
  }
}

/** {seen(view), state(state)}. element: says the age; show(view): draws the kept view where there is no other. */
export function keepLastSeen(element, show) {
  let at = null;
  let any = false;
  let timer = 0;

  function tell() {
    element.textContent = at === null ? "" : ageWords(Date.now() - at);
    element.hidden = at === null;
  }

  return {
    seen(view) {
      [any, at] = [true, Date.now()];
      remember(KEPT, JSON.stringify({ at, view }));
    },
    state(state) {
      clearInterval(timer);
      element.hidden = true;
      if (state !== "lost") return;
      if (!any) {
        const kept = keptView();
        if (kept) {
          any = true;
          at = kept.at;
          show({ ...kept.view, clock: kept.view.clock && { ...kept.view.clock, running: null } }); // what it did since nobody knows
        }
      }
      tell();
      timer = setInterval(tell, TELL_MS);
    },
  };
}
