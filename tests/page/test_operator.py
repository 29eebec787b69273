"""The desk behind the page and the panel's buttons: what people do reaches the referee's thread, and the answer comes back."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Literal

import cv2
import msgspec
import numpy as np
import pytest

from controller.app.answers import no_board, refusal
from controller.app.board_place import saved_place
from controller.app.match_journal import MatchJournal, keep_evidence, matches_in, unfinished
from controller.app.referee import Outlets, Referee
from controller.app.status import CameraStatus
from controller.app.table import Table
from controller.app.view import view_of
from controller.config import PanelConfig, config_from
from controller.page import operator as desks
from controller.page import referee_link
from controller.page.eyes import BUSY, WAITING, Eyes, EyesBusy
from controller.page.operator import RefereesDesk
from controller.page.referee_link import RefereeLink
from controller.panel.adapter import Button
from controller.panel.messages import LAMP_NAMES
from controller.panel.plan import lamps
from controller.panel.virtual import VirtualPanel
from controller.record.evidence import EvidenceFolder
from controller.record.evidence_recorder import EvidenceRecorder
from controller.record.journal import Journal, JournalError
from controller.record.native import encode_json
from controller.record.of_journal import records_in
from controller.referee.commands import (
    AnyCommand,
    CommandError,
    Confirm,
    Correct,
    NewMatch,
    OfferDouble,
    PlayTurn,
    Roll,
    SetCube,
    SetPosition,
    SetTable,
    Undo,
)
from controller.referee.events import AMENDED, SET_UP, Flagged, MatchStarted, Played, done_by
from controller.referee.session import MatchPlan
from controller.referee.state import Phase
from controller.rules import MATCH, Position, RulesError, Side, position_id
from controller.rules.ruleset import DeviceRules
from controller.run.build import table_of
from tests.vision import scenes
from vision.board.geometry import GeometryError
from vision.frame import Frame
from vision.pictures.files import parse_corners
from vision.reading.reader import BoardReader
from vision.sentence import Sentence
from vision.watching.watcher import Watcher
from web.hub import ViewHub
from web.operator import Legal, NoBoard, Operator, Refusal
from web.view import VIEWS, StakeView, View

MONITOR = replace(MATCH, device=DeviceRules(role="monitor"))


class Evening:
    """A referee in a thread of its own, with its desk and panel."""

    def __init__(self, folder: Path, table: Table | None = None) -> None:
        self.journal = Journal(folder / "journal.sqlite3")
        self.evidence = EvidenceRecorder(EvidenceFolder(folder / "evidence"))
        self.panel, self.told = VirtualPanel(), list[str]()
        plan = MatchPlan(MONITOR, 5, ("Jana", "Petr"), clock=True)
        table = table or Table(plan, None, "bottom-right")
        self.hub = ViewHub()
        outlets = Outlets(self.hub, self.panel, self.told.append, self.evidence)
        self.referee = Referee(table, self.journal, outlets)
        self.link = RefereeLink(outlets.status)
        self.desk = RefereesDesk(self.link, self.journal, self.evidence)
        self.stop = threading.Event()
        self.thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        while not self.stop.wait(0.005):
            self.link.serve(self.referee)

    def say(self, kind: str, **fields: object) -> tuple[bool, str]:
        answer = self.desk.command(msgspec.convert({"type": kind, **fields}, AnyCommand))
        return answer.ok, answer.sentence


def newest(hub: ViewHub) -> View:
    assert hub.latest is not None
    return VIEWS.decode(hub.latest.body)


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    one = Evening(tmp_path)
    one.thread.start()
    yield one
    one.stop.set()
    one.thread.join()
    one.journal.close()


def test_commands_are_carried_out_or_refused_with_a_sentence(evening: Evening) -> None:
    operator: Operator[AnyCommand] = evening.desk
    assert evening.say("roll", dice=[3, 1], side="light") == (True, "")
    legal = operator.legal()
    assert (legal.side, legal.dice, len(legal.plays)) == ("light", (3, 1), 16)
    assert [play.moves for play in legal.plays if play.notation == "8/5 6/5"] == [((8, 5), (6, 5))]
    assert evening.say("play", notation="8/5 6/4")[0] is False
    assert evening.say("play", notation="8/5 6/5") == (True, "")
    assert operator.legal().plays == ()


def test_what_two_desks_take_back_at_once_is_taken_back_once(evening: Evening) -> None:
    """Each shows a play that was not played so. Until 30 November 2026 two turns were gone."""
    for dice, play in ([3, 1], "8/5 6/5"), ([4, 2], "8/4 6/4"):
        assert evening.say("roll", dice=dice, side="light" if dice == [3, 1] else None)[0]
        assert evening.say("play", notation=play)[0]
    shown = newest(evening.hub).sequence
    assert evening.desk.command(Undo(), "", shown).ok
    answer = evening.desk.command(Undo(), "", shown)
    assert (answer.ok, answer.sentence.partition(",")[0]) == (False, "Something has changed meanwhile")
    assert [play.notation for play in newest(evening.hub).plays] == ["8/5 6/5"]
    assert evening.desk.command(Undo(), "", newest(evening.hub).sequence).ok


def test_a_double_that_was_lost_on_the_way_is_not_the_other_sides(evening: Evening) -> None:
    """Its page sends it again until somebody answers; meanwhile another desk has told the turn and the next one."""
    assert evening.say("roll", dice=[3, 1], side="light")[0]
    assert evening.say("play", notation="8/5 6/5")[0]
    meant_for_dark = newest(evening.hub).sequence
    assert evening.say("roll", dice=[4, 2])[0]
    assert evening.say("play", notation="8/4 6/4")[0]
    assert not evening.desk.command(OfferDouble(), "", meant_for_dark).ok
    assert newest(evening.hub).cube.offered is None


def test_a_play_is_told_although_the_dice_are_shown_since(evening: Evening) -> None:
    """A roll adds no line; what is said of a side or of a line means the same whatever is played meanwhile."""
    assert evening.say("roll", dice=[3, 1], side="light")[0]
    assert evening.say("play", notation="8/5 6/5")[0]
    shown = newest(evening.hub).sequence
    assert evening.desk.command(Roll(dice=(4, 2)), "", shown).ok
    assert evening.desk.command(PlayTurn(notation="8/4 6/4"), "", shown).ok
    assert evening.desk.command(Confirm(turn=2), "", shown).ok


def test_whoever_tries_the_lamps_sees_all_of_them(evening: Evening) -> None:
    assert evening.desk.test("lamps").ok
    assert set(lamps(evening.panel.state)) == set(LAMP_NAMES)


@pytest.mark.parametrize(
    ("panel", "said"),
    [
        (PanelConfig(kind="serial"), ""),
        (PanelConfig(kind="emulated", sound=False), "The settings keep the buzzer silent."),
        (PanelConfig(kind="gpio"), "This panel has no buzzer."),
    ],
)
def test_whoever_tries_a_buzzer_that_is_not_heard_is_told_why(evening: Evening, panel: PanelConfig, said: str) -> None:
    answer = RefereesDesk(evening.link, evening.journal, panel=panel).test("buzzer")
    assert (answer.ok, answer.sentence.startswith(said)) == (not said, True)


@pytest.mark.parametrize(
    ("light", "team"), [("Eva", ["Iva K", "Iva  K"]), ("Eva", ["Eva\u202e"]), ("\u200b", ["Light"])]
)
def test_players_of_a_chouette_who_go_by_the_same_name_once_it_is_printed_are_refused(
    evening: Evening, light: str, team: list[str]
) -> None:
    before = evening.referee.status.match
    answer = evening.say("match", light=light, dark="Jan", rules="money", team=team)
    assert answer[0] is False
    assert "name" in answer[1]
    assert evening.referee.status.match == before


def test_what_the_rules_say_against_a_command_refuses_it(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    def against(*_: object) -> None:
        raise RulesError("The cube is in the middle.")

    monkeypatch.setattr("controller.referee.session.obey", against)
    assert evening.say("undo") == (False, "The cube is in the middle.")
    evening.link.ask(lambda referee: referee.press(Button.CUBE))
    assert evening.told[-1] == "cube pressed: The cube is in the middle."


def play_a_game(one: Evening, winner: str, loser: str) -> None:
    assert one.say("roll", dice=[3, 1], side=winner) == (True, "")
    assert one.say("play", notation="8/5 6/5") == (True, "")
    assert one.say("resign", side=loser, level=1) == (True, "")


def test_each_game_of_a_chouette_is_listed_and_looked_over_with_who_played_it(evening: Evening) -> None:
    evening.say("match", light="Eva", dark="Jan", rules="money", team=["Iva"], set=["chouette.cubes=one"])
    for _ in range(3):
        play_a_game(evening, "dark", "light")
    games = [(one.light, one.dark, one.score) for one in evening.desk.games()]
    assert games == [("Eva", "Jan", (0, 0)), ("Jan", "Iva", (1, 1))]
    report = evening.desk.report()
    assert report is not None
    assert (report.players, report.seated) == (("Iva", "Eva"), {1: ("Eva", "Jan"), 2: ("Jan", "Iva")})


def test_players_who_have_changed_colours_are_looked_over_as_they_sat_and_called_as_they_are_now(
    evening: Evening,
) -> None:
    evening.say("match", light="Jana", dark="Petr", rules="text-000")
    evening.say("draw", light=2, dark=5)
    play_a_game(evening, "light", "dark")
    evening.say("draw", light=6, dark=4)
    assert evening.say("colours") == (True, "")
    evening.say("names", light="Petr", dark="Jana K")
    report = evening.desk.report()
    assert report is not None
    assert (report.players, report.seated) == (("Petr", "Jana K"), {1: ("Jana K", "Petr")})


def test_many_at_once_are_done_one_by_one(evening: Evening) -> None:
    evening.say("roll", dice=[3, 1], side="light")
    answers: list[bool] = []

    def play() -> None:
        answers.append(evening.say("play", notation="8/5 6/5")[0])

    threads = [threading.Thread(target=play) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [False] * 7 + [True]
    assert len(evening.referee.state.turns) == 1


def test_a_referee_that_does_not_answer_does_not_do_it_later_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(referee_link, "PATIENCE", 0.05)
    one = Evening(tmp_path)
    assert one.say("roll", dice=[3, 1], side="light") == (
        False,
        "The referee is busy and did not answer. Say it again.",
    )
    one.link.serve(one.referee)
    assert one.referee.state.phase is Phase.OPENING
    one.journal.close()


def test_a_new_match_leaves_the_old_one_in_the_journal(evening: Evening) -> None:
    evening.say("roll", dice=[3, 1], side="light")
    xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:1:2:0:3:10"
    assert evening.say("match", length=3, light="Eva", dark="Jan", xgid="nonsense")[0] is False
    assert evening.referee.state.names == ("Jana", "Petr")
    assert evening.say("match", length=3, light="Eva", dark="Jan", event="Open", xgid=xgid) == (True, "")
    state = evening.referee.state
    assert (state.names, state.event, state.score.light, state.score.dark) == (("Eva", "Jan"), "Open", 1, 2)
    assert (state.phase, state.turn, state.score.length) == (Phase.TO_ROLL, Side.LIGHT, 3)
    assert [events[0].light for _, events in matches_in(evening.journal) if isinstance(events[0], MatchStarted)] == [
        "Jana",
        "Eva",
    ]
    listed = evening.desk.matches()
    assert [(row.light, row.length, row.over) for row in listed] == [("Eva", 3, False), ("Jana", 5, False)]
    assert evening.desk.match(listed[0].id, judged=True) is not None
    assert evening.desk.match("nobody", judged=True) is None
    exported = evening.desk.export(listed[1].id, "mat", judged=True)
    assert exported is not None
    assert exported.name.endswith(".mat")
    assert (
        evening.desk.analyse("x")
        == evening.desk.analysis("x")
        == refusal(Sentence("This match is not in the journal."))
    )
    assert evening.desk.analysis(listed[1].id) == refusal(Sentence("Nobody has had this match analysed yet."))


def test_a_name_never_leads_a_saved_file_elsewhere(evening: Evening) -> None:
    assert evening.say("match", length=3, light="..\\..\\Eva", dark="../Jan:1")[0]
    saved = evening.desk.export(evening.desk.matches()[0].id, "mat", judged=True)
    assert saved is not None
    assert saved.name.startswith("..-..-Eva-..-Jan-1-")


def test_buttons_mean_what_the_moment_asks_for(tmp_path: Path) -> None:
    one = Evening(tmp_path)
    referee, panel = one.referee, one.panel
    panel.press(Button.CUBE)
    referee.take_presses()
    assert one.told[-1] == "cube pressed: Nobody is on roll, so nobody can double."
    referee.obey(Roll(dice=(3, 1), side=Side.LIGHT))
    referee.obey(PlayTurn(notation="8/5 6/5"))
    panel.press(Button.CUBE)
    referee.take_presses()
    assert referee.state.phase is Phase.OFFERED
    assert "cube 2: offered to light" in panel.words()
    panel.press(Button.CUBE)
    panel.press(Button.UNDO)
    referee.take_presses()
    assert referee.state.phase is Phase.OFFERED
    panel.press(Button.UNDO)
    panel.press(Button.UNDO)
    referee.take_presses()
    assert (referee.state.phase, referee.state.dice) == (Phase.TO_PLAY, (3, 1))
    panel.press(Button.CLOCK_LIGHT)
    referee.take_presses()
    assert one.told[-1] == "clock light pressed: Say what was played: no camera sees the board."
    one.journal.close()


def test_time_passes_without_frames_and_a_fallen_clock_is_flagged(tmp_path: Path) -> None:
    one = Evening(tmp_path)
    one.referee.obey(Roll(dice=(3, 1), side=Side.LIGHT))
    one.referee.idle(611.0)
    assert one.referee.state.flags == ()
    one.referee.idle(2.0)
    assert [flag.code for flag in one.referee.state.flags] == ["R20"]
    assert "error" in one.panel.words()
    one.journal.close()


def test_pictures_of_a_flag_are_there_for_the_page(tmp_path: Path) -> None:
    one = Evening(tmp_path)
    picture = np.full((480, 640, 3), 90, np.uint8)
    for second in range(4):
        one.evidence.add(Frame(picture, float(second)), still=True)
    one.referee.obey(Roll(dice=(3, 1), side=Side.LIGHT))
    events = one.referee.obey(PlayTurn(moves=((6, 1),), stands=True))
    assert isinstance(events[0], Flagged)
    one.link.serve(one.referee)
    one.evidence.wait()
    after = one.desk.frame(1, "after")
    assert after is not None
    assert after.startswith(b"\xff\xd8")
    assert one.desk.frame(9, "after") is None
    one.journal.close()


def test_the_picture_that_is_kept_of_a_night_has_as_little_grain_as_the_one_that_was_read(tmp_path: Path) -> None:
    plan = MatchPlan(MONITOR, 5, ("Jana", "Petr"))
    one = Evening(tmp_path, Table(plan, np.asarray(scenes.CORNERS / 2, np.float32), "bottom-right"))
    board = np.asarray(cv2.resize(scenes.draw([(0.04, 0.05)], []), (640, 360), interpolation=cv2.INTER_AREA), np.uint8)
    for number in range(16):
        grain = np.random.default_rng(number).normal(0, 28, board.shape)
        one.referee.take(Frame(np.asarray(np.clip(board + grain, 0, 255), np.uint8), number / 10))
    one.referee.obey(Roll(dice=(3, 1), side=Side.LIGHT))
    one.referee.obey(PlayTurn(moves=((6, 1),), stands=True))
    one.link.serve(one.referee)
    one.evidence.wait()
    kept = one.desk.frame(1, "after")
    assert kept is not None
    picture = cv2.imdecode(np.frombuffer(kept, np.uint8), cv2.IMREAD_COLOR)
    assert cv2.absdiff(picture, board).mean() < 12
    one.journal.close()


@pytest.mark.parametrize("form", ["json", "csv", "txt", "mat", "sgf"])
def test_viewers_get_no_file_of_a_match_that_is_recorded_silently_and_a_record_without_judgements(
    tmp_path: Path, form: Literal["json", "csv", "txt"]
) -> None:
    one = Evening(tmp_path)
    one.link.serve(one.referee)
    one.referee.obey(Roll(dice=(3, 1), side=Side.LIGHT))
    one.referee.obey(PlayTurn(moves=((6, 1),), stands=True))
    flag = one.referee.state.flags[0]
    match = one.referee.status.match
    full, silent = (one.desk.export(match, form, judged=judged) for judged in (True, False))
    assert full is not None
    assert silent is not None
    words = [flag.code.encode(), flag.text.encode()]
    assert any(word in full.content for word in words) == (form in ("json", "csv"))
    assert (silent.name, silent.content) == ("match-is-on.txt", f"{desks.MATCH_IS_ON}\n".encode())
    slovak = one.desk.export(match, form, judged=False, language="sk")
    assert slovak is not None
    assert slovak.content.decode().startswith("Tento zápas sa zapisuje mlčky.")
    found = one.desk.match(match, judged=False)
    assert found is not None
    record = encode_json(found)
    assert not any(word in record for word in [*words, b'"legal":false', b'"legal": false'])
    one.journal.close()


@pytest.mark.parametrize(
    ("language", "begins"), [("en", "In game 1 somebody set"), ("cs", "V 1. hře někdo"), ("sk", "V 1. hre")]
)
def test_a_form_that_can_t_hold_a_match_says_so_in_the_visitor_s_language(
    tmp_path: Path, language: str, begins: str
) -> None:
    one = Evening(tmp_path)
    one.link.serve(one.referee)
    one.referee.obey(Roll(dice=(3, 1), side=Side.LIGHT))
    one.referee.obey(PlayTurn(notation="8/5 6/5"))
    one.referee.obey(SetPosition(position="4HPwATDgc/ABMA", turn=Side.DARK))
    found = one.desk.export(one.referee.status.match, "mat", judged=True, language=language)
    assert found is not None
    assert found.name == "problem.txt"
    assert found.content.decode().startswith(begins)
    one.journal.close()


@pytest.mark.parametrize(("sure", "kept"), [(0.6, True), (0.99, False)])
def test_pictures_of_a_doubtful_turn_are_there_for_the_page(tmp_path: Path, sure: float, kept: bool) -> None:
    one = Evening(tmp_path)
    for second in range(4):
        one.evidence.add(Frame(np.full((480, 640, 3), 90, np.uint8), float(second)), still=True)
    one.referee.obey(Roll(dice=(3, 1), side=Side.LIGHT))
    (line,) = (event for event in one.referee.obey(PlayTurn(notation="8/5 6/5")) if isinstance(event, Played))
    seen = msgspec.structs.replace(line, by_hand=False, sure=sure)
    keep_evidence(one.evidence, one.referee.status.match, seen, None)
    one.link.serve(one.referee)
    one.evidence.wait()
    assert (one.desk.turn_frame(1, "after") is not None) is kept
    assert one.desk.turn_frame(2, "after") is None
    one.journal.close()


def test_a_coach_lights_where_a_lifted_checker_may_go(tmp_path: Path) -> None:
    from controller.referee.move_hints import lifted

    one = Evening(tmp_path)
    one.referee.obey(Roll(dice=(3, 1), side=Side.LIGHT))
    start = one.referee.state.position
    own = list(start.light)
    own[7] -= 1
    hand = lifted(one.referee.state, Position(tuple(own), start.dark))
    assert hand is not None
    assert (hand.point, hand.destinations) == (8, (7, 5, 4))
    assert lifted(one.referee.state, start) is None
    one.journal.close()


def test_a_match_over_goes_on_only_as_a_new_one(tmp_path: Path) -> None:
    one = Evening(tmp_path)
    last = position_id(Position.of({1: 1}, {1: 1}), Side.LIGHT)
    one.referee.obey(NewMatch(length=1, light="Eva", dark="Jan"))
    one.referee.obey(SetPosition(position=last, turn=Side.LIGHT))
    one.referee.obey(Roll(dice=(6, 5)))
    one.referee.obey(PlayTurn(moves=((1, 0),)))
    assert one.referee.state.phase is Phase.MATCH_OVER
    one.journal.close()
    again = Evening(tmp_path)
    assert (again.referee.state.names, again.referee.state.phase) == (("Jana", "Petr"), Phase.OPENING)
    again.journal.close()


def test_a_new_match_sets_single_rules_and_keeps_those_that_were_set(tmp_path: Path) -> None:
    """Egyptian rule and Hypergammon are chosen at the desk, stay when another rule set is, and are in the journal."""
    one = Evening(tmp_path)
    chosen = ("variant=hypergammon", "move.stack_limit=5")
    one.referee.obey(NewMatch(light="Eva", dark="Jan", rules="text-002", set=chosen))
    assert one.referee.state.position == Position.start("hypergammon")
    one.referee.obey(NewMatch(light="Eva", dark="Jan", rules="text-001"))
    one.journal.close()
    state = Evening(tmp_path).referee.state
    assert (state.ruleset.move.stack_limit, state.position.checkers, state.score.length) == (5, 3, 7)
    assert (state.ruleset.bar.closed_out, state.ruleset.cube.max) == ("roll-and-pass", 64)


def test_a_new_match_is_as_long_as_the_rules_say_and_what_cannot_be_is_refused(tmp_path: Path) -> None:
    one = Evening(tmp_path)
    one.referee.obey(NewMatch(light="Eva", dark="Jan", rules="money"))
    assert (one.referee.state.score.length, one.referee.state.ruleset.session.kind) == (0, "money")
    for command, why in (
        (NewMatch(light="Eva", dark="Jan", rules="money", length=7), "without end"),
        (NewMatch(light="Eva", dark="Jan", rules="money", clock=True), "Single games have no clock"),
        (NewMatch(light="Eva", dark="Jan", rules="match", set=("cube.bever=1",)), "did you mean cube.beavers"),
        (NewMatch(light="Eva", dark="Jan", rules="chess"), "There is no rule set 'chess'"),
        (NewMatch(light="Eva", dark="Jan", rules="text-002", begins=Side.DARK), "a draw says who begins"),
    ):
        with pytest.raises(CommandError, match=why):
            one.referee.obey(command)
    one.referee.obey(NewMatch(light="Eva", dark="Jan", rules="text-003", begins=Side.DARK))
    assert (one.referee.state.starter, view_of(one.referee.status, 1).agrees) == (Side.DARK, True)
    one.referee.obey(NewMatch(light="Eva", dark="Jan", rules="text-000", set=("match.games=1",)))
    one.referee.obey(
        SetPosition(position=position_id(Position.of({1: 1}, {23: 2, 6: 13}), Side.LIGHT), turn=Side.LIGHT)
    )
    one.referee.obey(Roll(dice=(6, 5)))
    one.referee.obey(PlayTurn(moves=((1, 0),)))
    assert (one.referee.state.phase, one.referee.state.score.light) == (Phase.MATCH_OVER, 21)
    one.journal.close()


@pytest.mark.parametrize(
    ("fields", "czech", "slovak"),
    [
        (
            {"rules": "match", "set": ["cube.bever=1"]},
            "Pravidlo cube.bever neexistuje; nemá to být cube.beavers?",
            "Pravidlo cube.bever neexistuje; nemá to byť cube.beavers?",
        ),
        (
            {"rules": "match", "set": ["cube.raccoon=true"]},
            "cube.raccoon = true vyžaduje cube.beavers nejméně 1: mýval odpovídá na bobra.",
            "cube.raccoon = true vyžaduje cube.beavers najmenej 1: mýval odpovedá na bobra.",
        ),
        (
            {"rules": "money", "set": ["stake.point=a lot"]},
            "stake.point říká, kolik platí jeden bod, částkou a měnou, třeba 5 Kč nebo 0,50 €, ne 'a lot'.",
            "stake.point hovorí, koľko platí jeden bod, sumou a menou, napríklad 5 Kč alebo 0,50 €, nie 'a lot'.",
        ),
        (
            {"rules": "money", "set": ["chouette.players=4"], "team": ["Ota"]},
            "chouette.players = 4, ale počet uvedených jmen je 3.",
            "chouette.players = 4, ale počet uvedených mien je 3.",
        ),
        (
            {"rules": "text-000", "set": ["match.games=2"], "length": 7},
            "Zápas končí buď podle bodů (7), nebo podle počtu her (2): vynechte délku, nebo match.games.",
            "Zápas sa končí buď podľa bodov (7), alebo podľa počtu hier (2): vynechajte dĺžku, alebo match.games.",
        ),
    ],
)
def test_rules_that_cannot_be_are_refused_in_the_language_of_who_reads(
    evening: Evening, fields: dict[str, object], czech: str, slovak: str
) -> None:
    command = msgspec.convert({"type": "match", "light": "Eva", "dark": "Jan", **fields}, AnyCommand)
    sent = msgspec.json.decode(msgspec.json.encode(evening.desk.command(command)))
    assert not sent["ok"]
    assert sent["message"]["words"] == {"en": sent["sentence"], "cs": czech, "sk": slovak}


def test_what_a_point_is_worth_and_what_is_owed_stands_on_the_page(tmp_path: Path) -> None:
    """Text 004: "kolik peněz se vyplácí za jeden bod", levels times the cube."""
    one = Evening(tmp_path)
    one.referee.obey(NewMatch(light="Eva", dark="Jan", rules="text-004", set=("stake.point=2,50 Kč",)))
    assert view_of(one.referee.status, 1).stake == StakeView("2.50 Kč")
    one.referee.obey(SetPosition(position=position_id(Position.of({1: 1}, {6: 15}), Side.LIGHT), turn=Side.LIGHT))
    one.referee.obey(SetCube(value=2, owner=Side.DARK))
    one.referee.obey(Roll(dice=(6, 5)))
    one.referee.obey(PlayTurn(moves=((1, 0),)))
    assert view_of(one.referee.status, 1).stake == StakeView("2.50 Kč", "dark", "10.00 Kč")
    one.referee.obey(NewMatch(light="Eva", dark="Jan", rules="text-002"))
    assert view_of(one.referee.status, 1).stake is None
    one.journal.close()


def test_where_a_person_showed_the_board_is_remembered(tmp_path: Path) -> None:
    one, file = Evening(tmp_path), tmp_path / "table.json"
    plan = MatchPlan(MATCH)
    table = Table(plan, None, "bottom-right", file, source="camera:0")
    referee = Referee(table, one.journal, Outlets(ViewHub(), one.panel))
    with pytest.raises(CommandError, match="corners"):
        referee.obey(SetTable(corners="1,2", home="top-left"))
    assert saved_place(file) is None
    before = unfinished(one.journal)
    referee.obey(SetTable(corners=TAPPED, home="top-left"), "Dora")
    note = list(one.journal.events())[-1]
    assert (note.kind, note.match, done_by(note.payload)) == (SET_UP, "", "Dora")
    assert unfinished(one.journal) == before  # what is of no match changes none
    kept = saved_place(file)
    assert kept is not None
    assert (kept.corners.tolist(), kept.home, kept.size) == (parse_corners(TAPPED).tolist(), "top-left", None)
    assert saved_place(file, "camera:0") is not None
    assert saved_place(file, "picamera") is None
    other = "70,50 570,50 570,430 70,430"
    for source, corners, home in (("picamera", other, "bottom-left"), ("camera:0", TAPPED, "top-left")) * 2:
        referee.other_camera(source)
        known = referee.status.corners
        if known is None:  # the first time that it is chosen
            assert (source, saved_place(file, source)) == ("picamera", None)
            referee.obey(SetTable(corners=corners, home=home))
            known = referee.status.corners
        assert known is not None
        assert (known.tolist(), referee.status.light_home) == (parse_corners(corners).tolist(), home)
    one.journal.close()


@pytest.mark.parametrize("used", ["camera:0", "picamera"])
def test_the_settings_corners_hold_again_for_their_camera_when_it_is_chosen_again(tmp_path: Path, used: str) -> None:
    """Also where the program was started with another that was chosen. Until 30 November 2026 they were forgotten."""
    one = Evening(tmp_path)
    camera = {"corners": TAPPED, "light_home": "top-left"}
    config = config_from({"journal": {"path": str(tmp_path / "journal.sqlite3")}, "camera": camera})
    referee = Referee(table_of(config, MatchPlan(MATCH), used), one.journal, Outlets(ViewHub(), one.panel))
    other = "70,50 570,50 570,430 70,430"
    referee.other_camera("picamera")
    referee.obey(SetTable(corners=other, home="bottom-left"))
    for source, corners, home in (("camera: 00", TAPPED, "top-left"), ("picamera", other, "bottom-left")):
        referee.other_camera(source)
        known = referee.status.corners
        assert known is not None
        assert (known.tolist(), referee.status.light_home) == (parse_corners(corners).tolist(), home)
    one.journal.close()


TAPPED = "60,40 580,40 580,440 60,440"

JUNK = [
    "",
    "{",
    "null",
    "[]",
    "[" * 3000,
    '{"x":' + "[" * 3000,
    "\0" * 5000,
    '{"corners": 3, "home": "top-left"}',
    '{"corners": "60,40 580,40 580,440 60,440", "home": "the pub"}',
    '{"corners": "nan,40 580,40 580,440 60,440", "home": "top-left"}',
    '{"corners": "1e300,40 580,40 580,440 60,440", "home": "top-left"}',
    '{"corners": "60,40 580,440 580,40 60,440", "home": "top-left"}',
    '{"corners": "60,40 60,40 60,40 60,40", "home": "top-left"}',
    '{"corners": "60,40 580,40 580,440 60,440", "home": "top-left", "size": [0, 0]}',
    '{"corners": "60,40 580,40 580,440 60,440", "home": "top-left", "size": [1e99, -3]}',
]
"""What a table.json may hold that says of no board where it lies."""


@pytest.mark.parametrize("text", JUNK)
def test_a_file_that_places_no_board_is_said_and_the_set_up_asked_for_again(tmp_path: Path, text: str) -> None:
    (tmp_path / "table.json").write_text(text, "utf-8")
    config = config_from({"camera": {"source": "camera:0"}, "journal": {"path": str(tmp_path / "journal.sqlite3")}})
    table = table_of(config, MatchPlan(MATCH), "camera:0")
    assert table.corners is None
    assert "set-up" in table.refused
    one = Evening(tmp_path, table)
    assert (one.referee.status.refused, one.referee.status.camera.sentence) == (True, table.refused)
    one.referee.take(Frame(BLANK, 1.0))
    assert "set-up" in one.referee.status.camera.sentence
    one.referee.obey(SetTable(corners=TAPPED, home="top-left"))
    assert not one.referee.status.refused
    one.journal.close()


BLANK = np.full((480, 640, 3), 90, np.uint8)


@pytest.mark.parametrize(
    ("size", "corners", "said"),
    [
        (None, "700,40 1280,40 1280,440 700,440", "outside the picture of 640 x 480"),
        ((640, 360), TAPPED, "shown in a picture of 640 x 360 pixels; this one has 640 x 480"),
        ((1280, 960), "2,2 70,2 70,70 2,70", "too small"),
    ],
)
def test_corners_of_another_picture_are_refused_and_the_game_goes_on(
    tmp_path: Path, size: tuple[int, int] | None, corners: str, said: str
) -> None:
    one = Evening(tmp_path, Table(MatchPlan(MONITOR, 5), parse_corners(corners), "bottom-right", None, size))
    for second in range(3):
        one.referee.take(Frame(BLANK, float(second)))
        assert said in one.referee.status.camera.sentence
    assert (one.referee.status.refused, one.referee.status.corners) == (True, None)
    assert one.panel.words() == ("no view of the board",)
    one.journal.close()


def test_corners_are_rescaled_to_the_cameras_other_size(tmp_path: Path) -> None:
    table = Table(MatchPlan(MONITOR, 5), parse_corners(TAPPED), "bottom-right", None, (640, 480))
    one = Evening(tmp_path, table)
    for size in ((1280, 960), (640, 480), (320, 240)):
        one.referee.take(Frame(np.full((size[1], size[0], 3), 90, np.uint8), float(size[0])))
        found = one.referee.status.corners
        assert found is not None
        assert found / size[0] * 640 == pytest.approx(parse_corners(TAPPED), abs=1.0)
    one.journal.close()


def test_at_the_desk_corners_must_lie_in_the_picture(tmp_path: Path) -> None:
    one = Evening(tmp_path)
    one.referee.take(Frame(BLANK, 1.0))
    with pytest.raises(CommandError, match="outside the picture of 640 x 480"):
        one.referee.obey(SetTable(corners="60,40 5800,40 5800,440 60,440", home="top-left"))
    with pytest.raises(CommandError, match="not a number"):
        one.referee.obey(SetTable(corners="nan,40 580,40 580,440 60,440", home="top-left"))
    one.journal.close()


@pytest.mark.parametrize("error", [cv2.error("bad picture"), MemoryError(), RuntimeError("the runtime gave up")])
def test_whatever_vision_meets_on_a_frame_the_next_one_is_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    one = Evening(tmp_path, Table(MatchPlan(MONITOR, 5), parse_corners(TAPPED), "bottom-right"))

    def fails(self: Watcher, frame: Frame) -> None:
        raise error

    with monkeypatch.context() as broken:
        broken.setattr(Watcher, "look", fails)
        for number in range(12):
            one.referee.take(Frame(BLANK, number / 10))
        assert "could not be looked at" in one.referee.status.camera.sentence
        assert len([told for told in one.told if "could not be looked at" in told]) == 1
    one.referee.take(Frame(BLANK, 5.0))
    one.referee.take(Frame(BLANK, 6.0))
    assert one.referee.status.camera == CameraStatus()
    assert "The camera's pictures are looked at again; 12 could not be." in one.told
    one.journal.close()


def test_a_bar_misread_in_one_frame_costs_no_corners(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = Evening(tmp_path, Table(MatchPlan(MONITOR, 5), parse_corners(TAPPED), "bottom-right"))

    def fails(self: BoardReader, *_: object, **__: object) -> None:
        raise GeometryError("A bar from 0.10 to 0.90 of the board's width is impossible.")

    one.referee.take(Frame(BLANK, 0.0))
    with monkeypatch.context() as broken:
        broken.setattr(BoardReader, "read", fails)
        for second in range(1, 6):
            one.referee.take(Frame(BLANK, float(second)))
        assert "A bar from 0.10 to 0.90" in one.referee.status.camera.sentence
    one.referee.take(Frame(BLANK, 7.0))
    one.referee.take(Frame(BLANK, 8.0))
    assert not one.referee.status.refused
    assert one.referee.status.corners is not None
    assert one.referee.status.camera == CameraStatus()
    one.journal.close()


def test_pictures_are_looked_at_one_at_a_time_by_one_reader(evening: Evening) -> None:
    threads, readers, at_once, most = set[int](), set[int](), [0], [0]

    def look(reader: BoardReader) -> int:
        threads.add(threading.get_ident())
        readers.add(id(reader))
        at_once[0] += 1
        most[0] = max(most[0], at_once[0])
        held.wait(5)
        at_once[0] -= 1
        return 7

    answers: list[object] = []

    def ask() -> None:
        try:
            answers.append(evening.desk.eyes.look(look))
        except EyesBusy as error:
            answers.append(str(error))

    held = threading.Event()
    people = [threading.Thread(target=ask) for _ in range(20)]
    for person in people:
        person.start()
    while len(answers) < 20 - WAITING - 1:
        held.wait(0.01)
    held.set()
    for person in people:
        person.join()
    assert answers.count(7) == WAITING + 1
    assert answers.count(BUSY) == 20 - WAITING - 1
    assert (len(threads), len(readers), most[0]) == (1, 1, 1)


def test_the_reader_is_given_back_and_comes_again() -> None:
    eyes, held = Eyes(idle=0.05), threading.Event()
    first = eyes.look(lambda reader: threading.current_thread())
    first.join(5)
    assert not first.is_alive()
    assert eyes.look(lambda reader: threading.current_thread()) is not first
    with pytest.raises(EyesBusy, match="takes too long"):
        eyes.look(lambda reader: held.wait(5), patience=0.05)
    with pytest.raises(EyesBusy, match="Other pictures"):
        eyes.look(lambda reader: None, patience=0.05)
    held.set()


def test_a_photo_on_which_vision_fails_is_a_sentence(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(data: bytes, reader: BoardReader) -> None:
        cv2.resize(
            np.zeros((2, 2), np.uint8), (0, 0)
        )  # OpenCV's own error: it keeps its words with the class, not with each

    monkeypatch.setattr(desks, "read_photo", fails)
    answer = evening.desk.read(b"x")
    assert isinstance(answer, Refusal)
    assert "could not be looked at (inv_scale_x > 0)" in answer.error


@pytest.mark.parametrize("size", [(640, 480), (1280, 720), (1920, 1080), (2592, 1944), (3840, 2160)])
def test_where_no_board_is_found_the_size_of_the_picture_is_told(tmp_path: Path, size: tuple[int, int]) -> None:
    one = Evening(tmp_path)
    one.referee.take(Frame(np.full((size[1], size[0], 3), 120, np.uint8), 0.0))
    found = one.desk.find()
    assert isinstance(found, NoBoard)
    assert (found.error != "", found.size) == (True, size)
    one.journal.close()


def test_without_a_picture_no_size_is_told(evening: Evening) -> None:
    assert evening.desk.find() == no_board(Sentence("There is no picture: no camera sees the board."), None)


def test_what_could_have_been_played_in_an_earlier_turn(evening: Evening) -> None:
    evening.say("roll", dice=[3, 1], side="light")
    evening.say("play", notation="8/5 6/5")
    evening.say("roll", dice=[6, 2])
    played, other = evening.desk.legal(1), evening.desk.legal(1, (2, 6))
    assert (played.side, played.dice, len(played.plays)) == ("light", (3, 1), 16)
    assert played.boards[0].after == position_id(Position.start(), Side.LIGHT)
    assert (other.side, other.dice) == ("light", (6, 2))
    assert "24/18 13/11" in [play.notation for play in other.plays]
    assert evening.desk.legal().side == "dark"
    assert evening.desk.legal(2) == evening.desk.legal(0) == Legal(None, None, (), ())
    evening.say("correct", turn=1, dice=[6, 2], notation="24/18 13/11")
    assert evening.say("undo") == (True, "")
    assert [line.notation for line in evening.referee.state.turns] == ["8/5 6/5"]  # type: ignore[union-attr]
    assert evening.say("redo") == (True, "")
    assert [line.notation for line in evening.referee.state.turns] == ["24/18 13/11"]  # type: ignore[union-attr]


def test_the_match_is_looked_over_and_an_earlier_game_put_right(evening: Evening) -> None:
    evening.say("roll", dice=[3, 1], side="light")
    evening.say("play", notation="13/8", stands=True)
    evening.say("resign-offer", side="dark")
    evening.say("resign-accept")
    evening.say("roll", dice=[6, 1], side="dark")
    evening.say("play", notation="13/7 8/7")
    before = evening.desk.report()
    assert before is not None
    # A person has said that it stands: nobody needs to look at it.
    assert [(one.game, one.line, one.notation, one.doubt) for one in before.lines] == [
        (1, 1, "13/8", None),
        (2, 1, "13/7 8/7", None),
    ]
    assert evening.desk.legal(1, game=1).dice == (3, 1)
    assert evening.say("correct", game=1, turn=1, notation="13/10 6/5") == (True, "")
    after = evening.desk.report()
    assert after is not None
    assert [(one.game, one.notation, one.legal) for one in after.lines] == [
        (1, "13/10 6/5", True),
        (2, "13/7 8/7", True),
    ]
    assert (before.undo, after.undo) == (False, True)
    assert evening.desk.line_picture(1, 1) is None


NEARLY_OVER = "XGID=-A---A" + 18 * "-" + "b-:0:0:1:00:0:0:0:3:10"


def play_an_old_match(evening: Evening) -> str:
    """A misread turn in a match after which another was begun; the old one's name."""
    evening.say("match", length=3, light="Eva", dark="Jan", xgid=NEARLY_OVER)
    evening.say("roll", dice=[2, 1], side="light")
    evening.say("play", notation="5/3 1/off")
    evening.say("match", length=5, light="Ota", dark="Ida")
    evening.say("roll", dice=[6, 1], side="light")
    return next(line.id for line in evening.desk.matches() if line.light == "Eva")


