"""A game is adopted with one place misread, which stays so until it is touched: no turn is written that was not played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from controller.rules import Position, Side
from controller.tracking.belief import Belief
from controller.tracking.evidence import Evidence
from controller.tracking.hypothesis import (
    CubeAnswer,
    CubeOffer,
    GameFound,
    Hypothesis,
    Lost,
    NewGame,
    Opening,
    ToRoll,
    Turn,
)
from controller.tracking.orientation import column_of_point
from controller.tracking.parameters import LIKELY_ENOUGH, SURE
from controller.tracking.rest import Rest
from controller.tracking.revised import has_vague_pile, is_settled, revised
from controller.tracking.setting import Setting
from controller.tracking.tracker import Tracker
from controller.tracking.weighing import weigh
from tests.rules.boards import after, board
from tests.tracking.eyes import Eyes, pictured, thrown
from tests.tracking.test_tracker import Watched
from vision.observation import Observation

LIGHT, DARK = Side.LIGHT, Side.DARK
NOBODY_KNOWS = Hypothesis(Lost(), Position.start())
MIDDLE = board("24:1 18:1 13:4 8:3 7:1 6:4 5:1", "24:2 13:4 8:2 6:5 5:2")
OTHERS = ((LIGHT, (4, 2), "8/4 6/4"), (DARK, (3, 1), "8/5 6/5"))
Named = tuple[Side, tuple[int, int], str]
Told = tuple[Side, tuple[int, int], Position]


def column(eyes: Eyes, point: int) -> int:
    return column_of_point(point, eyes.light_home)


def played(begun: Position, named: tuple[Named, ...]) -> list[tuple[Position, Told]]:
    """The board before each of these turns, and the turn."""
    turns = []
    for side, roll, text in named:
        then = after(begun, side, text, roll)
        turns.append((begun, (side, roll, then)))
        begun = then
    return turns


def watched(begun: Position, named: tuple[Named, ...], misread: Mapping[int, int], *, bar: bool = False) -> Watched:
    """The game, with counts of light's points that are misread until the last turn; bar: checkers on it are not seen till then."""
    eyes = Eyes()
    watched, turns = Watched(eyes, NOBODY_KNOWS), played(begun, named)
    wrong = {column(eyes, point): count for point, count in misread.items()}

    def look(shown: Position, dice: list[tuple[int, Side]], *, last: bool) -> Observation:
        seen = eyes.look(shown, dice, misread={} if last else wrong)
        seen = replace(seen, snapshot=pictured(shown, eyes.light_home))
        return replace(seen, bar=eyes.look(MIDDLE, seconds=0).bar) if bar and not last else seen

    watched.see(look(begun, [], last=False))
    for number, (before, (side, roll, then)) in enumerate(turns):
        dice, last = thrown(side, *roll), number == len(turns) - 1
        watched.see(look(before, dice, last=False), look(then, dice, last=last), look(then, [], last=last))
    return watched


@pytest.mark.parametrize(
    ("misread", "last"),
    [
        ({7: 0}, (LIGHT, (3, 2), "13/10 7/5")),
        ({18: 0}, (LIGHT, (6, 3), "18/9")),
        ({13: 3}, (LIGHT, (6, 5), "13/2")),
        ({19: -4}, (LIGHT, (6, 1), "24/18 8/7")),
        ({8: 4}, (LIGHT, (6, 5), "8/2 7/2")),
    ],
    ids=["a blot is missed", "it runs", "four are read as three", "untouched", "three are read as four"],
)
def test_a_place_that_is_misread_from_the_beginning_makes_no_other_turns(misread: dict[int, int], last: Named) -> None:
    named = (*OTHERS, last)
    told = watched(MIDDLE, named, misread)
    known = [*told.tracker.commit()[0], *told.tracker.finish()]
    true, invented = [turn for _, turn in played(MIDDLE, named)], []
    for one in known:
        fact = one.fact
        if isinstance(fact, Turn) and (fact.side, fact.roll, fact.after) not in true:
            invented.append(one.sure)
    assert all(sure < SURE for sure in invented)
    if 19 not in misread:
        assert not invented
        assert [fact.position for fact in told.finish() if isinstance(fact, GameFound)] == [MIDDLE]
        assert [(f.side, f.roll, f.after) for f in told.finish() if isinstance(f, Turn)] == true


