"""What is drawn over a picture: whatever is not sure stands out in orange."""

from __future__ import annotations

import numpy as np
import pytest

from vision.board.geometry import BoardGeometry
from vision.reading.overlay import CUBE, DIE, DOUBTFUL, drawn_over
from vision.reading.report import CubeReading, DieReading, Reading

GEOMETRY = BoardGeometry(np.array([[40, 40], [360, 40], [360, 260], [40, 260]], np.float32), (0.47, 0.53))
SURE = (1.0,) * 25


@pytest.mark.parametrize(
    ("thing", "colour"),
    [
        ({"dice": (DieReading(3, (120.0, 150.0), False, 0.97),)}, DIE),
        ({"dice": (DieReading(3, (120.0, 150.0), False, 0.7),)}, DOUBTFUL),
        ({"cube": CubeReading(4, (200.0, 150.0), 0.97)}, CUBE),
        ({"cube": CubeReading(4, (200.0, 150.0), 0.7)}, DOUBTFUL),
    ],
)
def test_a_die_or_cube_that_is_not_sure_is_orange(thing: dict[str, object], colour: tuple[int, int, int]) -> None:
    empty = ((0, 0),) * 12
    reading = Reading("", (), empty, empty, (0, 0), **({"dice": (), "cube": None} | thing), confidence=1.0, seconds=0.0)
    drawn = drawn_over(np.full((300, 400, 3), 90, np.uint8), reading, GEOMETRY, SURE)
    shown = {one for one in (DIE, CUBE, DOUBTFUL) if (drawn == one).all(axis=2).any()}
    assert shown == {colour}
