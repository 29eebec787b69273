"""Starts everything that runs at a table, keeps it going, and takes it down again: camera, page, lamps, journal."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import msgspec
from flask import Flask

from controller.app.chosen_camera import ChosenCamera
from controller.app.practice import PracticeScene
from controller.app.referee import Outlets, Referee
from controller.app.table import Table
from controller.config import HubConfig, MqttConfig, desk_path
from controller.errors import ControllerError
from controller.page.cameras import Cameras
from controller.page.engine import Engine
from controller.page.operator import RefereesDesk
from controller.page.referee_link import RefereeLink
from controller.page.setup import RefereesWizard, Surroundings
from controller.panel.adapter import Panel
from controller.panel.adjusted import AdjustedPanel
from controller.panel.choose import open_panel
from controller.record.evidence import EvidenceFolder
from controller.record.evidence_recorder import EvidenceRecorder
from controller.record.journal import Journal
from controller.record.wire import BoardHealth, PlannedMatch
from controller.referee.commands import NewMatch
from controller.run.extras import how_to_install
from controller.run.free_memory import FreeMemory, keep_little
from controller.run.guests import Guests
from controller.run.hub_line import HubLine, Line
from controller.run.joining import joined_path
from controller.run.own_address import from_here, from_others, page_for_others
from controller.run.settings import RunSettings, Tell, tls_of
from controller.run.start_banner import welcome
from controller.run.trusting import hub_tls
from controller.run.waiting import open_journal
from controller.run.watchdog import Watchdog, watchdog_for
from vision.frame import Frame
from vision.sources import FrameSource, LatestFrame, retrying
from vision.sources.feed import EveryFrame, FrameFeed, NoFrames
from web.app import Audience, create_app
from web.delay import Delay, delayed
from web.desk import Desk
from web.hub import ViewHub
from web.security import PinKeeper
from web.server import serve
from web.sessions import door_of, own_cookie

if TYPE_CHECKING:
    from controller.run.mqtt import Broadcaster
    from controller.run.outbox import Outbox

FRAME_WAIT = 0.1
"""Seconds between two looks at the stop switch, the desk and the buttons while no frame comes."""


@dataclass(frozen=True)
class Source:
    """Where frames come from. open: opens it, None for a match kept by hand; live: frames come as time passes, and only the
    newest counts, else each is looked at; once: it is not opened again when it has ended, and its time is the match's;
    key_frames: they are single pictures far apart; chosen: the camera that people may change; act:
    tells simulated players what to do while the board is set up."""

    open: Callable[[], FrameSource] | None = None
    live: bool = True
    once: bool = False
    key_frames: bool = False
    chosen: ChosenCamera | None = None
    act: Callable[[PracticeScene], None] = lambda what: None

    @property
    def is_a_camera(self) -> bool:
        """Whether its time begins anew at a start of the program, and nothing of before is shown again."""
        return self.live and not self.once


class BroadcastError(ControllerError):
    """The state can't be told to a broker as asked; the sentence says what to install."""


