"""What a rest of the board says, as log-likelihoods: of any position, and by `dice.py` and `cube.py` of any dice and cube.

docs/tracking.md has the formulas.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import log

import numpy as np
import numpy.typing as npt

from controller.rules import BAR_INDEX, Position, Side
from controller.tracking import cube, parameters, set_aside
from controller.tracking.dice import USUAL_THROWING, DiceEvidence, Floats, Throwing, repeated
from controller.tracking.orientation import (
    POINTS,
    PackedCounts,
    by_column,
    by_point,
    columns_of,
    columns_of_points,
    is_on_the_field,
    packed,
)
from terms.board import Corner
from vision.board.changes import Snapshot, shares_changed
from vision.observation import MAX_COUNT, CubeSeen, DieSeen

Counts = npt.NDArray[np.int64]
PILES = np.abs(np.arange(-MAX_COUNT, MAX_COUNT + 1)) > parameters.MOST_SEEN
"""(31,) which signed counts are a pile."""
NONE_OF_EACH = np.arange(POINTS) * (2 * MAX_COUNT + 1) + MAX_COUNT
"""(24,) where the log-likelihood lies that nothing stands on a point, among those of all contents in a row."""


@dataclass(frozen=True, eq=False)
class Pictured:
    """What the pictures of one rest show. least: (24,) the least share of each column's pixels that looked changed in any of them
    since the rest before, NaN where none can say; snapshot: the one that shows no hand or shadow that another does not; columns:
    how many look changed in that one."""

    least: Floats
    snapshot: Snapshot
    columns: int


@dataclass(frozen=True, eq=False)
class Evidence:
    """One rest, averaged.

    columns: (24, 31) and bar: (2, 16) float64 probabilities with the unseen share already spread evenly; dice: flat dice;
    unflat: dice that do not lie flat; moments: how much independent looking went into it (grows slowly with time);
    before: the rest before this one; known: (24, 31), the last reading of each column before this rest that saw it, and
    known_seen: (24,), how much of the column that saw;
    said: (24, 31), the most that any reading before this rest gave each content, since the camera was away for long.
    snapshot: the board as it looked last; pictured: what the pictures before that one show. cube_plain: most of the rest's frames
    show the cube. first, last: seconds of its first and its last frame. throwing: what the rules say of thrown dice.
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
    known_seen: Floats | None = None
    said: Floats | None = None
    snapshot: Snapshot | None = None
    pictured: Pictured | None = None
    cube_plain: bool = False
    first: float = 0.0
    last: float = 0.0
    throwing: Throwing = USUAL_THROWING

    @property
    def away(self) -> float:
        """Seconds between the rest before and this one."""
        return 0.0 if self.before is None else max(self.first - self.before.last, 0.0)

    @property
    def missed(self) -> float:
        """nats by which it is likelier that something was missed for the time in which nothing was read, up to certainty."""
        return min(self.away / parameters.LOST_FOR, -log(parameters.LOST))

    @cached_property
    def of_dice(self) -> DiceEvidence:
        """What it says of dice."""
        before = self.before.dice if self.before is not None else ()
        covered = bool(self.seen.min() < parameters.HALF)
        return DiceEvidence(self.dice, self.unflat, before, self.light_home, self.moments, covered, self.throwing)

    @cached_property
    def changed(self) -> Floats:
        """(24,) nats by which each column looks as if its content had changed since the rest before; 0 where nobody can say."""
        return self._log_odds_of_change(parameters.CHANGE_EVEN, parameters.CHANGE_SLOPE)

    @cached_property
    def changed_pile(self) -> Floats:
        """(24,) the same of columns on which a pile stood."""
        return self._log_odds_of_change(parameters.PILE_CHANGE_EVEN, parameters.PILE_CHANGE_SLOPE)

    def _log_odds_of_change(self, even: float, slope: float) -> Floats:
        shares, noise = self._shares_changed, parameters.PIXEL_NOISE
        odds = slope * (np.log(np.nan_to_num(shares) + noise) - np.log(even + noise))
        limit = parameters.PIXELS_SAY
        return np.where(np.isnan(shares), 0.0, np.clip(odds, -limit, limit))

    @cached_property
    def _shares_changed(self) -> Floats:
        """(24,) of each column's pixels; NaN where nobody can say."""
        unknown = np.full(POINTS, np.nan)
        if self.now_pictured is None:
            return unknown
        least = self.now_pictured.least
        return unknown if np.count_nonzero(least > parameters.CHANGE_EVEN) > parameters.MOST_CHANGED else least

    @cached_property
    def now_pictured(self) -> Pictured | None:
        """What all pictures of the rest show, this one, too; None where there is none, or none before the rest.

        Nothing moves in a rest but a hand or its shadow over the board, which come and go: what looks changed in one picture, and
        not in another, has not changed.
        """
        if self.before is None or self.before.snapshot is None or self.snapshot is None:
            return None
        clear = np.minimum(self.seen, self.before.seen)[:POINTS] > parameters.HALF
        shares: Floats = np.where(clear, shares_changed(self.before.snapshot, self.snapshot), np.nan)
        columns, earlier = int(np.count_nonzero(shares > parameters.CHANGE_EVEN)), self.pictured
        if earlier is None:
            return Pictured(shares, self.snapshot, columns)
        least = np.fmin(shares, earlier.least)
        if earlier.columns < columns <= parameters.MOST_CHANGED:
            return Pictured(least, earlier.snapshot, earlier.columns)
        return Pictured(least, self.snapshot, columns)

    def as_before(self) -> Evidence:
        """This rest as the one before another."""
        pictured = self.now_pictured
        return replace(
            self, before=None, pictured=None, snapshot=self.snapshot if pictured is None else pictured.snapshot
        )

    @cached_property
    def _likelihoods(self) -> tuple[Floats, Floats]:
        """(24, 31) and (2, 16) of what is read of each column and of the bar, by what is there, each reading on its own."""
        return _likelihoods_of_columns(self.columns), _likelihoods_of_bar(self.bar)

    def logs_after(self, stood: Position | None) -> tuple[Floats, Floats]:
        """(24, 31) and (2, 16) log-likelihoods of what is seen of each column and of the bar, by what is there, if `stood`
        stood there at the rest before (None: nobody knows).

        What stayed is read again in the same way, right or wrong; pixels tell what stayed.
        """
        logs, log_bar, _ = self._given(stood)
        return logs, log_bar

    def logs_under_a_cup(self, stood: Position) -> Floats | None:
        """(24, 31) the same of the columns, if one cup, shadow or knock explains all that looks changed and is not; None where
        it explains no more than the columns do on their own."""
        logs, _, unexplained = self._given(stood)
        if unexplained is None or unexplained.max(axis=1).sum() <= parameters.PIXELS_SAY:
            return None
        return np.asarray(logs + unexplained)

    def _given(self, stood: Position | None) -> tuple[Floats, Floats, Floats | None]:
        """logs_after(), and (24, 31) nats by which pixels speak against each content because it stood there; None where they
        say nothing."""
        if stood not in self._after:
            columns, bar = self._likelihoods
            unexplained: Floats | None = None
            if stood is not None and self.before is not None and self.known is not None:
                columns, bar = columns.copy(), bar.copy()
                there, changed = self._contents_of(stood), self._changed_after(stood)
                apart = _apart(self.columns, self.known)
                again = (apart < parameters.SAME_READING) | ((changed < 0)[:, None] & (apart < parameters.SURELY))
                again &= ~self.first_seen[:, None]
                columns[there] = np.where(again, repeated(columns), columns)[there]
                bars = np.arange(2), [stood.light[BAR_INDEX], stood.dark[BAR_INDEX]]
                bar[bars] = np.where(_apart(self.bar, self.before.bar) < parameters.SAME_READING, repeated(bar), bar)[
                    bars
                ]
                if changed.any():
                    unexplained = np.where(there, np.maximum(changed, 0)[:, None], 0.0)
                    columns = np.log(columns) + self._against_change(there, changed) - unexplained
                else:
                    columns = np.log(columns)
                self._after[stood] = columns, np.log(bar), unexplained
            else:
                self._after[stood] = np.log(columns), np.log(bar), None
        return self._after[stood]

    @cached_property
    def _after(self) -> dict[Position | None, tuple[Floats, Floats, Floats | None]]:
        return {}

    def _against_change(self, there: npt.NDArray[np.bool_], changed: Floats) -> Floats:
        """(24, 31) what pixels say, at most 0 nats, of each content that did not stand there."""
        against = np.minimum(changed, 0)[:, None]
        return np.where(there, 0.0, np.where(PILES, np.maximum(against, -parameters.KEEPS), against))

    def _changed_after(self, stood: Position) -> Floats:
        """(24,) nats for a change of each column, if `stood` stood there."""
        piles = np.abs(columns_of([stood], self.light_home)[0]) > parameters.MOST_SEEN
        return np.where(piles, self.changed_pile, self.changed)

    def _contents_of(self, position: Position) -> npt.NDArray[np.bool_]:
        """(24, 31) whether each column may be read as that content if the position stands."""
        contents = np.zeros(self.columns.shape, np.bool_)
        light, dark = by_column(packed([position]), self.light_home)
        contents[np.arange(POINTS), MAX_COUNT + light[0] - dark[0]] = True
        _, column, there = _of_two_colours(light, dark)
        contents[column] = False
        contents[column, MAX_COUNT - there] = contents[column, MAX_COUNT + there] = True
        return contents

    @cached_property
    def first_seen(self) -> npt.NDArray[np.bool_]:
        """(24,) whether a column is seen wholly for the first time: what was read of a part of it counted for little."""
        if self.known_seen is None:
            return np.zeros(POINTS, np.bool_)
        return (self.known_seen <= parameters.SURELY) & (self.seen[:POINTS] > parameters.SURELY)

    @cached_property
    def _hidden(self) -> npt.NDArray[np.bool_]:
        """(24,) whether a column is hidden now that was seen before."""
        if self.known_seen is None:
            return np.zeros(POINTS, np.bool_)
        return (self.seen[:POINTS] <= parameters.HALF) & (self.known_seen > parameters.HALF)

    @cached_property
    def _of_hidden(self) -> Floats:
        """(24, 31) likelihoods of what is hidden, by what was read before it was: hands seldom change what they lie over."""
        known = self.columns if self.known is None else self.known
        return np.asarray((1 - parameters.RARE) * _likelihoods_of_columns(known) + parameters.RARE)

    def of_hidden(self, position: Position) -> float:
        """Log-likelihood of what was read of the columns that are hidden now, before they were."""
        if not self._hidden.any():
            return 0.0
        contents = MAX_COUNT + columns_of([position], self.light_home)[0]
        return float(np.log(self._of_hidden[np.arange(POINTS), contents])[self._hidden].sum())

    def clearest(self) -> tuple[Floats, Floats]:
        """(24, 31) and (24,): of each column the newest clear reading, this one or an earlier one, and how much of it was seen.

        A part that is read as the whole was counts for the whole.
        """
        seen = self.seen[:POINTS]
        if self.known is None or self.known_seen is None:
            return self.columns, seen
        clear, same = seen > parameters.HALF, self.columns.argmax(axis=1) == self.known.argmax(axis=1)
        most = np.where(same, np.maximum(seen, self.known_seen), seen)
        return np.where(clear[:, None], self.columns, self.known), np.where(clear, most, self.known_seen)

    def most_said(self) -> Floats:
        """(24, 31) the most that this reading or an earlier one gave each content."""
        clear = np.where((self.seen[:POINTS] > parameters.HALF)[:, None], self.columns, 0.0)
        long = self.missed >= -log(parameters.LOST)
        return clear if self.said is None or long else np.asarray(np.maximum(clear, self.said))

    @cached_property
    def logs_known(self) -> tuple[Floats, Floats]:
        """(24, 31) and (2, 16) log-likelihoods of what was read before this rest, by what stood there; 0 where nothing was."""
        if self.known is None or self.before is None:
            return np.zeros(self.columns.shape), np.zeros(self.bar.shape)
        return np.log(_likelihoods_of_columns(self.known)), np.log(_likelihoods_of_bar(self.before.bar))

    def of_positions(self, positions: Sequence[Position], stood: Position | None = None) -> Floats:
        """(N,) log-likelihoods of the columns and the bar, given each position, and what stood at the rest before."""
        checkers = positions[0].checkers if positions else 0
        return self._of_boards(packed(positions), checkers, stood, set_aside.rarely)

    def of_packed(self, boards: PackedCounts, checkers: int, stood: Position | None) -> Floats:
        """The same of boards with so many checkers a side."""
        return self._of_boards(boards, checkers, stood, set_aside.rarely)

    def of_position_whatever_is_aside(self, position: Position) -> float:
        """The same of one position, where it tells nothing whether checkers that are borne off were put elsewhere on the board."""
        return float(self._of_boards(packed([position]), position.checkers, None, set_aside.as_is_read)[0])

    def _of_boards(
        self, boards: PackedCounts, checkers: int, stood: Position | None, aside: set_aside.Likelihood
    ) -> Floats:
        if not len(boards):
            return np.zeros(0)
        logs, log_bar, unexplained = self._by_point(stood)
        light, dark = by_point(boards)
        contents = light - dark + NONE_OF_EACH
        points: Floats = logs.take(contents).sum(axis=1)
        i, point, there = _of_two_colours(light, dark)
        if len(i):
            either = np.logaddexp(logs[point, MAX_COUNT + there], logs[point, MAX_COUNT - there])
            np.add.at(points, i, either - logs.take(contents[i, point]))
        if unexplained is not None:
            # Not each changed look on its own, or all of them by one cup, shadow or knock.
            points += np.logaddexp(0.0, unexplained.take(contents).sum(axis=1) - parameters.PIXELS_SAY)
        bar = boards[:, :, BAR_INDEX].astype(np.int64)
        points += log_bar[0, bar[:, 0]] + log_bar[1, bar[:, 1]]
        off = set_aside.borne_off(boards, checkers)
        if off.any():
            empty = light + dark == 0
            if stood is not None:  # one that stood there before has not been borne off since
                empty &= np.add(*by_point(packed([stood]))) == 0
            points += set_aside.gained(empty, off, bar, (logs, log_bar), aside)
        return points

    def _by_point(self, stood: Position | None) -> tuple[Floats, Floats, Floats | None]:
        """What _given() has, light's points in the place of the columns."""
        if stood not in self._points_after:
            columns, bar, unexplained = self._given(stood)
            order = columns_of_points(self.light_home)
            self._points_after[stood] = columns[order], bar, None if unexplained is None else unexplained[order]
        return self._points_after[stood]

    @cached_property
    def _points_after(self) -> dict[Position | None, tuple[Floats, Floats, Floats | None]]:
        return {}

    def most_of_any(self, stood: Position | None) -> float:
        """What of_positions() says at most of any board, but for two colours on one point and checkers set aside."""
        columns, bar, unexplained = self._given(stood)
        explained = columns if unexplained is None else columns + unexplained
        return float(explained.max(axis=1).sum() + bar.max(axis=1).sum())

    @cached_property
    def of_anything(self) -> float:
        """Log-likelihood of the columns and the bar of a board that may hold anything: what is seen is what stands there."""
        return float(sum(np.log(part).max(axis=1).sum() for part in self._likelihoods))

    def of_cube(self, value: int, owner: Side | None, *, moved: bool = True) -> float:
        """Log-likelihood of the cube found, if it is worth `value` and lies with `owner` (None: centred). moved: it has been put
        there since the rest before, or else it is unseen again where it was unseen, by the same chance."""
        return self._of_cube(value, lambda seen: self._is_with(seen, owner), moved=moved)

    def of_offered_cube(self, value: int, *, moved: bool = True) -> float:
        """The same, if it is being offered at `value`: it shows the new face, on the field."""
        return self._of_cube(value, lambda seen: is_on_the_field(seen.at), moved=moved)

    def of_unknown_cube(self) -> float:
        """The same, if it may show anything and lie anywhere."""
        return cube.of_unknown(self.cube)

    def of_cube_left_about(self) -> float:
        """The same, if it was left anywhere, and lies there still: it is hardly moved but into the middle, or to be offered."""
        before = self.before.cube if self.before is not None else None
        moved = self.cube is not None and before is not None and not cube.lies_as(self.cube, before)
        return self._again(self.of_unknown_cube()) + (log(parameters.RARE) if moved else 0.0)

    def _again(self, nats: float) -> float:
        return float(np.log(repeated(np.exp(nats)))) if self._cube_repeats else nats

    @cached_property
    def _cube_repeats(self) -> bool:
        return self.before is not None and cube.repeats(self.cube, self.before.cube)

    def _of_cube(self, value: int, there: Callable[[CubeSeen], bool], *, moved: bool) -> float:
        before = self.before.cube if self.before is not None and self.before.cube_plain else None
        lies, lay = self.cube is not None and there(self.cube), before is not None and there(before)
        nats = cube.log_likelihood(self.cube, value, plain=self.cube_plain, lay_there=lay, lies_there=lies)
        return nats if moved or self.cube is not None else self._again(nats)

    def _is_with(self, seen: CubeSeen, owner: Side | None) -> bool:
        return cube.is_centred(seen) if owner is None else cube.lies_with(seen, owner, self.light_home)


def _likelihoods_of_columns(columns: Floats) -> Floats:
    piles = np.where(PILES, parameters.MISTAKEN * _neighbours(columns), 0.0)
    return np.asarray(columns + piles + parameters.MISREAD)


def _likelihoods_of_bar(bar: Floats) -> Floats:
    return np.asarray(bar + parameters.MISTAKEN * _neighbours(bar) + parameters.MISREAD)


def _neighbours(readings: Floats) -> Floats:
    """(N, contents): what is read of one checker more and one fewer."""
    padded = np.pad(readings, ((0, 0), (1, 1)))
    return np.asarray(padded[:, :-2] + padded[:, 2:])


def _apart(now: Floats, before: Floats) -> Floats:
    """(N, 1) total variation distance of each reading (N, contents) from that of before."""
    return np.asarray(0.5 * np.abs(now - before).sum(axis=1, keepdims=True))


def _of_two_colours(light: Counts, dark: Counts) -> tuple[Counts, Counts, Counts]:
    """Positions, places and checkers, (M,) each, where both sides stand on one point: read as so many of either colour."""
    position, place = np.nonzero(np.minimum(light, dark))
    return position, place, np.minimum(light[position, place] + dark[position, place], MAX_COUNT)
