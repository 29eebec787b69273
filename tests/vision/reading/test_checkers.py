"""Reading checkers: on boards drawn here, on the labelled pictures, and what must hold for any picture."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.shared import shared
from vision.board.geometry import BoardGeometry
from vision.frame import Image
from vision.network import WEIGHTS, Network, WeightsError, network_input
from vision.observation import MAX_COUNT, Observation
from vision.reading.appearance import Appearance, learn_from_known, updated
from vision.reading.checkers import DETAIL, VIEWS, ColumnReader
from vision.reading.closer import COUNTS
from vision.reading.judging import ColumnsSeen
from vision.reading.position_decoder import most_likely
from vision.reading.report import reading_of

START = (-5, 0, 0, 0, 3, 0, 5, 0, 0, 0, 0, -2, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2)
LATER, LATER_BAR = (-2, 0, 1, 0, 0, -4, 0, 3, 0, 0, 0, -3, 2, 0, 4, 0, 0, 3, 0, 0, -3, 0, -2, 0), (2, 1)
LIGHT, DARK = (225, 235, 240), (40, 35, 120)


@lru_cache(maxsize=1)
def reader() -> ColumnReader:
    cv2.setNumThreads(1)
    return ColumnReader()


def drawn(
    columns: tuple[int, ...],
    bar: tuple[int, int] = (0, 0),
    light: tuple[int, ...] = LIGHT,
    dark: tuple[int, ...] = DARK,
) -> tuple[Image, BoardGeometry]:
    """A plain green board seen from straight above, without any of the training boards' code."""
    picture = np.full((560, 760, 3), (40, 60, 90), np.uint8)
    cv2.rectangle(picture, (80, 60), (680, 500), (60, 95, 45), -1)
    cv2.rectangle(picture, (356, 60), (404, 500), (30, 45, 70), -1)
    geometry = BoardGeometry(np.array([[80, 60], [680, 60], [680, 500], [80, 500]], np.float32))
    centres = [80 + 23 + 46 * k + (48 if k > 5 else 0) for k in range(12)]
    for column, count in enumerate(columns):
        x, down = centres[column % 12], column < 12
        base, tip = (60, 235) if down else (500, 325)
        colour = (50, 70, 170) if column % 2 == int(down) else (190, 205, 215)
        cv2.fillConvexPoly(picture, np.array([[x - 21, base], [x + 21, base], [x, tip]]), colour, cv2.LINE_AA)
        for k in range(abs(count)):
            _checker(picture, x, (60 + 21 + 41 * k) if down else (500 - 21 - 41 * k), light if count > 0 else dark)
    for k in range(bar[0]):
        _checker(picture, 380, 230 - 42 * k, light)
    for k in range(bar[1]):
        _checker(picture, 380, 330 + 42 * k, dark)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.8), np.uint8), geometry


def _checker(picture: Image, x: int, y: int, colour: tuple[int, ...]) -> None:
    cv2.circle(picture, (x + 3, y + 4), 20, (20, 30, 20), -1, cv2.LINE_AA)
    cv2.circle(picture, (x, y), 20, colour, -1, cv2.LINE_AA)
    cv2.circle(picture, (x, y), 14, tuple(int(c * 0.8) for c in colour), 2, cv2.LINE_AA)


def counts_of(picture: Image, geometry: BoardGeometry) -> tuple[tuple[int, ...], tuple[int, int]]:
    position = most_likely(reader().read(picture, geometry))
    return tuple(int(n) for n in position.counts), position.bar


def learnt(picture: Image, placed: BoardGeometry, columns: tuple[int, ...]) -> Appearance:
    return learn_from_known(placed.canonical(picture), placed.bar, columns)


def test_the_start_position_is_read() -> None:
    assert counts_of(*drawn(START)) == (START, (0, 0))


def test_blots_and_checkers_on_the_bar_are_read() -> None:
    assert counts_of(*drawn(LATER, bar=LATER_BAR)) == (LATER, LATER_BAR)


