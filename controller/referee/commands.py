"""What people may say to the referee, on the page or with the panel's buttons, as frozen values; the contract with web/.

    command = msgspec.json.decode(b'{"type": "undo"}', type=AnyCommand)

On the wire a command is one JSON object whose "type" names it. Sides are "light" and "dark". A turn is named by its number in the
list of its game's lines, from 1; the game by its number in the match, None for the present one. Positions are GNU BG Position IDs
with light on roll, or XGIDs where that is said.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta, Struct

from controller.errors import ControllerError
from controller.referee.events import How, Mark
from controller.rules import Side, StakeAct
from terms.board import Corner
from terms.role import Role
from vision.sentence import Sentence

Die = Annotated[int, Meta(ge=1, le=6)]
LineNumber = Annotated[int, Meta(ge=1, le=10_000)]
GameNumber = Annotated[int, Meta(ge=1, le=10_000)]
Point = Annotated[int, Meta(ge=0, le=25)]
HIGHEST_CUBE = 1 << 20
"""What a cube may show where the rules set no limit."""
Points = Annotated[int, Meta(ge=0, le=999)]
Name = Annotated[str, Meta(min_length=1, max_length=40)]
ShortText = Annotated[str, Meta(max_length=200)]
Moves = Annotated[tuple[tuple[Point, Point], ...], Meta(max_length=4)]


class CommandError(ControllerError):
    """Why a command is refused: a sentence for whoever gave it. lead: what of it is no reason of the rules, in English;
    translations: the rules' reasons by language."""

    def __init__(self, lead: str, /, translations: Mapping[str, str] | None = None, **values: object) -> None:
        self.lead, self.translations = Sentence(lead, **values), dict(translations or {})
        reasons = Reasons(self.translations)
        super().__init__(
            self.lead
            if not translations
            else Sentence("{lead} {reasons}" if lead else "{reasons}", lead=self.lead, reasons=reasons)
        )


class Reasons(dict[str, str]):
    """The rules' reasons by language; in English where they are written."""

    def __format__(self, how: str) -> str:
        return self.get("en", "")


class ScoreChangesError(CommandError):
    """A correction would change the score: it is done where the command says that this is meant (sure)."""


class Command(Struct, frozen=True, tag_field="type", kw_only=True, forbid_unknown_fields=True):
    """The base of all commands."""


class Confirm(Command, frozen=True, tag="confirm"):
    """The doubtful turn is right."""

    turn: LineNumber
    game: GameNumber | None = None


class MarkTurn(Command, frozen=True, tag="mark"):
    """What somebody thinks of a play or of a cube action, as in chess; "" takes it back."""

    turn: LineNumber
    mark: Mark
    game: GameNumber | None = None


class Draw(Command, frozen=True, tag="draw"):
    """Each player has thrown one die for the start. Where the rules have it so, the first turn is played with them."""

    light: Die
    dark: Die


class ExchangeColours(Command, frozen=True, tag="colours"):
    """Whoever drew the higher die has chosen the other colour: the players change sides."""


class Begin(Command, frozen=True, tag="begins"):
    """The players have agreed that this side begins the game."""

    side: Side


class Roll(Command, frozen=True, tag="roll"):
    """Sets or corrects the dice of the turn in progress. side: needed for the opening roll, where no draw says who begins; without
    it whoever is closed out is passed over, where he does not roll."""

    dice: tuple[Die, Die]
    side: Side | None = None


class PlayTurn(Command, frozen=True, tag="play"):
    """Ends the turn in progress by hand. The play as notation ("" for a dance), as moves or as the position after it.

    stands: it is not legal, but it stands.
    """

    notation: ShortText | None = None
    moves: Moves | None = None
    after: ShortText | None = None
    stands: bool = False


class Correct(Command, frozen=True, tag="correct"):
    """An earlier turn was otherwise; what follows it in its game is replayed and judged anew. Without a play: only the dice
    change. game: of the match, from 1; None: the present one. sure: even where the score changes with it."""

    turn: LineNumber
    dice: tuple[Die, Die] | None = None
    notation: ShortText | None = None
    moves: Moves | None = None
    after: ShortText | None = None
    stands: bool = False
    game: GameNumber | None = None
    sure: bool = False


class Insert(Command, frozen=True, tag="insert"):
    """A turn that was missed, before that line. game, sure: as in Correct."""

    turn: LineNumber
    side: Side
    dice: tuple[Die, Die]
    notation: ShortText | None = None
    moves: Moves | None = None
    after: ShortText | None = None
    stands: bool = False
    game: GameNumber | None = None
    sure: bool = False


class Undo(Command, frozen=True, tag="undo"):
    """Takes back the last act: a turn, a cube action, a resignation, what was set, a correction; said again, one more."""


class Redo(Command, frozen=True, tag="redo"):
    """What was taken back last holds again; said again, one more."""


class OfferDouble(Command, frozen=True, tag="double"):
    """The side on roll offers the cube."""


