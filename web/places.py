"""Who gets a place where there are only so many, so that no address keeps out the others. Pure: no I/O, no clock.

places = Places[Connection](total=800, guaranteed=100, patience=3)
gone = places.enter(connection, address, now)   # None: there is no place; else who has to go for it
places.waits(connection, now)                   # from now on it does nothing but wait for its client
places.works(connection, now)                   # it is being served again
places.leave(connection)
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field
from typing import Generic, TypeVar

FEW = 10
"""Connections of one address that make no haste suspicious: a browser opens six at once, and a phone keeps one."""

MOMENT = 0.5
"""Seconds for which one who has just come, and holds no more than others, is not yet late with asking for something."""

T = TypeVar("T")


@dataclass
class _Held(Generic[T]):
    """What one address holds, each with when it became so, in that order. busy: is served; waiting: for its client."""

    busy: dict[T, float] = field(default_factory=dict)
    waiting: dict[T, float] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.busy) + len(self.waiting)


class Places(Generic[T]):
    """So many places. While one is free, whoever comes has it. After that the one goes that has waited for its client for longest,
    at the address that holds most; and where all are busy, the newest at that address, but only for an address that holds
    fewer than `guaranteed`. An address never takes a place from one that holds fewer.

    Who has waited for less than a MOMENT, at an address that holds hardly more than the one that comes, is spared where somebody
    who has been served for less than `patience` can go instead: else strangers who come by the thousand and are busy as soon as
    they are heard throw out whoever has just come to ask for one thing.

    An address that holds FEW or more takes a place only from one that has waited for `patience` seconds: else a greedy one
    that comes again as soon as it is sent away costs a thousand connections a second. now: seconds of a clock that never goes back.
    """

    def __init__(self, total: int, guaranteed: int, patience: float = 0.0) -> None:
        self._total, self._guaranteed, self._patience = total, guaranteed, patience
        self._held: dict[str, _Held[T]] = {}
        self._address: dict[T, str] = {}

    def __len__(self) -> int:
        return len(self._address)

    def enter(self, one: T, address: str, now: float = 0.0) -> list[T] | None:
        """Takes a place for one. Comes back with whom that costs the place, at most one; None where there is no place."""
        gone: list[T] = []
        if len(self) >= self._total:
            found = self._to_go(address, now)
            if found is None:
                return None
            self.leave(found)
            gone.append(found)
        self._held.setdefault(address, _Held()).busy[one] = now
        self._address[one] = address
        return gone

    def leave(self, one: T) -> None:
        """Gives its place back, if it still has one."""
        address = self._address.pop(one, None)
        if address is None:
            return
        held = self._held[address]
        held.busy.pop(one, None)
        held.waiting.pop(one, None)
        if not held:
            del self._held[address]

    def waits(self, one: T, now: float = 0.0) -> None:
        """It waits for its client from now on."""
        held = self._held.get(self._address.get(one, ""))
        if held is not None:
            held.busy.pop(one, None)
            held.waiting.pop(one, None)
            held.waiting[one] = now

    def works(self, one: T, now: float = 0.0) -> None:
        """It is being served again."""
        held = self._held.get(self._address.get(one, ""))
        if held is not None:
            held.waiting.pop(one, None)
            held.busy.pop(one, None)
            held.busy[one] = now

    def _to_go(self, address: str, now: float) -> T | None:
        own = len(self._held.get(address, ()))
        just_come: T | None = None
        waiting = [held for held in self._held.values() if held.waiting and len(held) >= own]
        if waiting:
            most = max(waiting, key=len)
            longest, since = next(iter(most.waiting.items()))
            if own >= FEW and now - since < self._patience:
                return None
            if len(most) > own + 1 or now - since >= MOMENT:
                return longest
            just_come = longest
        if own >= self._guaranteed:
            return just_come
        richer = [held for held in self._held.values() if held.busy and len(held) > own + 1]
        new = [held for held in richer if now - next(reversed(held.busy.values())) < self._patience]
        if just_come is not None and not new:
            return just_come
        greediest = max(new or richer, key=len, default=None)
        return None if greediest is None else next(reversed(greediest.busy))


def household(address: str) -> str:
    """What counts as one address: in IPv6 a household has a whole /64 (RFC 6177), in IPv4 one address."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.IPv6Network((found, 64), strict=False))
