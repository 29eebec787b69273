"""Dice as two of the texts have them, thrown by simulated players in drawn pictures, and read by the program's own reader: on the
table beside the board (000), and two pairs in two colours (003)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from benchmarks.watched import RestEyes
from controller.app.appearance_feedback import teach
from controller.referee.events import AnyEvent, Drawn, Flagged, Played
from controller.referee.session import MatchPlan, Session
from controller.rules import PRESETS, Side, position_id
from controller.rules.codes import Code
from controller.rules.ruleset import DeviceRules
from controller.simulation import Filming, SimulatedMatch, SimulatedTable, TurnPlayed
from controller.simulation.scene import DieThing, Scene

SIZE = (960, 540)


def watched(
    table: SimulatedTable,
    name: str,
    enough: Callable[[list[AnyEvent]], bool],
    shown: Callable[[Scene], Scene] = lambda scene: scene,
) -> list[AnyEvent]:
    """What the referee writes of a game by that text until it is enough. shown: what the camera sees of each scene."""
    rules = replace(PRESETS[name], device=DeviceRules(role="monitor"))
    home: Any = table.light_home
    session = Session(MatchPlan(rules, 0 if name == "text-000" else 3, ("Jana", "Petr")), home)
    eyes = RestEyes(table, SIZE)
    events: list[AnyEvent] = list(session.opening)
    for number, scene in enumerate(table.scenes()):
        observation = eyes.look(shown(scene), number / table.fps)
        if observation is not None:
            events += session.see(observation)
            teach(eyes.watcher, session)
        if enough(events):
            break
    return events


def played(events: list[AnyEvent]) -> list[Any]:
    return [(e.side, sorted(e.dice), e.after) for e in events if isinstance(e, Played)]


def truly(table: SimulatedTable) -> list[Any]:
    return [
        (e.side, sorted(e.dice), position_id(e.after, Side.LIGHT)) for e in table.truth if isinstance(e, TurnPlayed)
    ]


def test_dice_thrown_on_the_table_beside_the_board_are_read() -> None:
    table = SimulatedTable(7, SimulatedMatch("none", 0, games=1, rules=PRESETS["text-000"]), Filming(SIZE))
    lying: set[DieThing] = set()

    def look(scene: Scene) -> Scene:
        lying.update(thing for thing in scene.things if isinstance(thing, DieThing) and thing.lean == 0)
        return scene

    events = watched(table, "text-000", lambda events: len(played(events)) == 2, look)
    on_table = {die for die in lying if die.at[2] < 0}
    assert len(on_table) >= 2, "this seed's players throw on the board only"
    assert [(e.light, e.dark) for e in events if isinstance(e, Drawn)] == [
        (e.light, e.dark) for e in table.truth if type(e).__name__ == "Drawn"
    ]
    assert played(events) == truly(table)[:2]
    assert [e.code for e in events if isinstance(e, Flagged)] == []


def test_whose_roll_it_is_follows_from_the_pair() -> None:
    table = SimulatedTable(3, SimulatedMatch("none", 3, rules=PRESETS["text-003"]), Filming(SIZE))

    def taken_the_wrong_pair(scene: Scene) -> Scene:
        """After the first turn a player throws the other's dice."""
        if not truly(table):
            return scene
        things = (replace(one, side=one.side.other) if isinstance(one, DieThing) else one for one in scene.things)
        return replace(scene, things=tuple(things))

    def enough(events: list[AnyEvent]) -> bool:
        return len(played(events)) == 2

    events = watched(table, "text-003", enough, taken_the_wrong_pair)
    assert played(events) == truly(table)[:2]
    flags = [e for e in events if isinstance(e, Flagged)]
    name = "Jana" if truly(table)[1][0] is Side.LIGHT else "Petr"
    assert [(e.code, e.text) for e in flags] == [
        (Code.OTHERS_DICE, f"{name} is on roll: these are the other player's dice.")
    ]
