"""Looks at simulated scenes without pictures: the truth, misread as often and in the same ways as the real reader misreads.

python benchmarks/noisy_eyes.py FOLDER    makes the banks out of games that `referee.py pixels --keep FOLDER` watched

What the real reader said is kept by look and by what truly lay there, and drawn from again: a column that holds three dark
checkers is read as some such column of that look was. A draw stays while nothing changes there, as real mistakes do. What this
leaves out: readings under moved light, arms that the motion gate does not see, and mistakes that several columns share.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from math import dist
from pathlib import Path
from typing import Any

import click
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from benchmarks.watched import Gate, Shown, Watched, kept, shown_in, unread
from controller.simulation.geometry import BoardShape
from controller.simulation.scene import Scene
from vision.observation import CUBE_FACES, CubeSeen, DieSeen, Observation

BANKS = Path(__file__).with_name("noisy_eyes.npz")
MOST = 60
"""Readings kept of one look and one content."""

FEWEST = 12
"""Readings of one look below which those of all looks are drawn from."""

KEPT = 0.85
"""Share of the rests in which an unchanged column is read by the same draw as before: of the wrong columns of the kept games
so many were wrong in the same way at the next rest."""

SAME_DIE = 0.06
"""Board widths between where a die lies and where it was seen: one on a checker, seen from low down, is 0.04 off."""

Array = np.ndarray[Any, Any]


class Banks:
    """What the real reader said, by kind, look and content. rows(): (N, k) float32 readings to draw from."""

    def __init__(self, stored: dict[str, Array]) -> None:
        self._stored = stored

    def rows(self, kind: str, look: str, content: int) -> Array:
        """Readings of such a thing on such a board, else on any board, else of the nearest content that there is."""
        mine = self._stored.get(f"{kind} {look} {content}")
        if mine is not None and len(mine) >= FEWEST:
            return mine
        found = [rows for key, rows in self._stored.items() if _is(key, kind, content)]
        if found:
            return np.concatenate(found)
        near = content - 1 if content > 0 else content + 1
        return np.roll(self.rows(kind, look, near), content - near, axis=1)


def _is(key: str, kind: str, content: int) -> bool:
    first, _, rest = key.partition(" ")
    return first == kind and rest.rsplit(" ", 1)[1] == str(content)


class NoisyEyes:
    """One game's eyes. look() takes every scene of the game in turn and says what the referee would be told of it."""

    watcher = None

    def __init__(self, banks: Banks, look: str, shape: BoardShape, seed: int) -> None:
        self._banks, self._look, self._shape, self._gate = banks, look, shape, Gate()
        self._rng = np.random.default_rng([seed, 77])
        self._drawn: dict[tuple[str, int], tuple[int, Array]] = {}

    def look(self, scene: Scene, seconds: float) -> Observation | None:
        """What this frame says; None where it says nothing new."""
        what = self._gate.see(scene, seconds)
        if what != "read":
            return unread(seconds) if what == "moving" else None
        if self._gate.first:
            self._redraw()
        return self._read(shown_in(scene, self._shape), seconds)

    def _redraw(self) -> None:
        """A new rest: some columns are seen with other eyes."""
        self._drawn = {key: value for key, value in self._drawn.items() if self._rng.random() < KEPT}

    def _draw(self, kind: str, place: int, content: int) -> Array:
        """The reading of what lies at a place, the same again while it stays."""
        known = self._drawn.get((kind, place))
        if known is None or known[0] != content:
            rows = self._banks.rows(kind, self._look, content)
            known = self._drawn[kind, place] = (content, rows[self._rng.integers(len(rows))].astype(np.float32))
        return known[1]

    def _read(self, shown: Shown, seconds: float) -> Observation:
        columns = np.array([self._draw("column", i, count) for i, count in enumerate(shown.columns)])
        bars = np.array([self._draw("bar", i, count) for i, count in enumerate(shown.bar)])
        seen = np.concatenate([columns[:, 31], bars[:1, 16]]).astype(np.float32)
        return Observation(
            seconds,
            columns[:, :31] / columns[:, :31].sum(axis=1, keepdims=True),
            bars[:, :16] / bars[:, :16].sum(axis=1, keepdims=True),
            seen,
            tuple(self._dice(shown)),
            self._cube(shown),
        )

    def _dice(self, shown: Shown) -> Iterator[DieSeen]:
        for place, (value, x, y, flat) in enumerate(shown.dice):
            confidence, lies, *faces = self._draw("die" if flat else "leaning", place + int(x * 1e4), value)[:8]
            if confidence > 0:
                yield DieSeen((x, y), np.asarray(faces, np.float32), float(confidence), float(lies))
        confidence, lies, x, y, *faces = self._draw("phantom", 0, 0)[:10]
        if confidence > 0:
            yield DieSeen((float(x), float(y)), np.asarray(faces, np.float32), float(confidence), float(lies))

    def _cube(self, shown: Shown) -> CubeSeen | None:
        if shown.cube is None:
            return None
        value, x, y = shown.cube
        confidence, dx, dy, *faces = self._draw("cube", int(x * 1e4), CUBE_FACES.index(value))[:9]
        if confidence <= 0:
            return None
        return CubeSeen((x + float(dx), y + float(dy)), np.asarray(faces, np.float32), float(confidence))


