"""A lens that bends straight lines: measured from pictures of a chessboard, undone in every frame.

Model: Brown and Conrady's, as OpenCV's calibrateCamera has it (radial k1 k2 k3, tangential p1 p2). Where a lens is given, all
corners, given or reported, are those in the straightened picture.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from vision.frame import Frame, Image
from vision.outside import FileRefused, read_regular
from vision.pictures.paper import PaperSheet
from vision.sentence import Sentence
from vision.sources.base import FrameSource, SourceError

INNER = (9, 6)
"""Inner corners of the printed chessboard, across and down."""
FEWEST = 5
"""Pictures below which the focal length and the bend can't be told apart."""
LEAST_COVERED = 0.25
"""of a picture, by the outline of all chessboards in it. Of drawn ones, found to 0.15 px, those that cover a half leave its corners
up to 11 px off; those that cover a third, what lies well inside up to 6 px; those that cover a seventh, hundreds."""
WORST_ERROR = 1.5
"""px of mean reprojection error above which the pictures were not of one camera, or blurred."""
SHEET_MM = (297, 210)
SQUARE_MM = 20.0
MAX_BYTES = 1 << 16
"""Of a lens file; one has 400."""
MAX_PIXELS = 25_000_000
"""Of a picture that measures a lens or is straightened: what is found or moved pixel by pixel takes three times its memory.
No camera that watches a board gives more."""
HOW = (
    "Glue it to something flat. Take ten sharp pictures with the camera set as it will watch the board: "
    "near and far, in every corner, tilted."
)


class LensError(SourceError):
    """A lens that can't be measured or read; the sentence says what to do."""


# Far wider than any lens: of chessboards that nobody has tilted a focal length of a hundred pictures' widths comes out, and bends
# of thousands with it, which move next to nothing.
_Focal = Annotated[float, msgspec.Meta(ge=1, le=1e9)]
_Centre = Annotated[float, msgspec.Meta(ge=-1e9, le=1e9)]
_Bend = Annotated[float, msgspec.Meta(ge=-1e15, le=1e15)]


class Lens(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """size: (width, height) px of the pictures measured; focal: (fx, fy) and centre: (cx, cy) px; bend: k1 k2 p1 p2 k3.

    error: mean reprojection error, px.
    """

    size: tuple[Annotated[int, msgspec.Meta(gt=0, le=1 << 16)], Annotated[int, msgspec.Meta(gt=0, le=1 << 16)]]
    focal: tuple[_Focal, _Focal]
    centre: tuple[_Centre, _Centre]
    bend: tuple[_Bend, _Bend, _Bend, _Bend, _Bend]
    error: float = 0.0

    def straightened(self, image: Image) -> Image:
        """The picture as a lens without bend would have taken it, of the same size. image: (H, W, 3) uint8 BGR."""
        across, down = _maps(self, image.shape[1], image.shape[0])
        return np.asarray(cv2.remap(image, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8)


@lru_cache(maxsize=4)
def _maps(lens: Lens, width: int, height: int) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.uint16]]:
    """Where each straightened pixel comes from. Raises LensError for a picture of another shape."""
    if width * height > MAX_PIXELS:
        raise LensError(
            Sentence(
                "A picture of {width} x {height} pixels is too large to be straightened. Make it smaller.",
                width=width,
                height=height,
            )
        )
    scale = width / lens.size[0]
    if abs(height - lens.size[1] * scale) > 2:
        raise LensError(
            Sentence(
                "The lens was measured with pictures of {width} x {height} pixels; this one has {width_now} x {height_now}. "
                "Measure it again with this camera's pictures.",
                width=lens.size[0],
                height=lens.size[1],
                width_now=width,
                height_now=height,
            )
        )
    matrix = _matrix(lens, scale)
    # Fixed-point maps: 5 ms for a 1280 x 720 frame on one core, half of what float maps take.
    maps = cv2.initUndistortRectifyMap(matrix, np.array(lens.bend), None, matrix, (width, height), cv2.CV_16SC2)
    return np.asarray(maps[0], np.int16), np.asarray(maps[1], np.uint16)


def _matrix(lens: Lens, scale: float = 1.0) -> npt.NDArray[np.float64]:
    (fx, fy), (cx, cy) = lens.focal, lens.centre
    return np.array([[fx * scale, 0, cx * scale], [0, fy * scale, cy * scale], [0, 0, 1]])


