"""The libraries that not every machine needs, and how they come to the program that runs."""

from __future__ import annotations

import shlex
import sys


def how_to_install(extra: str) -> str:
    """The command that installs an extra of pyproject.toml beside this program: a bare pip is most often another Python's."""
    return f"{shlex.quote(sys.executable)} -m pip install 'vrhcab[{extra}]'"
