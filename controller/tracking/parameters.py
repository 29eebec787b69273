"""Every number of the tracker, with its unit and where it comes from.

Three kinds. *Estimated*: the likeliest value, of `python benchmarks/tracking_fit.py readings` (13 games, `referee.py play rests`,
seeds 2001-2013; 2101-2125 have tested it), of `steps` (337 rests of the games 4002, 4003, 4004, 4006; 4202 and 4206 have tested it)
or of `matches` (118 records of real matches). Simulated boards are read better than real ones, and simulated players err on
purpose: where an estimate stands beside another number, that one was chosen, so that games are followed
(docs/history/refereeing.md).
"Today" and bounds: `readings` of 44 of the games 1318-1436; "a poor camera": of those of the next paragraph.

*Flat*: games through a poor camera (360 px wide: dice are missed and misread) are explained alike with the number anywhere between
those two, and no figure of turns and flags gets worse. `profile` says so of 85 rests and 23 turns (seeds 4102, 4104, 4106), tested
with 54 rests and 16 turns of other games (4202, 4204), each also as a late recording with a gap. "Also where covered": the same of
63 rests with arms, cups, bumps and changes of light (tier pixels, 480 px, seeds 4302, 4304 and 4402, 4404). Such a number was
chosen between its ends; rarer things than those games show may need it there. benchmarks/tracking.csv has the rows. Together,
too: `fit` doubles and halves LOST, UNKNOWN_BOARD, IS_FOUND, TWO_TURNS, LOST_FOR and KEEPS as long as that explains the games
1360, 1380, 1396 and 1406 better, whole and as late recordings (209 rests); none of it does by 2 nats.

*By agreement*: what the program promises, or may spend; no games could tell it.

"nats" are differences of natural logarithms of probabilities.
"""

from __future__ import annotations

# What happens between two rests of the board: weights beside 1 for nothing, from which the chances of all that may happen are
# made (transitions.py). The readings say far more than these: games are followed alike over the ranges that are named (`ranges`:
# all figures of the noisy games 2116, 2117 and 2126, 92 turns, of which 6 illegal).

