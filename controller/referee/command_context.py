"""What a person's command is about, and whether the turn machine allows it now; refused with the sentence why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from controller.referee.commands import CommandError
from controller.referee.events import AnyEvent, GameStarted, Skipped
from controller.referee.folding import apply
from controller.referee.history import RecordLine, lines, span_of
from controller.referee.names import called
from controller.referee.state import MatchState
from controller.referee.turns import Phase, Trigger, may, needs_new_game
from controller.rules import LANGUAGES, Position, Reason, Side, must_roll, reason
from controller.rules.codes import Code

Events = tuple[AnyEvent, ...]


@dataclass(frozen=True)
class CommandContext:
    """The events that hold, the state they make, and the board as the camera sees it, if it does.

    unsettled: it looks, but hands are over the board, or what was played is in doubt.
    """

    held: Sequence[AnyEvent]
    state: MatchState
    board: Position | None = None
    unsettled: bool = False

    def line(self, number: int, game: int | None = None) -> RecordLine:
        """That line of a game, of the present one where none is named; the play before it was written down otherwise, where it was.
        Raises CommandError."""
        self.span(game)
        found = lines(self.held, game)
        if number > len(found):
            raise CommandError(
                "This game has {count} lines: there is no line {number}.", count=len(found), number=number
            )
        return found[number - 1]

    def span(self, game: int | None) -> tuple[int, int]:
        """Where that game's events lie among those that hold; all of them, where none is named. Raises CommandError."""
        found = (0, len(self.held)) if game is None else span_of(self.held, game)
        if found is None:
            raise CommandError("There is no game {game} in this match.", game=game)
        return found


_ANSWER_FIRST = frozenset({Trigger.ROLLED, Trigger.DOUBLED, Trigger.CUBE_SET, Trigger.RESIGNED})
"""What waits until an offered cube is answered."""

_OVER = "The match is over: begin a new one."
_WHY_NOT: dict[Trigger, str | Code] = {
    Trigger.ROLLED: _OVER,
    Trigger.DRAWN: "The game has begun: nobody draws for the start any more.",
    Trigger.TURN_ENDED: "Nobody has rolled: say the dice first.",
    Trigger.DOUBLED: "Nobody is on roll, so nobody can double.",
    Trigger.DOUBLED_AGAIN: Code.NO_DOUBLE_OFFERED,
    Trigger.TAKEN: Code.NO_DOUBLE_OFFERED,
    Trigger.PASSED: Code.NO_DOUBLE_OFFERED,
    Trigger.RESIGNED: "No game is on.",
    Trigger.STAKED: "No game is on.",
    Trigger.CUBE_SET: "No game is on.",
    Trigger.SCORE_SET: "No game is on.",
    Trigger.POSITION_SET: _OVER,
}


def allow(state: MatchState, trigger: Trigger) -> None:
    """Raises CommandError where that can't happen now."""
    if not may(state.phase, trigger):
        raise refused(state, trigger)


def refused(state: MatchState, trigger: Trigger) -> CommandError:
    """Why that can't happen now, in a sentence."""
    waits = state.phase is Phase.OFFERED and trigger in _ANSWER_FIRST
    over = state.phase is Phase.MATCH_OVER and trigger in (Trigger.DRAWN, Trigger.TURN_ENDED)
    why = Code.DOUBLE_OFFERED if waits else _OVER if over else _WHY_NOT[trigger]
    return CommandError("", in_words((reason(why),), state)) if isinstance(why, Code) else CommandError(why)


def new_game(state: MatchState, trigger: Trigger, seconds: float) -> tuple[Events, MatchState]:
    """The start of the next game, where that has to begin before this can happen, and the state after it."""
    if not needs_new_game(state.phase, trigger):
        return (), state
    begun = GameStarted(number=state.score.game, seconds=seconds)
    return (begun,), apply(state, begun)


def closed_out(state: MatchState) -> Side | None:
    """Whose turn it is, where he is closed out and by the rules does not even roll."""
    side = state.turn
    waits = side is not None and may(state.phase, Trigger.SKIPPED)
    return side if waits and side is not None and not must_roll(state.position, side, state.ruleset) else None


def passed_over(state: MatchState, side: Side, seconds: float) -> tuple[Events, MatchState]:
    """Whoever is closed out is passed over by what the other `side` does, and the state after it."""
    if closed_out(state) is not side.other:
        return (), state
    skipped = Skipped(side=side.other, seconds=seconds)
    return (skipped,), apply(state, skipped)


def refuse(reasons: Sequence[Reason], state: MatchState) -> None:
    """Raises CommandError for reasons against, if there are any."""
    if reasons:
        raise CommandError("", in_words(reasons, state))


def in_words(reasons: Sequence[Reason], state: MatchState) -> dict[str, str]:
    """Reasons as sentences by language, with the players' names; players whom nobody has named are called by their colour."""
    return {one: " ".join(why.text(one, called(state.names, one)) for why in reasons) for one in LANGUAGES}
