"""Draws stretches of board with dice, cubes and what looks like them, as a camera's rectified picture shows them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.solids import View
from vision.training import dice_solids as solids
from vision.training.dice_fonts import cube_atlas, glyph_bank

Floats = npt.NDArray[Any]
Bytes = npt.NDArray[np.uint8]

SCENE_PX = 384
BOARD_PX = 960
"""Pixels per board width in a drawn scene: 384 px show two fifths of a board."""


REAL_SHARE = 0.4
"""Share of scenes on the ground of a picture that was not drawn here, where there are any."""


@dataclass(frozen=True)
class Item:
    """A die or cube. at: (2,) centre of the upper face, px; size: side, px; value: upper face; flat: not cocked."""

    kind: str
    at: tuple[float, float]
    size: float
    value: int
    flat: bool
    seen: float = 1.0


@dataclass(frozen=True)
class Scene:
    """image: (384, 384, 3) uint8 BGR; lean: (2,) shift of a point per height; board_px: pixels per board width."""

    image: Bytes
    lean: tuple[float, float]
    items: tuple[Item, ...]
    board_px: float = BOARD_PX


@dataclass(frozen=True)
class Photograph:
    """A picture not drawn here: rectified at BOARD_PX, its view, and what lies in it (size 0: unknown)."""

    image: Bytes
    view: View
    to_view: npt.NDArray[np.float64]
    items: tuple[Item, ...]


@dataclass(frozen=True)
class Stock:
    """Everything that is made once: textures, dice and cube tiles for each lean, number styles."""

    textures: list[Floats]
    dice: list[list[solids.Tile]]
    cubes: list[list[solids.Tile]]
    numbers: list[dict[int, Bytes]]
    photographs: list[Photograph] = field(default_factory=list)


def _vec(values: npt.ArrayLike) -> Floats:
    return np.asarray(values, np.float32)


def noise(rng: np.random.Generator, pixels: int, octaves: int, stretch: float) -> Floats:
    """(pixels, pixels) float32 zero-mean unit-variance cloud; `stretch` > 1 draws it out along x as wood grain is."""
    out = np.zeros((pixels, pixels), np.float32)
    for octave in range(octaves):
        across = min(pixels, 2 ** (octave + 2))
        down = int(min(pixels, max(2, across * stretch)))
        cloud = rng.standard_normal((down, across)).astype(np.float32)
        out += 0.62**octave * cv2.resize(cloud, (pixels, pixels), interpolation=cv2.INTER_CUBIC)
    return _vec((out - out.mean()) / (out.std() + 1e-6))


def make_stock(rng: np.random.Generator, dice: int = 60, cubes: int = 30) -> Stock:
    """Casts the tiles and makes the textures; `dice` and `cubes` tiles for each of the 16 leans."""
    textures = [noise(rng, 512, 6, 1.0) for _ in range(8)]
    textures += [noise(rng, 512, 6, rng.uniform(5, 20)) for _ in range(10)]
    textures += [rng.standard_normal((512, 512)).astype(np.float32) for _ in range(5)]
    return Stock(
        textures=[t if rng.random() < 0.5 else np.ascontiguousarray(t.T) for t in textures],
        dice=solids.library(rng, dice, 100, (0.02, 0.22), 0.3),
        cubes=solids.library(rng, cubes, 144, (0.03, 0.18), 0.06),
        numbers=glyph_bank(rng, 240),
    )


def any_colour(rng: np.random.Generator, low: float = 0.03, high: float = 1.0, vivid: float | None = None) -> Floats:
    """(3,) float32 BGR, any hue; `vivid` fixes the saturation."""
    saturation = rng.beta(1.1, 1.5) if vivid is None else vivid
    hsv = np.array([[[rng.uniform(0, 180), saturation * 255, rng.uniform(low, high) * 255]]], np.uint8)
    return _vec(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0])


def material(rng: np.random.Generator) -> Floats:
    """A colour as boards have them: near black, near white, wood, or anything."""
    pick = rng.random()
    if pick < 0.22:
        return any_colour(rng, 0.02, 0.25, rng.uniform(0, 0.3))
    if pick < 0.45:
        return any_colour(rng, 0.7, 1.0, rng.uniform(0, 0.3))
    if pick < 0.65:
        return _vec([rng.uniform(15, 120), rng.uniform(40, 160), rng.uniform(60, 220)]) * np.float32(
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


def points(x: float, y: float) -> list[int]:
    """A point for OpenCV's drawing with 4 fractional bits."""
    return [int(x * 16), int(y * 16)]


