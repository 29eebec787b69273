"""One match being refereed: observations and commands in, events out. Owns tracker and state; writes nothing itself.

session = Session(plan, light_home, events)     # events that hold of a match to go on with
draft = copy(session)                           # all that it holds is immutable, so a copy is a proposal
events = draft.see(observation)                 # journal them; then the draft takes the session's place, and anybody may see it
events = draft.command(command, seconds)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import takewhile

import msgspec

from controller.referee.command_context import CommandContext
from controller.referee.commands import (
    AnyCommand,
    CommandError,
    Correct,
    HitClock,
    Insert,
    OfferDouble,
    OfferResign,
    PlayTurn,
    Redo,
    Resign,
    Roll,
    SetCube,
    SetScore,
    Undo,
)
from controller.referee.decide import decide
from controller.referee.events import (
    AnyEvent,
    ClockSet,
    Confirmed,
    Doubled,
    Drawn,
    Flagged,
    Found,
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
from controller.referee.history import effective, last_undone, rewritten
from controller.referee.judging import flag
from controller.referee.names import UNNAMED
from controller.referee.obey import obey
from controller.referee.spare_dice import SpareDice
from controller.referee.stages import ClearView, ClockHit, Following, LyingDice, SessionStage, TakenBack, only
from controller.referee.state import MatchState, Phase, TurnLine
from controller.referee.turn_commands import is_opening
from controller.referee.watches import SAY
from controller.rules import Position, RuleSet, Side, judge, position_from_id, position_id, ruleset_keys
from controller.rules.codes import Code
from controller.tracking.dice import ALL_READ, Faces
from controller.tracking.habits import Habits, at_the_table
from controller.tracking.hypothesis import (
    GameFound,
    Hypothesis,
    Lost,
    NewGame,
    Offered,
    Opening,
    Over,
    Redone,
    Stage,
    Throw,
    Thrown,
    ToRoll,
    Turn,
)
from controller.tracking.parameters import HALF, LIKELY_ENOUGH, SURE
from controller.tracking.setting import Setting
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
        self._light_home = light_home
        self._sure = sure
        self._stage: SessionStage = TakenBack() if _is_taken_back(events) else Following()
        self._spare, self._view = SpareDice(), ClearView()
        self.held: tuple[AnyEvent, ...] = tuple(events)
        self.state: MatchState = fold(self.held) if state is None else state
        self._lying = _may_lie(self.state)
        self.opening: tuple[AnyEvent, ...] = ()
        if not events:
            self.opening = plan.begun()
        elif self.state.clock is not None and self.state.clock.since is not None:
            # Nobody knows how long the program was away: the clock stands until a person starts it.
            self.opening = (ClockSet(running=None, seconds=self.state.seconds),)
        for event in self.opening:
            self._take(event)
        self.tracker = self._fresh(_habits_of(self.held, at_the_table(faces)))
        self._set_aside: tuple[tuple[_Written, Tracker, LyingDice], ...] = ()

    @property
    def waiting(self) -> bool:
        """Nothing that is seen counts now: the game is paused, or something was taken back and nothing has moved since."""
        return self.state.paused or isinstance(self._stage, TakenBack)

    @property
    def untouched(self) -> bool:
        """Nothing of the match was seen yet, and nobody has said anything of it."""
        return self.state.score.game == 1 and not self._is_begun()

    @property
    def faces(self) -> Faces:
        """What the table's dice were read as, as far as plays have told what was thrown."""
        return self.tracker.habits.faces

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
        if self.waiting:
            self.tracker = self.tracker.moved()
            return blocked + self.passed(observation.seconds)
        if not observation.still:
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
        before, lying, seen = self._written(), self._lying, self.tracker.belief
        tracker: Tracker | None = self.tracker
        board = seen.best.board if seen.evidence and not seen.best.facts else None
        context = CommandContext(self.held, self.state, board, unsettled=self._is_unsettled())
        ended = self._ended_before(command, seconds)
        if ended:
            before, tracker = self._seen_after(ended)
        events = obey(_after(context, ended, command), command, seconds)
        old = self.state
        self._add(*ended, *events)
        otherwise = bool(ended) or self._written() != before
        looked = bool(seen.evidence) or isinstance(self._stage, TakenBack)
        told = self._told_since(old, command) if otherwise and not ended else None
        if (
            seen.evidence
            and any(isinstance(event, Played | Drawn) for event in events)
            and not isinstance(events[-1], Rolled)
            and told is None  # else that turn had ended before
        ):
            self._lying = LyingDice(seen.evidence.dice)
        if otherwise:
            self.tracker = told or (self.as_written() if ended else self._known_since(before))
        if isinstance(command, Redo) and not self._lying.dice and self.tracker.belief.evidence is None:
            # They may lie there still, also where the program was started since the turn was taken back.
            self._lying = _may_lie(self.state)
        if otherwise and seen.evidence and tracker is not None:
            others = [one for one in self._set_aside if one[0] != before]
            self._set_aside = ((before, tracker.moved(), lying), *others)
        match command:
            case HitClock(side=side) if context.unsettled:
                self._stage = ClockHit(side)
            case Undo() | Redo() if otherwise and looked and _is_taken_back(self.held):
                self._stage = TakenBack()
            case _ if otherwise or isinstance(command, Redo) or isinstance(self._stage, ClockHit):
                self._stage = Following()
        return ended + events + self.passed(seconds)

    def _known_since(self, before: _Written) -> Tracker:
        """What was seen after all that is written now, where what somebody has said leads to where it led before, or before it was
        taken back; else a tracker that has seen nothing of it. before: what was written until now."""
        written = self._written()
        for then, tracker, lying in ((before, self.tracker, self._lying), *self._set_aside):
            if then[:2] == written[:2] and tracker.light_home == self._light_home:
                # What somebody has said of the last turn is not played otherwise any more.
                known = tracker if then == written else tracker.confirmed()
                if known is not None:
                    self._lying = lying
                    return replace(known, habits=self.tracker.habits)
        return self.as_written()

    def _seen_after(self, ended: tuple[AnyEvent, ...]) -> tuple[_Written, Tracker | None]:
        """What is written after those turns that waited, and what was seen of it; None where more has ended than turns."""
        state = self.state
        tracker: Tracker | None = self.tracker
        for event in ended:
            before, state = state.position, apply(state, event)
            if isinstance(event, Played) and tracker is not None:
                tracker = tracker.told(event.side, event.dice, before, state.position)
            elif not isinstance(event, Rolled | Flagged | Resolved):
                tracker = None
        return _written_of(state), tracker

    def _told_since(self, old: MatchState, command: AnyCommand) -> Tracker | None:
        """What was seen after all that is written now, where somebody has said what was thrown in the first of the turns that wait
        to be written, or how it was played; None where he has said anything else. old: what was written until then."""
        turns, to_play = self.state.turns, self.state.to_play
        if isinstance(command, Roll) and to_play is not None and turns == old.turns:
            return self.tracker.told(to_play.side, to_play.dice, old.position)
        line = turns[-1] if isinstance(command, PlayTurn | Insert) and turns and turns[:-1] == old.turns else None
        if not isinstance(line, Played) or to_play is not None:
            return None
        return self.tracker.told(line.side, line.dice, old.position, self.state.position)

    def _ended_before(self, command: AnyCommand, seconds: float) -> tuple[AnyEvent, ...]:
        """What waits to be written when somebody gives the game up, doubles, sets the score or the cube, or says what the other
        side has rolled, likely as it is: it came before what is said now; and when a correction of what came before it leads
        elsewhere: it is judged anew after that. As much of it as that can be said after; whoever gives up right after his own turn,
        of which dice were seen, has played it."""
        if not self._says_what_is_new(command, seconds):
            return ()
        known = self._known_of_the_game(moving=True)
        if isinstance(command, Roll) and _first_to_play(known) in (None, command.side):
            return ()  # it tells the dice of what waits
        for count in range(len(known), -1, -1):
            ended = self._as_written_now(known[:count], seconds)
            try:
                obey(_after(CommandContext(self.held, self.state), ended), command, seconds)
            except CommandError:
                continue
            if isinstance(command, Resign | OfferResign) and _is_played_by(command.side, known[count:]):
                return self._as_written_now(known[: count + 1], seconds)
            return ended
        return ()

    def _says_what_is_new(self, command: AnyCommand, seconds: float) -> bool:
        """Whether it is said of what comes after all that is written, or changes what that began from: whoever says what is written
        already means it without what waits. Raises CommandError."""
        state = self.state
        match command:
            case Resign() | OfferResign() | OfferDouble():
                return True
            case SetScore(light=light, dark=dark):
                return (light, dark) != (state.score.light, state.score.dark)
            case SetCube(value=value, owner=owner):
                return (value, owner) != (state.cube, state.owner)
            case Roll(side=side):
                return side not in (None, state.turn)
            case Correct():
                return self._leads_elsewhere(command, seconds)
            case Insert(turn=turn, game=game):  # after the last line it is what waits that is told
                told = game in (None, state.score.game) and turn > len(state.turns)
                return not told and self._leads_elsewhere(command, seconds)
        return False

    def _leads_elsewhere(self, command: AnyCommand, seconds: float) -> bool:
        """Whether the game goes on from elsewhere, or at another score, after what is said of lines that are written. Raises
        CommandError."""
        said = obey(CommandContext(self.held, self.state), command, seconds)
        return _written_of(fold(effective([*self.held, *said])))[:2] != self._written()[:2]

    def broken_off(self, seconds: float, *, for_good: bool) -> tuple[AnyEvent, ...]:
        """Nobody looks on any more: what waits to be written of this game is written, likely as it is. for_good: another match
        begins; else the play over which dice lie may be changed before somebody looks again, unless it has won the game."""
        moving = self.tracker.rest is None or not for_good
        events = self._add(*self._as_written_now(self._known_of_the_game(moving=moving), seconds))
        self._restart()
        return events

    def _known_of_the_game(self, *, moving: bool) -> tuple[SettledFact, ...]:
        """What of the game most of the belief holds, with no game after it, if no more of it will be seen. moving: as finish() has
        it."""
        if self.waiting:
            return ()
        known = self.tracker.finish(moving=moving)
        return tuple(takewhile(lambda one: not isinstance(one.fact, NewGame | GameFound | Redone), known))

    def _as_written_now(self, known: tuple[SettledFact, ...], seconds: float) -> tuple[AnyEvent, ...]:
        """Those facts as events; of what lies on the board now nothing is said."""
        return decide(self.state, known, replace(self.tracker.belief, evidence=None), seconds).events

    def _is_unsettled(self) -> bool:
        """The camera looks, but something moves, or what has happened is in doubt."""
        return (
            self.tracker.belief.evidence is not None
            and not self.waiting
            and (self.tracker.rest is None or bool(self.tracker.belief.best.facts))
        )

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
        self._light_home = light_home
        self._restart()

    def set_up_round(self, light_home: Corner) -> None:
        """The board lies the other way round from now on: until now it lay as was thought."""
        self.go_on_as(self.tracker.turned(light_home))

    def placed(self, light_home: Corner) -> None:
        """Somebody has shown where the board lies in the pictures from now on. Where the game was followed until now, it was seen
        rightly, and what waits to be written of it waits on."""
        if self.tracker.belief.share_found() > HALF:
            self.turned(light_home)
        elif light_home != self._light_home:
            self.set_up_round(light_home)
        self.moved()

    def go_on_as(self, tracker: Tracker) -> None:
        """What that tracker knows of this match holds from now on, and as it has it the board lies."""
        self._light_home, self.tracker = tracker.light_home, tracker

    def as_written(self) -> Tracker:
        """A tracker that knows what is written down, and nothing that was seen since but a cube that was left about."""
        return self._fresh(self.tracker.habits, self.tracker.belief.best)

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
        self._light_home, self.tracker, self._spare = other._light_home, other.tracker, other._spare
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
            self.tracker = replace(self.tracker, setting=self._setting())
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

    def _fresh(self, habits: Habits, seen: Hypothesis | None = None) -> Tracker:
        """A tracker that knows what the events say, and has seen nothing yet of what comes. seen: what was believed until now."""
        known = replace(hypothesis_of(self.state), last=_seen_last(self.held, self.state))
        if seen is not None and (known.cube, known.owner) == (seen.cube, seen.owner):
            known = replace(known, cube_about=known.cube_about or seen.cube_about)
        return Tracker.start(
            self._setting(), self._light_home, known if self._is_begun() else unknown(self.state), self._sure, habits
        )

    def _is_begun(self) -> bool:
        """Something of a game was seen, or a person has said where it begins: else it may be on already."""
        state = self.state
        if state.phase is not Phase.OPENING or state.draws or state.position != state.start:
            return True
        return any(isinstance(event, Rewritten) for event in self.held)

    def _written(self) -> _Written:
        return _written_of(self.state)

    def _setting(self) -> Setting:
        return _setting_of(self.state)


