"""What the OpenAPI document promises, the page keeps: schemathesis asks every address what it should and should not be asked."""

from __future__ import annotations

import re
from typing import Any

import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import response_schema_conformance, status_code_conformance

from tests.web.first_time import FirstTime
from tests.web.table import JPEG, TableReferee
from tests.web.views import played_view
from web.app import create_app
from web.desk import Desk
from web.hub import ViewHub
from web.security import PinKeeper

KEEPER = PinKeeper(None)
HUB = ViewHub()
HUB.publish(played_view(3))
APP = create_app(
    HUB, lambda number: JPEG if number == 1 else None, desk=Desk(TableReferee(), KEEPER, wizard=FirstTime())
)
schema = schemathesis.openapi.from_wsgi("/api/openapi.json", APP).exclude(path=["/events"])  # a stream does not end
OPERATOR = APP.test_client()
OPERATOR.post("/desk", data={"pin": str(KEEPER.fresh)})
TOKEN = re.findall(r'name="csrf" content="([^"]+)"', OPERATOR.get("/desk").text)[0]
PROMISES = [not_a_server_error, status_code_conformance, response_schema_conformance]
COOKIE = OPERATOR.get_cookie("desk")


NOT_AS_THE_OPERATOR = ("/desk/leave", "/api/setup/pin")
"""They change how one signs in."""


@schema.parametrize()
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
def test_answers_to_viewers_and_to_the_operator_are_as_the_document_says(case: Any) -> None:
    """One test for both: what is asked takes longer to think of than to ask."""
    answer = case.call_and_validate()
    assert answer.status_code != 200 or case.method in ("GET", "HEAD", "OPTIONS")
    if case.path not in NOT_AS_THE_OPERATOR:
        assert COOKIE is not None
        signed_in = case.call(headers={"X-CSRF-Token": TOKEN}, cookies={"desk": COOKIE.value})
        assert signed_in.status_code != 401
        case.validate_response(signed_in, checks=PROMISES)


def test_every_address_in_json_or_that_takes_a_command_is_in_the_document() -> None:
    described = APP.test_client().get("/api/openapi.json").json["paths"]
    pages = {"/desk", "/setup"}  # forms of the pages themselves
    there = {
        (re.sub(r"<(?:[^<>]*:)?(\w+)>", r"{\1}", rule.rule), method.lower())
        for rule in APP.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        if rule.rule.startswith(("/api/", "/events", "/healthz")) or (method == "POST" and rule.rule not in pages)
    }
    assert there <= {(path, method) for path, item in described.items() for method in item}


def test_every_command_is_in_the_document() -> None:
    document = APP.test_client().get("/api/openapi.json").json
    body = document["paths"]["/api/command"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert {"undo", "play", "clock", "match", "table"} <= set(body["discriminator"]["mapping"])


def test_a_record_and_a_photo_are_described_in_full() -> None:
    kinds = APP.test_client().get("/api/openapi.json").json["components"]["schemas"]
    assert {"players", "games", "problems"} <= set(kinds["Record"]["properties"])
    assert {"xgid", "points", "sure"} <= set(kinds["PhotoRead"]["properties"])


def test_the_document_names_the_view_s_parts() -> None:
    view = APP.test_client().get("/api/openapi.json").json["components"]["schemas"]["View"]
    assert {"points", "dice", "cube", "clock", "flags"} <= set(view["properties"])


def test_the_desk_s_addresses_are_only_named_where_they_are() -> None:
    paths = create_app(ViewHub()).test_client().get("/api/openapi.json").json["paths"]
    assert set(paths) == {"/api/state", "/events", "/healthz", "/api/openapi.json", "/manifest.json", "/worker.js"}
