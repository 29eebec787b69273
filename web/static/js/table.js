// The screen beside the board: whose turn it is, dice, score, cube, clocks and what is wrong, to be read from two metres; two buttons.

import { tell } from "./answer.js";
import { command } from "./api.js";
import { keepClocks } from "./clock.js";
import { keepConnection } from "./connection.js";
import { die, throwerOf } from "./dice.js";
import { html, marker } from "./dom.js";
import { keepAwake } from "./phone.js";
import { moment, SECOND_TAP_MS } from "./once.js";
import { matchWords } from "./players.js";
import { follow } from "./stream.js";
import { svg } from "./svg.js";
import { flagSentence, minus, notice, statusSentence, t } from "./words.js";
import { definitions } from "./wood.js";

const $ = (id) => document.getElementById(id);
const clocks = keepClocks();
let view = null;

function showSide(side) {
  const place = $(side);
  const player = view[side];
  const acts = view.cube.offered ? view.cube.offered === side : view.turn === side;
  place.classList.toggle("acts", acts);
  const cube = view.cube.owner === side ? html("p", { class: "cube", title: t("Owns the cube") }, String(view.cube.value)) : "";
  place.replaceChildren(
    html("h2", { class: "name", dir: "auto" }, marker(side), ` ${player.name}`),
    html("p", { class: "score" }, minus(player.score)),
    cube,
    view.clock ? html("p", { class: "clock", "data-clock": side, role: "timer" }) : "",
  );
}

function showDice() {
  const { dice } = view;
  const side = throwerOf(view) ?? "light";
  const drawn = dice.map((value, index) => {
    const element = die(value, side);
    element.setAttribute("transform", `translate(${(index - (dice.length - 1) / 2) * 84} 0)`);
    return element;
  });
  const width = 84 * Math.max(2, dice.length);
  $("dice").replaceChildren(svg("svg", { viewBox: `${-width / 2} -44 ${width} 88`, role: "img", "aria-label": dice.join("-") || t("No dice on the board") }, ...drawn));
}

function onView(next, age) {
  view = next;
  document.body.dataset.sequence = next.sequence;
  for (const side of ["light", "dark"]) showSide(side);
  showDice();
  const wrong = view.flags.filter((flag) => !flag.resolved);
  const words = [...wrong.map((flag) => flagSentence(flag, view)), notice(view)].filter(Boolean);
  $("wrong").hidden = !words.length;
  $("wrong").textContent = words.join(" ");
  $("status").textContent = view.paused ? t("Paused") : statusSentence(view);
  $("match").textContent = matchWords(view).join(" · ");
  document.title = `${minus(view.light.score)} : ${minus(view.dark.score)} · Vrhcáb`;
  if ($("double")) $("double").disabled = view.phase !== "to roll";
  clocks(view, age);
  checkAwake();
}

for (const button of document.querySelectorAll("[data-command]")) {
  button.addEventListener("click", async () => {
    button.disabled = true;
    if (tell(await command(JSON.parse(button.dataset.command)), button)) await moment(SECOND_TAP_MS);
    button.disabled = button.id === "double" && view.phase !== "to roll";
  });
}

const checkAwake = keepAwake(() => view !== null && view.phase !== "match over");
document.body.append(svg("svg", { class: "definitions", "aria-hidden": "true" }, definitions()));
follow(onView, keepConnection($("connection")));
