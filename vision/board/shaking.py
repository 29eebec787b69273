"""A picture that was shaken along a straight line while it was taken: by how much, in which direction, and the same undone.

A shake of n px leaves stripes n px apart in the logarithm of the picture's spectrum, so that the spectrum of that logarithm (the
cepstrum) has a hollow n px from its middle in the direction of the shake: Cannon 1976. Wiener's filter undoes it.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.quality import smears_along
from vision.frame import Corners, Image

Plane = npt.NDArray[np.float32]

WIDEST = 512
"""px of the picture's middle that are looked at."""
SHORTEST, LONGEST = 6, 26
"""px: less harms little, and more leaves no spots to read."""
BLOCK, BLOCK_NEAR = 8, 0.5
"""px: the squares of a compression leave hollows, too, at multiples of their side straight across or down."""
HOLLOW = 14.0
"""How much deeper the hollow must be than the cepstrum is rough there. 12 drawn boards as they are had 2 to 8, two rendered games 4
to 12; the same boards shaken by 7, 9 and 12 px in three directions 10 to 52."""
SMEARED = 0.35
"""Least smear of the edges across a shake, as a share of what the shake would smear them by: a compression's squares in a film that
was made smaller or turned afterwards leave hollows as deep, but leave edges sharp. Of 180 drawn boards shaken by 6 to 20 px all had
0.36 or more; of 20 webcam stills made smaller by a quarter 14 had hollows, with 0.28 to 0.33."""
SHALLOW, SMEARED_SURELY, SHARPER = 5.0, 0.5, 1.4
"""Grain fills the hollow, long before it keeps the picture from being put right. One so deep will do where the edges across it are
smeared by such a share, and so many times as far as those along it. Of 64 drawn boards in grain of 0 to 10 grey levels, sharp or
out of focus, none was so; of 48 shaken by 9 and 12 px in 3 to 10 of it 40 were, of which 11 had a hollow of HOLLOW."""
BETWEEN, AGAIN = 1.5, 2.0
"""So many times as far lie the rise between a shake's first hollow and its second, and that second one. A pattern printed on the
board leaves a hollow about a soft picture, too, as deep and smeared as a shake's in grain, but no such rise and fall. Of 136 shakes
by 6.5 to 18 px that were found on 252 photographs, renders and lit boards all had both, of 21 frames of a lit game whose board's
waves were taken for a shake none; of 400 drawn boards with waves on them 1 is still taken for shaken, 12 without this."""
SMOOTHED = 0.6
NOISE = 0.01
"""Share of noise in the power that Wiener's filter counts with."""
FLOOR = 0.05
FINER = 8
"""Steps per px in which the way of the shake is drawn."""


@dataclass(frozen=True)
class Shake:
    """across, down: px that the picture moved while it was taken; both ways are the same."""

    across: float
    down: float


def shake_of(image: Image, corners: Corners) -> Shake | None:
    """How the board's picture was shaken; None where it was not, or not along a line."""
    grey = _middle(image, corners)
    if min(grey.shape) < 4 * LONGEST:
        return None
    window = cv2.createHanningWindow((grey.shape[1], grey.shape[0]), cv2.CV_32F)
    power = (cv2.magnitude(*cv2.split(cv2.dft((grey - grey.mean()) * window, flags=cv2.DFT_COMPLEX_OUTPUT)))) ** 2
    logs = np.asarray(np.log(power + FLOOR * float(np.median(power[::8, ::8])) + 1), np.float32)
    cepstrum = cv2.dft(logs, flags=cv2.DFT_COMPLEX_OUTPUT)[..., 0]
    reach = int(AGAIN * LONGEST) + 2
    near = np.arange(-reach, reach + 1)
    around = np.asarray(cv2.GaussianBlur(cepstrum[np.ix_(near, near)], (0, 0), SMOOTHED), np.float32)
    down, across = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    far = np.hypot(across, down)
    half = (far >= SHORTEST) & (far <= LONGEST) & ((down > 0) | ((down == 0) & (across > 0)))
    y, x = np.unravel_index(int(np.where(half, around, np.inf).argmin()), around.shape)
    depth = -around[y, x] / max(float(np.median(np.abs(around[half]))), 1e-9)
    if depth <= SHALLOW:
        return None
    found = Shake(
        float(across[y, x]) + _between(around[y, x - 1 : x + 2]), float(down[y, x]) + _between(around[y - 1 : y + 2, x])
    )
    rise, again = (_mean_at(around, times * found.across, times * found.down) for times in (BETWEEN, AGAIN))
    if rise <= 0 or again > rise / 2 or _of_blocks(found):
        return None
    smears = _smears if depth > HOLLOW else _smears_surely
    return found if smears(found, image, corners) else None


