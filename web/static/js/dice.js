// Dice and the doubling cube, drawn.

import { rect, svg } from "./svg.js";

const SIZE = 54;
const STEP = 14.5;
const PIPS = {
  1: [[0, 0]],
  2: [[-1, -1], [1, 1]],
  3: [[-1, -1], [0, 0], [1, 1]],
  4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
};

/** Whose the dice on the board are: of who is on roll, unless they are those of the last play, which still lie there; null where nobody
 * can say. */
export function throwerOf({ dice, turn, phase, plays = [] }) {
  const last = phase === "to play" ? undefined : plays.findLast((play) => play.dice);
  return last && [...last.dice].sort().join() === [...dice].sort().join() ? last.side : turn;
}

/** A die around (0, 0). side: whose dice, which gives the colours. */
export function die(value, side) {
  const dark = side === "dark";
  const body = { rx: 11, fill: dark ? "url(#ebony)" : "url(#bone)", stroke: dark ? "var(--dark-edge)" : "#9c8a68", "stroke-width": 1.4 };
  const pips = (PIPS[value] ?? []).map(([x, y]) =>
    svg("circle", { cx: x * STEP, cy: y * STEP, r: 5.4, fill: dark ? "#f3e4c6" : "#2b1a12" }),
  );
  return svg(
    "g",
    {},
    rect([-SIZE / 2 + 2, -SIZE / 2 + 5, SIZE, SIZE], { rx: 11, fill: "#000", "fill-opacity": 0.35 }),
    rect([-SIZE / 2, -SIZE / 2, SIZE, SIZE], body),
    ...pips,
  );
}

/** The doubling cube around (0, 0). value 1 is the centred cube, which shows 64. */
export function cube(value) {
  const shown = String(value === 1 ? 64 : value);
  return svg(
    "g",
    {},
    rect([-25, -22, 52, 52], { rx: 9, fill: "#000", "fill-opacity": 0.35 }),
    rect([-26, -26, 52, 52], { rx: 9, fill: "url(#bone)", stroke: "#9c8a68", "stroke-width": 1.4 }),
    rect([-21, -21, 42, 42], { rx: 6, fill: "none", stroke: "#b3221f", "stroke-opacity": 0.35, "stroke-width": 1.5 }),
    svg("text", { class: shown.length > 2 ? "cube-value long" : "cube-value", "text-anchor": "middle", y: shown.length > 2 ? 7 : 9.5 }, shown),
  );
}
