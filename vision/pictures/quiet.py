"""Keeps OpenCV and its codecs from writing their own complaints to standard error; ours say it in one sentence."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import cv2

# FFmpeg inside OpenCV reads this when the first video is opened; -8 is its AV_LOG_QUIET.
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")


@contextmanager
def quiet_opencv() -> Iterator[None]:
    """OpenCV logs nothing inside; the level is put back afterwards."""
    log = cv2.utils.logging
    level = log.getLogLevel()
    log.setLogLevel(log.LOG_LEVEL_SILENT)
    try:
        yield
    finally:
        log.setLogLevel(level)
