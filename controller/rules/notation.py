"""Plays in the field's notation, written and read: 8/5 6/5, bar/20*, 13/7(2), 11/9*/5, 4/off."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

from controller.rules.errors import AmbiguousPlayError, NotationError
from controller.rules.play import Move, Play, check_dice
from controller.rules.plays import legal_plays
from controller.rules.position import BAR, OFF, Position
from controller.rules.reasons import LANGUAGES
from controller.rules.ruleset import MATCH, RuleSet
from controller.rules.side import Side

_OFF_WORDS = dict(zip(LANGUAGES, ("off", "ven", "von"), strict=True))
_PLACES = {"bar": BAR, "off": OFF, "out": OFF, "ven": OFF, "von": OFF}
_PLACE = r"(?:\d{1,2}|bar|off|out|ven|von)"
_TOKEN = re.compile(rf"({_PLACE}\*?(?:/{_PLACE}\*?)+)(?:\((\d{{1,2}})\))?", re.IGNORECASE)
_ROLL = re.compile(r"\s*([1-6])\s*[-,]?\s*([1-6])\s*:")
_MARK = re.compile(r"\s*([?!]{1,2})\s*$")


@dataclass(frozen=True)
class WrittenPlay:
    """A play as it stands on paper. paths: each checker's points from its first to its last, as often as it is written.

    hits: points on which a hit is marked. dice: the roll before it, where there is one. mark: "?", "??", "!" or empty.
    """

    paths: tuple[tuple[int, ...], ...]
    hits: tuple[int, ...] = ()
    dice: tuple[int, int] | None = None
    mark: str = ""

    def __str__(self) -> str:
        paths = (
            "/".join(_place(p, "en") + "*" * (p in self.hits and p != path[0]) for p in path) for path in self.paths
        )
        return " ".join(paths) or "A dance"


def format_play(play: Play, language: str = "en") -> str:
    """The play in notation; a dance is the empty string. language: en, cs or sk for the word for off."""
    return format_moves(play.moves, language)


def translate_play(text: str, language: str) -> str:
    """What was written in English, with the language's word for off."""
    return re.sub(r"\boff\b", _OFF_WORDS[language], text)


def format_moves(moves: tuple[Move, ...], language: str = "en") -> str:
    """Moves in notation, whether they are a legal play or not, checkers from the rear forwards.

    Steps of one checker are joined, unless it hits on the way.
    """
    texts = [_format_path(path, language) for path in _paths(moves)]
    return " ".join(f"{text}({count})" if count > 1 else text for text, count in Counter(texts).items())


def _paths(moves: tuple[Move, ...]) -> list[list[Move]]:
    """The moves as the paths of single checkers, from the rear forwards."""
    paths: list[list[Move]] = []
    for move in sorted(moves, key=lambda m: (-m.source, -m.target)):
        for path in paths:
            if path[-1].target == move.source:
                path.append(move)
                break
        else:
            paths.append([move])
    return paths


def _format_path(path: list[Move], language: str) -> str:
    text = _place(path[0].source, language)
    for move in path:
        if move.hit or move is path[-1]:
            text += f"/{_place(move.target, language)}{'*' if move.hit else ''}"
    return text


def _place(point: int, language: str) -> str:
    if point == BAR:
        return "bar"
    return _OFF_WORDS[language] if point == OFF else str(point)


def read_play(text: str) -> WrittenPlay:
    """A play as it stands on paper, without asking whether it is possible: "31: 8/5 6/5 !".

    Reads bar or 25; off, out, ven, von or 0; `*`, `(2)`, joined steps, a roll before it and a mark after it.
    Raises NotationError for anything else.
    """
    rest, mark, dice = text.strip(), "", None
    if found := _MARK.search(rest):
        rest, mark = rest[: found.start()], found.group(1)
    if found := _ROLL.match(rest):
        rest, dice = rest[found.end() :], check_dice((int(found.group(1)), int(found.group(2))))
    paths: list[tuple[int, ...]] = []
    hits: list[int] = []
    for token in rest.replace(",", " ").split():
        match = _TOKEN.fullmatch(token)
        if not match:
            raise NotationError("{text} is no move; write moves like 8/5, bar/20*, 13/7(2) or 4/off.", text=repr(token))
        path, marked = _read_path(match.group(1))
        paths.extend([path] * int(match.group(2) or 1))
        hits.extend(marked)
    return WrittenPlay(tuple(paths), tuple(dict.fromkeys(hits)), dice, mark)


def _read_path(text: str) -> tuple[tuple[int, ...], list[int]]:
    """One checker's points, and those marked as hits."""
    places = text.lower().split("/")
    path = tuple(_PLACES[p] if (p := place.rstrip("*")) in _PLACES else int(p) for place in places)
    marked = [point for point, place in zip(path, places, strict=True) if place.endswith("*")]
    if path[0] > BAR or any(a <= b for a, b in pairwise(path)):
        raise NotationError("{text} is no move: a checker goes from a higher point to a lower one.", text=repr(text))
    return path, marked


def parse_play(
    text: str, position: Position, mover: Side, dice: tuple[int, int] | None = None, rules: RuleSet = MATCH
) -> Play:
    """The legal play that the text means. dice: the roll, which may instead stand before the play ("31: 8/5 6/5").

    A hit may be left unmarked where it can only be that play. Raises NotationError for text that is no play or no legal
    one, AmbiguousPlayError where several plays with different results fit.
    """
    return find_play(read_play(text), position, mover, dice, rules)


def find_play(
    written: WrittenPlay, position: Position, mover: Side, dice: tuple[int, int] | None = None, rules: RuleSet = MATCH
) -> Play:
    """The legal play that a written one means; see `parse_play`."""
    roll = dice or written.dice
    if roll is None:
        raise NotationError("Say which roll was played, as in 31: 8/5 6/5.")
    fitting = [p for p in legal_plays(position, mover, roll, rules) if _fits(written, p, position, mover)]
    exact = [p for p in fitting if {m.target for m in p.moves if m.hit} == set(written.hits)]
    chosen = exact or fitting
    if not chosen:
        raise NotationError(
            "{play} is not a legal play of {dice} here.", play=str(written), dice=f"{roll[0]}-{roll[1]}"
        )
    if len(chosen) > 1:
        raise AmbiguousPlayError("{play} can mean several plays; mark the hits on the way with *.", play=str(written))
    return chosen[0]


def _fits(written: WrittenPlay, play: Play, position: Position, mover: Side) -> bool:
    """The play takes the same checkers to the same places and makes every hit that is marked."""
    own = [0, *position.own(mover)]
    for path in written.paths:
        own[path[0]] -= 1
        own[path[-1]] += 1
    if min(own) < 0 or tuple(own[1:]) != play.result.own(mover):
        return False
    return set(written.hits) <= {move.target for move in play.moves if move.hit}
