// A record as the steps of its replay: what the board, the cube and the score show after each action. No drawing.

import { decode } from "./positionid.js";
import { movesIn, playOn, written } from "./turning.js";
import { actionWords, minus, named, t, tn } from "./words.js";

const STARTS = { standard: "4HPwATDgc/ABMA", nackgammon: "4Dl4ADbgOXgANg", hypergammon: "AACgAgAAKgAAAA" };
const OWNED = { hypergammon: 3 }; // checkers that a side has, where they are not fifteen

const sum = (counts) => counts.reduce((a, b) => a + b, 0);
const pips = (counts) => counts.reduce((all, count, index) => all + count * (index + 1), 0);

const points = (counts) => Array.from({ length: 24 }, (_, point) => counts.light[point] - counts.dark[23 - point]);

function wordsOf(action, notation) {
  if (action.type === "play") return `${action.dice.join("-")}: ${notation ? actionWords(notation) : t("no legal move")}`;
  if (action.type === "roll") return action.dice.join("-");
  if (action.type === "double") return t("doubles to {value}", { value: action.value });
  if (action.type === "beaver") return t("beavers to {value}", { value: action.value });
  if (action.type === "raccoon") return t("raccoons to {value}", { value: action.value });
  if (action.type === "take") return t("takes");
  if (action.type === "pass") return t("passes");
  if (action.type === "set") return typeof action.gap === "number" ? t("a gap: nobody saw what was played") : t("set by hand");
  if (action.type === "refused") return t("offers to resign, refused");
  return action.type === "resign" ? t("resigns") : "";
}

/**
 * The steps of a record: views to draw, each with {number, counts, words, legal, said} beside. number: of the action in its game, from 1;
 * 0 before the first. counts: each side's 25 by its own points, the bar last. said: what the referee said in it.
 */
