// The set-up's question about the match: who plays, to how many points, by which rules, and whether the device shall speak.

import { command } from "./api.js";
import { asInThisMatch, keepNewMatch, newMatch } from "./newmatch.js";
import { sideName, t } from "./words.js";

const nameOf = (view, side) => (view[side].name === sideName(side) ? "" : view[side].name);

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
    keepNewMatch(form);
  }

  /** Shows the match as it is, until somebody enters something. view: of the match, not of a practice game. */
  show(view, underWay) {
    const begun = underWay && view.phase !== "match over";
    this.lead.textContent = begun ? t("A match is on between {light} and {dark}: it goes on. A new one is begun at the desk.", { light: view.light.name, dark: view.dark.name }) : t("Who plays, to how many points, and by which rules?");
    this.form.hidden = begun;
    [this.view, this.underWay] = [view, begun];
    if (this.touched) return;
    asInThisMatch(this.form, view);
    this.form.reset();
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

  /** Begins the match where somebody has entered another, and sets the role; the server's answer. */
  async save() {
    if (!this.view) return { ok: true };
    const role = this.role;
    if (this.touched && !this.underWay && this.holds) {
      if (!this.form.reportValidity()) return { ok: false, sentence: t("The points are a number from 0 to 99.") };
      const begun = await command(newMatch(this.form));
      if (!begun.ok) return begun;
    }
    if (role !== this.view.role) {
      const set = await command({ type: "role", role });
      if (!set.ok) return set;
    }
    this.touched = false;
    return { ok: true };
  }
}
