"""Where dice and the cube may stand: the board rectified with its surroundings, a network's peaks, upright crops.

Three frames are used. Source px; board plane (u, v): (0, 0) and (1, 1) are the playing surface's corners; and the view
plane (x, y) = (u, VIEW_ASPECT * v), in which a board is roughly true to shape, its width is 1 and crops are square.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.shrinking import outline, shrunk
from vision.errors import VisionError
from vision.frame import Corners, Image
from vision.network import Network

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]

VIEW_ASPECT = 0.8
"""Height of a playing surface over its width; the boards measured lie between 0.72 and 0.95."""
WHOLE_PX = 16
"""The sides of what a finder looks at are multiples of this: it is halved time and again."""
WIDEST_BOARD_PX = 1100.0
"""Larger pictures are reduced first: a crop of 64 px over a die never needs more."""
FOCAL_GUESS = 0.95
FOCAL_RANGE = (0.6, 2.0)
"""Focal length over the picture's longer side: the guess where corners can't tell (overhead), and what is believed."""
LEAN_LIMIT = 1.8
LEVEL_LEAN = 0.1
"""Below this shift per height the camera looks straight down and a crop needs no particular way up."""
CROP_PX, FINE_PX = 64, 96
CROP_SIDES = 2.4
"""A crop shows 2.4 sides of the solid: its upper face, the neighbourhood, and the side faces below it."""
SURE_LOGIT, LOW_VIEW, RAISED_SCORE = 3.0, 0.5, 0.3
"""Below this logit, above this shift per height and this score a candidate is looked at again, further up."""
UNLIKELY_LOGIT, CLOSER = -4.0, 0.75
"""Above this logit of the first look a candidate is looked at again, also at this share of the usual stretch: a cube's number may
be a third of its face, 9 px of the usual crop."""
FLAT = 7
"""Place of the logit "lies flat" among a look's answers."""
HALF_HEIGHT = 0.55
"""How far up, in heights: in a recorded game seen from 45 degrees the missed dice's peaks lay 0.5 to 0.6 too low."""


class VisionInputError(VisionError):
    """The corners or the picture can't be used; the message says why."""


@dataclass(frozen=True)
class Candidate:
    """at: (2,) view plane, centre of the upper face; size: side in board widths; score: 0-1 from the finder."""

    at: tuple[float, float]
    size: float
    score: float


@dataclass(frozen=True)
class BoardPicture:
    """A picture and its board.

    image: (H, W, 3) uint8 BGR, reduced where the board is very large.
    to_source: (3, 3) float64, view plane to image px.
    foot, height: the camera's foot point and height over the view plane in board widths, before `stretch`.
    stretch: view-plane y per true board-width y.
    """

    image: Image
    to_source: Doubles
    foot: tuple[float, float]
    height: float
    stretch: float

    def lean(self, at: tuple[float, float]) -> Floats:
        """(2,) float32 view-plane shift of a point one board width above `at`: away from the camera's foot."""
        away = np.array([at[0] - self.foot[0], at[1] / self.stretch - self.foot[1]]) / self.height
        length = float(np.hypot(*away))
        if length > LEAN_LIMIT:
            away *= LEAN_LIMIT / length
        return np.array([away[0], away[1] * self.stretch], np.float32)


def open_view(image: Image, corners: Corners) -> BoardPicture:
    """The view of a board whose (4, 2) `corners` (tl tr br bl, source px) are known.

    Raises VisionInputError for corners that are not four points around an area.
    """
    quad = np.asarray(corners, np.float64)
    if quad.shape != (4, 2) or not np.isfinite(quad).all() or abs(cv2.contourArea(quad.astype(np.float32))) < 100:
        raise VisionInputError(
            "The board's corners must be four points around the playing surface; please give them again."
        )
    width = (np.linalg.norm(quad[0] - quad[1]) + np.linalg.norm(quad[3] - quad[2])) / 2
    if width > WIDEST_BOARD_PX:
        scale = WIDEST_BOARD_PX / float(width)
        image = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
        quad = (quad + 0.5) * scale - 0.5
    unit = np.array([[0, 0], [1, 0], [1, VIEW_ASPECT], [0, VIEW_ASPECT]], np.float32)
    to_source = np.asarray(cv2.getPerspectiveTransform(unit, quad.astype(np.float32)), np.float64)
    foot, height, stretch = _camera(to_source, image.shape)
    return BoardPicture(image, to_source, foot, height, stretch)


