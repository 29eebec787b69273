"""A match by each of the five texts from the draw to its end: simulated players, drawn pictures, the program's own readers.

    python benchmarks/texts.py text-002 --out FOLDER     all five without a name; records and score sheets go to FOLDER

Players give up by word of mouth, so a person tells the referee of it. What was written is compared with what truly happened,
checked, and taken through every format; a row for each match is added to texts.csv.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from benchmarks.rows import add_row, stamp
from benchmarks.watched import RestEyes
from controller.app.appearance_feedback import teach
from controller.record.check import check
from controller.record.formats import read_record, write_record
from controller.record.from_events import record_of
from controller.record.model import RecordError
from controller.referee import events as written
from controller.referee.commands import AcceptResign, OfferResign, Pass, RefuseResign
from controller.referee.events import AnyEvent, Flagged
from controller.referee.session import MatchPlan, Session
from controller.referee.state import NOT_ACCUSING
from controller.referee.turns import Phase
from controller.rules import Side, parse_ruleset, position_id
from controller.rules.ruleset import DeviceRules
from controller.simulation import (
    Beavered,
    Doubled,
    Drawn,
    GameWon,
    Passed,
    Resigned,
    SimulatedMatch,
    SimulatedTable,
    Taken,
    TruthEvent,
    TurnPlayed,
)


@dataclass(frozen=True)
class Evening:
    """What is played by a text, and which of the simulated evenings: one with doubles, taken and passed, where there is a cube."""

    seed: int
    length: int = 0
    games: int = 0
    keys: tuple[str, ...] = ()


EVENINGS = {
    "text-000": Evening(7, games=2, keys=("match.games=2",)),
    "text-001": Evening(7, length=3),
    "text-002": Evening(7, length=3),
    "text-003": Evening(3, length=3),
    "text-004": Evening(3, games=2, keys=("stake.point=5 Kč",)),
}

FORMATS = (".mat", ".sgf", ".sst", ".csv", ".cs.txt", ".sk.txt", ".en.txt", ".json")
"""Those that are read back as well."""


def played(name: str, evening: Evening) -> tuple[tuple[TruthEvent, ...], tuple[AnyEvent, ...]]:
    """What truly happened in a match by a text, and the referee's events."""
    rules = replace(parse_ruleset(name, evening.keys), device=DeviceRules(role="monitor"))
    games = 0 if evening.length else evening.games
    table = SimulatedTable(evening.seed, SimulatedMatch("none", evening.length, games=games, rules=rules, resigns=True))
    home: Any = table.light_home
    session = Session(MatchPlan(rules, evening.length, ("Jana", "Petr")), home)
    eyes = RestEyes(table)
    events, seen, seconds = list(session.opening), 0, 0.0
    offered: list[Resigned] = []
    for number, scene in enumerate(table.scenes()):
        seconds = number / table.fps
        offered += [event for event in table.truth[seen:] if isinstance(event, Resigned)]
        seen = len(table.truth)
        if offered and session.state.turn is offered[0].side and session.state.phase is Phase.TO_ROLL:
            one = offered.pop(0)
            events += session.command(OfferResign(side=one.side, level=one.level), seconds)
            events += session.command(AcceptResign() if one.accepted else RefuseResign(), seconds)
        observation = eyes.look(scene, seconds)
        if observation is not None:
            events += session.see(observation)
            teach(eyes.watcher, session)
    events += session.finish(seconds)
    if (
        session.state.phase is Phase.OFFERED
    ):  # passed: seen when the next game is set up; after the last a person says it
        events += session.command(Pass(), seconds)
    return table.truth, tuple(events)


def _cube(event: Any) -> tuple[str, Side]:
    return type(event).__name__, event.side


def row_of(name: str, evening: Evening, out: Path) -> dict[str, Any]:
    """Plays a match, keeps its record and sheets in a folder, and says how they compare with the truth."""
    truth, events = played(name, evening)
    turns = [(e.side, sorted(e.dice), position_id(e.after, Side.LIGHT)) for e in truth if isinstance(e, TurnPlayed)]
    mine = [(e.side, sorted(e.dice), e.after) for e in events if isinstance(e, written.Played)]
    cube = [_cube(e) for e in truth if isinstance(e, Doubled | Beavered | Taken | Passed)]
    cube_written = [
        _cube(e) for e in events if isinstance(e, written.Doubled | written.Beavered | written.Taken | written.Passed)
    ]
    won = [(e.side, e.points) for e in truth if isinstance(e, GameWon)]
    ended = [(e.winner, e.points) for e in events if isinstance(e, written.GameEnded)]
    draws = [(e.light, e.dark) for e in truth if isinstance(e, Drawn)]
    drawn = [(e.light, e.dark) for e in events if isinstance(e, written.Drawn)]
    flags = [e for e in events if isinstance(e, Flagged) and e.code not in NOT_ACCUSING]
    record = record_of(events, f"{name}.json")
    out.mkdir(parents=True, exist_ok=True)
    for language in ("cs", "sk", "en"):
        write_record(record, out / f"{name}.{language}.html")
    for flag in flags:
        print(f"  {name}: {flag.code} at {flag.seconds:.0f} s: {flag.text}")
    for problem in (problems := list(check(record).problems)):
        print(f"  {name}: check: {problem}")
    back = [ending for ending in FORMATS if _comes_back(record, out / f"{name}{ending}")]
    return {
        **stamp(),
        "text": name,
        "seed": evening.seed,
        "games": len(won),
        "turns": len(turns),
        "right": sum(a == b for a, b in zip(turns, mine, strict=False))
        if len(turns) == len(mine)
        else _common(turns, mine),
        "written": len(mine),
        "cube": len(cube),
        "cube_right": int(cube == cube_written),
        "results_right": int(won == ended),
        "draws": len(draws),
        "drawn": len(drawn),
        "flags": len(flags),
        "check": len(problems),
        "formats": f"{len(back)}/{len(FORMATS)}",
    }


def _common(turns: list[Any], mine: list[Any]) -> int:
    """How many turns were written as they were, where some are missing or one too many."""
    return sum(one in mine for one in turns)


def _comes_back(record: Any, path: Path) -> bool:
    """Written and read again, the games are the same and `check` finds nothing new in them."""
    try:
        write_record(record, path)
        again = check(read_record(path))
    except RecordError as error:
        print(f"  {path.name}: {error}")
        return False
    for problem in again.problems:
        print(f"  {path.name}: check: {problem}")
    results = [(game.winner, game.points) for game in record.games]
    same = [(game.winner, game.points) for game in again.games] == results
    return same and again.problems == check(record).problems


def main() -> None:
    """One row for each text that is asked for."""
    cv2.setNumThreads(1)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", nargs="*", default=list(EVENINGS))
    parser.add_argument("--out", type=Path, default=Path("texts"))
    parser.add_argument("--csv", type=Path, default=Path(__file__).with_suffix(".csv"))
    asked = parser.parse_args()
    for name in asked.texts:
        row = row_of(name, EVENINGS[name], asked.out)
        print(row, flush=True)
        add_row(asked.csv, row)


if __name__ == "__main__":
    main()
