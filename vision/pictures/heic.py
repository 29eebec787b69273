"""Photographs as iPhones keep them (HEIC), read by libheif in a process of its own."""

from __future__ import annotations

import subprocess
import sys

import numpy as np

from vision.frame import Image
from vision.pictures import unpack_heic
from vision.pictures.header import Size

_BRANDS = (b"heic", b"heix", b"heim", b"heis", b"mif1", b"msf1")
_SECONDS = 2 * unpack_heic.SECONDS


def is_heic(data: bytes) -> bool:
    """Whether a file begins as one."""
    return data[4:8] == b"ftyp" and data[8:12] in _BRANDS


def unpacked(data: bytes, most_pixels: int) -> tuple[Size, Image | None] | None:
    """Size and px of such a file, turned as it says; no px where there are more than most_pixels; None where it is damaged.

    px: (H, W, 3) uint8, BGR.
    """
    command = [sys.executable, "-I", unpack_heic.__file__, str(most_pixels)]
    try:
        done = subprocess.run(command, input=data, capture_output=True, timeout=_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return None
    said, _, values = done.stdout.partition(b"\n")
    if done.returncode != 0 or not said:
        return None
    width, height = (int(number) for number in said.split())
    if not values:
        return (width, height), None
    return (width, height), np.frombuffer(values, np.uint8).reshape(height, width, 3).copy()
