"""Frames of one rest laid over one another: less grain, and nothing of what lay there before."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import pairwise
from typing import cast

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.simulation.stills import still_frames
from tests.vision import scenes
from tests.vision.watching.readers import Places, Readings
from vision.frame import Frame, Image
from vision.reading.reader import BoardReader
from vision.watching.exposure import Exposure
from vision.watching.watcher import Watcher

CORNERS = np.asarray(scenes.CORNERS / 4, np.float32)
ONE, OTHER = (
    np.asarray(cv2.resize(scenes.draw(*lying), None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA), np.uint8)
    for lying in (
        ([(0.04, 0.05), (0.35, 0.05), (0.6, 0.95)], [(0.7, 0.45)]),
        ([(0.04, 0.05), (0.46, 0.05), (0.6, 0.95)], [(0.3, 0.55)]),
    )
)
"""Small pictures of a board, before and after a play and a throw."""


def in_grain(picture: Image, levels: float, number: int) -> Image:
    """As a sensor shows it in little light: each time with other grain."""
    grain = np.random.default_rng([levels > 0, number]).standard_normal(picture.shape, np.float32)
    return np.asarray(np.clip(picture + levels * grain, 0, 255), np.uint8)


def apart(one: Image, other: Image) -> float:
    """Grey levels, on the mean."""
    return float(cv2.absdiff(one, other).mean())


def shown(exposure: Exposure, pictures: list[Image], *, pause: float = 0.1, begin: float = 0.0) -> Image:
    """What is shown of the newest of these frames."""
    for number, picture in enumerate(pictures):
        newest = Frame(picture, begin + pause * number)
        exposure.add(newest, CORNERS)
    assert exposure.of(newest).seconds == newest.seconds
    return exposure.of(newest).image


@settings(max_examples=20)
@given(st.floats(15, 40), st.integers(2, 12))
def test_the_more_frames_the_less_grain(levels: float, frames: int) -> None:
    seen = shown(Exposure(), [in_grain(ONE, levels, number) for number in range(frames)])
    assert apart(seen, ONE) < 1.15 * apart(in_grain(ONE, levels, 0), ONE) / np.sqrt(frames)


def test_a_picture_with_little_grain_stays_as_it_is() -> None:
    pictures = [in_grain(ONE, 3, number) for number in range(10)]
    assert shown(Exposure(), pictures) is pictures[-1]


def test_the_light_comes_on_and_each_picture_stands_for_itself() -> None:
    exposure = Exposure()
    shown(exposure, [in_grain(ONE, 30, number) for number in range(10)])
    lit = [in_grain(ONE, 2, number) for number in range(2)]
    assert shown(exposure, lit, begin=1.0) is lit[-1]


@pytest.mark.parametrize(("pause", "frames"), [(0.04, 75), (0.1, 30), (0.3, 10), (1.2, 10)])
def test_soon_after_a_change_that_nobody_saw_hardly_anything_is_left_of_before(pause: float, frames: int) -> None:
    """After three seconds where frames come often; after ten where they come as seldom as of a film in which nothing happens."""
    exposure, before = Exposure(), round(4 / pause)
    shown(exposure, [in_grain(ONE, 20, number) for number in range(before)], pause=pause)
    after = [in_grain(OTHER, 20, number) for number in range(frames)]
    seen = shown(exposure, after, pause=pause, begin=pause * before)
    changed = cv2.absdiff(ONE, OTHER).max(axis=2) > 60
    assert np.abs(seen.astype(float) - ONE)[changed].mean() > 5 * np.abs(seen.astype(float) - OTHER)[changed].mean()


@settings(max_examples=20)
@given(st.lists(st.sampled_from([0.1, 0.5, 1.2, 10.0]), min_size=7, max_size=12))
def test_however_seldom_they_come_some_seven_frames_count(pauses: list[float]) -> None:
    exposure, seconds = Exposure(), 0.0
    for number, pause in enumerate(pauses):
        seconds += pause
        newest = Frame(in_grain(ONE, 25, number), seconds)
        exposure.add(newest, CORNERS)
    assert apart(exposure.of(newest).image, ONE) < 0.5 * apart(newest.image, ONE)


@pytest.mark.parametrize(("levels", "pause", "enough"), [(2, 0.1, 0), (25, 0.04, 4), (25, 0.1, 4), (25, 0.3, 2)])
def test_what_is_grainy_waits_for_some_frames_and_never_long(levels: float, pause: float, enough: int) -> None:
    """enough: number of the first frame that is read; the first of all may be, as nobody knows yet how grainy it is."""
    exposure, waits = Exposure(), []
    for number in range(8):
        exposure.add(Frame(in_grain(ONE, levels, number), pause * number), CORNERS)
        waits.append(not exposure.is_enough)
    assert waits == [0 < number < enough for number in range(8)]


def test_nothing_is_left_of_before_where_it_began_anew() -> None:
    exposure = Exposure()
    shown(exposure, [in_grain(ONE, 30, number) for number in range(10)])
    exposure.begin_anew()
    after = [in_grain(OTHER, 30, number) for number in range(4)]
    assert np.array_equal(shown(exposure, after, begin=1.0), shown(Exposure(), after))


@settings(max_examples=10)
@given(st.lists(st.integers(1, 4), min_size=4, max_size=8))
def test_a_picture_that_comes_several_times_counts_once(times: list[int]) -> None:
    """As of a camera that takes longer for each in little light; a codec leaves a little between them."""
    once = [in_grain(ONE, 30, number) for number in range(len(times))]
    often = [
        np.asarray(cv2.add(picture, (again % 2, 0, 0, 0)), np.uint8)
        for picture, many in zip(once, times, strict=True)
        for again in range(many)
    ]
    exposure = Exposure()
    assert apart(shown(exposure, often, pause=0.02), ONE) < 1.15 * apart(once[0], ONE) / np.sqrt(len(once))
    exposure.begin_anew()
    exposure.add(Frame(once[0], 10.0), CORNERS)
    exposure.add(Frame(once[0], 10.1), CORNERS)
    assert not exposure.is_enough
    exposure.add(Frame(once[0], 12.0), CORNERS)  # it has stopped there: more will not come
    assert exposure.is_enough
    assert exposure.of(Frame(once[0], 12.0)).image is once[0]


HALVED = np.asarray(scenes.CORNERS / 2, np.float32)
HALF = np.asarray(
    cv2.resize(scenes.draw([(0.04, 0.05)], [(0.7, 0.45)]), (640, 360), interpolation=cv2.INTER_AREA), np.uint8
)


@cache
def grain(number: int) -> np.ndarray:
    return np.random.default_rng(number).standard_normal(HALF.shape, np.float32)


def looks_at_night(pictures: Iterable[Image], levels: float, *, around: bool = False) -> list[tuple[int, Image]]:
    """What is read of small pictures, each by the number of the newest."""
    watcher, looks = Watcher(HALVED, cast(BoardReader, Readings()), judging=False), []
    watcher.around = around
    for number, picture in enumerate(pictures):
        grainy = np.asarray(np.clip(picture + levels * grain(number % 16), 0, 255), np.uint8)
        seen = watcher.look(Frame(grainy, number / 10))
        if seen is not None and seen.still and watcher.frame is not None:
            looks.append((number, watcher.frame.image))
    return looks


def pointer(number: int) -> Image:
    """Goes to and fro at the board's corner."""
    at = HALVED[0] + (30 + 10 * (number % 2), 20 + 8 * (number % 3))
    return np.asarray(cv2.circle(HALF.copy(), at.astype(int).tolist(), 6, (255, 255, 255), -1), np.uint8)


