"""Follows a game: every observation narrows a belief about roll and play; what nobody doubts any more is handed on as facts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeGuard

from controller.rules import Position, Side
from controller.tracking import parameters
from controller.tracking.belief import Belief
from controller.tracking.dice import Roll
from controller.tracking.habits import NOTHING_SEEN, Habits
from controller.tracking.hypothesis import (
    CubeAnswer,
    CubeOffer,
    Fact,
    GameFound,
    Hypothesis,
    NewGame,
    Opening,
    Redone,
    Stage,
    Thrown,
    Turn,
    UnderWay,
)
from controller.tracking.rest import Rest
from controller.tracking.revised import has_vague_pile, is_contradicted, is_lacking, is_settled
from controller.tracking.setting import Setting
from controller.tracking.weighing import weigh
from terms.board import Corner
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
class Tracker:
    """A belief and how it was reached. Immutable: see() gives the next tracker.

    settled: what was believed when the present rest began; rest: that rest, None while something moves; past: what stood on the
    board before the turns of this game that were handed on; unsettled: the game goes on from a board that was found, and handed on
    in doubt; habits: what was seen of how these players throw.
    """

    setting: Setting
    light_home: Corner
    belief: Belief
    settled: Belief
    rest: Rest | None = None
    past: frozenset[Position] = frozenset()
    unsettled: bool = False
    sure: float = parameters.SURE
    habits: Habits = NOTHING_SEEN

    @classmethod
    def start(
        cls,
        setting: Setting,
        light_home: Corner,
        hypothesis: Hypothesis | None = None,
        sure: float = parameters.SURE,
        habits: Habits = NOTHING_SEEN,
    ) -> Tracker:
        """A tracker that waits for the opening roll, or goes on from `hypothesis`. habits: what is known already of how these
        players throw."""
        belief = Belief(((hypothesis or Hypothesis(Opening(), setting.start), 1.0),))
        return cls(setting, light_home, belief, belief, sure=sure, habits=habits)

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
        evidence = rest.evidence(
            self.light_home, settled.evidence, boards, self.habits.in_rules(self.setting.throwing), so_far
        )
        belief = weigh(settled, evidence, self.setting, self.past, unsettled=self.unsettled)
        return replace(self, belief=belief, settled=settled, rest=rest)

    @property
    def may_be_lost(self) -> bool:
        """Whether it is in doubt, at least, that the game is followed."""
        return sum(share for one, share in self.belief.hypotheses if one.stage is Stage.LOST) > 1 - parameters.SURE

    def moved(self) -> Tracker:
        """The rest has ended; what is seen next counts anew."""
        return replace(self, settled=self.belief, rest=None)

    def confirmed(self) -> Tracker | None:
        """The turn written down last was played as is written, and left the board that is written: it is not played otherwise any
        more. None where all of the belief holds that it is."""
        belief, settled = _confirmed(self.belief), _confirmed(self.settled)
        if belief is None or settled is None:
            return None
        return replace(self, belief=belief, settled=settled, unsettled=False)

    def told(self, side: Side, roll: Roll, before: Position, after: Position | None = None) -> Tracker | None:
        """Somebody has said what was thrown in the first turn that waits to be written, or (after) has it written as it was played,
        too: what was seen of it, and since. None where no turn waits, or hardly any of the belief holds that."""
        if not self.belief.best.facts:
            return None
        shares: dict[Hypothesis, float] = {}
        for one, share in self.belief.hypotheses:
            first = next(iter(one.facts), None)
            if not isinstance(first, Turn) or (first.side, first.roll, first.before) != (side, roll, before):
                continue
            if after is None:
                one = replace(one, facts=(replace(first, roll_seen=True), *one.facts[1:]))
            elif first.after == after:
                one = replace(one, facts=one.facts[1:])
            else:
                continue
            shares[one] = shares.get(one, 0.0) + share
        total = sum(shares.values())
        if total < parameters.WORTH:
            return None
        held = sorted(((one, share / total) for one, share in shares.items()), key=lambda one: -one[1])
        past = self.past if after is None else self.past | {before}
        return replace(self, belief=Belief(tuple(held), self.belief.evidence), past=past).moved()

    def turned(self, light_home: Corner) -> Tracker:
        """Light's home lies elsewhere in what is seen from now on; what is believed of the game stays."""
        belief = replace(self.belief, evidence=None)
        return replace(self, light_home=light_home, belief=belief, settled=belief, rest=None)

    def finish(self, *, moving: bool = False) -> tuple[SettledFact, ...]:
        """What most of the belief holds when nothing more will be seen: a play whose dice still lie counts as ended, with no more
        than HALF, as nobody has seen that it was left so; not if something moves over the board, which may change it, or it was
        put there a moment ago (moving), unless it has won the game.

        Of the cube and of what comes after a game it must be as sure as ever: that nothing more was seen is no evidence of a pass.
        """
        known: list[SettledFact] = []
        unsettled = self.unsettled
        courses = [
            (_facts_at_the_end(one, self.setting, moving=moving), share) for one, share in self.belief.hypotheses
        ]
        while first := _first_facts(courses):
            fact, share = first[0]
            alike = [one for one, _ in first if one == fact or _ends_as(one, fact)]
            agreed = sum(p for one, p in first if one in alike)
            if agreed < (parameters.HALF if isinstance(fact, Turn | Redone | GameFound) else parameters.SURE):
                break
            if isinstance(fact, Turn) and _is_guessed(fact, share):
                break
            ended = sum(p for one, p in self.belief.hypotheses if fact in one.facts)
            sure = min(share, max(ended, parameters.HALF)) if isinstance(fact, Turn) else share
            unsettled = _unsettled_after(fact, unsettled=unsettled)
            sure = min(sure, parameters.LIKELY_ENOUGH) if unsettled else sure
            known.append(SettledFact(fact, sure, _others(first, fact)))
            courses = [(facts[1:], share) for facts, share in courses if facts and facts[0] in alike]
        return tuple(known)

    def commit(self) -> tuple[tuple[SettledFact, ...], Tracker]:
        """What is beyond doubt, or too long ago to be doubted any longer, and the tracker without it."""
        known: list[SettledFact] = []
        tracker = self
        while tracker.belief.best.facts:
            first = _first_facts((one.facts, share) for one, share in tracker.belief.hypotheses)
            fact, share = first[0]
            if share < self.sure and tracker.belief.may_wait(share):
                break
            if tracker._may_be_put_back(fact, self.settled):
                break
            if isinstance(fact, CubeOffer) and not _is_known_who(fact, first):
                if tracker.belief.best.stage is Stage.OVER:
                    break
                unended = _without_passes(tracker.belief, tracker.setting.start)
                if unended != tracker.belief:
                    then, tracker = replace(tracker, belief=unended, settled=unended).commit()
                    return (*known, *then), tracker
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
                and tracker.belief.best.stage is not Stage.OVER
                and len(tracker.belief.best.facts) <= parameters.LONGEST_DIFFERENCE
            ):
                break
            unsettled = _unsettled_after(held, unsettled=tracker.unsettled)
            sure = sum(p for hypothesis, p in self.belief.hypotheses if fact in hypothesis.facts)
            doubted = unsettled or _is_contradicted(held, tracker.belief) or _is_left(tracker.belief.best)
            sure = min(sure, parameters.LIKELY_ENOUGH) if doubted else sure
            known.append(SettledFact(held, sure, _others(first, fact)))
            belief, past = _without(tracker.belief, [fact]), _past_after(tracker.past, fact)
            habits = tracker.habits.played(fact, first)
            tracker = replace(tracker, belief=belief, settled=belief, past=past, unsettled=unsettled, habits=habits)
        return tuple(known), tracker

    def _may_be_put_back(self, fact: Fact, settled: Belief) -> bool:
        """Whether that is a turn without dice since which nothing was seen but more such turns: whoever knocks checkers over, or
        shows how the game might go on, puts them back. Where most throws can't be seen, or the game has ended so, whether nobody
        thought of it at the rest before.

        settled: what was believed when the present rest began.
        """
        if not _is_unseen(fact):
            return False
        before = [one for one, _ in settled.hypotheses if fact in one.facts]
        hardly_seen = before and 2 * self.habits.unseen > self.habits.turns
        if hardly_seen or len(self.belief.best.facts) > parameters.MOST_TALKED_OVER:
            return False
        over = any(one.stage is Stage.OVER for one in before)
        held = [(one, share) for one, share in self.belief.hypotheses if one.facts[:1] == (fact,)]
        gone_on = sum(share for one, share in held if _has_gone_on(one) or (over and one.stage is Stage.OVER))
        return gone_on <= parameters.HALF * sum(share for _, share in held)

    def _with_a_gap_for(self, guessed: Turn) -> tuple[SettledFact, Tracker]:
        """The board after a turn of which nobody knows the dice, and the tracker without that turn: it has one more gap."""
        ways = [
            fact
            for fact, _ in _first_facts((one.facts, share) for one, share in self.belief.hypotheses)
            if isinstance(fact, Turn) and replace(fact, roll=guessed.roll) == guessed
        ]
        share = sum(p for one, p in self.belief.hypotheses if one.facts[:1] and one.facts[0] in ways)
        belief, past = _without(self.belief, ways), _past_after(self.past, guessed)
        sure = min(share, parameters.LIKELY_ENOUGH) if self.unsettled else share
        gap = SettledFact(GameFound(guessed.after, *guessed.cube), sure)
        return gap, replace(self, belief=belief, settled=belief, past=past, habits=self.habits.played(guessed, ()))


