"""What the referee says of scenes on the board, and of which it says nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.referee.commands import AnswerFlag, Correct, PlayTurn, Redo, Resign, SetPosition, SetScore, Undo
from controller.referee.events import (
    AnyEvent,
    Doubled,
    Flagged,
    GameEnded,
    GameStarted,
    How,
    MatchStarted,
    Passed,
    Played,
    Taken,
)
from controller.referee.session import BLOCKED
from controller.referee.state import Phase
from controller.rules import MATCH, PRESETS, Position, RuleSet, Side, position_id, ruleset_from, ruleset_keys
from tests.referee.table import CENTRED, OFFERED, OWNED_BY_LIGHT, Board, after_moves
from tests.tracking.eyes import thrown

LIGHT, DARK = Side.LIGHT, Side.DARK
START = position_id(Position.start(), LIGHT)


def begun(rules: RuleSet = MATCH, length: int = 7) -> list[AnyEvent]:
    match = MatchStarted(
        length=length, light="Jana", dark="Petr", rules=rules.name, position=START, keys=ruleset_keys(rules)
    )
    return [match, GameStarted(number=1)]


def opened(**keys: dict[str, object]) -> Board:
    """Light has opened with 3-1; dark is on roll. keys: rules that differ from the usual ones."""
    board = Board(events=begun(ruleset_from(keys)))
    board.opening(3, 1, (8, 5), (6, 5))
    return board


def codes(board: Board) -> list[str]:
    return [event.code for event in board.heard(Flagged) if isinstance(event, Flagged)]


def ends(board: Board) -> list[str | None]:
    return [flag.resolved for flag in board.state.flags]


def illegal(board: Board) -> Position:
    """Dark plays 5-4 instead of 6-2, and lifts the dice."""
    wrong = after_moves(board.position, DARK, (5, 4), (13, 8), (13, 9))
    board.look(dice=thrown(DARK, 6, 2))
    board.look(wrong, thrown(DARK, 6, 2))
    board.look(frames=4)
    return wrong


@pytest.mark.parametrize("how", ["stands", "corrected", "put right"])
def test_what_people_have_answered_is_not_said_again_in_the_same_turn(how: How) -> None:
    """Until 29 November "The referee was wrong" was answered by the same sentence once more."""
    board, again = opened(), ["R01"] if how == "put right" else []
    board.look(dice=thrown(DARK, 6, 2), unflat=1, frames=4)
    board.said += board.session.command(AnswerFlag(number=1, how=how), board.eyes.now + 0.5)
    board.look(dice=thrown(DARK, 6, 2), unflat=1, frames=4)
    assert codes(board) == ["R01", *again]
    board.look()
    board.turn(DARK, (6, 2), (24, 18), (13, 11))
    board.look(dice=thrown(LIGHT, 6, 2), unflat=1, frames=4)
    assert codes(board) == ["R01", *again, "R01"]


def test_a_play_of_which_the_referee_was_wrong_is_flagged_once_until_the_next_roll() -> None:
    board = opened()
    illegal(board)
    board.said += board.session.command(AnswerFlag(number=1, how="corrected"), board.eyes.now + 0.5)
    board.look(frames=4)
    assert (codes(board), board.state.standing) == (["R05"], ())
    board.look(dice=thrown(LIGHT, 5, 4))
    board.look(after_moves(board.position, LIGHT, (5, 4), (13, 8), (13, 9)), thrown(LIGHT, 5, 4))
    board.look()
    assert codes(board) == ["R05", "R05", "R19"]


@pytest.mark.parametrize("ended", [Resign(side=DARK), SetPosition(position=START, turn=LIGHT)])
def test_a_play_that_cannot_be_judged_any_more_keeps_no_other_from_being_told(ended: Resign | SetPosition) -> None:
    """Until 29 November its flag stood on in the next game, and no illegal play was told there."""
    board = opened(resign={"when": "any-time"})
    illegal(board)
    board.said += board.session.command(ended, board.eyes.now + 0.5)
    assert ends(board) == ["stands" if isinstance(ended, Resign) else "corrected"]
    board.session.command(Undo(), board.eyes.now + 0.7)
    assert ends(board) == [None]
    board.said += board.session.command(Redo(), board.eyes.now + 0.9)
    board.look(Position.start())
    board.look()
    if isinstance(ended, Resign):
        board.opening(3, 1, (8, 5), (6, 5))
    else:
        board.turn(LIGHT, (3, 1), (8, 5), (6, 5))
    illegal(board)
    assert codes(board) == ["R05", "R05"]


def test_the_next_illegal_play_is_flagged_once_a_position_is_set_over_one() -> None:
    board = opened()
    stood = board.position
    illegal(board)
    board.said += board.session.command(
        SetPosition(position=position_id(stood, LIGHT), turn=DARK), board.eyes.now + 0.5
    )
    board.look(stood, frames=4)
    assert ends(board) == ["corrected"]
    illegal(board)
    assert codes(board) == ["R05", "R05"]


@pytest.mark.parametrize("answered", [True, False])
def test_an_illegal_play_is_told_in_a_game_that_is_begun_anew_though_it_was_in_the_one_broken_off(
    *, answered: bool
) -> None:
    """Until 30 November it was taken for answered: both games have one number."""
    board = opened()
    illegal(board)
    if answered:
        board.said += board.session.command(AnswerFlag(number=1, how="corrected"), board.eyes.now + 0.5)
    else:
        board.look(dice=thrown(LIGHT, 5, 4))
    board.look()
    board.look(Position.start())
    board.look()
    board.opening(3, 1, (8, 5), (6, 5))
    assert [event.number for event in board.heard(GameStarted) if isinstance(event, GameStarted)] == [1]
    illegal(board)
    assert codes(board).count("R05") == 2


class TestDiceOnCheckers:
    """Point 6 of light, on the right of the bottom row, holds five checkers; one die of dark's lies on them."""

    COLUMN = 18

    def test_it_does_not_count_until_both_are_rolled_again(self) -> None:
        board = opened()
        board.look(dice=thrown(DARK, 6, 2), unflat=1, on_column=self.COLUMN, frames=4)
        assert codes(board) == ["R03"]
        assert board.state.dice is None
        board.look()
        board.look(dice=thrown(DARK, 5, 1), frames=3)
        assert ends(board) == ["put right"]
        assert board.state.dice == (5, 1)

    def test_it_counts_where_the_rules_say_so(self) -> None:
        board = opened(dice={"on_checker": "valid"})
        board.look(dice=thrown(DARK, 6, 2), unflat=1, on_column=self.COLUMN, frames=4)
        assert codes(board) == []
        assert board.state.dice == (6, 2)