NEXT = 0.5
"""Each of the things that ordinarily come next: the throw, the play, the dice lifted, the cube taken, a play taken back.
Estimated 4 (123 nats more in 337 rests, 92 more in the other games): simulated hands seldom pass over the board for nothing.
But from 2 on it is not plain any more that a leaning die does not count, which is a throw after which nothing has happened;
with 1, and RARE at 0.04, an illegal play of the 23 games without pictures of docs/history/refereeing.md is missed and two turns are
wrong unmarked. Multiplied by 2 or 8 together with UNUSUAL and RARE, it leaves all their right turns and flags as they are."""
UNUSUAL = 0.08
"""What happens in one case of ten, estimated so: a board half-way through a play, an illegal play that nobody puts right, a cube
that is passed, one die of the opening lying alone, dice left lying after the game. Real matches have 217 passes beside 288 takes,
but a cube in its place may also be an offer taken back: nobody is said to have passed before the board is cleared. Half or
twice as much moves only what is doubtful and when rolls are shown. So often, too, the next step was taken before anybody looked
(estimated 0.015 where every rest is seen; key frames and long hands pass more over; the same from 0.015 to 0.24), a checker is off
that should not be (not identifiable: from 0.0125 to 0.8 the games are followed the same), dice of which one leans are played with,
a player throws the other's pair, or a die lies in its thrower's left half where it may land on either."""
RARE = 0.02
"""What happens in one turn of twenty-five: a double, an illegal play, dice thrown early or again, a turn played otherwise. Real
matches have 505 doubles before 12,119 rolls with the cube at hand (`matches`), 0.042 of NEXT; `steps` estimates 0.04 (3 nats more,
1 fewer in the other games). The same from 0.0025 to 0.02; with 0.04 one turn more is doubtful. As rare is each thing that hands
hardly ever do: the opponent's checkers moved otherwise than by being hit, own checkers put on the bar, checkers moved away from
their home, checkers gone while nobody thinks of bearing off (the same from 0.00125 to 0.08); a die in its thrower's left half, or
pushed aside (estimated 0.003 of players who push nothing on purpose; through a poor camera 0.02, of 24); and a board of this game
that a film shows again."""
DOUBLED_AGAIN = 0.33
"""How often the owner of the cube offers it, beside 1 for whoever may while nobody owns it. Estimated, of games of real matches:
before 79 of 4,021 rolls and before 365 of 6,129."""
DOUBLED_ON = 0.1
"""How often the cube has each value, beside 1 for the half of it, while somebody owns it. Estimated, of games of real matches:
8,808 plays with a 2, 855 with a 4, 59 with an 8."""
AGAINST_SENSE = 0.004
"""Weight of what hardly any player chooses, beside 1: each play that bears off fewer checkers than the roll allows; to double when
closed out. Estimated 0.0041 from 118 records of real matches (`tracking_fit.py matches`): 28 of 1,404 plays of races in which the
roll left the choice. The same from 0.0005 to 0.032. So, too, dice that lay flat, could be played, and are taken up because they did
not count: with much more it is no error any more to take them up. So, too, each thing that a board between two turns hardly ever
shows: checkers missing while two are not home, points of the start position and nothing else, one checker elsewhere than at the
start: it is being set up, or somebody holds a checker."""
STRAGGLER = 0.04
"""Weight, beside 1 for none, of each number of checkers that a side has borne off while one of its own, which was hit since, is not
home. Estimated 0.039 from 497 games of real matches: of 40,422 sides 1,673 had one checker elsewhere and none borne off, and 66 on
the mean for each number from one to eight. With two checkers elsewhere and several
borne off (2 of 6,500) it is AGAINST_SENSE as much again."""
FEWEST_WAYS = 10
"""Boards among which the chance of a board that is no legal play is shared at least; else among as many as there are plays.
Flat from 10 to 40; with 5 a right turn is flagged, and in games without pictures an illegal play is missed with 40."""
LOST = 1e-4
"""Weight, beside 1, of losing track between two rests: somebody stood in the light, or minutes are missing. Flat from 0.000025
to 0.0004: with UNKNOWN_BOARD it is as likely as two whole turns that nobody saw, and less likely than any usual illegal play."""
LOST_FOR = 7.0
"""Seconds in which nothing was read that make it e times likelier, up to certainty; and that the next step was overlooked, up to
HALF. Flat from 1.75 to 28: players' hands are over
the board for 5 s in a play, and a whole turn takes 10 s and more."""
UNKNOWN_BOARD = -11.5
"""nats for a board of which nothing is known beforehand: as many as of two plays with their rolls (1/36 and about 1/12 each),
beyond which there are more courses of a game than its boards can tell apart. Flat from -46 to -5.75; with -2.9 a turn of 16 is
wrong unmarked. After the game, too."""
IS_FOUND = 2.0
"""Weight, beside 1 for what is still lost, and NEXT for a game that goes on from where it was (a hand or a cup was seen): it
goes on from anywhere. Flat from 1 to 4; with 8 late recordings are 3.7 nats likelier in 38 rests, and no more in 21 others."""
LOST_REST = 1.5
"""Seconds after which a look at a board that stands still counts as one at another rest while track is lost. By agreement: three of
them are less than five seconds. Flat from 0.375 to 6."""
TWO_TURNS = 1.4
"""nats by which a board that is found is likelier where the rules leave one course of two turns to it than where none: hardly any
board that came about in another way has one. Flat from 0.35 to 5.6."""

HALF = 0.5
"""The share of a column that must have been seen, on the mean over a rest's frames, for its reading to count; the probability
that an arm or a caption that covers a part of the board hides a die, or both, as they lie beside each other; and the share of the
belief from which a turn is written, with its doubt, when nothing more will be seen. Not identifiable, so neither is taken to be
likelier: of 105,336 columns of simulated games 13 were seen to less than 0.95, and all games are followed the same from 0.2 to
0.8, also where covered."""

# What the readers say of columns and bar. A reader that has gone wrong is wrong whole-heartedly; floors keep one such reading
# from vetoing everything else.