@pytest.mark.parametrize(
    ("pictures", "levels", "around"),
    [
        ([HALF] * 45, 35, True),  # dice beside the board count, and there are none
        ([np.asarray(HALF * (0.8 if number % 14 < 7 else 1.0), np.uint8) for number in range(60)], 35, False),
        ([pointer(number) for number in range(45)], 28, False),
    ],
)
def test_at_night_no_single_frame_is_read(pictures: list[Image], levels: float, around: bool) -> None:
    looks = looks_at_night(pictures, levels, around=around)
    assert len(looks) >= 3
    half = np.s_[180:]
    for number, look in looks:
        assert apart(look[half], pictures[number][half]) < 0.5 * levels


def test_a_board_that_never_rests_for_long_is_read_now_and_then() -> None:
    """As where grain passes for motion: there are never enough frames of a rest."""
    here, there = HALF.copy(), HALF.copy()
    for stirred, place in ((here, np.s_[60:160, 150:250]), (there, np.s_[200:300, 350:450])):
        stirred[place] = 255 - stirred[place]
    pictures = [HALF if number % 5 else here if number % 2 else there for number in range(80)]
    read = [number for number, _ in looks_at_night(pictures, 25)]
    assert len(read) >= 2
    assert all(later - earlier <= 30 for earlier, later in pairwise([0, *read, 80]))


