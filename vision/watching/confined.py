"""Whether what stirs over a board keeps to one place of it: a pointer on a stream, hearts, a hand that can't keep quiet."""

from __future__ import annotations

import numpy as np

from vision.board.rectified import Mask

CONFINED = 0.12
"""Share of the board that it may not leave."""
HAND_SECONDS, SMALL_SECONDS = 3.0, 2.0
"""For which it must have kept to that: so long if some of it is as large as a hand, which may be about to play; a thrown die comes
to rest sooner than in the second."""
PAUSE = 1.0
"""Seconds without anything that stirs after which it begins anew."""


class Confined:
    """What stirred where, of one view of a board."""

    def __init__(self, board: Mask) -> None:
        """board: (H, W) of the view, the playing surface."""
        self._board = board
        self._most = CONFINED * np.count_nonzero(board)
        self._stirred_at = np.full(board.shape, -np.inf)
        self._since = self._last = self._hand = -np.inf

    def see(self, stirring: Mask, seconds: float, *, hand: bool) -> Mask | None:
        """(H, W) bool where something has stirred of late, if it has kept to one place for long enough; else None.

        stirring: where in this frame, at this second; asked of frames in which something does. hand: some of it is as large as one.
        """
        if hand:
            self._hand = seconds
        self._stirred_at[stirring] = seconds
        lately = self._stirred_at > seconds - SMALL_SECONDS
        if seconds - self._last > PAUSE or np.count_nonzero(lately & self._board) > self._most:
            self._since = seconds
        self._last = seconds
        needed = HAND_SECONDS if seconds - self._hand < HAND_SECONDS else SMALL_SECONDS
        return lately if seconds - self._since >= needed else None
