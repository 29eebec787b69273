"""Boards and plays in few letters, for tests that read like games, and positions for properties."""

from __future__ import annotations

from hypothesis import strategies as st

from controller.rules import BAR, MATCH, Position, RuleSet, Side, format_play, legal_plays

ROLLS = st.tuples(st.integers(1, 6), st.integers(1, 6))
SIDES = st.sampled_from(list(Side))


def board(light: str, dark: str = "", checkers: int = 15) -> Position:
    """A position from "6:5 8:3 bar:1" for each side, in its own numbers; the rest is borne off."""
    return Position.of(_places(light), _places(dark), checkers)


def _places(text: str) -> dict[int, int]:
    pairs = (place.split(":") for place in text.split())
    return {BAR if point == "bar" else int(point): int(count) for point, count in pairs}


def plays(position: Position, dice: tuple[int, int], rules: RuleSet = MATCH, side: Side = Side.LIGHT) -> set[str]:
    """All legal plays in notation; a dance is the empty string."""
    return {format_play(play) for play in legal_plays(position, side, dice, rules)}


def after(position: Position, side: Side, text: str, dice: tuple[int, int], rules: RuleSet = MATCH) -> Position:
    """The position after the legal play that this notation names."""
    return next(play.result for play in legal_plays(position, side, dice, rules) if format_play(play) == text)


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Positions of up to 15 checkers a side, the rest borne off, from crowded home boards to full contact."""
    light = draw(st.lists(st.integers(1, draw(st.sampled_from([6, 8, 13, 25]))), min_size=1, max_size=15))
    dark = draw(st.lists(st.integers(1, draw(st.sampled_from([6, 8, 13, 25]))), min_size=1, max_size=15))
    held = {25 - point for point in light if point != BAR}
    free = [point for point in dark if point not in held] or [BAR]
    return Position.of({p: light.count(p) for p in light}, {p: free.count(p) for p in free})
