"""What may follow from an account of the game between one rest of the board and the next, and how likely it is a priori.

The numbers stand in `parameters.py`. A transition may skip a step (a roll that was never seen at
rest, dice lifted and thrown again between two frames), because key frames and hands over the board do skip them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from math import log

import numpy as np

from controller.rules import ALL_ROLLS, MATCH, Play, Position, RuleSet, Side, is_closed_out, legal_plays
from controller.tracking import parameters
from controller.tracking.best_fit import best_fit
from controller.tracking.choices import log_priors
from controller.tracking.evidence import Evidence, Roll
from controller.tracking.hypothesis import Answer, Hypothesis, NewGame, Offer, Redone, Skip, Stage, Turn
from controller.tracking.orientation import BAR
from controller.tracking.slips import left_lying, slips

# Most boards that no legal play explains are half-way through one. The more legal plays there are, the more ways to err and to
# be half-way: these are shared among as many boards.


HOME = 6

Weighted = tuple[Hypothesis, float]


@dataclass(frozen=True, eq=False)
class Setting:
    """What stays the same through a game: the rules, the start position, whether the cube is in play."""

    rules: RuleSet = MATCH
    start: Position = field(default_factory=Position.start)
    cube_in_play: bool = True
    _known: dict[tuple[Position, Side, Roll], tuple[tuple[Play, float], ...]] = field(default_factory=dict, repr=False)
    _slips: dict[tuple[Position, Side, Roll], tuple[Position, ...]] = field(default_factory=dict, repr=False)

    def plays(self, position: Position, side: Side, roll: Roll) -> tuple[tuple[Play, float], ...]:
        """The legal plays with their log-priors, remembered: every frame of a turn asks for them again."""
        key = (position, side, roll)
        if key not in self._known:
            if len(self._known) > parameters.REMEMBERED:
                self._known.clear()
            plays = legal_plays(position, side, roll, self.rules)
            self._known[key] = tuple(zip(plays, log_priors(plays, position, side).tolist(), strict=True))
        return self._known[key]

    def slips(self, position: Position, side: Side, roll: Roll) -> tuple[Position, ...]:
        """The usual illegal boards, remembered."""
        key = (position, side, roll)
        if key not in self._slips:
            if len(self._slips) > parameters.REMEMBERED:
                self._slips.clear()
            plays = [play for play, _ in self.plays(position, side, roll)]
            boards = slips(position, side, roll) | {board for play in plays for board in left_lying(play, side)}
            self._slips[key] = tuple(boards - {play.result for play in plays})
        return self._slips[key]


def roll_prior(roll: Roll) -> float:
    """Log-probability of a roll of two fair dice."""
    return log((1 if roll[0] == roll[1] else 2) / 36)


class Look:
    """One look at the board: the evidence in its setting, with what was worked out about it so far."""

    def __init__(self, evidence: Evidence, setting: Setting) -> None:
        self.evidence = evidence
        self.setting = setting
        self._fits: dict[tuple[Position, Position, int], Position] = {}
        self.early_roll_possible = len(evidence.dice) >= 4
        none = evidence.of_no_dice()
        self._readable = {
            side: tuple(
                sorted(
                    (roll for roll in ALL_ROLLS if evidence.of_roll(roll, side) > none - 3),
                    key=lambda roll: -evidence.of_roll(roll, side),
                )[: parameters.READABLE]
            )
            for side in Side
        }

    def readable_rolls(self, side: Side) -> tuple[Roll, ...]:
        """The few rolls of that side that the dice seen may be."""
        return self._readable[side]

    def shows(self, account: Hypothesis) -> bool:
        """Whether the account's roll is among what the dice seen may be."""
        return account.side is not None and account.roll in self._readable[account.side]

    def fit(self, before: Position, stood: Position, lost: int = parameters.MOST_LOST) -> Position:
        """What stands on the board if the rules are left aside: `before`, but for what has clearly changed.

        stood: what stood at the rest before; lost: most checkers of a side that have left the board. None come back.
        """
        key = (before, stood, lost)
        if key not in self._fits:
            off = before.off(Side.LIGHT), before.off(Side.DARK)
            self._fits[key] = best_fit(self.evidence, off, before.checkers, slack=lost, near=before, stood=stood)
        return self._fits[key]

    def differs(self, before: Position) -> bool:
        """Whether anything at all explains the board notably better than that nothing has moved."""
        was, fits = self.evidence.of_positions([before, self.fit(before, before)], before)
        return bool(fits - was > parameters.NOTABLE)

    def plays(
        self, position: Position, side: Side, rolls: tuple[Roll, ...], stood: Position
    ) -> list[tuple[Roll, Play, float]]:
        """The plays of any of these rolls that fit what is seen, best first, with the log-prior among the roll's plays."""
        every = [(roll, play, prior) for roll in rolls for play, prior in self.setting.plays(position, side, roll)]
        if not every:
            return []
        scores = self.evidence.of_positions([play.result for _, play, _ in every], stood)
        best = np.argsort(-scores, kind="stable")[: parameters.WIDTH * min(len(rolls), 3)]
        return [every[i] for i in best if scores[i] >= scores[best[0]] - parameters.DEPTH]

    def slips(self, position: Position, side: Side, roll: Roll, stood: Position) -> list[Position]:
        """The usual illegal boards of the roll that explain what is seen better than any legal one does."""
        legal = [play.result for play, _ in self.setting.plays(position, side, roll)]
        known = float(self.evidence.of_positions([*legal, position], stood).max())
        boards = self.setting.slips(position, side, roll)
        scores = self.evidence.of_positions(boards, stood)
        best = np.argsort(-scores, kind="stable")[: parameters.SLIPS]
        return [boards[i] for i in best if scores[i] > known + parameters.NOTABLE]


