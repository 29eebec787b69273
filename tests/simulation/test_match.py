"""Whole simulated matches: what happened agrees with the rules and with what lay on the table."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import pytest

from controller.rules import Position, Side, legal_plays
from controller.simulation import (
    LOOKS,
    Doubled,
    ErrorMade,
    Filming,
    GameBegun,
    GameWon,
    Passed,
    SimulatedMatch,
    SimulatedTable,
    SimulationError,
    Taken,
    TurnPlayed,
)
from controller.simulation.geometry import Seats
from controller.simulation.scene import DieThing, HandThing
from tests.simulation.boards import checkers_of, columns_of, expected_columns

SEEDS = range(4)
SELDOM = Filming(fps=1)


@cache
def played(seed: int, errors: str = "many", length: int = 3) -> SimulatedTable:
    """The match to its end; few scenes, as nobody looks at them."""
    table = SimulatedTable(seed, SimulatedMatch(errors, length), SELDOM)  # type: ignore[arg-type]
    for _ in table.scenes():
        pass
    return table


@pytest.mark.parametrize("seed", SEEDS)
def test_every_turn_is_a_legal_play_from_where_the_last_one_ended(seed: int) -> None:
    position = Position.start()
    for event in played(seed).truth:
        if isinstance(event, GameBegun):
            position = Position.start()
        if isinstance(event, TurnPlayed):
            assert event.before == position
            assert event.after in {play.result for play in legal_plays(position, event.side, event.dice)}
            assert event.rolled < event.seconds
            position = event.after


@pytest.mark.parametrize("seed", SEEDS)
def test_illegal_plays_are_illegal_and_put_right_by_the_turn_that_follows(seed: int) -> None:
    truth = played(seed).truth
    for event, after in pairwise(truth):
        if isinstance(event, ErrorMade) and event.kind == "illegal-play":
            assert isinstance(after, TurnPlayed)
            assert (after.side, after.dice) == (event.side, event.dice)
            legal = {play.result for play in legal_plays(after.before, event.side, event.dice)}
            assert event.wrong is not None
            assert event.wrong not in legal
            assert event.put_right <= after.seconds


def test_an_illegal_play_that_nobody_notices_stands_and_the_game_goes_on_from_it() -> None:
    stood = 0
    for seed in SEEDS:
        position = Position.start()
        for event in played(seed, "unnoticed").truth:
            if isinstance(event, GameBegun):
                position = Position.start()
            if isinstance(event, TurnPlayed):
                assert event.before == position
                legal = {play.result for play in legal_plays(position, event.side, event.dice)}
                assert (event.after in legal) == (event.play is not None)
                stood += event.play is None
                position = event.after
    assert stood >= len(SEEDS)


def test_players_err_as_often_as_asked_and_mend_every_error() -> None:
    def errors(level: str) -> list[ErrorMade]:
        return [e for seed in SEEDS for e in played(seed, level, 1).truth if isinstance(e, ErrorMade)]

    none, some, many = errors("none"), errors("some"), errors("many")
    assert not none
    assert 5 < len(some) < len(many)
    assert {error.kind for error in many} == {"illegal-play", "premature-roll", "cocked-die"}
    assert all(error.put_right - error.seconds > 3.9 for error in many)


@pytest.mark.parametrize("look", ["club", "tournament", "walnut", "green-suede"])
def test_the_table_shows_the_true_position_after_every_turn_in_every_seating(look: str) -> None:
    table = SimulatedTable(3, SimulatedMatch("many", 1), look=look)
    seats, seen = Seats(table.light_home), 0
    for scene in table.scenes():
        last = table.truth[-1]
        if isinstance(last, TurnPlayed) and len(table.truth) > seen:
            seen = len(table.truth)
            assert columns_of(scene, table.look.shape) == expected_columns(last.after, seats)
    assert seen > 20


@pytest.mark.parametrize("seed", SEEDS)
def test_fifteen_checkers_a_side_lie_on_the_table_whenever_no_hand_is_there(seed: int) -> None:
    for scene in SimulatedTable(seed, SimulatedMatch("many", 1)).scenes():
        if not any(isinstance(thing, HandThing) for thing in scene.things):
            lying = checkers_of(scene)
            assert [sum(c.side is side for c in lying) for side in Side] == [15, 15]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_match_ends_when_a_player_has_the_points(seed: int) -> None:
    truth = played(seed, "some", 5).truth
    wins = [event for event in truth if isinstance(event, GameWon)]
    assert isinstance(truth[-1], GameWon)
    assert max(wins[-1].score) >= 5
    assert all(max(win.score) < 5 for win in wins[:-1])
    totals = tuple(sum(win.points for win in wins if win.side is side) for side in Side)
    assert totals == wins[-1].score


def test_every_double_is_answered_and_none_comes_in_the_crawford_game() -> None:
    truths = [played(seed, "none", 5).truth for seed in range(8)]
    for truth in truths:
        crawford = False
        for event, after in pairwise(truth):
            crawford = event.crawford if isinstance(event, GameBegun) else crawford
            if isinstance(event, Doubled):
                assert isinstance(after, Taken | Passed)
                assert after.side is event.side.other
                assert not crawford
    kinds = {type(event) for truth in truths for event in truth}
    assert {Doubled, Taken, Passed} <= kinds
    assert any(isinstance(event, GameBegun) and event.crawford for truth in truths for event in truth)


@pytest.mark.parametrize("light_home", ["bottom-right", "top-right"])
def test_dice_come_to_rest_in_the_throwers_right_half(light_home: str) -> None:
    look = next(look for look in LOOKS if look.light_home == light_home)
    seats, middle = Seats(light_home), look.shape.width / 2
    for scene in SimulatedTable(1, SimulatedMatch("none", 1), look=look).scenes():
        if not any(isinstance(thing, HandThing) for thing in scene.things):
            for die in (thing for thing in scene.things if isinstance(thing, DieThing)):
                assert (die.at[0] > middle) == seats.throws_right(die.side)


def test_the_same_seed_plays_the_same_match_and_another_seed_another() -> None:
    again = SimulatedTable(3, SimulatedMatch("many", 3), SELDOM)
    for _ in again.scenes():
        pass
    assert again.truth == played(3).truth
    assert again.truth != played(2).truth


def test_truth_grows_while_the_match_is_watched() -> None:
    table = SimulatedTable(2, SimulatedMatch(length=1))
    assert table.truth == ()
    scenes = table.scenes()
    next(scenes)
    assert [type(event) for event in table.truth] == [GameBegun]
    for _ in scenes:
        pass
    assert isinstance(table.truth[-1], GameWon)


def test_a_look_that_there_is_not_is_named_with_those_that_there_are() -> None:
    with pytest.raises(SimulationError, match=r"no look called 'plaid'; there are club, "):
        SimulatedTable(1, look="plaid")


def test_a_match_without_end_or_games_is_refused() -> None:
    with pytest.raises(SimulationError, match="needs a length"):
        SimulatedMatch(length=0)


@pytest.mark.parametrize(("size", "fps"), [((1280, 720), 0.0), ((10, 10), 10.0)])
def test_a_camera_that_cannot_film_is_refused(size: tuple[int, int], fps: float) -> None:
    with pytest.raises(SimulationError, match="needs a picture"):
        Filming(size, fps)
