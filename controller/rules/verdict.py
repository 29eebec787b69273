"""Says whether a position seen after a roll is legal, by which play, or everything that is wrong with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations

from controller.rules.codes import Code
from controller.rules.house import partial_plays
from controller.rules.play import Play, check_dice
from controller.rules.plays import legal_plays
from controller.rules.position import BAR, HOME, OFF, Counts, Position
from controller.rules.reasons import Reason, reason
from controller.rules.ruleset import MATCH, RuleSet
from controller.rules.side import Side

NEAREST = 3
"""How many of the nearest legal plays a verdict names."""

MoveSequence = tuple[tuple[int, int, int], ...]
"""Single moves (source, target, die) of the mover, in order."""


@dataclass(frozen=True)
class Verdict:
    """legal: the position seen is a legal end of the turn, by `play`. reasons: else all that is wrong.

    nearest: the legal plays that differ least from what was seen, nearest first.
    """

    legal: bool
    play: Play | None
    reasons: tuple[Reason, ...]
    nearest: tuple[Play, ...]


def judge(position: Position, mover: Side, dice: tuple[int, int], seen: Position, rules: RuleSet = MATCH) -> Verdict:
    """The verdict on a turn: before, roll, and the position now seen.

    A last checker borne off with one die counts even where another play would have used both: the game is over and
    nothing about it changes. Raises RulesError for impossible dice.
    """
    roll = check_dice(dice)
    plays = legal_plays(position, mover, roll, rules)
    for play in plays:
        if play.result == seen:
            return Verdict(True, play, (), (play,))
    nearest = tuple(sorted(plays, key=lambda p: distance(p.result, seen))[:NEAREST])
    for play in partial_plays(position, mover, roll, rules):
        if play.result == seen:
            if not any(seen.own(mover)):
                return Verdict(True, play, (), (play,))
            return Verdict(False, None, (_incomplete(position, mover, roll, plays, rules),), nearest)
    return Verdict(False, None, _explain(position, mover, roll, seen, rules), nearest)


def distance(one: Position, other: Position) -> int:
    """How many checkers stand elsewhere, both sides together, counted by points that differ."""
    pairs = ((one.light, other.light), (one.dark, other.dark))
    return sum(abs(a - b) for mine, theirs in pairs for a, b in zip(mine, theirs, strict=True))


def _incomplete(
    position: Position, mover: Side, roll: tuple[int, int], plays: tuple[Play, ...], rules: RuleSet
) -> Reason:
    """Why a play of correct single moves is not a whole turn."""
    high, low = roll
    most = max(len(play.moves) for play in plays)
    if high == low:
        return reason(Code.BOTH_DICE_PLAYABLE, die=high, times=most)
    if most > 1:
        return reason(Code.BOTH_DICE_PLAYABLE)
    larger, smaller = (
        any(len(play.moves) == 1 for play in partial_plays(position, mover, (die, die), rules)) for die in (high, low)
    )
    if larger and smaller and not rules.move.larger_die:
        return _mismatch(roll)
    return reason(Code.LARGER_DIE, die=high if larger else low)


def _explain(
    position: Position, mover: Side, roll: tuple[int, int], seen: Position, rules: RuleSet
) -> tuple[Reason, ...]:
    """All that is wrong, by the way of moving that breaks the fewest rules."""
    own, now = position.own(mover), seen.own(mover)
    dice = roll if roll[0] != roll[1] else (roll[0],) * rules.move.doubles
    sequences = [_broken(position, mover, sequence, roll, seen, rules) for sequence in _move_sequences(own, now, dice)]
    if sequences:
        return min(sequences, key=len) or (_mismatch(roll),)
    arrived = {point + 1 for point in range(24) if now[point] > own[point]}
    counts = _counts(position, mover, seen)
    mismatch = () if counts or own == now else (_mismatch(roll),)
    return (mismatch + counts + _other_side(position, mover, arrived, seen)) or (_mismatch(roll),)


def _mismatch(roll: tuple[int, int]) -> Reason:
    return reason(Code.NOT_THE_ROLL, dice=f"{roll[0]}-{roll[1]}")


def _counts(position: Position, mover: Side, seen: Position) -> tuple[Reason, ...]:
    """The mover has more checkers than before the roll, or lost some while others are not home yet."""
    before, after = sum(position.own(mover)), sum(seen.own(mover))
    if after > before or (after < before and any(seen.own(mover)[HOME:])):
        return (reason(Code.WRONG_NUMBER_OF_CHECKERS, side=mover, count=after + position.off(mover)),)
    return ()


def _move_sequences(before: Counts, after: Counts, dice: tuple[int, ...]) -> Iterator[MoveSequence]:
    """Every way to carry the mover's checkers from one set of counts to the other by some of the dice, rules aside."""
    borne_off = sum(before) - sum(after)
    if borne_off < 0:
        return
    own, want = [0, *before], [borne_off, *after]
    doubles = len(set(dice)) == 1
    for order in dict.fromkeys(permutations(dice)):
        for used in range(1, len(order) + 1):
            yield from _carry(own, want, order[:used], BAR if doubles else 0)


