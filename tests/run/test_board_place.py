"""Whatever is kept or set about where the board lies, the page comes up, says so, and does so again at the next start."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from controller.app.board_place import AGAIN, OTHERS, name_place, save_place, saved_place
from controller.config import config_from, load_config
from controller.referee.session import MatchPlan
from controller.rules import MATCH
from controller.run.build import place_of, table_of
from tests.programs import running
from vision.pictures.files import parse_corners

OUTSIDE = "700,40 1280,40 1280,440 700,440"


def frames(folder: Path) -> Path:
    """A folder with one picture of 640 x 480 in which no board is."""
    (folder / "pictures").mkdir()
    cv2.imwrite(str(folder / "pictures" / "1.png"), np.full((480, 640, 3), 60, np.uint8))
    return folder / "pictures"


@pytest.mark.parametrize(
    ("kept", "said", "starts"),
    [
        (f'{{"type": "table", "corners": "{OUTSIDE}", "home": "top-left"}}', "outside the picture of 640 x 480", 2),
        ("[" * 3000, "does not say where the board lies", 1),
    ],
)
def test_a_table_file_that_no_board_fits(tmp_path: Path, kept: str, said: str, starts: int) -> None:
    source = f"frames:{frames(tmp_path)}"
    (tmp_path / "vrhcab").mkdir()
    (tmp_path / "vrhcab" / "table.json").write_text(kept, "utf-8")
    (tmp_path / "vrhcab" / "journal.set-up.json").write_text('{"step":' * 900, "utf-8")
    for _ in range(starts):
        with running(tmp_path, "run", "--source", source) as program:
            state = program.wait_until(lambda: (view := program.state()) and said in view["camera"] and view)
            assert "set-up" in state["camera"]
            assert state["panel"] == ["no view of the board"]
            assert program.stop() == 0
            assert "Traceback" not in program.output


@pytest.mark.parametrize(
    ("corners", "said"),
    [
        ("left of the lamp", "is not a number"),
        ("0,0 9,9 9,0 0,9", "The corners cross"),
        ("60,40 580,40", "hold 4 numbers instead of eight"),
        ("nan,40 580,40 580,440 60,440", "Show the board's corners again in the set-up"),
        ("@", "can't be read"),
        ("@none.jsonl", "No such file"),
        ("@\0", "a zero byte"),
    ],
)
def test_corners_of_the_settings_that_no_board_has(tmp_path: Path, corners: str, said: str) -> None:
    settings = tmp_path / "vrhcab.toml"
    settings.write_text(f"[journal]\npath = 'journal.sqlite3'\n[camera]\ncorners = {json.dumps(corners)}\n", "utf-8")
    config, plan = load_config(settings), MatchPlan(MATCH, 5)
    table = table_of(config, plan, config.camera.source)
    assert table.corners is None
    assert said in table.refused
    assert table.refused.endswith(AGAIN)

    shown = "60,40 580,40 580,440 60,440"
    save_place(tmp_path / "table.json", shown, "top-left", (640, 480))
    table = table_of(config, plan, config.camera.source)
    assert (table.light_home, table.size, table.refused) == ("top-left", (640, 480), "")
    assert table.corners is not None
    assert table.corners.tolist() == parse_corners(shown).tolist()


@pytest.mark.parametrize(
    ("shown_in", "source", "used"),
    [
        ("camera:0", "camera:0", True),
        ("camera:0", "camera:/dev/video0", True),
        ("camera:0", "camera:/dev/v4l/by-id/usb-a-video-index0", False),
        ("camera:0", "picamera", False),
        ("camera:0", "video:a.mp4", False),
        (None, "picamera", True),
    ],
)
def test_corners_that_were_shown_in_pictures_of_another_source_say_nothing(
    tmp_path: Path, shown_in: str | None, source: str, used: bool
) -> None:
    """A camera that the settings did not name then, or a film that is refereed where a camera is otherwise; long ago no source was
    kept."""
    config = config_from({"journal": {"path": str(tmp_path / "journal.sqlite3")}})
    save_place(tmp_path / "table.json", "60,40 580,40 580,440 60,440", "top-left", (640, 480), shown_in)
    table = table_of(config, MatchPlan(MATCH, 5), source)
    assert (table.corners is not None, table.source, table.refused) == (used, source, "")
    assert table.light_home == ("top-left" if used else config.camera.light_home)


def test_corners_shown_in_a_film_take_no_place_from_those_of_the_camera(tmp_path: Path) -> None:
    file, live, filmed = tmp_path / "table.json", "60,40 580,40 580,440 60,440", "70,50 570,50 570,430 70,430"
    save_place(file, "1,1 9,1 9,9 1,9", "top-left", None)
    for number in range(OTHERS - 1):
        save_place(file, filmed, "top-right", (640, 480), f"video:{number}.mp4")
    save_place(file, live, "top-left", (640, 480), "camera:0")
    for size in ((640, 360), (640, 480)):
        save_place(file, filmed, "bottom-left", size, "video:a.mp4")

    def shown(source: str) -> tuple[list[list[float]], str, tuple[int, int] | None] | None:
        place = saved_place(file, source)
        return place and (place.corners.tolist(), place.home, place.size)

    of_film = (parse_corners(filmed).tolist(), "bottom-left", (640, 480))
    assert (shown("camera:0"), shown("video:a.mp4"), shown("picamera")) == (
        (parse_corners(live).tolist(), "top-left", (640, 480)),
        of_film,
        None,
    )
    assert shown("video:0.mp4") is not None
    save_place(file, filmed, "top-left", None, "video:b.mp4")
    assert shown("video:0.mp4") is None  # so many are kept, and no more
    assert (shown("video:a.mp4"), shown("picamera")) == (of_film, None)


def test_corners_that_were_shown_when_nobody_named_a_source_are_those_of_the_camera_that_is_left(
    tmp_path: Path,
) -> None:
    """As an older version kept them: they hold for whatever camera is used, until another is chosen."""
    file = tmp_path / "table.json"
    name_place(file, "camera:0")
    assert not file.exists()
    save_place(file, "60,40 580,40 580,440 60,440", "top-left", (640, 480))
    assert saved_place(file, "picamera") is not None
    name_place(file, "camera:0")
    assert saved_place(file, "picamera") is None
    assert saved_place(file, "camera:0") is not None
    file.write_bytes(b"{")
    name_place(file, "camera:0")
    assert file.read_bytes() == b"{"


@pytest.mark.parametrize(("source", "used"), [("camera:0", True), ("picamera", False), ("none", False)])
def test_corners_of_the_settings_say_nothing_of_another_source(tmp_path: Path, source: str, used: bool) -> None:
    camera = {"source": "camera:0", "corners": "60,40 580,40 580,440 60,440"}
    config = config_from({"journal": {"path": str(tmp_path / "journal.sqlite3")}, "camera": camera})
    assert (place_of(config, source) is not None) is used
    assert (table_of(config, MatchPlan(MATCH, 5), source).corners is not None) is used


@pytest.mark.parametrize(
    ("source", "kept"), [("camera:0", True), ("picamera", True), ("video:a.mp4", False), ("frames:a", False)]
)
@pytest.mark.parametrize("corners", ["60,40 580,40 580,440 60,440", None])
def test_a_recording_writes_nothing_over_what_the_camera_s_table_has_taught(
    tmp_path: Path, corners: str | None, source: str, kept: bool
) -> None:
    path = str(tmp_path / "journal.sqlite3")
    config = config_from({"journal": {"path": path}, "camera": {"corners": corners} if corners else {}})
    table = table_of(config, MatchPlan(MATCH, 5), source)
    assert table.learnt == (tmp_path / "learnt.json" if kept else None)


def test_the_page_comes_up_with_corners_of_no_board_in_the_settings(tmp_path: Path) -> None:
    settings = tmp_path / "vrhcab.toml"
    settings.write_text(f'[camera]\nsource = "frames:{frames(tmp_path)}"\ncorners = "left of the lamp"\n', "utf-8")
    with running(tmp_path, "run", "--config", str(settings)) as program:
        state = program.wait_until(
            lambda: (view := program.state()) and "'left' in the corners" in view["camera"] and view
        )
        assert "set-up" in state["camera"]
        assert program.stop() == 0
        assert "'left' in the corners" in program.output


def test_corners_of_the_command_line_outside_the_picture(tmp_path: Path) -> None:
    with running(tmp_path, "run", "--source", f"frames:{frames(tmp_path)}", "--corners", OUTSIDE) as program:
        program.wait_until(lambda: (view := program.state()) and "outside the picture of 640 x 480" in view["camera"])
        assert program.stop() == 0
