"""What befalls a table in a game: the referee waits, says what it cannot see, sees again within three seconds, loses nothing."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from controller.app.appearance_feedback import teach
from controller.referee.events import AnyEvent, Flagged, Played
from controller.referee.session import MatchPlan, Session
from controller.rules import MATCH, Side, position_id
from controller.simulation import Fault, FaultKind, Filming, Scene, SimulatedMatch, SimulatedTable, TurnPlayed
from controller.simulation.renderer import Renderer
from controller.simulation.scene import HandThing
from vision.frame import Frame
from vision.watching.watcher import TOO_DARK, Watcher

SIZE, FPS = (640, 360), 8.0
AT, LASTS = 4.0, 5.0
"""Virtual seconds: the first roll lies there, and the players are about to move."""
RESYNC = 3.0
"""Virtual seconds without a hand after the fault within which the board must have been read."""
SEED = 11
END = 30.0

FAULTS: tuple[FaultKind, ...] = (
    "glare",
    "bump",
    "light-off",
    "slow-light",
    "hand",
    "spectator",
    "unplugged",
    "dropped-checker",
    "drink",
)


@dataclass
class Game:
    """A game's first turn with something befalling it. clear: frames after the fault without a hand until one was read."""

    events: list[AnyEvent] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)
    read_meanwhile: int = 0
    clear: float | None = None
    turns: tuple[TurnPlayed, ...] = ()


def played(kind: FaultKind) -> Game:
    """The first turn, looked at frame by frame."""
    table = SimulatedTable(
        SEED, SimulatedMatch("none", 1), Filming(SIZE, FPS), look="club", faults=[Fault(kind, AT, LASTS)]
    )
    home: object = table.light_home
    watcher, session = Watcher(table.corners), Session(MatchPlan(MATCH, 1), home)  # type: ignore[arg-type]
    renderer, game, clear = Renderer(table.look, SIZE, SEED), Game(), 0
    for number, scene in enumerate(table.scenes()):
        seconds = number / FPS
        if kind == "unplugged" and AT <= seconds < AT + LASTS:
            continue
        observation = watcher.look(Frame(renderer.draw(scene), seconds))
        if watcher.trouble not in ("", *game.troubles):
            game.troubles.append(watcher.trouble)
        if seconds >= AT + LASTS + _ends_late(kind) and game.clear is None:
            clear = 0 if _hand(scene) else clear + 1
            game.clear = clear / FPS if observation is not None and observation.still else None
            assert clear / FPS <= RESYNC, f"not read {clear / FPS} s after the board was clear"
        if observation is not None:
            game.read_meanwhile += observation.still and AT + 0.5 <= seconds < AT + LASTS
            game.events += session.see(observation)
            teach(watcher, session)
        game.turns = tuple(event for event in table.truth if isinstance(event, TurnPlayed))
        if seconds > END or (game.turns and seconds > game.turns[0].seconds + RESYNC):
            break
    return game


def _ends_late(kind: FaultKind) -> float:
    """Virtual seconds that hands take to put something on the board and to take it off."""
    return 4.0 if kind in ("drink", "dropped-checker") else 0.0


def _hand(scene: Scene) -> bool:
    return any(isinstance(thing, HandThing) for thing in scene.things)


@pytest.mark.parametrize("kind", FAULTS)
def test_nothing_is_lost_and_nobody_accused(kind: FaultKind) -> None:
    game = played(kind)
    assert game.turns
    true = [
        (turn.side, tuple(sorted(turn.dice, reverse=True)), position_id(turn.after, Side.LIGHT)) for turn in game.turns
    ]
    written = [(event.side, event.dice, event.after) for event in game.events if isinstance(event, Played)]
    assert written == true
    assert [event for event in game.events if isinstance(event, Flagged) and event.code != "R23"] == []
    assert game.clear is not None
    if kind == "light-off":
        assert game.troubles == [TOO_DARK]
        assert game.read_meanwhile == 0
