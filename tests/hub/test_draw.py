"""Who meets whom: properties that hold of every draw, and tournaments as directors know them."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.hub.tournament.draw import (
    DrawError,
    Entrant,
    Format,
    Meeting,
    Round,
    byes,
    losses,
    most_rounds,
    next_round,
    usual_rounds,
)
from controller.hub.tournament.standings import standings


def players(count: int) -> tuple[Entrant, ...]:
    return tuple(Entrant(f"P{number}") for number in range(1, count + 1))


def played(drawn: Round, chance: random.Random, length: int = 7) -> Round:
    """Somebody wins each meeting that is open."""
    found = []
    for meeting in drawn:
        if meeting.winner is None:
            assert meeting.second is not None
            first = chance.random() < 0.5
            lower = chance.randrange(length)
            points = (length, lower) if first else (lower, length)
            meeting = replace(meeting, winner=meeting.first if first else meeting.second, points=points)
        found.append(meeting)
    return tuple(found)


def all_rounds(format: Format, count: int, seed: int, length: int = 0) -> list[Round]:
    chance, rounds = random.Random(seed), list[Round]()
    while drawn := next_round(format, players(count), rounds, length):
        names = [name for meeting in drawn for name in meeting.players]
        assert len(names) == len(set(names)), "a player once a round"
        rounds.append(played(drawn, chance))
        assert len(rounds) < 4 * count
    return rounds


def pairs(rounds: list[Round]) -> Counter[frozenset[str]]:
    return Counter(frozenset(one.players) for each in rounds for one in each if one.second is not None)


@settings(max_examples=15, deadline=None)
@given(st.integers(2, 24), st.integers(0, 10_000))
def test_swiss(count: int, seed: int) -> None:
    length = most_rounds(count)
    rounds = all_rounds("swiss", count, seed, length)
    assert len(rounds) == length, "whatever the results, so many rounds can be drawn"
    assert max(pairs(rounds).values()) == 1, "nobody meets twice"
    assert max(byes(rounds).values(), default=0) <= 1, "nobody has two byes"
    for number, one in enumerate(rounds):
        assert len([name for meeting in one for name in meeting.players]) == count, "everybody plays"
        won = Counter(meeting.winner for each in rounds[:number] for meeting in each)
        free = [name for meeting in one if meeting.second is None for name in meeting.players]
        least = min((won[p.name] for p in players(count) if not byes(rounds[:number])[p.name]), default=0)
        assert all(won[name] <= least + 1 for name in free), "a bye is for whoever has won least"
    first = Counter(meeting.first for each in rounds for meeting in each if meeting.second)
    assert max(abs(2 * first[p.name] - length) for p in players(count)) <= 4, "nobody always comes first"


def test_the_first_swiss_round_has_the_upper_half_against_the_lower() -> None:
    drawn = next_round("swiss", players(8), [], 3)
    assert [meeting.players for meeting in drawn] == [("P1", "P5"), ("P2", "P6"), ("P3", "P7"), ("P4", "P8")]
    winners = tuple(replace(meeting, winner=meeting.first) for meeting in drawn)
    second = next_round("swiss", players(8), [winners], 3)
    assert {frozenset(meeting.players) for meeting in second} == {
        frozenset(pair) for pair in (("P1", "P3"), ("P2", "P4"), ("P5", "P7"), ("P6", "P8"))
    }


def test_three_hundred_players_are_drawn() -> None:
    drawn = next_round("swiss", players(301), [], 9)
    assert drawn[-1] == Meeting("P301", None, "P301")
    assert len(drawn) == 151


@settings(max_examples=20, deadline=None)
@given(st.integers(2, 21), st.integers(0, 10_000))
def test_round_robin(count: int, seed: int) -> None:
    rounds = all_rounds("round robin", count, seed)
    assert set(pairs(rounds).values()) == {1}
    assert len(pairs(rounds)) == count * (count - 1) // 2, "everybody meets everybody"
    assert set(byes(rounds).values()) <= {1}
    assert len(byes(rounds)) == (count if count % 2 else 0), "everybody has one bye, or nobody has"


@settings(max_examples=20, deadline=None)
@given(st.integers(2, 70), st.integers(0, 10_000))
def test_single_elimination(count: int, seed: int) -> None:
    rounds = all_rounds("single elimination", count, seed)
    assert len(rounds) == (count - 1).bit_length()
    assert sum(pairs(rounds).values()) == count - 1, "each match puts one out"
    assert set(losses(rounds).values()) == {1}
    free = {name for meeting in rounds[0] if meeting.second is None for name in meeting.players}
    assert free == {f"P{number}" for number in range(1, 2 ** len(rounds) - count + 1)}, "the first seeds have the byes"
    table = standings("single elimination", players(count), rounds)
    assert (table[0].out, table[0].losses, table[0].rank) == (None, 0, 1)
    assert [line.rank for line in table[:2]] == [1, 2]


def test_the_first_two_seeds_meet_in_the_final() -> None:
    rounds: list[Round] = []
    everybody = players(11)
    while drawn := next_round("single elimination", everybody, rounds):
        best = [min(meeting.players, key=lambda name: int(name[1:])) for meeting in drawn]
        rounds.append(tuple(replace(meeting, winner=name) for meeting, name in zip(drawn, best, strict=True)))
    assert set(rounds[-1][0].players) == {"P1", "P2"}
    assert {name for meeting in rounds[-2] for name in meeting.players} == {"P1", "P2", "P3", "P4"}


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 24), st.integers(0, 10_000))
def test_double_elimination(count: int, seed: int) -> None:
    rounds = all_rounds("double elimination", count, seed)
    lost = losses(rounds)
    champion = standings("double elimination", players(count), rounds)[0].name
    assert lost[champion] <= 1
    assert all(lost[one.name] == 2 for one in players(count) if one.name != champion), "two losses put a player out"
    assert sum(pairs(rounds).values()) == 2 * (count - 1) + lost[champion]
    finalists = {line.name for line in standings("double elimination", players(count), rounds)[:2]}
    assert all(one == finalists for one, times in pairs(rounds).items() if times > 2), (
        "again and again in the final alone"
    )


@given(
    st.sampled_from(["swiss", "round robin", "single elimination", "double elimination"]), st.integers(3, 20), st.data()
)
def test_whoever_withdraws_is_played_with_no_more(format: Format, count: int, data: st.DataObject) -> None:
    first = played(next_round(format, players(count), [], 4), random.Random(count))
    gone = data.draw(st.sets(st.integers(0, count - 1), max_size=count // 5))
    left = tuple(replace(one, withdrawn=number in gone) for number, one in enumerate(players(count)))
    names = {one.name for one in left if one.withdrawn}
    for meeting in next_round(format, left, [first], usual_rounds(format, count)):
        if names & set(meeting.players):
            assert meeting.winner is not None, "won without being played"
            assert meeting.winner not in names or names.issuperset(meeting.players)


def test_what_cannot_be_drawn_is_said() -> None:
    with pytest.raises(DrawError, match="two players"):
        next_round("swiss", players(1), [], 1)
    open_round = next_round("swiss", players(4), [], 2)
    with pytest.raises(DrawError, match="Round 1 is not over"):
        next_round("swiss", players(4), [open_round], 2)
    meetings = [("P1", "P2"), ("P1", "P3"), ("P2", "P3")]
    rounds = [(Meeting(a, b, a), Meeting(c, None, c)) for (a, b), c in zip(meetings, ("P3", "P2", "P1"), strict=True)]
    with pytest.raises(DrawError, match="meeting twice"):
        next_round("swiss", players(3), rounds, 4)


@pytest.mark.parametrize("format", ["swiss", "round robin", "single elimination", "double elimination"])
def test_nothing_is_drawn_while_an_earlier_result_is_missing(format: Format) -> None:
    """A correction can take it away later: both would be unbeaten."""
    chance, rounds = random.Random(1), list[Round]()
    for _ in range(2):
        rounds.append(played(next_round(format, players(8), rounds, 4), chance))
    assert next_round(format, players(8), rounds, 4)
    first, *others = rounds[0]
    with pytest.raises(DrawError, match="Round 1 is not over"):
        next_round(format, players(8), [(replace(first, winner=None), *others), rounds[1]], 4)


def test_equals_share_a_rank() -> None:
    rounds: list[Round] = [
        (Meeting("P1", "P3", "P1", (5, 2)), Meeting("P2", "P4", "P2", (5, 2))),
        (Meeting("P1", "P2", "P1", (5, 4)), Meeting("P3", "P4", "P4", (3, 5))),
    ]
    table = standings("swiss", players(4), rounds)
    assert [(line.rank, line.name, line.wins, line.buchholz, line.difference) for line in table] == [
        (1, "P1", 2, 1, 4), (2, "P2", 1, 3, 2), (3, "P4", 1, 1, -1), (4, "P3", 0, 3, -5),
    ]  # fmt: skip
    assert [line.rank for line in standings("swiss", players(3), [])] == [1, 1, 1]


def by_hand(names: str) -> Round:
    """Neighbours meet and the first wins; the last of an odd number has a bye."""
    one_by_one = [f"P{number}" for number in names.split()]
    pairs = zip(one_by_one[::2], [*one_by_one[1::2], None][: (len(one_by_one) + 1) // 2], strict=True)
    return tuple(Meeting(one, other, one, (5, 2) if other else (0, 0)) for one, other in pairs)


def turned(drawn: Round, at: int) -> Round:
    """The same with another winner at one place."""
    return tuple(
        replace(one, winner=one.loser, points=one.points[::-1]) if number == at else one
        for number, one in enumerate(drawn)
    )


@given(
    st.sampled_from(["single elimination", "double elimination"]), st.integers(2, 13), st.integers(0, 999), st.data()
)
@settings(max_examples=60, deadline=None)
def test_an_elimination_ends_with_one_however_it_was_paired_or_corrected(
    format: Format, count: int, seed: int, data: st.DataObject
) -> None:
    order = data.draw(st.permutations(range(1, count + 1)))
    chance, rounds = random.Random(seed), [by_hand(" ".join(map(str, order)))]
    while drawn := next_round(format, players(count), rounds):
        names = [name for meeting in drawn for name in meeting.players]
        assert len(names) == len(set(names)), "a player once a round"
        rounds.append(played(drawn, chance))
        at = data.draw(st.integers(0, len(rounds) - 2))
        pair = data.draw(st.integers(0, len(rounds[at]) - 1))
        if rounds[at][pair].second is not None and len(rounds) < 6:
            rounds[at] = turned(rounds[at], pair)
        assert len(rounds) < 6 * count
    assert [line.rank for line in standings(format, players(count), rounds)[:2]] == [1, 2], "one has won"


def test_six_paired_by_hand_go_on_with_a_bye_for_the_first_seed() -> None:
    first = by_hand("1 6 2 5 3 4")
    second = next_round("single elimination", players(6), [first])
    assert second == (Meeting("P1", None, "P1"), Meeting("P2", "P3"))
    third = next_round("single elimination", players(6), [first, (second[0], replace(second[1], winner="P3"))])
    assert {frozenset(meeting.players) for meeting in third} == {frozenset(("P1", "P3"))}


@pytest.mark.parametrize("format", ["single elimination", "double elimination"])
@given(st.integers(2, 13), st.integers(0, 999), st.data())
@settings(max_examples=40, deadline=None)
def test_nobody_who_has_withdrawn_has_a_bye_in_an_elimination(
    format: Format, count: int, seed: int, data: st.DataObject
) -> None:
    order = data.draw(st.permutations(range(1, count + 1)))
    gone = data.draw(st.sets(st.integers(0, count - 1), max_size=2))
    left = tuple(replace(one, withdrawn=number in gone) for number, one in enumerate(players(count)))
    names = {one.name for one in left if one.withdrawn}
    chance = random.Random(seed)
    rounds = [by_hand(" ".join(map(str, order)))] if seed % 2 else []
    while drawn := next_round(format, left, rounds):
        there = {name for meeting in drawn for name in meeting.players} - names
        free = {meeting.first for meeting in drawn if meeting.second is None}
        assert not free & names or not there
        rounds.append(played(drawn, chance))


def test_whoever_a_correction_lets_win_has_not_come_further_than_he_played() -> None:
    rounds = [by_hand("1 4 2 3"), by_hand("1 2")]
    table = standings("single elimination", players(4), [turned(rounds[0], 0), rounds[1]])
    assert [(line.name, line.rank, line.out) for line in table] == [
        ("P1", 1, None), ("P2", 2, 2), ("P3", 3, 1), ("P4", 3, 1),
    ]  # fmt: skip


@given(st.integers(3, 11), st.integers(0, 3), st.data())
@settings(max_examples=40, deadline=None)
def test_everybody_meets_everybody_once_after_rounds_paired_by_hand(count: int, hand: int, data: st.DataObject) -> None:
    rounds: list[Round] = []
    for _ in range(hand):
        met = pairs(rounds)
        drawn = by_hand(" ".join(map(str, data.draw(st.permutations(range(1, count + 1))))))
        if any(frozenset(one.players) in met or one.second is None for one in drawn):
            continue
        rounds.append(drawn)
    while drawn := next_round("round robin", players(count), rounds):
        names = [name for meeting in drawn for name in meeting.players]
        assert len(names) == len(set(names)), "a player once a round"
        rounds.append(tuple(replace(one, winner=one.first) for one in drawn))
    assert set(pairs(rounds).values()) == {1}
    assert len(pairs(rounds)) == count * (count - 1) // 2
    assert set(byes(rounds).values()) <= {1}
    assert len(byes(rounds)) == (count if count % 2 else 0)
