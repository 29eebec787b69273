"""Memory that lies free goes back to the machine."""

from __future__ import annotations

import ctypes
from pathlib import Path

import pytest

from controller.run.free_memory import EVERY_S, FreeMemory, keep_little


def resident_mb() -> float:
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * 4096 / 1e6


def test_it_is_asked_for_now_and_then() -> None:
    asked: list[int] = []
    memory = FreeMemory(asked.append)
    for tenth in range(int(EVERY_S * 35)):
        memory.give_back(1000 + tenth / 10)
    assert asked == [0] * 4
    memory.give_back(3.0)
    memory.give_back(4.0)
    assert asked == [0] * 5, "a clock that began anew"


def test_what_lies_free_goes_back() -> None:
    if not hasattr(ctypes.CDLL(None), "malloc_trim"):
        pytest.skip("This C library can't give memory back.")
    memory = FreeMemory()
    memory.give_back(0.0)
    before = resident_mb()
    blocks = [bytes([k % 256]) * 60_000 for k in range(1000)]
    kept = blocks[-1]
    held = resident_mb()
    del blocks
    memory.give_back(EVERY_S)
    after = resident_mb()
    assert held - before > 40
    assert after - before < 0.3 * (held - before)
    assert len(kept) == 60_000


def test_a_large_piece_goes_back_at_once() -> None:
    if not hasattr(ctypes.CDLL(None), "malloc_trim"):
        pytest.skip("This C library can't be told.")
    keep_little()
    for _ in range(2):  # by itself it keeps such pieces from the second on
        large = bytes([1]) * 20_000_000
        between = bytes([2]) * 50_000
        held = resident_mb()
        del large
        assert held - resident_mb() > 15
        assert len(between) == 50_000


def test_a_library_that_cannot_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda _: object())
    keep_little()
    FreeMemory().give_back(0.0)
