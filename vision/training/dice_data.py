"""Pictures with known dice and cubes for training: drawn ones, board pictures with truth files, and loose dice."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Corners, Image
from vision.observation import CUBE_FACES
from vision.reading.detector import (
    CLOSER,
    CROP_PX,
    CROP_SIDES,
    FINE_PX,
    BoardPicture,
    Candidate,
    Finder,
    canvas,
    crop,
    crop_matrix,
    open_view,
    peaks,
)
from vision.training.dice_board import BOARD_PX
from vision.training.dice_scene import DiceScene, Item, Photograph

Floats = npt.NDArray[np.float32]

REAL_MARGIN = (0.22, 0.2)
MATCH_SIDES = 0.6
"""A candidate within 0.6 sides of a solid's centre is that solid."""
SIDE_SHARE, SIDE_LEAN, SIDE_APART = 0.3, 0.6, 0.5
"""How often a solid's visible side is shown as "not one"; the shift per height from which a side can be taken for a top;
and how many sides it lies from the upper face at least."""
COARSE_STRIDE = 1.6
"""Scene px a crop's px from which they are averaged first."""
CLOSER_SHARE = 0.35
"""Of the crops that show less and finer, as the reader's second look does."""
LEAST_SCORE = 0.06
"""Of a finder's candidates that teach."""
HIDDEN, PLAIN = 0.45, 0.8
"""A solid seen by less than the first share is no target, by less than the second it teaches nothing."""


@dataclass(frozen=True)
class Truth:
    """One board picture with its truth line (see the reference data's README)."""

    path: Path
    row: dict[str, Any]

    def image(self) -> Image:
        """(H, W, 3) uint8 BGR."""
        return np.asarray(cv2.imread(str(self.path)), np.uint8)

    @property
    def corners(self) -> Corners:
        return np.array(self.row["corners"], np.float32)

    @property
    def group(self) -> str:
        return str(self.row["group"])


def truths(folder: Path) -> list[Truth]:
    """Every picture of a folder with a truth.jsonl."""
    lines = (folder / "truth.jsonl").read_text(encoding="utf-8").splitlines()
    return [Truth(folder / row["file"], row) for row in map(json.loads, filter(str.strip, lines))]


HELD_OUT = ("tan_burgundy", "wood_folding")
"""Render styles never trained on, so that the two recorded games and two of six styles stay a test."""


def training_truths(boards: Path | None, held_out: tuple[str, ...]) -> list[Truth]:
    """The renders that may be trained on. Photographs of boards are never trained on."""
    return [t for t in truths(boards / "renders") if t.group not in held_out] if boards else []


@dataclass(frozen=True)
class LabelledSolid:
    """A solid in a board picture. at: view plane; value: upper face; flat: None where unknown."""

    kind: str
    at: tuple[float, float]
    value: int
    flat: bool


def known_solids(truth: Truth, view: BoardPicture, scale: float) -> list[LabelledSolid]:
    """The dice and the cube whose places the truth gives, in the view plane. `scale`: view image px per source px."""
    back = np.linalg.inv(view.to_source)

    def place(px: Sequence[float]) -> tuple[float, float]:
        p = back @ np.array([px[0] * scale, px[1] * scale, 1])
        return float(p[0] / p[2]), float(p[1] / p[2])

    dice = [
        LabelledSolid("die", place(d["px"]), d["value"], not d["cocked"])
        for d in truth.row["dice"] or []
        if d.get("px")
    ]
    cube = truth.row["cube"]
    return dice + ([LabelledSolid("cube", place(cube["px"]), cube["shown"], True)] if cube and cube.get("px") else [])


def photograph(truth: Truth) -> Photograph:
    """A board picture rectified as scene ground, its dice and cube marked."""
    image = truth.image()
    view = open_view(image, truth.corners)
    ground, to_view = canvas(view, BOARD_PX, REAL_MARGIN)
    back = np.linalg.inv(to_view)
    items = []
    for k in known_solids(truth, view, view.image.shape[1] / image.shape[1]):
        x, y, _ = back @ np.array([*k.at, 1])
        items.append(Item(k.kind, (float(x), float(y)), 0.0, k.value, k.flat))
    return Photograph(ground, view, to_view, tuple(items))


