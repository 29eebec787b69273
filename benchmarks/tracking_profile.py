"""How much each number of the tracker matters: the command `profile` of tracking_fit.py.

A number that is no frequency of anything has no likelihood of its own, and where readings are not normalised that of all that
was seen tells nothing. So it is the truth that is asked for: with the number a half, twice, a quarter and four times as large
(odds, where it is a share), kept games are refereed again. What counts is the logarithm of how much of the belief held what
truly stood on the board, at each rest, and what was truly played, when it was written down. Each game is also taken as a
recording that is switched on late and has a gap; there the boards count.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from math import exp, log, nan
from pathlib import Path
from typing import Any

import click
import numpy as np

from benchmarks.referee_tally import Compared, compare
from benchmarks.rows import add_row, commit, read_rows, stamp
from benchmarks.tracking_steps import moved
from benchmarks.watched import Reading, Watched, kept
from controller.referee.events import AnyEvent
from controller.referee.session import MatchPlan, Session
from controller.rules import MATCH, Position
from controller.simulation import TurnPlayed
from controller.tracking import parameters
from controller.tracking.belief import Belief
from controller.tracking.home import find_home
from controller.tracking.orientation import position_of
from controller.tracking.setting import Setting
from vision.training.reliability import reliability

RESULTS = Path(__file__).with_name("tracking.csv")
FACTORS = ((0.25, 0.5), (4.0, 2.0))
"""To either side; what makes no difference by the first is not tried by the second."""
FLOOR = exp(-12.0)
"""The share of the belief that counts for a board that no hypothesis has, and for a turn that was not written."""
LATE, GAP, GAP_S = 0.4, 0.7, 20.0
"""Shares of a game after which a late recording of it begins, and after which it has a gap of so many seconds."""
SAME = 2.0
"""nats within which two values explain a sample alike: half of the 95 % point of chi square with one degree of freedom."""
NUMBERS = tuple(name for name, value in vars(parameters).items() if name.isupper() and isinstance(value, int | float))
NOW: dict[str, float] = {name: getattr(parameters, name) for name in NUMBERS}
FIGURES = ("turns", "right", "unmarked", "doubtful", "false", "illegal flagged", "late")
LATE_S = 2.5
"""Seconds from dice at rest after which a roll is read late."""


def shortened(game: Watched, until: float) -> Watched:
    """The first seconds of a game."""
    readings = tuple(one for one in game.readings if one.observation.seconds < until)
    truth = tuple(one for one in game.truth if one.seconds < until)
    return replace(game, readings=readings, truth=truth, seconds=min(game.seconds, until))


def thinned(game: Watched) -> Watched:
    """The same game with the first and the last reading of each rest alone: those between say hardly more."""
    near = zip((None, *game.readings), game.readings, (*game.readings[1:], None), strict=False)
    readings = [
        one for before, one, after in near if not (_is_still(before) and one.observation.still and _is_still(after))
    ]
    return replace(game, readings=tuple(readings))


def _is_still(reading: Reading | None) -> bool:
    return reading is not None and reading.observation.still


def begun_late(game: Watched) -> Watched:
    """The same game as it is recorded by somebody who comes late and stands before the camera once."""
    begin, gap = LATE * game.seconds, GAP * game.seconds
    readings = [
        one
        for one in game.readings
        if one.observation.seconds >= begin and not gap <= one.observation.seconds < gap + GAP_S
    ]
    return replace(game, readings=tuple(readings))


@dataclass(frozen=True)
class Held:
    """Of one rest: how much of the belief held the true board, and the board that it held most; whether that was true."""

    truth: float
    share: float
    right: bool


def follow(game: Watched) -> tuple[list[Held], list[AnyEvent]]:
    """What is believed at each rest of a game that is refereed again, until its last turn ends, and the events."""
    session = Session(MatchPlan(MATCH, game.length), game.light_home)
    events: list[AnyEvent] = list(session.opening)
    played = max(one.seconds for one in game.truth if isinstance(one, TurnPlayed))
    held: list[Held] = []
    for reading, following in zip(game.readings, (*game.readings[1:], None), strict=True):
        events += session.see(reading.observation)
        ends = reading.observation.still and not _is_still(following)
        if ends and reading.shown is not None and reading.observation.seconds <= played:
            held.append(_held(session.tracker.belief, _true_board(reading, game)))
    return held, [*events, *session.finish(game.seconds)]


def _held(belief: Belief, true: Position) -> Held:
    shares: Counter[Position] = Counter()
    for hypothesis, share in belief.hypotheses:
        shares[hypothesis.board] += share
    ((best, most),) = shares.most_common(1)
    return Held(shares[true], most, best == true)


def _true_board(reading: Reading, game: Watched) -> Position:
    assert reading.shown is not None
    return position_of(np.array(reading.shown.columns), reading.shown.bar, game.light_home)


def _nats(held: Sequence[Held]) -> float:
    return sum(log(max(one.truth, FLOOR)) for one in held)


def _multiplied(name: str, factor: float) -> float:
    """What a number is to be multiplied by so that it, or of a share its odds, are so many times as large."""
    now = NOW[name]
    if isinstance(now, float) and 0 < now < 1 and factor != 1:
        odds = now / (1 - now) * factor
        return odds / (1 + odds) / now
    return factor


class Profiles:
    """The rows of tracking.csv at this commit, and those that are still to be made. samples: games by name."""

    def __init__(self, samples: dict[str, list[Watched]]) -> None:
        self._samples = samples
        mine = [row for row in read_rows(RESULTS) if row["commit"] == commit()]
        self._found = {(row["sample"], row["number"], row["value"]): row for row in mine}

    def add(self, name: str) -> None:
        """Moves one number to either side, as far as that tells anything."""
        base = self._rows(name, 1.0)
        for far, near in FACTORS:
            moved_far = self._rows(name, far)
            if not all(_is_alike(row, now) for row, now in zip(moved_far, base, strict=True)):
                self._rows(name, near)

    def _rows(self, name: str, factor: float) -> list[dict[str, str]]:
        with moved(name, _multiplied(name, factor)) as value:
            return [self._row(name, value, sample, games) for sample, games in self._samples.items()]

    def _row(self, name: str, value: float, sample: str, games: Sequence[Watched]) -> dict[str, str]:
        """What is known already is not measured again; as the numbers are today, all of them are the same."""
        today = value == NOW[name]
        key = sample, "all" if today else name, "now" if today else f"{value:.4g}"
        if key not in self._found:
            row = {title: str(cell) for title, cell in _measured(key, games).items()}
            add_row(RESULTS, row)
            self._found[key] = row
        return self._found[key]


@click.command("profile")
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--number", "numbers", multiple=True, type=click.Choice(NUMBERS), help="Only this one; may be repeated.")
@click.option("--until", default=1e9, help="Seconds of each game that are taken.", show_default="all")
def profile_command(folders: tuple[Path, ...], numbers: tuple[str, ...], until: float) -> None:
    """What becomes of the games in each of the FOLDERS, samples of their own, if a number is another; adds rows to tracking.csv."""
    profiles = Profiles({folder.name: [thinned(shortened(game, until)) for game in kept(folder)] for folder in folders})
    for name in numbers or NUMBERS:
        profiles.add(name)


@click.command("fit")
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.argument("other", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--number", "numbers", multiple=True, type=click.Choice(NUMBERS), help="One of them; may be repeated.")
@click.option("--until", default=1e9, help="Seconds of each game that are taken.", show_default="all")
def fit_command(folder: Path, other: Path, numbers: tuple[str, ...], until: float) -> None:
    """The likeliest values of some numbers together, of the games in FOLDER, and how well they explain those in OTHER.

    One after the other is doubled and halved (odds, where it is a share) as long as that explains the games better by more than
    chance would, until none is moved any more.
    """
    mine, others = ([thinned(shortened(game, until)) for game in kept(one)] for one in (folder, other))
    factors = dict.fromkeys(numbers or NUMBERS, 1.0)
    first = best = _score_with(factors, mine)
    going_on = True
    while going_on:
        going_on = False
        for name in factors:
            for by in (2.0, 0.5):
                while (found := _score_with(factors | {name: factors[name] * by}, mine)) > best + SAME:
                    factors[name] *= by
                    best, going_on = found, True
                click.echo(f"  {name} by {factors[name] * by:g}: {found - best:+.2f} nats")
    for name, factor in factors.items():
        click.echo(f"{name}: {NOW[name]:.4g} -> {NOW[name] * _multiplied(name, factor):.4g}")
    before, after = _score_with(dict.fromkeys(factors, 1.0), others), _score_with(factors, others)
    click.echo(f"{folder.name}: {first:.2f} -> {best:.2f} nats; {other.name}: {before:.2f} -> {after:.2f} nats")


def _score_with(factors: dict[str, float], games: Sequence[Watched]) -> float:
    """How well those games are explained with these numbers so many times as large."""
    with ExitStack() as stack:
        for name, factor in factors.items():
            if factor != 1:
                stack.enter_context(moved(name, _multiplied(name, factor)))
        return _score({name: str(cell) for name, cell in _measured(("", "", ""), games).items()})


def _measured(key: tuple[str, str, str], games: Sequence[Watched]) -> dict[str, Any]:
    """The row of a sample, a number and its value."""
    total: Counter[str] = Counter(dict.fromkeys(FIGURES, 0))
    rests, nats, turn_nats, late_rests, late_nats = 0, 0.0, 0.0, 0, 0.0
    for game in games:
        held, events = follow(game)
        rests, nats = rests + len(held), nats + _nats(held)
        compared = compare(game.truth, events)
        turn_nats += sum(log(max(sure, FLOOR)) for sure in compared.sure)
        total.update(_figures(compared))
        held, _ = follow(begun_late(game))
        late_rests, late_nats = late_rests + len(held), late_nats + _nats(held)
    head = stamp() | dict(zip(("sample", "number", "value"), key, strict=True))
    sizes = {"games": len(games), "rests": rests, "nats": f"{nats:.2f}", "turn_nats": f"{turn_nats:.2f}"}
    return (
        head
        | sizes
        | {"late_rests": late_rests, "late_nats": f"{late_nats:.2f}"}
        | {name: total[name] for name in FIGURES}
    )


def _figures(compared: Compared) -> dict[str, int]:
    figures = compared.figures
    found = {name: int(figures[name]) for name in ("turns", "right", "unmarked", "doubtful")}
    return found | {
        "false": len(figures["false"].split()),
        "illegal flagged": int(figures["illegal-play flagged"]),
        "late": sum(float(late) > LATE_S for late in figures["roll_late"].split()),
    }


@click.command("profiles")
def profiles_command() -> None:
    """Of each number in tracking.csv: how well each value explains each sample, beside the value of today."""
    rows = read_rows(RESULTS)
    today = {(row["commit"], row["sample"]): row for row in rows if row["number"] == "all"}
    by_number: dict[str, list[dict[str, str]]] = defaultdict(list)
    for row in rows:
        by_number[row["number"]].append(row)
    for number in filter(NOW.__contains__, by_number):
        click.echo(f"{number}: {NOW[number]:.4g}")
        for row in sorted(by_number[number], key=lambda row: (row["sample"], float(row["value"]))):
            now = today[row["commit"], row["sample"]]
            worse = [f"{name} {now[name]} -> {row[name]}" for name in FIGURES if row[name] != now[name]]
            same = "alike" if _is_alike(row, now) else "not so"
            found = f"  {row['sample']} {row['value']}: {_score(row) - _score(now):+.1f} nats, {same}"
            click.echo(", ".join((found, *worse)))


def _score(row: dict[str, str]) -> float:
    return sum(float(row[name]) for name in ("nats", "turn_nats", "late_nats"))


def _is_alike(row: dict[str, str], now: dict[str, str]) -> bool:
    """Whether those games are explained as well as with the numbers of today, and no figure is worse."""
    no_fewer = all(int(row[name]) >= int(now[name]) for name in ("right", "illegal flagged"))
    no_more = all(int(row[name]) <= int(now[name]) for name in ("unmarked", "false", "doubtful"))
    return no_fewer and no_more and abs(_score(row) - _score(now)) <= SAME


@click.command("beliefs")
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, file_okay=False))
def beliefs_command(folders: tuple[Path, ...]) -> None:
    """How often what was believed with such a share is true in kept games, and how well the start position fits where it stands."""
    boards: list[tuple[float, bool]] = []
    turns: list[tuple[float, bool]] = []
    gaps: dict[bool, list[float]] = {True: [], False: []}
    for game in (game for folder in folders for game in kept(folder)):
        held, events = follow(thinned(game))
        boards += [(one.share, one.right) for one in held]
        turns += compare(game.truth, events).claims
        for reading in (one for one in game.readings if one.observation.still and one.shown is not None):
            _, gap = find_home(reading.observation, Setting())
            gaps[_true_board(reading, game) == Position.start()].append(gap)
    for what, claims in (("boards", boards), ("turns", turns)):
        for line in reliability(*zip(*claims, strict=True)):
            found = f"{what} held with {line.low}-{line.high}: {line.claims}"
            click.echo(f"{found}, {line.claimed:.4f} on the mean, {line.true:.4f} true")
    for true, extreme in ((True, min), (False, max)):
        of = "the start position" if true else "other boards"
        click.echo(f"{of}: {len(gaps[true])} readings, {extreme(gaps[true], default=nan):.1f} nats from the best fit")


COMMANDS = (profile_command, profiles_command, fit_command, beliefs_command)
