// Puts the page together: each view that arrives is drawn, told and listed.

import { Board } from "./board.js";
import { showChouette } from "./chouette.js";
import { keepClocks } from "./clock.js";
import { keepConnection } from "./connection.js";
import { pictured } from "./dom.js";
import { across } from "./geometry.js";
import { news, showWords } from "./inwords.js";
import { showFlags, showLamps, showPlays } from "./lists.js";
import { keepLastSeen } from "./lastseen.js";
import { later } from "./later.js";
import { keepAwake, keepPage } from "./phone.js";
import { matchWords, showPlayer } from "./players.js";
import { recall, remember } from "./settings.js";
import { follow } from "./stream.js";
import { minus, notice, statusSentence, t } from "./words.js";

const LONGEST_STILL_MS = 2000;
const $ = (id) => document.getElementById(id);
const board = new Board($("board"));
const clocks = keepClocks();
let view = null;
let flipped = recall("flipped", "no") === "yes";

function lookAt({ number, turn, code }) {
  $("picture-image").alt = t("What the camera saw");
  $("picture-image").src = `api/flags/${number}/frame.jpg${pictured(view.match_id, turn, code)}`;
  $("picture").showModal();
}

// None was taken, or others have taken its place.
$("picture-image").addEventListener("error", () => { $("picture-image").alt = t("There is no picture."); });

function draw() {
  const corner = flipped ? across(view.light_home) : view.light_home;
  const below = corner.startsWith("bottom") ? "light" : "dark";
  board.show(view, corner);
  showPlayer($("player-bottom"), view, below);
  showPlayer($("player-top"), view, below === "light" ? "dark" : "light");
}

function tell() {
  const [match, ...more] = matchWords(view);
  $("match").textContent = [match, ...more].join(" · ");
  document.title = `${view.light.name} ${minus(view.light.score)} : ${minus(view.dark.score)} ${view.dark.name} · Vrhcáb`;
  $("status").textContent = statusSentence(view);
  $("camera").textContent = notice(view);
  $("camera").hidden = !notice(view);
  showFlags($("standing"), $("settled"), $("settled-section"), view, lookAt);
  showPlays($("plays"), view.plays);
  if ($("replay")) {
    $("replay").hidden = !view.match_id;
    $("replay").href = `replay?match=${encodeURIComponent(view.match_id)}`;
    tellFinished($("finished"));
  }
  tellCoach($("coach"));
  showChouette($("chouette"), view);
  showLamps($("panel"), $("panel-section"), view);
  showWords(
    {
      summary: $("text-summary"),
      light: { title: $("text-light"), list: $("text-light-list") },
      dark: { title: $("text-dark"), list: $("text-dark-list") },
    },
    view,
  );
}

/** What is left of a match that is over is fetched when it is. */
async function tellFinished(section) {
  const match = view.phase === "match over" ? view.match_id : "";
  if (section.dataset.match === match) return;
  const first = section.dataset.match === undefined;
  section.dataset.match = match;
  section.hidden = true;
  const shown = () => section.dataset.match === match;
  if (match && first) keepStill(); // what is below it would move when it comes
  const part = match && (await later("finished"));
  if (shown() && part) {
    await part.showFinished(section, match, shown);
    section.hidden = !shown();
  } else if (shown()) {
    delete section.dataset.match; // with the next view it is asked for again
  }
  delete document.body.dataset.judging;
}

/** Shows nothing below the status until the verdict is there, or has been waited for long enough. */
function keepStill() {
  document.body.dataset.judging = "";
  setTimeout(() => { delete document.body.dataset.judging; }, LONGEST_STILL_MS);
}

let coach = null; // draws the coach's card, where anybody is coached

async function tellCoach(section) {
  if (!section || (!coach && view.role !== "coach")) return;
  const part = coach ? null : await later("coach");
  coach ??= part?.keepCoach(section) ?? null;
  coach?.(view);
}

function announce(text) {
  if (text) $("announcer").textContent = text;
}

let heard = false; // something of the board; until then what is shown was kept
const checkAwake = keepAwake(() => $("awake").checked && heard && view !== null && view.match_id !== "" && view.phase !== "match over");

function onView(next, age) {
  const before = view;
  view = next;
  $("waiting").hidden = true;
  document.body.dataset.sequence = next.sequence;
  draw();
  tell();
  clocks(next, age);
  checkAwake();
  if (before) announce(news(before, next));
  else if ("tour" in document.body.dataset && !recall("tour", "")) later("tour").then((part) => part?.tour());
}

$("flip").setAttribute("aria-pressed", String(flipped));
$("flip").addEventListener("click", () => {
  flipped = !flipped;
  remember("flipped", flipped ? "yes" : "no");
  $("flip").setAttribute("aria-pressed", String(flipped));
  if (!view) return;
  draw();
  clocks();
});

$("theme").value = recall("theme", "auto");
$("theme").addEventListener("change", () => {
  const chosen = $("theme").value;
  remember("theme", chosen);
  if (chosen === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
});

for (const part of ["board", "checkers"]) {
  const choice = $(`${part}-colours`);
  choice.value = recall(part, "");
  choice.addEventListener("change", () => {
    remember(part, choice.value);
    document.documentElement.dataset[part] = choice.value;
  });
}

$("language").addEventListener("change", () => $("language").form.submit());

// An iPhone makes no click of a tap on what nothing is done with.
document.addEventListener("pointerdown", (event) => {
  const menu = document.querySelector(".menu");
  if (menu.open && !menu.contains(event.target)) menu.open = false;
});
document.addEventListener("keydown", (event) => {
  const menu = document.querySelector(".menu");
  if (event.key === "Escape" && menu.open) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});

$("awake").checked = recall("awake", "yes") === "yes";
$("awake").addEventListener("change", () => {
  remember("awake", $("awake").checked ? "yes" : "no");
  checkAwake();
});

$("hand-on")?.addEventListener("click", () => {
  document.querySelector(".menu").open = false;
  $("share").hidden = !navigator.share || !$("share").dataset.address;
  $("others").showModal();
});
$("share")?.addEventListener("click", () => navigator.share({ title: document.title, url: $("share").dataset.address }).catch(() => {}));

const connection = keepConnection($("connection"), announce);
const lastSeen = keepLastSeen($("age"), onView);
follow(
  (next, age) => {
    heard = true;
    lastSeen.seen(next);
    onView(next, age);
  },
  (state) => {
    connection(state);
    lastSeen.state(state);
  },
);
keepPage();
