"""Bad input at the command line: one clear sentence on standard error, the right exit status, nothing lost."""

from __future__ import annotations

import errno
import json
import os
import re
import resource
import shutil
import signal
import socket
import sqlite3
import struct
import subprocess
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path

import click
import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from controller.cli.main import main, sentence_of_error
from controller.record.journal import Journal, JournalError, read_events
from controller.referee.events import VERSION, AnyEvent, GameStarted, MatchStarted, Rolled, encode, kind
from controller.rules import Position, Side, position_id
from tests.programs import free_port, running
from web.security import PinKeeper

CORNERS = "60,40 580,40 580,440 60,440"
START = position_id(Position.start(), Side.LIGHT)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder to work in, with a picture and a journal's place of its own; signals as they were afterwards."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    kept = [(number, signal.getsignal(number)) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)]
    cv2.imwrite("table.png", np.full((480, 640, 3), 90, np.uint8))
    yield tmp_path
    for number, handler in kept:
        signal.signal(number, handler)


@pytest.fixture
def full_disk() -> Iterator[None]:
    """No file may be longer than half a kilobyte."""
    kept = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (500, kept[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, kept)


def vrhcab(*arguments: str, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(main, list(arguments), input=stdin, prog_name="vrhcab")


def refused(*arguments: str, stdin: str | bytes | None = None) -> str:
    """The sentence with which the program refuses: one line on standard error, exit 1, no traceback."""
    result = vrhcab(*arguments, stdin=stdin)
    assert result.exit_code == 1, (result.output, result.exception)
    lines = result.stderr.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("Error: ")
    return lines[0].removeprefix("Error: ")


def written(name: str, text: str) -> str:
    Path(name).write_text(text, "utf-8")
    return name


def huge_png(width: int, height: int) -> bytes:
    """The header of a picture that nobody can hold, with nothing in it."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")


class TestCertificate:
    @pytest.mark.parametrize("name", ["999.999.999.999", "1.2.3", "a..b"])
    def test_a_name_of_no_machine(self, folder: Path, name: str) -> None:
        assert f"{name!r} is no name of a machine. Give one such as board.local." in refused(
            "certificate", "--name", name
        )

    def test_made_again_it_holds_for_the_names_of_before(self, folder: Path) -> None:
        def held(*arguments: str) -> str:
            told = vrhcab("certificate", *arguments)
            assert told.exit_code == 0, told.output
            return told.stdout.splitlines()[0]

        first = held("--name", "šachy.klub.example", "--name", "203.0.113.5")
        assert held() == first.replace("šachy.klub.example", "šachy.klub.example".encode("idna").decode())
        assert held("--name", "šachy.klub.example").count("klub.example") == 1
        (folder / "state" / "vrhcab" / "vrhcab.pem").write_text("no certificate", "utf-8")
        assert "klub.example" not in held()


class TestPin:
    def test_a_new_pin_replaces_the_old_one(self, folder: Path) -> None:
        pins = [re.search(r"is now (\d{6})\.", vrhcab("pin", "--reset").stdout) for _ in range(2)]
        assert pins[0] is not None
        assert pins[1] is not None
        keeper = PinKeeper(folder / "state" / "vrhcab" / "desk.json")
        assert [keeper.check(pin[1], "shell") for pin in pins if pin] == [False, True]

    def test_a_pin_that_nobody_could_read_changes_nothing(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        vrhcab("pin", "--reset")
        kept = folder / "state" / "vrhcab"
        before = (kept / "desk.json").read_bytes()

        def full(text: str, **more: object) -> None:
            if "PIN is now" in text:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        with monkeypatch.context() as patched:
            patched.setattr("controller.cli.pin.click.echo", full)
            result = vrhcab("pin", "--reset")
        assert result.exit_code == 1
        assert (kept / "desk.json").read_bytes() == before
        assert [path.name for path in kept.iterdir()] == ["desk.json"]

    def test_where_no_game_is_kept_yet_it_says_so(self, folder: Path) -> None:
        assert (
            "No game is kept at typo/games.sqlite3 yet"
            in vrhcab("pin", "--reset", "--journal", "typo/games.sqlite3").stderr
        )
        store(folder / "games.sqlite3", *BEGUN)
        assert vrhcab("pin", "--reset", "--journal", "games.sqlite3").stderr == ""


class TestRead:
    @pytest.mark.parametrize(
        ("name", "data", "sentence"),
        [
            ("gone.jpg", None, "'gone.jpg' can't be read (No such file or directory). Check the path."),
            (
                "notes.jpg",
                b"White to play 6-5\n",
                "'notes.jpg' is no picture that can be read. JPEG, PNG, WebP and BMP",
            ),
            ("empty.png", b"", "'empty.png' is empty."),
            ("huge.png", huge_png(200_000, 200_000), "'huge.png' is 200000 x 200000 pixels large. Make it smaller"),
            ("damaged.png", huge_png(640, 480), "'damaged.png' is damaged, or cut off."),
            ("tiny.png", huge_png(20, 20), "'tiny.png' is only 20 x 20 pixels."),
        ],
    )
    def test_a_file_that_is_no_picture(self, folder: Path, name: str, data: bytes | None, sentence: str) -> None:
        if data is not None:
            (folder / name).write_bytes(data)
        assert refused("read", "--corners", CORNERS, name).startswith(sentence)

    @pytest.mark.parametrize(
        ("arguments", "sentence"),
        [
            (("calibrate", "table.png", "-o", "lens.json"), "The whole chessboard is seen in 0 of 1 pictures"),
            (
                ("calibrate", "table.png", "-o", "table.png"),
                "table.png: choose a name that ends with .json for the lens.",
            ),
            (("read", "table.png", "--lens", "lens.json"), "The lens file 'lens.json' can't be read"),
            (("markers", "-o", "sheet.svg", "--size", "900"), "A square of 900 mm can't be used"),
        ],
    )
    def test_what_cannot_help_the_camera(self, folder: Path, arguments: tuple[str, ...], sentence: str) -> None:
        assert refused(*arguments).startswith(sentence)

    def test_the_pictures_beside_a_bad_one_are_read_all_the_same(self, folder: Path) -> None:
        (folder / "bad.png").write_text("no picture")
        result = vrhcab("read", "--corners", CORNERS, "table.png", "bad.png", "table.png")
        lines = [json.loads(line) for line in result.stdout.splitlines()]
        assert result.exit_code == 1
        assert [line["file"] for line in lines] == ["table.png", "bad.png", "table.png"]
        assert ["error" in line for line in lines] == [False, True, False]

    def test_a_picture_that_may_not_be_read_and_one_whose_name_is_no_text(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        shutil.copy("table.png", os.fsdecode(b"bad\xff\xfe.png"))
        shutil.copy("table.png", "mine.png")
        (folder / "mine.png").chmod(0)
        readable = os.access
        monkeypatch.setattr("os.access", lambda path, *more: "mine" not in str(path) and readable(path, *more))
        opened = os.open

        def refused(path: str | Path, *more: int) -> int:
            if "mine" in str(path):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
            return opened(path, *more)

        monkeypatch.setattr("os.open", refused)
        result = vrhcab("read", "--corners", CORNERS, "mine.png", os.fsdecode(b"bad\xff\xfe.png"), "table.png")
        lines = [json.loads(line) for line in result.stdout.splitlines()]
        assert result.exit_code == 1
        assert [line["file"] for line in lines] == ["mine.png", "bad\ufffd\ufffd.png", "table.png"]
        assert lines[0]["error"].startswith("'mine.png' can't be read (Permission denied).")
        assert not any("error" in line for line in lines[1:])

    @pytest.mark.parametrize(
        ("arguments", "sentence"),
        [
            (("table.png", "--overlay", "table.png"), "table.png is one of the pictures. Choose another place."),
            (("table.png", "--overlay", "."), "table.png is one of the pictures. Choose another place."),
            (("other.png", "table.bmp", "--overlay", "."), "--overlay .: other.png is one of the pictures."),
            (
                ("table.bmp", "away/table.png", "--overlay", "out"),
                "Two pictures are called table: their overlays would",
            ),
        ],
    )
    def test_an_overlay_in_the_place_of_a_picture(
        self, folder: Path, arguments: tuple[str, ...], sentence: str
    ) -> None:
        result = vrhcab("read", *arguments)
        assert result.exit_code == 2
        assert sentence in result.stderr
        assert [path.name for path in folder.iterdir()] == ["table.png"]

    @pytest.mark.parametrize(
        "arguments",
        [
            ("read", "table.png", "--corners", CORNERS, "--overlay", "new.png"),
            ("markers", "-o", "new.svg"),
            ("calibrate", "--sheet", "new.svg"),
        ],
    )
    def test_on_a_full_disk_what_was_there_stays(
        self, folder: Path, full_disk: None, arguments: tuple[str, ...]
    ) -> None:
        sentence = vrhcab(*arguments).stderr.splitlines()[-1]
        assert sentence.startswith(f"Error: {arguments[-1]} can't be written: ")
        assert [path.name for path in folder.iterdir()] == ["table.png"]
        Path(arguments[-1]).write_bytes(b"old")
        vrhcab(*arguments)
        assert Path(arguments[-1]).read_bytes() == b"old"

    @pytest.mark.parametrize(
        "arguments",
        [
            ("read", ""),
            ("read", "table.png", "--overlay", ""),
            ("read", "table.png", "--lens", ""),
            ("transcribe", "", "-o", "game.mat"),
            ("transcribe", "film.mp4", "-o", ""),
            ("markers", "-o", ""),
            ("run", "--config", ""),
            ("flash", "--port", ""),
        ],
    )
    def test_no_name_is_no_folder(self, folder: Path, arguments: tuple[str, ...]) -> None:
        result = vrhcab(*arguments)
        assert result.exit_code == 2
        assert "an empty name; for the folder that you are in write a dot." in result.stderr

    @pytest.mark.parametrize(
        ("corners", "sentence"),
        [
            ("60,40 900,40 900,440 60,440", "The corner 900,40 lies outside the picture of 640 x 480 pixels."),
            ("60,40 580,440 580,40 60,440", "The corners cross or lie on one line."),
            ("60,40 60,440 580,440 580,40", "The corners run the wrong way round. Give them clockwise"),
            ("60,40 580,40 580,440", "The corners '60,40 580,40 580,440' hold 6 numbers instead of eight."),
            ("left,40 580,40 580,440 60,440", "'left' in the corners is not a number."),
            ("nan,40 580,40 580,440 60,440", "A corner is not a number."),
            ("60,40 60,40 60,40 60,40", "The corners cross or lie on one line."),
        ],
    )
    def test_corners_that_no_board_has(self, folder: Path, corners: str, sentence: str) -> None:
        assert refused("read", "--corners", corners, "table.png").startswith(sentence)

    def test_a_corners_file_without_that_picture(self, folder: Path) -> None:
        row = {"file": "other.png", "corners": [[60, 40], [580, 40], [580, 440], [60, 440]]}
        written("corners.jsonl", json.dumps(row) + "\n")
        sentence = refused("read", "--corners", "@corners.jsonl", "table.png")
        assert sentence == "The corners file has no line for table.png. Add one with its `file` and `corners`."

    @pytest.mark.parametrize(
        ("text", "sentence"),
        [
            (None, "The corners file 'c.jsonl' can't be read (No such file or directory). Check the path after '@'."),
            ("", "The corners file 'c.jsonl' is empty."),
            ('{"file": "table.png"}\n', "Line 1 of 'c.jsonl' holds no four corners."),
            ('\n{"file": ', "Line 2 of 'c.jsonl' is not JSON."),
        ],
    )
    def test_a_corners_file_that_is_none(self, folder: Path, text: str | None, sentence: str) -> None:
        if text is not None:
            written("c.jsonl", text)
        assert refused("read", "--corners", "@c.jsonl", "table.png").startswith(sentence)


class TestTranscribe:
    def transcribe(self, source: str, *more: str, output: str = "game.mat") -> str:
        return refused("transcribe", source, "--corners", CORNERS, "-o", output, *more)

    @pytest.mark.parametrize(
        ("source", "sentence"),
        [
            ("gone.mp4", "The video 'gone.mp4' is not there."),
            ("notes.mp4", "The video 'notes.mp4' is no video that can be read."),
            ("nothing", "The folder 'nothing' holds no pictures."),
            ("camera:99", "The camera 99 is not there."),
            ("carrier-pigeon:1", "'carrier-pigeon:1' is no source of frames. Use video:FILE"),
        ],
    )
    def test_a_source_without_frames(self, folder: Path, source: str, sentence: str) -> None:
        (folder / "notes.mp4").write_text("no film")
        (folder / "nothing").mkdir()
        assert self.transcribe(source).startswith(sentence)
        assert not (folder / "game.mat").exists()

    def test_a_video_of_nothing(self, folder: Path) -> None:
        film = cv2.VideoWriter("dark.avi", cv2.VideoWriter.fourcc(*"MJPG"), 10, (640, 480))
        for _ in range(15):
            film.write(np.zeros((480, 640, 3), np.uint8))
        film.release()
        sentence = self.transcribe("dark.avi")
        assert "The camera or the board has moved" in sentence or "No board could be read" in sentence

    def test_a_file_whose_name_has_a_colon(self, folder: Path) -> None:
        (folder / "final 20:15.mp4").write_text("no film")
        assert self.transcribe("final 20:15.mp4").startswith("The video 'final 20:15.mp4' is no video")

    def test_corners_outside_the_picture(self, folder: Path) -> None:
        (folder / "frames").mkdir()
        shutil.copy("table.png", "frames/1.png")
        far = "60,40 5800,40 5800,4400 60,4400"
        sentence = refused("transcribe", "frames", "--corners", far, "-o", "game.mat")
        assert sentence.startswith("The corner 5800,40 lies outside the picture of 640 x 480 pixels.")

    @pytest.mark.parametrize(
        ("output", "sentence"),
        [
            ("nowhere/game.mat", "nowhere/game.mat can't be written: there is no folder nowhere."),
            ("taken.mat", "taken.mat can't be written."),
            ("game.doc", "game.doc: choose a name that ends with one of .mat, "),
        ],
    )
    def test_a_place_that_cannot_be_written_is_named_before_the_work(
        self, folder: Path, output: str, sentence: str
    ) -> None:
        (folder / "taken.mat").mkdir()
        # The source is not even looked at.
        assert self.transcribe("gone.mp4", output=output).startswith(sentence)

    @pytest.mark.parametrize(
        ("output", "report"),
        [
            ("game.json", "game.json"),
            ("./game.json", "game.json"),
            ("game.html", "game.json"),
            ("game.mat", "game.mat.json"),
        ],
    )
    def test_a_record_in_the_place_of_its_report(self, folder: Path, output: str, report: str) -> None:
        sentence = self.transcribe("gone.mp4", "--report", report, output=output)
        assert sentence.endswith("would be the record and the report, too. Choose another name for one of them.")

    def test_a_record_in_the_place_of_anothers_report(self, folder: Path) -> None:
        (folder / "out").mkdir()
        sentence = refused("transcribe", "game.mp4", "game-report.mp4", "-o", "out", "--report", "out")
        assert sentence.startswith("out/game-report.json would be the record and the report, too.")

    def test_several_recordings_need_a_folder(self, folder: Path) -> None:
        result = vrhcab("transcribe", "one.mp4", "two.mp4", "-o", "game.mat")
        assert result.exit_code == 2
        assert "game.mat is no folder. Several recordings need one, for a file each." in result.stderr

    @pytest.mark.parametrize("films", [("1.mp4",), ("1.mp4", "2.mp4")])
    def test_the_folder_for_those_of_a_folder_is_made(self, folder: Path, films: tuple[str, ...]) -> None:
        (folder / "films").mkdir()
        for name in films:
            (folder / "films" / name).write_text("no film")
        result = vrhcab("transcribe", "films", "-o", "made/records", "--report", "made/reports")
        assert result.stderr.count("is no video that can be read") == len(films)
        assert sorted(path.name for path in (folder / "made").iterdir()) == ["records", "reports"]

    def test_two_recordings_of_one_name(self, folder: Path) -> None:
        (folder / "out").mkdir()
        sentence = refused("transcribe", "mon/game.mp4", "tue/game.mkv", "-o", "out")
        assert sentence.startswith("Two recordings are called game: ")

    @pytest.mark.parametrize("jobs", ["1", "2"])
    def test_what_is_wrong_with_one_recording_is_told_and_the_others_go_on(self, folder: Path, jobs: str) -> None:
        (folder / "out").mkdir()
        (folder / "films").mkdir()
        for name in ("1.mp4", "2.mp4"):
            (folder / "films" / name).write_text("no film")
        result = vrhcab("transcribe", "films", "gone.mp4", "-o", "out", "--jobs", jobs)
        assert result.exit_code == 1
        assert len(re.findall(r"^Error: films/[12].mp4: The video .* is no video", result.stderr, re.MULTILINE)) == 2
        assert "Error: gone.mp4: The video 'gone.mp4' is not there." in result.stderr
        assert not list((folder / "out").iterdir())

    def test_a_folder_of_films_and_pictures(self, folder: Path) -> None:
        (folder / "film.mp4").touch()
        assert refused("transcribe", ".", "-o", "game.mat").startswith(". holds films and pictures.")

    def test_a_record_that_is_whole_stays_as_it_is(self, folder: Path) -> None:
        (folder / "game.json").write_text("mine")
        result = vrhcab("transcribe", "gone.mp4", "-o", "game.json", "--resume")
        assert (result.exit_code, result.stdout) == (0, "game.json: is there already\n")
        assert (folder / "game.json").read_text() == "mine"

    def test_names_without_a_comma(self, folder: Path) -> None:
        sentence = self.transcribe("gone.mp4", "--names", "Anna and Boris")
        assert sentence == "Give both names with a comma between them, for example --names Anna,Boris."

    def test_rules_that_there_are_not(self, folder: Path) -> None:
        sentence = self.transcribe("gone.mp4", "--rules", "chess")
        assert sentence.startswith("There is no rule set 'chess'. Choose one of match, ")


class TestPlays:
    @pytest.mark.parametrize(
        ("arguments", "sentence"),
        [
            (("nonsense", "65"), "'nonsense'"),
            (("4HPwATDgc/ABM!", "65"), "'4HPwATDgc/ABM!'"),
            (("4HPwATDgc/ABMA", "70"), "'70' is no roll. Write two numbers from 1 to 6, for example 65."),
            (("4HPwATDgc/ABMA", "6"), "'6' is no roll."),
            (("4HPwATDgc/ABMA", "65", "--rules", "chess"), "There is no rule set 'chess'."),
            (("4HPwATDgc/ABMA", "65", "--set", "stack=5"), "There is no rule stack; "),
            (("4HPwATDgc/ABMA", "65", "--set", "egyptian"), "'egyptian' sets no rule. Write key=value"),
            (
                ("4HPwATDgc/ABMA", "65", "--set", "session=money", "--set", "cube.crawford=true"),
                "cube.crawford = true needs a match",
            ),
        ],
    )
    def test_a_question_that_makes_no_sense(self, arguments: tuple[str, ...], sentence: str) -> None:
        assert sentence in refused("plays", *arguments)

    def test_a_single_rule_is_set_over_the_rule_set(self) -> None:
        """By the Egyptian rule none may come to point 6, where five stand."""
        asked = ("plays", START, "21", "--rules", "text-002")
        usual, egyptian = (vrhcab(*asked, *more).stdout for more in ((), ("--set", "move.stack_limit=5")))
        assert "8/6" in usual
        assert "8/6" not in egyptian

    @pytest.mark.parametrize(
        "nonsense",
        [
            b"who plays?",
            b'{"pid": "4HPwATDgc/ABMA"}',
            b'{"pid": "4HPwATDgc/ABMA", "dice": [7, 1]}',
            b'{"pid": "4HPwATDgc/ABMA", "dice": [6]}',
            b'{"pid": "4HPwATDgc/ABMA", "dice": 65}',
            b'{"pid": "nonsense", "dice": [6, 5]}',
            b'["4HPwATDgc/ABMA", [6, 5]]',
            b"\xff\xfe\x00",
            b"[" * 20_000,
        ],
    )
    def test_nonsense_in_a_batch_is_named_by_its_line_and_the_answers_before_it_stay(self, nonsense: bytes) -> None:
        good = b'{"pid": "4HPwATDgc/ABMA", "dice": [3, 1]}\n\n'
        result = vrhcab("plays", "--batch", stdin=good + nonsense + b"\n")
        assert result.exit_code == 1
        assert len(json.loads(result.stdout)["results"]) == 16
        (line,) = result.stderr.splitlines()
        assert line.startswith("Error: Line 3 is no question about plays: ")
        assert ".. Write" not in line
        assert line.endswith('Write {"pid": "4HPwATDgc/ABMA", "dice": [6, 5]}.')


class TestSettings:
    @pytest.mark.parametrize(
        ("text", "sentence"),
        [
            (
                '[camera]\nsorce = "camera:0"',
                "[camera] has no key 'sorce'. Did you mean 'source'? Allowed: corners, fps,",
            ),
            ("[web]\nport = 'eighty'", 'web.port should be a whole number from 1 to 65535, but it is "eighty".'),
            (
                "[kamera]\n",
                "there is no section [kamera]. Did you mean 'camera'? Allowed: analysis, camera, hub, journal,",
            ),
            ("[camera\n", "is not TOML"),
            ('[camera]\nsource = "carrier-pigeon"\ncorners = 5', "camera.corners should be a text in"),
            ('[rules]\npreset = "chess"', "chess"),
        ],
    )
    def test_what_is_wrong_is_named_with_what_is_allowed(self, folder: Path, text: str, sentence: str) -> None:
        written("table.toml", text)
        assert sentence in refused("run", "--config", "table.toml")

    @pytest.mark.parametrize(
        ("arguments", "sentence"),
        [
            (("--set", "cube.bever=1"), "There is no rule cube.bever; did you mean cube.beavers?"),
            (("--rules", "money", "--length", "7"), "By the rules 'money' money is played for"),
            (("--rules", "text-000", "--set", "match.games=3", "--length", "7"), "Either 7 points end the match or 3"),
        ],
    )
    def test_rules_that_cannot_be_played(self, folder: Path, arguments: tuple[str, ...], sentence: str) -> None:
        assert refused("run", "--source", "none", *arguments).startswith(sentence)

    def test_a_file_that_is_not_there(self, folder: Path) -> None:
        assert refused("run", "--config", "gone.toml").startswith("The configuration 'gone.toml' can't be read")

    @pytest.mark.parametrize(
        "source", ["carrier-pigeon:1", "camera:front", "camera:", "camera:2147483648", "video:", "frames: "]
    )
    def test_a_source_that_can_never_be(self, folder: Path, source: str) -> None:
        sentence = refused("run", "--source", source, "--corners", CORNERS, "--port", str(free_port()))
        assert sentence.startswith(
            f"{source.strip()!r} is no source of frames. Use video:FILE, frames:FOLDER, camera:0"
        )

    def test_pictures_without_a_board(self, folder: Path) -> None:
        sentence = refused("transcribe", ".", "-o", "game.mat")
        assert sentence.startswith("No backgammon board is found in the picture.")
        result = vrhcab("read", "table.png")
        assert result.exit_code == 1
        assert "board is found" in json.loads(result.stdout)["error"]


class TestRecords:
    """The commands on records: what is not there, is none, or can't be written."""

    MATCH = " 1 point match\n\n Game 1\n Jana : 0              Petr : 0\n  1) 31: 8/5 6/5\n"

    @pytest.mark.parametrize(
        ("arguments", "sentence"),
        [
            (("convert", "gone.mat", "new.sgf"), "gone.mat can't be read: No such file or directory."),
            (("convert", "match.mat", "new.doc"), "new.doc: choose a name that ends with one of .mat, "),
            (("convert", "match.mat", "nowhere/new.sgf"), "nowhere/new.sgf can't be written: "),
            (("analyse", "gone.mat"), "gone.mat can't be read: No such file or directory."),
            (("backup", "all.zip", "--journal", "gone.sqlite3"), "There is no journal at gone.sqlite3."),
            (("restore", "gone.zip"), "gone.zip can't be read: No such file or directory."),
            (
                ("archive", "--archive", "match.mat/a.db", "import", "x.mat"),
                "The archive match.mat/a.db can't be used: ",
            ),
            (("archive", "--archive", "match.mat", "list"), "The archive match.mat can't be used: "),
            (
                ("archive", "--archive", "a.db", "tag", "7", "final"),
                "There is no archive at a.db yet; begin one with: ",
            ),
        ],
    )
    def test_bad_input(self, folder: Path, arguments: tuple[str, ...], sentence: str) -> None:
        written("match.mat", self.MATCH)
        assert refused(*arguments).startswith(sentence)
        assert Path("match.mat").read_text("utf-8") == self.MATCH

    def test_an_archive_takes_what_is_a_record_and_names_what_is_none(self, folder: Path) -> None:
        written("match.mat", self.MATCH)
        archive = ("archive", "--archive", "a.db")
        result = vrhcab(*archive, "import", "match.mat", "table.png")
        assert result.exit_code == 1
        assert result.stdout == "1 added, 1 read, 1 refused.\n"
        assert result.stderr.startswith("table.png")
        assert "Jana - Petr" in vrhcab(*archive, "list").stdout
        assert refused(*archive, "tag", "7", "final") == "There is no match 7 in the archive a.db."


BEGUN: tuple[AnyEvent, ...] = (
    MatchStarted(length=5, light="Jana", dark="Petr", rules="match", position=START),
    GameStarted(number=1),
    Rolled(side=Side.DARK, dice=(6, 2), seconds=7.5),
)


def store(path: Path, *events: AnyEvent, version: int = VERSION) -> list[str]:
    """A journal with these events; what lies in it."""
    with Journal(path) as journal:
        for event in events:
            journal.append(kind(event), version, encode(event), "board-1", "match-1", 1)
    return [event.payload for event in read_events(path)]


class TestJournal:
    def run(self, journal: Path) -> str:
        arguments = ("run", "--source", "camera:99", "--corners", CORNERS, "--journal", str(journal))
        return refused(*arguments, "--port", str(free_port()))

    def test_an_event_of_a_newer_version_is_left_alone(self, folder: Path) -> None:
        path = folder / "games.sqlite3"
        before = store(path, *BEGUN, version=VERSION + 1)
        assert "newer version of Vrhcáb" in self.run(path)
        assert [event.payload for event in read_events(path)] == before

    def test_a_journal_of_a_newer_version_is_left_alone(self, folder: Path) -> None:
        path = folder / "games.sqlite3"
        store(path, *BEGUN)
        with sqlite3.connect(path) as database:
            database.execute("PRAGMA user_version = 99")
        database.close()
        before = path.read_bytes()
        assert "was written by a newer vrhcab (journal version 99" in self.run(path)
        assert path.read_bytes() == before

    def test_a_file_that_is_no_journal_is_left_alone(self, folder: Path) -> None:
        path = Path(written("notes.txt", "White won, 7-5.\n")).absolute()
        assert "is not a journal" in self.run(path)
        assert path.read_text() == "White won, 7-5.\n"

    def test_another_programs_database_is_left_alone(self, folder: Path) -> None:
        path = folder / "recipes.sqlite3"
        with sqlite3.connect(path) as database:
            database.execute("CREATE TABLE recipes (name TEXT)")
        database.close()
        before = path.read_bytes()
        assert "is a database of some other program, not a journal" in self.run(path)
        assert path.read_bytes() == before

    def test_one_that_another_referee_writes_to(self, folder: Path) -> None:
        path = folder / "games.sqlite3"
        store(path, *BEGUN)
        with Journal(path):
            assert "Another vrhcab already writes to" in self.run(path)

    def test_one_that_another_process_writes_to(self, folder: Path) -> None:
        path = folder / "games.sqlite3"
        arguments = ("run", "--source", "camera:99", "--corners", CORNERS, "--journal", str(path))
        with running(folder, *arguments) as program:
            program.wait_until(program.state)
            assert "Another vrhcab already writes to" in self.run(path)
            assert program.state()
            assert program.stop() == 0

    def test_a_place_that_can_not_be_written(self, folder: Path) -> None:
        written("file", "no folder")
        sentence = self.run(folder / "file" / "games.sqlite3")
        assert sentence.startswith(f"The journal {folder}/file/games.sqlite3 can't be opened for writing: ")

    def test_a_new_demo_leaves_a_running_demos_journal(self, folder: Path) -> None:
        path = folder / "state" / "vrhcab" / "demo-1-some-3.sqlite3"
        before = store(path, *BEGUN)
        with Journal(path):
            assert "Another vrhcab already writes to" in refused("demo", "--new", "--port", str(free_port()))
        assert [event.payload for event in read_events(path)] == before

    def test_a_folder_in_its_place(self, folder: Path) -> None:
        assert "it is a folder; the journal needs a file name." in self.run(folder)


class TestPort:
    @pytest.mark.parametrize("command", [("run", "--source", "camera:99", "--corners", CORNERS), ("demo",)])
    def test_in_use(self, folder: Path, command: tuple[str, ...]) -> None:
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = str(taken.getsockname()[1])
            assert refused(*command, "--port", port).startswith(f"Port {port} is in use by another program.")

    def test_of_another_machine(self, folder: Path) -> None:
        sentence = refused("demo", "--host", "192.0.2.1", "--port", str(free_port()))
        assert '"192.0.2.1" is no address of this machine' in sentence


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("camera:99", "The camera 99 is not there."),
        ("picamera", "The source 'picamera' needs picamera2, which is not installed here."),
        ("frames:film", "The folder 'film' has ended after 2 frames."),
    ],
)
def test_a_source_that_is_away_is_waited_for_and_the_game_so_far_stays(
    folder: Path, source: str, sentence: str
) -> None:
    if source == "picamera" and _has_picamera():
        pytest.skip("picamera2 is installed here")
    (folder / "film").mkdir()
    for name in "12":
        shutil.copy("table.png", f"film/{name}.png")
    path = folder / "games.sqlite3"
    before = store(path, *BEGUN)
    with running(folder, "run", "--source", source, "--corners", CORNERS, "--journal", str(path)) as program:
        view = program.wait_until(lambda: sentence in program.output and program.state())
        assert (view["light"]["name"], view["phase"], view["turn"]) == ("Jana", "to play", "dark")
        assert program.process.poll() is None
        assert program.stop() == 0
        assert "Traceback" not in program.output
    assert [event.payload for event in read_events(path)][: len(before)] == before


