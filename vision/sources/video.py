"""Films, by PyAV: FFmpeg's own decoders, of which nothing is asked that nobody will look at.

A picture that is not handed on is never made into colours; one on which no other builds is not even decoded, where fewer are
wanted than the film has. docs/dependencies.md says why this is not OpenCV.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
from av.video.frame import VideoFrame
from av.video.stream import VideoStream

from vision.frame import Frame, Image
from vision.outside import FileRefused, check_regular, is_readable
from vision.sources.base import SourceError
from vision.sources.news import Grey, News, small_grey

TEXT_BYTES = 4096
"""Of a file, to tell whether it is a text."""

USUAL_FPS = 30.0
"""For films whose header says nothing sensible about their rate."""

SPARE = 2.0
"""A film with so many times the frames that are wanted may leave out those on which no other builds: at most three in four."""
TOO_SPARSE = 1.6
"""Frames that come so many times farther apart than wanted: too many were left out, and all are decoded from there on."""

MAY_BEGIN_ANEW = 0x0200
"""FFmpeg's AVFMT_TS_DISCONT: the clock of a file in such a container may."""
TELLS_NO_TIME = 0x0080
"""FFmpeg's AVFMT_NOTIMESTAMPS: a bare stream, as the Pi's camera writes; its pictures are counted, none may be left out."""
ONLY_FILES = {"protocol_whitelist": "file"}
"""No container may name an address, or a list of other files, that FFmpeg then opens."""


class VideoSource:
    """A video file, read from its beginning; frames carry the film's own time, upright as it is meant to be shown, all of the size
    of the first.

    fps: hand on about so many frames a second, closer than that by half a frame of the film at most; None hands on all. news_only:
    of those only what shows something new, and one now and then. start: begin at so many seconds.

    Raises:
        SourceError: no such file, no video, or a video without a single frame.
    """

    live = False

    def __init__(self, path: Path, fps: float | None = None, *, news_only: bool = False, start: float = 0.0) -> None:
        self.name = f"The video {str(path)!r}"
        self._container, self._stream = _open(path, self.name)
        rate = float(self._stream.average_rate or self._stream.guessed_rate or 0)
        self._rate = rate if 0 < rate < 1000 else USUAL_FPS
        self._fps = fps if fps is not None and fps < self._rate else None
        self._news = News() if news_only else None
        # Half a frame's tolerance: asking a 10 fps video for 10 fps must not lose frames to rounding.
        self._apart = 0.0 if fps is None else 1.0 / fps - 0.5 / self._rate
        self._begin = float((self._stream.start_time or 0) * (self._stream.time_base or Fraction(0)))
        self._start = start
        self._size: tuple[int, int] | None = None
        # Where films were joined the clock may have begun anew: only who has seen all that is before knows where a second lies.
        flags = self._container.format.flags
        if start > 0 and not flags & (MAY_BEGIN_ANEW | TELLS_NO_TIME):
            self._seek(start)
        elif self._fps is not None and self._rate >= SPARE * self._fps and not flags & TELLS_NO_TIME:
            self._stream.codec_context.skip_frame = "NONREF"
        self._decoded = self._frames_of_file()
        self._first = next(self._decoded, None)
        if self._first is None:
            self.close()
            raise SourceError(f"{self.name} holds no frames. Record it again, or check that the copy is whole.")

    @property
    def total(self) -> int | None:
        """About how many frames will come, by the file's header; None where the header does not say, or nobody can know."""
        if self._news is not None:
            return None
        count = self._stream.frames or round((self.duration or 0) * self._rate)
        if count <= 0:
            return None
        return count if self._fps is None else max(1, round(count * self._fps / self._rate))

    @property
    def duration(self) -> float | None:
        """Seconds that the film lasts, by its header; None where that does not say."""
        if self._stream.duration is not None and self._stream.time_base is not None:
            return float(self._stream.duration * self._stream.time_base)
        return None if self._container.duration is None else self._container.duration / av.time_base

    def frames(self) -> Iterator[Frame]:
        """The video's frames until it ends, or until nothing more of it can be read."""
        pictures = self._timed()
        if self._news is not None:
            pictures = self._news.of(pictures, lambda picture: small_grey(_luma(picture)))
        for picture, seconds in pictures:
            yield Frame(_in_size(_upright(picture), self._size or _upright_size(picture)), seconds)

    def close(self) -> None:
        """Close the file."""
        self._container.close()

    def _timed(self) -> Iterator[tuple[VideoFrame, float]]:
        """The pictures from the start on, no closer than is wanted, each with its seconds."""
        clock, before = _Clock(self._begin, 1 / self._rate), float("-inf")
        for picture in self._all():
            seconds = clock.time_of(picture)
            self._size = self._size or _upright_size(picture)
            if seconds < self._start or seconds - before < self._apart:
                continue
            if self._apart and before >= 0 and seconds - before > TOO_SPARSE * (self._apart + 0.5 / self._rate):
                self._stream.codec_context.skip_frame = "DEFAULT"
            before = seconds
            yield picture, seconds

    def _all(self) -> Iterator[VideoFrame]:
        if self._first is not None:
            first, self._first = self._first, None
            yield first
        yield from self._decoded

    def _seek(self, seconds: float) -> None:
        """To the last picture before that time from which decoding can begin; a container that can't is read from its beginning."""
        base = self._stream.time_base
        if base:
            with suppress(av.FFmpegError):
                self._container.seek(int((self._begin + seconds) / base), stream=self._stream)

    def _frames_of_file(self) -> Iterator[VideoFrame]:
        """Everything that can be decoded. A damaged piece is left out; where the file breaks off, the film ends."""
        packets = self._container.demux(self._stream)
        while True:
            try:
                packet = next(packets)
            except IndexError:
                # Another stream begins here, as sound that comes late, or a damaged piece that looks like one: PyAV counted its
                # streams when it began to read, so it begins from here.
                packets = self._container.demux(self._stream)
                continue
            except (StopIteration, av.FFmpegError):
                return
            try:
                pictures = packet.decode()
            except av.FFmpegError:
                continue
            for picture in pictures:
                if isinstance(picture, VideoFrame):
                    yield picture