def successors(account: Hypothesis, look: Look) -> Iterator[Weighted]:
    """Every account that may hold at the next rest, with its log-prior given this one."""
    if account.stage is Stage.ROLLED:
        account = replace(account, fresh=False, roll_seen=account.roll_seen or look.shows(account))
    yield account, parameters.STAY
    follow = {
        Stage.OPENING: _from_opening,
        Stage.TO_ROLL: _from_to_roll,
        Stage.ROLLED: _from_rolled,
        Stage.ILLEGAL: _from_illegal,
        Stage.OFFERED: _from_offered,
        Stage.OVER: _from_over,
    }[account.stage]
    yield from follow(account, look)


def _from_opening(account: Hypothesis, look: Look) -> Iterator[Weighted]:
    for side in Side:
        for follower, prior in _roll(replace(account, side=side, opening=True), look):
            yield follower, prior + log(0.5)


def _from_to_roll(account: Hypothesis, look: Look) -> Iterator[Weighted]:
    assert account.side is not None
    yield from _roll(account, look)
    shut = is_closed_out(account.before, account.side)
    for offered, prior in _offer(account, look):
        yield offered, prior + (parameters.SHUT_OUT_DOUBLES if shut else 0.0)
    if shut:
        skipped = replace(account, side=account.side.other).with_facts(Skip(account.side))
        for follower, prior in (*_roll(skipped, look), *_offer(skipped, look)):
            yield follower, prior + parameters.SKIP
    yield from _redone(account, look)


def _offer(account: Hypothesis, look: Look) -> Iterator[Weighted]:
    """account.side turns the cube before he rolls."""
    if account.side is not None and look.setting.cube_in_play and account.owner in (None, account.side):
        offer = Offer(account.side, account.cube * 2)
        yield replace(account, stage=Stage.OFFERED, last=None).with_facts(offer), parameters.OFFER


def _redone(account: Hypothesis, look: Look) -> Iterator[Weighted]:
    """The turn that ended last is played otherwise, or what was taken for a legal play is none after all."""
    last = account.last
    pending = account.facts[-1:] in ((last,), (Redone(last),)) if last else False
    if last is None or last.side is account.side or (account.facts and not pending) or not look.differs(account.before):
        return
    redo = not pending or isinstance(account.facts[-1], Redone)
    again = replace(
        account,
        stage=Stage.ROLLED,
        before=last.before,
        side=last.side,
        roll=last.roll,
        roll_seen=last.roll_seen,
        facts=account.facts[:-1],
        last=None,
        redo=redo,
    )
    results = {account.before}
    for _, play, prior in look.plays(last.before, last.side, (last.roll,), account.board):
        results.add(play.result)
        if play.result != account.before:
            turn = Turn(last.side, last.roll, last.before, play.result, play, last.roll_seen)
            yield again.ended(turn), parameters.REDO + prior
            yield from _next_roll(again.ended(turn), look, parameters.REDO + prior + parameters.END_AND_NEXT_ROLL)
    fit = look.fit(account.before, account.board)
    if fit not in results:
        illegal = replace(again, stage=Stage.ILLEGAL, now=fit)
        yield illegal, parameters.REDO + parameters.ILLEGAL_PLAY - _ways(again, look) + _oddity(again, fit)


