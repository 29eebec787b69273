"""Finds the board: a look at the whole picture, a closer one, its edges rectified, at last a strip along each."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.geometry import BoardGeometry, GeometryError, apart, apply_homography
from vision.board.straightness import bend_of
from vision.finding import edges, strips, whole
from vision.finding.confidence import confidence_of
from vision.frame import Image
from vision.network import WEIGHTS, Network, network_input

FloatArray = npt.NDArray[np.float64]
OtherView = Callable[[Image], tuple[Image, FloatArray]]
"""Another view of a picture, and the matrix (3, 3) from its px to the picture's."""

LONGEST = 1280
"""px to which larger pictures are shrunk first: the rectified picture has 224."""
MOST_REFINEMENTS = 6
SETTLED = 0.004
"""Board widths: corners that move less than this in a refinement are followed no further."""
KEPT = 0.5
"""A closer look that scores less than this share of the first is not believed: it has lost the board."""
TRIED = 3
"""Candidates of the first look that are looked at closely; the second is a half-hidden corner or another board."""
CONTENT = 0.0
"""A sighting whose corners are right by this logit ends the search."""
MOST_FOLLOWED = 4
STRIP_LOOKS = 2
"""Looks at the strips along the edges; the second with the strips mirrored as well."""
DOUBTFUL = 0.6
"""An answer less sure than this is asked for again in other ways, which takes as long again each time."""
LOST = 0.3
"""The same for a look by colour alone, which shows less of the board, and for looks at parts of the picture. Of 187 pictures
through blinds as many are found as with DOUBTFUL."""
WITHOUT_AN_END = 0.66
"""Share of the longer side that is left where a third of the picture is left out, with a neighbour's board in it."""
ROOM_AROUND = 0.1
"""Share of the longer side that is added on each side."""
SOFT = 0.0016
"""Deviation of the blur, shares of the longer side: two px of LONGEST."""
COLOUR_GAIN, MIDDLE_GREY, LEAST_LIGHT = 2.0, 110.0, 4.0
"""How many times farther from grey colours are shown where the light is left out, the grey, and grey levels below which there is no
colour."""
PART, PART_BEGINS, PARTS = 0.5, (0.0, 0.25, 0.5), 2
"""Where no board is found, parts of the picture are looked at: shares of its width and height, where they begin, and how many of
them are sought through. In the whole a board is seen from about a quarter of the picture's width on."""
LEAST_OF_A_PART = 400
"""px of a part's longer side: in a smaller one no board can be read, and some textures of games pass for one."""
NO_STRIPS = (-6.0, 0.1, 0.2)
"""What counts as noticed where the strips come to nothing."""
TRAY = 0.12
"""Share of the width that trays take at either side where they were taken for a part of the playing surface."""


@dataclass(frozen=True)
class Start:
    """corners (4, 2) px to begin with; seen: logit of a board in the picture, scores of the first and the closer look."""

    corners: FloatArray
    seen: FloatArray


@dataclass(frozen=True)
class BoardSighting:
    """One candidate followed to the end. corners (4, 2) px; measures: what its confidence is made of, see `confidence`."""

    corners: FloatArray
    measures: FloatArray


