"""What the OpenAPI document promises, the page keeps: schemathesis asks every address what it should and should not be asked."""

from __future__ import annotations

from typing import Any

import schemathesis
from hypothesis import HealthCheck, settings

from tests.web.table import TableReferee
from tests.web.views import played_view
from web.app import create_app
from web.desk import Desk
from web.hub import ViewHub
from web.security import PinKeeper

KEEPER = PinKeeper(None)
HUB = ViewHub()
HUB.publish(played_view(3))
APP = create_app(HUB, desk=Desk(TableReferee(), KEEPER))
schema = schemathesis.openapi.from_wsgi("/api/openapi.json", APP)


@schema.parametrize()
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
def test_answers_are_as_the_document_says(case: Any) -> None:
    case.call_and_validate()


def test_the_document_names_the_view_s_parts() -> None:
    view = APP.test_client().get("/api/openapi.json").json["components"]["schemas"]["View"]
    assert {"points", "dice", "cube", "clock", "flags"} <= set(view["properties"])


def test_the_desk_s_addresses_are_only_named_where_they_are() -> None:
    paths = create_app(ViewHub()).test_client().get("/api/openapi.json").json["paths"]
    assert set(paths) == {"/api/state", "/healthz"}
