"""The commands that read, check and convert records, for the command line to register."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import click
import msgspec

from controller.record.check import check
from controller.record.formats import WRITTEN, read_record, write_record
from controller.record.model import Player, Record, RecordError, make_record
from controller.record.native import encode_json
from controller.rules import PRESETS, RuleSet

PROGRESS_FROM = 20
"""Files that take longer than two seconds together: a match is checked in 50 ms on two slow cores."""


def check_files(paths: Iterable[Path], rules: RuleSet) -> Iterator[Record]:
    """Each file's record, checked; a file that is no record becomes one without games whose problem says why."""
    for path in paths:
        try:
            yield check(read_record(path, rules), rules)
        except RecordError as error:
            nobody = (Player("", "light"), Player("", "dark"))
            yield make_record(nobody, (), 0, path.name, (str(error),))


@click.command("check")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print every record as one line of JSON.")
@click.option("--rules", default="match", show_default=True, type=click.Choice(sorted(PRESETS)), help="The rule set.")
def check_command(files: tuple[Path, ...], as_json: bool, rules: str) -> None:
    """Replay recorded matches and name every illegal play, wrong score and missing turn."""
    wrong = 0
    for path, record in zip(files, _with_progress(check_files(files, PRESETS[rules]), len(files)), strict=True):
        wrong += bool(record.problems)
        if as_json:
            click.echo(encode_json(msgspec.structs.replace(record, file=str(path))))
        else:
            click.echo("\n".join(_report(path, record)))
    if wrong:
        raise SystemExit(1)


def _with_progress(records: Iterator[Record], count: int) -> Iterator[Record]:
    """The same records; on a terminal, a bar on standard error while many of them are checked."""
    if count < PROGRESS_FROM or not sys.stderr.isatty():
        yield from records
        return
    with click.progressbar(records, length=count, label="Checking", file=sys.stderr) as bar:
        yield from bar


def _report(path: Path, record: Record) -> list[str]:
    if record.problems:
        return [p if p.startswith(str(path)) else f"{path}: {p}" for p in record.problems]
    games = len(record.games)
    return [f"{path}: {games} {'game' if games == 1 else 'games'}, nothing wrong."]


@click.command("convert")
@click.argument("source", type=click.Path(path_type=Path))
@click.argument("target", type=click.Path(path_type=Path))
@click.option("--rules", default="match", show_default=True, type=click.Choice(sorted(PRESETS)), help="The rule set.")
def convert_command(source: Path, target: Path, rules: str) -> None:
    """Write a recorded match in another format, chosen by the ending of TARGET."""
    try:
        record = read_record(source, PRESETS[rules])
        write_record(record, target)
    except RecordError as error:
        raise click.ClickException(str(error)) from error
    for problem in record.problems:
        click.echo(f"{source}: {problem}", err=True)


convert_command.help = f"{convert_command.help} Endings: {', '.join(WRITTEN)}."
