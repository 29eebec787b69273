"""The running referee: camera, vision, session, journal, lamps and page wired together. The only place that knows them all.

One frame's way: capture thread -> watcher (vision) -> session (tracker and referee) -> journal -> view -> lamps and page.
What people say, on the page or with buttons, goes the same way from the session on. A session proposes; what the journal
does not take has not happened, and play stands still until it takes events again.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, replace
from functools import reduce
from itertools import groupby
from pathlib import Path

from controller.app.appearance_feedback import teach
from controller.app.event_line import sentence_of
from controller.app.laid import AGAIN, LaidError, keep_laid
from controller.app.practice import REHEARSED
from controller.app.view import DOUBTFUL, Present, changed, view_of
from controller.panel.adapter import Button, ButtonPress, Panel
from controller.panel.cues import cue_of
from controller.panel.plan import Cue, PanelState, panel_state, words
from controller.record.evidence_recorder import Witness, turn_name
from controller.record.from_events import event_of
from controller.record.journal import Journal, JournalError, NewEvent
from controller.record.matches import Matches
from controller.referee.commands import (
    AnyCommand,
    CommandError,
    HitClock,
    NewMatch,
    OfferDouble,
    SetPosition,
    SetTable,
    Take,
    Undo,
)
from controller.referee.events import VERSION, AnyEvent, Flagged, MatchStarted, Played, encode, kind
from controller.referee.history import effective
from controller.referee.move_hints import lifted
from controller.referee.session import MatchPlan, Session
from controller.referee.state import MatchState, Phase, fold
from controller.rules import RuleSet, RuleSetError, Side, preset_named
from controller.tracking.orientation import Corner
from controller.tracking.parameters import ORIENTED
from controller.tracking.setting import Setting
from controller.tracking.tracker import find_home
from vision.frame import Corners, Frame
from vision.observation import Observation
from vision.pictures.files import CornersError, parse_corners
from vision.reading.reader import unread
from vision.watching.watcher import CornersUnfit, Watcher
from web.hub import ViewHub
from web.view import View

BOARD = "board-1"
"""Every event names its board, so that several can be gathered one day."""

CLOCK_STANDS = (
    "The clock stands where it stood at the last event, as nobody knows how long the program was away. "
    "Start it at the desk, or with the button of the side that has played."
)

SHOW_DICE = 0.6
"""A die less sure than this is not drawn on the page."""

FAILURES_TO_RENEW = 5
"""Frames in a row that could not be looked at, after which the watcher begins anew."""

LAMP_TEST_S = 3.0
"""Seconds for which lamps are lit that nothing on the board has caused: time to look from the page to the panel."""


NOT_DONE = "It was not written down, so it is not done."

TOLD_S = 30.0
"""Seconds of the match for which the page says what was put right with the journal."""


class NotWrittenError(CommandError):
    """The journal did not take the events, and nothing has happened; the sentence says why."""


@dataclass(frozen=True)
class Table:
    """How one board stands before its camera, and what is played on it. corners: None to find them in the picture.

    file: where it is kept that a person has shown where the board lies; None for nowhere. size: (width, height) px of the picture
    that the corners are for, None where nobody knows. refused: why corners that were given are none of a board.
    """

    plan: MatchPlan
    corners: Corners | None
    light_home: Corner
    file: Path | None = None
    size: tuple[int, int] | None = None
    refused: str = ""


@dataclass(frozen=True)
class Seen:
    """The newest still look at the board: the frame, what was read in it, and where the board lies in it."""

    frame: Frame
    observation: Observation
    corners: Corners


class Referee:
    """The owner of the state: takes frames one by one, writes events, shows views. For one thread."""

    def __init__(
        self,
        table: Table,
        journal: Journal,
        hub: ViewHub,
        panel: Panel,
        tell: Callable[[str], None] = lambda sentence: None,
        key_frames: bool = False,
        witness: Witness | None = None,
    ) -> None:
        """witness: keeps pictures of what the referee says.

        tell: takes a sentence whenever something happens or the lamps change, for the terminal.

        key_frames: the frames are single pictures far apart, not a film.
        """
        self._table, self._journal, self._hub, self._panel, self._tell = table, journal, hub, panel, tell
        self._watcher, self._key_frames = Watcher(table.corners, key_frames=key_frames, size=table.size), key_frames
        self._failed, self._unlearnt = 0, ""
        self._witness = witness
        self._newest: Frame | None = None
        self._seen: Seen | None = None
        self._waiting: Session | None = None
        self._pressed: tuple[ButtonPress, ...] = ()
        self._matches = Matches()
        for stored in journal.events():
            self._matches.add(stored)
        self._match, held = unfinished(journal, self._matches)
        self._session = Session(table.plan, table.light_home, held)
        self._view: View | None = None
        self._camera = "ok"
        self._blind = ""
        self._unwritable = ""
        self._put_right: tuple[str, float] | None = None
        self._finishing = False
        self._seconds = self._session.state.seconds
        self._dice: tuple[int, ...] = ()
        self._lamps: PanelState | None = None
        self._tested: tuple[PanelState, float] | None = None
        self._cue: Cue | None = None
        self._cues = 0
        self._write(self._session, self._session.opening)
        if held:
            tell(f"Going on with the match in {journal.path} after {len(held)} events.")
        if held and self._session.opening:
            tell(CLOCK_STANDS)
        if table.refused:
            self._blind = table.refused
            self.trouble(table.refused)
        self.show()

    @property
    def state(self) -> MatchState:
        """The match so far."""
        return self._session.state

    @property
    def seconds(self) -> float:
        """The match's time: that of the newest frame, or of what has passed without one."""
        return self._seconds

    @property
    def match(self) -> str:
        """The journal's name for it."""
        return self._match

    @property
    def matches(self) -> Matches:
        """What there is to say of every match in the journal; may be asked from any thread."""
        return self._matches

    @property
    def newest(self) -> Frame | None:
        """The newest frame; may be asked for from any thread."""
        return self._newest

    @property
    def seen(self) -> Seen | None:
        """What was read last; may be asked for from any thread."""
        return self._seen

    @property
    def place(self) -> tuple[Corners | None, Corner]:
        """The board's corners in the picture, None while they are being sought, and where light's home lies."""
        return self._watcher.corners, self._table.light_home

    @property
    def camera(self) -> str:
        """What is wrong with the camera, in a sentence; "ok" where nothing is."""
        return self._camera

    @property
    def camera_works(self) -> bool:
        """Whether nothing is wrong with the camera itself; the board in its picture may still not be found."""
        return self._camera in ("ok", self._blind)

    @property
    def laid(self) -> bool:
        """Whether no corners were refused since somebody showed the board, or it was found."""
        return not self._table.refused

    @property
    def match_state(self) -> MatchState:
        """The match as it is written down, also while a practice game is on."""
        return (self._waiting or self._session).state

    @property
    def rehearsing(self) -> bool:
        """The match waits, and nothing is written down."""
        return self._waiting is not None

    @property
    def pressed(self) -> tuple[ButtonPress, ...]:
        """The panel's buttons that were pressed since the match has been waiting; they did nothing."""
        return self._pressed

    def take(self, frame: Frame) -> tuple[AnyEvent, ...]:
        """One frame; the events that it made certain, already in the journal."""
        if frame.name == REHEARSED and not self.rehearsing:
            return ()
        self._seconds, self._newest = max(frame.seconds, self._seconds), frame
        observation = self._looked(frame)
        if self._witness is not None and not self.rehearsing:
            self._witness.add(frame, still=observation is None or observation.still)
        if observation is None:
            return ()
        corners, _ = self.place
        if observation.still and corners is not None:
            self._seen = Seen(frame, observation, corners)
        if observation.still and self.state.phase is Phase.OPENING and not self.state.flags:
            self._turn_round(observation)
        if not self._writable() and not self.rehearsing:
            self.show()
            return ()
        try:
            events = self._play(lambda draft: self._saw(draft, observation))
        except NotWrittenError:
            return ()
        self._teach()
        self._dice = _dice_shown(observation) if observation.still else self._dice
        self._camera = self._blind or "ok"
        self.show()
        return events

    def _looked(self, frame: Frame) -> Observation | None:
        """What the watcher says of the frame; whatever keeps it from seeing is told, and the next frame looked at."""
        try:
            observation, trouble = self._watcher.look(frame), self._watcher.trouble
            if self._failed:
                self._tell(f"The camera's pictures are looked at again; {self._failed} could not be.")
            self._failed = 0
        except CornersUnfit as error:
            self._table = replace(self._table, corners=None, size=None, refused=f"{error} {AGAIN}")
            self._watcher, trouble = Watcher(None, key_frames=self._key_frames), self._table.refused
            observation = unread(frame)
        except Exception as error:  # Of OpenCV, the networks' runtime, or for want of memory.
            observation, trouble = unread(frame), self._unreadable(error)
        if self._watcher.corners is None:
            trouble = self._table.refused or trouble
        elif self._table.refused:
            self._table = replace(self._table, refused="")
        if trouble != self._blind:
            self._blind = trouble
            if trouble:
                self.trouble(trouble)
        return observation

    def _unreadable(self, error: Exception) -> str:
        """The sentence for a frame that could not be looked at. After some in a row the watcher itself may be what is broken."""
        self._failed += 1
        if self._failed % FAILURES_TO_RENEW == 0:
            self._watcher = Watcher(self._watcher.corners, key_frames=self._key_frames, size=self._watcher.size)
        return f"The camera's picture could not be looked at ({why_of(error)}). The next one is tried; the game so far is kept."

    def _teach(self) -> None:
        """What the game says about the set's looks, to the watcher. To learn nothing harms nothing."""
        try:
            teach(self._watcher, self._session)
        except Exception as error:  # As above.
            sentence = f"Nothing was learnt from this picture ({why_of(error)})."
            if sentence != self._unlearnt:
                self._tell(sentence)
            self._unlearnt = sentence

    def _saw(self, draft: Session, observation: Observation) -> tuple[AnyEvent, ...]:
        if self._key_frames:
            draft.moved()
        return draft.see(observation)

    def _play(self, act: Callable[[Session], tuple[AnyEvent, ...]]) -> tuple[AnyEvent, ...]:
        """Written down first, then done. Raises NotWrittenError; then nothing has happened."""
        draft = copy(self._session)
        events = act(draft)
        if self.rehearsing:
            self._cue_of(events)
        else:
            self._adopt(draft, events)
        self._session = draft
        return events

    def _adopt(self, draft: Session, events: tuple[AnyEvent, ...]) -> None:
        """Writes down what a session has come to. Raises NotWrittenError."""
        try:
            self._write(draft, events)
        except JournalError as error:
            self._stop_play(str(error))
            raise NotWrittenError(f"{error} {NOT_DONE}") from error

    def _writable(self) -> bool:
        """Whether the next event can be written down. Where not, page and lamps say so, and nothing counts until it can."""
        try:
            put_right = self._journal.check()
        except JournalError as error:
            self._stop_play(str(error))
            return False
        if put_right:
            self._put_right = put_right, self._seconds + TOLD_S
            self._tell(put_right)
        if self._unwritable:
            self._unwritable = ""
            self._tell("The journal takes events again: play goes on.")
            # What moved meanwhile was not seen.
            self._session.moved()
        return True

    def _stop_play(self, sentence: str) -> None:
        if sentence != self._unwritable:
            self._unwritable = sentence
            self._tell(sentence)
            self.show()

    def _turn_round(self, observation: Observation) -> None:
        """Before the first roll the start position itself tells which way the board lies, whatever the settings say."""
        home, gap = find_home(observation, Setting(self.state.ruleset, self.state.start))
        if gap < ORIENTED or home == self._table.light_home:
            return
        was = self._table.light_home
        self._tell(f"The start position has light's home board at the {home}, not at the {was}: going by the board.")
        self._table = replace(self._table, light_home=home)
        self._session.turned(home)

    def obey(self, command: AnyCommand) -> tuple[AnyEvent, ...]:
        """Does what a person says; the events that follow, already in the journal. Raises CommandError."""
        match command:
            case NewMatch():
                events = self._new_match(command)
            case SetTable():
                events = self._lay(command)
            case _:
                events = self._play(lambda draft: draft.command(command, self._seconds))
        self.show()
        return events

    def rehearse(self) -> None:
        """Begins a practice game that is judged but not written down; the match waits for go_on()."""
        state = self.state
        rules = replace(state.ruleset, device=replace(state.ruleset.device, role="monitor"))
        plan = MatchPlan(rules, state.score.length, (state.name(Side.LIGHT), state.name(Side.DARK)))
        self._waiting, self._pressed = self._waiting or self._session, ()
        self._session = Session(plan, self._table.light_home)
        self.show()

    def go_on(self) -> None:
        """Ends the practice: the match goes on as after a start of the program, from what is written down.

        Raises NotWrittenError; then it is still on."""
        if self._waiting is None:
            return
        session = Session(self._table.plan, self._table.light_home, self._waiting.held)
        self._adopt(session, session.opening)
        self._session, self._waiting = session, None
        self._watcher = Watcher(self._watcher.corners, key_frames=self._key_frames, size=self._watcher.size)
        self._seconds, self._dice = self.state.seconds, ()
        if session.opening:
            self._tell(CLOCK_STANDS)
        self.show()

    def _new_match(self, command: NewMatch) -> tuple[AnyEvent, ...]:
        """The match before stays in the journal as it is, perhaps unfinished."""
        self.go_on()
        rules = self.state.ruleset if command.rules is None else _rules_named(command.rules, self.state.ruleset)
        plan = MatchPlan(
            rules,
            command.length,
            (command.light, command.dark),
            clock=self._table.plan.clock if command.clock is None else command.clock,
            event=command.event,
            place=command.place,
            round=command.round,
        )
        session = Session(plan, self._table.light_home)
        moment = () if command.xgid is None else session.command(SetPosition(xgid=command.xgid), self._seconds)
        events = session.opening + moment
        self._adopt(session, events)
        self._session, self._table = session, replace(self._table, plan=plan)
        return events

    def _lay(self, command: SetTable) -> tuple[AnyEvent, ...]:
        newest = self._newest
        size = (newest.image.shape[1], newest.image.shape[0]) if newest is not None else None
        try:
            corners = parse_corners(command.corners, size)
        except CornersError as error:
            raise CommandError(str(error)) from error
        self._table = replace(self._table, corners=corners, light_home=command.home, size=size, refused="")
        self._watcher = Watcher(corners, key_frames=self._key_frames, size=size)
        self._session.turned(command.home)
        if self._table.file is not None:
            try:
                keep_laid(self._table.file, command.corners, command.home, size)
            except LaidError as error:
                raise CommandError(str(error)) from error
        return ()

    def press(self, button: Button) -> None:
        """A button of the panel: what it means now, done; what can't be is told."""
        try:
            self.obey(_meant(button, self.state))
        except CommandError as error:
            self._tell(f"{button.name.lower().replace('_', ' ')} pressed: {error}")

    def buttons(self) -> None:
        """Does what was pressed since the last call; while the match waits, it is only kept."""
        for press in self._panel.presses():
            if self.rehearsing:
                self._pressed += (press,)
            else:
                self.press(press.button)

    def idle(self, seconds: float) -> None:
        """So many seconds have passed without a frame: the clock runs on."""
        self._seconds += seconds
        if self._writable():
            with suppress(NotWrittenError):
                if self._finishing:
                    self._finish()
                self._play(lambda draft: draft.passed(self._seconds))
        self.show()

    def show_lamps(self, state: PanelState) -> None:
        """Shows for LAMP_TEST_S a state of the panel that nothing on the board has caused."""
        self._cues += 1  # Its animation plays even after another test, and the game's last one not again after it.
        self._tested = replace(state, cue_number=self._cues), self._seconds + LAMP_TEST_S
        self.show()

    def trouble(self, sentence: str) -> None:
        """The camera gives no pictures; the game so far stays."""
        self._camera = sentence
        self._tell(sentence)
        self.show()

    def ended(self, sentence: str) -> None:
        """A recording has ended: what the best account holds is written down, and the sentence told."""
        self._finishing = True
        with suppress(NotWrittenError):  # idle() does it then
            self._finish()
        self._tell(sentence)
        self.show()

    def _finish(self) -> None:
        self.go_on()
        self._play(lambda draft: draft.finish(self._seconds))
        self._finishing = False

    def show(self) -> None:
        """Lamps first, then the page, if anything has changed."""
        state = self.state
        board = self._session.tracker.belief.best.board
        lamps = self._lamps_of(state)
        if lamps != self._lamps:
            self._panel.show(lamps)
            if self._lamps is None or words(lamps) != words(self._lamps):
                self._tell("Lamps: " + (", ".join(words(lamps)) or "all dark"))
            self._lamps = lamps
        hand = lifted(state, board) if state.role == "coach" else None
        hints = tuple(_lights_number(state.turn, point) for point in hand.destinations) if hand and state.turn else ()
        present = Present(
            board,
            self._dice,
            self._camera,
            words(lamps),
            self._seconds,
            hints,
            self._match,
            self.rehearsing,
            self._about_journal(),
            bool(self._unwritable),
        )
        sequence = self._view.sequence + 1 if self._view else 1
        view = view_of(state, present, self._table.light_home, sequence)
        if changed(self._view, view):
            self._view = view
            self._hub.publish(view)

    def _about_journal(self) -> str:
        if self._put_right is not None and self._seconds >= self._put_right[1]:
            self._put_right = None
        return self._unwritable or (self._put_right[0] if self._put_right else "")

    def _lamps_of(self, state: MatchState) -> PanelState:
        if self._tested is not None and self._seconds < self._tested[1]:
            return self._tested[0]
        self._tested = None
        hand = lifted(state, self._session.tracker.belief.best.board) if state.role == "coach" else None
        lamps = panel_state(
            state.turn,
            bool(state.disputed),
            state.cube,
            state.owner,
            state.turn.other if state.phase is Phase.OFFERED and state.turn else None,
            host_ok=self._camera == "ok",
            role=state.role,
            lifted=hand.point if hand else None,
            destinations=hand.destinations if hand else (),
            cue=self._cue,
            cue_number=self._cues,
        )
        # Not a word about the game: a silent recorder shows it too.
        return replace(lamps, error=True) if self._unwritable else lamps

    def _write(self, session: Session, events: tuple[AnyEvent, ...]) -> None:
        """The events of one act into the journal, all or none; then they are told. session: the state that they lead to."""
        match, game = self._match, session.state.score.game
        news = []
        for event in events:
            match = secrets.token_hex(8) if isinstance(event, MatchStarted) else match
            news.append(NewEvent(kind(event), VERSION, encode(event), BOARD, match, game))
        for stored in self._journal.append_all(news):
            self._matches.add(stored)
        self._match = match
        self._cue_of(events)
        for event in events:
            self._tell(sentence_of(event))
            if self._witness is not None:
                bear_witness(self._witness, match, event, session.state.since)

    def _cue_of(self, events: tuple[AnyEvent, ...]) -> None:
        cue = cue_of(events)
        if cue is not None:
            self._cue, self._cues = cue, self._cues + 1


