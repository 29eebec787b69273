"""Positions, dice, legal plays, verdicts, cube, scoring and notation: pure, standard library only."""

from controller.rules.errors import AmbiguousPlayError, NotationError, RulesError, RuleSetError
from controller.rules.ids import MatchInfo, match_from_id, match_id, position_from_id, position_id
from controller.rules.notation import WrittenPlay, format_play, parse_play, read_play
from controller.rules.play import Dice, Move, Play
from controller.rules.plays import ALL_ROLLS, is_closed_out, is_dance, is_forced, legal_plays
from controller.rules.position import BAR, OFF, Position
from controller.rules.reason import Reason, reason
from controller.rules.ruleset import MATCH, MONEY, PRESETS, RuleSet
from controller.rules.side import Side
from controller.rules.verdict import Verdict, judge

__all__ = [
    "ALL_ROLLS",
    "BAR",
    "MATCH",
    "MONEY",
    "OFF",
    "PRESETS",
    "AmbiguousPlayError",
    "Dice",
    "MatchInfo",
    "Move",
    "NotationError",
    "Play",
    "Position",
    "Reason",
    "RuleSet",
    "RuleSetError",
    "RulesError",
    "Side",
    "Verdict",
    "WrittenPlay",
    "format_play",
    "is_closed_out",
    "is_dance",
    "is_forced",
    "judge",
    "legal_plays",
    "match_from_id",
    "match_id",
    "parse_play",
    "position_from_id",
    "position_id",
    "read_play",
    "reason",
]
