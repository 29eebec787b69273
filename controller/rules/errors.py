"""What the rules raise on bad input; every message is one sentence for a player."""

from __future__ import annotations

from controller.errors import ControllerError


class RulesError(ControllerError):
    """Bad input to the rules: a position, dice, a notation or a rule set that cannot be."""


class NotationError(RulesError):
    """Text that is no play, or no ID."""


class AmbiguousPlayError(NotationError):
    """Text that fits more than one legal play with different results."""


class RuleSetError(RulesError):
    """An unknown key, a value that a key cannot have, or keys that exclude each other."""
