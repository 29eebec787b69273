"""The gate says when the board is still, and what a hand covers; light is not motion."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from controller.simulation.cards import flickering
from tests.shared import shared
from tests.vision.scenes import CORNERS, GEOMETRY, SKIN, draw, lit, noisy, with_arm
from vision.board.geometry import BoardGeometry
from vision.frame import Frame, Image
from vision.watching.motion import Motion, MotionGate

CHECKERS = [(0.04, 0.05), (0.04, 0.15), (0.35, 0.05), (0.6, 0.95), (0.6, 0.85), (0.9, 0.05)]
DICE = [(0.7, 0.45), (0.8, 0.55)]
BOARD = draw(CHECKERS)
ROLLED = draw(CHECKERS, DICE)
PLAYED = draw([*CHECKERS[:-1], (0.735, 0.95)], DICE)

SECONDS_APART = 1 / 15
SETTLING = 3
"""Frames until a quiet board is still, at that rate."""


def seen(
    pictures: Iterable[Image],
    gate: MotionGate | None = None,
    noise: float = 2.0,
    begin: float = 0.0,
    sways: bool = False,
) -> list[Motion]:
    """What a gate says to pictures a fifteenth of a second apart from then on, with a camera's noise in each."""
    gate = gate or MotionGate(GEOMETRY)
    return [
        gate.see(Frame(noisy(picture, noise, n), begin + n * SECONDS_APART), sways=sways)
        for n, picture in enumerate(pictures)
    ]


def drumming(picture: Image, number: int, at: tuple[float, float]) -> Image:
    """With a finger that drums there (board plane)."""
    x, y = GEOMETRY.to_picture(at)
    lifted = (round(float(x)) + 16 * (number % 2), round(float(y)))
    return np.asarray(cv2.circle(picture.copy(), lifted, 12, SKIN, -1), np.uint8)


def under_a_flickering_lamp(pictures: Iterable[Image], bands: float, upright: bool) -> Iterable[Image]:
    """By a rolling shutter: bands lie elsewhere in each frame."""
    for number, picture in enumerate(pictures):
        yield flickering(picture, number * SECONDS_APART, bands, 0.35, 103.0, upright=upright)


def stills(motions: Iterable[Motion]) -> str:
    """s for still, - for moving or covered, L where the light changed."""
    return "".join("L" if motion.light else "s" if motion.still else "-" for motion in motions)


class TestStill:
    def test_a_board_at_rest_is_still_after_some_frames(self) -> None:
        assert stills(seen([BOARD] * 8)) == "-" * SETTLING + "s" * (8 - SETTLING)

    def test_dice_that_appear_keep_it_waiting(self) -> None:
        motions = seen([BOARD] * 5 + [ROLLED] * 5)
        assert stills(motions) == "---ss" + "---" + "ss"
        assert motions[5].moving > 0
        assert motions[6].moving == 0

    def test_says_which_columns_changed_since_it_was_still(self) -> None:
        motions = seen([ROLLED] * 5 + [PLAYED] * 2)
        changed = set(np.flatnonzero(motions[-1].changed > 0.05).tolist())
        assert changed == {10, 20}
        assert seen([ROLLED] * 6)[-1].changed.max() == 0

    @pytest.mark.parametrize("noise", [0, 5, 10, 20, 30])
    def test_noise_is_not_motion_and_does_not_hide_dice(self, noise: float) -> None:
        assert stills(seen([BOARD] * 5 + [ROLLED] * 4, noise=noise)) == "---ss---s"

    def test_jpeg_artefacts_are_not_motion(self) -> None:
        def coded(number: int) -> Image:
            data = cv2.imencode(".jpg", noisy(BOARD, 6, number), [cv2.IMWRITE_JPEG_QUALITY, 60])[1]
            return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)

        assert stills(seen(map(coded, range(6)), noise=0)) == "---sss"

    def test_another_picture_size_starts_afresh(self) -> None:
        gate = MotionGate(GEOMETRY)
        seen([BOARD] * 5, gate)
        smaller = np.ascontiguousarray(BOARD[:700])
        assert not gate.see(Frame(smaller, 1.0)).still


FACES = cv2.resize(np.random.default_rng(4).integers(0, 200, (9, 16, 3), dtype=np.uint8), BOARD.shape[1::-1])
"""Large soft patches, as of people who sit at a table."""


