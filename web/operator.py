"""What the operator's desk may ask of the program behind the page. The type at web's door: the page knows no rules.

One type for each thing that is asked and answered; the page sends and documents it as it stands. Sides are "light" and "dark";
corners "x,y x,y x,y x,y", px of the full-size picture.
"""

from __future__ import annotations

from typing import Literal, Protocol, TypeVar

import msgspec

from terms.board import Corner, SideName
from terms.doubt import Doubt
from web.view import Message, PlayView


class Answer(msgspec.Struct, frozen=True):
    """Whether a command was carried out, and if not, why, in a sentence in English.

    Where the rules say why: translations, their reasons by language ("en", "cs", "sk"); lead, what the sentence says before them.
    asks: it is done where the command says that it is meant ("sure"). message: the sentence in every language.
    """

    ok: bool
    sentence: str = ""
    lead: str | msgspec.UnsetType = msgspec.UNSET
    translations: dict[str, str] | msgspec.UnsetType = msgspec.field(default=msgspec.UNSET, name="said")
    asks: bool | msgspec.UnsetType = msgspec.UNSET
    message: Message | msgspec.UnsetType = msgspec.UNSET


class Refusal(msgspec.Struct, frozen=True):
    """Why there is no answer, in a sentence in English. message: the same in every language; again_s: seconds after which
    there may be one, where that is to be expected."""

    error: str
    message: Message | msgspec.UnsetType = msgspec.UNSET
    again_s: float | msgspec.UnsetType = msgspec.UNSET


class Export(msgspec.Struct, frozen=True):
    """A file for a person to keep."""

    name: str
    media_type: str
    content: bytes


class PlayerPoints(msgspec.Struct, frozen=True):
    """What a player of a chouette has won so far, negative where it is lost."""

    name: str
    points: int


class MatchLine(msgspec.Struct, frozen=True):
    """A match in a list. id: the journal's name for it; score: points; over: somebody has won it; date: of its first event,
    where we are. standings: only of a chouette, as its players sat down, the box first; it has no score of two sides (0, 0)."""

    id: str
    light: str
    dark: str
    length: int
    score: tuple[int, int]
    games: int
    over: bool
    date: str
    standings: tuple[PlayerPoints, ...] | msgspec.UnsetType = msgspec.UNSET


class PlayerLine(msgspec.Struct, frozen=True):
    """A player in a list. matches, won: how many are over, and how many of them were won; judged: how many GNU Backgammon has
    judged; error_rate: in all of those together, as a PlayerAnalysis has it."""

    name: str
    matches: int
    won: int
    judged: int
    error_rate: float | None


class PlayedMatch(msgspec.Struct, frozen=True):
    """A match as one of its players sees it. score: own points first; won: None where nobody has more points; error_rate, luck:
    None where nobody has judged it; decisions: as a PlayerAnalysis has them. points: only of a chouette, where opponent names all
    the others, score is of nobody (0, 0), and who has won points has won."""

    id: str
    date: str
    opponent: str
    length: int
    score: tuple[int, int]
    won: bool | None
    error_rate: float | None
    decisions: int
    luck: float | None
    points: int | msgspec.UnsetType = msgspec.UNSET


class PlayedMatches(msgspec.Struct, frozen=True):
    """A player's matches. matches, won: as of a PlayerLine; played: the newest of them, the newest first."""

    name: str
    matches: int
    won: int
    played: tuple[PlayedMatch, ...]


class LegalPlay(msgspec.Struct, frozen=True):
    """moves: (from, to) in the mover's numbers, 25 bar, 0 off; after: Position ID with light on roll."""

    notation: str
    moves: tuple[tuple[int, int], ...]
    after: str


class BoardOnTheWay(msgspec.Struct, frozen=True):
    """A board in the course of the turn. legal: the turn may end there; steps: (from, to, number of the board after it)."""

    after: str
    legal: bool
    steps: tuple[tuple[int, int, int], ...]


class Legal(msgspec.Struct, frozen=True):
    """What may be played in the turn in progress; boards[0] is the present one."""

    side: SideName | None
    dice: tuple[int, int] | None
    plays: tuple[LegalPlay, ...]
    boards: tuple[BoardOnTheWay, ...]


class GameLines(msgspec.Struct, frozen=True):
    """A game of the match before the running one. number: from 1; light, dark: who played; score: theirs before it; winner: None
    where it has none; points: that it was worth; plays: its lines. In a chouette points are what the winner himself has won, of all
    cubes, and there is none where that is nothing."""

    number: int
    light: str
    dark: str
    score: tuple[int, int]
    winner: SideName | None
    points: int
    plays: tuple[PlayView, ...]


