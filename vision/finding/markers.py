"""Printed markers around a board: the sheet to print, and the board's corners from a picture that shows them.

Four ArUco markers, 0 to 3, lie flat around the playing surface, each with the inner corner of its paper square on a corner of the
surface: 0 top-left, 1 top-right, 2 bottom-right, 3 bottom-left, so that a row of points runs from 0 to 1. Which way each is turned
does not matter.
"""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.errors import VisionError
from vision.frame import Corners, Image
from vision.pictures.paper import PaperSheet

FAMILY = cv2.aruco.DICT_4X4_50
"""The family with the largest cells: it is read from furthest away, and four ids are enough."""
CELLS = 6
"""Cells along a marker's side, its black border included."""
MARGIN = 1
"""White cells around a marker that belong to its paper square: without them it is not found on a dark board."""
SHEET_MM = (210, 297)
DEFAULT_MM = 36.0
"""Paper square's side. A marker is then 27 mm: in a picture in which the board is 700 px wide, 36 px, six a cell."""
LARGEST_MM = 80.0
SMALLEST_MM = 16.0
TEXT = (
    "Cut along the dashed lines. Lay each square flat beside the playing surface, one of its paper corners exactly on the corner:",
    "0 top-left, 1 top-right, 2 bottom-right, 3 bottom-left, as the camera sees the board, with a row of points from 0 to 1.",
    "Nothing may hide a square while the camera looks for the board. Print at 100 %, not fitted to the page.",
)


class MarkersError(VisionError):
    """A sheet that can't be made."""


def sheet(square_mm: float = DEFAULT_MM) -> str:
    """The sheet with the four squares as SVG text, A4 upright. Raises MarkersError for a size that does not fit or be seen."""
    if not SMALLEST_MM <= square_mm <= LARGEST_MM:
        raise MarkersError(f"A square of {square_mm:g} mm can't be used: choose {SMALLEST_MM:g} to {LARGEST_MM:g} mm.")
    paper = PaperSheet(SHEET_MM)
    gap = (SHEET_MM[0] - 2 * square_mm) / 3
    for number in range(4):
        left, top = gap + (number % 2) * (square_mm + gap), 30 + (number // 2) * (square_mm + 22)
        _add_square(paper, number, left, top, square_mm)
    for line, text in enumerate(TEXT):
        paper.text(text, 12, 12 + 5 * line, 3.2)
    return paper.svg()


def _add_square(paper: PaperSheet, number: int, left: float, top: float, side: float) -> None:
    """One paper square: cut line, black cells, and its number below."""
    cell = side / (CELLS + 2 * MARGIN)
    paper.rectangle(left, top, side, side, fill="none", stroke="#999", stroke_width="0.2", stroke_dasharray="2 2")
    for row, column in np.argwhere(_bits(number) == 0):
        # A hair wider than the cell, so that no white line shows between two black ones.
        paper.rectangle(left + (MARGIN + column) * cell, top + (MARGIN + row) * cell, cell + 0.02, cell + 0.02)
    paper.text(str(number), left + side / 2, top + side + 6, 5, text_anchor="middle")


def _bits(number: int) -> npt.NDArray[np.uint8]:
    """(CELLS, CELLS) of 0 black and 255 white."""
    return np.asarray(cv2.aruco.generateImageMarker(_family(), number, CELLS), np.uint8)


@cache
def _family() -> cv2.aruco.Dictionary:
    return cv2.aruco.getPredefinedDictionary(FAMILY)


@cache
def _detector() -> cv2.aruco.ArucoDetector:
    asked = cv2.aruco.DetectorParameters()
    asked.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    return cv2.aruco.ArucoDetector(_family(), asked)


def corners_from_markers(image: Image) -> Corners | None:
    """The playing surface's corners, (4, 2) float32 source px from marker 0's on; None unless all four markers are seen once.

    image: (H, W, 3) uint8 BGR.
    """
    found, numbers, _ = _detector().detectMarkers(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))
    if numbers is None or sorted(int(n) for n in numbers.ravel() if n < 4) != [0, 1, 2, 3]:
        return None
    squares = {
        int(n): _paper(np.asarray(c, np.float32).reshape(4, 2)) for n, c in zip(numbers.ravel(), found, strict=True)
    }
    middle = np.mean([squares[n].mean(axis=0) for n in range(4)], axis=0)
    inner = [squares[n][np.linalg.norm(squares[n] - middle, axis=1).argmin()] for n in range(4)]
    return np.array(inner, np.float32)


def _paper(marker: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """(4, 2) px corners of the paper square around a marker's (4, 2)."""
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    share = MARGIN / CELLS
    outer = (unit * (1 + 2 * share) - share).reshape(-1, 1, 2)
    return cv2.perspectiveTransform(outer, cv2.getPerspectiveTransform(unit, marker)).reshape(4, 2).astype(np.float32)
