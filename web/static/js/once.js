// What a press asks for, once: of two taps on the same button the second was not meant.

export const SECOND_TAP_MS = 600; // two taps within this are one that was meant

/** Done after so many milliseconds. */
export const moment = (ms) => new Promise((over) => setTimeout(over, ms));

/**
 * Does what is asked for, and the same not again until a moment after it is done. does(...asked): whether it was; about(...asked): what
 * it is that is asked for: something else need not wait for it; isMeant: asks somebody beforehand. Answers whether it was done.
 */
export function single(does, { about = () => "", isMeant = null } = {}) {
  let last = null; // {what} was asked for last, until it may be asked for again
  return async (...asked) => {
    const now = { what: about(...asked) };
    const rests = () => last?.what === now.what;
    if (rests() || (isMeant && (!(await isMeant()) || rests()))) return false;
    last = now;
    const free = () => { if (last === now) last = null; };
    let done = false;
    try {
      done = await does(...asked);
    } finally {
      if (done) moment(SECOND_TAP_MS).then(free);
      else free();
    }
    return done;
  };
}

/** The same of an event, which does nothing else. does(event, ...more): whether it was done. */
export function once(does, isMeant = null) {
  const alone = single(does, { isMeant });
  return (event, ...more) => {
    event.preventDefault();
    return alone(event, ...more);
  };
}

/**
 * Does what the lines of a list ask for, and nothing more for a moment, unless it was not done: the next line may come to lie under the
 * finger. does(...asked): whether it was done.
 */
export function spaced(does) {
  let at = -Infinity;
  return async (...asked) => {
    const now = performance.now();
    if (now - at < SECOND_TAP_MS) return false;
    at = now;
    const done = await does(...asked);
    if (!done && at === now) at = -Infinity;
    return done;
  };
}
