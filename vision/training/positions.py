"""Positions for drawn boards: starts, games played by chance, bear-offs, and checkers strewn with nothing of a game's habits."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from vision.training.texture import Rng

Counts = npt.NDArray[np.int64]
"""(24, 2) checkers a point, 0 to 23 as side 0 moves; or a column, as the board is drawn."""

START = ((0, 2, 0), (11, 5, 0), (16, 3, 0), (18, 5, 0), (5, 5, 1), (7, 3, 1), (12, 5, 1), (23, 2, 1))
"""(point, checkers, side) of the start position."""
OTHER_SETS = 0.12
"""Share of boards with fewer checkers a side than 15: home-made ones, other games."""
MOST_HEAPED = 15
HIT_TOO = 0.4
"""How often a side of a position for the network that counts the bar has checkers put there, where it has none by itself."""
AT_START, PLAYED, BORNE_OFF = 0.04, 0.36, 0.14
"""Shares of boards in the start position, in the midst of a game and near its end; the others are strewn."""
AS_USUAL = 0.3
"""Share of the positions for the network that counts piles that are as all others."""
LENGTHS = ((12, 0.4), (50, 0.35), (130, 0.25))
"""Turns of a game at most, and how often."""
HIT_BESIDES = 0.4
"""How often a side of a played position has checkers put on the bar, as a share of how often a strewn one's has."""
ON_BAR_SHARES = (0.5, 0.25, 0.13, 0.07, 0.05)
"""Of one to five checkers on the bar."""


@dataclass
class _Game:
    """A game played by chance. Side 0 moves upwards."""

    points: list[list[int]]
    bar: list[int] = field(default_factory=lambda: [0, 0])

    def turn(self, side: int, rng: Rng) -> None:
        """One roll played as far as it goes."""
        one, other = (int(value) for value in rng.integers(1, 7, 2))
        for die in (one,) * 4 if one == other else (one, other):
            if moves := self._moves(side, die):
                shares = np.cumsum([weight for _, _, weight in moves])
                source, target, _ = moves[int(np.searchsorted(shares, rng.random() * shares[-1], side="right"))]
                self._move(side, source, target)

    def _moves(self, side: int, die: int) -> list[tuple[int | None, int | None, float]]:
        """(from, to, how likely); None: the bar, and off."""
        step = die if side == 0 else -die
        sources: list[int | None] = (
            [None] if self.bar[side] else [point for point in range(24) if self.points[point][side]]
        )
        home = range(18, 24) if side == 0 else range(6)
        farthest = next((i for i in (range(24) if side == 0 else range(23, -1, -1)) if self.points[i][side]), None)
        found: list[tuple[int | None, int | None, float]] = []
        for source in sources:
            begin = source if source is not None else -1 if side == 0 else 24
            target = begin + step
            if 0 <= target < 24:
                theirs, ours = self.points[target][1 - side], self.points[target][side]
                if theirs < 2:
                    found.append((source, target, 1.0 + 1.5 * (ours in (1, 2)) + 1.0 * theirs + 0.5 * (ours > 2)))
            elif farthest in home and (target in (-1, 24) or source == farthest):
                found.append((source, None, 3.0))
        return found

    def _move(self, side: int, source: int | None, target: int | None) -> None:
        if source is None:
            self.bar[side] -= 1
        else:
            self.points[source][side] -= 1
        if target is not None:
            self.points[target][side] += 1
            self.bar[1 - side] += self.points[target][1 - side]
            self.points[target][1 - side] = 0


def piled_position(rng: Rng, on_bar: float) -> tuple[Counts, list[int]]:
    """As `any_position`; seven in ten have each side on one to six points, many of them in more than one layer."""
    if rng.random() < AS_USUAL:
        return any_position(rng, on_bar)
    counts = np.zeros((24, 2), np.int64)
    for side in (0, 1):
        left = 15 if rng.random() < 0.7 else int(rng.integers(5, 16))
        free = np.flatnonzero(counts[:, 1 - side] == 0)
        points = int(rng.integers(1, 7))
        chosen = rng.choice(free, points, replace=False)
        weights = rng.dirichlet(np.ones(points) * rng.uniform(1.0, 5))
        for point in rng.choice(chosen, left, p=weights):
            counts[point, side] += 1
    return np.concatenate([counts[12:], counts[11::-1]]), [0, 0]


def barred_position(rng: Rng, on_bar: float) -> tuple[Counts, list[int]]:
    """As `any_position`, with more checkers on the bar: on three boards of four there are some."""
    counts, bar = any_position(rng, on_bar)
    for side in (0, 1):
        if not bar[side] and rng.random() < HIT_TOO:
            _put_on_bar(rng, counts, bar, side)
    return counts, bar


