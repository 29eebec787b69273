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
from controller.tracking.found import WITHOUT_OFFER, cubes, cubes_before, is_seen, log_prior, log_prior_of_cube, stages
from controller.tracking.hypothesis import (
    CubeAnswer,
    CubeOffer,
    Fact,
    GameFound,
    Hypothesis,
    Illegal,
    Lost,
    NewGame,
    Offered,
    Opening,
    Over,
    Redone,
    Skip,
    StartDraw,
    Throw,
    Thrown,
    ToRoll,
    TurnStage,
    UnderWay,
)
from controller.tracking.illegal import log_prior_of_board, opponent_moved
from controller.tracking.proposals import Proposals
from controller.tracking.revised import is_settled
from controller.tracking.setting import Setting
from controller.tracking.unseen import two_turns

Weighted = tuple[Hypothesis, float]

OVERLOOKED, NOT_OVERLOOKED = log(p.UNUSUAL), log1p(-p.UNUSUAL)
STANDS_STILL = 2 * p.SURE / (1 - p.SURE)
"""Weight, as IS_FOUND, where one board was seen at two rests: a third writes it down, even where the game may go on from before."""


class Transition(Enum):
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


def steps(state: Hypothesis, setting: Setting) -> dict[Transition, float]:
    """Log-probabilities of all that may happen next. They sum to one."""
    every = {Transition.STAY: 1.0} | weights(state, setting)
    if not isinstance(state.turn, Lost):
        every[Transition.LOSE] = p.LOST
    total = log(sum(every.values()))
    return {step: log(weight) - total for step, weight in every.items()}


def weights(state: Hypothesis, setting: Setting) -> dict[Transition, float]:
    """What may happen next, beside nothing, which weighs 1."""
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
        return back | {Transition.HALF_WAY: p.UNUSUAL, Transition.LET_STAND: p.UNUSUAL}
    if isinstance(turn, Offered):
        again = {Transition.DOUBLE_AGAIN: p.UNUSUAL} if _may_double_again(turn, setting) else {}
        return {Transition.TAKE: p.NEXT, Transition.PASS: p.UNUSUAL} | again
    if isinstance(turn, Lost):
        known = {Transition.COME_BACK: p.NEXT} if turn.turn is not None else {}
        counted = _is_counted(turn.fit)  # then it is seen, too, at which of its stages the turn is
        stands = STANDS_STILL * WITHOUT_OFFER if counted else STANDS_STILL
        return known | {Transition.FIND: stands if turn.again else p.IS_FOUND}
    return {Transition.NEXT_GAME: p.NEXT} if isinstance(turn, Over) else _weights_opening(state, turn, setting)


def _weights_opening(state: Hypothesis, turn: Opening, setting: Setting) -> dict[Transition, float]:
    tied = turn.drawn is not None and turn.drawn[0] == turn.drawn[1]
    weights = {Transition.THROW: p.RARE if tied and not setting.plays_the_draw else p.NEXT}
    if setting.draws(state.cube) and (turn.drawn is None or tied):
        weights[Transition.DRAW] = p.UNUSUAL if turn.lying else p.NEXT
    return weights | ({Transition.LIFT: p.NEXT} if turn.lying else {})


def _weights_to_roll(state: Hypothesis, side: Side | None, setting: Setting) -> dict[Transition, float]:
    shut = side is not None and is_closed_out(state.before, side)
    weights = {Transition.THROW: p.NEXT}
    if setting.cube_in_play and (state.owner is None or side in (None, state.owner)):
        weights[Transition.OFFER] = p.RARE * (p.AGAINST_SENSE if shut else 1.0)
    if shut and side is not None and not must_roll(state.before, side, setting.rules):
        weights[Transition.SKIP] = p.NEXT
    if state.last is not None:
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


