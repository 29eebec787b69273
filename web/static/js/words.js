// The page's words in the visitor's language, from the table that the server put into the page (web/words.py).

const data = JSON.parse(document.getElementById("data").textContent);

export const language = data.language;
export const hasFrames = data.frames;

function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (place, name) => (name in values ? values[name] : place));
}

function pluralForm(n) {
  if (language === "en") return n === 1 ? 0 : 1;
  return n === 1 ? 0 : n >= 2 && n <= 4 ? 1 : 2;
}

/** The English text in the visitor's language, with values in its {places}. */
export function t(text, values = {}) {
  return fill((data.table[text] ?? [text])[0], values);
}

/** The form that the language uses for n things. */
export function tn(one, many, n, values = {}) {
  const forms = data.table[one] ?? [one, many];
  return fill(forms[Math.min(pluralForm(n), forms.length - 1)], { n, ...values });
}

/** A sentence of the referee, in the visitor's language where the view carries it. */
export function said(english, others) {
  return others?.[language] ?? t(english);
}

/** A side's name as the referee says it. */
export function sideName(side) {
  return side === "light" ? t("White") : t("Black");
}

const NUMBERS = ["zero", "one", "two", "three", "four", "five", "six"];

/** Dice in words, as a screen reader should say them: "six and five". */
export function diceInWords(dice) {
  const words = dice.map((die) => t(NUMBERS[die] ?? String(die)));
  return words.length === 2 ? t("{first} and {second}", { first: words[0], second: words[1] }) : words.join(", ");
}
