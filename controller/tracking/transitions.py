"""The table of what may happen between one rest of the board and the next: chances that sum to one from every state.

followed.py and followers.py walk it. Steps may be taken together: key frames and hands over the board hide some
(proposals.py: overlooked).
"""

from __future__ import annotations

from enum import Enum
from math import log

from controller.rules import (
    Position,
    Side,
    is_closed_out,
    must_roll,
)
from controller.tracking import parameters as p
from controller.tracking.found import WITHOUT_OFFER, is_odd
from controller.tracking.hypothesis import (
    Hypothesis,
    Illegal,
    Lost,
    Offered,
    Opening,
    Over,
    Thrown,
    ToRoll,
    UnderWay,
)
from controller.tracking.revised import has_vague_pile
from controller.tracking.setting import Setting

STANDS_STILL = 2 * p.SURE / (1 - p.SURE) * WITHOUT_OFFER
"""Weight, as IS_FOUND, where one board was surely counted at two rests: a third writes it down, whatever the stage of the turn, and
even where the game may go on from before."""


class Transition(Enum):
    """What may happen between two rests."""

    __hash__ = object.__hash__  # as that of Side

    STAY = "nothing happens"
    THROW = "whoever is on roll throws"
    DRAW = "each player throws one die for the start, which is not played"
    OFFER = "he offers the cube"
    SKIP = "he is closed out and does not roll"
    REDO = "the turn that ended last is played otherwise after all"
    PUT_BACK = "turns without dice were only shown, and are put back"
    PLAY = "checkers are moved to a legal play"
    PLAY_AND_LIFT = "the same, and the dice are lifted"
    LIFT = "the dice are lifted over the play that stood there"
    TAKE_BACK = "the checkers are moved back to where they stood"
    ROLL_AGAIN = "the dice are thrown again before a checker has moved"
    PICK_UP = "the dice are taken up before a checker has moved, and did not count"
    KEEP = "the same, but they did count, and the roll could be played"
    EARLY = "the opponent throws before the turn has ended, or lifts such dice"
    HALF_WAY = "checkers are moved to a board that is no legal play"
    ERR = "checkers are moved to such a board, and the dice are lifted"
    PUT_RIGHT = "an illegal play is replaced by a legal one"
    PUT_RIGHT_AGAIN = "the same, and the dice lie there again"
    LET_STAND = "the game goes on from an illegal play"
    TAKE = "the cube is taken"
    WITHDRAW = "a double is taken back before it is answered"
    DOUBLE_AGAIN = "a double is beavered, or a beaver raccooned"
    PASS = "the game is given up"
    NEXT_GAME = "the start position is set up again, or something like it"
    SET_RIGHT = "the start position is put right, in which a few checkers stood elsewhere"
    LIFT_FOUND = "the dice of a turn are lifted whose beginning nobody saw"
    MOVE_FOUND = "checkers are moved in such a turn"
    LOSE = "what stands does not follow from anything any more"
    COME_BACK = "the game goes on from where it was before that"
    FIND = "the game is found somewhere else"


def steps(state: Hypothesis, setting: Setting) -> dict[Transition, float]:
    """Log-probabilities of all that may happen next. They sum to one."""
    every = {Transition.STAY: 1.0} | weights(state, setting)
    if not isinstance(state.turn, Lost):
        every[Transition.LOSE] = p.LOST
    total = log(sum(every.values()))
    return {step: log(weight) - total for step, weight in every.items()}


def weights(state: Hypothesis, setting: Setting) -> dict[Transition, float]:
    """What may happen next, beside nothing, which weighs 1."""
    shown = isinstance(state.turn, ToRoll | Over) and state.shown
    return _weights_of_stage(state, setting) | ({Transition.PUT_BACK: p.RARE} if shown else {})


