"""What a hub has for a board to be played next."""

from __future__ import annotations

from controller.record.wire import PlannedMatch
from controller.referee.commands import NewMatch
from controller.referee.state import MatchState


def is_on(planned: NewMatch | PlannedMatch, state: MatchState) -> bool:
    """Whether that match is the one that is played, or has just been."""
    return (state.event, state.round, set(state.names)) == (planned.event, planned.round, {planned.light, planned.dark})
