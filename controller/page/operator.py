"""The operator's desk behind the page: commands go to the referee's thread and wait for its answer, the rest is only read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal, get_args

import msgspec

from controller.app.answers import no_board, refusal, refused
from controller.app.camera import why_of
from controller.app.corrections import CORRECTIONS, Correction
from controller.app.practice import MATCH_WAITS
from controller.app.referee import Referee
from controller.app.report_view import NO_PLAYS, legal_in, legal_of, line_at, report_of
from controller.app.status import Status
from controller.app.view import games_before
from controller.config import AnalysisConfig, PanelConfig
from controller.page.archived import ArchivedMatches
from controller.page.coach import Coach
from controller.page.eyes import Eyes, EyesBusy
from controller.page.judged import JudgedMatches
from controller.page.pictures import board_in
from controller.page.players import Players
from controller.page.records import RecordReader, exported, unjudged
from controller.page.referee_link import RefereeLink
from controller.panel.plan import Cue, PanelState
from controller.record.evidence import EvidenceFiles, to_jpeg
from controller.record.evidence_recorder import EvidenceRecorder, turn_name
from controller.record.journal import Journal
from controller.record.model import Record
from controller.record.turns import LineOfGame
from controller.referee.commands import AnyCommand, CommandError, Undo
from controller.referee.events import AnyEvent, Played
from controller.referee.folding import fold
from controller.referee.history import last_correction
from controller.stills.photo import PhotoError, read_photo
from terms.board import SideName
from vision.sentence import Sentence
from web.operator import (
    Answer,
    Coached,
    Export,
    Form,
    FoundBoard,
    GameLines,
    Legal,
    MatchAnalysis,
    MatchLine,
    NoBoard,
    PhotoRead,
    PlayedMatches,
    PlayerLine,
    Refusal,
    Report,
    Which,
)
from web.words import load_words

MATCH_IS_ON = (
    "This match is being recorded silently. Its record can be saved here when it is over, and at the desk at any time."
)

PICTURE_WIDTH = 1280
PICTURE_QUALITY = 80


class RefereesDesk:
    """An Operator for the page; the web's threads call. link: to the referee; journal: where all matches are; evidence: who has
    the pictures; panel: the lamps' settings; eyes: look at the pictures that people ask about; judged, coach: GNU Backgammon's."""

    command_types: tuple[type[AnyCommand], ...] = get_args(AnyCommand)
    correction_types: tuple[type[Correction], ...] = CORRECTIONS
    record_type: type[msgspec.Struct] = Record

    def __init__(
        self,
        link: RefereeLink,
        journal: Journal,
        evidence: EvidenceRecorder | None = None,
        analysis: AnalysisConfig | None = None,
        panel: PanelConfig | None = None,
    ) -> None:
        self._link, self._evidence, self._panel = link, evidence, panel or PanelConfig()
        self._records, self._archived = RecordReader(journal), ArchivedMatches(link, journal)
        analysis = analysis or AnalysisConfig()
        self.judged = JudgedMatches(link, self._records, journal.path.with_name("analyses"), analysis)
        self.coach = Coach(link, analysis)
        self._players = Players(self.judged.rates_of)
        self.eyes = Eyes()

    def command(self, command: AnyCommand, by: str = "", seen: int | None = None) -> Answer:
        """Carries out one command of referee/commands.py. by: whose it is, where that is known; seen: as Referee.obey() has it."""
        return self._done(lambda referee: referee.obey(command, by, seen))

    def correct(self, match: str, command: Correction, by: str = "") -> Answer:
        """Carries out a correction of any match: of the one that is on as everywhere else, but nothing that was played is taken
        back; of others as it is kept beside them."""
        status = self._link.status
        if status is not None and match != status.match:
            return self._archived.correct(status, match, command, by)
        return self._done(lambda referee: _put_right(referee, match, command, by))

    def _done(self, do: Callable[[Referee], object]) -> Answer:
        """What the referee is asked to do."""
        try:
            self._link.ask(do)
        except CommandError as error:
            return refused(error)
        return Answer(True)

    def legal(
        self,
        line: int | None = None,
        dice: tuple[int, int] | None = None,
        game: int | None = None,
        match: str | None = None,
    ) -> Legal:
        """The legal plays of the turn in progress, or of an earlier line of a game, with its dice or others."""
        status = self._link.status
        if status is None:
            return NO_PLAYS
        state = status.written
        if line is None:
            return legal_in(state.to_play, state.ruleset) if state.to_play else NO_PLAYS
        held = self._held(status, match)
        found = line_at(held, game, line)
        if found is None or not isinstance(found.event, Played):
            return NO_PLAYS
        return legal_of(found.event, dice, state if held is status.held else fold(held))

    def report(self, match: str | None = None) -> Report | None:
        """A match to be looked over, the running one where none is named."""
        status = self._link.status
        if status is None or not (held := self._held(status, match)):
            return None
        of = match or status.match
        report = report_of(held, "", lambda line: self._picture_of(of, line) is not None)
        return msgspec.structs.replace(report, match=of, light_home=status.light_home)

    def line_picture(self, game: int, line: int, match: str | None = None) -> bytes | None:
        """The board at one line of it, where it was kept: of doubtful turns, and of what the referee said something about."""
        status = self._link.status
        found = line_at(self._held(status, match), game, line) if status else None
        path = self._picture_of(match or status.match, found) if status and found else None
        try:
            return path.read_bytes() if path else None
        except OSError:
            return None

    def _held(self, status: Status, match: str | None) -> Sequence[AnyEvent]:
        """The events of a match that hold; nothing for one that is not there."""
        if match in (None, status.match):
            return status.held
        return self._archived.held(status, match) or ()

    def _picture_of(self, match: str, line: LineOfGame) -> Path | None:
        if self._evidence is None:
            return None
        of_flags = (self._evidence.find(match, flag.number).after for flag in line.flags)
        of_turn = self._evidence.find(match, turn_name(line.event.seconds)).after
        return of_turn or next((path for path in of_flags if path), None)

    def games(self) -> tuple[GameLines, ...]:
        """The games of the running match before the present one."""
        status = self._link.status
        return games_before(status.held) if status else ()

    def picture(self) -> bytes | None:
        """The newest frame as JPEG."""
        status = self._link.status
        if status is None or status.frame is None:
            return None
        return to_jpeg(status.frame.image, PICTURE_WIDTH, PICTURE_QUALITY)

    def find(self) -> FoundBoard | NoBoard:
        """Where the board lies in the newest frame."""
        status = self._link.status
        frame = status.frame if status else None
        if frame is None:
            return no_board(Sentence("There is no picture: no camera sees the board."), None)
        try:
            return self.eyes.look(lambda reader: board_in(frame, reader))
        except EyesBusy as error:
            return no_board(error, frame.size)
        except Exception as error:  # As below.
            why = Sentence("The camera's picture could not be looked at ({why}). Try again.", why=why_of(error))
            return no_board(why, frame.size)

    def read(self, picture: bytes) -> PhotoRead | Refusal:
        """A photo's position."""
        try:
            return self.eyes.look(lambda reader: read_photo(picture, reader))
        except (PhotoError, EyesBusy) as error:
            return refusal(error)
        except Exception as error:  # Of OpenCV, the networks' runtime, or for want of memory.
            return refusal(
                Sentence(
                    "The photo could not be looked at ({why}). Take a smaller one, or take it again.", why=why_of(error)
                )
            )

    def matches(self) -> tuple[MatchLine, ...]:
        """Every match in the journal, newest first."""
        status = self._link.status
        return status.matches.lines() if status else ()

    def players(self, hidden: frozenset[str]) -> tuple[PlayerLine, ...]:
        """Every player."""
        return self._players.lines(self.matches(), self.judged.rates.changes, hidden)

    def played(self, name: str, hidden: frozenset[str]) -> PlayedMatches | None:
        """A player's matches."""
        return self._players.played(name, self.matches(), hidden)

    def _record(self, identity: str) -> Record | None:
        status = self._link.status
        return self._records.record(identity, status.matches) if status else None

    def match(self, identity: str, *, judged: bool) -> Record | None:
        """A match's record."""
        record = self._record(identity)
        return record if record is None or judged else unjudged(record)

    def export(self, identity: str, form: Form, *, judged: bool, language: str = "en") -> Export | None:
        """A match as a file. What a format can't hold is left out, and said in it.

        Where nothing of it may be said yet there is no file of it either: what a play that is not legal did to the board would
        show in each.
        """
        record = self._record(identity)
        if record is None:
            return None
        if not judged:
            sentence = load_words(language).translate(MATCH_IS_ON)
            return Export("match-is-on.txt", "text/plain; charset=utf-8", f"{sentence}\n".encode())
        return exported(record, form, language)

    def analyse(self, identity: str) -> MatchAnalysis | Refusal:
        """GNU Backgammon's verdict on a match; refused while one is on at this board."""
        return self.judged.ask(identity)

    def analysis(self, identity: str) -> MatchAnalysis | Refusal:
        """The verdict that is kept."""
        return self.judged.find(identity)

    def coached(self, side: SideName | None) -> Coached:
        """What the coach says."""
        return self.coach.hints_for(side)

    def frame(self, flag: int, which: Which) -> bytes | None:
        """The pictures kept for a flag of the running match."""
        status = self._link.status
        if self._evidence is None or status is None:
            return None
        return _read(self._evidence.find(status.match, flag), which)

    def turn_frame(self, number: int, which: Which) -> bytes | None:
        """The pictures kept for a doubtful line of the running game."""
        status = self._link.status
        if self._evidence is None or status is None:
            return None
        turns = status.written.turns
        if not 0 < number <= len(turns):
            return None
        return _read(self._evidence.find(status.match, turn_name(turns[number - 1].seconds)), which)

    def test(self, what: Literal["lamps", "buzzer"]) -> Answer:
        """Lights every lamp, or sounds the buzzer, for a moment."""
        silent = why_silent(self._panel) if what == "buzzer" else None
        if silent is not None:
            return refused(silent)
        shown = PanelState(every=True) if what == "lamps" else PanelState(sound=True, cue=Cue.MISTAKE, cue_number=1)
        try:
            self._link.ask(lambda referee: referee.test_lamps(shown))
        except CommandError as error:
            return refused(error)
        return Answer(True)


def why_silent(panel: PanelConfig) -> Sentence | None:
    """Why nobody would hear its buzzer; None where somebody does."""
    if panel.kind not in ("serial", "emulated"):
        return Sentence("This panel has no buzzer.")
    if not panel.sound:
        return Sentence(
            "The settings keep the buzzer silent. To hear it, set sound = true under [panel], and start the program again."
        )
    return None


def _read(kept: EvidenceFiles, which: Which) -> bytes | None:
    path = {"before": kept.before, "after": kept.after, "clip": kept.clip}[which]
    try:
        return path.read_bytes() if path else None
    except OSError:
        return None


def _put_right(referee: Referee, match: str, command: Correction, by: str) -> None:
    """A correction of the match that is on; only what was put right is taken back, unless something has been played since. Raises
    CommandError, also where another match has begun since somebody asked."""
    if referee.practising:
        raise CommandError(MATCH_WAITS)
    if referee.status.match != match:
        raise CommandError(
            "Another match has begun meanwhile, so nothing was changed. Say it again, and this one is corrected."
        )
    if isinstance(command, Undo) and last_correction(referee.status.held) is None:
        raise CommandError("There is nothing to take back.")
    referee.obey(command, by)
