"""`vrhcab hub`: starts everything that a hub is, keeps it going and takes it down again."""

from __future__ import annotations

import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass

from controller.hub.alerts import Caller, Channel, Ntfy
from controller.hub.archivist import Archivist
from controller.hub.archivist_process import ArchivistProcess
from controller.hub.broker import BrokerLine
from controller.hub.errors import HubError
from controller.hub.feed import Feed
from controller.hub.intake import Intake
from controller.hub.pages import create_hub_app
from controller.hub.passes import DeskPasses
from controller.hub.people import Known
from controller.hub.push import Pusher
from controller.hub.settings import HubSettings
from controller.hub.shown import BoardViews
from controller.hub.store import Store
from controller.hub.tournament.seating import Seating
from controller.hub.wall import Wall
from controller.run.own_address import EVERYWHERE
from controller.run.settings import Tell, tls_of
from web.limits import limits_here
from web.server import serve

FILES = 4096
"""Open at once: each viewer is one. Nothing in a hub waits with select() (controller/run/broker_client.py)."""

SWITCH_S = 0.001
"""Seconds that a thread of the hub may compute while another waits; Python's own 5 ms add up for whoever reads small messages."""


@dataclass(frozen=True)
class RunningHub:
    """port: of its pages; address: of the wall."""

    port: int
    address: str
    wall: Wall


@contextmanager
def running_hub(
    settings: HubSettings,
    tell: Tell,
    fault: Callable[[], None] = lambda: None,
    archivist: Callable[[str], AbstractContextManager[object]] = Archivist,
) -> Iterator[RunningHub]:
    """A hub, while this is open. fault: called where it can't go on; whoever started it starts it again. archivist: works beside
    it, with the database of that address.

    Raises HubError, StoreError, WebError where something can't be set up.
    """
    with ExitStack() as stack:
        store = Store(settings.database.url)
        stack.callback(store.close)
        wall = Wall()
        feed = stack.enter_context(Feed(settings.feed, None)) if settings.feed.show else None
        views = BoardViews(wall, feed)
        line: list[BrokerLine] = []

        def failed(error: Exception) -> None:
            tell("".join(traceback.format_exception(error)).rstrip())
            fault()

        known = stack.enter_context(Known(settings.database.url))
        passes = DeskPasses(known)
        intake = Intake(
            store, lambda board, answer: line[0].answer(board, answer), views.show, tell, failed, passes=passes
        )
        try:
            line.append(BrokerLine(settings.broker, intake.offer, tell))
        except OSError as error:
            raise HubError(
                f"[broker] ca = {settings.broker.ca!r} can't be read ({error.strerror or error})."
            ) from error
        intake.start()
        stack.callback(intake.close)
        tls = tls_of(settings.web)
        secure = tls is not None or settings.web.https
        app = create_hub_app(wall, views, settings, feed, https=secure, known=known, passes=passes)
        server = stack.enter_context(serve(app, settings.web.host, settings.web.port, limits_here(FILES), tls))
        stack.enter_context(line[0])
        stack.enter_context(archivist(settings.database.url))
        stack.enter_context(Seating(settings.database.url, intake.plan, feed.delay_events if feed else None))
        channels: list[Channel] = []
        if settings.alerts.ntfy is not None:
            channels.append(Ntfy(settings.alerts.ntfy, settings.alerts.token, tell, settings.alerts.language))
        if settings.alerts.push is not None:
            channels.append(stack.enter_context(Pusher(settings.database.url, settings.alerts.push, tell)))
        if channels:
            stack.enter_context(Caller(wall, channels))
        host = "127.0.0.1" if settings.web.host in EVERYWHERE else settings.web.host
        address = f"{'https' if tls else 'http'}://{host}:{server.port}/"
        tell(f"The wall: {address}")
        yield RunningHub(server.port, address, wall)


def run_hub(settings: HubSettings, stop: threading.Event, tell: Tell) -> None:
    """Until the switch is thrown. Raises HubError, also where a fault of the hub has ended it."""
    faults: list[bool] = []

    def fault() -> None:
        faults.append(True)
        stop.set()

    # Each read and write lets go of the interpreter, and a thread that wants it back waits for so long if another computes.
    sys.setswitchinterval(SWITCH_S)
    with running_hub(settings, tell, fault, ArchivistProcess):
        stop.wait()
    if faults:
        raise HubError("The hub met a fault of its own. What it has confirmed is kept, and the boards keep the rest.")
