"""The two sides of the board. Colours are absolute: the camera sees colours, whoever is on roll."""

from __future__ import annotations

from enum import Enum


class Side(Enum):
    """Owner of the light or of the dark checkers."""

    LIGHT = "light"
    DARK = "dark"

    @property
    def other(self) -> Side:
        """The opponent."""
        return Side.DARK if self is Side.LIGHT else Side.LIGHT
