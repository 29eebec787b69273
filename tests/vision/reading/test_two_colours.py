"""Telling both sides' colours before anything is learnt: by the start position's piles, and by what earlier pictures showed."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.rules import Position
from controller.tracking.orientation import columns_of
from terms.board import CORNERS
from vision.reading.appearance import Glimpse, side_from_colour
from vision.reading.start_position import piles_of_one_side, sides_of_piles, start_positions

Floats = npt.NDArray[np.float32]
NOTHING = np.full(24, np.nan, np.float32)


def counted(columns: npt.NDArray[np.int64], sure: float = 0.99) -> Floats:
    """(24, 16) log-probabilities of a reader that counts them so, this sure of each."""
    logs = np.full((24, 16), np.log((1 - sure) / 15), np.float32)
    logs[np.arange(24), np.abs(columns)] = np.log(sure)
    return logs


@pytest.mark.parametrize("home", CORNERS)
def test_the_start_position_is_known_wherever_the_sides_bear_off(home: str) -> None:
    columns = columns_of([Position.start()], home)[0]
    piles = piles_of_one_side(counted(columns), np.ones(24, np.bool_))
    assert piles is not None
    assert abs(int((piles * np.sign(columns)).sum())) == 8


def test_both_ways_in_which_it_lies_are_the_rules_own() -> None:
    by_the_rules = {tuple(columns_of([Position.start()], home)[0].tolist()) for home in CORNERS}
    assert by_the_rules == {tuple((sign * start).tolist()) for start in start_positions() for sign in (1, -1)}


@given(st.integers(0, 1), st.integers(0, 23), st.integers(0, 23))
def test_a_checker_moved_is_no_start_position(way: int, origin: int, target: int) -> None:
    columns = np.abs(start_positions()[way])
    if columns[origin] == 0 or origin == target:
        return
    columns[origin] -= 1
    columns[target] += 1
    assert piles_of_one_side(counted(columns), np.ones(24, np.bool_)) is None


def test_what_an_arm_hides_may_be_anything_but_not_everything() -> None:
    start, seen = start_positions()[0], np.ones(24, np.bool_)
    shown, hidden = start.copy(), np.flatnonzero(start)[:2]
    shown[hidden], seen[hidden] = 0, False
    assert piles_of_one_side(counted(shown), seen) is not None
    seen[np.flatnonzero(start)[2]] = False
    assert piles_of_one_side(counted(shown), seen) is None


def test_piles_that_contradict_the_others_are_named_with_them() -> None:
    piles = np.sign(start_positions()[0])
    side = piles * np.array([2.0], np.float32)
    side[np.flatnonzero(piles)[[0, 3]]] *= -1
    assert (sides_of_piles(piles, 0.5 * side, side, NOTHING) * piles >= 0).all()
    assert (sides_of_piles(piles, -0.5 * side, -side, NOTHING) * piles <= 0).all()


def test_piles_put_up_in_the_wrong_colours_are_read_as_they_lie() -> None:
    piles = np.sign(start_positions()[0])
    side = piles * np.array([4.0], np.float32)
    side[np.flatnonzero(piles)[[0, 2]]] *= -1
    assert np.array_equal(sides_of_piles(piles, side, side, NOTHING), side)


def test_where_the_network_does_not_know_the_lighter_piles_are_the_lighter_sides() -> None:
    piles, unknown = np.sign(start_positions()[0]), np.zeros(24, np.float32)
    lightness = np.where(piles > 0, 150, np.where(piles < 0, 90, np.nan)).astype(np.float32)
    named = sides_of_piles(piles, unknown, unknown, lightness)
    assert (named[piles != 0] * piles[piles != 0] > 1).all()
    assert not sides_of_piles(piles, unknown, unknown, NOTHING).any()


LIGHT, DARK = np.array([70, 140, 150], np.float32), np.array([55, 120, 135], np.float32)


def glimpse(rng: np.random.Generator, called: float, light: int = 4, dark: int = 4, brighter: float = 0.0) -> Glimpse:
    """Some checkers of two sides whose colours vary; called: how well the network names them."""
    truth = np.array([1] * light + [-1] * dark + [0] * (24 - light - dark), np.float32)
    colour = np.where(truth[:, None] > 0, LIGHT, DARK) + rng.normal(0, 3, (24, 3)) + [brighter, 0, 0]
    middle = np.array([60 + brighter, 128, 130], np.float32)
    return Glimpse(*(colour.astype(np.float32),) * 2, np.abs(truth) * 2, called * truth, middle)


def test_names_hold_from_picture_to_picture() -> None:
    rng = np.random.default_rng(1)
    earlier = [glimpse(rng, 1.0) for _ in range(5)]
    now = glimpse(rng, -1.0)  # alone, this one would be named the other way round
    assert (side_from_colour(now, None)[0][:4] < 0).all()
    nearer, _ = side_from_colour(now, None, earlier)
    assert (nearer[:4] > 0).all()
    assert (nearer[4:8] < 0).all()


def test_a_side_in_view_alone_is_told_by_what_was_seen_before() -> None:
    rng = np.random.default_rng(2)
    nearer, _ = side_from_colour(glimpse(rng, 0.1, light=0, dark=6), None, [glimpse(rng, 1.0) for _ in range(5)])
    assert (nearer[:6] < 0).all()


def test_pictures_in_another_light_say_nothing() -> None:
    rng = np.random.default_rng(3)
    bright = [glimpse(rng, 1.0, brighter=40.0) for _ in range(5)]
    now = glimpse(rng, 1.0)
    assert np.array_equal(side_from_colour(now, None, bright)[0], side_from_colour(now, None)[0])


def inlaid(rng: np.random.Generator, sides: np.ndarray, rims: np.ndarray) -> Glimpse:
    """Checkers whose inlays mirror the light on half of the board; sides and rims: (24,) of 1, -1, and 0 where nothing lies."""
    mirrored = np.where(np.arange(24) % 12 < 6, 20, 0)[:, None] * np.array([1.0, 0, 0])
    colour = np.array([60, 128, 130]) + mirrored + rng.normal(0, 1, (24, 3))
    rim = np.where(rims[:, None] > 0, LIGHT, DARK) + rng.normal(0, 1, (24, 3))
    weight = np.abs(sides) * 2.0
    return Glimpse(
        colour.astype(np.float32), rim.astype(np.float32), weight, 0.3 * sides.astype(np.float32), np.zeros(3)
    )


SIDES = np.array([1, -1, -1, 0, 1, 0, -1, 1, 0, 0, -1, 1, 1, 1, -1, 0, -1, 0, -1, 0, 1, 1, 0, -1])


def test_where_inlays_tell_nothing_rims_do() -> None:
    nearer, _ = side_from_colour(inlaid(np.random.default_rng(2), SIDES, SIDES), None)
    assert (nearer * SIDES >= 0).all()


def test_points_that_show_at_the_rims_are_no_sides() -> None:
    points = np.where(np.arange(24) % 2, 1, -1)
    by_points, _ = side_from_colour(inlaid(np.random.default_rng(2), SIDES, points), None)
    assert not np.array_equal(np.sign(by_points)[SIDES != 0], (points * np.sign(by_points[0]) * points[0])[SIDES != 0])


def test_the_lighter_colour_is_light_though_the_network_is_not_sure() -> None:
    rng = np.random.default_rng(4)
    nearer, _ = side_from_colour(glimpse(rng, -0.2), None)
    assert (nearer[:4] > 0).all()
    assert (nearer[4:8] < 0).all()
    by_the_network, _ = side_from_colour(glimpse(rng, -2.0), None)
    assert (by_the_network[:4] < 0).all()