class TestCut:
    def test_a_cut_is_told_and_nothing_moves(self) -> None:
        motions = seen([BOARD] * 5 + [FACES] + [BOARD] * 4)
        assert [motion.cut for motion in motions] == [False] * 5 + [True, True] + [False] * 3
        assert stills(motions) == "---ss" + "-" * 4 + "s"
        assert motions[-1].changed.max() == 0

    def test_a_play_behind_a_cut_is_seen_against_the_board_before_it(self) -> None:
        gate = MotionGate(GEOMETRY)
        seen([ROLLED] * 5, gate)
        gate.looked_away(9.0)
        motions = [gate.see(Frame(noisy(PLAYED, 2.0, n), 9.1 + n * SECONDS_APART)) for n in range(4)]
        assert [motion.still for motion in motions] == [False, False, False, True]
        assert max(motion.moving for motion in motions) == 0
        assert set(np.flatnonzero(motions[0].changed > 0.05).tolist()) == {10, 20}

    def test_an_arm_that_a_cut_brings_covers(self) -> None:
        gate = MotionGate(GEOMETRY)
        seen([BOARD] * 5, gate)
        gate.looked_away(9.0)
        motions = [
            gate.see(Frame(noisy(with_arm(BOARD, (0.75, 0.7)), 2.0, n), 9.1 + n * SECONDS_APART)) for n in range(6)
        ]
        assert not any(motion.still for motion in motions)
        assert motions[-1].covered[20] > 0.5

    def test_a_third_of_the_view_under_an_arm_is_no_cut(self) -> None:
        assert not any(motion.cut for motion in seen([BOARD] * 5 + [with_arm(BOARD, (0.5, 0.2))] * 2 + [BOARD] * 2))


class TestLight:
    def test_slow_light_is_followed(self) -> None:
        evening = [lit(BOARD, lambda x, y, n=n: 1 - n / 60) for n in range(30)]
        assert stills(seen(evening)) == "---" + "s" * 27

    @pytest.mark.parametrize(
        "light",
        [
            lambda x, y: 0.6,
            lambda x, y: 1.35,
            lambda x, y: 0.25,
            lambda x, y: 0.6 + 0.8 * x,
            lambda x, y: 0.6 + 0.8 * np.exp(-((x - 0.5) ** 2 + (y - 0.4) ** 2) / 0.05),
            lambda x, y: np.where(x + y / 5 < 0.6, 1, 0.55),
        ],
        ids=["lamp off", "lamp on", "dark", "from one side", "spot", "sun through the window"],
    )
    def test_sudden_light_is_not_motion(self, light: Callable[..., Any]) -> None:
        motions = seen([ROLLED] * 5 + [lit(ROLLED, light)] * 6)
        assert stills(motions[:5]) == "---ss"
        assert stills(motions[-2:]) == "ss"
        assert motions[-1].covered.max() == 0

    def test_a_lamp_that_is_switched_is_told(self) -> None:
        assert stills(seen([ROLLED] * 5 + [lit(ROLLED, lambda x, y: 0.6)] * 3)) == "---ssLss"

    @pytest.mark.parametrize("upright", [False, True], ids=["lying", "upright"])
    @pytest.mark.parametrize("bands", [0.8, 2.3, 7.0, 14.0])
    def test_bands_of_a_lamp_that_flickers_are_not_motion(self, bands: float, upright: bool) -> None:
        arm = [with_arm(ROLLED, (0.5 + 0.02 * n, 0.8 - 0.04 * n)) for n in range(4)]
        motions = seen(under_a_flickering_lamp([BOARD] * 8 + [ROLLED] * 8 + arm + [PLAYED] * 8, bands, upright))
        still = "".join("s" if motion.still else "-" for motion in motions)
        assert still == "---sssss" + "---sssss" + "----" + "---sssss"
        assert motions[7].changed.max() < 0.01
        assert set(np.flatnonzero(motions[-6].changed > 0.05).tolist()) == {10, 20}
        assert max(motion.covered.max() for motion in motions[-5:]) == 0

    @pytest.mark.parametrize("upright", [False, True], ids=["lying", "upright"])
    def test_an_arm_that_lies_along_the_bands_covers(self, upright: bool) -> None:
        along = ROLLED.copy()
        (along[:, 640:710] if upright else along[160:230])[...] = SKIN
        motions = seen(under_a_flickering_lamp([ROLLED] * 6 + [along] * 8, 2.3, upright))
        assert not any(motion.still for motion in motions[6:9])
        assert min(motion.covered.max() for motion in motions[9:]) > 0.05

    def test_a_play_in_the_dark_is_a_play(self) -> None:
        motions = seen([lit(one, lambda x, y: 0.4) for one in [ROLLED] * 5 + [PLAYED] * 2])
        assert motions[-1].changed[[10, 20]].min() > 0.05


