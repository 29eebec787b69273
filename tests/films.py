"""Writes little films for tests, with the encoders that PyAV brings."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

TICKS = 1000
"""A second, in the films' unit of time."""


def write_film(
    path: Path,
    pictures: Iterable[tuple[float, np.ndarray[Any, Any]]],
    codec: str = "libx264",
    turned: int = 0,
    **options: str,
) -> Path:
    """pictures: seconds and (H, W, 3) uint8 BGR each; sides must be even. turned: degrees against the clock by which the header
    says that the film is to be turned. Skips the test where the codec is not at hand."""
    if codec not in av.codecs_available:
        pytest.skip(f"PyAV has no {codec} here.")
    with av.open(str(path), "w") as container:
        stream: Any = None
        for seconds, picture in pictures:
            if stream is None:
                stream = container.add_stream(codec, rate=30, options=options)
                stream.width, stream.height = picture.shape[1], picture.shape[0]
                stream.pix_fmt, stream.time_base = "yuv420p", Fraction(1, TICKS)
                stream.codec_context.time_base = Fraction(1, TICKS)
                if turned:
                    stream.set_display_rotation(turned)
            frame = av.VideoFrame.from_ndarray(picture, format="bgr24")
            frame.pts, frame.time_base = round(seconds * TICKS), Fraction(1, TICKS)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path
