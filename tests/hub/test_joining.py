"""Boards that join with a code: at a real broker with its plugin, over real HTTPS, and what strangers get."""

from __future__ import annotations

import base64
import errno
import hashlib
import os
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Self

import msgspec
import psycopg
import pytest
import trustme
from click.testing import CliRunner
from flask import Response, request
from msgspec.structs import replace

from controller.cli.main import main
from controller.config import HubConfig, WebConfig
from controller.hub.broker_admin import BrokerAdmin
from controller.hub.errors import HubError
from controller.hub.joining import Codes
from controller.hub.pages import create_hub_app
from controller.hub.people import Register
from controller.hub.rights import first_rights, moved_rights, plugin_path, write_rights
from controller.hub.services import Hall, Mosquitto, mosquitto_program, rights_lines
from controller.hub.settings import BrokerSettings, load_hub_settings
from controller.hub.shown import BoardViews
from controller.hub.store import Store
from controller.hub.tournament.ledger import Terms, Tournaments
from controller.hub.wall import Wall
from controller.record.joining import (
    ASK,
    Given,
    JoiningError,
    Offer,
    found_by,
    key_of,
    new_code,
    plain,
    read_invitation,
    sealed,
)
from controller.run.guests import Guests
from controller.run.hub_line import HubLine
from controller.run.joining import JoinedHub, join, joined_path, load_joined, save_joined
from controller.run.outbox import Outbox
from controller.run.simulated_boards import SimulatedBoard
from controller.run.trusting import pinned_tls
from tests.hub.table import Stranger, eventually, hub, kept, rows
from tests.programs import free_port
from vision.sentence import Sentence
from web.app import bare_app
from web.hub import ViewHub
from web.joining import HubSeen
from web.server import Server, serve
from web.tls import tls_context
from web.words import message

pytestmark = pytest.mark.usefixtures("quick_hashes")


def offered(hall: Hall, board: str) -> str:
    """A code as a director makes it, where a hub has been before and made its tables."""
    Store(hall.database.url).close()
    codes = Codes(hall.database.url)
    try:
        return codes.offer("Dora", board, "hub")
    finally:
        codes.close()


@contextmanager
def https_hub(hall: Hall, folder: Path) -> Iterator[Server]:
    """A hub's pages and its broker over TLS, by an authority of their own, whose certificate holds no longer, or not yet, by any
    clock that is a year off."""
    authority, now = trustme.CA(), datetime.now(UTC)
    authority.cert_pem.write_to_path(str(folder / "hub.crt"))
    signed = authority.issue_cert(
        "localhost", "127.0.0.1", not_before=now - timedelta(days=2), not_after=now - timedelta(days=1)
    )
    signed.private_key_and_cert_chain_pem.write_to_path(str(folder / "hub.pem"))
    lines = rights_lines(folder / "rights.json", {"hub": "the hub's own password"})
    broker = Mosquitto(folder / "broker", (*lines, f"certfile {folder}/hub.pem", f"keyfile {folder}/hub.pem"))
    broker.start()
    settings = msgspec.structs.replace(
        hall.settings(WebConfig()),
        broker=BrokerSettings(port=broker.port, password="the hub's own password", ca=str(folder / "hub.crt")),
    )
    Store(hall.database.url).close()
    wall = Wall()
    try:
        app = create_hub_app(wall, BoardViews(wall), settings, https=True)
        with serve(app, "127.0.0.1", 0, tls=tls_context(folder / "hub.pem")) as server:
            yield server
    finally:
        broker.stop()


