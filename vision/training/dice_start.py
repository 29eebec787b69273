"""Prepares a course: what ships, made trainable again, and grounds small enough to be carried to another machine: `--help`."""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np
import torch

from vision.reading.detector import Finder
from vision.training import dice_net
from vision.training.dice_data import HELD_OUT, photograph, training_truths
from vision.training.dice_pool import CANVASES, draw, open_stock, pack_grounds, samples
from vision.training.quantize import TRAINED
from vision.training.thaw import thawed

NAMES = {"die": "dice", "cube": "cube"}
SCENES, SAMPLES = 80, 160
"""Drawn for the statistics that the batch norms begin with."""


def prepare(out: Path, weights: Path, boards: Path | None, lettering: Path, seed: int) -> None:
    """Writes `out`/start/KIND_PART.pt in half precision and, with boards, `out`/grounds."""
    grounds = None
    if boards:
        grounds = out / "grounds"
        pack_grounds([photograph(truth) for truth in training_truths(boards, HELD_OUT)], grounds)
    rng = np.random.default_rng(seed)
    stock = open_stock(rng, lettering, grounds, 2)
    finders = {kind: Finder(weights / f"{NAMES[kind]}_finder.onnx", *CANVASES[kind]) for kind in CANVASES}
    drawn = samples(rng, draw(rng, stock, SCENES), stock, finders)
    (out / "start").mkdir(parents=True, exist_ok=True)
    for kind, name in NAMES.items():
        for part, what in dice_net.TOGETHER.items():
            path = weights / f"{name}_{part}.onnx"
            if not path.exists():
                continue
            pictures = dice_net.to_tensor(drawn[f"{kind}_{what.sort}"][:SAMPLES])
            state = thawed(what.made(), path, pictures).state_dict()
            halves = {k: v.half() if v.is_floating_point() else v for k, v in state.items()}
            torch.save(halves, out / "start" / f"{kind}_{part}.pt")


def main() -> None:
    parser = argparse.ArgumentParser(description="Prepare what vision.training.dice_course goes on from.")
    parser.add_argument("out", type=Path, help="folder for start/ and grounds/")
    parser.add_argument("--weights", type=Path, default=TRAINED, help="folder with exported weights")
    parser.add_argument("--boards", type=Path, help="folder of board pictures with truth; none: no grounds")
    parser.add_argument("--lettering", type=Path, required=True, help="file of vision.training.dice_fonts")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    prepare(options.out, options.weights, options.boards, options.lettering, options.seed)


if __name__ == "__main__":
    main()
