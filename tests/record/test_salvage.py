"""A journal that was cut off or has flipped bits names its damage, and everything else in it is saved."""

from __future__ import annotations

import random
import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from controller.record.journal import Journal, JournalError, StoredEvent, read_events
from controller.record.salvage import LOST, recover, salvage
from tests.disk import full_disk

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
EVENTS = 60


def payload(number: int) -> str:
    """Short ones, and now and then one that needs several pages."""
    return f'{{"n": {number}, "fill": "{"ř" * (6000 if number % 20 == 7 else number * 3)}"}}'


def journal_with_log(folder: Path, name: str = "j.db") -> Path:
    """A journal as a killed process leaves it: part of it still in the log."""
    source = folder / "source.db"
    with Journal(source, clock=lambda: NOON) as journal:
        for number in range(1, EVENTS + 1):
            journal.append("play", 1, payload(number), "table 1", "final", 1)
            if number == EVENTS // 2:
                journal._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        for suffix in ("", "-wal"):
            shutil.copy(f"{source}{suffix}", folder / f"{name}{suffix}")
    return folder / name


@pytest.fixture(scope="module")
def intact(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = journal_with_log(tmp_path_factory.mktemp("journal"))
    assert path.with_name("j.db-wal").stat().st_size > 0
    return path


def copied(intact: Path, folder: Path) -> Path:
    for suffix in ("", "-wal"):
        shutil.copy(f"{intact}{suffix}", folder / f"j.db{suffix}")
    return folder / "j.db"


def truth(number: int) -> StoredEvent:
    return StoredEvent(number, "table 1", "final", 1, "play", 1, "2026-11-20T12:00:00.000+00:00", payload(number))


def test_an_intact_journal_opens_and_salvages_whole(intact: Path, tmp_path: Path) -> None:
    path = copied(intact, tmp_path)
    assert salvage(path) == {number: truth(number) for number in range(1, EVENTS + 1)}
    with Journal(path) as journal:
        assert list(journal.events()) == [truth(number) for number in range(1, EVENTS + 1)]


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("part", ["", "-wal"])
def test_flipped_bits_are_named_or_harmless_and_the_rest_is_saved(
    intact: Path, tmp_path: Path, seed: int, part: str
) -> None:
    path = copied(intact, tmp_path)
    victim = Path(f"{path}{part}")
    data = bytearray(victim.read_bytes())
    place = random.Random(seed).randrange(len(data))
    data[place] ^= 1 << seed % 8
    victim.write_bytes(data)
    saved = salvage(path)
    assert all(event == truth(number) for number, event in saved.items())
    assert len(saved) >= EVENTS - 1
    before = path.read_bytes()
    events, sentence = opened(path)
    if sentence:
        assert "damaged" in sentence or "not a journal" in sentence
        assert "vrhcab restore" in sentence
        assert path.read_bytes() == before
    else:
        # Nothing was said, so nothing may be wrong; only the last transaction can look as if it was never confirmed.
        assert events == [truth(number) for number in range(1, len(events) + 1)]
        assert len(events) >= EVENTS - 1


def opened(path: Path) -> tuple[list[StoredEvent], str]:
    """The events, or why there are none."""
    try:
        with Journal(path) as journal:
            return list(journal.events()), ""
    except JournalError as error:
        return [], str(error)


@pytest.mark.parametrize("share", [0.05, 0.3, 0.5, 0.77, 0.99])
def test_a_journal_that_was_cut_off_gives_what_is_left(intact: Path, tmp_path: Path, share: float) -> None:
    path = copied(intact, tmp_path)
    Path(f"{path}-wal").unlink()
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * share)])
    saved = salvage(path)
    assert all(event == truth(number) for number, event in saved.items())
    if share >= 0.5:
        assert len(saved) >= EVENTS // 2 * share - 8
    with pytest.raises(JournalError, match="damaged"):
        Journal(path)


