// A kept match, step by step: buttons, arrow keys, a swipe, by itself, or a link; with GNU Backgammon's verdict. Of a link #3.12 is turn
// 12 of game 3 (0: its beginning), #3.12.better the same with what was better, #N step N of the match.

import { get } from "./api.js";
import { Board } from "./board.js";
import { html, marker } from "./dom.js";
import { across } from "./geometry.js";
import { matchWords, showPlayer } from "./players.js";
import { exportLinks } from "./records.js";
import { recall, remember } from "./settings.js";
import { reachable, share } from "./share.js";
import { betterStep, stepAt, stepsOf } from "./steps.js";
import { keepSwipes } from "./swipe.js";
import { cost, verdict, verdictWords } from "./verdict.js";
import { nameOf, said, t, told } from "./words.js";

const AUTO_MS = 1800; // a play travels for half a second; then it has to be seen
const REFUSED_MS = 1000;
const $ = (id) => document.getElementById(id);
const board = new Board($("board"));
let steps = [];
let shown = 0;
let judged = null; // {mistakes, at, show}: the verdict, where there is one; at: its first mistake by step
let better = false; // what should have been played is shown in the place of what was
let playing = 0;
let flipped = recall("flipped", "no") === "yes";

// Scrolls the list alone: the page with the board stays where it is.
function inSight(item, list) {
  const [top, bottom] = [item.offsetTop - list.offsetTop, item.offsetTop - list.offsetTop + item.offsetHeight];
  if (top < list.scrollTop) list.scrollTop = top;
  else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
}

const mistakeStep = ({ game, number }) => steps[stepAt(steps, game, number)];

function mistakeAt(step) {
  return judged?.at.get(step);
}

function draw() {
  const step = steps[shown];
  const mistake = mistakeAt(step);
  const view = better && mistake ? betterStep(steps, mistake) : step;
  board.show(view, flipped ? across("bottom-right") : "bottom-right");
  showPlayer($("player-top"), view, flipped ? "light" : "dark");
  showPlayer($("player-bottom"), view, flipped ? "dark" : "light");
  $("error").hidden = !mistake;
  if (!mistake) return;
  $("error-words").textContent = t("Better {better} ({cost})", { better: verdictWords(mistake.better), cost: cost(mistake) });
  for (const [id, pressed] of [["as-played", !better], ["as-better", better]]) $(id).setAttribute("aria-pressed", String(pressed));
}

function show(number, { withBetter = false } = {}) {
  shown = Math.max(0, Math.min(number, steps.length - 1));
  better = withBetter;
  const step = steps[shown];
  draw();
  $("match").textContent = matchWords(step).join(" · ");
  $("status").textContent = `${t("Game {number}", { number: step.game })}, ${shown + 1}/${steps.length}: ${step.words}${step.legal ? "" : ` (${t("illegal play")})`}`;
  $("said").replaceChildren(...step.said.map((flag) => html("li", {}, said(flag.text, flag.said), flag.how ? ` (${t(flag.how)})` : "")));
  for (const [index, item] of [...$("turns").children].entries()) {
    const now = index === shown;
    item.classList.toggle("now", now);
    item.firstChild.setAttribute("aria-current", now ? "step" : "false");
    if (now) inSight(item, $("turns"));
  }
  judged?.show(shown);
  $("game-back").disabled = shown === 0;
  $("game-on").disabled = nextGame() < 0;
  $("next-error").hidden = !judged?.mistakes.length;
  document.body.dataset.step = shown + 1;
  $("shared").replaceChildren();
  keepAddress();
}

const here = () => `#${placeOf(shown)}${better ? ".better" : ""}`;
let waiting = 0;

/** The address names the step that is shown. Safari refuses more than a hundred changes in some seconds, which a key held down makes. */
function keepAddress() {
  clearTimeout(waiting);
  try {
    history.replaceState(null, "", here());
  } catch {
    waiting = setTimeout(keepAddress, REFUSED_MS);
  }
}

function list() {
  $("turns").replaceChildren(
    ...steps.map((step, index) => {
      const button = html("button", { type: "button", class: "words" }, `${index + 1}. `, step.side ? marker(step.side) : "", step.side ? ` ${step.words}` : t("Game {number}", { number: step.game }));
      if (!step.legal || step.said.length) button.append(html("span", { class: "noted", title: t("The referee said something here") }, " ⚑"));
      const mistake = mistakeAt(step);
      if (mistake) button.append(html("strong", { class: "lost" }, ` ${cost(mistake)}`));
      button.addEventListener("click", () => go(index));
      return html("li", { class: step.side ? "" : "opening" }, button);
    }),
  );
}

/* From place to place */

/** A step in a link: game and turn, so that it stays what it is when an earlier game is corrected. */
function placeOf(number) {
  const { game } = steps[number];
  return `${game}.${number - steps.findIndex((step) => step.game === game)}`;
}

