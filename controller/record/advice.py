"""What GNU Backgammon would have played in one turn of a game, and what the play that was made cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from controller.record.analysis import TurnJudged, judge_turn
from controller.record.board import standing_cubes
from controller.record.from_events import action_of, seat, variation_of
from controller.record.gnubg import wanted_always
from controller.record.model import AnyAction, Game, Player, Record, Seat, SetAction, make_record
from controller.referee.events import Beavered, Doubled, Found, Played, Raccooned, Taken
from controller.referee.state import MatchState, TurnLine
from controller.rules import Cube, RuleSet, Side, automatic_double, position_from_id, position_id

TIME_LIMIT = 60.0
"""Seconds for one turn; it takes one or two."""


def is_known(rules: RuleSet) -> bool:
    """Whether GNU Backgammon plays by these rules."""
    return rules.standard_play and rules.scoring.method == "win-levels" and rules.cube.enabled


def turn_of(state: MatchState, number: int) -> Record | None:
    """A record of nothing but that line of the present game, from 1; None where it is no play, or was not legal.

    The score is that of the state: it must not be between two games.
    """
    played = state.turns[number - 1]
    if not isinstance(played, Played) or not played.legal:
        return None
    before = position_from_id(played.before, Side.LIGHT, state.start.checkers)
    cube, owner = _cube_at(state, number)
    game = Game(
        score=(state.score.light, state.score.dark),
        crawford=state.score.crawford,
        winner=None,
        points=None,
        actions=(action_of(played),),
        start=position_id(before, Side.LIGHT),
        cube=cube,
        owner=owner,
    )
    record = make_record((Player("Light", "light"), Player("Dark", "dark")), (game,), state.score.length)
    return msgspec.structs.replace(
        record, variation=variation_of(state), crawford_rule=state.ruleset.cube.crawford if state.score.length else None
    )


def _cube_at(state: MatchState, number: int) -> tuple[int, Seat | None]:
    """Value and owner of the cube before that line."""
    if _is_told(state) and _cube_after(state, state.turns) == (state.cube, _seat(state.owner)):
        return _cube_after(state, state.turns[: number - 1])
    return _cube_taken_back(state, number)


def _is_told(state: MatchState) -> bool:
    """Every double of the game was of the cube as it lay by what was done before, so that nobody has set it by hand."""
    offers = ((at, line.value) for at, line in enumerate(state.turns) if isinstance(line, Doubled))
    return all(value == 2 * _cube_after(state, state.turns[:at])[0] for at, value in offers)


def _cube_after(state: MatchState, lines: Sequence[TurnLine]) -> tuple[int, Seat | None]:
    """The cube after these lines of the game, if nobody has set it by hand."""
    cube = Cube()
    for light, dark in state.draws:
        cube = automatic_double(cube, state.ruleset, state.score) if light == dark else cube
    told: list[AnyAction] = []
    for line in lines:
        match line:
            case Doubled() | Beavered() | Raccooned() | Taken():
                told.append(action_of(line))
            case Found(cube=value, owner=owner):
                told.append(SetAction(0, cube=value, owner=_seat(owner)))
    *_, standing = standing_cubes(cube.value, None, told, state.ruleset.cube.raccoon_owner)
    return standing


def _cube_taken_back(state: MatchState, number: int) -> tuple[int, Seat | None]:
    """As it lies now, with what was done since taken back: of a cube that somebody has set nobody knows when that was."""
    value, owner = state.cube, state.owner
    for after in reversed(state.turns[number:]):
        match after:
            case Taken(side=side):
                value = max(value // 2, 1)
                owner = None if value == 1 else side.other
            case Beavered() | Raccooned():
                value = max(value // 2, 1)
            case Doubled(side=side):
                owner = None if value == 1 or owner is None else side
    return value, _seat(owner)


def _seat(owner: Side | None) -> Seat | None:
    return None if owner is None else seat(owner)


def advise(record: Record, plies: int = 0, wanted: Callable[[], bool] = wanted_always) -> TurnJudged | None:
    """GNU Backgammon's word on the one turn of a record; None where it has none, as on a forced play. Raises GnubgError."""
    return judge_turn(record, plies, TIME_LIMIT, wanted)
