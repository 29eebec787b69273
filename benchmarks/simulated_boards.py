"""Writes pictures of simulated tables in mid-game with their truth, as labelled pictures have it: for fits and for looking.

    python benchmarks/simulated_boards.py FOLDER [--seeds 5100-5125]

Of each table the first game's rests: four with a checker on the bar, where there are so many, and one without. Rows of
truth.jsonl are those of `vision.training.calibrate`: file, corners, top, bottom, bar, and the look as group.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import click
import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from benchmarks.seeds import seeds_in
from benchmarks.watched import Gate, Shown, first_games, length_for, shown_in
from controller.simulation import SimulatedMatch, SimulatedTable, look_for_seed
from controller.simulation.renderer import Renderer
from vision.frame import Corners, Image

WITH_HIT, WITHOUT = 4, 1
SIZE = (1280, 720)


def drawn_at_rest(seed: int, *, leaning: bool = False) -> Iterator[tuple[Image, Shown, Corners]]:
    """Pictures of this table's first game at rest, with what lies there. leaning: only those in which a die leans."""
    table, gate = SimulatedTable(seed, SimulatedMatch("some", length_for(seed)), faults=()), Gate()
    scenes = [
        (scene, shown_in(scene, table.look.shape))
        for number, scene in enumerate(first_games(table))
        if gate.see(scene, number / table.fps) == "read" and gate.first
    ]
    hit = [pair for pair in scenes if any(pair[1].bar)]
    plain = [pair for pair in scenes if not any(pair[1].bar)]
    rng, renderer = Random(seed), Renderer(table.look, SIZE, seed)
    chosen = rng.sample(hit, min(WITH_HIT, len(hit))) + rng.sample(plain, min(WITHOUT, len(plain)))
    if leaning:
        chosen = [pair for pair in scenes if not all(flat for *_, flat in pair[1].dice)]
    for scene, shown in chosen:
        yield renderer.draw(scene), shown, np.array(table.corners, np.float32)


@click.command(help=__doc__)
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--seeds", default="5100-5125", show_default=True)
def main(folder: Path, seeds: str) -> None:
    """Draws them."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "truth.jsonl").open("w", encoding="utf-8") as truth:
        for seed in seeds_in(seeds):
            for index, (picture, shown, corners) in enumerate(drawn_at_rest(seed)):
                name = f"{seed}-{index}.png"
                cv2.imwrite(str(folder / name), picture)
                cells = [[max(count, 0), max(-count, 0)] for count in shown.columns]
                row = {
                    "file": name,
                    "corners": corners.tolist(),
                    "top": cells[:12],
                    "bottom": cells[12:],
                }
                truth.write(json.dumps(row | {"bar": list(shown.bar), "group": look_for_seed(seed).name}) + "\n")


if __name__ == "__main__":
    main()
