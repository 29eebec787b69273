"""Compares what the referee wrote about simulated games with what was truly played, game by game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from controller.referee.decide import PLAY_CODES
from controller.referee.events import AnyEvent, Doubled, Flagged, GameEnded, Passed, Played, Rolled, Taken
from controller.referee.history import takes_back
from controller.referee.state import NOT_ACCUSING, TurnLine
from controller.rules import Side, position_id
from controller.rules.codes import Code
from controller.simulation import truth as t
from controller.tracking.parameters import SURE

SLACK = 8.0
"""Virtual seconds around a true error within which a flag counts as its flag."""

ACCUSATIONS = {
    "illegal-play": PLAY_CODES,
    "premature-roll": frozenset({"R04"}),
    "cocked-die": frozenset({"R01", "R02", "R03"}),
}
FOLLOWING = frozenset({Code.ILLEGAL_PLAY_STANDS, Code.OPPONENT_MAY_CONDONE, Code.TIME_OUT})
"""Flags that say what becomes of an error that was flagged, or that a clock says."""
OTHER_ACCUSATIONS = frozenset(Code) - NOT_ACCUSING - FOLLOWING - frozenset[str]().union(*ACCUSATIONS.values())
"""Flags that blame somebody; the simulated players never do any of this."""

Row = tuple[Side, tuple[int, ...], str]


@dataclass
class Compared:
    """One game's figures, named as in the CSV, and what went wrong, in lines.

    sure: of each true turn, the share of the belief with which it was written, 0 where it was not; claims: of each that was
    written, that share, and whether it is true.
    """

    figures: dict[str, Any] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    sure: list[float] = field(default_factory=list)
    claims: list[tuple[float, bool]] = field(default_factory=list)


def compare(truth: Sequence[t.TruthEvent], events: Sequence[AnyEvent]) -> Compared:
    """Turns, flags, cube, result and latencies of one game.

    doubtful: turns written with less than SURE; unmarked: wrong or missing turns where none of those written was doubtful.
    """
    true = [e for e in truth if isinstance(e, t.TurnPlayed)]
    held = _held(events)
    seen = [e for e in held if isinstance(e, Played)]
    want: list[Row] = [(e.side, tuple(sorted(e.dice, reverse=True)), position_id(e.after, Side.LIGHT)) for e in true]
    found: list[Row] = [(e.side, e.dice, e.after) for e in seen]
    pairs = aligned(want, found)
    written = dict(pairs)
    compared = Compared(
        sure=[seen[written[i]].sure if i in written else 0.0 for i in range(len(want))],
        claims=[(e.sure, j in written.values()) for j, e in enumerate(seen)],
    )
    gaps = list(_gaps(pairs, len(want), len(found)))
    doubtful = [e.sure < SURE for e in seen]
    bad = [(max(b - a, d - c), sum(doubtful[c:d])) for a, b, c, d in gaps]
    compared.figures |= {"turns": len(want), "right": len(pairs), "written": len(found), "doubtful": sum(doubtful)}
    compared.figures["unmarked"] = sum(max(0, wrong - marked) for wrong, marked in bad)
    for a, b, c, d in gaps:
        compared.wrong += [f"{true[i].seconds:.1f}s played   {_words(want[i])}" for i in range(a, b)]
        compared.wrong += [
            f"{seen[j].seconds:.1f}s written  {_words(found[j])} (sure {seen[j].sure})" for j in range(c, d)
        ]
    _flags(compared, truth, [e for e in events if isinstance(e, Flagged)])
    _cube(compared, truth, held)
    compared.figures["clean"] = int(
        len(want) == len(found) == len(pairs) and compared.figures["cube"] == compared.figures["cube_right"]
    )
    compared.figures["play_late"] = _join(seen[j].seconds - true[i].seconds for i, j in pairs)
    compared.figures["roll_late"] = _join(_roll_delays(true, events))
    return compared


def _words(row: Row) -> str:
    return f"{row[0].value} {row[1]} {row[2]}"


def _join(delays: Any) -> str:
    return " ".join(f"{delay:.1f}" for delay in delays)


def _flags(compared: Compared, truth: Sequence[t.TruthEvent], flags: list[Flagged]) -> None:
    errors = [e for e in truth if isinstance(e, t.ErrorMade)]
    false: list[Flagged] = [f for f in flags if f.code in OTHER_ACCUSATIONS]
    for kind, codes in ACCUSATIONS.items():
        made = [e for e in errors if e.kind == kind]
        raised = [f for f in flags if f.code in codes and f.code not in OTHER_ACCUSATIONS]
        hit = [e for e in made if any(_meets(e, f) for f in raised)]
        false += [f for f in raised if not any(_meets(e, f) for e in made)]
        compared.figures |= {kind: len(made), f"{kind} flagged": len(hit)}
        compared.wrong += [f"{e.seconds:.1f}s missed {kind} {e.dice}" for e in made if e not in hit]
    compared.figures["false"] = " ".join(f.code for f in false)
    compared.wrong += [f"{f.seconds:.1f}s false {f.code}: {f.text}" for f in false]


def _held(events: Sequence[AnyEvent]) -> list[AnyEvent]:
    """The events without lines of a game that later ones took back."""
    held: list[AnyEvent] = []
    for event in events:
        last = next((n for n in reversed(range(len(held))) if isinstance(held[n], TurnLine)), None)
        if last is not None and takes_back(event, held[last]):
            del held[last]
        held.append(event)
    return held


def _meets(error: t.ErrorMade, flag: Flagged) -> bool:
    return error.seconds - SLACK <= flag.seconds <= error.put_right + SLACK


def _cube(compared: Compared, truth: Sequence[t.TruthEvent], events: Sequence[AnyEvent]) -> None:
    """Cube actions and the game's end."""
    want = [(_name(e), e.side) for e in truth if isinstance(e, t.Doubled | t.Taken | t.Passed | t.GameWon)]
    found = [(_name(e), e.winner if isinstance(e, GameEnded) else e.side) for e in events if isinstance(e, _ACTIONS)]
    pairs = aligned(want, found)
    compared.figures |= {"cube": len(want), "cube_right": len(pairs) if len(found) == len(want) else len(pairs) - 1}
    if len(pairs) != len(want) or len(found) != len(want):
        compared.wrong.append(f"cube and end: {want} written as {found}")


