"""Reads Jellyfish text, the .mat and .txt files that every backgammon program writes, in all the dialects at hand."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from controller.record.board import checkers_of
from controller.record.draft import COLORS, Draft, DraftGame, DraftPlay
from controller.record.mat_header import RULE_KEYS, Header, read_header_line
from controller.record.model import (
    CUBE_MOST,
    AnyAction,
    BeaverAction,
    DoubleAction,
    Level,
    PassAction,
    Player,
    RaccoonAction,
    RecordError,
    RefusedAction,
    ResignAction,
    RollAction,
    Seat,
    TakeAction,
)
from controller.record.replay import cube_value
from controller.record.snowie import ILLEGAL_PLAY, parse_snowie_board
from controller.record.text import ACTION_LIMIT, decode
from controller.record.words import (
    AMOUNT,
    AND_MATCH,
    CELL,
    CUBE,
    DANCE,
    DRAWS,
    LEVEL,
    MARK,
    UNKNOWN_PLAY,
    counted,
    level_in,
    mark_in,
    parse_hops,
)

RIGHT_COLUMN = 34
"""Where the right column begins in most dialects (31 to 42); a lone cell left of half of it belongs to the left."""

IN_PLACE = re.compile(r"\s{0,3}$")
"""What stands between a roll and a resignation in place of its play; after more of it the next cell begins."""

LINE_LIMIT = 4000
"""Characters; the longest row there is holds two boards of an illegal play and two names of 300."""

GAME_LIMIT = 5000

PROBLEM_LIMIT = 200
"""A file that is no record at all would otherwise give a sentence for each of its lines."""

_LENGTH = re.compile(r"^\s*(?:(\d{1,6})\s*(?:-\s*)?point\s*match|Zápas na (\d{1,6}) bod)", re.IGNORECASE)
_GAME = re.compile(r"^\s*(?:Game|Hra|Partie|Partia)\s+(\d{1,6})\s*(?:[.:]\s*)?$", re.IGNORECASE)
_POINTS = re.compile(r":\s*(\d{1,6})(?!\d)\s*")
_ROW = re.compile(r"^\s*(\d{1,4})\)(.*)$")
_RATING = re.compile(r"^(.*?),\s*(\d{1,5}(?:[.]\d{1,3})?)$")

_GIVEN_UP = re.compile(r"^\s*(Resigns?|Concedes)\b", re.IGNORECASE)

_OFFERS: dict[str, type[DoubleAction | BeaverAction | RaccoonAction]] = {
    "double": DoubleAction,
    "beaver": BeaverAction,
    "raccoon": RaccoonAction,
}


@dataclass
class _GameLines:
    """One game as it is read. column: where its right column begins."""

    line: int
    score: tuple[int, int] | None = None
    names: tuple[str, str] | None = None
    column: int = RIGHT_COLUMN
    row: int = 0
    actions: list[AnyAction | DraftPlay] = field(default_factory=list)
    winner: Seat | None = None
    points: int | None = None
    ends_match: bool = False
    cube: int = 1
    draws: tuple[tuple[int, int], ...] = ()

    def draft(self) -> DraftGame:
        return DraftGame(
            tuple(self.actions),
            self.score,
            winner=self.winner,
            points=self.points,
            line=self.line,
            ends_match=self.ends_match,
            cube=self.cube,
            draws=self.draws,
        )


@dataclass(frozen=True)
class _Cell:
    """place: column where it begins; start: its roll or word; rest: what follows up to the next cell."""

    place: int
    seat: Seat
    kind: str
    start: str
    rest: str


class _Reader:
    """All that is known so far; `line` by line."""

    def __init__(self) -> None:
        self.header = Header()
        self.length: int | None = None
        self.games: list[_GameLines] = []
        self.problems: list[str] = []
        self.heading = 0
        self.wants_score = False
        self.cells = 0

    def problem(self, line: int, text: str) -> None:
        if len(self.problems) < PROBLEM_LIMIT:
            self.problems.append(f"line {line}: {text}")

    def read(self, number: int, line: str) -> None:
        if not line.strip():
            return
        if len(line) > LINE_LIMIT:
            self.problem(number, f"{_short(line[:100])} is too long for a line of a transcript.")
            return
        if line.lstrip().startswith(";") and not (self.wants_score and _score(line)):
            read_header_line(self.header, number, line)
            return
        if self._read_frame(number, line):
            return
        row = _ROW.match(line)
        if row:
            self._read_row(number, line, int(row[1]), row.start(2))
        elif CELL.match(line.lstrip()):
            self._read_row(number, line, None, 0)
        elif not self.games:
            self.header.remark(line)
        else:
            self.problem(number, f"{_short(line)} was not understood.")

    def _read_frame(self, number: int, line: str) -> bool:
        """The lines around the rows: the length of the match, a game's number, the score before it."""
        length = _LENGTH.match(line)
        if length and not self.games:
            self.length = int(length[1] or length[2])
            return True
        if self.wants_score:
            score = _score(line)
            if score:
                game = self.games[-1]
                game.names, game.score, column = score
                # A long left name pushes the right one beyond its column.
                game.column = min(column, RIGHT_COLUMN)
                self.wants_score = False
                return True
        heading = _GAME.match(line)
        if heading:
            self._begin_game(number, int(heading[1]))
        return bool(heading) or self._read_beginning(line)

    def _read_beginning(self, line: str) -> bool:
        """The lines of a printed record before a game's first row: the draws for its start, and a cube that they have doubled."""
        if not self.games or self.games[-1].actions:
            return False
        draws, cube = DRAWS.match(line), CUBE.match(line)
        if draws:
            self.games[-1].draws = tuple((int(a), int(b)) for a, b in re.findall(r"([1-6])-([1-6])", draws[1]))
        elif cube:
            self.games[-1].cube = min(max(int(cube[1]), 1), CUBE_MOST)
        return bool(draws or cube)

    def _begin_game(self, number: int, heading: int) -> None:
        if len(self.games) >= GAME_LIMIT:
            raise RecordError(f"line {number}: more than {GAME_LIMIT} games; no match is that long.")
        if heading != self.heading + 1:
            self.problem(number, f"game {heading} follows {f'game {self.heading}' if self.games else 'no other'}.")
        self.heading = heading
        self.games.append(_GameLines(number))
        self.wants_score = True

    def _read_row(self, number: int, line: str, row: int | None, body: int) -> None:
        if not self.games:
            self.games.append(_GameLines(number))
        self.wants_score = False
        game = self.games[-1]
        if row is not None:
            if row != game.row + 1:
                self.problem(number, f"game {len(self.games)}: row {row} follows row {game.row}.")
            game.row = row
        cells = list(_cells(line, body, game.column))
        strange = line[body : cells[0].place if cells else len(line)].strip()
        if strange:
            self.problem(number, f"game {len(self.games)}: {_short(strange)} was not understood.")
        if len(cells) > 2:
            self.problem(number, f"{_short(line)} has {len(cells)} entries where two players have one each.")
        self.cells += len(cells)
        if self.cells > ACTION_LIMIT:
            raise RecordError(f"line {number}: more than {ACTION_LIMIT} rolls and plays; no match is that long.")
        for cell in cells:
            self._read_cell(number, game, cell)
            strange = _strange(cell)
            if strange:
                self.problem(number, f"game {len(self.games)}: {_short(strange)} was not understood.")
            given_up = _GIVEN_UP.match(cell.rest) if cell.kind == "dice" else None
            if given_up:
                self.problem(number, f"game {len(self.games)}: '{given_up[1]}' stands in place of a play.")
                game.actions.append(ResignAction(cell.seat, line=number))

    def _read_cell(self, number: int, game: _GameLines, cell: _Cell) -> None:
        if cell.kind == "dice":
            action = self._read_roll(number, game, cell)
            if action is not None:
                game.actions.append(action)
            return
        amount_match = AMOUNT.match(cell.rest)
        amount = int(amount_match[1]) if amount_match and amount_match[1] else None
        if cell.kind == "wins":
            self._read_result(number, game, cell.seat, amount)
            game.ends_match = bool(AND_MATCH.search(cell.rest))
        elif cell.kind in ("losses", "resign"):
            level, mark = level_in(cell.rest), mark_in(cell.rest)
            game.actions.append(ResignAction(cell.seat, amount, level, line=number, mark=mark))
        elif cell.kind in ("take", "pass"):
            self._read_answer(number, game, cell)
        else:
            kind: type[DoubleAction | BeaverAction | RaccoonAction] = _OFFERS[cell.kind]
            offered = game.actions[-1] if game.actions else None
            if kind is BeaverAction and isinstance(offered, BeaverAction) and offered.player != cell.seat:
                kind = RaccoonAction  # GNU BG has no word of its own for it
            value = amount or min(2 * cube_value(game.cube, game.actions), CUBE_MOST)
            game.actions.append(kind(cell.seat, value, line=number, mark=mark_in(cell.rest)))

    def _read_answer(self, number: int, game: _GameLines, cell: _Cell) -> None:
        """Of a double, or of a resignation that the other player has offered."""
        offered = game.actions[-1] if game.actions else None
        if isinstance(offered, ResignAction) and offered.player != cell.seat and game.winner is None:
            if cell.kind == "pass":
                level = offered.level or _level_worth(offered.points, cube_value(game.cube, game.actions))
                game.actions[-1] = RefusedAction(offered.player, level, line=offered.line, mark=offered.mark)
            return
        kind = TakeAction if cell.kind == "take" else PassAction
        game.actions.append(kind(cell.seat, line=number, mark=mark_in(cell.rest)))

    def _read_result(self, number: int, game: _GameLines, seat: Seat, points: int | None) -> None:
        if game.winner is not None:
            self.problem(number, f"game {len(self.games)} has a second result.")
            return
        given_up = game.actions[-1] if game.actions and isinstance(game.actions[-1], ResignAction) else None
        if given_up is not None and given_up.player == seat:
            self.problem(number, f"game {len(self.games)}: the same player gives it up and wins it; read as won.")
            game.actions.pop()
        elif given_up is not None and given_up.points is not None and points not in (None, given_up.points):
            self.problem(
                number,
                f"game {len(self.games)}: one loses {counted(given_up.points, 'point')}, the other wins {points}.",
            )
        game.winner, game.points = seat, points

    def _read_roll(self, number: int, game: _GameLines, cell: _Cell) -> AnyAction | DraftPlay | None:
        first, second = int(cell.start[0]), int(cell.start[1])
        text = cell.rest.strip()
        if not (1 <= first <= 6 and 1 <= second <= 6):
            self.problem(number, f"game {len(self.games)}: {cell.start[:2]} is no roll of two dice.")
            return None
        dice = (first, second)
        if UNKNOWN_PLAY.match(text) or _GIVEN_UP.match(text):
            return RollAction(cell.seat, dice, line=number, mark=mark_in(text))
        illegal = ILLEGAL_PLAY.match(text)
        if illegal:
            placed = parse_snowie_board(
                illegal[1], cell.seat, game.names or ("", ""), COLORS, checkers_of(self.header.variation())
            )
            if placed is None:
                self.problem(number, f"game {len(self.games)}: the board of the illegal play can't be read.")
                return RollAction(cell.seat, dice, line=number)
            return DraftPlay(cell.seat, dice, (), number, placed, mark=mark_in(text))
        hops = () if DANCE.match(text) else parse_hops(text)
        if hops is None:
            self.problem(number, f"game {len(self.games)}: the play {_short(text)} was not understood.")
            return RollAction(cell.seat, dice, line=number, comment=text[:200])
        return DraftPlay(cell.seat, dice, hops, number, mark=mark_in(text))


