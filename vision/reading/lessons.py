"""What a table has taught: how its columns and its bar looked when it was known what lay on them, and what was read wrongly then.

Three readings are put right on top of the frozen network, all by kernel logistic regression: the counts of the columns and of the
bar on what the network's last layers look at, the sides on the checkers' colours and, where it tells more, on their texture. All
fade with the distance from what was taught, and nothing is put right where the columns do not look like those that taught
(`Lessons.alike`): another board or light is let go by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float32]

KEPT = 11
"""Positions that are remembered: the first, which shows most points empty, and the newest."""
COUNTS = 16
NEAR = 0.5
"""How far what was taught reaches, as a share of how long the features are."""
NEAR_BAR = 0.4
"""The same for the bar, whose false and true checkers look alike to the network: what was taught reaches less far."""
NEAR_COLOUR = (15.0, 50.0)
"""The same for colours, in weighted Lab, at least and at most."""
LEAST_VARIED = 2.0
"""By how much the colours of one side vary at least, in weighted Lab. Of 34 drawn tables the start position leaves 439 places
misread if all axes count alike, 390 with 6, 359 with 3, 353 with 2 and 349 with 1.5; ten more turns 186, 183, 180, 181 and 190."""
SPREADS = 3.0
"""Of the distance between both sides' mean colours; that is how far what was taught of them reaches."""
TEXTURE = 1.3
"""How much a texture counts against a colour where it tells anything: of 17 tables in which the sides of 115 columns were misread
after ten turns, 86 with 1.3, 99 with 0.7, 91 with 2."""
TELLS_MORE = (3.0, 1.0)
"""Nats by which texture must tell more than colours alone, of an only position and of several. Of 17 tables after a single position
it was right of 8.1 and wrong of 2.1; after ten turns right of 1.4 and more, and wrong of less than 1."""
DOUBT = 0.1
"""Weight of what the networks say by themselves against what was taught."""
COLOUR_DOUBT = 0.03
COLOUR_GAIN = 20.0
"""How far one step goes for a colour seen before."""
STEPS = 80
"""Of the regression: it stands still after some 60."""
COLOUR_STEPS = 120
POWERS = 30
"""Of a kernel, after which its largest eigenvalue is known to a ten-millionth (115 kernels of a filmed game)."""
SIDE_TRUSTS = (0.1, 0.2, 0.35, 0.5, 0.7, 1.0)
COLOUR_TRUSTS = (0.0, 0.25, 0.5, 0.75, 1.0)
"""How much what was taught of colours may weigh."""
COLOUR_BELIEF = 4.0
"""Nats that colours must be worse than nothing where they were not taught to weigh nothing."""
USUAL_TRUST = 0.5
"""How much the network's own word on the sides may weigh once the colours are known, and does where the lessons do not say."""
SWAPPED = 2.0
"""Columns by which the network's names of the sides must contradict what was taught to be exchanged."""
MOST_LOGIT = 30.0
ALIKE = 0.75
"""Correlation with how a column looked before, of the best quarter. On 27 strange drawn tables it is 0.79 to 1 with the table's own
start position and 0.9 and more with ten positions, between two of them at most 0.71."""
WORSE = -0.25
"""Nats a column, on the fading mean, at which what was learnt is taken to do harm. On 12 drawn tables it is -0.09 at worst, where
one column was misread, with lessons of another table -0.05: at -0.05 tables forgot what they had rightly learnt of the sides."""
LEAST_RIGHT = 0.3
"""Of the columns with checkers, read or true, this share must be read right by the network alone, or it is another position."""
MEMORY = 0.7
"""Share of what learning has gained so far that still counts after one more position."""


