"""Where frames come from: video files, folders of pictures, USB cameras, the Pi's camera. All behind one small door.
Nothing here seeks a board or reads one.

    source = open_source("camera:0", size=(1920, 1080))
    for frame in source.frames(): ...

`retrying` goes on for ever over a source that vanishes; `LatestFrame` hands over the newest frame, counts stale ones.
"""

from __future__ import annotations

from vision.sources.base import FrameSource, SourceError
from vision.sources.cameras import CameraSource, CameraWishes, PicameraSource
from vision.sources.files import FolderSource
from vision.sources.newest import LatestFrame
from vision.sources.opening import KINDS, open_source, open_straight, spelled_once
from vision.sources.retry import retrying

__all__ = [
    "KINDS",
    "CameraSource",
    "CameraWishes",
    "FolderSource",
    "FrameSource",
    "LatestFrame",
    "PicameraSource",
    "SourceError",
    "open_source",
    "open_straight",
    "retrying",
    "spelled_once",
]