/** Shows what a link names; where there is no such turn, the nearest one, and says so. */
function open(place) {
  const [, game, , turn, how] = /^(\d+)(\.(\d+)(\.better)?)?$/.exec(place) ?? [];
  const inGame = steps.filter((step) => step.game === Number(game));
  const sought = turn === undefined ? Number(game || 1) - 1 : inGame.length ? steps.indexOf(inGame[0]) + Math.min(Number(turn), inGame.length) : -1;
  const last = turn === undefined ? steps.length - 1 : steps.indexOf(inGame.at(-1));
  $("strayed").hidden = place === "" || (game !== undefined && sought >= 0 && sought <= last);
  show(Math.min(sought, last), { withBetter: Boolean(how) });
}

/** Somebody wants to see this step: what plays by itself stops. */
function go(number, how) {
  stop();
  $("strayed").hidden = true;
  show(number, how);
}

const nextGame = () => steps.findIndex((step, index) => index > shown && step.number === 0);
const thisGame = () => steps.findLastIndex((step, index) => index < shown && step.number === 0);

function nextError() {
  const order = judged.mistakes.map((one) => stepAt(steps, one.game, one.number)).sort((a, b) => a - b);
  go(order.find((at) => at > shown) ?? order[0]);
}

function stop() {
  clearInterval(playing);
  playing = 0;
  $("play").setAttribute("aria-pressed", "false");
}

function play() {
  if (playing) return stop();
  if (shown === steps.length - 1) show(0);
  playing = setInterval(() => (shown < steps.length - 1 ? show(shown + 1) : stop()), AUTO_MS);
  $("play").setAttribute("aria-pressed", "true");
}

/* What is there */

async function begin() {
  const match = new URLSearchParams(location.search).get("match") ?? "";
  const verdictOf = () => get(`api/matches/${encodeURIComponent(match)}/analysis`);
  // Both before anything is shown: what comes later would move what is there.
  const [record, found] = await Promise.all([get(`api/matches/${encodeURIComponent(match)}`), verdictOf()]);
  if (!record.games) {
    nothing(record.error === "" ? t("The program does not answer. Is it running?") : t("There is no such match here."));
    return;
  }
  document.title = `${record.players.map(({ color, name }) => nameOf(color, name)).join(" – ")} · Vrhcáb`;
  steps = stepsOf(record);
  if (!steps.length) {
    nothing(t("Nothing has been played yet."));
    return;
  }
  $("keep").replaceChildren(...exportLinks(match));
  list();
  open(location.hash.slice(1));
  const seats = record.players.map((player) => player.color);
  const heard = (answer) => {
    judge(answer, seats);
    if (answer.again_s) setTimeout(async () => heard(await verdictOf()), answer.again_s * 1000);
  };
  heard(found);
}

function nothing(words) {
  document.body.dataset.step = 0;
  $("status").textContent = words;
  for (const element of document.querySelectorAll(".replay .row, .replay .work, .replay .stage")) element.hidden = true;
}

function judge(found, seats) {
  $("verdict-section").hidden = false;
  if (!found.players) {
    $("verdict").textContent = told(found.message, found.error) || t("The program does not answer. Is it running?");
    return;
  }
  const known = { ...found, worst: found.worst.filter(({ game, number }) => stepAt(steps, game, number) > 0) };
  const { parts, show: mark } = verdict(known, seats, { at: (game, number) => stepAt(steps, game, number), last: steps.length - 1, sideOf: (mistake) => mistakeStep(mistake).side, open: (mistake) => go(stepAt(steps, mistake.game, mistake.number), { withBetter: true }) });
  const at = new Map([...known.worst].reverse().map((one) => [mistakeStep(one), one])); // how a game ended has its last action's number, too
  judged = { mistakes: known.worst, at, show: mark };
  $("verdict").replaceChildren(...parts);
  list();
  show(shown, { withBetter: better });
}

$("first").addEventListener("click", () => go(0));
$("back").addEventListener("click", () => go(shown - 1));
$("on").addEventListener("click", () => go(shown + 1));
$("last").addEventListener("click", () => go(steps.length - 1));
$("game-back").addEventListener("click", () => go(Math.max(thisGame(), 0)));
$("game-on").addEventListener("click", () => nextGame() > 0 && go(nextGame()));
$("next-error").addEventListener("click", nextError);
$("play").addEventListener("click", play);
$("flip").setAttribute("aria-pressed", String(flipped));
$("flip").addEventListener("click", () => {
  flipped = !flipped;
  remember("flipped", flipped ? "yes" : "no");
  $("flip").setAttribute("aria-pressed", String(flipped));
  draw();
});
for (const [id, value] of [["as-played", false], ["as-better", true]]) {
  $(id).addEventListener("click", () => go(shown, { withBetter: value }));
}
keepSwipes($("board"), (way) => steps.length && go(shown + way));

for (const button of document.querySelectorAll("[data-share]")) {
  button.addEventListener("click", () => {
    const place = { match: "", game: `#${steps[shown].game}.0`, turn: here() }[button.dataset.share];
    share(reachable(document.body.dataset.address, `replay${location.search}${place}`), document.title, $("shared"));
  });
}
addEventListener("hashchange", () => {
  if (!steps.length || location.hash === here()) return;
  stop();
  open(location.hash.slice(1));
});
addEventListener("keydown", (event) => {
  const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (way && steps.length && event.target.tagName !== "INPUT" && !(event.altKey || event.ctrlKey || event.metaKey)) go(shown + way);
});
begin();
