"""Transcripts are read in every dialect, and what is written is read back as the same match."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.record.check import check
from controller.record.formats import read_record, write_record
from controller.record.mat_writer import write_mat, write_printed
from controller.record.model import (
    AnyAction,
    BeaverAction,
    DoubleAction,
    Game,
    PassAction,
    PlayAction,
    RaccoonAction,
    Record,
    RecordError,
    RefusedAction,
    ResignAction,
    RollAction,
    TakeAction,
)
from controller.record.sgf_writer import write_sgf
from controller.record.text import NAME_BYTES, decode, safe_name
from controller.rules import Position, Side, position_id
from tests.record.examples import CRAWFORD, MONEY, example_records, record, transcript


def actions(read: Record, game: int = 0) -> list[str]:
    """Each action in a few letters: "0 31 8/5 6/5", "1 double 2", "0 take"."""
    said = []
    for action in read.games[game].actions:
        words = [str(action.player)]
        if isinstance(action, PlayAction | RollAction):
            words.append(f"{action.dice[0]}{action.dice[1]}")
            words += [f"{s}/{t}" for s, t in action.moves] if isinstance(action, PlayAction) else ["?"]
        else:
            words.append(action.kind)
            words += [str(action.value)] if isinstance(action, DoubleAction | BeaverAction | RaccoonAction) else []
        said.append(" ".join(words))
    return said


def test_a_match_with_headers_cube_and_crawford_game() -> None:
    read = record(CRAWFORD)
    assert read.length == 3
    assert [player.name for player in read.players] == ["Jan Novák", "Eva Dvořáková"]
    assert (read.event, read.place, read.date, read.time) == ("Open", "Praha", "2026-11-20", "18:30")
    assert read.crawford_rule is True
    assert [game.score for game in read.games] == [(0, 0), (0, 2), (1, 2)]
    assert [game.crawford for game in read.games] == [False, True, False]
    assert [(game.winner, game.points) for game in read.games] == [(1, 2), (0, 1), (0, 2)]
    assert actions(read) == ["0 31 8/5 6/5", "1 64 24/18 18/14", "0 double 2", "1 take", "0 52 13/8 24/22", "0 resign"]
    assert read.problems == ()


def test_position_ids_have_the_mover_on_roll() -> None:
    first, second = record(CRAWFORD).games[0].actions[:2]
    assert isinstance(first, PlayAction)
    assert isinstance(second, PlayAction)
    assert first.before == "4HPwATDgc/ABMA"
    assert second.before == "sGfwATDgc/ABMA"


def test_money_play_with_beaver_raccoon_dance_and_a_roll_given_up() -> None:
    read = record(MONEY)
    assert (read.length, read.jacoby, read.beavers) == (0, True, True)
    assert actions(read) == [
        "1 31 8/5 6/5",
        "0 62 24/18 13/11",
        "1 double 2",
        "0 beaver 4",
        "1 raccoon 8",
        "0 take",
        "1 11 8/7 8/7 6/5 6/5",
        "0 66",
        "1 21 6/4 6/5",
        "0 64 ?",
        "0 resign",
    ]


def test_a_beaver_that_answers_a_beaver_is_a_raccoon() -> None:
    """So GNU Backgammon writes it, which has no word of its own."""
    read = record(MONEY.replace("Raccoons", "Beavers "))
    assert actions(read) == actions(record(MONEY))
    assert check(read).problems == ()


@pytest.mark.parametrize(
    ("cell", "moves"),
    [
        ("62: 24/18 13/11", "24/18 13/11"),
        ("62: 24/16", "24/18 18/16"),
        ("62: 24/18/16", "24/18 18/16"),
        ("26: 24/16", "24/22 22/16"),
        ("11: 8/7(2) 6/5(2)", "8/7 8/7 6/5 6/5"),
        ("11: 6/5 8/7 6/5 8/7", "6/5 8/7 6/5 8/7"),
        ("44: 24/16(2)", "24/20 24/20 20/16 20/16"),
        ("62: 24/18! 13/11 ?", "24/18 13/11"),
    ],
)
def test_ways_of_writing_a_play(cell: str, moves: str) -> None:
    play = record(transcript(f"{cell} |")).games[0].actions[0]
    assert isinstance(play, PlayAction)
    assert play.legal
    assert sorted(f"{s}/{t}" for s, t in play.moves) == sorted(moves.split())


@pytest.mark.parametrize(("bar", "off"), [("bar", "off"), ("Bar", "Off"), ("25", "0"), ("bar", "ven"), ("bar", "von")])
def test_bar_and_off_in_every_spelling(bar: str, off: str) -> None:
    rows = ["62: 24/18 13/11 | 61: 13/7* 8/7", f"21: {bar}/23 24/23 |"]
    assert actions(record(transcript(*rows)))[-1] == "0 21 25/23 24/23"
    assert record(transcript(f"21: 2/{off} 1/{off} |")).games[0].actions[0].moves == ((2, 0), (1, 0))  # type: ignore[union-attr]


def test_a_star_tells_which_way_a_checker_went() -> None:
    # Eva's 24/16 with 62 may pass her 18 or her 22; Jan's blots stand on both (his 7 and 3).
    before = ["64: 13/7 13/9 | 31: 8/5 6/5", "42: 7/3 9/7 |"]
    hit_18 = record(transcript(before[0], before[1] + " 62: 24/18*/16")).games[0].actions[-1]
    hit_22 = record(transcript(before[0], before[1] + " 62: 24/22*/16")).games[0].actions[-1]
    assert isinstance(hit_18, PlayAction)
    assert isinstance(hit_22, PlayAction)
    assert hit_18.legal
    assert hit_22.legal
    assert hit_18.after != hit_22.after


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (["31: 8/5 6/5 | Doubles => 2", "Takes | 64: 24/14"],
         ["0 31 8/5 6/5", "1 double 2", "0 take", "1 64 24/18 18/14"]),
        (["31: 8/5 6/5 | Zdvojnásobení na 2 ?", "Přijato | 64: 24/14"],
         ["0 31 8/5 6/5", "1 double 2", "0 take", "1 64 24/18 18/14"]),
        (["31: 8/5 6/5 | Zdvojenie na 2", "Odmietnuté | Vyhráva 1 bod"], ["0 31 8/5 6/5", "1 double 2", "0 pass"]),
        (["31: 8/5 6/5 | Resigns", "Wins 1 point |"], ["0 31 8/5 6/5", "1 resign"]),
        (["31: 8/5 6/5 | 52: Concedes"], ["0 31 8/5 6/5", "1 52 ?", "1 resign"]),
        (["31: 8/5 6/5 | Losses 2 point"], ["0 31 8/5 6/5", "1 resign"]),
    ],
)  # fmt: skip
def test_words_of_several_programs_and_languages(rows: list[str], expected: list[str]) -> None:
    assert actions(record(transcript(*rows))) == expected


def test_narrow_columns_and_rows_without_numbers() -> None:
    text = "3 point match\n\n Game 1\n Jan : 0      Eva : 0\n 1) 31: 8/5 6/5  64: 24/14\n"
    text += " 2) 52: 13/8 24/22  Doubles => 2\n"
    assert actions(record(text + " 3) Takes  21: 13/11 6/5\n      Wins 2 points\n"))[-2:] == [
        "1 21 13/11 6/5",
        "1 resign",
    ]
    assert actions(record("31: 8/5 6/5 66: 24/18(2) 13/7(2)\n26: 13/5 Zdvojnásobení na 2 ?\nPřijato 65: 18/7"))[2:] == [
        "0 26 13/11 11/5", "1 double 2", "0 take", "1 65 18/13 13/7",
    ]  # fmt: skip


TEXT_002 = """\
31: 8/5 6/5 66: 24/18(2) 13/7(2)
26: 13/5 Zdvojnásobení na 2 ?
Přijato 65: 18/7
25: 24/22 13/8 45: 8/3* 7/3
23: bar/23 24/2156: 18/7
"""
"""The rules text's own sample, with the blank that it lacks."""