def test_codes_are_read_however_they_are_typed() -> None:
    code = new_code()
    assert re.fullmatch(r"[0-9A-Z]{4}(-[0-9A-Z]{4}){2}", code)
    assert plain(code.lower().replace("-", " ").replace("0", "o").replace("1", "l")) == plain(code)
    for wrong in ("", "7KQF", "7KQF-2M9X-4TB", "7KQF-2M9X-4TBU", "ČČČČ-2M9X-4TBW"):
        assert plain(wrong) == ""
    for text in (
        "7kqf-2m9x-4tbw@hub.local:8443",
        " 7KQF2M9X4TBW@https://hub.local:8443/ ",
        "https://hub.local:8443/join?code=7KQF-2M9X-4TBW",
    ):
        found, where = read_invitation(text)
        assert (found, where.host, where.port, where.https) == ("7KQF2M9X4TBW", "hub.local", 8443, True)
    assert read_invitation("7KQF2M9X4TBW@[fd00::1]")[1].port == 443
    assert not read_invitation("7KQF2M9X4TBW@http://127.0.0.1:8090")[1].https
    for wrong in (
        "", "7KQF2M9X4TBW", "7KQF2M9X4TBW@", "@hub.local", "7KQF2M9X4TBW@http://hub.local", "7KQF2M9X4TBW@hub.local:99999",
        "7KQF2M9X4TBW@ftp://hub.local", "7KQF2M9X4TBW@a b", "7KQF2M9X4TBW@u:p@hub.local", "https://[x/join?code=7KQF2M9X4TBW",
        "7KQF2M9X4TBW@http://127.evil.example", "7KQF2M9X4TBW@[::1", "7KQF2M9X4TBW@https://[x]/", "7KQF2M9X4TBW@\u2100",
        "7KQF2M9X4TBW@hub.local:0",
    ):  # fmt: skip
        with pytest.raises(JoiningError):
            read_invitation(wrong)


