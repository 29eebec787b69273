"""What the referee says while a game is played: quiet when all is right, flags when not, and how they end."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.referee.commands import (
    AnyCommand,
    Confirm,
    Correct,
    Insert,
    PlayTurn,
    Redo,
    Resign,
    Roll,
    SetPosition,
    SetScore,
    Undo,
)
from controller.referee.events import (
    AnyEvent,
    Doubled,
    Flagged,
    Found,
    GameEnded,
    GameStarted,
    MatchStarted,
    Passed,
    Played,
    Resolved,
    Rolled,
    Taken,
    Why,
)
from controller.referee.folding import apply, fold
from controller.referee.phrases import sentence
from controller.referee.state import Phase
from controller.rules import Position, Side, position_id
from controller.rules.codes import Code, Wording
from controller.tracking.parameters import SURE
from tests.referee.table import CENTRED, OWNED_BY_LIGHT, Board, after_moves
from tests.tracking.eyes import thrown

LIGHT, DARK = Side.LIGHT, Side.DARK


def flags(board: Board) -> list[tuple[str, Side | None]]:
    return [(event.code, event.side) for event in board.heard(Flagged) if isinstance(event, Flagged)]


def ends_of_flags(board: Board) -> list[tuple[int, str]]:
    return [(event.number, event.how) for event in board.heard(Resolved) if isinstance(event, Resolved)]


def turns(board: Board) -> list[tuple[Side, tuple[int, int], str]]:
    return [(event.side, event.dice, event.notation) for event in board.heard(Played) if isinstance(event, Played)]


def after_opening(**keys: int) -> Board:
    """Light has opened with 3-1 and made point 5; dark is on roll."""
    board = Board(**keys)
    board.opening(3, 1, (8, 5), (6, 5))
    return board


class TestPlay:
    def test_a_quiet_game_is_written_down_and_nothing_is_said(self) -> None:
        board = after_opening()
        board.turn(DARK, (6, 2), (24, 18), (13, 11))
        board.turn(LIGHT, (4, 4), (24, 20), (24, 20), (13, 9), (13, 9))
        board.look(dice=thrown(DARK, 5, 3))
        assert turns(board) == [
            (LIGHT, (3, 1), "8/5 6/5"),
            (DARK, (6, 2), "24/18 13/11"),
            (LIGHT, (4, 4), "24/20(2) 13/9(2)"),
        ]
        assert [type(event) for event in board.said] == [
            *(MatchStarted, GameStarted),
            *(Rolled, Played) * 3,
            Rolled,
        ]
        assert (board.state.phase, board.state.turn, board.state.dice) == (Phase.TO_PLAY, DARK, (5, 3))

    def test_positions_chain_from_turn_to_turn(self) -> None:
        board = after_opening()
        board.turn(DARK, (6, 2), (24, 18), (13, 11))
        board.turn(LIGHT, (6, 4), (24, 18), (18, 14))
        first, second, third = (event for event in board.said if isinstance(event, Played))
        assert first.before == position_id(Position.start(), LIGHT)
        assert (first.after, second.after) == (second.before, third.before)
        assert third.after == position_id(board.position, LIGHT)

    def test_a_play_that_does_not_match_the_dice_is_flagged_once_and_put_right(self) -> None:
        board = after_opening()
        dice = thrown(DARK, 6, 2)
        wrong = after_moves(board.position, DARK, (5, 4), (13, 8), (13, 9))
        right = after_moves(board.position, DARK, (6, 2), (24, 18), (13, 11))
        board.look(dice=dice)
        board.look(wrong, dice)
        board.look(frames=4)
        assert flags(board) == [("R05", DARK)]
        assert [flag.code for flag in board.state.standing] == ["R05"]
        assert board.state.phase is Phase.TO_PLAY
        board.look(right)
        board.look(dice=thrown(LIGHT, 4, 1))
        assert ends_of_flags(board) == [(1, "put right")]
        assert turns(board)[1:] == [(DARK, (6, 2), "24/18 13/11")]
        assert board.state.standing == ()

    def test_it_stands_once_the_opponent_has_rolled(self) -> None:
        board = after_opening()
        dice = thrown(DARK, 6, 2)
        wrong = after_moves(board.position, DARK, (5, 4), (13, 8), (13, 9))
        board.look(dice=dice)
        board.look(wrong, dice)
        board.look(frames=4)
        board.look(dice=thrown(LIGHT, 4, 1))
        board.look(dice=thrown(LIGHT, 4, 1))
        board.turn(LIGHT, (4, 1), (24, 20), (6, 5))
        assert flags(board) == [("R05", DARK), ("R19", DARK)]
        assert ends_of_flags(board) == [(1, "stands"), (2, "stands")]
        (illegal,) = (event for event in board.said if isinstance(event, Played) and not event.legal)
        assert (illegal.moves, illegal.notation, illegal.after) == ((), "", position_id(wrong, LIGHT))
        assert turns(board)[-1] == (LIGHT, (4, 1), "24/20 6/5")


class TestDice:
    def test_an_early_roll_is_flagged_and_put_right_when_it_is_taken_back(self) -> None:
        board = after_opening()
        dice = thrown(DARK, 6, 2)
        after = after_moves(board.position, DARK, (6, 2), (24, 18), (13, 11))
        board.look(dice=dice)
        board.look(after, [*dice, *thrown(LIGHT, 4, 1)])
        board.look(dice=[*dice, *thrown(LIGHT, 4, 1)])
        assert flags(board) == [("R04", LIGHT)]
        board.look(dice=dice)
        board.look(dice=dice)
        assert ends_of_flags(board) == [(1, "put right")]
        board.look()
        board.turn(LIGHT, (5, 4), (13, 8), (24, 20))
        assert turns(board)[1:] == [(DARK, (6, 2), "24/18 13/11"), (LIGHT, (5, 4), "24/20 13/8")]

    def test_it_stands_when_the_turn_is_played_with_it(self) -> None:
        board = after_opening()
        dice, early = thrown(DARK, 6, 2), thrown(LIGHT, 4, 1)
        after = after_moves(board.position, DARK, (6, 2), (24, 18), (13, 11))
        board.look(dice=dice)
        board.look(after, [*dice, *early])
        board.look(dice=[*dice, *early])
        board.look(dice=early)
        board.look(dice=early)
        assert flags(board) == [("R04", LIGHT)]
        assert ends_of_flags(board) == [(1, "stands")]
        assert (board.state.turn, board.state.dice) == (LIGHT, (4, 1))

    def test_a_leaning_die_is_flagged_until_both_are_rolled_again(self) -> None:
        board = after_opening()
        board.look(dice=thrown(DARK, 6, 2), unflat=1, frames=4)
        assert [code for code, _ in flags(board)] == ["R01"]
        assert board.heard(Rolled)[1:] == []
        board.look(dice=thrown(DARK, 5, 3))
        board.look(dice=thrown(DARK, 5, 3))
        assert ends_of_flags(board) == [(1, "put right")]
        assert board.state.dice == (5, 3)

    def test_a_third_thing_beside_two_flat_dice_is_not_spoken_of(self) -> None:
        """A mark on a checker, for example, that looks like a leaning die."""
        board = after_opening()
        board.look(dice=[(1, LIGHT), *thrown(DARK, 6, 2)], unflat=1, frames=4)
        assert flags(board) == []
        assert board.state.dice == (6, 2)


class TestCube:
    def test_a_double_that_is_taken(self) -> None:
        board = after_opening()
        board.offers(2)
        assert board.state.phase is Phase.OFFERED
        board.takes(LIGHT)
        board.look(dice=thrown(DARK, 6, 2))
        board.look(dice=thrown(DARK, 6, 2))
        double, take = board.heard(Doubled, Taken)
        assert (double, take) == (
            Doubled(side=DARK, value=2, seconds=double.seconds),
            Taken(side=LIGHT, seconds=take.seconds),
        )
        assert (board.state.cube, board.state.owner, board.state.turn) == (2, LIGHT, DARK)

    def test_a_double_that_is_passed_ends_the_game_at_the_cubes_old_value(self) -> None:
        board = after_opening()
        board.offers(2)
        board.cube, board.cube_at = 64, CENTRED
        board.look(Position.start())
        board.opening(2, 6, (24, 18), (13, 11))
        ended = board.said[board.said.index(board.heard(Passed)[0]) :]
        assert [type(event) for event in ended[:3]] == [Passed, GameEnded, GameStarted]
        assert (board.heard(Passed)[0].side, board.state.score.dark, board.state.score.light) == (LIGHT, 1, 0)
        assert (board.state.cube, board.state.owner, board.state.score.game) == (1, None, 2)

    def test_the_crawford_game_has_no_cube(self) -> None:
        board = Board(length=2, events=after_first_game())
        assert board.state.score.crawford
        board.opening(3, 1, (8, 5), (6, 5))
        board.offers(2)
        board.turn(DARK, (6, 2), (24, 18), (13, 11))
        board.look(dice=thrown(LIGHT, 5, 3))
        assert board.heard(Doubled) == []
        assert [turn[:2] for turn in turns(board)] == [(LIGHT, (3, 1)), (DARK, (6, 2))]


def after_first_game() -> list[AnyEvent]:
    """Dark has won the first game of a match to 2 points, and the second begins."""
    start = position_id(Position.start(), LIGHT)
    return [
        MatchStarted(length=2, light="Jana", dark="Petr", rules="match", position=start),
        GameStarted(number=1),
        GameEnded(winner=DARK, level=1, points=1),
        GameStarted(number=2),
    ]


LAST_CHECKERS = {1: 2}
"""Two checkers on a side's own ace point: any roll ends the game."""


