"""A reading as a board of letters for the terminal, as it lies in the picture."""

from __future__ import annotations

from controller.stills.position import Asked, StillError, still_of
from vision.reading.report import Cell, Reading

MARKS = ("O", "X")
"""Light, dark."""
MOST_SHOWN = 5
"""Checkers drawn one by one; of more, the number stands in the last row."""
RULE = "+" + "-" * 19 + "+---+" + "-" * 19 + "+"


def board_in_words(reading: Reading, asked: Asked) -> str:
    """Some 16 lines: the board, dice, cube, the XGID where the reading is a position, and what is doubtful."""
    lines = [f"{reading.file}   (sure: {int(100 * reading.confidence)}%)", RULE]
    lines += [_row(reading.top, depth) for depth in range(MOST_SHOWN)]
    lines.append(_middle(reading.bar))
    lines += [_row(reading.bottom, depth) for depth in reversed(range(MOST_SHOWN))]
    lines.append(RULE)
    lines.append(f"{MARKS[0]} light, {MARKS[1]} dark, ? can't be seen")
    dice = ", ".join(f"{die.value}{f' ({die.why})' if die.why else ''}" for die in reading.dice)
    lines.append(f"Dice: {dice or 'none'}   Cube: {reading.cube.shown if reading.cube else 'not seen'}")
    try:
        still = still_of(reading, asked)
    except StillError as error:
        return "\n".join([*lines, str(error)])
    return "\n".join([*lines, still.xgid, *still.notes])


def _row(cells: tuple[Cell | None, ...], depth: int) -> str:
    drawn = [_mark(cell, depth) for cell in cells]
    return "|" + "".join(drawn[:6]) + " |   |" + "".join(drawn[6:]) + " |"


def _mark(cell: Cell | None, depth: int) -> str:
    if cell is None:
        return "  ?" if depth == 0 else "   "
    count, mark = max(cell), MARKS[0] if cell[0] else MARKS[1]
    if count > MOST_SHOWN and depth == MOST_SHOWN - 1:
        return f" {count:>2}"
    return f"  {mark}" if count > depth else "   "


def _middle(bar: Cell | None) -> str:
    words = "?" if bar is None else "".join(f"{mark}{count}" for mark, count in zip(MARKS, bar, strict=True) if count)
    return "|" + " " * 19 + f"|{words:^3}|" + " " * 19 + "|"
