"""axe-core finds nothing to object to on any page, light and dark (WCAG 2.1 A and AA). Skips where npm has not fetched it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from controller.app.report_view import report_of
from tests.transcript.matches import misread
from tests.web.browser import Browser
from tests.web.first_time import FirstTime, table
from tests.web.take_screens import enter, late_game
from tests.web.test_verdict_browser import VERDICT
from web.app import create_app
from web.desk import Desk
from web.hub import ViewHub
from web.security import PinKeeper
from web.server import Server, serve

MODULES = Path(os.environ.get("VRHCAB_NODE_MODULES", Path(__file__).parents[2] / "build/node/node_modules"))
AXE = MODULES / "axe-core" / "axe.min.js"
KEEPER = PinKeeper(None)
START = """
window.found = null;
axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]}).then(({violations, passes}) => {
  window.found = {rules: passes.length, bad: violations.map(({id, nodes}) => `${id}: ${nodes.map((one) => one.html).join(" ")}`)};
});
"""
pytestmark = pytest.mark.skipif(not AXE.exists(), reason="needs axe-core: tests/system-packages.sh fetches it")


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    hub = ViewHub()
    hub.publish(late_game())
    referee = table()
    referee.verdict = VERDICT
    referee.overlooked = report_of(misread(), "evening.mp4", lambda line: False)
    wizard = FirstTime()
    wizard.state_now = msgspec.structs.replace(wizard.state_now, ready=True)
    with serve(create_app(hub, streams=8, desk=Desk(referee, KEEPER, wizard=wizard)), "127.0.0.1", 0) as server:
        yield server


def objections(browser: Browser) -> list[str]:
    browser.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    browser.run(AXE.read_text("utf-8"))
    browser.run(START)
    found = browser.wait_for("return window.found")
    assert found["rules"] > 5
    return list(found["bad"])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_to_object_to(browser: Browser, server: Server, scheme: str) -> None:
    base = f"http://127.0.0.1:{server.port}"
    browser.screen(360, 740, scheme)
    browser.command("Network.clearBrowserCookies")
    browser.open(f"{base}/desk")
    assert objections(browser) == []
    browser.open(f"{base}/?lang=en")
    browser.wait_for("return document.body.dataset.sequence")
    assert objections(browser) == []
    browser.open(f"{base}/replay?match=abc#2")
    browser.wait_for("return document.querySelector('.errors li, #verdict .hint') !== null")
    assert objections(browser) == []
    enter(browser, base, str(KEEPER.fresh))
    assert objections(browser) == []
    browser.open(f"{base}/table")
    browser.wait_for("return document.body.dataset.sequence")
    assert objections(browser) == []
    browser.open(f"{base}/report")
    browser.wait_for("return document.body.dataset.lines")
    browser.run("document.querySelector('[data-answer=edit]').click()")
    browser.wait_for("return document.querySelectorAll('#legal button').length")
    assert objections(browser) == []
    browser.open(f"{base}/overlays")
    browser.wait_for("return document.getElementById('preview').src")
    assert objections(browser) == []
    browser.open(f"{base}/")
    browser.wait_for("return document.body.dataset.sequence")
    browser.run("document.getElementById('hand-on').click()")
    assert objections(browser) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_to_object_to_in_any_step_of_the_set_up(browser: Browser, server: Server, scheme: str) -> None:
    base = f"http://127.0.0.1:{server.port}"
    browser.screen(360, 740, scheme)
    enter(browser, base, str(KEEPER.fresh))
    browser.open(f"{base}/setup")
    browser.wait_for("return document.body.dataset.step")
    for step in browser.run("return [...document.querySelectorAll('.step')].map((one) => one.id)"):
        browser.run("document.querySelector(`#progress a[href='#${arguments[0]}']`).click()", step)
        browser.wait_for("return document.body.dataset.step === arguments[0]", step)
        browser.wait_for("return !document.getElementById(arguments[0]).hidden", step)
        assert objections(browser) == [], step
