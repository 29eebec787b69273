"""What changed between two rests of the simulated table, told from the pictures alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import cv2
import numpy as np
import pytest

from controller.rules import Side
from controller.simulation import Filming, Scene, SimulatedTable
from controller.simulation.cards import flickering
from controller.simulation.renderer import Renderer
from controller.simulation.scene import CheckerThing, DieThing, HandThing
from vision.board.changes import Snapshot, shares_changed
from vision.board.geometry import BoardGeometry

SIZE = (960, 540)
LOOKS_CHANGED = 0.025


class Table:
    """A simulated table whose rests can be photographed, with a board that is hardly ever in the dark about its bar."""

    def __init__(self, seed: int) -> None:
        self.table = SimulatedTable(seed, filming=Filming(SIZE, 10))
        self.shape = self.table.look.shape
        self._renderer = Renderer(self.table.look, SIZE, seed)
        half = self.shape.bar / 2 / self.shape.width
        self.geometry = BoardGeometry(self.table.corners, (0.5 - half, 0.5 + half))

    def rests(self, count: int) -> Iterator[Scene]:
        """Scenes in which nobody reaches over the board and no die rolls, each another than the one before."""
        last: Scene | None = None
        for scene in self.table.scenes():
            if any(isinstance(thing, HandThing) for thing in scene.things):
                continue
            if last is None or set(scene.things) != set(last.things):
                last, count = scene, count - 1
                yield scene
            if count == 0:
                return

    def picture(self, scene: Scene) -> np.ndarray:
        """What the camera sees."""
        return self._renderer.draw(scene)

    def snapshot(self, scene: Scene, light: float = 1.0, told_of_dice: bool = True) -> Snapshot:
        """What is kept of it. light: share of the usual brightness."""
        picture = np.clip(self.picture(scene).astype(np.float32) * light, 0, 255).astype(np.uint8)
        return Snapshot.of(picture, self.geometry, self.dice(scene) if told_of_dice else ())

    def dice(self, scene: Scene) -> list[tuple[float, float]]:
        """Their places, board plane."""
        dice = [thing for thing in scene.things if isinstance(thing, DieThing)]
        return [(die.at[0] / self.shape.width, die.at[1] / self.shape.height) for die in dice]

    def column_of(self, thing: CheckerThing) -> int | None:
        """The column that a checker lies on."""
        x, y, _ = thing.at
        row = 0 if y < self.shape.height / 2 else 12
        column = min(range(row, row + 12), key=lambda c: abs(self.shape.column_x(c) - x))
        return column if abs(self.shape.column_x(column) - x) < self.shape.pitch / 2 else None

    def counts(self, scene: Scene) -> list[int]:
        """(24,) checkers of either side."""
        on = [self.column_of(thing) for thing in scene.things if isinstance(thing, CheckerThing)]
        return [on.count(column) for column in range(24)]


@pytest.mark.parametrize("seed", [1, 2, 4])
def test_columns_whose_checkers_changed_stand_out_and_hardly_any_other(seed: int) -> None:
    board = Table(seed)
    changed, same = [], []
    for before, now in pairwise(board.rests(25)):
        shares = shares_changed(board.snapshot(before), board.snapshot(now))
        for share, old, new in zip(shares, board.counts(before), board.counts(now), strict=True):
            (same if old == new else changed).append(share)
    assert len(changed) > 10
    assert np.nanmin(changed) > LOOKS_CHANGED
    assert np.nanmean(np.array(same) > LOOKS_CHANGED) < 0.02


@pytest.mark.parametrize(("bands", "upright"), [(1.7, False), (8.6, False), (3.1, True)])
def test_so_they_do_under_a_lamp_that_flickers(bands: float, *, upright: bool) -> None:
    board = Table(4)
    changed, same = [], []
    for number, (before, now) in enumerate(pairwise(board.rests(20))):
        looks = []
        for share, scene in enumerate((before, now)):
            lit = flickering(board.picture(scene), 0.7 * number + 0.004 * share, bands, 0.4, upright=upright)
            looks.append(Snapshot.of(lit, board.geometry, board.dice(scene)))
        for share, old, new in zip(shares_changed(*looks), board.counts(before), board.counts(now), strict=True):
            (same if old == new else changed).append(share)
    assert np.nanmean(np.array(changed) > LOOKS_CHANGED) > 0.9
    assert np.nanmean(np.array(same) > LOOKS_CHANGED) < 0.05


def test_another_light_changes_nothing() -> None:
    board = Table(3)
    scene = next(board.rests(1))
    bright = board.snapshot(scene)
    assert np.nanmax(shares_changed(bright, board.snapshot(scene, light=0.6))) < LOOKS_CHANGED
    shade = np.linspace(1.0, 0.7, SIZE[0], dtype=np.float32)[None, :, None]
    shaded = (board.picture(scene) * shade).astype(np.uint8)
    shares = shares_changed(bright, Snapshot.of(shaded, board.geometry, board.dice(scene)))
    assert np.nanmax(shares) < LOOKS_CHANGED


@pytest.mark.parametrize(("light", "says"), [(1.0, True), (0.5, True), (0.2, False)])
def test_in_too_little_light_nothing_is_said(light: float, says: bool) -> None:
    """A dark checker that came to a dark point would look as if nothing had changed."""
    table = Table(2)
    before, now = list(table.rests(2))
    shares = shares_changed(table.snapshot(before, light), table.snapshot(now, light))
    assert bool(np.isfinite(shares).any()) is says
    assert bool(np.isnan(shares).all()) is not says


def test_dice_on_a_column_are_left_out_where_they_are_known() -> None:
    board = Table(5)
    empty = next(board.rests(1))
    column = board.counts(empty).index(0)
    at = (board.shape.column_x(column), board.shape.height * (0.25 if column < 12 else 0.75), board.shape.die / 2)
    thrown = replace(empty, things=(*empty.things, DieThing(Side.LIGHT, 5, at)))
    before = board.snapshot(empty)
    assert shares_changed(before, board.snapshot(thrown, told_of_dice=False))[column] > LOOKS_CHANGED
    assert shares_changed(before, board.snapshot(thrown))[column] < LOOKS_CHANGED


def test_a_column_that_is_mostly_covered_by_dice_is_not_judged() -> None:
    board = Table(5)
    scene = next(board.rests(1))
    x, y = board.geometry.column_centre(3)
    pile = [(x, y + down) for down in (-0.18, -0.1, 0.0, 0.1, 0.18)]
    covered = Snapshot.of(board.picture(scene), board.geometry, pile)
    shares = shares_changed(board.snapshot(scene), covered)
    assert np.isnan(shares[3])
    assert not np.isnan(shares[[0, 12, 15]]).any()


def test_places_far_off_the_board_do_no_harm() -> None:
    board = Table(5)
    scene = next(board.rests(1))
    snapshot = Snapshot.of(board.picture(scene), board.geometry, [(1e9, -1e9), (0.5, 1.02)])
    assert snapshot.loose.shape == snapshot.image.shape[:2]
    assert cv2.countNonZero(snapshot.loose.astype(np.uint8)) > 0
