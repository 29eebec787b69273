"""The looks of the simulated table: colours and stuff of board, checkers, dice and table, the light and the camera."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from controller.simulation.camera import CameraPose
from controller.simulation.errors import SimulationError
from controller.simulation.geometry import BoardShape
from controller.simulation.textures import Colour

WHITE: Colour = (238, 242, 244)
BLACK: Colour = (34, 33, 34)


@dataclass(frozen=True)
class Checkers:
    """One side's checkers. style: "plain", "ringed", "dished" or "inlaid" (a rim in the colour `rim`); marble: 0-1."""

    colour: Colour
    style: str = "plain"
    rim: Colour = WHITE
    marble: float = 0.0
    gloss: float = 0.35


@dataclass(frozen=True)
class Lamp:
    """place: cm from the middle of the board; colour: BGR gains; ambient: share of light from everywhere.

    softness: share of a thing's height by which its shadow's edge blurs; power: exposure.
    """

    place: tuple[float, float, float] = (-70.0, -80.0, 150.0)
    colour: tuple[float, float, float] = (0.95, 1.0, 1.03)
    ambient: float = 0.45
    softness: float = 0.45
    power: float = 0.9


@dataclass(frozen=True)
class Sensor:
    """noise: standard deviation in grey levels; blur: standard deviation in px at 1280 px; quality: of the JPEG."""

    noise: float = 2.2
    blur: float = 0.7
    quality: int = 88
    vignette: float = 0.12


@dataclass(frozen=True)
class Look:
    """Everything that a camera sees of one table, and the camera."""

    name: str
    surface: Colour
    points: tuple[Colour, Colour]
    light: Checkers
    dark: Checkers
    wood: Colour
    table: Colour
    floor: str = "felt"
    table_stuff: str = "wood"
    rails: str = "wood"
    dice: tuple[Colour, Colour] = (WHITE, WHITE)
    pips: tuple[Colour, Colour] = (BLACK, BLACK)
    cube: Colour = WHITE
    numerals: Colour = BLACK
    sleeves: tuple[Colour, Colour] = ((120, 70, 40), (60, 60, 65))
    skins: tuple[Colour, Colour] = ((142, 172, 222), (120, 155, 208))
    shape: BoardShape = field(default_factory=BoardShape)
    view: CameraPose = field(default_factory=CameraPose)
    lamp: Lamp = field(default_factory=Lamp)
    sensor: Sensor = field(default_factory=Sensor)
    light_home: str = "bottom-right"


