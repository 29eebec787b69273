"""The rows of the five texts that say how checkers move and what a game is worth, each where a player meets it: seen by the camera,
told at the desk, in the record, and by check. What a row allows is written down; what it forbids is flagged, refused and named."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import msgspec
import pytest

from controller.record.check import check
from controller.record.from_events import record_of
from controller.record.model import DoubleAction, PassAction, PlayAction, Record
from controller.referee.commands import CommandError, SetCube, SetPosition
from controller.referee.correcting import made
from controller.referee.events import AnyEvent, Doubled, Flagged, GameEnded, Played
from controller.referee.state import NOT_ACCUSING
from controller.rules import Position, RuleSet, Side, agreed_length, parse_play, parse_ruleset, position_id, read_play
from controller.rules.ruleset import DeviceRules
from tests.referee.table import OWNED_BY_DARK, Board
from tests.referee.test_commands import Hand
from tests.rules.boards import board
from tests.tracking.eyes import thrown

LIGHT, DARK = Side.LIGHT, Side.DARK
START = Position.start()
MIDDLE = board("24:2 13:5 8:3 6:5", "24:2 13:5 8:4 6:4")
STEPS_HELD = board("13:1 6:5", "18:2 17:2 1:2")
EITHER_DIE = board("24:1 2:5", "12:2 3:2")
ONE_WAY_USES_BOTH = board("24:1 10:1", "7:2 8:2 22:2")


@dataclass(frozen=True)
class Turn:
    """Light's turn by a rule set: good, a play that the row allows; bad: what it forbids, as moves or as the board after it."""

    rules: str
    position: Position
    dice: tuple[int, int]
    good: str
    bad: str | Position


