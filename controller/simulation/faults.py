"""What may befall the simulated table, by name: glare, a knock at the camera, the light off, a hand that stays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from controller.simulation.geometry import BoardShape
from controller.simulation.scene import Scene

FaultKind = Literal["glare", "bump", "light-off", "hand"]


@dataclass(frozen=True)
class Fault:
    """kind: what; at: virtual seconds; seconds: how long it lasts (a bump lasts for good)."""

    kind: FaultKind
    at: float
    seconds: float = 5.0


def afflicted(scene: Scene, seconds: float, faults: Sequence[Fault], shape: BoardShape) -> Scene:
    """The scene under the faults of that moment."""
    for fault in faults:
        if fault.kind == "bump" and seconds >= fault.at:
            scene = replace(scene, bump=scene.bump + 1)
        elif fault.at <= seconds < fault.at + fault.seconds:
            if fault.kind == "glare":
                scene = replace(scene, glare=(shape.width * 0.72, shape.height * 0.4, 9.0))
            elif fault.kind == "light-off":
                scene = replace(scene, brightness=0.12)
    return scene