class BoardFinder:
    """Finds boards with three networks, loaded once. Not thread-safe: one finder a thread."""

    def __init__(
        self, finder: Network | None = None, edge: Network | None = None, strip: Network | None = None
    ) -> None:
        self._finder = finder or Network(WEIGHTS / "finder.onnx")
        self._edges = edge or Network(WEIGHTS / "finder_edges.onnx")
        self._strips = strip or Network(WEIGHTS / "finder_strips.onnx")

    def sightings(self, image: Image) -> list[BoardSighting]:
        """What may be a board, best first; only the best is looked at in strips.

        Where the first answer is doubtful the picture is looked at in other ways as well, and where there seems to be no board, in
        parts; the surest answer counts.
        """
        best = _shrunk(image, self._sought_in_other_views_too)
        if _sureness(best) >= LOST:
            return best
        for part, at in self._likeliest_parts(image):
            found = _shrunk(part, self._sought)
            if _sureness(found) > _sureness(best):
                best = [BoardSighting(one.corners + at, one.measures) for one in found]
        return best

    def _sought_in_other_views_too(self, image: Image) -> list[BoardSighting]:
        """What may be a board in a picture of at most LONGEST px, best first; looked at in other ways where that is doubtful."""
        best = self._sought(image)
        for less_sure, other_view in OTHER_VIEWS:
            if _sureness(best) >= less_sure:
                continue
            other, back = other_view(image)
            found = self._sought(other)
            if _sureness(found) > _sureness(best):
                best = [BoardSighting(apply_homography(back, one.corners), one.measures) for one in found]
        return self._straightened(image, best)

    def _likeliest_parts(self, image: Image) -> list[tuple[Image, FloatArray]]:
        """Parts of a picture in which there may be a board too small to be seen in the whole, and their first px, x and y."""
        height, width = image.shape[:2]
        if PART * max(height, width) < LEAST_OF_A_PART:
            return []
        parts = []
        for across, down in itertools.product(PART_BEGINS, repeat=2):
            x, y = round(across * width), round(down * height)
            part = image[y : y + round(PART * height), x : x + round(PART * width)]
            found, _ = whole.look(self._finder, whole.Square.of(part))
            parts.append((found[0].score if found else 0.0, x, y, part))
        parts.sort(key=lambda one: -one[0])
        return [(np.ascontiguousarray(part), np.array([x, y], np.float64)) for _, x, y, part in parts[:PARTS]]

    def _straightened(self, image: Image, best: list[BoardSighting]) -> list[BoardSighting]:
        """What is seen in the picture as an ideal lens would have taken it, where the lens bends it and that is surer."""
        height, width = image.shape[:2]
        whole = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
        bend = bend_of(image, best[0].corners.astype(np.float32) if best else whole)
        if bend is None:
            return best
        found = self._sought(bend.straightened(image))
        if _sureness(found) <= _sureness(best):
            return best
        return [BoardSighting(bend.bent(one.corners), one.measures) for one in found]

    def _sought(self, image: Image) -> list[BoardSighting]:
        """What may be a board in a picture of at most LONGEST px, best first."""
        sightings: list[BoardSighting] = []
        for start in self._starts(image):
            sighting = self._followed(image, start)
            if sighting is not None:
                sightings.append(sighting)
                if sighting.measures[0] > CONTENT or len(sightings) == MOST_FOLLOWED:
                    break
        sightings.sort(key=lambda one: -one.measures[0])
        sightings[:1] = [self._in_strips(image, best) for best in sightings[:1]]
        return sightings

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

    def _followed(self, image: Image, start: Start) -> BoardSighting | None:
        """The start refined; None where it comes to nothing."""
        corners = start.corners
        try:
            for _ in range(MOST_REFINEMENTS):
                before = corners
                corners, _, _ = self._refined(image, before, flips=False)
                if apart(before, corners) < SETTLED:
                    break
            refined, stray, right = self._refined(image, corners, flips=True)
        except GeometryError:
            return None
        return BoardSighting(refined, np.array([right, *start.seen, stray, apart(corners, refined)]))

    def _in_strips(self, image: Image, sighting: BoardSighting) -> BoardSighting:
        """The sighting with its corners where strips along the edges show them, and what was noticed there."""
        corners, stray, right = sighting.corners, 0.0, 0.0
        try:
            for look in range(STRIP_LOOKS):
                geometry = BoardGeometry(corners.astype(np.float32))
                seen = network_input(strips.strips(image, geometry))
                maps, present = (part.astype(np.float64) for part in self._strips(seen))
                if look == STRIP_LOOKS - 1:
                    mirrored, too = self._strips(np.ascontiguousarray(seen[..., ::-1]))
                    maps, present = (maps + mirrored[..., ::-1]) / 2, (present + too) / 2
                plane, stray = strips.corners_from(maps[:, 0])
                corners, right = geometry.to_picture(plane), float(present.min())
            BoardGeometry(corners.astype(np.float32))
        except GeometryError:
            return BoardSighting(sighting.corners, np.r_[sighting.measures, NO_STRIPS])
        return BoardSighting(corners, np.r_[sighting.measures, right, stray, apart(sighting.corners, corners)])

    def _refined(self, image: Image, corners: FloatArray, *, flips: bool) -> tuple[FloatArray, float, float]:
        """Corners after one look at the rectified picture; how far the edges stray; logit that the given corners were right."""
        geometry = BoardGeometry(corners.astype(np.float32))
        straight = network_input(geometry.rectified(image, edges.SIDE, edges.SIDE, edges.MARGIN)[None])
        mirrorings = ((1, 1), (1, -1), (-1, 1), (-1, -1)) if flips else ((1, 1),)
        total, boards, each = np.zeros((4, edges.CELLS, edges.CELLS)), [], []
        for down, across in mirrorings:
            maps, present = self._edges(np.ascontiguousarray(straight[:, :, ::down, ::across]))
            profiles = _unflipped(edges.profiles(maps[0]), down=down < 0, across=across < 0)
            each.append(edges.corners_from(profiles)[0])
            total += profiles
            boards.append(float(present.ravel()[0]))
        seen, stray = edges.corners_from(total / len(mirrorings))
        spread = float(np.abs(np.array(each) - seen).max())
        plane = (seen - edges.MARGIN) / (1 - 2 * edges.MARGIN)
        return geometry.to_picture(plane), stray + spread, float(np.mean(boards))


