"""A rule set: every rule that the texts and the tournament rules disagree on, as frozen values, and the presets."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from controller.rules.errors import RuleSetError
from terms.role import Role


@dataclass(frozen=True)
class EquipmentRules:
    """dice_by_colour: each player has a pair of dice of his own colour, so that they show whose roll it is."""

    dice_by_colour: bool = False


@dataclass(frozen=True)
class StartRules:
    """Who begins, and with which dice. first: whoever drew the higher or the lower die, or as the players agree; high_prize: what
    the higher die wins beside; opening_dice: the first turn is played with the dice of the draw, or the starter rolls afresh."""

    first: Literal["high", "low", "agreed"] = "high"
    high_prize: Literal["none", "colour"] = "none"
    opening_dice: Literal["draw", "fresh"] = "draw"


@dataclass(frozen=True)
class DiceRules:
    """Which rolls count."""

    landing: Literal["right-half", "board", "table"] = "right-half"
    on_checker: Literal["cocked", "valid"] = "cocked"
    premature_roll: Literal["stands", "opponent-chooses", "reroll"] = "stands"
    baffle: bool = False


@dataclass(frozen=True)
class MoveRules:
    """How a roll is played.

    intermediate: whether a checker moved by more than one die must find each step open, or only its end.
    hit_on_touch: a step given by one die hits; else only the end of a checker's way does.
    stack_limit: most checkers of a side on one point, 0 for any number. doubles: moves that equal dice give.
    """

    compulsory: bool = True
    intermediate: Literal["each-step", "endpoint-only"] = "each-step"
    hit_on_touch: bool = True
    maximise_dice: bool = True
    larger_die: bool = True
    stack_limit: int = 0
    doubles: Literal[2, 4] = 4


@dataclass(frozen=True)
class BarRules:
    """closed_out: a player who cannot enter with any roll skips it, or rolls and loses it."""

    closed_out: Literal["skip-roll", "roll-and-pass"] = "skip-roll"


@dataclass(frozen=True)
class BearoffRules:
    """order: any checker that the die fits, or the rearmost only; excess: what a number higher than needed does."""

    order: Literal["standard", "rear-first"] = "standard"
    excess: Literal["bear-off-rearmost", "exact-only"] = "bear-off-rearmost"
    forced: bool = False


@dataclass(frozen=True)
class Zones:
    """Points for each checker of the loser, by where it stands at the end."""

    bar: int = 4
    winner_home: int = 4
    winner_outer: int = 3
    loser_outer: int = 2
    loser_home: int = 1
    off: int = 0


@dataclass(frozen=True)
class ScoringRules:
    """What a finished game is worth."""

    method: Literal["win-levels", "checker-zones"] = "win-levels"
    backgammon: Literal["none-off-and-in-winner-home-or-bar", "in-winner-home-or-bar", "any-not-home"] = (
        "none-off-and-in-winner-home-or-bar"
    )
    backgammon_requires_none_off: bool = False
    cube_multiplies_zones: bool = False
    zones: Zones = Zones()


@dataclass(frozen=True)
class CubeRules:
    """The doubling cube.

    max: highest value, 0 for none. auto_doubles, beavers: most in one game. dead: a double that cannot gain the doubler
    anything is allowed or refused.
    """

    enabled: bool = True
    max: int = 0
    auto_doubles: int = 0
    beavers: int = 0
    doubler_may_refuse: bool = True
    raccoon: bool = False
    raccoon_owner: Literal["beaverer", "doubler"] = "beaverer"
    jacoby: bool = False
    crawford: bool = True
    dead: Literal["allowed", "refused"] = "allowed"


@dataclass(frozen=True)
class ResignRules:
    """When and at which levels a game may be given up, and whether the opponent may refuse."""

    when: Literal["before-roll", "any-time", "never"] = "before-roll"
    levels: tuple[int, ...] = (1, 2, 3)
    may_refuse: bool = True


@dataclass(frozen=True)
class SessionRules:
    """kind: a match to N points, or a money session of single games."""

    kind: Literal["match", "money"] = "match"


@dataclass(frozen=True)
class StakeRules:
    """point: what one point is worth in play for money, such as "5 Kč"; "" where nobody has said."""

    point: str = ""


@dataclass(frozen=True)
class MatchRules:
    """games: after so many games it is over, and whoever has more points has won; 0: it goes by points, or has no end."""

    games: int = 0


@dataclass(frozen=True)
class VariantRules:
    """position: the starting position, by name; in Hypergammon each side owns three checkers."""

    position: Literal["standard", "nackgammon", "hypergammon"] = "standard"


@dataclass(frozen=True)
class ChouetteRules:
    """players: how many take part (0: no chouette); advice: when the team may advise its captain."""

    players: int = 0
    advice: Literal["free", "after-double", "none"] = "free"
    cubes: Literal["per-player", "one"] = "per-player"


@dataclass(frozen=True)
class IllegalRules:
    """policy: an illegal play must be corrected, or the opponent may condone it; window: until when."""

    policy: Literal["mandatory", "condone"] = "mandatory"
    window: Literal["until-next-roll", "until-dice-lifted"] = "until-next-roll"


@dataclass(frozen=True)
class SetupRules:
    """correct_until_roll: a wrong set-up is put right before this valid roll of the game."""

    correct_until_roll: int = 5


@dataclass(frozen=True)
class ClockRules:
    """delay_s: seconds a move is free; minutes_per_point: reserve for each point of the match."""

    delay_s: int = 12
    minutes_per_point: int = 2


@dataclass(frozen=True)
class TurnRules:
    """end: what ends a turn, lifting the dice or hitting the clock."""

    end: Literal["lift", "clock"] = "lift"


@dataclass(frozen=True)
class DeviceRules:
    """role: whether the device only records, states what is wrong, or also helps."""

    role: Role = "recorder"


@dataclass(frozen=True)
class RuleSet:
    """Everything that can be chosen about the rules. Every default is the usual modern rule."""

    name: str = "match"
    equipment: EquipmentRules = EquipmentRules()
    start: StartRules = StartRules()
    dice: DiceRules = DiceRules()
    move: MoveRules = MoveRules()
    bar: BarRules = BarRules()
    bearoff: BearoffRules = BearoffRules()
    scoring: ScoringRules = ScoringRules()
    cube: CubeRules = CubeRules()
    resign: ResignRules = ResignRules()
    session: SessionRules = SessionRules()
    stake: StakeRules = StakeRules()
    match: MatchRules = MatchRules()
    variant: VariantRules = VariantRules()
    chouette: ChouetteRules = ChouetteRules()
    illegal: IllegalRules = IllegalRules()
    setup: SetupRules = SetupRules()
    clock: ClockRules = ClockRules()
    turn: TurnRules = TurnRules()
    device: DeviceRules = DeviceRules()
    standard_play: bool = field(init=False, repr=False, compare=False, default=True)
    """Plays follow the usual rule, so the fast generator serves. Derived, never chosen."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "standard_play", self.move == MoveRules() and self.bearoff == BearoffRules())

    def __hash__(self) -> int:
        # Plays are remembered by the rules that they follow, and asked for at each look; the name tells nearly all rules apart.
        return hash(self.name)


