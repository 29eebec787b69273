// The operator's desk: a turn in two taps, corrections, the match, photos, records.

import { command, get, send } from "./api.js";
import { Board } from "./board.js";
import { html, marker } from "./dom.js";
import { matchWords } from "./players.js";
import { follow } from "./stream.js";
import { actionWords, notice, said, sideName, statusSentence, t } from "./words.js";
import { showRecords } from "./records.js";

const $ = (id) => document.getElementById(id);
const CONNECTION = { live: "Live", connecting: "Connecting", lost: "Connection lost, trying again" };
const board = new Board($("board"));
let view = null;
let side = null; // who threw, where the opening roll has not said it

function tell(answer) {
  $("answer").textContent = answer.ok ? "" : answer.sentence || t("The program does not answer. Is it running?");
  $("answer").classList.toggle("refusal", !answer.ok);
  if (answer.status === 401) location.reload();
  return answer.ok;
}

async function order(value) {
  const done = tell(await command(value));
  if (done) await showLegal();
  return done;
}

/* This turn */

function diceButtons() {
  const rolls = [];
  for (let high = 1; high <= 6; high += 1) for (let low = 1; low <= high; low += 1) rolls.push([high, low]);
  $("dice").append(
    ...rolls.map(([high, low]) => {
      const button = html("button", { type: "button", "data-roll": `${high}${low}` }, `${high}-${low}`);
      button.addEventListener("click", () => order({ type: "roll", dice: [high, low], side: view?.turn ? null : side }));
      return button;
    }),
  );
}

function sideButtons() {
  $("who").append(
    ...["light", "dark"].map((name) => {
      const button = html("button", { type: "button", "data-side": name, "aria-pressed": "false" }, marker(name), ` ${sideName(name)}`);
      button.addEventListener("click", () => {
        side = name;
        for (const other of $("who").children) other.setAttribute("aria-pressed", String(other === button));
      });
      return button;
    }),
  );
}

async function showLegal() {
  const found = await get("api/legal");
  const plays = found.plays ?? [];
  $("legal").replaceChildren(
    ...plays.map((play) => {
      const button = html("button", { type: "button", "data-play": play.notation }, play.notation || t("no legal move"));
      button.addEventListener("click", () => order({ type: "play", after: play.after }));
      return button;
    }),
  );
  $("other").hidden = !found.dice;
  const thrown = found.dice ? [...found.dice].sort().reverse().join("") : "";
  for (const button of $("dice").children) button.setAttribute("aria-pressed", String(button.dataset.roll === thrown));
}

/* Lists */

function words(...parts) {
  return html("span", { class: "words" }, ...parts);
}

function button(label, action, attributes = {}) {
  const made = html("button", { type: "button", ...attributes }, label);
  made.addEventListener("click", action);
  return made;
}

function line(play) {
  const roll = play.dice ? `${play.dice[0]}-${play.dice[1]} ` : "";
  return [`${play.number}. `, marker(play.side), ` ${roll}${actionWords(play.notation)}`];
}

function openCorrection(play) {
  const form = $("correct").querySelector("form");
  form.reset();
  form.turn.value = play.number;
  form.side.value = play.side;
  form.dice.value = play.dice ? `${play.dice[0]}-${play.dice[1]}` : "";
  form.notation.value = play.legal && /\d/.test(play.notation) ? play.notation : "";
  $("correct").returnValue = "";
  $("correct").showModal();
}

function showLists() {
  const doubtful = view.plays.filter((play) => view.doubtful.includes(play.number));
  $("doubts-section").hidden = !doubtful.length;
  $("doubts").replaceChildren(
    ...doubtful.map((play) =>
      html("li", {}, words(...line(play)), button(t("It is right"), () => order({ type: "confirm", turn: play.number })), button(t("Correct"), () => openCorrection(play))),
    ),
  );
  const standing = view.flags.filter((flag) => !flag.resolved);
  $("flags-section").hidden = !standing.length;
  $("flags").replaceChildren(...standing.map(flagLine));
  $("record").replaceChildren(
    ...[...view.plays].reverse().map((play) => html("li", {}, words(...line(play)), button(t("Correct"), () => openCorrection(play), { "aria-label": t("Correct play {number}", { number: play.number }) }))),
  );
}

const ANSWERS = { "put right": "It was put right", condoned: "The opponent condones it", stands: "It stands", corrected: "The referee was wrong" };

