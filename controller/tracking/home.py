"""Where light's home lies, as the start position tells it."""

from __future__ import annotations

from controller.tracking.best_fit import best_fit
from controller.tracking.rest import Rest
from controller.tracking.setting import Setting
from terms.board import CORNERS, Corner
from vision.observation import Observation


def find_home(observation: Observation, setting: Setting) -> tuple[Corner, float]:
    """Which corner is light's home, from a board that shows the start position.

    Returns the corner, and by how many nats the start position explains the board better than the best-fitting position
    does (at most 0); see parameters.ORIENTED for what is enough.
    """
    rest = Rest.begin(observation)
    scored = []
    for corner in CORNERS:
        evidence = rest.evidence(corner)
        gap = best_fit(evidence, (0, 0), setting.start.checkers)
        scores = evidence.of_positions([setting.start, gap])
        scored.append((float(scores[0]), float(scores[0] - scores[1]), corner))
    _, gap_to_best, corner = max(scored)
    return corner, gap_to_best
