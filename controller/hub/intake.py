"""Takes in what the boards send: each message either becomes durable and is confirmed, or is answered with what is missing.

A board's events are taken only in order, without a gap, and only from one start of its program at a time. Whatever a board
sends concerns that board alone: its queue, its limits, its life in the database.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime

import msgspec

from controller.hub.course import BoardFold
from controller.hub.errors import StoreError
from controller.hub.limits import BURST, EVENTS_A_SECOND, MESSAGE_BURST, MESSAGES_A_SECOND, Bucket
from controller.hub.passes import DeskPasses
from controller.hub.store import Life, Store
from controller.record.wire import BEAT_S, LARGEST, BoardHealth, EventBatch, Here, HubAnswer, PlannedMatch, SentEvent
from controller.referee.events import done_by
from vision.sentence import Sentence

ALIVE_S = 3 * BEAT_S
"""A board that was heard so lately is there; another of its name is refused."""

WAITING = 16
"""Messages of one board that wait; more are dropped, and its board sends them again."""

LOOK_S = 0.2
"""Seconds between two pictures of the wall."""

GATHER_S = 0.02
"""Seconds from the first message until it is taken in: those that come meanwhile share its commit, which is what a thousand boards
would wait for."""

FEW = 10
"""Events in the message of a board that plays; one that has more catches up, and waits behind those."""

TOGETHER = 2000
"""Events of boards that catch up in one transaction: so long the wall waits for it, some tenths of a second."""

AGAIN_S = 1.0
"""Seconds between two tries to reach the database."""

NOTICE_EVERY_S = 60.0
LIFE_EVERY_S = 60.0
CLOCK_OFF_S = 300.0

TWO_OF_ONE_NAME = (
    "Another board is connected under this name. Nothing is taken from this one until that is gone. "
    "Give one of the two its own name: [hub] name, and vrhcab hub add-board on the hub."
)


@dataclass
class BoardAtHub:
    """What the hub knows of one board. life: of its journal, None before the first event; heard: monotonic s; None: not since
    the hub was started. seen_at: UTC, of the last sign of life. planned: what it was last sent to play next."""

    name: str
    life: Life | None = None
    run: str = ""
    heard: float | None = None
    seen_at: datetime | None = None
    gone: bool = False
    health: BoardHealth = field(default_factory=BoardHealth)
    clock_off: float = 0.0
    course: BoardFold = field(default_factory=BoardFold)
    changed: bool = True
    life_at: float | None = None
    trouble: str = ""
    planned: PlannedMatch | None = None

    @property
    def last(self) -> int:
        """The newest sequence that is on the disk."""
        return self.life.last if self.life else 0

    def is_there(self, now: float) -> bool:
        """It was heard lately, and has not said goodbye."""
        return not self.gone and self.heard is not None and now - self.heard < ALIVE_S


@dataclass(frozen=True)
class _Queued:
    """A message in the queue."""

    board: str
    message: EventBatch | Here

    @property
    def events(self) -> int:
        """How many it brings."""
        return len(self.message.events) if isinstance(self.message, EventBatch) else 0


_Arrived = tuple[BoardAtHub, Life, list[SentEvent]]
"""What a board has sent that is new, and where its journal stands with that."""

_batches, _heres = msgspec.json.Decoder(EventBatch), msgspec.json.Decoder(Here)

Answers = Callable[[str, HubAnswer], None]
Shown = Callable[[list[BoardAtHub]], None]


class Intake:
    """The one thread that owns the boards and the database. offer() is for the broker's thread."""

    def __init__(
        self,
        store: Store,
        answer: Answers,
        show: Shown,
        tell: Callable[[str], None],
        failed: Callable[[Exception], None],
        passes: DeskPasses | None = None,
    ) -> None:
        """answer: sends one to a board; show: takes the boards that have changed, every LOOK_S; failed: takes a fault of ours;
        passes: to the boards' desks."""
        self._store, self._answer, self._show, self._tell = store, answer, show, tell
        self._failed, self._passes = failed, passes
        self._waiting: dict[str, deque[_Queued]] = {}
        self._buckets: dict[str, tuple[Bucket, Bucket]] = {}
        self._noticed: dict[tuple[str, str], float] = {}
        self._notices: deque[tuple[str, str, Sentence]] = deque(maxlen=1000)
        self._lock = threading.Lock()
        self._bell = threading.Event()
        self._stopped = False
        self._trouble = ""
        self._looked = 0.0
        self._planned: Mapping[str, PlannedMatch] = {}
        self.boards: dict[str, BoardAtHub] = {}
        self._thread = threading.Thread(target=self._work, name="intake", daemon=True)

    def start(self) -> None:
        """Reads what is known of every board, and begins. Raises StoreError."""
        for name in self._store.boards():
            self.boards[name] = self._load(name)
        self._thread.start()

    def close(self) -> None:
        """Ends; what was not confirmed is sent again."""
        self._stopped = True
        self._bell.set()
        self._thread.join(timeout=10.0)

    def plan(self, planned: Mapping[str, PlannedMatch]) -> None:
        """What is to be played next, by board; from any thread. A board is told when that changes, and with each sign of life."""
        self._planned = planned

    def offer(self, board: str, what: str, payload: bytes) -> None:
        """A message of a board. In the broker's thread: what is too much or cannot be read goes no further."""
        now = time.monotonic()
        events, messages = self._buckets.get(board) or self._buckets.setdefault(
            board,
            (Bucket.full(EVENTS_A_SECOND, BURST, now), Bucket.full(MESSAGES_A_SECOND, MESSAGE_BURST, now)),
        )
        if len(payload) > LARGEST:
            self._notice(
                board,
                "too large",
                Sentence("It sent a message of {bytes} bytes, which was not read.", bytes=len(payload)),
            )
            return
        if not messages.take(1, now):
            self._notice(
                board, "too much", Sentence("It sends more messages than a board can have; the rest was not read.")
            )
            return
        message = _message(what, payload)
        if message is None:
            self._notice(
                board, "no message", Sentence("It sent something that is no message of a board. Is its program newer?")
            )
            return
        if isinstance(message, EventBatch) and not events.take(len(message.events), now):
            self._notice(
                board, "too much", Sentence("It sends more events than a game can have; they are taken in slowly.")
            )
            return
        with self._lock:
            queue = self._waiting.setdefault(board, deque())
            if len(queue) < WAITING or (isinstance(message, Here) and message.gone):
                queue.append(_Queued(board, message))
        self._bell.set()

    def _work(self) -> None:
        while not self._stopped:
            if self._bell.wait(max(0.0, self._looked + LOOK_S - time.monotonic())) and not self._stopped:
                time.sleep(GATHER_S)
            self._bell.clear()
            try:
                for answers in self._taken():
                    for board, answer in answers:
                        self._answer(board, answer)
                    self._look()  # However much there is to be taken in, the wall goes on.
                self._look()
            except StoreError as error:
                self._wait_for_store(str(error))
            except Exception as error:
                self._failed(error)
                return

    def _taken(self) -> Iterator[list[tuple[str, HubAnswer]]]:
        """A message of each board that has one, again and again: durable together, then answered."""
        while not self._stopped:
            taken = self._next()
            if not taken and not self._notices:
                return
            answers: list[tuple[str, HubAnswer]] = []
            done: list[_Arrived] = []
            with self._store.transaction():
                while self._notices:
                    self._store.notice(*self._notices.popleft())
                for one in taken:
                    board = self.boards.get(one.board) or self.boards.setdefault(one.board, self._load(one.board))
                    match one.message:
                        case Here() as here:
                            answers += self._here(board, here)
                        case EventBatch() as batch:
                            answers += self._batch(board, batch, done)
                self._store.add([(board.name, life.number, new) for board, life, new in done])
                for board, life, new in done:
                    for event in new:
                        if who := done_by(event.payload):
                            self._store.at_desk(who, board.name, life.number, event, dated=not board.clock_off)
            for board, life, new in done:
                board.life, board.changed = life, True
                for event in new:
                    board.course.take(event.stored)
            yield answers

    def _next(self) -> list[_Queued]:
        """The oldest message of each board that plays, then of those that catch up, as many as there is room for, in turn."""
        with self._lock:
            names = [name for name, queue in self._waiting.items() if queue]
            taken = [self._waiting[name].popleft() for name in names if self._waiting[name][0].events <= FEW]
            events, busy = 0, {one.board for one in taken}
            for name in names:
                if name not in busy and events < TOGETHER:
                    queue = self._waiting.pop(name)
                    taken.append(queue.popleft())
                    events += taken[-1].events
                    self._waiting[name] = queue  # behind the others
            return taken

    def _here(self, board: BoardAtHub, here: Here) -> list[tuple[str, HubAnswer]]:
        now = time.monotonic()
        if here.gone:
            if here.run == board.run:
                board.gone = board.changed = True
                if self._passes:
                    self._passes.gone(board.name)
            return []
        if here.run != board.run and board.is_there(now) and board.heard is not None:
            self._notice(
                board.name,
                "two of one name",
                Sentence("A second board sends under its name; nothing is taken from it."),
            )
            return [(board.name, HubAnswer(here.run, refused=TWO_OF_ONE_NAME))]
        fresh = here.run != board.run
        self._heard(board, now)
        board.run, board.gone, board.health = here.run, False, here.health
        board.clock_off, board.changed = _off(here.clock), True
        if self._passes:
            self._passes.heard(board.name, here.page, here.door)
        if board.life is None:
            self._begin_life(board, here, 1)
        elif here.anew or (fresh and here.last < board.last):
            if board.life_at is not None and now - board.life_at < LIFE_EVERY_S:
                return [
                    (board.name, HubAnswer(here.run, refused="Its journal was replaced a moment ago; wait a minute."))
                ]
            self._notice(
                board.name,
                "went back",
                Sentence(
                    "Its journal is another one, or was restored from a backup: it ended with event {before}, and says now {now}. "
                    "What was there is kept; all that it sends from now on is kept beside it.",
                    before=board.last,
                    now=here.last,
                ),
            )
            self._begin_life(board, here, board.life.number + 1)
            board.life_at = now
        elif fresh:
            self._store.heard_from(board.name, board.life.number, here.run)
        return [(board.name, self._where_it_stands(board))]

    def _batch(self, board: BoardAtHub, batch: EventBatch, done: list[_Arrived]) -> list[tuple[str, HubAnswer]]:
        if batch.run != board.run or board.life is None or board.heard is None:
            return [(board.name, HubAnswer(batch.run, who=True))]
        self._heard(board, time.monotonic())
        first, last = batch.events[0].sequence, batch.events[-1].sequence
        in_order = all(event.sequence == first + at for at, event in enumerate(batch.events))
        if not in_order or not all(event.is_whole for event in batch.events):
            self._notice(
                board.name,
                "not whole",
                Sentence("Events {first} to {last} came damaged; they were not taken.", first=first, last=last),
            )
            return []
        if first > board.last + 1:
            answer = self._confirmed(board)
            return [(board.name, msgspec.structs.replace(answer, again=True))]
        if first <= board.last:
            known = self._store.checksums(board.name, board.life.number, first, min(last, board.last))
            other = [e.sequence for e in batch.events if known.get(e.sequence, e.checksum) != e.checksum]
            if other:
                self._notice(
                    board.name,
                    "otherwise",
                    Sentence("It sent event {number} again, but otherwise. The first stays as it is.", number=other[0]),
                )
                return []
        new = [event for event in batch.events if event.sequence > board.last]
        if not new:
            return [(board.name, self._confirmed(board))]
        life = Life(board.life.number, board.life.run, last, new[-1].checksum)
        done.append((board, life, new))
        return [(board.name, HubAnswer(batch.run, last, new[-1].checksum))]

    def _confirmed(self, board: BoardAtHub) -> HubAnswer:
        life = board.life
        return HubAnswer(board.run, life.last, life.checksum) if life else HubAnswer(board.run)

    def _where_it_stands(self, board: BoardAtHub) -> HubAnswer:
        """Where the hub stands, and what is to be played next."""
        board.planned = self._planned.get(board.name)
        guests = self._passes.holding(board.name) if self._passes else ()
        return msgspec.structs.replace(self._confirmed(board), planned=board.planned, guests=guests)

    def _begin_life(self, board: BoardAtHub, here: Here, number: int) -> None:
        self._store.begin_life(board.name, number, here.run)
        board.life, board.course = Life(number, here.run), BoardFold()

    def _heard(self, board: BoardAtHub, now: float) -> None:
        if not board.is_there(now):
            board.changed = True
        board.heard, board.seen_at = now, datetime.now(UTC)

    def _load(self, name: str) -> BoardAtHub:
        """As the database has it; whether it is there now will be heard."""
        life = self._store.life(name)
        board = BoardAtHub(name, life, life.run if life else "")
        if life is not None:
            board.course.refold(self._store.newest_match(name, life.number))
        return board

    def _look(self) -> None:
        """Shows what has changed since the last look, where that is due."""
        now = time.monotonic()
        if now - self._looked < LOOK_S:
            return
        self._looked = now
        for board in self.boards.values():
            there = board.is_there(now)
            trouble = "" if there else "gone"
            if trouble != board.trouble:
                board.trouble, board.changed = trouble, True
            if there and board.planned != self._planned.get(board.name):
                self._answer(board.name, self._where_it_stands(board))
        changed = [board for board in self.boards.values() if board.changed]
        for board in changed:
            if board.course.stale and board.life is not None:
                board.course.refold(self._store.match(board.name, board.life.number, board.course.match))
        self._show(changed)
        for board in changed:
            board.changed = False

    def _wait_for_store(self, sentence: str) -> None:
        """Until the database is there again; what it has then is what counts. The boards send the rest again."""
        if sentence != self._trouble:
            self._trouble = sentence
            self._tell(sentence)
        with self._lock:
            self._waiting.clear()
        while not self._stopped:
            time.sleep(AGAIN_S)
            with suppress(StoreError):
                self._store.reopen()
                known = {name: self._load(name) for name in self._store.boards()}
                for name, board in known.items():
                    before = self.boards.get(name)
                    if before is not None:
                        board.heard, board.seen_at, board.health = before.heard, before.seen_at, before.health
                        board.run, board.gone, board.clock_off = before.run, before.gone, before.clock_off
                self.boards = known
                self._trouble = ""
                self._tell("The database answers again.")
                for name, board in known.items():
                    if board.is_there(time.monotonic()):  # What it sent meanwhile was not taken.
                        self._answer(name, msgspec.structs.replace(self._where_it_stands(board), again=True))
                return

    def _notice(self, board: str, kind: str, sentence: Sentence) -> None:
        """Kept, and told, once a minute at most for each kind."""
        now = time.monotonic()
        if now - self._noticed.get((board, kind), -NOTICE_EVERY_S) < NOTICE_EVERY_S:
            return
        self._noticed[board, kind] = now
        self._notices.append((board, kind, sentence))
        self._tell(f"{board}: {sentence}")


def _message(what: str, payload: bytes) -> EventBatch | Here | None:
    """None where it can't be read, or its run can't be kept."""
    try:
        message = _batches.decode(payload) if what == "events" else _heres.decode(payload)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return None if "\0" in message.run else message


def _off(clock: str) -> float:
    """Seconds that a board's clock is ahead of ours, where that is more than a few minutes; else 0."""
    try:
        off = (datetime.fromisoformat(clock) - datetime.now(UTC)).total_seconds()
    except (ValueError, TypeError, OverflowError):
        return 0.0
    return off if abs(off) > CLOCK_OFF_S else 0.0
