"""Dice that lie in view and that nobody throws do not enter the game; dice that somebody throws always do."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from controller.referee.events import Doubled, Flagged, Found, Played
from controller.referee.session import MatchPlan, Session
from controller.referee.spare_dice import SpareDice
from controller.rules import MATCH, Position, Side, legal_plays
from controller.rules.codes import Code
from tests.referee.table import Board, Dice, after_moves
from tests.tracking.eyes import Eyes
from vision.observation import DieSeen, Observation

LIGHT, DARK = Side.LIGHT, Side.DARK
START = Position.start()
ON_THE_BAR = ((0.49, 0.06), (0.52, 0.07))
BESIDE = ((1.1, 0.3), (1.13, 0.35), (1.1, 0.4), (1.14, 0.45))
TURNS = ((DARK, (6, 2)), (LIGHT, (4, 2)), (DARK, (5, 4)), (LIGHT, (6, 3)), (DARK, (6, 1)), (LIGHT, (5, 2)))

Places = tuple[tuple[float, float], ...]
PLACES = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 9)), min_size=2, max_size=2, unique=True)


def die(value: int, at: tuple[float, float]) -> DieSeen:
    faces = np.full(6, 0.002, np.float32)
    faces[value - 1] = 0.99
    return DieSeen(at, faces, 0.98, 0.99)


def still(*dice: DieSeen) -> Observation:
    return replace(Eyes().look(START), dice=dice)


MOVING = replace(still(), still=False)


class Looks:
    """What is left of the dice, look by look, something moving between any two."""

    def __init__(self) -> None:
        self.spare = SpareDice()

    def see(self, *dice: DieSeen) -> list[int]:
        self.spare = self.spare.after(MOVING).after(still(*dice))
        return [one.value for one in self.spare.cleared(still(*dice)).dice]


class Cluttered(Board):
    """A board beside whose dice others lie, at `spare`, from the first look on."""

    def __init__(self, spare: Places = ()) -> None:
        self.spare = spare
        super().__init__()

    def look(self, position: Position | None = None, dice: Dice = (), frames: int = 2, **_: object) -> None:  # type: ignore[override]
        self.position = position or self.position
        self.session.see(MOVING)
        for _ in range(frames):
            seen = self.eyes.look(self.position, dice, self.cube, self.cube_at)
            others = [die(3 + number % 4, at) for number, at in enumerate(self.spare)]
            self.said += self.session.see(replace(seen, dice=(*seen.dice, *others)))

    def plays_on(self, turns: tuple[tuple[Side, tuple[int, int]], ...] = TURNS) -> None:
        for side, roll in turns:
            moves = legal_plays(self.position, side, roll)[0].moves
            self.turn(side, roll, *[(move.source, move.target) for move in moves])

    def played(self) -> list[tuple[Side, tuple[int, int]]]:
        return [(event.side, event.dice) for event in self.said if isinstance(event, Played)]

    def flagged(self) -> set[str]:
        return {event.code for event in self.said if isinstance(event, Flagged)}


@pytest.mark.parametrize("spare", [ON_THE_BAR, ON_THE_BAR[:1], BESIDE, (*ON_THE_BAR, *BESIDE)], ids=len)
def test_a_game_is_followed_beside_dice_that_nobody_throws(spare: Places) -> None:
    board = Cluttered(spare)
    board.opening(3, 1, (8, 5), (6, 5))
    board.plays_on()
    assert board.played() == [(LIGHT, (3, 1)), *TURNS]
    # One alone may be of the opening, as far as anybody knows, until others have come three times.
    assert board.flagged() <= ({Code.ROLLED_EARLY, Code.READING_UNCERTAIN} if len(spare) == 1 else set())


def test_the_page_is_told_of_thrown_dice_alone() -> None:
    board = Cluttered(ON_THE_BAR)
    board.opening(3, 1, (8, 5), (6, 5))
    spare = [die(3 + number, at) for number, at in enumerate(ON_THE_BAR)]
    shown = board.session.without_spare_dice(still(die(6, (0.8, 0.5)), die(5, (0.7, 0.5)), *spare))
    assert [one.value for one in shown.dice] == [6, 5]


def test_a_pair_that_is_laid_down_in_mid_game_is_known_after_three_throws() -> None:
    board = Cluttered()
    board.opening(3, 1, (8, 5), (6, 5))
    board.plays_on(TURNS[:2])
    board.spare = ON_THE_BAR
    board.look()
    board.plays_on(TURNS[2:])
    board.plays_on(TURNS)
    assert board.played()[-6:] == list(TURNS)
    flags = [event for event in board.said if isinstance(event, Flagged)]
    assert len(flags) <= 3


def test_they_are_known_at_once_where_they_lay_there_before_anybody_threw() -> None:
    looks, spare = Looks(), [die(3, ON_THE_BAR[0]), die(4, ON_THE_BAR[1])]
    assert looks.see(*spare) == [3, 4]
    assert looks.see(*spare) == [3, 4]
    assert looks.see(*spare, die(6, (0.8, 0.5))) == [6]


def test_one_of_them_that_is_thrown_is_a_die_like_any_other() -> None:
    looks, spare = Looks(), [die(3, ON_THE_BAR[0]), die(4, ON_THE_BAR[1])]
    looks.see(*spare)
    assert looks.see(*spare, die(6, (0.8, 0.5))) == [6]
    assert looks.see(spare[1], die(3, (0.7, 0.4))) == [3]
    assert looks.see(die(2, ON_THE_BAR[0]), spare[1]) == [2]


def test_a_hand_over_them_does_not_make_them_new() -> None:
    looks, spare = Looks(), [die(3, ON_THE_BAR[0]), die(4, ON_THE_BAR[1])]
    looks.see(*spare)
    looks.see(*spare, die(6, (0.8, 0.5)))
    assert looks.see(die(6, (0.8, 0.5))) == [6]
    assert looks.see(*spare, die(6, (0.8, 0.5))) == [6]


def test_the_dice_of_an_opening_that_lay_there_before_the_first_look_are_played_with() -> None:
    looks, both = Looks(), [die(6, (0.8, 0.5)), die(2, (0.2, 0.5))]
    for _ in range(5):
        assert looks.see(*both) == [6, 2]
    one = Looks()
    assert one.see(both[0]) == [6]
    assert one.see(*both) == [6, 2]


@given(
    throws=st.lists(st.tuples(st.tuples(st.integers(1, 6), st.integers(1, 6)), PLACES), min_size=1, max_size=12),
    leaves=st.booleans(),
)
def test_whoever_throws_his_dice_are_seen_whether_players_lift_them_or_leave_them(
    throws: list[tuple[tuple[int, int], list[tuple[int, int]]]], leaves: bool
) -> None:
    """Each player throws into half of his own, and takes his own dice up before he throws, or at his turn's end.

    No die comes to lie just where his last ones lay, and shows the same: it could not be told from one that nobody threw.
    """
    shown = [set(zip(roll, places, strict=True)) for roll, places in throws]
    assume(all(not before & after for before, after in zip(shown, shown[2:], strict=False)))
    looks, lying = Looks(), ((), ())
    looks.see()
    for number, (roll, places) in enumerate(throws):
        side = number % 2
        thrown = tuple(
            die(value, (0.05 + 0.06 * x + 0.5 * side, 0.1 * y)) for value, (x, y) in zip(roll, places, strict=True)
        )
        others = lying[1 - side] if leaves else ()
        lying = (thrown, others) if side == 0 else (others, thrown)
        for _ in range(3):
            assert set(roll) <= set(looks.see(*thrown, *others))
        if not leaves:
            looks.see()


@pytest.mark.parametrize("lower", [0.0, 0.05])
def test_a_camera_across_the_table_sees_the_same_dice_on_the_bar(lower: float) -> None:
    """lower: what lies on the bar, higher than the field, seems to lie so much farther from either camera."""
    looks = Looks()
    spare = [die(3, ON_THE_BAR[0]), die(4, ON_THE_BAR[1])]
    looks.see(*spare)
    assert looks.see(*spare, die(6, (0.8, 0.4)), die(2, (0.7, 0.6))) == [6, 2]
    from_across = [die(one.value, (1 - one.at[0], 1 - one.at[1] - lower)) for one in spare]
    assert looks.see(*from_across, die(5, (0.2, 0.4)), die(3, (0.3, 0.6))) == [5, 3]
    assert looks.see(*from_across) == []
    assert looks.see(*spare, die(5, (0.8, 0.5))) == [5]


def test_a_die_of_which_little_is_seen_at_first_is_known_for_one_that_lay_there() -> None:
    looks = Looks()
    faint = replace(die(3, ON_THE_BAR[0]), confidence=0.7)
    looks.see(faint, die(4, ON_THE_BAR[1]))
    assert looks.see(faint, die(4, ON_THE_BAR[1]), die(6, (0.8, 0.4))) == [6]


def test_where_the_power_goes_while_a_turn_waits_the_dice_on_the_bar_are_nobodys_afterwards_either() -> None:
    board = Cluttered(ON_THE_BAR)
    board.opening(4, 1, (13, 9), (9, 8))
    board.look(dice=[(4, DARK)])
    board.look(after_moves(board.position, DARK, (4, 1), (13, 9), (9, 8)), frames=1)
    assert board.played() == [(LIGHT, (4, 1))]
    kept = board.session.kept
    assert kept is not None
    board.session = Session(MatchPlan(MATCH), "bottom-right", board.session.held)
    board.session.go_on_from(kept)
    board.offers(2)
    board.takes(DARK)
    board.plays_on(((LIGHT, (4, 2)), (DARK, (6, 5))))
    assert board.played() == [(LIGHT, (4, 1)), (DARK, (4, 1)), (LIGHT, (4, 2)), (DARK, (6, 5))]
    assert len(board.heard(Doubled)) == 1
    assert not board.heard(Found)
