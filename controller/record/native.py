"""The program's own JSON form of a record, which loses nothing: reading and writing it."""

from __future__ import annotations

from typing import Any

import msgspec

from controller.record.model import FORMAT, Record, RecordError


class _Form(msgspec.Struct):
    format: str = ""


_decoder = msgspec.json.Decoder(Record)


def decode_json(data: bytes) -> Record:
    """A Record from its JSON; unknown keys are skipped. Raises RecordError with the place of the first thing wrong."""
    try:
        return _decoder.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        form = _form(data)
        if form not in ("", FORMAT):
            raise RecordError(
                f"This file has the format {form[:40]!r}, which is no record that this version knows ({FORMAT}); give the "
                "file of the match itself, or update this program."
            ) from error
        raise RecordError(f"This is not a record of the form {FORMAT}: {_place(str(error))}.") from error


def encode_json(record: Record, indent: int = 0) -> bytes:
    """One line of JSON, or indented text where indent is positive; UTF-8. Bytes of a file name that are no text become
    question marks."""
    try:
        line = msgspec.json.encode(record)
    except UnicodeEncodeError:
        line = msgspec.json.encode(_as_text(msgspec.to_builtins(record)))
    return msgspec.json.format(line, indent=indent) + b"\n" if indent > 0 else line


def _form(data: bytes) -> str:
    """What a JSON file says that it is; empty where it says nothing."""
    try:
        return msgspec.json.decode(data, type=_Form).format
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return ""


def _place(message: str) -> str:
    """msgspec writes "Expected `int`, got `str` - at `$.games[0].score[1]`"."""
    return message.replace(" - at `$.", ", at `").replace(" - at `$", ", at `")


def _as_text(value: Any) -> Any:
    """The same without lone surrogates, which stand for such bytes and which no encoding of text has."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {_as_text(key): _as_text(inner) for key, inner in value.items()}
    return [_as_text(inner) for inner in value] if isinstance(value, list | tuple) else value
