"""What the referee looks out for while a turn goes on: each watch raises a flag when it is sure, and says how it ended.

Everything here is about what lies on the board at this moment; what is said of ended turns stands in decide.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from controller.referee.events import AnyEvent, Flagged, Found, How, Played, Resolved, Why
from controller.referee.judging import OFFER_CODES, PLAY_CODES, flag
from controller.referee.policies import of_a_play, of_an_early_roll
from controller.referee.state import Flag, MatchState, Phase
from controller.rules import BAR, Position, Side
from controller.rules.codes import Code, Wording
from controller.tracking.belief import Belief
from controller.tracking.best_fit import best_fit
from controller.tracking.evidence import Evidence
from controller.tracking.found import is_set_up
from controller.tracking.hypothesis import GameFound, Hypothesis, Illegal, Stage, Turn
from controller.tracking.orientation import columns_of, right_half_is_right
from controller.tracking.setting import Setting
from vision.observation import MAX_COUNT

SAY = 0.9
"""Share of the belief that must agree before the referee says anything to people."""

SAY_ILLEGAL = 0.5
"""The same for an illegal play, however it is illegal. A false one does less harm than one that is missed: the players see at
once whether it is so, and nobody finds an illegal play that was passed over. With this share 670 of 681 are flagged, and one turn
in 14,748 falsely."""

SAY_LOST = 0.5
"""Share of the belief that what stands does not follow from what is written for it to be told: nobody is accused of anything."""

LOOKED = 1.4
"""Moments of looking (see Evidence) before an odd die, an odd set-up or a checker that lies nowhere is spoken of: it may be in
somebody's hand, and one checker alone on its point is what a single look misses most."""

LEANT = 2.2
"""Moments before a die is said to lean, or dice to be lifted with nothing played: what is read wrongly at first is often read
rightly at the third look."""

SETTLED = 3.0
"""Moments before the cube is spoken of: it is set down last."""

ODD_SETUP = 12.0
"""Nats by which another position must explain the board better than the start position does."""

ODD_CUBE = 6.0
"""Nats by which another state of the cube must explain it better: its face and its place both speak against the right one
(each alone is worth 5.3 and 2.9, docs/tracking.md)."""

OVER_THE_BAR = 0.1
"""Board widths from the middle: a die nearer to it lies on or at the bar, which may overhang either half."""


@dataclass(frozen=True)
class AtRest:
    """A still look at the board: the match before it, what is believed after it, and what was seen. seconds: of its frame."""

    state: MatchState
    belief: Belief
    evidence: Evidence
    seconds: float


Watch = Callable[[AtRest], Iterator[AnyEvent]]


def illegal_play(now: AtRest) -> Iterator[AnyEvent]:
    """R05-R12: the dice are lifted, and what stands is no legal play, or checkers were moved since."""
    state, belief, seconds = now.state, now.belief, now.seconds
    best = belief.best
    if best.facts:
        return
    if not isinstance(best.turn, Illegal):
        moved = [one for one in state.standing if any(why.code == Wording.MOVED_SINCE for why in one.reasons)]
        if moved and belief.share_of("side") >= SAY:
            yield _put_right(moved, seconds)
        return
    throw = best.turn.throw
    if belief.share_of("side") < SAY_ILLEGAL or _standing(state, PLAY_CODES):  # however it is illegal
        return
    if _may_change_it(state, throw.side):
        return
    if best.board == best.before and now.evidence.moments < LEANT:  # the dice may only be hidden
        return
    since = _differing(state.position, best.board, throw.side) if throw.redo else ""
    if since:  # the turn was legal, and is written
        yield flag(state, Code.NOT_THE_ROLL, throw.side, seconds, Why(Wording.MOVED_SINCE, {"points": since}))
        return
    wrong = of_a_play(state, Turn(throw.side, throw.roll, best.before, best.board, None, throw.seen), seconds)
    if wrong.code != Code.WRONG_NUMBER_OF_CHECKERS or now.evidence.moments >= LOOKED:
        yield wrong


def _may_change_it(state: MatchState, side: Side) -> bool:
    """Whether that side's turn goes on with its dice lifted, because only the clock ends it and it has not hit it."""
    clock = state.clock
    return state.ruleset.turn.end == "clock" and clock is not None and clock.on and clock.running is side


def early_roll(now: AtRest) -> Iterator[AnyEvent]:
    """R04: the opponent has thrown before the turn ended."""
    state, belief, seconds = now.state, now.belief, now.seconds
    best = belief.best
    standing = _standing(state, {Code.ROLLED_EARLY})
    if best.stage is Stage.THROWN and best.early and best.side is not None:
        if not standing and belief.share_of("side", "early") >= SAY:
            yield flag(state, Code.ROLLED_EARLY, best.side.other, seconds, *of_an_early_roll(best.side, state.ruleset))
    elif standing and belief.share_of("side", "early") >= SAY:
        rolled_on = best.stage is Stage.THROWN and best.side is standing[0].side
        yield Resolved(number=standing[0].number, how="stands" if rolled_on else "put right", seconds=seconds)


