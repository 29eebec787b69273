// The operator's desk: a turn in two taps, corrections, the match, photos, records.

import { tell } from "./answer.js";
import { ask } from "./ask.js";
import { command, get, send } from "./api.js";
import { Board } from "./board.js";
import { showChouette } from "./chouette.js";
import { html, marker, pictured } from "./dom.js";
import { keepClocks } from "./clock.js";
import { keepConnection } from "./connection.js";
import { fill } from "./fields.js";
import { missedBy } from "./missed.js";
import { moment, once, single, spaced } from "./once.js";
import { matchWords, showPlayer } from "./players.js";
import { asInThisMatch, keepNewMatch, newMatch } from "./newmatch.js";
import { follow } from "./stream.js";
import { Tapping } from "./tapping.js";
import { thumbnail } from "./thumbnails.js";
import { actionWords, flagSentence, flagSource, minus, notice, namesOf, refusalWords, sideName, statusSentence, t, tn, told } from "./words.js";
import { showRecords } from "./records.js";

const $ = (id) => document.getElementById(id);
const PHOTO_MS = 120000; // for a photo to go up, on a slow network, and to be read
const LEGAL_MS = 2000; // for what may be played next; it may come later still, and what was ordered is done
const ROLL_KEYS_MS = 1500; // the second digit of a roll must follow the first within this
const board = new Board($("board"));
const clocks = keepClocks();
const tapping = new Tapping(board, { play: (after) => play({ after }, $("board")), changed: draw });
let view = null;
let side = null; // who threw, where the opening roll has not said it
let editing = null; // the earlier turn that is being put right: {number, side, dice, plays, game}; game: null for the present one

// near: the element from which it is ordered; a refusal is shown there.
async function order(value, near) {
  const answer = await command(value);
  if (answer.asks) return (await ask(refusalWords(answer), t("Correct it"))) && order({ ...value, sure: true }, near);
  const done = tell(answer, near);
  if (done) await Promise.race([showLegal(), moment(LEGAL_MS)]);
  return done;
}

/* This turn */

$("dice").addEventListener("click", (event) => {
  const thrown = event.target.closest("[data-roll]")?.dataset.roll;
  if (thrown) roll(Number(thrown[0]), Number(thrown[1]));
});

function roll(high, low) {
  if (editing) {
    editing.dice = [high, low];
    return showLegal();
  }
  return order({ type: "roll", dice: [high, low], side: view?.turn ? null : side }, $("dice"));
}

