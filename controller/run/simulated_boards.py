"""Boards whose matches are kept by hand, by nobody's: whole journals and their outboxes without a camera, many on one machine.

For a hub's demo and for measuring one. The games are legal and sensible; what each board writes goes through its own journal, as
at a real table.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

from controller.app.match_journal import MatchJournal
from controller.app.planned import is_on
from controller.config import HubConfig
from controller.record.journal import Journal
from controller.record.wire import PlannedMatch
from controller.referee.commands import AnyCommand, CommandError, OfferDouble, Pass, PlayTurn, Roll, Take, Undo
from controller.referee.events import AnyEvent
from controller.referee.session import MatchPlan, Session
from controller.referee.state import MatchState, Phase
from controller.rules import MATCH, Side, legal_plays, position_id
from controller.rules.ruleset import DeviceRules
from controller.run.outbox import Outbox
from controller.simulation.players import best_play, worth

NAMES = (
    "Alena", "Bedřich", "Cyril", "Dana", "Eliška", "Filip", "Gabriela", "Hynek", "Irena", "Jakub", "Klára", "Luděk", "Marta",
    "Norbert", "Olga", "Pavel", "Radka", "Slavomír", "Tereza", "Urban", "Věra", "Zdeněk",
)  # fmt: skip

DOUBLES, MISTAKES = 0.06, 0.01
"""Shares of the turns: before which the cube is offered where that may be; that a person takes back and plays again."""


class SimulatedBoard:
    """One board with its journal in a folder. act() is its next event or two."""

    def __init__(self, folder: Path, seed: int, length: int = 5) -> None:
        """Raises JournalError."""
        folder.mkdir(parents=True, exist_ok=True)
        self._planned: PlannedMatch | None = None
        self._dice = random.Random(seed)
        self._length = length
        self.journal = Journal(folder / "journal.sqlite3")
        self._writer = MatchJournal(self.journal, lambda sentence: None)
        self._seconds = 0.0
        self._session = self._begin(self._writer.resume().held)

    def plan(self, planned: PlannedMatch | None) -> None:
        """What a tournament has for this board; from any thread. It begins when the match that is on is over."""
        self._planned = planned

    @property
    def idle(self) -> bool:
        """Its match is over, and nothing else is planned."""
        return self.state.phase is Phase.MATCH_OVER and (self._planned is None or is_on(self._planned, self.state))

    def _begin(self, held: Sequence[AnyEvent] = ()) -> Session:
        light, dark = self._dice.sample(NAMES, 2)
        rules = replace(MATCH, device=DeviceRules(role="monitor"))
        plan = MatchPlan(rules, self._length, (light, dark), event="Open", round="1")
        if (planned := self._planned) is not None:
            names = planned.light, planned.dark
            plan = replace(plan, length=planned.length, names=names, event=planned.event, round=planned.round)
        session = Session(plan, "bottom-right", held)
        self._writer.append(session.state, session.opening)
        return session

    @property
    def state(self) -> MatchState:
        """Of its match."""
        return self._session.state

    def act(self) -> None:
        """What happens next at this board. Raises JournalError."""
        self._seconds = max(self._seconds, self.state.seconds) + self._dice.uniform(2, 20)
        if self.state.phase is Phase.MATCH_OVER:
            if self._planned is None or not is_on(self._planned, self.state):  # else the hub has no result of it yet
                self._session = self._begin()
            return
        try:
            events = self._session.command(self._next(), self._seconds)
        except CommandError:  # a double that the rules don't allow
            events = self._session.command(Roll(dice=self._thrown()), self._seconds)
        self._writer.append(self._session.state, events)

    def _next(self) -> AnyCommand:
        state, dice = self.state, self._dice
        match state.phase:
            case Phase.TO_PLAY if state.to_play is not None:
                turn = state.to_play
                plays = legal_plays(turn.before, turn.side, turn.dice, state.ruleset)
                return PlayTurn(after=position_id(best_play(plays, turn.side).result, Side.LIGHT))
            case Phase.OFFERED if state.offered_to is not None:
                likes = worth(state.position, state.offered_to)
                return Take() if likes > -60 else Pass()
            case Phase.TO_ROLL if state.turns and dice.random() < MISTAKES:
                return Undo()
            case Phase.TO_ROLL if self._may_double() and dice.random() < DOUBLES:
                return OfferDouble()
            case Phase.TO_ROLL:
                return Roll(dice=self._thrown())
        high, low = dice.sample(range(1, 7), 2)
        return Roll(dice=(high, low), side=Side.LIGHT if dice.random() < 0.5 else Side.DARK)

    def _thrown(self) -> tuple[int, int]:
        return self._dice.randint(1, 6), self._dice.randint(1, 6)

    def _may_double(self) -> bool:
        state = self.state
        return state.cube_on_board and state.cube < 8 and state.owner in (None, state.turn)

    def close(self) -> None:
        """Hands the journal back."""
        self.journal.close()


@contextmanager
def playing(
    folder: Path, configs: Sequence[HubConfig], pace: float, tell: Callable[[str], None]
) -> Iterator[list[SimulatedBoard]]:
    """A board for each of these settings, all sending what happens to a hub. pace: seconds between events of one board.

    Raises JournalError.
    """
    with ExitStack() as stack:
        boards = []
        for seed, config in enumerate(configs, start=1):
            board = SimulatedBoard(folder / config.name, seed)
            stack.callback(board.close)
            stack.enter_context(Outbox(config, board.journal, tell, plan=board.plan))
            boards.append(board)
        stop = threading.Event()

        def play() -> None:
            # They act one after another, so that not all of them act at once.
            while not stop.is_set():
                for board in boards:
                    board.act()
                    if stop.wait(pace / len(boards)):
                        return

        thread = threading.Thread(target=play, name="players", daemon=True)
        thread.start()
        stack.callback(thread.join)
        stack.callback(stop.set)
        yield boards
