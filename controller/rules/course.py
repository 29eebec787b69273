"""The course of a turn: every board on the way to a legal play, and the single steps between them, for whoever plays by tapping."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from controller.rules.house import State, board_of, first_state, next_states
from controller.rules.play import check_dice
from controller.rules.plays import legal_plays
from controller.rules.position import OFF, Position
from controller.rules.ruleset import MATCH, RuleSet
from controller.rules.side import Side


@dataclass(frozen=True)
class Step:
    """One checker by one die or more, in the mover's numbers. then: the number of the board that it leads to."""

    source: int
    target: int
    then: int


@dataclass(frozen=True)
class Board:
    """A board in the course of a turn. legal: the turn may end with it. steps: none where nothing more can be played."""

    position: Position
    legal: bool
    steps: tuple[Step, ...]


def course(position: Position, mover: Side, dice: tuple[int, int], rules: RuleSet = MATCH) -> tuple[Board, ...]:
    """Every board from which a legal play can still be completed, the present one first. Raises RulesError for no dice.

    Where a checker can go between two points with and without a hit on its way, the step that hits less is there; the
    other one is made of two.
    """
    ends = {play.result for play in legal_plays(position, mover, check_dice(dice), rules)}
    states, onward = _explored(first_state(position, mover, check_dice(dice), rules), rules)
    boards = [board_of(state, position, mover) for state in states]
    useful = _useful(states, [board in ends for board in boards], onward)
    number = {old: new for new, old in enumerate(old for old in range(len(states)) if useful[old] or old == 0)}
    return tuple(
        Board(
            boards[old],
            boards[old] in ends,
            tuple(Step(*way, number[then]) for way, then in _longer(old, onward, states) if useful[then]),
        )
        for old in number
    )


_Edge = tuple[int, int, int]
"""From, to, and the number of the state after it."""


def _explored(first: State, rules: RuleSet) -> tuple[list[State], list[list[_Edge]]]:
    """All states, the first one first, and the ways on from each."""
    states, onward = [first], list[list[_Edge]]()
    number = {_key(first): 0}
    for here in states:  # grows while it is walked
        edges: dict[tuple[int, int, int], None] = {}
        for after in next_states(here, rules):
            if _key(after) not in number:
                number[_key(after)] = len(states)
                states.append(after)
            run = after.moves[len(here.moves) :]
            edges[run[0].source, run[-1].target, number[_key(after)]] = None
        onward.append(list(edges))
    return states, onward


def _key(state: State) -> tuple[object, ...]:
    return state.own, state.held, state.left, state.fresh


def _useful(states: list[State], ends: list[bool], onward: list[list[_Edge]]) -> list[bool]:
    """From which states a legal end can be reached. Each way on uses up dice."""
    useful = ends[:]
    for old in sorted(range(len(states)), key=lambda one: len(states[one].left)):
        useful[old] = useful[old] or any(useful[then] for _, _, then in onward[old])
    return useful


def _longer(start: int, onward: list[list[_Edge]], states: list[State]) -> Iterator[tuple[tuple[int, int], int]]:
    """The steps from a state, those of one checker that goes on among them; of two alike the one that hits less."""
    found: dict[tuple[int, int], int] = {}
    waiting = list(onward[start])
    for source, at, then in waiting:  # grows while it is walked
        best = found.setdefault((source, at), then)
        if states[then].held[0] < states[best].held[0]:
            found[source, at] = then
        if at != OFF:
            waiting += [(source, target, after) for fro, target, after in onward[then] if fro == at]
    yield from found.items()
