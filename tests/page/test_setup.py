"""The set-up behind the page: where somebody is in it, the match that waits meanwhile, what is read, the lamps, the buttons."""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import get_args

import msgspec
import numpy as np
import pytest

from benchmarks.altered import ACTION_CAMERA, bent
from controller.app.chosen_camera import ChosenCamera
from controller.app.lamps import LAMP_TEST_S
from controller.app.match_journal import matches_in
from controller.app.practice import PRACTICE_FRAME, PracticeScene
from controller.app.referee import Outlets, Referee
from controller.app.status import BoardRead
from controller.app.table import Table
from controller.page import setup as wizards
from controller.page.cameras import Cameras
from controller.page.operator import RefereesDesk
from controller.page.referee_link import RefereeLink
from controller.page.setup import PATIENCE, STALE, RefereesWizard, Surroundings, board_seen, lit_for_test, placed
from controller.panel.adapter import Button, Panel
from controller.panel.emulated import EmulatedPanel
from controller.panel.plan import lamps
from controller.panel.virtual import VirtualPanel
from controller.record.journal import Journal
from controller.referee.commands import AnyCommand
from controller.referee.events import Rolled
from controller.referee.session import MatchPlan
from controller.referee.state import Phase
from controller.rules import MATCH, Position
from controller.run.simulated_camera import SimulatedSource
from controller.run.start_banner import welcome
from controller.simulation import Filming, SimulatedMatch, SimulatedTable
from terms.board import Corner
from tests.vision.scenes import CORNERS, GEOMETRY, draw
from vision.frame import Frame
from vision.observation import DieSeen
from vision.reading.checkers import ColumnReader
from vision.reading.reader import BoardReader, geometry_for
from vision.sources import open_source
from vision.sources.present import CameraThere
from web.app import silent_match
from web.hub import ViewHub
from web.wizard import At, LampGroup, SetUpStep, UseCamera, Wizard

START = Position.start()


class SetUp:
    """A table with a referee in a thread of its own, and somebody at its set-up. now: the wizard's clock."""

    def __init__(self, folder: Path, kind: str = "virtual", camera: bool = True, panel: Panel | None = None) -> None:
        self.folder, self.kind, self.camera, self.now, self.acts = folder, kind, camera, 0.0, list[PracticeScene]()
        self.journal, self.panel, self.hub = Journal(folder / "journal.sqlite3"), panel or VirtualPanel(), ViewHub()
        plan = MatchPlan(MATCH, 5, ("Jana", "Petr"))
        table = Table(plan, None, "bottom-right", folder / "table.json", source="camera:/a")
        outlets = Outlets(self.hub, self.panel)
        self.referee = Referee(table, self.journal, outlets)
        self.link = RefereeLink(outlets.status)
        self.desk = RefereesDesk(self.link, self.journal)
        self.wizard = self.begun()
        self.stop = threading.Event()
        self.thread = threading.Thread(target=self._run)
        self.thread.start()

    def begun(self) -> RefereesWizard:
        file = self.folder / "set-up.json"
        around = Surroundings(self.panel, self.kind, self.desk.eyes, self.camera, self.acts.append)
        return RefereesWizard(self.link, file, around, lambda: self.now)

    def _run(self) -> None:
        while not self.stop.wait(0.005):
            self.link.serve(self.referee)
            self.wizard.serve(self.referee)
            self.referee.take_presses()

    def at(self, step: SetUpStep, **more: object) -> None:
        assert self.wizard.at(At(step, **more)).ok  # type: ignore[arg-type]

    def say(self, kind: str, **fields: object) -> bool:
        return self.desk.command(msgspec.convert({"type": kind, **fields}, AnyCommand)).ok

    def until(self, holds: object) -> None:
        for _ in range(600):
            if holds():  # type: ignore[operator]
                return
            self.stop.wait(0.005)
        pytest.fail("it never came to pass")

    def close(self) -> None:
        self.stop.set()
        self.thread.join()
        self.journal.close()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[SetUp]:
    one = SetUp(tmp_path)
    one.say("undo")  # the desk knows its referee from the first word on
    yield one
    one.close()


