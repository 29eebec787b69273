"""Beavers, raccoons and resignations as they happen: at the desk, under the camera, in the record, and by check."""

from __future__ import annotations

import pytest

from controller.record.check import check
from controller.record.from_events import record_of
from controller.record.model import RefusedAction, ResignAction
from controller.referee.events import (
    Beavered,
    Doubled,
    Found,
    GameEnded,
    Passed,
    Raccooned,
    ResignOffered,
    ResignRefused,
    Taken,
)
from controller.referee.folding import fold
from controller.referee.turns import Phase
from controller.rules import MONEY, PRESETS, Side, parse_ruleset, position_id
from tests.referee.table import OWNED_BY_LIGHT, Board
from tests.referee.test_commands import Hand

LIGHT, DARK = Side.LIGHT, Side.DARK
RACCOONS = parse_ruleset("money", ["cube.raccoon=true"])
CUBE = (Doubled, Beavered, Raccooned, Taken, Passed)
UNFINISHED = ("game 1 is not finished.",)


def opened(rules: str = "money", *keys: str, length: int = 0) -> Hand:
    """Light has played, and dark is on roll."""
    hand = Hand(length, parse_ruleset(rules, keys))
    hand.turn((3, 1), "8/5 6/5", "light")
    return hand


class TestAtTheDesk:
    def test_a_beaver_keeps_the_cube_and_the_doubler_plays_on_for_four(self) -> None:
        hand = opened()
        hand.say("double")
        hand.say("beaver")
        assert (hand.state.cube, hand.state.owner, hand.state.offered_to) == (2, LIGHT, DARK)
        hand.say("take")
        assert (hand.state.cube, hand.state.owner, hand.state.turn) == (4, LIGHT, DARK)
        hand.turn((6, 2), "24/18 13/11")
        hand.say("resign", side="light", level=2)
        assert hand.state.score.points(DARK) == 8
        assert check(record_of(hand.said)).problems == ()

    @pytest.mark.parametrize(("cube", "beavers"), [(4, 1), (8, 1), (2, 0)])
    def test_a_gap_hides_no_beaver_of_its_game(self, cube: int, beavers: int) -> None:
        hand = opened()
        hand.say("double")
        hand.say("beaver")
        hand.say("take")
        stands = position_id(hand.state.position, LIGHT)
        gap = Found(position=stands, cube=cube, owner=LIGHT, lost=60.0, seconds=hand.now)
        assert fold((*hand.said, gap)).beavers == beavers

    def test_a_beaver_is_passed_at_two(self) -> None:
        hand = opened()
        hand.say("double")
        hand.say("beaver")
        hand.say("pass")
        assert (hand.state.score.points(LIGHT), hand.state.phase) == (2, Phase.GAME_OVER)
        assert check(record_of(hand.said)).problems == ()

    @pytest.mark.parametrize(("owner", "side"), [("beaverer", LIGHT), ("doubler", DARK)])
    def test_a_raccoon_makes_eight_of_it(self, owner: str, side: Side) -> None:
        hand = opened("money", "cube.raccoon=true", f"cube.raccoon_owner={owner}")
        for kind in ("double", "beaver", "raccoon", "take"):
            hand.say(kind)
        assert (hand.state.cube, hand.state.owner, hand.state.turn) == (8, side, DARK)
        assert [event.value for event in hand.said if isinstance(event, Doubled | Beavered | Raccooned)] == [2, 4, 8]
        assert check(record_of(hand.said)).problems == UNFINISHED

    def test_what_the_rules_forbid_is_refused_with_why(self) -> None:
        hand = opened("text-002", length=5)
        hand.say("double")
        assert hand.refused("beaver") == "No beaver here: 0 allowed in one game."
        hand = opened()
        hand.say("double")
        assert hand.refused("raccoon") == "No raccoon here."
        hand.say("beaver")
        assert hand.refused("beaver") == "No beaver here: 1 allowed in one game."
        strict = opened("money", "cube.doubler_may_refuse=false")
        assert strict.refused("beaver") == "No double is offered."
        strict.say("double")
        strict.say("beaver")
        assert strict.refused("pass") == "The beaver must be taken."

    def test_a_beaver_is_taken_back(self) -> None:
        hand = opened()
        hand.say("double")
        before = hand.state
        hand.say("beaver")
        hand.say("undo")
        assert (hand.state.cube, hand.state.offered_to, hand.state.beavers) == (1, LIGHT, 0)
        assert hand.state.turns == before.turns


