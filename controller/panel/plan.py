"""What the lamps show: from the state of the game to one signal a lamp. Pure; all adapters and the page follow it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum, IntEnum

from controller.referee.move_hints import Lifted
from controller.rules import OFF, Side, lights_number
from firmware import messages as wire
from terms.role import Role

CUBE_VALUES = (2, 4, 8, 16, 32, 64)
# Of 255: lit lamps are read at arm's length in a lit room and do not dazzle in a dark one.
DEFAULT_BRIGHTNESS = 128


class Rhythm(IntEnum):
    """How a lamp is lit; told apart without colour. On the wire by number."""

    STEADY = wire.STEADY
    SLOW = wire.SLOW
    FAST = wire.FAST
    DOUBLE = wire.DOUBLE
    BREATHE = wire.BREATHE


class Tint(IntEnum):
    """What a lamp's colour stands for. On the wire by number."""

    LIGHT = wire.LIGHT_TINT
    DARK = wire.DARK_TINT
    ALARM = wire.ALARM_TINT
    CUBE = wire.CUBE_TINT
    GOAL = wire.GOAL_TINT
    SOURCE = wire.SOURCE_TINT


class Cue(IntEnum):
    """One-shot animations. On the wire by number."""

    ROLL = wire.ROLL
    HIT = wire.HIT
    MISTAKE = wire.MISTAKE
    OFFERED = wire.OFFERED
    WON_LIGHT = wire.WON_LIGHT
    WON_DARK = wire.WON_DARK
    TURN_LIGHT = wire.TURN_NOW_LIGHT
    TURN_DARK = wire.TURN_NOW_DARK


class PointLamp(Enum):
    """What the lamp of a point says, where the panel has lamps at the points."""

    SOURCE = "source"
    GOAL = "goal"
    WRONG = "wrong"


@dataclass(frozen=True)
class LampSignal:
    """One lit lamp."""

    rhythm: Rhythm
    tint: Tint


@dataclass(frozen=True)
class PanelState:
    """Everything the panel shows.

    turn: who is on roll, None between games. error: a flag stands. cube_value: 1 is the centred cube that shows 64.
    cube_owner: None while it is centred. offered_to: the side that must take or pass.
    points: lamps by light's point number 1..24, 25 for light's bar, 0 for dark's.
    host_ok: False while the referee cannot see the board. brightness: 0..255 of every lamp.
    sound: whether the buzzer may sound. cue: an animation to play once, as often as cue_number changes.
    every: all lamps are lit, whatever the rest says: somebody tries them.
    """

    turn: Side | None = None
    error: bool = False
    cube_value: int = 1
    cube_owner: Side | None = None
    offered_to: Side | None = None
    points: tuple[tuple[int, PointLamp], ...] = ()
    host_ok: bool = True
    brightness: int = DEFAULT_BRIGHTNESS
    sound: bool = False
    cue: Cue | None = None
    cue_number: int = 0
    every: bool = False


def for_role(state: PanelState, role: Role, hand: Lifted | None = None) -> PanelState:
    """What a device of that role shows of a state. A recorder stays silent: no flag, no animation of a mistake, no sound. Only a
    coach shows where a lifted checker may go.

    hand: the checker and its destinations in the numbers of the side on roll (25 bar, 0 off, which has no lamp).
    """
    if role == "recorder":
        return replace(state, error=False, sound=False, cue=None if state.cue is Cue.MISTAKE else state.cue)
    if role != "coach" or state.turn is None or hand is None:
        return state
    turn, goals = state.turn, sorted(set(hand.destinations) - {OFF})
    points = [(hand.point, PointLamp.SOURCE), *((point, PointLamp.GOAL) for point in goals)]
    return replace(state, points=tuple((lights_number(turn, point), lamp) for point, lamp in points))


