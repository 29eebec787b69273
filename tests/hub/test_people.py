"""Who may see the hub's pages, what roles may do, and whom the hub calls."""

from __future__ import annotations

import re
import socket
import threading
import time
import zipfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import msgspec
import psycopg
import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from controller.cli.main import main
from controller.config import WebConfig
from controller.hub.alerts import Alert, Caller, Ntfy, alerts_of
from controller.hub.errors import HubError, StoreError
from controller.hub.invitations import Invitations
from controller.hub.joining import Codes
from controller.hub.pages import create_hub_app
from controller.hub.people import Known, Register
from controller.hub.services import Hall
from controller.hub.settings import HubSettings
from controller.hub.shown import BoardViews
from controller.hub.store import Store
from controller.hub.wall import Tile, Wall
from controller.record.joining import found_by, plain
from tests.hub.table import PATIENCE_S, eventually
from tests.web.languages import in_language
from tests.web.views import start_view
from vision.sentence import Sentence
from web.limits import limits_here
from web.server import serve
from web.sessions import door_of
from web.view import ClockView, FlagView
from web.words import message

SILENT = Tile("board-2", None, "2026-11-22T10:11:12+00:00")


@pytest.fixture
def wall() -> Wall:
    made = Wall()
    flag = FlagView(1, "R01", "light", "That play is not legal.", 1)
    flagged = Tile("board-1", msgspec.structs.replace(start_view(), flags=(flag,)))
    made.show({tile.board: msgspec.json.encode(tile) for tile in (flagged, SILENT)})
    return made


def test_hubs_of_one_machine_keep_who_is_signed_in_apart() -> None:
    """A browser keeps one set of cookies for all programs of a machine, whatever their ports."""
    names = set[str]()
    for port in (8090, 8091, 8090):
        made = Wall()
        app = create_hub_app(made, BoardViews(made), HubSettings(web=WebConfig(port=port)))
        names.add(door_of(app).cookie)
    assert len(names) == 2


@pytest.fixture
def client(hall: Hall, wall: Wall, quick_hashes: None) -> Iterator[FlaskClient]:
    store = Store(hall.database.url)
    with store.transaction():
        again = Sentence("It sent event {number} again, but otherwise. The first stays as it is.", number=7)
        store.notice("board-1", "otherwise", again)
    store.close()
    register = Register(hall.database.url)
    for name in register.roles():
        register.remove(name)
    register.close()
    app = create_hub_app(wall, BoardViews(wall), hall.settings(WebConfig(), public=False))
    with app.test_client() as made:
        yield made


def added(hall: Hall, name: str, role: str) -> str:
    register = Register(hall.database.url)
    try:
        return register.add(name, role)  # type: ignore[arg-type]  # as the test says it
    finally:
        register.close()


def signed_in(client: FlaskClient, name: str, password: str, wanted: str = "/") -> int:
    return client.post("/signin", data={"name": name, "password": password, "next": wanted}).status_code


def test_strangers_see_the_sign_in_page_and_nothing_else(client: FlaskClient, hall: Hall) -> None:
    for path in ("/", "/matches", "/alerts", "/boards/board-1/", "/boards/board-1/replay?match=x"):
        answer = client.get(path)
        assert answer.status_code == 303
        assert answer.headers["Location"].startswith("/signin?next=/")
    for path in ("/events", "/api/wall", "/api/state", "/boards/board-1/api/state", "/boards/board-1/events"):
        assert client.get(path).status_code == 401
    assert client.get("/healthz").status_code == 200
    assert client.post("/alerts/seen", data={"notice": "1"}).status_code == 401
    password = added(hall, "Věra", "viewer")
    assert signed_in(client, "Věra", password + "x") == 403
    assert signed_in(client, "nobody", password) == 403
    wrong = client.post("/signin", data={"name": "Věra", "password": "x", "next": "/matches?q=Věra"}).get_data(True)
    languages = wrong[wrong.index('class="languages"') :]  # where one can be chosen, and is led on all the same
    assert '<input type="hidden" name="next" value="/matches?q=Věra">' in languages
    answer = client.post("/signin", data={"name": "Věra", "password": password, "next": "//elsewhere.example/"})
    assert (answer.status_code, answer.headers["Location"]) == (303, "/")
    assert client.get("/").status_code == 200
    assert client.get("/api/wall").status_code == 200


