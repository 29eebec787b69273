"""The board in front of the camera tells which way it lies; settings that say otherwise don't spoil the game."""

from __future__ import annotations

from pathlib import Path

from controller.app.referee import Outlets, Referee
from controller.app.table import Table
from controller.panel.virtual import VirtualPanel
from controller.record.journal import Journal
from controller.referee.session import MatchPlan
from controller.rules import MATCH
from controller.simulation import SimulatedMatch, SimulatedTable
from web.hub import ViewHub


def test_the_start_position_overrules_a_wrong_home(tmp_path: Path) -> None:
    table = SimulatedTable(4, SimulatedMatch("none"))
    said: list[str] = []
    with Journal(tmp_path / "games.sqlite3") as journal:
        wrong = Table(MatchPlan(MATCH, 3), table.corners, "top-left")
        referee = Referee(wrong, journal, Outlets(ViewHub(), VirtualPanel(), said.append))
        for frame in table.frames():
            referee.take(frame)
            if frame.seconds > 2:
                break
        assert not referee.state.flags
        assert [line for line in said if "going by the board" in line] == [
            f"The start position has light's home board at the {table.light_home}, not at the top-left: going by the board."
        ]
        assert len(list(journal.events())) == 2
