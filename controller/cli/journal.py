"""Which journal a command means: the options that name it, and the settings in which it stands."""

from __future__ import annotations

from pathlib import Path

import click

from controller.config import Config, installed_settings, journal_path, load_config

CONFIG = click.option("--config", type=click.Path(path_type=Path), help="The settings that say where the journal is.")
JOURNAL_OPTION = click.option(
    "--journal", type=click.Path(path_type=Path), help="The journal. Default: as in the settings."
)


def settings(config: Path | None, journal: Path | None = None) -> Config:
    """The settings of a file, of an installed machine's service for its administrator, or the usual ones. Raises ConfigError."""
    chosen = load_config(config or installed_settings(), {"journal.path": None if journal is None else str(journal)})
    journal_path(chosen)  # what lies there may be no file
    return chosen
