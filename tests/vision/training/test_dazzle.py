"""Light so strong that all is white under it hides the columns whose end it covers, and no others. Needs torch, which only training
has."""

from __future__ import annotations

import numpy as np
import pytest

from vision.board.geometry import MARGIN_Y, PITCH, canonical_left
from vision.reading.checkers import DETAIL
from vision.training.columns_data import drawn_samples

torch = pytest.importorskip("torch")

DIAMETER_PX = 4 * 8
"""A checker's diameter, picture px."""


@pytest.mark.parametrize(
    ("checkers", "from_diameter", "to_diameter", "hides"),
    [
        (0, 0.0, 1.0, True),  # an empty point's foot
        (0, 2.0, 4.0, False),  # its tip
        (3, 0.0, 1.0, False),  # the first of three: the others say that there is one
        (3, 2.0, 3.0, True),  # the last of three
        (3, 3.2, 5.0, True),  # the place where a fourth would lie
        (3, 4.5, 6.0, False),  # beyond that
    ],
)
@pytest.mark.parametrize("column", [3, 20])
def test_light_hides_the_column_whose_end_it_covers(
    column: int, checkers: int, from_diameter: float, to_diameter: float, hides: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    from vision.training import dazzle
    from vision.training.spoil import DeviceRandom

    pictures = torch.full((1, 3, 384, 448), 90.0)
    hidden = torch.zeros(1, 25, dtype=torch.bool)
    middle = (canonical_left(column) + PITCH / 2) / 4 - 0.5
    inward = MARGIN_Y / 4 + 4 * (np.arange(checkers) + 0.5)
    places = [[middle, (row if column < 12 else 48 - row) - 0.5, 0.0] for row in inward]
    lying = torch.tensor([*places, [0.0, 0.0, -1.0]])[None]
    edge, left = MARGIN_Y * DETAIL, canonical_left(column) * DETAIL
    light = torch.zeros(1, 1, 384, 448)
    rows = slice(int(edge + from_diameter * DIAMETER_PX), int(edge + to_diameter * DIAMETER_PX))
    light[0, 0, rows, left : left + PITCH * DETAIL] = 1.0
    light = light if column < 12 else light.flip(2)
    monkeypatch.setattr(dazzle, "_white", lambda pictures, dice: light)
    seen, now_hidden = dazzle.dazzle(pictures, hidden, lying, DeviceRandom(pictures.device, 1))
    assert now_hidden[0].nonzero().flatten().tolist() == ([column] if hides else [])
    assert float(seen[light.expand_as(seen) > 0].min()) > 220
    assert torch.equal(seen[light.expand_as(seen) == 0], pictures[light.expand_as(seen) == 0])
    under_it = sum(from_diameter <= number and number + 1 <= to_diameter for number in range(checkers))
    assert int((lying[0, :, 2] >= 0).sum()) == checkers - under_it


def test_half_of_the_boards_are_dazzled() -> None:
    from vision.training.dazzle import DAZZLED, dazzle
    from vision.training.spoil import DeviceRandom

    samples = drawn_samples([11])
    held = torch.from_numpy(samples.canonical).permute(0, 3, 1, 2).float().expand(16, -1, -1, -1)
    hidden = torch.from_numpy(samples.hidden).expand(16, -1)
    changed = more = 0
    for seed in range(20):
        checkers = torch.from_numpy(samples.checkers).expand(16, -1, -1).clone()
        seen, now = dazzle(held, hidden, checkers, DeviceRandom(held.device, seed))
        assert bool((now | ~hidden).all())
        changed += int((seen != held).flatten(1).any(1).sum())
        more += int((now & ~hidden).sum())
    assert abs(changed / 320 - DAZZLED) < 0.08
    assert more > 40
