"""Memory that lies free goes back to the machine."""

from __future__ import annotations

import ctypes
import subprocess
import sys
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


LARGE_PIECES = """
from controller.run.free_memory import keep_little
from tests.run.test_free_memory import resident_mb

keep_little()
for _ in range(2):  # by itself it keeps such pieces from the second on
    large = bytes([1]) * 20_000_000
    between = bytes([2]) * 50_000
    held = resident_mb()
    del large
    print(held - resident_mb() > 15)
"""


def test_a_large_piece_goes_back_at_once() -> None:
    """In a program of its own: one that holds much has places free that are as large, and takes those."""
    if not hasattr(ctypes.CDLL(None), "malloc_trim"):
        pytest.skip("This C library can't be told.")
    root = Path(__file__).parents[2]
    run = subprocess.run([sys.executable, "-c", LARGE_PIECES], cwd=root, capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["True", "True"]


def test_a_library_that_cannot_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda _: object())
    keep_little()
    FreeMemory().give_back(0.0)
