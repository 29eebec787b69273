"""Asks the hub's database for a page: opened for one answer; where it is away, the page says so (503)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TypeVar

from werkzeug.exceptions import BadRequest, ServiceUnavailable

from controller.hub.errors import StoreError, ValueRefused
from controller.hub.store import Database

Kind = TypeVar("Kind", bound=Database)


@contextmanager
def database(kind: type[Kind], url: str) -> Iterator[Kind]:
    """A connection of that kind. url: of the database. Raises ServiceUnavailable where it fails, BadRequest where
    it can't be asked with what the request has."""
    try:
        with closing(kind(url)) as opened:
            yield opened
    except ValueRefused as error:
        raise BadRequest from error
    except StoreError as error:
        raise ServiceUnavailable from error
