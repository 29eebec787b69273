"""Legal plays found the slow way, on an absolute board with directions; shares no code with the product."""

from __future__ import annotations

from collections import namedtuple

# points: 24 signed counts by light's numbers (light positive); bars and homes: (light, dark)
State = namedtuple("State", "points bars homes")


def state_of(light: tuple[int, ...], dark: tuple[int, ...], checkers: int = 15) -> State:
    """From 25 counts a side, each in its own numbers."""
    points = tuple(light[p] - dark[23 - p] for p in range(24))
    return State(points, (light[24], dark[24]), (checkers - sum(light), checkers - sum(dark)))


def counts_of(state: State) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """25 counts of light and of dark, each in its own numbers."""
    light = [max(n, 0) for n in state.points] + [state.bars[0]]
    dark = [max(-n, 0) for n in reversed(state.points)] + [state.bars[1]]
    return tuple(light), tuple(dark)


def results(state: State, dark_moves: bool, dice: tuple[int, int], forced: bool = False) -> tuple[int, set[State]]:
    """How many dice a whole play uses, and every state in which one can end. forced: a die that can bear off must."""
    step = bears_off_where_it_can if forced else one_die
    a, b = dice
    orders = [(a,) * 4] if a == b else [(a, b), (b, a)]
    ended = {0: {state}}
    used_alone = {}
    for order in orders:
        frontier = {state}
        for depth, die in enumerate(order, start=1):
            frontier = {after for before in frontier for after in step(before, dark_moves, die)}
            if not frontier:
                break
            ended.setdefault(depth, set()).update(frontier)
            if depth == 1:
                used_alone[die] = frontier
    most = max(ended)
    if most == 1 and a != b:
        return 1, used_alone[max(used_alone)]
    return most, ended[most]


def one_die(state: State, dark_moves: bool, die: int) -> set[State]:
    """Every state after one checker has moved by one die."""
    me = 1 if dark_moves else 0
    sign = -1 if dark_moves else 1
    if state.bars[me]:
        landing = die - 1 if dark_moves else 24 - die
        return land(lift_from_bar(state, me), landing, sign, me)
    found = set()
    mine = [p for p in range(24) if state.points[p] * sign > 0]
    for p in mine:
        landing = p + die if dark_moves else p - die
        lifted = state._replace(points=changed(state.points, p, -sign))
        if 0 <= landing < 24:
            found |= land(lifted, landing, sign, me)
        elif all(home(q, dark_moves) for q in mine):
            exact = landing in (-1, 24)
            behind = [q for q in mine if (q < p if dark_moves else q > p)]
            if exact or not behind:
                found.add(lifted._replace(homes=changed(lifted.homes, me, 1)))
    return found


def bears_off_where_it_can(before: State, dark_moves: bool, die: int) -> set[State]:
    found = one_die(before, dark_moves, die)
    return {after for after in found if after.homes != before.homes} or found


def home(p: int, dark_moves: bool) -> bool:
    return p >= 18 if dark_moves else p <= 5


def land(state: State, p: int, sign: int, me: int) -> set[State]:
    there = state.points[p] * sign
    if there <= -2:
        return set()
    if there == -1:
        points = (*state.points[:p], sign, *state.points[p + 1 :])
        return {state._replace(points=points, bars=changed(state.bars, 1 - me, 1))}
    return {state._replace(points=changed(state.points, p, sign))}


def lift_from_bar(state: State, me: int) -> State:
    return state._replace(bars=changed(state.bars, me, -1))


def changed(counts: tuple[int, ...], index: int, by: int) -> tuple[int, ...]:
    return (*counts[:index], counts[index] + by, *counts[index + 1 :])
