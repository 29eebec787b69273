"""Every number of the tracker, with its unit and where it comes from.

Where no measurement is named, a number was chosen so that simulated games (`benchmarks/referee.py`, seeds 101-350 and 501-600)
are followed, and held on the unseen seeds of docs/accuracy.md. "nats" are differences of natural logarithms of probabilities.
"""

from __future__ import annotations

from math import log

# What may follow between two rests of the board: log-probabilities, given the stage that the turn is in.

STAY = log(0.6)
"""Nothing has happened."""
ROLL = log(0.3)
"""Whoever is on roll has thrown."""
ROLL_AND_PLAY = log(0.03)
"""He has thrown and moved, and the dice still lie."""
UNSEEN_TURN = log(0.003)
"""He has thrown, moved and lifted his dice."""
OFFER = log(0.01)
"""The cube is offered before a roll."""
SKIP = log(0.3)
"""Whoever is shut out does not roll, given that he is."""
SHUT_OUT_DOUBLES = log(0.02)
"""Beside others who may double."""
PLAY = log(0.3)
"""Checkers have been moved, and the dice still lie."""
LIFT = log(0.5)
"""The dice are lifted; the play stood there before."""
PLAY_AND_LIFT = log(0.3)
"""Checkers have been moved and the dice lifted."""
END_AND_NEXT_ROLL = log(0.15)
"""The opponent has thrown as well, given that the turn ended."""
NEXT_PLAY = log(0.1)
"""The opponent has moved as well, given that he has thrown."""
IN_PROGRESS = log(0.05)
"""A board that is no legal play stands, and the dice still lie: mostly a play is half made. Shared among as many boards as
there are legal plays: the more of these, the more ways to err and to be half-way."""
FEWEST_WAYS = 10
"""Boards among which it is shared at least."""
ILLEGAL_PLAY = log(0.015)
"""The dice are lifted and no legal play stands; shared likewise."""
LIFT_TOO_EARLY = log(0.3)
"""The dice are lifted, given that what stood before was no legal play."""
OPPONENT_MOVED = log(0.01)
"""Of an illegal board beside others: the opponent's checkers were moved otherwise than by being hit."""
OWN_PUT_ON_THE_BAR = log(0.01)
"""The same: the mover's own checkers were put on the bar."""
CHECKER_GONE = log(0.1)
"""The same, for each checker off the board before bearing off, or beyond the dice."""
GONE_FROM_AFAR = log(0.03)
"""The same, while nobody thinks of bearing off yet."""
NEARLY_HOME = 6
"""Checkers outside the home board at most when somebody begins to bear off by mistake."""
EARLY_ROLL = log(0.003)
"""The opponent throws before the turn has ended."""
PUT_RIGHT = log(0.3)
"""An illegal play is taken back or replaced by a legal one."""
LET_STAND = log(0.02)
"""The game goes on from an illegal play."""
REDO = log(0.005)
"""The turn that ended last is played otherwise before the next roll."""
ANOTHER_ROLL = log(0.005)
"""The dice are thrown again: they were cocked, or early."""
TO_ROLL_AGAIN = log(0.01)
"""The dice are taken up before a checker has moved, and did not count."""
TAKE = log(0.3)
"""The cube is taken."""
TAKE_AND_ROLL = log(0.05)
"""The cube is taken and the dice thrown."""
PASS = log(0.05)
"""The game is given up rather than the cube taken."""
NEXT_GAME = log(0.3)
"""The start position is set up again."""
FEWER_OFF = 0.02
"""Weight of a play that bears off fewer checkers than another of the roll, the most being 1: 25 of 1,234 plays of real matches
in races in which the roll left the choice."""

# After the game, when the board may hold anything and nobody throws.

AFTER_THE_GAME = -6.0
"""nats below the best-fitting board for a board of which nothing is known."""
IDLE_BOARD = -4.0
"""nats for what dice and cube show."""
DICE_ON_IDLE_BOARD = -6.0
"""nats more where two dice lie."""

# What the readers say of columns and bar. A reader that has gone wrong is wrong whole-heartedly; floors keep one such reading
# from vetoing everything else.

COLUMN_FLOOR = 1.5e-4
"""Least probability of a content that is new in its column: 6 of some 40,000 simulated columns whose content was new were read
wrong beyond 1 to 1,000."""
NEWLY_MISREAD = 1e-4
"""Least probability of a content that stayed: 23 of 215,065 unchanged columns were read wrong that had been read right."""
ONE_OFF_ON_THE_BAR = 0.01
"""Probability that a bar is read one checker off."""
ONE_OFF_IN_A_PILE = 0.005
"""Probability that a pile is read one checker off."""
MOST_SEEN = 5
"""Checkers that lie beside each other on a point: of a pile of more some lie on others."""
SEEN_BEFORE = 0.02
"""Weight of a reading that repeats an earlier one: 91 of 111 misread columns were misread again as long as nothing changed."""
SAME_READING = 0.3
"""Total variation distance between two readings of one column below which the second repeats the first."""
CLEARLY = 0.5
"""Share of a column that must have been seen, on the mean over a rest's frames, for its reading to count as one."""

# How a column looks whose checkers changed, and one on which they stayed: by how many nats the first is the likelier, by share
# of changed pixels (`python benchmarks/referee.py changes FOLDER`). Shadows on real boards are allowed for.

