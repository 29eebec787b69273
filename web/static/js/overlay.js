// One part of the game for a stream's picture: board, score, last roll or pip count. web/app.py has the addresses.

import { Board } from "./board.js";
import { keepClocks } from "./clock.js";
import { die, throwerOf } from "./dice.js";
import { html, marker } from "./dom.js";
import { across } from "./geometry.js";
import { matchWords } from "./players.js";
import { follow } from "./stream.js";
import { svg } from "./svg.js";
import { definitions } from "./wood.js";
import { flagSentence, minus, t } from "./words.js";

const { part, flip, root, query } = document.body.dataset;
const place = document.getElementById("overlay");

function corner(view) {
  return flip === "yes" ? across(view.light_home) : view.light_home;
}

/** The sides as they sit in the picture, the upper one first. */
function order(view) {
  return corner(view).startsWith("bottom") ? ["dark", "light"] : ["light", "dark"];
}

function line(view, side, value) {
  const { owner, value: cube } = view.cube;
  return html(
    "div",
    { class: view.turn === side ? "line on-roll" : "line", "data-side": side },
    marker(side),
    html("span", { class: "name", dir: "auto" }, view[side].name),
    owner === side ? html("span", { class: "cube", title: t("Owns the cube") }, String(cube)) : html("span"),
    html("span", { class: "value" }, value === null ? "" : minus(value)),
  );
}

/** The words about the match, and what a cube shows that was turned and that nobody owns. */
function aboutWords(view) {
  const { owner, value } = view.cube;
  return owner === null && value > 1 ? [...matchWords(view), t("Doubling cube: {value}", { value })] : matchWords(view);
}

function card(view, value, about) {
  const lines = order(view).map((side) => line(view, side, value(side)));
  place.querySelector(".card")?.remove();
  place.append(html("div", { class: "card" }, ...lines, html("p", { class: "about" }, about)));
}

// The last roll of the game stays in the picture when the dice are lifted, until the next one.
let roll = null;
let ofGame = "";

function showRoll(view) {
  const game = [view.match_id, view.game, view.practice].join();
  if (game !== ofGame) [roll, ofGame] = [null, game];
  const side = throwerOf(view);
  if (view.dice.length && side) roll = { dice: view.dice, side };
  else if (roll === null) {
    const last = view.plays.findLast((play) => play.dice);
    if (last) roll = { dice: last.dice, side: last.side };
  }
  place.querySelector(".dice")?.remove();
  if (roll === null) return;
  const drawn = roll.dice.map((value, index) => {
    const element = die(value, roll.side);
    element.setAttribute("transform", `translate(${(index - (roll.dice.length - 1) / 2) * 76} 0)`);
    return element;
  });
  const width = 76 * roll.dice.length + 8;
  place.append(svg("svg", { class: "dice", viewBox: `${-width / 2} -40 ${width} 80`, role: "img", "aria-label": roll.dice.join("-") }, ...drawn));
}

function boardPart() {
  const drawing = svg("svg", { class: "board", role: "img", "aria-label": t("Board") });
  place.append(drawing);
  const board = new Board(drawing);
  return (view) => board.show(view, corner(view));
}

function clockPart() {
  const clocks = keepClocks(place);
  return (view, age) => {
    card(view, () => "", view.clock ? matchWords(view).join(" · ") : t("No clock runs"));
    for (const line of place.querySelectorAll(".line")) line.querySelector(".value").dataset.clock = line.dataset.side;
    clocks(view, age);
  };
}

function shapes() {
  place.append(svg("svg", { class: "definitions", "aria-hidden": "true" }, definitions()));
}

// One line with everything that a stream's viewer asks: who, score, cube, whose turn, dice, pips, clock.
function barPart() {
  const clocks = keepClocks(place);
  return (view, age) => {
    const seat = (side) => {
      const { owner, value } = view.cube;
      return html(
        "div",
        { class: view.turn === side ? "seat on-roll" : "seat", "data-side": side },
        marker(side),
        html("span", { class: "name", dir: "auto" }, view[side].name),
        owner === side ? html("span", { class: "cube", title: t("Owns the cube") }, String(value)) : "",
        html("span", { class: "small" }, view[side].pips === null ? "" : String(view[side].pips)),
        view.clock ? html("span", { class: "small", "data-clock": side }) : "",
        html("span", { class: "value" }, minus(view[side].score)),
      );
    };
    const [upper, lower] = order(view);
    const dice = view.dice.map((value) => svg("svg", { viewBox: "-34 -34 68 68" }, die(value, throwerOf(view) ?? "light")));
    const middle = html("div", { class: "middle" }, html("p", { class: "dice-row" }, ...dice), html("p", { class: "about" }, [view.event, ...aboutWords(view)].filter(Boolean).join(" · ")));
    place.querySelector(".bar")?.remove();
    place.append(html("div", { class: "card bar" }, seat(upper), middle, seat(lower)));
    clocks(view, age);
  };
}

function eventPart(view) {
  const lines = [view.event, [view.place, view.round].filter(Boolean).join(" · "), matchWords(view).join(" · ")].filter(Boolean);
  place.querySelector(".card")?.remove();
  place.append(html("div", { class: "card event" }, ...lines.map((line, index) => html("p", { class: index ? "about" : "name" }, line))));
}

// Only what stands: an empty picture where nothing is wrong, and while the board is tried out.
function flagsPart(view) {
  const standing = view.practice ? [] : view.flags.filter((flag) => !flag.resolved);
  place.querySelector(".card")?.remove();
  if (!standing.length) return;
  place.append(html("div", { class: "card" }, ...standing.map((flag) => html("p", { class: "flag" }, flag.side ? marker(flag.side) : "", ` ${flagSentence(flag, view)}`))));
}

const PARTS = {
  board: boardPart,
  score: () => (view) => card(view, (side) => view[side].score, aboutWords(view).join(" · ")),
  pips: () => (view) => card(view, (side) => view[side].pips, t("Pip count")),
  roll: () => showRoll,
  clock: clockPart,
  bar: barPart,
  event: () => eventPart,
  flags: () => flagsPart,
};

if (part !== "board") shapes();
const show = PARTS[part]();
follow(
  (view, age) => {
    document.body.dataset.sequence = view.sequence;
    show(view, age);
  },
  (state) => {
    document.body.dataset.connection = state; // faded while nothing is heard (overlay.css): a picture that stands must not pass for live
  },
  root,
  query,
);