def measured(pictures: Iterable[Image]) -> Lens:
    """The lens, from pictures of the printed chessboard at different places and angles, looked at one by one. Raises LensError."""
    size, found = _chessboards(pictures)
    grid = np.zeros((INNER[0] * INNER[1], 3), np.float32)
    grid[:, :2] = np.mgrid[: INNER[0], : INNER[1]].T.reshape(-1, 2)
    error, matrix, bend, _, _ = cv2.calibrateCamera([grid] * len(found), found, size, None, None)
    if error > WORST_ERROR:
        raise LensError(
            f"The pictures do not fit one lens (off by {error:.1f} pixels). Take sharper ones, with the zoom fixed."
        )
    k = [float(value) for value in np.ravel(bend)[:5]]
    return Lens(
        size=size,
        focal=(float(matrix[0, 0]), float(matrix[1, 1])),
        centre=(float(matrix[0, 2]), float(matrix[1, 2])),
        bend=(k[0], k[1], k[2], k[3], k[4]),
        error=float(error),
    )


def _chessboards(pictures: Iterable[Image]) -> tuple[tuple[int, int], list[npt.NDArray[np.float32]]]:
    """(width, height) px of all pictures, and the inner corners wherever one is seen. Raises LensError where they don't suffice."""
    size: tuple[int, int] | None = None
    count, found = 0, list[npt.NDArray[np.float32]]()
    for picture in pictures:
        own = (picture.shape[1], picture.shape[0])
        if own != (size := size or own):
            raise LensError(
                "The pictures have different sizes. Take all of them with the camera as it will watch the board."
            )
        count += 1
        if (corners := _chessboard(picture)) is not None:
            found.append(corners)
    if size is None:
        raise LensError("There is no picture to measure the lens by.")
    if len(found) < FEWEST:
        raise LensError(
            f"The whole chessboard is seen in {len(found)} of {count} pictures; {FEWEST} are needed. "
            "Keep it flat and sharp, fill much of the picture, and tilt it differently each time."
        )
    covered = cv2.contourArea(cv2.convexHull(np.concatenate(found))) / (size[0] * size[1])
    if covered < LEAST_COVERED:
        raise LensError(
            f"All the chessboards together cover {covered:.0%} of the picture: how the lens bends the rest is not seen. "
            "Take some more, closer, and with it in each corner of the picture."
        )
    return size, found


def _chessboard(picture: Image) -> npt.NDArray[np.float32] | None:
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    found, corners = cv2.findChessboardCornersSB(grey, INNER)
    return np.asarray(corners, np.float32) if found else None


def load_lens(path: Path) -> Lens:
    """The lens in a file that holds a `lens_file`. Raises LensError."""
    try:
        return msgspec.json.decode(read_regular(path, MAX_BYTES), type=Lens)
    except FileRefused as error:
        raise LensError(
            Sentence("The lens file {path} can't be read ({why}). Check the path.", path=repr(str(path)), why=error)
        ) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise LensError(
            Sentence("{path} is no lens file ({why}). Make one with vrhcab calibrate.", path=repr(str(path)), why=error)
        ) from error


def lens_file(lens: Lens) -> bytes:
    """The lens as JSON, to be read by `load_lens`."""
    return msgspec.json.format(msgspec.json.encode(lens), indent=2) + b"\n"


@dataclass(frozen=True)
class StraightSource:
    """A source whose frames come straightened."""

    source: FrameSource
    lens: Lens

    @property
    def name(self) -> str:
        """As the source's."""
        return self.source.name

    @property
    def live(self) -> bool:
        """As the source's."""
        return self.source.live

    @property
    def total(self) -> int | None:
        """As the source's."""
        return self.source.total

    @property
    def duration(self) -> float | None:
        """As the source's."""
        return self.source.duration

    def frames(self) -> Iterator[Frame]:
        """The source's frames, straightened. Raises SourceError, and LensError for frames of another shape."""
        for frame in self.source.frames():
            yield Frame(self.lens.straightened(frame.image), frame.seconds, frame.name)

    def close(self) -> None:
        """Gives the device or file back."""
        self.source.close()


def chessboard_sheet() -> str:
    """The chessboard to print, A4 lying, as SVG text."""
    across, down = INNER[0] + 1, INNER[1] + 1
    width, height = SHEET_MM
    left, top = (width - across * SQUARE_MM) / 2, (height - down * SQUARE_MM) / 2 + 4
    paper = PaperSheet(SHEET_MM)
    for x, y in ((x, y) for y in range(down) for x in range(across) if (x + y) % 2 == 0):
        paper.rectangle(left + x * SQUARE_MM, top + y * SQUARE_MM, SQUARE_MM, SQUARE_MM)
    paper.text(HOW, 12, 12, 4)
    return paper.svg()
