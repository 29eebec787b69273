"""Training batches for the three networks that find the board, made of drawn views where the tensors live: on a graphics card.

Thousands of pictures a second are turned and misplaced there, and spoilt (finding_spoil.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
import torch.nn.functional as F

from vision.finding import edges, strips
from vision.finding.whole import CELLS, SIDE, STRIDE
from vision.training import finding_data, finding_strips
from vision.training.finding_data import FindingBatch
from vision.training.finding_spoil import spoilt
from vision.training.finding_views import ABOVE, AROUND, WHOLE
from vision.training.texture import Rng

Tensor = Any
FloatArray = npt.NDArray[np.float64]
UNIT = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64)
TURNED_ANYHOW = 0.12
"""Whole pictures turned by any angle."""
REPLICATED = 0.15
"""Whole pictures with their outermost px repeated where nothing is, not black."""
OWN_NOISE = 0.002
FARTHEST = 0.18
"""Board plane: corners farther off than this are no start, as the true ones are hardly in view."""
FARTHEST_STRIPS = 0.09
"""Board plane: the same for strips, which show less."""


def finder_batch(whole: Tensor, corners: npt.NDArray[np.float32], rng: Rng) -> FindingBatch:
    """whole (B, 3, WHOLE, WHOLE) float; corners (B, 4, 2) px in it, NaN where there is no board."""
    count = len(corners)
    here = np.asarray(np.isfinite(corners).all(axis=(1, 2)))
    moves = np.stack(
        [_move(corner.astype(np.float64) if one else None, rng) for corner, one in zip(corners, here, strict=True)]
    )
    fine = SIDE * 2
    back = torch.from_numpy(np.linalg.inv(moves)).float().to(whole.device)
    at = _through(back, _finder_places(whole.device)).reshape(count, fine, fine, 2)
    padding = "border" if rng.random() < REPLICATED else "zeros"
    seen = F.avg_pool2d(_sampled(whole, at, WHOLE, padding), 2)
    moved = np.full((count, 4, 2), np.nan)
    for index in np.flatnonzero(here):
        at_corners = np.c_[corners[index], np.ones(4)] @ moves[index].T
        moved[index] = at_corners[:, :2] / at_corners[:, 2:]
        if np.linalg.det(moves[index][:2, :2]) < 0:
            moved[index] = moved[index][[1, 0, 3, 2]]
    present = torch.from_numpy(here[:, None].astype(np.float32)).to(whole.device)
    return FindingBatch(spoilt(seen, rng), present, present, _maps(torch.from_numpy(moved).float().to(whole.device)))


def _move(corners: FloatArray | None, rng: Rng) -> FloatArray:
    """(3, 3) px of the view to px of the finder's square: turned, mirrored, tilted and scaled."""
    box = UNIT * WHOLE if corners is None else corners
    extent, middle = box.max(0) - box.min(0), (box.max(0) + box.min(0)) / 2
    kind = rng.random()
    turn = rng.choice([0, 1, 2, 3]) * np.pi / 2 if kind < finding_data.TURNED else 0.0
    turn += rng.uniform(-np.pi, np.pi) if kind > 1 - TURNED_ANYHOW else rng.normal(0, 0.1)
    cos, sin = np.cos(turn), np.sin(turn)
    extent = np.abs(np.array([[cos, -sin], [sin, cos]])) @ extent
    kind = rng.random()
    share = rng.uniform(0.66, 0.99) if kind < 0.5 else rng.uniform(0.34, 1.0) if kind < 0.92 else rng.uniform(1.0, 1.12)
    scale = SIDE * share / extent.max()
    stretch = np.exp(rng.normal(0, 0.06))
    matrix = np.array([[cos * scale * stretch, -sin * scale, 0], [sin * scale * stretch, cos * scale, 0], [0, 0, 1]])
    free = np.maximum(SIDE - extent * scale, 0) / 2
    matrix[:2, 2] = SIDE / 2 + rng.uniform(-1, 1, 2) * free + rng.normal(0, 2, 2) - (matrix @ [*middle, 0])[:2]
    square = UNIT * SIDE
    matrix = _homographies((square + rng.normal(0, 0.025 * SIDE, (4, 2)))[None], square)[0] @ matrix
    return _mirrored(matrix, rng)


