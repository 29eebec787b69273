"""The page's view of a match: what people read at every moment of a game."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.app.as_moved import as_moved, in_notation, nearest
from controller.app.status import CameraState, CameraStatus, Status
from controller.app.status_sentence import status
from controller.app.view import FLAGS_SHOWN, _flag, changed, games_before, view_of
from controller.record.from_events import record_of
from controller.referee.correcting import made
from controller.referee.events import (
    Adjusted,
    AnyEvent,
    Doubled,
    Flagged,
    GameEnded,
    GameStarted,
    MatchStarted,
    Named,
    Passed,
    Played,
    Resolved,
    RoleSet,
    Rolled,
    Skipped,
    Taken,
    Why,
)
from controller.referee.folding import fold
from controller.referee.phrases import sentence
from controller.referee.state import MatchState, Phase
from controller.rules import LANGUAGES, MATCH, Position, Side, legal_plays, position_id
from controller.rules.codes import OF_TOURNAMENTS
from controller.rules.ruleset import DeviceRules
from tests.referee.test_commands import Hand
from web.view import ClockView, CubeView, PlayView

LIGHT, DARK = Side.LIGHT, Side.DARK
START = Position.start()
POINT_FIVE = Position.of(light={24: 2, 13: 5, 8: 2, 6: 4, 5: 2}, dark={24: 2, 13: 5, 8: 3, 6: 5})
SLIPPED = Position.of(light={24: 2, 13: 5, 8: 2, 6: 4, 5: 2}, dark={24: 1, 18: 1, 13: 4, 10: 1, 8: 3, 6: 5})
"""Dark has moved 6 and 3."""

BEGUN: tuple[AnyEvent, ...] = (
    MatchStarted(length=5, light="Jana", dark="Petr", rules="match", position=position_id(START, LIGHT)),
    GameStarted(number=1),
)
OPENED: tuple[AnyEvent, ...] = (
    *BEGUN,
    Rolled(side=LIGHT, dice=(1, 3)),
    Played(
        side=LIGHT,
        dice=(3, 1),
        before=position_id(START, LIGHT),
        after=position_id(POINT_FIVE, LIGHT),
        moves=((8, 5), (6, 5)),
        notation="8/5 6/5",
        legal=True,
    ),
)
DOUBLED = (*OPENED, Doubled(side=DARK, value=2))
WON = (*DOUBLED, Passed(side=LIGHT), GameEnded(winner=DARK, level=1, points=1))
OVER = (*OPENED, GameEnded(winner=LIGHT, level=3, points=6))


@pytest.mark.parametrize(
    ("events", "phase", "sentence"),
    [
        ((), "set up", "Waiting for the camera."),
        (BEGUN, "opening", "Opening roll: each player throws one die."),
        (OPENED[:3], "to play", "To play 3-1: Jana"),
        (OPENED, "to roll", "To roll: Petr"),
        (DOUBLED, "cube offered", "Cube offered at 2. Take or pass: Jana"),
        ((*DOUBLED, Taken(side=LIGHT)), "to roll", "To roll: Petr"),
        (WON, "game over", "Game over. Set up the next one."),
        (OVER, "match over", "Match over. Winner: Jana"),
    ],
)
def test_the_status_says_what_comes_next(events: tuple[AnyEvent, ...], phase: str, sentence: str) -> None:
    state = fold(events)
    assert (state.phase.value, status(state)) == (phase, sentence)


def view(events: tuple[AnyEvent, ...], board: Position | None = None, **now: object) -> dict[str, object]:
    state = fold((*events, RoleSet(role="monitor")))
    moment = Status(state, board or state.position, light_home="top-left", **now)  # type: ignore[arg-type]
    return msgspec.to_builtins(view_of(moment, 7))  # type: ignore[no-any-return]


def test_players_board_and_cube_after_the_opening() -> None:
    shown = view(OPENED)
    assert shown["light"] == {"name": "Jana", "score": 0, "pips": 163, "bar": 0, "off": 0}
    assert shown["dark"] == {"name": "Petr", "score": 0, "pips": 167, "bar": 0, "off": 0}
    assert shown["points"] == POINT_FIVE.signed()
    assert (shown["turn"], shown["light_home"], shown["sequence"]) == ("dark", "top-left", 7)
    assert shown["cube"] == {"value": 1, "owner": None, "offered": None}


def test_the_board_is_shown_as_it_stands_in_the_middle_of_a_play() -> None:
    hit = Position.of(light={24: 2, 13: 5, 8: 3, 6: 4, 1: 1}, dark={25: 1, 24: 1, 13: 5, 8: 3, 6: 5})
    shown = view(OPENED[:3], hit, dice=(5, 1))
    assert shown["points"] == hit.signed()
    assert (shown["dark"]["bar"], shown["dice"]) == (1, (5, 1))  # type: ignore[index]


def test_an_offered_cube_names_who_must_answer_and_a_taken_one_its_owner() -> None:
    offered = view_of(Status(fold(DOUBLED), POINT_FIVE), 1)
    taken = view_of(Status(fold((*DOUBLED, Taken(side=LIGHT))), POINT_FIVE), 2)
    assert offered.cube == CubeView(1, None, "light")
    assert taken.cube == CubeView(2, "light", None)
    assert (taken.turn, offered.turn) == ("dark", "dark")


def test_the_move_list_has_a_line_for_every_turn_and_cube_action() -> None:
    stands = Played(
        side=DARK,
        dice=(6, 2),
        before=position_id(POINT_FIVE, LIGHT),
        after=position_id(SLIPPED, LIGHT),
        moves=(),
        notation="",
        legal=False,
        sure=0.9,
    )
    dance = Played(
        side=LIGHT, dice=(6, 6), before="", after=position_id(POINT_FIVE, LIGHT), moves=(), notation="", legal=True
    )
    events = (*DOUBLED, Taken(side=LIGHT), stands, dance, Skipped(side=DARK))
    lines = view_of(Status(fold(events), POINT_FIVE), 1).plays
    assert lines == (
        PlayView(1, "light", (3, 1), "8/5 6/5"),
        PlayView(2, "dark", None, "doubles to 2"),
        PlayView(3, "light", None, "takes"),
        PlayView(4, "dark", (6, 2), "24/18 13/10", legal=False, sure=False),
        PlayView(5, "light", (6, 6), "no legal move"),
        PlayView(6, "dark", None, "closed out", mark=None),
    )
    assert view_of(Status(fold(WON), POINT_FIVE), 1).plays[-1] == PlayView(3, "light", None, "passes")


def test_flags_stay_with_how_they_ended_and_only_the_newest_are_shown() -> None:
    said: list[AnyEvent] = [
        Flagged(number=number, code="R04", side=DARK, text="Rolled early.") for number in range(1, FLAGS_SHOWN + 3)
    ]
    said.append(Resolved(number=FLAGS_SHOWN, how="put right"))
    flags = view_of(Status(fold((*OPENED, *said, RoleSet(role="monitor"))), POINT_FIVE), 1).flags
    assert [flag.number for flag in flags] == list(range(3, FLAGS_SHOWN + 3))
    assert {flag.number: flag.resolved for flag in flags if flag.resolved} == {FLAGS_SHOWN: "put right"}
    assert (flags[0].side, flags[0].turn) == ("dark", 2)


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (("Light", "Dark"), ("White has not ended", "není ukončen: Bílý.", "nie je ukončený: Biely.")),
        (("Jana", "Petr"), ("Jana has not ended", "není ukončen: Jana.", "nie je ukončený: Jana.")),
    ],
)
def test_a_player_has_one_name_on_the_page(names: tuple[str, str], told: tuple[str, str, str]) -> None:
    why = Why("R04", {"side": "light"})
    text = sentence((why,), names=dict(zip((LIGHT, DARK), names, strict=True)))
    flag = Flagged(number=1, code="R04", side=DARK, text=text, reasons=(why,))
    events = (*OPENED, Named(light=names[0], dark=names[1]), flag, RoleSet(role="monitor"))
    (shown,) = view_of(Status(fold(events), POINT_FIVE), 1).flags
    for words, expected in zip((shown.text, shown.translations["cs"], shown.translations["sk"]), told, strict=True):
        assert expected in words


def test_a_play_that_stands_and_is_illegal_is_told_in_full() -> None:
    flag = Flagged(
        number=1, code="R05", side=DARK, text="Play does not match 6-2.", reasons=(Why("R05", {"dice": "6-2"}),)
    )
    events = (*OPENED, Rolled(side=DARK, dice=(6, 2)), flag, RoleSet(role="monitor"))
    (shown,) = view_of(Status(fold(events), SLIPPED), 1).flags
    assert (shown.moved, shown.played, shown.dice) == (((24, 18), (13, 10)), "24/18 13/10", (6, 2))
    assert shown.possible == "24/18 13/11"
    (back,) = view_of(Status(fold(events), POINT_FIVE), 1).flags
    assert (back.moved, back.played, back.possible) == ((), "", "")
    (ended,) = view_of(Status(fold((*events, Resolved(number=1, how="put right"))), SLIPPED), 1).flags
    assert ended.played == ""


@pytest.mark.parametrize(
    ("before", "after", "dice", "words"),
    [
        (START, POINT_FIVE, (3, 1), "8/5 6/5"),
        (
            Position.of(light={13: 2, 6: 2}, dark={24: 1, 21: 1}),
            Position.of(light={4: 2, 6: 2}, dark={25: 1, 24: 1}),
            (5, 4),
            "13/4*(2)",
        ),
        (
            Position.of(light={25: 1, 6: 1}, dark={1: 1}),
            Position.of(light={20: 1}, dark={1: 1}),
            (5, 6),
            "bar/20 6/off",
        ),
        (START, Position.of(light={6: 15}, dark={6: 15}), (3, 1), ""),  # no turn looks like that
    ],
)
def test_moves_are_told_from_two_boards(before: Position, after: Position, dice: tuple[int, int], words: str) -> None:
    assert in_notation(as_moved(before, after, LIGHT, dice), before, LIGHT) == words


@given(st.data())
def test_every_legal_play_is_told_as_it_was_moved(data: st.DataObject) -> None:
    dice = data.draw(st.tuples(st.integers(1, 6), st.integers(1, 6)))
    play = data.draw(st.sampled_from(legal_plays(START, LIGHT, dice)))
    moves = as_moved(START, play.result, LIGHT, dice)
    assert made(START, LIGHT, moves).light == play.result.light
    assert nearest(legal_plays(START, LIGHT, dice), play.result, LIGHT) == play


def test_a_checker_that_is_not_seen_is_not_off_while_others_are_not_home() -> None:
    covered = Position.of(light={24: 2, 13: 4, 8: 2, 6: 4, 5: 2}, dark={24: 2, 13: 5, 8: 3, 6: 5})
    assert view(OPENED, covered)["light"]["off"] == 0  # type: ignore[index]
    home = Position.of(light={6: 3, 5: 2}, dark={6: 10})
    assert view(OPENED, home)["light"]["off"] == 10  # type: ignore[index]


@pytest.mark.parametrize(
    ("events", "game"), [(BEGUN, 1), (OPENED, 1), (WON, 1), (OVER, 1), ((*WON, GameStarted(number=2)), 2)]
)
def test_a_game_that_is_over_keeps_its_number_until_the_next_begins(events: tuple[AnyEvent, ...], game: int) -> None:
    assert view(events)["game"] == game


def test_a_game_in_which_the_score_is_set_to_the_matchs_end_keeps_its_number() -> None:
    hand = Hand(3)
    hand.turn((3, 1), "8/5 6/5", "light")
    hand.say("resign", side="dark")
    hand.turn((3, 1), "8/5 6/5", "light")
    for light, phase in ((3, Phase.MATCH_OVER), (2, Phase.GAME_OVER), (3, Phase.MATCH_OVER)):
        hand.say("score", light=light, dark=0)
        assert (view_of(Status(hand.state, START), 1).game, hand.state.phase) == (2, phase)


def test_games_before_have_the_names_that_the_match_has_by_now() -> None:
    """A name that was written wrongly is put right in the second game; then somebody finds that both were at the wrong side."""
    held = (*WON, GameStarted(number=2), Named(light="Jana Malá", dark="Petr"))
    (first,) = games_before(held)
    assert (first.light, first.dark, first.winner) == ("Jana Malá", "Petr", "dark")
    (first,) = games_before((*held, Named(light="Petr", dark="Jana Malá")))
    assert (first.light, first.dark) == ("Petr", "Jana Malá")


def test_a_game_before_has_the_score_that_a_person_set_for_it() -> None:
    begun, started, *played = WON
    held = (begun, started, Adjusted(score=(2, 1)), *played, GameStarted(number=2))
    (first,) = games_before(held)
    assert first.score == record_of(held).games[0].score == (2, 1)
    (first,) = games_before((begun, started, *played, Adjusted(score=(0, 3)), GameStarted(number=2)))
    assert first.score == (0, 0)


def test_a_dance_is_no_doubt_that_a_person_must_look_at() -> None:
    dance = Played(
        side=DARK,
        dice=(6, 6),
        before=position_id(POINT_FIVE, LIGHT),
        after=position_id(POINT_FIVE, LIGHT),
        moves=(),
        notation="",
        legal=True,
        sure=0.6,
    )
    slip = msgspec.structs.replace(dance, legal=False, after=position_id(SLIPPED, LIGHT))
    assert view((*OPENED, dance))["doubtful"] == ()
    assert view((*OPENED, slip))["doubtful"] == (2,)


def test_score_game_and_crawford() -> None:
    events = (*WON, GameStarted(number=2), GameEnded(winner=DARK, level=3, points=3), GameStarted(number=3))
    shown = view(events)
    assert (shown["dark"]["score"], shown["light"]["score"]) == (4, 0)  # type: ignore[index]
    assert (shown["game"], shown["crawford"], shown["match_length"]) == (3, True, 5)
    assert shown["plays"] == ()


def test_viewers_hear_of_everything_but_the_sequence() -> None:
    state = MatchState()
    before = view_of(Status(state, START), 1)
    assert changed(None, before)
    assert not changed(before, view_of(Status(state, START), 2))
    assert changed(before, view_of(Status(state, START, dice=(3, 1)), 2))
    gone = CameraStatus(CameraState.NO_PICTURES, "The camera 0 is not there.")
    assert changed(before, view_of(Status(state, START, camera=gone), 2))
    assert changed(before, view_of(Status(fold(OPENED), START), 2))


def test_a_silent_recorder_shows_the_game_and_says_nothing_about_it() -> None:
    flagged = (*OPENED, Flagged(number=1, code="R04", side=DARK, text="Rolled early."))
    shown = view(flagged)
    silent = view_of(Status(fold(flagged), POINT_FIVE), 1, hints=(5,))
    assert [flag["number"] for flag in shown["flags"]] == [1]  # type: ignore[attr-defined]
    assert (silent.flags, silent.hints, silent.light.pips, silent.role) == ((), (), None, "recorder")
    assert (silent.points, silent.plays) == (POINT_FIVE.signed(), (PlayView(1, "light", (3, 1), "8/5 6/5"),))


def test_flags_speak_three_languages_and_name_the_answers() -> None:
    why = (Why("R05", {"dice": "6-5"}), Why("R09", {"point": 5, "side": "dark"}))
    flag = Flagged(number=1, code="R05", side=LIGHT, text="...", reasons=why)
    (shown,) = view_of(Status(fold((*OPENED, flag, RoleSet(role="monitor"))), START), 1).flags
    assert shown.translations["cs"].endswith("Klín 5 drží Petr.")
    assert shown.translations["sk"].startswith("Ťah nezodpovedá hodu 6-5.")
    assert shown.options == ("put right", "stands", "corrected")


def test_a_flag_that_is_kept_with_less_than_is_said_of_it_now_is_shown_as_it_was_said() -> None:
    flag = Flagged(number=1, code="R09", side=LIGHT, text="Point 5 is held.", reasons=(Why("R09", {"side": "dark"}),))
    (shown,) = view_of(Status(fold((*OPENED, flag, RoleSet(role="monitor"))), START), 1).flags
    assert (shown.text, shown.translations) == ("Point 5 is held.", {})


def test_the_clock_is_shown_and_running_on_is_no_news() -> None:
    begun = msgspec.structs.replace(BEGUN[0], clock=True)
    state = fold((begun, BEGUN[1], Rolled(side=LIGHT, dice=(3, 1), seconds=100.0)))
    first, later = (view_of(Status(state, START, seconds=now), 1) for now in (105.0, 130.0))
    assert first.clock == ClockView(600.0, 600.0, 7.0, "light", 105.0)
    assert later.clock == ClockView(582.0, 600.0, 0.0, "light", 130.0)
    assert not changed(first, later)


@pytest.mark.parametrize("language", ["cs", "sk"])
def test_every_phase_has_words_in_every_language(language: str) -> None:
    said = {status(fold(events), language) for events in ((), BEGUN, OPENED[:3], OPENED, DOUBLED, WON, OVER)}
    assert len(said) == 7
    assert not said & {status(fold(events)) for events in ((), BEGUN, OPENED, DOUBLED, WON, OVER)}


def test_players_whom_nobody_has_named_are_called_by_their_colour() -> None:
    state = MatchState(phase=Phase.TO_ROLL, turn=Side.DARK)
    assert [status(state, language) for language in LANGUAGES] == ["To roll: Black", "Hází: Černý", "Hádže: Čierny"]
    assert status(replace(state, names=("Jana", "Petr"))) == "To roll: Petr"


def test_a_flag_says_whether_it_comes_from_tournament_rules() -> None:
    assert {code.value for code in OF_TOURNAMENTS} == {"R01", "R02", "R03", "R04", "R18", "R19", "R20", "R24"}
    hand = Hand(5, replace(MATCH, device=DeviceRules(role="monitor")))
    hand.say("roll", dice=(3, 1), side="light")
    hand.say("play", moves=((6, 1),), stands=True)
    (illegal,) = hand.state.flags
    early = replace(illegal, number=2, code="R04")
    shown = [_flag(flag, hand.state, hand.state.position) for flag in (illegal, early)]
    assert [(flag.code, flag.tournament) for flag in shown] == [("R05", False), ("R04", True)]
