"""A game that was on before the camera, and one of which a part was not seen: what the referee writes and lets people set."""

from __future__ import annotations

import msgspec
import pytest

from controller.app.status_sentence import status
from controller.record.check import check
from controller.record.formats import parse_record
from controller.record.from_events import record_of
from controller.record.mat_writer import write_mat
from controller.record.model import PlayAction, RecordError, SetAction
from controller.record.native import encode_json
from controller.record.sgf_writer import write_sgf
from controller.referee.commands import Roll, SetCube, SetScore, Undo
from controller.referee.events import Flagged, Found, GameStarted, Played, Presumed
from controller.referee.folding import apply
from controller.referee.state import Phase
from controller.rules import Position, Side, position_id
from tests.referee.table import OWNED_BY_LIGHT, Board
from tests.rules.boards import board as position_named
from tests.tracking.eyes import thrown

LIGHT, DARK = Side.LIGHT, Side.DARK
MIDDLE = position_named("24:1 18:1 13:4 8:3 7:1 6:4 5:1", "24:2 13:4 8:2 6:5 5:2")
FAR = position_named("22:2 13:3 8:4 7:1 6:3 4:2", "20:2 13:2 10:2 8:2 6:4 5:3")


def begun(cube: int = 64, cube_at: tuple[float, float] = (0.5, 0.5)) -> Board:
    """The camera is switched on in the middle of a game; dark plays 5-2, light 4-2."""
    board = Board(shown=MIDDLE, cube=cube, cube_at=cube_at)
    board.turn(DARK, (5, 2), (13, 8), (13, 11))
    board.turn(LIGHT, (4, 2), (8, 4), (6, 4))
    return board


def with_a_gap() -> Board:
    """The camera is away while some turns are played."""
    board = Board()
    board.opening(3, 1, (8, 5), (6, 5))
    board.look(FAR)
    board.turn(DARK, (6, 1), (13, 7), (8, 7))
    return board


def test_a_game_in_progress_is_adopted_and_the_page_says_so() -> None:
    board = Board(shown=MIDDLE)
    for _ in range(3):
        board.look()
    assert board.heard(Found) == [
        Found(position=position_id(MIDDLE, LIGHT), cube=1, owner=None, seconds=board.state.seconds)
    ]
    assert (board.state.phase, board.state.turn) == (Phase.FOUND, None)
    assert "begun at this position" in status(board.state)
    board.turn(DARK, (5, 2), (13, 8), (13, 11))
    assert status(board.state) == "To roll: Jana"


def test_a_position_is_presumed_before_it_is_sure_and_no_longer() -> None:
    board = Board()
    board.opening(3, 1, (8, 5), (6, 5))
    board.look(FAR, frames=1)
    assert (board.state.phase, board.state.presumed) == (Phase.TO_ROLL, FAR)
    assert "seems to go on from here" in status(board.state)
    board.look(frames=1)
    board.look(frames=1)
    assert [type(event) for event in board.said if isinstance(event, Presumed | Found)] == [Presumed, Found]
    assert board.state.presumed is None


def test_the_page_says_that_a_game_seems_to_be_on() -> None:
    board = Board()
    presumed = Presumed(position=position_id(MIDDLE, LIGHT), seconds=1.0)
    assert status(apply(board.state, presumed)).startswith("A game seems to be on")


def test_what_was_presumed_is_taken_back_when_the_game_goes_on_from_where_it_was() -> None:
    board = Board()
    board.opening(3, 1, (8, 5), (6, 5))
    stood = board.state.position
    board.look(FAR, frames=1)
    assert board.state.presumed == FAR
    board.look(stood, frames=1)
    board.turn(DARK, (6, 1), (13, 7), (8, 7))
    assert [event.position for event in board.heard(Presumed) if isinstance(event, Presumed)][-1] is None
    assert board.state.presumed is None
    assert not board.heard(Found)
    assert len(board.heard(Played)) == 2


def test_a_cube_that_lies_with_somebody_is_his() -> None:
    board = begun(4, OWNED_BY_LIGHT)
    assert (board.state.cube, board.state.owner) == (4, LIGHT)
    game = record_of(board.said).games[0]
    assert (game.cube, game.owner, len(game.actions)) == (4, 0, 2)


def test_what_the_camera_cannot_know_is_set_at_the_desk() -> None:
    board = Board(shown=MIDDLE)
    for _ in range(3):
        board.look()
    board.session.command(SetScore(light=2, dark=4), 99.0)
    board.session.command(SetCube(value=2, owner=DARK), 99.0)
    board.session.command(Roll(dice=(5, 2), side=DARK), 99.0)
    state = board.state
    assert (state.score.light, state.score.dark, state.cube, state.owner) == (2, 4, 2, DARK)
    assert state.to_play is not None
    assert (state.to_play.side, state.to_play.before) == (DARK, MIDDLE)


def test_the_record_begins_there_in_each_format_that_can_say_so() -> None:
    record = record_of(begun(4, OWNED_BY_LIGHT).said)
    for data in (encode_json(record), write_sgf(record)):
        read = check(parse_record(data))
        (game,) = read.games
        assert (game.start, game.cube, game.owner) == (position_id(MIDDLE, LIGHT), 4, 0)
        assert [action.legal for action in game.actions if isinstance(action, PlayAction)] == [True, True]
        (problem,) = read.problems
        assert problem.endswith("game 1 is not finished.")
    with pytest.raises(RecordError, match="does not begin from the usual position"):
        write_mat(record)