class TestNoErrors:
    def test_a_play_tried_put_back_and_played_otherwise(self) -> None:
        board = opened()
        dice = thrown(DARK, 6, 2)
        start = board.position
        board.look(dice=dice)
        board.look(after_moves(start, DARK, (6, 2), (13, 7), (13, 11)), dice)
        board.look(start, dice)
        board.look(after_moves(start, DARK, (5, 4), (13, 8), (13, 9)), dice)
        board.look(after_moves(start, DARK, (6, 2), (24, 18), (13, 11)), dice)
        board.look()
        board.look(dice=thrown(LIGHT, 5, 4))
        assert codes(board) == []
        played = board.state.turns[-1]
        assert isinstance(played, Played)
        assert played.notation == "24/18 13/11"

    def test_a_checker_in_the_hand_for_a_while(self) -> None:
        board = opened()
        dice = thrown(DARK, 6, 2)
        board.look(dice=dice)
        own = list(board.position.dark)
        own[23] -= 1
        held, start = Position(board.position.light, tuple(own)), board.position
        board.look(held, dice, frames=5)
        board.look(start, dice)
        assert codes(board) == []

    @pytest.mark.parametrize(("frames", "said"), [(1, []), (4, ["R12"])])
    def test_a_checker_that_lies_nowhere_is_looked_for_again_before_it_is_missed(
        self, frames: int, said: list[str]
    ) -> None:
        """A single look misses a checker alone on its point now and then; the board shows it at the next."""
        start = Position.of({24: 2, 12: 1, 11: 1, 6: 2, 5: 2, 3: 4, 2: 3}, {24: 2, 8: 2, 6: 3, 5: 3, 3: 2, 2: 3})
        board = Board()
        board.said += board.session.command(SetPosition(position=position_id(start, LIGHT), turn=DARK), 2.0)
        board.look(start)
        board.look(dice=thrown(DARK, 6, 1))
        after = after_moves(start, DARK, (6, 1), (8, 2), (6, 5))
        own = list(after.dark)
        own[7] -= 1
        board.look(Position(after.light, tuple(own)), frames=frames)
        assert codes(board) == said
        board.look(after, frames=2)
        board.look(dice=thrown(LIGHT, 5, 4))
        assert codes(board) == said
        assert ends(board) == ["put right" for _ in said]
        played = board.state.turns[-1]
        assert isinstance(played, Played)
        assert played.notation == "8/2 6/5"

    def test_the_cube_turned_and_put_on_the_board_before_the_roll(self) -> None:
        board = opened()
        board.offers(2)
        board.takes(LIGHT)
        board.turn(DARK, (6, 2), (24, 18), (13, 11))
        board.look(dice=thrown(LIGHT, 5, 4), frames=4)
        assert codes(board) == []


