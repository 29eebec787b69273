"""The program comes back in the middle of a match: the clock stands and says so, and time goes on from the last event."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from controller.app.match_journal import matches_in, unfinished
from controller.app.referee import CLOCK_STANDS, Outlets, Referee
from controller.app.table import Table
from controller.config import PanelConfig, WebConfig
from controller.panel.virtual import VirtualPanel
from controller.record.journal import Journal
from controller.referee.commands import HitClock, PlayTurn, Roll, SetPosition
from controller.referee.events import ClockSet, Played
from controller.referee.folding import fold
from controller.referee.session import MatchPlan
from controller.rules import MATCH, Position, Side
from controller.rules.ids import position_id
from controller.run.loop import Source, run
from controller.run.settings import RunSettings
from tests.programs import free_port
from tests.referee.table import after_moves
from tests.tracking.eyes import Eyes, thrown
from vision.frame import Frame
from vision.observation import Observation
from vision.watching.watcher import Watcher
from web.hub import ViewHub

PLAN = MatchPlan(MATCH, 5, clock=True)
RESERVE = 5 * 2 * 60.0


class Watched:
    """A camera before which the board is seen to stand so, look by look. Throws the switch when all of it was looked at."""

    name, live, total = "The camera", True, None

    def __init__(self, looks: list[Observation], stop: threading.Event, patch: pytest.MonkeyPatch) -> None:
        self._looks, self._stop, self._looked = looks, stop, threading.Semaphore(0)
        patch.setattr(Watcher, "look", lambda _, frame: self._seen(frame))

    def frames(self) -> Iterator[Frame]:
        for number, look in enumerate(self._looks):
            yield Frame(np.full((240, 320, 3), 60, np.uint8), look.seconds, str(number))
            self._looked.acquire(timeout=20)
        self._stop.set()

    def _seen(self, frame: Frame) -> Observation:
        self._looked.release()
        return replace(self._looks[int(frame.name)], seconds=frame.seconds)

    def close(self) -> None: ...


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


@pytest.mark.parametrize(
    ("stood", "seen", "lies", "moves", "written"),
    [
        pytest.param(Position.of({1: 1, 3: 1}, {6: 2}), thrown(Side.LIGHT, 6, 5), True, ((1, 0), (3, 0)), True, id="won"),
        pytest.param(Position.of({1: 1, 21: 1}, {6: 2}), thrown(Side.LIGHT, 6, 5), True, ((21, 15), (15, 10)), False, id="open"),
        pytest.param(Position.start(), thrown(Side.LIGHT, 6), False, ((24, 18), (18, 13)), True, id="in doubt"),
    ],
)  # fmt: skip
def test_what_waits_to_be_written_is_written_when_the_program_is_stopped(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    stood: Position,
    seen: list[tuple[int, Side]],
    lies: bool,
    moves: tuple[tuple[int, int], ...],
    written: bool,
) -> None:
    """The last checkers are off, and their dice lie there; a play over whose dice somebody may think still; a first turn of whose
    dice one was seen."""
    after = after_moves(stood, Side.LIGHT, (6, 5), *moves)
    eyes, stop, file = Eyes(), threading.Event(), tmp_path / "journal.sqlite3"
    looks = [eyes.look(stood), eyes.look(stood, seen), eyes.look(after, seen if lies else ())]
    table = Table(PLAN, None, "bottom-right")
    with Journal(file) as journal:
        referee = Referee(table, journal, Outlets(ViewHub(), VirtualPanel()))
        if stood != referee.state.start:
            referee.obey(SetPosition(position=position_id(stood, Side.LIGHT), turn=Side.LIGHT))
    settings = RunSettings(file, WebConfig(port=free_port()), PanelConfig(kind="virtual"), stop, lambda said: None)
    run(table, Source(lambda: Watched(looks, stop, monkeypatch), key_frames=True), settings)
    with Journal(file) as journal:
        state = fold(unfinished(journal).held)
    plays = [(line.dice, line.after, line.sure < 0.95) for line in state.turns if isinstance(line, Played)]
    assert plays == ([((6, 5), position_id(after, Side.LIGHT), True)] if written else [])
    assert (state.score.light > 0) == (after.off(Side.LIGHT) == 15)


def test_a_machine_that_was_switched_off_goes_on_from_the_last_second(tmp_path: Path) -> None:
    killed_at(tmp_path / "journal.sqlite3", 0.0)
    stop = threading.Event()
    run_settings = RunSettings(
        tmp_path / "journal.sqlite3", WebConfig(port=free_port()), PanelConfig(kind="virtual"), stop, lambda said: None
    )
    referee = run(Table(PLAN, None, "bottom-right"), Source(lambda: Rebooted(stop)), run_settings)
    assert 50.0 <= referee.seconds < 55.0
