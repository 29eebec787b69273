"""What lies around a board: tables, floors, carpets, papers, cups, chessboards, captions over a broadcast."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.geometry import apply_homography
from vision.frame import Image
from vision.training import patterns, texture
from vision.training.finding_view import Perspective
from vision.training.texture import Colour, Rng

FloatArray = npt.NDArray[np.float64]
PATTERNED = 0.15
"""Share of tables of stone, bricks, print, cloth of any pattern."""
CLOTH = 640
"""px of a piece of table or carpet before the camera sees it."""


def cloth(rng: Rng) -> Image:
    """(CLOTH, CLOTH, 3) a table, a floor or a carpet from above: plain, planks, tiles, checks, stripes, an oriental rug."""
    first = texture.wood_colour(rng) if rng.random() < 0.4 else texture.any_colour(rng)
    second = np.clip(first * rng.uniform(0.6, 1.3), 0, 255) if rng.random() < 0.5 else texture.any_colour(rng)
    image = np.full((CLOTH, CLOTH, 3), first, np.float32)
    kind = rng.random()
    if kind < PATTERNED:
        image = patterns.cut(rng, CLOTH, CLOTH)
    elif kind > 0.5:
        painter = (_planks, _checks, _stripes, _rug, _triangles)[int(rng.choice(5, p=[0.34, 0.18, 0.18, 0.18, 0.12]))]
        painter(image, rng, second)
    grain = texture.patch(rng, CLOTH, CLOTH)
    image *= cv2.merge([1 + grain * np.float32(rng.uniform(0.01, 0.22))] * 3)
    if rng.random() < 0.3:
        blend = texture.patch(rng, CLOTH, CLOTH)
        image += cv2.merge([blend * shift for shift in (second - first) * np.float32(0.25)])
    return np.clip(image, 0, 255, out=image).astype(np.uint8)


def _planks(image: npt.NDArray[np.float32], rng: Rng, colour: Colour) -> None:
    width = int(rng.integers(30, 200))
    for start in range(0, CLOTH, width):
        image[start : start + width] *= rng.uniform(0.8, 1.15)
        image[start : start + int(rng.integers(1, 4))] *= rng.uniform(0.2, 0.8)


def _checks(image: npt.NDArray[np.float32], rng: Rng, colour: Colour) -> None:
    step, seam = int(rng.integers(24, 160)), int(rng.integers(1, 6))
    rows, columns = np.arange(CLOTH)[:, None], np.arange(CLOTH)[None]
    if rng.random() < 0.5:
        image[(rows // step + columns // step) % 2 == 0] = colour
    else:
        image[(rows % step < seam) | (columns % step < seam)] = colour


def _stripes(image: npt.NDArray[np.float32], rng: Rng, colour: Colour) -> None:
    place = 0
    while place < CLOTH:
        width = int(rng.integers(4, 80))
        image[place : place + width] = colour if rng.random() < 0.6 else texture.any_colour(rng)
        place += width + int(rng.integers(4, 120))


def _rug(image: npt.NDArray[np.float32], rng: Rng, colour: Colour) -> None:
    """Bands around a middle, each with a row of small motifs."""
    inset = 0
    while inset < CLOTH // 3:
        width = int(rng.integers(8, 50))
        cv2.rectangle(image, (inset, inset), (CLOTH - inset, CLOTH - inset), texture.any_colour(rng).tolist(), -1)
        motif, step = texture.any_colour(rng).tolist(), max(8, width)
        for place in range(inset, CLOTH - inset, step):
            for at in ((place, inset + width // 2), (place, CLOTH - inset - width // 2), (inset + width // 2, place)):
                cv2.drawMarker(image, at, motif, int(rng.integers(1, 4)), max(4, width // 2), 2)
        inset += width
    cv2.ellipse(image, (CLOTH // 2, CLOTH // 2), (CLOTH // 8, CLOTH // 5), 0, 0, 360, colour.tolist(), -1)


def _triangles(image: npt.NDArray[np.float32], rng: Rng, colour: Colour) -> None:
    """Rows of triangles as on a tablecloth: a board to whoever looks at points only."""
    step, tall = int(rng.integers(20, 70)), int(rng.integers(30, 160))
    for y in range(0, CLOTH, int(tall * rng.uniform(1.1, 2))):
        for x in range(0, CLOTH, step):
            points = np.array([[x, y], [x + step - 2, y], [x + step // 2, y + tall]])
            cv2.fillPoly(image, [points], colour.tolist(), cv2.LINE_AA)


def laid_out(picture: Image, cover: Image, to_picture: FloatArray, *, repeat: bool = True) -> None:
    """Lays cloth over the picture where a homography (cloth px to picture px) puts it."""
    size = (picture.shape[1], picture.shape[0])
    border = cv2.BORDER_WRAP if repeat else cv2.BORDER_TRANSPARENT
    seen = cv2.warpPerspective(cover, to_picture, size, dst=picture, flags=cv2.INTER_LINEAR, borderMode=border)
    if seen is not picture:
        picture[:] = np.asarray(seen, np.uint8)


def surroundings(view: Perspective, z: float, rng: Rng) -> Image:
    """The picture without a board: floor, table with its edges, and what lies on it; z: the table's height."""
    width, height = view.size
    picture: Image = np.zeros((height, width, 3), np.uint8)
    table = view.plane(z)
    if rng.random() < 0.35:
        laid_out(picture, cloth(rng), table @ _cloth_place(rng, 3.0))
        cover = cloth(rng)
        place = table @ _cloth_place(rng, rng.uniform(1.2, 2.6))
        laid_out(picture, cover, place, repeat=False)
    else:
        laid_out(picture, cloth(rng), table @ _cloth_place(rng, rng.uniform(0.7, 5)))
    for _ in range(int(rng.choice([0, 1, 2, 4, 7], p=[0.25, 0.2, 0.25, 0.2, 0.1]))):
        _thing(picture, view, z, rng)
    return picture


