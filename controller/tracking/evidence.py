"""What a rest of the board says, as log-likelihoods: of any position, of any dice, of any state of the cube.

A rest is the time between two movements. Its frames show the same thing and share their mistakes, so they are averaged into
one Evidence instead of being multiplied up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import permutations
from math import dist

import numpy as np
import numpy.typing as npt

from controller.rules import Position, Side
from controller.tracking import parameters
from controller.tracking.orientation import BAR, Corner, column_of_point, columns_of, right_half_is_right
from vision.changes import Snapshot, shares_changed
from vision.observation import CUBE_FACES, MAX_COUNT, CubeSeen, DieSeen, Observation

Roll = tuple[int, int]
Floats = npt.NDArray[np.float64]

# A reader that has gone wrong is wrong whole-heartedly; these floors keep one such reading from vetoing everything else.
_PILES = np.abs(np.arange(-MAX_COUNT, MAX_COUNT + 1)) > parameters.MOST_SEEN

# What was seen before and has not changed since is read with the same mistakes: it counts for less.

# How a column looks whose checkers changed, and one on which they stayed: shares of changed pixels, and by how many nats the
# first is the likelier (`python benchmarks/referee.py changes`). Shadows on real boards are allowed for.


def _log(values: Floats, floor: float) -> Floats:
    return np.log(np.maximum(values, floor))


def _stayed(now: Floats, before: Floats, fresh: Floats, looks_same: npt.NDArray[np.bool_] | bool = False) -> Floats:
    """Log-likelihoods of readings (N, contents) by what stayed there; fresh: by what is new there; looks_same: (N, 1), pixels
    say that nothing changed, whatever the reading does."""
    change = 0.5 * np.abs(now - before).sum(axis=1, keepdims=True)
    return np.where(
        (change < parameters.SAME_READING) | looks_same,
        fresh * parameters.SEEN_BEFORE,
        _log(now, parameters.NEWLY_MISREAD),
    )


@dataclass(frozen=True, eq=False)
class Evidence:
    """One rest, averaged.

    columns: (24, 31) and bar: (2, 16) float64 probabilities with the unseen share already spread evenly; dice: flat dice;
    unflat: dice that do not lie flat; moments: how much independent looking went into it (grows slowly with time);
    before: the rest before this one; known: (24, 31), the last reading of each column before this rest that saw it.
    snapshot: the board as it looked last. cube_plain: most of the rest's frames show the cube.
    """

    columns: Floats
    bar: Floats
    seen: Floats
    dice: tuple[DieSeen, ...]
    unflat: tuple[DieSeen, ...]
    cube: CubeSeen | None
    light_home: Corner
    moments: float = 1.0
    before: Evidence | None = None
    known: Floats | None = None
    snapshot: Snapshot | None = None
    cube_plain: bool = False

    @cached_property
    def changed(self) -> Floats:
        """(24,) nats by which each column looks as if its content had changed since the rest before; 0 where nobody can say."""
        return self._changed_by(parameters.CHANGED_NATS)

    @cached_property
    def changed_pile(self) -> Floats:
        """(24,) the same of columns on which a pile stood."""
        return self._changed_by(parameters.CHANGED_PILE_NATS)

    def _changed_by(self, nats: tuple[float, ...]) -> Floats:
        shares = self._shares_changed
        return np.where(np.isnan(shares), 0.0, np.interp(np.nan_to_num(shares), parameters.CHANGED_SHARES, nats))

    @cached_property
    def _shares_changed(self) -> Floats:
        """(24,) of each column's pixels; NaN where nobody can say."""
        unknown = np.full(BAR, np.nan)
        if self.before is None or self.before.snapshot is None or self.snapshot is None:
            return unknown
        clear = np.minimum(self.seen, self.before.seen)[:BAR] > parameters.CLEARLY
        shares: Floats = np.where(clear, shares_changed(self.before.snapshot, self.snapshot), np.nan)
        return shares if np.count_nonzero(shares > parameters.SHOWS_CHANGE) <= parameters.MOST_CHANGED else unknown

    @cached_property
    def log_columns(self) -> Floats:
        """(24, 31), of contents that are new in their columns: a pile is rather misread by one checker than by two."""
        one_off = np.zeros_like(self.columns)
        one_off[:, 1:-1] = self.columns[:, :-2] + self.columns[:, 2:]
        return _log(self.columns + one_off * parameters.ONE_OFF_IN_A_PILE * _PILES, parameters.COLUMN_FLOOR)

    @cached_property
    def log_bar(self) -> Floats:
        """(2, 16), of new contents: a bar is rather misread by one checker than by two."""
        near = np.zeros_like(self.bar)
        near[:, 1:] += self.bar[:, :-1]
        near[:, :-1] += self.bar[:, 1:]
        return _log(np.asarray(self.bar + parameters.ONE_OFF_ON_THE_BAR * near), parameters.COLUMN_FLOOR)

    def logs_after(self, stood: Position | None) -> tuple[Floats, Floats]:
        """(24, 31) and (2, 16) log-likelihoods of what is seen of each column and of the bar, by what is there, if `stood`
        stood there at the rest before (None: nobody knows).

        What stayed is misread again in the same way, or hardly ever misread.
        """
        if stood is None or self.before is None or self.known is None:
            return self.log_columns, self.log_bar
        if stood not in self._after:
            there = self._contents_of(stood)
            changed = self._changed_after(stood)
            unlikely = np.minimum(changed, 0)[:, None]
            columns = self.log_columns + np.where(_PILES, np.maximum(unlikely, parameters.HIDDEN_IN_A_PILE), unlikely)
            bar = self.log_bar.copy()
            looks_same = changed[:, None] <= parameters.LOOKS_SAME
            stayed = _stayed(self.columns, self.known, self.log_columns, looks_same) - np.maximum(changed, 0)[:, None]
            columns[there] = stayed[there]
            bars = np.arange(2), np.minimum([stood.light[BAR], stood.dark[BAR]], MAX_COUNT)
            bar[bars] = _stayed(self.bar, self.before.bar, bar)[bars]
            self._after[stood] = columns, bar
        return self._after[stood]

    @cached_property
    def _after(self) -> dict[Position, tuple[Floats, Floats]]:
        return {}

    def _changed_after(self, stood: Position) -> Floats:
        """(24,) nats for a change of each column, if `stood` stood there."""
        piles = np.abs(columns_of([stood], self.light_home)[0]) > parameters.MOST_SEEN
        return np.where(piles, self.changed_pile, self.changed)

    def _contents_of(self, position: Position) -> npt.NDArray[np.bool_]:
        """(24, 31) as what each column may be read if that position stands."""
        contents = np.zeros(self.columns.shape, np.bool_)
        contents[np.arange(BAR), MAX_COUNT + columns_of([position], self.light_home)[0]] = True
        for _, column, there in _of_two_colours([position], self.light_home):
            contents[column, [MAX_COUNT, MAX_COUNT - there, MAX_COUNT + there]] = False, True, True
        return contents

    def clearest(self) -> Floats:
        """(24, 31), of each column the last reading that saw most of it, this one or an earlier one."""
        if self.known is None:
            return self.columns
        return np.where(self.seen[:BAR, None] > parameters.CLEARLY, self.columns, self.known)

    def of_positions(self, positions: Sequence[Position], stood: Position | None = None) -> Floats:
        """(N,) log-likelihoods of the columns and the bar, given each position, and what stood at the rest before."""
        if not positions:
            return np.zeros(0)
        logs, log_bar = self.logs_after(stood)
        counts = columns_of(positions, self.light_home)
        bars = np.array([[min(p.light[BAR], MAX_COUNT), min(p.dark[BAR], MAX_COUNT)] for p in positions])
        points: Floats = logs[np.arange(BAR), MAX_COUNT + counts].sum(axis=1)
        for i, column, there in _of_two_colours(positions, self.light_home):
            either = np.logaddexp(logs[column, MAX_COUNT + there], logs[column, MAX_COUNT - there])
            points[i] += either - logs[column, MAX_COUNT + counts[i, column]]
        if stood is not None and self.changed.any():
            same = self._contents_of(stood)[np.arange(BAR), MAX_COUNT + counts]
            cost = np.maximum(self._changed_after(stood), 0)
            points += np.maximum((same * cost).sum(axis=1) - parameters.SOMETHING_ELSE, 0)
        return np.asarray(points + log_bar[0, bars[:, 0]] + log_bar[1, bars[:, 1]])

    def of_anything(self) -> float:
        """Log-likelihood of the columns and the bar of a board that may hold anything: what is seen is what stands there."""
        return float(self.log_columns.max(axis=1).sum() + self.log_bar.max(axis=1).sum())

    def of_no_dice(self) -> float:
        """Log-likelihood of what the dice reader found, if no die lies on the board."""
        return float(sum(np.log(max(1 - die.confidence, parameters.FALSE_DIE)) for die in self.dice))

    def of_roll(self, roll: Roll, side: Side, opening: bool = False, fresh: bool = True) -> float:
        """Log-likelihood of the dice found, if `side` has thrown `roll` and the dice still lie.

        opening: each player may have thrown one die, the higher of them `side`. fresh: the dice have not been weighed
        in an earlier rest, or else what lies where it lay counts for less.
        """
        if self.unflat and len(self.dice) < 2:
            return self._of_argued_dice(roll, side, opening)
        spurious = [float(np.log(max(1 - die.confidence, parameters.FALSE_DIE))) for die in self.dice]
        every = sum(spurious)
        best = every + self.moments * float(np.log(parameters.BOTH_DICE_MISSED))
        for i, die in enumerate(self.dice):
            one = max(self._face(die, value, fresh) for value in roll) + self._place(die, side)
            one += 0.0 if fresh else self._put_elsewhere((die,))
            best = max(best, every - spurious[i] + one + float(np.log(parameters.MISSED_DIE)))
        elsewhere = 0.0 if fresh or len(self.dice) < 2 else self._put_elsewhere(self.dice)
        for i, j in permutations(range(len(self.dice)), 2):
            both = self._pair(self.dice[i], self.dice[j], roll, side, opening, fresh) + elsewhere
            best = max(best, every - spurious[i] - spurious[j] + both)
        return best

    def of_tied_dice(self) -> float:
        """Log-likelihood of the dice found, if each player has thrown one for the opening and they show the same."""
        if len(self.dice) != 2 or self.unflat:
            return self.of_no_dice()
        one, other = self.dice
        places = max(self._place(one, side) + self._place(other, side.other) for side in Side)
        known = all(map(self._lay_there, self.dice))
        tied = [self._face(one, value, not known) + self._face(other, value, not known) for value in range(1, 7)]
        return places + (0.0 if known else parameters.TIE) + float(np.logaddexp.reduce(tied))

    def _of_argued_dice(self, roll: Roll, side: Side, opening: bool) -> float:
        """Whose the dice are, and a little of what they show: mostly they are rolled again."""
        dice = (*self.dice, *self.unflat)
        places = 0.0 if opening else sum(self._place(die, side) for die in dice)
        if len(dice) != 2:
            return places
        one, other = dice
        shown = [float(one.faces[a - 1] * other.faces[b - 1]) for a, b in set(permutations(roll))]
        return places + float(np.log(1 - parameters.COUNTED_ANYWAY + parameters.COUNTED_ANYWAY * 36 * np.mean(shown)))

    def of_early_roll(self, roll: Roll, side: Side) -> float:
        """Log-likelihood of the dice found, if `side`'s roll still lies and the opponent has thrown as well."""
        if len(self.dice) < 4:
            return parameters.NO_EARLY_ROLL
        own = sorted(self.dice, key=lambda die: -self._place(die, side))
        seen = sum(
            float(np.log(max(die.confidence, parameters.FALSE_DIE))) + self._place(die, side.other) for die in own[2:4]
        )
        return replace(self, dice=tuple(own[:2])).of_roll(roll, side, fresh=False) + seen

    def _pair(self, high: DieSeen, low: DieSeen, roll: Roll, side: Side, opening: bool, fresh: bool) -> float:
        """One die read as the higher number and one as the lower, lying where that player's dice should."""
        places = self._place(high, side) + self._place(low, side)
        if opening:
            places = max(places, self._place(high, side) + self._place(low, side.other))
        return self._face(high, roll[0], fresh) + self._face(low, roll[1], fresh) + places

    def _put_elsewhere(self, dice: Sequence[DieSeen]) -> float:
        """What it costs to take these dice for those of the rest before, where too few of them lie where one lay."""
        if self.before is None or not self.before.dice:
            return 0.0
        stayed = sum(map(self._lay_there, dice))
        return (
            0.0 if stayed >= min(len(dice), len(self.before.dice), 2) else float(np.log(parameters.DICE_PUT_ELSEWHERE))
        )

    def _lay_there(self, die: DieSeen) -> bool:
        """Whether one of the dice of the rest before lay where this one lies."""
        return self.before is not None and any(dist(die.at, old.at) < parameters.SAME_DIE for old in self.before.dice)

    def _face(self, die: DieSeen, value: int, fresh: bool) -> float:
        known = not fresh and self._lay_there(die)
        weight = parameters.DICE_SEEN_BEFORE if known else 1.0
        return weight * float(np.log(max(die.confidence * die.faces[value - 1], parameters.FACE_FLOOR)))

    def _place(self, die: DieSeen, side: Side) -> float:
        right = right_half_is_right(side, self.light_home)
        return float(np.log(1 - parameters.WRONG_HALF if (die.at[0] > 0.5) == right else parameters.WRONG_HALF))

    def of_cube(self, value: int, owner: Side | None) -> float:
        """Log-likelihood of the cube found, if it is worth `value` and lies with `owner` (None: centred)."""
        there = _is_centred if owner is None else partial(self._lies_with, owner=owner)
        return self._of_cube(value, there, parameters.CUBE_IN_PLACE)

    def of_offered_cube(self, value: int) -> float:
        """Log-likelihood of the cube found, if it is being offered at `value`: it shows the new face, on the field."""
        return self._of_cube(value, _is_on_the_field, parameters.OFFERED_ON_THE_FIELD)

    def _of_cube(self, value: int, there: Callable[[CubeSeen], bool], in_place: float) -> float:
        """The same, if it is where `there` says, as far as cubes are put there: a chance of `in_place`."""
        before = self.before
        lay_there = before is not None and before.cube is not None and before.cube_plain and there(before.cube)
        missed = float(np.log(parameters.CUBE_GONE if lay_there else parameters.MISSED_CUBE))
        if self.cube is None:
            return missed
        seen = _cube_face(self.cube, value) + float(np.log(in_place if there(self.cube) else 1 - in_place))
        return (
            seen
            if self.cube_plain
            else float(max(seen + np.log(parameters.MISSED_CUBE), missed + np.log(parameters.FALSE_CUBE)))
        )

    def _lies_with(self, cube: CubeSeen, owner: Side) -> bool:
        """Whether the cube lies on the owner's side of the board, not far from an edge."""
        owner_below = self.light_home.startswith("bottom") == (owner is Side.LIGHT)
        return (cube.at[1] > 0.5) == owner_below and abs(cube.at[1] - 0.5) > parameters.CENTRE_BAND / 2


