"""The lists of a club's many matches: told from what is kept, and a match is read without the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.app.match_journal import BOARD
from controller.app.referee import Outlets, Referee
from controller.app.table import Table
from controller.page.operator import RefereesDesk
from controller.page.referee_link import RefereeLink
from controller.panel.virtual import VirtualPanel
from controller.record.analysis import is_over
from controller.record.journal import Journal, NewEvent
from controller.referee.commands import NewMatch, PlayTurn, Resign, Roll, SetNames, SetScore, Undo
from controller.referee.events import VERSION, AnyEvent, GameEnded, encode, kind
from controller.referee.session import MatchPlan
from controller.rules import MATCH, Side
from web.hub import ViewHub


def years_of(journal: Journal, matches: int) -> None:
    """Matches to one point, each won by light in a game of one turn and ended with a resignation."""
    for number in range(matches):
        plan = MatchPlan(MATCH, 1, (f"Jana {number}", "Petr"))
        end = GameEnded(winner=Side.LIGHT, level=1, points=1, ending="resigned")
        events: tuple[AnyEvent, ...] = (*plan.begun(), end)
        journal.append_all([NewEvent(kind(e), VERSION, encode(e), BOARD, f"match-{number}", 1) for e in events])


def desk_of(journal: Journal) -> tuple[RefereesDesk, Referee]:
    table = Table(MatchPlan(MATCH, 3, ("Eva", "Jan")), None, "bottom-right")
    outlets = Outlets(ViewHub(), VirtualPanel())
    return RefereesDesk(RefereeLink(outlets.status), journal), Referee(table, journal, outlets)


def test_the_list_is_told_without_the_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Journal(tmp_path / "j.db") as journal:
        years_of(journal, 50)
        desk, _ = desk_of(journal)
        asked: list[tuple[int, int]] = []
        rows = journal._rows
        monkeypatch.setattr(journal, "_rows", lambda after, limit: asked.append((after, limit)) or rows(after, limit))
        listed = desk.matches()
        assert (len(listed), asked) == (51, [])
        assert [row.light for row in listed[:3]] == ["Eva", "Jana 49", "Jana 48"]
        assert [(row.over, row.score) for row in listed[:2]] == [(False, (0, 0)), (True, (1, 0))]
        # A match by its name reads its own events, once.
        for _ in range(3):
            record = desk.match("match-20", judged=True)
            assert record is not None
            assert record.players[0].name == "Jana 20"
        assert asked == [(60, 3)]
        assert desk.match("match-50", judged=True) is None


def test_a_match_of_so_many_games_is_over_after_them(tmp_path: Path) -> None:
    with Journal(tmp_path / "j.db") as journal:
        desk, referee = desk_of(journal)
        referee.obey(NewMatch(light="Eva", dark="Jan", rules="match", set=("match.games=2",)))
        found = []

        def is_over_in_its_record() -> bool:
            """As the archive, the hub and GNU Backgammon's verdict have it."""
            kept = desk.match(desk.matches()[0].id, judged=True)
            return kept is not None and is_over(kept)

        for side in (Side.DARK, Side.LIGHT):
            found += [desk.matches()[0].over, is_over_in_its_record()]
            referee.obey(Roll(dice=(3, 1), side=side.other))
            referee.obey(PlayTurn(notation="8/5 6/5"))
            referee.obey(Resign(side=side, level=1))
        assert found == 4 * [False]
        assert [desk.matches()[0].over, desk.matches()[0].score] == [True, (1, 1)]
        assert is_over_in_its_record()
        referee.obey(Undo())
        assert not desk.matches()[0].over
        assert not is_over_in_its_record()


def test_a_chouette_has_standings_and_no_score_of_two(tmp_path: Path) -> None:
    with Journal(tmp_path / "j.db") as journal:
        desk, referee = desk_of(journal)
        one_cube = NewMatch(light="Anna", dark="Bob", rules="money", team=("Cyril",), set=("chouette.cubes=one",))
        referee.obey(one_cube)
        listed = []
        for loser in (Side.LIGHT, Side.LIGHT, Side.DARK):
            referee.obey(Roll(dice=(3, 1), side=loser.other))
            referee.obey(PlayTurn(notation="8/5 6/5"))
            referee.obey(Resign(side=loser, level=1))
            line = desk.matches()[0]
            assert line.standings
            listed.append([(one.name, one.points) for one in line.standings])
            assert listed[-1] == list(referee.state.standings)
            assert (line.light, line.dark, line.score) == ("Anna", "Bob", (0, 0))
        assert listed[0] == [("Anna", -2), ("Bob", 1), ("Cyril", 1)]
        assert listed[-1] != listed[0]
        referee.obey(Undo())
        line = desk.matches()[0]
        assert line.standings
        assert [(one.name, one.points) for one in line.standings] == listed[1] == list(referee.state.standings)
        referee.obey(NewMatch(light="Eva", dark="Jan", rules="match", length=3))
        assert desk.matches()[1] == line
        for name, points in listed[1]:
            found = desk.played(name, frozenset())
            assert found is not None
            (played,) = found.played
            assert (played.points, played.score) == (points, (0, 0))
            assert played.won is (None if points == 0 else points > 0)
            assert name not in played.opponent
            assert len(played.opponent.split(", ")) == 2
    with Journal(tmp_path / "j.db") as journal:  # a start reads the same from the journal
        assert desk_of(journal)[0].matches()[1] == line


def test_the_running_match_s_line_follows_the_game_and_its_corrections(tmp_path: Path) -> None:
    with Journal(tmp_path / "j.db") as journal:
        desk, referee = desk_of(journal)

        def line() -> tuple[tuple[int, int], int, bool]:
            row = desk.matches()[0]
            return row.score, row.games, row.over

        assert line() == ((0, 0), 1, False)
        referee.obey(Roll(dice=(3, 1), side=Side.LIGHT))
        referee.obey(PlayTurn(notation="8/5 6/5"))
        referee.obey(Resign(side=Side.DARK, level=2))
        assert line() == ((2, 0), 1, False)
        referee.obey(Undo())
        assert line() == ((0, 0), 1, False)
        referee.obey(Resign(side=Side.DARK, level=1))
        referee.obey(Roll(dice=(6, 1), side=Side.DARK))
        assert line() == ((1, 0), 2, False)
        referee.obey(SetScore(light=1, dark=2))
        assert line() == ((1, 2), 2, False)
        referee.obey(PlayTurn(notation="13/7 8/7"))
        referee.obey(Resign(side=Side.LIGHT, level=1))
        assert line() == ((1, 3), 2, True)
        referee.obey(SetNames(light="Iva", dark="Ota"))
        assert [desk.matches()[0].light, desk.matches()[0].dark] == ["Iva", "Ota"]
        referee.obey(Undo())
        ours = desk.matches()[0].id
        record = desk.match(ours, judged=True)
        assert record is not None
        assert [game.points for game in record.games] == [1, 1]
        referee.obey(Undo())
        again = desk.match(ours, judged=True)
        assert again is not None
        assert [game.points for game in again.games] == [1, None]
