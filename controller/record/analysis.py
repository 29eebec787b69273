"""GNU Backgammon's verdict on a record: error rates, luck, the worst plays and cube actions, and a graph of the chances."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import msgspec

from controller.record.check import player_name
from controller.record.formats import write_record
from controller.record.gnubg import GnubgError, load_command, run_gnubg
from controller.record.mat_writer import format_moves
from controller.record.model import Record, Seat

WORST = 10
"""How many plays and cube actions are named."""

NOTABLE = 0.02
"""Least equity lost for a play to be named; GNU BG calls an error doubtful from 0.04 on."""

TIME_LIMIT = 600.0

_BETTER = {"double": "no double", "take": "pass", "drop": "take", "move": "double"}


class Verdict(msgspec.Struct, frozen=True):
    """One player's. error_rate: equity lost for each unforced decision, in thousandths of a point (None without one);
    decisions: how many those were; luck: equity that the dice gave."""

    name: str
    error_rate: float | None
    decisions: int
    luck: float


class Mistake(msgspec.Struct, frozen=True):
    """game: from 1; number: action in it, from 1. lost: equity, or match-winning chance (0-1) for cube actions of a match."""

    game: int
    number: int
    player: Seat
    played: str
    better: str
    lost: float


class Analysis(msgspec.Struct, frozen=True):
    """plays, cube: the worst first. chances: of winning the game, for player 0, before each roll, game by game."""

    verdicts: tuple[Verdict, Verdict]
    plays: tuple[Mistake, ...]
    cube: tuple[Mistake, ...]
    chances: tuple[tuple[float, ...], ...]


def analyse(record: Record, plies: int = 0, time_limit: float = TIME_LIMIT) -> Analysis:
    """Have GNU Backgammon analyse a record.

    plies: how far it looks ahead; 2 is its usual strength and takes about fifty times as long as 0.
    Raises GnubgError where it is missing, fails or takes longer than time_limit seconds; RecordError for a record that
    can't be written for it.
    """
    if not any(game.actions for game in record.games):
        raise GnubgError("There is nothing to analyse: the record has no play in it.")
    with tempfile.TemporaryDirectory(prefix="vrhcab-analysis-") as folder:
        path = Path(folder) / "match.sgf"
        write_record(record, path)
        settings = [f"set analysis {part} evaluation plies {plies}" for part in ("chequerplay", "cubedecision")]
        commands = "\n".join([*settings, load_command(path), "analyse match"])
        match, _ = run_gnubg(commands, "gnubg.match(analysis=1, boards=0, statistics=1)", time_limit)
    try:
        return _read(record, match)
    except (KeyError, TypeError, IndexError, ValueError) as error:
        raise GnubgError("GNU Backgammon's answer was not understood; is it version 1.07 or newer?") from error


def _read(record: Record, match: dict[str, Any]) -> Analysis:
    plays: list[Mistake] = []
    cube: list[Mistake] = []
    chances = []
    for number, game in enumerate(match["games"], start=1):
        chances.append(tuple(_chances(game["game"])))
        for index, action in enumerate(game["game"], start=1):
            if "analysis" in action:
                plays += _play_mistake(number, index, action)
                cube += _cube_mistake(number, index, action)
    return Analysis(
        verdicts=(_verdict(record, match, 0), _verdict(record, match, 1)),
        plays=tuple(sorted(plays, key=lambda m: -m.lost)[:WORST]),
        cube=tuple(sorted(cube, key=lambda m: -m.lost)[:WORST]),
        chances=tuple(chances),
    )


def _seat(letter: str) -> Seat:
    """GNU BG's X is the left column."""
    return 0 if letter == "X" else 1


def _verdict(record: Record, match: dict[str, Any], seat: Seat) -> Verdict:
    stats = match["stats"]["XO"[seat]]
    moves, cube = stats["moves"], stats["cube"]
    lost = moves["error-skill"] + sum(
        value for key, value in cube.items() if key.startswith("err-") and key.endswith("-skill")
    )
    decisions = moves["unforced-moves"] + cube["close-cube"]
    rate = 1000 * lost / decisions if decisions else None
    return Verdict(player_name(record, seat), rate, decisions, stats["dice"]["luck"])


