"""`vrhcab transcribe`: recordings into records."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import IO, Any

import click

from controller.cli.files import FILE, FilePath, writing
from controller.cli.leaving import stop_on_signals
from controller.cli.options import CORNERS_HELP, LENS_HELP, SET_OPTION, Finite, rules_chosen, rules_option
from controller.cli.sentences import sentence_of_error
from terms.board import CORNERS


@click.command("transcribe")
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...", type=FilePath(str))
@click.option(
    "-o",
    "--output",
    required=True,
    type=FILE,
    help="File to write: .mat, .sgf or .json. For several recordings a folder, made if need be, which then holds a file for each.",
)
@click.option("--corners", help=CORNERS_HELP)
@click.option(
    "--home",
    type=click.Choice(CORNERS),
    help="Where light's home board lies; needed only unless the game starts in view.",
)
@rules_option("match")
@SET_OPTION
@click.option(
    "--length",
    type=click.IntRange(0, 99),
    help="Points that win the match, 0 for single games. Default: 7 where the rules are for matches by points.",
)
@click.option("--names", default="Light,Dark", show_default=True, help="The players, LIGHT,DARK.")
@click.option("--fps", type=Finite(0.1, 240), help="Frames a second of a folder that is a film, not key frames.")
@click.option(
    "--report",
    type=FILE,
    help="JSON file for every turn with its confidence and a thumbnail, the doubtful first; a page beside it shows the same. "
    "For several recordings a folder.",
)
@click.option("--lens", type=FILE, help=LENS_HELP)
@click.option(
    "--resume", is_flag=True, help="Go on where an earlier try was stopped; records that are whole stay as they are."
)
@click.option(
    "--jobs", default=1, show_default=True, type=click.IntRange(1, 64), help="Recordings worked on at a time."
)
@click.option(
    "--as",
    "ending",
    default="json",
    show_default=True,
    type=click.Choice(["json", "mat", "sgf"]),
    help="What is written for each of several recordings.",
)
def transcribe_command(
    sources: tuple[str, ...], rules: str | None, keys: tuple[str, ...], jobs: int, ending: str, **given: Any
) -> None:
    """Turn recordings into game records: films, folders of films, folders of pictures (in name order).

    Ctrl-C stops it and keeps what is done; --resume goes on from there.
    """
    stop = stop_on_signals()
    from controller.rules import MATCH
    from controller.run.transcription import Transcription, TranscriptionResult
    from controller.run.transcriptions import each_into, recordings_in, run_transcriptions

    found = recordings_in(sources)
    one = Transcription(source=found[0], rules=rules_chosen(rules, keys) or MATCH, **given)
    chosen = [one]
    if len(found) > 1 or (not one.output.suffix and (one.output.is_dir() or found != list(sources))):
        folders = [folder for folder in (one.output, one.report) if folder is not None]
        for folder in folders:
            _check_folder(folder)
        chosen = each_into(one.output, one, found, f".{ending}")
        for folder in folders:
            with writing(folder):
                folder.mkdir(parents=True, exist_ok=True)
    failed = False
    bar = _Bar()
    for each, outcome in run_transcriptions(chosen, min(jobs, len(chosen)), bar.show, stop.is_set):
        bar.clear()
        if isinstance(outcome, TranscriptionResult):
            failed |= outcome.stopped is not None
            click.echo(outcome.sentence)
        elif len(chosen) == 1:
            raise outcome
        else:
            failed = True
            sentence = sentence_of_error(outcome) or f"a fault of the program ({type(outcome).__name__}: {outcome})"
            click.echo(f"Error: {each.source}: {sentence}", err=True)
    sys.exit(1 if failed else 0)


def _check_folder(folder: Path) -> None:
    """Raises UsageError for what is a file, or named as one is."""
    if not folder.is_dir() and (folder.suffix or folder.exists()):
        raise click.UsageError(f"{folder} is no folder. Several recordings need one, for a file each.")


class _Bar:
    """How far it is and how long it will take, on one line of a terminal; elsewhere nothing is shown."""

    def __init__(self, stream: IO[str] | None = None) -> None:
        self._stream = stream or sys.stderr
        self._shown = ""
        self._first: tuple[float, float] | None = None

    def show(self, at: float, whole: float | None) -> None:
        """at: seconds of the recordings that have been looked at, of `whole`."""
        if not self._stream.isatty():
            return
        line = self._line(at, whole)
        if line != self._shown:
            self._stream.write(f"\r{line}\x1b[K")
            self._stream.flush()
            self._shown = line

    def clear(self) -> None:
        """Takes the line away, so that another can be printed; a recording is done, and how long the next takes is seen anew."""
        self._first = None
        if self._shown:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
            self._shown = ""

    def _line(self, at: float, whole: float | None) -> str:
        import time

        from controller.run.transcription import clock

        now = time.monotonic()
        self._first = self._first or (now, at)
        if not whole:
            return f"Transcribing {clock(at)}"
        since, begun = self._first
        share = min(at / whole, 1.0)
        filled = int(share * 30)
        line = f"Transcribing [{'#' * filled}{'-' * (30 - filled)}] {share:4.0%}  {clock(at)} of {clock(whole)}"
        if at > begun and now - since > 2:
            line += f", {clock((now - since) * max(whole - at, 0) / (at - begun))} left"
        return line
