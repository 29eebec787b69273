"""The desk's addresses: the PIN opens it, nobody else changes anything, and commands reach the referee."""

from __future__ import annotations

import json
import os
import re
import stat
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from threading import Event

import pytest
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st
from werkzeug.exceptions import TooManyRequests

from controller.record.native import encode_json
from tests.conftest import SHIPPED_HASH
from tests.disk import full_disk
from tests.web.languages import in_language
from tests.web.table import JPEG, RECORD, TableReferee
from tests.web.views import start_view
from web import security
from web.answered import KEY, Answered
from web.app import create_app
from web.desk import Desk, viewers_address
from web.errors import WebError
from web.hub import ViewHub
from web.operator import Answer, Report
from web.security import FIRST_WAIT, LONGEST_WAIT, MOST_ADDRESSES, TRIES, TRIES_OF_ALL, PinKeeper, Waits
from web.sessions import MOST_SESSIONS, SIGNED_IN, Sessions

CHANGES = [
    ("/api/command", b'{"type": "undo"}'),
    ("/api/matches/abc/command", b'{"type": "undo"}'),
    ("/api/photo", b"\xff\xd8"),
    ("/api/test/lamps", b""),
    ("/desk/leave", b""),
]
STRANGER = create_app(ViewHub(), desk=Desk(TableReferee(), PinKeeper(None)))
"""A desk whose cookies nobody has."""
LOOKS = ["/api/legal", "/api/camera.jpg", "/api/find"]


class Clock:
    """Seconds that pass when told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def referee() -> TableReferee:
    return TableReferee()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def keeper(clock: Clock) -> PinKeeper:
    return PinKeeper(None, clock)


@pytest.fixture
def client(referee: TableReferee, keeper: PinKeeper) -> FlaskClient:
    return create_app(ViewHub(), desk=Desk(referee, keeper)).test_client()


@pytest.fixture
def desk(client: FlaskClient, keeper: PinKeeper) -> FlaskClient:
    """A client that has signed in."""
    assert client.post("/desk", data={"pin": keeper.fresh}).status_code == 303
    return client


def token_of(client: FlaskClient) -> dict[str, str]:
    """The header that the desk's page sends with a change."""
    found = re.search(r'name="csrf" content="([^"]+)"', client.get("/desk").text)
    assert found
    return {"X-CSRF-Token": found[1]}


class TestLookingOver:
    def test_only_the_desk_looks_a_match_over(self, client: FlaskClient, referee: TableReferee) -> None:
        referee.overlooked = Report(source="evening.mp4", players=("Jana", "Petr"), lines=())
        for address in ("/report", "/api/report", "/api/report/1/1.jpg"):
            answer = client.get(address)
            assert (answer.status_code, "evening" in answer.text) == (401, False)

    def test_the_desk_has_the_report_and_its_pictures(self, desk: FlaskClient, referee: TableReferee) -> None:
        assert desk.get("/api/report").json is None
        referee.overlooked = Report(source="evening.mp4", players=("Jana", "Petr"), lines=())
        assert desk.get("/api/report").json["source"] == "evening.mp4"  # type: ignore[index]
        assert "report.js" in desk.get("/report").text
        assert desk.get("/api/report/1/1.jpg").data == JPEG
        assert desk.get("/api/report/1/2.jpg").status_code == 404

    def test_whoever_chooses_a_language_goes_on_with_the_same_match(self, desk: FlaskClient) -> None:
        page = in_language(desk, desk.get("/report?match=abc"), "cs")
        assert '<html lang="cs">' in page.text
        assert dict(page.request.args) == {"match": "abc"}
        assert not in_language(desk, desk.get("/report"), "sk").request.args

    def test_a_match_that_is_not_on_any_more_is_looked_over_and_put_right_by_its_name(
        self, desk: FlaskClient, referee: TableReferee
    ) -> None:
        referee.overlooked = Report(source="", players=("Jana", "Petr"), lines=())
        assert desk.get("/api/report?match=abc").json["players"] == ["Jana", "Petr"]  # type: ignore[index]
        assert desk.get("/api/report?match=other").json is None
        token = token_of(desk)
        correction = b'{"type": "correct", "turn": 2, "game": 1, "notation": "8/5 6/5"}'
        assert desk.post("/api/matches/abc/command", data=correction, headers=token).status_code == 200
        assert [(told["match"], told["turn"]) for told in referee.told] == [("abc", 2)]
        # Of what is over nothing is played.
        roll = b'{"type": "roll", "dice": [3, 1]}'
        assert desk.post("/api/matches/abc/command", data=roll, headers=token).status_code == 409
        assert len(referee.told) == 1