// Two digits are a roll, wherever nothing is being written.
let digit = null;
document.addEventListener("keydown", (event) => {
  if (!/^[1-6]$/.test(event.key) || event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, select, textarea, dialog")) return;
  const [first, value] = [digit, Number(event.key)];
  digit = first ? null : value;
  if (first) roll(Math.max(first, value), Math.min(first, value));
  else setTimeout(() => { digit = null; }, ROLL_KEYS_MS);
});

function sideButtons() {
  $("who").append(
    ...["light", "dark"].map((name) => {
      const button = html("button", { type: "button", "data-side": name, "aria-pressed": "false" }, marker(name), " ", html("span", { "data-name-of": name }, sideName(name)));
      button.addEventListener("click", () => {
        side = name;
        for (const other of $("who").children) other.setAttribute("aria-pressed", String(other === button));
        if (view.agrees && ["opening", "game over"].includes(view.phase)) order({ type: "begins", side: name }, button);
      });
      return button;
    }),
  );
}

let offered = ""; // the turn whose plays can be tapped: the next one's come later than it is shown

// One that is put right stays the same while the game goes on.
const turnNow = () => [view?.match_id, ...(editing ? ["line", editing.game, editing.number] : [view?.game, view?.plays.length])].join();

/** What was played in this turn, or in the one that is being put right. how: {after} or {notation, stands}. */
function play(how, near) {
  return !(how.after && turnNow() !== offered) && playOnce(how, near);
}

const playOnce = single(played, { about: turnNow });

async function played(how, near) {
  if (!editing) return order({ type: "play", ...how }, near);
  const corrected = editing;
  const { number, game, dice } = corrected;
  const done = await order({ type: "correct", turn: number, game, dice, ...how }, near);
  if (done && editing === corrected) edit(null);
  return done;
}

/** Begins to put an earlier turn right, or ends that (null). before: the earlier game that it was played in. */
function edit(turn, before = null) {
  const plays = before?.plays ?? view.plays;
  editing = turn && { number: turn.number, side: turn.side, dice: [...turn.dice].sort().reverse(), plays, game: before?.number ?? null, name: before ? before[turn.side] : view[turn.side].name };
  if (!turn && $("earlier").open) showEarlier();
  if (!turn) $("insert").close(); // it asks about a turn that is put right no longer
  $("other").reset();
  draw();
  showLegal();
  if (editing) document.querySelector(".table").scrollIntoView({ block: "start" });
}

let asked = 0;

async function showLegal() {
  asked += 1;
  const [question, turn] = [asked, turnNow()];
  const found = await get(editing ? `api/legal?line=${editing.number}&dice=${editing.dice.join("")}${editing.game ? `&game=${editing.game}` : ""}` : "api/legal");
  if (question !== asked) return; // a newer answer is on its way
  offered = turn;
  const plays = found.plays ?? [];
  tapping.take(found, editing !== null);
  draw();
  $("legal").replaceChildren(
    ...plays.map((one) => {
      const button = html("button", { type: "button", "data-play": one.notation }, one.notation ? actionWords(one.notation) : t("no legal move"));
      button.addEventListener("click", () => play({ after: one.after }, $("legal")));
      return button;
    }),
  );
  $("other").hidden = !found.dice;
  const thrown = found.dice ? [...found.dice].sort().reverse().join("") : "";
  for (const button of $("dice").children) button.setAttribute("aria-pressed", String(button.dataset.roll === thrown));
  delete document.body.dataset.waits; // what is there now moves no more
}

/* Lists */

function words(...parts) {
  return html("span", { class: "words" }, ...parts);
}

function button(label, action, attributes = {}) {
  const made = html("button", { type: "button", ...attributes }, label);
  made.addEventListener("click", () => action(made));
  return made;
}

const answer = spaced(order); // to what the lines of lists ask
const stake = single(order, { about: ({ player }) => player }); // what else the same player may do comes to lie under the finger

function line(play) {
  const roll = play.dice ? `${play.dice[0]}-${play.dice[1]} ` : "";
  return [`${play.number}. `, play.side ? marker(play.side) : "", ` ${roll}${actionWords(play.notation)}`];
}

function recordLine(play, before = null) {
  const mark = before || play.mark === null ? "" : markChoice(play);
  if (!play.dice) return html("li", {}, words(...line(play)), mark);
  const name = { "data-line": play.number, "aria-label": t("Correct play {number}", { number: play.number }) };
  return html("li", {}, words(...line(play)), play.corrected ? html("span", { class: "chip" }, t("Corrected")) : "", mark, button(t("Correct"), () => edit(play, before), name));
}

/** The games of the match before this one, each with its plays. */
async function showEarlier() {
  const found = await get("api/games");
  const open = new Set([...$("games").children].filter((one) => one.open).map((one) => one.dataset.game));
  if (!Array.isArray(found)) return;
  const games = found.map((game) => ({ ...game, ...namesOf(game) }));
  $("games").replaceChildren(
    ...games.map((game) => {
      const title = [t("Game {number}", { number: game.number }), `${game.light} ${minus(game.score[0])} : ${minus(game.score[1])} ${game.dark}`];
      if (game.winner) title.push(`${game[game.winner]} +${game.points}`);
      const one = html("details", { "data-game": game.number }, html("summary", {}, title.join(" · ")), html("ol", { class: "record" }, ...game.plays.map((play) => recordLine(play, game))));
      one.open = open.has(String(game.number));
      return one;
    }),
  );
}

function openInsertion() {
  const form = $("insert").querySelector("form");
  form.reset();
  form.turn.value = editing.number;
  form.side.value = missedBy(editing.plays[editing.number - 2], editing);
  $("insert").showModal();
}

/** What somebody thinks of a play, as in chess. */
function markChoice(play) {
  const names = { "": t("No mark"), "!": t("Strong"), "!!": t("Very strong"), "!?": t("Interesting"), "?!": t("Doubtful"), "?": t("Mistake"), "??": t("Blunder") };
  const choice = html(
    "select",
    { class: "mark", "aria-label": t("What you think of play {number}", { number: play.number }) },
    ...Object.entries(names).map(([mark, name]) => html("option", { value: mark, ...(mark === play.mark ? { selected: "" } : {}) }, `${mark || "–"}\u2003\u2003${name}`)),
  );
  choice.addEventListener("change", () => order({ type: "mark", turn: play.number, mark: choice.value }, choice));
  return choice;
}

let listed = "";

// Only when something in them has changed: a finger, or an answer, may just be on one.
function showLists() {
  const now = JSON.stringify([view.match_id, view.game, view.plays, view.doubtful, view.flags]);
  if (now === listed) return;
  listed = now;
  const doubtful = view.plays.filter((play) => view.doubtful.includes(play.number));
  $("doubts-section").hidden = !doubtful.length;
  $("doubts-title").textContent = tn("{n} turn was read with doubt", "{n} turns were read with doubt", doubtful.length);
  $("doubts").replaceChildren(
    ...doubtful.map((play) =>
      html("li", {}, thumbnail(`api/turns/${play.number}`, pictured(view.match_id, view.game, play.notation)), words(...line(play)), html("div", { class: "answers" }, button(t("It is right"), (near) => answer({ type: "confirm", turn: play.number }, near)), button(t("Correct"), () => edit(play)))),
    ),
  );
  const standing = view.flags.filter((flag) => !flag.resolved);
  $("flags-section").hidden = !standing.length;
  $("flags").replaceChildren(...standing.map(flagLine));
  $("record").replaceChildren(
    ...[...view.plays].reverse().map((play) => recordLine(play)),
  );
}

const ANSWERS = { "put right": "It was put right", condoned: "The opponent condones it", stands: "It stands", corrected: "The referee was wrong" };

function flagLine(flag) {
  const options = flag.options.length ? flag.options : Object.keys(ANSWERS);
  return html(
    "li",
    {},
    thumbnail(`api/flags/${flag.number}`, pictured(view.match_id, flag.turn, flag.code)),
    words(flagSentence(flag, view), flagSource(flag)),
    html("div", { class: "answers" }, ...options.map((how) => button(t(ANSWERS[how] ?? how), (near) => answer({ type: "flag", number: flag.number, how }, near)))),
  );
}

/* The board */

function draw() {
  if (!view) return;
  const at = asIfAt(view);
  board.show(tapping.shown(at), view.light_home);
  tapping.draw(at);
  const last = view.plays.findLast((one) => one.dice);
  $("edit-last").hidden = editing !== null || tapping.moved || !last;
  $("edit-end").hidden = $("edit-insert").hidden = editing === null;
  $("status").textContent = editing ? correctingWords() : view.paused ? t("Paused") : statusSentence(view);
  $("turn-title").textContent = editing ? t("Turn {number}", { number: editing.number }) : t("This turn");
  const over = view.phase === "match over" && !editing;
  $("who").hidden = over || view.turn !== null;
  $("dice").hidden = over;
  $("tap-again").hidden = !tapping.moved;
  $("tap-end").hidden = !tapping.mayEnd;
  $("tap-hint").textContent = tapping.hint;
}

function correctingWords() {
  const { number, game, name } = editing;
  return game ? t("Correcting game {game}, turn {number}: {name}", { game, number, name }) : t("Correcting turn {number}: {name}", { number, name });
}

/** The view as of the turn that is being put right. */
function asIfAt(now) {
  if (!editing) return now;
  const plays = editing.game ? editing.plays : now.plays;
  return { ...now, turn: editing.side, phase: "to play", dice: editing.dice, plays: plays.slice(0, editing.number - 1), flags: [] };
}

$("edit-last").addEventListener("click", () => edit(view.plays.findLast((one) => one.dice)));
$("edit-end").addEventListener("click", () => edit(null));
$("edit-insert").addEventListener("click", openInsertion);
$("tap-again").addEventListener("click", () => {
  tapping.again();
  draw();
});
$("tap-end").addEventListener("click", () => tapping.end());

/* The view */

function showPlayers(age) {
  const below = view.light_home.startsWith("bottom") ? "light" : "dark";
  showPlayer($("player-bottom"), view, below);
  showPlayer($("player-top"), view, below === "light" ? "dark" : "light");
  clocks(view, age);
}

function onView(next, age) {
  const turned = !view || view.turn !== next.turn || view.phase !== next.phase || String(view.dice) !== String(next.dice) || view.plays.length !== next.plays.length;
  const other = view?.match_id !== next.match_id;
  if (other) asInThisMatch($("new-match"), next);
  const begun = other || view.game !== next.game;
  if (begun && $("earlier").open) $("earlier").open = false; // it is asked for anew
  view = next;
  document.body.dataset.sequence = next.sequence;
  if (editing && (other || (!editing.game && (begun || view.plays[editing.number - 1]?.side !== editing.side)))) edit(null);
  draw();
  showPlayers(age);
  $("match").textContent = matchWords(view).join(" · ");
  $("camera").textContent = notice(view);
  $("camera").hidden = !notice(view);
  $("earlier").hidden = view.game < 2;
  showChouette($("chouette"), view, stake);
  showPlanned();
  $("clock-section").hidden = view.match_length === 0;
  $("hits").hidden = view.clock === null;
  for (const button of document.querySelectorAll("[data-when]")) button.disabled = button.dataset.when !== view.phase;
  for (const button of document.querySelectorAll("[data-answer]")) {
    const may = view.answers.includes(button.dataset.answer);
    button.disabled = !may;
    if (["beaver", "raccoon"].includes(button.dataset.answer)) button.hidden = !may;
  }
  $("resignation").hidden = !view.resigning;
  $("draw").hidden = !view.draws;
  $("colours").hidden = !view.colours;
  $("pause").textContent = view.paused ? t("Go on") : t("Pause");
  $("pause").dataset.command = JSON.stringify({ type: view.paused ? "resume" : "pause" });
  fillForms();
  showLists();
  if (turned) showLegal();
}

/** What a tournament has for this board, while something else is being played. */
function showPlanned() {
  const { planned } = view;
  $("planned").hidden = !planned;
  if (planned) $("planned-words").textContent = [t("Next at this board: {light} – {dark}, to {n}", { ...planned, n: planned.length }), planned.event, planned.round].filter(Boolean).join(" · ");
}

/* Forms */

function fillForms() {
  const { light, dark, cube } = view;
  // Who plays the next match is not known yet: its sides are called by their colours.
  for (const option of document.querySelectorAll('form:not(#new-match) :is(option[value="light"], option[value="dark"])')) option.textContent = view[option.value].name;
  for (const label of document.querySelectorAll("[data-name-of]")) label.textContent = view[label.dataset.nameOf].name;
  const known = (player, name) => (player.name === sideName(name) ? "" : player.name);
  fill("role", { role: view.role });
  fill("names", { light: known(light, "light"), dark: known(dark, "dark") });
  offerCubes(cube.value);
  fill("cube", { value: cube.value, owner: cube.owner ?? "" });
  fill("score", { light: light.score, dark: dark.score });
  fill("resign", { side: view.turn ?? "light" });
  fill("new-match", { light: known(light, "light"), dark: known(dark, "dark"), length: view.match_length });
}

/** Beyond 64, where the rules know no end: up to twice what the cube shows. */
function offerCubes(shown) {
  const choice = $("cube").elements.namedItem("value");
  for (let value = 2 * Number(choice.options[choice.length - 1].value); value <= 2 * shown; value *= 2) choice.append(html("option", {}, String(value)));
}

function isOn() {
  const scored = [view?.light.score, view?.dark.score].some(Boolean); // in a chouette less than 0 too
  return view !== null && view.phase !== "match over" && (view.game > 1 || view.plays.length > 0 || scored || view.phase === "to play");
}

const QUESTIONS = {
  "new-match": () => isOn() && [t("A match is on: {light} {light_score} : {dark_score} {dark}. It ends where it stands, and stays among the records.", { light: view.light.name, light_score: minus(view.light.score), dark_score: minus(view.dark.score), dark: view.dark.name }), t("Begin the match")],
  score: (form) => view.match_length > 0 && Math.max(form.light.value, form.dark.value) >= view.match_length && [t("With this score the match is over."), t("Correct the score")],
};

/** Whether a form, or what stands for one, may be sent: where it is seldom meant somebody is asked. */
async function meant(id, form) {
  const question = QUESTIONS[id]?.(form);
  return !question || ask(...question);
}

function onForm(id, made) {
  const form = $(id);
  const sends = async () => {
    if (!(await order(made(form), form))) return false;
    form.reset();
    document.activeElement.blur();
    fillForms();
    return true;
  };
  form.addEventListener("submit", once(sends, () => meant(id, form)));
}

function rollOf(text) {
  const dice = text.match(/[1-6]/g)?.map(Number);
  return dice?.length === 2 ? dice : null;
}

$("other").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target;
  if (await play({ notation: form.notation.value, stands: form.stands.checked }, form)) form.reset();
});
onForm("draw", (form) => ({ type: "draw", light: Number(form.light.value), dark: Number(form.dark.value) }));
onForm("resign", (form) => ({ type: "resign-offer", side: form.side.value, level: Number(form.level.value) }));
onForm("cube", (form) => ({ type: "cube", value: Number(form.value.value), owner: form.owner.value || null }));
onForm("score", (form) => ({ type: "score", light: Number(form.light.value), dark: Number(form.dark.value) }));
onForm("names", (form) => ({ type: "names", light: form.light.value.trim(), dark: form.dark.value.trim() }));
onForm("role", (form) => ({ type: "role", role: form.role.value }));
onForm("position", (form) => {
  const id = form.id.value.trim();
  return id.includes(":") ? { type: "position", xgid: id } : { type: "position", position: id };
});
onForm("new-match", newMatch);
keepNewMatch($("new-match"));

