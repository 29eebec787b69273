// A kept match, step by step: buttons, arrow keys, or a link that ends with #NUMBER.

import { get } from "./api.js";
import { Board } from "./board.js";
import { html, marker } from "./dom.js";
import { matchWords, showPlayer } from "./players.js";
import { exportLinks } from "./records.js";
import { stepsOf } from "./steps.js";
import { t } from "./words.js";

const $ = (id) => document.getElementById(id);
const board = new Board($("board"));
let steps = [];
let shown = 0;

function show(number) {
  shown = Math.max(0, Math.min(number, steps.length - 1));
  const step = steps[shown];
  board.show(step, "bottom-right");
  showPlayer($("player-top"), step, "dark");
  showPlayer($("player-bottom"), step, "light");
  $("match").textContent = matchWords(step).join(" · ");
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
      const button = html("button", { type: "button", class: "words" }, `${index + 1}. `, step.side ? marker(step.side) : "", ` ${step.words}`);
      button.addEventListener("click", () => show(index));
      return html("li", { class: step.side ? "" : "opening" }, button);
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
  document.title = `${record.players.map((player) => player.name).join(" – ")} · Vrhcáb`;
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