def _is_unseen(fact: Fact) -> TypeGuard[Turn]:
    return isinstance(fact, Turn) and not fact.roll_seen


def _has_gone_on(hypothesis: Hypothesis) -> bool:
    """Whether dice or the cube were seen since the oldest of its facts."""
    if hypothesis.stage is Stage.OFFERED or hypothesis.roll_seen:
        return True
    return any(not _is_unseen(fact) for fact in hypothesis.facts[1:])


def _ends_the_game(turn: Turn) -> bool:
    return turn.after.off(turn.side) == turn.after.checkers


def _ends_as(one: Fact, other: Fact) -> bool:
    """Whether both are turns that end the game, and with the same board: with which dice is another question."""
    if not isinstance(one, Turn) or not isinstance(other, Turn) or not _ends_the_game(one):
        return False
    return (one.side, one.after) == (other.side, other.after)


def _is_guessed(turn: Turn, share: float) -> bool:
    """Whether the record has a gap there: the play was seen, but not its dice, and more than one roll may have been thrown, or none
    that allows it; or less than half of the belief holds that what stands was played at all, against the rules.

    Not at the end of a game: who has won is seen. Nor is a turn that is redone ever a gap: the one that it replaces is written, and
    would stay.
    """
    if _ends_the_game(turn):
        return False
    if turn.play is None:
        return share < parameters.HALF or not turn.roll_seen
    return share < parameters.LIKELY_ENOUGH and not turn.roll_seen


