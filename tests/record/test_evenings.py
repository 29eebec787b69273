"""Matches by every text: what is written of them is read back, and GNU Backgammon imports what its rules know."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from controller.record.check import check
from controller.record.formats import parse_record, write_record
from controller.record.mat_writer import write_mat
from controller.record.model import PlayAction, Record, RecordError, RefusedAction
from controller.rules import parse_ruleset
from tests.record.evenings import evening
from tests.record.gnubg_reader import frames, gnubg_matches, our_games, results, their_games

EVENINGS: dict[str, tuple[str, tuple[str, ...], int, int]] = {
    "000": ("text-000", (), 0, 1),
    "001": ("text-001", (), 5, 3),
    "002": ("text-002", (), 5, 2),
    "002 with automatic doubles": ("text-002", ("cube.auto_doubles=1", "cube.beavers=1"), 7, 0),
    "003": ("text-003", (), 5, 2),
    "004": ("text-004", ("cube.auto_doubles=2",), 0, 0),
    "money": ("money", ("cube.raccoon=true", "cube.beavers=2"), 0, 1),
    "nackgammon": ("text-002", ("variant=nackgammon",), 3, 1),
    "hypergammon": ("text-002", ("variant=hypergammon",), 3, 1),
}
"""Rule set, its single keys, length, seed."""

COUNTED_OTHERWISE = ("000", "003")
"""GNU Backgammon counts what is borne off by three levels, and by its own idea of a backgammon."""

OVER_HELD_POINTS = ("000", "004")
"""Their checkers pass over held points, which GNU Backgammon takes from SGF alone."""


@cache
def played(name: str) -> Record:
    preset, keys, length, seed = EVENINGS[name]
    return evening(parse_ruleset(preset, keys), length, seed)


def actions(record: Record, ending: str) -> list[list[dict[str, Any]]]:
    """Everything of the games that the format keeps beside times."""
    games = []
    for game in record.games:
        kept = [action for action in game.actions if ending != ".mat" or not isinstance(action, RefusedAction)]
        left = ("line", "seconds", "took", "wall_time", "corrected", "level", "inferred", "moves")
        left += ("mark",) if ending == ".mat" else ()
        told = [msgspec.to_builtins(action) for action in kept]
        games.append([{key: value for key, value in one.items() if key not in left} for one in told])
    return games


@pytest.mark.parametrize(("name", "ending"), [
    ("000", ".mat"), ("003", ".sgf"), ("004", ".mat"), ("004", ".sgf"), ("004", ".cs.txt"),
    ("nackgammon", ".mat"), ("hypergammon", ".sgf"), ("002 with automatic doubles", ".sk.txt"),
    *(("money", ending) for ending in (".mat", ".sgf", ".csv", ".json", ".cs.txt", ".en.txt")),
])  # fmt: skip
def test_every_format_gives_back_what_it_was_given_or_says_what_it_cannot(
    name: str, ending: str, tmp_path: Path
) -> None:
    record = played(name)
    path = tmp_path / f"evening{ending}"
    if ending == ".mat" and any(game.cube != 1 for game in record.games):
        with pytest.raises(RecordError, match="begins with the cube at 2, as after an automatic double"):
            write_mat(record)
        return
    write_record(record, path)
    again = parse_record(path.read_bytes())
    assert actions(again, ending) == actions(record, ending)
    assert [(g.winner, g.points, g.score, g.cube) for g in again.games] == [
        (g.winner, g.points, g.score, g.cube) for g in record.games
    ]
    if ending not in (".mat", ".csv"):
        assert [game.draws for game in again.games] == [game.draws for game in record.games]
    assert check(again).problems == check(record).problems == ()


def test_the_evenings_hold_what_they_are_for() -> None:
    """Of each kind there is something: else they would show nothing."""
    games = [game for name in EVENINGS for game in played(name).games]
    kinds = {action.kind for game in games for action in game.actions}
    assert kinds >= {"play", "double", "beaver", "raccoon", "take", "pass", "resign", "refused"}
    assert {game.cube for game in games} >= {1, 2}
    assert any(action.mark for game in games for action in game.actions if isinstance(action, PlayAction))


def test_gnu_backgammon_imports_them_to_the_same_boards_cubes_and_results(tmp_path: Path) -> None:
    """One run for all: marks, refused resignations, draws and rules that it does not know stand in its way nowhere."""
    files: list[tuple[str, Path]] = []
    for number, name in enumerate(EVENINGS):
        endings = [".sgf"]
        if name not in OVER_HELD_POINTS and all(game.cube == 1 for game in played(name).games):
            endings.append(".mat")
        for ending in endings:
            path = tmp_path / f"{number}{ending}"
            write_record(played(name), path)
            files.append((name, path))
    matches, printed = gnubg_matches([path for _, path in files])
    assert "WARNING" not in printed
    assert "error" not in printed
    for (name, path), match in zip(files, matches, strict=True):
        record = played(name)
        assert _turns(their_games(match), "set") == _turns(our_games(_without_refused(record)), "set"), path.name
        if (
            path.suffix == ".sgf" or record.crawford_rule is not False
        ):  # a .mat match has it always, GNU Backgammon says
            assert [frame[2] for frame in frames(match)] == [game.crawford for game in record.games]
        assert [frame[:2] for frame in frames(match)] == [game.score for game in record.games]
        begun = [next((a["cube"] for a in game["game"][:1] if "cube" in a), 1) for game in match["games"]]
        assert begun == [game.cube for game in record.games]
        if name in COUNTED_OTHERWISE:
            assert [winner for winner, _ in results(match)] == [game.winner for game in record.games]
        else:
            assert results(match) == [(game.winner, game.points) for game in record.games]


def _turns(games: list[list[Any]], without: str) -> list[list[Any]]:
    return [[told for told in game if told[0] != without] for game in games]


def _without_refused(record: Record) -> Record:
    games = (
        msgspec.structs.replace(game, actions=tuple(a for a in game.actions if not isinstance(a, RefusedAction)))
        for game in record.games
    )
    return msgspec.structs.replace(record, games=tuple(games))
