// The matches that are kept: to step through, to take away as a file, to have analysed.

import { get } from "./api.js";
import { html } from "./dom.js";
import { t, told } from "./words.js";

const FORMS = ["mat", "sgf", "json", "csv", "txt"];

/** Links to a match as a file, one for each form, and to its score sheet. */
export function exportLinks(id) {
  const address = (form) => `api/matches/${encodeURIComponent(id)}/export.${form}`;
  const sheet = html("a", { href: address("html"), target: "_blank", rel: "noopener" }, t("Score sheet"));
  return [...FORMS.map((form) => html("a", { href: address(form), download: "" }, form.toUpperCase())), sheet];
}

/** Lists the matches; an analysis appears in `place`. */
export async function showRecords(list, place) {
  const matches = await get("api/matches");
  if (!Array.isArray(matches)) return;
  list.replaceChildren(...matches.map((match) => entry(match, place)));
}

function entry(match, place) {
  const score = match.score?.join(" : ") ?? "";
  const about = html("span", { class: "words" }, `${match.light} – ${match.dark}  ${score}  ${match.date ?? ""}`);
  const replay = html("a", { href: `replay?match=${match.id}` }, t("Replay"));
  const analyse = html("button", { type: "button" }, t("Analyse"));
  analyse.addEventListener("click", async () => {
    analyse.disabled = true;
    place.textContent = t("GNU Backgammon is thinking");
    const found = await get(`api/matches/${match.id}/analysis`);
    analyse.disabled = false;
    place.replaceChildren(...(found.error !== undefined ? [told(found.error) || t("The program does not answer. Is it running?")] : report(found)));
  });
  return html("li", {}, about, replay, ...exportLinks(match.id), analyse);
}

function mistake(one) {
  const values = { game: one.game, number: one.number, played: one.played, better: one.better, lost: one.lost.toFixed(3) };
  return t("Game {game}, line {number}: {played}, better {better} (equity −{lost})", values);
}

function number(value) {
  return typeof value === "number" ? value.toFixed(3) : "";
}

function report(found) {
  const parts = [];
  const rows = found.players.map((player) =>
    html("tr", {}, html("th", { scope: "row" }, player.name), ...[player.error_rate, player.luck].map((value) => html("td", {}, number(value)))),
  );
  const head = html("tr", {}, ...["", t("Error rate"), t("Luck")].map((text) => html("th", { scope: "col" }, text)));
  parts.push(html("table", {}, head, ...rows));
  parts.push(...(found.worst ?? []).map((one) => html("p", {}, mistake(one))));
  if (found.graph) parts.push(html("img", { src: `data:image/svg+xml,${encodeURIComponent(found.graph)}`, alt: t("Equity through the match") }));
  return parts;
}
