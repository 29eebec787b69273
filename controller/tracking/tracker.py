"""Follows a game: every observation narrows a belief about roll and play; what nobody doubts any more is handed on as facts."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from math import exp, log

import numpy as np

from controller.rules import Position, Side
from controller.tracking import parameters
from controller.tracking.best_fit import best_fit
from controller.tracking.dice import DiceEvidence, Roll
from controller.tracking.evidence import Evidence
from controller.tracking.followers import followers, lost
from controller.tracking.found import CUBES
from controller.tracking.hypothesis import (
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
    Stage,
    Throw,
    Thrown,
    ToRoll,
    Turn,
    TurnStage,
    UnderWay,
)
from controller.tracking.proposals import Proposals
from controller.tracking.rest import Rest
from controller.tracking.revised import has_vague_pile, is_contradicted, is_settled, may_be_revised, revised
from controller.tracking.setting import Setting
from terms.board import CORNERS, Corner
from vision.observation import Observation


@dataclass(frozen=True)
class SettledFact:
    """A fact, and the share of the belief that held it when it was written down.

    others: what else may have happened in its place, with the share that held it, likeliest first.
    """

    fact: Fact
    sure: float
    others: tuple[tuple[Fact, float], ...] = ()


@dataclass(frozen=True)
class Belief:
    """Hypotheses with their probabilities (sum 1, best first), and the evidence that they were last weighed by.

    nats: log-probability of that evidence, given what was believed before.
    """

    hypotheses: tuple[tuple[Hypothesis, float], ...]
    evidence: Evidence | None = None
    nats: float = 0.0

    @property
    def best(self) -> Hypothesis:
        """The likeliest hypothesis."""
        return self.hypotheses[0][0]

    def share_of_roll(self, roll: Roll | None) -> float:
        """The probability that `roll` lies on the board (None: that none does)."""
        return sum(p for hypothesis, p in self.hypotheses if hypothesis.roll == roll)

    def share_of(self, *fields: str) -> float:
        """The probability of all hypotheses that agree with the best in stage and in these fields."""
        best = self.best
        return sum(
            p
            for hypothesis, p in self.hypotheses
            if hypothesis.stage is best.stage
            and all(getattr(hypothesis, name) == getattr(best, name) for name in fields)
        )

    @property
    def presumed(self) -> Position | None:
        """The position in the middle of a game that more than half of the belief holds the game to go on from, and that is not
        written down yet."""
        shares: dict[Position, float] = {}
        for hypothesis, p in self.hypotheses:
            found = next((fact for fact in hypothesis.facts if isinstance(fact, GameFound)), None)
            if found is not None:
                shares[found.position] = shares.get(found.position, 0.0) + p
        likeliest = max(shares, key=lambda one: shares[one], default=None)
        return likeliest if likeliest is not None and shares[likeliest] > parameters.HALF else None

    def may_wait(self, share: float) -> bool:
        """Whether the oldest fact, which so much of the belief holds, may be decided later."""
        if self.best.stage is Stage.ILLEGAL and self.share_of("side") > parameters.SURE:
            return max(share, self.share_like_best()) < parameters.LIKELY_ENOUGH
        waits_for_much = self._share_when_settled() - share > parameters.WORTH
        return waits_for_much and len(self.best.facts) <= parameters.LONGEST_DIFFERENCE

    def _share_when_settled(self) -> float:
        """How much of the belief will agree about the oldest fact, on the mean, once nobody doubts the present any more.

        Hypotheses with one present never part again, whatever is seen: what they still differ about stays in doubt.
        """
        presents: dict[Hashable, dict[Fact | None, float]] = {}
        for a, p in self.hypotheses:
            shares = presents.setdefault((a.turn, a.before, a.cube, a.owner), {})
            first = next(iter(a.facts), None)
            shares[first] = shares.get(first, 0.0) + p
        return sum(max(shares.values()) for shares in presents.values())

    def share_like_best(self) -> float:
        """The probability of all hypotheses that agree with the best about stage, side and board."""
        best = self.best
        return sum(
            p
            for a, p in self.hypotheses
            if (a.stage, a.side, a.board, a.early) == (best.stage, best.side, best.board, best.early)
        )


@dataclass(frozen=True)
class Tracker:
    """A belief and how it was reached. Immutable: see() gives the next tracker.

    settled: what was believed when the present rest began; rest: that rest, None while something moves; past: what stood on the
    board before the turns of this game that were handed on; unsettled: the game goes on from a board that was found, and handed on
    in doubt.
    """

    setting: Setting
    light_home: Corner
    belief: Belief
    settled: Belief
    rest: Rest | None = None
    past: frozenset[Position] = frozenset()
    unsettled: bool = False

    @classmethod
    def start(cls, setting: Setting, light_home: Corner, hypothesis: Hypothesis | None = None) -> Tracker:
        """A tracker that waits for the opening roll, or goes on from `hypothesis`."""
        belief = Belief(((hypothesis or Hypothesis(Opening(), setting.start), 1.0),))
        return cls(setting, light_home, belief, belief)

    def see(self, observation: Observation) -> Tracker:
        """Takes one observation in. While something moves, only the fact that the rest has ended counts."""
        if not observation.still:
            return self.moved()
        if self.may_be_lost and self.rest is not None and observation.seconds - self.rest.first > parameters.LOST_REST:
            return self.moved().see(observation)
        if self.rest is not None and self.rest.ended_beside(observation):
            return self.moved().see(observation)
        rest = self.rest.add(observation) if self.rest else Rest.begin(observation)
        settled = self.settled if self.rest else self.belief
        boards = [hypothesis.board for hypothesis, share in settled.hypotheses if share >= parameters.WORTH]
        so_far = self.belief.evidence if self.rest else None
        evidence = rest.evidence(self.light_home, settled.evidence, boards, self.setting.throwing, so_far)
        belief = weigh(settled, evidence, self.setting, self.past, unsettled=self.unsettled)
        return replace(self, belief=belief, settled=settled, rest=rest)

    @property
    def may_be_lost(self) -> bool:
        """Whether it is in doubt, at least, that the game is followed."""
        return sum(share for one, share in self.belief.hypotheses if one.stage is Stage.LOST) > 1 - parameters.SURE

    def moved(self) -> Tracker:
        """The rest has ended; what is seen next counts anew."""
        return replace(self, settled=self.belief, rest=None)

    def finish(self, *, moving: bool = False) -> tuple[SettledFact, ...]:
        """What most of the belief holds when nothing more will be seen: a play whose dice still lie counts as ended, with no more
        than HALF, as nobody has seen that it was left so; not if something moves over the board (moving), which may change it.

        Of the cube and of what comes after a game it must be as sure as ever: that nothing more was seen is no evidence of a pass.
        """
        known: list[SettledFact] = []
        unsettled = self.unsettled
        courses = [
            (one.facts if moving else _facts_at_the_end(one, self.setting), share)
            for one, share in self.belief.hypotheses
        ]
        while first := _first_facts(courses):
            fact, share = first[0]
            if share < (parameters.HALF if isinstance(fact, Turn | Redone | GameFound) else parameters.SURE):
                break
            if isinstance(fact, Turn) and _is_guessed(fact, share):
                break
            ended = sum(p for one, p in self.belief.hypotheses if fact in one.facts)
            sure = min(share, max(ended, parameters.HALF)) if isinstance(fact, Turn) else share
            unsettled = _unsettled_after(fact, unsettled=unsettled)
            sure = min(sure, parameters.LIKELY_ENOUGH) if unsettled else sure
            known.append(SettledFact(fact, sure, _others(first, fact)))
            courses = [(facts[1:], share) for facts, share in courses if facts[:1] == (fact,)]
        return tuple(known)

    def commit(self) -> tuple[tuple[SettledFact, ...], Tracker]:
        """What is beyond doubt, or too long ago to be doubted any longer, and the tracker without it."""
        known: list[SettledFact] = []
        tracker = self
        while tracker.belief.best.facts:
            first = _first_facts((one.facts, share) for one, share in tracker.belief.hypotheses)
            fact, share = first[0]
            if share < parameters.SURE and tracker.belief.may_wait(share):
                break
            if isinstance(fact, Turn) and _is_guessed(fact, share):
                gap, tracker = tracker._with_a_gap_for(fact)
                known.append(gap)
                continue
            another = _another_begun(tracker.belief.best.facts[1:])  # of which what stands now is
            held = fact if another else _settled_since(fact, tracker.belief)
            if (
                _is_open(fact)
                and _is_open(held)
                and not another
                and len(tracker.belief.best.facts) <= parameters.LONGEST_DIFFERENCE
            ):
                break
            unsettled = _unsettled_after(held, unsettled=tracker.unsettled)
            sure = sum(p for hypothesis, p in self.belief.hypotheses if fact in hypothesis.facts)
            doubted = unsettled or _is_contradicted(held, tracker.belief) or _is_left(tracker.belief.best)
            sure = min(sure, parameters.LIKELY_ENOUGH) if doubted else sure
            known.append(SettledFact(held, sure, _others(first, fact)))
            belief, past = _without(tracker.belief, [fact]), _past_after(tracker.past, fact)
            tracker = replace(tracker, belief=belief, settled=belief, past=past, unsettled=unsettled)
        return tuple(known), tracker

    def _with_a_gap_for(self, guessed: Turn) -> tuple[SettledFact, Tracker]:
        """The board after a turn of which nobody knows the dice, and the tracker without that turn: it has one more gap."""
        ways = [
            fact
            for fact, _ in _first_facts((one.facts, share) for one, share in self.belief.hypotheses)
            if isinstance(fact, Turn) and replace(fact, roll=guessed.roll) == guessed
        ]
        share = sum(p for one, p in self.belief.hypotheses if one.facts[:1] and one.facts[0] in ways)
        cube, owner = _cube_after_first(next(one for one, _ in self.belief.hypotheses if one.facts[:1] == (guessed,)))
        belief, past = _without(self.belief, ways), _past_after(self.past, guessed)
        sure = min(share, parameters.LIKELY_ENOUGH) if self.unsettled else share
        gap = SettledFact(GameFound(guessed.after, cube, owner), sure)
        return gap, replace(self, belief=belief, settled=belief, past=past)


def _is_guessed(turn: Turn, share: float) -> bool:
    """Whether the record has a gap there: the play was seen, but not its dice, and more than one roll may have been thrown; or less
    than half of the belief holds that what stands was played at all, against the rules.

    Not at the end of a game: who has won is seen.
    """
    if turn.after.off(turn.side) == turn.after.checkers:
        return False
    enough = parameters.HALF if turn.roll_seen else parameters.LIKELY_ENOUGH
    return share < enough and (turn.play is None or not turn.roll_seen)


def _cube_after_first(hypothesis: Hypothesis) -> tuple[int, Side | None]:
    """The cube as it lay after the oldest fact of that hypothesis."""
    offers = [fact for fact in hypothesis.facts[1:] if isinstance(fact, CubeOffer)]
    if not offers:
        return hypothesis.cube, hypothesis.owner
    value = offers[0].value // 2
    return value, offers[0].side if value > 1 else None


def _facts_at_the_end(hypothesis: Hypothesis, setting: Setting) -> tuple[Fact, ...]:
    turn = hypothesis.turn
    if isinstance(turn, Thrown):
        for play, _ in setting.plays(hypothesis.before, turn.throw.side, turn.throw.roll):
            if play.result == hypothesis.board:
                return hypothesis.ended(turn.throw, play.result, play).facts
    return hypothesis.facts


def _first_facts(courses: Iterable[tuple[tuple[Fact, ...], float]]) -> list[tuple[Fact, float]]:
    """What may have happened first, and how much of the belief holds it, the most first; the best hypothesis may be one of few."""
    shares: dict[Fact, float] = {}
    for facts, p in courses:
        for fact in facts[:1]:
            shares[fact] = shares.get(fact, 0.0) + p
    return sorted(shares.items(), key=lambda one: -one[1])


def _others(facts: Sequence[tuple[Fact, float]], fact: Fact) -> tuple[tuple[Fact, float], ...]:
    """Those that are not that one, as far as anybody need hear of them."""
    return tuple(one for one in facts if one[0] != fact and one[1] >= parameters.WORTH)[: parameters.WIDTH]


def _unsettled_after(fact: Fact, *, unsettled: bool) -> bool:
    """Whether the game goes on, after that fact, from a board that was found and may have been another."""
    match fact:
        case NewGame():
            return False
        case GameFound(settled=settled):
            return not settled
    return unsettled


def _settled_since(fact: Fact, belief: Belief) -> Fact:
    """A board that was found in doubt is settled once what the game has made of it is; one that was settled is in doubt where
    something else is read of that."""
    if not isinstance(fact, GameFound) or belief.evidence is None:
        return fact
    if fact.settled:
        return replace(fact, settled=not is_contradicted(belief.best.board, belief.evidence))
    return replace(fact, settled=is_settled(belief.best.board, belief.evidence))


def _is_open(fact: Fact) -> bool:
    """Whether that board is in doubt, and may be settled by what the game makes of it."""
    return isinstance(fact, GameFound) and not fact.settled and not has_vague_pile(fact.position)


def _is_contradicted(fact: Fact, belief: Belief) -> bool:
    """Whether that turn is thought to have left what stands there now, but something else is read."""
    if not isinstance(fact, Turn) or belief.evidence is None or belief.best.board != fact.after:
        return False
    return is_contradicted(fact.after, belief.evidence)


def _is_left(hypothesis: Hypothesis) -> bool:
    """Whether track was lost after the oldest turn, of which nobody saw any more that it was left so."""
    facts = hypothesis.facts
    if not facts or not isinstance(facts[0], Turn):
        return False
    return isinstance(facts[1], GameFound) if len(facts) > 1 else isinstance(hypothesis.turn, UnderWay)


def _past_after(past: frozenset[Position], fact: Fact) -> frozenset[Position]:
    """What has stood there in this game, once that is known, too."""
    match fact:
        case Turn(before=before):
            return past | {before}
        case NewGame() | GameFound():
            return frozenset()
    return past


def _another_begun(facts: Iterable[Fact]) -> bool:
    """Whether the game is over or was lost: nothing more will be seen of the board that it was found with."""
    return any(isinstance(fact, NewGame | GameFound) for fact in facts)


def _without(belief: Belief, first: Sequence[Fact]) -> Belief:
    """Only the hypotheses that begin with one of these facts, with it taken off."""
    kept = [(replace(a, facts=a.facts[1:]), p) for a, p in belief.hypotheses if a.facts[:1] and a.facts[0] in first]
    total = sum(p for _, p in kept)
    return Belief(tuple((a, p / total) for a, p in kept), belief.evidence)


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
    best = np.argsort(-total)[: parameters.BEAM]
    kept = [i for i in best if total[i] >= total[best[0]] - parameters.DEPTH]
    shares = np.exp(total[kept] - total[best[0]])
    nats = float(total[best[0]] + np.log(shares.sum()))
    shares /= shares.sum()
    return Belief(tuple((hypotheses[i], float(p)) for i, p in zip(kept, shares, strict=True)), evidence, nats)


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
            scores[follower] = float(np.logaddexp(old, weight))


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
    return bool(evidence.of_anything() - evidence.of_positions(list(boards), stood).max() < parameters.KEEPS)


def _most_if_lost(evidence: Evidence, setting: Setting) -> float:
    """The log-weight at most of having lost track at this rest: what explains it notably better is not doubted."""
    cube = _of_any_cube(evidence) if setting.cube_in_play else 0.0
    price = evidence.missed + log(parameters.LOST) + parameters.UNKNOWN_BOARD
    return evidence.of_anything() + evidence.of_dice.of_unknown() + cube + price


def _of_boards(hypothesis: Hypothesis, followers: Sequence[Hypothesis], evidence: Evidence) -> list[float]:
    """How well the board of each follower explains what is seen, after this hypothesis's; anything may stand after the game."""
    places: dict[Position, int] = {}
    place = [places.setdefault(follower.board, len(places)) for follower in followers]
    nothing_seen = hypothesis.turn == Lost()
    scores = evidence.of_positions(list(places), None if nothing_seen else hypothesis.board).tolist()
    anything = evidence.of_anything() + parameters.UNKNOWN_BOARD
    return [
        float(np.logaddexp(scores[i], anything)) if f.stage is Stage.OVER else scores[i]
        for f, i in zip(followers, place, strict=True)
    ]


