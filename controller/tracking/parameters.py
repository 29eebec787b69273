"""Every number of the tracker, with its unit and where it comes from.

"Estimated" is what `python benchmarks/tracking_fit.py readings` says of 13 games (`referee.py play rests`, seeds 2001-2013); games
2101-2125 have tested it. What players do between two rests is estimated by `steps` (337 rests of the games 4002, 4003, 4004, 4006;
4202 and 4206 have tested it) or by `matches` (118 records of real matches). Simulated boards are read better than real ones, and
simulated players err on purpose: where an estimate stands beside another number, or none is named, the number was chosen, so that
games are followed (docs/accuracy.md), and holds for worse readers. "nats" are differences of natural logarithms of probabilities.
"""

from __future__ import annotations

# What happens between two rests of the board: weights beside 1 for nothing, from which the chances of all that may happen are
# made (transitions.py). The readings say far more than these: games are followed alike over the ranges that are named (`ranges`:
# all figures of the noisy games 2116, 2117 and 2126, 92 turns, of which 6 illegal).

NEXT = 0.5
"""Each of the things that ordinarily come next: the throw, the play, the dice lifted, the cube taken, a play taken back.
Estimated 4 (123 nats more in 337 rests, 92 more in the other games): simulated hands seldom pass over the board for nothing.
But from 2 on it is not plain any more that a leaning die does not count, which is a throw after which nothing has happened;
with 1, and RARE at 0.04, an illegal play of the 23 games of docs/accuracy.md without pictures is missed and two turns are
wrong unmarked. Multiplied by 2 or 8 together with UNUSUAL and RARE, it leaves all their right turns and flags as they are."""
UNUSUAL = 0.08
"""What happens in one case of ten, estimated so: a board half-way through a play, an illegal play that nobody puts right, a cube
that is passed, one die of the opening lying alone, dice left lying after the game. Real matches have 217 passes beside 288 takes,
but a cube in its place may also be an offer taken back: nobody is said to have passed before the board is cleared. Half or
twice as much moves only what is doubtful and when rolls are shown."""
RARE = 0.02
"""What happens in one turn of twenty-five: a double, an illegal play, dice thrown early or again, a turn played otherwise. Real
matches have 505 doubles before 12,119 rolls with the cube at hand (`matches`), 0.042 of NEXT; `steps` estimates 0.04 (3 nats more,
1 fewer in the other games). The same from 0.0025 to 0.02; with 0.04 one turn more is doubtful."""
DID_NOT_COUNT = 0.002
"""Weight of dice that lay flat, could be played, and are taken up before a checker has moved because they did not count. Chosen: a
tenth of RARE, with which they are taken up as if the turn were over."""
OVERLOOKED = 0.12
"""Probability that the next step was taken before anybody looked. Estimated 0.015 (17 nats more, 9 on the other games) where every
rest is seen; key frames and long hands pass more over. The same from 0.015 to 0.24."""
AGAINST_SENSE = 0.004
"""Weight of what hardly any player chooses, beside 1: each play that bears off fewer checkers than the roll allows; to double when
closed out. Estimated 0.0041 from 118 records of real matches (`tracking_fit.py matches`): 28 of 1,404 plays of races in which the
roll left the choice. The same from 0.0005 to 0.032."""
FEWEST_WAYS = 10
"""Boards among which the chance of a board that is no legal play is shared at least; else among as many as there are plays. Hardly
identifiable: from 1 to 20 the games are within 3 nats. The same from 1 to 20; with 40 an illegal play is missed."""
CHECKER_GONE = 0.1
"""Probability, of such a board, that a checker is off too early, or beyond the dice; for each. Not identifiable: from 0.0125 to 0.8
all games of the estimate are equally likely, and followed the same."""
ODD = 0.01
"""Probability of each thing that hardly anybody does: the opponent's checkers moved otherwise than by being hit, own checkers put
on the bar, checkers gone while nobody thinks of bearing off. The same from 0.00125 to 0.08."""
LOST = 1e-4
"""Weight, beside 1, of losing track between two rests: somebody stood in the light, or minutes are missing. Chosen: with
UNKNOWN_BOARD it is as likely as two whole turns that nobody saw, and less likely than any of the usual illegal plays."""
LOST_FOR = 7.0
"""Seconds in which nothing was read that make it e times likelier, up to certainty. Players' hands are over the board for 5 s in a
play, and a whole turn takes 10 s and more."""
UNKNOWN_BOARD = -11.5
"""nats for a board of which nothing is known beforehand: as many as of two plays with their rolls (1/36 and about 1/12 each),
beyond which there are more courses of a game than its boards can tell apart."""
SHOWN_AGAIN = -4.0
"""The same for one that stood there before in this game, which a film shows again, slower. Chosen."""
COMES_BACK, IS_FOUND, STANDS_STILL = 0.5, 2.0, 40.0
"""Weights, beside 1 for what is still lost: the game goes on from where it was (a hand or a cup was seen); or from anywhere; the
same where one board was seen at two rests, so that a third writes it down. Chosen."""
LOST_REST = 1.5
"""Seconds after which a look at a board that stands still counts as one at another rest while track is lost: three of them are less
than five seconds."""
TWO_TURNS = 1.4
"""nats by which a board that is found is likelier where the rules leave one course of two turns to it than where none: hardly any
board that came about in another way has one."""
SET_UP_ANEW = 0.5
"""Of a game that is found: that its start position stands there."""
IMPLAUSIBLE = -6.0
"""nats for each thing that a board between two turns hardly ever shows: checkers missing before the last is home, points of the
start position and nothing else, one checker elsewhere than at the start: it is being set up, or somebody holds a checker."""
PARTIAL_PLAYS = 20
"""Boards to which a turn that is found under way may be carried on."""
FOUND_BOARDS = 4
"""Readings of a board that is found which are thought of."""
AFTER_THE_GAME = -8.0
"""nats below the best-fitting board for a board of which nothing is known, after the game."""