TURNS = {
    "3.1": Turn("text-000", START, (3, 1), "8/5 6/5", "8/5"),
    "3.2": Turn("text-000", board("24:1 13:1 6:5", "6:2"), (2, 1), "24/21", "24/20"),
    "3.3": Turn("text-000", STEPS_HELD, (6, 5), "13/2", "13/3"),
    "3.4": Turn("text-001", board("13:1", "18:2 17:2 1:2"), (6, 5), "", "13/2"),
    "3.5": Turn("text-001", ONE_WAY_USES_BOTH, (6, 1), "24/23 10/4", "10/9"),
    "3.6": Turn("text-001", EITHER_DIE, (6, 5), "24/18", "24/19"),
    "3.7": Turn("text-001", board("bar:1 6:5", "6:2 5:2"), (6, 5), "", "6/1"),
    "3.8": Turn("text-002", board("13:1 6:5", "18:2 1:2"), (6, 5), "13/2", "13/8"),
    "3.9": Turn("text-002", EITHER_DIE, (6, 5), "24/18", "24/19"),
    "3.10": Turn("text-002", board("14:1 6:14", "24:1"), (6, 2), "14/6", "14/8"),
    "3.11": Turn("text-003", board("13:1 24:1 2:3", "16:2 17:2 3:2"), (5, 4), "24/15", "13/4"),
    "3.12": Turn("text-003", EITHER_DIE, (6, 5), "24/19", "24/20"),
    "3.13": Turn("text-003", START, (6, 3), "24/15", Position.of({24: 2, 13: 5, 11: 1, 8: 2, 6: 5}, {24: 2, 13: 5, 8: 3, 6: 5})),
    "3.14": Turn("text-004", STEPS_HELD, (6, 5), "13/2", "13/3"),
    "3.15": Turn("text-003", ONE_WAY_USES_BOTH, (6, 1), "10/9", "24/23"),
    "4.1": Turn("text-000", board("13:4", "6:2"), (3, 3), "13/4 13/10", "13/7"),
    "4.2": Turn("text-001", MIDDLE, (2, 2), "13/11(2) 6/4(2)", "13/11(2)"),
    "4.3": Turn("text-002", MIDDLE, (2, 2), "13/11(2) 6/4(2)", "13/11(2)"),
    "4.4": Turn("text-003", MIDDLE, (2, 2), "13/11(2) 6/4(2)", "13/11(2)"),
    "4.5": Turn("text-004", MIDDLE, (2, 2), "13/11(2) 6/4(2)", "13/11(2)"),
    "5.1": Turn("text-000", board("13:1", "17:1 1:14"), (5, 3), "13/5", board("5:1", "bar:1 1:14")),
    "5.2": Turn("text-004", board("13:1", "17:2 20:2"), (5, 3), "13/10", "13/5"),
    "5.3": Turn("text-001", board("13:1 2:3", "17:1 14:2"), (5, 2), "13/8*/6", board("6:1 2:3", "17:1 14:2")),
    "5.4": Turn("text-002", board("13:1", "17:1 1:14"), (5, 3), "13/8*/5", "13/8"),
    "5.5": Turn("text-002", board("24:2", "2:2 3:2 4:2 5:2 6:2 7:2"), (6, 5), "", "24/13"),
    "5.6": Turn(
        "text-003", board("13:1 6:5 5:5", "17:1 2:14"), (5, 5), "13/8*/3 6/1(2)", board("3:1 6:3 5:5 1:2", "17:1 2:14")
    ),
    "5.7": Turn("text-003", board("bar:1 6:5", "4:2"), (4, 4), "", "6/2"),
    "5.8": Turn("text-004", board("13:1 6:5", "20:1 2:14"), (5, 3), "13/5*", "13/4"),
    "6.1": Turn("text-000", board("bar:1 13:1 6:5", "6:3"), (6, 2), "bar/23 13/7", "13/5"),
    "6.2": Turn("text-001", board("bar:2 6:5", "6:2"), (6, 5), "bar/20", "6/1"),
    "6.3": Turn("text-001", board("bar:1 13:1 6:5", "8:2"), (6, 5), "bar/19 13/8", "bar/19"),
    "6.4": Turn("text-002", board("bar:1 8:3", "6:2"), (6, 5), "bar/20 8/2", "8/2 8/3"),
    "6.5": Turn("text-001", board("bar:1 6:5", "6:2 5:2"), (6, 5), "", "6/1"),
    "6.7": Turn("text-003", board("bar:1 8:5", "6:2 5:1"), (6, 5), "bar/20*/14", "8/2 8/3"),
    "6.8": Turn("text-004", board("bar:1 8:1 6:5", "6:2"), (6, 3), "bar/22 8/2", "8/2 6/3"),
    "7.1": Turn("text-000", board("13:1 6:2", "8:2"), (6, 5), "13/2", "6/off 6/1"),
    "7.2": Turn("text-000", board("3:1 1:5", "8:2"), (3, 1), "3/off 1/off", "1/off(2)"),
    "7.3": Turn("text-000", board("6:2 4:2", "8:2"), (5, 3), "6/1 6/3", "6/3 4/off"),
    "7.4": Turn("text-000", board("bar:1 2:1", "6:2"), (2, 1), "bar/23 2/1", "2/off"),
    "7.5": Turn("text-001", board("13:1 3:2", "6:2"), (3, 1), "13/9", "3/off 3/2"),
    "7.6": Turn("text-001", board("6:1 3:1", "8:2"), (4, 1), "6/2 3/2", "6/5 3/off"),
    "7.7": Turn("text-004", board("6:1 2:4", "8:2"), (4, 1), "6/2 2/1", "2/off 2/1"),
    "7.8": Turn("text-001", board("6:1 4:1 1:1", "8:2"), (4, 1), "6/1", "6/5"),
    "7.9": Turn("text-004", board("6:1 4:1 1:1", "8:2"), (4, 1), "6/1", "6/5"),
    "7.10": Turn("text-002", board("5:1 3:1 2:4", "8:2"), (4, 1), "5/1 3/2", "5/4 3/off"),
    "7.11": Turn("text-003", board("6:2 3:1", "8:2"), (3, 1), "6/5 6/3", "6/5 3/off"),
    "7.12": Turn("text-003", board("3:2 2:1", "8:2"), (6, 5), "3/off(2)", "3/off"),
    "7.13": Turn("text-002", board("bar:1 3:1", "6:2"), (3, 2), "bar/22 3/1", "3/off"),
    "10.1": Turn("text-002 move.stack_limit=5", board("8:1 7:1 6:5", "8:2"), (2, 1), "8/5", "8/6 7/6"),
}  # fmt: skip


@dataclass(frozen=True)
class End:
    """Light bears its last checker off by a rule set. dark: what stands then; cube: dark's, where it was turned."""

    rules: tuple[str, ...]
    dark: str
    points: int
    cube: int = 1


ZONES = "bar:1 22:1 16:1 9:1 6:2"
ENDS = {
    "8.1": End(("match",), "6:14", 1),
    "8.2": End(("text-000",), ZONES, 15),
    "8.3": End(("text-004", "session.kind=match"), ZONES, 15),
    "8.4": End(("text-000", "session.kind=money"), "6:15", 2),
    "8.5": End(("text-000", "session.kind=money"), "6:13 20:1", 3),
    "8.6": End(("text-004",), "6:13 20:1", 1),
    "8.7": End(("text-004",), "6:15", 8, cube=4),
    "8.8": End(("text-003",), "6:14 10:1", 3),
    "8.9": End(("text-003",), "6:13 10:1", 3),
    "8.10": End(("text-002",), "6:15", 16, cube=8),
    "9.13": End(("money",), "6:15", 1),
    "9.15": End(("text-001",), "6:15", 2),
}