def unshaken(image: Image, shake: Shake) -> Image:
    """The picture as it would have been without the shake, by Wiener's filter, which takes some 40 times a colour's memory."""
    edge = 2 * LONGEST
    height, width = (cv2.getOptimalDFTSize(length + 2 * edge) for length in image.shape[:2])
    spread = np.fft.rfft2(_way(shake, height, width))
    undo = np.conj(spread) / (np.abs(spread) ** 2 + NOISE)
    still = np.empty_like(image)
    for colour in range(image.shape[2]):  # one after the other, which needs a third of the memory
        wider = cv2.copyMakeBorder(
            image[..., colour],
            edge,
            height - edge - image.shape[0],
            edge,
            width - edge - image.shape[1],
            cv2.BORDER_REPLICATE,
        ).astype(np.float32)
        whole = np.fft.irfft2(np.fft.rfft2(wider) * undo, s=(height, width))
        still[..., colour] = np.clip(whole[edge : edge + image.shape[0], edge : edge + image.shape[1]], 0, 255)
    return still


def _mean_at(around: Plane, across: float, down: float) -> float:
    """Mean of the 3 x 3 px so far from the middle."""
    middle = around.shape[0] // 2
    return float(cv2.getRectSubPix(around, (3, 3), (middle + across, middle + down)).mean())


def _of_blocks(shake: Shake) -> bool:
    """Whether the squares of a compression look like this."""
    less, more = sorted((abs(shake.across), abs(shake.down)))
    return less < BLOCK_NEAR and abs(more - BLOCK * round(more / BLOCK)) < BLOCK_NEAR


def _smears(shake: Shake, image: Image, corners: Corners) -> bool:
    """Whether the board's edges are as soft as the shake would have made them."""
    (smear,) = smears_along(image, corners, [float(np.arctan2(shake.down, shake.across))])
    return smear is None or smear >= SMEARED * _smear_of(shake)


def _smears_surely(shake: Shake, image: Image, corners: Corners) -> bool:
    """Whether they are, those along the shake are sharp, and it is no shorter than SHORTEST."""
    if np.hypot(shake.across, shake.down) < SHORTEST:
        return False
    direction = float(np.arctan2(shake.down, shake.across))
    smear, beside = smears_along(image, corners, [direction, direction + np.pi / 2])
    if smear is None or beside is None:
        return False
    return smear >= SMEARED_SURELY * _smear_of(shake) and smear >= SHARPER * beside


def _smear_of(shake: Shake) -> float:
    """px, the deviation of a uniform way of that length."""
    return float(np.hypot(shake.across, shake.down) / np.sqrt(12))


def _middle(image: Image, corners: Corners) -> Plane:
    """The middle of the board's frame in the picture, grey."""
    limits = np.array([image.shape[1], image.shape[0]])
    low = np.clip(np.floor(corners.min(axis=0)), 0, limits).astype(int)
    high = np.clip(np.ceil(corners.max(axis=0)), 0, limits).astype(int)
    spare = np.maximum(high - low - WIDEST, 0) // 2
    (left, top), (right, bottom) = low + spare, np.minimum(high, low + spare + WIDEST)
    part = image[top : top + (bottom - top) // 2 * 2, left : left + (right - left) // 2 * 2]
    return np.asarray(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY), np.float32) if part.size else np.zeros((1, 1), np.float32)


def _between(three: Plane) -> float:
    """Where a parabola through three neighbours is lowest, -0.5 to 0.5."""
    before, here, after = (float(value) for value in three)
    bend = before + after - 2 * here
    return float(np.clip((before - after) / (2 * bend), -0.5, 0.5)) if bend > 0 else 0.0


def _way(shake: Shake, height: int, width: int) -> Plane:
    """(height, width) share of the light that fell so far from where it belongs, wrapped around the corner."""
    steps = round(FINER * float(np.hypot(shake.across, shake.down))) + 1
    along = np.linspace(-0.5, 0.5, steps)
    way = np.zeros((height, width), np.float32)
    x, y = along * shake.across, along * shake.down
    left, top = np.floor(x).astype(int), np.floor(y).astype(int)
    for right in (0, 1):
        for under in (0, 1):
            share = np.abs(1 - right - (x - left)) * np.abs(1 - under - (y - top))
            np.add.at(way, ((top + under) % height, (left + right) % width), share / steps)
    return way
