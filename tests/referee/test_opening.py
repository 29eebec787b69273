"""The start of a game by every text: draws of one die each, ties, who begins and with which dice."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from controller.app.report_view import report_of
from controller.app.status import Status
from controller.app.view import games_before, status, view_of
from controller.record.check import check
from controller.record.from_events import record_of
from controller.record.sheet import write_sheet
from controller.referee.commands import (
    AcceptResign,
    Begin,
    CommandError,
    Draw,
    ExchangeColours,
    OfferDouble,
    OfferResign,
    Resign,
    Roll,
    SetCube,
    SetScore,
    Undo,
)
from controller.referee.events import AnyEvent, Drawn, Flagged, Found, Played, Resolved, Rolled
from controller.referee.names import exchanged
from controller.referee.state import Phase
from controller.rules import PRESETS, Position, RuleSet, Side, parse_ruleset, position_id
from controller.rules.codes import Code
from tests.referee.table import CENTRED, OWNED_BY_DARK, Board, after_moves
from tests.referee.test_commands import Hand

LIGHT, DARK = Side.LIGHT, Side.DARK
AFRESH = [PRESETS["text-000"], PRESETS["text-004"]]
UNFINISHED = ("game 1 is not finished.",)


def board(rules: RuleSet) -> Board:
    return Board(length=0, rules=rules)


def draws(table: Board, light: int, dark: int) -> None:
    """Each throws one die, and both are lifted."""
    table.look(dice=[(light, LIGHT), (dark, DARK)])
    table.look()


def told(events: list[AnyEvent]) -> list[Any]:
    """What the opening is about."""
    found: list[Any] = []
    for event in events:
        if isinstance(event, Drawn):
            found.append((event.light, event.dark))
        elif isinstance(event, Played):
            found.append((event.side, event.dice))
    return found


def with_a_first_turn_that_waits() -> Board:
    """Of the opening roll one die was seen, and its play stands there."""
    table = Board()
    table.look(dice=[(3, LIGHT)])
    table.look(after_moves(table.position, LIGHT, (3, 1), (8, 5), (6, 5)))
    return table


class TestUnderTheCamera:
    @pytest.mark.parametrize("rules", AFRESH, ids=lambda rules: str(rules.name))
    def test_the_loser_of_the_draw_begins_and_rolls_afresh(self, rules: RuleSet) -> None:
        table = board(rules)
        draws(table, 5, 2)
        table.turn(DARK, (3, 1), (8, 5), (6, 5))
        table.turn(LIGHT, (6, 2), (24, 18), (13, 11))
        assert told(table.said) == [(5, 2), (DARK, (3, 1)), (LIGHT, (6, 2))]
        assert table.state.starter is DARK
        assert not table.heard(Flagged)
        assert check(record_of(table.said)).problems == UNFINISHED

    def test_a_draw_said_at_the_desk_is_played_with_the_dice_that_lie_there(self) -> None:
        table = Board()
        dice, after = [(3, LIGHT), (1, DARK)], after_moves(table.position, LIGHT, (3, 1), (8, 5), (6, 5))
        table.look(dice=dice, unflat=1)
        table.said += table.session.command(Draw(light=3, dark=1), table.eyes.now)
        table.look(after, dice)
        evidence = table.session.tracker.belief.evidence
        assert evidence is not None
        assert len(evidence.dice) == 2  # they are the roll's: none is taken to have been left lying
        table.look()
        assert [one.dice for one in table.heard(Played)] == [(3, 1)]  # type: ignore[attr-defined]
        assert not table.heard(Flagged)

    @pytest.mark.parametrize("may_refuse", [False, True])
    def test_a_first_turn_that_waits_to_be_written_is_written_before_a_resignation(self, may_refuse: bool) -> None:
        """One die of the draw was seen; the play may have been another that nobody was shown."""
        table = board(parse_ruleset("match", [f"resign.may_refuse={str(may_refuse).lower()}"]))
        table.look(dice=[(3, LIGHT)])
        table.look(after_moves(table.position, LIGHT, (3, 1), (8, 5), (6, 5)))
        with pytest.raises(CommandError):
            table.session.command(Resign(side=DARK, level=4), table.eyes.now)
        assert not table.heard(Played)
        table.said += table.session.command(OfferResign(side=DARK, level=1), table.eyes.now)
        assert told(table.said) == [(LIGHT, (3, 1))]
        assert [flag.code for flag in table.state.standing] == [Code.READING_UNCERTAIN]
        if may_refuse:
            table.said += table.session.command(AcceptResign(), table.eyes.now)
        assert table.state.score.points(LIGHT) == 1
        table.said += table.session.command(Undo(), table.eyes.now)
        assert (table.state.turn, table.state.score.points(LIGHT)) == (DARK, 0)

    def test_a_first_turn_that_nobody_could_give_up_after_stays_unwritten(self) -> None:
        table = Board()
        table.look(after_moves(table.position, LIGHT, (3, 1), (8, 5), (6, 5)))
        table.said += table.session.command(Resign(side=LIGHT, level=1), table.eyes.now)
        assert told(table.said) == []
        assert table.state.score.points(DARK) == 1

    @pytest.mark.parametrize("command", [Resign, OfferResign])
    def test_a_turn_of_which_a_die_was_seen_is_written_before_whoever_has_played_it_gives_up(
        self, command: type[Resign | OfferResign]
    ) -> None:
        """By these rules he would have had to before his roll. Until 30 November 2026 the turn was lost."""
        table = with_a_first_turn_that_waits()
        table.said += table.session.command(command(side=LIGHT, level=2), table.eyes.now)
        assert told(table.said) == [(LIGHT, (3, 1))]
        if command is OfferResign:
            table.said += table.session.command(AcceptResign(), table.eyes.now)
        assert table.state.score.points(DARK) == 2
        table.said += table.session.command(Undo(), table.eyes.now)
        assert (len(table.state.turns), table.state.turn, table.state.score.points(DARK)) == (1, DARK, 0)

    def test_a_first_turn_that_waits_to_be_written_is_written_before_the_score_is_set(self) -> None:
        table = with_a_first_turn_that_waits()
        table.said += table.session.command(SetScore(light=2, dark=1), table.eyes.now)
        table.turn(DARK, (6, 5), (24, 18), (18, 13))
        assert told(table.said) == [(LIGHT, (3, 1)), (DARK, (6, 5))]
        assert not table.heard(Found)
        assert (table.state.score.light, table.state.score.dark) == (2, 1)

    @pytest.mark.parametrize("command", [SetCube(value=2, owner=DARK), Roll(dice=(6, 5), side=DARK)])
    def test_a_first_turn_that_waits_to_be_written_is_written_before_what_is_said_of_the_time_after_it(
        self, command: SetCube | Roll
    ) -> None:
        """Until 30 November 2026 the turn was lost, and dark's roll was the opening roll."""
        table = with_a_first_turn_that_waits()
        table.said += table.session.command(command, table.eyes.now)
        assert (told(table.said), table.state.turn) == ([(LIGHT, (3, 1))], DARK)
        assert [flag.code for flag in table.state.standing] == [Code.READING_UNCERTAIN]
        if isinstance(command, SetCube):
            assert (table.state.cube, table.state.owner) == (2, DARK)
            table.said += table.session.command(Roll(dice=(6, 5)), table.eyes.now)
        assert table.state.dice == (6, 5)

    @pytest.mark.parametrize("command", [SetCube(value=1), Roll(dice=(3, 1), side=LIGHT)])
    def test_a_first_turn_waits_on_where_its_own_dice_are_said_or_what_is_written_already(
        self, command: SetCube | Roll
    ) -> None:
        table = with_a_first_turn_that_waits()
        table.said += table.session.command(command, table.eyes.now)
        assert told(table.said) == []
        table.look()
        table.turn(DARK, (6, 5), (24, 18), (18, 13))
        assert told(table.said) == [(LIGHT, (3, 1)), (DARK, (6, 5))]

    def test_a_first_turn_that_waits_to_be_written_is_written_before_a_double_that_is_said(self) -> None:
        """Until 30 November 2026 nobody was on roll, so that nobody could; a later turn was dropped, and the other side doubled."""
        table = with_a_first_turn_that_waits()
        table.said += table.session.command(OfferDouble(), table.eyes.now)
        assert told(table.said) == [(LIGHT, (3, 1))]
        assert (table.state.offered_to, [flag.code for flag in table.state.standing]) == (
            LIGHT,
            [Code.READING_UNCERTAIN],
        )
        table.said += table.session.command(Undo(), table.eyes.now)
        assert (table.state.turn, len(table.state.turns)) == (DARK, 1)

    @pytest.mark.parametrize(("said", "counts"), [(2, 2), (3, 3), (0, 2)])
    def test_a_score_that_is_set_while_the_dice_of_the_winning_turn_lie_counts_that_game(
        self, said: int, counts: int
    ) -> None:
        """Until 30 November 2026 its points were added to that once more when they were lifted. Who says what is written does
        not mean that game: a gammon here."""
        table = Board(start=Position.of({1: 2}, {1: 3, 6: 12}))
        dice = [(2, LIGHT), (1, LIGHT)]
        table.look(dice=dice)
        table.look(Position.of({}, {1: 3, 6: 12}), dice, frames=1)
        table.said += table.session.command(SetScore(light=said, dark=0), table.eyes.now)
        table.look()
        table.look()
        table.look(table.state.start)
        assert (table.state.phase, table.state.score.light) == (Phase.OPENING, counts)
        assert table.state.score.game == 2

    @pytest.mark.parametrize("name", ["text-000", "text-003", "text-004"])
    def test_a_first_turn_with_equal_dice_is_a_turn(self, name: str) -> None:
        table = board(PRESETS[name])
        if name != "text-003":
            draws(table, 5, 2)
        table.turn(DARK, (3, 3), (8, 5), (8, 5), (6, 3), (6, 3))
        assert told(table.heard(Played)) == [(DARK, (3, 3))]
        assert not table.heard(Flagged)
        assert check(record_of(table.said)).problems == UNFINISHED

    @pytest.mark.parametrize("restart", [False, True])
    def test_a_roll_afresh_is_no_draw_after_a_restart_either(self, restart: bool) -> None:
        table = board(PRESETS["text-004"])
        draws(table, 5, 2)
        table.look(dice=[(3, DARK), (1, DARK)])
        if restart:
            table = Board(length=0, rules=PRESETS["text-004"], events=table.said)
            table.look(dice=[(3, DARK), (1, DARK)])
        table.look(dice=[(6, DARK), (4, LIGHT)], frames=4)
        assert [flag.code for flag in table.state.flags] == [Code.DIE_OUTSIDE]

    def test_equal_dice_of_the_draw_double_the_cube_once_and_a_double_after_that_is_to_four(self) -> None:
        table = board(PRESETS["text-004"])
        draws(table, 4, 4)
        table.cube, table.cube_at = 2, CENTRED
        table.look()
        assert (table.state.cube, table.state.owner) == (2, None)
        draws(table, 6, 6)
        assert table.state.cube == 2  # once a game, as text 004 has it agreed
        draws(table, 2, 5)
        table.turn(LIGHT, (3, 1), (8, 5), (6, 5))
        table.offers(4)
        table.takes(LIGHT)
        table.turn(DARK, (6, 2), (24, 18), (13, 11))
        assert told(table.said) == [(4, 4), (6, 6), (2, 5), (LIGHT, (3, 1)), (DARK, (6, 2))]
        assert (table.state.cube, table.state.owner) == (4, LIGHT)
        record = record_of(table.said)
        assert (record.games[0].cube, record.games[0].draws) == (2, ((4, 4), (6, 6), (2, 5)))
        assert check(record).problems == UNFINISHED
        assert not table.heard(Flagged)

    def test_a_first_roll_by_the_winner_of_the_draw_is_flagged(self) -> None:
        table = board(AFRESH[0])
        draws(table, 5, 2)
        table.turn(LIGHT, (3, 1), (8, 5), (6, 5))
        (flag,) = table.heard(Flagged)
        assert isinstance(flag, Flagged)
        assert (flag.code, flag.side, flag.text) == (Code.OTHER_SIDE_BEGINS, LIGHT, "By the draw Petr begins.")
        table.turn(DARK, (6, 2), (24, 18), (13, 11))
        (end,) = table.heard(Resolved)
        assert isinstance(end, Resolved)
        assert end.how == "stands"
        assert "by the draw Petr does" in check(record_of(table.said)).problems[0]

    def test_where_the_draw_is_played_equal_dice_are_thrown_again_and_nothing_is_written(self) -> None:
        table = board(PRESETS["text-002"])
        draws(table, 4, 4)
        table.opening(5, 2, (13, 8), (13, 11))
        assert told(table.said) == [(LIGHT, (5, 2))]
        assert check(record_of(table.said)).problems == UNFINISHED

    def test_automatic_doubles_go_with_a_draw_that_is_played_too(self) -> None:
        table = board(parse_ruleset("money", ["cube.auto_doubles=2"]))
        draws(table, 4, 4)
        table.cube = 2
        table.look()
        draws(table, 1, 1)
        table.cube = 4
        table.look()
        table.opening(5, 2, (13, 8), (13, 11))
        assert told(table.said) == [(4, 4), (1, 1), (LIGHT, (5, 2))]
        assert (table.state.cube, table.state.owner) == (4, None)
        assert check(record_of(table.said)).problems == UNFINISHED

    def test_in_a_match_equal_dice_double_the_cube_too_but_not_in_the_crawford_game(self) -> None:
        """Text 002 limits the Jacoby rule to money, not automatic doubles; its Crawford game knows no cube."""
        table = Board(length=3, rules=parse_ruleset("text-002", ["cube.auto_doubles=1"]))
        draws(table, 4, 4)
        table.cube = 2
        table.look()
        table.opening(5, 2, (13, 8), (13, 11))
        table.said += table.session.command(Resign(side=DARK, level=1), 60.0)
        table.position, table.cube = table.state.start, 64
        table.look()
        draws(table, 6, 6)
        table.opening(2, 5, (13, 8), (13, 11))
        assert [(event.light, event.dark) for event in table.heard(Drawn)] == [(4, 4)]  # type: ignore[union-attr]
        assert (table.state.score.crawford, table.state.score.points(LIGHT), table.state.cube) == (True, 2, 1)
        assert not table.heard(Flagged)
        record = record_of(table.said)
        assert [(game.cube, game.draws) for game in record.games] == [(2, ((4, 4),)), (1, ())]
        assert check(record).problems == ("game 2 is not finished.",)

    def test_whom_the_players_let_begin_is_on_roll_for_the_camera_and_may_be_another_after_all(self) -> None:
        for side, roll, moves in ((DARK, (3, 3), ((8, 5), (8, 5), (6, 3), (6, 3))), (LIGHT, (3, 1), ((8, 5), (6, 5)))):
            table = board(parse_ruleset("text-003", ["equipment.dice_by_colour=false"]))
            table.said += table.session.command(Begin(side=DARK), 5.0)
            table.turn(side, roll, *moves)
            assert told(table.said) == [(side, roll)]
            assert not table.heard(Flagged)

    def test_a_program_that_begins_again_after_a_draw_remembers_it(self) -> None:
        table = board(AFRESH[0])
        draws(table, 2, 5)
        again = Board(length=0, rules=AFRESH[0], events=table.said)
        again.turn(LIGHT, (3, 3), (8, 5), (8, 5), (6, 3), (6, 3))
        assert told(again.said) == [(LIGHT, (3, 3))]
        assert again.state.starter is LIGHT

    def test_a_cube_that_somebody_owns_before_the_game_is_still_spoken_of(self) -> None:
        table = board(PRESETS["text-004"])
        table.cube, table.cube_at = 2, OWNED_BY_DARK
        table.look(frames=6)
        assert [flag.code for flag in table.state.standing] == [Code.CUBE_NOT_CENTRED]