def test_a_match_that_is_not_on_any_more_is_put_right(evening: Evening) -> None:
    old, desk = play_an_old_match(evening), evening.desk
    on, held = evening.referee.state, list(matches_in(evening.journal))
    assert [one.notation for one in desk.report(old).lines] == ["5/3 1/off"]  # type: ignore[union-attr]
    assert "5/off 1/off" in [play.notation for play in desk.legal(1, (5, 1), 1, old).plays]
    asked = desk.correct(old, Correct(turn=1, game=1, dice=(5, 1), notation="5/off 1/off"), "Dora")
    assert (asked.ok, asked.asks) == (False, True)
    assert desk.correct(old, Correct(turn=1, game=1, dice=(5, 1), notation="5/off 1/off", sure=True), "Dora").ok

    record = desk.match(old, judged=True)
    assert record is not None
    assert (record.games[0].winner, [action.corrected for action in record.games[0].actions]) == (0, [True])
    assert next(line.score for line in desk.matches() if line.id == old) == (1, 0)
    assert list(records_in(evening.journal.path))[1].games[0].winner == 0
    # What is on goes on as it was, and who takes the journal in finds every match's events together.
    assert evening.referee.state == on
    assert list(matches_in(evening.journal)) == held
    note = list(evening.journal.events())[-1]
    assert (note.kind, note.match, done_by(note.payload)) == (AMENDED, "", "Dora")
    again = MatchJournal(evening.journal, evening.told.append)
    assert (again.matches.lines(), again.matches.amended(old)) == (desk.matches(), (note.sequence,))

    assert desk.correct(old, Undo()).ok
    assert [one.notation for one in desk.report(old).lines] == ["5/3 1/off"]  # type: ignore[union-attr]
    assert next(line.score for line in desk.matches() if line.id == old) == (0, 0)
    assert not desk.correct(old, Undo()).ok


