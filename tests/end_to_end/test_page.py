"""The running program in a real Chromium: a viewer follows, the operator corrects, all come back after a stop."""

from __future__ import annotations

import itertools
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.rules import Position, Side, Xgid, format_xgid
from tests.programs import Running, running
from tests.web.browser import Browser

CLICK = "document.querySelector(arguments[0]).click()"
SEQUENCE = "return Number(document.body.dataset.sequence || 0)"


def pin_of(program: Running) -> str:
    found = program.wait_until(lambda: re.search(r"PIN of the operator's desk: (\d{6})", program.output))
    return str(found[1])


def sign_in(browser: Browser, program: Running, pin: str) -> None:
    browser.open(f"http://127.0.0.1:{program.port}/?lang=en")
    browser.open(f"http://127.0.0.1:{program.port}/desk")
    if browser.run("return document.getElementById('pin') !== null"):
        browser.run("document.getElementById('pin').value = arguments[0]", pin)
        browser.run(CLICK, "form button")
        # A program that nobody has set up leads there.
        browser.wait_for("return document.body.dataset.step")
        browser.open(f"http://127.0.0.1:{program.port}/desk")
    browser.wait_for(SEQUENCE)


@pytest.fixture(scope="class")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A game that goes on by itself; it ends with its tests, as the others would share the machine with it."""
    folder = tmp_path_factory.mktemp("demo")
    with running(folder, "demo", "--seed", "4", "--speed", "3", "--errors", "none") as program:
        program.wait_until(program.state)
        yield program


class TestAGameThatGoesOnByItself:
    def test_a_viewer_follows_the_game(self, browser: Browser, demo: Running) -> None:
        browser.screen(360, 740)
        browser.open(f"http://127.0.0.1:{demo.port}/?lang=cs")
        browser.wait_for(SEQUENCE)
        browser.complaints()
        first = browser.run(SEQUENCE)
        browser.wait_for(f"return Number(document.body.dataset.sequence) > {first}", seconds=40)
        browser.wait_for("return document.querySelectorAll('#plays .play').length > 0", seconds=60)
        assert browser.complaints() == []

    def test_an_overlay_shows_the_same_board(self, browser: Browser, demo: Running) -> None:
        browser.open(f"http://127.0.0.1:{demo.port}/overlay/board?lang=sk")
        browser.wait_for("return document.querySelectorAll('.checker').length === 30", seconds=20)


def turn_by_hand(browser: Browser, roll: str, side: str | None = None) -> int:
    """Throws the roll and plays the first legal play; the lines of the record then."""
    before = int(browser.run("return document.querySelectorAll('#record li').length"))
    if side is not None:
        browser.run(CLICK, f'#who [data-side="{side}"]')
    browser.run(CLICK, f'[data-roll="{roll}"]')
    browser.wait_for(f"return document.querySelector('[data-roll=\"{roll}\"]').getAttribute('aria-pressed') === 'true'")
    browser.wait_for("return document.querySelectorAll('#legal button').length > 0")
    browser.run("document.querySelector('#legal button').click()")
    browser.wait_for(f"return document.querySelectorAll('#record li').length === {before + 1}")
    return before + 1


def test_a_match_by_hand_is_corrected_and_survives_a_restart(browser: Browser, tmp_path: Path) -> None:
    with running(tmp_path, "run", "--source", "none", "--length", "3") as program:
        program.wait_until(program.state)
        pin = pin_of(program)
        sign_in(browser, program, pin)
        assert turn_by_hand(browser, "31", "light") == 1
        assert turn_by_hand(browser, "52") == 2
        browser.run("document.querySelector('#record li:last-child button').click()")
        browser.wait_for("return document.querySelector('#legal [data-play=\"24/23 13/10\"]') !== null")
        browser.run(CLICK, '#legal [data-play="24/23 13/10"]')
        browser.wait_for("return document.getElementById('record').innerText.includes('24/23 13/10')")
        browser.run(CLICK, '[data-command=\'{"type":"undo"}\']')
        browser.wait_for("return !document.getElementById('record').innerText.includes('24/23 13/10')")
        browser.run(CLICK, '[data-command=\'{"type":"redo"}\']')
        browser.wait_for("return document.getElementById('record').innerText.includes('24/23 13/10')")
        assert program.stop() == 0
    with running(tmp_path, "run", "--source", "none", "--length", "3") as again:
        state = again.wait_until(again.state)
        assert next(play["notation"] for play in state["plays"]) == "24/23 13/10"
        sign_in(browser, again, pin)
        assert turn_by_hand(browser, "66") == 3


TAP_ON = """
const place = document.querySelector('.tap.goal') ?? document.querySelector('.tap.source');
place?.dispatchEvent(new MouseEvent('click', {bubbles: true}));
return [place !== null, document.querySelectorAll('#record li').length, document.querySelectorAll('#legal button').length];
"""


def tap_a_turn(browser: Browser, roll: str) -> None:
    """Throws the roll, and taps on the board until the turn is written down; chooses "no legal move" from the list."""
    browser.run(CLICK, f'[data-roll="{roll}"]')
    browser.wait_for("return document.querySelectorAll('.tap.source, #legal button').length > 0")
    while browser.run("return document.querySelector('[data-roll][aria-pressed=true]') !== null"):
        found, _, plays = browser.run(TAP_ON)
        if not found and plays == 1:
            browser.run(
                "document.querySelector('#legal button')?.click()"
            )  # unless the turn has just been written down
        time.sleep(0.05)


def test_a_match_is_played_to_its_end_by_tapping_on_the_board(browser: Browser, tmp_path: Path) -> None:
    last = Position.of({6: 2, 4: 1, 1: 1, 20: 1}, {6: 2, 3: 2, 18: 1})
    with running(tmp_path, "run", "--source", "none") as program:
        program.wait_until(program.state)
        sign_in(browser, program, pin_of(program))
        browser.run(
            "for (const [name, value] of Object.entries(arguments[0])) document.getElementById('new-match')[name].value = value",
            {"light": "Jana", "dark": "Petr", "event": "Open", "rules": "text-001", "xgid": xgid_of(last)},
        )
        browser.run("document.querySelector('#new-match [name=length]').value = 1")
        browser.run("document.getElementById('new-match').requestSubmit()")
        browser.wait_for("return document.getElementById('match').textContent.startsWith('Match to 1 point')")
        rolls = itertools.cycle(("61", "62", "43", "55", "65"))
        while (program.state() or {})["phase"] != "match over":
            tap_a_turn(browser, next(rolls))
        (over, _) = browser.run("return fetch('api/matches').then((answer) => answer.json())")
        assert (over["light"], over["over"], sum(over["score"])) == ("Jana", True, 1)
        assert (program.state() or {})["event"] == "Open"


def xgid_of(position: Position) -> str:
    """That position of a match to 1 with light on roll, before the dice are thrown."""
    return format_xgid(Xgid(position, Side.LIGHT, length=1))


def test_a_viewer_comes_back_when_the_program_does(browser: Browser, tmp_path: Path) -> None:
    with running(tmp_path, "run", "--source", "none") as program:
        program.wait_until(program.state)
        port = program.port
        browser.open(f"http://127.0.0.1:{port}/?lang=en")
        browser.wait_for("return document.getElementById('connection').dataset.state === 'live'")
        program.stop()
        browser.wait_for("return document.getElementById('connection').dataset.state !== 'live'", seconds=40)
    with running(tmp_path, "run", "--source", "none", port=port):
        browser.wait_for("return document.getElementById('connection').dataset.state === 'live'", seconds=60)
