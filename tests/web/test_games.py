"""My games: a player's matches and error rates, in a real Chromium; for viewers only where the operator allows it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.web.axe import AXE, objections
from tests.web.browser import Browser, enter
from tests.web.table import PLAYED, TableReferee
from tests.web.views import start_view
from web.app import create_app
from web.desk import Desk
from web.hub import ViewHub
from web.operator import MatchLine, PlayedMatch, PlayedMatches, PlayerLine, PlayerPoints
from web.security import PinKeeper
from web.server import Server, serve
from web.words import load_words

LISTS = ("/games", "/api/players", "/api/played?player=Jana")
UNITS = "Error rate: thousandths of the cube's value lost for each decision. Luck and errors: multiples of that value."
READY = "return document.querySelectorAll('#matches tr').length === 4"


@pytest.mark.parametrize("address", LISTS)
def test_lists_are_for_operators_unless_the_settings_open_them(address: str) -> None:
    keeper = PinKeeper(None)
    closed = create_app(ViewHub(), desk=Desk(TableReferee(), keeper, public_lists=False))
    viewer, operator = closed.test_client(), closed.test_client()
    operator.post("/desk", data={"pin": keeper.fresh})
    assert (viewer.get(address).status_code, operator.get(address).status_code) == (401, 200)
    # The matches that are over, and what happened in each, are for everybody.
    assert viewer.get("/api/matches").status_code == 200
    assert viewer.get("/replay?match=abc").status_code == viewer.get("/api/matches/abc").status_code == 200
    assert ('href="games"' in viewer.get("/").text, 'href="games"' in operator.get("/").text) == (False, True)
    public = create_app(ViewHub(), desk=Desk(TableReferee(), keeper, public_lists=True)).test_client()
    assert public.get(address).status_code == 200
    assert 'href="games"' in public.get("/").text


def test_a_stranger_s_name_is_not_found() -> None:
    client = create_app(ViewHub(), desk=Desk(TableReferee(), PinKeeper(None))).test_client()
    for name in ("Nobody", "", "%00", "x" * 5000):
        assert client.get(f"/api/played?player={name}").status_code == 404
    assert client.get("/api/played").status_code == 404
    assert client.get("/api/played?player=Jana").json["played"][0]["opponent"] == "Marián"


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    desk = Desk(TableReferee(), PinKeeper(None))
    with serve(create_app(ViewHub(), streams=4, desk=desk), "127.0.0.1", 0) as server:
        yield server


@pytest.mark.parametrize(
    ("width", "language", "scheme"), [(320, "cs", "dark"), (390, "sk", "light"), (1440, "en", "light")]
)
def test_a_player_sees_how_his_error_rate_went(
    browser: Browser, server: Server, width: int, language: str, scheme: str
) -> None:
    base = f"http://127.0.0.1:{server.port}/"
    browser.screen(width, 800, scheme)
    browser.open(f"{base}?lang={language}")
    browser.open(f"{base}games?player=jana")
    browser.wait_for(READY)
    assert browser.run("return document.documentElement.scrollWidth") <= width
    links = browser.run("return [...document.querySelectorAll('#chart a')].map((one) => one.getAttribute('href'))")
    assert links == ["replay?match=c", "replay?match=abc"]  # the one that nobody judged is in the list alone
    heights = browser.run(
        "return [...document.querySelectorAll('#chart circle')].map((one) => Number(one.getAttribute('cy')))"
    )
    assert heights[0] < heights[1]  # 8.4 stands above 5.2
    rates = browser.run("return [...document.querySelectorAll('#matches td:nth-child(3)')].map((one) => one.innerText)")
    number = load_words(language).number
    assert rates == [number(5.2, 1), "–", number(8.4, 1)]
    lately = (5.2 * 120 + 8.4 * 80) / 200
    assert number(lately, 1) in browser.run("return document.getElementById('sum').innerText")
    assert browser.run("return location.search") == "?player=Jana"
    assert load_words(language).translate(UNITS) in browser.run("return document.getElementById('chart').innerText")
    if AXE.exists():
        assert objections(browser) == []
    assert browser.complaints() == []


def test_the_page_opens_with_who_was_looked_at_last(browser: Browser, server: Server) -> None:
    base = f"http://127.0.0.1:{server.port}/"
    browser.screen(390, 844)
    browser.open(f"{base}games?player={PLAYED.name}")
    browser.wait_for(READY)
    browser.run("localStorage.player = 'Marián'")
    browser.open(f"{base}games")
    browser.wait_for("return document.getElementById('said').innerText !== ''")  # of him the table knows nothing
    assert browser.run("return document.getElementById('player').value") == "Marián"
    assert not browser.run("return document.getElementById('one').checkVisibility()")


def test_a_player_beyond_the_list_is_shown_and_a_stranger_named(browser: Browser, server: Server) -> None:
    base = f"http://127.0.0.1:{server.port}/"
    browser.open(f"{base}?lang=en")
    browser.open(f"{base}games?player=Nobody")
    browser.wait_for("return document.getElementById('said').innerText === 'No match is found.'")
    assert browser.run("return document.getElementById('player').value") == "Nobody"
    assert not browser.run("return document.getElementById('one').checkVisibility()")


class Chouette(TableReferee):
    """Three have played."""

    def matches(self) -> tuple[MatchLine, ...]:
        standings = (PlayerPoints("Anna", -2), PlayerPoints("Bob", -2), PlayerPoints("Cyril", 4))
        return (MatchLine("abc", "Anna", "Bob", 0, (0, 0), 4, False, "2026-11-21", standings),)

    def played(self, name: str, hidden: frozenset[str]) -> PlayedMatches | None:
        match = PlayedMatch("abc", "2026-11-21", "Bob, Cyril", 0, (0, 0), False, None, 0, None, -2)
        return PlayedMatches(name, 1, 0, (match,))


def test_of_a_chouette_it_is_told_what_each_has_won(browser: Browser) -> None:
    hub, keeper = ViewHub(), PinKeeper(None)
    hub.publish(start_view())
    with serve(create_app(hub, streams=4, desk=Desk(Chouette(), keeper)), "127.0.0.1", 0) as server:
        base = f"http://127.0.0.1:{server.port}/"
        browser.open(f"{base}?lang=en")
        browser.open(f"{base}games?player=Jana")
        browser.wait_for("return document.querySelectorAll('#matches tr').length === 2")
        row = browser.run("return document.querySelectorAll('#matches tr')[1].innerText")
        assert "Bob, Cyril" in row
        assert "−2 lost" in row
        enter(browser, base, str(keeper.fresh))
        browser.run("document.getElementById('records').open = true")
        browser.wait_for("return document.body.textContent.includes('Anna −2, Bob −2, Cyril +4')")


class Newcomers(TableReferee):
    """Nobody has played yet."""

    def players(self, hidden: frozenset[str]) -> tuple[PlayerLine, ...]:
        return ()


def test_before_the_first_match_it_says_so(browser: Browser) -> None:
    desk = Desk(Newcomers(), PinKeeper(None))
    with serve(create_app(ViewHub(), streams=4, desk=desk), "127.0.0.1", 0) as server:
        browser.open(f"http://127.0.0.1:{server.port}/?lang=en")
        browser.open(f"http://127.0.0.1:{server.port}/games")
        browser.wait_for(
            "return document.getElementById('said').innerText.startsWith('No match of players with names is over yet.')"
        )
        assert not browser.run("return document.getElementById('player').checkVisibility()")
