"""Photographs as iPhones keep them (HEIC), read by libheif in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np

from vision.frame import Image
from vision.pictures.header import Size

_BRANDS = (b"heic", b"heix", b"heim", b"heis", b"mif1", b"msf1")
_UNPACK = Path(__file__).with_name("unpack_heic.py")
"""Run, not imported: what it imports is of no use to anybody else."""
_SECONDS = 120
"""Until it is given up, on a machine that is busy: it ends itself after half of that at work."""


def is_heic(data: bytes) -> bool:
    """Whether a file begins as one."""
    return data[4:8] == b"ftyp" and data[8:12] in _BRANDS


def unpacked(data: bytes, most_pixels: int) -> tuple[Size, Image | None] | None:
    """Size and px of such a file, turned as it says; no px where there are more than most_pixels; None where it is damaged.

    px: (H, W, 3) uint8, BGR.
    """
    command = [sys.executable, "-I", str(_UNPACK), str(most_pixels)]
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
