// My games: one player's matches, his error rates over time, and the way to each replay.

import { get } from "./api.js";
import { html } from "./dom.js";
import { recall, remember } from "./settings.js";
import { svg } from "./svg.js";
import { graphWidth, units } from "./verdict.js";
import { decimal, language, signed, t, tn, told } from "./words.js";

const $ = (id) => document.getElementById(id);
const [HEIGHT, EDGE] = [240, { left: 44, right: 14, top: 12, bottom: 24 }];
const AT_ONCE = 25; // rows; the others when somebody asks
const MEAN = 10; // matches that the line goes through
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

const day = (date) => (date ? new Date(`${date}T12:00`).toLocaleDateString(language, { dateStyle: "medium" }) : "");
const replayOf = ({ id }) => `replay?match=${encodeURIComponent(id)}`;

/** The error rate of all decisions of these matches together. */
function mean(matches) {
  const decisions = matches.reduce((sum, one) => sum + one.decisions, 0);
  return decisions ? matches.reduce((sum, one) => sum + (one.error_rate ?? 0) * one.decisions, 0) / decisions : null;
}

/* The chart */

function chart(played) {
  const judged = played.filter((one) => one.error_rate !== null).reverse();
  if (!judged.length) return html("p", { class: "hint" }, t("None of these matches has been judged by GNU Backgammon yet."));
  const WIDTH = graphWidth(900);
  const most = Math.max(1, ...judged.map((one) => one.error_rate)) * 1.08;
  const step = STEPS.find((size) => most / size <= 6) ?? most;
  const x = (at) => EDGE.left + (judged.length === 1 ? 0.5 : at / (judged.length - 1)) * (WIDTH - EDGE.left - EDGE.right);
  const y = (rate) => HEIGHT - EDGE.bottom - (rate / most) * (HEIGHT - EDGE.top - EDGE.bottom);
  const parts = [];
  for (let mark = 0; mark <= most; mark += step) {
    parts.push(svg("line", { class: mark ? "grid" : "grid zero", x1: EDGE.left, x2: WIDTH - EDGE.right, y1: y(mark), y2: y(mark) }));
    parts.push(svg("text", { x: EDGE.left - 8, y: y(mark) + 4, "text-anchor": "end" }, String(mark)));
  }
  const running = judged.map((_, at) => [x(at), y(mean(judged.slice(Math.max(0, at - MEAN + 1), at + 1)) ?? judged[at].error_rate)]);
  parts.push(svg("polyline", { class: "equity", points: running.map((point) => point.map((value) => value.toFixed(1)).join(",")).join(" ") }));
  judged.forEach((one, at) => {
    const words = `${day(one.date)} ${one.opponent}: ${decimal(one.error_rate, 1)}`;
    parts.push(svg("a", { href: replayOf(one), "aria-label": words, tabindex: "-1" }, svg("circle", { class: "error-dot", cx: x(at), cy: y(one.error_rate), r: judged.length > 120 ? 3 : 5 }, svg("title", {}, words))));
  });
  parts.push(svg("text", { x: EDGE.left, y: HEIGHT - 6 }, day(judged[0].date)), svg("text", { x: WIDTH - EDGE.right, y: HEIGHT - 6, "text-anchor": "end" }, judged.length > 1 ? day(judged.at(-1).date) : ""));
  // The table below says the same in words.
  const drawing = svg("svg", { class: "graph", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" }, ...parts);
  const legend = t("Each dot is a match, lower is better; the line is the error rate of the last ten together.");
  return html("div", {}, drawing, html("p", { class: "hint" }, legend), units());
}

/* The list */

function row(one) {
  const result = one.won === null ? "" : one.won ? t("won") : t("lost");
  const score = one.points === undefined ? one.score.join(" : ") : signed(one.points);
  const cells = [`${score} ${result}`, decimal(one.error_rate, 1), decimal(one.luck, 2)];
  const link = html("a", { href: replayOf(one) }, day(one.date) || t("Replay"));
  return html("tr", {}, html("th", { scope: "row" }, one.opponent, link), ...cells.map((text) => html("td", {}, text)));
}

function list(played, every) {
  const head = [t("Opponent"), t("Score"), t("Error rate"), t("Luck")].map((text) => html("th", { scope: "col" }, text));
  $("matches").replaceChildren(html("tr", {}, ...head), ...played.slice(0, every ? played.length : AT_ONCE).map(row));
  $("all").hidden = every || played.length <= AT_ONCE;
  $("all").textContent = tn("Show {n} match", "Show all {n} matches", played.length);
  $("all").onclick = () => list(played, true);
}

async function show(name) {
  const found = await get(`api/played?player=${encodeURIComponent(name)}`);
  if ($("player").value !== name) return;
  $("one").hidden = !found.played;
  $("said").textContent = found.played ? "" : told(found.message, found.error) || t("The program does not answer. Is it running?");
  if (!found.played) return;
  remember("player", name);
  history.replaceState(null, "", `?player=${encodeURIComponent(name)}`);
  document.title = `${found.name} · Vrhcáb`;
  $("one-title").textContent = found.name;
  const rate = mean(found.played.filter((one) => one.error_rate !== null).slice(0, MEAN));
  const sum = [tn("{n} match", "{n} matches", found.matches), t("{n} won", { n: found.won })];
  if (rate !== null) sum.push(t("error rate lately {rate}", { rate: decimal(rate, 1) }));
  $("sum").textContent = sum.join(", ");
  $("chart").replaceChildren(chart(found.played));
  list(found.played, false);
}

async function begin() {
  const players = await get("api/players");
  if (!Array.isArray(players)) {
    $("said").textContent = told(players.message, players.error) || t("The program does not answer. Is it running?");
    return;
  }
  if (!players.length) {
    $("said").textContent = t("No match of players with names is over yet. Each one is listed here when it is; names are given at the desk.");
    return;
  }
  $("who").hidden = false;
  const named = new URLSearchParams(location.search).get("player")?.trim();
  const asked = named || recall("player", "");
  const same = players.find(({ name }) => name.toLowerCase() === asked.toLowerCase());
  if (named && !same) $("player").append(html("option", { value: named }, named)); // not all are listed
  $("player").append(...players.map(({ name, matches }) => html("option", { value: name }, `${name} (${matches})`)));
  $("player").value = named && !same ? named : (same ?? players[0]).name;
  $("player").addEventListener("change", () => show($("player").value));
  show($("player").value);
}

begin();
