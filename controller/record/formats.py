"""One door for all formats: a file to a Record and back, by its ending."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import msgspec

from controller.record.mat_reader import read_mat
from controller.record.mat_writer import write_mat, write_printed
from controller.record.model import Record, RecordError
from controller.record.native import decode_json, encode_json
from controller.record.owners import replace_file
from controller.record.replay import build
from controller.record.sgf_reader import read_sgf
from controller.record.sgf_writer import write_sgf
from controller.record.sheet import write_sheet
from controller.record.table import write_csv
from controller.record.table_reader import START, read_csv
from controller.record.text import SIZE_LIMIT, refuse_other_files
from controller.record.words import PRINTED
from controller.rules import RuleSet
from vision.outside import FileRefused, read_regular

_WRITERS: dict[str, Callable[[Record], bytes]] = {
    ".mat": write_mat,
    ".txt": write_mat,
    ".sst": write_mat,
    ".sgf": write_sgf,
    ".json": lambda record: encode_json(record, indent=1),
    ".csv": write_csv,
    **{f".{language}.txt": partial(write_printed, language=language) for language in PRINTED},
    ".html": write_sheet,
    **{f".{language}.html": partial(write_sheet, language=language) for language in PRINTED},
}
WRITTEN = tuple(_WRITERS)
"""Endings that can be written; where several fit, the longest counts."""

_SGF = re.compile(rb"\(\s*;")
"""How Smart Game Format begins: spaces and line ends mean nothing there."""

READ = tuple(ending for ending in WRITTEN if not ending.endswith(".html"))
"""Endings of files that may hold a record: a score sheet is for people alone."""


def read_record(path: Path | str, rules: RuleSet | None = None) -> Record:
    """The record in a file of any format, told by its first characters. Raises RecordError.

    rules: what counts as a legal play; None for the rule set that the file names, else the usual one. JSON says of
        each play itself whether it was legal.
    """
    path = Path(path)
    try:
        data = read_regular(path, SIZE_LIMIT)
    except FileRefused as error:
        raise RecordError(f"{path} can't be read: {error}.") from error
    try:
        return msgspec.structs.replace(parse_record(data, rules), file=path.name)
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from error


def parse_record(data: bytes, rules: RuleSet | None = None) -> Record:
    """The record in these bytes. Raises RecordError."""
    start = data[:200].removeprefix(b"\xef\xbb\xbf").lstrip()
    if not start:
        raise RecordError("The file is empty.")
    refuse_other_files(data)
    if start.startswith(b"{"):
        return decode_json(data.removeprefix(b"\xef\xbb\xbf"))
    if START.match(start.decode("ascii", "replace")):
        return read_csv(data)
    if _SGF.match(start):
        return build(read_sgf(data), rules=rules)
    return build(read_mat(data), rules=rules)


def write_record(record: Record, path: Path | str) -> None:
    """Write a record in the format of the path's ending. A file that was there is replaced at once, or not at all.

    Raises RecordError for an unknown ending, for what the format can't say, and for a place that can't be written.
    """
    path = Path(path)
    endings = [ending for ending in _WRITERS if path.name.lower().endswith(ending)]
    writer = _WRITERS[max(endings, key=len)] if endings else None
    if writer is None:
        raise RecordError(f"{path}: choose a name that ends with one of {', '.join(WRITTEN)}.")
    data = writer(record)
    try:
        replace_file(path, data)
    except OSError as error:
        raise RecordError(f"{path} can't be written: {error.strerror}.") from error
