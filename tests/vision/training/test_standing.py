"""Cubes, dice and cups where a column's next checker would come."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.training import standing
from vision.training.canvas import MARGIN, Canvas
from vision.training.drawn import drawn_board
from vision.training.paint_things import Box
from vision.training.scene import FIRST_PLACE, ON_BAR, DrawnScene, next_place
from vision.training.texture import Rng
from vision.training.thought_up import think_up

SCALE = 120


def things_on(scene: DrawnScene, seed: int, monkeypatch: pytest.MonkeyPatch) -> tuple[list[Box], list[np.ndarray]]:  # type: ignore[type-arg]
    """Dice and cubes that are drawn, and where cups are."""
    boxes: list[Box] = []
    cups: list[np.ndarray] = []  # type: ignore[type-arg]

    def noted(canvas: Canvas, rng: Rng, drawn: list[Box]) -> None:
        boxes.extend(drawn)

    monkeypatch.setattr(standing, "draw_boxes", noted)
    monkeypatch.setattr(standing, "draw_cup", lambda canvas, rng, at: cups.append(at))
    standing.draw_standing(Canvas(scene, MARGIN, SCALE), np.random.default_rng([seed, 4]))
    return boxes, cups


def test_the_next_checker_comes_by_the_rail_or_behind_the_last_one() -> None:
    scene = think_up(np.random.default_rng(3))
    for column in range(24):
        own = [checker for checker in scene.checkers if checker.column == column]
        place = next_place(scene, column)
        if place is None:
            assert len(own) >= 4
            continue
        from_rail = place[1] if column < 12 else scene.shape.height - place[1]
        assert place[0] == scene.shape.columns[column % 12]
        if own:
            assert min(np.hypot(checker.x - place[0], checker.y - place[1]) for checker in own) > 0.9 * scene.diameter
        else:
            assert from_rail == pytest.approx(FIRST_PLACE * scene.diameter)


def test_things_stand_there_and_never_on_a_checker(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = at_the_rail = 0
    for seed in range(60):
        scene = replace(think_up(np.random.default_rng(seed)), standing=standing.MOST)
        boxes, cups = things_on(scene, seed, monkeypatch)
        checkers = np.array([[one.x, one.y] for one in scene.checkers if one.column <= ON_BAR]).reshape(-1, 2)
        for at, size in [*((box.at, box.size) for box in boxes), *((cup, 0.0) for cup in cups)]:
            drawn += 1
            at_the_rail += min(at[1], scene.shape.height - at[1]) < scene.diameter
            assert np.abs(np.array(scene.shape.columns) - at[0]).min() < scene.diameter
            assert np.hypot(*(checkers - at).T).min(initial=1.0) > size / 2
    assert drawn > 100
    assert at_the_rail > drawn / 2


@pytest.mark.parametrize("strange", [False, True])
def test_such_a_board_is_drawn_with_its_truth(*, strange: bool) -> None:
    usual = drawn_board(9_000_000, strange=strange)
    board = drawn_board(9_000_000, strange=strange, standing=True)
    assert np.array_equal(board.counts, usual.counts)
    assert not np.array_equal(board.picture, usual.picture)
    assert (board.hidden >= usual.hidden).all()