@dataclass(frozen=True)
class Sighting:
    """What is made of a picture before anything learnt is asked.

    features (24, F), counts (24, 16) log-probabilities; side (24,) logit of light by the network alone; colour (24, 3) weighted
    Lab, less a part of the picture's own; texture (24, 3) as in `appearance.ColumnColours`; coloured (24,) bool where any is seen;
    bar_features (G,), bar (2, 16) log-probabilities; looks (24, L), each column as a small picture of mean 0 and length 1.
    All float32.
    """

    features: FloatArray
    counts: FloatArray
    side: FloatArray
    colour: FloatArray
    texture: FloatArray
    coloured: npt.NDArray[np.bool_]
    bar_features: FloatArray
    bar: FloatArray
    looks: FloatArray

    def swapped(self) -> Sighting:
        """The same with the network's names of both sides exchanged."""
        return replace(self, side=-self.side, bar=self.bar[::-1])

    def against(self, light: FloatArray) -> float:
        """How many columns, doubtful ones less, contradict these (24,) logits of light by the network's names of the sides.

        Of two equally bright colours the network calls now the one and now the other the lighter.
        """
        return -float((np.tanh(self.side / 2) * np.tanh(light / 2)).sum())


@dataclass(frozen=True)
class Lesson:
    """A sighting with its truth: columns (24,) signed counts, bar (2,), known (25,) bool, where nothing hid them."""

    seen: Sighting
    columns: npt.NDArray[np.int64]
    bar: npt.NDArray[np.int64]
    known: npt.NDArray[np.bool_]

    @property
    def occupied(self) -> npt.NDArray[np.bool_]:
        """(24,) columns whose checkers' colour is known."""
        return np.asarray(self.known[:24] & (self.columns != 0) & self.seen.coloured)


@dataclass(frozen=True)
class _Votes:
    """Corrections that fade with the distance from where they were learnt."""

    places: FloatArray
    weights: FloatArray
    reach: float

    def at(self, places: FloatArray) -> FloatArray:
        """(n, outputs) of (n, features)."""
        return np.asarray(_kernel(places, self.places, self.reach) @ self.weights, np.float32)

    def nearness(self, places: FloatArray) -> FloatArray:
        """(n,) from 0, nothing like it was taught, to 1."""
        return np.asarray(_kernel(places, self.places, self.reach).max(axis=1), np.float32)