@dataclass(frozen=True)
class Offer:
    """Light doubles by a rule set after these commands. refused: why it may not, "" where it may; value: what is offered."""

    rules: str
    before: tuple[tuple[str, dict[str, Any]], ...] = ()
    refused: str = ""
    value: int = 2


OWNED = (("cube", {"value": 2, "owner": "dark"}),)
OFFERS = {
    "9.1": Offer("match"),
    "9.2": Offer("text-000", refused="No doubling cube in these rules"),
    "9.3": Offer("text-003"),
    "9.4": Offer("text-002", (("roll", {"dice": [3, 1]}),), "Double only before the roll"),
    "9.6": Offer("text-002", (("cube", {"value": 64, "owner": "light"}),), value=128),
    "9.7": Offer("text-003", OWNED, "Only Petr may double", 4),
    "9.8": Offer("text-004", (("roll", {"dice": [3, 1]}),), "Double only before the roll"),
    "9.14": Offer("match", (("score", {"light": 6, "dark": 0}),), "Crawford game: no doubling"),
}  # fmt: skip


def rules_of(name: str, *keys: str) -> RuleSet:
    first, *more = name.split()
    return replace(parse_ruleset(first, (*more, *keys)), device=DeviceRules(role="monitor"))


def after(turn: Turn, *, good: bool) -> Position:
    """What stands after the play."""
    if good:
        return parse_play(turn.good, turn.position, LIGHT, turn.dice, rules_of(turn.rules)).result
    if isinstance(turn.bad, Position):
        return turn.bad
    moves = [step for way in read_play(turn.bad).paths for step in pairwise(way)]
    return made(turn.position, LIGHT, moves)


def seen(turn: Turn, *, good: bool) -> Board:
    """The turn under the camera: dice, play, dice lifted."""
    rules = rules_of(turn.rules)
    table = Board(length=agreed_length(rules), rules=rules)
    table.said += table.session.command(SetPosition(position=position_id(turn.position, LIGHT), turn=LIGHT), 2.0)
    table.look(turn.position)
    table.look(dice=thrown(LIGHT, *turn.dice))
    table.look(after(turn, good=good), thrown(LIGHT, *turn.dice))
    table.look(frames=3)
    if good:
        table.look(dice=thrown(DARK, 6, 4))
    return table


def told(turn: Turn, *, good: bool, stands: bool = False) -> Hand:
    """The turn at the desk."""
    hand = Hand(agreed_length(rules_of(turn.rules)), rules_of(turn.rules))
    hand.say("position", position=position_id(turn.position, LIGHT), turn="light")
    hand.say("roll", dice=turn.dice)
    board_after = position_id(after(turn, good=good), LIGHT)
    hand.say("play", **({"notation": turn.good} if good else {"after": board_after, "stands": stands}))
    return hand


def problems(record: Record) -> list[str]:
    """What check finds, but for a game that goes on, and began where somebody set it up."""
    expected = ("is not finished", "was set by hand")
    return [problem for problem in check(record).problems if not any(words in problem for words in expected)]


def accusing(said: list[AnyEvent]) -> list[str]:
    return [event.text for event in said if isinstance(event, Flagged) and event.code not in NOT_ACCUSING]


@pytest.mark.parametrize("row", TURNS)
def test_seen(row: str) -> None:
    turn = TURNS[row]
    allowed, forbidden = seen(turn, good=True), seen(turn, good=False)
    assert accusing(allowed.said) == []
    if turn.good:
        played = [event for event in allowed.said if isinstance(event, Played)][:1]
        assert [(event.after, event.legal) for event in played] == [(position_id(after(turn, good=True), LIGHT), True)]
    assert len(accusing(forbidden.said)) == 1


@pytest.mark.parametrize("row", TURNS)
def test_told(row: str) -> None:
    turn = TURNS[row]
    hand = told(turn, good=True)
    assert hand.state.position == after(turn, good=True)
    with pytest.raises(CommandError, match=r"That is no legal play\..+"):
        told(turn, good=False)


@pytest.mark.parametrize("row", TURNS)
def test_recorded(row: str) -> None:
    turn = TURNS[row]
    for good in (True, False):
        record = record_of(told(turn, good=good, stands=True).said)
        (play,) = [action for action in record.games[0].actions if isinstance(action, PlayAction)]
        assert (play.legal, play.dice) == (good, turn.dice)
        assert play.after == position_id(after(turn, good=good), LIGHT)


