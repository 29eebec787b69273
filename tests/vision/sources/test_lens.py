"""A lens that bends: measured from a chessboard, undone for a board."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from controller.simulation.looks import LOOKS
from controller.simulation.stills import still_frames
from vision.frame import Image
from vision.sources.lens import INNER, Lens, LensError, chessboard_sheet, lens_file, load_lens, measured
from web.words import message

WIDE = Lens(size=(1280, 720), focal=(900.0, 900.0), centre=(640.0, 360.0), bend=(-0.28, 0.07, 0.0, 0.0, 0.0))
"""As a wide webcam lens has it: the corners of the picture come 60 px nearer to the middle."""


def bent(image: Image, lens: Lens = WIDE) -> Image:
    """The picture as that lens takes it."""
    straight = _straight(lens, image.shape[1], image.shape[0])
    return np.asarray(cv2.remap(image, straight, None, cv2.INTER_LINEAR, borderValue=(90, 90, 90)), np.uint8)


@cache
def _straight(lens: Lens, width: int, height: int) -> npt.NDArray[np.float32]:
    """(height, width, 2) where each bent pixel lies in the straight picture."""
    matrix = np.array([[lens.focal[0], 0, lens.centre[0]], [0, lens.focal[1], lens.centre[1]], [0, 0, 1]])
    grid = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1).reshape(-1, 1, 2).astype(np.float32)
    return cv2.undistortPoints(grid, matrix, np.array(lens.bend), P=matrix).reshape(height, width, 2)


def chessboards(count: int, farther: float = 1) -> list[Image]:
    """Pictures of the printed chessboard, bent by the lens; the farther away, the nearer to the picture's middle."""
    rng, side = np.random.default_rng(3), 40
    columns, rows = INNER[0] + 1, INNER[1] + 1
    page = np.full(((rows + 2) * side, (columns + 2) * side, 3), 255, np.uint8)
    for y in range(rows):
        for x in range(columns):
            if (x + y) % 2 == 0:
                page[(y + 1) * side : (y + 2) * side, (x + 1) * side : (x + 2) * side] = 0
    matrix = np.array([[WIDE.focal[0], 0, WIDE.centre[0]], [0, WIDE.focal[1], WIDE.centre[1]], [0, 0, 1]])
    corners = np.array([[0, 0], [page.shape[1], 0], [page.shape[1], page.shape[0]], [0, page.shape[0]]], np.float32)
    taken = []
    for _ in range(count):
        turn = rng.uniform(-0.5, 0.5, 3)
        place = np.array([rng.uniform(-180, 180), rng.uniform(-90, 90), farther * rng.uniform(650, 900)])
        flat = np.c_[corners - corners.mean(axis=0), np.zeros(4)].astype(np.float64)
        seen, _ = cv2.projectPoints(flat, turn, place, matrix, None)
        place_in_picture = cv2.getPerspectiveTransform(corners, seen.reshape(4, 2).astype(np.float32))
        picture = cv2.warpPerspective(page, place_in_picture, (1280, 720), borderValue=(120, 120, 120))
        taken.append(bent(np.asarray(picture, np.uint8)))
    return taken


def off(a: npt.ArrayLike, b: npt.ArrayLike) -> float:
    return float(np.abs(np.asarray(a, float) - np.asarray(b, float)).mean())


def test_the_lens_is_measured_from_a_printed_chessboard() -> None:
    lens = measured(chessboards(10))
    assert lens.error < 0.5
    assert lens.focal[0] == pytest.approx(900, rel=0.03)
    board = next(iter(still_frames(1, seed=5, look=LOOKS[0].name))).frame.image
    inner = np.s_[80:640, 150:1130]
    bad = off(bent(board)[inner], board[inner])
    assert off(lens.straightened(bent(board))[inner], board[inner]) < 0.35 * bad


def test_a_lens_without_bend_changes_nothing() -> None:
    image = np.random.default_rng(1).integers(0, 255, (720, 1280, 3), np.uint8)
    plain = Lens((1280, 720), (900.0, 900.0), (640.0, 360.0), (0.0, 0.0, 0.0, 0.0, 0.0))
    assert off(plain.straightened(image), image) < 1


def test_a_smaller_picture_of_the_same_camera_is_straightened_too() -> None:
    board = bent(next(iter(still_frames(1, seed=5, look=LOOKS[0].name))).frame.image)
    half = np.asarray(cv2.resize(board, (640, 360), interpolation=cv2.INTER_AREA), np.uint8)
    big = cv2.resize(WIDE.straightened(board), (640, 360), interpolation=cv2.INTER_AREA)
    assert off(WIDE.straightened(half), big) < 2


def test_another_cameras_picture_is_refused() -> None:
    with pytest.raises(LensError, match="1280 x 720 pixels; this one has 640 x 480") as told:
        WIDE.straightened(np.zeros((480, 640, 3), np.uint8))
    assert message(told.value.sentence).words["sk"].startswith("Objektív bol zmeraný")


def test_pictures_without_a_chessboard() -> None:
    with pytest.raises(LensError, match="seen in 0 of 6 pictures; 5 are needed"):
        measured([np.zeros((360, 640, 3), np.uint8)] * 6)


def test_chessboards_in_the_middle_of_the_picture_say_nothing_of_its_edges() -> None:
    with pytest.raises(LensError, match="cover 8% of the picture"):
        measured(chessboards(8, farther=2))


def test_the_file_keeps_the_lens(tmp_path: Path) -> None:
    (tmp_path / "lens.json").write_bytes(lens_file(WIDE))
    assert load_lens(tmp_path / "lens.json") == WIDE


def test_a_file_that_is_not_there_is_named_in_the_language_of_the_page(tmp_path: Path) -> None:
    with pytest.raises(LensError, match="can't be read") as raised:
        load_lens(tmp_path / "lens.json")
    said = message(raised.value.sentence).words["cs"]
    assert said.startswith(f"Soubor s objektivem '{tmp_path}/lens.json' nelze přečíst")


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"size": [1280, 720], "focal": [1, 2]}', "\xff"])
def test_a_file_that_is_no_lens(tmp_path: Path, text: str) -> None:
    (tmp_path / "lens.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(LensError, match="is no lens file"):
        load_lens(tmp_path / "lens.json")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("focal", [0, 900]),
        ("focal", [900, -900]),
        ("focal", [1e300, 900]),
        ("centre", [0, 1e300]),
        ("bend", [1e300] * 5),
    ],
)
def test_a_file_of_a_lens_that_can_be_none(tmp_path: Path, key: str, value: object) -> None:
    (tmp_path / "lens.json").write_text(json.dumps(json.loads(lens_file(WIDE)) | {key: value}), "utf-8")
    with pytest.raises(LensError, match=rf"is no lens file .*\$\.{key}"):
        load_lens(tmp_path / "lens.json")


def test_the_sheet_has_the_chessboard() -> None:
    assert chessboard_sheet().count("<rect") == 1 + (INNER[0] + 1) * (INNER[1] + 1) // 2
