"""A program of its own: HEIC on standard input, "WIDTH HEIGHT" and BGR bytes on standard output; exit 1 where it is damaged.

Of its own because libheif ends the process over some damaged files. Argument: px beyond which only the size is written.
"""

from __future__ import annotations

import resource
import sys
from io import BytesIO

import numpy as np
import pi_heif

SECONDS = 60
"""Of processor time, after which it is ended; 9 megapixels take half of one here, and a Pi is slower several times."""
BYTES = 4 << 30
"""Of memory; MAX_PIXELS decoded, and the same once more."""


def unpack(data: bytes, most_pixels: int) -> tuple[tuple[int, int], bytes]:
    """Size, turned as the file says, and px; none where there are too many. Raises what libheif does, and ValueError."""
    held = pi_heif.open_heif(BytesIO(data), convert_hdr_to_8bit=True, bgr_mode=True)
    photo = held[held.primary_index]  # a burst or a portrait holds several
    width, height = photo.size
    if width * height > most_pixels:
        return (width, height), b""
    values = np.asarray(photo).astype(np.uint8, casting="safe", copy=False).reshape(height, width, -1)
    return (width, height), (values[..., :3] if values.shape[2] > 2 else values[..., [0, 0, 0]]).tobytes()


def main() -> None:
    """The program."""
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        (width, height), values = unpack(sys.stdin.buffer.read(), int(sys.argv[1]))
    except Exception:  # ValueError, SyntaxError, RuntimeError, EOFError: whatever it is, the file is damaged
        sys.exit(1)
    sys.stdout.buffer.write(b"%d %d\n" % (width, height))
    sys.stdout.buffer.write(values)


if __name__ == "__main__":
    main()
