"""The cameras of this machine for the set-up: what each sees, and which is used."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing

from controller.app.answers import refusal
from controller.app.camera import why_of
from controller.app.chosen_camera import ChosenCamera
from controller.page.eyes import Eyes, EyesBusy
from controller.record.evidence import to_jpeg
from controller.referee.commands import CommandError
from vision.errors import VisionError
from vision.frame import Frame
from vision.sentence import Sentence
from vision.sources import FrameSource
from vision.sources.present import CameraThere, cameras_there
from web.operator import Refusal
from web.wizard import CameraSeen

WIDTH = 640
QUALITY = 75

NOT_THERE = Sentence("That camera is not plugged in.")
NO_PICTURE = "It gives no picture."

PATIENCE = 8.0
"""Seconds for a camera to be opened and to give a picture; most take one."""


class Cameras:
    """For the page's threads. there, opener: how cameras are found and opened, if not as the chosen one is."""

    def __init__(
        self,
        chosen: ChosenCamera,
        eyes: Eyes,
        there: Callable[[], tuple[CameraThere, ...]] = cameras_there,
        opener: Callable[[str], FrameSource] | None = None,
    ) -> None:
        self._chosen, self._eyes, self._there, self._open = chosen, eyes, there, opener or chosen.opener

    @property
    def used(self) -> str:
        """The source that gives the pictures."""
        return self._chosen.source

    def seen(self) -> tuple[CameraSeen, ...]:
        """Those that are plugged in."""
        return tuple(CameraSeen(one.source, one.name, one.is_named(self._chosen.source)) for one in self._there())

    def picture(self, source: str, newest: Frame | None) -> bytes | Refusal:
        """What that camera sees now. newest: of the one that is used. JPEG."""
        one = self._find(source)
        if one is None:
            return refusal(NOT_THERE)
        if one.is_named(self._chosen.source):
            return refusal(Sentence(NO_PICTURE)) if newest is None else to_jpeg(newest.image, WIDTH, QUALITY)
        try:
            # In the one thread that looks at pictures: a camera that hangs holds up nobody else.
            return self._eyes.look(lambda _: self._glance(source), PATIENCE, NO_PICTURE)
        except EyesBusy as error:
            return refusal(error)
        except VisionError as error:
            return refusal(error.sentence)
        except Exception as error:  # Whatever OpenCV or the camera's library raises.
            return refusal(Sentence(why_of(error)))

    def choose(self, source: str) -> None:
        """Uses that one from now on. Raises CommandError where it is not there, or not remembered."""
        one = self._find(source)
        if one is None:
            raise CommandError(NOT_THERE)
        # By the settings' own name where it is their camera: what they say of it, its lens for one, holds for that name.
        configured = self._chosen.configured
        self._chosen.choose(configured if one.is_named(configured) else source)

    def _find(self, source: str) -> CameraThere | None:
        return next((one for one in self._there() if one.source == source), None)

    def _glance(self, source: str) -> bytes:
        with closing(self._open(source)) as camera:
            return to_jpeg(next(iter(camera.frames())).image, WIDTH, QUALITY)
