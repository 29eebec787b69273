"""Doubling cube faces for training pictures: numbers in every font at hand, on plain, framed and ringed faces."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.observation import CUBE_FACES
from vision.training.dice_board import resized
from vision.training.dice_solids import FACE_PX

Bytes = npt.NDArray[np.uint8]

FONT_FOLDERS = ("/usr/share/fonts", "/usr/share/gnubg/fonts")
HERSHEY = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
    cv2.FONT_HERSHEY_PLAIN,
)
GLYPH_PX = 160


def font_files(folders: tuple[str, ...] = FONT_FOLDERS) -> list[str]:
    """TrueType and OpenType files under the folders, sorted; empty where there are none (OpenCV's own fonts remain)."""
    return sorted(str(p) for f in folders for p in Path(f).rglob("*") if p.suffix.lower() in {".ttf", ".otf"})


def _trim(mask: Bytes) -> Bytes:
    x, y, w, h = cv2.boundingRect(mask)
    return mask[y : y + h, x : x + w]


def glyph(text: str, font: str | int, weight: int) -> Bytes:
    """(h, w) uint8, the number in white on black, cut to its ink. `font`: a file or one of OpenCV's Hershey fonts."""
    size = (GLYPH_PX * 2, GLYPH_PX * 3)
    if isinstance(font, int):
        canvas = np.zeros(size, np.uint8)
        cv2.putText(canvas, text, (40, 220), font, 5, 255, weight, cv2.LINE_AA)
        return _trim(canvas)
    coloured = np.zeros((*size, 3), np.uint8)
    cv2.putText(coloured, text, (40, 220), (255, 255, 255), cv2.FontFace(font), GLYPH_PX, weight * 40)
    return _trim(coloured[..., 0])


NO_CUBE = (
    "0",
    "1",
    "3",
    "5",
    "6",
    "7",
    "9",
    "10",
    "11",
    "12",
    "13",
    "15",
    "17",
    "18",
    "19",
    "21",
    "25",
    "0:24",
    "1:53",
)


LETTERS = "ABCDEFGHIJKLMNOPRSTUVWXYZabcdefghiklmnoprstuvwxyz.&!*0123456789"


@dataclass(frozen=True)
class Lettering:
    """(h, w) uint8 masks. numbers: sets of a cube's six numbers; words: makers' signs; cards: numbers that no cube shows."""

    numbers: list[dict[int, Bytes]]
    words: list[Bytes]
    cards: list[Bytes]


def set_lettering(rng: np.random.Generator, files: list[str], styles: int) -> Lettering:
    """`styles` sets of numbers, each in one font and weight, and as many words and cards; `files`: fonts."""
    fonts: list[str | int] = [*files, *HERSHEY]
    words = []
    for _ in range(styles):
        text = "".join(rng.choice(list(LETTERS), int(rng.choice([1, 2, 3, 5, 9]))))
        if text in map(str, CUBE_FACES):
            continue
        words.append(glyph(text, fonts[rng.integers(len(fonts))], int(rng.integers(2, 16))))
    cards = [glyph(str(rng.choice(NO_CUBE)), fonts[rng.integers(len(fonts))], 10) for _ in range(styles)]
    return Lettering(_number_sets(rng, files, styles), [w for w in words if w.size > 400], cards)


def _number_sets(rng: np.random.Generator, files: list[str], styles: int) -> list[dict[int, Bytes]]:
    bank: list[dict[int, Bytes]] = []
    while len(bank) < styles:
        if files and rng.random() < 0.8:
            font: str | int = files[rng.integers(len(files))]
            weight = int(rng.choice([0, 0, 10, 15]))
        else:
            font, weight = HERSHEY[rng.integers(len(HERSHEY))], int(rng.integers(6, 26))
        marks = {value: glyph(str(value), font, weight) for value in CUBE_FACES}
        if all(m.size > 400 and m.max() > 200 for m in marks.values()):
            bank.append(marks)
    return bank


def save_lettering(lettering: Lettering, path: Path, high: int = 96) -> None:
    """Writes the masks, `high` px at most, to an .npz file."""

    def small(mark: Bytes) -> Bytes:
        scale = min(1.0, high / len(mark))
        return resized(mark, scale)

    held = {
        f"n{k:04}_{value}": small(mark) for k, marks in enumerate(lettering.numbers) for value, mark in marks.items()
    }
    held |= {f"w{k:04}": small(mark) for k, mark in enumerate(lettering.words)}
    held |= {f"c{k:04}": small(mark) for k, mark in enumerate(lettering.cards)}
    np.savez_compressed(path, **held)  # type: ignore[arg-type]


def load_lettering(path: Path) -> Lettering:
    """What save_lettering wrote."""
    with np.load(path) as held:
        marks = {name: np.asarray(held[name], np.uint8) for name in held.files}
    numbers: dict[str, dict[int, Bytes]] = {}
    for name in (n for n in marks if n[0] == "n"):
        style, value = name.split("_")
        numbers.setdefault(style, {})[int(value)] = marks[name]
    words, cards = ([mark for name, mark in marks.items() if name[0] == first] for first in "wc")
    return Lettering(list(numbers.values()), words, cards)


def cube_atlas(rng: np.random.Generator, bank: list[dict[int, Bytes]]) -> tuple[Bytes, tuple[int, ...]]:
    """(6, 64, 64) uint8 ink masks of one cube, numbers turned anyhow, and the number on each face."""
    marks = bank[rng.integers(len(bank))]
    values = rng.permutation(CUBE_FACES)
    high, wide = rng.uniform(0.26, 0.68), rng.uniform(0.45, 0.85)
    frame = rng.random()
    thin = int(rng.integers(-1, 3))
    atlas = np.zeros((6, FACE_PX, FACE_PX), np.uint8)
    big = FACE_PX * 4
    for picture, value in zip(atlas, values, strict=True):
        mark = marks[int(value)]
        h, w = high * big, mark.shape[1] / mark.shape[0] * high * big * rng.uniform(0.85, 1.15)
        fit = min(1.0, wide * big / w)
        ink = cv2.resize(mark, (max(4, int(w * fit)), max(4, int(h * fit))), interpolation=cv2.INTER_AREA)
        canvas = np.zeros((big, big), np.uint8)
        y, x = (big - ink.shape[0]) // 2, (big - ink.shape[1]) // 2
        canvas[y : y + ink.shape[0], x : x + ink.shape[1]] = ink
        if thin:
            kernel = np.ones((abs(thin) * 2 + 1,) * 2, np.uint8)
            canvas = np.asarray(cv2.dilate(canvas, kernel) if thin > 0 else cv2.erode(canvas, kernel), np.uint8)
        if frame < 0.08:
            cv2.rectangle(canvas, (20, 20), (big - 20, big - 20), 255, 6)
        elif frame < 0.16:
            cv2.circle(canvas, (big // 2, big // 2), int(big * 0.42), 255, 6, cv2.LINE_AA)
        small = cv2.resize(canvas, (FACE_PX, FACE_PX), interpolation=cv2.INTER_AREA)
        picture[:] = np.rot90(small, int(rng.integers(4)))
    return atlas, tuple(int(v) for v in values)


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Set cube numbers, signs and cards in many fonts, for drawing without them."
    )
    parser.add_argument("out", type=Path, help="file for the masks, .npz")
    parser.add_argument("--fonts", nargs="*", default=list(FONT_FOLDERS), help="folders of fonts")
    parser.add_argument("--styles", type=int, default=240)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    save_lettering(set_lettering(rng, font_files(tuple(options.fonts)), options.styles), options.out)


if __name__ == "__main__":
    main()
