"""The hub's pages in a browser: axe-core's objections at each, a phone that asks to be called, and what it shows then."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import msgspec
import psycopg
import pytest

from controller.config import WebConfig
from controller.hub.feed import Feed
from controller.hub.joining import Codes
from controller.hub.pages import create_hub_app
from controller.hub.people import Register
from controller.hub.services import Hall
from controller.hub.settings import AlertSettings, FeedSettings
from controller.hub.shown import BoardViews
from controller.hub.store import Store
from controller.hub.wall import Tile, Wall
from tests.hub.table import eventually, rows
from tests.web.axe import AXE, objections
from tests.web.browser import SMALL_FIELDS, Browser, chromium
from tests.web.views import start_view
from web.hub import PackedView
from web.server import serve
from web.view import FlagView

pytestmark = pytest.mark.usefixtures("quick_hashes")

SUBSCRIBED = """
PushManager.prototype.subscribe = async function (asked) {
  window.asked = asked.applicationServerKey.length;
  const keys = {
    p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    auth: "BTBZMqHH6r4Tts7J_aSIgg",
  };
  return {toJSON: () => ({endpoint: "https://push.example/1", expirationTime: null, keys}), unsubscribe: async () => true};
};
"""
"""As a browser whose push service answers; here there is none. The keys are those of RFC 8291, section 5."""

KEPT = f"""{SUBSCRIBED}
PushManager.prototype.getSubscription = async function () {{
  return {{...(await this.subscribe({{applicationServerKey: []}})), unsubscribe: async () => (window.left = true)}};
}};
"""
"""As one that was called once, and has kept that."""

AWAY = """
window.fetch = async () => new Response("{}", {status: 503});
"""

REFUSED = """
navigator.serviceWorker.register = async () => { throw new DOMException("certificate", "SecurityError"); };
"""

RATED = """
insert into matches (board, life, match, first, last, made_of, event) values ('rated-1', 1, 'm', 1, 2, 2, 'A cup with a long name')
    on conflict do nothing;
insert into analyses (board, life, match, made_of, verdict) values ('rated-1', 1, 'm', 2,
    '{"players": [{"name": "Bartoloměj Nejedlý-Novohradský z Horní Dolní", "decisions": 40, "error_rate": 12.5}], "worst": []}')
    on conflict do nothing;
