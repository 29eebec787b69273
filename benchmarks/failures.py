"""Boards that are misread, as pictures of our own: what lies there beside what was read, the wrong places ringed.

    python benchmarks/failures.py look table 5601-5610         says what is misread on boards of these seeds
    python benchmarks/failures.py draw docs/failures           draws those that docs/accuracy.md shows

Sorts: `table`, the simulator's tables in mid-game (those of `simulated_boards.py`), `leaning`, those with a die that leans, `grey`
and `darker`, the same as `altered.py` makes them so; `hand`, a still with a hand over it; `ordinary` and `strange`, boards as the
networks learn from, of seeds that train nothing: all with their corners given. What is called hidden under a hand is no fault.
`place`: a drawn scene, whose board is to be found. What is called by the other side's name throughout is no fault: which side is
the lighter one is the reader's own business.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import click
import cv2
import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from benchmarks.altered import WAYS
from benchmarks.seeds import seeds_in
from benchmarks.simulated_boards import drawn_at_rest
from controller.simulation.stills import still_frames
from vision.board.geometry import BoardGeometry
from vision.finding import BoardLocation, NotFound, find_board
from vision.frame import Corners, Frame, Image
from vision.reading.reader import BoardReader
from vision.reading.report import Cell, Reading, reading_of, sureness_of
from vision.training.drawn import drawn_board
from vision.training.finding_scene import SceneMaker

SORTS = ("table", "leaning", "grey", "darker", "hand", "ordinary", "strange", "place")
KEPT = ("place-9907036", "table-5601-2", "hand-7213", "strange-1999045", "leaning-5601-2")
"""Those that docs/accuracy.md shows."""
WIDTH, AROUND, GAP, RING = 420, 0.1, 6, 22
"""px of each of the two panels; board widths shown around the board; px between the panels; px of a ring around a place."""
SAME_DIE, SAME_CUBE = 0.03, 0.07
"""Board widths within which what is read is what lies there: the upper face of a cube is seen away from where it stands."""
RED, GREEN, WHITE, BLACK = (50, 50, 235), (80, 190, 60), (255, 255, 255), (30, 30, 30)
QUALITY = 72
FONT = cv2.FONT_HERSHEY_SIMPLEX
Point = tuple[float, float]
FloatArray = npt.NDArray[np.float64]
Drawn = Callable[[Image, float, FloatArray], None]


@dataclass(frozen=True)
class Known:
    """A picture with its truth. cells: 24 columns and the bar, None where hidden; things: dice and cube at px, None: not asked."""

    name: str
    picture: Image
    corners: Corners
    cells: tuple[Cell | None, ...]
    things: tuple[tuple[str, Point], ...] | None


@dataclass(frozen=True)
class Fault:
    """A place, px, with what lies there and what was read, in the same words."""

    at: Point
    true: str
    read: str


@dataclass(frozen=True)
class Judged:
    """What is misread in a picture, and how surely its whole position was said to be right."""

    faults: tuple[Fault, ...]
    sure: float


def known(sort: str, seed: int) -> Iterator[Known]:
    """The pictures of this seed."""
    if sort == "hand":
        yield _still(seed)
    elif sort in ("ordinary", "strange"):
        yield _drawn(seed, strange=sort == "strange")
    else:
        for one in _at_rest(seed, leaning=sort == "leaning"):
            altered = (
                WAYS[sort](np.asarray(one.picture), {"corners": one.corners.tolist()})[0]
                if sort in WAYS
                else one.picture
            )
            yield replace(one, picture=altered)


def _still(seed: int) -> Known:
    still = next(still_frames(1, seed, hand=True))
    cells = [(max(count, 0), max(-count, 0)) for count in still.columns]
    return Known(f"hand {seed}", still.frame.image, still.corners, (*cells, still.bar), None)


def _drawn(seed: int, *, strange: bool) -> Known:
    board = drawn_board(seed, strange=strange)
    pairs = zip(board.counts.tolist(), board.hidden, strict=True)
    cells = tuple(None if hidden else (light, dark) for (light, dark), hidden in pairs)
    return Known(str(seed), board.picture, board.corners, cells, None)


def _at_rest(seed: int, *, leaning: bool) -> Iterator[Known]:
    for number, (picture, shown, corners) in enumerate(drawn_at_rest(seed, leaning=leaning)):
        geometry = BoardGeometry(corners)
        cells = [(max(count, 0), max(-count, 0)) for count in shown.columns]
        things = [(f"{value}{' flat' if flat else ' leaning'}", (x, y)) for value, x, y, flat in shown.dice]
        things += [(f"cube {shown.cube[0]}", shown.cube[1:])] if shown.cube else []
        at = geometry.to_picture([place for _, place in things]) if things else []
        placed = tuple((words, (float(x), float(y))) for (words, _), (x, y) in zip(things, at, strict=True))
        yield Known(f"{seed}-{number}", picture, corners, (*cells, shown.bar), placed)


def judged(one: Known, reader: BoardReader) -> Judged:
    """What is misread, by whichever of both names of the sides suits it better."""
    geometry = reader.place(one.picture, one.corners)
    seen = reader.read(Frame(one.picture, 0.0, one.name), geometry, alone=True)
    reading, sure = reading_of(one.name, seen, geometry, 0.0), sureness_of(seen)
    cells = (*reading.top, *reading.bottom, reading.bar)
    turned = tuple(cell and (cell[1], cell[0]) for cell in cells)
    faults = min((_misread(one, geometry, named, sure) for named in (cells, turned)), key=len)
    if one.things is not None:
        faults += _misread_things(one.things, reading, geometry.width_px)
    return Judged(tuple(faults), reading.confidence)


def _misread(one: Known, geometry: BoardGeometry, cells: Iterable[Cell | None], sure: Iterable[float]) -> list[Fault]:
    left, right = geometry.bar or (0.5, 0.5)
    places = [(geometry.column_centre(column)[0], 0.2 if column < 12 else 0.8) for column in range(24)]
    pixels = geometry.to_picture([*places, ((left + right) / 2, 0.5)])
    return [
        Fault((float(x), float(y)), _said(true), _said(got) + (f", {certain:.2f}" if got is not None else ""))
        for (x, y), true, got, certain in zip(pixels, one.cells, cells, sure, strict=True)
        if true != got and not (got is None and one.name.startswith("hand"))
    ]


def _misread_things(true: Iterable[tuple[str, Point]], reading: Reading, width: float) -> Iterator[Fault]:
    read = [(f"{die.value}{' leaning' if die.cocked else ' flat'}", die.px, die.confidence) for die in reading.dice]
    if reading.cube:
        read.append((f"cube {reading.cube.shown}", reading.cube.px, reading.cube.confidence))
    explained = []
    for words, at in true:
        near = width * (SAME_CUBE if words.startswith("cube") else SAME_DIE)
        same = [
            one
            for one in read
            if math.dist(one[1], at) < near and one[0].startswith("cube") == words.startswith("cube")
        ]
        explained += same
        if not same:
            yield Fault(at, words, "nothing")
        elif all(one[0] != words for one in same):
            yield Fault(at, words, f"{same[0][0]}, {same[0][2]:.2f}")
    yield from (Fault(one[1], "nothing", f"{one[0]}, {one[2]:.2f}") for one in read if one not in explained)


def _said(cell: Cell | None) -> str:
    if cell is None:
        return "hidden"
    light, dark = cell
    return " and ".join([f"{light} light"] * bool(light) + [f"{dark} dark"] * bool(dark)) or "empty"


def place_of(seed: int) -> tuple[Image, Corners | None]:
    """The first scene of this seed, and where its board lies; None: it has none."""
    scene = SceneMaker(seed, 1.2, strange=True).make()
    return scene.picture, scene.corners


def off(corners: Corners, found: BoardLocation) -> float:
    """By how much of the board's width the worst corner is wrong, whichever half turn was told."""
    width = (math.dist(corners[0], corners[1]) + math.dist(corners[2], corners[3])) / 2
    ways = (found.corners, np.roll(found.corners, 2, axis=0))
    return min(float(np.linalg.norm(way - corners, axis=1).max()) for way in ways) / width


