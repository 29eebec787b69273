// Follows the views: server-sent events, with reconnection that a sleeping phone needs, and asking where streams are full.

import { named } from "./words.js";

const SILENCE_MS = 4500; // the server says something every 2 s (web/limits.py, keep_alive): two of its beats have been missed
const ASK_EVERY_MS = 2500;
const PATIENCE_MS = 2500; // for an answer: with the time between two questions, no more than a silent stream is given
const FIRST_RETRY_MS = 500;
const WAKING_MS = [300, 300, 300, 300, 300, 600, 1200, 2400, 4800]; // what each try after waking has; a browser holds six connections
const LAST_RETRY_MS = 8000;
const UNSEEN_MS = 20000; // a page that nobody has looked at for so long lets go, so that no beat wakes a phone in a pocket

/**
 * Calls onView(view, age) for each new view, with the seconds for which it has been shown already, and onState("live" | "connecting" |
 * "lost") as the connection changes: live is said only while something is heard. Views may repeat after a reconnection; each is complete.
 * root: where the server's addresses begin, "" beside the page; query: what they carry, such as "?for=overlay"; read: what is made of
 * what comes, a view; state: where the newest is asked for.
 */
export function follow(onView, onState, root = "", query = "", read = named, state = "api/state") {
  let source = null;
  let silence = 0;
  let timer = 0;
  let waking = 0;
  let resting = 0;
  let retry = FIRST_RETRY_MS;
  let insisted = false; // since something was heard last

  function listen() {
    clearTimeout(silence);
    silence = setTimeout(silent, SILENCE_MS);
  }

  function heard() {
    listen();
    clearTimeout(waking);
    retry = FIRST_RETRY_MS;
    insisted = false;
    onState("live");
  }

  function silent() {
    onState("lost");
    insist(insisted ? [] : WAKING_MS);
    insisted = true;
  }

  function show(text, age) {
    onView(read(JSON.parse(text)), age);
  }

  function letGo() {
    clearTimeout(timer);
    source?.close();
  }

  function reconnect() {
    letGo();
    source = new EventSource(`${root}events${query}`);
    let age = 0; // of the view that comes next
    source.addEventListener("beat", heard);
    source.addEventListener("age", (event) => { age = Number(event.data); });
    source.onmessage = (event) => {
      heard();
      show(event.data, age);
      age = 0;
    };
    source.onerror = () => {
      source.close();
      clearTimeout(waking);
      ask(source);
    };
  }

  // The stream is refused or gone: ask for the state, then try the stream again, less often the longer it lasts.
  async function ask(instead) {
    let wait = retry;
    try {
      const answer = await fetch(`${root}${state}${query}`, { cache: "no-cache", signal: AbortSignal.timeout?.(PATIENCE_MS) });
      const text = await answer.text();
      if (source !== instead) return; // another try is under way by now
      if (answer.ok) {
        heard();
        show(text, Number(answer.headers.get("view-age")));
        wait = ASK_EVERY_MS;
      } else {
        onState("connecting");
        if (answer.status === 401) location.reload(); // nobody is signed in here any more: the page leads to where one does
      }
    } catch {
      if (source !== instead) return;
      onState("lost");
    }
    retry = Math.min(retry * 2, LAST_RETRY_MS);
    clearTimeout(timer);
    timer = setTimeout(reconnect, wait);
  }

  // The browser may still hold connections that died in its sleep, and ask through one of them: each try uses one up.
  function insist([patience, ...more]) {
    listen();
    reconnect();
    clearTimeout(waking);
    if (patience) waking = setTimeout(insist, patience, more);
  }

  function rest() {
    for (const one of [silence, waking]) clearTimeout(one);
    letGo();
    source = null; // an answer that is on its way begins nothing
    onState("connecting");
  }

  function turned() {
    clearTimeout(resting);
    if (document.visibilityState === "visible") insist(WAKING_MS);
    else resting = setTimeout(rest, UNSEEN_MS);
  }

  document.addEventListener("visibilitychange", turned);
  window.addEventListener("online", turned);
  window.addEventListener("pageshow", (event) => event.persisted && turned());
  window.addEventListener("offline", () => onState("lost"));
  listen();
  reconnect();
}
