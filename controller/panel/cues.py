"""Which animation the panel plays for what has just happened. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from controller.panel.plan import Cue
from controller.referee.events import (
    AnyEvent,
    Beavered,
    Doubled,
    Flagged,
    GameEnded,
    Played,
    Raccooned,
    Rolled,
    Skipped,
    Taken,
)
from controller.rules import BAR_INDEX, Side, position_from_id

# Of several events at once, the one that players would ask about first.
_ORDER = (Cue.WON_LIGHT, Cue.WON_DARK, Cue.OFFERED, Cue.MISTAKE, Cue.HIT, Cue.ROLL, Cue.TURN_LIGHT, Cue.TURN_DARK)


def cue_of(events: Iterable[AnyEvent], turn: Side | None) -> Cue | None:
    """The one animation for events that became certain together; None where none of them has one. turn: who is on roll after them.

    The caller counts: PanelState.cue_number goes up by one with every cue.
    """
    found = {cue for event in events if (cue := _cue(event, turn)) is not None}
    return next((cue for cue in _ORDER if cue in found), None)


def _cue(event: AnyEvent, turn: Side | None) -> Cue | None:
    match event:
        case Rolled():
            return Cue.ROLL
        case Played(side=side):
            return Cue.HIT if _hits(event) else _turn(side.other)
        case Skipped(side=side):
            return _turn(side.other)
        case Taken() if turn is not None:  # Whoever doubled first: who takes a beaver is on roll himself.
            return _turn(turn)
        case Doubled() | Beavered() | Raccooned():
            return Cue.OFFERED
        case Flagged():
            return Cue.MISTAKE
        case GameEnded(winner=winner):
            return Cue.WON_LIGHT if winner is Side.LIGHT else Cue.WON_DARK
    return None


def _turn(side: Side) -> Cue:
    return Cue.TURN_LIGHT if side is Side.LIGHT else Cue.TURN_DARK


def _hits(event: Played) -> bool:
    """Whether the other side has more checkers on the bar than before; the notation of an illegal play is empty."""
    before, after = (position_from_id(text, Side.LIGHT).own(event.side.other) for text in (event.before, event.after))
    return after[BAR_INDEX] > before[BAR_INDEX]