LOOKS: tuple[Look, ...] = (
    Look(
        "club",
        surface=(58, 96, 40),
        points=((46, 44, 46), (196, 214, 222)),
        light=Checkers((206, 216, 222), "dished", gloss=0.45),
        dark=Checkers((38, 36, 40), "dished", gloss=0.5),
        wood=(38, 62, 110),
        table=(60, 92, 138),
        view=CameraPose(tilt=24, turn=3, roll=-1),
    ),
    Look(
        "burgundy",
        surface=(150, 186, 208),
        points=((72, 84, 42), (66, 36, 112)),
        light=Checkers((78, 170, 226), "plain", marble=0.5, gloss=0.5),
        dark=Checkers((40, 36, 36), "plain", marble=0.35, gloss=0.55),
        wood=(44, 74, 140),
        table=(62, 78, 40),
        table_stuff="cloth",
        dice=((180, 206, 226), (70, 110, 190)),
        view=CameraPose(distance=130, tilt=7, turn=-4),
        lamp=Lamp((80, -60, 120), (0.86, 0.98, 1.06)),
    ),
    Look(
        "tournament",
        surface=(176, 170, 166),
        points=((56, 46, 40), (60, 50, 176)),
        light=Checkers((218, 220, 220), "inlaid", (176, 178, 180), gloss=0.3),
        dark=Checkers((48, 46, 44), "inlaid", (86, 84, 82), gloss=0.35),
        wood=(40, 38, 38),
        table=(178, 180, 182),
        rails="leather",
        floor="leather",
        table_stuff="cloth",
        dice=((36, 30, 190), (236, 240, 240)),
        pips=(WHITE, BLACK),
        shape=BoardShape(bar=6.0, gap=7.5, bridged=False),
        view=CameraPose(distance=140, tilt=2, turn=1, roll=1),
        lamp=Lamp((-20, -110, 170), (1.03, 1.0, 0.95), ambient=0.6, softness=0.8),
        light_home="bottom-left",
    ),
    Look(
        "walnut",
        surface=(118, 168, 206),
        points=((38, 56, 96), (60, 66, 164)),
        light=Checkers((176, 212, 232), "ringed", marble=0.25, gloss=0.25),
        dark=Checkers((34, 46, 74), "ringed", marble=0.25, gloss=0.3),
        wood=(52, 98, 160),
        table=(36, 52, 82),
        floor="wood",
        view=CameraPose(distance=95, tilt=34, turn=-9, roll=2),
        lamp=Lamp((60, -120, 110), (0.8, 0.97, 1.1), ambient=0.35, softness=0.3),
        shape=BoardShape(bar=4.9, gap=5.4),
        light_home="top-right",
    ),
    Look(
        "blue",
        surface=(124, 78, 36),
        points=((208, 196, 186), (86, 150, 206)),
        light=Checkers((206, 214, 216), "plain", gloss=0.5),
        dark=Checkers((116, 44, 30), "plain", gloss=0.55),
        wood=(84, 82, 80),
        table=(208, 212, 214),
        rails="leather",
        table_stuff="cloth",
        dice=(WHITE, (120, 50, 30)),
        pips=(BLACK, WHITE),
        sleeves=((200, 200, 205), (40, 40, 120)),
        view=CameraPose(tilt=18, turn=5, aside=10),
        lamp=Lamp((-110, 20, 130), (1.06, 1.0, 0.93), ambient=0.55),
    ),
    Look(
        "orange",
        surface=(70, 76, 82),
        points=((40, 120, 226), (206, 208, 210)),
        light=Checkers((206, 212, 216), "dished", marble=0.1, gloss=0.6),
        dark=Checkers((30, 92, 214), "dished", marble=0.1, gloss=0.6),
        wood=(48, 50, 52),
        table=(100, 108, 118),
        rails="leather",
        table_stuff="cloth",
        dice=(WHITE, (36, 100, 224)),
        pips=(BLACK, WHITE),
        skins=((92, 122, 168), (140, 168, 220)),
        shape=BoardShape(bar=5.6, gap=8.0, fit=0.93, checker_height=1.1),
        view=CameraPose(distance=120, tilt=28, turn=0, roll=-2),
        lamp=Lamp((40, 90, 140), (0.95, 1.0, 1.0), ambient=0.5, softness=0.6),
        light_home="bottom-left",
    ),
    Look(
        "kitchen",
        surface=(150, 180, 196),
        points=((36, 40, 44), (112, 128, 140)),
        light=Checkers((150, 196, 220), "plain", marble=0.2, gloss=0.2),
        dark=Checkers((44, 48, 56), "plain", marble=0.2, gloss=0.25),
        wood=(86, 138, 186),
        table=(150, 186, 214),
        floor="leather",
        shape=BoardShape(bar=4.7, gap=5.0, cube=2.6, die=1.45, checker_height=0.8),
        view=CameraPose(distance=85, tilt=38, turn=6, aside=-8),
        lamp=Lamp((-130, -40, 120), (1.08, 1.0, 0.9), ambient=0.5, softness=0.7),
        sensor=Sensor(noise=3.2, blur=0.85, quality=80),
    ),
    Look(
        "green-suede",
        surface=(64, 108, 70),
        points=((150, 190, 210), (52, 46, 132)),
        light=Checkers((192, 210, 220), "ringed", gloss=0.4),
        dark=Checkers((44, 36, 118), "ringed", gloss=0.45),
        wood=(30, 40, 66),
        table=(54, 70, 98),
        dice=((210, 226, 234), (50, 40, 150)),
        pips=(BLACK, WHITE),
        view=CameraPose(distance=115, tilt=15, turn=-3, roll=1.5),
        lamp=Lamp((100, 40, 140), (0.82, 0.97, 1.1), ambient=0.4),
        light_home="top-left",
    ),
    Look(
        "slate",
        surface=(96, 92, 88),
        points=((62, 58, 54), (176, 172, 166)),
        light=Checkers((214, 212, 206), "inlaid", (238, 238, 236), gloss=0.35),
        dark=Checkers((90, 60, 36), "inlaid", (150, 110, 80), gloss=0.4),
        wood=(70, 66, 62),
        table=(52, 60, 70),
        rails="leather",
        floor="leather",
        dice=((60, 60, 64), (228, 232, 234)),
        pips=(WHITE, BLACK),
        cube=(60, 60, 64),
        numerals=WHITE,
        view=CameraPose(distance=125, tilt=22, turn=10, roll=-3),
        lamp=Lamp((10, -130, 120), (1.0, 1.0, 0.98), ambient=0.4, softness=0.35),
        sensor=Sensor(noise=3.0, quality=82),
    ),
    Look(
        "holiday",
        surface=(160, 196, 214),
        points=((132, 98, 40), (58, 60, 190)),
        light=Checkers((170, 214, 240), "plain", marble=0.15, gloss=0.3),
        dark=Checkers((60, 76, 50), "plain", marble=0.2, gloss=0.3),
        wood=(70, 120, 176),
        table=(186, 168, 140),
        table_stuff="cloth",
        shape=BoardShape(bar=5.0, gap=6.6, bridged=False),
        view=CameraPose(distance=100, tilt=30, turn=-5, aside=12, roll=3),
        lamp=Lamp((-60, 100, 160), (0.98, 1.0, 1.0), ambient=0.4, softness=0.2, power=1.1),
        light_home="top-right",
    ),
    Look(
        "lamplight",
        surface=(104, 142, 168),
        points=((40, 44, 84), (70, 96, 110)),
        light=Checkers((160, 200, 222), "dished", marble=0.3, gloss=0.45),
        dark=Checkers((36, 38, 52), "dished", marble=0.3, gloss=0.5),
        wood=(34, 52, 92),
        table=(40, 56, 90),
        view=CameraPose(distance=105, tilt=26, turn=2),
        lamp=Lamp((-45, -50, 75), (0.72, 0.94, 1.14), ambient=0.3, softness=0.5, power=0.9),
        sensor=Sensor(noise=4.0, blur=0.9, quality=78, vignette=0.22),
    ),
    Look(
        "travel",
        surface=(62, 50, 40),
        points=((150, 176, 190), (70, 120, 168)),
        light=Checkers((206, 218, 224), "plain", gloss=0.5),
        dark=Checkers((60, 58, 58), "plain", marble=0.2, gloss=0.5),
        wood=(48, 58, 74),
        table=(120, 140, 160),
        rails="leather",
        shape=BoardShape(
            pitch=3.4, bar=4.2, gap=4.6, tray=4.2, rail=1.6, rail_height=1.4, cube=2.2, die=1.1, checker_height=0.75
        ),
        view=CameraPose(distance=80, tilt=20, turn=-7, roll=-1.5),
        lamp=Lamp((70, -70, 120), (1.0, 1.0, 1.0), ambient=0.5, softness=0.5),
        light_home="bottom-left",
    ),
)


def look_named(name: str) -> Look:
    """The look of that name. Raises SimulationError with the names that there are."""
    for look in LOOKS:
        if look.name == name:
            return look
    raise SimulationError(f"There is no look called {name!r}; there are {', '.join(look.name for look in LOOKS)}.")


def look_for_seed(seed: int) -> Look:
    """One of LOOKS by seed, the camera standing a little differently for every seed."""
    look = LOOKS[seed % len(LOOKS)]
    shift = (seed // len(LOOKS)) % 5
    if shift == 0:
        return look
    view = look.view
    return replace(
        look,
        view=replace(
            view,
            tilt=view.tilt + 2.0 * (shift - 2),
            turn=view.turn + 1.5 * (shift - 3),
            aside=view.aside + 3.0 * (shift - 2),
        ),
    )