def followers(state: Hypothesis, proposed: Proposals) -> Iterator[Weighted]:
    """Every hypothesis that may hold at the next rest, with its log-prior given this one."""
    chances = steps(state, proposed.setting)
    turn = state.turn
    if isinstance(turn, Lost):
        yield from _from_lost(state, turn, proposed, chances)
        return
    if isinstance(turn, Thrown):
        seen = turn.throw.seen or proposed.shows(turn.throw)
        turn = replace(turn, throw=replace(turn.throw, seen=seen), fresh=False)
        state = state.at(turn)
    yield state, chances[Transition.STAY]
    if isinstance(turn, Opening):
        yield from _from_opening(state, turn, proposed, chances)
    elif isinstance(turn, ToRoll):
        if turn.side is None:
            yield from _from_either_to_roll(state, proposed, chances)
        else:
            yield from _from_to_roll(state, turn.side, proposed, chances)
    elif isinstance(turn, UnderWay):
        yield from _from_under_way(state, turn, proposed, chances)
    elif isinstance(turn, Thrown):
        yield from _from_rolled(state, turn, proposed, chances)
    elif isinstance(turn, Illegal):
        yield from _from_illegal(state, turn, proposed, chances)
    elif isinstance(turn, Offered):
        yield from _from_offered(state, turn, proposed, chances)
    else:
        yield _new_game(state, proposed), chances[Transition.NEXT_GAME]


def _from_opening(
    state: Hypothesis, turn: Opening, proposed: Proposals, chances: dict[Transition, float], *, unseen: bool = True
) -> Iterator[Weighted]:
    setting = proposed.setting
    starter = setting.starter(turn.drawn)
    for side in Side:
        share = 0.5 if starter is None else 1 - p.UNUSUAL if side is starter else p.UNUSUAL
        yield from _thrown(state, side, proposed, chances[Transition.THROW] + log(share), unseen=unseen)
    if Transition.LIFT in chances:
        yield state.at(Opening(turn.drawn)), chances[Transition.LIFT]
    if Transition.DRAW in chances:
        draws = setting.draws(state.cube)
        for light, dark in draws:
            if not turn.lying or (light, dark) != turn.drawn:
                doubled = setting.tied(state.cube) if light == dark else state.cube
                drawn = replace(state, turn=Opening((light, dark), lying=True), cube=doubled)
                yield drawn.with_facts(StartDraw(light, dark)), chances[Transition.DRAW] - log(len(draws))


def _new_game(state: Hypothesis, proposed: Proposals) -> Hypothesis:
    return Hypothesis(Opening(), proposed.setting.start, facts=(*state.facts, NewGame()))


def _from_to_roll(
    state: Hypothesis, side: Side, proposed: Proposals, chances: dict[Transition, float]
) -> Iterator[Weighted]:
    yield from _thrown(state, side, proposed, chances[Transition.THROW])
    if Transition.OFFER in chances:
        yield _offered(state, side), chances[Transition.OFFER]
    if Transition.SKIP in chances:
        skipped = state.at(ToRoll(side.other)).with_facts(Skip(side))
        yield from _goes_on(skipped, proposed, chances[Transition.SKIP])
    if Transition.REDO in chances:
        yield from _redone(state, side, proposed, chances[Transition.REDO])


def _from_either_to_roll(
    state: Hypothesis, proposed: Proposals, chances: dict[Transition, float]
) -> Iterator[Weighted]:
    """Nobody saw whose turn it was; only dice that lie there tell it: nothing is taken to have been overlooked."""
    for side in Side:
        yield from _thrown(state, side, proposed, chances[Transition.THROW] + log(0.5), unseen=False)
        if Transition.OFFER in chances and state.owner in (None, side):
            yield _offered(state, side), chances[Transition.OFFER] + log(0.5)


