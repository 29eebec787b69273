"""`vrhcab transcribe`: one recording into one record, stopped and gone on with at will."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from controller.config import plain_source
from controller.record.formats import WRITTEN, write_record
from controller.record.from_events import record_of
from controller.record.model import PlayAction, Record, RecordError
from controller.record.words import counted
from controller.referee.session import MatchPlan
from controller.rules import RuleSet, agreed_length, seated
from controller.transcript.report import (
    ReportError,
    Transcript,
    TranscriptNotes,
    check_apart,
    check_report,
    read_report,
    write_report,
)
from controller.transcript.resume import fingerprint, keep, kept, part_beside
from controller.transcript.transcribe import Job, Left, TranscribeError, Transcriber
from terms.board import Corner
from vision.outside import FileRefused, named_path
from vision.pictures.files import fixed_corners
from vision.sources import FrameSource, open_straight

FILM_FPS = 10.0
"""Frames a second that are asked of a film: the motion gate wants two of them before it calls the board still."""

KEEP_EVERY = 30.0
"""Seconds of work after which is kept what to go on from: the most that a power cut costs."""

ReportProgress = Callable[[float, float | None], None]
"""Told how many seconds of the recording have been looked at, of how many; None where nobody can know."""


class StoppedError(TranscribeError):
    """Somebody stopped it before there was anything to write."""


@dataclass(frozen=True)
class Transcription:
    """The choices of `vrhcab transcribe`. length None: as the rules have it; names: "LIGHT,DARK".

    resume: go on where an earlier try was stopped; a record that is there and whole stays as it is.
    """

    source: str
    output: Path
    rules: RuleSet
    corners: str | None = None
    home: Corner | None = None
    length: int | None = None
    names: str = "Light,Dark"
    fps: float | None = None
    lens: Path | None = None
    report: Path | None = None
    resume: bool = False


@dataclass(frozen=True)
class TranscriptionResult:
    """What has become of one recording. stopped: how far it was looked at, in seconds, where that is not all of it."""

    output: Path
    games: int = 0
    turns: int = 0
    stopped: float | None = None
    was_there: bool = False

    @property
    def sentence(self) -> str:
        """The same in words."""
        if self.was_there:
            return f"{self.output}: is there already"
        found = f"{self.output}: {counted(self.games, 'game')}, {counted(self.turns, 'turn')}"
        if self.stopped is None:
            return found
        return f"{found} so far; stopped at {clock(self.stopped)}. Go on with --resume."


def clock(seconds: float) -> str:
    """Seconds as h:mm:ss."""
    whole = int(seconds)
    return f"{whole // 3600}:{whole // 60 % 60:02d}:{whole % 60:02d}"


def source_of(named: str) -> str:
    """The text by which a source is opened; a film or a folder may be named without its kind before it."""
    if ":" in named and not Path(named).exists():
        return plain_source(named)
    return f"{'frames' if Path(named).is_dir() else 'video'}:{named}"


def file_of(named: str) -> Path:
    """The film or folder that is named so."""
    _, _, rest = source_of(named).partition(":")
    with suppress(FileRefused):  # Whoever opens it says why.
        return named_path(rest)
    return Path(rest)


def check_transcription(chosen: Transcription) -> MatchPlan:
    """Says before the work what can't be done of it. Raises TranscribeError, ReportError or RuleSetError."""
    light, _, dark = chosen.names.partition(",")
    if not light.strip() or not dark.strip():
        raise TranscribeError("Give both names with a comma between them, for example --names Anna,Boris.")
    rules, names = seated(chosen.rules, ()), (light.strip(), dark.strip())
    plan = MatchPlan(rules, agreed_length(rules, chosen.length), names)
    _check_output(chosen.output)
    if chosen.report is not None:
        check_report(chosen.report)
        check_apart((chosen.report,), records_of(chosen))
    return plan


def records_of(chosen: Transcription) -> tuple[Path, Path]:
    """The record, and where all of it is kept as JSON where the record's format can't hold it."""
    return chosen.output, chosen.output.with_name(f"{chosen.output.name}.json")


