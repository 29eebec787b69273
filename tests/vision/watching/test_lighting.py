"""A lamp that goes out is told; an evening, another camera, or a picture in which nothing can be seen are no such lamp."""

from __future__ import annotations

import pytest

from tests.vision.scenes import CORNERS, draw, lit, noisy
from vision.frame import Frame
from vision.watching.lighting import Lighting

BOARD = draw([(0.04, 0.05), (0.35, 0.05), (0.6, 0.95), (0.9, 0.05)], [(0.7, 0.45), (0.8, 0.55)])


def dark_seconds(*shown: tuple[float, float], noise: float = 1.0) -> list[list[float]]:
    """Of the seconds for which each share of the light is shown, when it is too dark, from the light's beginning."""
    lighting, second, told = Lighting(), 0.0, []
    for share, seconds in shown:
        dark, picture = [], lit(BOARD, lambda x, y, share=share: share)
        for n in range(round(seconds * 4)):
            frame = Frame(noisy(picture, noise, n), second)
            if lighting.is_too_dark(frame, CORNERS):
                dark.append(n / 4)
            second += 0.25
        told.append(dark)
    return told


def test_a_lamp_that_goes_out_is_told_until_it_is_on_again() -> None:
    before, out, again = dark_seconds((1.0, 5), (0.14, 4.5), (1.0, 5))
    assert before == again == []
    assert len(out) == 4.5 * 4


def test_a_cloud_is_no_night() -> None:
    assert dark_seconds((1.0, 5), (0.5, 20)) == [[], []]


@pytest.mark.parametrize(("share", "noise"), [(0.3, 1.0), (0.2, 1.0), (0.2, 4.0)])
def test_where_enough_can_be_seen_it_is_read_after_a_while(share: float, noise: float) -> None:
    """The last where several frames are laid over one another."""
    _, evening = dark_seconds((1.0, 5), (share, 30), noise=noise)
    assert max(evening) < 5


def test_light_that_was_enough_once_is_enough() -> None:
    """As when a film goes to and fro between two cameras."""
    _, first, _, second, _, out = dark_seconds((1.0, 20), (0.2, 15), (1.0, 20), (0.2, 15), (1.0, 20), (0.05, 4))
    assert first
    assert second == []
    assert len(out) == 4 * 4


def test_a_picture_that_shows_nothing_stays_too_dark() -> None:
    _, night = dark_seconds((1.0, 5), (0.01, 40), noise=2.0)
    assert len(night) == 40 * 4
