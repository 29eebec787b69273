"""Replays what was written against the rules: finds the moves meant, the board after each play, and who won what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from controller.record.draft import Draft, DraftGame, DraftPlay, Hop, side_of
from controller.record.model import (
    AnyAction,
    Beaver,
    Double,
    Game,
    Pass,
    Play,
    Player,
    Raccoon,
    Record,
    Resign,
    Roll,
    Seat,
    Step,
    Take,
    make_record,
)
from controller.rules import MATCH, Position, RuleSet, Side, legal_plays, position_id
from controller.rules import Play as LegalPlay

BAR = 25
OFF = 0
HOME = 6


@dataclass(frozen=True)
class Resolved:
    """moves: one die each where the play is legal, else as written. possible: False where the board forbids it."""

    moves: tuple[Step, ...]
    after: Position
    legal: bool
    possible: bool = True


def resolve(before: Position, mover: Side, dice: tuple[int, int], hops: tuple[Hop, ...], rules: RuleSet) -> Resolved:
    """The play that the written hops mean.

    A legal play whose checkers end where the hops end; where several do and differ in what they hit on the way, the one
    that hits what the text marks, and nothing else. Otherwise the hops as they stand, marked illegal.
    """
    ends = Counter(h.source for h in hops), Counter(h.target for h in hops)
    plays = legal_plays(before, mover, dice, rules)
    own_after = _moved(before.own(mover), ends)
    fitting = [p for p in plays if p.result.own(mover) == own_after] if own_after else []
    if fitting:
        expected = _expected_hits(before, mover, hops)
        best = min(fitting, key=lambda play: len(_hits(play) ^ expected))
        return Resolved(_as_written(hops, best, dice), best.result, legal=True)
    moves = tuple((h.source, h.target) for h in hops)
    after = apply_hops(before, mover, hops)
    if after is None:
        return Resolved(moves, before, legal=False, possible=False)
    return Resolved(moves, after, legal=False)


def apply_hops(before: Position, mover: Side, hops: tuple[Hop, ...]) -> Position | None:
    """The board after the hops, whatever the dice; None where a checker is missing or a point is held."""
    own = _moved(before.own(mover), (Counter(h.source for h in hops), Counter(h.target for h in hops)))
    if own is None:
        return None
    other = list(before.own(mover.other))
    for target in {h.target for h in hops} - {OFF}:
        theirs = 24 - target
        if other[theirs] > 1:
            return None
        if other[theirs] == 1:
            other[theirs] = 0
            other[BAR - 1] += 1
    return make_view(mover, own, tuple(other), before.checkers)


def make_view(mover: Side, own: tuple[int, ...], other: tuple[int, ...], checkers: int) -> Position:
    """A Position from the mover's counts and the opponent's, each from its own side."""
    light, dark = (own, other) if mover is Side.LIGHT else (other, own)
    return Position(light, dark, checkers)


def _moved(own: tuple[int, ...], ends: tuple[Counter[int], Counter[int]]) -> tuple[int, ...] | None:
    counts = list(own)
    for point, count in ends[1].items():
        if point != OFF:
            counts[point - 1] += count
    for point, count in ends[0].items():
        if not 1 <= point <= BAR:
            return None
        counts[point - 1] -= count
    return tuple(counts) if min(counts) >= 0 else None


def _hits(play: LegalPlay) -> set[int]:
    return {m.target for m in play.moves if m.hit}


def _expected_hits(before: Position, mover: Side, hops: tuple[Hop, ...]) -> set[int]:
    other = before.own(mover.other)
    return {h.target for h in hops if h.target != OFF and (h.hit or other[24 - h.target] == 1)}


def _as_written(hops: tuple[Hop, ...], play: LegalPlay, dice: tuple[int, int]) -> tuple[Step, ...]:
    """The moves of the text where each of them is one die's, else those of the rules."""
    left = [*dice, *dice] if dice[0] == dice[1] else list(dice)
    for hop in hops:
        fitting = [d for d in left if d == hop.source - hop.target or (hop.target == OFF and d > hop.source)]
        if not fitting:
            return tuple((m.source, m.target) for m in play.moves)
        left.remove(min(fitting))
    return tuple((h.source, h.target) for h in hops)


@dataclass(frozen=True)
class Outcome:
    """winner, points: None while the game goes on. how: "off", "pass", "resign" or "" while it goes on."""

    winner: Seat | None = None
    points: int | None = None
    how: str = ""


