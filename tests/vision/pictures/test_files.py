"""Pictures and corners come in checked; what can't be used is said in a sentence."""

from __future__ import annotations

import json
import struct
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.shared import shared
from vision.finding import BoardLocation, find_board
from vision.frame import Image
from vision.pictures.files import (
    CornersError,
    PictureError,
    decode_picture,
    load_corners_file,
    load_picture,
    parse_corners,
)

BOARD = "387,81 973,121 967,639 333,600"

# Four-by-two blocks of grey, so that a turned picture shows it.
STEPS = np.kron(np.arange(8, dtype=np.uint8).reshape(2, 4) * 30, np.ones((48, 32), np.uint8))


def stepped() -> Image:
    return np.dstack([STEPS] * 3)


def encoded(ending: str, image: Image) -> bytes:
    return cv2.imencode(ending, image)[1].tobytes()


def png_header(width: int, height: int) -> bytes:
    """A PNG that claims a size and holds nothing."""
    head = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    end = b"IEND"
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(part) - 4) + part + struct.pack(">I", zlib.crc32(part)) for part in (head, end)
    )


def with_orientation(jpeg: bytes, orientation: int) -> bytes:
    """The JPEG with an EXIF segment that says how the camera was held (TIFF tag 0x112)."""
    tiff = b"II*\0" + struct.pack("<IHHHIHHI", 8, 1, 0x112, 3, 1, orientation, 0, 0)
    segment = b"Exif\0\0" + tiff
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(segment) + 2) + segment + jpeg[2:]


class TestPictures:
    @pytest.mark.parametrize("ending", [".jpg", ".png", ".webp", ".bmp"])
    def test_every_format_comes_back_the_same(self, tmp_path: Path, ending: str) -> None:
        path = tmp_path / f"board{ending}"
        path.write_bytes(encoded(ending, stepped()))
        image = load_picture(path)
        assert image.shape == (96, 128, 3)
        assert image.dtype == np.uint8
        assert float(np.abs(image.astype(int) - stepped()).mean()) < 2

    def test_a_bitmap_as_os_2_writes_it(self) -> None:
        """With 16 bits each for width and height, where others have 32."""
        rows = encoded(".bmp", stepped())[54:]
        head = struct.pack("<IHHI", 26 + len(rows), 0, 0, 26) + struct.pack("<IHHHH", 12, 128, 96, 1, 24)
        assert np.array_equal(decode_picture(b"BM" + head + rows), stepped())

    def test_grey_and_16_bit_and_transparent_pictures_become_bgr(self) -> None:
        for image in (STEPS, STEPS.astype(np.uint16) * 257, np.dstack([STEPS] * 4)):
            assert np.array_equal(decode_picture(encoded(".png", image)), stepped())

    @pytest.mark.parametrize(("orientation", "quarters"), [(1, 0), (3, 2), (6, 3), (8, 1)])
    def test_a_phone_held_any_way_gives_an_upright_picture(self, orientation: int, quarters: int) -> None:
        image = decode_picture(with_orientation(encoded(".jpg", stepped()), orientation))
        upright = np.rot90(stepped(), quarters)
        assert image.shape == upright.shape
        assert float(np.abs(image.astype(int) - upright).mean()) < 3