def run(table: Table, source: Source, settings: RunSettings) -> Referee | None:
    """Referees what the source shows until the switch is thrown; None where that was before the journal could be written.

    The page stays while this runs. Raises JournalError, WebError, PanelError or BroadcastError where something can't be set up.
    """
    check_brokers(settings.mqtt, settings.hub)
    keep_little()
    with ExitStack() as stack:
        panel = _panel(settings)
        stack.callback(panel.close)
        journal = open_journal(table, panel, settings)
        if journal is None:
            return None
        stack.callback(journal.close)
        evidence = EvidenceFolder(settings.evidence, settings.evidence_cap, settings.tell)
        stack.callback(evidence.close)
        outlets = Outlets(ViewHub(), panel, settings.tell, EvidenceRecorder(evidence))
        link = RefereeLink(outlets.status)
        desk = RefereesDesk(link, journal, outlets.evidence, settings.analysis, settings.panel)
        keeper = PinKeeper(desk_path(settings.journal))
        untold = stack.enter_context(ExitStack())
        if keeper.fresh is not None:
            untold.callback(_forget, desk_path(settings.journal))
        cameras = Cameras(source.chosen, desk.eyes) if source.chosen else None
        around = Surroundings(
            panel, settings.panel.kind, desk.eyes, source.open is not None, source.act, cameras, settings.panel.sound
        )
        wizard = RefereesWizard(link, settings.journal.with_suffix(".set-up.json"), around)
        secure = settings.web.https or settings.web.certificate is not None
        guests = Guests(str)
        line = HubLine(
            settings.hub,
            joined_path(settings.journal),
            lambda hub: _outbox(hub, journal, outlets, link, guests),
            settings.tell,
            guests,
        )
        operators = Desk(
            desk,
            keeper,
            secure,
            wizard,
            lambda: from_others(settings.web.host),
            public_lists=settings.web.public_lists,
            joiner=None if settings.demo else line,
        )
        page = _page(outlets.hub, operators, settings, camera=source.open is not None)
        tls = tls_of(settings.web)
        guests.still = door_of(page).sessions.keep_guests
        server = stack.enter_context(serve(page, settings.web.host, settings.web.port, tls=tls))
        stack.callback(desk.judged.end)  # before the page's server, which waits for whoever asks it
        guests.page = lambda: page_for_others(settings.web, server.port)
        set_up = not (settings.demo or wizard.ready())
        settings.tell(welcome(settings.web.host, server.port, keeper.fresh, set_up=set_up, https=tls is not None))
        untold.pop_all()
        if settings.mqtt is not None and settings.mqtt.host is not None:
            # Who reads the broker needs no key of ours: what is told there is no newer than what viewers see.
            shown_later = delayed(outlets.hub, Delay(settings.web.delay_s, settings.web.delay_turns))
            told = _broadcasting()(settings.mqtt, shown_later, settings.tell, version("vrhcab"))
            stack.enter_context(told)
        referee = Referee(table, journal, outlets, key_frames=source.key_frames)
        if not settings.demo:
            stack.enter_context(line)
        stack.enter_context(Engine((desk.coach.advise, desk.judged.judge)))
        dog = stack.enter_context(watchdog_for(from_here(settings.web.host), server.port, https=tls is not None))
        loop = _Loop(referee, (link, wizard), settings.stop, link.asked, dog)
        loop.follow(source)
        return referee


def _forget(pin: Path) -> None:
    """A PIN that nobody was told, as the page could not be served: the next start makes and tells another."""
    with suppress(OSError):
        pin.unlink(missing_ok=True)


def _page(hub: ViewHub, desk: Desk, settings: RunSettings, *, camera: bool) -> Flask:
    """The page with the operator's desk. camera: there is one, so that flags have pictures."""

    def frames(flag: int) -> bytes | None:
        return desk.operator.frame(flag, "after")

    web = settings.web
    audience = Audience(
        Delay(web.delay_s, web.delay_turns),
        Delay(web.overlay_delay_s, web.overlay_delay_turns),
        web.overlay_key,
        web.overlay_frames,
    )
    names = (web.host, *web.names)
    cookie = own_cookie("desk", str(settings.journal.resolve()))
    return create_app(
        hub, frames if camera else None, desk=desk, audience=audience, names=names, demo=settings.demo, cookie=cookie
    )


class People(Protocol):
    """Whom the loop listens to between two frames."""

    def serve(self, referee: Referee) -> None:
        """Does what people have asked for since the last call."""


