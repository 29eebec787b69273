"""Takes the reference screenshots: python -m tests.web.take_screens writes docs/screens/*.jpg. Look at them before a commit."""

from __future__ import annotations

import base64
import time
from pathlib import Path

import msgspec

from controller.record.model import Record
from controller.referee.commands import Roll
from controller.rules import Side
from tests.record.examples import example_records
from tests.web.browser import Browser, chromium
from tests.web.table import TableReferee
from tests.web.test_verdict_browser import VERDICT
from tests.web.views import board, played_view
from web.app import create_app
from web.desk import Desk
from web.hub import ViewHub
from web.overlays import BOARDS, CHECKERS
from web.security import PinKeeper
from web.server import serve
from web.view import ClockView, CubeView, FlagView, PlayerView, PlayView, View

FOLDER = Path(__file__).parents[2] / "docs" / "screens"
SIZES = [(360, 740), (768, 1024), (1920, 1080)]
SETTLE = 0.8
"""Seconds that the page needs to stand still: an animation takes about half a second."""


def late_game() -> View:
    """A view with something of everything: Marián bears off and has just hit Jana's last checker in his home board."""
    plays = [
        ("dark", None, "doubles to 2"),
        ("light", None, "takes"),
        ("dark", (6, 5), "6/off 5/off"),
        ("light", (6, 3), "13/7 13/10"),
        ("dark", (5, 4), "5/off 4/off"),
        ("light", (4, 2), "10/6 7/5"),
        ("dark", (4, 2), "6/4 5/1*"),
    ]
    return msgspec.structs.replace(
        played_view(1),
        light=PlayerView("Jana", 3, 120, 1, 0),
        dark=PlayerView("Marián", 5, 49, 0, 5),
        points=board("light 13:1 8:2 7:2 6:4 5:2 4:2 3:1; dark 6:6 4:3 1:1"),
        dice=(6, 1),
        turn="light",
        phase="to play",
        status="To play 6-1: Jana",
        cube=CubeView(2, "light"),
        game=4,
        plays=tuple(PlayView(n, side, dice, text, sure=n != 29) for n, (side, dice, text) in enumerate(plays, 25)),
        flags=(
            FlagView(1, "R02", "light", "Die outside the right half. Roll both again.", 28, "put right"),
            FlagView(
                2,
                "R08",
                "light",
                "Checker on the bar must enter first.",
                32,
                said={"cs": "Nejdříve kámen z přepážky.", "sk": "Najprv kameň z prepážky."},
                options=("put right", "corrected"),
                moved=((13, 7), (8, 7)),
                played="13/7 8/7",
                dice=(6, 1),
                possible="bar/24 13/7",
            ),
        ),
        panel=("turn: light", "error", "cube 2: light"),
        doubtful=(29,),
        clock=ClockView(412.0, 288.0, 12.0, "light", 0.0),
    )


def take(browser: Browser, name: str) -> None:
    """Saves what the window shows."""
    time.sleep(SETTLE)
    picture = browser.command("Page.captureScreenshot", format="jpeg", quality=88)["data"]
    (FOLDER / f"{name}.jpg").write_bytes(base64.b64decode(picture))


def enter(browser: Browser, base: str, pin: str) -> None:
    """Opens the desk, with the PIN where it asks for it, and waits until it shows the board."""
    browser.open(f"{base}/desk")
    if browser.run("return document.getElementById('pin') !== null"):
        browser.run("const pin = document.getElementById('pin'); pin.value = arguments[0]; pin.form.submit()", pin)
    browser.wait_for("return document.body.dataset.sequence")


class Kept(TableReferee):
    """A match to step through."""

    def match(self, identity: str, *, judged: bool) -> Record | None:
        return example_records()["crawford"]


def table() -> TableReferee:
    """A referee to whom 3-1 has been told already, with a verdict on his match."""
    referee = Kept()
    referee.verdict = VERDICT
    referee.command(Roll(dice=(3, 1), side=Side.LIGHT))
    return referee


def main() -> None:
    """Viewer, desk and replay, each size in light and dark, the choices of board and checkers, and the overlays of text."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    hub, keeper = ViewHub(), PinKeeper(None)
    hub.publish(late_game())
    app = create_app(hub, lambda flag: None, streams=8, desk=Desk(table(), keeper))
    with serve(app, "127.0.0.1", 0) as server, chromium() as browser:
        base = f"http://127.0.0.1:{server.port}"
        for width, height in SIZES:
            for scheme in ("light", "dark"):
                browser.screen(width, height, scheme)
                browser.open(f"{base}/?lang=en")
                browser.wait_for("return document.body.dataset.sequence")
                take(browser, f"viewer-{width}x{height}-{scheme}")
                enter(browser, base, str(keeper.fresh))
                browser.wait_for("return document.querySelectorAll('#legal button').length")
                take(browser, f"desk-{width}x{height}-{scheme}")
                browser.open(f"{base}/replay?match=abc#6")
                browser.wait_for("return document.querySelectorAll('.errors li').length")
                browser.run("document.querySelector('.errors li:last-child button').click()")
                take(browser, f"replay-{width}x{height}-{scheme}")
        for width, height, scheme in ((1024, 768, "light"), (390, 844, "dark")):
            browser.screen(width, height, scheme)
            for page in ("table", "overlays"):
                browser.open(f"{base}/{page}")
                browser.wait_for("return document.body.dataset.sequence || document.getElementById('preview')?.src")
                take(browser, f"{page}-{width}x{height}-{scheme}")
        browser.screen(640, 508)
        for board, checkers in zip(("", *BOARDS), ("", *CHECKERS), strict=True):
            browser.open(f"{base}/overlay/board?board={board}&checkers={checkers}")
            browser.wait_for("return document.body.dataset.sequence")
            take(browser, f"board-{board or 'walnut'}-{checkers or 'ivory'}")
        browser.screen(640, 200)
        for part in ("score", "clock", "pips", "bar"):
            browser.open(f"{base}/overlay/{part}?lang=cs")
            browser.wait_for("return document.body.dataset.sequence")
            take(browser, f"overlay-{part}")


if __name__ == "__main__":
    main()
