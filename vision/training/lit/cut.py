"""Cuts lit windows into the readers' samples: what each solid, each decoy and each error of a finder looks like from there."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.reading.detector import FINE_PX, BoardPicture, Candidate, Finder, crop, look
from vision.training.dice_data import HIDDEN, MATCH_SIDES, NOTHING, PLAIN, SIDE_LEAN, Crop, jitter, label

ANEW = 3
"""How often each solid is cut, each time as another finder might have placed it."""
LEAST_SIDE = 9.0
"""Px of an upper face below which nobody could read it."""
LOOKS = 2
"""How often each window is shown to a finder, shifted otherwise."""
FINDER_PX = {"die": 192, "cube": 104}
"""Side of a finder's pictures, as drawn scenes have them."""
MOST_ERRORS, MOST_CANDIDATES, LEAST_SCORE = 4, 12, 0.06


@dataclass(frozen=True)
class Placed:
    """A thing in a window. at: view plane; size: side of its upper face, board widths; seen: share of that face."""

    kind: str
    value: int
    at: tuple[float, float]
    size: float
    seen: float
    side_px: float


@dataclass(frozen=True)
class Window:
    """A lit window and what lies in it."""

    view: BoardPicture
    things: tuple[Placed, ...]


def exposed(rng: np.random.Generator, image: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """The picture as a camera that exposes by itself gives it, most of the way from as dark or bright as it was rendered."""
    bright = max(float(np.percentile(image.max(axis=2), 97)), 8.0)
    gain = min((rng.uniform(180, 255) / bright) ** rng.uniform(0.3, 1.0), 8.0)
    return np.asarray(np.clip(image.astype(np.float32) * gain, 0, 255), np.uint8)


def windows(folder: Path, skip: frozenset[str] = frozenset()) -> Iterator[tuple[str, Window]]:
    """Every window of a folder of `vision.training.lit.draw` but those whose files' names are in `skip`, with its file's name."""
    for rows in sorted(folder.glob("truth-*.jsonl")):
        for line in rows.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if row["file"] not in skip and (folder / row["file"]).exists():
                yield row["file"], _window(np.asarray(cv2.imread(str(folder / row["file"])), np.uint8), row)


def _window(image: npt.NDArray[np.uint8], row: dict[str, Any]) -> Window:
    facts = row["view"]
    view = BoardPicture(image, np.array(facts["to_source"]), tuple(facts["foot"]), facts["height"], facts["stretch"])
    back = np.linalg.inv(view.to_source)

    def on_board(px: Sequence[float]) -> npt.NDArray[np.float64]:
        x, y, w = back @ np.array([*px, 1.0])
        return np.array([x / w, y / w])

    things = []
    for one in row["solids"]:
        quad = np.array([on_board(corner) for corner in one["corners"]], np.float32)
        side_px = float(np.sqrt(cv2.contourArea(np.array(one["corners"], np.float32))))
        x, y = on_board(one["px"])
        size = float(np.sqrt(cv2.contourArea(quad)))
        things.append(Placed(one["kind"], one["value"], (float(x), float(y)), size, one["seen"], side_px))
    return Window(view, tuple(things))


def _apart(one: Candidate, other: Placed) -> float:
    return float(np.hypot(one.at[0] - other.at[0], one.at[1] - other.at[1]))


def cut(rng: np.random.Generator, window: Window, kind: str, finder: Finder) -> Iterator[Crop]:
    """Crops of every readable solid of the kind, and of what is none: decoys, the other kind, solids' sides, a finder's errors."""
    view = replace(window.view, image=exposed(rng, window.view.image))
    own = [one for one in window.things if one.kind == kind and one.seen >= HIDDEN]
    plain = [one for one in own if one.seen >= PLAIN and one.side_px >= LEAST_SIDE]
    places = [
        (Candidate(one.at, one.size, 1.0), label(kind, one.value, flat=None)) for one in plain for _ in range(ANEW)
    ]
    others: list[Candidate] = []
    for thing in window.things:
        if thing.kind != kind and thing.seen > 0.3:
            size = thing.size * float(np.exp(rng.uniform(-0.4, 0.4)))
            others.append(Candidate(thing.at, size, 0.0))
    for one in plain:
        lean = view.lean(one.at)
        if np.hypot(*lean) > SIDE_LEAN:
            down = one.size * rng.uniform(0.6, 1.0)
            others.append(
                Candidate((one.at[0] - float(lean[0]) * down, one.at[1] - float(lean[1]) * down), one.size, 0.0)
            )
    found = finder.find(view, LEAST_SCORE, MOST_CANDIDATES)
    errors = [one for one in found if all(_apart(one, solid) > MATCH_SIDES * 1.6 * solid.size for solid in own)]
    others += [errors[k] for k in rng.permutation(len(errors))[:MOST_ERRORS]]
    free = [other for other in others if all(_apart(other, solid) > MATCH_SIDES * solid.size for solid in own)]
    places += [(other, NOTHING) for other in free]
    for candidate, (is_one, face, flat) in places:
        moved = jitter(rng, candidate)
        yield replace(Crop(crop(view, moved), is_one, face, flat), fine=crop(view, moved, FINE_PX))


def finder_sample(
    rng: np.random.Generator, window: Window, kind: str, board_px: int, px: int
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32], npt.NDArray[np.float32]] | None:
    """The window as a finder sees it: (px, px, 3) picture, heat and size of each cell as `dice_data.finder_sample` has them; None
    where something in it can neither be asked for nor be denied."""
    view = replace(window.view, image=exposed(rng, window.view.image))
    h, w = view.image.shape[:2]
    middle = np.linalg.inv(view.to_source) @ np.array([w / 2, h / 2, 1])
    corner = middle[:2] / middle[2] - px / board_px / 2 * (1 + rng.uniform(-0.15, 0.15, 2))
    to_view = np.array([[1 / board_px, 0, corner[0]], [0, 1 / board_px, corner[1]], [0, 0, 1]])
    cells = px // Finder.STRIDE
    heat, size = np.zeros((cells, cells), np.float32), np.zeros((cells, cells), np.float32)
    ys, xs = np.mgrid[:cells, :cells]
    for one in window.things:
        at = ((np.array(one.at) - corner) * board_px - 1.5) / Finder.STRIDE
        if one.kind != kind or not (-1 < at[0] < cells and -1 < at[1] < cells):
            continue
        if HIDDEN * 0.5 < one.seen < HIDDEN:
            return None
        if one.seen < HIDDEN:
            continue
        bump = np.exp(-((xs - at[0]) ** 2 + (ys - at[1]) ** 2) / 2).astype(np.float32)
        size[(bump > 0.3) & (bump > heat)] = one.size * board_px / Finder.STRIDE
        heat = np.maximum(heat, bump)
    return look(view, to_view, (px, px)), heat, size


def samples(rng: np.random.Generator, window: Window, finders: dict[str, Finder]) -> dict[str, npt.NDArray[Any]]:
    """A window's crops and finders' pictures of each kind, called as those of drawn scenes are (`vision.training.dice_pool`)."""
    out: dict[str, list[Any]] = {}
    for kind, finder in finders.items():
        for one in cut(rng, window, kind, finder):
            out.setdefault(f"{kind}_crop", []).append(one.image)
            out.setdefault(f"{kind}_fine", []).append(one.fine)
            out.setdefault(f"{kind}_answer", []).append(np.array([one.one, one.face, one.flat], np.float32))
        for _ in range(LOOKS):
            found = finder_sample(rng, window, kind, finder.board_px, FINDER_PX[kind])
            if found:
                out.setdefault(f"{kind}_picture", []).append(found[0])
                out.setdefault(f"{kind}_heat", []).append((found[1] * 255).astype(np.uint8))
                out.setdefault(f"{kind}_size", []).append(found[2].astype(np.float16))
    return {name: np.stack(values) for name, values in out.items()}
