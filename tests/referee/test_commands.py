"""A whole match kept by hand: what people say becomes events, is refused with a sentence, or is taken back."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller.record.check import check
from controller.record.from_events import record_of
from controller.record.model import PlayAction, ResignAction
from controller.referee.command_context import CommandContext
from controller.referee.commands import AnswerFlag, AnyCommand, CommandError
from controller.referee.decide import decide
from controller.referee.events import (
    AnyEvent,
    Doubled,
    Drawn,
    Exchanged,
    Flagged,
    Found,
    GameEnded,
    GameStarted,
    Passed,
    Played,
    Resolved,
    Rewritten,
    Rolled,
    Skipped,
    Taken,
    Why,
)
from controller.referee.folding import apply, fold
from controller.referee.history import effective
from controller.referee.history import lines as lines_of
from controller.referee.obey import obey
from controller.referee.session import MatchPlan, Session
from controller.referee.state import MatchState, Phase, TurnLine
from controller.referee.turns import Trigger, may
from controller.rules import (
    MATCH,
    MONEY,
    PRESETS,
    Play,
    Position,
    RuleSet,
    Side,
    Xgid,
    format_play,
    format_xgid,
    legal_plays,
    parse_play,
    parse_ruleset,
    position_from_id,
    position_id,
)
from controller.tracking.hypothesis import Redone, Turn
from controller.tracking.tracker import SettledFact
from web.words import message

LIGHT, DARK = Side.LIGHT, Side.DARK


def read_command(text: bytes) -> AnyCommand:
    """The command of a JSON text."""
    command: AnyCommand = msgspec.json.decode(text, type=AnyCommand)
    return command


class Hand:
    """A match that is kept on the page: said are all events, as a journal has them."""

    def __init__(self, length: int = 3, rules: RuleSet = MATCH, **keys: Any) -> None:
        self.session = Session(MatchPlan(rules, length, ("Jana", "Petr"), **keys), "bottom-right")
        self.said: list[AnyEvent] = list(self.session.opening)
        self.now = 0.0

    @property
    def state(self) -> MatchState:
        return self.session.state

    def say(self, kind: str, **fields: Any) -> tuple[AnyEvent, ...]:
        """One command, a second after the one before."""
        self.now += 1.0
        command = read_command(msgspec.json.encode({"type": kind, **fields}))
        events = self.session.command(command, self.now)
        self.said += events
        return events

    def turn(self, dice: tuple[int, int], play: str, side: str | None = None) -> None:
        self.say("roll", dice=dice, side=side)
        self.say("play", notation=play)

    def refused(self, kind: str, **fields: Any) -> str:
        before = self.state
        with pytest.raises(CommandError) as caught:
            self.say(kind, **fields)
        assert self.state == before
        return str(caught.value)

    def lines(self) -> list[tuple[str, bool]]:
        return [(turn.notation, turn.legal) for turn in self.state.turns if isinstance(turn, Played)]


def opened(hand: Hand | None = None) -> Hand:
    hand = hand or Hand()
    hand.turn((3, 1), "8/5 6/5", "light")
    hand.turn((6, 2), "24/18 13/11")
    hand.turn((4, 4), "24/20(2) 13/9(2)")
    return hand


class TestByHand:
    def test_a_match_to_its_end(self) -> None:
        hand = opened()
        hand.say("double")
        hand.say("take")
        assert (hand.state.cube, hand.state.owner, hand.state.turn) == (2, LIGHT, DARK)
        hand.say("resign", side="dark", level=1)
        assert (hand.state.phase, hand.state.score.light) == (Phase.GAME_OVER, 2)
        hand.turn((5, 2), "13/8 13/11", "dark")
        assert hand.state.score.crawford
        assert "Crawford" in hand.refused("double")
        hand.say("resign", side="light", level=3)
        assert (hand.state.phase, hand.state.score.winner) == (Phase.MATCH_OVER, DARK)
        for kind, fields in (("draw", {"light": 3, "dark": 1}), ("play", {"notation": "13/11 6/5"})):
            assert hand.refused(kind, **fields) == "The match is over: begin a new one."
        record = check(record_of(hand.said))
        assert record.problems == ()
        assert [type(game.actions[-1]) for game in record.games] == [ResignAction, ResignAction]
        assert all(a.corrected for game in record.games for a in game.actions if isinstance(a, PlayAction))

    def test_a_clock_that_nobody_keeps_is_started_once_somebody_is_on_roll(self) -> None:
        hand, kept = Hand(), Hand(clock=True)
        assert "No clock is kept in this match yet" in hand.refused("clock-start")
        assert "The clock starts with the opening roll" in kept.refused("clock-start")
        for one in (hand, kept):
            one.turn((3, 1), "8/5 6/5", side="light")
        assert (hand.state.clock, kept.state.clock is None) == (None, False)
        hand.say("clock-start")
        assert hand.state.clock is not None
        assert hand.state.clock.running is DARK

    @pytest.mark.parametrize("way", ["notation", "moves", "after"])
    def test_a_play_is_said_in_three_ways(self, way: str) -> None:
        hand = Hand()
        hand.say("roll", dice=[1, 3], side="light")
        play = next(
            p for p in legal_plays(Position.start(), LIGHT, (3, 1)) if (8, 5) in {(m.source, m.target) for m in p.moves}
        )
        said = {
            "notation": "8/5 6/5",
            "moves": [[6, 5], [8, 5]],
            "after": position_id(
                next(p.result for p in legal_plays(Position.start(), LIGHT, (3, 1)) if p.result.light[4] == 2), LIGHT
            ),
        }
        assert play
        hand.say("play", **{way: said[way]})
        assert hand.lines() == [("8/5 6/5", True)]

    def test_a_closed_out_player_skips_and_one_who_cannot_move_dances(self) -> None:
        hand = Hand()
        closed = Position.of(light={6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2, 8: 3}, dark={25: 1, 6: 14})
        hand.say("position", position=position_id(closed, LIGHT), turn="dark")
        hand.say("play", notation="")
        assert (hand.state.turn, len(hand.state.turns)) == (LIGHT, 1)
        hand.say("undo")
        hand.turn((6, 5), "", "dark")
        assert hand.lines() == [("", True)]

    def test_whoever_is_closed_out_is_passed_over_by_the_others_roll_and_double(self) -> None:
        closed = Position.of(light={6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2, 8: 3}, dark={25: 1, 6: 14})
        for kind, fields, side in (
            ("roll", {"dice": [2, 1]}, None),
            ("roll", {"dice": [2, 1]}, "light"),
            ("double", {}, None),
        ):
            hand = Hand()
            hand.say("position", position=position_id(closed, LIGHT), turn="dark")
            hand.say(kind, **fields, **({"side": side} if side else {}))
            assert [type(turn) for turn in hand.state.turns][:1] == [Skipped]
            assert hand.state.turn is LIGHT
            assert check(record_of(hand.said)).problems == ("game 1 is not finished.",)
        must = Hand(rules=PRESETS["text-001"])
        must.say("position", position=position_id(closed, LIGHT), turn="dark")
        assert "It is Petr's turn" in must.refused("roll", dice=[2, 1], side="light")

    def test_an_illegal_play_is_refused_unless_it_stands(self) -> None:
        hand = Hand()
        hand.say("roll", dice=[3, 1], side="light")
        assert "not a legal play" in hand.refused("play", notation="13/9 13/8")
        assert "does not match 3-1" in hand.refused("play", moves=[[6, 1]])
        hand.say("play", notation="13/9 13/8", stands=True)
        assert hand.lines() == [("", False)]
        assert [(flag.code, flag.resolved) for flag in hand.state.flags] == [("R05", "stands")]
        assert hand.state.turn is DARK

    @pytest.mark.parametrize(
        ("kind", "fields", "words"),
        [
            ("play", {"notation": "8/5"}, "say the dice first"),
            ("take", {}, "No double is offered"),
            ("pass", {}, "No double is offered"),
            ("double", {}, "Nobody is on roll"),
            ("roll", {"dice": [3, 1]}, "whose roll"),
            ("roll", {"dice": [3, 3], "side": "light"}, "both throw again"),
            ("undo", {}, "nothing to take back"),
            ("confirm", {"turn": 1}, "there is no line 1"),
            ("correct", {"turn": 4}, "there is no line 4"),
            ("insert", {"turn": 9, "side": "light", "dice": [6, 5]}, "there is no line 9"),
            ("resume", {}, "going on already"),
            ("cube", {"value": 3}, "can't show 3"),
            ("cube", {"value": 1, "owner": "light"}, "no owner"),
            ("score", {"light": 3, "dark": 3}, "Not both"),
            ("names", {"light": "Jana", "dark": "  "}, "more than spaces"),
            ("names", {"light": "\u200b", "dark": "Petr"}, "more than spaces"),
            ("position", {}, "Give a Position ID or an XGID"),
            ("position", {"position": "nonsense"}, "Position ID"),
            ("position", {"xgid": "XGID=a"}, "no XGID"),
            ("flag", {"number": 1, "how": "stands"}, "not there"),
            ("clock-start", {}, "nobody is on roll"),
            ("clock-stop", {}, "No clock"),
            ("clock", {"side": "light"}, ""),
            ("match", {"length": 7, "light": "A", "dark": "B"}, "middle of a match"),
        ],
    )
    def test_what_cannot_be_is_refused_with_a_sentence(self, kind: str, fields: dict[str, Any], words: str) -> None:
        hand = Hand()
        if not words:
            assert hand.say(kind, **fields) == ()
        else:
            assert words in hand.refused(kind, **fields)

    def test_from_an_xgid_with_cube_and_score(self) -> None:
        hand = Hand(length=7)
        hand.say("position", xgid="XGID=-b----E-C---eE---c-e----B-:1:-1:-1:63:5:3:0:7:10")
        assert (hand.state.turn, hand.state.dice, hand.state.cube, hand.state.owner) == (DARK, (6, 3), 2, DARK)
        assert (hand.state.score.light, hand.state.score.dark) == (5, 3)
        hand.say("play", notation="24/15")
        assert hand.state.turn is LIGHT

    @pytest.mark.parametrize(("flag", "crawford"), [(0, False), (1, True)])
    def test_an_xgid_says_whether_this_is_the_crawford_game(self, flag: int, crawford: bool) -> None:
        hand = Hand(length=7)
        hand.say("position", xgid=f"XGID=-b----E-C---eE---c-e----B-:0:0:-1:00:6:3:{flag}:7:10")
        assert hand.state.score.crawford is crawford
        if crawford:
            assert "Crawford" in hand.refused("double")
        else:
            hand.say("double")
            hand.say("pass")
            assert not hand.state.score.crawford

    @pytest.mark.parametrize(
        ("rules", "fields", "words"),
        [
            (MATCH, "99:0:1:00:0:0:0:7:10", "may not go above 1048576"),
            (parse_ruleset("match", ["cube.max=4"]), "6:0:1:00:0:0:0:7:10", "may not go above 4"),
            (PRESETS["text-000"], "2:1:1:00:0:0:0:7:10", "No doubling cube"),
            (MATCH, "0:1:1:00:0:0:0:7:10", "it has no owner"),
            (MATCH, "0:0:1:00:7:2:0:7:10", "By this XGID the match is over"),
            (MATCH, "0:0:1:00:" + 100 * "9" + ":0:0:7:10", "By this XGID the match is over"),
        ],
    )
    def test_cube_and_score_of_an_xgid_are_as_they_may_be_set(self, rules: RuleSet, fields: str, words: str) -> None:
        hand = Hand(7, rules)
        assert words in hand.refused("position", xgid=f"XGID=-b----E-C---eE---c-e----B-:{fields}")
        hand.say("position", xgid="XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10")

    def test_a_crawford_game_that_was_none_is_still_to_be_played(self) -> None:
        hand = Hand(length=3)
        for first, other, level in (("light", "dark", 2), ("dark", "light", 1)):
            hand.turn((3, 1), "8/5 6/5", first)
            hand.say("resign", side=other, level=level)
        assert (hand.state.score.light, hand.state.score.dark, hand.state.score.crawford_done) == (2, 1, True)
        hand.say("score", light=1, dark=1)
        hand.turn((3, 1), "8/5 6/5", "light")
        hand.say("resign", side="dark", level=1)
        assert hand.state.score.crawford
        hand.say("score", light=2, dark=2)
        assert not hand.state.score.crawford

    def test_out_of_time_is_flagged_once_with_who(self) -> None:
        hand = Hand(length=1, clock=True)
        hand.turn((3, 1), "8/5 6/5", "light")
        hand.session.passed(hand.now + 131.0)
        assert hand.state.flags == ()
        (flag,) = hand.session.passed(hand.now + 133.0)
        assert isinstance(flag, Flagged)
        assert (flag.code, flag.side, flag.text) == ("R20", DARK, "Time has run out: Petr.")
        assert hand.session.passed(hand.now + 140.0) == ()

    def test_the_free_seconds_count_where_there_is_no_reserve(self) -> None:
        hand = Hand(3, parse_ruleset("match", ["clock.minutes_per_point=1"]), clock=True)
        hand.say("score", light=2, dark=2)
        hand.say("roll", dice=[3, 1], side="light")
        assert hand.session.passed(hand.now) == ()
        assert hand.session.passed(hand.now + 11.0) == ()
        (flag,) = hand.session.passed(hand.now + 12.0)
        assert isinstance(flag, Flagged)
        assert (flag.code, flag.side) == ("R20", LIGHT)

    def test_a_turn_inserted_before_one_that_was_taken_back(self) -> None:
        hand = Hand()
        hand.turn((2, 1), "13/11 6/5", "light")
        hand.say("undo")
        hand.say("insert", turn=1, side="light", dice=[3, 1], notation="8/5 6/5")
        assert hand.lines() == [("8/5 6/5", True)]
        assert hand.state == fold(hand.said)

    def test_undo_takes_a_correction_back_and_redo_lets_it_hold_again(self) -> None:
        hand = Hand()
        hand.turn((3, 1), "8/5 6/5", "light")
        hand.turn((6, 2), "24/18 13/11", "dark")
        hand.turn((5, 4), "24/15", "light")
        before = hand.lines()
        hand.say("correct", turn=2, notation="24/16")
        corrected = hand.lines()
        assert corrected[1] == ("24/16", True)
        assert hand.state.corrected == (2,)
        hand.say("undo")
        assert (hand.lines(), hand.state.corrected) == (before, ())
        hand.say("redo")
        assert (hand.lines(), hand.state.corrected) == (corrected, (2,))
        assert "Nothing was taken back" in hand.refused("redo")
        hand.say("undo")
        hand.say("undo")
        assert hand.lines() == before[:2]
        hand.say("redo")
        assert hand.lines() == before
        hand.say("redo")
        assert hand.lines() == corrected
        assert hand.state == fold(hand.said)

    def test_an_earlier_game_is_put_right_and_the_score_follows_once_that_is_meant(self) -> None:
        hand = won_a_gammon(length=5)
        running = hand.lines()
        why = hand.refused("correct", game=1, turn=2, notation="7/5 1/off")
        assert why == "With this the score Jana 2 : 0 Petr becomes 1 : 0."
        hand.say("correct", game=1, turn=2, notation="7/5 1/off", sure=True)
        assert (hand.state.score.light, hand.state.score.dark) == (1, 0)
        assert hand.lines() == running
        record = record_of(hand.said)
        assert (record.games[0].winner, record.games[0].points, record.games[1].score) == (0, 1, (1, 0))
        assert check(record).problems == ("game 2 is not finished.",)
        hand.say("undo")
        assert (hand.state.score.light, hand.lines()) == (2, running)
        hand.say("redo")
        assert (hand.state.score.light, hand.lines()) == (1, running)
        assert hand.state == fold(hand.said)

    def test_what_was_played_after_a_match_that_was_won_earlier_holds_no_more(self) -> None:
        hand = won_a_gammon(length=2, by="7/5 1/off")
        assert (hand.state.score.light, len(hand.lines())) == (1, 1)
        assert "becomes 2 : 0" in hand.refused("correct", game=1, turn=2, notation="7/4")
        hand.say("correct", game=1, turn=2, notation="7/4", sure=True)
        assert hand.state.phase is Phase.MATCH_OVER
        assert len(record_of(hand.said).games) == 1
        hand.say("undo")
        assert (hand.state.phase, len(hand.lines())) == (Phase.TO_ROLL, 1)
        assert hand.state == fold(hand.said)

    @pytest.mark.parametrize("ended", [True, False])
    def test_a_later_game_may_win_the_match_and_the_one_after_it_holds_no_more(self, *, ended: bool) -> None:
        hand = Hand(length=3, start=Position.of({1: 1, 2: 1}, {1: 1, 6: 14}))
        for game in (1, 2, 3):
            hand.turn((2, 1), "6/4 1/off", "dark")
            if game < 3 or ended:
                hand.turn((6, 5), "1/off 2/off")
        hand.say("correct", game=1, turn=1, notation="6/4 6/5", sure=True)
        assert (hand.state.phase, hand.state.score.light) == (Phase.MATCH_OVER, 3)
        record = record_of(hand.said)
        assert ([game.points for game in record.games], check(record).problems) == ([2, 1], ())
        hand.say("undo")
        assert (hand.state.phase, hand.state.score.game) == ((Phase.MATCH_OVER, 4) if ended else (Phase.TO_ROLL, 3))
        assert hand.state == fold(hand.said)

    def test_a_game_that_follows_a_match_that_was_won_is_read_and_counts_for_nothing(self) -> None:
        hand = Hand(length=1, start=Position.of({1: 1, 2: 1}, {6: 14, 1: 1}))
        hand.turn((2, 1), "1/off 2/off", "light")
        (end,) = [event for event in hand.said if isinstance(event, GameEnded)]
        state = fold([*hand.said, GameStarted(number=2), end])
        assert (state.phase, state.score) == (Phase.MATCH_OVER, hand.state.score)

    @pytest.mark.parametrize("with_score", [False, True])
    def test_a_position_that_was_set_in_a_game_that_was_won_earlier_holds_no_more(self, *, with_score: bool) -> None:
        hand = Hand(length=7, start=Position.of({1: 1, 2: 1}, {1: 1, 6: 14}))
        hand.turn((2, 1), "6/4 1/off", "dark")
        hand.turn((2, 1), "2/off")
        position = Position.of({1: 1}, {6: 14})
        said = {"xgid": format_xgid(Xgid(position, LIGHT, length=7))} if with_score else {}
        hand.say("position", **(said or {"position": position_id(position, LIGHT), "turn": "light"}))
        hand.turn((2, 1), "1/off")
        hand.say("correct", turn=2, notation="1/off 2/off", sure=True)
        assert (hand.state.phase, hand.state.score.light, hand.state.score.game) == (Phase.GAME_OVER, 1, 2)
        assert hand.lines() == [("6/4 1/off", True), ("2/off 1/off", True)]

    def test_a_dance_that_is_none_from_what_now_stood_leaves_what_was_put_right(self) -> None:
        start = Position.of({8: 1, 7: 2, 6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2}, {25: 1, 13: 5, 8: 4, 6: 5})
        hand = Hand(start=start)
        hand.turn((2, 1), "8/5", "light")
        hand.turn((5, 4), "", "dark")
        hand.say("correct", turn=1, notation="5/3 5/4")
        assert hand.lines() == [("5/4 5/3", True), ("", False)]
        stands = Position.of({8: 1, 7: 2, 6: 2, 4: 3, 3: 3, 2: 2, 1: 2}, {25: 1, 13: 5, 8: 4, 6: 5})
        assert hand.state.position == stands
        assert [flag.code for flag in hand.state.flags] == ["R06", "R19"]

    def test_a_resignation_counts_the_checkers_as_they_stand_after_a_correction(self) -> None:
        hand = Hand(length=0, rules=PRESETS["text-000"])
        hand.say("draw", light=1, dark=3)
        hand.turn((3, 1), "8/5 6/5")
        hand.turn((6, 2), "24/18 13/11")
        hand.say("resign", side="light", level=1)
        assert hand.state.score.dark == 33
        assert "becomes 0 : 34" in hand.refused("correct", turn=1, notation="24/20")
        hand.say("correct", turn=1, notation="24/20", sure=True)
        assert (hand.state.score.dark, check(record_of(hand.said)).problems) == (34, ())

    def test_a_game_that_players_took_for_over_stays_so(self) -> None:
        hand = won_a_gammon(length=5)
        hand.say("correct", game=1, turn=1, notation="1/off", stands=True)
        assert (hand.state.score.light, len(hand.lines())) == (2, 1)
        assert record_of(hand.said).games[0].winner == 0
        assert "no game 3" in hand.refused("correct", game=3, turn=1, notation="8/4")
        assert "there is no line 9" in hand.refused("correct", game=1, turn=9, notation="8/4")

    def test_a_turn_that_is_missing_from_an_earlier_game_is_put_in(self) -> None:
        hand = won_a_gammon(length=5)
        hand.say("insert", game=1, turn=2, side="dark", dice=[2, 1], notation="7/5 1/off", sure=True)
        first = [turn for turn in record_of(hand.said).games[0].actions if isinstance(turn, PlayAction)]
        assert [play.player for play in first][:3] == [0, 1, 1]
        assert (hand.state.score.light, len(hand.lines())) == (1, 1)

    def test_redo_step_by_step_after_several_undos_until_something_new_is_done(self) -> None:
        hand = Hand()
        hand.turn((3, 1), "8/5 6/5", "light")
        hand.turn((6, 2), "24/18 13/11", "dark")
        hand.say("score", light=2, dark=1)
        for _ in range(3):
            hand.say("undo")
        assert (hand.lines(), hand.state.score.light) == ([], 0)
        for lines, light in ((1, 0), (2, 0), (2, 2)):
            hand.say("redo")
            assert (len(hand.lines()), hand.state.score.light) == (lines, light)
        hand.say("undo")
        hand.turn((5, 4), "24/15", "light")
        assert "Nothing was taken back" in hand.refused("redo")
        assert hand.state == fold(hand.said)

    def test_undo_and_redo_leave_pause_clock_and_role_as_they_are(self) -> None:
        hand = Hand(length=5, clock=True)
        hand.turn((3, 1), "8/5 6/5", "light")
        hand.say("pause")
        hand.say("clock-stop")
        hand.say("role", role="monitor")
        for act, lines in (("undo", 0), ("redo", 1), ("undo", 0)):
            hand.say(act)
            clock = hand.state.clock
            assert clock is not None
            assert (len(hand.lines()), hand.state.paused, clock.on, clock.since) == (lines, True, False, None)
            assert hand.state.role == "monitor"
        hand.say("resume")
        hand.say("clock-start")
        hand.say("redo")
        clock = hand.state.clock
        assert clock is not None
        assert (len(hand.lines()), hand.state.paused, clock.on, clock.running) == (1, False, True, DARK)
        assert hand.state == fold(hand.said)

    @pytest.mark.parametrize(
        "first",
        [
            {"kind": "draw", "light": 3, "dark": 1},
            {"kind": "begins", "side": "dark"},
            {"kind": "position", "position": position_id(Position.of(light={8: 15}, dark={6: 15}), LIGHT)},
        ],
    )
    def test_what_a_next_game_begins_with_takes_its_beginning_with_it_when_it_is_taken_back(
        self, first: dict[str, Any]
    ) -> None:
        """Until 30 November the page showed the next game as begun, and no longer who had won the last one."""
        agreed = ["start.first=agreed", "start.opening_dice=fresh"] if first["kind"] == "begins" else []
        hand = Hand(rules=parse_ruleset("match", agreed))
        for game in (1, 2):
            over = essence(hand.state)
            hand.say(**first)
            begun = essence(hand.state)
            hand.say("undo")
            assert essence(hand.state) == over
            assert hand.state.phase is (Phase.OPENING if game == 1 else Phase.GAME_OVER)
            hand.say("redo")
            assert essence(hand.state) == begun
            hand.say("undo")
            if game == 1:
                hand.say("resign", side="dark", level=1)
        assert hand.state == fold(hand.said)

    def test_a_correction_taken_back_leaves_a_pause_as_it_is(self) -> None:
        hand = opened()
        hand.say("correct", turn=1, notation="24/21 24/23")
        hand.say("pause")
        for act in ("undo", "redo"):
            hand.say(act)
            assert hand.state.paused
        hand.say("resume")
        hand.say("undo")
        assert (hand.state.paused, hand.lines()[0]) == (False, ("8/5 6/5", True))

    def test_undo_lets_the_clock_run_for_whoever_is_on_roll_then(self) -> None:
        hand = Hand(length=5, clock=True)
        hand.turn((3, 1), "8/5 6/5", "light")
        hand.say("clock-stop")
        hand.say("clock-start")
        hand.say("undo")
        assert hand.state.clock is not None
        assert (hand.state.clock.running, hand.state.clock.on) == (LIGHT, True)
        hand = Hand(length=5, clock=True)
        hand.say("draw", light=3, dark=1)
        hand.say("clock-stop")
        hand.say("clock-start")
        hand.say("undo")
        assert hand.state.clock is not None
        assert (hand.state.clock.running, hand.state.clock.on) == (None, True)

    def test_the_players_are_called_otherwise_in_the_whole_match(self) -> None:
        hand = Hand()
        hand.turn((3, 1), "8/5 6/5", "light")
        hand.say("names", light=" Jana \u202eN. ", dark="Petr\u0007")
        hand.turn((6, 2), "24/18 13/11", "dark")
        hand.say("correct", turn=1, notation="24/23 24/21")
        assert hand.state.names == ("Jana N.", "Petr")
        record = record_of(hand.said)
        assert [player.name for player in record.players] == ["Jana N.", "Petr"]
        hand.say("undo")
        hand.say("undo")
        assert (len(hand.lines()), hand.state.names) == (1, ("Jana N.", "Petr"))
        hand.say("undo")
        assert (len(hand.lines()), hand.state.names) == (1, Hand().state.names)
        hand.say("redo")
        assert hand.state.names == ("Jana N.", "Petr")
        assert hand.state == fold(hand.said)

    def test_a_score_that_ends_the_match_ends_everything(self) -> None:
        hand = Hand(length=3, clock=True)
        hand.turn((6, 5), "24/13", "light")
        hand.say("score", light=0, dark=3)
        assert (hand.state.phase, hand.state.turn) == (Phase.MATCH_OVER, None)
        assert "Nobody is on roll" in hand.refused("double")
        assert hand.session.passed(hand.now + 1000.0) == ()

    def test_pauses_stop_the_clock_and_nothing_is_lost(self) -> None:
        hand = Hand(length=5, clock=True)
        hand.turn((3, 1), "8/5 6/5", "light")
        hand.now += 20
        hand.say("pause")
        hand.now += 500
        hand.say("resume")
        assert hand.state.clock is not None
        assert hand.state.clock.left(DARK, hand.now) == pytest.approx(600 - 21 + 12)
        hand.turn((6, 2), "24/18 13/11")
        assert hand.state.clock.left(DARK, hand.now + 300) == pytest.approx(600 - 23 + 12)
        (first, second) = (turn for turn in hand.state.turns if isinstance(turn, Played))
        assert (first.took, second.took) == (1.0, 23.0)

    def test_the_clock_stands_while_paused_whatever_is_said_meanwhile(self) -> None:
        hand = Hand(length=5, clock=True)
        hand.turn((3, 1), "8/5 6/5", "light")
        hand.say("pause")
        hand.turn((6, 2), "24/18 13/11")
        assert "go on first" in hand.refused("clock-start")
        hand.say("clock", side="light")
        hand.say("position", position=position_id(Position.start(), LIGHT), turn="light")
        clock = hand.state.clock
        assert clock is not None
        hand.now += 500
        assert (clock.running, clock.left(LIGHT, hand.now), clock.delay_left(hand.now)) == (LIGHT, 600.0, 12.0)
        hand.say("resume")
        clock = hand.state.clock
        assert clock is not None
        assert clock.left(LIGHT, hand.now + 13) == pytest.approx(599)

    def test_a_position_that_is_set_goes_on_with_the_clock_of_whoever_is_on_roll(self) -> None:
        hand = Hand(length=5, clock=True)
        hand.turn((3, 1), "8/5 6/5", "light")
        hand.say("position", position=position_id(Position.start(), LIGHT), turn="light")
        clock = hand.state.clock
        assert clock is not None
        assert (clock.running, clock.left(LIGHT, hand.now + 22)) == (LIGHT, 590)

    def test_an_opening_roll_that_was_the_other_players_runs_his_clock(self) -> None:
        hand = Hand(length=5, clock=True)
        hand.say("roll", dice=[3, 1], side="light")
        hand.say("roll", dice=[3, 1], side="dark")
        assert hand.state.clock is not None
        assert (hand.state.turn, hand.state.clock.running) == (DARK, DARK)

    @pytest.mark.parametrize("said", ["double", "resign-offer"])
    def test_a_position_that_is_set_leaves_nothing_offered(self, said: str) -> None:
        hand = opened()
        hand.say(said, **({"side": "dark"} if said == "resign-offer" else {}))
        hand.say("position", position=position_id(Position.start(), LIGHT), turn="light")
        assert (hand.state.phase, hand.state.offered_by, hand.state.resigning) == (Phase.TO_ROLL, None, None)
        assert "No double is offered" in hand.refused("take")
        assert "Nobody offers" in hand.refused("resign-accept")
        hand.say("double")
        hand.say("take")
        assert (hand.state.cube, hand.state.owner) == (2, DARK)

    def test_a_game_that_is_on_already_begins_where_it_is_set_with_any_roll_of_either_side(self) -> None:
        hand = Hand()
        hand.say("position", position=position_id(Position.of({13: 5, 8: 5, 6: 5}, {13: 5, 8: 5, 6: 5}), LIGHT))
        assert hand.state.phase is Phase.FOUND
        assert "whose roll it is" in hand.refused("roll", dice=[4, 4])
        hand.turn((4, 4), "13/9(2) 8/4(2)", "dark")
        assert (hand.lines(), check(record_of(hand.said)).problems) == (
            [("13/9(2) 8/4(2)", True)],
            ("game 1 is not finished.",),
        )

    def test_a_position_that_says_not_who_is_on_roll_leaves_the_offered_double(self) -> None:
        hand = opened()
        hand.say("double")
        hand.say("position", position=position_id(Position.start(), LIGHT))
        hand.say("take")
        assert (hand.state.phase, hand.state.cube, hand.state.owner) == (Phase.TO_ROLL, 2, LIGHT)


class TestCorrections:
    def test_a_corrected_play_is_replayed_and_what_follows_is_judged_anew(self) -> None:
        hand = opened()
        (event,) = hand.say("correct", turn=1, notation="24/21 24/23")
        assert isinstance(event, Rewritten)
        # 24/20(2) needs both checkers on 24: it no longer connects, and is kept as it was played.
        assert hand.lines() == [("24/23 24/21", True), ("24/18 13/11", True), ("", False)]
        third = hand.state.turns[2]
        assert isinstance(third, Played)
        assert third.sure <= 0.5
        assert [flag.code for flag in hand.state.flags if flag.resolved == "stands"][-1] == "R19"
        assert hand.state.turn is DARK

    @pytest.mark.parametrize("draw", [(3, 1), (1, 3)])
    def test_other_dice_of_a_first_turn_that_is_played_with_the_draw_were_drawn(self, draw: tuple[int, int]) -> None:
        hand = Hand()
        hand.say("draw", light=2, dark=2)
        hand.say("draw", light=draw[0], dark=draw[1])
        hand.say("play", notation="8/5 6/5")
        hand.turn((6, 2), "24/18 13/11")
        hand.say("correct", turn=1, dice=[4, 1], notation="24/23 13/9")
        assert hand.state.draws == ((2, 2), (4, 1) if draw == (3, 1) else (1, 4))
        assert hand.lines() == [("24/23 13/9", True), ("24/18 13/11", True)]
        assert check(record_of(hand.said)).problems == ("game 1 is not finished.",)
        hand.say("undo")
        assert (hand.state.draws[-1], hand.lines()[0]) == (draw, ("8/5 6/5", True))
        hand.say("redo")
        assert hand.lines()[0] == ("24/23 13/9", True)
        assert hand.state == fold(hand.said)

    def test_they_were_drawn_by_whoever_has_the_other_colour_since(self) -> None:
        hand = Hand(rules=parse_ruleset("match", ["start.high_prize=colour", "start.first=low"]))
        hand.say("draw", light=3, dark=1)
        hand.say("undo")
        hand.session.held = (*hand.session.held, *(drawn := [Drawn(light=3, dark=1), Exchanged()]))
        hand.said += drawn
        hand.session.state = fold(hand.session.held)
        hand.turn((3, 1), "8/5 6/5", "light")
        hand.say("correct", turn=1, dice=[4, 2], notation="8/4 6/4")
        assert (hand.state.draws, hand.state.starter) == (((2, 4),), LIGHT)
        assert hand.state == fold(hand.said)

    def test_a_turn_that_was_played_otherwise_after_all_stays_one_line(self) -> None:
        """Until 29 November a correction before it put both plays into the record, one after the other."""
        hand = opened()
        before = hand.state.turns[2]
        assert isinstance(before, Played)
        stood = position_from_id(before.before, LIGHT)
        otherwise(hand, before, parse_play("24/20(2) 6/2(2)", stood, LIGHT, (4, 4)))
        hand.turn((6, 5), "13/2")
        hand.say("correct", turn=2, notation="24/16")
        assert hand.lines() == [("8/5 6/5", True), ("24/16", True), ("24/20(2) 6/2(2)", True), ("13/2", True)]
        hand.say("insert", turn=3, side="light", dice=[6, 5], notation="24/13")
        assert [line.side for line in hand.state.turns] == [LIGHT, DARK, LIGHT, LIGHT, DARK]
        hand.say("undo")
        hand.say("correct", turn=3, notation="24/16(2)")
        assert (hand.lines()[2], hand.state.corrected) == (("24/16(2)", True), (2, 3))
        assert len(record_of(hand.said).games[0].actions) == len(hand.lines()) == 4
        assert hand.state == fold(hand.said)

    def test_a_turn_is_put_in_before_one_without_dice_that_was_played_otherwise_after_all(self) -> None:
        """It was put in between that turn and what took its place, and so refused: it was the other's turn there."""
        hand = Hand()
        hand.turn((3, 1), "8/5 6/5", "light")
        stood = hand.state.position
        play = parse_play("24/14", stood, DARK, (6, 4))
        unseen = Played(
            side=DARK,
            dice=(6, 4),
            before=position_id(stood, LIGHT),
            after=position_id(play.result, LIGHT),
            moves=tuple((move.source, move.target) for move in play.moves),
            notation=format_play(play),
            legal=True,
            sure=0.9,
        )
        hand.said += hand.session._add(unseen)
        otherwise(hand, hand.state.turns[1], parse_play("24/18 13/9", stood, DARK, (6, 4)))
        hand.say("insert", turn=2, side="dark", dice=[6, 2], notation="24/16")
        assert hand.lines() == [("8/5 6/5", True), ("24/16", True), ("24/18 13/9", True)]
        assert hand.state == fold(hand.said)

    def test_equal_dice_open_no_game_where_its_first_turn_was_played_otherwise_after_all_either(self) -> None:
        hand = Hand()
        hand.say("draw", light=3, dark=1)
        hand.say("play", notation="8/5 6/5")
        otherwise(hand, hand.state.turns[0], parse_play("24/20", Position.start(), LIGHT, (3, 1)))
        hand.turn((6, 2), "24/18 13/11")
        assert "don't open a game" in hand.refused("correct", turn=1, dice=[4, 4], notation="24/20(2) 13/9(2)")
        hand.say("correct", turn=1, dice=[4, 1], notation="24/23 13/9")
        assert (hand.state.draws, hand.state.corrected) == (((4, 1),), (1,))
        assert hand.lines() == [("24/23 13/9", True), ("24/18 13/11", True)]
        assert check(record_of(hand.said)).problems == ("game 1 is not finished.",)

    def test_what_was_asked_about_a_turn_is_answered_by_its_correction(self) -> None:
        """Until 29 November the page went on asking whether the play that stood no more was right."""
        hand = Hand()
        hand.turn((3, 1), "8/5 6/5", "light")
        hand.turn((6, 2), "24/18 13/11")
        asked(hand, 1)
        hand.turn((4, 4), "24/20(2) 13/9(2)")
        asked(hand, 2)
        hand.say("correct", turn=2, notation="24/16")
        assert [(flag.turn, flag.resolved) for flag in hand.state.flags] == [(3, "corrected"), (4, None)]
        hand.say("undo")
        assert [flag.resolved for flag in hand.state.flags] == [None, None]

    def test_what_was_asked_about_a_turn_is_answered_where_it_was_played_otherwise_after_all(self) -> None:
        hand = opened()
        asked(hand, 1)
        last = hand.state.turns[-1]
        assert isinstance(last, Played)
        play = parse_play("24/20(2) 6/2(2)", position_from_id(last.before, LIGHT), LIGHT, (4, 4))
        before = position_from_id(last.before, LIGHT)
        turn = Turn(LIGHT, (4, 4), before, play.result, play, roll_seen=True)
        decision = decide(hand.state, (SettledFact(Redone(turn), 1.0),), hand.session.tracker.belief, 9.0)
        assert [type(event) for event in decision.events] == [Played, Resolved]
        assert (decision.state.standing, decision.state.flags[0].resolved) == ((), "corrected")

    def test_what_was_asked_in_a_game_that_was_broken_off_stays_asked_where_the_next_has_its_number(self) -> None:
        hand = opened()
        asked(hand, 1)
        start = position_id(hand.state.start, LIGHT)
        hand.session._add(
            Found(position=start, cube=1, owner=None, seconds=hand.now), GameStarted(number=1, seconds=hand.now)
        )
        opened(hand)
        last = hand.state.turns[-1]
        assert isinstance(last, Played)
        before = position_from_id(last.before, LIGHT)
        play = parse_play("24/20(2) 6/2(2)", before, LIGHT, (4, 4))
        turn = Turn(LIGHT, (4, 4), before, play.result, play, roll_seen=True)
        decision = decide(hand.state, (SettledFact(Redone(turn), 1.0),), hand.session.tracker.belief, 9.0)
        assert [type(event) for event in decision.events] == [Played]
        assert [flag.number for flag in decision.state.standing] == [1]

    def test_a_correction_withdraws_flags_that_no_longer_hold(self) -> None:
        hand = Hand()
        hand.say("roll", dice=[2, 1], side="light")
        hand.say("play", notation="8/5 6/5", stands=True)
        hand.turn((6, 2), "24/18 13/11")
        assert len(hand.state.flags) == 1
        hand.say("correct", turn=1, dice=[3, 1], notation="8/5 6/5")
        assert [flag for flag in hand.state.flags if flag.resolved == "stands"] == []
        assert hand.lines() == [("8/5 6/5", True), ("24/18 13/11", True)]
        first = hand.state.turns[0]
        assert isinstance(first, Played)
        assert first.dice == (3, 1)

    def test_dice_alone_are_corrected_where_the_play_fits_them(self) -> None:
        hand = opened()
        assert "no legal play" in hand.refused("correct", turn=2, dice=[5, 4])
        hand.say("correct", turn=2, dice=[6, 2], notation="24/16")
        assert hand.lines()[1] == ("24/16", True)

    def test_equal_dice_open_no_game_by_a_correction_either(self) -> None:
        hand = opened()
        assert "don't open a game" in hand.refused("correct", turn=1, dice=[4, 4], notation="24/20(2) 13/9(2)")
        assert "don't open a game" in hand.refused(
            "insert", turn=1, side="dark", dice=[4, 4], notation="24/20(2) 13/9(2)"
        )
        hand.say("correct", turn=3, dice=[5, 5], notation="13/3(2)")
        fresh = Hand(3, PRESETS["text-003"])
        fresh.turn((3, 1), "8/5 6/5", "light")
        fresh.say("correct", turn=1, dice=[4, 4], notation="24/20(2) 13/9(2)")
        assert fresh.lines() == [("24/20(2) 13/9(2)", True)]

    def test_a_turn_of_an_earlier_game_is_corrected_and_the_score_follows(self) -> None:
        hand = opened()
        hand.say("resign-offer", side="dark")
        hand.say("resign-accept")
        hand.turn((6, 1), "13/7 8/7", "dark")
        before = hand.state
        hand.say("correct", game=1, turn=1, notation="24/23 13/10")
        assert hand.state.score == before.score
        assert hand.lines() == [("13/7 8/7", True)]
        first = lines_of(hand.session.held, 1)[0].event
        assert isinstance(first, Played)
        assert first.notation == "24/23 13/10"
        hand.say("confirm", game=1, turn=2)
        assert hand.state == fold(hand.said)
        hand.say("insert", game=2, turn=2, side="light", dice=[3, 1], notation="8/5 6/5")
        assert hand.lines() == [("13/7 8/7", True), ("8/5 6/5", True)]
        assert "no game 3" in hand.refused("correct", game=3, turn=1, dice=[3, 1])

    def test_no_turn_is_inserted_for_whom_the_draw_does_not_let_begin(self) -> None:
        hand = Hand()
        hand.say("draw", light=3, dark=1)
        assert "begins" in hand.refused("insert", turn=1, side="dark", dice=[6, 1], notation="13/7 8/7")
        hand.say("insert", turn=1, side="light", dice=[3, 1], notation="8/5 6/5")
        assert hand.lines() == [("8/5 6/5", True)]

    def test_a_missed_turn_is_inserted(self) -> None:
        hand = Hand()
        hand.turn((3, 1), "8/5 6/5", "light")
        before = hand.state
        hand.turn((6, 2), "24/18 13/11")
        hand.turn((5, 4), "24/20 13/8")
        assert "turn there" in hand.refused("insert", turn=2, side="light", dice=[6, 1], notation="13/7 8/7")
        assert "not a legal play" in hand.refused("insert", turn=2, side="dark", dice=[6, 1], notation="6/5")
        hand.say("insert", turn=2, side="dark", dice=[6, 1], notation="13/7 8/7")
        assert [turn.side for turn in hand.state.turns] == [LIGHT, DARK, DARK, LIGHT]
        assert before.turns[0] == hand.state.turns[0]

    def test_flags_keep_numbers_of_their_own_for_ever(self) -> None:
        hand = Hand()
        hand.say("roll", dice=[3, 1], side="light")
        hand.say("play", notation="13/9 13/8", stands=True)
        hand.say("undo")
        hand.say("play", notation="13/8 13/10", stands=True)
        assert [event.number for event in hand.said if isinstance(event, Flagged)] == [1, 2]
        assert [flag.number for flag in hand.state.flags] == [2]

    def test_a_kept_match_goes_on_after_a_restart_as_it_was_corrected(self) -> None:
        hand = opened()
        hand.say("correct", turn=2, notation="24/16")
        hand.say("role", role="coach")
        again = Session(MatchPlan(MATCH, 9), "bottom-right", effective(hand.said))
        assert again.state == hand.state == fold(hand.said)
        assert again.state.role == "coach"

    def test_confirmed_turns_are_sure(self) -> None:
        hand = opened()
        doubtful = [replace_sure(event, 0.6) for event in hand.said]
        session = Session(MatchPlan(MATCH), "bottom-right", doubtful)
        session.command(read_command(b'{"type": "confirm", "turn": 2}'), 9.0)
        second = session.state.turns[1]
        assert isinstance(second, Played)
        assert second.sure == 1.0
        plays = [a for a in record_of(session.held).games[0].actions if isinstance(a, PlayAction)]
        assert [play.confidence for play in plays] == [0.6, None, 0.6]