# What the readers say of columns and bar. A reader that has gone wrong is wrong whole-heartedly; floors keep one such reading
# from vetoing everything else.

MISREAD = 1e-4
"""Probability of any one content, or face of a die, beside what a reader makes of it. Estimated 1e-7: none of 1,288 columns with
new content and 2,076 dice; of more games 6 of 40,000 columns were read wrong beyond 1 to 1,000, and real boards are read worse."""
ONE_OFF = 0.005
"""Probability that a pile or the bar is read one checker off. Estimated 1e-7 (3,163 cases); real piles lie less neatly."""
MOST_SEEN = 5
"""Checkers that lie beside each other on a point: of a pile of more some lie on others."""
REPEATED = 0.94
"""Probability that a reading repeats the one before because it repeats its mistakes. Estimated: of 185 misread columns on which
nothing changed so many were misread in the same way at the next rest."""
SAME_READING = 0.3
"""Total variation distance between two readings below which the second repeats the first."""
OTHER_READING = 0.9
"""The same from which on it says something else, and counts although the pixels seem to say that nothing changed: a checker on a
point of its colour shows little. Estimated: of 23 such columns 15 had changed, of 205,513 others that seemed unchanged 20."""
CLEARLY = 0.5
"""Share of a column that must have been seen, on the mean over a rest's frames, for its reading to count as one."""

WHOLLY = 0.9
"""The same of every column for a position to be surely read. Rendered and simulated boards have 0.98 and more at rest; with a hand
over them 0.84 and less."""

# How a column looks whose checkers changed, and one on which they stayed: the log-odds rise with the logarithm of the share of
# changed pixels.

CHANGE_EVEN, CHANGE_SLOPE = 0.034, 5.3
"""Share of a column's pixels at which neither is likelier, and nats for each factor e of it, where at most MOST_SEEN stood.
Estimated (36,689 cases)."""
PILE_CHANGE_EVEN, PILE_CHANGE_SLOPE = 0.011, 4.2
"""The same where more stood: one more or less shows little. Estimated (497 cases)."""
PIXEL_NOISE = 0.003
"""Share of pixels that differ between two pictures of one board."""
PIXELS_SAY = 6.0
"""nats at most, of one column and of all that seem to have changed: a cup, a shadow or a knock does what no checker did."""
PILE_HIDES = 4.0
"""nats at most, against a checker laid on others of its colour: it may hardly show."""
MOST_CHANGED = 10
"""Columns. A play and a hit change nine at most; if more look changed, the camera or the light has."""

# Dice and cube.

