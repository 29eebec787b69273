"""How often a board that lies still is read: as long as another look may say something."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import cast

import cv2
import numpy as np
import pytest

from tests.vision import scenes
from tests.vision.watching.readers import ADie, Places, Readings
from vision.board.geometry import BoardGeometry
from vision.finding import Seeker
from vision.frame import Frame
from vision.reading.reader import BoardReader
from vision.watching.watcher import Watcher

CORNERS = np.array([[40, 30], [280, 30], [280, 210], [40, 210]], np.float32)
STILL = np.kron(np.random.default_rng(3).integers(0, 256, (30, 40, 3)), np.ones((8, 8, 1))).astype(np.uint8)


def read_at(after_each: Callable[[Watcher], None], seconds: Iterable[float], moved: float = -1.0) -> list[float]:
    """When a board is read that lies still but for one moment. after_each: what is said of a reading."""
    reader = Readings()
    watcher = Watcher(CORNERS, cast(BoardReader, reader), judging=False)
    for now in seconds:
        picture = STILL.copy()
        if now == moved:
            picture[:, 100:160] = 255 - picture[:, 100:160]
        seen = watcher.look(Frame(picture, now))
        if seen is not None and seen.still:
            after_each(watcher)
    return reader.seconds


@pytest.mark.parametrize(
    ("after_each", "pauses"),
    [
        (lambda watcher: None, [0.7, 0.7, 0.7, 3.0, 3.0]),
        (lambda watcher: watcher.calm(), [3.0, 3.0]),
        (lambda watcher: watcher.content(), [10.0]),
        (lambda watcher: (watcher.content(), watcher.calm()), [10.0]),
    ],
)
def test_a_still_board_is_read_again_after_a_while(after_each: Callable[[Watcher], None], pauses: list[float]) -> None:
    times = read_at(after_each, np.arange(0, 12, 0.2).round(1).tolist())
    assert np.diff(times)[: len(pauses)] == pytest.approx(pauses, abs=0.21)


def test_a_board_over_which_something_moved_is_read_at_once_though_nothing_was_in_doubt() -> None:
    times = read_at(lambda watcher: watcher.content(), np.arange(0, 5, 0.2).round(1).tolist(), moved=2.0)
    assert len(times) == 2
    assert 2.0 < times[1] < 3.5


def turned_by_quarters(picture: np.ndarray, quarters: int) -> np.ndarray:
    return np.ascontiguousarray(np.rot90(picture, quarters))


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_key_frames_taken_from_elsewhere_show_the_board_the_same_way_round(quarters: int) -> None:
    """Somebody walks round the table with a phone, held upright for some of the pictures."""
    reader = Places()
    watcher = Watcher(CORNERS, cast(BoardReader, reader), key_frames=True, judging=False)
    aside = cv2.warpAffine(
        STILL, np.array([[1.0, 0.03, -9], [-0.03, 1.0, 12]]), (320, 240), borderMode=cv2.BORDER_REFLECT
    )
    pictures = [STILL, aside, turned_by_quarters(STILL, quarters), turned_by_quarters(aside, quarters), STILL]
    for number, picture in enumerate(pictures):
        seen = watcher.look(Frame(np.asarray(picture, np.uint8), 60.0 * number))
        assert seen is not None
        assert seen.still
        assert watcher.size == (picture.shape[1], picture.shape[0])
    first, *others = (view.astype(float) for view in reader.views)
    assert len(others) == 4
    for view in others:
        assert np.corrcoef(first.ravel(), view.ravel())[0, 1] > 0.9


def test_another_board_that_is_found_in_a_key_frame_of_another_shape_is_read_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What was found first was a diagram, say; the next pictures, held upright, show the board."""
    reader, upright = Places(), turned_by_quarters(STILL, 1)
    found = np.array([[30, 40], [210, 40], [210, 280], [30, 280]], np.float32)
    watcher = Watcher(CORNERS, cast(BoardReader, reader), key_frames=True, judging=False)
    monkeypatch.setattr(Seeker, "better", lambda _, frame, *__, **___: found if frame.size[0] < frame.size[1] else None)
    for number, picture in enumerate([STILL, upright]):
        watcher.look(Frame(picture, 60.0 * number))
    assert watcher.replaced == 1
    assert watcher.size == (240, 320)
    assert len(reader.views) == 2
    shown = BoardGeometry(found).rectified(upright, 96, 72, 0.0)
    assert np.abs(shown.astype(float) - reader.views[1]).mean() < 3