def _from_under_way(
    state: Hypothesis, turn: UnderWay, proposed: Proposals, chances: dict[Transition, float]
) -> Iterator[Weighted]:
    """The turn goes on, or ends with what stands there, which is where the game begins for whoever looks."""
    ended = chances[Transition.LIFT_FOUND]
    yield from _found_ended(state, turn.side, state.board, proposed, ended)
    fit = proposed.free_fit
    if fit != state.before and fit not in proposed.past:
        moved = chances[Transition.MOVE_FOUND] + log(p.RARE)
        if any(
            fit in proposed.setting.options(state.before, turn.side, roll).legal for roll in proposed.rolls(turn.side)
        ):
            moved += log(p.RARE)  # then nothing had been moved before
        moved += min(log_prior(fit, proposed.setting, in_hand=turn.side) - p.UNKNOWN_BOARD, 0.0)
        moved += 2 * log(p.RARE) * opponent_moved(state.before, turn.side, fit)
        yield replace(state, before=fit), moved
        yield from _found_ended(state, turn.side, fit, proposed, moved + OVERLOOKED)


def _found_ended(
    state: Hypothesis, side: Side, board: Position, proposed: Proposals, chance: float
) -> Iterator[Weighted]:
    if not is_seen(proposed.evidence) or board in proposed.past:
        return
    begun = replace(state, turn=ToRoll(side.other), before=board).with_facts(
        GameFound(board, state.cube, state.owner, is_settled(board, proposed.evidence))
    )
    chance += min(log_prior(board, proposed.setting) - p.UNKNOWN_BOARD, 0.0)
    yield begun, chance + NOT_OVERLOOKED
    yield from _next_thrown(begun, proposed, chance + OVERLOOKED, None)


def lost(state: Hypothesis, proposed: Proposals, setting: Setting) -> Iterator[Weighted]:
    """What stands does not follow from that hypothesis: nobody knows what does, or the game is found elsewhere."""
    turn = state.turn
    if isinstance(turn, Lost):
        return
    chance = steps(state, setting)[Transition.LOSE] + min(proposed.evidence.away / p.LOST_FOR, -log(p.LOST))
    followed = None if isinstance(turn, UnderWay) else turn
    fit = proposed.free_fit
    yield state.at(Lost(fit, followed)), chance + _of_any_board(fit, state, proposed) + log(1 / (1 + p.IS_FOUND))
    yield from _found(state, proposed, chance + log(p.IS_FOUND / (1 + p.IS_FOUND)))
    yield from _inferred(state, proposed, chance + log(p.IS_FOUND / (1 + p.IS_FOUND)))


def _of_any_board(board: Position, state: Hypothesis, proposed: Proposals) -> float:
    """Log-probability of a board while track is lost: most are like any other, but a film may show again what was there."""
    return log(p.RARE) if _has_stood(board, state, proposed) else p.UNKNOWN_BOARD


def _is_counted(board: Position | None) -> bool:
    """Whether fifteen checkers of each side stand there, so that no pile was misread."""
    return board is not None and all(board.off(side) == 0 for side in Side)


def _has_stood(board: Position, state: Hypothesis, proposed: Proposals) -> bool:
    """Whether it stood there in this game before a turn, so that it is not found again but in a replay."""
    return board in proposed.past or (board == state.before and _turn_as_followed(state) is not None)