def _has_picamera() -> bool:
    try:
        import picamera2  # noqa: F401
    except ImportError:
        return False
    return True


@pytest.mark.parametrize(
    "arguments",
    [
        ("referee",),
        ("read", "--corners", CORNERS),
        ("plays",),
        ("plays", "4HPwATDgc/ABMA"),
        ("transcribe", "film.mp4", "--corners", CORNERS),
        ("transcribe", "film.mp4", "--corners", CORNERS, "-o", "game.mat", "--home", "upstairs"),
        ("demo", "--errors", "lots"),
        ("demo", "--speed", "0"),
        ("run", "--port", "eighty"),
        ("hub", "demo", "--pace", "nan"),
    ],
)
def test_wrong_usage_exits_2_with_a_hint(arguments: tuple[str, ...]) -> None:
    result = vrhcab(*arguments)
    assert result.exit_code == 2
    assert "Error: " in result.stderr
    assert "--help" in result.stderr


def every_command(group: click.Group, *path: str) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield (*path, name), command
        if isinstance(command, click.Group):
            yield from every_command(command, *path, name)


@pytest.mark.parametrize("group", [(), ("archive",), ("hub",)])
def test_the_list_of_commands_says_a_whole_sentence_of_each(folder: Path, group: tuple[str, ...]) -> None:
    listed = vrhcab(*group, "--help").stdout.partition("Commands:")[2]
    assert listed
    assert "..." not in listed


