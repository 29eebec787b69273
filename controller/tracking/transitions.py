"""What may follow from a hypothesis between one rest of the board and the next, and how likely it is a priori.

steps() is the table: the chances of what happens next, which sum to one from every state. followers() walks it: each step's
chance is shared among its details (the roll, the play, the board), of which only those that are proposed get a hypothesis of
their own. Steps may be taken together, at the price of OVERLOOKED, because key frames and hands over the board hide some.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from enum import Enum
from math import log, log1p

import numpy as np

from controller.rules import (
    ALL_ROLLS,
    BAR_INDEX,
    Cube,
    OfferKind,
    Play,
    Position,
    Side,
    is_closed_out,
    must_roll,
    owner_after_take,
)
from controller.tracking import parameters as p
from controller.tracking.dice import Roll
from controller.tracking.found import cubes, is_seen, log_prior, log_prior_of_cube, stages
from controller.tracking.hypothesis import (
    Answer,
    Draw,
    Fact,
    Found,
    Hypothesis,
    Illegal,
    Lost,
    NewGame,
    Offer,
    Offered,
    Opening,
    Over,
    Redone,
    Rolled,
    Skip,
    Throw,
    ToRoll,
    TurnStage,
    UnderWay,
)
from controller.tracking.illegal import log_prior_of_board, opponent_moved
from controller.tracking.proposals import Proposals
from controller.tracking.setting import Setting

Weighted = tuple[Hypothesis, float]

OVERLOOKED, NOT_OVERLOOKED = log(p.OVERLOOKED), log1p(-p.OVERLOOKED)


class Step(Enum):
    """What may happen between two rests."""

    STAY = "nothing happens"
    THROW = "whoever is on roll throws"
    DRAW = "each player throws one die for the start, which is not played"
    OFFER = "he offers the cube"
    SKIP = "he is closed out and does not roll"
    REDO = "the turn that ended last is played otherwise after all"
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
    DOUBLE_AGAIN = "a double is beavered, or a beaver raccooned"
    PASS = "the game is given up"
    NEXT_GAME = "the start position is set up again"
    LIFT_FOUND = "the dice of a turn are lifted whose beginning nobody saw"
    MOVE_FOUND = "checkers are moved in such a turn"
    LOSE = "what stands does not follow from anything any more"
    COME_BACK = "the game goes on from where it was before that"
    FIND = "the game is found somewhere else"


def steps(state: Hypothesis, setting: Setting) -> dict[Step, float]:
    """Log-probabilities of all that may happen next. They sum to one."""
    every = {Step.STAY: 1.0} | weights(state, setting)
    if not isinstance(state.turn, Lost):
        every[Step.LOSE] = p.LOST
    total = log(sum(every.values()))
    return {step: log(weight) - total for step, weight in every.items()}


def weights(state: Hypothesis, setting: Setting) -> dict[Step, float]:
    """What may happen next, beside nothing, which weighs 1."""
    turn = state.turn
    if isinstance(turn, UnderWay):
        return {Step.LIFT_FOUND: p.NEXT, Step.MOVE_FOUND: p.NEXT}
    if isinstance(turn, ToRoll):
        return _weights_to_roll(state, turn.side, setting)
    if isinstance(turn, Rolled):
        return _weights_rolled(state, turn, setting)
    if isinstance(turn, Illegal):
        back = {Step.PUT_RIGHT: p.NEXT, Step.PUT_RIGHT_AGAIN: p.NEXT, Step.TAKE_BACK: p.NEXT}
        back |= {Step.ROLL_AGAIN: p.UNUSUAL} if turn.now == state.before else {}
        return back | {Step.HALF_WAY: p.UNUSUAL, Step.LET_STAND: p.UNUSUAL}
    if isinstance(turn, Offered):
        again = {Step.DOUBLE_AGAIN: p.UNUSUAL} if _may_double_again(turn, setting) else {}
        return {Step.TAKE: p.NEXT, Step.PASS: p.UNUSUAL} | again
    if isinstance(turn, Lost):
        known = {Step.COME_BACK: p.COMES_BACK} if turn.turn is not None else {}
        return known | {Step.FIND: p.STANDS_STILL if turn.again else p.IS_FOUND}
    return {Step.NEXT_GAME: p.NEXT} if isinstance(turn, Over) else _weights_opening(state, turn, setting)


def _weights_opening(state: Hypothesis, turn: Opening, setting: Setting) -> dict[Step, float]:
    tied = turn.drawn is not None and turn.drawn[0] == turn.drawn[1]
    weights = {Step.THROW: p.RARE if tied and not setting.plays_the_draw else p.NEXT}
    if setting.draws(state.cube) and (turn.drawn is None or tied):
        weights[Step.DRAW] = p.UNUSUAL if turn.lying else p.NEXT
    return weights | ({Step.LIFT: p.NEXT} if turn.lying else {})


def _weights_to_roll(state: Hypothesis, side: Side | None, setting: Setting) -> dict[Step, float]:
    shut = side is not None and is_closed_out(state.before, side)
    weights = {Step.THROW: p.NEXT}
    if setting.cube_in_play and (state.owner is None or side in (None, state.owner)):
        weights[Step.OFFER] = p.RARE * (p.AGAINST_SENSE if shut else 1.0)
    if shut and side is not None and not must_roll(state.before, side, setting.rules):
        weights[Step.SKIP] = p.NEXT
    if state.last is not None:
        weights[Step.REDO] = p.RARE
    return weights


def _weights_rolled(state: Hypothesis, turn: Rolled, setting: Setting) -> dict[Step, float]:
    weights = {
        Step.PLAY: p.NEXT,
        Step.PLAY_AND_LIFT: p.NEXT,
        Step.EARLY: p.RARE,
        Step.HALF_WAY: p.UNUSUAL,
        Step.ERR: p.RARE,
    }
    if turn.now is not None:
        return weights | {Step.LIFT: p.NEXT, Step.TAKE_BACK: p.NEXT}
    if state.before in setting.options(state.before, turn.throw.side, turn.throw.roll).legal:
        weights[Step.LIFT] = p.NEXT  # nothing could be moved
        return weights | {Step.ROLL_AGAIN: p.RARE, Step.PICK_UP: p.RARE}
    return weights | {Step.ROLL_AGAIN: p.RARE, Step.PICK_UP: p.DID_NOT_COUNT, Step.KEEP: p.RARE}


def followers(state: Hypothesis, proposed: Proposals) -> Iterator[Weighted]:
    """Every hypothesis that may hold at the next rest, with its log-prior given this one."""
    chances = steps(state, proposed.setting)
    turn = state.turn
    if isinstance(turn, Lost):
        yield from _from_lost(state, turn, proposed, chances)
        return
    if isinstance(turn, Rolled):
        seen = turn.throw.seen or proposed.shows(turn.throw)
        turn = replace(turn, throw=replace(turn.throw, seen=seen), fresh=False)
        state = state.at(turn)
    yield state, chances[Step.STAY]
    if isinstance(turn, Opening):
        yield from _from_opening(state, turn, proposed, chances)
    elif isinstance(turn, ToRoll):
        if turn.side is None:
            yield from _from_either_to_roll(state, proposed, chances)
        else:
            yield from _from_to_roll(state, turn.side, proposed, chances)
    elif isinstance(turn, UnderWay):
        yield from _from_under_way(state, turn, proposed, chances)
    elif isinstance(turn, Rolled):
        yield from _from_rolled(state, turn, proposed, chances)
    elif isinstance(turn, Illegal):
        yield from _from_illegal(state, turn, proposed, chances)
    elif isinstance(turn, Offered):
        yield from _from_offered(state, turn, proposed, chances)
    else:
        yield _new_game(state, proposed), chances[Step.NEXT_GAME]


def _from_opening(
    state: Hypothesis, turn: Opening, proposed: Proposals, chances: dict[Step, float], *, unseen: bool = True
) -> Iterator[Weighted]:
    setting = proposed.setting
    starter = setting.starter(turn.drawn) if turn.drawn else None
    for side in Side:
        share = 0.5 if starter is None else 1 - p.UNUSUAL if side is starter else p.UNUSUAL
        yield from _thrown(state, side, proposed, chances[Step.THROW] + log(share), unseen=unseen)
    if Step.LIFT in chances:
        yield state.at(Opening(turn.drawn)), chances[Step.LIFT]
    if Step.DRAW in chances:
        draws = setting.draws(state.cube)
        for light, dark in draws:
            if not turn.lying or (light, dark) != turn.drawn:
                doubled = (
                    state.cube * 2
                    if light == dark and state.cube < 1 << setting.rules.cube.auto_doubles
                    else state.cube
                )
                drawn = replace(state, turn=Opening((light, dark), lying=True), cube=doubled)
                yield drawn.with_facts(Draw(light, dark)), chances[Step.DRAW] - log(len(draws))


def _new_game(state: Hypothesis, proposed: Proposals) -> Hypothesis:
    return Hypothesis(Opening(), proposed.setting.start, facts=(*state.facts, NewGame()))


def _from_to_roll(state: Hypothesis, side: Side, proposed: Proposals, chances: dict[Step, float]) -> Iterator[Weighted]:
    yield from _thrown(state, side, proposed, chances[Step.THROW])
    if Step.OFFER in chances:
        yield _offered(state, side), chances[Step.OFFER]
    if Step.SKIP in chances:
        skipped = state.at(ToRoll(side.other)).with_facts(Skip(side))
        yield from _goes_on(skipped, proposed, chances[Step.SKIP])
    if Step.REDO in chances:
        yield from _redone(state, side, proposed, chances[Step.REDO])


def _from_either_to_roll(state: Hypothesis, proposed: Proposals, chances: dict[Step, float]) -> Iterator[Weighted]:
    """Nobody saw whose turn it was; only dice that lie there tell it: nothing is taken to have been overlooked."""
    for side in Side:
        yield from _thrown(state, side, proposed, chances[Step.THROW] + log(0.5), unseen=False)
        if Step.OFFER in chances and state.owner in (None, side):
            yield _offered(state, side), chances[Step.OFFER] + log(0.5)


def _from_under_way(
    state: Hypothesis, turn: UnderWay, proposed: Proposals, chances: dict[Step, float]
) -> Iterator[Weighted]:
    """The turn goes on, or ends with what stands there, which is where the game begins for whoever looks."""
    ended = chances[Step.LIFT_FOUND]
    yield from _found_ended(state, turn.side, state.board, proposed, ended)
    fit = proposed.free_fit
    if fit != state.before:
        moved = chances[Step.MOVE_FOUND] - log(p.PARTIAL_PLAYS)
        if any(
            fit in proposed.setting.options(state.before, turn.side, roll).legal for roll in proposed.rolls(turn.side)
        ):
            moved += log(p.ODD)  # then nothing had been moved before
        moved += min(log_prior(fit, proposed.setting, in_hand=turn.side) - p.UNKNOWN_BOARD, 0.0)
        moved += 2 * log(p.ODD) * opponent_moved(state.before, turn.side, fit)
        yield replace(state, before=fit), moved
        yield from _found_ended(state, turn.side, fit, proposed, moved + OVERLOOKED)


def _found_ended(
    state: Hypothesis, side: Side, board: Position, proposed: Proposals, chance: float
) -> Iterator[Weighted]:
    if not is_seen(proposed.evidence):
        return
    begun = replace(state, turn=ToRoll(side.other), before=board).with_facts(Found(board, state.cube, state.owner))
    chance += min(log_prior(board, proposed.setting) - p.UNKNOWN_BOARD, 0.0)
    yield begun, chance + NOT_OVERLOOKED
    yield from _next_thrown(begun, proposed, chance + OVERLOOKED, None)


def lost(state: Hypothesis, proposed: Proposals, setting: Setting) -> Iterator[Weighted]:
    """What stands does not follow from that hypothesis: nobody knows what does, or the game is found elsewhere."""
    turn = state.turn
    if isinstance(turn, Lost):
        return
    chance = steps(state, setting)[Step.LOSE] + min(proposed.evidence.away / p.LOST_FOR, -log(p.LOST))
    account = None if isinstance(turn, UnderWay) else turn
    yield state.at(Lost(proposed.free_fit, account)), chance + p.UNKNOWN_BOARD + log(1 / (1 + p.IS_FOUND))
    yield from _found(state, proposed, chance + log(p.IS_FOUND / (1 + p.IS_FOUND)))


def _found(state: Hypothesis, proposed: Proposals, chance: float) -> Iterator[Weighted]:
    """The game goes on from any position; where it is the start position, the next one begins."""
    account = _account(state)
    state = _as_played(state, proposed.setting)
    evidence, setting = proposed.evidence, proposed.setting
    rolls = {side: proposed.rolls(side) for side in Side}
    seen, dice_lie = is_seen(evidence), any(rolls.values())
    for board, prior, surely in proposed.found:
        if board == setting.start:
            opening = _found_start(state, board)
            if opening is not None and (seen or not dice_lie):  # else the first turn may be under way
                yield opening, chance + prior
                yield from _from_opening(
                    opening, Opening(), proposed, _shifted(opening, setting, chance + prior), unseen=False
                )
            continue
        after_game = 2 * p.IMPLAUSIBLE if isinstance(account, Over) else 0.0  # people show each other positions
        for turn, stage in stages(evidence, rolls):
            whole = not isinstance(turn, UnderWay)
            if whole and not (seen and surely):
                continue
            of_board = log_prior(board, setting, in_hand=turn.side) if isinstance(turn, UnderWay) else prior
            for value, owner in cubes(evidence, in_play=setting.cube_in_play, offered=isinstance(turn, Offered)):
                begun = Hypothesis(turn, board, value, owner, state.facts)
                facts: list[Fact] = [Found(board, value, owner)] if whole else []
                if isinstance(turn, Offered):
                    facts.append(Offer(turn.side, value * 2))
                yield begun.with_facts(*facts), chance + after_game + of_board + stage + log_prior_of_cube(value)


def _account(state: Hypothesis) -> TurnStage | None:
    """Where the turn stood as it was followed: before track was lost, or now. None where nothing ever was."""
    return state.turn.turn if isinstance(state.turn, Lost) else state.turn


def _as_played(state: Hypothesis, setting: Setting) -> Hypothesis:
    """The hypothesis with the play that stood there with its dice when track was lost: it was seen, and others came after it."""
    turn = _account(state)
    if not isinstance(turn, Rolled) or turn.now is None:
        return state
    throw, now = turn.throw, turn.now
    play = next((play for play, _ in setting.plays(state.before, throw.side, throw.roll) if play.result == now), None)
    return state if play is None else state.ended(throw, now, play)


def _found_start(state: Hypothesis, board: Position) -> Hypothesis | None:
    """The start position is found; None where it is no news. A game that went on when track was lost ends in a gap."""
    turn = _account(state)
    if isinstance(turn, Opening):
        return None
    facts: tuple[Fact, ...] = (
        () if turn is None else (NewGame(),) if isinstance(turn, Over) else (Found(board, 1, None),)
    )
    return Hypothesis(Opening(), board, facts=(*state.facts, *facts))


def _shifted(state: Hypothesis, setting: Setting, chance: float) -> dict[Step, float]:
    return {step: one + chance for step, one in steps(state, setting).items()}


def _from_lost(state: Hypothesis, turn: Lost, proposed: Proposals, chances: dict[Step, float]) -> Iterator[Weighted]:
    """What stands is still not known, or the game goes on from where it was, or from anywhere."""
    fit = proposed.free_fit
    again = fit == turn.fit
    yield state.at(Lost(fit, turn.turn, again)), chances[Step.STAY] + (0.0 if again else p.UNKNOWN_BOARD)
    if turn.turn is not None:
        for state_then, chance in followers(state.at(turn.turn), proposed):
            yield state_then, chances[Step.COME_BACK] + chance
    yield from _found(state, proposed, chances[Step.FIND])


def _goes_on(state: Hypothesis, proposed: Proposals, chance: float) -> Iterator[Weighted]:
    """The next turn has surely begun, or the next game."""
    if isinstance(state.turn, Over):
        yield _new_game(state, proposed), chance
    elif isinstance(state.turn, ToRoll) and state.turn.side is not None:
        chances = steps(state, proposed.setting)
        yield from _thrown(state, state.turn.side, proposed, chance)
        if Step.OFFER in chances:
            yield _offered(state, state.turn.side), chance + chances[Step.OFFER] - chances[Step.THROW]


def _offered(state: Hypothesis, side: Side) -> Hypothesis:
    return replace(state, turn=Offered(side), last=None).with_facts(Offer(side, state.cube * 2))


def _rolls(opening: bool) -> tuple[Roll, ...]:
    return tuple(roll for roll in ALL_ROLLS if not (opening and roll[0] == roll[1]))


def log_prior_of_roll(roll: Roll, opening: bool) -> float:
    """Log-probability of a roll of two fair dice; equal ones do not open a game."""
    return log((1 if roll[0] == roll[1] else 2) / (30 if opening else 36))


def _thrown(
    state: Hypothesis, side: Side, proposed: Proposals, chance: float, *, unseen: bool = True
) -> Iterator[Weighted]:
    """`side` throws; he may have played, too, and (unseen) even lifted his dice, before anybody looked."""
    opening = isinstance(state.turn, Opening) and proposed.setting.plays_the_draw
    rolls, readable = _rolls(opening), proposed.rolls(side)
    for roll in rolls:
        throw = Throw(side, roll, opening, seen=roll in readable)
        yield state.rolled(throw), chance + log_prior_of_roll(roll, opening) + NOT_OVERLOOKED
    also = chance + OVERLOOKED
    shown = tuple(roll for roll in readable if roll in rolls)
    for roll, play, among in proposed.plays(state.before, side, shown, state.board):
        if play.moves:
            prior = also + log_prior_of_roll(roll, opening) + among + NOT_OVERLOOKED
            yield state.rolled(Throw(side, roll, opening), play.result), prior
    if unseen:
        yield from _unseen(state, side, proposed, also + OVERLOOKED, state.board, opening=opening)


def _redone(state: Hypothesis, side: Side, proposed: Proposals, chance: float) -> Iterator[Weighted]:
    """The turn that ended last is played otherwise, or what was taken for a legal play is none after all."""
    last = state.last
    pending = last is not None and state.facts[-1:] in ((last,), (Redone(last),))
    if last is None or last.side is side or (state.facts and not pending) or not proposed.differs(state.before):
        return
    redo = not pending or isinstance(state.facts[-1], Redone)
    throw = Throw(last.side, last.roll, seen=last.roll_seen, redo=redo)
    again = Hypothesis(Rolled(throw), last.before, state.cube, state.owner, state.facts[:-1])
    otherwise = chance + log1p(-p.UNUSUAL)
    for _, play, among in proposed.plays(last.before, last.side, (last.roll,), state.board):
        if play.result != state.before:
            yield from _ended(again, throw, play, proposed, otherwise + among)
    fit = proposed.fit(state.before, state.board)
    if fit != state.before and fit not in proposed.setting.options(last.before, last.side, last.roll).legal:
        illegal = chance + log(p.UNUSUAL) + log_prior_of_board(proposed.setting, last.before, last.side, last.roll, fit)
        yield again.at(Illegal(throw, fit)), illegal


def _ended(
    state: Hypothesis, throw: Throw, play: Play, proposed: Proposals, chance: float, played: bool = False
) -> Iterator[Weighted]:
    """The throw's turn has ended with that play; the opponent may have thrown already, and have played.

    played: that play stood there before.
    """
    after = state.ended(throw, play.result, play)
    yield after, chance + NOT_OVERLOOKED
    yield from _next_thrown(after, proposed, chance + OVERLOOKED, state.board if played else None)


def _next_thrown(after: Hypothesis, proposed: Proposals, chance: float, stood: Position | None) -> Iterator[Weighted]:
    """The opponent has thrown as well; if that board stood there before, he has played, too, and perhaps lifted his dice."""
    if not isinstance(after.turn, ToRoll) or after.turn.side is None:
        return
    side = after.turn.side
    rolls = proposed.rolls(side)
    for roll in rolls:
        yield after.rolled(Throw(side, roll)), chance + log_prior_of_roll(roll, False) + NOT_OVERLOOKED
    if stood is None:
        return
    also = chance + OVERLOOKED
    for roll, play, among in proposed.plays(after.before, side, rolls, stood):
        if play.moves:
            prior = also + log_prior_of_roll(roll, False) + among + NOT_OVERLOOKED
            yield after.rolled(Throw(side, roll), play.result), prior
    yield from _unseen(after, side, proposed, also + OVERLOOKED, stood)


def _unseen(
    state: Hypothesis, side: Side, proposed: Proposals, chance: float, stood: Position, *, opening: bool = False
) -> Iterator[Weighted]:
    """A whole turn of `side` that nobody saw, with whatever roll; only what is seen of its end tells it."""
    if not (proposed.differs(state.before) or state.before.own(side)[BAR_INDEX]):
        return
    for roll, play, among in proposed.plays(state.before, side, _rolls(opening), stood):
        prior = chance + log_prior_of_roll(roll, opening) + among
        yield state.ended(Throw(side, roll, opening, seen=False), play.result, play), prior


def _from_rolled(
    state: Hypothesis, turn: Rolled, proposed: Proposals, chances: dict[Step, float]
) -> Iterator[Weighted]:
    throw, setting = turn.throw, proposed.setting
    early = log(p.RARE) if proposed.early_roll_possible else None
    if turn.early or early is not None:
        yield state.at(replace(turn, early=not turn.early)), chances[Step.EARLY]
    if Step.TAKE_BACK in chances:
        yield state.at(Rolled(throw, early=turn.early)), chances[Step.TAKE_BACK]
    if Step.PICK_UP in chances:
        cleared = Opening() if throw.opening else ToRoll(throw.side)
        yield state.at(cleared), chances[Step.PICK_UP]
        for roll in proposed.rolls(throw.side):
            again = state.at(replace(turn, throw=replace(throw, roll=roll), fresh=True))
            yield again, chances[Step.ROLL_AGAIN] + log_prior_of_roll(roll, False)
    if Step.KEEP in chances:
        yield state.at(Illegal(throw, state.before)), chances[Step.KEEP]

    def moved(board: Position, chance: float) -> Iterator[Weighted]:
        """That board stands now, and the opponent may have thrown."""
        yield state.at(Rolled(throw, board)), chance
        if early is not None:
            yield state.at(Rolled(throw, board, early=True)), chance + early

    for _, play, among in proposed.plays(state.before, throw.side, (throw.roll,), state.board):
        stood = play.result == state.board
        if not stood:
            yield from moved(play.result, chances[Step.PLAY] + among)
            yield from _ended(state, throw, play, proposed, chances[Step.PLAY_AND_LIFT] + among)
        else:
            yield from _ended(state, throw, play, proposed, _lifted_over(play, among, chances), played=True)
    doubted = log(p.UNUSUAL) if any(isinstance(fact, Found) for fact in state.facts) else 0.0
    for board in proposed.others(state.before, throw, state.board):
        # Of a board that was found just now it is likelier that it was misread.
        among = doubted + log_prior_of_board(setting, state.before, throw.side, throw.roll, board)
        if board not in (state.before, state.board):
            yield from moved(board, chances[Step.HALF_WAY] + among)
        if board != turn.now and not (Step.KEEP in chances and board == state.before):
            yield state.at(Illegal(throw, board)), chances[Step.ERR] + among
    if turn.now is not None and turn.now not in setting.options(state.before, throw.side, throw.roll).legal:
        yield state.at(Illegal(throw, turn.now)), chances[Step.LIFT]


def _lifted_over(play: Play, among: float, chances: dict[Step, float]) -> float:
    """Log-probability that the dice are lifted over that play, which stands there; who can't move has played at once."""
    if play.moves:
        return chances[Step.LIFT]
    return float(np.logaddexp(chances[Step.LIFT], chances[Step.PLAY_AND_LIFT] + among))


