"""Sends what is the same for every visitor compressed, to whoever takes it so.

Nothing that holds an operator's secrets is: from the length of such an answer, with a little of it chosen by somebody else, the
rest can be guessed (BREACH).
"""

from __future__ import annotations

import gzip
from functools import lru_cache

from flask import Flask, Response, request

SAME_FOR_ALL = frozenset({"static", "board", "later", "manifest", "worker"})
"""Endpoints."""
TEXTS = ("text/", "application/json", "image/svg")
SMALLEST = 512
"""Bytes: in less the saving is lost in the packet."""


def add_packing(app: Flask) -> None:
    """From now on its answers are packed."""
    app.after_request(_pack)


def _pack(answer: Response) -> Response:
    if (
        request.endpoint not in SAME_FOR_ALL
        or answer.status_code != 200
        or not (answer.mimetype or "").startswith(TEXTS)
    ):
        return answer
    answer.vary.add("Accept-Encoding")
    if not request.accept_encodings["gzip"]:
        return answer
    answer.direct_passthrough = False
    body = answer.get_data()
    if len(body) < SMALLEST:
        return answer
    answer.set_data(_packed(body))
    answer.headers["Content-Encoding"] = "gzip"
    tag, _ = answer.get_etag()
    if tag:
        answer.set_etag(tag, weak=True)  # The same content in other bytes (RFC 9110, 8.8.1).
    return answer


@lru_cache(maxsize=256)
def _packed(body: bytes) -> bytes:
    return gzip.compress(body, 9, mtime=0)