def faults_shown(one: Known, result: Judged) -> Image:
    """Two panels, beside each other: the picture with what lies at the wrong places, and with what was read there."""
    title = f"read; the whole position {result.sure:.2f}"
    return _panels(
        one.picture,
        one.corners,
        lambda panel, scale, start: _ringed(panel, [(f.at, f.true) for f in result.faults], scale, start, GREEN),
        lambda panel, scale, start: _ringed(panel, [(f.at, f.read) for f in result.faults], scale, start, RED),
        title,
    )


def place_shown(picture: Image, corners: Corners, found: BoardLocation | NotFound) -> Image:
    """Two panels: where the board lies, and where it was found."""
    told = isinstance(found, BoardLocation)
    title = f"found; {found.confidence:.2f}, off by {off(corners, found):.1%} of the width" if told else "not found"

    def outline(panel: Image, scale: float, start: FloatArray, where: Corners, colour: tuple[int, int, int]) -> None:
        cv2.polylines(panel, [np.round((where - start) * scale).astype(np.int32)], True, colour, 2, cv2.LINE_AA)

    return _panels(
        picture,
        corners,
        lambda panel, scale, start: outline(panel, scale, start, corners, GREEN),
        lambda panel, scale, start: outline(panel, scale, start, found.corners, RED) if told else None,
        title,
    )