def otherwise(hand: Hand, line: TurnLine, play: Play) -> None:
    """The camera has seen that the last turn was played so after all."""
    assert isinstance(line, Played)
    moves = tuple((move.source, move.target) for move in play.moves)
    after = position_id(play.result, LIGHT)
    redone = msgspec.structs.replace(line, after=after, moves=moves, notation=format_play(play), redo=True)
    hand.said += hand.session._add(redone)


def asked(hand: Hand, *numbers: int, why: str = "R22-turn") -> None:
    """The last turn was read with doubt, or nobody saw how the game before ended."""
    for number in numbers:
        reasons = (Why(why, {"play": "62: 24/16", "number": 1}),)
        hand.said += hand.session._add(Flagged(number=number, code="R22", side=None, text="", reasons=reasons))


def test_what_is_said_of_a_line_answers_nothing_that_was_asked_about_an_earlier_games() -> None:
    hand = opened()
    asked(hand, 1)
    hand.say("resign", side="dark", level=1)
    hand.turn((3, 1), "8/5 6/5", "light")
    hand.turn((6, 2), "24/18 13/11")
    hand.turn((4, 4), "24/20(2) 13/9(2)")
    hand.say("confirm", turn=3)
    hand.say("correct", turn=3, notation="13/5(2)")
    assert [(flag.turn, flag.resolved) for flag in hand.state.flags] == [(4, None)]
    hand.say("confirm", game=1, turn=3)
    assert hand.state.standing == ()


