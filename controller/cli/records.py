"""`vrhcab check`, `vrhcab convert` and `vrhcab analyse`: recorded matches checked, converted and judged."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import click
import msgspec

from controller.cli.journal import CONFIG, JOURNAL_OPTION
from controller.cli.options import PROGRESS_FROM, SET_OPTION, Finite, rules_chosen, rules_option
from controller.config import journal_path, machine_settings
from controller.record.analysis import TIME_LIMIT, analyse, may_analyse, report
from controller.record.check import check
from controller.record.formats import WRITTEN, read_record, write_record
from controller.record.graph import graph_svg
from controller.record.left_out import left_out
from controller.record.model import Player, Record, RecordError, make_record
from controller.record.native import encode_json
from controller.record.of_journal import match_at
from controller.record.owners import replace_file
from controller.rules import RuleSet

RULES = rules_option("the one that the record names, else match")


def check_files(paths: Iterable[Path], rules: RuleSet | None = None) -> Iterator[Record]:
    """Each file's record, checked; a file that is no record becomes one without games whose problem says why."""
    for path in paths:
        try:
            yield check(read_record(path, rules), rules)
        except RecordError as error:
            unnamed = (Player("", "light"), Player("", "dark"))
            yield make_record(unnamed, (), 0, path.name, (str(error),))


@click.command("check")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print every record as one line of JSON.")
@RULES
@SET_OPTION
def check_command(files: tuple[Path, ...], as_json: bool, rules: str | None, keys: tuple[str, ...]) -> None:
    """Replay recorded matches and name every illegal play, wrong score and missing turn."""
    wrong = 0
    checked = check_files(files, rules_chosen(rules, keys))
    for path, record in zip(files, _with_progress(checked, len(files)), strict=True):
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
@RULES
@SET_OPTION
def convert_command(source: Path, target: Path, rules: str | None, keys: tuple[str, ...]) -> None:
    """Write a recorded match in another format, chosen by the ending of TARGET."""
    _check_apart(target, source)
    record = read_record(source, rules_chosen(rules, keys))
    write_record(record, target)
    lost = left_out(record, target.name)
    for sentence in (*record.problems, *filter(None, (lost,))):
        click.echo(f"{source}: {sentence}", err=True)


def _check_apart(target: Path, source: Path) -> None:
    """Raises ClickException where the record itself would be lost under what is made of it."""
    with suppress(OSError):  # One of them is not there, or can't be looked at: whoever reads or writes it says why.
        if target.samefile(source):
            raise click.ClickException(f"{target} is the record itself. Choose another name, so that it stays.")


convert_command.help = f"{convert_command.help} Endings: {', '.join(WRITTEN)}."


@click.command("analyse")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--plies", default=0, show_default=True, type=click.IntRange(0, 4), help="How far to look ahead.")
@click.option(
    "--time-limit",
    default=TIME_LIMIT,
    show_default=True,
    type=Finite(0.1, 86_400),
    help="Seconds before it is stopped.",
)
@click.option("--graph", type=click.Path(path_type=Path), help="Write a picture of how the equity went here, as SVG.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as one line of JSON.")
@JOURNAL_OPTION
@CONFIG
def analyse_command(
    file: Path,
    plies: int,
    time_limit: float,
    graph: Path | None,
    as_json: bool,
    journal: Path | None,
    config: Path | None,
) -> None:
    """Have GNU Backgammon judge a recorded match: error rates, luck, and what cost most.

    Refused while a match is being played on this machine's board.
    """
    if graph is not None:
        _check_apart(graph, file)
    refused = may_analyse(match_at(journal_path(machine_settings(config, journal))))
    if refused:
        raise click.ClickException(refused)
    record = read_record(file)
    analysis = analyse(record, plies, time_limit)
    if graph is not None:
        try:
            replace_file(graph, graph_svg(record, analysis).encode())
        except OSError as error:
            raise click.ClickException(f"{graph} can't be written: {error.strerror}.") from error
    click.echo(msgspec.json.encode(analysis) if as_json else "\n".join(report(record, analysis)))
