// The set-up's last step: whether it works, and what it costs that a step was left out.

import { get } from "./api.js";
import { weakLines } from "./corners.js";
import { html } from "./dom.js";
import { t, told } from "./words.js";

const COSTS = {
  game: "The record has no names in it.",
  picture: "Nothing is refereed or recorded by itself.",
  corners: "Nobody has looked whether the corners are right; a wrong one puts checkers on wrong points.",
  direction: "Nobody has looked whether the direction is right; the wrong one turns every play round.",
  position: "Nobody has looked whether checkers and dice are read right.",
  lamps: "A lamp that stays dark is found only during the match.",
  practice: "Nobody has tried whether a play is recognised.",
};

/** What keeps a table with a camera from being refereed, in a sentence; "" where nothing does. */
function obstacle(state) {
  if (!state.steps.includes("picture")) return "";
  if (!state.picture) return t("It does not work yet: there is no picture, so nothing is refereed or recorded by itself. A match can be kept by hand at the desk.");
  if (!state.place) return t("It does not work yet: no board is found in the picture, so nothing is refereed or recorded by itself. A match can be kept by hand at the desk.");
  return state.camera === "ok" ? "" : told(state.camera_message, state.camera);
}

function leadWords(state, left) {
  if (!state.steps.includes("picture")) return t("There is no camera: the match is kept by hand at the desk.");
  if (left.some((name) => ["picture", "corners", "direction", "position"].includes(name))) return t("The camera sees a board. Whether it is read right, nobody has looked yet.");
  return left.length ? t("It works. What you skipped can be made up for at any time.") : t("Everything has been looked at. Have a good game.");
}

export class ReadyStep {
  constructor({ lead, weak, summary }, titles) {
    [this.lead, this.weak, this.summary, this.titles] = [lead, weak, summary, titles];
    this.shown = "";
  }

  /** Draws it anew where something has changed. */
  async show(state) {
    const seen = await get("api/setup/seen");
    const now = JSON.stringify([state.steps, state.done, state.picture, state.place, state.camera, state.panel.kind, seen?.weak]);
    if (now === this.shown) return;
    this.shown = now;
    const steps = state.steps.filter((name) => name !== "ready");
    const left = steps.filter((name) => state.done[name] !== "done");
    const why = obstacle(state);
    this.lead.textContent = why || leadWords(state, left);
    this.lead.classList.toggle("bad", Boolean(why));
    this.summary.replaceChildren(...steps.map((name) => this.#line(name, !left.includes(name), name === "lamps" && state.panel.kind === "none")));
    const weak = why ? [] : weakLines(seen ?? {});
    if (!why && seen?.points && !weak.length) weak.push(html("li", { class: "good" }, t("The picture is good: light, size and focus are right.")));
    this.weak.replaceChildren(...weak);
  }

  /** missing: what the step is about is not there. */
  #line(name, done, missing) {
    const link = html("a", { href: `#${name}` }, t(this.titles[name]));
    const state = missing ? t("not connected") : done ? t("looked at") : t("skipped");
    const cost = done || missing || !COSTS[name] ? null : html("span", { class: "cost" }, t(COSTS[name]));
    return html("li", { class: done ? "done" : "todo" }, link, html("span", { class: "state" }, state), cost);
  }
}
