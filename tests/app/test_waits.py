"""The power goes while a turn waits to be written: the next start goes on as if it had not, or as is written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec
import numpy as np
import pytest

from controller.app.match_journal import unfinished
from controller.app.referee import Outlets, Referee
from controller.app.table import Table
from controller.app.waits import WaitsFile, waits_path
from controller.panel.virtual import VirtualPanel
from controller.record.journal import Journal
from controller.referee.commands import NewMatch, Pause
from controller.referee.events import Found, Played
from controller.referee.kept import Kept, decode_kept, encode_kept
from controller.referee.session import MatchPlan
from controller.rules import MATCH, Position, Side
from tests.referee.table import after_moves
from tests.tracking.eyes import Eyes, thrown
from vision.frame import Frame
from vision.watching.watcher import Watcher
from web.hub import ViewHub

LIGHT, DARK = Side.LIGHT, Side.DARK
OPENED = after_moves(Position.start(), LIGHT, (4, 1), (13, 9), (9, 8))
REPLIED = after_moves(OPENED, DARK, (4, 1), (13, 9), (9, 8))
WAITS = [
    (Position.start(), ()),
    (Position.start(), [(4, LIGHT), (1, DARK)]),
    (OPENED, [(4, LIGHT), (1, DARK)]),
    (OPENED, ()),
    (OPENED, [(4, DARK)]),
    (REPLIED, ()),
]
"""Light has opened with 4-1, played 13/8; dark has played 13/8, too, with 4-1 or 3-2: one die was seen."""
LATER = after_moves(REPLIED, LIGHT, (4, 2), (8, 4), (6, 4))
AFTER = [(REPLIED, thrown(LIGHT, 4, 2)), (LATER, thrown(LIGHT, 4, 2)), (LATER, ()), (LATER, thrown(DARK, 6, 5))]


class Evening:
    """A table whose power goes and comes again. file: what is kept beside the journal."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._journal, self.eyes = folder / "journal.sqlite3", Eyes()
        self.file = waits_path(self._journal)
        monkeypatch.setattr(Watcher, "look", lambda *_: self._seen)

    @contextmanager
    def powered(self) -> Iterator[Referee]:
        """The program is on; at the end it is off without having known."""
        with closing(Journal(self._journal)) as journal:
            table = Table(MatchPlan(MATCH, 5, ("Jana", "Petr")), None, "bottom-right", waits=self.file)
            yield Referee(table, journal, Outlets(ViewHub(), VirtualPanel()), key_frames=True)

    def shows(self, referee: Referee, looks: Sequence[tuple[Position, Sequence[tuple[int, Side]]]]) -> None:
        """Rests of the board, one after the other: what stands, and which dice lie there."""
        for stands, dice in looks:
            self._seen = self.eyes.look(stands, dice)
            referee.take(Frame(np.zeros((90, 160, 3), np.uint8), self._seen.seconds))

    @property
    def written(self) -> list[tuple[Side, tuple[int, int]] | None]:
        """The turns in the journal; None for a gap."""
        with closing(Journal(self._journal)) as journal:
            lines = [event for event in unfinished(journal).held if isinstance(event, Played | Found)]
        return [(line.side, line.dice) if isinstance(line, Played) else None for line in lines]

    def goes_on(self) -> list[tuple[Side, tuple[int, int]] | None]:
        """What is written in the end where the power comes again, and light plays on."""
        with self.powered() as referee:
            self.shows(referee, AFTER)
        return self.written


@pytest.fixture
def evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Evening:
    """A turn waits there, and the power is off."""
    one = Evening(tmp_path, monkeypatch)
    with one.powered() as referee:
        one.shows(referee, WAITS)
    assert one.written == [(LIGHT, (4, 1))]
    return one


def test_a_turn_that_waits_when_the_power_goes_is_written_once_it_is_known(evening: Evening) -> None:
    """Until 1 December 2026 it was forgotten, and was a gap."""
    assert evening.goes_on() == [(LIGHT, (4, 1)), (DARK, (4, 1)), (LIGHT, (4, 2))]


def test_it_outlasts_a_second_power_cut_before_anything_is_seen(evening: Evening) -> None:
    with evening.powered():
        pass
    assert evening.goes_on() == [(LIGHT, (4, 1)), (DARK, (4, 1)), (LIGHT, (4, 2))]


def test_players_may_put_it_back_meanwhile(evening: Evening) -> None:
    with evening.powered() as referee:
        evening.shows(referee, [(OPENED, ()), (OPENED, thrown(DARK, 6, 2))])
    assert (evening.written, evening.file.exists()) == ([(LIGHT, (4, 1))], False)


def altered(**parts: object) -> Callable[[bytes], bytes]:
    return lambda data: msgspec.json.encode({**msgspec.json.decode(data), **parts})


@pytest.mark.parametrize(
    "spoilt",
    [
        lambda data: b"",
        lambda data: data[:-40],
        lambda data: data.replace(b'"Side":["dark"]', b'"Side":["none"]'),
        lambda data: data.replace(b"0", b"1"),
        altered(last=-1),
        altered(last=10**30),
        altered(newest=0),
        altered(shape=0),
        altered(kept=[], checksum=0),
    ],
)
def test_what_is_damaged_or_was_kept_by_another_program_is_as_if_nothing_was(
    evening: Evening, spoilt: Callable[[bytes], bytes]
) -> None:
    evening.file.write_bytes(spoilt(evening.file.read_bytes()))
    assert evening.goes_on() == [(LIGHT, (4, 1)), None, (LIGHT, (4, 2))]


def test_what_was_kept_before_more_was_written_is_as_if_nothing_was(evening: Evening) -> None:
    kept = evening.file.read_bytes()
    with evening.powered() as referee:
        referee.obey(NewMatch(light="Eva", dark="Jan", length=3))
    evening.file.write_bytes(kept)
    with evening.powered() as referee:
        assert not referee._session.tracker.belief.best.facts


def test_nothing_is_written_while_nothing_waits_or_has_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = Evening(tmp_path, monkeypatch)
    with one.powered() as referee:
        one.shows(referee, WAITS[:-1])
        assert not one.file.exists()
        one.shows(referee, WAITS[-1:])
        before = one.file.stat()
        one.shows(referee, WAITS[-1:])
        assert one.file.stat() == before
        referee.obey(Pause())
        assert one.file.stat() != before


def test_it_is_kept_to_the_last_field(evening: Evening) -> None:
    with closing(Journal(evening.file.with_name("journal.sqlite3"))) as journal:
        kept = WaitsFile(evening.file, journal).read()
    assert isinstance(kept, Kept)
    assert repr(decode_kept(encode_kept(kept))) == repr(kept)
    assert [fact for fact in kept.courses[0][0].facts if fact.roll == (4, 1)]  # type: ignore[union-attr]
