"""Opens a source by its text, as the configuration and the command line name it."""

from __future__ import annotations

import math
import re
from pathlib import Path

from vision.outside import FileRefused, named_path
from vision.sources.base import FrameSource, SourceError
from vision.sources.cameras import USUAL, CameraSource, CameraWishes, PicameraSource, device_path
from vision.sources.files import FOLDER_FPS, FolderSource
from vision.sources.lens import StraightSource, load_lens

KINDS = "video:FILE, frames:FOLDER, camera:0, camera:/dev/v4l/by-id/NAME or picamera"
"""The texts that open_source takes, for sentences and help."""

MOST_DIGITS = 9
"""Of a camera's number: OpenCV's have 32 bits."""

NUMBERED = re.compile(r"camera:(?:0*|/dev/video)(0|[1-9][0-9]*)")
"""A camera by its number, which is that of the device OpenCV opens."""


def open_source(
    text: str,
    *,
    fps: float | None = None,
    size: tuple[int, int] | None = None,
    wishes: CameraWishes = USUAL,
    news_only: bool = False,
    start: float = 0.0,
) -> FrameSource:
    """The source that text names.

    fps: frames a second: asked of a camera, the spacing of a folder's pictures, about the most that a film hands on.
    size: (width, height) px asked of a camera; files come as they are. wishes: what else is asked of a camera.
    news_only: of a film only what shows something new, and a frame now and then; start: seconds of a film to leave out.

    Raises:
        SourceError: text names no kind of source, or the source can't be opened.
    """
    if fps is not None and not (math.isfinite(fps) and fps > 0):
        raise SourceError(f"{fps} frames a second can't be; give a number above 0.")
    kind, _, rest = text.strip().partition(":")
    match kind.strip(), rest.strip():
        case "picamera", "":
            return PicameraSource(size, fps, wishes)
        case "video", file if file:
            # Loaded only here: FFmpeg takes 17 MB and 80 ms that whoever watches a camera has no use for.
            from vision.sources.video import VideoSource

            return VideoSource(_path(file), fps, news_only=news_only, start=start)
        case "frames", folder if folder:
            return FolderSource(_path(folder), fps or FOLDER_FPS)
        case "camera", number if number.isascii() and number.isdigit() and len(number) <= MOST_DIGITS:
            return CameraSource(int(number), size, fps, wishes)
        case "camera", device if device.startswith("/"):
            return CameraSource(device, size, fps, wishes)
    raise SourceError(f"{text!r} is no source of frames. Use {KINDS}.")


def spelled_once(text: str) -> str:
    """The one spelling of all that mean the same source: "camera:0" for "camera: 00" and "camera:/dev/video0" too. A link to a
    device keeps its name: what it leads to, and whose number that is, changes as cameras are plugged in."""
    kind, colon, rest = text.partition(":")
    plain = f"{kind.strip()}{colon}{rest.strip()}"
    numbered = NUMBERED.fullmatch(plain)
    return f"camera:{numbered[1]}" if numbered else plain


def device_of(text: str) -> Path | None:
    """The file of the device that a text for a source names; None where it names none."""
    kind, _, rest = spelled_once(text).partition(":")
    return device_path(rest) if kind == "camera" else None


def _path(text: str) -> Path:
    try:
        return named_path(text)
    except FileRefused as error:
        raise SourceError(f"{text!r} can't be read: {error}. Write the whole path.") from error


def open_straight(
    text: str,
    lens: Path | None,
    *,
    fps: float | None = None,
    size: tuple[int, int] | None = None,
    wishes: CameraWishes = USUAL,
    news_only: bool = False,
    start: float = 0.0,
) -> FrameSource:
    """The source that text names, its frames straightened where a lens file is given. Raises SourceError."""
    measured = load_lens(lens) if lens is not None else None
    source = open_source(text, fps=fps, size=size, wishes=wishes, news_only=news_only, start=start)
    return StraightSource(source, measured) if measured is not None else source