def _shrunk(image: Image, seek: Callable[[Image], list[BoardSighting]]) -> list[BoardSighting]:
    """What is found in a picture that is shrunk to LONGEST px first, in px of the picture."""
    scale = min(1.0, LONGEST / max(image.shape[:2]))
    if scale < 1:
        image = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    return [BoardSighting((one.corners + 0.5) / scale - 0.5, one.measures) for one in seek(image)]


def _sureness(sightings: list[BoardSighting]) -> float:
    return confidence_of(sightings[0].measures) if sightings else 0.0


def _set_back(image: Image) -> tuple[Image, FloatArray]:
    """With room around it: a board that the picture's edges cut close has no table around it that shows where it ends."""
    height, width = image.shape[:2]
    room = round(ROOM_AROUND * max(height, width))
    wider = cv2.copyMakeBorder(image, room, room, room, room, cv2.BORDER_REPLICATE)
    return np.asarray(wider, np.uint8), np.array([[1, 0, -room], [0, 1, -room], [0, 0, 1]], np.float64)


def _quarter_turned(image: Image) -> tuple[Image, FloatArray]:
    """Turned clockwise: most boards lie across the picture, and the networks know those best."""
    height = image.shape[0]
    back = np.array([[0, 1, 0], [-1, 0, height - 1], [0, 0, 1]], np.float64)
    return np.ascontiguousarray(np.rot90(image, -1)), back


def _softened(image: Image) -> tuple[Image, FloatArray]:
    """Without its finest lines: grain, prints and inlays are taken for edges otherwise."""
    soft = cv2.GaussianBlur(image, (0, 0), SOFT * max(image.shape[:2]))
    return np.asarray(soft, np.uint8), np.eye(3)


def _by_colour_alone(image: Image) -> tuple[Image, FloatArray]:
    """Each px as light as any other: what lies in the sun and in the shade of blinds differs little in colour. Edges of shade are
    taken for the board's otherwise."""
    levels = image.astype(np.float32) + LEAST_LIGHT
    colours = levels / levels.mean(axis=2, keepdims=True) - 1
    return np.asarray(np.clip(MIDDLE_GREY * (1 + COLOUR_GAIN * colours), 0, 255), np.uint8), np.eye(3)


def _but_for_its_end(image: Image) -> tuple[Image, FloatArray]:
    """The first two thirds, along its longer side: at a club the next board is in the picture, too, and both are taken for one."""
    rows, columns = _two_thirds(image)
    return np.ascontiguousarray(image[:rows, :columns]), np.eye(3)


def _but_for_its_beginning(image: Image) -> tuple[Image, FloatArray]:
    """The last two thirds."""
    height, width = image.shape[:2]
    rows, columns = _two_thirds(image)
    back = np.array([[1, 0, width - columns], [0, 1, height - rows], [0, 0, 1]], np.float64)
    return np.ascontiguousarray(image[height - rows :, width - columns :]), back


def _two_thirds(image: Image) -> tuple[int, int]:
    """Rows and columns of a picture that is shortened along its longer side."""
    height, width = image.shape[:2]
    return (height, round(WITHOUT_AN_END * width)) if width >= height else (round(WITHOUT_AN_END * height), width)


OTHER_VIEWS: tuple[tuple[float, OtherView], ...] = (
    (DOUBTFUL, _set_back),
    (DOUBTFUL, _quarter_turned),
    (DOUBTFUL, _softened),
    (DOUBTFUL, _but_for_its_end),
    (DOUBTFUL, _but_for_its_beginning),
    (LOST, _by_colour_alone),
)
"""Below which confidence of the best answer each is looked at."""


def _without_trays(corners: FloatArray) -> FloatArray:
    """The corners moved inwards along the rows."""
    inner = np.array([[TRAY, 0], [1 - TRAY, 0], [1 - TRAY, 1], [TRAY, 1]])
    try:
        return BoardGeometry(corners.astype(np.float32)).to_picture(inner)
    except GeometryError:
        return corners


def _unflipped(profiles: FloatArray, *, down: bool, across: bool) -> FloatArray:
    """Profiles (4, along, across) of a mirrored view as the view's own."""
    top, right, bottom, left = profiles
    if down:
        top, bottom, right, left = bottom[:, ::-1], top[:, ::-1], right[::-1], left[::-1]
    if across:
        right, left, top, bottom = left[:, ::-1], right[:, ::-1], top[::-1], bottom[::-1]
    return np.stack([top, right, bottom, left])
