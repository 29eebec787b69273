"""Which columns the picture's edge cuts off: nobody can count what lies beyond it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.board.geometry import BoardGeometry
from vision.board.quality import CHECKER

SHOWN = (0.1, 0.4)
"""Share of the place of a column's first checker, and of the bar, in the picture, from which the column may be in sight, and from
which it is. Of 944 columns of 300 drawn boards that were cut off 72 and 77 of 100 are counted rightly below 0.1 and 0.2, 85 below
0.3, 91 below 0.4 and 93 above."""
LEAST = 0.1
"""What is left of a column's chance beyond that: a person might count it all the same, so that the whole is never called sure."""
BAR = 24
STEPS = (np.arange(8) + 0.5) / 8


def in_sight(seen: npt.NDArray[np.float32], geometry: BoardGeometry, size: tuple[int, int]) -> npt.NDArray[np.float32]:
    """(25,) probabilities that the columns and the bar are in sight: `seen`, what the network says, less where they are cut off.

    size: the picture's width and height, px.
    """
    if _inside(geometry.corners, size).all():
        return seen
    shown = [float(_inside(geometry.to_picture(_first_place(geometry, column)), size).mean()) for column in range(25)]
    return np.asarray(seen * np.interp(shown, SHOWN, (LEAST, 1.0)), np.float32)


def _inside(pixels: npt.ArrayLike, size: tuple[int, int]) -> npt.NDArray[np.bool_]:
    """Which source px (..., 2) lie in the picture."""
    places = np.asarray(pixels)
    return np.asarray(((places >= -0.5) & (places <= np.array(size) - 0.5)).all(axis=-1))


def _first_place(geometry: BoardGeometry, column: int) -> npt.NDArray[np.float64]:
    """(8, 8, 2) places on the board plane where a column's first checker would lie; of column 24 all over the bar."""
    (left, top), _, (right, bottom), _ = geometry.column_region(column).tolist()
    if column != BAR:
        top, bottom = (top, top + CHECKER[1]) if column < BAR // 2 else (bottom - CHECKER[1], bottom)
    return np.stack(np.meshgrid(left + STEPS * (right - left), top + STEPS * (bottom - top)), axis=-1)
