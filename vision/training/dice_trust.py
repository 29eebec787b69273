"""Measures finder and reader on drawn scenes they never saw, and fits how far to trust them: `--help`.

The constants TRUST and TEMPERATURE of dice.py and cube.py in vision/reading come from here. Nothing is fitted on photographs.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.network import WEIGHTS
from vision.observation import CUBE_FACES
from vision.reading import cube, dice
from vision.reading.detector import BoardPicture, Candidate, Finder, SolidReader, Trust, open_view
from vision.training.dice_bank import SceneBank
from vision.training.dice_data import HELD_OUT, MATCH_SIDES, cut, known_solids, scene_candidates, truths
from vision.training.dice_scene import DiceScene
from vision.training.lit.cut import exposed, windows

Doubles = npt.NDArray[np.float64]
LIT_SEED = 5
WELL_SEEN, READABLE_PX = 0.9, 12
"""Of a solid in a lit window, to count: the share that is seen of its upper face, and that face's side, px."""
BLUR_WIDTH = 480
"""Px of a board's width at which a blur is given."""
LEAST_SEEN = 0.6
"""A solid of which less is seen counts neither for nor against."""
RIDGE = 2.0
"""How strongly the regression's weights are drawn to zero."""
KINDS = {"die": ("dice", dice), "cube": ("cube", cube)}


@dataclass(frozen=True)
class Answered:
    """A candidate: the finder's score, the reader's (8,) logits, and the class of its face, -1 where there is no solid."""

    score: float
    logits: npt.NDArray[np.float32]
    face: int


@dataclass(frozen=True)
class Seen:
    """One picture: its answered candidates, and how many solids that can be read it shows."""

    answered: list[Answered]
    solids: int


def face_class(kind: str, value: int) -> int:
    """Class of an upper face, 0-5."""
    return value - 1 if kind == "die" else CUBE_FACES.index(value)


def softened(image: npt.NDArray[np.uint8], board_px: float, blur: float) -> npt.NDArray[np.uint8]:
    """The picture out of focus: a Gaussian of so many px where the board is BLUR_WIDTH wide; board_px: how wide it is here."""
    return np.asarray(cv2.GaussianBlur(image, (0, 0), blur * board_px / BLUR_WIDTH), np.uint8) if blur else image


def softened_view(view: BoardPicture, blur: float) -> BoardPicture:
    """The same of a picture with its board."""
    ends = np.array([[0, 0.5, 1], [1, 0.5, 1]]) @ view.to_source.T
    left, right = ends[:, :2] / ends[:, 2:]
    return replace(view, image=softened(view.image, float(np.hypot(*(right - left))), blur))


def in_scene(scene: DiceScene, kind: str, finder: Finder, reader: SolidReader, blur: float = 0.0) -> Seen:
    """What both networks say of one drawn scene, out of focus by so many px (`softened`)."""
    scene = replace(scene, image=softened(scene.image, scene.board_px, blur))
    places = scene_candidates(scene, finder)
    own = [i for i in scene.items if i.kind == kind and min(i.at) > 4 and max(i.at) < len(scene.image) - 4]
    clear = [i for i in own if i.seen >= LEAST_SEEN and i.flat]
    kept: list[tuple[Candidate, int]] = []
    for c in places:
        at = np.array(c.at) * scene.board_px
        near = [i for i in scene.items if i.kind == kind and np.hypot(*(at - i.at)) < MATCH_SIDES * i.size]
        if not near or near[0] in clear:
            kept.append((c, face_class(kind, near[0].value) if near else -1))
    if not kept:
        return Seen([], len(clear))
    read = reader.looked_at(partial(cut, scene), [c for c, _ in kept])
    return Seen([Answered(c.score, one.logits, face) for (c, face), one in zip(kept, read, strict=True)], len(clear))


def in_renders(boards: Path, kind: str, finder: Finder, reader: SolidReader, blur: float = 0.0) -> Iterator[Seen]:
    """The same of the renders whose styles are kept out of training."""
    for truth in (t for t in truths(boards / "renders") if t.group in HELD_OUT):
        image = truth.image()
        view = softened_view(open_view(image, truth.corners), blur)
        known = [
            k for k in known_solids(truth, view, view.image.shape[1] / image.shape[1]) if k.kind == kind and k.flat
        ]
        answered = []
        for one in reader.read(view, finder.find(view, 0.06, 12)):
            c = one.candidate
            near = [k for k in known if np.hypot(k.at[0] - c.at[0], k.at[1] - c.at[1]) < MATCH_SIDES * 1.4 * c.size]
            answered.append(Answered(c.score, one.logits, face_class(kind, near[0].value) if near else -1))
        yield Seen(answered, len(known))


def in_lit(folder: Path, kind: str, finder: Finder, reader: SolidReader, blur: float = 0.0) -> Iterator[Seen]:
    """The same of lit windows that taught nothing."""
    rng = np.random.default_rng(LIT_SEED)
    for _, window in windows(folder):
        view = softened_view(replace(window.view, image=exposed(rng, window.view.image)), blur)
        own = [thing for thing in window.things if thing.kind == kind]
        clear = [thing for thing in own if thing.seen >= WELL_SEEN and thing.side_px >= READABLE_PX]
        answered = []
        for one in reader.read(view, finder.find(view, 0.06, 12)):
            at = one.candidate.at
            near = [o for o in own if np.hypot(o.at[0] - at[0], o.at[1] - at[1]) < MATCH_SIDES * 1.4 * o.size]
            if not near or near[0] in clear:
                face = face_class(kind, near[0].value) if near else -1
                answered.append(Answered(one.candidate.score, one.logits, face))
        yield Seen(answered, len(clear))


