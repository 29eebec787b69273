"""Buttons: a press counts when the contact has been steady, and waits in a queue until the host has acknowledged it."""

from firmware import messages, ticks

# Tactile switches bounce for up to about 10 ms (data sheets give 5-10); 15 ms steady is beyond that and below notice.
DEBOUNCE_MS = 15
# A finger does not stay this long; a wedged button does.
STUCK_MS = 10000
QUEUE = 32
# Ten times the 8 ms that an event and its acknowledgement need at 115200 baud.
REPEAT_MS = 80
# No host asks how much older a press is, and differences of ticks turn round after six days.
OLD_MS = 3600000
NUMBERS = 65536


class Contacts:
    """Debounces BUTTONS contacts. held and stuck are bit masks, bit i for button i.

    closed: the contacts that are closed at the start, now: nobody has pressed them, so they count once they were open.
    """

    def __init__(self, closed: int = 0, now: int = 0) -> None:
        self.held = closed
        self.stuck = 0
        self._raw = closed
        self._changed = [now] * messages.BUTTONS

    def update(self, now: int, contacts: int) -> "list[int]":
        """The buttons newly pressed, given the contacts closed at `now` (a bit mask)."""
        pressed = []
        for button in range(messages.BUTTONS):
            bit = 1 << button
            if (contacts ^ self._raw) & bit:
                self._raw ^= bit
                self._changed[button] = now
                continue
            steady = ticks.since(now, self._changed[button])
            if (self._raw ^ self.held) & bit:
                if steady >= DEBOUNCE_MS:
                    self.held ^= bit
                    if self.held & bit:
                        pressed.append(button)
                    else:
                        self.stuck &= ~bit
            elif self.held & bit and steady >= STUCK_MS:
                self.stuck |= bit
        return pressed


class PressQueue:
    """Presses on their way to the host, oldest first: each is repeated until acknowledged, so none is lost or doubled.

    Beyond QUEUE waiting presses new ones are dropped; their numbers are used up, so that the host sees the gap.
    """

    def __init__(self) -> None:
        self.lost = 0
        self._number = 0
        self._waiting: list[tuple[int, int, int]] = []  # number, button, pressed at
        self._sent_at: int | None = None

    def add(self, now: int, button: int) -> None:
        """Queues one press."""
        self._number = (self._number + 1) % NUMBERS
        if len(self._waiting) >= QUEUE:
            self.lost += 1
        else:
            self._waiting.append((self._number, button, now))

    def keep_time(self, now: int) -> None:
        """Lets no press seem young again, however long it waits: to be called at least once in five days."""
        if self._sent_at is not None and ticks.since(now, self._sent_at) >= REPEAT_MS:
            self._sent_at = None
        for place in range(len(self._waiting)):
            number, button, at = self._waiting[place]
            if ticks.since(now, at) >= 2 * OLD_MS:
                self._waiting[place] = (number, button, (now - OLD_MS) % ticks.PERIOD)

    def acknowledge(self, number: int) -> None:
        """Forgets the oldest press if it bears this number; any other acknowledgement is an old one."""
        if self._waiting and self._waiting[0][0] == number:
            self._waiting.pop(0)
            self._sent_at = None

    def due(self, now: int) -> "tuple[int, int, int] | None":
        """(number, button, age in ms) of the press to send now, or None."""
        if not self._waiting:
            return None
        if self._sent_at is not None and ticks.since(now, self._sent_at) < REPEAT_MS:
            return None
        self._sent_at = now
        number, button, at = self._waiting[0]
        return number, button, max(0, ticks.since(now, at))
