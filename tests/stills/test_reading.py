"""`vrhcab read` from a picture to what a person gets: JSON, a board in the terminal, an XGID, a picture drawn over."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from controller.cli.main import main
from controller.rules import Position, Side
from controller.rules.xgid import parse_xgid
from controller.simulation.looks import LOOKS
from controller.simulation.stills import Still, still_frames
from controller.stills.photo import PhotoError, read_photo
from controller.stills.position import Asked, StillError, likely_home, still_of
from controller.stills.terminal import board_in_words
from controller.tracking.orientation import columns_of
from terms.board import CORNERS, Corner
from tests.vision.pictures.test_files import png_header
from vision.reading.overlay import DOUBT
from vision.reading.reader import BoardReader
from vision.reading.report import Cell, CubeReading, DieReading, Reading

START_XGID = "-b----E-C---eE---c-e----B-"
MOST_WRONG = 6
"""Of the 72 columns of three pictures; a reader that found another board would have some forty wrong."""


def reading(position: Position, home: Corner = "bottom-right", **given: object) -> Reading:
    """What a perfect reader says of this position."""
    columns = columns_of([position], home)[0]
    cells = tuple((max(int(n), 0), max(-int(n), 0)) for n in columns)
    known: dict[str, object] = {
        "file": "board.jpg",
        "corners": ((0, 0), (1, 0), (1, 1), (0, 1)),
        "top": cells[:12],
        "bottom": cells[12:],
        "bar": (position.light[24], position.dark[24]),
        "dice": (),
        "cube": None,
        "confidence": 0.9,
        "seconds": 0.1,
    }
    return Reading(**(known | given))  # type: ignore[arg-type]


def vrhcab(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments], prog_name="vrhcab")


class TestAPositionFromAPicture:
    @pytest.mark.parametrize("home", CORNERS)
    def test_the_start_position_tells_where_home_is(self, home: Corner) -> None:
        still = still_of(reading(Position.start(), home))
        assert (still.home, still.position) == (home, Position.start())
        assert still.xgid.split(":")[0] == f"XGID={START_XGID}"

    @given(st.sampled_from(CORNERS), st.sampled_from([Side.LIGHT, Side.DARK]), st.sampled_from([1, 2, 16]))
    def test_what_was_said_is_in_the_xgid(self, home: Corner, turn: Side, cube: int) -> None:
        position = Position.of(light={4: 3, 2: 2, 25: 1}, dark={6: 7, 24: 1})
        still = still_of(reading(position, home), Asked(turn, home, cube, Side.DARK, (2, 3), 7))
        moment = parse_xgid(still.xgid)
        assert (moment.position, moment.on_roll, moment.cube, moment.score) == (position, turn, cube, (2, 3))
        assert moment.cube_owner is (Side.DARK if cube > 1 else None)

    def test_dice_and_cube_come_from_the_picture_but_a_cocked_die_does_not(self) -> None:
        dice = (DieReading(6, (1, 1), False, 0.9), DieReading(2, (2, 2), False, 0.9), DieReading(5, (3, 3), True, 0.9))
        still = still_of(reading(Position.start(), dice=dice, cube=CubeReading(4, (9, 9), 0.9)))
        moment = parse_xgid(still.xgid)
        assert (moment.dice, moment.cube, moment.cube_owner) == ((6, 2), 4, None)
        assert any("shows 4" in note for note in still.notes)

    def test_a_centred_cube_that_shows_64_is_one(self) -> None:
        assert parse_xgid(still_of(reading(Position.start(), cube=CubeReading(64, (9, 9), 0.9))).xgid).cube == 1

    @pytest.mark.parametrize(("confidence", "said"), [(0.0002, "right: 0 %"), (0.94, "right: 94 %"), (0.95, "")])
    def test_a_reading_in_doubt_is_said_to_be(self, confidence: float, said: str) -> None:
        first = still_of(reading(Position.start(), confidence=confidence)).notes[0]
        assert (said or "Light is taken to bear off") in first

    @pytest.mark.parametrize("board", [Position.start(), Position.of(light={4: 3, 2: 2}, dark={6: 7, 24: 1})])
    def test_who_brings_a_photo_to_the_page_is_told_of_no_option(self, board: Position) -> None:
        notes = still_of(reading(board)).notes
        assert notes
        assert not any("--" in note for note in notes)

    @pytest.mark.parametrize(("flat", "said"), [((), False), ((6,), True), ((6, 2), False), ((6, 2, 1), True)])
    def test_dice_that_are_no_roll_are_said(self, flat: tuple[int, ...], said: bool) -> None:
        still = still_of(reading(Position.start(), dice=tuple(DieReading(value, (1, 1), False, 0.9) for value in flat)))
        assert (parse_xgid(still.xgid).dice is None) is (len(flat) != 2)
        assert any(note.startswith(f"Dice that lie flat: {len(flat)},") for note in still.notes) is said

    def test_a_hidden_point_is_no_empty_point(self) -> None:
        hidden: tuple[Cell | None, ...] = (None,) * 12
        with pytest.raises(StillError, match="12 place"):
            still_of(reading(Position.start(), top=hidden))

    def test_too_many_checkers_are_said_not_written(self) -> None:
        many = ((15, 0), *((0, 0),) * 10, (3, 0))
        with pytest.raises(StillError, match="light checkers, which can't be"):
            still_of(reading(Position.start(), top=many))

    def test_an_empty_board_does_not_tell_where_home_is(self) -> None:
        assert likely_home(np.zeros(24, np.int64), (0, 0))[1] is False


@pytest.fixture(scope="module")
def stills(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Still]]:
    """Three pictures that one simulated camera took, with their truth."""
    folder = tmp_path_factory.mktemp("stills")
    taken = list(still_frames(3, seed=5, look=LOOKS[0].name))
    for number, still in enumerate(taken):
        cv2.imwrite(str(folder / f"{number}.png"), still.frame.image)
    return folder, taken


def wrong_cells(line: str, still: Still) -> int:
    """How many columns a JSON line has otherwise than the truth, the picture's half turn left open."""
    read = json.loads(line)
    cells = [light - dark for light, dark in (*read["top"], *read["bottom"])]
    return min(sum(a != b for a, b in zip(view, still.columns, strict=True)) for view in (cells, cells[::-1]))