def _found(state: Hypothesis, proposed: Proposals, chance: float, stood: Position | None = None) -> Iterator[Weighted]:
    """The game goes on from any position; where it is the start position, the next one begins.

    stood: a board that stood there at the rest before as well, of which nothing was known then: its chance and the cube's were paid
    there, and who has thrown since has not moved anything yet.
    """
    followed = _turn_as_followed(state)
    state = _as_played(state, proposed.setting)
    evidence, setting = proposed.evidence, proposed.setting
    rolls = {side: proposed.rolls(side) for side in Side}
    seen, dice_lie = is_seen(evidence), any(rolls.values())
    thrown_since = dice_lie and not evidence.of_dice.lay_before()
    cube_lay = cubes_before(evidence) if stood is not None else {}
    for board, prior, surely in proposed.found:
        if board != setting.start and _has_stood(board, state, proposed):
            continue
        if board == setting.start:
            opening = _found_start(state, board)
            if opening is not None and (seen or not dice_lie):  # else the first turn may be under way
                yield opening, chance + prior
                yield from _from_opening(
                    opening, Opening(), proposed, _shifted(opening, setting, chance + prior), unseen=False
                )
            continue
        settled, stood_before = is_settled(board, evidence), board == stood
        danced = _danced(board, proposed) if stood_before else None
        lay = None if followed is None or isinstance(followed, Over) else (state.cube, state.owner)
        hidden = evidence.of_hidden(board)
        after_game = 2 * log(p.AGAINST_SENSE) if isinstance(followed, Over) else 0.0  # people show each other positions
        for turn, stage in stages(evidence, rolls):
            whole = not isinstance(turn, UnderWay)
            if whole and not (seen and surely):
                continue
            of_board = log_prior(board, setting, in_hand=turn.side) if isinstance(turn, UnderWay) else prior
            if stood_before:
                of_board -= p.UNKNOWN_BOARD
                of_board += log(p.RARE) if isinstance(turn, UnderWay) and thrown_since else 0.0
            may_lie = cubes(evidence, in_play=setting.cube_in_play, offered=isinstance(turn, Offered))
            paid = max(log_prior_of_cube(*one, lay) for one in may_lie) if stood_before else 0.0
            for value, owner in may_lie:
                begun = Hypothesis(turn, board, value, owner, state.facts)
                facts: list[Fact] = [GameFound(board, value, owner, settled)] if whole else []
                if isinstance(turn, Offered):
                    facts.append(CubeOffer(turn.side, value * 2))
                of_cube = log_prior_of_cube(value, owner, lay) - paid
                if stood_before:
                    of_cube += cube_lay[value, owner]
                begun = begun.with_facts(*facts)
                if danced is not None and isinstance(turn, ToRoll):
                    begun = begun.ended(danced, board, setting.plays(board, danced.side, danced.roll)[0][0])
                yield begun, chance + after_game + of_board + hidden + stage + of_cube


def _danced(board: Position, proposed: Proposals) -> Throw | None:
    """The throw whose dice lay there at the rest before and are lifted, where it was a dance from the bar.

    Had anything been entered in that turn before, another could be entered there.
    """
    before = proposed.evidence.before
    if before is None or len(before.dice) != 2 or proposed.evidence.dice:
        return None
    throws = [Throw(side, roll) for side in Side for roll in ALL_ROLLS]
    throw = max(throws, key=lambda one: before.of_dice.of_roll(one.roll, one.side))
    plays = proposed.setting.plays(board, throw.side, throw.roll)
    return throw if board.own(throw.side)[BAR_INDEX] and not any(play.moves for play, _ in plays) else None


def _turn_as_followed(state: Hypothesis) -> TurnStage | None:
    """Where the turn stood as it was followed: before track was lost, or now. None where nothing ever was."""
    return state.turn.turn if isinstance(state.turn, Lost) else state.turn


def _as_played(state: Hypothesis, setting: Setting) -> Hypothesis:
    """The hypothesis with the play that stood there with its dice when track was lost: it was seen, and others came after it."""
    turn = _turn_as_followed(state)
    if not isinstance(turn, Thrown) or turn.now is None:
        return state
    throw, now = turn.throw, turn.now
    play = next((play for play, _ in setting.plays(state.before, throw.side, throw.roll) if play.result == now), None)
    return state if play is None else state.ended(throw, now, play)


def _found_start(state: Hypothesis, board: Position) -> Hypothesis | None:
    """The start position is found; None where it is no news. A game that went on when track was lost ends in a gap."""
    turn = _turn_as_followed(state)
    if isinstance(turn, Opening):
        return None
    facts: tuple[Fact, ...] = (
        () if turn is None else (NewGame(),) if isinstance(turn, Over) else (GameFound(board, 1, None),)
    )
    return Hypothesis(Opening(), board, facts=(*state.facts, *facts))


def _shifted(state: Hypothesis, setting: Setting, chance: float) -> dict[Transition, float]:
    return {step: one + chance for step, one in steps(state, setting).items()}