class TestTheEnd:
    @pytest.mark.parametrize(
        ("dark", "level", "points"),
        [
            ({6: 14}, 1, 1),  # one has been borne off
            ({6: 15}, 2, 2),  # gammon: none has
            ({6: 14, 25: 1}, 3, 3),  # backgammon: one still lies on the bar
        ],
    )
    def test_bearing_the_last_checker_off_ends_the_game_at_its_level(
        self, dark: dict[int, int], level: int, points: int
    ) -> None:
        board = about_to_win(dark, length=7)
        board.turn(LIGHT, (6, 5), (1, 0), (1, 0))
        board.look(frames=4)
        (end,) = board.heard(GameEnded)
        assert end == GameEnded(winner=LIGHT, level=level, points=points, seconds=end.seconds)
        assert (board.state.phase, board.state.score.light, board.state.score.dark) == (Phase.GAME_OVER, points, 0)
        assert board.state.turn is None

    def test_the_match_ends_with_its_last_point_and_no_game_follows(self) -> None:
        board = about_to_win({6: 15}, length=2)
        board.turn(LIGHT, (6, 5), (1, 0), (1, 0))
        board.look(frames=4)
        assert (board.state.phase, board.state.score.winner) == (Phase.MATCH_OVER, LIGHT)
        known = len(board.said)
        board.look(Position.start(), frames=4)
        board.look(dice=[(3, LIGHT), (1, DARK)])
        assert board.said[known:] == []


