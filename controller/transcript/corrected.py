"""A transcribed match that a person puts right: each correction is an event more, and report and record are written anew.

match = CorrectedReport(path, output)
match.command(Correct(turn=3, game=1, after="..."))
"""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import msgspec

from controller.app.answers import refused
from controller.app.corrections import CORRECTIONS, Correction, corrected
from controller.app.report_view import NO_PLAYS, legal_of, line_at, report_of
from controller.errors import ControllerError
from controller.record.formats import WRITTEN, write_record
from controller.record.from_events import record_of
from controller.referee.commands import CommandError
from controller.referee.events import Played
from controller.referee.folding import fold
from controller.referee.history import effective
from controller.transcript.report import ReportError, check_apart, pictures_of, read_report, write_report
from vision.sentence import Sentence
from web.operator import Answer, Legal, Report
from web.words import message


class CorrectedReport:
    """A web.report_app.Corrector of one report's match. Any thread may call."""

    command_types: tuple[type[Correction], ...] = CORRECTIONS

    def __init__(self, path: Path, output: Path | None = None) -> None:
        """output: the record to write, None: the one that the report names, beside it. Raises ReportError."""
        self._path = path
        self._transcript = read_report(path)
        self.output = output or self._beside()
        if not self.output.name.lower().endswith(WRITTEN) or self.output.is_dir():
            raise ReportError(f"{self.output}: choose a name that ends with one of {', '.join(WRITTEN)}.")
        check_apart((path,), (self.output,))
        self._state = fold(self._transcript.held)
        self._trouble = Sentence("")
        self._lock = threading.Lock()

    def _beside(self) -> Path:
        name = self._transcript.record
        # The report may come from anybody: it names no file elsewhere.
        if not name or Path(name).name != name:
            raise ReportError(f"{self._path} names no record beside it. Say which file to write: -o FILE")
        return self._path.with_name(name)

    def report(self, match: str | None = None) -> Report:
        """The match as it is now."""
        transcript = self._transcript
        pictures = pictures_of(self._path, transcript.held)
        report = report_of(transcript.held, transcript.source, lambda line: line.event in pictures)
        return msgspec.structs.replace(
            report,
            light_home=transcript.light_home,
            record=self.output.name,
            trouble=str(self._trouble),
            trouble_message=message(self._trouble) if self._trouble else None,
        )

    def legal(
        self,
        line: int | None = None,
        dice: tuple[int, int] | None = None,
        game: int | None = None,
        match: str | None = None,
    ) -> Legal:
        """The legal plays of a line."""
        found = line_at(self._transcript.held, game, line) if line else None
        return legal_of(found.event, dice, self._state) if found and isinstance(found.event, Played) else NO_PLAYS

    def line_picture(self, game: int, line: int, match: str | None = None) -> bytes | None:
        """The board at that line."""
        held = self._transcript.held
        found = line_at(held, game, line)
        path = pictures_of(self._path, held).get(found.event) if found else None
        try:
            return path.read_bytes() if path else None
        except OSError:
            return None

    def command(self, command: Correction) -> Answer:
        """Carries out a correction. Where the report can't be written, or another program has written it since, it is not done."""
        with self._lock:
            held = self._transcript.held
            if self._written_by_another():
                return refused(
                    Sentence(
                        "Another program has written {path} since this page was opened. Nothing was changed. End the program "
                        "of this page and start it again.",
                        path=self._path,
                    )
                )
            try:
                events = corrected(held, self._state, command)
                transcript = replace(self._transcript, held=tuple(effective([*held, *events])))
                write_report(self._path, transcript)
            except CommandError as error:
                return refused(error)
            except OSError as error:
                return refused(
                    Sentence(
                        "{path} can't be written: {why}. Nothing was changed.", path=self._path, why=error.strerror
                    )
                )
            self._transcript, self._state = transcript, fold(transcript.held)
            self._trouble = self._written()
        return Answer(True)

    def _written_by_another(self) -> bool:
        """A transcription of the same recording, or a second page of the same report."""
        try:
            return read_report(self._path) != self._transcript
        except ReportError:
            return self._path.exists()

    def _written(self) -> Sentence:
        """Writes the record; why it could not be written, "" where it was. The report keeps what was said all the same."""
        try:
            write_record(record_of(self._transcript.held), self.output)
        except ControllerError as error:
            return error.sentence
        return Sentence("")
