"""The coach says after each turn what was better: to who played it at once, to everybody once the opponent has played."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from controller.app.referee import Outlets, Referee
from controller.app.table import Table
from controller.config import config_from
from controller.page import coach
from controller.page.engine import Engine
from controller.page.operator import RefereesDesk
from controller.page.referee_link import RefereeLink
from controller.panel.virtual import VirtualPanel
from controller.record.advice import advise, turn_of
from controller.record.analysis import TurnJudged
from controller.record.gnubg import GnubgError, find_gnubg
from controller.record.journal import Journal
from controller.record.model import Record
from controller.referee.coaching import NO_COACH
from controller.referee.commands import (
    CommandError,
    Correct,
    NewMatch,
    OfferDouble,
    PlayTurn,
    Resign,
    Roll,
    SetRole,
    Take,
)
from controller.referee.events import Found
from controller.referee.folding import fold
from controller.referee.session import MatchPlan
from controller.referee.state import MatchState
from controller.rules import MATCH, MONEY, RuleSet, Side, parse_ruleset, position_id
from controller.run.build import run_configured
from tests.referee.test_commands import Hand
from web.hub import ViewHub
from web.operator import Coached, CoachedTurn

JUDGED = TurnJudged("31: 24/23 24/21", "31: 8/5 6/5", 0.25)


def always() -> bool:
    return True


class Lesson:
    """A match to five points, kept by hand; the coach has been asked for."""

    def __init__(self, journal: Journal, rules: RuleSet = MATCH) -> None:
        self.journal = journal
        outlets = Outlets(ViewHub(), VirtualPanel())
        self.desk = RefereesDesk(RefereeLink(outlets.status), journal)
        length = 5 if rules.session.kind == "match" else 0
        self.referee = Referee(Table(MatchPlan(rules, length, ("Eva", "Jan")), None, "bottom-right"), journal, outlets)

    def play(self, side: Side, dice: tuple[int, int], notation: str) -> None:
        self.referee.obey(Roll(dice=dice, side=side))
        self.referee.obey(PlayTurn(notation=notation))

    def light(self) -> None:
        self.play(Side.LIGHT, (3, 1), "24/23 24/21")

    def dark(self) -> None:
        self.play(Side.DARK, (6, 4), "24/14")

    def numbers(self, side: str | None) -> list[int]:
        return [turn.number for turn in self.desk.coached(side).turns]  # type: ignore[arg-type]  # a side's name

    def work(self) -> None:
        while self.desk.coach.advise(always):
            pass


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Record]:
    records: list[Record] = []

    def answer(record: Record, plies: int, wanted: Callable[[], bool]) -> TurnJudged:
        records.append(record)
        return JUDGED

    monkeypatch.setattr(coach, "advise", answer)
    monkeypatch.setattr(coach, "find_gnubg", lambda: "gnubg")
    return records


@pytest.fixture
def lesson(tmp_path: Path, asked: list[Record]) -> Iterator[Lesson]:
    with Journal(tmp_path / "j.db") as journal:
        lesson = Lesson(journal)
        lesson.referee.obey(SetRole(role="coach"))
        yield lesson


def test_the_player_hears_at_once_the_opponent_when_he_has_played(lesson: Lesson) -> None:
    lesson.light()
    assert lesson.desk.coached("light").again_s == coach.AGAIN_S
    assert lesson.desk.coached("dark") == lesson.desk.coached(None) == Coached()
    lesson.work()
    word = CoachedTurn(1, "light", "31: 24/23 24/21", "31: 8/5 6/5", 0.25, 0.0)
    assert lesson.desk.coached("light") == Coached((word,))
    assert lesson.desk.coached("dark") == lesson.desk.coached(None) == Coached()
    lesson.referee.obey(Roll(dice=(6, 4), side=Side.DARK))
    assert lesson.numbers("dark") == lesson.numbers(None) == []
    lesson.referee.obey(PlayTurn(notation="24/14"))
    lesson.work()
    assert (lesson.numbers("light"), lesson.numbers("dark"), lesson.numbers(None)) == ([1], [2, 1], [1])


def test_a_double_does_not_end_the_opponent_s_turn(lesson: Lesson) -> None:
    lesson.light()
    lesson.work()
    lesson.referee.obey(OfferDouble())
    assert lesson.numbers("dark") == []
    lesson.referee.obey(Take())
    assert lesson.numbers("dark") == []


def test_at_the_end_of_a_game_everybody_may_know(lesson: Lesson, asked: list[Record]) -> None:
    lesson.light()
    lesson.work()
    lesson.referee.obey(Resign(side=Side.DARK, level=1))
    assert lesson.numbers(None) == [1]
    lesson.light()
    lesson.work()
    assert [record.games[0].score for record in asked] == [(0, 0), (1, 0)]
    assert len(lesson.numbers("light")) == 1


def test_a_corrected_turn_is_judged_anew(lesson: Lesson, asked: list[Record]) -> None:
    lesson.light()
    lesson.work()
    lesson.referee.obey(Correct(turn=1, notation="8/5 6/5"))
    assert lesson.numbers("light") == []
    lesson.work()
    assert lesson.numbers("light") == [1]
    assert len(asked) == 2


def test_of_a_game_without_end_only_the_newest_turns_are_told(lesson: Lesson, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coach, "KEPT", 1)
    lesson.light()
    lesson.dark()
    lesson.work()
    assert (lesson.numbers("dark"), lesson.numbers("light")) == ([2], [])


def test_nobody_waits_for_a_turn_that_was_passed_over(lesson: Lesson, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coach, "LOOKED_AT", 1)
    lesson.light()
    lesson.dark()
    lesson.work()
    assert lesson.desk.coached(None) == Coached()


def test_only_a_coach_coaches(lesson: Lesson, asked: list[Record]) -> None:
    lesson.referee.obey(SetRole(role="monitor"))
    lesson.light()
    assert not lesson.desk.coach.advise(always)
    assert (lesson.desk.coached("light"), asked) == (Coached(), [])


def test_the_journal_and_the_game_know_nothing_of_it(lesson: Lesson) -> None:
    lesson.light()
    written, state = list(lesson.journal.events()), lesson.referee.state
    lesson.work()
    assert (list(lesson.journal.events()), lesson.referee.state) == (written, state)


def test_the_cube_lies_as_it_lay_before_the_turn(lesson: Lesson, asked: list[Record]) -> None:
    lesson.light()
    lesson.referee.obey(OfferDouble())
    lesson.referee.obey(Take())
    lesson.dark()
    state = lesson.referee.state
    records = [turn_of(state, number) for number in (1, 4)]
    assert [(one.games[0].cube, one.games[0].owner) for one in records if one] == [(1, None), (2, 0)]


def test_the_cube_lies_as_it_lay_whatever_has_turned_it_since() -> None:
    """It began at 2 by a draw, was redoubled and beavered; then the game was found in its middle with another."""

    def cubes(state: MatchState, *numbers: int) -> list[tuple[int, int | None]]:
        records = [turn_of(state, number) for number in numbers]
        return [(one.games[0].cube, one.games[0].owner) for one in records if one]

    hand = Hand(25, parse_ruleset("match", ("cube.auto_doubles=1", "cube.beavers=2")))
    hand.say("draw", light=3, dark=3)
    hand.say("draw", light=3, dark=1)
    hand.say("play", notation="8/5 6/5")
    hand.say("double")
    hand.say("take")
    hand.turn((6, 2), "24/18 13/11")
    assert cubes(hand.state, 1, 4) == [(2, None), (4, 0)]
    for word in ("double", "beaver", "take"):
        hand.say(word)
    hand.turn((4, 2), "8/4 6/4")
    assert cubes(hand.state, 1, 4, 8) == [(2, None), (4, 0), (16, 1)]
    there = position_id(hand.state.position, Side.LIGHT)
    found = fold([*hand.said, Found(position=there, cube=1, owner=None, lost=9.0)])
    assert cubes(found, 1, 4, 8) == [(2, None), (4, 0), (16, 1)]
    hand.say("cube", value=2)
    assert cubes(hand.state, 1) == [(1, None)]


@pytest.mark.parametrize("answers", [("take",), ("beaver", "take"), ("beaver", "raccoon", "take")])
def test_the_cube_lies_as_it_was_set_by_hand_before_it_was_turned(answers: tuple[str, ...]) -> None:
    hand = Hand(25, parse_ruleset("match", ("cube.beavers=1", "cube.raccoon=true")))
    hand.turn((3, 1), "8/5 6/5", "light")
    hand.say("cube", value=2, owner="light")
    hand.turn((6, 2), "24/18 13/11")
    for word in ("double", *answers):
        hand.say(word)
    record = turn_of(hand.state, 2)
    assert record is not None
    assert (record.games[0].cube, record.games[0].owner) == (2, 0)


def test_without_gnu_backgammon_a_sentence_says_so(lesson: Lesson, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coach, "find_gnubg", lambda: None)
    lesson.light()
    assert not lesson.desk.coach.advise(always)
    assert lesson.desk.coached(None).note == "GNU Backgammon is not installed here, so nobody is coached."


def test_one_that_hangs_or_fails_holds_up_nothing(lesson: Lesson, monkeypatch: pytest.MonkeyPatch) -> None:
    hangs, at_work = threading.Event(), threading.Event()

    def answer(record: Record, plies: int, wanted: Callable[[], bool]) -> TurnJudged:
        at_work.set()
        assert hangs.wait(30)
        raise GnubgError("GNU Backgammon gave no answer: it printed nothing.")

    monkeypatch.setattr(coach, "advise", answer)
    with Engine((lesson.desk.coach.advise,), look_s=0.01):
        lesson.light()
        assert at_work.wait(30)
        lesson.dark()
        assert len(lesson.referee.state.turns) == 2
        assert lesson.desk.coached("light").again_s == coach.AGAIN_S
        hangs.set()
    assert lesson.numbers("light") == []


def test_nobody_is_coached_for_stakes(tmp_path: Path, asked: list[Record]) -> None:
    with Journal(tmp_path / "j.db") as journal:
        lesson = Lesson(journal, MONEY)
        with pytest.raises(CommandError, match="match for stakes"):
            lesson.referee.obey(SetRole(role="coach"))
        money = NewMatch(light="Eva", dark="Jan", rules="money", set=("stake.point=5 Kč", "device.role=coach"))
        with pytest.raises(CommandError, match="match for stakes"):
            lesson.referee.obey(money)
        assert lesson.referee.state.role == "recorder"
    settings = config_from({"camera": {"source": "none"}, "rules": {"preset": "money", "device": {"role": "coach"}}})
    with pytest.raises(CommandError, match="match for stakes"):
        run_configured(settings, threading.Event(), print)


def test_a_journal_of_older_days_is_read_but_nobody_coached(tmp_path: Path, asked: list[Record]) -> None:
    with Journal(tmp_path / "j.db") as journal:
        lesson = Lesson(journal, parse_ruleset("money", ("device.role=coach",)))
        lesson.light()
        assert not lesson.desk.coach.advise(always)
        assert lesson.desk.coached("light").note == NO_COACH


def test_gnu_backgammon_itself(lesson: Lesson) -> None:
    if find_gnubg() is None:
        pytest.skip("GNU Backgammon is not installed")
    lesson.light()
    lesson.dark()
    record = turn_of(lesson.referee.state, 2)
    assert record is not None
    judged = advise(record)
    assert judged is not None
    assert (judged.played, judged.better) == ("64: 24/14", "64: 8/2* 6/2")
    assert 0.02 < judged.lost < 0.3