@dataclass(frozen=True)
class Lessons:
    """Some positions of one table. gain: by how many nats a position was read better with what was learnt, on a fading mean."""

    lessons: tuple[Lesson, ...]
    gain: float = 0.0

    def corrected(self, seen: Sighting) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The counts (24, 16) and the bar (2, 16) as log-weights, and the sides (24,) as logits."""
        looks = self.looks_of(seen.colour, seen.texture)
        if seen.against(np.where(seen.coloured, self._colours.at(looks)[:, 0], 0)) > SWAPPED:
            seen = seen.swapped()
        counts = seen.counts + self._counts.at(seen.features)
        bar = seen.bar + self._bar.at(seen.bar_features[None]).reshape(2, COUNTS)
        return counts, bar, self._side_trust * seen.side + self._sides.at(looks)[:, 0]

    def newest_shows(self, columns: npt.NDArray[np.int64], bar: npt.ArrayLike) -> bool:
        """Whether the position that taught last was this one: (24,) signed counts; light and dark on the bar."""
        newest = self.lessons[-1]
        return bool((newest.columns == columns).all() and (newest.bar == np.asarray(bar)).all())

    @property
    def both_sides(self) -> bool:
        """Whether checkers of either side taught; with those of one alone nothing can be told apart."""
        _, _, light = self._occupied
        return bool(light.any() and not light.all())

    def alike(self, looks: FloatArray) -> bool:
        """Whether these are the columns of the table that taught: a quarter of them look as they did at one of the positions."""
        best = np.max([(one.seen.looks * looks).sum(axis=1) for one in self.lessons], axis=0)
        return bool(np.quantile(best, 0.75) >= ALIKE)

    def looks_of(self, colour: FloatArray, texture: FloatArray) -> FloatArray:
        """(n, 6) how checkers look, of (n, 3) each, as far as it tells their sides on this table."""
        return _looks(colour * self._axes, texture, self._texture)

    def nearness(self, looks: FloatArray) -> FloatArray:
        """(n,) from 0, no checker that looks so was taught, to 1. looks: (n, 6)."""
        return self._sides.nearness(looks)

    def sides(self, looks: FloatArray) -> FloatArray:
        """(n,) logits of light of checkers of which nothing is known but how they look, (n, 6)."""
        _, trust = self._trusts
        return np.asarray(trust * self.nearness(looks) * self._colours.at(looks)[:, 0], np.float32)

    @cached_property
    def _counts(self) -> _Votes:
        places = np.concatenate([one.seen.features[one.known[:24]] for one in self.lessons])
        plain = np.concatenate([one.seen.counts[one.known[:24]] for one in self.lessons])
        truth = np.concatenate([np.abs(one.columns[one.known[:24]]) for one in self.lessons])
        reach = NEAR * float(np.median(np.linalg.norm(places, axis=1)))
        return _Votes(places, _regressed(_kernel(places, places, reach), plain[:, None], truth[:, None])[:, 0], reach)

    @cached_property
    def _bar(self) -> _Votes:
        with_bar = [one for one in self.lessons if one.known[24]]
        if not with_bar:
            return _Votes(self.lessons[0].seen.bar_features[None], np.zeros((1, 2 * COUNTS), np.float32), 1.0)
        places = np.stack([one.seen.bar_features for one in with_bar])
        reach = NEAR_BAR * float(np.median(np.linalg.norm(places, axis=1)))
        plain, truth = np.stack([one.seen.bar for one in with_bar]), np.stack([one.bar for one in with_bar])
        return _Votes(
            places, _regressed(_kernel(places, places, reach), plain, truth).reshape(len(with_bar), -1), reach
        )

    @cached_property
    def _texture(self) -> float:
        """How much texture counts: nothing, unless positions (columns of an only one) tell the others better with it."""
        plain, textured = (self._surprise_untaught(texture) for texture in (0.0, TEXTURE))
        return TEXTURE if textured + TELLS_MORE[len(self.lessons) > 1] < plain else 0.0

    def _surprise_untaught(self, texture: float) -> float:
        _, side, light = self._occupied
        (said,) = self._untaught(texture, (USUAL_TRUST,))
        return _surprise(USUAL_TRUST * side + said, light)

    @cached_property
    def _occupied(self) -> tuple[npt.NDArray[np.int64], FloatArray, npt.NDArray[np.bool_]]:
        """Of the columns whose checkers were seen: of which position (n,) each is, the network's word (n,) and the truth (n,)."""
        shown = [(one, one.occupied) for one in self.lessons]
        return (
            np.concatenate([np.full(there.sum(), number) for number, (_, there) in enumerate(shown)]),
            np.concatenate([one.seen.side[there] for one, there in shown]),
            np.concatenate([one.columns[there] > 0 for one, there in shown]),
        )

    def _places(self, texture: float) -> FloatArray:
        """(n, 6) how they looked."""
        colours, textures = self._shown
        return _looks(colours * self._axes, textures, texture)

    @cached_property
    def _shown(self) -> tuple[FloatArray, FloatArray]:
        """Of the same columns colour (n, 3) and texture (n, 3)."""
        seen = [(one.seen.colour[one.occupied], one.seen.texture[one.occupied]) for one in self.lessons]
        colours, textures = zip(*seen, strict=True)
        return np.concatenate(colours), np.concatenate(textures)

    @cached_property
    def _trusts(self) -> tuple[float, float]:
        """The likeliest weights of the network's word on the sides and of the colours', given how often each was right on this
        table. Colours of an only position are asked of each column as if it had not taught; those of several are believed."""
        _, side, light = self._occupied

        def unlikely(network: float, colours: float, said: FloatArray | float) -> float:
            believed = np.log(network / USUAL_TRUST) ** 2 + COLOUR_BELIEF * (1 - colours) ** 2
            return _surprise(network * side + colours * said, light) + float(believed)

        if len(self.lessons) > 1:
            return min(SIDE_TRUSTS, key=lambda network: unlikely(network, 1.0, 0.0)), 1.0
        untaught = dict(zip(SIDE_TRUSTS, self._untaught(self._texture, SIDE_TRUSTS), strict=True))
        return min(product(SIDE_TRUSTS, COLOUR_TRUSTS), key=lambda both: unlikely(both[0], both[1], untaught[both[0]]))

    def _untaught(self, texture: float, trusts: Sequence[float]) -> FloatArray:
        """(trusts, n) what the looks would say beyond the network's word, so much trusted, of each column that was seen, had its
        position not taught; of an only position, had that column not."""
        places, (position, side, light) = self._places(texture), self._occupied
        if len(self.lessons) == 1:
            position = np.arange(len(side))
        taught = position[None] != np.unique(position)[:, None]
        both = (taught & light).any(axis=1) & (taught & ~light).any(axis=1)
        kernel = COLOUR_GAIN * _kernel(places, places, self._near_colour)
        plain = np.asarray(trusts, np.float32)[:, None, None] * side
        said = (_leaned(kernel, plain, light, taught) * both[:, None]) @ kernel
        return np.asarray(said[:, np.unique(position, return_inverse=True)[1], np.arange(len(side))], np.float32)

    @property
    def _side_trust(self) -> float:
        return self._trusts[0]

    @cached_property
    def _sides(self) -> _Votes:
        """What the colours say beyond the network's word."""
        trust, by_colour = self._trusts
        votes = self._by_colour(trust)
        return replace(votes, weights=by_colour * votes.weights)

    @cached_property
    def _colours(self) -> _Votes:
        """What the colours say alone."""
        return self._by_colour(0.0)

    @cached_property
    def _axes(self) -> FloatArray:
        """(3,) how much each axis of the colours counts: the less, the more one side's own checkers vary along it, as by shade."""
        (_, _, light), (colours, _) = self._occupied, self._shown
        varied = np.mean([colours[side].var(axis=0) for side in (light, ~light)], axis=0) + LEAST_VARIED**2
        return np.asarray(np.sqrt(varied.mean() / varied), np.float32)

    @cached_property
    def _near_colour(self) -> float:
        """How far what was taught of colours reaches: less where both sides' colours lie near each other, as in the dark."""
        (_, _, light), (colours, _) = self._occupied, self._shown
        apart = np.linalg.norm((colours[light].mean(axis=0) - colours[~light].mean(axis=0)) * self._axes)
        return float(np.clip(SPREADS * apart, *NEAR_COLOUR))

    def _by_colour(self, trust: float) -> _Votes:
        places, (_, side, light) = self._places(self._texture), self._occupied
        weights = _leaned(COLOUR_GAIN * _kernel(places, places, self._near_colour), trust * side, light)
        return _Votes(places, COLOUR_GAIN * weights[:, None], self._near_colour)


