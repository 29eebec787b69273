"""Reads, checks, converts and re-imports all real matches at hand, and writes the figures to records.csv.

    python benchmarks/records.py [MATCHES_FOLDER]

For every clean match: replay against the independent replay; written in every format and read back; GNU Backgammon
imports MAT and SGF to the same positions and results. For every flawed one: the first reason that is given.
"""

from __future__ import annotations

import gzip
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import msgspec

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.rows import write_rows  # noqa: E402
from controller.record.check import check  # noqa: E402
from controller.record.formats import read_record, write_record  # noqa: E402
from controller.record.gnubg import find_gnubg  # noqa: E402
from controller.record.model import AnyAction, PlayAction, Record  # noqa: E402
from tests.record.gnubg_reader import frames, gnubg_match, our_games, results, their_games  # noqa: E402

READ_BACK = (".mat", ".sgf", ".json", ".csv", ".sst", ".cs.txt")

COLUMNS = (
    "match",
    "clean",
    "plays",
    "problems",
    "first_problem",
    "oracle",
    "read_back",
    "gnubg_mat",
    "gnubg_sgf",
    "check_ms",
)


def main(folder: Path) -> int:
    """Write records.csv and print the totals; 1 where anything differs."""
    truth = oracle(folder)
    rows = []
    for line in (folder / "index.jsonl").read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        rows.append(measure(folder, entry, truth.get(entry["match"])))
        print(f"\r{len(rows)} matches", end="", file=sys.stderr, flush=True)
    write_rows(Path(__file__).with_suffix(".csv"), [{name: row[name] for name in COLUMNS} for row in rows])
    clean = [row for row in rows if row["clean"]]
    for column in ("oracle", "read_back", "gnubg_mat", "gnubg_sgf"):
        print(f"{column}: {sum(row[column] == 'same' for row in clean)}/{len(clean)}")
    agreed = sum(bool(row["problems"]) != row["clean"] for row in rows)
    print(f"clean without a problem, flawed with a reason: {agreed}/{len(rows)}")
    print(
        f"plays: {sum(row['plays'] for row in rows)}; read and check: {sum(row['check_ms'] for row in rows) / len(rows):.0f} ms"
    )
    return int(agreed != len(rows) or any(row[c] != "same" for row in clean for c in ("oracle", "read_back")))


def oracle(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """The independent replay's games by match."""
    games: dict[str, list[dict[str, Any]]] = {}
    with gzip.open(folder / "oracle_dev.jsonl.gz", "rt", encoding="utf-8") as file:
        for line in file:
            game = json.loads(line)
            games.setdefault(game["match"], []).append(game)
    return games


def measure(folder: Path, entry: dict[str, Any], truth: list[dict[str, Any]] | None) -> dict[str, Any]:
    """One row."""
    start = time.perf_counter()
    record = check(read_record(folder / entry["file"]))
    spent = time.perf_counter() - start
    row = {
        "match": entry["match"],
        "clean": entry["clean"],
        "plays": sum(isinstance(a, PlayAction) for game in record.games for a in game.actions),
        "problems": len(record.problems),
        "first_problem": record.problems[0] if record.problems else "",
        "oracle": "" if truth is None else "same" if replayed(record) == facts_of(truth) else "differs",
        "check_ms": round(1000 * spent),
    }
    with tempfile.TemporaryDirectory() as scratch:
        same = [reread(record, Path(scratch) / f"m{ending}") for ending in READ_BACK]
        row["read_back"] = "same" if all(same) else "differs"
        for ending in (".mat", ".sgf"):
            row[f"gnubg_{ending[1:]}"] = imported(record, Path(scratch) / f"m{ending}") if find_gnubg() else ""
    return row


def replayed(record: Record) -> list[Any]:
    """What is compared with the independent replay."""
    return [
        (game.score, game.crawford, game.winner, game.points,
         [(a.player, a.dice, a.before) for a in game.actions if isinstance(a, PlayAction)])
        for game in record.games
    ]  # fmt: skip


def facts_of(truth: list[dict[str, Any]]) -> list[Any]:
    """The same of the independent replay."""
    return [
        (tuple(game["score"]), game["crawford"], game["winner"], game["points"],
         [(a["p"], tuple(a["dice"]), a["pre"].split(":")[0]) for a in game["actions"] if a["a"] == "move"])
        for game in truth
    ]  # fmt: skip


def reread(record: Record, path: Path) -> bool:
    """Written and read back, every action is the same; lines differ."""
    write_record(record, path)
    again = check(read_record(path))
    return [stripped(record), again.length] == [stripped(again), record.length]


def stripped(record: Record) -> list[Any]:
    """Actions and results without their lines; moves in any order, since writers put unplayable ones in order."""
    return [(g.score, g.winner, g.points, [unordered(a) for a in g.actions]) for g in record.games]


def unordered(action: AnyAction) -> AnyAction:
    """The action with its moves sorted and without its line."""
    if isinstance(action, PlayAction):
        action = msgspec.structs.replace(action, moves=tuple(sorted(action.moves)))
    return msgspec.structs.replace(action, line=None)


def imported(record: Record, path: Path) -> str:
    """Whether GNU Backgammon reads the same match."""
    match, printed = gnubg_match(path)
    if "WARNING" in printed:
        return "complains"
    same = (
        their_games(match) == our_games(record)
        and results(match) == [(g.winner, g.points) for g in record.games]
        and frames(match) == [(*g.score, g.crawford) for g in record.games]
    )
    return "same" if same else "differs"


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT.parent / "shared" / "matches"))
