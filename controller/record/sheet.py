"""The score sheet of a match as a page made for printing: every game in two columns, the score after each, what is owed."""

from __future__ import annotations

from dataclasses import dataclass

from controller.record.board import follows_from_moves, marked_moves
from controller.record.model import (
    AnyAction,
    BeaverAction,
    DoubleAction,
    Game,
    PlayAction,
    RaccoonAction,
    Record,
    RefusedAction,
    ResignAction,
    RollAction,
    Seat,
    SetAction,
    TakeAction,
    TeamGame,
)
from controller.record.replay import add_score, other_seat, rules_of
from controller.record.templates import filled
from controller.record.words import PRINTED
from controller.rules import LANGUAGES, Move, RuleSetError, format_moves, parse_ruleset, parse_stake, ruleset_keys

_PHRASES: dict[str, tuple[str, str, str]] = {
    "title": ("Score sheet", "Zápis hry", "Zápis hry"),
    "money": ("Single games for money", "Jednotlivé hry o peníze", "Jednotlivé hry o peniaze"),
    "single": ("Single games", "Jednotlivé hry", "Jednotlivé hry"),
    "match": ("Match to {0} {1}", "Zápas na {0} {1}", "Zápas na {0} {1}"),
    "game": ("Game {0}", "Hra {0}", "Hra {0}"),
    "crawford": ("Crawford game", "Crawfordova hra", "Crawfordova hra"),
    "light": (
        "{0} has the light checkers now",
        "Světlé kameny má nyní {0}",
        "Svetlé kamene má teraz {0}",
    ),
    "draw": ("Drawn for the start", "Losování", "Losovanie"),
    "cube": ("The cube begins at {0}", "Zdvojovací kostka začíná na {0}", "Zdvojovacia kocka začína na {0}"),
    "start": ("Begins from {0}", "Začíná z pozice {0}", "Začína z pozície {0}"),
    "rules": ("Rules", "Pravidla", "Pravidlá"),
    "score": ("Score", "Stav", "Stav"),
    "point": ("One point is worth {0}", "Jeden bod platí {0}", "Jeden bod platí {0}"),
    "owes": ("{0} owes {1}", "{0} dluží {1}", "{0} dlhuje {1}"),
    "even": ("Nobody owes anything", "Nikdo nic nedluží", "Nikto nič nedlhuje"),
    "wins": ("{0}: wins {1} {2}", "{0}: vyhrává {1} {2}", "{0}: vyhráva {1} {2}"),
    "unfinished": ("Not finished", "Nedohráno", "Nedohrané"),
    "illegal": ("not legal", "nepřípustné", "neprípustné"),
    "set": ("Set by hand", "Nastaveno ručně", "Nastavené ručne"),
    "gap": (
        "A gap: nobody saw what was played",
        "Mezera: nikdo neviděl, co se hrálo",
        "Medzera: nikto nevidel, čo sa hralo",
    ),
    "chouette": (
        "Chouette: box {0}, captain {1}, team {2}",
        "Chouette: box {0}, kapitán {1}, tým {2}",
        "Chouette: box {0}, kapitán {1}, tím {2}",
    ),
    "cubes": ("Cubes of the team", "Zdvojovací kostky týmu", "Zdvojovacie kocky tímu"),
    "beaver": ("Beaver", "Bobr", "Bobor"),
    "raccoon": ("Raccoon", "Mýval", "Mýval"),
    "doubles": ("{0} doubles", "zdvojuje {0}", "zdvojuje {0}"),
    "nackgammon": ("Nackgammon", "Nackgammon", "Nackgammon"),
    "hypergammon": ("Hypergammon", "Hypergammon", "Hypergammon"),
}


@dataclass(frozen=True)
class SheetGame:
    """One game as it stands on the sheet. notes: what is to be said before its first turn; rows: number and both cells."""

    title: str
    notes: tuple[str, ...]
    rows: tuple[tuple[int, str, str], ...]
    result: str
    score: str
    players: tuple[str, str]


def write_sheet(record: Record, language: str = "en") -> bytes:
    """HTML that needs nothing beside itself, in one of LANGUAGES. Raises RecordError for a position that can't be read."""
    say = _Words(language)
    games = tuple(_game(record, number, game, say) for number, game in enumerate(record.games, start=1))
    page = filled(
        "record",
        "sheet.html",
        record=record,
        language=language,
        say=say,
        games=games,
        about=_about(record, say),
        owed=_owed(record, say),
    )
    return page.encode("utf-8", "replace")


class _Words:
    """say("game", 3) in one language."""

    def __init__(self, language: str) -> None:
        self.language, self.printed = language, PRINTED[language]
        self._at = LANGUAGES.index(language)

    def __call__(self, what: str, *values: object) -> str:
        return _PHRASES[what][self._at].format(*values)

    def points(self, number: int) -> str:
        """The word for so many points."""
        return self.printed.plural(number)

    def moves(self, moves: list[tuple[int, int, bool]]) -> str:
        """Moves in notation."""
        return format_moves(tuple(Move(*move) for move in moves), self.language)


def _about(record: Record, say: _Words) -> tuple[str, ...]:
    """What is played, where, when, and by which rules."""
    rules = rules_of(record.length, {"rules": record.rules, "rule_keys": record.rule_keys}, None)
    kind = "money" if rules.session.kind == "money" else "single"
    first = say("match", record.length, say.points(record.length)) if record.length else say(kind)
    variant = say(record.variation) if record.variation != "standard" else ""
    named = f"{say('rules')}: {', '.join((record.rules.split(' ')[0], *_changed(record)))}" if record.rules else ""
    when = " ".join(part for part in (record.date, record.time) if part)
    return tuple(part for part in (first, variant, record.event, record.round, record.place, when, named) if part)


