"""Trains the doubling cube's networks: `python -m vision.training.cube --help`."""

from __future__ import annotations

from vision.cube import BOARD_PX, MARGIN
from vision.training.dice import arguments
from vision.training.dice_bank import SceneBank
from vision.training.dice_fit import Task, fit


def main() -> None:
    options = arguments("Train the networks that find and read the doubling cube.")
    task = Task(
        kind="cube",
        board_px=BOARD_PX,
        margin=MARGIN,
        boards=options.boards,
        held_out=tuple(options.held_out),
        finder_steps=options.finder_steps,
        reader_steps=options.reader_steps,
        seed=options.seed,
        start=options.start,
        keep=options.keep,
    )
    fit(task, SceneBank(options.bank), SceneBank(options.crowd), options.out, tuple(options.parts))


if __name__ == "__main__":
    main()