def read_mat(data: bytes) -> Draft:
    """A Draft of a transcript in any dialect. Raises RecordError where nothing in it is a game."""
    reader = _Reader()
    for number, line in enumerate(io.StringIO(decode(data)), start=1):
        reader.read(number, line.rstrip("\n").expandtabs())
    if not any(game.actions or game.score for game in reader.games):
        raise RecordError(
            "No game was found in this file; a transcript has lines such as ' Game 1' and '  1) 31: 8/5 6/5'."
        )
    if reader.length is None:
        reader.problem(1, "The line 'N point match' is missing; read as single games for money.")
    strange = reader.header.strange_variation()
    if strange:
        reader.problem(
            reader.header.lines["Variation"],
            f"the variation {_short(strange)} is not known; read from the usual start.",
        )
    unknown = reader.header.strange_rules()
    if unknown:
        reader.problem(reader.header.lines[RULE_KEYS], f"its single rules are not known: {unknown}")
    names = next((game.names for game in reader.games if game.names), ("", ""))
    players = _players(reader, names)
    for number, game in enumerate(reader.games[1:], start=2):
        if game.names and [_RATING.sub(r"\1", n) for n in game.names] != [_RATING.sub(r"\1", n) for n in names]:
            reader.problem(game.line + 1, f"game {number}: the players are {game.names[0]} and {game.names[1]} here.")
    games = tuple(game.draft() for game in reader.games)
    return Draft(players, reader.length or 0, games, tuple(reader.problems), reader.header.about())