class TestArm:
    @pytest.mark.parametrize(("hand", "columns"), [((0.2, 0.8), {14}), ((0.75, 0.3), {8, 20}), ((0.5, 0.7), {24})])
    def test_covers_the_columns_under_it(self, hand: tuple[float, float], columns: set[int]) -> None:
        motion = seen([BOARD] * 5 + [with_arm(BOARD, hand)])[-1]
        assert not motion.still
        assert columns <= set(np.flatnonzero(motion.covered > 0.3).tolist())
        assert motion.covered[0] == 0
        assert motion.covered[11] == 0

    @pytest.mark.parametrize("begin", [0.0, 100.0], ids=["at once", "when the board is found"])
    def test_one_that_is_there_when_the_gate_begins_is_not_missed_later(self, begin: float) -> None:
        played = [with_arm(BOARD, (0.75, 0.7 - 0.05 * n)) for n in range(4)]
        motions = seen([*played, *[BOARD] * 6], begin=begin)
        assert stills(motions) == "----" + "---" + "sss"
        assert motions[-1].covered.max() == 0

    def test_a_hand_that_trembles_keeps_the_board_waiting_and_is_told(self) -> None:
        trembling = [with_arm(BOARD, (0.75, 0.7 + 0.01 * (n % 2))) for n in range(30)]
        motions = seen([BOARD] * 5 + trembling)
        assert stills(motions) == "---ss" + "-" * 30
        assert min(motion.covered[20] for motion in motions[5:]) > 0

    def test_beside_one_that_rests_or_a_caption_the_board_is_still_after_a_second(self) -> None:
        motions = seen([BOARD] * 5 + [with_arm(BOARD, (0.75, 0.7))] * 30 + [ROLLED] * 5)
        assert stills(motions[:18]) == "---ss" + "-" * 13
        assert stills(motions[22:]) == "s" * 13 + "---ss"
        assert min(motion.covered[20] for motion in motions[5:35]) > 0.5
        assert max(motion.covered[0] for motion in motions[5:35]) == 0
        assert motions[-1].covered.max() == 0

    def test_beside_one_that_fidgets_at_one_place_the_board_is_still_after_three_seconds(self) -> None:
        fidgets = [with_arm(BOARD, (0.75 + 0.01 * np.sin(2.1 * n), 0.85 + 0.01 * np.sin(1.3 * n))) for n in range(75)]
        motions = seen([BOARD] * 5 + fidgets)
        assert "s" not in stills(motions[5:45])
        assert stills(motions[55:]).count("s") > 20
        for motion in motions[55:]:
            assert motion.covered[20] > 0.3
            assert motion.covered[:8].max() == 0

    def test_while_one_goes_to_and_fro_over_the_board_it_is_never_still(self) -> None:
        plays = [with_arm(BOARD, (0.5 + 0.3 * np.sin(0.25 * n), 0.6 + 0.2 * np.sin(0.4 * n))) for n in range(90)]
        assert "s" not in stills(seen([BOARD] * 5 + plays)[5:])

    def test_a_pointer_on_a_stream_hides_only_where_it_is(self) -> None:
        def with_pointer(number: int) -> Image:
            x, y = GEOMETRY.to_picture((0.3 + 0.04 * np.sin(0.3 * number), 0.5 + 0.3 * np.cos(0.2 * number)))
            arrow = np.array([[0, 0], [0, 17], [4, 13], [12, 12]]) + np.array([x, y])
            return np.asarray(cv2.fillPoly(PLAYED.copy(), [arrow.astype(np.int32)], (255, 255, 255)), np.uint8)

        motions = seen(map(with_pointer, range(75)))
        assert stills(motions[35:]).count("s") > 30
        assert max(motion.covered[[0, 1, 20, 22, 23]].max() for motion in motions[35:]) == 0

    def test_what_comes_in_one_step_between_two_rests_came_with_a_cut_and_the_rest_is_read_sooner(self) -> None:
        captioned = with_arm(BOARD, (0.1, 0.2))
        motions = seen([BOARD] * 8 + [captioned] * 8)
        assert stills(motions[8:]) == "------ss"
        assert motions[-1].covered.max() > 0.3
        reached = seen([BOARD] * 8 + [with_arm(BOARD, (0.1, 0.1))] + [captioned] * 8)
        assert "s" not in stills(reached[8:])

    def test_after_it_has_gone_the_board_settles(self) -> None:
        ways = [(0.75, 0.9), (0.75, 0.7), (0.75, 0.7), (0.75, 0.9)]
        motions = seen([ROLLED] * 5 + [with_arm(ROLLED, way) for way in ways] + [PLAYED] * 5)
        assert stills(motions) == "---ss----" + "-" * SETTLING + "ss"

    def test_what_was_left_on_the_rim_is_taken_for_a_thing_after_a_while(self) -> None:
        frames = [BOARD] * 5 + [with_arm(BOARD, (0.5, 0.95))] * 30
        motions = seen(frames, MotionGate(GEOMETRY, absorb_seconds=1.5))
        assert not motions[10].still
        assert motions[-1].still
        assert motions[-1].covered.max() == 0

    def test_one_that_lay_long_enough_to_be_taken_for_a_thing_does_not_stop_the_game_when_it_goes(self) -> None:
        frames = [BOARD] * 5 + [with_arm(BOARD, (0.5, 0.95))] * 30 + [BOARD] * 6
        motions = seen(frames, MotionGate(GEOMETRY, absorb_seconds=1.5))
        assert motions[34].still
        assert stills(motions[-6:]) == "---sss"
        assert motions[-1].covered.max() == 0

    @pytest.mark.parametrize("sways", [False, True], ids=["fixed", "by hand"])
    def test_what_stirs_beside_the_board_makes_a_thing_that_was_left_no_arm(self, sways: bool) -> None:
        frames = [drumming(with_arm(BOARD, (0.5, 0.95)), n, (0.2, -0.03)) for n in range(60)]
        motions = seen([BOARD] * 5 + frames, MotionGate(GEOMETRY, absorb_seconds=1.5), sways=sways)
        assert motions[-1].still
        assert motions[-1].covered.max() == 0

    def test_while_an_arm_stirs_beside_the_board_what_it_reaches_in_with_is_no_thing(self) -> None:
        frames = [drumming(with_arm(BOARD, (0.5, 0.95)), n, (0.5, 1.03)) for n in range(60)]
        motions = seen([BOARD] * 5 + frames, MotionGate(GEOMETRY, absorb_seconds=1.5))
        assert not any(motion.still for motion in motions[5:])
        assert min(motion.covered[[17, 18]].max() for motion in motions[5:]) > 0

    def test_checkers_and_dice_are_no_arm(self) -> None:
        for motion in seen([BOARD] * 5 + [PLAYED] * 5 + [BOARD] * 5)[3:]:
            assert motion.still or motion.covered.max() < 0.4

    def test_light_that_changes_under_an_arm_leaves_it_an_arm(self) -> None:
        arm = with_arm(BOARD, (0.75, 0.5))
        motions = seen([BOARD] * 5 + [arm] * 3 + [lit(arm, lambda x, y: 0.7)] * 5)
        assert motions[8].light
        assert not any(motion.still for motion in motions[5:])
        assert motions[-1].covered[20] > 0.5

    def test_a_shadow_is_no_arm(self) -> None:
        shadow = lit(BOARD, lambda x, y: np.where((x - 0.5) ** 2 + (y - 0.9) ** 2 < 0.06, 0.6, 1))
        motions = seen([BOARD] * 5 + [shadow] * 5)
        assert stills(motions[-2:]) == "ss"
        assert motions[-1].covered.max() == 0


