"""What the page is answered where something can't be done: the sentence, in every language."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from msgspec import UNSET
from msgspec.structs import replace

from controller.errors import ControllerError
from controller.referee.commands import CommandError, ScoreChangesError
from vision.sentence import Sentence
from web.operator import Answer, NoBoard, Refusal
from web.words import message


@contextmanager
def refusing() -> Iterator[None]:
    """Whatever a person's command comes up against, in the rules or in the course of the match, is why it is refused: raises
    CommandError for it."""
    try:
        yield
    except CommandError:
        raise
    except ControllerError as error:
        raise CommandError(error.sentence) from error


def refused(why: CommandError | Sentence) -> Answer:
    """A command that is not carried out."""
    if not isinstance(why, CommandError):
        return Answer(False, str(why), message=message(why))
    answer = Answer(False, str(why), asks=isinstance(why, ScoreChangesError) or UNSET, message=message(why.sentence))
    return replace(answer, lead=str(why.lead), translations=why.translations) if why.translations else answer


def refusal(why: ControllerError | Sentence) -> Refusal:
    """A question without an answer."""
    sentence = why if isinstance(why, Sentence) else why.sentence
    return Refusal(str(sentence), message(sentence))


def no_board(why: ControllerError | Sentence, size: tuple[int, int] | None) -> NoBoard:
    """A picture, of that size, in which no board was found."""
    sentence = why if isinstance(why, Sentence) else why.sentence
    return NoBoard(str(sentence), size, message(sentence))
