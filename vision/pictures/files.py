"""Pictures and corners from files and from text, checked on the way in: what can't be used is said in one sentence."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeGuard

import cv2
import numpy as np

from vision.board.geometry import GeometryError, check_corners
from vision.errors import VisionError
from vision.frame import Corners, Image
from vision.outside import FileRefused, named_path, read_regular
from vision.pictures.header import Size, is_picture, picture_size
from vision.pictures.heic import is_heic, unpacked
from vision.pictures.quiet import quiet_opencv

MAX_PIXELS = 120_000_000
"""More than a 108-megapixel phone's full picture, 360 MB once decoded; beyond that a small machine
runs out of memory."""

MAX_BYTES = 400_000_000
"""A bitmap of MAX_PIXELS."""

MAX_TEXT = 16 << 20
"""Bytes of a file of corners: a hundred thousand pictures."""

MAX_SIDE = 32_766
"""px; OpenCV samples no wider picture, and no camera takes one."""

MIN_SIDE = 64
"""px; with fewer a checker is under 5 px wide and nothing can be read."""

FORM = (
    'four points as "x,y x,y x,y x,y" in pixels: top-left, top-right, bottom-right, bottom-left of the playing surface'
)


class PictureError(VisionError):
    """One sentence or two for the player: what is wrong with the picture, and what to do."""


class CornersError(VisionError):
    """One sentence or two for the player: what is wrong with the corners, and what they should be."""


def load_picture(path: Path, most_pixels: int = MAX_PIXELS) -> Image:
    """The picture in the file, an iPhone's HEIC as well, turned the way it says. most_pixels: refused by its header beyond.

    Returns:
        (H, W, 3) uint8, BGR.

    Raises:
        PictureError: no such file, no picture, cut off, or of a size that makes no sense.
    """
    try:
        data = read_regular(path, MAX_BYTES)
    except FileRefused as error:
        raise PictureError(
            "{path} can't be read ({error}). Check the path.", path=repr(str(path)), error=error
        ) from error
    name = repr(str(path))
    return _decode_heic(data, name, most_pixels) if is_heic(data) else decode_picture(data, name, most_pixels)


def decode_picture(data: bytes, name: str = "The picture", most_pixels: int = MAX_PIXELS) -> Image:
    """The picture in a file's bytes, for example as a browser sent them; name begins the sentences; most_pixels: in all.

    Returns:
        (H, W, 3) uint8, BGR, turned the way its EXIF data says.

    Raises:
        PictureError: as load_picture.
    """
    if not data:
        raise PictureError("{name} is empty. Copy or take the picture again.", name=name)
    if is_heic(data):
        raise PictureError(
            "{name} is a HEIC picture, which can't be read here. Save it as JPEG and try again.", name=name
        )
    if not is_picture(data):
        raise PictureError("{name} is no picture that can be read. JPEG, PNG, WebP and BMP work here.", name=name)
    size = picture_size(data)
    if size is None:
        raise _broken(name)
    _check_size(size, name, most_pixels)
    with quiet_opencv():
        try:
            image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        except cv2.error:
            image = None
    if image is None:
        raise _broken(name)
    return np.asarray(image, np.uint8)


def _decode_heic(data: bytes, name: str, most_pixels: int) -> Image:
    found = unpacked(data, most_pixels)
    if found is None:
        raise _broken(name)
    size, image = found
    _check_size(size, name, most_pixels)
    if image is None:
        raise _broken(name)
    return image


def _broken(name: str) -> PictureError:
    return PictureError("{name} is damaged, or cut off. Copy or take the picture again.", name=name)


def _check_size(size: Size, name: str, most_pixels: int) -> None:
    width, height = size
    if width * height > most_pixels or max(width, height) > MAX_SIDE:
        raise PictureError(
            "{name} is {width} x {height} pixels large. Make it smaller; 4000 x 3000 is plenty.",
            name=name,
            width=width,
            height=height,
        )
    if min(width, height) < MIN_SIDE:
        raise PictureError(
            "{name} is only {width} x {height} pixels. Use one in which the board is at least 400 wide.",
            name=name,
            width=width,
            height=height,
        )


def parse_corners(text: str, size: tuple[int, int] | None = None) -> Corners:
    """The corners in a text such as "387,81 973,121 967,639 333,600".

    size: (width, height) px of the picture, where known; the corners must then lie in it.

    Raises:
        CornersError: not four points, not numbers, or corners that no board can have.
    """
    numbers = [part for part in re.split(r"[\s,;]+", text.strip()) if part]
    try:
        values = [float(part) for part in numbers]
    except ValueError as error:
        wrong = next(part for part in numbers if not _is_number(part))
        raise CornersError(
            "{text} in the corners is not a number. Give {form}.", text=repr(wrong), form=FORM
        ) from error
    if len(values) != 8:
        raise CornersError(
            "The corners {text} hold {count} numbers instead of eight. Give {form}.",
            text=repr(text),
            count=len(values),
            form=FORM,
        )
    return _checked([values[i : i + 2] for i in range(0, 8, 2)], size)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _checked(points: Sequence[Sequence[float]], size: tuple[int, int] | None) -> Corners:
    try:
        return check_corners(points, size)
    except GeometryError as error:
        raise CornersError(error.sentence) from error


def load_corners_file(path: Path) -> Mapping[str, Corners]:
    """Corners by file name, from JSON lines with `file` and `corners` ([[x, y] x 4] px, in Corners' order).

    Raises:
        CornersError: no such file, or a line that does not hold them; the line is named.
    """
    try:
        lines = read_regular(named_path(str(path)), MAX_TEXT).decode("utf-8").splitlines()
    except (FileRefused, UnicodeDecodeError) as error:
        why = error if isinstance(error, FileRefused) else "it is not text"
        raise CornersError(
            "The corners file {path} can't be read ({why}). Check the path after '@'.", path=repr(str(path)), why=why
        ) from error
    found = dict(_corners_of(line, f"Line {n} of {str(path)!r}") for n, line in enumerate(lines, 1) if line.strip())
    if not found:
        raise CornersError(
            "The corners file {path} is empty. It needs one JSON line a picture with file and corners.",
            path=repr(str(path)),
        )
    return found


def fixed_corners(text: str | None) -> Corners | None:
    """The corners of a fixed camera: those given, or a file's first; None where the board is to be found. Raises CornersError."""
    if text is None:
        return None
    if not text.startswith("@"):
        return parse_corners(text)
    found = list(load_corners_file(Path(text[1:])).values())
    if not found:
        raise CornersError("{file} has no corners in it.", file=text[1:])
    return found[0]


def _corners_of(line: str, where: str) -> tuple[str, Corners]:
    wanted = 'It needs {"file": "name.jpg", "corners": [[x, y], [x, y], [x, y], [x, y]]}.'
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise CornersError("{where} is not JSON. {wanted}", where=where, wanted=wanted) from error
    if not isinstance(entry, dict) or not isinstance(entry.get("file"), str):
        raise CornersError("{where} names no file. {wanted}", where=where, wanted=wanted)
    points = entry.get("corners")
    if not (isinstance(points, list) and len(points) == 4 and all(_is_point(point) for point in points)):
        raise CornersError("{where} holds no four corners. {wanted}", where=where, wanted=wanted)
    size = entry.get("size")
    try:
        return entry["file"], _checked(points, (size[0], size[1]) if _is_size(size) else None)
    except CornersError as error:
        raise CornersError("{where}: {error}", where=where, error=error) from error


def _is_size(size: object) -> TypeGuard[list[int]]:
    return isinstance(size, list) and len(size) == 2 and all(isinstance(n, int) and n > 0 for n in size)


def _is_point(point: object) -> bool:
    return isinstance(point, list) and len(point) == 2 and all(type(n) in (int, float) and abs(n) < 1e9 for n in point)