@pytest.mark.parametrize(
    ("told", "place"),
    [("", "fd00::2"), ("fd00::1", "fd00::1"), ("[fd00::1]", "fd00::1"), ("hub.local", "hub.local")],
)
def test_a_board_finds_the_broker_where_the_hub_says(told: str, place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def answered(hub: object, path: str, body: Any, *_: object) -> Offer | Given:
        if path == ASK:
            return Offer("", sealed(key_of("7KQF2M9X4TBW"), body.nonce, ""))
        return Given("board-1", "p" * 20, "k" * 40, told, 8884, True, "")

    monkeypatch.setattr("controller.run.joining._asked", answered)
    assert join("7KQF2M9X4TBW@[fd00::2]").hub.place == (place, 8884)


@pytest.mark.parametrize(
    ("address", "is_one"), [("hub.local", True), ("::1", True), ("[::1]", True), ("hub.local:8883", False)]
)
def test_the_brokers_address_has_no_port(address: str, is_one: bool, tmp_path: Path) -> None:
    file = tmp_path / "hub.toml"
    file.write_text(f'[broker]\naddress = "{address}"\n', "utf-8")
    with nullcontext() if is_one else pytest.raises(HubError, match="address"):
        assert load_hub_settings(file).broker.address == address


def test_a_board_joins_plays_and_is_removed(hall: Hall, tmp_path: Path) -> None:
    """From the director's button to the wall; then its broker's rights are gone at once, and another's are as they were."""
    with hub(hall) as here:
        address = here.running.address
        code = offered(hall, "new-board")
        board = SimulatedBoard(tmp_path / "board", 1)
        said: list[str] = []
        guests, holding = Guests(lambda: "http://board.local:8080"), list[tuple[str, ...]]()
        guests.still = lambda passes: holding.append(tuple(passes))
        line = HubLine(
            None,
            joined_path(board.journal.path),
            lambda config: Outbox(config, board.journal, said.append, guests=guests),
            said.append,
        )
        try:
            with line:
                assert not line.seen().name
                refused = line.join(f"{new_code()}@{address}")
                assert refused is not None
                assert "holds no longer" in refused.words["en"]
                assert line.join(f"{code}@{address}") is None
                path = joined_path(board.journal.path)
                assert path.stat().st_mode & 0o777 == 0o600
                board.act()
                eventually(lambda: line.seen().sent)
                assert (line.seen().name, len(kept(hall, "new-board"))) == ("new-board", board.journal.last)
                eventually(lambda: here.tile("new-board"))
                again = line.join(f"{code}@{address}")  # once
                assert again is not None
                assert line.seen().name == "new-board"
                joined = load_joined(path)
                assert joined is not None

                # Only its own topics.
                stranger = Stranger(hall, "new-board", joined.hub.password)
                for topic in (
                    "boards/board-1/events",
                    "boards/new-board/hub",
                    "hub/here",
                    "$CONTROL/dynamic-security/v1",
                ):
                    stranger.say(topic, b"{}")
                eventually(lambda: stranger.refused == 4)
                stranger.close()

                admin = BrokerAdmin(hall.settings(WebConfig()).broker)
                assert "new-board" in admin.boards()
                eventually(lambda: holding)
                holding.clear()
                codes = Codes(hall.database.url)
                codes.dismiss("Dora", "new-board", admin.shut_out)
                assert codes.key("new-board") is None
                codes.close()
                eventually(lambda: line.seen().trouble)
                eventually(lambda: holding)  # Nobody is at its desk by way of the hub any more.
                assert set(holding) == {()}
                board.act()
                assert "new-board" not in admin.boards()
                assert "board-1" in admin.boards()
                assert not line.seen().sent
                line.leave()
                assert not path.exists()
                assert not line.seen().name
        finally:
            board.close()
        secrets = rows(hall, "select found, seal from codes union all select key, invited_by from members")
        assert plain(code) not in str(secrets)
        assert joined.hub.password is not None
        for secret in (joined.hub.password, joined.key, plain(code)):
            assert not any(secret in sentence for sentence in (*said, *here.said))


def test_over_https_the_code_goes_to_nobody_who_does_not_know_it(hall: Hall, tmp_path: Path) -> None:
    with https_hub(hall, tmp_path) as server:
        code = offered(hall, "tls-board")
        joined = join(f"{code}@localhost:{server.port}")
        assert joined.hub.name == "tls-board"
        assert joined.hub.ca == (tmp_path / "hub.crt").read_text()
        board = SimulatedBoard(tmp_path / "board", 1)
        said: list[str] = []
        with Outbox(joined.hub, board.journal, said.append):
            eventually(lambda: any("connected to localhost" in sentence for sentence in said))
        board.close()
        with pytest.raises(JoiningError, match="holds no longer"):
            join(f"{code}@localhost:{server.port}")

    # Somebody between the two who has a certificate of his own, and passes on what he hears.
    other = tmp_path / "other"
    other.mkdir()
    heard: list[bytes] = []
    code = offered(hall, "tls-board")
    with https_hub(hall, other) as server:
        with pytest.raises(JoiningError, match="does not know this code"):
            with_thief(other, heard, code, seal=False)
        with pytest.raises(JoiningError, match="does not hold for that name"):
            with_thief(other, heard, code, seal=True, authority=(tmp_path / "hub.crt").read_text())
        assert not any(plain(code).encode() in one or code.encode() in one for one in heard)
        assert join(f"{code}@127.0.0.1:{server.port}").hub.name == "tls-board"  # the code is as good as before


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (b'{"authority":"","seal":"\xc4\x9b"}', "does not know this code"),
        (b'{"more":' + b"[" * 50_000, "does not answer as a hub does"),
        (b'{"authority":"\xff","seal":""}', "does not answer as a hub does"),
    ],
)
def test_whatever_answers_in_the_place_of_a_hub_is_refused(said: bytes, why: str) -> None:
    app = bare_app(ViewHub())
    app.post("/join/ask")(lambda: Response(said))
    with serve(app, "127.0.0.1", 0) as server, pytest.raises(JoiningError, match=why):
        join(f"7KQF-2M9X-4TBW@http://127.0.0.1:{server.port}")


