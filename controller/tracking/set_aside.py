"""Checkers that are borne off and lie on the board all the same, where there is no tray: on the bar, or on empty outer points."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from controller.rules import HOME
from controller.tracking import parameters
from controller.tracking.dice import Floats
from controller.tracking.orientation import POINTS, PackedCounts
from vision.observation import MAX_COUNT

Counts = npt.NDArray[np.int64]

MOST = 5
"""Checkers that are put on one point."""

Likelihood = Callable[[Floats], Floats]
"""(...,) nats gained in each place, from (..., k) nats by which one to k checkers there explain what is read better than none."""


def rarely(nats: Floats) -> Floats:
    """Few players put any there; how many is as likely as any other number."""
    return np.asarray(np.log1p(parameters.RARE * (np.exp(nats).mean(axis=-1) - 1)))


def as_is_read(nats: Floats) -> Floats:
    """Whatever is read there says nothing of the game."""
    return np.asarray(np.maximum(nats.max(axis=-1), 0.0))


def borne_off(boards: PackedCounts, checkers: int) -> Counts:
    """(N, 2) how many of its checkers each side has borne off, 0 where it has any outside its home board."""
    outside = boards[:, :, HOME:POINTS].any(axis=2)
    return np.where(outside, 0, checkers - boards.sum(axis=2, dtype=np.int64))


def gained(
    empty: npt.NDArray[np.bool_],
    off: Counts,
    bar: Counts,
    logs: tuple[Floats, Floats],
    likelihood: Likelihood,
) -> Floats:
    """(N,) nats that are gained of what is read of the outer boards and the bar, as it may have been borne off.

    empty: (N, 24) by light's point, where none stands and none stood; off: as borne_off() has it; bar: (N, 2) what each side has
    there; logs: (24, 31) by light's point and (2, 16), log-likelihoods by what is there.
    """
    outer = slice(HOME, POINTS - HOME)
    result = np.zeros(len(empty))
    for side, sign in enumerate((1, -1)):
        for gone in set(off[:, side].tolist()) - {0}:
            these, there = off[:, side] == gone, MAX_COUNT + sign * np.arange(1, min(gone, MOST) + 1)
            on_points = likelihood(logs[0][outer][:, there] - logs[0][outer, MAX_COUNT, None])
            own = bar[these, side, None]
            more = np.minimum(own + np.arange(1, gone + 1), MAX_COUNT)
            on_bar = likelihood(logs[1][side, more] - logs[1][side, own])
            result[these] += empty[these][:, outer] @ on_points + on_bar
    return result