def test_the_sample_of_the_czech_rules_text() -> None:
    read = record(TEXT_002)
    plays = [a for a in read.games[0].actions if isinstance(a, PlayAction)]
    assert [(play.player, play.legal) for play in plays] == [(n % 2, True) for n in (0, 1, 0, 1, 0, 1, 0, 1)]
    assert [type(a) for a in read.games[0].actions[3:5]] == [DoubleAction, TakeAction]
    assert actions(read)[-2:] == ["0 23 25/23 24/21", "1 56 18/13 13/7"]


def test_points_that_a_server_capped_are_known_in_full() -> None:
    # 4-away of 5: a gammon with the cube on 4 is worth 8, and the server wrote the 5 that were needed.
    rows = [
        "31: 8/5 6/5 | Doubles => 2",
        "Takes | 64: 24/14",
        "Doubles => 4 | Takes",
        "52: 13/8 6/4 |",
        "| Wins 5 points",
    ]
    game = record(transcript(*rows)).games[0]
    assert (game.points, game.announced_points) == (8, 5)


@pytest.mark.parametrize("name", ["crawford", "money", "illegal"])
def test_what_is_written_is_read_back(name: str) -> None:
    before = example_records()[name]
    after = record(write_mat(before))

    def told(read: Record) -> list[object]:
        return [
            (game.score, game.winner, game.points, [msgspec.structs.replace(a, line=None) for a in game.actions])
            for game in read.games
        ]

    assert told(after) == told(before)
    assert (after.length, after.event, after.date, after.time) == (
        before.length,
        before.event,
        before.date,
        before.time,
    )
    assert (after.jacoby, after.beavers) == (before.jacoby, before.beavers)


