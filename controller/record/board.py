"""What the writers ask of a recorded play: its board before and after, the moves that hit, whether words can say it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Literal

import msgspec

from controller.record.draft import DraftPlay, Hop, side_of
from controller.record.model import (
    AnyAction,
    BeaverAction,
    DoubleAction,
    Game,
    PlayAction,
    RaccoonAction,
    Record,
    RecordError,
    Seat,
    SetAction,
    Step,
    TakeAction,
)
from controller.record.replay import apply_hops, other_seat, rules_of
from controller.rules import BAR, BAR_INDEX, HOME, VARIANTS, Position, RulesError, Side, Xgid, position_from_id

USUAL_CHECKERS = 15


def checkers_of(variation: str) -> int:
    """How many checkers each side has."""
    return Position.start(variation).checkers if variation in VARIANTS else USUAL_CHECKERS


def board(record: Record, play: PlayAction | SetAction, text: str) -> Position:
    """The position of `play.before` or `play.after`. Raises RecordError where the text is no Position ID."""
    return _position(record, play.player, text)


def first_board(record: Record, game: Game) -> Position:
    """The board that a game begins from. Raises RecordError where its start is no Position ID."""
    if not game.start:
        return Position.start(record.variation)
    return _position(record, 0, game.start)


def _position(record: Record, seat: Seat, text: str) -> Position:
    try:
        return position_from_id(text, side_of(record.players, seat), checkers_of(record.variation))
    except RulesError as error:
        raise RecordError("The record holds a position that can't be read: {why}", why=error.sentence) from error


def has_shared_point(position: Position) -> bool:
    """A point holds checkers of both sides, as after some illegal plays."""
    return any(light and dark for light, dark in zip(position.light[:24], position.dark[23::-1], strict=True))


def moment(record: Record, game: Game, position: Position, seat: Seat, cube: tuple[int, Seat | None]) -> Xgid:
    """A moment before the roll with that seat on roll. cube: its value and owner."""
    value, owner = cube
    score = game.score if side_of(record.players, 0) is Side.LIGHT else game.score[::-1]
    return Xgid(
        position=position,
        on_roll=side_of(record.players, seat),
        cube=value,
        cube_owner=None if owner is None else side_of(record.players, owner),
        score=(score[0], score[1]),
        length=record.length,
        crawford=game.crawford,
        jacoby=bool(record.jacoby),
        beavers=bool(record.beavers),
    )


def follows_from_moves(record: Record, play: PlayAction) -> bool:
    """The moves lead from before to after; no moves where nothing changed. False for a board that no moves explain."""
    return play.before == play.after if not play.moves else telling_moves(record, play) is not None


def die_by_die(record: Record, play: PlayAction) -> bool:
    """The moves can be made one die at a time, as every program makes them: no checker has passed over a held point, or over a blot
    that it did not hit."""
    return _lead_there(record, play, playable_moves(record, play))


def telling_moves(record: Record, play: PlayAction) -> tuple[Step, ...] | None:
    """The moves that lead from before to after: die by die, or with those of one checker joined, as where it need not stop, nor
    hits, on its way. None where neither does."""
    ways = (playable_moves(record, play), _joined(play.moves))
    return next((moves for moves in ways if _lead_there(record, play, moves)), None)


def _lead_there(record: Record, play: PlayAction, moves: tuple[Step, ...]) -> bool:
    before, after = board(record, play, play.before), board(record, play, play.after)
    return apply_hops(before, side_of(record.players, play.player), tuple(Hop(s, t) for s, t in moves)) == after


def _joined(moves: tuple[Step, ...]) -> tuple[Step, ...]:
    """The moves with each that goes on from where the one before ended made one with it."""
    whole: list[Step] = []
    for source, target in moves:
        if whole and whole[-1][1] == source:
            whole[-1] = (whole[-1][0], target)
        else:
            whole.append((source, target))
    return tuple(whole)


def playable_moves(record: Record, play: PlayAction) -> tuple[Step, ...]:
    """The moves as they are where they can be made one by one, else from the rear: some programs write any order."""
    own = list(board(record, play, play.before).own(side_of(record.players, play.player)))
    for source, target in play.moves:
        bar_waits = own[BAR_INDEX] > 0 and source != BAR
        if not 1 <= source <= BAR or own[source - 1] == 0 or bar_waits or (target == 0 and any(own[HOME:])):
            return tuple(sorted(play.moves, reverse=True))
        own[source - 1] -= 1
        if target:
            own[target - 1] += 1
    return play.moves


def marked_moves(record: Record, play: PlayAction) -> list[tuple[int, int, bool]]:
    """Source, target and hit of each playable move; the first to reach a blot hits it."""
    other = board(record, play, play.before).own(side_of(record.players, play.player).other)
    blots = {25 - point for point, count in enumerate(other[:24], start=1) if count == 1}
    marked = []
    for source, target in telling_moves(record, play) or playable_moves(record, play):
        marked.append((source, target, target in blots))
        blots.discard(target)
    return marked


def cube_states(record: Record, game: Game) -> Iterator[tuple[int, Seat | None]]:
    """Value and owner of the cube as it stands before each action of a game."""
    rules = rules_of(record.length, msgspec.structs.asdict(record), None)
    standing = standing_cubes(game.cube, game.owner, game.actions, rules.cube.raccoon_owner)
    return islice(standing, len(game.actions))


def standing_cubes(
    value: int,
    owner: Seat | None,
    actions: Iterable[AnyAction | DraftPlay],
    raccoon_owner: Literal["beaverer", "doubler"] = "beaverer",
) -> Iterator[tuple[int, Seat | None]]:
    """The same, and as it stands after the last one, from the cube's value and owner at the start: an offer counts when it is
    taken."""
    offer: DoubleAction | BeaverAction | RaccoonAction | None = None
    for action in actions:
        yield value, owner
        if isinstance(action, DoubleAction | BeaverAction | RaccoonAction):
            offer = action
        elif isinstance(action, TakeAction) and offer is not None:
            # Who beavers owns the cube, and keeps it when the doubler takes.
            keeps = isinstance(offer, BeaverAction) or (isinstance(offer, RaccoonAction) and raccoon_owner == "doubler")
            value, owner, offer = offer.value, offer.player if keeps else other_seat(offer.player), None
        elif isinstance(action, SetAction) and action.cube is not None:
            value, owner, offer = action.cube, action.owner, None
    yield value, owner