def _camera(to_source: Doubles, shape: Sequence[int]) -> tuple[tuple[float, float], float, float]:
    """Foot point, height (board widths) and stretch of the camera, from a plane's homography.

    Zhang 2000: with square pixels and the principal point in the middle, the columns of K^-1 H are orthogonal; that
    gives the focal length, and the ratio of their lengths the board's true proportions.
    """
    h, w = shape[:2]
    centred = np.array([[1, 0, -w / 2], [0, 1, -h / 2], [0, 0, 1]]) @ to_source
    a, b = centred[:, 0], centred[:, 1]
    product = a[2] * b[2]
    squared = -(a[0] * b[0] + a[1] * b[1]) / product if abs(product) > 1e-12 else -1.0
    longer = max(h, w)
    focal = np.sqrt(squared) if squared > 0 else 0.0
    if not FOCAL_RANGE[0] * longer < focal < FOCAL_RANGE[1] * longer:
        focal = FOCAL_GUESS * longer
    r1, r2, t = (np.linalg.inv(np.diag([focal, focal, 1.0])) @ centred).T
    scale = np.linalg.norm(r1)
    stretch = float(scale / np.linalg.norm(r2))
    r1, r2, t = r1 / scale, r2 / np.linalg.norm(r2), t / scale
    turn = np.stack([r1, r2, np.cross(r1, r2)], 1)
    place = -turn.T @ t
    return (float(place[0]), float(place[1])), max(0.3, abs(float(place[2]))), stretch


def shown_around(view: BoardPicture, most: tuple[float, float]) -> tuple[float, float]:
    """How much of the board's surroundings the picture shows, board widths left and right, above and below; at most `most`."""
    h, w = view.image.shape[:2]
    corners = np.array([[0, 0, 1], [w, 0, 1], [w, h, 1], [0, h, 1]]) @ np.linalg.inv(view.to_source).T
    if corners[:, 2].min() <= 1e-9:  # a corner lies beyond the horizon
        return most
    x, y = (corners[:, :2] / corners[:, 2:]).T
    across, along = max(-x.min(), x.max() - 1, 0.0), max(-y.min(), y.max() - VIEW_ASPECT, 0.0)
    return min(float(across), most[0]), min(float(along), most[1])


def canvas(view: BoardPicture, board_px: int, margin: tuple[float, float]) -> tuple[Image, Doubles]:
    """The rectified board with `margin` (board widths left and right, above and below).

    Returns (h, w, 3) uint8 BGR, black beyond the picture, and the (3, 3) matrix canvas px to view plane.
    """
    w = round(board_px * (1 + 2 * margin[0]) / WHOLE_PX) * WHOLE_PX
    h = round(board_px * (VIEW_ASPECT + 2 * margin[1]) / WHOLE_PX) * WHOLE_PX
    x0, y0 = (1 - w / board_px) / 2, (VIEW_ASPECT - h / board_px) / 2
    to_view = np.array([[1 / board_px, 0, x0], [0, 1 / board_px, y0], [0, 0, 1]])
    return look(view, to_view, (w, h)), to_view


def crop(view: BoardPicture, candidate: Candidate, px: int = CROP_PX) -> Image:
    """(px, px, 3) uint8 BGR: the candidate with its upper face in the middle and its visible sides below."""
    return look(view, crop_matrix(candidate, view.lean(candidate.at), px), (px, px))


def crop_matrix(candidate: Candidate, lean: Floats, px: int = CROP_PX) -> Doubles:
    """(3, 3) px of a crop of `px` to view plane. `lean` (2,) is the shift per height there; it points up in the crop."""
    length = float(np.hypot(*lean))
    up = np.array(lean, np.float64) / length if length > LEVEL_LEAN else np.array([0.0, -1.0])
    step = candidate.size * CROP_SIDES / px
    middle = np.array(candidate.at)
    right, down = np.array([-up[1], up[0]]) * step, -up * step
    corner = middle - (right + down) * (px - 1) / 2
    return np.array([[right[0], down[0], corner[0]], [right[1], down[1], corner[1]], [0, 0, 1]])


