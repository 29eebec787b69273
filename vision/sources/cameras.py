"""Live frames: USB cameras through OpenCV and V4L2, and the Pi's own camera through picamera2."""

from __future__ import annotations

import importlib
import os
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Frame
from vision.outside import is_readable
from vision.pictures.quiet import quiet_opencv
from vision.sentence import Sentence
from vision.sources.base import SourceError
from vision.sources.v4l2 import Control, Mains, set_controls

DEFAULT_SIZE = (1920, 1080)
"""Asked of cameras where nobody says: at 1280x720 a die is 18-20 px wide and a pip 3-4 px, too few to be sure of."""

DEFAULT_FPS = 15.0
"""Asked of cameras where nobody says: a play lasts seconds, and a Pi has better things to do than to decode more."""

LOST_AFTER = 3
"""Frames in a row that may fail before a camera counts as gone: a single broken JPEG on a busy USB bus is no loss."""

PICAMERA_TIMEOUT = 5.0
"""Seconds without a frame after which the Pi's camera counts as gone."""


@dataclass(frozen=True)
class CameraWishes:
    """What a camera is asked where it can: to expose for whole flashes of lamps on mains of so many Hz, as parts of a flash make
    stripes, and to focus all the time, but for one whose focus is to be kept as somebody has set it."""

    mains_hz: Literal[50, 60] = 50
    keep_focus: bool = False

    @property
    def of_v4l2(self) -> dict[Control, int]:
        """In V4L2's numbers."""
        mains: dict[Control, int] = {Control.MAINS: Mains.HZ_50 if self.mains_hz == 50 else Mains.HZ_60}
        return mains if self.keep_focus else mains | {Control.AUTOFOCUS: 1}

    @property
    def of_libcamera(self) -> dict[str, int]:
        """In libcamera's numbers; a flash of a lamp, two a period, in us. Its lens stays at one distance if nobody asks: picamera2
        does not by itself, as rpicam-apps do."""
        lamps = {"AeFlickerMode": 1, "AeFlickerPeriod": round(1_000_000 / (2 * self.mains_hz))}
        return lamps if self.keep_focus else {"AfMode": 2} | lamps


USUAL = CameraWishes()


class Capture(Protocol):
    """What is used of cv2.VideoCapture."""

    def isOpened(self) -> bool: ...
    def set(self, propId: int, value: float, /) -> bool: ...
    def read(self) -> tuple[bool, Any]: ...
    def release(self) -> None: ...


def open_v4l2(device: int | str) -> Capture:
    """OpenCV's capture of a V4L2 device, by number or by path; may turn out not to be open."""
    with quiet_opencv():
        return cv2.VideoCapture(device, cv2.CAP_V4L2)


class CameraSource:
    """A USB camera by number or by device path; /dev/v4l/by-id/... names stay the same when it is plugged in elsewhere.

    size: (width, height) px asked of the camera, which may answer with another; fps: frames a second asked likewise; wishes: what
    else is asked.
    open_capture, clock: what opens the device, and the monotonic clock; tests pass their own.

    Raises:
        SourceError: no such camera, no permission, or it gives no picture.
    """

    live = True
    total = None
    duration = None

    def __init__(
        self,
        device: int | str,
        size: tuple[int, int] | None = None,
        fps: float | None = None,
        wishes: CameraWishes = USUAL,
        open_capture: Callable[[int | str], Capture] = open_v4l2,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = Sentence("The camera {device}", device=device)
        if isinstance(device, str) and not is_readable(device):
            raise SourceError("{name} has a name that is no readable text. Use its number.", name=self.name)
        self._clock = clock
        self._capture = open_capture(device)
        if not self._capture.isOpened():
            raise SourceError(_why_not(device, self.name))
        _ask_for(self._capture, size or DEFAULT_SIZE, fps or DEFAULT_FPS)
        set_controls(device_path(device), wishes.of_v4l2)
        self._first = self._read()
        if self._first is None:
            self.close()
            raise SourceError(
                "{name} gives no picture. Close other programs that use it, or plug it in again.", name=self.name
            )

    def frames(self) -> Iterator[Frame]:
        """Frames for as long as the camera gives them. Raises SourceError once it is gone."""
        if self._first is not None:
            yield self._first
            self._first = None
        lost = 0
        while lost < LOST_AFTER:
            frame = self._read()
            if frame is None:
                lost += 1
            else:
                lost = 0
                yield frame
        raise SourceError("{name} has stopped giving pictures. Check its cable and plug it in again.", name=self.name)

    def close(self) -> None:
        """Give the device back."""
        self._capture.release()

    def _read(self) -> Frame | None:
        with quiet_opencv():
            read, image = self._capture.read()
        if not read or image is None:
            return None
        return Frame(np.asarray(image, np.uint8), self._clock())


def _ask_for(capture: Capture, size: tuple[int, int], fps: float) -> None:
    # Compressed first: raw pictures of 1080p do not fit through USB 2 at more than 5 frames a second.
    capture.set(cv2.CAP_PROP_FOURCC, float(cv2.VideoWriter.fourcc(*"MJPG")))
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
    capture.set(cv2.CAP_PROP_FPS, fps)
    capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)