def _cloth_place(rng: Rng, span: float) -> FloatArray:
    """Cloth px to board lengths: turned and shifted, span board widths long."""
    angle = rng.choice([0.0, np.pi / 2]) + rng.normal(0, 0.15) if rng.random() < 0.6 else rng.uniform(0, 6.3)
    scale = span / CLOTH
    cos, sin = np.cos(angle) * scale, np.sin(angle) * scale
    middle = np.array([cos - sin, sin + cos]) * CLOTH / 2
    x, y = 0.5 + rng.normal(0, 0.25) - middle[0], 0.4 + rng.normal(0, 0.25) - middle[1]
    return np.array([[cos, -sin, x], [sin, cos, y], [0, 0, 1]])


def _thing(picture: Image, view: Perspective, z: float, rng: Rng) -> None:
    """One flat or upright thing with its shadow somewhere on the table."""
    angle = rng.uniform(0, 2 * np.pi)
    at = np.array([0.5, 0.4]) + np.array([np.cos(angle), np.sin(angle)]) * rng.uniform(0.55, 1.3)
    colour = texture.any_colour(rng) if rng.random() < 0.7 else np.full(3, rng.uniform(5, 250), np.float32)
    kind = rng.random()
    if kind < 0.35:
        _slab(picture, view, z, rng, at, colour)
    elif kind < 0.6:
        _pot(picture, view, z, rng, at, colour)
    elif kind < 0.75:
        board = _chessboard(rng) if rng.random() < 0.5 else cloth(rng)
        span = rng.uniform(0.3, 0.8)
        place = _cloth_place(rng, span)
        place[:2, 2] += at - np.array([0.5, 0.4])
        laid_out(picture, board, view.plane(z) @ place, repeat=False)
    else:
        radius = rng.uniform(0.025, 0.04)
        for _ in range(int(rng.integers(1, 9))):
            _disc(picture, view, z, at + rng.normal(0, 0.09, 2), radius, colour * rng.uniform(0.85, 1.1))


def _chessboard(rng: Rng) -> Image:
    first, second = texture.usual_colour(rng), texture.usual_colour(rng)
    image = np.full((CLOTH, CLOTH, 3), texture.wood_colour(rng), np.float32)
    rim, step = 40, (CLOTH - 80) // 8
    for row in range(8):
        for column in range(8):
            y, x = rim + row * step, rim + column * step
            image[y : y + step, x : x + step] = first if (row + column) % 2 else second
    return np.asarray(np.clip(image, 0, 255), np.uint8)


