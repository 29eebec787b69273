"""Trains the dice networks: `python -m vision.training.dice --help`."""

from __future__ import annotations

import argparse
from pathlib import Path

from vision.network import WEIGHTS
from vision.reading.dice import BOARD_PX, MARGIN
from vision.training.dice_bank import SceneBank
from vision.training.dice_data import HELD_OUT
from vision.training.dice_fit import Task, fit


def arguments(description: str) -> argparse.Namespace:
    """The options that dice and cube training share."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("bank", type=Path, nargs="+", help="folders of scenes drawn by vision.training.dice_bank")
    parser.add_argument("--crowd", type=Path, nargs="+", default=[], help="folders drawn with --crowd, for the reader")
    parser.add_argument("--finder-steps", type=int, default=3000, help="batches of 16 scenes")
    parser.add_argument("--reader-steps", type=int, default=8000, help="batches of 32 crops")
    parser.add_argument("--seed", type=int, default=1, help="seed of scenes and weights")
    parser.add_argument(
        "--boards", type=Path, help="folder of board pictures with truth (renders/, dice/); none: drawn scenes only"
    )
    parser.add_argument("--held-out", nargs="*", default=list(HELD_OUT), help="render groups to keep out of training")
    parser.add_argument("--out", type=Path, default=WEIGHTS, help="folder for the weights")
    parser.add_argument("--start", type=Path, help="folder with exported weights to go on from")
    parser.add_argument("--keep", type=Path, help="folder for checkpoints, to go on from after a break")
    parser.add_argument(
        "--parts", nargs="+", default=["finder", "reader"], choices=["finder", "reader"], help="what to train"
    )
    return parser.parse_args()


def train(kind: str, board_px: int, margin: tuple[float, float], description: str) -> None:
    """Trains the finder and the reader of one kind of thing by the command line's options."""
    options = arguments(description)
    task = Task(
        kind=kind,
        board_px=board_px,
        margin=margin,
        boards=options.boards,
        held_out=tuple(options.held_out),
        finder_steps=options.finder_steps,
        reader_steps=options.reader_steps,
        seed=options.seed,
        start=options.start,
        keep=options.keep,
    )
    fit(task, SceneBank(options.bank), SceneBank(options.crowd), options.out, tuple(options.parts))


def main() -> None:
    train("die", BOARD_PX, MARGIN, "Train the networks that find and read dice.")


if __name__ == "__main__":
    main()
