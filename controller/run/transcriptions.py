"""Several recordings at once, each in a process of its own: what one meets does not touch the others."""

from __future__ import annotations

import multiprocessing
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, ProcessPoolExecutor, wait
from dataclasses import replace
from multiprocessing.queues import SimpleQueue
from multiprocessing.synchronize import Event
from pathlib import Path

import cv2

from controller.run.transcription import (
    ReportProgress,
    StoppedError,
    Transcription,
    TranscriptionResult,
    file_of,
    records_of,
    run_transcription,
)
from controller.transcript.report import check_apart
from controller.transcript.transcribe import TranscribeError
from vision.sources.files import PICTURE_ENDINGS, seen_in

FILM_ENDINGS = frozenset({".avi", ".m2ts", ".m4v", ".mkv", ".mov", ".mp4", ".mpg", ".mts", ".ts", ".webm", ".wmv"})
LOOK_EVERY = 0.2
"""Seconds between two looks at how far the processes are."""
TELL_EVERY = 0.5
"""Seconds between two words of a process about how far it is."""

Result = tuple[Transcription, TranscriptionResult | Exception]
ProgressQueue = SimpleQueue[tuple[int, float, float]]


def recordings_in(sources: Sequence[str]) -> list[str]:
    """The recordings that are named: a folder of films stands for them, one of pictures for itself. Raises TranscribeError."""
    return [found for source in sources for found in _in(source)]


def _in(source: str) -> list[str]:
    folder = Path(source)
    if not folder.is_dir():
        return [source]
    there = seen_in(folder)
    films = [str(path) for path in there if path.suffix.lower() in FILM_ENDINGS]
    if films and any(path.suffix.lower() in PICTURE_ENDINGS for path in there):
        raise TranscribeError(
            f"{source} holds films and pictures. Name the films, or put them into a folder of their own."
        )
    return films or [source]


def each_into(folder: Path, chosen: Transcription, sources: Sequence[str], ending: str) -> list[Transcription]:
    """One transcription a recording, each into a file of its name in that folder; reports likewise. Raises TranscribeError,
    ReportError."""
    names = [path.name if path.is_dir() else path.stem for path in map(file_of, sources)]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise TranscribeError(
            f"Two recordings are called {twice}: their records would be one file. Rename one of them."
        )
    each = [
        replace(
            chosen,
            source=source,
            output=folder / f"{name}{ending}",
            report=chosen.report / f"{name}-report.json" if chosen.report is not None else None,
        )
        for source, name in zip(sources, names, strict=True)
    ]
    check_apart(
        (one.report for one in each if one.report is not None), (record for one in each for record in records_of(one))
    )
    return each


def run_transcriptions(
    all_chosen: Sequence[Transcription], jobs: int, progress: ReportProgress, stopped: Callable[[], bool]
) -> Iterator[Result]:
    """Each with its outcome, or with what it failed of, as they end. At most `jobs` at a time."""
    if jobs == 1:
        yield from _one_after_another(all_chosen, progress, stopped)
        return
    context = multiprocessing.get_context("spawn")
    stop, news = context.Event(), context.SimpleQueue()
    reported: dict[int, tuple[float, float]] = {}
    with ProcessPoolExecutor(jobs, context, _begin, (stop, news)) as pool:
        waiting = {pool.submit(_run, number, chosen): chosen for number, chosen in enumerate(all_chosen)}
        try:
            while waiting:
                if stopped():
                    stop.set()
                done, _ = wait(waiting, LOOK_EVERY, FIRST_COMPLETED)
                while not news.empty():
                    number, at, whole = news.get()
                    reported[number] = at, whole
                progress(sum(at for at, _ in reported.values()), sum(whole for _, whole in reported.values()) or None)
                for future in done:
                    chosen = waiting.pop(future)
                    yield chosen, _result(future, chosen)
        finally:
            stop.set()  # Whoever asked may have gone away: nothing works on for nobody.


def _one_after_another(
    all_chosen: Sequence[Transcription], progress: ReportProgress, stopped: Callable[[], bool]
) -> Iterator[Result]:
    for chosen in all_chosen:
        if stopped():
            yield chosen, StoppedError("Stopped before this recording was begun.")
            continue
        try:
            yield chosen, run_transcription(chosen, progress, stopped)
        except Exception as error:  # told as this recording's; the others go on
            yield chosen, error


def _result(future: Future[TranscriptionResult], chosen: Transcription) -> TranscriptionResult | Exception:
    error = future.exception()
    if isinstance(error, BrokenExecutor):
        return TranscribeError("The work on it was ended from outside. Go on with --resume.")
    return error if isinstance(error, Exception) else future.result()


_shared: Mapping[str, object] = {}


def _begin(stop: Event, news: ProgressQueue) -> None:
    """In a new process: whoever started it says when to stop, and each has one core."""
    global _shared
    _shared = {"stop": stop, "news": news}
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    cv2.setNumThreads(1)


def _run(number: int, chosen: Transcription) -> TranscriptionResult:
    stop, news = _shared["stop"], _shared["news"]
    assert isinstance(stop, Event)
    assert isinstance(news, SimpleQueue)
    if stop.is_set():
        raise StoppedError("Stopped before this recording was begun.")
    reported = 0.0

    def progress(at: float, whole: float | None) -> None:
        nonlocal reported
        if time.monotonic() - reported > TELL_EVERY:
            reported = time.monotonic()
            news.put((number, at, whole or at))

    return run_transcription(chosen, progress, stop.is_set)
