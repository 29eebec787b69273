"""Events go to text and back unchanged, refuse what they cannot be, and a journal of them is the state that they made."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.app.match_journal import matches_in, unfinished
from controller.record.journal import Journal
from controller.referee.events import (
    VERSION,
    Adjusted,
    AnyEvent,
    ClockSet,
    Confirmed,
    Doubled,
    EventError,
    Flagged,
    GameEnded,
    GameStarted,
    MatchStarted,
    Named,
    Passed,
    Paused,
    Played,
    Resolved,
    Rewritten,
    RoleSet,
    Rolled,
    Skipped,
    Taken,
    decode,
    encode,
    kind,
)
from controller.referee.folding import fold
from controller.referee.history import effective
from controller.referee.state import Phase
from controller.rules import MONEY, Position, Side, format_play, legal_plays, position_id, ruleset_from, ruleset_keys

SIDES = st.sampled_from(Side)
SECONDS = st.floats(0, 1e7, allow_nan=False)
DIE = st.integers(1, 6)
DICE = st.tuples(DIE, DIE)
SHARE = st.floats(0, 1)
POINT = st.integers(0, 25)
TEXT = st.text(max_size=40)
START = position_id(Position.start(), Side.LIGHT)

EVENTS: st.SearchStrategy[AnyEvent] = st.one_of(
    st.builds(
        MatchStarted,
        seconds=SECONDS,
        length=st.integers(0, 25),
        light=TEXT,
        dark=TEXT,
        rules=TEXT,
        position=st.just(START),
    ),
    st.builds(GameStarted, seconds=SECONDS, number=st.integers(1, 99)),
    st.builds(Rolled, seconds=SECONDS, side=SIDES, dice=DICE),
    st.builds(
        Played,
        seconds=SECONDS,
        side=SIDES,
        dice=DICE,
        before=st.just(START),
        after=st.just(START),
        moves=st.lists(st.tuples(POINT, POINT), max_size=4).map(tuple),
        notation=TEXT,
        legal=st.booleans(),
        roll_seen=st.booleans(),
        sure=SHARE,
    ),
    *(st.builds(event, seconds=SECONDS, side=SIDES) for event in (Skipped, Taken, Passed)),
    st.builds(Doubled, seconds=SECONDS, side=SIDES, value=st.sampled_from([2, 4, 8, 64])),
    st.builds(Flagged, seconds=SECONDS, number=st.integers(1, 99), code=TEXT, side=st.none() | SIDES, text=TEXT),
    st.builds(
        Resolved,
        seconds=SECONDS,
        number=st.integers(1, 99),
        how=st.sampled_from(["put right", "condoned", "stands", "corrected"]),
    ),
    st.builds(GameEnded, seconds=SECONDS, winner=SIDES, level=st.integers(1, 3), points=st.integers(1, 9)),
    st.builds(Confirmed, seconds=SECONDS, turn=st.integers(1, 99)),
    st.builds(Adjusted, seconds=SECONDS, position=st.none() | st.just(START), turn=st.none() | SIDES, cube=st.none()),
    st.builds(Adjusted, seconds=SECONDS, score=st.tuples(POINT, POINT), crawford=st.none() | st.booleans()),
    st.builds(Paused, seconds=SECONDS, on=st.booleans()),
    st.builds(RoleSet, seconds=SECONDS, role=st.sampled_from(["recorder", "monitor", "coach"])),
    st.builds(Named, seconds=SECONDS, light=TEXT, dark=TEXT),
    st.builds(ClockSet, seconds=SECONDS, running=st.none() | SIDES),
    st.builds(
        Rewritten,
        seconds=SECONDS,
        to=st.integers(0, 99),
        given=st.integers(0, 99),
        then=st.lists(st.builds(Skipped, seconds=SECONDS, side=SIDES), max_size=3).map(tuple),
    ),
)


GAMES_AND_CUTS = st.lists(st.tuples(st.builds(Skipped, side=SIDES), st.integers(0, 30)), min_size=1, max_size=20).map(
    lambda pairs: ([event for event, _ in pairs], [cut for _, cut in pairs])
)


@given(EVENTS)
def test_every_event_comes_back_from_its_text_as_it_was(event: AnyEvent) -> None:
    text = encode(event)
    assert decode(VERSION, text) == event
    assert json.loads(text)["type"] == kind(event)


@given(EVENTS, st.data())
def test_a_text_that_was_cut_off_is_refused(event: AnyEvent, data: st.DataObject) -> None:
    text = encode(event)
    cut = data.draw(st.integers(0, len(text) - 1))
    with pytest.raises(EventError, match="cannot be read"):
        decode(VERSION, text[:cut])


def test_an_event_of_a_newer_version_is_refused_with_what_to_do() -> None:
    with pytest.raises(
        EventError, match=rf"newer version of Vrhcáb \(event version {VERSION + 1}\): update the program"
    ):
        decode(VERSION + 1, encode(GameStarted(number=1)))


@pytest.mark.parametrize(
    "text",
    [
        '{"type": "earthquake", "seconds": 1.0}',
        '{"type": "roll", "side": "white", "dice": [6, 5]}',
        '{"type": "roll", "side": "light", "dice": [6]}',
        '{"type": "play"}',
        "[]",
        "null",
    ],
)
def test_an_event_that_cannot_be_is_refused(text: str) -> None:
    with pytest.raises(EventError, match="cannot be read"):
        decode(VERSION, text)


def test_rules_with_changes_of_version_1_are_read_as_the_preset_that_they_changed() -> None:
    text = '{"type":"match","length":3,"light":"Jana","dark":"Petr","rules":"money with changes","position":"4HPwATDgc/ABMA"}'
    old = decode(1, text)
    assert isinstance(old, MatchStarted)
    assert fold([old]).ruleset == MONEY


def test_rules_are_remembered_in_full_whatever_their_name() -> None:
    rules = ruleset_from({"preset": "match", "cube": {"crawford": False}})
    begun = MatchStarted(length=2, light="J", dark="P", rules=rules.name, position=START, keys=ruleset_keys(rules))
    events = [decode(VERSION, encode(event)) for event in (begun, GameStarted(number=1))]
    state = fold([*events, GameEnded(winner=Side.LIGHT, level=1, points=1)])
    assert (state.ruleset, state.score.crawford) == (rules, False)


def test_rules_that_this_version_does_not_know_are_refused() -> None:
    begun = MatchStarted(length=2, light="J", dark="P", rules="match", position=START, keys={"dice.loaded": True})
    with pytest.raises(EventError, match=r"rules that this version does not know.*dice.loaded"):
        fold([begun])


def plain(event: AnyEvent) -> AnyEvent:
    """A note of a correction without what it struck."""
    if not isinstance(event, Rewritten):
        return event
    return msgspec.structs.replace(event, struck=msgspec.UNSET, put=0, nth=0)


@given(GAMES_AND_CUTS)
def test_what_holds_is_a_beginning_and_what_came_after_each_correction(case: tuple[list[AnyEvent], list[int]]) -> None:
    written, cuts = case
    held: list[AnyEvent] = []
    journal: list[AnyEvent] = []
    for event, cut in zip(written, cuts, strict=True):
        if cut < len(held):
            mark = Rewritten(to=cut, given=0, then=(event,))
            journal.append(mark)
            held = [*held[:cut], Rewritten(to=cut, given=0), event]
        else:
            journal.append(event)
            held.append(event)
    assert list(map(plain, effective(journal))) == held
    assert list(map(plain, effective(effective(journal[:-1]) + journal[-1:]))) == held


def game(rolls: list[tuple[int, int]], choices: list[int]) -> list[AnyEvent]:
    """A match in progress: the opening and a turn for each roll, the legal play picked by the choice."""
    events: list[AnyEvent] = [
        MatchStarted(length=3, light="Jana", dark="Petr", rules="match", position=START),
        GameStarted(number=1),
    ]
    position, side = Position.start(), Side.LIGHT
    for number, (roll, choice) in enumerate(zip(rolls, choices, strict=True), start=1):
        plays = legal_plays(position, side, roll)
        play = plays[choice % len(plays)]
        before, position = position, play.result
        events += [
            Rolled(side=side, dice=roll, seconds=10.0 * number),
            Played(
                side=side,
                dice=roll,
                before=position_id(before, Side.LIGHT),
                after=position_id(position, Side.LIGHT),
                moves=tuple((move.source, move.target) for move in play.moves),
                notation=format_play(play),
                legal=True,
                seconds=10.0 * number + 5,
            ),
        ]
        side = side.other
    return events


GAMES = st.lists(st.tuples(DICE, st.integers(0, 10_000)), max_size=12).map(
    lambda turns: game([roll for roll, _ in turns], [choice for _, choice in turns])
)


@given(GAMES, st.data())
def test_the_fold_of_a_whole_is_the_fold_of_its_parts(events: list[AnyEvent], data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(events)))
    assert fold(events[cut:], fold(events[:cut])) == fold(events)


@given(GAMES)
def test_the_state_holds_every_turn_and_the_board_after_the_last(events: list[AnyEvent]) -> None:
    state = fold(events)
    played = tuple(event for event in events if isinstance(event, Played))
    assert state.turns == played
    assert position_id(state.position, Side.LIGHT) == (played[-1].after if played else START)
    assert (state.events, state.seconds) == (len(events), played[-1].seconds if played else 0.0)
    assert state.turn is (played[-1].side.other if played else None)


def goes_on(journal: Journal) -> tuple[str, list[AnyEvent]]:
    """The unfinished match's name, and its events."""
    found = unfinished(journal)
    assert found.replayed.state == fold(found.held)
    return found.match, found.held


