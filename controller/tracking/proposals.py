"""Which rolls, plays and other boards are worth a hypothesis at one rest: what is seen proposes, and says nothing of chances."""

from __future__ import annotations

from functools import cached_property
from math import exp, log, log1p

import numpy as np

from controller.rules import ALL_ROLLS, Play, Position, Side
from controller.tracking import cube, parameters
from controller.tracking.best_fit import BestFits
from controller.tracking.dice import MOST_MOVES, Roll
from controller.tracking.evidence import Evidence
from controller.tracking.found import boards, fit_of
from controller.tracking.hypothesis import Throw
from controller.tracking.orientation import packed
from controller.tracking.setting import Setting


class Proposals:
    """One look at the board: the evidence in its setting, with what was worked out about it so far.

    past: what has stood there in this game, and is not to be found again but in a replay.
    """

    def __init__(self, evidence: Evidence, setting: Setting, past: frozenset[Position] = frozenset()) -> None:
        self.evidence = evidence
        self.setting = setting
        self.past = past
        self.early_roll_possible = len(evidence.dice) >= 4
        self._fits: dict[tuple[Position, Position], BestFits] = {}
        self._others: dict[tuple[Position, Side, Roll, Position], set[Position]] = {}
        self._plays: dict[tuple[Position, Side, tuple[Roll, ...], Position], list[tuple[Roll, Play, float]]] = {}
        self._differs: dict[tuple[Position, ...], bool] = {}
        self._readable = {side: self._explaining(side) for side in Side}

    def _explaining(self, side: Side) -> tuple[Roll, ...]:
        """The rolls of that side that explain the dice better than that nothing was thrown, best first."""
        dice = self.evidence.of_dice
        scores = {roll: dice.of_roll(roll, side) for roll in ALL_ROLLS}
        better = [roll for roll in ALL_ROLLS if scores[roll] > dice.of_none()]
        return tuple(sorted(better, key=lambda roll: -scores[roll])[: parameters.WIDTH])

    @cached_property
    def overlooked(self) -> float:
        """Log-probability that the next step was taken before anybody looked, too, and no more than that: the longer nothing was
        read, the likelier, until more is likelier still."""
        rising = parameters.UNUSUAL * exp(self.evidence.missed)
        return log(max(parameters.UNUSUAL, min(rising, parameters.HALF**2 / rising)))

    @cached_property
    def not_overlooked(self) -> float:
        """Log-probability that it was not."""
        return log1p(-exp(self.overlooked))

    @cached_property
    def long_unread(self) -> bool:
        """Whether nothing was read for so long that a turn may have ended and the next player have thrown and played."""
        return self.evidence.missed > 1

    @cached_property
    def cube_is_set(self) -> bool:
        """Whether the cube is seen as it lies at a game's beginning: in the middle, its 64 up."""
        seen = self.evidence.cube
        return seen is not None and cube.is_centred(seen) and cube.shows(seen, 1)

    def cube_is_with(self, owner: Side, value: int) -> bool:
        """Whether the cube is seen with that side, and shows that."""
        seen, light_home = self.evidence.cube, self.evidence.light_home
        return seen is not None and cube.lies_with(seen, owner, light_home) and cube.shows(seen, value)

    @cached_property
    def free_fit(self) -> Position:
        """What seems to stand there, whatever is known of the game."""
        return fit_of(self.evidence, self.setting.start.checkers)

    @cached_property
    def found(self) -> list[tuple[Position, float, bool]]:
        """The boards that a game whose past nobody saw may show there, with their log-priors, and which are surely read."""
        return boards(self.evidence, self.setting)

    def rolls(self, side: Side) -> tuple[Roll, ...]:
        """The few rolls of that side that the dice seen may be."""
        return self._readable[side]

    def shows(self, throw: Throw) -> bool:
        """Whether the dice seen may be that throw."""
        return throw.roll in self._readable[throw.side]

    def fit(self, before: Position, stood: Position, lost: int = MOST_MOVES) -> Position:
        """What stands on the board if the rules are left aside: `before`, but for what has clearly changed.

        stood: what stood at the rest before; lost: most checkers of a side that have left the board. None come back.
        """
        key = (before, stood)
        if key not in self._fits:
            off = before.off(Side.LIGHT), before.off(Side.DARK)
            self._fits[key] = BestFits(self.evidence, off, before.checkers, before, stood)
        return self._fits[key].losing(lost)

    def differs(self, before: Position, *others: Position) -> bool:
        """Whether anything at all explains the board notably better than that nothing has moved. others: boards to which checkers
        that were borne off have come back, as where a turn is put back."""
        key = (before, *others)
        if key not in self._differs:
            was, *fits = self.evidence.of_positions([before, self.fit(before, before), *others], before)
            self._differs[key] = bool(max(fits) - was > parameters.KEEPS)
        return self._differs[key]

    def plays(
        self, position: Position, side: Side, rolls: tuple[Roll, ...], stood: Position
    ) -> list[tuple[Roll, Play, float]]:
        """The plays of any of these rolls that fit what is seen, best first, with the log-prior among the roll's plays."""
        key = (position, side, rolls, stood)
        if key not in self._plays:
            self._plays[key] = self._fitting(*key)
        return self._plays[key]

    def _fitting(
        self, position: Position, side: Side, rolls: tuple[Roll, ...], stood: Position
    ) -> list[tuple[Roll, Play, float]]:
        options = [self.setting.options(position, side, roll) for roll in rolls]
        every = [(roll, *one) for roll, allowed in zip(rolls, options, strict=True) for one in allowed.plays]
        if not every:
            return []
        boards = np.concatenate([allowed.packed for allowed in options])
        scores = self.evidence.of_packed(boards, position.checkers, stood)
        best = np.argsort(-scores, kind="stable")[: parameters.WIDTH * min(len(rolls), 3)]
        return [every[i] for i in best if scores[i] >= scores[best[0]] - parameters.DEPTH]

    def others(self, before: Position, throw: Throw, stood: Position) -> set[Position]:
        """Boards that no play of the throw leads to and that explain what is seen."""
        key = (before, throw.side, throw.roll, stood)
        if key not in self._others:
            legal = self.setting.options(before, throw.side, throw.roll).legal
            fits = {self.fit(before, stood), self.fit(before, stood, lost=0)}
            self._others[key] = (fits | set(self._slips(before, throw, stood))) - legal
        return self._others[key]

    def _slips(self, before: Position, throw: Throw, stood: Position) -> list[Position]:
        """The usual illegal boards of the roll that explain what is seen better than any legal one does."""
        legal, checkers = self.setting.options(before, throw.side, throw.roll).packed, before.checkers
        known = float(self.evidence.of_packed(np.concatenate([legal, packed([before])]), checkers, stood).max())
        if known + parameters.KEEPS >= self.evidence.most_of_any(stood):
            return []
        slips = self.setting.slips(before, throw.side, throw.roll)
        scores = self.evidence.of_packed(slips.packed, checkers, stood)
        best = np.argsort(-scores, kind="stable")[: parameters.WIDTH]
        return [slips.boards[i] for i in best if scores[i] > known + parameters.KEEPS]
