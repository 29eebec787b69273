"""The report beside a transcribed record: every turn with its confidence and a picture, gaps and doubtful turns first.

    notes = TranscriptNotes(); notes.picture(...), notes.events(...) for every frame
    write_report(path, Transcript(source, record, held, home), notes.pictures)
    transcript = read_report(path)

`path` is JSON, a page of the same lies beside it, and the pictures in a folder beside both. The JSON holds the match's events, as a
journal does: a correction is one event more, and the report is written anew (corrected.py).
"""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from controller.app.report_view import report_of
from controller.errors import ControllerError
from controller.record.evidence import to_jpeg
from controller.record.owners import replace_file
from controller.record.templates import filled
from controller.record.turns import LineOfGame, to_look_over, turns_of
from controller.referee.events import VERSION, AnyEvent, Confirmed, EventError, Found, Played, Rewritten, decode, encode
from controller.referee.names import called
from controller.rules import COLOURS, Position, Side, position_id
from terms.board import Corner
from vision.frame import Image
from vision.outside import FileRefused, read_regular

FORMAT = "vrhcab-report-1"
WIDTH, QUALITY = 320, 80
"""px and JPEG quality of a thumbnail: checkers can be counted on it, and a long match stays under 10 MB."""

REMEMBERED = 60
"""Pictures kept: a turn is written down at most four turns after it ended."""

MOST_BYTES = 64_000_000
"""A turn takes some 2 kB of a report."""


class ReportError(ControllerError):
    """Why the report can't be written or read, in a sentence."""


class ReportedTurn(msgspec.Struct, frozen=True, kw_only=True):
    """One turn. sure: share of the belief that agreed, 0-1; seconds: time in the film when it was written down.

    line: as commands name it; roll_seen: the dice were read, not inferred from the play; flags: what the referee said in this turn;
    corrected: a person has said it so.
    """

    game: int
    turn: int
    line: int
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
    corrected: bool = False
    flags: tuple[str, ...] = ()
    thumbnail: str | None = None


class ReportedGap(msgspec.Struct, frozen=True, kw_only=True):
    """Where nobody saw how the game went on. turn: the last before it; seconds: when the board was sure again; position: Position
    ID of what stood there then, light on roll; lost: for how many seconds it was not, None where the recording begins so."""

    game: int
    turn: int
    position: str
    seconds: float
    lost: float | None


class Pictured(msgspec.Struct, frozen=True):
    """A picture of the board at a turn. seconds, side, dice: of the turn's event, the last None where nobody has kept them;
    jpeg: small."""

    seconds: float
    side: Side
    jpeg: bytes
    dice: tuple[int, int] | None = None


@dataclass(frozen=True)
class Transcript:
    """A transcribed match. source: the recording's name; record: the name of the record's file, beside the report or "" where it
    lies elsewhere; held: the events that hold."""

    source: str
    record: str
    held: tuple[AnyEvent, ...]
    light_home: Corner = "bottom-right"

    @property
    def put_right(self) -> bool:
        """Whether a person has said anything of it."""
        return any(isinstance(one, Confirmed) or (isinstance(one, Rewritten) and one.act) for one in self.held)


@dataclass(frozen=True)
class _Shot:
    """A small picture of the board while `after` (Position ID, light on roll) was believed to stand there."""

    after: str
    jpeg: bytes


def thumbnail(image: Image) -> bytes:
    """JPEG of a frame. image: (H, W, 3) uint8 BGR."""
    return to_jpeg(image, WIDTH, QUALITY)


class TranscriptNotes:
    """Collects the turns' pictures while a recording is transcribed."""

    def __init__(self) -> None:
        self._shots: deque[_Shot] = deque(maxlen=REMEMBERED)
        self._pictures: list[Pictured] = []

    def become(self, other: TranscriptNotes) -> None:
        """Takes over what the other has taken down, in the place of its own."""
        self._shots, self._pictures = deque(other._shots, REMEMBERED), list(other._pictures)

    @property
    def pictures(self) -> tuple[Pictured, ...]:
        """Of all turns, in the order in which they were played; to go on from later, too."""
        return tuple(self._pictures)

    def go_on(self, pictures: Iterable[Pictured]) -> None:
        """Begins with these."""
        self._pictures = list(pictures)

    def picture(self, image: Image, board: Position) -> None:
        """A frame that was read. image: (H, W, 3) uint8 BGR; board: what is believed to stand there."""
        self.shown(thumbnail(image), board)

    def shown(self, jpeg: bytes, board: Position) -> None:
        """The same of a frame's thumbnail()."""
        self._shots.append(_Shot(position_id(board, Side.LIGHT), jpeg))

    def events(self, events: Iterable[AnyEvent]) -> None:
        """What the referee wrote down."""
        for event in events:
            if isinstance(event, Played) and (jpeg := self._shot_of(event.after)) is not None:
                if event.redo and self._pictures and self._pictures[-1].seconds == event.seconds:
                    self._pictures.pop()  # of the turn in whose place this one comes
                self._pictures.append(Pictured(event.seconds, event.side, jpeg, event.dice))

    def _shot_of(self, after: str) -> bytes | None:
        """The newest picture of that board, else the newest of any."""
        shots = list(self._shots)
        return next((shot.jpeg for shot in reversed(shots) if shot.after == after), shots[-1].jpeg if shots else None)


