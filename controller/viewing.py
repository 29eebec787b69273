"""From the state of a match to the view that the page draws. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from controller.referee.events import Doubled, Passed, Played, Skipped, Taken
from controller.referee.state import Flag, MatchState, Phase
from controller.rules import Position, Side
from controller.tracking.orientation import Corner
from web.view import CubeView, FlagView, PlayerView, PlayView, SideName, View

DOUBTFUL = 0.97
"""A play surer than this is shown without a question mark."""

FLAGS_SHOWN = 12


@dataclass(frozen=True)
class Present:
    """What is true only now and never written down: the board and dice as they lie, the camera, the lamps.

    board: checkers as they stand at this moment, perhaps in the middle of a play; dice: the faces seen.
    """

    board: Position
    dice: tuple[int, ...] = ()
    camera: str = "ok"
    panel: tuple[str, ...] = ()


def view_of(state: MatchState, present: Present, light_home: Corner, sequence: int) -> View:
    """Everything that a viewer sees."""
    board = present.board
    return View(
        sequence=sequence,
        light=_player(state, board, Side.LIGHT),
        dark=_player(state, board, Side.DARK),
        points=board.signed(),
        dice=present.dice,
        turn=_side(state.turn),
        cube=CubeView(
            state.cube,
            _side(state.owner),
            _side(state.turn.other) if state.phase is Phase.OFFERED and state.turn else None,
        ),
        match_length=state.score.length,
        crawford=state.score.crawford,
        game=state.score.game,
        phase=state.phase.value,
        status=status(state),
        plays=tuple(_line(number, turn) for number, turn in enumerate(state.turns, start=1)),
        flags=tuple(_flag(flag) for flag in state.flags[-FLAGS_SHOWN:]),
        light_home=light_home,
        camera=present.camera,
        panel=present.panel,
    )


def status(state: MatchState) -> str:
    """Where the match stands, in a sentence."""
    name = state.name(state.turn) if state.turn else ""
    match state.phase:
        case Phase.SET_UP:
            return "Waiting for the camera."
        case Phase.OPENING:
            return "Opening roll: each player throws one die."
        case Phase.TO_ROLL:
            return f"To roll: {name}"
        case Phase.TO_PLAY:
            dice = "-".join(str(die) for die in sorted(state.dice or (), reverse=True))
            return f"To play {dice}: {name}"
        case Phase.OFFERED:
            return f"Cube offered at {state.cube * 2}: take or pass?"
        case Phase.GAME_OVER:
            return "Game over. Set up the next one."
        case Phase.MATCH_OVER:
            winner = state.score.winner
            return f"Match over. Winner: {state.name(winner)}" if winner else "Match over."


def _side(side: Side | None) -> SideName | None:
    if side is None:
        return None
    return "light" if side is Side.LIGHT else "dark"


def _player(state: MatchState, board: Position, side: Side) -> PlayerView:
    return PlayerView(
        name=state.name(side),
        score=state.score.points(side),
        pips=board.pip_count(side),
        bar=board.own(side)[24],
        off=max(board.off(side), 0),
    )


def _flag(flag: Flag) -> FlagView:
    return FlagView(flag.number, flag.code, _side(flag.side), flag.text, flag.turn, flag.resolved)


def _line(number: int, turn: Played | Skipped | Doubled | Taken | Passed) -> PlayView:
    side: SideName = "light" if turn.side is Side.LIGHT else "dark"
    match turn:
        case Played(dice=dice, notation=notation, legal=legal, sure=sure):
            words = notation or ("no legal move" if legal else "illegal play")
            return PlayView(number, side, dice, words, legal, sure >= DOUBTFUL)
        case Skipped():
            return PlayView(number, side, None, "closed out")
        case Doubled(value=value):
            return PlayView(number, side, None, f"doubles to {value}")
        case Taken():
            return PlayView(number, side, None, "takes")
        case Passed():
            return PlayView(number, side, None, "passes")


def changed(before: View | None, now: View) -> bool:
    """Whether anything but the sequence differs, so that viewers need to hear of it."""
    return before is None or _without_sequence(before) != _without_sequence(now)


def _without_sequence(view: View) -> Sequence[object]:
    return [getattr(view, field) for field in view.__struct_fields__ if field != "sequence"]
