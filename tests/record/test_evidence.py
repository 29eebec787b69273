"""What the camera saw lately stays in bounded memory, and a flag makes files of it that a browser shows."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from controller.record.evidence import (
    CLIP_GAP,
    CLIP_WIDTH,
    WHOLE_WIDTH,
    EvidenceFolder,
    KeptFrame,
    RecentFrames,
    to_jpeg,
    to_webm,
)
from vision.frame import Frame, Image

FPS = 15


def picture(shade: int, width: int = 320) -> Image:
    """A board of one colour with a checker that stands elsewhere in every shade."""
    image = np.full((width * 9 // 16, width, 3), shade % 200, np.uint8)
    cv2.circle(image, (20 + shade % 40 * width // 64, width // 4), width // 32, (255, 255, 255), -1)
    return image


def watched(seconds: int, width: int = 320, still: bool = True) -> RecentFrames:
    recent = RecentFrames()
    for number in range(seconds * FPS):
        recent.add(Frame(picture(number, width), number / FPS), still=still)
    return recent


@pytest.fixture
def evidence(tmp_path: Path) -> Iterator[EvidenceFolder]:
    kept = EvidenceFolder(tmp_path / "evidence")
    yield kept
    kept.close()


def film_of(data: bytes, folder: Path) -> list[Image]:
    (folder / "film.webm").write_bytes(data)
    film = cv2.VideoCapture(str(folder / "film.webm"))
    images = []
    while (shown := film.read())[0]:
        images.append(shown[1])
    return images  # type: ignore[return-value]


def decoded(path: Path) -> Image:
    image = cv2.imread(str(path))
    assert image is not None
    return image  # type: ignore[return-value]


def test_a_flag_gets_a_picture_before_one_after_and_a_clip(evidence: EvidenceFolder, tmp_path: Path) -> None:
    recent = watched(20)
    names = evidence.keep("match-1", 3, recent.at(5.0), recent.at(19.0), recent.clip(19.5))
    evidence.wait()
    kept = evidence.find("match-1", 3)
    assert [path.name for path in kept] == list(names)
    assert kept.before is not None
    assert kept.after is not None
    assert kept.clip is not None
    for path, second in ((kept.before, 5), (kept.after, 19)):
        assert np.abs(decoded(path).astype(int) - picture(second * FPS)).mean() < 3
    film = film_of(kept.clip.read_bytes(), tmp_path)
    assert len(film) == len(recent.clip(19.5)) == 40
    for shown, still in zip(film, recent.clip(19.5), strict=True):
        assert np.abs(shown.astype(int) - picture(round(still.seconds * FPS))).mean() < 5
    assert list(evidence.find("match-1", 4)) == list(evidence.find("match-2", 3)) == []


def test_a_clip_shows_at_least_four_pictures_a_second_and_never_more_than_five() -> None:
    seconds = [still.seconds for still in watched(10).clip(9.9)]
    assert seconds[0] < 2.2
    assert all(CLIP_GAP <= later - earlier <= 0.25 for earlier, later in pairwise(seconds))


def test_pictures_are_never_wider_than_they_need_to_be() -> None:
    recent = watched(2, width=1920)
    whole, small = recent.at(9), recent.clip(2.0)[0]
    assert whole is not None
    for still, width in ((whole, WHOLE_WIDTH), (small, CLIP_WIDTH)):
        image = cv2.imdecode(np.frombuffer(still.jpeg, np.uint8), cv2.IMREAD_COLOR)
        assert image.shape == (width * 9 // 16, width, 3)


def test_memory_is_bounded_and_the_newest_stay() -> None:
    recent = RecentFrames(clip_memory=60_000, whole_memory=40_000)
    for number in range(100 * FPS):
        recent.add(Frame(picture(number), number / FPS), still=True)
    assert recent.held <= 100_000
    newest = recent.at(1000.0)
    assert newest is not None
    assert newest.seconds > 98
    assert recent.clip(100.0)[-1].seconds > 99.7


def test_a_covered_board_is_no_picture_before_or_after() -> None:
    recent = watched(3, still=False)
    assert recent.at(3.0) is None
    assert recent.clip(3.0)
    recent.add(Frame(picture(7), 50.0), still=True)
    before = recent.at(2.0)
    assert before is not None
    assert before.seconds == 50.0


def test_a_clock_that_starts_again_does_not_stop_the_recording() -> None:
    recent = watched(10)
    recent.add(Frame(picture(1), 0.5), still=True)
    assert recent.clip(0.6)[-1].seconds == 0.5


def test_what_is_not_there_is_left_out(evidence: EvidenceFolder) -> None:
    assert evidence.keep("m", 1, None, None) == ()
    names = evidence.keep("m", 2, None, KeptFrame(1.0, to_jpeg(picture(1), 640, 80)))
    evidence.wait()
    assert [path.name for path in evidence.find("m", 2)] == list(names)
    assert len(names) == 1


def test_the_oldest_evidence_goes_when_the_disk_has_its_share(tmp_path: Path) -> None:
    still = KeptFrame(0.0, os.urandom(30_000))
    evidence = EvidenceFolder(tmp_path, cap=100_000)
    for flag in range(1, 11):
        evidence.keep("m", flag, still, None)
        evidence.wait()
        os.utime(tmp_path / f"m-{flag:04d}-before.jpg", (flag, flag))
    evidence.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"m-{flag:04d}-before.jpg" for flag in (8, 9, 10)]


def test_the_newest_evidence_stays_when_the_clock_was_set_back(tmp_path: Path) -> None:
    """A machine without a clock of its own begins in the past until the network tells it the time."""
    still = KeptFrame(0.0, os.urandom(30_000))
    evidence = EvidenceFolder(tmp_path, cap=100_000)
    for flag in range(1, 7):
        evidence.keep("m", flag, still, None)
        evidence.wait()
        if flag == 3:
            for path in tmp_path.iterdir():
                os.utime(path, (4e9 + int(path.name[5]), 4e9 + int(path.name[5])))
    evidence.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"m-{flag:04d}-before.jpg" for flag in (4, 5, 6)]


def test_a_disk_that_lets_nobody_date_its_files_takes_pictures_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a stick that belongs to another user does; the folder was said to take none, and grew."""

    def denied(*_: object, **__: object) -> None:
        raise PermissionError

    (tmp_path / "later.jpg").write_bytes(os.urandom(90_000))
    os.utime(tmp_path / "later.jpg", (4e9, 4e9))
    monkeypatch.setattr(os, "utime", denied)
    said: list[str] = []
    evidence = EvidenceFolder(tmp_path, cap=100_000, tell=said.append)
    evidence.keep("m", 1, KeptFrame(0.0, os.urandom(30_000)), None)
    evidence.close()
    assert ([path.name for path in tmp_path.iterdir()], said) == (["m-0001-before.jpg"], [])


