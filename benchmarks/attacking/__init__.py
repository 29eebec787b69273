"""Attacks on the running program from outside: HTTP, files, signals, limits of the system. benchmarks/attacks.py runs them."""

from __future__ import annotations

from benchmarks.attacking import disks, journals

FAMILIES = (journals, disks)
"""Importing them registers their attacks, in this order."""