class TestAtTheDesk:
    def test_the_higher_die_plays_both_where_the_text_says_so(self) -> None:
        hand = Hand()
        drawn, rolled = hand.say("draw", light=2, dark=5)
        assert isinstance(drawn, Drawn)
        assert isinstance(rolled, Rolled)
        assert (rolled.side, rolled.dice) == (DARK, (5, 2))
        hand.say("play", notation="13/8 13/11")
        assert check(record_of(hand.said)).problems == UNFINISHED

    def test_where_the_draw_is_played_the_first_turn_has_its_dice(self) -> None:
        hand = Hand()
        hand.say("draw", light=2, dark=5)
        assert hand.refused("roll", dice=[6, 4]).startswith("Petr begins with the dice of the draw, 5-2.")
        hand.say("roll", dice=[2, 5])
        hand.say("undo")
        hand.say("draw", light=4, dark=6)
        hand.say("play", notation="24/14")
        assert check(record_of(hand.said)).problems == UNFINISHED

    def test_equal_dice_are_drawn_again(self) -> None:
        hand = Hand()
        assert [type(event) for event in hand.say("draw", light=3, dark=3)] == [Drawn]
        assert hand.state.turn is None
        hand.say("draw", light=3, dark=1)
        assert hand.state.turn is LIGHT

    @pytest.mark.parametrize("rules", AFRESH, ids=lambda rules: str(rules.name))
    def test_the_lower_die_begins_and_says_its_roll_without_a_name(self, rules: RuleSet) -> None:
        hand = Hand(0, rules)
        assert hand.refused("roll", dice=[5, 2]) == (
            "Say whose roll it is: whoever drew the lower number begins, and rolls both dice afresh."
        )
        hand.say("draw", light=5, dark=2)
        assert hand.state.starter is DARK
        assert hand.refused("roll", dice=[5, 2], side="light") == "By the draw Petr begins."
        assert "Petr begins by the draw" in hand.refused("draw", light=1, dark=2)
        hand.turn((3, 3), "8/5(2) 6/3(2)")
        assert (hand.state.turn, hand.state.turns[0].side) == (LIGHT, DARK)
        assert check(record_of(hand.said)).problems == UNFINISHED
        assert hand.refused("draw", light=1, dark=2) == "The game has begun: nobody draws for the start any more."

    def test_equal_dice_double_the_cube_in_the_middle_and_are_taken_back(self) -> None:
        hand = Hand(0, PRESETS["text-004"])
        hand.say("draw", light=4, dark=4)
        assert (hand.state.cube, hand.state.owner) == (2, None)
        hand.say("undo")
        assert (hand.state.cube, hand.state.draws) == (1, ())
        hand.say("draw", light=4, dark=4)
        hand.say("draw", light=4, dark=5)
        hand.turn((2, 1), "24/22 24/23")
        hand.say("double")
        assert hand.said[-1].value == 4  # type: ignore[union-attr]
        hand.say("pass")
        assert hand.state.score.points(DARK) == 2

    def test_in_a_match_equal_dice_double_the_cube_too_but_not_in_the_crawford_game(self) -> None:
        hand = Hand(3, parse_ruleset("text-002", ["cube.auto_doubles=1"]))
        hand.say("draw", light=4, dark=4)
        assert (hand.state.cube, hand.state.owner) == (2, None)
        hand.say("draw", light=5, dark=2)
        hand.say("play", notation="13/8 13/11")
        hand.say("resign", side="dark", level=1)
        hand.say("draw", light=6, dark=6)
        assert (hand.state.score.crawford, hand.state.score.points(LIGHT), hand.state.cube) == (True, 2, 1)
        hand.say("draw", light=5, dark=2)
        hand.say("play", notation="13/8 13/11")
        assert check(record_of(hand.said)).problems == ("game 2 is not finished.",)

    def test_where_the_players_agree_nobody_draws_and_whoever_they_say_begins(self) -> None:
        hand = Hand(7, PRESETS["text-003"])
        assert "agree who begins" in hand.refused("draw", light=4, dark=5)
        assert "agree who begins" in hand.refused("roll", dice=[3, 3])
        hand.turn((3, 3), "8/5(2) 6/3(2)", "dark")
        assert check(record_of(hand.said)).problems == UNFINISHED

    def test_what_the_players_agree_is_written_and_asked_for_until_they_roll(self) -> None:
        """Text 003 has no draw; who begins may be said before the dice are, and otherwise while nobody has rolled."""
        hand = Hand(7, PRESETS["text-003"])
        assert status(hand.state) == "Say who begins."
        hand.say("begins", side="light")
        hand.say("begins", side="dark")
        assert (hand.state.starter, status(hand.state)) == (DARK, "To begin: Petr")
        hand.say("undo")
        assert hand.state.starter is LIGHT
        hand.say("redo")
        hand.turn((3, 3), "8/5(2) 6/3(2)")
        assert hand.state.turns[0].side is DARK
        assert hand.refused("begins", side="light").startswith("The game has begun")
        hand.say("resign", side="light", level=1)
        hand.say("begins", side="light")
        assert (hand.state.score.game, hand.state.starter) == (2, LIGHT)
        assert check(record_of(hand.said)).problems == ("game 2 is not finished.",)
        assert Hand(7, PRESETS["text-002"]).refused("begins", side="light") == "By these rules a draw says who begins."

    def test_a_draw_after_a_game_begins_the_next(self) -> None:
        hand = Hand(5)
        hand.say("draw", light=5, dark=2)
        hand.say("play", notation="13/8 13/11")
        hand.say("resign", side="dark", level=1)
        hand.say("draw", light=1, dark=6)
        assert (hand.state.score.game, hand.state.turn, hand.state.dice) == (2, DARK, (6, 1))

    def test_the_winner_of_the_draw_chooses_the_other_colour_and_the_loser_begins_with_his(self) -> None:
        """Texts 000 and 004: "Komu padne vyšší počet ok, zvolí si barvu kamenů"."""
        hand = Hand(0, PRESETS["text-000"])
        assert "after the draw" in hand.refused("colours")
        hand.say("draw", light=5, dark=2)
        assert status(hand.state) == "To begin: Petr. The opponent may choose the colour."
        assert (hand.state.starter, hand.state.name(DARK)) == (DARK, "Petr")
        hand.say("colours")
        assert (hand.state.starter, hand.state.name(LIGHT), hand.state.draws) == (LIGHT, "Petr", ((2, 5),))
        hand.say("undo")
        assert hand.state.name(LIGHT) == "Jana"
        hand.say("redo")
        hand.say("roll", dice=(3, 1))
        assert "after the draw" in hand.refused("colours")
        hand.say("play", notation="8/5 6/5")
        record = record_of(hand.said)
        assert ([player.name for player in record.players], record.games[0].draws) == (["Petr", "Jana"], ((2, 5),))
        assert check(record).problems == UNFINISHED
        other = Hand(0, PRESETS["text-002"])
        assert "where the rules have it so" in other.refused("colours")
        high = Hand(0, parse_ruleset("text-000", ["start.first=high"]))
        high.say("draw", light=5, dark=2)
        assert status(high.state) == "To begin: Jana. The same player may choose the colour."

    @pytest.mark.parametrize("preset", ["text-000", "text-003"])
    def test_who_began_the_game_is_not_who_rolls_after_a_gap(self, preset: str) -> None:
        """Until 29 November a roll of which nobody had said whose it was was taken for his."""
        hand = Hand(0, PRESETS[preset])
        if preset == "text-003":
            hand.say("begins", side="light")
        else:
            hand.say("draw", light=1, dark=3)
        hand.said += hand.session._add(Found(position=position_id(Position.start(), LIGHT), cube=1, owner=None))
        assert "nobody saw whose turn came before" in hand.refused("roll", dice=[4, 2])

    def test_a_resignation_that_was_offered_before_the_colours_were_chosen_is_nobodys(self) -> None:
        """Until 29 November it was the other player's, who then had lost."""
        hand = Hand(0, PRESETS["text-000"])
        hand.say("draw", light=5, dark=2)
        hand.say("resign-offer", side="light", level=1)
        hand.say("colours")
        assert "Nobody offers" in hand.refused("resign-accept")
        hand.say("undo")
        hand.say("resign-accept")
        assert hand.state.score.points(DARK) > 0

    def test_the_winner_of_a_later_draw_chooses_too_and_the_points_go_with_the_players(self) -> None:
        """The text tells of one game, and each game of a match is drawn for: "Losování o barvu kamenů"."""
        hand = Hand(0, PRESETS["text-000"])
        hand.say("draw", light=2, dark=5)
        hand.turn((3, 1), "8/5 6/5")
        hand.say("resign", side="dark", level=1)
        won = hand.state.score.points(LIGHT)
        hand.say("draw", light=6, dark=4)
        hand.say("colours")
        assert (hand.state.name(LIGHT), hand.state.score.points(DARK), hand.state.draws) == ("Petr", won, ((4, 6),))
        assert hand.state.starter is LIGHT
        hand.say("roll", dice=(3, 1))
        hand.say("play", notation="8/5 6/5")
        hand.say("mark", turn=1, mark="?")
        hand.say("resign", side="dark", level=1)
        assert (hand.state.name(DARK), hand.state.score.light, hand.state.score.dark) == ("Jana", won, won)
        record = record_of(hand.said)
        assert [player.name for player in record.players] == ["Jana", "Petr"]
        assert [(game.light, game.winner, game.score) for game in record.games] == [(0, 0, (0, 0)), (1, 1, (won, 0))]
        assert (record.games[1].draws, record.games[1].actions[0].player) == (((6, 4),), 1)
        assert check(record).problems == ()
        assert "Petr has the light checkers now" in write_sheet(record).decode()
        hand.say("draw", light=3, dark=1)
        shown = [(lines.light, lines.dark, lines.score) for lines in games_before(hand.said)]
        assert shown == [("Jana", "Petr", (0, 0)), ("Petr", "Jana", (0, won))]

    @pytest.mark.parametrize(
        ("names", "then"), [(("Jana", "Dark"), ("Light", "Jana")), (("Light", "Dark"), ("Light", "Dark"))]
    )
    def test_whoever_has_no_name_is_called_by_the_colour_that_he_has_now(
        self, names: tuple[str, str], then: tuple[str, str]
    ) -> None:
        assert exchanged(names) == then
        assert exchanged(then) == names

    def test_what_was_said_of_players_stays_theirs_when_they_change_colours(self) -> None:
        """Both run out of time, the first before they have changed colours and the second afterwards."""
        rules = parse_ruleset("text-000", ["clock.delay_s=0", "clock.minutes_per_point=1"])
        hand = Hand(1, rules, clock=True)
        hand.say("draw", light=2, dark=5)
        hand.say("roll", dice=(3, 1))
        hand.said += hand.session.passed(hand.now + 100.0)
        hand.say("play", notation="8/5 6/5")
        hand.say("resign", side="dark")
        hand.say("score", light=0, dark=0)
        hand.say("draw", light=5, dark=2)
        hand.say("colours")
        hand.say("names", light="Petra", dark="Jana")
        hand.say("roll", dice=(3, 1), side="light")
        hand.said += hand.session.passed(hand.now + 200.0)
        flags = hand.state.flags
        assert [(flag.side, flag.names) for flag in flags] == [(DARK, ("Jana", "Petra")), (LIGHT, ("Petra", "Jana"))]
        shown = view_of(Status(replace(hand.state, role="monitor"), hand.state.position), 1).flags
        assert [flag.translations["cs"] for flag in shown] == ["Vypršel čas: Jana.", "Vypršel čas: Petra."]
        (line,) = report_of(hand.session.held, "", lambda line: False).lines
        assert [flag.translations["sk"] for flag in line.flags] == ["Vypršal čas: Jana."]

    def test_under_the_camera_the_players_change_colours_between_games(self) -> None:
        table = board(AFRESH[0])
        draws(table, 2, 5)
        table.turn(LIGHT, (3, 1), (8, 5), (6, 5))
        table.said += table.session.command(Resign(side=DARK, level=1), 60.0)
        table.look(table.state.start)
        draws(table, 6, 4)
        table.said += table.session.command(ExchangeColours(), 80.0)
        table.turn(LIGHT, (6, 2), (24, 18), (13, 11))
        assert told(table.said)[2:] == [(6, 4), (LIGHT, (6, 2))]
        assert not table.heard(Flagged)
        record = record_of(table.said)
        assert (record.games[1].light, record.games[1].actions[0].player, record.games[1].score[1]) == (1, 1, 0)
        assert check(record).problems == ("game 2 is not finished.",)
