"""docs/rules.md says what the rules do: every key, every row of the texts with its test, every reason."""

from __future__ import annotations

import re
from pathlib import Path

from controller.rules import MATCH, PRESETS, reason_codes, ruleset_keys
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