MISREAD = 1e-4
"""Probability of any one content, or face of a die, beside what a reader makes of it. Estimated 1e-7: none of 1,288 columns with
new content and 2,076 dice; today 0.00012 of 3,417 columns, within 2 nats 0.00006 to 0.0002."""
MISTAKEN = 0.005
"""Probability of a mistake that is easily made, of one kind: a pile or the bar is read one checker off (estimated 1e-7, 3,163
cases; real piles lie less neatly), the cube's face misread (1e-7, 1,563 rests; real cubes differ more), the cube not found
where it lay at the rest before (0.0003, 1,531 rests; through a poor camera 0.0057, 87 rests), what was surely found as a die or
the cube is none (0.0016, 1,564 rests; through a poor camera 0.036, 96 rests)."""
MOST_SEEN = 5
"""Checkers that lie beside each other on a point, as boards are made: of a pile of more some lie on others. Estimated 4, of 89,874
columns that change, or do not, as pixels say; of every other game 5, and of 14,130 columns seen by poorer cameras 5 as well. Flat
from 1 to 20."""
REPEATED = 0.94
"""Probability that a reading repeats the one before because it repeats its mistakes. Estimated: of 185 misread columns on which
nothing changed so many were misread in the same way at the next rest. Today's reader repeats itself less, 0.67 of 22
columns and of 25 others; but flat from 0.89 to 0.98, and with 0.8 a turn of 16 is wrong."""
SAME_READING = 0.7
"""Total variation distance between two readings below which the second repeats the first. Estimated 0.66 to 0.7, of 89,874 columns
that two rests after each other saw: no other distance tells so well whether the content has changed. Of 14,130 others, through
poorer cameras, as likely as 0.66."""

SURELY = 0.9
"""What a reader must say of itself, at least, for it to be so: the share of every column that was seen, of a position that is
surely read (rendered and simulated boards have 0.98 and more at rest; with a hand over them 0.84 and less); the confidence in
a die that leans; and the total variation distance of two readings of which the second says something else, and counts
although the pixels seem to say that nothing changed: a checker on a point of its colour shows little. That last is estimated: of
23 such columns 15 had changed, of 205,513 others that seemed unchanged 20. Flat from 0.69 to 0.97, also where covered."""

# How a column looks whose checkers changed, and one on which they stayed: the log-odds rise with the logarithm of the share of
# changed pixels.

CHANGE_EVEN, CHANGE_SLOPE = 0.034, 5.3
"""Share of a column's pixels at which neither is likelier, and nats for each factor e of it, where at most MOST_SEEN stood.
Estimated (36,689 cases)."""
PILE_CHANGE_EVEN, PILE_CHANGE_SLOPE = 0.011, 4.2
"""The same where more stood: one more or less shows little. Estimated (497 cases)."""
PIXEL_NOISE = 0.003
"""Share of pixels that differ between two pictures of one board. Estimated 0.012 of 88,747 columns together with
the two above; of every other game 0.008, or anything from 0.0003 to 0.017 within 2 nats. Flat from 0.00075 to 0.012, also where
covered."""
PIXELS_SAY = 6.0
"""nats at most, of one column and of all that seem to have changed: a cup, a shadow or a knock does what no checker did, and a
checker on a point of its own colour hardly shows. Estimated 10 at least of simulated boards, which show no such checker: with 12
one that is surely read is not believed any more (tests/tracking/test_evidence.py). Flat from 1.5 to 24, also where covered."""
MOST_CHANGED = 10
"""Columns. By the rules: a play and its hits change nine at most; if more look changed, the camera or the light has. Flat from 2 to
40, also where covered."""

# Dice and cube.

MISSED = 0.05
"""Probability that a die of a roll was not found (that both were not, once more for each second of looking), that the colour of a
die is misread, that the cube does not lie where it belongs. Estimated 0.0002 for dice (none of 2,096);
through a poor camera 0.077 (122 dice), where 166 others are explained better by 0.05, and a turn of 16 more is wrong with 0.026."""
TURNS_TO_TELL = 4
"""Turns, their dice seen, that are taken to have been before a recording's first: where many throws can't be seen, a turn whose
dice nobody saw is no sign that something else happened. HALF of them at most, so that dice that are seen still count. Flat from 2
to 8: of six games without pictures, of whose throws none, 3 or 6 of ten are seen, 288 of 432 turns are right, and 248 where none
are counted; 6 and 0 wrong, all marked. By agreement."""
DICE_TO_TELL = 8
"""Dice of each value that are taken to have been read rightly before a recording's first. Hardly any matter: of 515 turns with
dice that have a logo in place of their 1 or their 6, 509 are right with 2, 508 with 4, 507 with 8 (489 where nothing is learnt).
By agreement: a misreading or two of dice that are read well must not weigh much."""
NO_DICE_LIE = 1 / 3
"""Probability that no dice lie there where nobody knows where the turn stands. By agreement: at its beginning, thrown and under way
are alike, as of a board that is found."""
MISSED_CUBE = 0.2
"""Probability that the cube is not found. Estimated 0.04 (33 cases), through a poor camera 0.05 (9); with 0.05 a game loses a
double and three turns."""
SAME_PLACE = 0.025
"""Board widths by which a thing that nobody touched is seen elsewhere at most: a die that lies nearer lies where it lay, and a cube
that is found nearer to a side lies on the frame. Estimated 0.023 to 0.044 of 9,265 looks at dice, of which all but one are told;
0.016 to 0.018 without poor cameras (7,464), which explains the 1,801 looks through those 16 nats worse."""
CUBE_IN_THE_MIDDLE = 0.09
"""Board widths from the middle: half of a wide bar and of a large cube that overhangs it. Across the board a cube lies in the
middle within twice as many board heights, and with a player beyond that many. Flat from 0.024 to 0.28, and across from 0.025 to
0.22: simulated cubes lie nowhere between."""

