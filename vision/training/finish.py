"""What unusual checkers are made of: turned metal, pearl, glass, stone; rims, bands, holes, engravings."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Image
from vision.training import texture
from vision.training.canvas import Canvas, bgr
from vision.training.scene import CheckerDesign, Finish
from vision.training.texture import Colour, Rng, any_colour
from vision.training.thought_up import METALS

FloatArray = npt.NDArray[np.float64]
LETTERS = tuple("ABCDEGHKMRSTWXZ&8*$@#+")


def any_finish(rng: Rng, *, turned: bool = False) -> Finish:
    """One unusual set's finish; turned: of metal on a lathe."""
    kind = rng.random() * (0.25 if turned else 1.0)
    rim = rng.random() < 0.25
    bands = np.sort(rng.uniform(0.2, 0.97, int(rng.integers(1, 5))))[::-1] if rng.random() < 0.5 else ()
    holed = rng.random() < 0.25
    polished = kind < 0.25 or rng.random() < 0.2
    return Finish(
        lobes=int(rng.integers(1, 4)) if kind < 0.25 else 0,
        turn=rng.uniform(0, 6.3),
        shine=rng.uniform(0.15, 0.8),
        clear=rng.uniform(0.15, 0.65) if 0.25 <= kind < 0.4 else 0.0,
        veins=rng.uniform(0.1, 0.5) if 0.4 <= kind < 0.6 else 0.0,
        bands=tuple((float(radius), float(np.exp(rng.normal(0, 0.55)))) for radius in bands),
        rim=rng.uniform(0.72, 0.94) if rim else None,
        rim_colour=_rim_colour(rng),
        hole=rng.uniform(0.08, 0.5) if holed else None,
        hole_factor=rng.uniform(0.2, 1.6) if rng.random() < 0.5 else None,
        dome=rng.uniform(0.1, 0.6) if rng.random() < 0.25 else 0.0,
        mark=rng.uniform(0.25, 0.75) if rng.random() < 0.35 else 0.0,
        mark_kind=int(rng.integers(5)),
        mark_colour=any_colour(rng),
        uneven=rng.uniform(0.0, 0.5) if polished else rng.uniform(0.0, 0.12),
        slant=rng.uniform(0.0, 0.7) if polished else 0.0,
        slant_turn=rng.uniform(0, 6.3),
    )


def _rim_colour(rng: Rng) -> Colour:
    if rng.random() < 0.5:
        metal = np.array(METALS[int(rng.integers(len(METALS)))], np.float32)
        return np.asarray(np.clip(metal * rng.uniform(0.6, 1.25), 3, 252), np.float32)
    return any_colour(rng)


def with_finish(design: CheckerDesign, finish: Finish, rng: Rng) -> CheckerDesign:
    """The design made of something unusual; metal and glass have walls of their own colour."""
    wall = design.wall if rng.random() < 0.6 or finish.rim_colour is None else finish.rim_colour * 0.7
    values = {name: getattr(design, name) for name in CheckerDesign.__dataclass_fields__}
    return CheckerDesign(**{**values, "wall": np.asarray(wall, np.float32), "finish": finish})


