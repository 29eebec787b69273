"""Paints a stretch of board for training pictures: points, rails, light, checkers, hands, clutter; no dice, no cubes."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[Any]
Bytes = npt.NDArray[np.uint8]

SCENE_PX = 384
BOARD_PX = 960
"""Pixels per board width in a drawn scene: 384 px show two fifths of a board."""
TEXTURE_PX = 512


def vec(values: npt.ArrayLike) -> Floats:
    """The values as float32."""
    return np.asarray(values, np.float32)


def noise(rng: np.random.Generator, pixels: int, octaves: int, stretch: float) -> Floats:
    """(pixels, pixels) float32 zero-mean unit-variance cloud; `stretch` > 1 draws it out along x as wood grain is."""
    out = np.zeros((pixels, pixels), np.float32)
    for octave in range(octaves):
        across = min(pixels, 2 ** (octave + 2))
        down = int(min(pixels, max(2, across * stretch)))
        cloud = rng.standard_normal((down, across)).astype(np.float32)
        out += 0.62**octave * cv2.resize(cloud, (pixels, pixels), interpolation=cv2.INTER_CUBIC)
    return vec((out - out.mean()) / (out.std() + 1e-6))


def make_textures(rng: np.random.Generator) -> list[Floats]:
    """Blotches, wood grain both ways, and felt."""
    textures = [noise(rng, TEXTURE_PX, 6, 1.0) for _ in range(8)]
    textures += [noise(rng, TEXTURE_PX, 6, rng.uniform(5, 20)) for _ in range(10)]
    textures += [rng.standard_normal((TEXTURE_PX, TEXTURE_PX)).astype(np.float32) for _ in range(5)]
    return [t if rng.random() < 0.5 else np.ascontiguousarray(t.T) for t in textures]


def any_colour(rng: np.random.Generator, low: float = 0.03, high: float = 1.0, vivid: float | None = None) -> Floats:
    """(3,) float32 BGR, any hue; `vivid` fixes the saturation."""
    saturation = rng.beta(1.1, 1.5) if vivid is None else vivid
    hsv = np.array([[[rng.uniform(0, 180), saturation * 255, rng.uniform(low, high) * 255]]], np.uint8)
    return vec(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0])


def material(rng: np.random.Generator) -> Floats:
    """A colour as boards have them: near black, near white, wood, or anything."""
    pick = rng.random()
    if pick < 0.22:
        return any_colour(rng, 0.02, 0.25, rng.uniform(0, 0.3))
    if pick < 0.45:
        return any_colour(rng, 0.7, 1.0, rng.uniform(0, 0.3))
    if pick < 0.65:
        return vec([rng.uniform(15, 120), rng.uniform(40, 160), rng.uniform(60, 220)]) * np.float32(
            rng.uniform(0.5, 1.1)
        )
    return any_colour(rng)


def contrasting(rng: np.random.Generator, other: Floats, least: float) -> Floats:
    """A material at least `least` grey levels from `other` in some channel."""
    colour = material(rng)
    for _ in range(20):
        if np.abs(colour - other).max() >= least:
            break
        colour = material(rng)
    return colour


def resized(mark: Bytes, scale: float) -> Bytes:
    """A mask so many times as large, however narrow it is at least one px wide and high: a long word drawn small."""
    across, down = (max(scale, 0.51 / side) for side in (mark.shape[1], mark.shape[0]))
    return np.asarray(cv2.resize(mark, None, fx=across, fy=down, interpolation=cv2.INTER_AREA), np.uint8)


def points(x: float, y: float) -> list[int]:
    """A point for OpenCV's drawing with 4 fractional bits."""
    return [int(x * 16), int(y * 16)]


def polygon(image: Floats, corners: Floats, colour: Floats) -> None:
    cv2.fillPoly(image, [(corners * 16).astype(np.int32)], colour.tolist(), cv2.LINE_AA, 4)


