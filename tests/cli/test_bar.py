"""The line that says how far a transcription is, and how long it will take."""

from __future__ import annotations

import io
import time

import pytest

from controller.cli.transcribe import _Bar


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_what_is_left_of_a_recording_says_nothing_of_those_before(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    terminal = Terminal()
    bar = _Bar(terminal)
    for recording in ("first", "second"):
        bar.show(0.0, 3600.0)
        now[0] += 60.0
        bar.show(120.0, 3600.0)
        assert "0:02:00 of 1:00:00, 0:29:00 left" in terminal.getvalue().rpartition("\r")[2], recording
        now[0] += 1740.0
        bar.show(3600.0, 3600.0)
        bar.clear()
