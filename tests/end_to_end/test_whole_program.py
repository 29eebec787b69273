"""The simulated table is refereed frame by frame: what truly happened on it is what journal, page, lamps and records say."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from controller.app.match_journal import matches_in
from controller.app.referee import Outlets, Referee
from controller.app.table import Table
from controller.panel.virtual import VirtualPanel
from controller.record.check import check
from controller.record.formats import read_record, write_record
from controller.record.from_events import record_of
from controller.record.journal import Journal, read_events
from controller.record.model import PlayAction
from controller.referee import events as referee
from controller.referee.decide import PLAY_CODES
from controller.referee.events import AnyEvent, Flagged, Played, Resolved, Rolled, decode
from controller.referee.folding import fold
from controller.referee.session import MatchPlan
from controller.referee.state import NOT_ACCUSING, MatchState
from controller.rules import MATCH, Side, position_id
from controller.rules.ruleset import DeviceRules
from controller.simulation import (
    Doubled,
    ErrorMade,
    Filming,
    GameWon,
    Passed,
    SimulatedMatch,
    SimulatedTable,
    TurnPlayed,
)
from web.app import create_app
from web.hub import ViewHub

SEED = 201
"""Brings an early roll, an illegal play, a double that is passed and a second game within two minutes."""

SECONDS = 105.0
"""Virtual time until somebody is about to play the second game's first turn."""


@dataclass
class Evening:
    """A table that has been refereed for a while, and everything that was written and shown about it."""

    journal: Path
    table: SimulatedTable = field(
        default_factory=lambda: SimulatedTable(SEED, SimulatedMatch("some", 5), Filming((960, 540), 6))
    )
    panel: VirtualPanel = field(default_factory=VirtualPanel)
    hub: ViewHub = field(default_factory=ViewHub)
    told: list[str] = field(default_factory=list)
    state: MatchState = field(default_factory=MatchState)
    shown: list[dict[str, Any]] = field(default_factory=list)

    def play(self) -> None:
        """Referees until SECONDS have passed and nobody's turn is under way; looks at all doors whenever anything is said."""
        plan = MatchPlan(replace(MATCH, device=DeviceRules(role="monitor")), 5, ("Jana", "Petr"))
        home: Any = self.table.light_home
        with Journal(self.journal) as journal:
            outlets = Outlets(self.hub, self.panel, self.told.append)
            seeing = Referee(Table(plan, self.table.corners, home), journal, outlets)
            client = create_app(self.hub).test_client()
            for frame in self.table.frames():
                if seeing.take(frame):
                    self._look(seeing, client)
                turns = self.turns
                if turns and turns[-1].seconds > SECONDS and frame.seconds > turns[-1].seconds + 0.5:
                    break
            seeing.recording_ended("The evening is over.")
            self._look(seeing, client)
            self.state = seeing.state
            (self.match,) = [events for _, events in matches_in(journal)]

    def _look(self, seeing: Referee, client: FlaskClient) -> None:
        """What is shown is already on the disk, and page and lamps agree with it."""
        state = fold(decode(stored.version, stored.payload) for stored in read_events(self.journal))
        assert state == seeing.state
        view: dict[str, Any] = client.get("/api/state").json
        assert view["phase"] == state.phase.value
        assert view["turn"] == (state.turn.value if state.turn else None)
        assert len(view["plays"]) == len(state.turns)
        assert [flag["number"] for flag in view["flags"] if not flag["resolved"]] == [f.number for f in state.standing]
        assert tuple(view["panel"]) == self.panel.words()
        assert (f"turn: {view['turn']}" in self.panel.words()) == (state.turn is not None)
        assert ("error" in self.panel.words()) == bool(state.disputed)
        self.shown.append(view)

    @property
    def turns(self) -> list[TurnPlayed]:
        """The turns that were truly played."""
        return [event for event in self.table.truth if isinstance(event, TurnPlayed)]

    def errors(self, kind: str) -> list[ErrorMade]:
        """The errors that were truly made and put right."""
        return [event for event in self.table.truth if isinstance(event, ErrorMade) and event.kind == kind]

    @cached_property
    def events(self) -> list[AnyEvent]:
        """What the journal holds."""
        return [decode(stored.version, stored.payload) for stored in read_events(self.journal)]

    def written(self) -> list[Played]:
        """The turns in the journal."""
        return [event for event in self.events if isinstance(event, Played)]


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    evening = Evening(tmp_path_factory.mktemp("evening") / "journal.sqlite3")
    evening.play()
    return evening


