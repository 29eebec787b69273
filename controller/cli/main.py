"""The command line. Each command reads its arguments, calls one function of the program, and prints."""

from __future__ import annotations

import gc
import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from controller.cli.files import FILE
from controller.cli.leaving import ended_by, stop_on_signals
from controller.cli.options import CORNERS_HELP, LARGEST_NUMBER, SET_OPTION, Finite, Group, rules_chosen, rules_option
from controller.cli.sentences import print_sentence, sentence_of_error
from controller.cli.streams import open_streams
from terms.board import CORNERS

MODULES = {
    "check": "records",
    "convert": "records",
    "analyse": "records",
    "archive": "archive",
    "backup": "backup",
    "restore": "backup",
    "read": "read",
    "transcribe": "transcribe",
    "report": "report",
    "markers": "camera",
    "calibrate": "camera",
    "pin": "pin",
    "certificate": "certificate",
    "doctor": "hardware",
    "flash": "hardware",
    "hub": "hub",
    "learn": "learn",
}
"""The module of controller.cli that holds a command, imported when somebody asks for it: all of them take half a second."""

SELDOM = 20_000, 20, 100
"""Python's thresholds for garbage. Nothing here makes rings of objects by the thousand: by its own the tracker spends a twentieth
of its time on looking for them, and a hub's wall a tenth."""


class Commands(Group):
    """The commands of MODULES and those below. Turns every error into one sentence and exit 1; a fault of the program itself shows
    its traceback above it."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*MODULES, *super().list_commands(ctx)})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in MODULES:
            return super().get_command(ctx, cmd_name)
        module = import_module(f"controller.cli.{MODULES[cmd_name]}")
        return next(one for one in vars(module).values() if isinstance(one, click.Command) and one.name == cmd_name)

    def make_context(self, *args: Any, **more: Any) -> click.Context:
        with _in_a_sentence():  # --help and --version print here
            return super().make_context(*args, **more)

    def invoke(self, ctx: click.Context) -> Any:
        with _in_a_sentence():
            return super().invoke(ctx)


@contextmanager
def _in_a_sentence() -> Iterator[None]:
    """Raises ClickException for whatever is raised inside, but what click itself knows."""
    try:
        yield
    except (click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError):
        raise
    except Exception as error:
        sentence = sentence_of_error(error)
        if sentence is None:
            traceback.print_exc()
            sentence = (
                f"Vrhcáb met a fault of its own ({type(error).__name__}). What was recorded is kept. "
                "Please report it with the lines above."
            )
        raise click.ClickException(sentence) from error


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="vrhcab", prog_name="vrhcab")
def main() -> None:
    """Vrhcáb, a backgammon referee for a real board: a camera reads it, the rules are checked, the game records itself."""


@main.command()
@click.option("--config", type=FILE, help="TOML file with the settings; docs/config.md lists them.")
@click.option(
    "--source", help="Where the frames come from: camera:0, picamera, video:FILE, frames:FOLDER, simulator, or none."
)
@click.option("--corners", help=CORNERS_HELP)
@click.option("--home", type=click.Choice(CORNERS), help="Where light's home board lies, as the camera sees it.")
@click.option("--port", type=int, help="Port of the page.")
@click.option("--host", help='Address of the page; "0.0.0.0" shows it to phones on the network.')
@click.option("--journal", help="File that keeps the games.")
@click.option("--length", type=int, help="Points that win the match, 0 for single games.")
@rules_option("as in the settings, else match")
@SET_OPTION
def run(config: Path | None, rules: str | None, keys: tuple[str, ...], **given: Any) -> None:
    """Referee the board that the configured camera sees: page, lamps and journal.

    Stop it with Ctrl-C; started again, it goes on with the match where it stopped.
    """
    stop = stop_on_signals()
    from controller.config import load_config
    from controller.rules import parse_keys
    from controller.run.build import run_configured

    names = {"home": "camera.light_home", "port": "web.port", "host": "web.host", "journal": "journal.path"}
    names |= {"source": "camera.source", "corners": "camera.corners", "length": "match.length"}
    overrides = {names[name]: value for name, value in given.items() if value is not None}
    overrides |= {"rules.preset": rules} | {f"rules.{key}": value for key, value in parse_keys(keys).items()}
    run_configured(load_config(config, overrides), stop, print_sentence)


@main.command()
@click.option(
    "--seed",
    default=1,
    show_default=True,
    type=click.IntRange(0, LARGEST_NUMBER),
    help="Which game is played; the same seed plays the same game.",
)
@click.option("--speed", default=1.0, show_default=True, type=Finite(0.1, 20), help="Times real time.")
@click.option(
    "--errors",
    default="some",
    show_default=True,
    type=click.Choice(["none", "some", "many", "unnoticed"]),
    help="How often the simulated players err.",
)
@click.option("--port", default=8080, show_default=True, type=click.IntRange(1, 65_535), help="Port of the page.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address of the page.")
@click.option(
    "--length", type=click.IntRange(1, 25), help="Points that win the match. Default: 3 where the rules have matches."
)
@rules_option("match")
@SET_OPTION
@click.option("--new", is_flag=True, help="Begin a new match even if one was left unfinished.")
def demo(rules: str | None, keys: tuple[str, ...], **given: Any) -> None:
    """Referee a game on the simulated board: no hardware needed. Open the page that it names."""
    stop = stop_on_signals()
    from controller.rules import MATCH, parse_keys
    from controller.run.build import Demo, run_demo

    chosen = rules_chosen(rules, keys) or MATCH
    if "device.role" in parse_keys(keys):
        given["role"] = chosen.device.role
    run_demo(Demo(rules=chosen, **given), stop, print_sentence)


@main.command()
@click.argument("position_id", required=False)
@click.argument("dice", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--batch", is_flag=True, help='Read JSON lines {"pid", "dice"} from standard input.')
@rules_option("match")
@SET_OPTION
def plays(
    position_id: str | None,
    dice: str | None,
    as_json: bool,
    batch: bool,
    rules: str | None,
    keys: tuple[str, ...],
) -> None:
    """List the legal plays of DICE (as 65 or 6-5) in the position POSITION_ID, GNU BG's, with the mover on roll."""
    from controller.cli.plays import batch_lines, plays_of, questions
    from controller.rules import MATCH

    chosen = rules_chosen(rules, keys) or MATCH
    if batch:
        for line in batch_lines(questions(sys.stdin.buffer), chosen):
            click.echo(line)
        return
    if position_id is None or dice is None:
        raise click.UsageError("Give POSITION_ID and DICE, or --batch.")
    found = plays_of(position_id, dice, chosen)
    click.echo(found.as_json() if as_json else found.as_text())


def program() -> None:
    """`vrhcab`, as it is installed."""
    # Matrices are small here: shared out among the cores, what a position teaches takes up to thirty times as long, all cores
    # waiting for one another (docs/history/speed.md). NumPy's library asks when it is loaded.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.set_threshold(*SELDOM)
    open_streams()
    ended_by(main)
