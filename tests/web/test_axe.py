"""axe-core finds nothing to object to on any page. benchmarks/looks.py asks it about every state in every look."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.web.axe import AXE, objections
from tests.web.browser import Browser
from tests.web.states import House, the_house, visit

pytestmark = pytest.mark.skipif(not AXE.exists(), reason="needs axe-core: tests/system-packages.sh fetches it")

LOOKS = {
    (320, 568, "cs", "dark"): ("sign-in, a wrong PIN", "viewer", "desk", "replay, what was better", "set-up, game"),
    (390, 844, "sk", "light"): ("viewer", "desk", "table", "report, a line corrected", "overlays", "set-up, corners"),
    (768, 1024, "en", "dark"): ("viewer, shown to others", "my games", "set-up, position", "set-up, lamps"),
    (1440, 900, "cs", "light"): ("desk, a play corrected", "replay", "set-up, practice", "set-up, ready"),
}
"""A few states in each; every one of them has been seen with all of it opened."""


@pytest.fixture(scope="module")
def house(browser: Browser) -> Iterator[House]:
    with the_house(browser) as made:
        yield made


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: "-".join(map(str, look)))
def test_nothing_to_object_to(house: House, look: tuple[int, int, str, str]) -> None:
    house.look(*look)
    for name in LOOKS[look]:
        visit(house, name)
        assert objections(house.browser) == [], name
