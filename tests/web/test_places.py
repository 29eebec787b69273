"""Places are given so that no address keeps out the others."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from web.places import Places, household


def full(**held: int) -> Places[str]:
    """Places that are all taken, by so many busy ones of each address: a0, a1, ..."""
    places = Places[str](sum(held.values()), guaranteed=4)
    for address, count in held.items():
        for number in range(count):
            assert places.enter(f"{address}{number}", address) == []
    return places


def test_while_there_is_room_one_address_may_have_all_of_it() -> None:
    assert len(full(a=10)) == 10


def test_a_greedy_address_gets_no_more_and_makes_room_for_another() -> None:
    places = full(a=10)
    assert places.enter("a10", "a") is None
    assert places.enter("b0", "b") == ["a9"]
    assert len(places) == 10


def test_an_address_takes_only_what_it_is_sure_of() -> None:
    places = full(a=10)
    came = [places.enter(f"b{number}", "b") for number in range(6)]
    assert came == [["a9"], ["a8"], ["a7"], ["a6"], None, None]


def test_whoever_holds_one_place_keeps_it() -> None:
    places = full(a=1, b=1, c=1)
    assert places.enter("d0", "d") is None


def test_whoever_has_kept_others_waiting_for_longest_goes_first() -> None:
    places = full(a=6, b=1)
    for one in ("a3", "a1", "a5"):
        places.waits(one)
    places.works("a3")
    assert places.enter("a6", "a") == ["a1"]
    assert places.enter("b1", "b") == ["a5"]
    assert places.enter("a7", "a") is None


def test_no_address_takes_from_one_that_holds_fewer() -> None:
    places = full(a=6, b=2)
    places.waits("b0")
    assert places.enter("a6", "a") is None
    assert places.enter("c0", "c") == ["b0"]


def test_an_address_of_many_takes_only_from_one_that_was_waited_for_long() -> None:
    places = Places[str](30, guaranteed=4, patience=3)
    for number in range(30):
        places.enter(f"a{number}", "a", now=number)
        places.waits(f"a{number}", now=number)
    assert places.enter("a30", "a", now=31) == ["a0"]
    assert places.enter("b0", "b", now=31) == ["a1"]
    for number in range(2, 30):
        places.waits(f"a{number}", now=40)
    assert places.enter("a31", "a", now=42) is None
    assert places.enter("b1", "b", now=42) == ["a2"]
    assert places.enter("a31", "a", now=43) == ["a3"]


def test_whoever_has_just_come_does_not_go_for_one_of_a_hundred_strangers() -> None:
    places = Places[str](10, guaranteed=4, patience=3)
    for one in ("phone0", "phone1", "phone2"):  # behind one router, for an hour
        places.enter(one, "router", now=0)
    for one in ("a0", "a1", "a2", "b0", "b1", "b2"):
        places.enter(one, one[0], now=3600)
        places.waits(one, now=3600)
        places.works(one, now=3600)
    places.enter("operator", "desk", now=3600.1)
    places.waits("operator", now=3600.1)
    assert places.enter("c0", "c", now=3600.2) == ["a2"]
    assert places.enter("d0", "d", now=3600.2) == ["b2"]
    assert places.enter("e0", "e", now=3601) == ["operator"], "it has had its moment"


def test_whoever_has_just_come_goes_before_one_who_has_followed_for_long() -> None:
    places = Places[str](4, guaranteed=4, patience=3)
    for one in ("phone0", "phone1", "phone2"):
        places.enter(one, "router", now=0)
    places.enter("a0", "a", now=3600)
    places.waits("a0", now=3600)
    assert places.enter("b0", "b", now=3600.1) == ["a0"]


@given(
    st.lists(
        st.tuples(st.sampled_from(["enter", "leave", "waits", "works"]), st.integers(0, 15), st.sampled_from("abc")),
        max_size=80,
    )
)
def test_never_more_than_there_are_and_none_lost(steps: list[tuple[str, int, str]]) -> None:
    places, there = Places[int](5, guaranteed=2), dict[int, str]()
    for what, one, address in steps:
        if what == "enter" and one not in there:
            gone = places.enter(one, address)
            if gone is not None:
                for other in gone:
                    del there[other]
                there[one] = address
            else:
                assert len(there) == 5
        elif what == "leave":
            places.leave(one)
            there.pop(one, None)
        elif what == "waits":
            places.waits(one)
        elif what == "works":
            places.works(one)
        assert len(places) == len(there) <= 5


@pytest.mark.parametrize(
    ("address", "counts_as"),
    [
        ("192.168.1.7", "192.168.1.7"),
        ("::ffff:192.168.1.7", "192.168.1.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
        ("nobody", "nobody"),
    ],
)
def test_what_counts_as_one_address(address: str, counts_as: str) -> None:
    assert household(address) == counts_as
