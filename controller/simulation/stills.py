"""Single pictures of boards in the middle of a game, with what truly lies on them: for tests of what reads pictures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from controller.rules import Position, Side, legal_plays
from controller.simulation.geometry import Seats
from controller.simulation.looks import LOOKS, Look, look_named
from controller.simulation.players import best_play
from controller.simulation.renderer import Renderer
from controller.simulation.scene import CubeThing, DieThing
from controller.simulation.stage import BackgammonSet
from controller.simulation.table import Size, corners_of
from vision.frame import Corners, Frame

LONGEST = 70
"""Turns after which a position is taken at the latest: most games end before."""


@dataclass(frozen=True)
class StillDie:
    """value: the face that is up; at: its middle in board plane coordinates; cocked: it leans on a checker."""

    value: int
    at: tuple[float, float]
    cocked: bool


@dataclass(frozen=True, eq=False)
class Still:
    """A picture and its truth.

    columns: 24 signed counts, light positive: 0-11 along the top edge from left to right, 12-23 along the bottom edge;
    bar, off: light's and dark's; cube: its value and its middle in board plane coordinates, the centred one shows 64;
    hand: a hand is over the board; corners: (4, 2) float32 px.
    """

    frame: Frame
    corners: Corners
    light_home: str
    look: str
    position: Position
    columns: tuple[int, ...]
    bar: tuple[int, int]
    off: tuple[int, int]
    dice: tuple[StillDie, ...]
    cube: tuple[int, tuple[float, float]]
    hand: bool


def still_frames(
    count: int, seed: int, size: Size = (1280, 720), look: str | Look | None = None, *, hand: bool = False
) -> Iterator[Still]:
    """Random boards of sensible games, spread over all looks (or of one: its name, or any other).

    hand: a hand lies over each of them.
    Raises SimulationError for a look that there is not.
    """
    rng = Random(f"{seed} stills")
    one = look_named(look) if isinstance(look, str) else look
    looks = [one] if one else [LOOKS[(seed + i) % len(LOOKS)] for i in range(len(LOOKS))]
    renderer: Renderer | None = None
    shown: Look | None = None
    for number in range(count):
        wanted = looks[number * len(looks) // count]
        if renderer is None or wanted is not shown:
            renderer, shown = Renderer(wanted, size, seed), wanted
        yield _still(renderer, wanted, size, rng, number, hand=hand)


def random_position(rng: Random) -> Position:
    """A position that comes up in a sensible game, neither at its end nor always at its beginning."""
    turns = rng.randint(0, LONGEST)
    position, side = Position.start(), rng.choice(list(Side))
    for _ in range(turns):
        dice = (rng.randint(1, 6), rng.randint(1, 6))
        plays = legal_plays(position, side, dice)
        play = rng.choice(plays) if rng.random() < 0.15 else best_play(plays, side)
        if play.result.off(side) == position.checkers:
            break
        position, side = play.result, side.other
    return position


def _still(renderer: Renderer, look: Look, size: Size, rng: Random, number: int, *, hand: bool) -> Still:
    stage = BackgammonSet(look.shape, Seats(look.light_home), 10.0, rng)
    position = random_position(rng)
    stage.set_up(position)
    thrower = rng.choice(list(Side))
    if rng.random() < 0.8:
        for _ in range(2):
            stage.dice[thrower].append(stage.landed(thrower, rng.randint(1, 6), stage.dice[thrower]))
    if rng.random() < 0.5:
        owner = rng.choice(list(Side))
        stage.cube = stage.cube_at(rng.choice((2, 4, 8)), stage.owned_place(owner))
    scene = stage.tick()
    if hand:
        goal = (rng.uniform(0.1, 0.9) * look.shape.width, rng.uniform(0.2, 0.8) * look.shape.height, 3.0)
        *_, scene = stage.reach(thrower, goal, rng.choice(("pinch", "flat", "cup")))
    plane = (look.shape.width, look.shape.height)
    dice = tuple(_die(thing, plane) for thing in scene.things if isinstance(thing, DieThing))
    cube = next(thing for thing in scene.things if isinstance(thing, CubeThing))
    columns = tuple(sum(1 if c.side is Side.LIGHT else -1 for c in pile) for pile in stage.columns)
    return Still(
        Frame(renderer.draw(scene), float(number), f"still-{number:04d}"),
        corners_of(look, size),
        look.light_home,
        look.name,
        position,
        columns,
        (position.light[24], position.dark[24]),
        (position.off(Side.LIGHT), position.off(Side.DARK)),
        dice,
        (cube.value, (cube.at[0] / plane[0], cube.at[1] / plane[1])),
        hand,
    )


def _die(thing: DieThing, plane: tuple[float, float]) -> StillDie:
    return StillDie(thing.value, (thing.at[0] / plane[0], thing.at[1] / plane[1]), thing.lean > 0)
