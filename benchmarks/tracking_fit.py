"""Estimates the numbers of controller/tracking/parameters.py, and the temperature of the dice's reader, by maximum likelihood.

python benchmarks/tracking_fit.py readings FOLDER OTHER    what the readers say, from kept games
    --drawn BANK --other-drawn BANK                        and from drawn scenes of `python -m vision.training.dice_bank`
python benchmarks/tracking_fit.py steps FOLDER OTHER       what players do between two rests, from the same games
python benchmarks/tracking_fit.py matches FOLDER           the same, as far as records of real matches tell it
python benchmarks/tracking_fit.py ranges FOLDER            how far each such number can be moved before a game is followed otherwise
python benchmarks/tracking_fit.py profile FOLDER OTHER     how well what truly stood there is believed with every number moved
python benchmarks/tracking_fit.py profiles                 what the rows of `profile` in tracking.csv say
python benchmarks/tracking_fit.py fit FOLDER OTHER         the likeliest values of several numbers together, by the same measure
python benchmarks/tracking_fit.py beliefs FOLDER           how often what was believed so surely is true

FOLDER: games that `referee.py play rests --keep FOLDER` watched with the readers of today, to estimate from; OTHER: games of other
seeds, to see how well that explains them. Each number is estimated on its own. `readings` compares them with what truly lay
there; of each rest the first reading counts, because the others share its mistakes. A simulated board is read better than a real
one: where a number says how often a reader fails, the estimate is a floor for it. For `steps` and the rest
see tracking_steps.py and tracking_profile.py.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from math import dist, log
from pathlib import Path
from typing import Any

import click
import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import tracking_profile, tracking_steps
from benchmarks.watched import Reading, Watched, kept
from controller.tracking import parameters
from controller.tracking.orientation import POINTS
from vision.board.changes import shares_changed
from vision.network import WEIGHTS
from vision.observation import CUBE_FACES, MAX_COUNT, DieSeen
from vision.reading import dice
from vision.reading.detector import Finder
from vision.training.dice_bank import SceneBank
from vision.training.dice_trust import in_scene
from vision.training.reliability import reliability

Floats = npt.NDArray[np.float64]
Read = tuple[Floats, int]
"""What was read, and the index in it of what truly lay there."""

Labelled = tuple[float, bool]
"""Something that was measured, and whether what it should tell apart is so."""
PixelCase = tuple[float, bool, int]
"""Share of a column's pixels that changed, whether its checkers did, and how many stood there before."""

NEAR_DIE = 0.06
"""Board widths between where a die lies and where it was seen at most: one on a checker, seen from low down, is 0.04 off."""

UNTOUCHED = 1e-3
"""Board widths within which a simulated die lies where it lay."""

CHANCES = np.geomspace(1e-7, 0.3, 100)
"""Among which chances that are no share of cases are sought."""

TEMPERATURES = np.arange(0.3, 2.01, 0.05)
SHARES = np.arange(0.02, 1, 0.02)
DISTANCES = np.geomspace(0.003, 0.3, 90)
NOISES = np.geomspace(1e-4, 0.05, 18)
PILES = np.arange(1.0, 9.0)
CAPS = np.array([1, 1.5, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24.0])
TINY = 1e-9
MOST_ODDS = 40.0

NOW: dict[str, Any] = vars(parameters) | {"TEMPERATURE": dice.TEMPERATURE}
"""What the program holds for each number today."""


@dataclass
class Cases:
    """What happened in all games, by the number that it tells about."""

    columns: list[Read] = field(default_factory=list)
    piles_and_bars: list[Read] = field(default_factory=list)
    faces: list[Read] = field(default_factory=list)
    finds: list[tuple[float, bool]] = field(default_factory=list)
    """With what confidence something was found, and whether it is a die."""
    cube_faces: list[Read] = field(default_factory=list)
    pixels: list[PixelCase] = field(default_factory=list)
    repeats: list[Labelled] = field(default_factory=list)
    """Total variation distance of a column's reading and the one before, and whether its content has changed."""
    dice_moved: list[Labelled] = field(default_factory=list)
    """Board widths between where two dice of one number were seen, and whether the second was thrown since."""
    happened: dict[str, list[bool]] = field(default_factory=lambda: defaultdict(list))


