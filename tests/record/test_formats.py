"""Files of every format go in and out through one door, whole or not at all."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import resource
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.record.check import check
from controller.record.formats import READ, parse_record, read_record, write_record
from controller.record.model import (
    AnyAction,
    DoubleAction,
    Game,
    PlayAction,
    Record,
    RecordError,
    RefusedAction,
    ResignAction,
    SetAction,
    TakeAction,
    Variation,
)
from controller.record.native import decode_json, encode_json
from controller.record.sgf_writer import write_sgf
from controller.record.table import COLUMNS, write_csv
from controller.rules import VARIANTS, Side, parse_xgid, position_id, ruleset_from, ruleset_keys
from tests.record.examples import CRAWFORD, ILLEGAL, MONEY, example_records, record, save


def test_the_json_form_has_the_keys_that_others_rely_on() -> None:
    data = json.loads(encode_json(record(CRAWFORD)))
    assert data["format"] == "vrhcab-record-1"
    assert set(data) >= {"format", "file", "length", "problems", "players", "games"}
    assert data["players"][0] == {"name": "Jan Novák", "color": "light"}
    game = data["games"][0]
    assert set(game) >= {"score", "crawford", "winner", "points", "actions"}
    assert game["actions"][0] == {
        "type": "play", "player": 0, "dice": [3, 1], "moves": [[8, 5], [6, 5]], "line": 12,
        "before": "4HPwATDgc/ABMA", "after": "4HPwATCwZ/ABMA", "legal": True,
    }  # fmt: skip
    assert [action["type"] for action in game["actions"]] == ["play", "play", "double", "take", "play", "resign"]
    assert game["actions"][2]["value"] == 2


def test_unfinished_is_unfinished_and_unknown_is_not_zero() -> None:
    read = record(CRAWFORD.split(" Game 2")[0].replace("Wins 2 points", ""))
    data = json.loads(encode_json(read))
    assert data["games"][0]["winner"] is None
    assert data["games"][0]["points"] is None


@pytest.mark.parametrize("name", ["crawford", "money", "illegal"])
def test_json_loses_nothing(name: str) -> None:
    before = check(example_records()[name])
    play = before.games[0].actions[0]
    told = msgspec.structs.replace(
        play, seconds=12.5, wall_time="2026-11-20T17:30:00Z", confidence=0.98, inferred=True, corrected=True,
        flags=("R05",), evidence=("before.jpg", "clip.mp4"), comment="řekl:\n\"ne\"", line=None,
    )  # fmt: skip
    game = msgspec.structs.replace(before.games[0], actions=(told, *before.games[0].actions[1:]))
    player = msgspec.structs.replace(before.players[0], name="💥:,;\u202e" * 60, rating=1687.32)
    whole = msgspec.structs.replace(before, games=(game, *before.games[1:]), players=(player, before.players[1]))
    assert decode_json(encode_json(whole)) == whole
    assert decode_json(encode_json(whole, indent=2)) == whole


def test_a_key_from_tomorrow_is_no_error() -> None:
    data = json.loads(encode_json(record(CRAWFORD)))
    data["games"][0]["weather"] = data["players"][0]["flag"] = "cz"
    assert decode_json(json.dumps(data).encode()) == record(CRAWFORD)


EMPTY_GAME: dict[str, object] = {"score": [0, 0], "crawford": False, "winner": None, "points": None, "actions": []}


def test_a_record_knows_the_variants_of_the_rules() -> None:
    assert get_args(Variation) == VARIANTS


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"length": -1}, "length"),
        ({"format": "vrhcab-record-2"}, "format"),
        ({"players": []}, "players"),
        ({"games": [{"score": [0, "0"], "crawford": False, "winner": None, "points": None, "actions": []}]}, "score"),
        ({"games": [{"score": [0, 0], "crawford": False, "winner": 2, "points": 1, "actions": []}]}, "winner"),
        ({"games": [EMPTY_GAME | {"team": {"order": ["Jana"]}}]}, "team.order"),
        ({"games": [EMPTY_GAME | {"team": {"order": ["Jana", "Petr"], "shares": {"Jana": 10**30}}}]}, "team.shares"),
        ({"variation": "longgammon"}, "variation"),
    ],
)
def test_a_wrong_json_says_where(change: dict[str, object], place: str) -> None:
    data = json.loads(encode_json(record(CRAWFORD))) | change
    with pytest.raises(RecordError, match=place):
        decode_json(json.dumps(data).encode())


@pytest.mark.parametrize("ending", READ)
def test_every_written_format_is_read_back(ending: str, tmp_path: Path) -> None:
    before = record(CRAWFORD)
    write_record(before, tmp_path / f"m{ending}")
    after = read_record(tmp_path / f"m{ending}")
    assert after.file == f"m{ending}"
    assert [[a.after for a in g.actions if isinstance(a, PlayAction)] for g in after.games] == [
        [a.after for a in g.actions if isinstance(a, PlayAction)] for g in before.games
    ]


@pytest.mark.parametrize(
    ("language", "words"),
    [("cs", ["Zápas na 0 bodů", "Zdvojnásobení na 2", "Bobr na 4", "Mýval na 8", "Přijato", "Vzdáno", "Vyhrává 8 bodů"]),
     ("sk", ["Zápas na 0 bodov", "Zdvojnásobenie na 2", "Bobor na 4", "Mýval na 8", "Prijaté", "Vzdané",
             "Vyhráva 8 bodov"]),
     ("en", ["0 point match", "Doubles => 2", "Beavers => 4", "Raccoons => 8", "Takes", "Resigns", "Wins 8 points"])],
)  # fmt: skip
def test_the_printed_record_is_read_back_in_its_language(language: str, words: list[str], tmp_path: Path) -> None:
    before = record(MONEY)
    path = tmp_path / f"zápis.{language}.txt"
    write_record(before, path)
    text = path.read_text(encoding="utf-8")
    assert [word for word in words if word not in text] == []
    # Where nothing can be played the roll stands alone.
    assert "66:  " in text
    after = read_record(path)
    assert after.problems == ()
    assert [[msgspec.structs.replace(a, line=None) for a in g.actions] for g in after.games] == [
        [msgspec.structs.replace(a, line=None) for a in g.actions] for g in before.games
    ]


def test_the_table_has_a_row_for_each_action_with_its_xgid(tmp_path: Path) -> None:
    before = record(MONEY)
    odd = msgspec.structs.replace(before.players[1], name='=cmd|"calc"!A1, "x"')
    write_record(msgspec.structs.replace(before, players=(before.players[0], odd)), tmp_path / "m.csv")
    with (tmp_path / "m.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(before.games[0].actions)
    assert rows[0]["name"] == "'" + odd.name
    assert [row["action"] for row in rows[:4]] == ["play", "play", "double", "beaver"]
    for row, action in zip(rows, before.games[0].actions, strict=True):
        if isinstance(action, PlayAction):
            moment = parse_xgid(row["xgid"])
            assert position_id(moment.position, moment.on_roll) == action.before == row["before"]
            assert moment.dice == tuple(sorted(action.dice, reverse=True)) or moment.dice == action.dice
    # After the raccoon was taken, the beaverer owns the cube.
    last = parse_xgid(rows[-3]["xgid"])
    assert (last.cube, last.cube_owner) == (8, Side.LIGHT)


@pytest.mark.parametrize("name", ["crawford", "money", "illegal"])
@pytest.mark.parametrize(("delimiter", "quoted"), [(",", False), (";", False), (",", True), (";", True)])
def test_the_table_is_read_back_as_a_spreadsheet_saves_it(name: str, delimiter: str, quoted: bool) -> None:
    before = check(example_records()[name])
    odd = msgspec.structs.replace(
        before.games[0].actions[0], comment="=1+1", evidence=("a.jpg",), seconds=2.5, line=None
    )
    game = msgspec.structs.replace(before.games[0], actions=(odd, *before.games[0].actions[1:]), announced_points=9)
    before = msgspec.structs.replace(before, games=(game, *before.games[1:]))
    rows = list(csv.reader(write_csv(before).decode("utf-8-sig").splitlines()))
    saved = "\r\n".join(delimiter.join(f'"{cell}"' for cell in row) for row in rows)
    if not quoted:
        saved = saved.replace(f'"game"{delimiter}"length"{delimiter}', f"game{delimiter}length{delimiter}")
    after = parse_record(saved.encode())

    def told(read: Record) -> list[object]:
        return [
            msgspec.structs.replace(
                game, line=None, actions=tuple(msgspec.structs.replace(a, line=None) for a in game.actions)
            )
            for game in read.games
        ]

    assert told(after) == told(before)
    assert [p.name for p in after.players] == [p.name for p in before.players]
    assert (after.length, after.variation) == (before.length, before.variation)


def test_a_table_keeps_how_a_game_that_was_found_begins() -> None:
    """Where the board stood and whose the cube was, whatever was done first; and a gap is no board that a person has set."""
    read = record(CRAWFORD)
    one, two, *_ = read.games[0].actions
    assert isinstance(one, PlayAction)
    assert isinstance(two, PlayAction)
    gap = SetAction(1, two.before, 4, 0, 12.5, comment="Gap of 12 s: nobody saw what was played.")
    beginnings: tuple[tuple[AnyAction, ...], ...] = (
        (two, DoubleAction(0, 4), TakeAction(1)),
        (RefusedAction(0, 2), two, gap),
        (ResignAction(1, 4, 2),),
    )
    for actions in beginnings:
        found = Game((0, 0), False, None, None, actions, start=one.after, cube=2, owner=0)
        (after,) = parse_record(write_csv(msgspec.structs.replace(read, games=(found,)))).games
        assert (after.start, after.cube, after.owner) == (one.after, 2, 0)
        assert [msgspec.structs.replace(action, line=None) for action in after.actions] == [
            msgspec.structs.replace(action, line=None) for action in actions
        ]


@pytest.mark.parametrize(
    ("column", "value", "sentence"),
    [
        ("player", "2", "line 2"),
        ("action", "jumps", "line 2: 'jumps' is no action"),
        ("dice", "71", "line 2"),
        ("play", "8/x", "line 2: the play '8/x'"),
        ("before", "nonsense", "line 2: 'nonsense' is no Position ID"),
        ("length", "", "line 2: the column 'length' is empty"),
        ("length", "-5", "line 2: no match has a length of -5"),
        ("seconds", "1e99", "line 2: '1e99' is no number"),
        ("score_left", "x", "line 2: 'x' is no number"),
        ("variation", "chess", "line 2: the variation"),
    ],
)
def test_a_wrong_table_says_where(column: str, value: str, sentence: str) -> None:
    rows = list(csv.DictReader(write_csv(record(CRAWFORD)).decode("utf-8-sig").splitlines()))
    rows[0][column] = value
    text = io.StringIO()
    table = csv.DictWriter(text, COLUMNS)
    table.writeheader()
    table.writerows(rows)
    with pytest.raises(RecordError, match=sentence):
        parse_record(text.getvalue().encode())


@pytest.mark.parametrize("text", ["game,length,\n", ",".join(COLUMNS), ",".join(COLUMNS) + "\n1,2,3\n"])
def test_what_is_no_table(text: str) -> None:
    with pytest.raises(RecordError, match=r"line|no rows"):
        parse_record(text.encode())


def test_the_first_characters_tell_the_format_and_not_the_ending(tmp_path: Path) -> None:
    write_record(record(CRAWFORD), tmp_path / "m.sgf")
    (tmp_path / "m.sgf").rename(tmp_path / "m.txt")
    assert len(read_record(tmp_path / "m.txt").games) == 3


def test_places_that_cannot_be_read_or_written(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="No such file"):
        read_record(tmp_path / "none.mat")
    with pytest.raises(RecordError, match="it is a folder"):
        read_record(tmp_path)
    with pytest.raises(RecordError, match=r"\.mat, \.txt"):
        write_record(record(CRAWFORD), tmp_path / "m.pdf")
    with pytest.raises(RecordError, match="can't be written"):
        write_record(record(CRAWFORD), tmp_path / "no folder" / "m.mat")
    assert list(tmp_path.iterdir()) == []


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = save(tmp_path, "m.mat", "old")
    game = msgspec.structs.replace(record(CRAWFORD).games[0], cube=2)
    with pytest.raises(RecordError):
        write_record(msgspec.structs.replace(record(CRAWFORD), games=(game,)), path)
    assert path.read_text() == "old"


def test_a_huge_file_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "huge.mat"
    with path.open("wb") as file:
        file.truncate(10**12)
    with pytest.raises(RecordError, match="larger than 8 MB"):
        read_record(path)


MEGABYTE = 1_000_000

ENDLESS = {
    "games": b" Game 1\n" * (MEGABYTE // 8),
    "rolls": b"1 point match\nGame 1\n" + b"11: 8/7\n" * (MEGABYTE // 16),
    "one line": b"1 point match\nGame 1\n" + b": 0 " * (MEGABYTE // 4),
    "colons": b"1 point match\n" + (b"Game 1\n" + b": 0 " * 900 + b"x\n") * (MEGABYTE // 3700),
    "marks": b"1 point match\nGame 1\n" + (b"11: " + b"!" * 3900 + b"x\n") * (MEGABYTE // 3910),
    "boards": b"1 point match\nGame 1\n" + (b"11: Illegal play (" * 200 + b"\n") * (MEGABYTE // 6800),
    "trees": b"(;" * (MEGABYTE // 2),
    "nodes": b"(;" + b";" * MEGABYTE,
    "values": b"(;GM[6]W" + b"[31hefe]" * (MEGABYTE // 8) + b")",
    "table": ",".join(COLUMNS).encode() + b"\n" + b"1" * MEGABYTE,
    "blanks": b"1 point match\n" + (b" Game 1\n" + b" " * 3980 + b"x\n") * (8 * MEGABYTE // 4000),
    "headings": b"1 point match\n" + (b" Game 1" + b" " * 3980 + b"x\n") * (8 * MEGABYTE // 4000),
    "tags": b"1 point match\n" + (b"; [" + b" " * 3980 + b"x\n") * (MEGABYTE // 4000),
    "escapes": b"(;GM[6]C[" + b"\\a" * (4 * MEGABYTE) + b"])",
    "result": b"(;GM[6]RE[W+" + b" " * MEGABYTE + b"x])",
    "rules": b"(;GM[6]RU[" + b"a" * MEGABYTE + b"])",
    "cubes": b"(;GM[6];W[31hefe]" + b";CV[2]" * 19_000 + b")",
    "names": b"(;GM[6]PW[" + b"a" * MEGABYTE + b"])" + b"(;GM[6]PW[b])" * 4900,
    "brackets": b'{"a":' + b"[" * MEGABYTE,
}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("name", ENDLESS)
def test_no_file_takes_long_or_much_memory(name: str) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with contextlib.suppress(RecordError):
        check(parse_record(ENDLESS[name]))
    grown = 1024 * (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
    assert grown < 100 * MEGABYTE


SEEDS = [
    *(text.encode() for text in (CRAWFORD, MONEY, ILLEGAL)),
    encode_json(record(MONEY)),
    write_sgf(record(MONEY)),
    write_csv(record(MONEY)),
]
TRICKY = [
    b"(9)",
    b"9" * 30,
    b" Game 1\n",
    b"[",
    b"]",
    b"(;",
    b"Illegal play (",
    b";)",
    b"66: ",
    b"\xff",
    b"1e999",
    b"\\",
]


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A record with pieces cut out, doubled, or replaced by anything."""
    data = draw(st.sampled_from(SEEDS))
    for _ in range(draw(st.integers(1, 6))):
        start = draw(st.integers(0, len(data)))
        end = min(start + draw(st.integers(0, 40)), len(data))
        new = draw(st.binary(max_size=12) | st.sampled_from(TRICKY) | st.just(data[start:end] * 3))
        data = data[:start] + new + data[end:]
    return data


