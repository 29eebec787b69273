"""The running referee: the owner of one match's session. Whatever is seen, said or pressed becomes events here, in one thread.

One frame's way: camera.py (vision) -> session (tracker and referee) -> match_journal.py -> display.py (lamps and page).
What people say, on the page or with buttons, goes the same way from the session on. A session proposes; what the journal
does not take has not happened, and play stands still until it takes events again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, field, replace

from controller.app.answers import refusing
from controller.app.camera import BoardCamera
from controller.app.display import Display
from controller.app.home_seeker import HomeSeeker
from controller.app.match_journal import MatchJournal, NotWrittenError, Writable
from controller.app.planned import is_on
from controller.app.practice import MATCH_WAITS, PRACTICE_FRAME, Practice, practice_plan
from controller.app.status import Status, StatusBoard
from controller.app.table import Table
from controller.app.waits import WaitsFile
from controller.panel.adapter import Button, Panel
from controller.panel.plan import PanelState
from controller.record.evidence_recorder import EvidenceRecorder
from controller.record.journal import Journal
from controller.referee.clock_commands import check_clock
from controller.referee.coaching import check_coach
from controller.referee.commands import (
    OF_THE_MOMENT,
    AnyCommand,
    Begin,
    CommandError,
    Confirm,
    Correct,
    HitClock,
    Insert,
    MarkTurn,
    NewMatch,
    OfferDouble,
    SetNames,
    SetPosition,
    SetRole,
    SetScore,
    SetTable,
    Take,
    Undo,
)
from controller.referee.events import AnyEvent, MatchStarted, SetUpChanged
from controller.referee.names import printable
from controller.referee.session import MatchPlan, Session
from controller.referee.state import MatchState, Phase
from controller.referee.ways_round import turned_round
from controller.rules import RuleSet, Side, agreed_length, ruleset_over, seated
from controller.tracking.home import find_home, home_of
from controller.tracking.parameters import ORIENTED
from controller.tracking.setting import Setting
from terms.board import Corner
from vision.frame import Frame
from vision.observation import Observation
from web.hub import ViewHub

LOOKS_TO_PLACE = 20
"""Looks at a match that is gone on with in which what stands there is asked which way the board lies; by agreement."""

CLOCK_STANDS = (
    "The clock stands where it stood at the last event, as nobody knows how long the program was away. "
    "Start it at the desk, or with the button of the side that has played."
)


def _ignore(sentence: str) -> None:
    """For a referee without a terminal."""


@dataclass(frozen=True)
class Outlets:
    """Where one board's referee shows what happens.

    tell: takes a sentence whenever something happens or the lamps change, for the terminal. evidence: keeps pictures of what
    the referee says. status: where other threads read how things stand.
    """

    hub: ViewHub
    panel: Panel
    tell: Callable[[str], None] = _ignore
    evidence: EvidenceRecorder | None = None
    status: StatusBoard = field(default_factory=StatusBoard)


class Referee:
    """Takes frames one by one, and what people say; writes events, then shows them. For one thread; others read its status."""

    def __init__(self, table: Table, journal: Journal, outlets: Outlets, *, key_frames: bool = False) -> None:
        """key_frames: the frames are single pictures far apart, not a film. Raises JournalError and EventError."""
        self._plan, self._outlets, self._key_frames = table.plan, outlets, key_frames
        self._usual = table.plan.rules
        self._journal = MatchJournal(journal, outlets.tell, outlets.evidence)
        self._display = Display(outlets.hub, outlets.panel, outlets.tell)
        self._practice: Practice | None = None
        self._planned: NewMatch | None = None
        self._finishing = False
        found = self._journal.resume()
        held = found.held
        self._camera = BoardCamera(table, outlets.tell, key_frames=key_frames)
        self._session = self._at_the_table(table.plan, held, found.replayed.state if held else None)
        self._waits = WaitsFile(table.waits, journal)
        waits = self._waits.read() if held else None
        if waits is not None:
            self._session.go_on_from(waits)
        self._seeker = HomeSeeker(self._session) if self._session.untouched else None
        self._to_place = LOOKS_TO_PLACE if held else 0
        self._seconds = self._session.state.seconds
        self._journal.append(self._session.state, self._session.opening)
        self._keep_waiting()
        self._display.cue(self._session.opening, self.state.turn)
        if held:
            outlets.tell(f"Going on with the match in {journal.path} after {len(held)} events.")
        for sentence in found.replayed.out_of_turn:
            outlets.tell(f"{sentence} It is kept as it was written.")
        if held and self._session.opening:
            outlets.tell(CLOCK_STANDS)
        self._show()

    @property
    def state(self) -> MatchState:
        """Of the game on the board: the match's, or a practice game's."""
        return self._session.state

    @property
    def status(self) -> Status:
        """How things stand, as the other threads read it."""
        return self._status

    @property
    def seconds(self) -> float:
        """The match's time: that of the newest frame, or of what has passed without one."""
        return self._seconds

    @property
    def practising(self) -> bool:
        """The match waits, and nothing is written down."""
        return self._practice is not None

    def take(self, frame: Frame) -> tuple[AnyEvent, ...]:
        """One frame; the events that it made certain, already in the journal."""
        if frame.name == PRACTICE_FRAME and not self.practising:
            return ()
        self._seconds, self._camera.frame = max(frame.seconds, self._seconds), frame
        self._publish()
        observation = self._look(frame)
        if observation is None:
            return ()
        if observation.still and self.state.phase is Phase.OPENING and not self.state.flags:
            self._turn_round(observation)
        elif observation.still and self._to_place and not self.practising:
            self._place_again(observation)
        elif observation.still:
            self._read_round(observation)
        if not self._writable() and not self.practising:
            self._show()
            return ()
        try:
            events = self._play(lambda draft: self._see(draft, observation)) + self._seek_home(observation)
        except NotWrittenError:
            return ()
        self._keep_waiting()
        self._camera.learn(self._session)
        self._camera.counted(self._session.without_spare_dice(observation))
        self._show()
        return events

    def idle(self, seconds: float) -> None:
        """So many seconds have passed without a frame: the clock runs on."""
        self._seconds += seconds
        if self._writable():
            with suppress(NotWrittenError):
                if self._finishing:
                    self._finish()
                self._play(lambda draft: draft.passed(self._seconds))
        self._show()

    def obey(self, command: AnyCommand, by: str = "", seen: int | None = None) -> tuple[AnyEvent, ...]:
        """Does what a person says; the events that follow, already in the journal. by: that person's name, where it is known;
        seen: the number of the view at which it is said: what goes by the moment is refused where more has happened since.

        Raises CommandError."""
        if seen is not None and seen < self._display.written_at and isinstance(command, OF_THE_MOMENT):
            raise CommandError(
                "Something has changed meanwhile, so nothing was done. Look, and say it again if it is still meant."
            )
        self._journal.by = by
        try:
            with refusing():
                events = self._obeyed(command, by)
        finally:
            self._journal.by = ""
        self._keep_waiting()
        self._show()
        return events

    def _obeyed(self, command: AnyCommand, by: str) -> tuple[AnyEvent, ...]:
        match command:
            # What names a game is said of the match as it is listed, not of the practice.
            case Confirm() | MarkTurn() | Correct() | Insert() if command.game is not None and self.practising:
                raise CommandError(MATCH_WAITS)
            case SetNames() | SetScore() | SetRole() if self.practising:  # of the match, and a practice's are forgotten
                raise CommandError(MATCH_WAITS)
            case NewMatch():
                return self._new_match(command)
            case SetTable():
                events = self._place(command)
                self.note_set_up("table", by)
            case _:
                events = self._play(lambda draft: draft.command(command, self._seconds))
                self._seeker = None  # what a person says of the game goes by the board as it is shown
        return events

    def note_set_up(self, what: str, by: str) -> None:
        """Who has changed the set-up, in the journal."""
        self._journal.note_set_up(SetUpChanged(what, by))

    def amend(self, identity: str, then: tuple[AnyEvent, ...], by: str) -> None:
        """A match that is not on any more was put right; the one that is goes on as it was. Raises NotWrittenError."""
        self._journal.amend(identity, then, by)

    def press(self, button: Button) -> None:
        """A button of the panel: what it means now, done; what can't be is told."""
        try:
            self.obey(_meaning(button, self.state))
        except CommandError as error:
            self._outlets.tell(f"{button.name.lower().replace('_', ' ')} pressed: {error}")

    def take_presses(self) -> None:
        """Does what was pressed since the last call; while the match waits, it is only kept."""
        for press in self._outlets.panel.presses():
            if self._practice is not None:
                self._practice = self._practice.with_press(press.button)
                self._publish()
            else:
                self.press(press.button)

    def plan(self, planned: NewMatch | None) -> None:
        """What a hub has to be played next at this board, by the rule set that it names and what the settings say, whatever was
        played here before. It begins by itself where nothing is being played, else a person at the desk is asked."""
        known, self._planned = self._planned, planned
        idle = self._session.untouched or self.state.phase is Phase.MATCH_OVER
        if planned is not None and idle and not self.practising and not is_on(planned, self.state, self._session.held):
            try:
                self.obey(planned)
                self._outlets.tell(f"From the hub: {planned.light} and {planned.dark} play, to {planned.length}.")
            except CommandError as error:
                if planned != known:
                    self._outlets.tell(f"From the hub: {planned.light} and {planned.dark} can't begin. {error}")
        if planned != known:
            self._show()

    def begin_practice(self) -> None:
        """Begins a practice game that is judged but not written down; the match waits for end_practice()."""
        self.unwatched()
        waiting = self._practice.waiting if self._practice else self._session
        session = self._at_the_table(practice_plan(self.state))
        self._practice, self._session = Practice(waiting), session
        self._show()

    def end_practice(self) -> None:
        """The match goes on as after a start of the program, from what is written down.

        Raises NotWrittenError; then the practice is still on."""
        if self._practice is None:
            return
        session = self._at_the_table(self._plan, self._practice.waiting.held)
        self._write(session, session.opening)
        self._session, self._practice = session, None
        self._camera.begin_anew()
        self._seconds = self.state.seconds
        if session.opening:
            self._outlets.tell(CLOCK_STANDS)
        self._show()

    def test_lamps(self, state: PanelState) -> None:
        """Shows for a moment a state of the panel that nothing on the board has caused."""
        self._display.test_lamps(state, self._seconds)
        self._show()

    def other_camera(self, source: str) -> None:
        """Pictures of another camera, that source, come from now on: where the board lay in the old one's says nothing. Where
        that one's are known, it lies as it lay there; what waits to be written of the game waits on."""
        before = self._camera.light_home
        self._camera.forget(source)
        self._session.forget_faces()
        self._session.moved()
        if self._camera.light_home != before:
            self._session.set_up_round(self._camera.light_home)
        self._show()

    def camera_failed(self, sentence: str) -> None:
        """The camera gives no pictures; the game so far stays."""
        self._camera.failed(sentence)
        self._show()

    def recording_ended(self, sentence: str) -> None:
        """What the best hypothesis holds is written down, and the sentence told."""
        self._finishing = True
        with suppress(NotWrittenError):  # idle() does it then
            self._finish()
        self._outlets.tell(sentence)
        self._show()

    def unwatched(self) -> None:
        """Nobody looks at the game that is on, as the program ends or the set-up begins: what waits to be written would be
        forgotten."""
        if not self.practising:
            with suppress(NotWrittenError):
                self._play(lambda draft: draft.broken_off(self._seconds, for_good=False))

    def _look(self, frame: Frame) -> Observation | None:
        before = self._camera.status
        observation = self._camera.look(frame)
        if self._camera.status != before:
            self._show()
        if self._outlets.evidence is not None and not self.practising:
            still = observation is None or observation.still
            self._outlets.evidence.add(frame, still=still, as_read=self._camera.as_read)
        return observation

    def _see(self, draft: Session, observation: Observation) -> tuple[AnyEvent, ...]:
        if self._key_frames:
            draft.looked_away()
        return draft.see(observation)

    def _play(self, act: Callable[[Session], tuple[AnyEvent, ...]]) -> tuple[AnyEvent, ...]:
        """Written down first, then done. Raises NotWrittenError; then nothing has happened."""
        draft = copy(self._session)
        events = act(draft)
        if self.practising:
            self._display.cue(events, draft.state.turn)
        else:
            self._write(draft, events)
        self._session = draft
        return events

    def _write(self, draft: Session, events: tuple[AnyEvent, ...]) -> None:
        """Writes down what a session has come to. Raises NotWrittenError; then it is shown that play stands still."""
        try:
            self._journal.write(draft.state, events)
        except NotWrittenError:
            self._show()
            raise
        self._display.cue(events, draft.state.turn)

    def _keep_waiting(self) -> None:
        """What was seen and waits to be written is kept for the next start. In practice the match waits as it was."""
        if not self.practising:
            self._waits.keep(self._session.kept)

    def _writable(self) -> bool:
        """Whether the next event can be written down. Where not, nothing counts until it can."""
        writable = self._journal.check(self._seconds)
        if writable is Writable.AGAIN:
            self._session.looked_away()
        return writable is not Writable.NO

    def _turn_round(self, observation: Observation) -> None:
        """Before the first roll the start position itself tells which way the board lies, whatever the settings say."""
        home, gap = find_home(observation, Setting(self.state.ruleset, self.state.start))
        if gap < ORIENTED:
            return
        self._seeker = None
        if self._lies(home, "The start position has"):
            self._session.turned(home)

    def _read_round(self, observation: Observation) -> None:
        """Players may set the next game up the other way round, or sit down on each other's side; board or camera may be carried
        round the table."""
        home = turned_round(self._session, observation)
        if home is not None:
            self._lies(home, "What stands there has")

    def _place_again(self, observation: Observation) -> None:
        """A match that is gone on with stands on the board as it was written down: that tells which way the board lies, which only
        the board itself may have told before."""
        self._to_place -= 1
        home = home_of(observation, self.state.position)
        if home is None:
            return
        self._to_place = 0
        if self._lies(home, "What stood there has"):
            self._session.turned(home)

    def _seek_home(self, observation: Observation) -> tuple[AnyEvent, ...]:
        """Where a game is on that nobody saw begin, its plays tell which way the board lies; what was seen since holds as
        it is then."""
        if self._seeker is None or self.practising:
            return ()
        way, begun = self._seeker.see(observation, alone=self._key_frames), self._seeker.begun
        if way is None:
            self._seeker = None if self._seeker.given_up else self._seeker
            return ()
        events: tuple[AnyEvent, ...] = ()
        if way.home != self._camera.light_home:
            events = self._play(lambda draft: draft.lies_as(way.session, begun, observation.seconds))
            self._lies(way.home, "The plays have")
        self._seeker = None
        return events

    def _lies(self, home: Corner, told_by: str) -> bool:
        """Whether the board lies otherwise than was thought: it is told, and the camera goes by it."""
        before = self._camera.light_home
        if home == before:
            return False
        self._outlets.tell(f"{told_by} light's home board at the {home}, not at the {before}: going by the board.")
        self._camera.turn(home)
        return True

    def _at_the_table(self, plan: MatchPlan, held: Sequence[AnyEvent] = (), state: MatchState | None = None) -> Session:
        """That match on this board, with what is known of its dice. held, state: as a Session has them."""
        return Session(plan, self._camera.light_home, held, state, faces=self._camera.faces)

    def _new_match(self, command: NewMatch) -> tuple[AnyEvent, ...]:
        """The match before stays in the journal, perhaps unfinished, with the turn that waited to be written."""
        rules, length = _agreed(command, self._before(command))
        as_before = next(event.clock for event in self._status.held if isinstance(event, MatchStarted))
        plan = MatchPlan(
            rules,
            length,
            (command.light, command.dark),
            clock=as_before if command.clock is None else command.clock,
            event=command.event,
            place=command.place,
            round=command.round,
            team=command.team,
        )
        session = self._at_the_table(plan)
        seconds = self._practice.waiting.state.seconds if self._practice else self._seconds
        moment = () if command.xgid is None else session.command(SetPosition(xgid=command.xgid), seconds)
        first = () if command.begins is None else session.command(Begin(side=command.begins), seconds)
        events = session.opening + moment + first
        # Not before all is agreed: else the match that waits would take the board of whoever sets it up.
        if self.practising:
            self.end_practice()
        else:
            self._play(lambda draft: draft.broken_off(self._seconds, for_good=True))
        self._write(session, events)
        self._session, self._plan = session, plan
        self._seeker = HomeSeeker(session) if session.untouched else None
        return events

    def _before(self, command: NewMatch) -> RuleSet:
        """The rules over which a new match is agreed, a hub's over those of the settings. What the device may say stays; in a hub's
        match it coaches only where the settings have it so."""
        written, is_planned = self._status.written, command == self._planned
        rules = self._usual if is_planned else written.ruleset
        if is_planned and written.role == "coach":
            return rules
        return replace(rules, device=replace(rules.device, role=written.role))

    def _place(self, command: SetTable) -> tuple[AnyEvent, ...]:
        self._camera.place(command)
        self._session.placed(command.home)
        self._seeker, self._to_place = None, 0
        self._publish()
        self._camera.keep_place(command)
        return ()

    def _finish(self) -> None:
        self.end_practice()
        self._play(lambda draft: draft.finish(self._seconds))
        self._finishing = False

    def _show(self) -> None:
        self._display.show(self._publish())

    def _publish(self) -> Status:
        """How things stand now, where the other threads read it."""
        session, camera, practice = self._session, self._camera, self._practice
        written = practice.waiting if practice else session
        status = Status(
            session.state,
            session.tracker.belief.best.board,
            self._seconds,
            camera.dice,
            camera.status,
            self._journal.status(self._seconds),
            practice.waiting.state if practice else None,
            practice.pressed if practice else (),
            camera.frame,
            camera.read,
            camera.corners,
            camera.light_home,
            camera.refused,
            camera.picture,
            self._journal.match,
            self._journal.matches,
            written.held,
            None if self._planned is None or is_on(self._planned, written.state, written.held) else self._planned,
        )
        self._status = status
        self._outlets.status.publish(status)
        return status


def _meaning(button: Button, state: MatchState) -> AnyCommand:
    match button:
        case Button.CLOCK_LIGHT:
            return HitClock(side=Side.LIGHT)
        case Button.CLOCK_DARK:
            return HitClock(side=Side.DARK)
        case Button.CUBE:
            return Take() if state.offered_to else OfferDouble()
        case Button.UNDO:
            return Undo()


def _agreed(command: NewMatch, now: RuleSet) -> tuple[RuleSet, int]:
    """The rules of a new match, and its length. Raises RulesError, CommandError."""
    players = (f"chouette.players={len(command.team) + 2}",) if command.team else ()
    rules = ruleset_over(now, None if command.rules == now.name else command.rules, (*players, *command.set))
    rules = seated(rules, tuple(map(printable, (command.light, command.dark, *command.team))))
    check_coach(rules.device.role, rules)
    length = agreed_length(rules, command.length)
    if command.clock:
        check_clock(length)
    return rules, length
