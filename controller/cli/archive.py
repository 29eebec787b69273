"""The archive on the command line: import, list, tag, export, delete."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from pathlib import Path
from typing import Concatenate, ParamSpec

import click

from controller.cli.files import FILE, FilePath
from controller.cli.journal import CONFIG
from controller.cli.options import LARGEST_NUMBER, MATCH_NUMBER, PROGRESS_FROM, Group
from controller.config import DEMO_EVIDENCE, EVIDENCE, archive_path, machine_settings
from controller.errors import ControllerError
from controller.record.analysis import is_over
from controller.record.archive import Archive, Entry
from controller.record.check import check
from controller.record.evidence import EvidenceFolder
from controller.record.formats import READ, WRITTEN, read_record
from controller.record.journal_database import SQLITE_MAGIC
from controller.record.model import Record, RecordError
from controller.record.of_journal import records_in
from controller.record.words import counted
from vision.outside import FileRefused, check_regular

P = ParamSpec("P")

PROGRESS_EACH = 100
"""Files between two lines of progress where nobody sees a bar move."""


@click.group("archive", cls=Group)
@click.option(
    "--archive", "path", type=click.Path(path_type=Path), help="The archive file. Default: beside the journal."
)
@CONFIG
@click.pass_context
def archive_group(context: click.Context, path: Path | None, config: Path | None) -> None:
    """The archive of recorded matches."""
    context.obj = path, config


def _with_archive(command: Callable[Concatenate[Archive, P], None]) -> Callable[P, None]:
    """Hands the archive over, which only an import makes."""

    @wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        context = click.get_current_context()
        given, config = context.obj
        path = given or archive_path(machine_settings(config))
        if not path.exists() and context.info_name != "import":
            raise click.ClickException(
                f"There is no archive at {path} yet; begin one with: vrhcab archive import FILES"
            )
        with Archive(path) as archive:
            command(archive, *args, **kwargs)

    return run


@archive_group.command("import")
@click.argument("files", nargs=-1, required=True, type=FILE)
@click.option("--tag", "tags", multiple=True, help="Tag for all of them; may be repeated.")
@_with_archive
def import_command(archive: Archive, files: tuple[Path, ...], tags: tuple[str, ...]) -> None:
    """Add recorded matches: files of any format, folders of them, or journals, of which the finished matches are taken.

    What is there already is not added twice; a journal's match that was put right since takes the place of what it was.
    """
    found, closed = _files(files)
    before, refused, read = archive.count(), len(closed), 0
    for sentence in closed:
        click.echo(sentence, err=True)
    for path in _with_progress(found):
        earlier = read
        try:
            for record, of_journal in _records(path):
                archive.add(record, tags, renew=of_journal)
                read += 1
            if read == earlier:
                click.echo(f"{path}: no match in this journal is over yet.", err=True)
        except ControllerError as error:
            refused += 1
            click.echo(str(error), err=True)
    click.echo(f"{archive.count() - before} added, {read} read, {refused} refused.")
    if refused:
        raise SystemExit(1)


def _files(paths: Iterable[Path]) -> tuple[list[Path], list[str]]:
    """Folders become the records in them, told by their endings, in order, hidden files left out; and a sentence for each folder
    that can't be read."""
    files: list[Path] = []
    closed: list[OSError] = []
    for path in paths:
        if not os.path.isdir(path):  # what nobody may look at is refused when it is read
            files.append(path)
            continue
        found = (Path(folder, name) for folder, _, names in os.walk(path, onerror=closed.append) for name in names)
        files += sorted(p for p in found if p.name[0] != "." and p.name.lower().endswith(READ) and os.path.isfile(p))
    return files, [f"{error.filename} can't be read: {error.strerror}." for error in closed]


def _records(path: Path) -> Iterator[tuple[Record, bool]]:
    """The record of a file, checked, or a journal's finished matches; whether they are a journal's."""
    if not _is_journal(path):
        yield check(read_record(path)), False
        return
    folders = [EvidenceFolder(path.with_name(name)) for name in (EVIDENCE, DEMO_EVIDENCE)]

    def pictures(match: str, flag: int) -> tuple[str, ...]:
        return tuple(found.name for folder in folders for found in folder.find(match, flag))

    for record in records_in(path, pictures):
        if is_over(record) or (record.length == 0 and any(game.winner is not None for game in record.games)):
            yield check(record), True


