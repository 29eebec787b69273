"""What is said about a position without a roll: counts, phase, contact, and everything impossible about it."""

from __future__ import annotations

import pytest
from hypothesis import given

from controller.rules import (
    MatchScore,
    Position,
    RulesError,
    Side,
    game_phase,
    has_contact,
    problems,
    start_problems,
)
from tests.rules.boards import board, positions

LIGHT, DARK = Side.LIGHT, Side.DARK


def test_pip_counts() -> None:
    assert [Position.start().pip_count(side) for side in Side] == [167, 167]
    assert board("bar:1 1:1").pip_count(LIGHT) == 26
    assert board("6:2").off(LIGHT) == 13


def test_signed_counts_run_by_lights_points() -> None:
    signed = board("6:5 24:2", "24:2 6:4").signed()
    assert (signed[5], signed[23], signed[0], signed[18]) == (5, 2, -2, -4)


@given(positions())
def test_mirrored_twice_is_the_same(position: Position) -> None:
    assert position.mirrored().mirrored() == position
    assert position.mirrored().pip_count(LIGHT) == position.pip_count(DARK)
    assert eval(repr(position)) == position


@pytest.mark.parametrize(
    ("position", "phase"),
    [
        (Position.start(), "opening"),
        (board("24:2 13:5 8:2 6:4 5:2", "24:2 13:5 8:3 6:5"), "opening"),
        (board("24:1 6:5", "6:5 1:2"), "contact"),
        (board("bar:1 6:5", "1:2"), "contact"),
        (board("13:2 6:5", "11:1 6:5"), "race"),
        (board("6:5 1:2", "6:5"), "bear-off"),
        (board("", "6:5"), "over"),
        (Position.start("hypergammon"), "contact"),
    ],
)
def test_phases(position: Position, phase: str) -> None:
    assert game_phase(position) == phase


@pytest.mark.parametrize(
    "position",
    [board("bar:1 6:5", "1:2 2:2 3:2 4:2 5:2 6:2"), board("6:5", ""), board("", "bar:1")],
    ids=["one side closed out", "dark is off", "light is off"],
)
def test_what_ends_or_stops_one_side_alone_can_stand(position: Position) -> None:
    assert problems(position) == problems(position.mirrored()) == ()


def test_contact() -> None:
    assert has_contact(board("13:1", "13:1"))
    assert not has_contact(board("12:1", "12:1"))


def test_nothing_is_wrong_with_the_start() -> None:
    assert problems(Position.start()) == ()
    assert start_problems(Position.start("nackgammon"), "nackgammon") == ()


def test_every_inconsistency_is_named() -> None:
    muddle = board("6:9 8:7 19:1", "6:2 1:13")
    assert [r.text() for r in problems(muddle)] == [
        "White: 17 checkers seen. Please check.",
        "Point 19 shows checkers of both sides.",
    ]
    assert [r.code for r in problems(board(""))] == ["R29"]
    both_closed = "1:2 2:2 3:2 4:2 5:2 6:2 bar:1"
    assert [r.code for r in problems(board(both_closed, both_closed))] == ["R30"]


def test_a_wrong_set_up_names_its_points() -> None:
    wrong = board("24:2 13:4 8:4 6:5", "24:2 13:5 8:3 6:5")
    assert [r.text() for r in start_problems(wrong)] == ["Starting position differs on points 8, 13."]
    on_the_bar = board("24:2 13:5 8:3 6:4 bar:1", "24:2 13:5 8:3 6:5")
    assert [r.text() for r in start_problems(on_the_bar)] == ["Starting position differs on points 6, bar."]


def test_counts_that_are_no_position() -> None:
    for light, dark in (((0,) * 24, (0,) * 25), ((0,) * 25, (-1,) + (0,) * 24)):
        with pytest.raises(RulesError, match="25 counts"):
            Position(light, dark)
    with pytest.raises(RulesError, match="no point 26"):
        Position.of({26: 1}, {})
    with pytest.raises(RulesError, match="no variant 'tavli'"):
        Position.start("tavli")


def test_scores_that_are_none() -> None:
    with pytest.raises(RulesError, match="at least 0"):
        MatchScore(light=-1)
