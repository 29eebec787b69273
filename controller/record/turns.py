"""A match's lines for a person who looks them over: every turn, gap and action with the cube, and which of them are in doubt.

lines = turns_of(held)                      # events that hold, all corrections done
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from controller.referee.events import (
    AnyEvent,
    Beavered,
    Confirmed,
    Doubled,
    Flagged,
    Found,
    GameStarted,
    Otherwise,
    Passed,
    Played,
    Raccooned,
    Resolved,
    Skipped,
    Taken,
    Why,
)
from controller.referee.history import takes_back
from controller.referee.state import TurnLine
from controller.rules.codes import Code, Wording
from controller.tracking.parameters import SURE
from terms.doubt import Doubt

FIRST: tuple[Doubt | None, ...] = ("gap", "illegal", "doubtful", "said", None)
"""In which order they are looked over."""


@dataclass(frozen=True)
class LineOfGame:
    """One line. game, line: as commands name them, line 0 where none reaches it; turn: which play of its game it is, 0 for what is
    none; flags: what was said of it and was not taken back; confirmed: a person says that it is right, or has told it."""

    game: int
    line: int
    turn: int
    event: TurnLine
    flags: tuple[Flagged, ...] = ()
    confirmed: bool = False

    @property
    def doubt(self) -> Doubt | None:
        """Why a person should look at it; None where there is no reason."""
        match self.event:
            case Found():
                return "gap"
            case Played(legal=False):
                return None if self.confirmed else "illegal"
            case Played(sure=sure, roll_seen=seen) if not self.confirmed:
                return "doubtful" if sure < SURE or not seen else "said" if self.flags else None
        return None

    @property
    def others(self) -> tuple[Otherwise, ...]:
        """What else may have been played."""
        return self.event.others if isinstance(self.event, Played) else ()


class Lines:
    """Takes events one by one, as they hold; lines: those so far."""

    def __init__(self) -> None:
        self.lines: list[LineOfGame] = []
        self.game = 0
        self._begun = 0
        self._flags: list[Flagged] = []

    def take(self, event: AnyEvent) -> None:
        """One more event."""
        if self.lines[self._begun :] and takes_back(event, self.lines[-1].event):
            self.lines.pop()
        match event:
            case GameStarted(number=number):
                here = self.lines[self._begun :]
                if number == self.game and all(isinstance(one.event, Found) for one in here):
                    del self.lines[self._begun :]  # it was set up wrongly at first: nothing was missed
                # The same game begun again: its lines count from here, and no command reaches those before.
                self.lines = [replace(one, line=0) if one.game == number else one for one in self.lines]
                self.game, self._begun, self._flags = number, len(self.lines), []
            case Flagged(code=Code.ILLEGAL_PLAY_STANDS):
                pass  # follows from the play
            case Flagged(reasons=(Why(code=Wording.TURN_UNCERTAIN),)):
                pass  # the play says itself how sure it is
            case Flagged():
                self._flags.append(event)
            case Resolved(number=number, how="corrected"):
                self._flags = [one for one in self._flags if one.number != number]
                self.lines = [
                    replace(one, flags=tuple(flag for flag in one.flags if flag.number != number)) for one in self.lines
                ]
            case Confirmed(turn=number):
                at = self._begun + number - 1
                if at < len(self.lines):
                    self.lines[at] = replace(self.lines[at], confirmed=True)
            case Played() | Found() | Skipped() | Doubled() | Beavered() | Raccooned() | Taken() | Passed():
                self._line(event)

    def _line(self, event: TurnLine) -> None:
        here = self.lines[self._begun :]
        is_play = isinstance(event, Played)
        turn = 1 + sum(one.turn > 0 for one in here) if is_play else 0
        flags = tuple(self._flags) if is_play else ()
        self._flags = [] if is_play else self._flags
        by_hand = isinstance(event, Played) and event.by_hand
        self.lines.append(LineOfGame(self.game, len(here) + 1, turn, event, flags, by_hand))


def turns_of(held: Iterable[AnyEvent]) -> list[LineOfGame]:
    """The lines of a match, in their order. held: the events that hold."""
    found = Lines()
    for event in held:
        found.take(event)
    return found.lines


def to_look_over(lines: Iterable[LineOfGame]) -> list[LineOfGame]:
    """What a person should look at first: gaps, illegal plays, doubtful turns, the most doubtful of them first; then the rest as
    it was played."""

    def order(line: LineOfGame) -> tuple[int, float]:
        sure = line.event.sure if isinstance(line.event, Played) and line.doubt else 0.0
        return FIRST.index(line.doubt), sure

    return sorted(lines, key=order)
