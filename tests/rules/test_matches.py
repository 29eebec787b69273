"""Real matches replayed by the rules alone: every position, cube, score and ID against GNU Backgammon's replay."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass, field, replace
from typing import Any

from controller.rules import (
    Cube,
    GameResult,
    MatchInfo,
    MatchScore,
    Move,
    Position,
    Side,
    TurnState,
    after_game,
    double,
    game_result,
    legal_plays,
    match_from_id,
    match_id,
    pass_points,
    passed_result,
    position_id,
    read_play,
    resigned_result,
    take,
    winner_of,
)
from controller.rules.notation import find_play
from tests.shared import shared

PLAYERS = (Side.LIGHT, Side.DARK)


@dataclass
class Board:
    """A game as far as it has been replayed."""

    position: Position
    info: MatchInfo
    cube: Cube = field(default_factory=Cube)
    result: GameResult | None = None

    def ids(self) -> str:
        return f"{position_id(self.position, PLAYERS[self.info.on_roll])}:{match_id(self.info)}"


def games() -> list[dict[str, Any]]:
    with gzip.open(shared("matches/oracle_dev.jsonl.gz"), "rt") as lines:
        return [json.loads(line) for line in lines]


def test_every_game_replays_to_the_same_ids_and_points() -> None:
    checked = 0
    for game in games():
        score = score_before(game)
        board = Board(Position.start(), opening_info(game, score))
        assert board.ids() == game["start"]
        actions = game["actions"]
        for index, action in enumerate(actions):
            following = actions[index + 1] if index + 1 < len(actions) else None
            assert board.ids() == action["pre"], (game["match"], game["game"], index)
            step(board, action, score)
            if following and following["a"] == "move" and board.info.state == "playing":
                board.info = replace(board.info, dice=tuple(following["dice"]))
            if "post_err" not in action:
                assert board.ids() == action["post"], (game["match"], game["game"], index)
            checked += 1
        assert board.result is not None
        assert (PLAYERS.index(board.result.winner), board.result.points) == (game["winner"], game["points"])
    assert checked == 18198


def test_scores_and_crawford_games_follow_from_the_games_before() -> None:
    wrong, followed = [], 0
    scores: dict[str, MatchScore] = {}
    for game in games():
        score = scores.get(game["match"]) if game["game"] > 1 else None
        if score:
            followed += 1
            found = (score.light, score.dark, score.crawford)
            if found != (*game["score"], game["crawford"]):
                wrong.append((game["match"], game["game"], found, game["score"], game["crawford"]))
        else:
            score = score_before(game)
        scores[game["match"]] = after_game(score, PLAYERS[game["winner"]], game["points"])
    assert wrong == []
    assert followed > 300


def test_written_plays_are_read_as_the_same_plays() -> None:
    for game in games()[::6]:
        position = Position.start()
        for action in game["actions"]:
            if action["a"] == "move":
                mover = PLAYERS[action["p"]]
                play = find_play(read_play(action["play"]), position, mover, tuple(action["dice"]))
                position = play.result
                assert position_id(position, mover.other) == action["post"].split(":")[0]


def score_before(game: dict[str, Any]) -> MatchScore:
    light, dark = game["score"]
    return MatchScore(game["length"], light, dark, game["game"], game["crawford"])


def opening_info(game: dict[str, Any], score: MatchScore) -> MatchInfo:
    first = game["actions"][0]["p"] if game["actions"] else 0
    return MatchInfo(
        length=score.length,
        score=(score.light, score.dark),
        on_roll=first,
        turn=first,
        crawford=score.crawford,
        jacoby=game["jacoby"],
        dice=match_from_id(game["start"].split(":")[1]).dice,
    )


def step(board: Board, action: dict[str, Any], score: MatchScore) -> None:
    """Replays one action by the rules; an action that they refuse raises."""
    player = action["p"]
    side = PLAYERS[player]
    kind = action["a"]
    if kind == "move":
        play_move(board, action, score)
    elif kind == "set":
        board.info = replace(board.info, dice=tuple(action["dice"]))
    elif kind == "double":
        board.cube = double(board.cube, side, TurnState(side), score)
        board.info = replace(board.info, doubled=True, turn=1 - player)
    elif kind == "take":
        board.cube = take(board.cube, side)
        owner = PLAYERS.index(board.cube.owner) if board.cube.owner else None
        board.info = replace(board.info, doubled=False, turn=1 - player, cube=board.cube.value, cube_owner=owner)
    elif kind == "drop":
        finish(board, passed_result(side, pass_points(board.cube, side)), score)
        board.info = replace(board.info, doubled=False, state="dropped")
    else:
        finish(board, resigned_result(board.position, side, action["points"], board.cube.value), score)
        board.info = replace(board.info, state="resigned", resigned=action["points"])


def play_move(board: Board, action: dict[str, Any], score: MatchScore) -> None:
    side = PLAYERS[action["p"]]
    plays = legal_plays(board.position, side, tuple(action["dice"]))
    assert action["nlegal"] == len(plays)
    assert action["ndice"] == len(plays[0].moves)
    wanted = moved(board.position, side, action["steps"])
    assert wanted in [play.result for play in plays]
    board.position = wanted
    board.info = replace(board.info, dice=(0, 0), on_roll=1 - action["p"], turn=1 - action["p"])
    if winner_of(wanted) is side:
        finish(board, game_result(wanted, side, board.cube.value, owned=board.cube.owner is not None), score)
        board.info = replace(board.info, state="over")


def moved(position: Position, side: Side, steps: list[list[int]]) -> Position:
    """The position after these steps, hits included."""
    own, other = [0, *position.own(side)], list(position.own(side.other))
    for move in (Move(source, target) for source, target in steps):
        own[move.source] -= 1
        own[move.target] += 1
        if move.target and other[24 - move.target]:
            other[24 - move.target] -= 1
            other[24] += 1
    mine, theirs = tuple(own[1:]), tuple(other)
    return Position(mine, theirs) if side is Side.LIGHT else Position(theirs, mine)


def finish(board: Board, result: GameResult, score: MatchScore) -> None:
    board.result = result
    after = after_game(score, result.winner, result.points)
    board.info = replace(board.info, score=(after.light, after.dark))
