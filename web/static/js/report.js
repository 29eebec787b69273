// A recorded match looked over: what is in doubt first. One press says what was played instead; the record is written anew.

import { tell } from "./answer.js";
import { ask } from "./ask.js";
import { command, get } from "./api.js";
import { Board } from "./board.js";
import { html, marker } from "./dom.js";
import { missedBy } from "./missed.js";
import { once, single, spaced } from "./once.js";
import { decode } from "./positionid.js";
import { Tapping } from "./tapping.js";
import { actionWords, decimal, refusalWords, said, sideName, t, tn, told } from "./words.js";

const $ = (id) => document.getElementById(id);
const EMPTY = { own: Array(25).fill(0), other: Array(25).fill(0) };
let match = new URLSearchParams(location.search).get("match"); // null: the one that is on, until its name is known, or the only one
const named = () => (match ? `match=${encodeURIComponent(match)}` : "");
const board = new Board($("board"));
const tapping = new Tapping(board, { play: (after) => correct({ after }, $("board")), changed: draw });
let report = null;
let chosen = null; // the line on the board
let editing = null; // how it is put right: {dice}; null while it is only looked at

const sum = (counts) => counts.reduce((a, b) => a + b, 0);
const same = (one, other) => one && other && one.game === other.game && one.line === other.line;
const playerName = (side, game) => {
  const name = (report.seated[game] ?? report.players)[side === "light" ? 0 : 1];
  return name === "Light" || name === "Dark" ? sideName(side) : name;
};