def _players(reader: _Reader, names: tuple[str, str]) -> tuple[Player, Player]:
    left, right = (_player(reader.header, names, seat) for seat in (0, 1))
    return left, right


def _player(header: Header, names: tuple[str, str], seat: Seat) -> Player:
    """XG's "Player 1" need not be the left column, so its tags are matched by the name in the score line."""
    name, rating = names[seat], None
    match = _RATING.match(name)
    if match:
        name, rating = match[1], float(match[2])
    tag = header.tag_of_player(names, seat)
    tagged_rating, experience = header.rating(tag)
    return Player(name or header.player(tag), COLORS[seat], tagged_rating if rating is None else rating, experience)


def _score(line: str) -> tuple[tuple[str, str], tuple[int, int], int] | None:
    """Both names, both scores and the column of the right name, from "Jan : 0    Eva : 0"; colons in names don't matter
    unless a number follows."""
    found = list(_POINTS.finditer(line))
    if len(found) < 2 or found[-1].end() != len(line):
        return None
    left, right = found[0], found[-1]
    names = line[: left.start()].strip(), line[left.end() : right.start()].strip()
    return names, (int(left[1]), int(right[1])), left.end()


def _cells(line: str, body: int, column: int) -> Iterator[_Cell]:
    found: list[tuple[int, int, str]] = []
    place = body
    while match := CELL.search(line, place):
        kind = str(match.lastgroup)
        place = match.end()
        if kind == "resign" and found and found[-1][2] == "dice" and IN_PLACE.match(line[found[-1][1] : match.start()]):
            continue
        illegal = ILLEGAL_PLAY.match(line, place)
        if illegal:
            place = illegal.end()
        found.append((match.start(), match.end(), kind))
    for index, (start, end, kind) in enumerate(found):
        stop = found[index + 1][0] if index + 1 < len(found) else len(line)
        seat: Seat = 1 if index else 0
        if len(found) == 1 and 2 * start > column:
            seat = 1
        yield _Cell(start, seat, kind, line[start:end], line[end:stop])


def _strange(cell: _Cell) -> str:
    """What follows a cell's roll or word and means nothing here; a play says so itself."""
    if cell.kind == "dice":
        known = UNKNOWN_PLAY.match(cell.rest.strip()) or ILLEGAL_PLAY.match(cell.rest.strip())
        rest = cell.rest.strip()[known.end() :] if known else ""
    else:
        known = LEVEL.match(cell.rest) or AMOUNT.match(cell.rest)
        rest = cell.rest[known.end() :] if known else cell.rest
    if cell.kind == "wins":
        rest = AND_MATCH.sub("", rest, count=1)
    return MARK.sub("", rest).strip(" \t.,;:!?()=>")


def _level_worth(points: int | None, cube: int) -> Level:
    """The level of a resignation that offers so many points; of a single game where none fits."""
    levels: tuple[Level, ...] = (1, 2, 3)
    return next((level for level in levels if level * cube == points), 1)


def _short(text: str) -> str:
    kept = " ".join(text.split())
    return f"'{kept[:40]}...'" if len(kept) > 43 else f"'{kept}'"
