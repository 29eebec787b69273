"""Referees simulated games frame by frame and compares with what was really played; by hand: python benchmarks/referee.py.

Appends one line to referee.csv: turns right, illegal plays flagged, false accusations, cube actions right, with n and seeds.
"""

from __future__ import annotations

import csv
import subprocess
import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import click

from controller.referee.decide import PLAY_CODES
from controller.referee.events import AnyEvent, Doubled, Flagged, Played
from controller.rules import MATCH, Side, position_id
from controller.session import MatchPlan, Session
from controller.simulation import SimulatedTable
from controller.simulation import truth as t
from controller.teaching import teach
from vision.watcher import Watcher

RESULTS = Path(__file__).parent / "referee.csv"
SLACK = 8.0
"""Virtual seconds around a true error within which a flag counts as its flag."""


@dataclass
class Tally:
    """Sums over games."""

    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def game(self, seed: int, table: SimulatedTable, events: list[AnyEvent]) -> None:
        """Adds one match, or as much of it as was played."""
        true = [
            (e.side, tuple(sorted(e.dice, reverse=True)), e.after) for e in table.truth if isinstance(e, t.TurnPlayed)
        ]
        seen = [e for e in events if isinstance(e, Played)]
        found = [(e.side, e.dice, e.after) for e in seen]
        want = [(side, dice, position_id(after, Side.LIGHT)) for side, dice, after in true]
        right = _in_order(want, found)
        self.counts.update(turns=len(want), turns_right=right, turns_written=len(found), games=1)
        self.counts["games_clean"] += right == len(want) == len(found)
        self.counts.update(doubles=sum(isinstance(e, t.Doubled) for e in table.truth))
        self.counts["doubles_seen"] += sum(isinstance(e, Doubled) for e in events)
        errors = [e for e in table.truth if isinstance(e, t.ErrorMade)]
        flags = [e for e in events if isinstance(e, Flagged)]
        for kind, codes in (("illegal-play", PLAY_CODES), ("premature-roll", {"R04"}), ("cocked-die", {"R01", "R03"})):
            made = [e for e in errors if e.kind == kind]
            raised = [f for f in flags if f.code in codes]
            hit = [e for e in made if any(e.seconds - SLACK <= f.seconds <= e.put_right + SLACK for f in raised)]
            false = [f for f in raised if not any(e.seconds - SLACK <= f.seconds <= e.put_right + SLACK for e in made)]
            self.counts.update({kind: len(made), f"{kind} flagged": len(hit), f"{kind} false": len(false)})
            self.wrong += [f"seed {seed} {f.seconds:.1f}s false {f.code}: {f.text}" for f in false]
            self.wrong += [f"seed {seed} {e.seconds:.1f}s missed {kind}" for e in made if e not in hit]
        self.wrong += [f"seed {seed}: not written down: {row[:2]}" for row in want if row not in found]


def _in_order(want: list[object], found: list[object]) -> int:
    """How many of the true turns were written down in their order (longest common subsequence)."""
    rows = [0] * (len(found) + 1)
    for one in want:
        before = 0
        for j, other in enumerate(found, start=1):
            before, rows[j] = rows[j], before + 1 if one == other else max(rows[j], rows[j - 1])
    return rows[-1]


@click.command()
@click.option("--seeds", default="1-10", show_default=True, help="FIRST-LAST.")
@click.option("--seconds", default=240.0, show_default=True, help="Virtual seconds of each match that are watched.")
@click.option("--errors", default="many", show_default=True, type=click.Choice(["none", "some", "many"]))
def main(seeds: str, seconds: float, errors: str) -> None:
    """Referee simulated matches and print how well."""
    first, _, last = seeds.partition("-")
    tally, begun, virtual = Tally(), time.process_time(), 0.0
    for seed in range(int(first), int(last or first) + 1):
        table = SimulatedTable(seed, errors)
        watcher, session, events = Watcher(table.corners), Session(MatchPlan(MATCH, 3), table.light_home), []
        for frame in table.frames():
            observation = watcher.look(frame)
            if observation is not None:
                events += session.see(observation)
                teach(watcher, session)
            if frame.seconds > seconds and table.truth and isinstance(table.truth[-1], t.TurnPlayed):
                break
        virtual += frame.seconds
        tally.game(seed, table, events + list(session.finish(frame.seconds)))
        click.echo(f"seed {seed} ({table.look.name}): {dict(tally.counts)}")
    for line in tally.wrong:
        click.echo(line)
    row = {"date": datetime.now(UTC).date().isoformat(), "commit": _commit(), "seeds": seeds, "errors": errors}
    row |= {"virtual_s": round(virtual), "cpu_s": round(time.process_time() - begun), **tally.counts}
    new = not RESULTS.exists()
    with RESULTS.open("a", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(row))
        if new:
            writer.writeheader()
        writer.writerow(row)


def _commit() -> str:
    return subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=True
    ).stdout.strip()


if __name__ == "__main__":
    main()
