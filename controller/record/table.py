"""A record as a table, one row an action, for spreadsheets and statistics."""

from __future__ import annotations

import csv
import io

from controller.record.board import board, cube_states, marked_moves
from controller.record.draft import side_of
from controller.record.mat_writer import format_moves
from controller.record.model import AnyAction, Beaver, Double, Game, Play, Raccoon, Record, Roll, Seat
from controller.rules import RulesError, Side, Xgid, format_xgid

COLUMNS = (
    "game", "score_left", "score_right", "crawford", "number", "player", "name", "action", "dice", "play", "value",
    "before", "after", "legal", "xgid", "seconds", "confidence", "inferred", "corrected", "flags", "comment",
)  # fmt: skip
"""player: 0 left, 1 right; before, after: Position IDs; xgid: the moment before the play, dice on the board."""

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""A spreadsheet takes text that begins so for a formula."""


def write_csv(record: Record) -> bytes:
    """UTF-8 with a mark, as spreadsheets want it; commas, quotes as in RFC 4180. Raises RecordError."""
    out = io.StringIO(newline="")
    table = csv.writer(out)
    table.writerow(COLUMNS)
    for number, game in enumerate(record.games, start=1):
        for index, (action, cube) in enumerate(zip(game.actions, cube_states(game), strict=True), start=1):
            row = _row(record, game, action, cube)
            row |= {"game": number, "number": index}
            table.writerow([_harmless(row.get(column, "")) for column in COLUMNS])
    return out.getvalue().encode("utf-8-sig")


def _row(record: Record, game: Game, action: AnyAction, cube: tuple[int, Seat | None]) -> dict[str, object]:
    row: dict[str, object] = {
        "score_left": game.score[0],
        "score_right": game.score[1],
        "crawford": int(game.crawford),
        "player": action.player,
        "name": record.players[action.player].name,
        "action": type(action).__name__.lower(),
        "seconds": "" if action.seconds is None else action.seconds,
        "confidence": "" if action.confidence is None else action.confidence,
        "inferred": int(action.inferred),
        "corrected": int(action.corrected),
        "flags": " ".join(action.flags),
        "comment": action.comment,
    }
    if isinstance(action, Play | Roll):
        row["dice"] = f"{action.dice[0]}{action.dice[1]}"
    if isinstance(action, Play):
        row |= {
            "play": format_moves(marked_moves(record, action)),
            "before": action.before,
            "after": action.after,
            "legal": int(action.legal),
            "xgid": _xgid(record, game, action, cube),
        }
    if isinstance(action, Double | Beaver | Raccoon):
        row["value"] = action.value
    return row


def _xgid(record: Record, game: Game, play: Play, cube: tuple[int, Seat | None]) -> str:
    """Empty where an XGID can't say it, as with a cube of 3."""
    value, owner = cube
    score = game.score if side_of(record.players, 0) is Side.LIGHT else game.score[::-1]
    moment = Xgid(
        position=board(record, play, play.before),
        on_roll=side_of(record.players, play.player),
        dice=play.dice,
        cube=value,
        cube_owner=None if owner is None else side_of(record.players, owner),
        score=(score[0], score[1]),
        length=record.length,
        crawford=game.crawford,
        jacoby=record.length == 0 and bool(record.jacoby),
        beavers=record.length == 0 and bool(record.beavers),
    )
    try:
        return format_xgid(moment)
    except RulesError:
        return ""


def _harmless(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