def test_every_command_says_in_its_help_what_it_does(folder: Path) -> None:
    found = dict(every_command(main))
    records = {("check",), ("convert",), ("analyse",), ("backup",), ("restore",), ("archive",), ("archive", "import")}
    assert {("run",), ("demo",), ("read",), ("transcribe",), ("plays",), *records} <= set(found)
    for path, command in found.items():
        # A group's own required options come before its command's name.
        before = ("archive", "--archive", "matches.db") if path[0] == "archive" and len(path) > 1 else path[:-1]
        result = vrhcab(*before, path[-1], "--help")
        assert result.exit_code == 0
        assert command.help is not None
        assert " ".join(command.help.split())[:40] in " ".join(result.stdout.split())


class TestFaults:
    """What nobody foresaw comes as a sentence too."""

    @pytest.mark.parametrize(
        ("error", "sentence"),
        [
            (JournalError("The disk is full."), "The disk is full."),
            (MemoryError(), "This machine ran out of memory. Close other programs, or use smaller pictures."),
            (ValueError("embedded null byte"), "The name of a file can't hold a zero byte."),
            (ValueError("stat: embedded null character in path"), "The name of a file can't hold a zero byte."),
            (
                OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "games.mat"),
                "games.mat: No space left on device. Check the path, its permissions and the disk.",
            ),
        ],
    )
    def test_each_error_has_its_sentence(self, error: Exception, sentence: str) -> None:
        assert (sentence_of_error(error) or "").startswith(sentence)

    def test_opencv_without_memory_is_told_from_a_picture_that_opencv_can_not_take(self) -> None:
        with pytest.raises(cv2.error) as caught:
            cv2.resize(np.zeros((4, 4, 3), np.uint8), (0, 0))
        said = sentence_of_error(caught.value) or ""
        assert said.startswith("OpenCV can't work with this picture or video (")
        assert "\n" not in said
        caught.value.code = -4
        assert (sentence_of_error(caught.value) or "").startswith("This machine ran out of memory.")

    @pytest.mark.parametrize("fault", [KeyError("dice"), ValueError("dice"), RuntimeError("dice"), OSError("dice")])
    def test_a_fault_of_the_program_shows_where_it_lies(
        self, monkeypatch: pytest.MonkeyPatch, fault: Exception
    ) -> None:
        def faulty(*_: object) -> None:
            raise fault

        monkeypatch.setattr("controller.cli.plays.plays_of", faulty)
        result = vrhcab("plays", "4HPwATDgc/ABMA", "65")
        *above, last = result.stderr.splitlines()
        assert result.exit_code == 1
        assert above[0] == "Traceback (most recent call last):"
        assert any("in faulty" in line for line in above)
        assert last.startswith(f"Error: Vrhcáb met a fault of its own ({type(fault).__name__}).")


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        ("--version >/dev/full", 1, "Error: The system: No space left on device."),
        ("--help >/dev/full", 1, "Error: The system: No space left on device."),
        ("plays --help >/dev/full", 1, "Error: The system: No space left on device."),
        ("plays 4HPwATDgc/ABMA 31 >&-", 1, "Error: What was to be printed is lost: standard output is closed."),
        ("plays 4HPwATDgc/ABMA 31 >&- 2>&-", 1, ""),
        ("plays --batch <&-", 0, ""),
        ("read none.jpg 2>&-", 1, ""),
    ],
)
def test_streams_that_are_full_or_closed(arguments: str, status: int, sentence: str) -> None:
    program = '"$0" -c "from controller.cli.main import program; program()"'
    command = ["sh", "-c", f"exec {program} {arguments}", sys.executable]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == status
    assert done.stderr.startswith(sentence)
    assert len(done.stderr.splitlines()) == bool(sentence)


