"""The board in front of the camera tells which way it lies; settings that say otherwise don't spoil the game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

from controller.app.camera import BoardCamera
from controller.app.referee import Outlets, Referee
from controller.app.table import Table
from controller.panel.virtual import VirtualPanel
from controller.record.journal import Journal
from controller.referee.commands import NewMatch, SetNames
from controller.referee.events import Found, Played
from controller.referee.session import MatchPlan
from controller.rules import MATCH, Position, Side, legal_plays
from controller.rules.codes import Code
from controller.simulation import SimulatedMatch, SimulatedTable
from terms.board import Corner
from tests.tracking.eyes import Eyes, thrown
from vision.frame import Frame
from vision.observation import Observation
from vision.reading.reader import unread
from web.hub import ViewHub

PICTURE = Frame(np.zeros((90, 160, 3), np.uint8), 0.0)


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


def played_on(home: Corner, seed: int, turns: int, first: int = 2) -> list[Observation]:
    """Looks at a game of which the first turns are over, light's home at that corner: its players keep to their half."""
    eyes, rng, position, side = Eyes(light_home=home), Random(seed), Position.start(), Side.LIGHT
    looks: list[Observation] = [] if first else [eyes.look(position)] * 2
    for turn in range(turns + first):
        roll = (rng.randint(4, 6), rng.randint(1, 3))
        after, dice = rng.choice(legal_plays(position, side, roll)).result, thrown(side, *roll)
        for stands, lie in ((position, dice), (after, dice), (after, ())):
            if turn >= first:
                looks += [eyes.look(stands, lie), eyes.look(stands, lie), replace(unread(PICTURE), seconds=eyes.now)]
        position, side = after, side.other
    return looks


def show(referee: Referee, looks: Sequence[Observation], monkeypatch: pytest.MonkeyPatch) -> None:
    """The referee's camera sees these, one after the other."""
    for look in looks:
        monkeypatch.setattr(BoardCamera, "look", lambda *_, seen=look: seen)
        referee.take(replace(PICTURE, seconds=look.seconds))


@pytest.mark.parametrize(
    ("home", "settings"), [("top-left", "bottom-right"), ("bottom-left", "bottom-right"), ("top-right",) * 2]
)
def test_the_plays_of_a_game_that_was_on_overrule_a_wrong_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: Corner, settings: Corner
) -> None:
    """The camera is switched on in the middle; what was played since is written down, whichever corner was set."""
    looks, said = played_on(home, 1, 8), list[str]()
    with Journal(tmp_path / "games.sqlite3") as journal:
        table = Table(MatchPlan(MATCH, 3), None, settings)
        referee = Referee(table, journal, Outlets(ViewHub(), VirtualPanel(), said.append))
        show(referee, looks, monkeypatch)
        assert referee.status.light_home == home
        assert sum("going by the board" in line for line in said) == (home != settings)
        found, *turns = referee.state.turns
        assert isinstance(found, Found)
        assert [turn.legal for turn in turns if isinstance(turn, Played)] == [True] * 8
        again = Referee(table, journal, Outlets(ViewHub(), VirtualPanel()))
        assert again.state.turns == referee.state.turns  # as it was written down


@pytest.mark.parametrize(("stopped", "practised"), [(True, False), (False, True), (True, True)])
def test_what_was_agreed_before_the_first_roll_holds_when_the_plays_tell_which_way_the_board_lies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stopped: bool, practised: bool
) -> None:
    """The match is begun at the desk, by other rules than the settings have, its players are named; the program is switched off and
    on again, or somebody tries the board out; then the camera sees a game that is on."""
    table = Table(MatchPlan(MATCH, 3), None, "bottom-right")
    with Journal(tmp_path / "games.sqlite3") as journal:
        referee = Referee(table, journal, Outlets(ViewHub(), VirtualPanel()))
        referee.obey(NewMatch(light="Jana", dark="Petr", length=7, set=("move.stack_limit=5",)))
        if stopped:
            referee.obey(SetNames(light="Jana", dark="Pavel"))
            referee = Referee(table, journal, Outlets(ViewHub(), VirtualPanel()))
        if practised:
            referee.begin_practice()
            referee.end_practice()
        agreed = referee.state
        show(referee, played_on("top-left", 1, 8), monkeypatch)
        now = referee.state
        assert referee.status.light_home == "top-left"
        assert (now.names, now.score, now.ruleset) == (agreed.names, agreed.score, agreed.ruleset)
        assert [turn.legal for turn in now.turns if isinstance(turn, Played)] == [True] * 8
        again = Referee(table, journal, Outlets(ViewHub(), VirtualPanel()))
        assert (again.state.names, again.state.turns) == (agreed.names, now.turns)