def test_why_a_hub_is_not_reached_is_said_in_the_page_s_languages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.run.joining.PATIENCE_S", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent, serve(bare_app(ViewHub()), "127.0.0.1", 0) as plain_http:
        for place, english, czech, slovak in (
            (f"http://127.0.0.1:{free_port()}", "nothing listens there", "nikdo tam neposlouchá", "nikto tam nepočúva"),
            (
                f"http://127.0.0.1:{silent.getsockname()[1]}",
                "no answer came in time",
                "odpověď nepřišla včas",
                "odpoveď neprišla včas",
            ),
            (
                "hub.invalid",
                "no machine of that name is known here",
                "počítač toho jména odtud nelze najít",
                "počítač toho mena sa odtiaľto nedá nájsť",
            ),
            (
                f"https://127.0.0.1:{plain_http.port}",
                "is the port one for TLS?",
                "je ten port pro TLS?",
                "je ten port pre TLS?",
            ),
        ):
            with pytest.raises(JoiningError) as refused:
                join(f"7KQF-2M9X-4TBW@{place}")
            words = message(refused.value.sentence).words
            for language, why in (("en", english), ("cs", czech), ("sk", slovak)):
                assert words[language].endswith(f"{why}).")


def test_why_a_joined_hub_hears_nothing_is_said_in_the_page_s_languages(hall: Hall, tmp_path: Path) -> None:
    board, right = SimulatedBoard(tmp_path, 1), hall.board("board-3")
    for settings, why in (
        (replace(right, password="loud"), "přihlášení bylo odmítnuto"),
        (replace(right, address=f"127.0.0.1:{free_port()}"), "nikdo tam neposlouchá"),
    ):
        with Outbox(settings, board.journal, lambda sentence: None) as outbox:
            eventually(lambda there=outbox: there.trouble)
            assert (
                message(outbox.trouble)
                .words["cs"]
                .endswith(f": {why}. Deník všechno uchová a pošle se to, až tam centrála bude.")
            )
    board.close()


@pytest.mark.parametrize("said", [b"{", b'{"run":"\xff"}', b'{"run":"r","more":' + b"[" * 100_000])
def test_an_answer_that_cannot_be_read_is_said(hall: Hall, tmp_path: Path, said: bytes) -> None:
    board, told, hub_too = SimulatedBoard(tmp_path, 1), list[str](), Stranger(hall, "hub", hall.board("hub").password)
    with Outbox(hall.board("board-3"), board.journal, told.append):
        eventually(lambda: any("connected to" in sentence for sentence in told))
        hub_too.say("boards/board-3/hub", said)
        eventually(lambda: "Hub: its answer can't be read. Is it of another version?" in told)
    board.close()
    hub_too.close()


def with_thief(folder: Path, heard: list[bytes], code: str, *, seal: bool, authority: str = "") -> None:
    """A board joins by way of somebody who listens. seal: the answer is the true hub's, passed on."""
    app = bare_app(ViewHub())

    @app.post("/join/<what>")
    def answer(what: str) -> Response:
        heard.append(request.get_data())
        asked = msgspec.json.decode(request.get_data())
        if what != ASK.rpartition("/")[2]:
            return Response(b"{}")
        key = key_of(plain(code)) if seal else "guessed"
        assert asked["found"] == found_by(plain(code))
        return Response(msgspec.json.encode(Offer(authority, sealed(key, asked["nonce"], authority))))

    thieves = trustme.CA()
    pem = folder / "thief.pem"
    thieves.issue_cert("127.0.0.1").private_key_and_cert_chain_pem.write_to_path(str(pem))
    with serve(app, "127.0.0.1", 0, tls=tls_context(pem)) as server:
        join(f"{code}@127.0.0.1:{server.port}")


