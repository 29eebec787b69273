"""One server for a whole file of tests, each with an application of its own behind it; who has signed in stays so.

A server, a first page and a sign-in for each test cost more than most tests themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from flask import Flask

from tests.web.browser import Browser
from web.app import bare_app
from web.hub import ViewHub
from web.server import Server, serve
from web.sessions import Door, door_of

STILL = "/static/icon.svg"
"""Asks for nothing; of the same origin, as the browser begins a process anew for each page after a blank one."""


class Standing:
    """The server. What a page of an earlier test still asks is answered by what stands behind it now, or has been answered."""

    def __init__(self, server: Server, front: Flask) -> None:
        self.server, self._front = server, front
        self.base = f"http://127.0.0.1:{server.port}"

    def put(self, app: Flask) -> Server:
        """This application answers from now on."""
        kept: Door = door_of(self._front)
        kept.large.update(door_of(app).large)
        app.extensions["door"] = kept
        self._front.wsgi_app = app.wsgi_app  # type: ignore[method-assign]  # as Flask says it is done
        return self.server

    def begin(self, browser: Browser, language: str = "en") -> None:
        """The browser leaves whatever page it shows, and forgets all but that it has signed in."""
        browser.open(f"{self.base}{STILL}")
        kinds = "local_storage,session_storage,service_workers,cache_storage"
        browser.command("Storage.clearDataForOrigin", origin=self.base, storageTypes=kinds)
        browser.command("Network.setCookie", name="lang", value=language, url=self.base)


@contextmanager
def standing() -> Iterator[Standing]:
    """Until the block ends."""
    front = bare_app(ViewHub(), 8)
    with serve(front, "127.0.0.1", 0) as server:
        yield Standing(server, front)
