"""Networks: each is loaded once for all who use it, and what is wrong with its weights is said in a sentence."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vision.network import WEIGHTS, Network, WeightsError

BAR = WEIGHTS / "bar.onnx"
PICTURES = np.random.default_rng(1).normal(size=(4, 3, 160, 192)).astype(np.float32)
"""As the bar's network takes them."""


def test_readers_that_follow_each_other_load_nothing_anew(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    first = Network(BAR)(PICTURES)
    still_used = Network(BAR)
    copy = tmp_path / "bar.onnx"
    copy.write_bytes(BAR.read_bytes())
    monkeypatch.setattr("onnxruntime.InferenceSession", None)

    for again in (Network(BAR), Network(copy), still_used):
        for said, known in zip(again(PICTURES), first, strict=True):
            np.testing.assert_array_equal(said, known)


def test_other_weights_under_the_same_name_are_another_network(tmp_path: Path) -> None:
    changed = tmp_path / "bar.onnx"
    changed.write_bytes((WEIGHTS / "dice_finder.onnx").read_bytes())
    used = Network(BAR)

    assert [part.shape for part in used(PICTURES)] != [part.shape for part in Network(changed)(PICTURES[:1])]


@pytest.mark.parametrize("content", [b"", b"no network", BAR.read_bytes()[:-5000]])
def test_damaged_weights_are_named(content: bytes, tmp_path: Path) -> None:
    damaged = tmp_path / "bar.onnx"
    damaged.write_bytes(content)

    with pytest.raises(WeightsError, match=r"bar\.onnx are damaged: install the program again"):
        Network(damaged)


def test_missing_weights_are_named(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match=r"none\.onnx are missing: install the program again"):
        Network(tmp_path / "none.onnx")
