"""A hall's bad days: what a board has written down arrives once and in order, whatever goes away meanwhile."""

from __future__ import annotations

import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import psycopg
import pytest

from controller.config import HubConfig, WebConfig
from controller.hub.broker import BrokerLine
from controller.hub.program import running_hub
from controller.hub.services import Hall, Mosquitto, Postgres, rights_lines
from controller.hub.settings import BrokerSettings, DatabaseSettings
from controller.record.wire import LARGEST, EventBatch, Here, SentEvent
from tests.hub.table import Stranger, Table, eventually, free_port, hub, kept, notices, rows, table, tables


def in_journal(one: Table) -> list[object]:
    return list(one.board.journal.events())


def test_broker_and_hub_go_and_come_back(hall: Hall, tmp_path: Path) -> None:
    names = ("board-1", "board-2")
    with tables(hall, names, tmp_path) as both:
        with hub(hall):
            for one in both:
                one.play(30)
            eventually(lambda: all(one.is_confirmed for one in both))
            hall.broker.stop(signal.SIGKILL)
            for one in both:
                one.play(150)
            hall.broker.start()
            eventually(lambda: all(one.is_confirmed for one in both))
        for one in both:
            one.play(150)
        with hub(hall):
            eventually(lambda: all(one.is_confirmed for one in both))
        for name, one in zip(names, both, strict=True):
            assert kept(hall, name) == in_journal(one)
            assert len([said for said in one.said if "connected to" in said]) == 2


def test_a_broker_that_keeps_what_it_has_is_killed(hall: Hall, tmp_path: Path) -> None:
    """With Mosquitto's persistence, what it had kept comes after its start, perhaps for the second time: the result is the same."""
    passwords = {"hub": "the hub's own password", "killed-board": "the board's own password"}
    lines = rights_lines(tmp_path / "rights.json", passwords)
    broker = Mosquitto(tmp_path / "broker", lines, persistent=True)
    broker.start()
    settings = msgspec.structs.replace(
        hall.settings(WebConfig(port=free_port())),
        broker=BrokerSettings(port=broker.port, password=passwords["hub"], tls=False),
    )
    config = HubConfig(
        address=f"127.0.0.1:{broker.port}", name="killed-board", password=passwords["killed-board"], tls=False
    )
    try:
        with running_hub(settings, lambda said: None), table(config, tmp_path / "board") as board:
            for _ in range(2):
                board.play(30)
                broker.stop(signal.SIGKILL)
                board.play(30)
                broker.start()
                eventually(lambda: board.is_confirmed)
            journal = in_journal(board)
        assert kept(hall, "killed-board") == journal
    finally:
        broker.stop()


def test_the_hubs_disk_is_full(hall: Hall, tmp_path: Path) -> None:
    """The database on a disk of its own that is filled: nothing is confirmed that is not kept, and it goes on with room."""
    folder = Path(tempfile.mkdtemp(prefix="vrhcab-full-"))
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=120m,mode=755", "none", str(folder)], capture_output=True
    )
    if mounted.returncode:
        folder.rmdir()
        pytest.skip("only root can mount a small disk")
    try:
        database = Postgres(folder / "database")
        database.start()
        settings = msgspec.structs.replace(
            hall.settings(WebConfig(port=free_port())), database=DatabaseSettings(url=database.url)
        )
        said: list[str] = []
        with running_hub(settings, said.append), table(hall.board("board-25"), tmp_path / "board") as board:
            board.play(20)
            eventually(lambda: board.is_confirmed)
            filling = folder / "filling"
            with suppress(OSError), filling.open("wb", buffering=0) as file:
                while True:
                    file.write(bytes(1 << 20))
            # Where there is still room in the database's own files, it goes on until that is full, too.
            for _ in range(40):
                board.play(50)
                time.sleep(0.05)
                if any("database does not answer" in one for one in said):
                    break
            eventually(lambda: any("database does not answer" in one for one in said))
            before = board.outbox.confirmed
            filling.unlink()
            database.kill()  # as it does by itself where its log has no room
            database.start()
            eventually(lambda: board.is_confirmed)
            assert before is None or board.outbox.confirmed > before
            with closing(psycopg.connect(database.url)) as connection:
                found = connection.execute("select sequence, payload from events order by sequence").fetchall()
            assert found == [(one.sequence, one.payload) for one in board.board.journal.events()]
        database.stop()
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=False)
        folder.rmdir()


def test_the_database_is_killed_while_it_commits(hall: Hall, tmp_path: Path) -> None:
    with tables(hall, ("board-3", "board-4"), tmp_path) as both, hub(hall) as here:
        for one in both:
            one.play(20)
        for _ in range(2):
            eventually(lambda: here.tile("board-3") is not None)
            for one in both:
                one.play(50)  # They are on their way while the database dies.
            hall.database.kill()
            for one in both:
                one.play(20)
            hall.database.start()
            eventually(lambda: all(one.is_confirmed for one in both))
        assert kept(hall, "board-3") == in_journal(both[0])
        assert kept(hall, "board-4") == in_journal(both[1])
        assert any("The database does not answer" in sentence for sentence in here.said)
        # The board shows what holds in the end.
        state = both[0].board.state
        eventually(lambda: (tile := here.tile("board-3")) and tile.view and tile.view.points == state.position.signed())