def about_to_win(dark: dict[int, int], length: int) -> Board:
    """Light, on roll, has two checkers left on point 1."""
    position = Position.of(light=LAST_CHECKERS, dark=dark)
    begun = MatchStarted(
        length=length, light="Jana", dark="Petr", rules="match", position=position_id(Position.start(), LIGHT)
    )
    dance = Played(
        side=DARK,
        dice=(6, 6),
        before=position_id(position, LIGHT),
        after=position_id(position, LIGHT),
        moves=(),
        notation="",
        legal=True,
    )
    return Board(length=length, events=[begun, GameStarted(number=1), dance])


def test_a_recording_that_ends_while_the_dice_still_lie_ends_with_that_turn_in_doubt() -> None:
    board = after_opening()
    dice = thrown(DARK, 6, 2)
    board.look(dice=dice)
    board.look(after_moves(board.position, DARK, (6, 2), (24, 18), (13, 11)), dice)
    play, asked = board.session.finish(99.0)
    assert isinstance(play, Played)
    assert (play.side, play.dice, play.notation, play.seconds) == (DARK, (6, 2), "24/18 13/11", 99.0)
    assert play.sure < SURE
    assert isinstance(asked, Flagged)
    assert asked.code == Code.READING_UNCERTAIN
    assert (board.state.phase, board.state.turn) == (Phase.TO_ROLL, LIGHT)


