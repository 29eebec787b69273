"""The camera: does it give pictures, how fast, how bright, how sharp. The same measures say what a picture needs."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from controller.doctor.finding import Finding
from vision.frame import Frame, Image
from vision.sources import FrameSource, SourceError

Plane = npt.NDArray[np.float32]

LOOK_S = 3.0
"""How long frames are counted. A camera's exposure settles within the first second, which is not looked at."""

FRAMES_AT_MOST = 100
SETTLE = 5

SLOW_FPS, TOO_SLOW_FPS = 10.0, 4.0
"""A play takes a hand 1 to 3 s; at 4 frames a second a fast one leaves no frame in which the board lies still."""

WIDTH = 960
"""px; blur is measured at one width, so that cameras compare. A smaller picture is measured as it is."""

BLURRED = 1.2
"""px of WIDTH: the blur, as the deviation of a Gaussian, at which a six is a four. A camera that sees the whole board shows a die
14 px wide in that picture, and the three pips of a row lie a quarter of it apart: p = 3.5 px. Blur leaves exp(-2 (pi s / p)^2) of
their contrast; the tenth that a lens is commonly asked for is left at s = p sqrt(ln(10) / 2) / pi = 1.2."""

FINE, COARSE = 0.8, 1.6
"""px: the two blurs whose edges are compared. Finer takes grain for edges, coarser takes neighbours into one."""

STRONGEST = 0.2
"""Share of the edges that is measured; the others are texture and noise."""

BORDER = 8
"""px that are not looked at."""

FEWEST_EDGES = 50
"""With fewer there is nothing in the picture that could be sharp."""

DARK, BRIGHT = 30.0, 215.0
"""Mean brightness of 255. The darkest of the reference photographs, which are read, have 46."""

CLIPPED = 0.15
"""Share of pixels at 250 or more, beyond which glare hides checkers."""


@dataclass(frozen=True)
class PictureQuality:
    """width, height: px; fps: frames a second as they came, None for a single picture or a file; brightness: mean, of 255;
    clipped: share of white pixels; blur: see BLURRED, infinite where nothing is to be seen."""

    width: int
    height: int
    fps: float | None
    brightness: float
    clipped: float
    blur: float