"""

WORKERS = tuple(map(str, range(12)))
"""Chromium's numbers for the workers that are registered in it; one of them is the page's."""

LOOKS = {
    (320, 568, "cs", "dark"): ("alerts", "join?code=7KQF-2M9X-4TBW", "rates", "embed/boards/board-1"),
    (1440, 900, "sk", "light"): ("", "people", "rates"),
}


@pytest.fixture
def hub_pages(hall: Hall, browser: Browser) -> Iterator[str]:
    """The address of a hub with a flagged board and one that is silent, at which a director is signed in."""
    with closing(Store(hall.database.url)) as store:
        store.begin_life("rated-1", 1, "run")
    with psycopg.connect(hall.database.url) as connection:
        connection.execute(RATED)
    with closing(Register(hall.database.url)) as register:
        password = register.add("Běla", "director", replace=True)
    wall = Wall()
    flag = FlagView(1, "R01", "light", "That play is not legal.", 1)
    light = msgspec.structs.replace(start_view().light, name="Magdaléna Kratochvílová", score=-12)
    flagged = Tile("board-1", msgspec.structs.replace(start_view(), light=light, flags=(flag,)))
    tiles = (flagged, Tile("board-2", None, "2026-11-22T10:11:12+00:00"))
    views = BoardViews(wall)
    wall.show({tile.board: msgspec.json.encode(tile) for tile in tiles})
    contact = AlertSettings(push="mailto:director@club.example")
    settings = msgspec.structs.replace(hall.settings(WebConfig(), public=False), alerts=contact)
    with (
        Feed(FeedSettings(show=True, delay_s=0.0)) as feed,
        serve(create_hub_app(wall, views, settings, feed), "127.0.0.1", 0) as server,
    ):
        feed.put("board-1", PackedView.of(start_view()))
        eventually(lambda: feed.find("board-1"))
        base = f"http://localhost:{server.port}/"
        browser.open(f"{base}signin")
        browser.run(
            "const form = document.querySelector('form'); form.name.value = arguments[0]; "
            "form.password.value = arguments[1]; form.submit()",
            "Běla",
            password,
        )
        browser.wait_for("return document.getElementById('tiles')")
        yield base
    browser.command("Network.clearBrowserCookies")
    browser.open("about:blank")


def press(browser: Browser, selector: str) -> None:
    browser.run("document.querySelector(arguments[0]).click()", selector)


def test_nothing_to_object_to_at_the_hub(hub_pages: str, hall: Hall, browser: Browser) -> None:
    if not AXE.exists():
        pytest.skip("needs axe-core: tests/system-packages.sh fetches it")
    with closing(Codes(hall.database.url)) as codes:
        codes.offer("Běla", "board-waiting", "hub")
    for (width, height, language, scheme), paths in LOOKS.items():
        browser.screen(width, height, scheme)
        for path in paths:
            browser.open(f"{hub_pages}{path}{'&' if '?' in path else '?'}lang={language}")
            if path.startswith("embed"):
                browser.wait_for("return document.querySelector('.tile .player')")
            assert objections(browser) == [], path
            wide = browser.run("return document.documentElement.scrollWidth - innerWidth")
            assert wide <= 0, (path, width)
        browser.open(f"{hub_pages}hall")
        browser.run("document.getElementById('board').value = 'board-new'; document.querySelector('form').submit()")
        browser.wait_for("return document.querySelector('.code')")
        assert objections(browser) == []
        assert browser.run("return document.documentElement.scrollWidth - innerWidth") <= 0
    assert browser.complaints() == []


WIDE = """
document.documentElement.style.fontSize = '200%';
for (const one of document.querySelectorAll('details')) one.open = true;
const shown = [...document.querySelectorAll('form, form *')].filter((one) => !one.closest('td') && one.getClientRects().length);
return shown.filter((one) => one.getBoundingClientRect().right > arguments[0] + 1).map((one) => `${one.tagName} ${one.name}`);
"""
"""What of the forms lies beyond that width, px; those in a table are moved with it."""


@pytest.mark.parametrize("width", [320, 390])
def test_with_letters_of_twice_the_size_no_form_is_wider_than_a_phone(
    hub_pages: str, browser: Browser, width: int
) -> None:
    browser.screen(width, 800)
    for path in ("alerts", "rates", "people", "tournaments", "hall", "matches", "signin"):
        browser.open(f"{hub_pages}{path}")
        assert browser.run(WIDE, width) == [], path


def test_no_field_has_letters_into_which_an_iphone_zooms(hub_pages: str, browser: Browser) -> None:
    browser.screen(390, 844)
    for path in ("alerts", "rates", "people", "tournaments", "hall", "matches", "signin"):
        browser.open(f"{hub_pages}{path}")
        assert browser.run(SMALL_FIELDS) == [], path


def test_a_board_that_was_removed_leaves_the_wall_that_stands_open(hall: Hall, browser: Browser) -> None:
    wall, boards = Wall(), ("board-1", "board-2", "board-3")
    wall.show({board: msgspec.json.encode(Tile(board, None, "")) for board in boards})
    shown = "return [...document.querySelectorAll('.tile')].map((one) => one.dataset.board).join()"
    app = create_hub_app(wall, BoardViews(wall), hall.settings(WebConfig(), public=True))
    with serve(app, "127.0.0.1", 0) as server:
        browser.open(f"http://localhost:{server.port}/")
        eventually(lambda: browser.run(shown) == "board-1,board-2,board-3")
        wall.show({"board-1": msgspec.json.encode(Tile("board-1", None, None))})
        browser.wait_for("return document.querySelector('[data-board=board-1]').dataset.state === 'live'")
        assert browser.run(shown) == "board-1,board-2,board-3"
        del wall._tiles["board-2"]  # as a hub that has started anew
        wall._packed.clear()
        wall.hang_up()
        eventually(lambda: browser.run(shown) == "board-1,board-3")
        assert browser.run("return document.getElementById('summary').textContent") == "2 boards · 1 silent"
    browser.open("about:blank")


CUT = """
const drawn = document.createRange();
return [...document.querySelectorAll('.tile .name')].filter((one) => {
  drawn.selectNodeContents(one);
  const [letters, box] = [drawn.getBoundingClientRect(), one.getBoundingClientRect()];
  return letters.top < box.top - 0.5 || letters.bottom > box.bottom + 0.5;
}).map((one) => one.textContent);
"""
"""The names on the wall whose letters have hooks or tails beyond what is shown of them."""

SIXTEEN = """
Object.assign(document.body.style, { width: '640px', height: '220px', minHeight: '0' });
window.dispatchEvent(new Event('resize'));
"""
"""Makes a wall of two boards as small as what these have of one of sixteen."""

HALF_SAID = """
const said = [...document.querySelectorAll('.tile .says')];
return said.filter((one) => one.scrollHeight > one.clientHeight + 1).map((one) => one.textContent);
"""
"""The sentences on the wall of which something is hidden."""

WORDS = """
return [...document.querySelectorAll('.tile .name span')].filter((one) => {
  const [word, box] = [one.getBoundingClientRect(), one.parentElement.getBoundingClientRect()];
  return word.bottom < box.bottom + 2 && word.width <= box.width;
}).map((one) => one.textContent);
"""
"""Of the names on the wall what has its place there, if not all of its letters."""

BROKEN = """
const word = document.createRange();
return [...document.querySelectorAll('th')].flatMap((one) => [...one.textContent.matchAll(/\\S+/g)].filter((found) => {
  word.setStart(one.firstChild, found.index);
  word.setEnd(one.firstChild, found.index + found[0].length);
  return new Set([...word.getClientRects()].map((box) => box.top)).size > 1;
})).map(([found]) => found);
"""
"""The words of headings that go on in the next line."""


def test_names_on_the_wall_are_whole_and_so_are_the_words_of_headings(hub_pages: str, browser: Browser) -> None:
    browser.screen(1440, 900)
    browser.open(hub_pages)
    browser.wait_for("return document.querySelectorAll('.tile .name').length")
    assert browser.run(CUT) == []
    silent = browser.run("return document.querySelector('[data-board=board-2] .says').innerText")
    assert silent.startswith("Silent since Nov 22")  # not at an hour of no day, nor on 11/12, which is two days
    scores = browser.run("return [...document.querySelectorAll('.tile .score')].map((one) => one.textContent)")
    assert scores == ["0", "−12"]
    browser.run(SIXTEEN)
    assert browser.run(HALF_SAID) == []
    assert browser.run(WORDS) == ["Marián", "Magdaléna", "Kratochvílová"]
    browser.screen(320, 568)
    for path in ("rates", "matches", "alerts", "people"):
        browser.open(f"{hub_pages}{path}")
        assert browser.run(BROKEN) == [], path


def test_a_wall_that_nobody_is_signed_in_at_any_more_leads_to_where_one_signs_in(
    hub_pages: str, browser: Browser
) -> None:
    browser.open(hub_pages)
    browser.wait_for("return document.body.dataset.connection === 'live'")
    browser.run("""
    const page = new DOMParser().parseFromString(await (await fetch('alerts')).text(), 'text/html');
    const form = page.querySelector('form[action$=signout]');
    await fetch('signout', { method: 'POST', body: new URLSearchParams(new FormData(form)) });
    """)
    browser.wait_for("return location.pathname === '/signin'")


class TestNotifications:
    @pytest.fixture
    def browser(self) -> Iterator[Browser]:
        with chromium(whole=True) as browser:
            yield browser

    def test_a_phone_is_called_that_asks_for_it(self, hub_pages: str, hall: Hall, browser: Browser) -> None:
        browser.command("Browser.grantPermissions", permissions=["notifications"], origin=hub_pages.rstrip("/"))
        browser.open(f"{hub_pages}alerts")
        browser.wait_for("return !document.getElementById('phone-call').hidden")
        browser.run(SUBSCRIBED)
        press(browser, "#phone-call")
        browser.wait_for("return !document.getElementById('phone-leave').hidden")
        assert browser.run("return window.asked") == 65
        found = "select who, endpoint from subscriptions where endpoint = 'https://push.example/1'"
        assert rows(hall, found) == [("Běla", "https://push.example/1")]

        # What the hub sends, by way of a push service that is not here: the worker shows it.
        browser.command("ServiceWorker.enable")
        shown = (
            "return navigator.serviceWorker.ready.then((one) => one.getNotifications())"
            ".then((all) => all.map(({title, body, tag, renotify}) => `${title}|${body}|${tag}|${renotify}`))"
        )
        data = msgspec.json.encode(
            {"board": "board-1", "sentence": "That play is not legal.", "tag": "board-1 flag"}
        ).decode()
        origin = hub_pages.rstrip("/")

        def called() -> bool:
            for number in WORKERS:
                browser.command("ServiceWorker.deliverPushMessage", origin=origin, registrationId=number, data=data)
            return bool(browser.run(shown))

        eventually(called)
        assert browser.run(shown) == ["board-1|That play is not legal.|board-1 flag|true"]

        # The browser keeps its place at the push service; whether the hub still calls it, the hub knows.
        kept = browser.command("Page.addScriptToEvaluateOnNewDocument", source=KEPT)
        browser.open(f"{hub_pages}alerts")
        browser.wait_for("return !document.getElementById('phone-leave').hidden")
        with psycopg.connect(hall.database.url) as connection:
            connection.execute("delete from subscriptions")
        browser.open(f"{hub_pages}alerts")
        browser.wait_for("return !document.getElementById('phone-call').hidden")
        assert browser.run("return document.getElementById('phone').textContent") == "This phone is not called."
        press(browser, "#phone-call")
        browser.wait_for("return !document.getElementById('phone-leave').hidden")
        assert browser.run("return window.left")
        assert rows(hall, found) == [("Běla", "https://push.example/1")]
        # Of one whose database is away nobody knows anything else.
        away = browser.command("Page.addScriptToEvaluateOnNewDocument", source=AWAY)
        browser.open(f"{hub_pages}alerts")
        browser.wait_for(
            "return document.getElementById('phone').textContent === 'This phone is called when a board needs somebody.'"
        )
        browser.command("Page.removeScriptToEvaluateOnNewDocument", identifier=away["identifier"])
        browser.command("Page.removeScriptToEvaluateOnNewDocument", identifier=kept["identifier"])

        # A browser takes no worker from a page whose certificate it does not trust.
        refused = browser.command("Page.addScriptToEvaluateOnNewDocument", source=REFUSED)
        browser.open(f"{hub_pages}alerts")
        browser.wait_for(
            "return document.getElementById('phone').textContent.startsWith('This browser can\\'t be called')"
        )
        browser.command("Page.removeScriptToEvaluateOnNewDocument", identifier=refused["identifier"])
