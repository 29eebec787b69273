"""Positions, dice, legal plays, verdicts, cube, scoring and notation: pure, standard library only."""

from controller.rules.cube import (
    Cube,
    CubeError,
    Turn,
    automatic_double,
    beaver,
    double,
    is_dead,
    may_answer,
    may_beaver,
    may_double,
    may_pass,
    may_raccoon,
    pass_points,
    raccoon,
    take,
)
from controller.rules.errors import AmbiguousPlayError, NotationError, RulesError, RuleSetError
from controller.rules.ids import MatchInfo, match_from_id, match_id, position_from_id, position_id
from controller.rules.inspection import Phase, game_phase, has_contact, problems, start_problems
from controller.rules.match import MatchScore, after_abandoned_game, after_game
from controller.rules.notation import WrittenPlay, format_play, parse_play, read_play
from controller.rules.opening import Opening, decide_opening
from controller.rules.play import Dice, Move, Play
from controller.rules.plays import ALL_ROLLS, is_closed_out, is_dance, is_forced, legal_plays
from controller.rules.position import BAR, OFF, Position
from controller.rules.reasons import Reason, reason
from controller.rules.ruleset import MATCH, MONEY, PRESETS, RuleSet
from controller.rules.scoring import (
    LEVELS,
    GameResult,
    game_result,
    may_resign,
    passed_result,
    resigned_result,
    win_level,
    winner_of,
    zone_points,
)
from controller.rules.side import Side
from controller.rules.verdict import Verdict, judge

__all__ = [
    "ALL_ROLLS",
    "BAR",
    "LEVELS",
    "MATCH",
    "MONEY",
    "OFF",
    "PRESETS",
    "AmbiguousPlayError",
    "Cube",
    "CubeError",
    "Dice",
    "GameResult",
    "MatchInfo",
    "MatchScore",
    "Move",
    "NotationError",
    "Opening",
    "Phase",
    "Play",
    "Position",
    "Reason",
    "RuleSet",
    "RuleSetError",
    "RulesError",
    "Side",
    "Turn",
    "Verdict",
    "WrittenPlay",
    "after_abandoned_game",
    "after_game",
    "automatic_double",
    "beaver",
    "decide_opening",
    "double",
    "format_play",
    "game_phase",
    "game_result",
    "has_contact",
    "is_closed_out",
    "is_dance",
    "is_dead",
    "is_forced",
    "judge",
    "legal_plays",
    "match_from_id",
    "match_id",
    "may_answer",
    "may_beaver",
    "may_double",
    "may_pass",
    "may_raccoon",
    "may_resign",
    "parse_play",
    "pass_points",
    "passed_result",
    "position_from_id",
    "position_id",
    "problems",
    "raccoon",
    "read_play",
    "reason",
    "resigned_result",
    "start_problems",
    "take",
    "win_level",
    "winner_of",
    "zone_points",
]
