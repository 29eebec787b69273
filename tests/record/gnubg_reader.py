"""What GNU Backgammon understands of a written record, in the terms of ours."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from controller.record.gnubg import find_gnubg, load_command, run_gnubg
from controller.record.model import (
    AnyAction,
    BeaverAction,
    DoubleAction,
    PassAction,
    PlayAction,
    RaccoonAction,
    Record,
    ResignAction,
    RollAction,
    TakeAction,
)

TIME_LIMIT = 240

Told = tuple[str, int | None, str | None, tuple[int, ...] | None]
"""Kind, player, Position ID before a play, dice."""


def gnubg_match(path: Path) -> tuple[dict[str, Any], str]:
    """gnubg.match() of a file, and what GNU Backgammon printed; skips the test without the program."""
    (match,), printed = gnubg_matches([path])
    return match, printed


def gnubg_matches(paths: Sequence[Path]) -> tuple[list[dict[str, Any]], str]:
    """The same of several files in one run, which takes little longer than one."""
    if find_gnubg() is None:
        pytest.skip("GNU Backgammon is not installed")
    match = "gnubg.match(analysis=0, boards=1, statistics=0)"
    loaded = ", ".join(f"(gnubg.command({load_command(path)!r}), {match})[1]" for path in paths)
    return run_gnubg("set confirm new off", f"[{loaded}]", TIME_LIMIT)


def their_games(match: dict[str, Any]) -> list[list[Told]]:
    """The games of gnubg.match()."""
    return [[_theirs(action) for action in game["game"]] for game in match["games"]]


def _theirs(action: dict[str, Any]) -> Told:
    player = "XO".index(action["player"]) if "player" in action else None
    if action["action"] != "move":
        return action["action"], player, None, None
    return "move", player, action["board"], tuple(sorted(action["dice"]))


def our_games(record: Record) -> list[list[Told]]:
    """The same of a record."""
    return [[_ours(action) for action in game.actions] for game in record.games]


def _ours(action: AnyAction) -> Told:
    if isinstance(action, PlayAction):
        return "move", action.player, action.before, tuple(sorted(action.dice))
    words: dict[type[AnyAction], str] = {
        RollAction: "set", DoubleAction: "double", BeaverAction: "double", RaccoonAction: "double",
        TakeAction: "take", PassAction: "drop", ResignAction: "resign",
    }  # fmt: skip
    return words[type(action)], action.player, None, None


def results(match: dict[str, Any]) -> list[tuple[int | None, int | None]]:
    """Winner and points of each game."""
    infos = [game["info"] for game in match["games"]]
    return [("XO".index(i["winner"]) if i.get("winner") else None, i.get("points-won")) for i in infos]


def frames(match: dict[str, Any]) -> list[tuple[int, int, bool]]:
    """Score before each game and whether it is the Crawford game."""
    infos = [game["info"] for game in match["games"]]
    return [(i["score-X"], i["score-O"], bool(i.get("crawford"))) for i in infos]
