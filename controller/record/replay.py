"""Replays what was written against the rules: finds the moves meant, the board after each play, and who won what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import msgspec

from controller.record.draft import Draft, DraftGame, DraftPlay, Hop, side_of
from controller.record.model import (
    AnyAction,
    BeaverAction,
    DoubleAction,
    Game,
    PassAction,
    PlayAction,
    Player,
    RaccoonAction,
    Record,
    ResignAction,
    RollAction,
    Seat,
    SetAction,
    Step,
    TakeAction,
    make_record,
)
from controller.rules import (
    BAR,
    BAR_INDEX,
    MATCH,
    PRESETS,
    Position,
    RuleSet,
    RuleSetError,
    Side,
    game_result,
    judge,
    legal_plays,
    position_from_id,
    position_id,
    resigned_result,
    ruleset_stored,
    winner_of,
)
from controller.rules import Play as LegalPlay

OFF = 0
_CUBE = (DoubleAction, BeaverAction, RaccoonAction, SetAction)

MANY = 30
"""More beavers than a cube has doublings."""


@dataclass(frozen=True)
class ResolvedPlay:
    """moves: one die each where the play is legal, else as written."""

    moves: tuple[Step, ...]
    after: Position
    legal: bool


def resolve(
    before: Position, mover: Side, dice: tuple[int, int], hops: tuple[Hop, ...], rules: RuleSet
) -> ResolvedPlay:
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
        return ResolvedPlay(_as_written(before, mover, dice, hops, best), best.result, legal=True)
    moves = tuple((h.source, h.target) for h in hops)
    after = apply_hops(before, mover, hops)
    if after is None:
        return ResolvedPlay(moves, before, legal=False)
    return ResolvedPlay(moves, after, legal=False)


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
            other[BAR_INDEX] += 1
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


def _as_written(
    before: Position, mover: Side, dice: tuple[int, int], hops: tuple[Hop, ...], play: LegalPlay
) -> tuple[Step, ...]:
    """The hops of the text, joined ones die by die, where that comes to this play; else the play's moves."""
    other = before.own(mover.other)
    orders = [(dice[0],) * 4] if dice[0] == dice[1] else [dice, dice[::-1]]
    for order in orders:
        steps = _taken_apart(hops, list(order))
        landings = {target for _, target in steps} - {OFF}
        held = any(other[24 - target] > 1 for target in landings)
        if steps and not held and {t for t in landings if other[24 - t] == 1} == _hits(play):
            return tuple(steps)
    return tuple((m.source, m.target) for m in play.moves)


def _taken_apart(hops: tuple[Hop, ...], left: list[int]) -> list[Step]:
    """A step for each die, in the order of the text; none where the dice don't add up to the hops."""
    parts: dict[int, list[Step]] = {}
    # Hops by a single die first: what they leave is for the joined ones.
    for index in sorted(range(len(hops)), key=lambda i: hops[i].source - hops[i].target not in left):
        hop = hops[index]
        steps = parts[index] = []
        place = hop.source
        while place > hop.target:
            exact = place - hop.target
            die = exact if exact in left else left[0] if left else 0
            target = max(place - die, OFF)
            if not die or target < hop.target:
                return []
            left.remove(die)
            steps.append((place, target))
            place = target
        if place != hop.target:
            return []
    return [step for index in range(len(hops)) for step in parts[index]]


@dataclass(frozen=True)
class Outcome:
    """winner, points: None while the game goes on. how: "off", "pass", "resign" or "" while it goes on."""

    winner: Seat | None = None
    points: int | None = None
    how: str = ""


