"""The turn machine is one table: the docs draw it, and no match that is written down leaves it."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.referee.turns import STEPS, Phase, Trigger, diagram, into, may

DOCS = Path(__file__).parents[2] / "docs" / "referee.md"


def test_the_docs_show_the_table_that_the_code_follows() -> None:
    assert f"```mermaid\n{diagram()}\n```" in DOCS.read_text("utf-8")


def test_every_trigger_has_one_row() -> None:
    assert [step.trigger for step in STEPS] == list(Trigger)


def test_every_phase_can_be_reached_and_all_but_the_last_left() -> None:
    reached, left = {step.into for step in STEPS}, {phase for step in STEPS for phase in step.out_of}
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
