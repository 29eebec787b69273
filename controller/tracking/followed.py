"""What may follow in a game that is followed, and how likely it is a priori.

Each step's chance (transitions.py) is shared among its details: the roll, the play, the board. Only those that are proposed get a
hypothesis of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
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
    owner_after_take,
)
from controller.tracking import parameters as p
from controller.tracking.dice import Roll, log_prior_of_roll
from controller.tracking.found import is_seen, is_set_up
from controller.tracking.hypothesis import (
    CubeAnswer,
    CubeOffer,
    GameFound,
    Hypothesis,
    Illegal,
    NewGame,
    Offered,
    OfferTakenBack,
    Opening,
    Over,
    Redone,
    Skip,
    StartDraw,
    Throw,
    Thrown,
    ToRoll,
    Turn,
    TurnStage,
)
from controller.tracking.illegal import is_near, is_played_otherwise, log_prior_of_board, log_prior_of_knock
from controller.tracking.proposals import Proposals
from controller.tracking.revised import is_settled
from controller.tracking.transitions import Transition, steps

Weighted = tuple[Hypothesis, float]


def followed(state: Hypothesis, proposed: Proposals) -> Iterator[Weighted]:
    """Every hypothesis that may hold at the next rest, with its log-prior given this one, where nothing was missed before."""
    if state.cube_about and proposed.cube_is_set:
        put_back = replace(state, cube_about=False, cube_moved=True)
        yield from ((one, chance + log(p.NEXT)) for one, chance in _followed(put_back, proposed))
    yield from _followed(state, proposed)


def _followed(state: Hypothesis, proposed: Proposals) -> Iterator[Weighted]:
    chances = steps(state, proposed.setting)
    turn = state.turn
    if isinstance(turn, Thrown):
        seen = turn.throw.seen or proposed.shows(turn.throw)
        turn = replace(turn, throw=replace(turn.throw, seen=seen), fresh=False)
        state = state.at(turn)
    if isinstance(turn, Over):
        yield from _over(state, turn, proposed, chances[Transition.STAY])
        yield from _next_game(state, proposed, chances[Transition.NEXT_GAME])
    else:
        yield state, chances[Transition.STAY]
    if isinstance(turn, Thrown | ToRoll | Offered | Illegal) and turn.left:
        yield state.at(replace(turn, left=False)), chances[Transition.STAY] + log(p.NEXT)
    if isinstance(turn, Opening):
        yield from from_opening(state, turn, proposed, chances)
    elif isinstance(turn, ToRoll):
        if turn.side is None:
            yield from _from_either_to_roll(state, proposed, chances)
        else:
            yield from _from_to_roll(state, turn.side, proposed, chances)
            if turn.left:
                yield from thrown_beside(state, turn.side, proposed, chances[Transition.THROW])
    elif isinstance(turn, Thrown):
        yield from _from_rolled(state, turn, proposed, chances)
    elif isinstance(turn, Illegal):
        yield from _from_illegal(state, turn, proposed, chances)
    elif isinstance(turn, Offered):
        yield from _from_offered(state, turn, proposed, chances)
    if Transition.PUT_BACK in chances and proposed.differs(state.before):
        shown = state.shown
        for turns in range(1, len(shown) + 1):
            yield from _put_back(state, shown[-turns:], proposed, chances[Transition.PUT_BACK] - log(len(shown)))


def from_opening(
    state: Hypothesis, turn: Opening, proposed: Proposals, chances: dict[Transition, float], *, unseen: bool = True
) -> Iterator[Weighted]:
    setting = proposed.setting
    starter = setting.starter(turn.drawn)
    for side in Side:
        share = 0.5 if starter is None else 1 - p.UNUSUAL if side is starter else p.UNUSUAL
        yield from _thrown(state, side, proposed, chances[Transition.THROW] + log(share), unseen=unseen)
    if Transition.SET_RIGHT in chances:
        yield _set_right(state, proposed), chances[Transition.SET_RIGHT]
    if Transition.LIFT in chances:
        yield state.at(Opening(turn.drawn)), chances[Transition.LIFT]
    if Transition.DRAW in chances:
        draws = setting.draws(state.cube)
        for light, dark in draws:
            if not turn.lying or (light, dark) != turn.drawn:
                doubled = setting.tied(state.cube) if light == dark else state.cube
                drawn = replace(state, turn=Opening((light, dark), lying=True), cube=doubled)
                yield drawn.with_facts(StartDraw(light, dark)), chances[Transition.DRAW] - log(len(draws))


def _over(state: Hypothesis, turn: Over, proposed: Proposals, chance: float) -> Iterator[Weighted]:
    """The board is cleared; one that differs as little from what stood there before as after a turn is hardly ever seen then."""
    if not is_seen(proposed.evidence):
        yield state, chance
        return
    stood, fit = turn.fit or state.before, proposed.free_fit
    yield state.at(Over(fit)), chance + (log(p.AGAINST_SENSE) if is_near(stood, fit) else 0.0)


def _next_game(over: Hypothesis, proposed: Proposals, chance: float) -> Iterator[Weighted]:
    """The start position was set up again; the first turn may have begun, or ended, before anybody looked, too."""
    for begun, likely in with_cubes(_new_game(over, proposed), proposed):
        rightly = chance + likely + log1p(-p.RARE)
        yield begun, rightly + proposed.not_overlooked
        also = rightly + proposed.overlooked
        chances = {step: one + also for step, one in steps(begun, proposed.setting).items()}
        yield from from_opening(begun, Opening(), proposed, chances)
    wrong = _set_up_wrong(proposed)
    for board in wrong:
        found = GameFound(board, 1, None, is_settled(board, proposed.evidence))
        begun = replace(_new_game(over, proposed), before=board).with_facts(found)
        for one, likely in with_cubes(begun, proposed):
            yield one, chance + likely + log(p.RARE) - log(len(wrong))


def _set_up_wrong(proposed: Proposals) -> list[Position]:
    """What may stand there where all checkers do, a few of them not where the start position has them."""
    setting = proposed.setting
    found = [board for board, _, surely in proposed.found if surely] if is_seen(proposed.evidence) else []
    return [
        board
        for board in found
        if board.off(Side.LIGHT) == board.off(Side.DARK) == 0 and board != setting.start and is_set_up(board, setting)
    ]


def with_cubes(begun: Hypothesis, proposed: Proposals) -> list[Weighted]:
    """A game that begins, with its cube in the middle, and, where it is not seen so, wherever somebody has left it."""
    about = [] if proposed.cube_is_set else [(replace(begun, cube_about=True, cube_moved=False), log(p.UNUSUAL))]
    return [(begun, 0.0), *about]


def _new_game(state: Hypothesis, proposed: Proposals) -> Hypothesis:
    return Hypothesis(Opening(), proposed.setting.start, facts=(*state.facts, NewGame()), cube_moved=True)


def _set_right(state: Hypothesis, proposed: Proposals) -> Hypothesis:
    """A few checkers of the set-up stood elsewhere, and were put where the start position has them."""
    start = proposed.setting.start
    if state.facts and isinstance(state.facts[-1], GameFound):
        return replace(state, before=start, facts=state.facts[:-1])
    return replace(state, before=start).with_facts(GameFound(start, state.cube, state.owner))


def _from_to_roll(
    state: Hypothesis, side: Side, proposed: Proposals, chances: dict[Transition, float]
) -> Iterator[Weighted]:
    yield from _thrown(state, side, proposed, chances[Transition.THROW])
    for doubled, likely in _doubled_unseen(state, side, proposed):
        yield from _goes_on_taken(doubled, side, proposed, likely, left=state.left)
    if Transition.OFFER in chances:
        yield _offered(state, side, left=state.left), chances[Transition.OFFER]
    if Transition.SKIP in chances:
        skipped = state.at(ToRoll(side.other, state.left)).with_facts(Skip(side))
        yield from _goes_on(skipped, proposed, chances[Transition.SKIP])
    if Transition.REDO in chances:
        yield from _redone(state, side, proposed, chances[Transition.REDO])


def _put_back(state: Hypothesis, shown: tuple[Turn, ...], proposed: Proposals, chance: float) -> Iterator[Weighted]:
    """These turns, the last ones, were only shown: the game goes on from before them; the next throw may have been made. Before the
    first turn of all either side's, where a draw of one die each is played: nothing that was shown tells who begins."""
    side, facts, before = shown[0].side, state.facts[: -len(shown)], shown[0].before
    opening = before == proposed.setting.start and proposed.setting.plays_the_draw
    back = replace(state, turn=Opening() if opening else ToRoll(side), before=before, facts=facts, last=None)
    yield back, chance + proposed.not_overlooked
    for thrower in Side if opening else (side,):
        share = log(0.5) if opening else 0.0
        yield from _thrown(back, thrower, proposed, chance + share + proposed.overlooked, unseen=False)


