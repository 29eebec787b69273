"""From a belief to events: what is written down, and what the referee says about it.

decide() is pure: the same state, known facts and belief give the same events. Every rule about what is said when
stands here; the tracker only says what it sees.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import msgspec

from controller.referee.events import (
    AnyEvent,
    Beavered,
    Doubled,
    Drawn,
    Flagged,
    Found,
    GameEnded,
    GameStarted,
    Otherwise,
    Passed,
    Played,
    Presumed,
    Raccooned,
    Resolved,
    Rolled,
    Skipped,
    Taken,
    Why,
    Withdrawn,
)
from controller.referee.folding import OutOfTurnError, apply
from controller.referee.judging import (
    PLAY_CODES,
    answered_offers,
    answered_plays,
    asked_of,
    flag,
    illegal,
    noted,
    played,
    standing_plays,
    why,
    won,
)
from controller.referee.state import MatchState, Phase
from controller.referee.turns import Trigger, may
from controller.referee.watches import WATCHES, AtRest
from controller.rules import (
    Side,
    TurnState,
    legal_plays,
    may_beaver,
    may_double,
    may_raccoon,
    position_from_id,
    position_id,
)
from controller.rules.codes import Code, Wording
from controller.tracking.belief import Belief
from controller.tracking.found import is_set_up
from controller.tracking.hypothesis import (
    CubeAnswer,
    CubeOffer,
    GameFound,
    Illegal,
    NewGame,
    OfferTakenBack,
    Redone,
    Skip,
    StartDraw,
    Thrown,
    Turn,
)
from controller.tracking.parameters import SURE
from controller.tracking.setting import Setting
from controller.tracking.tracker import SettledFact

__all__ = ["PLAY_CODES", "Decision", "decide"]

SHOW_ROLL = 0.7
"""Share of the belief that a roll needs to be written, with all before it. A roll is only shown, and a later reading may still
correct it; a double before it can't be corrected."""


@dataclass(frozen=True)
class Decision:
    """Events in order, and the state after them. overtaken: the belief still takes to be open what is now decided."""

    state: MatchState
    events: tuple[AnyEvent, ...] = ()
    overtaken: bool = False

    def then(self, *events: AnyEvent) -> Decision:
        """With more that happened. Raises OutOfTurnError for what can't happen now."""
        state = self.state
        for event in events:
            state = apply(state, event)
        return Decision(state, self.events + events, self.overtaken)


def decide(state: MatchState, known: tuple[SettledFact, ...], belief: Belief, seconds: float) -> Decision:
    """Everything that is now to be written down: first what has ended, then what is going on.

    What the turn machine does not allow is not written: the belief is overtaken by what is written.
    """
    decision = Decision(state)
    for one in known:
        try:
            decision = _record(decision, one, seconds)
        except OutOfTurnError:
            return replace(decision, overtaken=True)
    if belief.evidence is None or decision.state.phase is Phase.MATCH_OVER:
        return decision
    decision = _roll(_presumed(decision, belief, seconds), belief, seconds)
    for watch in WATCHES:
        said = watch(AtRest(decision.state, belief, belief.evidence, seconds))
        decision = decision.then(*(event for event in said if not _is_answered(decision.state, event)))
    return _at_once(decision, belief, seconds)


def _is_answered(state: MatchState, event: AnyEvent) -> bool:
    """Whether it was said of that side in this turn already, and people have let it stand, or said that the referee was wrong; a
    position that is set begins the turn anew, as does a game that was broken off."""
    if not isinstance(event, Flagged):
        return False
    now = event.code, event.side, len(state.turns) + 1
    answered = (one for one in state.flags[state.flags_before :] if one.resolved not in (None, "put right"))
    return any((one.code, one.side, one.turn) == now for one in answered)


def _record(decision: Decision, known: SettledFact, seconds: float) -> Decision:
    match known.fact:
        case Turn() as turn:
            return _turn(decision, turn, known, seconds)
        case Redone(turn=turn):
            return _turn(decision, turn, known, seconds, redo=True)
        case Skip(side=side):
            return decision.then(Skipped(side=side, seconds=seconds))
        case CubeOffer() as offer:
            return _offered(decision, offer, seconds)
        case OfferTakenBack(side=side):
            answered = answered_offers(decision.state, "put right", seconds)
            return decision.then(Withdrawn(side=side, seconds=seconds), *answered)
        case CubeAnswer(side=side, taken=True):
            answered = answered_offers(decision.state, "stands", seconds)
            return decision.then(Taken(side=side, seconds=seconds), *answered)
        case CubeAnswer(side=side):
            answered = answered_offers(decision.state, "stands", seconds)
            end = GameEnded(winner=side.other, level=1, points=decision.state.cube, ending="passed", seconds=seconds)
            return decision.then(Passed(side=side, seconds=seconds), *answered, end)
        case StartDraw(light=light, dark=dark):
            return decision.then(Drawn(light=light, dark=dark, seconds=seconds))
        case GameFound() as found:
            return _found(decision, found, known, seconds)
        case NewGame():
            return _next_game(decision, seconds)


