"""What the dice and cube networks learn on: strange scenes keep their promises, and trust is fitted as it should be."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.observation import CUBE_FACES
from vision.reading.detector import Candidate, open_view
from vision.training import dice_fonts
from vision.training.dice_board import resized
from vision.training.dice_data import cut, decoys
from vision.training.dice_fonts import glyph, load_lettering, save_lettering, set_lettering
from vision.training.dice_scene import DiceScene, Item, SceneDrawer, Stock, make_stock
from vision.training.dice_strange import LEAST_INK, StrangeDrawer
from vision.training.dice_trust import Answered, Seen, fit_temperature, fit_trust, softened, softened_view
from vision.training.dice_wild import WildDrawer


@cache
def stock() -> Stock:
    return make_stock(np.random.default_rng(98), dice=2, cubes=2)


def strange_scene(seed: int, crowd: str | None = None, drawer: type[SceneDrawer] = StrangeDrawer) -> DiceScene:
    return drawer(np.random.default_rng(seed), stock()).draw(crowd)


@pytest.mark.parametrize("drawer", [StrangeDrawer, WildDrawer])
def test_a_strange_scene_names_what_it_shows(drawer: type[SceneDrawer]) -> None:
    kinds = set()
    for seed in range(5):
        scene = strange_scene(seed, drawer=drawer)
        assert scene.image.shape == (384, 384, 3)
        for item in scene.items:
            kinds.add(item.kind)
            values = {"die": range(1, 7), "cube": CUBE_FACES, "decoy": (0,)}[item.kind]
            assert item.value in values
            assert item.size > 0
    assert kinds == {"die", "cube", "decoy"}


@pytest.mark.parametrize("drawer", [StrangeDrawer, WildDrawer])
def test_the_same_seed_draws_the_same_scene(drawer: type[SceneDrawer]) -> None:
    one, other = strange_scene(5, drawer=drawer), strange_scene(5, drawer=drawer)
    assert np.array_equal(one.image, other.image)
    assert one.items == other.items


@settings(max_examples=60, deadline=None)
@given(*(st.tuples(*(st.integers(0, 255),) * 3) for _ in range(2)))
def test_marks_can_be_told_from_the_body(body: tuple[int, ...], mark: tuple[int, ...]) -> None:
    drawer = StrangeDrawer(np.random.default_rng(3), stock())
    shown = drawer._legible(np.float32(body), np.float32(mark))
    pair = cv2.cvtColor(np.stack([np.float32(body), shown])[None] / np.float32(255), cv2.COLOR_BGR2Lab)[0]
    assert np.linalg.norm(pair[1] - pair[0]) >= LEAST_INK


def test_a_makers_sign_is_no_cubes_number(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []

    def noted(text: str, font: str | int, weight: int) -> npt.NDArray[np.uint8]:
        said.append(text)
        return glyph(text, font, weight)

    monkeypatch.setattr(dice_fonts, "glyph", noted)
    monkeypatch.setattr(dice_fonts, "LETTERS", "248A")
    lettering = set_lettering(np.random.default_rng(4), [], 30)
    numbers = {str(face) for face in CUBE_FACES}
    words = said[: next(k for k, text in enumerate(said) if text in dice_fonts.NO_CUBE)]
    assert len(words) > 10
    assert not numbers & set(words)
    assert lettering.words


@pytest.mark.parametrize("scale", [0.02, 0.3, 1.5])
def test_a_long_word_drawn_small_does_not_vanish(scale: float) -> None:
    small = resized(np.full((2, 300), 255, np.uint8), scale)
    assert small.shape == (max(1, round(2 * scale)), round(300 * scale))
    assert small.min() == 255


def test_a_die_that_something_was_painted_over_is_no_target() -> None:
    drawer = WildDrawer(np.random.default_rng(1), stock())
    drawer.items = [Item("die", (100.0, 100.0), 30.0, 6, True), Item("die", (300.0, 300.0), 30.0, 2, True)]
    before = drawer.image.copy()
    drawer.image[60:140, 60:140] += 50
    drawer.note_covered(before)
    drawer.note_covered(drawer.image.copy())
    assert [item.seen for item in drawer.items] == [0.0, 1.0]


def test_a_large_cube_is_averaged_where_it_is_cut_out() -> None:
    """Stripes of one px, as a fine cloth has, are grey in a crop that is four times coarser."""
    image = np.zeros((384, 384, 3), np.uint8)
    image[:, ::2] = 255
    scene = DiceScene(image, (0.0, 0.0), ())
    crop = cut(scene, Candidate((0.2, 0.2), 0.107, 1.0))
    assert np.abs(crop[8:-8, 8:-8].astype(int) - 128).max() < 40


def test_lettering_comes_back_from_its_file(tmp_path: Path) -> None:
    lettering = set_lettering(np.random.default_rng(2), [], 3)
    save_lettering(lettering, tmp_path / "marks.npz", high=40)
    again = load_lettering(tmp_path / "marks.npz")
    assert [set(marks) for marks in again.numbers] == [set(CUBE_FACES)] * 3
    assert len(again.words) == len(lettering.words)
    assert len(again.cards) == 3
    assert all(len(mark) <= 40 and mark.max() > 100 for marks in again.numbers for mark in marks.values())


@pytest.mark.parametrize("kind", ["die", "cube"])
def test_a_decoy_never_lies_on_what_it_is_taken_for(kind: str) -> None:
    rng, seen = np.random.default_rng(3), 0
    for seed in range(6):
        scene = strange_scene(seed, kind)
        for c in decoys(rng, scene, kind):
            seen += 1
            at = np.array(c.at) * scene.board_px
            assert all(np.hypot(*(at - i.at)) > 0.9 * i.size for i in scene.items if i.kind == kind)
    assert seen


def answered(rng: np.random.Generator, is_one: bool) -> Answered:
    """A candidate on which the reader is mostly right and the finder's score says nothing."""
    logits = rng.normal(0, 1, 8).astype(np.float32)
    logits[0] = rng.normal(3 if is_one else -3, 2)
    face = int(rng.integers(6)) if is_one else -1
    if is_one:
        logits[1 + face] += 8
    return Answered(float(rng.uniform(0.1, 0.9)), logits, face)