def outcome(
    players: tuple[Player, Player], actions: tuple[AnyAction, ...], last: Position, cube: int, jacoby: bool
) -> Outcome:
    """How a game ended, from its actions and the last board. cube: value of the centred cube at its start."""
    doubled = any(isinstance(a, Double) for a in actions)
    value = _cube_value(cube, actions)
    for action in actions:
        if isinstance(action, Pass):
            return Outcome(_other(action.player), value // 2, "pass")
        if isinstance(action, Resign):
            return Outcome(_other(action.player), action.points, "resign")
    for seat in (0, 1):
        side = side_of(players, seat)
        if last.off(side) == last.checkers:
            level = 1 if jacoby and not doubled else win_level(last, side)
            return Outcome(seat, level * value, "off")
    return Outcome()


def _cube_value(start: int, actions: Sequence[AnyAction]) -> int:
    return next((a.value for a in reversed(actions) if isinstance(a, Double | Beaver | Raccoon)), start)


def _uncapped(points: int, needed: int, cube: int) -> int:
    """Some servers write no more points than the match needed; a resigned game is worth whole cubes."""
    return -(-points // cube) * cube if points == needed else points


def win_level(position: Position, winner: Side) -> int:
    """1 single game, 2 gammon, 3 backgammon."""
    loser = winner.other
    if position.off(loser):
        return 1
    return 3 if any(position.own(loser)[24 - HOME :]) else 2


def build(draft: Draft, file: str = "", rules: RuleSet = MATCH) -> Record:
    """The Record of a draft: every play replayed, every game's outcome derived."""
    about = dict(draft.about)
    variation = str(about.get("variation", "standard"))
    jacoby = bool(about.get("jacoby")) and draft.length == 0
    games = []
    score = (0, 0)
    crawford_played = False
    for draft_game in draft.games:
        before = draft_game.score or score
        near = draft.length > 1 and draft.length - 1 in before
        crawford = (near and not crawford_played) if draft_game.crawford is None else draft_game.crawford
        crawford = crawford and about.get("crawford_rule") is not False
        crawford_played = crawford_played or crawford
        game = _build_game(draft, draft_game, before, crawford, Position.start(variation), jacoby, rules)
        games.append(game)
        score = add_score(before, game)
    record = make_record(draft.players, tuple(games), draft.length, file, draft.problems)
    return msgspec.structs.replace(record, **about)


def add_score(score: tuple[int, int], game: Game) -> tuple[int, int]:
    """The score after a game; unchanged where nobody knows who won or what."""
    if game.winner is None or game.points is None:
        return score
    left, right = score
    return (left + game.points, right) if game.winner == 0 else (left, right + game.points)


def _build_game(
    draft: Draft, game: DraftGame, score: tuple[int, int], crawford: bool, start: Position, jacoby: bool, rules: RuleSet
) -> Game:
    board = game.start or start
    actions: list[AnyAction] = []
    alone = _last_roll_alone(game)
    for index, action in enumerate(game.actions):
        if actions and isinstance(actions[-1], Beaver | Raccoon) and isinstance(action, DraftPlay | Roll):
            # Some programs leave out the take of a beaver.
            actions.append(Take(_other(actions[-1].player), inferred=True))
        if not isinstance(action, DraftPlay):
            actions.append(action)
            continue
        play, board = _play(action, board, side_of(draft.players, action.player), rules)
        if index == alone and not play.legal:
            actions.append(Roll(action.player, action.dice, line=action.line, comment=action.comment))
        else:
            actions.append(play)
    end = outcome(draft.players, tuple(actions), board, game.cube, jacoby)
    if end.winner is None and game.winner is not None:
        actions.append(Resign(_other(game.winner), game.points))
        end = outcome(draft.players, tuple(actions), board, game.cube, jacoby)
    points = game.points if end.points is None else end.points
    if end.how == "resign" and end.winner is not None and points is not None:
        points = _uncapped(points, draft.length - score[end.winner], _cube_value(game.cube, actions))
    return Game(
        score=score,
        crawford=crawford,
        winner=end.winner,
        points=points,
        actions=tuple(actions),
        announced_points=game.points if game.points != points else None,
        start=position_id(game.start, side_of(draft.players, 0)) if game.start else "",
        cube=game.cube,
        line=game.line,
        comment=game.comment,
    )


def _last_roll_alone(game: DraftGame) -> int:
    """Index of a last roll with nothing written after it, by a player who did not win; else -1."""
    for index in range(len(game.actions) - 1, -1, -1):
        action = game.actions[index]
        if isinstance(action, Resign):
            continue
        empty = isinstance(action, DraftPlay) and not action.hops and action.placed is None
        return index if empty and game.winner != action.player else -1
    return -1


def _play(action: DraftPlay, before: Position, mover: Side, rules: RuleSet) -> tuple[Play, Position]:
    if action.placed is not None:
        found = next((p for p in legal_plays(before, mover, action.dice, rules) if p.result == action.placed), None)
        moves = tuple((m.source, m.target) for m in found.moves) if found else ()
        resolved = Resolved(moves, action.placed, legal=found is not None)
    else:
        resolved = resolve(before, mover, action.dice, action.hops, rules)
    play = Play(
        player=action.player,
        dice=action.dice,
        moves=resolved.moves,
        before=position_id(before, mover),
        after=position_id(resolved.after, mover),
        legal=resolved.legal,
        line=action.line,
        comment=action.comment,
    )
    return play, resolved.after


def _other(seat: Seat) -> Seat:
    return 1 if seat == 0 else 0
