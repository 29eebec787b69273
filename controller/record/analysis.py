"""GNU Backgammon's verdict on a record: error rates, luck, the worst plays and cube actions, and how the equity went."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from controller.errors import ControllerError
from controller.record.board import board, cube_states
from controller.record.check import player_name
from controller.record.draft import side_of
from controller.record.formats import write_record
from controller.record.gnubg import GnubgError, load_command, run_gnubg, wanted_always
from controller.record.mat_writer import format_moves
from controller.record.model import (
    AnyAction,
    BeaverAction,
    DoubleAction,
    PassAction,
    PlayAction,
    RaccoonAction,
    Record,
    RecordError,
    RollAction,
    Seat,
    TakeAction,
)
from controller.record.replay import add_score, other_seat
from controller.rules import RulesError, format_play, parse_play
from vision.sentence import Sentence
from web.operator import MatchAnalysis, Mistake, Moment, PlayerAnalysis

WORST = 10
"""How many plays and cube actions are named."""

NOTABLE = 0.02
"""Least equity lost for a play to be named; GNU BG calls an error doubtful from 0.04 on."""

MOST_AWAY = 64
"""Points; GNU BG knows no longer matches."""

TIME_LIMIT = 600.0

Found = TypeVar("Found")

_KINDS: dict[str, tuple[type[AnyAction], ...]] = {
    "move": (PlayAction,),
    "set": (PlayAction, RollAction),
    "double": (DoubleAction, BeaverAction, RaccoonAction),
    "take": (TakeAction,),
    "drop": (PassAction,),
}
"""What of ours GNU BG's actions may be, by their names."""

_BETTER = {"double": "no double", "take": "pass", "drop": "take", "move": "double"}


class Analysis(msgspec.Struct, frozen=True):
    """plays, cube: the worst first. course: game by game."""

    players: tuple[PlayerAnalysis, PlayerAnalysis]
    plays: tuple[Mistake, ...]
    cube: tuple[Mistake, ...]
    course: tuple[tuple[Moment, ...], ...]

    def shown(self, record: Record) -> MatchAnalysis:
        """As the page has it: plays and cube actions in one list. record: what was analysed."""
        light = tuple(game.light for game in record.games)
        return MatchAnalysis(self.players, (*self.plays, *self.cube), self.course, light if any(light) else ())


def may_analyse(current: Record | None) -> Sentence:
    """Empty where an analysis may run now, else the sentence that says why not.

    current: the match at the board, None where there is none. While a match for points is on, nothing is analysed on
    this machine: either player could ask about a position like his own. Games for money end one by one, so there only the
    one that is being played matters, and only finished ones are in a record to analyse.
    """
    if current is None or is_over(current):
        return Sentence("")
    if current.length > 0:
        return Sentence(
            "A match to {length} is being played on this board; it is analysed when it is over.", length=current.length
        )
    if current.games and current.games[-1].winner is None:
        return Sentence("A game is being played on this board; it is analysed when it is over.")
    return Sentence("")


def is_over(record: Record) -> bool:
    """Whether somebody has the points that the match goes to, or all games that its rules give it are played; a money session has
    no end."""
    if not record.games:
        return False
    games, last = record.rule_keys.get("match.games"), record.games[-1]
    if record.length == 0:
        ended = sum(game.winner is not None for game in record.games)
        return isinstance(games, int) and 0 < games <= ended
    return max(add_score(last.score, last)) >= record.length


def analyse(
    record: Record, plies: int = 0, time_limit: float = TIME_LIMIT, wanted: Callable[[], bool] = wanted_always
) -> Analysis:
    """Have GNU Backgammon analyse a record.

    plies: how far it looks ahead; 2 is its usual strength and takes about fifty times as long as 0. wanted: as soon as it
    says no, it is stopped.
    Raises GnubgError where it is missing, fails or takes longer than time_limit seconds; RecordError for a record that
    can't be written for it.
    """
    return _read(record, _asked(record, plies, time_limit, wanted), _analysis_in)


class TurnJudged(msgspec.Struct, frozen=True):
    """One turn. played, better: as of a Mistake, the same where nothing was better; lost: equity. doubling: lost by not having
    doubled before it, in the unit of a Mistake; 0 where that was right, or nobody could."""

    played: str
    better: str
    lost: float
    doubling: float = 0.0


def judge_turn(record: Record, plies: int, time_limit: float, wanted: Callable[[], bool]) -> TurnJudged | None:
    """Have GNU Backgammon judge a record of one play; None where there was nothing to choose. Raises as analyse()."""
    return _read(record, _asked(record, plies, time_limit, wanted), _turn_in)


