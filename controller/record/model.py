"""A recorded match as a value: what every reader makes, every writer takes, and JSON spells as "vrhcab-record-1"."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

import msgspec

from controller.errors import ControllerError
from controller.referee.commands import Die
from controller.referee.events import Mark
from controller.referee.names import printable
from controller.rules import StakeAct
from terms.board import SideName

FORMAT: Final = "vrhcab-record-1"

Seat = Literal[0, 1]
"""Index into Record.players: 0 is the left column of a transcript and White in SGF."""

Count = Annotated[int, msgspec.Meta(ge=0, le=1 << 53)]
"""Points and scores; JSON numbers are exact up to here."""

Share = Annotated[int, msgspec.Meta(ge=-(1 << 40), le=1 << 40)]
"""Of a chouette's points: those of as many games as a file can hold come to a number that a database takes."""

Variation = Literal["standard", "nackgammon", "hypergammon"]
"""From where a game begins, as controller.rules.VARIANTS has them."""

CUBE_MOST: Final = 1 << 30
"""No cube shows more; a forged file with a hundred doubles must not make numbers that no format can hold."""

CubeValue = Annotated[int, msgspec.Meta(ge=1, le=CUBE_MOST)]

Point = Annotated[int, msgspec.Meta(ge=0, le=25)]
Step = tuple[Point, Point]
"""Source and target of one checker by one die, from the mover's view: 25 is the bar, 0 is off."""


Level = Literal[1, 2, 3]
"""Of a resignation: single game, gammon, backgammon."""


class RecordError(ControllerError):
    """A record can't be read or written; the text is one sentence for a player, with the line where one is known."""


class RecordedFlag(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that the referee said in a turn. number: the flag's, from 1 in each match; code: as controller.rules.codes has it;
    player: whom it concerns, None for nobody; how: "put right" or "stands", empty while it is open; text: in English;
    translations: by language."""

    number: int
    code: str
    text: str
    player: Seat | None = None
    how: str = ""
    translations: dict[str, str] = msgspec.field(default_factory=dict, name="said")


class Action(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="type", kw_only=True):
    """What every action may carry beside its own fields.

    line: line of the file it was read from. seconds: since the recording began. took: seconds that the turn took.
    wall_time: UTC, ISO 8601.
    confidence: 0 to 1, of the reading. inferred: not seen, but concluded from what was.
    corrected: a person put it right. flags: codes of what the referee said; flagged: the same in full.
    evidence: names of the pictures and clips kept for it. comment: free text. mark: what somebody thought of it, as in chess.
    """

    line: int | None = None
    seconds: float | None = None
    took: float | None = None
    wall_time: str = ""
    confidence: float | None = None
    inferred: bool = False
    corrected: bool = False
    flags: tuple[str, ...] = ()
    flagged: tuple[RecordedFlag, ...] = msgspec.field(default=(), name="said")
    evidence: tuple[str, ...] = ()
    comment: str = ""
    mark: Mark = ""

    @property
    def kind(self) -> str:
        """What it is called in the formats: "play", "take"."""
        return str(self.__struct_config__.tag)


class PlayAction(Action, frozen=True, tag="play", kw_only=False):
    """A roll and what was played with it; without moves it is a dance.

    before, after: GNU Backgammon Position IDs with this play's mover on roll in both.
    legal: False for a play that stood although the rules forbid it; `after` is then the board as it was left, which
        the moves may not explain.
    """

    player: Seat
    dice: tuple[Die, Die]
    moves: tuple[Step, ...]
    before: str
    after: str
    legal: bool


class RollAction(Action, frozen=True, tag="roll", kw_only=False):
    """A roll after which nothing more is known of the turn: resigned with the dice on the board, or not recorded."""

    player: Seat
    dice: tuple[Die, Die]


class DoubleAction(Action, frozen=True, tag="double", kw_only=False):
    """An offer of the cube; value is the new value, as in "Doubles => 2"."""

    player: Seat
    value: CubeValue


class BeaverAction(Action, frozen=True, tag="beaver", kw_only=False):
    """A take with an immediate redouble that keeps the cube; value is the new value."""

    player: Seat
    value: CubeValue


class RaccoonAction(Action, frozen=True, tag="raccoon", kw_only=False):
    """The doubler's answer to a beaver; value is the new value."""

    player: Seat
    value: CubeValue


class TakeAction(Action, frozen=True, tag="take", kw_only=False):
    """The offered cube is accepted."""

    player: Seat


class PassAction(Action, frozen=True, tag="pass", kw_only=False):
    """The offered cube is declined; the game ends."""

    player: Seat


class ResignAction(Action, frozen=True, tag="resign", kw_only=False):
    """This player gives the game up. points: what the opponent scores, level: as what it was given up; None where nobody wrote
    it down."""

    player: Seat
    points: Count | None = None
    level: Level | None = None


class RefusedAction(Action, frozen=True, tag="refused", kw_only=False):
    """This player offered to give the game up at that level, and the opponent refused: play goes on."""

    player: Seat
    level: Level = 1


class SetAction(Action, frozen=True, tag="set", kw_only=False):
    """A person set the board or the cube otherwise, in the middle of a game, or there is a gap. player: who is on roll then.

    position: Position ID with that player on roll, empty where the board stayed. cube: its value, None where the cube
    stayed; owner: whose it is, None for nobody's. gap: seconds in which nobody saw what was played; None where a person set it.
    """

    player: Seat
    position: str = ""
    cube: CubeValue | None = None
    owner: Seat | None = None
    gap: float | None = None


AnyAction = (
    PlayAction
    | RollAction
    | DoubleAction
    | BeaverAction
    | RaccoonAction
    | TakeAction
    | PassAction
    | ResignAction
    | RefusedAction
    | SetAction
)


class TeamCubeAct(msgspec.Struct, frozen=True):
    """What was done with a team player's own cube in a chouette: by that seat, after so many of the game's actions."""

    name: str
    act: StakeAct
    player: Seat
    after: Count


class TeamGame(msgspec.Struct, frozen=True, omit_defaults=True):
    """A game of a chouette. order: the players, the box (player 0) first, then the captain (player 1); shares: what each won, or
    lost where less than 0, none while it is unfinished."""

    order: Annotated[tuple[str, ...], msgspec.Meta(min_length=2)]
    cubes: tuple[TeamCubeAct, ...] = ()
    shares: dict[str, Share] = {}


class Game(msgspec.Struct, frozen=True, omit_defaults=True):
    """One game.

    score: announced before it. winner, points: None while unfinished or unknown. points: not capped to what was needed.
    announced_points: what the record claims, where it claims anything else than `points`.
    start: Position ID with player 0 on roll, where the game does not begin from the variation's starting position.
    cube: value of the cube at the start, more than 1 after automatic doubles; owner: whose it was, None for a centred one.
    draws: player 0's and player 1's die of each draw for the start that was written down. team: who takes part, in a chouette.
    on_roll: whose turn it is where the game has a start and no actions, None where nobody says.
    light: who has the light checkers, where the players have changed colours since the first game.
    """

    score: tuple[Count, Count]
    crawford: bool
    winner: Seat | None
    points: Count | None
    actions: tuple[AnyAction, ...]
    announced_points: Count | None = None
    start: str = ""
    cube: CubeValue = 1
    owner: Seat | None = None
    draws: tuple[tuple[Die, Die], ...] = ()
    team: TeamGame | None = None
    on_roll: Seat | None = None
    light: Seat = 0
    line: int | None = None
    comment: str = ""


class Player(msgspec.Struct, frozen=True, omit_defaults=True):
    """color: in the first game. name: without what can't be printed, whoever wrote it: a line end or a turned direction would break
    a format or mislead a reader. rating and experience as the record gives them, whatever the system."""

    name: str
    color: SideName
    rating: float | None = None
    experience: int | None = None

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "name", printable(self.name))


