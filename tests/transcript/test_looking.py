"""How often a film's board is looked at: a look that leaves nothing in doubt is not repeated, one of a game not found is."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest

from controller.referee.events import Played
from controller.referee.session import MatchPlan
from controller.rules import MATCH, Position, Side, legal_plays
from controller.tracking.orientation import right_half_is_right
from controller.tracking.parameters import SURE
from controller.transcript import transcribe
from controller.transcript.transcribe import Ended, Job, Transcriber
from terms.board import CORNERS, Corner
from tests.rules.boards import board
from tests.tracking.eyes import Eyes, thrown
from vision.frame import Frame, Image
from vision.observation import DieSeen, Observation
from vision.reading.reader import unread

PICTURE = Frame(np.zeros((90, 160, 3), np.uint8), 0.0)
START = Position.start()
MIDDLE = board("24:1 18:1 13:4 8:3 7:1 6:4 5:1", "24:2 13:4 8:2 6:5 5:2")


MANY = 1000


class Eye:
    """A watcher that sees what it is told to. said: what it was told of its looks; renamed_after: looks from which on it is plain
    that the sides have had each other's names."""

    corners = size = None
    frame: Frame | None = None
    appearance: object = None
    trouble = ""
    around = stirs = False

    def __init__(self, looks: Sequence[Observation], renamed_after: int = MANY, diagram_until: int = 0) -> None:
        """renamed_after, diagram_until: after so many looks the sides are renamed, a board is filmed instead of a diagram."""
        self.looks, self.said, self._left = iter(looks), "", renamed_after
        self._drawn = self._first_drawn = diagram_until

    def look(self, frame: Frame) -> Observation:
        self.said += "-"
        self._left -= 1
        self._drawn -= 1
        return next(self.looks)

    @property
    def replaced(self) -> int:
        return int(self._drawn < 0 < self._first_drawn)

    @property
    def misnamed(self) -> bool:
        return self._left <= 0

    def rename(self) -> None:
        self._left = MANY

    def content(self) -> None:
        self.said += "sure"

    def calm(self) -> None:
        self.said += "calm"

    def learn(self, *_: object, **__: object) -> None:
        pass


def said_of(monkeypatch: pytest.MonkeyPatch, eyes: Eyes, looks: Sequence[Observation]) -> str:
    """What the watcher hears after each of these looks, "" where it is to look again soon."""
    eye = Eye(looks)
    monkeypatch.setattr(transcribe, "Watcher", lambda *_, **__: eye)
    work = Transcriber(Job(MatchPlan(MATCH), None, eyes.light_home))
    for _ in looks:
        work.look(PICTURE)
    return eye.said


def test_a_turn_is_shown_in_the_picture_that_was_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """In little light it is several that were laid over one another."""
    eyes, dice, shown = Eyes(), thrown(Side.LIGHT, 3, 1), list[Image]()
    after = next(play.result for play in legal_plays(START, Side.LIGHT, (3, 1)))
    eye = Eye([eyes.look(START), eyes.look(START, dice), eyes.look(after, dice)])
    eye.frame = Frame(np.full((90, 160, 3), 90, np.uint8), 0.0)
    monkeypatch.setattr(transcribe, "Watcher", lambda *_, **__: eye)
    monkeypatch.setattr(transcribe, "thumbnail", lambda image: shown.append(image) or image)
    work = Transcriber(Job(MatchPlan(MATCH), None, eyes.light_home))
    for _ in range(3):
        work.look(PICTURE)
    assert len(shown) == 3
    assert all(image is eye.frame.image for image in shown)


def test_a_look_at_dice_and_one_at_the_play_will_do(monkeypatch: pytest.MonkeyPatch) -> None:
    eyes, moving = Eyes(), unread(PICTURE)
    dice = thrown(Side.LIGHT, 3, 1)
    after = next(play.result for play in legal_plays(START, Side.LIGHT, (3, 1)))
    looks = [eyes.look(START), moving, eyes.look(START, dice), moving, eyes.look(after, dice), moving, eyes.look(after)]
    looks += [moving, eyes.look(after, thrown(Side.DARK, 6, 2))]
    assert said_of(monkeypatch, eyes, looks).endswith("--sure--sure--sure")


@pytest.mark.parametrize(("stirs", "turns"), [(False, 1), (True, 0)])
def test_a_card_at_the_end_of_a_film_is_no_hand_over_its_last_play(
    monkeypatch: pytest.MonkeyPatch, *, stirs: bool, turns: int
) -> None:
    eyes, nothing = Eyes(), unread(PICTURE)
    dice = thrown(Side.LIGHT, 3, 1)
    after = next(play.result for play in legal_plays(START, Side.LIGHT, (3, 1)))
    eye = Eye([eyes.look(START), nothing, eyes.look(START, dice), nothing, eyes.look(after, dice), nothing, nothing])
    monkeypatch.setattr(transcribe, "Watcher", lambda *_, **__: eye)
    work = Transcriber(Job(MatchPlan(MATCH), None, eyes.light_home))
    for number in range(7):
        eye.stirs = number in (1, 3) or (stirs and number == 5)
        work.look(PICTURE)
    written = [event for event in work.ended().held if isinstance(event, Played)]
    assert len(written) == turns
    assert all(event.sure < SURE for event in written)