def _weights_of_stage(state: Hypothesis, setting: Setting) -> dict[Transition, float]:
    turn = state.turn
    if isinstance(turn, UnderWay):
        return {Transition.LIFT_FOUND: p.NEXT, Transition.MOVE_FOUND: p.NEXT}
    if isinstance(turn, ToRoll):
        return _weights_to_roll(state, turn.side, setting)
    if isinstance(turn, Thrown):
        return _weights_rolled(state, turn, setting)
    if isinstance(turn, Illegal):
        back = {Transition.PUT_RIGHT: p.NEXT, Transition.PUT_RIGHT_AGAIN: p.NEXT, Transition.TAKE_BACK: p.NEXT}
        back |= {Transition.ROLL_AGAIN: p.UNUSUAL} if turn.now == state.before else {}
        # What a hand has moved since the turn is seldom seen by anybody.
        return back | {Transition.HALF_WAY: p.UNUSUAL, Transition.LET_STAND: p.NEXT if turn.throw.redo else p.UNUSUAL}
    if isinstance(turn, Offered):
        again = {Transition.DOUBLE_AGAIN: p.UNUSUAL} if _may_double_again(turn, setting) else {}
        again |= {Transition.WITHDRAW: p.RARE * p.UNUSUAL} if turn.kind == "double" else {}
        return {Transition.TAKE: p.NEXT, Transition.PASS: p.UNUSUAL} | again
    if isinstance(turn, Lost):
        known = {Transition.COME_BACK: p.NEXT} if turn.turn is not None else {}
        stands = turn.again and turn.fit is not None and is_counted(turn.fit, setting)
        return known | {Transition.FIND: STANDS_STILL if stands else p.IS_FOUND}
    return {Transition.NEXT_GAME: p.NEXT} if isinstance(turn, Over) else _weights_opening(state, turn, setting)


def _weights_opening(state: Hypothesis, turn: Opening, setting: Setting) -> dict[Transition, float]:
    tied = turn.drawn is not None and turn.drawn[0] == turn.drawn[1]
    weights = {Transition.THROW: p.RARE if tied and not setting.plays_the_draw else p.NEXT}
    if setting.draws(state.cube) and (turn.drawn is None or tied):
        weights[Transition.DRAW] = p.UNUSUAL if turn.lying else p.NEXT
    if state.before != setting.start:
        weights[Transition.SET_RIGHT] = p.NEXT
    return weights | ({Transition.LIFT: p.NEXT} if turn.lying else {})


def _weights_to_roll(state: Hypothesis, side: Side | None, setting: Setting) -> dict[Transition, float]:
    shut = side is not None and is_closed_out(state.before, side)
    weights = {Transition.THROW: p.NEXT}
    if setting.cube_in_play and (state.owner is None or side in (None, state.owner)):
        again = 1.0 if state.owner is None else p.DOUBLED_AGAIN
        weights[Transition.OFFER] = p.RARE * again * (p.AGAINST_SENSE if shut else 1.0)
    if shut and side is not None and not must_roll(state.before, side, setting.rules):
        weights[Transition.SKIP] = p.NEXT
    if state.last is not None or side is None:
        weights[Transition.REDO] = p.RARE
    return weights


def _weights_rolled(state: Hypothesis, turn: Thrown, setting: Setting) -> dict[Transition, float]:
    weights = {
        Transition.PLAY: p.NEXT,
        Transition.PLAY_AND_LIFT: p.NEXT,
        Transition.EARLY: p.RARE,
        Transition.HALF_WAY: p.UNUSUAL,
        Transition.ERR: p.RARE,
    }
    if turn.now is not None:
        return weights | {Transition.LIFT: p.NEXT, Transition.TAKE_BACK: p.NEXT}
    if state.before in setting.options(state.before, turn.throw.side, turn.throw.roll).legal:
        weights[Transition.LIFT] = p.NEXT  # nothing could be moved
        return weights | {Transition.ROLL_AGAIN: p.RARE, Transition.PICK_UP: p.RARE}
    return weights | {Transition.ROLL_AGAIN: p.RARE, Transition.PICK_UP: p.AGAINST_SENSE, Transition.KEEP: p.RARE}


def _may_double_again(turn: Offered, setting: Setting) -> bool:
    cube = setting.rules.cube
    return cube.beavers > 0 if turn.kind == "double" else turn.kind == "beaver" and cube.raccoon


def is_counted(board: Position, setting: Setting) -> bool:
    """Whether no pile was misread, so that it is seen, too, at which of its stages the turn is: fifteen checkers of each side stand
    there, or what is missing may have been borne off, and no pile is so tall that its checkers can't be told from each other."""
    if all(board.off(side) == 0 for side in Side):
        return True
    return not is_odd(board, setting) and not has_vague_pile(board)