def test_every_left_cell_is_wide_enough_for_gnu_bg() -> None:
    rows = [line for line in write_mat(record(MONEY)).decode("utf-8-sig").splitlines() if line[3:4] == ")"]
    assert rows
    assert all(len(row) >= 33 for row in rows)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=400))
def test_no_name_can_break_a_transcript(name: str) -> None:
    safe = safe_name(name, "Player 1")
    assert safe
    assert len(safe.encode()) <= NAME_BYTES
    assert ":" not in safe
    assert safe.isprintable()
    before = record(CRAWFORD)
    odd = msgspec.structs.replace(before.players[0], name=name)
    after = record(write_mat(msgspec.structs.replace(before, players=(odd, before.players[1]))))
    assert after.players[1].name == "Eva Dvořáková"
    assert [game.actions[0].player for game in after.games] == [0, 0, 0]


def test_two_players_of_the_same_name_are_told_apart() -> None:
    before = record(CRAWFORD)
    both = tuple(msgspec.structs.replace(p, name="Novák" * 20) for p in before.players)
    left, right = record(write_mat(msgspec.structs.replace(before, players=both))).players
    assert left.name != right.name
    assert max(len(p.name.encode()) for p in (left, right)) <= NAME_BYTES


@pytest.mark.parametrize(
    ("text", "encoding"),
    [("Eva Dvořáková", "cp1250"), ("Eva Dvořáková", "utf-8-sig"), ("Eva Dvořáková", "utf-16"), ("Jørgensen", "cp1252"),
     ("Šárka Žížalová", "cp1250"), ("Müller", "cp1252"), ("Zdeněk Kučera", "cp1250")],
)  # fmt: skip
def test_names_survive_old_encodings(text: str, encoding: str) -> None:
    assert decode(f" {text} : 0    Eva : 0".encode(encoding)) == f" {text} : 0    Eva : 0"


def test_ratings_in_names_and_headers() -> None:
    read = record(transcript("31: 8/5 6/5 |").replace(b"Jan :", b"Jan,1760 :"))
    assert (read.players[0].name, read.players[0].rating) == ("Jan", 1760)
    # XG's "Player 1" is the right column here.
    head = b'; [Player 1 "Eva"]\n; [Player 2 "Jan"]\n; [Player 1 Elo "1687,32/1520"]\n'
    read = record(head + transcript("31: 8/5 6/5 |"))
    assert [(p.name, p.rating, p.experience) for p in read.players] == [("Jan", None, None), ("Eva", 1687.32, 1520)]


@pytest.mark.parametrize(
    "text", ["", "   \n", "hello", "root:x:0:0:root:/root\nbin:x:34:1", "7 point match\n", "\x00\x01"]
)
def test_what_is_no_transcript_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(RecordError, match=r"^[A-Z].*[.]$"):
        record(text)