def test_players_whom_nobody_has_named_are_called_by_their_colours_in_a_refusal() -> None:
    """Until 29 November "Dark", in every language."""
    hand = Hand()
    hand.session = Session(MatchPlan(MATCH, 3, ("Jana", "Dark")), "bottom-right")
    hand.turn((3, 1), "8/5 6/5", "light")
    with pytest.raises(CommandError, match="It is Black's turn") as caught:
        hand.say("roll", dice=[3, 1], side="light")
    assert message(caught.value.sentence).words["cs"].startswith("Na tahu je Černý.")
    hand.say("double")
    hand.say("take")
    hand.turn((6, 1), "13/7 8/7")
    hand.say("cube", value=2, owner="dark")
    with pytest.raises(CommandError) as caught:
        hand.say("double")
    assert caught.value.translations["cs"] == "Zdvojit smí jen Černý (majitel kostky)."


def test_an_answer_to_a_flag_of_one_turn_does_not_end_anothers() -> None:
    hand = opened()
    hand.say("roll", dice=[6, 1])
    for side, of in ((LIGHT, "the turn before"), (DARK, "the one that is going on")):
        wrong = Flagged(number=1, code="R05", side=side, text=of)
        state = apply(hand.state, wrong)
        board = Position.of({24: 2}, {1: 1, 2: 1})
        context = CommandContext((*hand.session.held, wrong), state, board)
        events = obey(context, AnswerFlag(number=1, how="stands"), 9.0)
        assert any(isinstance(event, Played) for event in events) is (side is DARK)


