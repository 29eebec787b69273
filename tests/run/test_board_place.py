"""Whatever is kept or set about where the board lies, the page comes up, says so, and does so again at the next start."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.programs import running

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


def test_corners_of_the_command_line_outside_the_picture(tmp_path: Path) -> None:
    with running(tmp_path, "run", "--source", f"frames:{frames(tmp_path)}", "--corners", OUTSIDE) as program:
        program.wait_until(lambda: (view := program.state()) and "outside the picture of 640 x 480" in view["camera"])
        assert program.stop() == 0
