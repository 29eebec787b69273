// The strips above and below the board: who plays, what the score is, whose turn it is.

import { html, marker, unseen } from "./dom.js";
import { minus, moneyWords, sideName, t, tn } from "./words.js";

function cubeChip(cube, side) {
  if (cube.owner !== side || cube.value === 1) return null;
  return html("span", { class: "chip cube-chip", title: t("Owns the cube") }, unseen(`${t("Owns the cube")}: `), String(cube.value));
}

function fact(text) {
  return html("span", { class: "fact" }, text);
}

function facts(player) {
  const found = [];
  if (player.pips !== null) found.push(fact(tn("{n} pip", "{n} pips", player.pips)));
  if (player.off) found.push(fact(t("{n} off", { n: player.off })));
  return found;
}

/** Fills a strip with a side's player. */
export function showPlayer(strip, view, side) {
  const player = view[side];
  const onRoll = view.turn === side;
  strip.classList.toggle("on-roll", view.cube.offered ? view.cube.offered === side : onRoll);
  strip.dataset.side = side;
  strip.toggleAttribute("data-answers", view.cube.offered === side);
  strip.replaceChildren(
    marker(side),
    html(
      "div",
      { class: "who" },
      html("p", { class: "name", dir: "auto", title: player.name }, unseen(`${sideName(side)}: `), player.name),
      html("p", { class: "facts" }, ...facts(player)),
    ),
    view.cube.offered === side ? html("span", { class: "chip roll-chip" }, t("Takes or passes?")) : onRoll && !view.cube.offered ? html("span", { class: "chip roll-chip" }, t("On roll")) : "",
    cubeChip(view.cube, side) ?? "",
    view.clock ? html("span", { class: "chip clock", "data-clock": side, role: "timer" }) : "",
    html("p", { class: "score" }, unseen(`${t("Score")}: `), minus(player.score)),
  );
}

const TITLES = { nackgammon: "Nackgammon", hypergammon: "Hypergammon" };

/** "Match to 7", "Game 3", what a point is worth and who owes it, and, where it is one, "Crawford game". */
export function matchWords(view) {
  const words = [
    view.match_length ? tn("Match to {n} point", "Match to {n} points", view.match_length) : t("Single games"),
    t("Game {number}", { number: view.game }),
  ];
  if (view.crawford) words.push(t("Crawford game"));
  if (view.variant && view.variant !== "standard") words.push(t(TITLES[view.variant]));
  if (view.stake) words.push(t("a point: {money}", { money: moneyWords(view.stake.point) }));
  if (view.stake?.owes) words.push(t("{name} owes {money}", { name: view[view.stake.owes].name, money: moneyWords(view.stake.owed) }));
  return words;
}
