// A chouette: who plays alone, who leads the team, what each has won, and every team player's own cube.

import { html } from "./dom.js";
import { minus, moneyWords, t } from "./words.js";

const TITLES = { box: "box", captain: "captain", team: "team" };
const BUTTONS = { double: "Double", take: "Take", pass: "Pass", beaver: "Beaver", raccoon: "Raccoon" };

function cubeWords(player) {
  if (player.won !== null) return t("settled: {points}", { points: minus(player.won) });
  if (player.cube === null) return "";
  const where = player.owner === null ? t("in the middle") : t(TITLES[player.owner]);
  return `${player.offered ? t("offered at {value}", { value: player.cube * 2 }) : player.cube} · ${where}`;
}

function row(player, order) {
  const actions = (order ? player.may : []).map((act) => {
    const button = html("button", { type: "button" }, t(BUTTONS[act]));
    button.addEventListener("click", () => order({ type: "stake", player: player.name, act }, button));
    return button;
  });
  const money = player.money ? moneyWords(player.money) : "";
  return html(
    "tr",
    {},
    html("th", { scope: "row", dir: "auto" }, player.name),
    html("td", {}, t(TITLES[player.part])),
    html("td", { class: "won" }, minus(player.points), money ? ` (${money})` : ""),
    html("td", {}, cubeWords(player)),
    ...(order ? [html("td", {}, html("div", { class: "row" }, ...actions))] : []),
  );
}

/** Shows the players in a section that is hidden where two play. order: sends a command; without it nothing can be pressed. */
export function showChouette(section, view, order = null) {
  section.hidden = !view.chouette;
  if (!view.chouette) return;
  const now = JSON.stringify(view.chouette);
  if (section.dataset.shown === now) return; // a finger may just be on a button
  section.dataset.shown = now;
  section.querySelector("tbody").replaceChildren(...view.chouette.players.map((player) => row(player, order)));
  section.querySelector(".hint").textContent = view.chouette.advice ? t("The team may advise its captain.") : t("The team may not advise its captain now.");
}