def test_a_clock_that_was_stopped_before_the_first_roll_stays_so_when_the_score_is_set() -> None:
    hand = Hand(length=7, clock=True)
    hand.say("clock-stop")
    hand.say("score", light=2, dark=1)
    hand.turn((3, 1), "8/5 6/5", "light")
    clock = hand.state.clock
    assert clock is not None
    assert (clock.on, clock.since, clock.light) == (False, None, 60.0 * (2 * 7 - 3))


def test_a_resignation_is_refused_by_playing_on_and_over_with_the_match() -> None:
    hand = Hand(rules=parse_ruleset("match", ["resign.when=any-time"]))
    hand.say("roll", dice=[3, 1], side="light")
    hand.say("resign-offer", side="dark", level=2)
    hand.say("play", notation="8/5 6/5")
    assert "Nobody offers" in hand.refused("resign-accept")
    hand.say("resign-offer", side="dark", level=1)
    hand.say("score", light=3, dark=0)
    hand.say("score", light=2, dark=0)
    assert (hand.state.phase, hand.state.resigning) == (Phase.GAME_OVER, None)


def test_no_turn_took_the_time_in_which_the_game_was_paused() -> None:
    """Neither one that was told meanwhile nor one that began so."""
    hand = Hand()
    hand.turn((3, 1), "8/5 6/5", "light")
    hand.now = 10.0
    hand.say("pause")
    hand.now = 50.0
    hand.turn((6, 2), "24/18 13/11")
    hand.turn((5, 4), "13/8 13/9")
    hand.now = 100.0
    hand.say("resume")
    hand.now = 130.0
    hand.turn((6, 5), "24/18 13/8")
    took = [line.took for line in hand.state.turns if isinstance(line, Played)]
    assert took == [1.0, 11.0 - 2.0, None, 132.0 - 101.0]


