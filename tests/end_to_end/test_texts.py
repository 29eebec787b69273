"""Whole games by every text: simulated players play them from the draw to the end, the referee looks on, and what it writes down is
what was played, in the record and by check."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import pytest

from benchmarks.noisy_eyes import NoisyEyes, load_banks
from benchmarks.watched import first_games
from controller.record.check import check
from controller.record.from_events import record_of
from controller.record.model import Record
from controller.referee import events as referee
from controller.referee.commands import AcceptResign, OfferResign, RefuseResign
from controller.referee.events import AnyEvent, Flagged, Played
from controller.referee.session import MatchPlan, Session
from controller.referee.state import NOT_ACCUSING
from controller.referee.turns import Phase
from controller.rules import PRESETS, Side, position_id
from controller.rules.ruleset import DeviceRules
from controller.simulation import Doubled, Drawn, GameWon, Resigned, SimulatedMatch, SimulatedTable, Taken, TurnPlayed

SEEDS = {"text-000": 3, "text-001": 3, "text-002": 3, "text-003": 3, "text-004": 25}


@dataclass(frozen=True)
class Watched:
    """What truly happened, and what was written of it."""

    truth: tuple[Any, ...]
    events: tuple[AnyEvent, ...]

    @property
    def record(self) -> Record:
        return record_of(self.events)

    def happened(self, kind: type[Any]) -> list[Any]:
        return [event for event in self.truth if isinstance(event, kind)]

    def written(self, kind: type[Any]) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]


@cache
def watched(name: str) -> Watched:
    """One game; a person tells the referee of resignations, which nobody can see."""
    rules = replace(PRESETS[name], device=DeviceRules(role="monitor"))
    table = SimulatedTable(SEEDS[name], SimulatedMatch("none", 0, games=2, rules=rules, resigns=True))
    home: Any = table.light_home
    session = Session(MatchPlan(rules, 0, ("Jana", "Petr")), home)
    eyes = NoisyEyes(load_banks(), table.look.name, table.look.shape, table.seed)
    events, told, seconds = list(session.opening), 0, 0.0
    offered: list[Resigned] = []
    for number, scene in enumerate(first_games(table)):
        seconds = number / table.fps
        offered += [event for event in table.truth[told:] if isinstance(event, Resigned)]
        told = len(table.truth)
        if offered and session.state.turn is offered[0].side and session.state.phase is Phase.TO_ROLL:
            one = offered.pop()
            events += session.command(OfferResign(side=one.side, level=one.level), seconds)
            events += session.command(AcceptResign() if one.accepted else RefuseResign(), seconds)
        observation = eyes.look(scene, seconds)
        if observation is not None:
            events += session.see(observation)
    events += session.finish(seconds)
    return Watched(tuple(event for event in table.truth if event.game == 0), tuple(events))


@pytest.mark.parametrize("name", SEEDS)
class TestAGameByEveryText:
    def test_every_turn_is_written_as_it_was_played(self, name: str) -> None:
        game = watched(name)
        true = [(e.side, sorted(e.dice), position_id(e.after, Side.LIGHT)) for e in game.happened(TurnPlayed)]
        assert [(e.side, sorted(e.dice), e.after) for e in game.written(Played)] == true

    def test_draws_and_the_cube_are_written_as_they_were(self, name: str) -> None:
        game = watched(name)
        if PRESETS[name].start.opening_dice == "fresh":
            draws = [(e.light, e.dark) for e in game.happened(Drawn)]
            assert [(e.light, e.dark) for e in game.written(referee.Drawn)] == draws
        for mine, theirs in ((Doubled, referee.Doubled), (Taken, referee.Taken)):
            assert [e.side for e in game.written(theirs)] == [e.side for e in game.happened(mine)]

    def test_the_game_is_worth_what_the_text_says(self, name: str) -> None:
        game = watched(name)
        (won,), (end,) = game.happened(GameWon), game.written(referee.GameEnded)
        assert (end.winner, end.points) == (won.side, won.points)

    def test_nothing_is_flagged_and_check_finds_nothing(self, name: str) -> None:
        game = watched(name)
        assert [e.text for e in game.written(Flagged) if e.code not in NOT_ACCUSING] == []
        assert [problem for problem in check(game.record).problems if not problem.startswith("game 2")] == []