def _carry(own: list[int], want: list[int], order: tuple[int, ...], rearmost: int) -> Iterator[MoveSequence]:
    """One checker by the first die of the order, then the rest. rearmost: no source behind it, 0 for any (equal dice
    are tried from the rear forwards only; any other order comes to the same)."""
    if not order:
        if own == want:
            yield ()
        return
    if sum(abs(a - b) for a, b in zip(own, want, strict=True)) > 2 * len(order):
        return
    die = order[0]
    for source in range(rearmost or BAR, 0, -1):
        if not own[source]:
            continue
        target = max(source - die, OFF)
        own[source] -= 1
        own[target] += 1
        for rest in _carry(own, want, order[1:], source if rearmost else 0):
            yield ((source, target, die), *rest)
        own[source] += 1
        own[target] -= 1


def _broken(
    position: Position, mover: Side, sequence: MoveSequence, roll: tuple[int, int], seen: Position, rules: RuleSet
) -> tuple[Reason, ...]:
    """The rules that a way of moving breaks, and what the opponent's checkers show."""
    own = [0, *position.own(mover)]
    held = _by_movers_points(position.own(mover.other))
    limit, by_the_total = rules.move.stack_limit, rules.move.intermediate == "endpoint-only"
    passed = _passed_over(sequence) if by_the_total or not rules.move.hit_on_touch else frozenset()
    free = passed if by_the_total else frozenset()
    found: list[Reason] = []
    for source, target, die in sequence:
        if own[BAR] and source != BAR:
            found.append(reason(Code.BAR_FIRST))
        if target == OFF:
            found.extend(_bear_off_broken(own, source, die, roll, rules))
        elif held[target] > 1 and target not in free:
            found.append(reason(Code.BLOCKED_POINT, point=target, side=mover.other))
        own[source] -= 1
        own[target] += 1
        if limit and target != OFF and own[target] > limit and target not in free:
            found.append(reason(Code.TOO_MANY_ON_POINT, limit=limit, point=target))
    landed = {target for _, target, _ in sequence} - (frozenset() if rules.move.hit_on_touch else passed)
    found.extend(_other_side(position, mover, landed, seen))
    return tuple(dict.fromkeys(found))


def _passed_over(sequence: MoveSequence) -> frozenset[int]:
    """Points from which every checker that came there went on with another die; one that enters from the bar has come to stay."""
    went_on, came = Counter(source for source, _, _ in sequence), Counter(target for _, target, _ in sequence)
    entered = {target for source, target, _ in sequence if source == BAR}
    return frozenset(point for point, times in came.items() if times == went_on[point] and point not in entered)


def _bear_off_broken(
    own: list[int], source: int, die: int, roll: tuple[int, int], rules: RuleSet
) -> tuple[Reason, ...]:
    """Why this checker may not go off with this die."""
    if any(own[HOME + 1 :]):
        return (reason(Code.BORE_OFF_EARLY),)
    rearmost = max(point for point in range(1, HOME + 1) if own[point])
    if rearmost > source and (die > source or rules.bearoff.order == "rear-first"):
        return (reason(Code.CHECKER_FURTHER_BACK, point=rearmost),)
    if die > source and rules.bearoff.excess == "exact-only":
        return (_mismatch(roll),)
    return ()


def _by_movers_points(other: Counts) -> list[int]:
    """The opponent's counts by the mover's point numbers; [0] is the opponent's bar."""
    return [other[24], *other[23::-1], 0]


def _other_side(position: Position, mover: Side, landed: set[int], seen: Position) -> tuple[Reason, ...]:
    """What is wrong with the opponent's checkers after moves that landed on these points."""
    before, now = _by_movers_points(position.own(mover.other)), _by_movers_points(seen.own(mover.other))
    hits = {point for point in landed if point != OFF and before[point] == 1}
    settled = {point for point in landed if point != OFF and before[point]}
    found: list[Reason] = []
    bar_is_short = now[0] < before[0] + len(hits)
    if hits and (bar_is_short or any(now[point] for point in hits)):
        found.append(reason(Code.HIT_CHECKER_NOT_ON_BAR))
    elif sum(now) != sum(before):
        found.append(
            reason(Code.WRONG_NUMBER_OF_CHECKERS, side=mover.other, count=sum(now) + position.off(mover.other))
        )
    differ = [str(point) for point in range(1, BAR) if point not in settled and now[point] != before[point]]
    if differ:
        found.append(reason(Code.OTHER_SIDE_MOVED, side=mover.other, points=", ".join(differ)))
    return tuple(found)