class TestPicturesThatCannotBeUsed:
    @pytest.fixture(autouse=True)
    def _nothing_else_on_standard_error(self, capfd: pytest.CaptureFixture[str]) -> Iterator[None]:
        yield
        assert capfd.readouterr().err == ""

    def test_no_file(self, tmp_path: Path) -> None:
        with pytest.raises(PictureError, match=r"board\.jpg' can't be read \(No such file"):
            load_picture(tmp_path / "board.jpg")

    def test_a_folder(self, tmp_path: Path) -> None:
        with pytest.raises(PictureError, match="it is a folder"):
            load_picture(tmp_path)

    @pytest.mark.parametrize(
        ("data", "sentence"),
        [
            (b"", "is empty"),
            (b"Dear diary", "is no picture that can be read"),
            (b"RIFF\x10\0\0\0WAVEfmt ", "is no picture"),
            (b"\0\0\0\x18ftypheic" + b"\0" * 50, "HEIC.*JPEG"),
            (png_header(40_000, 40_000), "40000 x 40000 pixels large"),
            (png_header(40_000, 100), "40000 x 100 pixels large"),
            (png_header(100, 32_767), "100 x 32767 pixels large"),
            (png_header(640, 0), "only 640 x 0"),
            (png_header(640, 480), "is damaged"),
            (encoded(".png", stepped()[:20]), "only 128 x 20 pixels"),
        ],
    )
    def test_no_picture(self, data: bytes, sentence: str) -> None:
        with pytest.raises(PictureError, match=sentence):
            decode_picture(data)

    @pytest.mark.parametrize("ending", [".jpg", ".png", ".webp", ".bmp"])
    def test_cut_off_anywhere(self, ending: str) -> None:
        whole = encoded(ending, stepped())
        for share in (0.02, 0.3, 0.9, 0.99):
            with pytest.raises(PictureError, match=r"is damaged, or cut off"):
                decode_picture(whole[: max(int(len(whole) * share), 12)])

    def test_cut_off_although_its_preview_is_whole(self) -> None:
        preview = encoded(".jpg", stepped())
        whole = encoded(".jpg", stepped())
        segment = b"\xff\xe2" + struct.pack(">H", len(preview) + 2) + preview
        with pytest.raises(PictureError, match=r"is damaged, or cut off"):
            decode_picture(whole[:2] + segment + whole[2:-30])

    @given(st.sampled_from([b"\xff\xd8", b"\x89PNG\r\n\x1a\n", b"RIFF\0\0\0\0WEBP", b"BM", b""]), st.binary())
    def test_no_bytes_crash_it(self, magic: bytes, rest: bytes) -> None:
        with pytest.raises(PictureError):
            decode_picture(magic + rest)


class TestPhotographsOfPhones:
    """`turned.heic`: the simulated table (seed 102) at 800 x 450, stored on its side in tiles of 256 px, as iPhones do."""

    PHOTO = Path(__file__).parent / "turned.heic"
    BOARD = ((161, 67), (557, 46), (679, 332), (135, 393))

    def test_they_are_upright_and_a_board_is_found_in_them(self) -> None:
        image = load_picture(self.PHOTO)
        assert image.shape == (450, 800, 3)
        found = find_board(image)
        assert isinstance(found, BoardLocation)
        assert np.abs(found.corners - self.BOARD).max() < 8

    def test_their_decoder_is_loaded_by_nobody_else(self) -> None:
        load_picture(self.PHOTO)
        assert "pi_heif" not in sys.modules

    def test_too_large(self) -> None:
        with pytest.raises(PictureError, match="800 x 450 pixels large"):
            load_picture(self.PHOTO, most_pixels=100_000)

    @pytest.mark.parametrize("seed", range(6))
    def test_damaged(self, seed: int, tmp_path: Path) -> None:
        rng = np.random.default_rng(seed)
        data = bytearray(self.PHOTO.read_bytes()[: int(rng.integers(2_000, 12_000))])
        for place in rng.integers(12, 1_500, seed):
            data[place] = int(rng.integers(256))
        (tmp_path / "photo.heic").write_bytes(data)
        with pytest.raises(PictureError, match=r"photo\.heic' is damaged, or cut off"):
            load_picture(tmp_path / "photo.heic")


