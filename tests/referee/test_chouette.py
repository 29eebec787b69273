"""A chouette at one board: the box against a team, a cube for each of it or one for all, what everybody wins, who plays next; kept
by hand, undone, in the record, on the sheet, on the page and after a start of the program."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.app.chouette_view import chouette_view
from controller.app.report_view import seats_by_game
from controller.app.status import Status
from controller.app.status_sentence import status
from controller.app.view import games_before, view_of
from controller.record.check import check
from controller.record.from_events import record_of
from controller.record.model import Record
from controller.record.sheet import write_sheet
from controller.referee.commands import CommandError, NewMatch
from controller.referee.events import Flagged, GameEnded, GameStarted, Why
from controller.referee.folding import fold
from controller.referee.session import MatchPlan, Session
from controller.rules import LANGUAGES, MONEY, Cube, Position, RuleSetError, Side, parse_ruleset, position_id, seated
from controller.rules.codes import Code
from tests.page.test_operator import Evening
from tests.referee.test_commands import Hand

LIGHT = Side.LIGHT
WIN = Position.of({1: 1}, {6: 15})
"""Light bears off and wins a gammon."""


class Table(Hand):
    """Anna is the box, Bedřich the captain, Cyril and Dana their team."""

    def __init__(self, *said: str) -> None:
        rules = parse_ruleset("money", ["chouette.players=4", *said])
        super().__init__(0, rules, team=("Cyril", "Dana"))
        assert self.state.chouette is not None
        assert self.state.chouette.order == ("Jana", "Petr", "Cyril", "Dana")

    def on(self, player: str, *acts: str) -> None:
        for act in acts:
            self.say("stake", player=player, act=act)

    def wins(self, side: str = "light") -> None:
        """That side bears off its last checker, and the other has none off."""
        board = WIN if side == "light" else Position(WIN.dark, WIN.light)
        self.say("position", position=position_id(board, LIGHT), turn=side)
        self.turn((6, 5), "1/off")

    @property
    def standings(self) -> dict[str, int]:
        return dict(self.state.standings)

    @property
    def record(self) -> Record:
        return record_of(self.said)


def test_every_team_player_doubles_and_answers_for_himself() -> None:
    """Text 002: "sázecí kostičku má každý hráč svoji, takže zdvojnásobování nabízejí a přijímají nezávisle na sobě"."""
    table = Table()
    table.turn((3, 1), "8/5 6/5", "dark")  # the box is on roll
    table.on("Petr", "double", "take")
    table.on("Cyril", "double", "pass")
    assert "waits for its answer on the cube of Dana" in refused_roll(table)
    table.on("Dana", "take")
    table.turn((6, 5), "24/13")
    assert table.refused("stake", player="Jana", act="double") == "Nobody of the team is called Jana."
    assert "No double is offered" in table.refused("stake", player="Petr", act="take")
    table.wins()
    # A gammon: Petr pays 2 x 2, Cyril has passed for 1, Dana's cube was never turned and counts once by the Jacoby rule.
    assert table.standings == {"Jana": 4 + 1 + 4, "Petr": -4, "Cyril": -1, "Dana": -4}
    assert sum(table.standings.values()) == 0


def refused_roll(table: Table) -> str:
    table.on("Dana", "double")
    return table.refused("roll", dice=(6, 5))


def test_without_a_double_the_jacoby_rule_counts_each_cube_once() -> None:
    table = Table()
    table.turn((3, 1), "8/5 6/5", "dark")
    table.on("Petr", "double", "take")
    table.wins()
    assert table.standings == {"Jana": 4 + 1 + 1, "Petr": -4, "Cyril": -1, "Dana": -1}


def test_the_box_wins_and_the_captain_goes_to_the_end_of_the_list() -> None:
    table = Table()
    table.wins()
    table.say("roll", dice=(3, 1), side="light")
    assert table.state.chouette is not None
    assert table.state.chouette.order == ("Jana", "Cyril", "Dana", "Petr")
    assert table.state.names == ("Jana", "Cyril")


def test_the_captain_wins_and_is_the_box_and_the_old_one_goes_to_the_end() -> None:
    table = Table()
    table.wins("dark")
    assert table.standings == {"Jana": -3, "Petr": 1, "Cyril": 1, "Dana": 1}
    table.say("roll", dice=(3, 1), side="light")
    assert table.state.names == ("Petr", "Cyril")
    assert table.state.chouette is not None
    assert table.state.chouette.order == ("Petr", "Cyril", "Dana", "Jana")


def test_when_nobody_is_in_the_game_any_more_it_is_over() -> None:
    table = Table()
    table.turn((3, 1), "8/5 6/5", "dark")
    for player in ("Petr", "Cyril", "Dana"):
        table.on(player, "double", "pass")
    assert table.state.between_games
    assert table.standings == {"Jana": 3, "Petr": -1, "Cyril": -1, "Dana": -1}
    assert table.state.box_won is True


def test_the_captain_who_has_passed_hands_on_to_the_next() -> None:
    table = Table()
    table.turn((3, 1), "8/5 6/5", "dark")
    table.on("Petr", "double", "pass")
    assert table.state.chouette is not None
    assert table.state.chouette.captain == "Cyril"
    view = chouette_view(table.state)
    assert view is not None
    assert [(one.name, one.part, one.won, one.may) for one in view.players] == [
        ("Jana", "box", None, ()),
        ("Petr", "team", -1, ()),
        ("Cyril", "captain", None, ("double",)),
        ("Dana", "team", None, ("double",)),
    ]


def test_whoever_doubles_on_a_team_players_cube_does_not_resign() -> None:
    table = Table()
    table.turn((3, 1), "8/5 6/5", "dark")
    table.say("resign-offer", side="light", level=1)
    table.on("Petr", "double", "take")
    assert "Nobody offers" in table.refused("resign-accept")


def test_who_leads_the_team_is_the_one_who_is_on_roll() -> None:
    """After an undo the captain leads again; once all have passed, the list says who sat down, as it does in the games before."""
    table = Table()
    table.turn((3, 1), "8/5 6/5", "dark")
    table.on("Petr", "double", "pass")
    table.turn((6, 5), "24/13")
    assert (table.state.names, table.state.seated) == (("Jana", "Cyril"), ("Jana", "Petr"))
    assert status(table.state) == "To roll: Cyril"
    for _ in range(2):
        table.say("undo")
    assert table.state.names == ("Jana", "Petr")
    for _ in range(2):
        table.say("redo")
    table.turn((2, 1), "13/11 6/5")
    for player in ("Cyril", "Dana"):
        table.on(player, "double", "pass")
    assert table.state.names == ("Jana", "Petr")
    table.turn((3, 1), "8/5 6/5", "light")
    assert [(one.light, one.dark) for one in games_before(table.session.held)] == [("Jana", "Petr")]
    assert seats_by_game(table.session.held) == {1: ("Jana", "Petr"), 2: ("Jana", "Cyril")}


def test_the_pass_that_ends_the_game_and_a_game_given_up_at_once_are_taken_back_whole() -> None:
    table = Table()
    table.turn((3, 1), "8/5 6/5", "dark")
    for player in ("Petr", "Cyril"):
        table.on(player, "double", "pass")
    table.on("Dana", "double")
    offered = table.state
    table.on("Dana", "pass")
    table.say("undo")
    assert (table.state.chouette, table.state.phase) == (offered.chouette, offered.phase)
    table.say("redo")
    assert table.standings == {"Jana": 3, "Petr": -1, "Cyril": -1, "Dana": -1}
    table.turn((3, 1), "8/5 6/5", "light")
    table.say("resign", side="dark", level=2)
    table.say("undo")
    assert (table.state.resigning, table.state.between_games) == (None, False)
    table.say("resign-offer", side="dark", level=2)
    table.say("resign-accept")
    table.say("undo")
    assert table.state.resigning is not None


def test_whoever_is_closed_out_is_passed_over_when_the_others_double() -> None:
    table = Table()
    shut = Position.of(light={25: 1, 6: 14}, dark={1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2, 13: 3})
    table.say("position", position=position_id(shut, LIGHT), turn="light")
    view = chouette_view(table.state)
    assert view is not None
    assert [one.may for one in view.players] == [(), ("double",), ("double",), ("double",)]
    table.on("Cyril", "double", "take")
    assert table.state.chouette is not None
    assert table.state.chouette.stake("Cyril").cube == Cube(2, LIGHT)
    assert table.state.turn is Side.DARK


def test_a_level_that_nobody_may_refuse_counts_on_every_cube() -> None:
    table = Table("resign.may_refuse=false")
    table.turn((3, 1), "8/5 6/5", "dark")
    table.on("Petr", "double", "take")
    table.say("resign-offer", side="light", level=2)
    assert table.standings == {"Jana": -6, "Petr": 4, "Cyril": 1, "Dana": 1}


def test_one_cube_for_the_whole_team_is_the_one_on_the_board() -> None:
    table = Table("chouette.cubes=one")
    table.turn((3, 1), "8/5 6/5", "dark")
    assert "own" in table.refused("stake", player="Cyril", act="double")
    table.say("double")
    table.say("take")
    table.wins()
    assert table.standings == {"Jana": 12, "Petr": -4, "Cyril": -4, "Dana": -4}


def test_with_a_cube_for_each_nobody_doubles_on_the_board() -> None:
    table = Table()
    table.turn((3, 1), "8/5 6/5", "dark")
    assert "say on which one is doubled" in table.refused("double")


def test_beaver_and_raccoon_on_one_players_cube() -> None:
    table = Table("cube.raccoon=true")
    table.turn((3, 1), "8/5 6/5", "dark")
    table.on("Dana", "double", "beaver", "raccoon", "take")
    table.wins()
    assert table.standings["Dana"] == -16


def test_what_was_said_of_a_cube_is_taken_back_and_holds_again() -> None:
    table = Table()
    table.turn((3, 1), "8/5 6/5", "dark")
    table.on("Cyril", "double", "pass")
    before = table.state
    table.say("undo")
    assert table.state.chouette is not None
    assert table.state.chouette.stake("Cyril").cube.offered_by is LIGHT
    table.say("redo")
    assert table.state.chouette == before.chouette


def test_points_and_cubes_that_each_has_of_his_own_are_not_set_as_one() -> None:
    table = Table()
    table.turn((3, 1), "8/5 6/5", "dark")
    assert "follow from its games" in table.refused("score", light=3, dark=1)
    assert "a cube of his own" in table.refused("cube", value=4, owner="light")
    assert "a cube of his own" in table.refused("position", xgid="XGID=-b----E-C---eE---c-e----B-:1:1:1:00:0:0:0:0:10")
    table.say("position", xgid="XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10")
    shared = Table("chouette.cubes=one")
    shared.turn((3, 1), "8/5 6/5", "dark")
    shared.say("cube", value=4, owner="light")
    assert shared.state.cube == 4


@pytest.mark.parametrize(
    ("advice", "before", "after"), [("free", True, True), ("after-double", False, True), ("none", False, False)]
)
def test_whether_the_team_may_advise_is_shown(advice: str, before: bool, after: bool) -> None:
    table = Table(f"chouette.advice={advice}")
    table.turn((3, 1), "8/5 6/5", "dark")
    views = [chouette_view(table.state)]
    table.on("Petr", "double", "take")
    views.append(chouette_view(table.state))
    assert [view.advice for view in views if view] == [before, after]


def test_the_record_and_the_sheet_tell_what_everybody_won_and_check_finds_nothing() -> None:
    table = Table("stake.point=5 Kč")
    table.turn((3, 1), "8/5 6/5", "dark")
    table.on("Cyril", "double", "pass")
    table.turn((6, 5), "24/13")
    table.turn((2, 1), "13/11 6/5")
    table.say("resign-offer", side="light", level=2)
    table.say("resign-accept")
    table.turn((3, 1), "8/5 6/5", "light")
    first, second = table.record.games
    assert first.team is not None
    assert first.team.shares == {"Jana": -1, "Petr": 1, "Cyril": -1, "Dana": 1}
    assert [(cube.name, cube.act, cube.player, cube.after) for cube in first.team.cubes] == [
        ("Cyril", "double", 0, 1),
        ("Cyril", "pass", 1, 1),
    ]
    assert second.team is not None
    assert second.team.order == ("Petr", "Cyril", "Dana", "Jana")
    assert check(table.record).problems == ("game 2 is not finished.",)
    sheet = write_sheet(table.record, "cs").decode()
    assert "Chouette: box Petr, kapitán Cyril, tým Dana, Jana" in sheet
    assert "Zdvojovací kostky týmu, Cyril: zdvojuje Jana, Odmítnuto" in sheet
    assert "Cyril: -1 (-5 Kč)" in sheet


def test_box_and_team_keep_their_colours_whoever_has_drawn_the_higher_die() -> None:
    """By text 004 the players of a game would choose."""
    hand = Hand(0, parse_ruleset("text-004", ["chouette.players=3"]), team=("Cyril",))
    hand.say("draw", light=5, dark=2)
    assert "Colours are chosen" in hand.refused("colours")
    assert [status(hand.state, one) for one in LANGUAGES] == ["To begin: Petr", "Začíná: Petr", "Začína: Petr"]


def test_a_game_before_tells_what_its_winner_has_won_of_all_cubes() -> None:
    table = Table()
    table.turn((3, 1), "8/5 6/5", "dark")
    table.on("Petr", "double", "take")
    table.on("Cyril", "double", "pass")
    table.say("resign", side="light", level=2)
    table.turn((3, 1), "8/5 6/5", "dark")
    table.on("Cyril", "double", "pass")
    table.say("resign", side="light", level=1)
    table.turn((3, 1), "8/5 6/5", "light")
    assert [(one.score, one.winner, one.points) for one in games_before(table.session.held)] == [
        ((0, 0), "dark", 4),
        ((4, -1), None, 0),  # Cyril had passed, and others went on to win
    ]


def test_after_an_agreed_number_of_games_nobody_is_said_to_have_won_for_a_side() -> None:
    table = Table("match.games=2")
    for _ in range(2):
        table.turn((3, 1), "8/5 6/5", "dark")
        table.on("Dana", "double", "take")
        table.say("resign", side="light", level=1)
    assert table.state.score.winner is Side.DARK
    assert table.state.name(Side.DARK) == "Cyril"
    assert table.standings == {"Jana": -3, "Petr": -3, "Cyril": 2, "Dana": 4}
    assert [status(table.state, one) for one in LANGUAGES] == ["Match over.", "Konec zápasu.", "Koniec zápasu."]


def test_what_was_said_of_a_game_names_those_who_played_it() -> None:
    table = Table("device.role=monitor")
    table.turn((3, 1), "8/5 6/5", "dark")
    why = Why(Code.NOT_ON_ROLL, {"side": "light"})
    said = Flagged(number=1, code=Code.NOT_ON_ROLL, side=Side.DARK, text="It is Jana's turn.", reasons=(why,))
    state = fold((*table.said, said))
    after = fold((GameEnded(winner=Side.DARK, level=1, points=1), GameStarted(number=2)), state)
    assert after.names == ("Petr", "Cyril")
    (flag,) = view_of(Status(after, after.position), 1).flags
    assert "Jana" in flag.translations["cs"]


def test_players_and_rules_must_go_together() -> None:
    four = parse_ruleset("money", ["chouette.players=4"])
    for rules, players, why in (
        (four, ("A", "B"), "needs the names of all 4"),
        (four, ("A", "B", "C"), "3 players are named"),
        (MONEY, ("A", "B", "A"), "same name"),
        (MONEY, ("A", "B", ""), "needs a name"),
        (parse_ruleset("match", []), ("A", "B", "C"), "for money"),
    ):
        with pytest.raises(RuleSetError, match=why):
            seated(rules, players)
    assert seated(MONEY, ("A", "B", "C")).chouette.players == 3


def test_at_the_desk_it_begins_goes_on_after_a_start_and_ends_with_the_next_match(tmp_path: Path) -> None:
    one = Evening(tmp_path)
    one.referee.obey(
        NewMatch(light="Anna", dark="Bedřich", team=("Cyril",), rules="money", set=("chouette.cubes=one",))
    )
    with pytest.raises(CommandError, match="for money"):
        one.referee.obey(NewMatch(light="Anna", dark="Bedřich", team=("Cyril",), rules="match"))
    one.journal.close()
    again = Evening(tmp_path)
    state = again.referee.state
    assert (state.names, state.ruleset.chouette.players, state.ruleset.chouette.cubes) == (
        ("Anna", "Bedřich"),
        3,
        "one",
    )
    assert [name for name, _ in state.standings] == ["Anna", "Bedřich", "Cyril"]
    again.referee.obey(NewMatch(light="Eva", dark="Jan"))
    assert again.referee.state.chouette is None
    assert again.referee.state.ruleset.chouette.players == 0
    again.journal.close()


def test_the_camera_reads_no_cube_where_everybody_has_his_own() -> None:
    rules = parse_ruleset("money", ["chouette.players=3"])
    session = Session(MatchPlan(rules, 0, ("A", "B"), team=("C",)), "bottom-right")
    assert not session.tracker.setting.cube_in_play
    assert fold(session.held).chouette is not None
