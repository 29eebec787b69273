"""The walls of the firmware: it imports nothing of ours, and one file alone touches the hardware and the clock."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

FIRMWARE = Path(__file__).parents[2] / "firmware"
PURE = {"binascii", "json", "struct", "firmware"}
HARDWARE = {"array", "machine", "os", "rp2", "select", "sys", "time"}
ALLOWED = {"hardware.py": PURE | HARDWARE, "main.py": {"sys", "firmware"}}


@pytest.mark.parametrize("path", sorted(FIRMWARE.glob("*.py")), ids=lambda path: path.name)
def test_each_file_imports_only_what_it_may(path: Path) -> None:
    imported = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add((node.module or "").partition(".")[0])
    assert imported <= ALLOWED.get(path.name, PURE)


def test_only_the_start_uses_the_hardware() -> None:
    users = [path.name for path in FIRMWARE.glob("*.py") if "import core, hardware" in path.read_text(encoding="utf-8")]
    assert users == ["main.py"]
