"""A frame: one picture and the time it was taken."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
"""(H, W, 3) uint8, BGR, source px."""

Corners = npt.NDArray[np.float32]
"""(4, 2) float32, source px: top-left, top-right, bottom-right, bottom-left of the playing surface, without trays."""


@dataclass(frozen=True)
class Frame:
    """image: (H, W, 3) uint8 BGR; seconds: monotonic time of the exposure; name: file name where there is one."""

    image: Image
    seconds: float
    name: str = ""

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) px."""
        height, width = self.image.shape[:2]
        return width, height
