"""Starts everything that runs at a table, keeps it going, and takes it down again: camera, page, lamps, journal."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from controller.app import Referee, Table
from controller.config import PanelConfig, WebConfig
from controller.panel.adapter import Panel
from controller.panel.choose import open_panel
from controller.record.journal import Journal
from vision.frame import Frame
from vision.sources import FrameSource, LatestFrame, retrying
from web.app import create_app
from web.hub import ViewHub
from web.server import serve

FRAME_WAIT = 0.5
"""Seconds between two looks at the stop switch while no frame comes."""

Tell = Callable[[str], None]


@dataclass(frozen=True)
class Outside:
    """What the referee touches: where it writes, where it shows, and what switches it off."""

    journal: Path
    web: WebConfig
    panel: PanelConfig
    stop: threading.Event
    tell: Tell


def run(
    table: Table,
    source: Callable[[], FrameSource],
    outside: Outside,
    live: bool = True,
    key_frames: bool = False,
    retry: bool = True,
) -> Referee:
    """Referees what the source shows until the switch is thrown, or, without retry, until the source ends.

    live: frames come as time passes, and only the newest counts; else each is looked at. key_frames: see Referee.
    The page stays while this runs. Raises JournalError, WebError or PanelError where something can't be set up.
    """
    with ExitStack() as stack:
        journal = Journal(outside.journal)
        stack.callback(journal.close)
        hub = ViewHub()
        server = stack.enter_context(serve(create_app(hub), outside.web.host, outside.web.port))
        panel = _panel(outside)
        stack.callback(panel.close)
        outside.tell(f"The page: http://{_shown(outside.web.host)}:{server.port}")
        referee = Referee(table, journal, hub, panel, outside.tell, key_frames)
        if retry and live:
            troubles: deque[str] = deque()
            _take_newest(referee, retrying(source, outside.stop.wait, troubles.append), outside.stop, troubles)
        elif retry:
            _take_every(referee, retrying(source, outside.stop.wait, referee.ended), outside.stop)
        elif live:
            _take_newest(referee, source().frames(), outside.stop, deque())
        else:
            _take_every(referee, source().frames(), outside.stop)
        if not retry and not outside.stop.is_set():
            referee.ended("The match on the board is over. The page stays until you press Ctrl-C.")
            while not outside.stop.wait(FRAME_WAIT):
                pass
        return referee


def _take_every(referee: Referee, frames: Iterator[Frame], stop: threading.Event) -> None:
    """A recording that is refereed again goes on where the journal stopped, as a camera's game does."""
    known = referee.state.seconds
    for frame in frames:
        if frame.seconds >= known:
            referee.take(frame)
        if stop.is_set():
            return


def _take_newest(referee: Referee, frames: Iterator[Frame], stop: threading.Event, troubles: deque[str]) -> None:
    with LatestFrame(frames) as newest:
        while not stop.is_set() and not newest.ended:
            frame = newest.take(FRAME_WAIT)
            while troubles:
                referee.trouble(troubles.popleft())
            if frame is not None:
                referee.take(frame)


def _panel(outside: Outside) -> Panel:
    config = outside.panel
    if config.kind == "none":
        return open_panel("virtual")
    return open_panel(config.kind, port=config.port or "auto", pins=config.pins, log=outside.tell)


def _shown(host: str) -> str:
    return "127.0.0.1" if host in ("0.0.0.0", "") else host
