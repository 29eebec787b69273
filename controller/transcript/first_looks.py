"""A recording's beginning, kept until the set is known: it is gone through again where the sides have had each other's names."""

from __future__ import annotations

from controller.referee.session import MatchPlan
from controller.tracking.home import find_home
from controller.tracking.parameters import ORIENTED
from controller.tracking.setting import Setting
from controller.transcript.filmed_way import FilmedWay, Look, begun, followed
from terms.board import CORNERS, Corner
from vision.observation import Observation
from vision.watching.watcher import Watcher

MOST_FIRST_LOOKS = 250
"""Looks from a recording's beginning that are kept to be gone through again; by agreement: some 50 MB at most."""


class FirstLooks:
    """The looks from the first on."""

    def __init__(self, plan: MatchPlan, light_home: Corner | None, *, key_frames: bool) -> None:
        """light_home: None to find it in the start position, or from the plays. key_frames: as FilmedWay has it."""
        self._plan, self._light_home, self._key_frames = plan, light_home, key_frames
        self._looks: list[Look] = []
        self._set_known = False

    def begun(self, first: Observation) -> list[FilmedWay]:
        """The ways round to begin with. The start position tells which way the board lies; where the recording begins later, the
        plays do."""
        home = self._light_home
        if home is None:
            found, gap = find_home(first, Setting(self._plan.rules, self._plan.position))
            if gap < ORIENTED:
                return begun(self._plan, CORNERS, key_frames=self._key_frames)
            home = found
        return begun(self._plan, (home,), key_frames=self._key_frames)

    def after(self, look: Look, ways: list[FilmedWay], watcher: Watcher) -> list[FilmedWay]:
        """The ways round after a look that they have been shown: these, or others, where it tells that the names were wrong."""
        self._looks.append(look)
        self._set_known = self._set_known or watcher.appearance is not None
        if not watcher.misnamed or self._set_known:
            return ways
        watcher.rename()
        self._looks = [(seen.exchanged(), jpeg) for seen, jpeg in self._looks]
        ways = self.begun(self._looks[0][0])
        for one in self._looks:
            ways = followed(ways, one)
        return ways

    @property
    def told(self) -> bool:
        """Whether they have no more to tell, or there are too many to keep."""
        return self._set_known or len(self._looks) > MOST_FIRST_LOOKS