let planned = null; // what was asked about: another may be planned before somebody answers

$("planned-begin").addEventListener(
  "click",
  once(
    (event) => order({ type: "match", ...planned, rules: planned.rules || null }, event.target),
    () => {
      ({ planned } = view);
      return meant("new-match");
    },
  ),
);

const insert = once(async (event) => {
  const form = event.target;
  const value = { type: "insert", turn: Number(form.turn.value), game: editing.game, side: form.side.value, dice: rollOf(form.dice.value), notation: form.notation.value.trim(), stands: form.stands.checked };
  const done = await order(value, form);
  if (done) edit(null);
  return done;
});
$("insert").querySelector("form").addEventListener("submit", (event) => event.submitter?.value && insert(event)); // else it closes the dialog

for (const pressed of document.querySelectorAll("button[data-command]")) pressed.addEventListener("click", once(() => order(JSON.parse(pressed.dataset.command), pressed)));
for (const pressed of document.querySelectorAll("button[data-test]")) pressed.addEventListener("click", async () => tell(await send(`api/test/${pressed.dataset.test}`), pressed));

$("leave").addEventListener("click", async (event) => {
  if (tell(await send("desk/leave"), event.target)) location.assign("./");
});

$("photo").addEventListener("change", async () => {
  const file = $("photo").files[0];
  if (!file) return;
  $("photo-answer").textContent = t("Reading the photo");
  const answer = await send("api/photo", file, PHOTO_MS);
  $("photo").value = ""; // or the same one can't be chosen again
  $("photo-answer").textContent = answer.ok ? answer.xgid : refusalWords(answer) || t("The program does not answer. Is it running?");
  $("photo-notes").replaceChildren(...(answer.messages ?? []).map((note) => html("li", {}, told(note))));
});

$("earlier").addEventListener("toggle", () => $("earlier").open && showEarlier());
$("records").addEventListener("toggle", () => $("records").open && showRecords($("matches"), $("analysis")));
sideButtons();
follow(onView, keepConnection($("connection")));