def test_a_gap_is_written_instead_of_what_nobody_saw_and_said_at_once() -> None:
    board = with_a_gap()
    plays = [(event.side, event.dice, event.legal) for event in board.heard(Played) if isinstance(event, Played)]
    assert plays == [(LIGHT, (3, 1), True), (DARK, (6, 1), True)]
    assert [one.code for one in board.heard(Flagged) if isinstance(one, Flagged)] == ["R44"]
    assert not board.state.standing
    (gap,) = board.heard(Found)
    assert isinstance(gap, Found)
    assert gap.position == position_id(FAR, LIGHT)
    assert gap.lost is not None
    assert gap.lost > 0


def test_the_gap_is_in_every_export_and_check_names_it() -> None:
    record = record_of(with_a_gap().said)
    for data in (encode_json(record), write_sgf(record)):
        read = check(parse_record(data))
        (gap,) = (action for action in read.games[0].actions if isinstance(action, SetAction))
        assert gap.player == 1
        assert gap.position == position_id(FAR, DARK)
        assert [problem for problem in read.problems if "gap of" in problem]
        assert not [problem for problem in read.problems if "two turns" in problem or "another board" in problem]
    with pytest.raises(RecordError, match="there is a gap"):
        write_mat(record)


def test_the_page_says_that_track_is_lost_while_it_is() -> None:
    board = Board()
    board.opening(3, 1, (8, 5), (6, 5))
    board.look(FAR, frames=1)
    assert status(board.state).startswith("What stands does not follow")
    board.look(frames=1)
    board.look(frames=1)
    assert "the game goes on from this position" in status(board.state)


def test_a_record_that_ends_while_track_is_lost_says_so() -> None:
    board = Board()
    board.opening(3, 1, (8, 5), (6, 5))
    board.look(FAR, frames=1)
    events = [*board.said, *board.session.finish(board.eyes.now)]
    assert "does not follow" in record_of(events).problems[0]
    assert [event.legal for event in events if isinstance(event, Played)] == [True]


def test_positions_that_people_show_each_other_after_a_game_begin_none() -> None:
    board = Board(shown=position_named("1:1", "6:2 5:3"), length=3)
    board.look(dice=thrown(LIGHT, 2, 1))
    board.look(position_named("", "6:2 5:3"), thrown(LIGHT, 2, 1))
    board.look(position_named("", "6:2 5:3"))
    assert board.state.between_games
    for _ in range(4):
        board.look(FAR)
    board.look(Position.start())
    board.opening(6, 3, (24, 18), (13, 10))
    assert len(board.heard(GameStarted)) == 2
    assert len(board.heard(Found)) == 1


def test_a_game_that_is_on_when_a_film_comes_back_after_another_is_found_by_its_first_turn() -> None:
    board = Board(shown=position_named("1:1", "6:2 5:3"), length=3)
    board.look(dice=thrown(LIGHT, 2, 1))
    board.look(position_named("", "6:2 5:3"), thrown(LIGHT, 2, 1))
    board.look(position_named("", "6:2 5:3"))
    assert board.state.between_games
    board.look(FAR)
    board.turn(DARK, (6, 1), (13, 7), (8, 7))
    assert [event.position for event in board.heard(Found) if isinstance(event, Found)][1:] == [position_id(FAR, LIGHT)]
    assert [(event.side, event.dice) for event in board.heard(Played)[-1:] if isinstance(event, Played)] == [
        (DARK, (6, 1))
    ]


def test_a_gap_to_the_start_position_begins_the_next_game() -> None:
    board = with_a_gap()
    board.look(Position.start())
    board.opening(6, 3, (24, 18), (13, 10))
    games = [event.number for event in board.heard(GameStarted) if isinstance(event, GameStarted)]
    assert len(games) == 2
    first, second = record_of(board.said).games
    assert first.winner is None
    assert not second.start
    assert [action.dice for action in second.actions if isinstance(action, PlayAction)] == [(6, 3)]


def test_a_program_that_starts_again_goes_on_from_where_the_game_was_found() -> None:
    board = Board(shown=MIDDLE)
    for _ in range(3):
        board.look()
    again = Board(events=board.said, shown=MIDDLE)
    again.turn(DARK, (5, 2), (13, 8), (13, 11))
    assert [event.dice for event in again.heard(Played) if isinstance(event, Played)] == [(5, 2)]
    assert again.session.state.turns[0] == board.heard(Found)[0]


def test_what_was_found_can_be_taken_back() -> None:
    board = begun()
    for _ in range(3):
        board.session.command(Undo(), 99.0)
    assert (board.state.phase, board.state.position) == (Phase.OPENING, Position.start())


def test_a_record_with_a_found_game_is_the_same_after_a_trip_through_json() -> None:
    record = record_of(with_a_gap().said)
    again = msgspec.json.decode(encode_json(record), type=type(record))
    assert again == record