def test_a_turn_that_waits_to_be_written_waits_on_while_somebody_confirms_the_one_before() -> None:
    """One of its dice was seen: nothing but that tells 4-1 from 3-2. Until 30 November 2026 it was forgotten, and was a gap."""
    board = after_opening()
    board.look(dice=[(4, DARK)])
    board.look(after_moves(board.position, DARK, (4, 1), (13, 9), (9, 8)))
    assert len(turns(board)) == 1
    board.said += board.session.command(Confirm(turn=1), board.eyes.now)
    board.turn(LIGHT, (4, 2), (8, 4), (6, 4))
    board.turn(DARK, (6, 5), (24, 18), (18, 13))
    assert [(side, dice) for side, dice, _ in turns(board)] == [
        (LIGHT, (3, 1)),
        (DARK, (4, 1)),
        (LIGHT, (4, 2)),
        (DARK, (6, 5)),
    ]
    assert not board.heard(Found)


def waits_to_be_written() -> Board:
    """Light has opened with 4-1, played 13/8; dark has played 13/8 with 4-1, of which one die was seen."""
    board = Board()
    board.opening(4, 1, (13, 9), (9, 8))
    board.look(dice=[(4, DARK)])
    board.look(after_moves(board.position, DARK, (4, 1), (13, 9), (9, 8)))
    assert len(turns(board)) == 1
    return board


@pytest.mark.parametrize(
    ("dice", "commands"),
    [
        ((3, 2), [Correct(turn=1, dice=(3, 2))]),
        ((4, 1), [Correct(turn=1, notation="13/8")]),
        ((4, 1), [Undo(), Redo()]),
        ((3, 2), [Correct(turn=1, dice=(3, 2)), Undo(), Redo()]),
        ((3, 2), [Undo(), Roll(dice=(3, 2), side=LIGHT), PlayTurn(notation="13/8")]),
    ],
)
@pytest.mark.parametrize("looks", [0, 1])
def test_a_turn_that_waits_to_be_written_waits_on_while_the_one_before_is_put_right_or_taken_back_and_holds_again(
    dice: tuple[int, int], commands: list[AnyCommand], looks: int
) -> None:
    """Until 30 November 2026 it was forgotten, and was a gap."""
    board = waits_to_be_written()
    for command in commands:
        board.said += board.session.command(command, board.eyes.now)
        for _ in range(looks):
            board.said += board.session.see(board.eyes.look(board.position))
    board.turn(LIGHT, (4, 2), (8, 4), (6, 4))
    board.turn(DARK, (6, 5), (24, 18), (18, 13))
    assert [(line.side, line.dice) for line in board.state.turns if isinstance(line, Played)] == [
        (LIGHT, dice),
        (DARK, (4, 1)),
        (LIGHT, (4, 2)),
        (DARK, (6, 5)),
    ]
    assert (board.heard(Found), board.state.standing) == ([], ())


def test_a_turn_that_waits_to_be_written_is_written_before_the_one_before_is_said_to_have_left_another_board() -> None:
    """It is judged anew after that, as later lines are; until 30 November 2026 it was forgotten."""
    board = waits_to_be_written()
    board.said += board.session.command(Correct(turn=1, notation="24/23 13/9"), board.eyes.now)
    assert [(line.side, line.notation) for line in board.state.turns if isinstance(line, Played)] == [
        (LIGHT, "24/23 13/9"),
        (DARK, "13/8"),
    ]
    assert [flag.code for flag in board.state.standing] == [Code.READING_UNCERTAIN]


@pytest.mark.parametrize("looks", [0, 1])
def test_a_turn_whose_die_lies_waits_on_while_a_correction_to_another_board_is_taken_back(looks: int) -> None:
    """Until 30 November 2026 it was forgotten, and was a gap."""
    board = after_opening()
    board.look(dice=[(4, DARK)])
    board.look(after_moves(board.position, DARK, (4, 1), (13, 9), (9, 8)), [(4, DARK)])
    for command in (Correct(turn=1, notation="24/23 13/10"), Undo()):
        board.said += board.session.command(command, board.eyes.now)
        for _ in range(looks):
            board.said += board.session.see(board.eyes.look(board.position, [(4, DARK)]))
    board.session.see(replace(board.eyes.look(board.position), still=False))
    board.look()
    board.turn(LIGHT, (4, 2), (8, 4), (6, 4))
    assert [(side, dice) for side, dice, _ in turns(board)] == [(LIGHT, (3, 1)), (DARK, (4, 1)), (LIGHT, (4, 2))]
    assert not board.heard(Found)