_Written = tuple[Hypothesis, Setting, Sequence[TurnLine]]
"""What the tracker begins from, of all that is written down, and the turn that may be played otherwise after all."""


def _written_of(state: MatchState) -> _Written:
    return hypothesis_of(state), _setting_of(state), state.turns[-1:]


def _setting_of(state: MatchState) -> Setting:
    return Setting(state.ruleset, state.start, state.cube_on_board, state.score, state.agreed)


def _after(context: CommandContext, events: tuple[AnyEvent, ...], command: AnyCommand | None = None) -> CommandContext:
    """The same after those events. command: what is said then, and allowed; whoever gives up may do so after a turn of his own."""
    state = reduce(apply, events, context.state)
    if events and isinstance(command, Resign | OfferResign):
        state = replace(state, turn=command.side)
    return replace(context, held=(*context.held, *events), state=state)


def _is_played_by(side: Side, known: Sequence[SettledFact]) -> bool:
    """Whether the first of those is surely a turn of that side, and dice of it were seen: else he may only have shown it."""
    first = next(iter(known), None)
    if first is None or not isinstance(first.fact, Turn) or first.sure < LIKELY_ENOUGH:
        return False
    return first.fact.side is side and first.fact.roll_seen


def _first_to_play(known: Sequence[SettledFact]) -> Side | None:
    """Whose turn is the first of those."""
    return next((one.fact.side for one in known if isinstance(one.fact, Turn)), None)


