"""The report beside a transcribed record: gaps, then every turn with its confidence and a thumbnail, the doubtful ones first.

    notes = TranscriptNotes(); notes.picture(...), notes.events(...) for every frame; write_report(notes, path, source)

writes `path` (JSON), a page of the same beside it, and the thumbnails into a folder beside both.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import jinja2
import msgspec

from controller.errors import ControllerError
from controller.record.evidence import to_jpeg
from controller.record.formats import replace_file
from controller.referee.events import AnyEvent, Flagged, Found, GameStarted, Played
from controller.rules import Position, Side, position_id
from controller.tracking.parameters import SURE
from vision.frame import Image

FORMAT = "vrhcab-report-1"
WIDTH, QUALITY = 320, 80
"""px and JPEG quality of a thumbnail: checkers can be counted on it, and a long match stays under 10 MB."""

PAGES = jinja2.Environment(loader=jinja2.PackageLoader("controller", "transcript"), autoescape=True, trim_blocks=True)

REMEMBERED = 60
"""Pictures kept: a turn is written down at most four turns after it ended."""


class ReportError(ControllerError):
    """Why the report can't be written, in a sentence."""


class ReportedTurn(msgspec.Struct, frozen=True, kw_only=True):
    """One turn. sure: share of the belief that agreed, 0-1; seconds: time in the film when it was written down.

    roll_seen: the dice were read, not inferred from the play; flags: what the referee said in this turn.
    """

    game: int
    turn: int
    player: str
    dice: tuple[int, int]
    play: str
    before: str
    after: str
    legal: bool
    sure: float
    doubtful: bool
    roll_seen: bool
    seconds: float
    flags: tuple[str, ...] = ()
    thumbnail: str | None = None

    @property
    def to_see(self) -> bool:
        """Whether a person should look at it: it is doubtful, illegal, or something was said of it."""
        return self.doubtful or not self.legal or bool(self.flags)


class ReportedGap(msgspec.Struct, frozen=True, kw_only=True):
    """Where nobody saw how the game went on. turn: the last before it; seconds: when the board was sure again; position: Position
    ID of what stood there then, light on roll; lost: for how many seconds it was not, None where the recording begins so."""

    game: int
    turn: int
    position: str
    seconds: float
    lost: float | None


@dataclass(frozen=True)
class Noted:
    """A turn and its picture (JPEG), where there is one."""

    turn: ReportedTurn
    jpeg: bytes | None


@dataclass(frozen=True)
class _Shot:
    """A small picture of the board while `after` (Position ID, light on roll) was believed to stand there."""

    after: str
    jpeg: bytes


def thumbnail(image: Image) -> bytes:
    """JPEG of a frame. image: (H, W, 3) uint8 BGR."""
    return to_jpeg(image, WIDTH, QUALITY)