def polygon(image: Floats, corners: Floats, colour: Floats) -> None:
    cv2.fillPoly(image, [(corners * 16).astype(np.int32)], colour.tolist(), cv2.LINE_AA, 4)


class SceneDrawer:
    """Draws one scene: `SceneDrawer(rng, stock).draw(...)`."""

    def __init__(self, rng: np.random.Generator, stock: Stock) -> None:
        self.rng, self.stock = rng, stock
        self.image = np.zeros((SCENE_PX, SCENE_PX, 3), np.float32)
        self.items: list[Item] = []
        self.step = int(rng.integers(0, 5)) if rng.random() < 0.45 else int(rng.integers(0, solids.LEAN_STEPS))
        self.lean = solids.LEAN_MAX * self.step / (solids.LEAN_STEPS - 1)
        self.turn = rng.normal(0, 0.35) if rng.random() < 0.6 else rng.uniform(-np.pi, np.pi)
        away = np.array([np.sin(self.turn), -np.cos(self.turn)])
        self.shift = away * self.lean
        sun = rng.uniform(0, 2 * np.pi)
        self.sun = _vec([np.cos(sun) * rng.uniform(0.1, 1.2), np.sin(sun) * rng.uniform(0.1, 1.2), 1.0])
        self.sun /= np.linalg.norm(self.sun)
        self.ambient = rng.uniform(0.45, 0.9)
        self.softness = rng.uniform(0.05, 0.35)
        self.taken: list[tuple[Floats, float]] = []
        self.real = False

    def draw(self, crowd: str | None = None) -> Scene:
        """The finished scene; `crowd` ("die" or "cube") fills it with one kind, for readers rather than finders."""
        rng = self.rng
        self.real = bool(self.stock.photographs) and rng.random() < REAL_SHARE
        if self.real:
            self._real_ground()
        else:
            self._ground()
            self._light_bands()
            for _ in range(rng.integers(0, 4)):
                self._column_of_checkers()
        body = self._die_body()
        for thing in self._things(crowd):
            if rng.random() < (0.8 if crowd else 0.3):
                body = self._die_body()
            if thing == "die":
                self._die(body)
            elif thing == "cube":
                self._cube()
            else:
                self._clutter()
        if rng.random() < 0.08:
            self._hand()
        return self._finish()

    def _things(self, crowd: str | None) -> list[str]:
        rng = self.rng
        if crowd:
            return [crowd] * (9 if crowd == "die" else 5) + ["clutter"] * int(rng.integers(0, 2))
        things = ["cube"] * int(rng.choice([0, 1, 2], p=[0.4, 0.52, 0.08]))
        things += ["die"] * int(rng.choice([0, 1, 2, 3, 4, 6], p=[0.12, 0.13, 0.3, 0.2, 0.15, 0.1]))
        things += ["clutter"] * int(rng.integers(0, 4))
        return [things[k] for k in rng.permutation(len(things))]

    # ---- what lies below

    def _texture(self, strength: float) -> Floats:
        textures = self.stock.textures
        t = textures[self.rng.integers(len(textures))]
        y, x = self.rng.integers(0, 512 - SCENE_PX, 2)
        return t[y : y + SCENE_PX, x : x + SCENE_PX, None] * np.float32(strength)

    def _ground(self) -> None:
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
                    shape = _vec([[x - width, y], [x + width, y], [x, tip]])
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
        image += self._texture(rng.uniform(0, 14)) + self._texture(rng.uniform(0, 6))
        for _ in range(rng.integers(0, 3)):
            self._rail()
        if rng.random() < 0.5:
            image[:] = np.rot90(image, int(rng.integers(4))).copy()

    def _real_ground(self) -> None:
        rng = self.rng
        photograph = self.stock.photographs[rng.integers(len(self.stock.photographs))]
        picture, items = photograph.image, photograph.items
        h, w = picture.shape[:2]
        here = np.array([rng.uniform(0, w - SCENE_PX), rng.uniform(0, h - SCENE_PX)])
        if items and rng.random() < 0.6:
            centre = np.array(items[rng.integers(len(items))].at)
            here = np.clip(centre - rng.uniform(60, SCENE_PX - 60, 2), 0, [w - SCENE_PX, h - SCENE_PX])
        x, y = here.astype(int)
        self.image = picture[y : y + SCENE_PX, x : x + SCENE_PX].astype(np.float32)
        middle = photograph.to_view @ np.array([x + SCENE_PX / 2, y + SCENE_PX / 2, 1])
        self.shift = np.array(photograph.view.lean((float(middle[0]), float(middle[1]))), np.float64)
        self.lean = float(np.linalg.norm(self.shift))
        self.turn = float(np.arctan2(self.shift[0], -self.shift[1]))
        self.step = min(solids.LEAN_STEPS - 1, round(self.lean / solids.LEAN_MAX * (solids.LEAN_STEPS - 1)))
        for item in items:
            at = (item.at[0] - x, item.at[1] - y)
            if -20 < at[0] < SCENE_PX + 20 and -20 < at[1] < SCENE_PX + 20:
                self.items.append(Item(item.kind, at, item.size, item.value, item.flat))
                self.taken.append((_vec(at), 45.0 if item.kind == "die" else 100.0))

    def _rail(self) -> None:
        """A bar, frame or tray edge: a band with a lit side, a groove, sometimes a hinge."""
        rng = self.rng
        colour = material(rng)
        wide, x = rng.uniform(15, 90), rng.uniform(-20, SCENE_PX)
        band = _vec([[x, -9], [x + wide, -9], [x + wide, SCENE_PX + 9], [x, SCENE_PX + 9]])
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

    def _light_bands(self) -> None:
        rng = self.rng
        for _ in range(rng.integers(0, 3)):
            mask = np.zeros((SCENE_PX, SCENE_PX), np.float32)
            centre, way = rng.uniform(0, SCENE_PX, 2), rng.uniform(0, np.pi)
            box = cv2.boxPoints((centre.tolist(), (900, rng.uniform(30, 300)), float(np.degrees(way))))
            cv2.fillConvexPoly(mask, box.astype(np.int32), 1.0)
            soft = cv2.GaussianBlur(mask, (0, 0), rng.uniform(1, 12))[..., None]
            self.image *= 1 + soft * rng.uniform(-0.6, 0.7)

    def _column_of_checkers(self) -> None:
        rng = self.rng
        colour, radius = material(rng), BOARD_PX * rng.uniform(0.031, 0.039)
        place, way = rng.uniform(-20, SCENE_PX + 20, 2), rng.uniform(0, 2 * np.pi)
        style = self._checker_style(colour)
        for i in range(rng.integers(1, 5)):
            at = place + np.array([np.cos(way), np.sin(way)]) * i * radius * 2.03 + rng.normal(0, 2, 2)
            self._checker(at, radius, colour, style)

    def _checker_style(self, colour: Floats) -> list[tuple[float, Floats, int]]:
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

    def _checker(
        self, at: Floats, radius: float, colour: Floats, rings: list[tuple[float, Floats, int]], z: float = 0.0
    ) -> float:
        """Paints one checker standing at height z; answers the height of its upper face, px."""
        rng, image = self.rng, self.image
        thick = radius * rng.uniform(0.35, 0.6)
        shadow = at + self.sun[:2] * -thick
        self._shade(
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
            self._dots(centre, radius * 0.5)
        return z + thick

    def _dots(self, centre: Floats, spread: float) -> None:
        colour = material(self.rng).tolist()
        for _ in range(self.rng.integers(1, 9)):
            dot = centre + self.rng.uniform(-spread, spread, 2)
            cv2.circle(self.image, points(*dot), int(self.rng.uniform(1.5, 5) * 16), colour, -1, cv2.LINE_AA, 4)

    def _shade(self, draw: object, at: Floats, reach: float, depth: float) -> None:
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

    # ---- dice and cubes

    def _die_body(self) -> tuple[Floats, Floats, float, float, float]:
        """Colours of body and pips, see-through share, gloss, size px."""
        rng = self.rng
        pick = rng.random()
        if pick < 0.35:
            body = any_colour(rng, 0.72, 1.0, rng.uniform(0, 0.3))
        elif pick < 0.55:
            body = any_colour(rng, 0.02, 0.22, rng.uniform(0, 0.5))
        elif pick < 0.75:
            body = any_colour(rng, 0.45, 1.0, rng.uniform(0.6, 1.0))
        else:
            body = material(rng)
        grey = body @ _vec([0.114, 0.587, 0.299])
        dark, pale = (
            _vec([12, 12, 12]) + rng.uniform(0, 40, 3),
            _vec([245, 245, 245]) - rng.uniform(0, 40, 3),
        )
        mark = dark if grey > rng.uniform(110, 170) else pale
        if rng.random() < 0.08:
            mark = contrasting(rng, body, 110)
        clear = rng.uniform(0.1, 0.5) if rng.random() < 0.25 else 0.0
        shiny = rng.uniform(0, 0.9) if rng.random() < 0.6 else 0.0
        return body, mark.astype(np.float32), clear, shiny, BOARD_PX * rng.uniform(0.023, 0.047)

    def _free(self, size: float, near: bool) -> Floats | None:
        for _ in range(12):
            at: Floats = self.rng.uniform(0, SCENE_PX, 2)
            if near and self.taken:
                other, reach = self.taken[self.rng.integers(len(self.taken))]
                way = self.rng.uniform(0, 2 * np.pi)
                at = other + _vec([np.cos(way), np.sin(way)]) * (reach * 0.5 + size * self.rng.uniform(0.55, 0.9))
            if all(np.hypot(*(at - o)) > r * 0.5 + size * 0.5 for o, r in self.taken):
                return at
        return None

    def _die(self, look: tuple[Floats, Floats, float, float, float]) -> None:
        rng = self.rng
        body, mark, clear, shiny, size = look
        at = self._free(size * 1.1, rng.random() < 0.3)
        if at is None:
            return
        tile = self.stock.dice[self.step][rng.integers(len(self.stock.dice[self.step]))]
        base, flat = 0.0, tile.flat
        if rng.random() < (0.12 if flat else 0.6):
            radius, colour = BOARD_PX * rng.uniform(0.031, 0.039), material(rng)
            under = at + rng.normal(0, radius * 0.4, 2)
            base, flat = self._checker(under, radius, colour, self._checker_style(colour)), False
        ink, values = solids.die_atlas(rng)
        inks = ink.astype(np.float32) / 255
        if rng.random() < 0.5:
            inks *= rng.uniform(0.75, 1.0)
        self._solid(tile, at, base, size, inks, body, mark, clear, shiny)
        centre = at + self.shift * (base + size * float(0.5 - tile.corners[:, 2].min()))
        self.items.append(Item("die", (float(centre[0]), float(centre[1])), size, values[tile.top], flat))
        self.taken.append((at, size))

    def _cube(self) -> None:
        rng = self.rng
        size = BOARD_PX * rng.uniform(0.032, 0.112) if rng.random() < 0.6 else BOARD_PX * rng.uniform(0.035, 0.07)
        at = self._free(size * 1.1, False)
        if at is None:
            return
        pick = rng.random()
        body = (
            any_colour(rng, 0.75, 1.0, rng.uniform(0, 0.25))
            if pick < 0.7
            else any_colour(rng, 0.02, 0.3)
            if pick < 0.85
            else any_colour(rng)
        )
        grey = float(body @ _vec([0.114, 0.587, 0.299]))
        mark = _vec(rng.uniform(5, 45, 3) if grey > 120 else rng.uniform(210, 255, 3))
        if rng.random() < 0.15:
            mark = contrasting(rng, body, 130)
        tile = self.stock.cubes[self.step][rng.integers(len(self.stock.cubes[self.step]))]
        ink, values = cube_atlas(rng, self.stock.numbers)
        base = rng.uniform(0, 0.04) * BOARD_PX if rng.random() < 0.3 else 0.0
        self._solid(tile, at, base, size, ink.astype(np.float32) / 255, body, mark, 0.0, rng.uniform(0, 0.6))
        centre = at + self.shift * (base + size * float(0.5 - tile.corners[:, 2].min()))
        self.items.append(Item("cube", (float(centre[0]), float(centre[1])), size, values[tile.top], tile.flat))
        self.taken.append((at, size))

    def _solid(
        self,
        tile: solids.Tile,
        at: Floats,
        base: float,
        size: float,
        ink: Floats,
        body: Floats,
        mark: Floats,
        clear: float,
        shiny: float,
    ) -> None:
        """Shadow, then the body, scaled and turned from its tile. Light and colour are those of the scene."""
        rng = self.rng
        turn = _vec([[np.cos(self.turn), -np.sin(self.turn)], [np.sin(self.turn), np.cos(self.turn)]])
        foot = tile.corners - [0, 0, tile.corners[:, 2].min()]
        flat = foot[:, :2] @ turn.T * size
        if base == 0.0:
            dark = np.concatenate([flat, flat - self.sun[:2] / self.sun[2] * foot[:, 2:] * size]) + at
            hull = cv2.convexHull(dark.astype(np.float32))[:, 0]
            self._shade(
                lambda m: cv2.fillConvexPoly(m, (hull * 16).astype(np.int32), 1.0, cv2.LINE_AA, 4),
                at,
                size * 2.2,
                rng.uniform(0.2, 0.65) * (1 - clear),
            )
        lamp = self.sun.copy()
        lamp[:2] = turn.T @ lamp[:2]
        shade = solids.light(tile, lamp, self.ambient) * rng.uniform(0.85, 1.25)
        shine = solids.gloss(tile, lamp, rng.uniform(8, 60)) * shiny
        if clear:
            # light gathers on the side of a translucent die that lies away from the lamp
            glow = 0.5 + 0.5 * np.clip(-(tile.normal[..., :2].astype(np.float32) @ lamp[:2]), -1, 1)
            shade = shade * (1 - clear) + clear * (0.5 + glow * rng.uniform(0.3, 1.2))
            far = tile.face ^ 1
            back = np.where(tile.face != 255, ink[np.where(tile.face == 255, 0, far), tile.v[:, ::-1], tile.u], 0)
            shade = shade + back * rng.uniform(-0.1, 0.25) * clear
        picture = solids.paint(tile, ink, body, mark, shade, shine)
        picture[..., 3] *= 1 - clear * rng.uniform(0, 0.8) if clear else 1
        picture[..., :3] *= picture[..., 3:]
        centre = at + self.shift * (base + size * float(-tile.corners[:, 2].min()))
        scale = size * solids.TILE_UNITS / len(tile.face)
        side = int(size * solids.TILE_UNITS * 1.2) + 4
        low = np.floor(centre - side / 2).astype(int)
        middle = (len(tile.face) - 1) / 2
        warp = np.hstack([turn * scale, (centre - low - 0.5 - turn @ np.array([middle, middle]) * scale)[:, None]])
        if scale < 0.7:
            picture = _vec(cv2.GaussianBlur(picture, (0, 0), 0.45 / scale))
        patch = cv2.warpAffine(picture, warp, (side, side), flags=cv2.INTER_LINEAR)
        self._over(patch, low)

    def _over(self, patch: Floats, low: npt.NDArray[np.int64]) -> None:
        x0, y0 = np.maximum(low, 0)
        x1, y1 = np.minimum(low + patch.shape[0], SCENE_PX)
        if x1 <= x0 or y1 <= y0:
            return
        part = patch[y0 - low[1] : y1 - low[1], x0 - low[0] : x1 - low[0]]
        window = self.image[y0:y1, x0:x1]
        window[:] = window * (1 - part[..., 3:]) + part[..., :3]

    # ---- what only looks like them

    def _clutter(self) -> None:
        rng, image = self.rng, self.image
        at = self._free(30, False)
        if at is None:
            return
        pick, colour = rng.random(), material(rng)
        if pick < 0.25:
            box = cv2.boxPoints((at.tolist(), (rng.uniform(12, 60), rng.uniform(12, 60)), rng.uniform(0, 90)))
            polygon(image, box, colour)
        elif pick < 0.45:
            self._dots(at, rng.uniform(5, 20))
        elif pick < 0.6:
            self._number(at, colour)
        elif pick < 0.85:
            self._checker(at, BOARD_PX * rng.uniform(0.028, 0.042), colour, self._checker_style(colour))
        else:
            radius = rng.uniform(25, 60)
            for k in range(8):
                spot = at + self.shift * k * radius * 0.3
                cv2.circle(
                    image, points(*spot), int(radius * 16), (colour * (0.6 + 0.05 * k)).tolist(), -1, cv2.LINE_AA, 4
                )
            cv2.circle(image, points(*spot), int(radius * 0.85 * 16), (colour * 0.3).tolist(), -1, cv2.LINE_AA, 4)

    def _number(self, at: Floats, colour: Floats) -> None:
        """A printed number, on the board or on a score card that is no cube."""
        rng = self.rng
        high = rng.uniform(8, 40)
        marks = self.stock.numbers[rng.integers(len(self.stock.numbers))]
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
        self._over(patch, at.astype(int))
        self.taken.append((at + np.array([w, h]) / 2, max(h, w) * 1.5))

    def _hand(self) -> None:
        """Fingers and an arm in skin and sleeve; what they cover can't be read and is no target any more."""
        rng = self.rng
        skin = _vec([rng.uniform(60, 170), rng.uniform(80, 190), rng.uniform(110, 235)])
        cover = np.zeros((SCENE_PX, SCENE_PX), np.float32)
        palm, way = rng.uniform(0, SCENE_PX, 2), rng.uniform(0, 2 * np.pi)
        for k in range(5):
            a = way + (k - 2) * 0.3
            tip = palm + np.array([np.cos(a), np.sin(a)]) * rng.uniform(50, 110)
            cv2.line(cover, points(*palm), points(*tip), 1.0, int(rng.integers(16, 26)), cv2.LINE_AA, 4)
        cv2.circle(cover, points(*palm), int(rng.uniform(28, 45) * 16), 1.0, -1, cv2.LINE_AA, 4)
        elbow = palm - np.array([np.cos(way), np.sin(way)]) * 400
        cv2.line(cover, points(*palm), points(*elbow), 1.0, int(rng.integers(40, 70)), cv2.LINE_AA, 4)
        shade = 0.75 + 0.25 * cv2.GaussianBlur(cover, (0, 0), 6)[..., None] + self._texture(0.03)
        soft = cv2.GaussianBlur(cover, (0, 0), 0.8)[..., None]
        self.image = self.image * (1 - soft) + skin * shade * soft
        kept = []
        for item in self.items:
            x, y = (int(np.clip(v, 0, SCENE_PX - 1)) for v in item.at)
            r = max(3, int(item.size * 0.6))
            hidden = float(cover[max(0, y - r) : y + r, max(0, x - r) : x + r].mean())
            kept.append(Item(item.kind, item.at, item.size, item.value, item.flat, 1 - hidden))
        self.items = kept

    # ---- the camera

    def _finish(self) -> Scene:
        """Light, exposure, the source's resolution (coarser along the line of sight), blur, noise, JPEG."""
        rng = self.rng
        image = np.clip(self.image, 0, 255)
        gain = rng.uniform(0.35, 1.15) if rng.random() < 0.4 else rng.uniform(0.8, 1.1)
        tint = 1 + rng.normal(0, 0.06, 3)
        image = np.clip((image - 128) * rng.uniform(0.7, 1.15) + 128, 0, 255) * gain * tint
        coarse = rng.uniform(380, 1000) / BOARD_PX
        steep = 1 / np.sqrt(1 + self.lean**2)
        size = (int(SCENE_PX * coarse), int(SCENE_PX * coarse * rng.uniform(min(1, steep * 1.1), 1.0)))
        small = cv2.resize(image.astype(np.float32), size, interpolation=cv2.INTER_AREA)
        if rng.random() < 0.6:
            small = cv2.GaussianBlur(small, (0, 0), rng.uniform(0.3, 1.0))
        if rng.random() < 0.08:
            length = int(rng.integers(2, 5))
            kernel = np.zeros((length, length), np.float32)
            cv2.line(kernel, (0, int(rng.integers(length))), (length - 1, int(rng.integers(length))), 1.0)
            small = cv2.filter2D(small, -1, kernel / kernel.sum())
        small = small + rng.normal(0, rng.uniform(0, 6), small.shape)
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(50, 97))]
        code = cv2.imencode(".jpg", np.clip(small, 0, 255).astype(np.uint8), quality)[1]
        stretch = 1.0 if self.real else rng.uniform(0.85, 1.17)
        taken = np.asarray(cv2.imdecode(code, cv2.IMREAD_COLOR), np.uint8)
        full = cv2.resize(taken, (SCENE_PX, int(SCENE_PX * stretch)), interpolation=cv2.INTER_LINEAR)
        canvas = cv2.copyMakeBorder(full, 0, max(0, SCENE_PX - len(full)), 0, 0, cv2.BORDER_REFLECT)[:SCENE_PX]
        items = tuple(
            Item(i.kind, (i.at[0], i.at[1] * stretch), i.size * (0.5 + 0.5 * stretch), i.value, i.flat, i.seen)
            for i in self.items
        )
        lean = (float(self.shift[0]), float(self.shift[1] * stretch))
        return Scene(np.ascontiguousarray(canvas, np.uint8), lean, items)
