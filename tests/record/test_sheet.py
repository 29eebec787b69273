"""The score sheet for print: every cell of a match as people would write it, and what is owed."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import msgspec
import pytest

from controller.record.formats import parse_record
from controller.record.from_events import record_of
from controller.record.model import (
    BeaverAction,
    DoubleAction,
    PassAction,
    RaccoonAction,
    Record,
    RefusedAction,
    ResignAction,
    RollAction,
    Seat,
    SetAction,
    TakeAction,
)
from controller.record.sheet import write_sheet
from controller.rules import Position, Side, parse_ruleset, position_id
from tests.record.examples import example_records
from tests.referee.test_commands import Hand

SAMPLE = """
31: 8/5 6/5 66: 24/18(2) 13/7(2)
26: 13/5 Zdvojnásobení na 2 ?
Přijato 65: 18/7
25: 24/22 13/8 45: 8/3* 7/3
23: bar/23 24/2156: 18/7
"""


class Page(HTMLParser):
    """lines: of text outside the table's cells; rows: of cells."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows, self.lines, self._cell = list[list[str]](), list[str](), False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self._cell = tag == "td"
        if tag == "tr":
            self.rows.append([])
        elif tag == "td":
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        self._cell = False

    def handle_data(self, data: str) -> None:
        if self._cell:
            self.rows[-1][-1] += data
        elif data.strip():
            self.lines.append(" ".join(data.split()))


def page(record: Record, language: str) -> Page:
    return Page(write_sheet(record, language).decode())


def test_the_sample_of_the_czech_text_stands_as_it_was_written() -> None:
    rows = page(parse_record(SAMPLE.encode()), "cs").rows[1:]
    assert rows == [
        ["1", "31: 8/5 6/5", "66: 24/18(2) 13/7(2)"],
        ["2", "26: 13/5", "Zdvojnásobení na 2 ?"],
        ["3", "Přijato", "65: 18/7"],
        ["4", "25: 24/22 13/8", "45: 8/3* 7/3"],
        ["5", "23: bar/23 24/21", "56: 18/7"],
    ]


def test_a_money_game_ends_with_what_is_owed() -> None:
    """Text 004: an automatic double, levels times the cube, so much a point."""
    hand = Hand(0, parse_ruleset("text-004", ["stake.point=2,50 Kč"]))
    hand.say("draw", light=4, dark=4)
    hand.say("draw", light=5, dark=2)
    last = Position.of({1: 1}, {6: 15})
    hand.say("position", position=position_id(last, Side.LIGHT), turn="light")
    hand.turn((6, 5), "1/off")
    sheet = page(record_of(hand.said), "cs")
    assert "Hra 1" in sheet.lines
    assert "Losování: 4-4, 5-2" in sheet.lines
    assert "Zdvojovací kostka začíná na 2" in sheet.lines
    assert "Jana: vyhrává 4 body. Stav: 4 : 0" in sheet.lines
    assert sheet.lines[-4:] == ["Jeden bod platí 2,50 Kč", "Petr dluží 10,00 Kč", "Jana", "Petr"]
    assert any(line.startswith("Pravidla: text-004, stake.point=2,50 Kč") for line in sheet.lines)


@pytest.mark.parametrize(
    ("score", "winner", "owed"),
    [((0, 0), 1, "Jan owes 40 Kč"), ((0, 0), 0, "Eva owes 40 Kč"), ((8, 0), 1, "Nobody owes anything")],
)
def test_whoever_has_fewer_points_owes(score: tuple[int, int], winner: Seat, owed: str) -> None:
    record = example_records()["money"]
    game = msgspec.structs.replace(record.games[0], score=score, winner=winner)
    staked = msgspec.structs.replace(record, rules="money", rule_keys={"stake.point": "5 Kč"}, games=(game,))
    sheet = page(staked, "en")
    assert sheet.lines[-4:] == ["One point is worth 5 Kč", owed, "Jan", "Eva"]


def test_every_action_has_its_cell_and_whoever_acts_twice_begins_another_row() -> None:
    record = example_records()["money"]
    opening = record.games[0].actions[0]
    actions = (
        opening,
        RefusedAction(0, 2),
        DoubleAction(0, 2),
        BeaverAction(1, 4),
        RaccoonAction(0, 8),
        TakeAction(1),
        RollAction(0, (5, 2)),
        DoubleAction(1, 16),
        SetAction(0, cube=4),
        PassAction(1),
        ResignAction(0, level=3),
        ResignAction(1),
    )
    game = msgspec.structs.replace(record.games[0], actions=actions, crawford=True, light=1, draws=((3, 3), (1, 3)))
    sheet = page(msgspec.structs.replace(record, games=(game,)), "en")
    assert sheet.rows[1:] == [
        ["1", "", "31: 8/5 6/5"],
        ["2", "Resigns a gammon", "Rejects"],
        ["3", "Doubles => 2", "Beavers => 4"],
        ["4", "Raccoons => 8", "Takes"],
        ["5", "52:", "Doubles => 16"],
        ["6", "Set by hand", "Drops"],
        ["7", "Resigns a backgammon", "Resigns"],
    ]
    notes = " ".join(sheet.lines)
    for note in ("Crawford", "Eva", "Drawn for the start: 3-3, 1-3"):
        assert note in notes


@pytest.mark.parametrize("language", ["en", "cs", "sk"])
@pytest.mark.parametrize("name", sorted(example_records()))
def test_any_record_can_be_printed(name: str, language: str) -> None:
    record = example_records()[name]
    sheet = page(record, language)
    assert sum(row[:1] != [] for row in sheet.rows) >= len(record.games)
    assert [line for line in sheet.lines if re.search(r"[{}]", line)][1:] == []


def test_names_cannot_write_into_the_page() -> None:
    record = example_records()["money"]
    players = tuple(msgspec.structs.replace(player, name="<b onclick=x>") for player in record.players)
    text = write_sheet(msgspec.structs.replace(record, players=players)).decode()
    assert "<b " not in text
    assert text.count("&lt;b onclick=x&gt;") > 4


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "nobody saw what was played"), ("cs", "nikdo neviděl, co se hrálo"), ("sk", "nikto nevidel, čo sa hralo")],
)
def test_a_gap_was_set_by_nobody(language: str, words: str) -> None:
    before = example_records()["crawford"]
    start = position_id(Position.start(), Side.LIGHT)
    gap, by_hand = SetAction(0, start, gap=30.0), SetAction(0, start)
    for action, is_gap in ((gap, True), (by_hand, False)):
        game = msgspec.structs.replace(before.games[0], actions=(*before.games[0].actions[:2], action), winner=None)
        (cell,) = Page(write_sheet(msgspec.structs.replace(before, games=(game,)), language).decode()).rows[-1][1:2]
        assert (words in cell) == is_gap