def test_a_code_holds_for_some_minutes_and_whoever_guesses_waits(hall: Hall) -> None:
    Store(hall.database.url).close()
    wall = Wall()
    client = create_hub_app(wall, BoardViews(wall), hall.settings(WebConfig(), public=False)).test_client()
    code = offered(hall, "late-board")
    with psycopg.connect(hall.database.url) as connection:
        connection.execute("update codes set until = until - interval '15 minutes' where board = 'late-board'")
    asked = msgspec.json.encode({"found": found_by(plain(code)), "nonce": "n"})
    assert client.post("/join/ask", data=asked).status_code == 403
    assert client.post("/join/take", data=msgspec.json.encode({"code": code})).status_code == 403
    for body in (b"", b"[]", b'{"code": 7}', b"[" * 4000):
        assert client.post("/join/take", data=body).status_code == 400
    assert client.post("/join/take", data=b"x" * 10_000).status_code == 413
    assert [client.post("/join/ask", data=asked).status_code for _ in range(4)][-1] == 429
    assert client.get("/join?code=7KQF-2M9X-4TBW").status_code == 200  # what a QR code opens says nothing of the hub
    assert "7KQF-2M9X-4TBW@http://localhost" in client.get("/join?code=7KQF2M9X4TBW").get_data(True)


def test_boards_get_the_authority_whatever_is_written_around_it(hall: Hall, tmp_path: Path) -> None:
    file, pem = tmp_path / "hub.crt", trustme.CA().cert_pem.bytes().decode()
    file.write_text(f"# Certifikační autorita klubu\n{pem}", "utf-8")
    broker = BrokerSettings(password="x", ca=str(file))
    settings = msgspec.structs.replace(hall.settings(WebConfig()), broker=broker)
    found = found_by(plain(offered(hall, "pem-board")))
    client = create_hub_app(Wall(), BoardViews(Wall()), settings).test_client()
    answer = client.post("/join/ask", data=msgspec.json.encode({"found": found, "nonce": "n"}))
    authority = msgspec.json.decode(answer.data, type=Offer).authority
    assert authority.endswith(pem)
    pinned_tls(authority)


def test_two_who_come_with_one_code_get_one_place(hall: Hall) -> None:
    code = offered(hall, "one-board")
    got: list[object] = []

    def come() -> None:
        codes = Codes(hall.database.url)
        got.append(codes.take(code, lambda name, password: None))
        codes.close()

    both = [threading.Thread(target=come) for _ in range(2)]
    for one in both:
        one.start()
    for one in both:
        one.join()
    assert sum(one is not None for one in got) == 1


def test_where_the_broker_is_away_a_code_stays_good(hall: Hall) -> None:
    def away(name: str, password: str) -> None:
        BrokerAdmin(BrokerSettings(port=1, password="x", tls=False)).let_in(name, password)

    code = offered(hall, "patient-board")
    codes = Codes(hall.database.url)
    with pytest.raises(HubError, match="does not answer"):
        codes.take(code, away)
    assert codes.key("patient-board") is None
    assert codes.take(code, lambda name, password: None) is not None
    codes.close()


def test_a_board_may_not_say_who_may_speak(hall: Hall) -> None:
    config = hall.board("board-1")
    with pytest.raises(HubError, match="dynamic security"):
        BrokerAdmin(BrokerSettings(port=hall.broker.port, name="board-1", password=config.password, tls=False)).boards()
    with pytest.raises(HubError, match="can't be removed"):
        BrokerAdmin(hall.settings(WebConfig()).broker).shut_out("hub")