def test_a_checker_on_the_bar_that_is_not_seen_enters() -> None:
    begun = board("bar:1 18:1 13:4 8:3 7:1 6:4 5:1", "24:2 13:4 8:2 6:5 5:2")
    named = ((LIGHT, (4, 2), "bar/21 13/11"),)
    told = watched(begun, named, {}, bar=True)
    assert [fact.position for fact in told.finish() if isinstance(fact, GameFound)] == [begun]
    assert [fact.before for fact in told.finish() if isinstance(fact, Turn)] == [begun]


def test_what_an_arm_hid_when_the_game_was_found_counts_as_soon_as_it_is_seen() -> None:
    """One of dark's points and the one beside it are hidden, then seen in part, then wholly: fifteen fit in another way, too."""
    eyes, dice = Eyes(), thrown(DARK, 6, 3)
    watched = Watched(eyes, NOBODY_KNOWS)
    hidden = [column(eyes, 19), column(eyes, 20)]
    for share in (0.0, 0.6, 1.0, 1.0):
        look = eyes.look(MIDDLE, dice if share < 1 else ())
        seen, columns = look.seen.copy(), look.columns.copy()
        seen[hidden] = min(share, 0.98)
        if share == 0:
            columns[hidden] = np.roll(columns[hidden], 1, axis=1)
        watched.see(replace(look, seen=seen, columns=columns, snapshot=pictured(MIDDLE, eyes.light_home)))
    assert watched.tracker.belief.best.board == MIDDLE
    assert all(fact == GameFound(MIDDLE, 1, None) for fact in watched.finish())


def test_a_board_that_was_once_read_as_it_was_found_is_not_put_right_by_what_has_become_of_it() -> None:
    """Dark bore off under the camera: the board before is read otherwise now, and hardly anybody believes in it any more."""
    light = "24:2 5:2 4:2 3:3 2:4 1:2"
    early, now = board(light, "3:4 2:4"), board(light, "4:1 3:3 2:4")
    begun = [Hypothesis(ToRoll(None), one, facts=(GameFound(one, 1, None, settled=False),)) for one in (early, now)]
    eyes, evidence = Eyes(), list[Evidence]()
    for shown in (early, now, now):
        evidence.append(Rest.begin(eyes.look(shown)).evidence(eyes.light_home, *evidence[-1:]))
    belief = weigh(Belief(((begun[1], 0.996), (begun[0], 0.004)), evidence[1]), evidence[2], Setting())
    assert sum(share for one, share in belief.hypotheses if one.board == now) > SURE


@pytest.mark.parametrize(
    ("light", "dark", "vague"),
    [
        ("6:2 5:3 3:4", "6:1 4:3 2:2", False),
        ("6:2 5:3 3:4", "bar:1 2:7 3:2", True),
        ("6:2 5:3 3:4", "13:2 8:3 6:6 5:4", False),
    ],
)
def test_a_tall_pile_may_be_another_where_checkers_may_be_off(light: str, dark: str, *, vague: bool) -> None:
    assert has_vague_pile(board(light, dark)) is vague


BENT = board("24:1 18:1 13:4 8:3 7:1 6:5", "24:2 13:4 8:2 6:5 5:2")


def bent(share: float) -> Evidence:
    """A look at a pile of five, or of four and a checker elsewhere that is not seen; share: how surely it is read as four."""
    eyes = Eyes()
    looked = eyes.look(board("24:1 18:1 13:4 8:3 7:1 6:4", "24:2 13:4 8:2 6:5 5:2"))
    columns = looked.columns.copy()
    columns[column(eyes, 6), 15:22] = (0.0, 0.0, 0.0, 0.0, share, 1 - share, 0.0)
    return Rest.begin(replace(looked, columns=columns)).evidence(eyes.light_home)


@pytest.mark.parametrize(("share", "settled"), [(0.3, True), (0.7, True), (0.96, False)])
def test_a_board_whose_pile_is_surely_read_as_another_is_not_settled(share: float, *, settled: bool) -> None:
    assert is_settled(BENT, bent(share)) is settled


@pytest.mark.parametrize(("share", "settled"), [(0.0, [True]), (0.96, [])])
def test_a_board_found_in_doubt_is_written_once_what_has_become_of_it_is_read_as_it_should_be(
    share: float, settled: list[bool]
) -> None:
    found = Hypothesis(ToRoll(None), BENT, facts=(GameFound(BENT, 1, None, settled=False),))
    belief = Belief(((found, 1.0),), bent(share))
    known, _ = Tracker(Setting(), Eyes().light_home, belief, belief).commit()
    assert [one.fact.settled for one in known if isinstance(one.fact, GameFound)] == settled