def _cube_face(cube: CubeSeen, value: int) -> float:
    face = CUBE_FACES.index(64 if value == 1 else min(value, 64))
    blind = (1 - cube.confidence) / len(CUBE_FACES)
    return float(np.log(max(cube.confidence * cube.faces[face] + blind, parameters.CUBE_FACE_FLOOR)))


def _is_on_the_field(cube: CubeSeen) -> bool:
    """Whether it lies where checkers are played: not on the bar, not beside the board."""
    x, y = cube.at
    return 0.0 < y < 1.0 and 0.02 < x < 0.98 and abs(x - 0.5) > parameters.ON_THE_BAR


def _is_centred(cube: CubeSeen) -> bool:
    return abs(cube.at[1] - 0.5) < parameters.CENTRE_BAND and not _is_on_the_field(cube)


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
            self.columns + observation.columns * observation.seen[:BAR, None],
            self.bar + observation.bar * observation.seen[BAR],
            self.seen + observation.seen,
            _merge_dice(self.dice, observation.dice),
            (*self.cubes, observation.cube)[-9:] if observation.cube else self.cubes,
            observation.snapshot,
        )

    def evidence(
        self,
        light_home: Corner,
        before: Evidence | None = None,
        boards: Sequence[Position] = (),
        on_checkers_count: bool = False,
    ) -> Evidence:
        """All frames of the rest as one Evidence; light_home tells whose dice lie in which half.

        before: the last rest; boards: what may have stood there then, () where nobody knows; on_checkers_count: by the rules
        a die on a checker is as good as one on the board.
        """
        seen = self.seen / self.frames
        columns = self.columns / self.frames + (1 - seen[:BAR, None]) / (2 * MAX_COUNT + 1)
        bar = self.bar / self.frames + (1 - seen[BAR]) / (MAX_COUNT + 1)
        dice = [_averaged(die, self.frames) for die in self.dice]
        if boards:
            dice = [_without_phantom(die, columns, columns_of(boards, light_home)) for die in dice]
        sure = [die for die in dice if die.confidence > parameters.FALSE_DIE]
        flat = [die.flat >= 0.5 or (on_checkers_count and die.rest == "on a checker") for die in sure]
        return Evidence(
            columns,
            bar,
            seen,
            tuple(die for die, lies in zip(sure, flat, strict=True) if lies),
            tuple(
                die for die, lies in zip(sure, flat, strict=True) if not lies and die.confidence >= parameters.COCKED
            ),
            _median_cube(self.cubes),
            light_home,
            1.0 + (self.last - self.first) * parameters.MOMENTS_PER_SECOND,
            replace(before, before=None) if before else None,
            before.clearest() if before else None,
            self.snapshot,
            len(self.cubes) * 2 > min(self.frames, 9),
        )


