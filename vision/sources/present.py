"""Which cameras are plugged in: USB cameras under the names that stay theirs, and the Pi's own."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from vision.sources.opening import device_of, spelled_once

BY_ID = Path("/dev/v4l/by-id")
SYSTEM = Path("/sys/class/video4linux")


@dataclass(frozen=True)
class CameraThere:
    """source: as open_source() takes it; name: for people; device: the file it is now, None for the Pi's own."""

    source: str
    name: str
    device: Path | None = None

    def is_named(self, source: str) -> bool:
        """Whether another text for a source means this camera: "camera:0" is whatever /dev/video0 is now."""
        device = device_of(source)
        if device is None or self.device is None:
            return spelled_once(source) == self.source
        return device.resolve() == self.device


def cameras_there(
    by_id: Path = BY_ID, system: Path = SYSTEM, pi: Callable[[], bool] | None = None
) -> tuple[CameraThere, ...]:
    """The cameras of this machine. by_id, system: where Linux lists them; pi: whether the Pi's own is there."""
    found = []
    for link in sorted(by_id.glob("*-video-index0")):
        device = link.resolve()
        found.append(CameraThere(f"camera:{link}", _name(system / device.name / "name") or link.name, device))
    if (pi or _has_pi_camera)():
        found.append(CameraThere("picamera", "Raspberry Pi"))
    return tuple(found)


def _name(file: Path) -> str:
    try:
        return file.read_text("utf-8", "replace").strip()
    except OSError:
        return ""


def _has_pi_camera() -> bool:
    try:
        cameras = importlib.import_module("picamera2").Picamera2.global_camera_info()
    except Exception:  # It is not installed, or libcamera's wrapper raises whatever its own layers raise.
        return False
    return any("usb" not in str(camera.get("Id", "")).lower() for camera in cameras)