def finder_sample(scene: DiceScene, kind: str, board_px: int) -> tuple[Image, Floats, Floats]:
    """A scene as the finder sees it: (h, w, 3) picture, (h/4, w/4) heat, (h/4, w/4) size in cells (0: not known)."""
    scale = board_px / scene.board_px
    side = round(len(scene.image) * scale / 8) * 8
    picture = cv2.resize(scene.image, (side, side), interpolation=cv2.INTER_AREA)
    cells = side // Finder.STRIDE
    heat, size = np.zeros((cells, cells), np.float32), np.zeros((cells, cells), np.float32)
    ys, xs = np.mgrid[:cells, :cells]
    exact = side / len(scene.image)
    for item in scene.items:
        if item.kind != kind or item.seen < HIDDEN:
            continue
        x, y = (np.array(item.at) * exact - 1.5) / Finder.STRIDE
        bump = np.exp(-((xs - x) ** 2 + (ys - y) ** 2) / 2)
        size[(bump > 0.3) & (bump > heat)] = item.size * exact / Finder.STRIDE
        heat = np.maximum(heat, bump.astype(np.float32))
    return np.asarray(picture, np.uint8), heat, size


@dataclass(frozen=True)
class Crop:
    """image: (64, 64, 3) uint8; one: it shows the solid; face: class 0-5 or -1; flat: 0, 1 or NaN; fine: (96, 96, 3) uint8, the
    same stretch, where there is one."""

    image: Image
    one: float
    face: int
    flat: float
    fine: Image | None = None


NOTHING = (0.0, -1, float("nan"))


def label(kind: str, value: int, *, flat: bool | None) -> tuple[float, int, float]:
    """What the reader should answer for a solid."""
    face = value - 1 if kind == "die" else CUBE_FACES.index(value)
    return 1.0, face, float("nan") if flat is None else float(flat)


def jitter(rng: np.random.Generator, c: Candidate) -> Candidate:
    """The candidate as a finder on another day might have given it, now and then looked at more closely."""
    offset = np.clip(rng.normal(0, 0.09, 2), -0.22, 0.22) * c.size
    size = c.size * float(np.exp(rng.normal(0, 0.1))) * (CLOSER if rng.random() < CLOSER_SHARE else 1.0)
    return Candidate((c.at[0] + offset[0], c.at[1] + offset[1]), size, c.score)


def scene_candidates(scene: DiceScene, finder: Finder) -> list[Candidate]:
    """What the finder marks in a scene."""
    side = round(len(scene.image) * finder.board_px / scene.board_px / 8) * 8
    heat, size = finder.heat(np.asarray(cv2.resize(scene.image, (side, side), interpolation=cv2.INTER_AREA), np.uint8))
    exact = side / len(scene.image) * scene.board_px  # finder px per board width
    found = peaks(heat, size, 0.06, 12)
    return [Candidate(((x * 4 + 1.5) / exact, (y * 4 + 1.5) / exact), s * 4 / exact, p) for x, y, s, p in found]


def _apart(candidate: Candidate, item: Item, scene: DiceScene) -> float:
    return float(np.hypot(candidate.at[0] * scene.board_px - item.at[0], candidate.at[1] * scene.board_px - item.at[1]))


def decoys(rng: np.random.Generator, scene: DiceScene, kind: str) -> list[Candidate]:
    """Three at most of the things that look like the solid, and of the other kind of solid, where no solid of this kind is near."""
    own = [i for i in scene.items if i.kind == kind]
    found = []
    for item in (i for i in scene.items if i.kind != kind and i.size and i.seen > PLAIN):
        size = item.size if item.kind == "decoy" else item.size * float(np.exp(rng.uniform(-0.4, 0.4)))
        at = (item.at[0] / scene.board_px, item.at[1] / scene.board_px)
        candidate = Candidate(at, size / scene.board_px, 0.0)
        inside = min(item.at) > 0 and max(item.at) < len(scene.image)
        if inside and all(_apart(candidate, o, scene) > o.size * 0.9 for o in own):
            found.append(candidate)
    return [found[k] for k in rng.permutation(len(found))[:3]]


def worn(rng: np.random.Generator, image: Image) -> Image:
    """The picture as a poorer camera gives it: blurred, sharpened, coarser, or, mostly, as it is."""
    pick = rng.random()
    if pick < 0.18:
        return np.asarray(cv2.GaussianBlur(image, (0, 0), rng.uniform(0.4, 1.5)), np.uint8)
    if pick < 0.28:
        soft = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.6, 1.5))
        return np.asarray(cv2.addWeighted(image, 1 + (more := rng.uniform(0.3, 1.5)), soft, -more, 0), np.uint8)
    if pick < 0.38:
        h, w = image.shape[:2]
        coarse = rng.uniform(0.45, 0.9)
        small = cv2.resize(image, (int(w * coarse), int(h * coarse)), interpolation=cv2.INTER_AREA)
        return np.asarray(cv2.resize(small, (w, h), interpolation=cv2.INTER_LINEAR), np.uint8)
    return image


