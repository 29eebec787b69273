"""Saves what can be read from a damaged journal, page by page, without trusting anything but each row's own checksum.

Reads SQLite's file format itself (sqlite.org/fileformat2.html): SQLite stops at the first damage, and ignores whatever
follows a damaged place in its write-ahead log, confirmed events included.
"""

from __future__ import annotations

import mmap
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from controller.record.journal import JournalError, NotNowError, StoredEvent, write_events
from controller.record.wal import FRAME_HEADER_SIZE, HEADER_SIZE, PAGE_SIZES

LOST = "lost"
"""Kind of the event that stands where one could not be read; its payload is {}."""

DEFAULT_PAGE = 4096
_COLUMNS = 9
# A row's header: its own size (one byte a column, up to six for a long text), then NULL for the sequence, which is the
# row's key and stored before the header.
_HEADER = re.compile(rb"(?s)(?=([\x0a-\x28])\x00)")
_VARINT_MAX = 9

Pages = dict[int, list[memoryview]]
"""Every image of a page by its number, the newest last."""

LARGEST = 1 << 30
"""Bytes of a file that is looked through: four million events, as many as a club writes in a century."""


@dataclass(frozen=True)
class Recovery:
    """events: how many were saved; lost: sequences of those that were not, where later ones show that they existed."""

    events: int
    lost: tuple[int, ...]


def recover(damaged: Path | str, fresh: Path | str) -> Recovery:
    """Write every readable event of a damaged journal into a new one; the damaged file is only read.

    Where an event is lost, one of kind "lost" stands at its sequence, so that all others keep theirs.
    Raises JournalError where nothing can be read, where `fresh` exists, or where it can't be written.
    """
    damaged, fresh = Path(damaged), Path(fresh)
    if fresh.exists():
        raise JournalError(f"{fresh} exists already; choose a new file to save the events to.")
    if not damaged.is_file():
        why = "it is no ordinary file" if damaged.exists() else "No such file or directory"
        raise JournalError(f"{damaged} can't be read: {why}.")
    try:
        found = salvage(damaged)
    except OSError as error:
        raise JournalError(f"{damaged} can't be read: {error.strerror}.") from error
    if not found:
        raise JournalError(f"Not one event can be read in {damaged}; it may be no journal at all.")
    last = max(found)
    lost = tuple(sequence for sequence in range(1, last + 1) if sequence not in found)
    _write(fresh, _without_gaps(found, last))
    return Recovery(len(found), lost)


def _write(fresh: Path, events: Iterator[StoredEvent]) -> None:
    """All of them, or no file at all. Raises JournalError."""
    try:
        write_events(fresh, events)
    except BaseException as error:
        for ending in ("", "-wal", "-shm"):
            fresh.with_name(fresh.name + ending).unlink(missing_ok=True)
        if isinstance(error, NotNowError):
            raise JournalError(
                f"{fresh} can't be written, and nothing of it was left. Make room on the disk, or choose another place for it."
            ) from error
        raise


def salvage(path: Path) -> dict[int, StoredEvent]:
    """Every event whose row is whole, by its sequence, from the database and its log. Raises OSError."""
    pages = _pages(path)
    found: dict[int, StoredEvent] = {}
    for images in pages.values():
        for image in images:
            for event in _rows(bytes(image), pages):
                found[event.sequence] = event
    return found


def _pages(path: Path) -> Pages:
    data, log_data = _view(path), _view(path.with_name(path.name + "-wal"))
    size = _page_size(bytes(data[:18]), bytes(log_data[:12]))
    pages: Pages = defaultdict(list)
    for number, start in enumerate(range(0, len(data), size), start=1):
        pages[number].append(_padded(data[start : start + size], size))
    for start in range(HEADER_SIZE, len(log_data), FRAME_HEADER_SIZE + size):
        number = int.from_bytes(log_data[start : start + 4], "big")
        pages[number].append(_padded(log_data[start + FRAME_HEADER_SIZE : start + FRAME_HEADER_SIZE + size], size))
    return pages


def _view(path: Path) -> memoryview:
    """The file's bytes, which the system reads as they are looked at; none where there is no file. Raises OSError."""
    if not path.exists():
        return memoryview(b"")
    size = path.stat().st_size
    if size > LARGEST:
        raise JournalError(f"{path} is too large to be a journal ({size >> 20} MB); nothing was looked for in it.")
    with path.open("rb") as file:
        return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if size else b"")


