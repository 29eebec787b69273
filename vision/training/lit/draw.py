"""Draws lit windows on tables with dice, cubes and decoys, and says where they are: `pip install bpy`, then `--help`."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path

import bpy
import cv2
import numpy as np

from vision.training.dice_fonts import Lettering, load_lettering
from vision.training.lit import eye, table
from vision.training.lit.matter import Rng

CROWDED = 0.75
"""Share of windows that show a crowd closely; the others show more of a board with less on it."""


def photograph(seed: int, marks: Lettering, to: Path, threads: int) -> dict[str, object]:
    """Renders one window into `to` (a PNG) and returns its truth but for the file's name."""
    rng: Rng = np.random.default_rng([seed, 20])
    bpy.ops.wm.read_factory_settings(use_empty=True)
    make, crowd, crowded = table.Make.any(rng), table.Crowd(), rng.random() < CROWDED
    table.build(rng, make)
    near = table.spot(rng, make)
    spread = 0.85 if crowded else 2.0
    table.checkers(rng, make, crowd, near, spread * 1.5)
    sets = [table.DiceMake.any(rng) for _ in range(3)]
    for _ in range(int(rng.integers(3, 6)) if crowded else 2):
        table.cube(rng, make, crowd, near, spread, marks)
        table.die(rng, make, crowd, near, spread, sets[rng.integers(3)])
    for _ in range(int(rng.integers(1, 4))):
        table.decoy(rng, make, crowd, near, spread, marks)
        table.die(rng, make, crowd, near, spread, sets[rng.integers(3)])
    eye.light(rng)
    board_px = rng.uniform(420, 950) if crowded else rng.uniform(320, 560)
    whole = eye.put_camera(rng, make, board_px)
    window = eye.near(whole, near, int(board_px * 0.37) if crowded else int(board_px * 0.7))
    seen = [eye.seen(one, window) for one in crowd.lying]
    eye.render(rng, window, to, threads)
    return {"view": eye.view_of(make, window), "solids": seen}


def write_rows(out: Path, seeds: range, until: float, one: Callable[[int, Path], dict[str, object]]) -> None:
    """Writes SEED.jpg for every seed that has none yet, and its truth as a line of truth-FIRST.jsonl.

    one: renders a seed's picture as a PNG and answers its truth. until: epoch seconds after which no new one is begun.
    """
    out.mkdir(parents=True, exist_ok=True)
    with (out / f"truth-{seeds.start}.jsonl").open("a", encoding="utf-8") as rows:
        for seed in seeds:
            picture, raw = out / f"{seed}.jpg", out / f"{seed}.png"
            if picture.exists():
                continue
            if time.time() > until:
                break
            row = one(seed, raw)
            rows.write(json.dumps({"file": picture.name, **row}) + "\n")
            rows.flush()
            cv2.imwrite(str(picture), np.asarray(cv2.imread(str(raw))), [cv2.IMWRITE_JPEG_QUALITY, 96])
            raw.unlink()


def arguments(description: str) -> argparse.ArgumentParser:
    """What all that draws lit pictures is asked."""
    parser = argparse.ArgumentParser(description=f"{description}; a run that was stopped goes on.")
    parser.add_argument("out", type=Path, help="folder for SEED.jpg and truth.jsonl")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--lettering", type=Path, required=True, help="file of vision.training.dice_fonts")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--until", type=float, default=float("inf"), help="epoch seconds after which none is begun")
    return parser


def draw_all(options: argparse.Namespace, one: Callable[[int, Lettering, Path, int], dict[str, object]]) -> None:
    """Draws what was asked for. one: renders the picture of a seed with these marks to a path on so many threads; its truth."""
    marks = load_lettering(options.lettering)
    seeds = range(options.seed, options.seed + options.count)
    write_rows(options.out, seeds, options.until, lambda seed, to: one(seed, marks, to, options.threads))


if __name__ == "__main__":
    draw_all(arguments("Draw lit windows").parse_args(), photograph)
