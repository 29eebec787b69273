"""A found board put right: what may have stood there instead, once a later rest contradicts what it was taken for.

Nobody saw how it came about, so nothing but its own reading speaks for it, and a column that is misread is misread alike at every
rest until somebody touches it. Then a checker comes from where none was thought to be, or stays where one was thought to go.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import log

from controller.rules import BAR_INDEX, HOME, Position, Side
from controller.tracking import parameters as p
from controller.tracking.evidence import Evidence
from controller.tracking.found import log_prior
from controller.tracking.hypothesis import (
    Fact,
    GameFound,
    Hypothesis,
    Illegal,
    NewGame,
    Over,
    Redone,
    Thrown,
    Turn,
    TurnStage,
    UnderWay,
)
from controller.tracking.orientation import POINTS, column_of_point
from controller.tracking.setting import Setting
from vision.observation import MAX_COUNT

Change = tuple[Side, int, int]
"""So many checkers more of a side at that place (0-24 of its own counts)."""


def is_whole(board: Position) -> bool:
    """Whether no checker is missing that can't have been borne off: a side bears off once all its checkers are home."""
    return all(board.off(side) == 0 or not any(board.own(side)[HOME:]) for side in Side)


def is_lacking(turn: Turn) -> bool:
    """Whether a checker of the opponent's is gone after it, which nobody bears off: it may lie there, and not have been seen."""
    return turn.after.off(turn.side.other) > turn.before.off(turn.side.other)


def is_settled(board: Position, evidence: Evidence) -> bool:
    """Whether a board that is found is whole, what is read is hardly likelier otherwise, and no pile may be another."""
    return is_whole(board) and read_against(board, evidence) < -log(1 - p.SURELY) and not has_vague_pile(board)


def is_contradicted(board: Position, evidence: Evidence) -> bool:
    """Whether what is read is otherwise by more than one mistake that is easily made."""
    return read_against(board, evidence) > -log(p.MISTAKEN)


def read_against(board: Position, evidence: Evidence) -> float:
    """nats by which what is read speaks against that board: something else explains it so much better."""
    return evidence.of_anything - evidence.of_position_whatever_is_aside(board)


def has_vague_pile(board: Position) -> bool:
    """Whether a pile may hold more or fewer, of a side that may have borne some off: there fifteen are no checksum."""
    own = [board.own(side) for side in Side]
    return any(not any(one[HOME:BAR_INDEX]) and max(one[:HOME]) > p.MOST_SEEN for one in own)


def may_be_revised(state: Hypothesis, *, unsettled: bool) -> bool:
    """Whether it goes on from a board that was found, and is not settled. unsettled: one that is written down already."""
    return _base_of(state, unsettled=unsettled) is not None


def revised(
    state: Hypothesis, evidence: Evidence, setting: Setting, *, unsettled: bool
) -> Iterator[tuple[Hypothesis, float]]:
    """What it would be if something else had stood there from the beginning, with the log-probability beside its own.

    What is read now says which columns; and where a side has too few or too many checkers, one is put anywhere, or taken away.
    """
    found = _base_of(state, unsettled=unsettled)
    if found is None or evidence.known is None or isinstance(state.turn, Over):
        return
    at, base = found
    in_hand = state.turn.side if isinstance(state.turn, UnderWay) else None
    before = log_prior(base, setting, in_hand=in_hand)
    read = _read_otherwise(base, state, evidence)
    alone = not isinstance(state.turn, UnderWay)  # else a checker may be in a hand
    for changes in _corrections(base, state.board, read, alone=alone):
        board = _changed(base, changes)
        if board is None:
            continue
        weight = log_prior(board, setting, in_hand=in_hand) - before + _of_what_was_read(base, board, evidence)
        if weight < -p.DEPTH:
            continue
        other = _from_another(state, at, board, changes, setting)
        if other is not None:
            yield other, weight


def _base_of(state: Hypothesis, *, unsettled: bool) -> tuple[int | None, Position] | None:
    """The board that was found, and the number of the fact that says so, None where none does; None where it is settled."""
    if isinstance(state.turn, UnderWay):
        return None, state.before
    for number, fact in reversed(list(enumerate(state.facts))):
        if isinstance(fact, NewGame):
            return None
        if isinstance(fact, GameFound):
            return None if fact.settled else (number, fact.position)
    if not unsettled:
        return None
    turns = (fact.turn if isinstance(fact, Redone) else fact for fact in state.facts if isinstance(fact, Turn | Redone))
    return None, next((turn.before for turn in turns), state.before)


def _read_otherwise(base: Position, state: Hypothesis, evidence: Evidence) -> list[Change]:
    """Where something else is surely read than has stood there since the beginning, and nothing looks changed.

    In the middle of a turn it may have been moved since, but where nobody has seen the column before.
    """
    board, changes = state.board, list[Change]()
    moving = isinstance(state.turn, UnderWay)
    for point in range(1, POINTS + 1):
        column = column_of_point(point, evidence.light_home)
        light, dark = board.light[point - 1], board.dark[POINTS - point]
        if (light, dark) != (base.light[point - 1], base.dark[POINTS - point]) or evidence.changed[column] > 0:
            continue
        if moving and not evidence.first_seen[column]:
            continue
        content = int(evidence.columns[column].argmax()) - MAX_COUNT
        if evidence.columns[column, MAX_COUNT + content] <= p.SURELY or content == light - dark:
            continue
        changes += [
            (side, place, more)
            for side, place, more in (
                (Side.LIGHT, point - 1, max(content, 0) - light),
                (Side.DARK, POINTS - point, max(-content, 0) - dark),
            )
            if more
        ]
    for row, side in enumerate(() if moving else Side):
        there = board.own(side)[BAR_INDEX]
        content = int(evidence.bar[row].argmax())
        sure = evidence.bar[row, content] > p.SURELY
        if sure and content != there == base.own(side)[BAR_INDEX]:
            changes.append((side, BAR_INDEX, content - there))
    return changes


