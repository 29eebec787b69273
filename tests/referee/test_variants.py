"""Matches that do not begin from backgammon's own position: state, record and check agree on the board and its checkers."""

from __future__ import annotations

import pytest

from controller.record.check import check
from controller.record.from_events import record_of
from controller.referee.commands import PlayTurn, Roll, SetPosition
from controller.referee.events import AnyEvent, GameEnded, GameStarted, MatchStarted, Played
from controller.referee.folding import fold
from controller.referee.session import MatchPlan, Session
from controller.rules import MATCH, Position, Side, format_play, legal_plays, position_id, ruleset_from

LIGHT = Side.LIGHT
VARIANTS = {"standard": 15, "nackgammon": 15, "hypergammon": 3}
UNFINISHED = ("game 1 is not finished.",)


def opened(begun: tuple[AnyEvent, ...], start: Position) -> list[AnyEvent]:
    """The match with light's opening 3-1 played."""
    play = legal_plays(start, LIGHT, (3, 1))[0]
    return [
        *begun,
        Played(
            side=LIGHT,
            dice=(3, 1),
            before=position_id(start, LIGHT),
            after=position_id(play.result, LIGHT),
            moves=tuple((move.source, move.target) for move in play.moves),
            notation=format_play(play),
            legal=True,
        ),
    ]


@pytest.mark.parametrize(("variant", "checkers"), VARIANTS.items())
class TestVariants:
    def test_a_session_begins_with_all_checkers_on_the_board(self, variant: str, checkers: int) -> None:
        session = Session(MatchPlan(ruleset_from({"variant": {"position": variant}}), 3), "bottom-right")
        assert session.state.position == Position.start(variant)
        assert [session.state.position.off(side) for side in Side] == [0, 0]
        after = fold(opened(session.opening, Position.start(variant)))
        assert (after.position.checkers, after.position.off(LIGHT)) == (checkers, 0)

    def test_its_record_names_the_variant_and_holds_no_problem(self, variant: str, checkers: int) -> None:
        session = Session(MatchPlan(ruleset_from({"variant": {"position": variant}}), 3), "bottom-right")
        record = record_of(opened(session.opening, Position.start(variant)))
        assert record.variation == variant
        assert [game.start for game in record.games] == [""]
        assert check(record).problems == UNFINISHED
        assert Position.start(record.variation).checkers == checkers


def test_a_game_from_a_board_of_its_own_says_where_it_began() -> None:
    start = Position.of(light={13: 7, 8: 3, 6: 5}, dark={24: 2, 13: 5, 8: 3, 6: 5})
    begun = MatchStarted(length=3, light="Jana", dark="Petr", rules="match", position=position_id(start, LIGHT))
    record = record_of(opened((begun, GameStarted(number=1)), start))
    assert (record.variation, record.games[0].start) == ("standard", position_id(start, LIGHT))
    assert check(record).problems == UNFINISHED


def test_hypergammon_begun_by_its_position_id_has_three_a_side_and_a_gammon_counts_two() -> None:
    """Whatever the rule set says of the variant, the Position ID of a match's start is a variant's own."""
    start = position_id(Position.start("hypergammon"), LIGHT)
    begun = MatchStarted(length=5, light="Jana", dark="Petr", rules="match", position=start)
    session = Session(MatchPlan(MATCH, 5), "bottom-right", (begun, GameStarted(number=1)))
    assert session.state.position == Position.start("hypergammon")
    last = Position.of({1: 2}, {12: 1, 6: 2}, 3)
    said = list(session.held)
    for command in (
        Roll(dice=(3, 1), side=LIGHT),
        PlayTurn(notation="24/21 22/21"),
        Roll(dice=(2, 1)),
        PlayTurn(notation="24/22 23/22"),
        SetPosition(position=position_id(last, LIGHT), turn=LIGHT),
        Roll(dice=(2, 1)),
        PlayTurn(notation="1/off(2)"),
    ):
        said += session.command(command, 1.0)
    (end,) = [event for event in said if isinstance(event, GameEnded)]
    assert (end.winner, end.level, end.points) == (LIGHT, 2, 2)
    record = record_of(said)
    assert (record.variation, record.games[0].points) == ("hypergammon", 2)
    assert [problem for problem in check(record).problems if "was set by hand" not in problem] == []
