"""Finding the board without help: drawn here, at the simulated table, in reference pictures; and where there is none."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import cast

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.rules import Position
from controller.simulation import Filming, SimulatedTable
from controller.simulation.cards import BOARD_SHARE, HALF_SHARE, diagram, face, with_diagram
from controller.simulation.renderer import Renderer
from tests.shared import shared
from tests.vision.scenes import CORNERS, GEOMETRY, draw
from tests.vision.watching.readers import Readings
from vision import finding
from vision.board.geometry import BoardGeometry, apply_homography, lies_as_drawn
from vision.finding import LEAST, NO_BOARD, BoardLocation, NotFound, Seeker, find_board, rightwards
from vision.finding import edges as edge_maps
from vision.finding.finder import OTHER_VIEWS, OtherView
from vision.finding.whole import CELLS, SIDE, candidates
from vision.frame import Corners, Frame, Image
from vision.pictures.files import load_picture
from vision.reading.reader import BoardReader
from vision.watching.corner_tracker import _found_anew
from vision.watching.watcher import Watcher

NEAR = 0.02
"""Board widths: the scorer's bound."""
START_COLUMNS = ((0, 5), (4, 3), (6, 5), (11, 2), (12, 5), (16, 3), (18, 5), (23, 2))


def checkers() -> list[tuple[float, float]]:
    """The start position's checkers on the board plane of tests.vision.scenes."""
    places = []
    geometry = BoardGeometry(CORNERS, (0.47, 0.53))
    for column, count in START_COLUMNS:
        x, _ = geometry.column_centre(column)
        for number in range(count):
            y = 0.045 + 0.085 * number
            places.append((x, y if column < 12 else 1 - y))
    return places


@cache
def simulated(seed: int) -> tuple[Image, Corners]:
    table = SimulatedTable(seed, filming=Filming((960, 540), 1.0))
    scene = next(islice(table.scenes(), 3, None))
    return Renderer(table.look, (960, 540), seed).draw(scene), np.asarray(table.corners, np.float32)


@pytest.fixture(scope="module", autouse=True)
def each_picture_is_sought_once() -> Iterator[None]:
    """Here a watcher is shown one picture again and again, and each search takes a quarter of a second."""
    answers: dict[tuple[tuple[int, ...], bytes], BoardLocation | NotFound] = {}
    seek = finding._sought

    def sought(picture: Image) -> BoardLocation | NotFound:
        shown = picture.shape, hashlib.sha256(picture).digest()
        if shown not in answers:
            answers[shown] = seek(picture)
        return answers[shown]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(finding, "_sought", sought)
        yield


def error(found: BoardLocation | NotFound, truth: npt.ArrayLike) -> float:
    """The worst corner's distance in board widths, for the better half turn; rows must be rows."""
    if isinstance(found, NotFound):
        return math.inf
    want = np.asarray(truth, np.float64)
    width = (np.linalg.norm(want[1] - want[0]) + np.linalg.norm(want[2] - want[3])) / 2
    views = (found.corners, np.roll(found.corners, 2, axis=0))
    return float(min(np.linalg.norm(view - want, axis=1).max() for view in views) / width)


def turned(picture: Image, corners: Corners, degrees: float) -> tuple[Image, Corners]:
    """The picture turned about its middle, with room for all of it."""
    height, width = picture.shape[:2]
    side = math.hypot(height, width)
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1.0)
    matrix[:, 2] += (side - width) / 2, (side - height) / 2
    seen = cv2.warpAffine(picture, matrix, (int(side), int(side)), borderValue=(60, 70, 80))
    return np.asarray(seen, np.uint8), np.asarray(corners @ matrix[:, :2].T + matrix[:, 2], np.float32)