def look(view: BoardPicture, to_view: Doubles, size: tuple[int, int]) -> Image:
    """Samples the picture through `to_view`, averaging first where the result is much coarser than the picture."""
    matrix = view.to_source @ to_view
    middle = np.array([[size[0] / 2, size[1] / 2, 1], [size[0] / 2 + 1, size[1] / 2, 1]]) @ matrix.T
    stride = float(np.hypot(*(middle[1, :2] / middle[1, 2] - middle[0, :2] / middle[0, 2])))
    source = view.image
    if stride > 1.6:
        across, down = size
        ends = [[0, 0], [across, 0], [across, down], [0, down]]
        source, smaller = shrunk(source, 1 / stride, outline(matrix, ends))
        matrix = smaller @ matrix
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpPerspective(source, matrix, size, flags=flags, borderMode=cv2.BORDER_CONSTANT), np.uint8)


def network_input(pictures: Sequence[Image]) -> Floats:
    """(N, 3, h, w) float32 as all the networks here take it: BGR, (value - 127) / 64."""
    return np.asarray(cv2.dnn.blobFromImages(pictures, 1 / 64, mean=(127, 127, 127)), np.float32)


def peaks(heat: Floats, log_size: Floats, least: float, most: int) -> list[tuple[float, float, float, float]]:
    """Local maxima of a finder's heat: (x, y) in cells with fractions, size, score; best first.

    heat: (h, w) 0-1. log_size: (h, w) natural log of the solid's side in cells. least: lowest score. most: how many.
    """
    tall = (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat > least)
    ys, xs = np.nonzero(tall)
    found: list[tuple[float, float, float, float]] = []
    for k in np.argsort(-heat[ys, xs]):
        x, y = int(xs[k]), int(ys[k])
        y0, x0 = max(0, y - 1), max(0, x - 1)
        part = heat[y0 : y + 2, x0 : x + 2] + 1e-9
        ay, ax = np.mgrid[y0 : y0 + part.shape[0], x0 : x0 + part.shape[1]]
        px, py = float((part * ax).sum() / part.sum()), float((part * ay).sum() / part.sum())
        side = float(np.exp(log_size[y, x]))
        if all(np.hypot(px - q[0], py - q[1]) > 0.6 * min(side, q[2]) for q in found):
            found.append((px, py, side, float(heat[y, x])))
        if len(found) == most:
            break
    return found


@dataclass(frozen=True)
class Trust:
    """How far finder and reader are believed together: a logistic sum, fitted on boards that neither was trained on."""

    finder: float
    reader: float
    face: float
    bias: float

    def confidence(self, score: float, answer: Floats, extra: float = 0.0) -> float:
        """Probability 0-1 that a candidate is the solid.

        score: the finder's, 0-1. answer: (8,) the reader's logits; besides "one", a clear face speaks for it.
        extra: what else is known, a logit.
        """
        faces = np.exp(answer[1:7] - answer[1:7].max())
        total = (
            self.finder * _logit(score) + self.reader * float(answer[0]) + self.face * _logit(1 / float(faces.sum()))
        )
        return float(1 / (1 + np.exp(-total - self.bias - extra)))


def _logit(p: float) -> float:
    p = min(max(p, 1e-3), 0.99)
    return float(np.log(p / (1 - p)))


class Finder:
    """A fully convolutional network that marks one kind of solid on a rectified board."""

    STRIDE = 4

    def __init__(self, weights: Path, board_px: int, margin: tuple[float, float]) -> None:
        self._network = Network(weights)
        self.board_px, self.margin = board_px, margin

    def heat(self, picture: Image) -> tuple[Floats, Floats]:
        """(h/4, w/4) heat 0-1 and log size in cells, for a rectified (h, w, 3) picture."""
        out = self._network(network_input([picture]))[0][0]
        return np.asarray(1 / (1 + np.exp(-out[0])), np.float32), out[1]

    def find(
        self,
        view: BoardPicture,
        least: float,
        most: int,
        margin: tuple[float, float] | None = None,
        board_px: int | None = None,
    ) -> list[Candidate]:
        """Places where the solid may stand, best first. margin, board_px: around the board, and its width on the picture that is
        looked at; None for the usual ones."""
        board_px = board_px or self.board_px
        picture, to_view = canvas(view, board_px, margin or self.margin)
        heat, log_size = self.heat(picture)
        found = []
        for x, y, side, score in peaks(heat, log_size, least, most):
            at = to_view @ np.array([x * self.STRIDE + 1.5, y * self.STRIDE + 1.5, 1])
            found.append(Candidate((float(at[0]), float(at[1])), side * self.STRIDE / board_px, score))
        return found


