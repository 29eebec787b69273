// The board without anything on it: frame, felt, points, bar, trays, and the shapes that checkers are made of.

import { HEIGHT, PARTS, POINT, POINT_HEIGHT, WIDTH } from "./geometry.js";
import { rect, svg } from "./svg.js";

function gradient(id, kind, stops, attributes = {}) {
  const points = stops.map(([offset, color]) => svg("stop", { offset, "stop-color": color }));
  return svg(kind, { id, ...attributes }, ...points);
}

// The colours of a part, lightest first, at these offsets. board.css has them, for each choice of board and checkers.
function shades(part, ...offsets) {
  return offsets.map((offset, index) => [offset, `var(--${part}-${index + 1})`]);
}

function grain() {
  const lines = ["M0 3q40 4 90 1t90 2", "M0 11q60-4 110 0t70-1", "M0 17q50 5 100 2t80 2", "M0 26q30-3 80 0t100-2", "M0 33q70 4 180-1"];
  const paths = lines.map((d) => svg("path", { d, fill: "none", stroke: "#2a1408", "stroke-opacity": 0.13, "stroke-width": 1.1 }));
  return svg("pattern", { id: "grain", width: 180, height: 38, patternUnits: "userSpaceOnUse" }, ...paths);
}

function weave() {
  const dots = [[1, 1], [3.5, 3.5]].map(([cx, cy]) => svg("circle", { cx, cy, r: 0.75, fill: "#fff", "fill-opacity": 0.045 }));
  return svg("pattern", { id: "weave", width: 5, height: 5, patternUnits: "userSpaceOnUse" }, ...dots);
}

const SHADOW = { cx: 1.5, cy: 3.5, rx: 27.5, ry: 27, fill: "#000", "fill-opacity": 0.32 };

// Light checkers carry rings, dark ones a star, so that nobody needs the colour to tell them apart.
function lightChecker() {
  return svg(
    "symbol",
    { id: "checker-light", overflow: "visible" },
    svg("ellipse", SHADOW),
    svg("circle", { r: 27.5, fill: "url(#ivory)", stroke: "var(--light-edge)", "stroke-width": 1.4 }),
    svg("circle", { r: 19.5, fill: "none", stroke: "var(--light-mark)", "stroke-width": 1.8 }),
    svg("circle", { r: 17.6, fill: "none", stroke: "#fffaf0", "stroke-width": 1.2 }),
    svg("circle", { r: 8, fill: "none", stroke: "var(--light-mark)", "stroke-width": 1.8 }),
  );
}

function darkChecker() {
  return svg(
    "symbol",
    { id: "checker-dark", overflow: "visible" },
    svg("ellipse", SHADOW),
    svg("circle", { r: 27.5, fill: "url(#ebony)", stroke: "var(--dark-edge)", "stroke-width": 1.4 }),
    svg("circle", { r: 23, fill: "none", stroke: "var(--dark-mark)", "stroke-opacity": 0.8, "stroke-width": 1.4 }),
    svg("path", { d: "M0-17 4.6-4.6 17 0 4.6 4.6 0 17-4.6 4.6-17 0-4.6-4.6z", fill: "var(--dark-mark)" }),
  );
}

function slab(side) {
  const [fill, edge] = side === "light" ? ["url(#ivory-edge)", "var(--light-edge)"] : ["url(#ebony-edge)", "var(--dark-edge)"];
  const mark =
    side === "light"
      ? svg("path", { d: "M-20 0h40", stroke: "var(--light-mark)", "stroke-width": 1.6 })
      : svg("path", { d: "M0-4 5 0 0 4-5 0z", fill: "var(--dark-mark)" });
  const body = svg("rect", { x: -27, y: -6.2, width: 54, height: 12.4, rx: 3.4, fill, stroke: edge, "stroke-width": 1.2 });
  return svg("symbol", { id: `slab-${side}`, overflow: "visible" }, body, mark);
}

