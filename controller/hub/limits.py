"""How much one board may send, so that none takes the hub from the others. Pure: time is given."""

from __future__ import annotations

from dataclasses import dataclass

EVENTS_A_SECOND = 100.0
"""A fast game has one event a second."""

BURST = 10_000
"""Events at once: what a board has kept that was cut off for a day of ten matches and more."""

MESSAGES_A_SECOND = 20.0
MESSAGE_BURST = 200


@dataclass
class Bucket:
    """Fills at `rate` a second up to `size`; what is taken out is gone."""

    rate: float
    size: float
    held: float
    at: float

    @classmethod
    def full(cls, rate: float, size: float, now: float) -> Bucket:
        """One that nobody has drawn from."""
        return cls(rate, size, size, now)

    def take(self, amount: float, now: float) -> bool:
        """Whether there was so much in it."""
        self.held = min(self.size, self.held + (now - self.at) * self.rate)
        self.at = now
        if amount > self.held:
            return False
        self.held -= amount
        return True
