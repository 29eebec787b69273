"""The commonest tasks at the desk of a real referee, in a real Chromium: none takes more taps than it should."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.page.test_operator import Evening
from tests.web.browser import Browser, chromium
from tests.web.take_screens import enter
from tests.web.tasks import TASKS, begin, timed
from web.app import create_app
from web.desk import Desk
from web.security import PinKeeper
from web.server import serve

WIDTHS = ((320, 568), (390, 844), (768, 1024), (1440, 900))
LANGUAGES = ("en", "cs", "sk")


@pytest.fixture(scope="module")
def at_the_desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Browser, str]]:
    evening, keeper = Evening(tmp_path_factory.mktemp("tasks")), PinKeeper(None)
    evening.thread.start()
    app = create_app(evening.hub, streams=8, desk=Desk(evening.desk, keeper))
    with serve(app, "127.0.0.1", 0) as server, chromium() as browser:
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
    browser.open(f"{base}/desk?lang={LANGUAGES[number % 3]}")
    hand = begin(browser, base, TASKS[name])
    timed(hand, TASKS[name])
    assert hand.taps <= TASKS[name].most
    assert browser.complaints() == []
