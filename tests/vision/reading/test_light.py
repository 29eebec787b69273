"""Boards half in the sun: what is light and what is dark is told beside what lies around it."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from benchmarks.altered import half_in_the_sun
from tests.vision.finding.test_finding import simulated
from vision.board.geometry import CANONICAL_HEIGHT, CANONICAL_WIDTH, CELL, MARGIN_Y, PITCH, canonical_left
from vision.frame import Frame, Image
from vision.reading.appearance import colour_of_columns, glimpse_of, learn_from_known, side_from_colour
from vision.reading.light import EVEN, UNEVEN, evened, unevenness
from vision.reading.reader import BoardReader, geometry_for

FELT, POINTS, LIGHT, DARK = 100, (120, 85), 150, 75
SHADE, SUN = 0.55, 1.5
COUNTS = np.array([5, 0, -3, 0, 2, 0, -5, 0, 4, 0, -2, 1, -4, 0, 3, 0, 0, -1, 0, 5, -2, 0, 3, -2])
"""Both sides lie in either half."""


def board(light: npt.NDArray[np.float32] | None = None) -> tuple[Image, npt.NDArray[np.float32]]:
    """A canonical picture in which each place is so many times as light, and the heat of its checkers."""
    grey = np.full((CANONICAL_HEIGHT, CANONICAL_WIDTH), FELT, np.float32)
    heat = np.zeros((CANONICAL_HEIGHT // CELL, CANONICAL_WIDTH // CELL), np.float32)
    for column, count in enumerate(COUNTS):
        left, top = canonical_left(column), column < 12
        rows = (
            slice(MARGIN_Y, MARGIN_Y + 70)
            if top
            else slice(CANONICAL_HEIGHT - MARGIN_Y - 70, CANONICAL_HEIGHT - MARGIN_Y)
        )
        grey[rows, left + 2 : left + PITCH - 2] = POINTS[column % 2]
        for row in range(abs(count)):
            y = MARGIN_Y + 8 + 15 * row
            y = y if top else CANONICAL_HEIGHT - y
            cv2.circle(grey, (left + PITCH // 2, y), 7, LIGHT if count > 0 else DARK, -1)
            heat[(y - 6) // CELL : (y + 6) // CELL, (left + 2) // CELL : (left + PITCH - 2) // CELL] = 1
    lit = grey if light is None else grey * light
    noise = np.random.default_rng(4).normal(0, 2, grey.shape)
    return np.clip(lit + noise, 0, 255).astype(np.uint8)[..., None].repeat(3, axis=2), heat


def half_lit() -> npt.NDArray[np.float32]:
    """In the sun right of a slanting line."""
    y, x = np.mgrid[:CANONICAL_HEIGHT, :CANONICAL_WIDTH]
    return np.where(x + 0.3 * y > 130, SUN, SHADE).astype(np.float32)


def named(canonical: Image, heat: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """(columns with checkers,) side by their colours alone, light above 0; two columns say which is which."""
    hint = np.zeros(24, np.float32)
    hint[[0, 2]] = 3, -3
    seen = colour_of_columns(canonical, heat)
    nearer, _ = side_from_colour(glimpse_of(seen, hint, np.where(COUNTS != 0, 1.0, 0.0)), None)
    return nearer[COUNTS != 0] * np.sign(COUNTS[COUNTS != 0])


def test_an_evenly_lit_board_is_left_as_it_is() -> None:
    canonical, heat = board()
    assert unevenness(canonical, heat) < EVEN
    assert evened(canonical, heat) is canonical


@pytest.mark.parametrize("times", [0.4, 0.8, 1.4])
def test_how_light_the_whole_is_does_not_matter(times: float) -> None:
    canonical, heat = board(half_lit() * np.float32(times))
    assert unevenness(canonical, heat) == pytest.approx(unevenness(*board(half_lit())), abs=0.06)


def test_a_board_half_in_the_sun_has_its_sides_told_apart() -> None:
    canonical, heat = board(half_lit())
    assert unevenness(canonical, heat) > UNEVEN
    assert (named(canonical, heat) < 0).sum() >= 3
    assert (named(evened(canonical, heat), heat) < 0).sum() <= 1  # where the shade ends


def test_what_is_learnt_of_such_a_board_tells_them_apart_too() -> None:
    canonical, heat = board(half_lit())
    known = learn_from_known(canonical, (6 / 13, 7 / 13), COUNTS.tolist())
    seen = colour_of_columns(evened(canonical, heat), heat)
    nearer, _ = side_from_colour(glimpse_of(seen, np.zeros(24, np.float32), np.where(COUNTS != 0, 1.0, 0.0)), known)
    assert (nearer[COUNTS != 0] * np.sign(COUNTS[COUNTS != 0]) > 0).all()


@pytest.mark.parametrize("seed", [102, 104, 107])
def test_a_board_is_read_in_such_light_as_in_even_light(seed: int) -> None:
    picture, corners = simulated(seed)
    lit, _ = half_in_the_sun(picture, {"file": str(seed)})
    reader = BoardReader()
    seen = [
        reader.read(Frame(shown, 0.0), geometry_for(picture, corners), alone=True).columns.argmax(axis=1)
        for shown in (picture, lit)
    ]
    assert (seen[0] == seen[1]).all()
