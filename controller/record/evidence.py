"""Pictures for what the referee said or doubts: the board before and after, and a short clip, kept beside the journal.

The camera's last minute waits in memory as small JPEGs (RecentFrames); a flag makes files of it (EvidenceFolder).
"""

from __future__ import annotations

import errno
import re
import tempfile
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from controller.record.owners import replace_file
from controller.record.retention import prune
from vision.board.shrinking import reduced
from vision.frame import Frame, Image
from vision.pictures.header import picture_size

CLIP_FPS = 5
"""Pictures a second that a clip is shown with."""

CLIP_GAP = 0.19
"""Seconds between two pictures of a clip at least: every third frame of a camera at 15 fps. A hand that moves a checker is
over the board for about a second."""

CLIP_WIDTH = 640
"""px. A checker is 20 px wide then, and its colour and column are plain."""

WHOLE_GAP = 1.0
"""Seconds between two whole pictures of a board at rest at least; nothing changes on it meanwhile."""

WHOLE_WIDTH = 1280
"""px; wider pictures are made smaller."""

CLIP_QUALITY, WHOLE_QUALITY = 75, 85
"""Of JPEG. Figures with these sizes and qualities: benchmarks/evidence.csv."""

CLIP_MEMORY = 8 << 20
"""Bytes of small pictures in memory: 28 kB each, so about a minute."""

WHOLE_MEMORY = 24 << 20
"""Bytes of whole pictures in memory: 130 kB each, so three minutes of a board at rest; the next play ends that."""

CLIP_SECONDS = 8.0
"""How long a clip is: a turn with its dice takes five."""

DISK_CAP = 500 << 20
"""Bytes that all evidence may take on the disk; beyond it the oldest goes. A flag takes 1.2 MB: about 400 of them."""

_MATCH = re.compile(r"^[A-Za-z0-9_-]{1,80}$")


@dataclass(frozen=True)
class KeptFrame:
    """A picture in memory: JPEG bytes, and the time of its frame in seconds."""

    seconds: float
    jpeg: bytes


@dataclass
class _Ring:
    """The newest frames that fit into so many bytes."""

    memory: int
    kept: deque[KeptFrame] = field(default_factory=deque)
    held: int = 0

    def put(self, frame: KeptFrame) -> None:
        self.kept.append(frame)
        self.held += len(frame.jpeg)
        while self.held > self.memory and len(self.kept) > 1:
            self.held -= len(self.kept.popleft().jpeg)

    def is_due(self, seconds: float, gap: float) -> bool:
        return not self.kept or not 0 <= seconds - self.kept[-1].seconds < gap


def as_it_is(frame: Frame) -> Frame:
    """Nothing else is read than what came."""
    return frame


class RecentFrames:
    """What the camera saw lately, in bounded memory. For one thread."""

    def __init__(self, clip_memory: int = CLIP_MEMORY, whole_memory: int = WHOLE_MEMORY) -> None:
        self._clip, self._whole = _Ring(clip_memory), _Ring(whole_memory)

    def add(self, frame: Frame, *, still: bool = False, as_read: Callable[[Frame], Frame] = as_it_is) -> None:
        """Remember a frame, or pass it over where the last one is as good; call it for every frame.

        still: the board lies still and uncovered, so that the frame can be the picture before or after something; as_read: makes of
        it what is read then.
        """
        if self._clip.is_due(frame.seconds, CLIP_GAP):
            self._clip.put(KeptFrame(frame.seconds, to_jpeg(frame.image, CLIP_WIDTH, CLIP_QUALITY)))
        if still and self._whole.is_due(frame.seconds, WHOLE_GAP):
            self._whole.put(KeptFrame(frame.seconds, to_jpeg(as_read(frame).image, WHOLE_WIDTH, WHOLE_QUALITY)))

    def at(self, seconds: float) -> KeptFrame | None:
        """The newest whole picture not later than that, else the oldest there is; None before the first."""
        kept = self._whole.kept
        place = bisect_right(kept, seconds, key=lambda frame: frame.seconds)
        return kept[max(place - 1, 0)] if kept else None

    def clip(self, until: float) -> tuple[KeptFrame, ...]:
        """The small pictures of the last CLIP_SECONDS up to a time."""
        return tuple(frame for frame in self._clip.kept if until - CLIP_SECONDS <= frame.seconds <= until)

    @property
    def held(self) -> int:
        """Bytes in memory."""
        return self._clip.held + self._whole.held


@dataclass(frozen=True)
class EvidenceFiles:
    """The files of one flag or doubtful turn; None for one that there is none of."""

    before: Path | None
    after: Path | None
    clip: Path | None

    def __iter__(self) -> Iterator[Path]:
        return (path for path in (self.before, self.after, self.clip) if path is not None)


