"""The codes of what a referee says, by name: what events keep, lamps and pages show, and the phrases explain.

R01 to R24 are known from tournaments; R25 onwards were added for rules that those do not name.
"""

from __future__ import annotations

from enum import StrEnum


class Code(StrEnum):
    """One thing that can be wrong. Its value is what is written down, so a newer program's code stays a plain text here."""

    DIE_NOT_FLAT = "R01"
    DIE_OUTSIDE = "R02"
    DIE_ON_CHECKER = "R03"
    ROLLED_EARLY = "R04"
    NOT_THE_ROLL = "R05"
    BOTH_DICE_PLAYABLE = "R06"
    LARGER_DIE = "R07"
    BAR_FIRST = "R08"
    BLOCKED_POINT = "R09"
    HIT_CHECKER_NOT_ON_BAR = "R10"
    BORE_OFF_EARLY = "R11"
    WRONG_NUMBER_OF_CHECKERS = "R12"
    WRONG_SET_UP = "R13"
    DOUBLED_IN_CRAWFORD_GAME = "R14"
    DOUBLED_AFTER_ROLL = "R15"
    NOT_CUBE_OWNER = "R16"
    CUBE_NOT_CENTRED = "R17"
    SCORES_DIFFER = "R18"
    ILLEGAL_PLAY_STANDS = "R19"
    TIME_OUT = "R20"
    NO_LEGAL_MOVE = "R21"
    READING_UNCERTAIN = "R22"
    VIEW_BLOCKED = "R23"
    OPPONENT_MAY_CONDONE = "R24"
    CHECKER_FURTHER_BACK = "R25"
    OTHER_SIDE_MOVED = "R26"
    TOO_MANY_ON_POINT = "R27"
    BOTH_SIDES_ON_POINT = "R28"
    ALL_BORNE_OFF = "R29"
    BOTH_CLOSED_OUT = "R30"
    NO_CUBE = "R31"
    NOT_ON_ROLL = "R32"
    CUBE_LIMIT = "R33"
    DEAD_CUBE = "R34"
    NO_BEAVER = "R35"
    NO_RACCOON = "R36"
    NO_DOUBLE_OFFERED = "R37"
    DOUBLE_OFFERED = "R38"
    RESIGN_BEFORE_ROLL = "R39"
    NO_SUCH_RESIGNATION = "R40"
    OTHER_SIDE_ANSWERS = "R41"
    BEAVER_MUST_BE_TAKEN = "R42"
    OTHER_SIDE_BEGINS = "R43"
    TRACK_LOST = "R44"
    OTHERS_DICE = "R45"


class Wording(StrEnum):
    """Another sentence of a code, where one does not do. Its value is what is written down, too."""

    ROLL_STANDS = "R04-stands"
    OPPONENT_CHOOSES = "R04-opponent-chooses"
    ROLL_AGAIN = "R04-reroll"
    MOVED_SINCE = "R05-since"
    DOUBLE_PLAYABLE = "R06-doubles"
    DOUBLE_PLAYABLE_ONCE = "R06-once"
    STANDS_SINCE_LIFTED = "R19-lifted"
    TURN_UNCERTAIN = "R22-turn"
    GAME_UNENDED = "R22-game"


OF_TOURNAMENTS = frozenset(
    {
        Code.DIE_NOT_FLAT,
        Code.DIE_OUTSIDE,
        Code.DIE_ON_CHECKER,
        Code.ROLLED_EARLY,
        Code.ILLEGAL_PLAY_STANDS,
        Code.SCORES_DIFFER,
        Code.TIME_OUT,
        Code.OPPONENT_MAY_CONDONE,
    }
)
"""What tournament rules ask of people, and none of the texts speaks of: cocked and stray dice, haste, time, what stands and for how
long. Everything else is the game's own rule, or what the camera can't see."""
