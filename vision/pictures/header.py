"""Reads a picture's size from its first bytes, before anything large is decoded, and whether its end is there."""

from __future__ import annotations

import struct
from collections.abc import Callable

Size = tuple[int, int]
"""(width, height) px, as stored: before any EXIF rotation."""

TRUNCATED: Size = (0, 0)
"""The answer for a file that begins as a picture and breaks off."""

# ITU T.81, table B.1: start of frame, all but the Huffman and arithmetic tables that lie between them.
_JPEG_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_JPEG_SCAN = 0xDA
_JPEG_END = b"\xff\xd9"


def picture_size(data: bytes) -> Size | None:
    """(width, height) of a JPEG, PNG, WebP or BMP; TRUNCATED where its end is missing; None for anything else."""
    for magic, read in _READERS:
        if data.startswith(magic):
            try:
                return read(data)
            except (struct.error, IndexError):
                return TRUNCATED
    return None


def _jpeg(data: bytes) -> Size:
    size, at = TRUNCATED, 2
    while True:
        if data[at] != 0xFF:
            at += 1
            continue
        marker = data[at + 1]
        if marker == 0xFF or marker == 0x01 or 0xD0 <= marker <= 0xD8:
            at += 1 if marker == 0xFF else 2
            continue
        (length,) = struct.unpack_from(">H", data, at + 2)
        if marker in _JPEG_FRAMES:
            height, width = struct.unpack_from(">HH", data, at + 5)
            size = (width, height)
        if marker == _JPEG_SCAN:
            # Inside a scan 0xFF is always followed by 0 or a restart marker, so this is the real end.
            return size if data.find(_JPEG_END, at + 2 + length) >= 0 else TRUNCATED
        at += 2 + length


def _png(data: bytes) -> Size:
    width, height = struct.unpack_from(">II", data, 16)
    return (width, height) if data.find(b"IEND", 24) >= 0 else TRUNCATED


def _webp(data: bytes) -> Size | None:
    (length,) = struct.unpack_from("<I", data, 4)
    if data[8:12] != b"WEBP":
        return None
    if len(data) < length + 8:
        return TRUNCATED
    kind = data[12:16]
    if kind == b"VP8X":
        return int.from_bytes(data[24:27], "little") + 1, int.from_bytes(data[27:30], "little") + 1
    if kind == b"VP8L":
        (bits,) = struct.unpack_from("<I", data, 21)
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    width, height = struct.unpack_from("<HH", data, 26)
    return width & 0x3FFF, height & 0x3FFF


def _bmp(data: bytes) -> Size:
    (length,) = struct.unpack_from("<I", data, 2)
    width, height = struct.unpack_from("<ii", data, 18)
    return (abs(width), abs(height)) if len(data) >= length else TRUNCATED


_READERS: tuple[tuple[bytes, Callable[[bytes], Size | None]], ...] = (
    (b"\xff\xd8", _jpeg),
    (b"\x89PNG\r\n\x1a\n", _png),
    (b"RIFF", _webp),
    (b"BM", _bmp),
)
