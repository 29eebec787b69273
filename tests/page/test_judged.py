"""After a match the verdict comes by itself: one at a time, never while a game is on, and only where the settings allow it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from controller.app.answers import refusal
from controller.app.referee import Outlets, Referee
from controller.app.table import Table
from controller.config import AnalysisConfig
from controller.page import judged
from controller.page.engine import Engine
from controller.page.operator import RefereesDesk
from controller.page.referee_link import RefereeLink
from controller.panel.virtual import VirtualPanel
from controller.record.analysis import Analysis
from controller.record.gnubg import GnubgError, GnubgStopped, find_gnubg
from controller.record.journal import Journal
from controller.record.model import Record
from controller.referee.commands import Draw, ExchangeColours, NewMatch, PlayTurn, Resign, Roll, SetNames
from controller.referee.session import MatchPlan
from controller.rules import MATCH, Side
from vision.sentence import Sentence
from web.hub import ViewHub
from web.operator import MatchAnalysis, PlayerAnalysis

COLOURS = ("start.high_prize=colour", "start.opening_dice=fresh")
FOUND = Analysis((PlayerAnalysis("Eva", 61.4, 5, 0.12), PlayerAnalysis("Jan", None, 0, -0.12)), (), (), ((),))
AT_IT = msgspec.structs.replace(refusal(Sentence(judged.AT_IT)), again_s=judged.AGAIN_S)


def always() -> bool:
    return True


class Evening:
    """Matches to one point at one board, kept by hand."""

    def __init__(self, journal: Journal, settings: AnalysisConfig | None = None) -> None:
        outlets = Outlets(ViewHub(), VirtualPanel())
        self.desk = RefereesDesk(RefereeLink(outlets.status), journal, None, settings)
        self.referee = Referee(Table(MatchPlan(MATCH, 1, ("Eva", "Jan")), None, "bottom-right"), journal, outlets)

    @property
    def match(self) -> str:
        return self.referee.status.match

    def begin(self) -> None:
        self.referee.obey(NewMatch(light="Eva", dark="Jan", length=1))

    def play(self) -> str:
        """Light plays 3-1, dark resigns; the match that is over."""
        self.referee.obey(Roll(dice=(3, 1), side=Side.LIGHT))
        self.referee.obey(PlayTurn(notation="24/23 24/21"))
        self.referee.obey(Resign(side=Side.DARK, level=1))
        return self.match


@pytest.fixture
def evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(judged, "find_gnubg", lambda: "gnubg")
    with Journal(tmp_path / "j.db") as journal:
        yield Evening(journal)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The matches that GNU Backgammon was asked about."""
    matches: list[str] = []

    def analyse(record: Record, plies: int, time_limit: float, wanted: Callable[[], bool]) -> Analysis:
        matches.append(record.match_id)
        return FOUND

    monkeypatch.setattr(judged, "analyse", analyse)
    return matches


def test_it_comes_by_itself_once_the_match_is_over(evening: Evening, asked: list[str]) -> None:
    desk = evening.desk
    assert not desk.judged.judge(always)
    match = evening.play()
    assert desk.analysis(match) == AT_IT
    assert desk.judged.rates_of(match) is None
    assert desk.judged.judge(always)
    assert desk.analysis(match) == MatchAnalysis(FOUND.players, (), FOUND.course)
    assert desk.judged.rates_of(match) == FOUND.players
    assert not desk.judged.judge(always)
    assert asked == [match]


