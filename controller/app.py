"""The running referee: camera, vision, session, journal, lamps and page wired together. The only place that knows them all.

One frame's way: capture thread -> watcher (vision) -> session (tracker and referee) -> journal -> view -> lamps and page.
What people say, on the page or with buttons, goes the same way from the session on.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import reduce
from itertools import groupby
from pathlib import Path

import msgspec

from controller.coaching import lifted
from controller.panel.adapter import Button, ButtonPress, Panel
from controller.panel.cues import cue_of
from controller.panel.plan import Cue, PanelState, panel_state, words
from controller.record.formats import replace_file
from controller.record.journal import Journal
from controller.recording import event_of
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
from controller.referee.state import MatchState, Phase, fold
from controller.rehearsal import REHEARSED
from controller.rules import PRESETS, RuleSet, Side
from controller.session import MatchPlan, Session
from controller.teaching import teach
from controller.telling import sentence_of
from controller.tracking.orientation import Corner
from controller.tracking.parameters import ORIENTED
from controller.tracking.setting import Setting
from controller.tracking.tracker import find_home
from controller.viewing import DOUBTFUL, Present, changed, view_of
from controller.witness import Witness, turn_name
from vision.frame import Corners, Frame
from vision.observation import Observation
from vision.pictures import CornersError, parse_corners
from vision.watcher import Watcher
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

LAMP_TEST_S = 3.0
"""Seconds for which lamps are lit that nothing on the board has caused: time to look from the page to the panel."""


@dataclass(frozen=True)
class Table:
    """How one board stands before its camera, and what is played on it. corners: None to find them in the picture.

    file: where it is kept that a person has shown where the board lies; None for nowhere.
    """

    plan: MatchPlan
    corners: Corners | None
    light_home: Corner
    file: Path | None = None


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
        self._watcher, self._key_frames = Watcher(table.corners, key_frames=key_frames), key_frames
        self._witness = witness
        self._newest: Frame | None = None
        self._seen: Seen | None = None
        self._waiting: Session | None = None
        self._pressed: tuple[ButtonPress, ...] = ()
        self._match, held = unfinished(journal)
        self._session = Session(table.plan, table.light_home, held)
        self._view: View | None = None
        self._camera = "ok"
        self._blind = ""
        self._seconds = self._session.state.seconds
        self._dice: tuple[int, ...] = ()
        self._lamps: PanelState | None = None
        self._tested: tuple[PanelState, float] | None = None
        self._cue: Cue | None = None
        self._cues = 0
        self._record(self._session.opening)
        if held:
            tell(f"Going on with the match in {journal.path} after {len(held)} events.")
        if held and self._session.opening:
            tell(CLOCK_STANDS)
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
        observation = self._watcher.look(frame)
        if self._witness is not None and not self.rehearsing:
            self._witness.add(frame, still=observation is None or observation.still)
        if self._watcher.trouble != self._blind:
            self._blind = self._watcher.trouble
            if self._blind:
                self.trouble(self._blind)
        if observation is None:
            return ()
        corners, _ = self.place
        if observation.still and corners is not None:
            self._seen = Seen(frame, observation, corners)
        if observation.still and self.state.phase is Phase.OPENING and not self.state.flags:
            self._turn_round(observation)
        if self._key_frames:
            self._session.moved()
        events = self._session.see(observation)
        self._record(events)
        teach(self._watcher, self._session)
        self._dice = _dice_shown(observation) if observation.still else self._dice
        self._camera = self._blind or "ok"
        self.show()
        return events

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
                self.go_on()
                events = self._new_match(command)
            case SetTable():
                events = self._lay(command)
            case _:
                events = self._session.command(command, self._seconds)
        self._record(events)
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
        """Ends the practice: the match goes on as after a start of the program, from what is written down."""
        if self._waiting is None:
            return
        waiting, self._waiting = self._waiting, None
        self._session = Session(self._table.plan, self._table.light_home, waiting.held)
        self._watcher = Watcher(self._watcher.corners, key_frames=self._key_frames)
        self._seconds, self._dice = self.state.seconds, ()
        self._record(self._session.opening)
        if self._session.opening:
            self._tell(CLOCK_STANDS)
        self.show()

    def _new_match(self, command: NewMatch) -> tuple[AnyEvent, ...]:
        """The match before stays in the journal as it is, perhaps unfinished."""
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
        self._session, self._table = session, replace(self._table, plan=plan)
        return session.opening + moment

    def _lay(self, command: SetTable) -> tuple[AnyEvent, ...]:
        try:
            corners = parse_corners(command.corners)
        except CornersError as error:
            raise CommandError(str(error)) from error
        self._table = replace(self._table, corners=corners, light_home=command.home)
        if self._table.file is not None:
            keep_laid(self._table.file, command)
        self._watcher = Watcher(corners, key_frames=self._key_frames)
        self._session.turned(command.home)
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
        self._record(self._session.passed(self._seconds))
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
        self.go_on()
        self._record(self._session.finish(self._seconds))
        self._tell(sentence)
        self.show()

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
            board, self._dice, self._camera, words(lamps), self._seconds, hints, self._match, self.rehearsing
        )
        sequence = self._view.sequence + 1 if self._view else 1
        view = view_of(state, present, self._table.light_home, sequence)
        if changed(self._view, view):
            self._view = view
            self._hub.publish(view)

    def _lamps_of(self, state: MatchState) -> PanelState:
        if self._tested is not None and self._seconds < self._tested[1]:
            return self._tested[0]
        self._tested = None
        hand = lifted(state, self._session.tracker.belief.best.board) if state.role == "coach" else None
        return panel_state(
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

    def _record(self, events: tuple[AnyEvent, ...]) -> None:
        cue = cue_of(events)
        if cue is not None:
            self._cue, self._cues = cue, self._cues + 1
        if self.rehearsing:
            return
        for event in events:
            self._match = secrets.token_hex(8) if isinstance(event, MatchStarted) else self._match
            self._journal.append(kind(event), VERSION, encode(event), BOARD, self._match, self.state.score.game)
            self._tell(sentence_of(event))
            if self._witness is not None:
                bear_witness(self._witness, self._match, event, self.state.since)


def bear_witness(witness: Witness, match: str, event: AnyEvent, since: float | None) -> None:
    """Keeps pictures of a flag, and of a turn that a person should look at. since: when the present turn began."""
    match event:
        case Flagged():
            witness.keep(match, event.number, since, event.seconds)
        case Played(said=False, sure=sure, took=took, seconds=seconds) if sure < DOUBTFUL:
            witness.keep(match, turn_name(seconds), None if took is None else seconds - took, seconds)


def keep_laid(file: Path, command: SetTable) -> None:
    """Keeps where the board lies for the next start. Raises CommandError where it can't be written."""
    try:
        replace_file(file, msgspec.json.encode(command))
    except OSError as error:
        raise CommandError(
            f"{file} can't be written ({error.strerror}): the board is used, but not remembered."
        ) from error


