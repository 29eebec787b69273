"""Every look of `vrhcab doctor`, in the order in which a person would go round the table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from controller.config import Config, journal_path
from controller.doctor import camera, machine, panel
from controller.doctor.finding import Finding
from controller.doctor.machine import Machine
from vision.sources import FrameSource, open_straight
from web.view import CAMERA_WORKS


def examine(config: Config, computer: Machine | None = None) -> Iterator[Finding]:
    """The findings, each as soon as it is there: a camera is watched for some seconds."""
    computer = computer or Machine()
    yield from _camera(config)
    yield machine.temperature(computer)
    yield machine.throttling(computer)
    yield machine.disk(journal_path(config))
    yield from panel.serial_line(config.panel)
    yield panel.header(config.panel, computer)
    yield machine.clock(computer)
    yield machine.network(config.web.host, config.web.port)


def _camera(config: Config) -> tuple[Finding, ...]:
    text = config.camera.source
    if text == "simulator":
        return (Finding("camera", "note", "The settings use the simulated board; no camera is looked at."),)
    seen = machine.running_camera(config.web.port)
    if seen is not None:
        status, weak = seen
        do = "To have light and focus looked at: sudo systemctl stop vrhcab, then run this again."
        sentence = "The running referee has the camera" + (
            " and sees the board." if status == CAMERA_WORKS else f": {status}"
        )
        poor = tuple(Finding("picture", "warning", one[0], " ".join(one[1:])) for one in weak if one)
        return (Finding("camera", "ok" if status == CAMERA_WORKS else "problem", sentence, do), *poor)
    lens = Path(config.camera.lens).expanduser() if config.camera.lens else None
    opener: Callable[[], FrameSource] = partial(
        open_straight, text, lens, fps=config.camera.fps, size=config.camera.size
    )
    return camera.examine(opener)