def scene_crops(rng: np.random.Generator, scene: DiceScene, kind: str, finder: Finder | None) -> Iterator[Crop]:
    """Crops of every solid of the kind in a drawn scene; with a finder also of its errors and of a place picked at random."""
    places = scene_candidates(scene, finder) if finder else []
    own = [i for i in scene.items if i.kind == kind]
    lean = np.array(scene.lean, np.float32)
    answers = []
    for item in own:
        at = (item.at[0] / scene.board_px, item.at[1] / scene.board_px)
        near = [c for c in places if np.hypot(c.at[0] - at[0], c.at[1] - at[1]) < MATCH_SIDES * c.size]
        places = [c for c in places if c not in near]
        inside = min(item.at) > 10 and max(item.at) < len(scene.image) - 10
        if item.seen < PLAIN or not inside or (not item.size and not near):
            continue
        if item.size and (not near or rng.random() < 0.5):
            near = [Candidate(at, item.size / scene.board_px, 1.0)]
        answers.append((jitter(rng, near[0]), label(kind, item.value, flat=item.flat)))
        if rng.random() < SIDE_SHARE and np.hypot(*lean) > SIDE_LEAN:
            down = near[0].size * rng.uniform(0.6, 1.0)
            side = Candidate((at[0] - float(lean[0]) * down, at[1] - float(lean[1]) * down), near[0].size, 0.0)
            others = [o for o in own if o is not item]
            if (
                all(_apart(side, o, scene) > o.size for o in others)
                and _apart(side, item, scene) > SIDE_APART * item.size
            ):
                answers.append((jitter(rng, side), NOTHING))
    answers += [(jitter(rng, places[k]), NOTHING) for k in rng.permutation(len(places))[:3]]
    answers += [(jitter(rng, c), NOTHING) for c in decoys(rng, scene, kind)]
    spot = rng.uniform(0.05, 0.35, 2)
    if finder and all(
        np.hypot(spot[0] * scene.board_px - i.at[0], spot[1] * scene.board_px - i.at[1]) > 60 for i in own
    ):
        answers.append((Candidate((float(spot[0]), float(spot[1])), rng.uniform(0.024, 0.06), 0.0), NOTHING))
    for c, (one, face, flat) in answers:
        yield Crop(cut(scene, c), one, face, flat, cut(scene, c, FINE_PX))


def cut(scene: DiceScene, candidate: Candidate, px: int = CROP_PX) -> Image:
    """(px, px, 3) uint8 BGR: a candidate's crop of a drawn scene, as `vision.reading.detector.crop` cuts one from a picture."""
    lean = np.array(scene.lean, np.float32)
    matrix = np.diag([scene.board_px, scene.board_px, 1.0]) @ crop_matrix(candidate, lean, px)
    image, stride = scene.image, float(np.hypot(matrix[0, 0], matrix[1, 0]))
    if stride > COARSE_STRIDE:
        image = np.asarray(
            cv2.resize(image, None, fx=1 / stride, fy=1 / stride, interpolation=cv2.INTER_AREA), np.uint8
        )
        matrix = (
            np.array([[1 / stride, 0, 0.5 / stride - 0.5], [0, 1 / stride, 0.5 / stride - 0.5], [0, 0, 1]]) @ matrix
        )
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpPerspective(image, matrix, (px, px), flags=flags), np.uint8)


@dataclass(frozen=True)
class LabelledCandidate:
    """A candidate of the finder in a board picture, and what is there."""

    view: BoardPicture
    candidate: Candidate
    answer: tuple[float, int, float]


def found_in(truth: Truth, kind: str, finder: Finder) -> list[LabelledCandidate]:
    """The finder's candidates in a board picture, each with the reader's right answer."""
    image = truth.image()
    view = open_view(image, truth.corners)
    known = [k for k in known_solids(truth, view, view.image.shape[1] / image.shape[1]) if k.kind == kind]
    out = []
    for c in finder.find(view, LEAST_SCORE, 14):
        near = [k for k in known if np.hypot(k.at[0] - c.at[0], k.at[1] - c.at[1]) < MATCH_SIDES * 1.4 * c.size]
        answer = label(kind, near[0].value, flat=near[0].flat) if near else NOTHING
        out.append(LabelledCandidate(view, c, answer))
    return out


