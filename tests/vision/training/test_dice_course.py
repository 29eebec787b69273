"""The course by the clock: samples agree with the scenes they were cut from. Needs torch, which only training has."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from vision.training import dice_net  # noqa: E402
from vision.training.dice_course import Trainer, moved, spoilt, tinted  # noqa: E402
from vision.training.dice_mix import mixed  # noqa: E402
from vision.training.dice_pool import CANVASES, LearningFinder, draw, samples  # noqa: E402
from vision.training.dice_scene import make_stock  # noqa: E402
from vision.training.shared_course import Ring  # noqa: E402


def begun(folder: Path) -> Path:
    """A folder with six networks that know nothing."""
    for kind in CANVASES:
        for part, what in dice_net.TOGETHER.items():
            torch.save(what.made().state_dict(), folder / f"{kind}_{part}.pt")
    return folder


def test_a_full_pool_forgets_its_oldest_samples() -> None:
    pool = Ring(5, "cpu")
    pool.add(np.arange(4))
    pool.add(np.arange(10, 13))
    assert pool.filled == 5
    assert sorted(pool.held.tolist()) == [2, 3, 10, 11, 12]


def test_spoiling_keeps_a_picture_a_picture() -> None:
    torch.manual_seed(1)
    grey = torch.full((64, 3, 64, 64), 120.0)
    out = moved(spoilt(grey), mirror=True)
    assert out.shape == grey.shape
    assert float(out.min()) >= 0
    assert float(out.max()) <= 255
    assert abs(float(out.median()) - 120) < 15
    assert torch.isfinite(tinted(out)).all()


def test_a_course_learns_from_what_its_workers_drew(tmp_path: Path) -> None:
    torch.manual_seed(2)
    rng = np.random.default_rng(2)
    stock = make_stock(rng, 1, 1)
    finders = {kind: LearningFinder(kind, begun(tmp_path) / f"{kind}_finder.pt") for kind in CANVASES}
    arrays = samples(rng, draw(rng, stock, 8), stock, dict(finders))
    for kind in CANVASES:
        assert len(arrays[f"{kind}_picture"]) == len(arrays[f"{kind}_heat"]) == len(arrays[f"{kind}_size"])
        answers = arrays[f"{kind}_answer"]
        assert len(arrays[f"{kind}_crop"]) == len(arrays[f"{kind}_fine"]) == len(answers)
        assert ((answers[:, 1] >= 0) == (answers[:, 0] > 0)).all()
    np.savez(tmp_path / "1-00000.npz", **arrays)
    trainer = Trainer(tmp_path, "cpu", 1)
    assert trainer.take(tmp_path) == 1
    assert not list(tmp_path.glob("*.npz"))
    before = {k: v.clone() for k, v in trainer.courses[0].net.state_dict().items()}
    trainer.step(1e-3)
    after = trainer.courses[0].net.state_dict()
    assert any(not torch.equal(before[k], after[k]) for k in before)


def test_a_course_of_one_kind_leaves_the_other_alone(tmp_path: Path) -> None:
    torch.manual_seed(3)
    rng = np.random.default_rng(3)
    stock = make_stock(rng, 1, 1)
    finder = LearningFinder("cube", begun(tmp_path) / "cube_finder.pt")
    scenes = draw(rng, stock, 12, ("cube",))
    assert {crowd for _, crowd in scenes} == {None, "cube"}
    arrays = samples(rng, scenes, stock, {"cube": finder})
    assert {name.split("_")[0] for name in arrays} == {"cube"}
    np.savez(tmp_path / "1-00000.npz", **arrays)
    trainer = Trainer(tmp_path, "cpu", 100, ("cube",), split=8)
    trainer.take(tmp_path)
    assert trainer.ready()
    trainer.step(1e-3)
    assert [course.name for course in trainer.courses] == ["cube_finder", "cube_reader", "cube_fine"]


def test_a_mix_lies_between_its_parts(tmp_path: Path) -> None:
    for name, value in (("one", 1.0), ("other", 5.0)):
        torch.save({"w": torch.full((3,), value), "n": torch.tensor(7)}, tmp_path / f"{name}.pt")
    whole = mixed([(tmp_path / "one.pt", 3.0), (tmp_path / "other.pt", 1.0)])
    assert whole["w"].tolist() == [2.0, 2.0, 2.0]
    assert int(whole["n"]) == 7
