"""The base of every error that the controller raises for people."""


class ControllerError(Exception):
    """One sentence or two for whoever plays: what happened, and what to do."""
