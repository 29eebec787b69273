"""Legal plays against answers that GNU Backgammon and three other engines agree on."""

from __future__ import annotations

import ast
import gzip
import json
import re
from typing import Any

import pytest

from controller.rules import ALL_ROLLS, Position, Side, judge, legal_plays, parse_play, position_from_id, position_id
from tests.shared import shared

OPENINGS = [roll for roll in ALL_ROLLS if roll[0] != roll[1]]


def cases() -> list[dict[str, Any]]:
    with gzip.open(shared("oracle/plays_dev.jsonl.gz"), "rt") as lines:
        return [json.loads(line) for line in lines]


@pytest.mark.parametrize("mover", Side)
def test_every_case_has_exactly_the_right_plays(mover: Side) -> None:
    wrong = []
    for case in cases():
        position = position_from_id(case["pid"], mover)
        plays = legal_plays(position, mover, tuple(case["dice"]))
        results = sorted(position_id(play.result, mover) for play in plays)
        if results != sorted(case["res"]) or len(plays[0].moves) != case["ndice"]:
            wrong.append(case["id"])
    assert wrong == []


def test_every_result_is_judged_legal_and_every_bad_one_illegal() -> None:
    wrong = []
    for case in cases()[::5]:
        position = position_from_id(case["pid"], Side.DARK)
        dice = tuple(case["dice"])
        good = [judge(position, Side.DARK, dice, position_from_id(pid, Side.DARK)) for pid in case["res"]]
        bad = [judge(position, Side.DARK, dice, position_from_id(pid, Side.DARK)) for pid, _ in case["bad"][:3]]
        if not all(v.legal for v in good) or any(v.legal or v.reasons[0].code not in ("R06", "R07") for v in bad):
            wrong.append(case["id"])
    assert wrong == []


def test_gnu_backgammons_notation_is_read() -> None:
    for case in cases()[::10]:
        position = position_from_id(case["pid"], Side.LIGHT)
        for pid, text in zip(case["res"], case["mv"], strict=True):
            play = parse_play(text, position, Side.LIGHT, tuple(case["dice"]))
            assert position_id(play.result, Side.LIGHT) == pid


def test_a_last_checker_may_go_off_directly_or_by_hitting_first() -> None:
    # Dark's blot on light's point 1; light's last checker on 4, roll 6-3: 4/1*/off uses both dice, 4/off only one.
    position = position_from_id("ADEABAEAAAAAAA", Side.LIGHT)
    off_at_once = Position(light=(0,) * 25, dark=position.dark)
    assert off_at_once not in [play.result for play in legal_plays(position, Side.LIGHT, (6, 3))]
    assert judge(position, Side.LIGHT, (6, 3), off_at_once).legal


def test_johansens_counts() -> None:
    for pid, dice, count in json.loads(shared("oracle/johansen_counts.json").read_text()):
        plays = legal_plays(position_from_id(pid, Side.LIGHT), Side.LIGHT, tuple(dice))
        assert len([play for play in plays if play.moves]) == count, (pid, dice)


@pytest.mark.parametrize("variant", ["standard", "nackgammon", "hypergammon"])
def test_perft(variant: str) -> None:
    golden = json.loads(shared("oracle/perft.json").read_text())[variant]
    start = Position.start(variant)
    assert position_id(start, Side.LIGHT) == golden["pid"]
    for roll, count in golden["per_roll"].items():
        assert len(legal_plays(start, Side.LIGHT, (int(roll[0]), int(roll[1])))) == count, roll
    for first, wanted in ((ALL_ROLLS, golden["all21"]), (OPENINGS, golden["opening15_first"])):
        assert perft(start, first) == [(depth["leaves"], depth["distinct"]) for depth in wanted[:2]]


def perft(start: Position, first: Any) -> list[tuple[int, int]]:
    """(leaves, distinct positions) at depths 1 and 2."""
    ones = [play.result for dice in first for play in legal_plays(start, Side.LIGHT, dice)]
    twos = 0
    distinct = set()
    for position in ones:
        for dice in ALL_ROLLS:
            results = [play.result for play in legal_plays(position, Side.DARK, dice)]
            twos += len(results)
            distinct.update(results)
    return [(len(ones), len(set(ones))), (twos, len(distinct))]


def test_named_edge_cases() -> None:
    lines = shared("oracle/edge_cases.txt").read_text(encoding="utf-8").splitlines()
    shape = re.compile(r"(\d+) .* (\S{14}) \((\d), (\d)\) ndice (\d) n (\d+) (\[.*?\]) \|")
    for line in lines:
        found = shape.match(line)
        assert found, line
        number, pid, high, low, used, count, texts = found.groups()
        position = position_from_id(pid, Side.LIGHT)
        plays = legal_plays(position, Side.LIGHT, (int(high), int(low)))
        assert len(plays[0].moves) == int(used), line
        assert len([play for play in plays if play.moves]) == int(count), line
        results = {play.result for play in plays}
        for text in ast.literal_eval(texts):
            assert parse_play(text, position, Side.LIGHT, (int(high), int(low))).result in results, (number, text)
    assert len(lines) == 24