def rests_of(game: Watched) -> Iterator[Reading]:
    """The first reading of each rest of the board."""
    still = False
    for reading in game.readings:
        if reading.shown is not None and reading.observation.still and not still:
            yield reading
        still = reading.observation.still


def gather(games: Iterable[Watched], banks: Iterable[Path] = ()) -> Cases:
    """All cases of these games, and those of the dice that were drawn into these banks of scenes."""
    cases = Cases()
    for bank in banks:
        _drawn_dice(cases, SceneBank([bank]))
    for game in games:
        _resting_dice(cases, game)
        before: Reading | None = None
        for rest in rests_of(game):
            _columns(cases, before, rest)
            _dice(cases, before, rest)
            _cube(cases, before, rest)
            before = rest
    return cases


def _columns(cases: Cases, before: Reading | None, rest: Reading) -> None:
    assert rest.shown is not None
    now = rest.observation
    cases.piles_and_bars += [(now.bar[i].astype(float), rest.shown.bar[i]) for i in (0, 1)]
    if before is None or before.shown is None:
        return
    old, shares = before.observation, np.full(POINTS, np.nan)
    if old.snapshot is not None and now.snapshot is not None:
        shares = shares_changed(old.snapshot, now.snapshot)
    for column in range(POINTS):
        was, there = before.shown.columns[column], rest.shown.columns[column]
        if min(now.seen[column], old.seen[column]) <= parameters.HALF:
            continue
        apart = 0.5 * np.abs(now.columns[column] - old.columns[column]).sum()
        cases.repeats.append((float(apart), was != there))
        read = now.columns[column].astype(float), there + MAX_COUNT
        if was != there:
            (cases.piles_and_bars if abs(there) > parameters.MOST_SEEN else cases.columns).append(read)
        elif old.columns[column].argmax() != was + MAX_COUNT:
            again = now.columns[column].argmax() == old.columns[column].argmax()
            cases.happened["a misread column read so again"].append(bool(again))
        if not np.isnan(shares[column]):
            cases.pixels.append((float(shares[column]), was != there, abs(was)))


def _dice(cases: Cases, before: Reading | None, rest: Reading) -> None:
    assert rest.shown is not None
    left = list(rest.observation.dice)
    for value, x, y, flat in rest.shown.dice:
        die = _nearest(left, (x, y))
        cases.happened["a missed die"].append(die is None)
        if die is not None:
            left.remove(die)
            cases.finds.append((die.confidence, True))
            if flat:
                cases.faces.append((die.faces.astype(float), value - 1))
    cases.finds += [(die.confidence, False) for die in left]
    cases.happened["a false find"] += [die.confidence > 0.5 for die in left] or [False]
    if before is None or before.shown is None:
        return
    lay, lies = sorted(before.shown.dice), sorted(rest.shown.dice)
    if len(lay) == len(lies) == 2 and [die[0] for die in lay] == [die[0] for die in lies]:
        moved = any(dist(a[1:3], b[1:3]) > parameters.SAME_PLACE for a, b in zip(lay, lies, strict=True))
        cases.happened["dice pushed aside"].append(moved)
    for value, *at, _ in rest.shown.dice:
        old = min((die[1:3] for die in before.shown.dice if die[0] == value), key=lambda o: dist(o, at), default=None)
        seen = None if old is None else _nearest(list(before.observation.dice), old)
        sees = _nearest(list(rest.observation.dice), (at[0], at[1]))
        if old is not None and seen is not None and sees is not None:
            cases.dice_moved.append((dist(seen.at, sees.at), dist(old, at) > UNTOUCHED))


def _resting_dice(cases: Cases, game: Watched) -> None:
    """Dice that lie still from one look to the next."""
    for first, then in pairwise(game.readings):
        still = first.observation.still and then.observation.still
        if not still or first.shown is None or then.shown is None or first.shown.dice != then.shown.dice:
            continue
        for _, x, y, _ in then.shown.dice:
            was, is_now = (_nearest(list(one.observation.dice), (x, y)) for one in (first, then))
            if was is not None and is_now is not None:
                cases.dice_moved.append((dist(was.at, is_now.at), False))


