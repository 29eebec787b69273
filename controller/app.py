"""The running referee: camera, vision, session, journal, lamps and page wired together. The only place that knows them all.

One frame's way: capture thread -> watcher (vision) -> session (tracker and referee) -> journal -> view -> lamps and page.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import reduce
from itertools import groupby

import msgspec

from controller.panel.adapter import Panel
from controller.panel.plan import PanelState, panel_state, words
from controller.record.journal import Journal
from controller.record.salvage import LOST
from controller.referee.events import VERSION, AnyEvent, MatchStarted, decode, encode, kind
from controller.referee.history import effective
from controller.referee.state import MatchState, Phase, fold
from controller.session import MatchPlan, Session
from controller.teaching import teach
from controller.tracking.orientation import Corner
from controller.tracking.tracker import ORIENTED, find_home
from controller.tracking.transitions import Setting
from controller.viewing import Present, changed, view_of
from vision.frame import Corners, Frame
from vision.observation import Observation
from vision.watcher import Watcher
from web.hub import ViewHub
from web.view import View

BOARD = "board-1"
"""Every event names its board, so that several can be gathered one day."""

SHOW_DICE = 0.6
"""A die less sure than this is not drawn on the page."""


@dataclass(frozen=True)
class Table:
    """How one board stands before its camera, and what is played on it. corners: None to find them in the picture."""

    plan: MatchPlan
    corners: Corners | None
    light_home: Corner


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
    ) -> None:
        """tell: takes a sentence whenever something happens or the lamps change, for the terminal.

        key_frames: the frames are single pictures far apart, not a film.
        """
        self._table, self._journal, self._hub, self._panel, self._tell = table, journal, hub, panel, tell
        self._watcher, self._key_frames = Watcher(table.corners, key_frames=key_frames), key_frames
        self._match, held = unfinished(journal)
        self._session = Session(table.plan, table.light_home, held)
        self._view: View | None = None
        self._camera = "ok"
        self._blind = ""
        self._seconds = self._session.state.seconds
        self._dice: tuple[int, ...] = ()
        self._lamps: PanelState | None = None
        self._record(self._session.opening)
        if held:
            tell(f"Going on with the match in {journal.path} after {len(held)} events.")
        self.show()

    @property
    def state(self) -> MatchState:
        """The match so far."""
        return self._session.state

    def take(self, frame: Frame) -> tuple[AnyEvent, ...]:
        """One frame; the events that it made certain, already in the journal."""
        self._seconds = frame.seconds
        observation = self._watcher.look(frame)
        if self._watcher.trouble != self._blind:
            self._blind = self._watcher.trouble
            if self._blind:
                self.trouble(self._blind)
        if observation is None:
            return ()
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

    def trouble(self, sentence: str) -> None:
        """The camera gives no pictures; the game so far stays."""
        self._camera = sentence
        self._tell(sentence)
        self.show()

    def ended(self, sentence: str) -> None:
        """A recording has ended: what the best account holds is written down, and the sentence told."""
        self._record(self._session.finish(self._seconds))
        self._tell(sentence)
        self.show()

    def show(self) -> None:
        """Lamps first, then the page, if anything has changed."""
        state = self.state
        offered = state.turn.other if state.phase is Phase.OFFERED and state.turn else None
        lamps = panel_state(
            state.turn, bool(state.standing), state.cube, state.owner, offered, host_ok=self._camera == "ok"
        )
        if lamps != self._lamps:
            self._panel.show(lamps)
            self._lamps = lamps
            self._tell("Lamps: " + (", ".join(words(lamps)) or "all dark"))
        board = self._session.tracker.belief.best.board
        present = Present(board, self._dice, self._camera, words(lamps))
        sequence = self._view.sequence + 1 if self._view else 1
        view = view_of(state, present, self._table.light_home, sequence)
        if changed(self._view, view):
            self._view = view
            self._hub.publish(view)

    def _record(self, events: tuple[AnyEvent, ...]) -> None:
        for event in events:
            self._match = secrets.token_hex(8) if isinstance(event, MatchStarted) else self._match
            self._journal.append(kind(event), VERSION, encode(event), BOARD, self._match, self.state.score.game)
            self._tell(sentence_of(event))


def _dice_shown(observation: Observation) -> tuple[int, ...]:
    return tuple(die.value for die in observation.dice if die.confidence * float(die.faces.max()) >= SHOW_DICE)


def unfinished(journal: Journal) -> tuple[str, list[AnyEvent]]:
    """The journal's last match and the events of it that hold, if it is not over; else no match and no events.

    Raises EventError where the journal was written by a newer version.
    """
    match, events = reduce(lambda _, newer: newer, matches_in(journal), ("", list[AnyEvent]()))
    return (match, events) if events and fold(events).phase is not Phase.MATCH_OVER else ("", [])


def matches_in(journal: Journal) -> Iterator[tuple[str, list[AnyEvent]]]:
    """Every match in the journal with the events that hold, oldest first. What recovery could not read is passed over."""
    told = (stored for stored in journal.events() if stored.kind != LOST)
    for match, stored in groupby(told, key=lambda event: event.match):
        yield match, effective(decode(event.version, event.payload) for event in stored)


def sentence_of(event: AnyEvent) -> str:
    """One line for the terminal."""
    fields = {name: value for name, value in msgspec.to_builtins(event).items() if name not in _QUIET}
    said = " ".join(_words(name, value) for name, value in fields.items())
    return f"{kind(event):>8}  {said}".rstrip()


_QUIET = frozenset(
    {
        "type",
        "seconds",
        "before",
        "after",
        "moves",
        "roll_seen",
        "position",
        "keys",
        "reasons",
        "took",
        "redo",
        "said",
        "then",
    }
)


def _words(name: str, value: object) -> str:
    if name == "dice" and isinstance(value, (list, tuple)):
        return "-".join(str(die) for die in value)
    if name == "legal":
        return "" if value else "ILLEGAL"
    if name == "sure":
        return "" if value == 1.0 else f"(sure {value})"
    if name in ("length", "number", "points", "level", "light", "dark", "rules", "winner"):
        return f"{name} {value}"
    return str(value)
