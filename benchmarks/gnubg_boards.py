"""Boards as GNU Backgammon draws them, in all its designs, before a camera of chance: pictures that nothing here was built on.

    python benchmarks/gnubg_boards.py FOLDER [--positions 6] [--seed 300]       FOLDER/drawn and FOLDER/photographed, then
    python benchmarks/accuracy.py FOLDER/drawn FOLDER/photographed --out RESULTS      with score.py in or above FOLDER

Its dice are as large as its checkers (7 % of the board's width), as on travel boards. Where it writes numbers on piles of more
than five no picture is made. Needs gnubg.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

import click
import cv2
import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from controller.record.gnubg import run_gnubg
from controller.rules import Position, Side
from controller.rules.ids import position_id
from controller.simulation.stills import random_position
from vision.frame import Image

Row = dict[str, Any]
DESIGNS = Path("/usr/share/gnubg/boards.xml")
PAIRED = [f"{part}{side}" for part in ("chequers", "dice", "dot", "points") for side in (0, 1)]
TOLD = ("board", "border", "wood", "hinges", "light", "shape", "cube", *PAIRED)
"""Parts of a design that it draws in a picture; the others are of its own board in space."""
UNIT = 8
"""px of one of the units in which it lays its picture out: 108 by 82 of them, the playing surface from 12, 3 to 96, 79."""
WIDE, HIGH = 108 * UNIT, 82 * UNIT
SURFACE = np.array([[12, 3], [96, 3], [96, 79], [12, 79]], np.float32) * UNIT
DIE_PX = 6 * UNIT
MOST, LEAST_LEFT = 5, 10
"""Checkers on a column at most, and of a side on the board at least: it writes the numbers of more, on columns and in trays."""
SIZES = ((1280, 720), (1600, 1200), (1024, 768), (900, 1200))


@dataclass(frozen=True)
class Shown:
    """One picture to draw. design: its name and what it sets; value: of the cube, 1 in the middle; owner, roll: None for none."""

    name: str
    design: tuple[str, str]
    position: Position
    value: int
    owner: int
    roll: tuple[int, int] | None

    def commands(self, folder: Path) -> Iterator[str]:
        """What draws it."""
        for key, setting in re.findall(r"(\w+)=(\S+)", self.design[1]):
            if key in TOLD:
                yield f"set appearance {key}={setting}"
        yield from ("new game", "set turn 1", f"set board {position_id(self.position, Side.LIGHT)}")
        yield f"set cube value {self.value}"
        yield "set cube centre" if self.value == 1 else f"set cube owner {self.owner}"
        if self.roll:
            yield f"set dice {self.roll[0]} {self.roll[1]}"
        yield f"export position png {folder / self.name}"

    def truth(self) -> Row:
        """As labelled pictures have it. Light plays from the top left to the bottom right."""
        light, dark = self.position.light, self.position.dark
        points = [[light[point], dark[23 - point]] for point in range(24)]
        return {
            "file": self.name,
            "size": [WIDE, HIGH],
            "corners": SURFACE.tolist(),
            "top": points[12:],
            "bottom": points[11::-1],
            "bar": [light[24], dark[24]],
            "off": None,
            "dice": [{"value": value, "face_px": DIE_PX} for value in self.roll or ()],
            "cube": {"shown": 64 if self.value == 1 else self.value},
            "group": self.design[0],
        }


def chosen(positions: int, seed: int) -> Iterator[Shown]:
    """Some positions in each design."""
    designs = ElementTree.parse(DESIGNS).getroot().iter("board-design")
    for number, design in enumerate(designs):
        named = str(design.findtext("about/title")).strip(), str(design.findtext("design"))
        for place in range(positions):
            rng = Random(f"{seed} {number} {place}")
            position = next(p for p in iter(lambda rng=rng: random_position(rng), None) if _shows_itself(p))
            roll = (rng.randint(1, 6), rng.randint(1, 6)) if rng.random() < 0.6 else None
            yield Shown(f"{number:02}-{place}.png", named, position, 2 ** rng.randrange(7), rng.randrange(2), roll)


def _shows_itself(position: Position) -> bool:
    sides = position.light, position.dark
    return max(map(max, sides)) <= MOST and min(map(sum, sides)) >= LEAST_LEFT


def photographed(drawn: Image, rng: np.random.Generator) -> tuple[Image, npt.NDArray[np.float64]]:
    """The drawing on a table as a camera of chance sees it, and the (3, 3) matrix from its px to those of the picture."""
    size = SIZES[rng.integers(len(SIZES))]
    matrix = _camera(size, rng)
    seen = np.linalg.inv(np.diag([2.0, 2.0, 1.0]))
    finer = cv2.resize(drawn, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC).astype(np.float32)
    board = cv2.warpPerspective(finer, matrix @ seen, size)
    inside = cv2.warpPerspective(np.ones((HIGH, WIDE), np.float32), matrix, size)[..., None]
    grain = rng.normal(0, 1, (size[1] // rng.integers(2, 40) + 2, size[0] // rng.integers(2, 200) + 2))
    table = (
        rng.integers(20, 220, 3)
        + rng.uniform(2, 20) * cv2.resize(grain, size, interpolation=cv2.INTER_CUBIC)[..., None]
    )
    picture = np.clip(table, 0, 255) * (1 - inside) + board * inside
    x, y = np.meshgrid(np.linspace(-1, 1, size[0]), np.linspace(-1, 1, size[1]))
    shade = 1 + rng.uniform(-0.35, 0.35) * x + rng.uniform(-0.35, 0.35) * y
    glare = np.exp(-((x - rng.uniform(-1, 1)) ** 2 + (y - rng.uniform(-1, 1)) ** 2) / rng.uniform(0.02, 0.3))
    tint = rng.uniform(0.5, 1.05) * rng.uniform(0.88, 1.12, 3)
    picture = picture * shade[..., None] * tint + glare[..., None] * rng.uniform(0, 90) * (rng.random() < 0.5)
    picture = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.4, 1.4))
    grainy = np.clip(picture + rng.normal(0, rng.uniform(1, 7), picture.shape), 0, 255).astype(np.uint8)
    packed = cv2.imencode(".jpg", grainy, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(45, 92))])[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8), matrix


def _camera(size: tuple[int, int], rng: np.random.Generator) -> npt.NDArray[np.float64]:
    """(3, 3) px of the drawing to px of the picture: tilted by up to 50 degrees, turned, as near as the picture has room."""
    middle, focal, room = np.array(size) / 2, rng.uniform(0.8, 1.3) * max(size), rng.uniform(0.7, 0.97)
    turn = np.eye(3)
    upside_down = 180 * (rng.random() < 0.1)
    for axis, degrees in ((0, rng.uniform(0, 50)), (1, rng.uniform(-15, 15)), (2, rng.uniform(-12, 12) + upside_down)):
        turn = turn @ cv2.Rodrigues(np.deg2rad(degrees) * np.eye(3)[axis])[0]
    lens = np.array([[focal, 0, middle[0]], [0, focal, middle[1]], [0, 0, 1]])
    centred = np.array([[1, 0, -WIDE / 2], [0, 1, -HIGH / 2], [0, 0, 1]])
    square = np.array([[[0, 0], [WIDE, 0], [WIDE, HIGH], [0, HIGH]]], np.float32)
    near, far = WIDE / 2, 30.0 * WIDE
    for _ in range(40):
        away = (near + far) / 2
        matrix = lens @ np.column_stack([turn[:, :2], [0, 0, away]]) @ centred
        reach = np.abs(cv2.perspectiveTransform(square, matrix)[0] - middle).max(axis=0)
        near, far = (near, away) if (reach <= middle * room).all() else (away, far)
    return np.asarray(matrix, np.float64)


def _as_seen(row: Row, name: str, size: tuple[int, int], matrix: npt.NDArray[np.float64]) -> Row:
    corners = cv2.perspectiveTransform(SURFACE[None], matrix)[0]
    return row | {"file": name, "size": list(size), "corners": corners.tolist()}


@click.command(help=__doc__)
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--positions", default=6, show_default=True, help="Of each design.")
@click.option("--seed", default=300, show_default=True)
def main(folder: Path, positions: int, seed: int) -> None:
    """Draws and photographs them."""
    drawn, taken = (folder.resolve() / name for name in ("drawn", "photographed"))
    for room in (drawn, taken):
        room.mkdir(parents=True, exist_ok=True)
    pictures = list(chosen(positions, seed))
    start = [f"set export png size {UNIT}", "set player 0 human", "set player 1 human", "set confirm new off"]
    start += ["set automatic game off", "set automatic roll off", "new match 21"]
    run_gnubg("\n".join([*start, *(line for shown in pictures for line in shown.commands(drawn))]), "0", 900)
    with (drawn / "truth.jsonl").open("w") as as_drawn, (taken / "truth.jsonl").open("w") as as_taken:
        for number, shown in enumerate(pictures):
            truth = shown.truth()
            as_drawn.write(json.dumps(truth) + "\n")
            picture = np.asarray(cv2.imread(str(drawn / shown.name)), np.uint8)
            photo, matrix = photographed(picture, np.random.default_rng([seed, number]))
            name = shown.name.replace(".png", ".jpg")
            cv2.imwrite(str(taken / name), photo, [cv2.IMWRITE_JPEG_QUALITY, 95])
            as_taken.write(json.dumps(_as_seen(truth, name, (photo.shape[1], photo.shape[0]), matrix)) + "\n")
    click.echo(f"{len(pictures)} boards")


if __name__ == "__main__":
    main()
