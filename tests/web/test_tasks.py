"""The commonest tasks at the desk of a real referee, in a real Chromium: none takes more taps than it should."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from tests.page.test_operator import Evening
from tests.web.browser import Browser, enter
from tests.web.tasks import GAMMON, STATE, TASKS, begin, timed
from web.app import create_app
from web.desk import Desk
from web.security import PinKeeper
from web.server import serve

WIDTHS = ((320, 568), (390, 844), (768, 1024), (1440, 900))
LANGUAGES = ("en", "cs", "sk")


@pytest.fixture(scope="module")
def at_the_desk(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Browser, str]]:
    evening, keeper = Evening(tmp_path_factory.mktemp("tasks")), PinKeeper(None)
    evening.thread.start()
    app = create_app(evening.hub, streams=8, desk=Desk(evening.desk, keeper))
    with serve(app, "127.0.0.1", 0) as server:
        base = f"http://127.0.0.1:{server.port}"
        enter(browser, base, str(keeper.fresh))
        yield browser, base
    evening.stop.set()
    evening.thread.join()
    evening.journal.close()


@pytest.mark.parametrize("name", TASKS)
def test_a_task_takes_few_taps(at_the_desk: tuple[Browser, str], name: str) -> None:
    browser, base = at_the_desk
    number = list(TASKS).index(name)
    browser.screen(*WIDTHS[number % 4], "dark" if number % 2 else "light")
    browser.command("Network.setCookie", name="lang", value=LANGUAGES[number % 3], url=base)
    hand = begin(browser, base, TASKS[name])
    timed(hand, TASKS[name])
    assert hand.taps <= TASKS[name].most
    assert browser.complaints() == []


def score(browser: Browser) -> list[int]:
    state = browser.run(STATE)
    return [state["light"]["score"], state["dark"]["score"]]


def test_an_earlier_game_is_put_right_and_the_new_score_is_asked_about(at_the_desk: tuple[Browser, str]) -> None:
    browser, base = at_the_desk
    browser.screen(390, 844)
    browser.command("Network.setCookie", name="lang", value="cs", url=base)
    hand = begin(browser, base, GAMMON)
    assert score(browser) == [2, 0]
    hand.tap("#earlier > summary")
    hand.tap("#games summary")
    hand.tap('#games [data-line="2"]')
    browser.wait_for("return document.getElementById('status').innerText.startsWith('Oprava hry 1, tahu 2')")
    assert browser.run("return document.querySelectorAll('#board .checker.dark').length") == 15
    hand.tap('#legal [data-play="7/5 1/off"]')
    browser.wait_for("return document.getElementById('sure').open")
    assert "Jana 2 : 0 Marián změní na 1 : 0" in browser.run("return document.getElementById('sure-words').innerText")
    hand.tap("#sure [value='']")
    assert score(browser) == [2, 0]
    hand.tap('#legal [data-play="7/5 1/off"]')
    hand.tap("#sure [value=yes]")
    hand.wait_for(lambda view: view["light"]["score"] == 1)
    assert hand.taps == 7
    record = json.loads(exported(browser, "json"))
    assert [(game["score"], game["winner"], game["points"]) for game in record["games"]] == [
        ([0, 0], 0, 1),
        ([1, 0], None, None),
    ]
    assert "RE[W+1]" in exported(browser, "sgf")
    browser.wait_for("return document.querySelector('#games .chip')?.innerText === 'Opraveno'")
    hand.tap("[data-command*='undo']")
    hand.wait_for(lambda view: view["light"]["score"] == 2)
    hand.tap("[data-command*='redo']")
    hand.wait_for(lambda view: view["light"]["score"] == 1)
    assert all("409" in one for one in browser.complaints())  # the two that were asked about


def exported(browser: Browser, form: str) -> str:
    address = f"api/matches/{browser.run(STATE)['match_id']}/export.{form}"
    return str(browser.run("return fetch(arguments[0]).then((answer) => answer.text())", address))
