"""What the referee says, in the glossary's words: the rules' reasons, and what rules alone can't see: dice, timing, the camera."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from controller.referee.events import Why
from controller.referee.names import called
from controller.rules import COLOURS, LANGUAGES, Reason, Side, reason_codes
from controller.rules.codes import Code, Wording
from controller.rules.notation import translate_play
from controller.rules.reasons import on_points

_PHRASES: dict[str, tuple[str, str, str]] = {
    Code.DIE_NOT_FLAT: (
        "Die not flat. Roll both dice again.",
        "Kostka neleží rovně. Hoďte znovu oběma kostkami.",
        "Kocka neleží rovno. Hoďte znova oboma kockami.",
    ),
    Code.DIE_OUTSIDE: (
        "Die outside the right half. Roll both again.",
        "Kostka je mimo pravou polovinu. Hoďte znovu oběma.",
        "Kocka je mimo pravej polovice. Hoďte znova oboma.",
    ),
    Code.DIE_ON_CHECKER: (
        "Die on a checker: roll again.",
        "Kostka na kameni: hoďte znovu.",
        "Kocka na kameni: hoďte znova.",
    ),
    Code.ROLLED_EARLY: (
        "Rolled early. {side} has not ended the turn.",
        "Předčasný hod. Tah ještě není ukončen: {side}.",
        "Predčasný hod. Ťah ešte nie je ukončený: {side}.",
    ),
    Wording.ROLL_STANDS: ("The roll stands.", "Hod platí.", "Hod platí."),
    Wording.OPPONENT_CHOOSES: (
        "{side} chooses: it stands, or it is rolled again.",
        "{side} volí: hod platí, nebo se hází znovu.",
        "{side} volí: hod platí, alebo sa hádže znova.",
    ),
    Wording.ROLL_AGAIN: ("Roll again.", "Hoďte znovu.", "Hoďte znova."),
    Code.ILLEGAL_PLAY_STANDS: (
        "Illegal play noted; it stands (next roll made).",
        "Nepřípustný tah zaznamenán; zůstává v platnosti (už bylo hozeno).",
        "Neprípustný ťah zaznamenaný; zostáva v platnosti (už sa hádzalo).",
    ),
    Wording.STANDS_SINCE_LIFTED: (
        "Illegal play noted; it stands (dice lifted).",
        "Nepřípustný tah zaznamenán; zůstává v platnosti (kostky už byly zvednuty).",
        "Neprípustný ťah zaznamenaný; zostáva v platnosti (kocky už boli zdvihnuté).",
    ),
    Wording.MOVED_SINCE: (
        "Checkers were moved after the turn, on points {points}. Please put them back.",
        "Po tahu se pohnulo kameny na {on} {points}. Vraťte je, prosím.",
        "Po ťahu sa pohlo kameňmi na {on} {points}. Vráťte ich, prosím.",
    ),
    Code.TIME_OUT: ("Time has run out: {side}.", "Vypršel čas: {side}.", "Vypršal čas: {side}."),
    Code.READING_UNCERTAIN: (
        "Reading uncertain: {one} or {other}? Please confirm.",
        "Nejisté čtení: {one}, nebo {other}? Potvrďte.",
        "Neisté čítanie: {one}, alebo {other}? Potvrďte.",
    ),
    Wording.TURN_UNCERTAIN: (
        "Reading uncertain: {play}? Please confirm.",
        "Nejisté čtení: {play}? Potvrďte.",
        "Neisté čítanie: {play}? Potvrďte.",
    ),
    Wording.GAME_UNENDED: (
        "The next game is set up, and nobody saw how game {number} ended. Set the score.",
        "Další hra je rozestavená a nikdo neviděl, jak skončila hra {number}. Opravte stav.",
        "Ďalšia hra je rozostavená a nikto nevidel, ako sa skončila hra {number}. Opravte stav.",
    ),
    Code.VIEW_BLOCKED: ("Camera view blocked.", "Výhled kamery je zakrytý.", "Výhľad kamery je zakrytý."),
    Code.TRACK_LOST: (
        "What stands does not follow from what was seen: something was played that nobody saw.",
        "Co stojí na desce, neplyne z toho, co bylo vidět: hrálo se něco, co nikdo neviděl.",
        "Čo stojí na doske, nevyplýva z toho, čo bolo vidieť: hralo sa niečo, čo nikto nevidel.",
    ),
    Code.OTHERS_DICE: (
        "{side} is on roll: these are the other player's dice.",
        "Na tahu je {side}: tohle jsou kostky soupeře.",
        "Na ťahu je {side}: toto sú kocky súpera.",
    ),
    Code.OPPONENT_MAY_CONDONE: (
        "{side} may accept this play or ask for a correction.",
        "{side} může tah přijmout, nebo žádat opravu.",
        "{side} môže ťah prijať alebo žiadať opravu.",
    ),
}

_SIDE_NAMES = {side.value: side for side in Side}


def sentence(reasons: Iterable[Why], language: str = "en", names: Mapping[Side, str] | None = None) -> str:
    """The reasons' sentences in a language, one after the other. names: what the players are called; their colours.

    A code that this version has no words for is said by its code.
    """
    return " ".join(_one(reason, language, names) for reason in reasons)


def in_words(reasons: Sequence[Why], names: tuple[str, str]) -> dict[str, str]:
    """The same in each language; none where nothing was kept of the reasons, or less than is said of them now. names: of those who
    have light and dark."""
    try:
        return {one: sentence(reasons, one, called(names, one)) for one in LANGUAGES if reasons}
    except KeyError:
        return {}


def _one(why: Why, language: str, names: Mapping[Side, str] | None) -> str:
    values = {name: _SIDE_NAMES[str(v)] if name == "side" and v in _SIDE_NAMES else v for name, v in why.params.items()}
    if why.code in _PHRASES:
        players = names or COLOURS[language]
        words = {name: players[v] if isinstance(v, Side) else v for name, v in values.items()}
        if "play" in words:
            words["play"] = _turn_in_words(str(words["play"]), language)
        words["on"] = on_points(words.get("points", ""), language)
        return _PHRASES[why.code][LANGUAGES.index(language)].format(**words)
    if why.code in reason_codes():
        return Reason(why.code, tuple(values.items())).text(language, names)
    return why.code


_DANCE = {"en": "no legal move", "cs": "hod propadá", "sk": "hod prepadá"}


def _turn_in_words(turn: str, language: str) -> str:
    """A turn as its reason has it: "65: 6/off", or "65: " where nothing could be played."""
    return translate_play(turn, language) if "/" in turn else f"{turn.rstrip()} {_DANCE[language]}"
