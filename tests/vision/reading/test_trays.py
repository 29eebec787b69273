"""Borne-off checkers: where they are looked for, how they are counted, and what their number says of the board."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.reading.test_checkers import START, certain, drawn, reader
from vision.board.geometry import BoardGeometry
from vision.frame import Frame
from vision.observation import MAX_COUNT, Observation
from vision.reading.position_decoder import most_likely
from vision.reading.reader import BoardReader
from vision.reading.trays import DETAIL, QUARTERS, TrayReader, likelihood_of
from vision.training.trays_data import drawn_table

TABLES = range(52_950_000, 52_950_014)
"""Seeds that nothing learnt from."""


@cache
def tray_reader() -> TrayReader:
    return TrayReader()


@cache
def looked_beside() -> list[tuple[int, npt.NDArray[np.float32]]]:
    """Of each side of drawn boards how many of its checkers lie beside the board, and how likely each number is said to be."""
    found = []
    for seed in TABLES:
        table = drawn_table(seed, in_full=True)
        (looked, _), seen = reader().looked(table.picture, table.geometry)
        said = tray_reader().read(table.picture, table.geometry, looked.heat, seen.columns)
        swapped = _dark_is_light(seen.columns, np.array(table.scene.counts[:24]))
        found += list(zip(table.off.counts.sum(axis=0).tolist(), said[::-1] if swapped else said, strict=True))
    return found


def _dark_is_light(columns: npt.NDArray[np.float32], counts: npt.NDArray[np.int64]) -> bool:
    """Whether the reader calls light what was drawn as the darker side."""
    said = columns[:, MAX_COUNT + 1 :].sum(axis=1) - columns[:, :MAX_COUNT].sum(axis=1)
    return float(said @ (counts[:, 0] - counts[:, 1])) < 0


def test_where_nothing_has_been_borne_off_that_is_said_and_where_checkers_lie_so_is_that() -> None:
    none = [said[1:].mean() for off, said in looked_beside() if not off]
    some = [said[off] for off, said in looked_beside() if off]
    assert len(none) >= 9
    assert len(some) >= 6
    assert np.mean(np.array(none) < 0.5) > 0.85
    assert np.mean(np.array(some) > 1.0) > 0.75


def test_about_how_many_were_borne_off_is_told() -> None:
    many = [(off, int(said.argmax())) for off, said in looked_beside() if off >= 5]
    few = [(off, int(said.argmax())) for off, said in looked_beside() if 0 < off < 5]
    assert np.mean([said for _, said in many]) > np.mean([said for _, said in few])


def test_each_quarter_is_looked_at_as_if_it_were_the_top_right_one() -> None:
    rng = np.random.default_rng(5)
    picture = cv2.GaussianBlur(rng.integers(0, 256, (500, 800, 3)).astype(np.uint8), (0, 0), 6)
    corners = np.array([[200, 100], [600, 100], [600, 400], [200, 400]], np.float32)
    board = BoardGeometry(corners, (0.47, 0.53))
    across = BoardGeometry(np.array([[199, 100], [599, 100], [599, 400], [199, 400]], np.float32), (0.47, 0.53))
    down = BoardGeometry(np.array([[200, 99], [600, 99], [600, 399], [200, 399]], np.float32), (0.47, 0.53))
    for quarter in range(QUARTERS):
        patch = board.tray_patch(picture, quarter, DETAIL).astype(int)
        mirrored = across.tray_patch(np.ascontiguousarray(picture[:, ::-1]), quarter ^ 1, DETAIL)
        upside_down = down.tray_patch(np.ascontiguousarray(picture[::-1]), quarter ^ 2, DETAIL)
        assert np.abs(patch - mirrored).max() <= 2
        assert np.abs(patch - upside_down).max() <= 2


@given(st.floats(0.97, 1.25), st.floats(-0.08, 0.48), st.integers(0, QUARTERS - 1))
def test_a_mark_beside_the_board_shows_where_its_place_is_said_to_be(x: float, y: float, quarter: int) -> None:
    board = BoardGeometry(np.array([[220, 120], [600, 100], [640, 420], [180, 400]], np.float32), (0.47, 0.53))
    plane = np.array([x if quarter % 2 else 1 - x, y if quarter < 2 else 1 - y])
    picture = np.zeros((520, 860, 3), np.uint8)
    place = board.to_picture(plane)
    cv2.circle(picture, (round(place[0] * 16), round(place[1] * 16)), 48, (255, 255, 255), -1, cv2.LINE_AA, 4)
    patch = board.tray_patch(picture, quarter, DETAIL)[..., 0].astype(float)
    rows, columns = np.indices(patch.shape)
    middle = np.array([(columns * patch).sum(), (rows * patch).sum()]) / patch.sum()
    assert np.abs(middle - board.tray_px(plane, quarter, DETAIL)).max() < 1.5


def _nothing_beside() -> npt.NDArray[np.float32]:
    said = np.full((QUARTERS, 2, 16), -6.0, np.float32)
    said[..., 0] = np.log(1 - 15 * np.exp(-6.0))
    return likelihood_of(said)


@pytest.mark.parametrize(("beside", "heap"), [(None, 5), ("nothing", 6)])
def test_a_pile_that_looks_one_too_low_is_whole_where_nothing_has_been_borne_off(beside: str | None, heap: int) -> None:
    """At home a pile of five may be what is left; with empty trays it is six."""
    seen = certain((4, 2, 1, 1, 0, 0, *[0] * 12, -3, -3, -3, -2, -2, -2))
    seen.columns[5] = 1e-4
    seen.columns[5, MAX_COUNT + np.array([5, 6, 7])] = 0.6, 0.1, 0.3
    seen.columns[3] = 1e-4
    seen.columns[3, MAX_COUNT + 2] = 1.0
    looked = replace(seen, off=_nothing_beside() if beside else None)
    assert most_likely(looked).counts[5] == heap


def test_what_is_plain_on_the_board_is_read_as_it_lies_though_the_rest_is_nowhere() -> None:
    """Borne-off checkers may lie in a hand or in the lid."""
    columns = (3, 0, 2, *[0] * 9, -2, 0, 0, -1, *[0] * 8)
    seen = replace(certain(columns), off=_nothing_beside())
    assert tuple(most_likely(seen).counts) == columns


def test_nobody_looks_beside_the_board_while_a_better_picture_may_come() -> None:
    picture, board = drawn(START)
    eyes = BoardReader()
    assert eyes.read(Frame(picture, 0.0), board).off is None
    off = eyes.read(Frame(picture, 0.0), board, alone=True).off
    assert off is not None
    assert (off[:, 1:] < off[:, :1]).all()


def test_sides_that_are_exchanged_are_exchanged_beside_the_board_too() -> None:
    off = np.array([np.linspace(0, 1, 16), np.linspace(1, 0, 16)], np.float32)
    seen = Observation(
        0.0, np.zeros((24, 31), np.float32), np.zeros((2, 16), np.float32), np.ones(25, np.float32), off=off
    )
    exchanged = seen.exchanged().off
    assert exchanged is not None
    assert (exchanged == off[::-1]).all()