def leaning_die(now: AtRest) -> Iterator[AnyEvent]:
    """R01, R03: a die does not lie flat, or lies on a checker where that does not count. Beside two that lie flat it is
    none of the roll, or no die."""
    state, belief, evidence, seconds = now.state, now.belief, now.evidence, now.seconds
    standing = _standing(state, {Code.DIE_NOT_FLAT, Code.DIE_ON_CHECKER})
    flat = len(evidence.dice)
    if flat < 2 <= flat + len(evidence.unflat) and not standing and evidence.moments >= LEANT:
        on_checker = any(die.rest == "on a checker" for die in evidence.unflat)
        yield flag(state, Code.DIE_ON_CHECKER if on_checker else Code.DIE_NOT_FLAT, belief.best.side, seconds)
    elif standing and flat >= 2:
        yield _put_right(standing, seconds)


def stray_die(now: AtRest) -> Iterator[AnyEvent]:
    """R02: of the two dice just thrown one lies in the other half. Two there may be the opponent's, set down for later."""
    state, belief, evidence, seconds = now.state, now.belief, now.evidence, now.seconds
    best, dice = belief.best, state.ruleset.dice
    if dice.landing != "right-half" or dice.baffle:
        return
    standing = _standing(state, {Code.DIE_OUTSIDE})
    side = best.side if _has_just_thrown(best) else None
    apart = side is not None and _is_apart(evidence, side)
    if apart and not standing and evidence.moments >= LOOKED:
        if sum(p for one, p in belief.hypotheses if one.side is side and _has_just_thrown(one)) >= SAY:
            yield flag(state, Code.DIE_OUTSIDE, side, seconds)
    elif standing and not apart and (len(evidence.dice) != 1 or evidence.moments >= LOOKED):
        yield _put_right(standing, seconds)


def others_dice(now: AtRest) -> Iterator[AnyEvent]:
    """R45: each player has a pair of dice of his own, and those just thrown are not of whoever is on roll."""
    state, belief, evidence, seconds = now.state, now.belief, now.evidence, now.seconds
    if not state.ruleset.equipment.dice_by_colour:
        return
    best, standing = belief.best, _standing(state, {Code.OTHERS_DICE})
    side = best.side if best.stage is Stage.THROWN and not (best.early or best.facts) else None
    wrong = side is not None and _are_of(evidence, side.other)
    if standing and side is standing[0].side and not wrong and evidence.moments >= LOOKED and len(evidence.dice) == 2:
        yield _put_right(standing, seconds)
    elif standing and side is not None and side is not standing[0].side:
        yield Resolved(number=standing[0].number, how="stands", seconds=seconds)
    elif wrong and side is not None and not standing and evidence.moments >= LOOKED and belief.share_of("side") >= SAY:
        yield flag(state, Code.OTHERS_DICE, side, seconds, Why(Code.OTHERS_DICE, {"side": side.value}))


def _are_of(evidence: Evidence, side: Side) -> bool:
    """Two flat dice lie there, both plainly of that side's pair."""
    own = [die.pale if side is Side.LIGHT else 1 - die.pale for die in evidence.dice]
    return len(own) == 2 and min(own) >= SAY


def _has_just_thrown(hypothesis: Hypothesis) -> bool:
    """It is somebody's turn, not the opening, and dice that lie there were thrown for it: no checker has moved since."""
    waiting = hypothesis.stage in (Stage.TO_ROLL, Stage.THROWN)
    return waiting and not (hypothesis.opening or hypothesis.early or hypothesis.facts or hypothesis.now)


def _is_apart(evidence: Evidence, side: Side) -> bool:
    """Two flat dice lie there, one of them plainly in that side's left half."""
    if len(evidence.dice) != 2 or evidence.unflat:
        return False
    sign = 1.0 if right_half_is_right(side, evidence.light_home) else -1.0
    low, high = sorted(sign * (die.at[0] - 0.5) for die in evidence.dice)
    return low < -OVER_THE_BAR and high > OVER_THE_BAR


def odd_setup(now: AtRest) -> Iterator[AnyEvent]:
    """R13: the checkers are set up wrongly. It can be put right until the set roll of the game; then it stands."""
    state, belief, evidence, seconds = now.state, now.belief, now.evidence, now.seconds
    best = belief.best
    standing = _standing(state, {Code.WRONG_SET_UP})
    if evidence.moments < LOOKED or (best.facts and not isinstance(best.facts[0], GameFound)):
        return
    if best.stage is Stage.OPENING or _waits_for_a_game(state):
        yield from _odd_before_a_game(now, standing)
    elif standing and _better_than(best.board, evidence) is None and not _is_found(state):
        yield _put_right(standing, seconds)
    elif standing and (_is_found(state) or _rolls(state) >= state.ruleset.setup.correct_until_roll):
        yield Resolved(number=standing[0].number, how="stands", seconds=seconds)


