"""A player's matches and error rates, out of the list of matches: however the name is spaced, newest first, and never too many."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.page import players
from controller.page.players import Players, key_of
from controller.record.rates import Pair
from web.operator import MatchLine, PlayedMatch, PlayerAnalysis, PlayerLine

NONE: frozenset[str] = frozenset()


def line(identity: str, light: str, dark: str, score: tuple[int, int], length: int = 5) -> MatchLine:
    over = bool(length) and max(score) >= length
    return MatchLine(identity, light, dark, length, score, 3, over, "2026-11-21")


MATCHES = (
    line("on", "Jana", "Petr", (1, 0)),
    line("d", "petr ", "Jana", (5, 2)),
    line("c", "Ján", "Jana", (1, 5)),
    line("b", "Light", "Jana", (5, 0)),
    line("money", "JANA", "Petr", (3, 3), length=0),
)
RATES: dict[str, Pair] = {
    "d": (PlayerAnalysis("petr", 4.0, 10, 0.3), PlayerAnalysis("Jana", 12.0, 30, -0.3)),
    "c": (PlayerAnalysis("Ján", None, 0, 0.0), PlayerAnalysis("Jana", 6.0, 10, 0.0)),
}


def test_each_player_has_his_matches_and_his_rate_in_all_of_them() -> None:
    table = Players(RATES.get)
    assert table.lines(MATCHES, 0, NONE) == (
        PlayerLine("Jana", 4, 1, 2, pytest.approx(10.5)),  # type: ignore[arg-type]  # stands for a number
        PlayerLine("petr ", 2, 1, 1, 4.0),
        PlayerLine("Ján", 1, 0, 1, None),
    )


def test_a_player_s_matches_are_told_as_he_sees_them() -> None:
    found = Players(RATES.get).played("  jana", MATCHES, NONE)
    assert found is not None
    assert (found.name, found.matches, found.won) == ("Jana", 4, 1)
    assert found.played[0] == PlayedMatch("d", "2026-11-21", "petr ", 5, (2, 5), False, 12.0, 30, -0.3)
    assert [(one.id, one.won) for one in found.played] == [("d", False), ("c", True), ("b", False), ("money", None)]
    assert Players(RATES.get).played("Nobody", MATCHES, NONE) is None
    assert Players(RATES.get).played("light", MATCHES, NONE) is None


def test_what_may_not_be_told_yet_is_not_counted_either() -> None:
    table = Players(RATES.get)
    assert [one.name for one in table.lines(MATCHES, 0, frozenset({"c"}))] == ["Jana", "petr "]
    found = table.played("Jana", MATCHES, frozenset({"c", "d"}))
    assert found is not None
    assert (found.matches, [one.id for one in found.played]) == (2, ["b", "money"])
    assert table.played("Ján", MATCHES, frozenset({"c"})) is None


def test_the_list_is_made_anew_only_when_something_has_changed() -> None:
    rates = dict(RATES)
    table = Players(rates.get)
    first = table.lines(MATCHES, 0, NONE)
    assert table.lines(MATCHES, 0, NONE) is first
    rates["b"] = (PlayerAnalysis("Light", None, 0, 0.0), PlayerAnalysis("Jana", 0.0, 40, 0.0))
    assert table.lines(MATCHES, 1, NONE)[0].error_rate == pytest.approx(420 / 80)
    assert len(table.lines(MATCHES[1:3], 1, NONE)) == 3
    assert [one.matches for one in table.lines(MATCHES, 1, frozenset({"b"}))] == [3, 2, 1]


def test_it_stays_short_however_long_the_season() -> None:
    season = tuple(line(str(n), "Jana", f"Petr {n % 700}", (5, n % 5)) for n in range(2000))
    table = Players({}.get)
    assert len(table.lines(season, 0, NONE)) == players.MOST_PLAYERS
    found = table.played("Jana", season, NONE)
    assert found is not None
    assert (found.matches, found.won) == (2000, 2000)
    assert [one.id for one in found.played] == [str(n) for n in range(players.MOST_MATCHES)]


@given(st.text(max_size=20))
def test_a_name_is_the_same_however_it_is_spaced_and_capitalised(name: str) -> None:
    assert key_of(f"  {name.upper()}\t ") == key_of(name.upper())
    assert key_of(key_of(name)) == key_of(name)
