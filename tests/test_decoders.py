"""Whatever several threads read is read by decoders that were made when their module was loaded."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
THREADED = sorted(path for room in ("web", "controller/hub", "controller/run") for path in (ROOT / room).rglob("*.py"))


@pytest.mark.parametrize("path", THREADED, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_type_is_met_for_the_first_time_by_two_threads_at_once(path: Path) -> None:
    # msgspec crashes then (a segmentation fault of two boards in one process that heard their hub's first answer).
    assert not re.search(r"json\.decode\([^\n]*type=(?!dict)", path.read_text("utf-8"))
