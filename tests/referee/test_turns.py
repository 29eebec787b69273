"""The turn machine is one table: the docs draw it, and no match that is written down leaves it."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.app.match_journal import BOARD
from controller.app.referee import Outlets, Referee
from controller.app.table import Table
from controller.panel.virtual import VirtualPanel
from controller.record.journal import Journal, NewEvent
from controller.referee.commands import Roll
from controller.referee.decide import decide
from controller.referee.events import (
    VERSION,
    Adjusted,
    AnyEvent,
    Doubled,
    GameEnded,
    Rolled,
    Skipped,
    encode,
    kind,
)
from controller.referee.folding import OutOfTurnError, apply, fold, out_of_turn
from controller.referee.session import MatchPlan
from controller.referee.turns import STEPS, Phase, Trigger, diagram, into, may
from controller.rules import MATCH, Position, Side, position_id
from controller.tracking.belief import Belief
from controller.tracking.hypothesis import Hypothesis, Over, Skip
from controller.tracking.tracker import SettledFact
from web.hub import ViewHub

START = position_id(Position.start(), Side.LIGHT)
DOCS = Path(__file__).parents[2] / "docs" / "referee.md"


def test_the_docs_show_the_table_that_the_code_follows() -> None:
    assert f"```mermaid\n{diagram()}\n```" in DOCS.read_text("utf-8")


def test_every_trigger_has_one_row() -> None:
    assert [step.trigger for step in STEPS] == list(Trigger)


def test_every_phase_can_be_reached_and_all_but_the_last_left() -> None:
    reached = {step.into for step in STEPS if step.into}
    left = {phase for step in STEPS if step.into for phase in step.out_of}
    assert reached == set(Phase) - {Phase.SET_UP}
    assert left == set(Phase) - {Phase.MATCH_OVER}


@pytest.mark.parametrize(
    ("phase", "trigger", "allowed"),
    [
        (Phase.TO_ROLL, Trigger.DOUBLED, True),
        (Phase.TO_PLAY, Trigger.DOUBLED, False),
        (Phase.OFFERED, Trigger.ROLLED, False),
        (Phase.MATCH_OVER, Trigger.GAME_BEGUN, False),
    ],
)
def test_what_may_happen_when(phase: Phase, trigger: Trigger, allowed: bool) -> None:
    assert may(phase, trigger) is allowed
    assert into(Trigger.TAKEN) is Phase.TO_ROLL


BEGUN = MatchPlan(MATCH, 3, ("Jana", "Petr")).begun()
ROLLED = Rolled(side=Side.LIGHT, dice=(3, 1))
DOUBLED = Doubled(side=Side.LIGHT, value=2)
ENDED = GameEnded(winner=Side.LIGHT, level=1, points=1, ending="resigned")


@pytest.mark.parametrize(
    ("events", "phase"),
    [
        ((*BEGUN, DOUBLED), Phase.OPENING),
        ((*BEGUN, ROLLED, DOUBLED), Phase.TO_PLAY),
        ((*BEGUN, ROLLED, Skipped(side=Side.LIGHT)), Phase.TO_PLAY),
        ((*BEGUN, Adjusted(turn=Side.LIGHT, position=START), DOUBLED, ROLLED), Phase.OFFERED),
        ((*BEGUN, Adjusted(turn=Side.LIGHT, position=START), DOUBLED, ENDED), Phase.OFFERED),
        ((*BEGUN, ROLLED, ENDED, Adjusted(cube=2, owner=Side.LIGHT)), Phase.GAME_OVER),
        ((*BEGUN, *BEGUN), Phase.OPENING),
    ],
)
def test_nothing_new_is_applied_that_the_table_does_not_allow_and_what_is_written_is_kept(
    events: tuple[AnyEvent, ...], phase: Phase
) -> None:
    odd = len(events) - 1 if events[-1] is not BEGUN[-1] else 2
    state = fold(events[:odd])
    assert (state.phase, out_of_turn(events[:odd])) == (phase, ())
    with pytest.raises(OutOfTurnError, match=f"while the match is at '{phase.value}'"):
        apply(state, events[odd])
    kept = fold(events)
    assert kept.events == len(events)
    (sentence, *_) = out_of_turn(events)
    assert sentence.startswith(f"Event {odd + 1}: ")


def test_a_journal_with_an_odd_event_is_gone_on_with_and_the_event_told(tmp_path: Path) -> None:
    told: list[str] = []
    with Journal(tmp_path / "j.db") as journal:
        odd = (*BEGUN, ROLLED, Skipped(side=Side.LIGHT))
        journal.append_all([NewEvent(kind(e), VERSION, encode(e), BOARD, "one", 1) for e in odd])
        table = Table(MatchPlan(MATCH, 3), None, "bottom-right")
        referee = Referee(table, journal, Outlets(ViewHub(), VirtualPanel(), told.append))
        assert (referee.state.phase, referee.state.turn) == (Phase.TO_ROLL, Side.DARK)
        assert [sentence for sentence in told if "does not follow" in sentence] == [
            "Event 4: 'skip' does not follow while the match is at 'to play'. It is kept as it was written."
        ]
        referee.obey(Roll(dice=(6, 2)))
        assert referee.state.dice == (6, 2)


def test_a_fact_of_the_tracker_that_the_phase_does_not_allow_is_not_written_and_it_begins_again() -> None:
    state = fold((*BEGUN, ROLLED, ENDED))
    belief = Belief(((Hypothesis(Over(), state.position), 1.0),))
    decision = decide(state, (SettledFact(Skip(Side.DARK), 1.0), SettledFact(Skip(Side.LIGHT), 1.0)), belief, 9.0)
    assert (decision.events, decision.overtaken, decision.state) == ((), True, state)
