"""docs/rules.md says what the rules do: every key, every row of the texts with its test, every reason."""

from __future__ import annotations

import re
from pathlib import Path

from controller.rules import MATCH, PRESETS, reason_codes, ruleset_keys
from tests.referee.test_every_key import PROBES
from tests.referee.test_rows_at_the_table import ENDS, OFFERS, TURNS
from tests.shared import shared

HERE = Path(__file__).parent
PAGE = (HERE.parents[1] / "docs" / "rules.md").read_text(encoding="utf-8")
TESTS = "\n".join(path.read_text(encoding="utf-8") for path in sorted(HERE.glob("test_rows_*.py")))
ROWS = dict(re.findall(r"^\| (\d+\.\d+) \| .+ \| (`test_.+`) \|$", PAGE, re.MULTILINE))


def test_every_row_of_the_texts_has_a_key_and_a_test_that_names_it() -> None:
    source = shared("rules/rules_by_text.md").read_text(encoding="utf-8")
    assert list(ROWS) == re.findall(r"^\| (\d+\.\d+) \|", source, re.MULTILINE)


def test_every_test_that_the_page_names_exists_and_carries_its_row() -> None:
    for row, names in ROWS.items():
        tests = re.findall(r"`(test_\w+)`", names)
        assert tests
        assert all(f"def {name}(" in TESTS for name in tests), row
        number = row.replace(".", "_")
        assert re.search(rf"rows?_{number}\D|_(?:and|to)_{number}\D", TESTS), row


CELL = re.compile(r"`(test_\w+)(?:\[([\w.-]+)\])?`")
SCENES = {
    **dict.fromkeys(("test_seen", "test_told", "test_recorded", "test_checked"), TURNS),
    **dict.fromkeys(("test_end_seen", "test_end_told", "test_end_recorded", "test_end_checked"), ENDS),
    **dict.fromkeys(("test_cube_told", "test_cube_recorded", "test_cube_checked"), OFFERS),
    "test_another_value_changes_what_the_match_comes_to": PROBES,
}


def test_every_cell_of_a_row_names_one_test_that_is_there_or_why_there_is_none() -> None:
    every = "\n".join(path.read_text(encoding="utf-8") for path in HERE.parent.rglob("test_*.py"))
    defined = set(re.findall(r"def (test_\w+)\(", every))
    lines = {row: line for row in ROWS if (line := re.search(rf"^\| {re.escape(row)} \|.*$", PAGE, re.MULTILINE))}
    assert len(lines) == len(ROWS)
    for row, line in lines.items():
        cells = [cell.strip() for cell in line[0].strip("|").split(" | ")][2:]
        assert len(cells) == 5, row
        for cell in cells:
            if cell.startswith("n/a: "):
                continue
            found = CELL.fullmatch(cell)
            assert found, (row, cell)
            name, case = found.groups()
            assert name in defined, (row, name)
            assert case is None or case in SCENES[name], (row, cell)
            if name in SCENES and name != "test_another_value_changes_what_the_match_comes_to":
                assert case, (row, cell)


def test_every_contradiction_has_a_test() -> None:
    named = re.findall(r"^\| (\d+) \| `(test_contradiction_\1_\w+)` \|$", PAGE, re.MULTILINE)
    assert [int(number) for number, _ in named] == list(range(1, 15))
    assert all(f"def {name}(" in TESTS for _, name in named)


def test_every_key_preset_and_reason_is_on_the_page() -> None:
    for key, value in ruleset_keys(MATCH).items():
        shown = f'"{value}"' if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else None
        line = re.search(rf"^\| `{re.escape(key)}` \|.*$", PAGE, re.MULTILINE)
        assert line, key
        assert shown is None or f"| `{shown}` |" in line[0], key
    assert all(f"| `{name}` |" in PAGE for name in PRESETS)
    assert all(f"| {code} |" in PAGE for code in reason_codes())
