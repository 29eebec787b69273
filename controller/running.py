"""Starts everything that runs at a table, keeps it going, and takes it down again: camera, page, lamps, journal."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from controller.app import Referee, Table
from controller.config import MqttConfig, PanelConfig, WebConfig
from controller.panel.adapter import Panel
from controller.panel.choose import open_panel
from controller.record.journal import Journal
from controller.watchdog import PARTS, Part, Watchdog, watchdog_for
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
    mqtt: MqttConfig | None = None


class BroadcastError(RuntimeError):
    """The state can't be told to a broker as asked; the sentence says what to install."""


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
        if outside.mqtt is not None and outside.mqtt.host is not None:
            stack.enter_context(_broadcaster(outside.mqtt, hub, outside.tell))
        referee = Referee(table, journal, hub, panel, outside.tell, key_frames)
        dog = stack.enter_context(watchdog_for(_shown(outside.web.host), server.port))
        troubles: deque[str] = deque()
        if retry:
            told = troubles.append if live else referee.ended
            # A recording's end is waited for in the referee's own thread.
            parts: tuple[Part, ...] = ("camera",) if live else PARTS
            frames = dog.watched(retrying(source, dog.waiting(outside.stop.wait, parts), told))
        else:
            frames = dog.watched(source().frames())
        if live:
            _take_newest(referee, frames, outside.stop, troubles, dog)
        else:
            _take_every(referee, frames, outside.stop, dog)
        if not retry and not outside.stop.is_set():
            referee.ended("The match on the board is over. The page stays until you press Ctrl-C.")
            while not dog.waiting(outside.stop.wait, PARTS)(FRAME_WAIT):
                pass
        return referee


def _take_every(referee: Referee, frames: Iterator[Frame], stop: threading.Event, dog: Watchdog) -> None:
    """A recording that is refereed again goes on where the journal stopped, as a camera's game does."""
    known = referee.state.seconds
    for frame in frames:
        dog.beat("referee")
        if frame.seconds >= known:
            referee.take(frame)
        if stop.is_set():
            return


def _take_newest(
    referee: Referee, frames: Iterator[Frame], stop: threading.Event, troubles: deque[str], dog: Watchdog
) -> None:
    with LatestFrame(frames) as newest:
        while not stop.is_set() and not newest.ended:
            frame = newest.take(FRAME_WAIT)
            dog.beat("referee")
            while troubles:
                referee.trouble(troubles.popleft())
            if frame is not None:
                referee.take(frame)


def _broadcaster(config: MqttConfig, hub: ViewHub, tell: Tell) -> AbstractContextManager[object]:
    try:
        from controller.mqtt import Broadcaster
    except ModuleNotFoundError as error:
        raise BroadcastError(
            "The settings name an MQTT broker, but its library is not here: pip install 'vrhcab[mqtt]'."
        ) from error
    return Broadcaster(config, hub, tell, version("vrhcab"))


def _panel(outside: Outside) -> Panel:
    config = outside.panel
    if config.kind == "none":
        return open_panel("virtual")
    return open_panel(
        config.kind,
        port=config.port or "auto",
        pins=config.pins,
        cube=config.cube,
        pin_factory=config.pin_factory,
        log=outside.tell,
    )


def _shown(host: str) -> str:
    return "127.0.0.1" if host in ("0.0.0.0", "") else host
