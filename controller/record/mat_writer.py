"""Writes the transcript that GNU Backgammon and eXtreme Gammon both read."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import groupby

from controller.record.board import board, cube_states, follows_from_moves, has_shared_point, marked_moves, moment
from controller.record.mat_header import header_lines
from controller.record.model import (
    AnyAction,
    BeaverAction,
    DoubleAction,
    Game,
    PassAction,
    PlayAction,
    RaccoonAction,
    Record,
    RecordError,
    RefusedAction,
    ResignAction,
    RollAction,
    Seat,
    SetAction,
    TakeAction,
)
from controller.record.replay import add_score, other_seat
from controller.record.snowie import snowie_board
from controller.record.text import safe_name
from controller.record.words import MAT_WORDS, PRINTED, RecordWords

LEFT_WIDTH = 34
"""Width of the left cell. GNU BG repeats the previous right cell where a row without dice ends before column 16."""

FALLBACK_NAMES = ("Player 1", "Player 2")


def write_mat(record: Record) -> bytes:
    """UTF-8, with a mark at its front where a name or remark needs one. Raises RecordError for what MAT can't say."""
    text = _transcript(record, MAT_WORDS)
    return text.encode("utf-8" if text.isascii() else "utf-8-sig", "replace")


def write_printed(record: Record, language: str) -> bytes:
    """The same in the words of a language ("en", "cs", "sk"), to be printed: GNU BG reads only English. UTF-8."""
    return _transcript(record, PRINTED[language]).encode("utf-8", "replace")


def _transcript(record: Record, words: RecordWords) -> str:
    names = safe_names(record)
    header = header_lines(record, names)
    lines = [*header, ""] if header else []
    lines += [words.match.format(record.length, words.plural(record.length)), ""]
    for number, game in enumerate(record.games, start=1):
        _refuse_untellable(record, game, number, words)
        lines += [f" {words.game.format(number)}", _score_line(names, game), *_beginning(game, words)]
        lines += [*_rows(record, game, names, words), ""]
    return "\n".join(lines) + "\n"


def _refuse_untellable(record: Record, game: Game, number: int, words: RecordWords) -> None:
    """Raises RecordError for what a transcript would tell wrongly."""
    if game.start or game.owner is not None:
        raise RecordError(
            "Game {number} does not begin from the usual position and cube, which a transcript can't say; "
            "write .sgf or .json instead.",
            number=number,
        )
    if game.cube != 1 and not words.cube:
        raise RecordError(
            "Game {number} begins with the cube at {cube}, as after an automatic double, for which a transcript has no "
            "words: other programs would count its points wrongly; write .sgf, .csv, .json or .en.txt instead.",
            number=number,
            cube=game.cube,
        )
    if any(isinstance(action, SetAction) and action.gap is not None for action in game.actions):
        raise RecordError(
            "In game {number} there is a gap in which nobody saw what was played, which a transcript can't say; write .sgf or "
            ".json instead.",
            number=number,
        )
    if any(isinstance(action, SetAction) for action in game.actions):
        raise RecordError(
            "In game {number} somebody set the board or the cube by hand, which a transcript can't say; write .sgf or "
            ".json instead.",
            number=number,
        )
    for action in game.actions:
        if isinstance(action, PlayAction) and has_shared_point(board(record, action, action.after)):
            raise RecordError(
                "An illegal play in game {number} has left checkers of both players on one point, which a transcript can't say; "
                "write .sgf or .json instead.",
                number=number,
            )


def safe_names(record: Record) -> tuple[str, str]:
    """The players' names as every program reads them, and told apart."""
    left, right = (safe_name(p.name, f) for p, f in zip(record.players, FALLBACK_NAMES, strict=True))
    if left == right:
        right = safe_name(safe_name(right, "", size=26) + " (2)", FALLBACK_NAMES[1])
    return left, right


def _score_line(names: tuple[str, str], game: Game) -> str:
    left = f" {names[0]} : {game.score[0]}"
    return f"{left:<{LEFT_WIDTH + 4}} {names[1]} : {game.score[1]}"


def _beginning(game: Game, words: RecordWords) -> list[str]:
    """What came before the first roll, where these words tell of it."""
    draws = ", ".join(f"{left}-{right}" for left, right in game.draws)
    lines = [" " + words.draws.format(draws)] if draws and words.draws else []
    return lines + ([" " + words.cube.format(game.cube)] if game.cube != 1 else [])


