"""Renders scenes: the empty table once, then only what changed since the frame before, then what the sensor adds."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np

from controller.simulation.background import Background, draw_background
from controller.simulation.camera import Array, Camera, aimed_camera
from controller.simulation.hands import Hands
from controller.simulation.lighting import Light, light_over
from controller.simulation.looks import Look
from controller.simulation.scene import CheckerThing, HandThing, Scene, Thing
from controller.simulation.solids import Shadow, Sprite, Studio, draw_shadow, draw_solid, studio
from controller.simulation.textures import bands

NOISE_MARGIN = 160
"""px: how far one field of noise can be shifted, so that no two frames need have the same."""

BLOCK = 16
"""The JPEG's own grid, px: what is compressed anew begins and ends on it."""

TABLES_KEPT = 4
"""Empty tables that are not drawn again for the next renderer; each takes 10 MB."""

_Rect = tuple[int, int, int, int]
"""left, top, right, bottom, px."""

_Drawn = tuple[Sprite | None, Shadow | None]


def camera_for(look: Look, size: tuple[int, int], bump: int = 0) -> Camera:
    """The look's camera; every bump leaves it standing a little differently."""
    view = look.view
    if bump:
        rng = np.random.default_rng([bump, 14])
        turn, tilt, roll, aside = rng.uniform(-1, 1, 4)
        view = replace(
            view,
            turn=view.turn + 1.5 * turn,
            tilt=view.tilt + 1.5 * tilt,
            roll=view.roll + 2.0 * roll,
            aside=view.aside + 3.0 * aside,
        )
    return aimed_camera(size, view, look.shape.outline())


@lru_cache(TABLES_KEPT)
def _empty_table(look: Look, size: tuple[int, int], seed: int, bump: int) -> tuple[Camera, Light, Background]:
    """Half a second's drawing."""
    camera = camera_for(look, size, bump)
    light = light_over(look.lamp, camera, (look.shape.width / 2, look.shape.height / 2, 0.0))
    return camera, light, draw_background(look, camera, light, seed)


