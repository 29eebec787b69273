"""The overlays: who may frame them and who may not, the operator's list of them, and the bar that has everything."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from controller.config import ConfigError, config_from
from tests.web.browser import Browser, enter
from tests.web.table import TableReferee
from tests.web.views import late_game
from web.app import Audience, create_app
from web.desk import Desk
from web.hub import ViewHub
from web.overlays import PARTS
from web.security import PinKeeper
from web.server import Server, serve
from web.view import CubeView

KEEPER = PinKeeper(None)
STUDIO = "https://studio.example.org"
OPEN = msgspec.structs.replace(late_game(), event="Pražský open", place="Praha", round="semifinále")


def framed_by(headers: object) -> str:
    policy = str(headers["Content-Security-Policy"])  # type: ignore[index]  # of an answer
    return policy.split("frame-ancestors")[1].split(";")[0].strip()


@pytest.mark.parametrize("part", PARTS)
def test_only_overlays_may_be_framed_and_only_by_whom_the_operator_names(part: str) -> None:
    client = create_app(ViewHub(), audience=Audience(frames=(STUDIO,))).test_client()
    overlay = client.get(f"/overlay/{part}")
    assert framed_by(overlay.headers) == f"'self' {STUDIO}"
    for address in ("/", "/api/state", "/manifest.json"):
        assert framed_by(client.get(address).headers) == "'none'"
        assert client.get(address).headers["X-Frame-Options"] == "DENY"
    assert framed_by(create_app(ViewHub()).test_client().get(f"/overlay/{part}").headers) == "'self'"


@pytest.mark.parametrize(
    "origin", ["studio.example.org", "https://a b", "https://a; script-src *", "https://a/path", "*"]
)
def test_whatever_is_no_origin_is_refused(origin: str) -> None:
    assert config_from({"web": {"overlay_frames": [STUDIO]}}).web.overlay_frames == (STUDIO,)
    with pytest.raises(ConfigError, match="overlay_frames"):
        config_from({"web": {"overlay_frames": [origin]}})


def test_the_list_is_the_operator_s() -> None:
    client = create_app(ViewHub(), desk=Desk(TableReferee(), KEEPER), audience=Audience(key="s3cret")).test_client()
    assert client.get("/overlays").headers["Location"] == "/desk"
    assert "s3cret" not in client.get("/").text
    client.post("/desk", data={"pin": KEEPER.fresh})
    assert 'data-key="s3cret"' in client.get("/overlays").text
    assert create_app(ViewHub()).test_client().get("/overlays").status_code == 404


@pytest.fixture
def hub() -> ViewHub:
    hub = ViewHub()
    hub.publish(OPEN)
    return hub


@pytest.fixture
def server(hub: ViewHub) -> Iterator[Server]:
    desk = Desk(TableReferee(), KEEPER, host=lambda: "192.168.1.7")
    with serve(create_app(hub, streams=8, desk=desk, audience=Audience(key="k")), "127.0.0.1", 0) as server:
        yield server


ADDRESS = "return document.querySelector('[data-part=bar] input').value"


def test_each_is_listed_with_its_address_and_can_be_looked_at(browser: Browser, server: Server) -> None:
    base = f"http://127.0.0.1:{server.port}"
    browser.screen(390, 844)
    enter(browser, base, str(KEEPER.fresh))
    browser.complaints()
    browser.open(f"{base}/overlays?lang=en")
    assert browser.run(ADDRESS) == f"http://192.168.1.7:{server.port}/overlay/bar?key=k"
    browser.run(
        "const l = document.querySelector('[name=lang]'); l.value = 'cs'; l.dispatchEvent(new Event('change', {bubbles: true}))"
    )
    assert browser.run(ADDRESS) == f"http://192.168.1.7:{server.port}/overlay/bar?lang=cs&key=k"
    inside = "return document.getElementById('preview').contentDocument?.body?.dataset"
    browser.wait_for(
        f"{inside}?.part === 'board' && document.getElementById('preview').contentDocument.body.dataset.sequence"
    )
    browser.run("document.querySelector('[data-part=bar] .show').click()")
    browser.wait_for(
        f"{inside}?.part === 'bar' && document.getElementById('preview').contentDocument.querySelectorAll('.bar').length === 1"
    )
    assert browser.run("return document.documentElement.scrollWidth") <= 390
    assert browser.complaints() == []


def test_the_bar_the_event_and_the_flags(browser: Browser, server: Server, hub: ViewHub) -> None:
    base = f"http://127.0.0.1:{server.port}/overlay"
    browser.screen(1280, 120)
    browser.open(f"{base}/bar?lang=en&key=k")
    browser.wait_for("return document.querySelector('.bar') !== null")
    bar = browser.run("return document.querySelector('.bar').innerText")
    for shown in ("Jana", "Marián", "3", "5", "120", "49", "2", "6:52", "Pražský open · Match to 7 points · Game 4"):
        assert shown in bar, shown
    assert browser.run("return document.querySelectorAll('.bar .dice-row svg').length") == 2
    assert browser.run("return document.querySelector('.bar').getBoundingClientRect().bottom") <= 120
    assert "Doubling cube" not in bar
    lost = msgspec.structs.replace(OPEN.light, score=-12)  # as in a chouette
    hub.publish(msgspec.structs.replace(OPEN, sequence=2, light=lost, cube=CubeView(2, None)))
    for part in ("bar", "score"):
        browser.open(f"{base}/{part}?lang=en&key=k")
        browser.wait_for("return document.querySelector('.about')?.innerText.endsWith('Game 4 · Doubling cube: 2')")
        assert browser.run("return document.querySelector('[data-side=light] .value').innerText") == "−12"
    browser.open(f"{base}/event?lang=en&key=k")
    browser.wait_for("return document.querySelector('.event')?.innerText.startsWith('Pražský open')")
    assert "Praha · semifinále" in browser.run("return document.querySelector('.event').innerText")
    browser.open(f"{base}/flags?lang=en&key=k")
    browser.wait_for("return document.querySelectorAll('.flag').length === 1")
    assert "Checker on the bar must enter first." in browser.run("return document.querySelector('.flag').innerText")


def test_what_is_said_while_the_board_is_tried_out_is_in_no_stream(browser: Browser) -> None:
    hub = ViewHub()
    hub.publish(msgspec.structs.replace(late_game(), practice=True))
    with serve(create_app(hub), "127.0.0.1", 0) as server:
        browser.open(f"http://127.0.0.1:{server.port}/overlay/flags")
        browser.wait_for("return document.body.dataset.sequence === '1'")
        assert browser.run("return document.querySelectorAll('.flag').length") == 0
        hub.publish(msgspec.structs.replace(late_game(), sequence=2))
        browser.wait_for("return document.querySelectorAll('.flag').length === 1")
