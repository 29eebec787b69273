"""Spells every clean real match in many dialects and reads it back, then damages all of them and asks `check`; writes dialects.csv.

    python benchmarks/dialects.py [MATCHES_FOLDER]

The spelling here shares nothing with the program's own writers: it follows what other programs write. A damage is found when the
checked record has a problem; one that leaves a match as good as before (two dice swapped, a blank more) is not among them.
"""

from __future__ import annotations

import json
import random
import re
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.rows import stamp, write_rows  # noqa: E402
from controller.record.check import check  # noqa: E402
from controller.record.formats import parse_record, read_record  # noqa: E402
from controller.record.model import (  # noqa: E402
    AnyAction,
    BeaverAction,
    DoubleAction,
    Game,
    PassAction,
    PlayAction,
    RaccoonAction,
    Record,
    RecordError,
    ResignAction,
    RollAction,
    TakeAction,
)


@dataclass(frozen=True)
class Dialect:
    """How one program writes. left: width of the left cell; moves: one a die, or the steps of one checker joined."""

    left: int = 28
    bar: str = "bar"
    off: str = "off"
    dance: str = ""
    joined: bool = False
    counted: bool = True
    stars: bool = True
    shuffled: bool = False
    sorted_dice: bool = False
    points: str = "Wins {0} point{1}"
    and_match: bool = False
    losses: bool = False
    name: str = "{0} : {1}"
    row: str = "{0:3d}) "
    line_end: str = "\n"
    encoding: str = "utf-8"
    header: str = ""
    names: tuple[str, str] = ("Jan Novák", "Eva Dvořáková")
    double: str = "Doubles => {0}"
    own_result_row: bool = False


XG_HEADER = (
    '; [Site "eXtreme Gammon"]\n; [Player 1 "{1}"]\n; [Player 2 "{0}"]\n; [Player 1 Elo "1600.00/0"]\n; [Crawford "On"]'
)
DIALECTS = {
    "gnubg": Dialect(),
    "xg": Dialect(39, "Bar", "Off", "Cannot Move", joined=True, points="Wins {0} point", and_match=True,
                  encoding="utf-8-sig", line_end="\r\n", header=XG_HEADER),
    "xg old": Dialect(33, "Bar", "Off", "Cannot Move", joined=True, points="Wins {0} point", and_match=True,
                      encoding="cp1250", header=XG_HEADER),
    "xg west": Dialect(33, "Bar", "Off", "Cannot Move", joined=True, points="Wins {0} point", encoding="cp1252",
                       names=("Bjørn Åkesson", "François Müller")),
    "utf-16": Dialect(encoding="utf-16", line_end="\r\n"),
    "studio": Dialect(34, dance="Cannot Move", joined=True, points="Wins {0} point", row="  {0}) ", own_result_row=True,
                      header='; [Site "Backgammon Studio"]\n; [ClockType "Live8 780/10"]'),
    "galaxy": Dialect(30, "25", "0", counted=False, stars=False, shuffled=True, points="Wins {0} point", losses=True,
                      and_match=True, names=("lasse", "moji12345"),
                      header='; [Site "BackgammonGalaxy"]\n; [Player 1 "lasse"]\n; [Player 1 Elo "3,00/0"]'),
    "galaxy without names": Dialect(30, "25", "0", counted=False, stars=False, points="Wins {0} point", names=("", "")),
    "gamesgrid": Dialect(30, "25", "0", counted=False, stars=False, names=("nori,1760", "Kopanze,1775")),
    "fibs": Dialect(30, "bar", "off", names=("myrddin,1760.25", "inim,2100.5"), double="Doubles => {0}"),
    "hedgehog": Dialect(42, "25", "0", sorted_dice=True, name="{0}: {1}", points="Wins {0} point", and_match=True,
                        row="{0:4d}) "),
    "dailygammon": Dialect(32, dance="No play", double="Doubles => {0}", names=("Player:One", "the Game 5 man")),
    "narrow": Dialect(18, joined=True, names=("a", "b")),
    "tabs": Dialect(33, line_end="\r"),
    "long names": Dialect(33, names=("Ž" * 120, "Ø" * 90)),
    "text 002": Dialect(28, "bar", "ven", joined=True, double="Zdvojnásobení na {0} ?", line_end="\r\n"),
}  # fmt: skip


