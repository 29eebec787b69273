// The board in words, and what is announced to those who listen instead of look.

import { html } from "./dom.js";
import { placesOf } from "./checkers.js";
import { throwerOf } from "./dice.js";
import { actionWords, diceInWords, flagSentence, minus, notice, sideName, statusSentence, t, tn } from "./words.js";

function placeInWords(side, place, count) {
  const checkers = tn("{n} checker", "{n} checkers", count);
  if (place === "bar") return t("Bar: {checkers}", { checkers });
  if (place === "off") return t("Borne off: {checkers}", { checkers });
  return t("Point {point}: {checkers}", { point: side === "light" ? place : 25 - place, checkers });
}

/** A side's checkers, one line a place, from its own highest point down. */
function lines(view, side) {
  const order = ([place]) => (place === "bar" ? 25 : place === "off" ? 0 : side === "light" ? place : 25 - place);
  return [...placesOf(view, side)]
    .sort((a, b) => order(b) - order(a))
    .map(([place, count]) => html("li", {}, placeInWords(side, place, count)));
}

function cubeInWords({ value, owner, offered }, view) {
  if (offered) return t("The cube is offered to {name} at {value}.", { name: view[offered].name, value: value * 2 });
  if (owner) return t("{name} owns the cube at {value}.", { name: view[owner].name, value });
  return value > 1 ? t("The cube is centred at {value}.", { value }) : t("The cube is centred."); // as equal dice of the draw turn it
}

function scoreInWords({ light, dark }) {
  return t("Score: {light} to {dark}.", { light: minus(light.score), dark: minus(dark.score) });
}

/** A sentence with its full stop: what follows it is another. */
const ended = (sentence) => (/[.?!]$/.test(sentence) ? sentence : `${sentence}.`);

/** Fills the text view. */
export function showWords(elements, view) {
  const parts = [ended(statusSentence(view))];
  if (view.turn) parts.push(t("On roll: {name}.", { name: view[view.turn].name }));
  if (view.dice.length) parts.push(t("Dice: {dice}.", { dice: diceInWords(view.dice) }));
  parts.push(cubeInWords(view.cube, view));
  parts.push(scoreInWords(view));
  elements.summary.textContent = parts.join(" ");
  for (const side of ["light", "dark"]) {
    const { name } = view[side];
    elements[side].title.textContent = name === sideName(side) ? name : `${sideName(side)}: ${name}`;
    elements[side].list.replaceChildren(...lines(view, side));
  }
}

function playInWords(play, view) {
  if (!play.side) return `${actionWords(play.notation)}.`;
  const name = view[play.side].name;
  if (!play.dice) return `${name}: ${actionWords(play.notation)}.`;
  const notation = actionWords(play.notation);
  return t("{name}, {dice}: {notation}.", { name, dice: diceInWords(play.dice), notation });
}

/** What changed between two views, in words for the live region; "" where nothing worth saying did. */
export function news(before, view) {
  if (view.practice) return before.practice ? "" : notice(view);
  if (before.practice || view.match_id !== before.match_id) return statusSentence(view); // the rest is no news, but another game's
  const parts = [];
  if (view.game !== before.game) parts.push(t("Game {number}", { number: view.game }) + ".");
  const known = view.game === before.game ? before.plays.length : 0;
  parts.push(...view.plays.slice(known).map((play) => playInWords(play, view)));
  for (const play of view.plays.slice(0, known)) {
    const was = before.plays[play.number - 1];
    if (was && (was.notation !== play.notation || String(was.dice) !== String(play.dice))) parts.push(t("Turn {number} was corrected: {words}", { number: play.number, words: playInWords(play, view) }));
  }
  const thrower = throwerOf(view);
  const rolled = view.dice.join() !== before.dice.join() || thrower !== throwerOf(before);
  if (rolled && view.dice.length && thrower && thrower === view.turn) {
    parts.push(t("{name} rolled {dice}.", { name: view[view.turn].name, dice: diceInWords(view.dice) }));
  }
  if (view.cube.offered && !before.cube.offered) parts.push(cubeInWords(view.cube, view));
  const old = new Map(before.flags.map((flag) => [flag.number, flag]));
  for (const flag of view.flags) {
    if (!old.has(flag.number)) parts.push(flagSentence(flag, view));
    else if (flag.resolved && !old.get(flag.number).resolved) parts.push(t("Settled: {how}", { how: t(flag.resolved) }) + ".");
  }
  if (view.light.score !== before.light.score || view.dark.score !== before.dark.score) {
    parts.push(scoreInWords(view));
  }
  return parts.join(" ");
}