def test_a_play_of_whoever_is_closed_out_needs_a_roll_however_it_is_said() -> None:
    hand = Hand(start=Position.of({1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2, 8: 3}, {25: 1, 6: 14}))
    hand.turn((2, 1), "8/5", "light")
    assert "say the dice first" in hand.refused("play", moves=[[25, 24]])
    assert "say the dice first" in hand.refused("play", after=position_id(Position.start(), LIGHT))
    hand.say("play")
    assert isinstance(hand.state.turns[-1], Skipped)


def test_no_cube_is_set_where_none_is_played_with() -> None:
    """Until 29 November a Crawford game could be made to count twice."""
    hand = Hand(length=3)
    hand.say("score", light=2, dark=0)
    assert hand.refused("cube", value=2, owner="light") == "Crawford game: no doubling."
    hand.say("cube", value=1)
    after = "XGID=-b----E-C---eE---c-e----B-:1:1:1:00:{}:{}:{}:3:10"
    assert "Crawford game" in hand.refused("position", xgid=after.format(2, 0, 1))
    hand.say("position", xgid=after.format(2, 0, 0))
    assert (hand.state.cube, hand.state.score.crawford) == (2, False)
    assert "Dead cube" in Hand(length=1).refused("cube", value=2)


def test_dice_of_an_xgid_are_written_as_any_others() -> None:
    hand = Hand()
    hand.say("position", xgid="XGID=-b----E-C---eE---c-e----B-:0:0:1:13:0:0:0:3:10")
    assert hand.state.dice == (3, 1)


