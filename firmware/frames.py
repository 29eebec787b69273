"""Frames on the wire: LF, base64(kind, seq, length, payload, CRC-32), LF. PROTOCOL.md explains every byte."""

import binascii
import struct

MAX_PAYLOAD = 120
MAX_LINE = 172  # base64 of 3 + MAX_PAYLOAD + 4 bytes
_OVERHEAD = 7  # kind, seq, length, CRC-32


def encode(kind: int, seq: int, payload: bytes = b"") -> bytes:
    """One frame with both its line feeds."""
    body = bytes((kind, seq & 255, len(payload))) + payload
    crc = struct.pack("<I", binascii.crc32(body) & 0xFFFFFFFF)
    return b"\n" + binascii.b2a_base64(body + crc)


def decode(line: bytes) -> "tuple[int, int, bytes] | None":
    """(kind, seq, payload) of one line without its line feeds, or None where any bit of it is wrong."""
    try:
        raw = binascii.a2b_base64(line)
    except Exception:  # MicroPython's WebAssembly port raises a bare Exception on wrong padding
        return None
    if len(raw) < _OVERHEAD or raw[2] != len(raw) - _OVERHEAD:
        return None
    # Decoders skip foreign characters and ignore the last character's spare bits: encode again and compare.
    if binascii.b2a_base64(raw)[:-1] != line:
        return None
    if struct.unpack("<I", raw[-4:])[0] != binascii.crc32(raw[:-4]) & 0xFFFFFFFF:
        return None
    return raw[0], raw[1], raw[3:-4]


class Reader:
    """Bytes in, frames out. good, bad and oversize count the lines seen; all state lives in buffer and skipping."""

    def __init__(self) -> None:
        self.buffer = b""
        self.skipping = False
        self.good = 0
        self.bad = 0
        self.oversize = 0

    def feed(self, data: bytes) -> "list[tuple[int, int, bytes]]":
        """Every whole frame that `data` completes. Wrong lines are counted and dropped; the next LF starts afresh."""
        found = []
        lines = (self.buffer + data).split(b"\n")
        self.buffer = lines.pop()
        for line in lines:
            if self.skipping:
                self.skipping = False
            elif len(line) > MAX_LINE:
                self.oversize += 1
            elif line:
                frame = decode(line)
                if frame is None:
                    self.bad += 1
                else:
                    self.good += 1
                    found.append(frame)
        if len(self.buffer) > MAX_LINE:
            self.buffer = b""
            if not self.skipping:
                self.oversize += 1
                self.skipping = True
        return found
