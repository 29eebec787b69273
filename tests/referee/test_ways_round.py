"""A game that is on when somebody begins to look tells by its plays which way the board lies."""

from __future__ import annotations

import random
from copy import copy
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.referee.events import Played
from controller.referee.session import MatchPlan, Session
from controller.referee.ways_round import WayRound, best, likely, turned_round
from controller.rules import MATCH, Position, Side, legal_plays
from terms.board import CORNERS, Corner, across
from tests.rules.boards import board
from tests.tracking.eyes import Eyes, thrown

MIDDLE = board("24:1 18:1 13:4 8:3 7:1 6:4 5:1", "24:2 13:4 8:2 6:5 5:2")
RACE = board("8:2 6:4 5:4 4:3 3:2", "7:1 6:4 5:3 4:4 2:3")


def all_ways() -> list[WayRound]:
    return [WayRound(home, Session(MatchPlan(MATCH, 3), home)) for home in CORNERS]


def watched(eyes: Eyes, seed: int, turns: int, position: Position = MIDDLE) -> list[WayRound]:
    """The ways that are left after so many turns of random legal play."""
    ways, rng, side = all_ways(), random.Random(seed), Side.LIGHT
    rests: list[tuple[Position, list[tuple[int, Side]]]] = [(position, [])] * 3
    for _ in range(turns):
        roll = rng.choice([(6, 1), (5, 2), (4, 3), (6, 4), (3, 1)])
        after = rng.choice(legal_plays(position, side, roll)).result
        dice = thrown(side, *roll)
        rests += [(position, dice), (after, dice), (after, [])]
        position, side = after, side.other
    for stands, dice in rests:
        looks = [eyes.look(stands, dice) for _ in range(2)]
        for way in ways:
            way.session.moved()
            for observation in looks:
                way.see(observation)
        ways = likely(ways)
    return ways


@pytest.mark.parametrize(("seed", "home"), list(enumerate(CORNERS)))
def test_the_plays_tell_which_way_round(seed: int, home: Corner) -> None:
    ways = watched(Eyes(seed, light_home=home), seed, 5)
    found = best(ways)
    assert found.home == home
    assert sum(isinstance(event, Played) for event in found.session.held) >= 4
    assert len(ways) <= 2  # half a turn the other way has the same moves as long as nobody comes home


@pytest.mark.parametrize("home", CORNERS)
def test_both_at_home_lie_in_one_way_only(home: Corner) -> None:
    assert best(watched(Eyes(light_home=home), 1, 3, RACE)).home == home


def test_a_game_that_was_found_again_counts_for_more_than_one_that_never_was() -> None:
    """The one way that makes sense has paid for a gap as much as it had explained before; the others found nothing to lose."""
    never, eyes = all_ways()[1], Eyes()
    followed = WayRound("bottom-right", Session(MatchPlan(MATCH, 3), "bottom-right"))
    for _ in range(2):
        followed.see(eyes.look(Position.start()))
    assert never.is_lost
    assert best([never, followed]) is followed
    never.turns = 2.0
    assert best([never, followed]) is never


def test_what_has_waited_until_the_end_counts_then() -> None:
    """A checker is missing, so that the board is in doubt, and all that follows waits for it."""
    too_few = replace(MIDDLE, light=tuple(n - (i == 12) for i, n in enumerate(MIDDLE.light)))
    ways = watched(Eyes(), 0, 3, too_few)
    assert all(way.pips is None for way in ways)
    ended = best([way.finished(60.0)[0] for way in ways])
    assert ended.home == "bottom-right"
    assert sum(isinstance(event, Played) for event in ended.session.held) == 3
    assert not any(isinstance(event, Played) for way in ways for event in way.session.held)


def test_a_board_that_was_turned_between_two_games_is_read_the_other_way_round() -> None:
    eyes, start = Eyes(light_home="bottom-right"), Position.start()
    way = WayRound("bottom-right", Session(MatchPlan(MATCH, 3), "bottom-right"))
    first = legal_plays(start, Side.LIGHT, (3, 1))[0].result
    for board_, dice in (
        (start, []),
        (start, thrown(Side.LIGHT, 3, 1)),
        (first, thrown(Side.LIGHT, 3, 1)),
        (first, []),
    ):
        way.session.moved()
        way.see(eyes.look(board_, dice))
    assert not way.turned(eyes.look(first))
    eyes.light_home = "top-left"
    for _ in range(3):
        way.session.moved()
        observation = eyes.look(start, seconds=60)
        way.turned(observation)
        way.see(observation)
    assert way.home == "top-left"
    reply = legal_plays(start, Side.DARK, (6, 5))[0].result
    for board_, dice in ((start, thrown(Side.DARK, 6, 5)), (reply, thrown(Side.DARK, 6, 5)), (reply, [])):
        way.session.moved()
        way.see(eyes.look(board_, dice))
    played = [(one.side, one.dice) for one in way.session.held if isinstance(one, Played)]
    assert played == [(Side.LIGHT, (3, 1)), (Side.DARK, (6, 5))]


