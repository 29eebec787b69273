// Talks to the desk's addresses: commands with the page's token, everything else as JSON.

import { moment } from "./once.js";

const PATIENCE_MS = 20000; // the server answers within some seconds; a program that hangs never does
const TRIES_MS = [4000, 8000, 8000]; // for a command, which is answered in no time: an answer that does not come was lost
const BETWEEN_MS = 500; // where the network says at once that there is none
const LONGEST_MS = 60000; // for something long over a slow network; one that died in a phone's sleep never answers
const AGAIN_S = 5; // until who waits for something asks again after an answer that was lost

const token = document.querySelector('meta[name="csrf"]')?.content ?? "";

async function answerOf(request) {
  try {
    const answer = await request;
    const body = await answer.json().catch(() => ({}));
    const view = Number(answer.headers.get("view"));
    return { ...body, ok: answer.ok && body.ok !== false && !body.error, sentence: body.sentence ?? body.error ?? "", status: answer.status, view };
  } catch {
    return { ok: false, sentence: "", status: 0 };
  }
}

/** Sends something that changes things; {ok, sentence, ...}. patience: ms for an answer; more: headers. */
export function send(address, body = "", patience = PATIENCE_MS, more = {}) {
  return answerOf(fetch(address, { method: "POST", body, headers: { "X-CSRF-Token": token, ...more }, signal: AbortSignal.timeout?.(patience) }));
}

const key = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
let led = 0; // the number of the view to which the last act has led: it may be shown later than the act is answered
let unanswered = null; // the last act to which nobody has answered: {address, body, shown, key}, shown: the number of the view that was

/**
 * One command to the referee; match: a correction of that one, on or not. Where the answer is lost it is sent again, under the same key,
 * so that it is done once. So it is where somebody has heard nothing, sees nothing new, and orders the same again. With it goes the number
 * of the view that is shown: another desk may do something meanwhile, and what was to be taken back is then not the last act any more.
 */
export async function command(value, match = null) {
  const address = match ? `api/matches/${encodeURIComponent(match)}/command` : "api/command";
  const body = JSON.stringify(value);
  const asked = { address, body, shown: document.body.dataset.sequence };
  const seen = match || !asked.shown ? {} : { view: Math.max(led, asked.shown) };
  const same = unanswered && Object.keys(asked).every((each) => asked[each] === unanswered[each]);
  const act = same ? unanswered : { ...asked, key: key() };
  let answer = null;
  for (const patience of TRIES_MS) {
    if (answer) await moment(BETWEEN_MS);
    answer = await send(address, body, patience, { "idempotency-key": act.key, ...seen });
    if (answer.status) break;
  }
  if (answer.ok) led = Math.max(led, answer.view);
  if (!answer.status) unanswered = act;
  else if (unanswered === act) unanswered = null;
  return answer;
}

/** JSON from an address; {error, again_s} where there is none. */
export async function get(address) {
  try {
    const answer = await fetch(address, { cache: "no-store", signal: AbortSignal.timeout?.(LONGEST_MS) });
    return await answer.json();
  } catch {
    return { error: "", again_s: AGAIN_S };
  }
}
