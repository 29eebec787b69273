"""The attacks on the running program, which take hours, are at least all there (benchmarks/attacks.py)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[1] / "benchmarks" / "attacks.py"


def test_every_attack_says_what_it_does() -> None:
    said = subprocess.run([sys.executable, str(SCRIPT), "--list"], capture_output=True, text=True, check=True)
    lines = [line.split(maxsplit=1) for line in said.stdout.splitlines()]
    assert all(len(line) == 2 and len(line[1]) > 20 for line in lines)
    names = [name for name, _ in lines]
    assert {"journal-foreign-reader", "disk-full", "siege-slow-header", "start-table-json", "calls-home"} <= set(names)
    assert len(names) == len(set(names))


def test_an_unknown_attack_is_refused() -> None:
    said = subprocess.run([sys.executable, str(SCRIPT), "--quick", "--only", "nothing"], capture_output=True, text=True)
    assert said.returncode == 1
    assert "There is no attack named nothing" in said.stderr