def test_trust_goes_to_who_is_right() -> None:
    rng = np.random.default_rng(1)
    seen = [Seen([answered(rng, bool(k % 2))], k % 2) for k in range(600)]
    trust = fit_trust(seen)
    assert trust.reader > 0.3
    assert trust.finder < 0.3
    rows = [(trust.confidence(a.score, a.logits), a.face >= 0) for s in seen for a in s.answered]
    sure = [there for said, there in rows if said > 0.9]
    assert len(sure) > 100
    assert np.mean(sure) > 0.93


def test_answers_that_are_too_sure_are_cooled() -> None:
    rng = np.random.default_rng(2)
    rows = []
    for _ in range(400):
        logits = np.zeros(8, np.float32)
        face = int(rng.integers(6))
        said = face if rng.random() < 0.8 else int(rng.integers(6))
        logits[1 + said] = 12.0
        rows.append(Seen([Answered(0.5, logits, face)], 1))
    assert fit_temperature(rows) >= 1.9


def test_a_blur_is_as_wide_on_a_board_however_large_its_picture_is() -> None:
    line = np.zeros((200, 960, 3), np.uint8)
    line[:, 480] = 255
    spread = {}
    for board_px, picture in ((480.0, line[:, 240:720]), (960.0, line)):
        profile = softened(picture, board_px, 4.0)[100, :, 0].astype(float)
        at = np.arange(len(profile)) - np.average(np.arange(len(profile)), weights=profile)
        spread[board_px] = float(np.sqrt(np.average(at**2, weights=profile)))
    assert spread[960.0] == pytest.approx(2 * spread[480.0], rel=0.15)
    corners = np.array([(0, 0), (959, 0), (959, 199), (0, 199)], np.float32)
    view = open_view(line, corners)
    assert np.abs(softened_view(view, 4.0).image.astype(int) - softened(view.image, 960.0, 4.0)).max() <= 2
    assert softened_view(view, 0.0).image is view.image
