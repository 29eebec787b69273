"""Runs the program as people do: as a process of its own, with its own folder for state."""

from __future__ import annotations

import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

PATIENCE = 60.0
"""Seconds that a busy machine may need to start the program."""
FIRST_PORT, PORTS = 20_000, 10_000


def free_port() -> int:
    """A port that nothing listens on, below those that Linux gives to connections by itself: one of another test took it else,
    between here and its use."""
    while True:
        port = FIRST_PORT + secrets.randbelow(PORTS)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


class Running:
    """A vrhcab process. output: what it has said so far, both streams; state(): what its page shows."""

    def __init__(self, process: subprocess.Popen[bytes], log: Path, port: int) -> None:
        self.process, self._log, self._port = process, log, port

    @property
    def output(self) -> str:
        return self._log.read_text("utf-8")

    @property
    def port(self) -> int:
        """Where its page is."""
        return self._port

    def state(self, query: str = "") -> dict[str, Any] | None:
        """The page's newest view; None while there is none. query: for whom, with its question mark."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self._port}/api/state{query}", timeout=10) as answer:
                found: dict[str, Any] = json.load(answer)
                return found
        except (urllib.error.URLError, ConnectionError):
            return None

    def wait_until(self, holds: Callable[[], object]) -> Any:
        """What `holds` returns once it is true; fails where the program ends first, or nothing comes."""
        end = time.monotonic() + PATIENCE
        while not (found := holds()):
            assert self.process.poll() is None, self.output
            assert time.monotonic() < end, self.output
            time.sleep(0.05)
        return found

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Sends the signal; the exit status."""
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)


@contextmanager
def running(folder: Path, *arguments: str, port: int = 0) -> Iterator[Running]:
    """vrhcab with these arguments, its state in the folder; killed at the end where it still runs. port 0: a free one."""
    port, log = port or free_port(), folder / "output.txt"
    command = [str(Path(sys.executable).with_name("vrhcab")), *arguments, "--port", str(port)]
    environment = {**os.environ, "XDG_STATE_HOME": str(folder), "PYTHONUNBUFFERED": "1"}
    with log.open("ab") as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, env=environment)
    try:
        yield Running(process, log, port)
    finally:
        process.kill()
        process.wait()
