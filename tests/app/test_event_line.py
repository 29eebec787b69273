"""What the terminal says about events: words for people, and nothing of how Python writes values."""

from __future__ import annotations

import pytest

from controller.app.event_line import sentence_of
from controller.referee.events import (
    Adjusted,
    AnyEvent,
    ClockSet,
    Exchanged,
    MatchStarted,
    Otherwise,
    Paused,
    Played,
    Rewritten,
    Rolled,
)
from controller.rules import Side

PLAY = Played(
    side=Side.DARK, dice=(3, 2), before="a", after="b", moves=((13, 8),), notation="13/8", legal=True, sure=0.994
)


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (
            MatchStarted(length=7, light="Eva", dark="Jan", rules="match", position="x"),
            "   match  length 7 light Eva dark Jan rules match",
        ),
        (
            MatchStarted(
                length=0, light="Eva", dark="Jan", rules="money", position="x", clock=True, team=("Iva", "Ota")
            ),
            "   match  light Eva dark Jan rules money clock Iva, Ota",
        ),
        (Exchanged(), " colours"),
        (Rolled(side=Side.LIGHT, dice=(3, 1)), "    roll  light 3-1"),
        (PLAY, "    play  dark 3-2 13/8 (sure 0.994)"),
        (
            Played(
                side=Side.DARK,
                dice=(3, 2),
                before="a",
                after="b",
                moves=(),
                notation="",
                legal=False,
                others=(Otherwise((3, 1), "c", 0.2),),
            ),
            "    play  dark 3-2 ILLEGAL",
        ),
        (Adjusted(score=(3, 0)), "     set  3-0"),
        (Adjusted(turn=Side.LIGHT, dice=(3, 1)), "     set  light 3-1"),
        (Paused(on=True), "   pause  begins"),
        (Paused(on=False), "   pause  ends"),
        (ClockSet(running=None), "   clock  stands still"),
        (Rewritten(to=3, given=0, then=(PLAY, Exchanged())), " rewrite play  dark 3-2 13/8 (sure 0.994); colours"),
    ],
)
def test_an_event_in_a_line(event: AnyEvent, line: str) -> None:
    assert sentence_of(event) == line