def test_a_board_found_in_doubt_is_not_settled_by_what_stands_of_the_next_game() -> None:
    eyes, setting = Eyes(), Setting()
    found = GameFound(BENT, 1, None, settled=False)
    begun = Hypothesis(Opening(), setting.start, facts=(found, NewGame()))
    rest = Rest.begin(eyes.look(setting.start)).evidence(eyes.light_home)
    belief = Belief(((begun, 1.0),), rest)
    known, _ = Tracker(setting, eyes.light_home, belief, belief).commit()
    assert [one.fact.settled for one in known if isinstance(one.fact, GameFound)] == [False]


def test_a_board_put_right_has_the_cube_as_it_lay_before_what_is_not_written_yet() -> None:
    """Until 29 November it was the taker's already, and doubled and taken once more with what followed."""
    eyes, facts = Eyes(), (CubeOffer(LIGHT, 2), CubeAnswer(DARK, taken=True))
    without = board("24:1 18:1 13:4 8:3 6:4 5:1", "24:2 13:4 8:2 6:5 5:2")
    before = Rest.begin(eyes.look(MIDDLE, misread={column(eyes, 7): 0})).evidence(eyes.light_home)
    evidence = Rest.begin(eyes.look(MIDDLE)).evidence(eyes.light_home, before)
    state = Hypothesis(ToRoll(LIGHT), without, 2, DARK, facts)
    others = [one for one, _ in revised(state, evidence, Setting(), unsettled=True)]
    assert (GameFound(MIDDLE, 1, None), *facts) in [one.facts for one in others]
    assert {(one.cube, one.owner) for one in others} == {(2, DARK)}


def test_a_checker_that_the_opponents_turn_seems_to_have_taken_off_is_back_as_soon_as_it_moves() -> None:
    """Light's play was taken for an illegal one, after which a checker of dark's is gone; it was only not seen. Dark plays it."""
    eyes, dice = Eyes(), thrown(DARK, 4, 2)
    begun = board("1:3 2:4 6:3 7:2 8:3", "21:2 13:1 5:2 4:2 3:2 2:3 1:3")
    ended = after(begun, LIGHT, "8/3", (4, 1))
    lacking = replace(ended, dark=board("", "21:2 5:2 4:2 3:2 2:3 1:3").dark)
    played = after(ended, DARK, "13/7", (4, 2))
    turn = Turn(LIGHT, (4, 1), begun, lacking, None, True)
    tracker = Tracker.start(Setting(), eyes.light_home, Hypothesis(ToRoll(DARK), lacking, facts=(turn,), last=turn))
    told = Watched(eyes)
    told.tracker = tracker.see(eyes.look(lacking)).moved()
    known, told.tracker = told.tracker.commit()
    assert [(one.fact, one.sure) for one in known] == [(turn, LIKELY_ENOUGH)]
    told.see(eyes.look(ended, dice), eyes.look(played, dice), eyes.look(played))
    assert (told.tracker.belief.best.board, told.tracker.belief.best.side) == (played, LIGHT)
    told.see(eyes.look(played, thrown(LIGHT, 6, 5)))
    assert [fact.before for fact in told.finish() if isinstance(fact, Turn)] == [ended]


def test_what_follows_a_turn_that_somebody_has_confirmed_is_no_more_in_doubt_than_ever() -> None:
    """Until 30 November 2026 each turn after one that had taken a checker of the opponent's off was asked about all the same."""
    eyes = Eyes()
    begun = board("1:3 2:4 6:3 7:2 8:3", "21:2 13:1 5:2 4:2 3:2 2:3 1:3")
    lacking = replace(after(begun, LIGHT, "8/3", (4, 1)), dark=board("", "21:2 5:2 4:2 3:2 2:3 1:3").dark)
    turn = Turn(LIGHT, (4, 1), begun, lacking, None, True)
    tracker = Tracker.start(Setting(), eyes.light_home, Hypothesis(ToRoll(DARK), lacking, facts=(turn,), last=turn))
    _, tracker = tracker.see(eyes.look(lacking)).commit()
    confirmed = tracker.confirmed()
    assert confirmed is not None
    assert (tracker.unsettled, confirmed.unsettled) == (True, False)
    assert confirmed.belief.best.board == lacking
