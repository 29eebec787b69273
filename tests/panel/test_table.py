"""A referee whose lamps and buttons are the firmware behind a noisy line: presses become events once, events become lamps."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from controller.app.referee import Outlets, Referee
from controller.app.table import Table
from controller.panel.adapter import Button
from controller.panel.adjusted import AdjustedPanel
from controller.panel.emulated import EmulatedController, Faults
from controller.panel.messages import LAMP_NAMES
from controller.panel.serial_panel import open_serial
from controller.record.journal import Journal
from controller.referee.commands import PlayTurn, Roll
from controller.referee.session import MatchPlan
from controller.rules import MATCH, Side
from web.hub import ViewHub

CORNERS = np.array([[10, 10], [600, 10], [600, 400], [10, 400]], np.float32)
PATIENCE_S = 10.0


class Bench:
    """The referee of a match that is kept by hand, and the controller on its table."""

    def __init__(self, folder: Path) -> None:
        self.controller = EmulatedController(pty_link=str(folder / "pico"), seed=3)
        self.panel = AdjustedPanel(open_serial(str(folder / "pico")), 128, sound=True)
        self.journal = Journal(folder / "games.sqlite3")
        table = Table(MatchPlan(MATCH, 3), CORNERS, "bottom-right")
        self.referee = Referee(table, self.journal, Outlets(ViewHub(), self.panel))
        self.controller.faults = Faults(drop=0.002, flip=0.002, garbage=0.002)

    def kinds(self) -> list[str]:
        return [event.kind for event in self.journal.events()]

    def press(self, button: Button) -> None:
        """Presses, and lets the referee's loop run until it has heard and a moment longer."""
        before, end = len(self.kinds()), time.monotonic() + PATIENCE_S
        self.controller.press(button)
        while len(self.kinds()) == before:
            assert time.monotonic() < end, self.panel.status()
            self.referee.take_presses()
            time.sleep(0.01)
        for _ in range(30):
            self.referee.take_presses()
            time.sleep(0.01)

    def lit(self, *lamps: str) -> None:
        """Waits until exactly these lamps of the strip are lit or blinking, no animation left."""
        end = time.monotonic() + PATIENCE_S
        while (shown := self._shown()) != set(lamps):
            assert time.monotonic() < end, shown
            time.sleep(0.02)

    def _shown(self) -> set[str]:
        return {name for name, code in zip(LAMP_NAMES, self.controller.codes(), strict=True) if code}

    def close(self) -> None:
        self.panel.close()
        self.controller.close()
        self.journal.close()


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path)
    yield made
    made.close()


def test_a_double_is_offered_taken_and_taken_back_by_buttons(bench: Bench) -> None:
    referee = bench.referee
    referee.obey(Roll(dice=(3, 1), side=Side.LIGHT))
    referee.obey(PlayTurn(notation="8/5 6/5"))
    bench.lit("turn dark")
    before = bench.kinds()
    bench.press(Button.CUBE)
    assert bench.kinds()[len(before) :] == ["double"]
    bench.lit("turn dark", "cube 2")
    bench.press(Button.CUBE)
    assert bench.kinds()[len(before) :] == ["double", "take"]
    assert (referee.state.cube, referee.state.owner) == (2, Side.LIGHT)
    bench.press(Button.UNDO)
    assert (referee.state.cube, referee.state.owner) == (1, None)
