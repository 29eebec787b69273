"""`vrhcab pin`: a new PIN for the operator's desk, for whoever has this machine's shell."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("pin")
@click.option("--reset", is_flag=True, required=True, help="Make a new PIN; everybody is signed out.")
@click.option("--config", type=click.Path(path_type=Path), help="TOML file with the settings of the referee.")
def pin_command(reset: bool, config: Path | None) -> None:
    """Make a new PIN for the operator's desk and print it."""
    del reset  # The option says what is done; without it click refuses.
    from controller.config import desk_path, journal_path, load_config
    from web.security import PinKeeper

    path = desk_path(journal_path(load_config(config)))
    path.unlink(missing_ok=True)
    click.echo(
        f"The desk's PIN is now {PinKeeper(path).fresh}. A referee that is running takes it when it is started again."
    )
