"""The base of every error that vision raises for people."""

from __future__ import annotations

from vision.sentence import Sentence


class VisionError(Exception):
    """One sentence or two for whoever plays: what happened, and what to do. sentence: it, with what it was made of."""

    def __init__(self, code: str = "", /, **values: object) -> None:
        self.sentence = Sentence(code, **values)
        super().__init__(str(self.sentence))