@pytest.mark.parametrize(
    ("start", "advice"),
    [
        (b"RGMH\x01\x00", "in XG, export"),
        (b'{"format":"BGF","version":"1.0"}\n\x1f\x8b', "in BGBlitz, export"),
        (b"PK\x03\x04", "unpack it"),
        (b"\x1f\x8b\x08", "unpack it"),
        (b"%PDF-1.4", "PDF"),
    ],
)
def test_a_file_of_another_program_is_told_what_to_do(start: bytes, advice: str) -> None:
    with pytest.raises(RecordError, match=advice):
        record(start + bytes(range(256)))


@pytest.mark.parametrize(
    "data",
    [
        CRAWFORD.encode("utf-16-le"),
        CRAWFORD.encode("utf-16-be"),
        CRAWFORD.encode() + b"\x1a",
        CRAWFORD.encode() + bytes(100),
        CRAWFORD.replace("\n", "\r\r\n").encode(),
    ],
)
def test_what_old_systems_did_to_a_text_does_not_matter(data: bytes) -> None:
    assert record(data).problems == ()
    assert [[msgspec.structs.replace(a, line=None) for a in game.actions] for game in record(data).games] == [
        [msgspec.structs.replace(a, line=None) for a in game.actions] for game in record(CRAWFORD).games
    ]


@pytest.mark.parametrize(
    ("name", "problems"),
    [
        ("NackGammon", 0),
        ("HyperGammon (3)", 0),
        ("Backgammon", 0),
        ("LongGammon", 1),
        ("HyperGammon (1)", 1),
        ("Tavla", 1),
    ],
)
def test_a_variation_that_is_not_known_is_named(name: str, problems: int) -> None:
    text = CRAWFORD.split(" Game 1")[0].replace('"Backgammon"', f'"{name}"') + " Game 1\n Jan : 0      Eva : 0\n"
    found = record(text).problems
    assert len(found) == problems
    assert all(problem.startswith(f"line 5: the variation '{name}' is not known") for problem in found)


@pytest.mark.parametrize(
    ("begins", "why"),
    [({"cube": 2}, "begins with the cube at 2"), ({"cube": 2, "owner": 0}, "usual position and cube")],
)
def test_what_mat_cannot_say_is_refused(begins: dict[str, int], why: str) -> None:
    game = msgspec.structs.replace(record(CRAWFORD).games[0], **begins)
    with pytest.raises(RecordError, match=why):
        write_mat(msgspec.structs.replace(record(CRAWFORD), games=(game,)))


def test_header_lines_that_are_not_understood_stand_as_they_were() -> None:
    told = {
        "EventDate": "28 Nov 2026",
        "EventTime": "10:30 PM",
        "CubeLimit": "unlimited",
        "Jacoby": "Yes",
        "Variation": "Tapa",
        "RuleKeys": "cube.sides=7",
    }
    text = "".join(f'; [{key} "{value}"]\n' for key, value in told.items()).encode()
    read = record(text + transcript("31: 8/5 6/5 | 64: 24/14"))
    assert read.tags == told
    again = record(write_mat(read))
    assert {key: again.tags.get(key) for key in told} == told
    assert len(again.problems) == len(read.problems) == 2


def test_a_play_that_no_moves_explain_keeps_its_board() -> None:
    before = record(CRAWFORD)
    play = before.games[0].actions[0]
    assert isinstance(play, PlayAction)
    odd = msgspec.structs.replace(play, moves=(), after="4HPiATDgc/ABEA", legal=False)
    game = msgspec.structs.replace(before.games[0], actions=(odd,), winner=None, points=None)
    read = record(write_mat(msgspec.structs.replace(before, games=(game,)))).games[0].actions[0]
    assert isinstance(read, PlayAction)
    assert (read.after, read.legal, read.moves) == ("4HPiATDgc/ABEA", False, ())