def _odd_before_a_game(now: AtRest, standing: list[Flag]) -> Iterator[AnyEvent]:
    """The same while no game has begun: it is told, or has been put right."""
    state, evidence = now.state, now.evidence
    other = _better_than(state.start, evidence)
    if other is None:
        if standing:
            yield _put_right(standing, now.seconds)
    elif not standing and (now.belief.best.stage is Stage.OPENING or _is_set_up_wrong(state, other, evidence)):
        points = _differing(state.start, other)
        yield flag(state, Code.WRONG_SET_UP, None, now.seconds, Why(Code.WRONG_SET_UP, {"points": points}))


def _is_found(state: MatchState) -> bool:
    """The game goes on from what was found to stand there."""
    return bool(state.turns) and isinstance(state.turns[0], Found)


def _waits_for_a_game(state: MatchState) -> bool:
    """No game has been begun, as far as anybody has seen: the last one is over, or what stands was found before anybody threw, and
    nobody has said so."""
    found = state.phase is Phase.FOUND and _is_found(state) and not _has_played(state)
    return found or state.phase in (Phase.OPENING, Phase.GAME_OVER)


def _has_played(state: MatchState) -> bool:
    return any(isinstance(line, Played) for line in state.turns)


def _is_set_up_wrong(state: MatchState, stands: Position, evidence: Evidence) -> bool:
    """That is plain, nobody has thrown, and it is the start position but for checkers that no first play moves."""
    plain = evidence.columns.argmax(axis=1) - MAX_COUNT == columns_of([stands], evidence.light_home)[0]
    thrown = evidence.dice or evidence.unflat
    return bool(plain.all()) and not thrown and is_set_up(stands, Setting(state.ruleset, state.start))


def _rolls(state: MatchState) -> int:
    return len(state.turns) + (state.phase is Phase.TO_PLAY)


def _better_than(start: Position, evidence: Evidence) -> Position | None:
    """The position that explains the board much better than the start position does, if one does."""
    off = start.off(Side.LIGHT), start.off(Side.DARK)
    fit = best_fit(evidence, off, start.checkers)
    scores = evidence.of_positions([start, fit])
    return fit if scores[1] - scores[0] > ODD_SETUP else None


def _differing(one: Position, other: Position, side: Side = Side.LIGHT) -> str:
    """That side's numbers of the points on which two positions differ, for a sentence."""
    differ = [point for point, (a, b) in enumerate(zip(one.signed(), other.signed(), strict=True), 1) if a != b]
    return ", ".join(map(str, differ if side is Side.LIGHT else sorted(BAR - point for point in differ)))


_WRONG_OFFERS = OFFER_CODES | {Code.DOUBLED_IN_CRAWFORD_GAME, Code.DOUBLED_AFTER_ROLL, Code.NOT_CUBE_OWNER}


def offered_cube(now: AtRest) -> Iterator[AnyEvent]:
    """R14-R16, R34: the cube is turned and put on the board where it may not be offered. What is said of an offer that is written
    ends with its answer."""
    state, belief, evidence, seconds = now.state, now.belief, now.evidence, now.seconds
    standing = _standing(state, _WRONG_OFFERS)
    if state.phase is Phase.OFFERED:
        return
    if not state.ruleset.cube.enabled or state.own_cubes or not evidence.cube_plain or belief.best.facts:
        return
    if belief.best.cube_about:
        return  # it lies where somebody left it before this game
    offered = evidence.of_offered_cube(state.cube * 2) - evidence.of_cube(state.cube, state.owner)
    if standing and offered < 0:
        yield _put_right(standing, seconds)
    elif not standing and offered > ODD_CUBE and evidence.moments >= LOOKED:
        yield from _wrong_offer(now)


def _wrong_offer(now: AtRest) -> Iterator[Flagged]:
    state, belief, seconds = now.state, now.belief, now.seconds
    best, side = belief.best, state.turn
    if state.phase not in (Phase.TO_ROLL, Phase.TO_PLAY) or side is None:
        return
    if state.score.crawford:
        yield flag(state, Code.DOUBLED_IN_CRAWFORD_GAME, side if state.phase is Phase.TO_ROLL else None, seconds)
    elif state.score.length == 1:
        why = Why(Code.DEAD_CUBE, {"side": side.value})
        yield flag(state, Code.DEAD_CUBE, side if state.phase is Phase.TO_ROLL else None, seconds, why)
    elif best.stage is Stage.THROWN and best.now in (None, best.before) and belief.share_of("side", "roll") >= SAY:
        # Once the play is made, the opponent may be offering while the dice still lie.
        yield flag(state, Code.DOUBLED_AFTER_ROLL, side, seconds)
    elif best.stage is Stage.TO_ROLL and state.owner is side.other:
        yield flag(state, Code.NOT_CUBE_OWNER, side, seconds, Why(Code.NOT_CUBE_OWNER, {"side": side.other.value}))


