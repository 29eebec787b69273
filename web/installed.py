"""What lets a phone keep the page like an app: its manifest, and the worker that has it there without a network."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Flask, Response

from web.api import Media, Schema, described
from web.pages import json_answer

BACKGROUND = "#f5efe4"
MANIFEST: dict[str, Any] = {
    "name": "Vrhcáb",
    "short_name": "Vrhcáb",
    "id": "./",
    "start_url": "./",
    "scope": "./",
    "display": "standalone",
    "theme_color": BACKGROUND,
    "background_color": BACKGROUND,
    "icons": [
        {"src": "static/icon.svg", "sizes": "any", "type": "image/svg+xml"},
        {"src": "static/icon-192.png", "sizes": "192x192", "type": "image/png"},
        {"src": "static/icon-512.png", "sizes": "512x512", "type": "image/png"},
        {"src": "static/icon-full-512.png", "sizes": "512x512", "type": "image/png", "purpose": "maskable"},
    ],
}
"""Addresses beside the page's, so that it may lie anywhere on a server."""


def add_installed(app: Flask) -> None:
    """Adds the two addresses."""

    @app.get("/manifest.json")
    @described("What a phone needs to keep the page like an app", Schema({"type": "object"}))
    def manifest() -> Response:
        return json_answer(msgspec.json.encode(MANIFEST))

    @app.get("/worker.js")
    @described("The worker that keeps the page", Media(("text/javascript",), text=True))
    def worker() -> Response:
        # Beside the page: a worker serves nothing above its own address.
        answer = app.send_static_file("worker.js")
        answer.headers["Cache-Control"] = "no-cache"
        return answer