class Record(msgspec.Struct, frozen=True, omit_defaults=True):
    """A match, or a money session where length is 0.

    problems: what is wrong with it, one sentence each, with line numbers where it came from a text file.
    date: yyyy-mm-dd; time: HH:MM. rules: name of the rule set; rule_keys: all its rules by full name, where they are known.
    jacoby, beavers, crawford_rule: None where the record does not say.
    tags: header lines of other programs, kept as they were.
    """

    format: Literal["vrhcab-record-1"]
    file: str
    length: Count
    problems: tuple[str, ...]
    players: tuple[Player, Player]
    games: tuple[Game, ...]
    event: str = ""
    round: str = ""
    place: str = ""
    date: str = ""
    time: str = ""
    transcriber: str = ""
    match_id: str = ""
    clock: str = ""
    comment: str = ""
    rules: str = ""
    rule_keys: dict[str, Any] = {}
    variation: Variation = "standard"
    jacoby: bool | None = None
    beavers: bool | None = None
    crawford_rule: bool | None = None
    cube_limit: CubeValue | None = None
    tags: dict[str, str] = {}

    @property
    def chouette(self) -> TeamGame | None:
        """Its first game with one who plays against a team, if it has any."""
        return next((game.team for game in self.games if game.team), None)

    @property
    def everybody(self) -> tuple[str, ...]:
        """Who takes part: the two, or all players of a chouette."""
        return self.chouette.order if self.chouette else tuple(player.name for player in self.players)


def make_record(
    players: tuple[Player, Player], games: tuple[Game, ...], length: int, file: str = "", problems: tuple[str, ...] = ()
) -> Record:
    """A Record of this format; everything else it can say is added with msgspec.structs.replace."""
    return Record(format=FORMAT, file=file, length=length, problems=problems, players=players, games=games)