def test_the_clock_stands_before_a_next_game_whether_or_not_the_end_of_the_last_was_seen() -> None:
    hand = Hand(length=7, clock=True)
    hand.turn((3, 1), "8/5 6/5", "light")
    found = Found(position=position_id(Position.start(), LIGHT), cube=1, owner=None, lost=100.0, seconds=102.0)
    state = fold([*hand.said, found, GameStarted(number=1, seconds=102.0)])
    assert state.clock is not None
    assert (state.clock.running, state.clock.dark) == (None, 60.0 * 14 - (102.0 - hand.now - 12.0))
    assert state.clock.left(DARK, 1000.0) == state.clock.dark


class TestDoubts:
    def test_a_turn_that_is_right_answers_what_is_asked_of_it_alone(self) -> None:
        hand = Hand()
        hand.turn((3, 1), "8/5 6/5", "light")
        asked(hand, 1)
        hand.turn((6, 2), "24/18 13/11")
        asked(hand, 2)
        hand.say("confirm", turn=2)
        assert [flag.number for flag in hand.state.standing] == [1]
        hand.say("confirm", turn=1)
        assert hand.state.standing == ()

    def test_it_says_nothing_of_how_the_game_before_has_ended(self) -> None:
        hand = Hand()
        asked(hand, 1, why="R22-game")
        hand.turn((3, 1), "8/5 6/5", "light")
        hand.say("confirm", turn=1)
        assert [flag.number for flag in hand.state.standing] == [1]
        hand.say("score", light=1, dark=0)
        assert hand.state.standing == ()

    @pytest.mark.parametrize(
        ("before", "unseen", "after", "crawford"),
        [
            pytest.param((1, 0), True, (2, 0), True, id="won by the game before it"),
            pytest.param((2, 0), True, (2, 1), False, id="played and lost"),
            pytest.param((2, 0), True, (2, 0), True, id="given up"),
            pytest.param((2, 0), False, (2, 1), True, id="on, at a score that was another"),
        ],
    )
    def test_a_score_says_whether_the_crawford_game_was_the_one_whose_end_nobody_saw(
        self, before: tuple[int, int], unseen: bool, after: tuple[int, int], crawford: bool
    ) -> None:
        hand = Hand(length=3)
        hand.say("score", light=before[0], dark=before[1])
        asked(hand, *([1] if unseen else []), why="R22-game")
        hand.say("score", light=after[0], dark=after[1])
        score = hand.state.score
        assert (score.crawford, score.crawford_done) == (crawford, not crawford)

    def test_what_was_answered_of_earlier_turns_stays_answered_when_the_last_is_taken_back(self) -> None:
        hand = Hand()
        hand.turn((3, 1), "8/5 6/5", "light")
        asked(hand, 1, 2)
        hand.turn((6, 2), "24/18 13/11")
        hand.say("confirm", turn=1)
        hand.say("undo")
        assert (len(hand.lines()), hand.state.standing) == (1, ())
        hand.say("redo")
        assert (len(hand.lines()), hand.state.standing) == (2, ())

    def test_what_was_said_of_lines_stays_when_a_correction_is_taken_back_and_holds_again(self) -> None:
        hand = opened()
        asked(hand, 1)
        hand.say("correct", turn=2, notation="24/16")
        hand.say("mark", turn=1, mark="??")
        hand.say("mark", turn=2, mark="?")
        hand.say("confirm", turn=3)
        hand.say("undo")
        assert (hand.state.marks, hand.state.standing) == (((1, "??"),), ())
        hand.say("mark", turn=3, mark="!")
        hand.say("redo")
        assert dict(hand.state.marks) == {1: "??", 2: "?", 3: "!"}
        assert hand.lines()[1] == ("24/16", True)
        assert hand.state == fold(hand.said)

    def test_what_is_said_of_an_earlier_game_is_no_act_and_stays_with_its_line(self) -> None:
        hand = Hand()
        hand.turn((3, 1), "8/5 6/5", "light")
        hand.say("resign", side="dark")
        hand.turn((3, 1), "8/5 6/5", "light")
        hand.turn((6, 5), "24/13")
        hand.say("undo")
        hand.say("mark", turn=1, mark="?", game=1)
        assert [one.struck for one in hand.session.held if isinstance(one, Rewritten) and one.act is None] == [()]
        hand.say("redo")
        assert len(hand.lines()) == 2
        hand.say("correct", turn=1, notation="24/23 13/10", game=1)
        hand.say("correct", turn=2, notation="24/18 13/8")
        hand.say("confirm", turn=1, game=1)
        hand.say("mark", turn=1, mark="!", game=1)
        hand.say("undo")
        assert hand.lines()[1] == ("24/13", True)
        hand.say("undo")
        first = [line.event for line in lines_of(hand.session.held, 1)]
        assert [line.notation for line in first if isinstance(line, Played)] == ["8/5 6/5"]
        assert len(hand.lines()) == 2

    def test_a_mark_of_an_earlier_game_stays_there_when_a_correction_of_it_is_taken_back(self) -> None:
        hand = Hand()
        hand.turn((3, 1), "8/5 6/5", "light")
        hand.turn((6, 5), "24/13")
        hand.say("resign", side="light")
        hand.turn((3, 1), "8/5 6/5", "light")
        hand.say("correct", turn=2, notation="24/18 13/8", game=1)
        hand.say("mark", turn=1, mark="?", game=1)
        hand.say("mark", turn=1, mark="!")
        for act in ("undo", "redo"):
            hand.say(act)
            marks = [[action.mark for action in game.actions] for game in record_of(hand.said).games]
            assert [of_game[0] for of_game in marks] == ["?", "!"]
            assert hand.state == fold(hand.said)


