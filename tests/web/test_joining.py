"""The hub on a board's page: only who has signed in joins or leaves one, and only from our own page."""

from __future__ import annotations

import re

from tests.web.first_time import FirstTime
from tests.web.languages import in_language
from tests.web.table import TableHub, TableReferee
from web.app import create_app
from web.desk import Desk
from web.hub import ViewHub
from web.joining import Guest, HubSeen
from web.security import PinKeeper
from web.words import worded


def test_a_hub_is_joined_and_left_by_who_has_the_pin() -> None:
    hub, keeper, wizard = TableHub(), PinKeeper(None), FirstTime()
    desk = Desk(TableReferee(), keeper, wizard=wizard, joiner=hub)
    client = create_app(ViewHub(), desk=desk).test_client()
    assert client.get("/hub").status_code == 303
    assert client.post("/hub", data={"invitation": "x"}).status_code == 401
    client.post("/desk", data={"pin": keeper.fresh})
    assert 'href="hub"' in client.get("/desk").get_data(True)
    page = client.get("/hub").get_data(True)
    token = re.findall(r'name="csrf" value="([^"]+)"', page)[0]
    asked = {"invitation": " 7KQF-2M9X-4TBW@hub.local ", "csrf": token}
    assert client.post("/hub", data=asked | {"csrf": "x"}).status_code == 403
    assert client.post("/hub", data=asked, headers={"Origin": "http://elsewhere.example"}).status_code == 403
    assert client.post("/hub/leave", data={"csrf": "x"}).status_code == 403
    assert hub.invitations == []

    hub.refusal = worded("This code holds no longer, or never did. Ask a director of the hub for another.")
    client.set_cookie("lang", "cs")
    answer = client.post("/hub", data=asked | {"invitation": '"><script>'})
    assert answer.status_code == 409
    assert "Tento kód už neplatí" in answer.get_data(True)
    assert '"><script>' not in answer.get_data(True)
    assert wizard.noted == []
    hub.refusal = None
    assert client.post("/hub", data=asked).status_code == 303
    assert hub.invitations[-1] == "7KQF-2M9X-4TBW@hub.local"
    assert "board-7" in client.get("/hub").get_data(True)
    hub.refusal = worded("has removed the board")
    assert client.post("/hub/leave", data={"csrf": token}).status_code == 303
    assert [what for what, _ in wizard.noted] == ["hub joined"]
    hub.refusal = None
    assert client.post("/hub/leave", data={"csrf": token}).status_code == 303
    assert hub.hub == HubSeen()
    # In the journal, with the name of who did it where people have names.
    assert wizard.noted == [("hub joined", ""), ("hub left", "")]


def test_whoever_chooses_a_language_keeps_the_pass() -> None:
    hub = TableHub()
    hub.passes["k3&9"] = Guest("Hana", "scorer", "k3")
    client = create_app(ViewHub(), desk=Desk(TableReferee(), PinKeeper(None), joiner=hub)).test_client()
    page = in_language(client, client.get("/hub/enter?pass=k3%269"), "cs")
    assert page.status_code == 200
    assert 'name="pass" value="k3&amp;9"' in page.text
    assert "Hana" in in_language(client, page, "sk").text


def test_a_page_without_a_hub_has_none() -> None:
    client = create_app(ViewHub(), desk=Desk(TableReferee(), PinKeeper(None))).test_client()
    assert client.get("/hub").status_code == 404
