// A kept match, step by step: buttons, arrow keys, or a link that ends with #NUMBER.

import { get } from "./api.js";
import { Board } from "./board.js";
import { html, marker } from "./dom.js";
import { decode } from "./positionid.js";
import { exportLinks } from "./records.js";
import { t } from "./words.js";

const $ = (id) => document.getElementById(id);
const CHECKERS = 15;
const board = new Board($("board"));
let steps = [];
let shown = 0;

const sum = (counts) => counts.reduce((a, b) => a + b, 0);

/** What the board shows after an action. */
function boardOf(record, id, mover) {
  const { own, other } = decode(id);
  const light = record.players[mover].color === "light" ? own : other;
  const dark = light === own ? other : own;
  return {
    points: Array.from({ length: 24 }, (_, point) => light[point] - dark[23 - point]),
    light: { bar: light[24], off: CHECKERS - sum(light) },
    dark: { bar: dark[24], off: CHECKERS - sum(dark) },
  };
}

function wordsOf(action) {
  if (action.type === "play") {
    const moves = (action.moves ?? []).map(([from, to]) => `${from === 25 ? t("bar") : from}/${to === 0 ? t("off") : to}`);
    return `${action.dice.join("-")}: ${action.notation || moves.join(" ") || t("no legal move")}`;
  }
  if (action.type === "double") return t("doubles to {value}", { value: action.value });
  if (action.type === "take") return t("takes");
  if (action.type === "pass") return t("passes");
  return action.type === "resign" ? t("resigns") : "";
}

/** One step for each action: the board after it, whose it was, words. */
function stepsOf(record) {
  const made = [];
  record.games.forEach((game, number) => {
    let cube = { value: 1, owner: null, offered: null };
    let last = null;
    for (const action of game.actions) {
      const side = record.players[action.player]?.color ?? "light";
      if (action.type === "double") cube = { ...cube, value: cube.value, offered: side === "light" ? "dark" : "light" };
      if (action.type === "take") cube = { value: cube.value * 2, owner: side, offered: null };
      if (action.type === "play") last = boardOf(record, action.after, action.player);
      if (last) made.push({ ...last, game: number + 1, side, cube, dice: action.dice ?? [], words: wordsOf(action), legal: action.legal !== false });
    }
  });
  return made;
}

function show(number) {
  shown = Math.max(0, Math.min(number, steps.length - 1));
  const step = steps[shown];
  board.show({ ...step, turn: step.side, cube: { ...step.cube } }, "bottom-right");
  $("status").textContent = `${t("Game {number}", { number: step.game })}, ${shown + 1}/${steps.length}: ${step.words}${step.legal ? "" : ` (${t("illegal play")})`}`;
  for (const [index, item] of [...$("turns").children].entries()) {
    const now = index === shown;
    item.classList.toggle("now", now);
    item.firstChild.setAttribute("aria-current", now ? "step" : "false");
    if (now) item.scrollIntoView({ block: "nearest" });
  }
  document.body.dataset.step = shown + 1;
  history.replaceState(null, "", `#${shown + 1}`);
}

function list() {
  $("turns").replaceChildren(
    ...steps.map((step, index) => {
      const button = html("button", { type: "button", class: "words" }, `${index + 1}. `, marker(step.side), ` ${step.words}`);
      button.addEventListener("click", () => show(index));
      return html("li", {}, button);
    }),
  );
}

async function begin() {
  const match = new URLSearchParams(location.search).get("match") ?? "";
  const record = await get(`api/matches/${encodeURIComponent(match)}`);
  if (!record.games) {
    $("status").textContent = record.error || t("There is no such match here.");
    return;
  }
  $("match").textContent = record.players.map((player) => player.name).join(" – ");
  steps = stepsOf(record);
  if (!steps.length) {
    $("status").textContent = t("Nothing has been played yet.");
    return;
  }
  $("keep").replaceChildren(...exportLinks(match));
  list();
  show(Number(location.hash.slice(1) || 1) - 1);
}

$("first").addEventListener("click", () => show(0));
$("back").addEventListener("click", () => show(shown - 1));
$("on").addEventListener("click", () => show(shown + 1));
$("last").addEventListener("click", () => show(steps.length - 1));
$("share").addEventListener("click", () => navigator.clipboard?.writeText(location.href));
addEventListener("hashchange", () => steps.length && show(Number(location.hash.slice(1)) - 1));
addEventListener("keydown", (event) => {
  const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (way) show(shown + way);
});
begin();
