"""Bytes to text and names to safe names: what every text format needs before its own grammar."""

from __future__ import annotations

import re
from itertools import pairwise

from controller.record.model import RecordError
from controller.referee.names import printable

SIZE_LIMIT = 8 * 1024 * 1024
"""The longest real match file at hand has 60 kB; whatever is bigger than this is something else."""

ACTION_LIMIT = 50_000
"""Rolls, plays and cube actions in one record; the longest real match at hand has 733."""

NAME_BYTES = 31
"""GNU Backgammon keeps 31 bytes of a name; with more it loses the other player's name."""

_OTHER_FILES = {
    b"RGMH": "This is eXtreme Gammon's own file; in XG, export the match as text and read that.",
    b"PK\x03\x04": "This is a ZIP archive; unpack it and read the match inside.",
    b"\x1f\x8b": "This file is packed with gzip; unpack it first.",
    b'{"format":"BGF': "This is BGBlitz's own file; in BGBlitz, export the match as text (.mat) and read that.",
    b"<!doctype html": "This is a page for people; read the record that it was made of.",
    b"%PDF": "This is a PDF; no record can be read from it.",
    b"SQLite format 3": "This is a database, not a record; a journal's matches leave it through the archive.",
}
"""First bytes of files that people try: what to say."""

_ENDING = "\x1a\x00"
"""What DOS programs and cut-off copies leave at the end of a text."""

_VOWELS = frozenset("aeiouyáéíóúýůěäöüôøòùìèïêâåæàëîõã")
_RATING_ENDING = re.compile(r"[,\s]*,[,\s]*(?=\d+(?:[.]\d*)?$)")


def decode(data: bytes) -> str:
    """Text of a transcript in whatever encoding, with plain line ends.

    UTF-8 or UTF-16 by their marks, UTF-8 where it fits, else Windows-1250 or Windows-1252, whichever reads like words.
    Raises RecordError for what is too large or no text.
    """
    if len(data) > SIZE_LIMIT:
        raise RecordError(f"The file has {len(data) // 1_000_000} MB; no record is that long.")
    refuse_other_files(data)
    text = _decode(data).rstrip(_ENDING)
    if "\x00" in text:
        raise RecordError("The file is no text; a record in a text format was expected.")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def refuse_other_files(data: bytes) -> None:
    """Raise RecordError, with what to do, for a file of a known kind that is no text."""
    for start, sentence in _OTHER_FILES.items():
        if data.startswith(start):
            raise RecordError(sentence)


def _decode(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    if data[:200].count(0) * 3 > len(data[:200]):
        # Half of the bytes of plain text in UTF-16 are zero; the mark at its front is missing.
        return data.decode("utf-16-le" if data[1:2] == b"\0" else "utf-16-be", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        guesses = [data.decode(name, "replace") for name in ("cp1250", "cp1252")]
        return min(guesses, key=_awkwardness)


def _awkwardness(text: str) -> int:
    """Letters that don't belong, two vowels in a row and three consonants in a row around a letter with an accent.

    Tells "Dvořák" from "Dvoøák" and "Jørgensen" from "Jřrgensen".
    """
    count = 10 * text.count("\ufffd")
    lowered = text.lower()
    for place, letter in enumerate(lowered):
        if letter < "\x80" or not letter.isalpha():
            continue
        around = lowered[max(place - 1, 0) : place + 2]
        vowels = [c in _VOWELS for c in around if c.isalpha()]
        if letter in _VOWELS:
            count += sum(a and b for a, b in pairwise(vowels))
        else:
            count += len(vowels) == 3 and not any(vowels)
    return count


def safe_name(name: str, fallback: str, size: int = NAME_BYTES) -> str:
    """A name that GNU Backgammon and XG read as it stands: no colon, no control characters, no ",1500" at its end, at
    most `size` bytes of UTF-8, never empty."""
    kept = printable(name).replace(":", ";").lstrip(";")
    kept = printable(printable(kept).encode("utf-8")[:size].decode("utf-8", "ignore"))
    return _RATING_ENDING.sub(" ", kept).strip() or fallback


def one_line(value: str, size: int = 200) -> str:
    """A header value on one line, without the double quote that would end it."""
    return printable(value).replace('"', "'")[:size]
