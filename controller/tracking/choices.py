"""How likely each legal play of a roll is before anything is seen: in a race nearly everybody bears off what he can."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from controller.rules import Play, Position, Side
from controller.rules.inspection import has_contact
from controller.tracking import parameters


def log_priors(plays: Sequence[Play], before: Position, side: Side) -> npt.NDArray[np.float64]:
    """(N,) log-probabilities of all legal plays of one roll of `side`, played from `before`. They sum to 1."""
    weights = np.ones(len(plays))
    if len(plays) > 1 and not has_contact(before):
        off = np.array([play.result.off(side) for play in plays])
        weights[off < off.max()] = parameters.AGAINST_SENSE
    return np.asarray(np.log(weights / weights.sum()))
