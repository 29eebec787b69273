"""A game as people write it down: rolls with plays, and the cube in words, in English, Czech or Slovak.

Two cells a line, the first player's and the second's; who acts alternates. A blank missing between two cells does not
matter: "24/2156: 18/7" is 24/21 and then 56: 18/7.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from controller.rules.errors import NotationError
from controller.rules.notation import WrittenPlay, find_play, read_play
from controller.rules.play import Play
from controller.rules.position import Position
from controller.rules.ruleset import MATCH, RuleSet
from controller.rules.side import Side

ActionKind = Literal["play", "double", "take", "pass", "resign"]

_WORDS: dict[ActionKind, str] = {
    "double": r"doubles? (?:=>|to)|zdvoj(?:násob)?en[íi]e? na|zdvojuji na|zdvojujem na",
    "take": r"takes?|accepts?|přijato|přijímám|prijaté|prijímam",
    "pass": r"drops?|pass(?:es)?|odmítnuto|odmítám|odmietnuté|odmietam",
    "resign": r"resigns?|vzdáno|vzdává|vzdané|vzdáva",
}
_LEVELS = {"single": 1, "gammon": 2, "backgammon": 3}
_ROLL = r"(?P<roll>[1-6]{2}):"
_CELL = re.compile(
    rf"{_ROLL}|(?P<double>{_WORDS['double']})\s*(?P<value>\d+)|(?P<take>\b(?:{_WORDS['take']})\b)"
    rf"|(?P<pass>\b(?:{_WORDS['pass']})\b)|(?P<resign>\b(?:{_WORDS['resign']})\b)(?:\s+(?P<level>{'|'.join(_LEVELS)}))?",
    re.IGNORECASE,
)
_MARK = re.compile(r"\s*([?!]{0,2})\s*")


@dataclass(frozen=True)
class Action:
    """One cell. play: what is written, for a play; value: of the cube, for a double; level: for a resignation."""

    kind: ActionKind
    play: WrittenPlay | None = None
    value: int = 0
    level: int = 0
    mark: str = ""


def read_sheet(text: str) -> tuple[Action, ...]:
    """All cells in the order they were played. Raises NotationError naming text that is neither play nor word."""
    cells = list(_CELL.finditer(text))
    if not cells or text[: cells[0].start()].strip():
        raise NotationError(f"{text.strip()[:30]!r} does not begin with a roll such as 31: or a cube action.")
    ends = [cell.start() for cell in cells[1:]] + [len(text)]
    return tuple(_action(cell, text[cell.end() : end]) for cell, end in zip(cells, ends, strict=True))


def _action(cell: re.Match[str], rest: str) -> Action:
    if cell["roll"]:
        written = read_play(cell["roll"] + ":" + rest)
        return Action("play", play=written, mark=written.mark)
    mark = _MARK.fullmatch(rest)
    if not mark:
        raise NotationError(f"{rest.strip()!r} after {cell.group().strip()!r} is neither a mark nor a roll.")
    kind: ActionKind = next(kind for kind in _WORDS if cell[kind])
    level = _LEVELS[(cell["level"] or "single").lower()] if kind == "resign" else 0
    return Action(kind, value=int(cell["value"] or 0), level=level, mark=mark[1])


def replay_sheet(
    actions: tuple[Action, ...], first: Side, start: Position | None = None, rules: RuleSet = MATCH
) -> tuple[tuple[Side, Play], ...]:
    """The plays of a sheet in turn, by whom. first: who acts first.

    Raises NotationError for a play that is not legal where it is written.
    """
    position = start or Position.start(rules.variant.position)
    side, plays = first, []
    for action in actions:
        if action.play:
            play = find_play(action.play, position, side, None, rules)
            plays.append((side, play))
            position = play.result
        side = side.other
    return tuple(plays)
