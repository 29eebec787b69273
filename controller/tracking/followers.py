"""What may follow from any hypothesis: from one that is followed (followed.py), and where track is lost.

Then it stays lost, or comes back, or the game is found elsewhere: anywhere, in the middle of a turn, or two turns on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import log

from controller.rules import (
    ALL_ROLLS,
    BAR_INDEX,
    Position,
    Side,
)
from controller.tracking import parameters as p
from controller.tracking.dice import log_prior_of_roll
from controller.tracking.evidence import Evidence
from controller.tracking.followed import Weighted, followed, from_opening, next_thrown, thrown_beside, with_cubes
from controller.tracking.found import cubes, cubes_before, is_seen, log_prior, log_prior_of_cube, stages
from controller.tracking.hypothesis import (
    CubeOffer,
    Fact,
    GameFound,
    Hypothesis,
    Lost,
    NewGame,
    Offered,
    Opening,
    Over,
    Throw,
    Thrown,
    ToRoll,
    TurnStage,
    UnderWay,
)
from controller.tracking.illegal import opponent_moved
from controller.tracking.proposals import Proposals
from controller.tracking.revised import is_settled
from controller.tracking.setting import Setting
from controller.tracking.transitions import Transition, is_counted, steps
from controller.tracking.unseen import two_turns


def followers(state: Hypothesis, proposed: Proposals) -> Iterator[Weighted]:
    """Every hypothesis that may hold at the next rest, with its log-prior given this one."""
    turn = state.turn
    if isinstance(turn, Lost):
        yield from _from_lost(state, turn, proposed, steps(state, proposed.setting))
    elif isinstance(turn, UnderWay):
        chances = steps(state, proposed.setting)
        yield state, chances[Transition.STAY]
        yield from _from_under_way(state, turn, proposed, chances)
    else:
        yield from followed(state, proposed)


def _from_under_way(
    state: Hypothesis, turn: UnderWay, proposed: Proposals, chances: dict[Transition, float]
) -> Iterator[Weighted]:
    """The turn goes on, or ends with what stands there, which is where the game begins for whoever looks."""
    ended = chances[Transition.LIFT_FOUND]
    yield from _found_ended(state, turn.side, state.board, proposed, ended)
    fit = proposed.free_fit
    if fit != state.before and fit not in proposed.past:
        moved = chances[Transition.MOVE_FOUND] + log(p.RARE)
        begun = turn.found or state.before
        if any(fit in proposed.setting.options(begun, turn.side, roll).legal for roll in proposed.rolls(turn.side)):
            moved += log(p.RARE)  # then nothing had been moved before
        moved += min(log_prior(fit, proposed.setting, in_hand=turn.side) - p.UNKNOWN_BOARD, 0.0)
        moved += 2 * log(p.RARE) * opponent_moved(state.before, turn.side, fit)
        yield replace(state, turn=replace(turn, found=begun), before=fit), moved
        yield from _found_ended(state, turn.side, fit, proposed, moved + proposed.overlooked)


def _found_ended(
    state: Hypothesis, side: Side, board: Position, proposed: Proposals, chance: float
) -> Iterator[Weighted]:
    if not is_seen(proposed.evidence) or board in proposed.past:
        return
    begun = replace(state, turn=ToRoll(side.other), before=board).with_facts(
        GameFound(board, state.cube, state.owner, is_settled(board, proposed.evidence))
    )
    chance += min(log_prior(board, proposed.setting) - p.UNKNOWN_BOARD, 0.0)
    yield begun, chance + proposed.not_overlooked
    yield from next_thrown(begun, proposed, chance + proposed.overlooked, None)
    left = log(proposed.evidence.throwing.left)  # his dice lie there still
    yield from thrown_beside(begun, side.other, proposed, chance + left)


def lost(state: Hypothesis, proposed: Proposals, setting: Setting) -> Iterator[Weighted]:
    """What stands does not follow from that hypothesis: nobody knows what does, or the game is found elsewhere."""
    turn = state.turn
    if isinstance(turn, Lost):
        return
    chance = steps(state, setting)[Transition.LOSE] + proposed.evidence.missed
    followed = None if isinstance(turn, UnderWay) else turn
    fit = proposed.free_fit
    yield state.at(Lost(fit, followed)), chance + _of_any_board(fit, state, proposed) + log(1 / (1 + p.IS_FOUND))
    yield from _found(state, proposed, chance + log(p.IS_FOUND / (1 + p.IS_FOUND)))
    yield from _inferred(state, proposed, chance + log(p.IS_FOUND / (1 + p.IS_FOUND)))


def _of_any_board(board: Position, state: Hypothesis, proposed: Proposals) -> float:
    """Log-probability of a board while track is lost: most are like any other, but a film may show again what was there."""
    return log(p.RARE) if _has_stood(board, state, proposed) else p.UNKNOWN_BOARD


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
    cube_lay = cubes_before(evidence, setting) if stood is not None else {}
    for board, prior, surely in proposed.found:
        if board != setting.start and _has_stood(board, state, proposed):
            continue
        if board == setting.start:
            opening = _found_start(state, board)
            if opening is not None and (seen or not dice_lie):  # else the first turn may be under way
                for begun, likely in with_cubes(opening, proposed):
                    yield begun, chance + prior + likely
                    shifted = _shifted(begun, setting, chance + prior + likely)
                    yield from from_opening(begun, Opening(), proposed, shifted, unseen=False)
            continue
        settled, stood_before = is_settled(board, evidence), board == stood
        danced = _danced(board, proposed) if stood_before else None
        lay = None if followed is None or isinstance(followed, Over) else (state.cube, state.owner)
        hidden = evidence.of_hidden(board)
        # After a game people show each other positions; they seldom throw dice for them.
        shown = 1 if thrown_since else 2
        after_game = shown * log(p.AGAINST_SENSE) if isinstance(followed, Over) else 0.0
        for turn, stage in stages(evidence, setting, rolls):
            whole = not isinstance(turn, UnderWay)
            if whole and not (seen and surely):
                continue
            of_board = log_prior(board, setting, in_hand=turn.side) if isinstance(turn, UnderWay) else prior
            if stood_before:
                of_board -= p.UNKNOWN_BOARD
                of_board += log(p.RARE) if isinstance(turn, UnderWay) and thrown_since else 0.0
            may_lie = cubes(evidence, setting, offered=isinstance(turn, Offered))
            paid = max(log_prior_of_cube(*one, lay, setting.score) for one in may_lie) if stood_before else 0.0
            for value, owner in may_lie:
                begun = Hypothesis(turn, board, value, owner, state.facts, cube_moved=not stood_before)
                facts: list[Fact] = [GameFound(board, value, owner, settled)] if whole else []
                if isinstance(turn, Offered):
                    facts.append(CubeOffer(turn.side, value * 2, owner=owner))
                of_cube = log_prior_of_cube(value, owner, lay, setting.score) - paid
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
    return Hypothesis(Opening(), board, facts=(*state.facts, *facts), cube_moved=True)


def _shifted(state: Hypothesis, setting: Setting, chance: float) -> dict[Transition, float]:
    return {step: one + chance for step, one in steps(state, setting).items()}


def _from_lost(
    state: Hypothesis, turn: Lost, proposed: Proposals, chances: dict[Transition, float]
) -> Iterator[Weighted]:
    """What stands is still not known, or the game goes on from where it was, or from anywhere."""
    fit = proposed.free_fit
    again, of_board = fit == turn.fit, _of_any_board(fit, state, proposed)
    if again and _dice_came_or_went(proposed.evidence):  # as after two rests of it: a turn began or ended over it
        chances = steps(state.at(replace(turn, again=True)), proposed.setting)
    # What is shown again may be shown for long: only what is new there makes it likelier that the game goes on from it.
    stands = again and of_board == p.UNKNOWN_BOARD
    yield state.at(Lost(fit, turn.turn, stands)), chances[Transition.STAY] + (0.0 if again else of_board)
    if turn.turn is not None:
        for state_then, chance in followed(state.at(turn.turn), proposed):
            yield state_then, chances[Transition.COME_BACK] + chance
    yield from _found(
        state, proposed, chances[Transition.FIND], fit if stands and is_counted(fit, proposed.setting) else None
    )
    yield from _inferred(state, proposed, chances[Transition.FIND])


def _dice_came_or_went(evidence: Evidence) -> bool:
    """Whether two dice were thrown since the rest before, or lifted."""
    if evidence.before is None or not (is_seen(evidence) and is_seen(evidence.before)):
        return False
    return sorted((len(evidence.before.dice), len(evidence.dice))) == [0, 2]


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
