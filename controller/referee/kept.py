"""What waits to be written, as it is kept for the next start: what is believed of the game, and the dice that lie there."""

from __future__ import annotations

import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import get_args

import msgspec
import numpy as np

from controller.errors import ControllerError
from controller.referee.stages import LyingDice
from controller.rules import Move, Play, Position, Side
from controller.tracking.belief import Belief
from controller.tracking.dice import FACES, Floats, Landing
from controller.tracking.evidence import Evidence
from controller.tracking.hypothesis import Fact, Hypothesis, Throw, TurnStage
from controller.tracking.orientation import POINTS
from controller.tracking.parameters import WORTH
from controller.tracking.tracker import Tracker
from vision.observation import MAX_COUNT, DieSeen


@dataclass(frozen=True)
class Lies:
    """A die that lies there: what it shows, and where, in board plane coordinates."""

    value: int
    x: float
    y: float


@dataclass(frozen=True)
class Kept:
    """What is believed while something waits to be written.

    courses: the hypotheses that are worth anything, with their probabilities, best first; unsettled: as a Tracker has it; seconds:
    of the last look; reading: what was read of columns and bar, and how much of them was seen, packed; dice: those that were seen
    then; nobodys: those that lie there and are nobody's roll, as their turn has ended or nobody throws them.
    """

    courses: tuple[tuple[Hypothesis, float], ...]
    unsettled: bool
    seconds: float
    reading: str
    dice: tuple[Lies, ...]
    nobodys: tuple[Lies, ...]

    @property
    def gist(self) -> object:
        """What tells it from what was kept before: not how sure it is, nor how exactly dice are seen to lie."""
        faces = (tuple(die.value for die in dice) for dice in (self.dice, self.nobodys))
        return self.courses[0][0], self.unsettled, *faces

    @property
    def lying(self) -> LyingDice:
        """The dice that are nobody's roll."""
        return LyingDice(_seen(self.nobodys))

    def believed_by(self, tracker: Tracker) -> Tracker:
        """That tracker, which has seen nothing yet, believing this: what is read again as it was read then says nothing new."""
        columns, bar, seen = _unpacked(self.reading)
        home, seconds = tracker.light_home, self.seconds
        evidence = Evidence(columns, bar, seen, _seen(self.dice), (), None, home, first=seconds, last=seconds)
        belief = Belief(self.courses, evidence)
        return replace(tracker, belief=belief, settled=belief, unsettled=self.unsettled)


def kept_of(tracker: Tracker, nobodys: tuple[DieSeen, ...]) -> Kept | None:
    """What is believed, if something of it waits to be written. nobodys: dice that are nobody's roll."""
    belief = tracker.belief
    if not belief.best.facts or belief.evidence is None:
        return None
    worth = [(one, share) for one, share in belief.hypotheses if share >= WORTH]
    total = sum(share for _, share in worth)
    courses = tuple((one, share / total) for one, share in worth)
    seen = belief.evidence
    return Kept(courses, tracker.unsettled, seen.last, _packed(seen), _lie(seen.dice), _lie(nobodys))


class KeptError(ControllerError):
    """What is kept can't be read."""


def encode_kept(kept: Kept) -> bytes:
    """As JSON, by the names of the classes."""
    return msgspec.json.encode(_named(kept))


def decode_kept(data: bytes) -> Kept:
    """What encode_kept() made in a program of the same SHAPE. Raises KeptError."""
    try:
        kept = _unnamed(msgspec.json.decode(data))
    except (msgspec.DecodeError, ControllerError, LookupError, TypeError, ValueError, RecursionError) as error:
        raise KeptError(str(error)) from error
    if not isinstance(kept, Kept):
        raise KeptError()
    return kept


_PARTS = (Kept, Lies, Hypothesis, Side, Position, Move, Play, Landing, Throw)
_CLASSES: dict[str, Callable[..., object]] = {
    one.__name__: one for one in (*_PARTS, *get_args(TurnStage), *get_args(Fact))
}


def _fields(one: Callable[..., object]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(one)) if is_dataclass(one) else getattr(one, "_fields", ())


SHAPE = zlib.crc32(repr([(name, _fields(one)) for name, one in _CLASSES.items()]).encode())
"""What those classes hold: what a program keeps is for those that have the same ones."""


def _named(value: object) -> object:
    name = type(value).__name__
    if isinstance(value, Side):
        return {name: [value.value]}
    if name in _CLASSES:
        return {name: [_named(getattr(value, field)) for field in _fields(type(value))]}
    return [_named(one) for one in value] if isinstance(value, tuple) else value


def _unnamed(value: object) -> object:
    match value:
        case dict():
            ((name, parts),) = value.items()
            return _CLASSES[name](*map(_unnamed, parts))
        case list():
            return tuple(map(_unnamed, value))
    return value


def _packed(evidence: Evidence) -> str:
    columns, seen = evidence.clearest()
    numbers = np.concatenate([columns.ravel(), evidence.bar.ravel(), seen, evidence.seen[POINTS:]])
    return b64encode(numbers.astype(np.float16).tobytes()).decode()


def _unpacked(reading: str) -> tuple[Floats, Floats, Floats]:
    """(24, 31), (2, 16) and (25,)."""
    numbers = np.frombuffer(b64decode(reading), np.float16).astype(np.float64)
    contents, counts = 2 * MAX_COUNT + 1, MAX_COUNT + 1
    columns, bar, seen = np.split(numbers, [POINTS * contents, POINTS * contents + 2 * counts])
    return columns.reshape(POINTS, contents), bar.reshape(2, counts), seen


def _lie(dice: tuple[DieSeen, ...]) -> tuple[Lies, ...]:
    return tuple(Lies(die.value, *map(float, die.at)) for die in dice)


def _seen(dice: tuple[Lies, ...]) -> tuple[DieSeen, ...]:
    return tuple(DieSeen((one.x, one.y), np.eye(FACES, dtype=np.float32)[one.value - 1], 1.0) for one in dice)