def run_transcription(
    chosen: Transcription, progress: ReportProgress, stopped: Callable[[], bool]
) -> TranscriptionResult:
    """Transcribes; writes record and report. stopped: asked before every frame whether to end here and keep what is done."""
    plan = check_transcription(chosen)
    path, part = file_of(chosen.source), part_beside(chosen.output)
    asked = fingerprint(
        path, chosen.rules, plan.length, plan.names, chosen.corners, chosen.home, chosen.fps, chosen.lens
    )
    if chosen.resume and chosen.output.exists() and not part.exists():
        if chosen.report is not None and not chosen.report.exists():
            raise ReportError(
                f"{chosen.output} is there already, and the report {chosen.report} is not. Without --resume both are made anew."
            )
        return TranscriptionResult(chosen.output, was_there=True)
    if chosen.resume and chosen.report is not None and _was_put_right(chosen.report):
        raise ReportError(
            f"{chosen.report} was put right since the work was stopped, and going on would undo that. Move it and "
            f"{chosen.output} away, or put it right when all of the recording is transcribed."
        )
    left = kept(part, asked) if chosen.resume else None
    folder = path.is_dir()
    opened = _opened(chosen, left.seconds if left else 0.0, folder=folder)
    try:
        job = Job(plan, fixed_corners(chosen.corners), chosen.home, key_frames=folder and chosen.fps is None)
        notes = TranscriptNotes()
        work = Transcriber(job, notes, left)
        reached = _worked(work, opened, progress, stopped, lambda now: keep(now, part, asked))
    finally:
        opened.close()
    try:
        ended = work.ended()
    except TranscribeError as error:
        if reached is None:
            raise
        raise StoppedError(
            f"Stopped at {clock(reached)}, before anything was sure of the game; nothing is written."
        ) from error
    if reached is not None:
        keep(work.left(), part, asked)
    record = record_of(ended.held)
    try:
        if chosen.report is not None:
            # Before the record: where its format can't hold a gap, the report is where that is put right.
            transcript = Transcript(path.name, _beside(chosen), ended.held, ended.light_home)
            _write_report(chosen.report, transcript, notes)
    finally:
        _write(record, chosen)
    if reached is None:
        part.unlink(missing_ok=True)
    return TranscriptionResult(chosen.output, len(record.games), turns_of(record), reached)


def _was_put_right(report: Path) -> bool:
    """Whether a person has said anything of what is reported there; of what is no report nobody has."""
    try:
        return read_report(report).put_right
    except ReportError:
        return False


def _write_report(path: Path, transcript: Transcript, notes: TranscriptNotes) -> None:
    """Raises ReportError."""
    try:
        write_report(path, transcript, notes.pictures)
    except OSError as error:
        raise ReportError(
            f"The report {path} can't be written: {error.strerror}. The record is written without it."
        ) from error


def _write(record: Record, chosen: Transcription) -> None:
    """Where the format can't hold what was played (a gap, a beginning in mid-game), all of it is kept beside it, as JSON:
    nobody is to wait for a long recording twice. Raises RecordError, or TranscribeError that says where it is."""
    output, whole = records_of(chosen)
    try:
        write_record(record, output)
    except RecordError as refused:
        try:
            write_record(record, whole)
        except RecordError:
            raise refused from None
        raise TranscribeError(
            f"{refused} {whole} holds all that was seen: vrhcab convert makes another format of it."
        ) from None


def turns_of(record: Record) -> int:
    """How many turns a record holds."""
    return sum(isinstance(action, PlayAction) for game in record.games for action in game.actions)


def _beside(chosen: Transcription) -> str:
    """The record's name as the report holds it: none where it lies elsewhere, as a report may come from anybody."""
    report, output = chosen.report, chosen.output
    return output.name if report is not None and output.resolve().parent == report.resolve().parent else ""


def _opened(chosen: Transcription, start: float, *, folder: bool) -> FrameSource:
    fps = chosen.fps or (None if folder else FILM_FPS)
    opened = open_straight(source_of(chosen.source), chosen.lens, fps=fps, news_only=True, start=start)
    if opened.live:
        opened.close()
        raise TranscribeError(
            f"{chosen.source!r} never ends. Transcribe a video file or a folder; for a camera: vrhcab run."
        )
    return opened


def _worked(
    work: Transcriber,
    opened: FrameSource,
    progress: ReportProgress,
    stopped: Callable[[], bool],
    keep_left: Callable[[Left], None],
) -> float | None:
    """Looks at frame after frame; the seconds reached where somebody stopped it, None at the end."""
    begun = work.left()
    start = begun.seconds if begun is not None else 0.0
    at, kept_at = start, time.monotonic()
    for frame in opened.frames():
        if stopped():
            return at
        at = frame.seconds
        if at < start:
            continue
        work.look(frame)
        progress(at, opened.duration)
        now = work.left()
        if now is not None and time.monotonic() - kept_at > KEEP_EVERY:
            with suppress(OSError):  # A disk that is full is told of when the record itself is written.
                keep_left(now)
            kept_at = time.monotonic()
    return None


def _check_output(path: Path) -> None:
    """Says before the work, not after it, that its result could not be written."""
    if not path.name.lower().endswith(WRITTEN):
        raise TranscribeError(f"{path}: choose a name that ends with one of {', '.join(WRITTEN)}.")
    if not path.parent.is_dir():
        raise TranscribeError(f"{path} can't be written: there is no folder {path.parent}. Make it, or choose another.")
    if path.is_dir() or not os.access(path.parent, os.W_OK):
        raise TranscribeError(f"{path} can't be written. Choose a file name in a folder of your own.")
