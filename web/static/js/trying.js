// The step in which the start position is checked, and the one in which a game is tried out.

import { html, marker } from "./dom.js";
import { showCounts } from "./overlook.js";
import { actionWords, diceInWords, said, sideName, statusSentence, t, tn } from "./words.js";

const FEW = 8; // places up to which it is said checker by checker how to put them right; beyond that the board is not set up yet
const START = { turn: null, phase: "opening", cube: { value: 1, owner: null, offered: null } };

function checkersWords(count) {
  return count ? t("{n}× {side}", { n: Math.abs(count), side: sideName(count > 0 ? "light" : "dark") }) : t("nothing");
}

function placeWords(point) {
  if (point === 25 || point === 0) return t("Bar, {side}", { side: sideName(point ? "light" : "dark") });
  return t("Point {point} (Black counts {other})", { point, other: 25 - point });
}

function shortPlace(point) {
  return point === null ? t("beside the board") : point === 25 || point === 0 ? t("bar") : String(point);
}

/** The moves that turn what is found into what is wanted, such as "1× White 7 → 8"; differences as the server names them. */
export function putRight(differences) {
  const moves = [];
  for (const side of ["light", "dark"]) {
    const own = (count) => Math.max(side === "light" ? count : -count, 0);
    const over = differences.flatMap((one) => Array(Math.max(own(one.found) - own(one.wanted), 0)).fill(one.point));
    const short = differences.flatMap((one) => Array(Math.max(own(one.wanted) - own(one.found), 0)).fill(one.point));
    for (let index = 0; index < Math.max(over.length, short.length); index += 1) {
      const [from, to] = [over[index] ?? null, short[index] ?? null];
      const same = moves.find((move) => move.side === side && move.from === from && move.to === to);
      if (same) same.count += 1;
      else moves.push({ side, from, to, count: 1 });
    }
  }
  return moves.map(({ side, from, to, count }) => `${t("{n}× {side}", { n: count, side: sideName(side) })} ${shortPlace(from)} → ${shortPlace(to)}`);
}

/** What is read, as a view that the board can draw. */
function asView(seen) {
  const player = (index) => ({ name: "", bar: seen.bar[index], off: 0 });
  return { ...START, points: seen.points, dice: seen.dice.map((die) => die.value).slice(0, 2), light: player(0), dark: player(1) };
}

function put(element, text, good) {
  // Only what has changed is said again to those who listen.
  if (element.textContent !== text) element.textContent = text;
  element.classList.toggle("good", good);
  element.classList.toggle("bad", !good);
}

/** The check of checkers and dice. parts: picture, checkers, differences, dice; board: a Board. */
export class Checking {
  constructor(parts, board) {
    this.parts = parts;
    this.board = board;
  }

  /** Shows a reading; whether the start position stands there and two dice are read. */
  show(place, seen, address) {
    showCounts(this.parts.picture, place, seen, address);
    this.board.show(asView(seen), place.home);
    const wrong = seen.differences.map((one) => html("li", {}, t("{place}: there should be {wanted}, and {found} is seen.", { place: placeWords(one.point), wanted: checkersWords(one.wanted), found: checkersWords(one.found) })));
    const hidden = seen.hidden ? [html("li", {}, tn("{n} place can't be seen. Take hands and cups away.", "{n} places can't be seen. Take hands and cups away.", seen.hidden))] : [];
    const moves = seen.differences.length <= FEW ? putRight(seen.differences) : [];
    const how = moves.length ? [html("li", { class: "how" }, t("To put it right: {moves}", { moves: moves.join("; ") }))] : [];
    const lines = [...wrong, ...how, ...hidden];
    const list = this.parts.differences;
    if (lines.map((line) => line.textContent).join() !== [...list.children].map((line) => line.textContent).join()) list.replaceChildren(...lines);
    const right = !lines.length;
    put(this.parts.checkers, right ? t("All checkers stand right.") : tn("{n} place differs from the start position:", "{n} places differ from the start position:", wrong.length), right);
    return this.#dice(seen.dice) && right;
  }

  /** Nothing has been read yet. */
  wait() {
    put(this.parts.checkers, t("Nothing can be read yet. Take your hands away from the board."), false);
    this.parts.differences.replaceChildren();
    put(this.parts.dice, "", false);
  }

  #dice(dice) {
    const flat = dice.filter((die) => die.flat);
    if (dice.length > flat.length) put(this.parts.dice, t("A die does not lie flat. Throw it again."), false);
    else if (dice.length === 2) put(this.parts.dice, t("The dice show {dice}.", { dice: diceInWords(dice.map((die) => die.value)) }), true);
    else put(this.parts.dice, tn("{n} die is seen. Throw two onto the board.", "{n} dice are seen. Throw two onto the board.", dice.length), false);
    return dice.length === 2 && flat.length === 2;
  }
}

/** The practice game. lines: a list that is filled; board: a Board. */
export class Practice {
  constructor(lines, board) {
    this.lines = lines;
    this.board = board;
    this.shown = "";
  }

  /** Shows a view of the practice; whether a play of it has been judged. */
  show(view) {
    this.board.show(view, view.light_home);
    const play = view.plays.findLast((one) => one.dice);
    const rolled = Boolean(play) || view.phase === "to play";
    const lines = [
      [rolled, rolled ? t("Roll read: {dice}", { dice: (play?.dice ?? view.dice).join("-") }) : t("Throw: one die each")],
      [Boolean(play), play ? [marker(play.side), ` ${actionWords(play.notation)}`] : t("Play it")],
      [Boolean(play), play ? (play.legal ? t("Judged: a legal play") : t("Judged: not a legal play")) : t("Lift the dice: that ends the turn")],
    ];
    const flags = view.flags.filter((flag) => !flag.resolved).map((flag) => said(flag.text, flag.said));
    const key = JSON.stringify([lines.map(([done, words]) => [done, String(words)]), play, flags, statusSentence(view)]);
    if (key !== this.shown) {
      this.shown = key;
      this.lines.replaceChildren(
        ...lines.map(([done, words]) => html("li", { class: done ? "done" : "todo" }, ...[words].flat())),
        html("li", { class: "now" }, statusSentence(view)),
        ...flags.map((text) => html("li", { class: "bad" }, text)),
      );
    }
    return Boolean(play);
  }
}