def _is_known_who(offer: CubeOffer, first: Sequence[tuple[Fact, float]]) -> bool:
    """Whether it is plain which side has offered, if one has: of a game that was found so nothing else tells it."""
    offers = [(one.side, share) for one, share in first if isinstance(one, CubeOffer)]
    by_him = sum(share for side, share in offers if side is offer.side)
    return by_him >= parameters.LIKELY_ENOUGH * sum(share for _, share in offers)


def _without_passes(belief: Belief, start: Position) -> Belief:
    """The belief, but for who has passed first: nobody saw how that game ended."""

    def unended(facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
        match facts:
            case CubeOffer(), CubeAnswer(taken=False), NewGame(), *later:
                return (GameFound(start, 1, None), *later)
            case CubeOffer(), CubeAnswer(taken=False), GameFound() as found, *later:
                return (found, *later)
        return facts

    hypotheses = tuple((replace(one, facts=unended(one.facts)), share) for one, share in belief.hypotheses)
    return Belief(hypotheses, belief.evidence, belief.nats)


def _facts_at_the_end(hypothesis: Hypothesis, setting: Setting, *, moving: bool) -> tuple[Fact, ...]:
    turn = hypothesis.turn
    if isinstance(turn, Thrown) and not (moving and hypothesis.board.off(turn.throw.side) < setting.start.checkers):
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
    """Whether the game goes on, after that fact, from a board that was found, or lost a checker, and may have been another."""
    match fact:
        case NewGame():
            return False
        case GameFound(settled=settled):
            return not settled
        case Turn():
            return unsettled or is_lacking(fact)
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


def _confirmed(belief: Belief) -> Belief | None:
    """The belief without what plays the turn written down last otherwise, now or later; None where there is no other."""
    kept = [
        (one if one.last in one.facts else replace(one, last=None), share)
        for one, share in belief.hypotheses
        if not (one.throw and one.throw.redo) and not any(isinstance(fact, Redone) for fact in one.facts)
    ]
    total = sum(share for _, share in kept)
    return Belief(tuple((one, share / total) for one, share in kept), belief.evidence) if kept else None


def _without(belief: Belief, first: Sequence[Fact]) -> Belief:
    """Only the hypotheses that begin with one of these facts, with it taken off."""
    kept = [(replace(a, facts=a.facts[1:]), p) for a, p in belief.hypotheses if a.facts[:1] and a.facts[0] in first]
    total = sum(p for _, p in kept)
    return Belief(tuple((a, p / total) for a, p in kept), belief.evidence)