class Carried:
    """A game whose board, or camera, is carried to the other side of the table: referee, and what was heard of its plays."""

    def __init__(self, seed: int) -> None:
        self.eyes, self.rng = Eyes(seed), random.Random(seed)
        self.session = Session(MatchPlan(MATCH, 3), "bottom-right")
        self.position, self.side, self.truth = Position.start(), Side.LIGHT, list[tuple[Side, tuple[int, int]]]()
        self.look()

    def look(self, dice: list[tuple[int, Side]] | None = None) -> None:
        self.session.moved()
        for _ in range(2):
            seen = self.eyes.look(self.position, dice or [])
            turned_round(self.session, seen)
            self.session.see(seen)

    def round(self) -> None:
        self.eyes.light_home = across(self.eyes.light_home)

    def turn(self, carried: int | None = None) -> None:
        """A turn; carried: before which of its rests (0: the throw) the board is carried round."""
        high, low = sorted(self.rng.sample(range(1, 7), 2), reverse=True)
        opening = not self.truth
        dice = [(high, self.side), (low, self.side.other if opening else self.side)]
        after = self.rng.choice(legal_plays(self.position, self.side, (high, low))).result
        for rest, (stands, lie) in enumerate(((self.position, dice), (after, dice), (after, []))):
            self.position = stands
            if rest == carried:
                self.round()
            self.look(lie)
        self.truth.append((self.side, (high, low)))
        self.side = self.side.other

    @property
    def heard(self) -> list[tuple[Side, tuple[int, int]]]:
        return [(event.side, event.dice) for event in self.session.held if isinstance(event, Played)]


@given(st.integers(0, 10**6), st.integers(1, 6), st.sampled_from([0, 1, 2]))
@settings(max_examples=12)
def test_a_game_goes_on_when_the_board_or_the_camera_is_carried_round_the_table(
    seed: int, turns: int, rest: int
) -> None:
    """Until 28 November it was found again with the colours exchanged, and all that was written was wrong and sure."""
    game = Carried(seed)
    for number in range(turns + 3):
        game.turn(rest if number == turns else None)
    assert game.heard == game.truth
    assert game.session.tracker.light_home == "top-left"
    assert not game.session.state.flags


def test_a_camera_that_stands_now_here_now_there_is_followed() -> None:
    game = Carried(4)
    for number in range(8):
        game.turn(number % 3)
    assert game.heard == game.truth


def test_a_board_that_is_cleared_is_not_taken_for_one_that_was_carried_round() -> None:
    game = Carried(5)
    for _ in range(6):
        game.turn()
    own, other = game.position.own(Side.LIGHT), game.position.own(Side.DARK)
    for kept in (9, 4, 0):
        left = (own[:kept] + (0,) * (25 - kept), other[:kept] + (0,) * (25 - kept))
        game.position = replace(game.position, light=left[0], dark=left[1])
        game.look()
    assert game.session.tracker.light_home == "bottom-right"


def test_a_flag_of_the_way_that_holds_gets_a_number_that_no_other_had() -> None:
    session = Session(MatchPlan(MATCH, 3), "bottom-right")
    begun, other = len(session.held), copy(session)
    other.turned("top-left")
    for seconds in (0.0, 40.0):  # the view is blocked, whichever way the board lies
        hidden = replace(Eyes().look(MIDDLE), still=False, seconds=seconds)
        for one in (session, other):
            one.see(hidden)
    seen = replace(Eyes().look(MIDDLE), seconds=50.0)
    other.see(seen)
    assert [flag.number for flag in session.state.flags] == [1]
    session.lies_as(other, begun, 50.0)
    assert [(flag.number, flag.resolved) for flag in session.state.flags] == [(2, "put right")]
    assert session.state.next_flag == 3