def _from_either_to_roll(
    state: Hypothesis, proposed: Proposals, chances: dict[Transition, float]
) -> Iterator[Weighted]:
    """Nobody saw whose turn it was; only dice that lie there tell it: nothing is taken to have been overlooked."""
    for side in Side:
        yield from _thrown(state, side, proposed, chances[Transition.THROW] + log(0.5), unseen=False)
        if Transition.OFFER in chances and state.owner in (None, side):
            yield _offered(state, side), chances[Transition.OFFER] + log(0.5)
    if Transition.REDO in chances:
        yield from _found_otherwise(state, proposed, chances[Transition.REDO])


def _found_otherwise(state: Hypothesis, proposed: Proposals, chance: float) -> Iterator[Weighted]:
    """What the game was found with was left by a turn that nobody saw, and that is played otherwise after all. From the start
    position no game goes on: one begins, whoever the cube was left with."""
    evidence = proposed.evidence
    if not (is_seen(evidence) and proposed.differs(state.before)):
        return
    facts = state.facts[:-1] if state.facts and isinstance(state.facts[-1], GameFound) else state.facts
    for board, prior, surely in proposed.found:
        sides = sum(is_played_otherwise(state.before, side, board) for side in Side)
        if sides and surely and board not in proposed.past and board != proposed.setting.start:
            found = GameFound(board, state.cube, state.owner, is_settled(board, evidence))
            of_board = prior - p.UNKNOWN_BOARD + log(sides / len(Side) / p.FEWEST_WAYS)
            yield replace(state, before=board, facts=(*facts, found)), chance + of_board