def test_two_boards_with_one_name(hall: Hall, tmp_path: Path) -> None:
    with hub(hall) as here, table(hall.board("board-5"), tmp_path / "first", 1) as first:
        first.play(10)
        eventually(lambda: first.is_confirmed)
        with table(hall.board("board-5"), tmp_path / "second", 2) as second:
            second.play(10)
            eventually(lambda: any("Another board is connected under this name" in said for said in second.said))
            first.play(10)
            eventually(lambda: first.is_confirmed)
            assert second.outbox.confirmed is None
        assert kept(hall, "board-5") == in_journal(first)
        eventually(lambda: notices(hall, "board-5") == ["two of one name"])
        assert any("second board" in said for said in here.said)


def test_a_journal_from_a_backup_overwrites_nothing(hall: Hall, tmp_path: Path) -> None:
    with hub(hall):
        with table(hall.board("board-6"), tmp_path / "board", 1) as one:
            one.play(20)
            backup = tmp_path / "backup"
        shutil.copytree(tmp_path / "board", backup)
        with table(hall.board("board-6"), tmp_path / "board", 2) as one:
            one.play(20)
            eventually(lambda: one.is_confirmed)
            before = in_journal(one)
        with table(hall.board("board-6"), backup, 3) as one:
            eventually(lambda: one.is_confirmed)
            one.play(30)
            eventually(lambda: one.is_confirmed)
            assert kept(hall, "board-6", 2) == in_journal(one)
        assert kept(hall, "board-6", 1) == before
        assert notices(hall, "board-6") == ["went back"]


def test_a_longer_journal_in_the_place_of_another(hall: Hall, tmp_path: Path) -> None:
    with hub(hall):
        with table(hall.board("board-7"), tmp_path / "old", 1) as one:
            one.play(5)
            eventually(lambda: one.is_confirmed)
            before = in_journal(one)
        with table(hall.board("board-7"), tmp_path / "new", 2) as one:
            one.play(300)
            eventually(lambda: one.is_confirmed)
            assert kept(hall, "board-7", 2) == in_journal(one)
        assert kept(hall, "board-7", 1) == before


def test_an_event_of_a_newer_version_is_kept_and_shown_as_such(hall: Hall, tmp_path: Path) -> None:
    with hub(hall) as here, table(hall.board("board-8"), tmp_path, 1) as one:
        one.play(10)
        match = in_journal(one)[-1].match  # type: ignore[attr-defined]
        one.board.journal.append("hologram", 99, '{"type": "hologram"}', "board-1", match, 1)
        one.play(1)
        eventually(lambda: one.is_confirmed)
        assert kept(hall, "board-8") == in_journal(one)
        tile = eventually(lambda: (tile := here.tile("board-8")) and tile.troubles and tile)
        assert tile.troubles[0].startswith("1 of its events can't be read here")
        assert tile.view.points == one.board.state.position.signed()


def event(sequence: int, payload: str = '{"type": "pause", "on": true}', match: str = "m") -> SentEvent:
    bare = SentEvent(sequence, "board-1", match, 1, "pause", 4, "2026-11-22T10:00:00.000+00:00", payload, 0)
    return SentEvent.of(bare.stored)


@pytest.mark.parametrize("is_right", [True, False])
def test_what_was_done_at_a_desk_is_listed_once_and_when_it_was_done(is_right: bool, hall: Hall) -> None:
    """Also where it comes a day later, and where the board sends all of its journal anew."""
    name = "board-14" if is_right else "board-15"
    done = f"{name} at its desk"
    bare = msgspec.structs.replace(
        event(1, f'{{"type":"pause","on":true,"by":"{done}"}}'), wall_time="2024-02-29T23:59:59.000+00:00"
    )
    sent = SentEvent.of(bare.stored)
    clock = datetime.now(UTC).isoformat() if is_right else "2019-01-01T00:00:00+00:00"
    with hub(hall):
        board = Stranger(hall, name)
        for run, anew in (("r", False), ("r", True)):
            before = len(board.answers)
            board.say(f"boards/{name}/here", Here(run, 1, clock, anew=anew))
            eventually(lambda before=before: len(board.answers) > before)
            board.say(f"boards/{name}/events", EventBatch(run, (sent,)))
            eventually(lambda before=before: len(board.answers) > before + 1)
        board.close()
        lives = rows(hall, "select count(*), max(life) from events where board = %s", name)
        acts = rows(hall, "select at from acts where who = %s", done)
    assert lives == [(2, 2)]
    ((at,),) = acts
    assert (at == datetime(2024, 2, 29, 23, 59, 59, tzinfo=UTC)) is is_right


