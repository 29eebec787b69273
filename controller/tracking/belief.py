"""What is believed of the game: hypotheses with their probabilities, and what can be asked of them."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from controller.rules import Position, Side
from controller.tracking import parameters
from controller.tracking.dice import Roll
from controller.tracking.evidence import Evidence
from controller.tracking.hypothesis import (
    Fact,
    GameFound,
    Hypothesis,
    NewGame,
    Over,
    Stage,
)


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

    def share_followed(self) -> float:
        """The probability that the game goes on, by what was known of it."""
        return sum(
            p
            for hypothesis, p in self.hypotheses
            if not _is_found(hypothesis)
            and hypothesis.stage is not Stage.OVER
            and not any(isinstance(fact, NewGame) for fact in hypothesis.facts)
        )

    def share_found(self) -> float:
        """The probability that track was lost: nobody knows what stands, or it was found, and is not written down yet."""
        return sum(p for hypothesis, p in self.hypotheses if _is_found(hypothesis))

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
            # What stands after a game tells nothing of it, nor will where the loser's checkers stood be seen again.
            present = (Over(), _winner(a.before)) if isinstance(a.turn, Over) else (a.turn, a.before)
            shares = presents.setdefault((*present, a.cube, a.owner), {})
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


def _winner(board: Position) -> Side | None:
    return next((side for side in Side if board.off(side) == board.checkers), None)


def _is_found(hypothesis: Hypothesis) -> bool:
    found = any(isinstance(fact, GameFound) for fact in hypothesis.facts)
    return found or hypothesis.stage in (Stage.LOST, Stage.UNDER_WAY)
