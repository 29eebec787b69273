"""Legal plays asked for by Position ID: the answers of `vrhcab plays`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import IO

import msgspec

from controller.errors import ControllerError
from controller.rules import Play, Position, RuleSet, Side, format_play, legal_plays, position_from_id, position_id

MOVER = Side.LIGHT
"""Position IDs say who is on roll, not his colour; light stands in for him."""


LINE_BYTES = 4096
"""A question has 40 bytes."""


class PlaysError(ControllerError):
    """What is wrong with a question about plays, in a sentence."""


@dataclass(frozen=True)
class LegalPlays:
    """The legal plays of one position and roll. results: Position IDs with the mover still on roll, as `plays`."""

    pid: str
    dice: tuple[int, int]
    plays: tuple[Play, ...]

    @property
    def results(self) -> tuple[str, ...]:
        """Every legal final position."""
        return tuple(position_id(play.result, MOVER) for play in self.plays)

    def as_json(self) -> str:
        """One JSON object; results and plays go side by side."""
        written = [format_play(play) for play in self.plays]
        return json.dumps({"pid": self.pid, "dice": self.dice, "results": self.results, "plays": written})

    def as_text(self) -> str:
        """A line for each play."""
        lines = [
            f"{pid}  {format_play(play) or 'no legal move'}" for pid, play in zip(self.results, self.plays, strict=True)
        ]
        return "\n".join(lines)


def plays_of(pid: str, dice: str, rules: RuleSet) -> LegalPlays:
    """The answer for dice written as "65", "6-5" or "6 5". Raises PlaysError or RulesError."""
    numbers = re.fullmatch(r"\s*([1-6])\s*[-, ]?\s*([1-6])\s*", dice)
    if not numbers:
        raise PlaysError(f"{dice!r} is no roll. Write two numbers from 1 to 6, for example 65.")
    return _answer(pid, (int(numbers[1]), int(numbers[2])), rules)


def questions(stream: IO[bytes]) -> Iterator[str]:
    """The lines of a stream, however long it is. Raises PlaysError for a line that is no question by its length alone."""
    for number, line in enumerate(iter(lambda: stream.readline(LINE_BYTES), b""), start=1):
        if len(line) == LINE_BYTES:
            raise PlaysError(
                f"Line {number} is no question about plays: it is longer than {LINE_BYTES} bytes. Write {_FORM}."
            )
        yield line.decode("utf-8", "replace")


def batch_lines(lines: Iterable[str], rules: RuleSet) -> Iterator[str]:
    """For each JSON line {"pid", "dice"} one with "results" added. Raises PlaysError with the line's number."""
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            asked = _question.decode(line)
            answer = _answer(asked.pid, asked.dice, rules)
        except (ControllerError, msgspec.DecodeError, RecursionError) as error:
            why = str(error).removesuffix(".")
            raise PlaysError(f"Line {number} is no question about plays: {why}. Write {_FORM}.") from error
        yield json.dumps({"pid": asked.pid, "dice": asked.dice, "results": answer.results})


class _Question(msgspec.Struct):
    pid: str
    dice: tuple[int, int]


_question = msgspec.json.Decoder(_Question)
_FORM = '{"pid": "4HPwATDgc/ABMA", "dice": [6, 5]}'


def _answer(pid: str, dice: tuple[int, int], rules: RuleSet) -> LegalPlays:
    checkers = Position.start(rules.variant.position).checkers
    return LegalPlays(pid, dice, legal_plays(position_from_id(pid, MOVER, checkers), MOVER, dice, rules))