@dataclass(frozen=True)
class SolidRead:
    """What the reader makes of one candidate. logits: (8,) float32, one, six faces, flat; alone: the same by the first look alone;
    crop: (64, 64, 3) that it looked at."""

    candidate: Candidate
    logits: Floats
    alone: Floats
    crop: Image


@dataclass(frozen=True)
class Look:
    """One way to look at a candidate. weights: the network's ONNX file; px: of its crop; stretch: share of the usual CROP_SIDES."""

    weights: Path
    px: int = CROP_PX
    stretch: float = 1.0

    def cut(self, cut: Callable[[Candidate, int], Image], candidate: Candidate) -> Image:
        """The (px, px, 3) crop for this look."""
        return cut(replace(candidate, size=candidate.size * self.stretch), self.px)


class SolidReader:
    """Small networks that look at a candidate's crop: is it one, which face lies up, does it lie flat. The first looks at each, all
    of them at what may be one: networks that were trained apart err on others."""

    def __init__(self, first: Look, more: Sequence[Look] = ()) -> None:
        self.first, self.more = first, tuple(more)
        self._networks = {path: Network(path) for path in {look.weights for look in (first, *more)}}

    def answers(self, look: Look, crops: Sequence[Image]) -> Floats:
        """(N, 8) float32 logits of one look's network for its (N, px, px, 3) crops: one, six faces, flat."""
        return self._networks[look.weights](network_input(crops))[0]

    def read(self, view: BoardPicture, candidates: Sequence[Candidate]) -> list[SolidRead]:
        """What it makes of each. In a low view a doubtful one is looked at again half a height further up: there the finder's
        peak may lie on the body's middle, or on its side, rather than on the upper face."""
        if not candidates:
            return []
        read = self.looked_at(partial(crop, view), candidates)
        low = [k for k, one in enumerate(read) if one.logits[0] < SURE_LOGIT and _may_be_raised(view, one.candidate)]
        if low:
            raised = self.looked_at(partial(crop, view), [_raised(view, read[k].candidate) for k in low])
            for k, one in zip(low, raised, strict=True):
                if one.logits[0] > read[k].logits[0]:
                    read[k] = one
        return read

    def looked_at(self, cut: Callable[[Candidate, int], Image], candidates: Sequence[Candidate]) -> list[SolidRead]:
        """What it makes of each: the first look's answer, and where that leaves hope the mean of all looks. Whether it lies flat
        the first says alone: lit windows, from which others learnt, show nothing that leans.

        cut: a candidate's (px, px, 3) crop, from wherever the candidates are.
        """
        crops = [self.first.cut(cut, candidate) for candidate in candidates]
        alone = self.answers(self.first, crops)
        logits = alone.copy()
        likely = [k for k in range(len(crops)) if logits[k, 0] > UNLIKELY_LOGIT]
        if self.more and likely:
            more = [self.answers(look, [look.cut(cut, candidates[k]) for k in likely]) for look in self.more]
            mean = (logits[likely] + sum(more)) / (1 + len(more))
            logits[likely, :FLAT] = mean[:, :FLAT]
        return list(map(SolidRead, candidates, logits, alone, crops))


def _may_be_raised(view: BoardPicture, candidate: Candidate) -> bool:
    return bool(np.hypot(*view.lean(candidate.at)) > LOW_VIEW and candidate.score > RAISED_SCORE)


def _raised(view: BoardPicture, candidate: Candidate) -> Candidate:
    shift = view.lean(candidate.at) * candidate.size * HALF_HEIGHT
    at = (candidate.at[0] + float(shift[0]), candidate.at[1] + float(shift[1]))
    return Candidate(at, candidate.size, candidate.score)
