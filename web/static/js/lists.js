// The lists beside the board: plays, what the referee flagged, lamps.

import { html, marker, unseen } from "./dom.js";
import { actionWords, flagSentence, flagSource, hasFrames, lampWords, sideName, t } from "./words.js";

const SETTLED_SHOWN = 12;

function playLine(play) {
  const notes = [];
  if (!play.legal) notes.push(html("span", { class: "chip note" }, t("Noted as illegal")));
  if (play.corrected) notes.push(html("span", { class: "chip note" }, t("Corrected")));
  if (!play.sure) notes.push(html("span", { class: "chip unsure" }, t("Uncertain reading")));
  return html(
    "li",
    { class: "play" },
    html("span", { class: "number" }, `${play.number}.`),
    ...(play.side ? [marker(play.side), unseen(`${sideName(play.side)}: `)] : []),
    html("span", { class: "roll" }, play.dice ? play.dice.join("-") : ""),
    html("span", { class: "notation" }, actionWords(play.notation), play.mark ? ` ${play.mark}` : ""),
    ...notes,
  );
}

/** The game's plays, the newest first. */
export function showPlays(list, plays) {
  const lines = [...plays].reverse().map(playLine);
  if (!lines.length) lines.push(html("li", { class: "none" }, t("No play yet")));
  list.replaceChildren(...lines);
}

function flagCard(flag, view, lookAt) {
  const stands = flag.resolved === null;
  const state = stands ? t("Open") : t("Settled: {how}", { how: t(flag.resolved) });
  const look = hasFrames ? html("button", { type: "button", class: "look" }, t("What the camera saw")) : null;
  look?.addEventListener("click", () => lookAt(flag));
  return html(
    "li",
    { class: stands ? "flag standing" : "flag", "data-code": flag.code },
    html("p", { class: "sentence" }, flag.side ? marker(flag.side) : null, flagSentence(flag, view), flagSource(flag)),
    html(
      "p",
      { class: "about" },
      html("span", {}, t("Turn {number}", { number: flag.turn })),
      html("span", { class: "state" }, state),
      look,
    ),
  );
}

/** Flags that stand in one list, the settled ones in another, newest first. lookAt(flag) shows the frame behind one. */
export function showFlags(standing, settled, section, view, lookAt) {
  const newest = view.practice ? [] : [...view.flags].reverse();
  const done = newest.filter((flag) => flag.resolved !== null).slice(0, SETTLED_SHOWN);
  standing.replaceChildren(...newest.filter((flag) => flag.resolved === null).map((flag) => flagCard(flag, view, lookAt)));
  settled.replaceChildren(...done.map((flag) => flagCard(flag, view, lookAt)));
  section.hidden = done.length === 0;
}

/** The lamps that are lit, by the names that the panel gives them. */
export function showLamps(list, section, view) {
  const lamps = view.panel;
  section.hidden = lamps.length === 0;
  list.replaceChildren(
    ...lamps.map((lamp) => html("li", { "data-lamp": lamp }, html("span", { class: "glow", "aria-hidden": "true" }), lampWords(lamp, view))),
  );
}
