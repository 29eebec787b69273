"""The camera: does it give pictures, how fast, how bright, how sharp. The same measures say what a picture needs."""

from __future__ import annotations

import itertools
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from controller.app.board_place import BoardPlace
from controller.doctor.finding import Finding, Severity
from vision.board.geometry import BoardGeometry, GeometryError, fitted
from vision.board.quality import Quality, quality_of
from vision.board.weaknesses import (
    LEAST_CHECKER,
    MOST_BLOCKS,
    MOST_GRAIN,
    Weakness,
    WeaknessCode,
    grain_share,
    most_smear,
    weak_points,
)
from vision.finding import BoardLocation, NotFound, find_board
from vision.frame import Frame, Image
from vision.sources import FrameSource, SourceError
from vision.watching.exposure import Exposure
from vision.watching.motion import MotionGate

LOOK_S = 3.0
"""How long frames are counted. A camera's exposure settles within the first second, which is not looked at."""

FRAMES_AT_MOST = 100
SETTLE = 5

SLOW_FPS, TOO_SLOW_FPS = 10.0, 4.0
"""A play takes a hand 1 to 3 s; at 4 frames a second a fast one leaves no frame in which the board lies still."""

AS_READ = 8
"""Newest frames that are measured together, as they are read where nothing moves."""

INSET = 0.1
"""Where no board is found, the picture without so much of it on each side is measured in its stead."""


@dataclass(frozen=True)
class Picture:
    """A camera's picture. fps: frames a second as they came, None for a file; found: where the board lies in it."""

    image: Image
    fps: float | None
    found: BoardLocation | NotFound

    @property
    def quality(self) -> Quality:
        """What the picture is worth, where the board lies or may lie."""
        if isinstance(self.found, BoardLocation):
            return quality_of(self.image, self.found.corners)
        height, width = self.image.shape[:2]
        across, down = np.array((INSET, 1 - INSET, 1 - INSET, INSET)), np.array((INSET, INSET, 1 - INSET, 1 - INSET))
        return quality_of(self.image, np.stack([across * width, down * height], axis=1).astype(np.float32))


def examine(
    open_camera: Callable[[], FrameSource],
    clock: Callable[[], float] = time.monotonic,
    shown: BoardPlace | None = None,
) -> tuple[Finding, ...]:
    """Findings on the camera, its frame rate, light and focus; the camera is closed again. shown: where somebody has said that the
    board lies; else it is sought."""
    try:
        source = open_camera()
    except SourceError as problem:
        return (_gone(problem),)
    try:
        picture = _watch(source.frames(), clock, shown, live=source.live)
    except Exception as problem:  # Besides SourceError whatever OpenCV or the camera's library raises.
        return (_gone(problem),)
    finally:
        source.close()
    if picture is None:
        return (
            Finding(
                "camera",
                "problem",
                f"{source.name} gives no picture.",
                "Unplug it, plug it in again, and run this once more.",
            ),
        )
    return findings(source.name, picture)


def findings(name: str, picture: Picture) -> tuple[Finding, ...]:
    """What the picture is worth, and what to do about it."""
    height, width = picture.image.shape[:2]
    camera = Finding("camera", "ok", f"{name} gives pictures of {width}x{height}.")
    if width < 1280:
        camera = Finding(
            "camera",
            "warning",
            camera.sentence,
            "Pips of the dice are small in this: ask for size = [1920, 1080] under [camera].",
        )
    return (camera, _rate(picture.fps), *_board(picture.found), *_measures(picture))


def _board(found: BoardLocation | NotFound) -> tuple[Finding, ...]:
    if isinstance(found, BoardLocation):
        return ()
    sentence = f"{found.reason} Light and focus are measured on the whole picture."
    return (Finding("board", "note", sentence, "Put the board into the picture and run this again."),)