def _play_mistake(game: int, number: int, action: dict[str, Any]) -> Iterator[Mistake]:
    moves = action["analysis"].get("moves", ())
    chosen = action["analysis"].get("imove")
    if not moves or chosen is None or not 0 <= chosen < len(moves):
        return
    lost = moves[0]["score"] - moves[chosen]["score"]
    if lost >= NOTABLE:
        roll = "".join(map(str, action["dice"]))
        yield Mistake(
            game,
            number,
            _seat(action["player"]),
            f"{roll}: {_written(moves[chosen]['move'])}",
            f"{roll}: {_written(moves[0]['move'])}",
            lost,
        )


def _written(moves: list[list[int]]) -> str:
    return format_moves([(source, target, False) for source, target in moves]) or "no move"


def _cube_mistake(game: int, number: int, action: dict[str, Any]) -> Iterator[Mistake]:
    analysis = action["analysis"]
    skill = analysis.get("cube-skill" if action["action"] == "move" else "skill")
    if not skill or skill in ("none", "unmarked") or action["action"] not in _BETTER:
        return
    lost = abs(analysis.get("nd-cubeful-eq", 0.0) - analysis.get("dt-cubeful-eq", 0.0))
    played = "no double" if action["action"] == "move" else {"drop": "pass"}.get(action["action"], action["action"])
    yield Mistake(game, number, _seat(action["player"]), played, _BETTER[action["action"]], lost)


def _chances(actions: list[dict[str, Any]]) -> Iterator[float]:
    for action in actions:
        moves = action.get("analysis", {}).get("moves", ())
        chosen = action.get("analysis", {}).get("imove")
        if action["action"] == "move" and moves and chosen is not None and 0 <= chosen < len(moves):
            wins = moves[chosen]["probs"][0]
            yield wins if _seat(action["player"]) == 0 else 1 - wins


def report(record: Record, analysis: Analysis) -> list[str]:
    """The analysis as lines for a person."""
    lines = []
    for verdict in analysis.verdicts:
        rate = "no decision" if verdict.error_rate is None else f"error rate {verdict.error_rate:.1f}"
        lines.append(f"{verdict.name}: {rate} ({verdict.decisions} decisions), luck {verdict.luck:+.2f}")
    for title, mistakes in (("Plays", analysis.plays), ("Cube", analysis.cube)):
        if mistakes:
            lines.append(f"{title} that cost most:")
        for mistake in mistakes:
            share = title == "Cube" and record.length > 0
            cost = f"{-mistake.lost:+.1%} of the match" if share else f"{-mistake.lost:+.3f}"
            lines.append(
                f"  game {mistake.game}, action {mistake.number}, {player_name(record, mistake.player)}: "
                f"{mistake.played}; better {mistake.better} ({cost})"
            )
    return lines


def graph_svg(record: Record, analysis: Analysis, width: int = 800, height: int = 240) -> str:
    """A picture of player 0's winning chances through all games, one step a play, as SVG; sizes in px."""
    left, top, bottom = 40, 30, 20
    count = max(sum(len(game) for game in analysis.chances), 2)
    names = [escape(player_name(record, seat)) for seat in (0, 1)]
    step = (width - left - 10) / (count - 1)
    span = height - top - bottom
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" font-family="sans-serif">',
        f"<title>{names[0]} - {names[1]}</title>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
    ]
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = top + (1 - share) * span
        parts.append(f'<line x1="{left}" x2="{width - 10}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ccc"/>')
        parts.append(f'<text x="{left - 6}" y="{y + 4:.1f}" font-size="11" text-anchor="end">{share:.0%}</text>')
    place = 0
    for game in analysis.chances:
        points = " ".join(
            f"{left + (place + index) * step:.1f},{top + (1 - chance) * span:.1f}" for index, chance in enumerate(game)
        )
        parts.append(f'<polyline points="{points}" fill="none" stroke="#06c" stroke-width="1.5"/>')
        place += len(game)
    parts.append(f'<text x="{left}" y="18" font-size="13">{names[0]} ({names[1]})</text>')
    return "\n".join([*parts, "</svg>"])
