"""Weighs all positions that are made of some counts a column at once: their sum, or the best of them.

Column by column the weight of every state is carried on: how many checkers either side has so far and where. How many positions
there are doesn't matter, how many states does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from vision.reading.position_prior import AWAY, HIT, HOME, MOST, USUAL_CHECKERS

FloatArray = npt.NDArray[np.float64]
Option = tuple[int, int, float]
"""Light checkers, dark checkers, probability of one column's count."""
Options = Sequence[Option]
Ways = tuple[tuple[int, ...], tuple[int, ...]]
"""Where a side is after a column, by where it was before: with none of its checkers on the column, and with some."""
State = tuple[int, int, int, int]
"""Where light and dark are, and how many they have."""
Join = np.ufunc
"""np.add for the sum of what leads to the same state, np.maximum for the best of it."""

NOWHERE, HERE, THERE, ELSEWHERE, BAR = range(5)
"""Where a side's checkers lie so far: none seen; all in the quarter that is being looked through; all in one that was; in several;
all in one and on the bar."""
ENDS = (HOME, HOME, HOME, AWAY, HIT)
"""What that is called when all have been looked through."""
IN_QUARTER: Ways = (NOWHERE, HERE, THERE, ELSEWHERE, BAR), (HERE, HERE, ELSEWHERE, ELSEWHERE, BAR)
FIRST_OF_QUARTER: Ways = (NOWHERE, THERE, THERE, ELSEWHERE, BAR), (HERE, ELSEWHERE, ELSEWHERE, ELSEWHERE, BAR)
ON_BAR: Ways = (NOWHERE, HERE, THERE, ELSEWHERE, BAR), (BAR, BAR, BAR, ELSEWHERE, BAR)


def weight_of(tables: Sequence[Options], prior: FloatArray) -> float:
    """The weight of all positions together.

    tables: the options of the 24 columns, of the bar for light, and for dark. prior: see `position_prior.prior_of`.
    """
    last = _followed(tables, np.add)[-1]
    return float((last * _at_the_end(prior, last)).sum())


def shares_of(tables: Sequence[Options], prior: FloatArray, chosen: Mapping[int, tuple[int, int]]) -> dict[int, float]:
    """The probability that these tables, by their number, have these light and dark checkers."""
    weights = _followed(tables, np.add)
    behind = _at_the_end(prior, weights[-1])
    whole, shares = float((weights[-1] * behind).sum()), dict[int, float]()
    for number in range(len(tables) - 1, min(chosen, default=len(tables)) - 1, -1):
        before, total = weights[number], np.zeros_like(weights[number])
        for light, dark, probability in tables[number]:
            reached = probability * _reached(behind, light, dark, _ways(number), before)
            if chosen.get(number) == (light, dark):
                shares[number] = float((before * reached).sum()) / whole if whole > 0 else 0.0
            total += reached
        behind = total
    return shares


def best_of(tables: Sequence[Options], prior: FloatArray) -> list[Option]:
    """The option of each table in the likeliest position; no side gets more than 15, however many seem to lie there.

    Each table has the option of no checker.
    """
    weights = _followed(tables, np.maximum)
    total = weights[-1] * _at_the_end(prior, weights[-1])
    allowed = total[:, :, : USUAL_CHECKERS + 1, : USUAL_CHECKERS + 1]
    at = np.unravel_index(int(allowed.argmax()), allowed.shape)
    state: State = (int(at[0]), int(at[1]), int(at[2]), int(at[3]))
    picked = []
    for number in range(len(tables) - 1, -1, -1):
        option, state = _before(weights[number], tables[number], _ways(number), state)
        picked.append(option)
    return picked[::-1]


def _at_the_end(prior: FloatArray, weight: FloatArray) -> FloatArray:
    return prior[np.ix_(ENDS, ENDS)][:, :, : weight.shape[2], : weight.shape[3]]


def _ways(number: int) -> Ways:
    """How table of this number moves a side."""
    return ON_BAR if number >= 24 else FIRST_OF_QUARTER if number % 6 == 0 else IN_QUARTER


def _followed(tables: Sequence[Options], join: Join) -> list[FloatArray]:
    """(5, 5, light, dark) the weight of every state before each table and after the last, up to the most there can be so far."""
    weights = [np.zeros((5, 5, 1, 1))]
    weights[0][NOWHERE, NOWHERE] = 1
    for number, options in enumerate(tables):
        stay, enter = _ways(number)
        before = weights[-1]
        lights = min(before.shape[2] + max(light for light, _, _ in options), MOST + 1)
        darks = min(before.shape[3] + max(dark for _, dark, _ in options), MOST + 1)
        after = np.zeros((5, 5, lights, darks))
        for light, dark, probability in options:
            moved = _moved(probability * before, enter if light else stay, join)
            moved = _moved(moved.swapaxes(0, 1), enter if dark else stay, join).swapaxes(0, 1)
            moved = _cut(_cut(moved, lights - light, 2, join), darks - dark, 3, join)
            here = after[:, :, light : light + moved.shape[2], dark : dark + moved.shape[3]]
            join(here, moved, out=here)
        weights.append(after)
    return weights


def _moved(weight: FloatArray, way: tuple[int, ...], join: Join) -> FloatArray:
    """The weights of where a side was, by where it is now."""
    if way == IN_QUARTER[0]:
        return weight
    after = np.zeros_like(weight)
    for before, now in enumerate(way):
        join(after[now], weight[before], out=after[now])
    return after


def _reached(behind: FloatArray, light: int, dark: int, ways: Ways, before: FloatArray) -> FloatArray:
    """For every state before a table, what is said of the state after it with so many checkers there."""
    lights = np.minimum(np.arange(before.shape[2]) + light, behind.shape[2] - 1)
    darks = np.minimum(np.arange(before.shape[3]) + dark, behind.shape[3] - 1)
    return behind[np.ix_(ways[light > 0], ways[dark > 0], lights, darks)]


def _cut(weight: FloatArray, room: int, axis: int, join: Join) -> FloatArray:
    """No more than so many totals of a side: what is beyond counts as the last."""
    if weight.shape[axis] <= room:
        return weight
    kept, beyond = np.split(weight, [room - 1], axis)
    return np.concatenate([kept, join.reduce(beyond, axis=axis, keepdims=True)], axis)


def _before(weight: FloatArray, options: Options, ways: Ways, state: State) -> tuple[Option, State]:
    """The option by which a state is best reached, and the state before it."""
    best, found = -1.0, None
    for option in options:
        light, dark = state[2] - option[0], state[3] - option[1]
        if not (0 <= light < weight.shape[2] and 0 <= dark < weight.shape[3]):
            continue
        for one in _from(ways[option[0] > 0], state[0]):
            for other in _from(ways[option[1] > 0], state[1]):
                reached = option[2] * float(weight[one, other, light, dark])
                if reached > best:
                    best, found = reached, (option, (one, other, light, dark))
    assert found is not None
    return found


def _from(way: tuple[int, ...], now: int) -> list[int]:
    return [before for before, after in enumerate(way) if after == now]