/** Colours, patterns and shapes that the rest of the drawing refers to. */
export function definitions() {
  const down = { x1: 0, y1: 0, x2: 0, y2: 1 };
  const lit = { cx: 0.38, cy: 0.32, r: 0.78 };
  return svg(
    "defs",
    {},
    gradient("wood", "linearGradient", shades("wood", 0, 0.5, 1), down),
    gradient("rail", "linearGradient", shades("rail", 0, 0.5, 1), { x1: 0, y1: 0, x2: 1, y2: 0 }),
    gradient("felt", "radialGradient", shades("felt", 0, 1), { cx: 0.5, cy: 0.5, r: 0.75 }),
    gradient("pit", "linearGradient", shades("pit", 0, 1), down),
    gradient("sand", "linearGradient", shades("point-a", 0, 1), down),
    gradient("brick", "linearGradient", shades("point-b", 0, 1), down),
    gradient("ivory", "radialGradient", shades("light", 0, 0.65, 1), lit),
    gradient("ebony", "radialGradient", shades("dark", 0, 0.6, 1), lit),
    gradient("ivory-edge", "linearGradient", [[0, "var(--light-1)"], [1, "var(--light-3)"]], down),
    gradient("ebony-edge", "linearGradient", [[0, "var(--dark-1)"], [1, "var(--dark-3)"]], down),
    gradient("bone", "linearGradient", [[0, "#fffdf7"], [1, "#e9dcc0"]], down),
    grain(),
    weave(),
    lightChecker(),
    darkChecker(),
    slab("light"),
    slab("dark"),
  );
}

function felt(part) {
  return svg(
    "g",
    {},
    rect(part, { fill: "url(#felt)" }),
    rect(part, { fill: "url(#weave)" }),
    rect(part, { fill: "none", stroke: "#17120d", "stroke-opacity": 0.55, "stroke-width": 3 }),
  );
}

/** A point; more: attributes that it gets instead of its usual colours. */
export function wedge(layout, number, more = null) {
  const { x, y, up } = layout.point(number);
  const tip = y + up * POINT_HEIGHT;
  const half = POINT / 2 - 1.5;
  const d = `M${x - half} ${y}L${x} ${tip}L${x + half} ${y}z`;
  if (more) return svg("path", { d, ...more });
  return svg("path", {
    d,
    fill: number % 2 ? "url(#brick)" : "url(#sand)",
    stroke: "#1c120b",
    "stroke-opacity": 0.25,
  });
}

function hinges(layout) {
  const [x, , width] = layout.part(PARTS.bar);
  return [HEIGHT * 0.12, HEIGHT * 0.88].map((y) =>
    svg(
      "g",
      {},
      rect([x + 8, y - 22, width - 16, 44], { rx: 5, fill: "#b9924f", "fill-opacity": 0.55, stroke: "#4b3213", "stroke-opacity": 0.5 }),
      svg("path", { d: `M${x + width / 2} ${y - 22}v44`, stroke: "#4b3213", "stroke-opacity": 0.6 }),
    ),
  );
}

/** The empty board in this layout. */
export function emptyBoard(layout) {
  const numbers = Array.from({ length: 24 }, (_, index) => index + 1);
  const bar = layout.part(PARTS.bar);
  const pits = [...PARTS.trays, PARTS.cubeBed].map((part) =>
    rect(layout.part(part), { rx: 6, fill: "url(#pit)", stroke: "#130b06", "stroke-opacity": 0.6, "stroke-width": 2 }),
  );
  return svg(
    "g",
    {},
    rect([0, 0, WIDTH, HEIGHT], { rx: 16, fill: "url(#wood)" }),
    rect([0, 0, WIDTH, HEIGHT], { rx: 16, fill: "url(#grain)" }),
    rect([2, 2, WIDTH - 4, HEIGHT - 4], { rx: 14, fill: "none", stroke: "var(--trim)", "stroke-opacity": 0.28, "stroke-width": 2 }),
    felt(layout.part(PARTS.left)),
    felt(layout.part(PARTS.right)),
    ...numbers.map((number) => wedge(layout, number)),
    rect(bar, { fill: "url(#rail)" }),
    rect(bar, { fill: "url(#grain)" }),
    svg("path", { d: `M${bar[0] + bar[2] / 2} 0V${HEIGHT}`, stroke: "#1d0f06", "stroke-opacity": 0.5, "stroke-width": 2 }),
    ...hinges(layout),
    ...pits,
  );
}
