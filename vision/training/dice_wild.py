"""Draws scenes nearer to real tables: engraved, glassy and worn solids, reflections, board edges, phones, cards, coins, pens."""

from __future__ import annotations

import cv2
import numpy as np

from vision.training import dice_solids as solids
from vision.training.dice_board import (
    BOARD_PX,
    SCENE_PX,
    Bytes,
    Floats,
    any_colour,
    contrasting,
    material,
    points,
    polygon,
    resized,
    vec,
)
from vision.training.dice_clutter import lay, metal, opaque
from vision.training.dice_scene import SolidLook, Stock
from vision.training.dice_strange import StrangeDrawer

PALETTES = (
    ((235, 240, 242), (15, 15, 15)),
    ((205, 228, 238), (25, 30, 50)),
    ((22, 22, 24), (240, 240, 240)),
    ((28, 28, 170), (245, 245, 245)),
    ((120, 45, 20), (240, 240, 240)),
    ((190, 95, 20), (245, 245, 245)),
    ((50, 95, 20), (240, 240, 240)),
    ((30, 30, 75), (215, 225, 235)),
    ((25, 40, 70), (120, 190, 220)),
    ((40, 150, 210), (15, 15, 20)),
)
"""BGR of bodies and pips as sets of dice are sold: white, ivory, black, red, navy, blue, green, burgundy, brown, amber."""
GLOSSY = 0.2
"""Share of checkers in whose faces lamps and windows show."""
EDGE_TEXELS = 9.0
"""Over which part of a face's 64 texels wear and depth show from its edge inwards."""