def spelled(record: Record, dialect: Dialect, chance: random.Random) -> bytes:
    """The record as this program would have written it."""
    lines = [dialect.header.format(*dialect.names), ""] if dialect.header else []
    lines += [f" {record.length} point match", ""]
    for number, game in enumerate(record.games, start=1):
        left = dialect.name.format(dialect.names[0], game.score[0])
        lines += ["", f" Game {number}", f" {left:<{dialect.left + 3}} "
                  f"{dialect.name.format(dialect.names[1], game.score[1])}"]  # fmt: skip
        cells: list[tuple[int, str]] = []
        for action in game.actions:
            cell = cell_of(game, action, dialect, chance)
            if cell:
                cells.append((action.player, cell))
        lines += rows_of(cells, dialect)
        if game.winner is not None and game.points is not None:
            points = game.points if game.announced_points is None else game.announced_points
            text = dialect.points.format(points, "" if points == 1 else "s")
            over = record.length and game.score[game.winner] + game.points >= record.length
            text += " and the match" if dialect.and_match and over else ""
            rows = len(lines) - lines.index(f" Game {number}") - 1
            lead = dialect.row.format(rows) if dialect.own_result_row else " " * 5
            lines.append(lead + (" " + text if game.winner == 0 else " " * dialect.left + "  " + text))
    return (dialect.line_end.join(lines) + dialect.line_end).encode(dialect.encoding)


def rows_of(cells: list[tuple[int, str]], dialect: Dialect) -> list[str]:
    """Cells two by two."""
    rows, number, at = [], 0, 0
    while at < len(cells):
        number += 1
        left = right = ""
        if cells[at][0] == 0:
            left, at = cells[at][1], at + 1
        if at < len(cells) and cells[at][0] == 1:
            right, at = cells[at][1], at + 1
        rows.append(f"{dialect.row.format(number)}{left:<{dialect.left}} {right}".rstrip())
    return rows


def cell_of(game: Game, action: AnyAction, dialect: Dialect, chance: random.Random) -> str:
    """One action; empty for what this program does not write. Galaxy caps what is lost as it caps what is won."""
    if isinstance(action, PlayAction | RollAction):
        dice = sorted(action.dice) if dialect.sorted_dice else action.dice
        text = "????" if isinstance(action, RollAction) else moves_of(action, dialect, chance) or dialect.dance
        return f"{dice[0]}{dice[1]}: {text}"
    if isinstance(action, DoubleAction | BeaverAction | RaccoonAction):
        words = {DoubleAction: dialect.double, BeaverAction: "Beavers => {0}", RaccoonAction: "Raccoons => {0}"}
        return " " + words[type(action)].format(action.value)
    if isinstance(action, TakeAction | PassAction):
        return " Takes" if isinstance(action, TakeAction) else " Drops"
    assert isinstance(action, ResignAction)
    points = action.points if game.announced_points is None else game.announced_points
    return f" Losses {points} point" if dialect.losses else ""


def moves_of(play: PlayAction, dialect: Dialect, chance: random.Random) -> str:
    """The moves as words. Without stars the way of a hitting checker is still told: one move a die."""
    steps = list(play.moves)
    if dialect.shuffled:
        chance.shuffle(steps)
    hits = hits_of(play)
    words: list[str] = []
    while steps:
        source, target = steps.pop(0)
        while dialect.joined and target and (target not in hits) and any(s == target for s, _ in steps):
            source_of_next = next(step for step in steps if step[0] == target)
            steps.remove(source_of_next)
            target = source_of_next[1]
        star = "*" if dialect.stars and target in hits else ""
        word = f"{dialect.bar if source == 25 else source}/{dialect.off if target == 0 else target}"
        words.append(word + star)
    if not dialect.counted:
        return " ".join(words)
    counts = Counter(word.rstrip("*") for word in words)
    shown = []
    for bare, count in counts.items():
        star = "*" if bare + "*" in words else ""
        shown.append(f"{bare}{star}{f'({count})' if count > 1 else ''}")
    return " ".join(shown)


def hits_of(play: PlayAction) -> set[int]:
    """Points where the play hits."""
    from controller.rules import Side, position_from_id

    board = position_from_id(play.before, Side.LIGHT)
    other = board.own(Side.DARK)
    return {target for _, target in play.moves if target and other[24 - target] == 1}


