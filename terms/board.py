"""How the board lies before the camera, and whose side is meant."""

from __future__ import annotations

from typing import Literal, get_args

SideName = Literal["light", "dark"]

Corner = Literal["bottom-right", "bottom-left", "top-right", "top-left"]
"""A corner of the camera's picture."""

CORNERS: tuple[Corner, ...] = get_args(Corner)
