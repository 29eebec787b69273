// Talks to the desk's addresses: commands with the page's token, everything else as JSON.

const PATIENCE_MS = 20000; // the server answers within some seconds; a program that hangs never does
const LONGEST_MS = 60000; // for something long over a slow network; one that died in a phone's sleep never answers
const AGAIN_S = 5; // until who waits for something asks again after an answer that was lost

const token = document.querySelector('meta[name="csrf"]')?.content ?? "";

async function answerOf(request) {
  try {
    const answer = await request;
    const body = await answer.json().catch(() => ({}));
    return { ...body, ok: answer.ok && body.ok !== false && !body.error, sentence: body.sentence ?? body.error ?? "", status: answer.status };
  } catch {
    return { ok: false, sentence: "", status: 0 };
  }
}

/** Sends something that changes things; {ok, sentence, ...}. patience: ms for an answer. */
export function send(address, body = "", patience = PATIENCE_MS) {
  return answerOf(fetch(address, { method: "POST", body, headers: { "X-CSRF-Token": token }, signal: AbortSignal.timeout?.(patience) }));
}

/** One command to the referee; match: a correction of that one, on or not. */
export function command(value, match = null) {
  return send(match ? `api/matches/${encodeURIComponent(match)}/command` : "api/command", JSON.stringify(value));
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