def test_every_turn_that_was_played_is_in_the_journal(evening: Evening) -> None:
    true = [(turn.side, sorted(turn.dice), position_id(turn.after, Side.LIGHT)) for turn in evening.turns]
    assert [(play.side, sorted(play.dice), play.after) for play in evening.written()] == true
    assert len(true) >= 5
    assert all(play.legal and play.roll_seen and play.notation for play in evening.written())


def test_turns_are_written_soon_after_they_ended(evening: Evening) -> None:
    for turn, play in zip(evening.turns, evening.written(), strict=True):
        assert -3 < play.seconds - turn.seconds < 5


def test_an_illegal_play_is_flagged_before_it_is_put_right_and_resolved_after(evening: Evening) -> None:
    errors = evening.errors("illegal-play")
    assert errors
    for error in errors:
        (flag,) = [
            e for e in evening.events if isinstance(e, Flagged) and e.code in PLAY_CODES and e.side is error.side
        ]
        # the dice are off the board a moment before the hand that lifts them
        assert error.seconds - 1 < flag.seconds < error.put_right
        (end,) = [e for e in evening.events if isinstance(e, Resolved) and e.number == flag.number]
        assert end.how == "put right"
        assert end.seconds > flag.seconds


def test_an_early_roll_is_flagged_and_resolved(evening: Evening) -> None:
    errors = evening.errors("premature-roll")
    assert errors
    for error in errors:
        (flag,) = [e for e in evening.events if isinstance(e, Flagged) and e.code == "R04"]
        # the dice are off the board a moment before the hand that lifts them
        assert error.seconds - 1 < flag.seconds < error.put_right
        assert flag.side is error.side
        (end,) = [e for e in evening.events if isinstance(e, Resolved) and e.number == flag.number]
        assert end.how == "put right"


def test_nothing_is_flagged_that_was_right(evening: Evening) -> None:
    flags = [e for e in evening.events if isinstance(e, Flagged) and e.code not in NOT_ACCUSING]
    assert len(flags) == sum(isinstance(event, ErrorMade) for event in evening.table.truth)


def test_the_double_the_pass_and_the_new_game_are_written_and_shown(evening: Evening) -> None:
    true = [(type(event).__name__, event.side) for event in evening.table.truth if isinstance(event, Doubled | Passed)]
    cube = [(type(e).__name__, e.side) for e in evening.events if isinstance(e, referee.Doubled | referee.Passed)]
    assert cube == true
    assert {name for name, _ in true} == {"Doubled", "Passed"}
    (won,) = [event for event in evening.table.truth if isinstance(event, GameWon)]
    (end,) = [event for event in evening.events if isinstance(event, referee.GameEnded)]
    assert (end.winner, end.points) == (won.side, won.points)
    view = evening.shown[-1]
    assert (view["light"]["score"], view["dark"]["score"], view["game"]) == (*won.score, 2)
    offers = [view["cube"] for view in evening.shown if view["phase"] == "cube offered"]
    assert offers
    assert all(cube["offered"] == won.side.other.value for cube in offers)


def test_rolls_are_announced_while_they_lie_there(evening: Evening) -> None:
    announced = [(event.side, sorted(event.dice)) for event in evening.events if isinstance(event, Rolled)]
    assert announced == [(turn.side, sorted(turn.dice)) for turn in evening.turns]


def test_the_page_ends_with_the_board_as_it_stands(evening: Evening) -> None:
    view, last = evening.shown[-1], evening.turns[-1]
    assert tuple(view["points"]) == last.after.signed()
    assert view["turn"] == last.side.other.value
    assert (view["light"]["name"], view["light"]["pips"]) == ("Jana", last.after.pip_count(Side.LIGHT))
    assert [line["notation"] for line in view["plays"]] == [
        turn.notation for turn in evening.written()[-len(view["plays"]) :]
    ]
    assert len(view["plays"]) == sum(turn.game == last.game for turn in evening.turns)
    assert [seen["sequence"] for seen in evening.shown] == sorted(seen["sequence"] for seen in evening.shown)


def test_what_is_in_the_journal_is_all_that_a_new_start_needs(evening: Evening) -> None:
    assert fold(evening.events) == evening.state
    assert evening.match == evening.events


@pytest.mark.parametrize("ending", ["mat", "sgf", "json"])
def test_the_record_goes_out_and_comes_back_without_a_problem(evening: Evening, ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"evening.{ending}"
    write_record(record_of(evening.events), path)
    record = check(read_record(path))
    (problem,) = record.problems
    assert problem.endswith("game 2 is not finished.")
    plays = [action for game in record.games for action in game.actions if isinstance(action, PlayAction)]
    assert [(p.player, sorted(p.dice)) for p in plays] == [
        (0 if turn.side is Side.LIGHT else 1, sorted(turn.dice)) for turn in evening.turns
    ]
    assert all(play.legal for play in plays)
