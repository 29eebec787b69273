"""Draws scenes without end and cuts them into the networks' samples, one file a chunk, beside a course or ahead of it: `--help`."""

from __future__ import annotations

import argparse
import json
import multiprocessing
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import torch

from vision.reading import cube, dice
from vision.reading.detector import BoardPicture, Finder
from vision.training import dice_data, dice_net
from vision.training.dice_scene import DiceScene, Item, Photograph, SceneDrawer, Stock, make_stock
from vision.training.dice_solids import library
from vision.training.dice_strange import StrangeDrawer
from vision.training.dice_wild import WildDrawer

Arrays = dict[str, npt.NDArray[Any]]

CANVASES = {"die": (dice.BOARD_PX, dice.MARGIN), "cube": (cube.BOARD_PX, cube.MARGIN)}
DRAWERS: tuple[type[SceneDrawer], ...] = (SceneDrawer, StrangeDrawer, WildDrawer)
DRAWER_SHARES = (0.15, 0.25, 0.6)
CROWD_SHARE = 0.5
"""Of scenes full of what is trained: of dice, of cubes, half of them of either where both are."""
REAL_SHARE = 0.15
CHUNK = 40
CARD_SHARE = 0.5
GROUND_PX, GROUND_QUALITY = 0.8, 82


class LearningFinder(Finder):
    """A finder that is still learning: reads its weights again whenever the trainer has written them."""

    def __init__(self, kind: str, weights: Path) -> None:
        self.board_px, self.margin = CANVASES[kind]
        self._weights, self._read = weights, 0.0
        self._net = dice_net.SolidFinderNet().eval()
        self.refresh()

    def refresh(self) -> None:
        """Takes newer weights, where there are any."""
        written = self._weights.stat().st_mtime
        if written > self._read:
            self._net.load_state_dict({k: v.float() for k, v in torch.load(self._weights).items()})
            self._read = written

    def heat(self, picture: npt.NDArray[np.uint8]) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        with torch.no_grad():
            out = self._net(dice_net.to_tensor(picture[None]))[0].numpy()
        return np.asarray(1 / (1 + np.exp(-out[0])), np.float32), np.asarray(out[1], np.float32)


def pack_grounds(photographs: Sequence[Photograph], folder: Path) -> None:
    """Writes grounds small enough to be carried to another machine."""
    folder.mkdir(parents=True, exist_ok=True)
    facts = []
    for k, one in enumerate(photographs):
        small = cv2.resize(one.image, None, fx=GROUND_PX, fy=GROUND_PX, interpolation=cv2.INTER_AREA)
        cv2.imwrite(str(folder / f"{k:02}.jpg"), small, [cv2.IMWRITE_JPEG_QUALITY, GROUND_QUALITY])
        view = {"foot": one.view.foot, "height": one.view.height, "stretch": one.view.stretch}
        size = one.image.shape[:2]
        items = [asdict(i) for i in one.items]
        facts.append({"size": size, "view": view, "to_view": one.to_view.tolist(), "items": items})
    (folder / "grounds.json").write_text(json.dumps(facts), encoding="utf-8")


def unpack_grounds(folder: Path) -> list[Photograph]:
    """What pack_grounds wrote; the views know only where their camera stood."""
    grounds = []
    for k, fact in enumerate(json.loads((folder / "grounds.json").read_text(encoding="utf-8"))):
        small = np.asarray(cv2.imread(str(folder / f"{k:02}.jpg")), np.uint8)
        image = np.asarray(cv2.resize(small, (fact["size"][1], fact["size"][0])), np.uint8)
        v = fact["view"]
        view = BoardPicture(np.zeros((1, 1, 3), np.uint8), np.eye(3), tuple(v["foot"]), v["height"], v["stretch"])
        items = tuple(Item(**{**i, "at": tuple(i["at"])}) for i in fact["items"])
        grounds.append(Photograph(image, view, np.array(fact["to_view"]), items))
    return grounds


