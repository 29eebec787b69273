"""The camera: does it give pictures, how fast, how bright, how sharp. The same measures say what a picture needs."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from controller.doctor.finding import Finding
from vision.frame import Frame, Image
from vision.sources import FrameSource, SourceError

LOOK_S = 3.0
"""How long frames are counted. A camera's exposure settles within the first second, which is not looked at."""

FRAMES_AT_MOST = 100
SETTLE = 5

SLOW_FPS, TOO_SLOW_FPS = 10.0, 4.0
"""A play takes a hand 1 to 3 s; at 4 frames a second a fast one leaves no frame in which the board lies still."""

WIDTH = 960
"""px; sharpness is measured at one width, so that cameras compare."""

SHARP = 0.012
"""Variance of the Laplacian over the variance of brightness. The 32 reference photographs and 60 renders have 0.020 or more,
the same pictures blurred by 1.5 px (of 960) 0.010 or less."""

DARK, BRIGHT = 30.0, 215.0
"""Mean brightness of 255. The darkest of the reference photographs, which are read, have 46."""

CLIPPED = 0.15
"""Share of pixels at 250 or more, beyond which glare hides checkers."""


@dataclass(frozen=True)
class Look:
    """width, height: px; fps: frames a second as they came, None for a single picture or a file; brightness: mean, of 255;
    clipped: share of white pixels; sharpness: see SHARP."""

    width: int
    height: int
    fps: float | None
    brightness: float
    clipped: float
    sharpness: float


def measure(image: Image, fps: float | None = None) -> Look:
    """What a picture is worth. image: (H, W, 3) uint8 BGR."""
    height, width = image.shape[:2]
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    if width > WIDTH:
        grey = cv2.resize(grey, (WIDTH, max(1, WIDTH * height // width)), interpolation=cv2.INTER_AREA)
    plain = grey.astype(np.float32)
    edges = float(cv2.Laplacian(plain, cv2.CV_32F).var())
    return Look(
        width, height, fps, float(plain.mean()), float((grey >= 250).mean()), edges / max(float(plain.var()), 1.0)
    )


def examine(open_camera: Callable[[], FrameSource], clock: Callable[[], float] = time.monotonic) -> tuple[Finding, ...]:
    """Findings on the camera, its frame rate, light and focus; the camera is closed again."""
    try:
        source = open_camera()
    except SourceError as problem:
        return (_gone(problem),)
    try:
        look = _watch(source.frames(), source.live, clock)
    except SourceError as problem:
        return (_gone(problem),)
    finally:
        source.close()
    if look is None:
        return (
            Finding(
                "camera",
                "problem",
                f"{source.name} gives no picture.",
                "Unplug it, plug it in again, and run this once more.",
            ),
        )
    return findings(source.name, look)


def findings(name: str, look: Look) -> tuple[Finding, ...]:
    """What a look says, and what to do about it."""
    camera = Finding("camera", "ok", f"{name} gives pictures of {look.width}x{look.height}.")
    if look.width < 1280:
        camera = Finding(
            "camera",
            "warning",
            camera.said,
            "Pips of the dice are small in this: ask for size = [1920, 1080] under [camera].",
        )
    return (camera, _rate(look), _light(look), _focus(look))


def _gone(problem: SourceError) -> Finding:
    return Finding("camera", "problem", str(problem))


def _watch(frames: Iterator[Frame], live: bool, clock: Callable[[], float]) -> Look | None:
    """The median picture's measures over some seconds of frames; the first few are passed over."""
    taken = list(itertools.islice(frames, SETTLE))
    if not taken:
        return None
    last, times = taken[-1], [clock()]
    for frame in itertools.islice(frames, FRAMES_AT_MOST if live else 0):
        last = frame
        times.append(clock())
        if times[-1] - times[0] >= LOOK_S:
            break
    spent = times[-1] - times[0]
    return measure(last.image, (len(times) - 1) / spent if live and spent > 0 else None)


def _rate(look: Look) -> Finding:
    if look.fps is None:
        return Finding("frame rate", "note", "A recording has no frame rate of its own here.")
    said = f"{look.fps:.1f} frames a second."
    if look.fps < TOO_SLOW_FPS:
        return Finding(
            "frame rate",
            "problem",
            said,
            "Choose a smaller size or give it more light: long exposures make a camera slow.",
        )
    if look.fps < SLOW_FPS:
        return Finding("frame rate", "warning", said, "Give it more light, or choose a smaller size under [camera].")
    return Finding("frame rate", "ok", said)


def _light(look: Look) -> Finding:
    said = f"Brightness {look.brightness:.0f} of 255, {look.clipped:.0%} of the picture white."
    if look.brightness < DARK:
        return Finding("light", "problem", said, "It is too dark: put a lamp over the board.")
    if look.brightness > BRIGHT or look.clipped > CLIPPED:
        return Finding(
            "light", "warning", said, "There is glare: move the lamp or the camera, until nothing on the board shines."
        )
    return Finding("light", "ok", said)


def _focus(look: Look) -> Finding:
    said = f"Sharpness {look.sharpness:.3f}; {SHARP} is needed."
    if look.sharpness < SHARP:
        return Finding(
            "focus",
            "warning",
            said,
            "Turn the lens until the dice are sharp, clean it, and set the camera's autofocus to the board.",
        )
    return Finding("focus", "ok", said)
