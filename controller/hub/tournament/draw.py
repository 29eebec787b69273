"""Who meets whom: the next round of a tournament, out of what was played so far. Pure.

    next_round("swiss", players, rounds)    # (Meeting("Alena", "Petr"), Meeting("Hana", None))

Players are given in the order of their seeds. Where several draws are allowed, the best is found by minimum-cost matching.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import rustworkx

from controller.hub.errors import HubError

Format = Literal["swiss", "round robin", "single elimination", "double elimination"]

MOST_PLAYERS = 512


class DrawError(HubError):
    """Why there is no next round, in a sentence for the director."""


@dataclass(frozen=True)
class Entrant:
    """withdrawn: plays no more."""

    name: str
    withdrawn: bool = False


@dataclass(frozen=True)
class Meeting:
    """Two players in one round. second: None where the first has a bye, which is a win. winner: None until there is one.
    points: the first's and the second's."""

    first: str
    second: str | None
    winner: str | None = None
    points: tuple[int, int] = (0, 0)

    @property
    def players(self) -> tuple[str, ...]:
        """Both, or the one."""
        return (self.first,) if self.second is None else (self.first, self.second)

    @property
    def loser(self) -> str | None:
        """None for a bye, and until there is a winner."""
        if self.winner is None or self.second is None:
            return None
        return self.second if self.winner == self.first else self.first


Round = tuple[Meeting, ...]


def usual_rounds(format: Format, players: int) -> int:
    """Of a Swiss tournament, so many that one player alone can have won all; 0 where the format itself says when it is over."""
    return max(1, (players - 1).bit_length()) if format == "swiss" else 0


def most_rounds(players: int) -> int:
    """Of a Swiss tournament: whatever the results, so many can be drawn without two meeting twice (Dirac's theorem)."""
    return (players + 1) // 2


def next_round(format: Format, players: Sequence[Entrant], rounds: Sequence[Round], length: int = 0) -> Round:
    """The next round, () where the tournament is over. length: rounds of a Swiss tournament.

    Raises DrawError where a round is not over, or nothing can be drawn.
    """
    if len({player.name for player in players}) < 2:
        raise DrawError("A tournament needs two players at least.")
    check_over(rounds)
    match format:
        case "swiss":
            drawn = _swiss(players, rounds) if len(rounds) < length else []
        case "round robin":
            drawn = _round_robin(players, rounds)
        case "single elimination":
            drawn = _knockout(players, rounds)
        case _:
            drawn = _double(players, rounds)
    gone = {player.name for player in players if player.withdrawn}
    return tuple(_decided(_turned(meeting, rounds), gone) for meeting in drawn)


def check_over(rounds: Sequence[Round]) -> None:
    """Raises DrawError where a result is missing: also in an earlier round, as a match that was put right may have lost its end."""
    for number, one in enumerate(rounds, start=1):
        if any(meeting.winner is None for meeting in one):
            raise DrawError("Round {round} is not over: a result is missing.", round=number)


def losses(rounds: Iterable[Round]) -> Counter[str]:
    """How often each has lost."""
    return Counter(meeting.loser for one in rounds for meeting in one if meeting.loser is not None)


def wins(rounds: Iterable[Round]) -> Counter[str]:
    """How often each has won, byes among them."""
    return Counter(meeting.winner for one in rounds for meeting in one if meeting.winner is not None)


def byes(rounds: Iterable[Round]) -> Counter[str]:
    """How often each had nobody to play with."""
    return Counter(meeting.first for one in rounds for meeting in one if meeting.second is None)


def _swiss(players: Sequence[Entrant], rounds: Sequence[Round]) -> list[Meeting]:
    """Equals meet equals, the upper half of each group its lower half; nobody meets twice, nobody has two byes."""
    won, had = wins(rounds), byes(rounds)
    there = sorted((one.name for one in players if not one.withdrawn), key=lambda name: -won[name])
    groups = Counter(won[name] for name in there)

    def cost(upper: int, lower: int) -> int:
        above, below = won[there[upper]], won[there[lower]]
        apart = groups[above] // 2 if above == below else 1
        return (above - below) ** 2 * MOST_PLAYERS**2 + abs(lower - upper - apart)

    def of_bye(rank: int) -> int | None:
        name = there[rank]
        return None if had[name] else won[name] * MOST_PLAYERS**4 + len(there) - rank

    found = _matched(there, _met(rounds), cost, of_bye)
    if found is None:
        raise DrawError(
            "Nothing can be drawn any more without two players meeting twice, or a second bye for somebody."
        )
    return found


def _round_robin(players: Sequence[Entrant], rounds: Sequence[Round]) -> list[Meeting]:
    """Everybody meets everybody: one stays, the others go round him. Of such a turn what rounds paired by hand have left of it."""
    names: list[str | None] = [player.name for player in players]
    if len(names) % 2:
        names.append(None)
    gone = {player.name for player in players if player.withdrawn}
    done = {frozenset(meeting.players) for one in rounds for meeting in one}
    for turn in range(len(names) - 1):
        circle = [names[0], *names[1 + turn :], *names[1 : 1 + turn]]
        pairs = [(circle[at], circle[-1 - at]) for at in range(len(circle) // 2)]
        drawn = [Meeting(one, other) if one is not None else Meeting(str(other), None) for one, other in pairs]
        # Where both are gone there is nothing to be played.
        left = [one for one in drawn if frozenset(one.players) not in done and not gone.issuperset(one.players)]
        if left:
            return left
    return []


def _knockout(players: Sequence[Entrant], rounds: Sequence[Round]) -> list[Meeting]:
    """Whoever loses is out; the first two seeds can meet in the final alone."""
    if rounds:
        return _neighbours([one.winner for one in rounds[-1] if one.winner is not None], players, rounds)
    seeds = sorted(players, key=lambda player: player.withdrawn)  # Nobody who plays no more has a bye.
    order = _bracket(1 << (len(seeds) - 1).bit_length())
    return [
        Meeting(seeds[better].name, seeds[worse].name if worse < len(seeds) else None)
        for better, worse in zip(order[::2], order[1::2], strict=True)
    ]


def _double(players: Sequence[Entrant], rounds: Sequence[Round]) -> list[Meeting]:
    """Whoever has lost twice is out. The unbeaten go on as in a single elimination, those beaten once meet each other. The last of
    each meet in the end, twice where the unbeaten one loses."""
    if not rounds:
        return _knockout(players, rounds)
    lost = losses(rounds)
    unbeaten = [player.name for player in players if not lost[player.name]]
    once = [player.name for player in players if lost[player.name] == 1]
    if len(unbeaten) + len(once) < 2:
        return []
    if len(unbeaten) < 2 and len(unbeaten) + len(once) == 2:
        one, other = unbeaten + once
        return [Meeting(one, other)]
    in_order = [one.winner for one in rounds[-1] if one.winner is not None and not lost[one.winner]]
    # Whom a corrected result has made unbeaten again comes after them.
    in_order += [name for name in unbeaten if name not in in_order]
    drawn = _neighbours(in_order, players, rounds)
    if len(once) < 2:
        return drawn
    met, had = _met(rounds), byes(rounds)

    def cost(upper: int, lower: int) -> int:
        again = frozenset((once[upper], once[lower])) in met
        return again * MOST_PLAYERS**2 + abs(lower - upper - len(once) // 2)

    gone = {player.name for player in players if player.withdrawn}

    def of_bye(rank: int) -> int:
        name = once[rank]
        return (MOST_PLAYERS * (name in gone) + had[name]) * MOST_PLAYERS**4 + rank

    found = _matched(once, set(), cost, of_bye)
    assert found is not None  # any two may meet
    return drawn + found


def _bracket(size: int) -> list[int]:
    """Seeds from 0 in the order in which they stand in the draw: 0 3 1 2 of four."""
    order = [0]
    while len(order) < size:
        order = [seed for one in order for seed in (one, 2 * len(order) - 1 - one)]
    return order


def _neighbours(names: Sequence[str], players: Sequence[Entrant], rounds: Sequence[Round]) -> list[Meeting]:
    """Each with the next; none of one alone. Of an odd number, as pairing by hand or a corrected result leaves it, the first seed
    of those who still play and had fewest byes has one."""
    if len(names) < 2:
        return []
    had, free = byes(rounds), None
    if len(names) % 2:
        free = min((one for one in players if one.name in names), key=lambda one: (one.withdrawn, had[one.name])).name
    paired = [name for name in names if name != free]
    drawn = [Meeting(one, other) for one, other in zip(paired[::2], paired[1::2], strict=True)]
    return drawn if free is None else [Meeting(free, None), *drawn]


def _met(rounds: Iterable[Round]) -> set[frozenset[str]]:
    return {frozenset(meeting.players) for one in rounds for meeting in one if meeting.second is not None}


def _matched(
    names: Sequence[str],
    never: set[frozenset[str]],
    cost: Callable[[int, int], int],
    of_bye: Callable[[int], int | None],
) -> list[Meeting] | None:
    """The cheapest way to pair all of them, the best ranked first; None where there is none. cost: of two ranks, the upper first;
    of_bye: of a rank, None where it may have none."""
    edges = [
        (upper, lower, cost(upper, lower))
        for lower in range(len(names))
        for upper in range(lower)
        if frozenset((names[upper], names[lower])) not in never
    ]
    if len(names) % 2:
        edges += [(rank, len(names), price) for rank in range(len(names)) if (price := of_bye(rank)) is not None]
    dearest = max((price for _, _, price in edges), default=0)
    graph: rustworkx.PyGraph[None, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from([None] * (len(names) + len(names) % 2))
    graph.add_edges_from([(upper, lower, dearest + 1 - price) for upper, lower, price in edges])
    found = sorted(tuple(sorted(pair)) for pair in rustworkx.max_weight_matching(graph, True, weight_fn=int))
    if 2 * len(found) < graph.num_nodes():
        return None
    return [Meeting(names[one], names[other] if other < len(names) else None) for one, other in found]


def _turned(meeting: Meeting, rounds: Sequence[Round]) -> Meeting:
    """Whoever came first less often comes first."""
    if meeting.second is None:
        return meeting
    first = Counter(one.first for each in rounds for one in each if one.second is not None)
    if first[meeting.first] <= first[meeting.second]:
        return meeting
    return Meeting(meeting.second, meeting.first)


def _decided(meeting: Meeting, gone: set[str]) -> Meeting:
    """A bye is won, and so is a meeting with somebody who has withdrawn."""
    if meeting.second is None or (meeting.second in gone):
        return replace(meeting, winner=meeting.first)
    return replace(meeting, winner=meeting.second) if meeting.first in gone else meeting