def _goes_on(state: Hypothesis, proposed: Proposals, chance: float) -> Iterator[Weighted]:
    """The next turn has surely begun, or the next game."""
    if isinstance(state.turn, Over):
        yield _new_game(state, proposed), chance
    elif isinstance(state.turn, ToRoll) and state.turn.side is not None:
        chances = steps(state, proposed.setting)
        yield from _thrown(state, state.turn.side, proposed, chance)
        if state.left:
            yield from thrown_beside(state, state.turn.side, proposed, chance)
        if Transition.OFFER in chances:
            yield (
                _offered(state, state.turn.side, left=state.left),
                chance + chances[Transition.OFFER] - chances[Transition.THROW],
            )


def _doubled_unseen(state: Hypothesis, side: Side, proposed: Proposals) -> list[Weighted]:
    """The cube lies with the opponent and shows twice as much: `side`, whose turn it is, has offered it, and it was taken, before
    anybody looked. One that was left about may lie so of itself."""
    if state.cube_about or not proposed.cube_is_with(side.other, state.cube * 2):
        return []
    chances = steps(state, proposed.setting)
    if Transition.OFFER not in chances:
        return []
    offered = _offered(state, side, left=state.left)
    taken = steps(offered, proposed.setting)[Transition.TAKE]
    return [(_taken(offered, proposed), chances[Transition.OFFER] + taken + proposed.overlooked)]


def _offered(state: Hypothesis, side: Side, *, left: bool = False) -> Hypothesis:
    """left: two dice of the turn before lie there still."""
    offered = replace(state, turn=Offered(side, left=left), last=None, cube_moved=True, cube_about=False)
    return offered.with_facts(CubeOffer(side, state.cube * 2, owner=state.owner))


def _withdrawn(state: Hypothesis, turn: Offered) -> Hypothesis:
    """The cube is put back where it lay, and nothing was offered."""
    pending = state.facts and isinstance(state.facts[-1], CubeOffer)
    facts = state.facts[:-1] if pending else (*state.facts, OfferTakenBack(turn.side))
    return replace(state, turn=ToRoll(turn.side, turn.left), facts=facts, cube_moved=True)


def _rolls(*, opening: bool) -> tuple[Roll, ...]:
    return tuple(roll for roll in ALL_ROLLS if not (opening and roll[0] == roll[1]))


