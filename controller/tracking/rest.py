"""A rest of the board: the time between two movements. Its frames share their mistakes and are averaged into one Evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import dist

import numpy as np
import numpy.typing as npt

from controller.rules import BAR_INDEX, Position
from controller.tracking import cube, parameters
from controller.tracking.dice import USUAL_THROWING, Floats, Throwing, flat_and_leaning
from controller.tracking.evidence import Evidence
from controller.tracking.orientation import POINTS, columns_of
from terms.board import Corner
from vision.board.changes import Snapshot
from vision.observation import MAX_COUNT, CubeSeen, DieSeen, Observation


@dataclass(frozen=True)
class Rest:
    """The frames of one rest so far; add() gives the rest with one more."""

    first: float
    last: float
    frames: int
    columns: Floats
    bar: Floats
    seen: Floats
    dice: tuple[DieSeen, ...]
    cubes: tuple[CubeSeen, ...]
    snapshot: Snapshot | None = None
    beside: tuple[DieSeen, ...] = ()
    """Dice beside the board in the last frame."""

    @classmethod
    def begin(cls, observation: Observation) -> Rest:
        """A rest of one frame."""
        empty = cls(
            observation.seconds,
            observation.seconds,
            0,
            np.zeros((24, 2 * MAX_COUNT + 1)),
            np.zeros((2, MAX_COUNT + 1)),
            np.zeros(25),
            (),
            (),
        )
        return empty.add(observation)

    def add(self, observation: Observation) -> Rest:
        """The rest with one more frame of it."""
        return Rest(
            self.first,
            observation.seconds,
            self.frames + 1,
            self.columns + observation.columns * observation.seen[:POINTS, None],
            self.bar + observation.bar * observation.seen[BAR_INDEX],
            self.seen + observation.seen,
            _merge_dice(self.dice, observation.dice),
            (*self.cubes, observation.cube)[-parameters.BEAM :] if observation.cube else self.cubes,
            observation.snapshot,
            _beside(observation),
        )

    def ended_beside(self, observation: Observation) -> bool:
        """Dice have come to lie beside the board since the last frame, or were taken up there: nothing need have moved over it."""
        old, new = self.beside, _beside(observation)
        return _has_more(old, new) or _has_more(new, old)

    def evidence(
        self,
        light_home: Corner,
        before: Evidence | None = None,
        boards: Sequence[Position] = (),
        throwing: Throwing = USUAL_THROWING,
        so_far: Evidence | None = None,
    ) -> Evidence:
        """All frames of the rest as one Evidence; light_home tells whose dice lie in which half.

        before: the last rest; boards: what may have stood there then, () where nobody knows; throwing: the rules of dice;
        so_far: this rest without its newest frame.
        """
        seen = self.seen / self.frames
        columns = self.columns / self.frames + (1 - seen[:POINTS, None]) / (2 * MAX_COUNT + 1)
        bar = self.bar / self.frames + (1 - seen[BAR_INDEX]) / (MAX_COUNT + 1)
        dice = [_averaged(die, self.frames) for die in self.dice]
        if boards:
            dice = [_without_phantom(die, columns, columns_of(boards, light_home)) for die in dice]
        known, known_seen = before.clearest() if before else (None, None)
        flat, leaning = flat_and_leaning(dice, on_checkers_count=throwing.on_checkers_count)
        return Evidence(
            columns,
            bar,
            seen,
            flat,
            leaning,
            cube.median(self.cubes),
            light_home,
            1.0 + self.last - self.first,
            before.as_before() if before else None,
            known,
            known_seen,
            before.most_said() if before else None,
            self.snapshot,
            so_far.now_pictured if so_far else None,
            len(self.cubes) * 2 > min(self.frames, parameters.BEAM),
            self.first,
            self.last,
            throwing,
        )


def _beside(observation: Observation) -> tuple[DieSeen, ...]:
    return tuple(die for die in observation.dice if die.rest == "off the board")


def _has_more(some: tuple[DieSeen, ...], others: tuple[DieSeen, ...]) -> bool:
    """Whether any that is surely a die lies where there is none of the others."""
    return any(
        die.confidence >= parameters.SURELY and all(dist(die.at, o.at) >= parameters.SAME_PLACE for o in others)
        for die in some
    )


def _merge_dice(known: tuple[DieSeen, ...], seen: tuple[DieSeen, ...]) -> tuple[DieSeen, ...]:
    """Adds each die seen to the known one at the same place; sums confidence, and by it faces, flatness and colour."""
    merged = list(known)
    for die in seen:
        sure = die.confidence
        fresh = replace(die, faces=die.faces * sure, flat=die.flat * sure, pale=die.pale * sure)
        near = [k for k, other in enumerate(merged) if dist(other.at, die.at) < parameters.SAME_PLACE]
        if near:
            other = merged[near[0]]
            fresh = replace(
                fresh,
                at=other.at,
                faces=other.faces + fresh.faces,
                confidence=other.confidence + fresh.confidence,
                flat=other.flat + fresh.flat,
                pale=other.pale + fresh.pale,
            )
            merged[near[0]] = fresh
        else:
            merged.append(fresh)
    return tuple(merged)


def _averaged(total: DieSeen, frames: int) -> DieSeen:
    """One die out of the sums over a rest of so many frames."""
    weight = max(total.confidence, 1e-6)
    return replace(
        total,
        faces=total.faces / weight,
        confidence=total.confidence / frames,
        flat=total.flat / weight,
        pale=total.pale / weight,
    )


def _without_phantom(die: DieSeen, columns: Floats, counts: npt.NDArray[np.int64]) -> DieSeen:
    """The die, flat on the board where the checker that it is said to lie on is the die itself, taken for one.

    counts: (N, 24) signed, of the boards that may have stood there before the dice came.
    """
    if die.column is None:
        return die
    read = abs(int(columns[die.column].argmax()) - MAX_COUNT)
    return die if np.abs(counts[:, die.column]).max() >= read else replace(die, flat=1.0, rest="board", column=None)
