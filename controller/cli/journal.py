"""Which journal a command means: the options that name it, or the settings in which it stands."""

from __future__ import annotations

from pathlib import Path

import click

CONFIG = click.option("--config", type=click.Path(path_type=Path), help="The settings that say where the journal is.")
JOURNAL_OPTION = click.option(
    "--journal", type=click.Path(path_type=Path), help="The journal. Default: as in the settings."
)
