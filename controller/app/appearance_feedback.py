"""What the game says of what vision should see: a position that nobody doubts teaches it what this set looks like in this light."""

from __future__ import annotations

from controller.referee.session import Session
from controller.rules import BAR_INDEX
from controller.tracking.belief import Belief
from controller.tracking.hypothesis import Stage
from controller.tracking.orientation import columns_of
from controller.tracking.parameters import HALF, LEARNT_FROM
from vision.watching.watcher import Watcher

FIRST_LOOKS = 2
"""Frames of a rest that are learnt from: the later ones show the same thing."""
TAUGHT_IN = (Stage.OPENING, Stage.TO_ROLL, Stage.THROWN)
"""Stages in which what stands may be certain. Key frames seldom show a board without dice: while only such taught, two of three lit
games taught nothing after their start position."""


def teach(watcher: Watcher, session: Session) -> None:
    """Lets vision learn from the frame just read, if what stands there is certain; tells it whether the rules let dice lie beside
    the board."""
    watcher.around = session.state.ruleset.dice.landing == "table"
    belief, rest = session.tracker.belief, session.tracker.rest
    if rest is None or rest.frames > FIRST_LOOKS or belief.best.stage not in TAUGHT_IN:
        return
    if belief.share_like_best() > LEARNT_FROM and not session.state.disputed:
        board = belief.best.board
        watcher.learn(
            columns_of([board], session.tracker.light_home)[0],
            (board.light[BAR_INDEX], board.dark[BAR_INDEX]),
            dice_lie=_dice_lie(belief),
        )


def _dice_lie(belief: Belief) -> bool:
    """Whether dice are thought to lie there: of a turn, also of one that has ended, or equal ones of the draw for the start."""
    best, evidence = belief.best, belief.evidence
    if best.stage is not Stage.OPENING or evidence is None:
        return best.stage is Stage.THROWN or best.left
    return sum(die.confidence >= HALF for die in evidence.dice) > 1
