"""`vrhcab learn`: what was learnt of this table's looks, shown or forgotten."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from controller.cli.files import FILE

if TYPE_CHECKING:
    from controller.app.learnt import Learnt


class Shown(msgspec.Struct, frozen=True):
    """What is printed as JSON.

    since, newest: ISO 8601; positions: that taught; kept: how many of them are remembered. columns: of those, in sight;
    misread_without, misread_with: how many of these are read wrongly without and with what was learnt, the bar's among them.
    light, dark: colours of the checkers, #rrggbb. dice: of how many the plays have told what was thrown; dice_misread: how many of
    them were taken for something else, or not found.
    """

    since: str
    newest: str
    positions: int
    kept: int
    columns: int
    misread_without: int
    misread_with: int
    light: str
    dark: str
    dice: int
    dice_misread: int


@click.command("learn")
@click.option("--config", type=FILE, help="TOML file with the settings of the referee.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON: null where nothing was learnt.")
@click.option("--forget", is_flag=True, help="Forget it; a referee that is running forgets it, too.")
def learn_command(config: Path | None, as_json: bool, forget: bool) -> None:
    """Show what positions that nobody doubted have taught about this table's checkers, points and dice, or forget it."""
    from controller.app.learnt import learnt_path, saved_learnt
    from controller.config import journal_path, machine_settings

    file = learnt_path(journal_path(machine_settings(config)))
    if forget:
        there = _forgotten(file)
        words = "What was learnt of this table is forgotten; a referee that is running forgets it, too."
        if as_json:
            click.echo(msgspec.json.encode({"forgotten": there}).decode())
        else:
            click.echo(words if there else "There was nothing to forget.")
        return
    learnt = saved_learnt(file)
    if as_json:
        click.echo(msgspec.json.encode(_shown(learnt) if learnt else None).decode())
    elif learnt is None:
        click.echo("Nothing has been learnt of this table yet: show it the start position.")
    else:
        click.echo(_in_words(_shown(learnt)))


def _forgotten(file: Path) -> bool:
    """Forgets it; whether there was anything."""
    try:
        there = file.is_file()
        file.unlink(missing_ok=True)
    except OSError as error:
        raise click.ClickException(f"{file} can't be removed ({error.strerror}).") from error
    return there


def _shown(learnt: Learnt) -> Shown:
    from vision.reading.appearance import as_html
    from vision.reading.lessons import misread

    known = learnt.appearance
    columns, without, with_it = misread(known.lessons) if known.lessons else (0, 0, 0)
    kept = len(known.lessons.lessons) if known.lessons else 0
    light, dark = as_html(known.light), as_html(known.dark)
    dice, dice_misread = map(round, learnt.faces.told)
    return Shown(
        learnt.since, learnt.newest, known.positions, kept, columns, without, with_it, light, dark, dice, dice_misread
    )


def _in_words(shown: Shown) -> str:
    return "\n".join(
        (
            f"Learnt from {shown.positions} positions, the first at {shown.since}, the newest at {shown.newest}.",
            f"Of {shown.kept} of them it is kept how points, checkers and bar looked: {shown.columns} places in all.",
            f"Read without what was learnt {shown.misread_without} of these are wrong, with it {shown.misread_with}.",
            f"The light checkers are of the colour {shown.light}, the dark ones of {shown.dark}.",
            f"Of {shown.dice} dice whose value the plays have told {shown.dice_misread} were misread or not found.",
            "Forget it with: vrhcab learn --forget",
        )
    )
