"""Reads backgammon in Smart Game Format, FF[4] GM[6], as GNU Backgammon writes it: one tree a game."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import msgspec

from controller.record.board import checkers_of, standing_cubes
from controller.record.draft import COLORS, Draft, DraftGame, DraftPlay, Hop
from controller.record.model import (
    CUBE_MOST,
    AnyAction,
    BeaverAction,
    DoubleAction,
    Level,
    PassAction,
    Player,
    RaccoonAction,
    RecordError,
    RefusedAction,
    ResignAction,
    RollAction,
    Seat,
    SetAction,
    TakeAction,
)
from controller.record.replay import cube_value, other_seat
from controller.record.rule_words import SEPARATOR, rule_keys_in
from controller.record.sgf_tree import Node, parse_sgf
from controller.record.text import ACTION_LIMIT, decode
from controller.referee.events import Mark
from controller.rules import Position, RuleSetError, Side, position_from_id, position_id

BACKGAMMON = "6"
OWN_RULES = "rules="
"""In RU, before the name of the rule set and its single rules, which stand last."""
OWN_DRAWS = "DR"
"""A property of our own: White's and Black's die of each draw for the start. Other programs pass over it; GNU BG takes
names of two letters and no more."""
OWN_REFUSED = "RF"
"""Likewise: who offered to give the game up, and at which level; the opponent refused."""
OWN_RESIGNED = "RS"
"""Likewise: who has given the game up, and at which level, 0 where nobody wrote it down."""
OWN_GAP = "GP"
"""Likewise: seconds in which nobody saw what was played, before a board that nobody set."""
_SEATS: dict[str, Seat] = {"W": 0, "B": 1}
_LEVELS: dict[str, Level] = {"1": 1, "2": 2, "3": 3}
_OWNERS: dict[str, Seat | None] = {"w": 0, "b": 1, "c": None}
BAR_LETTER, OFF_LETTER = "y", "z"

_INFO = re.compile(r"^\s*(length|game|ws|bs)\s*:\s*(\d{1,6})\s*$")
_SECONDS = re.compile(r"^\s*(\d{1,6}(?:\.\d{1,2})?)\s*$")
_GAP = re.compile(r"^Gap of (\d{1,6}) s: ")
"""How the remark of a gap begins."""
_RESULT = re.compile(r"^\s*([WB])\s*\+\s*(?:(\d{1,6})\s*)?(?:(R(?:esign)?)\s*)?$", re.IGNORECASE)
_MOVE = re.compile(r"^([1-6])([1-6])((?:[a-z]{2}){0,4})$")
_DRAW = re.compile(r"^\s*([1-6])-([1-6])\s*$")
_GIVEN_UP = re.compile(r"^\s*([WB])([0123])\s*$")
_CUBE = re.compile(r"^[1-9]\d{0,5}$")
_WORD = re.compile(r"[a-z]+\d*", re.IGNORECASE)
_VARIATIONS = {
    "backgammon": "standard",
    "nackgammon": "nackgammon",
    "hypergammon": "hypergammon",
    "hypergammon3": "hypergammon",
}
_RATING = re.compile(r"^\d{1,5}(?:\.\d{1,3})?$")
_ABOUT = {"event": "EV", "round": "RO", "place": "PC", "transcriber": "AN", "comment": "GC"}


@dataclass
class _GameTree:
    """One tree as it is read. checkers: of each side. rolled: a roll whose play has not come yet."""

    root: Node
    number: int
    checkers: int
    problems: list[str]
    actions: list[AnyAction | DraftPlay] = field(default_factory=list)
    rolled: RollAction | None = None
    start: Position | None = None
    cube: int = 1
    owner: Seat | None = None
    on_roll: Seat | None = None

    def problem(self, line: int, text: str) -> None:
        self.problems.append(f"line {line}: game {self.number}: {text}")

    def read(self, node: Node) -> None:
        self._read_setup(node)
        self._read_given_up(node)
        if "W" in node.properties:
            self._read_turn(node, 0, node.first("W").strip().lower())
        if "B" in node.properties:
            self._read_turn(node, 1, node.first("B").strip().lower())

    def _read_setup(self, node: Node) -> None:
        """ "PL DI" is a roll whose play follows as a board, or never does."""
        dice = node.first("DI")
        if re.match(r"^[1-6][1-6]$", dice):
            self._flush()
            seat: Seat = _to_roll(node) or 0
            roll = (int(dice[0]), int(dice[1]))
            self.rolled = RollAction(seat, roll, line=node.line, comment=node.first("C"), mark=_mark(node))
        placed = None
        begins = not self.actions and _gap(node) is None
        if {"AE", "AW", "AB"} & node.properties.keys():
            placed = _placed(node, self.checkers)
            if placed is None:
                self.problem(node.line, "a set-up can't be read.")
            elif self.rolled is not None:
                one, comment = self.rolled, node.first("C") or self.rolled.comment
                mark = _mark(node) or one.mark
                self.actions.append(DraftPlay(one.player, one.dice, (), one.line, placed, comment, mark))
                self.rolled = placed = None
            elif begins:
                self.start = placed
        cube = self._cube(node)
        if begins and not self.actions:
            self.on_roll = self.on_roll if (said := _to_roll(node)) is None else said
            self.cube, self.owner = cube or (self.cube, self.owner)
        elif placed is not None or cube is not None:
            self._read_set(node, placed, cube)

    def _cube(self, node: Node) -> tuple[int, Seat | None] | None:
        """Value and owner of the cube as a node leaves it, which may name either alone; None where it names neither."""
        said, whose = _CUBE.match(node.first("CV")), node.first("CP").strip().lower()
        if not said and whose not in _OWNERS:
            return None
        value, owner = self._standing_cube()
        return min(int(said[0]), CUBE_MOST) if said else value, _OWNERS.get(whose, owner)

    def _standing_cube(self) -> tuple[int, Seat | None]:
        """Counted from where it was set last, so that a forged file of nothing but cubes takes no longer than another."""
        value, owner, since = self.cube, self.owner, len(self.actions)
        while since:
            since -= 1
            set_ = self.actions[since]
            if isinstance(set_, SetAction) and set_.cube is not None:
                value, owner = set_.cube, set_.owner
                break
        *_, standing = standing_cubes(value, owner, self.actions[since:])
        return standing

    def _read_set(self, node: Node, placed: Position | None, cube: tuple[int, Seat | None] | None) -> None:
        """A board or a cube that was set in the middle of a game. GNU BG sets value and owner of a cube in a node each."""
        value, owner = cube or (None, None)
        last = self.actions[-1] if self.actions else None
        if isinstance(last, SetAction) and not last.position and placed is None and "CV" not in node.properties:
            self.actions[-1] = msgspec.structs.replace(last, owner=owner)
            return
        seat = _to_roll(node)
        seat = self._next_to_roll() if seat is None else seat
        position = "" if placed is None else position_id(placed, Side(COLORS[seat]))
        comment, mark = node.first("C"), _mark(node)
        self.actions.append(
            SetAction(seat, position, value, owner, _gap(node), line=node.line, comment=comment, mark=mark)
        )

    def _next_to_roll(self) -> Seat:
        for action in reversed(self.actions):
            if isinstance(action, DraftPlay | RollAction):
                return other_seat(action.player)
            if isinstance(action, SetAction):
                return action.player
        return 0

    def _read_given_up(self, node: Node) -> None:
        """A resignation, refused or accepted, as our own writer has it; what an accepted one is worth stands in the result."""
        refused, accepted = (_GIVEN_UP.match(node.first(name)) for name in (OWN_REFUSED, OWN_RESIGNED))
        found = refused or accepted
        if found:
            self._flush()
            seat, level = _SEATS[found[1]], _LEVELS.get(found[2])
            offer = RefusedAction(seat, level or 1) if refused else ResignAction(seat, level=level)
            comment, mark = node.first("C"), _mark(node)
            self.actions.append(msgspec.structs.replace(offer, line=node.line, comment=comment, mark=mark))

    def _read_turn(self, node: Node, seat: Seat, value: str) -> None:
        self._flush()
        comment = node.first("C")
        move = _MOVE.match(value)
        if move:
            dice = (int(move[1]), int(move[2]))
            hops = tuple(_hop(pair, seat) for pair in re.findall("..", move[3]))
            self.actions.append(DraftPlay(seat, dice, hops, node.line, comment=comment, mark=_mark(node)))
        elif value == "double":
            offer = _offer(self.actions, seat, self.cube, node.line, comment)
            self.actions.append(msgspec.structs.replace(offer, mark=_mark(node)))
        elif value == "take":
            self.actions.append(TakeAction(seat, line=node.line, comment=comment, mark=_mark(node)))
        elif value in ("drop", "pass"):
            self.actions.append(PassAction(seat, line=node.line, comment=comment, mark=_mark(node)))
        elif value == "resign":
            self.actions.append(ResignAction(seat, line=node.line, comment=comment))
        elif re.match(r"^[1-6]{2}", value):
            self.problem(node.line, f"the play '{value[:30]}' was not understood.")
            self.actions.append(RollAction(seat, (int(value[0]), int(value[1])), line=node.line, comment=comment))
        else:
            self.problem(node.line, f"'{value[:30]}' was not understood.")

    def _flush(self) -> None:
        if self.rolled is not None:
            self.actions.append(self.rolled)
            self.rolled = None

    def _with_who_was_on_roll(self) -> list[AnyAction | DraftPlay]:
        """The actions. GNU BG writes of every board that was set in a file which it has read that White is on roll: it is whoever
        throws, or doubles, then."""
        actions = self.actions.copy()
        for at in range(len(actions) - 2, -1, -1):
            set_, then = actions[at : at + 2]
            if isinstance(set_, SetAction) and isinstance(then, DraftPlay | RollAction | DoubleAction | SetAction):
                stood = (
                    position_from_id(set_.position, Side(COLORS[set_.player]), self.checkers) if set_.position else None
                )
                seen = position_id(stood, Side(COLORS[then.player])) if stood else ""
                actions[at] = msgspec.structs.replace(set_, player=then.player, position=seen)
        return actions

    def draft(self) -> DraftGame:
        self._flush()
        info, rules = match_info(self.root), _rule_words(self.root)
        result = _RESULT.match(self.root.first("RE"))
        points = int(result[2]) if result and result[2] else None
        actions = self._with_who_was_on_roll() if _is_theirs(self.root) else self.actions
        return DraftGame(
            actions=tuple(
                msgspec.structs.replace(one, points=points) if isinstance(one, ResignAction) else one for one in actions
            ),
            score=(info["ws"], info["bs"]) if {"ws", "bs"} <= info.keys() else None,
            crawford=None if rules is None else "crawfordgame" in rules,
            winner=None if not result else 0 if result[1].upper() == "W" else 1,
            points=points,
            start=self.start,
            cube=self.cube,
            owner=self.owner,
            line=self.root.line,
            comment=self.root.first("C"),
            draws=tuple(
                (int(draw[1]), int(draw[2]))
                for draw in map(_DRAW.match, self.root.properties.get(OWN_DRAWS, ()))
                if draw
            ),
            on_roll=None if _is_theirs(self.root) else self.on_roll,
        )


def read_sgf(data: bytes) -> Draft:
    """A Draft of the backgammon games in an SGF file. Raises RecordError where it holds none or breaks the grammar."""
    text = decode(data)
    trees = [tree for tree in parse_sgf(text) if tree[0].first("GM", BACKGAMMON).strip() == BACKGAMMON]
    if not trees:
        raise RecordError("This SGF file holds no backgammon game (GM[6]).")
    if sum(map(len, trees)) > ACTION_LIMIT:
        raise RecordError(f"This SGF file has more than {ACTION_LIMIT} nodes; no match is that long.")
    problems: list[str] = []
    games = []
    root = trees[0][0]
    players = _players(root)
    length = match_info(root).get("length", 0)
    about = _about(root)
    problems += [
        f"line {root.line}: the variation '{word}' is not known; read from the usual start."
        for word in _variations(root)
        if word.lower() not in _VARIATIONS
    ]
    checkers = checkers_of(str(about.get("variation")))
    for number, tree in enumerate(trees, start=1):
        problems += _frame_problems(players, length, tree[0], number)
        game = _GameTree(tree[0], number, checkers, problems)
        for node in tree:
            game.read(node)
        games.append(game.draft())
    try:
        about |= _own_rules(root)
    except RuleSetError as error:
        problems.append(f"line {root.line}: its single rules are not known: {error}")
    return Draft(players, length, tuple(games), tuple(problems), about)


def _frame_problems(players: tuple[Player, Player], length: int, root: Node, number: int) -> Iterator[str]:
    """What a game says of the match otherwise than the first game does."""
    at = f"line {root.line}: game {number}"
    left, right = _players(root)
    if (left.name or right.name) and (left.name, right.name) != (players[0].name, players[1].name):
        yield f"{at}: the players are {left.name} and {right.name} here."
    here = match_info(root).get("length", length)
    if here != length:
        yield f"{at}: the length of the match is {here} here, not {length}."


def match_info(root: Node) -> dict[str, int]:
    """The pairs of MI: length, game, ws, bs."""
    pairs = (_INFO.match(value) for value in root.properties.get("MI", ()))
    return {match[1]: int(match[2]) for match in pairs if match}


def _players(root: Node) -> tuple[Player, Player]:
    return _player(root, "W", 0), _player(root, "B", 1)


def _player(root: Node, letter: str, seat: Seat) -> Player:
    rating = root.first(f"{letter}R").strip()
    return Player(root.first(f"P{letter}"), COLORS[seat], float(rating) if _RATING.match(rating) else None)


def _about(root: Node) -> dict[str, object]:
    about: dict[str, object] = {name: root.first(key) for name, key in _ABOUT.items() if root.first(key)}
    if re.match(r"^\d{4}-\d{2}-\d{2}$", root.first("DT")):
        about["date"] = root.first("DT")
    rules = _rule_words(root)
    if rules is not None and match_info(root).get("length", 0):
        about["crawford_rule"] = "crawford" in rules
    elif rules is not None and "jacoby" in rules:
        about["jacoby"] = "nojacoby" not in rules
    if rules is not None and "beavers" in rules:
        about["beavers"] = "nobeavers" not in rules
    for word in _variations(root):
        if word.lower() in _VARIATIONS:
            about["variation"] = _VARIATIONS[word.lower()]
    return about


def _rule_words(root: Node) -> str | None:
    """What is said of the rules, but for our own, in lower case; None where nobody says anything. GNU BG says only that Crawford's
    rule holds, and nothing where it does not."""
    return root.first("RU").partition(OWN_RULES)[0].lower() if "RU" in root.properties or _is_theirs(root) else None


def _is_theirs(root: Node) -> bool:
    """GNU BG has written it."""
    return root.first("AP").startswith("GNU Backgammon")


def _variations(root: Node) -> list[str]:
    """What the rules name as the game that is played."""
    words = _WORD.findall(root.first("RU").partition(OWN_RULES)[0])
    return [word for word in words if "gammon" in word.lower()]


def _own_rules(root: Node) -> dict[str, object]:
    """The rule set and its single rules, as our own writer has them. Raises RuleSetError."""
    name, _, words = " ".join(root.first("RU").partition(OWN_RULES)[2].split()).partition(SEPARATOR)
    keys = rule_keys_in(name, words)
    return {"rules": name, **({"rule_keys": keys} if keys else {})} if name else {}


def _hop(pair: str, seat: Seat) -> Hop:
    source, target = (_point(letter, seat) for letter in pair)
    return Hop(source, target)


def _to_roll(node: Node) -> Seat | None:
    """Who is on roll, where a node says so."""
    return _SEATS.get(node.first("PL").strip().upper()[:1])


def _gap(node: Node) -> float | None:
    """Seconds of a gap; None where there is none. Where our own property is not there, as in a file of an older version or one that
    GNU BG has saved, the remark tells."""
    told = _SECONDS.match(node.first(OWN_GAP)) or _GAP.match(node.first("C"))
    return float(told[1]) if told else None


def _mark(node: Node) -> Mark:
    """What an annotation says of a move. GNU BG writes DO and IT without a number."""
    marks: dict[str, tuple[Mark, Mark]] = {"BM": ("?", "??"), "TE": ("!", "!!"), "DO": ("?!", "?!"), "IT": ("!?", "!?")}
    return next((two[node.first(key) == "2"] for key, two in marks.items() if key in node.properties), "")


def _point(letter: str, seat: Seat) -> int:
    """Letters are White's points; the bar and off are anyone's."""
    if letter in (BAR_LETTER, OFF_LETTER):
        return 25 if letter == BAR_LETTER else 0
    number = ord(letter) - ord("a") + 1
    return number if seat == 0 else 25 - number


def _offer(
    actions: list[AnyAction | DraftPlay], seat: Seat, cube: int, line: int, comment: str
) -> DoubleAction | BeaverAction | RaccoonAction:
    """A double that answers a double is a beaver, one that answers a beaver a raccoon."""
    value = min(2 * cube_value(cube, actions), CUBE_MOST)
    last = actions[-1] if actions else None
    if isinstance(last, DoubleAction) and last.player != seat:
        return BeaverAction(seat, value, line=line, comment=comment)
    if isinstance(last, BeaverAction) and last.player != seat:
        return RaccoonAction(seat, value, line=line, comment=comment)
    return DoubleAction(seat, value, line=line, comment=comment)


def _placed(node: Node, checkers: int) -> Position | None:
    """The board that a set-up node leaves; GNU Backgammon empties all of it first."""
    white, black = [0] * 25, [0] * 25
    colours: tuple[tuple[str, list[int], Seat], ...] = (("AW", white, 0), ("AB", black, 1))
    for name, counts, seat in colours:
        for value in node.properties.get(name, ()):
            letter = value.strip().lower()
            if not re.match("^[a-z]$", letter):
                return None
            point = _point(letter, seat)
            if point:
                counts[point - 1] += 1
    if max(sum(white), sum(black)) > checkers:
        return None
    return Position(tuple(white), tuple(black), checkers)
