"""What of a record a format has no place for, to be said when it is written in one."""

from __future__ import annotations

from collections.abc import Callable

from controller.record.board import die_by_die, follows_from_moves
from controller.record.model import Game, PlayAction, Record, RefusedAction

_TRANSCRIPTS, _PRINTED = (".mat", ".txt", ".sst"), (".en.txt", ".cs.txt", ".sk.txt")

_KINDS: tuple[tuple[str, Callable[[Record, Game], bool], tuple[str, ...]], ...] = (
    ("marks such as ??", lambda _, game: any(action.mark for action in game.actions), _TRANSCRIPTS),
    (
        "refused resignations",
        lambda _, game: any(isinstance(action, RefusedAction) for action in game.actions),
        _TRANSCRIPTS,
    ),
    ("the draws for the start", lambda _, game: bool(game.draws), (*_TRANSCRIPTS, ".csv")),
    (
        "the list and the cubes of a chouette",
        lambda _, game: game.team is not None,
        (*_TRANSCRIPTS, *_PRINTED, ".sgf", ".csv"),
    ),
    (
        "event, place, round and date",
        lambda record, _: any((record.event, record.place, record.round, record.date)),
        (".csv",),
    ),
)
"""What it is, whether a game of a record has it, and the endings of the formats that have no place for it."""


def left_out(record: Record, name: str) -> str:
    """A sentence on what a file of that name can't hold of the record; empty where it holds all that belongs to the game."""
    known = {ending for _, _, endings in _KINDS for ending in endings if name.lower().endswith(ending)}
    ending = max(known, key=len, default="")
    lost = [
        what for what, has, endings in _KINDS if ending in endings and any(has(record, game) for game in record.games)
    ]
    listed = " and ".join(filter(None, (", ".join(lost[:-1]), *lost[-1:])))
    sentence = f"{ending} has no place for {listed}: .json keeps everything." if lost else ""
    return " ".join(filter(None, (sentence, _dropped(record) if ending in _TRANSCRIPTS else "")))


def _dropped(record: Record) -> str:
    """Some rules let a checker pass over what would stop it; whoever reads a transcript by the usual ones then loses his way."""
    plays = (
        action for game in record.games for action in game.actions if isinstance(action, PlayAction) and action.moves
    )
    over = any(follows_from_moves(record, play) and not die_by_die(record, play) for play in plays)
    return "GNU Backgammon drops plays that pass over a held point or a blot from it: give it .sgf." if over else ""