def _changed(record: Record) -> tuple[str, ...]:
    """The single rules over the rule set that is named, as people write them."""
    try:
        usual = ruleset_keys(parse_ruleset(record.rules.split(" ")[0], ()))
    except RuleSetError:
        return ()
    return tuple(
        f"{key}={str(value).lower() if isinstance(value, bool) else value}"
        for key, value in record.rule_keys.items()
        if key in usual
        and value != usual[key]
        and not key.startswith(("device.", "variant."))
        and not _same(value, usual[key])
    )


def _same(value: object, usual: object) -> bool:
    """A list that JSON made of the same numbers."""
    return isinstance(value, list) and isinstance(usual, tuple) and tuple(value) == usual


def _owed(record: Record, say: _Words) -> tuple[str, ...]:
    """What a point is worth and who owes what, of a chouette what every player has won; nothing where there is no stake."""
    try:
        stake = parse_stake(str(record.rule_keys.get("stake.point", "")))
    except RuleSetError:
        stake = None
    totals = _totals(record)
    if totals:
        money = {name: f" ({stake.of(points).text(say.language)})" if stake else "" for name, points in totals.items()}
        return tuple(f"{name}: {points:+d}{money[name]}" for name, points in totals.items())
    if stake is None:
        return ()
    left, right = _final(record)
    worth = say("point", stake.text(say.language))
    if left == right:
        return worth, say("even")
    loser = record.players[0 if left < right else 1].name
    return worth, say("owes", loser, stake.of(abs(left - right)).text(say.language))


def _totals(record: Record, games: int | None = None) -> dict[str, int]:
    """What every player of a chouette has won in the first so many games; nobody where two play."""
    totals: dict[str, int] = {}
    for game in record.games[:games]:
        for name in game.team.order if game.team else ():
            totals[name] = totals.get(name, 0) + game.team.shares.get(name, 0) if game.team else 0
    return totals


def _final(record: Record) -> tuple[int, int]:
    """The score after the last game."""
    return add_score(record.games[-1].score, record.games[-1]) if record.games else (0, 0)


def _game(record: Record, number: int, game: Game, say: _Words) -> SheetGame:
    notes = [say("crawford")] if game.crawford else []
    before = record.games[number - 2].light if number > 1 else 0
    notes += [say("light", record.players[game.light].name)] if game.light != before else []
    notes += [f"{say('draw')}: {', '.join(f'{left}-{right}' for left, right in game.draws)}"] if game.draws else []
    notes += [say("start", game.start)] if game.start else []
    notes += [say("cube", game.cube)] if game.cube != 1 else []
    players = (record.players[0].name, record.players[1].name)
    left, right = add_score(game.score, game)
    result, score = say("unfinished"), f"{left} : {right}"
    if game.team is not None:
        players = (game.team.order[0], game.team.order[1])
        notes = [say("chouette", *players, ", ".join(game.team.order[2:])), *notes, *_cubes(game.team, say)]
        score = ", ".join(f"{name} {points:+d}" for name, points in _totals(record, number).items())
    if game.winner is not None and game.points is not None:
        result = say("wins", players[game.winner], game.points, say.points(game.points))
        if game.team is not None:
            result = ", ".join(f"{name} {points:+d}" for name, points in game.team.shares.items())
    return SheetGame(say("game", number), tuple(notes), _rows(record, game, say), result, score, players)


def _cubes(game: TeamGame, say: _Words) -> tuple[str, ...]:
    """What was done with the team's cubes, one line for each player."""
    words = say.printed
    done = {"take": words.take, "pass": words.pass_, "beaver": say("beaver"), "raccoon": say("raccoon")}
    done_by_name: dict[str, list[str]] = {}
    for cube in game.cubes:
        by = game.order[0] if cube.player == 0 else cube.name
        text = say("doubles", by) if cube.act == "double" else done[cube.act]
        done_by_name.setdefault(cube.name, []).append(text)
    return tuple(f"{say('cubes')}, {name}: {', '.join(acts)}" for name, acts in done_by_name.items())


def _rows(record: Record, game: Game, say: _Words) -> tuple[tuple[int, str, str], ...]:
    """Cells in the order in which they were played; whoever acts twice in turn begins another row."""
    rows: list[list[str]] = []

    def put(seat: Seat, cell: str) -> None:
        if not rows or rows[-1][1] or (seat == 0 and rows[-1][0]):
            rows.append(["", ""])
        rows[-1][seat] = cell

    for action in game.actions:
        put(action.player, f"{_cell(record, action, say)} {action.mark}".rstrip())
        if isinstance(action, RefusedAction):
            put(other_seat(action.player), say.printed.refused)
    return tuple((number, left, right) for number, (left, right) in enumerate(rows, start=1))


def _cell(record: Record, action: AnyAction, say: _Words) -> str:
    words = say.printed
    match action:
        case PlayAction(dice=dice):
            moves = say.moves(marked_moves(record, action)) if follows_from_moves(record, action) else ""
            wrong = "" if action.legal else f" ({say('illegal')})"
            return f"{dice[0]}{dice[1]}: {moves}{wrong}"
        case RollAction(dice=dice):
            return f"{dice[0]}{dice[1]}:"
        case DoubleAction() | BeaverAction() | RaccoonAction():
            kinds = {DoubleAction: words.double, BeaverAction: words.beaver, RaccoonAction: words.raccoon}
            return kinds[type(action)].format(action.value)
        case ResignAction(level=level) | RefusedAction(level=level):
            return f"{words.resign} {words.levels[level - 1]}" if level else words.resign
        case SetAction(gap=gap):
            return say("set" if gap is None else "gap")
    return words.take if isinstance(action, TakeAction) else words.pass_