class _Loop:
    """The referee's thread: frames, and between them what people say and press."""

    def __init__(
        self,
        referee: Referee,
        people: Sequence[People],
        stop: threading.Event,
        asked: threading.Event,
        dog: Watchdog,
    ) -> None:
        """asked: set when somebody waits to be served."""
        self._referee, self._people, self._stop, self._asked, self._dog = referee, people, stop, asked, dog
        self._troubles: deque[tuple[Tell, str]] = deque()
        self._ahead: float | None = 0.0
        self._memory = FreeMemory()

    def follow(self, source: Source) -> None:
        """Frames of the source as long as there are any; after that the match is kept by hand.

        Raises what the source raised where nothing is to be waited for.
        """
        if source.open is not None:
            # A recording that is refereed again goes on where the journal stopped, as a camera's game does.
            known = 0.0 if source.live else self._referee.state.seconds
            self._ahead = None if source.is_a_camera else 0.0
            with self._feed(source, source.open) as feed:
                chosen = source.chosen
                self._take(feed, chosen.gave if chosen else lambda one: one.seconds >= known, live=source.live)
                if self._stop.is_set():
                    if source.is_a_camera:
                        self._referee.unwatched()
                    return
                feed.take(0)  # Raises where the source did not end, but failed.
            self._referee.recording_ended("The match on the board is over. The page stays until you press Ctrl-C.")
        with NoFrames(self._asked) as none:
            self._take(none, lambda one: True, live=True)

    def _feed(self, source: Source, opened: Callable[[], FrameSource]) -> FrameFeed:
        frames = opened().frames() if source.once else self._again(opened, source)
        return LatestFrame(self._dog.watched(frames)) if source.live else EveryFrame(self._dog.watched(frames))

    def _again(self, opened: Callable[[], FrameSource], source: Source) -> Iterator[Frame]:
        def later(tell: Tell) -> Tell:
            return lambda sentence: self._troubles.append((tell, sentence))

        wait = self._dog.waiting(self._stop.wait, ("camera",))
        return retrying(
            opened,
            source.chosen.waiting(wait) if source.chosen else wait,
            later(self._referee.camera_failed),
            later(self._referee.recording_ended),
            from_the_start=source.live,
        )

    def _take(self, feed: FrameFeed, counts: Callable[[Frame], bool], *, live: bool) -> None:
        """counts: whether a frame is to be looked at."""
        last = time.monotonic()
        while not self._stop.is_set() and not feed.ended:
            frame = feed.take(FRAME_WAIT)
            self._dog.beat("referee")
            while self._troubles:
                tell, sentence = self._troubles.popleft()
                tell(sentence)
            for one in self._people:
                one.serve(self._referee)
            self._referee.take_presses()
            now = time.monotonic()
            if frame is not None and counts(frame):
                self._referee.take(self._in_match(frame))
            elif frame is None:
                # A recording's time stands still between its frames; what waits to be written doesn't.
                self._referee.idle(now - last if live else 0.0)
                if isinstance(feed, NoFrames):
                    self._dog.beat("camera")
            last = now
            self._memory.give_back(self._referee.seconds)

    def _in_match(self, frame: Frame) -> Frame:
        """The frame by the match's time: a camera's begins anew when its machine is switched on, the match's goes on."""
        if self._ahead is None:
            self._ahead = self._referee.seconds - frame.seconds
        return replace(frame, seconds=frame.seconds + self._ahead)


def check_brokers(mqtt: MqttConfig | None, hub: HubConfig | None) -> None:
    """Whether the brokers of the settings could be spoken to. Raises BroadcastError with what is to be installed or copied."""
    if mqtt is not None and mqtt.host is not None:
        _broadcasting()
    if hub is not None and hub.address is not None:
        _sending()
        if hub.tls:
            with _read_authority(hub):
                hub_tls(hub.ca)


def _broadcasting() -> type[Broadcaster]:
    try:
        from controller.run.mqtt import Broadcaster
    except ModuleNotFoundError as error:
        raise BroadcastError(
            f"The settings name an MQTT broker, but its library is not here. Install it: {how_to_install('mqtt')}"
        ) from error
    return Broadcaster


def _sending() -> type[Outbox]:
    try:
        from controller.run.outbox import Outbox
    except ModuleNotFoundError as error:
        raise BroadcastError(
            f"This board belongs to a hub, but the library that reaches it is not here. Install it: {how_to_install('mqtt')}"
        ) from error
    return Outbox


@contextmanager
def _read_authority(hub: HubConfig) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise BroadcastError(
            f"The authority of the hub, [hub] ca = {hub.ca!r}, can't be read ({error.strerror or error}). "
            "Copy the file that the hub's operator gave you, and name it there."
        ) from error


def _outbox(config: HubConfig, journal: Journal, outlets: Outlets, link: RefereeLink, guests: Guests) -> Line:
    outbox = _sending()
    from controller.run.outbox import free_mb

    def health() -> BoardHealth:
        now = outlets.status.latest
        camera, trouble = (str(now.camera.sentence), str(now.journal.sentence)) if now else ("", "")
        lamps = str(outlets.panel.trouble() or "")
        return BoardHealth(camera[:400], trouble[:400], lamps[:400], free_mb(journal.path))

    def plan(planned: PlannedMatch | None) -> None:
        command = None if planned is None else NewMatch(**msgspec.structs.asdict(planned))
        link.pass_on(lambda referee: referee.plan(command))

    with _read_authority(config):
        return outbox(config, journal, outlets.tell, health, version("vrhcab"), plan, guests)


def _panel(settings: RunSettings) -> Panel:
    config = settings.panel
    if config.kind == "none" or config.kind == "virtual":
        return open_panel("virtual")
    panel = open_panel(
        config.kind,
        port=config.port or "auto",
        pins=config.pins,
        cube=config.cube,
        pin_factory=config.pin_factory,
        log=settings.tell,
    )
    return AdjustedPanel(panel, config.brightness, sound=config.sound)
