// The form that begins a match, at the desk and in the set-up.

/** The command that the form stands for. A stake that nobody has changed stays where the rules know one. */
export function newMatch(form) {
  const { elements } = form;
  const text = (name) => elements.namedItem(name).value.trim();
  const stake = text("stake") === elements.stake.defaultValue ? "" : `stake.point=${text("stake") || 0}`;
  return {
    type: "match",
    length: Number(text("length")),
    light: text("light"),
    dark: text("dark"),
    event: text("event"),
    place: text("place"),
    round: text("round"),
    xgid: text("xgid") || null,
    rules: text("rules") || null,
    set: [text("variant"), text("stacks"), text("team") && text("cubes"), stake, ...text("set").split(/[\s;]+/)].filter(Boolean),
    clock: elements.clock.checked,
    begins: elements.begins.closest("label").hidden ? null : text("begins") || null,
    team: text("team").split(/[,;]/).map((name) => name.trim()).filter(Boolean),
  };
}

/** Whoever has no draw in the rules is asked who begins. */
function askWhoBegins(form) {
  form.begins.closest("label").hidden = form.rules.selectedOptions[0].dataset.agreed === undefined;
}

/** Keeps what the form shows together: money is played game by game. */
export function keepNewMatch(form) {
  // A field that the browser finds wrong can only be shown where it is not folded away.
  form.addEventListener("invalid", (event) => event.target.closest("details.more")?.setAttribute("open", ""), true);
  form.addEventListener("reset", () => setTimeout(() => askWhoBegins(form)));
  form.rules.addEventListener("change", (event) => {
    const { length } = event.target.selectedOptions[0].dataset;
    askWhoBegins(form);
    const points = form.elements.namedItem("length");
    if (length !== undefined) points.value = length;
    else if (points.value === "0") points.value = points.defaultValue;
    if (points.value === "0") form.clock.checked = false; // which gives time by the points to be won
  });
}

/** What of the present match the form begins with. */
export function asInThisMatch(form, view) {
  form.clock.defaultChecked = view.clock !== null;
  form.stake.defaultValue = view.stake?.point ?? "";
  form.rules.options[0].toggleAttribute("data-agreed", view.agrees);
  askWhoBegins(form);
}