LAST_TWO = board("1:2", "1:2")


@pytest.mark.parametrize(
    ("before", "stood", "turns"),
    [(START, 0.5, 0), (START, 2.0, 1), (LAST_TWO, 0.5, 1)],
    ids=["may be half of it", "stands", "has won"],
)
def test_a_play_that_is_put_down_as_the_film_ends_may_be_half_of_one(
    monkeypatch: pytest.MonkeyPatch, before: Position, stood: float, turns: int
) -> None:
    eyes, dice = Eyes(), thrown(Side.LIGHT, 3, 1)
    after = next(play.result for play in legal_plays(before, Side.LIGHT, (3, 1)))
    nothing = unread(PICTURE)
    looks = [eyes.look(before), nothing, eyes.look(before, dice), nothing, eyes.look(after, dice)]
    eye = Eye([*looks, looks[-1]])
    monkeypatch.setattr(transcribe, "Watcher", lambda *_, **__: eye)
    work = Transcriber(Job(MatchPlan(MATCH, start=before), None, eyes.light_home))
    for one in looks:
        work.look(replace(PICTURE, seconds=one.seconds))
    work.look(replace(PICTURE, seconds=looks[-1].seconds + stood))
    assert sum(isinstance(event, Played) for event in work.ended().held) == turns


def test_a_second_look_that_says_nothing_new_is_the_last_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    eyes = Eyes()
    one_die = eyes.look(START, [(3, Side.LIGHT)])
    assert said_of(monkeypatch, eyes, [one_die, one_die]) == "--calm"


def test_a_game_that_is_not_found_yet_is_looked_at_again_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    eyes = Eyes()
    assert said_of(monkeypatch, eyes, [eyes.look(MIDDLE)]) == "-"


@pytest.mark.parametrize(("to_their_left", "legal"), [(True, True), (False, False)])
def test_a_first_turn_is_as_legal_as_it_is_wherever_the_players_throw(
    monkeypatch: pytest.MonkeyPatch, *, to_their_left: bool, legal: bool
) -> None:
    """As in a mirror image everybody throws into the opponent's half; an illegal play alone makes none."""
    eyes, nothing = Eyes(light_home="top-left"), unread(PICTURE)
    first = next(play.result for play in legal_plays(START, Side.LIGHT, (3, 1) if legal else (4, 1)))
    reply = next(play.result for play in legal_plays(first, Side.DARK, (6, 2)))
    looks = [eyes.look(START)]
    for before, after, dice in ((START, first, thrown(Side.LIGHT, 3, 1)), (first, reply, thrown(Side.DARK, 6, 2))):
        looks += [nothing, eyes.look(before, dice), nothing, eyes.look(after, dice), nothing, eyes.look(after)]
    if to_their_left:
        looks = [replace(look, dice=tuple(replace(d, at=(1 - d.at[0], d.at[1])) for d in look.dice)) for look in looks]
    eye = Eye(looks)
    monkeypatch.setattr(transcribe, "Watcher", lambda *_, **__: eye)
    work = Transcriber(Job(MatchPlan(MATCH), None))
    for one in looks:
        work.look(replace(PICTURE, seconds=one.seconds))
    ended = work.ended()
    assert ended.light_home == "top-left"
    played = [(event.side, event.dice, event.legal) for event in ended.held if isinstance(event, Played)]
    assert played == [(Side.LIGHT, (3, 1), legal), (Side.DARK, (6, 2), True)]


def transcribed(monkeypatch: pytest.MonkeyPatch, eye: Eye, looks: Sequence[Observation]) -> Ended:
    """What a recording of these looks, each a key frame, comes to."""
    monkeypatch.setattr(transcribe, "Watcher", lambda *_, **__: eye)
    work = Transcriber(Job(MatchPlan(MATCH), None, key_frames=True))
    for one in looks:
        work.look(replace(PICTURE, seconds=one.seconds))
    return work.ended()