def check_report(path: Path) -> None:
    """Says before the work that the report could not be written. Raises ReportError."""
    if path.suffix.lower() != ".json":
        raise ReportError(f"{path}: choose a name that ends with .json; a page of the same is written beside it.")
    if not path.parent.is_dir() or path.is_dir() or _page(path).is_dir():
        raise ReportError(f"{path} can't be written. Choose a file name in a folder that exists.")
    if not all(os.access(one, os.W_OK) for one in (path.parent, _folder(path)) if one.exists()):
        raise ReportError(f"{path} can't be written. Choose a file name in a folder of your own.")


def check_apart(reports: Iterable[Path], records: Iterable[Path]) -> None:
    """Says before the work that a record would take the place of a report or of its page. Raises ReportError."""
    taken = {one.resolve() for report in reports for one in (report, _page(report))}
    for record in records:
        if record.resolve() in taken:
            raise ReportError(f"{record} would be the record and the report, too. Choose another name for one of them.")


def write_report(path: Path, transcript: Transcript, pictures: Iterable[Pictured] = ()) -> None:
    """Writes JSON, page and pictures; those of other moments that are there stay. Raises OSError where they can't be written."""
    folder, jpegs = _folder(path), _named(pictures)
    folder.mkdir(exist_ok=True)
    for name, one in jpegs.items():
        replace_file(folder / name, one.jpeg)
    _remove_others(folder, jpegs)
    held = transcript.held
    lines, there = turns_of(held), pictures_of(path, held)
    turns = [
        _turn(line, line.event, there.get(line.event)) for line in to_look_over(lines) if isinstance(line.event, Played)
    ]
    report = {
        "format": FORMAT,
        "source": transcript.source,
        "record": transcript.record,
        "light_home": transcript.light_home,
        "turns_doubtful": sum(turn.doubtful for turn in turns),
        "gaps": _gaps(lines),
        "turns": turns,
        "version": VERSION,
        "events": [msgspec.Raw(encode(event).encode()) for event in held],
    }
    shown = report_of(held, transcript.source, lambda line: line.event in there)
    addresses = {(turn.game, turn.line): turn.thumbnail for turn in turns if turn.thumbnail}
    page = filled(
        "transcript", "report.html", report=shown, who=_who(shown.players), pictures=addresses, name=path.name
    )
    replace_file(_page(path), page.encode("utf-8", "replace"))
    # What is read again comes last: where anything can't be written it stays as it was.
    replace_file(path, msgspec.json.format(msgspec.json.encode(report), indent=1))


class _StoredReport(msgspec.Struct):
    """What of a report's JSON is read again."""

    format: str
    source: str = ""
    record: str = ""
    light_home: Corner = "bottom-right"
    version: int = 0
    events: list[msgspec.Raw] = []


def read_report(path: Path) -> Transcript:
    """A report that was written. Raises ReportError."""
    try:
        kept = msgspec.json.decode(read_regular(path, MOST_BYTES), type=_StoredReport)
        if kept.format != FORMAT or not kept.events:
            raise ReportError(
                f"{path} is no report that can be gone on with. Write it anew: vrhcab transcribe … --report {path.name}"
            )
        held = tuple(decode(kept.version, bytes(event).decode()) for event in kept.events)
    except FileRefused as error:
        raise ReportError(f"{path} can't be read: {error}.") from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, EventError) as error:
        raise ReportError(f"{path} is no report of vrhcab transcribe ({error}).") from error
    return Transcript(kept.source, kept.record, held, kept.light_home)


