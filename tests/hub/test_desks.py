"""One sign-in for the boards' desks: passes of the hub at a running board, and passes that are stolen, old, used or another's."""

from __future__ import annotations

import http.cookiejar
import re
import urllib.error
import urllib.request
from contextlib import closing
from pathlib import Path
from urllib.parse import urlencode

import msgspec
import pytest
from flask.testing import FlaskClient

from controller.config import HubConfig
from controller.hub.passes import DeskPasses
from controller.hub.people import Person, Register
from controller.hub.services import Hall
from controller.hub.store import Store
from controller.record.passes import GuestPass, read_pass, signed
from controller.record.wire import MOST_GUESTS, Here, HubAnswer
from controller.run.guests import HOLDS_S, Guests
from controller.run.outbox import Outbox
from controller.run.simulated_boards import SimulatedBoard
from tests.hub.table import eventually, free_port, hub, rows
from tests.hub.test_joining import offered
from tests.programs import running
from tests.web.first_time import FirstTime
from tests.web.table import TableHub, TableReferee
from web.app import create_app
from web.desk import Desk
from web.hub import ViewHub
from web.joining import Guest
from web.security import PinKeeper
from web.sessions import JUST_COME_S, door_of

pytestmark = pytest.mark.usefixtures("quick_hashes")

KEY, OTHER = "k" * 43, "o" * 43


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_pass_is_good_once_at_its_board_and_soon() -> None:
    clock = Clock()
    guests = Guests(lambda: "", clock)
    word = guests.word()
    good = GuestPass("board-1", word, "one", "Jana", "scorer")
    text = signed(KEY, good)
    assert guests.read(KEY, "board-1", text, use=False) == good
    assert guests.read(OTHER, "board-1", text, use=True) is None  # another board's key, or a hub that was left
    assert guests.read(KEY, "board-2", text, use=True) is None  # another name with the same key
    for wrong in ("", "x", text[:-1], text + "x", text.replace(".", "", 1), "é" * 10, "x" * 5000):
        assert guests.read(KEY, "board-1", wrong, use=True) is None
    raised = signed(OTHER, msgspec.structs.replace(good, role="director"))
    assert read_pass(KEY, text.rpartition(".")[0] + "." + raised.rpartition(".")[2]) is None
    for forged in ({"role": "king"}, {"who": ""}, {"board": "../x"}):
        assert guests.read(KEY, "board-1", signed(KEY, msgspec.structs.replace(good, **forged)), use=True) is None
    assert guests.read(KEY, "board-1", text, use=True) == good
    assert guests.read(KEY, "board-1", text, use=True) is None  # replayed
    assert guests.read(KEY, "board-1", signed(KEY, msgspec.structs.replace(good, identity="two")), use=False)
    clock.now += HOLDS_S
    assert guests.read(KEY, "board-1", text, use=True) is None
    assert guests.read(KEY, "board-1", signed(KEY, msgspec.structs.replace(good, identity="two")), use=True) is None
    # A board that was started anew knows no word of before, whatever its clock says.
    assert Guests(lambda: "").read(KEY, "board-1", text, use=True) is None
    # Nor does one pass for another, by a word that nobody has said.
    late = GuestPass("board-1", "never said", "three", "Jana", "director")
    assert guests.read(KEY, "board-1", signed(KEY, late), use=True) is None


@pytest.mark.parametrize(
    "page", ["javascript:alert(1)", "http://x/ y", "https://a@b", "//x", "http://x/path", "http://", "http://x\n"]
)
def test_a_board_names_no_address_that_is_none(page: str) -> None:
    body = msgspec.json.encode({"run": "r", "page": page})
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(body, type=Here)


class Roles:
    """Who is somebody at the hub."""

    def __init__(self, **people: str) -> None:
        self.people = people

    def person(self, name: str) -> Person | None:
        role = self.people.get(name)
        return None if role is None else Person(name, role)  # type: ignore[arg-type]


def test_passes_hold_while_people_are_what_they_were() -> None:
    known, clock = Roles(Jana="director", Petr="scorer"), Clock()
    passes = DeskPasses(known, clock)  # type: ignore[arg-type]
    jana = known.person("Jana")
    assert jana is not None
    assert passes.address("board-1", KEY, jana) is None  # it has said nothing yet
    passes.heard("board-1", "http://192.168.1.9:8080", "word")
    address = passes.address("board-1", KEY, jana)
    assert address is not None
    assert address.startswith("http://192.168.1.9:8080/hub/enter?pass=")
    one = read_pass(KEY, address.partition("pass=")[2])
    assert one is not None
    assert (one.board, one.door, one.who, one.role) == ("board-1", "word", "Jana", "director")
    petr = known.person("Petr")
    assert petr is not None
    passes.address("board-1", KEY, petr)
    assert len(passes.holding("board-1")) == 2
    assert passes.holding("board-2") == ()
    known.people["Petr"] = "viewer"
    assert passes.holding("board-1") == (one.identity,)
    passes.drop("Jana")
    assert passes.holding("board-1") == ()
    passes.heard("board-1", "", "word")
    assert passes.address("board-1", KEY, jana) is None
    passes.gone("board-1")
    assert passes.address("board-1", KEY, jana) is None