def test_a_name_that_smiles_does_not_end_the_board_of_an_illegal_play() -> None:
    """No name in a transcript has a colon, so the smile is written "Jan ;)": that is how such a board ends."""
    board = "5;0;0;0;1;Jan;Eva;0;0;0;1;0;0;-2;0;0;0;0;5;0;3;0;0;0;-4;5;0;0;0;-3;0;-5;0;0;0;0;2;0;0;0;"
    read = record(transcript("31: 8/5 6/5 |", f"| 52: Illegal play ({board})", "64: 24/14 | 52: 13/8 24/22"))
    smiling = msgspec.structs.replace(
        read, players=(msgspec.structs.replace(read.players[0], name="Jan :)"), read.players[1])
    )
    written = write_mat(smiling)
    of_old = written.replace(b"Jan ,);Eva", b"Jan ;);Eva")  # as it was written once
    for data in (written, of_old):
        again = record(data)
        assert again.problems == ()
        assert again.players[0].name == "Jan ;)"
        assert actions(again) == actions(read)
        assert [a.after for a in again.games[0].actions if isinstance(a, PlayAction)] == [
            a.after for a in read.games[0].actions if isinstance(a, PlayAction)
        ]
    assert of_old != written


def test_kinds_of_actions_are_complete() -> None:
    kinds = {type(action) for read in example_records().values() for game in read.games for action in game.actions}
    assert kinds == {PlayAction, RollAction, DoubleAction, BeaverAction, RaccoonAction, TakeAction, ResignAction}
    assert PassAction in {type(a) for a in record(transcript("31: 8/5 6/5 | Doubles => 2", "Drops |")).games[0].actions}


SHEET = """\
Zápas na 5 bodů

 Hra 1
 Jan : 0                             Eva : 0
  1) 31: 8/5 6/5                    66: 24/18(2) 13/7(2) ??
  2) 26: 13/5                        Zdvojnásobení na 2 ?
  3)  Přijato !                     65: 18/7
  4) 25: 24/22 13/8 ?               45: 8/3* 7/3 !?
  5) 23: bar/23 24/21                Vzdáno hra
  6)  Odmítnuto                     56: 18/7
  7)  Vzdáno gammon                  Přijato
"""


class TestWordsOfText002:
    """What was thought of a play, and resignations in words, come in and go out again."""

    def test_marks_and_resignations_are_read(self) -> None:
        read = record(SHEET)
        (game,) = read.games
        marks = [(action.kind, action.mark) for action in game.actions if action.mark]
        assert marks == [("play", "??"), ("double", "?"), ("take", "!"), ("play", "?"), ("play", "!?")]
        assert [action for action in game.actions if isinstance(action, RefusedAction)] == [RefusedAction(1, 1, line=9)]
        assert game.actions[-1] == ResignAction(0, 4, 2, line=11)
        assert (game.winner, game.points) == (1, 4)  # a gammon, and the cube shows 2
        assert check(read).problems == ()

    @pytest.mark.parametrize("language", ["en", "cs", "sk"])
    def test_printed_in_any_language_they_are_read_again(self, language: str) -> None:
        first = record(SHEET)
        again = record(write_printed(first, language))
        assert [unlined(action) for action in again.games[0].actions] == [
            unlined(action) for action in first.games[0].actions
        ]

    @pytest.mark.parametrize(
        ("language", "said", "before"),
        [
            ("cs", "Zdvojovací kostka na začátku: 2", "Kostka na začátku: 2"),
            ("sk", "Zdvojovacia kocka na začiatku: 2", "Kocka na začiatku: 2"),
        ],
    )
    def test_a_cube_that_the_draw_has_doubled_is_no_die(self, language: str, said: str, before: str) -> None:
        """Files that were printed when it had a die's name are read too."""
        first = record(SHEET.replace(" Hra 1\n", f" Hra 1\n{before}\n"))
        printed = write_printed(first, language)
        assert f" {said}\n".encode() in printed
        assert first.games[0].cube == record(printed).games[0].cube == 2

    @pytest.mark.parametrize("ending", [".json", ".csv"])
    def test_files_of_our_own_keep_them_all(self, ending: str, tmp_path: Path) -> None:
        first = record(SHEET)
        write_record(first, tmp_path / f"game{ending}")
        again = read_record(tmp_path / f"game{ending}")
        assert [unlined(action) for action in again.games[0].actions] == [
            unlined(action) for action in first.games[0].actions
        ]

    def test_sgf_keeps_the_marks(self, tmp_path: Path) -> None:
        write_record(record(SHEET), tmp_path / "game.sgf")
        again = read_record(tmp_path / "game.sgf")
        assert [action.mark for action in again.games[0].actions if action.mark] == ["??", "?", "!", "?", "!?"]

    def test_a_transcript_for_other_programs_has_none(self) -> None:
        assert not set("?!") & set(write_mat(record(SHEET)).decode())