def _from_illegal(
    state: Hypothesis, turn: Illegal, proposed: Proposals, chances: dict[Step, float]
) -> Iterator[Weighted]:
    throw = turn.throw
    for _, play, among in proposed.plays(state.before, throw.side, (throw.roll,), state.board):
        yield from _ended(state, throw, play, proposed, chances[Step.PUT_RIGHT] + among)
        if play.moves:
            yield state.at(Rolled(throw, play.result)), chances[Step.PUT_RIGHT_AGAIN] + among
    yield state.at(Rolled(throw)), chances[Step.TAKE_BACK]
    if Step.ROLL_AGAIN in chances:
        for roll in proposed.rolls(throw.side):
            again = state.at(Rolled(replace(throw, roll=roll), fresh=True))
            yield again, chances[Step.ROLL_AGAIN] + log_prior_of_roll(roll, False)
    fit = proposed.fit(state.before, state.board)
    if fit != state.board and fit not in proposed.setting.options(state.before, throw.side, throw.roll).legal:
        among = log_prior_of_board(proposed.setting, state.before, throw.side, throw.roll, fit)
        yield state.at(Illegal(throw, fit)), chances[Step.HALF_WAY] + among
    stands = state.ended(throw, state.board, None)
    yield from _goes_on(stands, proposed, chances[Step.LET_STAND])