def _from_lost(
    state: Hypothesis, turn: Lost, proposed: Proposals, chances: dict[Transition, float]
) -> Iterator[Weighted]:
    """What stands is still not known, or the game goes on from where it was, or from anywhere."""
    fit = proposed.free_fit
    again, of_board = fit == turn.fit, _of_any_board(fit, state, proposed)
    # What is shown again may be shown for long: only what is new there makes it likelier that the game goes on from it.
    stands = again and of_board == p.UNKNOWN_BOARD
    yield state.at(Lost(fit, turn.turn, stands)), chances[Transition.STAY] + (0.0 if again else of_board)
    if turn.turn is not None:
        for state_then, chance in followers(state.at(turn.turn), proposed):
            yield state_then, chances[Transition.COME_BACK] + chance
    yield from _found(state, proposed, chances[Transition.FIND], fit if stands and _is_counted(fit) else None)
    yield from _inferred(state, proposed, chances[Transition.FIND])


def _inferred(state: Hypothesis, proposed: Proposals, chance: float) -> Iterator[Weighted]:
    """A board is found to which two turns lead that nobody saw, from what was last sure, and hardly any others."""
    state = _as_played(state, proposed.setting)
    turn = _turn_as_followed(state)
    first = turn.throw if isinstance(turn, Thrown) and turn.now is None and not turn.throw.redo else None
    side = first.side if first else turn.side if isinstance(turn, ToRoll) else None
    if side is None or not is_seen(proposed.evidence):
        return
    chance += p.UNKNOWN_BOARD + p.TWO_TURNS
    for board in (board for board, _, surely in proposed.found if surely):
        halves = two_turns(state.before, side, board, proposed.setting, first.roll if first else None)
        if halves is None:
            continue
        (roll, play), (reply, answer) = halves
        between = state.ended(first or Throw(side, roll, seen=False), play.result, play)
        after = between.ended(Throw(side.other, reply, seen=False), board, answer)
        if isinstance(between.turn, Over) or isinstance(after.turn, Over):
            continue
        yield after, chance
        for roll in proposed.rolls(side):
            yield after.rolled(Throw(side, roll)), chance + log_prior_of_roll(roll)


def _goes_on(state: Hypothesis, proposed: Proposals, chance: float) -> Iterator[Weighted]:
    """The next turn has surely begun, or the next game."""
    if isinstance(state.turn, Over):
        yield _new_game(state, proposed), chance
    elif isinstance(state.turn, ToRoll) and state.turn.side is not None:
        chances = steps(state, proposed.setting)
        yield from _thrown(state, state.turn.side, proposed, chance)
        if Transition.OFFER in chances:
            yield _offered(state, state.turn.side), chance + chances[Transition.OFFER] - chances[Transition.THROW]


def _offered(state: Hypothesis, side: Side) -> Hypothesis:
    return replace(state, turn=Offered(side), last=None).with_facts(CubeOffer(side, state.cube * 2))


def _rolls(*, opening: bool) -> tuple[Roll, ...]:
    return tuple(roll for roll in ALL_ROLLS if not (opening and roll[0] == roll[1]))


def log_prior_of_roll(roll: Roll, *, opening: bool = False) -> float:
    """Log-probability of a roll of two fair dice; equal ones do not open a game."""
    return log((1 if roll[0] == roll[1] else 2) / (30 if opening else 36))


