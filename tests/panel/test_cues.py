"""Which animation plays for what the referee has just written down."""

from __future__ import annotations

import pytest

from controller.panel.cues import cue_of
from controller.panel.plan import Cue
from controller.referee.commands import Beaver, OfferDouble, PlayTurn, Roll, Take
from controller.referee.events import AnyEvent, Doubled, Flagged, GameEnded, GameStarted, Played, Rolled, Skipped, Taken
from controller.referee.session import MatchPlan, Session
from controller.rules import Position, Side, legal_plays, parse_ruleset, position_id

OPENING = Position.of(light={8: 3, 6: 5}, dark={21: 1, 6: 5})
HIT = Position.of(light={8: 2, 4: 1, 6: 5}, dark={25: 1, 6: 5})
QUIET = Position.of(light={8: 2, 5: 1, 6: 5}, dark={21: 1, 6: 5})


def played(after: Position, legal: bool = True) -> Played:
    before, then = (position_id(position, Side.LIGHT) for position in (OPENING, after))
    return Played(side=Side.LIGHT, dice=(4, 1), before=before, after=then, moves=(), notation="", legal=legal)


ROLLED = Rolled(side=Side.DARK, dice=(3, 1))
FLAGGED = Flagged(number=1, code="R13", side=Side.LIGHT, text="")


@pytest.mark.parametrize(
    ("events", "cue"),
    [
        ((), None),
        ((GameStarted(number=1),), None),
        ((ROLLED,), Cue.ROLL),
        ((played(QUIET),), Cue.TURN_DARK),
        ((played(QUIET), ROLLED), Cue.ROLL),
        ((played(HIT), ROLLED), Cue.HIT),
        ((played(HIT, legal=False), FLAGGED), Cue.MISTAKE),
        ((Skipped(side=Side.DARK),), Cue.TURN_LIGHT),
        ((Doubled(side=Side.LIGHT, value=2),), Cue.OFFERED),
        ((Taken(side=Side.DARK),), Cue.TURN_LIGHT),
        ((played(QUIET), GameEnded(winner=Side.DARK, level=1, points=2)), Cue.WON_DARK),
        ((GameEnded(winner=Side.LIGHT, level=2, points=4),), Cue.WON_LIGHT),
    ],
)
def test_the_cue_is_the_weightiest_of_what_happened(events: tuple[AnyEvent, ...], cue: Cue | None) -> None:
    assert cue_of(events, Side.LIGHT) is cue


def test_who_takes_a_beaver_is_on_roll_himself() -> None:
    session = Session(MatchPlan(parse_ruleset("money", ["cube.beavers=2"]), 0, ("Ada", "Bob")), "bottom-right")
    session.command(Roll(dice=(3, 1), side=Side.LIGHT), 1.0)
    turn = session.state.to_play
    assert turn is not None
    play = legal_plays(turn.before, turn.side, turn.dice, session.state.ruleset)[0]
    session.command(PlayTurn(after=position_id(play.result, Side.LIGHT)), 2.0)
    commands = (OfferDouble(), Beaver(), Take())
    cues = [cue_of(session.command(command, 3.0), session.state.turn) for command in commands]
    assert cues == [Cue.OFFERED, Cue.OFFERED, Cue.TURN_DARK]
    assert session.state.turn is Side.DARK