def _roll(account: Hypothesis, look: Look) -> Iterator[Weighted]:
    """account.side throws; he may have played, too, and even lifted his dice, before anybody looked."""
    side = account.side
    assert side is not None
    rolls = tuple(roll for roll in ALL_ROLLS if not (account.opening and roll[0] == roll[1]))
    readable = look.readable_rolls(side)
    for roll in rolls:
        yield _thrown(account, roll, seen=roll in readable), parameters.ROLL + roll_prior(roll)
    for roll, play, prior in look.plays(account.before, side, readable, account.board):
        if play.moves and roll in rolls:
            yield _thrown(account, roll, play.result), parameters.ROLL_AND_PLAY + roll_prior(roll) + prior
    guess = look.differs(account.before) or account.before.own(side)[BAR]
    unseen = look.plays(account.before, side, rolls, account.board) if guess else []
    for roll, play, prior in unseen:
        turn = Turn(side, roll, account.before, play.result, play, roll_seen=False)
        yield account.ended(turn), parameters.UNSEEN_TURN + roll_prior(roll) + prior


def _thrown(account: Hypothesis, roll: Roll, now: Position | None = None, seen: bool = True) -> Hypothesis:
    """account.side has thrown; now: what stands there if he has moved as well."""
    return replace(account, stage=Stage.ROLLED, roll=roll, now=now, roll_seen=seen, fresh=True, last=None)


def _from_rolled(account: Hypothesis, look: Look) -> Iterator[Weighted]:
    side, roll = account.side, account.roll
    assert side is not None
    assert roll is not None
    if account.early or look.early_roll_possible:
        yield replace(account, early=not account.early), parameters.EARLY_ROLL
    if account.now is not None:
        yield replace(account, now=None), parameters.PLAY
    else:
        yield _to_roll_again(account), parameters.TO_ROLL_AGAIN
        for other in look.readable_rolls(side):
            yield replace(account, roll=other, fresh=True), parameters.ANOTHER_ROLL + roll_prior(other)
    plays = look.plays(account.before, side, (roll,), account.board)
    for _, play, prior in plays:
        turn = Turn(side, roll, account.before, play.result, play, account.roll_seen)
        stood = play.result == account.board
        if not stood:
            yield replace(account, now=play.result, early=False), parameters.PLAY + prior
            if look.early_roll_possible:
                yield replace(account, now=play.result, early=True), parameters.PLAY + prior + parameters.EARLY_ROLL
        end = parameters.LIFT if stood else parameters.PLAY_AND_LIFT + prior
        yield account.ended(turn), end
        yield from _next_roll(account.ended(turn), look, end + parameters.END_AND_NEXT_ROLL)
        if stood:
            yield from _next_play(account.ended(turn), look, end + parameters.END_AND_NEXT_ROLL + parameters.NEXT_PLAY)
    yield from _something_else(account, {play.result for _, play, _ in plays}, look)


def _to_roll_again(account: Hypothesis) -> Hypothesis:
    """The dice were taken up before a checker was moved: they did not count."""
    stage = Stage.OPENING if account.opening else Stage.TO_ROLL
    side = None if account.opening else account.side
    cleared = replace(account, stage=stage, side=side, roll=None, opening=False, early=False, fresh=False)
    return replace(cleared, roll_seen=False)


def _something_else(account: Hypothesis, legal: set[Position], look: Look) -> Iterator[Weighted]:
    """No legal play explains the board best: a play is under way, or the turn has ended with an illegal one."""
    assert account.side is not None
    assert account.roll is not None
    if account.now is not None and account.now not in legal:
        yield replace(account, stage=Stage.ILLEGAL, early=False), parameters.LIFT_TOO_EARLY
    ways = _ways(account, look)
    others = dict.fromkeys(look.slips(account.before, account.side, account.roll, account.board), 0.0)
    for fit in {look.fit(account.before, account.board), look.fit(account.before, account.board, lost=0)} - legal:
        others.setdefault(fit, _oddity(account, fit))
    for board, odd in others.items():
        if board not in (account.before, account.board):
            yield replace(account, now=board, early=False), parameters.IN_PROGRESS - ways + odd
            if look.early_roll_possible:
                yield (
                    replace(account, now=board, early=True),
                    parameters.IN_PROGRESS - ways + parameters.EARLY_ROLL + odd,
                )
        yield replace(account, stage=Stage.ILLEGAL, now=board, early=False), parameters.ILLEGAL_PLAY - ways + odd


