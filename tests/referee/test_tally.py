"""What is counted as a false alarm where simulated games are refereed."""

from __future__ import annotations

import pytest

from benchmarks.referee_tally import compare
from controller.referee.events import Flagged
from controller.rules import Side
from controller.rules.reasons import Code


@pytest.mark.parametrize(
    ("code", "false"),
    [(code, code not in ("R19", "R20", "R22", "R23", "R24", "R44")) for code in Code],
)
def test_whoever_is_blamed_for_nothing_is_blamed_falsely(code: Code, false: bool) -> None:
    flagged = Flagged(number=1, code=code, side=Side.LIGHT, text="", seconds=9.0)
    assert compare((), (flagged,)).figures["false"] == (code.value if false else "")