def _mirrored(matrix: FloatArray, rng: Rng) -> FloatArray:
    if rng.random() < 0.5:
        return np.asarray(np.array([[-1, 0, SIDE - 1], [0, 1, 0], [0, 0, 1]]) @ matrix)
    return matrix


def _maps(corners: Tensor) -> Tensor:
    """(B, 3, CELLS, CELLS) what the finder should answer, from corners (B, 4, 2) px of its square, NaN for none."""
    cells = (corners + 0.5) / STRIDE - 0.5
    axis = torch.arange(CELLS, device=corners.device, dtype=torch.float32)
    x, y = axis[None, None, None, :], axis[None, None, :, None]
    away = (x - cells[..., 0, None, None]) ** 2 + (y - cells[..., 1, None, None]) ** 2
    peaks = torch.nan_to_num(torch.exp(-away / (2 * finding_data.PEAK**2)))
    after = torch.roll(cells, -1, 1)
    along = (after - cells)[..., None, None]
    side = along[:, :, 0] * (y - cells[..., 1, None, None]) - along[:, :, 1] * (x - cells[..., 0, None, None])
    inside = (side >= 0).all(1).float()
    return torch.stack([torch.maximum(peaks[:, 0], peaks[:, 2]), torch.maximum(peaks[:, 1], peaks[:, 3]), inside], 1)


@dataclass(frozen=True)
class EdgeViews:
    """A batch for the edges' network, and how to tell where on the true plane it sees the corners.

    to_plane: (B, 3, 3) from the plane of the supposed corners; order: (B, 4) of the corners seen; boards: (B,) whether upright ones
    are seen.
    """

    batch: FindingBatch
    to_plane: FloatArray
    order: npt.NDArray[np.int64]
    boards: npt.NDArray[np.bool_]

    def on_plane(self, maps: FloatArray) -> FloatArray:
        """(B, 4, 2) the corners that the network's maps (B, 4, CELLS, CELLS) say, on the true plane; NaN where it is far off."""
        found = np.stack([edges.corners_from(edges.profiles(one))[0] for one in maps])
        at = _mapped(self.to_plane, (found - edges.MARGIN) / (1 - 2 * edges.MARGIN))
        corners = np.take_along_axis(at, self.order[..., None], axis=1)
        corners[~self.boards] = np.nan
        return _not_far(corners, FARTHEST)