@pytest.mark.parametrize("row", TURNS)
def test_checked(row: str) -> None:
    turn = TURNS[row]
    assert problems(record_of(told(turn, good=True).said)) == []
    assert len(problems(record_of(told(turn, good=False, stands=True).said))) == 1


def last(end: End) -> Position:
    return board("1:1", end.dark)


def ended(said: list[AnyEvent]) -> list[tuple[Side, int]]:
    return [(event.winner, event.points) for event in said if isinstance(event, GameEnded)]


def told_to_the_end(end: End) -> Hand:
    """The last turn at the desk."""
    rules = rules_of(*end.rules)
    hand = Hand(agreed_length(rules), rules)
    hand.say("position", position=position_id(last(end), LIGHT), turn="light")
    if end.cube > 1:
        hand.say("cube", value=end.cube, owner="dark")
    hand.turn((2, 1), "1/off")
    return hand


@pytest.mark.parametrize("row", ENDS)
def test_end_seen(row: str) -> None:
    end = ENDS[row]
    rules = rules_of(*end.rules)
    table = Board(length=agreed_length(rules), rules=rules)
    commands: list[Any] = [SetPosition(position=position_id(last(end), LIGHT), turn=LIGHT)]
    if end.cube > 1:
        commands.append(SetCube(value=end.cube, owner=DARK))
        table.cube, table.cube_at = end.cube, OWNED_BY_DARK
    for command in commands:
        table.said += table.session.command(command, 2.0)
    table.look(last(end))
    table.look(dice=thrown(LIGHT, 2, 1))
    table.look(board("", end.dark), thrown(LIGHT, 2, 1))
    table.look(frames=3)
    assert ended(table.said) == [(LIGHT, end.points)]
    assert accusing(table.said) == []


@pytest.mark.parametrize("row", ENDS)
def test_end_told(row: str) -> None:
    assert ended(told_to_the_end(ENDS[row]).said) == [(LIGHT, ENDS[row].points)]


@pytest.mark.parametrize("row", ENDS)
def test_end_recorded(row: str) -> None:
    (game,) = record_of(told_to_the_end(ENDS[row]).said).games
    assert (game.winner, game.points) == (0, ENDS[row].points)


@pytest.mark.parametrize("row", ENDS)
def test_end_checked(row: str) -> None:
    record = record_of(told_to_the_end(ENDS[row]).said)
    assert problems(record) == []
    game = record.games[0]
    wrong = replace_points(record, game.points or 0)
    assert any("point" in problem for problem in problems(wrong))


def replace_points(record: Record, points: int) -> Record:
    """The record with one point too many."""
    game = msgspec.structs.replace(record.games[0], points=points + 1)
    return msgspec.structs.replace(record, games=(game,))


def about_to_double(offer: Offer) -> Hand:
    """The game before light's double, with light on roll after a turn of each."""
    rules = rules_of(offer.rules)
    hand = Hand(agreed_length(rules), rules)
    hand.turn((3, 1), "8/5 6/5", "light")
    hand.turn((4, 2), "8/4 6/4")
    for kind, fields in offer.before:
        hand.say(kind, **fields)
    return hand


@pytest.mark.parametrize("row", OFFERS)
def test_cube_told(row: str) -> None:
    offer = OFFERS[row]
    hand = about_to_double(offer)
    if offer.refused:
        assert offer.refused in hand.refused("double")
        return
    hand.say("double")
    hand.say("take")
    assert (hand.state.cube, hand.state.owner) == (offer.value, DARK)


@pytest.mark.parametrize("row", OFFERS)
def test_cube_recorded(row: str) -> None:
    """What is offered stands in the record; what is refused does not."""
    offer = OFFERS[row]
    hand = about_to_double(offer)
    if offer.refused:
        hand.refused("double")
    else:
        hand.say("double")
    doubles = [action.value for action in record_of(hand.said).games[0].actions if isinstance(action, DoubleAction)]
    assert doubles == ([] if offer.refused else [offer.value])


@pytest.mark.parametrize("row", sorted(OFFERS.keys() - {"9.4", "9.8"}))
def test_cube_checked(row: str) -> None:
    """Where somebody has written it down all the same, check names it; a roll stands in no record before its play."""
    offer = OFFERS[row]
    said = about_to_double(offer).said
    found = problems(record_of([*said, Doubled(side=LIGHT, value=offer.value)]))
    assert bool(found) is bool(offer.refused), found


def test_a_refused_double_costs_what_the_cube_showed_before_it() -> None:
    hand = about_to_double(OFFERS["9.1"])
    hand.say("double")
    hand.say("pass")
    assert ended(hand.said) == [(LIGHT, 1)]
    record = record_of(hand.said)
    assert isinstance(record.games[0].actions[-1], PassAction)
    assert problems(record) == []