def lamps(state: PanelState) -> Mapping[str, LampSignal]:
    """The lit lamps by name: "turn light", "turn dark", "error", "cube 2" to "cube 64", "point 1" to "point 24",
    "bar light", "bar dark".

    The turn lamp is steady, slow while the referee cannot see the board. A standing flag blinks fast. The owned cube is
    steady; an offered one flashes in pairs at the value it would have, and the centred cube is dark.
    A value above 64 shows as 64: beyond the last face there is no lamp.
    """
    if state.every:
        return _EVERY
    lit: dict[str, LampSignal] = {}
    if state.turn is not None:
        rhythm = Rhythm.STEADY if state.host_ok else Rhythm.SLOW
        lit[f"turn {state.turn.value}"] = LampSignal(rhythm, Tint.LIGHT if state.turn is Side.LIGHT else Tint.DARK)
    if state.error:
        lit["error"] = LampSignal(Rhythm.FAST, Tint.ALARM)
    elif not state.host_ok:
        lit["error"] = LampSignal(Rhythm.SLOW, Tint.ALARM)
    if state.offered_to is not None:
        lit[_cube_lamp(state.cube_value * 2)] = LampSignal(Rhythm.DOUBLE, Tint.CUBE)
    elif state.cube_value > 1:
        lit[_cube_lamp(state.cube_value)] = LampSignal(Rhythm.STEADY, Tint.CUBE)
    for point, lamp in state.points:
        lit[_point_lamp(point)] = _POINT_SIGNALS[lamp]
    return lit


_POINT_SIGNALS = {
    PointLamp.SOURCE: LampSignal(Rhythm.BREATHE, Tint.SOURCE),
    PointLamp.GOAL: LampSignal(Rhythm.STEADY, Tint.GOAL),
    PointLamp.WRONG: LampSignal(Rhythm.FAST, Tint.ALARM),
}


def _point_lamp(point: int) -> str:
    return {25: "bar light", 0: "bar dark"}.get(point, f"point {point}")


def _cube_lamp(value: int) -> str:
    return f"cube {min(value, CUBE_VALUES[-1])}"


_EVERY: Mapping[str, LampSignal] = {
    name: LampSignal(Rhythm.STEADY, tint)
    for name, tint in (
        ("turn light", Tint.LIGHT),
        ("turn dark", Tint.DARK),
        ("error", Tint.ALARM),
        *((_cube_lamp(value), Tint.CUBE) for value in CUBE_VALUES),
        *((_point_lamp(point), Tint.GOAL) for point in range(26)),
    )
}


# The largest power of two that three digits hold.
_DISPLAYED = 512


def display(state: PanelState) -> str:
    """Four characters for a seven-segment display: the cube's value, L or d for its owner, - while offered."""
    if state.every:
        return "8888"
    if state.offered_to is not None:
        return f"-{min(state.cube_value * 2, _DISPLAYED):>3}"
    if state.cube_value <= 1:
        return " 64 "
    owner = {Side.LIGHT: "L", Side.DARK: "d", None: " "}[state.cube_owner]
    return f"{owner}{min(state.cube_value, _DISPLAYED):>3}"


def words(state: PanelState) -> tuple[str, ...]:
    """What is lit, in words: "turn: light", "error", "cube 2: dark", "cube 4: offered to light"."""
    if state.every:
        cubes = (f"{_cube_lamp(value)}: centred" for value in CUBE_VALUES)
        points = (f"{_point_lamp(point)}: {PointLamp.GOAL.value}" for point in range(26))
        return ("turn: light", "turn: dark", "error", *cubes, *points)
    lit: list[str] = []
    if state.turn is not None:
        lit.append(f"turn: {state.turn.value}")
    if state.error:
        lit.append("error")
    if state.offered_to is not None:
        lit.append(f"cube {state.cube_value * 2}: offered to {state.offered_to.value}")
    elif state.cube_value > 1:
        owner = "centred" if state.cube_owner is None else state.cube_owner.value
        lit.append(f"cube {state.cube_value}: {owner}")
    lit.extend(f"{_point_lamp(point)}: {lamp.value}" for point, lamp in state.points)
    if not state.host_ok:
        lit.append("no view of the board")
    return tuple(lit)
