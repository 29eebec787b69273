"""The program comes back in the middle of a match: the clock stands and says so, and time goes on from the last event."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from controller.app.match_journal import matches_in
from controller.app.referee import CLOCK_STANDS, Outlets, Referee
from controller.app.table import Table
from controller.config import PanelConfig, WebConfig
from controller.panel.virtual import VirtualPanel
from controller.record.journal import Journal
from controller.referee.commands import HitClock, PlayTurn, Roll
from controller.referee.events import ClockSet
from controller.referee.session import MatchPlan
from controller.rules import MATCH, Side
from controller.run.loop import Source, run
from controller.run.settings import RunSettings
from tests.programs import free_port
from vision.frame import Frame
from web.hub import ViewHub

PLAN = MatchPlan(MATCH, 5, clock=True)
RESERVE = 5 * 2 * 60.0


class Rebooted:
    """A camera of a machine that counts its seconds anew. Throws the switch after some frames."""

    name, live, total = "The camera", True, None

    def __init__(self, stop: threading.Event) -> None:
        self._stop = stop

    def frames(self) -> Iterator[Frame]:
        for number in range(6):
            yield Frame(np.full((240, 320, 3), 60, np.uint8), 20.0 + number / 10)
            self._stop.wait(0.1)
        self._stop.set()

    def close(self) -> None: ...


def killed_at(path: Path, seconds: float) -> None:
    """A match by hand whose program is gone so many seconds after the first play, with dark's clock running."""
    with Journal(path) as journal:
        referee = Referee(Table(PLAN, None, "bottom-right"), journal, Outlets(ViewHub(), VirtualPanel()))
        referee.obey(Roll(dice=(3, 1), side=Side.LIGHT))
        referee.idle(50.0)
        referee.obey(PlayTurn(notation="8/5 6/5"))
        referee.idle(seconds)


def test_the_clock_stands_where_the_last_event_left_it_until_somebody_starts_it(tmp_path: Path) -> None:
    killed_at(tmp_path / "journal.sqlite3", 300.0)
    told: list[str] = []
    with Journal(tmp_path / "journal.sqlite3") as journal:
        referee = Referee(Table(PLAN, None, "bottom-right"), journal, Outlets(ViewHub(), VirtualPanel(), told.append))
        assert CLOCK_STANDS in told
        assert "   clock  stands still" in told
        ((_, events),) = matches_in(journal)
        assert events[-1] == ClockSet(running=None, seconds=50.0)
        clock = referee.state.clock
        assert clock is not None
        assert (clock.running, clock.since) == (Side.DARK, None)
        referee.idle(400.0)
        assert referee.state.clock == clock
        assert clock.left(Side.LIGHT, 1e6) == pytest.approx(RESERVE - 50 + clock.delay)
        assert clock.left(Side.DARK, 1e6) == RESERVE
        referee.obey(HitClock(side=Side.LIGHT))
        started = referee.state.clock
        assert started is not None
        assert (started.running, started.since) == (Side.DARK, 450.0)
        referee.idle(clock.delay + 7.0)
        assert started.left(Side.DARK, referee.seconds) == pytest.approx(RESERVE - 7)


def test_without_a_running_clock_nothing_is_said_of_it(tmp_path: Path) -> None:
    told: list[str] = []
    with Journal(tmp_path / "journal.sqlite3") as journal:
        table = Table(MatchPlan(MATCH, 5), None, "bottom-right")
        Referee(table, journal, Outlets(ViewHub(), VirtualPanel())).obey(Roll(dice=(3, 1), side=Side.LIGHT))
        Referee(table, journal, Outlets(ViewHub(), VirtualPanel(), told.append))
    assert CLOCK_STANDS not in told


def test_a_machine_that_was_switched_off_goes_on_from_the_last_second(tmp_path: Path) -> None:
    killed_at(tmp_path / "journal.sqlite3", 0.0)
    stop = threading.Event()
    run_settings = RunSettings(
        tmp_path / "journal.sqlite3", WebConfig(port=free_port()), PanelConfig(kind="virtual"), stop, lambda said: None
    )
    referee = run(Table(PLAN, None, "bottom-right"), Source(lambda: Rebooted(stop)), run_settings)
    assert 50.0 <= referee.seconds < 55.0
