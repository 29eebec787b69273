"""A real Chromium for the tests, driven through chromedriver's WebDriver interface (W3C) with the standard library."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.programs import free_port

CHROMIUMS = ["chromium-headless-shell", "chromium", "chromium-browser"]
FLAGS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--hide-scrollbars",
    "--force-device-scale-factor=1",
    "--lang=en-US",
]

GO_ON = """
const left = document.getElementById(arguments[0]);
while (!left.hidden) {
  document.getElementById("next").click();
  await new Promise((later) => setTimeout(later, 50));
}
"""
"""Goes on from that step of the set-up: a press counts a moment after the last."""


class Browser:
    """One window. Scripts are JavaScript function bodies: run("return document.title")."""

    def __init__(self, driver: str, session: str) -> None:
        self._base = f"{driver}/session/{session}"
        self._server = ""
        self._origins: set[str] = set()
        self.command("Page.addScriptToEvaluateOnNewDocument", source=SEEN_BEFORE)

    def forget(self, *, first_visit: bool = False) -> None:
        """Goes on in a window without anything that a page has kept or a test has set. first_visit: it has not seen the hints of
        the first visit yet."""
        new = _ask("POST", f"{self._base}/window/new", {"type": "tab"})["handle"]
        _ask("DELETE", f"{self._base}/window")
        _ask("POST", f"{self._base}/window", {"handle": new})
        self.command("Network.clearBrowserCookies")
        self.command("Network.clearBrowserCache")
        self.command("Browser.resetPermissions")
        for origin in self._origins:
            self.command("Storage.clearDataForOrigin", origin=origin, storageTypes="all")
        self._origins.clear()
        if not first_visit:
            self.command("Page.addScriptToEvaluateOnNewDocument", source=SEEN_BEFORE)
        self.complaints()

    def open(self, address: str) -> None:
        """Goes to an address and waits until it has loaded."""
        scheme, self._server, *_ = urlsplit(address)
        if self._server:
            self._origins.add(f"{scheme}://{self._server}")
        _ask("POST", f"{self._base}/url", {"url": address})

    def run(self, script: str, *arguments: object) -> Any:
        """What the script returns."""
        return _ask("POST", f"{self._base}/execute/sync", {"script": script, "args": list(arguments)})

    def wait_for(self, script: str, *arguments: object, seconds: float = 10.0) -> Any:
        """Runs the script until it returns something true; fails after some seconds."""
        end = time.monotonic() + seconds
        while not (found := self.run(script, *arguments)):
            assert time.monotonic() < end, f"never true in the browser: {script}\n{self.run(BODY_TEXT)}"
            time.sleep(0.05)
        return found

    def command(self, name: str, /, **parameters: object) -> Any:
        """A DevTools command of Chromium, such as Emulation.setDeviceMetricsOverride."""
        return _ask("POST", f"{self._base}/goog/cdp/execute", {"cmd": name, "params": parameters})

    def screen(self, width: int, height: int, scheme: str = "light") -> None:
        """A screen of that many CSS px, with the device's appearance "light" or "dark"."""
        self.command(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )
        self.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def complaints(self) -> list[str]:
        """What the browser's console says is wrong since the last call: scripts' errors, refused content.

        Not that a server is gone whose page was open before: a page of an earlier test may still ask it for its icon.
        """
        entries = _ask("POST", f"{self._base}/se/log", {"type": "browser"})
        said = [entry["message"] for entry in entries if entry["level"] == "SEVERE"]
        return [one for one in said if f"//{self._server}/" in one or not one.endswith("net::ERR_CONNECTION_REFUSED")]


def enter(browser: Browser, base: str, pin: str) -> None:
    """Opens the desk, with the PIN where it asks for it, and waits until it shows the board."""
    browser.open(f"{base}/desk")
    if browser.run("return document.getElementById('pin') !== null"):
        browser.run("const pin = document.getElementById('pin'); pin.value = arguments[0]; pin.form.submit()", pin)
    browser.wait_for("return document.body.dataset.sequence")


BODY_TEXT = "return document.body.innerText"


SMALL_FIELDS = """
const typed = 'input:not([type=hidden], [type=checkbox], [type=radio], [type=file]), select, textarea';
const fields = [...document.querySelectorAll(typed)];
return fields.filter((one) => parseFloat(getComputedStyle(one).fontSize) < 16).map((one) => one.name || one.id);
"""
"""The names of the fields with letters smaller than 16 px."""


HASTE = 4
HASTY = f"""
for (const name of ['setTimeout', 'setInterval']) {{
  const usual = window[name].bind(window);
  window[name] = (what, ms, ...more) => usual(what, ms / {HASTE}, ...more);
}}
"""


@contextmanager
def hasty(browser: Browser) -> Iterator[Browser]:
    """Pages that are opened meanwhile wait a quarter as long for everything, so that a test need not wait as people do."""
    added = browser.command("Page.addScriptToEvaluateOnNewDocument", source=HASTY)
    try:
        yield browser
    finally:
        browser.command("Page.removeScriptToEvaluateOnNewDocument", identifier=added["identifier"])


SEEN_BEFORE = "try { localStorage.tour = 'seen'; } catch { /* a page without an address keeps nothing */ }"


@contextmanager
def chromium(*, whole: bool = False) -> Iterator[Browser]:
    """A Chromium for tests, the one without a window where chromedriver can use it, which works half as much; skips where the
    machine has none. whole: it has what belongs to a window, such as notifications."""
    programs = [path for name in (CHROMIUMS[1:] if whole else CHROMIUMS) if (path := shutil.which(name))]
    driver = shutil.which("chromedriver")
    if not programs or not driver:
        pytest.skip("needs chromium and chromedriver (Debian: chromium-driver)")
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory(prefix="vrhcab-browser-", ignore_cleanup_errors=True) as kept:
        process = subprocess.Popen(
            [driver, f"--port={port}"],
            env=os.environ | {"TMPDIR": kept},
            start_new_session=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            _until_ready(address)
            session = _session(address, programs)
            try:
                yield Browser(address, session)
            finally:
                _ask("DELETE", f"{address}/session/{session}")
        finally:
            # Debian starts the one without a window by a shell script. Chromedriver ends that, and the browser, which knows nothing
            # of it, would go on for good, with the pages that are open.
            os.killpg(process.pid, signal.SIGKILL)
            process.wait(timeout=10)


def _session(driver: str, programs: list[str]) -> str:
    """That of the first program that chromedriver takes: it refuses those of another version."""
    options = {
        "browserName": "chrome",
        "goog:chromeOptions": {"binary": programs[0], "args": FLAGS},
        "goog:loggingPrefs": {"browser": "ALL"},
    }
    try:
        made: str = _ask("POST", f"{driver}/session", {"capabilities": {"alwaysMatch": options}})["sessionId"]
    except AssertionError:
        if len(programs) == 1:
            raise
        return _session(driver, programs[1:])
    return made


def _until_ready(driver: str) -> None:
    end = time.monotonic() + 20
    while True:
        try:
            if _ask("GET", f"{driver}/status")["ready"]:
                return
        except OSError:
            assert time.monotonic() < end, "chromedriver does not start"
        time.sleep(0.1)


def _ask(method: str, address: str, body: object = None) -> Any:
    data = json.dumps(body).encode() if body is not None else None
    request = urllib.request.Request(address, data, {"Content-Type": "application/json"}, method=method)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)["value"]
    except urllib.error.HTTPError as error:
        raise AssertionError(f"the browser refuses: {json.load(error)['value']['message']}") from error
