"""The wall, a board's page through the hub, and a real board that is connected over TLS."""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.request
from pathlib import Path

import msgspec
import psycopg
import pytest
import trustme
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.config import HubConfig
from controller.hub.course import BoardFold
from controller.hub.errors import HubError, StoreError
from controller.hub.limits import Bucket
from controller.hub.services import Hall, Mosquitto, rights_lines
from controller.hub.settings import load_hub_settings
from controller.hub.store import Store, migrations
from controller.hub.wall import Wall
from controller.record.of_journal import event_of
from controller.referee.folding import fold
from controller.run.outbox import Outbox
from controller.run.simulated_boards import SimulatedBoard
from tests.hub.table import eventually, hub, kept, tables
from tests.programs import running
from tests.web.browser import Browser
from web.hub import PackedView


def asked(address: str) -> urllib.request.http.client.HTTPResponse:  # type: ignore[name-defined]
    return urllib.request.urlopen(address, timeout=10)


def test_a_wall_with_three_boards(browser: Browser, hall: Hall, tmp_path: Path) -> None:
    names = ("board-16", "board-17", "board-18")
    with hub(hall) as here, tables(hall, names, tmp_path) as boards:
        for one in boards:
            one.play(20)
        eventually(lambda: all(one.is_confirmed and here.tile(name) for name, one in zip(names, boards, strict=True)))
        browser.open(here.running.address)
        browser.wait_for("return document.querySelectorAll('.tile[data-board=board-17]').length")
        assert "board-18" in browser.run("return document.body.innerText")
        # Something new shows by itself.
        boards[1].board.journal.append("hologram", 99, "{}", "board-1", boards[1].board._writer.match, 1)
        browser.wait_for("return document.querySelector('[data-board=board-17]').dataset.state === 'trouble'")
        # A board that ends is silent.
        boards[2].outbox.__exit__()
        browser.wait_for("return document.querySelector('[data-board=board-18]').dataset.state === 'silent'")
        # A tile opens the board's own page, live.
        browser.run("document.querySelector('[data-board=board-16]').click()")
        light, _ = boards[0].board.state.names
        browser.wait_for("return document.body.innerText.includes(arguments[0])", light)
        shown = browser.run("return +document.body.dataset.sequence")
        boards[0].play(2)
        browser.wait_for("return +document.body.dataset.sequence > arguments[0]", shown)
        assert browser.complaints() == []
        answer = asked(f"{here.running.address}boards/board-16/")
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        for address in ("boards/board-99/", "boards/UPPER/", "boards/board-99/events", "desk"):
            with pytest.raises(urllib.error.HTTPError) as refused:
                asked(here.running.address + address)
            assert refused.value.code == 404
        tiles = json.load(asked(f"{here.running.address}api/wall"))["tiles"]
        tile = next(one for one in tiles if one["board"] == "board-16")
        assert tile["view"]["plays"] == []


def test_a_real_board_sends_its_journal_over_tls(hall: Hall, tmp_path: Path) -> None:
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(tmp_path / "hub.crt"))
    authority.issue_cert("localhost", "127.0.0.1").private_key_and_cert_chain_pem.write_to_path(
        str(tmp_path / "hub.pem")
    )
    passwords = {"hub": "the hub's password", "board-19": "the board's password"}
    lines = rights_lines(tmp_path / "rights.json", passwords)
    broker = Mosquitto(tmp_path / "tls", (*lines, f"certfile {tmp_path}/hub.pem", f"keyfile {tmp_path}/hub.pem"))
    broker.start()
    said: list[str] = []
    board = SimulatedBoard(tmp_path / "board", 1)
    try:
        config = HubConfig(
            address=f"localhost:{broker.port}",
            name="board-19",
            password=passwords["board-19"],
            ca=str(tmp_path / "hub.crt"),
        )
        with Outbox(config, board.journal, said.append):
            eventually(lambda: any("connected to localhost" in sentence for sentence in said))
        said.clear()
        with Outbox(msgspec.structs.replace(config, ca=None), board.journal, said.append):
            eventually(lambda: said)
        assert "connected" not in said[0]
        assert not any(password in sentence for sentence in said for password in passwords.values())
    finally:
        board.close()
        broker.stop()


