"""What keeps a hub from working, in a sentence for its operator."""

from __future__ import annotations

from controller.errors import ControllerError


class HubError(ControllerError):
    """What happened, and what to do."""


class StoreError(ControllerError):
    """The database took or gave nothing; nothing of what was asked has happened, or nobody knows. No HubError: who catches
    those, to say them on a page, lets this one pass to whoever opened the database."""


class ValueRefused(StoreError):
    """No database takes what was asked with, such as a text with NUL or too large a number; it is there as before."""
