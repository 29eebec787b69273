"""The turn machine, written once: in which phase what may happen, and which phase follows. docs/referee.md draws it.

The state follows it (state.py), people's commands are refused by it (obey.py), and diagram() is what the docs show.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Phase(Enum):
    """Where a match stands between two events."""

    SET_UP = "set up"  # nothing is known yet
    OPENING = "opening"  # waiting for the opening roll
    TO_ROLL = "to roll"
    TO_PLAY = "to play"
    OFFERED = "cube offered"
    GAME_OVER = "game over"
    MATCH_OVER = "match over"


class Trigger(Enum):
    """What carries a match on; the value says how it comes about."""

    MATCH_BEGUN = "match begun"
    GAME_BEGUN = "checkers set up"
    ROLLED = "dice seen at rest"
    TURN_ENDED = "dice lifted, clock hit or next roll"
    SKIPPED = "closed out, no roll"
    DOUBLED = "cube turned and put on the board"
    TAKEN = "cube taken"
    PASSED = "cube refused"
    GAME_WON = "last checker off, cube refused or resigned"
    MATCH_WON = "the same at the last point"


@dataclass(frozen=True)
class Step:
    """One row of the table."""

    trigger: Trigger
    out_of: tuple[Phase, ...]
    into: Phase


STEPS = (
    Step(Trigger.MATCH_BEGUN, (Phase.SET_UP,), Phase.OPENING),
    Step(Trigger.GAME_BEGUN, (Phase.OPENING, Phase.GAME_OVER), Phase.OPENING),
    # A roll may be thrown or read again; a dance and a play with dice nobody saw end like any other turn.
    Step(Trigger.ROLLED, (Phase.OPENING, Phase.TO_ROLL, Phase.TO_PLAY), Phase.TO_PLAY),
    # A turn that was written down already may be played otherwise until the opponent rolls.
    Step(Trigger.TURN_ENDED, (Phase.TO_PLAY, Phase.TO_ROLL), Phase.TO_ROLL),
    Step(Trigger.SKIPPED, (Phase.TO_ROLL,), Phase.TO_ROLL),
    Step(Trigger.DOUBLED, (Phase.TO_ROLL,), Phase.OFFERED),
    Step(Trigger.TAKEN, (Phase.OFFERED,), Phase.TO_ROLL),
    Step(Trigger.PASSED, (Phase.OFFERED,), Phase.OFFERED),
    Step(Trigger.GAME_WON, (Phase.OPENING, Phase.TO_ROLL, Phase.TO_PLAY, Phase.OFFERED), Phase.GAME_OVER),
    Step(Trigger.MATCH_WON, (Phase.OPENING, Phase.TO_ROLL, Phase.TO_PLAY, Phase.OFFERED), Phase.MATCH_OVER),
)

_STEP = {step.trigger: step for step in STEPS}


def into(trigger: Trigger) -> Phase:
    """The phase that follows."""
    return _STEP[trigger].into


def may(phase: Phase, trigger: Trigger) -> bool:
    """Whether this may happen in that phase."""
    return phase in _STEP[trigger].out_of


def diagram() -> str:
    """The table as a Mermaid state diagram."""
    names = {phase: phase.name for phase in Phase}
    rows = [f'    state "{phase.value}" as {names[phase]}' for phase in Phase]
    rows += [
        f"    {names[phase]} --> {names[step.into]}: {step.trigger.value}" for step in STEPS for phase in step.out_of
    ]
    return "\n".join(("stateDiagram-v2", "    [*] --> SET_UP", *rows, "    MATCH_OVER --> [*]"))
