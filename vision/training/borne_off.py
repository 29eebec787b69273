"""Where players put borne-off checkers: on edge, flat or in piles, in trays or beside the board. Lengths in board widths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.reading.trays import QUARTERS
from vision.training.scene import ASIDE, Checker, DrawnScene
from vision.training.texture import Rng

FILLED, BOTH_SIDES, A_FEW = 0.55, 0.07, 0.4
"""How often anything has been borne off to a quarter, by both sides, and no more than five."""
KEPT_ELSEWHERE = 0.1
"""How often borne-off checkers are out of sight, where those missing on the board are looked for."""
BESIDE_TRAY = 0.08
"""How often borne-off checkers lie on the table though the board has a tray there."""
ON_EDGE = {True: 0.5, False: 0.12}
"""How often they stand on edge, in a tray and beside the board."""
TABLE = -0.03
"""Height of the table below the playing surface, board widths."""


@dataclass(frozen=True)
class OnEdge:
    """A checker that stands on its side: its middle, board lengths; turn of its axis from the x axis, radians."""

    x: float
    y: float
    z: float
    turn: float
    side: int


@dataclass(frozen=True)
class BorneOff:
    """What lies beside the four quarters: counts (4, 2), flat checkers, and those on edge."""

    counts: npt.NDArray[np.int64]
    flat: tuple[Checker, ...]
    on_edge: tuple[OnEdge, ...]

    @property
    def places(self) -> list[tuple[float, float, float, int]]:
        """x, y, z of each one's middle, and side; flat ones first."""
        flat = [(one.x, one.y, one.z, one.side) for one in self.flat]
        return flat + [(one.x, one.y, one.z, one.side) for one in self.on_edge]


def borne_off(rng: Rng, scene: DrawnScene, missing: Sequence[int] | None = None) -> BorneOff:
    """Checkers beside the board of this scene. missing: so many of each side, mostly; any number where it is not given."""
    counts = np.zeros((QUARTERS, 2), np.int64)
    flat, on_edge = list[Checker](), list[OnEdge]()
    for quarter, wanted in enumerate(_any_number(rng) if missing is None else _one_quarter(rng, missing)):
        start = 0.0
        for side, number in wanted:
            heap = _Heap(rng, scene, quarter, side, start)
            laid, stood = heap.laid(number)
            flat, on_edge = flat + laid, on_edge + stood
            counts[quarter, side] += len(laid) + len(stood)
            start = heap.along
    return BorneOff(counts, tuple(flat), tuple(on_edge))


def _any_number(rng: Rng) -> list[list[tuple[int, int]]]:
    """(side, checkers) to lay beside each quarter."""
    beside = list[list[tuple[int, int]]]()
    for _ in range(QUARTERS):
        filled = rng.random() < FILLED
        sides = [0, 1] if rng.random() < BOTH_SIDES else [int(rng.integers(2))]
        few = len(sides) > 1
        beside.append(
            [(side, int(rng.integers(1, 6 if rng.random() < A_FEW or few else 16))) for side in sides] if filled else []
        )
    return beside


def _one_quarter(rng: Rng, missing: Sequence[int]) -> list[list[tuple[int, int]]]:
    """The same with each side's missing checkers beside one quarter, unless they are kept elsewhere."""
    beside: list[list[tuple[int, int]]] = [[] for _ in range(QUARTERS)]
    for side, quarter in enumerate(rng.permutation(QUARTERS)[:2].tolist()):
        if missing[side] > 0 and rng.random() >= KEPT_ELSEWHERE:
            beside[quarter].append((side, missing[side]))
    return beside