class TestCorners:
    def test_four_points(self) -> None:
        corners = parse_corners(BOARD, (1280, 720))
        assert corners.dtype == np.float32
        assert corners.tolist() == [[387, 81], [973, 121], [967, 639], [333, 600]]

    @pytest.mark.parametrize("quarters", range(4))
    def test_a_turned_board_is_as_good(self, quarters: int) -> None:
        points = BOARD.split()
        assert parse_corners(" ".join(points[quarters:] + points[:quarters]))[0].tolist() == [
            float(number) for number in points[quarters].split(",")
        ]

    def test_a_board_cut_off_a_little_is_taken(self) -> None:
        assert parse_corners("-5,0 640,0 640,480 0,484", (640, 480))[0, 0] == -5

    @pytest.mark.parametrize(
        ("text", "sentence"),
        [
            ("", "hold 0 numbers instead of eight"),
            ("1,1 2,1 2,2", "hold 6 numbers instead of eight"),
            (BOARD + " 5,5", "hold 10 numbers"),
            ("a,b 2,1 2,2 1,2", "'a' in the corners is not a number"),
            ("nan,1 2,1 2,2 1,2", "not a number"),
            ("0,0 100,100 100,0 0,100", "cross"),
            ("0,0 100,0 200,0 300,0", "lie on one line"),
            ("0,0 0,0 0,0 0,0", "lie on one line"),
            ("333,600 967,639 973,121 387,81", "the wrong way"),
            ("387,81 1973,121 1967,639 333,600", "1973,121 lies outside the picture of 1280 x 720"),
            ("10,10 20,10 20,20 10,20", "too small"),
        ],
    )
    def test_points_that_are_no_board(self, text: str, sentence: str) -> None:
        with pytest.raises(CornersError, match=sentence):
            parse_corners(text, (1280, 720))

    @given(st.text() | st.lists(st.floats() | st.integers(-5, 2000), max_size=10).map(lambda n: " ".join(map(str, n))))
    def test_no_text_crashes_it(self, text: str) -> None:
        try:
            corners = parse_corners(text, (1280, 720))
        except CornersError:
            return
        assert corners.shape == (4, 2)
        assert np.isfinite(corners).all()


class TestCornersFile:
    def write(self, path: Path, *lines: object) -> Path:
        path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines))
        return path

    def test_one_line_a_picture(self, tmp_path: Path) -> None:
        square = [[10, 10], [90, 10], [90, 90], [10, 90]]
        lines = [{"file": "a.jpg", "corners": square}, "", {"file": "b.jpg", "corners": square, "dice": []}]
        corners = load_corners_file(self.write(tmp_path / "truth.jsonl", *lines))
        assert list(corners) == ["a.jpg", "b.jpg"]
        assert corners["b.jpg"].tolist() == square

    @pytest.mark.parametrize("part", ["boards/photos", "boards/renders", "boards/games/dev1", "boards/games/dev2"])
    def test_true_corners_of_real_boards_are_taken(self, part: str) -> None:
        path = shared(part) / "truth.jsonl"
        assert len(load_corners_file(path)) == len(path.read_text().splitlines())

    @pytest.mark.parametrize(
        ("line", "sentence"),
        [
            ("not json", "Line 2 .* is not JSON"),
            ("[" * 100_000, "Line 2 .* is not JSON"),
            ([], "names no file"),
            ({"corners": []}, "names no file"),
            ({"file": "a.jpg"}, "holds no four corners"),
            ({"file": "a.jpg", "corners": [[1, 2], [3, 4]]}, "holds no four corners"),
            ({"file": "a.jpg", "corners": [["1", 2], [3, 4], [5, 6], [7, 8]]}, "holds no four corners"),
            ({"file": "a.jpg", "corners": [[0, 0], [9, 9], [9, 0], [0, 9]]}, "Line 2 .*: The corners cross"),
            (
                {"file": "a.jpg", "size": [50, 50], "corners": [[0, 0], [90, 0], [90, 90], [0, 90]]},
                "lies outside the picture of 50 x 50",
            ),
        ],
    )
    def test_a_wrong_line_is_named(self, tmp_path: Path, line: object, sentence: str) -> None:
        good = {"file": "good.jpg", "corners": [[10, 10], [90, 10], [90, 90], [10, 90]]}
        with pytest.raises(CornersError, match=sentence):
            load_corners_file(self.write(tmp_path / "truth.jsonl", good, line))

    def test_no_file_an_empty_one_and_a_picture(self, tmp_path: Path) -> None:
        with pytest.raises(CornersError, match="No such file"):
            load_corners_file(tmp_path / "none.jsonl")
        with pytest.raises(CornersError, match="is empty"):
            load_corners_file(self.write(tmp_path / "empty.jsonl"))
        (tmp_path / "picture.jpg").write_bytes(encoded(".jpg", stepped()))
        with pytest.raises(CornersError, match="is not text"):
            load_corners_file(tmp_path / "picture.jpg")