@pytest.mark.parametrize(
    ("light", "dark"),
    [((60, 200, 250), (200, 90, 40)), ((245, 245, 245), (20, 20, 20)), ((90, 140, 240), (60, 130, 40))],
)
def test_any_two_colours_are_told_apart(light: tuple[int, ...], dark: tuple[int, ...]) -> None:
    counts, _ = counts_of(*drawn(START, light=light, dark=dark))
    assert counts in (START, tuple(-n for n in START))


def test_an_empty_board_is_empty() -> None:
    counts, bar = counts_of(*drawn((0,) * 24))
    assert not any(counts)
    assert bar == (0, 0)


def test_turning_the_corners_turns_the_reading() -> None:
    picture, geometry = drawn(START)
    turned = BoardGeometry(np.roll(geometry.corners, 2, axis=0))
    assert counts_of(picture, turned)[0] == tuple(START[23 - column] for column in range(24))


def test_a_learnt_set_names_the_colours_even_when_one_side_is_alone() -> None:
    picture, geometry = drawn(START)
    known = learnt(picture, reader().place_bar(picture, geometry), START)
    alone = tuple(min(n, 0) for n in START)
    seen = reader().read(*drawn(alone), known)
    assert tuple(most_likely(seen).counts) == alone


def test_a_learnt_set_says_which_of_two_colours_is_called_light() -> None:
    picture, geometry = drawn(START)
    other_way = tuple(-n for n in START)
    known = learnt(picture, reader().place_bar(picture, geometry), other_way)
    position = most_likely(reader().read(*drawn(LATER, bar=LATER_BAR), known))
    assert tuple(-position.counts) == LATER
    assert position.bar == (1, 2)


def test_what_is_known_follows_the_light() -> None:
    picture, geometry = drawn(START)
    placed = reader().place_bar(picture, geometry)
    bright, dim = (
        learnt(picture, placed, START),
        learnt((picture * 0.6).astype(np.uint8), placed, START),
    )
    later = updated(bright, dim)
    assert dim.light[0] < later.light[0] < bright.light[0]
    assert later.positions == 2


def test_colours_are_not_learnt_from_one_side_alone() -> None:
    picture, geometry = drawn(START)
    with pytest.raises(ValueError, match="Both sides"):
        learnt(picture, geometry, tuple(max(n, 0) for n in START))


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from([(90, 120), (480, 640), (720, 1280)]))
def test_whatever_the_picture_the_answer_is_a_set_of_probabilities(seed: int, size: tuple[int, int]) -> None:
    picture = np.random.default_rng(seed).integers(0, 256, (*size, 3), dtype=np.uint8)
    height, width = size
    corners = np.array([[0.1, 0.1], [0.9, 0.15], [0.95, 0.9], [0.05, 0.85]]) * [width, height]
    seen = reader().read(picture, BoardGeometry.for_picture(picture, corners))
    assert seen.columns.shape == (24, 31)
    assert seen.bar.shape == (2, 16)
    assert seen.seen.shape == (25,)
    for probability in (seen.columns, seen.bar):
        assert probability.min() > 0
        assert np.allclose(probability.sum(axis=-1), 1, atol=1e-4)
    assert ((seen.seen >= 0) & (seen.seen <= 1)).all()


def certain(columns: tuple[int, ...], bar: tuple[int, int] = (0, 0)) -> ColumnsSeen:
    """What a reader without doubts would say."""
    table, bars = np.full((24, 31), 1e-4, np.float32), np.full((2, 16), 1e-4, np.float32)
    table[np.arange(24), MAX_COUNT + np.array(columns)] = 1
    bars[np.arange(2), np.array(bar)] = 1
    return ColumnsSeen(table / table.sum(1, keepdims=True), bars / bars.sum(1, keepdims=True), np.ones(25, np.float32))