# What is thought of.

KEEPS = 4.0
"""nats by which a reading must speak for a change that pixels do not show, of a column that was read before, or of a pile on
which a checker of its colour was laid; and by which another content, board or cube may be less likely than the likeliest for
it to be thought of where nothing is known, and by which another board must explain what is seen better than the known ones do: one
that was wrong before stays wrong. Flat from 1 to 8."""
BEAM = 40
"""Hypotheses kept. By agreement: processor time. Flat from 20 to 160; with 10 a turn of 16 more is wrong."""
DEPTH = 12.0
"""nats below the best hypothesis, or play, at which one is dropped; by agreement: processor time. Flat from 12 to 48; with 6 two
turns of 16 more are wrong, one of them unmarked."""
MOST_THINGS = 10
"""Things that are taken for dice at one rest, the surest of them: each two may be a roll, and each two others an early one. By
agreement: processor time; two pairs and two more that nobody plays with are eight."""
WIDTH = 6
"""Plays of one roll that are thought of and kept with a turn for a person to choose, rolls that the dice seen are tried as, slips,
readings of a board that is found. Flat from 3 to 24; with 1 a turn of 16 is wrong."""

# When something is written down.

SURE = 0.95
"""Share of the belief that must agree before something is written down. By agreement: one in twenty may be wrong. `beliefs`, of the
games of `profile` and of 1322, 1330, 1344, 1354, 1360, 1362: of 119 turns written with so much or more all are true, of 14 with
less 12."""
SURE_AT_LEISURE = 0.99
"""The same of a film, where nobody waits for what is written: who throws next tells whether dice that were lifted over checkers
on the bar were a dance, or did not count. Ordinary turns have 0.991 and more as they end, and are written then; with 0.995 most
of them are written a roll later, and of the kept recordings of docs/history/recordings.md one more is invented."""
WORTH = 0.005
"""Share of the belief that is worth anything: that must come to agree about the oldest fact once nobody doubts the present,
for it to be left open; from which another fact is kept with a turn; from which it is asked
what stood on the board, and whether track is lost. Flat from 0.005 to 0.02; with 0.0025 a turn of 16 is wrong unmarked."""
LEARNT_FROM = 0.99
"""Share of the belief that must agree on the board before vision learns from it. By agreement: what is learnt wrongly is read
wrongly again. Of 358 rests 354 are so sure, and 352 of those true (`beliefs`)."""
LONGEST_DIFFERENCE = 12
"""Facts after which the oldest is written down where the hypotheses still differ about what stands on the board now: it will
show who was right. Flat from 3 to 48: it bounds how much a doubt may hold up."""
MOST_TALKED_OVER = 3
"""Turns without dice, one after the other, after which the oldest is written down though neither dice nor the cube were seen since:
players who try out how the game might go on seldom go further. By judgement: it bounds how late such a turn is told."""
LIKELY_ENOUGH = 0.8
"""The same as SURE once a play that is surely illegal stands there: the referee must speak now, of a turn whose past is written.
Where so much of the belief agrees about the present, the likeliest past will do. Flat from 0.5 to 0.94."""
ORIENTED = -20.0
"""nats. A picture that another position explains better by less than this is taken to show the start position: two or three
cells of it may be misread. By agreement: in 189 readings of it the start position is itself the best fit, of 968 of other boards
the nearest is 7.4 off (`beliefs`)."""
