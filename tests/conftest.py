"""What all tests share: none of them fails because the machine is slow, and each file of browser tests has one browser."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests.web.browser import Browser, chromium

settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A Chromium that begins without cookies or anything else that a page has kept."""
    with chromium() as browser:
        yield browser