def measure(image: Image, fps: float | None = None) -> PictureQuality:
    """What a picture is worth. image: (H, W, 3) uint8 BGR."""
    height, width = image.shape[:2]
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    if width > WIDTH:
        grey = cv2.resize(grey, (WIDTH, max(1, WIDTH * height // width)), interpolation=cv2.INTER_AREA)
    return PictureQuality(
        width, height, fps, float(grey.mean()), float((grey >= 250).mean()), blur_of(grey.astype(np.float32))
    )


def blur_of(grey: Plane) -> float:
    """How far the edges of a picture are smeared, px: the deviation of the Gaussian that makes a step an edge like theirs.

    grey: (H, W) float32. An edge smeared by s has its steepest slope in proportion to 1 / sqrt(s^2 + f^2) once it is blurred by f
    more; the ratio of two such slopes tells s, whatever the contrast (Zhuo and Sim, "Defocus map estimation from a single image",
    2011). The median edge counts: some lie on shadows, some beside others.
    """
    fine, coarse = _slope(grey, FINE), _slope(grey, COARSE)
    edges = _crests(fine) & _crests(coarse) & (coarse > 0)
    if np.count_nonzero(edges) < FEWEST_EDGES:
        return float("inf")
    edges &= coarse >= np.quantile(coarse[edges], 1 - STRONGEST)
    ratio = float(np.median(fine[edges] / coarse[edges]))
    if ratio <= 1:
        return float("inf")
    return float(np.sqrt(max(COARSE**2 - (ratio * FINE) ** 2, 0.0) / (ratio**2 - 1)))


def _slope(grey: Plane, blur: float) -> Plane:
    """(H, W) brightness a px, steepest direction, of the picture blurred by so much."""
    smooth = cv2.GaussianBlur(grey, (0, 0), blur)
    across, down = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, ksize=1), cv2.Sobel(smooth, cv2.CV_32F, 0, 1, ksize=1)
    return np.asarray(cv2.magnitude(across, down), np.float32)


def _crests(slope: Plane) -> npt.NDArray[np.bool_]:
    """(H, W): where a slope is steepest across an edge. Not at the picture's border, where blur has nothing to work on."""
    beside = np.ones((1, 3), np.uint8)
    crests = (slope >= cv2.dilate(slope, beside)) | (slope >= cv2.dilate(slope, beside.T))
    inside = np.zeros(slope.shape, np.bool_)
    inside[BORDER:-BORDER, BORDER:-BORDER] = True
    return np.asarray(crests & inside, np.bool_)


def examine(open_camera: Callable[[], FrameSource], clock: Callable[[], float] = time.monotonic) -> tuple[Finding, ...]:
    """Findings on the camera, its frame rate, light and focus; the camera is closed again."""
    try:
        source = open_camera()
    except SourceError as problem:
        return (_gone(problem),)
    try:
        quality = _watch(source.frames(), source.live, clock)
    except Exception as problem:  # Besides SourceError whatever OpenCV or the camera's library raises.
        return (_gone(problem),)
    finally:
        source.close()
    if quality is None:
        return (
            Finding(
                "camera",
                "problem",
                f"{source.name} gives no picture.",
                "Unplug it, plug it in again, and run this once more.",
            ),
        )
    return findings(source.name, quality)


def findings(name: str, quality: PictureQuality) -> tuple[Finding, ...]:
    """What the picture is worth, and what to do about it."""
    camera = Finding("camera", "ok", f"{name} gives pictures of {quality.width}x{quality.height}.")
    if quality.width < 1280:
        camera = Finding(
            "camera",
            "warning",
            camera.said,
            "Pips of the dice are small in this: ask for size = [1920, 1080] under [camera].",
        )
    return (camera, _rate(quality), _light(quality), _focus(quality))


def _gone(problem: Exception) -> Finding:
    if isinstance(problem, SourceError):
        return Finding("camera", "problem", str(problem))
    why = " ".join(str(problem).split())[:200] or type(problem).__name__
    return Finding(
        "camera", "problem", f"The camera's pictures can't be taken ({why}).", "Check the camera and its cable."
    )


def _watch(frames: Iterator[Frame], live: bool, clock: Callable[[], float]) -> PictureQuality | None:
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


def _rate(quality: PictureQuality) -> Finding:
    if quality.fps is None:
        return Finding("frame rate", "note", "A recording has no frame rate of its own here.")
    sentence = f"{quality.fps:.1f} frames a second."
    if quality.fps < TOO_SLOW_FPS:
        return Finding(
            "frame rate",
            "problem",
            sentence,
            "Choose a smaller size or give it more light: long exposures make a camera slow.",
        )
    if quality.fps < SLOW_FPS:
        return Finding(
            "frame rate", "warning", sentence, "Give it more light, or choose a smaller size under [camera]."
        )
    return Finding("frame rate", "ok", sentence)


def _light(quality: PictureQuality) -> Finding:
    sentence = f"Brightness {quality.brightness:.0f} of 255, {quality.clipped:.0%} of the picture white."
    if quality.brightness < DARK:
        return Finding("light", "problem", sentence, "It is too dark: put a lamp over the board.")
    if quality.brightness > BRIGHT or quality.clipped > CLIPPED:
        return Finding(
            "light",
            "warning",
            sentence,
            "There is glare: move the lamp or the camera, until nothing on the board shines.",
        )
    return Finding("light", "ok", sentence)


def _focus(quality: PictureQuality) -> Finding:
    sentence = f"Edges are blurred by {quality.blur:.1f} px of a picture {min(quality.width, WIDTH)} px wide; {BLURRED} may be."
    if not np.isfinite(quality.blur):
        sentence = "There is nothing in the picture that could be sharp: is the lens covered?"
    if quality.blur > BLURRED:
        return Finding(
            "focus",
            "warning",
            sentence,
            "Turn the lens until the dice are sharp, clean it, and set the camera's autofocus to the board.",
        )
    return Finding("focus", "ok", sentence)
