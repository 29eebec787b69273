"""Draws how the equity of a match went, as SVG: games side by side, the costly decisions as dots that say what they were."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from controller.record.analysis import Analysis
from controller.record.check import player_name
from controller.record.model import Record
from web.operator import Mistake

WIDTH, HEIGHT = 900, 300
"""Of the picture, px."""

LEFT, RIGHT, TOP, BOTTOM = 46, 12, 34, 26
"""Margins, px: the numbers of the equity, nothing, the names, the numbers of the games."""

GAP = 2.0
"""Steps between two games; a step is a play."""

MOST = 3.0
"""A backgammon: no equity is more."""

_INK, _GRID, _LINE, _DOT = "#222", "#d8d8d8", "#1b5e9b", "#c62828"


def graph_svg(record: Record, analysis: Analysis) -> str:
    """A picture of player 0's equity after each play, in cubes.

    Above the middle player 0 stands better, below it player 1. Dots are the worst plays and cube actions.
    """
    scale = _Scale(analysis)
    names = [player_name(record, seat) for seat in (0, 1)]
    picture = Element(
        "svg",
        {"xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {WIDTH} {HEIGHT}", "role": "img"}
        | {"font-family": "sans-serif", "font-size": "12", "fill": _INK},
    )
    _add(picture, "title", f"{names[0]} - {names[1]}")
    _add(picture, "rect", width=WIDTH, height=HEIGHT, fill="#fff")
    _grid(picture, scale)
    _add(picture, "text", f"\u2191 {names[0]}\u2003\u2193 {names[1]}", x=LEFT, y=20, font_size=14)
    for index, game in enumerate(analysis.course):
        points = [(scale.x(index, place), scale.y(moment.equity)) for place, moment in enumerate(game)]
        if points:
            line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
            _add(picture, "polyline", points=line, fill="none", stroke=_LINE, stroke_width=1.6)
            middle = (points[0][0] + points[-1][0]) / 2
            _add(picture, "text", str(index + 1), x=f"{middle:.1f}", y=HEIGHT - 8, text_anchor="middle")
    for mistake in (*analysis.plays, *analysis.cube):
        _dot(picture, record, scale, analysis, mistake)
    indent(picture)
    return tostring(picture, encoding="unicode")


def _add(parent: Element, name: str, text: str | None = None, **attributes: object) -> Element:
    """An element more. attributes: as in SVG, with _ for -."""
    child = SubElement(parent, name, {key.replace("_", "-"): str(value) for key, value in attributes.items()})
    child.text = text
    return child


class _Scale:
    """Where a play and an equity lie in the picture."""

    def __init__(self, analysis: Analysis) -> None:
        self._starts = [0.0]
        for game in analysis.course:
            self._starts.append(self._starts[-1] + len(game) + GAP)
        self._step = (WIDTH - LEFT - RIGHT) / max(self._starts[-1] - GAP - 1, 1.0)
        reached = max((abs(moment.equity) for game in analysis.course for moment in game), default=1.0)
        self.most = min(max(reached, 1.0) * 1.05, MOST)

    def x(self, game: int, place: int) -> float:
        return LEFT + (self._starts[game] + place) * self._step

    def y(self, equity: float) -> float:
        span = (HEIGHT - TOP - BOTTOM) / 2
        return TOP + span * (1 - max(min(equity, self.most), -self.most) / self.most)

    def between(self) -> Iterator[float]:
        """The middle of each gap between two games."""
        for start in self._starts[1:-1]:
            yield LEFT + (start - (GAP + 1) / 2) * self._step


def _grid(picture: Element, scale: _Scale) -> None:
    marks = [mark / 2 for mark in range(-6, 7) if abs(mark / 2) <= scale.most]
    for equity in marks:
        y = scale.y(equity)
        stroke = {"stroke": _GRID, "stroke_width": "1.5" if equity == 0 else "1"}
        _add(picture, "line", x1=LEFT, x2=WIDTH - RIGHT, y1=f"{y:.1f}", y2=f"{y:.1f}", **stroke)
        if equity == int(equity):
            text = f"{equity:+.0f}" if equity else "0"
            _add(picture, "text", text, x=LEFT - 8, y=f"{y + 4:.1f}", text_anchor="end")
    for x in scale.between():
        top, bottom = TOP, HEIGHT - BOTTOM
        _add(picture, "line", x1=f"{x:.1f}", x2=f"{x:.1f}", y1=top, y2=bottom, stroke=_GRID, stroke_dasharray="3 3")


def _dot(picture: Element, record: Record, scale: _Scale, analysis: Analysis, mistake: Mistake) -> None:
    """On the play itself, or, for a cube action, on the next one."""
    game = analysis.course[mistake.game - 1]
    place = next((index for index, moment in enumerate(game) if moment.number >= mistake.number), len(game) - 1)
    if place < 0:
        return
    x, y = scale.x(mistake.game - 1, place), scale.y(game[place].equity)
    dot = _add(picture, "circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=4, fill=_DOT)
    _add(dot, "title", f"{player_name(record, mistake.player)}: {mistake.played}; better {mistake.better}")
