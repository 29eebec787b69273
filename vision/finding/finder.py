"""Finds the board: a look at the whole picture, a closer one, then its edges in the rectified picture, again and again."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.finding import edges, whole
from vision.frame import Image
from vision.geometry import BoardGeometry, GeometryError
from vision.network import load_network, network_input

FloatArray = npt.NDArray[np.float64]

LONGEST = 1280
"""px to which larger pictures are shrunk first: the rectified picture has 224."""
REFINEMENTS = 3
KEPT = 0.5
"""A closer look that scores less than this share of the first is not believed: it has lost the board."""
TRIED = 3
CONTENT = 2.0
"""A candidate whose rectified picture is an upright board by this logit ends the search."""
"""Candidates of the first look that are looked at closely; the second is a half-hidden corner or another board."""


@dataclass(frozen=True)
class Sighting:
    """One candidate followed to the end. corners (4, 2) px; evidence: what its confidence is made of, see `confidence`."""

    corners: FloatArray
    evidence: FloatArray


class BoardFinder:
    """Finds boards with two networks, loaded once. Not thread-safe: one finder a thread."""

    def __init__(self, finder: cv2.dnn.Net | None = None, edge: cv2.dnn.Net | None = None) -> None:
        self._finder = finder or load_network("finder.onnx")
        self._edges = edge or load_network("finder_edges.onnx")

    def sightings(self, image: Image) -> list[Sighting]:
        """What may be a board, best first."""
        scale = min(1.0, LONGEST / max(image.shape[:2]))
        if scale < 1:
            image = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
        found, present = whole.look(self._finder, whole.Square.of(image))
        sightings: list[Sighting] = []
        for candidate in found[:TRIED]:
            sighting = self._followed(image, candidate, present)
            if sighting is not None:
                sightings.append(Sighting((sighting.corners + 0.5) / scale - 0.5, sighting.evidence))
                if sighting.evidence[0] > CONTENT:
                    break
        return sorted(sightings, key=lambda one: -one.evidence[0])

    def _followed(self, image: Image, candidate: whole.Candidate, present: float) -> Sighting | None:
        closer, _ = whole.look(self._finder, whole.Square.of(image, whole.around(candidate.corners)))
        score = closer[0].score if closer else 0.0
        corners = closer[0].corners if closer and score > KEPT * candidate.score else candidate.corners
        try:
            for _ in range(REFINEMENTS):
                corners, _, _ = self._refined(image, corners, flips=False)
            refined, stray, board = self._refined(image, corners, flips=True)
            moved = _moved(corners, refined)
        except GeometryError:
            return None
        return Sighting(refined, np.array([board, present, candidate.score, score, stray, moved]))

    def _refined(self, image: Image, corners: FloatArray, flips: bool) -> tuple[FloatArray, float, float]:
        """Corners after one look at the rectified picture; how far the edges stray; logit that it is an upright board."""
        geometry = BoardGeometry(corners.astype(np.float32))
        view = geometry.rectified(image, edges.SIDE, edges.SIDE, edges.MARGIN)
        ways = ((1, 1), (1, -1), (-1, 1), (-1, -1)) if flips else ((1, 1),)
        total, boards, each = np.zeros((4, edges.CELLS, edges.CELLS)), [], []
        for down, across in ways:
            self._edges.setInput(network_input(view[None, ::down, ::across]))
            maps, present = self._edges.forward(("maps", "present"))
            profiles = _unflipped(edges.profiles(np.asarray(maps)[0]), down < 0, across < 0)
            each.append(edges.corners_from(profiles)[0])
            total += profiles
            boards.append(float(np.asarray(present).ravel()[0]))
        seen, stray = edges.corners_from(total / len(ways))
        spread = float(np.abs(np.array(each) - seen).max())
        plane = (seen - edges.MARGIN) / (1 - 2 * edges.MARGIN)
        return geometry.to_picture(plane), stray + spread, float(np.mean(boards))


def _unflipped(profiles: FloatArray, down: bool, across: bool) -> FloatArray:
    """Profiles (4, along, across) of a mirrored view as the view's own."""
    top, right, bottom, left = profiles
    if down:
        top, bottom, right, left = bottom[:, ::-1], top[:, ::-1], right[::-1], left[::-1]
    if across:
        right, left, top, bottom = left[:, ::-1], right[:, ::-1], top[::-1], bottom[::-1]
    return np.stack([top, right, bottom, left])


def _moved(before: npt.NDArray[np.float64], after: FloatArray) -> float:
    """Largest move of a corner, share of the row's length."""
    width = (np.linalg.norm(after[1] - after[0]) + np.linalg.norm(after[2] - after[3])) / 2
    return float(np.linalg.norm(after - before, axis=1).max() / max(width, 1e-6))
