"""What happens at a table while it is set up and its match waits: the words that the set-up and a simulated table share."""

from __future__ import annotations

from typing import Literal

Act = Literal["match", "still", "thrown", "playing"]
"""What simulated players do: play their match; leave the start position alone; let one die each lie on it; play a practice game."""

REHEARSED = "practice"
"""Name of a simulated table's frames that are not of its match: they take none of its time."""