@pytest.mark.parametrize(
    "commands", [[Roll(dice=(3, 1), side=LIGHT)], [Insert(turn=1, side=LIGHT, dice=(3, 1), notation="8/5 6/5")]]
)
def test_of_two_turns_that_wait_the_later_waits_on_while_somebody_tells_the_first(commands: list[AnyCommand]) -> None:
    """Nobody saw their dice. Until 30 November 2026 both were forgotten, and seen anew as doubtful, or as a gap."""
    board = Board()
    opened = after_moves(board.position, LIGHT, (3, 1), (8, 5), (6, 5))
    board.look(opened)
    board.look(after_moves(opened, DARK, (6, 5), (24, 18), (18, 13)))
    assert not turns(board)
    before = board.session.tracker.belief.best.facts
    for command in commands:
        board.said += board.session.command(command, board.eyes.now)
    assert board.session.tracker.belief.best.facts[-1:] == before[-1:]
    board.turn(LIGHT, (4, 2), (8, 4), (6, 4))
    board.look(dice=thrown(DARK, 5, 3))
    lines = [(line.side, line.dice, line.sure >= SURE) for line in board.state.turns if isinstance(line, Played)]
    assert lines == [(LIGHT, (3, 1), True), (DARK, (6, 5), True), (LIGHT, (4, 2), True)]
    assert (board.heard(Found), board.state.standing) == ([], ())


@pytest.mark.parametrize("said", [Correct(turn=1, notation="24/23 13/9"), Resign(side=LIGHT, level=1)])
def test_what_was_seen_of_a_turn_that_was_written_first_is_known_once_what_was_said_is_taken_back(
    said: AnyCommand,
) -> None:
    """It may be played otherwise, and its dice may lie on. Until 30 November 2026 the tracker had seen nothing of it then."""
    board = waits_to_be_written()
    last = board.session.tracker.belief.best
    for command in (said, Undo()):
        board.said += board.session.command(command, board.eyes.now)
    now = board.session.tracker.belief
    assert (now.best, now.best.last) == (replace(last, facts=()), last.last)
    assert now.evidence is not None


def test_a_position_that_is_set_writes_nothing_of_the_turn_that_waits() -> None:
    board = Board()
    board.look(after_moves(board.position, LIGHT, (3, 1), (8, 5), (6, 5)))
    dice = thrown(DARK, 4, 1)
    board.look(dice=dice)
    board.look(after_moves(board.position, DARK, (4, 1), (13, 9), (9, 8)), dice)
    board.look()
    assert (board.state.dice, len(board.session.tracker.belief.best.facts)) == ((4, 1), 1)
    board.said += board.session.command(SetPosition(position="4HPwATDgc/ABMA"), board.eyes.now)
    board.look(Position.start())
    assert len(turns(board)) == 1


def test_dice_that_show_what_those_of_an_earlier_turn_did_count_after_two_undos_and_two_redos() -> None:
    """Until 30 November 2026 they were taken for those of that turn, left lying, and the game was lost."""
    board = Board()
    board.look(dice=[(3, LIGHT), (1, DARK)])
    board.look(after_moves(board.position, LIGHT, (3, 1), (8, 5), (6, 5)), [(3, LIGHT), (1, DARK)])
    board.look(dice=thrown(DARK, 6, 2))
    board.look(after_moves(board.position, DARK, (6, 2), (24, 18), (13, 11)), thrown(DARK, 6, 2))
    board.turn(LIGHT, (4, 2), (8, 4), (6, 4))
    for command in (Undo(), Undo(), Redo(), Redo()):
        board.said += board.session.command(command, board.eyes.now)
    board.look(dice=thrown(DARK, 6, 2))
    assert (len(board.state.turns), board.state.turn, board.state.dice) == (3, DARK, (6, 2))