def won_a_gammon(length: int, by: str = "7/4") -> Hand:
    """Light has won the first game while dark had no checker off, unless he played otherwise; the second has begun."""
    hand = Hand(length)
    before = Position.of(light={1: 4}, dark={7: 1, 1: 14})
    hand.say("position", position=position_id(before, LIGHT), turn="light")
    hand.turn((2, 1), "1/off(2)")
    hand.turn((2, 1), by)
    hand.turn((3, 1), "1/off(2)")
    hand.turn((3, 1), "8/5 6/5", "light")
    return hand


def replace_sure(event: AnyEvent, sure: float) -> AnyEvent:
    return msgspec.structs.replace(event, sure=sure) if isinstance(event, Played) else event


def essence(state: MatchState) -> MatchState:
    """The state without what only counts: events, time, numbers of flags."""
    return replace(state, events=0, seconds=0.0, given=0)


DICE = st.tuples(st.integers(1, 6), st.integers(1, 6))
SIDE = st.sampled_from(["light", "dark"])
PLAYS: dict[str, st.SearchStrategy[Any]] = {
    "notation": st.sampled_from(["8/5 6/5", "24/18 13/11", "", "bar/20", "6/off(2)", "13/7*"]),
    "moves": st.lists(st.tuples(st.integers(0, 25), st.integers(0, 25)), max_size=4),
    "after": st.sampled_from([position_id(Position.start(), LIGHT), "nonsense", "AAAAAAAAAAAAAA"]),
    "stands": st.booleans(),
}
LEGAL = "a legal play"
"""Stands for a play that the rules allow at that moment, chosen by a number."""


def said(kind: str, optional: dict[str, st.SearchStrategy[Any]] | None = None, **fields: Any) -> st.SearchStrategy[Any]:
    return st.fixed_dictionaries({"type": st.just(kind), **fields}, optional=optional or {})


