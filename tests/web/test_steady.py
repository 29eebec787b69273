"""On every width: no page is wider than the screen, and nothing on it moves while it loads."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from tests.web.browser import Browser, enter
from tests.web.standing import STILL
from tests.web.states import the_house, visit
from tests.web.test_verdict_browser import VERDICT, Keeper
from tests.web.views import late_game
from web.app import create_app
from web.desk import Desk
from web.hub import ViewHub
from web.security import PinKeeper
from web.server import Server, serve

KEEPER = PinKeeper(None)
MOST_SHIFTED = 0.1
"""Cumulative layout shift that Chromium's makers call good."""

SHIFTS = """
window.shifted = 0;
window.told = [];
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) {
    window.shifted += one.value;
    window.told.push(...one.sources.map(({ node }) => node?.id || node?.className || node?.nodeName));
  }
}).observe({ type: "layout-shift", buffered: true });
"""
PAGES = {
    "desk": "return !('waits' in document.body.dataset)",
    "": "return document.body.dataset.sequence",
    "table": "return document.body.dataset.sequence",
    "overlays": "return document.querySelector('#parts input').value",
    "replay?match=abc#6": "return document.querySelectorAll('.errors li').length === 2",
}


@pytest.fixture(scope="module")
def watching(browser: Browser, server: Server) -> Browser:
    """Signed in; notes in every page what moves in it."""
    browser.command("Page.addScriptToEvaluateOnNewDocument", source=SHIFTS)
    enter(browser, f"http://127.0.0.1:{server.port}", str(KEEPER.fresh))
    return browser


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    hub, keeper = ViewHub(), Keeper()
    keeper.verdict = VERDICT
    hub.publish(msgspec.structs.replace(late_game(), event="Pražský open"))
    with serve(create_app(hub, streams=16, desk=Desk(keeper, KEEPER)), "127.0.0.1", 0) as server:
        yield server


LOOKS = {320: ("cs", "dark"), 390: ("sk", "light"), 768: ("en", "dark"), 1440: ("cs", "light")}


@pytest.mark.parametrize("width", LOOKS)
@pytest.mark.parametrize("page", PAGES)
def test_pages_fit_and_stand_still(watching: Browser, server: Server, width: int, page: str) -> None:
    base = f"http://127.0.0.1:{server.port}"
    language, scheme = LOOKS[width]
    watching.screen(width, 900 if width > 1000 else 844, scheme)
    watching.command("Network.setCookie", name="lang", value=language, url=base)
    watching.open(f"{base}{STILL}")  # the same address with a place in it would not be loaded again
    watching.open(f"{base}/{page}")
    watching.wait_for(PAGES[page])
    watching.run("return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert watching.run("return document.documentElement.scrollWidth") <= width
    assert watching.run("return window.shifted") <= MOST_SHIFTED, watching.run("return window.told")


def test_what_comes_last_moves_nothing_that_stood_there_before(browser: Browser) -> None:
    browser.command("Page.addScriptToEvaluateOnNewDocument", source=SHIFTS)
    with the_house(browser) as house:
        for (width, (language, scheme)), name in zip(
            LOOKS.items(), ("report", "viewer, the match over") * 2, strict=True
        ):
            house.look(width, 844, language, scheme)
            visit(house, name)
            browser.wait_for("return !('waits' in document.body.dataset || 'judging' in document.body.dataset)")
            browser.run("return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            assert browser.run("return window.shifted") <= MOST_SHIFTED, (name, browser.run("return window.told"))
