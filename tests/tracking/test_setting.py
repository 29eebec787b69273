"""What the rules say of a turn is remembered while it lasts, and not for a game."""

from __future__ import annotations

from itertools import islice
from weakref import ref

from controller.rules import ALL_ROLLS, Position, Side
from controller.tracking.setting import PLAYS_KEPT, SLIPS_KEPT, Setting

START = Position.start()


def test_a_look_at_the_same_turn_works_nothing_out_again() -> None:
    setting = Setting()
    assert setting.options(START, Side.LIGHT, (3, 1)) is setting.options(START, Side.LIGHT, (3, 1))
    assert setting.slips(START, Side.LIGHT, (3, 1)) is setting.slips(START, Side.LIGHT, (3, 1))


def test_a_long_game_leaves_nothing_of_its_first_turns() -> None:
    setting = Setting()
    plays, slips = (ref(ask(START, Side.LIGHT, (3, 1))) for ask in (setting.options, setting.slips))
    later = ((play.result, roll) for play, _ in setting.plays(START, Side.LIGHT, (2, 1)) for roll in ALL_ROLLS)
    for board, roll in islice(later, max(PLAYS_KEPT, SLIPS_KEPT)):
        setting.slips(board, Side.DARK, roll)
    assert plays() is None
    assert slips() is None
