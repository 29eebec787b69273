"""Runs GNU Backgammon, where it is installed, as a subprocess with a time limit."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from controller.errors import ControllerError

INSTALL_HINT = "GNU Backgammon is not installed; install it with: sudo apt install gnubg"

# Debian puts games where the path of a service does not look.
_PLACES = ("/usr/games", "/usr/local/games")

IMPORT = {".mat": "import mat", ".txt": "import mat", ".sgf": "load match"}
"""The command that reads a file, by its ending."""


class GnubgError(ControllerError):
    """GNU Backgammon is missing, failed or took too long; the text is one sentence for a player."""


def find_gnubg() -> str | None:
    """Path of the program, or None."""
    return shutil.which("gnubg") or next((found for p in _PLACES if (found := shutil.which("gnubg", path=p))), None)


def run_gnubg(commands: str, script: str, time_limit: float) -> tuple[Any, str]:
    """Run commands of GNU Backgammon, then a Python expression inside it that is the answer.

    commands: lines for its prompt. script: an expression over the module `gnubg`, for example "gnubg.match()"; its
    value comes back through JSON, tuples as lists. time_limit: seconds for everything. Returns the value and what
    GNU Backgammon printed. Raises GnubgError.
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
        try:
            result = subprocess.run(
                [program, "-t", "-q", "-r", "-s", folder, "-l", "C", "-p", str(source)],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                cwd=folder,
                timeout=time_limit,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise GnubgError(
                "GNU Backgammon was not done after {seconds} seconds and was stopped.", seconds=f"{time_limit:.0f}"
            ) from error
        except OSError as error:
            raise GnubgError("GNU Backgammon could not be started: {why}.", why=error.strerror) from error
        printed = (result.stdout + result.stderr).decode("utf-8", "replace")
        if not answer.exists():
            raise GnubgError("GNU Backgammon gave no answer: {answer}", answer=_last_line(printed))
        return json.loads(answer.read_text(encoding="utf-8")), printed


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
