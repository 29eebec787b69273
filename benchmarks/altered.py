"""Labelled pictures as another camera, light or program might have given them: mirrored, turned, scaled, cut, tinted; truth along.

What was looked at too often says little of what was never seen. These are other pictures of the same boards: a reading that only
held for one sampling of them, one size or one tint falls here.
"""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Row = dict[str, Any]
Plane = npt.NDArray[np.float64]
Picture = npt.NDArray[np.uint8]

WIDE, ACTION_CAMERA = 0.15, 0.35
"""How far a webcam's wide lens bends lines, and an action camera's."""
CUT = 0.03
"""Board widths that are left around a board that is cut close."""
NEIGHBOURS_APART = 0.15
"""Board widths from a board to the edge of what is its own."""
ASKEW = 0.12
"""Picture widths and heights by which its corners are pulled about where it is seen otherwise."""


def _placed(truth: Row, at: Callable[[Plane], Plane]) -> Row:
    """The truth with everything where `at` says, of places (N, 2) px."""

    def moved(thing: Row) -> Row:
        known = isinstance(thing.get("px"), list) and None not in thing["px"]
        return thing | {"px": at(np.array([thing["px"]], np.float64))[0].tolist()} if known else thing

    dice, cube = truth.get("dice"), truth.get("cube")
    corners = at(np.array(truth["corners"], np.float64)).tolist()
    return truth | {"corners": corners, "dice": dice and [moved(die) for die in dice], "cube": cube and moved(cube)}