class FoundBoard(msgspec.Struct, frozen=True):
    """corners: "x,y x,y x,y x,y", px of a picture of this size, from the top left clockwise; weak: what is, each in its
    sentences."""

    corners: str
    home: str | None
    confidence: float
    size: tuple[int, int]
    weak: tuple[tuple[str, ...], ...]
    weak_messages: tuple[Message, ...] = ()


class NoBoard(msgspec.Struct, frozen=True):
    """Why no board was found, in a sentence in English; size: of the picture in which it was sought, None where there is none;
    message: the sentence in every language."""

    error: str
    size: tuple[int, int] | None
    message: Message | msgspec.UnsetType = msgspec.UNSET


class PhotoRead(msgspec.Struct, frozen=True):
    """A photo's position.

    points: 24 signed counts, light's point 1 first; bar, off: light's and dark's; home: where light bears off in the photo;
    sure: probability that all of it is right; notes: sentences in English on what was assumed; messages: the same in every
    language.
    """

    xgid: str
    position: str
    points: tuple[int, ...]
    bar: tuple[int, int]
    off: tuple[int, int]
    dice: tuple[int, ...]
    cube: int | None
    home: str
    sure: float
    notes: tuple[str, ...]
    messages: tuple[Message, ...] = ()


class PlayerAnalysis(msgspec.Struct, frozen=True):
    """name: "" in a chouette, where the first is the box and the second the team, whoever they were in each game; error_rate:
    equity lost for each unforced decision, in thousandths of the cube's value, GNU Backgammon's mEMG (None without one); decisions:
    how many those were; luck: equity that the dice gave, in cubes."""

    name: str
    error_rate: float | None
    decisions: int
    luck: float


class Mistake(msgspec.Struct, frozen=True):
    """A play or cube action that lost something. game: from 1; number: action in it, from 1; player: 0 is the first of the record.

    played, better: "31: 8/5 6/5", "31: no move", or what was done with the cube. lost: equity, in cubes as that of a Moment.
    """

    game: int
    number: int
    player: Literal[0, 1]
    played: str
    better: str
    lost: float


class Moment(msgspec.Struct, frozen=True):
    """After one play. number: action in its game, from 1; chance: that player 0 wins the game, 0-1; equity: player 0's,
    in cubes (1 wins what the cube shows, 2 a gammon), the cube and the score reckoned with."""

    number: int
    chance: float
    equity: float


class MatchAnalysis(msgspec.Struct, frozen=True):
    """GNU Backgammon's verdict. course: game by game; light: as well, who has the light checkers, where the players have changed
    colours."""

    players: tuple[PlayerAnalysis, ...]
    worst: tuple[Mistake, ...]
    course: tuple[tuple[Moment, ...], ...]
    light: tuple[Literal[0, 1], ...] = ()


class CoachedTurn(msgspec.Struct, frozen=True):
    """One turn. number: of its line in the game; played, better: as of a Mistake, the same where nothing was better; lost: equity;
    doubling: lost by not having doubled before it, in the unit of a Mistake."""

    number: int
    side: SideName
    played: str
    better: str
    lost: float
    doubling: float


class Coached(msgspec.Struct, frozen=True):
    """What the coach says of the game on the board. turns: the newest first; note: why nobody is coached, in a
    sentence, note_message: in every language; again_s:
    seconds after which there may be more, where that is to be expected."""

    turns: tuple[CoachedTurn, ...] = ()
    note: str = ""
    again_s: float | msgspec.UnsetType = msgspec.UNSET
    note_message: Message | None = None


class LikelyPlay(msgspec.Struct, frozen=True):
    """What else may have been played. after: Position ID with light on roll; sure: share of the belief, 0-1."""

    dice: tuple[int, int]
    notation: str
    after: str
    sure: float


class Remark(msgspec.Struct, frozen=True):
    """What the referee said of a line. text: in English; translations: in other languages, by language."""

    code: str
    text: str
    translations: dict[str, str] = msgspec.field(default_factory=dict, name="said")