def _next_game(decision: Decision, seconds: float) -> Decision:
    """The next game, where the last one is over and has not won the match."""
    if decision.state.phase is not Phase.GAME_OVER:
        return decision
    return decision.then(GameStarted(number=decision.state.score.game, seconds=seconds))


def _offered(decision: Decision, offer: CubeOffer, seconds: float) -> Decision:
    """The cube is offered, as the players have done it; what the rules have against it is said."""
    side, value = offer.side, offer.value
    if offer.kind == "double":
        decision = _before_the_roll(decision, seconds)
    state, rules = decision.state, decision.state.ruleset
    match offer.kind:
        case "double":
            line: AnyEvent = Doubled(side=side, value=value, seconds=seconds)
            against = may_double(state.cube_state, side, TurnState(side), state.score, rules)
        case "beaver":
            line, against = Beavered(side=side, value=value, seconds=seconds), may_beaver(state.cube_state, side, rules)
        case "raccoon":
            line, against = (
                Raccooned(side=side, value=value, seconds=seconds),
                may_raccoon(state.cube_state, side, rules),
            )
    decision = decision.then(line)
    if not against:
        return decision
    return decision.then(flag(decision.state, against[0].code, side, seconds, *map(why, against)))


def _found(decision: Decision, found: GameFound, known: SettledFact, seconds: float) -> Decision:
    """The game goes on from a position to which nobody saw it come; from the start position it is the next game."""
    state = decision.state
    waits = state.phase is Phase.OPENING and found.position == state.start
    if waits:  # what stood there meanwhile was only shown, and a cube that lies elsewhere was left there
        lies_so = (found.cube, found.owner) == (state.cube, state.owner)
        return decision if lies_so else replace(decision, overtaken=True)
    last = _last_turn(state) if found.position == state.start else None
    if last is not None:
        told = (one for one in state.standing if one.code == Code.TRACK_LOST)
        decision = decision.then(*(Resolved(number=one.number, how="put right", seconds=seconds) for one in told))
        return _next_game(_turn(decision, last, _held_of(last, known), seconds), seconds)
    if decision.state.phase is Phase.GAME_OVER:
        decision = decision.then(GameStarted(number=decision.state.score.game, seconds=seconds))
    state = decision.state
    lost = round(seconds - state.followed, 2) if state.turns else None
    position = position_id(found.position, Side.LIGHT)
    # What was said of a play cannot be judged any more: others came after it.
    decision = decision.then(*answered_plays(state, "corrected", seconds))
    decision = decision.then(Found(position=position, cube=found.cube, owner=found.owner, lost=lost, seconds=seconds))
    if found.position != state.start:
        return decision
    decision = decision.then(GameStarted(number=state.score.game, seconds=seconds))
    if all(isinstance(line, Found) and _was_set_up(line, state) for line in state.turns):
        return decision
    unended = Why(Wording.GAME_UNENDED, {"number": state.score.game})
    return decision.then(flag(decision.state, Code.READING_UNCERTAIN, None, seconds, unended))


def _last_turn(state: MatchState) -> Turn | None:
    """The turn that is to be played, where its dice bear the last checkers off: whoever clears the board then has won, and need not
    have moved them."""
    turn = state.to_play
    if turn is None:
        return None
    plays = legal_plays(turn.before, turn.side, turn.dice, state.ruleset)
    won = next((play for play in plays if not any(play.result.own(turn.side))), None)
    return None if won is None else Turn(turn.side, turn.dice, turn.before, won.result, won, roll_seen=True)


def _held_of(turn: Turn, found: SettledFact) -> SettledFact:
    """What is known of a turn that a found board tells: whoever thinks to have seen it played holds the same."""
    seen = sum(share for one, share in found.others if one == turn)
    return SettledFact(turn, min(found.sure + seen, 1.0), tuple(one for one in found.others if one[0] != turn))


