"""`vrhcab report`: a transcribed match looked over and put right."""

from __future__ import annotations

from pathlib import Path

import click

from controller.cli.files import FILE
from controller.cli.leaving import stop_on_signals
from controller.cli.sentences import print_sentence


@click.command("report")
@click.argument("report", type=FILE)
@click.option(
    "-o",
    "--output",
    type=FILE,
    help="The record to write with every correction. Default: the one that was written beside the report.",
)
@click.option(
    "--port", default=8090, show_default=True, type=click.IntRange(0, 65_535), help="Port of the page; 0: any free one."
)
def report_command(report: Path, output: Path | None, port: int) -> None:
    """Look over a match that was transcribed with --report, and say what was really played.

    REPORT is the JSON file. The page shows what is in doubt first; each correction writes the record anew.
    """
    stop = stop_on_signals()
    from controller.run.report_page import run_report

    run_report(report, output, port, stop, print_sentence)
