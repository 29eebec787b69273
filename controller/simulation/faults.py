"""What may befall the simulated table, by name: light, knocks, hands that stay, things that fall or are put where none belong."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from controller.rules import Side
from controller.simulation.geometry import BoardShape
from controller.simulation.scene import HandThing, Scene

FaultKind = Literal[
    "glare", "bump", "light-off", "slow-light", "hand", "spectator", "unplugged", "dropped-checker", "drink"
]
HANDLED: frozenset[FaultKind] = frozenset({"hand", "dropped-checker", "drink"})
"""Faults that somebody's hands make on the stage; the game waits meanwhile. The others lie over the scene as it is."""

DARK = 0.12
"""Share of the brightness that is left when the light is off."""

DUSK = 0.5
"""Share of the brightness that is left when the sun has gone behind a cloud."""

REACH_SECONDS = 0.8
"""How long a spectator's arm takes to come in, and to leave."""


@dataclass(frozen=True)
class Fault:
    """kind: what; at: virtual seconds; seconds: how long it lasts (a bump lasts for good).

    glare: a reflection over some points; bump: somebody knocks at the camera; light-off: the light is switched off and on;
    slow-light: a cloud passes; hand: a player's hand lies over the board; spectator: somebody else's arm points at it;
    unplugged: no pictures come; dropped-checker: one falls off the board and is picked up again; drink: a mug is put on
    the board and taken off.
    """

    kind: FaultKind
    at: float
    seconds: float = 5.0


def afflicted(scene: Scene, seconds: float, faults: Sequence[Fault], shape: BoardShape) -> Scene:
    """The scene under the faults of that moment."""
    for fault in faults:
        if fault.kind == "bump" and seconds >= fault.at:
            scene = replace(scene, bump=scene.bump + 1)
        elif fault.at <= seconds < fault.at + fault.seconds:
            scene = _under(scene, fault, (seconds - fault.at) / fault.seconds, shape)
    return scene


def _under(scene: Scene, fault: Fault, share: float, shape: BoardShape) -> Scene:
    """The scene when that share of the fault's time has passed."""
    if fault.kind == "glare":
        return replace(scene, glare=(shape.width * 0.72, shape.height * 0.4, 9.0))
    if fault.kind == "light-off":
        return replace(scene, brightness=DARK)
    if fault.kind == "slow-light":
        return replace(scene, brightness=1 - (1 - DUSK) * math.sin(math.pi * share) ** 2)
    if fault.kind == "spectator":
        return replace(scene, things=(*scene.things, _spectator(share * fault.seconds, fault.seconds, shape)))
    return scene


def _spectator(now: float, seconds: float, shape: BoardShape) -> HandThing:
    """An arm from the side of the table that points at the middle of the left half and is drawn back."""
    way = min(now, seconds - now) / REACH_SECONDS
    out = -shape.margin - 35.0
    x = out + (shape.width * 0.3 - out) * (1 - math.cos(math.pi * min(way, 1.0))) / 2
    return HandThing(Side.DARK, (x, shape.height * 0.45, 6.0), (x - 60.0, shape.height * 0.6), "pinch")


def unplugged(seconds: float, faults: Sequence[Fault]) -> bool:
    """No picture comes at that moment."""
    return any(fault.kind == "unplugged" and fault.at <= seconds < fault.at + fault.seconds for fault in faults)
