"""Whose checkers lie on the bar is told by how they look, how many by the network."""

from __future__ import annotations

import numpy as np

from vision.reading.bar_sides import split_by_look


def said(light: int, dark: int) -> np.ndarray:
    """The network all but sure of so many."""
    bar = np.full((2, 16), 1e-4)
    bar[0, light] = bar[1, dark] = 1
    return np.log(bar / bar.sum(axis=1, keepdims=True)).astype(np.float32)


def split(bar: np.ndarray, *light: float) -> list[int]:
    after = split_by_look(bar, np.array(light, np.float32))
    assert np.allclose(np.exp(after).sum(axis=1), 1, atol=1e-3)
    return after.argmax(axis=1).tolist()


def test_a_checker_that_the_network_calls_the_other_side_s_is_put_right() -> None:
    doubtful = np.log(0.9 * np.exp(said(0, 1)) + 0.1 * np.exp(said(1, 0))).astype(np.float32)
    assert split(doubtful, 6.0) == [1, 0]
    assert split(doubtful, 0.1) == [0, 1]
    assert split(said(0, 1), 5.0) == [1, 0]


def test_one_of_each_side_and_two_of_one_are_two_things() -> None:
    torn = np.log(np.exp(said(2, 0)) + np.exp(said(1, 1)) + np.exp(said(0, 2))).astype(np.float32)
    assert split(torn, 5.0, -5.0) == [1, 1]
    assert split(torn, -5.0, -5.0) == [0, 2]


def test_how_many_lie_there_stays_the_network_s_word() -> None:
    assert split(said(0, 0), 6.0) == [0, 0]
    assert split(said(2, 0), 6.0) == [2, 0]


def test_without_a_checker_that_was_looked_at_nothing_changes() -> None:
    bar = said(1, 0)
    assert split_by_look(bar, np.zeros(0, np.float32)) is bar
