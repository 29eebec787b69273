"""Frames from files: a video, or a folder of pictures. They end, and everything about them is known beforehand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from vision.frame import Frame
from vision.outside import FileRefused, check_regular, is_readable
from vision.pictures.files import PictureError, load_picture
from vision.pictures.quiet import quiet_opencv
from vision.sources.base import SourceError

PICTURE_ENDINGS = frozenset({".bmp", ".jpeg", ".jpg", ".png", ".webp"})

FOLDER_FPS = 1.0
"""Pictures a second where nobody says: a folder holds key frames, a second apart."""

TEXT_BYTES = 4096
"""Of a file, to tell whether it is a text."""

VIDEO_FPS = 30.0
"""For videos whose header says nothing sensible about their rate."""


def natural_key(name: str) -> tuple[tuple[int, int, str], ...]:
    """Sort key by which "frame_10" comes after "frame_9", ignoring case, with digits before letters."""
    parts = re.findall(r"[0-9]+|[^0-9]+", name.casefold())
    return tuple((0, int(part), "") if part[0] in "0123456789" else (1, 0, part) for part in parts)


class FolderSource:
    """The pictures of a folder in natural name order, each 1/fps seconds after the one before.

    Raises:
        SourceError: no such folder, it can't be read, or no picture is in it.
    """

    live = False

    def __init__(self, folder: Path, fps: float = FOLDER_FPS) -> None:
        self.name = f"The folder {str(folder)!r}"
        self._seconds_apart = 1.0 / fps
        self._pictures = _pictures_in(folder, self.name)

    @property
    def total(self) -> int:
        """How many pictures were there when the folder was opened."""
        return len(self._pictures)

    def frames(self) -> Iterator[Frame]:
        """One frame a picture, named after its file. Raises SourceError where a picture can't be read."""
        for index, path in enumerate(self._pictures):
            try:
                image = load_picture(path)
            except PictureError as error:
                raise SourceError(str(error)) from error
            yield Frame(image, index * self._seconds_apart, path.name)

    def close(self) -> None:
        """Nothing is held open."""


def _pictures_in(folder: Path, name: str) -> list[Path]:
    if not folder.exists():
        raise SourceError(f"{name} is not there. Check the path after 'frames:'.")
    if not folder.is_dir():
        raise SourceError(f"{name} is a file, not a folder. Use 'video:{folder}' if it is a video.")
    try:
        pictures = [path for path in folder.iterdir() if path.suffix.lower() in PICTURE_ENDINGS and path.is_file()]
    except OSError as error:
        raise SourceError(f"{name} can't be read ({error.strerror}). Check its permissions.") from error
    if not pictures:
        endings = ", ".join(sorted(PICTURE_ENDINGS))
        raise SourceError(f"{name} holds no pictures. Put the frames there as {endings} files, named in their order.")
    return sorted(pictures, key=lambda path: (natural_key(path.name), path.name))


class VideoSource:
    """A video file, read from its beginning; frames carry the video's own time.

    fps: hand on at most so many frames a second of the video; None hands on all.

    Raises:
        SourceError: no such file, no video, or a video without a single frame.
    """

    live = False

    def __init__(self, path: Path, fps: float | None = None) -> None:
        self.name = f"The video {str(path)!r}"
        self._capture = _open_video(path, self.name)
        rate = float(self._capture.get(cv2.CAP_PROP_FPS))
        self._rate = rate if 0 < rate < 1000 else VIDEO_FPS
        # Half a frame's tolerance: asking a 10 fps video for 10 fps must not lose frames to rounding.
        self._seconds_apart = 0.0 if fps is None else 1.0 / fps - 0.5 / self._rate
        read, first = self._capture.read()
        if not read:
            self.close()
            raise SourceError(f"{self.name} holds no frames. Record it again, or check that the copy is whole.")
        self._first = np.asarray(first, np.uint8)
        count = int(self._capture.get(cv2.CAP_PROP_FRAME_COUNT))
        self._count: int | None = max(count, 1) if 0 < count < 2**31 else None
        self._thinned = fps is not None and fps < self._rate
        self._fps = fps

    @property
    def total(self) -> int | None:
        """How many frames will come, by the file's header; None where the header does not say."""
        if self._count is None or not self._thinned or self._fps is None:
            return self._count
        return max(1, round(self._count * self._fps / self._rate))

    def frames(self) -> Iterator[Frame]:
        """The video's frames until it ends."""
        yield Frame(self._first, 0.0)
        seconds, handed_on = 0.0, 0.0
        while self._capture.grab():
            stamp = float(self._capture.get(cv2.CAP_PROP_POS_MSEC)) / 1000
            # Some containers tell no time, or the same time twice; time must grow.
            seconds = stamp if stamp > seconds else seconds + 1 / self._rate
            if seconds - handed_on < self._seconds_apart:
                continue
            read, image = self._capture.retrieve()
            if not read:
                return
            handed_on = seconds
            yield Frame(np.asarray(image, np.uint8), seconds)

    def close(self) -> None:
        """Close the file."""
        self._capture.release()


def _is_text(path: Path) -> bool:
    """FFmpeg draws texts as a terminal would, for minutes, and follows lists of other files and addresses; no video is without a
    zero byte at its beginning. Raises FileRefused, OSError."""
    check_regular(path)
    with path.open("rb") as file:
        return b"\0" not in file.read(TEXT_BYTES)


def _open_video(path: Path, name: str) -> cv2.VideoCapture:
    if not path.exists():
        raise SourceError(f"{name} is not there. Check the path after 'video:'.")
    if path.is_dir():
        raise SourceError(f"{name} is a folder. Use 'frames:{path}' if it holds pictures.")
    try:
        text = _is_text(path)
    except (FileRefused, OSError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise SourceError(f"{name} can't be read ({why}). Give the file of a video.") from error
    no_video = f"{name} is no video that can be read. Try it in a video player; MP4, MKV, AVI and WebM work here."
    if text:
        raise SourceError(no_video)
    if not is_readable(str(path)):
        raise SourceError(f"{name} has a name that is no readable text. Rename it.")
    with quiet_opencv():
        # FFmpeg alone: other readers take a name with digits for a series of pictures.
        capture = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
    if not capture.isOpened():
        raise SourceError(no_video)
    return capture
