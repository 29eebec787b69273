// The board as the view has it: checkers, dice and cube on the drawn wood, moving when the view changes.

import { assign, placesOf } from "./checkers.js";
import { cube, die, throwerOf } from "./dice.js";
import { HEIGHT, layoutFor, WIDTH } from "./geometry.js";
import { markedMoves } from "./moved.js";
import { rect, svg } from "./svg.js";
import { definitions, emptyBoard, wedge } from "./wood.js";

const TRAVEL_MS = 560;
const STAGGER_MS = 170; // between the checkers of one play, so that the eye can follow each
const SIDES = ["light", "dark"];

const still = window.matchMedia("(prefers-reduced-motion: reduce)");

function at([x, y], more = "") {
  return `translate(${x}px, ${y}px)${more}`;
}

function animate(element, frames, options) {
  if (!still.matches) element.animate(frames, { fill: "backwards", ...options });
}

export class Board {
  /** root: the <svg> element to draw in. */
  constructor(root) {
    this.root = root;
    this.layout = null;
    this.view = null;
    this.checkers = { light: [], dark: [] }; // each {element, place, index, spot}
    this.rolled = null; // the dice that are drawn: {faces, side, corner}
    this.cubeAt = null;
    this.layers = {};
    root.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
    if (!document.getElementById("checker-light")) root.append(definitions()); // a page with many boards has them once
    for (const name of ["wood", "marks", "labels", "dice", "checkers", "rings", "counts", "cube"]) {
      this.layers[name] = svg("g", { class: name });
      root.append(this.layers[name]);
    }
  }

  /** Draws the view with light's home in that corner. What changed since the last view moves there. */
  show(view, corner) {
    const turned = corner !== this.layout?.corner;
    if (turned) {
      this.layout = layoutFor(corner);
      this.layers.wood.replaceChildren(emptyBoard(this.layout));
    }
    const moving = !turned && this.view !== null;
    this.view = view;
    this.#labels();
    const travel = SIDES.map((side) => this.#place(side, moving));
    this.#counts(moving ? Math.max(...travel) : 0);
    this.#marks(moving ? Math.max(...travel) : 0);
    this.#dice(moving);
    this.#cube(moving);
  }

  // Point numbers are those of whoever sits below, and stay as long as nobody turns the board.
  #labels() {
    const side = this.layout.lightBelow ? "light" : "dark";
    const texts = Array.from({ length: 24 }, (_, index) => {
      const [x, y] = this.layout.label(index + 1);
      const number = side === "light" ? index + 1 : 24 - index;
      return svg("text", { x, y: y + 12, "text-anchor": "middle" }, String(number));
    });
    this.layers.labels.replaceChildren(...texts);
  }

