"""Writes backgammon in Smart Game Format, FF[4] GM[6], as GNU Backgammon reads it: one tree a game."""

from __future__ import annotations

from controller.record.board import board, first_board, follows_from_moves, telling_moves
from controller.record.draft import side_of
from controller.record.mat_writer import safe_names
from controller.record.model import (
    AnyAction,
    BeaverAction,
    DoubleAction,
    Game,
    PassAction,
    PlayAction,
    RaccoonAction,
    Record,
    RefusedAction,
    ResignAction,
    RollAction,
    Seat,
    SetAction,
    TakeAction,
)
from controller.record.rule_words import SEPARATOR, rule_words
from controller.record.sgf_reader import (
    BAR_LETTER,
    OFF_LETTER,
    OWN_DRAWS,
    OWN_GAP,
    OWN_REFUSED,
    OWN_RESIGNED,
    OWN_RULES,
)
from controller.record.sgf_tree import escape
from controller.record.text import one_line
from controller.referee.names import printable
from controller.rules import Position

COMMENT_LIMIT = 10_000

_MARKS = {"": "", "?": "BM[1]", "??": "BM[2]", "!": "TE[1]", "!!": "TE[2]", "?!": "DO[]", "!?": "IT[]"}
"""Source: SGF FF[4], move annotation properties."""


def write_sgf(record: Record) -> bytes:
    """UTF-8. Raises RecordError for a record whose positions can't be read."""
    names = safe_names(record)
    return "\n".join(_tree(record, game, number, names) for number, game in enumerate(record.games)).encode() + b"\n"


def _tree(record: Record, game: Game, number: int, names: tuple[str, str]) -> str:
    nodes = [_root(record, game, number, names), *_setup(record, game)]
    for action in game.actions:
        nodes += _nodes(record, action)
    return "(" + "\n".join(nodes) + ")"


def _root(record: Record, game: Game, number: int, names: tuple[str, str]) -> str:
    info = {"length": record.length, "game": number, "ws": game.score[0], "bs": game.score[1]}
    parts = [";FF[4]GM[6]CA[UTF-8]AP[Vrhcab:1]MI", *(f"[{key}:{value}]" for key, value in info.items())]
    for letter, name, player in zip("WB", names, record.players, strict=True):
        parts.append(f"P{letter}[{escape(name)}]")
        if player.rating is not None:
            parts.append(_property(f"{letter}R", f"{player.rating:g}"))
    parts.append(_property("DT", record.date))
    for key, value in (
        ("EV", record.event),
        ("RO", record.round),
        ("PC", record.place),
        ("AN", record.transcriber),
    ):
        parts.append(_property(key, value))
    parts += [_text("GC", record.comment), _text("C", game.comment)]
    if game.draws:
        parts.append(OWN_DRAWS + "".join(f"[{left}-{right}]" for left, right in game.draws))
    parts.append(f"RU[{escape(_rules(record, game))}]")
    if game.winner is not None and game.points is not None:
        resigned = any(isinstance(a, ResignAction) for a in game.actions)
        # GNU BG goes by the board, and takes the number only for what a resignation was worth.
        points = game.points if resigned or game.announced_points is None else game.announced_points
        parts.append(f"RE[{'WB'[game.winner]}+{points}{'R' if resigned else ''}]")
    return "".join(parts)


def _rules(record: Record, game: Game) -> str:
    if record.length == 0:
        # GNU BG passes over words that it does not know; without one, nobody knows whether the rule holds.
        rules = [] if record.jacoby is None else ["Jacoby" if record.jacoby else "NoJacoby"]
    else:
        rules = [] if record.crawford_rule is False else ["Crawford"]
        rules += ["CrawfordGame"] if game.crawford else []
    if record.beavers is not None:
        rules.append("Beavers" if record.beavers else "NoBeavers")
    if record.variation != "standard":
        rules.append({"nackgammon": "Nackgammon", "hypergammon": "Hypergammon3"}.get(record.variation, ""))
    if record.rules:
        # GNU BG compares whole words between colons, so that it passes over all of this.
        rules.append(
            OWN_RULES + one_line(SEPARATOR.join(filter(None, (record.rules, rule_words(record)))), COMMENT_LIMIT)
        )
    return ":".join(rule for rule in rules if rule)


