"""Draws a bank of scenes to disk once, for all networks: `python -m vision.training.dice_bank --help`."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.training.dice_board import SCENE_PX
from vision.training.dice_data import HELD_OUT, photograph, training_truths
from vision.training.dice_scene import DiceScene, Item, SceneDrawer, make_stock
from vision.training.dice_strange import StrangeDrawer
from vision.training.dice_wild import WildDrawer

LOOKS: dict[str, type[SceneDrawer]] = {"ordinary": SceneDrawer, "strange": StrangeDrawer, "wild": WildDrawer}


class SceneBank:
    """Scenes in FOLDER/scenes.npy (memory-mapped) and FOLDER/scenes.jsonl, of one folder or several."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._places: list[tuple[npt.NDArray[np.uint8], int, str]] = []
        for folder in folders:
            pictures = np.load(folder / "scenes.npy", mmap_mode="r")
            lines = (folder / "scenes.jsonl").read_text(encoding="utf-8").splitlines()
            self._places += [(pictures, k, line) for k, line in enumerate(lines)]

    def __len__(self) -> int:
        return len(self._places)

    def __getitem__(self, k: int) -> DiceScene:
        pictures, row, line = self._places[k]
        facts = json.loads(line)
        items = tuple(Item(**{**i, "at": tuple(i["at"])}) for i in facts["items"])
        return DiceScene(np.array(pictures[row]), tuple(facts["lean"]), items)


def draw_bank(
    folder: Path,
    count: int,
    seed: int,
    boards: Path | None,
    held_out: tuple[str, ...],
    crowd: str | None = None,
    look: str = "ordinary",
    lettering: Path | None = None,
) -> None:
    """Draws `count` scenes into `folder`; a share on the ground of those renders in `boards` that may be trained on.

    look: ordinary; strange: rare boards, dice, cubes and cameras, and much that looks like dice and cubes (StrangeDrawer);
    or wild (WildDrawer). lettering: a file of vision.training.dice_fonts; none: the system's fonts.
    """
    cv2.setNumThreads(1)
    rng = np.random.default_rng(seed)
    stock = make_stock(rng, dice=8 if crowd == "cube" else 50, cubes=6 if crowd == "die" else 40, lettering=lettering)
    stock.photographs.extend(photograph(t) for t in training_truths(boards, held_out))
    folder.mkdir(parents=True, exist_ok=True)
    shape = (count, SCENE_PX, SCENE_PX, 3)
    pictures = np.lib.format.open_memmap(folder / "scenes.npy", mode="w+", dtype=np.uint8, shape=shape)
    with (folder / "scenes.jsonl").open("w", encoding="utf-8") as lines:
        for k in range(count):
            scene = LOOKS[look](rng, stock).draw(crowd)
            pictures[k] = scene.image
            lines.write(json.dumps({"lean": scene.lean, "items": [asdict(i) for i in scene.items]}) + "\n")
            if k % 250 == 249:
                lines.flush()
                print(f"{k + 1} of {count}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="Draw scenes with dice, cubes and what looks like them.")
    parser.add_argument("out", type=Path, help="folder for scenes.npy and scenes.jsonl")
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--crowd", choices=["die", "cube"], help="fill the scenes with one kind, to train its reader")
    parser.add_argument(
        "--look", choices=list(LOOKS), default="ordinary", help="how rare boards, solids and cameras are"
    )
    parser.add_argument("--lettering", type=Path, help="file of vision.training.dice_fonts; none: the system's fonts")
    parser.add_argument("--boards", type=Path, help="folder of board pictures with truth; none: drawn grounds only")
    parser.add_argument("--held-out", nargs="*", default=list(HELD_OUT), help="render groups to keep out of training")
    options = parser.parse_args()
    held_out = tuple(options.held_out)
    looks = options.look, options.lettering
    draw_bank(options.out, options.count, options.seed, options.boards, held_out, options.crowd, *looks)


if __name__ == "__main__":
    main()
