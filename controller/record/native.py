"""The program's own JSON form of a record, which loses nothing: reading and writing it."""

from __future__ import annotations

import msgspec

from controller.record.model import FORMAT, Record, RecordError

_decoder = msgspec.json.Decoder(Record)


def decode_json(data: bytes) -> Record:
    """A Record from its JSON; unknown keys are skipped. Raises RecordError with the place of the first thing wrong."""
    try:
        return _decoder.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise RecordError(f"This is not a record of the form {FORMAT}: {_place(str(error))}.") from error


def encode_json(record: Record, indent: int = 0) -> bytes:
    """One line of JSON, or indented text where indent is positive; UTF-8."""
    line = msgspec.json.encode(record)
    return msgspec.json.format(line, indent=indent) + b"\n" if indent > 0 else line


def _place(message: str) -> str:
    """msgspec writes "Expected `int`, got `str` - at `$.games[0].score[1]`"."""
    return message.replace(" - at `$.", ", at `").replace(" - at `$", ", at `")