def _asked(record: Record, plies: int, time_limit: float, wanted: Callable[[], bool]) -> dict[str, Any]:
    """What GNU Backgammon's own program makes of it."""
    if not any(game.actions for game in record.games):
        raise GnubgError("There is nothing to analyse: the record has no play in it.")
    if record.length > MOST_AWAY:
        raise GnubgError(
            "GNU Backgammon knows matches to {most} points at most, and this one goes to {length}.",
            most=MOST_AWAY,
            length=record.length,
        )
    with tempfile.TemporaryDirectory(prefix="vrhcab-analysis-") as folder:
        path = Path(folder) / "match.sgf"
        write_record(record, path)
        settings = [f"set analysis {part} evaluation plies {plies}" for part in ("chequerplay", "cubedecision")]
        commands = "\n".join([*settings, load_command(path), "analyse match"])
        script = f"dict(gnubg.match(analysis=1, boards=0, statistics=1), met=gnubg.met({MOST_AWAY}))"
        match, _ = run_gnubg(commands, script, time_limit, wanted)
    found: dict[str, Any] = match
    return found


def _read(record: Record, match: dict[str, Any], reader: Callable[[Record, dict[str, Any]], Found]) -> Found:
    try:
        return reader(record, match)
    except (ControllerError, KeyError, TypeError, IndexError, ValueError) as error:
        raise GnubgError("GNU Backgammon's answer was not understood; is it version 1.07 or newer?") from error


def _turn_in(record: Record, match: dict[str, Any]) -> TurnJudged | None:
    for action in match["games"][0]["game"]:
        compared = _compared(action) if action.get("action") == "move" and "analysis" in action else None
        if compared is not None:
            missed = next(_cube_mistakes(record, 1, [(1, action)], match["met"]), None)
            played, better, lost = compared
            played, better = (_named(record, 1, 1, text) for text in (played, better))
            return TurnJudged(played, better, lost, missed.lost if missed else 0.0)
    return None


def _analysis_in(record: Record, match: dict[str, Any]) -> Analysis:
    plays: list[Mistake] = []
    cube: list[Mistake] = []
    course = []
    for number, game in enumerate(match["games"], start=1):
        numbered = tuple(_numbered(record.games[number - 1].actions, game["game"]))
        course.append(tuple(_course(numbered)))
        for index, action in numbered:
            if "analysis" in action:
                plays += _play_mistake(number, index, action)
        cube += _cube_mistakes(record, number, numbered, match["met"])
    worst = sorted(plays, key=lambda m: -m.lost)[:WORST]
    return Analysis(
        players=(_player(record, match, 0), _player(record, match, 1)),
        plays=tuple(_in_our_notation(record, mistake) for mistake in worst),
        cube=tuple(sorted(cube, key=lambda m: -m.lost)[:WORST]),
        course=tuple(course),
    )


def _numbered(ours: Sequence[AnyAction], theirs: list[dict[str, Any]]) -> Iterator[tuple[int, dict[str, Any]]]:
    """GNU BG's actions with the numbers of ours, each that of the next one that it may be: GNU BG passes over a refused resignation
    and over a roll after which nothing is known, and tells in two or three what we tell in one, or before the first."""
    number = 0
    for action in theirs:
        found = next((at for at in range(number, len(ours)) if _is_told_as(ours[at], action)), None)
        if found is not None:
            number = found + 1
            yield number, action


def _is_told_as(ours: AnyAction, theirs: dict[str, Any]) -> bool:
    """Whether GNU BG may tell this action so; a roll, and a play that no moves explain, is one of its set-ups."""
    if theirs.get("player") != "XO"[ours.player]:
        return False
    if not isinstance(ours, _KINDS.get(theirs["action"], ())):
        return False
    return not isinstance(ours, PlayAction | RollAction) or sorted(theirs.get("dice", ())) == sorted(ours.dice)


def _seat(letter: str) -> Seat:
    """GNU BG's X is the left column."""
    return 0 if letter == "X" else 1


def _player(record: Record, match: dict[str, Any], seat: Seat) -> PlayerAnalysis:
    stats = match["stats"]["XO"[seat]]
    moves, cube = stats["moves"], stats["cube"]
    lost = moves["error-skill"] + sum(
        value for key, value in cube.items() if key.startswith("err-") and key.endswith("-skill")
    )
    decisions = moves["unforced-moves"] + cube["close-cube"]
    rate = 1000 * lost / decisions if decisions else None
    name = "" if record.chouette is not None else player_name(record, seat)
    return PlayerAnalysis(name, rate, decisions, stats["dice"]["luck"])


def _play_mistake(game: int, number: int, action: dict[str, Any]) -> Iterator[Mistake]:
    compared = _compared(action)
    if compared is not None and compared[2] >= NOTABLE:
        yield Mistake(game, number, _seat(action["player"]), *compared)


def _compared(action: dict[str, Any]) -> tuple[str, str, float] | None:
    """What was played, what was best, and the equity between them; None where there was nothing to choose."""
    moves = action["analysis"].get("moves", ())
    chosen = action["analysis"].get("imove")
    if not moves or chosen is None or not 0 <= chosen < len(moves):
        return None
    roll = "".join(map(str, action["dice"]))
    played, best = (f"{roll}: {_written(move['move'])}" for move in (moves[chosen], moves[0]))
    return played, best, moves[0]["score"] - moves[chosen]["score"]


def _in_our_notation(record: Record, mistake: Mistake) -> Mistake:
    """With hits marked, and each checker's way written once, as elsewhere in this program."""
    played, better = (_named(record, mistake.game, mistake.number, text) for text in (mistake.played, mistake.better))
    return msgspec.structs.replace(mistake, played=played, better=better)


