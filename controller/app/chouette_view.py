"""A chouette as the page shows it: who plays alone, who leads the team, every cube, what each has won."""

from __future__ import annotations

from typing import Literal

from controller.referee.chouette_commands import may_double
from controller.referee.state import MatchState
from controller.referee.turns import Trigger, may
from controller.rules import Side, TurnState, may_act_on_stake, may_advise, parse_stake
from controller.rules.chouette import Chouette
from web.view import ChouetteView, TeamView


def chouette_view(state: MatchState) -> ChouetteView | None:
    """None where two play."""
    game = state.chouette
    if game is None:
        return None
    own = state.own_cubes
    cubes = [stake.cube for stake in game.stakes] if own else [state.cube_state]
    doubled = any(cube.owner is not None for cube in cubes)
    return ChouetteView(
        tuple(_player(state, game, name, own=own) for name in game.order),
        may_advise(state.ruleset, captain_doubled=doubled),
    )


def _player(state: MatchState, game: Chouette, name: str, *, own: bool) -> TeamView:
    points = dict(state.standings)[name]
    stake = parse_stake(state.ruleset.stake.point)
    part: Literal["box", "captain", "team"] = (
        "box" if name == game.box else "captain" if name == game.captain else "team"
    )
    view = TeamView(name, part, points, stake.of(points).text() if stake else "")
    if not own or name == game.box:
        return view
    cube, won = game.stake(name).cube, game.stake(name).points
    owner: Literal["box", "team"] | None = "box" if cube.owner is game.box_side else "team"
    owner = owner if cube.owner else None
    played_on = state.turn is not None and may(state.phase, Trigger.STAKED)
    turn = TurnState(may_double(state) or Side.LIGHT, state.dice is not None)
    acts = may_act_on_stake(game, name, turn, state.ruleset) if played_on else ()
    return TeamView(
        name, view.part, points, view.money, cube.value, owner, cube.offered_by is not None and won is None, acts, won
    )
