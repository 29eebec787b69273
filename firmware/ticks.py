"""Milliseconds that wrap, as MicroPython counts them: ticks live in 0..2**30-1, differences in -2**29..2**29-1."""

PERIOD = 1 << 30
HALF = 1 << 29


def since(now: int, then: int) -> int:
    """Milliseconds from `then` to `now`, right across one wrap (as time.ticks_diff, but pure)."""
    return ((now - then + HALF) & (PERIOD - 1)) - HALF
