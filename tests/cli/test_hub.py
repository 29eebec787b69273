"""The hub's commands on a machine that is only a board's: what its libraries are needed for says so."""

from __future__ import annotations

import subprocess
import sys

import pytest

from controller.cli.hub import NEEDED

WITHOUT = """
import sys
sys.modules |= dict.fromkeys(("paho", "psycopg"))
from controller.cli.main import main
main()
"""


@pytest.mark.parametrize("command", ["add-board board-7", "remove-board board-7", "add-person Jana"])
def test_a_board_is_told_what_to_install(command: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, "hub", *command.split()], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (1, f"Error: {NEEDED}\n")
