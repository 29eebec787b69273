"""Controls of a camera that Linux has as a V4L2 device, set and read while OpenCV holds it open: V4L2 lets everybody.

OpenCV knows of no mains frequency. Numbers and layout are those of linux/videodev2.h, the same on x86 and ARM of 32 and 64 bits.
docs/dependencies.md has why no library does it.
"""

from __future__ import annotations

import fcntl
import os
import struct
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from enum import IntEnum
from pathlib import Path

_CONTROL = struct.Struct("=Ii")  # struct v4l2_control: id, value
_GET, _SET = 0xC008561B, 0xC008561C  # VIDIOC_G_CTRL, VIDIOC_S_CTRL
_WHAT_IT_IS, _CAPABILITY_BYTES = 0x80685600, 104  # VIDIOC_QUERYCAP, struct v4l2_capability


class Control(IntEnum):
    """Controls by their number in linux/v4l2-controls.h."""

    MAINS = 0x00980918
    """For the flashes of which lamps a picture is exposed, a `Mains`."""
    AUTOFOCUS = 0x009A090C
    """1: it focuses all the time."""


class Mains(IntEnum):
    """The mains that lamps are on, as `Control.MAINS` counts them."""

    NONE = 0
    HZ_50 = 1
    HZ_60 = 2
    AUTOMATIC = 3


def set_controls(device: Path, values: Mapping[Control, int]) -> None:
    """Asks the camera; one that has no such control, or refuses the value, stays as it is."""
    with suppress(OSError), _opened(device) as file:
        for control, value in values.items():
            with suppress(OSError):
                fcntl.ioctl(file, _SET, _CONTROL.pack(control, value))


def controls_of(device: Path) -> dict[Control, int] | None:
    """The values at which its controls stand, without those that it does not have; None where it can't be opened, or is none of
    V4L2's devices."""
    values = {}
    try:
        with _opened(device) as file:
            fcntl.ioctl(file, _WHAT_IT_IS, bytes(_CAPABILITY_BYTES))
            for control in Control:
                with suppress(OSError):
                    values[control] = _CONTROL.unpack(fcntl.ioctl(file, _GET, _CONTROL.pack(control, 0)))[1]
    except (OSError, ValueError):  # a name with a zero byte is none
        return None
    return values


@contextmanager
def _opened(device: Path) -> Iterator[int]:
    """A descriptor of the device. Raises OSError."""
    file = os.open(device, os.O_RDWR | os.O_NONBLOCK)
    try:
        yield file
    finally:
        os.close(file)