class TestAPhoto:
    def test_a_phones_photo_gives_its_xgid(self, stills: tuple[Path, list[Still]]) -> None:
        folder, taken = stills
        photo = read_photo((folder / "1.png").read_bytes(), BoardReader())
        assert parse_xgid(photo.xgid).position.signed() == photo.points
        columns = columns_of([parse_xgid(photo.xgid).position], photo.home)[0]  # type: ignore[arg-type]
        views = (columns, columns[::-1])
        assert min(sum(a != b for a, b in zip(view, taken[1].columns, strict=True)) for view in views) <= MOST_WRONG

    def test_a_photo_taken_upright_is_turned_as_its_exif_data_says(self, stills: tuple[Path, list[Still]]) -> None:
        image = stills[1][1].frame.image
        _, plain = cv2.imencode(".jpg", image)
        _, lying = cv2.imencode(".jpg", cv2.rotate(image, cv2.ROTATE_90_COUNTERCLOCKWISE))
        exif = b"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0"
        data = lying.tobytes()
        turned = data[:2] + b"\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif + data[2:]
        reader = BoardReader()
        views = [read_photo(photo, reader).points for photo in (plain.tobytes(), turned)]
        assert sum(a != b for a, b in zip(*views, strict=True)) <= 2

    @pytest.mark.parametrize(
        ("data", "sentence"),
        [
            (b"", "The photo is empty."),
            (b"no picture", "The photo is no picture"),
            (cv2.imencode(".png", np.zeros((300, 300, 3), np.uint8))[1].tobytes(), "The photo: No backgammon board"),
        ],
    )
    def test_what_is_no_board_is_one_sentence(self, data: bytes, sentence: str) -> None:
        with pytest.raises(PhotoError) as refused:
            read_photo(data, BoardReader())
        assert str(refused.value).startswith(sentence)