def test_a_hostile_board_harms_nobody(hall: Hall, tmp_path: Path) -> None:
    with hub(hall), table(hall.board("board-9"), tmp_path, 1) as good:
        bad = Stranger(hall, "board-10")
        good.play(10)
        eventually(lambda: good.is_confirmed)
        # Under another's name: the broker refuses it.
        bad.say("boards/board-9/here", Here("x"))
        bad.say("boards/board-9/events", EventBatch("x", (event(1),)))
        eventually(lambda: bad.refused == 2)
        # Under its own: what is none, what is too large, what is damaged, what is too much.
        bad.say("boards/board-10/here", Here("x"))
        eventually(lambda: bad.answers)
        other = SentEvent(1, "board-1", "m", 1, "pause", 4, "", '{"type": "pause"}', 7)
        bad.say("boards/board-10/events", EventBatch("x", (other,)))
        bad.say("boards/board-10/events", b'{"run": ' + b"[" * 100_000)
        bad.say("boards/board-10/events", EventBatch("x", (event(1, '{"type": "rewrite", "to": -5, "given": 0}'),)))
        bad.say("boards/board-10/events", EventBatch("x", (event(2, '{"type": "play", "side": "\ud7ff"}'),)))
        eventually(lambda: bad.answers[-1].confirmed == 2)
        for _ in range(1500):
            bad.say("boards/board-10/events", b"{}")
        good.play(50)
        eventually(lambda: good.is_confirmed)
        eventually(lambda: {"not whole", "no message", "too much"} <= set(notices(hall, "board-10")))
        assert kept(hall, "board-9") == in_journal(good)
        assert len(kept(hall, "board-10")) == 2
        bad.close()


def test_what_no_database_takes_stops_one_board_alone(hall: Hall, tmp_path: Path) -> None:
    with hub(hall) as here, table(hall.board("board-27"), tmp_path, 1) as good:
        bad = Stranger(hall, "board-28")
        bad.say("boards/board-28/here", Here("x\0"))
        eventually(lambda: "no message" in notices(hall, "board-28"))
        bad.say("boards/board-28/here", Here("x"))
        amended = SentEvent(1, "b", "", 0, "amended", 4, "", '{"type": "amended", "match": "\\u0000"}', 0)
        bad.say("boards/board-28/events", EventBatch("x", (SentEvent.of(amended.stored),)))
        eventually(lambda: bad.answers and bad.answers[-1].confirmed == 1)
        good.play(10)
        eventually(lambda: good.is_confirmed)
        bad.close()
        assert not any("database" in said for said in here.said)


def test_a_message_of_ten_megabytes(hall: Hall, tmp_path: Path) -> None:
    with hub(hall), table(hall.board("board-11"), tmp_path, 1) as good:
        bad = Stranger(hall, "board-12")
        bad.say("boards/board-12/events", b" " * (10 * LARGEST))
        good.play(10)
        eventually(lambda: good.is_confirmed)
        assert not rows(hall, "select 1 from boards where name = 'board-12'")
        bad.close()


def test_gaps_and_other_tellings(hall: Hall) -> None:
    with hub(hall):
        board = Stranger(hall, "board-13")
        board.say("boards/board-13/events", EventBatch("r", (event(1),)))
        eventually(lambda: board.answers and board.answers[-1].who)
        board.say("boards/board-13/here", Here("r"))
        eventually(lambda: not board.answers[-1].who)
        board.say("boards/board-13/events", EventBatch("r", (event(1), event(2))))
        eventually(lambda: board.answers[-1].confirmed == 2)
        board.say("boards/board-13/events", EventBatch("r", (event(5),)))
        eventually(lambda: board.answers[-1].again and board.answers[-1].confirmed == 2)
        board.say("boards/board-13/events", EventBatch("r", (event(2, '{"type": "pause", "on": false}'), event(3))))
        eventually(lambda: notices(hall, "board-13") == ["otherwise"])
        board.say("boards/board-13/events", EventBatch("r", (event(2), event(3))))
        eventually(lambda: board.answers[-1].confirmed == 3)
        assert kept(hall, "board-13") == [event(number).stored for number in (1, 2, 3)]
        board.close()


@pytest.mark.parametrize(
    ("clock", "says"), [("2027-11-22T10:00:00+00:00", "fast"), ("2020-01-01T00:00:00+00:00", "slow")]
)
def test_a_clock_that_is_years_off(hall: Hall, clock: str, says: str) -> None:
    with hub(hall) as here:
        board = Stranger(hall, f"board-{14 if says == 'fast' else 15}")
        name = f"board-{14 if says == 'fast' else 15}"
        board.say(f"boards/{name}/here", Here("r", clock=clock))
        eventually(lambda: (tile := here.tile(name)) and tile.troubles and says in tile.troubles[0])
        board.say(f"boards/{name}/here", Here("r", gone=True))
        eventually(lambda: (tile := here.tile(name)) and tile.silent)
        board.close()


def test_a_hub_that_may_not_hear_the_boards_says_so(hall: Hall) -> None:
    """With a board's name and password in its settings."""
    board, said = hall.board("board-28"), list[str]()
    mistaken = msgspec.structs.replace(hall.settings(WebConfig()).broker, name="board-28", password=board.password)
    with BrokerLine(mistaken, lambda *_: None, said.append):
        eventually(lambda: said)
    assert "lets board-28 in, but not hear the boards" in said[0]
    assert not any("connected to" in one for one in said)
