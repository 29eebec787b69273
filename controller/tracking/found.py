"""A board whose past nobody saw: which positions of a game it may show, how likely each is, and where its turn may stand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from math import inf, log, log2

import numpy as np

from controller.rules import ALL_ROLLS, BAR_INDEX, HOME, MatchScore, Position, RuleSet, Side
from controller.tracking import parameters as p
from controller.tracking.best_fit import best_fit
from controller.tracking.dice import log_prior_of_roll
from controller.tracking.evidence import Evidence
from controller.tracking.hypothesis import Offered, Throw, Thrown, ToRoll, UnderWay
from controller.tracking.orientation import POINTS, columns_of, position_of
from controller.tracking.setting import Setting
from vision.observation import MAX_COUNT

OWNED: tuple[tuple[int, Side], ...] = tuple((1 << power, side) for power in range(1, 7) for side in Side)
"""Every value of a cube that somebody owns, and who does."""

TIED = 1 / 6
"""Chance of equal dice in the draw for the start."""

OFFERED = log(p.RARE)
WITHOUT_OFFER = 3
"""Somebody is on roll, has thrown, or has moved something."""
OTHERWISE = log((1 - p.RARE) / WITHOUT_OFFER)
"""Where a turn stands that is found: the cube is offered; else one of those."""

FoundStage = ToRoll | Thrown | UnderWay | Offered


def fit_of(evidence: Evidence, checkers: int) -> Position:
    """What seems to stand there, whatever has been borne off."""
    return best_fit(evidence, (0, 0), checkers, slack=checkers)


def boards(evidence: Evidence, setting: Setting) -> list[tuple[Position, float, bool]]:
    """What may stand there between two turns, or in one, with the log-prior, and whether it is surely read: no other reading of
    the board is much likelier."""
    readings = list(dict.fromkeys(_readings(evidence, setting.start.checkers)))
    likely = evidence.of_positions([*readings, setting.start])
    if setting.start not in readings and likely[-1] >= likely.max() - p.KEEPS:
        readings.append(setting.start)
    likely = likely[: len(readings)]
    priors = [log_prior(board, setting) for board in readings]
    total = likely + priors
    best = np.argsort(-total, kind="stable")[: p.WIDTH]
    surely = likely >= likely.max() - p.KEEPS
    return [(readings[i], priors[i], bool(surely[i])) for i in best if total[i] >= total[best[0]] - p.DEPTH]


def is_seen(evidence: Evidence) -> bool:
    """Every column and the bar were seen: a position is surely read only then."""
    return bool(evidence.seen.min() > p.SURELY)


def log_prior(board: Position, setting: Setting, in_hand: Side | None = None) -> float:
    """Log-probability of a position of which nothing is known. in_hand: that side is moving, and may hold one of its checkers."""
    if board == setting.start:
        return log(p.NEXT)
    outside = [sum(board.own(side)[HOME:]) if board.off(side) > (side is in_hand) else 0 for side in Side]
    odd = sum(number > 1 for number in outside)
    # Of one that is missing it may be that a hand holds it, or that it was not seen on the bar.
    several = [number > 1 and board.off(side) > 1 for side, number in zip(Side, outside, strict=True)]
    stragglers = log(p.STRAGGLER) * (sum(number == 1 for number in outside) + sum(several))
    entering = log(p.RARE) if in_hand and board.own(in_hand)[BAR_INDEX] else 0.0  # two lay there, and one has entered
    odd += any(board.off(side) >= board.checkers for side in Side)
    of_any = p.UNKNOWN_BOARD + log(p.AGAINST_SENSE) * (odd + is_set_up(board, setting)) + stragglers + entering
    first_turn = _after_one_turn(setting).get(board)
    return of_any if first_turn is None else max(of_any, log(p.NEXT) + log(p.UNUSUAL) + first_turn)


def is_odd(board: Position, setting: Setting) -> bool:
    """Whether it shows anything that hardly any position between two turns does."""
    return log_prior(board, setting) < p.UNKNOWN_BOARD


def is_set_up(board: Position, setting: Setting) -> bool:
    """Points of the start position and no others, or a checker or two of it elsewhere than each side's first play puts them; or
    two of each side's, in the same way."""
    start = setting.start
    pairs = list(zip((*board.light, *board.dark), (*start.light, *start.dark), strict=True))
    if all(there <= wanted for there, wanted in pairs):
        return True
    if sum(max(there - wanted, 0) for there, wanted in pairs) > (4 if board.light == board.dark else 2):
        return False
    each_alone = replace(start, light=board.light), replace(start, dark=board.dark)
    return not all(one == start or one in _after_one_turn(setting) for one in each_alone)


def _after_one_turn(setting: Setting) -> dict[Position, float]:
    """What may stand after the first turn of a game, with its log-probability, whoever begins."""
    return _first_turns(setting.rules, setting.start)