class TestTheCommand:
    def test_a_board_is_found_and_read_without_help(self, stills: tuple[Path, list[Still]]) -> None:
        folder, taken = stills
        result = vrhcab("read", *(folder / f"{n}.png" for n in range(3)))
        assert result.exit_code == 0
        assert sum(map(wrong_cells, result.stdout.splitlines(), taken)) <= MOST_WRONG

    def test_one_camera_gives_one_board(self, stills: tuple[Path, list[Still]]) -> None:
        folder, taken = stills
        result = vrhcab("read", "--same-camera", *(folder / f"{n}.png" for n in range(3)))
        lines = [json.loads(line) for line in result.stdout.splitlines()]
        assert lines[0]["corners"] == lines[1]["corners"] == lines[2]["corners"]
        assert sum(map(wrong_cells, result.stdout.splitlines(), taken)) <= MOST_WRONG

    def test_a_picture_of_another_size_is_not_of_the_same_camera(
        self, stills: tuple[Path, list[Still]], tmp_path: Path
    ) -> None:
        cv2.imwrite(str(tmp_path / "other.png"), np.zeros((480, 640, 3), np.uint8))
        result = vrhcab("read", "--same-camera", stills[0] / "0.png", tmp_path / "other.png")
        assert result.exit_code == 1
        assert "other.png has another size than the first picture" in result.stderr
        assert len(result.stdout.splitlines()) == 2

    @pytest.mark.parametrize(("confidence", "said"), [(0.9472, "(sure: 94%)"), (0.9979, "(sure: 99%)")])
    def test_the_table_says_no_more_than_the_doubt_below_it(self, confidence: float, said: str) -> None:
        table = board_in_words(reading(Position.start(), confidence=confidence), Asked())
        assert said in table
        assert ("right: 94 %" in table) == (confidence < DOUBT)

    def test_table_xgid_and_overlay(self, stills: tuple[Path, list[Still]], tmp_path: Path) -> None:
        folder, taken = stills
        corners = " ".join(f"{x},{y}" for x, y in taken[1].corners)
        shown = tmp_path / "shown.png"
        table = vrhcab("read", folder / "1.png", "--corners", corners, "--table", "--overlay", shown)
        assert table.stdout.count("|\n") == 11
        drawn, plain = cv2.imread(str(shown)), taken[1].frame.image
        assert drawn is not None
        assert 0.002 < (np.abs(drawn.astype(int) - plain) > 40).any(axis=2).mean() < 0.2
        xgid = vrhcab("read", folder / "1.png", "--corners", corners, "--xgid", "--turn", "dark")
        assert parse_xgid(xgid.stdout).on_roll is Side.DARK
        for told in (table, xgid):
            assert told.stderr.splitlines()[-1] == "Where light bears off elsewhere, say so with --home."
        home = vrhcab("read", folder / "1.png", "--corners", corners, "--xgid", "--home", "bottom-right")
        assert "--home" not in home.stderr
        assert xgid.stdout.strip().split(":")[0] in " ".join(
            vrhcab("read", folder / "1.png", "--corners", corners, "--table").stdout.split()
        )

    def test_no_board_is_one_sentence(self, tmp_path: Path) -> None:
        cv2.imwrite(str(tmp_path / "wall.png"), np.full((480, 640, 3), 90, np.uint8))
        result = vrhcab("read", tmp_path / "wall.png")
        assert result.exit_code == 1
        assert result.stderr.startswith("Error: wall.png: No backgammon board is found in the picture.")
        assert json.loads(result.stdout)["file"] == "wall.png"


def test_a_photo_of_more_pixels_than_a_small_machine_holds_beside_a_game_is_refused_before_it_is_decoded() -> None:
    with pytest.raises(PhotoError, match="10000 x 6000 pixels large"):
        read_photo(png_header(10_000, 6_000), BoardReader())
