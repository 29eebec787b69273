"""Honest viewers in a process of their own: each follows the page as a browser does, and notes when it was shown what.

    python -m benchmarks.attacking.audience PORT VIEWERS EACH

EACH: viewers at one address, as phones behind one router. Says "ready N" when the first view has come to N of them. A line on
standard input ends it; then it says JSON: {"seen": [[[mark, seconds since 1970], ...] of each viewer], "lost": connections that
ended or were refused}.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field

SCORES = re.compile(rb'"light":\{[^{}]*?"score":(\d+)[^{}]*\},"dark":\{[^{}]*?"score":(\d+)')
AGAIN_S = 1.0
"""A browser waits as long before it connects again."""


def address(number: int) -> str:
    """The honest viewers' address of that number, from 0; an attacker has others."""
    return f"127.1.{number // 250}.{number % 250 + 1}"


@dataclass
class Audience:
    """All viewers."""

    port: int
    ready: int = 0
    lost: int = 0
    seen: list[list[tuple[int, float]]] = field(default_factory=list)

    async def follow(self, source: str, seen: list[tuple[int, float]]) -> None:
        """One viewer, for ever."""
        while True:
            with suppress(OSError, asyncio.IncompleteReadError):
                await self._stream(source, seen)
            self.lost += 1
            await asyncio.sleep(AGAIN_S)

    async def _stream(self, source: str, seen: list[tuple[int, float]]) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 20, local_addr=(source, 0))
        try:
            writer.write(
                f"GET /events HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nAccept: text/event-stream\r\n\r\n".encode()
            )
            while line := await reader.readline():
                if not line.startswith(b"data: {"):
                    continue
                arrived, score = time.time(), SCORES.search(line)
                if score is None:
                    continue
                if not seen:
                    self.ready += 1
                seen.append((int(score[1]) * 1000 + int(score[2]), arrived))
        finally:
            writer.close()

    async def run(self, viewers: int, each: int) -> None:
        """Follows until standard input says something."""
        tasks = []
        for number in range(viewers):
            self.seen.append([])
            tasks.append(asyncio.create_task(self.follow(address(number // each), self.seen[-1])))
            if number % 20 == 19:
                await asyncio.sleep(0.05)
        began = time.monotonic()
        while self.ready < viewers and time.monotonic() - began < 60:
            await asyncio.sleep(0.1)
        print(f"ready {self.ready}", flush=True)
        self.lost = 0
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
        for task in tasks:
            task.cancel()
        print(json.dumps({"seen": self.seen, "lost": self.lost}), flush=True)


if __name__ == "__main__":
    asyncio.run(Audience(int(sys.argv[1])).run(int(sys.argv[2]), int(sys.argv[3])))