def test_nobody_waits_for_a_board_that_was_removed_until_it_joins_again(hall: Hall) -> None:
    with closing(Store(hall.database.url)) as store, closing(Tournaments(hall.database.url)) as ledger:
        store.begin_life("lent-board", 1, "a")
        number = ledger.make(Terms("Půjčená", "swiss", 1, rounds=1, boards=("lent-board",)), ("Alena", "Bořek"), "Dora")
        ledger.draw(number, "Dora")

        def known() -> tuple[bool, bool]:
            return "lent-board" in store.boards(), "lent-board" in ledger.boards()

        assert known() == (True, True)
        with closing(Codes(hall.database.url)) as codes:
            codes.dismiss("Dora", "lent-board", lambda board: None)
            assert known() == (False, False)
            assert store.life("lent-board") is not None
            assert "lent-board" not in ledger.seat()
            codes.take(codes.offer("Dora", "lent-board", "hub"), lambda name, password: None)
            assert known() == (True, True)
            assert "lent-board" in ledger.seat()
            # Where there is another board, it gets what the one that was removed has not begun.
            ledger.give_boards(number, ("lent-board", "other-board"), "Dora")
            codes.dismiss("Dora", "lent-board", lambda board: None)
            assert "lent-board" not in (seated := ledger.seat())
            assert seated["other-board"].event == "Půjčená"
            for heard in (store.heard_from, store.begin_life):
                codes.dismiss("Dora", "lent-board", lambda board: None)
                heard("lent-board", 1, "b")
                assert known() == (True, True)


def test_the_director_adds_and_removes_on_the_page(hall: Hall) -> None:
    Store(hall.database.url).close()
    register = Register(hall.database.url)
    password = register.add("Hana", "director", replace=True)
    scorers = register.add("Sven", "scorer", replace=True)
    register.close()
    wall = Wall()
    app = create_hub_app(wall, BoardViews(wall), hall.settings(WebConfig(), public=False))
    client = app.test_client()
    assert client.get("/hall").status_code == 303
    client.post("/signin", data={"name": "Sven", "password": scorers})
    assert client.get("/hall").status_code == 403
    client = app.test_client()
    client.post("/signin", data={"name": "Hana", "password": password})
    page = client.get("/hall").get_data(True)
    listed = re.findall(r'"boards/(board-[0-9]+)/"', page)
    assert listed == [f"board-{number}" for number in range(1, len(listed) + 1)]  # board-2 before board-10
    assert len(listed) > 9
    token = re.findall(r'name="csrf" value="([^"]+)"', page)[0]
    assert client.post("/hall", data={"board": "board-x", "csrf": "no"}).status_code == 403
    for wrong in ("Board X!", "hub", "../x", ""):
        refused = client.post("/hall", data={"board": wrong, "csrf": token}).get_data(True)
        assert "aria-invalid" in refused
        assert ("That is what the hub itself is called." in refused) is (wrong == "hub")
    answer = client.post("/hall", data={"board": "board-x", "csrf": token})
    assert answer.headers["Cache-Control"] == "no-store"
    code = re.findall(r"([0-9A-Z]{4}(?:-[0-9A-Z]{4}){2})@http://localhost", answer.get_data(True))[0]
    given = client.post("/join/take", data=msgspec.json.encode({"code": code})).get_json()
    assert given["name"] == "board-x"
    page = client.get("/hall").get_data(True)
    assert "invited by Hana" in page
    assert given["password"] not in page
    assert given["key"] not in page
    assert client.post("/hall/dismiss", data={"board": "hub", "csrf": token}).status_code == 400
    assert client.post("/hall/dismiss", data={"board": "board-x", "csrf": token}).status_code == 303
    assert "boards/board-x/" not in client.get("/hall").get_data(True)
    assert "has removed the board board-x" in client.get("/alerts").get_data(True)


@pytest.mark.parametrize("text", ["{", '{"hub": {"address": "hub.local:70000"}, "key": ""}', '{"hub": {}, "key": ""}'])
def test_a_file_that_says_nonsense_is_said_and_the_board_plays_on(tmp_path: Path, text: str) -> None:
    path = tmp_path / "hub.json"
    path.write_text(text, "utf-8")
    said: list[str] = []
    with HubLine(None, path, lambda config: pytest.fail("no hub"), said.append) as line:
        assert "Join the hub again" in said[0]
        trouble = line.seen().trouble
        assert trouble is not None
        assert "Připojte ji znovu" in trouble.words["cs"]
    (tmp_path / "folder").mkdir()
    with pytest.raises(JoiningError):
        save_joined(tmp_path / "folder", JoinedHub(HubConfig(address="x"), "key"))