def _ways(account: Hypothesis, look: Look) -> float:
    """Log of among how many boards the chance of something else than a legal play is shared."""
    assert account.side is not None
    assert account.roll is not None
    return log(max(len(look.setting.plays(account.before, account.side, account.roll)), parameters.FEWEST_WAYS))


def _oddity(account: Hypothesis, board: Position) -> float:
    """Log-prior of a board that a player leaves, legal or not, beside that of any other: what hardly anybody ever does."""
    side = account.side
    assert side is not None
    was, now, own = account.before.own(side.other), board.own(side.other), board.own(side)
    hits = [point for point in range(BAR) if (was[point], now[point]) == (1, 0) and own[BAR - 1 - point]]
    stayed = all(was[point] == now[point] or point in hits for point in range(BAR))
    hit_only = stayed and now[BAR] == was[BAR] + len(hits)
    borne_off = board.off(side) - account.before.off(side)
    doubles = account.roll is not None and account.roll[0] == account.roll[1]
    may = 0 if any(account.before.own(side)[HOME:]) else 4 if doubles else 2
    gone = max(borne_off - may, 0) + board.off(side.other) - account.before.off(side.other)
    far = gone > 0 and sum(account.before.own(side)[HOME:]) > parameters.NEARLY_HOME
    odd = (
        (0.0 if hit_only else parameters.OPPONENT_MOVED)
        + gone * parameters.CHECKER_GONE
        + (parameters.GONE_FROM_AFAR if far else 0.0)
    )
    return odd + (parameters.OWN_PUT_ON_THE_BAR if own[BAR] > account.before.own(side)[BAR] else 0.0)


def _next_roll(account: Hypothesis, look: Look, prior: float) -> Iterator[Weighted]:
    """The opponent has already thrown."""
    if account.stage is not Stage.TO_ROLL:
        return
    assert account.side is not None
    for roll in look.readable_rolls(account.side):
        yield _thrown(account, roll), prior + roll_prior(roll)


def _next_play(account: Hypothesis, look: Look, prior: float) -> Iterator[Weighted]:
    """The opponent has thrown and played, and his dice still lie."""
    if account.stage is not Stage.TO_ROLL:
        return
    assert account.side is not None
    rolls = look.readable_rolls(account.side)
    for roll, play, among in look.plays(account.before, account.side, rolls, account.board):
        if play.moves:
            yield _thrown(account, roll, play.result), prior + roll_prior(roll) + among


def _from_illegal(account: Hypothesis, look: Look) -> Iterator[Weighted]:
    side, roll = account.side, account.roll
    assert side is not None
    assert roll is not None
    plays = look.plays(account.before, side, (roll,), account.board)
    for _, play, prior in plays:
        turn = Turn(side, roll, account.before, play.result, play, account.roll_seen)
        yield account.ended(turn), parameters.PUT_RIGHT + prior
        yield from _next_roll(account.ended(turn), look, parameters.PUT_RIGHT + prior + parameters.END_AND_NEXT_ROLL)
        if play.moves:
            yield replace(account, stage=Stage.ROLLED, now=play.result), parameters.PUT_RIGHT + prior
    yield replace(account, stage=Stage.ROLLED, now=None), parameters.PUT_RIGHT
    fit = look.fit(account.before, account.board)
    if fit not in {account.board, *(play.result for _, play, _ in plays)}:
        yield replace(account, now=fit), parameters.IN_PROGRESS - _ways(account, look) + _oddity(account, fit)
    stood = account.ended(Turn(side, roll, account.before, account.board, None, account.roll_seen))
    yield from _next_roll(stood, look, parameters.LET_STAND)
    follow = _from_over if stood.stage is Stage.OVER else _offer
    for follower, prior in follow(stood, look):
        yield follower, parameters.LET_STAND + prior


def _from_offered(account: Hypothesis, look: Look) -> Iterator[Weighted]:
    assert account.side is not None
    taker = account.side.other
    took = replace(account, stage=Stage.TO_ROLL, cube=account.cube * 2, owner=taker).with_facts(Answer(taker, True))
    yield took, parameters.TAKE
    for rolled, prior in _roll(took, look):
        yield rolled, prior + parameters.TAKE_AND_ROLL - parameters.ROLL
    passed = replace(account, stage=Stage.OVER).with_facts(Answer(taker, False))
    yield passed, parameters.PASS
    for fresh, prior in _from_over(passed, look):
        yield fresh, parameters.PASS + prior


def _from_over(account: Hypothesis, look: Look) -> Iterator[Weighted]:
    yield Hypothesis(Stage.OPENING, look.setting.start, facts=(*account.facts, NewGame())), parameters.NEXT_GAME
