"""The board of an illegal play in a transcript, as Snowie writes positions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.record.model import Seat
from controller.record.snowie import parse_snowie_board, snowie_board
from controller.rules import Position, Side, Xgid
from terms.board import SideName
from tests.rules.boards import board, positions

LIGHT, DARK = Side.LIGHT, Side.DARK
STANDS = board("bar:1 24:1 13:5 8:3 6:5", "24:2 13:5 8:3 6:4 bar:1")


@pytest.mark.parametrize(
    ("owner", "seat", "fields"),
    [
        (
            LIGHT,
            1,
            "7;0;0;0;1;Jan;Eva, 2;1;6;3;4;1;1;"
            "-2;0;0;0;0;5;0;3;0;0;0;-5;5;0;0;0;-3;0;-4;0;0;0;0;1;-1;0;0;",
        ),
        (
            LIGHT,
            0,
            "7;0;0;0;0;Eva, 2;Jan;1;3;6;4;-1;1;"
            "-1;0;0;0;0;4;0;3;0;0;0;-5;5;0;0;0;-3;0;-5;0;0;0;0;2;-1;0;0;",
        ),
        (
            None,
            1,
            "7;0;0;0;1;Jan;Eva, 2;1;6;3;4;0;1;"
            "-2;0;0;0;0;5;0;3;0;0;0;-5;5;0;0;0;-3;0;-4;0;0;0;0;1;-1;0;0;",
        ),
    ],
)  # fmt: skip
def test_everything_is_told_from_the_view_of_whoever_comes_next(owner: Side | None, seat: Seat, fields: str) -> None:
    names = ("Jan", "Eva; 2")
    comes = LIGHT if seat else DARK
    moment = Xgid(STANDS, comes, cube=4, cube_owner=owner, score=(6, 3), length=7, crawford=True)
    assert snowie_board(moment, seat, (names[1 - seat], names[seat])) == fields


def test_a_money_session_is_told() -> None:
    assert snowie_board(Xgid(STANDS, LIGHT, jacoby=True), 1, ("Jan", "Eva")).startswith("0;1;0;1;1;Jan;Eva;0;0;0;1;0;")


@given(positions(), st.sampled_from([0, 1]), st.booleans())
def test_what_is_written_is_read_back(stands: Position, seat: Seat, swapped: bool) -> None:
    colors: tuple[SideName, SideName] = ("dark", "light") if swapped else ("light", "dark")
    names = ("Jan", "Eva")
    text = snowie_board(Xgid(stands, Side(colors[1 - seat])), seat, (names[1 - seat], names[seat]))
    assert parse_snowie_board(text, seat, names, colors, 15) == stands
    # Where the names are not those of the columns, it is the view of whoever comes next.
    assert parse_snowie_board(text, seat, ("White", "Black"), colors, 15) == stands
    most = max(sum(stands.light), sum(stands.dark))
    assert parse_snowie_board(text, seat, names, colors, most) is not None
    assert parse_snowie_board(text, seat, names, colors, most - 1) is None