def _corrections(base: Position, board: Position, read: list[Change], *, alone: bool) -> Iterator[list[Change]]:
    """What may have been otherwise: nothing or all that is read so, and one checker of a side that has too few or too many.

    alone: one checker too few is put somewhere.
    """
    for known in [[], read] if read else [[]]:
        off = {side: base.off(side) - sum(more for of, _, more in known if of is side) for side in Side}
        if known and min(off.values()) >= 0:
            yield known
        touched = {(side, place) for side, place, _ in known}
        for side in Side:
            if off[side] == 0 or off[side] < -1 or off[side.other] < 0 or (off[side] > 0 and not alone):
                continue
            if off[side] > 1 and any(base.own(side)[HOME:]):
                continue  # one checker more is not enough
            more = 1 if off[side] > 0 else -1
            for place in range(BAR_INDEX + 1 if off[side] <= 1 else HOME):
                if (side, place) not in touched and base.own(side)[place] == board.own(side)[place]:
                    yield [*known, (side, place, more)]


def _changed(board: Position, changes: list[Change]) -> Position | None:
    """The board with these changes; None where there is no such board."""
    counts = {side: list(board.own(side)) for side in Side}
    for side, place, more in changes:
        counts[side][place] += more
    light, dark = counts[Side.LIGHT], counts[Side.DARK]
    if min(*light, *dark) < 0 or max(sum(light), sum(dark)) > board.checkers:
        return None
    if any(light[point] and dark[POINTS - 1 - point] for point in range(POINTS)):
        return None
    return Position(tuple(light), tuple(dark), board.checkers)


def _of_what_was_read(base: Position, board: Position, evidence: Evidence) -> float:
    """By how much likelier `board` makes what was read before this rest than `base` does, where they differ.

    What was once read surely as in `base` was found by that reading, and another that came after it speaks for a change.
    """
    columns, bar = evidence.logs_known
    total = 0.0
    for point in range(1, POINTS + 1):
        was = base.light[point - 1] - base.dark[POINTS - point]
        now = board.light[point - 1] - board.dark[POINTS - point]
        if was != now:
            column = column_of_point(point, evidence.light_home)
            more = float(columns[column, MAX_COUNT + now] - columns[column, MAX_COUNT + was])
            surely = evidence.said is not None and evidence.said[column, MAX_COUNT + was] > p.SURELY
            total += min(more, 0.0) if surely else more
    for row, side in enumerate(Side):
        total += float(bar[row, board.own(side)[BAR_INDEX]] - bar[row, base.own(side)[BAR_INDEX]])
    return total


def _from_another(
    state: Hypothesis, at: int | None, board: Position, changes: list[Change], setting: Setting
) -> Hypothesis | None:
    """The same course of the game from that board; None where the turns since are not legal from there."""
    begun = isinstance(state.turn, UnderWay)
    facts: list[Fact] = list(state.facts if begun else state.facts[: at or 0])
    if not begun:
        old = None if at is None else state.facts[at]
        lies = (old.cube, old.owner) if isinstance(old, GameFound) else state.cube_before
        facts.append(GameFound(board, *lies, settled=False))
    since = () if begun else state.facts[0 if at is None else at + 1 :]
    for fact in since:
        other = _fact_from(fact, changes, setting)
        if other is None:
            return None
        facts.append(other)
    before, turn = _changed(state.before, changes), _turn_from(state.turn, changes)
    last = _turn_played(state.last, changes, setting) if state.last is not None else None
    if before is None or turn is None:
        return None
    return replace(state, turn=turn, before=before, facts=tuple(facts), last=last)


def _fact_from(fact: Fact, changes: list[Change], setting: Setting) -> Fact | None:
    if isinstance(fact, Turn):
        return _turn_played(fact, changes, setting)
    if isinstance(fact, Redone):
        turn = _turn_played(fact.turn, changes, setting)
        return None if turn is None else Redone(turn)
    return fact


def _turn_played(turn: Turn, changes: list[Change], setting: Setting) -> Turn | None:
    """That turn with other boards; None where it was legal, and is not so any more."""
    before, after = _changed(turn.before, changes), _changed(turn.after, changes)
    if before is None or after is None:
        return None
    play = next((play for play, _ in setting.plays(before, turn.side, turn.roll) if play.result == after), None)
    if play is None and turn.play is not None:
        return None
    return replace(turn, before=before, after=after, play=play)


def _turn_from(turn: TurnStage, changes: list[Change]) -> TurnStage | None:
    """Where the turn stands, with another board there; None where there is no such board."""
    if isinstance(turn, Thrown | Illegal) and turn.now is not None:
        now = _changed(turn.now, changes)
        return None if now is None else replace(turn, now=now)
    return turn
