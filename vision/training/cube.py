"""Trains the doubling cube's networks: `python -m vision.training.cube --help`."""

from __future__ import annotations

from vision.reading.cube import BOARD_PX, MARGIN
from vision.training.dice import train


def main() -> None:
    train("cube", BOARD_PX, MARGIN, "Train the networks that find and read the doubling cube.")


if __name__ == "__main__":
    main()