_ROLL_AND_PASS = BarRules(closed_out="roll-and-pass")
_PLAIN_CUBE = CubeRules(crawford=False, max=64)
_NO_CUBE = CubeRules(enabled=False, crawford=False)
_LOW_STARTS = StartRules(first="low", high_prize="colour", opening_dice="fresh")
_BY_THE_TOTAL = MoveRules(intermediate="endpoint-only", hit_on_touch=False, maximise_dice=False, larger_die=False)

MATCH = RuleSet()
"""Modern tournament rules; the default."""

MONEY = RuleSet(
    name="money",
    cube=CubeRules(crawford=False, jacoby=True, beavers=1),
    session=SessionRules(kind="money"),
)
"""A money session: Jacoby rule and one beaver, no Crawford rule."""

TEXT_000 = RuleSet(
    name="text-000",
    start=_LOW_STARTS,
    dice=DiceRules(landing="table"),
    move=_BY_THE_TOTAL,
    bar=_ROLL_AND_PASS,
    scoring=ScoringRules(method="checker-zones", backgammon="in-winner-home-or-bar"),
    cube=_NO_CUBE,
)
"""Games for points, counted by where the loser's checkers stand."""

TEXT_001 = RuleSet(name="text-001", bar=_ROLL_AND_PASS, cube=_PLAIN_CUBE)

TEXT_002 = RuleSet(name="text-002")

TEXT_003 = RuleSet(
    name="text-003",
    equipment=EquipmentRules(dice_by_colour=True),
    start=StartRules(first="agreed", opening_dice="fresh"),
    move=MoveRules(maximise_dice=False, larger_die=False),
    bar=_ROLL_AND_PASS,
    bearoff=BearoffRules(order="rear-first"),
    scoring=ScoringRules(backgammon="any-not-home"),
    cube=_PLAIN_CUBE,
)

TEXT_004 = RuleSet(
    name="text-004",
    start=_LOW_STARTS,
    move=_BY_THE_TOTAL,
    bar=_ROLL_AND_PASS,
    cube=replace(_PLAIN_CUBE, auto_doubles=1),
    session=SessionRules(kind="money"),
)
"""Its section on play for money: three kinds of loss, each times what the cube shows."""

_TEXT_004_BY_POINTS = replace(
    TEXT_004, scoring=ScoringRules(method="checker-zones"), cube=_NO_CUBE, session=SessionRules()
)
"""Its section on the end of the game: points by where the loser's checkers stand; the cube belongs to play for money."""

_TEXT_000_FOR_MONEY = replace(
    TEXT_000,
    scoring=replace(TEXT_000.scoring, method="win-levels"),
    session=SessionRules(kind="money"),
)
"""Its last paragraph: once, twice or three times the stake."""

PRESETS = {r.name: r for r in (MATCH, MONEY, TEXT_000, TEXT_001, TEXT_002, TEXT_003, TEXT_004)}


def preset_named(name: object) -> RuleSet:
    """The preset of that name. Raises RuleSetError with the names that there are."""
    if not isinstance(name, str) or name not in PRESETS:
        raise RuleSetError(
            "There is no rule set {name}. Choose one of {names}.", name=repr(name), names=", ".join(PRESETS)
        )
    return PRESETS[name]


def for_session(rules: RuleSet, kind: object) -> RuleSet:
    """A preset as it is for a match or for money: two of the texts score these differently, and one has its cube in one of them
    only. In all, the Crawford rule is for matches and the Jacoby rule for money, as text 002 has it; of automatic doubles it says
    nothing of the kind."""
    if kind not in ("match", "money") or kind == rules.session.kind:
        return rules
    of_its_own = {"text-000": _TEXT_000_FOR_MONEY, "text-004": _TEXT_004_BY_POINTS}.get(rules.name)
    if of_its_own is not None:
        return of_its_own
    money = kind == "money"
    cube = replace(
        rules.cube,
        crawford=rules.cube.crawford and not money,
        jacoby=rules.cube.jacoby and money,
    )
    return replace(rules, cube=cube, session=SessionRules(kind="money" if money else "match"))
