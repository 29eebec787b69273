"""The wall: the newest tile of every board, and a stream of those that have changed, for whoever watches.

A watcher has the tiles up to a number, and gets those that are newer, however long it was away; so a slow one skips what came
between, as with the views of one board.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import takewhile
from typing import Generic, TypeVar

import msgspec

from web.hub import Followers, PackedView, Quiet
from web.view import Message, View


class Tile(msgspec.Struct, frozen=True):
    """What the wall shows of one board. silent: since when nothing was heard of it (UTC, ISO 8601), None where it is there.

    view: as its page has it, without the list of plays; None where its match can't be read. troubles: sentences for the director;
    messages: the same in every language. last: the newest event of its journal that is in the picture.
    """

    board: str
    view: View | None
    silent: str | None = None
    troubles: tuple[str, ...] = ()
    messages: tuple[Message, ...] = ()
    last: int = 0


AnyTile = TypeVar("AnyTile")


class Tiles(msgspec.Struct, Generic[AnyTile], frozen=True):
    """What the wall sends. AnyTile: a Tile, or one that is packed already; whole: there are no others."""

    sequence: int
    tiles: tuple[AnyTile, ...]
    whole: bool = False


class Wall(Followers):
    """Followed like a ViewHub (web/streams.py). show() is called by one thread, the rest by any."""

    def __init__(self) -> None:
        super().__init__()
        self._sequence = 1
        self._tiles: dict[str, tuple[int, msgspec.Raw]] = {}
        self._packed: dict[int | None, PackedView] = {}

    @property
    def latest(self) -> PackedView:
        """Every tile."""
        with self._changed:
            return self._since(None)

    def tile(self, board: str) -> bytes | None:
        """Of one board, as JSON."""
        with self._changed:
            found = self._tiles.get(board)
            return bytes(found[1]) if found else None

    def show(self, tiles: Mapping[str, bytes]) -> None:
        """Puts these tiles, as JSON, in the place of their boards' earlier ones."""
        with self._changed:
            fresh = {
                board: body for board, body in tiles.items()
                if board not in self._tiles or bytes(self._tiles[board][1]) != body
            }  # fmt: skip
            if not fresh:
                return
            self._sequence += 1
            for board, body in fresh.items():
                self._tiles.pop(board, None)  # The newest stand last.
                self._tiles[board] = self._sequence, msgspec.Raw(body)
            self._packed = {}
        self._wake()

    @contextmanager
    def watch(self, last_seen: int | None = None) -> Iterator[WallWatcher]:
        """A watcher. last_seen says nothing: another start of the hub may have counted to it."""
        with self._counted():
            yield WallWatcher(self, self.hang_ups)

    def _next(self, seen: int | None, hang_ups: int, timeout: float) -> PackedView | Quiet:
        with self._changed:
            self._changed.wait_for(lambda: seen != self._sequence or self._hang_ups != hang_ups, timeout)
            if self._hang_ups != hang_ups:
                return Quiet.HUNG_UP
            return Quiet.TIMED_OUT if seen == self._sequence else self._since(seen)

    def _since(self, seen: int | None) -> PackedView:
        """Those that changed after that number; nearly all watchers ask for the same."""
        found = self._packed.get(seen)
        if found is None:
            newest = takewhile(lambda one: seen is None or one[0] > seen, reversed(self._tiles.values()))
            tiles = tuple(tile for _, tile in newest)[::-1]
            body = msgspec.json.encode(Tiles(self._sequence, tiles, seen is None))
            found = self._packed[seen] = PackedView.packed(self._sequence, body)
        return found


class WallWatcher:
    """One watcher's place. Made by Wall.watch."""

    def __init__(self, wall: Wall, hang_ups: int) -> None:
        self._wall, self._hang_ups = wall, hang_ups
        self._seen: int | None = None

    def next(self, timeout: float) -> PackedView | Quiet:
        """Every tile at first, then what has changed since the last answer. timeout in seconds."""
        found = self._wall._next(self._seen, self._hang_ups, timeout)
        if isinstance(found, PackedView):
            self._seen = found.sequence
        return found