def unlined(action: AnyAction) -> AnyAction:
    return msgspec.structs.replace(action, line=None)


def test_a_resignation_beside_a_dance_is_the_other_players() -> None:
    """A roll that can't be played stands alone, so that the next cell must not be taken for what was done with it."""
    read = record(transcript("31: 8/5 6/5 | 64: 24/14", "63: ?? | Vzdáno gammon ?", "Odmítnuto | 52: 13/8 24/22"))
    told = [(action.kind, action.player, action.mark) for action in read.games[0].actions]
    assert told == [("play", 0, ""), ("play", 1, ""), ("play", 0, "??"), ("refused", 1, "?"), ("play", 1, "")]


def test_points_that_were_offered_and_refused_have_their_level() -> None:
    rows = [
        "31: 8/5 6/5 | 64: 24/14",
        "Doubles => 2 | Takes",
        "52: 13/8 24/22 | Resigns 4 points",
        "Rejects | 31: 8/5 6/5",
    ]
    refused = [action for action in record(transcript(*rows)).games[0].actions if isinstance(action, RefusedAction)]
    assert [(action.player, action.level) for action in refused] == [(1, 2)]


def test_an_illegal_play_that_left_both_colours_on_one_point_is_refused_and_not_repaired() -> None:
    before = record(CRAWFORD)
    play = before.games[0].actions[0]
    assert isinstance(play, PlayAction)
    start = Position.start()
    light = (*start.light[:5], start.light[5] - 1, *start.light[6:18], 1, *start.light[19:])
    shared = position_id(Position(light, start.dark), Side.LIGHT)
    odd = msgspec.structs.replace(play, moves=(), after=shared, legal=False)
    game = msgspec.structs.replace(before.games[0], actions=(odd,), winner=None, points=None)
    both = msgspec.structs.replace(before, games=(game,))
    with pytest.raises(RecordError, match="An illegal play in game 1 has left checkers of both players on one point"):
        write_mat(both)
    (kept,) = record(write_sgf(both)).games[0].actions
    assert isinstance(kept, PlayAction)
    assert kept.after == shared


def test_an_illegal_play_with_three_checkers_a_side_keeps_its_board() -> None:
    """Of fifteen a side twelve would be off, and the gammon that follows a single game."""
    start = Position.start("hypergammon")
    left = Position.of(light={1: 3}, dark={18: 2, 22: 1}, checkers=3)
    ids = position_id(start, Side.LIGHT), position_id(left, Side.LIGHT)
    play = PlayAction(0, (6, 5), (), *ids, legal=False, mark="?")
    game = Game((0, 0), False, None, None, (play,))
    before = msgspec.structs.replace(record(MONEY), variation="hypergammon", games=(game,))
    for text, mark in ((write_mat(before), ""), (write_printed(before, "cs"), "?")):
        (kept,) = record(text).games[0].actions
        assert isinstance(kept, PlayAction)
        assert (kept.before, kept.after, kept.mark) == (*ids, mark)


@pytest.mark.parametrize("language", ["en", "cs", "sk"])
def test_a_mark_on_a_roll_without_a_play_is_kept(language: str) -> None:
    read = record(transcript("31: 8/5 6/5 | 64: ???? !?"))
    assert [action.mark for action in read.games[0].actions] == ["", "!?"]
    assert actions(record(write_printed(read, language))) == actions(read)
    assert [action.mark for action in record(write_printed(read, language)).games[0].actions] == ["", "!?"]
    assert [action.mark for action in record(transcript("31: 8/5 6/5 | 64: ????")).games[0].actions] == ["", ""]