def any_position(rng: Rng, on_bar: float) -> tuple[Counts, list[int]]:
    """(24, 2) counts in column order and the bar's two counts. on_bar: how often a side has checkers on the bar."""
    kind = rng.random()
    if kind < AT_START:
        counts, bar = _set_up(rng), [0, 0]
    elif kind < AT_START + PLAYED:
        counts, bar = _played(rng)
    elif kind < AT_START + PLAYED + BORNE_OFF:
        counts, bar = _bearing_off(rng)
    else:
        counts, bar = _scattered(rng, on_bar)
    if AT_START <= kind < AT_START + PLAYED + BORNE_OFF:
        for side in (0, 1):
            if not bar[side] and rng.random() < on_bar * HIT_BESIDES:
                _put_on_bar(rng, counts, bar, side)
    return np.concatenate([counts[12:], counts[11::-1]]), bar


def _set_up(rng: Rng) -> Counts:
    counts = np.zeros((24, 2), np.int64)
    fewer = int(rng.integers(1, 3)) if rng.random() < OTHER_SETS else 0
    for point, number, side in START:
        counts[point, side] = max(number - fewer, 1)
    return counts


def _played(rng: Rng) -> tuple[Counts, list[int]]:
    """Some turns after the start position."""
    game = _Game([[int(a), int(b)] for a, b in _set_up(rng)])
    most = LENGTHS[int(rng.choice(len(LENGTHS), p=[share for _, share in LENGTHS]))][0]
    side = int(rng.integers(2))
    for _ in range(int(rng.integers(1, most + 1))):
        before = [row[:] for row in game.points]
        game.turn(side, rng)
        if not sum(row[side] for row in game.points) + game.bar[side]:
            return np.array(before, np.int64), [0, 0]
        side = 1 - side
    return np.array(game.points, np.int64), game.bar


def _bearing_off(rng: Rng) -> tuple[Counts, list[int]]:
    """One side or both with what is left of it at home, in tall piles as in flat ones."""
    counts = np.zeros((24, 2), np.int64)
    racing = rng.random() < 0.6
    chosen = int(rng.integers(2))
    for side in (chosen, 1 - chosen):
        left = int(rng.integers(1, 16)) if rng.random() < 0.8 else 15
        if side == chosen or racing:
            points = (np.arange(23, 17, -1) if side == 0 else np.arange(6))[: int(rng.integers(2, 7))]
        else:
            points = rng.permutation(np.flatnonzero(counts[:, 1 - side] == 0))[: int(rng.integers(2, 8))]
        weights = rng.dirichlet(np.full(len(points), rng.uniform(0.5, 4)))
        counts[:, side] += np.bincount(rng.choice(points, left, p=weights), minlength=24)
    return counts, [0, 0]


def _put_on_bar(rng: Rng, counts: Counts, bar: list[int], side: int) -> None:
    """Takes some checkers of a side from its points."""
    for _ in range(_how_many(rng)):
        free = np.flatnonzero(counts[:, side])
        if not len(free):
            return
        counts[int(rng.choice(free)), side] -= 1
        bar[side] += 1


def _how_many(rng: Rng) -> int:
    return int(rng.choice(len(ON_BAR_SHARES), p=ON_BAR_SHARES)) + 1


def _scattered(rng: Rng, on_bar: float) -> tuple[Counts, list[int]]:
    """Counts with nothing of a game's habits, and bar counts; totals up to 15 a side."""
    counts, bar = np.zeros((24, 2), np.int64), [0, 0]
    full = int(rng.integers(8, 15)) if rng.random() < OTHER_SETS else 15
    for side in (0, 1):
        left = full if rng.random() < 0.6 else int(rng.integers(1, full + 1))
        if rng.random() < on_bar:
            bar[side] = min(left, _how_many(rng))
            left -= bar[side]
        free = np.flatnonzero(counts[:, 1 - side] == 0)
        points = int(rng.integers(2, 12))
        if rng.random() < 0.35:
            free = free[np.argsort(np.abs(free - rng.integers(0, 24)) + rng.uniform(0, 3, len(free)))[: max(points, 3)]]
        chosen = rng.choice(free, min(points, len(free)), replace=False)
        weights = rng.dirichlet(np.ones(len(chosen)) * rng.uniform(0.6, 4))
        for point in rng.choice(chosen, left, p=weights):
            counts[point, side] += 1
        if rng.random() < 0.5 and counts[:, side].any():
            _heaped(rng, counts, side)
    return counts, bar


def _heaped(rng: Rng, counts: Counts, side: int) -> None:
    """Moves checkers of one side onto one of its points until it holds more than one layer."""
    target = int(rng.choice(np.flatnonzero(counts[:, side])))
    wanted = int(rng.integers(6, 8)) if rng.random() < 0.65 else int(rng.integers(8, MOST_HEAPED + 1))
    for source in rng.permutation(24):
        moved = min(int(counts[source, side]), wanted - int(counts[target, side])) if source != target else 0
        if moved > 0:
            counts[source, side] -= moved
            counts[target, side] += moved
