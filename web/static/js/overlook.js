// The camera's picture with the board drawn over it: which way the checkers travel, and what is read where.

import { svg } from "./svg.js";
import { sideName, t } from "./words.js";

// Corners of each quarter among the nine points of a place's lattice.
const QUARTERS = { "top-left": [0, 1, 4, 3], "top-right": [1, 2, 5, 4], "bottom-left": [3, 4, 7, 6], "bottom-right": [4, 5, 8, 7] };
const OUTER_EDGE = { "top-left": [0, 1], "top-right": [1, 2], "bottom-left": [6, 7], "bottom-right": [7, 8] };

/** The column (0-11 the top row from left to right, then the bottom row) of White's point when White bears off in that corner. */
function columnOf(point, home) {
  const [row, side] = home.split("-");
  const along = point <= 12 ? point - 1 : 24 - point;
  const x = side === "right" ? 11 - along : along;
  return (point <= 12) === (row === "bottom") ? 12 + x : x;
}

/** The corner that is White's home when White sits on the other side. */
export function otherSide(home) {
  const [row, side] = home.split("-");
  return `${row === "top" ? "bottom" : "top"}-${side === "left" ? "right" : "left"}`;
}

/** The picture itself, filling an <svg>; address: of the picture. */
function onPicture(root, place, address, ...drawn) {
  const [width, height] = place.size;
  root.setAttribute("viewBox", `0 0 ${width} ${height}`);
  root.replaceChildren(svg("image", { href: address, width, height }), ...drawn);
}

function middle(points) {
  const sum = points.reduce(([x, y], [px, py]) => [x + px, y + py], [0, 0]);
  return sum.map((value) => value / points.length);
}

function towards([x, y], [tx, ty], share) {
  return [x + (tx - x) * share, y + (ty - y) * share];
}

/** A side's way from its last point to its home, moved towards the board's middle by a share. */
function way(place, home, side, share, unit) {
  const points = side === "light" ? [24, 13, 12, 1] : [1, 12, 13, 24];
  const centre = place.lattice[4];
  const [start, firstTurn, secondTurn, end] = points.map((point) => towards(place.columns[columnOf(point, home)], centre, share));
  const d = `M${start}L${firstTurn}L${secondTurn}L${end}`;
  const [dx, dy] = [end[0] - secondTurn[0], end[1] - secondTurn[1]];
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [(dx / length) * unit, (dy / length) * unit];
  const head = `M${end[0] + ux * 2.2} ${end[1] + uy * 2.2}L${end[0] - uy * 1.6} ${end[1] + ux * 1.6}L${end[0] + uy * 1.6} ${end[1] - ux * 1.6}z`;
  return svg("g", { class: `way ${side}` }, svg("path", { class: "under", d }), svg("path", { class: "line", d }), svg("path", { class: "head", d: head }));
}

function tag(text, [x, y], size, attributes = {}) {
  const width = size * (text.length * 0.58 + 1);
  return svg(
    "g",
    { class: "tag", ...attributes },
    svg("rect", { x: x - width / 2, y: y - size * 0.85, width, height: size * 1.7, rx: size * 0.5 }),
    svg("text", { x, y: y + size * 0.35, "font-size": size, "text-anchor": "middle" }, text),
  );
}

/** Draws both ways and the quarter where White bears off; onQuarter(home) hears taps on a quarter. */
export function showWays(root, place, home, address, onQuarter) {
  const unit = place.size[0] / 90;
  const quarters = Object.entries(QUARTERS).map(([name, indexes]) => {
    const shape = svg("polygon", { class: name === home ? "quarter home" : "quarter", "data-home": name, points: indexes.map((index) => place.lattice[index]).join(" ") });
    shape.addEventListener("click", () => onQuarter(name));
    return shape;
  });
  const whiteSits = home.startsWith("bottom") ? [7, 1] : [1, 7];
  const edges = whiteSits.map((index) => towards(place.lattice[index], place.lattice[4], -0.12));
  const homeMiddle = middle(QUARTERS[home].map((index) => place.lattice[index]));
  const homeEdge = middle(OUTER_EDGE[home].map((index) => place.lattice[index]));
  const inside = ([x, y]) => [x, Math.min(Math.max(y, unit * 4), place.size[1] - unit * 4)];
  onPicture(
    root,
    place,
    address,
    ...quarters,
    way(place, home, "dark", 0.3, unit),
    way(place, home, "light", 0, unit),
    tag(sideName("light"), inside(edges[0]), unit * 3.2),
    tag(sideName("dark"), inside(edges[1]), unit * 3.2, { class: "tag dark" }),
    tag(t("White bears off"), towards(homeMiddle, homeEdge, 0.62), unit * 2.4),
  );
}

/** Draws the counts that are read on the columns, rings round those that differ, and the dice. */
export function showCounts(root, place, seen, address) {
  const unit = place.size[0] / 90;
  const drawn = seen.points.flatMap((count, index) => {
    const [x, y] = place.columns[columnOf(index + 1, place.home)];
    const wrong = seen.differences.some((one) => one.point === index + 1);
    const ring = wrong ? [svg("circle", { class: "wrong", cx: x, cy: y, r: unit * 3.1 })] : [];
    if (!count) return ring;
    const side = count > 0 ? "light" : "dark";
    return [
      ...ring,
      side === "light"
        ? svg("circle", { class: "badge light", cx: x, cy: y, r: unit * 2 })
        : svg("rect", { class: "badge dark", x: x - unit * 1.8, y: y - unit * 1.8, width: unit * 3.6, height: unit * 3.6, rx: unit * 0.5 }),
      svg("text", { class: `count ${side}`, x, y: y + unit * 0.9, "font-size": unit * 2.6, "text-anchor": "middle" }, String(Math.abs(count))),
    ];
  });
  const dice = seen.dice.map(({ value, at: [x, y], flat }) =>
    svg(
      "g",
      { class: flat ? "die-seen" : "die-seen cocked" },
      svg("rect", { x: x - unit * 2.2, y: y - unit * 2.2, width: unit * 4.4, height: unit * 4.4, rx: unit * 0.6 }),
      tag(String(value), [x, y - unit * 4.2], unit * 2.6),
    ),
  );
  onPicture(root, place, address, ...drawn, ...dice);
}
