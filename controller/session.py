"""One match being refereed: observations in, events out. Owns tracker and state; writes nothing itself.

session = Session(plan, light_home, state)
for event in session.see(observation): ...      # journal each before anybody is shown it
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from controller.referee.decide import Said, decide
from controller.referee.events import AnyEvent, GameStarted, MatchStarted
from controller.referee.state import MatchState, Phase, fold
from controller.rules import MatchScore, Position, RuleSet, Side, position_id
from controller.tracking.hypothesis import Hypothesis, NewGame, Stage
from controller.tracking.orientation import Corner
from controller.tracking.tracker import Known, Tracker
from controller.tracking.transitions import Setting
from vision.observation import Observation


@dataclass(frozen=True)
class MatchPlan:
    """What is agreed before the first roll. length 0 is a money session; start: where the first game begins."""

    rules: RuleSet
    length: int = 7
    names: tuple[str, str] = ("Light", "Dark")
    start: Position | None = None

    @property
    def position(self) -> Position:
        """Where a game begins."""
        return self.start or Position.start(self.rules.variant.position)


class Session:
    """A match in progress. see() and finish() return the new events; state already contains them."""

    def __init__(self, plan: MatchPlan, light_home: Corner, state: MatchState | None = None) -> None:
        """state: a match to go on with; None begins a new one, and `opening` holds its first events."""
        self.rules = plan.rules
        self._plan = plan
        self._light_home = light_home
        self.opening: tuple[AnyEvent, ...] = ()
        if state is None:
            start = position_id(plan.position, Side.LIGHT)
            light, dark = plan.names
            begun = MatchStarted(length=plan.length, light=light, dark=dark, rules=plan.rules.name, position=start)
            self.opening = (begun, GameStarted(number=1))
            state = fold(self.opening, MatchState(rules=plan.rules.name))
        self.state = state
        self.tracker = Tracker.start(self._setting(state.score), light_home, account_of(state))

    def see(self, observation: Observation) -> tuple[AnyEvent, ...]:
        """Takes one observation in; the events that it makes certain, in order."""
        self.tracker = self.tracker.see(observation)
        if not observation.still:
            return ()
        known, self.tracker = self.tracker.commit()
        return self._decide(known, observation.seconds)

    def moved(self) -> None:
        """The next observation begins a new rest, although nothing was seen to move."""
        self.tracker = self.tracker.moved()

    def finish(self, seconds: float) -> tuple[AnyEvent, ...]:
        """Nothing more will be seen: what the best account holds is written down, sure or not."""
        known = self.tracker.finish()
        # Without what is seen now: dice that still lie there belong to the turn that has just been written.
        self.tracker = Tracker.start(self._setting(self.state.score), self._light_home, account_of(self.state))
        events = self._decide(known, seconds)
        self.tracker = Tracker.start(self._setting(self.state.score), self._light_home, account_of(self.state))
        return events

    def _decide(self, known: tuple[Known, ...], seconds: float) -> tuple[AnyEvent, ...]:
        said: Said = decide(self.state, known, self.tracker.belief, seconds, self.rules)
        self.state = said.state
        if any(isinstance(one.fact, NewGame) for one in known):
            self.tracker = replace(self.tracker, setting=self._setting(self.state.score))
        return said.events

    def _setting(self, score: MatchScore) -> Setting:
        cube = self.rules.cube.enabled and not score.crawford
        return Setting(self.rules, self._plan.position, cube)


def account_of(state: MatchState) -> Hypothesis:
    """The account that the tracker goes on from: what the events say, and nothing pending."""
    stage = {
        Phase.SET_UP: Stage.OPENING,
        Phase.OPENING: Stage.OPENING,
        Phase.TO_ROLL: Stage.TO_ROLL,
        Phase.TO_PLAY: Stage.ROLLED,
        Phase.OFFERED: Stage.OFFERED,
        Phase.GAME_OVER: Stage.OVER,
        Phase.MATCH_OVER: Stage.OVER,
    }[state.phase]
    return Hypothesis(
        stage,
        state.position,
        state.turn,
        tuple(sorted(state.dice, reverse=True)) if state.dice else None,  # type: ignore[arg-type]  # two dice stay two
        opening=stage is Stage.ROLLED and not state.turns,
        roll_seen=True,
        cube=state.cube,
        owner=state.owner,
    )
