"""The base of every error that web raises for people."""


class WebError(Exception):
    """One sentence or two for whoever runs the page: what happened, and what to do."""