  // Puts a side's checkers where they belong; returns how long they travel, in ms.
  #place(side, moving) {
    const held = this.checkers[side];
    const { kept, added } = assign(held, placesOf(this.view, side), side);
    const stay = [];
    let travellers = 0;
    held.forEach((checker, position) => {
      const next = kept[position];
      if (next === null) {
        checker.element.remove();
        return;
      }
      const moved = next.place !== checker.place;
      this.#settle(side, checker, next, moving && moved ? travellers++ * STAGGER_MS : null);
      stay.push(checker);
    });
    for (const next of added) {
      const element = svg("g", { class: `checker ${side}` }, svg("use"));
      this.layers.checkers.append(element);
      const checker = { element, place: null, index: 0, spot: null };
      this.#settle(side, checker, next, null);
      stay.push(checker);
    }
    this.checkers[side] = stay;
    return travellers ? (travellers - 1) * STAGGER_MS + TRAVEL_MS : 0;
  }

  // delay: ms before the checker starts to travel, null where it is simply put down.
  #settle(side, checker, { place, index }, delay) {
    const from = checker.spot;
    const spot = this.layout.checker(side, place, index);
    const shape = place === "off" ? `#slab-${side}` : `#checker-${side}`;
    checker.element.firstChild.setAttribute("href", shape);
    checker.element.style.transform = at(spot);
    checker.element.dataset.place = place;
    Object.assign(checker, { place, index, spot });
    if (delay === null || from === null) return;
    this.layers.checkers.append(checker.element); // above the ones that lie
    const middle = [(from[0] + spot[0]) / 2, (from[1] + spot[1]) / 2];
    animate(
      checker.element,
      [{ transform: at(from) }, { transform: at(middle, " scale(1.14)") }, { transform: at(spot) }],
      { duration: TRAVEL_MS, delay, easing: "ease-in-out" },
    );
  }

  #counts(wait) {
    const texts = [];
    for (const side of SIDES) {
      for (const [place, count] of placesOf(this.view, side)) {
        const room = this.layout.room(place);
        if (place === "off" || count <= room) continue;
        const [x, y] = this.layout.checker(side, place, room - 1);
        texts.push(
          svg("circle", { class: `badge ${side}`, cx: x, cy: y, r: 17 }),
          svg("text", { class: `count ${side}`, x, y: y + 9, "text-anchor": "middle" }, String(count)),
        );
      }
    }
    this.layers.counts.replaceChildren(...texts);
    if (wait) animate(this.layers.counts, [{ opacity: 0 }, { opacity: 0, offset: 0.9 }, { opacity: 1 }], { duration: wait });
  }

  // What was moved last, or what is wrong: the points it left and reached, and a ring around each checker that arrived.
  #marks(wait) {
    const { kind, side, moves } = markedMoves(this.view);
    const drawn = ([from, to]) => [from, to].map((place) => (place === 25 ? "bar" : place === 0 ? "off" : side === "light" ? place : 25 - place));
    const places = moves.map(drawn);
    const points = [...new Set(places.flat())].filter((place) => typeof place === "number");
    const reached = new Set(places.map(([, to]) => to));
    this.layers.marks.setAttribute("class", `marks ${kind}`);
    this.layers.marks.replaceChildren(...points.map((place) => wedge(this.layout, place, { class: reached.has(place) ? "reached" : "left" })));
    const held = placesOf(this.view, side);
    const rings = [...reached].flatMap((place) => {
      const came = places.filter(([, to]) => to === place).length;
      const count = held.get(place) ?? 0;
      const top = Math.min(count, this.layout.room(place));
      return Array.from({ length: Math.min(came, top) }, (_, index) => {
        const [cx, cy] = this.layout.checker(side, place, top - 1 - index);
        return place === "off" ? rect([cx - 29, cy - 7.5, 58, 15], { rx: 4 }) : svg("circle", { cx, cy, r: 28.5 });
      });
    });
    this.layers.rings.setAttribute("class", `rings ${kind}`);
    this.layers.rings.replaceChildren(...rings);
    if (wait) animate(this.layers.rings, [{ opacity: 0 }, { opacity: 0, offset: 0.9 }, { opacity: 1 }], { duration: wait });
  }

  // Dice that still lie after the turn has passed stay where they are, in the colour of whoever rolled them. A step of a record has no
  // phase: its dice are of whoever is named with them.
  #dice(moving) {
    const { dice, phase } = this.view;
    const faces = [...dice].sort().join();
    const lie = faces === this.rolled?.faces && phase !== "" && phase !== "to play";
    const side = lie ? this.rolled.side : (throwerOf(this.view) ?? "light");
    if (this.rolled?.corner === this.layout.corner && this.rolled.faces === faces && this.rolled.side === side) return;
    const thrown = moving && this.rolled?.faces !== faces;
    this.rolled = { faces, side, corner: this.layout.corner };
    const [x, y] = this.layout.rightHalf(side);
    const tilt = [-8, 11];
    const drawn = dice.map((value, index) => {
      const spread = (index - (dice.length - 1) / 2) * 84;
      const element = die(value, side);
      const spot = [x + spread, y + (index ? 5 : -5)];
      const rest = at(spot, ` rotate(${tilt[index % 2]}deg)`);
      element.style.transform = rest;
      if (thrown) {
        const start = at([spot[0], spot[1] + 46], ` rotate(${tilt[index % 2] - 140}deg) scale(1.25)`);
        animate(element, [{ transform: start, opacity: 0 }, { transform: rest, opacity: 1 }], { duration: 420, delay: index * 60, easing: "cubic-bezier(.2,.8,.3,1)" });
      }
      return element;
    });
    this.layers.dice.replaceChildren(...drawn);
  }

  #cube(moving) {
    const { value, owner, offered } = this.view.cube;
    const spot = this.layout.cube(owner, offered);
    const element = cube(offered ? Math.max(value, 1) * 2 : value);
    element.setAttribute("class", offered ? "offered" : "");
    element.style.transform = at(spot);
    element.dataset.owner = owner ?? "";
    this.layers.cube.replaceChildren(element);
    const from = this.cubeAt;
    this.cubeAt = spot;
    if (moving && from && (from[0] !== spot[0] || from[1] !== spot[1])) {
      animate(element, [{ transform: at(from) }, { transform: at(spot) }], { duration: TRAVEL_MS, easing: "ease-in-out" });
    }
  }
}
