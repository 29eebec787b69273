// Three hints for who sees the page for the first time. They never come back: the browser remembers that they were shown.

import { html } from "./dom.js";
import { style } from "./later.js";
import { recall, remember } from "./settings.js";
import { t } from "./words.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");

const hints = () => [
  ["#flip", t("This is the board as it stands now. The two arrows turn it round, so that you see it from your side.")],
  [".now", t("Here the referee says whose turn it is and what is wrong. Every play stands in the list of plays.")],
  [".menu summary", t("Behind the sliders are colours, language, the replay of the match, and the address for others.")],
];

/** Shows them, unless this browser has seen them or keeps nothing. */
export async function tour() {
  if (recall("tour", "")) return;
  remember("tour", "seen");
  if (recall("tour", "") !== "seen") return;
  await style("tour.css");
  const steps = hints();
  const [count, words] = [html("p", { class: "count" }), html("p", { class: "words" })];
  const [skip, next] = [html("button", { type: "button" }, t("Skip")), html("button", { type: "button", class: "main" })];
  const card = html("section", { id: "tour", "aria-label": t("First hints") }, html("div", { "aria-live": "polite" }, count, words), html("div", { class: "buttons" }, skip, next));
  let at = -1;

  const leave = () => {
    document.querySelector(".toured")?.classList.remove("toured");
    card.remove();
    removeEventListener("keydown", onKey);
  };

  const onKey = ({ key }) => {
    if (key === "Escape") leave();
  };

  function go() {
    at += 1;
    document.querySelector(".toured")?.classList.remove("toured");
    if (at === steps.length) return leave();
    const [place, text] = steps[at];
    const target = document.querySelector(place);
    target.classList.add("toured");
    card.classList.remove("above");
    target.scrollIntoView({ behavior: still.matches ? "auto" : "smooth", block: "nearest" });
    count.textContent = `${at + 1}/${steps.length}`;
    words.textContent = text;
    skip.hidden = at === steps.length - 1;
    next.textContent = at === steps.length - 1 ? t("I see") : t("Next");
    card.classList.toggle("above", target.getBoundingClientRect().bottom > card.getBoundingClientRect().top); // not over what it points to
  }

  skip.addEventListener("click", leave);
  next.addEventListener("click", go);
  addEventListener("keydown", onKey);
  document.body.append(card);
  go();
}
