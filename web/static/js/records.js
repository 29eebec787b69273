// The matches that are kept: to step through, to take away as a file, to have analysed.

import { get, send } from "./api.js";
import { html } from "./dom.js";
import { namesOf, refusalWords, signed, t, told } from "./words.js";

const LONG_MS = 660000; // a long match takes GNU Backgammon minutes
const FORMS = { mat: "GNU Backgammon, XG", sgf: "GNU Backgammon", json: null, csv: "spreadsheets", txt: "to read" };

/** Links to a match as a file, one for each form, with what opens it, and to its score sheet. */
export function exportLinks(id) {
  const address = (form) => `api/matches/${encodeURIComponent(id)}/export.${form}`;
  const sheet = html("a", { href: address("html"), target: "_blank", rel: "noopener" }, t("Score sheet"));
  const files = Object.entries(FORMS).map(([form, opens]) => html("a", { href: address(form), download: "" }, form.toUpperCase(), opens ? html("small", {}, ` ${t(opens)}`) : null));
  return [...files, sheet];
}

/** Lists the matches; why that can't be done, or one can't be analysed, appears in `place`. */
export async function showRecords(list, place) {
  const matches = await get("api/matches");
  if (!Array.isArray(matches)) {
    place.textContent = told(matches.message, matches.error) || t("The program does not answer. Is it running?");
    return;
  }
  list.replaceChildren(...matches.map((match) => entry(match, place)));
}

function entry(match, place) {
  const { light, dark } = namesOf(match);
  const two = `${light} – ${dark}  ${match.score?.join(" : ") ?? ""}`;
  const who = match.standings?.map(({ name, points }) => `${name} ${signed(points)}`).join(", ") ?? two;
  const about = html("span", { class: "words" }, `${who}  ${match.date ?? ""}`);
  const replay = html("a", { href: `replay?match=${encodeURIComponent(match.id)}` }, t("Replay"));
  const analyse = html("button", { type: "button" }, t("Analyse"));
  analyse.addEventListener("click", async () => {
    analyse.disabled = true;
    place.textContent = t("GNU Backgammon is thinking");
    const found = await send(`api/matches/${match.id}/analysis`, "", LONG_MS);
    analyse.disabled = false;
    if (found.players) location.assign(`replay?match=${encodeURIComponent(match.id)}`);
    else place.textContent = refusalWords(found) || t("The program does not answer. Is it running?");
  });
  const report = html("a", { href: `report?match=${encodeURIComponent(match.id)}` }, t("Report"));
  return html("li", {}, about, replay, report, ...exportLinks(match.id), analyse);
}