def _nearest(dice: list[DieSeen], at: tuple[float, float]) -> DieSeen | None:
    die = min(dice, key=lambda die: dist(die.at, at), default=None)
    return die if die is not None and dist(die.at, at) <= NEAR_DIE else None


def _drawn_dice(cases: Cases, bank: SceneBank) -> None:
    """What finder and reader say of drawn scenes: of dice that can be read, and of all that is none."""
    finder = Finder(WEIGHTS / "dice_finder.onnx", dice.BOARD_PX, dice.MARGIN)
    reader = dice.solid_reader()
    for scene in (bank[k] for k in range(len(bank))):
        for found in in_scene(scene, "die", finder, reader).answered:
            confidence = dice.TRUST.confidence(found.score, found.logits)
            if confidence >= dice.LEAST_CONFIDENCE:
                cases.finds.append((confidence, found.face >= 0))
                if found.face >= 0:
                    cases.faces.append((_tempered(found.logits[1:7].astype(float), dice.TEMPERATURE), found.face))


def _tempered(logits: Floats, temperature: float) -> Floats:
    """(..., 6) probabilities of the faces."""
    powers = np.exp((logits - logits.max(-1, keepdims=True)) / temperature)
    return np.asarray(powers / powers.sum(-1, keepdims=True))


def _cube(cases: Cases, before: Reading | None, rest: Reading) -> None:
    assert rest.shown is not None
    seen, lies = rest.observation.cube, rest.shown.cube
    stayed = before is not None and before.shown is not None and before.shown.cube == lies
    if stayed and before is not None and before.observation.cube is not None:
        cases.happened["a cube not found where it lay"].append(seen is None)
    elif not stayed:
        cases.happened["a cube not found"].append(seen is None)
    if seen is not None:
        cases.cube_faces.append((seen.faces.astype(float), CUBE_FACES.index(lies[0])))


@dataclass(frozen=True)
class Estimate:
    """A number, or some that belong together, and how it is found. score(): nats per case, of cases with such values. what: which
    of the things that share the number. among: where one number was sought."""

    names: tuple[str, ...]
    cases: Callable[[Cases], list[Any]]
    fit: Callable[[list[Any]], tuple[float, ...]]
    score: Callable[[list[Any], tuple[float, ...]], float]
    what: str = ""
    among: Floats | None = None

    def within(self, cases: list[Any]) -> tuple[float, float] | None:
        """Between which values the cases are explained alike."""
        if self.among is None:
            return None
        nats = np.array([self.score(cases, (float(value),)) for value in self.among]) * len(cases)
        alike = self.among[nats >= nats.max() - tracking_profile.SAME]
        return float(alike.min()), float(alike.max())


def _of_share(what: str, name: str) -> Estimate:
    return Estimate((name,), lambda cases: cases.happened[what], _share, _share_score, what)


def _share(cases: list[bool]) -> tuple[float]:
    """The share of true cases; half a case is added to either side, so that what was never seen keeps a chance."""
    return ((sum(cases) + 0.5) / (len(cases) + 1),)


def _share_score(cases: list[bool], values: tuple[float, ...]) -> float:
    return float(np.mean(np.where(cases, log(values[0]), log(1 - values[0]))))


def _misread_score(cases: list[Read], values: tuple[float, ...]) -> float:
    """A reading, and beside it that chance of every content."""
    read, contents = np.array([reading[truth] for reading, truth in cases]), len(cases[0][0])
    return float(np.log((read + values[0]) / (1 + contents * values[0])).mean())


def _temperature_score(cases: list[Read], values: tuple[float, ...]) -> float:
    """Faces that were read at the temperature of today, as they would be at that one."""
    read = _tempered(np.log([faces + TINY for faces, _ in cases]) * dice.TEMPERATURE, values[0])
    true = read[np.arange(len(cases)), [face for _, face in cases]]
    return float(np.log((true + parameters.MISREAD) / (1 + read.shape[1] * parameters.MISREAD)).mean())