def _of_dice_and_cube(hypotheses: list[Hypothesis], evidence: Evidence, setting: Setting) -> np.ndarray:
    """(N,) how well each hypothesis explains the dice and the cube."""
    dice: dict[Hashable, float] = {}
    cubes: dict[Hashable, float] = {}
    result = np.zeros(len(hypotheses))
    for i, hypothesis in enumerate(hypotheses):
        turn = hypothesis.turn
        key = _dice_key(turn)
        if key not in dice:
            dice[key] = _of_dice(turn, evidence.of_dice, ties_count=bool(setting.draws(hypothesis.cube)))
        cube_key = _cube_stage(turn), hypothesis.cube, hypothesis.owner
        if cube_key not in cubes:
            cubes[cube_key] = _of_cube(hypothesis, evidence) if setting.cube_in_play else 0.0
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
        return throw.roll, throw.side, throw.opening, turn.early, turn.fresh
    if isinstance(turn, Opening):
        return turn.stage, turn.drawn if turn.lying else None
    if isinstance(turn, UnderWay):
        return turn.stage, turn.side
    return (Stage.TO_ROLL, turn.side) if isinstance(turn, ToRoll) else turn.stage


def _of_dice(turn: TurnStage, dice: DiceEvidence, *, ties_count: bool) -> float:
    """How well where the turn stands explains the dice. ties_count: equal dice of the draw are a fact of their own."""
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


