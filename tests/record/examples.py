"""Transcripts in the dialects at hand, written for these tests."""

from __future__ import annotations

from pathlib import Path

from controller.record.formats import parse_record
from controller.record.model import Record

CRAWFORD = """\
; [Site "Praha"]
; [Event "Open"]
; [EventDate "2026.11.20"]
; [EventTime "18.30"]
; [Variation "Backgammon"]
; [Crawford "On"]

3 point match

 Game 1
 Jan Novák : 0                       Eva Dvořáková : 0
  1) 31: 8/5 6/5                    64: 24/14
  2)  Doubles => 2                   Takes
  3) 52: 13/8 24/22
                                   Wins 2 points

 Game 2
 Jan Novák : 0                       Eva Dvořáková : 2
  1) 31: 8/5 6/5                    64: 24/14
  2) 52: 13/8 24/22
      Wins 1 point

 Game 3
 Jan Novák : 1                       Eva Dvořáková : 2
  1) 31: 8/5 6/5                    64: 24/14
  2)  Doubles => 2                   Takes
  3) 52: 13/8 24/22
      Wins 2 points and the match
"""

MONEY = """\
; [Jacoby "On"]
; [Beaver "On"]

 0 point match

 Game 1
 Jan : 0                             Eva : 0
  1)                                31: 8/5 6/5
  2) 62: 24/18 13/11                 Doubles => 2
  3)  Beavers => 4                   Raccoons => 8
  4)  Takes                         11: 8/7*(2) 6/5(2)
  5) 66: Cannot Move                21: 6/4 6/5
  6) 64: ????                        Wins 8 points
"""

ILLEGAL = """\
3 point match

 Game 1
 Jan : 0                             Eva : 0
  1) 31: 8/5 6/5                    64: 24/14
  2) 52: 13/7 24/22                 65: 24/13
  3) 21: 13/11 6/5
      Wins 1 point
"""


def transcript(*rows: str, length: int = 5, score: tuple[int, int] = (0, 0)) -> bytes:
    """One game with these rows, each written as "left | right"."""
    lines = [f" {length} point match", "", " Game 1", f" {f'Jan : {score[0]}':<33} Eva : {score[1]}"]
    for number, row in enumerate(rows, start=1):
        left, _, right = row.partition("|")
        lines.append(f"{number:3d}) {left.strip():<28} {right.strip()}".rstrip())
    return "\n".join(lines).encode()


def record(text: str | bytes) -> Record:
    """The record in a text."""
    return parse_record(text.encode() if isinstance(text, str) else text)


def example_records() -> dict[str, Record]:
    """The three transcripts, read."""
    return {"crawford": record(CRAWFORD), "money": record(MONEY), "illegal": record(ILLEGAL)}


def save(folder: Path, name: str, text: str) -> Path:
    """A transcript as a file."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path