def tally(seen: list[Seen], kind: str, trust: Trust, least: float) -> Counter[str]:
    """Solids right, misread, missed and false, and whole pictures, at a least confidence."""
    out: Counter[str] = Counter()
    for picture in seen:
        sure = [(trust.confidence(a.score, a.logits), a) for a in picture.answered]
        claimed = sorted((s for s in sure if s[0] >= least), key=lambda s: -s[0])
        if kind == "cube":
            claimed = claimed[:1]
        right = sum(a.face >= 0 and int(a.logits[1:7].argmax()) == a.face for _, a in claimed)
        misread = sum(a.face >= 0 for _, a in claimed) - right
        false = sum(a.face < 0 for _, a in claimed)
        wanted = min(picture.solids, 1) if kind == "cube" else picture.solids
        out.update(pictures=1, solids=wanted, right=right, misread=misread, false=false)
        out.update(whole=right == wanted and misread + false == 0)
    return out


def features(seen: list[Seen]) -> tuple[Doubles, Doubles, Doubles]:
    """(N, 3) logit of the score, "one", logit of the face; (N,) whether a solid is there; (N,) weights."""
    rows = [a for s in seen for a in s.answered]

    def logit(p: float) -> float:
        p = min(max(p, 1e-3), 0.99)
        return float(np.log(p / (1 - p)))

    faces = [1 / float(np.exp(a.logits[1:7] - a.logits[1:7].max()).sum()) for a in rows]
    x = np.array([[logit(a.score), float(a.logits[0]), logit(f)] for a, f in zip(rows, faces, strict=True)])
    return x, np.array([float(a.face >= 0) for a in rows]), np.ones(len(rows))


def fit_trust(seen: list[Seen]) -> Trust:
    """Logistic regression by Newton's method; no weight below zero: more speaks for a solid, never against it."""
    x, y, w = features(seen)
    x = np.c_[x, np.ones(len(x))]
    used = [0, 1, 2, 3]
    while True:
        beta = np.zeros(len(used))
        part = x[:, used]
        for _ in range(50):
            p = 1 / (1 + np.exp(-np.clip(part @ beta, -30, 30)))
            gradient = part.T @ (w * (y - p)) - RIDGE * beta
            hessian = (part * (w * p * (1 - p))[:, None]).T @ part + RIDGE * np.eye(len(used))
            step = np.linalg.solve(hessian, gradient)
            beta += step
            if np.abs(step).max() < 1e-6:
                break
        below = [k for k, b in zip(used, beta, strict=True) if b < 0 and k != 3]
        if not below:
            break
        used.remove(below[0])
    full = dict(zip(used, beta, strict=True))
    return Trust(*(round(float(full.get(k, 0.0)), 2) for k in range(4)))


def fit_temperature(seen: list[Seen]) -> float:
    """The temperature at which the true faces are likeliest."""
    rows = [a for s in seen for a in s.answered if a.face >= 0]
    logits, faces = np.array([a.logits[1:7] for a in rows], np.float64), np.array([a.face for a in rows])

    def loss(t: float) -> float:
        z = logits / t
        z -= z.max(1, keepdims=True)
        return float((np.log(np.exp(z).sum(1)) - z[np.arange(len(z)), faces]).mean())

    return float(min(np.arange(0.4, 2.01, 0.05), key=loss))


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure dice and cube networks on drawn scenes and fit their trust.")
    parser.add_argument("kind", choices=list(KINDS))
    parser.add_argument("bank", type=Path, nargs="+", help="scenes of dice_bank that nothing was trained on")
    parser.add_argument("--lit", type=Path, help="folder of vision.training.lit.draw that nothing was trained on")
    parser.add_argument("--lit-counts", type=int, default=1, help="how often each lit window counts in the fit")
    parser.add_argument("--boards", type=Path, help="folder with renders/: its held-out styles are added")
    parser.add_argument("--weights", type=Path, default=WEIGHTS)
    parser.add_argument("--blur", type=float, action="append", help="px out of focus, 0 for none; again for more")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    name, module = KINDS[options.kind]
    finder = Finder(options.weights / f"{name}_finder.onnx", module.BOARD_PX, module.MARGIN)
    reader = module.solid_reader(options.weights)
    everything: list[Seen] = []

    def told(what: str, seen: list[Seen], times: int = 1) -> None:
        everything.extend(seen * times)
        found = sum(a.face >= 0 for s in seen for a in s.answered)
        print(what, "found", found, dict(tally(seen, options.kind, module.TRUST, module.LEAST_CONFIDENCE)))

    for blur in options.blur or [0.0]:
        looked = options.kind, finder, reader, blur
        how = f", blurred by {blur} px of {BLUR_WIDTH}" if blur else ""
        for folder in options.bank:
            bank = SceneBank([folder])
            told(folder.name + how, [in_scene(bank[k], *looked) for k in range(len(bank))])
        if options.lit:
            told("lit" + how, list(in_lit(options.lit, *looked)), options.lit_counts)
        if options.boards:
            told("renders" + how, list(in_renders(options.boards, *looked)), 3)
    trust = fit_trust(everything)
    print("fitted", trust, "temperature", round(fit_temperature(everything), 2))
    for least in (0.3, 0.5, 0.7, 0.9):
        print(least, dict(tally(everything, options.kind, trust, least)))


if __name__ == "__main__":
    main()