@pytest.mark.parametrize(
    ("page", "told"),
    [
        ("https://board_7.local:8443", "https://board_7.local:8443"),
        ("http://[fe80::1%eth0]:8080", ""),
        ("http://" + "x" * 300, ""),
    ],
)
def test_a_board_speaks_whatever_its_page_is_called(
    page: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hub takes no Here with an address that is none; the board would never be heard."""
    said: list[bytes] = []
    with closing(SimulatedBoard(tmp_path, 1)) as board:
        outbox = Outbox(HubConfig(address="127.0.0.1", tls=False), board.journal, print, guests=Guests(lambda: page))
        monkeypatch.setattr(outbox._client, "publish", lambda topic, body, quality: said.append(body))
        outbox._say_here()
    assert msgspec.json.decode(said[0], type=Here).page == told


def test_however_often_somebody_goes_to_a_desk_its_board_can_read_the_hubs_answer() -> None:
    known = Roles(Jana="director")
    passes, jana = DeskPasses(known), Person("Jana", "director")  # type: ignore[arg-type]
    passes.heard("board-1", "http://192.168.1.9:8080", "word")
    addresses = [passes.address("board-1", KEY, jana) or "" for _ in range(MOST_GUESTS + 2)]
    answer = msgspec.json.encode(HubAnswer("run", guests=passes.holding("board-1")))
    guests = msgspec.json.decode(answer, type=HubAnswer).guests
    newest = read_pass(KEY, addresses[-1].partition("pass=")[2])
    assert isinstance(guests, tuple)
    assert newest is not None
    assert newest.identity in guests


def test_a_scorer_keeps_the_match_and_a_director_sets_up() -> None:
    clock, joiner, referee = Clock(), TableHub(), TableReferee()
    wizard = FirstTime()
    app = create_app(ViewHub(), desk=Desk(referee, PinKeeper(None), wizard=wizard, joiner=joiner))
    sessions = door_of(app).sessions
    sessions._clock = clock
    joiner.passes = {
        "s": Guest("Sára", "scorer", "pass-s"),
        "d": Guest("Dora", "director", "pass-d"),
        "t": Guest("Sára", "scorer", "pass-t"),
    }
    scorer, director = app.test_client(), app.test_client()
    assert scorer.get("/hub/enter?pass=wrong").status_code == 403
    assert scorer.post("/hub/enter", data={"pass": "wrong"}).status_code == 403
    elsewhere = {"Origin": "http://elsewhere.example"}
    assert scorer.post("/hub/enter", data={"pass": "s"}, headers=elsewhere).status_code == 403
    page = scorer.get("/hub/enter?pass=s").get_data(True)
    assert "Sára" in page
    assert scorer.get("/api/legal").status_code == 401  # looking signs nobody in
    assert scorer.post("/hub/enter", data={"pass": "s"}).status_code == 303
    assert scorer.post("/hub/enter", data={"pass": "s"}).status_code == 403
    assert command(scorer) == 200
    assert referee.by == "Sára"
    for closed in ("/api/setup", "/setup", "/hub"):
        assert scorer.get(closed).status_code == 403
    token = csrf(scorer)
    pin = b'{"now": "1", "new": "482915"}'
    assert scorer.post("/api/setup/pin", data=pin, headers={"X-CSRF-Token": token}).status_code == 403
    assert scorer.post("/hub/leave", data={"csrf": token}).status_code == 403
    assert 'href="setup"' not in scorer.get("/desk").get_data(True)

    assert director.post("/hub/enter", data={"pass": "d"}).status_code == 303
    assert director.get("/hub").status_code == 200
    assert 'href="setup"' in director.get("/desk").get_data(True)

    steps = (b'{"step": "pin", "before": "language", "still": true}', b'{"step": "pin", "before": "language"}')
    for step in steps:
        assert director.post("/api/setup/at", data=step, headers={"X-CSRF-Token": csrf(director)}).status_code == 200
    assert wizard.noted == [("language", "Dora")]

    sessions.keep_guests(["pass-d"])  # older than who has just come
    assert command(scorer) == 200
    clock.now += JUST_COME_S
    local = sessions.begin()
    sessions.keep_guests(["pass-d"])
    assert command(scorer) == 401
    assert command(director) == 200
    sessions.keep_guests([])
    assert command(director) == 401
    assert sessions.find(local.identity) is not None  # the board's own PIN is nobody's but the board's


def csrf(client: FlaskClient) -> str:
    return re.findall(r'name="csrf" content="([^"]*)"', client.get("/desk").get_data(True))[0]


def command(client: FlaskClient) -> int:
    found = re.findall(r'name="csrf" content="([^"]*)"', client.get("/desk").get_data(True))
    headers = {"X-CSRF-Token": found[0] if found else "none"}
    return client.post("/api/command", data=b'{"type": "undo"}', headers=headers).status_code


def test_from_the_wall_to_a_running_boards_desk(hall: Hall, tmp_path: Path) -> None:
    """A real board joins over its page, a scorer opens its desk from the hub, acts there, and is out when she is removed."""
    Store(hall.database.url).close()
    register = Register(hall.database.url)
    password = register.add("Stela", "scorer", replace=True)
    settings = tmp_path / "vrhcab.toml"
    settings.write_text(f'[camera]\nsource = "none"\n[web]\nport = {free_port()}\n', "utf-8")
    with hub(hall) as here, running(tmp_path, "run", "--config", str(settings)) as program:
        web = Browsing()
        board = program.wait_until(lambda: re.search(r"http://127\.0\.0\.1:\d+", program.output))[0]
        pin = program.wait_until(lambda: re.search(r"PIN of the operator's desk: (\d+)", program.output))[1]
        web.post(f"{board}/desk", pin=pin)
        page = web.get(f"{board}/hub")
        told = f"{offered(hall, 'real-board')}@{here.running.address}"
        assert "real-board" in web.post(f"{board}/hub", invitation=told, csrf=web.csrf(page))
        eventually(lambda: (tile := here.tile("real-board")) and tile.view)

        guest = Browsing()
        address = here.running.address
        assert guest.status(f"{address}boards/real-board/desk") == 401
        guest.post(f"{address}signin", name="Stela", password=password)
        assert 'href="desk"' in guest.get(f"{address}boards/real-board/")
        assert guest.status(f"{address}boards/board-1/desk") in (404, 409)
        page = eventually(lambda: "Stela" in (got := guest.get(f"{address}boards/real-board/desk")) and got)
        text = re.findall(r'name="pass" value="([^"]+)"', page)[0]
        desk = guest.post(f"{board}/hub/enter", **{"pass": text})
        assert 'id="record"' in desk
        told_by = re.findall(r'name="csrf" content="([^"]+)"', desk)[0]
        guest.command(board, told_by, b'{"type": "names", "light": "Ada", "dark": "Eva"}')
        done = "select about from acts where who = 'Stela' and what = 'at the desk of'"
        eventually(lambda: any("names" in row[0] for row in rows(hall, done)))
        assert any(row[0].startswith("real-board, 1: ") for row in rows(hall, done))
        journal = rows(hall, "select payload from events where board = 'real-board' and kind = 'names'")
        assert '"by":"Stela"' in journal[0][0]
        # The board's page is this machine's own: who asks for the hub by another machine's name is not sent there.
        named = {"Host": "hub.local"}
        assert guest.status(urllib.request.Request(f"{address}boards/real-board/desk", headers=named)) == 409
        other = Browsing()
        assert "holds no longer" in other.refused(f"{board}/hub/enter?pass={text}")
    register.remove("Stela")
    register.close()


class Browsing:
    """A browser's cookies, and its way from page to page."""

    def __init__(self) -> None:
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))

    def get(self, address: str) -> str:
        try:
            return str(self._opener.open(address, timeout=30).read().decode())
        except urllib.error.HTTPError as error:
            return error.read().decode()

    refused = get

    def status(self, address: str | urllib.request.Request) -> int:
        try:
            return int(self._opener.open(address, timeout=30).status)
        except urllib.error.HTTPError as error:
            return error.code

    def post(self, address: str, **fields: str) -> str:
        return str(self._opener.open(address, urlencode(fields).encode(), timeout=30).read().decode())

    def command(self, board: str, token: str, body: bytes) -> None:
        headers = {"X-CSRF-Token": token, "Content-Type": "application/json"}
        self._opener.open(urllib.request.Request(f"{board}/api/command", body, headers), timeout=30).close()

    @staticmethod
    def csrf(page: str) -> str:
        return re.findall(r'name="csrf" value="([^"]+)"', page)[0]
