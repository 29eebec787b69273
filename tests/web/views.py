"""Views for the tests: the start position and some plays of a game, written as boards."""

from __future__ import annotations

import msgspec

from web.view import ClockView, CubeView, FlagView, PlayerView, PlayView, View

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


def late_game() -> View:
    """A view with something of everything: Marián bears off and has just hit Jana's last checker in his home board."""
    plays = [
        ("dark", None, "doubles to 2"),
        ("light", None, "takes"),
        ("dark", (6, 5), "6/off 5/off"),
        ("light", (6, 3), "13/7 13/10"),
        ("dark", (5, 4), "5/off 4/off"),
        ("light", (4, 2), "10/6 7/5"),
        ("dark", (4, 2), "6/4 5/1*"),
    ]
    return msgspec.structs.replace(
        played_view(1),
        light=PlayerView("Jana", 3, 120, 1, 0),
        dark=PlayerView("Marián", 5, 49, 0, 5),
        points=board("light 13:1 8:2 7:2 6:4 5:2 4:2 3:1; dark 6:6 4:3 1:1"),
        dice=(6, 1),
        turn="light",
        phase="to play",
        status="To play 6-1: Jana",
        cube=CubeView(2, "light"),
        game=4,
        plays=tuple(PlayView(n, side, dice, text, sure=n != 29) for n, (side, dice, text) in enumerate(plays, 25)),
        flags=(
            FlagView(1, "R02", "light", "Die outside the right half. Roll both again.", 28, "put right"),
            FlagView(
                2,
                "R08",
                "light",
                "Checker on the bar must enter first.",
                32,
                translations={"cs": "Nejdříve kámen z přepážky.", "sk": "Najprv kameň z prepážky."},
                options=("put right", "corrected"),
                moved=((13, 7), (8, 7)),
                played="13/7 8/7",
                dice=(6, 1),
                possible="bar/24 13/7",
            ),
        ),
        panel=("turn: light", "error", "cube 2: light"),
        doubtful=(29,),
        clock=ClockView(412.0, 288.0, 12.0, "light", 0.0),
    )
