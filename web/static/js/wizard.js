// The set-up, step by step: where it stands is kept by the server, so that it can be left and gone on with on any phone.

import { command, get, send } from "./api.js";
import { Board } from "./board.js";
import { Cameras } from "./cameras.js";
import { keepConnection } from "./connection.js";
import { Corners } from "./corners.js";
import { html, unseen } from "./dom.js";
import { drawPanel, runLamps, showButtons } from "./lamps.js";
import { MatchStep } from "./matchstep.js";
import { single } from "./once.js";
import { otherSide, showWays } from "./overlook.js";
import { ReadyStep } from "./readystep.js";
import { follow } from "./stream.js";
import { Checking, Practice } from "./trying.js";
import { refusalWords, t, told } from "./words.js";

const $ = (id) => document.getElementById(id);
const POLL_MS = 1000;
const ME = Math.random().toString(36).slice(2); // this page, among others on which the set-up may be open
const TITLES = {
  language: "Language",
  pin: "PIN",
  picture: "Camera",
  corners: "Corners",
  direction: "Direction",
  game: "The game",
  position: "Checkers and dice",
  lamps: "Lamps and buttons",
  practice: "Practice roll",
  ready: "Ready",
};

const corners = new Corners({ picture: $("taken"), loupe: $("loupe"), weak: $("weak"), found: $("corners-found") });
const board = new Board($("board"));
const checking = new Checking({ picture: $("seen"), checkers: $("checkers-read"), differences: $("differences"), dice: $("dice-read") }, board);
const practice = new Practice($("tried"), board);
const cameras = new Cameras({ section: $("cameras"), list: $("camera-list") }, (answer) => {
  if (tell(answer)) state = answer;
  corners.forget(); // those are in the other one's picture
  showPicture();
});
const match = new MatchStep({ form: $("new-match"), role: $("role"), lead: $("game-lead") }, () => may(match.holds));
const ready = new ReadyStep({ lead: $("ready-lead"), weak: $("ready-weak"), summary: $("summary") }, TITLES);
let state = null;
let step = null;
let holds = false; // what this step is for has been seen, so that it may be called done
let home = null;
let view = null;
let matchView = null; // the last view that was none of a practice game
let asked = 0; // how often the server was told where we are
let answered = 0; // the latest of those that it has answered

function picture() {
  return `api/camera.jpg?${Date.now()}`;
}

function tell(answer) {
  $("answer").textContent = answer.ok ? "" : refusalWords(answer) || t("The program does not answer. Is it running?");
  $("answer").classList.toggle("refusal", !answer.ok);
  if (answer.status === 401) location.reload();
  return answer.ok;
}

/** Says to the server where we are; the answer is the state. An answer that a later one has overtaken is older than what is shown. */
async function here(more = {}) {
  const number = ++asked;
  const answer = await send("api/setup/at", JSON.stringify({ step, by: ME, ...more }));
  if (number < answered) return answer.ok;
  answered = number;
  if (tell(answer)) state = answer;
  $("elsewhere").hidden = state.by === ME;
  return answer.ok;
}

function may(done) {
  holds = done;
  const last = step === "ready";
  $("next").hidden = last;
  $("next").textContent = holds ? t("Next") : t("Skip");
  $("next").classList.toggle("main", holds);
}

/* Each step: enter() when it is opened, tick() every second while it is, leave() before the next; false stays. */

const nothing = () => true;
const STEPS = {
  language: { enter: () => may(true) },
  pin: { enter: () => may(true) },
  picture: { enter: () => may(state.picture), tick: showPicture },
  corners: { enter: enterCorners, tick: () => corners.text || enterCorners(), leave: saveCorners },
  direction: { enter: enterDirection, tick: () => holds || enterDirection(), leave: () => saveTable(placeText(), home) },
  game: { enter: enterMatch, tick: enterMatch, leave: async () => tell(await match.save()) },
  position: { enter: () => takeBoard("position"), tick: check },
  lamps: { enter: enterLamps, tick: showPressed },
  practice: { enter: () => takeBoard("practice"), tick: () => view && state.waits && may(practice.show(view)) },
  ready: { enter: () => may(true), tick: () => ready.show(state) },
};

function enterMatch() {
  if (matchView) match.show(matchView, state.under_way);
  may(Boolean(matchView) && match.holds);
}

