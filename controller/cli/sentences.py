"""What a person is told in the terminal: the sentence of every error."""

from __future__ import annotations

import errno
from contextlib import suppress

import click

from controller.errors import ControllerError
from vision.errors import VisionError
from web.errors import WebError

OPENCV_NO_MEMORY = -4
"""cv::Error::StsNoMem."""


def sentence_of_error(error: Exception) -> str | None:
    """What a person is told. Our own errors hold a sentence, the system's get one here; None: a fault of ours."""
    if isinstance(error, ControllerError | VisionError | WebError):
        return str(error)
    if isinstance(error, UnicodeError):
        return f"{getattr(error, 'object', 'A name')!a} is no readable text. Write it in UTF-8, a machine's name in letters."
    if isinstance(error, ValueError) and "embedded null" in str(error):  # Each Python goes on in its own words.
        return "The name of a file can't hold a zero byte. Give another."
    home = type(error).__module__.split(".")[0]
    if isinstance(error, MemoryError) or (home == "cv2" and getattr(error, "code", 0) == OPENCV_NO_MEMORY):
        return "This machine ran out of memory. Close other programs, or use smaller pictures."
    if home == "cv2":
        why = " ".join(str(getattr(error, "err", None) or error).split())
        return f"OpenCV can't work with this picture or video ({why}). Try another one."
    if isinstance(error, OSError) and error.errno == errno.EBADF:
        return "What was to be printed is lost: standard output is closed. Send it to a file, or to /dev/null."
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename or 'The system'}: {error.strerror}. Check the path, its permissions and the disk."
    return None


def print_sentence(sentence: str) -> None:
    """Tells the terminal. The referee goes on where that is gone."""
    with suppress(OSError):
        click.echo(sentence)
