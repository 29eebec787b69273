"""Where this machine keeps what belongs to its games."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from controller.config.values import Config, ConfigError
from vision.outside import FileRefused, check_target, named_path

SERVICE_STATE = Path("/var/lib/vrhcab")
"""Where install/vrhcab.service keeps its games."""

INSTALLED_SETTINGS = Path("/etc/vrhcab/vrhcab.toml")
"""The settings of that service."""

EVIDENCE, DEMO_EVIDENCE = "evidence", "demo-evidence"
"""Folders beside the journal, of games and of demos."""


def installed_settings() -> Path | None:
    """The settings of an installed machine's service, for its administrator; None for anybody else, and where there are none."""
    there = os.access(SERVICE_STATE, os.W_OK) and os.access(INSTALLED_SETTINGS, os.R_OK)
    return INSTALLED_SETTINGS if there else None


def journal_path(config: Config, environ: Mapping[str, str] = os.environ) -> Path:
    """Where the journal lies: as configured, else in the user's state folder (XDG base directory specification 0.8).

    For the service of an installed machine and its administrator that is SERVICE_STATE, so that both mean the same games.

    Raises ConfigError where something lies there that is no file, or nobody may look.
    """
    path = _usual_journal(environ) if config.journal.path is None else named_path(config.journal.path)
    try:
        check_target(path)
    except FileRefused as error:
        raise ConfigError(f"{path} can't be the journal: {error}; the journal needs a file name.") from error
    except OSError as error:
        raise ConfigError(
            f"The journal {path} can't be looked at: {error.strerror}. "
            "Run this as the user that the referee runs as, or name another file."
        ) from error
    return path


def _usual_journal(environ: Mapping[str, str]) -> Path:
    base = environ.get("XDG_STATE_HOME", "")
    if not base and os.access(SERVICE_STATE, os.W_OK):
        return SERVICE_STATE / "journal.sqlite3"
    try:
        folder = Path(base) if base.startswith("/") else named_path("~/.local/state")
    except FileRefused as error:
        raise ConfigError(
            "There is no home folder for the journal. Say where it shall lie: path under [journal]."
        ) from error
    return folder / "vrhcab" / "journal.sqlite3"


def archive_path(config: Config, environ: Mapping[str, str] = os.environ) -> Path:
    """Where the archive of finished matches lies: beside the journal."""
    return journal_path(config, environ).with_name("archive.sqlite3")


def evidence_path(config: Config, environ: Mapping[str, str] = os.environ) -> Path:
    """The folder with the pictures of what the referee said: beside the journal."""
    return journal_path(config, environ).with_name(EVIDENCE)


def desk_path(journal: Path) -> Path:
    """Where the hash of the desk's PIN lies: beside the journal."""
    return journal.with_name("desk.json")
