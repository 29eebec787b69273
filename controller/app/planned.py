"""What a hub has for a board to be played next."""

from __future__ import annotations

from collections.abc import Sequence

from controller.record.wire import PlannedMatch
from controller.referee.commands import NewMatch
from controller.referee.events import AnyEvent, MatchStarted
from controller.referee.names import UNNAMED, printable
from controller.referee.state import MatchState


def is_on(planned: NewMatch | PlannedMatch, state: MatchState, held: Sequence[AnyEvent] = ()) -> bool:
    """Whether that match is the one that is played, or has just been: its words as they are written down when it begins.

    held: the match's events that hold, which tell what its players were called before somebody named them otherwise."""
    light, dark = UNNAMED
    wanted = {printable(planned.light) or light, printable(planned.dark) or dark}
    names = [set(state.names), *({one.light, one.dark} for one in held[:1] if isinstance(one, MatchStarted))]
    of_it = (state.event, state.round) == (printable(planned.event), printable(planned.round))
    return of_it and wanted in names
