"""Keeps the archive: a line for every match, made out of its events in the referee's own words, and GNU Backgammon's verdicts.

Two threads with a connection each. A hub has them in a process of its own (archivist_process.py), never in the intake's way: what
they make can always be made again.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress

import msgspec

from controller.hub.archive import ArchiveLine, HubArchive, MatchKey
from controller.hub.errors import StoreError, ValueRefused
from controller.record.analysis import analyse, is_over
from controller.record.archive import plain
from controller.record.gnubg import GnubgError, find_gnubg
from controller.record.model import PlayAction, Record, RecordError
from controller.record.of_journal import record_of_match
from controller.record.replay import listed
from controller.rules import Move, format_moves

LOOK_S = 1.0
BREATH_S = 0.02
"""Seconds between two looks while there is something to do, so that others have the database for themselves meanwhile."""

AGAIN_S = 5.0


def line_of(record: Record) -> ArchiveLine:
    """Of a record as the events make it."""
    (light, dark), score = listed(record)
    words = plain(
        " ".join((*record.everybody, record.event, record.round, record.place, record.date, opening_of(record)))
    )
    return ArchiveLine(
        record.date, light, dark, record.event, record.round, record.length, score, is_over(record),
        record.problems[0] if record.problems else "", words,
    )  # fmt: skip


def opening_of(record: Record) -> str:
    """The first play of the first game, such as "31: 8/5 6/5"."""
    for action in record.games[0].actions if record.games else ():
        if isinstance(action, PlayAction):
            moves = tuple(Move(*move, False) for move in action.moves)
            return f"{max(action.dice)}{min(action.dice)}: {format_moves(moves)}"
    return ""


def _unread(error: Exception) -> ArchiveLine:
    return ArchiveLine(problem=f"This match can't be read here ({type(error).__name__}). Update the hub.")


class Archivist:
    """Works while it is open. url: of the database."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._work, args=(self.lines,), name="archivist", daemon=True)]
        if find_gnubg() is not None:
            # One at a time: GNU Backgammon takes a core for as long as it thinks.
            self._threads.append(threading.Thread(target=self._work, args=(self.judge,), name="analyses", daemon=True))

    def __enter__(self) -> Archivist:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join(timeout=5.0)

    def _work(self, do: Callable[[HubArchive], bool]) -> None:
        """Does one thing after another, as long as there is any."""
        while not self._stop.is_set():
            with suppress(StoreError):  # The intake says so, and tries again for ever.
                archive = HubArchive(self._url)
                try:
                    while not self._stop.wait(BREATH_S if do(archive) else LOOK_S):
                        pass
                finally:
                    archive.close()
            self._stop.wait(AGAIN_S)

    def lines(self, archive: HubArchive) -> bool:
        """Makes the lines of some matches of which there is news; False where there is none. Raises StoreError."""
        keys = archive.to_make()
        for key in keys:
            if self._stop.is_set():
                break
            self._line(archive, key)
        return bool(keys)

    @staticmethod
    def _line(archive: HubArchive, key: MatchKey) -> None:
        events = archive.events(key)
        made_of = events[-1].sequence
        # Whatever a board has sent: the match is listed as one that can't be read.
        try:
            line = line_of(record_of_match(events, key.board))
        except Exception as error:
            line = _unread(error)
        try:
            archive.keep_line(key, made_of, line)
        except ValueRefused as error:
            archive.keep_line(key, made_of, _unread(error))

    def judge(self, archive: HubArchive) -> bool:
        """Has GNU Backgammon judge one match that is over, once, however often it was sent; False where none waits. Raises
        StoreError."""
        job = archive.to_judge()
        if job is None:
            return False
        key, made_of = job
        known = archive.analysis_elsewhere(key, made_of)
        if known is not None:
            archive.keep_analysis(key, made_of, known)
            return True
        try:
            record = record_of_match(archive.events(key), key.board)
            analysis = analyse(record).shown(record)
            archive.keep_analysis(key, made_of, msgspec.json.encode(analysis).decode())
        except (GnubgError, RecordError) as error:
            archive.keep_analysis(key, made_of, None, str(error))
        except StoreError:
            raise
        except Exception as error:
            archive.keep_analysis(key, made_of, None, f"This match can't be analysed ({type(error).__name__}).")
        return True
