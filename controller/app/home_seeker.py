"""Where light's home lies, told by the plays of a game that is on when the camera is switched on."""

from __future__ import annotations

from copy import copy

from controller.referee.session import Session
from controller.referee.ways_round import WayRound, best, lead
from terms.board import CORNERS, Corner
from vision.observation import Observation

TURNS = 2.0
"""Turns that one way round must explain before it is believed."""
LEAD = 1.0
"""Turns by which it must explain more than each other one. By agreement: the board turned by half has the same moves while nobody
comes home, and weighs less for the way that is longer then."""
MOST_RESTS, LOOKS = 60, 3
"""Rests of the board after which nothing is sought any more, and looks at each that count; by agreement, for the processor's sake:
one look costs as much as reading the board does."""


class HomeSeeker:
    """The same game for each corner at which light's home may lie; for one thread. begun: how many events of the match held when it
    began to look."""

    def __init__(self, session: Session) -> None:
        """session: of a match of which nothing was seen yet."""
        self.begun = len(session.held)
        self._ways = [_lying(session, home) for home in CORNERS]
        self._rests = self._looks = 0

    @property
    def given_up(self) -> bool:
        """Whether so much was seen in vain that nothing will be told any more."""
        return self._rests > MOST_RESTS

    def see(self, observation: Observation, *, alone: bool = False) -> WayRound | None:
        """Takes the next look in; the game as it truly lies, once its plays tell. alone: the look is a rest of its own."""
        self._looks = 0 if alone or not observation.still else self._looks + 1
        self._rests += observation.still and self._looks <= 1
        if self._looks > LOOKS:
            return None
        for way in self._ways:
            if alone:
                way.session.moved()
            way.see(observation)
        found = best(self._ways)
        return found if found.turns >= TURNS and lead(self._ways) >= LEAD else None


def _lying(session: Session, home: Corner) -> WayRound:
    """The same match, if light's home is at that corner."""
    other = copy(session)
    other.turned(home)
    return WayRound(home, other)
