"""Taps and seconds that the commonest tasks at the desk take, in a real Chromium against the running program.

    python benchmarks/taps.py [--csv benchmarks/taps.csv] [--widths 320,390,768,1440] [--task NAME] [--few]

Each task is done at each width, in each language, in light and dark; with --few in one language and appearance at each width.
taps: touches, two for a choice in a list that opens; keys: characters typed; swipes: how often something had to be scrolled to;
seconds: a script's, from the first touch until the page shows that it is done. A person looks and thinks between two touches, which
no script measures.
"""

from __future__ import annotations

import argparse
import re
import statistics
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.rows import add_row, stamp  # noqa: E402
from tests.programs import Running, running  # noqa: E402
from tests.web.browser import Browser, chromium, enter  # noqa: E402
from tests.web.tasks import TASKS, Hand, begin, timed  # noqa: E402

HEIGHTS = {320: 568, 390: 844, 768: 1024, 1440: 900}
LANGUAGES = ("en", "cs", "sk")
SCHEMES = ("light", "dark")
BY_HAND = '[camera]\nsource = "none"\n[rules.device]\nrole = "monitor"\n'
SIMULATED = '[camera]\nsource = "simulator"\n[panel]\nkind = "virtual"\n'
PRACTICE = "a practice roll begun"


@contextmanager
def signed_in(browser: Browser, settings: str) -> Iterator[tuple[Running, str]]:
    """A program with these settings, at whose desk the browser has signed in; with its address."""
    with TemporaryDirectory(prefix="vrhcab-taps-") as folder:
        file = Path(folder) / "vrhcab.toml"
        file.write_text(settings)
        with running(Path(folder), "run", "--config", str(file)) as program:
            program.wait_until(program.state)
            found = program.wait_until(lambda: re.search(r"PIN of the operator's desk: (\d{6})", program.output))
            base = f"http://127.0.0.1:{program.port}"
            enter(browser, base, str(found[1]))
            yield program, base


def looks(widths: tuple[int, ...], *, few: bool) -> Iterator[tuple[int, str, str]]:
    """Every width, language and appearance; few: each width once."""
    if few:
        yield from ((width, LANGUAGES[nth % 3], SCHEMES[nth % 2]) for nth, width in enumerate(widths))
        return
    for width in widths:
        for language in LANGUAGES:
            for scheme in SCHEMES:
                yield width, language, scheme


def practise(hand: Hand, base: str) -> float:
    """From the desk's top to the practice roll of the set-up; seconds."""
    hand.browser.open(f"{base}/desk")
    hand.browser.wait_for("return document.body.dataset.sequence && !('waits' in document.body.dataset)")
    began = time.monotonic()
    hand.tap("a.to-set-up")
    hand.browser.wait_for("return document.body.dataset.step")
    hand.tap('#progress a[href="#practice"]')
    hand.browser.wait_for("return document.body.dataset.step === 'practice'")
    hand.browser.wait_for("return document.querySelectorAll('#tried li').length > 0")
    return time.monotonic() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--csv", type=Path)
    parser.add_argument("--widths", default="320,390,768,1440")
    parser.add_argument("--task")
    parser.add_argument("--few", action="store_true")
    options = parser.parse_args()
    widths = tuple(int(width) for width in options.widths.split(","))
    tasks = {name: task for name, task in TASKS.items() if options.task in (None, name)}
    seconds: dict[str, list[float]] = {}
    with chromium() as browser:

        def note(name: str, look: tuple[int, str, str], hand: Hand, took: float) -> None:
            width, language, scheme = look
            row = {"task": name, "width": width, "language": language, "scheme": scheme}
            row |= {"taps": hand.taps, "keys": hand.keys, "swipes": hand.swipes, "seconds": f"{took:.2f}"}
            seconds.setdefault(f"{name}: {hand.taps} taps", []).append(took)
            if options.csv:
                add_row(options.csv, stamp() | row)

        with signed_in(browser, BY_HAND) as (_, base):
            for look in looks(widths, few=options.few):
                browser.screen(look[0], HEIGHTS[look[0]], look[2])
                browser.open(f"{base}/desk?lang={look[1]}")
                for name, task in tasks.items():
                    hand = begin(browser, base, task)
                    note(name, look, hand, timed(hand, task))
        if options.task in (None, PRACTICE):
            with signed_in(browser, SIMULATED) as (_, base):
                for look in looks(widths, few=options.few):
                    browser.screen(look[0], HEIGHTS[look[0]], look[2])
                    browser.open(f"{base}/desk?lang={look[1]}")
                    hand = Hand(browser)
                    note(PRACTICE, look, hand, practise(hand, base))
    for name, took in seconds.items():
        print(f"{name}, {statistics.median(took):.2f} s ({len(took)} looks, longest {max(took):.2f} s)")


if __name__ == "__main__":
    main()
