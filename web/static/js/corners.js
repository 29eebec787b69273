// Where the board lies in the camera's picture: found by the program, put right by hand, with a loupe.

import { get } from "./api.js";
import { html } from "./dom.js";
import { svg } from "./svg.js";
import { t, weakWords } from "./words.js";

const STEP = 1 / 640; // share of the picture's width that an arrow key moves a corner
const RING = 1 / 32; // share of it: a ring's radius
const LOUPE = 3 / 64; // share of it that the loupe shows from its middle
const ENDS = ["pointerup", "pointercancel"];
const NOT_FOUND = [[0.2, 0.2], [0.8, 0.2], [0.8, 0.8], [0.2, 0.8]]; // shares of the picture where the corners wait to be dragged

/** What is weak about the picture, as list items that say what to do. */
export function weakLines({ weak, weak_messages }) {
  return weakWords(weak, weak_messages).map((words) => html("li", {}, words));
}

/** The corners in the picture. parts: its elements: picture, loupe, weak, found. */
export class Corners {
  constructor(parts) {
    this.parts = parts;
    this.corners = [];
    this.size = null; // [width, height], px of the camera's full-size picture; null while there is none
    this.shown = null; // [left, top, width, height], px: the picture, and beyond it where its edge cuts the board off
    this.home = null;
    this.address = "";
    parts.picture.addEventListener("pointerdown", (event) => this.#drag(event));
    parts.picture.addEventListener("keydown", (event) => this.#step(event));
  }

  /** The corners as a command takes them; "" while there are none. */
  get text() {
    return this.corners.map(([x, y]) => `${Math.round(x)},${Math.round(y)}`).join(" ");
  }

  /** Shows corners that are known already on a fresh picture. */
  show(place) {
    this.size = place.size;
    this.corners = place.corners.map((corner) => [...corner]);
    this.parts.found.textContent = "";
    this.parts.weak.replaceChildren();
    this.#draw();
  }

  /** Whoever shows them next begins anew. */
  forget() {
    this.corners = [];
    this.home = null;
    this.parts.picture.parentElement.hidden = true;
  }

  /** Lets the program find them. Without a picture there is nothing to drag. */
  async look() {
    const found = await get("api/find");
    this.parts.weak.replaceChildren(...weakLines(found));
    if (!found.size) {
      this.parts.found.textContent = t("There is no picture.");
      this.parts.found.classList.add("bad");
      return;
    }
    const [width, height] = (this.size = found.size);
    this.home = found.home ?? null;
    this.corners = found.corners ? found.corners.split(" ").map((pair) => pair.split(",").map(Number)) : NOT_FOUND.map(([x, y]) => [x * width, y * height]);
    this.parts.found.textContent = found.corners ? t("The board was found.") : t("The board was not found. Drag the rings onto its corners.");
    this.parts.found.classList.toggle("bad", !found.corners);
    this.#draw();
  }

  #draw() {
    const [width, height] = this.size;
    const { picture } = this.parts;
    this.address = `api/camera.jpg?${Date.now()}`;
    picture.parentElement.hidden = false;
    this.shown = this.#around();
    picture.setAttribute("viewBox", this.shown.join(" "));
    picture.replaceChildren(
      svg("image", { href: this.address, width, height }),
      svg("polygon", { class: "outline", points: this.corners.map(String).join(" ") }),
      ...this.corners.map(([x, y], index) =>
        svg("circle", { class: "handle", cx: x, cy: y, r: RING * width, tabindex: 0, role: "button", "data-corner": index, "aria-label": t("Corner {number}", { number: index + 1 }) }),
      ),
    );
  }

  /** The picture, wider by as much as corners lie beyond its edge, so that their rings can be seen and dragged. */
  #around() {
    const ring = RING * this.size[0];
    const ends = this.size.map((size, axis) => {
      const beyond = this.corners.map((corner) => corner[axis]).filter((at) => at < 0 || at > size - 1);
      return [Math.min(0, ...beyond.map((at) => at - ring)), Math.max(size, ...beyond.map((at) => at + ring))];
    });
    return [ends[0][0], ends[1][0], ends[0][1] - ends[0][0], ends[1][1] - ends[1][0]];
  }

  #move(index, x, y) {
    const [left, top, width, height] = this.shown;
    this.corners[index] = [Math.min(Math.max(x, left), left + width - 1), Math.min(Math.max(y, top), top + height - 1)];
    const handle = this.parts.picture.querySelector(`[data-corner="${index}"]`);
    handle.setAttribute("cx", this.corners[index][0]);
    handle.setAttribute("cy", this.corners[index][1]);
    this.parts.picture.querySelector(".outline").setAttribute("points", this.corners.map(String).join(" "));
    this.#showLoupe(index);
  }

  #showLoupe(index) {
    const [x, y] = this.corners[index];
    const { loupe } = this.parts;
    const reach = LOUPE * this.size[0];
    const outline = [3, 1].map((step) => this.corners[(index + step) % 4]).map(([cx, cy]) => `M${x} ${y}L${cx} ${cy}`);
    loupe.setAttribute("viewBox", `${x - reach} ${y - reach} ${2 * reach} ${2 * reach}`);
    loupe.replaceChildren(
      svg("image", { href: this.address, width: this.size[0], height: this.size[1] }),
      svg("path", { class: "outline", d: outline.join("") }),
      svg("circle", { class: "aim", cx: x, cy: y, r: reach / 9 }),
    );
    loupe.classList.add("shown");
    // Never under the finger: on the other side of the picture.
    loupe.classList.toggle("right", x < this.size[0] / 2);
  }

  #place(event) {
    const frame = this.parts.picture.getBoundingClientRect();
    const [left, top, width, height] = this.shown;
    return [left + ((event.clientX - frame.left) / frame.width) * width, top + ((event.clientY - frame.top) / frame.height) * height];
  }

  #drag(event) {
    const index = Number(event.target.dataset?.corner ?? NaN);
    if (Number.isNaN(index)) return;
    const { picture, loupe } = this.parts;
    event.target.focus();
    picture.setPointerCapture(event.pointerId);
    // The ring keeps its distance from the finger, so that a touch beside its middle does not move it.
    const [x, y] = this.#place(event);
    const aside = [this.corners[index][0] - x, this.corners[index][1] - y];
    const follow = (moved) => {
      if (moved.pointerId !== event.pointerId) return; // another finger, which may hold another ring
      const [toX, toY] = this.#place(moved);
      this.#move(index, toX + aside[0], toY + aside[1]);
    };
    const end = (lifted) => {
      if (lifted.pointerId !== event.pointerId) return;
      picture.removeEventListener("pointermove", follow);
      for (const kind of ENDS) picture.removeEventListener(kind, end);
      loupe.classList.remove("shown");
    };
    this.#showLoupe(index);
    picture.addEventListener("pointermove", follow);
    for (const kind of ENDS) picture.addEventListener(kind, end);
  }

  #step(event) {
    const index = event.target.dataset?.corner;
    const step = Math.max(1, Math.round(STEP * (this.size?.[0] ?? 0)));
    const by = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[event.key];
    if (index === undefined || !by) return;
    event.preventDefault();
    const [x, y] = this.corners[Number(index)];
    this.#move(Number(index), x + by[0], y + by[1]);
  }
}
