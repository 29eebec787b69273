// What a press asks for, once: of two taps on the same button the second was not meant.

export const SECOND_TAP_MS = 600; // two taps within this are one that was meant

/** Done after so many milliseconds. */
export const moment = (ms) => new Promise((over) => setTimeout(over, ms));

/** Does what a press asks for where it is meant, and nothing more until a moment after it is done. does(event): whether it was. */
export function once(does, isMeant = () => true) {
  let rests = false;
  return async (event) => {
    event.preventDefault();
    if (rests || !(await isMeant()) || rests) return;
    rests = true;
    try {
      if (await does(event)) await moment(SECOND_TAP_MS);
    } finally {
      rests = false;
    }
  };
}