def _thrown(
    state: Hypothesis, side: Side, proposed: Proposals, chance: float, *, unseen: bool = True
) -> Iterator[Weighted]:
    """`side` throws; he may have played, too, and (unseen) even lifted his dice, before anybody looked."""
    opening = isinstance(state.turn, Opening) and proposed.setting.plays_the_draw
    rolls, readable = _rolls(opening=opening), proposed.rolls(side)
    for roll in rolls:
        throw = Throw(side, roll, opening, seen=roll in readable)
        yield state.rolled(throw), chance + log_prior_of_roll(roll, opening=opening) + NOT_OVERLOOKED
    also = chance + OVERLOOKED
    shown = tuple(roll for roll in readable if roll in rolls)
    for roll, play, among in proposed.plays(state.before, side, shown, state.board):
        if play.moves:
            prior = also + log_prior_of_roll(roll, opening=opening) + among + NOT_OVERLOOKED
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
    again = Hypothesis(Thrown(throw), last.before, state.cube, state.owner, state.facts[:-1])
    otherwise = chance + log1p(-p.UNUSUAL)
    for _, play, among in proposed.plays(last.before, last.side, (last.roll,), state.board):
        if play.result != state.before:
            yield from _ended(again, throw, play, proposed, otherwise + among)
    fit = proposed.fit(state.before, state.board)
    if fit != state.before and fit not in proposed.setting.options(last.before, last.side, last.roll).legal:
        illegal = chance + log(p.UNUSUAL) + log_prior_of_board(proposed.setting, last.before, last.side, last.roll, fit)
        yield again.at(Illegal(throw, fit)), illegal