def _of_two_colours(positions: Sequence[Position], light_home: Corner) -> Iterator[tuple[int, int, int]]:
    """(position's index, column, checkers) where both sides stand on one point: read as so many of either colour."""
    light = np.array([position.light[:BAR] for position in positions])
    dark = np.array([position.dark[BAR - 1 :: -1] for position in positions])
    for i, point in np.argwhere((light > 0) & (dark > 0)):
        yield int(i), column_of_point(int(point) + 1, light_home), min(int(light[i, point] + dark[i, point]), MAX_COUNT)


def _merge_dice(known: tuple[DieSeen, ...], seen: tuple[DieSeen, ...]) -> tuple[DieSeen, ...]:
    """Adds each die seen to the known one at the same place; sums confidence, faces and flatness weighted by confidence."""
    merged = list(known)
    for die in seen:
        fresh = replace(die, faces=die.faces * die.confidence, flat=die.flat * die.confidence)
        near = [k for k, other in enumerate(merged) if dist(other.at, die.at) < parameters.SAME_DIE]
        if near:
            other = merged[near[0]]
            fresh = replace(
                fresh,
                at=other.at,
                faces=other.faces + fresh.faces,
                confidence=other.confidence + fresh.confidence,
                flat=other.flat + fresh.flat,
            )
            merged[near[0]] = fresh
        else:
            merged.append(fresh)
    return tuple(merged)


def _averaged(total: DieSeen, frames: int) -> DieSeen:
    """One die out of the sums over a rest of so many frames."""
    weight = max(total.confidence, 1e-6)
    return replace(total, faces=total.faces / weight, confidence=total.confidence / frames, flat=total.flat / weight)


def _without_phantom(die: DieSeen, columns: Floats, counts: npt.NDArray[np.int64]) -> DieSeen:
    """The die, flat on the board where the checker that it is said to lie on is the die itself, taken for one.

    counts: (N, 24) signed, of the boards that may have stood there before the dice came.
    """
    if die.column is None:
        return die
    read = abs(int(columns[die.column].argmax()) - MAX_COUNT)
    return die if np.abs(counts[:, die.column]).max() >= read else replace(die, flat=1.0, rest="board", column=None)


def _median_cube(cubes: tuple[CubeSeen, ...]) -> CubeSeen | None:
    """The cubes of several frames as one: median place, mean faces."""
    if not cubes:
        return None
    x, y = np.median([cube.at for cube in cubes], axis=0)
    faces = np.mean([cube.faces for cube in cubes], axis=0).astype(np.float32)
    return CubeSeen((float(x), float(y)), faces, float(np.mean([cube.confidence for cube in cubes])))
