"""What the referee wrote down becomes a record: every play, cube action and result, from the mover's view."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import chain
from pathlib import Path

import msgspec
import pytest

from controller.app.match_journal import unfinished
from controller.app.view import games_before
from controller.record.analysis import is_over, may_analyse
from controller.record.check import check
from controller.record.formats import parse_record, read_record, write_record
from controller.record.from_events import record_of
from controller.record.journal import Journal, StoredEvent, read_events, write_events
from controller.record.mat_writer import write_mat
from controller.record.matches import Matches
from controller.record.model import (
    DoubleAction,
    PassAction,
    PlayAction,
    Record,
    RecordedFlag,
    ResignAction,
    SetAction,
    TakeAction,
)
from controller.record.of_journal import match_at, records_in
from controller.record.replay import add_score
from controller.record.salvage import LOST, recover
from controller.record.turns import turns_of
from controller.referee.events import (
    VERSION,
    Adjusted,
    AnyEvent,
    Doubled,
    Flagged,
    Found,
    GameEnded,
    GameStarted,
    MatchStarted,
    Named,
    Passed,
    Played,
    Resolved,
    Rewritten,
    Rolled,
    Skipped,
    Taken,
    Why,
    encode,
    kind,
)
from controller.referee.turns import Phase
from controller.rules import MONEY, Position, Side, format_play, legal_plays, position_id, ruleset_from, ruleset_keys
from tests.referee.test_chouette import Table
from tests.referee.test_commands import Hand, opened
from web.operator import MatchLine

LIGHT, DARK = Side.LIGHT, Side.DARK


class Writer:
    """Writes a match down as the referee would."""

    def __init__(self, length: int = 3, rules: str = "match", keys: dict[str, object] | None = None) -> None:
        self.position = Position.start()
        start = position_id(self.position, LIGHT)
        self.events: list[AnyEvent] = [
            MatchStarted(length=length, light="Jana", dark="Petr", rules=rules, position=start, keys=keys or {})
        ]

    def game(self, number: int) -> None:
        self.position = Position.start()
        self.events.append(GameStarted(number=number))

    def turn(self, side: Side, dice: tuple[int, int], *moves: tuple[int, int], **said: object) -> None:
        play = next(
            play
            for play in legal_plays(self.position, side, dice)
            if sorted((move.source, move.target) for move in play.moves) == sorted(moves)
        )
        before, self.position = self.position, play.result
        self.events += [
            Rolled(side=side, dice=dice),
            Played(
                side=side,
                dice=dice,
                before=position_id(before, LIGHT),
                after=position_id(self.position, LIGHT),
                moves=tuple((move.source, move.target) for move in play.moves),
                notation=format_play(play),
                legal=True,
                **said,  # type: ignore[arg-type]
            ),
        ]


def cube_match() -> Writer:
    """Two games to 3 points: dark doubles and light takes; light doubles back and dark passes; a second game begins."""
    match = Writer()
    match.game(1)
    match.turn(LIGHT, (3, 1), (8, 5), (6, 5), seconds=12.5)
    match.events += [Doubled(side=DARK, value=2), Taken(side=LIGHT)]
    match.turn(DARK, (6, 2), (24, 18), (13, 11), seconds=31.0, sure=0.8, roll_seen=False)
    match.events += [Doubled(side=LIGHT, value=4), Passed(side=DARK), GameEnded(winner=LIGHT, level=1, points=2)]
    match.game(2)
    match.turn(DARK, (4, 3), (13, 10), (13, 9))
    return match


def listed(events: list[AnyEvent]) -> MatchLine:
    """What the list of a journal has of a match."""
    matches = Matches()
    for number, event in enumerate(events, start=1):
        matches.add(StoredEvent(number, "b", "m", 0, kind(event), VERSION, "2026-11-20T10:00:00+00:00", encode(event)))
    return matches.lines()[0]


def test_every_action_is_there_in_order() -> None:
    record = record_of(cube_match().events)
    first, second = record.games
    assert [type(action) for action in first.actions] == [
        PlayAction,
        DoubleAction,
        TakeAction,
        PlayAction,
        DoubleAction,
        PassAction,
    ]
    assert [action.player for action in first.actions] == [0, 1, 0, 1, 0, 1]
    assert (first.score, first.winner, first.points, first.crawford) == ((0, 0), 0, 2, False)
    assert (second.score, second.winner, second.points, second.crawford) == ((2, 0), None, None, True)
    assert [(player.name, player.color) for player in record.players] == [("Jana", "light"), ("Petr", "dark")]
    assert (record.length, record.rules) == (3, "match")


def test_positions_are_told_with_the_mover_on_roll_before_and_after() -> None:
    match = cube_match()
    play = record_of(match.events).games[1].actions[0]
    assert isinstance(play, PlayAction)
    assert play.before == position_id(Position.start(), DARK)
    assert play.after == position_id(match.position, DARK)
    assert play.moves == ((13, 10), (13, 9)) or play.moves == ((13, 9), (13, 10))


def test_doubt_and_time_stay_with_the_play() -> None:
    sure, doubtful = (a for a in record_of(cube_match().events).games[0].actions if isinstance(a, PlayAction))
    assert (sure.confidence, sure.inferred, sure.seconds) == (None, False, 12.5)
    assert (doubtful.confidence, doubtful.inferred, doubtful.seconds) == (0.8, True, 31.0)


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (("Light", "Dark"), ("není ukončen: Černý.", "nie je ukončený: Čierny.")),
        (("Jana", "Dark"), ("není ukončen: Černý.", "nie je ukončený: Čierny.")),
        (("Light", "Petr"), ("není ukončen: Petr.", "nie je ukončený: Petr.")),
    ],
)
def test_what_was_said_calls_whom_nobody_has_named_by_his_colour(names: tuple[str, str], said: tuple[str, str]) -> None:
    match = Writer()
    match.game(1)
    early = Flagged(number=1, code="R04", side=DARK, text="Rolled early.", reasons=(Why("R04", {"side": "dark"}),))
    match.events += [Named(light=names[0], dark=names[1]), early]
    match.turn(LIGHT, (3, 1), (8, 5), (6, 5))
    (flag,) = record_of(match.events).games[0].actions[0].flagged
    for language, words in zip(("cs", "sk"), said, strict=True):
        assert words in flag.translations[language]
        assert "Side." not in flag.translations[language]


def test_what_the_referee_said_stands_with_the_turn_in_which_it_was_said() -> None:
    match = Writer()
    match.game(1)
    odd = Flagged(number=1, code="R13", side=None, text="The set-up is odd.")
    match.events += [odd, Resolved(number=1, how="put right")]
    match.turn(LIGHT, (3, 1), (8, 5), (6, 5))
    match.events.append(Flagged(number=2, code="R04", side=LIGHT, text="Rolled early."))
    match.turn(DARK, (6, 2), (24, 18), (13, 11))
    match.events.append(Resolved(number=2, how="stands"))
    afterwards = Flagged(number=3, code="R19", side=DARK, text="It stands.")
    match.events += [
        afterwards,
        Resolved(number=3, how="stands"),
        Flagged(number=4, code="R01", side=LIGHT, text="Cocked."),
    ]
    files = {1: ("m-0001-before.jpg",), 2: ("m-0002-after.jpg", "m-0002-clip.webm")}
    first, second = record_of(match.events, evidence=lambda flag: files.get(flag, ())).games[0].actions
    assert first.flagged == (RecordedFlag(1, "R13", "The set-up is odd.", None, "put right"),)
    assert (first.flags, first.evidence) == (("R13",), files[1])
    assert [(one.code, one.player, one.how) for one in second.flagged] == [
        ("R04", 0, "stands"), ("R19", 1, "stands"), ("R01", 0, ""),
    ]  # fmt: skip
    assert (second.flags, second.evidence) == (("R04", "R19", "R01"), files[2])


def test_what_is_said_changes_nothing_of_what_was_played() -> None:
    match = cube_match()
    spoken: list[AnyEvent] = []
    for event in match.events:
        spoken.append(event)
        if isinstance(event, Played):
            flag = Flagged(number=1, code="R04", side=event.side.other, text="Rolled early.")
            spoken += [flag, Resolved(number=1, how="put right")]

    def silent(record: Record) -> list[object]:
        return [
            msgspec.structs.replace(action, flagged=(), flags=()) for game in record.games for action in game.actions
        ]

    assert silent(record_of(spoken)) == silent(record_of(match.events))


def test_a_board_and_a_cube_that_a_person_set_are_told_as_such() -> None:
    match = Writer()
    match.game(1)
    match.turn(LIGHT, (3, 1), (8, 5), (6, 5))
    other = Position.of(light={24: 2, 13: 5, 8: 3, 6: 5}, dark={24: 1, 13: 5, 8: 3, 6: 5, 2: 1})
    now = Adjusted(position=position_id(other, LIGHT), turn=DARK, cube=4, owner=LIGHT, seconds=40.0)
    match.events.append(now)
    match.position = other
    match.turn(DARK, (6, 2), (24, 18), (13, 11))
    (game,) = record_of(match.events).games
    assert [type(action) for action in game.actions] == [PlayAction, SetAction, PlayAction]
    change = game.actions[1]
    assert isinstance(change, SetAction)
    assert (change.player, change.cube, change.owner, change.corrected) == (1, 4, 0, True)
    assert change.position == position_id(other, DARK)
    checked = check(record_of(match.events))
    assert [problem.split(" is ")[-1].split(" to ")[0] for problem in checked.problems[:2]] == [
        "on roll where the board was set by hand", "on roll where the cube was set by hand",
    ]  # fmt: skip
    assert not any("begins from another board" in problem for problem in checked.problems)


def test_a_game_that_a_person_set_up_begins_there() -> None:
    match = Writer()
    match.game(1)
    start = Position.of(light={6: 2, 1: 3}, dark={6: 2, 1: 3})
    match.events.append(Adjusted(position=position_id(start, LIGHT), turn=LIGHT, cube=2, score=(1, 2)))
    (game,) = record_of(match.events).games
    assert (game.start, game.cube, game.score, game.actions) == (position_id(start, LIGHT), 2, (1, 2), ())


def test_a_turn_that_was_played_otherwise_after_all_stands_once() -> None:
    match = Writer()
    match.game(1)
    match.turn(LIGHT, (3, 1), (8, 5), (8, 7))
    match.events.append(Flagged(number=1, code="R19", side=LIGHT, text="It stands."))
    match.position = Position.start()
    match.turn(LIGHT, (3, 1), (8, 5), (6, 5), redo=True, took=6.5, by_hand=True)
    ((play,),) = (game.actions for game in record_of(match.events).games)
    assert isinstance(play, PlayAction)
    assert (play.moves, play.took, play.corrected) == (((8, 5), (6, 5)), 6.5, True)
    assert [one.code for one in play.flagged] == ["R19"]


def test_what_people_took_back_is_in_no_record() -> None:
    match = cube_match()
    whole = record_of(match.events)
    # Back to before light doubled; then dark resigns a gammon.
    to = next(at for at, event in enumerate(match.events) if isinstance(event, Doubled) and event.side is LIGHT)
    end = GameEnded(winner=LIGHT, level=2, points=4, ending="resigned")
    match.events.append(Rewritten(to=to, given=0, then=(end,)))
    (game,) = record_of(match.events).games
    assert game.actions[:-1] == whole.games[0].actions[:-2]
    assert game.actions[-1] == ResignAction(1, 4, 2, seconds=0.0)
    assert (game.winner, game.points) == (0, 4)
    assert check(record_of(match.events)).problems == ()


def test_rules_of_ones_own_are_kept_and_checked_by(tmp_path: Path) -> None:
    rules = ruleset_from({"preset": "match", "move": {"compulsory": False}})
    match = Writer(rules=rules.name, keys=dict(ruleset_keys(rules)))
    match.game(1)
    after = Position.of(light={24: 2, 13: 5, 8: 2, 6: 5, 5: 1}, dark={24: 2, 13: 5, 8: 3, 6: 5})
    ids = position_id(match.position, LIGHT), position_id(after, LIGHT)
    match.events.append(
        Played(side=LIGHT, dice=(3, 1), before=ids[0], after=ids[1], moves=((8, 5),), notation="8/5", legal=True)
    )
    record = record_of(match.events)
    assert record.rule_keys["move.compulsory"] is False
    write_record(record, tmp_path / "m.json")
    assert read_record(tmp_path / "m.json").rule_keys == json.loads(json.dumps(record.rule_keys))
    assert check(read_record(tmp_path / "m.json")).problems == ("game 1 is not finished.",)
    assert len(check(msgspec.structs.replace(record, rule_keys={})).problems) == 2


def keep(path: Path, matches: dict[str, list[AnyEvent]]) -> None:
    """A journal with these matches, an event a second."""
    noon = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
    with Journal(path, clock=lambda: noon) as journal:
        for match, events in matches.items():
            for event in events:
                journal.append(kind(event), VERSION, encode(event), "board-1", match, 1)


def test_the_matches_of_a_journal_with_their_times_and_pictures(tmp_path: Path) -> None:
    first = cube_match()
    first.events.append(Flagged(number=1, code="R04", side=LIGHT, text="Rolled early."))
    keep(tmp_path / "j.db", {"a1": first.events, "b2": Writer(length=5).events})
    one, other = records_in(tmp_path / "j.db", lambda match, flag: (f"{match}-{flag}.jpg",))
    assert (one.match_id, other.match_id, other.games, other.length) == ("a1", "b2", (), 5)
    assert one.date == "2026-11-20"
    assert {action.wall_time for game in one.games for action in game.actions} == {"2026-11-20T12:00:00.000+00:00"}
    assert one.games[-1].actions[-1].evidence == ("a1-1.jpg",)
    assert [[type(action) for action in game.actions] for game in one.games] == [
        [type(action) for action in game.actions] for game in record_of(first.events).games
    ]


def test_what_was_played_after_a_corrected_turn_keeps_its_times(tmp_path: Path) -> None:
    """The correction tells all of it anew, hours later; so do taking it back and doing it again."""
    hand, clock = opened(), iter(range(100))
    noon = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
    with Journal(tmp_path / "j.db", clock=lambda: noon + timedelta(hours=next(clock))) as journal:
        for event in hand.said:
            journal.append(kind(event), VERSION, encode(event), "board-1", "a1", 1)
        (before,) = records_in(tmp_path / "j.db")
        hand.now -= 1.0  # what is said of an earlier match bears its last moment
        said = [hand.say("confirm", turn=3), hand.say("correct", turn=2, dice=(6, 1), notation="24/18 6/5")]
        for event in chain.from_iterable([*said, hand.say("undo"), hand.say("redo")]):
            journal.append(kind(event), VERSION, encode(event), "board-1", "a1", 1)
        (after,) = records_in(tmp_path / "j.db")
    times = [action.wall_time for action in before.games[0].actions]
    assert len(set(times)) == 3
    assert [action.wall_time for action in after.games[0].actions] == times
    assert after.games[0].actions[1] != before.games[0].actions[1]


def test_a_recovered_journal_says_what_was_lost_and_tells_the_rest(tmp_path: Path) -> None:
    match = cube_match()
    match.events += [
        Flagged(number=1, code="R01", side=LIGHT, text="Cocked."),
        Resolved(number=1, how="put right"),
    ]
    keep(tmp_path / "j.db", {"a1": match.events})
    data = (tmp_path / "j.db").read_bytes()
    (tmp_path / "j.db").write_bytes(data.replace(b'"Cocked."', b'"Cooked."'))
    assert recover(tmp_path / "j.db", tmp_path / "saved.db").lost == (len(match.events) - 1,)
    (record,) = records_in(tmp_path / "saved.db")
    assert record.problems == ("1 of its events were lost with a damaged journal.",)
    assert [len(game.actions) for game in record.games] == [6, 1]


@pytest.mark.parametrize("lost", range(2, 8))
def test_a_referee_goes_on_from_a_recovered_journal_and_corrections_still_cut_where_they_should(
    tmp_path: Path, lost: int
) -> None:
    match = cube_match()
    to = next(at for at, event in enumerate(match.events) if isinstance(event, Doubled) and event.side is LIGHT)
    correction = Rewritten(to=to, given=0, then=(Doubled(side=LIGHT, value=4, seconds=77.0),))
    keep(tmp_path / "j.db", {"a1": [*match.events, correction]})
    rows = list(read_events(tmp_path / "j.db"))
    kept = [replace(row, kind=LOST, payload="{}") if row.sequence == lost else row for row in rows]
    write_events(tmp_path / "saved.db", kept)
    with Journal(tmp_path / "saved.db") as journal:
        found = unfinished(journal)
        name, events = found.match, found.held
        assert journal.append(kind(correction), VERSION, encode(correction), "board-1", name, 1) == len(rows) + 1
    assert name == "a1"
    assert [event for event in events if not isinstance(event, Rewritten)] == [
        *(event for number, event in enumerate(match.events[:to], start=1) if number != lost),
        *correction.then,
    ]


def test_the_match_that_is_on_is_known_while_the_referee_runs(tmp_path: Path) -> None:
    keep(tmp_path / "j.db", {"a1": cube_match().events})
    assert match_at(tmp_path / "j.db") is None
    assert match_at(tmp_path / "none.db") is None
    with Journal(tmp_path / "j.db"):
        current = match_at(tmp_path / "j.db")
    assert current is not None
    assert current.match_id == "a1"
    assert "match to 3 is being played" in may_analyse(current)


def test_an_illegal_play_that_stands_is_kept_as_it_stands_and_named_by_check() -> None:
    match = Writer()
    match.game(1)
    start = Position.start()
    stands = Position.of(light={24: 2, 13: 5, 8: 3, 6: 4, 2: 1}, dark={24: 2, 13: 5, 8: 3, 6: 5})
    ids = position_id(start, LIGHT), position_id(stands, LIGHT)
    match.events.append(
        Played(side=LIGHT, dice=(3, 1), before=ids[0], after=ids[1], moves=(), notation="", legal=False)
    )
    record = record_of(match.events)
    (play,) = record.games[0].actions
    assert isinstance(play, PlayAction)
    assert (play.legal, play.after) == (False, ids[1])
    assert check(record).problems[0].startswith("game 1, action 1, Jana has a play")


@pytest.mark.parametrize("ending", [".json", ".sgf"])
def test_a_double_that_ends_with_a_position_set_by_hand_counts_for_nothing(ending: str, tmp_path: Path) -> None:
    hand = Hand()
    hand.turn((3, 1), "8/5 6/5", "light")
    hand.say("double")
    last = position_id(Position.of(light={1: 1}, dark={1: 2, 3: 1}), LIGHT)
    hand.say("position", position=last, turn="light")
    hand.turn((2, 1), "1/off")
    assert hand.state.score.light == 1
    path = tmp_path / f"match{ending}"
    write_record(record_of(hand.said), path)
    record = read_record(path)
    assert (record.games[0].winner, record.games[0].points) == (0, 1)
    assert not any("it was worth" in problem for problem in check(record).problems)


@pytest.mark.parametrize("ending", [".json", ".sgf"])
def test_a_game_begins_from_the_position_that_was_set_last(ending: str, tmp_path: Path) -> None:
    hand = Hand()
    first = position_id(Position.of(light={1: 2}, dark={1: 2, 3: 1}), LIGHT)
    hand.say("position", position=first)
    hand.say("position", position=position_id(Position.start(), LIGHT))
    hand.turn((3, 1), "8/5 6/5", "light")
    path = tmp_path / f"match{ending}"
    write_record(record_of(hand.said), path)
    record = read_record(path)
    assert record.games[0].start == ""
    assert [action.legal for action in record.games[0].actions if isinstance(action, PlayAction)] == [True]
    assert [problem.removeprefix("line 1: ") for problem in check(record).problems] == ["game 1 is not finished."]


@pytest.mark.parametrize("ending", [".json", ".sgf"])
def test_a_cube_that_was_set_before_the_first_roll_keeps_its_owner(ending: str, tmp_path: Path) -> None:
    hand = Hand(0, MONEY)
    hand.say("cube", value=2, owner="light")
    hand.turn((3, 1), "8/5 6/5", "light")
    hand.say("resign", side="dark", level=2)
    assert hand.state.score.light == 4
    path = tmp_path / f"match{ending}"
    write_record(record_of(hand.said), path)
    record = read_record(path)
    assert (record.games[0].cube, record.games[0].owner, record.games[0].points) == (2, 0, 4)
    assert check(record).problems == ()


def test_a_game_that_was_set_up_wrongly_at_first_is_one_game() -> None:
    """What stood there before anybody threw is no game of which the end was missed: with one, no transcript could be written."""
    wrong = Position.of(light={24: 2, 13: 5, 8: 2, 7: 1, 6: 5}, dark={24: 2, 13: 5, 8: 3, 6: 5})
    match = cube_match()
    begun = len(match.events) - 2
    assert isinstance(match.events[begun - 1], GameStarted)
    match.events[begun:begun] = [
        Found(position=position_id(wrong, LIGHT), cube=1, owner=None),
        Flagged(number=1, code="R13", side=None, text="Starting position differs on points 7, 8."),
        Resolved(number=1, how="put right"),
        Found(position=position_id(Position.start(), LIGHT), cube=1, owner=None, lost=6.0),
        GameStarted(number=2),
    ]
    record = record_of(match.events)
    assert [(game.score, game.start, len(game.actions)) for game in record.games] == [((0, 0), "", 6), ((2, 0), "", 1)]
    assert [one.how for one in record.games[1].actions[0].flagged] == ["put right"]
    assert check(record).problems == ("game 2 is not finished.",)
    assert write_mat(record)
    assert listed(match.events).games == 2
    assert [one.number for one in games_before(match.events)] == [1]
    assert [(one.game, one.line) for one in turns_of(match.events)] == [(1, at) for at in range(1, 7)] + [(2, 1)]
    corrected = [*match.events, Rewritten(to=begun + 5, given=1, then=tuple(match.events[begun + 5 :]))]
    assert listed(corrected).games == len(record_of(corrected).games) == 2


def test_a_game_that_was_broken_off_stays_beside_the_one_that_begins_instead() -> None:
    match = cube_match()
    match.events += [
        Found(position=position_id(Position.start(), LIGHT), cube=1, owner=None, lost=6.0),
        GameStarted(number=2),
    ]
    match.position = Position.start()
    match.turn(LIGHT, (3, 1), (8, 5), (6, 5))
    _, broken, again = record_of(match.events).games
    assert [type(action) for action in broken.actions] == [PlayAction, SetAction]
    assert (broken.winner, again.score, len(again.actions)) == (None, (2, 0), 1)
    assert listed(match.events).games == 3
    assert [one.number for one in games_before(match.events)] == [1, 2]
    assert [(one.line, one.doubt) for one in turns_of(match.events)][-3:] == [(0, None), (0, "gap"), (1, None)]
    corrected = [*match.events, Rewritten(to=len(match.events), given=1)]
    assert listed(corrected).games == len(record_of(corrected).games) == 3


@pytest.mark.parametrize("won", [True, False])
def test_a_match_that_is_over_by_a_score_that_was_put_right_is_over_in_its_record(won: bool) -> None:
    """Else the page lists it as over, and neither archive nor analysis ever takes it."""
    hand = Hand(3)
    hand.turn((3, 1), "8/5 6/5", "light")
    if won:
        hand.say("resign", side="dark", level=1)
    assert not is_over(record_of(hand.said))
    hand.say("score", light=3, dark=1)
    assert hand.state.phase is Phase.MATCH_OVER
    record = record_of(hand.said)
    (game,) = record.games
    assert is_over(record)
    assert (game.score, game.winner, game.points) == (((2, 1), 0, 1) if won else ((3, 1), None, None))
    hand.say("undo")
    assert not is_over(record_of(hand.said))


@pytest.mark.parametrize("agreed", [(1, 5), (0, 5), (2, 3), (0, 0)])
def test_a_score_that_leaves_less_than_the_last_game_gave_is_that_of_its_record(agreed: tuple[int, int]) -> None:
    """Archive, hub and tournament have no other score of it."""
    hand = Hand(5)
    hand.turn((3, 1), "8/5 6/5", "light")
    hand.say("resign", side="dark", level=2)
    hand.say("score", light=agreed[0], dark=agreed[1])
    record = record_of(hand.said)
    assert add_score(record.games[0].score, record.games[0]) == agreed
    assert is_over(record) == (hand.state.phase is Phase.MATCH_OVER)
    again = parse_record(write_mat(record))
    assert [action.kind for action in again.games[0].actions] == ["play", "resign"]


def test_a_crawford_game_is_none_at_a_score_that_ends_the_match() -> None:
    hand = Hand(3)
    hand.say("score", light=2, dark=0)
    hand.turn((3, 1), "8/5 6/5", "light")
    assert record_of(hand.said).games[0].crawford
    hand.say("score", light=3, dark=0)
    (game,) = record_of(hand.said).games
    assert (game.score, game.crawford) == ((3, 0), False)


def test_a_double_waits_for_its_answer_on_a_board_that_was_put_right() -> None:
    hand = Hand()
    hand.turn((3, 1), "8/5 6/5", "light")
    hand.say("double")
    hand.say("position", position=position_id(Position.start(), LIGHT))
    hand.say("pass")
    assert not any("where no double was offered" in problem for problem in check(record_of(hand.said)).problems)


def test_a_player_who_need_not_roll_leaves_the_turns_of_the_other_in_place() -> None:
    match = Writer()
    match.game(1)
    match.turn(LIGHT, (3, 1), (8, 5), (6, 5))
    plays = len(record_of(match.events).games[0].actions)
    match.events.append(Skipped(side=DARK))
    assert len(record_of(match.events).games[0].actions) == plays


def test_a_match_that_has_only_begun_is_a_record_without_games() -> None:
    record = record_of(Writer(length=5).events)
    assert (record.games, record.length) == ((), 5)
    assert record_of([]).games == ()


@pytest.mark.parametrize("ending", ["mat", "sgf", "json"])
def test_it_comes_back_from_every_format(ending: str, tmp_path: Path) -> None:
    def told(record: Record) -> list[object]:
        return [
            (game.score, game.winner, game.points, action.player, type(action), getattr(action, "after", None))
            for game in record.games
            for action in game.actions
        ]

    record = record_of(cube_match().events)
    path = tmp_path / f"match.{ending}"
    write_record(record, path)
    assert told(read_record(path)) == told(record)
    assert [problem.split("game ")[-1] for problem in check(read_record(path)).problems] == ["2 is not finished."]


def test_a_gammon_that_the_box_gave_up_in_a_chouette_is_written_as_one() -> None:
    """The board has no cube of its own there, so that by the Jacoby rule the event holds a single game."""
    table = Table()
    table.turn((3, 1), "8/5 6/5", "dark")
    table.on("Petr", "double", "take")
    table.on("Cyril", "double", "take")
    table.on("Dana", "double", "take")
    table.say("resign", side="light", level=2)
    assert table.standings == {"Jana": -12, "Petr": 4, "Cyril": 4, "Dana": 4}
    *_, given_up = table.record.games[0].actions
    assert isinstance(given_up, ResignAction)
    assert given_up.level == 2
    assert not any("resignation" in problem for problem in check(table.record).problems)
