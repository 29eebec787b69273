"""Follows a game: every observation narrows a belief about roll and play; what nobody doubts any more is handed on as facts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import log

import numpy as np

from controller.rules import Side
from controller.tracking import parameters
from controller.tracking.best_fit import best_fit
from controller.tracking.evidence import Evidence, Rest, Roll
from controller.tracking.hypothesis import Fact, Hypothesis, Stage, Turn
from controller.tracking.orientation import CORNERS, Corner
from controller.tracking.transitions import Look, Setting, successors
from vision.observation import Observation

DiceKey = tuple[Roll | None, Side | None, bool, bool, bool]


@dataclass(frozen=True)
class Known:
    """A fact, and the share of the belief that held it when it was written down."""

    fact: Fact
    sure: float


@dataclass(frozen=True)
class Belief:
    """Accounts with their probabilities (sum 1, best first), and the evidence that they were last weighed by."""

    accounts: tuple[tuple[Hypothesis, float], ...]
    evidence: Evidence | None = None

    @property
    def best(self) -> Hypothesis:
        """The likeliest account."""
        return self.accounts[0][0]

    def share_of_roll(self, roll: Roll | None) -> float:
        """The probability that `roll` lies on the board (None: that none does)."""
        return sum(p for account, p in self.accounts if account.roll == roll)

    def share_of(self, *fields: str) -> float:
        """The probability of all accounts that agree with the best in stage and in these fields."""
        best = self.best
        return sum(
            p
            for account, p in self.accounts
            if account.stage is best.stage and all(getattr(account, name) == getattr(best, name) for name in fields)
        )

    def may_wait(self, share: float) -> bool:
        """Whether the oldest fact, which so much of the belief holds, may be decided later."""
        agreed = self.share_like_best()
        if self.best.stage is Stage.ILLEGAL and self.share_of("side") > parameters.SURE:
            return max(share, agreed) < parameters.LIKELY_ENOUGH
        return len(self.best.facts) <= (
            parameters.LONGEST_DOUBT if agreed > 1 - parameters.FORGOTTEN else parameters.LONGEST_DIFFERENCE
        )

    def share_like_best(self) -> float:
        """The probability of all accounts that agree with the best about stage, side and board."""
        best = self.best
        return sum(
            p
            for a, p in self.accounts
            if (a.stage, a.side, a.board, a.early) == (best.stage, best.side, best.board, best.early)
        )


@dataclass(frozen=True)
class Tracker:
    """A belief and how it was reached. Immutable: see() gives the next tracker.

    settled: what was believed when the present rest began; rest: that rest, None while something moves.
    """

    setting: Setting
    light_home: Corner
    belief: Belief
    settled: Belief
    rest: Rest | None = None

    @classmethod
    def start(cls, setting: Setting, light_home: Corner, account: Hypothesis | None = None) -> Tracker:
        """A tracker that waits for the opening roll, or goes on from `account`."""
        belief = Belief(((account or Hypothesis(Stage.OPENING, setting.start), 1.0),))
        return cls(setting, light_home, belief, belief)

    def see(self, observation: Observation) -> Tracker:
        """Takes one observation in. While something moves, only the fact that the rest has ended counts."""
        if not observation.still:
            return self.moved()
        rest = self.rest.add(observation) if self.rest else Rest.begin(observation)
        settled = self.settled if self.rest else self.belief
        boards = [account.board for account, share in settled.accounts if share >= parameters.POSSIBLE]
        counts = self.setting.rules.dice.on_checker == "valid"
        evidence = rest.evidence(self.light_home, settled.evidence, boards, counts)
        belief = weigh(settled, evidence, self.setting)
        return replace(self, belief=belief, settled=settled, rest=rest)

    def moved(self) -> Tracker:
        """The rest has ended; what is seen next counts anew."""
        return replace(self, settled=self.belief, rest=None)

    def finish(self) -> tuple[Known, ...]:
        """All that the best account holds, when nothing more will be seen: a play whose dice still lie counts as ended."""
        share = self.belief.accounts[0][1]
        return tuple(Known(fact, share) for fact in self._facts_at_the_end())

    def _facts_at_the_end(self) -> tuple[Fact, ...]:
        best = self.belief.best
        if best.stage is not Stage.ROLLED or best.side is None or best.roll is None:
            return best.facts
        for play, _ in self.setting.plays(best.before, best.side, best.roll):
            if play.result == best.board:
                return best.ended(Turn(best.side, best.roll, best.before, play.result, play, best.roll_seen)).facts
        return best.facts

    def commit(self) -> tuple[tuple[Known, ...], Tracker]:
        """What is beyond doubt, or too long ago to be doubted any longer, and the tracker without it."""
        known: list[Known] = []
        tracker = self
        while tracker.belief.best.facts:
            fact, share = _likeliest_first_fact(tracker.belief)
            if share < parameters.SURE and tracker.belief.may_wait(share):
                break
            known.append(Known(fact, sum(p for account, p in self.belief.accounts if fact in account.facts)))
            belief = _without(tracker.belief, fact)
            tracker = replace(tracker, belief=belief, settled=belief)
        return tuple(known), tracker


def _likeliest_first_fact(belief: Belief) -> tuple[Fact, float]:
    """What most of the belief holds to have happened first, and how much of it; the best account may be one of few."""
    shares: dict[Fact, float] = {}
    for account, p in belief.accounts:
        for fact in account.facts[:1]:
            shares[fact] = shares.get(fact, 0.0) + p
    return max(shares.items(), key=lambda one: one[1])


def _without(belief: Belief, fact: Fact) -> Belief:
    """Only the accounts that begin with that fact, with it taken off."""
    kept = [(replace(a, facts=a.facts[1:]), p) for a, p in belief.accounts if a.facts[:1] == (fact,)]
    total = sum(p for _, p in kept)
    return Belief(tuple((a, p / total) for a, p in kept), belief.evidence)


def weigh(belief: Belief, evidence: Evidence, setting: Setting) -> Belief:
    """The belief after one more rest: every account's successors, weighed by how well they explain the evidence."""
    scores: dict[Hypothesis, float] = {}
    look = Look(evidence, setting)
    for account, share in belief.accounts:
        followers = list(successors(account, look)) if share >= parameters.FOLLOWED else [(account, parameters.STAY)]
        boards = _of_boards(account, [follower for follower, _ in followers], evidence)
        for (follower, prior), of_board in zip(followers, boards, strict=True):
            weight = log(share) + prior + of_board
            old = scores.get(follower)
            scores[follower] = weight if old is None else float(np.logaddexp(old, weight))
    accounts = list(scores)
    total = np.array([scores[account] for account in accounts]) + _of_dice_and_cube(accounts, evidence, setting)
    best = np.argsort(-total)[: parameters.BEAM]
    kept = [i for i in best if total[i] >= total[best[0]] - parameters.BEAM_DEPTH]
    shares = np.exp(total[kept] - total[best[0]])
    shares /= shares.sum()
    return Belief(tuple((accounts[i], float(p)) for i, p in zip(kept, shares, strict=True)), evidence)


