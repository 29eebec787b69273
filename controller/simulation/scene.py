"""What stands on the simulated table in one instant: frozen things at places in centimetres, axes as in `camera`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from controller.rules import Side
from controller.simulation.camera import Point3D

Pose = Literal["pinch", "cup", "flat"]


@dataclass(frozen=True)
class CheckerThing:
    """A checker; at: middle of its lower face. spin: radians, turns its grain; lean: radians, towards `bearing`.

    held: it hangs in a hand, so that its shadow falls on what lies below. number: tells its grain from another's.
    """

    side: Side
    at: Point3D
    spin: float = 0.0
    lean: float = 0.0
    bearing: float = 0.0
    held: bool = False
    number: int = 0


@dataclass(frozen=True)
class DieThing:
    """A die of one player's pair; at: its centre. value: the face that is up before it leans.

    smear: cm it moved while the picture was taken, (x, y).
    """

    side: Side
    value: int
    at: Point3D
    spin: float = 0.0
    lean: float = 0.0
    bearing: float = 0.0
    smear: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True)
class CubeThing:
    """The doubling cube; at: its centre. value: 2-64, the face that is up; lean: while it is turned in the hand."""

    value: int
    at: Point3D
    spin: float = 0.0
    lean: float = 0.0
    bearing: float = 0.0


@dataclass(frozen=True)
class DrinkThing:
    """A mug that somebody has put down; at: middle of its foot."""

    at: Point3D
    radius: float = 4.1
    height: float = 9.0
    spin: float = 0.0
    lean: float = 0.0
    bearing: float = 0.0


@dataclass(frozen=True)
class HandThing:
    """A player's hand and arm. tip: the fingertips, cm; elbow: (x, y) cm, far off the board.

    smear: cm it moved while the picture was taken, (x, y).
    """

    side: Side
    tip: Point3D
    elbow: tuple[float, float]
    pose: Pose = "pinch"
    smear: tuple[float, float] = (0.0, 0.0)


Solid = CheckerThing | DieThing | CubeThing | DrinkThing
Thing = Solid | HandThing


@dataclass(frozen=True)
class Scene:
    """things: everything on or over the board. brightness: share of the usual light (0 off).

    glare: (x, y, radius) cm of a bright reflection, or None; bump: how many times the camera has been knocked.
    """

    things: tuple[Thing, ...]
    brightness: float = 1.0
    glare: tuple[float, float, float] | None = None
    bump: int = 0
