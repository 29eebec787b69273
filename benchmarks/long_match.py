"""How long the program takes to begin with one game of very many events: an evening of practice that nobody ever ended.

    python benchmarks/long_match.py [--events 12500 25000 50000 100000] [--commit OF_THE_CODE]

Each size in turn: a journal of one match is written, and a referee made of it, as a start of the program does. Measured is
processor time, which other programs on the machine don't lengthen much. Rows go to long_match.csv; --commit names the code
where it is not this one's (PYTHONPATH before it).
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT))

from benchmarks.rows import add_row, stamp  # noqa: E402
from controller.app.match_journal import BOARD  # noqa: E402
from controller.app.referee import Outlets, Referee  # noqa: E402
from controller.app.table import Table  # noqa: E402
from controller.panel.virtual import VirtualPanel  # noqa: E402
from controller.record.journal import Journal, NewEvent  # noqa: E402
from controller.referee.events import VERSION, AnyEvent, Flagged, Played, Resolved, Rolled, encode, kind  # noqa: E402
from controller.referee.session import MatchPlan  # noqa: E402
from controller.rules import MATCH, Position, Side, position_id  # noqa: E402
from web.hub import ViewHub  # noqa: E402

FLAG_EACH = 10
"""Turns from one flag to the next."""


def game() -> Iterator[AnyEvent]:
    """Turns without end, in which nothing is ever moved, and now and then a flag that is put right."""
    yield from MatchPlan(MATCH, 7).begun()
    start, turn = position_id(Position.start(), Side.LIGHT), 0
    while True:
        side = Side.LIGHT if turn % 2 == 0 else Side.DARK
        yield Rolled(side=side, dice=(3, 1), seconds=float(turn))
        yield Played(
            side=side, dice=(3, 1), before=start, after=start, moves=(), notation="", legal=True, seconds=turn + 0.5
        )
        if turn % FLAG_EACH == 0:
            number = turn // FLAG_EACH + 1
            yield Flagged(number=number, code="R02", side=side, text="Roll both again.", seconds=turn + 0.6)
            yield Resolved(number=number, how="put right", seconds=turn + 0.7)
        turn += 1


def seconds_to_begin(events: int) -> float:
    """Processor seconds until a referee goes on with a match of that many events."""
    with TemporaryDirectory() as folder:
        path, turns = Path(folder) / "journal.sqlite3", game()
        rows = [
            NewEvent(kind(one), VERSION, encode(one), BOARD, "m", 1) for one in (next(turns) for _ in range(events))
        ]
        with Journal(path) as journal:
            journal.append_all(rows)
        with Journal(path) as journal:
            began = time.process_time()
            Referee(Table(MatchPlan(MATCH, 7), None, "bottom-right"), journal, Outlets(ViewHub(), VirtualPanel()))
            return time.process_time() - began


def main() -> None:
    """Measures, says, and appends the rows."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--events", type=int, nargs="+", default=[12_500, 25_000, 50_000, 100_000])
    asked.add_argument("--commit", help="of the code that is measured, where it is another")
    given = asked.parse_args()
    for events in given.events:
        seconds = seconds_to_begin(events)
        print(f"{events} events: {seconds:.1f} s of processor time", flush=True)
        known = stamp() | ({"commit": given.commit} if given.commit else {})
        add_row(ROOT / "benchmarks" / "long_match.csv", known | {"events": events, "processor_s": round(seconds, 2)})


if __name__ == "__main__":
    main()
