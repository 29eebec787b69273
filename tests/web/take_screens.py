"""Takes the reference pictures: python -m tests.web.take_screens writes docs/screens/*.jpg. Look at them before a commit.

Every state of every page on a phone and on a desk's screen, so that each language and appearance comes up; the choices of board and
checkers, and the overlays as a stream has them. take_running.py takes those of running programs: the set-up, the demo, a wall.
"""

from __future__ import annotations

import argparse
import base64
import re
import time
from pathlib import Path

from tests.web.browser import Browser, chromium
from tests.web.states import STATES, House, the_house, visit
from web.overlays import BOARDS, CHECKERS, PARTS

FOLDER = Path(__file__).parents[2] / "docs" / "screens"
PHONE, WIDE = (390, 844), (1440, 900)
LANGUAGES = ("en", "cs", "sk")
SETTLE = 0.8
"""Seconds that the page needs to stand still: an animation takes about half a second."""


def take(browser: Browser, name: str) -> None:
    """Saves what the window shows."""
    time.sleep(SETTLE)
    picture = browser.command("Page.captureScreenshot", format="jpeg", quality=80)["data"]
    (FOLDER / f"{name}.jpg").write_bytes(base64.b64decode(picture))


def file_name(state: str) -> str:
    """The state's name as that of a file."""
    return re.sub(r"\W+", "-", state).strip("-")


def states(house: House, names: list[str]) -> None:
    """Each on a phone and on a wide screen, in another language and appearance."""
    for nth, name in enumerate(names):
        for wide, (width, height) in enumerate((PHONE, WIDE)):
            house.look(width, height, LANGUAGES[(nth + wide) % 3], ("light", "dark")[(nth + wide) % 2])
            visit(house, name)
            take(house.browser, f"{file_name(name)}-{width}")


def choices(house: House) -> None:
    """The choices of board and checkers, and what else lies in a stream's picture."""
    house.look(640, 508, "en", "light")
    for board, checkers in zip(("", *BOARDS), ("", *CHECKERS), strict=True):
        house.again()
        house.open(f"overlay/board?board={board}&checkers={checkers}")
        take(house.browser, f"board-{board or 'walnut'}-{checkers or 'ivory'}")
    house.look(640, 200, "cs", "light")
    for part in (one for one in PARTS if one != "board"):
        visit(house, f"overlay, {part}")
        take(house.browser, f"overlay-{part}")


def main() -> None:
    """All of them, or those whose names begin as asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("states", nargs="?", default="", help='how their names begin, such as "desk"')
    asked = parser.parse_args().states
    FOLDER.mkdir(parents=True, exist_ok=True)
    with chromium() as browser, the_house(browser) as house:
        states(house, [name for name in STATES if name.startswith(asked) and not name.startswith("overlay,")])
        if not asked:
            choices(house)


if __name__ == "__main__":
    main()
