"""Whatever somebody is called, or calls himself: each of the five exports can be read back, with the same name."""

from __future__ import annotations

from functools import partial

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from controller.record.formats import parse_record
from controller.record.mat_reader import read_mat
from controller.record.mat_writer import safe_names, write_mat, write_printed
from controller.record.model import Player, Record
from controller.record.native import decode_json, encode_json
from controller.record.replay import build
from controller.record.sgf_writer import write_sgf
from controller.record.table import write_csv
from controller.referee.names import printable
from tests.record.examples import CRAWFORD

WHOLE = {"json": encode_json, "csv": write_csv}
SHORTENED = {"mat": write_mat, "sgf": write_sgf, "txt": partial(write_printed, language="cs")}
"""As GNU BG reads them: without a colon, at most 31 bytes."""

NAMES = st.one_of(
    st.text(max_size=60),
    st.text(alphabet="=+-@'\t\r\n\0 :;,\"[]()\\\u2028\u202e\u200bab1", max_size=20),
    st.text(alphabet=", .01a", max_size=40),
    st.sampled_from(
        ["=1+1", "@SUM(A1)", "+1", "-1", "'=1", "''=1", "\t=1", "a\rb", "1) 65: 24/13", "Wins 2 points", ") ;B[", "]"]
    ),
)


def named(left: str, right: str) -> Record:
    record = build(read_mat(CRAWFORD.encode()))
    return msgspec.structs.replace(record, players=(Player(left, "light"), Player(right, "dark")))


@settings(max_examples=40, deadline=None)
@given(NAMES, NAMES)
@example("a\r\nb", "=cmd|' /C calc'!A0")
@example("", "0 ,0")
@example("", "0,,0")
@example("a,15.5", "b" * 28 + ",12 c")
@example("\U0001f469\u200d\U0001f52c" * 3, "a\u200d\U0001f469\u200d")
def test_every_export_is_read_back_with_the_same_names(left: str, right: str) -> None:
    record = named(left, right)
    for ending, write in WHOLE.items():
        back = parse_record(write(record))
        assert tuple(player.name for player in back.players) == (printable(left), printable(right)), ending
    for ending, write in SHORTENED.items():
        back = parse_record(write(record))
        assert tuple(player.name for player in back.players) == safe_names(record), ending
        assert [len(game.actions) for game in back.games] == [len(game.actions) for game in record.games], ending


@given(NAMES)
def test_a_name_is_one_line_that_can_be_printed(name: str) -> None:
    shown = Player(name, "light").name
    assert shown.isprintable()
    assert shown == printable(shown)


@pytest.mark.parametrize(
    "name",
    [
        "\U0001f469\u200d\U0001f52c Eva",
        "Jan \U0001f468\U0001f3fd\u200d\U0001f373",
        "\U0001f3f3\ufe0f\u200d\U0001f308",
        "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    ],
)
def test_emoji_of_several_pictures_stay_together(name: str) -> None:
    assert Player(name, "light").name == name
    assert safe_names(named(name, "Petr"))[0] == name


@pytest.mark.parametrize(
    "name", ["\u200d", "Ja\u200dna", "\U0001f469\u200d", "\u200d\U0001f469", "\U0001f469\u200d\u200d\U0001f52c"]
)
def test_a_joiner_that_joins_nothing_does_not_stay(name: str) -> None:
    assert "\u200d" not in Player(name, "light").name


def test_names_of_others_are_cleaned_as_they_come_in() -> None:
    text = encode_json(named("Jana", "Petr")).replace(b'"Jana"', rb'"Ja\r\nna\u202e"')
    assert decode_json(text).players[0].name == "Ja na"


@settings(max_examples=40, deadline=None)
@given(st.text(alphabet="=+-@'\t\r\n1a", max_size=8))
def test_no_cell_of_a_name_or_comment_is_a_formula(text: str) -> None:
    record = named(text, "Petr")
    first = record.games[0]
    said = msgspec.structs.replace(first.actions[0], comment=text)
    game = msgspec.structs.replace(first, actions=(said, *first.actions[1:]))
    table = write_csv(msgspec.structs.replace(record, games=(game, *record.games[1:])))
    back = parse_record(table)
    assert back.games[0].actions[0].comment == text.replace("\r\n", "\n").replace("\r", "\n")


@pytest.mark.parametrize("value", ["-1", "+1", "=1", "@1", "\tx", "-1.5e3", "＝1", "x", "'x", "'=x"])
def test_a_cell_comes_back_as_it_was(value: str) -> None:
    from controller.record.table import harmless
    from controller.record.table_reader import _plain

    assert harmless(value)[:1] not in ("=", "+", "-", "@", "\t", "\r")
    assert _plain(harmless(value)) == value
