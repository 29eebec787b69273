"""The general generator: plays under any rule set, for the house rules that the fast generator does not know.

A play is made of runs: one checker carried by one die or more. Under the usual rule a run of several dice is no more
than its single steps; where only the end of a run must be open, or only its end hits, it differs.
Written to be read against docs/rules.md; speed comes second.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from controller.rules.play import Move, Play
from controller.rules.position import BAR, HOME, OFF, Position, from_mover
from controller.rules.ruleset import RuleSet
from controller.rules.side import Side


@dataclass(frozen=True)
class State:
    """own[p]: the mover's checkers on point p (0: off, 25: bar); held[p]: the opponent's on it, held[0] his bar.

    fresh: points on which a run of this play ended with a hit; where a checker's way hits only at its end, the one that
    hit there has ended its way. A checker that entered with a hit may go on: entering is a move of its own.
    """

    own: tuple[int, ...]
    held: tuple[int, ...]
    left: tuple[int, ...]
    moves: tuple[Move, ...] = ()
    fresh: frozenset[int] = frozenset()


def house_plays(position: Position, mover: Side, dice: tuple[int, int], rules: RuleSet) -> tuple[Play, ...]:
    """All plays of a roll under these rules, one for each result. A dance is one play without moves."""
    states = _walk(first_state(position, mover, dice, rules), rules)
    if rules.move.compulsory:
        states = _only_complete(states, rules)
    return _one_for_each_result(states, position, mover)


def partial_plays(position: Position, mover: Side, dice: tuple[int, int], rules: RuleSet) -> tuple[Play, ...]:
    """Everything that legal single moves reach, however few of the dice they use; the first has no moves."""
    free = replace(rules, move=replace(rules.move, compulsory=False))
    return house_plays(position, mover, dice, free)


def first_state(position: Position, mover: Side, dice: tuple[int, int], rules: RuleSet) -> State:
    """Before the first move of a roll."""
    own, other = position.own(mover), position.own(mover.other)
    left = dice if dice[0] != dice[1] else (dice[0],) * rules.move.doubles
    return State((0, *own), (other[24], *other[23::-1], 0), left)


def _walk(state: State, rules: RuleSet) -> list[State]:
    """Every state that can be reached, the first included, each once."""
    seen: dict[tuple[object, ...], State] = {}
    waiting = [state]
    while waiting:
        here = waiting.pop()
        key = (here.own, here.held, here.left, here.fresh)
        if key not in seen:
            seen[key] = here
            waiting.extend(next_states(here, rules))
    return list(seen.values())


def next_states(state: State, rules: RuleSet) -> Iterator[State]:
    """The states after one more run."""
    longest = len(state.left) if rules.move.intermediate == "endpoint-only" or not rules.move.hit_on_touch else 1
    for source in range(BAR, 0, -1):
        if state.own[source] and (source == BAR or not state.own[BAR]) and _may_leave(state, source):
            yield from _runs(state, source, source, state.left, (), longest, rules)


def _may_leave(state: State, source: int) -> bool:
    """Not so for the one checker that ended its way here with a hit."""
    return source not in state.fresh or state.own[source] > 1


def _runs(
    state: State,
    source: int,
    at: int,
    left: tuple[int, ...],
    steps: tuple[Move, ...],
    longest: int,
    rules: RuleSet,
) -> Iterator[State]:
    """Carries the checker from source, now at `at`, by one die more, and on while the run may be longer."""
    for die in dict.fromkeys(left):
        target = max(at - die, OFF)
        rest = _without(left, die)
        if target == OFF and not _may_bear_off(state, source, at, die, rules):
            continue
        if rules.bearoff.forced and target != OFF and _could_bear_off(state, source, at, die, rules):
            continue
        may_end = _may_end(state, source, target, rules)
        if may_end:
            yield _landed(state, source, (*steps, Move(at, target)), rest, rules)
        may_pass = rules.move.intermediate == "endpoint-only" or may_end
        if target != OFF and at != BAR and len(steps) + 1 < longest and rest and may_pass:
            yield from _runs(state, source, target, rest, (*steps, Move(at, target)), longest, rules)


def _landed(state: State, source: int, steps: tuple[Move, ...], left: tuple[int, ...], rules: RuleSet) -> State:
    """The state after a run, with its hits."""
    own, held, moves = list(state.own), list(state.held), []
    own[source] -= 1
    own[steps[-1].target] += 1
    fresh = set(state.fresh)
    for step in steps:
        ends_here = step is steps[-1]
        hit = step.target != OFF and held[step.target] == 1 and (ends_here or rules.move.hit_on_touch)
        if hit:
            held[step.target] -= 1
            held[0] += 1
            if not rules.move.hit_on_touch and source != BAR:
                fresh.add(step.target)
        moves.append(Move(step.source, step.target, hit))
    return State(tuple(own), tuple(held), left, state.moves + tuple(moves), frozenset(fresh))


def _may_end(state: State, source: int, target: int, rules: RuleSet) -> bool:
    """Whether the checker that set out from source may be set down there: nobody holds it, and there is room."""
    limit = rules.move.stack_limit
    has_room = not limit or state.own[target] - (source == target) < limit
    return target == OFF or (state.held[target] < 2 and has_room)


def _may_bear_off(state: State, source: int, at: int, die: int, rules: RuleSet) -> bool:
    """Whether the checker that set out from source and is now at `at` may go off with this die."""
    others = list(state.own)
    others[source] -= 1
    if at > HOME or any(others[HOME + 1 :]):
        return False
    rearmost = not any(others[at + 1 :])
    if die > at:
        return rearmost and rules.bearoff.excess == "bear-off-rearmost"
    return rearmost or rules.bearoff.order == "standard"


def _could_bear_off(state: State, source: int, at: int, die: int, rules: RuleSet) -> bool:
    """Whether another checker could go off with this die instead, once the one that set out from source stands at `at`."""
    if at != source and not _may_end(state, source, at, rules):
        return False
    own = list(state.own)
    own[source] -= 1
    own[at] += 1
    stands = replace(state, own=tuple(own))
    return any(
        own[p] and _may_leave(stands, p) and _may_bear_off(stands, p, p, die, rules)
        for p in range(1, min(die, HOME) + 1)
    )


def _only_complete(states: list[State], rules: RuleSet) -> list[State]:
    """Leaves out what uses too few dice, or the wrong one."""
    if rules.move.maximise_dice:
        most = max(len(s.moves) for s in states)
        complete = [s for s in states if len(s.moves) == most]
    else:
        stuck = [s for s in states if not any(True for _ in next_states(s, rules))]
        # Where a hit ends every way there is, whoever has hit has done all he can.
        complete = [s for s in stuck if not _could_go_on(s, rules)] or stuck
        most = max(len(s.moves) for s in complete)
    if most == 1 and rules.move.larger_die:
        fewest = min(s.left for s in complete)
        complete = [s for s in complete if s.left == fewest]
    return complete


def _could_go_on(state: State, rules: RuleSet) -> bool:
    """Some die left could still be played, were it by a checker that has just hit: it need not have stopped there."""
    return any(True for _ in next_states(replace(state, fresh=frozenset()), rules))


def _one_for_each_result(states: list[State], position: Position, mover: Side) -> tuple[Play, ...]:
    plays: dict[Position, Play] = {}
    for state in states:
        result = board_of(state, position, mover)
        plays.setdefault(result, Play(state.moves, result))
    return tuple(plays.values())


def board_of(state: State, before: Position, mover: Side) -> Position:
    """The board as it stands in a state. before: the one at the start of the turn."""
    held = state.held
    return from_mover(mover, state.own[1:], (*held[24:0:-1], held[0]), before.checkers)


def _without(left: tuple[int, ...], die: int) -> tuple[int, ...]:
    index = left.index(die)
    return left[:index] + left[index + 1 :]
