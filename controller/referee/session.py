"""One match being refereed: observations and commands in, events out. Owns tracker and state; writes nothing itself.

session = Session(plan, light_home, events)     # events that hold of a match to go on with
draft = copy(session)                           # all that it holds is immutable, so a copy is a proposal
events = draft.see(observation)                 # journal them; then the draft takes the session's place, and anybody may see it
events = draft.command(command, seconds)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import msgspec

from controller.referee.as_written import dice_left, habits_of, is_begun, setting_of, tracker_of, written_of
from controller.referee.command_context import CommandContext, Events
from controller.referee.commands import AnyCommand, CommandError, HitClock, Redo, Undo
from controller.referee.decide import decide
from controller.referee.events import (
    AnyEvent,
    ClockSet,
    Drawn,
    Flagged,
    GameStarted,
    MatchStarted,
    Played,
    Presumed,
    Resolved,
    Rewritten,
    Rolled,
    Why,
)
from controller.referee.folding import apply, fold
from controller.referee.history import effective, is_taken_back, rewritten
from controller.referee.judging import flag
from controller.referee.kept import Kept, kept_of
from controller.referee.names import UNNAMED
from controller.referee.obey import obey
from controller.referee.seen_since import SeenSince, SetAside, with_aside
from controller.referee.spare_dice import SpareDice
from controller.referee.stages import ClearView, ClockHit, Following, LyingDice, SessionStage, TakenBack, only
from controller.referee.state import MatchState, Phase
from controller.referee.waits import as_events, ended_before, said_after, told_since, waiting_of
from controller.referee.watches import SAY
from controller.rules import Position, RuleSet, Side, position_id, ruleset_keys
from controller.rules.codes import Code
from controller.tracking.dice import ALL_READ, Faces
from controller.tracking.habits import at_the_table
from controller.tracking.hypothesis import Stage
from controller.tracking.parameters import HALF, SURE
from controller.tracking.tracker import SettledFact, Tracker
from terms.board import Corner
from vision.observation import Observation

BLOCKED = 30.0
"""Seconds without one still look at the board before people are told (R23). Players' hands are over it for 5 s in a play and
20 s while they set up."""


@dataclass(frozen=True)
class MatchPlan:
    """What is agreed before the first roll. length 0 is a money session; start: where the first game begins; clock: one is kept.

    event, place, round: what is being played, for the record. team: of a chouette, who comes after the box (light) and the captain.
    """

    rules: RuleSet
    length: int = 7
    names: tuple[str, str] = UNNAMED
    start: Position | None = None
    clock: bool = False
    event: str = ""
    place: str = ""
    round: str = ""
    team: tuple[str, ...] = ()

    @property
    def position(self) -> Position:
        """Where a game begins."""
        return self.start or Position.start(self.rules.variant.position)

    def begun(self) -> tuple[AnyEvent, ...]:
        """The first events of such a match."""
        light, dark = self.names
        match = MatchStarted(
            length=self.length,
            light=light,
            dark=dark,
            rules=self.rules.name,
            position=position_id(self.position, Side.LIGHT),
            keys=ruleset_keys(self.rules),
            clock=self.clock,
            event=self.event,
            place=self.place,
            round=self.round,
            team=self.team,
        )
        return match, GameStarted(number=1)


class Session:
    """A match in progress. see(), command(), passed() and finish() return the new events; state already contains them.

    A copy goes its own way from there: what it does is not done to this one.
    """

    def __init__(
        self,
        plan: MatchPlan,
        light_home: Corner,
        events: Sequence[AnyEvent] = (),
        state: MatchState | None = None,
        *,
        sure: float = SURE,
        faces: Faces = ALL_READ,
    ) -> None:
        """events: those that hold of a match to go on with; none begin a new one, and `opening` holds what comes first. state: what
        they lead to, from whoever knows it already. sure: how likely it must be, 0-1, before something is written of which what
        comes may tell more. faces: what this table's dice were read as before.

        A match goes on by its own rules, whatever the plan says. Raises EventError for rules that nobody knows any more.
        """
        self._stage: SessionStage = TakenBack() if is_taken_back(events) else Following()
        self._spare, self._view = SpareDice(), ClearView()
        self.held: tuple[AnyEvent, ...] = tuple(events)
        self.state: MatchState = fold(self.held) if state is None else state
        self._lying = dice_left(self.state)
        self.opening: tuple[AnyEvent, ...] = ()
        if not events:
            self.opening = plan.begun()
        elif self.state.clock is not None and self.state.clock.since is not None:
            # Nobody knows how long the program was away: the clock stands until a person starts it.
            self.opening = (ClockSet(running=None, seconds=self.state.seconds),)
        self._add(*self.opening)
        self.tracker = tracker_of(self.held, self.state, light_home, sure, habits_of(self.held, at_the_table(faces)))
        self._set_aside: SetAside = ()

    @property
    def waiting(self) -> bool:
        """Nothing that is seen counts now: the game is paused, or something was taken back and nothing has moved since."""
        return self.state.paused or isinstance(self._stage, TakenBack)

    @property
    def untouched(self) -> bool:
        """Nothing of the match was seen yet, and nobody has said anything of it."""
        return self.state.score.game == 1 and not is_begun(self.held, self.state)

    @property
    def faces(self) -> Faces:
        """What the table's dice were read as, as far as plays have told what was thrown."""
        return self.tracker.habits.faces

    @property
    def kept(self) -> Kept | None:
        """What is believed while something waits to be written: a start of the program goes on from it."""
        return kept_of(self.tracker, (*self._lying.dice, *self._spare.dice))

    def go_on_from(self, kept: Kept) -> None:
        """That was believed when the last event was written, or since. Nothing was seen yet."""
        self.tracker, self._lying = kept.believed_by(self.tracker), kept.lying

    def forget_faces(self) -> None:
        """The dice may be others from now on."""
        self.tracker = replace(self.tracker, habits=replace(self.tracker.habits, faces=ALL_READ))

    def see(self, observation: Observation) -> tuple[AnyEvent, ...]:
        """Takes one observation in; the events that it makes certain, in order."""
        blocked = self._blocked(observation)
        self._spare = self._spare.after(observation)
        observation = self._spare.cleared(observation)
        if observation.still:
            self._lying, observation = self._lying.without(observation)
        elif isinstance(self._stage, TakenBack):
            self._stage = Following()
        if self.waiting or not observation.still:
            self.tracker = self.tracker.moved()
            return blocked + self.passed(observation.seconds)
        if self.tracker.belief.evidence is None and self.state.to_play is not None:
            # Dice that lie beside those of the turn that is being played have come since that was written.
            self.tracker = self.tracker.see(only(self.state.to_play.dice, observation)).moved()
        self.tracker = self.tracker.see(observation)
        known, self.tracker = self.tracker.commit()
        events = self._decide(known, observation.seconds) + self._late_hit(observation.seconds)
        return blocked + events + self.passed(observation.seconds)

    def without_spare_dice(self, observation: Observation) -> Observation:
        """That observation without dice that nobody throws, as far as is known."""
        return self._spare.cleared(observation)

    def command(self, command: AnyCommand, seconds: float) -> tuple[AnyEvent, ...]:
        """Does what a person says; the events that follow. Raises CommandError with the sentence why it can't be done."""
        context, before = self._context(), SeenSince(written_of(self.state), self.tracker, self._lying)
        ended = () if self.waiting else ended_before(context, self.tracker, command, seconds)
        said = obey(said_after(context, ended, command), command, seconds)
        self._add(*ended, *said)
        changed = bool(ended) or written_of(self.state) != before.written
        self._stage = self._stage_after(command, before, changed=changed, unsettled=context.unsettled)
        now = self._seen_after(command, before, context.state, ended, said)
        if isinstance(command, Redo) and not now.lying.dice and now.tracker.belief.evidence is None:
            # They may lie there still, also where the program was started since the turn was taken back.
            now = replace(now, lying=dice_left(self.state))
        self.tracker, self._lying = now.tracker, now.lying
        if changed and before.tracker.belief.evidence and (aside := before.ended(context.state, ended)) is not None:
            self._set_aside = with_aside(self._set_aside, aside)
        return ended + said + self.passed(seconds)

    def _context(self) -> CommandContext:
        """What is written and what the camera sees, as a command is said of it."""
        belief = self.tracker.belief
        board = belief.best.board if belief.evidence and not belief.best.facts else None
        moves_or_doubt = self.tracker.rest is None or bool(belief.best.facts)
        unsettled = belief.evidence is not None and not self.waiting and moves_or_doubt
        return CommandContext(self.held, self.state, board, unsettled)

    def _stage_after(self, command: AnyCommand, before: SeenSince, *, changed: bool, unsettled: bool) -> SessionStage:
        """changed: the game goes on from elsewhere than before the command; unsettled: as in CommandContext."""
        match command:
            case HitClock(side=side) if unsettled:
                return ClockHit(side)
            case Undo() | Redo() if changed and is_taken_back(self.held):
                if before.tracker.belief.evidence or isinstance(self._stage, TakenBack):
                    return TakenBack()
        if changed or isinstance(command, Redo) or isinstance(self._stage, ClockHit):
            return Following()
        return self._stage

    def _seen_after(
        self, command: AnyCommand, before: SeenSince, old: MatchState, ended: Events, said: Events
    ) -> SeenSince:
        """What was seen since all that is written now, which may lead on as before, or as before it was taken back. old: what was
        written until now; ended, said: the events of what waited, and of the command."""
        written, tracker = written_of(self.state), before.tracker
        if not ended and written != before.written:
            told = told_since(tracker, old, self.state, command)
            if told is not None:
                return SeenSince(written, told, before.lying)
        evidence = tracker.belief.evidence
        lying = LyingDice(evidence.dice) if evidence and _ends_a_turn(said) else before.lying
        for seen in () if ended else (replace(before, lying=lying), *self._set_aside):
            known = seen.after(written) if seen.tracker.light_home == tracker.light_home else None
            if known is not None:
                return replace(known, tracker=replace(known.tracker, habits=tracker.habits))
        return SeenSince(written, self.as_written(), lying)

    def broken_off(self, seconds: float, *, for_good: bool) -> tuple[AnyEvent, ...]:
        """Nobody looks on any more: what waits to be written of this game is written, likely as it is. for_good: another match
        begins; else the play over which dice lie may be changed before somebody looks again, unless it has won the game."""
        moving = self.tracker.rest is None or not for_good
        known = () if self.waiting else waiting_of(self.tracker, moving=moving)
        events = self._add(*as_events(self.state, self.tracker, known, seconds))
        self._restart()
        return events

    def _late_hit(self, seconds: float) -> tuple[AnyEvent, ...]:
        """What a hit on the clock ends, if the hand was still over the board then: as soon as it is clear what stands there."""
        stage, belief = self._stage, self.tracker.belief
        if not isinstance(stage, ClockHit):
            return ()
        if stage.side is not self.state.turn:
            self._stage = Following()
            return ()
        if self.state.to_play is None or belief.best.facts or belief.share_like_best() < SAY:
            return ()
        self._stage = Following()
        try:
            return self.command(HitClock(side=stage.side), seconds)
        except CommandError:  # nothing was played yet
            return ()

    def passed(self, seconds: float) -> tuple[AnyEvent, ...]:
        """Time has passed: what that alone brings about."""
        clock = self.state.clock
        side = clock.out(seconds) if clock is not None else None
        if side is None or any(one.code == Code.TIME_OUT and one.side is side for one in self.state.flags):
            return ()
        return self._add(flag(self.state, Code.TIME_OUT, side, seconds, Why(Code.TIME_OUT, {"side": side.value})))

    def moved(self) -> None:
        """The next observation begins a new rest, although nothing was seen to move."""
        self.tracker, self._spare = self.tracker.moved(), self._spare.after_a_move()

    def looked_away(self) -> None:
        """What moved before the next observation was not seen: what was taken back may stand there no more."""
        self.moved()
        self._stage = Following() if isinstance(self._stage, TakenBack) else self._stage

    def turned(self, light_home: Corner) -> None:
        """The board lies the other way round than was thought."""
        self.tracker = replace(self.as_written(), light_home=light_home)

    def set_up_round(self, light_home: Corner) -> None:
        """The board lies the other way round from now on: until now it lay as was thought."""
        self.go_on_as(self.tracker.turned(light_home))

    def placed(self, light_home: Corner) -> None:
        """Somebody has shown where the board lies in the pictures from now on. Where the game was followed until now, it was seen
        rightly, and what waits to be written of it waits on."""
        if self.tracker.belief.share_found() > HALF:
            self.turned(light_home)
        elif light_home != self.tracker.light_home:
            self.set_up_round(light_home)
        self.moved()

    def go_on_as(self, tracker: Tracker) -> None:
        """What that tracker knows of this match holds from now on, and as it has it the board lies."""
        self.tracker = tracker

    def as_written(self) -> Tracker:
        """A tracker that knows what is written down, and nothing that was seen since but a cube that was left about."""
        known = self.tracker
        return tracker_of(self.held, self.state, known.light_home, known.sure, known.habits, known.belief.best)

    def lies_as(self, other: Session, begun: int, seconds: float) -> tuple[AnyEvent, ...]:
        """The board lies otherwise than was thought: what the other session of this match, which knew that, has seen of it holds
        instead of all that was seen until now. begun: how many events of it held when both began to look; nobody has said anything
        of the match since."""
        then = other.held[begun:]
        if len(self.held) == begun:
            events = self._add(*then)
        else:
            then = _numbered_after(fold(self.held[:begun]).given, self.state.given, then)
            events = self._add(rewritten(self.held, begun, self.state.given, seconds, then))
        self.tracker, self._spare = other.tracker, other._spare
        return events

    def finish(self, seconds: float, *, moving: bool | None = None) -> tuple[AnyEvent, ...]:
        """Nothing more will be seen: what the best hypothesis holds is written down, sure or not.

        moving: something moves over the board, which may change it; None: if nothing could be read in the last frame.
        """
        if self.state.paused:
            return ()
        known = self.tracker.finish(moving=self.tracker.rest is None if moving is None else moving)
        lost = self.tracker.belief.best.stage is Stage.LOST
        # Without what is seen now: dice that still lie there belong to the turn that has just been written.
        self._restart()
        events = self._decide(known, seconds)
        self._restart()
        already_flagged = any(one.code == Code.TRACK_LOST for one in self.state.standing)
        return events + (
            self._add(flag(self.state, Code.TRACK_LOST, None, seconds)) if lost and not already_flagged else ()
        )

    def _blocked(self, observation: Observation) -> tuple[AnyEvent, ...]:
        standing = [one for one in self.state.standing if one.code == Code.VIEW_BLOCKED]
        self._view = self._view.after(observation)
        if observation.still:
            return self._add(
                *(Resolved(number=f.number, how="put right", seconds=observation.seconds) for f in standing)
            )
        over = self.state.phase is Phase.MATCH_OVER
        if standing or over or self._view.blocked_for(observation.seconds) < BLOCKED:
            return ()
        return self._add(flag(self.state, Code.VIEW_BLOCKED, None, observation.seconds))

    def _decide(self, known: tuple[SettledFact, ...], seconds: float) -> tuple[AnyEvent, ...]:
        decision = decide(self.state, known, self.tracker.belief, seconds)
        self._add(*decision.events)
        if not all(isinstance(event, Flagged | Resolved | Rolled | Presumed) for event in decision.events):
            self._set_aside = ()  # the game has gone on: nothing that was said or taken back leads to where it led before
        if decision.overtaken:
            self._restart()
        elif any(isinstance(event, GameStarted) for event in decision.events):
            self.tracker = replace(self.tracker, setting=setting_of(self.state))
        return decision.events

    def _add(self, *events: AnyEvent) -> tuple[AnyEvent, ...]:
        for event in events:
            self._take(event)
        return events

    def _take(self, event: AnyEvent) -> None:
        if isinstance(event, Rewritten):
            self.held = tuple(effective([*self.held, event]))
            self.state = fold(self.held)
        else:
            self.held = (*self.held, event)
            self.state = apply(self.state, event)

    def _restart(self) -> None:
        self.tracker = self.as_written()


def _ends_a_turn(said: Events) -> bool:
    """Whether those events of a command end a turn, or the draw, so that dice which lie there are nobody's roll."""
    return any(isinstance(event, Played | Drawn) for event in said) and not isinstance(said[-1], Rolled)


def _numbered_after(before: int, given: int, events: Sequence[AnyEvent]) -> tuple[AnyEvent, ...]:
    """The same events: those of their flags that were raised after number `before` are numbered after `given`."""
    return tuple(
        msgspec.structs.replace(event, number=event.number + given - before)
        if isinstance(event, Flagged | Resolved) and event.number > before
        else event
        for event in events
    )
