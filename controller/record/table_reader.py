"""Reads the table that table.py writes, also as a spreadsheet saves it again, back to a record."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any, get_args

import msgspec

from controller.record.board import checkers_of
from controller.record.draft import COLORS
from controller.record.model import (
    AnyAction,
    Count,
    Game,
    Player,
    Record,
    RecordError,
    make_record,
)
from controller.record.rule_words import SEPARATOR, rule_keys_in
from controller.record.table import COLUMNS, FORMULA, NEWER
from controller.record.text import ACTION_LIMIT, decode
from controller.record.words import parse_hops
from controller.rules import VARIANTS, Position, RulesError, RuleSetError, Side, position_from_id, position_id

START = re.compile(r'("?)game\1([,;])\1length\1\2')
"""How such a table begins; the spreadsheets of some countries write semicolons, and some put each text into quotes."""

_KINDS = {str(kind.__struct_config__.tag): kind for kind in get_args(AnyAction)}

_Row = tuple[int, dict[str, str]]
"""A line of the file and its cells by column."""


def read_csv(data: bytes) -> Record:
    """The record of a table: its games, actions, names and rules; header fields such as the event are not in a table.

    Raises RecordError with the line of the first thing wrong.
    """
    rows = list(_rows(decode(data)))
    if not rows:
        raise RecordError("This table has no rows; one that this program wrote has a row for each play.")
    if rows[0][1]["variation"] not in VARIANTS:
        raise RecordError(f"line {rows[0][0]}: the variation must be one of {', '.join(VARIANTS)}.")
    names = {cells["player"]: _plain(cells["name"]) for _, cells in reversed(rows)}
    players = tuple(Player(names.get(seat, ""), color) for seat, color in zip("01", COLORS, strict=True))
    length = _length(rows[0])
    games = tuple(_game(list(group)) for _, group in groupby(rows, key=lambda row: row[1]["game"]))
    record = make_record((players[0], players[1]), games, length)
    name, _, words = _plain(rows[0][1]["rules"]).partition(SEPARATOR)
    try:
        keys = rule_keys_in(name, words)
    except RuleSetError as error:
        raise RecordError(f"line {rows[0][0]}: its single rules are not known: {error}") from error
    return msgspec.structs.replace(record, variation=rows[0][1]["variation"], rules=name, rule_keys=keys)


def _rows(text: str) -> Iterator[_Row]:
    begun = START.match(text)
    table = csv.DictReader(io.StringIO(text, newline=""), delimiter=begun[2] if begun else ",")
    try:
        missing = set(COLUMNS) - NEWER - set(table.fieldnames or ())
        if missing:
            raise RecordError(
                f"line 1: this table has no column {min(missing)!r}; the columns are: {', '.join(COLUMNS)}."
            )
        for number, cells in enumerate(table):
            if number >= ACTION_LIMIT:
                raise RecordError(f"line {table.line_num}: more than {ACTION_LIMIT} rows; no match is that long.")
            if None in cells or None in cells.values():
                raise RecordError(f"line {table.line_num}: this row has not one cell for each column.")
            yield table.line_num, dict.fromkeys(NEWER, "") | cells
    except csv.Error as error:
        raise RecordError(f"line {table.line_num}: this is no table of commas and quotes: {error}.") from error


def _game(rows: list[_Row]) -> Game:
    first = rows[0]
    return _convert(
        first,
        {
            "cube": _number(first, "cube"),
            "owner": _optional(first, "cube_owner", int),
            "start": _start(first),
            "score": [_number(first, "score_left"), _number(first, "score_right")],
            "crawford": _flag(first, "crawford"),
            "winner": _optional(first, "winner", int),
            "points": _optional(first, "points", int),
            "announced_points": _optional(first, "announced", int),
            "actions": [_action(row) for row in rows],
            "line": first[0],
        },
        Game,
    )


def _start(row: _Row) -> str:
    """Position ID with the left player on roll, where the first board is not the usual start."""
    cells = row[1]
    if not cells["before"]:
        return ""
    mover = Side(COLORS[_number(row, "player") == 1])
    start = Position.start(cells["variation"] if cells["variation"] in VARIANTS else "standard")
    found = position_from_id(_position(row, "before"), mover, start.checkers)
    return "" if found == start else position_id(found, Side(COLORS[0]))


def _action(row: _Row) -> dict[str, Any]:
    """As msgspec reads it from JSON."""
    line, cells = row
    kind = cells["action"]
    if kind not in _KINDS:
        raise RecordError(f"line {line}: {kind[:30]!r} is no action; there are {', '.join(_KINDS)}.")
    fields: dict[str, Any] = {
        "type": kind,
        "player": _number(row, "player"),
        "line": line,
        "seconds": _optional(row, "seconds", float),
        "took": _optional(row, "took", float),
        "wall_time": _plain(cells["wall_time"]),
        "confidence": _optional(row, "confidence", float),
        "inferred": _flag(row, "inferred"),
        "corrected": _flag(row, "corrected"),
        "flags": _plain(cells["flags"]).split(),
        "evidence": _plain(cells["evidence"]).split(),
        "comment": _plain(cells["comment"]),
        "mark": cells["mark"],
    }
    if kind in ("play", "roll"):
        fields["dice"] = [int(die) for die in cells["dice"] if die.isdecimal()]
    if kind == "play":
        hops = parse_hops(cells["play"])
        if hops is None:
            raise RecordError(f"line {line}: the play {cells['play'][:40]!r} was not understood.")
        fields |= {"moves": [[hop.source, hop.target] for hop in hops], "legal": _flag(row, "legal")}
        fields |= {name: _position(row, name) for name in ("before", "after")}
    if kind in ("double", "beaver", "raccoon"):
        fields["value"] = _number(row, "value")
    if kind == "resign":
        fields |= {"points": _optional(row, "value", int), "level": _optional(row, "level", int)}
    if kind == "refused":
        fields["level"] = _number(row, "level")
    if kind == "set":
        fields |= {"cube": _optional(row, "value", int), "owner": _optional(row, "owner", int)}
        fields["gap"] = _optional(row, "gap", float)
        fields["position"] = _position(row, "after") if cells["after"] else ""
    return fields


def _convert(row: _Row, fields: dict[str, Any], kind: type[Game]) -> Game:
    try:
        return msgspec.convert(fields, kind)
    except msgspec.ValidationError as error:
        raise RecordError(f"The game of line {row[0]} can't be read: {error}.") from error


def _number(row: _Row, name: str) -> int:
    found = _optional(row, name, int)
    if found is None:
        raise RecordError(f"line {row[0]}: the column {name!r} is empty.")
    return int(found)


def _optional(row: _Row, name: str, kind: Callable[[str], float]) -> float | None:
    text = row[1][name].strip()
    if not text:
        return None
    try:
        found = kind(text[:40].replace(",", "."))
        if abs(found) < 1e18:
            return found
        raise ValueError(text)
    except ValueError as error:
        raise RecordError(f"line {row[0]}: {text[:30]!r} is no number for the column {name!r}.") from error


def _length(row: _Row) -> int:
    try:
        return msgspec.convert(_number(row, "length"), Count)
    except msgspec.ValidationError as error:
        raise RecordError(f"line {row[0]}: no match has a length of {row[1]['length'][:30]}.") from error


def _flag(row: _Row, name: str) -> bool:
    return _number(row, name) != 0


def _position(row: _Row, name: str) -> str:
    text = row[1][name].strip()
    try:
        position_from_id(text, Side.LIGHT, checkers_of(row[1]["variation"]))
    except RulesError as error:
        raise RecordError(f"line {row[0]}: {error}") from error
    return text


def _plain(text: str) -> str:
    """Without the apostrophe that kept a spreadsheet from taking it for a formula."""
    return text[1:] if text.startswith("'") and text.lstrip("'").startswith(FORMULA) else text