class TestProgress:
    def test_it_is_left_and_gone_on_with(self, table: SetUp) -> None:
        wizard: Wizard = table.wizard
        assert (wizard.state().step, wizard.ready()) == ("language", False)
        table.at("pin", before="language")
        table.at("picture", before="pin", how="skipped")
        later = table.begun().state()
        assert (later.step, later.done, later.ready) == ("picture", {"language": "done", "pin": "skipped"}, False)
        table.at("ready", before="practice")
        table.at("corners")
        assert table.begun().ready()

    @pytest.mark.parametrize(
        "text", ["", "{}x", '{"step": "moon"}', "[1]", '{"step": "pin", "done": 3}', '{"x":' + "[" * 4000, "\0" * 9999]
    )
    def test_a_damaged_file_begins_anew(self, table: SetUp, text: str) -> None:
        (table.folder / "set-up.json").write_text(text)
        assert table.begun().state().step == "language"

    def test_what_can_t_be_kept_is_said(self, table: SetUp) -> None:
        (table.folder / "set-up.json").mkdir()
        answer = table.wizard.at(At("pin"))
        assert "can't be written" in answer.sentence

    @pytest.mark.parametrize("step", ["picture", "corners", "direction", "position"])
    def test_nothing_is_called_done_without_what_it_is_for(self, table: SetUp, step: SetUpStep) -> None:
        table.at("lamps", before=step, how="done")
        assert table.wizard.state().done == {step: "skipped"}

    def test_without_a_camera_its_steps_are_not_there(self, tmp_path: Path) -> None:
        one = SetUp(tmp_path, camera=False)
        assert one.wizard.state().steps == ("language", "pin", "game", "lamps", "ready")
        one.close()


class TestTheMatchWaits:
    def test_one_that_is_recorded_silently_is_so_meanwhile(self, table: SetUp) -> None:
        assert table.say("match", light="Jana", dark="Petr", length=5, set=["device.role=recorder"])
        match = table.referee.status.match
        assert silent_match(table.hub) == match
        table.at("lamps")
        assert (table.referee.practising, table.referee.state.role) == (True, "monitor")
        table.until(lambda: table.hub.latest and b'"practice":true' in table.hub.latest.body)
        assert silent_match(table.hub) == match
        table.at("ready")
        assert silent_match(table.hub) == match
        assert table.say("match", light="Jana", dark="Petr", length=5, set=["device.role=monitor"])
        table.at("lamps")
        assert silent_match(table.hub) is None

    def test_what_happens_meanwhile_is_not_written_down(self, table: SetUp) -> None:
        table.say("roll", dice=[3, 1], side="light")
        assert table.wizard.state().under_way
        before = [event for _, events in matches_in(table.journal) for event in events]
        table.at("practice")
        assert table.wizard.state().waits
        assert table.referee.state.phase is Phase.OPENING
        assert table.say("roll", dice=[6, 5], side="dark")
        assert table.say("play", notation="24/18 18/13")
        latest = table.hub.latest
        assert latest is not None
        view = json.loads(latest.body)
        assert (view["practice"], view["role"], view["plays"][0]["notation"]) == (True, "monitor", "24/13")
        assert table.wizard.leave().ok
        state = table.referee.state
        assert (state.phase, state.dice, state.name(state.turn), state.role) == (  # type: ignore[arg-type]
            Phase.TO_PLAY,
            (3, 1),
            "Jana",
            "recorder",
        )
        assert [event for _, events in matches_in(table.journal) for event in events] == before
        assert isinstance(before[-1], Rolled)

    def test_it_goes_on_when_the_page_is_silent(self, table: SetUp) -> None:
        table.at("corners")
        table.now += PATIENCE - 1
        table.at("corners")
        table.now += PATIENCE - 1
        table.stop.wait(0.05)
        assert table.referee.practising
        table.now += 2
        table.until(lambda: not table.referee.practising)
        assert table.acts == ["still", "match"]

    def test_a_word_that_comes_after_leaving_holds_nothing_up(self, table: SetUp) -> None:
        table.at("corners", by="phone")
        assert table.wizard.leave().ok
        table.at("corners", by="phone", still=True)
        assert (table.acts, table.wizard.state().waits) == (["still", "match"], False)
        table.at("corners", by="phone")
        assert table.acts[-1] == "still"

    def test_of_two_pages_the_one_that_went_on_last_counts(self, table: SetUp) -> None:
        table.at("corners", by="desk")
        table.at("practice", by="phone")
        table.say("roll", dice=[6, 5], side="dark")
        table.at("corners", by="desk", still=True)
        assert table.wizard.state().by == "phone"
        assert (table.acts, table.referee.state.dice) == (["still", "playing"], (6, 5))
        table.now += PATIENCE + 1
        table.at("corners", by="desk", still=True)
        table.until(lambda: not table.referee.practising)

    def test_steps_that_need_no_board_hold_nothing_up(self, table: SetUp) -> None:
        every: tuple[SetUpStep, ...] = get_args(SetUpStep)
        held = {}
        for step in every:
            table.at(step)
            held[step] = table.referee.practising
        assert [step for step, waits in held.items() if not waits] == ["language", "pin", "picture", "game", "ready"]

    def test_the_practice_begins_anew_when_asked(self, table: SetUp) -> None:
        table.at("practice")
        table.say("roll", dice=[6, 5], side="dark")
        table.at("practice")
        assert table.referee.state.dice == (6, 5)
        table.at("practice", anew=True)
        assert table.referee.state.dice is None
        assert table.acts == ["playing", "playing"]

    def test_a_new_match_ends_the_practice_and_is_written_down(self, table: SetUp) -> None:
        table.at("practice")
        assert table.say("match", length=3, light="Eva", dark="Ida")
        assert not table.referee.practising
        assert [events[0].light for _, events in matches_in(table.journal)] == ["Jana", "Eva"]  # type: ignore[union-attr]

    @pytest.mark.parametrize("wrong", [{"rules": "nobody's"}, {"xgid": "XGID=none"}, {"begins": "light"}])
    def test_a_match_that_can_t_be_begun_ends_no_practice(self, table: SetUp, wrong: dict[str, str]) -> None:
        table.at("practice")
        assert table.say("roll", dice=[6, 5], side="dark")
        assert not table.say("match", length=3, light="Eva", dark="Ida", **wrong)
        assert (table.referee.practising, table.referee.state.dice) == (True, (6, 5))

    def test_a_match_that_is_begun_at_the_desk_meanwhile_waits_too(self, table: SetUp) -> None:
        table.at("practice", by="phone")
        assert table.say("match", length=3, light="Eva", dark="Ida")
        table.at("practice", by="phone", still=True)
        assert table.referee.practising
        assert table.say("roll", dice=[6, 5], side="dark")
        assert table.wizard.leave().ok
        assert (table.referee.state.names, table.referee.state.phase) == (("Eva", "Ida"), Phase.OPENING)