def bear_witness(witness: Witness, match: str, event: AnyEvent, since: float | None) -> None:
    """Keeps pictures of a flag, and of a turn that a person should look at. since: when the present turn began."""
    match event:
        case Flagged():
            witness.keep(match, event.number, since, event.seconds)
        case Played(said=False, sure=sure, took=took, seconds=seconds) if sure < DOUBTFUL:
            witness.keep(match, turn_name(seconds), None if took is None else seconds - took, seconds)


def why_of(error: Exception) -> str:
    """An error of vision in a few words."""
    words = " ".join(str(getattr(error, "err", None) or error).split())[:200]
    return words.rstrip(".") or ("out of memory" if isinstance(error, MemoryError) else type(error).__name__)


def _meant(button: Button, state: MatchState) -> AnyCommand:
    match button:
        case Button.CLOCK_LIGHT:
            return HitClock(side=Side.LIGHT)
        case Button.CLOCK_DARK:
            return HitClock(side=Side.DARK)
        case Button.CUBE:
            return Take() if state.phase is Phase.OFFERED else OfferDouble()
        case Button.UNDO:
            return Undo()


def _rules_named(name: str, now: RuleSet) -> RuleSet:
    """The preset with the device's role of now, or the rules of now by their own name. Raises CommandError."""
    if name == now.name:
        return now
    try:
        return replace(preset_named(name), device=now.device)
    except RuleSetError as error:
        raise CommandError(str(error)) from error