FALSE_FIND = 0.01
"""Probability that what was surely found as a die or the cube is none. Estimated 0.0016 (1,564 rests)."""
MISSED_DIE = 0.05
"""Probability that a die of a roll was not found; that both were not, once more for each second of looking.
Estimated 0.0002 (none of 2,096); hands and cups hide real ones."""
HIDDEN_DIE = 0.5
"""The same where an arm or a caption covers a part of the board; of both dice, too, as they lie beside each other. Chosen."""
COUNTED_ANYWAY = 0.1
"""Probability that dice of which one does not seem to lie flat are played with."""
SURELY_A_DIE = 0.9
"""Confidence below which a thing that is not flat is taken for something else than a die."""
MISPLACED = 0.03
"""Probability that a die lies in its thrower's left half; that dice of a roll that still counts were pushed aside.
Estimated 0.003 (481 rests) of players who push nothing on purpose."""
MISPLACED_ANYWHERE = 0.1
"""The same where dice may land on either half, or beside the board: players throw to their right all the same. Chosen."""
OTHER_PAIR, COLOUR_MISREAD = 0.08, 0.05
"""Probability that a player throws the other's pair, and that the colour of a die is misread. Chosen: such a roll is followed as
one of whoever is on roll; of two players who may both have thrown it, it is whose dice they are."""
SAME_DIE = 0.025
"""Board widths; a resting die's centre wanders less than this between frames."""
MISSED_CUBE = 0.2
"""Probability that the cube is not found. Estimated 0.04 (33 cases)."""
CUBE_GONE = 0.004
"""The same where it lay at the rest before: 23 of 35,294 simulated times, and a hand may hide it. Estimated 0.0003
(1,531 rests)."""
CUBE_MISREAD = 0.005
"""Probability of any one face of the cube, beside what the reader makes of it. Estimated 1e-7 (1,563 rests); real
cubes differ more."""
CUBE_IN_PLACE = 0.95
"""Probability that it lies where it belongs."""
CUBE_ON_THE_BAR = 0.09
"""Board widths from the middle: half of a wide bar and of a large cube that overhangs it."""
CENTRE_BAND = 0.17
"""Board heights either side of the middle within which a cube counts as centred."""

# What is thought of.

KEEPS = 4.0
"""nats by which a reading must speak for a change of its column, where pixels do not: one that was wrong before stays wrong."""
NOTABLE = 2.0
"""nats by which another board must explain what is seen better than the known ones for it to be thought of."""
BEAM = 40
"""Hypotheses kept."""
DEPTH = 16.0
"""nats below the best hypothesis, or play, at which one is dropped."""
FOLLOWED = 1e-5
"""Share of the belief above which it is asked what may follow from a hypothesis: the others wait until they look likelier."""
WIDTH = 6
"""Plays of one roll that are thought of, rolls that the dice seen are tried as, and slips."""
NEGLIGIBLE = 0.001
"""Share of the belief that is as good as none."""

# When something is written down.

SURE = 0.95
"""Share of the belief that must agree before something is written down."""
WORTH_WAITING = 0.01
"""Share of the belief that must come to agree about the oldest fact once nobody doubts the present, for it to be left open. The
same from 0.00125 to 0.08."""
WORTH_TELLING = 0.005
"""Share of the belief from which what else may have been played is kept with a turn, for a person to choose."""
MOST_OTHERS = 4
"""How many of them at most: what fits beside a picture."""
CERTAIN = 0.97
"""Share of the belief below which a play carries its confidence into the record, has pictures kept of it, and is shown with a
question mark."""
LEARNT_FROM = 0.99
"""Share of the belief that must agree on the board before vision learns from it."""
LIKELIER = 0.5
"""Share of the belief from which a turn is written, with its doubt, when nothing more will be seen."""
LONGEST_DIFFERENCE = 12
"""Facts after which the oldest is written down where the hypotheses still differ about what stands on the board now: it will
show who was right."""
LIKELY_ENOUGH = 0.8
"""The same as SURE once a play that is surely illegal stands there: the referee must speak now, of a turn whose past is written.
Where so much of the belief agrees about the present, the likeliest past will do."""
ORIENTED = -20.0
"""nats. A picture that another position explains better by less than this is taken to show the start position: two or three
cells of it may be misread."""
