"""The cameras of this machine for the set-up: what each sees, and which is used."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing

from controller.app.camera import why_of
from controller.app.chosen_camera import ChosenCamera
from controller.page.eyes import Eyes, EyesBusy
from controller.record.evidence import to_jpeg
from vision.frame import Frame
from vision.sources import FrameSource, open_source
from vision.sources.present import CameraThere, cameras_there
from web.operator import Refusal
from web.wizard import CameraSeen

WIDTH = 640
QUALITY = 75

PATIENCE = 8.0
"""Seconds for a camera to be opened and to give a picture; most take one."""


class Cameras:
    """For the page's threads. there, opener: how cameras are found and opened."""

    def __init__(
        self,
        chosen: ChosenCamera,
        eyes: Eyes,
        there: Callable[[], tuple[CameraThere, ...]] = cameras_there,
        opener: Callable[[str], FrameSource] = open_source,
    ) -> None:
        self._chosen, self._eyes, self._there, self._open = chosen, eyes, there, opener

    def seen(self) -> tuple[CameraSeen, ...]:
        """Those that are plugged in."""
        return tuple(CameraSeen(one.source, one.name, one.is_named(self._chosen.source)) for one in self._there())

    def picture(self, source: str, newest: Frame | None) -> bytes | Refusal:
        """What that camera sees now. newest: of the one that is used. JPEG."""
        one = self._find(source)
        if one is None:
            return Refusal("That camera is not plugged in.")
        if one.is_named(self._chosen.source):
            return Refusal("It gives no picture.") if newest is None else to_jpeg(newest.image, WIDTH, QUALITY)
        try:
            # In the one thread that looks at pictures: a camera that hangs holds up nobody else.
            return self._eyes.look(lambda _: self._glance(source), PATIENCE)
        except EyesBusy as error:
            return Refusal(str(error))
        except Exception as error:  # SourceError, or whatever OpenCV or the camera's library raises.
            return Refusal(why_of(error))

    def choose(self, source: str) -> str:
        """Uses that one from now on; "" where it is done, else why not. Raises CommandError where it is not remembered."""
        if self._find(source) is None:
            return "That camera is not plugged in."
        self._chosen.choose(source)
        return ""

    def _find(self, source: str) -> CameraThere | None:
        return next((one for one in self._there() if one.source == source), None)

    def _glance(self, source: str) -> bytes:
        with closing(self._open(source)) as camera:
            return to_jpeg(next(iter(camera.frames())).image, WIDTH, QUALITY)
