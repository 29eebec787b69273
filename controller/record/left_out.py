"""What of a record a format has no place for, to be said when it is written in one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from controller.record.board import die_by_die, follows_from_moves
from controller.record.model import (
    BeaverAction,
    DoubleAction,
    Game,
    PlayAction,
    RaccoonAction,
    Record,
    RefusedAction,
    ResignAction,
)
from controller.record.replay import cube_value

_TRANSCRIPTS, _PRINTED = (".mat", ".txt", ".sst"), (".en.txt", ".cs.txt", ".sk.txt")

_RATING = re.compile(r"^Player \d Elo$")


def _plays(game: Game) -> Iterator[PlayAction]:
    return (action for action in game.actions if isinstance(action, PlayAction) and action.moves)


def _has_impossible_moves(record: Record, game: Game) -> bool:
    return any(not follows_from_moves(record, play) for play in _plays(game))


def _has_odd_doubles(game: Game) -> bool:
    """An offer of another value than twice what the cube shows."""
    value = game.cube
    for action in game.actions:
        if isinstance(action, DoubleAction | BeaverAction | RaccoonAction) and action.value != 2 * value:
            return True
        value = cube_value(value, (action,))
    return False


def _is_announced_otherwise(game: Game, *, leveled: bool) -> bool:
    """A resigned game for which the record claims other points than it was worth. leveled: by a level that it names."""
    given_up = [action for action in game.actions if isinstance(action, ResignAction)]
    return game.announced_points is not None and any(action.level is not None or not leveled for action in given_up)


def _has_rare_fields(record: Record) -> bool:
    names = {player.name for player in record.players}
    tags = (value not in names for key, value in record.tags.items() if not _RATING.match(key))
    return any((record.time, record.match_id, record.clock, *tags, *(player.experience for player in record.players)))


def _has_single_rules(record: Record) -> bool:
    """The header says of rules what follows from no rule set that it names."""
    rules = (record.jacoby, record.beavers, record.crawford_rule, record.cube_limit)
    return not record.rules and any(rule is not None for rule in rules)


def _has_idle_player(record: Record) -> bool:
    busy = {action.player for game in record.games for action in game.actions}
    return any(player.name and seat not in busy for seat, player in enumerate(record.players))


_KINDS: tuple[tuple[str, Callable[[Record, Game], bool], tuple[str, ...]], ...] = (
    ("marks such as ??", lambda _, game: any(action.mark for action in game.actions), _TRANSCRIPTS),
    (
        "refused resignations",
        lambda _, game: any(isinstance(action, RefusedAction) for action in game.actions),
        _TRANSCRIPTS,
    ),
    ("the draws for the start", lambda _, game: bool(game.draws), (*_TRANSCRIPTS, ".csv")),
    (
        "remarks on plays",
        lambda _, game: any(action.comment for action in game.actions),
        (*_TRANSCRIPTS, *_PRINTED),
    ),
    ("remarks on games", lambda _, game: bool(game.comment), (*_TRANSCRIPTS, *_PRINTED, ".csv")),
    ("moves that can't be made", _has_impossible_moves, (*_TRANSCRIPTS, *_PRINTED, ".sgf")),
    ("what a cube was offered at where that is not twice as much", lambda _, game: _has_odd_doubles(game), (".sgf",)),
    (
        "points of a resigned game that its level contradicts",
        lambda _, game: _is_announced_otherwise(game, leveled=True),
        _TRANSCRIPTS,
    ),
    (
        "points announced for a resigned game that it was not worth",
        lambda _, game: _is_announced_otherwise(game, leveled=False),
        (".sgf",),
    ),
    (
        "who has the light checkers",
        lambda _, game: game.light != 0,
        (*_TRANSCRIPTS, *_PRINTED, ".sgf", ".csv"),
    ),
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
    ("header lines such as the time of day", lambda record, _: _has_rare_fields(record), (".sgf", ".csv")),
    ("the limit of the cube", lambda record, _: not record.rules and record.cube_limit is not None, (".sgf",)),
    (
        "rules such as Jacoby's and Crawford's",
        lambda record, _: _has_single_rules(record),
        (".csv",),
    ),
    (
        "who wrote it down and what was said of it",
        lambda record, _: bool(record.transcriber or record.comment),
        (".csv",),
    ),
    ("ratings", lambda record, _: any(player.rating is not None for player in record.players), (".csv",)),
    ("the name of a player without an action", lambda record, _: _has_idle_player(record), (".csv",)),
    ("games without an action", lambda _, game: not game.actions, (".csv",)),
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
    plays = (play for game in record.games for play in _plays(game))
    over = any(follows_from_moves(record, play) and not die_by_die(record, play) for play in plays)
    return "GNU Backgammon drops plays that pass over a held point or a blot from it: give it .sgf." if over else ""
