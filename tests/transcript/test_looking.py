"""How often a film's board is looked at: a look that leaves nothing in doubt is not repeated, one of a game not found is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from controller.referee.events import Played
from controller.referee.session import MatchPlan
from controller.rules import MATCH, Position, Side, legal_plays
from controller.tracking.parameters import SURE
from controller.transcript import transcribe
from controller.transcript.transcribe import Job, Transcriber
from tests.rules.boards import board
from tests.tracking.eyes import Eyes, thrown
from vision.frame import Frame
from vision.observation import Observation
from vision.reading.reader import unread

PICTURE = Frame(np.zeros((90, 160, 3), np.uint8), 0.0)
START = Position.start()
MIDDLE = board("24:1 18:1 13:4 8:3 7:1 6:4 5:1", "24:2 13:4 8:2 6:5 5:2")


class Eye:
    """A watcher that sees what it is told to. said: what it was told of its looks."""

    corners = size = None
    trouble = ""
    around = stirs = False

    def __init__(self, looks: Sequence[Observation]) -> None:
        self.looks, self.said = iter(looks), ""

    def look(self, frame: Frame) -> Observation:
        self.said += "-"
        return next(self.looks)

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


@pytest.mark.parametrize(("mirrored", "legal"), [(True, True), (False, False)])
def test_a_mirror_image_is_known_by_its_first_turns(
    monkeypatch: pytest.MonkeyPatch, *, mirrored: bool, legal: bool
) -> None:
    """In a mirror image everybody throws into the opponent's half; an illegal play alone makes none."""
    eyes, nothing = Eyes(light_home="top-left"), unread(PICTURE)
    first = next(play.result for play in legal_plays(START, Side.LIGHT, (3, 1) if legal else (4, 1)))
    reply = next(play.result for play in legal_plays(first, Side.DARK, (6, 2)))
    looks = [eyes.look(START)]
    for before, after, dice in ((START, first, thrown(Side.LIGHT, 3, 1)), (first, reply, thrown(Side.DARK, 6, 2))):
        looks += [nothing, eyes.look(before, dice), nothing, eyes.look(after, dice), nothing, eyes.look(after)]
    eye = Eye([look.mirrored() if mirrored and look.still else look for look in looks])
    monkeypatch.setattr(transcribe, "Watcher", lambda *_, **__: eye)
    work = Transcriber(Job(MatchPlan(MATCH), None))
    for one in looks:
        work.look(replace(PICTURE, seconds=one.seconds))
    ended = work.ended()
    assert ended.light_home == ("top-right" if mirrored else "top-left")
    played = [(event.side, event.dice, event.legal) for event in ended.held if isinstance(event, Played)]
    assert played == [(Side.LIGHT, (3, 1), legal), (Side.DARK, (6, 2), True)]