class ReportLine(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a match. game, line: as commands name it; turn: which play of its game it is, 0 for what is none.

    doubt: why somebody should look at it, null where there is no reason. sure: 0-1. seconds: time in the recording when it was
    written down. before, after: Position IDs with light on roll. others: what else may have been played. corrected: a person has
    said it so, or that it is right. lost: of a gap, for how many seconds the board was not followed. picture: there is one.
    """

    game: int
    line: int
    turn: int
    side: SideName | None
    dice: tuple[int, int] | None
    notation: str
    legal: bool
    doubt: Doubt | None
    sure: float
    roll_seen: bool
    seconds: float
    before: str | None = None
    after: str | None = None
    flags: tuple[Remark, ...] = ()
    others: tuple[LikelyPlay, ...] = ()
    corrected: bool = False
    lost: float | None = None
    picture: bool = False


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """A match to be looked over. players: light and dark of its last game; seated: of those games in which others sat there, by
    number. lines: what is in doubt first. match: its name in the list of matches, "" where there is no list; checkers: that a side
    has. record: the file that is written anew with every correction, "" where the journal alone keeps it; trouble: why it could not
    be written. undo, redo: whether there is anything to."""

    source: str
    players: tuple[str, str]
    seated: dict[int, tuple[str, str]] = {}
    lines: tuple[ReportLine, ...]
    match: str = ""
    checkers: int = 15
    light_home: Corner = "bottom-right"
    record: str = ""
    trouble: str = ""
    trouble_message: Message | None = None
    undo: bool = False
    redo: bool = False


Which = Literal["before", "after", "clip"]
"""The pictures that are kept of something: the board before and after it, and a clip between."""

Form = Literal["mat", "sgf", "json", "csv", "txt", "html"]
"""The formats that a match is given out in; html is its score sheet, to be printed."""

Command = TypeVar("Command", bound=msgspec.Struct)


class Operator(Protocol[Command]):
    """The referee as the desk sees it. Calls come from any thread and return within some seconds.

    Pictures and files are bytes; everything else is a value whose type says what the page sends and documents.
    """

    @property
    def command_types(self) -> tuple[type[Command], ...]:
        """What may be said to the referee: tagged types, told apart by their "type"."""

    @property
    def record_type(self) -> type[msgspec.Struct]:
        """What a match's record is."""

    def command(self, command: Command, by: str = "", seen: int | None = None) -> Answer:
        """Carries out one command. by: whose it is, where that is known; seen: the number of the view at which it is said, where
        that is known: what goes by the moment is refused where more has happened since."""

    @property
    def correction_types(self) -> tuple[type[Command], ...]:
        """Of these, what may be said of a match that is not on any more."""

    def correct(self, match: str, command: Command, by: str = "") -> Answer:
        """Carries out one of those in any match."""

    def legal(
        self,
        line: int | None = None,
        dice: tuple[int, int] | None = None,
        game: int | None = None,
        match: str | None = None,
    ) -> Legal:
        """What may be played in the turn in progress, or could have been in an earlier line: with its dice, or with others.
        game: of which it is a line, None for the present one; match: in which, None for the running one."""

    def games(self) -> tuple[GameLines, ...]:
        """The games of the running match before the present one."""

    def report(self, match: str | None = None) -> Report | None:
        """A match to be looked over, the running one where none is named; None where there is none."""

    def line_picture(self, game: int, line: int, match: str | None = None) -> bytes | None:
        """The board at one line of it, JPEG, where a picture was kept."""

    def picture(self) -> bytes | None:
        """The camera's newest frame as JPEG; None where there is none."""

    def find(self) -> FoundBoard | NoBoard:
        """Where the board lies in that frame."""

    def read(self, picture: bytes) -> PhotoRead | Refusal:
        """The position on a photo: JPEG, PNG or WebP."""

    def matches(self) -> tuple[MatchLine, ...]:
        """Every match, newest first. The same tuple as long as nothing has changed."""

    def players(self, hidden: frozenset[str]) -> tuple[PlayerLine, ...]:
        """Every player, those with the most matches first. hidden: matches that are not told of. The same tuple as long as nothing
        has changed."""

    def played(self, name: str, hidden: frozenset[str]) -> PlayedMatches | None:
        """That player's matches; None where there is none."""

    def match(self, identity: str, *, judged: bool) -> msgspec.Struct | None:
        """A match's record, None for an unknown one. judged: with what the referee said in it."""

    def export(self, identity: str, form: Form, *, judged: bool, language: str = "en") -> Export | None:
        """A match as a file, None for an unknown match. judged: as above; language: of the score sheet and
        of what stands for a file."""

    def analyse(self, identity: str) -> MatchAnalysis | Refusal:
        """GNU Backgammon's verdict, which is kept."""

    def analysis(self, identity: str) -> MatchAnalysis | Refusal:
        """The verdict that is kept of a match; why there is none."""

    def coached(self, side: SideName | None) -> Coached:
        """What the coach says to who plays that side; None for a viewer, who may play either."""

    def frame(self, flag: int, which: Which) -> bytes | None:
        """The pictures kept for a flag of the running match: JPEG, or the clip's file."""

    def turn_frame(self, number: int, which: Which) -> bytes | None:
        """The same for a doubtful line of the running game, by its number."""

    def test(self, what: Literal["lamps", "buzzer"]) -> Answer:
        """Lights every lamp or sounds the buzzer for a moment."""
