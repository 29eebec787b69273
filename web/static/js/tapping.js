// A play entered on the drawn board: a tap on a checker, a tap on where it goes. What may be tapped, the server says (api/legal).

import { PARTS, POINT, POINT_HEIGHT, STACK } from "./geometry.js";
import { decode } from "./positionid.js";
import { rect, svg } from "./svg.js";
import { t } from "./words.js";

const BAR = 25;
const OFF = 0;
const NONE = { side: null, boards: [] };

const sum = (counts) => counts.reduce((a, b) => a + b, 0);

export class Tapping {
  /** board: the Board to tap on; play(after): ends the turn with that board; changed(): what is shown has changed. */
  constructor(board, { play, changed }) {
    this.board = board;
    this.play = play;
    this.changed = changed;
    this.layer = svg("g", { class: "taps" });
    board.root.append(this.layer);
    this.layer.addEventListener("click", (event) => this.#tapped(event.target.closest("[data-tap]")));
    this.layer.addEventListener("keydown", (event) => this.#key(event));
    this.take(NONE);
  }

  /**
   * Begins a turn. found: {side, boards}; boards[0] is the present one, or the one from which an earlier turn began. The same once
   * more changes nothing: taps stay.
   */
  take({ side, boards = [] }, earlier = false) {
    this.earlier = earlier;
    if (side === this.side && JSON.stringify(boards) === JSON.stringify(this.boards)) return;
    this.side = side;
    this.boards = boards;
    this.again();
  }

  /** Puts every checker of this turn back. */
  again() {
    this.at = 0;
    this.from = null;
  }

  /** Whether a checker has been moved since the turn began. */
  get moved() {
    return this.at !== 0;
  }

  /** Whether the turn may end here although more could be played. */
  get mayEnd() {
    return this.moved && this.boards[this.at].legal;
  }

  /** What to do now, in words. */
  get hint() {
    if (!this.#steps().length) return "";
    return this.from === null ? t("Tap a checker of the side on roll, or choose a play.") : t("Tap where the checker goes.");
  }

  /** Ends the turn with the board as it is shown. */
  end() {
    return this.play(this.boards[this.at].after);
  }

  /** The view with the checkers where they have been tapped to. */
  shown(view) {
    if (!this.boards.length || !(this.moved || this.earlier)) return view;
    const { own: light, other: dark } = decode(this.boards[this.at].after);
    const all = (side, sign) => view.points.reduce((count, one) => count + Math.max(0, one * sign), view[side].bar + view[side].off);
    return {
      ...view,
      points: Array.from({ length: 24 }, (_, point) => light[point] - dark[23 - point]),
      light: { ...view.light, bar: light[24], off: all("light", 1) - sum(light) },
      dark: { ...view.dark, bar: dark[24], off: all("dark", -1) - sum(dark) },
    };
  }

  /** Draws what may be tapped now, over the board as it was just shown. */
  draw(view) {
    const held = this.layer.contains(document.activeElement) ? document.activeElement.dataset.tap : null;
    const shown = this.shown(view);
    const places = view.phase === "to play" && view.turn === this.side ? this.#places() : []; // else the turn is over
    const there = places.filter(([place, kind]) => kind === "goal" || this.#count(shown, place) > 0);
    this.layer.replaceChildren(...there.map(([place, kind]) => this.#target(shown, place, kind)));
    if (held === null) return;
    // Whoever taps by keyboard goes on where the next choice is.
    const next = this.layer.querySelector(`[data-tap="${held}"]`) ?? this.layer.querySelector(".goal") ?? this.layer.firstChild;
    next?.focus();
  }

  #steps() {
    return this.boards[this.at]?.steps ?? [];
  }

  // What may be tapped, from the mover's far end of the board to the near one, as [place, "source" | "chosen" | "goal"].
  #places() {
    const kinds = new Map(this.#steps().map(([from]) => [from, "source"]));
    if (this.from !== null) {
      kinds.set(this.from, "chosen");
      for (const [from, to] of this.#steps()) if (from === this.from) kinds.set(to, "goal");
    }
    return [...kinds].sort(([a], [b]) => b - a);
  }

  // A place is the mover's number; the drawing has light's.
  #drawn(place) {
    if (place === BAR) return "bar";
    if (place === OFF) return "off";
    return this.side === "light" ? place : 25 - place;
  }

  #area(place) {
    const { layout } = this.board;
    const drawn = this.#drawn(place);
    if (drawn === "off") return layout.part(PARTS.trays[this.side === "light" ? 1 : 0]);
    if (drawn === "bar") {
      const [x, , width, height] = layout.part(PARTS.bar);
      const above = layout.checker(this.side, "bar", 0)[1] < height / 2;
      return [x, above ? 0 : height / 2, width, height / 2];
    }
    const { x, y, up } = layout.point(drawn);
    return [x - POINT / 2, up < 0 ? y - POINT_HEIGHT : y, POINT, POINT_HEIGHT];
  }

  #count(view, place) {
    const drawn = this.#drawn(place);
    if (drawn === "bar" || drawn === "off") return view[this.side][drawn];
    return Math.max(0, view.points[drawn - 1] * (this.side === "light" ? 1 : -1));
  }

  // The middle of the checker that would be taken away, or of the place where it would land.
  #spot(view, place, landing) {
    const drawn = this.#drawn(place);
    const count = this.#count(view, place);
    const index = landing ? count : count - 1;
    return this.board.layout.checker(this.side, drawn, drawn === "off" ? index : Math.max(0, Math.min(index, STACK - 1)));
  }

  #target(view, place, kind) {
    const [x, y] = this.#spot(view, place, kind === "goal");
    const name = place === BAR ? t("bar") : place === OFF ? t("off") : String(place);
    const label = kind === "goal" ? t("To {place}", { place: name }) : t("From {place}", { place: name });
    return svg(
      "g",
      { class: `tap ${kind}`, "data-tap": place, role: "button", tabindex: 0, "aria-label": label, "aria-pressed": String(kind === "chosen") },
      rect(this.#area(place), { class: "area", rx: 8 }),
      ...["under", "ring"].map((part) => (place === OFF ? rect([x - 27, y - 6.5, 54, 13], { class: part, rx: 4 }) : svg("circle", { class: part, cx: x, cy: y, r: 27 }))),
    );
  }

  #tapped(element) {
    if (!element) return;
    const place = Number(element.dataset.tap);
    const step = this.#steps().find(([from, to]) => from === this.from && to === place);
    if (step) {
      this.at = step[2];
      this.from = null;
    } else {
      this.from = this.from === place ? null : place;
    }
    this.changed();
    const ends = this.#ends();
    if (step && ends.size === 1) this.play([...ends][0]);
  }

  // The boards with which the turn can still end: after the last choice there is one.
  #ends() {
    const [ends, seen, waiting] = [new Set(), new Set([this.at]), [this.at]];
    for (const number of waiting) {
      const board = this.boards[number];
      if (board.legal) ends.add(board.after);
      for (const [, , then] of board.steps) if (!seen.has(then)) waiting.push(then) && seen.add(then);
    }
    return ends;
  }

  #key(event) {
    const places = [...this.layer.children];
    const way = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (event.key === "Enter" || event.key === " ") {
      this.#tapped(event.target.closest("[data-tap]"));
    } else if (way) {
      places[(places.indexOf(document.activeElement) + way + places.length) % places.length].focus();
    } else if (event.key === "Escape" && this.from !== null) {
      this.from = null;
      this.changed();
    } else {
      return;
    }
    event.preventDefault();
  }
}