def _thrown(
    state: Hypothesis, side: Side, proposed: Proposals, chance: float, *, unseen: bool = True
) -> Iterator[Weighted]:
    """`side` throws; he may have played, too, and (unseen) even lifted his dice, before anybody looked."""
    opening = isinstance(state.turn, Opening) and proposed.setting.plays_the_draw
    rolls, readable = _rolls(opening=opening), proposed.rolls(side)
    for roll in rolls:
        throw = Throw(side, roll, opening, seen=roll in readable)
        yield state.rolled(throw), chance + log_prior_of_roll(roll, opening=opening) + proposed.not_overlooked
    also = chance + proposed.overlooked
    shown = tuple(roll for roll in readable if roll in rolls)
    yield from _thrown_and_moved(state, side, shown, proposed, also, state.board, opening=opening)
    if unseen:
        yield from _unseen(state, side, proposed, also + proposed.overlooked, state.board, opening=opening)


def _redone(state: Hypothesis, side: Side, proposed: Proposals, chance: float) -> Iterator[Weighted]:
    """The turn that ended last is played otherwise, or what was taken for a legal play is none after all, or a hand has knocked a
    checker over.

    Where nobody saw its dice, it may be the play of another roll.
    """
    opened = _opened_again(state, side)
    if opened is None:
        return
    last, throw, before = opened
    again = before.at(Thrown(throw, left=state.left))
    if last.before == last.after:  # no checker was moved, and what does not count leaves nothing to put back
        yield from _thrown_again(again, throw, proposed, chance)
    if not proposed.differs(state.before, last.before):
        return
    otherwise = chance + log1p(-p.UNUSUAL)
    rolls = (last.roll,) if last.roll_seen else ALL_ROLLS
    for roll, play, among in proposed.plays(last.before, last.side, rolls, state.board):
        if play.result != state.before:
            other = log_prior_of_roll(roll) - log_prior_of_roll(last.roll)
            yield from _ended(again, replace(throw, roll=roll), play, proposed, otherwise + other + among)
    if not last.roll_seen:
        return  # what was thrown is known from the board alone
    fit = proposed.fit(state.before, state.board)
    yield from _all_put_back(
        again.at(Illegal(throw, last.before, state.left)), throw, proposed, chance + log(p.UNUSUAL)
    )
    if (
        fit not in (state.before, last.before)
        and fit not in proposed.setting.options(last.before, last.side, last.roll).legal
    ):
        against_rules = log(p.UNUSUAL) + log_prior_of_board(proposed.setting, last.before, last.side, last.roll, fit)
        knocked = log(p.RARE) + log_prior_of_knock(state.before, fit)
        yield again.at(Illegal(throw, fit, state.left)), chance + max(against_rules, knocked)


def _opened_again(state: Hypothesis, side: Side) -> tuple[Turn, Throw, Hypothesis] | None:
    """The turn that ended last, its throw to be played anew, and the game before it; None where it was that side's, or something
    came after it."""
    last = state.last
    pending = last is not None and state.facts[-1:] in ((last,), (Redone(last),))
    if last is None or last.side is side or (state.facts and not pending):
        return None
    redo = not pending or isinstance(state.facts[-1], Redone)
    throw = Throw(last.side, last.roll, seen=last.roll_seen, redo=redo)
    return last, throw, replace(state, before=last.before, facts=state.facts[:-1], last=None)


def _all_put_back(back: Hypothesis, throw: Throw, proposed: Proposals, chance: float) -> Iterator[Weighted]:
    """A whole turn is put back, to be played otherwise, or because it does not count: then both dice are thrown again."""
    yield back, chance + proposed.not_overlooked
    again = steps(back, proposed.setting)[Transition.ROLL_AGAIN]
    yield from _thrown_again(back, throw, proposed, chance + proposed.overlooked + again)


def _thrown_again(back: Hypothesis, throw: Throw, proposed: Proposals, chance: float) -> Iterator[Weighted]:
    """Both dice are thrown again, no checker of the turn having moved from where it stood before."""
    for roll in proposed.rolls(throw.side):
        anew = Thrown(replace(throw, roll=roll), fresh=True, left=back.left)
        yield back.at(anew), chance + log_prior_of_roll(roll)


def _ended(
    state: Hypothesis, throw: Throw, play: Play, proposed: Proposals, chance: float, *, played: bool = False
) -> Iterator[Weighted]:
    """The throw's turn has ended with that play; the opponent may have thrown already, and have played.

    played: that play stood there before.
    """
    after = state.ended(throw, play.result, play)
    yield after, chance + proposed.not_overlooked
    unlifted = state.ended(throw, play.result, play, "unseen")
    if state.left and isinstance(unlifted.turn, ToRoll):  # whose the dice are that lie there, nobody knows
        yield unlifted.at(replace(unlifted.turn, left=True)), chance + proposed.not_overlooked + log(p.NEXT)
    after = unlifted if isinstance(state.turn, Thrown) else after
    stood = state.board if played or proposed.long_unread else None
    yield from next_thrown(after, proposed, chance + proposed.overlooked, stood)