class TestDice:
    def stray(self, board: Board) -> None:
        seen = board.eyes.look(board.position, thrown(DARK, 6, 2))
        near, far = seen.dice
        board.session.moved()
        for second in (1.0, 2.0, 3.0):
            moved = replace(seen, seconds=board.eyes.now + second, dice=(near, replace(far, at=(0.8, 0.4))))
            board.said += board.session.see(moved)
        board.eyes.now += 3.0

    def test_one_die_in_the_other_half(self) -> None:
        board = opened()
        self.stray(board)
        assert codes(board) == ["R02"]
        assert board.state.flags[0].side is DARK
        board.look(dice=thrown(DARK, 4, 2))
        board.look(dice=thrown(DARK, 4, 2))
        assert ends(board) == ["put right"]

    @pytest.mark.parametrize("rule", [{"landing": "board"}, {"baffle": True}])
    def test_rules_that_let_it_lie_there(self, rule: dict[str, object]) -> None:
        board = opened(dice=rule)
        self.stray(board)
        assert codes(board) == []

    @pytest.mark.parametrize(
        ("policy", "sentence"),
        [
            ("stands", "Rolled early. Petr has not ended the turn. The roll stands."),
            (
                "opponent-chooses",
                "Rolled early. Petr has not ended the turn. Petr chooses: it stands, or it is rolled again.",
            ),
            ("reroll", "Rolled early. Petr has not ended the turn. Roll again."),
        ],
    )
    def test_what_an_early_roll_is_worth_is_said(self, policy: str, sentence: str) -> None:
        board = opened(dice={"premature_roll": policy})
        dice = thrown(DARK, 6, 2)
        after = after_moves(board.position, DARK, (6, 2), (24, 18), (13, 11))
        board.look(dice=dice)
        board.look(after, [*dice, *thrown(LIGHT, 4, 1)])
        board.look(dice=[*dice, *thrown(LIGHT, 4, 1)])
        assert [flag.text for flag in board.state.flags] == [sentence]


