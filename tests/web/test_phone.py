"""On a phone like an app: what installs it, the last position without a network, the screen that stays on, others' address."""

from __future__ import annotations

import json
import struct

import msgspec
import pytest

from tests.web.browser import Browser
from tests.web.table import TableReferee
from tests.web.views import played_view, rolled_view
from web.app import create_app
from web.desk import Desk
from web.hub import ViewHub
from web.security import PinKeeper
from web.server import serve


def test_what_a_phone_needs_to_keep_it_is_there() -> None:
    client = create_app(ViewHub()).test_client()
    page = client.get("/").text
    assert '<link rel="manifest" href="/manifest.json">' in page
    assert page.count('name="theme-color"') == 2
    manifest = json.loads(client.get("/manifest.json").data)
    assert (manifest["display"], manifest["start_url"], manifest["scope"]) == ("standalone", "./", "./")
    assert {icon.get("purpose", "any") for icon in manifest["icons"]} == {"any", "maskable"}
    for icon in manifest["icons"]:
        picture = client.get(f"/{icon['src']}")
        assert (picture.status_code, picture.mimetype) == (200, icon["type"])
        if icon["type"] == "image/png":
            assert "x".join(map(str, struct.unpack(">II", picture.data[16:24]))) == icon["sizes"]
    worker = client.get("/worker.js")
    assert worker.mimetype in ("text/javascript", "application/javascript")
    assert worker.headers["Cache-Control"] == "no-cache"


KEPT = """
const kept = await caches.open('vrhcab');
const names = (await kept.keys()).map(({ url }) => new URL(url).pathname);
const every = ['/', '/static/js/main.js', '/static/board.css'].every((name) => names.includes(name));
return every && navigator.serviceWorker.controller !== null;
"""
SEEN = """
const checkers = document.querySelectorAll('#board .checker').length;
return checkers === 30 && document.getElementById('age').checkVisibility();
"""


def test_without_a_network_the_last_position_is_there_with_its_age(browser: Browser) -> None:
    hub = ViewHub()
    hub.publish(played_view(1))
    with serve(create_app(hub), "127.0.0.1", 0) as server:
        address = f"http://127.0.0.1:{server.port}/"
        browser.open(f"{address}?lang=en")
        browser.wait_for("return document.body.dataset.sequence === '1'")
        browser.wait_for(KEPT)
        assert not browser.run("return document.getElementById('age').checkVisibility()")
    browser.wait_for("return document.getElementById('age').checkVisibility()")  # the page that is open says it too
    browser.open(address)
    browser.wait_for(SEEN)
    assert "less than a minute ago" in browser.run("return document.getElementById('age').innerText")
    older = (
        "const kept = JSON.parse(localStorage['last-seen']); kept.at -= 25 * 60000;"
        "localStorage['last-seen'] = JSON.stringify(kept)"
    )
    browser.run(older)
    browser.open(address)
    browser.wait_for(SEEN)
    assert "25 minutes ago" in browser.run("return document.getElementById('age').innerText")


FULL = """
const heard = {};
const self = { location: new URL('https://board.example/'), addEventListener: (name, does) => { heard[name] = does; } };
const caches = { open: async () => { throw new DOMException('full', 'QuotaExceededError'); }, match: async () => undefined };
new Function('self', 'caches', 'fetch', arguments[0])(self, caches, async () => new Response('the newest page'));
const asked = { method: 'GET', url: 'https://board.example/' };
const answer = await new Promise((respondWith) => heard.fetch({ request: asked, respondWith }));
return await answer.text();
"""


def test_a_phone_that_is_full_shows_what_comes_over_its_network(browser: Browser) -> None:
    browser.open("about:blank")
    worker = create_app(ViewHub()).test_client().get("/worker.js").text
    assert browser.run(FULL, worker) == "the newest page"