def edge_batch(
    above: Tensor, whole: Tensor, boards: npt.NDArray[np.bool_], rng: Rng, own: FloatArray | None = None
) -> EdgeViews:
    """above (B, 3, ABOVE, ABOVE), whole (B, 3, WHOLE, WHOLE) float of the same scenes; boards (B,): whether one is there.

    own: (B, 4, 2) supposed corners on the true plane that the network came to when it last saw these scenes, NaN for none.
    """
    count = len(boards)
    wrong = ~boards | (rng.random(count) < finding_data.WRONG_SHARE)
    starts = np.stack([_start(rng, wrong=bad) for bad in wrong])
    if own is not None:
        by_itself = boards & np.isfinite(own).all(axis=(1, 2))
        starts[by_itself] = own[by_itself] + rng.normal(0, OWN_NOISE, (int(by_itself.sum()), 4, 2))
        wrong &= ~by_itself
    to_plane = _homographies(starts, UNIT)
    seen_at = _corners_seen(to_plane)
    far = ~wrong & ~(np.abs(seen_at - UNIT).max(axis=(1, 2)) < edges.MARGIN / (1 - 2 * edges.MARGIN))
    starts[far] = UNIT + rng.normal(0, 0.01, (int(far.sum()), 4, 2))
    to_plane = _homographies(starts, UNIT)
    seen_at = _corners_seen(to_plane)
    fine = edges.SIDE * 2
    places = _edge_places(above.device)
    across, down = rng.random(count) < 0.5, rng.random(count) < 0.5
    flips = np.stack(
        [np.diag([-1.0 if a else 1.0, -1.0 if d else 1.0, 1.0]) for a, d in zip(across, down, strict=True)]
    )
    flips[:, 0, 2], flips[:, 1, 2] = across, down
    matrix = torch.from_numpy(to_plane @ flips).float().to(above.device)
    at = (_through(matrix, places).reshape(count, fine, fine, 2) + AROUND) / (1 + 2 * AROUND) * ABOVE - 0.5
    seen = _sampled(above, at, ABOVE, "border")
    elsewhere = wrong & (rng.random(count) < 0.5)
    if elsewhere.any():
        chosen = torch.from_numpy(np.flatnonzero(elsewhere)).to(above.device)
        view = _through(matrix[chosen], places).reshape(len(chosen), fine, fine, 2)
        # Anywhere in the picture: most of it is no board, or one that is wrongly cut.
        shift = torch.from_numpy(rng.uniform(-0.35, 0.35, (len(chosen), 1, 1, 2))).float().to(above.device)
        size = torch.from_numpy(rng.uniform(0.15, 0.5, (len(chosen), 1, 1, 1))).float().to(above.device)
        seen[chosen] = _sampled(whole[chosen], ((view - 0.5) * size + 0.5 + shift) * WHOLE, WHOLE, "border")
    seen = F.avg_pool2d(seen, 2)
    order = np.tile(np.arange(4), (count, 1))
    order[across] = order[across][:, [1, 0, 3, 2]]
    order[down] = order[down][:, [3, 2, 1, 0]]
    corners = seen_at.copy()
    corners[across, :, 0] = 1 - corners[across, :, 0]
    corners[down, :, 1] = 1 - corners[down, :, 1]
    corners = np.take_along_axis(corners, order[..., None], axis=1)
    wanted = edges.MARGIN + corners * (1 - 2 * edges.MARGIN)
    wanted[wrong] = edges.EXPECTED
    off = np.linalg.norm(wanted - edges.EXPECTED, axis=2).max(axis=1) / (1 - 2 * edges.MARGIN)
    near = np.clip((finding_data.NEARLY - off) / (finding_data.NEARLY - finding_data.RIGHT), 0, 1) * ~wrong
    answers = [
        torch.from_numpy(part.astype(np.float32)).to(above.device) for part in (~wrong[:, None], near[:, None], wanted)
    ]
    return EdgeViews(FindingBatch(spoilt(seen, rng), *answers), to_plane @ flips, order, ~wrong)


def _corners_seen(to_plane: FloatArray) -> FloatArray:
    """(B, 4, 2) the true corners on the planes of the supposed ones."""
    return _mapped(np.asarray(np.linalg.inv(to_plane), np.float64), np.broadcast_to(UNIT, (len(to_plane), 4, 2)))


def _mapped(matrices: FloatArray, points: FloatArray) -> FloatArray:
    """(B, N, 2) the points of each of B sets (B, N, 2) through a homography of its own (B, 3, 3)."""
    at = np.einsum("bij,bkj->bki", matrices, np.concatenate([points, np.ones((*points.shape[:2], 1))], 2))
    return np.asarray(at[..., :2] / at[..., 2:])