def samples(
    rng: np.random.Generator, scenes: Sequence[tuple[DiceScene, str | None]], stock: Stock, finders: dict[str, Finder]
) -> Arrays:
    """The scenes cut into samples. Names begin with the kind; pictures and crops are uint8, heat is 0-255.

    scenes: each with its crowd; those without one teach the finders.
    """
    out: dict[str, list[Any]] = {}

    def add(name: str, value: Any) -> None:
        out.setdefault(name, []).append(value)

    for scene, crowd in scenes:
        for kind, finder in finders.items():
            if crowd not in (None, kind):
                continue
            if crowd is None:
                picture, heat, size = dice_data.finder_sample(scene, kind, finder.board_px)
                add(f"{kind}_picture", picture)
                add(f"{kind}_heat", (heat * 255).astype(np.uint8))
                add(f"{kind}_size", size.astype(np.float16))
            crops = list(dice_data.scene_crops(rng, scene, kind, None if crowd else finder))
            if kind == "cube" and rng.random() < CARD_SHARE:
                crops.append(dice_data.card_crop(rng, scene, stock.cards))
            for crop in crops:
                add(f"{kind}_crop", crop.image)
                add(f"{kind}_fine", crop.fine)
                add(f"{kind}_answer", np.array([crop.one, crop.face, crop.flat], np.float32))
    return {name: np.stack(values) for name, values in out.items()}


def draw(
    rng: np.random.Generator, stock: Stock, count: int, kinds: Sequence[str] = tuple(CANVASES)
) -> list[tuple[DiceScene, str | None]]:
    """`count` scenes of all sorts, each with what crowds it: one of the `kinds`, or None."""
    scenes: list[tuple[DiceScene, str | None]] = []
    for _ in range(count):
        drawer = DRAWERS[int(rng.choice(len(DRAWERS), p=DRAWER_SHARES))]
        pick = int(rng.random() * len(kinds) / CROWD_SHARE)
        crowd = kinds[pick] if pick < len(kinds) else None
        scenes.append((drawer(rng, stock).draw(crowd), crowd))
    return scenes


def open_stock(rng: np.random.Generator, lettering: Path, grounds: Path | None, tiles: int) -> Stock:
    """A worker's stock: `tiles` dice and cubes a lean to begin with."""
    stock = make_stock(rng, tiles, tiles, lettering)
    if grounds:
        stock.photographs.extend(unpack_grounds(grounds))
    return Stock(
        stock.textures, stock.dice, stock.cubes, stock.numbers, stock.photographs, stock.words, stock.cards, REAL_SHARE
    )


def recast(rng: np.random.Generator, stock: Stock, most: int) -> None:
    """Casts one new die and cube a lean; the stock grows to `most` of each, then the oldest go."""
    for held, px, rounding, tilted in ((stock.dice, 100, (0.01, 0.22), 0.3), (stock.cubes, 160, (0.012, 0.18), 0.06)):
        for tiles, (new,) in zip(held, library(rng, 1, px, rounding, tilted), strict=True):
            tiles.append(new)
            del tiles[:-most]


def work(
    folder: Path, seed: int, lettering: Path, grounds: Path | None, weights: Path, until: float, kinds: Sequence[str]
) -> None:
    """Writes chunks into `folder` as SEED-NUMBER.npz until the clock says `until`, epoch seconds.

    weights: folder with KIND_finder.pt of each of the `kinds`, whose errors are shown to the readers.
    """
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    rng = np.random.default_rng(seed)
    stock = open_stock(rng, lettering, grounds, 6)
    finders = {kind: LearningFinder(kind, weights / f"{kind}_finder.pt") for kind in kinds}
    number = 0
    while time.time() < until:
        arrays = samples(rng, draw(rng, stock, CHUNK, kinds), stock, dict(finders))
        beside = folder / f"{seed}-{number:05}.part.npz"
        np.savez(beside, **arrays)  # type: ignore[arg-type]
        beside.rename(folder / f"{seed}-{number:05}.npz")
        number += 1
        recast(rng, stock, 40)
        for finder in finders.values():
            finder.refresh()


def main() -> None:
    parser = argparse.ArgumentParser(description="Draw chunks of samples until the clock says so.")
    parser.add_argument("out", type=Path, help="folder for the chunks")
    parser.add_argument("--until", type=float, required=True, help="epoch seconds after which none is begun")
    parser.add_argument(
        "--weights", type=Path, required=True, help="folder with KIND_finder.pt (vision.training.dice_start)"
    )
    parser.add_argument("--lettering", type=Path, required=True, help="file of vision.training.dice_fonts")
    parser.add_argument("--grounds", type=Path, help="folder of packed grounds")
    parser.add_argument("--kinds", nargs="+", choices=list(CANVASES), default=list(CANVASES))
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1, help="of the first worker; the others' count up")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    shared = (options.lettering, options.grounds, options.weights, options.until, options.kinds)
    context = multiprocessing.get_context("spawn")
    hands = [
        context.Process(target=work, args=(options.out, options.seed + k, *shared)) for k in range(options.workers)
    ]
    for hand in hands:
        hand.start()
    for hand in hands:
        hand.join()


if __name__ == "__main__":
    main()
