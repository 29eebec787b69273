"""A record as a table, one row an action, for spreadsheets and statistics."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

from controller.record.board import board, cube_states, first_board, marked_moves, moment
from controller.record.draft import side_of
from controller.record.mat_writer import format_moves
from controller.record.model import (
    AnyAction,
    BeaverAction,
    DoubleAction,
    Game,
    PlayAction,
    RaccoonAction,
    Record,
    RefusedAction,
    ResignAction,
    RollAction,
    Seat,
    SetAction,
)
from controller.record.rule_words import SEPARATOR, rule_words
from controller.rules import Position, RulesError, format_xgid, position_id

COLUMNS = (
    "game", "length", "variation", "score_left", "score_right", "crawford", "winner", "points", "announced", "number",
    "player", "name", "cube", "action", "dice", "play", "value", "owner", "before", "after", "legal", "xgid", "seconds",
    "took", "wall_time", "confidence", "inferred", "corrected", "flags", "evidence", "comment", "mark", "level", "rules",
    "cube_owner", "gap",
)  # fmt: skip

NEWER = frozenset({"mark", "level", "rules", "cube_owner", "gap"})
"""Columns that tables of earlier versions have not."""

"""player, winner: 0 left, 1 right; announced: points that the record claims, where they are others; cube, cube_owner: its value and
whose it is before the action; value: of the cube offered or set, or points given up; owner: of a cube that was set; before, after:
Position IDs; xgid: the moment before the play with its dice, or before the double; level: of a resignation; rules: the rule set's
name, and after a semicolon each single rule over it; gap: seconds in which nobody saw what was played, before a board that was not
set by hand."""

FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")
"""A spreadsheet takes text that begins so for a formula; an apostrophe before it stops that."""


def write_csv(record: Record) -> bytes:
    """UTF-8 with a mark, as spreadsheets want it; commas, quotes as in RFC 4180. Raises RecordError."""
    out = io.StringIO(newline="")
    table = csv.writer(out)
    table.writerow(COLUMNS)
    for number, game in enumerate(record.games, start=1):
        frame: dict[str, object] = {
            "game": number,
            "length": record.length,
            "variation": record.variation,
            "score_left": game.score[0],
            "score_right": game.score[1],
            "crawford": int(game.crawford),
            "winner": _or_empty(game.winner),
            "points": _or_empty(game.points),
            "announced": _or_empty(game.announced_points),
            "rules": harmless(SEPARATOR.join(filter(None, (record.rules, rule_words(record))))),
        }
        last = first_board(record, game)
        for index, (action, cube) in enumerate(zip(game.actions, cube_states(record, game), strict=True), start=1):
            row = {
                **frame,
                "number": index,
                "cube": cube[0],
                "cube_owner": _or_empty(cube[1]),
                **_action_cells(record, action),
                **_board_cells(record, game, action, cube, last),
            }
            table.writerow([row.get(column, "") for column in COLUMNS])
            last = _after(record, action, last)
    return out.getvalue().encode("utf-8-sig", "replace")


def _after(record: Record, action: AnyAction, last: Position) -> Position:
    if isinstance(action, PlayAction):
        return board(record, action, action.after)
    return board(record, action, action.position) if isinstance(action, SetAction) and action.position else last


def _action_cells(record: Record, action: AnyAction) -> dict[str, object]:
    return {
        "player": action.player,
        "name": harmless(record.players[action.player].name),
        "action": action.kind,
        "seconds": _or_empty(action.seconds),
        "took": _or_empty(action.took),
        "wall_time": harmless(action.wall_time),
        "confidence": _or_empty(action.confidence),
        "inferred": int(action.inferred),
        "corrected": int(action.corrected),
        "flags": harmless(" ".join(action.flags)),
        "evidence": harmless(" ".join(action.evidence)),
        "comment": harmless(action.comment),
        "mark": action.mark,
    }


def _board_cells(
    record: Record, game: Game, action: AnyAction, cube: tuple[int, Seat | None], last: Position
) -> dict[str, object]:
    """What the dice and the board say. last: the board before the action."""
    last = board(record, action, action.before) if isinstance(action, PlayAction) else last
    row: dict[str, object] = {"before": position_id(last, side_of(record.players, action.player))}
    if isinstance(action, PlayAction | RollAction):
        row["dice"] = f"{action.dice[0]}{action.dice[1]}"
    if isinstance(action, PlayAction):
        row |= {
            "play": format_moves(marked_moves(record, action)),
            "after": action.after,
            "legal": int(action.legal),
        }
    if isinstance(action, DoubleAction | BeaverAction | RaccoonAction):
        row["value"] = action.value
    if isinstance(action, ResignAction):
        row["value"] = _or_empty(action.points)
    if isinstance(action, ResignAction | RefusedAction):
        row["level"] = _or_empty(action.level)
    if isinstance(action, SetAction):
        row |= {"after": action.position, "value": _or_empty(action.cube), "owner": _or_empty(action.owner)}
        row["gap"] = _or_empty(action.gap)
    if isinstance(action, PlayAction | RollAction | DoubleAction):
        row["xgid"] = _xgid(record, game, action, cube, last)
    return row


def _or_empty(value: object) -> object:
    return "" if value is None else value


def _xgid(
    record: Record,
    game: Game,
    action: PlayAction | RollAction | DoubleAction,
    cube: tuple[int, Seat | None],
    last: Position,
) -> str:
    """Empty where an XGID can't say it, as with a cube of 3."""
    dice = None if isinstance(action, DoubleAction) else action.dice
    try:
        return format_xgid(replace(moment(record, game, last, action.player, cube), dice=dice))
    except RulesError:
        return ""


def harmless(text: str) -> str:
    """A name or comment that no spreadsheet runs, without the zeros that no text file may hold. Position IDs may begin with
    a plus as well, but stay as they are."""
    text = text.replace("\0", "").replace("\r\n", "\n").replace("\r", "\n")
    # One that begins with apostrophes of its own gets another, so that reading takes off just the one.
    return f"'{text}" if text.lstrip("'").startswith(FORMULA) else text
