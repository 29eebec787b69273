"""The filter's step: what may follow from each hypothesis, weighed by how well it explains one rest of the board."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from math import exp, inf, log, log1p

import numpy as np

from controller.rules import Position, Side
from controller.tracking import parameters
from controller.tracking.belief import Belief
from controller.tracking.dice import DiceEvidence, Halves
from controller.tracking.evidence import Evidence
from controller.tracking.followers import followers, lost
from controller.tracking.found import every_cube
from controller.tracking.hypothesis import (
    Hypothesis,
    Illegal,
    Lost,
    Offered,
    Opening,
    Over,
    Stage,
    Throw,
    Thrown,
    ToRoll,
    TurnStage,
    UnderWay,
)
from controller.tracking.proposals import Proposals
from controller.tracking.revised import may_be_revised, revised
from controller.tracking.setting import Setting


def weigh(
    belief: Belief,
    evidence: Evidence,
    setting: Setting,
    past: frozenset[Position] = frozenset(),
    *,
    unsettled: bool = False,
) -> Belief:
    """The belief after one more rest: what may follow each hypothesis, weighed by how well it explains the evidence.

    past: what has stood there in this game; unsettled: it goes on from a board that was found, and may have been another.
    """
    scores: dict[Hypothesis, float] = {}
    proposed = Proposals(evidence, setting, past)
    for hypothesis, share in belief.hypotheses:
        _add(scores, hypothesis, share, list(followers(hypothesis, proposed)), evidence)
    hypotheses, total = _weighed(scores, evidence, setting)
    if total.max() < _most_if_lost(evidence, setting) + parameters.DEPTH:
        for hypothesis, share in belief.hypotheses:
            if share >= parameters.WORTH:
                _add(scores, hypothesis, share, list(lost(hypothesis, proposed, setting)), evidence)
        hypotheses, total = _weighed(scores, evidence, setting)
    if _add_revised(scores, belief, proposed, unsettled=unsettled):
        hypotheses, total = _weighed(scores, evidence, setting)
    best = np.argsort(-total, kind="stable")[: parameters.BEAM]
    kept = [i for i in best if total[i] >= total[best[0]] - parameters.DEPTH]
    shares = np.exp(total[kept] - total[best[0]])
    nats = float(total[best[0]] + np.log(shares.sum()))
    shares /= shares.sum()
    held: dict[Hypothesis, float] = {}
    for i, share in zip(kept, shares, strict=True):
        hypothesis = _at_rest(_as_landed(hypotheses[i], evidence.of_dice))
        held[hypothesis] = held.get(hypothesis, 0.0) + float(share)
    return Belief(tuple(sorted(held.items(), key=lambda one: -one[1])), evidence, nats)


def _at_rest(hypothesis: Hypothesis) -> Hypothesis:
    """The hypothesis for the next rest: where the cube lies has been weighed."""
    return replace(hypothesis, cube_moved=False) if hypothesis.cube_moved else hypothesis


def _as_landed(hypothesis: Hypothesis, dice: DiceEvidence) -> Hypothesis:
    """The hypothesis, and how a new throw of it landed; of the first roll each player may have thrown a die."""
    turn = hypothesis.turn
    if not isinstance(turn, Thrown) or not turn.fresh or turn.throw.opening:
        return hypothesis
    throw = turn.throw
    landing = dice.landing(throw.roll, throw.side) if throw.seen else None
    return hypothesis.at(replace(turn, throw=replace(throw, landing=landing)))


def _add(
    scores: dict[Hypothesis, float],
    hypothesis: Hypothesis,
    share: float,
    may_follow: Sequence[tuple[Hypothesis, float]],
    evidence: Evidence,
) -> None:
    """Adds the log-weights of what may follow one hypothesis, by how well its board explains the evidence."""
    boards = _of_boards(hypothesis, [follower for follower, _ in may_follow], evidence)
    log_share = log(share)
    for (follower, prior), of_board in zip(may_follow, boards, strict=True):
        weight = log_share + prior + of_board
        old = scores.setdefault(follower, weight)
        if old is not weight:
            less, more = sorted((old, weight))
            scores[follower] = more + (log1p(exp(less - more)) if less > -inf else 0.0)


def _weighed(
    scores: dict[Hypothesis, float], evidence: Evidence, setting: Setting
) -> tuple[list[Hypothesis], np.ndarray]:
    """The hypotheses, and (N,) their log-weights by all that is seen."""
    hypotheses = list(scores)
    weights = np.array(list(scores.values()))
    return hypotheses, weights + _of_dice_and_cube(hypotheses, evidence, setting)


def _add_revised(scores: dict[Hypothesis, float], belief: Belief, proposed: Proposals, *, unsettled: bool) -> bool:
    """Adds what may follow if a board that was found was another, where what is read follows by the rules only then; whether
    anything."""
    in_doubt = [one for one in belief.hypotheses if may_be_revised(one[0], unsettled=unsettled)]
    if not in_doubt:
        return False
    evidence, known, added = proposed.evidence, {hypothesis for hypothesis, _ in belief.hypotheses}, False
    for hypothesis, share in in_doubt[: parameters.WIDTH]:
        if share < parameters.LOST or _follows(hypothesis, proposed, stood=None):
            continue
        for other, weight in revised(hypothesis, evidence, proposed.setting, unsettled=unsettled):
            if other not in known and _follows(other, proposed, stood=other.board):
                added = True
                _add(scores, other, share * exp(weight), list(followers(other, proposed)), evidence)
    return added


def _follows(hypothesis: Hypothesis, proposed: Proposals, *, stood: Position | None) -> bool:
    """Whether what is read follows from that hypothesis by the rules, with dice that are seen: no other board is read.

    stood: what stood at the rest before, and is read again as it was; None: whatever was read then.
    """
    turn, evidence = hypothesis.turn, proposed.evidence
    throws: list[Throw] = []
    if isinstance(turn, Thrown | Illegal):
        throws = [turn.throw]
    elif isinstance(turn, ToRoll):
        sides = list(Side) if turn.side is None else [turn.side]
        throws = [Throw(side, roll) for side in sides for roll in proposed.rolls(side)]
    plays = (proposed.setting.plays(hypothesis.before, throw.side, throw.roll) for throw in throws)
    boards = {hypothesis.board, *(play.result for some in plays for play, _ in some)}
    return bool(evidence.of_anything - evidence.of_positions(list(boards), stood).max() < parameters.KEEPS)


def _most_if_lost(evidence: Evidence, setting: Setting) -> float:
    """The log-weight at most of having lost track at this rest: what explains it notably better is not doubted."""
    cube = _of_any_cube(evidence, setting) if setting.cube_in_play else 0.0
    price = evidence.missed + log(parameters.LOST) + parameters.UNKNOWN_BOARD
    return evidence.of_anything + evidence.of_dice.of_unknown() + cube + price


def _of_boards(hypothesis: Hypothesis, followers: Sequence[Hypothesis], evidence: Evidence) -> list[float]:
    """How well the board of each follower explains what is seen, after this hypothesis's; anything may stand after the game."""
    places: dict[Position, int] = {}
    place = [places.setdefault(follower.board, len(places)) for follower in followers]
    nothing_seen = hypothesis.turn == Lost()
    scores = evidence.of_positions(list(places), None if nothing_seen else hypothesis.board).tolist()
    anything = evidence.of_anything + parameters.UNKNOWN_BOARD
    return [
        float(np.logaddexp(scores[i], anything)) if f.stage is Stage.OVER else scores[i]
        for f, i in zip(followers, place, strict=True)
    ]


