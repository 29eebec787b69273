"""How likely the dice are that were found, by what was thrown: a sum over all ways in which found things may be the dice.

Every found thing is either one of the dice that the hypothesis has on the board, or none of them. docs/tracking.md has the
formulas; all branches are on one scale: a thing that is no die of the hypothesis may show any of six faces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from math import dist, exp, inf, log, log1p, prod
from typing import Literal

import numpy as np
import numpy.typing as npt

from controller.rules import RuleSet, Side
from controller.tracking import parameters
from controller.tracking.orientation import right_half_is_right
from terms.board import Corner
from vision.observation import DieSeen

Roll = tuple[int, int]
Floats = npt.NDArray[np.float64]
Pair = tuple[int, int]
Half = Literal["right", "left", "both"]
"""Of the board, as the one who throws sees it."""

FACES = 6
MOST_MOVES = 4
"""Checkers that a side moves, or bears off, in one turn: with a doublet."""


def moves_of(roll: Roll) -> int:
    """How many checkers that roll moves at most."""
    return MOST_MOVES if roll[0] == roll[1] else 2


def log_prior_of_roll(roll: Roll, *, opening: bool = False) -> float:
    """Log-probability of a roll of two fair dice; equal ones do not open a game."""
    return log((1 if roll[0] == roll[1] else 2) / (30 if opening else 36))


@dataclass(frozen=True)
class Halves:
    """Where the pairs came to lie that each side has thrown: how many in its right half, in its left one, and on both."""

    light: tuple[int, int, int] = (0, 0, 0)
    dark: tuple[int, int, int] = (0, 0, 0)

    def of(self, side: Side) -> tuple[int, int, int]:
        """That side's."""
        return self.light if side is Side.LIGHT else self.dark

    def thrown(self, side: Side, half: Half) -> Halves:
        """One pair more."""
        in_right, in_left, on_both = self.of(side)
        counts = in_right + (half == "right"), in_left + (half == "left"), on_both + (half == "both")
        return replace(self, light=counts) if side is Side.LIGHT else replace(self, dark=counts)


NONE_THROWN = Halves()


NOT_FOUND = 0
"""What a die is taken for that nobody finds, among the values that dice are read as."""


@dataclass(frozen=True)
class Landing:
    """How the two dice of a throw came to lie. half: of the board, as the thrower sees it; None where one of them was not found.
    read: what each of them was taken for, in the order of the roll."""

    half: Half | None
    read: Roll


