"""The simulated table: players, board and camera, seeded; shares no code with what reads it."""

from controller.simulation.errors import SimulationError
from controller.simulation.faults import Fault, FaultKind
from controller.simulation.film import Cut, CutKind, SimulatedFilm
from controller.simulation.looks import LOOKS, Look, look_for_seed, look_named
from controller.simulation.manners import Errors, Manner, SimulatedMatch
from controller.simulation.scene import Scene
from controller.simulation.stills import Still, StillDie, still_frames
from controller.simulation.table import Filming, SimulatedTable, corners_of
from controller.simulation.truth import (
    Beavered,
    Doubled,
    Drawn,
    ErrorMade,
    GameBegun,
    GameWon,
    Passed,
    Raccooned,
    Resigned,
    Skipped,
    Taken,
    TruthEvent,
    TurnPlayed,
)

__all__ = [
    "LOOKS",
    "Beavered",
    "Cut",
    "CutKind",
    "Doubled",
    "Drawn",
    "ErrorMade",
    "Errors",
    "Fault",
    "FaultKind",
    "Filming",
    "GameBegun",
    "GameWon",
    "Look",
    "Manner",
    "Passed",
    "Raccooned",
    "Resigned",
    "Scene",
    "SimulatedFilm",
    "SimulatedMatch",
    "SimulatedTable",
    "SimulationError",
    "Skipped",
    "Still",
    "StillDie",
    "Taken",
    "TruthEvent",
    "TurnPlayed",
    "corners_of",
    "look_for_seed",
    "look_named",
    "still_frames",
]
