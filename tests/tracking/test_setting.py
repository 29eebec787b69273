"""What the rules say of a turn is remembered while it lasts, and not for a game."""

from __future__ import annotations

from itertools import islice
from weakref import ref

import pytest

from controller.rules import ALL_ROLLS, MATCH, MatchScore, Position, Side, ruleset_over
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


@pytest.mark.parametrize(
    ("words", "score", "centred"),
    [
        ((), None, (1,)),
        (("cube.auto_doubles=1",), None, (1, 2)),
        (("cube.auto_doubles=9",), None, (1, 2, 4, 8, 16, 32)),
        (("cube.auto_doubles=2",), MatchScore(1), (1,)),
    ],
)
def test_nobodys_cube_shows_what_equal_dice_of_the_draw_may_make_of_it(
    words: tuple[str, ...], score: MatchScore | None, centred: tuple[int, ...]
) -> None:
    assert Setting(ruleset_over(MATCH, None, words), score=score).centred == centred


def test_what_has_not_changed_is_the_same_setting() -> None:
    """A session begins its tracker anew where the setting is another."""
    assert Setting(score=MatchScore(5)) == Setting(score=MatchScore(5))
    assert Setting(score=MatchScore(5)) != Setting(score=MatchScore(5, light=1))
