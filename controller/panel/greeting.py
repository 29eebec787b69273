"""Asks the controller on a line who it is, once, without a thread: for `vrhcab flash` and `vrhcab doctor`."""

from __future__ import annotations

import secrets
import time

from controller.panel.link import Link
from controller.panel.messages import Welcome
from controller.panel.serial_panel import Port

# A firmware that runs answers in 30 ms; one that has just been reset needs 0.7 s to its first word.
ANSWER_S = 2.0


def greet(port: Port, wait_s: float = ANSWER_S) -> Welcome | None:
    """The controller's introduction, None where none comes in time. Raises OSError where the line is lost meanwhile."""
    link = Link(secrets.randbelow((1 << 32) - 1) + 1)
    deadline = time.monotonic() + wait_s
    link.port_opened(time.monotonic())
    while link.welcome is None and time.monotonic() < deadline:
        link.tick(time.monotonic())
        if data := link.data_to_send():
            port.write(data)
        if received := port.read(0.05):
            link.receive(received, time.monotonic())
    return link.welcome