def _measures(picture: Picture) -> tuple[Finding, ...]:
    """What was measured, each with what it may be."""
    quality = picture.quality
    grain = f"brightness {quality.light:.0f} of 255, grain {100 * grain_share(quality):.0f} % of the contrast"
    burnt = f"{100 * quality.burnt:.0f} % of the board burnt out"
    focus = f"Edges are smeared by {quality.smear:.1f} px, {most_smear(quality):.1f} px may be."
    size = f"A checker is {quality.checker:.0f} px wide, at least {LEAST_CHECKER:.0f} px are needed."
    packed = f"The squares of the compression stand out {quality.blocks:.1f} times, {MOST_BLOCKS:.1f} may be."
    fine = {
        "light": f"{grain[0].upper()}{grain[1:]} ({100 * MOST_GRAIN:.0f} % may be), {burnt}.",
        "focus": focus,
        "size": size,
        "view": "The whole board is in the picture.",
        "compression": packed,
    }
    if isinstance(picture.found, NotFound):
        del fine["view"]
    weak = weak_points(quality)
    return tuple(_measured(check, sentence, weak) for check, sentence in fine.items())


CHECKS: dict[WeaknessCode, str] = {
    "dark": "light",
    "overexposed": "light",
    "glare": "light",
    "blurred": "focus",
    "shaken": "focus",
    "small": "size",
    "cut": "view",
    "compressed": "compression",
}
"""Under which check's name each weakness is told."""


def _measured(check: str, fine: str, weak: tuple[Weakness, ...]) -> Finding:
    found = [one for one in weak if CHECKS[one.code] == check]
    if not found:
        return Finding(check, "ok", fine)
    level: Severity = "problem" if found[0].code == "dark" else "warning"
    return Finding(check, level, " ".join(one.sentence for one in found), " ".join(one.advice for one in found))


def _gone(problem: Exception) -> Finding:
    if isinstance(problem, SourceError):
        return Finding("camera", "problem", str(problem))
    why = " ".join(str(problem).split())[:200] or type(problem).__name__
    return Finding(
        "camera", "problem", f"The camera's pictures can't be taken ({why}).", "Check the camera and its cable."
    )


def _watch(
    frames: Iterator[Frame], clock: Callable[[], float], shown: BoardPlace | None, *, live: bool
) -> Picture | None:
    """The last of some seconds' frames, as it is read; the first few are passed over."""
    taken = list(itertools.islice(frames, SETTLE))
    if not taken:
        return None
    newest, times = deque(taken[-1:], maxlen=AS_READ), [clock()]
    for frame in itertools.islice(frames, FRAMES_AT_MOST if live else 0):
        newest.append(frame)
        times.append(clock())
        if times[-1] - times[0] >= LOOK_S:
            break
    spent = times[-1] - times[0]
    fps = (len(times) - 1) / spent if live and spent > 0 else None
    found = _found(newest[-1], shown)
    return Picture(_as_read(newest, found).image, fps, found)


def _as_read(frames: Sequence[Frame], found: BoardLocation | NotFound) -> Frame:
    """The last of some frames, with less grain if they have much and nothing moves in them."""
    exposure = Exposure()
    if isinstance(found, BoardLocation):
        gate = MotionGate(BoardGeometry(found.corners))
        for frame in frames:
            exposure.see(frame, found.corners, gate.see(frame))
    return exposure.of(frames[-1])


def _found(frame: Frame, shown: BoardPlace | None) -> BoardLocation | NotFound:
    """Where the board lies: as shown, in a picture of whatever size, if that can be in this one."""
    if shown is not None:
        with suppress(GeometryError):
            return BoardLocation(fitted(shown.corners, shown.size, frame.size), 1.0)
    return find_board(frame.image)


def _rate(fps: float | None) -> Finding:
    if fps is None:
        return Finding("frame rate", "note", "A recording has no frame rate of its own here.")
    sentence = f"{fps:.1f} frames a second."
    if fps < TOO_SLOW_FPS:
        return Finding(
            "frame rate",
            "problem",
            sentence,
            "Choose a smaller size or give it more light: long exposures make a camera slow.",
        )
    if fps < SLOW_FPS:
        return Finding(
            "frame rate", "warning", sentence, "Give it more light, or choose a smaller size under [camera]."
        )
    return Finding("frame rate", "ok", sentence)
