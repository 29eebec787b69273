// The wall: every board of the hall at once, as large as they fit. A tile leads to its board's own page.

import { Board } from "./board.js";
import { keepConnection } from "./connection.js";
import { html, marker } from "./dom.js";
import { follow } from "./stream.js";
import { svg } from "./svg.js";
import { flagSentence, named, statusSentence, t, tn, told } from "./words.js";
import { definitions } from "./wood.js";

const RATIO = 1.85; // of a tile's width to its height: the board, and half as much again for words

const $ = (id) => document.getElementById(id);
const tiles = new Map(); // by board: {root, board, told, now}
const inOrder = new Intl.Collator(undefined, { numeric: true }).compare;

function timeOf(moment) {
  return new Date(moment).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
}

function stateOf({ view, silent, troubles }) {
  if (silent !== null) return "silent";
  if (view?.flags.length) return "flagged";
  if (troubles.length) return "trouble";
  return view?.phase === "match over" ? "over" : "live";
}

function playerLine(view, side) {
  const onRoll = view.cube.offered ? view.cube.offered === side : view.turn === side;
  return html(
    "p",
    { class: `player${onRoll ? " on-roll" : ""}`, title: view[side].name },
    marker(side),
    html("span", { class: "name", dir: "auto" }, view[side].name),
    view.cube.owner === side ? html("span", { class: "cube-word", title: t("Owns the cube") }, String(view.cube.value)) : null,
    html("span", { class: "score" }, String(view[side].score)),
  );
}

// Whose turn it is shows in the players' lines; words are for what else there is to know.
function sentence({ view, silent, messages }) {
  const wrong = (view?.flags ?? []).map((flag) => flagSentence(flag, view));
  if (silent !== null) wrong.unshift(silent ? t("Silent since {time}", { time: timeOf(silent) }) : t("Not heard yet"));
  wrong.push(...messages.map((one) => told(one)));
  if (wrong.length) return html("p", { class: "says wrong" }, wrong.join(" "));
  const usual = view && (view.phase === "to roll" || view.phase === "to play") && !view.paused;
  return html("p", { class: "says" }, usual ? "" : view ? statusSentence(view) : t("No match yet"));
}

function words(tile) {
  const { board, view } = tile;
  const length = view?.match_length ? html("span", { class: "length" }, t("to {n}", { n: view.match_length })) : null;
  const called = html("p", { class: "called" }, html("span", {}, board), length);
  return view ? [called, playerLine(view, "dark"), playerLine(view, "light"), sentence(tile)] : [called, sentence(tile)];
}

function added(name) {
  const drawn = svg("svg", { class: "board", "aria-hidden": "true" });
  const side = html("div", { class: "told" });
  const root = html("a", { class: "tile", href: `boards/${name}/`, "data-board": name }, html("div", { class: "inside" }, drawn, side));
  const made = { root, board: new Board(drawn), told: side, now: null };
  tiles.set(name, made);
  const after = [...tiles.keys()].sort(inOrder);
  const next = after[after.indexOf(name) + 1];
  $("tiles").insertBefore(root, next ? tiles.get(next).root : null);
  return made;
}

function show(tile) {
  const held = tiles.get(tile.board) ?? added(tile.board);
  const { view } = tile;
  if (view && JSON.stringify(view) !== held.drawn) {
    held.drawn = JSON.stringify(view);
    held.board.show(view, view.light_home);
  }
  held.now = tile;
  held.root.dataset.state = stateOf(tile);
  held.told.replaceChildren(...words(tile));
}

/** The columns with which the tiles are largest. */
function fit() {
  const count = Math.max(tiles.size, 1);
  const { clientWidth: width, clientHeight: height } = $("tiles");
  let best = { size: 0, columns: 1 };
  for (let columns = 1; columns <= count; columns++) {
    const rows = Math.ceil(count / columns);
    const size = Math.min(width / columns, (height / rows) * RATIO);
    if (size > best.size) best = { size, columns };
  }
  $("tiles").style.setProperty("--columns", best.columns);
  $("tiles").style.setProperty("--rows", Math.ceil(count / best.columns));
}

function tell() {
  const all = [...tiles.values()].map(({ now }) => stateOf(now));
  const count = (state) => all.filter((one) => one === state).length;
  const parts = [tn("{n} board", "{n} boards", all.length)];
  if (count("flagged")) parts.push(tn("{n} with a flag", "{n} with a flag", count("flagged")));
  if (count("silent")) parts.push(tn("{n} silent", "{n} silent", count("silent")));
  $("summary").textContent = parts.join(" · ");
  $("none").hidden = all.length > 0;
}

function onTiles({ sequence, tiles: changed }) {
  const before = tiles.size;
  changed.forEach(show);
  if (tiles.size !== before) fit();
  document.body.dataset.sequence = sequence;
  tell();
}

function read(news) {
  return { ...news, tiles: news.tiles.map((tile) => ({ ...tile, view: tile.view && named(tile.view) })) };
}

document.body.append(svg("svg", { class: "definitions", "aria-hidden": "true" }, definitions()));
window.addEventListener("resize", fit);
follow(onTiles, keepConnection($("connection")), "", "", read);