class TranscriptNotes:
    """Collects turns and their pictures while a recording is transcribed."""

    def __init__(self) -> None:
        self._shots: deque[_Shot] = deque(maxlen=REMEMBERED)
        self._turns: list[Noted] = []
        self._gaps: list[ReportedGap] = []
        self._game = 0
        self._codes: list[str] = []

    def become(self, other: TranscriptNotes) -> None:
        """Takes over what the other has taken down, in the place of its own."""
        self._shots, self._turns, self._gaps = deque(other._shots, REMEMBERED), list(other._turns), list(other._gaps)
        self._game, self._codes = other._game, list(other._codes)

    def kept(self) -> tuple[Noted, ...]:
        """All turns in the order in which they were played, to go on from later."""
        return tuple(self._turns)

    def go_on(self, turns: Sequence[Noted], events: Iterable[AnyEvent]) -> None:
        """Begins with these turns, which those events of a match have brought about."""
        self._turns = []
        turn = iter(turns)
        for event in events:
            match event:
                case GameStarted(number=number):
                    self._game = number
                case Found():
                    self._found(event)
                case Played(redo=False):
                    self._turns.extend(islice(turn, 1))

    def picture(self, image: Image, board: Position) -> None:
        """A frame that was read. image: (H, W, 3) uint8 BGR; board: what is believed to stand there."""
        self.shown(thumbnail(image), board)

    def shown(self, jpeg: bytes, board: Position) -> None:
        """The same of a frame's thumbnail()."""
        self._shots.append(_Shot(position_id(board, Side.LIGHT), jpeg))

    def events(self, events: Iterable[AnyEvent]) -> None:
        """What the referee wrote down."""
        for event in events:
            match event:
                case GameStarted(number=number):
                    self._game = number
                case Found():
                    self._found(event)
                case Flagged(code=code):
                    self._codes.append(code)
                case Played():
                    self._played(event)

    def _found(self, event: Found) -> None:
        turns = sum(one.turn.game == self._game for one in self._turns)
        seconds = round(event.seconds, 2)
        self._gaps.append(
            ReportedGap(game=self._game, turn=turns, position=event.position, seconds=seconds, lost=event.lost)
        )

    def _played(self, event: Played) -> None:
        if event.redo and self._turns:
            self._turns.pop()
        number = 1 + sum(one.turn.game == self._game for one in self._turns)
        turn = ReportedTurn(
            game=self._game,
            turn=number,
            player=event.side.value,
            dice=event.dice,
            play=event.notation,
            before=event.before,
            after=event.after,
            legal=event.legal,
            sure=event.sure,
            doubtful=event.sure < SURE or not event.roll_seen,
            roll_seen=event.roll_seen,
            seconds=round(event.seconds, 2),
            flags=tuple(dict.fromkeys(self._codes)),
        )
        self._codes = []
        self._turns.append(Noted(turn, self._shot_of(event.after)))

    def _shot_of(self, after: str) -> bytes | None:
        """The newest picture of that board, else the newest of any."""
        shots = list(self._shots)
        return next((shot.jpeg for shot in reversed(shots) if shot.after == after), shots[-1].jpeg if shots else None)

    def turns(self) -> list[Noted]:
        """All turns: those to be looked at first, the most doubtful of them at the top, then as played."""
        return sorted(self._turns, key=lambda one: (not one.turn.to_see, one.turn.sure if one.turn.to_see else 0.0))

    def gaps(self) -> tuple[ReportedGap, ...]:
        """Where the record has gaps, in their order; its beginning, where that is no game's."""
        return tuple(self._gaps)


def check_report(path: Path) -> None:
    """Says before the work that the report could not be written. Raises ReportError."""
    if path.suffix.lower() != ".json":
        raise ReportError(f"{path}: choose a name that ends with .json; a page of the same is written beside it.")
    if not path.parent.is_dir() or path.is_dir():
        raise ReportError(f"{path} can't be written. Choose a file name in a folder that exists.")


def write_report(notes: TranscriptNotes, path: Path, source: str) -> None:
    """Writes JSON, page and thumbnails. Raises OSError where they can't be written."""
    folder = path.with_name(path.stem + "-thumbnails")
    folder.mkdir(exist_ok=True)
    lines = []
    for turn, jpeg in ((one.turn, one.jpeg) for one in notes.turns()):
        name = f"game{turn.game}-turn{turn.turn:03d}.jpg"
        if jpeg is not None:
            replace_file(folder / name, jpeg)
        lines.append(msgspec.structs.replace(turn, thumbnail=f"{folder.name}/{name}" if jpeg is not None else None))
    doubtful = sum(line.doubtful for line in lines)
    gaps = notes.gaps()
    report = {"format": FORMAT, "source": source, "turns_doubtful": doubtful, "gaps": gaps, "turns": lines}
    replace_file(path, msgspec.json.format(msgspec.json.encode(report), indent=1))
    page = PAGES.get_template("report.html").render(lines=lines, gaps=gaps, source=source)
    replace_file(path.with_suffix(".html"), page.encode("utf-8", "replace"))