def next_thrown(after: Hypothesis, proposed: Proposals, chance: float, stood: Position | None) -> Iterator[Weighted]:
    """The opponent has thrown as well, or, where he is closed out and need not, whoever comes after him; with the board that stood
    there at the rest before, that player has moved, too, and perhaps lifted his dice."""
    if not isinstance(after.turn, ToRoll) or after.turn.side is None:
        return
    side = after.turn.side
    skip = steps(after, proposed.setting).get(Transition.SKIP)
    if skip is not None:
        skipped = after.at(ToRoll(side.other)).with_facts(Skip(side))
        yield from next_thrown(skipped, proposed, chance + skip, stood)
    for doubled, likely in _doubled_unseen(after, side, proposed):
        yield from next_thrown(doubled, proposed, chance + likely, stood)
    rolls = proposed.rolls(side)
    for roll in rolls:
        yield after.rolled(Throw(side, roll)), chance + log_prior_of_roll(roll) + proposed.not_overlooked
    if stood is None:
        return
    also = chance + proposed.overlooked
    yield from _thrown_and_moved(after, side, rolls, proposed, also, stood)
    yield from _unseen(after, side, proposed, also + proposed.overlooked, stood)


def _thrown_and_moved(
    state: Hypothesis,
    side: Side,
    rolls: tuple[Roll, ...],
    proposed: Proposals,
    chance: float,
    stood: Position,
    *,
    opening: bool = False,
) -> Iterator[Weighted]:
    """`side` has thrown one of these rolls and played it before anybody looked; where nothing was read for long, perhaps moved
    checkers to a board that is no legal play of it."""
    chance += proposed.not_overlooked
    for roll, play, among in proposed.plays(state.before, side, rolls, stood):
        if play.moves:
            prior = chance + log_prior_of_roll(roll, opening=opening) + among
            yield state.rolled(Throw(side, roll, opening), play.result), prior
    for roll in rolls if proposed.long_unread else ():
        throw = Throw(side, roll, opening)
        half_way = steps(state.rolled(throw), proposed.setting)[Transition.HALF_WAY] + _doubted(state)
        prior = chance + log_prior_of_roll(roll, opening=opening) + half_way
        for board in proposed.others(state.before, throw, stood) - {state.before}:
            among = log_prior_of_board(proposed.setting, state.before, side, roll, board)
            yield state.rolled(throw, board), prior + among


def _unseen(
    state: Hypothesis, side: Side, proposed: Proposals, chance: float, stood: Position, *, opening: bool = False
) -> Iterator[Weighted]:
    """A whole turn of `side` that nobody saw, with whatever roll; only what is seen of its end tells it. Where nothing was read for
    long the other side may have thrown since."""
    if not (proposed.differs(state.before) or state.before.own(side)[BAR_INDEX]):
        return
    for roll, play, among in proposed.plays(state.before, side, _rolls(opening=opening), stood):
        prior = chance + log_prior_of_roll(roll, opening=opening) + among
        after = state.ended(Throw(side, roll, opening, seen=False), play.result, play)
        yield after, prior + proposed.not_overlooked
        if proposed.long_unread:
            yield from next_thrown(after, proposed, prior + proposed.overlooked, None)