def _is_journal(path: Path) -> bool:
    try:
        check_regular(path)
        with path.open("rb") as file:
            return file.read(len(SQLITE_MAGIC)) == SQLITE_MAGIC
    except (FileRefused, OSError):
        return False


def _with_progress(files: list[Path]) -> Iterator[Path]:
    """A bar on a terminal, else a line now and then; both on standard error."""
    if len(files) < PROGRESS_FROM:
        yield from files
    elif sys.stderr.isatty():
        with click.progressbar(files, label="Importing", file=sys.stderr) as bar:
            yield from bar
    else:
        for number, path in enumerate(files):
            if number and number % PROGRESS_EACH == 0:
                click.echo(f"Importing: {number} of {len(files)} files", err=True)
            yield path


@archive_group.command("list")
@click.argument("words", nargs=-1)
@click.option("--tag", default="", help="Only matches with this tag.")
@click.option("--limit", default=100, show_default=True, type=click.IntRange(1, LARGEST_NUMBER))
@_with_archive
def list_command(archive: Archive, words: tuple[str, ...], tag: str, limit: int) -> None:
    """List matches, newest first; WORDS are looked for in names, event, place, date and file."""
    found = archive.search(" ".join(words), tag, limit)
    for entry in found:
        click.echo(line(entry))
    if not found:
        click.echo(_none_found(archive, words, tag), err=True)


def _none_found(archive: Archive, words: tuple[str, ...], tag: str) -> str:
    """That there is nothing to list, for people alone: programs read an empty list as one."""
    if not archive.count():
        return "The archive holds no matches yet."
    asked = [f"{' '.join(words)!r} in names, event, place, date or file"] if words else []
    asked += [f"the tag {tag!r}"] if tag else []
    return f"No match has {' and '.join(asked)}. vrhcab archive list shows all {archive.count()}."


def line(entry: Entry) -> str:
    """One match on one line."""
    length = f"to {entry.length}" if entry.length else "money"
    parts = [f"{entry.number:5d}", entry.date or "          ", f"{entry.players[0]} - {entry.players[1]}"]
    parts += [f"{entry.score[0]} : {entry.score[1]} ({length})", entry.event]
    parts += [f"[{', '.join(entry.tags)}]" if entry.tags else ""]
    parts += [f"{entry.problems} problem{'' if entry.problems == 1 else 's'}" if entry.problems else ""]
    return "  ".join(part for part in parts if part)


@archive_group.command("tag")
@click.argument("number", type=MATCH_NUMBER)
@click.argument("tags", nargs=-1, required=True)
@click.option("--remove", is_flag=True, help="Take the tags off.")
@_with_archive
def tag_command(archive: Archive, number: int, tags: tuple[str, ...], remove: bool) -> None:
    """Put tags on a match."""
    (archive.untag if remove else archive.tag)(number, tags)


@archive_group.command("export")
@click.argument("numbers", nargs=-1, type=MATCH_NUMBER)
@click.option("--to", "folder", required=True, type=FilePath(file_okay=False), help="Made if need be.")
@click.option("--as", "ending", default=".mat", show_default=True, type=click.Choice(WRITTEN))
@_with_archive
def export_command(archive: Archive, numbers: tuple[int, ...], folder: Path, ending: str) -> None:
    """Write matches into a folder, all of them where no NUMBERS are given; a match that the format can't say is named."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.ClickException(f"{folder} can't be used: {error.strerror}. Choose another folder.") from error
    chosen = numbers or tuple(entry.number for entry in archive.search(limit=archive.count()))
    refused = 0
    for number in chosen:
        try:
            for path in archive.export((number,), folder, ending):
                click.echo(str(path))
        except RecordError as error:
            refused += 1
            click.echo(f"Match {number}: {error}", err=True)
    if refused:
        raise click.ClickException(f"{len(chosen) - refused} of {counted(len(chosen), 'match', 'matches')} written.")


@archive_group.command("delete")
@click.argument("numbers", nargs=-1, required=True, type=MATCH_NUMBER)
@click.option("--yes", is_flag=True, help="Don't ask.")
@_with_archive
def delete_command(archive: Archive, numbers: tuple[int, ...], yes: bool) -> None:
    """Remove matches for good, after asking."""
    archive.require(numbers)
    if not yes:
        click.confirm(f"Delete {counted(len(numbers), 'match', 'matches')} for good?", abort=True)
    click.echo(f"{archive.delete(numbers)} deleted.")
