"""Views for the tests: the start position and some plays of a game, written as boards."""

from __future__ import annotations

import re

import msgspec

from web.view import CubeView, FlagView, PlayerView, PlayView, View

START = "light 24:2 13:5 8:3 6:5; dark 24:2 13:5 8:3 6:5"


def board(text: str) -> tuple[int, ...]:
    """Signed counts by light's points from "light POINT:COUNT ...; dark POINT:COUNT ...", by each side's own points."""
    points = [0] * 24
    for part in text.split(";"):
        side, *places = part.split()
        for point, count in (map(int, place.split(":")) for place in places):
            if side == "light":
                points[point - 1] = count
            else:
                points[24 - point] = -count
    return tuple(points)


def start_view(sequence: int = 1, light: str = "Jana", dark: str = "Marián") -> View:
    """Before the opening roll of a match to 7."""
    return View(
        sequence=sequence,
        light=PlayerView(light, 0, 167, 0, 0),
        dark=PlayerView(dark, 0, 167, 0, 0),
        points=board(START),
        dice=(),
        turn=None,
        cube=CubeView(1, None),
        match_length=7,
        crawford=False,
        game=1,
        phase="opening",
        status="Each player rolls one die.",
    )


def rolled_view(sequence: int = 2) -> View:
    """Light has rolled 3-1."""
    return msgspec.structs.replace(
        start_view(sequence), dice=(3, 1), turn="light", phase="to play", status="Jana to play 3-1."
    )


def played_view(sequence: int = 3) -> View:
    """Light has made point 5; it is dark's turn, and the referee has flagged a roll before that."""
    return msgspec.structs.replace(
        start_view(sequence),
        light=PlayerView("Jana", 0, 163, 0, 0),
        points=board("light 24:2 13:5 8:2 6:4 5:2; dark 24:2 13:5 8:3 6:5"),
        turn="dark",
        phase="to roll",
        status="Marián to roll.",
        plays=(PlayView(1, "light", (3, 1), "8/5 6/5"),),
        flags=(FlagView(1, "R04", "dark", "Rolled early. White has not ended the turn.", 1),),
        panel=("turn: dark", "error"),
    )


def points_of(text: str) -> set[tuple[float, float]]:
    """The (x, y) of each translate() in a text, rounded: where the page has put things."""
    return {
        (round(float(x)), round(float(y))) for x, y in re.findall(r"translate\(([-\d.]+)px(?:, ([-\d.]+)px)?\)", text)
    }
