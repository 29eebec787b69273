// The set-up's question about the match: who plays, to how many points, by which rules, and whether the device shall speak.

import { command } from "./api.js";
import { sideName, t } from "./words.js";

const nameOf = (view, side) => (view[side].name === sideName(side) ? "" : view[side].name);

/** Rules of money games have no length of their own; choosing others gives the usual one back. */
export function lengthByRules(form) {
  const points = form.elements.namedItem("length");
  form.rules.addEventListener("change", () => {
    const { length } = form.rules.selectedOptions[0].dataset;
    if (length !== undefined) points.value = length;
    else if (points.value === "0") points.value = points.defaultValue;
  });
}

export class MatchStep {
  /** changed: is called whenever somebody has entered something. */
  constructor({ form, role, lead }, changed) {
    [this.form, this.roles, this.lead] = [form, role, lead];
    [this.view, this.underWay, this.touched] = [null, false, false];
    for (const element of [form, role]) {
      element.addEventListener("input", () => {
        this.touched = true;
        changed();
      });
    }
    lengthByRules(form);
  }

  /** Shows the match as it is, until somebody enters something. view: of the match, not of a practice game. */
  show(view, underWay) {
    const begun = underWay && view.phase !== "match over";
    this.lead.textContent = begun ? t("A match is on between {light} and {dark}: it goes on. A new one is begun at the desk.", { light: view.light.name, dark: view.dark.name }) : t("Who plays, to how many points, and by which rules?");
    this.form.hidden = begun;
    [this.view, this.underWay] = [view, begun];
    if (this.touched) return;
    this.form.light.value = nameOf(view, "light");
    this.form.dark.value = nameOf(view, "dark");
    this.form.elements.namedItem("length").value = view.match_length;
    this.roles.querySelector(`[value="${view.role}"]`).checked = true;
  }

  get #names() {
    return [this.form.light.value.trim(), this.form.dark.value.trim()];
  }

  /** The match may be called agreed upon. */
  get holds() {
    return this.underWay || this.#names.every(Boolean);
  }

  /** The role that was chosen. */
  get role() {
    return this.roles.querySelector(":checked")?.value ?? this.view?.role;
  }

  /** Begins the match where it is another than the one that is there; the server's answer. */
  async save() {
    if (!this.view) return { ok: true };
    const [light, dark] = this.#names;
    const length = Number(this.form.elements.namedItem("length").value);
    const rules = this.form.rules.value || null;
    const as = [nameOf(this.view, "light"), nameOf(this.view, "dark"), this.view.match_length, null];
    if (!this.underWay && this.holds && String([light, dark, length, rules]) !== String(as)) {
      if (!this.form.reportValidity()) return { ok: false, sentence: t("The points are a number from 0 to 99.") };
      const begun = await command({ type: "match", light, dark, length, rules });
      if (!begun.ok) return begun;
    }
    if (this.role !== this.view.role) {
      const set = await command({ type: "role", role: this.role });
      if (!set.ok) return set;
    }
    this.form.rules.value = "";
    this.touched = false;
    return { ok: true };
  }
}