def _of_dice_and_cube(hypotheses: list[Hypothesis], evidence: Evidence, setting: Setting) -> np.ndarray:
    """(N,) how well each hypothesis explains the dice and the cube."""
    known = evidence.throwing.halves
    as_thrown: dict[Halves, tuple[DiceEvidence, dict[Hashable, float]]] = {known: (evidence.of_dice, {})}
    after_facts: dict[int, tuple[DiceEvidence, dict[Hashable, float]]] = {}  # by identity: many share theirs
    cubes: dict[Hashable, float] = {}
    result = np.zeros(len(hypotheses))
    for i, hypothesis in enumerate(hypotheses):
        turn, facts = hypothesis.turn, id(hypothesis.facts)
        if facts not in after_facts:
            halves = hypothesis.halves(known)
            if halves not in as_thrown:
                as_thrown[halves] = evidence.of_dice.by_players_who_threw(halves), {}
            after_facts[facts] = as_thrown[halves]
        of_dice, dice = after_facts[facts]
        key = _dice_key(turn)
        if key not in dice:
            dice[key] = _of_dice(turn, of_dice, ties_count=bool(setting.draws(hypothesis.cube)))
        cube_key = _cube_stage(turn), hypothesis.cube, hypothesis.owner, hypothesis.cube_moved, hypothesis.cube_about
        if cube_key not in cubes:
            cubes[cube_key] = _of_cube(hypothesis, evidence, setting) if setting.cube_in_play else 0.0
        result[i] = dice[key] + cubes[cube_key]
    return result