class WildDrawer(StrangeDrawer):
    """Draws one wild scene: `WildDrawer(rng, stock).draw(...)`."""

    def __init__(self, rng: np.random.Generator, stock: Stock, step: int | None = None) -> None:
        super().__init__(rng, stock, step)
        self.ink_now: Floats | None = None
        self.found: Floats = np.zeros(2, np.float32)
        self.glassy = False
        self.brink: tuple[Floats, Floats, Floats, float] | None = None

    # The ground

    def ground(self) -> None:
        rng = self.rng
        super().ground()
        if rng.random() < 0.25:
            self._beside_the_board()
        if rng.random() < 0.15:
            self._row_of_dots()

    def _beside_the_board(self) -> None:
        """The board's frame across the scene, its shadow, and the table or a cloth beyond it."""
        rng, image = self.rng, self.image
        way, here = rng.uniform(0, 2 * np.pi), rng.uniform(0.25, 0.75, 2) * SCENE_PX
        normal, along = vec([np.cos(way), np.sin(way)]), vec([-np.sin(way), np.cos(way)])
        if rng.random() < 0.7:
            quarter = int(rng.integers(4))
            normal, along = (
                vec([[1, 0], [0, 1], [-1, 0], [0, -1]][quarter]),
                vec([[0, 1], [-1, 0], [0, -1], [1, 0]][quarter]),
            )
        table = np.empty_like(image)
        table[:] = material(rng)
        table += self.texture(rng.uniform(0, 25)) + self.texture(rng.uniform(0, 8))
        reach = 900.0
        wide = rng.uniform(20, 110)

        def band(start: float, end: float) -> Floats:
            low, high = here + normal * start, here + normal * end
            return vec([low - along * reach, low + along * reach, high + along * reach, high - along * reach])

        beyond = np.zeros((SCENE_PX, SCENE_PX), np.float32)
        cv2.fillPoly(beyond, [(band(wide, reach) * 16).astype(np.int32)], 1.0, cv2.LINE_AA, 4)
        dark = np.zeros_like(beyond)
        cv2.fillPoly(dark, [(band(wide, wide + rng.uniform(4, 50)) * 16).astype(np.int32)], 1.0, cv2.LINE_AA, 4)
        soft = cv2.GaussianBlur(dark, (0, 0), rng.uniform(1, 10))
        part = beyond[..., None]
        image[:] = image * (1 - part) + table * part * (1 - soft[..., None] * np.float32(rng.uniform(0, 0.7)))
        frame = material(rng)
        polygon(image, band(0, wide), frame)
        self.brink = vec(here), normal, along, float(wide)
        for _ in range(int(rng.integers(1, 5))):
            start = rng.uniform(0, wide)
            polygon(image, band(start, start + rng.uniform(1, 12)), vec(np.clip(frame * rng.uniform(0.4, 1.7), 0, 255)))

    def _row_of_dots(self) -> None:
        """Pearl or brass dots, diamonds or screws let into a rail or along the points' feet."""
        rng = self.rng
        at, way = rng.uniform(0, SCENE_PX, 2), rng.choice([0, np.pi / 2]) + rng.normal(0, 0.03)
        step, radius = rng.uniform(12, 90), rng.uniform(2, 11)
        colour, shape = material(rng), rng.random()
        along = np.array([np.cos(way), np.sin(way)]) * step
        for k in range(-20, 21):
            spot = at + along * k
            pearl = vec(np.clip(colour * rng.uniform(0.8, 1.25) + rng.normal(0, 10, 3), 0, 255))
            if shape < 0.6:
                cv2.circle(self.image, points(*spot), int(radius * 16), pearl.tolist(), -1, cv2.LINE_AA, 4)
            else:
                box = cv2.boxPoints((spot.tolist(), (radius * 1.8, radius * 1.8), 45.0 if shape < 0.85 else 0.0))
                polygon(self.image, box, pearl)

    # What lies about

    def clutter(self) -> None:
        before = self.image.copy()
        self._lie_about()
        self.note_covered(before)

    def checker(
        self, at: Floats, radius: float, colour: Floats, rings: list[tuple[float, Floats, int]], z: float = 0.0
    ) -> float:
        before = self.image.copy() if self.items else None
        top = super().checker(at, radius, colour, rings, z)
        if self.rng.random() < 0.4:
            self._finish_checker(at + self.shift * top, radius, colour)
        if self.rng.random() < GLOSSY:
            self._gloss(at + self.shift * top, radius, colour)
        if before is not None:
            self.note_covered(before)
        return top

    def _finish_checker(self, centre: Floats, radius: float, colour: Floats) -> None:
        """Swirls, grain or pearl on a checker's face, or a rim of metal with glints round it."""
        rng = self.rng
        side = 2 * int(radius) + 1
        ys, xs = np.mgrid[:side, :side] - side // 2
        r = np.hypot(xs, ys)
        if rng.random() < 0.6:
            cloud = self.texture(1.0)[:side, :side, 0]
            other = (
                contrasting(rng, colour, 15) if rng.random() < 0.4 else np.clip(colour * rng.uniform(0.5, 1.6), 0, 255)
            )
            part = np.clip(cloud * rng.uniform(0.3, 2.0) + rng.uniform(-0.5, 0.5), 0, 1) * rng.uniform(0.3, 1.0)
            part = part * np.clip(radius * rng.uniform(0.6, 1.0) - r, 0, 1)
        else:
            angle = np.arctan2(ys, xs)
            glint = 0.75 + 0.5 * np.sin(angle * rng.integers(1, 5) + rng.uniform(0, 6))
            other = np.clip(metal(rng, 3, 3)[1, 1] * glint[..., None], 0, 255)
            wide = radius * rng.uniform(0.06, 0.3)
            part = np.clip(radius - r, 0, 1) * np.clip(r - (radius - wide), 0, 1)
        image = np.broadcast_to(vec(other), (side, side, 3)).astype(np.float32)
        lay(self, opaque(image, vec(part)), centre, 0.0)

    def _gloss(self, centre: Floats, radius: float, colour: Floats) -> None:
        """Lamps and windows in a polished or domed checker's face: bright spots on dark ground, which look like pips."""
        rng = self.rng
        side = 2 * int(radius) + 1
        ys, xs = vec(np.mgrid[:side, :side] - side // 2)
        inside = np.clip(radius - np.hypot(xs, ys), 0, 1)
        way = rng.uniform(0, 2 * np.pi)
        dome = 1 + rng.uniform(0, 0.5) * (xs * np.cos(way) + ys * np.sin(way)) / radius
        light = np.zeros((side, side), np.float32)
        for _ in range(int(rng.choice([1, 2, 3, 4], p=[0.45, 0.3, 0.15, 0.1]))):
            spot = vec(rng.uniform(-0.6, 0.6, 2) * radius)
            wide, angle = rng.uniform(0.04, 0.22) * radius, rng.uniform(0, 180)
            mark, middle = np.zeros((side, side), np.float32), points(*(spot + side // 2))
            if rng.random() < 0.7:
                axes = (int(wide * 16), int(wide * rng.uniform(0.4, 1.0) * 16))
                cv2.ellipse(mark, middle, axes, angle, 0, 360, 1.0, -1, cv2.LINE_AA, 4)
            else:
                box = cv2.boxPoints(((spot + side // 2).tolist(), (wide * 2, wide * rng.uniform(1, 2)), angle))
                cv2.fillPoly(mark, [(box * 16).astype(np.int32)], 1.0, cv2.LINE_AA, 4)
            soft = cv2.GaussianBlur(mark, (0, 0), rng.uniform(0.4, 0.12 * radius + 0.5))
            light = np.maximum(light, soft * rng.uniform(0.4, 1.0))
            if rng.random() < 0.5:
                self._decoy(centre + spot)
        face = np.clip(colour * dome[..., None], 0, 255)
        part = np.clip(light, 0, 1)[..., None]
        lay(self, opaque(vec(face * (1 - part) + 250 * part), vec(inside * np.maximum(light, 0.5))), centre, 0.0)

    def _lie_about(self) -> None:
        rng = self.rng
        if rng.random() < 0.55:
            super().clutter()
            return
        at = self.free(26, near=False)
        if at is None:
            return
        thing = (self._phone, self._card, self._coin, self._pen, self._button, self._dial, self._lamps)[rng.integers(7)]
        radius = thing(vec(at))
        self.taken.append((at, min(radius, 40.0) * 1.6))
        spot = at + (rng.uniform(-0.7, 0.7, 2) * min(radius, 40) if rng.random() < 0.6 else np.zeros(2))
        self._decoy(spot)

    def _phone(self, at: Floats) -> float:
        """A rounded dark slab whose screen shows icons, lines or a picture of nothing."""
        rng = self.rng
        wide, long = rng.uniform(60, 120), rng.uniform(110, 220)
        image = np.zeros((int(long), int(wide), 3), np.float32)
        image[:] = any_colour(rng, 0.02, 0.3, 0.2)
        edge = rng.uniform(3, 9)
        screen = any_colour(rng, 0.02, 1.0)
        cv2.rectangle(image, points(edge, edge * 2), points(wide - edge, long - edge * 2), screen.tolist(), -1, 8, 4)
        step = rng.uniform(12, 30)
        for y in np.arange(edge * 3, long - step, step):
            for x in np.arange(edge * 2, wide - step, step):
                if rng.random() < 0.5:
                    mark, end = any_colour(rng).tolist(), step * rng.uniform(0.3, 0.75)
                    cv2.rectangle(image, points(x, y), points(x + end, y + end), mark, -1, cv2.LINE_AA, 4)
        mask = np.zeros(image.shape[:2], np.float32)
        r = int(rng.uniform(3, 14))
        cv2.rectangle(mask, (r, r), (int(wide) - r, int(long) - r), 1.0, -1)
        mask = cv2.dilate(mask, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * r - 1, 2 * r - 1)))
        lay(self, opaque(image, mask), at, rng.uniform(0, 360))
        return float(wide / 2)

    def _card(self, at: Floats) -> float:
        """Paper with a table of figures, printed or written: a score sheet."""
        rng = self.rng
        wide, long = rng.uniform(50, 170), rng.uniform(60, 200)
        paper = any_colour(rng, 0.7, 1.0, rng.uniform(0, 0.3)) if rng.random() < 0.8 else material(rng)
        image = np.empty((int(long), int(wide), 3), np.float32)
        image[:] = paper
        ink = contrasting(rng, paper, 80)
        row, column = rng.uniform(11, 40), rng.uniform(14, 50)
        lines = rng.random() < 0.6
        for y in np.arange(4, long - row, row):
            for x in np.arange(4, wide - column, column):
                if lines:
                    corner = points(x + column, y + row)
                    cv2.rectangle(image, points(x, y), corner, vec(paper * 0.7).tolist(), 1, cv2.LINE_AA, 4)
                if rng.random() < 0.6:
                    marks = self.numbers[rng.integers(len(self.numbers))]
                    mark = marks[int(rng.choice(list(marks)))]
                    high = row * rng.uniform(0.5, 0.85)
                    scale = min(high / len(mark), column * 0.8 / mark.shape[1])
                    small = resized(mark, scale)
                    window = image[int(y) + 2 : int(y) + 2 + len(small), int(x) + 2 : int(x) + 2 + small.shape[1]]
                    part = small[: len(window), : window.shape[1], None].astype(np.float32) / 255
                    window[:] = window * (1 - part) + ink * part
        lay(self, opaque(image, np.ones(image.shape[:2], np.float32)), at, rng.uniform(0, 360))
        return float(min(wide, long) / 2)

    def _coin(self, at: Floats) -> float:
        """A coin, a medal, a bottle's cap: a shiny disc with a rim and a sign."""
        rng, image = self.rng, self.image
        radius = rng.uniform(10, 34)
        sheet = metal(rng, int(radius * 2) + 2, int(radius * 2) + 2)
        ys, xs = np.mgrid[: len(sheet), : len(sheet)] - radius
        lay(self, opaque(sheet, vec(np.clip(radius - np.hypot(xs, ys), 0, 1))), at, rng.uniform(0, 360))
        tone = sheet[len(sheet) // 2, len(sheet) // 2] * rng.choice([0.5, 1.5])
        cv2.circle(image, points(*at), int(radius * 0.85 * 16), tone.tolist(), 1, cv2.LINE_AA, 4)
        word = self.stock.words[rng.integers(len(self.stock.words))]
        scale = radius * rng.uniform(0.7, 1.3) / max(word.shape)
        sign = resized(word, scale).astype(np.float32) / 255
        relief = np.empty((*sign.shape, 3), np.float32)
        relief[:] = tone
        lay(self, opaque(relief, vec(sign)), at, rng.uniform(0, 360))
        return radius

    def _pen(self, at: Floats) -> float:
        """A pen, a cable, a spectacle's arm: a long round bar with a light line and a tip."""
        rng, image = self.rng, self.image
        way, long, thick = rng.uniform(0, 2 * np.pi), rng.uniform(60, 300), int(rng.integers(4, 16))
        end = at + vec([np.cos(way), np.sin(way)]) * long
        colour = material(rng)
        cv2.line(image, points(*at), points(*end), colour.tolist(), thick, cv2.LINE_AA, 4)
        aside = vec([-np.sin(way), np.cos(way)]) * thick * 0.2
        bright = np.clip(colour + rng.uniform(30, 160), 0, 255).tolist()
        cv2.line(image, points(*(at + aside)), points(*(end + aside)), bright, max(1, thick // 4), cv2.LINE_AA, 4)
        tip = at + vec([np.cos(way), np.sin(way)]) * rng.uniform(0, 20)
        cv2.circle(image, points(*tip), int(thick * 0.6 * 16), material(rng).tolist(), -1, cv2.LINE_AA, 4)
        return 20.0

    def _button(self, at: Floats) -> float:
        """A round button with two to four holes, or a round stud with a cross."""
        rng, image = self.rng, self.image
        radius, colour = rng.uniform(8, 24), material(rng)
        for part, tone in ((1.0, 0.7), (0.9, 1.0), (0.62, rng.uniform(0.8, 1.1))):
            shade = np.clip(colour * tone, 0, 255).tolist()
            cv2.circle(image, points(*at), int(radius * part * 16), shade, -1, cv2.LINE_AA, 4)
        count, turn, ink = int(rng.integers(2, 5)), rng.uniform(0, 6), contrasting(rng, colour, 50).tolist()
        for k in range(count):
            a = turn + 2 * np.pi * k / count
            spot = at + radius * 0.3 * vec([np.cos(a), np.sin(a)])
            cv2.circle(image, points(*spot), int(radius * rng.uniform(0.08, 0.16) * 16), ink, -1, cv2.LINE_AA, 4)
        return radius

    def _dial(self, at: Floats) -> float:
        """A watch or a clock with hands: ticks in a ring, figures, two hands."""
        rng, image = self.rng, self.image
        radius, face = rng.uniform(16, 60), material(rng)
        ink = contrasting(rng, face, 80).tolist()
        cv2.circle(image, points(*at), int(radius * 1.12 * 16), material(rng).tolist(), -1, cv2.LINE_AA, 4)
        cv2.circle(image, points(*at), int(radius * 16), face.tolist(), -1, cv2.LINE_AA, 4)
        turn = rng.uniform(0, 6)
        for k in range(12):
            spot = vec([np.cos(turn + k * np.pi / 6), np.sin(turn + k * np.pi / 6)])
            start, end = at + spot * radius * 0.75, at + spot * radius * 0.92
            cv2.line(image, points(*start), points(*end), ink, int(rng.integers(1, 4)), cv2.LINE_AA, 4)
        for reach in (0.5, 0.75):
            a = rng.uniform(0, 6)
            tip = at + radius * reach * vec([np.cos(a), np.sin(a)])
            cv2.line(image, points(*at), points(*tip), ink, int(rng.integers(1, 4)), cv2.LINE_AA, 4)
        return radius

    def _lamps(self, at: Floats) -> float:
        """A strip or a cluster of small lights with halos."""
        rng, image = self.rng, self.image
        count, step, way = int(rng.integers(1, 9)), rng.uniform(8, 40), rng.choice([0, np.pi / 2])
        colour = any_colour(rng, 0.8, 1.0)
        for k in range(count):
            spot = at + vec([np.cos(way), np.sin(way)]) * step * k
            halo = np.zeros((SCENE_PX, SCENE_PX), np.float32)
            cv2.circle(halo, points(*spot), int(rng.uniform(2, 5) * 16), 1.0, -1, cv2.LINE_AA, 4)
            if rng.random() < 0.6:
                halo = np.maximum(halo, cv2.GaussianBlur(halo, (0, 0), rng.uniform(2, 7)) * 1.5)
            image += halo[..., None] * (colour * 0.6 + 100)
        return step * count / 2

    # The solids

    def free(self, size: float, *, near: bool) -> Floats | None:
        at = self._by_the_frame(size) if self.brink and self.rng.random() < 0.3 else None
        if at is None:
            at = super().free(size, near=near)
        if at is not None:
            self.found = vec(at)
        return at

    def _by_the_frame(self, size: float) -> Floats | None:
        """A free place against the frame's inner or outer side, or on it."""
        assert self.brink is not None
        here, normal, along, wide = self.brink
        off = (-size * 0.55, wide / 2, wide + size * 0.55)[self.rng.integers(3)]
        at = vec(here + along * self.rng.uniform(-180, 180) + normal * off)
        inside = at.min() > 0 and at.max() < SCENE_PX
        return at if inside and all(np.hypot(*(at - o)) > r * 0.5 + size * 0.5 for o, r in self.taken) else None

    def _die_body(self) -> tuple[Floats, Floats, float, float, float]:
        rng = self.rng
        body, mark, clear, shiny, size = super()._die_body()
        if rng.random() < 0.45:
            self.steer, self.marble = None, None
            one, other = PALETTES[rng.integers(len(PALETTES))]
            body = vec(np.clip(vec(one) * rng.uniform(0.7, 1.25) + rng.normal(0, 10, 3), 4, 252))
            mark = self._legible(body, vec(np.clip(vec(other) + rng.normal(0, 8, 3), 0, 255)))
            clear = rng.uniform(0.15, 0.7) if rng.random() < 0.35 else 0.0
        self.glassy = clear > 0
        if rng.random() < 0.4:
            size = BOARD_PX * rng.uniform(0.019, 0.034)
        return body, mark, clear, shiny, size

    def _die_ink(self) -> tuple[Bytes, tuple[int, ...]]:
        ink, values = super()._die_ink()
        if self.rng.random() < 0.06:
            # a maker's sign instead of the single pip
            word = self.stock.words[self.rng.integers(len(self.stock.words))]
            side = int(self.rng.uniform(24, 44))
            mark = np.zeros((solids.FACE_PX, solids.FACE_PX), np.uint8)
            scale = side / max(word.shape)
            small = resized(word, scale)
            y, x = (solids.FACE_PX - len(small)) // 2, (solids.FACE_PX - small.shape[1]) // 2
            mark[y : y + len(small), x : x + small.shape[1]] = small
            if word.shape[1] < 1.6 * len(word):
                ink[values.index(1)] = mark
        return ink, values

    def _cube_look(self) -> tuple[Floats, Floats]:
        rng = self.rng
        body, mark = super()._cube_look()
        if rng.random() < 0.2:
            x, y = (int(np.clip(v, 0, SCENE_PX - 1)) for v in self.found)
            body = vec(np.clip(self.image[y, x] * rng.uniform(0.75, 1.35) + rng.normal(0, 8), 4, 252))
            mark = self._legible(body, mark)
        self.glassy = False
        return body, mark

    def _cube_ink(self) -> tuple[Bytes, tuple[int, ...]]:
        """Numbers also outlined, as a double line, inside a plate, underlined, with dots or lines in the corners."""
        rng = self.rng
        ink, values = super()._cube_ink()
        px, pick = solids.FACE_PX, rng.random()
        if pick < 0.10:
            inner = np.stack([cv2.erode(face, np.ones((3, 3), np.uint8)) for face in ink])
            ink = np.asarray(np.where(inner > 128, rng.integers(0, 120), ink), np.uint8)
        elif pick < 0.18:
            y, wide = int(px * rng.uniform(0.8, 0.9)), int(px * rng.uniform(0.15, 0.35))
            for k, face in enumerate(ink):
                line = np.zeros_like(face)
                cv2.line(line, (px // 2 - wide, y), (px // 2 + wide, y), 255, int(rng.integers(1, 4)), cv2.LINE_AA)
                ink[k] = np.maximum(face, np.rot90(line, int(rng.integers(4))))
        elif pick < 0.26:
            edge, r = int(rng.uniform(5, 10)), int(rng.integers(1, 4))
            for face in ink:
                for x, y in ((edge, edge), (px - edge, edge), (edge, px - edge), (px - edge, px - edge)):
                    cv2.circle(face, (x, y), r, 255, -1, cv2.LINE_AA)
        elif pick < 0.32:
            high = int(px * rng.uniform(0.28, 0.36))
            plate = np.zeros((px, px), np.uint8)
            cv2.ellipse(plate, (px // 2, px // 2), (int(px * 0.46), high), 0, 0, 360, 255, -1, cv2.LINE_AA)
            ink = np.asarray(np.abs(plate[None].astype(np.int16) - ink), np.uint8)
        return ink, values

    def _solid(
        self, tile: solids.SolidTile, at: Floats, base: float, size: float, ink: Floats, look: SolidLook
    ) -> None:
        self.ink_now = ink
        super()._solid(tile, at, base, size, ink, look)
        if look.clear and self.rng.random() < 0.6:
            self._caustic(at, size, look.body)
        self.ink_now = None

    def _caustic(self, at: Floats, size: float, body: Floats) -> None:
        """Light that a see-through solid gathers in its own shadow, in its colour."""
        rng = self.rng
        spot = at - self.sun[:2] / self.sun[2] * size * rng.uniform(0.5, 1.0) - self.shift * size * 0.3
        glow = np.zeros((SCENE_PX, SCENE_PX), np.float32)
        axes = (int(size * rng.uniform(0.1, 0.4) * 16), int(size * rng.uniform(0.05, 0.25) * 16))
        cv2.ellipse(glow, points(*spot), axes, rng.uniform(0, 180), 0, 360, 1.0, -1, cv2.LINE_AA, 4)
        soft = cv2.GaussianBlur(glow, (0, 0), size * 0.06 + 0.5)
        self.image += soft[..., None] * body * np.float32(rng.uniform(0.2, 0.9))

    def _surface(self, tile: solids.SolidTile, body: Floats) -> Floats:
        """Colour with uneven faces, wear, engraved edges of the marks, depth of glass, and a window's reflection."""
        rng = self.rng
        surface = np.broadcast_to(super()._surface(tile, body), (*tile.face.shape, 3)).astype(np.float32)
        on = tile.face != 255
        face = np.where(on, tile.face, 0)
        u, v = tile.u.astype(np.float32), tile.v.astype(np.float32)
        inwards = np.minimum(np.minimum(u, 63 - u), np.minimum(v, 63 - v)) / EDGE_TEXELS
        tone = (1 + rng.normal(0, 0.08, 6)).astype(np.float32)[face]
        if rng.random() < 0.4:
            tone = tone * (1 + np.float32(rng.uniform(-0.3, 0.5)) * np.exp(-(inwards**2)))
        if self.glassy:
            tone = tone * (0.7 + np.float32(rng.uniform(0, 0.6)) * (1 - np.exp(-inwards)))
        if self.ink_now is not None and rng.random() < 0.6:
            a = rng.uniform(0, 2 * np.pi)
            soft = [cv2.GaussianBlur(mark, (0, 0), rng.uniform(0.7, 2.0)) for mark in self.ink_now]
            slopes = [
                cv2.Sobel(m, cv2.CV_32F, 1, 0) * np.cos(a) + cv2.Sobel(m, cv2.CV_32F, 0, 1) * np.sin(a) for m in soft
            ]
            relief = np.stack(slopes)[face, tile.v, tile.u]
            tone = tone * (1 + np.clip(relief * np.float32(rng.uniform(0.1, 0.6)), -0.5, 0.8))
        surface = surface * tone[..., None]
        if rng.random() < 0.35:
            a, start, wide = rng.uniform(0, 2 * np.pi), rng.uniform(10, 54), rng.uniform(4, 30)
            across = (u - 32) * np.cos(a) + (v - 32) * np.sin(a) + 32 - start
            window = np.clip(1 - np.abs(across) / wide, 0, 1) * (face == rng.integers(6) if rng.random() < 0.6 else 1)
            surface = surface + (window * np.float32(rng.uniform(20, 150)))[..., None]
        return vec(np.clip(surface, 0, 255))

    # The camera

    def _taken(self, image: Floats) -> Bytes:
        """As strange scenes; now and then the picture ends within the scene, and what lies beyond is black."""
        rng = self.rng
        if rng.random() > 0.12:
            return super()._taken(image)
        cover = np.zeros((SCENE_PX, SCENE_PX), np.float32)
        way, start = rng.normal(0, 0.15) + rng.integers(4) * np.pi / 2, rng.uniform(0.55, 0.98) * SCENE_PX / 2
        ys, xs = np.mgrid[:SCENE_PX, :SCENE_PX] - SCENE_PX / 2
        cover[(xs * np.cos(way) + ys * np.sin(way)) > start] = 1.0
        self._hide_under(cover)
        taken = super()._taken(image)
        outside = cv2.resize(cover, (taken.shape[1], taken.shape[0]), interpolation=cv2.INTER_NEAREST)
        taken[outside > 0.5] = 0
        return taken