class TestBoards:
    @pytest.mark.parametrize("seed", [101, 102, 104, 107])
    def test_at_the_simulated_table(self, seed: int) -> None:
        picture, truth = simulated(seed)
        found = find_board(picture)
        assert error(found, truth) < NEAR
        assert isinstance(found, BoardLocation)
        assert found.confidence > 0.5

    @pytest.mark.parametrize("degrees", [-45, 30, 90])
    def test_turned_so_that_rows_stay_rows(self, degrees: float) -> None:
        picture, truth = turned(*simulated(104), degrees)
        assert error(find_board(picture), truth) < 1.5 * NEAR

    def test_a_plain_flat_board(self) -> None:
        assert error(find_board(draw(checkers())), CORNERS) < 1.5 * NEAR

    def test_a_large_picture_gives_the_same_corners(self) -> None:
        picture, truth = simulated(102)
        large = np.asarray(cv2.resize(picture, None, fx=3, fy=3), np.uint8)
        assert error(find_board(large), truth * 3 + 1) < NEAR

    @pytest.mark.parametrize("seed", [101, 107])
    def test_a_board_at_the_other_end_of_the_room(self, seed: int) -> None:
        picture, truth = simulated(seed)
        around = cv2.copyMakeBorder(picture, 2300, 400, 300, 3300, cv2.BORDER_REPLICATE)
        assert error(find_board(np.asarray(around, np.uint8)), np.add(truth, (300, 2300))) < NEAR

    @pytest.mark.parametrize(
        ("seed", "next_one", "share"),
        [(101, 104, 0.35), (104, 107, 0.5), (107, 102, 0.65), (102, 101, 0.35)],
    )
    def test_beside_a_neighbours_board(self, seed: int, next_one: int, share: float) -> None:
        """At a club the next table's board is in the picture, cut off by its edge."""
        (picture, truth), (beside, _) = simulated(seed), simulated(next_one)
        both = np.hstack([picture, beside[:, : round(share * beside.shape[1])]])
        assert error(find_board(np.ascontiguousarray(both)), truth) < NEAR
        other_way = np.ascontiguousarray(both[::-1, ::-1])
        assert error(find_board(other_way), np.array([both.shape[1] - 1, both.shape[0] - 1]) - truth) < NEAR

    def test_a_grey_picture_and_one_with_transparency(self) -> None:
        picture, truth = simulated(102)
        grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
        assert error(find_board(grey), truth) < 2 * NEAR
        clear = np.dstack([picture, np.full(picture.shape[:2], 255, np.uint8)])
        assert error(find_board(clear), truth) < NEAR

    def test_the_first_row_runs_rightwards(self) -> None:
        picture, truth = simulated(102)
        found = find_board(np.ascontiguousarray(picture[::-1, ::-1]))
        assert isinstance(found, BoardLocation)
        assert found.corners[1, 0] > found.corners[0, 0]
        flipped = np.array([picture.shape[1] - 1, picture.shape[0] - 1]) - truth
        assert error(found, flipped) < NEAR


class TestAnotherLook:
    """What is done where the first answer is doubtful."""

    @pytest.mark.parametrize("way", [view for _, view in OTHER_VIEWS])
    def test_places_come_back_to_where_they_were(self, way: OtherView) -> None:
        picture = np.zeros((90, 160, 3), np.uint8)
        cv2.circle(picture, (75, 20), 5, (255, 120, 120), -1)
        other, back = way(picture)
        rows, columns = np.nonzero(other[..., 0] > 150)
        assert apply_homography(back, [[columns.mean(), rows.mean()]]) == pytest.approx(np.array([[75, 20]]), abs=0.3)

    def test_light_and_shade_are_left_out_by_the_last(self) -> None:
        picture = np.full((90, 160, 3), (60, 120, 180), np.uint8)
        shaded = picture.copy()
        shaded[:, 70:] //= 3
        both = [OTHER_VIEWS[-1][1](one)[0].astype(int) for one in (picture, shaded)]
        assert np.abs(both[0] - both[1]).max() < 12


class TestReferencePictures:
    """A floor under what benchmarks/finding.py measures in full."""

    @pytest.mark.parametrize(("folder", "step", "least"), [("boards/photos", 3, 0.75), ("boards/renders", 6, 0.85)])
    def test_corners_within_two_percent(self, folder: str, step: int, least: float) -> None:
        place = shared(folder)
        rows = [json.loads(line) for line in (place / "truth.jsonl").read_text("utf-8").splitlines()][::step]
        errors = [error(find_board(load_picture(place / row["file"])), row["corners"]) for row in rows]
        assert np.mean(np.array(errors) <= NEAR) >= least, errors

    def test_loose_dice_are_no_board(self) -> None:
        paths = sorted(shared("boards/dice").glob("*.jpg"))[::10]
        assert [path.name for path in paths if isinstance(find_board(load_picture(path)), BoardLocation)] == []


