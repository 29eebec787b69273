"""What all tests share: none of them fails because the machine is slow, and one browser serves all files of tests that need one."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest
from hypothesis import settings

from controller.cli.main import SELDOM
from tests.web.browser import Browser, chromium
from tests.web.standing import Standing, standing
from vision.finding.finder import BoardFinder
from vision.reading.reader import BoardReader
from web import security

settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")

SHIPPED_HASH = security.HASH
# Tests check PINs hundreds of times, and what ships takes a tenth of a second each.
security.HASH = "scrypt:256:8:1"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files that start browsers or whole programs come first: begun last, one would keep the other worker waiting."""
    long = {
        item.path for item in items if "browser" in getattr(item, "fixturenames", ()) or "end_to_end" in item.path.parts
    }
    items.sort(key=lambda item: item.path not in long)


def pytest_collection_finish() -> None:
    """What was imported and collected stays until the end: nobody need look through it for garbage again and again. What comes
    after is looked through as seldom as by `vrhcab` itself (controller/cli/main.py)."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*SELDOM)


@pytest.fixture(scope="session", autouse=True)
def loaded() -> tuple[BoardFinder, BoardReader]:
    """All networks, which stay loaded while somebody uses them: loaded anew by each test they cost a tenth of the whole run."""
    return BoardFinder(), BoardReader()


@pytest.fixture(scope="session")
def one_chromium() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def browser(one_chromium: Browser) -> Iterator[Browser]:
    """A Chromium that begins without cookies or anything else that a page has kept, and leaves none open: what moves there, or
    asks for a server that is gone, would go on beside all other tests."""
    one_chromium.forget()
    yield one_chromium
    one_chromium.open("about:blank")


@pytest.fixture(scope="module")
def stand() -> Iterator[Standing]:
    """A server for all tests of a file: each puts its own application there."""
    with standing() as made:
        yield made