def _lights_number(side: Side, point: int) -> int:
    """A point of that side's view by light's numbers; 0, off the board, stays."""
    return point if side is Side.LIGHT or point == 0 else 25 - point


def _dice_shown(observation: Observation) -> tuple[int, ...]:
    return tuple(die.value for die in observation.dice if die.confidence * float(die.faces.max()) >= SHOW_DICE)


def unfinished(journal: Journal, matches: Matches | None = None) -> tuple[str, list[AnyEvent]]:
    """The journal's last match and the events of it that hold, if it is not over; else no match and no events.

    matches: those of the journal, where they are known; then only the last one is read.
    Raises EventError where the journal was written by a newer version.
    """
    span = matches.span(matches.newest) if matches is not None else None
    newest = matches_in(journal, span[0] - 1 if span else 0)
    match, events = reduce(lambda _, newer: newer, newest, ("", list[AnyEvent]()))
    return (match, events) if events and fold(events).phase is not Phase.MATCH_OVER else ("", [])


def matches_in(journal: Journal, after: int = 0) -> Iterator[tuple[str, list[AnyEvent]]]:
    """Every match in the journal with the events that hold, oldest first. What recovery could not read changes nothing.

    after: only what was written after this sequence.
    """
    told = (stored for stored in journal.events(after) if stored.match)
    for match, stored in groupby(told, key=lambda event: event.match):
        yield match, effective(map(event_of, stored))