class TestWhoMayDoWhat:
    @pytest.mark.parametrize(("address", "body"), CHANGES)
    def test_a_viewer_changes_nothing(
        self, client: FlaskClient, referee: TableReferee, address: str, body: bytes
    ) -> None:
        assert client.post(address, data=body).status_code == 401
        assert referee.told == []

    @pytest.mark.parametrize("address", LOOKS)
    def test_a_viewer_does_not_see_the_desk_s_things(self, client: FlaskClient, address: str) -> None:
        assert client.get(address).status_code == 401

    @pytest.mark.parametrize(("address", "body"), CHANGES)
    @pytest.mark.parametrize(
        "headers",
        [{}, {"X-CSRF-Token": "guess"}, {"Origin": "http://elsewhere.example"}],
        ids=["none", "guess", "other"],
    )
    def test_another_site_s_page_changes_nothing(
        self, desk: FlaskClient, referee: TableReferee, address: str, body: bytes, headers: dict[str, str]
    ) -> None:
        sent = {**token_of(desk), **headers} if "Origin" in headers else headers
        assert desk.post(address, data=body, headers=sent).status_code == 403
        assert referee.told == []

    def test_viewers_read_records_and_pictures_of_flags(self, client: FlaskClient) -> None:
        assert client.get("/api/matches").json[0]["light"] == "Jana"
        assert client.get("/api/matches/abc").data == encode_json(RECORD)
        saved = client.get("/api/matches/abc/export.mat")
        assert saved.data == b" 7 point match"
        assert "attachment" in saved.headers["Content-Disposition"]
        for address, kind in (("flags/1/before.jpg", "image/jpeg"), ("flags/1/clip.webm", "video/webm")):
            assert client.get(f"/api/{address}").mimetype == kind
        assert client.get("/api/turns/1/after.jpg").mimetype == "image/jpeg"

    def test_a_film_comes_in_parts_for_a_browser_that_asks_so(self, client: FlaskClient) -> None:
        """Safari plays none that does not."""
        whole = client.get("/api/flags/1/clip.webm").data
        part = client.get("/api/flags/1/clip.webm", headers={"Range": "bytes=0-1"})
        assert (part.status_code, part.data) == (206, whole[:2])
        assert part.headers["Content-Range"] == f"bytes 0-1/{len(whole)}"

    def test_the_score_sheet_is_a_page_in_the_visitor_s_language_that_runs_nothing(self, client: FlaskClient) -> None:
        sheet = client.get("/api/matches/abc/export.html", headers={"Accept-Language": "cs"})
        assert (sheet.mimetype, sheet.text) == ("text/html", '<html lang="cs">')
        assert "Content-Disposition" not in sheet.headers
        policy = sheet.headers["Content-Security-Policy"]
        assert "default-src 'none'; style-src 'unsafe-inline'" in policy
        assert "script" not in policy

    @pytest.mark.parametrize(
        "address",
        [
            "/api/matches/none",
            "/api/matches/none/export.mat",
            "/api/matches/abc/export.exe",
            "/api/matches/..%2f..%2fetc%2fpasswd",
            "/api/matches/../../etc/passwd/export.mat",
            "/api/flags/2/after.jpg",
            "/api/flags/1/clip.jpg",
            "/api/turns/2/after.jpg",
            "/api/turns/1/after.webm",
        ],
    )
    def test_what_is_not_there_is_not_found(self, client: FlaskClient, address: str) -> None:
        assert client.get(address).status_code == 404

    def test_cookies_are_for_this_site_and_no_script(self, client: FlaskClient, keeper: PinKeeper) -> None:
        cookie = client.post("/desk", data={"pin": keeper.fresh}).headers["Set-Cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=Strict" in cookie

    def test_behind_https_the_cookie_insists_on_it(self, referee: TableReferee, keeper: PinKeeper) -> None:
        client = create_app(ViewHub(), desk=Desk(referee, keeper, secure=True)).test_client()
        assert "Secure" in client.post("/desk", data={"pin": keeper.fresh}).headers["Set-Cookie"]

    @settings(deadline=None, max_examples=20)
    @given(body=st.binary(max_size=200))
    def test_no_cookie_of_another_key_opens_the_desk(self, body: bytes) -> None:
        client = STRANGER.test_client()
        client.set_cookie("desk", body.hex())
        assert client.get("/api/legal").status_code == 401


class TestCommands:
    def test_a_command_reaches_the_referee(self, desk: FlaskClient, referee: TableReferee) -> None:
        answer = desk.post("/api/command", data=b'{"type": "undo"}', headers=token_of(desk))
        assert answer.json == {"ok": True, "sentence": ""}
        assert referee.told == [{"type": "undo"}]

    def test_a_command_may_name_the_view_at_which_it_is_said(self, keeper: PinKeeper, referee: TableReferee) -> None:
        """Its answer names the newest, which may be shown later than that is here."""
        hub = ViewHub()
        hub.publish(start_view(7))
        desk = create_app(hub, desk=Desk(referee, keeper)).test_client()
        desk.post("/desk", data={"pin": keeper.fresh})
        for said, seen in ("6", 6), ("", None), ("-6", None), ("6" * 30, None), ("٤", None):
            answer = desk.post(
                "/api/command",
                data=b'{"type": "undo"}',
                headers=token_of(desk) | {"View": said.encode().decode("latin-1")},
            )
            assert (answer.headers["View"], referee.seen) == ("7", seen)

    def test_a_refusal_comes_back_in_words(self, desk: FlaskClient, referee: TableReferee) -> None:
        referee.refusal = "8/5 6/5 is not legal with 6-2."
        answer = desk.post("/api/command", data=b'{"type": "undo"}', headers=token_of(desk))
        assert (answer.status_code, answer.json["sentence"]) == (409, referee.refusal)

    def test_an_act_that_is_sent_twice_is_done_once(self, desk: FlaskClient, referee: TableReferee) -> None:
        """Where the answer to Undo was lost on the way, the page asks for the same again; one act more is another's key."""
        undo = partial(desk.post, "/api/command", data=b'{"type": "undo"}')
        first, again, another = (undo(headers=token_of(desk) | {KEY: key}) for key in ("a", "a", "b"))
        assert (first.json, again.json, another.json) == ({"ok": True, "sentence": ""},) * 3
        assert referee.told == [{"type": "undo"}] * 2
        referee.refusal = "Nothing is left to take back."
        refused = undo(headers=token_of(desk) | {KEY: "c"})
        referee.refusal = ""
        assert [refused.status_code, undo(headers=token_of(desk) | {KEY: "c"}).status_code] == [409, 409]

    def test_an_act_that_is_sent_again_while_it_is_done_waits_for_its_answer(self) -> None:
        answered, begun, over, done = Answered(), Event(), Event(), list[int]()

        def slow() -> Answer:
            begun.set()
            over.wait(10)
            done.append(1)
            return Answer(True)

        with ThreadPoolExecutor() as phones:
            first = phones.submit(answered.once, "a", slow)
            begun.wait(10)
            again = phones.submit(answered.once, "a", slow)
            assert not again.done()
            over.set()
            assert (first.result(10), again.result(10), done) == (Answer(True), Answer(True), [1])

    def test_an_act_that_failed_may_be_tried_again(self) -> None:
        answered = Answered()
        with pytest.raises(ZeroDivisionError):
            answered.once("a", lambda: Answer(bool(1 // 0)))
        assert answered.once("a", lambda: Answer(True)) == Answer(True)

    def test_a_command_may_not_be_large(self, desk: FlaskClient, referee: TableReferee) -> None:
        assert desk.post("/api/command", data=b"x" * 100_000, headers=token_of(desk)).status_code == 413

    def test_a_photo_may(self, desk: FlaskClient) -> None:
        answer = desk.post("/api/photo", data=b"\xff\xd8" + bytes(3_000_000), headers=token_of(desk))
        assert answer.json["xgid"].startswith("XGID=")
        assert desk.post("/api/photo", data=bytes(25 * 1024 * 1024), headers=token_of(desk)).status_code == 413

    def test_the_camera_s_picture_and_the_board_in_it(self, desk: FlaskClient, referee: TableReferee) -> None:
        assert desk.get("/api/camera.jpg").headers["Cache-Control"] == "no-store"
        assert desk.get("/api/find").json["home"] == "top-left"
        referee.camera = None
        assert desk.get("/api/camera.jpg").status_code == 404

    def test_leaving_closes_the_desk(self, desk: FlaskClient) -> None:
        assert desk.post("/desk/leave", headers=token_of(desk)).status_code == 200
        assert desk.get("/api/legal").status_code == 401


class TestSessions:
    def test_a_copied_cookie_ends_with_the_session(self, desk: FlaskClient) -> None:
        cookie = desk.get_cookie("desk")
        assert cookie is not None
        desk.post("/desk/leave", headers=token_of(desk))
        desk.set_cookie("desk", cookie.value)
        assert desk.get("/api/legal").status_code == 401

    def test_it_ends_after_twelve_hours_however_much_it_is_used(self, clock: Clock) -> None:
        sessions = Sessions(clock)
        session = sessions.begin()
        for _ in range(12):
            assert sessions.find(session.identity) == session
            clock.now += 3600
        assert sessions.find(session.identity) is None
        assert SIGNED_IN == 12 * 3600

    def test_there_are_never_more_than_so_many(self) -> None:
        sessions = Sessions()
        begun = [sessions.begin() for _ in range(MOST_SESSIONS + 3)]
        held = [sessions.find(session.identity) for session in begun]
        assert held == [None] * 3 + begun[3:]

    def test_a_foreign_or_broken_origin_changes_nothing(self, desk: FlaskClient, referee: TableReferee) -> None:
        for origin in ("http://[", "null", "http://localhost:1", "http://localhost.evil.example"):
            headers = {**token_of(desk), "Origin": origin}
            assert desk.post("/api/command", data=b'{"type": "undo"}', headers=headers).status_code == 403
        assert referee.told == []

    @pytest.mark.parametrize("body", [b"\xff", b'{"type": "\xff"}', b'{"type": "\\ud800"}'])
    def test_what_is_no_text_is_refused_in_words(self, desk: FlaskClient, body: bytes) -> None:
        assert desk.post("/api/command", data=body, headers=token_of(desk)).status_code == 409

    def test_what_is_no_command_is_refused_with_what_is_wrong(self, desk: FlaskClient, referee: TableReferee) -> None:
        answer = desk.post("/api/command", data=b'{"type": "earthquake"}', headers=token_of(desk))
        sentence = "This is no command that the referee knows: Invalid value 'earthquake' - at `$.type`."
        assert (answer.status_code, answer.json["ok"], answer.json["sentence"]) == (409, False, sentence)
        assert answer.json["message"]["words"]["cs"].startswith("Takový příkaz rozhodčí nezná: ")
        assert referee.told == []


class TestThePin:
    def test_a_wrong_pin_says_so(self, client: FlaskClient) -> None:
        answer = client.post("/desk", data={"pin": "nonsense"})
        assert answer.status_code == 403
        assert "That is not the PIN." in answer.text

    def test_after_some_wrong_ones_even_the_right_one_has_to_wait(
        self, client: FlaskClient, keeper: PinKeeper, clock: Clock
    ) -> None:
        for _ in range(TRIES):
            assert client.post("/desk", data={"pin": "x"}).status_code == 403
        waiting = client.post("/desk", data={"pin": keeper.fresh})
        assert waiting.status_code == 429
        assert 0 < int(waiting.headers["Retry-After"]) <= FIRST_WAIT + 1
        assert f'data-seconds="{waiting.headers["Retry-After"]}"' in waiting.text
        clock.now += FIRST_WAIT + 1
        assert client.post("/desk", data={"pin": keeper.fresh}).status_code == 303

    def test_an_address_that_never_gives_up_waits_as_long_each_time(self, clock: Clock) -> None:
        waits = Waits(clock)
        for _ in range(1100):  # eleven days
            waits.count("10.0.0.9")
            clock.now += LONGEST_WAIT
        waits.count("10.0.0.9")
        with pytest.raises(Exception, match="429"):
            waits.count("10.0.0.9")

    def test_of_addresses_that_have_to_wait_for_others_nothing_is_remembered(self, clock: Clock) -> None:
        waits, refused = Waits(clock), 0
        for number in range(2 * MOST_ADDRESSES):
            try:
                waits.count(f"10.0.0.{number}")
            except TooManyRequests:
                refused += 1
        assert refused == 2 * MOST_ADDRESSES - TRIES_OF_ALL
        assert len(waits._tries) == TRIES_OF_ALL

    def test_many_addresses_together_wait_too(
        self, keeper: PinKeeper, clock: Clock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with monkeypatch.context() as quick:  # sixty hashes take half a minute
            quick.setattr("web.security.check_password_hash", lambda _, pin: pin == keeper.fresh)
            for number in range(TRIES_OF_ALL):
                assert keeper.check("x", f"10.0.0.{number}") is False
        with pytest.raises(Exception, match="429"):
            keeper.check(keeper.fresh or "", "10.1.1.1")
        clock.now += LONGEST_WAIT + 1
        assert keeper.check(keeper.fresh or "", "10.1.1.1") is True

    def test_the_others_wrong_ones_lock_out_nobody_who_has_signed_in(
        self, keeper: PinKeeper, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with monkeypatch.context() as quick:
            quick.setattr("web.security.check_password_hash", lambda _, pin: pin == keeper.fresh)
            assert keeper.check(keeper.fresh or "", "192.168.1.7")
            for number in range(TRIES_OF_ALL):
                assert keeper.check("x", f"10.0.0.{number}") is False
            with pytest.raises(Exception, match="429"):
                keeper.check(keeper.fresh or "", "10.1.1.1")
            assert keeper.check("slip", "192.168.1.7") is False
            assert keeper.check(keeper.fresh or "", "192.168.1.7")
            assert keeper.check(keeper.fresh or "", "a session", known=True)
            for _ in range(TRIES):
                assert keeper.check("x", "192.168.1.7") is False
            with pytest.raises(Exception, match="429"):
                keeper.check(keeper.fresh or "", "192.168.1.7")

    def test_it_is_kept_as_a_hash_that_only_the_owner_may_read(self, tmp_path: Path) -> None:
        first = PinKeeper(tmp_path / "state" / "desk.json")
        path = tmp_path / "state" / "desk.json"
        assert first.fresh is not None
        assert first.fresh not in path.read_text("utf-8")
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        again = PinKeeper(path)
        assert again.fresh is None
        assert again.check(first.fresh, "a")

    def test_what_is_kept_is_slow_to_guess(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(security, "HASH", SHIPPED_HASH)
        kept = PinKeeper(tmp_path / "desk.json")
        _, cost, _, _ = json.loads((tmp_path / "desk.json").read_text("utf-8"))["pin"].split("$")[0].split(":")
        assert int(cost) >= 1 << 15
        assert kept.check(kept.fresh or "", "a")

    def test_a_new_pin_signs_everybody_out(self, tmp_path: Path, referee: TableReferee) -> None:
        path = tmp_path / "desk.json"
        old = PinKeeper(path)
        client = create_app(ViewHub(), desk=Desk(referee, old)).test_client()
        client.post("/desk", data={"pin": old.fresh})
        assert client.get("/api/legal").status_code == 200
        PinKeeper(path).reset()
        later = create_app(ViewHub(), desk=Desk(referee, PinKeeper(path))).test_client()
        cookie = client.get_cookie("desk")
        assert cookie is not None
        later.set_cookie("desk", cookie.value)
        assert later.get("/api/legal").status_code == 401

    def test_a_new_pin_from_the_shell_holds_at_once(self, tmp_path: Path, referee: TableReferee) -> None:
        path = tmp_path / "desk.json"
        keeper = PinKeeper(path)
        client = create_app(ViewHub(), desk=Desk(referee, keeper)).test_client()
        old = keeper.fresh
        client.post("/desk", data={"pin": old})
        for _ in range(TRIES):
            client.post("/desk", data={"pin": "lost"})
        assert client.get("/api/legal").status_code == 200
        path.unlink()
        new = PinKeeper(path).fresh
        assert client.get("/api/legal").status_code == 401
        assert client.post("/desk", data={"pin": old}).status_code == 403
        assert client.post("/desk", data={"pin": new}).status_code == 303
        path.write_text("half of it")
        assert client.get("/api/legal").status_code == 200

    @pytest.mark.parametrize(
        "text",
        [
            *("", "{}", "[]", "\x00", '{"pin": 1}', '{"other": ' + "[" * 4000),
            *('{"pin": ""}', '{"pin": "md99$x$y"}', '{"pin": "scrypt:1:2$x$y"}', '{"pin": "scrypt:256:8:1$salt$abc"}'),
            *(
                json.dumps({"pin": f"scrypt:{cost}$salt${'ab' * 64}"})
                for cost in ("255:8:1", "256:0:1", "999999:99:99")
            ),
        ],
    )
    def test_a_damaged_file_says_what_to_do(self, tmp_path: Path, text: str) -> None:
        path = tmp_path / "desk.json"
        path.write_text(text)
        with pytest.raises(WebError, match="vrhcab pin --reset"):
            PinKeeper(path)

    def test_one_that_can_not_be_kept_changes_nothing(self, tmp_path: Path) -> None:
        path = tmp_path / "desk.json"
        keeper = PinKeeper(path)
        kept = path.read_bytes()
        with full_disk(), pytest.raises(WebError, match="can't be kept"):
            keeper.change("271828")
        assert path.read_bytes() == kept
        assert list(tmp_path.iterdir()) == [path]
        assert not keeper.check("271828", "a")
        assert keeper.check(keeper.fresh or "", "a")

    def test_several_may_change_it_at_once(self, tmp_path: Path) -> None:
        path = tmp_path / "desk.json"
        keeper = PinKeeper(path)
        pins = [f"27182{number}" for number in range(8)]
        with ThreadPoolExecutor(len(pins)) as threads:
            list(threads.map(keeper.change, pins))
        holding = [pin for pin in pins if keeper.check(pin, pin)]
        assert len(holding) == 1
        assert PinKeeper(path).check(holding[0], "a")

    def test_a_pipe_in_its_place_is_not_waited_for(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "desk.json")
        with pytest.raises(WebError, match="vrhcab pin --reset"):
            PinKeeper(tmp_path / "desk.json")


def test_the_qr_code_is_a_picture(client: FlaskClient) -> None:
    answer = client.get("/qr.svg", base_url="http://192.168.1.7:8080")
    assert answer.mimetype == "image/svg+xml"
    assert answer.data.startswith(b"<svg")


@pytest.mark.parametrize(
    ("asked", "address"),
    [
        ("localhost:8080", "http://192.168.1.7:8080/"),
        ("127.0.0.1", "http://192.168.1.7/"),
        ("board.lan", "http://board.lan/"),
    ],
)
def test_viewers_are_led_to_an_address_that_their_phones_can_reach(
    referee: TableReferee, keeper: PinKeeper, asked: str, address: str
) -> None:
    app = create_app(ViewHub(), desk=Desk(referee, keeper))
    with app.test_request_context("/", base_url=f"http://{asked}/"):
        assert viewers_address("192.168.1.7") == address


@pytest.mark.parametrize("asked", ["localhost:8080", "127.0.0.1:8080", "[::1]:8080"])
@pytest.mark.parametrize("host", ["", "127.0.0.1", "localhost"])
def test_nobody_is_led_to_an_address_that_means_his_own_phone(referee: TableReferee, asked: str, host: str) -> None:
    keeper = PinKeeper(None)
    client = create_app(ViewHub(), desk=Desk(referee, keeper, host=lambda: host)).test_client()
    base = f"http://{asked}"
    assert client.get("/qr.svg", base_url=base).status_code == 404
    client.post("/desk", data={"pin": keeper.fresh}, base_url=base)
    assert "reach this page" in client.get("/desk", base_url=base).text


def test_hostile_names_stay_text_in_the_desk_s_page(desk: FlaskClient) -> None:
    page = desk.get("/desk?lang=%3Cscript%3Ealert(1)%3C/script%3E").text
    assert "<script>alert" not in page
    assert json.loads(page.split('type="application/json">')[1].split("</script>")[0])["language"] == "en"
