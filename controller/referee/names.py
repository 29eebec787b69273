"""What people are called, as it may be shown, kept and exported."""

from __future__ import annotations

from unicodedata import category

from controller.rules import COLOURS, Side

JOINER = "\u200d"

UNNAMED = ("Light", "Dark")
"""What players are called whom nobody has named: their colours."""


def called(names: tuple[str, str], language: str) -> dict[Side, str]:
    """What light and dark are called in a sentence of that language, en, cs or sk: by colour where nobody has named them."""
    colours = {name: COLOURS[language][side] for side, name in zip(Side, UNNAMED, strict=True)}
    return {side: colours.get(name, name) for side, name in zip(Side, names, strict=True)}


def exchanged(names: tuple[str, str]) -> tuple[str, str]:
    """Light's and dark's names once they have changed colours; whoever has no name is called by the new one."""
    light, dark = names
    return dark if dark != UNNAMED[1] else UNNAMED[0], light if light != UNNAMED[0] else UNNAMED[1]


def renamed(seats: tuple[str, str], before: tuple[str, str], now: tuple[str, str]) -> tuple[str, str]:
    """Who had the light and the dark checkers at some time, after the match's players were called otherwise."""
    if seats == before:
        return now
    called_now = dict(zip(before, now, strict=True))
    light, dark = (called_now.get(name, name) for name in seats)
    return light, dark


def printable(name: str) -> str:
    """A name on one line: control characters, line and paragraph separators, marks that turn the direction of writing and
    bytes that are no text become spaces, and spaces are counted once. What joins two pictures into one stays."""
    return " ".join("".join(c if c.isprintable() or _joins(name, at) else " " for at, c in enumerate(name)).split())


def _joins(name: str, at: int) -> bool:
    """Whether it stands between two pictures, as in an emoji of several: with a colour of skin or a form the first ends in that."""
    before, after = name[at - 1 : at], name[at + 1 : at + 2]
    return name[at] == JOINER and category(before or " ") in ("So", "Sk", "Mn") and category(after or " ") == "So"
