"""Stopping is always clean: by any of its signals, whatever the threads are doing, with status 0."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.programs import running

AT_WORK = """
import sys, threading, time
import cv2, numpy
from controller.cli.leaving import ended_by
picture, begun = numpy.zeros((1500, 1500), numpy.uint8), threading.Event()
def work():
    while True:
        cv2.GaussianBlur(picture, (0, 0), 9)
        begun.set()
def command():
    threading.Thread(target=work, daemon=True).start()
    begun.wait()
    print("all is closed")
    sys.exit({code!r})
ended_by(command)
"""
"""A thread that is inside OpenCV's C++ nearly always, as one that draws or reads pictures is."""


@pytest.mark.parametrize(("code", "status"), [(None, 0), (0, 0), (3, 3), ("why", 1)])
def test_a_thread_at_work_in_opencv_aborts_nothing(code: object, status: int) -> None:
    done = subprocess.run(
        [sys.executable, "-c", AT_WORK.format(code=code)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr.strip()) == (
        status,
        "all is closed\n",
        "why" if code == "why" else "",
    )


IMPATIENT = """
import os, signal, sys
from controller.cli.leaving import ended_by
class Late:
    def __del__(self, kill=os.kill, me=os.getpid(), number=signal.{name}):
        kill(me, number)
sys.modules["late"] = Late()
ended_by(sys.exit)
"""
"""A signal that comes while the interpreter takes itself down."""


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_after_the_end_changes_nothing(name: str) -> None:
    done = subprocess.run([sys.executable, "-c", IMPATIENT.format(name=name)], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(
    signal.getsignal(signal.SIGHUP) is signal.SIG_IGN, reason="Whoever starts this told it to outlive the terminal."
)
@pytest.mark.parametrize("command", [("run", "--source", "simulator"), ("demo", "--speed", "20")])
def test_the_end_of_the_terminal_is_a_tidy_stop(tmp_path: Path, command: tuple[str, ...]) -> None:
    with running(tmp_path, *command) as program:
        program.wait_until(program.state)
        assert program.stop(signal.SIGHUP) == 0
        assert "Traceback" not in program.output
    # Where the journal was closed, SQLite has put its log away.
    assert not list((tmp_path / "vrhcab").glob("*-wal"))
