"""Reads what kind of picture a file is, and its size, from its first bytes: before anything large is decoded."""

from __future__ import annotations

import struct
from io import BytesIO

Size = tuple[int, int]
"""(width, height) px, as stored: before any EXIF rotation."""

_PNG, _PNG_END = b"\x89PNG\r\n\x1a\n", b"IEND\xaeB`\x82"
_JPEG, _BMP = b"\xff\xd8", b"BM"
_OS2_HEADER = 12
"""Bytes of the header of OS/2's bitmaps, which holds the size in 16 bits each (BITMAPCOREHEADER)."""


def is_picture(data: bytes) -> bool:
    """Whether it begins as a JPEG, PNG, WebP or BMP: decoders of other formats get nothing from strangers."""
    return data.startswith((_JPEG, _PNG, _BMP)) or (data[:4], data[8:12]) == (b"RIFF", b"WEBP")


def picture_size(data: bytes) -> Size | None:
    """(width, height) of such a picture, perhaps 0; None where its first bytes do not say it.

    None, too, for a PNG that breaks off: its decoder would say so on standard error.
    """
    if not is_picture(data) or (data.startswith(_PNG) and _PNG_END not in data):
        return None
    if data.startswith(_BMP) and len(data) >= 22 and struct.unpack_from("<I", data, 14)[0] == _OS2_HEADER:
        width, height = struct.unpack_from("<HH", data, 18)
        return width, height
    import imagesize  # It brings Python's clients of the web with it, which no film needs.

    width, height = imagesize.get(BytesIO(data), exif_rotation=False)
    return None if min(width, height) < 0 else (width, height)