def _ended(
    state: Hypothesis, throw: Throw, play: Play, proposed: Proposals, chance: float, *, played: bool = False
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
        yield after.rolled(Throw(side, roll)), chance + log_prior_of_roll(roll) + NOT_OVERLOOKED
    if stood is None:
        return
    also = chance + OVERLOOKED
    for roll, play, among in proposed.plays(after.before, side, rolls, stood):
        if play.moves:
            prior = also + log_prior_of_roll(roll) + among + NOT_OVERLOOKED
            yield after.rolled(Throw(side, roll), play.result), prior
    yield from _unseen(after, side, proposed, also + OVERLOOKED, stood)


def _unseen(
    state: Hypothesis, side: Side, proposed: Proposals, chance: float, stood: Position, *, opening: bool = False
) -> Iterator[Weighted]:
    """A whole turn of `side` that nobody saw, with whatever roll; only what is seen of its end tells it."""
    if not (proposed.differs(state.before) or state.before.own(side)[BAR_INDEX]):
        return
    for roll, play, among in proposed.plays(state.before, side, _rolls(opening=opening), stood):
        prior = chance + log_prior_of_roll(roll, opening=opening) + among
        yield state.ended(Throw(side, roll, opening, seen=False), play.result, play), prior


def _from_rolled(
    state: Hypothesis, turn: Thrown, proposed: Proposals, chances: dict[Transition, float]
) -> Iterator[Weighted]:
    throw, setting = turn.throw, proposed.setting
    early = log(p.RARE) if proposed.early_roll_possible else None
    if turn.early or early is not None:
        yield state.at(replace(turn, early=not turn.early)), chances[Transition.EARLY]
    if Transition.TAKE_BACK in chances:
        yield state.at(Thrown(throw, early=turn.early)), chances[Transition.TAKE_BACK]
    if Transition.PICK_UP in chances:
        cleared = Opening() if throw.opening else ToRoll(throw.side)
        yield state.at(cleared), chances[Transition.PICK_UP]
        for roll in proposed.rolls(throw.side):
            again = state.at(replace(turn, throw=replace(throw, roll=roll), fresh=True))
            yield again, chances[Transition.ROLL_AGAIN] + log_prior_of_roll(roll)
    if Transition.KEEP in chances:
        yield state.at(Illegal(throw, state.before)), chances[Transition.KEEP]

    def moved(board: Position, chance: float) -> Iterator[Weighted]:
        """That board stands now, and the opponent may have thrown."""
        yield state.at(Thrown(throw, board)), chance
        if early is not None:
            yield state.at(Thrown(throw, board, early=True)), chance + early

    for _, play, among in proposed.plays(state.before, throw.side, (throw.roll,), state.board):
        stood = play.result == state.board
        if not stood:
            yield from moved(play.result, chances[Transition.PLAY] + among)
            yield from _ended(state, throw, play, proposed, chances[Transition.PLAY_AND_LIFT] + among)
        else:
            yield from _ended(state, throw, play, proposed, _lifted_over(play, among, chances), played=True)
    doubted = log(p.UNUSUAL) if any(isinstance(fact, GameFound) for fact in state.facts) else 0.0
    for board in proposed.others(state.before, throw, state.board):
        # Of a board that was found just now it is likelier that it was misread.
        among = doubted + log_prior_of_board(setting, state.before, throw.side, throw.roll, board)
        if board not in (state.before, state.board):
            yield from moved(board, chances[Transition.HALF_WAY] + among)
        if board != turn.now and not (Transition.KEEP in chances and board == state.before):
            yield state.at(Illegal(throw, board)), chances[Transition.ERR] + among
    if turn.now is not None and turn.now not in setting.options(state.before, throw.side, throw.roll).legal:
        yield state.at(Illegal(throw, turn.now)), chances[Transition.LIFT]


def _lifted_over(play: Play, among: float, chances: dict[Transition, float]) -> float:
    """Log-probability that the dice are lifted over that play, which stands there; who can't move has played at once."""
    if play.moves:
        return chances[Transition.LIFT]
    return float(np.logaddexp(chances[Transition.LIFT], chances[Transition.PLAY_AND_LIFT] + among))


def _from_illegal(
    state: Hypothesis, turn: Illegal, proposed: Proposals, chances: dict[Transition, float]
) -> Iterator[Weighted]:
    throw = turn.throw
    for _, play, among in proposed.plays(state.before, throw.side, (throw.roll,), state.board):
        yield from _ended(state, throw, play, proposed, chances[Transition.PUT_RIGHT] + among)
        if play.moves:
            yield state.at(Thrown(throw, play.result)), chances[Transition.PUT_RIGHT_AGAIN] + among
    yield state.at(Thrown(throw)), chances[Transition.TAKE_BACK]
    if Transition.ROLL_AGAIN in chances:
        for roll in proposed.rolls(throw.side):
            again = state.at(Thrown(replace(throw, roll=roll), fresh=True))
            yield again, chances[Transition.ROLL_AGAIN] + log_prior_of_roll(roll)
    fit = proposed.fit(state.before, state.board)
    if fit != state.board and fit not in proposed.setting.options(state.before, throw.side, throw.roll).legal:
        among = log_prior_of_board(proposed.setting, state.before, throw.side, throw.roll, fit)
        yield state.at(Illegal(throw, fit)), chances[Transition.HALF_WAY] + among
    stands = state.ended(throw, state.board, None)
    yield from _goes_on(stands, proposed, chances[Transition.LET_STAND])


def _may_double_again(turn: Offered, setting: Setting) -> bool:
    cube = setting.rules.cube
    return cube.beavers > 0 if turn.kind == "double" else turn.kind == "beaver" and cube.raccoon


def _from_offered(
    state: Hypothesis, turn: Offered, proposed: Proposals, chances: dict[Transition, float]
) -> Iterator[Weighted]:
    side, answering = turn.side, turn.answering
    offered = Cube(state.cube, state.owner, answering.other, turn.kind)
    owner = owner_after_take(offered, answering, proposed.setting.rules)
    took = replace(state, turn=ToRoll(side), cube=state.cube * 2, owner=owner).with_facts(CubeAnswer(answering, True))
    yield took, chances[Transition.TAKE] + NOT_OVERLOOKED
    yield from _thrown(took, side, proposed, chances[Transition.TAKE] + OVERLOOKED)
    if Transition.DOUBLE_AGAIN in chances:
        kind: OfferKind = "beaver" if turn.kind == "double" else "raccoon"
        holder = answering if kind == "beaver" else state.owner
        again = replace(state, turn=Offered(side, kind), cube=state.cube * 2, owner=holder)
        yield again.with_facts(CubeOffer(answering, state.cube * 4, kind)), chances[Transition.DOUBLE_AGAIN]
    passed = state.at(Over()).with_facts(CubeAnswer(answering, False))
    yield passed, chances[Transition.PASS] + NOT_OVERLOOKED
    yield _new_game(passed, proposed), chances[Transition.PASS] + OVERLOOKED
