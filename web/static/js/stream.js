// Follows the views: server-sent events, with reconnection that a sleeping phone needs, and asking where streams are full.

import { named } from "./words.js";

const SILENCE_MS = 25000; // the server says something every 10 s
const ASK_EVERY_MS = 3000;
const FIRST_RETRY_MS = 500;
const WAKING_MS = [300, 300, 300, 300, 300, 600, 1200, 2400, 4800]; // what each try after waking has; a browser holds six connections
const LAST_RETRY_MS = 8000;

/**
 * Calls onView(view) for each new view and onState("live" | "connecting" | "lost") as the connection changes.
 * Views may repeat after a reconnection; each is complete. root: where the server's addresses begin, "" beside the page;
 * query: what they carry, such as "?for=overlay".
 */
export function follow(onView, onState, root = "", query = "") {
  let source = null;
  let watchdog = 0;
  let timer = 0;
  let waking = 0;
  let retry = FIRST_RETRY_MS;

  function heard() {
    clearTimeout(watchdog);
    clearTimeout(waking);
    watchdog = setTimeout(reconnect, SILENCE_MS);
    retry = FIRST_RETRY_MS;
    onState("live");
  }

  function show(text) {
    onView(named(JSON.parse(text)));
  }

  function reconnect() {
    clearTimeout(watchdog);
    clearTimeout(timer);
    source?.close();
    source = new EventSource(`${root}events${query}`);
    watchdog = setTimeout(reconnect, SILENCE_MS);
    source.onopen = heard;
    source.addEventListener("beat", heard);
    source.onmessage = (event) => {
      heard();
      show(event.data);
    };
    source.onerror = () => {
      source.close();
      clearTimeout(watchdog);
      clearTimeout(waking);
      ask();
    };
  }

  // The stream is refused or gone: ask for the state, then try the stream again, less often the longer it lasts.
  async function ask() {
    let wait = retry;
    try {
      const answer = await fetch(`${root}api/state${query}`, { cache: "no-cache" });
      if (answer.ok) {
        show(await answer.text());
        onState("live");
        wait = ASK_EVERY_MS;
      } else {
        onState("connecting");
      }
    } catch {
      onState("lost");
    }
    retry = Math.min(retry * 2, LAST_RETRY_MS);
    clearTimeout(timer);
    timer = setTimeout(reconnect, wait);
  }

  // The browser may still hold connections that died in its sleep, and ask through one of them: each try uses one up.
  function insist([patience, ...more]) {
    reconnect();
    clearTimeout(waking);
    if (patience) waking = setTimeout(insist, patience, more);
  }

  function woken() {
    if (document.visibilityState === "visible") insist(WAKING_MS);
  }

  document.addEventListener("visibilitychange", woken);
  window.addEventListener("online", woken);
  window.addEventListener("pageshow", (event) => event.persisted && woken());
  window.addEventListener("offline", () => onState("lost"));
  reconnect();
}