def found_crop(rng: np.random.Generator, found: LabelledCandidate) -> Crop:
    """A candidate's crop, turned a little, made coarser and noisier: few pictures must not be learned by heart."""
    image = crop(found.view, jitter(rng, found.candidate))
    middle = ((CROP_PX - 1) / 2, (CROP_PX - 1) / 2)
    turn = cv2.getRotationMatrix2D(middle, rng.normal(0, 12), float(np.exp(rng.normal(0, 0.06))))
    image = np.asarray(cv2.warpAffine(image, turn, (CROP_PX, CROP_PX), borderMode=cv2.BORDER_REFLECT), np.uint8)
    coarse = int(rng.uniform(28, CROP_PX))
    small = cv2.resize(image, (coarse, coarse), interpolation=cv2.INTER_AREA)
    noisy = cv2.resize(small, (CROP_PX, CROP_PX)) + rng.normal(0, rng.uniform(0, 6), image.shape)
    bent = 255 * (np.clip(noisy, 0, 255) / 255) ** rng.uniform(0.7, 1.4)
    return Crop(np.asarray(bent, np.uint8), *found.answer)


def card_crop(rng: np.random.Generator, scene: DiceScene, glyphs: Sequence[Image]) -> Crop:
    """A flat card with a number that no cube has (a score board's, say), on a scene's ground: not the solid."""
    corner = rng.integers(0, len(scene.image) - FINE_PX, 2)
    image = np.ascontiguousarray(scene.image[corner[1] : corner[1] + FINE_PX, corner[0] : corner[0] + FINE_PX])
    mark = glyphs[int(rng.integers(len(glyphs)))]
    high = rng.uniform(15, 45)
    mark = np.asarray(cv2.resize(mark, None, fx=high / len(mark), fy=high / len(mark)), np.uint8)[:FINE_PX, :FINE_PX]
    h, w = mark.shape
    paper, ink = (rng.uniform(150, 255, 3), rng.uniform(0, 90, 3))
    if rng.random() < 0.4:
        paper, ink = ink, paper
    y, x = (FINE_PX - h) // 2, (FINE_PX - w) // 2
    pad = rng.integers(4, 21, 2)
    image[max(0, y - pad[0]) : y + h + pad[0], max(0, x - pad[1]) : x + w + pad[1]] = paper
    part = mark[..., None] / 255.0
    image[y : y + h, x : x + w] = image[y : y + h, x : x + w] * (1 - part) + ink * part
    turned = cv2.getRotationMatrix2D((FINE_PX / 2, FINE_PX / 2), rng.uniform(0, 360), 1.0)
    image = np.asarray(cv2.warpAffine(image, turned, (FINE_PX, FINE_PX), borderMode=cv2.BORDER_REFLECT), np.uint8)
    fine = np.asarray(cv2.GaussianBlur(image, (0, 0), rng.uniform(0.4, 2.2)), np.uint8)
    small = np.asarray(cv2.resize(fine, (CROP_PX, CROP_PX), interpolation=cv2.INTER_AREA), np.uint8)
    return Crop(small, *NOTHING, fine)


class LooseDice:
    """Photographs of loose dice with boxes (YOLO text files, class = face - 1); ones are left out."""

    def __init__(self, folder: Path) -> None:
        self.dice: list[tuple[Image, tuple[float, float], float, int]] = []
        for path in sorted(folder.glob("*.txt")):
            image = np.asarray(cv2.imread(str(path.with_suffix(".jpg"))), np.uint8)
            h, w = image.shape[:2]
            for line in path.read_text().splitlines():
                face, x, y, bw, bh = (float(v) for v in line.split())
                if int(face) != 0:
                    self.dice.append((image, (x * w, y * h), (bw * w + bh * h) / 2 / 1.3, int(face)))

    def crop(self, rng: np.random.Generator) -> Crop:
        """One die, turned anyhow and made as coarse as a board's picture shows it."""
        image, centre, size, face = self.dice[rng.integers(len(self.dice))]
        middle = np.array(centre) + np.clip(rng.normal(0, 0.08, 2), -0.2, 0.2) * size
        reach = size * CROP_SIDES * float(np.exp(rng.normal(0, 0.1)))
        angle = rng.uniform(0, 2 * np.pi)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) * reach / CROP_PX
        matrix = np.hstack([turn, (middle - turn @ np.full(2, (CROP_PX - 1) / 2))[:, None]])
        out = cv2.warpAffine(image, matrix, (CROP_PX, CROP_PX), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
        coarse = int(rng.uniform(30, 64))
        out = cv2.resize(cv2.resize(out, (coarse, coarse), interpolation=cv2.INTER_AREA), (CROP_PX, CROP_PX))
        return Crop(np.asarray(out, np.uint8), 1.0, face, float("nan"))
