"""`vrhcab pin`: a new PIN for the operator's desk, for whoever has this machine's shell."""

from __future__ import annotations

import stat
from pathlib import Path

import click

from controller.cli.files import FILE


@click.command("pin")
@click.option("--reset", is_flag=True, required=True, help="Make a new PIN; everybody is signed out.")
@click.option("--config", type=FILE, help="TOML file with the settings of the referee.")
@click.option("--journal", help="The journal, where the program was started with one.")
def pin_command(reset: bool, config: Path | None, journal: str | None) -> None:
    """Make a new PIN for the operator's desk and print it."""
    del reset  # The option says what is done; without it click refuses.
    from controller.config import desk_path, journal_path, machine_settings
    from controller.record.owners import belong_as, make_folder
    from web.security import PinKeeper

    settings = machine_settings(config, journal)
    games = journal_path(settings)
    path = desk_path(games)
    new = path.with_name(f"{path.name}.next")
    try:
        make_folder(path.parent)
        before = path.stat() if path.exists() else None
        new.unlink(missing_ok=True)
        pin = PinKeeper(new).fresh
        belong_as(new, before or path.parent.stat())
        if before is not None:
            new.chmod(stat.S_IMODE(before.st_mode))
    except OSError as error:
        raise click.ClickException(f"The desk's PIN can't be kept in {path} ({error.strerror}).") from error
    try:
        # First: a PIN that nobody could read would shut everybody out.
        click.echo(f"The desk's PIN is now {pin}. A referee that is running takes it at once, and signs everybody out.")
        new.replace(path)
    except OSError as error:
        new.unlink(missing_ok=True)
        raise click.ClickException(
            f"The new PIN can't be told or kept ({error.strerror}); the old one holds."
        ) from error
    if not games.exists():
        click.echo(f"No game is kept at {games} yet: the PIN holds for the first one there.", err=True)
