"""The fast generator: every result of a roll under the usual rule, each once, in pure Python.

The mover's 25 counts are one integer, a byte for each; blots hit are bits above it. A move adds a constant to it, so a
play is a sum and two plays with the same result are two equal integers. Checked against an independent generator.
"""

from __future__ import annotations

from controller.rules.play import Move, Play
from controller.rules.position import (
    BAR,
    HOME,
    OFF,
    Counts,
    Position,
    fill_checkers,
    fill_dark,
    fill_light,
    new_position,
)
from controller.rules.side import Side

_OWN_BITS = 8 * 25
_OWN_LIMIT = 1 << _OWN_BITS

Steps = tuple[Move, ...]
PlaysFound = dict[int, Steps]


def _step(source: int, target: int, *, hit: bool) -> tuple[int, Steps]:
    """What a move adds to the key, and the move itself, ready to be joined to others."""
    change = -(1 << 8 * (source - 1))
    if target:
        change += 1 << 8 * (target - 1)
    if hit:
        change += 1 << (_OWN_BITS + target)
    return change, (Move(source, target, hit),)


# _STEPS[hit][source][target]
_STEPS = [
    [[_step(s, t, hit=hit) if s > t else (0, ()) for t in range(BAR)] for s in range(BAR + 1)] for hit in (False, True)
]


class _Board:
    """The mover's view. own[p]: his checkers on point p, [25] his bar; held[p]: the opponent's on the same point.

    own[0] counts what this search bore off; held[0] stays 0.
    """

    __slots__ = ("held", "key", "own")

    def __init__(self, own: Counts, other: Counts) -> None:
        self.own = [0, *own]
        self.held = [0, *other[23::-1], 0]
        self.key = int.from_bytes(bytes(own), "little")


def standard_plays(position: Position, mover: Side, high: int, low: int) -> tuple[Play, ...]:
    """All plays of a roll under the usual rule, one for each result. high >= low."""
    light = mover is Side.LIGHT
    own, other = (position.light, position.dark) if light else (position.dark, position.light)
    board = _Board(own, other)
    if high == low:
        found = _doubles(board, high)
    else:
        rear = BAR
        while rear and not board.own[rear]:
            rear -= 1
        if rear < BAR and (rear - high - low > HOME or sum(own[HOME:]) > 2):
            found = _pairs_in_the_field(board, high, low)
        else:
            found = _pairs(board, high, low)
    if not found:
        return (Play((), position),)
    return _results(found, other, position.checkers, light=light)


def _results(found: PlaysFound, other: Counts, checkers: int, *, light: bool) -> tuple[Play, ...]:
    """Turns keys back into positions."""
    fill_own, fill_other = (fill_light, fill_dark) if light else (fill_dark, fill_light)
    after_hits = {0: other}
    new_tuple = tuple.__new__
    plays = []
    for key, moves in found.items():
        theirs = other
        if key >= _OWN_LIMIT:
            hits = key >> _OWN_BITS
            key &= _OWN_LIMIT - 1
            if hits not in after_hits:
                after_hits[hits] = _without_blots(other, hits)
            theirs = after_hits[hits]
        result = new_position(Position)
        fill_own(result, tuple(key.to_bytes(25, "little")))
        fill_other(result, theirs)
        fill_checkers(result, checkers)
        plays.append(new_tuple(Play, (moves, result)))
    return tuple(plays)


def _without_blots(other: Counts, hits: int) -> Counts:
    """The opponent's counts after the blots on the marked points (the mover's numbers) went to the bar."""
    counts = list(other)
    for point in range(1, BAR):
        if hits >> point & 1:
            counts[24 - point] -= 1
            counts[24] += 1
    return tuple(counts)