class _Heap:
    """One side's borne-off checkers beside one quarter, from the far rail towards the middle."""

    def __init__(self, rng: Rng, scene: DrawnScene, quarter: int, side: int, start: float) -> None:
        shape = scene.shape
        self.rng, self.scene, self.side = rng, scene, side
        self.right, self.low = quarter % 2 == 1, quarter >= 2
        tray = shape.trays[int(self.right)]
        self.in_tray = tray > 0 and rng.random() >= BESIDE_TRAY
        beyond = shape.rim + (tray + shape.rim if tray else 0.0)
        radius = scene.diameter / 2
        self.floor = 0.0 if self.in_tray else TABLE
        if self.in_tray:
            self.reach, self.room = shape.rim + tray / 2, max(tray / 2 - radius, 0.0)
        else:
            self.room = float(rng.choice([0.0, 0.2 * radius, radius]))
            self.reach = beyond + radius * rng.uniform(1.05, 1.6) + self.room
        self.along = start or (rng.uniform(0, 0.4) if rng.random() < 0.75 else rng.uniform(0, 3)) * scene.diameter
        self.end = shape.height / 2

    def laid(self, wanted: int) -> tuple[list[Checker], list[OnEdge]]:
        """Up to so many checkers, as many as there is room for."""
        rng = self.rng
        if rng.random() < ON_EDGE[self.in_tray]:
            return [], self._standing(wanted)
        kind = rng.random()
        if kind < 0.3:
            return self._piles(wanted), []
        if kind < 0.75:
            return self._row(wanted), []
        return self._strewn(wanted), []

    def _at(self, across: float, along: float) -> tuple[float, float]:
        """Board lengths of a place so far from the heap's middle line and from the far rail."""
        x, y = self.reach + across, along
        return (1 + x if self.right else -x), (self.scene.shape.height - y if self.low else y)

    def _standing(self, wanted: int) -> list[OnEdge]:
        rng, thick, radius = self.rng, self.scene.thickness, self.scene.diameter / 2
        rows = 2 if self.room > 1.05 * radius and rng.random() < 0.4 else 1
        close, untidy = rng.uniform(1.0, 1.06), rng.uniform(0, 0.12)
        stood = list[OnEdge]()
        across = rng.normal(0, self.room / 3 + 0.02 * radius) if rows == 1 else -self.room
        starts = [self.along] * rows
        for index in range(wanted):
            row = index % rows if rng.random() < 0.9 else int(rng.integers(rows))
            along = starts[row] + thick / 2
            if along > self.end:
                break
            x, y = self._at(across + row * 2 * self.room + rng.normal(0, untidy) * radius, along)
            stood.append(OnEdge(x, y, self.floor + radius, np.pi / 2 + rng.normal(0, untidy / 2), self.side))
            starts[row] += thick * close * (1 if rng.random() < 0.93 else rng.uniform(1, 2.5))
        self.along = max(starts) + radius
        return stood

    def _flat(self, across: float, along: float, z: float) -> Checker:
        x, y = self._at(across, along)
        return Checker(x, y, self.floor + z, self.side, ASIDE)

    def _piles(self, wanted: int) -> list[Checker]:
        rng, diameter, thick = self.rng, self.scene.diameter, self.scene.thickness
        tall, untidy = int(rng.integers(2, 8)), rng.uniform(0.01, 0.08)
        laid = list[Checker]()
        along, across = self.along + diameter / 2, rng.normal(0, self.room / 2 + 0.03 * diameter)
        level = 0
        for _ in range(wanted):
            if level >= tall:
                level, along = 0, along + diameter * rng.uniform(1.0, 1.15)
                across = rng.normal(0, self.room / 2 + 0.03 * diameter)
            if along > self.end:
                break
            off = rng.normal(0, untidy, 2) * diameter
            laid.append(self._flat(across + off[0], along + off[1], level * thick))
            level += 1
        self.along = along + diameter
        return laid

    def _row(self, wanted: int) -> list[Checker]:
        """Side by side, or each half upon the last."""
        rng, diameter, thick = self.rng, self.scene.diameter, self.scene.thickness
        step = diameter * (rng.uniform(1.0, 1.12) if rng.random() < 0.55 else rng.uniform(0.25, 0.7))
        overlapping, across = step < diameter, rng.normal(0, self.room / 2 + 0.03 * diameter)
        laid = list[Checker]()
        along = self.along + diameter / 2
        for index in range(wanted):
            if along > self.end:
                across = rng.normal(0, self.room / 2 + 0.03 * diameter)
                along = self.along + diameter / 2
            level = sum(
                bool(np.hypot(*(np.array(self._at(across, along)) - (one.x, one.y))) < 0.9 * diameter) for one in laid
            )
            z = (0.5 * min(index, 1) if overlapping else level) * thick
            laid.append(self._flat(across + rng.normal(0, 0.05) * diameter, along, z))
            along += step * rng.uniform(0.95, 1.1)
        self.along = along + diameter / 2
        return laid

    def _strewn(self, wanted: int) -> list[Checker]:
        rng, diameter, thick = self.rng, self.scene.diameter, self.scene.thickness
        wide = self.room + (0.0 if self.in_tray else rng.uniform(0, 1.2) * diameter)
        laid = list[Checker]()
        for _ in range(wanted):
            places = [(rng.uniform(-min(wide, self.room), wide), rng.uniform(diameter / 2, self.end)) for _ in range(8)]
            apart = [
                min((np.hypot(*(np.array(self._at(*place)) - (one.x, one.y))) for one in laid), default=9.0)
                for place in places
            ]
            best = int(np.argmax(np.minimum(apart, diameter * 1.02)))
            level = sum(
                bool(np.hypot(*(np.array(self._at(*places[best])) - (one.x, one.y))) < 0.8 * diameter) for one in laid
            )
            laid.append(self._flat(*places[best], level * thick))
        self.along = self.end
        return laid
