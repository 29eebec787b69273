"""How the board lies before the camera, and whose side is meant."""

from __future__ import annotations

from typing import Literal, get_args

SideName = Literal["light", "dark"]

Corner = Literal["bottom-right", "bottom-left", "top-right", "top-left"]
"""A corner of the camera's picture."""

CORNERS: tuple[Corner, ...] = get_args(Corner)
"""The last is across from the first, the third from the second."""


def across(corner: Corner) -> Corner:
    """The corner that lies there once the board, or the camera, has been carried round the table."""
    return CORNERS[-1 - CORNERS.index(corner)]
