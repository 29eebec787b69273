"""Why something is not allowed: a code, its values, and the referee's sentence in English, Czech and Slovak.

R01-R24 are the referee's phrases that players of the field know from tournaments; R25 onwards were added for rules that
those do not name. Sides are named by colour; whoever knows the real colours passes their names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from controller.rules.codes import Code, Wording
from controller.rules.errors import RulesError
from controller.rules.side import Side

Value = int | str | Side
LANGUAGES = ("en", "cs", "sk")

_PHRASES: dict[str, tuple[str, str, str]] = {
    Code.NOT_THE_ROLL: (
        "Play does not match {dice}. Put the checkers back and replay, before the next roll.",
        "Tah neodpovídá hodu {dice}. Vraťte kameny a táhněte znovu, před dalším hodem.",
        "Ťah nezodpovedá hodu {dice}. Vráťte kamene a ťahajte znova, pred ďalším hodom.",
    ),
    Code.BOTH_DICE_PLAYABLE: ("Both numbers can be played.", "Lze hrát obě čísla.", "Dajú sa hrať obe čísla."),
    Wording.DOUBLE_PLAYABLE: (
        "The {die} can be played {times} times.",
        "Číslo {die} lze hrát {times}×.",
        "Číslo {die} sa dá hrať {times}×.",
    ),
    Wording.DOUBLE_PLAYABLE_ONCE: (
        "The {die} can be played.",
        "Číslo {die} lze hrát.",
        "Číslo {die} sa dá hrať.",
    ),
    Code.LARGER_DIE: (
        "Only one number can be played: it must be the {die}.",
        "Lze hrát jen jedno číslo: musí to být {die}.",
        "Dá sa hrať len jedno číslo: musí to byť {die}.",
    ),
    Code.BAR_FIRST: (
        "Checker on the bar must enter first.",
        "Nejdříve kámen z přepážky.",
        "Najprv kameň z prepážky.",
    ),
    Code.BLOCKED_POINT: (
        "Point {point} is held by {side}.",
        "Klín {point} drží {side}.",
        "Klin {point} drží {side}.",
    ),
    Code.HIT_CHECKER_NOT_ON_BAR: (
        "Hit checker belongs on the bar.",
        "Vyhozený kámen patří na přepážku.",
        "Vyhodený kameň patrí na prepážku.",
    ),
    Code.BORE_OFF_EARLY: (
        "Not all checkers are home.",
        "Ještě nejsou všechny kameny ve vnitřním poli.",
        "Ešte nie sú všetky kamene vo vnútornom poli.",
    ),
    Code.WRONG_NUMBER_OF_CHECKERS: (
        "{side}: {count} {checkers} seen. Please check.",
        "{side}: vidím {count} {checkers}. Zkontrolujte.",
        "{side}: vidím {count} {checkers}. Skontrolujte.",
    ),
    Code.WRONG_SET_UP: (
        "Starting position differs on points {points}.",
        "Výchozí postavení se liší na {on} {points}.",
        "Základné postavenie sa líši na {on} {points}.",
    ),
    Code.DOUBLED_IN_CRAWFORD_GAME: (
        "Crawford game: no doubling.",
        "Crawfordova hra: nezdvojuje se.",
        "Crawfordova hra: nezdvojuje sa.",
    ),
    Code.DOUBLED_AFTER_ROLL: (
        "Double only before the roll.",
        "Zdvojit lze jen před hodem.",
        "Zdvojiť možno len pred hodom.",
    ),
    Code.NOT_CUBE_OWNER: (
        "Only {side} may double (cube owner).",
        "Zdvojit smí jen {side} (majitel kostky).",
        "Zdvojiť smie len {side} (majiteľ kocky).",
    ),
    Code.CUBE_NOT_CENTRED: (
        "Cube should be centred on 64.",
        "Zdvojovací kostka má být uprostřed na 64.",
        "Zdvojovacia kocka má byť v strede na 64.",
    ),
    Code.SCORES_DIFFER: (
        "Score differs: sheet {sheet}, board {board}. Please agree.",
        "Stav nesouhlasí: {sheet} a {board}. Dohodněte se.",
        "Stav nesúhlasí: {sheet} a {board}. Dohodnite sa.",
    ),
    Code.NO_LEGAL_MOVE: ("No legal move.", "Hod propadá.", "Hod prepadá."),
    Code.CHECKER_FURTHER_BACK: (
        "Checker on point {point} stands further back.",
        "Na klínu {point} stojí kámen dál od konce.",
        "Na kline {point} stojí kameň ďalej od konca.",
    ),
    Code.OTHER_SIDE_MOVED: (
        "{side}: checkers differ on points {points}. Only a hit moves them.",
        "{side}: kameny se liší na {on} {points}. Pohne jimi jen vyhození.",
        "{side}: kamene sa líšia na {on} {points}. Pohne nimi len vyhodenie.",
    ),
    Code.TOO_MANY_ON_POINT: (
        "No more than {limit} {checkers} may stand on point {point}.",
        "Na klínu {point} smí stát nejvýše {limit} {checkers}.",
        "Na kline {point} smie stáť najviac {limit} {checkers}.",
    ),
    Code.BOTH_SIDES_ON_POINT: (
        "Point {point} shows checkers of both sides.",
        "Na klínu {point} jsou kameny obou hráčů.",
        "Na kline {point} sú kamene oboch hráčov.",
    ),
    Code.ALL_BORNE_OFF: (
        "Both sides have borne off every checker.",
        "Oba hráči už vyvedli všechny kameny.",
        "Obaja hráči už vyviedli všetky kamene.",
    ),
    Code.BOTH_CLOSED_OUT: (
        "Both sides are closed out: this cannot happen.",
        "Oba hráči jsou uzavřeni: to nemůže nastat.",
        "Obaja hráči sú uzavretí: to nemôže nastať.",
    ),
    Code.NO_CUBE: (
        "No doubling cube in these rules.",
        "Podle těchto pravidel se hraje bez zdvojovací kostky.",
        "Podľa týchto pravidiel sa hrá bez zdvojovacej kocky.",
    ),
    Code.NOT_ON_ROLL: (
        "Only the player on roll may double: {side}.",
        "Zdvojit smí jen hráč na tahu: {side}.",
        "Zdvojiť smie len hráč na ťahu: {side}.",
    ),
    Code.CUBE_LIMIT: (
        "The cube may not go above {limit}.",
        "Zdvojovací kostka nesmí přesáhnout {limit}.",
        "Zdvojovacia kocka nesmie presiahnuť {limit}.",
    ),
    Code.DEAD_CUBE: (
        "Dead cube: {side} wins the match without doubling.",
        "Mrtvá kostka: {side} vyhraje zápas i bez zdvojení.",
        "Mŕtva kocka: {side} vyhrá zápas aj bez zdvojenia.",
    ),
    Code.NO_BEAVER: (
        "No beaver here: {limit} allowed in one game.",
        "Bobr tu není možný, povolený počet v jedné hře: {limit}.",
        "Bobor tu nie je možný, povolený počet v jednej hre: {limit}.",
    ),
    Code.NO_RACCOON: (
        "No raccoon here.",
        "Mýval tu není možný.",
        "Mýval tu nie je možný.",
    ),
    Code.NO_DOUBLE_OFFERED: (
        "No double is offered.",
        "Žádné zdvojení není nabídnuto.",
        "Nijaké zdvojenie nie je ponúknuté.",
    ),
    Code.DOUBLE_OFFERED: (
        "A double is offered: take or pass first.",
        "Je nabídnuto zdvojení: nejdříve přijmout, nebo odmítnout.",
        "Je ponúknuté zdvojenie: najprv prijať, alebo odmietnuť.",
    ),
    Code.RESIGN_BEFORE_ROLL: (
        "Resign only before your own roll.",
        "Vzdát lze jen před vlastním hodem.",
        "Vzdať možno len pred vlastným hodom.",
    ),
    Code.NO_SUCH_RESIGNATION: (
        "No resigning at level {level} in these rules.",
        "Podle těchto pravidel nelze vzdát na úrovni {level}.",
        "Podľa týchto pravidiel nemožno vzdať na úrovni {level}.",
    ),
    Code.OTHER_SIDE_ANSWERS: (
        "{side} has to answer the double.",
        "Na zdvojení odpovídá {side}.",
        "Na zdvojenie odpovedá {side}.",
    ),
    Code.BEAVER_MUST_BE_TAKEN: (
        "The beaver must be taken.",
        "Bobra je nutné přijmout.",
        "Bobra treba prijať.",
    ),
    Code.OTHER_SIDE_BEGINS: (
        "By the draw {side} begins.",
        "Podle losování začíná {side}.",
        "Podľa losovania začína {side}.",
    ),
}

COLOURS = {
    "en": {Side.LIGHT: "White", Side.DARK: "Black"},
    "cs": {Side.LIGHT: "Bílý", Side.DARK: "Černý"},
    "sk": {Side.LIGHT: "Biely", Side.DARK: "Čierny"},
}
"""What each side is called in each language where it has no name (glossary, what the referee says)."""

_CHECKERS = {
    "en": ("checker", "checkers", "checkers"),
    "cs": ("kámen", "kameny", "kamenů"),
    "sk": ("kameň", "kamene", "kameňov"),
}


def _checkers(count: int, language: str) -> str:
    """The word for so many checkers: one, two to four, others."""
    return _CHECKERS[language][0 if count == 1 else 1 if 2 <= count <= 4 else 2]


_ON = {"cs": ("klínu", "klínech"), "sk": ("kline", "klinoch")}


def on_points(points: Value, language: str) -> str:
    """The word for points on which something is: "8", or "8, 13" of several. "" in English, whose phrases have one for both."""
    return _ON[language]["," in str(points)] if language in _ON else ""


@dataclass(frozen=True)
class Reason:
    """One thing that is wrong. params: the values of its sentence, as (name, value) pairs."""

    code: str
    params: tuple[tuple[str, Value], ...] = ()

    @property
    def values(self) -> dict[str, Value]:
        """The params by name."""
        return dict(self.params)

    def text(self, language: str = "en", names: Mapping[Side, str] | None = None) -> str:
        """The referee's sentence. names: what to call each side instead of White and Black.

        Raises RulesError for a language other than en, cs and sk.
        """
        if language not in LANGUAGES:
            raise RulesError(f"The referee speaks {', '.join(LANGUAGES)}, not {language!r}.")
        phrase = _PHRASES[self._phrase_key()][LANGUAGES.index(language)]
        called = names or COLOURS[language]
        words = {name: called[value] if isinstance(value, Side) else str(value) for name, value in self.params}
        count = self.values.get("count", self.values.get("limit"))
        if isinstance(count, int):
            words["checkers"] = _checkers(count, language)
        words["on"] = on_points(words.get("points", ""), language)
        return phrase.format(**words)

    def _phrase_key(self) -> str:
        times = self.values.get("times") if self.code == Code.BOTH_DICE_PLAYABLE else None
        if times is None:
            return self.code
        return Wording.DOUBLE_PLAYABLE_ONCE if times == 1 else Wording.DOUBLE_PLAYABLE


def reason(code: str, **params: Value) -> Reason:
    """A Reason from keywords. Raises RulesError for a code without a phrase."""
    if code not in _PHRASES:
        raise RulesError(f"There is no reason {code!r}.")
    return Reason(code, tuple(params.items()))


def reason_codes() -> tuple[str, ...]:
    """Every code that the rules can give."""
    return tuple(code for code in _PHRASES if "-" not in code)
