"""Pictures of one fixed camera teach each other what the set looks like."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.reading.test_checkers import START, drawn
from vision.frame import Frame
from vision.reading.batch import common_bar, learnt, read_all
from vision.reading.checkers import ColumnReader
from vision.reading.position_decoder import DecodedPosition, most_likely
from vision.reading.reader import BoardReader

LATER = (-2, 0, 1, 0, 0, -4, 0, 3, 0, 0, 0, -3, 2, 0, 4, 0, 0, 3, 0, 0, -3, 0, -2, 0)


def sure(columns: tuple[int, ...], confidence: float = 0.95) -> DecodedPosition:
    return DecodedPosition(np.array(columns), (0, 0), np.ones(25, bool), confidence)


def test_one_side_alone_is_named_by_the_other_pictures() -> None:
    alone = tuple(min(n, 0) for n in START)
    pictures = [drawn(columns) for columns in (START, alone, LATER)]
    frames = [Frame(picture, float(k)) for k, (picture, _) in enumerate(pictures)]
    together = read_all(frames, pictures[0][1], BoardReader())
    assert together.appearance is not None
    read = [tuple((o.columns.argmax(axis=1) - 15).tolist()) for o in together.observations]
    assert read == [START, alone, LATER]


def test_names_of_equally_bright_colours_hold_from_picture_to_picture() -> None:
    """One of the pictures calls the other side light; what is learnt keeps to the surest one's names."""
    light, dark = (90, 140, 240), (60, 130, 40)
    picture, geometry = drawn(START, light=light, dark=dark)
    frames = [Frame(picture, 0.0), Frame(picture, 1.0)]
    placed = geometry.with_bar((0.46, 0.54))
    known, checkers = learnt(frames, placed, [sure(START), sure(tuple(-n for n in START), 0.9)])
    alone, _ = learnt(frames[:1], placed, [sure(START)])
    assert known is not None
    assert alone is not None
    assert np.allclose(known.light, alone.light)
    assert checkers is None


def test_a_smaller_set_is_believed_when_most_teachers_show_it() -> None:
    picture, geometry = drawn(START)
    twelve = tuple(np.sign(n) * max(abs(n) - 1, 0) if n else 0 for n in START)
    total = sum(n for n in twelve if n > 0)
    placed = geometry.with_bar((0.46, 0.54))
    frames = [Frame(picture, 0.0)] * 4
    _, checkers = learnt(frames, placed, [sure(twelve)] * 3 + [sure(START)])
    assert checkers == total
    assert learnt(frames[:2], placed, [sure(twelve)] * 2)[1] is None


def test_pictures_that_are_not_sure_teach_nothing() -> None:
    picture, geometry = drawn(START)
    assert learnt([Frame(picture, 0.0)], geometry.with_bar((0.46, 0.54)), [sure(START, 0.2)]) == (None, None)


def test_the_bar_lies_where_most_pictures_have_it(monkeypatch: pytest.MonkeyPatch) -> None:
    picture, geometry = drawn(START)
    columns = ColumnReader()
    bars = iter([(0.46, 0.54), (0.40, 0.60), (0.461, 0.539)])
    monkeypatch.setattr(columns, "place_bar", lambda _image, board: board.with_bar(next(bars)))
    assert common_bar([Frame(picture, 0.0)] * 3, geometry, columns).bar == pytest.approx((0.46, 0.54))


def test_reading_no_pictures_reads_nothing() -> None:
    _, geometry = drawn(START)
    assert read_all([], geometry.with_bar((0.46, 0.54)), BoardReader()).observations == ()


def test_the_surest_pictures_of_a_drawn_game_are_sure() -> None:
    position = most_likely(ColumnReader().read(*drawn(START)))
    assert position.confidence > 0.5