def _panels(picture: Image, corners: Corners, truth: Drawn, reading: Drawn, title: str) -> Image:
    around = AROUND * float(np.linalg.norm(corners[1] - corners[0]))
    size = np.array(picture.shape[1::-1])
    start = np.clip(corners.min(axis=0) - around, 0, size).astype(int)
    end = np.clip(corners.max(axis=0) + around, 0, size).astype(int)
    part = picture[start[1] : end[1], start[0] : end[0]]
    scale = WIDTH / part.shape[1]
    small = cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)
    panels = []
    for words, draw in (("lies there", truth), (title, reading)):
        panel = small.copy()
        draw(panel, scale, start)
        head = np.full((22, panel.shape[1], 3), 255, np.uint8)
        cv2.putText(head, words, (4, 16), FONT, 0.48, BLACK, 1, cv2.LINE_AA)
        panels.append(np.vstack([head, panel]))
    return np.hstack([panels[0], np.full((len(panels[0]), GAP, 3), 255, np.uint8), panels[1]])


def _ringed(
    panel: Image, words: Iterable[tuple[Point, str]], scale: float, start: FloatArray, colour: tuple[int, int, int]
) -> None:
    """Rings the places, and says at each what is there."""
    boxes: list[tuple[int, int, int]] = []
    for at, said in words:
        x, y = (int(v) for v in (np.array(at) - start) * scale)
        cv2.circle(panel, (x, y), RING, colour, 2, cv2.LINE_AA)
        (width, height), _ = cv2.getTextSize(said, FONT, 0.45, 1)
        left = min(max(x - width // 2, 2), panel.shape[1] - width - 2)
        step = height + 9
        upwards = y > panel.shape[0] / 2
        base = y - RING - 6 if upwards else y + RING + height + 6
        while any(abs(base - other) < step and left < end and begin < left + width for begin, end, other in boxes):
            base += -step if upwards else step
        boxes.append((left, left + width, base))
        cv2.rectangle(panel, (left - 2, base - height - 3), (left + width + 2, base + 4), WHITE, -1)
        cv2.putText(panel, said, (left, base), FONT, 0.45, colour, 1, cv2.LINE_AA)


@click.group(help=__doc__)
def main() -> None:
    """The door."""
    cv2.setNumThreads(1)


@main.command()
@click.argument("sort", type=click.Choice(SORTS))
@click.argument("seeds")
def look(sort: str, seeds: str) -> None:
    """Says what is misread on boards of SEEDS (first-last)."""
    reader = BoardReader()
    for seed in seeds_in(seeds):
        if sort == "place":
            picture, corners = place_of(seed)
            found = find_board(picture)
            if corners is not None:
                told = isinstance(found, BoardLocation)
                click.echo(
                    f"{seed}: " + (f"off by {off(corners, found):.1%}, {found.confidence:.2f}" if told else "not found")
                )
            continue
        for one in known(sort, seed):
            result = judged(one, reader)
            for fault in result.faults:
                click.echo(f"{one.name} ({result.sure:.2f}): {fault.true}, read: {fault.read}")


@main.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--only", help="Of one kept picture, or another one: SORT-SEED or SORT-SEED-NUMBER.")
def draw(folder: Path, only: str | None) -> None:
    """Draws the kept failures into FOLDER."""
    folder.mkdir(parents=True, exist_ok=True)
    reader = BoardReader()
    for name in [only] if only else KEPT:
        sort, seed, *_ = name.split("-")
        if sort == "place":
            picture, corners = place_of(int(seed))
            if corners is None:
                raise click.UsageError(f"{name} has no board.")
            shown = place_shown(picture, corners, find_board(picture))
        else:
            pictures = known(sort, int(seed))
            one = next((one for one in pictures if one.name.split()[-1] == name.partition("-")[2]), None)
            if one is None:
                raise click.UsageError(f"There is no {name}.")
            shown = faults_shown(one, judged(one, reader))
        cv2.imwrite(str(folder / f"{name}.jpg"), shown, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])


if __name__ == "__main__":
    main()
