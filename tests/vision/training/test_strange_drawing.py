"""Strange boards, and pictures spoilt on purpose: what is hidden must be called so, what is counted must be there."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.training import decor, patterns
from vision.training.canvas import HAND, Canvas
from vision.training.drawn import MARGIN, SCALE, drawn_board, hidden_columns
from vision.training.finding_scene import SceneMaker
from vision.training.finish import any_finish, finished
from vision.training.paint import Drawing, draw
from vision.training.roughen import roughened
from vision.training.scene import Checker
from vision.training.strange import think_up_strange
from vision.training.thought_up import laid_out, think_up

SEEDS = (31, 32, 33)
HINGED = 1954044


@pytest.mark.parametrize("seed", SEEDS)
def test_a_strange_board_is_drawn_the_same_again_and_is_another_than_the_ordinary_one(seed: int) -> None:
    one, again = drawn_board(seed, strange=True), drawn_board(seed, strange=True)
    assert np.array_equal(one.picture, again.picture)
    assert not np.array_equal(one.picture, drawn_board(seed).picture)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_counted_checker_was_drawn_and_no_side_has_too_many(seed: int) -> None:
    board = drawn_board(seed, strange=True)
    assert (board.counts.sum(axis=0) <= 15).all()
    for column in range(25):
        there = board.checkers[board.checkers[:, 3] == column]
        assert (np.sum(there[:, 2] == 0), np.sum(there[:, 2] == 1)) == tuple(board.counts[column])


def test_two_pictures_of_a_table_differ_by_their_checkers_alone() -> None:
    """On this one hinges would lie where checkers were hit, and all that chance chooses after them, the light too, be another."""
    scene, none = think_up_strange(np.random.default_rng(HINGED)), np.zeros((24, 2), np.int64)
    one, two = (
        draw(
            replace(
                scene,
                checkers=laid_out(np.random.default_rng(7), scene.shape, none, hit, scene.diameter, scene.thickness),
            ),
            np.random.default_rng([HINGED, 1 << 30]),
            MARGIN,
            scale=SCALE,
            moment=np.random.default_rng(2),
            alone=True,
        ).image
        for hit in ([0, 0], [1, 2])
    )
    differ = (one != two).any(axis=2)
    assert 0 < differ.mean() < 0.1
    assert not differ[: len(differ) // 3].any()


@pytest.mark.parametrize("seed", range(12))
def test_a_finish_stays_on_the_checkers_face(seed: int) -> None:
    rng = np.random.default_rng(seed)
    canvas = Canvas(think_up_strange(rng))
    below, centre, radius = canvas.image.copy(), np.array([150.3, 120.7]), 14.0
    canvas.disc(centre, radius, (40, 90, 160))
    before = canvas.image.copy()
    finished(canvas, rng, any_finish(rng), np.array([40, 90, 160], np.float32), (centre, radius), below)
    y, x = np.nonzero((canvas.image != before).any(axis=2))
    assert (np.hypot(x - centre[0], y - centre[1]) < radius + 1.5).all()


def test_what_lies_under_a_thing_is_hidden() -> None:
    rng = np.random.default_rng(5)
    canvas = Canvas(think_up_strange(rng))
    before = canvas.image.copy()
    for _ in range(40):
        decor.covers(canvas, rng)
    covered = (np.abs(canvas.image.astype(int) - before) > 40).any(axis=2)
    assert covered.mean() > 0.05
    assert (canvas.owner[covered] == HAND).mean() > 0.95


def test_what_dazzles_is_white_and_hidden() -> None:
    canvas = Canvas(think_up_strange(np.random.default_rng(6)))
    for seed in range(60):
        decor.dazzle(canvas, np.random.default_rng(seed))
    hidden = canvas.owner == HAND
    assert hidden.any()
    assert canvas.image[hidden].min() >= 255 * decor.BLINDING - 2


@pytest.mark.parametrize("size", [(40, 60), (384, 448), (700, 900)])
def test_patterns_are_cut_to_size(size: tuple[int, int]) -> None:
    piece = patterns.cut(np.random.default_rng(1), *size)
    assert piece.shape == (*size, 3)
    assert piece.min() >= 0
    assert piece.max() <= 255


def test_spoilt_pictures_keep_size_and_place() -> None:
    picture = np.zeros((192, 224, 3), np.uint8)
    cv2.rectangle(picture, (60, 50), (160, 140), (90, 160, 220), -1)
    rng, spoilt = np.random.default_rng(2), 0
    for _ in range(60):
        rough = roughened(picture, rng, 0.5)
        assert rough.shape == picture.shape
        assert rough.dtype == np.uint8
        spoilt += not np.array_equal(rough, picture)
        inside, outside = rough[80:110, 90:130].astype(int).mean(), rough[10:30, 10:40].astype(int).mean()
        assert inside > outside
    assert 20 < spoilt < 60


def test_a_picture_cut_close_keeps_its_corners_in_it() -> None:
    maker = SceneMaker(41, strange=True)
    for _ in range(6):
        scene = maker.make()
        if scene.corners is not None:
            height, width = scene.picture.shape[:2]
            assert scene.corners.shape == (4, 2)
            assert (scene.corners.max(axis=0) - scene.corners.min(axis=0) < 1.7 * np.array([width, height])).all()


def _hidden_where(hand: list[tuple[int, int]]) -> list[int]:
    """The columns called hidden while hands cover the places (column, place from the edge) of a board with its men set up."""
    scene = think_up(np.random.default_rng(9))
    piles = {0: 2, 5: 5, 12: 1}
    checkers = tuple(
        Checker(
            scene.shape.columns[column % 12],
            (place + 0.5) * scene.diameter if column < 12 else scene.shape.height - (place + 0.5) * scene.diameter,
            0.0,
            0,
            column,
        )
        for column, height in piles.items()
        for place in range(height)
    )
    scene = replace(scene, checkers=checkers)
    owner = np.zeros((int((scene.shape.height + 2 * MARGIN) * SCALE), int((1 + 2 * MARGIN) * SCALE)), np.uint8)
    for column, place in hand:
        along = (place + 0.5) * scene.diameter
        y = along if column < 12 else scene.shape.height - along
        centre = ((np.array([scene.shape.columns[column % 12], y]) + MARGIN) * SCALE).astype(int)
        half = int(scene.diameter * SCALE / 2)
        owner[centre[1] - half : centre[1] + half, centre[0] - half : centre[0] + half] = HAND
    discs = np.array(
        [[(c.x + MARGIN) * SCALE, (c.y + MARGIN) * SCALE, scene.diameter * SCALE / 2] for c in checkers], np.float64
    )
    drawing = Drawing(np.zeros((*owner.shape, 3), np.uint8), owner, discs, SCALE)
    in_view = np.array([[c.x, c.y, c.side, c.column, 1.0] for c in checkers], np.float32)
    hidden: list[int] = np.flatnonzero(hidden_columns(drawing, scene, in_view)).tolist()
    return hidden


@pytest.mark.parametrize(
    ("hand", "hidden"),
    [
        ([], []),
        ([(3, 0)], [3]),
        ([(0, 2)], [0]),
        ([(0, 4), (12, 3)], []),
        ([(12, 1), (20, 0)], [12, 20]),
        ([(5, 5)], [5]),
        ([(5, 2)], []),
    ],
)
def test_a_column_is_hidden_where_its_next_checker_might_lie_unseen(
    hand: list[tuple[int, int]], hidden: list[int]
) -> None:
    assert _hidden_where(hand) == hidden
