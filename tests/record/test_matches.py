"""Real matches replay to the positions that GNU Backgammon found, and flawed ones give their reason."""

from __future__ import annotations

import gzip
import json
import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from controller.record.board import board
from controller.record.check import check
from controller.record.draft import side_of
from controller.record.formats import read_record, write_record
from controller.record.model import PlayAction, Record
from controller.record.replay import resolve
from controller.record.words import parse_hops
from controller.rules import MATCH, Side, format_play, legal_plays, position_from_id, position_id
from tests.record.gnubg_reader import frames, gnubg_match, our_games, results, their_games
from tests.shared import shared

GNUBG_SAMPLE = 4
"""Matches driven through GNU Backgammon here; benchmarks/records.py drives all of them."""


@cache
def checked_records() -> dict[str, tuple[dict[str, Any], Record]]:
    folder = shared("matches")
    entries = [json.loads(line) for line in (folder / "index.jsonl").read_text(encoding="utf-8").splitlines()]
    return {entry["match"]: (entry, check(read_record(folder / entry["file"]))) for entry in entries}


@cache
def oracle() -> dict[str, list[dict[str, Any]]]:
    games: dict[str, list[dict[str, Any]]] = {}
    with gzip.open(shared("matches") / "oracle_dev.jsonl.gz", "rt", encoding="utf-8") as file:
        for line in file:
            game = json.loads(line)
            games.setdefault(game["match"], []).append(game)
    return games


def other_view(text: str) -> str:
    return position_id(position_from_id(text, Side.LIGHT), Side.DARK)


def test_every_clean_match_replays_to_the_oracles_positions() -> None:
    compared = 0
    for name, games in oracle().items():
        _, read = checked_records()[name]
        assert len(read.games) == len(games), name
        for game, truth in zip(read.games, games, strict=True):
            plays = [a for a in game.actions if isinstance(a, PlayAction)]
            moves = [a for a in truth["actions"] if a["a"] == "move"]
            assert [(p.player, p.dice, p.before) for p in plays] == [
                (m["p"], tuple(m["dice"]), m["pre"].split(":")[0]) for m in moves
            ], (name, truth["game"])
            # After the last play the oracle has nobody in turn who could have the view.
            assert [other_view(p.after) for p in plays[:-1]] == [m["post"].split(":")[0] for m in moves[:-1]]
            assert [sorted(p.moves) for p in plays] == [sorted(map(tuple, m["steps"])) for m in moves]
            assert (game.score, game.crawford) == (tuple(truth["score"]), truth["crawford"])
            assert (game.winner, game.points) == (truth["winner"], truth["points"])
            compared += len(plays)
    assert compared > 10_000


def test_a_clean_match_has_no_problem_and_a_flawed_one_has() -> None:
    for name, (entry, read) in checked_records().items():
        assert bool(read.problems) != entry["clean"], (name, entry["why"], read.problems)


@pytest.mark.parametrize("ending", [".mat", ".sgf"])
@pytest.mark.parametrize("number", range(GNUBG_SAMPLE))
def test_gnubg_imports_what_is_written_to_the_same_positions(number: int, ending: str, tmp_path: Path) -> None:
    clean = [read for entry, read in checked_records().values() if entry["clean"]]
    read = random.Random(7).sample(clean, GNUBG_SAMPLE)[number]
    path = tmp_path / f"match{ending}"
    write_record(read, path)
    match, printed = gnubg_match(path)
    assert "WARNING" not in printed
    assert their_games(match) == our_games(read)
    assert results(match) == [(game.winner, game.points) for game in read.games]
    assert frames(match) == [(*game.score, game.crawford) for game in read.games]


def test_joined_moves_mean_the_same_play() -> None:
    """eXtreme Gammon joins the moves of one checker, "24/14", and stars a hit only where it must."""
    clean = [read for entry, read in checked_records().values() if entry["clean"]]
    compared = 0
    for read in random.Random(3).sample(clean, 12):
        for play in [a for game in read.games for a in game.actions if isinstance(a, PlayAction)]:
            mover = side_of(read.players, play.player)
            before, after = board(read, play, play.before), board(read, play, play.after)
            meant = next((p for p in legal_plays(before, mover, play.dice) if p.result == after), None)
            if meant is None:
                continue
            for text in (format_play(meant), format_play(meant, "cs"), format_play(meant).replace("*", "")):
                hops = parse_hops(text)
                assert hops is not None
                resolved = resolve(before, mover, play.dice, hops, MATCH)
                assert (resolved.after, resolved.legal) == (after, True), (play, text)
            compared += 1
    assert compared > 500
