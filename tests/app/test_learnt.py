"""What a table taught is kept for the next start, shown, and forgotten when somebody says so."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from controller.app.camera import BoardCamera
from controller.app.learnt import LearntError, learnt_path, save_learnt, saved_learnt
from controller.app.table import Table
from controller.cli.main import main
from controller.referee.commands import SetTable
from controller.referee.session import MatchPlan, Session
from controller.rules import MATCH
from controller.tracking.dice import Faces
from tests.vision.reading.test_lessons import START, begun, lesson
from vision.reading.appearance import Appearance
from vision.watching.watcher import Watcher

CORNERS = np.array([[40, 30], [280, 30], [280, 210], [40, 210]], np.float32)


def learnt() -> Appearance:
    light, dark = np.array([140, 120, 130], np.float32), np.array([90, 140, 120], np.float32)
    return Appearance(light, dark, (0.47, 0.53), positions=3, lessons=begun(lesson(n0=1)))


DICE = Faces().thrown((1, 1), (4, 1)).thrown((6, 2), (6, 0))
"""Four that the plays have told, of which one was taken for another and one not found."""


def camera(file: Path, said: list[str], source: str | None = None) -> BoardCamera:
    table = Table(MatchPlan(MATCH, 7), None, "bottom-right", learnt=file, source=source)
    return BoardCamera(table, said.append, key_frames=True)


def test_it_comes_back_as_it_was_but_for_the_bar_s_place(tmp_path: Path) -> None:
    before, file = learnt(), tmp_path / "learnt.json"
    since = save_learnt(file, before, DICE, None)
    assert save_learnt(file, before, DICE, since) == since
    kept = saved_learnt(file)
    assert kept is not None
    after = kept.appearance
    assert (after.positions, after.bar, kept.since) == (3, None, since)
    assert before.lessons is not None
    assert after.lessons is not None
    seen = lesson(picture=5).seen
    for one, other in zip(before.lessons.corrected(seen), after.lessons.corrected(seen), strict=True):
        assert np.abs(one - other).max() < 0.2
    assert (after.lessons.lessons[0].columns == START).all()
    assert kept.faces == DICE


@pytest.mark.parametrize("text", ["", "{}", "[1, 2]", '{"since": 3}', "\x00" * 50])
def test_a_damaged_file_is_named_and_nothing_is_lost(tmp_path: Path, text: str) -> None:
    file, said = tmp_path / "learnt.json", []
    file.write_text(text, "utf-8")
    with pytest.raises(LearntError, match="does not say what the table taught"):
        saved_learnt(file)
    assert camera(file, said).watcher.appearance is None
    assert "vrhcab learn --forget" in said[0]


def test_arrays_of_another_shape_or_without_numbers_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "learnt.json"
    save_learnt(file, learnt(), DICE, None)
    whole = json.loads(file.read_text("utf-8"))
    for name, value in (
        ("side", whole["lessons"][0]["colour"]),
        ("columns", [99] * 24),
        ("known", ""),
        ("bar", [0, -1]),
        ("coloured", "A" * 32),  # none of the 24 columns
    ):
        damaged = json.loads(file.read_text("utf-8"))
        damaged["lessons"][0][name] = value
        (tmp_path / "damaged.json").write_text(json.dumps(damaged), "utf-8")
        with pytest.raises(LearntError):
            saved_learnt(tmp_path / "damaged.json")
    for dice in ([[0.0] * 7] * 5, [[0.0] * 7] * 5 + [[0.0] * 6], [[-1.0] * 7] * 6, [[1e308] * 7] * 6, [["1"] * 7] * 6):
        (tmp_path / "damaged.json").write_text(json.dumps(whole | {"dice": dice}), "utf-8")
        with pytest.raises(LearntError):
            saved_learnt(tmp_path / "damaged.json")


def test_of_what_corrected_another_network_only_the_colours_are_used(tmp_path: Path) -> None:
    file = tmp_path / "learnt.json"
    save_learnt(file, learnt(), DICE, None)
    for older in ({"network": "0" * 16}, {}):
        kept = json.loads(file.read_text("utf-8"))
        del kept["network"]
        file.write_text(json.dumps(kept | older), "utf-8")
        after = saved_learnt(file)
        assert after is not None
        assert after.appearance.lessons is None
        assert (after.appearance.light == learnt().light).all()
        save_learnt(file, learnt(), DICE, None)


def test_of_what_was_written_before_there_were_textures_only_the_colours_are_used(tmp_path: Path) -> None:
    file = tmp_path / "learnt.json"
    save_learnt(file, learnt(), DICE, None)
    kept = json.loads(file.read_text("utf-8"))
    for one in kept["lessons"]:
        del one["texture"]
    file.write_text(json.dumps(kept), "utf-8")
    after = saved_learnt(file)
    assert after is not None
    assert after.appearance.lessons is None
    assert (after.appearance.dark == learnt().dark).all()


def test_what_was_written_before_dice_were_kept_is_used_without_them(tmp_path: Path) -> None:
    file = tmp_path / "learnt.json"
    save_learnt(file, learnt(), DICE, None)
    kept = json.loads(file.read_text("utf-8"))
    del kept["dice"]
    file.write_text(json.dumps(kept), "utf-8")
    after = saved_learnt(file)
    assert after is not None
    assert after.appearance.lessons is not None
    assert after.faces == Faces()


def test_what_one_camera_has_taught_is_used_for_no_other_that_the_settings_come_to_name(tmp_path: Path) -> None:
    file, said = tmp_path / "learnt.json", []
    first = camera(file, said, "camera:0")
    first.watcher.appearance, first.faces = replace(learnt(), positions=1), DICE
    first._keep_learnt()
    for source, known in (("camera:0", True), ("picamera", False), (None, True)):
        later = camera(file, said, source)
        assert (later.watcher.appearance is not None, later.faces) == (known, DICE if known else Faces())
    other = camera(file, said, "picamera")
    other.watcher.appearance = replace(learnt(), positions=1)
    other._keep_learnt()
    assert camera(file, said, "camera:0").watcher.appearance is None
    assert said == []


def test_another_camera_forgets_and_learns_anew(tmp_path: Path) -> None:
    file, said = tmp_path / "learnt.json", []
    save_learnt(file, learnt(), DICE, None)
    running = camera(file, said)
    running.forget("picamera")
    assert (running.watcher.appearance, running.faces, file.exists()) == (None, Faces(), False)
    running.watcher.appearance = replace(learnt(), positions=1)
    running._keep_learnt()
    assert file.exists()
    assert said == []


def test_what_can_t_be_kept_is_learnt_all_the_same_and_said_so_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    running = camera(tmp_path / "nowhere" / "learnt.json", said)

    def teach(watcher: Watcher, _: Session) -> None:
        watcher.appearance = replace(learnt(), positions=1)

    monkeypatch.setattr("controller.app.camera.teach", teach)
    for _ in range(2):
        running.learn(Session(running._table.plan, "bottom-right", faces=running.faces))
    assert len(said) == 1
    assert "can't be written" in said[0]
    assert "Nothing was learnt" not in said[0]
    assert running.watcher.appearance is not None


def test_where_the_bar_lay_is_forgotten_when_somebody_shows_other_corners(tmp_path: Path) -> None:
    running = camera(tmp_path / "learnt.json", [])
    running.watcher.appearance = replace(learnt(), bar=(0.46, 0.54))
    running.begin_anew()
    after = running.watcher.appearance
    assert after is not None
    assert (after.bar, after.positions) == ((0.46, 0.54), 3)
    running.place(SetTable("40,30 280,30 280,210 40,210", "bottom-right"))
    after = running.watcher.appearance
    assert after is not None
    assert (after.bar, after.positions) == (None, 3)


def test_a_running_program_forgets_when_the_command_says_so(tmp_path: Path) -> None:
    settings, said = tmp_path / "settings.toml", []
    settings.write_text(f'[journal]\npath = "{tmp_path}/games.db"\n', "utf-8")
    file = learnt_path(tmp_path / "games.db")
    save_learnt(file, learnt(), DICE, None)
    running = camera(file, said)
    assert running.watcher.appearance is not None

    def vrhcab(*arguments: str) -> str:
        result = CliRunner().invoke(main, ["learn", "--config", str(settings), *arguments])
        assert result.exit_code == 0, result.output
        return result.output

    shown = json.loads(vrhcab("--json"))
    assert (shown["positions"], shown["kept"], shown["columns"]) == (3, 1, 25)
    assert (shown["misread_without"], shown["misread_with"]) == (21, 0)
    assert (shown["dice"], shown["dice_misread"]) == (4, 2)
    assert "Learnt from 3 positions" in vrhcab()
    assert "is forgotten" in vrhcab("--forget")
    session = Session(running._table.plan, "bottom-right", faces=running.faces)
    assert session.faces == DICE
    running.learn(session)
    assert (running.watcher.appearance, running.faces, session.faces) == (None, Faces(), Faces())
    assert "forgotten" in said[-1]
    running.watcher._watch_another(CORNERS, (320, 240))
    assert running.watcher.appearance is None
    assert vrhcab("--json").strip() == "null"
    assert "Nothing has been learnt" in vrhcab()
    assert "nothing to forget" in vrhcab("--forget")
    assert json.loads(vrhcab("--forget", "--json")) == {"forgotten": False}