def _was_set_up(found: Found, state: MatchState) -> bool:
    """No game was found there, but a start position in which a few checkers stood elsewhere."""
    stood = position_from_id(found.position, Side.LIGHT, state.start.checkers)
    return is_set_up(stood, Setting(state.ruleset, state.start))


def _before_the_roll(decision: Decision, seconds: float) -> Decision:
    """The roll that is shown came after what is written now, which nobody saw: a gap, and what stood there goes on from it."""
    state = decision.state
    if state.phase is not Phase.TO_PLAY:
        return decision
    position, lost = position_id(state.position, Side.LIGHT), round(seconds - state.followed, 2)
    return decision.then(Found(position=position, cube=state.cube, owner=state.owner, lost=lost, seconds=seconds))


def _presumed(decision: Decision, belief: Belief, seconds: float) -> Decision:
    """What the game seems to go on from, where nobody is sure of it yet."""
    presumed = belief.presumed
    if presumed == decision.state.presumed or decision.state.phase is Phase.MATCH_OVER:
        return decision
    position = None if presumed is None else position_id(presumed, Side.LIGHT)
    return decision.then(Presumed(position=position, seconds=seconds))


def _turn(decision: Decision, turn: Turn, known: SettledFact, seconds: float, *, redo: bool = False) -> Decision:
    state = decision.state
    if not redo and (state.turn, state.dice) != (turn.side, turn.roll):
        decision = decision.then(Rolled(side=turn.side, dice=turn.roll, seconds=seconds))
    answered = standing_plays(decision.state, turn.side)
    if turn.play is None and not answered:
        decision = decision.then(illegal(decision.state, turn, seconds))
        answered = list(decision.state.standing[-1:])
    line = _line(decision.state, turn, known, seconds, redo=redo)
    here = (one for one in state.flags[state.flags_before :] if one.resolved is None)
    asked = asked_of(here, len(state.turns)) if redo else []
    decision = decision.then(line, *(Resolved(number=one.number, how="corrected", seconds=seconds) for one in asked))
    how: Literal["put right", "stands"] = "put right" if turn.play else "stands"
    decision = decision.then(*(Resolved(number=one.number, how=how, seconds=seconds) for one in answered))
    if turn.play is None:
        note = noted(decision.state, turn.side, seconds)
        decision = decision.then(note, Resolved(number=note.number, how="stands", seconds=seconds))
    elif known.sure < SURE:
        play = f"{turn.roll[0]}{turn.roll[1]}: {line.notation}"
        decision = decision.then(
            flag(decision.state, Code.READING_UNCERTAIN, None, seconds, Why(Wording.TURN_UNCERTAIN, {"play": play}))
        )
    return decision.then(*won(decision.state, turn.side, turn.after, seconds))


def _line(state: MatchState, turn: Turn, known: SettledFact, seconds: float, *, redo: bool) -> Played:
    """The turn as an event."""
    line = played(state, turn, seconds, redo=redo)
    turns = ((one.turn if isinstance(one, Redone) else one, share) for one, share in known.others)
    others = tuple(
        Otherwise(one.roll, position_id(one.after, Side.LIGHT), round(share, 4))
        for one, share in turns
        if isinstance(one, Turn) and (one.side, one.before) == (turn.side, turn.before)
    )
    return msgspec.structs.replace(line, sure=round(known.sure, 4), others=others)


def _roll(decision: Decision, belief: Belief, seconds: float) -> Decision:
    best, state = belief.best, decision.state
    if best.facts or not isinstance(best.turn, Thrown) or not may(state.phase, Trigger.ROLLED):
        return decision
    throw = best.turn.throw
    if (state.turn, state.dice) == (throw.side, throw.roll) or belief.share_of("side", "roll", "facts") < SHOW_ROLL:
        return decision
    return decision.then(Rolled(side=throw.side, dice=throw.roll, seconds=seconds))


def _at_once(decision: Decision, belief: Belief, seconds: float) -> Decision:
    """Where an illegal play may only be put right until the dice are lifted, it stands as soon as it is seen to be one."""
    state, best = decision.state, belief.best
    if state.ruleset.illegal.window != "until-dice-lifted" or not isinstance(best.turn, Illegal) or best.facts:
        return decision
    if best.turn.throw.redo:
        return decision  # it was put right, or legal at once
    if not any(one.code in PLAY_CODES for one in state.standing) or not may(state.phase, Trigger.TURN_ENDED):
        return decision
    throw = best.turn.throw
    turn = Turn(throw.side, throw.roll, best.before, best.board, None, throw.seen)
    return replace(_turn(decision, turn, SettledFact(turn, 1.0), seconds), overtaken=True)