def write(path: Path, matches: dict[str, list[AnyEvent]]) -> None:
    with Journal(path) as journal:
        for match, events in matches.items():
            for event in events:
                journal.append(kind(event), VERSION, encode(event), "board-1", match, 1)


OVER: list[AnyEvent] = [*game([(3, 1)], [0]), GameEnded(winner=Side.LIGHT, level=3, points=3)]


class TestJournal:
    def test_its_fold_is_the_state_that_it_was_written_from(self, tmp_path: Path) -> None:
        events = game([(3, 1), (6, 4), (5, 5)], [7, 3, 1])
        write(tmp_path / "j", {"one": events})
        with Journal(tmp_path / "j") as journal:
            assert goes_on(journal) == ("one", events)
            assert list(matches_in(journal)) == [("one", events)]

    def test_the_last_match_goes_on_and_the_ones_before_it_stay_whole(self, tmp_path: Path) -> None:
        events = game([(2, 1)], [2])
        write(tmp_path / "j", {"one": OVER, "two": events})
        with Journal(tmp_path / "j") as journal:
            assert goes_on(journal) == ("two", events)
            assert [match for match, _ in matches_in(journal)] == ["one", "two"]

    def test_a_match_that_is_over_is_not_gone_on_with(self, tmp_path: Path) -> None:
        assert fold(OVER).phase is Phase.MATCH_OVER
        write(tmp_path / "j", {"one": OVER})
        with Journal(tmp_path / "j") as journal:
            assert goes_on(journal) == ("", [])

    def test_an_empty_one_holds_no_match(self, tmp_path: Path) -> None:
        with Journal(tmp_path / "j") as journal:
            assert goes_on(journal) == ("", [])
            assert list(matches_in(journal)) == []


def test_flags_are_numbered_and_each_is_resolved_alone() -> None:
    first = Flagged(number=1, code="R05", side=Side.LIGHT, text="Play does not match 3-1.")
    second = Flagged(number=2, code="R04", side=Side.DARK, text="Rolled early.")
    state = fold([first, second, Resolved(number=1, how="stands")])
    assert [flag.number for flag in state.standing] == [2]
    assert [flag.resolved for flag in state.flags] == ["stands", None]
    assert state.next_flag == 3


def test_a_taken_cube_belongs_to_the_taker_at_twice_its_value_and_the_doubler_rolls() -> None:
    state = fold([Doubled(side=Side.DARK, value=2)], fold(game([(3, 1)], [0])))
    assert (state.phase, state.cube, state.turn) == (Phase.OFFERED, 1, Side.DARK)
    state = fold([Taken(side=Side.LIGHT)], state)
    assert (state.phase, state.cube, state.owner, state.turn) == (Phase.TO_ROLL, 2, Side.LIGHT, Side.DARK)
