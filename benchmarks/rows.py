"""The rows of the benchmarks' results: when and at which commit they were measured, and how they are added to a file and read."""

from __future__ import annotations

import csv
import os
import subprocess
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]


@cache
def commit() -> str:
    """The short name of the commit at hand, or what the environment's VRHCAB_COMMIT says, for a copy of the files without it."""
    if said := os.environ.get("VRHCAB_COMMIT"):
        return said
    asked = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return asked.stdout.strip()


def stamp() -> dict[str, str]:
    """When and at which commit something was measured."""
    return {"date": datetime.now(UTC).date().isoformat(), "commit": commit()}


def add_row(path: Path, row: Mapping[str, Any]) -> None:
    """Appends to a CSV file, which begins with the names of the columns."""
    add_rows(path, [row])


def add_rows(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Appends to a CSV file, which begins with the names of the columns: all rows have the same, in the same order."""
    new = not path.exists()
    with path.open("a", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        if new:
            table.writeheader()
        table.writerows(rows)


def read_rows(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV file; none where it is not there."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write_rows(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Writes them in the place of those that stood in the file."""
    path.unlink(missing_ok=True)
    add_rows(path, rows)
