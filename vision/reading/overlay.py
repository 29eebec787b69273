"""Draws on a picture what was read in it, so that a person sees at a glance whether it is right."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.geometry import UNIT_SQUARE, BoardGeometry
from vision.frame import Image
from vision.reading.report import Cell, Reading

Colour = tuple[int, int, int]
BOARD: Colour = (80, 220, 80)
LIGHT: Colour = (255, 255, 255)
DARK: Colour = (40, 40, 40)
HIDDEN: Colour = (160, 160, 160)
DOUBTFUL: Colour = (0, 140, 255)
DIE: Colour = (255, 200, 0)
CUBE: Colour = (255, 0, 255)
FONT = cv2.FONT_HERSHEY_SIMPLEX
DOUBT = 0.95
"""A column, a die or the cube less sure than this is framed in orange."""
LABEL_DEPTH = 0.03
"""Where a column's count stands, board heights inside the edge."""
LINE_POINTS = 33
"""Of a line that a lens may bend."""

Place = npt.NDArray[np.floating]
"""(2,) of the board plane."""


def drawn_over(image: Image, reading: Reading, geometry: BoardGeometry, sureness: tuple[float, ...]) -> Image:
    """The picture with the reading on it: corners, columns with counts, bar, dice, cube. A new array.

    image: (H, W, 3) uint8 BGR. geometry: with its bar's place. sureness: (25,) probability of each column's and the bar's answer.
    """
    picture = image.copy()
    scale = max(geometry.width_px / 900, 0.35)
    for start, end in zip(UNIT_SQUARE, np.roll(UNIT_SQUARE, -1, axis=0), strict=True):
        _drawn_along(picture, geometry, start, end, 2 * scale)
    for number, corner in zip(("1", "2", "3", "4"), np.round(geometry.corners).astype(np.int32), strict=True):
        _label(picture, number, corner, scale, BOARD)
    cells = (*reading.top, *reading.bottom)
    for column, cell in enumerate(cells):
        x, _ = geometry.column_centre(column)
        at = geometry.to_picture([[x, LABEL_DEPTH if column < 12 else 1 - LABEL_DEPTH]])[0]
        _cell(picture, cell, at, sureness[column], scale)
    left, right = geometry.bar if geometry.bar is not None else (0.5, 0.5)
    for x in (left, right):
        _drawn_along(picture, geometry, np.array([x, 0.0]), np.array([x, 1.0]), scale)
    if reading.bar != (0, 0):
        _cell(picture, reading.bar, geometry.to_picture([[(left + right) / 2, 0.5]])[0], sureness[24], scale)
    for die in reading.dice:
        words = f"{die.value}" + (f" {die.why}" if die.why else "")
        _mark(picture, words, die.px, geometry.width_px * 0.025, scale, DIE if die.confidence >= DOUBT else DOUBTFUL)
    if reading.cube is not None:
        colour = CUBE if reading.cube.confidence >= DOUBT else DOUBTFUL
        _mark(picture, f"cube {reading.cube.shown}", reading.cube.px, geometry.width_px * 0.03, scale, colour)
    return picture


def _drawn_along(picture: Image, geometry: BoardGeometry, start: Place, end: Place, wide: float) -> None:
    """A line of the board plane, bent as the lens bends it."""
    places = geometry.to_picture(np.linspace(start, end, LINE_POINTS))
    cv2.polylines(picture, [np.round(places).astype(np.int32)], False, BOARD, max(round(wide), 1), cv2.LINE_AA)


def _cell(picture: Image, cell: Cell | None, at: np.ndarray, sure: float, scale: float) -> None:
    if cell is None:
        _label(picture, "?", at, scale, HIDDEN)
    elif cell != (0, 0):
        light, dark = cell
        words = f"{light}/{dark}" if light and dark else str(light or dark)
        _label(picture, words, at, scale, LIGHT if light else DARK, DOUBTFUL if sure < DOUBT else None)
    elif sure < DOUBT:
        _label(picture, "0", at, scale, HIDDEN, DOUBTFUL)


def _label(
    picture: Image, words: str, at: np.ndarray, scale: float, colour: Colour, frame: Colour | None = None
) -> None:
    """Words in the colour, on a ground they stand out from, framed where doubtful."""
    (width, height), _ = cv2.getTextSize(words, FONT, 0.6 * scale, max(round(2 * scale), 1))
    x, y = round(float(at[0]) - width / 2), round(float(at[1]) + height / 2)
    pad = max(round(4 * scale), 2)
    ground = (30, 30, 30) if sum(colour) > 300 else (235, 235, 235)
    box = (x - pad, y - height - pad), (x + width + pad, y + pad)
    cv2.rectangle(picture, *box, ground, -1)
    if frame is not None:
        cv2.rectangle(picture, *box, frame, max(round(2 * scale), 1))
    cv2.putText(picture, words, (x, y), FONT, 0.6 * scale, colour, max(round(2 * scale), 1), cv2.LINE_AA)


def _mark(picture: Image, words: str, px: tuple[float, float], radius: float, scale: float, colour: Colour) -> None:
    cv2.circle(picture, (round(px[0]), round(px[1])), round(radius), colour, max(round(2 * scale), 1), cv2.LINE_AA)
    _label(picture, words, np.array([px[0], px[1] - 1.7 * radius]), 0.85 * scale, colour)