function showPicture() {
  cameras.show();
  $("trouble").textContent = state.camera === "ok" ? "" : told(state.camera_message, state.camera); // also where the board can't be found in it
  $("no-picture").hidden = state.picture;
  $("live").hidden = !state.picture;
  if (state.picture) $("live").src = picture();
  may(state.picture);
}

async function enterCorners() {
  may(state.picture);
  if ($("look").disabled) return; // it is being sought
  if (state.done.corners === "done" && state.place) corners.show(state.place);
  else if (state.picture) await look();
  else $("corners-found").textContent = t("There is no picture.");
}

async function look() {
  $("look").disabled = true;
  $("corners-found").textContent = t("The board is being sought.");
  await corners.look();
  $("look").disabled = false;
}

async function saveTable(text, side) {
  if (!state.picture || !text) return true;
  return tell(await command({ type: "table", corners: text, home: side }));
}

async function saveCorners() {
  const side = corners.home ?? state.place?.home ?? "bottom-right";
  corners.home = null;
  return saveTable(corners.text, side);
}

function placeText() {
  return state.place?.corners.map((corner) => corner.map(Math.round)).join(" ");
}

function enterDirection() {
  may(Boolean(state.place));
  if (!state.place) return;
  home = state.place.home;
  turn(home);
}

function directionWords(corner) {
  const [row, side] = corner.split("-");
  if (row === "bottom") return side === "right" ? t("White sits at the bottom of the picture and bears off at the right.") : t("White sits at the bottom of the picture and bears off at the left.");
  return side === "right" ? t("White sits at the top of the picture and bears off at the right.") : t("White sits at the top of the picture and bears off at the left.");
}

function turn(to) {
  if (!state.place) return;
  home = to;
  $("direction-words").textContent = directionWords(home);
  showWays($("ways"), state.place, home, picture(), turn);
  document.querySelector(`#direction [value="${home}"]`).checked = true;
}

/** The board is drawn once, and goes where it is needed. */
function takeBoard(name) {
  $("silent").hidden = matchView?.role !== "recorder";
  document.querySelector(`#${name} .pair`).append($("stage"));
  may(false);
}

async function check() {
  const seen = await get("api/setup/seen");
  if (step !== "position") return;
  const turned = home && state.place && state.place.home !== home;
  $("turned").textContent = turned ? t("The checkers stand otherwise than you said, and the program goes by them: {words}", { words: directionWords(state.place.home) }) : "";
  if (seen?.points && state.place) may(checking.show(state.place, seen, picture()));
  else checking.wait();
}

function enterLamps() {
  const { panel } = state;
  const none = !panel.groups.length;
  for (const id of ["lamp-panel", "run-lamps", "buttons", "buttons-title", "panel-status", "lit"]) $(id).toggleAttribute("hidden", none); // a drawing has no property of that name
  $("lamps-lead").textContent = none
    ? t("No panel is connected: the page shows whose turn it is instead. To connect one, see docs/hardware.md.")
    : t("The lamps light one after another, here and on the panel. Do they agree?");
  $("panel-status").textContent = panel.kind === "virtual" ? "" : told(panel.message, panel.status);
  drawPanel($("lamp-panel"), panel.groups);
  may(none);
  showPressed();
}

function showPressed() {
  const { panel } = state;
  if (!panel.groups.length) return;
  showButtons($("buttons"), panel.pressed, panel.kind === "virtual" ? (name) => send(`api/setup/press/${name}`) : null);
}

async function lightAll() {
  $("run-lamps").disabled = true;
  const done = await runLamps({ panel: $("lamp-panel"), said: $("lit") }, state.panel.groups, (group) => send(`api/setup/lamps/${group}`));
  $("run-lamps").disabled = false;
  if (!tell(done)) return;
  $("lit").textContent = t("That was all. A lamp that stayed dark: see its wiring in docs/hardware.md.");
  may(true);
}

/* Going from step to step */

function showProgress() {
  const number = state.steps.indexOf(step) + 1;
  $("count").textContent = t("Step {number} of {all}", { number, all: state.steps.length });
  $("progress").replaceChildren(
    ...state.steps.map((name, index) => {
      const how = state.done[name];
      const done = how === "done" && name !== step;
      const words = [unseen(done ? `${t("looked at")}: ` : ""), done ? "✓" : `${index + 1}`, unseen(` ${t(TITLES[name])}`)];
      return html("li", {}, html("a", { href: `#${name}`, class: how ?? "open", title: t(TITLES[name]), "aria-current": name === step ? "step" : null }, ...words));
    }),
  );
}