class TestKeyFrames:
    """Without settling each frame stands for itself, and only an arm counts."""

    def test_a_new_position_in_every_frame_is_still(self) -> None:
        frames = [BOARD, ROLLED, with_arm(ROLLED, (0.75, 0.7)), PLAYED, BOARD]
        assert stills(seen(frames, MotionGate(GEOMETRY, settle_seconds=0))) == "ss-ss"

    def test_what_an_arm_hid_in_the_first_of_them_covers_one_more_and_no_others(self) -> None:
        frames = [with_arm(BOARD, (0.2, 0.8)), BOARD, ROLLED, PLAYED]
        assert stills(seen(frames, MotionGate(GEOMETRY, settle_seconds=0))) == "s-ss"

    @pytest.mark.parametrize("game", ["dev1", "dev2"])
    def test_rendered_games(self, game: str) -> None:
        folder = shared(f"boards/games/{game}")
        truth = [json.loads(line) for line in (folder / "truth.jsonl").read_text().splitlines()]
        gate = MotionGate(BoardGeometry(np.array(truth[0]["corners"], np.float32)), settle_seconds=0)
        assert [self.covered(gate, folder, n, one["file"]) for n, one in enumerate(truth)] == [
            one["occluded"] for one in truth
        ]

    @staticmethod
    def covered(gate: MotionGate, folder: Path, number: int, name: str) -> bool:
        image = cv2.imread(str(folder / name))
        assert image is not None
        motion = gate.see(Frame(np.asarray(image, np.uint8), float(number), name))
        assert motion.still == (motion.covered.max() == 0)
        return not motion.still


def test_a_board_that_fills_the_picture_has_its_rim_at_the_picture_edge() -> None:
    board = np.ascontiguousarray(BOARD[95:615, 300:1000])
    gate = MotionGate(BoardGeometry(CORNERS - np.float32([300, 95]), (0.47, 0.53)))
    arm = np.ascontiguousarray(with_arm(BOARD, (0.75, 0.6))[95:615, 300:1000])
    assert stills(seen([board] * 5 + [arm] * 3 + [board] * 4, gate)) == "---ss" + "---" + "---s"