def _is_taken_back(held: Sequence[AnyEvent]) -> bool:
    """Something was taken back last, and nobody has thrown since: it may still stand on the board."""
    at = last_undone(held)
    return at is not None and not any(isinstance(one, Rolled) and one.seconds > held[at].seconds for one in held[at:])


def _habits_of(held: Sequence[AnyEvent], known: Habits) -> Habits:
    """What was seen in those events of how these players throw, and what was known before."""
    for event in held:
        if isinstance(event, Played) and event.lifted is not None and not event.redo:
            known = known.ended(event.side, event.lifted, event.half, seen=event.roll_seen)
    return known


def _may_lie(state: MatchState) -> LyingDice:
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


def _numbered_after(before: int, given: int, events: Sequence[AnyEvent]) -> tuple[AnyEvent, ...]:
    """The same events: those of their flags that were raised after number `before` are numbered after `given`."""
    return tuple(
        msgspec.structs.replace(event, number=event.number + given - before)
        if isinstance(event, Flagged | Resolved) and event.number > before
        else event
        for event in events
    )


def hypothesis_of(state: MatchState) -> Hypothesis:
    """What the tracker goes on from: what the events say, and nothing pending."""
    return Hypothesis(_turn_of(state), state.position, state.cube, state.owner, cube_about=_is_left_about(state))