def _padded(page: memoryview, size: int) -> memoryview:
    return page if len(page) == size else memoryview(bytes(page).ljust(size, b"\0"))


def _page_size(data: bytes, log: bytes) -> int:
    for size in (int.from_bytes(data[16:18], "big"), int.from_bytes(log[8:12], "big")):
        if size in PAGE_SIZES:
            return size
    return DEFAULT_PAGE


def _rows(image: bytes, pages: Pages) -> Iterator[StoredEvent]:
    for match in _HEADER.finditer(image):
        for start in range(max(match.start() - 2 * _VARINT_MAX, 0), match.start() - 1):
            length, place = _varint(image, start)
            sequence, place = _varint(image, place)
            if place == match.start() and sequence > 0 and length < 1 << 30:
                event = _row(image, place, length, sequence, pages)
                if event is not None:
                    yield event
                    break


def _row(image: bytes, place: int, length: int, sequence: int, pages: Pages) -> StoredEvent | None:
    """The event of a row whose payload begins here; None where it is not whole."""
    size = len(image)
    most = size - 35
    if length <= most:
        return _decoded(image[place : place + length], sequence)
    least = (size - 12) * 32 // 255 - 23
    local = least + (length - least) % (size - 4)
    local = local if local <= most else least
    rest = image[place + local : place + local + 4]
    for newest in (-1, 0):
        payload = image[place : place + local] + _overflow(int.from_bytes(rest, "big"), length - local, pages, newest)
        event = _decoded(payload, sequence) if len(payload) == length else None
        if event is not None:
            return event
    return None


def _overflow(number: int, length: int, pages: Pages, which: int) -> bytes:
    parts: list[bytes] = []
    seen: set[int] = set()
    while length > 0 and number in pages and number not in seen:
        seen.add(number)
        page = bytes(pages[number][which])
        parts.append(page[4 : 4 + length])
        length -= len(parts[-1])
        number = int.from_bytes(page[:4], "big")
    return b"".join(parts)


def _decoded(payload: bytes, sequence: int) -> StoredEvent | None:
    end, place = _varint(payload, 0)
    types: list[int] = []
    while place < end and len(types) <= _COLUMNS:
        kind, place = _varint(payload, place)
        types.append(kind)
    if len(types) != _COLUMNS or place != end:
        return None
    values: list[int | str] = []
    for kind in types:
        width = _width(kind)
        raw = payload[place : place + width]
        if kind in (8, 9):
            values.append(kind - 8)
        elif 1 <= kind <= 6:
            values.append(int.from_bytes(raw, "big", signed=True))
        elif kind >= 13 and kind % 2:
            try:
                values.append(raw.decode("utf-8"))
            except UnicodeDecodeError:
                return None
        elif kind == 0:
            values.append(sequence)
        else:
            return None
        place += width
    return _event(values)


def _event(values: list[int | str]) -> StoredEvent | None:
    sequence, board, match, game, kind, version, wall_time, payload, checksum = values
    event = StoredEvent(
        int(sequence) if isinstance(sequence, int) else 0,
        str(board),
        str(match),
        game if isinstance(game, int) else 0,
        str(kind),
        version if isinstance(version, int) else 0,
        str(wall_time),
        str(payload),
    )
    return event if event.checksum == checksum else None


def _width(kind: int) -> int:
    """Bytes that a value of this serial type takes."""
    if kind >= 12:
        return (kind - 12) // 2
    return (0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0)[kind]


def _varint(data: bytes, place: int) -> tuple[int, int]:
    """SQLite's variable-length integer and the place after it; past the end it reads zeros."""
    value = 0
    for index in range(_VARINT_MAX):
        byte = data[place] if place < len(data) else 0
        place += 1
        if index == _VARINT_MAX - 1:
            return value << 8 | byte, place
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            break
    return value, place


def _without_gaps(found: dict[int, StoredEvent], last: int) -> Iterator[StoredEvent]:
    """All sequences; a lost event takes board, match, game and time of the one before it that is of a match."""
    before = found[min(found)]
    for sequence in range(1, last + 1):
        event = found.get(sequence)
        if event is None:
            event = StoredEvent(sequence, before.board, before.match, before.game, LOST, 1, before.wall_time, "{}")
        yield event
        before = event if event.match else before
