"""What a table teaches, on columns whose features are made up: what was taught is read right, what is unlike it is left alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.reading.lessons import KEPT, Lesson, Lessons, Sighting, gained, misread, taught

START = np.array([5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, -5, 0, 0, 0, 3, 0, 5, 0, 0, 0, 0, -2])
"""Columns of the start position."""
WORDS = 32


def look(count: int, board: int) -> np.ndarray:
    """How a count looks on a board: the same every time but for a little noise."""
    return np.random.default_rng([board, abs(count)]).normal(0, 1, WORDS).astype(np.float32)


def sighting(columns: np.ndarray, board: int, picture: int, misread_as: dict[int, int]) -> Sighting:
    """A network that reads all counts right but for some, and calls all sides dark."""
    rng = np.random.default_rng([board, picture, 1])
    features = np.stack([look(count, board) + rng.normal(0, 0.1, WORDS) for count in columns]).astype(np.float32)
    counts = np.full((24, 16), -6.0, np.float32)
    for column, count in enumerate(np.abs(columns)):
        counts[column, misread_as.get(int(count), int(count))] = 0
    counts -= np.log(np.exp(counts).sum(axis=1, keepdims=True))
    light, dark = np.array([140, 120, 130]) + 30 * board, np.array([90, 140, 120]) + 30 * board
    colour = np.where((columns > 0)[:, None], light, dark) + rng.normal(0, 2, (24, 3))
    bar = np.full((2, 16), -6.0, np.float32)
    bar[:, 1] = 0
    bar -= np.log(np.exp(bar).sum(axis=1, keepdims=True))
    side, none = np.full(24, -1.0, np.float32), look(0, board)
    looks = np.random.default_rng([board, 77]).normal(0, 1, (24, 40)) + rng.normal(0, 0.3, (24, 40))
    looks = looks / np.linalg.norm(looks, axis=1, keepdims=True)
    plain = np.zeros((24, 3), np.float32)
    return Sighting(
        features, counts, side, colour.astype(np.float32), plain, columns != 0, none, bar, looks.astype(np.float32)
    )


def lesson(columns: np.ndarray = START, board: int = 1, picture: int = 1, **misread_as: int) -> Lesson:
    wrongly = {int(name.removeprefix("n")): value for name, value in misread_as.items()}
    seen = sighting(columns, board, picture, wrongly)
    return Lesson(seen, columns, np.zeros(2, np.int64), np.ones(25, np.bool_))


def begun(first: Lesson) -> Lessons:
    known = taught(None, first)
    assert known is not None
    return known


def test_the_start_position_teaches_that_empty_points_are_empty_and_whose_colour_is_whose() -> None:
    known = begun(lesson(n0=1))
    assert misread(known) == (25, 16 + 4 + 1, 0)
    later = lesson(np.roll(START, 3), picture=2, n0=1)
    counts, bar, side = known.corrected(later.seen)
    assert (counts.argmax(axis=1) == np.abs(later.columns)).all()
    assert ((side > 0) == (later.columns > 0))[later.columns != 0].all()
    assert bar.argmax(axis=1).tolist() == [0, 0]


def test_what_was_read_right_stays_so() -> None:
    known = begun(lesson(n0=1))
    later = lesson(picture=3)
    counts, _, _ = known.corrected(later.seen)
    assert (counts.argmax(axis=1) == np.abs(START)).all()


def test_another_board_is_read_as_if_nothing_had_been_learnt() -> None:
    known = begun(lesson(n0=1))
    other = lesson(board=4, n5=4).seen
    counts, _, _ = known.corrected(other)
    assert np.abs(counts - other.counts).max() < 0.5
    assert known.nearness(known.looks_of(other.colour, other.texture)).max() < 0.1
    assert known.alike(lesson(np.roll(START, 1), picture=9).seen.looks)
    assert not known.alike(other.looks)


def test_what_makes_reading_worse_is_forgotten() -> None:
    known = begun(lesson(n0=1))
    full = np.where(START == 0, 1, START)
    deceived = Lesson(lesson(n0=1).seen, full, np.zeros(2, np.int64), np.ones(25, np.bool_))
    assert gained(known, deceived) < 0
    after = taught(known, deceived)
    assert after is not None
    assert len(after.lessons) == 1


def test_a_position_that_is_not_the_one_in_the_picture_teaches_nothing() -> None:
    known = begun(lesson())
    wrong = Lesson(lesson(picture=2).seen, np.roll(START, 5), np.zeros(2, np.int64), np.ones(25, np.bool_))
    assert taught(known, wrong) is known


def test_the_first_position_and_the_newest_are_kept() -> None:
    first = lesson()
    known = begun(first)
    for picture in range(2, 14):
        for look_again in (0, 100):
            after = taught(known, lesson(np.roll(START, picture % 2), picture=picture + look_again))
            assert after is not None
            known = after
    assert len(known.lessons) == KEPT
    assert known.lessons[0] is first


def test_names_of_the_sides_that_contradict_all_colours_are_exchanged_with_the_bar() -> None:
    known = begun(lesson())
    seen = lesson(np.roll(START, 2), picture=5).seen
    light = np.where(np.roll(START, 2) > 0, 3.0, -3.0).astype(np.float32)
    bar = np.full((2, 16), -9.0, np.float32)
    bar[0, 2] = bar[1, 0] = 0  # two light checkers were hit, by the names of this picture
    rightly, wrongly = replace(seen, side=light, bar=bar), replace(seen, side=-light, bar=bar[::-1])
    for one in (rightly, wrongly):
        _, hit, side = known.corrected(one)
        assert ((side > 0) == (light > 0))[np.roll(START, 2) != 0].all()
        assert hit.argmax(axis=1).tolist() == [2, 0]


def test_colours_that_tell_nothing_of_a_column_that_did_not_teach_do_not_overrule_the_network() -> None:
    """Light so uneven that each checker looks more like one of the other side beside it than like its own elsewhere."""
    light, dark = np.flatnonzero(START > 0), np.flatnonzero(START < 0)

    def uneven(picture: int, brighter: np.ndarray) -> Lesson:
        colour = np.full((24, 3), 120, np.float32)
        for place, pair in enumerate(zip(light, dark, strict=True)):
            colour[list(pair), 0] = 200 * place
        colour[brighter, 0] += 50
        one = lesson(picture=picture)
        return replace(one, seen=replace(one.seen, colour=colour, side=np.where(START > 0, 1, -1).astype(np.float32)))

    later = uneven(2, np.append(light[:1], dark[1:]))
    _, _, side = begun(uneven(1, dark)).corrected(later.seen)
    assert ((side > 0) == (START > 0))[START != 0].all()


def test_two_doubtful_columns_exchange_no_names() -> None:
    known = begun(lesson())
    columns = np.zeros(24, np.int64)
    columns[:2] = 1, -1
    seen = lesson(columns, picture=6).seen
    bar = np.full((2, 16), -9.0, np.float32)
    bar[0, 1] = bar[1, 0] = 0
    doubtful = replace(seen, side=np.where(columns > 0, -0.5, 0.5).astype(np.float32), bar=bar)
    _, hit, side = known.corrected(doubtful)
    assert hit.argmax(axis=1).tolist() == [1, 0]
    assert (side > 0)[:2].tolist() == [True, False]


def test_two_sides_of_one_colour_are_told_apart_by_their_texture() -> None:
    """Metal checkers against wooden ones: the same brown, but the metal mirrors now this and now that."""

    def brown(columns: np.ndarray, picture: int) -> Lesson:
        one, rng = lesson(columns, picture=picture), np.random.default_rng([picture, 9])
        colour = (np.array([100, 120, 130]) + rng.normal(0, 4, (24, 3))).astype(np.float32)
        texture = np.where(columns[:, None] > 0, 25, 3) + rng.normal(0, 2, (24, 3))
        return replace(one, seen=replace(one.seen, colour=colour, texture=texture.astype(np.float32)))

    later = np.roll(START, 5)
    _, _, side = begun(brown(START, 1)).corrected(brown(later, 2).seen)
    assert ((side > 0) == (later > 0))[later != 0].all()


def test_two_sides_that_lie_near_each_other_in_the_dark_are_told_apart() -> None:
    """Eight steps of lightness lie between both; the network is sure of all columns, and wrong about one."""

    def dark(columns: np.ndarray, picture: int) -> Lesson:
        one, rng = lesson(columns, picture=picture), np.random.default_rng([picture, 5])
        colour = np.full((24, 3), 64) + rng.normal(0, 0.7, (24, 3))
        colour[:, 0] = np.where(columns > 0, 10, 2) + rng.normal(0, 1, 24)
        side = np.where(columns > 0, 6, -6)
        side[np.flatnonzero(columns)[0]] *= -1
        return replace(one, seen=replace(one.seen, colour=colour.astype(np.float32), side=side.astype(np.float32)))

    known = begun(dark(START, 1))
    for picture in range(2, 6):
        known = taught(known, dark(np.roll(START, picture), picture)) or known
    for picture in range(8, 16):
        later = np.roll(START, picture)
        _, _, side = known.corrected(dark(later, picture).seen)
        assert ((side > 0) == (later > 0))[later != 0].all()


def test_shade_that_varies_from_point_to_point_hides_no_hue() -> None:
    """Twenty steps of hue lie between both sides; in the start position one happens to stand in more light than the other."""

    def shaded(columns: np.ndarray, picture: int, brighter: float) -> Lesson:
        one, rng = lesson(columns, picture=picture), np.random.default_rng([picture, 3])
        colour = np.full((24, 3), 72.0)
        colour[:, 0] = np.where(columns > 0, 25 + brighter, 25) + rng.normal(0, 7, 24)
        colour[:, 2] = np.where(columns > 0, 61, 81) + rng.normal(0, 1, 24)
        return replace(one, seen=replace(one.seen, colour=colour.astype(np.float32), side=np.zeros(24, np.float32)))

    known = begun(shaded(START, 1, 16))
    for picture in range(2, 10):
        later = np.roll(START, picture)
        _, _, side = known.corrected(shaded(later, picture, -16).seen)
        assert ((side > 0) == (later > 0))[later != 0].all()