def outcome(
    players: tuple[Player, Player],
    actions: Sequence[AnyAction],
    last: Position,
    cube: int,
    rules: RuleSet,
    owner: Seat | None = None,
) -> Outcome:
    """How a game ended, from its actions and the last board. cube, owner: the cube's value at its start, and whose it was."""
    value = cube_value(cube, actions)
    for action in actions:
        if isinstance(action, PassAction):
            return Outcome(other_seat(action.player), value // 2, "pass")
        if isinstance(action, ResignAction):
            points = action.points
            if points is None and action.level is not None:
                loser, owned = side_of(players, action.player), is_owned(actions, owner)
                points = resigned_result(last, loser, action.level, value, rules, owned=owned).points
            return Outcome(other_seat(action.player), points, "resign")
    winner = winner_of(last)
    if winner is None:
        return Outcome()
    seat: Seat = 0 if side_of(players, 0) is winner else 1
    return Outcome(seat, game_result(last, winner, value, rules, owned=is_owned(actions, owner)).points, "off")


def is_owned(actions: Sequence[AnyAction], owner: Seat | None = None) -> bool:
    """The cube is some player's at the end, for the Jacoby rule; an offer over which the game went on was taken. owner: at the
    game's start."""
    owned = owner is not None
    for action in actions:
        if isinstance(action, DoubleAction | BeaverAction | RaccoonAction):
            owned = True
        elif isinstance(action, SetAction) and action.cube is not None:
            owned = action.owner is not None
    return owned


def cube_value(start: int, actions: Sequence[AnyAction | DraftPlay]) -> int:
    """What the cube showed last, offered, taken or set."""
    values = (a.cube if isinstance(a, SetAction) else a.value for a in reversed(actions) if isinstance(a, _CUBE))
    return next((value for value in values if value is not None), start)


def _uncapped(points: int, needed: int, cube: int) -> int:
    """Some servers write no more points than the match needed; a resigned game is worth whole cubes."""
    return -(-points // cube) * cube if points == needed else points


def rules_of(length: int, about: Mapping[str, object], rules: RuleSet | None) -> RuleSet:
    """The rules of a record: these, or None for the rule set that it names, else the usual one; where it names none, with
    what it says of beavers, and in either case with what it says of the Jacoby and Crawford rules.

    In a money session of which nobody wrote down the rules, beavers and raccoons are no mistake, nor how many there are in a game.
    """
    own = bool(about.get("rules"))
    jacoby, crawford, beavers = (about.get(name) for name in ("jacoby", "crawford_rule", "beavers"))
    allowed = length == 0 if beavers is None else bool(beavers)
    untold = rules is None and not own and allowed
    rules = rules or _named_rules(str(about.get("rules") or MATCH.name), about.get("rule_keys"))
    most = rules.cube.beavers if own or beavers is None else max(rules.cube.beavers, 1) if beavers else 0
    cube = replace(
        rules.cube,
        jacoby=length == 0 and (rules.cube.jacoby if jacoby is None else bool(jacoby)),
        crawford=rules.cube.crawford if crawford is None else bool(crawford),
        beavers=max(most, MANY) if untold else most,
        raccoon=rules.cube.raccoon or untold,
    )
    return replace(rules, cube=cube)


def _named_rules(name: str, keys: object) -> RuleSet:
    """The rule set of a name, with its keys such as "cube.beavers" where the record has them; match where nothing bears
    that name or the keys are none."""
    try:
        return ruleset_stored(name, keys if isinstance(keys, dict) else {})
    except RuleSetError:
        return replace(PRESETS.get(name.split(" ")[0], MATCH), name=name)


def build(draft: Draft, file: str = "", rules: RuleSet | None = None) -> Record:
    """The Record of a draft: every play replayed, every game's outcome derived. rules: as in rules_of.

    Where a money session does not say whether the Jacoby rule holds, its results may.
    """
    about, given = dict(draft.about), rules
    rules = rules_of(draft.length, about, rules)
    start = Position.start(str(about.get("variation", "standard")))
    games = []
    problems = list(draft.problems)
    score = (0, 0)
    crawford_played = False
    for number, draft_game in enumerate(draft.games, start=1):
        before = draft_game.score or score
        due = rules.cube.crawford and not crawford_played and is_crawford_score(draft.length, before)
        crawford = due if draft_game.crawford is None else draft_game.crawford
        game = _build_game(draft, draft_game, before, start, rules, crawford=crawford)
        games.append(game)
        score = add_score(before, game)
        then = draft.games[number].score if number < len(draft.games) else None
        crawford_played = crawford_played or (crawford and not was_broken_off(game, then or score))
        where = f"line {draft_game.line}: " if draft_game.line is not None else ""
        if draft_game.winner not in (None, game.winner):
            problems.append(f"{where}game {number}: the record gives it to the player who lost it.")
        if draft_game.ends_match and max(score) < draft.length:
            problems.append(
                f"{where}game {number}: it did not end the match, as the record says; it is {score[0]}-{score[1]}."
            )
    if draft.length == 0 and "jacoby" not in about and any(map(_shows_jacoby, games)):
        return build(replace(draft, about={**about, "jacoby": True}), file, given)
    record = make_record(draft.players, tuple(games), draft.length, file, tuple(problems))
    return msgspec.structs.replace(record, **about)


def _shows_jacoby(game: Game) -> bool:
    """A gammon without a double that was written down as a single game."""
    turned = any(isinstance(action, DoubleAction | ResignAction) for action in game.actions)
    return not turned and game.announced_points == game.cube and (game.points or 0) > game.cube


def is_crawford_score(length: int, score: tuple[int, int]) -> bool:
    """One player is one point short of the match, which is longer than one point. Where both are, it was played when the first of
    them was."""
    return length > 1 and length - 1 in score and max(score) < length and score[0] != score[1]


def was_broken_off(game: Game, then: tuple[int, int] | None) -> bool:
    """Nobody has won it, and the next one begins at the same score: a Crawford game is still to be played. then: that score."""
    return game.winner is None and then == game.score


def add_score(score: tuple[int, int], game: Game) -> tuple[int, int]:
    """The score after a game; unchanged where nobody knows who won or what."""
    if game.winner is None or game.points is None:
        return score
    left, right = score
    return (left + game.points, right) if game.winner == 0 else (left, right + game.points)


def listed(record: Record) -> tuple[tuple[str, str], tuple[int, int]]:
    """Who stands on each side of a record in a list, and what each has after its last game. Of a chouette, where who plays changes
    from game to game: whoever was the box first, and all others together."""
    if record.chouette is not None:
        first, *others = record.everybody
        won = sum(game.team.shares.get(first, 0) for game in record.games if game.team)
        return (first, ", ".join(others)), (won, -won)
    left, right = (player.name for player in record.players)
    return (left, right), add_score(record.games[-1].score, record.games[-1]) if record.games else (0, 0)


def _build_game(
    draft: Draft, game: DraftGame, score: tuple[int, int], start: Position, rules: RuleSet, *, crawford: bool
) -> Game:
    actions, board = _played_out(draft.players, game, game.start or start, rules)
    end = outcome(draft.players, actions, board, game.cube, rules, game.owner)
    if end.winner is None and game.winner is not None:
        actions.append(ResignAction(other_seat(game.winner), game.points))
        end = outcome(draft.players, actions, board, game.cube, rules, game.owner)
    points = game.points if end.points is None else end.points
    if end.how == "resign" and end.winner is not None and points is not None:
        points = _uncapped(points, draft.length - score[end.winner], cube_value(game.cube, actions))
        actions = [msgspec.structs.replace(a, points=points) if isinstance(a, ResignAction) else a for a in actions]
    return Game(
        score=score,
        crawford=crawford,
        winner=end.winner,
        points=points,
        actions=tuple(actions),
        announced_points=game.points if game.points != points else None,
        start=position_id(game.start, side_of(draft.players, 0)) if game.start else "",
        cube=game.cube,
        owner=game.owner,
        draws=game.draws,
        on_roll=game.on_roll if game.start and not actions else None,
        line=game.line,
        comment=game.comment,
    )


def _played_out(
    players: tuple[Player, Player], game: DraftGame, board: Position, rules: RuleSet
) -> tuple[list[AnyAction], Position]:
    """Its actions, each play with what it did on the board, and the board after the last. board: the first."""
    actions: list[AnyAction] = []
    alone = _last_roll_alone(game)
    for index, action in enumerate(game.actions):
        if (
            actions
            and isinstance(actions[-1], BeaverAction | RaccoonAction)
            and isinstance(action, DraftPlay | RollAction)
        ):
            # Some programs leave out the take of a beaver.
            actions.append(TakeAction(other_seat(actions[-1].player), inferred=True))
        if not isinstance(action, DraftPlay):
            actions.append(action)
            if isinstance(action, SetAction) and action.position:
                board = position_from_id(action.position, side_of(players, action.player), board.checkers)
            continue
        play, board = _play(action, board, side_of(players, action.player), rules)
        if index == alone and not play.legal:
            actions.append(RollAction(action.player, action.dice, line=action.line, comment=action.comment))
        else:
            actions.append(play)
    return actions, board


def _last_roll_alone(game: DraftGame) -> int:
    """Index of a last roll with nothing written after it, by a player who did not win; else -1."""
    for index in range(len(game.actions) - 1, -1, -1):
        action = game.actions[index]
        if isinstance(action, ResignAction):
            continue
        empty = isinstance(action, DraftPlay) and not action.hops and action.placed is None
        return index if empty and game.winner != action.player else -1
    return -1


def _play(action: DraftPlay, before: Position, mover: Side, rules: RuleSet) -> tuple[PlayAction, Position]:
    if action.placed is not None:
        verdict = judge(before, mover, action.dice, action.placed, rules)
        moves = tuple((m.source, m.target) for m in verdict.play.moves) if verdict.play else ()
        resolved = ResolvedPlay(moves, action.placed, verdict.legal)
    else:
        resolved = resolve(before, mover, action.dice, action.hops, rules)
    play = PlayAction(
        player=action.player,
        dice=action.dice,
        moves=resolved.moves,
        before=position_id(before, mover),
        after=position_id(resolved.after, mover),
        legal=resolved.legal,
        line=action.line,
        comment=action.comment,
        mark=action.mark,
    )
    return play, resolved.after


def other_seat(seat: Seat) -> Seat:
    """The opponent."""
    return 1 if seat == 0 else 0