def _looks(colour: FloatArray, texture: FloatArray, counts: float) -> FloatArray:
    return np.asarray(np.concatenate([colour, counts * texture], axis=1), np.float32)


def _surprise(logits: FloatArray, light: npt.NDArray[np.bool_]) -> float:
    """By how many nats the truth surprises who believes these (n,) logits of light."""
    rightly = np.where(light, logits, -logits).clip(-MOST_LOGIT, MOST_LOGIT)
    return float(np.log1p(np.exp(-rightly)).sum())


def taught(known: Lessons | None, lesson: Lesson) -> Lessons | None:
    """What is known after one more lesson; None while no lesson shows both sides.

    Where what was learnt has made reading worse, it is forgotten, and this lesson is the first of another table or light.
    """
    both = Lessons((lesson,)).both_sides
    if known is not None and not known.alike(lesson.seen.looks):
        known = None
    read, there = lesson.seen.counts.argmax(axis=1), np.abs(lesson.columns)
    filled = lesson.known[:24] & ((read > 0) | (there > 0))
    if (read == there)[filled].sum() < LEAST_RIGHT * filled.sum():
        return known
    if known is None:
        return Lessons((lesson,)) if both else None
    gain = MEMORY * known.gain + gained(known, lesson)
    if gain < WORSE:
        return Lessons((lesson,)) if both else None
    first, *later = known.lessons
    if later and known.newest_shows(lesson.columns, lesson.bar):
        del later[-1]  # Two looks at one rest of the board show the same.
    return Lessons((first, *later[-(KEPT - 2) :], lesson), gain)


def misread(known: Lessons) -> tuple[int, int, int]:
    """How many places (columns and bars) the lessons show, and how many of them are misread without and with what was learnt."""
    places = without = with_it = 0
    for one in known.lessons:
        counts, bar, sides = known.corrected(one.seen)
        nearness = known.nearness(known.looks_of(one.seen.colour, one.seen.texture)) * one.seen.coloured
        plain = _wrong(one, one.seen.counts, one.seen.side, one.seen.bar)
        learnt = _wrong(one, counts, nearness * sides + (1 - nearness) * one.seen.side, bar)
        places += int(one.known.sum())
        without += int((plain & one.known).sum())
        with_it += int((learnt & one.known).sum())
    return places, without, with_it


