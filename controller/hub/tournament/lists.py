"""Lists of players and of pairings as people type them or bring them as CSV files. Pure."""

from __future__ import annotations

import csv
import unicodedata
from collections.abc import Collection, Sequence

from controller.hub.errors import HubError
from controller.hub.tournament.draw import MOST_PLAYERS, Meeting
from controller.referee.names import printable

LONGEST_NAME = 40

_NAME = ("player", "full name", "hráč", "meno a priezvisko", "jméno a příjmení")
_EITHER = ("name", "jméno", "meno")
"""The whole name, or beside a surname the first one."""

_FIRST = ("first name", "firstname", "given name", "křestní jméno", "krstné meno")
_LAST = ("last name", "lastname", "surname", "family name", "příjmení", "priezvisko")
_SEED = ("seed", "no", "no.", "nr", "#", "nasazení", "nasadenie")


class ListError(HubError):
    """What in a list can't be taken, in a sentence."""


def players_in(text: str) -> tuple[str, ...]:
    """Names in the order of their seeds: one a line, or a CSV file with a head (name, or first and last name; seed).

    Raises ListError.
    """
    rows = _rows(text)
    head = [_plain(cell).casefold() for cell in rows[0]] if rows else []
    last = _column(head, _LAST)
    name = _column(head, (*_NAME, *_EITHER) if last is None else _NAME)
    first = next((at for names in (_FIRST, _EITHER) if (at := _column(head, names)) is not None), None)
    if name is None and last is None:
        if any(len(row) > 1 for row in rows):
            raise ListError(
                "The list has several columns, and none of them is called name. Give it a first line that says what is what."
            )
        names = [row[0] for row in rows]
    else:
        body = rows[1:]
        seed = _column(head, _SEED)
        if seed is not None:
            body.sort(key=lambda row: _number(_cell(row, seed)))
        names = [
            _cell(row, name) if name is not None else f"{_cell(row, first)} {_cell(row, last)}".strip() for row in body
        ]
    if not names:
        raise ListError("A tournament needs two players at least.")
    return checked(names)


def checked(names: Sequence[str]) -> tuple[str, ...]:
    """The same names, each as it may stand on the page. Raises ListError."""
    found = [_plain(name) for name in names]
    for name in found:
        if not name or name != printable(name) or len(name) > LONGEST_NAME:
            raise ListError(
                "{name} can't be a player's name: at most 40 letters that can be printed.", name=repr(name[:80])
            )
    twice = {name for name in found if found.count(name) > 1} if len(set(found)) < len(found) else set()
    if twice:
        raise ListError("{name} is there twice. Give one of the two something that tells them apart.", name=min(twice))
    if len(found) > MOST_PLAYERS:
        raise ListError("A tournament can have {most} players.", most=MOST_PLAYERS)
    return tuple(found)


def meetings_in(text: str, players: Collection[str]) -> tuple[Meeting, ...]:
    """A round: one pairing a line, both names with a comma, semicolon or tab between; a name alone has a bye. Raises ListError."""
    found = []
    placed: set[str] = set()
    for row in _rows(text):
        names = [_plain(cell) for cell in row if cell.strip()]
        if not 1 <= len(names) <= 2:
            raise ListError("Write two names on a line, with a comma between: {line}", line=", ".join(row)[:80])
        for name in names:
            if name not in players:
                raise ListError("There is nobody called {name} in this tournament.", name=name[:80])
            if name in placed:
                raise ListError("{name} would play twice in this round.", name=name)
            placed.add(name)
        found.append(Meeting(names[0], names[1]) if len(names) == 2 else Meeting(names[0], None, names[0]))
    if not found:
        raise ListError("There is no pairing in this list.")
    return tuple(found)


def _rows(text: str) -> list[list[str]]:
    lines = [line for line in text.replace("\0", "").lstrip("\ufeff").splitlines() if line.strip()]
    mark = next((mark for mark in "\t;," if lines and mark in "".join(lines)), ",")
    try:
        # Line by line: a quotation mark that nobody closes would take those that follow with it.
        rows = [row for line in lines for row in csv.reader([line], delimiter=mark, skipinitialspace=True)]
    except csv.Error as error:
        raise ListError("This is no list that can be read ({why}).", why=error) from error
    # A spreadsheet writes its empty rows, too, as marks alone.
    return [cells for row in rows if any(cells := [cell.strip() for cell in row])]


def _plain(name: str) -> str:
    """Spaces once, and letters with accents as one (Unicode's NFC): what looks the same is the same."""
    return " ".join(unicodedata.normalize("NFC", name).split())


def _column(head: Sequence[str], names: Sequence[str]) -> int | None:
    return next((at for at, cell in enumerate(head) if cell in names), None)


def _cell(row: Sequence[str], at: int | None) -> str:
    return row[at] if at is not None and at < len(row) else ""


def _number(text: str) -> float:
    """Of a seed; whoever has none comes last."""
    return float(text) if text.replace(".", "", 1).isascii() and text.replace(".", "", 1).isdigit() else float("inf")