LINE = st.integers(1, 8)
COMMANDS = st.one_of(
    said("roll", dice=DICE, side=SIDE),
    said("roll", dice=DICE),
    said(LEGAL, number=st.integers(0, 10_000)),
    said(LEGAL, number=st.integers(0, 10_000)),
    said("play", PLAYS),
    said("correct", {"dice": DICE, "game": st.integers(1, 3), "sure": st.booleans(), **PLAYS}, turn=LINE),
    said("insert", {"game": st.integers(1, 3), "sure": st.booleans(), **PLAYS}, turn=LINE, side=SIDE, dice=DICE),
    said("undo"),
    said("redo"),
    said("double"),
    said("take"),
    said("pass"),
    said("cube", value=st.sampled_from([1, 2, 4, 3]), owner=st.none() | SIDE),
    said("resign", side=SIDE, level=st.integers(1, 3)),
    said("score", light=st.integers(0, 4), dark=st.integers(0, 4)),
    said("position", {"turn": SIDE}, position=st.sampled_from(
        [position_id(Position.start(), LIGHT), position_id(Position.of({1: 1, 2: 1}, {1: 2}), LIGHT), "AAAAAAAAAAAAAA"]
    )),
    said("position", xgid=st.just("XGID=-b----E-C---eE---c-e----B-:1:-1:-1:63:1:2:0:3:10")),
    said("flag", number=st.integers(1, 5), how=st.sampled_from(["put right", "condoned", "stands", "corrected"])),
    *(said(kind) for kind in ("pause", "resume", "clock-start", "clock-stop")),
    said("names", light=st.sampled_from(["Jana", "Eva"]), dark=st.sampled_from(["Petr", " "])),
    said("role", role=st.sampled_from(["recorder", "monitor", "coach"])),
    said("clock", side=SIDE),
    said("confirm", turn=LINE),
)  # fmt: skip


def command_of(asked: dict[str, Any], state: MatchState) -> AnyCommand:
    """The command that is asked for; a legal play is looked up."""
    if asked["type"] == LEGAL:
        if state.turn is None or state.dice is None:
            asked = (
                {"type": "take"} if state.phase is Phase.OFFERED else {"type": "roll", "dice": (6, 5), "side": "light"}
            )
        else:
            plays = legal_plays(state.position, state.turn, state.dice, state.ruleset)
            after = plays[asked["number"] % len(plays)].result
            asked = {"type": "play", "after": position_id(after, LIGHT)}
    return read_command(msgspec.json.encode(asked))


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(COMMANDS, max_size=25))
def test_whatever_people_say_the_state_is_the_fold_of_what_was_written(asked: list[dict[str, Any]]) -> None:
    session = Session(MatchPlan(MATCH, 3, ("Jana", "Petr"), clock=True), "bottom-right")
    written = list(session.opening)
    for now, one in enumerate(asked, start=1):
        before, held = session.state, session.held
        try:
            events = session.command(command_of(one, before), now * 7.0)
        except CommandError:
            assert (session.state, session.held) == (before, held)
            continue
        written += events
        assert session.state == fold(written)
        assert list(session.held) == effective(written)
        assert session.state.clock is not None
        assert not session.state.paused or session.state.clock.since is None
        assert session.state.offered_by is None or session.state.phase not in (Phase.TO_ROLL, Phase.TO_PLAY)
        if one["type"] in ("play", LEGAL) and any(isinstance(e, Played | Resolved) for e in events):
            session_undone(session, before, now)
    follows_the_table(effective(written))
    numbers = [event.number for event in effective(written) if isinstance(event, Flagged)]
    assert len(set(numbers)) == len(numbers)
    record_of(written)


TRIGGERS = {
    GameStarted: Trigger.GAME_BEGUN,
    Rolled: Trigger.ROLLED,
    Played: Trigger.TURN_ENDED,
    Skipped: Trigger.SKIPPED,
    Doubled: Trigger.DOUBLED,
    Taken: Trigger.TAKEN,
    Passed: Trigger.PASSED,
    GameEnded: Trigger.GAME_WON,
}


def follows_the_table(held: Sequence[AnyEvent]) -> None:
    """Nothing happened that the turn machine does not know."""
    state = MatchState()
    for event in held:
        trigger = TRIGGERS.get(type(event))
        # A replay keeps what was played, even where a correction has left it no turn of its own.
        assert trigger is None or may(state.phase, trigger) or any(isinstance(e, Rewritten) for e in held), (
            state,
            event,
        )
        state = apply(state, event)


def session_undone(session: Session, before: MatchState, now: int) -> None:
    """Taking the turn back gives the state before it."""
    session = copy(session)
    try:
        session.command(read_command(b'{"type": "undo"}'), now * 7.0 + 1)
    except CommandError:
        return
    undone, wanted = essence(session.state), essence(before)
    assert undone == wanted


def test_only_where_the_rules_let_him_a_closed_out_player_misses_his_turn() -> None:
    closed = Position.of(light={25: 1, 6: 14}, dark={1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2, 13: 3})
    waits, rolls = Hand(), Hand(3, PRESETS["text-001"])
    for hand in (waits, rolls):
        hand.say("position", position=position_id(closed, LIGHT), turn="light")
    assert [type(event) for event in waits.say("play")] == [Skipped]
    assert rolls.refused("play") == "Nobody has rolled: say the dice first."
    rolls.turn((6, 5), "")
    assert rolls.state.turn is DARK


def test_the_other_may_double_after_the_turn_that_a_closed_out_player_misses() -> None:
    hand = Hand(0, MONEY)
    shut = Position.of(light={25: 1, 6: 14}, dark={1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2, 13: 3})
    hand.say("position", position=position_id(shut, LIGHT), turn="dark")
    hand.turn((2, 1), "13/11 13/12")
    hand.say("double")
    hand.say("pass")
    assert check(record_of(hand.said)).problems == ()


class TestJacobyRule:
    """Text 002: gammons count single while the cube is nobody's, be it doubled or not."""

    def test_a_gammon_with_the_cube_doubled_in_the_middle_counts_single(self) -> None:
        hand = Hand(0, MONEY)
        hand.say("position", position=position_id(Position.of(light={1: 2}, dark={6: 15}), LIGHT), turn="light")
        hand.say("cube", value=2)
        hand.turn((2, 1), "1/off(2)")
        assert (hand.state.score.light, check(record_of(hand.said)).problems) == (2, ())

    def test_a_gammon_with_the_cube_taken_counts_double(self) -> None:
        hand = Hand(0, MONEY)
        hand.say("position", position=position_id(Position.of(light={1: 2}, dark={6: 15}), LIGHT), turn="light")
        hand.say("double")
        hand.say("take")
        hand.turn((2, 1), "1/off(2)")
        assert (hand.state.score.light, check(record_of(hand.said)).problems) == (4, ())


class TestMarks:
    """Signs of chess, as text 002 has them."""

    def game(self) -> Hand:
        hand = Hand()
        hand.say("draw", light=3, dark=1)
        hand.say("play", notation="8/5 6/5")
        hand.say("roll", dice=[6, 2])
        hand.say("play", notation="24/18 13/11")
        hand.say("double")
        hand.say("take")
        return hand

    def marks(self, hand: Hand) -> list[str]:
        return [action.mark for action in record_of(hand.said).games[0].actions]

    def test_what_somebody_thinks_of_a_play_is_kept_with_it(self) -> None:
        hand = self.game()
        for turn, mark in ((1, "!"), (2, "??"), (3, "?"), (1, "!!")):
            hand.say("mark", turn=turn, mark=mark)
        assert self.marks(hand) == ["!!", "??", "?", ""]
        assert dict(hand.state.marks) == {1: "!!", 2: "??", 3: "?"}
        hand.say("mark", turn=2, mark="")
        assert self.marks(hand) == ["!!", "", "?", ""]

    def test_it_stays_when_a_later_act_is_taken_back_or_a_line_is_put_in_before(self) -> None:
        hand = self.game()
        hand.say("mark", turn=2, mark="?")
        hand.say("undo")
        assert self.marks(hand) == ["", "?", ""]
        hand.say("redo")
        hand.say("correct", turn=1, notation="24/23 24/21")
        assert self.marks(hand) == ["", "?", "", ""]

    def test_it_goes_with_its_line_when_one_is_put_in_before_it(self) -> None:
        hand = Hand()
        hand.say("draw", light=3, dark=1)
        hand.say("play", notation="8/5 6/5")
        hand.say("roll", dice=[6, 2])
        hand.say("play", notation="24/18 13/11")
        hand.say("mark", turn=2, mark="?!")
        hand.say("insert", turn=2, side="dark", dice=[2, 1], notation="13/11 6/5")
        found = [
            (action.dice, action.mark)
            for action in record_of(hand.said).games[0].actions
            if isinstance(action, PlayAction)
        ]
        assert found == [((3, 1), ""), ((2, 1), ""), ((6, 2), "?!")]

    def test_there_must_be_something_to_mark(self) -> None:
        hand = self.game()
        with pytest.raises(CommandError, match="This game has 4 lines"):
            hand.say("mark", turn=9, mark="?")
        with pytest.raises(msgspec.ValidationError):
            read_command(b'{"type": "mark", "turn": 1, "mark": "???"}')
