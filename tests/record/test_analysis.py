"""GNU Backgammon's numbers come through as it prints them itself."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest

from controller.record.analysis import Analysis, _analysis_in, _asked, analyse, may_analyse, report
from controller.record.formats import write_record
from controller.record.gnubg import GnubgError, find_gnubg, load_command, run_gnubg
from controller.record.graph import graph_svg
from controller.record.model import (
    BeaverAction,
    DoubleAction,
    Game,
    PassAction,
    PlayAction,
    Record,
    RefusedAction,
    RollAction,
    Seat,
    SetAction,
    TakeAction,
    TeamGame,
)
from controller.record.replay import other_seat
from controller.rules import Position, Side, legal_plays, position_id
from tests.record.examples import CRAWFORD, record, transcript

BLUNDER = transcript("31: 24/23 24/21 | 64: 24/14", "52: 13/8 24/22 | 65: 24/18 14/9", "21: 13/11 6/5 | Wins 1 point")


@cache
def blundered() -> tuple[Record, Analysis]:
    """What three tests look at, asked for once."""
    read = record(BLUNDER)
    return read, analyse(read)


@pytest.fixture(autouse=True)
def _installed() -> None:
    if find_gnubg() is None:
        pytest.skip("GNU Backgammon is not installed")


def test_error_rates_and_luck_are_those_that_it_prints(tmp_path: Path) -> None:
    read, analysis = blundered()
    write_record(read, tmp_path / "m.sgf")
    plies = "\n".join(f"set analysis {part} evaluation plies 0" for part in ("chequerplay", "cubedecision"))
    commands = f"{plies}\n{load_command(tmp_path / 'm.sgf')}\nanalyse match\nshow statistics match"
    _, printed = run_gnubg(commands, "1", 60)
    rates = re.findall(r"Error rate mEMG.*?([+-][\d.]+)\s.*?([+-][\d.]+)\s*\(", printed)[-1]
    luck = re.findall(r"Luck total EMG.*?([+-][\d.]+)\s.*?([+-][\d.]+)\s*\(", printed)[-1]
    for player, rate, lucky in zip(analysis.players, rates, luck, strict=True):
        assert player.error_rate == pytest.approx(-float(rate), abs=0.06)
        assert player.luck == pytest.approx(float(lucky), abs=0.0006)


def test_the_worst_play_is_named_with_the_better_one() -> None:
    read, analysis = blundered()
    opening = next(mistake for mistake in analysis.plays if mistake.number == 1)
    assert (opening.game, opening.player, opening.better) == (1, 0, "31: 8/5 6/5")
    assert opening.lost > 0.1
    assert any("better 31: 8/5 6/5" in line for line in report(read, analysis))
    assert sorted(play.lost for play in analysis.plays) == [play.lost for play in reversed(analysis.plays)]


def test_the_graph_is_a_picture_with_a_line_for_each_game() -> None:
    read = record(CRAWFORD)
    odd = msgspec.structs.replace(read.players[0], name="<&>")
    read = msgspec.structs.replace(read, players=(odd, read.players[1]))
    picture = ElementTree.fromstring(graph_svg(read, analyse(read)))
    lines = [element for element in picture.iter() if element.tag.endswith("polyline")]
    assert len(lines) == 3
    assert all(0 <= float(y) <= 240 for line in lines for y in re.findall(r",([\d.]+)", line.attrib["points"]))


def test_nothing_to_analyse_and_no_time() -> None:
    empty = msgspec.structs.replace(record(CRAWFORD), games=())
    with pytest.raises(GnubgError, match="nothing to analyse"):
        analyse(empty)
    with pytest.raises(GnubgError, match="to 64 points at most, and this one goes to 65"):
        analyse(msgspec.structs.replace(record(CRAWFORD), length=65))
    with pytest.raises(GnubgError, match="was stopped"):
        analyse(record(CRAWFORD), plies=3, time_limit=0.3)


def test_nothing_is_analysed_while_a_match_is_on() -> None:
    whole = record(CRAWFORD)
    going = msgspec.structs.replace(whole, games=whole.games[:2])
    assert may_analyse(None) == may_analyse(whole) == ""
    assert "A match to 3 is being played" in may_analyse(going)
    assert "A match to 3 is being played" in may_analyse(msgspec.structs.replace(whole, games=()))
    unfinished = msgspec.structs.replace(whole.games[0], winner=None, points=None)
    money = msgspec.structs.replace(whole, length=0)
    assert may_analyse(money) == ""
    assert "A game is being played" in may_analyse(msgspec.structs.replace(money, games=(unfinished,)))


def test_the_graph_names_what_cost_most() -> None:
    read, analysis = blundered()
    picture = ElementTree.fromstring(graph_svg(read, analysis))
    said = [title.text for dot in picture.iter() if dot.tag.endswith("circle") for title in dot]
    assert len(said) == len(analysis.plays) + len(analysis.cube)
    assert "Jan: 31: 24/21 24/23; better 31: 8/5 6/5" in said or "Jan: 31: 24/23 24/21; better 31: 8/5 6/5" in said
    for game in analysis.course:
        assert all(0 <= moment.chance <= 1 and abs(moment.equity) <= 3 for moment in game)
    # Jan's blunder at the start costs him equity at once.
    assert analysis.course[0][0].equity < 0


def test_of_a_chouette_it_judges_box_and_team_whoever_they_were() -> None:
    read = record(CRAWFORD)
    orders = (("Jan", "Eva", "Iva"), ("Eva", "Iva", "Jan"), ("Iva", "Jan", "Eva"))
    games = tuple(
        msgspec.structs.replace(game, team=TeamGame(order)) for game, order in zip(read.games, orders, strict=True)
    )
    read = msgspec.structs.replace(read, games=games)
    analysis = analyse(read)
    assert [player.name for player in analysis.players] == ["", ""]
    said = "\n".join(report(read, analysis))
    assert "the box: error rate" in said
    assert "the team: error rate" in said
    assert "Jan" not in said + graph_svg(read, analysis)


def test_actions_are_numbered_as_in_the_record_across_an_illegal_play() -> None:
    board = "5;0;0;0;1;Jan;Eva;0;0;0;1;0;0;-2;0;0;0;0;5;0;3;0;0;0;-4;5;0;0;0;-3;0;-5;0;0;0;0;2;0;0;0;"
    rows = ["31: 8/5 6/5 |", f"| 52: Illegal play ({board})", "64: 13/3 | 52: 13/8 24/22", "| Wins 1 point"]
    read = record(transcript(*rows))
    plays = [number for number, action in enumerate(read.games[0].actions, start=1) if isinstance(action, PlayAction)]
    course = [moment.number for moment in analyse(read).course[0]]
    assert plays == [1, 2, 3, 4]
    assert course == [1, 3, 4]


NEARLY_OFF, FAR = {1: 2, 2: 2}, {6: 5, 5: 5, 4: 5}


@pytest.mark.parametrize(
    ("light", "dark", "length", "score", "cube", "answer"),
    [
        (NEARLY_OFF, FAR, 0, (0, 0), 1, "take"),
        (FAR, NEARLY_OFF, 7, (3, 2), 2, "take"),
        (FAR, NEARLY_OFF, 5, (4, 1), 1, "take"),
        (FAR, FAR, 5, (1, 4), 1, "pass"),
        (FAR, FAR, 5, (0, 0), 1, "pass"),
    ],
)
def test_what_a_cube_action_has_lost_is_what_it_itself_counts(
    light: dict[int, int], dark: dict[int, int], length: int, score: tuple[int, int], cube: int, answer: str
) -> None:
    """Of a double when it was too good for one, and of a wrong answer, before and after the Crawford game."""
    start = Position.of(light=light, dark=dark)
    doubler: Seat = 1 if dark == NEARLY_OFF else 0
    taker = other_seat(doubler)
    side = (Side.LIGHT, Side.DARK)[doubler]
    first = legal_plays(start, side, (2, 1))[0]
    moves = tuple((move.source, move.target) for move in first.moves)
    played = PlayAction(doubler, (2, 1), moves, position_id(start, side), position_id(first.result, side), True)
    answered = (TakeAction(taker), played) if answer == "take" else (PassAction(taker),)
    actions = (DoubleAction(doubler, 2 * cube), *answered)
    owner = doubler if cube > 1 else None
    game = Game(score, False, None, None, actions, start=position_id(start, Side.LIGHT), cube=cube, owner=owner)
    read = msgspec.structs.replace(record(CRAWFORD), length=length, games=(game,), jacoby=False if not length else None)
    match = _asked(read, 0, 120.0, lambda: True)
    found = _analysis_in(read, match).cube
    for seat in (0, 1):
        counted = match["stats"]["XO"[seat]]["cube"]["error-skill"]
        assert sum(one.lost for one in found if one.player == seat) == pytest.approx(counted, abs=1e-5)
    (wrong,) = (one for one in found if one.player == taker)
    assert (wrong.played, wrong.lost > 0.1) == (answer, True)


def test_a_double_after_the_match_was_won_costs_nothing_that_could_be_counted() -> None:
    read = record(transcript("31: 8/5 6/5 | 64: 24/14", "Doubles => 2 | Takes", "52: 13/8 24/22 |", score=(6, 0)))
    assert all(one.number < 3 for one in analyse(read).cube)


def test_actions_are_numbered_as_in_the_record_whatever_else_is_in_it() -> None:
    """GNU BG passes over some of it, and tells other things in several actions of its own, before the first of ours too."""
    read = record(transcript("31: 8/5 6/5 | 64: 24/14", "52: 13/8 24/22 | 52: 13/8 24/22", "64: 24/14 | 31: 8/4"))
    (game,) = read.games
    third = game.actions[2]
    assert isinstance(third, PlayAction)
    doubled = (DoubleAction(0, 4), BeaverAction(1, 8), TakeAction(0))
    odd = (
        (msgspec.structs.replace(game, cube=2), [1, 2, 3, 4, 5, 6]),
        (msgspec.structs.replace(game, start=third.before, actions=game.actions[2:]), [1, 2, 3, 4]),
        *(
            (msgspec.structs.replace(game, actions=(*game.actions[:2], *put, *game.actions[2:])), [1, 2, *after])
            for put, after in (
                ((RefusedAction(0, 1),), [4, 5, 6, 7]),
                ((RollAction(0, (6, 1)),), [4, 5, 6, 7]),
                ((RollAction(0, (5, 2)),), [4, 5, 6, 7]),
                ((SetAction(0, "", 2, 0), SetAction(0, third.before), *doubled), [8, 9, 10, 11]),
            )
        ),
    )
    for one, numbers in odd:
        money = msgspec.structs.replace(read, length=0, beavers=True, games=(one,))
        assert [moment.number for moment in analyse(money).course[0]] == numbers
