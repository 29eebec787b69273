"""The two sides of the board. Colours are absolute: the camera sees colours, whoever is on roll."""

from __future__ import annotations

from enum import Enum


class Side(Enum):
    """Owner of the light or of the dark checkers."""

    LIGHT = "light"
    DARK = "dark"

    __hash__ = object.__hash__
    """As Enum's own is written in Python, and asked for a thousand times a look."""

    @property
    def other(self) -> Side:
        """The opponent."""
        return Side.DARK if self is Side.LIGHT else Side.LIGHT