CHANGED_SHARES = (0.0, 0.003, 0.012, 0.025, 0.05, 0.1)
"""Shares of a column's pixels, between which the nats are interpolated."""
CHANGED_NATS = (-6.0, -4.0, -2.5, 0.0, 3.0, 5.0)
"""nats, where at most MOST_SEEN checkers stood."""
CHANGED_PILE_NATS = (-6.0, -3.0, 0.0, 2.0, 4.0, 5.0)
"""nats, where more stood: one more or less shows little."""
SHOWS_CHANGE = CHANGED_SHARES[CHANGED_NATS.index(0.0)]
"""Share of pixels from which on a column rather looks changed."""
LOOKS_SAME = -2.5
"""nats; a column that looks this little changed, or less, holds what it held."""
HIDDEN_IN_A_PILE = -4.0
"""nats at most, against a checker laid on others of its colour: it may hardly show."""
SOMETHING_ELSE = 7.0
"""nats, that a cup, a shadow or a knock changed how columns look and nobody a checker."""
MOST_CHANGED = 10
"""Columns. A play and a hit change nine at most; if more look changed, the camera or the light has."""

# Dice.

FACE_FLOOR = 1e-4
"""Least probability of a face: of 16,629 simulated flat dice none was read wrong beyond 1 to 300."""
FALSE_DIE = 0.01
"""Probability that what was surely found is no die of this throw."""
MISSED_DIE = 0.05
"""Probability that one of two dice was not found."""
BOTH_DICE_MISSED = 0.01
"""Probability that neither was, in one moment of looking."""
NO_EARLY_ROLL = -30.0
"""nats for an early roll where fewer than four dice lie."""
WRONG_HALF = 0.03
"""Probability that a die lies in its thrower's left half."""
TIE = log(1 / 36)
"""Log-probability of each pair of equal dice."""
COUNTED_ANYWAY = 0.1
"""Probability that dice of which one does not seem to lie flat are played with."""
COCKED = 0.9
"""Confidence below which a thing that is not flat is taken for something else than a die."""
DICE_SEEN_BEFORE = 0.3
"""Weight of a die's face that was weighed at an earlier rest."""
DICE_PUT_ELSEWHERE = 0.02
"""Probability that dice of a roll that still counts were pushed aside."""
SAME_DIE = 0.025
"""Board widths; a resting die's centre wanders less than this between frames."""
MOMENTS_PER_SECOND = 1.0
"""Independent looks that a second of rest is worth, where dice are missed."""

# Cube.

MISSED_CUBE = 0.2
"""Probability that it is not found."""
CUBE_GONE = 0.004
"""The same where it lay at the rest before: 23 of 35,294 simulated times, and a hand may hide it."""
FALSE_CUBE = 0.02
"""Probability that something else is found instead, in fewer than half of a rest's frames."""
CUBE_FACE_FLOOR = 0.005
"""Least probability of a face."""
CUBE_IN_PLACE = 0.95
"""Probability that it lies where it belongs."""
OFFERED_ON_THE_FIELD = 0.8
"""Probability that an offered cube lies where checkers are played."""
ON_THE_BAR = 0.09
"""Board widths from the middle: half of a wide bar and of a large cube that overhangs it."""
CENTRE_BAND = 0.17
"""Board heights either side of the middle within which a cube counts as centred."""

# Which illegal boards are thought of.

KEEPS = 4.0
"""nats by which a reading must speak for a change of its column, where pixels do not: one that was wrong before stays wrong."""
MOST_LOST = 4
"""Checkers of a side that may have left the board at once."""
NOTABLE = 2.0
"""nats by which another board must explain what is seen better than the known ones for it to be thought of."""
SLIPS = 3
"""Boards of the usual slips kept for one roll."""

# Search.

BEAM = 40
"""Accounts kept."""
BEAM_DEPTH = 16.0
"""nats below the best account at which one is dropped."""
FOLLOWED = 1e-5
"""Share of the belief above which it is asked what may follow from an account: the others wait until they look likelier."""
WIDTH = 10
"""Plays kept for one roll."""
DEPTH = 14.0
"""nats below the best play at which one is dropped."""
READABLE = 6
"""Rolls that the dice seen are tried as."""
POSSIBLE = 0.01
"""Share of the belief above which a board may have stood there."""
REMEMBERED = 5000
"""Positions with a roll whose plays are kept."""

# When something is written down.

SURE = 0.95
"""Share of the belief that must agree before something is written down."""
LONGEST_DOUBT = 4
"""Facts after which the oldest is written down all the same, where everybody agrees about the present: accounts that differ
only that far back never part again."""
FORGOTTEN = 0.001
"""Share of the belief that may see another board now, and still everybody agrees about the present."""
LONGEST_DIFFERENCE = 12
"""Facts after which the oldest is written down where the accounts still differ about what stands on the board now: it will
show who was right."""
LIKELY_ENOUGH = 0.8
"""The same as SURE once a play that is surely illegal stands there: the referee must speak now, of a turn whose past is written.
Where so much of the belief agrees about the present, the likeliest past will do."""
ORIENTED = -20.0
"""nats. A picture that another position explains better by less than this is taken to show the start position: two or three
cells of it may be misread."""