def _from_rolled(
    state: Hypothesis, turn: Thrown, proposed: Proposals, chances: dict[Transition, float]
) -> Iterator[Weighted]:
    throw, setting = turn.throw, proposed.setting
    early = log(p.RARE) if proposed.early_roll_possible else None
    if turn.early or early is not None:
        yield state.at(replace(turn, early=not turn.early, left=False)), chances[Transition.EARLY]
    if Transition.TAKE_BACK in chances:
        yield state.at(Thrown(throw, early=turn.early)), chances[Transition.TAKE_BACK]
    if Transition.PICK_UP in chances:
        cleared: TurnStage = Opening() if throw.opening else ToRoll(throw.side)
        if throw.redo and Transition.KEEP in chances:  # its turn is written, and what comes takes its place
            cleared = Illegal(throw, state.before)
        yield state.at(cleared), _picked_up(proposed, chances)
        yield from _on_again(state, turn, chances[Transition.EARLY])
        for roll in proposed.rolls(throw.side):
            again = state.at(replace(turn, throw=replace(throw, roll=roll), fresh=True))
            yield again, chances[Transition.ROLL_AGAIN] + log_prior_of_roll(roll)
    if Transition.KEEP in chances:
        # Beside dice that are left it is an early roll that is taken back.
        yield state.at(Illegal(throw, state.before)), chances[Transition.KEEP]

    def moved(board: Position, chance: float) -> Iterator[Weighted]:
        """That board stands now, and the opponent may have thrown."""
        yield state.at(Thrown(throw, board)), chance
        if turn.left:
            yield state.at(Thrown(throw, board, left=True)), chance
        if early is not None:
            yield state.at(Thrown(throw, board, early=True)), chance + early

    for _, play, among in proposed.plays(state.before, throw.side, (throw.roll,), state.board):
        stood = play.result == state.board
        yield from _left(state, throw, play, proposed, chances[Transition.STAY if stood else Transition.PLAY] + among)
        if not stood:
            yield from moved(play.result, chances[Transition.PLAY] + among)
            yield from _ended(state, throw, play, proposed, chances[Transition.PLAY_AND_LIFT] + among)
        else:
            yield from _ended(state, throw, play, proposed, _lifted_over(play, among, chances), played=True)
    legal = setting.options(state.before, throw.side, throw.roll).legal
    for board in proposed.others(state.before, throw, state.board):
        among = _doubted(state) + log_prior_of_board(setting, state.before, throw.side, throw.roll, board)
        if board not in (state.before, state.board):
            yield from moved(board, chances[Transition.HALF_WAY] + among)
        if board != turn.now and not (Transition.KEEP in chances and board == state.before):
            spoilt = log(p.RARE) if turn.now in legal and _has_come_back(throw.side, state.board, board) else 0.0
            yield state.at(Illegal(throw, board, turn.left)), chances[Transition.ERR] + among + spoilt
    if turn.now is not None and turn.now not in legal:
        yield state.at(Illegal(throw, turn.now, turn.left)), chances[Transition.LIFT]


def _has_come_back(side: Side, stood: Position, board: Position) -> bool:
    """Whether a checker that was borne off has come back to the board: hardly anybody makes an illegal play of a legal one so."""
    return board.off(side) < stood.off(side)


def _doubted(state: Hypothesis) -> float:
    """Log-weight of an illegal board: of one that was found just now it is likelier that it was misread."""
    return log(p.UNUSUAL) if any(isinstance(fact, GameFound) for fact in state.facts) else 0.0


def _left(state: Hypothesis, throw: Throw, play: Play, proposed: Proposals, chance: float) -> Iterator[Weighted]:
    """The turn has ended with that play and nobody has lifted its dice; the opponent has thrown, as he does early, and plays on, or
    has offered the cube."""
    side, throwing = throw.side.other, proposed.evidence.throwing
    after = state.ended(throw, play.result, play, "never")
    if not isinstance(after.turn, ToRoll):
        return
    chances = steps(after, proposed.setting)
    yield from thrown_beside(after, side, proposed, chance + log(throwing.left))
    if Transition.SKIP in chances:
        skipped = after.at(ToRoll(throw.side)).with_facts(Skip(side))
        rarely = chance + log(throwing.left) + chances[Transition.SKIP]
        yield from thrown_beside(skipped, throw.side, proposed, rarely)
    if Transition.OFFER in chances:
        offered = _offered(state.ended(throw, play.result, play, "unseen"), side, left=True)
        yield offered, chance + log(throwing.lie_on) + chances[Transition.OFFER]


def _on_again(state: Hypothesis, turn: Thrown, chance: float) -> Iterator[Weighted]:
    """The throw is taken up, and the turn before it, whose dice lie there still, is on again, and may be played otherwise."""
    opened = _opened_again(state, turn.throw.side) if turn.left else None
    if opened is not None:
        last, throw, before = opened
        yield before.at(Thrown(replace(throw, landing=last.landing), last.after)), chance


