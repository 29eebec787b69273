"""Transcribes simulated films as people have them, and compares every turn with what was truly played.

python benchmarks/recordings.py run --seeds 9001-9200 --jobs 16
python benchmarks/recordings.py sum                  the figures of the newest commit's rows
python benchmarks/recordings.py sum --commits A,B    of these commits' rows, where the same tracker worked

Both take --rows FILE, where the rows are to stand elsewhere than in recordings.csv.

Each seed is a film of about two minutes: a look, two faults by name (gap, hard-cut, fade, title-card, face, score-board, caption,
logo, replay, zoom, letterbox, sides-swapped, frozen-hand, camera-moved), and in every third the beginning at a random moment of the
game ("late"). Its pictures go through what `vrhcab transcribe` does with a decoder's: only news is looked at, the board is found by
itself, and nothing is said of it. No codec is in between. Each recording is a process of its own and adds a row as it ends; one
that has a row already for this commit is not made again, so that a run that was stopped goes on. A recording that fails is named,
and the others go on.
"""

from __future__ import annotations

import multiprocessing
import sys
import time
import traceback
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, get_args

import click
import cv2

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.referee_tally import aligned
from benchmarks.rows import add_row, commit, read_rows, stamp
from benchmarks.seeds import seeds_in
from controller.referee.events import AnyEvent, Found, Played, Presumed
from controller.referee.session import MatchPlan
from controller.rules import MATCH, Position, Side, position_id
from controller.simulation import (
    Cut,
    CutKind,
    ErrorMade,
    Fault,
    GameBegun,
    GameWon,
    SimulatedFilm,
    SimulatedMatch,
    SimulatedTable,
    TruthEvent,
    TurnPlayed,
    look_for_seed,
)
from controller.simulation.film import SETTLED, THROUGHOUT
from controller.tracking.parameters import SURE
from controller.transcript.transcribe import Job, TranscribeError, Transcriber
from vision.sources.news import News, small_grey

RESULTS = Path(__file__).parent / "recordings.csv"
LENGTH = 5
"""Points of the match: there is a second game."""
SECONDS = 120.0
"""Of the game that a film shows."""
IN_THE_BREAK = ("sides-swapped", "camera-moved")
"""What is done between two games."""
KINDS: tuple[str, ...] = (
    *(kind for kind in get_args(CutKind) if kind not in THROUGHOUT),
    "frozen-hand",
    "camera-moved",
)
LASTS = {
    "gap": (60.0, 180.0), "hard-cut": (30.0, 60.0), "title-card": (2.0, 5.0), "face": (4.0, 15.0), "score-board": (3.0, 10.0),
    "caption": (10.0, 40.0), "logo": (20.0, 60.0), "replay": (3.0, 6.0), "frozen-hand": (10.0, 10.0),
}  # fmt: skip
"""Seconds, from and to; all others last as long as they do."""
ROOM = 0.8
"""Of the picture that the board fills where the film zooms later."""

Row = tuple[Side, tuple[int, ...], str]


@dataclass(frozen=True)
class Recording:
    """What a seed's film is."""

    seed: int
    faults: tuple[str, ...]
    begin: float
    end: float
    cuts: tuple[Cut, ...]
    befalls: tuple[Fault, ...]

    def film(self) -> SimulatedFilm:
        """It."""
        return SimulatedFilm(_table(self.seed, self.faults, self.befalls), self.cuts, self.begin, self.end)


def _table(seed: int, faults: Sequence[str], befalls: Sequence[Fault] = ()) -> SimulatedTable:
    look = look_for_seed(seed)
    if "zoom" in faults:
        look = replace(look, view=replace(look.view, fill=ROOM))
    return SimulatedTable(seed, SimulatedMatch("some", LENGTH), look=look, faults=befalls)