class TestNoBoard:
    @pytest.mark.parametrize("seed", range(4))
    def test_noise_and_plain_colours(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        assert find_board(rng.integers(0, 256, (360, 480, 3), np.uint8)) == NotFound(NO_BOARD)
        assert find_board(np.full((360, 480, 3), rng.integers(0, 256, 3), np.uint8)) == NotFound(NO_BOARD)

    def test_a_chessboard(self) -> None:
        squares = np.kron(np.indices((8, 8)).sum(0) % 2, np.ones((40, 40))).astype(np.uint8)
        picture = np.full((480, 640, 3), (60, 90, 130), np.uint8)
        picture[80:400, 160:480] = np.where(squares[..., None] > 0, (190, 220, 235), (40, 60, 90))
        assert isinstance(find_board(picture), NotFound)

    @pytest.mark.parametrize(
        "nonsense",
        [
            np.zeros((3, 3, 3), np.uint8),
            np.zeros((0, 0, 3), np.uint8),
            np.zeros((400, 400, 3), np.float32),
            np.zeros((400, 400, 2), np.uint8),
            np.zeros(400, np.uint8),
            None,
            "photo.jpg",
        ],
    )
    def test_what_is_no_picture_is_answered_with_a_sentence(self, nonsense: object) -> None:
        answer = find_board(nonsense)  # type: ignore[arg-type]
        assert isinstance(answer, NotFound)
        assert answer.reason.endswith(".")

    @pytest.mark.parametrize("shape", [(64, 4000), (64, 24_000), (26_000, 64), (300, 30_001)])
    def test_a_very_long_picture(self, shape: tuple[int, int]) -> None:
        grain = np.random.default_rng(1).integers(0, 256, (*shape, 3)).astype(np.uint8)
        assert isinstance(find_board(grain), NotFound)


class TestLines:
    @given(
        st.lists(st.floats(-0.05, 0.05), min_size=8, max_size=8),
        st.integers(0, 3),
    )
    @settings(max_examples=40)
    def test_corners_come_out_of_the_edges_even_where_an_arm_hides_a_part(self, off: list[float], hidden: int) -> None:
        truth = edge_maps.EXPECTED + np.array(off).reshape(4, 2)
        profiles = np.zeros((4, edge_maps.CELLS, edge_maps.CELLS))
        for edge, (start, end, axis) in enumerate(((0, 1, 0), (1, 2, 1), (3, 2, 0), (0, 3, 1))):
            a, b = truth[start], truth[end]
            along = (edge_maps.CENTRES - a[axis]) / (b[axis] - a[axis])
            place = a[1 - axis] + along * (b[1 - axis] - a[1 - axis])
            profiles[edge] = -(((edge_maps.CENTRES - place[:, None]) * edge_maps.CELLS) ** 2) / 2
        profiles[hidden, 20:30] = 0
        corners, _ = edge_maps.corners_from(profiles)
        assert np.abs(corners - truth).max() < 0.006

    def test_peaks_of_two_boards_make_the_larger_surface_first(self) -> None:
        shares = np.zeros((3, CELLS, CELLS))
        for x0, y0, x1, y1 in ((6, 8, 34, 30), (37, 10, 45, 20)):
            for kind, x, y in ((0, x0, y0), (1, x1, y0), (0, x1, y1), (1, x0, y1)):
                shares[kind, y, x] = 0.8
        shares[2, 8:31, 6:35] = 1
        best = candidates(shares)[0].corners
        assert np.abs(best - np.array([[6, 8], [34, 8], [34, 30], [6, 30]]) * SIDE / CELLS).max() < 3

    @given(st.floats(-math.pi, math.pi))
    def test_either_half_turn_becomes_the_same(self, angle: float) -> None:
        turn = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
        corners = np.array([[-3, -2], [3, -2], [3, 2], [-3, 2]]) @ turn * 50 + 300
        one, other = rightwards(corners), rightwards(np.roll(corners, 2, axis=0))
        assert np.allclose(one, other)


class TestSeeking:
    def test_the_board_is_found_when_it_comes_into_view(self) -> None:
        picture, truth = simulated(102)
        empty = np.full_like(picture, 90)
        seeker = Seeker()
        assert seeker.look(Frame(empty, 0.0)) is None
        assert seeker.reason == NO_BOARD
        looks = [seeker.look(Frame(picture, 1.0 + second)) for second in range(6)]
        corners = next(corners for corners in looks if corners is not None)
        assert error(BoardLocation(corners, 1.0), truth) < NEAR

    def test_a_watcher_without_corners_says_what_is_wrong_until_it_sees_the_board(self) -> None:
        picture, _ = simulated(102)
        watcher = Watcher(None, key_frames=True)
        unread = watcher.look(Frame(np.full_like(picture, 90), 0.0))
        assert unread is not None
        assert not unread.still
        assert watcher.trouble == NO_BOARD
        seen = watcher.look(Frame(picture, 1.0))
        assert seen is not None
        assert seen.still
        assert watcher.trouble == ""

    @pytest.mark.parametrize("others", [(160, 120), (800, 600)])
    def test_what_was_found_in_pictures_of_another_size_is_not_where_it_lies_in_these(
        self, monkeypatch: pytest.MonkeyPatch, others: tuple[int, int]
    ) -> None:
        """The camera was plugged in again, and gives smaller pictures now; the second find is as unsure, but no surer."""

        def find(picture: np.ndarray) -> BoardLocation:
            width, height = picture.shape[1], picture.shape[0]
            across, down = [0.2 * width, 0.8 * width], [0.2 * height, 0.8 * height]
            corners = [[x, y] for y in down for x in across]
            return BoardLocation(np.float32(corners)[[0, 1, 3, 2]], 0.6 if width == 400 else 0.5)

        monkeypatch.setattr("vision.finding.find_board", find)
        seeker = Seeker()
        frames = [Frame(np.zeros((300, 400, 3), np.uint8), float(second)) for second in range(4)]
        frames += [Frame(np.zeros((*others[::-1], 3), np.uint8), 5.0 + second) for second in range(5)]
        looks = [seeker.look(frame) for frame in frames]
        assert looks[:8] == [None] * 8
        assert np.allclose(looks[8], find(frames[8].image).corners)

    def test_what_is_below_the_least_confidence_is_never_handed_out(self) -> None:
        for seed in (101, 104):
            found = find_board(simulated(seed)[0][:, :300])
            assert isinstance(found, NotFound) or found.confidence >= LEAST


def broadcast(seed: int, page: int) -> tuple[Image, Corners]:
    """A table on a page that shows the game as a diagram, too, and where its board lies: beside a small or a large diagram."""
    picture, truth = simulated(seed)
    height, width = picture.shape[:2]
    share = BOARD_SHARE if page % 2 else HALF_SHARE
    left = width - round(width * share) - (width // 60 if page % 2 else 0)
    top = width // 60 if page % 2 else height // 4
    corners = (np.asarray(truth) + 0.5) * share - 0.5 + (left, top)
    return with_diagram(picture, Position.start(), page, 0), corners.astype(np.float32)


def found_in(picture: Image) -> Corners:
    found = find_board(picture)
    assert isinstance(found, BoardLocation)
    return found.corners


class TestDiagrams:
    """Broadcasts draw the game beside what their camera shows: the players, their dice and their errors are in the latter."""

    @pytest.mark.parametrize(("seed", "page"), [(101, 20), (101, 21), (104, 22), (104, 23)])
    def test_the_board_that_a_camera_shows_is_found(self, seed: int, page: int) -> None:
        picture, truth = broadcast(seed, page)
        assert error(find_board(picture), truth) < NEAR

    @pytest.mark.parametrize("page", range(20, 23))
    def test_a_diagram_will_do_where_there_is_nothing_else(self, page: int) -> None:
        drawn = diagram(Position.start(), (480, 300), page)
        alone = np.full((540, 960, 3), (60, 40, 30), np.uint8)
        alone[100:400, 200:680] = drawn
        assert lies_as_drawn(found_in(alone))

    @pytest.mark.parametrize("page", [20, 21])
    def test_it_is_left_when_a_board_is_filmed(self, page: int) -> None:
        """A broadcast begins with the players' faces."""
        picture, truth = broadcast(102, page)
        faces = with_diagram(face((960, 540), page, 0), Position.start(), page, 0)
        watcher = Watcher(None, cast(BoardReader, Readings()), judging=False)
        for number in range(4):
            watcher.look(Frame(faces, number * 0.4))
        assert watcher.corners is not None
        assert lies_as_drawn(watcher.corners)
        assert not watcher.replaced
        watcher.look(Frame(picture, 10.0))
        assert watcher.replaced
        assert error(BoardLocation(watcher.corners, 1.0), truth) < NEAR

    @pytest.mark.parametrize("page", [20, 21])
    def test_it_is_not_taken_while_the_camera_shows_something_else(self, page: int) -> None:
        picture, truth = broadcast(102, page)
        faces = with_diagram(face((960, 540), page, 0), Position.start(), page, 0)
        assert _found_anew(Frame(faces, 9.0), Frame(picture, 0.0), truth) is None

    @pytest.mark.parametrize("drawn", range(20, 24))
    def test_nor_where_it_fills_the_picture(self, drawn: int) -> None:
        """Somebody shows what else could have been played: until 28 November that was written down as the game."""
        picture, truth = simulated(102)
        talk = diagram(Position.start(), (960, 540), drawn)
        assert lies_as_drawn(found_in(talk))
        assert _found_anew(Frame(talk, 9.0), Frame(picture, 0.0), truth) is None


class TestHalfABoard:
    """A camera is switched on while a lid lies on half of the board: the rest is like a board."""

    def half(self, picture: Image, truth: Corners, far: bool) -> Image:
        """far: the row of points away from the camera is covered, else what lies right of the middle."""
        covered, (x, y) = picture.copy(), truth.mean(axis=0).astype(int)
        (covered[:y] if far else covered[:, x:])[:] = (96, 90, 80)
        return covered

    def begun(self, seed: int, *, far: bool = False) -> tuple[Watcher, Image, Corners]:
        """A watcher that has taken half of the board for all of it, the whole board's picture, and where that lies."""
        picture, truth = simulated(seed)
        watcher = Watcher(None, cast(BoardReader, Readings()), judging=False)
        for number in range(8):
            watcher.look(Frame(self.half(picture, truth, far), number * 0.4))
        assert watcher.corners is not None
        assert error(BoardLocation(watcher.corners, 1.0), truth) > 0.3
        return watcher, picture, truth

    @pytest.mark.parametrize(("seed", "far"), [(101, False), (104, False), (113, True)])
    def test_all_of_it_is_watched_once_it_can_be_seen(self, seed: int, far: bool) -> None:
        """Until 29 November none of such a game was read. The last half is surely found."""
        watcher, picture, truth = self.begun(seed, far=far)
        for number in range(30):
            watcher.look(Frame(picture, 6 + number * 0.4))
        assert watcher.replaced == 1
        assert watcher.corners is not None
        assert error(BoardLocation(watcher.corners, 1.0), truth) < NEAR

    def test_a_doubtful_find_on_which_a_position_was_read_for_sure_is_kept(self) -> None:
        watcher, picture, _ = self.begun(101)
        before = watcher.corners
        watcher.learn(np.ones(24, np.int64))
        watcher.look(Frame(picture, 20.0))
        assert watcher.corners is before
        assert not watcher.replaced

    def test_a_doubtful_find_that_is_found_again_is_kept_and_sought_no_more(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        corners = np.array([[100, 100], [300, 110], [300, 220], [100, 210]], np.float32)
        finds = iter([(0.5, corners), (0.9, np.roll(corners + 1, 2, axis=0))])
        monkeypatch.setattr("vision.finding.find_board", lambda _: BoardLocation(*reversed(next(finds))))
        seeker, picture = Seeker(1), np.zeros((400, 400, 3), np.uint8)
        assert seeker.look(Frame(picture, 0.0)) is corners
        assert [seeker.better(Frame(picture, float(second)), corners) for second in range(1, 60)] == [None] * 59

    def test_what_is_not_seen_any_more_is_sought_as_at_first_unless_a_position_was_read_there(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        here = np.array([[100, 100], [300, 110], [300, 220], [100, 210]], np.float32)
        there = here + np.float32(80)
        finds = iter([here, there, there])
        monkeypatch.setattr("vision.finding.find_board", lambda _: BoardLocation(next(finds), 0.9))
        seeker, picture = Seeker(), np.zeros((400, 400, 3), np.uint8)
        assert seeker.look(Frame(picture, 0.0)) is here
        assert seeker.better(Frame(picture, 5.0), here) is None
        assert seeker.better(Frame(picture, 6.0), here, lost=True) is there
        seeker.believe()
        assert seeker.better(Frame(picture, 20.0), there, lost=True) is None


class TestFoundAnew:
    """Where the last good picture's features are of no help, the finder is asked; the colours tell the half turn."""

    @pytest.mark.parametrize("degrees", [20, 110, 180])
    def test_the_same_corner_stays_the_first(self, degrees: float) -> None:
        picture, truth = simulated(104)
        moved, corners = turned(picture, truth, degrees)
        dim = (moved * 0.7).astype(np.uint8)
        anew = _found_anew(Frame(dim, 9.0), Frame(picture, 0.0), truth)
        assert anew is not None
        assert np.linalg.norm(anew - corners, axis=1).max() < 2 * NEAR * np.linalg.norm(corners[1] - corners[0])

    def test_a_board_that_looks_the_same_both_ways_is_asked_about(self) -> None:
        flat = GEOMETRY.rectified(draw(checkers()), 640, 480, 0.0)
        flat[240:] = flat[:240][::-1, ::-1]
        picture = np.full((720, 1280, 3), (40, 70, 110), np.uint8)
        picture[120:600, 320:960] = flat
        truth = np.array([[320, 120], [960, 120], [960, 600], [320, 600]], np.float32)
        assert error(find_board(picture), truth) < 1.5 * NEAR
        assert _found_anew(Frame(picture, 9.0), Frame(picture, 0.0), truth) is None