def _first_to_play(state: MatchState) -> Side | None:
    """Whose turn is, or was, the first that was seen of the game."""
    return state.turn if not state.turns else None if isinstance(state.turns[0], Found) else state.turns[0].side


def wrong_starter(now: AtRest) -> Iterator[AnyEvent]:
    """R43: the first roll of the game is not by whom the draw lets begin."""
    state, standing = now.state, _standing(now.state, {Code.OTHER_SIDE_BEGINS})
    starter, first = state.starter if state.draws else None, _first_to_play(state)
    wrong = starter is not None and first is not None and first is not starter
    if standing and not wrong:
        yield _put_right(standing, now.seconds)
    elif standing and state.turns:
        yield Resolved(number=standing[0].number, how="stands", seconds=now.seconds)
    elif wrong and starter is not None and not standing and not state.turns:
        why = Why(Code.OTHER_SIDE_BEGINS, {"side": starter.value})
        yield flag(state, Code.OTHER_SIDE_BEGINS, first, now.seconds, why)


def cube_before_the_game(now: AtRest) -> Iterator[AnyEvent]:
    """R17: a game is about to begin, and the cube does not lie in the middle on 64, or on what the draw has doubled it to; or it
    has begun over it, which is written down: a start of the program can't tell such a cube from one that was taken."""
    state, belief, evidence, seconds = now.state, now.belief, now.evidence, now.seconds
    standing = _standing(state, {Code.CUBE_NOT_CENTRED})
    centred = max(evidence.of_cube(1, None), evidence.of_cube(state.cube, None))
    if standing and (belief.best.stage is not Stage.OPENING or centred > -ODD_CUBE):
        how: How = "put right" if centred > -ODD_CUBE else "stands"
        yield Resolved(number=standing[0].number, how=how, seconds=seconds)
        return
    waits = state.phase is Phase.OPENING
    wanted = state.cube_on_board and (waits or _has_begun_over_it(state, belief))
    if not wanted or standing or not evidence.cube_plain or evidence.moments < (SETTLED if waits else LOOKED):
        return
    others = max(evidence.of_cube(1 << power, side) for power in range(1, 7) for side in Side)
    if others - centred > ODD_CUBE:
        yield flag(state, Code.CUBE_NOT_CENTRED, None, seconds)
        if not waits:
            yield Resolved(number=state.next_flag, how="stands", seconds=seconds)


def _has_begun_over_it(state: MatchState, belief: Belief) -> bool:
    """The game goes on over a cube that somebody left elsewhere before it, and nothing was said of that."""
    said = any(one.code == Code.CUBE_NOT_CENTRED for one in state.flags[state.flags_before :])
    playing = state.phase in (Phase.TO_ROLL, Phase.TO_PLAY)
    return playing and not said and sum(share for one, share in belief.hypotheses if one.cube_about) >= SAY


def track_lost(now: AtRest) -> Iterator[AnyEvent]:
    """R44: what stands does not follow from what is written down; it is told at once, and until the game is found again."""
    state, belief, seconds = now.state, now.belief, now.seconds
    standing = _standing(state, {Code.TRACK_LOST})
    lost = sum(p for one, p in belief.hypotheses if _is_lost(one))
    if standing and lost < SAY_LOST:
        yield _put_right(standing, seconds)
    elif not standing and lost >= SAY_LOST and state.turns:
        yield flag(state, Code.TRACK_LOST, None, seconds)


def _is_lost(hypothesis: Hypothesis) -> bool:
    """It does not go on from what is written down, or not surely: the game was found elsewhere, and that is not written yet."""
    return hypothesis.stage in (Stage.LOST, Stage.UNDER_WAY) or any(
        isinstance(one, GameFound) for one in hypothesis.facts
    )


def _put_right(standing: list[Flag], seconds: float) -> Resolved:
    return Resolved(number=standing[0].number, how="put right", seconds=seconds)


def _standing(state: MatchState, codes: frozenset[str] | set[str]) -> list[Flag]:
    return [one for one in state.standing if one.code in codes]


WATCHES: tuple[Watch, ...] = (
    illegal_play,
    early_roll,
    leaning_die,
    stray_die,
    others_dice,
    odd_setup,
    wrong_starter,
    offered_cube,
    cube_before_the_game,
    track_lost,
)