@dataclass
class _Rows:
    """Rows filled cell by cell."""

    lines: list[str] = field(default_factory=list)
    number: int = 0
    cells: list[str] = field(default_factory=lambda: ["", ""])

    def put(self, seat: Seat, cell: str) -> None:
        if self.cells[1] or (seat == 0 and self.cells[0]):
            self.flush()
        self.cells[seat] = cell

    def flush(self) -> None:
        if any(self.cells):
            self.number += 1
            self.lines.append(f"{self.number:3d}) {_padded(self.cells[0])}{self.cells[1]}")
            self.cells = ["", ""]

    def result(self, seat: Seat, text: str) -> None:
        """Beside the loser's last cell where there is room, as every program writes it, else on a line of its own."""
        if seat == 1 and self.cells[0] and not self.cells[1]:
            self.cells[1] = " " + text
            self.flush()
        else:
            self.flush()
            self.lines.append(" " * 5 + (" " + text if seat == 0 else _padded("") + " " + text))


def _padded(cell: str) -> str:
    return f"{cell:<{LEFT_WIDTH}}" if len(cell) <= LEFT_WIDTH - 2 else cell + "  "


def _rows(record: Record, game: Game, names: tuple[str, str], words: RecordWords) -> list[str]:
    rows = _Rows()
    for action, cube in zip(game.actions, cube_states(record, game), strict=True):
        cell = _cell(record, game, action, names, words, cube)
        if cell:
            rows.put(action.player, f"{cell} {action.mark}".rstrip() if words.marks else cell)
        if isinstance(action, RefusedAction) and words.refused:
            rows.put(other_seat(action.player), f" {words.refused}")
    points = game.points if game.announced_points is None else game.announced_points
    if game.winner is not None and points is not None:
        score = add_score(game.score, game)
        ends = words.and_match if record.length and score[game.winner] >= record.length else ""
        rows.result(game.winner, words.wins.format(points, words.plural(points)) + ends)
    rows.flush()
    return rows.lines


def _cell(
    record: Record,
    game: Game,
    action: AnyAction,
    names: tuple[str, str],
    words: RecordWords,
    cube: tuple[int, Seat | None],
) -> str:
    """In MAT a resignation has no cell: the result alone says it to GNU BG, which takes any other word for a move."""
    if isinstance(action, PlayAction | RollAction):
        played = "????" if isinstance(action, RollAction) else _play(record, game, action, names, words, cube)
        return f"{action.dice[0]}{action.dice[1]}: {played}"
    if isinstance(action, DoubleAction | BeaverAction | RaccoonAction):
        kinds = {DoubleAction: words.double, BeaverAction: words.beaver, RaccoonAction: words.raccoon}
        return " " + kinds[type(action)].format(action.value)
    if isinstance(action, TakeAction | PassAction):
        return " " + (words.take if isinstance(action, TakeAction) else words.pass_)
    if isinstance(action, ResignAction | RefusedAction) and action.level is not None and words.resign:
        return f" {words.resign} {words.levels[action.level - 1]}"
    return f" {words.resign}" if words.resign else ""


def _play(
    record: Record,
    game: Game,
    play: PlayAction,
    names: tuple[str, str],
    words: RecordWords,
    cube: tuple[int, Seat | None],
) -> str:
    # Without moves and not a dance: GNU BG, and our own reader, would take the bare roll for one not played yet.
    if follows_from_moves(record, play) and (play.moves or play.legal):
        return format_moves(marked_moves(record, play), off=words.off) or words.dance
    after = moment(record, game, board(record, play, play.after), other_seat(play.player), cube)
    fields = snowie_board(after, play.player, (names[1 - play.player], names[play.player]))
    return f"Illegal play ({fields})"


def format_moves(moves: list[tuple[int, int, bool]], off: str = "off") -> str:
    """ "bar/24* 8/7(2)": a move for each die, equal neighbours counted. GNU BG can't read a count on joined moves."""
    words = []
    for (source, target), group in groupby(moves, key=lambda move: move[:2]):
        same = list(group)
        start, end = "bar" if source == 25 else str(source), off if target == 0 else str(target)
        hit = "*" if any(move[2] for move in same) else ""
        words.append(f"{start}/{end}{hit}{f'({len(same)})' if len(same) > 1 else ''}")
    return " ".join(words)