def damages() -> dict[str, Callable[[list[str], random.Random], list[str] | None]]:
    """What can go wrong with a transcript: lines in, lines out, None where these lines don't offer it."""
    return {
        "a row is missing": lambda lines, chance: without(lines, pick(lines, ROW_INSIDE, chance)),
        "a row is missing, the others renumbered": row_missing_renumbered,
        "a row stands twice": lambda lines, chance: doubled(lines, pick(lines, ROW_INSIDE, chance)),
        "two rows swapped": swapped_rows,
        "a cell is missing": cell_missing,
        "a die is another": die_changed,
        "a point is another": point_changed,
        "a roll of seven": lambda lines, chance: replaced(lines, r"\b[1-6]([1-6]: \S)", r"7\1", chance),
        "a move of letters": lambda lines, chance: replaced(lines, r"(\d\d: )\d+/", r"\1x/", chance),
        "a score is another": score_changed,
        "points won are others": points_changed,
        "the winner is the other": winner_changed,
        "the take is missing": lambda lines, chance: replaced(lines, r" Takes", "      ", chance),
        "the pass is a take": lambda lines, chance: replaced(lines, r" Drops", " Takes", chance),
        "the double is missing": lambda lines, chance: replaced(lines, r" Doubles => 2", " " * 13, chance),
        "the double is wrong": lambda lines, chance: replaced(lines, r" Doubles => 2", " Doubles => 8", chance),
        "cut off in a game": cut_off,
        "cut off in a row": cut_in_row,
        "a game is missing": game_missing,
        "letters between the cells": lambda lines, chance: replaced(lines, r"(\d\d: [^:]*\S) {3,}", r"\1 xyzzy ", chance),
    }  # fmt: skip


ROW_INSIDE = re.compile(r"^\s*\d+\)\s+\d\d: ")
CELL = re.compile(r"\d\d: (?:(?:bar|Bar|\d+)/\S+ ?)+")


def pick(lines: list[str], pattern: re.Pattern[str], chance: random.Random, *, last: bool = False) -> int | None:
    """A line's number; not the last row of the file, after which nothing could show what is missing."""
    found = [index for index, line in enumerate(lines) if pattern.search(line)]
    found = found if last else [i for i in found if i + 3 < len(lines) and ROW_INSIDE.match(lines[i + 1])]
    return chance.choice(found) if found else None


def without(lines: list[str], index: int | None) -> list[str] | None:
    return None if index is None else lines[:index] + lines[index + 1 :]


def doubled(lines: list[str], index: int | None) -> list[str] | None:
    return None if index is None else [*lines[: index + 1], lines[index], *lines[index + 1 :]]


def row_missing_renumbered(lines: list[str], chance: random.Random) -> list[str] | None:
    index = pick(lines, ROW_INSIDE, chance)
    if index is None:
        return None
    kept = lines[:index] + lines[index + 1 :]
    for place in range(index, len(kept)):
        row = re.match(r"^(\s*)(\d+)(\).*)$", kept[place])
        if not row:
            break
        kept[place] = f"{row[1]}{int(row[2]) - 1}{row[3]}"
    return kept


def swapped_rows(lines: list[str], chance: random.Random) -> list[str] | None:
    index = pick(lines, ROW_INSIDE, chance)
    if index is None:
        return None
    return [*lines[:index], lines[index + 1], lines[index], *lines[index + 2 :]]


def cell_missing(lines: list[str], chance: random.Random) -> list[str] | None:
    index = pick(lines, ROW_INSIDE, chance)
    cells = list(CELL.finditer(lines[index])) if index is not None else []
    if index is None or not cells:
        return None
    cell = chance.choice(cells)
    line = lines[index][: cell.start()] + " " * len(cell[0]) + lines[index][cell.end() :]
    return [*lines[:index], line, *lines[index + 1 :]]


def replaced(lines: list[str], pattern: str, new: str, chance: random.Random) -> list[str] | None:
    found = [index for index, line in enumerate(lines) if re.search(pattern, line)]
    if not found:
        return None
    index = chance.choice(found)
    return [*lines[:index], re.sub(pattern, new, lines[index], count=1), *lines[index + 1 :]]


def die_changed(lines: list[str], chance: random.Random) -> list[str] | None:
    """To a die that the play does not use; a dance stays one with most dice, so plays only."""
    index = pick(lines, CELL, chance)
    if index is None:
        return None
    cell = CELL.search(lines[index])
    assert cell
    old = cell[0]
    first, second = int(old[0]), int(old[1])
    new = chance.choice([die for die in range(1, 7) if die not in (first, second)])
    line = lines[index].replace(old, f"{new}{old[1:]}", 1)
    return [*lines[:index], line, *lines[index + 1 :]]


def point_changed(lines: list[str], chance: random.Random) -> list[str] | None:
    """A target one further: no die has both lengths unless both dice do, which a double step of the other then breaks."""
    index = pick(lines, CELL, chance)
    if index is None:
        return None
    targets = list(re.finditer(r"/(\d+)", lines[index]))
    target = chance.choice([t for t in targets if int(t[1]) > 2] or targets)
    line = lines[index][: target.start()] + f"/{int(target[1]) - 1 or 1}" + lines[index][target.end() :]
    return [*lines[:index], line, *lines[index + 1 :]] if line != lines[index] else None


