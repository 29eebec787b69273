// The match that is over: its replay, its files, and GNU Backgammon's verdict as soon as there is one.

import { get } from "./api.js";
import { html } from "./dom.js";
import { style } from "./later.js";
import { exportLinks } from "./records.js";
import { reachable, share } from "./share.js";
import { verdict } from "./verdict.js";
import { t, told } from "./words.js";

const SEATS = ["light", "dark"];

/** Where each action of the course lies, counted through the match, from 0. */
function places(course) {
  const starts = [];
  let next = 0;
  for (const moments of course) {
    starts.push(next);
    next += Math.max(0, ...moments.map(({ number }) => number)) + 1;
  }
  return { at: (game, number) => starts[game - 1] + number, last: Math.max(next - 1, 1) };
}

function replayOf(match, place = "") {
  return `replay?match=${encodeURIComponent(match)}${place}`;
}

function parts(found, match) {
  const open = ({ game, number }) => location.assign(replayOf(match, `#${game}.${number}.better`));
  const sideOf = ({ game, player }) => SEATS[found.light?.[game - 1] ? 1 - player : player]; // in that game
  return verdict(found, SEATS, { ...places(found.course), sideOf, open }).parts;
}

/** Fills the section for that match. shown(): whether it still is the one that is shown. */
export async function showFinished(section, match, shown) {
  await style("verdict.css");
  const after = html("div", { class: "analysis after", "aria-live": "polite" });
  const [button, said] = [html("button", { type: "button" }, t("Share the match")), html("span", { role: "status" })];
  const address = document.getElementById("share")?.dataset.address;
  button.addEventListener("click", () => share(reachable(address, replayOf(match)), document.title, said));
  section.querySelector("p").replaceChildren(html("a", { href: replayOf(match) }, t("Replay")), ...exportLinks(match), button, said);
  section.querySelector(".after")?.remove();
  section.append(after);
  const judge = async () => {
    const found = await get(`api/matches/${encodeURIComponent(match)}/analysis`);
    if (!shown()) return;
    if (found.players) after.replaceChildren(html("h2", {}, t("GNU Backgammon's verdict")), ...parts(found, match));
    else after.textContent = told(found.message, found.error) || t("The program does not answer. Is it running?");
    if (found.again_s) setTimeout(judge, found.again_s * 1000);
  };
  await judge();
}
