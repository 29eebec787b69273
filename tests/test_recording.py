"""What the referee wrote down becomes a record: every play, cube action and result, from the mover's view."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.record.check import check
from controller.record.formats import read_record, write_record
from controller.record.model import Double, Pass, Play, Record, Take
from controller.recording import record_of
from controller.referee.events import (
    AnyEvent,
    Doubled,
    Flagged,
    GameEnded,
    GameStarted,
    MatchStarted,
    Passed,
    Played,
    Resolved,
    Rolled,
    Skipped,
    Taken,
)
from controller.rules import Position, Side, format_play, legal_plays, position_id

LIGHT, DARK = Side.LIGHT, Side.DARK


class Writer:
    """Writes a match down as the referee would."""

    def __init__(self, length: int = 3, rules: str = "match") -> None:
        self.position = Position.start()
        start = position_id(self.position, LIGHT)
        self.events: list[AnyEvent] = [
            MatchStarted(length=length, light="Jana", dark="Petr", rules=rules, position=start)
        ]

    def game(self, number: int) -> None:
        self.position = Position.start()
        self.events.append(GameStarted(number=number))

    def turn(self, side: Side, dice: tuple[int, int], *moves: tuple[int, int], **said: object) -> None:
        play = next(
            play
            for play in legal_plays(self.position, side, dice)
            if sorted((move.source, move.target) for move in play.moves) == sorted(moves)
        )
        before, self.position = self.position, play.result
        self.events += [
            Rolled(side=side, dice=dice),
            Played(
                side=side,
                dice=dice,
                before=position_id(before, LIGHT),
                after=position_id(self.position, LIGHT),
                moves=tuple((move.source, move.target) for move in play.moves),
                notation=format_play(play),
                legal=True,
                **said,  # type: ignore[arg-type]
            ),
        ]


def cube_match() -> Writer:
    """Two games to 3 points: dark doubles and light takes; light doubles back and dark passes; a second game begins."""
    match = Writer()
    match.game(1)
    match.turn(LIGHT, (3, 1), (8, 5), (6, 5), seconds=12.5)
    match.events += [Doubled(side=DARK, value=2), Taken(side=LIGHT)]
    match.turn(DARK, (6, 2), (24, 18), (13, 11), seconds=31.0, sure=0.8, roll_seen=False)
    match.events += [Doubled(side=LIGHT, value=4), Passed(side=DARK), GameEnded(winner=LIGHT, level=1, points=2)]
    match.game(2)
    match.turn(DARK, (4, 3), (13, 10), (13, 9))
    return match


def test_every_action_is_there_in_order() -> None:
    record = record_of(cube_match().events)
    first, second = record.games
    assert [type(action) for action in first.actions] == [Play, Double, Take, Play, Double, Pass]
    assert [action.player for action in first.actions] == [0, 1, 0, 1, 0, 1]
    assert (first.score, first.winner, first.points, first.crawford) == ((0, 0), 0, 2, False)
    assert (second.score, second.winner, second.points, second.crawford) == ((2, 0), None, None, True)
    assert [(player.name, player.color) for player in record.players] == [("Jana", "light"), ("Petr", "dark")]
    assert (record.length, record.rules) == (3, "match")


def test_positions_are_told_with_the_mover_on_roll_before_and_after() -> None:
    match = cube_match()
    play = record_of(match.events).games[1].actions[0]
    assert isinstance(play, Play)
    assert play.before == position_id(Position.start(), DARK)
    assert play.after == position_id(match.position, DARK)
    assert play.moves == ((13, 10), (13, 9)) or play.moves == ((13, 9), (13, 10))


def test_doubt_and_time_stay_with_the_play() -> None:
    sure, doubtful = (a for a in record_of(cube_match().events).games[0].actions if isinstance(a, Play))
    assert (sure.confidence, sure.inferred, sure.seconds) == (None, False, 12.5)
    assert (doubtful.confidence, doubtful.inferred, doubtful.seconds) == (0.8, True, 31.0)


def test_what_the_referee_said_is_no_part_of_the_record() -> None:
    match = cube_match()
    spoken: list[AnyEvent] = []
    for event in match.events:
        spoken.append(event)
        if isinstance(event, Played):
            flag = Flagged(number=1, code="R04", side=event.side.other, text="Rolled early.")
            spoken += [flag, Resolved(number=1, how="put right")]
    assert record_of(spoken) == record_of(match.events)


def test_an_illegal_play_that_stands_is_kept_as_it_stands_and_named_by_check() -> None:
    match = Writer()
    match.game(1)
    start = Position.start()
    stands = Position.of(light={24: 2, 13: 5, 8: 3, 6: 4, 2: 1}, dark={24: 2, 13: 5, 8: 3, 6: 5})
    ids = position_id(start, LIGHT), position_id(stands, LIGHT)
    match.events.append(
        Played(side=LIGHT, dice=(3, 1), before=ids[0], after=ids[1], moves=(), notation="", legal=False)
    )
    record = record_of(match.events)
    (play,) = record.games[0].actions
    assert isinstance(play, Play)
    assert (play.legal, play.after) == (False, ids[1])
    assert check(record).problems[0].startswith("game 1, action 1, Jana has a play")


def test_a_player_who_need_not_roll_leaves_the_turns_of_the_other_in_place() -> None:
    match = Writer()
    match.game(1)
    match.turn(LIGHT, (3, 1), (8, 5), (6, 5))
    plays = len(record_of(match.events).games[0].actions)
    match.events.append(Skipped(side=DARK))
    assert len(record_of(match.events).games[0].actions) == plays


def test_a_match_that_has_only_begun_is_a_record_without_games() -> None:
    record = record_of(Writer(length=5).events)
    assert (record.games, record.length) == ((), 5)
    assert record_of([]).games == ()


@pytest.mark.parametrize("ending", ["mat", "sgf", "json"])
def test_it_comes_back_from_every_format(ending: str, tmp_path: Path) -> None:
    def told(record: Record) -> list[object]:
        return [
            (game.score, game.winner, game.points, action.player, type(action), getattr(action, "after", None))
            for game in record.games
            for action in game.actions
        ]

    record = record_of(cube_match().events)
    path = tmp_path / f"match.{ending}"
    write_record(record, path)
    assert told(read_record(path)) == told(record)
    assert [problem.split("game ")[-1] for problem in check(read_record(path)).problems] == ["2 is not finished."]
