"""Draws stretches of board with dice, cubes and what looks like them, as a camera's rectified picture shows them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.reading.detector import BoardPicture
from vision.training import dice_solids as solids
from vision.training.dice_board import (
    BOARD_PX,
    SCENE_PX,
    BoardPainter,
    Bytes,
    Floats,
    any_colour,
    contrasting,
    make_textures,
    material,
    vec,
)
from vision.training.dice_fonts import cube_atlas, font_files, load_lettering, set_lettering

REAL_SHARE = 0.4
"""Share of scenes on the ground of a picture that was not drawn here, where there are any."""
OVERHEAD_SHARE = 0.45
"""Share of scenes whose camera is nearly overhead; the others take any lean."""

COVERED = 8.0
"""Grey levels by which a px changes that something is painted over."""


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
class SolidLook:
    """body, mark: (3,) BGR of the solid and of its marks. clear: 0 opaque to 1 like glass; shiny: strength of its gloss."""

    body: Floats
    mark: Floats
    clear: float
    shiny: float


@dataclass(frozen=True)
class DiceScene:
    """image: (384, 384, 3) uint8 BGR; lean: (2,) shift of a point per height; board_px: pixels per board width."""

    image: Bytes
    lean: tuple[float, float]
    items: tuple[Item, ...]
    board_px: float = BOARD_PX


@dataclass(frozen=True)
class Photograph:
    """A picture not drawn here: rectified at BOARD_PX, its view, and what lies in it (size 0: unknown)."""

    image: Bytes
    view: BoardPicture
    to_view: npt.NDArray[np.float64]
    items: tuple[Item, ...]


@dataclass(frozen=True)
class Stock:
    """Everything that is made once: textures, dice and cube tiles for each lean, number styles."""

    textures: list[Floats]
    dice: list[list[solids.SolidTile]]
    cubes: list[list[solids.SolidTile]]
    numbers: list[dict[int, Bytes]]
    photographs: list[Photograph] = field(default_factory=list)
    words: list[Bytes] = field(default_factory=list)
    cards: list[Bytes] = field(default_factory=list)
    real_share: float = REAL_SHARE


def make_stock(rng: np.random.Generator, dice: int = 60, cubes: int = 30, lettering: Path | None = None) -> Stock:
    """Casts the tiles and makes the textures; `dice` and `cubes` tiles for each of the 16 leans.

    lettering: a file of `python -m vision.training.dice_fonts`; none: set in the system's fonts.
    """
    marks = load_lettering(lettering) if lettering else set_lettering(rng, font_files(), 240)
    return Stock(
        textures=make_textures(rng),
        dice=solids.library(rng, dice, 100, (0.01, 0.22), 0.3),
        cubes=solids.library(rng, cubes, 160, (0.012, 0.18), 0.06),
        numbers=marks.numbers,
        words=marks.words,
        cards=marks.cards,
    )


class SceneDrawer(BoardPainter):
    """Draws one scene: `SceneDrawer(rng, stock).draw(...)`. `step` fixes the lean (0 is overhead)."""

    def __init__(self, rng: np.random.Generator, stock: Stock, step: int | None = None) -> None:
        if step is None:
            step = int(rng.integers(0, 5 if rng.random() < OVERHEAD_SHARE else solids.LEAN_STEPS))
        super().__init__(rng, stock.textures, stock.numbers, solids.LEAN_MAX * step / (solids.LEAN_STEPS - 1))
        self.stock, self.step = stock, step
        self.items: list[Item] = []
        self.ambient = rng.uniform(0.45, 0.9)
        self.real = False

    def draw(self, crowd: str | None = None) -> DiceScene:
        """The finished scene; `crowd` ("die" or "cube") fills it with one kind, for readers rather than finders."""
        rng = self.rng
        self.real = bool(self.stock.photographs) and rng.random() < self.stock.real_share
        if self.real:
            self._real_ground()
        else:
            self.ground()
            self.light_bands()
            for _ in range(rng.integers(0, 4)):
                self.column_of_checkers()
        body = self._die_body()
        for thing in self._things(crowd):
            if rng.random() < (0.8 if crowd else 0.3):
                body = self._die_body()
            if thing == "die":
                self._die(body)
            elif thing == "cube":
                self._cube()
            else:
                self.clutter()
        if rng.random() < 0.08:
            self._hide_under(self.hand())
        return self._finish()

    def _things(self, crowd: str | None) -> list[str]:
        rng = self.rng
        if crowd:
            return [crowd] * (9 if crowd == "die" else 5) + ["clutter"] * int(rng.integers(0, 2))
        things = ["cube"] * int(rng.choice([0, 1, 2], p=[0.4, 0.52, 0.08]))
        things += ["die"] * int(rng.choice([0, 1, 2, 3, 4, 6], p=[0.12, 0.13, 0.3, 0.2, 0.15, 0.1]))
        things += ["clutter"] * int(rng.integers(0, 4))
        return [things[k] for k in rng.permutation(len(things))]

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
                self.taken.append((vec(at), 45.0 if item.kind == "die" else 100.0))

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
        grey = body @ vec([0.114, 0.587, 0.299])
        dark, pale = (
            vec([12, 12, 12]) + rng.uniform(0, 40, 3),
            vec([245, 245, 245]) - rng.uniform(0, 40, 3),
        )
        mark = dark if grey > rng.uniform(110, 170) else pale
        if rng.random() < 0.08:
            mark = contrasting(rng, body, 110)
        clear = rng.uniform(0.1, 0.5) if rng.random() < 0.25 else 0.0
        shiny = rng.uniform(0, 0.9) if rng.random() < 0.6 else 0.0
        return body, mark.astype(np.float32), clear, shiny, BOARD_PX * rng.uniform(0.023, 0.047)

    def _die_ink(self) -> tuple[Bytes, tuple[int, ...]]:
        """(6, 64, 64) uint8 pip masks and the value of each face."""
        return solids.die_atlas(self.rng)

    def _cube_ink(self) -> tuple[Bytes, tuple[int, ...]]:
        """(6, 64, 64) uint8 masks of numbers and the value of each face."""
        return cube_atlas(self.rng, self.stock.numbers)

    def _cube_look(self) -> tuple[Floats, Floats]:
        """Colours of body and numbers."""
        rng = self.rng
        pick = rng.random()
        body = (
            any_colour(rng, 0.75, 1.0, rng.uniform(0, 0.25))
            if pick < 0.7
            else any_colour(rng, 0.02, 0.3)
            if pick < 0.85
            else any_colour(rng)
        )
        grey = float(body @ vec([0.114, 0.587, 0.299]))
        mark = vec(rng.uniform(5, 45, 3) if grey > 120 else rng.uniform(210, 255, 3))
        if rng.random() < 0.15:
            mark = contrasting(rng, body, 130)
        return body, mark

    def _die(self, look: tuple[Floats, Floats, float, float, float]) -> None:
        rng = self.rng
        body, mark, clear, shiny, size = look
        at = self.free(size * 1.1, near=rng.random() < 0.3)
        if at is None:
            return
        tile = self.stock.dice[self.step][rng.integers(len(self.stock.dice[self.step]))]
        base, flat = 0.0, tile.flat
        if rng.random() < (0.12 if flat else 0.6):
            radius, colour = BOARD_PX * rng.uniform(0.031, 0.039), material(rng)
            under = at + rng.normal(0, radius * 0.4, 2)
            base, flat = self.checker(under, radius, colour, self.checker_style(colour)), False
        ink, values = self._die_ink()
        inks = ink.astype(np.float32) / 255
        if rng.random() < 0.5:
            inks *= rng.uniform(0.75, 1.0)
        self._solid(tile, at, base, size, inks, SolidLook(body, mark, clear, shiny))
        centre = at + self.shift * (base + size * float(0.5 - tile.corners[:, 2].min()))
        self.items.append(Item("die", (float(centre[0]), float(centre[1])), size, values[tile.top], flat))
        self.taken.append((at, size))

    def _cube(self) -> None:
        rng = self.rng
        size = BOARD_PX * rng.uniform(0.032, 0.112) if rng.random() < 0.6 else BOARD_PX * rng.uniform(0.035, 0.07)
        at = self.free(size * 1.1, near=False)
        if at is None:
            return
        body, mark = self._cube_look()
        tile = self.stock.cubes[self.step][rng.integers(len(self.stock.cubes[self.step]))]
        ink, values = self._cube_ink()
        base = rng.uniform(0, 0.04) * BOARD_PX if rng.random() < 0.3 else 0.0
        self._solid(tile, at, base, size, ink.astype(np.float32) / 255, SolidLook(body, mark, 0.0, rng.uniform(0, 0.6)))
        centre = at + self.shift * (base + size * float(0.5 - tile.corners[:, 2].min()))
        self.items.append(Item("cube", (float(centre[0]), float(centre[1])), size, values[tile.top], tile.flat))
        self.taken.append((at, size))

    def _solid(
        self, tile: solids.SolidTile, at: Floats, base: float, size: float, ink: Floats, look: SolidLook
    ) -> None:
        """Shadow, then the body, scaled and turned from its tile. The light is that of the scene.

        at: (2,) px; base: height of its foot, px; size: side, px; ink: (6, FACE_PX, FACE_PX) 0-1, where each face is marked.
        """
        rng, clear = self.rng, look.clear
        turn = vec([[np.cos(self.turn), -np.sin(self.turn)], [np.sin(self.turn), np.cos(self.turn)]])
        foot = tile.corners - [0, 0, tile.corners[:, 2].min()]
        flat = foot[:, :2] @ turn.T * size
        if base == 0.0:
            dark = np.concatenate([flat, flat - self.sun[:2] / self.sun[2] * foot[:, 2:] * size]) + at
            hull = cv2.convexHull(dark.astype(np.float32))[:, 0]
            self.shade(
                lambda m: cv2.fillConvexPoly(m, (hull * 16).astype(np.int32), 1.0, cv2.LINE_AA, 4),
                at,
                size * 2.2,
                rng.uniform(0.2, 0.65) * (1 - clear),
            )
        lamp = self.sun.copy()
        lamp[:2] = turn.T @ lamp[:2]
        shade = solids.light(tile, lamp, self.ambient) * rng.uniform(0.85, 1.25)
        shine = solids.gloss(tile, lamp, rng.uniform(8, 60)) * look.shiny
        if clear:
            # light gathers on the side of a translucent die that lies away from the lamp
            glow = 0.5 + 0.5 * np.clip(-(tile.normal[..., :2].astype(np.float32) @ lamp[:2]), -1, 1)
            shade = shade * (1 - clear) + clear * (0.5 + glow * rng.uniform(0.3, 1.2))
            far = tile.face ^ 1
            back = np.where(tile.face != 255, ink[np.where(tile.face == 255, 0, far), tile.v[:, ::-1], tile.u], 0)
            shade = shade + back * self._shows_through() * clear
        picture = solids.paint(tile, ink, self._surface(tile, look.body), look.mark, shade, shine)
        if clear:
            pips = np.where(tile.face != 255, ink[np.where(tile.face == 255, 0, tile.face), tile.v, tile.u], 0)
            picture[..., 3] *= 1 - clear * rng.uniform(0, 0.8) * (1 - pips)
        picture[..., :3] *= picture[..., 3:]
        centre = at + self.shift * (base + size * float(-tile.corners[:, 2].min()))
        scale = size * solids.TILE_UNITS / len(tile.face)
        side = int(size * solids.TILE_UNITS * 1.2) + 4
        low = np.floor(centre - side / 2).astype(int)
        middle = (len(tile.face) - 1) / 2
        warp = np.hstack([turn * scale, (centre - low - 0.5 - turn @ np.array([middle, middle]) * scale)[:, None]])
        if scale < 0.7:
            picture = vec(cv2.GaussianBlur(picture, (0, 0), 0.45 / scale))
        patch = cv2.warpAffine(picture, warp, (side, side), flags=cv2.INTER_LINEAR)
        self.over(patch, low)

    def _shows_through(self) -> float:
        """How bright the far side's pips look through a translucent body."""
        return float(self.rng.uniform(-0.1, 0.25))

    def _surface(self, tile: solids.SolidTile, body: Floats) -> Floats:
        """The body's colour, (3,) or (T, T, 3)."""
        return body

    def _hide_under(self, cover: Floats) -> None:
        """What a hand covers can't be read and is no target any more."""
        kept = []
        for item in self.items:
            x, y = (int(np.clip(v, 0, SCENE_PX - 1)) for v in item.at)
            r = max(3, int(item.size * 0.6))
            hidden = float(cover[max(0, y - r) : y + r, max(0, x - r) : x + r].mean())
            kept.append(replace(item, seen=min(item.seen, 1 - hidden)))
        self.items = kept

    def note_covered(self, before: Floats) -> None:
        """The same for whatever was painted over a solid since `before`, (384, 384, 3) float32."""
        if any(item.kind != "decoy" for item in self.items):
            changed = np.abs(self.image - before).max(2) > COVERED
            self._hide_under(changed.astype(np.float32))

    def _finish(self) -> DiceScene:
        """Light, exposure, the source's resolution (coarser along the line of sight), blur, noise, JPEG."""
        rng = self.rng
        taken = self._taken(np.clip(self.image, 0, 255))
        stretch = 1.0 if self.real else rng.uniform(0.85, 1.17)
        full = cv2.resize(taken, (SCENE_PX, int(SCENE_PX * stretch)), interpolation=cv2.INTER_LINEAR)
        canvas = cv2.copyMakeBorder(full, 0, max(0, SCENE_PX - len(full)), 0, 0, cv2.BORDER_CONSTANT)[:SCENE_PX]
        items = tuple(
            Item(i.kind, (i.at[0], i.at[1] * stretch), i.size * (0.5 + 0.5 * stretch), i.value, i.flat, i.seen)
            for i in self.items
        )
        lean = (float(self.shift[0]), float(self.shift[1] * stretch))
        return DiceScene(np.ascontiguousarray(canvas, np.uint8), lean, items)

    def _taken(self, image: Floats) -> Bytes:
        """The picture (384, 384, 3) float32 0-255 as a camera takes it: uint8 at its own resolution."""
        rng = self.rng
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
        return np.asarray(cv2.imdecode(code, cv2.IMREAD_COLOR), np.uint8)
