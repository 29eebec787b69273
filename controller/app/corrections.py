"""What a person may put right in a match that is not on: a transcribed one, or an earlier one of the journal."""

from __future__ import annotations

from collections.abc import Sequence

from controller.app.answers import refusing
from controller.referee.command_context import CommandContext
from controller.referee.commands import CommandError, Confirm, Correct, Insert, Redo, Undo
from controller.referee.events import AnyEvent
from controller.referee.history import last_correction
from controller.referee.obey import obey
from controller.referee.state import MatchState

Correction = Confirm | Correct | Insert | Undo | Redo
CORRECTIONS: tuple[type[Correction], ...] = (Confirm, Correct, Insert, Undo, Redo)


def corrected(held: Sequence[AnyEvent], state: MatchState, correction: Correction) -> tuple[AnyEvent, ...]:
    """The events that follow: of what was played nothing is taken back, only of what was put right. held: those that hold; state:
    what they lead to. Raises CommandError."""
    if isinstance(correction, Undo) and last_correction(held) is None:
        raise CommandError("There is nothing to take back.")
    with refusing():
        return obey(CommandContext(held, state), correction, state.seconds)
