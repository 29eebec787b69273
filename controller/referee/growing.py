"""A sequence that grows at its end without being copied: what a fold over a long game keeps the game's lines in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar, overload

T = TypeVar("T")


class Growing(Sequence[T]):
    """The first so many items of a list that it shares with those that it grew from and into: nobody sees another change.

    lines = Growing([1, 2])
    more = lines.plus(3)        # lines still holds 1 and 2
    """

    __slots__ = ("_items", "_length")

    def __init__(self, items: Iterable[T] = ()) -> None:
        self._items = list(items)
        self._length = len(self._items)

    def plus(self, item: T) -> Growing[T]:
        """With one item more. It is copied only where another has grown from it already."""
        more: Growing[T] = Growing()
        more._items = self._items if len(self._items) == self._length else self._items[: self._length]
        more._items.append(item)
        more._length = self._length + 1
        return more

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[T]:
        return iter(self._items[: self._length])

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...
    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        if isinstance(index, slice):
            return tuple(self._items[: self._length][index])
        if not -self._length <= index < self._length:
            raise IndexError(index)
        return self._items[index if index >= 0 else self._length + index]

    def __repr__(self) -> str:
        return f"Growing({self._items[: self._length]!r})"


def plus(items: Sequence[T], item: T) -> Sequence[T]:
    """With one item more."""
    return items.plus(item) if isinstance(items, Growing) else (*items, item)