class Take(Command, frozen=True, tag="take"):
    """The offered cube is taken."""


class Pass(Command, frozen=True, tag="pass"):
    """The offered cube is refused."""


class Beaver(Command, frozen=True, tag="beaver"):
    """The offered double is taken and doubled again."""


class Raccoon(Command, frozen=True, tag="raccoon"):
    """The beaver is taken and doubled once more."""


class SetCube(Command, frozen=True, tag="cube"):
    """Corrects the cube. value: 1 is the centred cube that shows 64."""

    value: Annotated[int, Meta(ge=1, le=HIGHEST_CUBE)]
    owner: Side | None = None


class Resign(Command, frozen=True, tag="resign"):
    """That side gives the game up, and the opponent has accepted. level: 1 single game, 2 gammon, 3 backgammon."""

    side: Side
    level: Annotated[int, Meta(ge=1, le=3)] = 1


class OfferResign(Command, frozen=True, tag="resign-offer"):
    """That side offers to give the game up at a level; the opponent has not answered yet."""

    side: Side
    level: Annotated[int, Meta(ge=1, le=3)] = 1


class AcceptResign(Command, frozen=True, tag="resign-accept"):
    """The offered resignation is accepted."""


class RefuseResign(Command, frozen=True, tag="resign-refuse"):
    """The offered resignation is refused: the opponent hopes for more."""


class Stake(Command, frozen=True, tag="stake"):
    """In a chouette: the side on roll doubles on that team player's own cube, or whoever has to answers."""

    player: Name
    act: StakeAct


class SetScore(Command, frozen=True, tag="score"):
    """Corrects the score."""

    light: Points
    dark: Points


class SetPosition(Command, frozen=True, tag="position"):
    """The game goes on from this position. position: a Position ID, or xgid. turn: who is on roll; None: who was, or who
    the XGID names."""

    position: ShortText | None = None
    xgid: ShortText | None = None
    turn: Side | None = None


class AnswerFlag(Command, frozen=True, tag="flag"):
    """How a flag ended."""

    number: LineNumber
    how: How


class Pause(Command, frozen=True, tag="pause"):
    """Nothing counts until the players go on."""


class Resume(Command, frozen=True, tag="resume"):
    """The players go on."""


class SetRole(Command, frozen=True, tag="role"):
    """What the device may say from now on."""

    role: Role


class SetNames(Command, frozen=True, tag="names"):
    """The players are called otherwise, in the whole match."""

    light: Name
    dark: Name


class HitClock(Command, frozen=True, tag="clock"):
    """That side has hit its clock: its turn has ended."""

    side: Side


class StartClock(Command, frozen=True, tag="clock-start"):
    """The clock of the side on roll runs."""


class StopClock(Command, frozen=True, tag="clock-stop"):
    """The clock stands still."""


class NewMatch(Command, frozen=True, tag="match"):
    """A new match. length 0: single games without end, None: what is usual by the rules. rules: a preset, None for the present one;
    set: single rules over it, such as "variant=hypergammon". What was set over the present one stays, and so does what the device
    may say. clock: whether one is kept, refused for single games; None for as before, where the match has a length. xgid: where
    it begins. team: of a chouette, those who come after the box (light) and the captain (dark), in their order. begins: who
    begins the first game, where the players agree on that."""

    light: Name
    dark: Name
    length: Annotated[int, Meta(ge=0, le=99)] | None = None
    rules: ShortText | None = None
    set: Annotated[tuple[ShortText, ...], Meta(max_length=20)] = ()
    clock: bool | None = None
    event: ShortText = ""
    place: ShortText = ""
    round: ShortText = ""
    xgid: ShortText | None = None
    team: Annotated[tuple[Name, ...], Meta(max_length=10)] = ()
    begins: Side | None = None


class SetTable(Command, frozen=True, tag="table"):
    """Where the board lies in the picture. corners: "x,y x,y x,y x,y" px, from top-left clockwise; home: light's."""

    corners: Annotated[str, Meta(max_length=400)]
    home: Corner


OF_THE_MOMENT = (
    Undo,
    Redo,
    Roll,
    PlayTurn,
    OfferDouble,
    Take,
    Pass,
    Beaver,
    Raccoon,
    AcceptResign,
    RefuseResign,
)
"""Commands that name neither a line nor a side: what they mean is what the match has come to when they are heard."""

AnyCommand = (
    Confirm
    | MarkTurn
    | Draw
    | ExchangeColours
    | Begin
    | Roll
    | PlayTurn
    | Correct
    | Insert
    | Undo
    | Redo
    | OfferDouble
    | Take
    | Pass
    | Beaver
    | Raccoon
    | SetCube
    | Resign
    | OfferResign
    | AcceptResign
    | RefuseResign
    | Stake
    | SetScore
    | SetPosition
    | AnswerFlag
    | Pause
    | Resume
    | SetRole
    | SetNames
    | HitClock
    | StartClock
    | StopClock
    | NewMatch
    | SetTable
)
