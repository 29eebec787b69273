"""SQLite's write-ahead log, looked at before SQLite sees it: it would silently drop all that follows a damaged place.

Source: sqlite.org/fileformat2.html, "The Write-Ahead Log".
"""

from __future__ import annotations

import struct

PAGE_SIZES = frozenset(1 << n for n in range(9, 17))
HEADER_SIZE, FRAME_HEADER_SIZE = 32, 24
_MAGICS = (0x377F0682, 0x377F0683)


def is_whole(log: bytes) -> bool:
    """Whether every transaction but the last is undamaged.

    A last transaction that is not whole is what a power cut leaves behind: it was never confirmed. Frames of an older
    use of the log, told by their salts, don't count.
    """
    if len(log) <= HEADER_SIZE:
        return True
    magic, _, size = struct.unpack(">III", log[:12])
    order = ">" if magic & 1 else "<"
    if magic not in _MAGICS or size not in PAGE_SIZES:
        return False
    sums = _checksum(log[:24], order, (0, 0))
    if sums != struct.unpack(">II", log[24:32]):
        return False
    salts = log[16:24]
    damaged = False
    commits_after_damage = 0
    for start in range(HEADER_SIZE, len(log) - FRAME_HEADER_SIZE - size + 1, FRAME_HEADER_SIZE + size):
        header = log[start : start + FRAME_HEADER_SIZE]
        if not damaged:
            page = log[start + FRAME_HEADER_SIZE : start + FRAME_HEADER_SIZE + size]
            sums = _checksum(header[:8] + page, order, sums)
            damaged = header[8:16] != salts or sums != struct.unpack(">II", header[16:24])
        if damaged and header[8:16] == salts:
            commits_after_damage += header[4:8] != bytes(4)
    return commits_after_damage < 2


def _checksum(data: bytes, order: str, sums: tuple[int, int]) -> tuple[int, int]:
    """The log's running checksum over 32-bit words, two at a time."""
    first, second = sums
    for x, y in struct.iter_unpack(f"{order}II", data):
        first = (first + x + second) & 0xFFFFFFFF
        second = (second + y + first) & 0xFFFFFFFF
    return first, second
