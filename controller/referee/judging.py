"""A turn as an event, and what the referee says about it: whether a camera saw it, a person said it, or a correction replays it."""

from __future__ import annotations

from collections.abc import Iterable

from controller.referee.events import AnyEvent, Flagged, GameEnded, How, Played, Resolved, Why
from controller.referee.folding import apply_recorded
from controller.referee.phrases import sentence
from controller.referee.state import Flag, MatchState
from controller.rules import Position, Reason, Side, format_play, game_result, judge, position_id
from controller.rules.codes import Code, Wording
from controller.tracking.hypothesis import Turn

PLAY_CODES = frozenset(
    {
        Code.NOT_THE_ROLL,
        Code.BOTH_DICE_PLAYABLE,
        Code.LARGER_DIE,
        Code.BAR_FIRST,
        Code.BLOCKED_POINT,
        Code.HIT_CHECKER_NOT_ON_BAR,
        Code.BORE_OFF_EARLY,
        Code.WRONG_NUMBER_OF_CHECKERS,
        Code.CHECKER_FURTHER_BACK,
        Code.OTHER_SIDE_MOVED,
        Code.TOO_MANY_ON_POINT,
    }
)
"""What judge() may say of a play."""


OFFER_CODES = frozenset({Code.CUBE_LIMIT, Code.DEAD_CUBE, Code.NO_BEAVER, Code.NO_RACCOON})
"""What may be said of an offer that is written down."""

LONGEST_TURN = 3600.0
"""Seconds. Longer, or negative, and the program was started anew meanwhile: nobody knows how long the turn took."""


def flag(state: MatchState, code: str, side: Side | None, seconds: float, *reasons: Why) -> Flagged:
    """The next flag. reasons: what its sentence is made of, else the code alone."""
    reasons = reasons or (Why(code),)
    text = sentence(reasons, names={one: state.name(one) for one in Side})
    return Flagged(number=state.next_flag, code=code, side=side, text=text, reasons=reasons, seconds=seconds)


def why(reason: Reason) -> Why:
    """A reason of the rules as an event keeps it."""
    return Why(reason.code, {name: v.value if isinstance(v, Side) else v for name, v in reason.params})


def illegal(state: MatchState, turn: Turn, seconds: float, *more: Why) -> Flagged:
    """What is wrong with a play: the first reason gives the code, the text has them all, and what there is more to say."""
    reasons = judge(turn.before, turn.side, turn.roll, turn.after, state.ruleset).reasons
    return flag(state, reasons[0].code, turn.side, seconds, *map(why, reasons), *more)


def standing_plays(state: MatchState, side: Side) -> list[Flag]:
    """The flags of that side's play to which nobody has answered yet."""
    return [one for one in state.standing if one.code in PLAY_CODES and one.side is side]


def answered_plays(state: MatchState, how: How, seconds: float) -> tuple[Resolved, ...]:
    """How what was said of plays has ended that cannot be judged any more."""
    said = (one for one in state.standing if one.code in PLAY_CODES)
    return tuple(Resolved(number=one.number, how=how, seconds=seconds) for one in said)


def asked_of(flags: Iterable[Flag], turn: int) -> list[Flag]:
    """Those that ask whether that line of a game was so: it is asked when it is a line already."""
    return [
        one
        for one in flags
        if one.code == Code.READING_UNCERTAIN and one.turn == turn + 1 and not asks_for_the_end(one)
    ]


def asks_for_the_end(flag: Flag) -> bool:
    """Whether it asks how a game ended of which nobody saw it."""
    return any(why.code == Wording.GAME_UNENDED for why in flag.reasons)


def answered_offers(state: MatchState, how: How, seconds: float) -> tuple[Resolved, ...]:
    """How what was said of the offered cube has ended."""
    said = (one for one in state.standing if one.code in OFFER_CODES)
    return tuple(Resolved(number=one.number, how=how, seconds=seconds) for one in said)


def played(state: MatchState, turn: Turn, seconds: float, *, by_hand: bool = False, redo: bool = False) -> Played:
    """A turn that ended, beyond doubt. by_hand, redo: as in Played."""
    until = seconds if state.paused_at is None else state.paused_at
    play, took = turn.play, None if state.since is None else round(until - state.since, 2)
    return Played(
        side=turn.side,
        dice=turn.roll,
        before=position_id(turn.before, Side.LIGHT),
        after=position_id(turn.after, Side.LIGHT),
        moves=tuple((move.source, move.target) for move in play.moves) if play else (),
        notation=format_play(play) if play else "",
        legal=play is not None,
        roll_seen=turn.roll_seen,
        redo=redo,
        took=took if took is not None and 0 <= took <= LONGEST_TURN else None,
        by_hand=by_hand,
        lifted=turn.lifted,
        half=turn.landing.half if turn.landing else None,
        seconds=seconds,
    )


def won(state: MatchState, side: Side, after: Position, seconds: float) -> tuple[GameEnded, ...]:
    """The end of the game, if that side's last checker is off."""
    if any(after.own(side)):
        return ()
    result = game_result(after, side, state.cube, state.ruleset, owned=state.owner is not None)
    return (GameEnded(winner=side, level=result.level, points=result.points, seconds=seconds),)


def noted(state: MatchState, side: Side, seconds: float) -> Flagged:
    """That an illegal play of that side stands, and since when by the rules nothing can be done about it."""
    lifted = state.ruleset.illegal.window == "until-dice-lifted"
    return flag(state, Code.ILLEGAL_PLAY_STANDS, side, seconds, *([Why(Wording.STANDS_SINCE_LIFTED)] if lifted else []))


def stands(state: MatchState, before: Position, turn: Played, after: Position) -> tuple[AnyEvent, ...]:
    """An illegal play that stands: what is wrong with it, the turn, and that it is noted."""
    wrong = illegal(state, Turn(turn.side, turn.dice, before, after, None, turn.roll_seen), turn.seconds)
    state = apply_recorded(apply_recorded(state, wrong), turn)
    note = noted(state, turn.side, turn.seconds)
    ends = (Resolved(number=number, how="stands", seconds=turn.seconds) for number in (wrong.number, note.number))
    first, second = ends
    return (wrong, turn, first, note, second)