def _moved(picture: Picture, truth: Row, matrix: Plane, size: tuple[int, int]) -> tuple[Picture, Row]:
    """Through a homography, what lies beyond the edge like the edge. size: width and height, px."""
    row = _placed(truth, lambda points: cv2.perspectiveTransform(points[:, None], matrix)[:, 0])
    shown = cv2.warpPerspective(picture, matrix, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(shown, np.uint8), row


def through_lens(picture: Picture, lens: float) -> Picture:
    """As a wide lens shows it that bends lines by so much: Brown's k1 (1966) in half diagonals. The picture's corners stay."""
    height, width = picture.shape[:2]
    middle, half = np.array([width - 1, height - 1]) / 2, math.hypot(width, height) / 2
    seen = (np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1) - middle) / half
    ideal = seen * (1 + lens * (seen**2).sum(axis=-1, keepdims=True)) / (1 + lens)
    across, down = np.moveaxis((middle + ideal * half).astype(np.float32), -1, 0)
    shown = cv2.remap(picture, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(shown, np.uint8)


def bent(lens: float) -> Callable[[Picture, Row], tuple[Picture, Row]]:
    """See `through_lens`."""

    def bend(picture: Picture, truth: Row) -> tuple[Picture, Row]:
        height, width = picture.shape[:2]
        middle, half = np.array([width - 1, height - 1]) / 2, math.hypot(width, height) / 2

        def seen_at(points: Plane) -> Plane:
            ideal = (points - middle) / half
            seen = ideal
            for _ in range(60):
                seen = ideal * (1 + lens) / (1 + lens * (seen**2).sum(axis=-1, keepdims=True))
            return np.asarray(middle + seen * half)

        return through_lens(picture, lens), _placed(truth, seen_at)

    return bend


def mirrored(picture: Picture, truth: Row) -> tuple[Picture, Row]:
    height, width = picture.shape[:2]
    other, row = _moved(picture, truth, np.array([[-1.0, 0, width - 1], [0, 1, 0], [0, 0, 1]]), (width, height))
    top_left, top_right, bottom_right, bottom_left = row["corners"]
    row["corners"] = [top_right, top_left, bottom_left, bottom_right]
    # A mirrored 2 on a cube is no 2.
    return other, row | {"top": truth["top"][::-1], "bottom": truth["bottom"][::-1], "cube": None}


def turned(degrees: float) -> Callable[[Picture, Row], tuple[Picture, Row]]:
    def turn(picture: Picture, truth: Row) -> tuple[Picture, Row]:
        height, width = picture.shape[:2]
        c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        wide, high = int(abs(width * c) + abs(height * s)), int(abs(width * s) + abs(height * c))
        middle = np.array([[1.0, 0, -width / 2], [0, 1, -height / 2], [0, 0, 1]])
        back = np.array([[1.0, 0, wide / 2], [0, 1, high / 2], [0, 0, 1]])
        return _moved(picture, truth, back @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ middle, (wide, high))

    return turn


def scaled(times: float) -> Callable[[Picture, Row], tuple[Picture, Row]]:
    def scale(picture: Picture, truth: Row) -> tuple[Picture, Row]:
        _, row = _moved(picture[:2, :2], truth, np.diag([times, times, 1.0]), (2, 2))
        how = cv2.INTER_AREA if times < 1 else cv2.INTER_CUBIC
        return np.asarray(cv2.resize(picture, None, fx=times, fy=times, interpolation=how), np.uint8), row

    return scale


def cut_close(picture: Picture, truth: Row) -> tuple[Picture, Row]:
    corners = np.array(truth["corners"])
    spare = CUT * np.ptp(corners[:, 0])
    left, top = np.maximum(corners.min(axis=0) - spare, 0).astype(int)
    right, bottom = np.minimum(corners.max(axis=0) + spare, picture.shape[1::-1]).astype(int)
    return _moved(picture, truth, np.array([[1.0, 0, -left], [0, 1, -top], [0, 0, 1]]), (right - left, bottom - top))


def far_away(share: float) -> Callable[[Picture, Row], tuple[Picture, Row]]:
    """The picture is this share of a larger one's width and height, anywhere in it."""

    def stand_back(picture: Picture, truth: Row) -> tuple[Picture, Row]:
        height, width = picture.shape[:2]
        wide, high = round(width / share), round(height / share)
        left, top = _chance(truth).uniform(0, 1, 2) * (wide - width, high - height)
        return _moved(picture, truth, np.array([[1.0, 0, int(left)], [0, 1, int(top)], [0, 0, 1]]), (wide, high))

    return stand_back


def beside_a_neighbour(picture: Picture, truth: Row) -> tuple[Picture, Row]:
    """At either side half of the next table's board, which is the same kind of board seen from its other side, as at a club."""
    corners, width = np.array(truth["corners"]), picture.shape[1]
    room = NEIGHBOURS_APART * np.ptp(corners[:, 0])
    left, right = max(0, int(corners[:, 0].min() - room)), min(width, int(corners[:, 0].max() + room))
    mine = picture[:, left:right]
    beside = mine[::-1, ::-1]
    half, at_left = (right - left) // 2, bool(_chance(truth).integers(2))
    both = np.hstack([beside[:, half:], mine] if at_left else [mine, beside[:, :half]])
    shift = float(right - left - half if at_left else 0) - left
    return np.ascontiguousarray(both), _placed(truth, lambda points: points + np.array([shift, 0.0]))


def cut_off(share: float) -> Callable[[Picture, Row], tuple[Picture, Row]]:
    """The picture ends so far within the playing surface, board widths, at the right and below; nobody counts what lies beyond."""

    def cut(picture: Picture, truth: Row) -> tuple[Picture, Row]:
        corners = np.array(truth["corners"])
        wide, high = (corners.max(axis=0) - share * np.ptp(corners[:, 0])).astype(int).tolist()
        seen, row = _moved(picture, truth, np.eye(3), (wide, high))

        def beyond(thing: Row) -> bool:
            x, y = thing.get("px") or (0.0, 0.0)
            return bool((x or 0.0) >= wide or (y or 0.0) >= high)

        dice, cube = row["dice"], row["cube"]
        row |= {"dice": None if dice and any(map(beyond, dice)) else dice}
        return seen, row | {"cube": None if cube and beyond(cube) else cube}

    return cut


def askew(picture: Picture, truth: Row) -> tuple[Picture, Row]:
    height, width = picture.shape[:2]
    square = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    pulled = square + np.random.default_rng(5).uniform(-ASKEW, ASKEW, (4, 2)) * (width, height)
    pulled = np.asarray(pulled - pulled.min(axis=0), np.float32)
    wide, high = np.ceil(pulled.max(axis=0)).astype(int)
    return _moved(picture, truth, np.asarray(cv2.getPerspectiveTransform(square, pulled), np.float64), (wide, high))


def _pixels(change: Callable[[Plane], Any]) -> Callable[[Picture, Row], tuple[Picture, Row]]:
    """change: of (H, W, 3) BGR, 0-255."""
    return lambda picture, truth: (np.clip(change(picture.astype(np.float64)), 0, 255).astype(np.uint8), truth)


def _hue(picture: Plane) -> Plane:
    hsv = cv2.cvtColor(picture.astype(np.uint8), cv2.COLOR_BGR2HSV)
    hsv[..., 0] = (hsv[..., 0].astype(int) + 45) % 180
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR), np.float64)


def _chance(truth: Row) -> np.random.Generator:
    """Other light for each picture, the same each time."""
    return np.random.default_rng(zlib.crc32(truth["file"].encode()))


