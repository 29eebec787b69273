"""How the program ends: with its status, whatever its threads are doing.

A thread that does not end in time, as one that waits for a camera, may be inside OpenCV or the networks' runtime when the
interpreter is taken down. Python 3.11 then ends that thread in the middle of their C++, which aborts the whole process. By then
everything that matters is closed and on the disk, so the process ends at once instead.

The interpreter also gives signals back to the system before it has ended, which would kill the process with the second Ctrl-C of
somebody impatient and call a tidy stop a failed one. From the command's end on they are ignored.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress

STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def ended_by(command: Callable[[], object]) -> None:
    """Runs the command, and ends the process with its status where a thread of it is still at work. Else SystemExit passes."""
    try:
        command()
    except SystemExit as done:
        for number in STOPPING:
            signal.signal(number, signal.SIG_IGN)
        if any(thread.daemon for thread in threading.enumerate()):
            _end(done.code)
        raise


def _end(code: object) -> None:
    if code is not None and not isinstance(code, int):
        print(code, file=sys.stderr)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # Perhaps nobody reads it any more.
            stream.flush()
    os._exit(code if isinstance(code, int) else int(code is not None))


def stop_on_signals() -> threading.Event:
    """A switch that Ctrl-C, SIGTERM and the end of the terminal throw; called before anything slow is imported."""
    stop = threading.Event()
    for number in STOPPING:
        # Under nohup the end of the terminal is to be ignored.
        if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, lambda *_: stop.set())
    return stop
