"""The set-up in a real Chromium against the running program, from nothing at all to ready; left on the way, and gone on with."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.programs import Running, running
from tests.web.browser import GO_ON, Browser

CLICK = "document.querySelector(arguments[0]).click()"
AT = "return document.body.dataset.step === arguments[0]"
SEEN = "return document.getElementById('next').classList.contains('main')"
SETTINGS = '[camera]\nsource = "none"\n[panel]\nkind = "virtual"\n'


def go_on(browser: Browser, step: str) -> None:
    """Waits until this step has seen what it is for, then goes to the next."""
    browser.wait_for(AT, step)
    browser.wait_for(SEEN, seconds=60)
    browser.run(GO_ON, step)


def leave_as_it_is(browser: Browser) -> None:
    """The match is the one that is on, or that the settings name."""
    browser.wait_for(AT, "game")
    browser.run(GO_ON, "game")


def enter(browser: Browser, program: Running) -> None:
    """From the address that the terminal tells to the first step, in English."""
    found = program.wait_until(lambda: re.search(r"PIN of the operator's desk: (\d{6})", program.output))
    browser.screen(360, 740)
    browser.open(f"http://127.0.0.1:{program.port}/?lang=en")
    browser.open(f"http://127.0.0.1:{program.port}/desk")
    browser.run("document.getElementById('pin').value = arguments[0]", found[1])
    browser.run(CLICK, "form.card button")
    browser.wait_for(AT, "language")
    browser.complaints()


def test_from_nothing_to_ready(browser: Browser, tmp_path: Path) -> None:
    with running(tmp_path, "demo", "--seed", "4", "--speed", "3", "--errors", "none") as program:
        program.wait_until(lambda: (view := program.state()) and view["phase"] == "to play")  # a match is on
        assert f"http://127.0.0.1:{program.port}/setup" in program.output
        enter(browser, program)
        go_on(browser, "language")
        go_on(browser, "pin")
        browser.wait_for("return document.getElementById('live').naturalWidth > 600")
        go_on(browser, "picture")
        browser.wait_for(
            "return document.getElementById('corners-found').textContent === 'The board was found.'", seconds=30
        )
        browser.open(f"http://127.0.0.1:{program.port}/")
        browser.wait_for("return document.getElementById('camera').textContent.startsWith('The board is being set up')")
        browser.open(f"http://127.0.0.1:{program.port}/setup")
        browser.wait_for("return document.querySelectorAll('#taken .handle').length === 4", seconds=30)
        go_on(browser, "corners")
        browser.wait_for("return document.querySelectorAll('#ways .way').length === 2")
        assert "bears off at the right" in browser.run("return document.getElementById('direction-words').textContent")
        go_on(browser, "direction")
        leave_as_it_is(browser)
        browser.wait_for(
            "return document.getElementById('checkers-read').textContent === 'All checkers stand right.'", seconds=30
        )
        assert browser.run("return document.querySelectorAll('#board .checker').length") == 30
        go_on(browser, "position")
        browser.wait_for("return document.getElementById('lamps-lead').textContent.startsWith('No panel is connected')")
        go_on(browser, "lamps")
        browser.wait_for("return document.querySelectorAll('#tried .done').length === 3", seconds=60)
        assert "Judged: a legal play" in browser.run("return document.getElementById('tried').textContent")
        go_on(browser, "practice")
        browser.wait_for(AT, "ready")
        browser.wait_for("return document.querySelectorAll('#summary .done').length === 9")
        browser.wait_for("return document.getElementById('ready-weak').textContent.startsWith('The picture is good')")
        assert browser.complaints() == []
        state = program.wait_until(lambda: (view := program.state()) and not view["practice"] and view)
        assert state["match_length"] == 3
        (kept,) = (tmp_path / "vrhcab").glob("*.set-up.json")
        assert json.loads(kept.read_text())["ready"] is True


def test_without_a_camera_it_is_language_pin_game_lamps_and_buttons(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "vrhcab.toml").write_text(SETTINGS)
    with running(tmp_path, "run", "--config", str(tmp_path / "vrhcab.toml")) as program:
        program.wait_until(program.state)
        enter(browser, program)
        go_on(browser, "language")
        go_on(browser, "pin")
        leave_as_it_is(browser)
        browser.wait_for(AT, "lamps")
        browser.run(CLICK, "#run-lamps")
        browser.wait_for("return document.querySelector('[data-lamp=error]').classList.contains('lit')")
        browser.run(CLICK, "[data-button=cube] button")
        browser.wait_for("return document.querySelector('[data-button=cube]').classList.contains('done')")
        program.wait_until(lambda: "Lamps: cube 64: light" in program.output)
        go_on(browser, "lamps")
        browser.wait_for(AT, "ready")
        assert browser.run("return document.getElementById('count').textContent") == "Step 5 of 5"
        browser.run(CLICK, "#leave")
        browser.wait_for("return document.getElementById('dice') !== null")
        assert browser.complaints() == []