SCORE = re.compile(r"^(.*:\s*)(\d+)(\s+.*:\s*)(\d+)\s*$")


def score_changed(lines: list[str], chance: random.Random) -> list[str] | None:
    found = [i for i, line in enumerate(lines) if SCORE.match(line) and re.match(r"\s*Game", lines[i - 1])][1:]
    if not found:
        return None
    index = chance.choice(found)
    score = SCORE.match(lines[index])
    assert score
    line = f"{score[1]}{int(score[2]) + 1}{score[3]}{score[4]}"
    return [*lines[:index], line, *lines[index + 1 :]]


WINS = re.compile(r"Wins (\d+) ")


def points_changed(lines: list[str], chance: random.Random) -> list[str] | None:
    index = pick(lines, WINS, chance, last=True)
    if index is None:
        return None
    wins = WINS.search(lines[index])
    assert wins
    line = lines[index].replace(wins[0], f"Wins {int(wins[1]) + 1} ", 1)
    return [*lines[:index], line, *lines[index + 1 :]]


def winner_changed(lines: list[str], chance: random.Random) -> list[str] | None:
    """Moves a result on a line of its own to the other column; not the match's last, which nothing follows."""
    found = [i for i, line in enumerate(lines[:-4]) if re.match(r"^\s+Wins ", line)]
    if not found:
        return None
    index = chance.choice(found)
    indent = len(lines[index]) - len(lines[index].lstrip())
    line = lines[index].strip().rjust(60) if indent < 20 else "      " + lines[index].strip()
    return [*lines[:index], line, *lines[index + 1 :]]


def cut_off(lines: list[str], chance: random.Random) -> list[str] | None:
    index = pick(lines, ROW_INSIDE, chance)
    return None if index is None else lines[: index + 1]


def cut_in_row(lines: list[str], chance: random.Random) -> list[str] | None:
    index = pick(lines, ROW_INSIDE, chance)
    return None if index is None else [*lines[:index], lines[index][: chance.randrange(8, len(lines[index]))]]


def game_missing(lines: list[str], chance: random.Random) -> list[str] | None:
    starts = [i for i, line in enumerate(lines) if re.match(r"^\s*Game \d+", line)]
    if len(starts) < 3:
        return None
    at = chance.randrange(len(starts) - 2)
    return lines[: starts[at]] + lines[starts[at + 1] :]


def facts_of(record: Record) -> list[Any]:
    """What a dialect must not change; which way a checker went that hit nothing is not told by all."""
    return [
        (g.score, g.winner, g.points, [essence(a) for a in g.actions if not isinstance(a, ResignAction)])
        for g in record.games
    ]


def essence(action: AnyAction) -> Any:
    """An action without its line, and a play by its boards."""
    if isinstance(action, PlayAction):
        return action.player, sorted(action.dice), action.before, action.after, action.legal
    if isinstance(action, RollAction):
        return action.player, sorted(action.dice)
    return msgspec.structs.replace(action, line=None)


def main(folder: Path) -> None:
    """Print and write the figures."""
    entries = [json.loads(line) for line in (folder / "index.jsonl").read_text(encoding="utf-8").splitlines()]
    paths = [folder / entry["file"] for entry in entries if entry["clean"]]
    counts: dict[tuple[str, str], list[int]] = {}
    for path in paths:
        record = check(read_record(path))
        for name, dialect in DIALECTS.items():
            count = counts.setdefault(("dialect", name), [0, 0])
            again = check(parse_record(spelled(record, dialect, random.Random(path.name))))
            right = facts_of(again) == facts_of(record) and not again.problems
            count[0] += 1
            count[1] += right
            if not right:
                print(name, path.name, again.problems[:2], file=sys.stderr)
        lines = path.read_text(encoding="utf-8-sig").splitlines()
        for name, damage in damages().items():
            hurt = damage(lines, random.Random(f"{name}{path.name}"))
            if hurt is None or hurt == lines:
                continue
            count = counts.setdefault(("damage", name), [0, 0])
            try:
                found = bool(check(parse_record("\n".join(hurt).encode())).problems)
            except RecordError:
                found = True
            count[0] += 1
            count[1] += found
            if not found:
                shown = next((f"{a!r} -> {b!r}" for a, b in zip(lines, hurt, strict=False) if a != b), "")
                print(name, path.name, shown, file=sys.stderr)
    rows = []
    for (kind, name), (n, right) in sorted(counts.items()):
        print(f"{kind:8} {name:40} {right}/{n}")
        rows.append(stamp() | {"kind": kind, "name": name, "n": n, "right": right})
    write_rows(Path(__file__).with_suffix(".csv"), rows)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT.parent / "shared" / "matches")