class Renderer:
    """Turns scenes into pictures. Keeps the last one, so that drawing the next costs what changed."""

    def __init__(self, look: Look, size: tuple[int, int], seed: int) -> None:
        self._look = look
        self._size = size
        self._seed = seed
        self._rng = np.random.default_rng([seed, 15])
        self._noise = _noise(self._rng, size, look.sensor.noise)
        self._vignette = _vignette(size, look.sensor.vignette)
        self._set_up(0)

    def _set_up(self, bump: int) -> None:
        self.camera, light, self._background = _empty_table(self._look, self._size, self._seed, bump)
        self._studio: Studio = studio(self._look, self.camera, light, self._background, self._seed)
        self._hands = Hands(self._studio, self._seed)
        self._sprites: dict[Thing, _Drawn] = {}
        self._things: frozenset[Thing] | None = None
        self._bump = bump
        self._taken = np.zeros((self._size[1], self._size[0], 3), np.uint8)
        self._lit: tuple[float, tuple[float, float, float] | None] = (1.0, None)
        self._shown = self._taken

    def draw(self, scene: Scene) -> Array:
        """(H, W, 3) uint8 BGR: the scene as the camera takes it, a fresh array with fresh noise."""
        if scene.bump != self._bump:
            self._set_up(scene.bump)
        things = frozenset(scene.things)
        changed = self._redraw(scene.things, things)
        lit = (scene.brightness, scene.glare)
        if lit != self._lit or (changed and lit != (1.0, None)):
            self._lit = lit
            self._shown = self._lighted(scene)
        elif lit == (1.0, None):
            self._shown = self._taken
        return self._noisy(self._shown)

    def _redraw(self, order: tuple[Thing, ...], things: frozenset[Thing]) -> bool:
        """Brings the taken picture up to date; True where anything changed."""
        if self._things is None:
            dirty = [(0, 0, *self._size)]
        else:
            dirty = _merged([r for thing in things ^ self._things for r in self._extents(thing)], self._size)
        self._things = things
        drawn = [(thing, *self._drawn(thing)) for thing in order]
        for rect in dirty:
            self._compose(rect, drawn)
        self._sprites = {thing: self._sprites[thing] for thing in order}
        return bool(dirty)

    def _drawn(self, thing: Thing) -> _Drawn:
        if thing in self._sprites:
            return self._sprites[thing]
        if isinstance(thing, HandThing):
            made: _Drawn = (self._hands.sprite(thing), self._hands.shadow(thing))
        else:
            made = (draw_solid(self._studio, thing), draw_shadow(self._studio, thing))
        self._sprites[thing] = made
        return made

    def _extents(self, thing: Thing) -> list[_Rect]:
        sprite, shadow = self._drawn(thing)
        found = []
        if sprite is not None:
            found.append(
                (sprite.left, sprite.top, sprite.left + sprite.keep.shape[1], sprite.top + sprite.keep.shape[0])
            )
        if shadow is not None:
            found.append(
                (shadow.left, shadow.top, shadow.left + shadow.keep.shape[1], shadow.top + shadow.keep.shape[0])
            )
        return found

    def _compose(self, rect: _Rect, drawn: list[tuple[Thing, Sprite | None, Shadow | None]]) -> None:
        """Draws one patch anew: table, shadows, things from far to near, hands last; then lens and compression."""
        left, top, right, bottom = rect
        patch = self._background.image[top:bottom, left:right].copy()
        solids = sorted(
            ((t, s, h) for t, s, h in drawn if not _aloft(t)), key=lambda item: -(item[1].distance if item[1] else 0.0)
        )
        low = [h for _, _, h in solids if h is not None and not h.over and not _stacked(h, self._look)]
        for shadow in low:
            _darken(patch, rect, shadow)
        for _, sprite, cast in solids:
            if cast is not None and cast not in low:
                _darken(patch, rect, cast)
            if sprite is not None:
                _lay(patch, rect, sprite)
        aloft = sorted(((t, s, h) for t, s, h in drawn if _aloft(t)), key=lambda item: isinstance(item[0], HandThing))
        for _, _, cast in aloft:
            if cast is not None:
                _darken(patch, rect, cast)
        for _, sprite, _ in aloft:
            if sprite is not None:
                _lay(patch, rect, sprite)
        _through(patch, self._vignette[top:bottom, left:right])
        scale = self._look.sensor.blur * self._size[0] / 1280
        soft = cv2.GaussianBlur(patch, (0, 0), max(scale, 0.3))
        _, packed = cv2.imencode(".jpg", soft, [cv2.IMWRITE_JPEG_QUALITY, self._look.sensor.quality])
        self._taken[top:bottom, left:right] = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)

    def _lighted(self, scene: Scene) -> Array:
        """The picture under faulty light."""
        picture = self._taken
        if scene.brightness != 1.0:
            picture = np.asarray(cv2.convertScaleAbs(picture, alpha=scene.brightness, beta=2.0))
        if scene.glare is not None:
            x, y, radius = scene.glare
            centre, edge = self.camera.project([(x, y, 0.0), (x + radius, y, 0.0)])
            width, height = self._size
            spread = float(np.hypot(*(edge - centre)))
            off = ((np.arange(width) - centre[0]) / spread)[None] ** 2 + ((np.arange(height) - centre[1]) / spread)[
                :, None
            ] ** 2
            glow = (np.exp(-off * 1.5) * 330).astype(np.float32)[..., None]
            picture = np.clip(picture + glow, 0, 255).astype(np.uint8)
        return picture

    def _noisy(self, picture: Array) -> Array:
        more, less = self._noise
        dx, dy = (int(n) for n in self._rng.integers(0, NOISE_MARGIN, 2))
        height, width = picture.shape[:2]
        brighter = cv2.add(picture, more[dy : dy + height, dx : dx + width])
        return np.asarray(cv2.subtract(brighter, less[dy : dy + height, dx : dx + width], dst=brighter))


def _aloft(thing: Thing) -> bool:
    return isinstance(thing, HandThing) or (isinstance(thing, CheckerThing) and thing.held)


