"""What a camera's picture of a board is worth: light, grain, focus, shake, glare, size, compression, each measured in numbers.

Everything is measured on the board, in the picture's own pixels; lengths count as shares of a checker's diameter, so that boards
near and far compare. `vision.board.weaknesses` says what is too much.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from vision.frame import Corners, Image

Plane = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]

CHECKER = (0.072, 0.084)
"""A checker's diameter as shares of the board's width and height."""
MOST_ACROSS = 1600
"""px: a board wider than this is made smaller before it is measured; the squares of the compression and the smear of a shake are
sought in its middle: a picture of 100 megapixels took 1.4 GB, and 2 GB, otherwise."""

FINE, COARSE = 0.8, 1.6
"""px: the two blurs whose edges are compared. Finer takes grain for edges, coarser takes neighbours into one."""
STRONGEST = 0.2
"""Share of the edges that is measured; the others are texture and grain."""
DIRECTIONS = 4
"""Edges are told apart by the direction across them, in steps of 45 degrees: shake smears some of them, focus all."""
FEWEST_EDGES = 40
"""With fewer in a direction nothing is said of it."""
GRAINY, ROOMY = 0.02, 28.0
"""Grain, as a share of the contrast, from which edges are measured in the picture at half its size, where a checker has so many px:
grain makes edges look sharper than they are, and half the size has half the grain and twice the slope. Ten grey levels of it on a
board of 160 made a smear of 2.4 px one of 1.8."""
HALVED = 1.5
"""px squared by which that smears: 1.3 to 1.75 on 48 drawn boards, sharp and blurred by up to 3 px."""
SMOOTHEST = 6.0
"""px: blur beyond this is not told apart."""

WHITE = 250
"""Grey levels at which a colour of a pixel has nothing left to show. A pixel is burnt out where two of its three have not: ivory
and orange that both became yellow have no edge between them. One alone says little: a red or a blue felt may be full of it."""
BLOCK = 8
"""px: JPEG and the codecs of films pack squares of this size."""


class Quality(msgspec.Struct, frozen=True):
    """What a picture of a board is worth.

    checker: px across a checker, on the mean; light: mean grey level of the board, 0-255; grain: deviation of the noise, grey
    levels; contrast: grey levels between the board's darkest and its brightest twentieth; blur: px, the deviation of the Gaussian
    that smears edges as much, of the directions the least smeared; smear: of the most smeared; burnt: share of the board that has
    nothing left to show in two colours of three; patch: the largest patch that is white, in checkers; blocks: how much steeper
    brightness steps between the squares of the compression than inside them, 1 where it does not; beyond: share of the board that
    lies beyond the picture's edge.
    """

    checker: float
    light: float
    grain: float
    contrast: float
    blur: float
    smear: float
    burnt: float
    patch: float
    blocks: float
    beyond: float = 0.0


def quality_of(image: Image, corners: Corners) -> Quality:
    """Measures a picture in which the board lies at these corners. image: (H, W, 3) uint8 BGR; corners: (4, 2) px."""
    part, place = _board_part(image, corners)
    middle, in_middle = _middle(part, place)
    blocks = blocks_of(_grey(middle), _board(middle, in_middle))
    times = max(1, -(-part.shape[1] // MOST_ACROSS))
    if times > 1:
        size = (part.shape[1] // times, max(1, part.shape[0] // times))
        part, place = np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), np.uint8), place / times
    grey, board = _grey(part), _board(part, place)
    checker, beyond = _checker(corners), _beyond(corners, (image.shape[1], image.shape[0]))
    inside = grey[board]
    if inside.size == 0:
        return Quality(checker, 0.0, 0.0, 0.0, SMOOTHEST, SMOOTHEST, 0.0, 0.0, 1.0, beyond)
    low, high = np.percentile(inside, (5, 95))
    halved = _is_grainy(grey, board) and checker > ROOMY * times
    blurs = _blurs_of_half(part, place) if halved else blurs_of(grey, board)
    white = (_full(part) == 3) & board
    return Quality(
        checker=checker,
        light=float(inside.mean()),
        grain=grain_of(grey, board),
        contrast=float(high - low),
        blur=times * min(blurs, default=SMOOTHEST),
        smear=times * max(blurs, default=SMOOTHEST),
        burnt=float((_full(part) >= 2)[board].mean()),
        patch=times**2 * _largest(white) / (np.pi / 4 * checker**2),
        blocks=blocks,
        beyond=beyond,
    )


def _beyond(corners: Corners, size: tuple[int, int]) -> float:
    """Share of the board that lies beyond the edge of a picture of this size."""
    width, height = size
    picture = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - np.float32(0.5)
    board = np.asarray(corners, np.float32)
    inside, _ = cv2.intersectConvexConvex(board, picture)
    return max(0.0, 1 - float(inside) / max(float(cv2.contourArea(board)), 1e-6))


def _board_part(image: Image, corners: Corners) -> tuple[Image, Corners]:
    """The part of the picture with the board, cut between the squares of a compression, and the corners in it."""
    height, width = image.shape[:2]
    left, top = np.clip(np.floor(corners.min(axis=0)), 0, (width - 1, height - 1)).astype(int) // BLOCK * BLOCK
    right, bottom = np.clip(np.ceil(corners.max(axis=0)), 1, (width, height)).astype(int)
    return image[top:bottom, left:right], np.asarray(corners - np.array((left, top)), np.float32)


def _middle(part: Image, place: Corners) -> tuple[Image, Corners]:
    """The part's middle, no more than MOST_ACROSS either way, cut between the squares, and the corners in it."""
    starts = [max(size - MOST_ACROSS, 0) // 2 // BLOCK * BLOCK for size in part.shape[:2]]
    top, left = starts
    middle = part[top : top + MOST_ACROSS, left : left + MOST_ACROSS]
    return middle, np.asarray(place - np.array((left, top)), np.float32)


def _board(part: Image, place: Corners) -> Mask:
    """(H, W): where the board lies."""
    board = np.zeros(part.shape[:2], np.uint8)
    cv2.fillConvexPoly(board, np.round(place).astype(np.int32), 1)
    return np.asarray(board, np.bool_)


def _grey(picture: Image) -> Plane:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.float32)