def a_game(
    eyes: Eyes,
    turns: int,
    *,
    into: Callable[[random.Random, Side], tuple[bool, bool]] | None = None,
    left: float = 0.0,
    seed: int = 3,
) -> tuple[list[Observation], list[tuple[Side, tuple[int, int]]]]:
    """Looks at a game that begins with 3-1, two a turn, and its turns. into: whether each die comes to lie in the thrower's right
    half; None: both do. left: how often a player does not take his dice up after his turn, so that they lie for another."""
    rng, position, side = random.Random(seed), START, Side.LIGHT
    looks, course = [eyes.look(START)], []
    old: tuple[DieSeen, ...] = ()
    for turn in range(turns):
        roll = (3, 1) if turn == 0 else (rng.randint(4, 6), rng.randint(1, 3))
        after = rng.choice(legal_plays(position, side, roll)).result
        halves = into(rng, side) if into is not None else (True, True)
        right = [own == right_half_is_right(side, eyes.light_home) for own in halves]
        places = [(0.25 + 0.48 * there + 0.05 * number, 0.4 + 0.03 * turn) for number, there in enumerate(right)]
        for stands in (position, after):
            seen = eyes.look(stands, thrown(side, *roll))
            dice = tuple(replace(die, at=at) for die, at in zip(seen.dice, places, strict=True))
            looks.append(replace(seen, dice=dice + old))
        old = dice if rng.random() < left else ()
        position, course, side = after, [*course, (side, roll)], side.other
    return looks, course


def turns_of(ended: Ended) -> list[tuple[Side, tuple[int, int]]]:
    return [(event.side, event.dice) for event in ended.held if isinstance(event, Played)]


@pytest.mark.parametrize("renamed_after", [MANY, 5, 9])
def test_sides_that_had_each_others_names_have_their_own_from_the_first_turn_on(
    monkeypatch: pytest.MonkeyPatch, renamed_after: int
) -> None:
    looks, course = a_game(Eyes(light_home="top-left"), 7)
    seen = [look.exchanged() if i < renamed_after else look for i, look in enumerate(looks)]
    ended = transcribed(monkeypatch, Eye(seen, renamed_after), looks)
    if renamed_after == MANY:
        assert turns_of(ended)[1:] == [(side.other, roll) for side, roll in course[1:]]
    else:
        assert ended.light_home == "top-left"
        assert turns_of(ended) == course


def test_a_set_that_was_known_keeps_the_names_that_it_had_then(monkeypatch: pytest.MonkeyPatch) -> None:
    looks, course = a_game(Eyes(light_home="top-left"), 7)
    eye = Eye(looks, 9)
    eye.appearance = object()
    assert turns_of(transcribed(monkeypatch, eye, looks)) == course


@pytest.mark.parametrize("home", CORNERS)
@pytest.mark.parametrize("drawn", [1, 5])
def test_a_diagram_may_show_the_game_from_any_side(monkeypatch: pytest.MonkeyPatch, home: Corner, drawn: int) -> None:
    """And without dice; after so many looks the board is filmed."""
    filmed, course = a_game(Eyes(light_home=home), 9)
    seen_so, _ = a_game(Eyes(light_home="top-left"), 9)
    looks = [replace(look, dice=()) for look in seen_so[:drawn]] + filmed[drawn:]
    ended = transcribed(monkeypatch, Eye(looks, diagram_until=drawn), looks)
    assert ended.light_home == home
    assert turns_of(ended)[-7 + drawn // 2 :] == course[2 + drawn // 2 :]


WAYS_TO_THROW: dict[str, Callable[[random.Random, Side], tuple[bool, bool]]] = {
    "to their left, or in a mirror": lambda _rng, _side: (False, False),
    "one to his left": lambda _rng, side: (side is Side.LIGHT,) * 2,
    "the other to his left": lambda _rng, side: (side is Side.DARK,) * 2,
    "into one half, then into the other": lambda rng, _side: (rng.random() < 0.5,) * 2,
    "one die here, one there": lambda rng, _side: (rng.random() < 0.5, rng.random() < 0.5),
}


THROWN = [
    (way, seed)
    for way, seeds in zip(WAYS_TO_THROW, ((0, 3), (3, 4), (4, 5), (5, 8), (8, 0)), strict=True)
    for seed in seeds
]
"""Every way in two games, and in each of those games two ways."""


@pytest.mark.parametrize("first", [0, 2], ids=["from the start", "the game is on"])
@pytest.mark.parametrize(("way", "seed"), THROWN)
def test_players_may_throw_wherever_they_like(monkeypatch: pytest.MonkeyPatch, way: str, seed: int, first: int) -> None:
    looks, course = a_game(Eyes(light_home="top-left"), 9, into=WAYS_TO_THROW[way], seed=seed)
    assert turns_of(transcribed(monkeypatch, Eye(looks[first:]), looks[first:])) == course[first // 2 :]


@pytest.mark.parametrize("seed", [0, 3, 4, 5, 8])
@pytest.mark.parametrize("left", [0.2, 1.0], ids=["now and then", "until the next throw"])
def test_dice_that_nobody_takes_up_hold_no_game_up(monkeypatch: pytest.MonkeyPatch, left: float, seed: int) -> None:
    looks, course = a_game(Eyes(light_home="top-left"), 9, left=left, seed=seed)
    assert turns_of(transcribed(monkeypatch, Eye(looks), looks)) == course
