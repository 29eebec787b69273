"""Whole matches kept at the desk by any rules, out of a seed: draws, the cube, marks, resignations refused and accepted."""

from __future__ import annotations

import random
from contextlib import suppress

from controller.record.from_events import record_of
from controller.record.model import Record
from controller.referee.commands import CommandError
from controller.referee.turns import Phase
from controller.rules import RuleSet, legal_plays
from tests.referee.test_commands import Hand

MARKS = ("?", "??", "!", "!!", "?!", "!?")


def evening(rules: RuleSet, length: int, seed: int, games: int = 2) -> Record:
    """The record of a match, or of so many games of it. length: as in MatchPlan."""
    rng = random.Random(seed)
    hand = Hand(length, rules)
    for _ in range(games):
        if hand.state.phase is Phase.MATCH_OVER:
            break
        _game(hand, rng)
    return record_of(hand.said, "evening.json")


def _game(hand: Hand, rng: random.Random) -> None:
    _begin(hand, rng)
    while not hand.state.between_games:
        if hand.state.dice is None and (_cube(hand, rng) or _give_up(hand, rng)):
            return
        if hand.state.dice is None:
            hand.say("roll", dice=_dice(rng))
        turn = hand.state.to_play
        assert turn is not None
        play = rng.choice(legal_plays(turn.before, turn.side, turn.dice, hand.state.ruleset))
        hand.say("play", moves=[(move.source, move.target) for move in play.moves])
        if rng.random() < 0.1:
            hand.say("mark", turn=len(hand.state.turns), mark=rng.choice(MARKS))


def _dice(rng: random.Random) -> tuple[int, int]:
    return rng.randint(1, 6), rng.randint(1, 6)


def _begin(hand: Hand, rng: random.Random) -> None:
    """The draw, or whom the players agree on; after it somebody has thrown."""
    if hand.state.ruleset.start.first == "agreed":
        hand.say("roll", dice=_dice(rng), side=rng.choice(("light", "dark")))
        return
    while True:
        light, dark = _dice(rng)
        hand.say("draw", light=light, dark=dark)
        if light != dark:
            break
    if hand.state.dice is None:
        hand.say("roll", dice=_dice(rng))


def _cube(hand: Hand, rng: random.Random) -> bool:
    """Now and then a double, a beaver, a raccoon, as far as the rules allow; whether the game is over with it."""
    if rng.random() < 0.08:
        with suppress(CommandError):
            hand.say("double")
            if rng.random() < 0.5:
                hand.say("beaver")
                hand.say("raccoon")
        if hand.state.offered_to is not None:
            may = hand.state.offer != "beaver" or hand.state.ruleset.cube.doubler_may_refuse
            hand.say("pass" if may and rng.random() < 0.2 else "take")
    return hand.state.between_games


def _give_up(hand: Hand, rng: random.Random) -> bool:
    """Now and then a resignation, most of them refused; whether the game is over with it."""
    if rng.random() < 0.03 and hand.state.turn is not None:
        hand.say("resign-offer", side=hand.state.turn.value, level=rng.choice(hand.state.ruleset.resign.levels))
        hand.say("resign-refuse" if rng.random() < 0.6 else "resign-accept")
    return hand.state.between_games