def _seen_last(held: Sequence[AnyEvent], state: MatchState) -> Turn | None:
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


def _is_left_about(state: MatchState) -> bool:
    """The cube was left elsewhere before the game, as was said, nobody has put it right, and nobody has touched it since; or it may
    have been, as the first throw lies there, before which nobody doubles."""
    if state.to_play is not None and not state.turns and (state.cube, state.owner) == (1, None):
        return True
    said = state.flags[state.flags_before :]
    lies = any(one.code == Code.CUBE_NOT_CENTRED and one.resolved in (None, "stands") for one in said)
    return lies and state.owner is None and not any(isinstance(line, Doubled | Found) for line in state.turns)


def unknown(state: MatchState) -> Hypothesis:
    """What the tracker begins with where a game may be on already."""
    return Hypothesis(Lost(), state.start)


def _turn_of(state: MatchState) -> Opening | ToRoll | Thrown | Offered | Over:
    """Where the turn stands."""
    if state.phase is Phase.FOUND or (state.turn is not None and state.phase is Phase.TO_ROLL):
        return ToRoll(state.turn)
    if state.turn is not None and state.phase is Phase.OFFERED:
        return Offered(state.turn, state.offer)
    if state.to_play is not None:
        high, low = sorted(state.to_play.dice, reverse=True)
        opening = is_opening(state) and state.ruleset.start.opening_dice == "draw"
        return Thrown(Throw(state.to_play.side, (high, low), opening=opening))
    return Over() if state.between_games else Opening(state.draws[-1] if state.draws else None)