def _cube_stage(turn: TurnStage) -> Hashable:
    """What of a turn the cube can tell, beside its value and its owner."""
    if isinstance(turn, Offered):
        return turn.kind
    return turn.stage if _is_tied(turn) or isinstance(turn, Over | Lost) else None


def _is_tied(turn: TurnStage) -> bool:
    """Equal dice were drawn for the start, and the cube may be turned for them."""
    return isinstance(turn, Opening) and turn.drawn is not None and turn.drawn[0] == turn.drawn[1]


def _dice_key(turn: TurnStage) -> Hashable:
    """What of a turn the dice can tell."""
    if isinstance(turn, Thrown):
        throw = turn.throw
        return throw.roll, throw.side, throw.opening, turn.early, turn.fresh, turn.left
    if isinstance(turn, Opening):
        return turn.stage, turn.drawn if turn.lying else None
    if isinstance(turn, UnderWay):
        return turn.stage, turn.side
    if isinstance(turn, ToRoll):
        return turn.stage, turn.side, turn.left
    return turn.stage, isinstance(turn, Offered | Illegal) and turn.left


def _of_dice(turn: TurnStage, dice: DiceEvidence, *, ties_count: bool) -> float:
    """How well where the turn stands explains the dice. ties_count: equal dice of the draw are a fact of their own."""
    if isinstance(turn, Thrown | ToRoll | Offered | Illegal) and turn.left:
        cleared = replace(turn, left=False)
        return dice.beside_left(lambda others: _of_dice(cleared, others, ties_count=ties_count))
    if isinstance(turn, Thrown):
        throw = turn.throw
        if turn.early:
            return dice.of_early_roll(throw.roll, throw.side)
        return dice.of_roll(throw.roll, throw.side, opening=throw.opening, fresh=turn.fresh)
    if isinstance(turn, Opening):
        if turn.drawn and turn.lying:
            return dice.of_draw(*turn.drawn)
        return dice.of_waiting(None) if ties_count else dice.of_opening()
    if isinstance(turn, ToRoll):
        return dice.of_waiting(turn.side)
    if isinstance(turn, UnderWay | Lost):
        return dice.of_unknown(turn.side if isinstance(turn, UnderWay) else None)
    return dice.of_idle() if isinstance(turn, Over) else dice.of_none()


def _of_cube(hypothesis: Hypothesis, evidence: Evidence, setting: Setting) -> float:
    """How well the hypothesis explains the cube."""
    moved = hypothesis.cube_moved
    if isinstance(hypothesis.turn, Over):
        return evidence.of_unknown_cube()
    if hypothesis.cube_about:
        return evidence.of_cube_left_about()
    if isinstance(hypothesis.turn, Lost):
        return _of_any_cube(evidence, setting)
    if isinstance(hypothesis.turn, Offered):
        if hypothesis.turn.kind == "double":
            return evidence.of_offered_cube(hypothesis.cube * 2, moved=moved)
        return evidence.of_cube(hypothesis.cube * 2, hypothesis.owner, moved=moved)  # whoever beavers keeps it
    if _is_tied(hypothesis.turn) and hypothesis.cube > 1:
        turned, not_yet = evidence.of_cube(hypothesis.cube, None), evidence.of_cube(hypothesis.cube // 2, None)
        return float(np.logaddexp(turned, not_yet))
    return evidence.of_cube(hypothesis.cube, hypothesis.owner, moved=moved)


def _of_any_cube(evidence: Evidence, setting: Setting) -> float:
    """How well the cube is explained if it may be any side's: only a hand could hide it."""
    return max(evidence.of_cube(value, owner) for value, owner in every_cube(setting))
