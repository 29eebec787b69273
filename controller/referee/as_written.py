"""What is known before anything more is seen: what a tracker begins with, and which dice may lie there, of what is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from controller.referee.events import AnyEvent, Confirmed, Doubled, Found, GameStarted, Played, Rewritten
from controller.referee.stages import LyingDice
from controller.referee.state import MatchState, Phase, TurnLine
from controller.referee.turn_commands import is_opening
from controller.rules import Side, judge, position_from_id, position_id
from controller.rules.codes import Code
from controller.tracking.habits import Habits
from controller.tracking.hypothesis import Hypothesis, Lost, Offered, Opening, Over, Throw, Thrown, ToRoll, Turn
from controller.tracking.setting import Setting
from controller.tracking.tracker import Tracker
from terms.board import Corner


@dataclass(frozen=True)
class Written:
    """What the tracker begins from, of all that is written down. last: the turn that may be played otherwise after all."""

    game: Hypothesis
    setting: Setting
    last: Sequence[TurnLine]

    def leads_on_as(self, other: Written) -> bool:
        """Whether the game goes on from the same, whatever is said of the last turn."""
        return (self.game, self.setting) == (other.game, other.setting)


def written_of(state: MatchState) -> Written:
    """What is written down in that state."""
    return Written(_game_of(state), setting_of(state), state.turns[-1:])


def setting_of(state: MatchState) -> Setting:
    """What stays the same through the game that is on."""
    return Setting(state.ruleset, state.start, state.cube_on_board, state.score, state.agreed)


def tracker_of(
    held: Sequence[AnyEvent],
    state: MatchState,
    light_home: Corner,
    sure: float,
    habits: Habits,
    seen: Hypothesis | None = None,
) -> Tracker:
    """A tracker that knows what the events say, and has seen nothing yet of what comes. state: what the events lead to; sure,
    habits: as a Tracker has them; seen: what was believed until now, of which only a cube that was left about counts."""
    if not is_begun(held, state):
        return Tracker.start(setting_of(state), light_home, Hypothesis(Lost(), state.start), sure, habits)
    known = replace(_game_of(state), last=None if _thrown_anew(state) else _played_last(held, state))
    if seen is not None and (known.cube, known.owner) == (seen.cube, seen.owner):
        known = replace(known, cube_about=known.cube_about or seen.cube_about)
    return Tracker.start(setting_of(state), light_home, known, sure, habits)


def is_begun(held: Sequence[AnyEvent], state: MatchState) -> bool:
    """Something of a game was seen, or a person has said where it begins: else it may be on already."""
    if state.phase is not Phase.OPENING or state.draws or state.position != state.start:
        return True
    return any(isinstance(event, Rewritten) for event in held)


def habits_of(held: Sequence[AnyEvent], known: Habits) -> Habits:
    """What was seen in those events of how these players throw, and what was known before."""
    for event in held:
        if isinstance(event, Played) and event.lifted is not None and not event.redo:
            known = known.ended(event.side, event.lifted, event.half, seen=event.roll_seen)
    return known


def dice_left(state: MatchState) -> LyingDice:
    """The dice of the last turns of this game, which may lie there still unless they were seen to be taken up: some are only to be
    thrown again."""
    ended: list[tuple[int, int]] = []
    for line in reversed(state.turns):
        if isinstance(line, Found) or len(ended) == len(Side):
            break
        if isinstance(line, Played):
            if line.lifted == "seen":
                break
            ended.append(line.dice)
    if state.to_play is not None:
        return LyingDice(rolls=tuple(ended[:1]), in_play=state.to_play.dice)
    return LyingDice(rolls=tuple(ended)) if state.phase in (Phase.TO_ROLL, Phase.OFFERED) else LyingDice()


def _game_of(state: MatchState) -> Hypothesis:
    """What the tracker goes on from: what the events say, and nothing pending."""
    anew = _thrown_anew(state)
    before = position_from_id(anew.before, Side.LIGHT, state.start.checkers) if anew else state.position
    return Hypothesis(_turn_of(state), before, state.cube, state.owner, cube_about=_is_left_about(state))


def _thrown_anew(state: MatchState) -> Played | None:
    """The turn written down last, if it was put back and both its dice were thrown again: what is played now takes its place.
    Nobody has told it by hand, or set the position since."""
    line = state.turns[-1] if state.turns else None
    if not isinstance(line, Played) or line.lifted is None or line.after != position_id(state.position, Side.LIGHT):
        return None
    return line if state.to_play is not None and state.to_play.side is line.side else None


def _turn_of(state: MatchState) -> Opening | ToRoll | Thrown | Offered | Over:
    """Where the turn stands."""
    if state.phase is Phase.FOUND or (state.turn is not None and state.phase is Phase.TO_ROLL):
        return ToRoll(state.turn)
    if state.turn is not None and state.phase is Phase.OFFERED:
        return Offered(state.turn, state.offer)
    if state.to_play is not None:
        high, low = sorted(state.to_play.dice, reverse=True)
        opening = is_opening(state) and state.ruleset.start.opening_dice == "draw"
        redo = _thrown_anew(state) is not None
        return Thrown(Throw(state.to_play.side, (high, low), opening=opening, redo=redo))
    return Over() if state.between_games else Opening(state.draws[-1] if state.draws else None)


def _is_left_about(state: MatchState) -> bool:
    """The cube was left elsewhere before the game, as was said, nobody has put it right, and nobody has touched it since; or it may
    have been, as the first throw lies there, before which nobody doubles."""
    if state.to_play is not None and not state.turns and (state.cube, state.owner) == (1, None):
        return True
    said = state.flags[state.flags_before :]
    lies = any(one.code == Code.CUBE_NOT_CENTRED and one.resolved in (None, "stands") for one in said)
    return lies and state.owner is None and not any(isinstance(line, Doubled | Found) for line in state.turns)


def _played_last(held: Sequence[AnyEvent], state: MatchState) -> Turn | None:
    """The turn written down last, which may be played otherwise after all; None where people have said how it was, or something
    else has come since. held: the events that led to that state."""
    line = state.turns[-1] if state.turns else None
    if (
        not isinstance(line, Played)
        or line.lifted is None
        or state.between_games
        or _is_confirmed(held, len(state.turns))
    ):
        return None
    before, after = (position_from_id(one, Side.LIGHT, state.start.checkers) for one in (line.before, line.after))
    if after != state.position:
        return None
    play = judge(before, line.side, line.dice, after, state.ruleset).play
    cube = state.cube, state.owner
    return Turn(line.side, line.dice, before, after, play, line.roll_seen, lifted=line.lifted, cube=cube)


def _is_confirmed(held: Sequence[AnyEvent], number: int) -> bool:
    """Whether somebody has said that this line of the present game is right."""
    of_game = takewhile(lambda event: not isinstance(event, GameStarted), reversed(held))
    return any(isinstance(event, Confirmed) and event.turn == number for event in of_game)