class TestResigning:
    def test_an_offer_is_refused_and_the_game_goes_on_until_a_higher_one_is_accepted(self) -> None:
        hand = opened("text-002", length=7)
        hand.say("resign-offer", side="dark", level=1)
        assert isinstance(hand.state.resigning, ResignOffered)
        hand.say("resign-refuse")
        assert hand.state.resigning is None
        assert hand.refused("resign-accept") == "Nobody offers to resign."
        hand.turn((6, 2), "24/18 13/11")
        hand.turn((4, 4), "24/20(2) 13/9(2)")
        hand.say("resign-offer", side="dark", level=2)
        hand.say("resign-accept")
        assert (hand.state.score.points(LIGHT), hand.state.phase) == (2, Phase.GAME_OVER)
        record = record_of(hand.said)
        found = [action for action in record.games[0].actions if isinstance(action, RefusedAction | ResignAction)]
        assert [(type(one), one.player, one.level) for one in found] == [(RefusedAction, 1, 1), (ResignAction, 1, 2)]
        assert check(record).problems == ()

    def test_playing_on_refuses_it_without_a_word(self) -> None:
        hand = opened("text-002", length=7)
        hand.say("resign-offer", side="dark", level=1)
        hand.turn((6, 2), "24/18 13/11")
        assert hand.state.resigning is None
        assert [action.kind for action in record_of(hand.said).games[0].actions] == [
            "play",
            "refused",
            "play",
        ]

    def test_where_nobody_may_refuse_an_offer_ends_the_game(self) -> None:
        hand = opened("text-002", "resign.may_refuse=false", length=7)
        (end,) = hand.say("resign-offer", side="dark", level=1)
        assert isinstance(end, GameEnded)
        assert end.points == 1

    def test_an_offer_counts_only_before_the_own_roll_and_is_taken_back(self) -> None:
        hand = opened("text-002", length=7)
        assert hand.refused("resign-offer", side="light", level=1) == "Resign only before your own roll."
        hand.say("resign-offer", side="dark", level=1)
        hand.say("undo")
        assert hand.state.resigning is None
        hand.say("roll", dice=[6, 2])
        assert hand.refused("resign-offer", side="dark", level=1) == "Resign only before your own roll."

    def test_text_000_counts_the_checkers_where_they_stand(self) -> None:
        hand = Hand(0, PRESETS["text-000"])
        hand.say("draw", light=2, dark=5)
        hand.turn((3, 1), "8/5 6/5")
        hand.say("resign-offer", side="dark", level=1)
        hand.say("resign-accept")
        assert hand.state.score.points(LIGHT) == 2 * 4 + 5 * 3 + 3 * 2 + 5 * 1
        assert check(record_of(hand.said)).problems == ()

    def test_an_answer_of_any_kind_stays_with_its_name(self) -> None:
        hand = opened("text-002", length=7)
        hand.say("resign-offer", side="dark", level=1)
        assert [type(event) for event in hand.say("resign-refuse")] == [ResignRefused]


class TestUnderTheCamera:
    def test_a_beaver_is_seen_and_the_next_roll_takes_it(self) -> None:
        table = Board(length=0, rules=MONEY)
        table.opening(3, 1, (8, 5), (6, 5))
        table.offers(2)
        table.cube, table.cube_at = 4, OWNED_BY_LIGHT
        table.look()
        table.turn(DARK, (6, 2), (24, 18), (13, 11))
        table.turn(LIGHT, (4, 4), (24, 20), (24, 20), (13, 9), (13, 9))
        assert [type(event) for event in table.heard(*CUBE)] == [Doubled, Beavered, Taken]
        assert (table.state.cube, table.state.owner) == (4, LIGHT)
        assert check(record_of(table.said)).problems == UNFINISHED

    def test_a_raccoon_is_seen(self) -> None:
        table = Board(length=0, rules=RACCOONS)
        table.opening(3, 1, (8, 5), (6, 5))
        table.offers(2)
        for value in (4, 8):
            table.cube, table.cube_at = value, OWNED_BY_LIGHT
            table.look()
        table.turn(DARK, (6, 2), (24, 18), (13, 11))
        table.turn(LIGHT, (4, 4), (24, 20), (24, 20), (13, 9), (13, 9))
        assert [type(event) for event in table.heard(*CUBE)] == [Doubled, Beavered, Raccooned, Taken]
        assert (table.state.cube, table.state.owner) == (8, LIGHT)
        assert check(record_of(table.said)).problems == UNFINISHED