@settings(max_examples=400, deadline=None)
@given(damaged() | st.binary(max_size=300) | st.text(max_size=300).map(str.encode))
def test_no_bytes_crash_a_reader(data: bytes) -> None:
    try:
        read = parse_record(data)
    except RecordError:
        return
    again = check(read)
    assert decode_json(encode_json(again)) == again


def test_a_new_file_is_its_owners_and_a_replaced_one_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "m.mat"
    write_record(record(CRAWFORD), path)
    assert path.stat().st_mode & 0o777 == 0o600
    path.chmod(0o644)
    write_record(record(CRAWFORD), path)
    assert path.stat().st_mode & 0o777 == 0o644


def test_what_root_writes_belongs_to_whom_the_folder_does(tmp_path: Path) -> None:
    owner = (12345, 12346) if os.geteuid() == 0 else (os.geteuid(), os.getegid())
    os.chown(tmp_path, *owner)
    path = tmp_path / "m.mat"
    write_record(record(CRAWFORD), path)
    assert (path.stat().st_uid, path.stat().st_gid) == owner


def test_what_is_no_file_is_not_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "m.mat")
    with pytest.raises(RecordError, match="can't be written"):
        write_record(record(CRAWFORD), tmp_path / "m.mat")
    assert (tmp_path / "m.mat").is_fifo()


@pytest.mark.parametrize(("owner", "side"), [("beaverer", Side.LIGHT), ("doubler", Side.DARK)])
def test_the_table_knows_whose_the_cube_is_after_a_raccoon(owner: str, side: Side) -> None:
    rules = ruleset_from({"preset": "money", "cube": {"raccoon": True, "raccoon_owner": owner}})
    read = msgspec.structs.replace(record(MONEY), rules="money", rule_keys=ruleset_keys(rules))
    rows = list(csv.DictReader(write_csv(read).decode("utf-8-sig").splitlines()))
    last = parse_xgid(rows[-3]["xgid"])
    assert (last.cube, last.cube_owner) == (8, side)
