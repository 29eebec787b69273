// Says how the connection to the board is: a lamp and words in the page's top line, and a faded board while nothing is heard.

import { t } from "./words.js";

const CONNECTION = { live: "Live", connecting: "Connecting", lost: "No connection" };

/** What takes each state of the stream. shown: the element with a .lamp and .words; tell(words): for those who listen. */
export function keepConnection(shown, tell = () => {}) {
  return (state) => {
    const before = shown.dataset.state;
    document.body.dataset.connection = state;
    if (before === state) return;
    if (state === "lost" || before === "lost") tell(t(CONNECTION[state]));
    shown.dataset.state = state;
    shown.querySelector(".words").textContent = t(CONNECTION[state]);
  };
}