class TestCube:
    def test_no_double_in_the_crawford_game(self) -> None:
        events = [*begun(length=2), GameEnded(winner=DARK, level=1, points=1), GameStarted(number=2)]
        board = Board(length=2, events=events)
        board.opening(3, 1, (8, 5), (6, 5))
        board.cube, board.cube_at = 2, OFFERED
        board.look(frames=4)
        assert codes(board) == ["R14"]
        board.cube, board.cube_at = 64, (0.5, 0.5)
        board.look(frames=4)
        assert ends(board) == ["put right"]
        assert board.heard(Doubled) == []

    def test_a_double_after_the_roll_is_late(self) -> None:
        board = opened()
        board.look(dice=thrown(DARK, 6, 2))
        board.look(dice=thrown(DARK, 6, 2))
        board.cube, board.cube_at = 2, OFFERED
        board.look(dice=thrown(DARK, 6, 2), frames=5)
        assert "R15" in codes(board)

    def test_only_the_owner_doubles(self) -> None:
        board = Board(events=[*begun()])
        board.opening(3, 1, (8, 5), (6, 5))
        board.offers(2)
        board.takes(LIGHT)
        board.turn(DARK, (6, 2), (24, 18), (13, 11))
        board.turn(LIGHT, (5, 4), (13, 8), (24, 20))
        assert board.heard(Taken)
        board.cube, board.cube_at = 4, OFFERED
        board.look(frames=4)
        assert codes(board) == ["R16"]
        assert "Jana" in board.state.flags[0].text

    def test_a_match_to_one_point_knows_no_cube(self) -> None:
        board = Board(length=1)
        board.opening(3, 1, (8, 5), (6, 5))
        board.cube, board.cube_at = 2, OFFERED
        board.look(frames=4)
        assert codes(board) == ["R34"]
        board.takes(LIGHT)
        board.turn(DARK, (6, 2), (24, 18), (13, 11))
        board.cube, board.cube_at = 64, (0.5, 0.5)
        board.look(frames=4)
        assert (ends(board), board.state.cube) == (["put right"], 1)
        assert board.heard(Doubled, Taken, Passed) == []

    @pytest.mark.parametrize(("rule", "code"), [({"dead": "refused"}, "R34"), ({"max": 2}, "R33")])
    @pytest.mark.parametrize("answer", ["taken", "taken back", "passed"])
    def test_a_double_that_the_rules_forbid_is_written_and_objected_to(
        self, rule: dict[str, object], code: str, answer: str
    ) -> None:
        board = Board(length=2, rules=ruleset_from({"cube": rule}))
        board.opening(3, 1, (8, 5), (6, 5))
        board.offers(2)
        board.takes(LIGHT)
        board.turn(DARK, (6, 2), (24, 18), (13, 11))
        assert codes(board) == []
        board.offers(4)
        board.look(frames=4)
        assert (codes(board), len(board.heard(Doubled)), ends(board)) == ([code], 2, [None])
        if answer == "taken":
            board.takes(DARK)
            board.turn(LIGHT, (5, 4), (13, 8), (13, 9))
        elif answer == "taken back":
            board.cube = 2
            board.takes(LIGHT)
            board.turn(LIGHT, (5, 4), (13, 8), (13, 9))
        else:
            board.cube, board.cube_at = 64, (0.5, 0.5)
            board.look(Position.start(), frames=3)
            board.look(dice=[(5, LIGHT), (2, DARK)])
        assert (codes(board), ends(board)) == ([code], ["put right" if answer == "taken back" else "stands"])

    def test_the_cube_belongs_in_the_middle_before_a_game(self) -> None:
        board = Board(events=begun())
        board.cube, board.cube_at = 4, OWNED_BY_LIGHT
        board.look(frames=6)
        assert codes(board) == ["R17"]
        board.cube, board.cube_at = 64, (0.5, 0.5)
        board.look(frames=4)
        assert ends(board) == ["put right"]

    @pytest.mark.parametrize("opened", [True, False])
    def test_a_cube_that_was_left_elsewhere_is_offered_by_nobody_after_a_start_of_the_program_either(
        self, *, opened: bool
    ) -> None:
        """Until 30 November it was said to be put right, and then a double was written that nobody had offered."""
        board = Board(events=begun(), cube=2, cube_at=OWNED_BY_LIGHT)
        board.look(frames=6)
        if opened:
            board.opening(3, 1, (8, 5), (6, 5))
        else:  # else nobody would know whether a game is on already
            board.session.command(SetScore(light=1, dark=0), board.eyes.now)
            board.session.command(Undo(), board.eyes.now)
        assert (codes(board), ends(board)) == (["R17"], ["stands" if opened else None])
        again = Board(events=board.session.held, cube=2, cube_at=OWNED_BY_LIGHT, shown=board.position)
        if not opened:
            again.session.looked_away()  # what was taken back lay there still
            again.opening(3, 1, (8, 5), (6, 5))
        again.turn(DARK, (6, 2), (24, 18), (13, 11))
        again.turn(LIGHT, (4, 2), (8, 4), (6, 4))
        assert (again.heard(Doubled), len(again.state.turns), again.state.cube) == ([], 3, 1)

    def test_a_cube_left_elsewhere_is_offered_by_nobody_where_the_program_starts_as_the_first_dice_have_just_come(
        self,
    ) -> None:
        """Until 30 November 2026 the opener had doubled over it, and the other had taken."""
        table, dice = Board(cube=2, cube_at=OWNED_BY_LIGHT), [(3, LIGHT), (1, DARK)]
        table.look(dice=dice, frames=1)
        assert codes(table) == []
        again = Board(events=table.session.held, cube=2, cube_at=OWNED_BY_LIGHT, dice=dice)
        again.look(after_moves(again.position, LIGHT, (3, 1), (8, 5), (6, 5)), dice)
        again.look()
        again.turn(DARK, (6, 2), (24, 18), (13, 11))
        assert (again.heard(Doubled), len(again.state.turns)) == ([], 2)
        assert (codes(again), ends(again)) == (["R17"], ["stands"])
        again.cube, again.cube_at = 64, CENTRED
        again.turn(LIGHT, (4, 2), (8, 4), (6, 4))
        again.offers(2)
        again.takes(LIGHT)
        again.look(dice=thrown(DARK, 6, 5))
        assert (len(again.heard(Doubled)), again.state.owner) == (1, LIGHT)

    def test_nobody_is_said_to_have_doubled_where_the_game_went_on_over_such_a_cube_before_that_was_told(self) -> None:
        """Until 30 November 2026 the double and the take of the game before were those of this one, too, after a start."""
        board = Board()
        board.opening(3, 1, (8, 5), (6, 5))
        board.offers(2)
        board.takes(LIGHT)
        board.turn(DARK, (6, 2), (24, 18), (13, 11))
        board.turn(LIGHT, (4, 2), (8, 4), (6, 4))
        board.said += board.session.command(Resign(side=DARK, level=1), board.eyes.now)
        board.look(Position.start(), frames=1)
        board.opening(3, 1, (8, 5), (6, 5))
        assert (codes(board), ends(board)) == (["R17"], ["stands"])
        again = Board(events=board.session.held, cube=2, cube_at=OWNED_BY_LIGHT, shown=board.position)
        again.turn(DARK, (6, 2), (24, 18), (13, 11))
        again.turn(LIGHT, (4, 2), (8, 4), (6, 4))
        assert (again.heard(Doubled), len(again.state.turns), again.state.cube) == ([], 3, 1)
        assert (codes(again), again.state.score.light) == ([], 2)
        again.cube, again.cube_at = 64, CENTRED
        again.turn(DARK, (4, 2), (8, 4), (6, 4))
        again.offers(2)
        again.takes(DARK)
        again.turn(LIGHT, (5, 3), (8, 3), (6, 3))
        assert [event.side for event in again.heard(Doubled)] == [LIGHT]  # type: ignore[attr-defined]