def test_at_night_what_is_thrown_beside_the_board_is_read_soon_and_whole() -> None:
    thrown, beside = HALF.copy(), np.s_[10:30, 10:30]
    thrown[beside] = 255 - thrown[beside]
    looks = looks_at_night([HALF] * 27 + [thrown] * 20, 28, around=True)
    assert next(number for number, _ in looks if number >= 27) <= 40
    for number, look in looks:
        expected = HALF if number < 27 else thrown
        assert apart(look[beside], expected[beside]) < 15


def test_at_night_a_board_is_read_with_less_grain_and_without_what_lay_there_before() -> None:
    """A play; then the camera is plugged in again and gives smaller pictures."""
    reader = Places()
    watcher = Watcher(scenes.CORNERS, cast(BoardReader, reader), judging=False)
    before, after = scenes.draw([(0.04, 0.05)], [(0.7, 0.45)]), scenes.draw([(0.3, 0.05)], [(0.3, 0.55)])
    shots = [in_grain(before, 25, number) for number in range(9)] + [
        in_grain(after, 25, number) for number in range(18)
    ]
    smaller = [np.asarray(cv2.resize(shot, (960, 540)), np.uint8) for shot in shots[-9:]]
    shown: list[Image] = []
    for number, shot in enumerate([*shots[:-9], *smaller]):
        watcher.look(Frame(shot, number / 10))
        shown += [before if number < 9 else after] * (len(reader.views) - len(shown))
    assert len(shown) >= 3
    views = {id(picture): scenes.GEOMETRY.rectified(picture, 96, 72, 0.0) for picture in (before, after)}
    changed = cv2.absdiff(views[id(before)], views[id(after)]).max(axis=2) > 60
    for view, picture in zip(reader.views, shown, strict=True):
        assert apart(view, views[id(picture)]) < 8
        assert apart(view[changed], views[id(picture)][changed]) < 14


def test_dice_that_no_single_frame_shows_are_read_at_night() -> None:
    reader = BoardReader()
    for still in still_frames(2, 74400, (960, 540)):
        dim = np.asarray(still.frame.image * np.float32(0.45), np.uint8)
        frames = [Frame(in_grain(dim, 45, number), number / 10) for number in range(12)]
        alone = reader.read(frames[-1], reader.place(frames[-1].image, still.corners))
        watcher = Watcher(still.corners, judging=False)
        read = [seen for seen in map(watcher.look, frames) if seen is not None and seen.still]
        thrown = sorted(die.value for die in still.dice)
        assert len(thrown) == 2
        assert sorted(die.value for die in alone.dice) != thrown
        assert sorted(die.value for die in read[-1].dice) == thrown