def recording_of(seed: int, throughout: Sequence[CutKind] = ()) -> Recording:
    """What that seed's film is, all of it taken so. Plays two games unseen to know when they end."""
    rng = Random(f"{seed} recording")
    faults = [KINDS[seed % len(KINDS)], KINDS[(seed // len(KINDS) + 5 * seed + 3) % len(KINDS)]]
    faults = list(dict.fromkeys(faults))
    over, again = _first_break(seed, faults)
    begin = rng.uniform(0.1, 0.7) * over if seed % 3 == 0 else 0.0
    if any(kind in IN_THE_BREAK for kind in faults):
        begin = max(over - SECONDS / 2, 0.0)
    end = begin + SECONDS
    cuts, befalls = [], []
    for kind in faults:
        at = begin + rng.uniform(0.25, 0.6) * SECONDS
        seconds = rng.uniform(*LASTS.get(kind, (4.0, 4.0)))
        if kind in IN_THE_BREAK:
            at, end = over + 1.5, max(end, again + SECONDS / 2)
        if kind == "gap":
            end += seconds
        if kind == "frozen-hand":
            befalls.append(Fault("hand", at, seconds))
        elif kind == "camera-moved":
            befalls.append(Fault("bump", at))
        else:
            cuts.append(Cut(kind, at, seconds))  # type: ignore[arg-type]  # the others are kinds of cuts
    cuts += map(Cut, throughout)
    faults += throughout
    late = ["late"] if begin > 0 else []
    return Recording(seed, (*late, *faults), begin, end, tuple(cuts), tuple(befalls))


def _first_break(seed: int, faults: Sequence[str]) -> tuple[float, float]:
    """When the first game is over, and when the second begins."""
    table, over = _table(seed, faults), 0.0
    for _ in table.scenes():
        last = table.truth[-1] if table.truth else None
        if isinstance(last, GameWon) and not over:
            over = last.seconds
        if isinstance(last, GameBegun) and last.game:
            return over, last.seconds
    return over, table.truth[-1].seconds


def transcribed(film: SimulatedFilm) -> tuple[tuple[AnyEvent, ...], str]:
    """The events that hold of it in the end, and why there are none."""
    work, news = Transcriber(Job(MatchPlan(MATCH, LENGTH), None)), News()
    frames = ((frame, frame.seconds) for frame in film.frames())
    for frame, _ in news.of(frames, lambda one: small_grey(cv2.cvtColor(one.image, cv2.COLOR_BGR2GRAY))):
        work.look(frame)
    try:
        return work.ended().held, ""
    except TranscribeError as error:
        return (), str(error)


def figures(seed: int, throughout: Sequence[CutKind] = ()) -> dict[str, Any]:
    """One recording's row."""
    cv2.setNumThreads(1)
    begun = time.process_time()
    recording = recording_of(seed, throughout)
    film = recording.film()
    held, refused = transcribed(film)
    spent = time.process_time() - begun
    truth = _truth_until(recording, recording.end + LONGEST_TURN)
    true = [event for event in truth if isinstance(event, TurnPlayed)]
    played: list[Played] = []
    for event in held:
        if isinstance(event, Played):
            played = [*(played[:-1] if event.redo else played), event]
    found: list[Row] = [(event.side, event.dice, event.after) for event in played]
    shown = [turn for turn in true if _is_shown(turn, recording, film)]
    pairs = aligned([_row(turn) for turn in shown], found)
    known = {_row(turn) for turn in true}
    invented = [one for one, row in zip(played, found, strict=True) if row not in known]
    unmarked = [one for one in invented if one.sure >= SURE and one.roll_seen and one.legal]
    written = [one.seconds for one, row in zip(played, found, strict=True) if row in known]
    stood = _stood(truth)
    rests = _shown(_rests_to_resync(film, held, written, stood))
    sure = _shown(_rests_to_resync(film, [one for one in held if not isinstance(one, Presumed)], written, stood))
    return {
        "seed": seed,
        "look": film.table.look.name,
        "faults": " ".join(recording.faults),
        "film_s": round(film.seconds),
        "turns": len(shown),
        "right": len(pairs),
        "written": len(found),
        "invented": len(invented),
        "unmarked": len(unmarked),
        "gaps": sum(isinstance(event, Found) and event.lost is not None for event in held),
        "losses": len(rests.split()),
        "rests": rests,
        "refused": refused,
        "cpu_s": round(spent, 1),
        "unended": sum(_is_of_an_unended_turn(one, true, recording.end) for one in invented),
        "sure_rests": sure,
    }


def _shown(rests: Iterable[int | None]) -> str:
    return " ".join("never" if one is None else str(one) for one in rests)


SOON = 3
"""Rests of a readable board within which track is to be found again."""
LONGEST_TURN = 60.0
"""Seconds: a turn whose dice still lie when the film ends was played all the same."""


def _truth_until(recording: Recording, seconds: float) -> tuple[TruthEvent, ...]:
    """What truly happened until that second of the game."""
    table = _table(recording.seed, recording.faults, recording.befalls)
    for number, _ in enumerate(table.scenes()):
        if number / table.fps > seconds:
            break
    return tuple(table.truth)


def _stood(truth: Iterable[TruthEvent]) -> frozenset[str]:
    """Position IDs of what stood there while no dice lay: between two turns, and after an illegal play until it was put right."""
    turns = (event.after for event in truth if isinstance(event, TurnPlayed))
    wrong = (event.wrong for event in truth if isinstance(event, ErrorMade) and event.wrong is not None)
    return frozenset(position_id(one, Side.LIGHT) for one in (Position.start(), *turns, *wrong))


def _row(turn: TurnPlayed) -> Row:
    return turn.side, tuple(sorted(turn.dice, reverse=True)), position_id(turn.after, Side.LIGHT)


SEEN_AFTER = 1.5
"""Seconds that the board has to be seen after a turn for it to count as shown: two frames at rest."""


def _is_of_an_unended_turn(play: Played, true: Sequence[TurnPlayed], end: float) -> bool:
    """Whether it is written in doubt for a turn that went on when the film ended, with its dice, and was played otherwise then."""
    return play.sure < SURE and any(
        (turn.side, tuple(sorted(turn.dice, reverse=True)), position_id(turn.before, Side.LIGHT))
        == (play.side, play.dice, play.before)
        for turn in true
        if turn.rolled <= end < turn.seconds
    )


def _is_shown(turn: TurnPlayed, recording: Recording, film: SimulatedFilm) -> bool:
    """All of a turn, from its dice to the board after it."""
    if turn.rolled < recording.begin or turn.seconds + SEEN_AFTER > recording.end:
        return False
    return all(turn.seconds + SEEN_AFTER < a or turn.rolled >= b for a, b, _ in film.hidden)


def _rests_to_resync(
    film: SimulatedFilm, held: Sequence[AnyEvent], right: Sequence[float], stood: Container[str]
) -> Iterator[int | None]:
    """For each time that track was lost, at which rest of the board it was found again; None where it never was.

    Lost: whatever the film did not show, where something was missed by it; and every gap in the record. Found again: when where it
    goes on is told, as presumed or surely, and is not told otherwise later. right: seconds of the film at which true turns were
    written, wholly shown or not; stood: the positions that truly stood there while no dice lay.
    """
    found = [event for event in held if isinstance(event, Found)]
    told = [(event.seconds, event.position in stood) for event in held if isinstance(event, Found | Presumed)]
    left = [event.seconds for event in found]
    seen_again = [*(again for _, _, again in film.hidden), float("inf")]
    for again, next_one in pairwise(seen_again):
        written = min((at for at in right if at > again), default=next_one)  # what is found later is a loss of its own
        mine = [event for event in found if again - 1.0 <= event.seconds < next_one and event.seconds <= written]
        until = next((event.seconds for event in mine if event.position in stood), next_one)
        if mine:
            left = [at for at in left if all(event.seconds != at for event in mine)]
        elif any(again < at < next_one for at in right) or sum(again < at < next_one for at in film.rests) <= 3:
            continue
        yield _rests(film, again, _true_since(told, again - 1.0, until))
    for at in left:
        since = max((one for one in right if one < at), default=0.0)
        yield _rests(film, since, _true_since(told, since, at))


def _true_since(told: Sequence[tuple[float, bool]], since: float, until: float) -> float | None:
    """Seconds from which on, until the last of them, all that was told of where the game goes on is true."""
    at: float | None = None
    for seconds, is_true in told:
        if since <= seconds <= until:
            at = (seconds if at is None else at) if is_true else None
    return at


def _rests(film: SimulatedFilm, since: float, until: float | None) -> int | None:
    """Which rest it was, from 1: the first at which the board was seen."""
    return None if until is None else max(sum(since <= at and at - SETTLED <= until for at in film.rests), 1)


@click.group()
def main() -> None:
    """Figures of transcribing films."""


ROWS = click.option("--rows", "path", default=RESULTS, type=click.Path(path_type=Path), help="CSV file of the rows.")


@main.command("run")
@click.option("--seeds", default="9001-9200", show_default=True, help="FIRST-LAST.")
@click.option("--jobs", default=1, show_default=True, type=click.IntRange(1, 64), help="Recordings at a time.")
@click.option(
    "--throughout",
    multiple=True,
    type=click.Choice(sorted(THROUGHOUT)),
    help="All taken so; the rows go elsewhere: --rows.",
)
@ROWS
def run(seeds: str, jobs: int, path: Path, throughout: tuple[CutKind, ...]) -> None:
    """Make and transcribe the recordings of these seeds."""
    done = {int(row["seed"]) for row in read_rows(path) if row["commit"] == commit()}
    waiting = [seed for seed in seeds_in(seeds) if seed not in done]
    failed = 0
    # Spawned, not forked: a forked process would share the networks' threads. One recording each, so that none inherits anything.
    with multiprocessing.get_context("spawn").Pool(jobs, maxtasksperchild=1) as pool:
        for seed, row in pool.imap_unordered(partial(_tried, throughout=throughout), waiting):
            if isinstance(row, str):
                failed += 1
                click.echo(f"seed {seed} failed:\n{row}", err=True)
                continue
            add_row(path, stamp() | row)
            click.echo(" ".join(f"{name} {value}" for name, value in row.items()))
    click.echo(f"{len(waiting) - failed} recordings made, {len(done)} were there, {failed} failed.")
    sys.exit(1 if failed else 0)


def _tried(seed: int, throughout: Sequence[CutKind]) -> tuple[int, dict[str, Any] | str]:
    """A recording's row, or how it failed."""
    try:
        return seed, figures(seed, throughout)
    except Exception:
        return seed, traceback.format_exc()


@main.command("sum")
@click.option("--commits", help="Commits whose rows count, with commas. Default: the newest.")
@ROWS
def sums(path: Path, commits: str | None) -> None:
    """The figures over all, by fault and by look."""
    rows = read_rows(path)
    wanted = commits.split(",") if commits else [row["commit"] for row in rows[-1:]]
    chosen = [row for row in rows if row["commit"] in wanted]
    _print("all", chosen)
    for kind in ("late", *KINDS):
        _print(kind, [row for row in chosen if kind in row["faults"].split()])
    for look in sorted({row["look"] for row in chosen}):
        _print(look, [row for row in chosen if row["look"] == look])


def _print(title: str, rows: Sequence[dict[str, str]]) -> None:
    if not rows:
        return
    total: Counter[str] = Counter()
    for row in rows:
        names = ("turns", "right", "written", "invented", "unmarked", "gaps", "losses", "unended")
        total.update({name: int(row[name] or 0) for name in names})  # older rows do not say what was unended
    soon, losses = _soon(rows, "rests")
    surely, _ = _soon(rows, "sure_rests")  # older rows do not tell them apart
    share = f"{total['right'] / total['turns']:.2%}" if total["turns"] else "-"
    looks = len({row["look"] for row in rows})
    click.echo(
        f"{title}: {len(rows)} recordings, {looks} looks; turns {total['right']}/{total['turns']} ({share}), "
        f"written {total['written']}, invented {total['invented']} "
        f"({total['unended']} of turns in which the film ends), unmarked {total['unmarked']}, "
        f"gaps {total['gaps']}, found again within three rests {soon}/{losses} (surely {surely})"
    )


def _soon(rows: Sequence[dict[str, str]], name: str) -> tuple[int, int]:
    """How many of the losses were found again within three rests, and how many there were."""
    rests = [one for row in rows for one in (row.get(name) or "").split()]
    return sum(one != "never" and int(one) <= SOON for one in rests), len(rests)


if __name__ == "__main__":
    main()
