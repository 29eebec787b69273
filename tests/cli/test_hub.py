"""The hub's commands on a machine that is only a board's: what its libraries are needed for says so."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from controller.cli.hub import NEEDED, _invitation
from controller.cli.main import main
from controller.config import HubConfig, WebConfig
from controller.record.joining import Hub, read_invitation
from controller.run.joining import JoinedHub, joined_path, load_joined

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


def test_a_board_without_a_game_is_told_what_has_joined(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    joined = JoinedHub(HubConfig(address="hub.local:8883", name="board-2"), "key")
    monkeypatch.setattr("controller.run.joining.join", lambda invitation: joined)
    games, asked = tmp_path / "vrhcab" / "journal.sqlite3", ["hub", "join", "7KQF-2M9X-4TBW@hub.local"]
    result = CliRunner().invoke(main, asked)
    assert (result.exit_code, load_joined(joined_path(games))) == (0, joined)
    assert f"No game is kept at {games} yet" in result.stderr
    games.touch()
    assert CliRunner().invoke(main, asked).stderr == ""
    refused = CliRunner().invoke(main, ["hub", "--config", "board.toml", *asked[1:]])
    assert (refused.exit_code, "CODE@ADDRESS --config FILE" in refused.stderr) == (2, True)