def pictures_of(path: Path, held: Iterable[AnyEvent]) -> dict[AnyEvent, Path]:
    """The pictures of these turns in the report at that path, of which there are any."""
    at_moments = defaultdict[str, list[Played]](list)
    for line in turns_of(held):
        if isinstance(line.event, Played):
            at_moments[_moment(line.event)].append(line.event)
    files = _files(_folder(path))
    return {
        event: file
        for moment, turns in at_moments.items()
        for event, file in _each_its_own(turns, files[moment]).items()
    }


def _who(players: tuple[str, str]) -> list[str]:
    """Who plays White and who Black; by the colour alone whom nobody has named."""
    colours, names = COLOURS["en"], called(players, "en")
    return [colours[side] if names[side] == colours[side] else f"{names[side]} ({colours[side]})" for side in Side]


def _page(report: Path) -> Path:
    return report.with_suffix(".html")


def _folder(report: Path) -> Path:
    return report.with_name(report.stem + "-thumbnails")


_FILE = re.compile(r"(turn-\d+-(?:light|dark))(?:-(\d{1,6}))?(?:-([1-6]{2}))?\.jpg")
"""A picture's moment, which of those of that moment it is, and the dice; earlier programs left the first out, and all the last."""


def _moment(turn: Pictured | Played) -> str:
    """When a turn was written down, which stays when lines before it are put in or taken out, and whose it is."""
    return f"turn-{turn.seconds * 1000:09.0f}-{turn.side.value}"


def _dice(turn: Pictured | Played) -> str:
    """By which those of one moment are told apart: what is put in before a turn may change its board, but not what was thrown."""
    return "".join(map(str, sorted(turn.dice or (), reverse=True)))


def _named(pictures: Iterable[Pictured]) -> dict[str, Pictured]:
    """A match's pictures by the names of their files."""
    number, named = Counter[str](), dict[str, Pictured]()
    for one in pictures:
        number[moment := _moment(one)] += 1
        named["-".join(filter(None, (moment, str(number[moment]), _dice(one)))) + ".jpg"] = one
    return named


def _remove_others(folder: Path, named: Mapping[str, Pictured]) -> None:
    """What the recording showed at these moments when it was transcribed before. Raises OSError."""
    files = _files(folder)
    for path in [path for moment in {_moment(one) for one in named.values()} for _, path in files[moment]]:
        if path.name not in named:
            path.unlink(missing_ok=True)


def _files(folder: Path) -> defaultdict[str, list[tuple[str, Path]]]:
    """By their moments the pictures in the folder, each with its turn's dice, in the order in which they were played."""
    found = [(name, path) for path in _listed(folder) if (name := _FILE.fullmatch(path.name))]
    files = defaultdict[str, list[tuple[str, Path]]](list)
    for name, path in sorted(found, key=lambda one: int(one[0][2] or 1)):
        files[name[1]].append((name[3] or "", path))
    return files


def _listed(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:
        return []


def _each_its_own(turns: Iterable[Played], files: Iterable[tuple[str, Path]]) -> dict[Played, Path]:
    """Pictures of one moment to the turns of their dice; the others, as of turns that were corrected, in their order."""
    left, own, others = list(files), dict[Played, Path](), list[Played]()
    for turn in turns:
        found = next((one for one in left if one[0] == _dice(turn)), None)
        if found is None:
            others.append(turn)
        else:
            left.remove(found)
            own[turn] = found[1]
    return own | dict(zip(others, (path for _, path in left), strict=False))


def _turn(line: LineOfGame, event: Played, picture: Path | None) -> ReportedTurn:
    return ReportedTurn(
        game=line.game,
        turn=line.turn,
        line=line.line,
        player=event.side.value,
        dice=event.dice,
        play=event.notation,
        before=event.before,
        after=event.after,
        legal=event.legal,
        sure=1.0 if line.confirmed else event.sure,
        doubtful=line.doubt == "doubtful",
        roll_seen=event.roll_seen,
        seconds=round(event.seconds, 2),
        corrected=line.confirmed,
        flags=tuple(dict.fromkeys(flag.code for flag in line.flags)),
        thumbnail=f"{picture.parent.name}/{picture.name}" if picture else None,
    )


def _gaps(lines: Iterable[LineOfGame]) -> list[ReportedGap]:
    found, turns = [], dict[int, int]()
    for line in lines:
        turns[line.game] = max(turns.get(line.game, 0), line.turn)
        if isinstance(event := line.event, Found):
            found.append(
                ReportedGap(
                    game=line.game,
                    turn=turns[line.game],
                    position=event.position,
                    seconds=round(event.seconds, 2),
                    lost=event.lost,
                )
            )
    return found
