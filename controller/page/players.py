"""Players and their matches, out of the list of matches and GNU Backgammon's error rates: what "My games" shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass

import msgspec

from controller.record.rates import Pair
from web.operator import MatchLine, PlayedMatch, PlayedMatches, PlayerAnalysis, PlayerLine

MOST_PLAYERS = 500
"""Players that are named, those with the most matches first."""

MOST_MATCHES = 500
"""Matches of one player that are listed, the newest: some ten years of them."""

_UNNAMED = frozenset({"light", "dark"})
"""Players whom nobody has named."""

Seated = tuple[MatchLine, int]
"""A match, and the seat in it: 0 light, 1 dark; in a chouette the place in its standings."""


@dataclass(frozen=True)
class _Index:
    """Every player's matches, newest first, of one list of matches. names: as they were written last."""

    of: tuple[MatchLine, ...]
    names: dict[str, str]
    matches: dict[str, list[Seated]]


class Players:
    """From any thread. rates_of: light's and dark's error rates in the match of that id; None where nobody judged it."""

    def __init__(self, rates_of: Callable[[str], Pair | None]) -> None:
        self._rates_of = rates_of
        self._index = _Index((), {}, {})
        self._shown: tuple[object, tuple[PlayerLine, ...]] = (None, ())

    def lines(self, matches: tuple[MatchLine, ...], changes: int, hidden: Set[str]) -> tuple[PlayerLine, ...]:
        """The players, those with the most matches first. changes: how often the rates have; hidden: matches that are not told of.

        The same tuple as long as nothing has changed.
        """
        index = self._indexed(matches)
        asked = (index, changes, hidden)
        shown = self._shown
        if shown[0] is None or not _same(shown[0], asked):
            lines = sorted(self._players(index, hidden), key=lambda line: (-line.matches, line.name))
            self._shown = shown = asked, tuple(lines[:MOST_PLAYERS])
        return shown[1]

    def played(self, name: str, matches: tuple[MatchLine, ...], hidden: Set[str]) -> PlayedMatches | None:
        """That player's matches, newest first; None for nobody's name."""
        index, key = self._indexed(matches), key_of(name)
        seated = [(line, seat) for line, seat in index.matches.get(key, ()) if line.id not in hidden]
        if not seated:
            return None
        won = sum(_won(*one) is True for one in seated)
        listed = tuple(self._match(*one) for one in seated[:MOST_MATCHES])
        return PlayedMatches(index.names[key], len(seated), won, listed)

    def _indexed(self, matches: tuple[MatchLine, ...]) -> _Index:
        index = self._index
        if index.of is not matches:
            names: dict[str, str] = {}
            found: dict[str, list[Seated]] = {}
            for line in matches:
                for seat, name in enumerate(_names(line)) if line.over or not line.length else ():
                    if (key := key_of(name)) not in _UNNAMED:
                        names.setdefault(key, name)
                        found.setdefault(key, []).append((line, seat))
            self._index = index = _Index(matches, names, found)
        return index

    def _players(self, index: _Index, hidden: Set[str]) -> Iterator[PlayerLine]:
        for key, every in index.matches.items():
            seated = [(line, seat) for line, seat in every if line.id not in hidden]
            if seated:
                rates = [rate for line, seat in seated if (rate := self._rate(line, seat)) is not None]
                won = sum(_won(*one) is True for one in seated)
                yield PlayerLine(index.names[key], len(seated), won, len(rates), _mean(rates))

    def _rate(self, line: MatchLine, seat: int) -> PlayerAnalysis | None:
        """In a chouette nobody's: who plays changes from game to game."""
        pair = None if line.standings else self._rates_of(line.id)
        return pair[seat] if pair else None

    def _match(self, line: MatchLine, seat: int) -> PlayedMatch:
        names, rate = _names(line), self._rate(line, seat)
        return PlayedMatch(
            line.id,
            line.date,
            ", ".join((*names[:seat], *names[seat + 1 :])),
            line.length,
            line.score if seat == 0 else line.score[::-1],
            _won(line, seat),
            rate.error_rate if rate else None,
            rate.decisions if rate else 0,
            rate.luck if rate else None,
            line.standings[seat].points if line.standings else msgspec.UNSET,
        )


def key_of(name: str) -> str:
    """What tells a player from others: however it is capitalised and spaced. Accents do: Jan and Ján are two people."""
    return " ".join(name.split()).casefold()


def _names(line: MatchLine) -> tuple[str, ...]:
    """Who sits at each seat."""
    return tuple(one.name for one in line.standings) if line.standings else (line.light, line.dark)


def _won(line: MatchLine, seat: int) -> bool | None:
    """Whether that seat has more points, or in a chouette more than it had; None where nobody has."""
    own, other = (line.standings[seat].points, 0) if line.standings else (line.score[seat], line.score[1 - seat])
    return None if own == other else own > other


def _mean(rates: list[PlayerAnalysis]) -> float | None:
    """The error rate of all those decisions together."""
    decisions = sum(rate.decisions for rate in rates)
    lost = sum(rate.error_rate * rate.decisions for rate in rates if rate.error_rate is not None)
    return lost / decisions if decisions else None


def _same(one: object, other: tuple[_Index, int, Set[str]]) -> bool:
    return isinstance(one, tuple) and one[0] is other[0] and one[1:] == other[1:]