def test_totals_settle_a_doubtful_column() -> None:
    seen = certain(START)
    seen.columns[0] = 1e-4
    seen.columns[0, MAX_COUNT - 6] = 0.6
    seen.columns[0, MAX_COUNT - 5] = 0.4
    assert most_likely(seen).counts[0] == -5


def test_no_side_gets_more_checkers_than_it_has() -> None:
    seen = certain(tuple(2 * n for n in START))
    position = most_likely(seen, checkers_a_side=15)
    counts, bar = position.counts, position.bar
    assert int(counts[counts > 0].sum()) + bar[0] <= 15
    assert -int(counts[counts < 0].sum()) + bar[1] <= 15


def test_more_than_a_side_can_have_is_never_claimed_nor_is_anything_sure_then() -> None:
    seen = certain(tuple(n + (n == 3) for n in LATER), LATER_BAR)
    position = most_likely(seen)
    assert int(position.counts[position.counts > 0].sum()) + position.bar[0] == 15
    assert position.confidence < 0.5


@pytest.mark.parametrize("times", [2, 3])
def test_however_surely_too_many_are_seen_none_of_them_are_claimed_with_any_sureness(times: int) -> None:
    seen = certain(tuple(min(max(times * n, -MAX_COUNT), MAX_COUNT) for n in START), bar=(5, 5))
    for rows in (seen.columns, seen.bar):
        rows[rows < 0.5] = 1e-3 / 31
    position = most_likely(seen)
    assert int(position.counts.clip(min=0).sum()) + position.bar[0] <= 15
    assert -int(position.counts.clip(max=0).sum()) + position.bar[1] <= 15
    assert position.confidence < 0.5


def test_a_set_of_twelve_is_read_as_it_lies() -> None:
    twelve = (4, 0, 0, 0, 0, -4, 0, -4, 0, 0, 0, 4, -4, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0)
    assert tuple(most_likely(certain(twelve)).counts) == twelve
    assert tuple(most_likely(certain(twelve), checkers_a_side=12).counts) == twelve


def test_twelve_a_side_make_a_doubtful_thirteenth_unlikely() -> None:
    twelve = (4, 0, 0, 0, 0, -4, 0, -4, 0, 0, 0, 4, -4, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0)
    seen = certain(twelve)
    seen.columns[0] = 1e-4
    seen.columns[0, MAX_COUNT + 4] = 0.4
    seen.columns[0, MAX_COUNT + 5] = 0.6
    assert tuple(most_likely(seen).counts) == twelve


@pytest.mark.parametrize(("straggler", "heap"), [(1, 6), (0, 5)])
def test_checkers_are_borne_off_only_with_all_at_home(straggler: int, heap: int) -> None:
    """A heap of five or six: with a straggler elsewhere the side must be whole, at home five is as good as it looks."""
    columns = [4, 2, 1, 1, 0, 0, *[0] * 8, straggler, *[0] * 3, -3, -3, -3, -2, -2, -2]
    seen = certain(tuple(columns))
    seen.columns[5] = 1e-4
    seen.columns[5, MAX_COUNT + np.array([5, 6])] = 0.7, 0.3
    assert most_likely(seen).counts[5] == heap


def test_what_a_hand_hides_is_neither_claimed_nor_held_against_the_rest() -> None:
    seen = certain(START)
    seen.columns[0] = 1 / 31
    seen.seen[0] = 0.05
    position = most_likely(seen)
    assert not position.claimed[0]
    assert position.claimed[1:].all()
    assert position.confidence > 0.8


@pytest.mark.parametrize("missing", [0, 1, 2, 3])
def test_a_hidden_point_is_called_empty_only_where_all_checkers_lie_elsewhere(missing: int) -> None:
    """A network that sees an arm there says empty as surely where checkers are missing."""
    claimed = missing == 0
    there = tuple(n + missing if column == 16 else n for column, n in enumerate(START))
    seen = certain(there)
    seen.columns[7] = 1e-3
    seen.columns[7, MAX_COUNT] = 0.97
    seen.seen[7] = 0.01
    position = most_likely(seen)
    assert bool(position.claimed[7]) == claimed
    assert position.claimed[np.arange(25) != 7].all()