def _may_double_again(turn: Offered, setting: Setting) -> bool:
    cube = setting.rules.cube
    return cube.beavers > 0 if turn.kind == "double" else turn.kind == "beaver" and cube.raccoon


def _from_offered(
    state: Hypothesis, turn: Offered, proposed: Proposals, chances: dict[Step, float]
) -> Iterator[Weighted]:
    side, answering = turn.side, turn.answering
    offered = Cube(state.cube, state.owner, answering.other, turn.kind)
    owner = owner_after_take(offered, answering, proposed.setting.rules)
    took = replace(state, turn=ToRoll(side), cube=state.cube * 2, owner=owner).with_facts(Answer(answering, True))
    yield took, chances[Step.TAKE] + NOT_OVERLOOKED
    yield from _thrown(took, side, proposed, chances[Step.TAKE] + OVERLOOKED)
    if Step.DOUBLE_AGAIN in chances:
        kind: OfferKind = "beaver" if turn.kind == "double" else "raccoon"
        holder = answering if kind == "beaver" else state.owner
        again = replace(state, turn=Offered(side, kind), cube=state.cube * 2, owner=holder)
        yield again.with_facts(Offer(answering, state.cube * 4, kind)), chances[Step.DOUBLE_AGAIN]
    passed = state.at(Over()).with_facts(Answer(answering, False))
    yield passed, chances[Step.PASS] + NOT_OVERLOOKED
    yield _new_game(passed, proposed), chances[Step.PASS] + OVERLOOKED