PRESSED_AT = """
import os, signal, sys
class Pressed:
    def find_spec(name, *rest):
        if name == {name!r}:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Pressed)
signal.signal(signal.SIGINT, signal.default_int_handler)  # the tests may have been begun where it is ignored
sys.argv = ["vrhcab", "pin"]
from controller.cli.entry import program
program()
"""
"""Ctrl-C while that module is looked for."""


@pytest.mark.parametrize(
    ("name", "status", "said"),
    [
        ("controller.cli.main", -signal.SIGINT, ""),
        ("controller.rules", -signal.SIGINT, ""),
        ("controller.cli.pin", 1, "Aborted!"),
    ],
)
def test_ctrl_c_before_a_command_has_begun_shows_no_traceback(name: str, status: int, said: str) -> None:
    code = PRESSED_AT.format(name=name)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.strip()) == (status, said)


def test_a_name_that_is_no_text_can_be_told(folder: Path) -> None:
    code = "from controller.cli.main import program; program()"
    command = [sys.executable, "-c", code, "markers", "-o", os.fsdecode(b"sheet\xff.svg")]
    environment = os.environ | {"PYTHONIOENCODING": "utf-8:strict"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("sheet\\udcff.svg: print it at 100 %")


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="Only Linux says how many threads a process has.")
def test_numpy_does_not_share_small_matrices_out_among_the_cores() -> None:
    """On a machine of one core there is nothing to share among, and this says nothing."""
    code = (
        "import os, sys; from controller.cli.main import program\n"
        "sys.argv = ['vrhcab', '--version']\n"
        "try: program()\n"
        "except SystemExit: pass\n"
        "import numpy; print(len(os.listdir('/proc/self/task')))"
    )
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    said = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert said.stdout.splitlines()[-1] == "1"
