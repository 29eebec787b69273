// The panel of lamps as the page draws it, with what is lit, and its buttons.

import { html } from "./dom.js";
import { rect, svg } from "./svg.js";
import { sideName, t } from "./words.js";

const CUBES = [2, 4, 8, 16, 32, 64];
const SECONDS_EACH = 0.8;
const NAMES = ["clock-light", "clock-dark", "cube", "undo"];
const BUTTONS = ["White's clock", "Black's clock", "Doubling cube", "Undo"];

/** A group of lamps in words. */
function groupWords(group) {
  if (group.startsWith("turn-")) return t("turn: {side}", { side: sideName(group.slice(5)) });
  if (group === "error") return t("please check");
  if (group === "points") return t("Lamps at the points");
  if (group === "sound") return t("Buzzer");
  return t("Doubling cube: {value}", { value: group.slice(5) });
}

function lamp(name, shape, ...more) {
  shape.classList.add("glass");
  return svg("g", { class: "lamp-drawn", "data-lamp": name }, shape, ...more);
}

function word(text, x, y, size = 22) {
  return svg("text", { x, y, "text-anchor": "middle", "font-size": size }, text);
}

function pointLamps() {
  const dots = Array.from({ length: 24 }, (_, index) => {
    const number = index + 1;
    const column = number <= 12 ? 12 - number : number - 13;
    const x = 45 + column * 48 + (column >= 6 ? 44 : 0);
    return lamp(`point ${number}`, svg("circle", { cx: x, cy: number <= 12 ? 320 : 250, r: 13 }));
  });
  const bars = [["bar light", 320], ["bar dark", 250]].map(([name, y]) => lamp(name, rect([333 - 13, y - 13, 26, 26], { rx: 4 })));
  return [...dots, ...bars];
}

/** Draws the panel that has these groups. */
export function drawPanel(root, groups) {
  const points = groups.includes("points");
  root.setAttribute("viewBox", `0 0 660 ${points ? 350 : 215}`);
  root.replaceChildren(
    rect([2, 2, 656, points ? 346 : 211], { class: "plate", rx: 18 }),
    lamp("turn light", svg("circle", { cx: 110, cy: 62, r: 34 }), svg("circle", { class: "mark", cx: 110, cy: 62, r: 17 }), word(sideName("light"), 110, 122)),
    lamp("turn dark", svg("circle", { cx: 550, cy: 62, r: 34 }), svg("path", { class: "mark", d: "M550 40 556 56 572 62 556 68 550 84 544 68 528 62 544 56z" }), word(sideName("dark"), 550, 122)),
    lamp("error", svg("path", { d: "M330 26 370 94H290z" }), word("!", 330, 86, 40), word(t("please check"), 330, 122)),
    ...CUBES.map((value, index) => lamp(`cube ${value}`, rect([72 + index * 88, 140, 76, 52], { rx: 10 }), word(String(value), 110 + index * 88, 175, 28))),
    ...(points ? pointLamps() : []),
  );
}

function light(root, lit) {
  for (const one of root.querySelectorAll("[data-lamp]")) one.classList.toggle("lit", lit.includes(one.dataset.lamp));
}

/** Lights every group for a second. parts: panel, said (an element for words); ask(group): {ok, lamps, sentence}. */
export async function runLamps(parts, groups, ask) {
  for (const group of groups) {
    const answer = await ask(group);
    if (!answer.ok) return answer;
    light(parts.panel, answer.lamps);
    parts.said.textContent = groupWords(group);
    await new Promise((done) => setTimeout(done, SECONDS_EACH * 1000));
  }
  light(parts.panel, []);
  return { ok: true };
}

/** The buttons, each with a tick once it was pressed; press(name) where they can be pressed on the page, else null. */
export function showButtons(list, pressed, press) {
  if (!list.children.length) {
    NAMES.forEach((name, index) => {
      const words = t(BUTTONS[index]);
      const face = press ? html("button", { type: "button" }, words) : html("span", { class: "words" }, words);
      face.addEventListener("click", () => press?.(name));
      list.append(html("li", { "data-button": name }, face, html("span", { class: "state" })));
    });
  }
  for (const line of list.children) {
    const times = pressed.filter((name) => name === line.dataset.button).length;
    line.classList.toggle("done", times > 0);
    const words = times ? `✓ ${t("Pressed")}` : t("Not pressed yet");
    if (line.lastChild.textContent !== words) line.lastChild.textContent = words;
  }
}
