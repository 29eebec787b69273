"""What goes wrong in web, as a sentence for people."""


class WebError(RuntimeError):
    """One sentence or two: what happened to the page's server, and what to do."""
