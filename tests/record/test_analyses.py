"""A verdict is kept for what was played, and no longer holds when that was corrected."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import msgspec
import pytest

from controller.record.analyses import Analyses
from controller.record.model import RecordedFlag
from controller.record.rates import Rates
from tests.record.examples import CRAWFORD, record
from web.operator import MatchAnalysis, Mistake, Moment, PlayerAnalysis

PLAYERS = (PlayerAnalysis("Jan", 12.5, 3, 0.1), PlayerAnalysis("Eva", None, 0, -0.1))
VERDICT = MatchAnalysis(PLAYERS, (Mistake(1, 1, 0, "31: 8/4", "31: 8/5 6/5", 0.1),), ((Moment(1, 0.5, 0.0),),))
PLAYED = msgspec.structs.replace(record(CRAWFORD), match_id="../../match")


def test_it_is_found_again(tmp_path: Path) -> None:
    analyses = Analyses(tmp_path / "analyses")
    assert analyses.find(PLAYED) is None
    analyses.keep(PLAYED, VERDICT)
    assert Analyses(tmp_path / "analyses").find(PLAYED) == VERDICT
    assert [path.parent for path in tmp_path.rglob("*.json")] == [tmp_path / "analyses"]


def test_a_corrected_match_needs_another(tmp_path: Path) -> None:
    analyses = Analyses(tmp_path)
    analyses.keep(PLAYED, VERDICT)
    shorter = msgspec.structs.replace(PLAYED, games=PLAYED.games[:-1])
    assert analyses.find(shorter) is None
    analyses.keep(shorter, msgspec.structs.replace(VERDICT, worst=()))
    assert len(list(tmp_path.glob("*.json"))) == 1
    assert analyses.find(PLAYED) is None


def test_it_holds_whatever_is_said_of_what_was_played(tmp_path: Path) -> None:
    """A play is marked after the match, or a version of the program says otherwise what the referee said."""
    analyses = Analyses(tmp_path)
    analyses.keep(PLAYED, VERDICT)
    first, *others = PLAYED.games
    play, *rest = first.actions
    flag = RecordedFlag(1, "R04", "Rolled early.", translations={"cs": "Hozeno předčasně."})
    said = msgspec.structs.replace(play, mark="??", flags=("R04",), flagged=(flag,), wall_time="2026-11-20T12:00:00Z")
    games = (msgspec.structs.replace(first, actions=(said, *rest)), *others)
    assert analyses.find(msgspec.structs.replace(PLAYED, games=games)) == VERDICT


def test_what_an_earlier_program_kept_is_found(tmp_path: Path) -> None:
    named = (sha256(part).hexdigest()[:16] for part in (b"../../match", msgspec.json.encode(PLAYED.games)))
    (tmp_path / f"{'-'.join(named)}.json").write_bytes(msgspec.json.encode(VERDICT))
    assert Analyses(tmp_path).find(PLAYED) == VERDICT


@pytest.mark.parametrize("text", ["", "{}", "[" * 5000])
def test_a_damaged_file_is_none(tmp_path: Path, text: str) -> None:
    analyses = Analyses(tmp_path)
    analyses.keep(PLAYED, VERDICT)
    next(tmp_path.glob("*.json")).write_text(text)
    assert analyses.find(PLAYED) is None


def test_where_it_can_t_be_written_it_is_only_not_kept(tmp_path: Path) -> None:
    (tmp_path / "analyses").write_text("a file")
    Analyses(tmp_path / "analyses").keep(PLAYED, VERDICT)
    assert Analyses(tmp_path / "analyses").find(PLAYED) is None


def test_rates_are_found_again_as_long_as_nothing_was_corrected(tmp_path: Path) -> None:
    rates = Rates(tmp_path / "analyses" / "rates.jsonl")
    assert rates.find("a", 7) is None
    rates.add("a", 7, PLAYERS)
    rates.add("b", 9, PLAYERS)
    assert rates.find("a", 7) == PLAYERS
    again = Rates(tmp_path / "analyses" / "rates.jsonl")
    assert (again.find("a", 7), again.find("a", 8)) == (PLAYERS, None)
    again.add("a", 8, PLAYERS[::-1])
    assert again.changes == 1
    again.add("a", 8, PLAYERS[::-1])
    assert again.changes == 1
    assert Rates(tmp_path / "analyses" / "rates.jsonl").find("a", 8) == PLAYERS[::-1]


@pytest.mark.parametrize("text", [b"[" * 5000, b"{}\n", b'{"match": "a", "last": 7', b"\xff\n"])
def test_a_torn_line_loses_only_itself(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "rates.jsonl"
    Rates(path).add("a", 7, PLAYERS)
    path.write_bytes(path.read_bytes() + b"\n" + text)
    rates = Rates(path)
    rates.add("b", 9, PLAYERS)
    again = Rates(path)
    assert (again.find("a", 7), again.find("b", 9)) == (PLAYERS, PLAYERS)


def test_a_verdict_too_long_to_be_one_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.record.analyses.LARGEST", 10)
    analyses = Analyses(tmp_path)
    analyses.keep(PLAYED, VERDICT)
    assert analyses.find(PLAYED) is None
