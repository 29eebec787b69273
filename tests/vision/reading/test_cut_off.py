"""A board of which the picture's edge cuts something off: what shows is read, what nobody could count is left open."""

from __future__ import annotations

import numpy as np
import pytest

from controller.simulation.stills import Still, still_frames
from vision.board.geometry import BoardGeometry
from vision.finding import BoardLocation, find_board
from vision.observation import MAX_COUNT
from vision.reading.cut_off import LEAST, in_sight
from vision.reading.reader import BoardReader

WIDTH, HEIGHT = 1000, 900
SEEN = np.full(25, 0.9, np.float32)


def board(right: float = 900, bottom: float = 800) -> BoardGeometry:
    corners = [[100, 100], [right, 100], [right, bottom], [100, bottom]]
    return BoardGeometry(np.array(corners, np.float32), (0.46, 0.54))


def test_a_whole_board_is_as_much_in_sight_as_the_network_says() -> None:
    assert in_sight(SEEN, board(), (WIDTH, HEIGHT)) is SEEN


@pytest.mark.parametrize("out", [0.0, 0.4, 0.75, 0.95])
def test_a_row_counts_as_seen_by_how_much_of_its_first_checkers_shows(out: float) -> None:
    checker = 0.084 * (HEIGHT - 100) / (1 - 0.084 * out)
    bottom = HEIGHT + out * checker
    seen = in_sight(SEEN, board(bottom=bottom), (WIDTH, HEIGHT))
    assert (seen[:12] == SEEN[:12]).all()
    assert seen[24] == pytest.approx(SEEN[24])
    lower = seen[12:24]
    assert np.ptp(lower) < 1e-6
    if out <= 0.4:
        assert lower[0] == pytest.approx(0.9)
    elif out >= 0.95:
        assert lower[0] == pytest.approx(0.9 * LEAST)
    else:
        assert 0.3 < lower[0] < 0.8


def test_only_the_columns_beyond_the_edge_are_out_of_sight() -> None:
    seen = in_sight(SEEN, board(right=WIDTH + 85), (WIDTH, HEIGHT))
    assert seen[11] == seen[23] == pytest.approx(0.9 * LEAST)
    assert np.delete(seen, [11, 23]) == pytest.approx(0.9)


@pytest.fixture(scope="module")
def reader() -> BoardReader:
    return BoardReader()


def cut(still: Still, beyond: float) -> np.ndarray[tuple[int, int, int], np.dtype[np.uint8]]:
    """The picture, which ends so many board widths within the playing surface at the right."""
    end = round(float(still.corners[:, 0].max() - beyond * np.ptp(still.corners[:, 0])))
    return np.ascontiguousarray(still.frame.image[:, :end])


@pytest.mark.parametrize("seed", [11, 12, 13])
def test_a_board_cut_off_a_little_is_found_and_read(reader: BoardReader, seed: int) -> None:
    still = next(iter(still_frames(1, seed=seed)))
    picture = cut(still, 0.02)
    found = find_board(picture)
    assert isinstance(found, BoardLocation)
    wide = np.linalg.norm(still.corners[1] - still.corners[0])
    assert min(np.abs(np.roll(found.corners, turn, 0) - still.corners).max() for turn in (0, 2)) < 0.03 * wide
    frame = type(still.frame)(picture, 0.0)
    seen = reader.read(frame, reader.place(picture, still.corners))
    assert (seen.columns.argmax(axis=1) - MAX_COUNT == still.columns).sum() >= 23


def test_of_a_board_cut_off_by_two_columns_the_others_are_claimed(reader: BoardReader) -> None:
    still = next(iter(still_frames(1, seed=11)))
    picture = cut(still, 0.1)
    seen = reader.read(type(still.frame)(picture, 0.0), reader.place(picture, still.corners))
    assert seen.seen[11] < 0.5
    assert seen.seen[23] < 0.5
    assert (np.delete(seen.seen, [10, 11, 22, 23]) > 0.5).sum() >= 20
