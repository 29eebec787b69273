"""Measures the dice and cube readers on board pictures: `python -m vision.training.dice_figures --help`."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.network import WEIGHTS
from vision.observation import CubeSeen, DieSeen
from vision.reading.cube import CubeReader
from vision.reading.detector import VIEW_ASPECT, BoardPicture, open_view
from vision.reading.dice import DiceReader
from vision.training.dice_data import Truth, truths

SMALLEST_FACE_PX = 13
"""Upper faces smaller than this in the picture aren't counted: a person couldn't read them either."""
CUBE_PLACE = 0.04
"""A cube's place is right within 4 % of the board's width."""


def wanted_dice(truth: Truth) -> list[int] | None:
    """The flat dice, sorted; None where they aren't known or too small to count."""
    dice = truth.row["dice"]
    if dice is None or any(d.get("face_px", 99) < SMALLEST_FACE_PX for d in dice if not d["cocked"]):
        return None
    return sorted(d["value"] for d in dice if not d["cocked"])


def cube_distance(truth: Truth, view: BoardPicture, seen: CubeSeen) -> float:
    """How far the cube was seen from its true place, in board widths of the picture."""
    p = view.to_source @ np.array([seen.at[0], seen.at[1] * VIEW_ASPECT, 1])
    scale = view.image.shape[1] / truth.row["size"][0]
    corners = truth.corners
    off = p[:2] / p[2] / scale - np.array(truth.row["cube"]["px"])
    return float(np.hypot(*off) / np.linalg.norm(corners[0] - corners[1]))


def judge(truth: Truth, view: BoardPicture, dice: tuple[DieSeen, ...], cube: CubeSeen | None) -> Counter[str]:
    """What one picture adds to its group's figures."""
    tally: Counter[str] = Counter()
    want = wanted_dice(truth)
    if want is not None:
        got = sorted(d.value for d in dice if d.flat > 0.5)
        tally.update(dice_pictures=1, dice_right=got == want, false_dice=max(0, len(got) - len(want)))
        tally.update(missed_dice=max(0, len(want) - len(got)))
    if truth.row["cube"]:
        placed = cube is not None and cube_distance(truth, view, cube) <= CUBE_PLACE
        face = cube is not None and cube.value == truth.row["cube"]["shown"]
        tally.update(cubes=1, cube_face_right=face, cube_place_right=placed)
    else:
        tally.update(without_cube=1, phantom_cubes=cube is not None)
    return tally


def measure(boards: Path, weights: Path, wrong: list[str]) -> dict[str, dict[str, int]]:
    """Figures by picture set and group; appends a line on each wrong picture to `wrong`."""
    dice_reader, cube_reader = DiceReader(weights), CubeReader(weights)
    figures: dict[str, Counter[str]] = {}
    for name in ("renders", "photos", "games/dev1", "games/dev2"):
        for truth in truths(boards / name):
            view = open_view(truth.image(), truth.corners)
            dice, cube = dice_reader.read_view(view), cube_reader.read_view(view)
            tally = judge(truth, view, dice, cube)
            figures.setdefault(f"{name} {truth.group}", Counter()).update(tally)
            if tally["dice_right"] < tally["dice_pictures"]:
                dice_read = [
                    (d.value, round(d.confidence, 2), round(d.flat, 2), round(float(d.faces.max()), 2)) for d in dice
                ]
                true = [(d["value"], d["cocked"], d.get("face_px")) for d in truth.row["dice"]]
                wrong.append(f"{name}/{truth.path.name} {truth.group}: dice {dice_read}, true {true}")
            if tally["cube_face_right"] < tally["cubes"] or tally["phantom_cubes"]:
                cube_read = cube and (cube.value, round(cube.confidence, 2), round(float(cube.faces.max()), 2))
                wrong.append(f"{name}/{truth.path.name} {truth.group}: cube {cube_read}, true {truth.row['cube']}")
    return {group: {what: int(n) for what, n in tally.items()} for group, tally in figures.items()}


def note(weights: Path, figures: dict[str, dict[str, int]]) -> None:
    """Writes the figures into the provenance files."""
    for path in sorted(weights.glob("dice_*.json")) + sorted(weights.glob("cube_*.json")):
        facts: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        kind = path.name.split("_")[0]
        facts["figures"] = {
            group: {k: v for k, v in tally.items() if (kind == "dice") == ("dice" in k)}
            for group, tally in figures.items()
        }
        path.write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the dice and cube readers, corners given.")
    parser.add_argument("boards", type=Path, help="folder with renders/, photos/ and games/, each with truth.jsonl")
    parser.add_argument("--weights", type=Path, default=WEIGHTS)
    parser.add_argument("--note", action="store_true", help="write the figures into the provenance files")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    wrong: list[str] = []
    figures = measure(options.boards, options.weights, wrong)
    print("\n".join(wrong))
    for group, tally in figures.items():
        print(group, tally)
    if options.note:
        note(options.weights, figures)


if __name__ == "__main__":
    main()