def _of_cube(hypothesis: Hypothesis, evidence: Evidence) -> float:
    """How well the hypothesis explains the cube."""
    if isinstance(hypothesis.turn, Over):
        return evidence.of_unknown_cube()
    if isinstance(hypothesis.turn, Lost):
        return _of_any_cube(evidence)
    if isinstance(hypothesis.turn, Offered):
        if hypothesis.turn.kind == "double":
            return evidence.of_offered_cube(hypothesis.cube * 2)
        return evidence.of_cube(hypothesis.cube * 2, hypothesis.owner)  # whoever beavers keeps it
    if _is_tied(hypothesis.turn) and hypothesis.cube > 1:
        turned, not_yet = evidence.of_cube(hypothesis.cube, None), evidence.of_cube(hypothesis.cube // 2, None)
        return float(np.logaddexp(turned, not_yet))
    return evidence.of_cube(hypothesis.cube, hypothesis.owner)


def _of_any_cube(evidence: Evidence) -> float:
    """How well the cube is explained if it may be any side's: only a hand could hide it."""
    return max(evidence.of_cube(value, owner) for value, owner in CUBES)


def find_home(observation: Observation, setting: Setting) -> tuple[Corner, float]:
    """Which corner is light's home, from a board that shows the start position.

    Returns the corner, and by how many nats the start position explains the board better than the best-fitting position
    does (at most 0); see parameters.ORIENTED for what is enough.
    """
    rest = Rest.begin(observation)
    scored = []
    for corner in CORNERS:
        evidence = rest.evidence(corner)
        gap = best_fit(evidence, (0, 0), setting.start.checkers)
        scores = evidence.of_positions([setting.start, gap])
        scored.append((float(scores[0]), float(scores[0] - scores[1]), corner))
    _, gap_to_best, corner = max(scored)
    return corner, gap_to_best