_ACTIONS = (Doubled, Taken, Passed, GameEnded)


def _name(event: object) -> str:
    return {"GameEnded": "GameWon"}.get(type(event).__name__, type(event).__name__)


def _roll_delays(true: list[t.TurnPlayed], events: Sequence[AnyEvent]) -> Iterator[float]:
    """From dice at rest to the roll shown, of each turn whose roll was shown."""
    for turn in true:
        dice = tuple(sorted(turn.dice, reverse=True))
        shown = [e.seconds for e in events if isinstance(e, Rolled) and e.side is turn.side and e.dice == dice]
        near = [s - turn.rolled for s in shown if s - turn.rolled >= -0.05 and s <= turn.seconds + SLACK]
        if near:
            yield near[0]


def aligned(want: Sequence[object], found: Sequence[object]) -> list[tuple[int, int]]:
    """Pairs of equal things in order, as many as can be (longest common subsequence)."""
    best = [[0] * (len(found) + 1) for _ in range(len(want) + 1)]
    for i in range(len(want) - 1, -1, -1):
        for j in range(len(found) - 1, -1, -1):
            best[i][j] = 1 + best[i + 1][j + 1] if want[i] == found[j] else max(best[i + 1][j], best[i][j + 1])
    pairs, i, j = [], 0, 0
    while i < len(want) and j < len(found):
        if want[i] == found[j]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i + 1][j] >= best[i][j + 1]:
            i += 1
        else:
            j += 1
    return pairs


def _gaps(pairs: list[tuple[int, int]], want: int, found: int) -> Iterator[tuple[int, int, int, int]]:
    """(from, to, from, to) of what lies between the pairs in either list."""
    i = j = 0
    for a, b in [*pairs, (want, found)]:
        if a > i or b > j:
            yield i, a, j, b
        i, j = a + 1, b + 1
