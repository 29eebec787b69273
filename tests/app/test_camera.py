"""What one board's camera says of where the board lies."""

from __future__ import annotations

import numpy as np

from controller.app.camera import BoardCamera
from controller.app.table import Table
from controller.referee.session import MatchPlan
from controller.rules import MATCH
from controller.run.simulated_camera import SimulatedSource
from controller.simulation import SimulatedTable


def test_corners_of_a_smaller_picture_are_never_shown_in_a_larger_one() -> None:
    board = SimulatedTable(4, "none")
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
