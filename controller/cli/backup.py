"""`vrhcab backup` and `vrhcab restore`: all that is worth keeping in one file, and what such a file or a damaged journal holds."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import click

from controller.cli.files import FILE
from controller.cli.journal import CONFIG, JOURNAL_OPTION
from controller.config import Config, archive_path, evidence_path, installed_settings, journal_path, machine_settings
from controller.record.backup import ARCHIVE, EVIDENCE, HUB, JOURNAL, SETTINGS, make_backup, pictures_in, restore_backup
from controller.record.salvage import recover
from controller.run.joining import joined_path
from vision.outside import FileRefused, check_regular

ZIP_MAGIC = b"PK\x03\x04"


@click.command("backup")
@click.argument("target", type=click.Path(path_type=Path))
@JOURNAL_OPTION
@click.option("--pictures/--no-pictures", default=True, show_default=True, help="With the evidence beside the journal.")
@CONFIG
def backup_command(target: Path, journal: Path | None, pictures: bool, config: Path | None) -> None:
    """Keep journal, archive, pictures, settings and the hub that was joined in one verified file; works while a game is on."""
    chosen = machine_settings(config, journal)
    if config is None and journal is None:  # The service's settings are none of another journal's.
        config = installed_settings()
    others = {ARCHIVE: archive_path(chosen), HUB: joined_path(journal_path(chosen))} | (
        {} if config is None else {config.stem + SETTINGS: config}
    )
    folder = evidence_path(chosen)
    if pictures and folder.is_dir():
        others |= pictures_in(folder)
    manifest = make_backup(journal_path(chosen), target, others)
    kept = [entry.name for entry in manifest.entries if not entry.name.startswith(EVIDENCE)]
    shown = len(manifest.entries) - len(kept)
    kept += [f"{shown} picture{'' if shown == 1 else 's'} and clips"] if shown else []
    click.echo(f"{target}: {', '.join(kept)}, verified.")


@click.command("restore")
@click.argument("source", type=click.Path(path_type=Path))
@click.option(
    "--to",
    "target",
    type=FILE,
    help="A backup: the folder to unpack it into; default: where this machine keeps its journal, archive and pictures. "
    "A damaged journal: the new file; default: beside SOURCE.",
)
@click.option(
    "--with-settings",
    is_flag=True,
    help="The settings of a backup too, and its hub. Only from one that you made yourself.",
)
@CONFIG
def restore_command(source: Path, target: Path | None, with_settings: bool, config: Path | None) -> None:
    """Unpack a backup, or save what can be read from a damaged journal into a new one."""
    if source.exists() and not source.is_file():
        raise click.ClickException(f"{source} is no file that could be restored.")
    try:
        check_regular(source)
    except FileRefused as error:
        raise click.ClickException(f"{source} can't be read: {error}.") from error
    if _is_backup(source):
        for path in restore_backup(source, target or _places(machine_settings(config)), with_settings=with_settings):
            click.echo(str(path))
        return
    fresh = target or source.with_name(source.stem + "-saved" + source.suffix)
    recovery = recover(source, fresh)
    lost = (
        f"; lost: {', '.join(map(str, recovery.lost))}" if recovery.lost else ", nothing lost before the last of them"
    )
    click.echo(f"{fresh}: {recovery.events} events saved{lost}. Go on with it: vrhcab run --journal {fresh}")


def _is_backup(source: Path) -> bool:
    """Whether it is meant to be one: where its end is missing it only begins so. Raises ClickException."""
    try:
        with source.open("rb") as file:
            return file.read(len(ZIP_MAGIC)) == ZIP_MAGIC or zipfile.is_zipfile(file)
    except OSError as error:
        raise click.ClickException(f"{source} can't be read: {error.strerror}.") from error


def _places(config: Config) -> Callable[[str], Path]:
    """Where each file of a backup belongs on this machine."""
    journal = journal_path(config)

    def place(name: str) -> Path:
        if name.startswith(EVIDENCE):
            return evidence_path(config) / name.removeprefix(EVIDENCE)
        return {JOURNAL: journal, ARCHIVE: archive_path(config)}.get(name, journal.with_name(name))

    return place