def thrown_beside(state: Hypothesis, side: Side, proposed: Proposals, chance: float) -> Iterator[Weighted]:
    """`side` throws while two dice of a turn that has ended lie there."""
    for roll in proposed.rolls(side) if proposed.early_roll_possible else ():
        yield state.rolled(Throw(side, roll), left=True), chance + log_prior_of_roll(roll)


def _picked_up(proposed: Proposals, chances: dict[Transition, float]) -> float:
    """Log-probability that the dice are taken up because they did not count, as they do where one leaned after all."""
    before = proposed.evidence.before
    lean = before.of_dice.lean() if before is not None else 0.0
    return float(np.logaddexp(chances[Transition.PICK_UP], log(lean))) if lean > 0 else chances[Transition.PICK_UP]


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
            yield state.at(Thrown(throw, play.result, left=turn.left)), chances[Transition.PUT_RIGHT_AGAIN] + among
    yield state.at(Thrown(throw, left=turn.left)), chances[Transition.TAKE_BACK]
    if Transition.ROLL_AGAIN in chances:
        yield from _thrown_again(state, throw, proposed, chances[Transition.ROLL_AGAIN])
    fit = proposed.fit(state.before, state.board)
    if fit != state.board and fit not in proposed.setting.options(state.before, throw.side, throw.roll).legal:
        among = log_prior_of_board(proposed.setting, state.before, throw.side, throw.roll, fit)
        yield state.at(Illegal(throw, fit, turn.left)), chances[Transition.HALF_WAY] + among
    stands = _moved_since(state) if throw.redo else state.ended(throw, state.board, None)
    yield from _goes_on(stands, proposed, chances[Transition.LET_STAND])


def _moved_since(state: Hypothesis) -> Hypothesis:
    """The turn was played, and is written: what stands now is a hand's doing, which moved checkers since."""
    assert state.throw is not None
    found = GameFound(state.board, state.cube, state.owner)
    return replace(state, turn=ToRoll(state.throw.side.other), before=state.board, last=None).with_facts(found)


def _taken(state: Hypothesis, proposed: Proposals) -> Hypothesis:
    """The cube that is offered is taken."""
    turn = state.turn
    assert isinstance(turn, Offered)
    offered = Cube(state.cube, state.owner, turn.answering.other, turn.kind)
    owner = owner_after_take(offered, turn.answering, proposed.setting.rules)
    # One that was beavered lies with its owner already, and shows what it is taken at.
    took = replace(state, turn=ToRoll(turn.side), cube=state.cube * 2, owner=owner, cube_moved=turn.kind == "double")
    return took.with_facts(CubeAnswer(turn.answering, True))


def _goes_on_taken(
    took: Hypothesis, side: Side, proposed: Proposals, chance: float, *, left: bool
) -> Iterator[Weighted]:
    """The cube was taken, and `side` may have thrown; left: two dice of the turn before lay there when it was offered."""
    yield took, chance + proposed.not_overlooked
    yield from _thrown(took, side, proposed, chance + proposed.overlooked)
    if left:
        lie = took.at(ToRoll(side, left=True))
        yield lie, chance + proposed.not_overlooked
        yield from thrown_beside(lie, side, proposed, chance + proposed.overlooked)


def _from_offered(
    state: Hypothesis, turn: Offered, proposed: Proposals, chances: dict[Transition, float]
) -> Iterator[Weighted]:
    side, answering = turn.side, turn.answering
    yield from _goes_on_taken(_taken(state, proposed), side, proposed, chances[Transition.TAKE], left=turn.left)
    if Transition.DOUBLE_AGAIN in chances:
        kind: OfferKind = "beaver" if turn.kind == "double" else "raccoon"
        holder = answering if kind == "beaver" else state.owner
        again = replace(state, turn=replace(turn, kind=kind), cube=state.cube * 2, owner=holder, cube_moved=True)
        yield again.with_facts(CubeOffer(answering, state.cube * 4, kind)), chances[Transition.DOUBLE_AGAIN]
    if Transition.WITHDRAW in chances:
        back = _withdrawn(state, turn)
        yield back, chances[Transition.WITHDRAW] + proposed.not_overlooked
        yield from _goes_on(back, proposed, chances[Transition.WITHDRAW] + proposed.overlooked)
    passed = state.at(Over()).with_facts(CubeAnswer(answering, False))
    yield from _over(passed, Over(), proposed, chances[Transition.PASS] + proposed.not_overlooked)
    yield from _next_game(passed, proposed, chances[Transition.PASS] + proposed.overlooked)
