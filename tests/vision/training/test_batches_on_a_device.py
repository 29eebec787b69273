"""Batches that are made where the network learns say the same as those made one by one. Needs torch, which only training has."""

from __future__ import annotations

import numpy as np
import pytest

from vision.reading.checkers import DETAIL
from vision.training.columns_data import STRIDE, drawn_samples

torch = pytest.importorskip("torch")


def test_the_maps_are_those_that_are_stamped_one_by_one() -> None:
    from vision.training import columns, pool

    checkers = drawn_samples(range(41, 45)).checkers
    slow, quick = columns.stamped(checkers), pool.stamped(torch.from_numpy(checkers))
    inside = slow[0] > 0.01
    assert np.abs(slow[0] - quick[0].numpy())[inside].max() < 1e-3
    assert (slow[2] == quick[2].numpy()).mean() > 0.999
    both = (slow[2] > 0) & (quick[2].numpy() > 0)
    assert (slow[1] == quick[1].numpy())[both].mean() > 0.98


def test_mirrored_warped_and_recoloured_boards_keep_their_checkers_where_they_are_labelled() -> None:
    from vision.training.pool import Pool, columns_batch
    from vision.training.spoil import DeviceRandom

    samples = drawn_samples([52])
    samples.canonical[:] = 40
    for x, y, side in samples.checkers[0][samples.checkers[0][:, 2] >= 0]:
        px, py = (int((v + 0.5) * STRIDE * DETAIL) for v in (x, y))
        samples.canonical[0, max(py - 6, 0) : py + 6, max(px - 6, 0) : px + 6] = 240 - 20 * int(side)
    boards = Pool(16, torch.device("cpu"))
    for _ in range(16):
        boards.add(samples)
    batch = columns_batch(boards.chosen(torch.arange(16)), DeviceRandom(boards.device, 3))
    small = torch.nn.functional.avg_pool2d(batch.picture.mean(1, keepdim=True), STRIDE * DETAIL)[:, 0]
    for picture, heat in zip(small, batch.heat, strict=True):
        marked, plain = picture[heat > 0.9], picture[heat < 0.01]
        assert abs(float(marked.median() - plain.median())) > 0.8


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_columns_of_a_batch_stay_with_their_counts(seed: int) -> None:
    from vision.training.pool import Pool, columns_batch
    from vision.training.spoil import DeviceRandom

    samples = drawn_samples(range(60, 64), strange=True)
    boards = Pool(4, torch.device("cpu"))
    boards.add(samples)
    batch = columns_batch(boards.chosen(torch.arange(4)), DeviceRandom(boards.device, seed), spoil=False)
    for index in range(4):
        assert sorted(batch.count[index].tolist()) == sorted(samples.counts[index, :24].sum(axis=1).tolist())
        assert int(batch.hidden[index].sum()) == int(samples.hidden[index].sum())
        for column in range(24):
            first = 1 + 4 * (column % 12 + (column % 12 > 5))
            strip = batch.heat[index, :, first + 1 : first + 5]
            strip = strip[:22] if column < 12 else strip.flip(0)[:22]
            if int(batch.count[index, column]) == 0 and not batch.hidden[index, column]:
                assert float(strip[:10, 1:3].max()) < 0.9


def test_the_pool_forgets_the_oldest_boards_first() -> None:
    from vision.training.pool import Pool

    samples = drawn_samples(range(70, 73))
    boards = Pool(4, torch.device("cpu"))
    boards.add(samples)
    boards.add(samples)
    assert len(boards) == 4
    assert torch.equal(boards.held["counts"][1], torch.from_numpy(samples.counts[2]))
    assert torch.equal(boards.held["counts"][3], torch.from_numpy(samples.counts[0]))


def test_shade_has_edges_and_is_bluer_than_the_sun() -> None:
    from vision.training.spoil import DeviceRandom, shaded

    grey = torch.full((24, 3, 96, 112), 100.0)
    seen = shaded(grey.clone(), DeviceRandom("cpu", 3))
    assert seen.shape == grey.shape
    assert torch.equal(seen, shaded(grey.clone(), DeviceRandom("cpu", 3)))
    flat = seen.flatten(2)
    brightest, darkest = flat.amax(2), flat.amin(2)
    both = (brightest / darkest)[:, 1] > 1.2
    assert both.float().mean() > 0.7
    assert (darkest[both] / brightest[both]).amin() > 0.15
    assert (darkest[both, 0] / darkest[both, 2] > 1.0).float().mean() > 0.9


def test_what_is_spoilt_stays_a_picture_and_some_stay_as_they_are() -> None:
    from vision.training.spoil import DeviceRandom, spoilt

    pictures = torch.zeros(60, 3, 96, 112)
    pictures[:, :, 30:70, 30:80] = 200.0
    poor = spoilt(pictures.clone(), DeviceRandom(pictures.device, 4), 0.25)
    assert torch.isfinite(poor).all()
    assert float(poor.min()) >= 0
    assert float(poor.max()) <= 255
    same = (poor == pictures).flatten(1).all(1)
    assert 10 < int(same.sum()) < 45
    assert (poor[:, :, 40:60, 45:65].mean((1, 2, 3)) > poor[:, :, :20, :20].mean((1, 2, 3))).all()


def test_packing_hardly_changes_what_has_no_edges() -> None:
    from vision.training.spoil import DeviceRandom, _packed

    ramp = torch.linspace(40, 200, 64).expand(4, 3, 64, 64).contiguous()
    assert float((_packed(ramp, DeviceRandom(ramp.device, 5)) - ramp).abs().mean()) < 6