class TestIllegalPlays:
    def test_the_opponent_may_condone_it_where_the_rules_say_so(self) -> None:
        board = opened(illegal={"policy": "condone"})
        wrong = illegal(board)
        (flag,) = board.state.flags
        assert flag.text.endswith("Jana may accept this play or ask for a correction.")
        board.said += board.session.command(AnswerFlag(number=1, how="condoned"), 99.0)
        assert (board.state.flags[0].resolved, board.state.turn) == ("condoned", LIGHT)
        assert board.state.position == wrong
        board.look(dice=thrown(LIGHT, 4, 1))
        board.look(dice=thrown(LIGHT, 4, 1))
        assert (board.state.phase, board.state.dice) == (Phase.TO_PLAY, (4, 1))

    def test_an_answer_that_lets_it_stand_is_taken_back_with_the_turn(self) -> None:
        board = opened()
        illegal(board)
        board.said += board.session.command(AnswerFlag(number=1, how="stands"), 99.0)
        board.said += board.session.command(Undo(), 101.0)
        assert ([flag.resolved for flag in board.state.flags], len(board.state.turns)) == ([None], 1)
        board.said += board.session.command(Redo(), 102.0)
        assert ([flag.resolved for flag in board.state.flags], len(board.state.turns)) == (["stands"], 2)

    def test_it_stands_at_once_where_lifting_the_dice_ends_the_window(self) -> None:
        board = opened(illegal={"window": "until-dice-lifted"})
        wrong = illegal(board)
        assert codes(board) == ["R05", "R19"]
        assert board.state.flags[-1].text == "Illegal play noted; it stands (dice lifted)."
        assert (board.state.turn, board.state.position) == (LIGHT, wrong)
        board.turn(LIGHT, (4, 1), (24, 20), (6, 5))
        assert [turn.side for turn in board.state.turns] == [LIGHT, DARK, LIGHT]


