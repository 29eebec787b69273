// A kept match, step by step: buttons, arrow keys, or a link that ends with #NUMBER.

import { get } from "./api.js";
import { Board } from "./board.js";
import { html, marker } from "./dom.js";
import { matchWords, showPlayer } from "./players.js";
import { exportLinks } from "./records.js";
import { stepsOf } from "./steps.js";
import { t, told } from "./words.js";

const $ = (id) => document.getElementById(id);
const board = new Board($("board"));
let steps = [];
let shown = 0;

// Scrolls the list alone: the page with the board stays where it is.
function inSight(item, list) {
  const [top, bottom] = [item.offsetTop - list.offsetTop, item.offsetTop - list.offsetTop + item.offsetHeight];
  if (top < list.scrollTop) list.scrollTop = top;
  else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
}

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
    if (now) inSight(item, $("turns"));
  }
  document.body.dataset.step = shown + 1;
  $("copied").textContent = "";
  $("link").hidden = true;
  history.replaceState(null, "", `#${shown + 1}`);
}

function list() {
  $("turns").replaceChildren(
    ...steps.map((step, index) => {
      const button = html("button", { type: "button", class: "words" }, `${index + 1}. `, step.side ? marker(step.side) : "", step.side ? ` ${step.words}` : t("Game {number}", { number: step.game }));
      button.addEventListener("click", () => show(index));
      return html("li", { class: step.side ? "" : "opening" }, button);
    }),
  );
}

async function begin() {
  const match = new URLSearchParams(location.search).get("match") ?? "";
  const record = await get(`api/matches/${encodeURIComponent(match)}`);
  if (!record.games) {
    $("status").textContent = told(record.error) || t("There is no such match here.");
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
// Browsers let a page copy only over https; on plain http the link is shown, ready to be copied.
$("share").addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(location.href);
    $("copied").textContent = t("The link is copied.");
  } catch {
    $("link").hidden = false;
    $("link").value = location.href;
    $("link").select();
  }
});
addEventListener("hashchange", () => steps.length && show(Number(location.hash.slice(1)) - 1));
addEventListener("keydown", (event) => {
  const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (way && event.target !== $("link")) show(shown + way);
});
begin();