def test_of_a_match_that_is_not_there_nothing_is_put_right(evening: Evening) -> None:
    play_an_old_match(evening)
    answer = evening.desk.correct("nobody", Confirm(turn=1))
    assert (answer.ok, answer.sentence) == (False, "This match is not in the journal.")
    assert evening.desk.report("nobody") is None
    assert all(stored.kind != AMENDED for stored in evening.journal.events())


def test_the_match_that_is_on_is_put_right_in_its_own_events(evening: Evening) -> None:
    play_an_old_match(evening)
    evening.say("play", notation="13/7 8/7")
    assert evening.desk.correct(evening.desk.matches()[0].id, Correct(turn=1, notation="13/6")).ok
    assert [line.notation for line in evening.referee.state.turns] == ["13/6"]  # type: ignore[union-attr]
    assert all(stored.kind != AMENDED for stored in evening.journal.events())


def test_whoever_looks_over_the_match_that_is_on_takes_back_nothing_that_is_played_meanwhile(evening: Evening) -> None:
    evening.say("match", light="Eva", dark="Jan", set=["variant=hypergammon"])
    evening.say("roll", dice=[6, 1], side="light")
    evening.say("play", notation="24/17")
    report = evening.desk.report()
    assert report is not None
    assert (report.match, report.checkers, report.undo) == (evening.referee.status.match, 3, False)
    nothing = "There is nothing to take back."
    assert evening.desk.correct(report.match, Undo()).sentence == nothing
    correct = Correct(turn=1, game=1, dice=(6, 1), notation="24/18 23/22")
    assert evening.desk.correct(report.match, correct).ok
    assert evening.desk.correct(report.match, Undo(), "Dora").ok
    assert evening.desk.correct(report.match, correct).ok
    evening.say("roll", dice=[2, 1], side="dark")
    evening.say("play", notation="24/22 23/22")
    assert evening.desk.correct(report.match, Undo()).sentence == nothing
    assert [line.notation for line in evening.referee.state.turns] == ["24/18 23/22", "24/22 23/22"]  # type: ignore[union-attr]


