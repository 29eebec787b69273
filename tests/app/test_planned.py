"""What a hub has for a board: it begins by itself where nothing is being played, and never over a match that is on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from controller.referee.commands import NewMatch, PlayTurn, Resign, Roll, SetNames, SetRole
from controller.referee.state import Phase
from controller.rules import Side
from terms.role import Role
from tests.app.test_written_first import Evening

SECOND = NewMatch(light="Dana", dark="Bořek", length=1, rules="match", clock=False, event="Cup", round="2")
THIRD = NewMatch(light="Dana", dark="Alena", length=3, rules="match", clock=False, event="Cup", round="3")


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    made = Evening(tmp_path)
    yield made
    made.journal.close()


def planned(evening: Evening) -> object:
    return evening.page["planned"]


def test_a_match_that_is_on_is_never_ended_for_it(evening: Evening) -> None:
    evening.referee.obey(Roll(dice=(3, 1), side=Side.LIGHT))
    evening.referee.plan(SECOND)
    assert evening.referee.state.names == ("Jana", "Petr")
    assert planned(evening) == {
        "light": "Dana", "dark": "Bořek", "length": 1, "rules": "match", "clock": False, "event": "Cup", "place": "",
        "round": "2",
    }  # fmt: skip
    evening.referee.plan(None)
    assert planned(evening) is None
    # Who is asked at the desk begins it with the desk's own command.
    evening.referee.plan(SECOND)
    evening.referee.obey(SECOND)
    assert planned(evening) is None
    assert evening.referee.state.names == ("Dana", "Bořek")


def test_where_nothing_is_played_it_begins_by_itself_and_once(evening: Evening) -> None:
    for _ in range(3):
        evening.referee.plan(SECOND)
    assert (evening.referee.state.names, evening.referee.state.score.length) == (("Dana", "Bořek"), 1)
    assert [event.kind for event in evening.journal.events()] == ["match", "game", "match", "game"]
    evening.referee.obey(Roll(dice=(3, 1), side=Side.LIGHT))
    evening.referee.obey(PlayTurn(notation="8/5 6/5"))
    evening.referee.obey(Resign(side=Side.DARK, level=1))
    assert evening.referee.state.phase is Phase.MATCH_OVER
    # The hub has not counted it yet: a match that has just been played does not begin again.
    evening.referee.plan(SECOND)
    assert evening.referee.state.phase is Phase.MATCH_OVER
    evening.referee.plan(THIRD)
    assert evening.referee.state.names == ("Dana", "Alena")
    assert evening.referee.state.phase is Phase.OPENING


@pytest.mark.parametrize("by_itself", [True, False])
def test_it_is_played_by_its_own_rules_whatever_was_played_before(evening: Evening, by_itself: bool) -> None:
    rules = evening.referee.state.ruleset
    friendly = ("variant=hypergammon", "cube.enabled=false", "resign.levels=1")
    evening.referee.obey(NewMatch(light="Jana", dark="Petr", length=1, rules="match", set=friendly))
    evening.referee.obey(Roll(dice=(3, 1), side=Side.LIGHT))
    if by_itself:
        evening.referee.obey(PlayTurn(moves=((24, 23), (23, 20))))
        evening.referee.obey(Resign(side=Side.DARK, level=1))
    evening.referee.plan(SECOND)
    if not by_itself:
        evening.referee.obey(SECOND)
    assert evening.referee.state.names == ("Dana", "Bořek")
    assert (evening.referee.state.ruleset, evening.referee.state.start.checkers) == (rules, 15)


@pytest.mark.parametrize(("role", "then"), [("monitor", "monitor"), ("coach", "recorder")])
def test_the_device_keeps_its_role_but_coaches_nobody_in_a_tournament(evening: Evening, role: Role, then: Role) -> None:
    evening.referee.obey(SetRole(role=role))
    evening.referee.obey(NewMatch(light="Jana", dark="Eva", length=3))
    assert evening.referee.state.role == role
    evening.referee.plan(SECOND)
    assert (evening.referee.state.names, evening.referee.state.role) == (("Dana", "Bořek"), then)


def test_a_practice_game_is_not_ended_and_a_match_that_cannot_be_is_told_once(evening: Evening) -> None:
    evening.referee.begin_practice()
    evening.referee.plan(SECOND)
    assert evening.referee.practising
    assert planned(evening) is not None
    evening.referee.end_practice()
    evening.told.clear()
    for _ in range(3):
        evening.referee.plan(NewMatch(light="Dana", dark="Alena", length=3, rules="no such rules"))
    assert len([said for said in evening.told if "can't begin" in said]) == 1
    evening.referee.plan(SECOND)
    assert evening.referee.state.names == ("Dana", "Bořek")


@pytest.mark.parametrize(
    "words",
    [{"light": "Dana\u00a0Malá"}, {"dark": " Bořek\t"}, {"light": "\x07"}, {"event": "Cup\n1"}, {"round": "a  b"}],
)
def test_one_whose_words_are_written_down_otherwise_begins_once_too(evening: Evening, words: dict[str, str]) -> None:
    """Every answer of the hub brings it again."""
    for _ in range(3):
        evening.referee.plan(msgspec.structs.replace(SECOND, **words))
    assert [event.kind for event in evening.journal.events()] == ["match", "game", "match", "game"]
    assert planned(evening) is None


@pytest.mark.parametrize("over", [False, True])
def test_it_is_on_whatever_its_players_are_called_by_now(evening: Evening, over: bool) -> None:
    """Somebody writes a name rightly, before the first roll or after the match."""
    evening.referee.plan(SECOND)
    if over:
        evening.referee.obey(Resign(side=Side.DARK, level=1))
    evening.referee.obey(SetNames(light="Dana Malá", dark="Bořek"))
    evening.referee.plan(SECOND)
    assert evening.referee.state.names == ("Dana Malá", "Bořek")
    assert planned(evening) is None


def test_it_is_on_while_a_practice_game_is(evening: Evening) -> None:
    evening.referee.plan(SECOND)
    evening.referee.begin_practice()
    assert planned(evening) is None
    evening.referee.end_practice()
    assert planned(evening) is None
