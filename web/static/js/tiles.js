// A board's tile: its position, players and score, and in words what is wrong. A wall has many, as large as they fit.

import { Board } from "./board.js";
import { html, marker } from "./dom.js";
import { svg } from "./svg.js";
import { flagSentence, language, minus, named, statusSentence, t, told } from "./words.js";

const RATIO = 1.85; // of a tile's width to its height: the board, and half as much again for words
const inOrder = new Intl.Collator(undefined, { numeric: true }).compare;

// With its day: a board may be silent since yesterday, and a wall hangs there overnight.
function timeOf(moment) {
  return new Date(moment).toLocaleString(language, { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
}

export function stateOf({ view, silent, troubles }) {
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
    html("span", { class: "name", dir: "auto" }, ...view[side].name.split(" ").flatMap((word, at) => [at ? " " : "", html("span", {}, word)])),
    view.cube.owner === side ? html("span", { class: "cube-word", title: t("Owns the cube") }, String(view.cube.value)) : null,
    html("span", { class: "score" }, minus(view[side].score)),
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

/** What comes of tiles, with the words that the page has for them. */
export function readTiles(news) {
  return { ...news, tiles: news.tiles.map((tile) => ({ ...tile, view: tile.view && named(tile.view) })) };
}

/** The tiles of a wall, by board. place: the element that holds them; address: where a board's tile leads, by its name; "" nowhere. */
export class Tiles {
  constructor(place, address) {
    this.place = place;
    this.address = address;
    this.held = new Map(); // by board: {root, board, told, now, drawn}
    window.addEventListener("resize", () => this.#fit());
  }

  /** What they show. */
  get all() {
    return [...this.held.values()].map(({ now }) => now);
  }

  show(changed) {
    const before = this.held.size;
    changed.forEach((tile) => this.#show(tile));
    if (this.held.size !== before) this.#fit();
  }

  /** None but these. */
  keep(tiles) {
    const there = new Set(tiles.map(({ board }) => board));
    const gone = [...this.held.keys()].filter((board) => !there.has(board));
    for (const board of gone) {
      this.held.get(board).root.remove();
      this.held.delete(board);
    }
    if (gone.length) this.#fit();
  }

  #show(tile) {
    const held = this.held.get(tile.board) ?? this.#added(tile.board);
    const { view } = tile;
    if (view && JSON.stringify(view) !== held.drawn) {
      held.drawn = JSON.stringify(view);
      held.board.show(view, view.light_home);
    }
    held.now = tile;
    held.root.dataset.state = stateOf(tile);
    held.told.replaceChildren(...words(tile));
  }

  #added(name) {
    const drawn = svg("svg", { class: "board", "aria-hidden": "true" });
    const side = html("div", { class: "told" });
    const address = this.address(name);
    const inside = html("div", { class: "inside" }, drawn, side);
    const root = html(address ? "a" : "div", { class: "tile", ...(address && { href: address }), "data-board": name }, inside);
    const made = { root, board: new Board(drawn), told: side, now: null };
    this.held.set(name, made);
    const after = [...this.held.keys()].sort(inOrder);
    const next = after[after.indexOf(name) + 1];
    this.place.insertBefore(root, next ? this.held.get(next).root : null);
    return made;
  }

  /** The columns with which the tiles are largest. */
  #fit() {
    const count = Math.max(this.held.size, 1);
    const { clientWidth: width, clientHeight: height } = this.place;
    let best = { size: 0, columns: 1 };
    for (let columns = 1; columns <= count; columns++) {
      const rows = Math.ceil(count / columns);
      const size = Math.min(width / columns, (height / rows) * RATIO);
      if (size > best.size) best = { size, columns };
    }
    this.place.style.setProperty("--columns", best.columns);
    this.place.style.setProperty("--rows", Math.ceil(count / best.columns));
  }
}
