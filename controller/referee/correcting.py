"""Replaying what followed a correction: every later turn of its game is judged anew, as it was played, from where the
board now stood. Later games are kept as they were played, for each began anew. The score follows; games after a match that is won
before them hold no more.

A turn whose moves are still a legal play is that play. Else, if what was seen after it is a legal end of it from here, that.
Else it is kept as it was played, as far as its moves can be made, marked as doubtful, flagged for what is wrong with it now, and it
stands. What was said of plays before is withdrawn, and said again where it still holds. A turn that was played otherwise after all
is taken as it was written; what took its place is judged, from where the board stood before both.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import msgspec

from controller.referee.events import (
    Adjusted,
    AnyEvent,
    Beavered,
    Doubled,
    Drawn,
    Flagged,
    Found,
    GameEnded,
    GameStarted,
    Named,
    Passed,
    Played,
    Raccooned,
    ResignOffered,
    ResignRefused,
    Resolved,
    Rewritten,
    RoleSet,
    Rolled,
    Skipped,
    Taken,
    TeamCube,
    Withdrawn,
)
from controller.referee.folding import apply_recorded
from controller.referee.history import LinesSoFar, takes_back
from controller.referee.judging import PLAY_CODES, stands, won
from controller.referee.state import MatchState, Phase
from controller.rules import (
    BAR,
    BAR_INDEX,
    OFF,
    Play,
    Position,
    Side,
    format_play,
    judge,
    legal_plays,
    position_from_id,
    position_id,
    resigned_result,
)
from controller.rules.codes import Code

REJUDGED = PLAY_CODES | {Code.ILLEGAL_PLAY_STANDS}
"""Flags that a replay withdraws and raises anew."""

DISCONNECTED = 0.5
"""How sure a turn is, at most, that no longer connects to the one before it."""


_OF_A_GAME = (
    Drawn, Rolled, Played, Found, Skipped, Doubled, Withdrawn, Beavered, Raccooned, Taken, Passed, TeamCube,
    ResignOffered, ResignRefused, GameEnded,
)  # fmt: skip


def _is_of_a_game(event: AnyEvent) -> bool:
    """Whether it holds only while a game is on; a score may be set after it, too."""
    is_set = isinstance(event, Adjusted) and (event.position, event.cube) != (None, None)
    return is_set or isinstance(event, _OF_A_GAME)


@dataclass
class Replay:
    """Events after a correction, one by one. state: after those so far; events: what holds instead; withdrawn, corrected: numbers
    of flags that no longer hold, and of those that the correction answers; stood: the board before a turn that was played
    otherwise after all; ended: how the corrected game ended before, by checkers borne off; later: another game has begun since;
    over: the match was won before it could."""

    state: MatchState
    events: list[AnyEvent] = field(default_factory=list)
    withdrawn: set[int] = field(default_factory=set)
    corrected: frozenset[int] = frozenset()
    stood: Position | None = None
    ended: GameEnded | None = None
    later: bool = False
    over: bool = False

    def add(self, *events: AnyEvent) -> None:
        """These hold as they are."""
        for event in events:
            self.state = apply_recorded(self.state, event)
            self.events.append(event)

    def take(self, event: AnyEvent, *, taken_back: bool = False) -> None:
        """One event that held before the correction. taken_back: a later one takes its place in the record."""
        if self.state.between_games and _is_of_a_game(event):
            return
        if isinstance(event, GameStarted):
            self.next_game(event)
            return
        if self.later or (self.over and isinstance(event, Named | RoleSet)):
            self.add(event)
        if self.later or self.over:
            return
        match event:
            case Rewritten():
                pass  # the note of an earlier correction belongs to its place; this one's own says all that they did
            case Flagged(code=code, number=number) if code in REJUDGED:
                self.withdrawn.add(number)
            case Flagged(number=number) if number in self.corrected:
                self.add(event, Resolved(number=number, how="corrected", seconds=event.seconds))
            case Resolved(number=number) if number in self.withdrawn:
                pass
            case GameEnded(ending="borne off"):
                self.ended = event  # follows from the turns
            case GameEnded(ending="resigned"):
                self.add(self.given_up(event))
            case Played() if taken_back:
                self.stood = self._before(event)
                self.add(event)
            case Played():
                self.turn(event)
            case _:
                self.add(event)

    def next_game(self, event: GameStarted) -> None:
        """Another game was begun: the corrected one had ended for those who played, even where its turns do not say so any more.
        With the score that follows it, or one after it, may have won the match."""
        if not self.later and not self.state.between_games and self.ended is not None:
            self.add(self.ended)
        self.over = self.over or self.state.phase is Phase.MATCH_OVER
        self.later = not self.over
        if self.later:
            self.add(event)

    def given_up(self, event: GameEnded) -> GameEnded:
        """The same resignation: where checkers are counted, they count as they now stand."""
        state = self.state
        if state.ruleset.scoring.method != "checker-zones":
            return event
        result = resigned_result(state.position, event.winner.other, event.level, state.cube, state.ruleset)
        return msgspec.structs.replace(event, points=result.points)

    def turn(self, event: Played) -> None:
        """A turn as it was played, from the position that now stood before it."""
        before = self._before(event)
        play, after = _again(self.state, event, before)
        fresh = msgspec.structs.replace(
            event,
            before=position_id(before, Side.LIGHT),
            after=position_id(after, Side.LIGHT),
            moves=_moves(play) if play else event.moves,
            notation=format_play(play) if play else "",
            legal=play is not None,
            sure=event.sure if play or not event.legal else min(event.sure, DISCONNECTED),
            redo=self._takes_back(event),
        )
        self.add(*((fresh,) if play else stands(self.state, before, fresh, after)))
        self.add(*won(self.state, event.side, after, event.seconds))

    def _before(self, event: Played) -> Position:
        """What now stood before that turn."""
        return self.stood if self.stood is not None and self._takes_back(event) else self.state.position

    def _takes_back(self, event: Played) -> bool:
        return takes_back(event, self.state.turns[-1] if self.state.turns else None)


def replay(
    state: MatchState,
    changed: Sequence[AnyEvent],
    later: Sequence[AnyEvent],
    withdrawn: Iterable[int] = (),
    corrected: Iterable[int] = (),
) -> tuple[AnyEvent, ...]:
    """The events that hold instead: first what was changed, as it is, then what came later, of the same game judged anew.

    withdrawn: numbers of flags whose answers no longer count; corrected: of those that this answers.
    """
    one = Replay(state, withdrawn=set(withdrawn), corrected=frozenset(corrected))
    one.add(*changed)
    otherwise = _played_otherwise(later)
    for at, event in enumerate(later):
        one.take(event, taken_back=at in otherwise)
    return tuple(one.events)


def _played_otherwise(events: Sequence[AnyEvent]) -> set[int]:
    """Indices of the turns whose place a later one has taken."""
    found, so_far = set[int](), LinesSoFar()
    for at, event in enumerate(events):
        if so_far.lines and takes_back(event, so_far.lines[-1].event):
            found.add(so_far.lines[-1].at)
        so_far.take(at, event)
    return found


def _again(state: MatchState, event: Played, before: Position) -> tuple[Play | None, Position]:
    wanted = sorted(event.moves)
    seen = position_from_id(event.after, Side.LIGHT, before.checkers)
    if event.legal:
        for play in legal_plays(before, event.side, event.dice, state.ruleset):
            if sorted(_moves(play)) == wanted:
                return play, play.result
    unmoved = event.after == event.before
    as_moved = made(before, event.side, event.moves) if event.moves or unmoved else seen
    for after in dict.fromkeys((as_moved, seen)):
        found = judge(before, event.side, event.dice, after, state.ruleset).play
        if found is not None:
            return found, after
    return None, as_moved


def made(before: Position, side: Side, moves: Iterable[tuple[int, int]]) -> Position:
    """What stands after moves that need not be legal: those that no checker is there for are left out, blots are hit."""
    own, other = list(before.own(side)), list(before.own(side.other))
    for source, target in moves:
        if not OFF <= target < source <= BAR or not own[source - 1]:
            continue
        own[source - 1] -= 1
        if target == OFF:
            continue
        own[target - 1] += 1
        if target < BAR and other[24 - target] == 1:
            other[24 - target] = 0
            other[BAR_INDEX] += 1
    light, dark = (own, other) if side is Side.LIGHT else (other, own)
    return Position(tuple(light), tuple(dark), before.checkers)


def _moves(play: Play) -> tuple[tuple[int, int], ...]:
    return tuple((move.source, move.target) for move in play.moves)
