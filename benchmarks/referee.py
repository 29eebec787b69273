"""Referees whole simulated games and compares every turn, flag and cube action with what truly happened.

python benchmarks/referee.py play pixels --seeds 1-10    the whole chain, every frame drawn
python benchmarks/referee.py play rests --seeds 1-40     every reading from a picture; when the board is still is told by the truth
python benchmarks/referee.py play noisy --seeds 1-100    no pictures: tracker and referee on the real reader's measured mistakes
python benchmarks/referee.py play rests --seeds 1-4 --through defocus --boards BOARDS      through a worse camera (`worse.py`)
python benchmarks/referee.py again FOLDER           games that --keep FOLDER watched, with the tracker as it is now
python benchmarks/referee.py changes FOLDER         how columns of kept games look whose checkers changed, and all others
python benchmarks/referee.py sum                    the figures of the stored rows

Every game adds a line to referee.csv as it ends (one through a worse camera, of players who do otherwise than most, --manners, or
of several --games of a match to referee_worse.csv); one that is there already for this commit is not played again.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Any, get_args

import click
import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.noisy_eyes import NoisyEyes, load_banks
from benchmarks.referee_tally import Compared, compare
from benchmarks.rows import add_row, commit, read_rows, stamp
from benchmarks.seeds import seeds_in
from benchmarks.watched import (
    SIZE,
    Eyes,
    PixelEyes,
    RestEyes,
    Watched,
    again,
    columns_between_rests,
    faults_for,
    kept,
    length_for,
    watch,
)
from benchmarks.worse import Way, joined, ways
from controller.simulation import Errors, Filming, Manner, SimulatedMatch, SimulatedTable

RESULTS = Path(__file__).parent / "referee.csv"
WORSE = Path(__file__).parent / "referee_worse.csv"
TIERS = ("pixels", "rests", "noisy")
SUMS = ("turns", "right", "written", "doubtful", "unmarked", "clean", "cube", "cube_right")
SHARES = (0.0, 0.001, 0.003, 0.012, 0.025, 0.05, 0.1, 0.2)
ERRORS = ("illegal-play", "premature-roll", "cocked-die")


@click.group()
def main() -> None:
    """Figures of refereeing."""
    cv2.setNumThreads(1)


@main.command("play")
@click.argument("tier", type=click.Choice(TIERS))
@click.option("--seeds", default="1-10", show_default=True, help="FIRST-LAST.")
@click.option("--errors", default="some", show_default=True, type=click.Choice(get_args(Errors)))
@click.option("--keep", type=click.Path(path_type=Path), help="Folder for what was seen.")
@click.option("--width", default=SIZE[0], show_default=True, help="Of the pictures, px; games of others get no row.")
@click.option(
    "--through", default="plain", show_default=True, help="The camera: a way of worse.py, or several joined by +."
)
@click.option("--boards", type=click.Path(path_type=Path, exists=True), help="Folder with degrade.py, for its ways.")
@click.option(
    "--manners",
    multiple=True,
    type=click.Choice(get_args(Manner)),
    help="What they do otherwise than most; several times.",
)
@click.option("--games", default=1, show_default=True, help="Of each match, and the set-up of the next.")
@click.option("--quiet", is_flag=True, help="Do not print what went wrong.")
def play(
    tier: str,
    seeds: str,
    errors: Any,
    keep: Path | None,
    width: int,
    through: str,
    boards: Path | None,
    manners: tuple[Manner, ...],
    games: int,
    quiet: bool,
) -> None:
    """Play and referee the games of these seeds."""
    if tier == "noisy" and through != "plain":
        raise click.UsageError("The tier noisy draws no pictures, so that no camera can make them worse.")
    camera = joined(through, ways(boards))
    size = (width, width * SIZE[1] // SIZE[0])
    several = [f"{games} games"] if games > 1 else []
    unusual = " + ".join([*([through] if through != "plain" else []), *manners, *several])
    results, way = (WORSE, {"way": unusual}) if unusual else (RESULTS, {})
    asked = way | {"tier": tier, "errors": errors, "commit": commit()}
    done = {int(row["seed"]) for row in read_rows(results) if asked.items() <= row.items()}
    for seed in seeds_in(seeds):
        if size == SIZE and seed in done:
            continue
        faults = faults_for(seed) if tier == "pixels" else ()
        table = SimulatedTable(
            seed, SimulatedMatch(errors, length_for(seed), manners=frozenset(manners)), Filming(size), faults=faults
        )
        game, events = watch(table, _eyes(tier, table, size, camera), games)
        if keep:
            game.save(keep)
        compared = compare(game.truth, events)
        _show(f"seed {seed} {game.look}", compared, quiet=quiet)
        if size == SIZE:
            add_row(results, way | _row(tier, errors, game, compared))


def _eyes(tier: str, table: SimulatedTable, size: tuple[int, int], camera: Way) -> Eyes:
    if tier == "noisy":
        return NoisyEyes(load_banks(), table.look.name, table.look.shape, table.seed)
    return (PixelEyes if tier == "pixels" else RestEyes)(table, size, camera)


@main.command("again")
@click.argument("folder", type=click.Path(path_type=Path, exists=True))
@click.option("--seed", type=int, help="Only this one.")
@click.option(
    "--store", type=click.Choice(TIERS), help="Add the figures, as of this tier; the games must be of 'some' errors."
)
def replay(folder: Path, seed: int | None, store: str | None) -> None:
    """Referee kept games again."""
    total: list[dict[str, Any]] = []
    for game in kept(folder):
        if seed in (None, game.seed):
            compared = compare(game.truth, again(game))
            _show(f"seed {game.seed} {game.look}", compared, quiet=False)
            total.append(_row("rests", "some", game, compared))
            if store:
                add_row(RESULTS, total[-1] | {"tier": store})
    _print_sums("again", total)


def _row(tier: str, errors: str, game: Watched, compared: Compared) -> dict[str, Any]:
    head = stamp() | {"tier": tier, "errors": errors}
    what = {"seed": game.seed, "look": game.look, "virtual_s": round(game.seconds), "cpu_s": round(game.cpu, 1)}
    return head | what | compared.figures


@main.command("changes")
@click.argument("folder", type=click.Path(path_type=Path, exists=True))
def changes(folder: Path) -> None:
    """How columns look whose checkers changed, and all others, in kept games; tracking_fit.py draws a line through it."""
    looks = [look for game in kept(folder) for look in columns_between_rests(game)]
    for what, pile in (("at most five checkers", False), ("more than five", True)):
        shares, moved = np.array([(share, moved) for share, moved, piled in looks if piled == pile]).reshape(-1, 2).T
        (yes, _), (no, _) = (np.histogram(shares[moved == which], [*SHARES, 1.001]) for which in (1, 0))
        click.echo(f"{what}: {yes.sum()} columns with others than at the rest before, {no.sum()} with the same")
        nats = np.log((yes + 0.5) / (no + 0.5) * (no.sum() + 0.5) / (yes.sum() + 0.5))
        for low, changed, same, told in zip(SHARES, yes, no, nats, strict=True):
            click.echo(f"  from {low:5.3f} of its pixels: {changed:6d} {same:7d}  {told:+.1f} nats")


@main.command("sum")
def sums() -> None:
    """The figures of each tier's newest commit."""
    rows = read_rows(RESULTS)
    for tier in TIERS:
        for errors in get_args(Errors):
            mine = [row for row in rows if (row["tier"], row["errors"]) == (tier, errors)]
            newest = [row for row in mine if row["commit"] == mine[-1]["commit"]]
            if newest:
                seeds = [int(row["seed"]) for row in newest]
                _print_sums(f"{tier}, errors {errors}, seeds {min(seeds)}-{max(seeds)}", newest)


