// A turn that was missed: whose it was, before anybody has said so.

const RIVAL = { light: "dark", dark: "light" };

/** The side that was on roll between two lines of a game, as the referee goes by it. before: the line before, undefined where there is none;
 * next: the one before which a turn is missing; each {side, dice}. Null where nobody can tell. */
export function missedBy(before, next) {
  if (before?.dice) return RIVAL[before.side];
  if (before?.side) return next.side; // after the cube, or who could not roll
  return RIVAL[next.side] ?? null;
}
