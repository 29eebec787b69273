"""From a belief to events: what is written down, and what the referee says about it.

decide() is pure: the same state, known facts and belief give the same events. Every rule about what is said when stands here; the
tracker only says what it sees.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from controller.referee.events import (
    AnyEvent,
    Doubled,
    Flagged,
    GameEnded,
    GameStarted,
    Passed,
    Played,
    Resolved,
    Rolled,
    Skipped,
    Taken,
)
from controller.referee.phrases import phrase
from controller.referee.state import Flag, MatchState, Phase, apply
from controller.rules import Position, Reason, RuleSet, Side, format_play, game_result, judge, position_id
from controller.tracking.best_fit import best_fit
from controller.tracking.evidence import Evidence
from controller.tracking.hypothesis import Answer, Hypothesis, NewGame, Offer, Redone, Skip, Stage, Turn
from controller.tracking.tracker import Belief, Known

SAY = 0.9
"""Share of the belief that must agree before the referee says anything to people."""

SHOW_ROLL = 0.7
"""The same for a roll: it is only shown, and a later reading may still correct it."""

LOOKED = 1.4
"""Moments of looking (see Evidence) before an odd die or an odd set-up is spoken of: it may still be in somebody's hand."""

ODD_SETUP = 12.0
"""Nats by which another position must explain the board better than the start position does."""

PLAY_CODES = frozenset({"R05", "R06", "R07", "R08", "R09", "R10", "R11", "R12"})


@dataclass(frozen=True)
class Said:
    """Events in order, and the state after them."""

    state: MatchState
    events: tuple[AnyEvent, ...] = ()

    def then(self, *events: AnyEvent) -> Said:
        """With more that happened."""
        state = self.state
        for event in events:
            state = apply(state, event)
        return Said(state, self.events + events)


def decide(state: MatchState, known: tuple[Known, ...], belief: Belief, seconds: float, rules: RuleSet) -> Said:
    """Everything that is now to be written down: first what has ended, then what is going on."""
    said = Said(state)
    for one in known:
        said = _record(said, one, seconds, rules)
    if belief.evidence is None or said.state.phase is Phase.MATCH_OVER:
        return said
    said = _roll(said, belief, seconds)
    for watch in (_illegal_play, _early_roll, _odd_dice, _odd_setup):
        said = said.then(*watch(said.state, belief, seconds, rules))
    return said


def _record(said: Said, known: Known, seconds: float, rules: RuleSet) -> Said:
    match known.fact:
        case Turn() as turn:
            return _turn(said, turn, known.sure, seconds, rules)
        case Redone(turn=turn):
            return _turn(said, turn, known.sure, seconds, rules, redo=True)
        case Skip(side=side):
            return said.then(Skipped(side=side, seconds=seconds))
        case Offer(side=side, value=value):
            return said.then(Doubled(side=side, value=value, seconds=seconds))
        case Answer(side=side, taken=True):
            return said.then(Taken(side=side, seconds=seconds))
        case Answer(side=side):
            won = GameEnded(winner=side.other, level=1, points=said.state.cube, seconds=seconds)
            return said.then(Passed(side=side, seconds=seconds), won)
        case NewGame():
            if said.state.phase is not Phase.GAME_OVER:
                return said
            return said.then(GameStarted(number=said.state.score.game, seconds=seconds))


def _turn(said: Said, turn: Turn, sure: float, seconds: float, rules: RuleSet, redo: bool = False) -> Said:
    state = said.state
    if not redo and (state.turn, state.dice) != (turn.side, turn.roll):
        said = said.then(Rolled(side=turn.side, dice=turn.roll, seconds=seconds))
    answered = [flag for flag in said.state.standing if flag.code in PLAY_CODES and flag.side is turn.side]
    if turn.play is None and not answered:
        said = said.then(_flag(said.state, turn.before, turn.side, turn.roll, turn.after, seconds, rules))
        answered = list(said.state.standing[-1:])
    said = said.then(played(turn, sure, seconds, redo))
    for flag in answered:
        how: Literal["put right", "stands"] = "put right" if turn.play else "stands"
        said = said.then(Resolved(number=flag.number, how=how, seconds=seconds))
    if turn.play is None:
        number = said.state.next_flag
        stands = Flagged(number=number, code="R19", side=turn.side, text=phrase("R19"), seconds=seconds)
        said = said.then(stands, Resolved(number=number, how="stands", seconds=seconds))
    if turn.after.off(turn.side) == turn.after.checkers:
        result = game_result(turn.after, turn.side, said.state.cube, rules)
        said = said.then(GameEnded(winner=turn.side, level=result.level, points=result.points, seconds=seconds))
    return said


def played(turn: Turn, sure: float, seconds: float, redo: bool = False) -> Played:
    """The turn as an event."""
    return Played(
        side=turn.side,
        dice=turn.roll,
        before=position_id(turn.before, Side.LIGHT),
        after=position_id(turn.after, Side.LIGHT),
        moves=tuple((move.source, move.target) for move in turn.play.moves) if turn.play else (),
        notation=format_play(turn.play) if turn.play else "",
        legal=turn.play is not None,
        roll_seen=turn.roll_seen,
        sure=round(sure, 4),
        redo=redo,
        seconds=seconds,
    )