def _wrong(lesson: Lesson, counts: FloatArray, side: FloatArray, bar: FloatArray) -> npt.NDArray[np.bool_]:
    """(25,) whether the likeliest is not the truth."""
    read = counts.argmax(axis=1) * np.where(side > 0, 1, -1)
    return np.append(read != lesson.columns, (bar.argmax(axis=1) != lesson.bar).any())


def gained(known: Lessons, lesson: Lesson) -> float:
    """By how many nats a column the truth is likelier with what was learnt than without, on the mean."""
    place = np.arange(24), np.abs(lesson.columns)
    learnt = _log_softmax(known.corrected(lesson.seen)[0])[place]
    plain = _log_softmax(lesson.seen.counts)[place]
    return float((learnt - plain)[lesson.known[:24]].mean()) if lesson.known[:24].any() else 0.0


def _kernel(one: FloatArray, other: FloatArray, reach: float) -> FloatArray:
    """(n, m) likeness, 1 where they are the same."""
    apart = (one**2).sum(axis=1)[:, None] + (other**2).sum(axis=1)[None] - 2 * one @ other.T
    return np.asarray(np.exp(-np.maximum(apart, 0) / (2 * reach**2)), np.float32)


def _regressed(kernel: FloatArray, plain: FloatArray, truth: npt.NDArray[np.int64]) -> FloatArray:
    """(n, k, 16) weights of n samples for k counts each, which bring the plain log-weights (n, k, 16) nearer to the truth."""
    wanted = np.eye(COUNTS, dtype=np.float32)[np.minimum(truth, COUNTS - 1)]

    def missing(weights: FloatArray) -> FloatArray:
        share = np.exp(_log_softmax(plain + (kernel @ weights.reshape(len(kernel), -1)).reshape(plain.shape)))
        return np.asarray(wanted - share - DOUBT * weights)

    return _nearest(missing, wanted.shape, 0.5 * _largest(kernel) + DOUBT, STEPS)


def _leaned(
    kernel: FloatArray,
    plain: FloatArray,
    light: npt.NDArray[np.bool_],
    taught: npt.NDArray[np.bool_] | None = None,
) -> FloatArray:
    """(..., n) weights which bring the plain logits (..., n) of light nearer to the truth, by the samples that are taught."""
    used = np.ones(len(light), np.float32) if taught is None else taught.astype(np.float32)

    def missing(weights: FloatArray) -> FloatArray:
        share = 1 / (1 + np.exp(-np.clip(plain + weights @ kernel, -MOST_LOGIT, MOST_LOGIT)))
        return np.asarray(used * (light - share - COLOUR_DOUBT * weights))

    shape = np.broadcast_shapes(plain.shape, used.shape)
    return _nearest(missing, shape, 0.25 * _largest(kernel) + COLOUR_DOUBT, COLOUR_STEPS)


def _nearest(
    missing: Callable[[FloatArray], FloatArray], shape: tuple[int, ...], steepest: float, steps: int
) -> FloatArray:
    """The weights by which nothing is missing: accelerated gradient steps (Nesterov) towards a regression's only optimum, as many
    whatever the data, the same everywhere. steepest: how fast what is missing can change at most."""
    pace = 1 / steepest
    weights: FloatArray = np.zeros(shape, np.float32)
    ahead = weights
    for step in range(steps):
        further = np.asarray(ahead + pace * missing(ahead), np.float32)
        ahead = np.asarray(further + step / (step + 3) * (further - weights), np.float32)
        weights = further
    return weights


def _largest(kernel: FloatArray) -> float:
    """The largest eigenvalue, by power iteration: no likeness is negative, so that ones lead to it (Perron and Frobenius)."""
    along: FloatArray = np.ones(len(kernel), np.float32)
    for _ in range(POWERS):
        along = kernel @ along
        along /= np.linalg.norm(along)
    return float(np.linalg.norm(kernel @ along))


def _log_softmax(logits: FloatArray) -> FloatArray:
    shifted = logits - logits.max(axis=-1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True)), np.float32)
