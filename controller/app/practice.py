"""A practice game: what happens at a table while it is set up and its match waits."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from controller.panel.adapter import Button
from controller.referee.session import MatchPlan, Session
from controller.referee.state import MatchState
from controller.rules import Side
from vision.sentence import Sentence

PracticeScene = Literal["match", "still", "thrown", "playing"]
"""What simulated players do: play their match; leave the start position alone; let one die each lie on it; play a practice game."""

MATCH_WAITS = Sentence("The board is being set up, and the match waits meanwhile. Put it right when that is done.")
"""Why a line of the match is not put right during a practice."""

PRACTICE_FRAME = "practice"
"""Name of a simulated table's frames that are not of its match: they take none of its time."""


@dataclass(frozen=True)
class Practice:
    """A practice game is on. waiting: the match's session; pressed: buttons pressed meanwhile, which do nothing."""

    waiting: Session
    pressed: tuple[Button, ...] = ()

    def with_press(self, button: Button) -> Practice:
        """After one more button was pressed."""
        return replace(self, pressed=(*self.pressed, button))


def practice_plan(state: MatchState) -> MatchPlan:
    """A game by the match's rules and between its players, in which the referee says what it sees."""
    rules = replace(state.ruleset, device=replace(state.ruleset.device, role="monitor"))
    return MatchPlan(rules, state.score.length, (state.name(Side.LIGHT), state.name(Side.DARK)))
