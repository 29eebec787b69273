"""Several recordings at once, as they end before their time."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.synchronize import Event
from pathlib import Path

import cv2
import numpy as np
import pytest

from controller.rules import MATCH
from controller.run import transcriptions
from controller.run.transcription import Transcription, TranscriptionResult, run_transcription
from controller.transcript.transcribe import Job, TranscribeError
from vision.frame import Frame


@pytest.mark.parametrize("named", ["{}", "frames:{}", " frames : {}"])
def test_a_folder_of_pictures_holds_key_frames_however_it_is_named(
    named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs, looks = list[Job](), list[float]()

    class Work:
        def __init__(self, job: Job, *_: object) -> None:
            jobs.append(job)

        def look(self, frame: Frame) -> None:
            looks.append(frame.seconds)

        def left(self) -> None: ...

        def ended(self) -> None:
            raise TranscribeError("No board.")

    monkeypatch.setattr("controller.run.transcription.Transcriber", Work)
    (tmp_path / "match").mkdir()
    for name in ("1.png", "2.png"):
        cv2.imwrite(str(tmp_path / "match" / name), np.zeros((90, 160, 3), np.uint8))
    source = named.format(tmp_path / "match")
    with pytest.raises(TranscribeError, match="No board"):
        run_transcription(Transcription(source, tmp_path / "match.json", MATCH), lambda at, whole: None, lambda: False)
    assert [job.key_frames for job in jobs] == [True]
    assert looks == [0.0, 1.0]
    many = [source, "video:other/film.mp4"]
    each = transcriptions.each_into(tmp_path, Transcription("", tmp_path, MATCH), many, ".json")
    assert [one.output.name for one in each] == ["match.json", "film.json"]


def test_nothing_works_on_when_whoever_asked_has_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where the printed results go into a pipe that is closed."""
    ended: list[bool] = []

    class Threads(ThreadPoolExecutor):
        def __init__(self, jobs: int, context: object, begin: object, shared: tuple[Event, object]) -> None:
            super().__init__(jobs)
            self.stop = shared[0]

            def run(number: int, chosen: Transcription) -> TranscriptionResult:
                if number:
                    ended.append(self.stop.wait(20))
                return TranscriptionResult(chosen.output)

            monkeypatch.setattr(transcriptions, "_run", run)

    monkeypatch.setattr(transcriptions, "ProcessPoolExecutor", Threads)
    chosen = [Transcription(f"{number}.mp4", Path(f"{number}.json"), MATCH) for number in range(4)]
    results = transcriptions.run_transcriptions(chosen, 2, lambda at, whole: None, lambda: False)
    assert next(results)[0] is chosen[0]
    left = threading.Thread(target=results.close)  # type: ignore[attr-defined]
    left.start()
    left.join(10)
    assert not left.is_alive()
    assert ended == [True] * 3


def test_what_a_mac_leaves_beside_films_on_a_stick_is_none(tmp_path: Path) -> None:
    for name in ("game10.mp4", "game9.mp4", "._game9.mp4", "._cover.jpg"):
        (tmp_path / name).touch()
    assert transcriptions.recordings_in([str(tmp_path)]) == [f"{tmp_path}/game9.mp4", f"{tmp_path}/game10.mp4"]


def test_one_game_and_one_turn_are_counted_as_people_say_it() -> None:
    assert TranscriptionResult(Path("game.mat"), 1, 1).sentence == "game.mat: 1 game, 1 turn"
    stopped = TranscriptionResult(Path("game.mat"), 2, 30, stopped=62.0)
    assert stopped.sentence == "game.mat: 2 games, 30 turns so far; stopped at 0:01:02. Go on with --resume."