def test_a_correction_does_not_meet_the_match_that_was_begun_just_before_it(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening.say("roll", dice=[3, 1], side="light")
    evening.say("play", notation="8/5 6/5")
    match, correct = evening.referee.status.match, Correct(turn=1, game=1, dice=(3, 1), notation="24/23 13/10")
    waiting = [NewMatch(light="Eva", dark="Jan"), Roll(dice=(3, 1), side=Side.LIGHT), PlayTurn(notation="8/5 6/5")]
    ask = evening.link.ask

    def asked_after_others(do: Callable[[Referee], object]) -> object:
        for command in waiting:
            ask(lambda referee, command=command: referee.obey(command))  # type: ignore[misc]
        return ask(do)

    monkeypatch.setattr(evening.link, "ask", asked_after_others)
    answer = evening.desk.correct(match, correct)
    assert (answer.ok, answer.sentence.partition(",")[0]) == (False, "Another match has begun meanwhile")
    assert [line.notation for line in evening.referee.state.turns] == ["8/5 6/5"]  # type: ignore[union-attr]
    monkeypatch.undo()
    assert evening.desk.correct(match, correct).ok
    assert [stored.kind for stored in evening.journal.events()].count(AMENDED) == 1


def test_the_match_that_is_on_is_not_put_right_while_the_board_is_set_up(evening: Evening) -> None:
    evening.say("roll", dice=[3, 1], side="light")
    evening.say("play", notation="8/5 6/5")
    evening.desk.correct(evening.referee.status.match, Correct(turn=1, game=1, notation="24/23 13/10"))
    evening.link.ask(lambda referee: referee.begin_practice())
    evening.say("roll", dice=[6, 1], side="light")
    evening.say("play", notation="13/7 8/7")
    waits = "The board is being set up, and the match waits meanwhile. Put it right when that is done."
    for correction in (Undo(), Confirm(turn=1), Correct(turn=1, game=1, notation="24/17")):
        assert evening.desk.correct(evening.referee.status.match, correction).sentence == waits
    assert evening.say("mark", turn=1, game=1, mark="?") == (False, waits)
    assert evening.say("names", light="Jana", dark="Petr") == (False, waits)
    assert evening.say("score", light=1, dark=0) == (False, waits)
    assert evening.say("role", role="monitor") == (False, waits)
    assert evening.say("undo") == (True, "")  # of the practice
    evening.link.ask(lambda referee: referee.end_practice())
    assert evening.desk.correct(evening.referee.status.match, Undo()).ok
    assert [line.notation for line in evening.referee.state.turns] == ["8/5 6/5"]  # type: ignore[union-attr]


def test_an_old_match_is_not_put_right_while_the_journal_takes_nothing(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = play_an_old_match(evening)

    def full(_: object) -> None:
        raise JournalError("The disk is full.")

    monkeypatch.setattr(evening.journal, "append_all", full)
    answer = evening.desk.correct(old, Confirm(turn=1))
    assert (answer.ok, "The disk is full." in answer.sentence) == (False, True)
