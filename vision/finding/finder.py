"""Finds the board: a look at the whole picture, a closer one, then its edges in the rectified picture, again and again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.finding import edges, whole
from vision.frame import Image
from vision.geometry import BoardGeometry, GeometryError
from vision.network import WEIGHTS, Network, network_input

FloatArray = npt.NDArray[np.float64]

LONGEST = 1280
"""px to which larger pictures are shrunk first: the rectified picture has 224."""
MOST_REFINEMENTS = 6
SETTLED = 0.004
"""Board widths: corners that move less than this in a refinement are followed no further."""
KEPT = 0.5
"""A closer look that scores less than this share of the first is not believed: it has lost the board."""
TRIED = 3
"""Candidates of the first look that are looked at closely; the second is a half-hidden corner or another board."""
CONTENT = 2.0
"""A sighting whose corners are right by this logit ends the search."""
MOST_FOLLOWED = 4
TRAY = 0.12
"""Share of the width that trays take at either side where they were taken for a part of the playing surface."""


@dataclass(frozen=True)
class Start:
    """corners (4, 2) px to begin with; seen: logit of a board in the picture, scores of the first and the closer look."""

    corners: FloatArray
    seen: FloatArray


@dataclass(frozen=True)
class Sighting:
    """One candidate followed to the end. corners (4, 2) px; evidence: what its confidence is made of, see `confidence`."""

    corners: FloatArray
    evidence: FloatArray


class BoardFinder:
    """Finds boards with two networks, loaded once. Not thread-safe: one finder a thread."""

    def __init__(self, finder: Network | None = None, edge: Network | None = None) -> None:
        self._finder = finder or Network(WEIGHTS / "finder.onnx")
        self._edges = edge or Network(WEIGHTS / "finder_edges.onnx")

    def sightings(self, image: Image) -> list[Sighting]:
        """What may be a board, best first."""
        scale = min(1.0, LONGEST / max(image.shape[:2]))
        if scale < 1:
            image = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
        sightings: list[Sighting] = []
        for start in self._starts(image):
            sighting = self._followed(image, start)
            if sighting is not None:
                sightings.append(Sighting((sighting.corners + 0.5) / scale - 0.5, sighting.evidence))
                if sighting.evidence[0] > CONTENT or len(sightings) == MOST_FOLLOWED:
                    break
        return sorted(sightings, key=lambda one: -one.evidence[0])

    def _starts(self, image: Image) -> Iterator[Start]:
        """Where to begin, the likeliest first: what a closer look at a candidate says, then the same without trays."""
        found, present = whole.look(self._finder, whole.Square.of(image))
        for candidate in found[:TRIED]:
            closer, _ = whole.look(self._finder, whole.Square.of(image, whole.around(candidate.corners)))
            score = closer[0].score if closer else 0.0
            corners = closer[0].corners if closer and score > KEPT * candidate.score else candidate.corners
            seen = np.array([present, candidate.score, score])
            yield Start(corners, seen)
            yield Start(_without_trays(corners), seen)

    def _followed(self, image: Image, start: Start) -> Sighting | None:
        """The start refined; None where it comes to nothing."""
        corners = start.corners
        try:
            for _ in range(MOST_REFINEMENTS):
                before = corners
                corners, _, _ = self._refined(image, before, flips=False)
                if _moved(before, corners) < SETTLED:
                    break
            refined, stray, right = self._refined(image, corners, flips=True)
        except GeometryError:
            return None
        return Sighting(refined, np.array([right, *start.seen, stray, _moved(corners, refined)]))

    def _refined(self, image: Image, corners: FloatArray, flips: bool) -> tuple[FloatArray, float, float]:
        """Corners after one look at the rectified picture; how far the edges stray; logit that the given corners were right."""
        geometry = BoardGeometry(corners.astype(np.float32))
        straight = network_input(geometry.rectified(image, edges.SIDE, edges.SIDE, edges.MARGIN)[None])
        ways = ((1, 1), (1, -1), (-1, 1), (-1, -1)) if flips else ((1, 1),)
        total, boards, each = np.zeros((4, edges.CELLS, edges.CELLS)), [], []
        for down, across in ways:
            maps, present = self._edges(np.ascontiguousarray(straight[:, :, ::down, ::across]))
            profiles = _unflipped(edges.profiles(maps[0]), down < 0, across < 0)
            each.append(edges.corners_from(profiles)[0])
            total += profiles
            boards.append(float(present.ravel()[0]))
        seen, stray = edges.corners_from(total / len(ways))
        spread = float(np.abs(np.array(each) - seen).max())
        plane = (seen - edges.MARGIN) / (1 - 2 * edges.MARGIN)
        return geometry.to_picture(plane), stray + spread, float(np.mean(boards))


def _without_trays(corners: FloatArray) -> FloatArray:
    """The corners moved inwards along the rows."""
    inner = np.array([[TRAY, 0], [1 - TRAY, 0], [1 - TRAY, 1], [TRAY, 1]])
    try:
        return BoardGeometry(corners.astype(np.float32)).to_picture(inner)
    except GeometryError:
        return corners


def _unflipped(profiles: FloatArray, down: bool, across: bool) -> FloatArray:
    """Profiles (4, along, across) of a mirrored view as the view's own."""
    top, right, bottom, left = profiles
    if down:
        top, bottom, right, left = bottom[:, ::-1], top[:, ::-1], right[::-1], left[::-1]
    if across:
        right, left, top, bottom = left[:, ::-1], right[:, ::-1], top[::-1], bottom[::-1]
    return np.stack([top, right, bottom, left])


def _moved(before: FloatArray, after: FloatArray) -> float:
    """Largest move of a corner, share of the row's length."""
    width = (np.linalg.norm(after[1] - after[0]) + np.linalg.norm(after[2] - after[3])) / 2
    return float(np.linalg.norm(after - before, axis=1).max() / max(width, 1e-6))
