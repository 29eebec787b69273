"""Several recordings at once, as they end before their time."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.synchronize import Event
from pathlib import Path

import pytest

from controller.rules import MATCH
from controller.run import transcriptions
from controller.run.transcription import Transcription, TranscriptionResult


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