function flagLine(flag) {
  const options = flag.options.length ? flag.options : Object.keys(ANSWERS);
  const picture = html("img", { src: `api/flags/${flag.number}/after.jpg`, alt: t("What the camera saw") });
  picture.addEventListener("error", () => picture.remove());
  picture.addEventListener("click", () => {
    $("picture-image").src = picture.src;
    $("picture").showModal();
  });
  return html(
    "li",
    {},
    picture,
    words(said(flag.text, flag.said)),
    ...options.map((how) => button(t(ANSWERS[how] ?? how), () => order({ type: "flag", number: flag.number, how }))),
  );
}

/* The view */

function onView(next) {
  const turned = !view || view.turn !== next.turn || view.phase !== next.phase || String(view.dice) !== String(next.dice) || view.plays.length !== next.plays.length;
  view = next;
  document.body.dataset.sequence = next.sequence;
  board.show(view, view.light_home);
  $("match").textContent = matchWords(view).join(" · ");
  $("status").textContent = view.paused ? t("Paused") : statusSentence(view);
  $("camera").textContent = notice(view);
  $("camera").hidden = !notice(view);
  $("who").hidden = view.turn !== null;
  $("pause").textContent = view.paused ? t("Go on") : t("Pause");
  $("pause").dataset.command = JSON.stringify({ type: view.paused ? "resume" : "pause" });
  if (!$("role").contains(document.activeElement)) $("role").role.value = view.role;
  showLists();
  if (turned) showLegal();
}

function onState(state) {
  $("connection").dataset.state = state;
  $("connection").querySelector(".words").textContent = t(CONNECTION[state]);
}

/* Forms */

function onForm(id, made) {
  const form = $(id);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if ((await order(made(form))) && id !== "role") form.reset();
  });
}

function rollOf(text) {
  const dice = text.match(/[1-6]/g)?.map(Number);
  return dice?.length === 2 ? dice : null;
}

onForm("other", (form) => ({ type: "play", notation: form.notation.value, stands: form.stands.checked }));
onForm("resign", (form) => ({ type: "resign", side: form.side.value, level: Number(form.level.value) }));
onForm("cube", (form) => ({ type: "cube", value: Number(form.value.value), owner: form.owner.value || null }));
onForm("score", (form) => ({ type: "score", light: Number(form.light.value), dark: Number(form.dark.value) }));
onForm("role", (form) => ({ type: "role", role: form.role.value }));
onForm("position", (form) => {
  const id = form.id.value.trim();
  return id.includes(":") ? { type: "position", xgid: id } : { type: "position", position: id };
});
onForm("new-match", (form) => ({
  type: "match",
  length: Number(form.length.value),
  light: form.light.value.trim(),
  dark: form.dark.value.trim(),
  event: form.event.value.trim(),
  place: form.place.value.trim(),
  round: form.round.value.trim(),
  xgid: form.xgid.value.trim() || null,
}));

$("correct").addEventListener("close", () => {
  const form = $("correct").querySelector("form");
  const what = $("correct").returnValue;
  if (!what) return;
  const dice = rollOf(form.dice.value);
  const value = { type: what, turn: Number(form.turn.value), dice, stands: form.stands.checked };
  if (form.notation.value.trim() || what === "insert") value.notation = form.notation.value.trim();
  if (what === "insert") value.side = form.side.value;
  order(value);
});

document.addEventListener("click", async (event) => {
  const pressed = event.target.closest("button[data-command], button[data-test]");
  if (!pressed) return;
  if (pressed.dataset.command) await order(JSON.parse(pressed.dataset.command));
  else tell(await send(`api/test/${pressed.dataset.test}`));
});

$("leave").addEventListener("click", async () => {
  await send("desk/leave");
  location.assign("./");
});

$("photo").addEventListener("change", async () => {
  const file = $("photo").files[0];
  if (!file) return;
  $("photo-answer").textContent = t("Reading the photo");
  const answer = await send("api/photo", file);
  $("photo-answer").textContent = answer.ok ? answer.xgid : answer.sentence;
  $("photo-notes").replaceChildren(...(answer.notes ?? []).map((note) => html("li", {}, note)));
});

$("address").textContent = new URL("./", location.href).href;
$("records").addEventListener("toggle", () => $("records").open && showRecords($("matches"), $("analysis")));
diceButtons();
sideButtons();
follow(onView, onState);
