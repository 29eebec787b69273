// A record as the steps of its replay: what the board, the cube and the score show after each action. No drawing.

import { decode } from "./positionid.js";
import { t, tn } from "./words.js";

const START = "4HPwATDgc/ABMA"; // the usual starting position

const sum = (counts) => counts.reduce((a, b) => a + b, 0);
const pips = (counts) => counts.reduce((all, count, index) => all + count * (index + 1), 0);

/** The moves as they are written, each checker's by itself. */
function notationOf(action) {
  return (action.moves ?? []).map(([from, to]) => `${from === 25 ? "bar" : from}/${to === 0 ? "off" : to}`).join(" ");
}

function wordsOf(action) {
  if (action.type === "play") {
    const moves = (action.moves ?? []).map(([from, to]) => `${from === 25 ? t("bar") : from}/${to === 0 ? t("off") : to}`);
    return `${action.dice.join("-")}: ${moves.join(" ") || t("no legal move")}`;
  }
  if (action.type === "roll") return action.dice.join("-");
  if (action.type === "double") return t("doubles to {value}", { value: action.value });
  if (action.type === "beaver") return t("beavers to {value}", { value: action.value });
  if (action.type === "raccoon") return t("raccoons to {value}", { value: action.value });
  if (action.type === "take") return t("takes");
  if (action.type === "pass") return t("passes");
  if (action.type === "set") return t("set by hand");
  if (action.type === "refused") return t("offers to resign, refused");
  return action.type === "resign" ? t("resigns") : "";
}

/** The steps of a record, each {game, side, light, dark, points, cube, dice, match_length, crawford, words, legal}: a view to draw. */
export function stepsOf(record) {
  const seat = (number) => record.players[number].color;
  const rival = (side) => (side === "light" ? "dark" : "light");
  const steps = [];

  function sides(id, mover) {
    const { own, other } = decode(id);
    return mover === "light" ? { light: own, dark: other } : { light: other, dark: own };
  }

  function startOf(game) {
    if (game.start) return sides(game.start, seat(0));
    const first = game.actions.find((action) => action.type === "play");
    return first?.before ? sides(first.before, seat(first.player)) : sides(START, "light");
  }

  function gameSteps(game, number) {
    const score = { [seat(0)]: game.score[0], [seat(1)]: game.score[1] };
    let counts = startOf(game);
    const owned = { light: sum(counts.light), dark: sum(counts.dark) };
    let cube = { value: game.cube ?? 1, owner: null, offered: null };
    const add = (side, dice, words, legal = true, notation = "") => {
      const player = (name) => ({
        name: record.players.find((one) => one.color === name).name,
        score: score[name],
        pips: pips(counts[name]),
        bar: counts[name][24],
        off: owned[name] - sum(counts[name]),
      });
      steps.push({
        game: number + 1,
        side,
        turn: side,
        phase: "",
        light: player("light"),
        dark: player("dark"),
        points: Array.from({ length: 24 }, (_, point) => counts.light[point] - counts.dark[23 - point]),
        cube,
        dice,
        match_length: record.length,
        crawford: game.crawford,
        words,
        legal,
        plays: notation ? [{ side, dice, notation }] : [],
      });
    };
    add(null, [], t("The game begins"));
    for (const action of game.actions) {
      const side = seat(action.player);
      if (action.type === "play") counts = sides(action.after, side);
      // The cube is drawn with the value that is offered: twice its own.
      if (action.type === "double") cube = { ...cube, offered: rival(side) };
      if (action.type === "take") cube = { value: cube.value * 2, owner: side, offered: null };
      if (action.type === "beaver") cube = { value: action.value, owner: side, offered: null };
      if (action.type === "raccoon") cube = { value: action.value / 2, owner: rival(side), offered: rival(side) };
      if (action.type === "set") {
        if (action.position) counts = sides(action.position, side);
        if (action.cube !== undefined && action.cube !== null) {
          const owner = action.owner === undefined || action.owner === null ? null : seat(action.owner);
          cube = { value: action.cube, owner, offered: null };
        }
      }
      add(side, action.dice ?? [], wordsOf(action), action.legal !== false, notationOf(action));
    }
    if (game.winner === null || game.winner === undefined || game.points === null) return;
    const winner = seat(game.winner);
    score[winner] += game.points;
    cube = { ...cube, offered: null };
    add(winner, [], tn("wins {n} point", "wins {n} points", game.points));
  }

  record.games.forEach(gameSteps);
  return steps;
}
