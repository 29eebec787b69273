"""The cube reader on drawn boards, on boards from elsewhere, and where there is no cube."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache, partial

import cv2
import numpy as np
import pytest

from tests.shared import shared
from tests.vision.reading.test_dice import WHOLE_BOARD, overhead_scene
from vision.observation import CUBE_FACES
from vision.reading import cube, dice
from vision.reading.cube import CubeReader
from vision.reading.detector import FLAT, UNLIKELY_LOGIT, Candidate, SolidRead, SolidReader, open_view
from vision.training.dice_board import BOARD_PX
from vision.training.dice_data import cut


@cache
def reader() -> CubeReader:
    return CubeReader()


WHOLE_CUBES = (5, 13, 14, 18, 23, 26, 28, 29, 36, 39, 40, 43, 47, 48, 49)
"""The seeds below 50 whose scenes show one cube, all of it, and not at the edge."""


def test_drawn_cubes_are_read_any_way_round() -> None:
    """Half of these scenes are hard on purpose (dark, coarse, crowded); what the reader does say must be right."""
    right = said = 0
    for seed in WHOLE_CUBES:
        scene = overhead_scene(seed)
        cubes = [item for item in scene.items if item.kind == "cube" and item.seen >= 0.95]
        assert len(cubes) == 1
        seen = reader().read(scene.image, WHOLE_BOARD)
        at = np.array(cubes[0].at) / BOARD_PX / [1, 0.8]
        said += seen is not None
        right += seen is not None and seen.value == cubes[0].value and np.hypot(*(np.array(seen.at) - at)) < 0.03
    assert said / len(WHOLE_CUBES) >= 0.4
    assert right / said >= 0.7


@pytest.mark.parametrize("looks", [cube.solid_reader(), dice.solid_reader()], ids=["cube", "die"])
def test_what_may_be_one_is_looked_at_in_all_ways(looks: SolidReader) -> None:
    scene = overhead_scene(WHOLE_CUBES[0])
    places = [
        Candidate((i.at[0] / BOARD_PX, i.at[1] / BOARD_PX), i.size / BOARD_PX, 1.0) for i in scene.items if i.size
    ]
    places.append(Candidate((0.2, 0.2), 0.05, 0.1))
    shown = partial(cut, scene)
    first, *more = (
        looks.answers(look, [shown(replace(place, size=place.size * look.stretch), look.px) for place in places])
        for look in (looks.first, *looks.more)
    )
    likely = [one[0] > UNLIKELY_LOGIT for one in first]
    assert any(likely)
    assert not all(likely)
    for k, one in enumerate(looks.looked_at(shown, places)):
        seen = [first, *more] if likely[k] else [first]
        assert one.logits[:FLAT] == pytest.approx(sum(answers[k] for answers in seen)[:FLAT] / len(seen), abs=1e-4)
        assert one.logits[FLAT] == pytest.approx(first[k][FLAT])
        assert one.crop.shape == (64, 64, 3)


@pytest.mark.parametrize("grey", [0, 90, 255])
def test_an_empty_table_holds_no_cube(grey: int) -> None:
    corners = np.array([[300, 100], [980, 100], [980, 640], [300, 640]], np.float32)
    assert reader().read(np.full((720, 1280, 3), grey, np.uint8), corners) is None


CORNERS = [[300, 100], [980, 100], [980, 644], [300, 644]]
"""Of the playing surface, px of a picture of 1280 x 720."""


def doubtful(at: tuple[float, float], face: int) -> SolidRead:
    """What looks like a cube with one chance in two, at a place of the view plane, and shows this face."""
    logits = np.zeros(8, np.float32)
    logits[1 + CUBE_FACES.index(face)] = 8
    logits[0] = -(cube.TRUST.bias + 4.6 * cube.TRUST.face) / cube.TRUST.reader
    return SolidRead(Candidate(at, 0.05, 0.5), logits, logits, np.zeros((64, 64, 3), np.uint8))


@pytest.mark.parametrize(
    ("at", "face", "believed"),
    [
        ((0.5, 0.4), 64, True),
        ((0.52, 0.46), 64, True),
        ((-0.1, 0.41), 64, True),
        ((1.12, 0.38), 64, True),
        ((0.5, 0.4), 8, False),
        ((0.3, 0.4), 64, False),
        ((0.5, -0.1), 64, False),
        ((-0.1, 0.1), 64, False),
    ],
    ids=["bar", "beside the bar's middle", "left", "right", "doubled", "a point", "above the bar", "a corner"],
)
def test_a_doubtful_64_is_believed_in_the_middle_alone(at: tuple[float, float], face: int, believed: bool) -> None:
    class Looks:
        def read(self, *_: object) -> list[SolidRead]:
            return [doubtful(at, face)]

    shown = CubeReader()
    shown._reader = Looks()  # type: ignore[assignment]
    seen = shown.read(np.full((720, 1280, 3), 90, np.uint8), np.array(CORNERS, np.float32))
    assert (seen is not None) == believed
    assert seen is None or seen.value == 64


class ShownOn:
    """A finder that marks a cube on pictures of these board widths alone, and notes which it looked at."""

    def __init__(self) -> None:
        self.shown_on: set[int] = set()
        self.looked_at: list[int] = []

    def find(self, *_: object, board_px: int) -> list[Candidate]:
        self.looked_at.append(board_px)
        return [Candidate((0.3, 0.4), 0.05, 0.5)] if board_px in self.shown_on else []


def test_a_finer_picture_is_looked_at_where_the_usual_one_shows_no_cube() -> None:
    class SureOfAll:
        def read(self, _: object, candidates: list[Candidate]) -> list[SolidRead]:
            sure = np.array([8, 8, 0, 0, 0, 0, 0, 0], np.float32)
            return [SolidRead(one, sure, sure, np.zeros((64, 64, 3), np.uint8)) for one in candidates]

    finds, shown = ShownOn(), CubeReader()
    shown._finder, shown._reader = finds, SureOfAll()  # type: ignore[assignment]
    view = open_view(np.full((720, 1280, 3), 90, np.uint8), np.array(CORNERS, np.float32))

    def looks(*shown_on: int, thorough: bool = False) -> list[int]:
        finds.shown_on, finds.looked_at = set(shown_on), []
        assert (shown.read_view(view, thorough=thorough) is not None) == bool(shown_on)
        return finds.looked_at

    usual, finer = cube.BOARD_PX, cube.FINER_PX
    assert looks(finer) == [usual, finer]
    assert looks(finer) == [usual, finer]
    assert looks(usual, finer) == [usual]
    assert [len(looks()) for _ in range(2 * cube.NOW_AND_THEN)] == 2 * [2, *(cube.NOW_AND_THEN - 1) * [1]]
    assert looks(thorough=True) == [usual, finer]


@pytest.mark.parametrize("game", ["dev1", "dev2"])
def test_the_cube_of_a_recorded_game_is_followed(game: str) -> None:
    folder = shared(f"boards/games/{game}")
    rows = [json.loads(line) for line in (folder / "truth.jsonl").read_text().splitlines()][::3]
    for row in [r for r in rows if r["cube"]]:
        corners = np.array(row["corners"], np.float32)
        seen = reader().read(np.asarray(cv2.imread(str(folder / row["file"])), np.uint8), corners)
        unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
        place = cv2.getPerspectiveTransform(corners, unit) @ np.array([*row["cube"]["px"], 1])
        assert seen is not None, row["file"]
        assert seen.value == row["cube"]["shown"], row["file"]
        assert np.hypot(*(np.array(seen.at) - place[:2] / place[2])) < 0.05, row["file"]
        assert seen.faces.sum() == pytest.approx(1, abs=1e-5)