def test_a_hidden_point_far_from_home_is_empty_where_both_sides_bear_off() -> None:
    """A straggler there would mean that nothing has been borne off; in either home a checker more may lie under the arm."""
    seen = certain((3, 0, 2, *[0] * 9, -2, 0, 0, -1, *[0] * 8))
    hidden = [4, 8, 20]
    seen.columns[hidden] = 0.01
    seen.columns[hidden, MAX_COUNT] = 0.7
    seen.seen[hidden] = 0.01
    position = most_likely(seen)
    assert position.claimed[[8, 20]].all()
    assert not position.claimed[4]


def test_one_that_bears_off_may_have_been_hit() -> None:
    seen = certain((3, 0, 2, *[0] * 15, -4, -3, -2, -2, -2, -2), bar=(1, 0))
    seen.bar[0] = 1e-4
    seen.bar[0, :2] = 0.1, 0.9
    assert most_likely(seen).bar == (1, 0)
    seen.columns[10] = 1e-4
    seen.columns[10, MAX_COUNT : MAX_COUNT + 2] = 0.1, 0.9
    assert most_likely(seen).counts[10] == 0


def test_an_even_chance_is_an_even_chance() -> None:
    seen = certain(LATER, LATER_BAR)
    seen.columns[[0, 5]] = 1e-6
    seen.columns[[0, 5], MAX_COUNT + np.array([LATER[0], LATER[5]])] = 0.5
    seen.columns[[0, 5], MAX_COUNT + np.array([LATER[5], LATER[0]])] = 0.5
    assert most_likely(seen).confidence == pytest.approx(0.5, abs=0.02)


@pytest.mark.parametrize(("times", "is_start"), [(2.0, True), (60.0, False)])
def test_a_doubtful_start_position_is_one_unless_it_is_plainly_another(*, times: float, is_start: bool) -> None:
    put_up_wrongly = (-4, -1, *START[2:])
    seen = certain(START)
    seen.columns[[0, 1], MAX_COUNT + np.array(put_up_wrongly[:2])] = times**0.5 * seen.columns.max()
    assert tuple(most_likely(seen).counts) == (START if is_start else put_up_wrongly)
    assert tuple(most_likely(seen, putting_up=True).counts) == put_up_wrongly


def test_a_start_position_put_up_wrongly_in_plain_sight_is_read_as_it_lies() -> None:
    for wrong in ((-4, *START[1:]), (-4, -1, *START[2:]), (*START[:22], 1, 1)):
        position = most_likely(certain(wrong))
        assert tuple(position.counts) == wrong
        assert position.claimed.all()


def test_a_chance_of_19_in_20_is_believed_less_and_corners_in_doubt_make_it_less_still() -> None:
    seen = certain(LATER, LATER_BAR)
    seen.columns[[0, 5]] = 1e-6
    seen.columns[[0, 5], MAX_COUNT + np.array([LATER[0], LATER[5]])] = 0.95**0.5
    seen.columns[[0, 5], MAX_COUNT + np.array([LATER[5], LATER[0]])] = 0.05**0.5
    observation = Observation(0.0, seen.columns, seen.bar, seen.seen)
    square = np.array([[0, 0], [100, 0], [100, 80], [0, 80]], np.float32)
    sure = reading_of("", observation, BoardGeometry(square), 0.0).confidence
    assert 0.85 < sure < 0.92
    assert reading_of("", observation, BoardGeometry(square), 0.0, placed=0.5).confidence == pytest.approx(
        0.95 * sure, abs=1e-3
    )


