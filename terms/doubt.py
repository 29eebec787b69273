"""Why somebody should look at a line of a record."""

from __future__ import annotations

from typing import Literal

Doubt = Literal["gap", "illegal", "doubtful", "said"]
"""Nobody saw what was played, it is not legal, it was hardly read, the referee said something of it."""