def load_banks() -> Banks:
    """The banks that were measured."""
    with np.load(BANKS) as stored:
        return Banks({key: stored[key].astype(np.float32) for key in stored.files})


def banks_of(games: Iterable[Watched], rng: np.random.Generator) -> dict[str, Array]:
    """At most MOST readings of each kind, look and content, chosen at random, as float16."""
    found: dict[str, list[Array]] = defaultdict(list)
    for game in games:
        for reading in game.readings:
            if reading.shown is not None and reading.observation.still:
                for kind, content, row in _rows(reading.observation, reading.shown):
                    found[f"{kind} {game.look} {content}"].append(row)
    chosen = {key: rng.permutation(len(rows))[:MOST] for key, rows in found.items()}
    return {key: np.array([found[key][i] for i in picks], np.float16) for key, picks in chosen.items()}


def _rows(seen: Observation, shown: Shown) -> Iterator[tuple[str, int, Array]]:
    for column, content in enumerate(shown.columns):
        yield "column", content, np.append(seen.columns[column], seen.seen[column])
    for side, content in enumerate(shown.bar):
        yield "bar", content, np.append(seen.bar[side], seen.seen[24])
    left = list(seen.dice)
    for value, x, y, flat in shown.dice:
        die = min(left, key=lambda die: dist(die.at, (x, y)), default=None)
        if die is None or dist(die.at, (x, y)) > SAME_DIE:
            yield "die" if flat else "leaning", value, np.zeros(8)
        else:
            left.remove(die)
            yield "die" if flat else "leaning", value, np.array([die.confidence, die.flat, *die.faces])
    yield from (("phantom", 0, np.array([die.confidence, die.flat, *die.at, *die.faces])) for die in left[:1])
    if not left:
        yield "phantom", 0, np.zeros(10)
    value, x, y = shown.cube
    face = CUBE_FACES.index(value)
    if seen.cube is None:
        yield "cube", face, np.zeros(9)
    else:
        at = seen.cube.at
        yield "cube", face, np.array([seen.cube.confidence, at[0] - x, at[1] - y, *seen.cube.faces])


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True))
def main(folder: Path) -> None:
    """Make the banks."""
    made = banks_of(kept(folder), np.random.default_rng(7))
    np.savez_compressed(BANKS, **made)  # type: ignore[arg-type]  # numpy's stubs take the keywords for allow_pickle
    click.echo(f"{len(made)} banks, {sum(map(len, made.values()))} readings, {BANKS.stat().st_size >> 10} kB")


if __name__ == "__main__":
    main()