def _start(rng: Rng, *, wrong: bool) -> FloatArray:
    """(4, 2) supposed corners on the true plane: some percent off, mistaken for trays or frame, or a quarter turned."""
    if wrong:
        turned = (
            np.roll(UNIT, 1, axis=0)
            if rng.random() < 0.7
            else UNIT + rng.choice([-1, 1], 2) * rng.uniform(0.15, 0.28, 2)
        )
        return turned + rng.normal(0, 0.012, (4, 2))
    off = rng.choice([0.003, 0.01, 0.02, 0.045]) * rng.uniform(0.5, 1.3)
    start = UNIT
    if rng.random() < finding_data.MISTAKEN_SHARE:
        left, right = rng.uniform(-0.06, 0.2, 2) * (rng.random(2) < 0.6)
        top, bottom = rng.uniform(-0.06, 0.13, 2) * (rng.random(2) < 0.45)
        start = np.array([[-left, -top], [1 + right, -top], [1 + right, 1 + bottom], [-left, 1 + bottom]])
    return start + rng.normal(0, off, (4, 2)) + rng.normal(0, off * 0.7, 2)


@dataclass(frozen=True)
class StripViews:
    """A batch for the strips' network. to_plane: as of EdgeViews; mirrored: (B,) boards whose strips run the other way."""

    batch: FindingBatch
    to_plane: FloatArray
    mirrored: npt.NDArray[np.bool_]

    def on_plane(self, maps: FloatArray) -> FloatArray:
        """(B, 4, 2) the corners that the network's maps (4 B, 1, T, S) say, on the true plane; NaN where they are far off."""
        fours = maps[:, 0].reshape(-1, 4, *maps.shape[2:])
        fours[self.mirrored] = fours[self.mirrored][..., ::-1]
        plane = np.stack([strips.corners_from(one)[0] for one in fours])
        return _not_far(_mapped(self.to_plane, plane), FARTHEST)


def strip_batch(above: Tensor, rng: Rng, own: FloatArray | None = None) -> StripViews:
    """Four strips each of boards above (B, 3, ABOVE, ABOVE) float. own: as `edge_batch` takes it."""
    count = len(above)
    starts = np.stack([_astray(rng) for _ in range(count)])
    if own is not None:
        by_itself = np.isfinite(_not_far(own, FARTHEST_STRIPS)).all(axis=(1, 2))
        starts[by_itself] = own[by_itself] + rng.normal(0, OWN_NOISE, (int(by_itself.sum()), 4, 2))
    to_plane = _homographies(starts, UNIT)
    corners = _corners_seen(to_plane)
    matrix = torch.from_numpy(to_plane).float().to(above.device)
    at = _through(matrix, _strip_places(above.device))
    at = (at.reshape(count, 4 * strips.ACROSS, strips.ALONG * 2, 2) + AROUND) / (1 + 2 * AROUND) * ABOVE - 0.5
    seen = F.avg_pool2d(_sampled(above, at, ABOVE, "border"), (1, 2))
    seen = seen.reshape(count, 3, 4, strips.ACROSS, strips.ALONG).transpose(1, 2)
    wanted = np.stack([finding_strips.lines_of(one) for one in corners])
    mirrored = rng.random(count) < 0.5
    chosen = torch.from_numpy(mirrored).to(above.device)[:, None, None, None, None]
    seen = torch.where(chosen, seen.flip(4), seen).reshape(count * 4, 3, strips.ACROSS, strips.ALONG)
    wanted[mirrored] = wanted[mirrored][:, :, ::-1]
    wanted = wanted.reshape(-1, 2)
    inside = (wanted > finding_strips.ROOM - strips.OUTSIDE) & (wanted < strips.INSIDE - finding_strips.ROOM)
    off = np.abs(wanted).max(axis=1, keepdims=True)
    right = np.clip((finding_strips.WRONG - off) / (finding_strips.WRONG - finding_strips.RIGHT), 0, 1)
    parts = (inside.all(axis=1, keepdims=True), right, wanted)
    answers = (torch.from_numpy(part.astype(np.float32)).to(above.device) for part in parts)
    return StripViews(FindingBatch(spoilt(seen, rng, 0.7, 4), *answers), to_plane, mirrored)


def _not_far(corners: FloatArray, farthest: float) -> FloatArray:
    """Corners (B, 4, 2) on the true plane, NaN where one is farther off than that."""
    near = np.abs(corners - UNIT).max(axis=(1, 2)) < farthest
    return np.where(near[:, None, None], corners, np.nan)


