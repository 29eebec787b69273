"""GNU Backgammon's verdicts on the matches of a running program: those that are kept, those that an operator asks for, and,
where the settings say so, one by itself after each match."""

from __future__ import annotations

import threading
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import msgspec

from controller.app.answers import refusal
from controller.app.status import Status
from controller.config import AnalysisConfig
from controller.errors import ControllerError
from controller.page.records import RecordReader
from controller.page.referee_link import RefereeLink
from controller.record.analyses import Analyses
from controller.record.analysis import TIME_LIMIT, analyse, may_analyse
from controller.record.gnubg import GnubgError, GnubgStopped, find_gnubg
from controller.record.model import Record, RecordError
from controller.record.rates import Pair, Rates
from controller.referee.state import Phase
from vision.sentence import Sentence
from web.operator import MatchAnalysis, Refusal

NEWEST = 10
"""Matches that are looked at for one without a verdict. Those before them an operator may have judged."""

AGAIN_S = 3.0
"""Seconds after which a viewer who waits for a verdict asks again."""

UNKNOWN = "This match is not in the journal."
NOT_YET = "Nobody has had this match analysed yet."
AT_IT = "GNU Backgammon is judging this match. The verdict appears here by itself."


class JudgedMatches:
    """From any thread. Of all that is asked of GNU Backgammon one thing is done at a time."""

    def __init__(self, link: RefereeLink, records: RecordReader, folder: Path, settings: AnalysisConfig) -> None:
        self._link, self._records, self._settings = link, records, settings
        self._kept = Analyses(folder)
        self.rates = Rates(folder / "rates.jsonl")
        self._busy, self._ended = threading.Lock(), threading.Event()
        self._failed: dict[tuple[str, int], Sentence] = {}
        self._last: tuple[str, int, MatchAnalysis] | None = None

    def find(self, identity: str) -> MatchAnalysis | Refusal:
        """The verdict that is kept; else why there is none. Many ask when a match is over: mostly nothing is read for them."""
        status = self._link.status
        span = status.matches.span(identity) if status else None
        if status is None or span is None:
            return refusal(Sentence(UNKNOWN))
        if self._last is not None and self._last[:2] == (identity, span[1]):
            return self._last[2]
        installed = find_gnubg() is not None
        if installed and identity == self._next(status):
            return msgspec.structs.replace(refusal(Sentence(AT_IT)), again_s=AGAIN_S)
        found = self._records.record_until(identity, status.matches)
        analysis = self._kept.find(found[1]) if found else None
        if found is not None and analysis is not None:
            self._know(identity, *found, analysis)
            return analysis
        if not installed:
            return refusal(Sentence("GNU Backgammon is not installed here, so there is no verdict."))
        failed = self._failed.get((identity, span[1]))
        return refusal(failed or Sentence(NOT_YET))

    def ask(self, identity: str) -> MatchAnalysis | Refusal:
        """A new verdict; refused while a match is on at this board, and stopped when one begins."""
        status = self._link.status
        found = self._records.record_until(identity, status.matches) if status else None
        if status is None or found is None:
            return refusal(Sentence(UNKNOWN))
        if refused := self._why_not():
            return refusal(refused)
        if not self._busy.acquire(blocking=False):
            return refusal(Sentence("GNU Backgammon is at another match. Try again when it is done."))
        try:
            return self._judge(identity, *found, lambda: not (self._ended.is_set() or self._why_not()))
        except GnubgStopped:
            return refusal(self._why_not() or Sentence(NOT_YET))
        except (GnubgError, RecordError) as error:
            return refusal(error)
        finally:
            self._busy.release()

    def end(self) -> None:
        """Gives up what somebody has asked for: the program ends."""
        self._ended.set()

    def _why_not(self) -> Sentence:
        """Why nothing is judged now, empty where something may be."""
        status = self._link.status
        return may_analyse(self._records.record(status.match, status.matches)) if status else Sentence("")

    def judge(self, wanted: Callable[[], bool]) -> bool:
        """An Engine's task: the newest match without a verdict, while none is on."""
        status = self._link.status
        identity = self._next(status) if status else None
        if status is None or identity is None or find_gnubg() is None or not self._busy.acquire(blocking=False):
            return False
        try:
            return self._judge_now(identity, status, lambda: wanted() and _at_rest(self._link.status))
        finally:
            self._busy.release()

    def _judge_now(self, identity: str, status: Status, wanted: Callable[[], bool]) -> bool:
        """Whether anything came of it; what fails is not tried again."""
        span = status.matches.span(identity)
        try:
            found = self._records.record_until(identity, status.matches)
            if found is None or span is None:
                return False
            kept = self._kept.find(found[1])
            if kept is not None:
                self._know(identity, *found, kept)
            else:
                self._judge(identity, *found, wanted)
        except GnubgStopped:
            return False
        except ControllerError as error:
            if span is not None:
                self._failed[identity, span[1]] = error.sentence
        return True

    def _judge(self, identity: str, last: int, record: Record, wanted: Callable[[], bool]) -> MatchAnalysis:
        analysis = analyse(record, self._settings.plies, TIME_LIMIT, wanted).shown(record)
        self._kept.keep(record, analysis)
        self._know(identity, last, record, analysis)
        return analysis

    def _know(self, identity: str, last: int, record: Record, analysis: MatchAnalysis) -> None:
        self._last = identity, last, analysis
        first, second = analysis.players
        # The columns stay the players'; in the list of matches light is whoever had those checkers last.
        changed = bool(record.games) and record.games[-1].light == 1
        self.rates.add(identity, last, (second, first) if changed else (first, second))

    def rates_of(self, identity: str) -> Pair | None:
        """Light's and dark's in that match, as they sat at its end; None where nobody has judged it as it is now."""
        status = self._link.status
        span = status.matches.span(identity) if status else None
        return self.rates.find(identity, span[1]) if span else None

    def _next(self, status: Status) -> str | None:
        """The match that is to be judged now, None for none."""
        if not self._settings.after_match or not _at_rest(status):
            return None
        lines = islice(status.matches.lines(), NEWEST)
        for identity in (line.id for line in lines if line.over or not line.length or line.id == status.match):
            span = status.matches.span(identity)
            if span and (identity, span[1]) not in self._failed and self.rates.find(identity, span[1]) is None:
                return identity
        return None


def _at_rest(status: Status | None) -> bool:
    """Whether no game is on: then GNU Backgammon may have the machine."""
    return status is not None and not status.practising and status.state.phase is Phase.MATCH_OVER
