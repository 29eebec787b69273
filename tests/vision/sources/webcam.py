"""Stands in for the kernel behind the device file of a USB camera, as linux/videodev2.h and V4L2's documentation have it."""

from __future__ import annotations

import errno
import os
import struct
from pathlib import Path

import pytest

POWER_LINE_FREQUENCY, FOCUS_AUTOMATIC = 0x00980900 + 24, 0x009A0900 + 12
"""V4L2_CID_BASE + 24 and V4L2_CID_CAMERA_CLASS_BASE + 12 in linux/v4l2-controls.h."""


READ, READ_WRITE = 2, 3


def _io(way: int, number: int, size: int) -> int:
    """_IOR or _IOWR('V', number, a struct of that size in bytes), as in asm-generic/ioctl.h."""
    return way << 30 | size << 16 | ord("V") << 8 | number


QUERYCAP, G_CTRL, S_CTRL = _io(READ, 0, 104), _io(READ_WRITE, 27, 8), _io(READ_WRITE, 28, 8)


class Webcam:
    """controls: where each that it has stands, by its number; takes: the values that it takes, all where none are given."""

    def __init__(
        self,
        monkeypatch: pytest.MonkeyPatch,
        device: Path,
        controls: dict[int, int],
        takes: dict[int, tuple[int, ...]] | None = None,
    ) -> None:
        device.touch()
        self.device, self.controls, self.takes = device, controls, takes or {}
        monkeypatch.setattr("fcntl.ioctl", self._ioctl)

    def _ioctl(self, file: int, request: int, argument: bytes) -> bytes:
        assert Path(os.readlink(f"/proc/self/fd/{file}")) == self.device
        if request == QUERYCAP:
            return argument
        number, value = struct.unpack("@Ii", argument)
        if request not in (G_CTRL, S_CTRL):
            raise OSError(errno.ENOTTY, "Inappropriate ioctl for device")
        if number not in self.controls:
            raise OSError(errno.EINVAL, "Invalid argument")
        if request == S_CTRL:
            if value not in self.takes.get(number, (value,)):
                raise OSError(errno.ERANGE, "Numerical result out of range")
            self.controls[number] = value
        return struct.pack("@Ii", number, self.controls[number])
