"""The viewers of benchmarks/hub.py: thousands of streams in one process, each with when it had which picture of the wall.

A stream costs this process one look for an event's number and its end, as it shares the cores with the hub that is measured.
"""

from __future__ import annotations

import array
import re
import selectors
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

TOGETHER = 20
"""Connections that are made at a time."""

CHUNK_END = b"\n\n\r\n"
"""Of an event's last line, and of the chunk that it comes in."""

_NUMBER = re.compile(rb"\nid: (\d+)\ndata: \{")


class Following:
    """So many who follow the wall, in a process of their own, while this is open."""

    def __init__(self, port: int, count: int, folder: Path) -> None:
        self._kept = folder / "viewers.npy"
        self._process = subprocess.Popen(
            [sys.executable, __file__, str(port), str(count), str(self._kept)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        self._count = count
        self.there = 0
        self._all = threading.Event()
        threading.Thread(target=self._hear, daemon=True).start()

    def _hear(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.there = int(line)
            if self.there == self._count:
                self._all.set()

    def wait(self, seconds: float) -> None:
        """Until all of them are let in."""
        self._all.wait(seconds)

    def took(self, acts: Sequence[tuple[float, int]]) -> list[float]:
        """Ends them. acts: when something happened, and in which picture it was first seen. Gives the seconds until each viewer had
        that picture or a newer one; inf where one never had."""
        self._process.communicate("end\n", timeout=120)
        numbers, viewers, moments = np.load(self._kept)
        begun, wanted = np.array(acts).reshape(-1, 2).T
        found: list[float] = []
        for viewer in range(self._count):
            own = viewers == viewer
            seen, at = numbers[own], np.append(moments[own], np.inf)
            found.extend((at[np.searchsorted(seen, wanted)] - begun).tolist())
        return found

    def close(self) -> None:
        """They are gone."""
        self._process.kill()
        self._process.wait()


class _Stream:
    def __init__(self, number: int, port: int) -> None:
        self.number, self.let_in, self.newest = number, False, 0
        self.sock = socket.create_connection(("127.0.0.1", port), timeout=30)
        self.sock.sendall(b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        self.sock.setblocking(False)


def main() -> None:
    """One process of viewers: port, how many, and the file for what they had."""
    port, count, kept = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    waiting = selectors.DefaultSelector()
    waiting.register(sys.stdin, selectors.EVENT_READ)
    begun = there = 0
    lines = array.array("d")
    while True:
        while begun < count and begun - there < TOGETHER:
            stream = _Stream(begun, port)
            waiting.register(stream.sock, selectors.EVENT_READ, stream)
            begun += 1
        for key, _ in waiting.select():
            if key.data is None:
                np.save(kept, np.array(lines).reshape(-1, 3).T)
                return
            one: _Stream = key.data
            try:
                data = one.sock.recv(1 << 20)
            except BlockingIOError:
                continue
            if not data:
                waiting.unregister(one.sock)
                continue
            if not one.let_in:
                one.let_in = b" 200 " in data[:20]
                there += one.let_in
                print(there, flush=True)
            numbers = _NUMBER.findall(data)
            if numbers:
                one.newest = int(numbers[-1])
            if one.newest and data.endswith(CHUNK_END):
                lines.extend((one.newest, one.number, time.monotonic()))
                one.newest = 0


if __name__ == "__main__":
    main()
