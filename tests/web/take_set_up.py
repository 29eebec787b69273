"""Takes the set-up's pictures of the running program: python -m tests.web.take_set_up writes docs/screens/set-up-*.jpg."""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.programs import Running, running
from tests.web.browser import GO_ON, Browser, chromium, enter
from tests.web.take_screens import PHONE, WIDE, take

CLICK = "document.querySelector(arguments[0]).click()"
SETTINGS = '[camera]\nsource = "simulator"\n[panel]\nkind = "virtual"\n'
SHOWN = ("direction", "position", "practice", "ready")
"""The steps that are kept, of ten: those that show most, and the last."""


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


def main() -> None:
    """A table of its own, that nobody has set up."""
    with TemporaryDirectory(prefix="vrhcab-screens-") as folder, chromium() as browser:
        settings = Path(folder) / "vrhcab.toml"
        settings.write_text(SETTINGS)
        with running(Path(folder), "run", "--config", str(settings)) as program:
            program.wait_until(program.state)
            walk(browser, program)


if __name__ == "__main__":
    main()
