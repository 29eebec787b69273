"""The turn machine, written once: in which phase what may happen, and which phase follows. docs/referee.md draws it.

No new event is applied against it (apply() in state.py), people's commands are refused by it (command_context.py), and diagram() is
what the docs show.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from controller.referee.events import (
    Adjusted,
    AnyEvent,
    Beavered,
    Begins,
    Doubled,
    Drawn,
    Exchanged,
    Found,
    GameEnded,
    GameStarted,
    MatchStarted,
    Passed,
    Played,
    Raccooned,
    ResignOffered,
    ResignRefused,
    Rolled,
    Skipped,
    Taken,
    TeamCube,
    Withdrawn,
)


class Phase(Enum):
    """Where a match stands between two events."""

    SET_UP = "set up"  # nothing is known yet
    OPENING = "opening"  # waiting for the opening roll
    FOUND = "found in the middle"  # either side may be on roll
    TO_ROLL = "to roll"
    TO_PLAY = "to play"
    OFFERED = "cube offered"
    GAME_OVER = "game over"
    MATCH_OVER = "match over"


class Trigger(Enum):
    """What carries a match on; the value says how it comes about."""

    MATCH_BEGUN = "match begun"
    GAME_BEGUN = "checkers set up"
    DRAWN = "one die each for the start"
    ROLLED = "dice seen at rest"
    FOUND = "found in the middle of a game, or after a gap"
    TURN_ENDED = "dice lifted, clock hit or next roll"
    SKIPPED = "closed out, no roll"
    DOUBLED = "cube turned and put on the board"
    WITHDRAWN = "cube taken back unanswered"
    DOUBLED_AGAIN = "beaver or raccoon"
    TAKEN = "cube taken"
    PASSED = "cube refused"
    GAME_WON = "last checker off, cube refused or resigned"
    MATCH_WON = "the same at the last point"
    RESIGNED = "resigned"
    STAKED = "a team player's own cube doubled or answered"
    CUBE_SET = "cube set by hand"
    POSITION_SET = "position set by hand"
    SCORE_SET = "score set by hand"


@dataclass(frozen=True)
class PhaseChange:
    """One row of the table. into: None where the phase stays, or is what was set."""

    trigger: Trigger
    out_of: tuple[Phase, ...]
    into: Phase | None = None


STEPS = (
    PhaseChange(Trigger.MATCH_BEGUN, (Phase.SET_UP,), Phase.OPENING),
    PhaseChange(Trigger.GAME_BEGUN, (Phase.OPENING, Phase.FOUND, Phase.GAME_OVER), Phase.OPENING),
    PhaseChange(Trigger.DRAWN, (Phase.OPENING,), Phase.OPENING),
    # A roll may be thrown or read again; a dance and a play with dice nobody saw end like any other turn.
    PhaseChange(Trigger.ROLLED, (Phase.OPENING, Phase.FOUND, Phase.TO_ROLL, Phase.TO_PLAY), Phase.TO_PLAY),
    # Nobody saw how the game came to where it goes on.
    PhaseChange(Trigger.FOUND, (Phase.OPENING, Phase.FOUND, Phase.TO_ROLL, Phase.TO_PLAY, Phase.OFFERED), Phase.FOUND),
    # A turn that was written down already may be played otherwise until the next one has ended.
    PhaseChange(Trigger.TURN_ENDED, (Phase.TO_PLAY, Phase.TO_ROLL), Phase.TO_ROLL),
    PhaseChange(Trigger.SKIPPED, (Phase.TO_ROLL,), Phase.TO_ROLL),
    PhaseChange(Trigger.DOUBLED, (Phase.FOUND, Phase.TO_ROLL), Phase.OFFERED),
    PhaseChange(Trigger.WITHDRAWN, (Phase.OFFERED,), Phase.TO_ROLL),
    PhaseChange(Trigger.DOUBLED_AGAIN, (Phase.OFFERED,), Phase.OFFERED),
    PhaseChange(Trigger.TAKEN, (Phase.OFFERED,), Phase.TO_ROLL),
    PhaseChange(Trigger.PASSED, (Phase.OFFERED,), Phase.OFFERED),
    PhaseChange(
        Trigger.GAME_WON, (Phase.OPENING, Phase.FOUND, Phase.TO_ROLL, Phase.TO_PLAY, Phase.OFFERED), Phase.GAME_OVER
    ),
    PhaseChange(
        Trigger.MATCH_WON, (Phase.OPENING, Phase.FOUND, Phase.TO_ROLL, Phase.TO_PLAY, Phase.OFFERED), Phase.MATCH_OVER
    ),
    # An offered cube is answered before anything else; then the game or the match is won as above.
    PhaseChange(Trigger.RESIGNED, (Phase.OPENING, Phase.FOUND, Phase.TO_ROLL, Phase.TO_PLAY)),
    PhaseChange(Trigger.STAKED, (Phase.TO_ROLL, Phase.TO_PLAY)),
    PhaseChange(Trigger.CUBE_SET, (Phase.OPENING, Phase.FOUND, Phase.TO_ROLL, Phase.TO_PLAY)),
    PhaseChange(Trigger.POSITION_SET, (Phase.OPENING, Phase.FOUND, Phase.TO_ROLL, Phase.TO_PLAY, Phase.OFFERED)),
    PhaseChange(
        Trigger.SCORE_SET,
        (Phase.OPENING, Phase.FOUND, Phase.TO_ROLL, Phase.TO_PLAY, Phase.OFFERED, Phase.GAME_OVER, Phase.MATCH_OVER),
    ),
)

_STEP = {step.trigger: step for step in STEPS}


def into(trigger: Trigger) -> Phase:
    """The phase that follows. Raises KeyError for what sets none."""
    phase = _STEP[trigger].into
    if phase is None:
        raise KeyError(trigger)
    return phase


def may(phase: Phase, trigger: Trigger) -> bool:
    """Whether this may happen in that phase."""
    return phase in _STEP[trigger].out_of


def needs_new_game(phase: Phase, trigger: Trigger) -> bool:
    """Whether it may happen as soon as the next game has begun, and not before."""
    opens = may(phase, Trigger.GAME_BEGUN) and may(into(Trigger.GAME_BEGUN), trigger)
    return opens and not may(phase, trigger)


def trigger_of(event: AnyEvent) -> Trigger | None:
    """What the event is to this machine; None for one that may be written down in any phase."""
    match event:
        case Adjusted(position=None, cube=None):
            return Trigger.SCORE_SET
        case Adjusted(position=None):
            return Trigger.CUBE_SET
        case Adjusted():
            return Trigger.POSITION_SET
        case GameEnded(ending="resigned"):
            return Trigger.RESIGNED
    return _TRIGGERS.get(type(event))


_TRIGGERS: dict[type[object], Trigger] = {
    MatchStarted: Trigger.MATCH_BEGUN,
    GameStarted: Trigger.GAME_BEGUN,
    Drawn: Trigger.DRAWN,
    Exchanged: Trigger.DRAWN,
    Begins: Trigger.DRAWN,
    Rolled: Trigger.ROLLED,
    Played: Trigger.TURN_ENDED,
    Found: Trigger.FOUND,
    Skipped: Trigger.SKIPPED,
    Doubled: Trigger.DOUBLED,
    Withdrawn: Trigger.WITHDRAWN,
    Beavered: Trigger.DOUBLED_AGAIN,
    Raccooned: Trigger.DOUBLED_AGAIN,
    ResignOffered: Trigger.RESIGNED,
    ResignRefused: Trigger.RESIGNED,
    Taken: Trigger.TAKEN,
    Passed: Trigger.PASSED,
    TeamCube: Trigger.STAKED,
    GameEnded: Trigger.GAME_WON,
}


def diagram() -> str:
    """The table as a Mermaid state diagram, without what people set by hand."""
    names = {phase: phase.name for phase in Phase}
    rows = [f'    state "{phase.value}" as {names[phase]}' for phase in Phase]
    rows += [
        f"    {names[phase]} --> {names[step.into]}: {step.trigger.value}"
        for step in STEPS
        if step.into
        for phase in step.out_of
    ]
    return "\n".join(("stateDiagram-v2", "    [*] --> SET_UP", *rows, "    MATCH_OVER --> [*]"))
