"""Single rules go with a record through every format and back; what a format has no place for is said."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from controller.cli.main import main
from controller.record.check import check
from controller.record.formats import parse_record, read_record, write_record
from controller.record.from_events import record_of
from controller.record.left_out import left_out
from controller.record.mat_writer import write_mat
from controller.record.model import Record
from controller.record.rule_words import rule_keys_in, rule_words
from controller.rules import PRESETS, RuleSetError, agreed_length, keys_over_preset, parse_ruleset, ruleset_keys
from tests.record.examples import transcript
from tests.referee.test_commands import Hand

SAID = {
    "text-002": ("variant=hypergammon", "move.stack_limit=5", "cube.max=64"),
    "text-004": ("stake.point=5 Kč", "cube.auto_doubles=2", "resign.levels=1,2"),
    "text-000": ("session.kind=money", "cube.enabled=true"),
    "money": ("cube.jacoby=false", "cube.beavers=2", "cube.raccoon=true"),
}
CHANGES = (
    "cube.max=32",
    "start.first=agreed",
    "start.opening_dice=fresh",
    "move.larger_die=false",
    "illegal.policy=condone",
    "session.kind=money",
    "session.kind=match",
    "scoring.zones.bar=5",
    "stake.point=0.50 €",
    "resign.levels=[1]",
    "dice.landing=board",
)
ENDINGS = (".mat", ".txt", ".sst", ".sgf", ".csv", ".json", ".en.txt", ".cs.txt", ".sk.txt")


def a_game(preset: str) -> Record:
    """One that was begun, given up and kept by that rule set with single rules over it."""
    rules = parse_ruleset(preset, SAID[preset])
    hand = Hand(agreed_length(rules, None), rules)
    side = "light" if rules.start.first == "agreed" else None
    hand.say("draw", light=3, dark=1)
    if hand.state.dice is None:
        hand.say("roll", dice=[3, 1], **({"side": side} if side else {}))
    legal = {"text-002": "24/23 22/19"}.get(preset, "8/5 6/5")
    hand.say("play", notation=legal)
    hand.say("resign", side=str(hand.state.turn.value if hand.state.turn else "dark"), level=1)
    return record_of(hand.said, "a.json")


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("preset", SAID)
def test_they_are_read_back_from_every_format(preset: str, ending: str, tmp_path: Path) -> None:
    record = a_game(preset)
    path = tmp_path / f"match{ending}"
    write_record(record, path)
    again = read_record(path)
    assert again.rules == f"{preset} with changes"
    assert {**again.rule_keys, "resign.levels": 0} == {**record.rule_keys, "resign.levels": 0}
    assert list(again.rule_keys["resign.levels"]) == list(record.rule_keys["resign.levels"])
    assert check(again).problems == check(record).problems == ("game 2 is not finished.",)[: len(record.games) - 1]


@given(st.data())
def test_the_line_makes_the_same_rules_again(data: st.DataObject) -> None:
    preset = data.draw(st.sampled_from(list(PRESETS)))
    changes = data.draw(st.lists(st.sampled_from(CHANGES), unique_by=lambda text: text.split("=")[0]))
    try:
        rules = parse_ruleset(preset, changes)
    except RuleSetError:
        return
    words = "; ".join(keys_over_preset(rules))
    assert rule_keys_in(rules.name, words) == (ruleset_keys(rules) if words else {})


def test_rules_that_nobody_knows_are_named_and_do_no_harm() -> None:
    header = '; [Rules "text-002"]\n; [RuleKeys "cube.wings=4"]\n'
    record = parse_record(f"{header} 1 point match\n\n Game 1\n A : 0  B : 0\n  1) 31: 8/5 6/5\n".encode())
    assert record.problems[0].startswith("line 2: its single rules are not known: There is no rule cube.wings")
    assert len(record.games[0].actions) == 1


def test_a_newer_versions_rules_stand_as_they_were() -> None:
    record = msgspec.structs.replace(a_game("money"), rule_keys={"cube.wings": 4})
    assert rule_words(record) == "cube.wings=4"


class TestWhatAFormatHasNoPlaceFor:
    def hand(self) -> Record:
        hand = Hand(0, PRESETS["text-004"])
        hand.say("draw", light=1, dark=3)
        hand.say("roll", dice=[3, 1])
        hand.say("play", notation="8/5 6/5")
        hand.say("mark", turn=1, mark="!")
        hand.say("resign-offer", side="dark", level=1)
        hand.say("resign-refuse")
        hand.say("resign", side="dark", level=1)
        return record_of(hand.said)

    @pytest.mark.parametrize(
        ("name", "sentence"),
        [
            ("a.mat", ".mat has no place for marks such as ??, refused resignations and the draws for the start"),
            ("a.SGF", ""),
            ("a.cs.txt", ""),
            ("a.csv", ".csv has no place for the draws for the start"),
            ("a.json", ""),
        ],
    )  # fmt: skip
    def test_is_said_in_one_sentence(self, name: str, sentence: str) -> None:
        assert left_out(self.hand(), name) == (f"{sentence}: .json keeps everything." if sentence else "")

    def test_convert_says_it(self, tmp_path: Path) -> None:
        source, target = tmp_path / "a.json", tmp_path / "a.csv"
        write_record(self.hand(), source)
        done = CliRunner().invoke(main, ["convert", str(source), str(target)])
        assert (done.exit_code, target.exists()) == (0, True)
        assert ".csv has no place for the draws for the start" in done.stderr

    @pytest.mark.parametrize(
        ("text", "ending", "what"),
        [
            ("(;GM[6]MI[length:1]PW[A]PB[B];W[31hefe]C[nice];B[64aggk])", ".mat", "remarks on plays"),
            ("(;GM[6]MI[length:1]PW[A]PB[B];W[31hefe]C[nice];B[64aggk])", ".cs.txt", "remarks on plays"),
            ("(;GM[6]MI[length:1]PW[A]PB[B];W[31hefe]C[nice];B[64aggk])", ".csv", ""),
            ("(;GM[6]MI[length:1]PW[A]PB[B]C[a good game];W[31hefe];B[64aggk])", ".sst", "remarks on games"),
            ("(;GM[6]MI[length:1]PW[A]PB[B]C[a good game];W[31hefe];B[64aggk])", ".csv", "remarks on games"),
            ("(;GM[6]MI[length:1]PW[A]PB[B]C[a good game];W[31hefe];B[64aggk])", ".sgf", ""),
            ("(;GM[6]MI[length:1]PW[A]PB[B];W[31hefe])", ".csv", "the name of a player without an action"),
            ("(;GM[6]MI[length:1]PW[A]PB[B]WR[1700];W[31hefe];B[64aggk])", ".csv", "ratings"),
            ("(;GM[6]MI[length:0]PW[A]PB[B]RU[Jacoby];W[31hefe];B[64aggk])", ".csv", "rules such as Jacoby's and Crawford's"),
            ("(;GM[6]MI[length:0]PW[A]PB[B];W[31hefe];B[64aggk])(;GM[6]MI[length:0])", ".csv", "games without an action"),
            (transcript("31: 8/5 6/5 | 64: 24/14", "52: 24/19 13/11 |"), ".sgf", "moves that can't be made"),
            (transcript("31: 8/5 6/5 | 64: 24/14", "52: 13/7 |"), ".sgf", ""),
            (transcript("31: 8/5 6/5 | 64: 24/14", "52: ???? | Resigns Gammon", "Wins 3 points |"), ".sgf", "points announced"),
            (transcript("31: 8/5 6/5 | 64: 24/14", "52: ???? | Resigns Gammon", "Wins 3 points |"), ".mat", "points of a res"),
            (transcript("31: 8/5 6/5 | 64: 24/14", "52: ???? | Resigns Gammon", "Wins 3 points |"), ".sk.txt", ""),
            (transcript("31: 8/5 6/5 | 64: 24/14", "Doubles => 4 | Takes"), ".sgf", "not twice as much"),
            (transcript("31: 8/5 6/5 | 64: 24/14", "Doubles => 2 | Beavers => 4", length=0), ".sgf", ""),
            (b'; [EventTime "18.30"]\n' + transcript("31: 8/5 6/5 | 64: 24/14"), ".sgf", "header lines such as"),
            (b'; [Player 1 "Jan"]\n; [Event "Open"]\n' + transcript("31: 8/5 6/5 | 64: 24/14"), ".sgf", ""),
            (b'; [Player 1 "Jan Novak"]\n' + transcript("31: 8/5 6/5 | 64: 24/14"), ".sgf", "header lines such as"),
            (b'; [CubeLimit "64"]\n' + transcript("31: 8/5 6/5 | 64: 24/14"), ".sgf", "the limit of the cube"),
        ],
    )  # fmt: skip
    def test_what_other_programs_wrote_is_said_too(self, text: str | bytes, ending: str, what: str) -> None:
        said = left_out(parse_record(text.encode() if isinstance(text, str) else text), f"a{ending}")
        assert (what in said) if what else said == ""

    def test_colours_that_were_changed_are_said(self) -> None:
        record = self.hand()
        record = msgspec.structs.replace(record, games=(msgspec.structs.replace(record.games[0], light=1),))
        for ending in set(ENDINGS) - {".json"}:
            assert "who has the light checkers" in left_out(record, f"a{ending}")
        assert left_out(record, "a.json") == ""


@pytest.mark.parametrize("beavers", [True, False, None])
@pytest.mark.parametrize("ending", [".sgf", ".mat"])
def test_whether_beavers_are_allowed_is_kept(ending: str, beavers: bool | None, tmp_path: Path) -> None:
    record = parse_record(transcript("31: 8/5 6/5 | 64: 24/14", "Doubles => 2 | Beavers => 4", "Takes |", length=0))
    write_record(msgspec.structs.replace(record, beavers=beavers), tmp_path / f"a{ending}")
    again = read_record(tmp_path / f"a{ending}")
    assert again.beavers == beavers
    assert any("beavers, which" in problem for problem in check(again).problems) == (beavers is False)


def test_real_names_beside_nicks_are_kept_in_a_transcript() -> None:
    header = b'; [Player 1 "Jan Novak"]\n; [Player 2 "Eva Dvorakova"]\n; [Player 1 Elo "1700.00/10"]\n'
    record = parse_record(header + transcript("31: 8/5 6/5 | 64: 24/14"))
    again = parse_record(write_mat(record))
    assert [player.name for player in again.players] == ["Jan", "Eva"]
    assert (again.tags, again.players) == (record.tags, record.players)
    swapped = parse_record(b'; [Player 1 "Eva"]\n; [Player 2 "Jan"]\n' + transcript("31: 8/5 6/5 | 64: 24/14"))
    assert b'[Player 1 "Jan"]' in write_mat(swapped)