class TestPeopleAndCamera:
    def test_what_was_taken_back_is_not_written_again_until_something_moves(self) -> None:
        board = opened()
        before = board.position
        board.turn(DARK, (6, 2), (24, 18), (13, 11))
        board.look(frames=3)
        board.said += board.session.command(Undo(), 99.0)
        assert (board.state.phase, board.state.turn, board.state.dice) == (Phase.TO_PLAY, DARK, (6, 2))
        for _ in range(4):
            board.said += board.session.see(board.eyes.look(board.position))
        assert len(board.state.turns) == 1
        board.said += board.session.see(replace(board.eyes.look(board.position), still=False))
        board.look(before, thrown(DARK, 6, 2))
        board.look(after_moves(before, DARK, (6, 2), (24, 18), (18, 16)), thrown(DARK, 6, 2))
        board.look()
        board.look(dice=thrown(LIGHT, 5, 4))
        notations = [turn.notation for turn in board.state.turns if isinstance(turn, Played)]
        assert notations == ["8/5 6/5", "24/16"]

    @pytest.mark.parametrize(("commands", "left"), [([Undo(), Undo()], 1), ([Undo(), Undo(), Redo()], 2)])
    def test_nothing_of_two_turns_that_were_taken_back_is_seen_until_something_moves(
        self, commands: list[Undo | Redo], left: int
    ) -> None:
        """Until 30 November 2026 light was said to have moved dark's checkers; or the second was written again."""
        board = opened()
        board.turn(DARK, (6, 2), (24, 18), (13, 11))
        board.turn(LIGHT, (4, 2), (8, 4), (6, 4))
        for command in commands:
            board.said += board.session.command(command, board.eyes.now)
        for _ in range(4):
            board.said += board.session.see(board.eyes.look(board.position))
        assert (len(board.state.turns), codes(board)) == (left, [])
        for _ in range(3 - left):
            board.said += board.session.command(Redo(), board.eyes.now)
        board.turn(DARK, (3, 1), (8, 5), (6, 5))
        assert (len(board.state.turns), codes(board)) == (4, [])

    def test_play_goes_on_from_a_corrected_board(self) -> None:
        board = opened()
        board.turn(DARK, (6, 2), (24, 18), (13, 11))
        board.look()
        board.said += board.session.command(Correct(turn=2, notation="24/16"), 99.0)
        board.position = board.state.position
        board.turn(LIGHT, (5, 4), (13, 8), (24, 20))
        board.look()
        notations = [turn.notation for turn in board.state.turns if isinstance(turn, Played)]
        assert notations == ["8/5 6/5", "24/16", "24/20 13/8"]
        assert codes(board) == []

    def test_a_turn_ended_by_hand_is_the_one_that_the_board_shows(self) -> None:
        board = opened()
        dice = thrown(DARK, 6, 2)
        board.look(dice=dice)
        board.look(after_moves(board.position, DARK, (6, 2), (24, 18), (13, 11)), dice)
        board.said += board.session.command(PlayTurn(), 99.0)
        last = board.state.turns[-1]
        assert isinstance(last, Played)
        assert (last.notation, board.state.turn) == ("24/18 13/11", LIGHT)

    def test_a_view_that_stays_blocked_is_named_and_comes_back(self) -> None:
        board = opened()
        for seconds in (1.0, BLOCKED, 2.0):
            board.eyes.now += seconds
            board.said += board.session.see(replace(board.eyes.look(board.position), still=False))
        assert codes(board) == ["R23"]
        board.look()
        assert ends(board) == ["put right"]
        board.turn(DARK, (6, 2), (24, 18), (13, 11))
        assert len(board.state.turns) == 2


