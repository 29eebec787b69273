"""The archivist in a process of its own, of low priority: a hall ends many games at once, and making their lines would keep the
intake from the interpreter.

    python -m controller.hub.archivist_process      asks for the database's address on its standard input, and works until that ends
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress

from controller.hub.archivist import Archivist

NICE = 10
AGAIN_S = 5.0
PATIENCE_S = 5.0


class ArchivistProcess:
    """Works while it is open; where it ends by itself it is started again. url: of the database."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._stop = threading.Event()
        self._process = self._begin()
        self._thread = threading.Thread(target=self._watch, name="archivist", daemon=True)

    def __enter__(self) -> ArchivistProcess:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._end(self._process)
        self._thread.join(PATIENCE_S)

    @property
    def pid(self) -> int:
        """Of the process that works now."""
        return self._process.pid

    def _begin(self) -> subprocess.Popen[bytes]:
        process = subprocess.Popen([sys.executable, "-m", __name__], stdin=subprocess.PIPE)
        assert process.stdin is not None
        # Not among its arguments, which everybody may read: there may be a password in it. The pipe ends with this process, however
        # that ends, and with the pipe the other one.
        with suppress(BrokenPipeError):
            process.stdin.write(f"{self._url}\n".encode())
            process.stdin.flush()
        return process

    @staticmethod
    def _end(process: subprocess.Popen[bytes]) -> None:
        with suppress(BrokenPipeError):
            if process.stdin is not None:
                process.stdin.close()
        try:
            process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            process.kill()

    def _watch(self) -> None:
        while True:
            self._process.wait()
            if self._stop.wait(AGAIN_S):
                return
            self._process = self._begin()


def main() -> None:
    """Until the standard input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the hub's: it ends this, too.
    with suppress(OSError):
        os.nice(NICE)
    url = sys.stdin.readline().rstrip("\n")
    with Archivist(url):
        sys.stdin.read()


if __name__ == "__main__":
    main()
