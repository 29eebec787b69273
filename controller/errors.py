"""The base of every error that the controller raises for people."""

from __future__ import annotations

from vision.sentence import Sentence


class ControllerError(Exception):
    """One sentence or two for whoever plays: what happened, and what to do. sentence: it, with what it was made of.

    raise ControllerError("There is no line {number}.", number=7)
    """

    def __init__(self, code: str = "", /, **values: object) -> None:
        self.sentence = Sentence(code, **values)
        super().__init__(str(self.sentence))