def test_what_somebody_has_confirmed_is_not_played_otherwise_any_more() -> None:
    board = after_opening()
    board.said += board.session.command(Confirm(turn=1), board.eyes.now)
    board.look()
    assert all(one.last is None for one, _ in board.session.tracker.belief.hypotheses)


@pytest.mark.parametrize(
    ("turn", "english", "czech", "slovak"),
    [
        ("65: 6/off 5/off", "65: 6/off 5/off?", "65: 6/ven 5/ven?", "65: 6/von 5/von?"),
        ("66: ", "66: no legal move?", "66: hod propadá?", "66: hod prepadá?"),
    ],
)
def test_a_turn_in_doubt_is_asked_in_the_words_of_each_language(
    turn: str, english: str, czech: str, slovak: str
) -> None:
    why = [Why(Wording.TURN_UNCERTAIN, {"play": turn})]
    for language, words in zip(("en", "cs", "sk"), (english, czech, slovak), strict=True):
        assert f": {words} " in sentence(why, language)


def test_a_recording_that_ends_with_the_game_says_who_has_won_whatever_was_thrown() -> None:
    """A hand turns a die while the last checkers are borne off: nobody knows for sure which roll it was, but how it ended."""
    board = about_to_win({6: 15}, length=2)
    board.look(dice=thrown(LIGHT, 5, 3))
    board.look(dice=thrown(LIGHT, 5, 2))
    board.look(after_moves(board.position, LIGHT, (5, 3), (1, 0), (1, 0)))
    assert board.heard(GameEnded) == []
    play, asked, end, *_ = board.session.finish(99.0)
    assert isinstance(play, Played)
    assert (play.side, play.notation) == (LIGHT, "1/off(2)")
    assert play.sure < SURE
    assert isinstance(asked, Flagged)
    assert isinstance(end, GameEnded)
    assert (end.winner, end.points) == (LIGHT, 2)
    assert board.state.score.winner is LIGHT


def test_a_recording_that_ends_while_a_hand_is_over_that_play_does_not_write_it() -> None:
    board = after_opening()
    dice = thrown(DARK, 6, 2)
    board.look(dice=dice)
    board.look(after_moves(board.position, DARK, (6, 2), (24, 18), (13, 11)), dice)
    board.session.see(replace(board.eyes.look(board.position, dice), still=False))
    assert board.session.finish(99.0) == ()


@pytest.mark.parametrize("anew", ["undo", "turned"])
def test_a_cube_that_was_left_about_is_offered_by_nobody_where_the_tracker_begins_anew(anew: str) -> None:
    """Until 30 November a double was written that nobody had offered, and that it was taken."""
    board = Board(cube=2, cube_at=OWNED_BY_LIGHT)
    board.opening(3, 1, (8, 5), (6, 5))
    if anew == "undo":
        board.said += board.session.command(SetScore(light=1, dark=0), board.eyes.now)
        board.said += board.session.command(Undo(), board.eyes.now)
    else:
        board.session.turned("bottom-right")
    board.turn(DARK, (6, 2), (24, 18), (13, 11))
    board.turn(LIGHT, (4, 2), (8, 4), (6, 4))
    assert len(turns(board)) == 3
    assert board.heard(Doubled) == []
    assert (board.state.cube, board.state.owner) == (1, None)


def test_deciding_changes_nothing_but_what_it_returns() -> None:
    board = after_opening()
    before, tracker = board.state, board.session.tracker
    seen = board.eyes.look(board.position, thrown(DARK, 6, 2))
    session = board.session
    first = session.see(seen)
    session.state, session.tracker = before, tracker
    assert session.see(seen) == first
    assert before == fold(board.said)


def test_the_live_state_is_the_fold_of_what_was_said() -> None:
    board = after_opening()
    board.turn(DARK, (6, 2), (24, 18), (13, 11))
    board.offers(2)
    board.takes(DARK)
    board.turn(LIGHT, (5, 4), (13, 8), (24, 20))
    assert fold(board.said) == board.state
    state = fold(())
    for number, event in enumerate(board.said, start=1):
        state = apply(state, event)
        assert state.events == number
    assert state == board.state
