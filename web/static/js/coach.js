// The coach's card: after each turn what GNU Backgammon would have played, and what the play that was made cost.

import { get } from "./api.js";
import { html, marker, unseen } from "./dom.js";
import { style } from "./later.js";
import { recall, remember } from "./settings.js";
import { cost, verdictWords } from "./verdict.js";
import { sideName, t, told } from "./words.js";

const SHOWN = 4; // turns; the whole match has its verdict
const SMALL = 0.005; // equity that is not worth a word

function line({ number, side, played, better, lost, doubling }) {
  const words = better === played || lost < SMALL ? [" ", t("The best play.")] : [` ${t("Better {better}", { better: verdictWords(better).replace(/^\d-\d: /, "") })} `, html("strong", {}, cost({ lost }))];
  if (doubling >= SMALL) words.push(` ${t("To double first was better")} `, html("strong", {}, cost({ lost: doubling })));
  return html("li", {}, html("span", { class: "number" }, `${number}. `), marker(side), unseen(`${sideName(side)}: `), ` ${verdictWords(played)} `, ...words);
}

/** Fills the section; the answer takes each view. Who says which side he plays hears of his own turns at once. */
export function keepCoach(section) {
  const [list, note] = [html("ol", { class: "coached" }), html("p", { class: "hint", role: "status" })];
  const sides = { "": t("none"), light: sideName("light"), dark: sideName("dark") };
  const choice = html("select", {}, ...Object.entries(sides).map(([side, name]) => html("option", { value: side }, name)));
  let asked = "";
  let timer = 0;
  let coaches = false; // the device is a coach now
  let refused = false; // as to viewers who see the board later: they hear nothing of one

  function showOrHide() {
    section.hidden = !coaches || refused;
  }

  async function ask() {
    clearTimeout(timer);
    const side = choice.value;
    const found = await get(`api/coach${side ? `?for=${side}` : ""}`);
    if (side !== choice.value) return;
    if (found.again_s) timer = setTimeout(ask, found.again_s * 1000);
    refused = Boolean(found.error);
    showOrHide();
    if (!found.turns) return;
    note.textContent = told(found.note_message, found.note) || (found.turns.length ? "" : t("After each turn it stands here what was better."));
    list.replaceChildren(...found.turns.slice(0, SHOWN).map(line));
  }

  choice.value = recall("i-play", "");
  choice.addEventListener("change", () => {
    remember("i-play", choice.value);
    ask();
  });
  section.append(html("div", { class: "after" }, note, list, html("label", { class: "hint" }, `${t("My side")} `, choice)));
  style("verdict.css");

  return (view) => {
    coaches = view.role === "coach" && !view.practice;
    showOrHide();
    const now = JSON.stringify([view.match_id, view.game, view.phase, view.plays.length, view.plays.at(-1)]);
    if (!coaches || now === asked) return;
    asked = now;
    ask();
  };
}
