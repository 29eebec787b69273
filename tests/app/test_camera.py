"""What one board's camera says of where the board lies."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from controller.app.camera import BoardCamera
from controller.app.table import Table
from controller.referee.session import MatchPlan
from controller.rules import MATCH
from controller.run.simulated_camera import SimulatedSource
from controller.simulation import SimulatedMatch, SimulatedTable


def test_corners_of_a_smaller_picture_are_never_shown_in_a_larger_one() -> None:
    board = SimulatedTable(4, SimulatedMatch("none"))
    frame = next(SimulatedSource(board, 0).frames())
    height, width = frame.image.shape[:2]
    corners = np.asarray(board.corners, np.float32)
    small = Table(MatchPlan(MATCH, 7), corners / 2, "bottom-right", size=(width // 2, height // 2))
    camera = BoardCamera(small, lambda sentence: None, key_frames=True)
    assert camera.corners is not None
    camera.frame = frame
    assert camera.corners is None
    camera.look(camera.frame)
    assert camera.corners is not None
    assert np.abs(camera.corners - corners).max() < 2


def test_a_picture_that_is_hard_to_read_says_why_until_it_is_better() -> None:
    board = SimulatedTable(4, SimulatedMatch("none"))
    source = SimulatedSource(board, 0)
    sharp = next(source.frames())
    camera = BoardCamera(
        Table(MatchPlan(MATCH, 7), board.corners, "bottom-right"), lambda sentence: None, key_frames=True
    )
    smeared = np.asarray(cv2.GaussianBlur(sharp.image, (0, 0), 6), np.uint8)
    camera.look(replace(sharp, image=smeared, seconds=0.0))
    ((sentence, advice),) = camera.picture
    assert sentence.startswith("Out of focus: edges are smeared by ")
    assert advice == "Focus the camera on the dice and clean its lens."
    for second in (6.0, 12.0):
        camera.look(replace(sharp, seconds=second))
    assert camera.picture == ()
