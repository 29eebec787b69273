"""What keeps a hub from working, in a sentence for its operator."""

from __future__ import annotations

from controller.errors import ControllerError


class HubError(ControllerError):
    """What happened, and what to do."""


class StoreError(HubError):
    """The database took or gave nothing; nothing of what was asked has happened, or nobody knows."""