def _fill(picture: Image, pixels: FloatArray, colour: npt.ArrayLike) -> None:
    if np.isfinite(pixels).all() and np.abs(pixels).max() < 8000:
        tone = np.clip(np.asarray(colour, np.float64), 0, 255).tolist()
        cv2.fillPoly(picture, [np.round(pixels * 16).astype(np.int32)], tone, cv2.LINE_AA, 4)


def _outline(at: FloatArray, half: FloatArray, turn: float) -> FloatArray:
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    return np.asarray(corners @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) + at)


def _slab(picture: Image, view: Perspective, z: float, rng: Rng, at: FloatArray, colour: Colour) -> None:
    """A sheet, a book, a phone, a clock, a tray: shadow, sides, top, lines of print or a screen."""
    half, turn = rng.uniform(0.04, 0.3, 2), rng.normal(0, 0.4)
    tall = rng.choice([0.0, rng.uniform(0, 0.12)])
    _fill(picture, apply_homography(view.plane(z), _outline(at + 0.015 + tall / 3, half, turn)), colour * 0.25)
    for level in np.linspace(0, tall, 4):
        _fill(
            picture,
            apply_homography(view.plane(z + level), _outline(at, half, turn)),
            colour * (0.6 if level < tall else 1),
        )
    inner = texture.any_colour(rng)
    if rng.random() < 0.5:
        _fill(picture, apply_homography(view.plane(z + tall), _outline(at, half * rng.uniform(0.6, 0.93), turn)), inner)
    for line in range(int(rng.choice([0, 8]))):
        edge = _outline(at, half * [0.7, 0.02], turn) + (line / 4 - 0.9) * half[1] * np.array(
            [-np.sin(turn), np.cos(turn)]
        )
        _fill(picture, apply_homography(view.plane(z + tall), edge), inner * 0.5)


def _disc(picture: Image, view: Perspective, z: float, at: FloatArray, radius: float, colour: npt.ArrayLike) -> None:
    angles = np.linspace(0, 2 * np.pi, 28)
    _fill(picture, apply_homography(view.plane(z), at + radius * np.c_[np.cos(angles), np.sin(angles)]), colour)


def _pot(picture: Image, view: Perspective, z: float, rng: Rng, at: FloatArray, colour: Colour) -> None:
    """A cup, a bottle, a plate."""
    radius, tall = rng.uniform(0.03, 0.13), rng.choice([0.01, rng.uniform(0.05, 0.25)])
    _disc(picture, view, z, at + rng.normal(0, 0.03, 2), radius * 1.1, colour * 0.2)
    for level in np.linspace(0, tall, 14):
        _disc(picture, view, z + level, at, radius, colour * (0.5 + 0.5 * level / tall))
    _disc(picture, view, z + tall, at, radius * 0.85, colour * 0.35 if rng.random() < 0.6 else texture.any_colour(rng))


def captioned(picture: Image, rng: Rng) -> Image:
    """Bars, panels and print over the picture's edges, as broadcasts and screens put them there."""
    height, width = picture.shape[:2]
    for _ in range(int(rng.integers(1, 4))):
        thick = rng.uniform(0.04, 0.12)
        tone = texture.any_colour(rng).tolist() if rng.random() < 0.6 else (0.0, 0.0, 0.0)
        side = int(rng.integers(4))
        x0, x1 = ((0, width), (0, width), (0, int(thick * width)), (width - int(thick * width), width))[side]
        y0, y1 = ((0, int(thick * height)), (height - int(thick * height), height), (0, height), (0, height))[side]
        cv2.rectangle(picture, (x0, y0), (x1, y1), tone, -1)
        if rng.random() < 0.6:
            words = "".join(str(rng.choice(list("ABCDEFGHIJKLMNOPRSTUV0123456789 "))) for _ in range(14))
            at = (x0 + 5, (y0 + y1) // 2)
            cv2.putText(picture, words, at, 0, rng.uniform(0.3, 0.8), texture.any_colour(rng).tolist(), 1, cv2.LINE_AA)
    return picture
