"""Games that are on when somebody begins to look, and games of which minutes are missing: what is written of them.

python benchmarks/found.py run FOLDER          every game of FOLDER, begun at random moments, and with minutes left out
python benchmarks/found.py sum                 the figures of the stored rows

FOLDER: games that `referee.py play rests --keep FOLDER` watched. Nothing is drawn: what was seen is shown again from a random
reading on, or without those of half a minute to three. A turn is to be written if all of it was shown; one that is true but was
not shown is no invention where it is marked as inferred. Every case adds a line to found.csv.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.rows import add_row, read_rows, stamp
from benchmarks.watched import Reading, Watched, kept
from controller.referee.events import AnyEvent, Flagged, Found, Played
from controller.referee.session import MatchPlan, Session
from controller.rules import MATCH, Side, position_id
from controller.simulation.truth import TurnPlayed
from controller.tracking.parameters import SURE

RESULTS = Path(__file__).parent / "found.csv"
SHORTEST, LONGEST = 30.0, 180.0
"""Virtual seconds that are left out."""

Row = tuple[Side, tuple[int, ...], str]


@dataclass(frozen=True)
class Case:
    """What of a game is not shown: virtual seconds from, until."""

    kind: str
    away: tuple[float, float]

    def shows(self, seconds: float) -> bool:
        """Whether that moment is shown."""
        return not self.away[0] <= seconds < self.away[1]

    def shows_all(self, turn: TurnPlayed) -> bool:
        """Whether all of a turn is shown."""
        return turn.seconds < self.away[0] or turn.rolled >= self.away[1]


def cases(game: Watched, each: int) -> Iterator[Case]:
    """So many of each kind."""
    rng = Random(f"{game.seed} found")
    for _ in range(each):
        yield Case("late", (-1.0, rng.uniform(0.1, 0.8) * game.seconds))
        begin = rng.uniform(0.1, 0.8) * game.seconds
        yield Case("away", (begin, begin + rng.uniform(SHORTEST, LONGEST)))


def watch(game: Watched, case: Case) -> tuple[list[AnyEvent], list[Reading]]:
    """The referee's events of what is shown, and what that is."""
    shown = [reading for reading in game.readings if case.shows(reading.observation.seconds)]
    session = Session(MatchPlan(MATCH, game.length), game.light_home)
    events: list[AnyEvent] = list(session.opening)
    before = -1.0
    for reading in shown:
        seconds = reading.observation.seconds
        if before < case.away[0] <= seconds:
            session.moved()
        events += session.see(reading.observation)
        before = seconds
    return [*events, *session.finish(game.seconds)], shown


def figures(game: Watched, case: Case) -> dict[str, Any]:
    """One case's row."""
    events, shown = watch(game, case)
    turns = [event for event in game.truth if isinstance(event, TurnPlayed)]
    played: list[Played] = []
    for event in events:
        if isinstance(event, Played):
            played = [*(played[:-1] if event.redo else played), event]
    found = [(event.side, event.dice, event.after) for event in played]
    true = {_row(turn) for turn in turns}
    invented = [one for one, row in zip(played, found, strict=True) if row not in true]
    unmarked = [one for one in invented if one.sure >= SURE and one.roll_seen and one.legal]
    want = [_row(turn) for turn in turns if case.shows_all(turn)]
    again = [event.seconds for event in events if isinstance(event, Found) and event.seconds >= case.away[1]]
    first = next(
        (r.observation.seconds for r in shown if r.observation.still and r.observation.seconds >= case.away[1]), 0
    )
    return {
        "seed": game.seed,
        "look": game.look,
        "kind": case.kind,
        "from": round(case.away[0], 1),
        "until": round(case.away[1], 1),
        "turns": len(want),
        "right": sum(row in found for row in want),
        "written": len(found),
        "invented": len(invented),
        "unmarked": len(unmarked),
        "gaps": sum(isinstance(event, Found) for event in events),
        "lost_flags": sum(isinstance(event, Flagged) and event.code == "R44" for event in events),
        "found_after_s": round(again[0] - first, 1) if again else "",
    }


def _row(turn: TurnPlayed) -> Row:
    return turn.side, tuple(sorted(turn.dice, reverse=True)), position_id(turn.after, Side.LIGHT)


@click.group()
def main() -> None:
    """Figures of games that are found in the middle."""


@main.command("run")
@click.argument("folder", type=click.Path(path_type=Path, exists=True))
@click.option("--each", default=2, show_default=True, help="Cases of each kind for a game.")
@click.option("--seed", type=int, help="Only this game.")
@click.option("--store/--no-store", default=True, show_default=True)
def run(folder: Path, each: int, seed: int | None, store: bool) -> None:
    """Show parts of the games again."""
    rows = []
    for game in kept(folder):
        if seed not in (None, game.seed):
            continue
        for case in cases(game, each):
            rows.append(figures(game, case))
            click.echo(" ".join(f"{name} {value}" for name, value in rows[-1].items()))
            if store:
                add_row(RESULTS, stamp() | rows[-1])
    _sum(rows)


@main.command("sum")
def sums() -> None:
    """The figures of the newest commit."""
    rows = read_rows(RESULTS)
    _sum([row for row in rows if row["commit"] == rows[-1]["commit"]])


def _sum(rows: Sequence[dict[str, Any]]) -> None:
    for kind in ("late", "away"):
        mine = [row for row in rows if row["kind"] == kind]
        total = {
            name: sum(int(row[name]) for row in mine)
            for name in ("turns", "right", "written", "invented", "unmarked", "gaps")
        }
        click.echo(f"{kind}: {len(mine)} cases; " + ", ".join(f"{name} {value}" for name, value in total.items()))


if __name__ == "__main__":
    main()
