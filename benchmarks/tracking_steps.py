"""What players do between two rests of the board: commands of tracking_fit.py that need no truth of what lay there.

`steps` maximises the probability of all that was seen in kept games. By how much it rises with the logarithm of one step's weight
is how often the step was taken, as far as the tracker can tell, less how often that was to be expected (Fisher's identity). What
simulated players do on purpose, as illegal plays, early rolls and thrown-again dice, tells nothing of real ones; what is
overlooked between two looks, and how many looks a throw or a play takes, does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from math import exp, log
from pathlib import Path
from typing import Any

import click
import numpy as np

from benchmarks.referee_tally import compare
from benchmarks.watched import Watched, again, kept
from controller.record.formats import read_record
from controller.record.model import DoubleAction, Game, PassAction, PlayAction, RecordError, TakeAction
from controller.rules import Side, legal_plays
from controller.rules.ids import position_from_id
from controller.rules.inspection import has_contact
from controller.tracking import evidence as evidence_module
from controller.tracking import found as found_module
from controller.tracking import parameters, transitions
from controller.tracking.evidence import Evidence
from controller.tracking.hypothesis import Hypothesis, Stage
from controller.tracking.rest import Rest
from controller.tracking.setting import Setting
from controller.tracking.tracker import Tracker
from controller.tracking.transitions import Transition
from controller.tracking.unseen import two_turns
from controller.tracking.weighing import weigh
from vision.observation import MAX_COUNT

NUDGE = 0.1
"""nats by which the weight of a step is raised to see how much likelier the games become."""
FACTORS = tuple(2.0**power for power in (-3, -2, -1, 0, 1, 2, 3))
"""By which a number is moved."""
LIKELIHOODS = ("NEXT", "UNUSUAL", "RARE", "AGAINST_SENSE")
RANGES = (*LIKELIHOODS, "MISTAKEN", "MISSED", "KEEPS", "DEPTH", "WORTH")
LEAST = 1e-4
CHANCES = np.geomspace(LEAST, 1, 200)

Move = tuple[Stage, Transition]


def rests_of(game: Watched) -> list[Rest]:
    """Each rest of the board, averaged over its frames."""
    rests: list[Rest] = []
    going_on = False
    for reading in game.readings:
        seen = reading.observation
        if seen.still:
            rests = [*rests[:-1], rests[-1].add(seen)] if going_on else [*rests, Rest.begin(seen)]
        going_on = seen.still
    return rests


class Followed:
    """A game that the tracker has followed once: what its rests show, to be weighed again with other numbers.

    expected: how often each step was to be expected.
    """

    def __init__(self, game: Watched) -> None:
        self._setting, self._home = Setting(), game.light_home
        self.evidence: list[Evidence] = []
        self.expected: Counter[Move] = Counter()
        tracker = Tracker.start(self._setting, self._home)
        for rest in rests_of(game):
            belief = tracker.belief
            for hypothesis, share in belief.hypotheses:
                for step, chance in transitions.steps(hypothesis, self._setting).items():
                    self.expected[hypothesis.stage, step] += share * exp(chance)
            boards = [one.board for one, share in belief.hypotheses if share >= parameters.WORTH]
            self.evidence.append(rest.evidence(self._home, belief.evidence, boards))
            _, tracker = self._after(tracker, self.evidence[-1])

    def nats(self) -> float:
        """Log-probability of all that was seen."""
        tracker, total = Tracker.start(self._setting, self._home), 0.0
        for evidence in self.evidence:
            nats, tracker = self._after(tracker, evidence)
            total += nats
        return total

    def _after(self, tracker: Tracker, evidence: Evidence) -> tuple[float, Tracker]:
        belief = weigh(tracker.belief, evidence, self._setting)
        return belief.nats, replace(tracker, belief=belief, settled=belief).commit()[1]


@contextmanager
def moved(name: str, factor: float) -> Iterator[float]:
    """That number so many times as large; what it is then."""
    was = getattr(parameters, name)
    now = type(was)(was * factor)
    try:
        _set(name, now)
        yield now
    finally:
        _set(name, was)


def _set(name: str, value: float) -> None:
    """Gives a number that value, and makes anew what follows from it alone."""
    setattr(parameters, name, value)
    transitions.STANDS_STILL = 2 * parameters.SURE / (1 - parameters.SURE)
    found_module.OFFERED = log(parameters.RARE)
    found_module.OTHERWISE = log((1 - parameters.RARE) / found_module.WITHOUT_OFFER)
    evidence_module.PILES = np.abs(np.arange(-MAX_COUNT, MAX_COUNT + 1)) > parameters.MOST_SEEN
    two_turns.cache_clear()


@contextmanager
def likelier(move: Move) -> Iterator[None]:
    """That step heavier by NUDGE."""
    stage, step = move
    was: Callable[[Hypothesis, Setting], dict[Transition, float]] = transitions.weights

    def weights(state: Hypothesis, setting: Setting) -> dict[Transition, float]:
        found = was(state, setting)
        return found | {step: found[step] * exp(NUDGE)} if state.stage is stage and step in found else found

    transitions.weights = weights
    try:
        yield
    finally:
        transitions.weights = was


FOLDER = click.Path(path_type=Path, exists=True)


@click.command("steps")
@click.argument("folder", type=FOLDER)
@click.argument("other", type=FOLDER)
@click.option("--each", is_flag=True, help="How often each step was taken, too (slow).")
def steps_command(folder: Path, other: Path, each: bool) -> None:
    """How likely what was seen is with other chances of what players do."""
    mine, others = list(map(Followed, kept(folder))), list(map(Followed, kept(other)))
    base, unseen = _total(mine), _total(others)
    rests = sum(len(game.evidence) for game in mine)
    click.echo(f"{len(mine)} games, {rests} rests, {base:.1f} nats; {len(others)} others, {unseen:.1f} nats")
    if each:
        _print_steps(mine, base)
    for name in LIKELIHOODS:
        with moved(name, 1) as now:
            pass
        found = {now: 0.0}
        for factor in FACTORS:
            if factor != 1:
                with moved(name, factor) as value:
                    found[value] = _total(mine) - base
        best = max(found, key=lambda value: found[value])
        with moved(name, best / now):
            gained = _total(others) - unseen
        line = ", ".join(f"{value:.3g} {nats:+.1f}" for value, nats in sorted(found.items()))
        click.echo(f"{name}: {now:.3g} -> {best:.3g}, on the others {gained:+.1f} nats; {line}")


def _total(games: Sequence[Followed]) -> float:
    return sum(game.nats() for game in games)


def _print_steps(games: Sequence[Followed], base: float) -> None:
    """Of each stage, how often each step was taken."""
    expected: Counter[Move] = Counter()
    for game in games:
        expected.update(game.expected)
    for stage in Stage:
        moves = [move for move in expected if move[0] is stage]
        click.echo(f"{stage.value}: {sum(expected[move] for move in moves):.0f} rests")
        for move in moves:
            if move[1] is not Transition.STAY:
                with likelier(move):
                    more = (_total(games) - base) / NUDGE
                click.echo(
                    f"  {move[1].value}: {expected[move]:.1f} expected, {max(expected[move] + more, 0):.1f} taken"
                )


@click.command("ranges")
@click.argument("folder", type=FOLDER)
@click.argument("names", nargs=-1)
def ranges_command(folder: Path, names: tuple[str, ...]) -> None:
    """How far each number can be moved before any figure of these games is another."""
    games = list(kept(folder))
    base = _figures(games)
    click.echo(f"{len(games)} games: {base}")
    for name in names or RANGES:
        same = []
        for side in (FACTORS[2::-1], FACTORS[4:]):
            for factor in side:
                with moved(name, factor) as value:
                    found = _figures(games)
                if found != base:
                    click.echo(f"  {name} {value:.3g}: {found}")
                    break
                same.append(value)
        with moved(name, 1) as now:
            same.append(now)
        click.echo(f"{name}: the same from {min(same):.3g} to {max(same):.3g}")


def _figures(games: Sequence[Watched]) -> dict[str, int]:
    """What may not get worse: right turns, those that are wrong unmarked, false flags, illegal plays flagged, late ones."""
    total: Counter[str] = Counter()
    for game in games:
        figures: dict[str, Any] = compare(game.truth, again(game)).figures
        total.update({name: int(figures[name]) for name in ("turns", "right", "unmarked", "doubtful", "cube_right")})
        total["illegal flagged"] += int(figures["illegal-play flagged"])
        total["false flags"] += len(figures["false"].split())
        total["late rolls"] += sum(float(late) > LATE for late in figures["roll_late"].split())
        total["rolls shown"] += len(figures["roll_late"].split())
    return dict(total)


LATE = 2.5
"""Seconds from dice at rest after which their roll is read late."""


@click.command("matches")
@click.argument("folder", type=FOLDER)
def matches_command(folder: Path) -> None:
    """What players did in recorded matches: offers, takes and passes of the cube, plays of races against sense."""
    happened: Counter[str] = Counter()
    races: list[tuple[int, int, bool]] = []
    files = sorted(path for path in folder.iterdir() if path.is_file())
    for path in files:
        try:
            games = read_record(path).games
        except RecordError:
            happened["unreadable"] += 1
            continue
        for game in games:
            happened.update(_cube_actions(game))
            races += _races(game)
    offers, turns = happened["offers"], happened["turns"]
    click.echo(f"{len(files)} files, {happened['unreadable']} of them unreadable; {happened['games']} games")
    click.echo(f"offers: {offers} before {turns} rolls with the cube at hand: {offers / turns:.3g} of a roll")
    click.echo(
        f"passes: {happened['passes']} beside {happened['takes']} takes: {happened['passes'] / happened['takes']:.3g}"
    )
    best = float(max(CHANCES, key=lambda weight: _races_score(races, weight)))
    odd = sum(not most for _, _, most in races)
    click.echo(f"AGAINST_SENSE: {odd} of {len(races)} plays: {parameters.AGAINST_SENSE} -> {best:.2g}")


def _cube_actions(game: Game) -> Counter[str]:
    """Rolls of a side that might have offered the cube, offers, takes, passes."""
    happened = Counter(games=1)
    owner: int | None = None
    for action in game.actions:
        if isinstance(action, PlayAction):
            happened["turns"] += not game.crawford and owner in (None, action.player)
        elif isinstance(action, DoubleAction):
            happened["offers"] += 1
        elif isinstance(action, TakeAction):
            happened["takes"] += 1
            owner = action.player
        elif isinstance(action, PassAction):
            happened["passes"] += 1
    return happened


def _races(game: Game) -> Iterator[tuple[int, int, bool]]:
    """Of each play of a race whose roll left the choice: in how many ways most checkers are borne off, in how many fewer,
    and whether most were."""
    for action in game.actions:
        if not isinstance(action, PlayAction) or not action.legal:
            continue
        before, after = (position_from_id(one, Side.LIGHT) for one in (action.before, action.after))
        if has_contact(before):
            continue
        high, low = sorted(action.dice, reverse=True)
        off = [play.result.off(Side.LIGHT) for play in legal_plays(before, Side.LIGHT, (high, low))]
        most = off.count(max(off, default=0))
        if most < len(off):
            yield most, len(off) - most, after.off(Side.LIGHT) == max(off)


def _races_score(races: Sequence[tuple[int, int, bool]], weight: float) -> float:
    return sum((0.0 if sense else log(weight)) - log(most + weight * fewer) for most, fewer, sense in races)


COMMANDS = (steps_command, ranges_command, matches_command)
