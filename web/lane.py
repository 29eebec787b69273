"""A few threads for work that blocks, shared fairly: addresses that want more than there is take turns."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


class Lane:
    """For one event loop. threads: how many; name: theirs."""

    def __init__(self, threads: int, name: str) -> None:
        self._free = threads
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._queues: dict[str, deque[asyncio.Future[None]]] = {}

    async def run(self, address: str, work: Callable[[], T]) -> T:
        """What the work gives, once it is this address's turn."""
        if self._free:
            self._free -= 1
        else:
            await self._turn(address)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, work)
        finally:
            self._next()

    def close(self) -> None:
        """Waits for the work that has begun."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    async def _turn(self, address: str) -> None:
        turn = asyncio.get_running_loop().create_future()
        self._queues.setdefault(address, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._next()
            raise

    def _next(self) -> None:
        """Hands the thread on: to the address that has waited longest for a turn, which then goes to the end of the row."""
        while self._queues:
            address = next(iter(self._queues))
            queue = self._queues.pop(address)
            turn = queue.popleft()
            if queue:
                self._queues[address] = queue
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1
