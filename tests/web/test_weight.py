"""How much a viewer's phone loads at first, and that it asks for nothing more while nothing happens."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest
from flask.testing import FlaskClient

from tests.web.browser import Browser
from tests.web.views import played_view
from web.app import create_app
from web.hub import ViewHub
from web.limits import limits_here
from web.server import serve

MOST = 110_000
"""Bytes, as they go over the line."""
LINKED = re.compile(r'(?:href|src)="([^"]*(?:static/|manifest)[^"]+)"')
LATER = re.compile(r'<link rel="apple-touch-icon"[^>]*>')
"""Fetched only when the page is put on a home screen."""
IMPORTED = re.compile(r'from "\./([\w.]+)"')


def loaded(client: FlaskClient) -> Iterator[tuple[str, int]]:
    """Every address that the page needs, with its size."""
    page = client.get("/", headers={"Accept-Encoding": "gzip"})
    yield "/", len(page.data)
    waiting = [f"/{address.lstrip('./')}" for address in LINKED.findall(LATER.sub("", client.get("/").text))]
    for address in waiting:
        answer = client.get(address, headers={"Accept-Encoding": "gzip"})
        assert answer.status_code == 200, address
        yield address, len(answer.data)
        if address.endswith(".js"):
            found = (f"/static/js/{name}" for name in IMPORTED.findall(client.get(address).text))
            waiting += [one for one in dict.fromkeys(found) if one not in waiting]


@pytest.mark.parametrize("language", ["en", "cs", "sk"])
def test_the_first_load_is_light(language: str) -> None:
    hub = ViewHub()
    hub.publish(played_view(1))
    client = create_app(hub).test_client()
    client.get(f"/?lang={language}")
    sizes = dict(loaded(client))
    assert len(sizes) > 15
    assert sum(sizes.values()) + len(client.get("/api/state").data) <= MOST, sizes


def test_a_page_at_rest_asks_for_nothing(browser: Browser) -> None:
    hub = ViewHub()
    hub.publish(played_view(1))
    asked = "return performance.getEntriesByType('resource').length"
    with serve(create_app(hub), "127.0.0.1", 0, replace(limits_here(), keep_alive=0.5)) as server:
        browser.open(f"http://127.0.0.1:{server.port}/")
        browser.wait_for("return document.getElementById('connection').dataset.state === 'live'")
        time.sleep(1)
        before = browser.run(asked)
        time.sleep(2)  # three beats of the stream
        assert browser.run(asked) == before