@pytest.mark.parametrize("looks_before", [38, 40, 42])
def test_a_match_that_is_gone_on_with_lies_as_it_did(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, looks_before: int
) -> None:
    """The power fails in mid-game, between turns or in one; only the start position had told that the board lies otherwise."""
    looks = played_on("top-left", 3, 8, first=0)
    table, flags = Table(MatchPlan(MATCH, 3), None, "bottom-right"), 0
    for part in (looks[:looks_before], looks[looks_before:]):
        with Journal(tmp_path / "games.sqlite3") as journal:
            referee = Referee(table, journal, Outlets(ViewHub(), VirtualPanel()))
            show(referee, part, monkeypatch)
            flags += len(referee.state.flags)
    assert flags == 0
    assert [turn.legal for turn in referee.state.turns if isinstance(turn, Played)] == [True] * 8


@pytest.mark.parametrize("home", ["top-right", "top-left", "bottom-left"])
def test_the_next_game_may_be_set_up_the_other_way_round(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: Corner
) -> None:
    """Players change their seats, or turn the board, after a double that was passed, which only the next set-up tells."""
    first, said = played_on("bottom-right", 5, 1, first=0), list[str]()
    cube = Eyes().look(Position.start(), cube=2, cube_at=(0.3, 0.5)).cube
    looks = [*first, replace(first[-2], cube=cube), replace(first[-2], cube=cube), first[-1]]
    looks += played_on(home, 3, 8, first=0)
    looks = [replace(look, seconds=float(second)) for second, look in enumerate(looks)]
    with Journal(tmp_path / "games.sqlite3") as journal:
        table = Table(MatchPlan(MATCH, 3), None, "bottom-right")
        referee = Referee(table, journal, Outlets(ViewHub(), VirtualPanel(), said.append))
        show(referee, looks, monkeypatch)
    assert referee.status.light_home == home
    assert sum("going by the board" in line for line in said) == 1
    assert (referee.state.score.light, referee.state.score.dark) == (0, 1)
    assert [turn.legal for turn in referee.state.turns if isinstance(turn, Played)] == [True] * 8
    assert not referee.state.flags


@pytest.mark.parametrize("looks_before", [38, 40, 41, 42])
def test_board_or_camera_may_be_carried_round_the_table_in_the_middle_of_a_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, looks_before: int
) -> None:
    """Between turns or in one, which may be asked about; what is written down stands, and the game goes on."""
    looks = (
        played_on("bottom-right", 3, 8, first=0)[:looks_before] + played_on("top-left", 3, 8, first=0)[looks_before:]
    )
    said = list[str]()
    with Journal(tmp_path / "games.sqlite3") as journal:
        table = Table(MatchPlan(MATCH, 3), None, "bottom-right")
        referee = Referee(table, journal, Outlets(ViewHub(), VirtualPanel(), said.append))
        show(referee, looks, monkeypatch)
    assert referee.status.light_home == "top-left"
    assert [line for line in said if "going by the board" in line] == [
        "What stands there has light's home board at the top-left, not at the bottom-right: going by the board."
    ]
    assert [turn.legal for turn in referee.state.turns if isinstance(turn, Played)] == [True] * 8
    assert {flag.code for flag in referee.state.flags} <= {Code.READING_UNCERTAIN}