@pytest.mark.parametrize("kept", [True, False])
def test_another_camera_s_picture_is_looked_at_anew_even_if_the_choice_can_t_be_kept(
    tmp_path: Path, table: SetUp, kept: bool
) -> None:
    table.at("direction", before="corners", how="done")
    assert table.say("table", corners="10,10 300,10 300,150 10,150", home="top-left")
    file = tmp_path / "camera.json"
    if not kept:
        file.mkdir()
    there = (CameraThere("camera:/a", "A", Path("/a")), CameraThere("camera:/b", "B", Path("/b")))
    cameras = Cameras(ChosenCamera("camera:/a", file, open_source), table.desk.eyes, lambda: there)
    around = Surroundings(table.panel, table.kind, table.desk.eyes, True, table.acts.append, cameras)
    wizard = RefereesWizard(table.link, tmp_path / "set-up.json", around, lambda: table.now)
    assert wizard.use(UseCamera("camera:/a")).ok
    assert table.referee.status.corners is not None  # the same one
    answer = wizard.use(UseCamera("camera:/b"))
    assert (answer.ok, "is used, but not remembered" in answer.sentence) == (kept, not kept)
    assert table.referee.status.corners is None
    assert wizard.state().done == {}
    # Back at the first: as it was shown there.
    assert wizard.use(UseCamera("camera:/a")).ok == kept
    corners = table.referee.status.corners
    assert corners is not None
    assert (corners[2].tolist(), table.referee.status.light_home) == ([300.0, 150.0], "top-left")
    assert wizard.state().done == {"corners": "done", "direction": "done"}


def test_the_last_picture_of_a_camera_that_is_gone_is_none(table: SetUp) -> None:
    assert not table.wizard.state().picture
    table.referee.take(Frame(np.full((120, 160, 3), 90, np.uint8), 10.0))
    assert table.wizard.state().picture
    table.referee.idle(STALE + 1)
    assert table.wizard.state().picture
    table.referee.camera_failed("Camera 0 is gone. Plug it in.")
    state = table.wizard.state()
    assert (state.picture, state.camera) == (False, "Camera 0 is gone. Plug it in.")