def _stacked(shadow: Shadow, look: Look) -> bool:
    """The shadow falls on checkers, not on the board."""
    return shadow.on > 0.3 and abs(shadow.on - look.shape.bar_height) > 0.05


def _overlap(
    rect: _Rect, left: int, top: int, shape: tuple[int, ...]
) -> tuple[tuple[slice, slice], tuple[slice, slice]] | None:
    """Slices into the patch and into the thing where they meet."""
    x0, y0 = max(rect[0], left), max(rect[1], top)
    x1, y1 = min(rect[2], left + shape[1]), min(rect[3], top + shape[0])
    if x1 <= x0 or y1 <= y0:
        return None
    patch = (slice(y0 - rect[1], y1 - rect[1]), slice(x0 - rect[0], x1 - rect[0]))
    return patch, (slice(y0 - top, y1 - top), slice(x0 - left, x1 - left))


def _lay(patch: Array, rect: _Rect, sprite: Sprite) -> None:
    meet = _overlap(rect, sprite.left, sprite.top, sprite.keep.shape)
    if meet is not None:
        region = patch[meet[0]]
        _through(region, sprite.keep[meet[1]])
        region[...] = cv2.add(region, sprite.colour[meet[1]])


def _darken(patch: Array, rect: _Rect, shadow: Shadow) -> None:
    meet = _overlap(rect, shadow.left, shadow.top, shadow.keep.shape)
    if meet is not None:
        _through(patch[meet[0]], shadow.keep[meet[1]])


def _through(region: Array, keep: Array) -> None:
    """Leaves keep / 255 of a region's brightness, in place."""
    region[...] = cv2.multiply(region, keep, scale=1 / 255)


def _merged(rects: list[_Rect], size: tuple[int, int]) -> list[_Rect]:
    """Patches on the JPEG's grid, those that touch made into one."""
    pad = 3
    found: list[_Rect] = []
    for left, top, right, bottom in rects:
        grown = (
            max((left - pad) // BLOCK * BLOCK, 0),
            max((top - pad) // BLOCK * BLOCK, 0),
            min(-(-(right + pad) // BLOCK) * BLOCK, size[0]),
            min(-(-(bottom + pad) // BLOCK) * BLOCK, size[1]),
        )
        if grown[2] > grown[0] and grown[3] > grown[1]:
            found = _joined(found, grown)
    return found


def _joined(rects: list[_Rect], new: _Rect) -> list[_Rect]:
    for rect in rects:
        if rect[0] <= new[2] and new[0] <= rect[2] and rect[1] <= new[3] and new[1] <= rect[3]:
            rest = [r for r in rects if r is not rect]
            both = (min(rect[0], new[0]), min(rect[1], new[1]), max(rect[2], new[2]), max(rect[3], new[3]))
            return _joined(rest, both)
    return [*rects, new]


def _noise(rng: np.random.Generator, size: tuple[int, int], strength: float) -> tuple[Array, Array]:
    """What noise adds and what it takes, uint8 each, NOISE_MARGIN larger than the picture; part of it spreads."""
    height, width = size[1] + NOISE_MARGIN, size[0] + NOISE_MARGIN
    grey = rng.standard_normal((height, width, 1), np.float32)
    colour = rng.standard_normal((height, width, 3), np.float32)
    spread = np.asarray(cv2.GaussianBlur(colour, (0, 0), 0.7))
    more, less = np.empty(spread.shape, np.uint8), np.empty(spread.shape, np.uint8)
    for band in bands(height):
        field = cv2.merge([0.8 * grey[band]] * 3) + 0.6 * spread[band] * 2
        field *= strength
        more[band], less[band] = (np.clip(np.round(part), 0, 255) for part in (field, -field))
    return more, less


def _vignette(size: tuple[int, int], depth: float) -> Array:
    """(H, W, 3) uint8: what the lens leaves of the brightness towards the corners, of 255."""
    x = np.linspace(-1, 1, size[0], dtype=np.float32)[None]
    y = np.linspace(-1, 1, size[1], dtype=np.float32)[:, None]
    left = np.round(255 * (1 - depth * (x * x + y * y) / 2)).astype(np.uint8)
    return np.repeat(left[..., None], 3, axis=2)