def blurs_of(grey: Plane, where: Mask) -> list[float]:
    """How far edges are smeared, px, in each direction that has enough of them.

    An edge smeared by s has its steepest slope in proportion to 1 / sqrt(s^2 + f^2) once it is blurred by f more; the ratio of two
    such slopes tells s, whatever the contrast (Zhuo and Sim, "Defocus map estimation from a single image", 2011). The median edge
    counts: some lie on shadows, some beside others.
    """
    steep, ratio, towards = _edges(grey, where)
    if len(steep) < FEWEST_EDGES:
        return []
    strongest = steep >= np.quantile(steep, 1 - STRONGEST)
    sectors = np.round(towards / (np.pi / DIRECTIONS)).astype(int) % DIRECTIONS
    chosen = [ratio[strongest & (sectors == sector)] for sector in range(DIRECTIONS)]
    return [_smeared(float(np.median(some))) for some in chosen if len(some) >= FEWEST_EDGES]


def _blurs_of_half(part: Image, place: Corners) -> list[float]:
    """blurs_of() a grainy picture, measured at half its size, in px of the whole."""
    return [_of_whole(blur) for blur in blurs_of(*_half(part, place))]


def smears_along(image: Image, corners: Corners, directions: Sequence[float]) -> list[float | None]:
    """How far the board's edges that lie across each direction are smeared, px; None where there are too few.

    directions: radians from the picture's x axis towards its y axis. Of a board larger than MOST_ACROSS its middle counts. Of the
    edges across one the strongest count, though others may be stronger: those along a shake stay sharp.
    """
    part, place = _middle(*_board_part(image, corners))
    grey, board = _grey(part), _board(part, place)
    halved = _is_grainy(grey, board) and _checker(corners) > ROOMY
    if halved:
        grey, board = _half(part, place)
    steep, ratio, towards = _edges(grey, board)
    smears: list[float | None] = []
    for direction in directions:
        across = np.abs(np.cos(towards - direction)) > np.cos(np.pi / DIRECTIONS / 2)
        if np.count_nonzero(across) < FEWEST_EDGES:
            smears.append(None)
            continue
        strongest = across & (steep >= np.quantile(steep[across], 1 - STRONGEST))
        smear = _smeared(float(np.median(ratio[strongest])))
        smears.append(_of_whole(smear) if halved else smear)
    return smears


def _is_grainy(grey: Plane, board: Mask) -> bool:
    """Whether grain makes the edges look sharper than they are."""
    if not board.any():
        return False
    low, high = np.percentile(grey[board], (5, 95))
    return grain_of(grey, board) > GRAINY * float(high - low)