def _one_off_score(cases: list[Read], values: tuple[float, ...]) -> float:
    """A reading, and beside it that share of its neighbours."""
    read = np.array([reading[at] for reading, at in cases])
    near = np.array([reading[max(at - 1, 0) : at + 2].sum() for reading, at in cases]) - read
    return float(np.log((read + values[0] * near + parameters.MISREAD) / (1 + 2 * values[0])).mean())


def _best(
    score: Callable[[list[Any], tuple[float, ...]], float], among: Floats = CHANCES
) -> Callable[[list[Any]], tuple[float]]:
    return lambda cases: (float(max(among, key=lambda value: score(cases, (value,)))),)


def _threshold_score(cases: list[Labelled], values: tuple[float, ...]) -> float:
    """How likely the labels are, if all that measures at least so much has one chance of being so, and all else another."""
    measured, so = np.array(cases).T
    nats = 0.0
    for side in (measured >= values[0], measured < values[0]):
        there, all_ = so[side].sum(), side.sum()
        chance = (there + 0.5) / (all_ + 1)
        nats += there * log(chance) + (all_ - there) * log(1 - chance)
    return float(nats / len(cases))


def _of_threshold(name: str, cases: Callable[[Cases], list[Any]], among: Floats) -> Estimate:
    return Estimate((name,), cases, _best(_threshold_score, among), _threshold_score, "", among)


def _pixel_line(cases: list[PixelCase], noise: float = parameters.PIXEL_NOISE) -> tuple[float, float]:
    """Logistic regression by Newton's steps of a change on the logarithm of the share of changed pixels; the odds of a change
    before anything is seen are taken off."""
    shares, moved, _ = np.array(cases).T
    x = np.column_stack([np.ones(len(shares)), np.log(shares + noise)])
    beta = np.zeros(2)
    for _ in range(50):
        p = 1 / (1 + np.exp(-np.clip(x @ beta, -MOST_ODDS, MOST_ODDS)))
        hessian = (x * (p * (1 - p))[:, None]).T @ x + 1e-6 * np.eye(2)
        beta += np.clip(np.linalg.solve(hessian, x.T @ (moved - p)), -2, 2)
    even = np.exp((_odds(moved) - beta[0]) / beta[1]) - noise
    return float(even), float(beta[1])


def _pixel_score(cases: list[PixelCase], values: tuple[float, ...]) -> float:
    """values: EVEN, SLOPE and, where they are asked for too, the noise and how much pixels may say."""
    shares, moved, _ = np.array(cases).T
    even, slope, noise, most = (
        (*values, parameters.PIXEL_NOISE, parameters.PIXELS_SAY)[:4] if len(values) == 2 else values
    )
    odds = slope * np.log((shares + noise) / (even + noise))
    odds = np.clip(odds, -most, most) + _odds(moved)
    return float(-np.logaddexp(0, np.where(moved, -odds, odds)).mean())


def _whole_pixel_line(cases: list[PixelCase]) -> tuple[float, ...]:
    """The line with the noise and the bound that explain the cases best."""
    lines = [(*_pixel_line(cases, float(noise)), float(noise), float(most)) for noise in NOISES for most in CAPS]
    return max(lines, key=lambda values: _pixel_score(cases, values))


def _pile_score(cases: list[PixelCase], values: tuple[float, ...]) -> float:
    """Two lines, one for columns of at most so many checkers, one for those of more."""
    sides = [[case for case in cases if bool(case[2] > values[0]) is pile] for pile in (False, True)]
    both = [one for one in sides if len({case[1] for case in one}) == 2]
    lines = ((one, (*_pixel_line(one), parameters.PIXEL_NOISE, MOST_ODDS)) for one in both)
    return sum(_pixel_score(one, line) * len(one) for one, line in lines) / len(cases)


def _of_piles(cases: Cases, *, piles: bool) -> list[PixelCase]:
    return [case for case in cases.pixels if (case[2] > parameters.MOST_SEEN) is piles]


def _odds(moved: Floats) -> float:
    return log(moved.sum() / (len(moved) - moved.sum()))


