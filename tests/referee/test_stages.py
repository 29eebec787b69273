"""What a session remembers between two events: dice that were left lying, and how long nobody has seen the board."""

from __future__ import annotations

from dataclasses import replace

from controller.referee.stages import ClearView, LyingDice
from controller.rules import Position, Side
from tests.tracking.eyes import Eyes, thrown

EYES = Eyes()
START = Position.start()


def test_dice_that_were_left_lying_are_nobodys_roll_until_all_are_lifted() -> None:
    seen = EYES.look(START, thrown(Side.LIGHT, 6, 2))
    lying = LyingDice(seen.dice)
    lying, rest = lying.without(replace(seen, dice=(*seen.dice[:1], *EYES.look(START, thrown(Side.DARK, 5, 4)).dice)))
    assert [die.value for die in rest.dice] == [5, 4]
    assert lying == LyingDice(seen.dice)
    lying, rest = lying.without(EYES.look(START))
    assert (lying, rest.dice) == (LyingDice(), ())
    assert lying.without(seen) == (LyingDice(), seen)


def test_the_view_is_blocked_since_the_last_still_look_or_the_first_of_all() -> None:
    still = EYES.look(START)
    moving = replace(still, still=False)
    view = ClearView()
    assert view.blocked_for(99.0) == 0.0
    view = view.after(replace(moving, seconds=0.0)).after(replace(moving, seconds=7.0))
    assert view.blocked_for(10.0) == 10.0
    view = view.after(replace(still, seconds=12.0)).after(replace(moving, seconds=15.0))
    assert view.blocked_for(20.0) == 8.0