@dataclass(frozen=True)
class Faces:
    """What the dice of this table were taken for: [value thrown - 1][value read] how many, as far as that is believed. One that has
    a logo in place of its 1 is misread, or not found, each time that it shows it."""

    counts: tuple[tuple[float, ...], ...] = ((0.0,) * (1 + FACES),) * FACES

    def thrown(self, roll: Roll, read: Roll, share: float = 1.0) -> Faces:
        """Two dice more, so much of the belief holding that they were thrown."""
        counts = np.array(self.counts)
        np.add.at(counts, ([value - 1 for value in roll], list(read)), share)
        return Faces(tuple(map(tuple, counts.tolist())))

    @property
    def told(self) -> tuple[float, float]:
        """Of how many dice the plays have told what was thrown, and how many of them were misread, or not found."""
        counts = np.array(self.counts)
        return float(counts.sum()), float(counts.sum() - np.trace(counts, 1))

    def remembered(self) -> Faces:
        """What another match at this table begins with. Its dice may be others, so that no value counts for more dice than
        `DICE_TO_TELL`."""
        counts = np.array(self.counts)
        most = np.maximum(counts.sum(axis=1, keepdims=True), parameters.DICE_TO_TELL)
        return Faces(tuple(map(tuple, (counts * (parameters.DICE_TO_TELL / most)).tolist())))

    @cached_property
    def _shares(self) -> Floats:
        """(6, 7) of each value, as what it is read; `DICE_TO_TELL` of each are taken to have been read rightly before."""
        counts = np.array(self.counts) + parameters.DICE_TO_TELL * np.eye(FACES, 1 + FACES, 1)
        return np.asarray(counts / counts.sum(axis=1, keepdims=True))

    @cached_property
    def not_found(self) -> list[float]:
        """[value thrown - 1] the share that was not found."""
        return [float(share) for share in self._shares[:, NOT_FOUND]]

    def by_value(self, faces: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """(6,) float32: the likelihood of a reading of one die's faces, (6,), by the value that was thrown."""
        return (self._shares[:, 1:] @ faces).astype(np.float32)


ALL_READ = Faces()


@dataclass(frozen=True)
class Throwing:
    """What the rules say of thrown dice, and the players' ways. anywhere: they may land on either half, or beside the board;
    own_pairs: each player throws dice of his own colour, light the paler ones; on_checkers_count: a die on a checker is as good as
    one on the board; halves: where each has thrown to so far, whatever the rules say; unreadable: the share of their throws that
    can't be seen, however long one looks: the dice are too small, too dark, or like the board; faces: what their dice were read as
    so far; lie_on, left: the shares of their turns whose dice nobody takes up until the opponent throws or doubles, and not even
    then."""

    anywhere: bool = False
    own_pairs: bool = False
    on_checkers_count: bool = False
    halves: Halves = NONE_THROWN
    unreadable: float = 0.0
    faces: Faces = ALL_READ
    lie_on: float = parameters.RARE**2
    left: float = parameters.RARE**2

    def chances(self, side: Side) -> dict[Half, float]:
        """That a pair of that side comes to lie there. What the rules ask for weighs as much as one pair that was seen; one that
        lies on both halves speaks as much for either."""
        astray = parameters.UNUSUAL if self.anywhere else parameters.RARE
        in_right, in_left, on_both = self.halves.of(side)
        right, left = 1 - 2 * astray + in_right + on_both / 2, astray + in_left + on_both / 2
        every = right + left + astray + on_both
        return {"right": right / every, "left": left / every, "both": (astray + on_both) / every}

    @classmethod
    def by(cls, rules: RuleSet) -> Throwing:
        """As a rule set has it."""
        anywhere = rules.dice.landing != "right-half"
        return cls(anywhere, rules.equipment.dice_by_colour, rules.dice.on_checker == "valid")


USUAL_THROWING = Throwing()


@dataclass(frozen=True, eq=False)
class DiceEvidence:
    """What one rest shows of dice.

    flat, leaning: things found; before: what lay flat at the rest before; moments: how much independent looking went into it;
    covered: an arm or a caption hides a part of the board, and perhaps dice. throwing: what the rules say of thrown dice.
    """

    flat: tuple[DieSeen, ...]
    leaning: tuple[DieSeen, ...]
    before: tuple[DieSeen, ...]
    light_home: Corner
    moments: float = 1.0
    covered: bool = False
    throwing: Throwing = USUAL_THROWING

    def by_players_who_threw(self, halves: Halves) -> DiceEvidence:
        """The same, where that is known of the players."""
        return replace(self, throwing=replace(self.throwing, halves=halves))

    def of_none(self) -> float:
        """Log-likelihood, if nobody's dice lie on the board."""
        return self._none

    def of_waiting(self, side: Side | None) -> float:
        """The same, if `side` (None: both, for the opening) has no roll that counts; a leaning one may lie there all the same."""
        return _sum([self._none, *(self._doubtful(pair, side) for pair in self._pairs if self._leans(pair))])

    def of_opening(self) -> float:
        """The same, if nobody has won the opening roll: one player may have thrown his die, or both, and they show the same."""
        alone = [self._others((i,)) + log(parameters.UNUSUAL) + self._any_face(i) for i in range(len(self.flat))]
        tied = [self._tied(pair) for pair in self._pairs if not self._leans(pair)]
        return _sum([self.of_waiting(None), *alone, *tied])

    def of_draw(self, light: int, dark: int) -> float:
        """The same, if each player has thrown one die, and both lie there."""
        missed = log(parameters.MISSED)
        terms = [self._none + 2 * missed]
        for one in range(len(self._things)):
            for value, side in ((light, Side.LIGHT), (dark, Side.DARK)):
                terms.append(
                    self._others((one,)) + missed + self._face(one, value, fresh=True) + self._by((one,), side)
                )
        for pair in self._pairs:
            for mine, theirs in (pair, pair[::-1]):
                shown = self._face(mine, light, fresh=True) + self._face(theirs, dark, fresh=True)
                places = self._by((mine,), Side.LIGHT) + self._by((theirs,), Side.DARK)
                terms.append(self._others(pair) + shown + places - log(2))
        return _sum(terms)

    def of_roll(self, roll: Roll, side: Side, *, opening: bool = False, fresh: bool = True) -> float:
        """The same, if `side` has thrown `roll` and the dice still lie.

        opening: each player may have thrown one die, the higher of them `side`. fresh: the dice have not been weighed at an
        earlier rest, or else what repeats what was read there counts for less.
        """
        high, low = roll[0] - 1, roll[1] - 1
        missed = self._missed_by_value
        terms = [self._none + self._both_missed(roll)]
        for cost, faces in zip(self._alone(side, fresh=fresh), self._faces[fresh], strict=True):
            terms.append(cost + log((exp(faces[high]) * missed[low] + exp(faces[low]) * missed[high]) / 2))
        terms += [self._shows(pair, roll, side, opening=opening, fresh=fresh) for pair in self._pairs]
        return _sum(terms)

    def _alone(self, side: Side, *, fresh: bool) -> list[float]:
        """For each thing, what it costs that it is one of that side's two dice, but for the other's being missed."""
        key = side, fresh
        if key not in self._costs_alone:
            self._costs_alone[key] = [
                self._others((i,)) + self._by((i,), side, fresh=fresh) + self._elsewhere((i,), fresh=fresh)
                for i in range(len(self._things))
            ]
        return self._costs_alone[key]

    @cached_property
    def _costs_alone(self) -> dict[tuple[Side, bool], list[float]]:
        return {}

    def of_early_roll(self, roll: Roll, side: Side) -> float:
        """The same, if `side`'s roll still lies and the opponent has thrown as well, whatever he threw."""
        terms = [self.of_roll(roll, side, fresh=False) + 2 * log(parameters.MISSED)]
        for own in self._pairs:
            for other in self._pairs:
                if not set(own) & set(other):
                    known = self._lay(other)  # and has been weighed
                    theirs = 0.0 if known else sum(self._any_face(i) for i in other) + self._by(other, side.other)
                    none = sum(self._nothing[i] for i in other)
                    terms.append(self._shows(own, roll, side, opening=False, fresh=False) + theirs - none)
        return _sum(terms)

    def beside_left(self, of: Callable[[DiceEvidence], float]) -> float:
        """What `of` says of these dice, if one pair more lies there, or each player's, that lay there before and that nobody plays
        with any more."""
        both = [fewer for others in self._but_a_pair for fewer in others._but_a_pair]
        return _sum([of(self) + 2 * log(parameters.MISSED), *(of(others) for others in (*self._but_a_pair, *both))])

    @cached_property
    def _but_a_pair(self) -> list[DiceEvidence]:
        """The same without two that lay there before."""
        return [
            replace(self, flat=tuple(die for i, die in enumerate(self.flat) if i not in pair))
            for pair in self._pairs
            if not self._leans(pair) and self._lay(pair)
        ]

    def of_unknown(self, side: Side | None = None) -> float:
        """The same, if nobody knows whether dice lie there, or which; side: two of that side's do, unless they are missed.

        The opponent may have thrown early. Two of that side that lay there before need no new chance.
        """
        pairs = [
            self._others(pair) + (self._thrown_by(pair, side) if side else sum(self._any_face(i) for i in pair))
            for pair in self._pairs
        ]
        alone = [self._others((i,)) + self._any_face(i) + self._missed for i in range(len(self._things))]
        early = [
            own + sum(self._any_face(i) - self._nothing[i] for i in other) + log(parameters.RARE)
            for mine, own in zip(self._pairs, pairs, strict=True)
            for other in self._pairs
            if not set(mine) & set(other)
        ]
        none = self._none + (2 * self._missed if side else log(parameters.NO_DICE_LIE))
        thrown = 0.0 if side else log1p(-parameters.NO_DICE_LIE)
        return _sum([none, *(one + thrown for one in (*alone, *pairs, *early))])

    def landing(self, roll: Roll, side: Side) -> Landing | None:
        """How the two dice lie that have come since the rest before, or one, if that side threw that roll; None where not just so
        many have, or one may be hidden."""
        new = self._new(range(len(self._things)))
        if not new or max(new) >= len(self.flat) or len(new) > 2 or (len(new) == 1 and self.covered):
            return None
        found: list[int | None] = [*new, None][:2]

        def shown(dice: Sequence[int | None]) -> float:
            return sum(self._face(i, value, fresh=True) for i, value in zip(dice, roll, strict=True) if i is not None)

        one, other = (NOT_FOUND if i is None else self._things[i].value for i in max((found, found[::-1]), key=shown))
        return Landing(self._half(new, side) if len(new) == 2 else None, (one, other))

    def lay_before(self) -> bool:
        """Whether any of them lay there at the rest before."""
        return any(old is not None for old in self._known)

    def lie_on(self) -> bool:
        """Whether two lie there, and lay there at the rest before."""
        return len(self._things) == 2 and self._lay((0, 1))

    def lean(self) -> float:
        """The chance that one of those which seem to lie flat leans all the same."""
        lie_well = [
            die.flat for die in self.flat if not (self.throwing.on_checkers_count and die.rest == "on a checker")
        ]
        return 1 - prod(lie_well)

    def of_idle(self) -> float:
        """The same, if nobody plays any more: dice may lie there or not."""
        lie = [self._others(pair) + self._any_face(pair[0]) + self._any_face(pair[1]) for pair in self._pairs]
        return _sum([self._none, *(one + log(parameters.UNUSUAL) for one in lie)])

    @property
    def _missed(self) -> float:
        """Log-probability that a die that lies there is not found."""
        return log(parameters.HALF if self.covered else max(parameters.MISSED, self.throwing.unreadable))

    @cached_property
    def _missed_by_value(self) -> list[float]:
        """[value - 1] the probability that a die that shows it is not found."""
        return [max(exp(self._missed), share) for share in self.throwing.faces.not_found]

    def _both_missed(self, roll: Roll) -> float:
        """Log-probability that neither of these dice is found: the longer nothing is the less, unless they can't be seen at all."""
        if self.covered:
            return self._missed
        high, low = roll
        not_found = self.throwing.faces.not_found
        unreadable = max(self.throwing.unreadable, not_found[high - 1] * not_found[low - 1])
        overlooked = (1 + self.moments) * log(parameters.MISSED)  # in logarithms: a board may lie still for hours
        return _sum([overlooked + log1p(-unreadable), log(unreadable)]) if unreadable else overlooked

    @cached_property
    def _things(self) -> tuple[DieSeen, ...]:
        return (*self.flat, *self.leaning)

    @cached_property
    def _pairs(self) -> list[Pair]:
        return list(combinations(range(len(self._things)), 2))

    @cached_property
    def _nothing(self) -> list[float]:
        """For each thing, that it is no die of the hypothesis: any face; a leaning one may be a die that nobody plays with."""
        flat = [max(1 - die.confidence, parameters.MISTAKEN) / 6 for die in self.flat]
        return [log(one) for one in flat] + [log(1 / 6)] * len(self.leaning)

    @cached_property
    def _none(self) -> float:
        return sum(self._nothing)

    def _others(self, dice: Sequence[int]) -> float:
        """All things but these are none of the dice."""
        return self._none - sum(self._nothing[i] for i in dice)

    def _leans(self, pair: Pair) -> bool:
        return max(pair) >= len(self.flat)

    @cached_property
    def _known(self) -> list[DieSeen | None]:
        """For each thing, the die that lay in its place at the rest before."""
        return [
            next((old for old in self.before if dist(die.at, old.at) < parameters.SAME_PLACE), None)
            for die in self._things
        ]

    @cached_property
    def _stayed(self) -> list[bool]:
        """For each thing, whether it lay there at the rest before, and showed the same."""
        known = zip(self._things, self._known, strict=True)
        return [old is not None and read_alike(die.faces, old.faces) for die, old in known]

    @cached_property
    def _faces(self) -> list[list[list[float]]]:
        """[fresh][thing][value - 1]: log-likelihood of what is read, if that value was thrown. Of more than two that lay there
        nobody knows which of them a hypothesis has taken for its own."""
        fresh = [
            np.maximum(die.confidence, parameters.MISTAKEN)
            * (self.throwing.faces.by_value(die.faces) + parameters.MISREAD)
            for die in self._things
        ]
        again = [
            repeated(one) if stayed and len(self.before) <= 2 else one
            for stayed, one in zip(self._stayed, fresh, strict=True)
        ]
        return [[np.log(one).tolist() for one in again], [np.log(one).tolist() for one in fresh]]

    def _face(self, i: int, value: int, *, fresh: bool) -> float:
        return self._faces[fresh][i][value - 1]

    def _any_face(self, i: int) -> float:
        return log(max(self._things[i].confidence, parameters.MISTAKEN) / 6)

    def _thrown_by(self, pair: Pair, side: Side) -> float:
        """That side threw these two, and plays with them, whatever they show: now or, if they lay there, before the rest before."""
        leans = log(parameters.UNUSUAL) if self._leans(pair) else 0.0
        return leans + self._by(pair, side) + (0.0 if self._lay(pair) else sum(self._any_face(i) for i in pair))

    def _lay(self, dice: Sequence[int]) -> bool:
        """Whether all of them lay there at the rest before, and showed the same."""
        return all(self._stayed[i] for i in dice)

    def _place(self, dice: Sequence[int], side: Side) -> float:
        """That `side` threw these to where they lie; who throws on both halves may throw one die into either."""
        if not dice:
            return 0.0
        half, chances = self._half(dice, side), self.throwing.chances(side)
        if len(dice) == 1:
            return log(chances[half] + chances["both"] / 2)
        return log(chances[half] / (2 if half == "both" else 1))

    def _half(self, dice: Sequence[int], side: Side) -> Half:
        own_is_right = right_half_is_right(side, self.light_home)
        own = {(self._things[i].at[0] > 0.5) == own_is_right for i in dice}
        if len(own) > 1:
            return "both"
        return "right" if own == {True} else "left"

    def _new(self, dice: Sequence[int]) -> list[int]:
        """Those that did not lie there at the rest before."""
        return [i for i in dice if self._known[i] is None]

    def _by(self, dice: Sequence[int], side: Side, *, fresh: bool = True) -> float:
        """That these lie where they do, and are of the colour that they are, if `side` threw them. fresh: False where those that
        lay there before have been weighed."""
        weighed = dice if fresh else self._new(dice)
        return self._place(weighed, side) + self._colour(weighed, side)

    def _colour(self, dice: Sequence[int], side: Side) -> float:
        """Where each player has a pair of his own: that these are of that colour. Whoever takes the other's takes both."""
        if not self.throwing.own_pairs:
            return 0.0
        own, other = 1.0, 1.0
        for i in dice:
            pale = (1 - parameters.MISSED) * self._things[i].pale + parameters.MISSED / 2
            own, other = own * pale, other * (1 - pale)
        if side is Side.DARK:
            own, other = other, own
        return log((1 - parameters.UNUSUAL) * own + parameters.UNUSUAL * other)

    def _shows(self, pair: Pair, roll: Roll, side: Side, *, opening: bool, fresh: bool) -> float:
        """These two are the dice of that roll, and nothing else is a die."""
        one, other = pair
        faces, (cost, first, second) = self._faces[fresh], self._cost_of(pair, side, opening=opening, fresh=fresh)
        high, low = roll[0] - 1, roll[1] - 1
        return cost + _sum(
            [faces[one][high] + faces[other][low] + first, faces[other][high] + faces[one][low] + second]
        )

    def _cost_of(self, pair: Pair, side: Side, *, opening: bool, fresh: bool) -> tuple[float, float, float]:
        """What it costs, whatever they show, that these are that side's two dice, and where the first or the second of them is
        the higher: of the opening each player may have thrown one."""
        key = pair, side, opening, fresh
        if key not in self._costs:
            base = self._others(pair) + self._elsewhere(pair, fresh=fresh) - log(2)
            base += log(parameters.UNUSUAL) if self._leans(pair) else 0.0
            if opening:
                first, second = (self._by((high,), side, fresh=fresh) + log(0.5) for high in pair)
            else:
                first = second = self._by(pair, side, fresh=fresh)
            self._costs[key] = base, first, second
        return self._costs[key]

    @cached_property
    def _costs(self) -> dict[tuple[Pair, Side, bool, bool], tuple[float, float, float]]:
        return {}

    def _doubtful(self, pair: Pair, side: Side | None) -> float:
        """These two were thrown by that side and do not count, because one of them leans."""
        places = self._by(pair, side) if side else 0.0
        faces = sum(self._any_face(i) for i in pair)
        return self._others(pair) + log1p(-parameters.UNUSUAL) + faces + places

    def _tied(self, pair: Pair) -> float:
        """These two are equal dice of the opening, one of each player; they need no new chance where they lay before."""
        known = all(self._known[i] is not None for i in pair)
        one, other = pair
        places = _sum([self._by((one,), side) + self._by((other,), side.other) for side in Side])
        faces = _sum(
            [
                self._face(one, value, fresh=not known) + self._face(other, value, fresh=not known)
                for value in range(1, 7)
            ]
        )
        return self._others(pair) + places + faces + (0.0 if known else log(1 / 36))

    def _elsewhere(self, dice: Sequence[int], *, fresh: bool) -> float:
        """What it costs to take these for dice of the rest before, where too few of them lie where one lay; or for dice that were
        thrown since, where all of them lay there and showed the same."""
        if not self.before:
            return 0.0
        if fresh:
            return log(parameters.RARE) if self._lay(dice) else 0.0
        stayed = sum(self._known[i] is not None for i in dice)
        return 0.0 if stayed >= min(len(dice), len(self.before)) else log(parameters.RARE)


def repeated(likelihoods: Floats) -> Floats:
    """Likelihoods of a reading that repeats an earlier one: mostly it was bound to, whatever lies there."""
    return parameters.REPEATED + (1 - parameters.REPEATED) * likelihoods


def read_alike(faces: npt.NDArray[np.float32], before: npt.NDArray[np.float32]) -> bool:
    """Whether the second of these (6,) readings of one die's or cube's faces repeats the first."""
    return bool(0.5 * np.abs(faces - before).sum() < parameters.SAME_READING)


def _sum(logs: Sequence[float]) -> float:
    """Logarithm of the sum of what these are logarithms of."""
    best = max(logs, default=-inf)
    return best if best == -inf else best + log(sum(exp(one - best) for one in logs))


def flat_and_leaning(dice: Sequence[DieSeen], *, on_checkers_count: bool) -> Iterator[tuple[DieSeen, ...]]:
    """The things that lie flat, and those that lean and are surely dice; of many the surest.

    on_checkers_count: by the rules a die on a checker is as good as one on the board.
    """
    sure = [die for die in dice if die.confidence > parameters.MISTAKEN]
    surest = sorted(range(len(sure)), key=lambda i: -sure[i].confidence)[: parameters.MOST_THINGS]
    sure = [sure[i] for i in sorted(surest)]
    flat = [die.flat >= 0.5 or (on_checkers_count and die.rest == "on a checker") for die in sure]
    yield tuple(die for die, lies in zip(sure, flat, strict=True) if lies)
    yield tuple(die for die, lies in zip(sure, flat, strict=True) if not lies and die.confidence >= parameters.SURELY)
