"""The hub's commands on a machine that is only a board's: what its libraries are needed for says so."""

from __future__ import annotations

import subprocess
import sys

import pytest

from controller.cli.hub import NEEDED, _invitation
from controller.config import WebConfig
from controller.record.joining import Hub, read_invitation

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


@pytest.mark.parametrize(
    ("address", "web", "hub"),
    [
        ("hub.local", WebConfig(port=8443, certificate="hub.pem"), Hub("hub.local", 8443)),
        ("fd00::5", WebConfig(port=8443, certificate="hub.pem"), Hub("fd00::5", 8443)),
        ("[fd00::5]", WebConfig(port=8443, certificate="hub.pem"), Hub("fd00::5", 8443)),
        ("hub.example", WebConfig(port=8080, https=True), Hub("hub.example", 443)),
        ("hub.example:9443", WebConfig(port=8080, https=True), Hub("hub.example", 9443)),
        ("localhost", WebConfig(port=8090), Hub("localhost", 8090, https=False)),
    ],
)
def test_a_board_finds_the_hub_by_the_invitation(address: str, web: WebConfig, hub: Hub) -> None:
    assert read_invitation(_invitation("7KQF-2M9X-4TBW", address, web)) == ("7KQF2M9X4TBW", hub)