def device_path(device: int | str) -> Path:
    """The file of a device that is named by its number or path."""
    name = str(device)
    return Path(f"/dev/video{name}" if name.isascii() and name.isdigit() else name)


def _why_not(device: int | str, name: str) -> Sentence:
    path = device_path(device)
    if not path.exists():
        there = ", ".join(sorted(str(found) for found in Path("/dev").glob("video[0-9]*")))
        if there:
            return Sentence(
                "{name} is not there. There is {there}. Check its cable and the number or path after 'camera:'.",
                name=name,
                there=there,
            )
        return Sentence(
            "{name} is not there. No camera is plugged in. Check its cable and the number or path after 'camera:'.",
            name=name,
        )
    if not os.access(path, os.R_OK | os.W_OK):
        return Sentence(
            "{name} may not be used by this user. Run 'sudo usermod -aG video $USER' and log in again.", name=name
        )
    return Sentence(
        "{name} can't be opened as a camera. Close other programs that use it, or try the next number.", name=name
    )


class PicameraSource:
    """The Raspberry Pi's camera. picamera2 comes from the system's packages and is imported only here.

    Raises:
        SourceError: picamera2 is not installed, or no camera answers.
    """

    live = True
    total = None
    duration = None
    name = Sentence("The Pi's camera")

    def __init__(
        self,
        size: tuple[int, int] | None = None,
        fps: float | None = None,
        wishes: CameraWishes = USUAL,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._clock = clock
        self._camera = _start_picamera(size or DEFAULT_SIZE, fps or DEFAULT_FPS, wishes)

    def frames(self) -> Iterator[Frame]:
        """Frames for as long as the camera gives them. Raises SourceError once it is gone."""
        while True:
            try:
                image: npt.NDArray[np.uint8] = self._camera.capture_array("main", wait=PICAMERA_TIMEOUT)
            except Exception as error:  # libcamera's wrapper raises whatever its own layers raise
                raise SourceError(
                    "{name} has stopped giving pictures ({why}). Check its ribbon cable.",
                    name=self.name,
                    why=str(error) or type(error).__name__,
                ) from error
            yield Frame(np.ascontiguousarray(image[:, :, :3]), self._clock())

    def close(self) -> None:
        """Stop the camera and give it back, though it be one that can't be stopped any more."""
        with suppress(Exception):  # as above
            self._camera.stop()
        self._camera.close()


def _start_picamera(size: tuple[int, int], fps: float, wishes: CameraWishes) -> Any:
    try:
        module = importlib.import_module("picamera2")
    except Exception as error:  # parts of it that are built for another NumPy or libcamera raise what they like
        if not isinstance(error, ModuleNotFoundError) or error.name != "picamera2":
            raise SourceError(
                "The Pi's camera can't be used: picamera2 is installed, but can't be loaded ({why}). Set this program up again, "
                "with 'make clean' before the next start, or 'sudo make install'; or use a USB camera as 'camera:0'.",
                why=str(error).rstrip(".") or type(error).__name__,
            ) from error
        raise SourceError(
            "The source 'picamera' needs picamera2, which is not installed here. On a Raspberry Pi run "
            "'sudo apt install python3-picamera2', then 'make clean' so that the next start finds it; "
            "anywhere else use a USB camera as 'camera:0'."
        ) from error
    try:
        camera = module.Picamera2()
        try:
            known = camera.camera_controls
            controls = {"FrameRate": fps} | {
                name: value for name, value in wishes.of_libcamera.items() if name in known
            }
            # What libcamera calls RGB888 lies in memory as blue, green, red.
            camera.configure(
                camera.create_video_configuration(main={"size": size, "format": "RGB888"}, controls=controls)
            )
            camera.start()
        except Exception:
            camera.close()  # the library keeps hold of it, so that nobody could open it any more
            raise
    except Exception as error:  # as above: IndexError without a camera, RuntimeError when it is busy
        raise SourceError(
            "The Pi's camera does not answer ({why}). Check its ribbon cable, and that 'rpicam-hello "
            "--list-cameras' names it.",
            why=str(error) or type(error).__name__,
        ) from error
    return camera