def _of_boards(account: Hypothesis, followers: Sequence[Hypothesis], evidence: Evidence) -> list[float]:
    """How well the board of each follower explains what is seen, after this account's; anything may stand after the game."""
    boards = list(dict.fromkeys(follower.board for follower in followers))
    scores = evidence.of_positions(boards, account.board)
    of_board = dict(zip(boards, (float(score) for score in scores), strict=True))
    anything = evidence.of_anything() + parameters.AFTER_THE_GAME
    return [max(of_board[f.board], anything) if f.stage is Stage.OVER else of_board[f.board] for f in followers]


def _of_dice_and_cube(accounts: list[Hypothesis], evidence: Evidence, setting: Setting) -> np.ndarray:
    """(N,) how well each account explains the dice and the cube."""
    dice: dict[DiceKey, float] = {}
    cubes: dict[tuple[Stage, int, Side | None], float] = {}
    result = np.zeros(len(accounts))
    for i, account in enumerate(accounts):
        if account.stage is Stage.OVER:
            result[i] = parameters.IDLE_BOARD + (parameters.DICE_ON_IDLE_BOARD if len(evidence.dice) >= 2 else 0.0)
            continue
        key = (
            account.roll if account.stage is Stage.ROLLED else None,
            account.side,
            account.opening,
            account.early,
            account.fresh,
        )
        if key not in dice:
            dice[key] = _dice(key, evidence)
        cube_key = (account.stage, account.cube, account.owner)
        if cube_key not in cubes:
            cubes[cube_key] = _cube(account, evidence) if setting.cube_in_play else 0.0
        result[i] = dice[key] + cubes[cube_key]
    return result


def _dice(key: DiceKey, evidence: Evidence) -> float:
    roll, side, opening, early, fresh = key
    if side is None:
        return max(evidence.of_no_dice(), evidence.of_tied_dice())
    if roll is None:
        return evidence.of_no_dice()
    return evidence.of_early_roll(roll, side) if early else evidence.of_roll(roll, side, opening, fresh)


def _cube(account: Hypothesis, evidence: Evidence) -> float:
    if account.stage is Stage.OFFERED:
        return evidence.of_offered_cube(account.cube * 2)
    return evidence.of_cube(account.cube, account.owner)


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
