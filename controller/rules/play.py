"""A play (the whole turn) and the moves (one checker, one die) that it is made of."""

from __future__ import annotations

from typing import NamedTuple

from controller.rules.errors import RulesError
from controller.rules.position import Position

Dice = tuple[int, int]


class Move(NamedTuple):
    """One checker by one die, in the mover's numbers: 25 is the bar, 0 is off. hit: it sends a blot to the bar."""

    source: int
    target: int
    hit: bool = False


class Play(NamedTuple):
    """A whole turn: its moves in an order in which each is possible, and the position it ends in. No moves: a dance."""

    moves: tuple[Move, ...]
    result: Position

    def __repr__(self) -> str:
        steps = " ".join(f"{m.source}/{m.target}{'*' if m.hit else ''}" for m in self.moves)
        return f"<Play {steps or 'dance'}>"


_ROLLS: dict[tuple[int, ...], Dice] = {(a, b): (max(a, b), min(a, b)) for a in range(1, 7) for b in range(1, 7)}


def check_dice(dice: tuple[int, ...]) -> Dice:
    """The two dice, larger first. Raises RulesError unless they are two numbers from 1 to 6."""
    roll = _ROLLS.get(tuple(dice))
    if roll is None:
        raise RulesError(f"A roll is two numbers from 1 to 6, not {dice!r}.")
    return roll
