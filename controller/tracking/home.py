"""Where light's home lies, as a position tells it that is known to stand there."""

from __future__ import annotations

from controller.rules import Position, Side
from controller.tracking.best_fit import best_fit
from controller.tracking.parameters import ORIENTED
from controller.tracking.rest import Rest
from controller.tracking.setting import Setting
from terms.board import CORNERS, Corner, across
from vision.observation import Observation

A_TURN_ON = 3 * ORIENTED
"""nats by which a board may differ from a position of which one turn more was played: four columns with a floor of 9 nats each, and
what is misread. By agreement."""


def find_home(observation: Observation, setting: Setting) -> tuple[Corner, float]:
    """Which corner is light's home, from a board that shows the start position.

    Returns the corner, and by how many nats the start position explains the board better than the best-fitting position
    does (at most 0); see parameters.ORIENTED for what is enough.
    """
    _, gap_to_best, corner = max(_scored(observation, setting.start))
    return corner, gap_to_best


def home_of(observation: Observation, position: Position) -> Corner | None:
    """Which corner is light's home, from a board that shows that position, or what a turn has made of it; None: it is not plain."""
    scored = sorted(_scored(observation, position), reverse=True)
    (best, gap_to_best, corner), (second, *_) = scored[:2]
    return corner if gap_to_best >= A_TURN_ON and second < best + ORIENTED else None


def is_plainer_across(observation: Observation, position: Position, home: Corner) -> bool:
    """Whether that position explains the board notably better if light's home lies across from there."""
    rest = Rest.begin(observation)
    here, there = (float(rest.evidence(corner).of_positions([position])[0]) for corner in (home, across(home)))
    return here < there + ORIENTED


def _scored(observation: Observation, position: Position) -> list[tuple[float, float, Corner]]:
    """Of each corner how well the position explains the board if light's home lies there, and that less the best fit's; nats."""
    rest, off = Rest.begin(observation), (position.off(Side.LIGHT), position.off(Side.DARK))
    scored = []
    for corner in CORNERS:
        evidence = rest.evidence(corner)
        fit = best_fit(evidence, off, position.checkers)
        scores = evidence.of_positions([position, fit])
        scored.append((float(scores[0]), float(scores[0] - scores[1]), corner))
    return scored