def test_rates_stay_with_the_players_who_have_changed_colours(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    def analyse(record: Record, plies: int, time_limit: float, wanted: Callable[[], bool]) -> Analysis:
        assert [player.name for player in record.players] == ["Eva", "Jan"]
        return FOUND

    monkeypatch.setattr(judged, "analyse", analyse)
    evening.referee.obey(NewMatch(light="Eva", dark="Jan", rules="match", set=COLOURS, length=2))
    evening.play()
    evening.referee.obey(Draw(light=3, dark=1))
    evening.referee.obey(ExchangeColours())
    evening.referee.obey(Resign(side=Side.LIGHT, level=1))
    assert evening.desk.judged.judge(always)
    line = evening.referee.status.matches.lines()[0]
    assert (line.light, line.dark, line.score) == ("Jan", "Eva", (0, 2))
    rates = evening.desk.judged.rates_of(evening.match)
    assert rates is not None
    assert [player.name for player in rates] == ["Jan", "Eva"]
    found = evening.desk.analysis(evening.match)
    assert isinstance(found, MatchAnalysis)
    assert found.light == (0, 1)


def test_while_another_match_is_on_it_waits(evening: Evening, asked: list[str]) -> None:
    first = evening.play()
    evening.begin()
    assert not evening.desk.judged.judge(always)
    assert evening.desk.analysis(first) == refusal(Sentence("Nobody has had this match analysed yet."))
    second = evening.play()
    while evening.desk.judged.judge(always):
        pass
    assert asked == [second, first]


def test_a_session_is_judged_when_it_is_not_on_any_more(evening: Evening, asked: list[str]) -> None:
    evening.referee.obey(NewMatch(light="Eva", dark="Jan", rules="money"))
    session = evening.play()
    assert not evening.desk.judged.judge(always)
    evening.referee.obey(NewMatch(light="Eva", dark="Jan", rules="match", length=1))
    match = evening.play()
    while evening.desk.judged.judge(always):
        pass
    assert asked[:2] == [match, session]


def test_it_is_stopped_when_a_game_begins(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    match = evening.play()
    said: list[bool] = []

    def analyse(record: Record, plies: int, time_limit: float, wanted: Callable[[], bool]) -> Analysis:
        said.append(wanted())
        evening.begin()
        said.append(wanted())
        raise GnubgStopped("stopped")

    monkeypatch.setattr(judged, "analyse", analyse)
    assert not evening.desk.judged.judge(always)
    assert said == [True, False]
    assert evening.desk.judged.rates_of(match) is None


def test_what_an_operator_has_asked_for_is_stopped_too(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a player could ask about a position like his own."""
    match = evening.play()
    said: list[bool] = []

    def analyse(record: Record, plies: int, time_limit: float, wanted: Callable[[], bool]) -> Analysis:
        said.append(wanted())
        evening.begin()
        evening.referee.obey(Roll(dice=(3, 1), side=Side.LIGHT))
        said.append(wanted())
        raise GnubgStopped("stopped")

    monkeypatch.setattr(judged, "analyse", analyse)
    answer = evening.desk.analyse(match)
    assert said == [True, False]
    on = Sentence("A match to {length} is being played on this board; it is analysed when it is over.", length=1)
    assert answer == refusal(on)


def test_it_is_given_up_when_the_program_ends(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    match = evening.play()
    said: list[bool] = []

    def analyse(record: Record, plies: int, time_limit: float, wanted: Callable[[], bool]) -> Analysis:
        said.append(wanted())
        evening.desk.judged.end()
        said.append(wanted())
        raise GnubgStopped("stopped")

    monkeypatch.setattr(judged, "analyse", analyse)
    assert evening.desk.analyse(match) == refusal(Sentence("Nobody has had this match analysed yet."))
    assert said == [True, False]


def test_what_fails_is_said_and_not_tried_for_ever(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    def analyse(*given: object) -> Analysis:
        raise GnubgError("GNU Backgammon gave no answer: it printed nothing.")

    monkeypatch.setattr(judged, "analyse", analyse)
    match = evening.play()
    assert evening.desk.judged.judge(always)
    assert evening.desk.analysis(match) == refusal(Sentence("GNU Backgammon gave no answer: it printed nothing."))
    assert not evening.desk.judged.judge(always)


def test_a_correction_asks_for_another(evening: Evening, asked: list[str]) -> None:
    match = evening.play()
    assert evening.desk.judged.judge(always)
    evening.referee.obey(SetNames(light="Iva", dark="Jan"))
    assert evening.desk.judged.rates_of(match) is None
    assert evening.desk.judged.judge(always)
    assert len(asked) == 1  # the same games: the verdict that is kept holds
    assert evening.desk.judged.rates_of(match) == FOUND.players


def test_the_settings_may_forbid_it(tmp_path: Path, asked: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judged, "find_gnubg", lambda: "gnubg")
    with Journal(tmp_path / "j.db") as journal:
        evening = Evening(journal, AnalysisConfig(after_match=False))
        match = evening.play()
        assert not evening.desk.judged.judge(always)
        assert evening.desk.analysis(match) == refusal(Sentence("Nobody has had this match analysed yet."))
        assert isinstance(evening.desk.analyse(match), MatchAnalysis)


def test_without_gnu_backgammon_a_sentence_says_so(
    evening: Evening, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judged, "find_gnubg", lambda: None)
    match = evening.play()
    assert not evening.desk.judged.judge(always)
    assert evening.desk.analysis(match) == refusal(
        Sentence("GNU Backgammon is not installed here, so there is no verdict.")
    )


def test_the_thread_does_one_thing_at_a_time_and_ends(caplog: pytest.LogCaptureFixture) -> None:
    done: list[str] = []
    waiting = ["first", "second"]
    over = threading.Event()

    def task(wanted: Callable[[], bool]) -> bool:
        if not waiting:
            over.set()
            return False
        done.append(waiting.pop(0))
        if done == ["first"]:
            raise ValueError("something else")
        return True

    with Engine((task,), look_s=0.01, after_fault_s=0.01) as engine:
        assert over.wait(30)
    assert not engine.alive
    assert done == ["first", "second"]
    assert "could not be asked" in caplog.text


def test_gnu_backgammon_itself(tmp_path: Path) -> None:
    if find_gnubg() is None:
        pytest.skip("GNU Backgammon is not installed")
    with Journal(tmp_path / "j.db") as journal:
        evening = Evening(journal)
        match = evening.play()
        assert evening.desk.judged.judge(always)
        found = evening.desk.analysis(match)
        assert isinstance(found, MatchAnalysis)
        assert [(one.player, one.better) for one in found.worst] == [(0, "31: 8/5 6/5")]