ESTIMATES = (
    Estimate(("MISREAD",), lambda cases: cases.columns, _best(_misread_score), _misread_score, "", CHANCES),
    Estimate(("MISREAD",), lambda cases: cases.faces, _best(_misread_score), _misread_score, "a die's face", CHANCES),
    Estimate(("TEMPERATURE",), lambda cases: cases.faces, _best(_temperature_score, TEMPERATURES), _temperature_score),
    Estimate(
        ("MISTAKEN",), lambda cases: cases.cube_faces, _best(_misread_score), _misread_score, "a cube's face", CHANCES
    ),
    Estimate(
        ("MISTAKEN",), lambda cases: cases.piles_and_bars, _best(_one_off_score), _one_off_score, "one off", CHANCES
    ),
    Estimate(
        ("CHANGE_EVEN", "CHANGE_SLOPE", "PIXEL_NOISE", "PIXELS_SAY"),
        lambda cases: _of_piles(cases, piles=False),
        _whole_pixel_line,
        _pixel_score,
    ),
    Estimate(
        ("PILE_CHANGE_EVEN", "PILE_CHANGE_SLOPE"),
        lambda cases: _of_piles(cases, piles=True),
        _pixel_line,
        _pixel_score,
    ),
    Estimate(("MOST_SEEN",), lambda cases: cases.pixels, _best(_pile_score, PILES), _pile_score, "", PILES),
    _of_threshold("SAME_READING", lambda cases: cases.repeats, SHARES),
    _of_threshold("SAME_PLACE", lambda cases: cases.dice_moved, DISTANCES),
    _of_share("a misread column read so again", "REPEATED"),
    _of_share("a false find", "MISTAKEN"),
    _of_share("a cube not found where it lay", "MISTAKEN"),
    _of_share("a missed die", "MISSED"),
    _of_share("a cube not found", "MISSED_CUBE"),
    _of_share("dice pushed aside", "RARE"),
)


@click.group()
def main() -> None:
    """Where the numbers of the tracker come from."""


BANK = click.option(
    "--drawn", multiple=True, type=click.Path(path_type=Path, exists=True), help="A bank of drawn dice."
)
OTHER_BANK = click.option("--other-drawn", multiple=True, type=click.Path(path_type=Path, exists=True), help="Another.")


@main.command("readings")
@click.argument("folder", type=click.Path(path_type=Path, exists=True))
@click.argument("other", type=click.Path(path_type=Path, exists=True))
@BANK
@OTHER_BANK
def readings(folder: Path, other: Path, drawn: tuple[Path, ...], other_drawn: tuple[Path, ...]) -> None:
    """Print what the program says, what these games and scenes say, and how well either explains the other ones."""
    mine, others = gather(kept(folder), drawn), gather(kept(other), other_drawn)
    click.echo("number: in the program -> estimated (cases); on the others: nats per case with either (cases)")
    for estimate in ESTIMATES:
        cases, unseen = estimate.cases(mine), estimate.cases(others)
        names = ", ".join(estimate.names) + (f" ({estimate.what})" if estimate.what else "")
        now = tuple(float(NOW[name]) for name in estimate.names)
        if not cases or not unseen:
            click.echo(f"{names}: no cases")
            continue
        fit = estimate.fit(cases)
        nats = [f"{estimate.score(unseen, values):.6f}" for values in (now, fit)]
        within = estimate.within(cases)
        alike = f", {_numbers(within)} alike" if within else ""
        found = f"{_numbers(now)} -> {_numbers(fit)}{alike} ({len(cases)})"
        click.echo(f"{names}: {found}; {nats[0]}, {nats[1]} ({len(unseen)})")
    _print_reliability(
        "faces", [(float(faces.max()), faces.argmax() == true) for faces, true in mine.faces + others.faces]
    )
    _print_reliability("finds", mine.finds + others.finds)


def _print_reliability(what: str, claims: list[tuple[float, bool]]) -> None:
    """How often what was said with such a probability was true."""
    for line in reliability(*zip(*claims, strict=True)):
        click.echo(
            f"{what} said with {line.low}-{line.high}: {line.claims}, {line.claimed:.4f} on the mean, {line.true:.4f} true"
        )


def _numbers(values: tuple[float, ...]) -> str:
    return ", ".join(f"{value:.2g}" for value in values)


for command in (*tracking_steps.COMMANDS, *tracking_profile.COMMANDS):
    main.add_command(command)

if __name__ == "__main__":
    main()