def _setup(record: Record, game: Game) -> list[str]:
    nodes = []
    if game.start:
        on_roll = "" if game.on_roll is None or game.actions else f"PL[{'WB'[game.on_roll]}]"
        nodes.append(f";{on_roll}{_placed(record, first_board(record, game))}")
    if game.cube != 1:
        nodes.append(f";CV[{game.cube}]CP[{_owner(game.owner)}]")
    return nodes


def _nodes(record: Record, action: AnyAction) -> list[str]:
    letter = "WB"[action.player]
    comment = _MARKS[action.mark] + _text("C", action.comment)
    if isinstance(action, PlayAction):
        roll = f"{action.dice[0]}{action.dice[1]}"
        if follows_from_moves(record, action) and (action.moves or action.legal):
            moves = telling_moves(record, action) or ()
            pairs = "".join(_letter(point, action.player) for move in moves for point in move)
            return [f";{letter}[{roll}{pairs}]{comment}"]
        after = _placed(record, board(record, action, action.after))
        return [f";PL[{letter}]DI[{roll}]", f";PL[{letter}]{after}{comment}"]
    if isinstance(action, RollAction):
        return [f";PL[{letter}]DI[{action.dice[0]}{action.dice[1]}]{comment}"]
    if isinstance(action, DoubleAction | BeaverAction | RaccoonAction):
        return [f";{letter}[double]{comment}"]
    if isinstance(action, TakeAction | PassAction):
        return [f";{letter}[{'take' if isinstance(action, TakeAction) else 'drop'}]{comment}"]
    if isinstance(action, RefusedAction):
        return [f";{OWN_REFUSED}[{letter}{action.level}]{comment}"]
    if isinstance(action, ResignAction):
        # The result says it to other programs; without more than that nothing is added.
        return [f";{OWN_RESIGNED}[{letter}{action.level or 0}]{comment}"] if action.level or comment else []
    return [_set(record, action, letter, comment)]


def _set(record: Record, action: SetAction, letter: str, comment: str) -> str:
    placed = _placed(record, board(record, action, action.position)) if action.position else ""
    cube = "" if action.cube is None else f"CV[{action.cube}]CP[{_owner(action.owner)}]"
    gap = "" if action.gap is None else f"{OWN_GAP}[{action.gap:.2f}]"
    return f";PL[{letter}]{placed}{cube}{gap}{comment}"


def _owner(seat: Seat | None) -> str:
    return "c" if seat is None else "wb"[seat]


def _letter(point: int, seat: Seat) -> str:
    if point in (0, 25):
        return OFF_LETTER if point == 0 else BAR_LETTER
    return chr(ord("a") + (point if seat == 0 else 25 - point) - 1)


def _placed(record: Record, position: Position) -> str:
    parts = ["AE[a:y]"]
    seats: tuple[Seat, Seat] = (0, 1)
    for seat, key in zip(seats, ("AW", "AB"), strict=True):
        own = position.own(side_of(record.players, seat))
        stones = [f"[{_letter(p, seat)}]" * count for p, count in enumerate(own, start=1) if count]
        if stones:
            parts.append(key + "".join(stones))
    return "".join(parts)


def _property(key: str, value: str) -> str:
    text = printable(value)[:COMMENT_LIMIT]
    return f"{key}[{escape(text)}]" if text else ""


def _text(key: str, value: str) -> str:
    """A remark, whose lines stay."""
    text = "\n".join(map(printable, value.split("\n"))).strip()[:COMMENT_LIMIT]
    return f"{key}[{escape(text)}]" if text else ""
