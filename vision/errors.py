"""The base of every error that vision raises for people."""


class VisionError(Exception):
    """One sentence or two for whoever plays: what happened, and what to do."""