def _named(record: Record, game: int, number: int, text: str) -> str:
    """A play as we write it; as it is where it is none of that action's."""
    actions = record.games[game - 1].actions
    action = actions[number - 1] if 0 < number <= len(actions) else None
    if not isinstance(action, PlayAction):
        return text
    try:
        before = board(record, action, action.before)
        play = parse_play(text, before, side_of(record.players, action.player))
    except (RulesError, RecordError):
        return text
    return f"{text.partition(':')[0]}: {format_play(play)}"


def _written(moves: list[list[int]]) -> str:
    return format_moves([(source, target, False) for source, target in moves]) or "no move"


def _cube_mistakes(
    record: Record, game: int, numbered: Iterable[tuple[int, dict[str, Any]]], met: list[Any]
) -> Iterator[Mistake]:
    """Of one game. met: GNU BG's match equities. What an answer has lost follows from what it says of the double before it; where
    it says nothing, as of a beaver, nobody knows."""
    cubes = tuple(cube_states(record, record.games[game - 1]))
    worth: tuple[float, float] | None = None
    for number, action in numbered:
        kind, analysis = action["action"], action.get("analysis", {})
        if kind in ("move", "double"):
            worth = None
            lost, won = _ends(record, game, _seat(action["player"]), cubes[number - 1][0], met)
            if "nd-cubeful-eq" in analysis and lost < won:  # else the match was over before
                chances = analysis["nd-cubeful-eq"], analysis["dt-cubeful-eq"]
                waiting, taken = ((2 * chance - won - lost) / (won - lost) for chance in chances)
                worth = waiting, taken
        skill = analysis.get("cube-skill" if kind == "move" else "skill")
        if skill and skill not in ("none", "unmarked") and kind in _BETTER and worth is not None:
            played = "no double" if kind == "move" else {"drop": "pass"}.get(kind, kind)
            yield Mistake(game, number, _seat(action["player"]), played, _BETTER[kind], _cube_lost(kind, *worth))


def _cube_lost(kind: str, waiting: float, taken: float) -> float:
    """By the wrong one of two decisions. waiting, taken: the doubler's equity where he does not double, and where the other takes;
    where he passes it is 1, and he gives the answer that leaves less."""
    doubled = min(taken, 1.0)
    lost = {"move": doubled - waiting, "double": waiting - doubled, "take": taken - 1.0, "drop": 1.0 - taken}
    return max(lost[kind], 0.0)


def _ends(record: Record, game: int, doubler: Seat, cube: int, met: list[Any]) -> tuple[float, float]:
    """What the doubler has once he has lost the cube, and once he has won it: its value for money, in a match his chance to win
    that."""
    if record.length == 0:
        return -1.0, 1.0
    away = [min(record.length - points, MOST_AWAY) for points in record.games[game - 1].score]
    ends = []
    for winner in (other_seat(doubler), doubler):
        left, right = (needed - cube * (seat == winner) for seat, needed in enumerate(away))
        chance = _chance(left, right, met, after_crawford=1 in away)
        ends.append(chance if doubler == 0 else 1 - chance)
    return ends[0], ends[1]


def _chance(left: int, right: int, met: list[Any], *, after_crawford: bool) -> float:
    """The left player's, to win the match. left, right: points that they still need; met: before the Crawford game by both of them,
    and after it by those of each who needs more than one."""
    before, *after = met
    if min(left, right) <= 0:
        return float(left <= 0)
    if not after_crawford:
        return float(before[left - 1][right - 1])
    return float(1 - after[1][right - 1] if left == 1 else after[0][left - 1])


def _course(numbered: Iterable[tuple[int, dict[str, Any]]]) -> Iterator[Moment]:
    for number, action in numbered:
        moves = action.get("analysis", {}).get("moves", ())
        chosen = action.get("analysis", {}).get("imove")
        if action["action"] == "move" and moves and chosen is not None and 0 <= chosen < len(moves):
            wins, equity = moves[chosen]["probs"][0], moves[chosen]["score"]
            own = _seat(action["player"]) == 0
            yield Moment(number, wins if own else 1 - wins, equity if own else -equity)


def report(record: Record, analysis: Analysis) -> list[str]:
    """The analysis as lines for a person."""
    lines = []
    for name, player in zip((player_name(record, 0), player_name(record, 1)), analysis.players, strict=True):
        rate = "no decision" if player.error_rate is None else f"error rate {player.error_rate:.1f}"
        lines.append(f"{name}: {rate} ({player.decisions} decisions), luck {player.luck:+.2f}")
    for title, mistakes in (("Plays", analysis.plays), ("Cube", analysis.cube)):
        if mistakes:
            lines.append(f"{title} that cost most:")
        for mistake in mistakes:
            lines.append(
                f"  game {mistake.game}, action {mistake.number}, {player_name(record, mistake.player)}: "
                f"{mistake.played}; better {mistake.better} ({-mistake.lost:+.3f})"
            )
    return lines