def test_where_anybody_may_look_the_other_pages_lead_to_the_sign_in_page(
    hall: Hall, wall: Wall, client: FlaskClient
) -> None:
    public = create_hub_app(wall, BoardViews(wall), hall.settings(WebConfig(), public=True)).test_client()
    assert public.get("/").status_code == 200
    for path in ("/alerts", "/hall?lang=de&of=2", "/people"):
        answer = public.get(path)
        assert answer.status_code == 401
        assert f'href="/signin?next={quote(path, "")}"' in answer.get_data(True)
    signed_in(public, "Vlasta", added(hall, "Vlasta", "viewer"))
    assert public.get("/alerts").status_code == 200


def test_what_is_said_of_an_error_is_true_of_a_hub(
    client: FlaskClient, hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = client.post("/alerts/seen", data={"notice": "1"})
    assert "Nobody is signed in here" in refused.get_data(True)
    password, other = added(hall, "Vlasta", "viewer"), client.application.test_client()
    for browser in (client, other):
        signed_in(browser, "Vlasta", password)
    said, made, zipped = client.get("/hall"), list[TestResponse](), zipfile.ZipFile
    assert (said.status_code, "a director of the hub says who may do what" in said.get_data(True)) == (403, True)

    def meanwhile(*arguments: Any) -> zipfile.ZipFile:
        asked = threading.Thread(
            target=lambda: made.append(other.get("/matches.zip", headers={"Accept-Language": "cs"}))
        )
        asked.start()
        asked.join()
        return zipped(*arguments)

    monkeypatch.setattr(zipfile, "ZipFile", meanwhile)
    assert client.get("/matches.zip").status_code == 200
    assert (made[0].status_code, "jen pro jednoho najednou" in made[0].get_data(True)) == (429, True)
    for answer in (refused, said, *made):
        assert "PIN" not in answer.get_data(True)


def test_a_viewer_looks_a_scorer_answers_a_director_sees_who_did_it(client: FlaskClient, hall: Hall) -> None:
    signed_in(client, "Viktor", added(hall, "Viktor", "viewer"))
    page = client.get("/alerts").get_data(True)
    assert "That play is not legal." in page
    assert "Nothing has been heard of it since 2026-11-22 10:11 UTC." in page
    assert 'name="notice"' not in page
    czech = client.get("/alerts", headers={"Accept-Language": "cs"}).get_data(True)
    assert "Od 2026-11-22 10:11 UTC o ní není nic slyšet." in czech
    assert "Poslala událost 7 znovu, ale jinak. První zůstává, jak je." in czech
    token = re.findall(r'name="csrf" value="([^"]+)"', page)[0]
    assert client.post("/alerts/seen", data={"notice": "1", "csrf": token}).status_code == 403
    assert client.post("/signout", data={"csrf": "x"}).status_code == 403
    assert client.post("/signout", data={"csrf": token}).status_code == 303
    assert client.get("/").status_code == 303

    signed_in(client, "Sára", added(hall, "Sára", "scorer"))
    page = client.get("/alerts").get_data(True)
    token = re.findall(r'name="csrf" value="([^"]+)"', page)[0]
    number = re.findall(r'name="notice" value="(\d+)"', page)[0]
    assert client.post("/alerts/seen", data={"notice": number, "csrf": "x" * 32}).status_code == 403
    foreign = {"Origin": "http://elsewhere.example"}
    assert client.post("/alerts/seen", data={"notice": number, "csrf": token}, headers=foreign).status_code == 403
    assert client.post("/alerts/seen", data={"notice": "x", "csrf": token}).status_code == 400
    assert client.post("/alerts/seen", data={"notice": number, "csrf": token}).status_code == 303
    page = client.get("/alerts").get_data(True)
    assert "Seen: Sára" in page
    assert "Who did what" not in page

    client.post("/signout", data={"csrf": token})
    signed_in(client, "Dora", added(hall, "Dora", "director"))
    page = client.get("/alerts").get_data(True)
    assert re.search(r"<td>Sára</td><td>has seen a notice board-1</td>", page)


def test_times_are_told_in_utc_wherever_the_database_is(
    client: FlaskClient, hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    signed_in(client, "Uršula", added(hall, "Uršula", "director"))
    pages = []
    for zone in ("Asia/Tokyo", "America/New_York"):
        monkeypatch.setenv("PGTZ", zone)
        pages.append(re.findall(r"<td>([0-9: -]+ UTC)</td>", client.get("/alerts").get_data(True)))
    assert pages[0] == pages[1] != []


def test_whoever_is_removed_is_out_and_who_guesses_waits(
    client: FlaskClient, hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    signed_in(client, "Olga", added(hall, "Olga", "director"))
    assert client.get("/").status_code == 200
    register = Register(hall.database.url)
    register.remove("Olga")
    with pytest.raises(HubError, match="nobody called"):
        register.remove("Olga")
    with pytest.raises(HubError, match="can't be somebody's name"):
        register.add("two\nlines", "viewer")
    register.close()
    monkeypatch.setattr("controller.hub.people.FRESH_S", 0.0)
    assert client.get("/").status_code == 303
    assert [signed_in(client, "x", "y") for _ in range(5)].count(403) >= 4
    assert signed_in(client, "x", "y") == 429


def test_whoever_has_another_password_signs_in_anew(
    client: FlaskClient, hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For one that somebody else has learnt; and whoever comes back under a name is not who had it before."""
    signed_in(client, "Olga", added(hall, "Olga", "scorer"))
    signed_in(other := client.application.test_client(), "Ota", added(hall, "Ota", "viewer"))
    register = Register(hall.database.url)
    again = register.add("Olga", "scorer", replace=True)
    monkeypatch.setattr("controller.hub.people.FRESH_S", 0.0)
    assert client.get("/").status_code == 303
    signed_in(client, "Olga", again)
    assert client.get("/").status_code == 200
    register.remove("Olga")
    back = register.add("Olga", "director")
    register.close()
    assert client.get("/").status_code == 303
    signed_in(client, "Olga", back)
    assert [one.get("/").status_code for one in (client, other)] == [200, 200]


def test_people_are_added_by_a_command(hall: Hall, tmp_path: Path) -> None:
    settings = tmp_path / "hub.toml"
    settings.write_text(f'[database]\nurl = "{hall.database.url}"\n', "utf-8")

    def said(*arguments: str) -> str:
        return CliRunner().invoke(main, ["hub", "--config", str(settings), *arguments]).output

    password = said("add-person", "Zdena", "--role", "director").split()[-1]
    assert "has a password already" in said("add-person", "Zdena")
    register = Register(hall.database.url)
    assert register.is_right("Zdena", password)
    assert register.roles()["Zdena"] == "director"
    other = said("add-person", "Zdena", "--again").split()[-1]
    assert not register.is_right("Zdena", password)
    assert register.is_right("Zdena", other)
    assert said("remove-person", "Zdena") == ""
    assert "Zdena" not in register.roles()
    register.close()


def test_what_needs_somebody() -> None:
    clock = ClockView(30.0, 500.0, 0.0, "light", 0.0)
    tile = Tile(
        "board-1",
        msgspec.structs.replace(start_view(), clock=clock),
        messages=(message(Sentence("Its disk is nearly full: {free} MB are left.", free=3)),),
    )
    alerts = alerts_of([tile])
    assert [alert.in_words("en") for alert in alerts] == [
        "Its disk is nearly full: 3 MB are left.",
        "The clock of Jana is near its end: 30 s.",
    ]
    assert [alert.in_words("cs") for alert in alerts] == [
        "Disk je skoro plný: zbývá 3 MB.",
        "Hodiny se blíží ke konci, Jana: 30 s.",
    ]
    assert alerts_of([Tile("board-1", start_view())]) == []


def test_what_is_counted_is_no_other_cause() -> None:
    counted = (
        Sentence("Its clock is {minutes} minutes fast.", minutes=6),
        Sentence(
            "{count} of its events can't be read here: they are kept, and the board is shown without them. Update the hub.",
            count=1,
        ),
    )
    later = (Sentence(one.code, **dict.fromkeys(one.values, 12)) for one in counted)
    told = (*counted, "The camera has given 3 pictures.", *later, "The camera has given 40 pictures.")
    causes = [alerts_of([Tile("board-1", None, messages=(message(one),))])[0].cause for one in told]
    assert causes[:3] == causes[3:]
    assert len(set(causes)) == 3


@pytest.mark.parametrize(
    ("answered", "why"),
    [
        ("SSH-2.0-OpenSSH_9.2", "SSH-2.0"),
        ("HTTP/1.1 301 Moved\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n", "Moved"),
    ],
)
def test_whatever_answers_in_the_place_of_a_phones_server_is_told(answered: str, why: str) -> None:
    """And the next alert is sent. Where a redirection leads nothing would be posted."""
    said: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            line, _ = server.accept()
            with line:
                line.recv(10_000)
                line.sendall(f"{answered}\r\n".encode())

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        assert not Ntfy(f"http://127.0.0.1:{server.getsockname()[1]}/hall", None, said.append)(
            Alert("b", "c", {"en": "x"})
        )
        thread.join(10)
    assert "could not be sent" in said[0]
    assert why in said[0]


def test_a_phone_is_called_once_for_each_cause(wall: Wall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.hub.alerts.LOOK_S", 0.05)
    heard: list[tuple[str, str]] = []

    class Phone(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            heard.append((self.headers["Authorization"], body))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Phone)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    said: list[str] = []
    try:
        with Caller(wall, [Ntfy(f"http://127.0.0.1:{server.server_port}/hall", "secret", said.append, "cs")], 0.0):
            eventually(lambda: len(heard) == 2)
            wall.show({"board-3": msgspec.json.encode(Tile("board-3", None, ""))})
            eventually(lambda: len(heard) == 3)
    finally:
        server.shutdown()
        server.server_close()
    assert sorted(body for _, body in heard) == [
        "board-1: That play is not legal.",
        "board-2: Od 2026-11-22 10:11 UTC o ní není nic slyšet.",
        "board-3: Nic o ní není slyšet.",
    ]
    assert {token for token, _ in heard} == {"Bearer secret"}
    with Caller(wall, [Ntfy(f"http://127.0.0.1:{server.server_port}/hall", "secret", said.append)], 0.0):
        eventually(lambda: said)
    assert "secret" not in said[0]


def test_a_director_invites_and_whoever_has_the_link_chooses_a_password(client: FlaskClient, hall: Hall) -> None:
    signed_in(client, "Ředitelka", added(hall, "Ředitelka", "director"))
    page = client.get("/people").get_data(True)
    token = re.findall(r'name="csrf" value="([^"]+)"', page)[0]
    asked = {"name": "Ota Nový", "role": "scorer", "csrf": token}
    assert client.post("/people", data=asked | {"csrf": "x"}).status_code == 403
    assert client.post("/people", data=asked | {"role": "king"}).status_code == 400
    assert "aria-invalid" in client.post("/people", data=asked | {"name": "\u202e"}).get_data(True)
    earlier = _link(client, asked)
    link = _link(client, asked)
    assert "Ota Nový" in client.get("/people").get_data(True)
    with psycopg.connect(hall.database.url) as connection:
        assert link.partition("code=")[2] not in str(connection.execute("select * from invitations").fetchall())

    stranger = client.application.test_client()
    assert stranger.get(earlier).status_code == 403  # the later one has taken its place
    assert stranger.get("/people").status_code == 303
    assert stranger.post("/people", data=asked).status_code == 401
    answer = stranger.get(link)
    assert "Ota Nový" in answer.get_data(True)
    assert answer.headers["Cache-Control"] == "no-store"
    assert "Ota Nový" in in_language(stranger, answer, "cs").get_data(True)
    code = link.partition("code=")[2]
    foreign = {"Origin": "http://elsewhere.example"}
    chosen = {"code": code, "password": "dlouhé heslo", "again": "dlouhé heslo"}
    assert stranger.post("/invited", data=chosen, headers=foreign).status_code == 403
    for wrong in (
        {"again": "other"},
        {"password": "short", "again": "short"},
        {"password": "ota nový", "again": "ota nový"},
    ):
        assert stranger.post("/invited", data=chosen | wrong).status_code == 403
    long = {"password": "h" * 65, "again": "h" * 65}
    refused = stranger.post("/invited", data=chosen | long)
    assert "8 až 64 znaků, a ne jméno." in refused.get_data(True)
    assert "Ota Nový" in in_language(stranger, refused, "en").get_data(True)
    assert "8 to 64 letters, and not the name." in stranger.post("/invited", data=chosen | long).get_data(True)
    assert stranger.post("/invited", data=chosen).status_code == 303
    assert stranger.get("/alerts").status_code == 200
    assert stranger.get("/people").status_code == 403  # a scorer
    assert stranger.post("/invited", data=chosen).status_code == 403  # once
    assert signed_in(client.application.test_client(), "Ota Nový", "dlouhé heslo") == 303
    assert "accepted an invitation" in client.get("/alerts").get_data(True)

    # A new invitation for a forgotten password ends the sessions of before; so does a removal.
    again = client.application.test_client()
    code = _link(client, asked).partition("code=")[2]
    assert again.post("/invited", data=chosen | {"code": code}).status_code == 303
    assert stranger.get("/alerts").status_code == 303
    assert client.post("/people/dismiss", data={"name": "Ota Nový", "csrf": token}).status_code == 303
    assert again.get("/alerts").status_code == 303
    assert client.post("/people/dismiss", data={"name": "Ředitelka", "csrf": token}).status_code == 400


def test_whoever_is_removed_by_the_command_follows_no_longer(
    hall: Hall, client: FlaskClient, wall: Wall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their page may ask for nothing more, and may be the only one that is open."""
    monkeypatch.setattr("controller.hub.people.FRESH_S", 0.1)
    password = added(hall, "Odvolaná", "viewer")
    limits, url = replace(limits_here(), keep_alive=0.2), hall.database.url
    with Known(url) as known, closing(Register(url)) as register:
        app = create_hub_app(wall, BoardViews(wall), hall.settings(WebConfig(), public=False), known=known)
        with serve(app, "127.0.0.1", 0, limits) as server:
            form = urlencode({"name": "Odvolaná", "password": password})
            kind = {"Content-Type": "application/x-www-form-urlencoded"}
            with closing(HTTPConnection("127.0.0.1", server.port, timeout=20)) as line:
                line.request("POST", "/signin", form, kind)
                cookie = line.getresponse().headers["Set-Cookie"].partition(";")[0]
            with closing(HTTPConnection("127.0.0.1", server.port, timeout=20)) as line:
                line.request("GET", "/events", headers={"Cookie": cookie})
                stream = line.getresponse()
                assert b"board-1" in b"".join(stream.readline() for _ in range(8))
                register.remove("Odvolaná")
                end = time.monotonic() + PATIENCE_S
                while stream.readline():
                    assert time.monotonic() < end


def test_an_invitation_holds_for_a_day(client: FlaskClient, hall: Hall) -> None:
    invitations = Invitations(hall.database.url)
    added(hall, "Ředitelka", "director")
    code = invitations.invite("Ředitelka", "Pozdní", "viewer")
    assert invitations.invited(code) is not None
    with psycopg.connect(hall.database.url) as connection:
        connection.execute("update invitations set until = until - interval '24 hours' where name = 'Pozdní'")
    assert invitations.invited(code) is None
    assert invitations.accept(code, "a password") is None
    assert "Pozdní" not in invitations.roles()
    assert client.get(f"/invited?code={code}").status_code == 403
    invitations.close()


def test_an_invitation_holds_while_whoever_made_it_may_invite(client: FlaskClient, hall: Hall) -> None:
    for name in ("Bývalý", "Jiný"):
        added(hall, name, "director")
    with closing(Invitations(hall.database.url)) as invitations:
        codes = [invitations.invite("Bývalý", name, "director") for name in ("Zadní vrátka", "Jiný")]
        assert [one[0] for one in invitations.waiting()] == ["Jiný", "Zadní vrátka"]
        invitations.dismiss("Jiný", "Bývalý")
        for code in codes:
            assert client.get(f"/invited?code={code}").status_code == 403
            assert invitations.accept(code, "a password") is None
        assert invitations.waiting() == ()
        assert invitations.roles() == {"Jiný": "director"}
        # Nor does one of somebody who is a director no more.
        # Nor of one who has another password since: whoever had the first may have made it.
        for role in ("viewer", "director"):
            invitations.add("Bývalý", "director", replace=True)
            code = invitations.invite("Bývalý", "Zadní vrátka", "director")
            assert invitations.invited(code) is not None
            invitations.add("Bývalý", role, replace=True)
            assert invitations.invited(code) is None


def test_a_new_password_that_was_not_shown_does_not_hold(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(Register(hall.database.url)) as register:
        first = register.add("Jana", "director")

        def away(name: str) -> None:
            raise StoreError(name)

        monkeypatch.setattr(register, "_end_offers", away)
        for change in (lambda: register.add("Jana", "viewer", replace=True), lambda: register.remove("Jana")):
            with pytest.raises(StoreError):
                change()
            assert register.is_right("Jana", first)


def test_a_board_joins_with_no_code_of_somebody_who_was_removed(client: FlaskClient, hall: Hall) -> None:
    """Nor of somebody who has another role or password since: whoever signed in with the first is out, too."""
    with closing(Invitations(hall.database.url)) as invitations, closing(Codes(hall.database.url)) as codes:
        for leave in (
            invitations.remove,
            lambda name: invitations.dismiss("Jiný", name),
            lambda name: invitations.add(name, "viewer", replace=True),
            lambda name: invitations.accept(invitations.invite("Jiný", name, "viewer"), "a password"),
        ):
            for name in ("Bývalý", "Jiný"):
                invitations.add(name, "director", replace=True)
            theirs, others = codes.offer("Bývalý", "board-8", "hub"), codes.offer("vrhcab hub", "board-9", "hub")
            leave("Bývalý")
            assert codes.seal_key(found_by(plain(theirs))) is None
            assert codes.take(theirs, lambda name, password: None) is None
            assert codes.seal_key(found_by(plain(others))) is not None


def _link(client: FlaskClient, asked: dict[str, str]) -> str:
    page = client.post("/people", data=asked).get_data(True)
    assert 'src="data:image/svg+xml' in page
    return re.findall(r'<a href="(http[^"]+/invited\?code=[^"]+)"', page)[0]
