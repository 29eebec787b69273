"""Runs GNU Backgammon, where it is installed, as a subprocess of low priority with a time limit."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from controller.errors import ControllerError

INSTALL_HINT = "GNU Backgammon is not installed; install it with: sudo apt install gnubg"

# Debian puts games where the path of a service does not look.
_PLACES = ("/usr/games", "/usr/local/games")

IMPORT = {".mat": "import mat", ".txt": "import mat", ".sgf": "load match"}
"""The command that reads a file, by its ending."""


NICE = 19
"""It runs when nothing else wants to: the referee may be at work on the same machine."""

LOOK_S = 0.2
"""Seconds between two looks whether it is still wanted."""


class GnubgError(ControllerError):
    """GNU Backgammon is missing, failed or took too long; the text is one sentence for a player."""


class GnubgStopped(GnubgError):
    """It was stopped because its answer was no longer wanted."""


def find_gnubg() -> str | None:
    """Path of the program, or None."""
    return shutil.which("gnubg") or next((found for p in _PLACES if (found := shutil.which("gnubg", path=p))), None)


def wanted_always() -> bool:
    """For whoever waits for the answer."""
    return True


def run_gnubg(
    commands: str, script: str, time_limit: float, wanted: Callable[[], bool] = wanted_always
) -> tuple[Any, str]:
    """Run commands of GNU Backgammon, then a Python expression inside it that is the answer.

    commands: lines for its prompt. script: an expression over the module `gnubg`, for example "gnubg.match()"; its
    value comes back through JSON, tuples as lists. time_limit: seconds for everything. wanted: asked all the while; as soon
    as it says no, GNU Backgammon is stopped. Returns the value and what GNU Backgammon printed. Raises GnubgError.
    """
    program = find_gnubg()
    if program is None:
        raise GnubgError(INSTALL_HINT)
    with tempfile.TemporaryDirectory(prefix="vrhcab-gnubg-") as folder:
        answer = Path(folder) / "answer.json"
        source = Path(folder) / "run.py"
        lines = [f"gnubg.command({line!r})" for line in commands.splitlines()]
        source.write_text(
            "\n".join(["import json", *lines, f"value = {script}"])
            + f"\nwith open({str(answer)!r}, 'w') as file:\n    json.dump(value, file)\n",
            encoding="utf-8",
        )
        printed = _printed([program, "-t", "-q", "-r", "-s", folder, "-l", "C", "-p", str(source)], time_limit, wanted)
        if not answer.exists():
            raise GnubgError("GNU Backgammon gave no answer: {answer}", answer=_last_line(printed))
        return json.loads(answer.read_text(encoding="utf-8")), printed


def _printed(command: list[str], time_limit: float, wanted: Callable[[], bool]) -> str:
    """What the program printed, which ends before this returns. command: its last part lies in the folder that it runs in.

    Raises GnubgError.
    """
    with tempfile.TemporaryFile(dir=Path(command[-1]).parent) as output:
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd=Path(command[-1]).parent,
            )
        except OSError as error:
            raise GnubgError("GNU Backgammon could not be started: {why}.", why=error.strerror) from error
        with process:
            try:
                with suppress(OSError):  # it may be over already
                    os.setpriority(os.PRIO_PROCESS, process.pid, NICE)
                _wait(process, time_limit, wanted)
            finally:
                process.kill()
        output.seek(0)
        return output.read().decode("utf-8", "replace")


def _wait(process: subprocess.Popen[bytes], time_limit: float, wanted: Callable[[], bool]) -> None:
    """Until it ends. Raises GnubgError where that is too late."""
    end = time.monotonic() + time_limit
    while True:
        left = end - time.monotonic()
        try:
            process.wait(max(0.0, min(left, LOOK_S)))
        except subprocess.TimeoutExpired as error:
            if not wanted():
                raise GnubgStopped("GNU Backgammon was stopped, because a game began.") from error
            if left <= 0:
                raise GnubgError(
                    "GNU Backgammon was not done after {seconds} seconds and was stopped.", seconds=f"{time_limit:.0f}"
                ) from error
        else:
            return


def load_command(path: Path) -> str:
    """The command that makes GNU Backgammon read a record. Raises GnubgError for an ending that it can't read."""
    command = IMPORT.get(path.suffix.lower())
    if command is None:
        raise GnubgError(
            "GNU Backgammon reads .mat, .txt and .sgf, not {ending}.", ending=path.suffix or "a file without an ending"
        )
    return f'{command} "{path}"'


def _last_line(printed: str) -> str:
    lines = [line.strip() for line in printed.splitlines() if line.strip()]
    return lines[-1][:200] if lines else "it printed nothing."
