"""A recording's beginning, kept for as long as what comes later may tell that it was something else than it seemed.

Three things are told by later looks alone: that the film is a mirror image, that players throw on either half of the board, and
that the first reading had the sides' names exchanged. Then the first looks are gone through again with what is known.
"""

from __future__ import annotations

from collections.abc import Iterable

from controller.referee.session import MatchPlan
from controller.referee.ways_round import best, likely, mirrored_home
from controller.rules import Side
from controller.tracking.habits import NOTHING_SEEN, Habits
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
    """The looks from the first on, and what they may still turn out to be."""

    def __init__(self, plan: MatchPlan, light_home: Corner | None, *, key_frames: bool) -> None:
        """light_home: None to find it in the start position, or from the plays. key_frames: as FilmedWay has it."""
        self._plan, self._light_home, self._key_frames = plan, light_home, key_frames
        self._looks: list[Look] = []
        self._may_be_mirrored = False
        self._thrown_anywhere = self._set_known = False

    def begun(self, first: Observation, habits: Habits = NOTHING_SEEN) -> list[FilmedWay]:
        """The ways round to begin with. The start position tells which way the board lies; where the recording begins later, the
        plays do."""
        home = self._light_home
        if home is None:
            found, gap = find_home(first, Setting(self._plan.rules, self._plan.position))
            if gap < ORIENTED:
                return begun(self._plan, CORNERS, habits, key_frames=self._key_frames)
            home = found
        self._may_be_mirrored = True
        return begun(self._plan, (home,), habits, key_frames=self._key_frames)

    def after(self, look: Look, ways: list[FilmedWay], watcher: Watcher) -> list[FilmedWay]:
        """The ways round after a look that they have been shown: these, or others, where it tells that what came first was
        something else."""
        self._looks.append(look)
        if self._may_be_mirrored:
            ways = self._perhaps_mirrored(ways)
        habits = _told_most(ways)
        self._set_known = self._set_known or watcher.appearance is not None
        if watcher.misnamed and not self._set_known:
            watcher.rename()
            self._looks = [(seen.exchanged(), jpeg) for seen, jpeg in self._looks]
            return self._gone_through(habits)
        if habits.scattered and not self._thrown_anywhere:
            others = self._gone_through(habits)
            return others if best(others).turns >= best(ways).turns else ways
        return ways

    def told(self, ways: Iterable[FilmedWay]) -> bool:
        """Whether they have no more to tell, or there are too many to keep."""
        plain = self._set_known and not self._may_be_mirrored and _told_most(ways).told
        return plain or len(self._looks) > MOST_FIRST_LOOKS

    def as_a_mirror_image(self, way: FilmedWay) -> FilmedWay | None:
        """What all looks are if they are mirrored; None where a legal turn has told that they are not."""
        if not self._may_be_mirrored:
            return None
        (other,) = begun(self._plan, [mirrored_home(way.home)], key_frames=self._key_frames, mirrored=True)
        way.pips = other.pips = sum(way.session.state.start.pip_count(side) for side in Side)
        for look in self._looks:
            other.show(look)
        return other

    def _perhaps_mirrored(self, ways: list[FilmedWay]) -> list[FilmedWay]:
        """Where what comes first of a game is against the rules, it may be a mirror image, as cameras make it that face their
        owner: everybody seems to throw into the opponent's half. The first legal turn tells that it is none."""
        way = ways[0]
        other = self.as_a_mirror_image(way) if way.turns < 0 else None
        if other is not None and other.turns > way.turns:
            ways = likely([*ways, other])
        self._may_be_mirrored = way.turns == 0
        return ways

    def _gone_through(self, habits: Habits) -> list[FilmedWay]:
        """What all looks are by what is known now: the sides' names, and whether where dice lie tells whose they are."""
        self._thrown_anywhere = habits.scattered
        ways = self.begun(self._looks[0][0], habits)
        for look in self._looks:
            ways = followed(ways, look)
        self._may_be_mirrored = self._may_be_mirrored and not habits.scattered and ways[0].turns == 0
        return ways


def _told_most(ways: Iterable[FilmedWay]) -> Habits:
    """The habits of the way round that tells most of them."""
    return max((way.session.tracker.habits for way in ways), key=lambda one: (one.scattered, one.pairs))
