"""Three hints on the first visit, which never come back, move nobody who wants stillness, and fit on every screen."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Response

from tests.web.axe import AXE, objections
from tests.web.browser import Browser
from tests.web.views import played_view
from web.app import create_app
from web.hub import ViewHub
from web.pages import page, page_words, script_data
from web.server import Server, serve
from web.words import LANGUAGES

CLICK = "document.querySelector(arguments[0]).click()"
WORDS = "return document.querySelector('#tour .words')?.innerText ?? ''"
THERE = "return document.getElementById('tour') !== null"
RESTS = "return document.getAnimations().length === 0"
READY = "return document.body.dataset.sequence === '1'"
TOLD = {
    "en": ("This is the board", "Here the referee says", "Behind the sliders"),
    "cs": ("Tohle je deska", "Tady rozhodčí", "Za posuvníky"),
    "sk": ("Toto je doska", "Tu rozhodca", "Za posuvníkmi"),
}


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    hub = ViewHub()
    hub.publish(played_view(1))
    with serve(create_app(hub, streams=8), "127.0.0.1", 0) as server:
        yield server


@pytest.fixture(scope="module")
def browser(one_chromium: Browser) -> Browser:
    one_chromium.forget(first_visit=True)
    return one_chromium


def newcomer(browser: Browser, base: str, language: str) -> None:
    """Forgets what the browser has seen, on a page of that origin on which no script runs."""
    browser.open(f"{base}healthz")
    browser.run("localStorage.clear(); document.cookie = `lang=${arguments[0]}; path=/`", language)


@pytest.mark.parametrize(
    ("width", "language", "scheme"),
    [(320, "cs", "dark"), (390, "sk", "light"), (768, "en", "dark"), (1440, "cs", "light")],
)
def test_three_hints_and_then_never_again(
    browser: Browser, server: Server, width: int, language: str, scheme: str
) -> None:
    base = f"http://127.0.0.1:{server.port}/"
    browser.screen(width, 640, scheme)
    newcomer(browser, base, language)
    browser.open(base)
    for number, words in enumerate(TOLD[language], start=1):
        browser.wait_for(f"{WORDS}.startsWith(arguments[0])", words)
        browser.wait_for(RESTS)
        left, right, high, low = browser.run(
            "const box = document.getElementById('tour').getBoundingClientRect(); return [box.left, box.right, box.top, box.bottom]"
        )
        assert 0 <= left < right <= width
        assert 0 <= high < low <= 640
        pointed = browser.run(
            "const box = document.querySelector('.toured').getBoundingClientRect(); return [box.top, box.bottom]"
        )
        assert pointed[1] <= high or low <= pointed[0]  # it does not cover what it speaks of
        assert browser.run("return document.querySelectorAll('.toured').length") == 1
        assert browser.run("return document.documentElement.scrollWidth") <= width
        if number == 1 and AXE.exists():
            assert objections(browser) == []
        browser.run(CLICK, "#tour .main")
    assert not browser.run(THERE)
    assert browser.run("return document.querySelectorAll('.toured').length") == 0
    browser.open(base)
    browser.wait_for(READY)
    assert not browser.run("return performance.getEntriesByType('resource').some(({ name }) => name.includes('tour'))")


def test_who_skips_them_has_seen_them_and_nothing_moves_for_who_wants_stillness(
    browser: Browser, server: Server
) -> None:
    base = f"http://127.0.0.1:{server.port}/"
    browser.screen(390, 844)
    still = [{"name": "prefers-reduced-motion", "value": "reduce"}]
    browser.command("Emulation.setEmulatedMedia", features=still)
    newcomer(browser, base, "en")
    browser.open(base)
    browser.wait_for(THERE)
    assert browser.run("return getComputedStyle(document.getElementById('tour')).animationName") == "none"
    browser.run("dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }))")
    assert not browser.run(THERE)
    assert browser.run("return localStorage.tour") == "seen"


def test_a_hub_which_has_no_words_for_them_is_not_asked(browser: Browser) -> None:
    hub = ViewHub()
    hub.publish(played_view(1))
    app = create_app(hub, streams=8)

    @app.get("/board")
    def of_a_hub() -> Response:
        """As controller/hub/pages.py makes the page of a board."""
        words = page_words()
        return page("page.html", words, languages=LANGUAGES, desk=False, address="", data=script_data(words, "main.js"))

    with serve(app, "127.0.0.1", 0) as server:
        newcomer(browser, f"http://127.0.0.1:{server.port}/", "en")
        browser.complaints()
        browser.open(f"http://127.0.0.1:{server.port}/board")
        browser.wait_for(READY)
        browser.run("return new Promise((done) => setTimeout(done, 300))")
        asked = "return performance.getEntriesByType('resource').some(({ name }) => name.includes('tour'))"
        assert not browser.run(asked)


def test_a_browser_that_keeps_nothing_is_left_alone(browser: Browser, server: Server) -> None:
    browser.forget(first_visit=True)
    refused = "Storage.prototype.setItem = () => { throw new DOMException('no', 'QuotaExceededError'); };"
    browser.command("Page.addScriptToEvaluateOnNewDocument", source=refused)
    browser.open(f"http://127.0.0.1:{server.port}/?lang=en")
    browser.wait_for("return performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/words/tour'))")
    browser.wait_for(READY)
    assert not browser.run(THERE)