def finished(
    canvas: Canvas, rng: Rng, finish: Finish, base: Colour, face: tuple[FloatArray, float], below: Image
) -> None:
    """Works over one upper face. face: its centre and radius, canvas px; below: the canvas before the checker was drawn."""
    centre, radius = face
    x0, y0 = np.maximum(np.floor(centre - radius - 1).astype(int), 0)
    x1, y1 = np.minimum(np.ceil(centre + radius + 1).astype(int) + 1, [canvas.width, canvas.height])
    if x1 - x0 < 4 or y1 - y0 < 4:
        return
    toward = np.array(canvas.scene.light) / np.linalg.norm(canvas.scene.light)
    if finish.rim is not None and finish.rim_colour is not None:
        canvas.disc(centre, radius, finish.rim_colour)
        canvas.disc(centre, radius * finish.rim, base)
    for share, factor in finish.bands:
        canvas.disc(centre, radius * share, base * factor)
        canvas.disc(centre + toward * radius * 0.03, radius * (share - 0.04), base * (0.5 + 0.5 * factor))
    if finish.mark:
        _marked(canvas, rng, finish, base, centre, radius * finish.mark)
    region = canvas.image[y0:y1, x0:x1]
    y, x = np.mgrid[y0:y1, x0:x1].astype(np.float32)
    away_x, away_y = x - np.float32(centre[0]), y - np.float32(centre[1])
    away = np.sqrt(away_x**2 + away_y**2)
    lit = region.astype(np.float32)
    if finish.lobes:
        gleam = np.cos(finish.lobes * (np.arctan2(away_y, away_x) - finish.turn)) * finish.shine
        lit = lit * (1 + gleam[..., None]) + np.maximum(gleam, 0)[..., None] ** 3 * 120
    across = (away_x * np.cos(finish.slant_turn) + away_y * np.sin(finish.slant_turn)) / radius
    lit = lit * (np.exp(rng.normal(0, finish.uneven)) * (1 + finish.slant * across))[..., None]
    if finish.veins:
        lit = lit * (1 + texture.patch(rng, int(y1 - y0), int(x1 - x0))[..., None] * finish.veins)
    if finish.dome:
        slope = (away_x * toward[0] + away_y * toward[1]) / radius
        lit = lit * (1 - finish.dome * (away / radius) ** 3 - 0.4 * finish.dome * slope)[..., None]
    under = below[y0:y1, x0:x1].astype(np.float32)
    if finish.clear:
        solid = np.where(away > radius * 0.85, 1 - finish.clear * 0.5, 1 - finish.clear)[..., None]
        lit = lit * solid + under * (1 - solid)
    if finish.hole is not None:
        inside = np.clip(radius * finish.hole - away, 0, 1)[..., None]
        floor = under * 0.85 if finish.hole_factor is None else np.asarray(base, np.float32) * finish.hole_factor
        lit = lit * (1 - inside) + floor * inside
    share = np.clip(radius - away, 0, 1)[..., None]
    region[:] = np.clip(region * (1 - share) + lit * share, 0, 255).astype(np.uint8)


def _marked(canvas: Canvas, rng: Rng, finish: Finish, base: Colour, centre: FloatArray, reach: float) -> None:
    """A letter, star, cross of lines, ring of dots or polygon: cut into the checker or printed on it."""
    colour = base * (0.5 if rng.random() < 0.5 else 1.5) if finish.mark_kind % 2 else finish.mark_colour
    colour = base if colour is None else colour
    if finish.mark_kind == 0:
        letter = str(rng.choice(LETTERS))
        at = (int(centre[0] - reach * 0.6), int(centre[1] + reach * 0.6))
        width = max(1, int(reach / 7))
        cv2.putText(canvas.image, letter, at, int(rng.integers(5)), max(reach / 14, 0.2), bgr(colour), width, 16)
        return
    if finish.mark_kind == 1:
        corners = int(rng.integers(3, 10)) * 2
        turn = np.arange(corners) * 2 * np.pi / corners + rng.uniform(0, 6.3)
        out = np.where(np.arange(corners) % 2, rng.uniform(0.3, 0.95), 1.0)[:, None] * reach
        canvas.fill(centre + out * np.c_[np.cos(turn), np.sin(turn)], colour)
        return
    spokes = int(rng.integers(3, 13))
    for turn in np.arange(spokes) * 2 * np.pi / spokes + rng.uniform(0, 6.3):
        out = np.array([np.cos(turn), np.sin(turn)])
        if finish.mark_kind == 2:
            canvas.disc(centre + out * reach, max(reach * 0.15, 0.7), colour)
        elif finish.mark_kind == 3:
            near, far = (tuple(int(v) for v in centre + out * reach * at) for at in (0.3, 1.0))
            cv2.line(canvas.image, near, far, bgr(colour), 1, cv2.LINE_AA)
        else:
            canvas.disc(centre + out * reach * 0.55, reach * 0.45, colour, 1)
