"""What the device may say to those who play."""

from __future__ import annotations

from typing import Literal

Role = Literal["recorder", "monitor", "coach"]
"""Only what everybody sees, also what is wrong, also what may be played."""
