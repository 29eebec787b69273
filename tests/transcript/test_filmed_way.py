"""A film whose cameras take turns: nobody has to say from which side of the table each of them looks."""

from __future__ import annotations

import random

import pytest

from controller.referee.events import Played
from controller.referee.session import MatchPlan
from controller.referee.ways_round import best
from controller.rules import MATCH, Position, Side, legal_plays, position_id
from controller.tracking.hypothesis import Hypothesis, Over
from controller.tracking.tracker import Tracker
from controller.transcript.filmed_way import FilmedWay, begun, followed
from terms.board import CORNERS, Corner, across
from tests.tracking.eyes import Eyes

Turn = tuple[Side, tuple[int, int]]


class Film:
    """A game that is filmed: the ways round that are thought of, and what was played in view. late: nobody knows where light's home
    is, and so many turns of the game are not seen."""

    def __init__(self, seed: int, late: int = 0) -> None:
        self.eyes, self.rng = Eyes(seed), random.Random(seed)
        homes = CORNERS if late else ("bottom-right",)
        self.ways: list[FilmedWay] = begun(MatchPlan(MATCH, 3), homes, key_frames=False)
        self.position, self.side, self.shown = Position.start(), Side.LIGHT, list[Turn]()
        self.turns(late, shown=False)
        self._look(self.position, [])

    def set_up(self) -> None:
        """The next game; light will begin it."""
        self.position, self.side = Position.start(), Side.LIGHT
        self._look(self.position, [])

    def _look(self, stands: Position, dice: list[tuple[int, Side]]) -> None:
        for way in self.ways:
            way.session.moved()
        for _ in range(2):
            self.ways = followed(self.ways, (self.eyes.look(stands, dice), None))

    def turns(self, number: int, *, shown: bool = True) -> None:
        for _ in range(number):
            high, low = sorted(self.rng.sample(range(1, 7), 2), reverse=True)
            dice = [(high, self.side), (low, self.side if self.shown else self.side.other)]
            after = self.rng.choice(legal_plays(self.position, self.side, (high, low))).result
            if shown:
                self._look(self.position, dice)
                self._look(after, dice)
                self._look(after, [])
                self.shown.append((self.side, (high, low)))
            self.position, self.side = after, self.side.other

    @property
    def written(self) -> list[Turn]:
        finished = [way.finished(self.eyes.now)[0] for way in self.ways]
        return [(one.side, one.dice) for one in best(finished).session.held if isinstance(one, Played)]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("other_camera", [False, True])
def test_after_minutes_that_are_missing_another_camera_may_show_the_board(seed: int, other_camera: bool) -> None:
    """Until 28 November everything that the other one showed was written wrongly, with the colours exchanged."""
    film = Film(seed)
    film.turns(3)
    film.turns(5, shown=False)
    if other_camera:
        film.eyes.light_home = across(film.eyes.light_home)
    film.turns(5)
    assert [way.home for way in film.ways] == [film.eyes.light_home]
    # The first turn after the gap may be needed to find the game again.
    assert film.written[:3] == film.shown[:3]
    assert film.written[-4:] == film.shown[-4:]
    assert len(film.written) <= len(film.shown)


def test_cameras_that_take_turns_without_missing_anything_leave_no_gap() -> None:
    film = Film(7)
    for _ in range(4):
        film.turns(2)
        film.eyes.light_home = across(film.eyes.light_home)
    assert film.written == film.shown


def test_cameras_may_take_turns_before_the_first_roll() -> None:
    film = Film(8)
    film.eyes.light_home = across(film.eyes.light_home)
    film.turns(3)
    assert film.written == film.shown


@pytest.mark.parametrize(("seed", "home"), [(0, CORNERS[1]), (1, CORNERS[2]), (2, CORNERS[3]), (0, CORNERS[3])])
def test_the_next_game_may_be_set_up_another_way_round_while_it_is_in_doubt_how_the_last_one_lay(
    seed: int, home: Corner
) -> None:
    """Until 28 November the way round won that happened to fit the next game, and the last one was written as it had read it."""
    film = Film(seed, late=4)
    film.turns(2)
    found, doubted = best(film.ways).session.state.position, len(film.ways)
    assert doubted > 1
    film.eyes.light_home = home
    film.set_up()
    film.turns(3)
    held = best(film.ways).session.held
    assert film.written[-3:] == film.shown[-3:]
    assert position_id(found, Side.LIGHT) in [one.after for one in held if isinstance(one, Played)]


@pytest.mark.parametrize("home", CORNERS[1:])
def test_a_next_game_that_nobody_saw_set_up_may_lie_any_way_round(home: Corner) -> None:
    film = Film(9)
    film.turns(2)
    film.ways[0].session.go_on_as(
        Tracker.start(film.ways[0].session.tracker.setting, "bottom-right", Hypothesis(Over(), film.position))
    )
    film.eyes.light_home = home
    film.position, film.side = Position.start(), Side.LIGHT
    film.turns(3, shown=False)
    film.turns(4)
    assert [way.home for way in film.ways] == [home]
    assert film.written[-3:] == film.shown[-3:]
