"""Every look of `vrhcab doctor`, in the order in which a person would go round the table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from controller.app.match_journal import unfinished
from controller.config import Config, ConfigError, desk_path, journal_path
from controller.doctor import camera, certificate, controls, machine, panel
from controller.doctor.finding import Finding, Severity
from controller.doctor.machine import Machine
from controller.errors import ControllerError
from controller.record.journal import KeptEvents
from controller.run.build import chosen_camera, open_camera, place_of, plan_of, wishes_of
from controller.run.joining import joined_path, load_joined
from controller.run.loop import check_brokers
from controller.run.settings import tls_of
from vision.errors import VisionError
from vision.outside import named_path
from web.errors import WebError
from web.security import PinKeeper
from web.view import CAMERA_WORKS


def examine(config: Config) -> Iterator[Finding]:
    """The findings, each as soon as it is there: a camera is watched for some seconds."""
    computer = Machine()
    source = config.camera.source
    with suppress(ConfigError):  # What is wrong with the journal's path is told below.
        source = chosen_camera(config).source
    yield from _camera(config, source)
    yield from controls.examine(source, wishes_of(config.camera))
    yield from _refused(config)
    yield machine.temperature(computer)
    yield machine.throttling(computer)
    with suppress(ConfigError):  # What is wrong with the path has been told.
        yield machine.disk(journal_path(config))
    yield from panel.serial_line(config.panel)
    yield panel.header(config.panel, computer)
    yield machine.clock(computer)
    if config.web.certificate is not None:
        yield from certificate.validity(named_path(config.web.certificate), datetime.now(UTC))
    yield machine.network(config.web.host, config.web.port, https=config.web.certificate is not None)


def _refused(config: Config) -> Iterator[Finding]:
    """For what in the settings, or beside the journal, the referee would not start, then what it would go on without, each in the
    words of what starts it."""
    looks: tuple[tuple[Severity, Callable[[], object]], ...] = (
        ("problem", lambda: plan_of(config)),
        ("problem", lambda: tls_of(config.web)),
        ("problem", lambda: check_brokers(config.mqtt, config.hub)),
        ("problem", lambda: _match_so_far(journal_path(config))),
        ("problem", lambda: _pin(desk_path(journal_path(config)))),
        ("warning", lambda: _joined_hub(config)),
        ("warning", lambda: place_of(config, config.camera.source)),
    )
    said: set[str] = set()
    for level, look in looks:
        try:
            look()
        except (ControllerError, VisionError, WebError) as problem:
            if str(problem) not in said:
                yield Finding("settings", level, str(problem))
            said.add(str(problem))


def _match_so_far(journal: Path) -> None:
    """Raises JournalError or EventError where a match in it can't be gone on with."""
    if journal.exists():
        unfinished(KeptEvents(journal))


def _pin(file: Path) -> None:
    """Raises WebError where the desk's PIN can't be read."""
    if file.exists():
        PinKeeper(file)


def _joined_hub(config: Config) -> None:
    """Raises JoiningError or BroadcastError where the hub that this board has joined can't be told anything."""
    if config.hub.address is None and (joined := load_joined(joined_path(journal_path(config)))):
        check_brokers(None, joined.hub)


def _camera(config: Config, text: str) -> tuple[Finding, ...]:
    if text == "simulator":
        return (Finding("camera", "note", "The settings use the simulated board; no camera is looked at."),)
    if text == "none":
        return (Finding("camera", "note", "The settings use no camera: the match is kept by hand on the page."),)
    demo = machine.shows_demo(config.web.host, config.web.port)
    seen = None if demo else machine.running_camera(config.web.host, config.web.port)
    if seen is not None:
        status, weak = seen
        do = "To have light and focus looked at: sudo systemctl stop vrhcab, then run this again."
        if config.web.delay_s or config.web.delay_turns:
            later = "The running referee has the camera. How it fares now the desk shows: viewers see everything later."
            return (Finding("camera", "note", later, do),)
        sentence = "The running referee has the camera" + (
            " and sees the board." if status == CAMERA_WORKS else f": {status}"
        )
        poor = tuple(Finding("picture", "warning", one[0], " ".join(one[1:])) for one in weak if one)
        return (Finding("camera", "ok" if status == CAMERA_WORKS else "problem", sentence, do), *poor)
    shown = None
    with suppress(ControllerError, VisionError):  # What is wrong with the board's place is told below.
        shown = place_of(config, text)
    return camera.examine(partial(open_camera, config, text), shown=shown)