def test_a_referee_without_a_camera_sends_what_it_writes(hall: Hall, tmp_path: Path) -> None:
    board = hall.board("board-20")
    settings = tmp_path / "vrhcab.toml"
    settings.write_text(
        f'[camera]\nsource = "none"\n[hub]\naddress = "{board.address}"\nname = "board-20"\n'
        f'password = "{board.password}"\ntls = false\n',
        "utf-8",
    )
    with hub(hall) as here, running(tmp_path, "run", "--config", str(settings)) as program:
        program.wait_until(lambda: [one.kind for one in kept(hall, "board-20")] == ["match", "game"])
        eventually(lambda: (tile := here.tile("board-20")) and tile.view and tile.view.phase == "opening")
        assert board.password is not None
        assert board.password not in program.output


def test_the_schema_is_brought_up_to_date_and_a_newer_one_refused(hall: Hall) -> None:
    with psycopg.connect(hall.database.url, autocommit=True) as connection:
        connection.execute("create database older")
    url = hall.database.url.replace("dbname=postgres", "dbname=older")
    for _ in range(2):  # The second time there is nothing to do.
        Store(url).close()
    with psycopg.connect(url) as connection:
        rows = connection.execute("select version from schema_versions order by version").fetchall()
        assert [row[0] for row in rows] == [version for version, _ in migrations()]
        connection.execute("insert into schema_versions (version) values (9999)")
    with pytest.raises(StoreError, match="newer vrhcab"):
        Store(url)


@pytest.mark.parametrize("encoding", ["SQL_ASCII", "LATIN2"])
def test_a_database_that_can_not_keep_every_letter_is_refused(encoding: str, hall: Hall) -> None:
    with psycopg.connect(hall.database.url, autocommit=True) as connection:
        name = encoding.lower()
        asked = f"create database {name} encoding '{encoding}' template template0 lc_collate 'C' lc_ctype 'C'"
        connection.execute(asked.encode())
        with pytest.raises(StoreError, match=f"keeps text as {encoding}.* -E UTF8 "):
            Store(hall.database.url.replace("dbname=postgres", f"dbname={name}"))
        connection.execute(f"drop database {name}".encode())


def test_from_every_earlier_schema_the_newest_is_reached(hall: Hall) -> None:
    """A database that stopped at any version has the same tables afterwards as one made anew, and keeps what was in it."""
    known = migrations()
    shapes = []
    with psycopg.connect(hall.database.url, autocommit=True) as connection:
        for there in range(len(known) + 1):
            name = f"from_{there}"
            connection.execute(f"create schema {name}".encode())
            connection.execute(f"set search_path to {name}".encode())
            connection.execute(
                "create table schema_versions (version integer primary key, at timestamptz not null default now())"
            )
            for version, script in known[:there]:
                connection.execute(script.encode())
                connection.execute("insert into schema_versions (version) values (%s)", (version,))
            if there:
                connection.execute("insert into boards (name) values ('kept')")
                connection.execute("insert into lives (board, life, run) values ('kept', 1, 'run')")
                connection.execute(
                    "insert into events values ('kept', 1, 'm', 1, 'board-1', 1, 'match', 1, 'then', '{}', 7)"
                )
            Store(f"{hall.database.url} options=-csearch_path={name}").close()
            assert connection.execute("select checksum from events").fetchall() == ([(7,)] if there else [])
            shapes.append(
                connection.execute(
                    "select table_name, column_name, data_type, column_default, is_nullable from information_schema.columns "
                    "where table_schema = %s order by table_name, ordinal_position",
                    (name,),
                ).fetchall()
            )
        for there, shape in enumerate(shapes):
            first = [[str(cell).replace(f"from_{there}.", "") for cell in row] for row in shape]
            assert first == [[str(cell).replace("from_0.", "") for cell in row] for row in shapes[0]]


