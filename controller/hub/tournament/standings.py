"""How the players of a tournament stand. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from controller.hub.tournament.draw import Entrant, Format, Round, losses, wins


@dataclass(frozen=True)
class Standing:
    """A line of the table. rank: from 1, the same for equals. buchholz: wins of all opponents; difference: points won less points
    lost; out: in an elimination, the round that was the last one, None for whoever is in it, or has won it."""

    rank: int
    name: str
    wins: int
    losses: int
    buchholz: int
    difference: int
    out: int | None = None
    withdrawn: bool = False


def standings(format: Format, players: Sequence[Entrant], rounds: Sequence[Round]) -> tuple[Standing, ...]:
    """The best first; equals in the order of their seeds.

    In Swiss and round robin tournaments wins count, byes among them, then the opponents' wins, then the difference; in an
    elimination how far one came.
    """
    won, lost = wins(rounds), losses(rounds)
    opponents, difference = defaultdict(list), Counter[str]()
    for meeting in (meeting for one in rounds for meeting in one if meeting.second is not None):
        first, second = meeting.players
        opponents[first].append(second)
        opponents[second].append(first)
        difference[first] += meeting.points[0] - meeting.points[1]
        difference[second] += meeting.points[1] - meeting.points[0]
    out = _out(format, players, rounds)
    lines = [
        Standing(
            0, one.name, won[one.name], lost[one.name], sum(won[other] for other in opponents[one.name]), difference[one.name],
            out.get(one.name), one.withdrawn,
        )
        for one in players
    ]  # fmt: skip

    def key(line: Standing) -> tuple[float, ...]:
        if format.endswith("elimination"):
            return (float("inf") if line.out is None else line.out,)
        return line.wins, line.buchholz, line.difference

    ranks: dict[tuple[float, ...], int] = {}
    best_first = enumerate(sorted(lines, key=key, reverse=True), start=1)
    return tuple(replace(line, rank=ranks.setdefault(key(line), place)) for place, line in best_first)


def _out(format: Format, players: Sequence[Entrant], rounds: Sequence[Round]) -> dict[str, int]:
    """By player, the round after which he was out of an elimination. Of a single one that is the last that he played, whatever was
    corrected in those before it: the next is drawn out of the newest alone."""
    if format == "single elimination" and rounds:
        last = {name: number for number, one in enumerate(rounds, start=1) for at in one for name in at.players}
        beaten = {meeting.loser for meeting in rounds[-1]}
        came = {one.name: last.get(one.name, 0) for one in players}
        return {name: number for name, number in came.items() if number < len(rounds) or name in beaten}
    if format != "double elimination":
        return {}
    lost = Counter[str]()
    found = {}
    for number, one in enumerate(rounds, start=1):
        for meeting in one:
            if meeting.loser is not None:
                lost[meeting.loser] += 1
                if lost[meeting.loser] == 2:
                    found[meeting.loser] = number
    return found