def test_a_board_that_can_not_leave_its_hub_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "hub.json"
    save_joined(path, JoinedHub(HubConfig(address="hub.local", name="board-2"), "key"))

    def read_only(self: Path, missing_ok: bool = False) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    with HubLine(None, path, lambda config: StandingLine(), pytest.fail) as line:
        with monkeypatch.context() as patched:
            patched.setattr(Path, "unlink", read_only)
            assert not line.leave()
        seen = line.seen()
        assert seen.name == "board-2"
        assert seen.trouble is not None
        assert "nelze smazat (Read-only file system)" in seen.trouble.words["cs"]
        assert line.leave()
        assert line.seen() == HubSeen()


class StandingLine:
    """controller.run.hub_line.Line, with which nothing is wrong."""

    trouble, is_sent = Sentence(""), True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None: ...


def test_passwords_of_a_file_move_into_the_plugin(tmp_path: Path) -> None:
    """Whoever had a password at an earlier hub's broker still has it: the boards need not be touched."""
    if mosquitto_program() is None:
        pytest.skip("mosquitto is not here: sudo apt-get install mosquitto")
    # As mosquitto_passwd writes it for the password "old-secret".
    salt = b"twelve bytes"
    kept_as = base64.b64encode(hashlib.pbkdf2_hmac("sha512", b"old-secret", salt, 101)).decode()
    line = f"$7$101${base64.b64encode(salt).decode()}${kept_as}"
    rights = moved_rights(f"hub:{line}\nboard-3:{line}\n\n")
    path = tmp_path / "rights.json"
    write_rights(path, rights)
    assert path.stat().st_mode & 0o777 == 0o600
    with pytest.raises(HubError, match="is there already"):
        write_rights(path, first_rights({"hub": "x"}))
    with pytest.raises(HubError, match="Nothing was moved"):
        moved_rights("board-3:plain")
    with pytest.raises(HubError, match=r"no password of 'hall', the hub.* Nothing was moved"):
        moved_rights(f"hub:{line}\nboard-3:{line}\n", "hall")
    broker = Mosquitto(
        tmp_path / "broker", ("allow_anonymous false", f"plugin {plugin_path()}", f"plugin_opt_config_file {path}")
    )
    broker.start()
    try:
        admin = BrokerAdmin(BrokerSettings(port=broker.port, password="old-secret", tls=False))
        assert admin.boards() == ("board-3",)
        with pytest.raises(HubError):
            BrokerAdmin(BrokerSettings(port=broker.port, password="other", tls=False)).boards()
    finally:
        broker.stop()


def test_the_commands(hall: Hall, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    broker = hall.settings(WebConfig()).broker
    settings = tmp_path / "hub.toml"
    with hub(hall) as here:
        settings.write_text(
            f'[broker]\nport = {broker.port}\npassword = "{broker.password}"\ntls = false\n'
            f'[database]\nurl = "{hall.database.url}"\n[web]\nport = {here.running.port}\n',
            "utf-8",
        )

        def said(*arguments: str) -> str:
            return CliRunner().invoke(main, ["hub", "--config", str(settings), *arguments]).output

        def at_a_board(invitation: str) -> str:
            return CliRunner().invoke(main, ["hub", "join", invitation]).output

        told = said("add-board", "desk-board", "--address", "127.0.0.1").split()[-1]
        assert at_a_board(told).startswith("This board is desk-board at 127.0.0.1:")
        assert "holds no longer" in at_a_board(told)
        assert load_joined(tmp_path / "state" / "vrhcab" / "hub.json") is not None
        assert said("remove-board", "desk-board") == ""
        assert "There is no board desk-board" in said("remove-board", "desk-board")
        assert "can't be a board's name" in said("add-board", "Board 1")
        assert "password = " in said("rights", str(tmp_path / "rights.json"))
        assert "is there already" in said("rights", str(tmp_path / "rights.json"))