def test_a_database_that_is_not_there_is_said_without_its_password() -> None:
    with pytest.raises(StoreError) as error:
        Store("host=127.0.0.1 port=1 user=vrhcab password=hush dbname=x")
    assert "does not answer" in str(error.value)
    assert "hush" not in str(error.value)


@pytest.mark.parametrize("text", ["[broker]\nport = 0", "[zzz]\n", "[broker]\nprot = 1", "x ="])
def test_wrong_settings_are_one_sentence(tmp_path: Path, text: str) -> None:
    path = tmp_path / "hub.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(HubError):
        load_hub_settings(path)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            "[broker]\nport = 0",
            "broker.port should be a whole number from 1 to 65535, but it is 0. Write for example: port = 8883",
        ),
        ("[broker]\nprot = 1", "[broker] has no key 'prot'. Did you mean 'port'?"),
        ("[brocker]\n", "there is no section [brocker]. Did you mean 'broker'?"),
        ('[web]\ncertficate = "vrhcab.pem"', "[web] has no key 'certficate'. Did you mean 'certificate'?"),
        ("public = 1", "public should be true or false, but it is 1. Write for example: public = false"),
        ("[broker]\npassword = 12345", "broker.password should be a text"),
        ('[alerts]\nntfy = "our-hall"', "such as https://ntfy.example/our-hall, but it is"),
        ('[feed]\norigins = ["club"]', 'Write for example: origins = ["https://club.example"]'),
        ('[broker]\nhost = "a"\nhost = "b"', "the key host is there twice, again at line 3. A line looks like: host ="),
    ],
)
def test_wrong_settings_name_the_key_and_what_it_may_be(tmp_path: Path, text: str, says: str) -> None:
    """An unknown key of the page's was passed over: a slip of the pen in `certificate` left the page without https."""
    path = tmp_path / "hub.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(HubError, match=re.escape(says)) as refused:
        load_hub_settings(path)
    assert "12345" not in str(refused.value)


def test_whoever_watches_the_wall_gets_what_has_changed_and_who_comes_late_all_of_it() -> None:
    wall = Wall()
    wall.show({"a": b'"a1"', "b": b'"b1"'})

    def tiles(view: object) -> list[str]:
        assert isinstance(view, PackedView)
        found: list[str] = json.loads(view.body)["tiles"]
        return found

    with wall.watch() as first:
        assert tiles(first.next(0)) == ["a1", "b1"]
        wall.show({"a": b'"a1"'})
        assert not isinstance(first.next(0), PackedView)  # The same again is no news.
        wall.show({"b": b'"b2"'})
        wall.show({"b": b'"b3"', "c": b'"c1"'})
        assert tiles(first.next(0)) == ["b3", "c1"]
        with wall.watch(last_seen=10_000) as late:
            assert tiles(late.next(0)) == ["a1", "b3", "c1"]


@settings(max_examples=30)
@given(st.integers(0, 200), st.integers(1, 40))
def test_a_course_is_the_referees_own_fold(seed: int, events: int) -> None:
    """Event by event, with corrections among them, the hub comes to the state at the board."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        board = SimulatedBoard(Path(folder), seed)
        for _ in range(events):
            board.act()
        stored = list(board.journal.events())
        state = board.state
        board.close()
    course = BoardFold()
    for one in stored:
        course.take(one)
    match = [one for one in stored if one.match == stored[-1].match]
    if course.stale:
        course.refold(match)
    assert course.state == state == fold(map(event_of, match))


@given(st.lists(st.tuples(st.floats(0, 10), st.integers(1, 50)), max_size=40))
def test_a_bucket_gives_no_more_than_its_rate(asks: list[tuple[float, int]]) -> None:
    bucket, now, given_out = Bucket.full(10.0, 100.0, 0.0), 0.0, 0
    for wait, amount in asks:
        now += wait
        given_out += amount if bucket.take(amount, now) else 0
        assert given_out <= 100 + 10 * now + 1e-6