class TestSetUp:
    def test_a_wrong_set_up_is_named_and_put_right_in_time(self) -> None:
        board = Board(events=begun())
        wrong = Position.of(light={24: 2, 13: 5, 8: 2, 7: 1, 6: 5}, dark={24: 2, 13: 5, 8: 3, 6: 5})
        board.look(wrong, frames=4)
        assert codes(board) == ["R13"]
        assert "7, 8" in board.state.flags[0].text
        board.look(Position.start(), frames=4)
        assert ends(board) == ["put right"]


class TestDiceLiftedWithNothingPlayed:
    """Moves are compulsory in every text, and in tournament rules."""

    def test_a_roll_that_could_be_played_is_flagged_and_put_right_by_playing_it(self) -> None:
        board = opened()
        board.look(dice=thrown(DARK, 6, 2))
        board.look(frames=4)
        assert codes(board) == ["R06"]
        board.look(dice=thrown(DARK, 6, 2))
        after = after_moves(board.position, DARK, (6, 2), (24, 18), (13, 11))
        board.look(after, thrown(DARK, 6, 2))
        board.look(frames=3)
        assert ends(board) == ["put right"]
        assert [event.notation for event in board.heard(Played) if isinstance(event, Played)][-1] == "24/18 13/11"

    def test_it_is_put_right_by_throwing_anew_and_playing_that(self) -> None:
        board = opened()
        board.look(dice=thrown(DARK, 6, 2))
        board.look(frames=4)
        board.turn(DARK, (5, 4), (13, 8), (13, 9))
        board.look(frames=2)
        assert codes(board) == ["R06"]
        assert [event.dice for event in board.heard(Played) if isinstance(event, Played)][-1] == (5, 4)

    def test_dice_that_a_hand_hides_for_a_moment_are_not_lifted(self) -> None:
        board = opened()
        board.look(dice=thrown(DARK, 6, 2))
        board.look(frames=1)
        board.look(dice=thrown(DARK, 6, 2))
        assert codes(board) == []


class TestThePairOfTheOther:
    """Text 003: two dice for each colour."""

    def table(self) -> Board:
        board = Board(events=begun(PRESETS["text-003"], 3))
        board.look(dice=thrown(LIGHT, 3, 1), pale=0.98)
        board.look(after_moves(board.position, LIGHT, (3, 1), (8, 5), (6, 5)), thrown(LIGHT, 3, 1), pale=0.98)
        board.look()
        return board

    def test_it_is_flagged_and_put_right_with_the_own_dice(self) -> None:
        board = self.table()
        board.look(dice=thrown(DARK, 6, 2), pale=0.98, frames=3)
        assert [(flag.code, flag.side) for flag in board.state.standing] == [("R45", DARK)]
        board.look(frames=2)
        board.look(dice=thrown(DARK, 5, 4), pale=0.02, frames=3)
        assert ends(board)[0] == "put right"

    def test_the_roll_counts_where_nobody_minds(self) -> None:
        board = self.table()
        board.look(dice=thrown(DARK, 6, 2), pale=0.98, frames=3)
        board.look(after_moves(board.position, DARK, (6, 2), (24, 18), (13, 11)), thrown(DARK, 6, 2), pale=0.98)
        board.look()
        board.look(dice=thrown(LIGHT, 6, 1), pale=0.98, frames=3)
        assert [event.side for event in board.heard(Played) if isinstance(event, Played)] == [LIGHT, DARK]
        assert ends(board) == ["stands"]

    def test_the_own_pair_is_never_flagged_nor_any_where_there_is_one_pair_for_both(self) -> None:
        board = self.table()
        board.look(dice=thrown(DARK, 6, 2), pale=0.02, frames=4)
        one_pair = opened()
        one_pair.look(dice=thrown(DARK, 6, 2), pale=0.98, frames=4)
        assert codes(board) == codes(one_pair) == []