function clock(seconds) {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/* What is asked and ordered */

async function load() {
  const found = await get(`api/report?${named()}`);
  if (!found?.lines) {
    const none = match ? t("There is no such match here.") : t("Nothing has been played yet.");
    $("written").textContent = found === null ? none : told(found.message, found.error) || t("The program does not answer. Is it running?");
    return;
  }
  report = found;
  match = found.match || match; // it is this one that is looked over, whatever is begun meanwhile
  const kept = chosen && report.lines.find((line) => same(line, chosen));
  chosen = kept ?? report.lines.find((line) => line.doubt) ?? report.lines[0] ?? null;
  show();
}

async function order(value, near) {
  const corrected = editing;
  const answer = await command(value, match);
  if (answer.asks) return (await ask(refusalWords(answer), t("Correct it"))) && order({ ...value, sure: true }, near);
  const done = tell(answer, near);
  if (done) {
    if (editing === corrected) editing = null; // otherwise the next turn is being put right already
    await load();
  }
  return done;
}

const correctOnce = single(
  (how, near) => order({ type: "correct", game: chosen.game, turn: chosen.line, dice: editing.dice, ...how }, near),
  { about: () => editing },
);

/** What was played at the line that is being put right. how: {after} or {notation, stands}. */
function correct(how, near) {
  return editing !== null && correctOnce(how, near);
}

/* The board */

/** What stood after a line: with the cube, and by who could not roll, nothing is moved. */
function stoodAfter(line) {
  const moved = report.lines.filter((one) => one.game === line.game && one.line <= line.line && one.after);
  return moved.reduce((last, one) => (last && last.line > one.line ? last : one), null)?.after;
}

function onBoard() {
  const stood = editing ? chosen.before : chosen && (chosen.after ?? stoodAfter(chosen));
  const { own: light, other: dark } = stood ? decode(stood) : EMPTY;
  const player = (side, counts) => ({ name: playerName(side, chosen?.game), bar: counts[24], off: Math.max(0, report.checkers - sum(counts)) });
  return {
    points: Array.from({ length: 24 }, (_, point) => light[point] - dark[23 - point]),
    light: player("light", light),
    dark: player("dark", dark),
    cube: { value: 1, owner: null, offered: null },
    dice: editing?.dice ?? chosen?.dice ?? [],
    turn: chosen?.side ?? "light",
    phase: editing ? "to play" : "",
    plays: editing || !chosen?.dice ? [] : [{ dice: chosen.dice, side: chosen.side, notation: chosen.notation }],
    flags: [],
  };
}

function draw() {
  if (!report) return;
  const view = onBoard();
  board.show(editing ? tapping.shown(view) : view, report.light_home);
  tapping.draw(view);
  $("editing").hidden = $("leave-it").hidden = $("edit-insert").hidden = editing === null;
  $("tap-again").hidden = !editing || !tapping.moved;
  $("tap-end").hidden = !editing || !tapping.mayEnd;
  $("tap-hint").textContent = editing ? tapping.hint : "";
  $("status").textContent = !chosen ? "" : editing ? t("Correcting turn {number}: {name}", { number: chosen.line, name: playerName(chosen.side, chosen.game) }) : `${t("Game {number}", { number: chosen.game })}, ${chosen.line}. ${lineWords(chosen)}`;
}

let asked = 0;

async function showLegal() {
  asked += 1;
  const question = asked;
  const found = editing ? await get(`api/legal?game=${chosen.game}&line=${chosen.line}&dice=${editing.dice.join("")}&${named()}`) : {};
  if (question !== asked) return; // a newer answer is on its way
  tapping.take({ side: found.side ?? null, boards: found.boards ?? [] }, editing !== null);
  $("legal").replaceChildren(
    ...(found.plays ?? []).map((one) => button(one.notation ? actionWords(one.notation) : t("no legal move"), (near) => correct({ after: one.after }, near), { "data-play": one.notation })),
  );
  const thrown = editing ? [...editing.dice].sort().reverse().join("") : "";
  for (const one of $("dice").children) one.setAttribute("aria-pressed", String(one.dataset.roll === thrown));
  draw();
}

function look(line) {
  chosen = line;
  editing = null;
  mark();
  showLegal();
}

function edit(line) {
  chosen = line;
  editing = { dice: [...line.dice].sort().reverse() };
  $("other").reset();
  mark();
  showLegal();
  document.querySelector(".table").scrollIntoView({ block: "start" });
}

/* The lists */

function button(label, action, attributes = {}) {
  const made = html("button", { type: "button", ...attributes }, label);
  made.addEventListener("click", () => action(made));
  return made;
}

const answer = spaced(order); // to what the lines ask

function lineWords(line) {
  if (line.doubt === "gap") return line.lost === null ? t("begun at this position") : t("a gap: nobody saw what was played");
  const dice = line.dice ? `${line.dice.join("-")} ` : "";
  return `${playerName(line.side, line.game)}: ${dice}${actionWords(line.notation)}`;
}

function howSure(line) {
  if (line.doubt === "gap") return line.lost === null ? "" : tn("{n} second was not seen", "{n} seconds were not seen", Math.round(line.lost));
  if (!line.turn) return "";
  if (line.corrected) return t("said by a person");
  const sure = t("sure: {share} %", { share: decimal(100 * line.sure, line.sure > 0.99 ? 1 : 0) });
  return line.roll_seen ? sure : `${sure}, ${t("the dice were not seen")}`;
}

function answers(line) {
  if (!line.line || (line.doubt === "gap" && line.lost === null)) return null;
  if (line.doubt === "gap") return html("div", { class: "answers" }, button(t("A turn before it is missing"), () => openInsertion(line), { "data-answer": "insert" }));
  if (!line.dice) return null;
  const made = [];
  if (line.doubt) made.push(button(t("It is right"), (near) => answer({ type: "confirm", game: line.game, turn: line.line }, near), { "data-answer": "right" }));
  for (const other of line.others) {
    const words = `${other.dice.join("-") === line.dice.join("-") ? "" : `${other.dice.join("-")} `}${other.notation ? actionWords(other.notation) : t("no legal move")}`;
    made.push(button(t("It was {play}", { play: words }), (near) => answer({ type: "correct", game: line.game, turn: line.line, dice: other.dice, after: other.after }, near), { "data-answer": "other", title: `${decimal(100 * other.sure, 1)} %` }));
  }
  made.push(button(t("Another play"), () => edit(line), { "data-answer": "edit" }));
  return html("div", { class: "answers" }, ...made);
}

function openInsertion(line) {
  chosen = line;
  mark();
  const form = $("insert").querySelector("form");
  form.reset();
  form.turn.value = line.line;
  const before = report.lines.find((one) => one.game === line.game && one.line === line.line - 1);
  form.side.value = missedBy(before, line) ?? "light";
  $("insert").showModal();
}

function item(line) {
  const picture = line.picture ? html("img", { src: `api/report/${line.game}/${line.line}.jpg?${encodeURIComponent(line.seconds)}&${named()}`, alt: "", loading: "lazy" }) : null;
  const made = html(
    "li",
    { "data-line": `${line.game}/${line.line}`, "data-doubt": line.doubt ?? "" },
    picture,
    html(
      "div",
      { class: "words" },
      html("p", { class: "soft" }, `${t("Game {number}", { number: line.game })}, ${line.line}. · ${clock(line.seconds)}`),
      html("p", { class: line.legal ? "play" : "play illegal" }, line.side ? marker(line.side) : null, ` ${lineWords(line)}${line.legal ? "" : ` (${t("illegal play")})`}`),
      html("p", { class: "soft" }, howSure(line)),
      ...line.flags.map((flag) => html("p", {}, said(flag.text, flag.said))),
      answers(line),
    ),
  );
  made.addEventListener("click", (event) => !event.target.closest("button") && look(line));
  return made;
}

function mark() {
  for (const one of document.querySelectorAll(".over > li")) one.classList.toggle("chosen", one.dataset.line === `${chosen?.game}/${chosen?.line}`);
}

function show() {
  const [first, rest] = [report.lines.filter((line) => line.doubt), report.lines.filter((line) => !line.doubt)];
  $("match").textContent = [report.source, `${playerName("light")} – ${playerName("dark")}`].filter(Boolean).join(" · ");
  const nothing = report.lines.length ? "" : t("Nothing has been played yet.");
  $("written").textContent = report.trouble ? told(report.trouble_message, report.trouble) : report.record ? t("Every correction writes {file} anew.", { file: report.record }) : nothing;
  document.querySelector(".table").hidden = !report.lines.length;
  $("written").classList.toggle("trouble", Boolean(report.trouble));
  $("first-section").hidden = !first.length;
  $("first-title").textContent = tn("{n} line to look at", "{n} lines to look at", first.length);
  $("first").replaceChildren(...first.map(item));
  $("rest-section").hidden = !rest.length;
  if (!first.length) $("rest-section").open = true;
  $("rest-title").textContent = tn("{n} line is sure", "{n} lines are sure", rest.length);
  $("rest").replaceChildren(...rest.map(item));
  $("undo").disabled = !report.undo;
  $("redo").disabled = !report.redo;
  mark();
  showLegal();
  document.body.dataset.lines = report.lines.length;
}

/* What may be pressed */

for (let high = 1; high <= 6; high += 1) {
  for (let low = 1; low <= high; low += 1) {
    $("dice").append(
      button(`${high}-${low}`, () => {
        editing.dice = [high, low];
        showLegal();
      }, { "data-roll": `${high}${low}` }),
    );
  }
}
for (const id of ["undo", "redo"]) $(id).addEventListener("click", once(() => order({ type: id }, $(id))));
$("tap-again").addEventListener("click", () => {
  tapping.again();
  draw();
});
$("tap-end").addEventListener("click", () => tapping.end());
$("leave-it").addEventListener("click", () => look(chosen));
$("edit-insert").addEventListener("click", () => openInsertion(chosen));
const insert = once(async (event) => {
  const form = event.target;
  const dice = form.dice.value.match(/[1-6]/g).map(Number);
  const done = await order({ type: "insert", game: chosen.game, turn: Number(form.turn.value), side: form.side.value, dice, notation: form.notation.value.trim(), stands: form.stands.checked }, form);
  if (done) $("insert").close();
  return done;
});
$("insert").querySelector("form").addEventListener("submit", (event) => event.submitter?.value && insert(event)); // else it closes the dialog
$("other").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target;
  if (await correct({ notation: form.notation.value, stands: form.stands.checked }, form)) form.reset();
});
load().finally(() => { delete document.body.dataset.waits; }); // what is there now moves no more
