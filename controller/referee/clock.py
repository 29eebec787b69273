"""The clock: simple delay without increment, as a value. Nothing here reads a clock; the seconds come with the events."""

from __future__ import annotations

from dataclasses import dataclass, replace

from controller.rules import MatchScore, RuleSet, Side


@dataclass(frozen=True)
class Clock:
    """Two reserves, of which at most one runs.

    light, dark: seconds of reserve left when the present turn began. delay: seconds of each turn that are free.
    running: whose turn is timed, None before the first. since: when it began to run, None while the clock stands still.
    spent: seconds of the present turn before `since`. on: False while a person has stopped the clock.
    """

    light: float
    dark: float
    delay: float
    running: Side | None = None
    since: float | None = None
    spent: float = 0.0
    on: bool = True

    @classmethod
    def of(cls, score: MatchScore, rules: RuleSet) -> Clock:
        """The clock before a match: so many minutes a point of its length, less one for every point already scored."""
        minutes = rules.clock.minutes_per_point * score.length - (score.light + score.dark)
        return cls(60.0 * max(minutes, 0), 60.0 * max(minutes, 0), float(rules.clock.delay_s))

    def left(self, side: Side, now: float) -> float:
        """Seconds of reserve that a side has left; negative beyond the end."""
        reserve = self.light if side is Side.LIGHT else self.dark
        return reserve - max(0.0, self._used(now) - self.delay) if side is self.running else reserve

    def delay_left(self, now: float) -> float:
        """Free seconds that are left of the present turn."""
        return max(0.0, self.delay - self._used(now)) if self.running else self.delay

    def out(self, now: float) -> Side | None:
        """Whose time has run out: no reserve is left, nor any of the free seconds of his turn."""
        side = self.running
        over = side is not None and self.left(side, now) <= 0 and not self.delay_left(now)
        return side if over else None

    def runs_for(self, side: Side, now: float) -> Clock:
        """That side's turn is timed from now on: a new turn, or the same one going on after it stood still."""
        since = now if self.on else None
        if side is self.running:
            return self if self.since is not None else replace(self, since=since)
        return replace(self.stopped(now), running=side, since=since)

    def paused(self, now: float) -> Clock:
        """The same turn, the clock standing still."""
        return replace(self, spent=self._used(now), since=None)

    def stopped(self, now: float) -> Clock:
        """Nobody's turn is timed any more; what was used up is taken off."""
        done = replace(self, running=None, since=None, spent=0.0)
        if self.running is Side.LIGHT:
            return replace(done, light=self.left(Side.LIGHT, now))
        return replace(done, dark=self.left(Side.DARK, now)) if self.running else done

    def _used(self, now: float) -> float:
        return self.spent + (max(0.0, now - self.since) if self.since is not None else 0.0)
