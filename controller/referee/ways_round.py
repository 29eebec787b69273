"""Which way the board lies where a game is on when somebody begins to look: the way round in which its plays make sense."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Self, TypeVar

from controller.referee.events import AnyEvent, Flagged, Found, Played
from controller.referee.session import Session
from controller.rules import Side
from controller.rules.codes import Code
from controller.tracking.home import find_home, is_plainer_across
from controller.tracking.hypothesis import Stage, Turn
from controller.tracking.parameters import HALF, ORIENTED, SURE
from controller.tracking.tracker import Tracker
from terms.board import Corner, across
from vision.observation import Observation

AHEAD = 2.5
"""Turns by which one way round has to explain more than another before that is given up. Chosen: the wrong way round explains a
turn of two by chance, and a board that was misread costs the right one a turn."""

PIPS_A_TURN = 24.0
"""Pips less to go that weigh as much as one turn more: players move towards their homes, so that half a turn the wrong way makes
their way longer, by 24 pips at the start of a game and by more in each turn."""

MOST_FOR_PIPS = 1.5


@dataclass
class WayRound:
    """The game as it is if light's home is at that corner. turns: played by the rules, less what does not follow from them."""

    home: Corner
    session: Session
    turns: float = 0.0
    pips: int | None = None

    def see(self, observation: Observation) -> tuple[AnyEvent, ...]:
        """Takes in the next look; what it made certain."""
        return self._counted(self.session.see(observation))

    def finished(self, seconds: float, *, moving: bool | None = None) -> tuple[Self, tuple[AnyEvent, ...]]:
        """This way round when nothing more will be seen, and what is written down now: all may have waited until then.

        moving: something has moved over the board since it was last read; not where a film only shows something else at its end.
        """
        ended = replace(self, session=copy(self.session))
        return ended, ended._counted(ended.session.finish(seconds, moving=moving))

    def _counted(self, events: tuple[AnyEvent, ...]) -> tuple[AnyEvent, ...]:
        self.turns += sum(_worth(event) for event in events)
        if self.pips is None and any(isinstance(event, Found) for event in events):
            position = self.session.state.position
            self.pips = sum(position.pip_count(side) for side in Side)
        return events

    @property
    def is_lost(self) -> bool:
        """Nothing that is seen now follows from anything."""
        return self.session.tracker.belief.best.stage is Stage.LOST

    @property
    def seen(self) -> int:
        """Turns that it has seen, written or not."""
        pending = self.session.tracker.belief.best.facts
        return sum(isinstance(one, Played | Turn) for one in (*self.session.held, *pending))

    def turned(self, observation: Observation, *, alone: bool = True) -> bool:
        """Whether the board lies the other way round by now; from now on it is read so.

        alone: no other way round is as likely, else the next game's start position tells nothing of this one.
        """
        home = turned_round(self.session, observation, alone=alone)
        if home is not None:
            self.home = home
        return home is not None


def turned_round(session: Session, observation: Observation, *, alone: bool = True) -> Corner | None:
    """Where light's home lies from now on, if the board lies the other way round than it did; the session reads it so. alone: as
    WayRound.turned has it."""
    observation = session.without_spare_dice(observation)
    home = home_of_next_game(session, observation) if alone else None
    if home is not None:
        session.set_up_round(home)
        return home
    carried = carried_round(session, observation)
    if carried is None:
        return None
    session.go_on_as(carried)
    return carried.light_home


def carried_round(session: Session, observation: Observation) -> Tracker | None:
    """The tracker that reads the board from the other side, if board or camera was carried round the table in the middle of a game:
    what stands there follows by the rules from what stood, seen from there, and from nothing as it lay before; else None. Where
    track is lost, from what is written down.

    Not the start position, which would be a first play taken back: it is set up for the next game.
    """
    if session.untouched:
        return None
    tracker = session.as_written() if session.tracker.belief.share_found() > HALF else session.tracker
    before, home = tracker.belief, tracker.light_home
    if before.share_followed() < HALF or not is_plainer_across(observation, before.best.board, home):
        return None
    other = tracker.turned(across(home))
    here, there = tracker.see(observation).belief, other.see(observation).belief
    if here.share_found() < SURE or there.share_followed() < SURE or there.best.board == tracker.setting.start:
        return None
    return other


def home_of_next_game(session: Session, observation: Observation) -> Corner | None:
    """Where light's home lies if the game may be over, or none was begun, and the board shows the start position the other way
    round; else None."""
    tracker = session.tracker
    if not (tracker.may_be_lost or tracker.belief.best.stage in (Stage.OPENING, Stage.OVER, Stage.OFFERED)):
        return None
    home, gap = find_home(observation, tracker.setting)
    return home if home != tracker.light_home and gap >= ORIENTED else None


Way = TypeVar("Way", bound=WayRound)


def best(ways: Sequence[Way]) -> Way:
    """The one that explains most, and of those alike the one that has seen more turns, sure or not. To be lost counts as much as to
    have found the game again: else it is best to find nothing."""
    if len(ways) == 1:
        return ways[0]  # asked at every look: nothing need be counted
    return max(ways, key=lambda way: (_score(way, ways) - way.is_lost, way.seen))


def likely(ways: Sequence[Way]) -> list[Way]:
    """Those that explain not much less than the best."""
    bound = max(_score(way, ways) for way in ways) - AHEAD
    return [way for way in ways if _score(way, ways) >= bound]


def lead(ways: Sequence[WayRound]) -> float:
    """Turns by which the best explains more than each other one."""
    first, second = sorted((_score(way, ways) for way in ways), reverse=True)[:2]
    return first - second


def _score(way: WayRound, ways: Sequence[WayRound]) -> float:
    shortest = min((other.pips for other in ways if other.pips is not None), default=None)
    if shortest is None or way.pips is None:
        return way.turns
    return way.turns - min((way.pips - shortest) / PIPS_A_TURN, MOST_FOR_PIPS)


def _worth(event: AnyEvent) -> float:
    match event:
        case Played(legal=True, sure=sure) if sure >= SURE:
            return 1.0
        case Played(legal=False) | Found(lost=float()) | Flagged(code=Code.TRACK_LOST):
            return -1.0
    return 0.0
