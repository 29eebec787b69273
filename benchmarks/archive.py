"""Imports 2,000 matches into an archive and measures listing and searching; writes archive.csv.

    python benchmarks/archive.py [MATCHES_FOLDER]

The matches are the real ones at hand, over and over, each time with other names and dates.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.rows import stamp, write_rows  # noqa: E402
from controller.record.archive import Archive  # noqa: E402
from controller.record.formats import read_record, write_record  # noqa: E402

MATCHES = 2000
RUNS = 30


def main(folder: Path) -> None:
    """Print and write the figures."""
    real = [read_record(path) for path in sorted((folder / "raw").iterdir())]
    with tempfile.TemporaryDirectory() as scratch, tempfile.TemporaryDirectory() as other:
        for number in range(MATCHES):
            record = real[number % len(real)]
            left, right = (
                msgspec.structs.replace(p, name=f"{p.name[:20]} {number * 7 % MATCHES + seat}")
                for seat, p in enumerate(record.players)
            )
            date = f"{2006 + number % 20}-{number % 12 + 1:02}-{number % 28 + 1:02}"
            write_record(
                msgspec.structs.replace(record, players=(left, right), date=date, event=f"Praha Open {number % 37}"),
                Path(scratch) / f"{number:04}.json",
            )
        archive = Path(other) / "archive.db"
        start = time.perf_counter()
        subprocess.run(
            [sys.executable, "-c", "from controller.cli.main import main; main()", "archive", "--archive", str(archive),
             "import", scratch, "--tag", "club"],
            cwd=ROOT, check=True,
        )  # fmt: skip
        spent_once = time.perf_counter() - start
        rows = [("import by the command line", 1, spent_once, spent_once)]
        with Archive(archive) as opened:
            assert opened.count() == MATCHES
            opened.tag(77, ["final"])
            asked: dict[str, Callable[[], object]] = {
                "list 100": lambda: opened.search(),
                "list all": lambda: opened.search(limit=MATCHES),
                "the last page": lambda: opened.search(limit=100, offset=MATCHES - 100),
                "search a word": lambda: opened.search("praha"),
                "search three words": lambda: opened.search("praha open 2019-03"),
                "search what is not there": lambda: opened.search("xyzzy"),
                "search a tag": lambda: opened.search(tag="final"),
                "search a word and a tag": lambda: opened.search("open 12", tag="club"),
                "open a match": lambda: opened.get(1234),
            }
            for what, ask in asked.items():
                spent = []
                for _ in range(RUNS):
                    start = time.perf_counter()
                    ask()
                    spent.append(time.perf_counter() - start)
                rows.append((what, RUNS, statistics.median(spent), max(spent)))
        print(f"{archive.stat().st_size / 1e6:.1f} MB")
    table = []
    for what, n, median, worst in rows:
        print(f"{what:28} {1000 * median:8.1f} ms, worst {1000 * worst:.1f}")
        figures = {"median_ms": f"{1000 * median:.1f}", "worst_ms": f"{1000 * worst:.1f}"}
        table.append(stamp() | {"matches": MATCHES, "what": what, "n": n} | figures)
    write_rows(Path(__file__).with_suffix(".csv"), table)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT.parent / "shared" / "matches")
