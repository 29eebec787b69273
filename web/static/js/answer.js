// What the referee answers stands where the finger is: beside the button, in the form or in the dialog from which it was asked.

import { html } from "./dom.js";
import { refusalWords, t } from "./words.js";

const BESIDE = "dialog form, form, .row, li, .dice-grid, .plays-grid, .card, .big";
let said = null;

function place(near) {
  const around = near?.closest?.("#board") ? document.querySelector(".tapping") : near?.closest?.(BESIDE);
  if (!around) document.querySelector("main").prepend(said);
  else if (around.matches("form, li, .big")) around.append(said);
  else around.after(said);
}

/** Shows why something was refused, near the element that asked for it; nothing where it was done. Returns whether it was. */
export function tell(answer, near) {
  said?.remove();
  said = null;
  if (answer.status === 401) location.reload();
  if (answer.ok) return true;
  // An alert is read out when it is put in.
  said = html("p", { id: "answer", class: "answer refusal", role: "alert" }, refusalWords(answer) || t("The program does not answer. Is it running?"));
  place(near?.isConnected === false ? null : near);
  said.scrollIntoView({ block: "nearest" });
  return false;
}
