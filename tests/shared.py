"""Finds the reference data that lies beside the project; tests that need it skip where it is absent."""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"


def shared(part: str) -> Path:
    """The path of one part of the reference data, for example "oracle" or "boards/photos"; skips the test without it."""
    path = SHARED / part
    if not path.exists():
        pytest.skip(f"reference data {part!r} is not here")
    return path