@pytest.mark.parametrize("quarters", [1, 3])
def test_a_phone_that_is_turned_by_a_quarter_shows_the_same_board_the_same_way_round(quarters: int) -> None:
    """Its pictures are upright from then on, and wide again when it is turned back."""
    reader = Places()
    watcher = Watcher(CORNERS, cast(BoardReader, reader), judging=False)
    upright = turned_by_quarters(STILL, quarters)
    shown = [STILL] * 40 + [upright] * 40 + [STILL] * 40
    read: list[list[np.ndarray]] = [[], [], []]
    for number, picture in enumerate(shown):
        seen, before = watcher.look(Frame(np.asarray(picture, np.uint8), number / 10)), len(reader.views)
        if seen is not None and seen.still:
            read[number // 40].append(reader.views[before - 1])
            assert watcher.size == (picture.shape[1], picture.shape[0])
    assert watcher.trouble == ""
    assert all(read)
    for view in read[1] + read[2]:
        assert np.corrcoef(read[0][0].astype(float).ravel(), view.astype(float).ravel())[0, 1] > 0.9


@pytest.mark.parametrize(("key_frames", "times"), [(False, (20, 16)), (True, (1, 2))])
@pytest.mark.parametrize("size", [(640, 360), (1600, 900)])
@pytest.mark.parametrize("moved", [(0, 0, 0), (30, 10, 3), (60, 30, 8)])
def test_a_board_is_where_it_is_in_pictures_of_another_size_though_the_camera_was_moved(
    moved: tuple[int, int, int], size: tuple[int, int], key_frames: bool, times: tuple[int, int]
) -> None:
    """A camera is jostled while it is plugged in again, or a phone's next pictures are smaller, and taken from elsewhere."""
    board = scenes.draw([(0.04, 0.05), (0.04, 0.15), (0.35, 0.05), (0.6, 0.95)], [(0.7, 0.45)])
    there, corners = scenes.bumped(board, *moved)
    other = np.asarray(cv2.resize(there, size, interpolation=cv2.INTER_AREA), np.uint8)
    reader = Places()
    watcher = Watcher(scenes.CORNERS, cast(BoardReader, reader), key_frames=key_frames, judging=False)
    for number, picture in enumerate([board] * times[0] + [other] * times[1]):
        watcher.look(Frame(picture, number * (60.0 if key_frames else 0.1)))
    assert watcher.trouble == ""
    assert watcher.size == size
    assert reader.seconds[-1] > 2
    assert watcher.corners is not None
    assert scenes.off((watcher.corners + 0.5) * scenes.SIZE[0] / size[0] - 0.5, corners) < 0.004
    for view in reader.views:
        assert np.corrcoef(reader.views[0].astype(float).ravel(), view.astype(float).ravel())[0, 1] > 0.95


def test_a_key_frame_of_something_else_says_nothing_and_the_next_is_read_where_the_board_lay() -> None:
    reader = Places()
    watcher = Watcher(CORNERS, cast(BoardReader, reader), key_frames=True, judging=False)
    upright = np.full((320, 240, 3), 128, np.uint8)
    seen = [watcher.look(Frame(picture, 60.0 * number)) for number, picture in enumerate([STILL, upright, STILL])]
    assert [one is not None and one.still for one in seen] == [True, False, True]
    assert np.array_equal(reader.views[0], reader.views[1])


@pytest.mark.parametrize(
    ("at", "since", "dice", "known"),
    [
        ((100, 120), 0, 1, True),
        ((160, 120), 0, 0, True),
        ((160, 120), 15, 0, False),
        ((100, 120), 15, 1, True),
    ],
)
def test_under_what_never_rests_no_die_counts_and_none_is_known_to_be_gone(
    at: tuple[int, int], since: int, dice: int, known: bool
) -> None:
    """A pointer that never rests lies beside a die, or comes to lie over it; or where it is, something looks like a die."""
    watcher = Watcher(CORNERS, cast(BoardReader, ADie((0.5, 0.5))), judging=False)
    read = []
    for number in range(since + 60):
        picture = STILL.copy()
        if number >= since:
            colour = (255, 255, 255) if number % 2 else (0, 0, 0)
            cv2.circle(picture, (at[0] + 4 * (number % 3), at[1]), 9, colour, -1)
        seen = watcher.look(Frame(picture, number / 10))
        if seen is not None and seen.still and number > since:
            read.append(seen)
    assert len(read) > 2
    for seen in read:
        assert len(seen.dice) == dice
        assert bool(seen.seen.min() > 0) is known
