"""Host and controller on a simulated line in simulated time: deterministic, every fault placed exactly."""

from __future__ import annotations

from collections.abc import Callable

from controller.panel.adapter import Button, ButtonPress
from controller.panel.link import Connected, Disconnected, HostRefused, Link, LinkEvent
from controller.panel.messages import lamp_codes
from controller.panel.plan import PanelState
from firmware.core import Controller
from firmware.settings import Settings
from firmware.ticks import PERIOD

# 115200 baud, ten bits a byte.
BYTES_A_MS = 11.52
# The controller's loop: on the emulated Pico 3 ms in the median, 13 ms at most (when it has a frame to paint).
LOOP_MS = 5

Mangle = Callable[[bytes], bytes]


def unharmed(data: bytes) -> bytes:
    return data


class Lane:
    """One direction: bytes travel at the line's speed."""

    def __init__(self) -> None:
        self._waiting = b""
        self._credit = 0.0

    def send(self, data: bytes) -> None:
        self._waiting += data

    def arrive(self) -> bytes:
        """What arrives in one millisecond."""
        self._credit = min(self._credit + BYTES_A_MS, BYTES_A_MS + 1)
        count = min(int(self._credit), len(self._waiting))
        self._credit -= count
        arrived, self._waiting = self._waiting[:count], self._waiting[count:]
        return arrived

    def clear(self) -> None:
        self._waiting = b""


class Bench:
    """A link, a controller and the line between them. now: milliseconds. clock: where the controller's ticks begin."""

    def __init__(self, clock: int = 0, host_id: int = 7) -> None:
        self.now = 0
        self._clock = clock
        self.boots = 0
        self.host = Link(host_id)
        self.host.port_opened(0.0)
        self.controller = self._boot()
        self.to_controller, self.to_host = Lane(), Lane()
        self.mangle_to_controller: Mangle = unharmed
        self.mangle_to_host: Mangle = unharmed
        self.contacts = 0
        self._arrived = b""
        self.events: list[LinkEvent] = []

    def _boot(self) -> Controller:
        self.boots += 1
        return Controller(Settings(), 1000 + self.boots, self._ticks())

    def _ticks(self) -> int:
        return (self._clock + self.now) % PERIOD

    def reboot(self) -> None:
        self.controller = self._boot()
        self.to_host.clear()

    def restart_host(self, host_id: int) -> None:
        self.host = Link(host_id)
        self.host.port_opened(self.now / 1000)

    def run(self, ms: int) -> None:
        for _ in range(ms):
            self.step()

    def step(self) -> None:
        self.now += 1
        self.events += self.host.receive(self.to_host.arrive(), self.now / 1000)
        self.events += self.host.tick(self.now / 1000)
        self.to_controller.send(self.mangle_to_controller(self.host.data_to_send()))
        arrived = self.to_controller.arrive()
        self._arrived += arrived
        if self.now % LOOP_MS == 0:
            self.to_host.send(self.mangle_to_host(self.controller.step(self._ticks(), self._arrived, self.contacts)))
            self._arrived = b""

    def press(self, button: Button, hold_ms: int = 40) -> None:
        self.contacts |= 1 << button
        self.run(hold_ms)
        self.contacts &= ~(1 << button)
        self.run(hold_ms)

    def presses(self) -> list[Button]:
        return [event.button for event in self.events if isinstance(event, ButtonPress)]

    def count(self, kind: type[Connected] | type[Disconnected] | type[HostRefused]) -> int:
        return sum(isinstance(event, kind) for event in self.events)

    def shows(self, state: PanelState) -> bool:
        """Whether the lamps are those of the state, and both sides know it."""
        shown = bytes(self.controller.shown(self._ticks()))
        return not self.controller.lost and shown == lamp_codes(state) and self.host.settled

    def ms_until_shown(self, state: PanelState, at_most: int = 5000) -> int:
        """How long until the lamps show the state and both sides know it."""
        start = self.now
        while not self.shows(state) and self.now - start <= at_most:
            self.step()
        return self.now - start