def _pairs_in_the_field(board: _Board, high: int, low: int) -> PlaysFound:
    """Unequal dice where nobody is on the bar and nothing can be borne off.

    Playing the smaller die first adds nothing where the larger could have been played from the same checker at once;
    what it can add is one checker going on from a point where no other stands.
    """
    own, held, key = board.own, board.held, board.key
    highs, lows = [], []
    for s in range(24, low, -1):
        if own[s]:
            if held[s - low] < 2:
                lows.append(s)
            if s > high and held[s - high] < 2:
                highs.append(s)
    found: PlaysFound = {}
    for s in highs:
        t = s - high
        hit_t = held[t]
        change, first = _STEPS[hit_t][s][t]
        half = key + change
        single = own[s] == 1
        for s2 in lows:
            if s2 == s and single:
                continue
            t2 = s2 - low
            change, second = _STEPS[held[t2] if t2 != t else 0][s2][t2]
            found.setdefault(half + change, first + second)
        if t > low and not own[t] and held[t - low] < 2:
            change, second = _STEPS[held[t - low]][t][t - low]
            found.setdefault(half + change, first + second)
    for s in lows:
        t = s - low
        if t > high and not own[t] and held[t - high] < 2:
            change, first = _STEPS[held[t]][s][t]
            change2, second = _STEPS[held[t - high]][t][t - high]
            found.setdefault(key + change + change2, first + second)
    return found or _singles(board, highs, high) or _singles(board, lows, low)


def _pairs(board: _Board, high: int, low: int) -> PlaysFound:
    """Unequal dice in any position: both orders, step by step."""
    own, held, key = board.own, board.held, board.key
    found: PlaysFound = {}
    firsts = []
    for die, then in ((high, low), (low, high)):
        sources = _sources(own, held, die)
        firsts.append(sources)
        for s in sources:
            t = max(s - die, 0)
            hit = held[t]
            change, first = _STEPS[hit][s][t]
            half = key + change
            own[s] -= 1
            own[t] += 1
            held[t] = 0
            for s2 in _sources(own, held, then):
                t2 = max(s2 - then, 0)
                change, second = _STEPS[held[t2]][s2][t2]
                found.setdefault(half + change, first + second)
            own[s] += 1
            own[t] -= 1
            held[t] = hit
    return found or _singles(board, firsts[0], high) or _singles(board, firsts[1], low)


def _singles(board: _Board, sources: list[int], die: int) -> PlaysFound:
    """The plays of one die only."""
    found: PlaysFound = {}
    for s in sources:
        t = max(s - die, 0)
        change, move = _STEPS[board.held[t]][s][t]
        found[board.key + change] = move
    return found


def _sources(own: list[int], held: list[int], die: int) -> list[int]:
    """The points (25: the bar) from which one die can be played now."""
    if own[BAR]:
        return [BAR] if held[BAR - die] < 2 else []
    sources = [s for s in range(24, die, -1) if own[s] and held[s - die] < 2]
    if not any(own[HOME + 1 : BAR]):
        if own[die]:
            sources.append(die)
        elif not any(own[die + 1 : HOME + 1]):
            for s in range(die - 1, 0, -1):
                if own[s]:
                    sources.append(s)
                    break
    return sources


def _doubles(board: _Board, die: int) -> PlaysFound:
    """Equal dice: up to four moves, taken from the rear forwards.

    Any play can be made in that order, and two choices of checkers never end alike, so nothing is found twice.
    """
    own, held = board.own, board.held
    sources = []
    reached = [False] * (BAR + 1)
    for s in range(BAR, 0, -1):
        t = s - die
        if (own[s] or reached[s]) and (t <= 0 or held[t] < 2):
            sources.append(s)
            if t > 0:
                reached[t] = True
    best = 0
    found: PlaysFound = {}

    def search(start: int, used: int, key: int, moves: Steps, outside: int) -> None:
        nonlocal best
        if used > best:
            best = used
            found.clear()
        if used == best:
            found[key] = moves
        for index in range(start, len(sources)):
            s = sources[index]
            if not own[s]:
                continue
            if own[BAR] and s != BAR:
                return
            t = s - die
            if t <= 0:
                if outside or (t < 0 and any(own[s + 1 : HOME + 1])):
                    continue
                t = OFF
            hit = held[t]
            change, move = _STEPS[hit][s][t]
            if used == 3:
                if best < 4:
                    best = 4
                    found.clear()
                found[key + change] = moves + move
                continue
            own[s] -= 1
            own[t] += 1
            held[t] = 0
            search(index, used + 1, key + change, moves + move, outside - (s > HOME >= t))
            own[s] += 1
            own[t] -= 1
            held[t] = hit

    search(0, 0, board.key, (), sum(own[HOME + 1 :]))
    return found if best else {}
