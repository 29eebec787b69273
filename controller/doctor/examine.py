"""Every look of `vrhcab doctor`, in the order in which a person would go round the table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from controller.app.match_journal import unfinished
from controller.config import Config, ConfigError, journal_path
from controller.doctor import camera, certificate, machine, panel
from controller.doctor.finding import Finding
from controller.doctor.machine import Machine
from controller.errors import ControllerError
from controller.record.journal import KeptEvents
from controller.run.build import chosen_camera, open_camera, plan_of
from controller.run.settings import tls_of
from vision.outside import named_path
from web.errors import WebError
from web.view import CAMERA_WORKS


def examine(config: Config, computer: Machine | None = None) -> Iterator[Finding]:
    """The findings, each as soon as it is there: a camera is watched for some seconds."""
    computer = computer or Machine()
    yield from _camera(config)
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
    """For what in the settings the referee would not start, in the words of what starts it."""
    needed: tuple[Callable[[], object], ...] = (
        lambda: plan_of(config),
        lambda: tls_of(config.web),
        lambda: _match_so_far(journal_path(config)),
    )
    for made in needed:
        try:
            made()
        except (ControllerError, WebError) as problem:
            yield Finding("settings", "problem", str(problem))


def _match_so_far(journal: Path) -> None:
    """Raises JournalError or EventError where a match in it can't be gone on with."""
    if journal.exists():
        unfinished(KeptEvents(journal))


def _camera(config: Config) -> tuple[Finding, ...]:
    text = config.camera.source
    if text == "simulator":
        return (Finding("camera", "note", "The settings use the simulated board; no camera is looked at."),)
    if text == "none":
        return (Finding("camera", "note", "The settings use no camera: the match is kept by hand on the page."),)
    seen = machine.running_camera(config.web.host, config.web.port)
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
    with suppress(ConfigError):  # What is wrong with the journal's path is told below.
        text = chosen_camera(config).source
    return camera.examine(partial(open_camera, config, text))
