"""Which of two colours is which stays as it was first called, until the set is known."""

from __future__ import annotations

from random import Random
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.rules import Position, Side, legal_plays
from controller.tracking.orientation import columns_of
from tests.vision.watching.test_watcher import CORNERS, STILL
from vision.board.geometry import BoardGeometry
from vision.frame import Frame
from vision.observation import MAX_COUNT, Observation
from vision.reading.appearance import Appearance
from vision.reading.reader import BoardReader
from vision.watching.names import Names
from vision.watching.watcher import Watcher

MISREAD = 2
"""Columns of each reading of which nothing is read."""


def reading(position: Position, rng: Random, seconds: float = 0.0) -> Observation:
    """How this position is read, some columns badly."""
    columns = np.full((24, 2 * MAX_COUNT + 1), 0.1 / 30, np.float32)
    columns[np.arange(24), columns_of([position], "bottom-right")[0] + MAX_COUNT] = 0.9
    columns[rng.sample(range(24), MISREAD)] = 1 / 31
    bar = np.full((2, MAX_COUNT + 1), 0.1 / 15, np.float32)
    bar[[0, 1], [position.light[24], position.dark[24]]] = 0.9
    rows = [row / row.sum(axis=1, keepdims=True) for row in (columns, bar)]
    return Observation(seconds, *rows, np.ones(25, np.float32))


def played(rng: Random, turns: int) -> list[Position]:
    """Positions of a game, each a turn after the one before."""
    position, side, positions = Position.start(), Side.LIGHT, [Position.start()]
    for _ in range(turns):
        plays = legal_plays(position, side, (rng.randint(1, 6), rng.randint(1, 6)))
        position, side = rng.choice(plays).result, side.other
        positions.append(position)
    return positions


def named_as_before(now: Observation, before: Observation) -> Observation:
    """The newer reading, with the names that it gets after the older one."""
    names = Names()
    names.kept(before)
    return names.kept(now)


@given(st.integers(0, 10_000), st.integers(1, 25))
def test_a_turn_later_the_sides_have_the_names_they_had(seed: int, turns: int) -> None:
    rng = Random(seed)
    before, now = (reading(position, rng) for position in played(rng, turns)[-2:])
    assert named_as_before(now, before) is now
    assert np.array_equal(named_as_before(now.exchanged(), before).columns, now.columns)


@pytest.mark.parametrize("seed", range(20))
def test_a_board_put_up_for_the_next_game_has_its_own_names(seed: int) -> None:
    rng = Random(seed)
    late, start = reading(played(rng, 30)[-1], rng), reading(Position.start(), rng)
    for put_up in (start, start.exchanged()):
        assert named_as_before(put_up, late) is put_up


def test_where_most_is_hidden_nothing_is_told() -> None:
    rng = Random(3)
    before = reading(Position.start(), rng)
    now = before.exchanged()
    now.seen[:12] = 0
    assert named_as_before(now, before) is now


def test_a_first_look_that_shows_little_is_no_hindrance() -> None:
    rng, names = Random(4), Names()
    hidden, first, second = (reading(Position.start(), rng) for _ in range(3))
    hidden.seen[:] = 0.1
    names.kept(hidden)
    assert names.kept(first) is first
    assert np.array_equal(names.kept(second.exchanged()).columns, second.columns)


def test_one_look_in_which_the_names_are_mixed_does_not_exchange_them_for_good() -> None:
    rng, names = Random(6), Names()
    first, mixed, last = (reading(position, rng) for position in played(rng, 12)[-3:])
    mixed.columns[::2] = mixed.columns[::2, ::-1]
    for look in (first, mixed):
        names.kept(look)
    assert np.array_equal(names.kept(last.exchanged()).columns, last.columns)


@pytest.mark.parametrize(("wrong", "misnamed"), [(1, True), (2, True), (8, False), (11, False)])
def test_a_first_reading_that_most_others_contradict_gave_the_wrong_names(wrong: int, misnamed: bool) -> None:
    rng, names = Random(7), Names()
    for number, position in enumerate(played(rng, 12)):
        look = reading(position, rng)
        named = names.kept(look.exchanged() if number < wrong else look)
    assert names.misnamed is misnamed
    if misnamed:
        names.exchange()
        assert not names.misnamed
        assert np.array_equal(names.kept(named).columns, look.columns)


def test_exchanged_names_are_those_of_all_that_is_remembered() -> None:
    rng, names = Random(8), Names()
    looks = [reading(position, rng) for position in played(rng, 12)[-3:]]
    for look in looks[:2]:
        names.kept(look)
    names.exchange()
    assert np.array_equal(names.kept(looks[2]).columns, looks[2].exchanged().columns)


class Undecided:
    """A reader that calls the sides otherwise every other time."""

    glimpse = None

    def __init__(self, positions: list[Position]) -> None:
        self._rng, self._left = Random(1), positions[::-1]

    def read(self, frame: Frame, geometry: BoardGeometry, *_: object, **__: Any) -> Observation:
        seen = reading(self._left.pop(), self._rng, frame.seconds)
        return seen.exchanged() if len(self._left) % 2 else seen


@pytest.mark.parametrize("known", [False, True])
def test_a_set_that_is_known_has_its_own_names(known: bool) -> None:
    positions = played(Random(5), 8)
    appearance = Appearance(np.zeros(3, np.float32), np.ones(3, np.float32)) if known else None
    eye = Watcher(
        CORNERS, cast(BoardReader, Undecided(positions)), key_frames=True, judging=False, appearance=appearance
    )
    looks = [eye.look(Frame(STILL, float(number))) for number in range(len(positions))]
    read = [look.columns.argmax(axis=1) - MAX_COUNT for look in looks if look is not None]
    agree = [
        int((columns * columns_of([p], "bottom-right")[0]).sum()) > 0
        for columns, p in zip(read, positions, strict=True)
    ]
    assert (len(set(agree)) == 1) is not known


class Taught(Undecided):
    """A reader that knows which side is which where it is told what the set looks like, and errs where it is not."""

    def read(self, frame: Frame, geometry: BoardGeometry, known: Appearance | None = None, **_: Any) -> Observation:
        seen = reading(self._left.pop(), self._rng, frame.seconds)
        return seen if known else seen.exchanged()


def test_a_set_that_is_forgotten_in_the_middle_of_a_game_keeps_its_names() -> None:
    positions = played(Random(5), 8)
    appearance = Appearance(np.zeros(3, np.float32), np.ones(3, np.float32))
    eye = Watcher(CORNERS, cast(BoardReader, Taught(positions)), key_frames=True, judging=False, appearance=appearance)
    for number, position in enumerate(positions):
        if number == 5:
            eye.unlearn()
        look = eye.look(Frame(STILL, float(number)))
        assert look is not None
        read = look.columns.argmax(axis=1) - MAX_COUNT
        assert int((read * columns_of([position], "bottom-right")[0]).sum()) > 0