class _Clock:
    """When a film's pictures are shown, in seconds from its beginning: that grows, whatever the file says.

    apart: seconds between two pictures of which the file tells no time, or the same.
    """

    def __init__(self, begin: float, apart: float) -> None:
        self._begin, self._apart = begin, apart
        self._seconds = float("-inf")
        self._behind: float | None = None

    def time_of(self, picture: VideoFrame) -> float:
        """The next picture's."""
        told = None if picture.time is None else picture.time - self._begin
        if told is not None and self._behind is not None and self._behind < told <= self._seconds:
            # It goes on from there: the clock was set back, as where films are joined. One picture alone says nothing.
            back = self._seconds - self._behind
            self._begin, told = self._begin - back, told + back
        if told is not None and told > self._seconds:
            self._seconds, self._behind = told, None
        else:
            self._seconds, self._behind = max(self._seconds + self._apart, 0.0), told
        return self._seconds


def _luma(picture: VideoFrame) -> Grey:
    """(H, W) uint8: the picture's brightness, as the decoder has left it where that is what it holds."""
    format_ = picture.format
    if not format_.is_planar or format_.is_rgb or format_.components[0].bits != 8:
        picture = picture.reformat(format="gray")
    plane: Any = picture.planes[0]  # A buffer, which the library's types say only since 19.
    rows = np.frombuffer(plane, np.uint8).reshape(-1, plane.line_size)
    return np.asarray(rows[: picture.height, : picture.width], np.uint8)


def _upright_size(picture: VideoFrame) -> tuple[int, int]:
    """(width, height) px of the picture as it is to be shown."""
    lies = round(picture.rotation / 90) % 2
    return (picture.height, picture.width) if lies else (picture.width, picture.height)


def _upright(picture: VideoFrame) -> Image:
    """(H, W, 3) uint8 BGR, turned as the file says that it is to be shown."""
    image = picture.to_ndarray(format="bgr24")
    quarters = round(picture.rotation / 90) % 4
    return np.ascontiguousarray(np.rot90(image, quarters) if quarters else image, np.uint8)


def _in_size(image: Image, size: tuple[int, int]) -> Image:
    """The picture as a player shows it in a window of (width, height) px, with black bars where its shape is another."""
    height, width = image.shape[:2]
    if (width, height) == size:
        return image
    scale = min(size[0] / width, size[1] / height)
    inner = min(round(width * scale), size[0]), min(round(height * scale), size[1])
    shown = np.zeros((size[1], size[0], 3), np.uint8)
    top, left = (size[1] - inner[1]) // 2, (size[0] - inner[0]) // 2
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    shown[top : top + inner[1], left : left + inner[0]] = cv2.resize(image, inner, interpolation=how)
    return shown


def _open(path: Path, name: str) -> tuple[av.container.InputContainer, VideoStream]:
    if not path.exists():
        raise SourceError(f"{name} is not there. Check the path.")
    if path.is_dir():
        raise SourceError(f"{name} is a folder. Use 'frames:{path}' if it holds pictures.")
    try:
        text = _is_text(path)
    except (FileRefused, OSError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise SourceError(f"{name} can't be read ({why}). Give the file of a video.") from error
    no_video = f"{name} is no video that can be read. Try it in a video player; MP4, MOV, MKV, AVI and WebM work here."
    if text:
        raise SourceError(no_video)
    if not is_readable(str(path)):
        raise SourceError(f"{name} has a name that is no readable text. Rename it.")
    try:
        container = av.open(f"file:{path}", options=ONLY_FILES)
    except (av.FFmpegError, ValueError) as error:
        raise SourceError(no_video) from error
    # A cover picture is a stream of one frame beside the film. Of what no decoder here reads PyAV has no context, though its types
    # say so.
    films = [
        stream
        for stream in container.streams.video
        if getattr(stream, "codec_context", None) is not None
        and not stream.disposition & av.stream.Disposition.attached_pic
    ]
    if not films:
        container.close()
        raise SourceError(no_video)
    stream = max(films, key=lambda one: one.codec_context.width * one.codec_context.height)
    stream.thread_type = "NONE"
    return container, stream


def _is_text(path: Path) -> bool:
    """FFmpeg draws texts as a terminal would, for minutes, and follows lists of other files and addresses; no video is without a
    zero byte at its beginning. Raises FileRefused, OSError."""
    check_regular(path)
    with path.open("rb") as file:
        return b"\0" not in file.read(TEXT_BYTES)