def _lit(picture: Picture, factors: Plane, soft: float) -> Picture:
    """Each place (H, W) so many times as bright, the edges of light softened by a share of the width."""
    factors = cv2.GaussianBlur(factors, (0, 0), soft * picture.shape[1])[..., None]
    return np.asarray(np.clip(picture * factors, 0, 255), np.uint8)


def blinds(picture: Picture, truth: Row) -> tuple[Picture, Row]:
    rng, (height, width) = _chance(truth), picture.shape[:2]
    turn, apart = rng.uniform(0, np.pi), width / rng.uniform(9, 16)
    y, x = np.mgrid[:height, :width]
    sunny = np.sin((x * np.cos(turn) + y * np.sin(turn)) * 2 * np.pi / apart) > 0
    return _lit(picture, np.where(sunny, 1.35, 0.6), 0.003), truth


def half_in_the_sun(picture: Picture, truth: Row) -> tuple[Picture, Row]:
    rng, (height, width) = _chance(truth), picture.shape[:2]
    y, x = np.mgrid[:height, :width]
    sunny = x - width * rng.uniform(0.35, 0.65) + rng.uniform(-0.6, 0.6) * (y - height / 2) > 0
    return _lit(picture, np.where(sunny, 1.5, 0.55), 0.0025), truth


def watermarked(picture: Picture, truth: Row) -> tuple[Picture, Row]:
    height, width = picture.shape[:2]
    marks, size = np.zeros_like(picture), width / 900
    for down in range(0, 2 * height, int(150 * size)):
        for across in range(-width, 2 * width, int(420 * size)):
            cv2.putText(
                marks, "PICTURES", (across, down), 0, 1.3 * size, (255,) * 3, max(1, int(3 * size)), cv2.LINE_AA
            )
    marks = cv2.warpAffine(marks, cv2.getRotationMatrix2D((width / 2, height / 2), 25, 1.6), (width, height))
    return np.asarray(np.clip(picture + 0.35 * marks * (1 - picture / 400), 0, 255), np.uint8), truth


WAYS: dict[str, Callable[[Picture, Row], tuple[Picture, Row]]] = {
    "mirrored": mirrored,
    "a quarter turn": turned(90),
    "turned by 12 degrees": turned(12),
    "turned by -35 degrees": turned(-35),
    "half the size": scaled(0.5),
    "three quarters of the size": scaled(0.75),
    "twice the size": scaled(2.0),
    "cut close": cut_close,
    "cut off by 1.5 %": cut_off(0.015),
    "cut off by 3 %": cut_off(0.03),
    "cut off by 6 %": cut_off(0.06),
    "far away": far_away(0.25),
    "very far away": far_away(0.15),
    "beside a neighbour's": beside_a_neighbour,
    "askew": askew,
    "through a wide lens": bent(WIDE),
    "through an action camera": bent(ACTION_CAMERA),
    "warm": _pixels(lambda picture: picture * (0.68, 0.95, 1.2)),
    "blue": _pixels(lambda picture: picture * (1.25, 1.0, 0.7)),
    "darker": _pixels(lambda picture: 255 * (picture / 255) ** 2),
    "softer": _pixels(lambda picture: cv2.GaussianBlur(picture, (0, 0), picture.shape[1] / 700)),
    "grey": _pixels(lambda picture: picture.mean(axis=2, keepdims=True).repeat(3, axis=2)),
    "through blinds": blinds,
    "half in the sun": half_in_the_sun,
    "watermarked": watermarked,
    "light from one side": _pixels(lambda picture: picture * np.linspace(0.35, 1.25, picture.shape[1])[None, :, None]),
    "other colours": _pixels(_hue),
}


def altered(folder: Path, way: str, into: Path) -> Path:
    """Writes the folder's pictures in this way, and their truth, to a folder of the same name in another one."""
    room = into / folder.name
    room.mkdir(parents=True)
    with (room / "truth.jsonl").open("w", encoding="utf-8") as truths:
        for line in (folder / "truth.jsonl").read_text(encoding="utf-8").splitlines():
            truth = json.loads(line)
            picture = cv2.imread(str(folder / truth["file"]))
            if picture is None:
                raise FileNotFoundError(folder / truth["file"])
            other, row = WAYS[way](np.asarray(picture, np.uint8), truth)
            cv2.imwrite(str(room / truth["file"]), other, [cv2.IMWRITE_JPEG_QUALITY, 95])
            truths.write(json.dumps(row | {"size": [other.shape[1], other.shape[0]]}) + "\n")
    return room
