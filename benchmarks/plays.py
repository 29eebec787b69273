"""Speed of the legal plays beside other engines, in one run: every roll of a thousand positions, one thread.

    python benchmarks/plays.py POSITIONS [--rounds 3] [--csv benchmarks/plays.csv]

POSITIONS: JSON lines, gzipped, with the fields `me` and `op` (25 counts each, in its own numbers). The peers are measured
where they can be imported: `pip install gym-backgammon bgsage "pyglet<2"`. Engines take turns, processor time is counted and
the best round of each holds, so that other work on the machine disturbs them little and alike.

gym-backgammon gives plays, many of which end alike; it is measured as it comes, and with its plays reduced to distinct
results, which is what the others give.
"""

from __future__ import annotations

import argparse
import gzip
import importlib
import json
import platform
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.rows import write_rows
from controller.rules import ALL_ROLLS, Position, Side, has_contact, legal_plays

Case = tuple[tuple[int, ...], tuple[int, ...]]
Count = Callable[[Any, tuple[int, int]], int]


@dataclass(frozen=True)
class Engine:
    """prepare: turns a case into the engine's own board, not timed. count: results of one roll on it, timed."""

    name: str
    prepare: Callable[[Case], Any]
    count: Count


def vrhcab() -> Engine:
    """Ours: complete plays with moves and resulting positions."""
    return Engine(
        "vrhcab",
        lambda case: Position(case[0], case[1]),
        lambda position, dice: len(legal_plays(position, Side.LIGHT, dice)),
    )


def bgsage() -> Engine:
    """bgsage's C++ generator through its Python API; a dance gives no board."""
    board = importlib.import_module("bgsage.board")

    def prepare(case: Case) -> list[int]:
        me, op = case
        return [op[24], *(me[p] - op[23 - p] for p in range(24)), me[24]]

    return Engine(
        f"bgsage {version('bgsage')}",
        prepare,
        lambda cells, dice: len(board.possible_moves(cells, *dice)) or 1,
    )


def gym(*, distinct: bool) -> Engine:
    """gym-backgammon's generator; light is its player 0, whose dice are negative."""
    module = importlib.import_module("gym_backgammon.envs.backgammon")

    def prepare(case: Case) -> Any:
        me, op = case
        game = module.Backgammon()
        game.board = [(me[p], 0) if me[p] else (op[23 - p], 1) if op[23 - p] else (0, None) for p in range(24)]
        game.bar = [me[24], op[24]]
        game.off = [15 - sum(me), 15 - sum(op)]
        game.players_positions = game.get_players_positions()
        return game

    def count(game: Any, dice: tuple[int, int]) -> int:
        plays = game.get_valid_plays(0, (-dice[0], -dice[1]))
        return len({outcome(game, play) for play in plays} if distinct else plays) or 1

    name = f"gym-backgammon {version('gym-backgammon')}"
    return Engine(f"{name}, distinct results" if distinct else f"{name}, plays as they come", prepare, count)


def outcome(game: Any, play: Any) -> tuple[int, ...]:
    """The mover's counts and the points hit after a play of gym-backgammon; two plays that end alike agree in it."""
    own = [count if player == 0 else 0 for count, player in game.board]
    hits = []
    for source, target in play:
        if source != "bar":
            own[source] -= 1
        if 0 <= target < 24:
            own[target] += 1
            if game.board[target][1] == 1 and target not in hits:
                hits.append(target)
    return (*own, *sorted(hits))


def engines() -> list[Engine]:
    """Ours, and every peer that is installed."""
    found = [vrhcab()]
    for make in (bgsage, lambda: gym(distinct=True), lambda: gym(distinct=False)):
        try:
            found.append(make())
        except ImportError as missing:
            print(f"left out: {missing}", file=sys.stderr)
    return found


def cases(path: Path) -> list[Case]:
    """The positions of a file."""
    with gzip.open(path, "rt") as lines:
        return [(tuple(row["me"]), tuple(row["op"])) for row in map(json.loads, lines)]


def one_round(engine: Engine, boards: list[Any]) -> tuple[float, int]:
    """Seconds of processor time, and results found."""
    results = 0
    start = time.process_time()
    for board in boards:
        for dice in ALL_ROLLS:
            results += engine.count(board, dice)
    return time.process_time() - start, results


def median_of_all_rolls(positions: list[Case]) -> float:
    """Milliseconds for the 21 rolls of a position with contact, the median over positions."""
    times = []
    for position in (Position(me, op) for me, op in positions):
        if has_contact(position):
            start = time.process_time()
            for dice in ALL_ROLLS:
                legal_plays(position, Side.LIGHT, dice)
            times.append(1000 * (time.process_time() - start))
    return statistics.median(times)


def main() -> None:
    """Measures, prints and writes the table."""
    parser = argparse.ArgumentParser(description="Speed of the legal plays beside other engines.")
    parser.add_argument("positions", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--csv", type=Path, default=Path(__file__).with_suffix(".csv"))
    options = parser.parse_args()
    positions = cases(options.positions)
    prepared = [(engine, [engine.prepare(case) for case in positions]) for engine in engines()]
    best: dict[str, tuple[float, int]] = {}
    for _ in range(options.rounds):
        for engine, boards in prepared:
            seconds, results = one_round(engine, boards)
            best[engine.name] = min(best.get(engine.name, (seconds, results)), (seconds, results))
    rolls = len(positions) * len(ALL_ROLLS)
    rows = [
        {
            "engine": name,
            "rolls_per_s": round(rolls / seconds),
            "results_per_s": round(results / seconds),
            "results": results,
            "python": platform.python_version(),
            "machine": platform.machine(),
        }
        for name, (seconds, results) in best.items()
    ]
    write_rows(options.csv, rows)
    for row in rows:
        print(f"{row['engine']:50} {row['rolls_per_s']:>8} rolls/s {row['results_per_s']:>9} results/s")
    print(f"21 rolls of a contact position, median: {median_of_all_rolls(positions):.2f} ms")


if __name__ == "__main__":
    main()