def test_a_disk_that_takes_nothing_is_told_and_the_game_goes_on(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    said: list[str] = []
    evidence = EvidenceFolder(tmp_path / "file" / "evidence", tell=said.append)
    assert evidence.keep("m", 1, KeptFrame(0.0, b"x"), None)
    evidence.close()
    assert len(said) == 1
    assert "can't be kept" in said[0]
    assert list(evidence.find("m", 1)) == []


@pytest.mark.parametrize("match", ["", "../x", "a/b", "a" * 100, "ž"])
def test_a_match_whose_name_is_no_file_name_is_refused(evidence: EvidenceFolder, match: str) -> None:
    with pytest.raises(ValueError, match="no name"):
        evidence.keep(match, 1, None, None)


def test_pictures_of_another_size_are_left_out_of_a_clip(tmp_path: Path) -> None:
    stills = [KeptFrame(n / 5, to_jpeg(picture(n, 320 if n < 2 else 480), 640, 80)) for n in range(5)]
    assert [image.shape for image in film_of(to_webm(stills), tmp_path)] == [(270, 480, 3)] * 3


def test_a_clip_keeps_the_time_where_frames_are_missing(tmp_path: Path) -> None:
    stills = [KeptFrame(second, to_jpeg(picture(shade), 640, 80)) for second, shade in ((0, 10), (0.2, 60), (3, 160))]
    film = film_of(to_webm(stills), tmp_path)
    assert [round(float(image[0, 0, 0]), -1) for image in film] == [10, *[60] * 14, 160]
    assert len(film_of(to_webm(stills[:1]), tmp_path)) == 1


def test_a_clip_says_of_itself_that_it_is_webm() -> None:
    data = to_webm([KeptFrame(0, to_jpeg(picture(1), 640, 80))])
    assert data[:4] == bytes.fromhex("1a45dfa3")
    assert b"webm" in data[:60]
    assert b"matroska" not in data
    assert b"V_VP8" in data