@pytest.mark.parametrize("checkers", [0, 1])
def test_what_lies_on_a_board_tells_that_it_is_one(checkers: int) -> None:
    seen = certain((checkers, *(0,) * 23))
    square = np.array([[0, 0], [100, 0], [100, 80], [0, 80]], np.float32)
    observation = Observation(0.0, seen.columns, seen.bar, seen.seen)
    sure, doubtful = (
        reading_of("", observation, BoardGeometry(square), 0.0, placed=placed).confidence for placed in (1.0, 0.8)
    )
    assert doubtful == pytest.approx((0.98 if checkers else 0.8) * sure, abs=1e-3)


def test_missing_and_broken_weights_are_named(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match=r"gone\.onnx are missing"):
        Network(tmp_path / "gone.onnx")
    (tmp_path / "bad.onnx").write_bytes(b"no network")
    with pytest.raises(WeightsError, match=r"bad\.onnx are damaged"):
        Network(tmp_path / "bad.onnx")


@pytest.mark.parametrize(("part", "least"), [("boards/photos", 0.98), ("boards/renders", 0.985)])
def test_real_boards_are_read(part: str, least: float) -> None:
    folder = shared(part)
    rows = [json.loads(line) for line in (folder / "truth.jsonl").read_text(encoding="utf-8").splitlines()][::3]
    right = known = 0
    for row in rows:
        image = np.asarray(cv2.imread(str(folder / row["file"])), np.uint8)
        position = most_likely(reader().read(image, BoardGeometry.for_picture(image, row["corners"])))
        read = [[max(int(n), 0), max(-int(n), 0)] for n in position.counts] + [list(position.bar)]
        truth = [*row["top"], *row["bottom"], row["bar"]]
        views = [
            [want == got for want, got in zip(truth, view, strict=True) if want is not None]
            for view in (read, [c[::-1] for c in read])
        ]
        right, known = right + max(map(sum, views)), known + len(views[0])
    assert right / known >= least


def networks_asked(
    monkeypatch: pytest.MonkeyPatch, picture: Image, geometry: BoardGeometry, *, thorough: bool = False
) -> list[str]:
    asked, answers = list[str](), Network.__call__

    def listening(network: Network, pictures: np.ndarray) -> list[np.ndarray]:
        asked.append(network.name)
        return answers(network, pictures)

    with monkeypatch.context() as patched:
        patched.setattr(Network, "__call__", listening)
        reader().read(picture, geometry, thorough=thorough)
    return asked


def test_a_second_network_is_asked_in_doubt_and_where_no_better_picture_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    picture, geometry = drawn(START)
    assert "columns_lite.onnx" not in networks_asked(monkeypatch, picture, geometry)
    assert networks_asked(monkeypatch, picture, geometry, thorough=True).count("columns_lite.onnx") == VIEWS
    soft = np.asarray(cv2.GaussianBlur(picture, (0, 0), 16), np.uint8)
    in_doubt = networks_asked(monkeypatch, soft, geometry)
    assert in_doubt.index("columns.onnx") < in_doubt.index("columns_lite.onnx")


def test_what_both_networks_say_counts_alike() -> None:
    picture, geometry = drawn(START, bar=(1, 0))
    canonical = reader().place_bar(picture, geometry).canonical(picture, DETAIL)
    views = network_input(np.stack([canonical, canonical[::-1, ::-1]]))
    first, second = Network(WEIGHTS / "columns.onnx"), Network(WEIGHTS / "columns_lite.onnx")
    points = (first(views)[1] + np.concatenate([second(view[None])[1] for view in views])) / 2
    side = (points[0, COUNTS] + points[1, COUNTS, ::-1]) / 2
    joined, alone = reader().reading(canonical, thorough=True), reader().reading(canonical)
    assert joined.side == pytest.approx(side, abs=1e-4)
    assert (joined.features == alone.features).all()
    assert np.abs(joined.side - alone.side).max() > 0.01