class EvidenceFolder:
    """A folder of evidence, found by match and name. Nothing here raises for a disk that can't take it: the game goes on.

    tell: takes the sentence when something could not be kept.
    """

    def __init__(
        self, folder: Path | str, cap: int = DISK_CAP, tell: Callable[[str], None] = lambda sentence: None
    ) -> None:
        self.folder = Path(folder)
        self._cap, self._tell = cap, tell
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="evidence")
        self._last: Future[None] | None = None

    def keep(
        self,
        match: str,
        what: int | str,
        before: KeptFrame | None,
        after: KeptFrame | None,
        clip: Sequence[KeptFrame] = (),
    ) -> tuple[str, ...]:
        """Write the pictures of something, in a thread of its own, and return the names that the files will have.

        match: as in the journal. what: the number of the event `Flagged`, or a name. Raises ValueError for a match or a name
        with other characters than letters, digits, - and _.
        """
        names = _names(match, what)
        kept = {name: picture for name, picture in zip(names, (before, after, clip or None), strict=True) if picture}
        self._last = self._pool.submit(self._write, kept)
        return tuple(kept)

    def find(self, match: str, what: int | str) -> EvidenceFiles:
        """Those of its files that are there."""
        if not _MATCH.match(match):
            return EvidenceFiles(None, None, None)
        paths = (self.folder / name for name in _names(match, what))
        return EvidenceFiles(*(path if path.is_file() else None for path in paths))

    def wait(self) -> None:
        """Until everything is written that was to be kept so far."""
        if self._last is not None:
            self._last.result()

    def close(self) -> None:
        """Write what is waiting and stop the thread."""
        self._pool.shutdown()

    def _write(self, pictures: dict[str, KeptFrame | Sequence[KeptFrame]]) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            for name, picture in pictures.items():
                data = picture.jpeg if isinstance(picture, KeptFrame) else to_webm(picture)
                replace_file(self.folder / name, data)
            prune(self.folder, self._cap, pictures)
        except (OSError, cv2.error, MemoryError) as error:
            why = getattr(error, "strerror", None) or type(error).__name__
            self._tell(f"The pictures for this can't be kept in {self.folder}: {why}. The game goes on without them.")


def _names(match: str, what: int | str) -> tuple[str, str, str]:
    name = f"{what:04d}" if isinstance(what, int) else what
    if not _MATCH.match(match) or not _MATCH.match(name):
        raise ValueError(f"{match!r}, {name!r} are no names that files can have.")
    return f"{match}-{name}-before.jpg", f"{match}-{name}-after.jpg", f"{match}-{name}-clip.webm"


def to_webm(kept: Sequence[KeptFrame]) -> bytes:
    """Pictures as a film of CLIP_FPS in real time: VP8 in WebM. Pictures of another size than the last are left out.

    Every browser plays it with its own buttons, and OpenCV's wheels carry the encoder on x86 and on the Pi. Measured
    beside it on the same pictures (benchmarks/evidence.csv): Motion JPEG and MPEG-4 play in no browser, H.264 has no
    encoder there, VP9 takes eight times the time, GIF four times the bytes; animated WebP leaves out what changes
    slowly, and AVIF is small and quick, but no player of films opens it. Raises OSError where there is no encoder.
    """
    size = picture_size(kept[-1].jpeg) or (0, 0)
    shown = [frame for frame in kept if picture_size(frame.jpeg) == size]
    with tempfile.TemporaryDirectory(prefix="vrhcab-clip-") as folder:
        path = Path(folder) / "clip.mkv"
        film = cv2.VideoWriter(str(path), cv2.CAP_FFMPEG, cv2.VideoWriter.fourcc(*"VP80"), CLIP_FPS, size)
        if not film.isOpened():
            raise OSError(errno.ENOSYS, "this OpenCV has no encoder for VP8")
        for picture in _paced(shown):
            film.write(picture)
        film.release()
        # OpenCV complains on the terminal when the ending is .webm. WebM is Matroska by another name: the header's
        # DocType, with a Void element in what the longer name took (matroska.org/technical/elements.html).
        return path.read_bytes().replace(b"\x42\x82\x88matroska", b"\x42\x82\x84webm\xec\x82\0\0", 1)


def _decoded(frame: KeptFrame) -> Image:
    image = cv2.imdecode(np.frombuffer(frame.jpeg, np.uint8), cv2.IMREAD_COLOR)
    if image is None:
        raise OSError(errno.EILSEQ, "a picture in memory is damaged")
    return image  # type: ignore[return-value]  # the flag asks for 8-bit BGR


def _paced(shown: Sequence[KeptFrame]) -> Iterator[Image]:
    """The picture to see at every step of the film: frames that came late leave the one before them standing.

    One is decoded at a time: all of a clip's would be 28 MB.
    """
    start, place = shown[0].seconds, 0
    picture = _decoded(shown[0])
    for step in range(round((shown[-1].seconds - start) * CLIP_FPS) + 1):
        before = place
        while place + 1 < len(shown) and shown[place + 1].seconds <= start + (step + 0.5) / CLIP_FPS:
            place += 1
        picture = picture if place == before else _decoded(shown[place])
        yield picture


def to_jpeg(image: Image, width: int, quality: int) -> bytes:
    """A picture as JPEG, made smaller where it is wider than `width` px. image: (H, W, 3) uint8 BGR."""
    if image.shape[1] > width:
        image = reduced(image, image.shape[1] // width)  # In a quarter of the time.
    if image.shape[1] > width:
        height = max(round(image.shape[0] * width / image.shape[1]), 1)
        image = cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()
