// GNU Backgammon's verdict on a match: who erred, where, by how much, and how the equity went; each error opens its position.

import { html, marker } from "./dom.js";
import { svg } from "./svg.js";
import { actionWords, decimal, nameOf, signed, t } from "./words.js";

const HEIGHT = 220;
const EDGE = { left: 34, right: 10, top: 12, bottom: 22 };

/** Units across a graph: about as many as px on the screen, so that a phone can read its numbers. */
export function graphWidth(most) {
  return Math.max(300, Math.min(most, document.documentElement.clientWidth - 60));
}

const CUBE = ["no double", "double", "take", "pass"];

/** A play or cube action of the verdict, in the visitor's words: "31: 8/5 6/5", "no double". */
export function verdictWords(text) {
  const found = /^(\d)(\d): (.*)$/.exec(text);
  if (!found) return CUBE.includes(text) ? t(text) : text;
  return `${found[1]}-${found[2]}: ${found[3] === "no move" ? t("no legal move") : actionWords(found[3])}`;
}

/** What an error cost, with its sign. */
export function cost(mistake) {
  return `−${decimal(mistake.lost, 3)}`;
}

function table({ players }, seats) {
  const head = ["", t("Error rate"), t("Decisions"), t("Luck")];
  const rows = players.map((player, seat) =>
    html(
      "tr",
      {},
      html("th", { scope: "row" }, marker(seats[seat]), ` ${player.name}`),
      ...[decimal(player.error_rate, 1), String(player.decisions), decimal(player.luck, 2)].map((text) => html("td", {}, text)),
    ),
  );
  const made = html("table", {}, html("tr", {}, ...head.map((text) => html("th", { scope: "col" }, text))), ...rows);
  return html("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("Error rate") }, made);
}

/** In what error rate, luck and errors are measured. */
export function units() {
  return html("p", { class: "hint" }, t("Error rate: thousandths of the cube's value lost for each decision. Luck and errors: multiples of that value."));
}

/** The errors, the costliest first, each a button; open(mistake) shows its position; sideOf(mistake): who erred. */
function list({ worst }, { open, sideOf }) {
  if (!worst.length) return html("p", { class: "hint" }, t("No error worth naming."));
  return html(
    "ol",
    { class: "errors" },
    ...[...worst]
      .sort((a, b) => b.lost - a.lost)
      .map((mistake) => {
        const words = t("Game {game}, turn {number}: {played}; better {better}", { game: mistake.game, number: mistake.number, played: verdictWords(mistake.played), better: verdictWords(mistake.better) });
        const button = html("button", { type: "button", class: "words" }, marker(sideOf(mistake)), ` ${words} `, html("strong", {}, cost(mistake)));
        button.addEventListener("click", () => open(mistake));
        return html("li", {}, button);
      }),
  );
}

/** The equity of the first player, game beside game, in cubes. at(game, number): the step of that action; last: of the match. */
export function graph({ course, worst, players }, { at, last, open }) {
  const WIDTH = graphWidth(600);
  const most = Math.min(3, Math.max(1, ...course.flat().map(({ equity }) => Math.abs(equity)))) * 1.05;
  const x = (step) => EDGE.left + (step / Math.max(last, 1)) * (WIDTH - EDGE.left - EDGE.right);
  const y = (equity) => EDGE.top + (1 - Math.max(-most, Math.min(most, equity)) / most) * ((HEIGHT - EDGE.top - EDGE.bottom) / 2);
  const parts = [];
  for (const mark of [-3, -2, -1, 0, 1, 2, 3].filter((value) => Math.abs(value) <= most)) {
    parts.push(svg("line", { class: mark ? "grid" : "grid zero", x1: EDGE.left, x2: WIDTH - EDGE.right, y1: y(mark), y2: y(mark) }));
    parts.push(svg("text", { x: EDGE.left - 6, y: y(mark) + 4, "text-anchor": "end" }, signed(mark)));
  }
  course.forEach((moments, index) => {
    if (!moments.length) return;
    const points = moments.map(({ number, equity }) => [x(at(index + 1, number)), y(equity)]);
    parts.push(svg("polyline", { class: "equity", points: points.map((point) => point.map((value) => value.toFixed(1)).join(",")).join(" ") }));
    const middle = (points[0][0] + points.at(-1)[0]) / 2;
    parts.push(svg("text", { x: middle, y: HEIGHT - 6, "text-anchor": "middle" }, String(index + 1)));
  });
  for (const mistake of worst) {
    const moments = course[mistake.game - 1] ?? [];
    const moment = moments.find(({ number }) => number >= mistake.number) ?? moments.at(-1);
    if (!moment) continue;
    const dot = svg("circle", { class: "error-dot", cx: x(at(mistake.game, mistake.number)), cy: y(moment.equity), r: 6 }, svg("title", {}, `${players[mistake.player].name}: ${verdictWords(mistake.played)} ${cost(mistake)}`));
    dot.addEventListener("click", () => open(mistake));
    parts.push(dot);
  }
  const now = svg("line", { class: "step-now", y1: EDGE.top, y2: HEIGHT - EDGE.bottom, x1: -9, x2: -9 });
  const drawing = svg("svg", { class: "graph", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": t("Equity through the match") }, ...parts, now);
  /** Marks the step that is shown. */
  const show = (step) => {
    now.setAttribute("x1", x(step));
    now.setAttribute("x2", x(step));
  };
  return { drawing, show };
}

/** What a player is called; in a chouette, where another may play in each game, by the part: the box has the light checkers. */
function called(side, name) {
  return name ? nameOf(side, name) : t(side === "light" ? "box" : "team");
}

/** {parts, show}: what to put on the page, and what marks the step that is shown. seats: each player's side;
 * steps: as graph() and list() take them. */
export function verdict(judged, seats, steps) {
  const found = { ...judged, players: judged.players.map((player, index) => ({ ...player, name: called(seats[index], player.name) })) };
  const drawn = graph(found, steps);
  const legend = html("p", { class: "hint" }, t("Above the middle {above} stands better, below it {below}.", { above: found.players[0].name, below: found.players[1].name }));
  return { parts: [table(found, seats), units(), drawn.drawing, legend, list(found, steps)], show: drawn.show };
}