def laid(file: Path) -> SetTable | None:
    """Where a person has shown that the board lies; None where nobody has, or the file is damaged."""
    try:
        return msgspec.json.decode(file.read_bytes(), type=SetTable)
    except (OSError, msgspec.DecodeError):
        return None


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
    if name not in PRESETS:
        raise CommandError(f"There is no rule set {name!r}. Choose one of {', '.join(PRESETS)}.")
    return replace(PRESETS[name], device=now.device)


def _lights_number(side: Side, point: int) -> int:
    """A point of that side's view by light's numbers; 0, off the board, stays."""
    return point if side is Side.LIGHT or point == 0 else 25 - point


def _dice_shown(observation: Observation) -> tuple[int, ...]:
    return tuple(die.value for die in observation.dice if die.confidence * float(die.faces.max()) >= SHOW_DICE)


def unfinished(journal: Journal) -> tuple[str, list[AnyEvent]]:
    """The journal's last match and the events of it that hold, if it is not over; else no match and no events.

    Raises EventError where the journal was written by a newer version.
    """
    match, events = reduce(lambda _, newer: newer, matches_in(journal), ("", list[AnyEvent]()))
    return (match, events) if events and fold(events).phase is not Phase.MATCH_OVER else ("", [])


def matches_in(journal: Journal) -> Iterator[tuple[str, list[AnyEvent]]]:
    """Every match in the journal with the events that hold, oldest first. What recovery could not read changes nothing."""
    told = (stored for stored in journal.events() if stored.match)
    for match, stored in groupby(told, key=lambda event: event.match):
        yield match, effective(map(event_of, stored))
