"""What is the same for everybody goes over the line compressed; what holds an operator's secrets does not."""

from __future__ import annotations

import gzip

import pytest
from flask.testing import FlaskClient

from tests.web.table import TableReferee
from tests.web.test_app import client, hub  # noqa: F401  # fixtures
from web.app import create_app
from web.desk import Desk
from web.hub import ViewHub
from web.security import PinKeeper

TAKES_IT = {"Accept-Encoding": "gzip, deflate, br"}


@pytest.mark.parametrize("address", ["/", "/static/page.css", "/static/js/board.js", "/words/tour", "/static/icon.svg"])
def test_texts_are_packed_for_whom_it_is_fit(client: FlaskClient, address: str) -> None:  # noqa: F811
    client.get("/?lang=cs")
    plain = client.get(address)
    packed = client.get(address, headers=TAKES_IT)
    assert plain.headers.get("Content-Encoding") is None
    if len(plain.data) >= 512:
        assert packed.headers["Content-Encoding"] == "gzip"
        assert gzip.decompress(packed.data) == plain.data
        assert int(packed.headers["Content-Length"]) == len(packed.data) < len(plain.data) * 0.7
    assert "Accept-Encoding" in plain.headers["Vary"]
    assert "Accept-Encoding" in packed.headers["Vary"]
    refused = client.get(address, headers={"Accept-Encoding": "gzip;q=0"})
    assert refused.data == plain.data


def test_a_browser_that_has_it_is_told_so(client: FlaskClient) -> None:  # noqa: F811
    tag = client.get("/static/page.css", headers=TAKES_IT).headers["ETag"]
    again = client.get("/static/page.css", headers=TAKES_IT | {"If-None-Match": tag})
    assert (again.status_code, again.data) == (304, b"")


def test_pictures_and_an_operator_s_pages_stay_as_they_are() -> None:
    keeper = PinKeeper(None)
    operator = create_app(ViewHub(), desk=Desk(TableReferee(), keeper)).test_client()
    assert "Content-Encoding" not in operator.get("/static/icon-192.png", headers=TAKES_IT).headers
    assert operator.post("/desk", data={"pin": keeper.fresh}).status_code == 303
    desk = operator.get("/desk", headers=TAKES_IT)
    assert b'name="csrf"' in desk.data
    assert "Content-Encoding" not in desk.headers
