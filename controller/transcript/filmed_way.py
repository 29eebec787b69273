"""A recorded game as it is if the board lies one way round, and what is taken down of it."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field, replace

from controller.referee.session import MatchPlan, Session
from controller.referee.ways_round import WayRound, best, home_of_next_game, likely
from controller.tracking.hypothesis import Lost, Over
from controller.tracking.parameters import HALF, SURE_AT_LEISURE
from controller.transcript.report import TranscriptNotes
from terms.board import CORNERS, Corner, across
from vision.observation import Observation

Look = tuple[Observation, bytes | None]
"""What was read of a frame, and its thumbnail."""


@dataclass
class FilmedWay(WayRound):
    """A way round, and what is taken down of its turns. Nobody plays at the moment: nothing is written before it is as sure as what
    comes makes it.

    key_frames: what is seen are single pictures far apart, not a film. tried: track was lost, and the other way round was thought
    of since.
    """

    key_frames: bool = False
    tried: bool = False
    notes: TranscriptNotes = field(default_factory=TranscriptNotes)

    def show(self, look: Look) -> None:
        """Takes in one look, and takes down what it made certain."""
        observation, jpeg = look
        if self.key_frames:
            self.session.moved()
        events = self.see(observation)
        if jpeg is not None:
            self.notes.shown(jpeg, self.session.tracker.belief.best.board)
        self.notes.events(events)

    @property
    def is_sought(self) -> bool:
        """Track was lost, and where the game goes on is not written down yet."""
        return self.session.tracker.belief.share_found() > HALF

    def next_game(self, observation: Observation) -> list[FilmedWay]:
        """The same match, if its next game is set up another way round: where several ways are thought of, each may be the one."""
        home = home_of_next_game(self.session, observation)
        return [] if home is None else [self.round(home)]

    def elsewhere(self) -> list[FilmedWay]:
        """The same match, if another camera shows it from across; after a game, if the next one was set up any way round."""
        lost = self.session.tracker.belief.best.turn
        after_a_game = isinstance(lost, Lost) and isinstance(lost.turn, Over)
        return self.others() if after_a_game else [self.round(across(self.home))]

    def others(self) -> list[FilmedWay]:
        """The same match, if it goes on any other way round."""
        return [self.round(home) for home in CORNERS if home != self.home]

    def round(self, home: Corner) -> FilmedWay:
        """The same match, if it goes on another way round, as before another camera. Which is likelier, what comes tells."""
        self.tried = True
        notes = TranscriptNotes()
        notes.become(self.notes)
        other = replace(self, home=home, session=copy(self.session), notes=notes)
        other.session.set_up_round(home)
        return other


def begun(plan: MatchPlan, homes: Sequence[Corner], *, key_frames: bool) -> list[FilmedWay]:
    """One way round for each corner at which light's home may lie, of a match of which nothing was seen yet."""
    ways = [FilmedWay(home, Session(plan, home, sure=SURE_AT_LEISURE), key_frames=key_frames) for home in homes]
    for way in ways:
        way.notes.events(way.session.opening)
    return ways


def followed(ways: list[FilmedWay], look: Look) -> list[FilmedWay]:
    """The likely ones of these ways round after one look more."""
    observation, _ = look
    if len(ways) > 1 and observation.still:
        ways = [*ways, *(other for way in ways for other in way.next_game(observation))]
    for way in ways:
        if observation.still:
            way.turned(observation, alone=len(ways) == 1)
        way.show(look)
        way.tried = way.tried and way.is_sought
    if all(way.is_sought for way in ways):
        for way in ways:
            way.pips = None  # what is found next tells how far it is to go, whatever was found before
    if len(ways) == 1 and ways[0].is_sought and not ways[0].tried:
        ways = [*ways, *ways[0].elsewhere()]
    of_home = {home: best([way for way in ways if way.home == home]) for home in {way.home: None for way in ways}}
    return likely(list(of_home.values()))
