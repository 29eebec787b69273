"""From a belief to events: what is written down, and what the referee says about it.

decide() is pure: the same state, known facts and belief give the same events. Every rule about what is said when stands here; the
tracker only says what it sees.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import msgspec

from controller.referee.events import (
    AnyEvent,
    Doubled,
    GameEnded,
    GameStarted,
    Passed,
    Played,
    Resolved,
    Rolled,
    Skipped,
    Taken,
    Why,
)
from controller.referee.judging import PLAY_CODES, flag, illegal, played, standing_plays, won
from controller.referee.state import MatchState, Phase, apply
from controller.referee.watches import WATCHES
from controller.rules.codes import Code
from controller.tracking.hypothesis import Answer, NewGame, Offer, Redone, Skip, Stage, Turn
from controller.tracking.parameters import SURE
from controller.tracking.tracker import Belief, Known

__all__ = ["PLAY_CODES", "Said", "decide"]

SHOW_ROLL = 0.7
"""Share of the belief for a roll: it is only shown, and a later reading may still correct it."""


@dataclass(frozen=True)
class Said:
    """Events in order, and the state after them. overtaken: the belief still takes to be open what is now decided."""

    state: MatchState
    events: tuple[AnyEvent, ...] = ()
    overtaken: bool = False

    def then(self, *events: AnyEvent) -> Said:
        """With more that happened."""
        state = self.state
        for event in events:
            state = apply(state, event)
        return Said(state, self.events + events, self.overtaken)


def decide(state: MatchState, known: tuple[Known, ...], belief: Belief, seconds: float) -> Said:
    """Everything that is now to be written down: first what has ended, then what is going on."""
    said = Said(state)
    for one in known:
        said = _record(said, one, seconds)
    if belief.evidence is None or said.state.phase is Phase.MATCH_OVER:
        return said
    said = _roll(said, belief, seconds)
    for watch in WATCHES:
        said = said.then(*watch(said.state, belief, seconds))
    return _at_once(said, belief, seconds)


def _record(said: Said, known: Known, seconds: float) -> Said:
    match known.fact:
        case Turn() as turn:
            return _turn(said, turn, known.sure, seconds)
        case Redone(turn=turn):
            return _turn(said, turn, known.sure, seconds, redo=True)
        case Skip(side=side):
            return said.then(Skipped(side=side, seconds=seconds))
        case Offer(side=side, value=value):
            return said.then(Doubled(side=side, value=value, seconds=seconds))
        case Answer(side=side, taken=True):
            return said.then(Taken(side=side, seconds=seconds))
        case Answer(side=side):
            end = GameEnded(winner=side.other, level=1, points=said.state.cube, ending="passed", seconds=seconds)
            return said.then(Passed(side=side, seconds=seconds), end)
        case NewGame():
            if said.state.phase is not Phase.GAME_OVER:
                return said
            return said.then(GameStarted(number=said.state.score.game, seconds=seconds))


def _turn(said: Said, turn: Turn, sure: float, seconds: float, redo: bool = False) -> Said:
    state = said.state
    if not redo and (state.turn, state.dice) != (turn.side, turn.roll):
        said = said.then(Rolled(side=turn.side, dice=turn.roll, seconds=seconds))
    answered = standing_plays(said.state, turn.side)
    if turn.play is None and not answered:
        said = said.then(illegal(said.state, turn.before, turn.side, turn.roll, turn.after, seconds))
        answered = list(said.state.standing[-1:])
    line = _line(said.state, turn, sure, seconds, redo)
    said = said.then(line)
    how: Literal["put right", "stands"] = "put right" if turn.play else "stands"
    said = said.then(*(Resolved(number=one.number, how=how, seconds=seconds) for one in answered))
    if turn.play is None:
        noted = flag(said.state, Code.ILLEGAL_PLAY_STANDS, turn.side, seconds)
        said = said.then(noted, Resolved(number=noted.number, how="stands", seconds=seconds))
    elif sure < SURE:
        play = f"{turn.roll[0]}{turn.roll[1]}: {line.notation}"
        said = said.then(flag(said.state, Code.READING_UNCERTAIN, None, seconds, Why("R22-turn", {"play": play})))
    return said.then(*won(said.state, turn.side, turn.after, seconds))


def _line(state: MatchState, turn: Turn, sure: float, seconds: float, redo: bool) -> Played:
    """The turn as an event."""
    line = played(turn.side, turn.roll, turn.before, turn.after, turn.play, seconds, state, redo=redo)
    return msgspec.structs.replace(line, roll_seen=turn.roll_seen, sure=round(sure, 4))


def _roll(said: Said, belief: Belief, seconds: float) -> Said:
    best, state = belief.best, said.state
    if best.facts or best.stage is not Stage.ROLLED or best.side is None or best.roll is None:
        return said
    if (state.turn, state.dice) == (best.side, best.roll) or belief.share_of("side", "roll") < SHOW_ROLL:
        return said
    return said.then(Rolled(side=best.side, dice=best.roll, seconds=seconds))


def _at_once(said: Said, belief: Belief, seconds: float) -> Said:
    """Where an illegal play may only be put right until the dice are lifted, it stands as soon as it is seen to be one."""
    state, best = said.state, belief.best
    wrong = [one for one in state.standing if one.code in PLAY_CODES]
    if (
        state.ruleset.illegal.window != "until-dice-lifted"
        or not wrong
        or best.stage is not Stage.ILLEGAL
        or best.facts
    ):
        return said
    assert best.side is not None
    assert best.roll is not None
    turn = Turn(best.side, best.roll, best.before, best.board, None, best.roll_seen)
    return replace(_turn(said, turn, 1.0, seconds), overtaken=True)