@lru_cache(maxsize=4)  # asked for each board that is thought of
def _first_turns(rules: RuleSet, start: Position) -> dict[Position, float]:
    setting, chances = Setting(rules, start), dict[Position, float]()
    for side in Side:
        for roll in ALL_ROLLS:
            for play, among in setting.plays(start, side, roll):
                chance = log_prior_of_roll(roll) + among + log(1 / len(Side))
                chances[play.result] = float(np.logaddexp(chances.get(play.result, -inf), chance))
    return chances


def _readings(evidence: Evidence, checkers: int) -> Iterator[Position]:
    """The likeliest board, and those that differ from it in one column, or in two: a checker has gone from the one to the other, or
    they are each read as the other side's, and only one of them can be."""
    fit = fit_of(evidence, checkers)
    yield fit
    if not fit.off(Side.LIGHT) == fit.off(Side.DARK) == 0:
        yield best_fit(evidence, (0, 0), checkers)
    columns = columns_of([fit], evidence.light_home)[0]
    bar = fit.light[BAR_INDEX], fit.dark[BAR_INDEX]
    logs, _ = evidence.logs_after(None)
    loss = logs[np.arange(POINTS), MAX_COUNT + columns][:, None] - logs
    near = sorted((loss[at], *at) for at in map(tuple, np.argwhere((loss < p.KEEPS) & (loss != 0))))[: p.BEAM]
    others = [(int(column), int(content) - MAX_COUNT) for _, column, content in near]
    changes: list[tuple[tuple[int, int], ...]] = [(one,) for one in others]
    changes += [(one, two) for i, one in enumerate(others) for two in others[i + 1 :] if one[0] != two[0]]
    for change in changes:
        read = columns.copy()
        for column, content in change:
            read[column] = content
        light, dark = np.maximum(read, 0).sum() + bar[0], np.maximum(-read, 0).sum() + bar[1]
        if max(light, dark) <= checkers:
            yield position_of(read, bar, evidence.light_home, checkers)


def every_cube(setting: Setting) -> list[tuple[int, Side | None]]:
    """Every value of the cube and its owner; in the middle it shows 1, or what equal dice of the draw have made of it."""
    return [*((value, None) for value in setting.centred), *OWNED]


def cubes(evidence: Evidence, setting: Setting, *, offered: bool) -> list[tuple[int, Side | None]]:
    """Where the cube may lie, and what it may show, before it was offered where it is."""
    if not setting.cube_in_play:
        return [(1, None)]
    states = every_cube(setting)
    if offered:
        states = [(value, owner) for value, owner in states if value < 64]
        scores = np.array([evidence.of_offered_cube(2 * value) for value, _ in states])
    else:
        scores = np.array([evidence.of_cube(value, owner) for value, owner in states])
    return [states[i] for i in np.flatnonzero(scores >= scores.max() - p.KEEPS)]


def cubes_before(evidence: Evidence, setting: Setting) -> dict[tuple[int, Side | None], float]:
    """Log-likelihood of what was seen of the cube at the rest before, by where it lay, less than the likeliest's; nobody offers,
    takes and puts it away between two rests of one board."""
    every = every_cube(setting)
    if evidence.before is None:
        return dict.fromkeys(every, 0.0)
    lay = {one: evidence.before.of_cube(*one) for one in every}
    return {one: nats - max(lay.values()) for one, nats in lay.items()}


def log_prior_of_cube(
    value: int, owner: Side | None, lay: tuple[int, Side | None] | None, score: MatchScore | None
) -> float:
    """Log-probability of one place of a cube that shows so much. lay: as it lay when track was lost, where it mostly lies still.

    Where nobody knows, a centred one is as likely as all others. Hardly anybody doubles who wins the match with the cube as it is.
    """
    if owner is None:
        of_any = 0.5 * TIED ** log2(value)
    else:
        of_any = 0.5 / len(Side) * (1 - p.DOUBLED_ON) * p.DOUBLED_ON ** (log2(value) - 1)
    if score is not None and score.length and owner is not None:
        doublers = [(owner.other if turned % 2 else owner, value >> turned) for turned in range(1, value.bit_length())]
        of_any *= p.AGAINST_SENSE ** sum(then >= (score.away(side) or 0) for side, then in doublers)
    return log(of_any if lay is None else p.UNUSUAL * of_any + (1 - p.UNUSUAL) * (lay == (value, owner)))


def stages(
    evidence: Evidence, setting: Setting, rolls: dict[Side, tuple[tuple[int, int], ...]]
) -> Iterator[tuple[FoundStage, float]]:
    """Where the turn may stand, with its log-prior. rolls: those of each side that the dice seen may be."""
    half = log(0.5)
    yield ToRoll(None), OTHERWISE
    for side in Side:
        yield UnderWay(side), OTHERWISE + half
        if setting.cube_in_play and evidence.cube is not None:
            yield Offered(side), OFFERED + half
        for roll in rolls[side]:
            chance = 0.0 if evidence.of_dice.lie_on() else log_prior_of_roll(roll)
            yield Thrown(Throw(side, roll), fresh=True), OTHERWISE + half + chance
