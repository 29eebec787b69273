"""Films as people have them: each fault by its name does what it says, and the film says what it has not shown."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import cv2
import numpy as np
import pytest

from controller.rules import Position
from controller.simulation import Cut, CutKind, Filming, SimulatedFilm, SimulatedMatch, SimulatedTable, TurnPlayed
from controller.simulation.cards import BOARD_SHARE, DIAGRAM_SHARES, FACE_SHARE, diagram, swayed
from controller.simulation.film import DRAWN_AFTER
from vision.frame import Frame

FPS, END = 4.0, 16.0
OVER: tuple[Cut, ...] = (
    Cut("fade", 2.0),
    Cut("face", 4.0, 1.0),
    Cut("score-board", 6.0, 1.0),
    Cut("caption", 8.0, 1.0),
    Cut("logo", 10.0, 1.0),
    Cut("zoom", 12.0),
    Cut("sides-swapped", 14.5),
)
"""What changes pictures, one after the other, and no times."""


@cache
def film(*cuts: Cut, begin: float = 0.0) -> tuple[SimulatedFilm, tuple[Frame, ...]]:
    """Sixteen seconds of a game."""
    table = SimulatedTable(3, SimulatedMatch("none", 1), Filming((160, 90), FPS), look="club")
    made = SimulatedFilm(table, cuts, begin, END)
    return made, tuple(made.frames())


def differs(one: Frame, other: Frame) -> float:
    """The most grey levels by which a part of two pictures differs, noise averaged away."""
    parts = [cv2.resize(frame.image, (16, 9), interpolation=cv2.INTER_AREA).astype(int) for frame in (one, other)]
    return float(np.abs(parts[0] - parts[1]).max())


def test_without_cuts_it_is_the_game() -> None:
    table = SimulatedTable(3, SimulatedMatch("none", 1), Filming((160, 90), FPS), look="club")
    for mine, frame in zip(film()[1], table.frames(), strict=False):
        assert mine.seconds == frame.seconds
        assert (mine.image == frame.image).all()
    assert len(film()[1]) == END * FPS


@pytest.mark.parametrize("cut", OVER, ids=lambda cut: cut.kind)
def test_each_fault_of_pictures_shows_in_its_time(cut: Cut) -> None:
    made, frames = film(*OVER)
    assert made.seconds == END
    changed = {mine.seconds for mine, plain in zip(frames, film()[1], strict=True) if differs(mine, plain) > 12}
    assert any(cut.at - 0.5 <= now <= cut.at + 1.5 for now in changed)
    assert not changed & {0.0, 0.5, 3.5, 5.5, 7.5, 9.5, 11.5}
    assert {now for now in changed if now >= 15.0} == {15.0, 15.25, 15.5, 15.75}


@pytest.mark.parametrize(("kind", "longer"), [("title-card", 2.0), ("replay", 4.0), ("gap", -2.0)])
def test_each_fault_of_time_makes_the_film_longer_or_shorter(kind: CutKind, longer: float) -> None:
    made, frames = film(Cut(kind, 6.0, 2.0))
    assert [frame.seconds for frame in frames] == [number / FPS for number in range(len(frames))]
    assert made.seconds == len(frames) / FPS == END + longer


def test_a_letterbox_is_black_above_and_below() -> None:
    _, frames = film(Cut("letterbox"))
    assert {frame.image.shape for frame in frames} == {(118, 160, 3)}
    assert not frames[0].image[:14].any()
    assert not frames[0].image[-14:].any()


def test_what_is_filmed_by_hand_never_stands_still_and_never_goes_far() -> None:
    _, frames = film(Cut("by-hand"))
    for mine, plain in zip(frames, film()[1], strict=True):
        assert mine.image.shape == plain.image.shape
        assert (mine.image != plain.image).any()
    for at in (0.0, 7.3, 100.0):
        moved = [np.argwhere(swayed(_spot(x, y), at, 3)[..., 0] > 99).mean(axis=0)[::-1] - (x, y) for x, y in _SPOTS]
        assert 0.5 < np.abs(moved).max() < 70


_SPOTS = ((320, 200), (960, 200), (320, 520), (960, 520))


def _spot(x: int, y: int) -> np.ndarray:
    picture = np.zeros((720, 1280, 3), np.uint8)
    picture[y - 6 : y + 7, x - 6 : x + 7] = 255
    return picture


def test_it_says_what_it_has_not_shown() -> None:
    assert film(*OVER)[0].hidden == [(4.0, 5.0, 5.0), (6.0, 7.0, 7.0)]
    assert film(Cut("gap", 6.0, 2.0))[0].hidden == [(6.0, 8.0, 6.0)]
    assert film(Cut("title-card", 6.0, 2.0))[0].hidden == []
    ((since, until, _),) = film(Cut("gap", 6.0, 2.0), Cut("hard-cut", 5.0, 4.0))[0].hidden
    assert since == 6.0
    assert until >= 8.0
    made, frames = film(begin=5.0)
    assert made.hidden == [(0.0, 5.0, 0.0)]
    assert differs(frames[0], film()[1][20]) < 12


def test_after_hard_cuts_nothing_is_seen_to_move() -> None:
    made, frames = film(Cut("hard-cut", 0.0, END))
    assert made.seconds < END
    assert sum(differs(one, other) > 12 for one, other in pairwise(frames)) < len(frames) / 4


def test_it_says_when_the_board_came_to_rest() -> None:
    rests = film()[0].rests
    assert rests[0] == 0.5
    assert all(b - a >= 0.5 for a, b in pairwise(rests))
    assert film(begin=1.0)[0].rests[0] == 0.0, "it had come to rest before it was shown"


def test_a_broadcast_shows_the_game_smaller_beside_faces_that_move() -> None:
    _, frames = film(Cut("broadcast"))
    _, plain = film()
    for mine, game in zip(frames, plain, strict=True):
        height, width = game.image.shape[:2]
        size, margin = (round(width * BOARD_SHARE), round(height * BOARD_SHARE)), width // 60
        board = mine.image[margin : margin + size[1], width - margin - size[0] : width - margin]
        small = cv2.resize(game.image, size, interpolation=cv2.INTER_AREA)
        assert np.abs(board[2:-2, 2:-2].astype(int) - small[2:-2, 2:-2]).mean() < 6
    faces = [mine.image[:, : round(frames[0].image.shape[1] * FACE_SHARE)] for mine in frames]
    assert sum(bool((one != other).any()) for one, other in pairwise(faces)) > len(faces) / 2


@pytest.mark.parametrize("seed", [3, 4], ids=["small", "large"])
def test_a_diagram_shows_the_game_as_it_stood_a_moment_ago(seed: int) -> None:
    table = SimulatedTable(seed, SimulatedMatch("none", 1), Filming((320, 180), FPS), look="club")
    stood = [Position.start()]
    for frame in SimulatedFilm(table, [Cut("diagram")], 0.0, 40.0).frames():
        turns = (
            one for one in table.truth if isinstance(one, TurnPlayed) and one.seconds <= frame.seconds - DRAWN_AFTER
        )
        stood += [turn.after for turn in turns if turn.after not in stood]
        size = (
            (round(320 * FACE_SHARE), round(180 * FACE_SHARE))
            if seed % 2
            else (round(320 * DIAGRAM_SHARES[0]), round(180 * DIAGRAM_SHARES[1]))
        )
        page, drawn = frame.image, diagram(stood[-1], size, seed)
        at = np.unravel_index(cv2.matchTemplate(page, drawn, cv2.TM_SQDIFF).argmin(), (181 - size[1], 321 - size[0]))
        assert (page[at[0] : at[0] + size[1], at[1] : at[1] + size[0]] == drawn).all()
    assert len(stood) > 2


def test_an_analysis_shows_other_plays_while_the_game_goes_on() -> None:
    table = SimulatedTable(3, SimulatedMatch("none", 1), Filming((160, 90), FPS), look="club")
    made = SimulatedFilm(table, [Cut("analysis")], 0.0, 120.0)
    plain = SimulatedTable(3, SimulatedMatch("none", 1), Filming((160, 90), FPS), look="club").frames()
    talked = {frame.seconds for frame, game in zip(made.frames(), plain, strict=False) if differs(frame, game) > 60}
    hidden = {second for second in talked if any(a <= second < b for a, b, _ in made.hidden)}
    assert hidden == talked
    assert len(made.hidden) >= 2
    assert all(6.0 <= b - a <= 15.25 for a, b, _ in made.hidden)