def test_recovery_keeps_every_sequence_and_names_the_lost(intact: Path, tmp_path: Path) -> None:
    path = copied(intact, tmp_path)
    for victim in (path, Path(f"{path}-wal")):
        data = victim.read_bytes()
        victim.write_bytes(data.replace(b'"n": 12,', b'"n": 13,').replace(b'"n": 45,', b'"n": 46,'))
    done = recover(path, tmp_path / "saved.db")
    assert (done.events, done.lost) == (EVENTS - 2, (12, 45))
    events = list(read_events(tmp_path / "saved.db"))
    assert [event.sequence for event in events] == list(range(1, EVENTS + 1))
    assert [event.sequence for event in events if event.kind == LOST] == [12, 45]
    with Journal(tmp_path / "saved.db") as journal:
        assert journal.append("play", 1, "{}", "b", "m", 1) == EVENTS + 1


def test_what_is_lost_after_an_event_of_no_match_belongs_to_the_match_that_is_on(tmp_path: Path) -> None:
    with Journal(tmp_path / "j.db") as journal:
        journal.append("play", 1, payload(1), "table 1", "final", 1)
        journal.append("amended", 1, '{"match": "semifinal"}', "table 1", "", 0)
        journal.append("play", 1, '{"n": 3}', "table 1", "final", 1)
        journal.append("play", 1, payload(4), "table 1", "final", 1)
    path = tmp_path / "j.db"
    path.write_bytes(path.read_bytes().replace(b'{"n": 3}', b'{"n": 9}'))
    assert recover(path, tmp_path / "saved.db").lost == (3,)
    assert [(event.kind, event.match) for event in read_events(tmp_path / "saved.db")] == [
        ("play", "final"),
        ("amended", ""),
        (LOST, "final"),
        ("play", "final"),
    ]


def test_a_destroyed_header_does_not_matter(intact: Path, tmp_path: Path) -> None:
    path = copied(intact, tmp_path)
    path.write_bytes(b"\x00" * 100 + path.read_bytes()[100:])
    with pytest.raises(JournalError, match="vrhcab restore"):
        Journal(path)
    assert recover(path, tmp_path / "saved.db").lost == ()


def test_nothing_is_overwritten_and_nothing_comes_from_nothing(intact: Path, tmp_path: Path) -> None:
    path = copied(intact, tmp_path)
    with pytest.raises(JournalError, match="exists already"):
        recover(path, path)
    (tmp_path / "noise").write_bytes(random.Random(1).randbytes(50_000))
    with pytest.raises(JournalError, match="Not one event"):
        recover(tmp_path / "noise", tmp_path / "new.db")
    with pytest.raises(JournalError, match="can't be read"):
        recover(tmp_path / "none", tmp_path / "new.db")
    assert not (tmp_path / "new.db").exists()


def test_of_a_file_that_the_disk_has_no_room_for_nothing_is_left(intact: Path, tmp_path: Path) -> None:
    path = copied(intact, tmp_path)
    before = sorted(tmp_path.iterdir())
    with full_disk(5000), pytest.raises(JournalError, match=r"new\.db can't be written, and nothing of it was left"):
        recover(path, tmp_path / "new.db")
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("damage", [b"CREATE \xff\x85", b"\x00\x85\xff\xfe"])
def test_damage_in_the_list_of_tables_is_named(intact: Path, tmp_path: Path, damage: bytes) -> None:
    """SQLite quotes what it can't parse, and what it quotes need not be text. Found by fuzzing."""
    path = copied(intact, tmp_path)
    Path(f"{path}-wal").unlink()
    data = path.read_bytes()
    for wanted in (b"CREATE TABLE", b"CREATE TRIGGER events_stay", b"tableeventsevents"):
        path.write_bytes(data.replace(wanted, (damage * 9)[: len(wanted)]))
        assert path.read_bytes() != data
        with pytest.raises(JournalError, match="vrhcab restore"):
            Journal(path)
        with pytest.raises(JournalError):
            list(read_events(path))
        assert len(salvage(path)) >= EVENTS // 2