def _roll(said: Said, belief: Belief, seconds: float) -> Said:
    best, state = belief.best, said.state
    if best.facts or best.stage is not Stage.ROLLED or best.side is None or best.roll is None:
        return said
    if (state.turn, state.dice) == (best.side, best.roll) or _share(belief, best, "side", "roll") < SHOW_ROLL:
        return said
    return said.then(Rolled(side=best.side, dice=best.roll, seconds=seconds))


def _share(belief: Belief, best: Hypothesis, *fields: str) -> float:
    """The probability of all accounts that agree with the best in stage and in these fields."""
    return sum(
        p
        for account, p in belief.accounts
        if account.stage is best.stage and all(getattr(account, name) == getattr(best, name) for name in fields)
    )


def _illegal_play(state: MatchState, belief: Belief, seconds: float, rules: RuleSet) -> Iterator[AnyEvent]:
    best = belief.best
    if best.stage is not Stage.ILLEGAL or best.facts or best.side is None or best.roll is None:
        return
    if _share(belief, best, "side", "roll", "now") < SAY or _standing(state, PLAY_CODES):
        return
    yield _flag(state, best.before, best.side, best.roll, best.board, seconds, rules)


def _flag(
    state: MatchState,
    before: Position,
    side: Side,
    roll: tuple[int, int],
    after: Position,
    seconds: float,
    rules: RuleSet,
) -> Flagged:
    """What is wrong with a play: the first reason gives the code, the text has them all."""
    reasons: tuple[Reason, ...] = judge(before, side, roll, after, rules).reasons
    text = " ".join(reason.text(names={side: state.name(side) for side in Side}) for reason in reasons)
    return Flagged(number=state.next_flag, code=reasons[0].code, side=side, text=text, seconds=seconds)


def _early_roll(state: MatchState, belief: Belief, seconds: float, rules: RuleSet) -> Iterator[AnyEvent]:
    del rules
    best = belief.best
    standing = _standing(state, {"R04"})
    if best.stage is Stage.ROLLED and best.early and best.side is not None:
        if not standing and _share(belief, best, "side", "early") >= SAY:
            text = phrase("R04", state.name(best.side))
            yield Flagged(number=state.next_flag, code="R04", side=best.side.other, text=text, seconds=seconds)
    elif standing and _share(belief, best, "side", "early") >= SAY:
        rolled_on = best.stage is Stage.ROLLED and best.side is standing[0].side
        yield Resolved(number=standing[0].number, how="stands" if rolled_on else "put right", seconds=seconds)


def _odd_dice(state: MatchState, belief: Belief, seconds: float, rules: RuleSet) -> Iterator[AnyEvent]:
    del rules
    evidence = belief.evidence
    assert evidence is not None
    standing = _standing(state, {"R01"})
    if evidence.unflat and not standing and evidence.moments >= LOOKED:
        side = belief.best.side
        yield Flagged(number=state.next_flag, code="R01", side=side, text=phrase("R01"), seconds=seconds)
    elif standing and not evidence.unflat and len(evidence.dice) >= 2:
        yield Resolved(number=standing[0].number, how="put right", seconds=seconds)


def _odd_setup(state: MatchState, belief: Belief, seconds: float, rules: RuleSet) -> Iterator[AnyEvent]:
    del rules
    evidence, best = belief.evidence, belief.best
    assert evidence is not None
    standing = _standing(state, {"R13"})
    if best.stage is not Stage.OPENING or evidence.moments < LOOKED:
        if standing and best.stage is not Stage.OPENING:
            yield Resolved(number=standing[0].number, how="put right", seconds=seconds)
        return
    other = _better_than(best.before, evidence)
    if other is not None and not standing:
        points = _differing(best.before, other)
        text = Reason("R13", (("points", points),)).text()
        yield Flagged(number=state.next_flag, code="R13", side=None, text=text, seconds=seconds)
    elif other is None and standing:
        yield Resolved(number=standing[0].number, how="put right", seconds=seconds)


def _better_than(start: Position, evidence: Evidence) -> Position | None:
    """The position that explains the board much better than the start position does, if one does."""
    fit = best_fit(evidence, (0, 0), start.checkers)
    scores = evidence.of_positions([start, fit])
    return fit if scores[1] - scores[0] > ODD_SETUP else None


def _differing(one: Position, other: Position) -> str:
    """Light's numbers of the points on which two positions differ, for a sentence."""
    differ = [str(point + 1) for point, (a, b) in enumerate(zip(one.signed(), other.signed(), strict=True)) if a != b]
    return ", ".join(differ)


def _standing(state: MatchState, codes: frozenset[str] | set[str]) -> list[Flag]:
    return [flag for flag in state.standing if flag.code in codes]
