"""The screen beside the board in a real Chromium: what it shows, that it fits and can be read, and its two buttons."""

from __future__ import annotations

import msgspec
import pytest

from tests.web.browser import Browser, enter
from tests.web.standing import Standing
from tests.web.table import TableReferee
from tests.web.views import played_view, rolled_view
from web.app import create_app
from web.desk import Desk
from web.hub import ViewHub
from web.security import PinKeeper
from web.server import Server
from web.view import ClockView, CubeView

CLICK = "document.querySelector(arguments[0]).click()"
TEXT = "return document.querySelector(arguments[0]).innerText"
KEEPER = PinKeeper(None)
SEQUENCE = "return document.body.dataset.sequence === arguments[0]"


@pytest.fixture
def hub() -> ViewHub:
    hub = ViewHub()
    hub.publish(rolled_view(1))
    return hub


@pytest.fixture
def referee() -> TableReferee:
    return TableReferee()


@pytest.fixture
def server(stand: Standing, browser: Browser, hub: ViewHub, referee: TableReferee) -> Server:
    stand.begin(browser)
    return stand.put(create_app(hub, streams=8, desk=Desk(referee, KEEPER)))


def test_a_viewer_s_has_no_buttons(browser: Browser, server: Server, hub: ViewHub) -> None:
    browser.command("Network.clearBrowserCookies")
    browser.screen(1024, 768)
    browser.open(f"http://127.0.0.1:{server.port}/table")
    browser.wait_for(SEQUENCE, "1")
    assert browser.run("return document.querySelectorAll('.big button').length") == 0
    assert browser.run("return document.querySelector('#light').classList.contains('acts')")
    assert browser.run("return document.querySelectorAll('#dice circle').length") == 4
    assert browser.run("return document.getElementById('wrong').hidden")
    # A person has told the play, and White's dice still lie there.
    played = played_view(2)
    lost = msgspec.structs.replace(played.light, score=-3)  # as in a chouette
    hub.publish(msgspec.structs.replace(played, light=lost, dice=(3, 1)))
    browser.wait_for(SEQUENCE, "2")
    assert browser.run(
        "return [document.querySelector('#light .score').textContent, document.title.split(' ')[0]]"
    ) == [
        "−3",
        "−3",
    ]
    assert (
        browser.run("return document.querySelector('#dice rect:nth-of-type(2)').getAttribute('fill')") == "url(#bone)"
    )


def test_double_and_take_back(browser: Browser, server: Server, hub: ViewHub, referee: TableReferee) -> None:
    base = f"http://127.0.0.1:{server.port}"
    enter(browser, base, str(KEEPER.fresh))
    browser.open(f"{base}/table?lang=en")
    browser.wait_for(SEQUENCE, "1")
    assert browser.run("return document.getElementById('double').disabled")
    hub.publish(played_view(2))
    browser.wait_for("return !document.getElementById('double').disabled")
    assert "Rolled early" in browser.run(TEXT, "#wrong")
    browser.run(CLICK, "#double")
    browser.wait_for("return !document.getElementById('double').disabled")
    # As a finger does.
    browser.run(f"{CLICK}; await new Promise((later) => setTimeout(later, 250)); {CLICK}", "#undo")
    browser.wait_for("return !document.getElementById('undo').disabled")
    assert [told["type"] for told in referee.told] == ["double", "undo"]
    referee.refusal = "There is nothing to take back."
    browser.run(CLICK, "#undo")
    browser.wait_for("return document.querySelector('.big .answer')?.innerText === arguments[0]", referee.refusal)
    offered = msgspec.structs.replace(played_view(3), cube=CubeView(2, "dark", "light"), phase="cube offered", flags=())
    hub.publish(offered)
    browser.wait_for(SEQUENCE, "3")
    assert browser.run("return document.querySelector('#light').classList.contains('acts')")
    assert browser.run("return document.getElementById('double').disabled")
    assert browser.run(TEXT, "#dark .cube") == "2"
    assert browser.run("return document.getElementById('wrong').hidden")


SMALL = """
const least = 0.05 * Math.min(innerWidth, innerHeight);
return [...document.querySelectorAll('.name, .score, .clock, .cube, .status, #wrong, .big button')]
  .filter((one) => Number.parseFloat(getComputedStyle(one).fontSize) < least - 0.5).map((one) => one.outerHTML);
"""
OUTSIDE = """
const inside = (box) => box.left >= -1 && box.top >= -1 && box.right <= innerWidth + 1 && box.bottom <= innerHeight + 1;
return [...document.querySelectorAll('.name, .score, .clock, .cube, #dice svg, .status, #wrong, .big button')]
  .filter((one) => one.checkVisibility() && !inside(one.getBoundingClientRect())).map((one) => one.outerHTML);
"""
CRUSHED = """
return [...document.querySelectorAll('.name')]
  .filter((one) => one.clientHeight < Number.parseFloat(getComputedStyle(one).fontSize)).map((one) => one.outerHTML);
"""
OFF_CENTRE = """
const number = document.createRange();
return [...document.querySelectorAll('.seat')].map((one) => {
  number.selectNodeContents(one.querySelector('.score'));
  const [drawn, seat] = [number.getBoundingClientRect(), one.getBoundingClientRect()];
  return Math.round(drawn.left + drawn.right - seat.left - seat.right) / 2;
});
"""


def test_a_score_of_one_digit_stands_in_the_middle(browser: Browser, server: Server) -> None:
    browser.screen(1280, 720)
    browser.open(f"http://127.0.0.1:{server.port}/table")
    browser.wait_for(SEQUENCE, "1")
    assert max(map(abs, browser.run(OFF_CENTRE))) <= 1


LONG = "Jana played 13/7 8/7 with 6-1. Checker on the bar must enter first. Possible would have been bar/24 13/7."


@pytest.mark.parametrize("size", [(320, 568), (390, 844), (768, 1024), (1024, 768), (1440, 900)])
@pytest.mark.parametrize("language", ["en", "cs", "sk"])
def test_it_fits_and_can_be_read_from_afar(
    browser: Browser, server: Server, hub: ViewHub, size: tuple[int, int], language: str
) -> None:
    full = msgspec.structs.replace(
        played_view(5), cube=CubeView(64, "light"), clock=ClockView(61.0, 754.0, 12.0, "dark", 0.0), match_length=25
    )
    full = msgspec.structs.replace(full, flags=(msgspec.structs.replace(full.flags[-1], text=LONG),))
    hub.publish(full)
    browser.screen(*size)
    base = f"http://127.0.0.1:{server.port}"
    enter(browser, base, str(KEEPER.fresh))
    browser.open(f"{base}/table?lang={language}")
    browser.wait_for(SEQUENCE, "5")
    browser.wait_for("return document.querySelector('#light .clock')?.innerText.includes(':')")
    assert LONG[:30] in browser.run(TEXT, "#wrong")
    assert browser.run(CRUSHED) == []
    assert browser.run(SMALL) == []
    assert browser.run(OUTSIDE) == []