class BoardPainter:
    """A canvas with one light and one camera; `shift` (2,) is how far a point is seen from its foot, per height."""

    def __init__(
        self, rng: np.random.Generator, textures: list[Floats], numbers: list[dict[int, Bytes]], lean: float
    ) -> None:
        self.rng, self.textures, self.numbers = rng, textures, numbers
        self.image = np.zeros((SCENE_PX, SCENE_PX, 3), np.float32)
        self.lean = lean
        self.turn = rng.normal(0, 0.35) if rng.random() < 0.6 else rng.uniform(-np.pi, np.pi)
        self.shift = np.array([np.sin(self.turn), -np.cos(self.turn)]) * lean
        sun = rng.uniform(0, 2 * np.pi)
        self.sun = vec([np.cos(sun) * rng.uniform(0.1, 1.2), np.sin(sun) * rng.uniform(0.1, 1.2), 1.0])
        self.sun /= np.linalg.norm(self.sun)
        self.softness = rng.uniform(0.05, 0.35)
        self.taken: list[tuple[Floats, float]] = []

    def texture(self, strength: float) -> Floats:
        textures = self.textures
        t = textures[self.rng.integers(len(textures))]
        y, x = self.rng.integers(0, TEXTURE_PX - SCENE_PX, 2)
        return t[y : y + SCENE_PX, x : x + SCENE_PX, None] * np.float32(strength)

    def ground(self) -> None:
        rng, image = self.rng, self.image
        surface = material(rng)
        image[:] = surface
        pitch = BOARD_PX / 13 * rng.uniform(0.95, 1.15)
        pair = [contrasting(rng, surface, 40), contrasting(rng, surface, 30)]
        height, x0 = BOARD_PX * rng.uniform(0.27, 0.36), rng.uniform(-pitch, pitch)
        base = rng.uniform(-0.2, 0.3) * SCENE_PX
        if rng.random() < 0.85:
            for row in (0, 1):
                y, tip = (
                    (base, base + height) if row == 0 else (base + BOARD_PX * 0.75, base + BOARD_PX * 0.75 - height)
                )
                for i in range(-1, 8):
                    x = x0 + i * pitch
                    width = pitch * 0.5 * rng.uniform(0.85, 1.0)
                    shape = vec([[x - width, y], [x + width, y], [x, tip]])
                    polygon(image, shape, pair[(i + row) % 2])
                    if rng.random() < 0.03:
                        cv2.polylines(
                            image,
                            [(shape * 16).astype(np.int32)],
                            True,
                            pair[(i + row + 1) % 2].tolist(),
                            2,
                            cv2.LINE_AA,
                            4,
                        )
        image += self.texture(rng.uniform(0, 14)) + self.texture(rng.uniform(0, 6))
        for _ in range(rng.integers(0, 3)):
            self.rail()
        if rng.random() < 0.5:
            image[:] = np.rot90(image, int(rng.integers(4))).copy()

    def rail(self) -> None:
        """A bar, frame or tray edge: a band with a lit side, a groove, sometimes a hinge."""
        rng = self.rng
        colour = material(rng)
        wide, x = rng.uniform(15, 90), rng.uniform(-20, SCENE_PX)
        band = vec([[x, -9], [x + wide, -9], [x + wide, SCENE_PX + 9], [x, SCENE_PX + 9]])
        polygon(self.image, band, colour)
        for _ in range(rng.integers(0, 3)):
            at = x + rng.uniform(0, wide)
            cv2.line(
                self.image,
                (int(at), 0),
                (int(at), SCENE_PX),
                (colour * rng.uniform(0.3, 1.6)).tolist(),
                int(rng.integers(1, 7)),
            )
        if rng.random() < 0.4:
            y = rng.uniform(0, SCENE_PX)
            low, high = (int(x + wide * 0.2), int(y)), (int(x + wide * 0.8), int(y + rng.uniform(20, 70)))
            cv2.rectangle(self.image, low, high, material(rng).tolist(), -1)
            for _ in range(rng.integers(0, 5)):
                screw = rng.uniform(low, high)
                cv2.circle(
                    self.image, points(*screw), int(rng.uniform(2, 5) * 16), material(rng).tolist(), -1, cv2.LINE_AA, 4
                )

    def light_bands(self) -> None:
        rng = self.rng
        for _ in range(rng.integers(0, 3)):
            mask = np.zeros((SCENE_PX, SCENE_PX), np.float32)
            centre, way = rng.uniform(0, SCENE_PX, 2), rng.uniform(0, np.pi)
            box = cv2.boxPoints((centre.tolist(), (900, rng.uniform(30, 300)), float(np.degrees(way))))
            cv2.fillConvexPoly(mask, box.astype(np.int32), 1.0)
            soft = cv2.GaussianBlur(mask, (0, 0), rng.uniform(1, 12))[..., None]
            self.image *= 1 + soft * rng.uniform(-0.6, 0.7)

    def column_of_checkers(self) -> None:
        rng = self.rng
        colour, radius = material(rng), BOARD_PX * rng.uniform(0.031, 0.039)
        place, way = rng.uniform(-20, SCENE_PX + 20, 2), rng.uniform(0, 2 * np.pi)
        style = self.checker_style(colour)
        for i in range(rng.integers(1, 5)):
            at = place + np.array([np.cos(way), np.sin(way)]) * i * radius * 2.03 + rng.normal(0, 2, 2)
            self.checker(at, radius, colour, style)

    def checker_style(self, colour: Floats) -> list[tuple[float, Floats, int]]:
        rng = self.rng
        rings = [
            (
                rng.uniform(0.2, 0.95),
                np.clip(colour * rng.uniform(0.5, 1.6), 0, 255).astype(np.float32),
                int(rng.integers(1, 6)),
            )
            for _ in range(rng.integers(0, 4))
        ]
        if rng.random() < 0.12:
            rings.append((rng.uniform(0.2, 0.45), material(rng), -1))
        return rings

    def checker(
        self, at: Floats, radius: float, colour: Floats, rings: list[tuple[float, Floats, int]], z: float = 0.0
    ) -> float:
        """Paints one checker standing at height z; answers the height of its upper face, px."""
        rng, image = self.rng, self.image
        thick = radius * rng.uniform(0.35, 0.6)
        shadow = at + self.sun[:2] * -thick
        self.shade(
            lambda m: cv2.circle(m, points(*shadow), int(radius * 16), 1.0, -1, cv2.LINE_AA, 4), at, radius * 2.5, 0.45
        )
        for k in range(7):
            centre = at + self.shift * (z + thick * k / 7)
            cv2.circle(
                image, points(*centre), int(radius * 16), (colour * (0.45 + 0.05 * k)).tolist(), -1, cv2.LINE_AA, 4
            )
        centre = at + self.shift * (z + thick)
        cv2.circle(image, points(*centre), int(radius * 16), colour.tolist(), -1, cv2.LINE_AA, 4)
        for part, ring, width in rings:
            cv2.circle(image, points(*centre), int(radius * part * 16), ring.tolist(), width, cv2.LINE_AA, 4)
        white = np.clip(colour + (255 - colour) * rng.uniform(0.2, 1), 0, 255)
        for _ in range(rng.integers(0, 4)):
            if rng.random() < 0.5:
                start, r = rng.uniform(0, 360), radius * rng.uniform(0.4, 0.97)
                axes = (int(r * 16), int(r * 16))
                cv2.ellipse(
                    image,
                    points(*centre),
                    axes,
                    0,
                    start,
                    start + rng.uniform(5, 90),
                    white.tolist(),
                    int(rng.integers(1, 5)),
                    cv2.LINE_AA,
                    4,
                )
            else:
                spot = centre + rng.normal(0, radius * 0.4, 2)
                axes = (int(rng.uniform(1, radius * 0.3) * 16), int(rng.uniform(1, radius * 0.25) * 16))
                cv2.ellipse(image, points(*spot), axes, rng.uniform(0, 180), 0, 360, white.tolist(), -1, cv2.LINE_AA, 4)
        if rng.random() < 0.06:
            self.dots(centre, radius * 0.5)
        return z + thick

    def dots(self, centre: Floats, spread: float) -> None:
        colour = material(self.rng).tolist()
        for _ in range(self.rng.integers(1, 9)):
            dot = centre + self.rng.uniform(-spread, spread, 2)
            cv2.circle(self.image, points(*dot), int(self.rng.uniform(1.5, 5) * 16), colour, -1, cv2.LINE_AA, 4)

    def shade(self, draw: object, at: Floats, reach: float, depth: float) -> None:
        """Darkens what `draw(mask)` fills, softly; only the neighbourhood within `reach` px is touched."""
        low = np.clip(at - reach, 0, SCENE_PX).astype(int)
        high = np.clip(at + reach, 0, SCENE_PX).astype(int)
        if (high - low).min() < 3:
            return
        mask = np.zeros((SCENE_PX, SCENE_PX), np.float32)
        draw(mask)  # type: ignore[operator]
        window = np.s_[low[1] : high[1], low[0] : high[0]]
        soft = cv2.GaussianBlur(mask[window], (0, 0), max(0.6, reach * self.softness * 0.4))
        self.image[window] *= 1 - soft[..., None] * np.float32(depth)

    def free(self, size: float, *, near: bool) -> Floats | None:
        for _ in range(12):
            at: Floats = self.rng.uniform(0, SCENE_PX, 2)
            if near and self.taken:
                other, reach = self.taken[self.rng.integers(len(self.taken))]
                way = self.rng.uniform(0, 2 * np.pi)
                at = other + vec([np.cos(way), np.sin(way)]) * (reach * 0.5 + size * self.rng.uniform(0.55, 0.9))
            if all(np.hypot(*(at - o)) > r * 0.5 + size * 0.5 for o, r in self.taken):
                return at
        return None

    def clutter(self) -> None:
        rng, image = self.rng, self.image
        at = self.free(30, near=False)
        if at is None:
            return
        pick, colour = rng.random(), material(rng)
        if pick < 0.25:
            box = cv2.boxPoints((at.tolist(), (rng.uniform(12, 60), rng.uniform(12, 60)), rng.uniform(0, 90)))
            polygon(image, box, colour)
        elif pick < 0.45:
            self.dots(at, rng.uniform(5, 20))
        elif pick < 0.6:
            self.number(at, colour)
        elif pick < 0.85:
            self.checker(at, BOARD_PX * rng.uniform(0.028, 0.042), colour, self.checker_style(colour))
        else:
            radius = rng.uniform(25, 60)
            for k in range(8):
                spot = at + self.shift * k * radius * 0.3
                cv2.circle(
                    image, points(*spot), int(radius * 16), (colour * (0.6 + 0.05 * k)).tolist(), -1, cv2.LINE_AA, 4
                )
            cv2.circle(image, points(*spot), int(radius * 0.85 * 16), (colour * 0.3).tolist(), -1, cv2.LINE_AA, 4)

    def number(self, at: Floats, colour: Floats) -> None:
        """A printed number, on the board or on a score card that is no cube."""
        rng = self.rng
        high = rng.uniform(8, 40)
        marks = self.numbers[rng.integers(len(self.numbers))]
        text = rng.choice(list(marks), int(rng.integers(1, 3)))
        glyphs = [
            cv2.resize(marks[int(t)], None, fx=high / len(marks[int(t)]), fy=high / len(marks[int(t)])) for t in text
        ]
        tall = max(len(g) for g in glyphs)
        line = np.hstack([cv2.copyMakeBorder(g, 0, tall - len(g), 2, 2, cv2.BORDER_CONSTANT) for g in glyphs])
        quarter = int(rng.integers(4))
        alpha = np.rot90(line, quarter).astype(np.float32)[..., None] / 255
        h, w = alpha.shape[:2]
        if rng.random() < 0.5:
            centre, spare = at + np.array([w, h]) / 2, rng.uniform(1.2, 2.2, 2)
            card = contrasting(rng, colour, 90)
            polygon(self.image, cv2.boxPoints((centre.tolist(), (w * spare[0] + 6, h * spare[1] + 6), 0.0)), card)
        patch = np.zeros((max(h, w), max(h, w), 4), np.float32)
        patch[:h, :w] = np.dstack([alpha * colour, alpha])
        self.over(patch, at.astype(int))
        self.taken.append((at + np.array([w, h]) / 2, max(h, w) * 1.5))

    def hand(self) -> Floats:
        """Fingers and an arm in skin and sleeve; answers (384, 384) float32, 1 where they cover the board."""
        rng = self.rng
        skin = vec([rng.uniform(60, 170), rng.uniform(80, 190), rng.uniform(110, 235)])
        cover = np.zeros((SCENE_PX, SCENE_PX), np.float32)
        palm, way = rng.uniform(0, SCENE_PX, 2), rng.uniform(0, 2 * np.pi)
        for k in range(5):
            a = way + (k - 2) * 0.3
            tip = palm + np.array([np.cos(a), np.sin(a)]) * rng.uniform(50, 110)
            cv2.line(cover, points(*palm), points(*tip), 1.0, int(rng.integers(16, 26)), cv2.LINE_AA, 4)
        cv2.circle(cover, points(*palm), int(rng.uniform(28, 45) * 16), 1.0, -1, cv2.LINE_AA, 4)
        elbow = palm - np.array([np.cos(way), np.sin(way)]) * 400
        cv2.line(cover, points(*palm), points(*elbow), 1.0, int(rng.integers(40, 70)), cv2.LINE_AA, 4)
        shade = 0.75 + 0.25 * cv2.GaussianBlur(cover, (0, 0), 6)[..., None] + self.texture(0.03)
        soft = cv2.GaussianBlur(cover, (0, 0), 0.8)[..., None]
        self.image = self.image * (1 - soft) + skin * shade * soft
        return cover

    def over(self, patch: Floats, low: npt.NDArray[np.int64]) -> None:
        x0, y0 = np.maximum(low, 0)
        x1, y1 = np.minimum(low + patch.shape[0], SCENE_PX)
        if x1 <= x0 or y1 <= y0:
            return
        part = patch[y0 - low[1] : y1 - low[1], x0 - low[0] : x1 - low[0]]
        window = self.image[y0:y1, x0:x1]
        window[:] = window * (1 - part[..., 3:]) + part[..., :3]
