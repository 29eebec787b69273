"""Frames on the serial line, host side: LF, base64(kind, seq, length, payload, CRC-32), LF (firmware/PROTOCOL.md)."""

from __future__ import annotations

import binascii
import struct
from dataclasses import dataclass

from firmware.frames import MAX_LINE

_LF = b"\n"


@dataclass(frozen=True)
class RawFrame:
    """kind and seq 0..255; payload at most firmware.frames.MAX_PAYLOAD bytes."""

    kind: int
    seq: int
    payload: bytes = b""


def encode(frame: RawFrame) -> bytes:
    """The bytes on the wire, both line feeds included."""
    body = bytes((frame.kind, frame.seq, len(frame.payload))) + frame.payload
    return _LF + binascii.b2a_base64(body + struct.pack("<I", binascii.crc32(body)))


def decode(line: bytes) -> RawFrame | None:
    """The frame of one line without its line feeds, or None where any bit of it is wrong."""
    try:
        raw = binascii.a2b_base64(line, strict_mode=True)
    except binascii.Error:
        return None
    # Even strict decoding ignores the spare bits of the last character, so that two lines could mean one frame.
    if len(raw) < 7 or raw[2] != len(raw) - 7 or binascii.b2a_base64(raw, newline=False) != line:
        return None
    if binascii.crc32(raw[:-4]) != int.from_bytes(raw[-4:], "little"):
        return None
    return RawFrame(raw[0], raw[1], raw[3:-4])


class FrameReader:
    """Bytes in, frames out, in pieces of any size. good, bad and oversize count the lines since the program started."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._skipping = False
        self.good = 0
        self.bad = 0
        self.oversize = 0

    def restart(self) -> None:
        """Forgets a half-read line: the port has been opened anew."""
        self._buffer.clear()
        self._skipping = False

    def feed(self, data: bytes) -> tuple[RawFrame, ...]:
        """Every frame that `data` completes. A wrong line is counted and dropped; the next LF starts afresh."""
        self._buffer += data
        *lines, rest = bytes(self._buffer).split(_LF)
        self._buffer = bytearray(rest)
        found = tuple(frame for line in lines if (frame := self._line(line)) is not None)
        if len(self._buffer) > MAX_LINE:
            self._buffer.clear()
            if not self._skipping:
                self.oversize += 1
                self._skipping = True
        return found

    def _line(self, line: bytes) -> RawFrame | None:
        if self._skipping:
            self._skipping = False
            return None
        if not line:
            return None
        if len(line) > MAX_LINE:
            self.oversize += 1
            return None
        frame = decode(line)
        if frame is None:
            self.bad += 1
        else:
            self.good += 1
        return frame
