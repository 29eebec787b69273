"""A verdict is kept for what was played, and no longer holds when that was corrected."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from controller.record.analyses import Analyses
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
