"""The archive on the command line: import, list, tag, export, delete."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import wraps
from pathlib import Path
from typing import Concatenate, ParamSpec

import click

from controller.record.archive import Archive, ArchiveError, Entry
from controller.record.check import check
from controller.record.formats import WRITTEN, read_record
from controller.record.model import RecordError

P = ParamSpec("P")

PROGRESS_FROM = 20
"""Files that take longer than two seconds together: a match is read and checked in 100 ms on two slow cores."""


@click.group("archive")
@click.option("--archive", "path", required=True, type=click.Path(path_type=Path), help="The archive file.")
@click.pass_context
def archive_group(context: click.Context, path: Path) -> None:
    """The archive of recorded matches."""
    try:
        context.obj = context.with_resource(Archive(path))
    except ArchiveError as error:
        raise click.ClickException(str(error)) from error


def _told(command: Callable[Concatenate[Archive, P], None]) -> Callable[P, None]:
    """Hands the archive over, and turns what goes wrong into one sentence."""

    @wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        archive: Archive = click.get_current_context().obj
        try:
            command(archive, *args, **kwargs)
        except (ArchiveError, RecordError) as error:
            raise click.ClickException(str(error)) from error

    return run


@archive_group.command("import")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--tag", "tags", multiple=True, help="Tag for all of them; may be repeated.")
@_told
def import_command(archive: Archive, files: tuple[Path, ...], tags: tuple[str, ...]) -> None:
    """Add recorded matches of any format; what is there already is not added twice."""
    before, refused = archive.count(), 0
    for path in _with_progress(files):
        try:
            archive.add(check(read_record(path)), tags)
        except RecordError as error:
            refused += 1
            click.echo(str(error), err=True)
    click.echo(f"{archive.count() - before} added, {len(files) - refused} read, {refused} refused.")
    if refused:
        raise SystemExit(1)


def _with_progress(files: tuple[Path, ...]) -> Iterator[Path]:
    if len(files) < PROGRESS_FROM or not sys.stderr.isatty():
        yield from files
        return
    with click.progressbar(files, label="Importing", file=sys.stderr) as bar:
        yield from bar


@archive_group.command("list")
@click.argument("words", nargs=-1)
@click.option("--tag", default="", help="Only matches with this tag.")
@click.option("--limit", default=100, show_default=True, type=click.IntRange(1))
@_told
def list_command(archive: Archive, words: tuple[str, ...], tag: str, limit: int) -> None:
    """List matches, newest first; WORDS are looked for in names, event, place, date and file."""
    for entry in archive.search(" ".join(words), tag, limit):
        click.echo(line(entry))


def line(entry: Entry) -> str:
    """One match on one line."""
    length = f"to {entry.length}" if entry.length else "money"
    parts = [f"{entry.number:5d}", entry.date or "          ", f"{entry.players[0]} - {entry.players[1]}"]
    parts += [f"{entry.score[0]}-{entry.score[1]} ({length})", entry.event]
    parts += [f"[{', '.join(entry.tags)}]" if entry.tags else ""]
    parts += [f"{entry.problems} problem{'' if entry.problems == 1 else 's'}" if entry.problems else ""]
    return "  ".join(part for part in parts if part)


@archive_group.command("tag")
@click.argument("number", type=int)
@click.argument("tags", nargs=-1, required=True)
@click.option("--remove", is_flag=True, help="Take the tags off.")
@_told
def tag_command(archive: Archive, number: int, tags: tuple[str, ...], remove: bool) -> None:
    """Put tags on a match."""
    (archive.untag if remove else archive.tag)(number, tags)


@archive_group.command("export")
@click.argument("numbers", nargs=-1, type=int)
@click.option("--to", "folder", required=True, type=click.Path(path_type=Path, file_okay=False, exists=True))
@click.option("--as", "ending", default=".mat", show_default=True, type=click.Choice(WRITTEN))
@_told
def export_command(archive: Archive, numbers: tuple[int, ...], folder: Path, ending: str) -> None:
    """Write matches into a folder, all of them where no NUMBERS are given."""
    chosen = numbers or tuple(entry.number for entry in archive.search(limit=archive.count()))
    for path in archive.export(chosen, folder, ending):
        click.echo(str(path))


@archive_group.command("delete")
@click.argument("numbers", nargs=-1, required=True, type=int)
@click.option("--yes", is_flag=True, help="Don't ask.")
@_told
def delete_command(archive: Archive, numbers: tuple[int, ...], yes: bool) -> None:
    """Remove matches for good, after asking."""
    if not yes:
        click.confirm(f"Delete {len(numbers)} {'match' if len(numbers) == 1 else 'matches'} for good?", abort=True)
    click.echo(f"{archive.delete(numbers)} deleted.")