def _astray(rng: Rng) -> FloatArray:
    """(4, 2) corners on the true plane as earlier looks leave them."""
    top, right, bottom, left = rng.uniform(-finding_strips.ASTRAY, finding_strips.ASTRAY, 4) * (
        rng.random(4) < finding_strips.ASTRAY_SHARE
    )
    plane = np.array([[left, top], [1 - right, top], [1 - right, 1 - bottom], [left, 1 - bottom]])
    return plane + rng.normal(0, rng.choice([0.002, 0.006, 0.012, 0.02]), (4, 2))


@cache
def _finder_places(device: Any) -> Tensor:
    """(N, 3) px of the finder's square, four for each px of its own."""
    axis = (np.arange(SIDE * 2) + 0.5) / 2 - 0.5
    return _grid(axis, axis, device)


@cache
def _edge_places(device: Any) -> Tensor:
    """(N, 3) places on the supposed board's plane, four for each px of the rectified picture."""
    axis = ((np.arange(edges.SIDE * 2) + 0.5) / (edges.SIDE * 2) - edges.MARGIN) / (1 - 2 * edges.MARGIN)
    return _grid(axis, axis, device)


def _grid(x: FloatArray, y: FloatArray, device: Any) -> Tensor:
    across, down = np.meshgrid(x, y)
    places = np.stack([across, down, np.ones_like(across)], -1).reshape(-1, 3)
    return torch.from_numpy(places.astype(np.float32)).to(device)


@cache
def _strip_places(device: Any) -> Tensor:
    """(N, 3) places on the supposed board's plane: the four strips, two along for each px of theirs."""
    s = (np.arange(strips.ALONG * 2) + 0.5) / (strips.ALONG * 2) * (1 + 2 * strips.BEYOND) - strips.BEYOND
    t = (np.arange(strips.ACROSS) + 0.5) / strips.ACROSS * (strips.OUTSIDE + strips.INSIDE) - strips.OUTSIDE
    each = zip(strips.STARTS, strips.ALONGS, strips.INWARDS, strict=True)
    places = np.stack([start + s[None, :, None] * along + t[:, None, None] * inwards for start, along, inwards in each])
    flat = np.concatenate([places, np.ones((*places.shape[:3], 1))], 3).reshape(-1, 3)
    return torch.from_numpy(flat.astype(np.float32)).to(device)


def _homographies(quads: FloatArray, of: FloatArray) -> FloatArray:
    """(B, 3, 3) that take the points `of` (4, 2) to each of the quads (B, 4, 2)."""
    count = len(quads)
    x, y = np.broadcast_to(of[:, 0], (count, 4)), np.broadcast_to(of[:, 1], (count, 4))
    u, v = quads[..., 0], quads[..., 1]
    one, none = np.ones_like(u), np.zeros_like(u)
    upper = np.stack([x, y, one, none, none, none, -u * x, -u * y], -1)
    lower = np.stack([none, none, none, x, y, one, -v * x, -v * y], -1)
    solved = np.linalg.solve(np.concatenate([upper, lower], 1), np.concatenate([u, v], 1)[..., None])[..., 0]
    return np.concatenate([solved, np.ones((count, 1))], 1).reshape(count, 3, 3)


def _through(matrices: Tensor, points: Tensor) -> Tensor:
    """(B, N, 2) the points (N, 3) through homographies (B, 3, 3)."""
    at = points @ matrices.transpose(1, 2)
    return at[..., :2] / at[..., 2:].clamp(min=1e-3)


def _sampled(pictures: Tensor, at: Tensor, size: int, padding: str) -> Tensor:
    """Colours of pictures (B, 3, size, size) at px (B, H, W, 2)."""
    grid = ((2 * at + 1) / size - 1).clamp(-8, 8)
    return F.grid_sample(pictures, grid, mode="bilinear", padding_mode=padding, align_corners=False)
