"""Every page in every state at four widths, in three languages, light and dark: what axe-core objects to, and whether it fits.

    python benchmarks/looks.py [--csv benchmarks/looks.csv] [--states "desk|table"]

A row for each state and look. findings: rules of WCAG 2.1 A and AA that something on the page breaks; wider: px by which it is
wider than the screen; complaints: errors in the browser's console. A state is come to once for both appearances, and all of it is
asked in each. What is in the CSV already of the present sources of the page is
passed over, so that a walk that was cut off goes on.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.rows import add_row, read_rows, stamp  # noqa: E402
from benchmarks.taps import HEIGHTS, LANGUAGES, SCHEMES  # noqa: E402
from tests.web.axe import objections  # noqa: E402
from tests.web.browser import Browser, chromium  # noqa: E402
from tests.web.states import STATES, the_house, visit  # noqa: E402

WIDER = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
AT_REST = """
return document.getAnimations().every((one) => one.playState !== 'running' || one.effect.getTiming().iterations === Infinity);
"""
"""Colours that still change from light to dark would be judged half way."""
EXPECTED = ("401", "404", "403", "503", "429", "ERR_BLOCKED_BY_CLIENT", "409")
"""What a browser says of pages that are not there, closed, or cut off: those states are of such pages."""


def looks() -> Iterator[tuple[int, str, str]]:
    """Every width, language and appearance; neighbours differ in all three, so that a walk cut short has seen something of each."""
    every = [(width, language, scheme) for width in HEIGHTS for language in LANGUAGES for scheme in SCHEMES]
    for nth in range(len(every)):
        yield every[nth * 7 % len(every)]


def pairs() -> Iterator[tuple[int, str]]:
    """Every width and language once; neighbours differ in both."""
    return iter(dict.fromkeys((width, language) for width, language, _ in looks()))


def sources() -> str:
    """A name for the present state of what the pages are made of."""
    asked = subprocess.run(["git", "ls-tree", "HEAD", "web"], cwd=ROOT, capture_output=True, text=True, check=True)
    return asked.stdout.split()[2][:10]


def walked(path: Path | None, tree: str) -> set[tuple[str, ...]]:
    """What the CSV has of these sources."""
    return {
        (row["state"], row["width"], row["language"], row["scheme"])
        for row in (read_rows(path) if path is not None else ())
        if row["sources"] == tree
    }


def look(browser: Browser, row: dict[str, object], path: Path | None, tree: str) -> bool:
    """One row of what the browser shows; whether anything is wrong with it."""
    wider = browser.run(WIDER)
    found = objections(browser)
    said = [one for one in browser.complaints() if not any(known in one for known in EXPECTED)]
    for one in (*found, *said, *([f"{wider} px too wide"] if wider > 0 else [])):
        print(*row.values(), one, sep=", ", flush=True)
    if path:
        add_row(
            path, stamp() | {"sources": tree} | row | {"findings": len(found), "wider": wider, "complaints": len(said)}
        )
    return bool(found or said or wider > 0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--csv", type=Path)
    parser.add_argument("--states", default="")
    options = parser.parse_args()
    tree = sources()
    done = walked(options.csv, tree)
    seen = wrong = 0
    with chromium() as browser, the_house(browser) as house:
        for width, language in pairs():
            names = [name for name in STATES if name.startswith(tuple(options.states.split("|")))]
            house.look(width, HEIGHTS[width], language, SCHEMES[0])
            for nth, name in enumerate(names):
                # Half of the states are loaded light and then turned dark, half the other way round.
                schemes = [one for one in SCHEMES[:: (-1) ** nth] if (name, str(width), language, one) not in done]
                for again, scheme in enumerate(schemes):
                    browser.screen(width, HEIGHTS[width], scheme)
                    if not again:
                        visit(house, name)
                    browser.wait_for(AT_REST)
                    seen += 1
                    wrong += look(
                        browser,
                        {"state": name, "width": width, "language": language, "scheme": scheme},
                        options.csv,
                        tree,
                    )
    print(f"{seen} looks at {len(STATES)} states, something wrong in {wrong}")


if __name__ == "__main__":
    main()
