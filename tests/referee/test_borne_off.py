"""Checkers that are borne off onto the bar or the outer board, as where there is no tray, are off; others there are not."""

from __future__ import annotations

import pytest

from controller.referee.commands import SetPosition
from controller.referee.events import Flagged, GameEnded, Played
from controller.rules import Position, Side, legal_plays, position_id
from controller.rules.codes import Code
from tests.referee.table import Board, Dice
from tests.rules.boards import board as position_named
from tests.tracking.eyes import thrown

LIGHT, DARK = Side.LIGHT, Side.DARK
BEARING_OFF = position_named("6:3 5:3 4:3 3:2 2:2 1:2", "6:3 5:3 4:3 3:2 2:2 1:2")
ROLLS = ((6, 5), (6, 4), (3, 2), (5, 1), (6, 6), (5, 4), (4, 3), (6, 2), (5, 5), (4, 1), (6, 3), (2, 1))


class SetAside(Board):
    """Players lay what they bear off on their 12 and 11 points, up to five each and then the bar, or all of it on the bar."""

    to: str = "tray"

    def look(self, position: Position | None = None, dice: Dice = (), frames: int = 2, **_: object) -> None:  # type: ignore[override]
        stands = self.position = position or self.position
        self.session.moved()
        for _ in range(frames):
            self.said += self.session.see(self.eyes.look(self._shown(stands), dice, self.cube, self.cube_at))

    def _shown(self, stands: Position) -> Position:
        shown = []
        for side in Side:
            own, off = list(stands.own(side)), stands.off(side)
            if self.to == "outer board":
                own[11], own[10], own[24] = min(off, 5), min(max(off - 5, 0), 5), max(off - 10, 0)
            elif self.to == "bar":
                own[24] += off
            shown.append(tuple(own))
        return Position(shown[0], shown[1])

    def begins(self) -> None:
        self.session.command(SetPosition(position=position_id(BEARING_OFF, LIGHT), turn=LIGHT), 0.0)
        self.look(BEARING_OFF)

    def flagged(self) -> list[str]:
        return [event.code for event in self.said if isinstance(event, Flagged)]


@pytest.mark.parametrize("to", ["tray", "outer board", "bar"])
def test_a_game_is_followed_to_its_end_wherever_players_bear_off_to(to: str) -> None:
    board = SetAside()
    board.to = to
    board.begins()
    side, turns = LIGHT, []
    for roll in ROLLS * 3:
        if board.heard(GameEnded):
            break
        moves = legal_plays(board.position, side, roll)[0].moves
        board.turn(side, roll, *[(move.source, move.target) for move in moves])
        turns.append((side, roll))
        side = side.other
    assert [(event.side, event.dice) for event in board.said if isinstance(event, Played)] == turns
    assert [event.winner for event in board.said if isinstance(event, GameEnded)] == [turns[-1][0]]
    assert board.flagged() == []


def test_a_checker_that_is_left_outside_while_another_is_borne_off_is_told() -> None:
    board = SetAside()
    outside = position_named("12:1 6:3 5:3 4:2 3:2 2:2 1:2", "6:3 5:3 4:3 3:2 2:2 1:2")
    board.session.command(SetPosition(position=position_id(outside, LIGHT), turn=LIGHT), 0.0)
    board.look(outside)
    board.look(dice=thrown(LIGHT, 6, 5))
    wrong = position_named("12:1 6:2 5:2 4:2 3:2 2:2 1:2", "6:3 5:3 4:3 3:2 2:2 1:2")
    board.look(wrong, thrown(LIGHT, 6, 5))
    board.look()
    assert set(board.flagged()) & {Code.NOT_THE_ROLL, Code.BORE_OFF_EARLY} != set()
    assert board.heard(Played) == []
