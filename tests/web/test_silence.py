"""Viewers of a silent recorder's match see the game and no judgement; operators, and everybody afterwards, see all."""

from __future__ import annotations

import msgspec
import pytest

from tests.web.views import start_view
from web.hub import ViewHub
from web.silence import WITHHELD, silenced
from web.view import MATCH_OVER, PlayView, View

PLAYS = (PlayView(1, "light", (3, 1), "8/5 6/5"), PlayView(2, "dark", (6, 2), "illegal play", legal=False, sure=False))


def shown(role: str, phase: str) -> tuple[PlayView, ...]:
    """What viewers see of these plays."""
    hub = ViewHub()
    audience = silenced(hub)
    view = msgspec.structs.replace(start_view(), plays=PLAYS, role=role, phase=phase, sequence=7)
    assert hub.publish(view)
    latest = audience.latest
    assert latest is not None
    assert latest.sequence == 7
    return msgspec.json.decode(latest.body, type=View).plays


def test_an_illegal_play_is_a_play_like_others_while_a_silent_recorder_keeps_the_match() -> None:
    assert shown("recorder", "to roll") == (PLAYS[0], PlayView(2, "dark", (6, 2), WITHHELD))


@pytest.mark.parametrize(("role", "phase"), [("monitor", "to roll"), ("coach", "to roll"), ("recorder", MATCH_OVER)])
def test_who_speaks_is_heard(role: str, phase: str) -> None:
    assert shown(role, phase) == PLAYS


def test_what_was_there_before_is_shown_and_a_hang_up_reaches_the_audience() -> None:
    hub = ViewHub()
    hub.publish(start_view())
    audience = silenced(hub)
    assert audience.latest == hub.latest
    before = audience.hang_ups
    hub.hang_up()
    assert audience.hang_ups == before + 1
