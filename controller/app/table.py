"""How one board stands before its camera, and what is played on it: what a referee starts from."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from controller.referee.session import MatchPlan
from terms.board import Corner
from vision.frame import Corners
from vision.sources import spelled_once


@dataclass(frozen=True)
class Table:
    """corners: None to find them in the picture.

    file: where it is kept that a person has shown where the board lies; None for nowhere. size: (width, height) px of the picture
    that the corners are for, None where nobody knows. refused: why corners that were given are none of a board. learnt: where it
    is kept what the table has taught, waits: where, what was seen and waits to be written; None for nowhere. source: where the
    pictures come from, as the settings name it; None where nobody has named it. of_settings: how it stands before the camera of the
    settings, where they say so and another is used.
    """

    plan: MatchPlan
    corners: Corners | None
    light_home: Corner
    file: Path | None = None
    size: tuple[int, int] | None = None
    refused: str = ""
    learnt: Path | None = None
    waits: Path | None = None
    source: str | None = None
    of_settings: Table | None = None


def is_anothers(kept: str | None, source: str | None) -> bool:
    """Whether what is kept was shown by another source than that one. None: nobody has named it, or any will do."""
    return kept is not None and source is not None and spelled_once(kept) != spelled_once(source)
