"""Takes the pictures of running programs: python -m tests.web.take_running writes docs/screens/set-up-*.jpg, demo.jpg and wall.jpg.

The set-up of a new table, a game of the demo in which the referee has just said something, and sixteen boards on a hub's wall. The
wall needs Mosquitto and PostgreSQL, as `vrhcab hub demo` does.
"""

from __future__ import annotations

import argparse
import re
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.programs import Running, running
from tests.web.browser import GO_ON, Browser, chromium, enter
from tests.web.take_screens import PHONE, WIDE, take

CLICK = "document.querySelector(arguments[0]).click()"
SETTINGS = '[camera]\nsource = "simulator"\n[panel]\nkind = "virtual"\n'
SHOWN = ("direction", "position", "practice", "ready")
"""The steps that are kept, of ten: those that show most, and the last."""
DEMO = ("demo", "--seed", "1", "--errors", "many", "--speed", "2")
SAYS = "return document.body.dataset.sequence >= 40 && document.querySelector('.flag.standing') !== null"


def reach(browser: Browser, step: str) -> None:
    """Walks on to a step; each has seen what it is for before it is left."""
    while (now := browser.run("return document.body.dataset.step")) != step:
        seen(browser, now)
        browser.run(GO_ON, now)
        browser.wait_for("return document.body.dataset.step !== arguments[0]", now, seconds=30)
    seen(browser, step)


def seen(browser: Browser, step: str) -> None:
    """Waits until a step has seen what it is for; lights the lamps and presses the buttons where they are its."""
    if step == "game":  # the match stays as it is
        return
    if step == "lamps":
        browser.run(CLICK, "#run-lamps")
        browser.run("document.querySelectorAll('#buttons button').forEach((one) => one.click())")
    browser.wait_for("return document.getElementById('next').classList.contains('main')", seconds=60)


def still(browser: Browser, width: int, height: int) -> None:
    """A light screen of that size on which checkers stand at once where they were moved to."""
    browser.screen(width, height)
    wanted = {"prefers-color-scheme": "light", "prefers-reduced-motion": "reduce"}
    browser.command("Emulation.setEmulatedMedia", features=[{"name": one, "value": is_} for one, is_ in wanted.items()])


def walk(browser: Browser, program: Running) -> None:
    """From sign-in to ready, a picture of each step in every size and appearance."""
    found = program.wait_until(lambda: re.search(r"PIN of the operator's desk: (\d{6})", program.output))
    base = f"http://127.0.0.1:{program.port}"
    browser.open(f"{base}/?lang=en")
    enter(browser, base, str(found[1]))
    browser.open(f"{base}/setup")
    browser.wait_for("return document.body.dataset.step")
    for step in SHOWN:
        reach(browser, step)
        for width, height in (PHONE, WIDE):
            for scheme in ("light", "dark"):
                browser.screen(width, height, scheme)
                take(browser, f"set-up-{step}-{width}x{height}-{scheme}")


def set_up(browser: Browser, folder: Path) -> None:
    """A table of its own, that nobody has set up."""
    settings = folder / "vrhcab.toml"
    settings.write_text(SETTINGS)
    with running(folder, "run", "--config", str(settings)) as program:
        program.wait_until(program.state)
        walk(browser, program)


def demo(browser: Browser, folder: Path) -> None:
    """The page while the simulated players play, at the first thing that the referee says after some turns."""
    with running(folder, *DEMO) as program:
        program.wait_until(program.state)
        still(browser, 1280, 900)
        browser.open(f"http://127.0.0.1:{program.port}/?lang=en")
        browser.wait_for(SAYS, seconds=300)
        take(browser, "demo")


def wall(browser: Browser, folder: Path) -> None:
    """Sixteen boards, some turns after their games have begun."""
    with running(folder, "hub", "demo") as program:
        base = f"http://127.0.0.1:{program.port}"
        program.wait_until(lambda: base in program.output)
        still(browser, 1440, 810)
        browser.open(f"{base}/?lang=en")
        browser.wait_for("return document.querySelectorAll('.tile').length === 16", seconds=60)
        time.sleep(60)
        take(browser, "wall")
        program.stop()


TAKEN = {"set-up": set_up, "demo": demo, "wall": wall}


def main() -> None:
    """All of them, or the one that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="?", choices=TAKEN, help="which: all without it")
    asked = parser.parse_args().what
    for what in [asked] if asked else TAKEN:
        with TemporaryDirectory(prefix="vrhcab-screens-") as folder, chromium() as browser:
            TAKEN[what](browser, Path(folder))


if __name__ == "__main__":
    main()
