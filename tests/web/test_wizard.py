"""The set-up's addresses: who may ask, what is refused and how, a PIN of one's own, and the OpenAPI document's promises."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
import schemathesis
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import response_schema_conformance, status_code_conformance

from tests.disk import full_disk
from tests.web.first_time import PLACE, FirstTime
from tests.web.table import TableReferee
from tests.web.views import played_view
from web.app import create_app
from web.desk import Desk
from web.hub import ViewHub
from web.operator import Answer
from web.security import TRIES, PinKeeper, good_pin
from web.wizard import At

CHANGES = [
    ("/api/setup/at", b'{"step": "corners"}'),
    ("/api/setup/leave", b""),
    ("/api/setup/lamps/error", b""),
    ("/api/setup/press/cube", b""),
    ("/api/setup/camera", b'{"source": "camera:0"}'),
    ("/api/setup/pin", b'{"now": "1", "new": "271828"}'),
]
LOOKS = ["/api/setup", "/api/setup/seen", "/api/setup/cameras", "/api/setup/glance.jpg"]


@pytest.fixture
def wizard() -> FirstTime:
    return FirstTime()


@pytest.fixture
def keeper() -> PinKeeper:
    return PinKeeper(None)


@pytest.fixture
def client(wizard: FirstTime, keeper: PinKeeper) -> FlaskClient:
    return create_app(ViewHub(), desk=Desk(TableReferee(), keeper, wizard=wizard)).test_client()


@pytest.fixture
def person(client: FlaskClient, keeper: PinKeeper) -> FlaskClient:
    """Somebody who has signed in at the set-up."""
    assert client.post("/setup", data={"pin": keeper.fresh}).headers["Location"] == "/setup"
    return client


def token_of(client: FlaskClient) -> dict[str, str]:
    found = re.search(r'name="csrf" content="([^"]+)"', client.get("/setup").text)
    assert found
    return {"X-CSRF-Token": found[1]}


class TestWayIn:
    def test_the_first_page_asks_for_language_and_pin(self, client: FlaskClient) -> None:
        page = client.get("/setup").text
        assert 'name="lang" value="sk"' in page
        assert 'name="pin"' in page
        answer = client.get("/setup?lang=sk")
        assert answer.headers["Location"] == "setup"
        assert '<html lang="sk">' in client.get("/setup").text

    def test_a_table_that_nobody_has_set_up_leads_there_from_the_desk(
        self, client: FlaskClient, keeper: PinKeeper, wizard: FirstTime
    ) -> None:
        assert client.post("/desk", data={"pin": keeper.fresh}).headers["Location"] == "/setup"
        wizard.state_now = msgspec.structs.replace(wizard.state_now, ready=True)
        assert client.post("/desk", data={"pin": keeper.fresh}).headers["Location"] == "/desk"
        assert client.post("/setup", data={"pin": keeper.fresh}).headers["Location"] == "/setup"

    def test_the_longest_pin_fits_into_its_fields_with_spaces(self, client: FlaskClient, keeper: PinKeeper) -> None:
        typed = " ".join("2718281828459045")
        keeper.change(typed.replace(" ", ""))
        before = client.get("/setup").text
        assert client.post("/setup", data={"pin": typed}).status_code == 303
        fields = re.findall(r'name="(?:pin|now|new)" [^>]*maxlength="(\d+)"', before + client.get("/setup").text)
        assert [int(most) >= len(typed) for most in fields] == [True] * 3

    def test_a_wrong_pin_is_told_there(self, client: FlaskClient) -> None:
        answer = client.post("/setup", data={"pin": "0"})
        assert (answer.status_code, "That is not the PIN." in answer.text) == (403, True)

    def test_a_program_without_it_has_no_such_page(self, keeper: PinKeeper) -> None:
        client = create_app(ViewHub(), desk=Desk(TableReferee(), keeper)).test_client()
        assert client.get("/setup").status_code in (404, 405)
        assert client.post("/desk", data={"pin": keeper.fresh}).headers["Location"] == "/desk"


class TestWhoMayDoWhat:
    @pytest.mark.parametrize(("address", "body"), CHANGES)
    def test_a_viewer_changes_nothing(self, client: FlaskClient, wizard: FirstTime, address: str, body: bytes) -> None:
        assert client.post(address, data=body).status_code == 401
        assert wizard.told == []

    @pytest.mark.parametrize("address", LOOKS)
    def test_a_viewer_does_not_look_in(self, client: FlaskClient, address: str) -> None:
        assert client.get(address).status_code == 401

    @pytest.mark.parametrize(("address", "body"), CHANGES)
    @pytest.mark.parametrize("headers", [{}, {"X-CSRF-Token": "guess"}], ids=["none", "guess"])
    def test_another_site_s_page_changes_nothing(
        self, person: FlaskClient, wizard: FirstTime, address: str, body: bytes, headers: dict[str, str]
    ) -> None:
        assert person.post(address, data=body, headers=headers).status_code == 403
        assert wizard.told == []


class TestSteps:
    def test_whoever_has_chosen_a_language_goes_on(self, person: FlaskClient) -> None:
        assert person.get("/setup?lang=sk").headers["Location"] == "setup#pin"

    def test_a_step_is_told_and_the_state_comes_back(self, person: FlaskClient, wizard: FirstTime) -> None:
        body = {"step": "direction", "before": "corners", "how": "skipped"}
        answer = person.post("/api/setup/at", data=json.dumps(body), headers=token_of(person))
        assert wizard.told == [At("direction", "corners", "skipped")]
        assert answer.json["done"] == {"corners": "skipped"}
        assert answer.json["place"]["home"] == PLACE.home
        assert person.get("/api/setup").json == answer.json

    def test_what_could_not_be_done_is_noted_as_nobody_s_doing(
        self, person: FlaskClient, wizard: FirstTime, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        body = json.dumps({"step": "corners", "before": "picture", "how": "done"})
        with monkeypatch.context() as without_picture:
            without_picture.setattr(wizard, "at", lambda where: Answer(True))
            wizard.state_now = msgspec.structs.replace(wizard.state_now, done={"picture": "skipped"})
            person.post("/api/setup/at", data=body, headers=token_of(person))
        assert wizard.noted == []
        person.post("/api/setup/at", data=body, headers=token_of(person))
        assert wizard.noted == [("picture", "")]

    @pytest.mark.parametrize(
        "body",
        [
            *(b"", b"[]", b"{}", b'{"step": "moon"}', b'{"step": 3}', b'{"step": "pin", "x": 1}', b"\xff"),
            *(b"[" * 5000, b'{"step": "\xff"}', b'{"step": "pin", "by": "\xff\xfe"}', b"[" * 60_000),
        ],
    )
    def test_what_is_no_step_is_refused_in_words(self, person: FlaskClient, wizard: FirstTime, body: bytes) -> None:
        answer = person.post("/api/setup/at", data=body, headers=token_of(person))
        assert answer.status_code == 400
        assert answer.json["error"].startswith("The page did not understand")
        assert wizard.told == []

    @settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
    @given(body=st.binary(max_size=200) | st.text(max_size=100).map(str.encode))
    def test_no_body_makes_it_stumble(self, person: FlaskClient, body: bytes) -> None:
        for address in ("/api/setup/at", "/api/setup/pin"):
            assert person.post(address, data=body, headers=token_of(person)).status_code == 400
            for sent in (b'{"now": "' + body + b'", "new": "1"}', b'{"step": "pin", "by": "' + body + b'"}'):
                assert person.post(address, data=sent, headers=token_of(person)).status_code in (200, 400, 409, 429)

    def test_a_refusal_comes_back_in_words(self, person: FlaskClient, wizard: FirstTime) -> None:
        wizard.refusal = "The referee is busy."
        for address, body in CHANGES[:4]:
            answer = person.post(address, data=body, headers=token_of(person))
            assert (answer.status_code, answer.json["sentence"]) == (409, wizard.refusal)

    @pytest.mark.parametrize("address", ["lamps/cube-3", "lamps/", "lamps/..%2fpin", "press/start", "moon"])
    def test_what_is_not_there_is_not_found(self, person: FlaskClient, address: str) -> None:
        assert person.post(f"/api/setup/{address}", headers=token_of(person)).status_code in (404, 405)

    def test_before_anything_is_read_there_is_nothing(self, person: FlaskClient, wizard: FirstTime) -> None:
        assert person.get("/api/setup/seen").json["differences"] == [
            {"point": 7, "wanted": 0, "found": 1},
            {"point": 8, "wanted": 3, "found": 2},
        ]
        wizard.board = None
        assert person.get("/api/setup/seen").data == b"null"


class TestPin:
    def change(self, person: FlaskClient, now: str | None, new: str) -> Any:
        body = json.dumps({"now": now, "new": new})
        return person.post("/api/setup/pin", data=body, headers=token_of(person))

    def test_a_new_one_signs_everybody_else_out(
        self, person: FlaskClient, keeper: PinKeeper, wizard: FirstTime
    ) -> None:
        other = person.application.test_client()
        other.post("/desk", data={"pin": keeper.fresh})
        assert self.change(person, keeper.fresh, "314159").json == {"ok": True, "sentence": ""}
        assert person.get("/api/setup").status_code == 200
        assert person.post("/api/setup/leave", headers=token_of(person)).status_code == 200
        assert other.get("/api/setup").status_code == 401
        assert keeper.check("314159", "a")
        assert not keeper.check(keeper.fresh or "", "b")

    @pytest.mark.parametrize("new", ["", "12345", "123456", "654321", "777777", "31415x", "3" * 17, "三一四一五九"])
    def test_a_poor_one_is_refused(self, person: FlaskClient, keeper: PinKeeper, new: str) -> None:
        answer = self.change(person, keeper.fresh, new)
        assert (answer.status_code, answer.json["sentence"]) == (
            409,
            "A PIN has 6 to 16 digits, not all the same and not in a row.",
        )
        assert keeper.check(keeper.fresh or "", "a")

    def test_the_old_one_can_t_be_guessed_here_either(self, person: FlaskClient, keeper: PinKeeper) -> None:
        for _ in range(TRIES):
            assert self.change(person, "0", "314159").json["sentence"] == "That is not the PIN."
        assert self.change(person, keeper.fresh, "314159").status_code == 429

    def test_one_that_can_not_be_kept_is_refused_and_nothing_changes(self, tmp_path: Path, wizard: FirstTime) -> None:
        keeper = PinKeeper(tmp_path / "desk.json")
        app = create_app(ViewHub(), desk=Desk(TableReferee(), keeper, wizard=wizard))
        person, other = app.test_client(), app.test_client()
        for one in (person, other):
            one.post("/setup", data={"pin": keeper.fresh})
        headers = token_of(person)
        with full_disk():
            answer = person.post("/api/setup/pin", json={"now": keeper.fresh, "new": "314159"}, headers=headers)
        assert answer.status_code == 409
        assert "the old one still holds" in answer.json["sentence"]
        assert "dál platí ten starý" in answer.json["message"]["words"]["cs"]
        assert other.get("/api/setup").status_code == 200
        assert keeper.check(keeper.fresh or "", "a")

    def test_it_is_kept_over_a_start(self, tmp_path: Path) -> None:
        PinKeeper(tmp_path / "desk.json").change("314159")
        assert PinKeeper(tmp_path / "desk.json").check("314159", "a")

    @given(st.text("0123456789", min_size=6, max_size=16))
    def test_good_ones_are_not_the_first_that_are_tried(self, pin: str) -> None:
        row = "0123456789" * 2
        assert good_pin(pin) == (len(set(pin)) > 1 and pin not in row[:10] and pin not in row[9::-1])


KEEPER = PinKeeper(None)
HUB = ViewHub()
HUB.publish(played_view(3))
APP = create_app(HUB, desk=Desk(TableReferee(), KEEPER, wizard=FirstTime()))
PERSON = APP.test_client()
PERSON.post("/setup", data={"pin": KEEPER.fresh})
schema = schemathesis.openapi.from_wsgi("/api/openapi.json", APP).include(path="/api/setup/pin")
"""The one address of the set-up that test_api.py does not ask as an operator: what is asked changes how one signs in."""


@schema.parametrize()
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
def test_answers_to_a_new_pin_are_as_the_document_says(case: Any) -> None:
    case.call_and_validate()
    cookie = PERSON.get_cookie("desk")
    assert cookie is not None
    signed_in = case.call(headers=token_of(PERSON), cookies={"desk": cookie.value})
    promises = [not_a_server_error, status_code_conformance, response_schema_conformance]
    case.validate_response(signed_in, checks=promises)
