"""A board that is played on by the test and refereed by a session: every look is a rest of its own."""

from __future__ import annotations

from collections.abc import Sequence

from controller.referee.events import AnyEvent
from controller.referee.session import MatchPlan, Session
from controller.referee.state import MatchState
from controller.rules import MATCH, Position, RuleSet, Side, legal_plays
from tests.tracking.eyes import Eyes, thrown

Dice = Sequence[tuple[int, Side]]

OWNED_BY_LIGHT = (0.05, 0.9)
OWNED_BY_DARK = (0.05, 0.1)
OFFERED = (0.3, 0.5)
CENTRED = (0.5, 0.5)


class Board:
    """The board and its referee. said: all events so far; position: what stands; cube, cube_at: how the cube lies."""

    def __init__(
        self,
        start: Position | None = None,
        length: int = 7,
        events: Sequence[AnyEvent] = (),
        rules: RuleSet = MATCH,
        clock: bool = False,
        shown: Position | None = None,
        cube: int = 64,
        cube_at: tuple[float, float] = CENTRED,
        dice: Dice = (),
    ) -> None:
        """shown: what stands there when the camera is switched on, where it is not what the referee expects; dice: what lies there
        then."""
        self.eyes = Eyes()
        plan = MatchPlan(rules, length, ("Jana", "Petr"), start, clock=clock)
        self.session = Session(plan, "bottom-right", events)
        self.said: list[AnyEvent] = list(self.session.opening)
        self.position = shown or self.state.position
        self.cube, self.cube_at = cube, cube_at
        self.look(dice=dice)

    @property
    def state(self) -> MatchState:
        """The match so far."""
        return self.session.state

    def look(
        self,
        position: Position | None = None,
        dice: Dice = (),
        unflat: int = 0,
        frames: int = 2,
        on_column: int | None = None,
        pale: float = 0.5,
    ) -> None:
        """A rest with so many frames, a second apart. position: what stands from now on; unflat: dice that lean, on_column: on
        a checker of that column; pale: how surely the dice are of the pale pair."""
        self.position = position or self.position
        self.session.moved()
        for _ in range(frames):
            seen = self.eyes.look(
                self.position, dice, self.cube, self.cube_at, unflat=unflat, on_column=on_column, pale=pale
            )
            self.said += self.session.see(seen)

    def opening(self, light: int, dark: int, *moves: tuple[int, int]) -> None:
        """Each throws one die, and the higher plays both."""
        side = Side.LIGHT if light > dark else Side.DARK
        dice = [(light, Side.LIGHT), (dark, Side.DARK)]
        self._turn(side, (max(light, dark), min(light, dark)), dice, moves)

    def turn(self, side: Side, roll: tuple[int, int], *moves: tuple[int, int]) -> None:
        """A whole turn: throw, move, lift the dice."""
        self._turn(side, roll, thrown(side, *roll), moves)

    def _turn(self, side: Side, roll: tuple[int, int], dice: Dice, moves: tuple[tuple[int, int], ...]) -> None:
        after = after_moves(self.position, side, roll, *moves)
        self.look(dice=dice)
        self.look(after, dice)
        self.look()

    def offers(self, value: int) -> None:
        """The side on roll turns the cube and puts it on the board."""
        self.cube, self.cube_at = value, OFFERED
        self.look()

    def takes(self, side: Side) -> None:
        """The cube goes to that side's edge."""
        self.cube_at = OWNED_BY_LIGHT if side is Side.LIGHT else OWNED_BY_DARK
        self.look()

    def heard(self, *kinds: type[AnyEvent]) -> list[AnyEvent]:
        """The events of these kinds, in order."""
        return [event for event in self.said if isinstance(event, kinds)]


def after_moves(position: Position, side: Side, roll: tuple[int, int], *moves: tuple[int, int]) -> Position:
    """What stands after the legal play made of these moves."""
    for play in legal_plays(position, side, roll):
        if sorted((move.source, move.target) for move in play.moves) == sorted(moves):
            return play.result
    raise AssertionError(f"{moves} is no legal play of {roll}")
