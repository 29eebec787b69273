"""Draws scenes as rare boards show them: any dice and cubes, grounds full of patterns, what looks like both, poor cameras."""

from __future__ import annotations

import cv2
import numpy as np

from vision.training import dice_clutter
from vision.training import dice_solids as solids
from vision.training.dice_board import (
    BOARD_PX,
    SCENE_PX,
    Bytes,
    Floats,
    any_colour,
    contrasting,
    material,
    polygon,
    resized,
    vec,
)
from vision.training.dice_fonts import cube_atlas
from vision.training.dice_scene import Item, SceneDrawer, SolidLook, Stock

GREY = vec([0.114, 0.587, 0.299])
LEAST_INK = 26.0
"""Distance in CIE Lab (1976) between a solid and its marks at least: below that hardly anybody could read it. Marks as bright as
the body but of another colour, blue on red, are read on real cubes."""

NARROW = 1.1
"""Width over height of what is a single letter: a Q, a B or an S on a block is the likest thing to an 8 or a 2."""


class StrangeDrawer(SceneDrawer):
    """Draws one strange scene: `StrangeDrawer(rng, stock).draw(...)`."""

    def __init__(self, rng: np.random.Generator, stock: Stock, step: int | None = None) -> None:
        super().__init__(rng, stock, step)
        self.marble: tuple[Floats, float] | None = None
        self.steer: Floats | None = None

    def ground(self) -> None:
        rng = self.rng
        if rng.random() < 0.35:
            self._flush_points()
        else:
            super().ground()
        if rng.random() < 0.2:
            dice_clutter.cloth(self)
        for _ in range(int(rng.choice([0, 1, 3, 8], p=[0.35, 0.25, 0.25, 0.15]))):
            self._pattern(0.0)

    def _flush_points(self) -> None:
        """High-contrast points side by side, plain, chequered along an edge, hollow or rounded."""
        rng, image = self.rng, self.image
        image[:] = material(rng)
        pair = [material(rng), material(rng)]
        pitch, height = BOARD_PX / 13 * rng.uniform(0.95, 1.1), BOARD_PX * rng.uniform(0.27, 0.4)
        x0, base = rng.uniform(-pitch, pitch), rng.uniform(-0.2, 0.4) * SCENE_PX
        checks, hollow, rounded = rng.random() < 0.3, rng.random() < 0.15, rng.random() < 0.2
        for i in range(-1, 8):
            x, half = x0 + i * pitch, pitch * 0.5
            shape = vec([[x - half, base], [x + half, base], [x, base + height]])
            polygon(image, shape, pair[i % 2])
            if rounded:
                cv2.circle(image, (int(x), int(base)), int(half), pair[i % 2].tolist(), -1, cv2.LINE_AA)
            if hollow:
                polygon(image, vec([[x, base + height * 0.2]]) + (shape - shape.mean(0)) * 0.6, pair[(i + 1) % 2])
            if checks:
                n = int(height / rng.uniform(8, 16))
                for k in range(n):
                    at = shape[0] + (shape[2] - shape[0]) * (k + 0.5) / n
                    box = cv2.boxPoints((at.tolist(), (5.0, height / n * 0.9), 0.0))
                    polygon(image, box, pair[(i + k) % 2])
        image += self.texture(rng.uniform(0, 14)) + self.texture(rng.uniform(0, 6))
        for _ in range(rng.integers(0, 3)):
            self.rail()
        if rng.random() < 0.6:
            image[:] = np.rot90(image, int(rng.integers(4))).copy()

    def clutter(self) -> None:
        rng = self.rng
        if rng.random() < 0.25:
            super().clutter()
            return
        if rng.random() < 0.35:
            self._blank_solid()
            return
        self._pattern(20.0)

    def _pattern(self, apart: float) -> None:
        """A thing that is no die and no cube; `apart` px from what stands there already, 0: anywhere."""
        at = self.free(apart, near=False) if apart else vec(self.rng.uniform(0, SCENE_PX, 2))
        if at is None:
            return
        radius = dice_clutter.pattern(self, vec(at), self.stock.words)
        if apart:
            self.taken.append((at, min(radius, 40.0) * 1.6))
        offset = self.rng.uniform(-0.6, 0.6, 2) * min(radius, 30) if self.rng.random() < 0.6 else np.zeros(2)
        self._decoy(at + offset)

    def _decoy(self, spot: Floats) -> None:
        """Notes a place where something looks like a solid and is none."""
        self.items.append(
            Item("decoy", (float(spot[0]), float(spot[1])), BOARD_PX * self.rng.uniform(0.022, 0.06), 0, True)
        )

    def _blank_solid(self) -> None:
        """A block without marks, or with letters: no die and no cube."""
        rng = self.rng
        size = BOARD_PX * rng.uniform(0.02, 0.1)
        at = self.free(size * 1.1, near=False)
        if at is None:
            return
        tile = self.stock.dice[self.step][rng.integers(len(self.stock.dice[self.step]))]
        body = material(rng)
        ink = np.zeros((6, solids.FACE_PX, solids.FACE_PX), np.float32)
        if rng.random() < 0.7:
            side, line = int(rng.uniform(16, 56)), rng.random() < 0.4
            for face in ink:
                self._lettered(face, side, line=line)
        look = SolidLook(body, contrasting(rng, body, 60), 0.0, rng.uniform(0, 0.6))
        self._solid(tile, at, 0.0, size, ink, look)
        centre = at + self.shift * size * float(0.5 - tile.corners[:, 2].min())
        self.items.append(Item("decoy", (float(centre[0]), float(centre[1])), size, 0, True))
        self.taken.append((at, size))

    def _lettered(self, face: Floats, side: int, *, line: bool) -> None:
        """A sign in the middle of a face (64, 64), as on a lid or a box; side: its longer side in texels; line: words under it."""
        middle, px = solids.FACE_PX // 2, side
        words = self.stock.words
        letters = [word for word in words if word.shape[1] < NARROW * len(word)] if self.rng.random() < 0.6 else []
        rows = [(0, letters or words), (side // 2 + 3, words)]
        for low, signs in rows[: 1 + line]:
            word = signs[self.rng.integers(len(signs))]
            mark = resized(word, px / max(word.shape)).astype(np.float32) / 255
            high, wide = mark.shape
            y, x = min(middle - high // 2 + low, solids.FACE_PX - high), middle - wide // 2
            face[y : y + high, x : x + wide] = mark
            px = int(self.rng.uniform(0.6, 1.0) * side)

    def _legible(self, body: Floats, mark: Floats) -> Floats:
        """The marks' colour; nearly black or white where it is too near the body's."""
        pair = cv2.cvtColor(np.stack([body, mark])[None].astype(np.float32) / 255, cv2.COLOR_BGR2Lab)[0]
        if np.linalg.norm(pair[1] - pair[0]) >= LEAST_INK:
            return mark
        return vec(self.rng.uniform(*(200, 250) if body @ GREY < 128 else (5, 45), 3))

    def _die_body(self) -> tuple[Floats, Floats, float, float, float]:
        rng = self.rng
        pick = rng.random()
        clear = 0.0
        if pick < 0.2:
            body = any_colour(rng, 0.72, 1.0, rng.uniform(0, 0.35))
        elif pick < 0.42:
            body = any_colour(rng, 0.02, 0.3, rng.uniform(0, 0.8))
        elif pick < 0.62:
            body, clear = any_colour(rng, 0.2, 0.95, rng.uniform(0.5, 1.0)), rng.uniform(0.2, 0.75)
        elif pick < 0.74:
            hue = rng.uniform(100, 130)
            hsv = np.array([[[hue, rng.uniform(110, 255), rng.uniform(40, 220)]]], np.uint8)
            body = vec(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0])
            clear = rng.uniform(0.1, 0.6) if rng.random() < 0.4 else 0.0
        elif pick < 0.88:
            # the colour of the ground just here: a die on a point of its own colour
            x, y = rng.integers(20, SCENE_PX - 20, 2)
            here, self.steer = self.image[y, x], vec([x, y])
            body = vec(np.clip(here * rng.uniform(0.75, 1.3) + rng.normal(0, 8), 4, 252))
        else:
            body = material(rng)
        grey = float(body @ GREY)
        dark, pale = vec(rng.uniform(5, 60, 3)), vec(255 - rng.uniform(0, 60, 3))
        mark = dark if grey > rng.uniform(100, 165) else pale
        if rng.random() < 0.15:
            mark = contrasting(rng, body, 90)
        if rng.random() < 0.08:
            mark = vec(np.array([60, 150, 200]) * rng.uniform(0.7, 1.2))
        self.marble = (self.texture(1.0), rng.uniform(4, 28)) if rng.random() < 0.2 else None
        shiny = rng.uniform(0, 1.2) if rng.random() < 0.7 else 0.0
        return body, self._legible(body, vec(mark)), clear, shiny, BOARD_PX * rng.uniform(0.02, 0.047)

    def _shows_through(self) -> float:
        return float(self.rng.uniform(-0.5, 0.9))

    def _surface(self, tile: solids.SolidTile, body: Floats) -> Floats:
        if self.marble is None:
            return body
        cloud, strength = self.marble
        side = len(tile.face)
        return vec(np.clip(body + cloud[:side, :side] * np.float32(strength), 0, 255))

    def _die_ink(self) -> tuple[Bytes, tuple[int, ...]]:
        """Pips small and large, near the edge and near the middle, some only rings."""
        rng = self.rng
        values = list(solids.DIE_FACES)
        if rng.random() < 0.5:
            values[4:] = values[5], values[4]
        radius, spread = rng.uniform(0.055, 0.135), rng.uniform(0.2, 0.315)
        ringed = rng.random() < 0.12
        large_one = rng.uniform(1.0, 2.0) if rng.random() < 0.2 else 1.0
        atlas = np.zeros((6, solids.FACE_PX, solids.FACE_PX), np.uint8)
        for picture, value in zip(atlas, values, strict=True):
            mirror, turned = int(rng.choice([-1, 1])), rng.random() < 0.5
            for a, b in solids.PIPS[value]:
                a, b = (b, a * mirror) if turned else (a * mirror, b)
                centre = ((np.array([a, b]) * spread + 0.5) * solids.FACE_PX * 16).astype(int).tolist()
                size = radius * (large_one if value == 1 else 1.0)
                r = int(size * solids.FACE_PX * 16)
                cv2.circle(picture, centre, r, 255, -1, cv2.LINE_AA, 4)
                if ringed:
                    cv2.circle(picture, centre, int(r * 0.5), 60, -1, cv2.LINE_AA, 4)
        return atlas, tuple(values)

    def _cube_look(self) -> tuple[Floats, Floats]:
        rng = self.rng
        pick = rng.random()
        if pick < 0.25:
            body = any_colour(rng, 0.72, 1.0, rng.uniform(0, 0.3))
        elif pick < 0.5:
            body = any_colour(rng, 0.02, 0.3, rng.uniform(0, 0.7))
        elif pick < 0.62:
            body = vec([rng.uniform(15, 120), rng.uniform(40, 160), rng.uniform(60, 220)]) * np.float32(
                rng.uniform(0.5, 1.1)
            )
        elif pick < 0.8:
            body = any_colour(rng, 0.2, 1.0, rng.uniform(0.3, 1.0))
        else:
            body = any_colour(rng)
        grey = float(body @ GREY)
        mark = vec(rng.uniform(5, 60, 3) if grey > rng.uniform(95, 150) else rng.uniform(190, 255, 3))
        if rng.random() < 0.3:
            mark = contrasting(rng, body, 90)
        if rng.random() < 0.08:
            mark = vec(np.array([60, 150, 200]) * rng.uniform(0.7, 1.2))
        self.marble = (self.texture(1.0), rng.uniform(4, 25)) if rng.random() < 0.3 else None
        return body, self._legible(body, mark)

    def _cube_ink(self) -> tuple[Bytes, tuple[int, ...]]:
        """Numbers of any size, on plain faces, in discs, in frames; some are printed faintly."""
        rng = self.rng
        ink, values = cube_atlas(rng, self.stock.numbers)
        if rng.random() < 0.25:
            ink = np.asarray(ink * rng.uniform(0.6, 1.0), np.uint8)
        px = solids.FACE_PX
        pick = rng.random()
        if pick < 0.1:
            disc = np.zeros((px, px), np.uint8)
            cv2.circle(disc, (px // 2, px // 2), int(px * rng.uniform(0.36, 0.47)), 255, -1, cv2.LINE_AA)
            ink = np.asarray(np.clip(disc[None].astype(np.int16) - ink, 0, 255), np.uint8)
        elif pick < 0.18:
            edge, wide = int(rng.integers(2, 9)), int(rng.integers(1, 4))
            for face in ink:
                cv2.rectangle(face, (edge, edge), (px - edge, px - edge), 255, wide, cv2.LINE_AA)
        return ink, values

    def _cube(self) -> None:
        """As plain scenes do, now and then in a recess, on a bar or a rail."""
        rng = self.rng
        before = len(self.items)
        if rng.random() < 0.35:
            uncovered = self.image.copy()
            spot = rng.uniform(40, SCENE_PX - 40, 2)
            wide, long = rng.uniform(60, 130), rng.uniform(60, 420)
            angle = float(rng.choice([0, 90]) + rng.normal(0, 2))
            colour = material(rng)
            for part, tone in ((1.12, rng.uniform(0.5, 1.5)), (1.0, 1.0)):
                box = cv2.boxPoints((spot.tolist(), (wide * part, long * part), angle))
                polygon(self.image, box, vec(np.clip(colour * tone, 0, 255)))
            self.note_covered(uncovered)
            self.steer = vec(spot)
        super()._cube()
        self.steer = None
        if len(self.items) > before:
            self.marble = None

    def free(self, size: float, *, near: bool) -> Floats | None:
        """A free place; a cube goes into the recess painted for it, a die onto the ground whose colour it has, if they are free."""
        if self.steer is not None:
            at = vec(self.steer + self.rng.normal(0, 8, 2))
            self.steer = None
            if all(np.hypot(*(at - o)) > r * 0.5 + size * 0.5 for o, r in self.taken):
                return at
        return super().free(size, near=near)

    def _things(self, crowd: str | None) -> list[str]:
        """Clutter first: what lies over a die would hide it."""
        things = super()._things(crowd) + ["clutter"] * int(self.rng.integers(1, 5))
        return sorted(things, key=lambda thing: thing != "clutter")

    def _taken(self, image: Floats) -> Bytes:
        """Poor light, colour casts, pools of light, defocus, shake, sharpening, small pictures, noise, strong compression."""
        rng = self.rng
        image = vec(image)
        if rng.random() < 0.3:
            ys, xs = np.mgrid[:SCENE_PX, :SCENE_PX].astype(np.float32)
            x, y = rng.uniform(-80, SCENE_PX + 80, 2)
            pool = np.exp(-((xs - x) ** 2 + (ys - y) ** 2) / (2 * rng.uniform(20, 160) ** 2))[..., None]
            image = image * (1 + pool * rng.uniform(-0.5, 0.9)) + pool * rng.uniform(0, 110)
        gain = rng.uniform(0.3, 1.2) if rng.random() < 0.4 else rng.uniform(0.75, 1.15)
        tint = 1 + rng.normal(0, 0.1, 3)
        image = 255 * np.clip(image / 255, 0, 1) ** np.float32(rng.uniform(0.7, 1.5))
        image = np.clip((image - 128) * rng.uniform(0.6, 1.2) + 128, 0, 255) * gain * tint
        if rng.random() < 0.1:
            image = image @ (np.eye(3) * 0.2 + 0.8 / 3)
        coarse = rng.uniform(420, 1000) / BOARD_PX if rng.random() < 0.85 else rng.uniform(300, 420) / BOARD_PX
        steep = 1 / np.sqrt(1 + self.lean**2)
        size = (int(SCENE_PX * coarse), int(SCENE_PX * coarse * rng.uniform(min(1, steep * 1.1), 1.0)))
        small = cv2.resize(image.astype(np.float32), size, interpolation=cv2.INTER_AREA)
        if rng.random() < 0.6:
            small = cv2.GaussianBlur(
                small, (0, 0), rng.uniform(0.3, 1.0) if rng.random() < 0.8 else rng.uniform(1.0, 1.6)
            )
        if rng.random() < 0.15:
            length = int(rng.integers(2, 6))
            kernel = np.zeros((length, length), np.float32)
            cv2.line(kernel, (0, int(rng.integers(length))), (length - 1, int(rng.integers(length))), 1.0)
            small = cv2.filter2D(small, -1, kernel / kernel.sum())
        if rng.random() < 0.25:
            soft = cv2.GaussianBlur(small, (0, 0), rng.uniform(0.6, 2.0))
            small = small + (small - soft) * rng.uniform(0.4, 2.0)
        small = small + rng.normal(0, rng.uniform(0, 6) if rng.random() < 0.8 else rng.uniform(6, 14), small.shape)
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(50, 97) if rng.random() < 0.75 else rng.integers(15, 50))]
        code = cv2.imencode(".jpg", np.clip(small, 0, 255).astype(np.uint8), quality)[1]
        return np.asarray(cv2.imdecode(code, cv2.IMREAD_COLOR), np.uint8)
