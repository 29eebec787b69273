"""Position ID, Match ID and XGID, read and written."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.rules import (
    MatchInfo,
    NotationError,
    Position,
    RulesError,
    Side,
    Xgid,
    format_xgid,
    match_from_id,
    match_id,
    parse_xgid,
    position_from_id,
    position_id,
)
from tests.rules.boards import SIDES, board, positions

LIGHT, DARK = Side.LIGHT, Side.DARK
START_XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"


def test_the_start() -> None:
    assert position_id(Position.start(), LIGHT) == "4HPwATDgc/ABMA"
    assert position_from_id("4HPwATDgc/ABMA", DARK) == Position.start()
    assert position_id(Position.start("nackgammon"), LIGHT) == "4Dl4ADbgOXgANg"
    assert position_from_id("AACgAgAAKgAAAA", LIGHT, checkers=3) == Position.start("hypergammon")


@settings(max_examples=100, deadline=None)
@given(positions(), SIDES)
def test_position_ids_come_back(position: Position, mover: Side) -> None:
    text = position_id(position, mover)
    assert len(text) == 14
    assert position_from_id(text, mover) == position
    assert position_from_id(text, mover.other) == position.mirrored()


@pytest.mark.parametrize("text", ["", "4HPwATDgc/ABM", "4HPwATDgc/ABMAA", "4HPwATDgc/AB!A", "/////////////w", "ěšč"])
def test_what_is_no_position_id(text: str) -> None:
    with pytest.raises(NotationError, match="no Position ID"):
        position_from_id(text, LIGHT)


def test_too_many_checkers_have_no_position_id() -> None:
    with pytest.raises(RulesError, match="more than 15"):
        position_id(board("6:16", "6:15"), LIGHT)


infos = st.builds(
    MatchInfo,
    length=st.integers(0, 64),
    score=st.tuples(st.integers(0, 64), st.integers(0, 64)),
    cube=st.sampled_from([1 << n for n in range(12)]),
    cube_owner=st.sampled_from([None, 0, 1]),
    on_roll=st.integers(0, 1),
    turn=st.integers(0, 1),
    crawford=st.booleans(),
    jacoby=st.booleans(),
    state=st.sampled_from(["none", "playing", "over", "resigned", "dropped"]),
    doubled=st.booleans(),
    resigned=st.integers(0, 3),
    dice=st.sampled_from([(0, 0), (6, 5), (1, 1)]),
)


@given(infos)
def test_match_ids_come_back(info: MatchInfo) -> None:
    text = match_id(info)
    assert len(text) == 12
    assert match_from_id(text) == info


def test_a_match_id_of_the_manual() -> None:
    # GNU Backgammon manual: 9-point match, player 0 leads 4-2, holds a 2-cube; player 1 has rolled 5-2.
    info = match_from_id("QYkqASAAIAAA")
    assert (info.length, info.score, info.cube, info.cube_owner) == (9, (2, 4), 2, 0)
    assert (info.on_roll, info.dice, info.crawford, info.state) == (1, (5, 2), False, "playing")


@pytest.mark.parametrize("text", ["", "QYkqASAAIAA", "QYkqASAAIAAAA", "////////////"])
def test_what_is_no_match_id(text: str) -> None:
    with pytest.raises(NotationError, match="no Match ID"):
        match_from_id(text)


def test_what_no_match_id_can_hold() -> None:
    with pytest.raises(RulesError, match="cannot show 3"):
        match_id(MatchInfo(cube=3))
    with pytest.raises(RulesError, match="32767"):
        match_id(MatchInfo(score=(40000, 0)))


def test_the_start_as_xgid() -> None:
    start = parse_xgid(START_XGID)
    assert start == Xgid(Position.start(), LIGHT)
    assert format_xgid(start) == START_XGID
    assert parse_xgid(START_XGID.removeprefix("XGID=")) == start


def test_an_xgid_in_the_middle_of_a_match() -> None:
    text = "XGID=aa--BBBB----dE---d-e----B-:1:-1:-1:63:3:5:0:7:6"
    moment = parse_xgid(text)
    assert (moment.cube, moment.cube_owner, moment.on_roll, moment.dice) == (2, DARK, DARK, (6, 3))
    assert (moment.score, moment.length, moment.max_cube) == ((3, 5), 7, 64)
    assert (moment.position.dark[24], moment.position.dark[23]) == (1, 1)
    assert format_xgid(moment) == text


@settings(max_examples=100, deadline=None)
@given(
    positions(),
    SIDES,
    st.sampled_from(["", "D", "B", "R"]),
    st.sampled_from([None, LIGHT, DARK]),
    st.booleans(),
    st.integers(0, 7),
)
def test_xgids_come_back(
    position: Position, mover: Side, action: str, owner: Side | None, flag: bool, length: int
) -> None:
    moment = Xgid(
        position,
        mover,
        dice=None if action else (6, 1),
        action=action,  # type: ignore[arg-type]
        cube=4,
        cube_owner=owner,
        length=length,
        crawford=flag and length > 0,
        beavers=flag and length == 0,
    )
    assert parse_xgid(format_xgid(moment)) == moment


@pytest.mark.parametrize(
    "text",
    [
        "XGID=",
        START_XGID.replace("E", "Z", 1),
        START_XGID.replace(":00:", ":07:"),
        START_XGID.replace(":00:", ":06:"),
        START_XGID.replace("=-b", "=Ab"),
        START_XGID.replace("B-:", "Ba:"),
        START_XGID.replace("---", "OOO"),
    ],
)
def test_what_is_no_xgid(text: str) -> None:
    with pytest.raises(NotationError):
        parse_xgid(text)


def test_what_no_xgid_can_hold() -> None:
    with pytest.raises(RulesError, match="both sides"):
        format_xgid(Xgid(board("6:1", "19:1"), LIGHT))
    with pytest.raises(RulesError, match="up to 15"):
        format_xgid(Xgid(board("6:16"), LIGHT))
    with pytest.raises(RulesError, match="cannot show 3"):
        format_xgid(Xgid(Position.start(), LIGHT, cube=3))
