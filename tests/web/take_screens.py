"""Takes the reference screenshots: python -m tests.web.take_screens writes docs/screens/*.jpg. Look at them before a commit."""

from __future__ import annotations

import base64
import time
from pathlib import Path

import msgspec

from tests.web.browser import Browser, chromium
from tests.web.views import board, played_view
from web.app import create_app
from web.hub import ViewHub
from web.server import serve
from web.view import CubeView, FlagView, PlayerView, PlayView, View

FOLDER = Path(__file__).parents[2] / "docs" / "screens"
SIZES = [(360, 740), (768, 1024), (1920, 1080)]
SETTLE = 0.8
"""Seconds that the page needs to stand still: an animation takes about half a second."""


def middle_game() -> View:
    """A view with something of everything: stacks, bar, tray, cube, dice, an open flag and settled ones."""
    plays = [
        ("dark", (5, 3), "8/3 6/3"),
        ("light", (6, 4), "24/18 13/9"),
        ("dark", (6, 6), "24/18*(2) 13/7(2)"),
        ("light", (4, 1), "bar/24 13/9"),
        ("dark", None, "doubles to 2"),
        ("light", None, "takes"),
        ("dark", (6, 2), "18/10"),
        ("light", (5, 4), "24/20 9/4"),
    ]
    return msgspec.structs.replace(
        played_view(1),
        light=PlayerView("Jana", 3, 141, 1, 0),
        dark=PlayerView("Marián", 5, 98, 0, 2),
        points=board("light 24:1 20:1 13:3 9:1 8:2 6:5 4:1; dark 18:1 13:2 10:1 8:2 7:1 6:6"),
        dice=(6, 5),
        turn="dark",
        phase="to play",
        status="To play 6-5: Marián",
        cube=CubeView(2, "light"),
        game=4,
        plays=tuple(PlayView(n, side, dice, text, sure=n != 7) for n, (side, dice, text) in enumerate(plays, 1)),
        flags=(
            FlagView(1, "R02", "light", "Die outside the right half. Roll both again.", 2, "put right"),
            FlagView(2, "R05", "dark", "Play does not match 6-5. Put the checkers back and replay.", 9),
        ),
        panel=("turn: dark", "error", "cube 2: light"),
    )


def take(browser: Browser, name: str) -> None:
    """Saves what the window shows."""
    time.sleep(SETTLE)
    picture = browser.command("Page.captureScreenshot", format="jpeg", quality=88)["data"]
    (FOLDER / f"{name}.jpg").write_bytes(base64.b64decode(picture))


def main() -> None:
    """Each size in light and dark."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    hub = ViewHub()
    hub.publish(middle_game())
    with serve(create_app(hub, streams=8), "127.0.0.1", 0) as server, chromium() as browser:
        for width, height in SIZES:
            for scheme in ("light", "dark"):
                browser.screen(width, height, scheme)
                browser.open(f"http://127.0.0.1:{server.port}/?lang=en")
                browser.wait_for("return document.body.dataset.sequence")
                take(browser, f"viewer-{width}x{height}-{scheme}")


if __name__ == "__main__":
    main()