def _show(title: str, compared: Compared, *, quiet: bool) -> None:
    figures = compared.figures
    click.echo(f"{title}: {figures['right']}/{figures['turns']} right, {figures['written']} written")
    for line in [] if quiet else compared.wrong:
        click.echo(f"    {line}")


def _print_sums(title: str, rows: list[dict[str, Any]]) -> None:
    """One paragraph of figures over games."""
    total: Counter[str] = Counter()
    for row in rows:
        total.update({name: int(row[name]) for name in SUMS})
        total.update({name: int(row[name]) for kind in ERRORS for name in (kind, f"{kind} flagged")})
    false = Counter(code for row in rows for code in row["false"].split())
    turns = max(total["turns"], 1)
    click.echo(f"{title}: {len(rows)} games, {len({row.get('look') for row in rows})} looks")
    click.echo(f"  turns {total['right']}/{turns} ({total['right'] / turns:.2%}), unmarked wrong {total['unmarked']}")
    click.echo(f"  doubtful {total['doubtful']}, clean games {total['clean']}/{len(rows)}")
    click.echo(
        f"  cube and end {total['cube_right']}/{total['cube']}, false flags {dict(false)} ({sum(false.values())})"
    )
    click.echo("  " + ", ".join(f"{kind} {total[f'{kind} flagged']}/{total[kind]}" for kind in ERRORS))
    for name in ("play_late", "roll_late"):
        late = [float(value) for row in rows for value in row[name].split()]
        if late:
            click.echo(f"  {name}: median {np.median(late):.2f} s, 95 % {np.percentile(late, 95):.2f} s, n {len(late)}")


if __name__ == "__main__":
    main()