async function open(name, more = {}) {
  step = name;
  for (const section of document.querySelectorAll(".step")) section.hidden = section.id !== name;
  $("back").disabled = state.steps.indexOf(name) <= 0;
  may(false);
  await here(more);
  if (step !== name) return;
  showProgress();
  $("waits").hidden = !(state.waits && state.under_way);
  document.body.dataset.step = name;
  window.scrollTo(0, 0);
  $(name).focus({ preventScroll: true });
  await STEPS[name].enter();
  STEPS[name].tick?.();
}

/** Leaves the step for another; whoever goes on keeps what was shown at it. Answers whether it was left. */
async function move(to) {
  const now = step;
  if (!state.steps.includes(to) || to === now || $("next").disabled) return false;
  const on = state.steps.indexOf(to) > state.steps.indexOf(now);
  $("next").disabled = true;
  const stays = on && !(await (STEPS[now].leave ?? nothing)());
  $("next").disabled = false;
  if (stays || step !== now) return false;
  const more = on ? { before: now, how: holds ? "done" : "skipped" } : {};
  history.pushState(null, "", `#${to}`);
  open(to, more);
  return true;
}

/** To the next step, or by -1 to the one before. begins: the match is to begin, whatever was entered. */
const walk = single(
  (by, begins = false) => {
    if (begins) match.touched = true;
    return move(state.steps[state.steps.indexOf(step) + by]);
  },
  { about: (by) => by },
);

async function tick() {
  if (document.visibilityState === "visible" && step && (await here({ still: true })) && state.by === ME) {
    $("waits").hidden = !(state.waits && state.under_way);
    STEPS[step]?.tick?.();
  }
  setTimeout(tick, POLL_MS);
}

$("back").addEventListener("click", () => walk(-1));
$("next").addEventListener("click", () => walk(1));
$("progress").addEventListener("click", (event) => {
  const link = event.target.closest("a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return; // it is opened beside this page
  event.preventDefault();
  move(link.hash.slice(1));
});
$("look").addEventListener("click", look);
$("turn").addEventListener("click", () => turn(otherSide(home)));
$("run-lamps").addEventListener("click", lightAll);
$("new-match").addEventListener("submit", (event) => {
  event.preventDefault();
  walk(1, true);
});
$("again").addEventListener("click", () => here({ anew: true }));
document.querySelector(".quarters").addEventListener("change", (event) => turn(event.target.value));
window.addEventListener("popstate", () => state.steps.includes(location.hash.slice(1)) && open(location.hash.slice(1)));

$("leave").addEventListener("click", async (event) => {
  event.preventDefault();
  const leads = state?.by === ME; // else the set-up goes on elsewhere, and the match still waits for it
  step = null; // from now on nobody is at any: the match would wait once more
  if (leads) await send("api/setup/leave");
  location.assign("desk");
});
// A browser that has kept the page as it was left shows it again when somebody goes back.
window.addEventListener("pageshow", (event) => event.persisted && step === null && location.reload());

$("new-pin").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target;
  const answer = await send("api/setup/pin", JSON.stringify({ now: form.now.value, new: form.new.value.replaceAll(" ", "") }));
  $("pin-answer").textContent = answer.ok ? t("The new PIN holds from now on. Everybody else is signed out.") : refusalWords(answer) || t("The program does not answer. Is it running?");
  $("pin-answer").classList.toggle("bad", !answer.ok);
  if (answer.ok) form.reset();
});

async function begin() {
  state = await get("api/setup");
  if (!state.steps) {
    tell({ ok: false, sentence: state.error, message: state.message });
    return;
  }
  const wanted = location.hash.slice(1);
  const first = state.steps.includes(wanted) ? wanted : state.step;
  history.replaceState(null, "", `#${first}`);
  // Whoever comes from choosing a language has done that step.
  await open(first, wanted === "pin" ? { before: "language", how: "done" } : {});
  tick();
}

follow(
  (next) => {
    view = next;
    if (!next.practice) matchView = next;
    document.body.dataset.sequence = next.sequence;
    if (step === "practice") STEPS.practice.tick();
  },
  keepConnection($("connection")),
);
begin();
