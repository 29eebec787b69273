"""Pictures of boards of any make, modelled and path-traced by Blender, with their truth: no board comes twice.

    pip install bpy ; python benchmarks/lit_boards.py FOLDER [--seeds 1-150] [--kind "from low down"]
    python benchmarks/accuracy.py FOLDER --out RESULTS

A picture takes some 40 s of a core; a run that was stopped goes on. Every board has its own shape, materials, checkers, dice, cube,
light and camera; numerals are in the fonts that the machine has. Nothing of it is shared with what draws the boards that teach
(`vision/training`) or with the simulator; nothing learns from it and no constant is fitted on it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from random import Random

import click
import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from benchmarks.seeds import seeds_in
from controller.simulation.stills import random_position
from vision.frame import Image


def developed(rng: Random, picture: Image) -> Image:
    """The picture as a camera keeps it: exposed by itself, a little soft, grainy and warm."""
    light = np.percentile(picture.max(axis=2), 97) / 255
    gain = rng.uniform(0.75, 1.05) * 0.9 / max(float(light), 0.02)
    values = picture.astype(np.float32) * gain ** rng.uniform(0.6, 1.0)
    values *= np.array([1 + rng.gauss(0, 0.06), 1, 1 + rng.gauss(0, 0.06)], np.float32)
    if rng.random() < 0.5:
        values = cv2.GaussianBlur(values, (0, 0), rng.uniform(0.4, 1.3))
    grain = np.random.default_rng(rng.getrandbits(32)).normal(0, rng.choice((0.5, 2.0, 5.0)), values.shape)
    return np.asarray(np.clip(values + grain, 0, 255), np.uint8)


@click.command(help=__doc__)
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--seeds", default="1-150", show_default=True)
@click.option(
    "--kind", default="ordinary", show_default=True, help="What is made beyond the usual (benchmarks/lit/kinds.py)."
)
def main(folder: Path, seeds: str, kind: str) -> None:
    """Makes them."""
    from benchmarks.lit.kinds import KINDS
    from benchmarks.lit.picture import Held, photograph

    if kind not in KINDS:
        raise click.UsageError(f"There is no kind {kind!r}; there are {', '.join(KINDS)}.")
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "truth.jsonl").open("a", encoding="utf-8") as rows:
        for seed in seeds_in(seeds):
            name = f"{seed}.jpg"
            if (folder / name).exists():
                continue
            rng = Random(f"lit {seed}")
            held = Held.of(random_position(rng), "bottom-right")
            raw = folder / f"{seed}.png"
            truth = photograph(seed, held, raw, KINDS[kind])
            taken = developed(rng, np.asarray(cv2.imread(str(raw)), np.uint8))
            raw.unlink()
            cv2.imwrite(str(folder / name), taken, [cv2.IMWRITE_JPEG_QUALITY, rng.choice((60, 80, 92))])
            rows.write(json.dumps({"file": name} | truth | {"group": f"lit-{seed}"}) + "\n")
            rows.flush()


if __name__ == "__main__":
    main()
