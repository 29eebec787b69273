// The page's words in the visitor's language, from the table that the server put into the page (web/words.py).

const data = JSON.parse(document.getElementById("data").textContent);

export const language = data.language;
export const hasFrames = data.frames;

/** More of the table: of a part that was fetched later. */
export function addWords(table) {
  Object.assign(data.table, table);
}

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

/** A message of the program, {words, ...} by language; else the sentence in English. */
export function told(message, sentence = "") {
  return message?.words[language] ?? sentence;
}

/** Why something was refused. */
export function refusalWords({ sentence, message }) {
  return told(message, sentence);
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

/** What the referee says, in full: of a play that stands on the board also what was played, and what would have been legal. */
export function flagSentence(flag, view) {
  const sentence = said(flag.text, flag.said);
  if (!flag.played) return sentence;
  const played = t("{name} played {moves} with {dice}.", { name: view[flag.side].name, moves: notationWords(flag.played), dice: flag.dice.join("-") });
  return [played, sentence, flag.possible ? t("Possible would have been {moves}.", { moves: notationWords(flag.possible) }) : ""].filter(Boolean).join(" ");
}

/** Where a sentence of the referee comes from, where it is not the game's own rules; else "". */
export function flagSource(flag) {
  return flag.tournament ? ` (${t("tournament rule")})` : "";
}

const STATUS = {
  opening: () => t("Opening roll: each player throws one die."),
  "to roll": (view) => t("To roll: {name}", { name: view[view.turn].name }),
  "to play": (view) => t("To play: {name}", { name: view[view.turn].name }),
  "cube offered": (view) => t("Cube offered at {value}. Take or pass: {name}", { value: view.cube.value * 2, name: view[view.cube.offered].name }),
  "game over": () => t("Game over. Set up the next one."),
};

/** Where the match stands, in the visitor's language as far as the page can say it. */
export function statusSentence(view) {
  if (language === "en" || view.status_said[language]) return said(view.status, view.status_said);
  const say = STATUS[view.phase];
  const needsTurn = view.phase === "to roll" || view.phase === "to play";
  return say && (view.turn || !needsTurn) ? say(view) : t(view.status);
}

/** What keeps the board from counting now: the journal or the camera has a fault, or it is being set up; else what is weak about the
 * picture; "" where nothing is. */
export function notice(view) {
  if (view.stopped) return `${t("The game can't be written down, so nothing counts now.")} ${told(view.journal_message, view.journal)}`;
  if (view.practice) return t("The board is being set up. Nothing of this is written down.");
  if (view.camera !== "ok") return told(view.camera_message, view.camera);
  return view.journal ? told(view.journal_message, view.journal) : weakWords(view.picture, view.picture_messages).join(" ");
}

/** What is weak about a picture: each thing in the visitor's language, in English where there are no messages. */
export function weakWords(weak = [], messages = []) {
  return messages.length ? messages.map((one) => told(one)) : weak.map((sentences) => sentences.join(" "));
}

/** A play as it is written in the visitor's language: "off" is "ven". */
function notationWords(text) {
  return text.replace(/\b(bar|off)\b/g, (word) => (word === "bar" ? t("bar") : t("off")));
}

/** A written number with the visitor's language's mark before its decimals. */
const pointed = (text) => (language === "en" ? text : text.replace(".", ","));

/** A number that may be less than 0, with the sign that print has for that. */
export const minus = (number) => String(number).replace("-", "−");

/** An amount of money, "0.50 €", as the visitor's language writes it. */
export function moneyWords(text) {
  return minus(pointed(text));
}

/** A number with so many decimals, as the visitor's language writes it; "–" where there is none. */
export function decimal(value, digits) {
  if (typeof value !== "number") return "–";
  return minus(pointed(value.toFixed(digits)));
}

/** Points that may be lost ones: "+4", "0", "−2". */
export function signed(points) {
  return points > 0 ? `+${points}` : minus(points);
}

/** A line of the move list: a play, or what is none, such as "doubles to 2" or "passes". */
export function actionWords(text) {
  if (text.includes("/")) return notationWords(text);
  const cube = /^(doubles|beavers|raccoons) to (\d+)$/.exec(text);
  if (!cube) return t(text);
  if (cube[1] === "doubles") return t("doubles to {value}", { value: cube[2] });
  return cube[1] === "beavers" ? t("beavers to {value}", { value: cube[2] }) : t("raccoons to {value}", { value: cube[2] });
}

const LAMPS = [
  [/^turn: (light|dark)$/, (name, side) => t("turn: {side}", { side: name(side) })],
  [/^error$/, () => t("please check")],
  [/^cube (\d+): offered to (light|dark)$/, (name, value, side) => t("cube {value}: offered to {side}", { value, side: name(side) })],
  [/^cube (\d+): (light|dark)$/, (name, value, side) => t("cube {value}: {side}", { value, side: name(side) })],
  [/^cube (\d+): centred$/, (name, value) => t("cube {value}: centred", { value })],
  [/^point (\d+): source$/, (name, point) => t("point {point}: a checker is lifted", { point })],
  [/^point (\d+): goal$/, (name, point) => t("point {point}: it may go here", { point })],
  [/^bar \w+: source$/, () => t("bar: a checker is lifted")],
  [/^bar \w+: goal$/, () => t("bar: it may go here")],
];

/** A lit lamp in words, from the panel's English name for it; the sides by their names in the view. */
export function lampWords(lamp, view) {
  for (const [pattern, say] of LAMPS) {
    const found = pattern.exec(lamp);
    if (found) return say((side) => view[side].name, ...found.slice(1));
  }
  return t(lamp);
}

/** A side's name as the referee says it. */
export function sideName(side) {
  return side === "light" ? t("White") : t("Black");
}

const UNNAMED = { light: "Light", dark: "Dark" };

/** A player's name, with the colour for that of one whom nobody has named. */
export function nameOf(side, name) {
  return name === UNNAMED[side] ? sideName(side) : name;
}

/** Names by side, in the same way. */
export function namesOf({ light, dark }) {
  return { light: nameOf("light", light), dark: nameOf("dark", dark) };
}

/** The view with the colours as names of players whom nobody has named. */
export function named(view) {
  const names = namesOf({ light: view.light.name, dark: view.dark.name });
  return { ...view, light: { ...view.light, name: names.light }, dark: { ...view.dark, name: names.dark } };
}

const NUMBERS = ["zero", "one", "two", "three", "four", "five", "six"];

/** Dice in words, as a screen reader should say them: "six and five". */
export function diceInWords(dice) {
  const words = dice.map((die) => t(NUMBERS[die] ?? String(die)));
  return words.length === 2 ? t("{first} and {second}", { first: words[0], second: words[1] }) : words.join(", ");
}