class TestLampsAndButtons:
    @pytest.mark.parametrize(
        ("kind", "last", "number"),
        [("none", None, 0), ("gpio", "cube-64", 9), ("serial", "sound", 11), ("virtual", "points", 10)],
    )
    def test_only_what_the_panel_has_is_lit(self, tmp_path: Path, kind: str, last: str | None, number: int) -> None:
        one = SetUp(tmp_path, kind)
        groups = one.wizard.state().panel.groups
        one.close()
        assert (len(groups), groups[-1] if groups else None) == (number, last)

    def test_a_buzzer_that_the_settings_keep_silent_is_not_tried(self, table: SetUp, tmp_path: Path) -> None:
        around = Surroundings(table.panel, "serial", table.desk.eyes, sound=False)
        groups = RefereesWizard(table.link, tmp_path / "silent.json", around).state().panel.groups
        assert (len(groups), groups[-1]) == (10, "points")

    def test_each_group_follows_the_plan(self) -> None:
        lit = {group: set(lamps(lit_for_test(group))) for group in get_args(LampGroup)}
        assert lit["turn-light"] == {"turn light"}
        assert lit["cube-16"] == {"cube 16"}
        assert len(lit.pop("points")) == 26
        assert lit.pop("sound") == set()
        assert all(len(names) == 1 for names in lit.values())

    def test_a_group_is_lit_for_a_moment_on_the_panel_itself(self, table: SetUp) -> None:
        answer = table.wizard.light("error")
        assert (answer.ok, answer.lamps) == (True, ("error",))
        assert _lit(table) == ("error",)
        table.referee.idle(LAMP_TEST_S / 2)
        assert _lit(table) == ("error",)
        table.referee.idle(LAMP_TEST_S)
        assert _lit(table) == ()

    def test_a_group_goes_dark_though_the_recording_has_ended(
        self, table: SetUp, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        now = 100.0
        monkeypatch.setattr("controller.app.lamps.monotonic", lambda: now)
        table.wizard.light("error")
        table.referee.idle(0.0)
        assert _lit(table) == ("error",)
        now += LAMP_TEST_S
        table.referee.idle(0.0)
        assert _lit(table) == ()

    def test_a_button_is_seen_and_does_nothing(self, table: SetUp) -> None:
        table.say("roll", dice=[3, 1], side="light")
        table.at("lamps")
        assert table.wizard.press("undo").ok
        table.until(lambda: table.wizard.state().panel.pressed == ("undo",))
        table.wizard.leave()
        assert table.referee.state.dice == (3, 1)

    def test_a_pico_s_lamps_and_buttons_are_the_ones_that_are_tested(self, tmp_path: Path) -> None:
        one = SetUp(tmp_path, "emulated", panel=(pico := EmulatedPanel()))
        one.say("undo")
        one.at("lamps")
        assert one.wizard.light("points").ok
        one.until(lambda: sum(map(bool, pico.controller.codes())) >= 24)
        pico.controller.press(Button.CLOCK_DARK)
        one.until(lambda: one.wizard.state().panel.pressed == ("clock-dark",))
        one.close()
        pico.close()

    def test_a_real_panel_is_pressed_with_a_finger(self, tmp_path: Path) -> None:
        one = SetUp(tmp_path, "serial")
        assert one.wizard.press("undo").sentence.startswith("This panel's buttons")
        one.close()


def _lit(table: SetUp) -> tuple[str, ...]:
    assert isinstance(table.panel, VirtualPanel)
    return table.panel.words()


@pytest.fixture(scope="module")
def look() -> tuple[BoardRead, Corner]:
    """A reading of the simulated board in the start position, with the dice of the opening roll."""
    board = SimulatedTable(4, SimulatedMatch("none"))
    source = SimulatedSource(board, 0)
    source.act("thrown")
    frame = next(source.frames())
    observation = BoardReader().read(frame, geometry_for(frame.image, board.corners))
    return BoardRead(frame, observation, board.corners), board.light_home  # type: ignore[return-value]


class TestReading:
    def test_a_start_position_differs_nowhere_and_its_dice_are_read(self, look: tuple[BoardRead, Corner]) -> None:
        seen = board_seen(*look, START)
        assert seen.points == START.signed()
        assert (seen.differences, seen.hidden, seen.weak) == ((), 0, ())
        assert len(seen.dice) == 2
        assert all(die.flat for die in seen.dice)

    def test_from_the_wrong_side_every_point_with_checkers_differs(self, look: tuple[BoardRead, Corner]) -> None:
        other: dict[Corner, Corner] = {
            "bottom-right": "top-right",
            "top-right": "bottom-right",
            "bottom-left": "top-left",
            "top-left": "bottom-left",
        }
        wrong = board_seen(look[0], other[look[1]], START).differences
        assert [one.point for one in wrong] == [1, 6, 8, 12, 13, 17, 19, 24]
        assert all(one.found == -one.wanted for one in wrong)

    def test_a_missing_and_a_hit_checker_are_named(self, look: tuple[BoardRead, Corner]) -> None:
        points = list(board_seen(*look, START).points)
        points[7] -= 1
        assert wizards._differences(points, (1, 2), START.signed()) == (
            wizards.Difference(8, 3, 2),
            wizards.Difference(25, 0, 1),
            wizards.Difference(0, 0, -2),
        )

    def test_dice_are_ringed_where_a_wide_lens_shows_them(self, look: tuple[BoardRead, Corner]) -> None:
        die = DieSeen((0.12, 0.05), np.eye(6, dtype=np.float32)[2], 1.0)
        at = GEOMETRY.to_picture(die.at).tolist()
        picture, shown = bent(ACTION_CAMERA)(draw(), {"corners": CORNERS.tolist(), "dice": [{"px": at}]})
        observation = replace(look[0].observation, dice=(die,))
        bent_look = BoardRead(Frame(picture, 0.0), observation, np.asarray(shown["corners"], np.float32))
        (ringed,) = board_seen(bent_look, "bottom-right", START).dice
        assert math.dist(ringed.at, shown["dice"][0]["px"]) < 6

    def test_the_place_holds_the_columns(self, look: tuple[BoardRead, Corner]) -> None:
        seen, home = look
        place = placed(seen.frame, seen.corners, home, ColumnReader())
        assert place.size == (1280, 720)
        assert np.allclose([place.lattice[index] for index in (0, 2, 8, 6)], place.corners, atol=0.2)
        left, right = [x for x, _ in place.columns[:12]], [x for x, _ in place.columns[12:]]
        assert left == sorted(left)
        assert right == sorted(right)


class TestSimulatedPlayers:
    def test_they_leave_their_match_and_come_back_to_it(self) -> None:
        source = SimulatedSource(SimulatedTable(4, SimulatedMatch("none"), Filming((320, 180))), 0)
        frames = source.frames()
        before = list(islice(frames, 5))
        source.act("still")
        meanwhile = list(islice(frames, 4))
        source.act("playing")
        meanwhile += list(islice(frames, 4))
        source.act("match")
        after = list(islice(frames, 3))
        assert {frame.name for frame in meanwhile} == {PRACTICE_FRAME}
        assert [frame.seconds for frame in meanwhile] == sorted({frame.seconds for frame in meanwhile})
        assert {frame.name for frame in before + after} == {""}
        assert [frame.seconds for frame in after] == pytest.approx([0.5, 0.6, 0.7])


def test_the_first_start_shows_the_way_in() -> None:
    told = welcome("192.168.7.5", 8080, "271828")
    assert told.startswith("The page: http://192.168.7.5:8080\nThe PIN of the operator's desk: 271828.")
    assert "http://192.168.7.5:8080/setup" in told
    assert "█" in told
    assert welcome("192.168.7.5", 8080, None) == "The page: http://192.168.7.5:8080"
    for alone, address in (("127.0.0.1", "127.0.0.1"), ("localhost", "localhost"), ("::1", "[::1]")):
        told = welcome(alone, 8080, "271828")
        assert f"http://{address}:8080/setup; from a phone with: --host 0.0.0.0" in told
    assert welcome("fd00::5", 8080, None) == "The page: http://[fd00::5]:8080"


def test_a_start_tells_the_way_into_the_set_up_until_somebody_has_walked_through_it() -> None:
    """Whoever has seen the demo has a PIN already, and no table."""
    told = welcome("192.168.7.5", 8080, None, set_up=True)
    assert "\nThe PIN of the operator's desk was told at an earlier start. Lost? vrhcab pin --reset" in told
    assert "Set up this table at http://192.168.7.5:8080/setup, or with a phone:\n█" in told
