"""What films show beside the board and over it: title cards, faces, score boards, captions, logos, bars, broadcasts' pages."""

from __future__ import annotations

import cv2
import numpy as np

from controller.rules import Position, Side
from controller.rules.position import lights_number
from controller.simulation.camera import Array
from controller.simulation.table import Size

_FONT = cv2.FONT_HERSHEY_DUPLEX
_INK = (240, 240, 236)


def title_card(size: Size, seed: int) -> Array:
    """(H, W, 3) uint8 BGR: a coloured card with a title. size: (width, height) px."""
    width, height = size
    rng = np.random.default_rng([seed, 21])
    top, bottom = rng.integers(20, 120, (2, 3))
    ramp = np.linspace(0, 1, height)[:, None, None]
    card = np.broadcast_to(top * (1 - ramp) + bottom * ramp, (height, width, 3)).astype(np.uint8).copy()
    _write(card, "BACKGAMMON OPEN", 0.42, 2.2)
    _write(card, f"Round {seed % 9 + 1}, table {seed % 40 + 1}", 0.56, 1.2)
    return card


def face(size: Size, seed: int, number: int) -> Array:
    """(H, W, 3) uint8 BGR: a player's head before a blurred room, nodding a little from picture to picture. number: which."""
    width, height = size
    rng = np.random.default_rng([seed, 22])
    small = rng.integers(30, 200, (6, 10, 3)).astype(np.uint8)
    picture = np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_CUBIC), np.uint8)
    skin = tuple(int(value) for value in rng.integers((90, 120, 160), (160, 185, 230)))
    hair = tuple(int(value) for value in rng.integers(20, 90, 3))
    x, y = width // 2 + round(8 * np.sin(number / 9)), round(height * (0.46 + 0.01 * np.sin(number / 5)))
    wide, high = round(height * 0.2), round(height * 0.28)
    cv2.ellipse(
        picture, (width // 2, height), (round(wide * 2.1), round(high * 1.2)), 0, 0, 360, (90, 60, 40), -1, cv2.LINE_AA
    )
    cv2.ellipse(picture, (x, y - high // 5), (round(wide * 1.15), round(high * 1.1)), 0, 0, 360, hair, -1, cv2.LINE_AA)
    cv2.ellipse(picture, (x, y), (wide, high), 0, 0, 360, skin, -1, cv2.LINE_AA)
    for side in (-1, 1):
        eye = (x + side * wide // 2, y - high // 6)
        cv2.ellipse(picture, eye, (wide // 6, high // 14), 0, 0, 360, _INK, -1, cv2.LINE_AA)
        cv2.circle(picture, eye, high // 18, (40, 40, 30), -1, cv2.LINE_AA)
    cv2.ellipse(picture, (x, y + high // 2), (wide // 3, high // 16), 0, 0, 180, (90, 90, 170), -1, cv2.LINE_AA)
    return picture


def score_board(size: Size, seed: int) -> Array:
    """(H, W, 3) uint8 BGR: a board with names and points, four-cornered as a backgammon board is."""
    width, height = size
    picture = np.full((height, width, 3), (52, 74, 60), np.uint8)
    left, top, right, bottom = round(width * 0.12), round(height * 0.16), round(width * 0.88), round(height * 0.84)
    cv2.rectangle(picture, (left, top), (right, bottom), (30, 34, 32), -1)
    cv2.rectangle(picture, (left, top), (right, bottom), (120, 140, 150), 10)
    cv2.line(picture, (width // 2, top), (width // 2, bottom), (120, 140, 150), 6)
    for column, (name, points) in enumerate((("JANA", seed % 7), ("PETR", seed % 5))):
        x = round(width * (0.2 + 0.4 * column))
        cv2.putText(picture, name, (x, round(height * 0.34)), _FONT, 1.6, _INK, 2, cv2.LINE_AA)
        cv2.putText(picture, str(points), (x, round(height * 0.7)), _FONT, 6.0, (90, 220, 250), 10, cv2.LINE_AA)
    return picture


def caption(picture: Array, text: str) -> Array:
    """The picture with a strip of words over its lower left corner. text: plain letters, the font has no others."""
    height, width = picture.shape[:2]
    top, right = round(height * 0.86), round(width * 0.52)
    made = picture.copy()
    strip = made[top:, :right]
    strip[...] = strip // 4 + np.array([60, 24, 10], np.uint8)
    cv2.putText(made, text, (16, round(height * 0.94)), _FONT, height / 720, _INK, 2, cv2.LINE_AA)
    return made


def logo(picture: Array) -> Array:
    """The picture with a channel's sign over its upper right corner."""
    height, width = picture.shape[:2]
    made = picture.copy()
    middle, radius = (round(width * 0.93), round(height * 0.11)), round(height * 0.07)
    cv2.circle(made, middle, radius, (40, 40, 210), -1, cv2.LINE_AA)
    cv2.putText(
        made, "BG", (middle[0] - radius * 3 // 5, middle[1] + radius // 3), _FONT, height / 620, _INK, 2, cv2.LINE_AA
    )
    return made


BOARD_SHARE, FACE_SHARE = 0.66, 0.28
"""Of the height and width of a broadcast's page: the board's picture, and each player's."""


def laid_out(picture: Array, seed: int, number: int) -> Array:
    """The picture smaller on a broadcast's page: beside both players' faces, over their names and points. number: as face()."""
    height, width = picture.shape[:2]
    page = np.empty_like(picture)
    page[...] = np.linspace(40, 110, width)[:, None] * (0.6, 0.4, 0.3)
    board = cv2.resize(picture, None, fx=BOARD_SHARE, fy=BOARD_SHARE, interpolation=cv2.INTER_AREA)
    margin = width // 60
    page[margin : margin + board.shape[0], width - margin - board.shape[1] : width - margin] = board
    small = round(width * FACE_SHARE), round(height * FACE_SHARE)
    for player in range(2):
        top = margin + player * (small[1] + margin)
        page[top : top + small[1], margin : margin + small[0]] = face(small, seed + player, number + 40 * player)
    for player, name in enumerate(("JANA", "PETR")):
        at = margin * 2, round(height * (0.8 + 0.09 * player))
        points = f"{name}  {(seed >> player) % 7}     {120 + (number // 300 + 7 * player) % 40} pips"
        cv2.putText(page, points, at, _FONT, height / 620, _INK, 2, cv2.LINE_AA)
    return page


HALF_SHARE = 0.52
"""Of the picture's size that the board takes beside a diagram as large."""
DIAGRAM_SHARES = (0.44, 0.5)
"""Of its width and height that this takes."""


def with_diagram(picture: Array, position: Position, seed: int, number: int) -> Array:
    """The picture smaller on the page of a broadcast that draws the game as well: in one player's face's place, or as large."""
    height, width = picture.shape[:2]
    margin = width // 60
    if seed % 2:
        page = laid_out(picture, seed, number)
        drawn = diagram(position, (round(width * FACE_SHARE), round(height * FACE_SHARE)), seed)
        top = 2 * margin + drawn.shape[0]
    else:
        page = np.full_like(picture, (60, 40, 30))
        small = cv2.resize(picture, None, fx=HALF_SHARE, fy=HALF_SHARE, interpolation=cv2.INTER_AREA)
        top = height // 4
        page[top : top + small.shape[0], width - small.shape[1] :] = small
        across, down = DIAGRAM_SHARES
        drawn = diagram(position, (round(width * across), round(height * down)), seed)
    page[top : top + drawn.shape[0], margin : margin + drawn.shape[1]] = drawn
    return page


def diagram(position: Position, size: Size, seed: int) -> Array:
    """(H, W, 3) uint8 BGR: a position drawn as programs draw it, in colours and any way round of chance. size: (width, height)."""
    width, height = size
    rng = np.random.default_rng([seed, 25])
    felt, frame, *points = (
        tuple(int(level) for level in rng.integers(*levels, 3))
        for levels in ((60, 200), (20, 90), (20, 120), (120, 240))
    )
    light, dark = ((int(level),) * 3 for level in (rng.integers(200, 256), rng.integers(10, 70)))
    rightwards, upwards = rng.random(2) < 0.5
    edge, bar = round(height * 0.06), round(width * 0.06)
    pitch, reach = (width - 2 * edge - bar) / 12, (height - 2 * edge) * 0.42
    drawn = np.full((height, width, 3), frame, np.uint8)
    for half in range(2):
        left = round(edge + half * (6 * pitch + bar))
        cv2.rectangle(drawn, (left, edge), (round(left + 6 * pitch), height - edge), felt, -1)
    radius = 0.95 * min(pitch, reach / 5) / 2
    for number in range(1, 25):
        place = 12 - number if number <= 12 else number - 13
        column = place if rightwards else 11 - place
        middle = edge + (column + 0.5) * pitch + (bar if column >= 6 else 0)
        below = (number <= 12) == upwards
        base, inwards = (height - edge, -1) if below else (edge, 1)
        corners = [(middle - pitch / 2, base), (middle + pitch / 2, base), (middle, base + inwards * reach)]
        cv2.fillPoly(drawn, [np.array(corners, np.int32)], points[(column + below) % 2], cv2.LINE_AA)
        for side, colour in ((Side.LIGHT, light), (Side.DARK, dark)):
            count = position.own(side)[lights_number(side, number) - 1]
            for checker in range(min(count, 5)):
                at = round(middle), round(base + inwards * radius * (2 * checker + 1))
                cv2.circle(drawn, at, round(radius), colour, -1, cv2.LINE_AA)
                cv2.circle(drawn, at, round(radius), (120, 120, 120), 1, cv2.LINE_AA)
            if count > 5:
                corner = (at[0] - round(radius / 2), at[1] + round(radius / 2))
                cv2.putText(drawn, str(count), corner, _FONT, radius / 20, (0, 0, 230), 1, cv2.LINE_AA)
    return drawn


def zoomed(picture: Array, factor: float) -> Array:
    """The middle of the picture, so many times as large, in the same size."""
    height, width = picture.shape[:2]
    shift = np.array([[factor, 0, width / 2 * (1 - factor)], [0, factor, height / 2 * (1 - factor)]])
    return np.asarray(cv2.warpAffine(picture, shift, (width, height), flags=cv2.INTER_LINEAR), np.uint8)


CURRENT_HZ = 100.0
"""Lamps flicker twice a period of the mains; a rolling shutter shows that as bands, which lie elsewhere in every frame."""
_APART_HZ = (1.0, 5.0)
"""By how much a lamp's rate is off a multiple of the simulated table's frames a second, from and to: cameras have 29.97."""
_BANDS, _DEPTHS = (1.0, 9.0), (0.1, 0.45)
"""Bands a picture, and the share of light by which they differ, from and to: lines are read in 10 to 90 ms. By agreement."""


def flickering(
    picture: Array, seconds: float, bands: float, depth: float, hz: float = CURRENT_HZ, *, upright: bool = False
) -> Array:
    """The picture as a rolling shutter takes it at that second under a lamp that flickers. bands: a picture; depth: share of the
    light by which they differ; hz: of the lamp; upright: the lines of the sensor run up and down."""
    height, width = picture.shape[:2]
    lines = np.arange(width)[None, :] / width if upright else np.arange(height)[:, None] / height
    light = 1 - depth / 2 * (1 - np.cos(2 * np.pi * (bands * lines + hz * seconds)))
    return np.asarray(np.clip(picture * light[..., None], 0, 255), np.uint8)


def flickering_by(picture: Array, seconds: float, seed: int) -> Array:
    """The same by one of many cameras and lamps, one of four held upright."""
    rng = np.random.default_rng([seed, 24])
    bands, depth, apart = (rng.uniform(*least_most) for least_most in (_BANDS, _DEPTHS, _APART_HZ))
    return flickering(picture, seconds, bands, depth, CURRENT_HZ + apart, upright=bool(rng.random() < 0.25))


_SWAYS = ((0.011, 0.17, 0.41), (0.003, 0.7, 1.3), (0.0007, 4.1, 7.3))
"""How far a phone in two hands moves to either side, as a share of the picture's width, and how often a second, from and to: who
holds it shifts, breathes, trembles. By agreement."""
_NEARER = 1.06
"""A hand-held film's picture, so that its edge stays out of sight."""


def swayed(picture: Array, seconds: float, seed: int, share: float = 1.0) -> Array:
    """The picture as a camera held by hand takes it at that second: elsewhere, turned, nearer and tilted by a little. share: of
    what a hand moves it by."""
    height, width = picture.shape[:2]
    rng = np.random.default_rng([seed, 23])
    right, down, turn, near, tilt_x, tilt_y = (
        sum(
            share * reach * np.sin(2 * np.pi * (rng.uniform(slow, quick) * seconds + rng.uniform()))
            for reach, slow, quick in _SWAYS
        )
        for _ in range(6)
    )
    matrix = np.vstack([cv2.getRotationMatrix2D((width / 2, height / 2), 60 * turn, _NEARER + 2 * near), [0, 0, 1]])
    matrix[:2, 2] += (right * width, down * width)
    matrix[2, :2] += (tilt_x / width, tilt_y / width)
    size = (width, height)
    return np.asarray(cv2.warpPerspective(picture, matrix, size, borderMode=cv2.BORDER_REFLECT_101), np.uint8)


def letterboxed(picture: Array) -> Array:
    """The picture with black bars above and below, as one that was made for another screen."""
    height = picture.shape[0]
    bar = (height // 6) // 2 * 2
    return np.asarray(cv2.copyMakeBorder(picture, bar, bar, 0, 0, cv2.BORDER_CONSTANT), np.uint8)


def _write(picture: Array, text: str, down: float, size: float) -> None:
    """Words in the middle of that height, 0-1."""
    height, width = picture.shape[:2]
    scale = size * height / 720
    (wide, _), _ = cv2.getTextSize(text, _FONT, scale, 2)
    cv2.putText(picture, text, ((width - wide) // 2, round(height * down)), _FONT, scale, _INK, 2, cv2.LINE_AA)