export function stepsOf(record) {
  const rival = (side) => (side === "light" ? "dark" : "light");
  const variation = record.variation ?? "standard";
  const standings = new Map(); // of a chouette, by name: its box and its captain change from game to game
  const steps = [];

  function sides(id, mover) {
    const { own, other } = decode(id);
    return mover === "light" ? { light: own, dark: other } : { light: other, dark: own };
  }

  function startOf(game, seat) {
    if (game.start) return sides(game.start, seat(0));
    const first = game.actions.find((action) => action.type === "play");
    return first?.before ? sides(first.before, seat(first.player)) : sides(STARTS[variation], "light");
  }

  /** The box, and who leads the team after so many actions: the captain, until his cube is settled by a pass. */
  function leading({ order, cubes = [] }, actions) {
    const passed = cubes.filter(({ act, after }) => act === "pass" && after <= actions).map(({ name }) => name);
    return [order[0], order.slice(1).find((name) => !passed.includes(name)) ?? order[1]];
  }

  function standingsOf(names, seat) {
    return { [seat(0)]: standings.get(names[0]) ?? 0, [seat(1)]: standings.get(names[1]) ?? 0 };
  }

  function gameSteps(game, number) {
    // The players may have changed colours since the first game.
    const seat = (player) => (game.light ? rival(record.players[player].color) : record.players[player].color);
    const ownerOf = (player) => (player === undefined || player === null ? null : seat(player));
    let names = game.team ? leading(game.team, 0) : record.players.map((player) => player.name);
    const score = game.team ? standingsOf(names, seat) : { [seat(0)]: game.score[0], [seat(1)]: game.score[1] };
    let counts = startOf(game, seat);
    const owned = OWNED[variation] ?? 15;
    let cube = { value: game.cube ?? 1, owner: ownerOf(game.owner), offered: null };
    let [actions, keeps, offerer] = [0, false, null];
    const add = (side, dice, words, more = {}) => {
      const player = (name) => ({
        name: names[name === seat(0) ? 0 : 1],
        score: score[name],
        pips: pips(counts[name]),
        bar: counts[name][24],
        off: owned - sum(counts[name]),
      });
      steps.push(
        named({
          game: number + 1,
          number: actions,
          side,
          turn: side,
          phase: "",
          light: player("light"),
          dark: player("dark"),
          counts,
          owned,
          points: points(counts),
          cube,
          dice,
          match_length: record.length,
          crawford: game.crawford,
          words,
          legal: true,
          said: [],
          plays: [],
          flags: [],
          ...more,
        }),
      );
    };
    add(null, [], t("The game begins"));
    for (const action of game.actions) {
      if (game.team) {
        names = leading(game.team, actions);
        Object.assign(score, standingsOf(names, seat));
      }
      actions += 1;
      const side = seat(action.player);
      let notation = "";
      if (action.type === "play") {
        const legal = action.legal !== false;
        const { hits } = playOn(counts, side, action.moves);
        counts = sides(action.after, side);
        // Some rules let a checker pass over a blot, which then lies there still.
        notation = written(action.moves, action.moves.map(([, to], at) => legal && hits[at] && !counts[rival(side)][24 - to]));
      }
      // The cube is drawn with the value that is offered: twice its own.
      if (action.type === "double") cube = { ...cube, offered: rival(side) };
      if (action.type === "beaver") cube = { value: action.value / 2, owner: side, offered: rival(side) };
      if (action.type === "raccoon") cube = { value: action.value / 2, owner: cube.owner, offered: rival(side) };
      // Who beavers owns the cube, and keeps it when the doubler takes.
      if (action.type === "take") cube = { value: cube.value * 2, owner: keeps ? offerer : side, offered: null };
      if (["double", "beaver", "raccoon"].includes(action.type)) {
        keeps = action.type === "beaver" || (action.type === "raccoon" && record.rule_keys?.["cube.raccoon_owner"] === "doubler");
        offerer = side;
      }
      if (action.type === "set") {
        if (action.position) counts = sides(action.position, side);
        if (action.cube !== undefined && action.cube !== null) cube = { value: action.cube, owner: ownerOf(action.owner), offered: null };
      }
      const legal = action.legal !== false;
      add(side, action.dice ?? [], wordsOf(action, notation), {
        legal,
        said: action.said ?? [],
        plays: notation ? [{ side, dice: action.dice, notation }] : [],
        flags: legal ? [] : [{ side, moved: action.moves }],
      });
    }
    if (game.winner === null || game.winner === undefined || game.points === null) return;
    const winner = seat(game.winner);
    // In a chouette there is a cube for each: told is what the winner has won of all of them, or lost, where he had passed before.
    if (game.team) names = leading(game.team, actions);
    const won = game.team ? (game.team.shares?.[names[game.winner]] ?? 0) : game.points;
    if (game.team) {
      for (const [name, share] of Object.entries(game.team.shares ?? {})) standings.set(name, (standings.get(name) ?? 0) + share);
      Object.assign(score, standingsOf(names, seat));
    } else score[winner] += game.points;
    cube = { ...cube, offered: null };
    add(winner, [], game.team && won <= 0 ? t("settled: {points}", { points: minus(won) }) : tn("wins {n} point", "wins {n} points", won));
  }

  record.games.forEach(gameSteps);
  return steps;
}

/** The number of the step at which an action was done, from 0. */
export function stepAt(steps, game, number) {
  return steps.findIndex((step) => step.game === game && step.number === number);
}

/** What an error should have been: the step before it with the better play on the board; a cube action changes no board. */
export function betterStep(steps, { game, number, better }) {
  const at = stepAt(steps, game, number);
  const [before, step] = [steps[at - 1], steps[at]];
  const moves = movesIn(better.replace(/^\d\d: /, ""));
  const { counts } = playOn(before.counts, step.side, moves);
  const player = (side) => ({ ...before[side], pips: pips(counts[side]), bar: counts[side][24], off: before.owned - sum(counts[side]) });
  return {
    ...before,
    ...{ game, number, counts, points: points(counts), light: player("light"), dark: player("dark") },
    dice: moves.length ? step.dice : before.dice,
    turn: step.side,
    marked: { kind: "better", side: step.side, moves },
  };
}
