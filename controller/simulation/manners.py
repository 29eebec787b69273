"""What simulated players play, how often they err, and what they do otherwise than most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from controller.rules import MATCH, RuleSet, Side
from controller.simulation.errors import SimulationError

Errors = Literal["none", "some", "many", "unnoticed"]

Manner = Literal[
    "to their left",
    "light to his left",
    "dice left lying",
    "dice lifted first",
    "dice put aside",
    "one pair of dice",
    "spare dice",
    "doubles by word",
    "cube never turned",
    "cube put back late",
    "hit checkers aside",
    "borne off to the bar",
    "borne off to the outer board",
    "ends exchanged",
    "plays tried out",
    "in a hurry",
    "set up wrong",
    "die off the board",
    "throws called off",
    "into either half",
    "dice knocked over",
    "dice lifted at once",
    "dice lifted one by one",
    "changed after lifting",
    "changed after the next throw",
    "checkers knocked over",
    "checkers put back wrong",
    "positions talked over",
    "opening thrown afresh",
    "offers taken back",
    "cube put back at once",
    "turns called off",
    "last game left",
    "no cube",
    "cube left where offered",
]
"""What players do that is no error of theirs; without any they throw into their own right half, take their dice up after the turn
and push the cube over the board. Both throw into their left half, or light does; each leaves his dice until he throws again, takes
them up before his last checker is moved, or lays them out of the way before he moves; both throw the same two; a third pair lies on
the bar; they double by word of mouth, so that a cube goes to its owner once it is taken, and nowhere when it is passed; they never
turn it; they put it back in the course of the next game; they lay hit checkers on the table until they come in; they bear off onto
the bar, or onto their outer board, as where there is no tray; each game is set up the other way round; they try plays out on the
board; they wait for nothing; one checker of each set-up stands a point off until one of them sees it.

Now and then one die of a throw falls to the floor, or they agree that a throw does not count, and both are thrown again; a hand
turns a die while checkers are moved; a turn is played otherwise once its dice are lifted, or once the opponent has thrown, who
then throws again; or it does not count once it is played, is put back, and both dice are thrown anew; checkers are knocked over
and put back, or one of them wrong, which nobody sees; between two turns they try out how the game might go on, and put all of it
back. Whoever wins the opening throws both dice anew. They throw into either half; they lift their dice before they move a checker,
or one after the other; the last game stands there until they set the first one up; they have no cube, or leave it where it was
offered, take an offer back before it is answered, or put the cube back as soon as it is passed."""

TO_THEIR_LEFT: dict[Manner, frozenset[Side]] = {
    "to their left": frozenset(Side),
    "light to his left": frozenset({Side.LIGHT}),
}

ERROR_SHARE: dict[Errors, float] = {"none": 0.0, "some": 0.14, "many": 0.34, "unnoticed": 0.14}
"""Share of the turns in which a player errs: every seventh, every third. "unnoticed": an illegal play stands wherever the game
can go on from it, as it does where nobody listens to the referee."""


@dataclass(frozen=True)
class SimulatedMatch:
    """What simulated players play, and how.

    errors: how often they err; length: points, 0 for `games` single games; resigns: they give hopeless games up by word of mouth,
    which nobody sees; manners: what they do otherwise than most. Raises SimulationError where it has neither a length nor games.
    """

    errors: Errors = "some"
    length: int = 3
    games: int = 0
    rules: RuleSet = MATCH
    resigns: bool = False
    manners: frozenset[Manner] = frozenset()

    def __post_init__(self) -> None:
        if max(self.length, self.games) < 1:
            raise SimulationError("A simulated match needs a length, or a number of games, above 0.")
