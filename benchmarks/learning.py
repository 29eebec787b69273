"""How much a table teaches: places misread on boards that read badly, without and with what was learnt there.

    python benchmarks/learning.py drawn [--tables 60] [--traced] [--well] [--out benchmarks/learning.csv]
    python benchmarks/learning.py labelled FOLDER [--out benchmarks/learning.csv]

A table is a strange drawn board (seeds that train nothing) before one camera and in one light, which drifts a little; the lie of
the checkers and the grain differ from picture to picture, and nothing but checkers lies on it. It reads badly where of six
positions, none of which is measured again, at least BAD of the places (24 columns and the bar) are misread. Then a game is played
on it: twenty turns are read with nothing learnt and with what the start position alone taught, the last ten also with what it and
the first ten turns taught together. In a game the position before is known: of those, as many are misread if of all boards to which
any roll of either side leads from it the likeliest is believed, the dice unseen (`last_ten_by_the_rules`), and as many are answered
wrongly, or not at all, by one picture's likeliest position of fifteen checkers a side (`last_ten_answered`). A table is a row.
--traced: checkers lit by rays (metal, soft shadows, windows that they mirror; needs Numba). --well:
only tables that read well, which learning must not make worse.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement, starmap
from pathlib import Path
from random import Random
from typing import Any

import click
import cv2
import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from benchmarks.rows import add_row, stamp
from controller.rules import Position, Side, legal_plays
from controller.simulation.players import best_play
from controller.simulation.stills import random_position
from controller.tracking.orientation import columns_of
from vision.board.geometry import apply_homography
from vision.frame import Corners, Image
from vision.reading.appearance import Appearance
from vision.reading.judging import ColumnsSeen
from vision.reading.position_decoder import most_likely
from vision.reading.reader import BoardReader, geometry_for
from vision.training.canvas import Canvas
from vision.training.drawn import MARGIN, SCALE, _camera_view, checker_rows, developed, hidden_columns
from vision.training.paint import draw, painted_checkers
from vision.training.strange import think_up_strange
from vision.training.texture import Rng
from vision.training.thought_up import laid_out

FIRST_TABLE = 1_940_000
"""Seed of the first table; nothing is trained on seeds from 1,900,000 on."""
BAD = 0.04
SELECTING = 6
TURNS = 20
ROLLS = tuple(combinations_with_replacement(range(1, 7), 2))
DRIFT = 0.04
"""Deviation of the light from picture to picture, as a share."""


@dataclass(frozen=True, eq=False)
class Sight:
    """A picture of a table with its truth: columns (24,) signed counts, light positive; bar; hidden (25,) bool."""

    picture: Image
    corners: Corners
    columns: npt.NDArray[np.int64]
    bar: tuple[int, int]
    hidden: npt.NDArray[np.bool_]


class DrawnTable:
    """One strange board before one camera; its checkers painted, or lit by rays, always by the same lamps."""

    def __init__(self, seed: int, *, traced: bool = False) -> None:
        self._seed = seed
        self._scene = think_up_strange(np.random.default_rng(seed))
        self._traced = traced

    def _lay(self, canvas: Canvas, _: Rng) -> npt.NDArray[np.float64]:
        """Puts the checkers there: the same lamps, shadows and sheen in every picture."""
        lamps = np.random.default_rng([self._seed, 1 << 33])
        if self._traced:
            from vision.training.traced import traced_checkers

            return traced_checkers(canvas, lamps)
        return painted_checkers(canvas, lamps)

    def seen(self, position: Position, number: int) -> Sight:
        """The table with this position on it; number: of the picture, which chooses all that differs."""
        moment = np.random.default_rng([self._seed, number])
        columns = columns_of([position], "bottom-right")[0]
        bar = (position.light[24], position.dark[24])
        pairs = np.stack([columns.clip(min=0), (-columns).clip(min=0)], axis=1)
        thing = self._scene
        laid = laid_out(moment, thing.shape, pairs, list(bar), thing.diameter, thing.thickness)
        scene = replace(thing, checkers=laid, counts=(*((int(a), int(b)) for a, b in pairs), bar))
        drawing = draw(
            scene,
            np.random.default_rng([self._seed, 1 << 30]),
            MARGIN,
            scale=SCALE,
            moment=moment,
            alone=True,
            lay=self._lay,
        )
        to_image, size = _camera_view(scene, np.random.default_rng([self._seed, 1 << 31]))
        edge = [float(part) for part in drawing.image[:20].reshape(-1, 3).mean(axis=0)]
        picture = cv2.warpPerspective(drawing.image, to_image, size, flags=cv2.INTER_LINEAR, borderValue=edge)
        picture = picture * (1 + DRIFT * moment.standard_normal()) + moment.normal(0, 2, picture.shape)
        taken = np.asarray(np.clip(picture, 0, 255), np.uint8)
        picture = developed(taken, np.random.default_rng([self._seed, 1 << 32]), plain=scene.plain)
        height = scene.shape.height
        corners = apply_homography(to_image, (np.array([[0, 0], [1, 0], [1, height], [0, height]]) + MARGIN) * SCALE)
        hidden = hidden_columns(drawing, scene, checker_rows(drawing, scene))
        return Sight(picture, np.asarray(corners, np.float32), columns, bar, hidden)


def game(rng: Random) -> list[Position]:
    """The start position and the boards after each of so many turns."""
    boards, side = [Position.start()], rng.choice(list(Side))
    while len(boards) <= TURNS:
        plays = legal_plays(boards[-1], side, (rng.randint(1, 6), rng.randint(1, 6)))
        play = rng.choice(plays) if rng.random() < 0.15 else best_play(plays, side)
        if play.result.off(side) == play.result.checkers:
            return game(rng)
        boards.append(play.result)
        side = side.other
    return boards


def seen_of(reader: BoardReader, sight: Sight, known: Appearance | None) -> ColumnsSeen:
    """What the reader sees on it."""
    return reader.columns.read(sight.picture, geometry_for(sight.picture, sight.corners), known)


def misread(seen: ColumnsSeen, sight: Sight) -> int:
    """Places of a picture that are misread, of those that nothing hides."""
    wrong = np.append(seen.columns.argmax(axis=1) - 15 != sight.columns, tuple(seen.bar.argmax(axis=1)) != sight.bar)
    return int((wrong & ~sight.hidden).sum())


def misanswered(seen: ColumnsSeen, sight: Sight) -> int:
    """Places that nothing hides and of which the likeliest position of fifteen checkers a side says something else, or nothing."""
    answer = most_likely(seen, 15)
    wrong = np.append(answer.counts != sight.columns, answer.bar != sight.bar) | ~answer.claimed
    return int((wrong & ~sight.hidden).sum())


def misread_by_the_rules(seen: ColumnsSeen, sight: Sight, before: Position) -> int:
    """Places that are wrong on the likeliest of the boards to which a roll of either side leads from the one before."""
    boards = list({play.result for side in Side for roll in ROLLS for play in legal_plays(before, side, roll)})
    columns = columns_of(boards, "bottom-right")
    hit = np.array([(board.light[24], board.dark[24]) for board in boards])
    likely = np.log(seen.columns)[np.arange(24), columns + 15].sum(axis=1)
    likely = likely + np.log(seen.bar)[np.arange(2), hit].sum(axis=1)
    best = int(likely.argmax())
    wrong = np.append(columns[best] != sight.columns, tuple(hit[best].tolist()) != sight.bar)
    return int((wrong & ~sight.hidden).sum())


def learnt(reader: BoardReader, sights: Sequence[Sight], known: Appearance | None = None) -> Appearance | None:
    """What these positions teach, one after another."""
    for sight in sights:
        if (sight.columns > 0).any() and (sight.columns < 0).any():
            place = geometry_for(sight.picture, sight.corners)
            known = reader.learn(sight.picture, place, sight.columns, known, bar=sight.bar)
    return known


def played(reader: BoardReader, seed: int, *, traced: bool = False, well: bool = False) -> dict[str, Any] | None:
    """A table's row; None where it does not read badly, or not well where that is asked for."""
    table, rng = DrawnTable(seed, traced=traced), Random(seed)
    chosen = [table.seen(random_position(rng), 1000 + number) for number in range(SELECTING)]
    places = sum(int((~sight.hidden).sum()) for sight in chosen)
    if (sum(misread(seen_of(reader, sight, None), sight) for sight in chosen) < BAD * places) != well:
        return None
    positions = game(rng)
    sights = [table.seen(position, number) for number, position in enumerate(positions)]
    start = learnt(reader, sights[:1])
    ten = learnt(reader, sights[1 : TURNS // 2 + 1], start)
    turns, half = sights[1:], TURNS // 2
    plain, by_start = ([(seen_of(reader, sight, known), sight) for sight in turns] for known in (None, start))
    by_ten = [(seen_of(reader, sight, ten), sight) for sight in turns[half:]]

    return {
        "table": f"{seed}{' traced' * traced}{' well' * well}",
        "places": sum(int((~sight.hidden).sum()) for sight in turns),
        "without": sum(starmap(misread, plain)),
        "start": sum(starmap(misread, by_start)),
        "last_ten_without": sum(starmap(misread, plain[half:])),
        "last_ten_start": sum(starmap(misread, by_start[half:])),
        "last_ten_start_and_ten": sum(starmap(misread, by_ten)),
        "last_ten_by_the_rules": sum(
            misread_by_the_rules(*look, before) for look, before in zip(by_ten, positions[half:], strict=False)
        ),
        "last_ten_answered_without": sum(starmap(misanswered, plain[half:])),
        "last_ten_answered": sum(starmap(misanswered, by_ten)),
    }


@click.group(help=__doc__)
def main() -> None:
    """Measures what a table teaches."""
    cv2.setNumThreads(1)
    np.seterr(all="ignore")


@main.command("drawn")
@click.option("--tables", default=60, show_default=True, help="Tables that are looked at.")
@click.option("--first", default=FIRST_TABLE, show_default=True, help="Seed of the first.")
@click.option("--traced", is_flag=True, help="Checkers lit by rays.")
@click.option("--well", is_flag=True, help="Tables that read well instead of those that read badly.")
@click.option("--out", type=click.Path(path_type=Path), help="CSV that the rows are added to.")
def drawn_command(tables: int, first: int, out: Path | None, **kind: bool) -> None:
    """Drawn tables."""
    reader, sums = BoardReader(), defaultdict[str, int](int)
    for seed in range(first, first + tables):
        row = played(reader, seed, **kind)
        if row is None:
            continue
        click.echo("  ".join(f"{name} {value}" for name, value in row.items()))
        for name, value in row.items():
            sums[name] += 0 if name == "table" else value
        if out is not None:
            add_row(out, stamp() | row)
    click.echo("all:  " + "  ".join(f"{name} {value}" for name, value in sums.items() if name != "table"))


@main.command("labelled")
@click.argument("folder", type=click.Path(path_type=Path, exists=True))
@click.option("--out", type=click.Path(path_type=Path), help="CSV that the rows are added to.")
def labelled_command(folder: Path, out: Path | None) -> None:
    """Labelled stills of one style each, by various cameras: for every picture one other of its style teaches."""
    reader, groups = BoardReader(), defaultdict[str, list[Sight]](list)
    for line in (folder / "truth.jsonl").read_text(encoding="utf-8").splitlines():
        truth = json.loads(line)
        cells = [*truth["top"], *truth["bottom"], truth["bar"]]
        counts = [light - dark for light, dark in (cell or (0, 0) for cell in cells[:24])]
        groups[truth["group"]].append(
            Sight(
                np.asarray(cv2.imread(str(folder / truth["file"])), np.uint8),
                np.asarray(truth["corners"], np.float32),
                np.array(counts, np.int64),
                tuple(cells[24] or (0, 0)),
                np.array([cell is None for cell in cells]),
            )
        )
    for group, sights in groups.items():
        teachers = [learnt(reader, [sight]) if not sight.hidden.any() else None for sight in sights]
        pairs = [(a, b) for a in range(len(sights)) for b in range(len(sights)) if a != b and teachers[a] is not None]
        row = {
            "table": group,
            "places": sum(int((~sights[b].hidden).sum()) for _, b in pairs),
            "without": sum(misread(seen_of(reader, sights[b], None), sights[b]) for _, b in pairs),
            "start": sum(misread(seen_of(reader, sights[b], teachers[a]), sights[b]) for a, b in pairs),
            "last_ten_without": "",
            "last_ten_start": "",
            "last_ten_start_and_ten": "",
            "last_ten_by_the_rules": "",
            "last_ten_answered_without": "",
            "last_ten_answered": "",
        }
        click.echo("  ".join(f"{name} {value}" for name, value in row.items() if value != ""))
        if out is not None:
            add_row(out, stamp() | row)


if __name__ == "__main__":
    main()
