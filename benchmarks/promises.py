"""What docs/page.md promises of the page's lightness and honesty, measured in a real Chromium: a row for each in promises.csv.

    python benchmarks/promises.py [--csv benchmarks/promises.csv] [--lighthouse FOLDER]

first load: bytes that a viewer's page takes, compressed; at rest: requests while nothing happens; no connection: seconds until it
says that nothing is heard of a server that is frozen, and through a network that swallows everything; layout shift: the largest
of all pages in every look. --lighthouse: a folder in which npm has installed it; its scores of the viewers' page, on a phone.
load: of the machine, which figures in seconds and Lighthouse's performance depend on.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.looks import looks  # noqa: E402
from benchmarks.rows import add_row, stamp  # noqa: E402
from benchmarks.taps import HEIGHTS  # noqa: E402
from tests.web.browser import Browser, chromium  # noqa: E402
from tests.web.network import network  # noqa: E402
from tests.web.states import the_house, visit  # noqa: E402
from tests.web.test_browser import STATE, program  # noqa: E402
from tests.web.test_steady import SHIFTS  # noqa: E402
from tests.web.test_weight import loaded  # noqa: E402
from tests.web.views import late_game  # noqa: E402
from web.app import create_app  # noqa: E402
from web.hub import ViewHub  # noqa: E402
from web.server import serve  # noqa: E402

STEADY = ("viewer", "desk", "table", "replay", "overlays", "my games", "report", "viewer, the match over", "sign-in")
"""States that a page comes to by loading alone."""
FLAGS = "--headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage"
TRIES = 3


def first_load(language: str) -> int:
    """Bytes of the viewers' page with all that it needs, and of the newest view."""
    hub = ViewHub()
    hub.publish(late_game())
    client = create_app(hub).test_client()
    client.get(f"/?lang={language}")
    return sum(dict(loaded(client)).values()) + len(client.get("/api/state").data)


def requests_a_minute(browser: Browser) -> int:
    """Of a page that shows a game in which nothing happens."""
    hub = ViewHub()
    hub.publish(late_game())
    asked = "return performance.getEntriesByType('resource').length"
    with serve(create_app(hub), "127.0.0.1", 0) as server:
        browser.open(f"http://127.0.0.1:{server.port}/")
        browser.wait_for(STATE, "live")
        time.sleep(3)
        before = browser.run(asked)
        time.sleep(60)
        return int(browser.run(asked) - before)


def until_it_says_so(browser: Browser) -> float:
    """Seconds until the page says that nothing is heard."""
    began = time.monotonic()
    browser.wait_for(STATE, "lost", seconds=60)
    return time.monotonic() - began


def frozen(browser: Browser, streams: int) -> float:
    """The same of a server that stops. streams 0: for a page that asks, as all places are taken."""
    with program(streams) as (port, process):
        browser.open(f"http://127.0.0.1:{port}/")
        browser.wait_for(STATE, "live", seconds=60)
        process.send_signal(signal.SIGSTOP)
        return until_it_says_so(browser)


def swallowed(browser: Browser) -> float:
    """The same through a network in which nothing arrives any more."""
    with program(8) as (port, _), network(port) as between:
        browser.open(f"http://127.0.0.1:{between.port}/")
        browser.wait_for(STATE, "live", seconds=60)
        between.swallow()
        return until_it_says_so(browser)


def largest_shift(browser: Browser) -> tuple[float, int]:
    """Cumulative layout shift of the page that moves most, and how many were looked at."""
    browser.command("Page.addScriptToEvaluateOnNewDocument", source=SHIFTS)
    most, seen = 0.0, 0
    with the_house(browser) as house:
        for width, language, scheme in looks():
            house.look(width, HEIGHTS[width], language, scheme)
            for name in STEADY:
                visit(house, name)
                browser.run("return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
                most, seen = max(most, float(browser.run("return window.shifted"))), seen + 1
    return most, seen


def lighthouse(folder: Path) -> dict[str, int]:
    """Its scores out of a hundred, by category: the best of a few tries, as a busy machine only takes away."""
    hub = ViewHub()
    hub.publish(late_game())
    best: dict[str, int] = {}
    with serve(create_app(hub, streams=8), "127.0.0.1", 0) as server, TemporaryDirectory() as out:
        report = Path(out) / "report.json"
        for _ in range(TRIES):
            subprocess.run(
                [
                    str(folder / "node_modules/.bin/lighthouse"),
                    f"http://127.0.0.1:{server.port}/",
                    "--quiet",
                    "--output=json",
                    f"--output-path={report}",
                    f"--chrome-flags={FLAGS}",
                    "--only-categories=performance,accessibility,best-practices,seo",
                ],
                check=True,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            for name, found in json.loads(report.read_bytes())["categories"].items():
                best[name] = max(best.get(name, 0), round(found["score"] * 100))
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--csv", type=Path)
    parser.add_argument("--lighthouse", type=Path)
    options = parser.parse_args()

    def note(promise: str, figure: float, unit: str, most: float, sample: int) -> None:
        row = {"promise": promise, "figure": round(figure, 3), "unit": unit, "bound": most, "sample": sample}
        print(row, flush=True)
        if options.csv:
            add_row(options.csv, stamp() | row | {"load": round(os.getloadavg()[0], 1)})

    for language in ("en", "cs", "sk"):
        note(f"first load, {language}", first_load(language), "bytes", 110_000, 1)
    with chromium() as browser:
        for what, seconds in (
            ("a frozen server", [frozen(browser, 8) for _ in range(TRIES)]),
            ("a frozen server, asked", [frozen(browser, 0) for _ in range(TRIES)]),
            ("a network that swallows", [swallowed(browser) for _ in range(TRIES)]),
        ):
            note(f"no connection, {what}", max(seconds), "s", 5, TRIES)
        note("at rest", requests_a_minute(browser), "requests/min", 0, 1)
    if options.lighthouse:
        for name, score in lighthouse(options.lighthouse).items():
            note(f"Lighthouse, {name}", score, "of 100", 100, TRIES)
    with chromium() as browser:
        most, seen = largest_shift(browser)
        note("layout shift", most, "", 0.1, seen)


if __name__ == "__main__":
    main()
