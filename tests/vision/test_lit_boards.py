"""The boards that Blender lights: their truth is what lies there. Skipped where Blender is not installed (`pip install bpy`)."""

from __future__ import annotations

from pathlib import Path

import cv2
import pytest

pytest.importorskip("bpy", reason="no Blender here: pip install bpy")

from benchmarks.lit import picture

START = [-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 2, 0, 0, 0, 0, -5, 0, -3, 0, 0, 0, 5]


@pytest.mark.parametrize("seed", range(4))
def test_a_photograph_tells_what_lies_on_the_board_but_under_an_arm(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(picture, "SAMPLES", 1)
    truth = picture.photograph(seed, picture.Held(START, (0, 0), (0, 0)), tmp_path / "board.png")

    told = [None if cell is None else cell[0] - cell[1] for cell in (*truth["top"], *truth["bottom"])]
    assert all(cell in (None, count) for cell, count in zip(told, START, strict=True))
    assert truth["occluded"] or None not in told
    high, wide = cv2.imread(str(tmp_path / "board.png")).shape[:2]
    assert truth["size"] == [wide, high]
    assert all(0 < x < wide and 0 < y < high for x, y in truth["corners"])
    assert all(1 <= die["value"] <= 6 for die in truth["dice"] or [])
