"""Where a match stands, in one sentence in each of the page's languages. Pure."""

from __future__ import annotations

from functools import lru_cache

from controller.referee.events import Found
from controller.referee.names import called
from controller.referee.state import MatchState, Phase, ToPlay
from controller.rules import LANGUAGES, RuleSet, is_dance, legal_plays, must_roll
from controller.rules.codes import Code

_STATUS: dict[str, tuple[str, str, str]] = {
    "set up": ("Waiting for the camera.", "Čeká se na kameru.", "Čaká sa na kameru."),
    "drawn": ("To begin: {name}", "Začíná: {name}", "Začína: {name}"),
    "drawn for colours": (
        "To begin: {name}. The opponent may choose the colour.",
        "Začíná: {name}. Barvu volí soupeř.",
        "Začína: {name}. Farbu volí súper.",
    ),
    "drawn, and chooses": (
        "To begin: {name}. The same player may choose the colour.",
        "Začíná: {name}. Barvu volí tentýž hráč.",
        "Začína: {name}. Farbu volí ten istý hráč.",
    ),
    "agreed": ("Say who begins.", "Určete, kdo začíná.", "Určte, kto začína."),
    "resignation": (
        "Offers to resign: {name}. Accept or refuse?",
        "Nabízí vzdání: {name}. Přijmout, nebo odmítnout?",
        "Ponúka vzdanie: {name}. Prijať, alebo odmietnuť?",
    ),
    "opening": (
        "Opening roll: each player throws one die.",
        "Zahajovací hod: každý hází jednou kostkou.",
        "Úvodný hod: každý hádže jednou kockou.",
    ),
    "begun": (
        "A game is on: begun at this position. Whoever rolls next is on roll.",
        "Hra už běží: začíná se v této pozici. Na tahu je, kdo teď hodí.",
        "Hra už beží: začína sa v tejto pozícii. Na ťahu je, kto teraz hodí.",
    ),
    "found in the middle": (
        "What was played was not seen: the game goes on from this position. Whoever rolls next is on roll.",
        "Co se hrálo, nebylo vidět: hra pokračuje z této pozice. Na tahu je, kdo teď hodí.",
        "Čo sa hralo, nebolo vidieť: hra pokračuje z tejto pozície. Na ťahu je, kto teraz hodí.",
    ),
    "presumed": (
        "A game seems to be on, at this position. It is written down once what follows bears it out.",
        "Hra už zřejmě běží, v této pozici. Zapíše se, až to další tahy potvrdí.",
        "Hra už zrejme beží, v tejto pozícii. Zapíše sa, keď to ďalšie ťahy potvrdia.",
    ),
    "lost and presumed": (
        "What stands does not follow from what was seen of the game. It seems to go on from here: what follows will tell.",
        "Co stojí na desce, neplyne z toho, co bylo ze hry vidět. Hra zřejmě pokračuje odtud: další tahy to potvrdí.",
        "Čo stojí na doske, nevyplýva z toho, čo bolo z hry vidieť. Hra zrejme pokračuje odtiaľto: ďalšie ťahy to potvrdia.",
    ),
    "lost": (
        "What stands does not follow from what was seen of the game. Once it is clear, the game goes on from there.",
        "Co stojí na desce, neplyne z toho, co bylo ze hry vidět. Až bude jasno, hra půjde dál odtud.",
        "Čo stojí na doske, nevyplýva z toho, čo bolo z hry vidieť. Keď bude jasno, hra pôjde ďalej odtiaľto.",
    ),
    "to roll": ("To roll: {name}", "Hází: {name}", "Hádže: {name}"),
    "closed out": ("Closed out, no roll: {name}", "Uzavřený hráč nehází: {name}", "Uzavretý hráč nehádže: {name}"),
    "to play": ("To play {dice}: {name}", "Hraje {dice}: {name}", "Hrá {dice}: {name}"),
    "dance": ("No legal move: {name}", "Hod propadá: {name}", "Hod prepadá: {name}"),
    "cube offered": (
        "Cube offered at {cube}. Take or pass: {name}",
        "Nabídnuto zdvojení na {cube}. Přijmout, nebo odmítnout: {name}",
        "Ponúknuté zdvojenie na {cube}. Prijať, alebo odmietnuť: {name}",
    ),
    "game over": (
        "Game over. Set up the next one.",
        "Konec hry. Postavte kameny k další.",
        "Koniec hry. Postavte kamene na ďalšiu.",
    ),
    "match over": ("Match over.", "Konec zápasu.", "Koniec zápasu."),
    "won": ("Match over. Winner: {name}", "Konec zápasu. Vítěz: {name}", "Koniec zápasu. Víťaz: {name}"),
    "paused": ("The game is paused.", "Hra je přerušena.", "Hra je prerušená."),
}


def status(state: MatchState, language: str = "en") -> str:
    """Where the match stands, in a sentence in English, Czech or Slovak."""
    who = state.score.winner if state.phase is Phase.MATCH_OVER else state.offered_to or state.turn or state.starter
    who = state.resigning.side if state.resigning else who
    dice = "-".join(str(die) for die in sorted(state.dice or (), reverse=True))
    name = called(state.names, language)[who] if who else ""
    return status_at(_row(state), language, name=name, dice=dice, cube=state.cube * 2)


def status_at(row: str, language: str, *, name: str, dice: str, cube: int) -> str:
    """The sentence of a row of _STATUS. name: of whom it speaks; dice: as "6-5"; cube: the value at which it is offered."""
    return _STATUS[row][LANGUAGES.index(language)].format(name=name, dice=dice, cube=cube)


def _row(state: MatchState) -> str:
    """The row of _STATUS. A silent recorder does not say what the rules make of the board."""
    side, speaks = state.turn, state.role != "recorder"
    if state.paused:
        return "paused"
    if state.phase is Phase.MATCH_OVER:
        # In a chouette the score is that of two sides at which different people sat: who has won what stands with the players.
        return "won" if state.score.winner and state.chouette is None else "match over"
    if state.resigning:
        return "resignation"
    if any(flag.code == Code.TRACK_LOST for flag in state.standing):
        return "lost" if state.presumed is None else "lost and presumed"
    if state.presumed is not None:
        return "presumed"
    if state.phase is Phase.FOUND and (
        not state.turns or (isinstance(found := state.turns[-1], Found) and found.lost is None)
    ):
        return "begun"
    if state.phase is Phase.OPENING and state.ruleset.start.first == "agreed" and state.starter is None:
        return "agreed"
    if state.phase is Phase.OPENING and state.starter:
        chooser = "drawn, and chooses" if state.ruleset.start.first == "high" else "drawn for colours"
        return chooser if state.colours_open else "drawn"
    if speaks and side and state.phase is Phase.TO_ROLL and not must_roll(state.position, side, state.ruleset):
        return "closed out"
    if speaks and state.to_play is not None:
        return "dance" if _dances(state.to_play, state.ruleset) else "to play"
    return str(state.phase.value)


@lru_cache(maxsize=16)
def _dances(turn: ToPlay, rules: RuleSet) -> bool:
    """Whether nothing can be played; asked for every frame, in three languages."""
    return is_dance(legal_plays(turn.before, turn.side, turn.dice, rules))
