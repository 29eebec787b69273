"""Nothing that people must read whole is cut or broken in two, on a phone and on a wide screen."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.web.browser import Browser
from tests.web.states import House, the_house, visit

CUT = """
return [...document.querySelectorAll('.players .name')].filter((one) =>
  one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight + 2).map((one) => one.textContent);
"""
BROKEN = "return [...document.querySelectorAll('code')].filter((one) => one.getClientRects().length > 1).length"
TEXT_LINES = """
return [...document.querySelectorAll('.chouette td:nth-child(3)')].map((one) => {
  const range = document.createRange();
  range.selectNodeContents(one);
  return new Set([...range.getClientRects()].map((each) => Math.round(each.top))).size;
});
"""


@pytest.fixture(scope="module")
def house(browser: Browser) -> Iterator[House]:
    with the_house(browser) as made:
        yield made


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1440, 900)])
def test_the_players_of_a_replay_are_called_by_their_whole_names(house: House, width: int, height: int) -> None:
    house.look(width, height, "sk", "light")
    for state in ("replay", "replay, what was better"):
        visit(house, state)
        assert "Eva Dvořáková" in house.browser.run("return document.querySelector('.players').innerText")
        assert house.browser.run(CUT) == [], state


def test_a_command_and_an_amount_stand_on_one_line(house: House) -> None:
    house.look(390, 844, "en", "light")
    visit(house, "sign-in")
    assert house.browser.run("return document.querySelectorAll('code').length") == 4
    assert house.browser.run(BROKEN) == 0
    house.look(1440, 900, "sk", "light")
    visit(house, "viewer, a chouette")
    lines = "return [...document.querySelectorAll('.chouette .won')].map((one) => one.innerText)"
    assert house.browser.run(lines) == ["3 (7,50 €)", "−1 (−2,50 €)", "−2 (−5,00 €)"]
    assert house.browser.run(TEXT_LINES) == [1, 1, 1]
