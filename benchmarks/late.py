"""Games of key frames of which the first are missing, as where a camera is switched on in the middle: turns right, turns invented.

    python benchmarks/late.py ../shared/boards [--first 1] [--last 40] [--step 1] [--game dev1] [--out benchmarks/late.csv]

BOARDS holds `degrade.py`, `score_turns.py` and games/. `late:N` of degrade.py leaves the first N frames out, and of the truth every
turn that is not wholly shown after that. Each is transcribed as `vrhcab transcribe` does it, in one process, nothing given.
A turn that was shown in part and is rightly written counts as invented; `partly` says how many of those there are.
"""

from __future__ import annotations

import json
import runpy
import sys
import tempfile
from pathlib import Path
from typing import Any

import click
import cv2

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from benchmarks.rows import add_row, stamp
from benchmarks.worse import compared, transcribe


def measured(boards: Path, game: Path, number: int, scorer: dict[str, Any], room: Path) -> dict[str, Any]:
    """A row of one game without its first frames."""
    runpy.run_path(str(boards / "degrade.py"))["main"](str(game), str(room / "frames"), f"late:{number}")
    shown = room / "frames" / "game.json"
    record = room / "record.json"
    transcribe(room / "frames", record)
    wholly, all_of_them = compared(shown, record, scorer), compared(game / "game.json", record, scorer)
    return wholly | {"partly": wholly["invented"] - all_of_them["invented"], "gaps": _gaps(record)}


def _gaps(record: Path) -> int:
    if not record.exists():
        return 0
    made = json.loads(record.read_text(encoding="utf-8"))
    return sum(act.get("gap") is not None for game in made["games"] for act in game["actions"])


@click.command(help=__doc__)
@click.argument("boards", type=click.Path(path_type=Path, exists=True))
@click.option("--first", default=1)
@click.option("--last", default=40)
@click.option("--step", default=1)
@click.option("--game", "games", multiple=True, help="Only these games of BOARDS/games.")
@click.option("--out", type=click.Path(path_type=Path), help="CSV that the rows are added to.")
def main(boards: Path, first: int, last: int, step: int, games: tuple[str, ...], out: Path | None) -> None:
    """Measures and prints one line a beginning."""
    cv2.setNumThreads(1)
    scorer = runpy.run_path(str(boards / "score_turns.py"))
    for number in range(first, last + 1, step):
        for game in sorted((boards / "games").iterdir()):
            if games and game.name not in games:
                continue
            with tempfile.TemporaryDirectory() as room:
                row = stamp() | {"game": game.name, "late": number} | measured(boards, game, number, scorer, Path(room))
            click.echo("  ".join(str(value) for value in list(row.values())[2:]))
            if out is not None:
                add_row(out, row)


if __name__ == "__main__":
    main()