def _checker(corners: Corners) -> float:
    """px across a checker."""
    return float(np.sqrt(cv2.contourArea(np.asarray(corners, np.float32)) * CHECKER[0] * CHECKER[1]))


def _half(part: Image, place: Corners) -> tuple[Plane, Mask]:
    """The grey part at half its size, and where the board lies on it."""
    half = np.asarray(cv2.resize(part, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
    return _grey(half), _board(half, np.asarray(place / 2, np.float32))


def _of_whole(smear: float) -> float:
    """px of the whole picture of a smear measured at half its size."""
    return float(np.sqrt(max((2 * smear) ** 2 - HALVED, 0.0)))


def _edges(grey: Plane, where: Mask) -> tuple[Plane, Plane, Plane]:
    """Of each edge, (N,): how steep it is in the coarse picture, how many times steeper in the fine one, its direction, radians."""
    fine, direction = _slope(grey, FINE)
    coarse, _ = _slope(grey, COARSE)
    edges = _crests(fine) & _crests(coarse) & (coarse > 0) & where
    steep = coarse[edges]
    return steep, np.asarray(fine[edges] / steep, np.float32), direction[edges]


def _smeared(ratio: float) -> float:
    """The blur, px, that leaves this ratio of slopes."""
    if ratio <= 1:
        return SMOOTHEST
    return min(float(np.sqrt(max(COARSE**2 - (ratio * FINE) ** 2, 0.0) / (ratio**2 - 1))), SMOOTHEST)


def _slope(grey: Plane, blur: float) -> tuple[Plane, Plane]:
    """(H, W) brightness a px and its direction, radians, of the picture blurred by so much."""
    smooth = cv2.GaussianBlur(grey, (0, 0), blur)
    across, down = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, ksize=1), cv2.Sobel(smooth, cv2.CV_32F, 0, 1, ksize=1)
    return np.asarray(cv2.magnitude(across, down), np.float32), np.asarray(np.arctan2(down, across), np.float32)


def _crests(slope: Plane) -> Mask:
    """(H, W): where a slope is steepest across an edge."""
    beside = np.ones((1, 3), np.uint8)
    return np.asarray((slope >= cv2.dilate(slope, beside)) | (slope >= cv2.dilate(slope, beside.T)), np.bool_)


def grain_of(grey: Plane, where: Mask) -> float:
    """Deviation of the noise, grey levels: what a Laplacian's difference leaves of the median place, where hardly an edge lies
    (Immerkaer, "Fast noise variance estimation", 1996)."""
    mask = np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], np.float32)
    left = np.abs(cv2.filter2D(grey, cv2.CV_32F, mask))[where]
    return float(np.median(left)) / (0.6745 * 6)


def _full(part: Image) -> npt.NDArray[np.uint8]:
    """(H, W): how many of a pixel's three colours have nothing left to show."""
    blue, green, red = cv2.split(cv2.threshold(part, WHITE - 1, 1, cv2.THRESH_BINARY)[1])
    return np.asarray(cv2.add(cv2.add(blue, green), red), np.uint8)


def _largest(mask: Mask) -> float:
    """px in the mask's largest patch."""
    if not mask.any():
        return 0.0
    _, _, found, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=4)
    return float(found[1:, cv2.CC_STAT_AREA].max())


def blocks_of(grey: Plane, where: Mask) -> float:
    """Steps between the squares of a compression against steps inside them; the larger of both axes' phases counts."""
    return max(_steps(grey, where), _steps(grey.T, where.T))


def _steps(grey: Plane, where: Mask) -> float:
    step = np.abs(np.diff(grey, axis=1))
    # A step between squares stands alone: what an edge or texture makes of its neighbours is taken away.
    alone = np.maximum(step[:, 1:-1] - (step[:, :-2] + step[:, 2:]) / 2, 0)
    weight = where[:, 2:-1] & where[:, 1:-2]
    total = np.array([(alone[:, first::BLOCK] * weight[:, first::BLOCK]).sum() for first in range(BLOCK)])
    share = np.array([weight[:, first::BLOCK].sum() for first in range(BLOCK)])
    means = np.sort(total / np.maximum(share, 1))
    return float((means[-1] + 0.1) / (means[:-1].mean() + 0.1))
