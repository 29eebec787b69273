"""Pictures with known corners, packed as JPEG so that thousands fit into memory: drawn ones and labelled ones."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Image
from vision.pictures.files import load_picture
from vision.training.finding_scene import FindingScene

QUALITY = 92
LABELLED_PX = 640
"""Longest side to which labelled pictures are shrunk, px: as drawn ones."""


@dataclass(frozen=True)
class Pictures:
    """packed: all JPEG bytes; ends: (n,) int64; corners: (n, 4, 2) float32 px, NaN where there is no board; groups: (n,)."""

    packed: npt.NDArray[np.uint8]
    ends: npt.NDArray[np.int64]
    corners: npt.NDArray[np.float32]
    groups: npt.NDArray[np.str_]

    def __len__(self) -> int:
        return len(self.ends)

    def picture(self, index: int) -> Image:
        """(H, W, 3) uint8 BGR."""
        start = int(self.ends[index - 1]) if index else 0
        return np.asarray(cv2.imdecode(self.packed[start : int(self.ends[index])], cv2.IMREAD_COLOR), np.uint8)

    def scene(self, index: int) -> FindingScene:
        """One of them with its corners."""
        corners = self.corners[index]
        return FindingScene(self.picture(index), corners if np.isfinite(corners).all() else None)

    def first(self, count: int) -> Pictures:
        """The first of them."""
        return Pictures(self.packed, self.ends[:count], self.corners[:count], self.groups[:count])

    def save(self, path: Path) -> None:
        """Writes an .npz."""
        np.savez(path, packed=self.packed, ends=self.ends, corners=self.corners, groups=self.groups)


def packed(scenes: Iterable[FindingScene], group: str) -> Pictures:
    """The scenes as one set."""
    parts, corners = [], []
    for scene in scenes:
        parts.append(cv2.imencode(".jpg", scene.picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].ravel())
        corners.append(np.full((4, 2), np.nan, np.float32) if scene.corners is None else scene.corners)
    lengths = np.array([len(part) for part in parts], np.int64)
    return Pictures(
        np.concatenate(parts), lengths.cumsum(), np.array(corners, np.float32), np.array([group] * len(parts))
    )


def load(path: Path) -> Pictures:
    """What `Pictures.save` wrote."""
    with np.load(path) as held:
        return Pictures(held["packed"], held["ends"], held["corners"], held["groups"])


def labelled(truths: Sequence[Path], groups: Sequence[str] = (), longest: int = LABELLED_PX) -> Pictures:
    """Pictures beside truth.jsonl files, shrunk to `longest` px; only these groups where any are named.

    A row's group is its folder's name where it says none.
    """
    sets = []
    for truth in truths:
        for line in truth.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            group = row.get("group", truth.parent.name)
            if groups and group not in groups:
                continue
            picture = load_picture(truth.parent / row["file"])
            scale = min(1.0, longest / max(picture.shape[:2]))
            small = np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
            corners = ((np.array(row["corners"]) + 0.5) * scale - 0.5).astype(np.float32)
            sets.append(packed([FindingScene(small, corners)], group))
    return joined(sets)


def joined(sets: Sequence[Pictures]) -> Pictures:
    """Several sets as one."""
    starts = np.cumsum([0, *(len(one.packed) for one in sets[:-1])])
    return Pictures(
        np.concatenate([one.packed for one in sets]),
        np.concatenate([one.ends + start for one, start in zip(sets, starts, strict=True)]),
        np.concatenate([one.corners for one in sets]),
        np.concatenate([one.groups for one in sets]),
    )