LINKED = """
const heard = {};
const self = { location: new URL(location.origin), addEventListener: (name, does) => { heard[name] = does; } };
let comes = '';
const fetch = async () => {
  if (!comes) throw new TypeError('no network');
  return new Response(comes, { headers: { Vary: 'Accept-Language' } });
};
new Function('self', 'caches', 'fetch', arguments[0])(self, caches, fetch);
const shown = async (address) => {
  const request = new Request(new URL(address, location.origin));
  return (await new Promise((respondWith) => heard.fetch({ request, respondWith }))).text();
};
for (const [page, address] of [['of the first visit', '/?from=a-friend'], ['of today', '/']]) {
  comes = page;
  await shown(address);
}
comes = '';
return [await shown('/'), await shown('/?from=another')];
"""


def test_a_page_that_came_by_a_link_with_a_query_does_not_outlive_newer_ones(browser: Browser) -> None:
    app = create_app(ViewHub())
    with serve(app, "127.0.0.1", 0) as server:
        browser.open(f"http://127.0.0.1:{server.port}/healthz")  # where no worker keeps anything yet
        assert browser.run(LINKED, app.test_client().get("/worker.js").text) == ["of today", "of today"]


LOCKS = """
window.locks = [];
Object.defineProperty(navigator, 'wakeLock', { configurable: true, value: { request: async (kind) => {
  const lock = { kind, released: false, release() { lock.released = true; } };
  window.locks.push(lock);
  return lock;
} } });
"""
HELD = "return window.locks.filter((one) => !one.released).length"


@pytest.fixture(scope="module")
def phone(browser: Browser) -> Browser:
    browser.screen(390, 844)
    browser.command("Page.addScriptToEvaluateOnNewDocument", source=LOCKS)
    return browser


def test_the_screen_stays_on_while_a_match_is(phone: Browser) -> None:
    hub = ViewHub()
    hub.publish(msgspec.structs.replace(rolled_view(1), match_id="abc"))
    with serve(create_app(hub), "127.0.0.1", 0) as server:
        phone.open(f"http://127.0.0.1:{server.port}/")
        phone.wait_for(f"{HELD} === 1")
        phone.run("document.getElementById('awake').click()")
        phone.wait_for(f"{HELD} === 0")
        phone.run("document.getElementById('awake').click()")
        phone.wait_for(f"{HELD} === 1")
        hub.publish(msgspec.structs.replace(rolled_view(2), match_id="abc", phase="match over"))
        phone.wait_for(f"{HELD} === 0")


def test_what_was_kept_keeps_no_screen_on(phone: Browser) -> None:
    hub = ViewHub()
    hub.publish(msgspec.structs.replace(rolled_view(1), match_id="abc"))
    with serve(create_app(hub), "127.0.0.1", 0) as server:
        address = f"http://127.0.0.1:{server.port}/"
        phone.open(address)
        phone.wait_for(f"{HELD} === 1")
        phone.wait_for(KEPT)
    phone.open(address)
    phone.wait_for(SEEN)
    assert phone.run("return window.locks.length") == 0


def test_others_are_shown_an_address_that_their_phones_can_reach(phone: Browser) -> None:
    hub = ViewHub()
    hub.publish(rolled_view(1))
    desk = Desk(TableReferee(), PinKeeper(None), host=lambda: "192.168.1.7")
    with serve(create_app(hub, desk=desk), "127.0.0.1", 0) as server:
        phone.open(f"http://127.0.0.1:{server.port}/?lang=en")
        phone.wait_for("return document.body.dataset.sequence === '1'")
        asked = "return performance.getEntriesByType('resource').some(({ name }) => name.endsWith('qr.svg'))"
        assert not phone.run(asked)
        phone.run("document.getElementById('hand-on').click()")
        phone.wait_for("return document.querySelector('#others .qr').naturalWidth > 0")
        shown = phone.run("return document.querySelector('#others .xgid').innerText")
        assert shown == f"http://192.168.1.7:{server.port}/"
