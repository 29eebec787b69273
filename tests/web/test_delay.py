"""An audience sees the board later: by seconds, by turns, and never what was hidden."""

from __future__ import annotations

import time

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.web.table import TableReferee
from tests.web.views import played_view, start_view
from web.app import Audience, create_app
from web.delay import Delay, DelayLine, delayed, longer, unseen
from web.desk import Desk
from web.hub import PackedView, ViewHub
from web.operator import MatchLine
from web.security import PinKeeper
from web.view import PlayView, View


def view(sequence: int, plays: int, game: int = 1) -> View:
    lines = tuple(PlayView(number, "light", (3, 1), "8/5 6/5") for number in range(1, plays + 1))
    return msgspec.structs.replace(start_view(sequence), plays=lines, game=game)


def snapshot(sequence: int, plays: int, game: int = 1) -> PackedView:
    return PackedView(sequence, msgspec.json.encode(view(sequence, plays, game)), "")


def shown(line: DelayLine, now: float) -> list[int]:
    return [one.sequence for one in line.take(now)]


def test_a_view_waits_its_seconds() -> None:
    line = DelayLine(Delay(seconds=30))
    line.put(snapshot(1, 0), 100.0)
    line.put(snapshot(2, 0), 110.0)
    assert shown(line, 129.9) == []
    assert shown(line, 130.0) == [1]
    assert shown(line, 200.0) == [2]


def test_a_view_waits_until_so_many_turns_are_played() -> None:
    line = DelayLine(Delay(turns=2))
    for sequence, plays in ((1, 0), (2, 1), (3, 1)):
        line.put(snapshot(sequence, plays), 0.0)
    assert shown(line, 1e6) == []
    line.put(snapshot(4, 2), 0.0)
    assert shown(line, 0.0) == [1]
    line.put(snapshot(5, 1, game=2), 0.0)
    assert shown(line, 0.0) == [2, 3]


def test_turns_that_are_taken_back_and_played_anew_show_nothing_that_was_hidden() -> None:
    line = DelayLine(Delay(turns=2))
    course = [(0, 1), (1, 1), (2, 1), (1, 1), (2, 1), (1, 1), (2, 1), (0, 2), (2, 1), (0, 2)]
    for sequence, (plays, game) in enumerate(course, start=1):
        line.put(snapshot(sequence, plays, game), 0.0)
    assert shown(line, 1e6) == [1]
    line.put(snapshot(11, 1, game=2), 0.0)
    assert shown(line, 1e6) == [2]
    line.put(snapshot(12, 2, game=2), 0.0)
    assert shown(line, 1e6) == list(range(3, 11))


@pytest.mark.parametrize("phase", ["to roll", "match over"])
def test_what_is_played_while_the_board_is_set_up_shows_nothing_that_was_hidden(phase: str) -> None:
    line = DelayLine(Delay(turns=2))
    line.put(snapshot(1, 3), 0.0)
    practised = msgspec.structs.replace(view(2, 9), practice=True, phase=phase)
    line.put(PackedView(2, msgspec.json.encode(practised), ""), 0.0)
    assert shown(line, 1e6) == []
    line.put(snapshot(3, 4), 0.0)
    line.put(snapshot(4, 5), 0.0)
    assert shown(line, 1e6) == [1, 2]


def test_the_turns_of_another_match_count_from_its_first() -> None:
    line = DelayLine(Delay(turns=1))
    for sequence, plays, match in ((1, 5, "first"), (2, 0, "second"), (3, 1, "second")):
        now = msgspec.structs.replace(view(sequence, plays), match_id=match)
        line.put(PackedView(sequence, msgspec.json.encode(now), ""), 0.0)
    assert shown(line, 1e6) == [1, 2]


@given(
    steps=st.lists(st.tuples(st.floats(0, 20), st.integers(0, 5), st.integers(1, 2)), max_size=30),
    delay=st.builds(Delay, st.floats(0, 60), st.integers(0, 3)),
)
def test_views_come_once_in_order_and_never_early(steps: list[tuple[float, int, int]], delay: Delay) -> None:
    line, now, came = DelayLine(delay), 0.0, list[int]()
    put: dict[int, float] = {}
    for sequence, (wait, plays, game) in enumerate(steps, start=1):
        now += wait
        put[sequence] = now
        line.put(snapshot(sequence, plays, game), now)
        for one in shown(line, now):
            assert now - put[one] >= delay.seconds
            came.append(one)
    assert came == sorted(set(came))


def test_without_a_delay_it_is_the_same_hub() -> None:
    hub = ViewHub()
    assert delayed(hub, Delay()) is hub


def test_viewers_wait_while_the_operator_sees_it_at_once() -> None:
    hub, keeper = ViewHub(), PinKeeper(None)
    app = create_app(hub, desk=Desk(TableReferee(), keeper), audience=Audience(viewers=Delay(seconds=3600)))
    hub.publish(played_view(7))
    viewer, operator = app.test_client(), app.test_client()
    operator.post("/desk", data={"pin": keeper.fresh})
    assert operator.get("/api/state").json["sequence"] == 7
    time.sleep(0.6)
    answer = viewer.get("/api/state")
    assert answer.status_code == 503
    assert "where viewers see it later, that much later" in answer.json["error"]


def test_a_short_delay_ends() -> None:
    hub = ViewHub()
    audience = delayed(hub, Delay(seconds=0.1))
    hub.publish(start_view(1))
    end = time.monotonic() + 10
    while audience.latest is None and time.monotonic() < end:
        time.sleep(0.05)
    assert audience.latest is not None


@pytest.mark.parametrize("part", ["board", "score", "roll", "pips", "clock"])
def test_an_overlay_needs_its_key(part: str) -> None:
    hub = ViewHub()
    hub.publish(start_view(1))
    client = create_app(hub, audience=Audience(key="se&cret")).test_client()
    assert client.get(f"/overlay/{part}").status_code == 403
    assert client.get(f"/overlay/{part}?key=guess").status_code == 403
    answer = client.get(f"/overlay/{part}?key=se%26cret")
    assert answer.status_code == 200
    assert 'data-query="?for=overlay&amp;key=se%26cret"' in answer.text
    assert client.get("/api/state?for=overlay").status_code == 403
    assert client.get("/api/state?for=overlay&key=se%26cret").status_code == 200


def told_at_once(audience: Audience, query: str) -> bool:
    """Whether a view is there for whoever asks so as soon as the operator has it."""
    hub, keeper = ViewHub(), PinKeeper(None)
    app = create_app(hub, desk=Desk(TableReferee(), keeper), audience=audience)
    hub.publish(played_view(7))
    viewer, operator = app.test_client(), app.test_client()
    operator.post("/desk", data={"pin": keeper.fresh})
    assert operator.get("/api/state").json["sequence"] == 7
    time.sleep(0.3)
    seen = [
        viewer.get(f"/api/state?{query}").status_code == 200,
        b"data: {" in viewer.get(f"/events?{query}").data,
    ]
    assert viewer.get("/healthz").json["sequence"] == (None if audience.viewers else 7)
    hub.hang_up()
    assert len(set(seen)) == 1
    return seen[0]


LONG = Delay(seconds=3600)


@pytest.mark.parametrize(
    ("audience", "query", "at_once"),
    [
        (Audience(viewers=LONG), "for=overlay", False),
        (Audience(viewers=LONG), "for=overlay&key=", False),
        (Audience(viewers=LONG, overlay=Delay(turns=1)), "for=overlay", False),
        (Audience(viewers=Delay(turns=1)), "for=overlay", False),
        (Audience(viewers=LONG), "for=desk", False),
        (Audience(viewers=LONG, key="k"), "for=overlay&key=k", True),
        (Audience(overlay=LONG), "for=overlay", False),
        (Audience(overlay=LONG), "", True),
        (Audience(), "for=overlay", True),
    ],
)
def test_without_a_key_nobody_sees_anything_before_viewers_do(audience: Audience, query: str, at_once: bool) -> None:
    assert told_at_once(audience, query) is at_once


@given(st.builds(Delay, st.floats(0, 60), st.integers(0, 5)), st.builds(Delay, st.floats(0, 60), st.integers(0, 5)))
def test_the_longer_of_two_delays_ends_no_earlier_than_either(one: Delay, other: Delay) -> None:
    found = longer(one, other)
    assert all(found.seconds >= each.seconds and found.turns >= each.turns for each in (one, other))


@pytest.mark.parametrize(
    ("role", "phase", "silent"),
    [("recorder", "to play", True), ("recorder", "match over", False), ("monitor", "to play", False)],
)
def test_what_a_silent_recorder_thinks_is_read_by_operators_only(role: str, phase: str, silent: bool) -> None:
    hub, keeper, referee = ViewHub(), PinKeeper(None), TableReferee()
    app = create_app(hub, {1: b"jpeg"}.get, desk=Desk(referee, keeper))
    hub.publish(msgspec.structs.replace(start_view(1), role=role, phase=phase, match_id="abc"))
    viewer, operator = app.test_client(), app.test_client()
    operator.post("/desk", data={"pin": keeper.fresh})
    records = [
        "/api/matches/abc",
        *(f"/api/matches/abc/export.{form}" for form in ("mat", "sgf", "json", "csv", "txt")),
    ]
    for address in records:
        assert viewer.get(address).status_code == operator.get(address).status_code == 200
    assert referee.judged == [not silent, True] * len(records)
    assert viewer.get("/api/matches/of-an-earlier-evening").status_code == 404
    assert referee.judged[-1] is True
    for address in ("/api/flags/1/before.jpg", "/api/flags/1/frame.jpg"):
        assert viewer.get(address).status_code == (404 if silent else 200)
        assert operator.get(address).status_code == 200
    assert viewer.get("/api/turns/1/after.jpg").status_code == 200


def test_who_sees_the_end_before_a_stream_does_is_told_when_the_verdict_comes() -> None:
    hub, keeper = ViewHub(), PinKeeper(None)
    app = create_app(hub, desk=Desk(TableReferee(), keeper), audience=Audience(overlay=Delay(seconds=60), key="secret"))
    hub.publish(msgspec.structs.replace(start_view(1), phase="match over", match_id="abc"))
    found = app.test_client().get("/api/matches/abc/analysis").json
    assert found["error"] == "The files of this match and its verdict are here once everybody has seen its end."
    assert found["again_s"] > 0
    assert app.test_client().get("/api/matches/nothing/analysis").status_code == 404
    hub.hang_up()


def test_the_record_of_a_match_that_is_held_back_is_too() -> None:
    keeper = PinKeeper(None)
    later = Audience(overlay=Delay(turns=1))
    app = create_app(ViewHub(), {1: b"jpeg"}.get, desk=Desk(TableReferee(), keeper), audience=later)
    viewer, operator = app.test_client(), app.test_client()
    operator.post("/desk", data={"pin": keeper.fresh})
    assert '"frames":false' in viewer.get("/").text  # no button leads to a picture that is not there
    assert '"frames":true' in operator.get("/").text
    hidden = ["/api/matches/abc", "/api/matches/abc/export.mat", "/api/flags/1/before.jpg"]
    assert [viewer.get(address).status_code for address in hidden] == [404, 404, 404]
    assert viewer.get("/api/matches").json == []
    assert [operator.get(address).status_code for address in hidden] == [200, 200, 200]


class Over(TableReferee):
    """The one match is over."""

    def matches(self) -> tuple[MatchLine, ...]:
        return tuple(msgspec.structs.replace(line, over=True) for line in super().matches())


def test_the_record_waits_until_viewers_have_seen_the_end() -> None:
    hub = ViewHub()
    app = create_app(hub, desk=Desk(Over(), PinKeeper(None)), audience=Audience(viewers=Delay(seconds=0.6)))
    viewer = app.test_client()
    assert [row["id"] for row in viewer.get("/api/matches").json] == ["abc"]  # of an earlier evening
    hub.publish(msgspec.structs.replace(start_view(1), match_id="abc"))
    hub.publish(msgspec.structs.replace(start_view(2), match_id="abc", phase="match over"))
    assert viewer.get("/api/matches").json == []
    end = time.monotonic() + 10
    while viewer.get("/api/matches/abc/export.mat").status_code == 404:
        assert time.monotonic() < end
        time.sleep(0.05)
    assert viewer.get("/api/state").json["phase"] == "match over"
    hub.hang_up()


def listed(*matches: tuple[str, bool]) -> tuple[MatchLine, ...]:
    return tuple(MatchLine(identity, "A", "B", 0, (0, 0), 1, over, "") for identity, over in matches)


def shows(hub: ViewHub, sequence: int, match: str, phase: str = "to play") -> None:
    hub.publish(msgspec.structs.replace(start_view(sequence), match_id=match, phase=phase))


def test_a_session_and_a_match_that_was_broken_off_are_told_of_when_viewers_see_a_later_one() -> None:
    hub, viewers = ViewHub(), ViewHub()
    lines = listed(("on", False), ("broken off", False), ("session", False), ("over", True))
    shows(hub, 9, "on")
    shows(viewers, 1, "session")
    assert unseen(lines, hub, [viewers]) == 3
    shows(viewers, 2, "broken off")
    assert unseen(lines, hub, [viewers]) == 2
    shows(viewers, 3, "on")
    assert unseen(lines, hub, [viewers]) == 1


def test_no_match_is_told_of_that_viewers_have_not_seen_begin() -> None:
    hub, viewers = ViewHub(), ViewHub()
    lines = listed(("on", False), ("short", True), ("first", True), ("before", True))
    shows(hub, 9, "on")
    shows(viewers, 1, "first", "match over")
    assert unseen(lines, hub, [viewers]) == 2
    shows(viewers, 2, "short")
    assert unseen(lines, hub, [viewers, hub]) == 2
    shows(viewers, 3, "short", "match over")
    assert unseen(lines, hub, [viewers]) == 1


def test_of_those_since_the_start_that_viewers_see_nothing_of_yet_none_is_told() -> None:
    hub = ViewHub()
    lines = listed(("on", False), ("short", True), ("first", True), ("before", True))
    shows(hub, 1, "first")
    viewers = delayed(hub, LONG)
    end = time.monotonic() + 10
    while hub.watchers == 0 or unseen(lines, hub, [viewers]) != 3:
        assert time.monotonic() < end
        time.sleep(0.02)
    shows(hub, 2, "short", "match over")
    shows(hub, 3, "on")
    assert unseen(lines, hub, [viewers]) == 3
    assert unseen(lines[2:], hub, [viewers]) == 1
    hub.hang_up()


def test_a_practice_game_that_ends_is_not_the_match_s_end() -> None:
    hub, viewers = ViewHub(), ViewHub()
    for one in (hub, viewers):
        one.publish(msgspec.structs.replace(start_view(1), match_id="on", phase="match over", practice=True))
    assert unseen(listed(("on", False)), hub, [viewers]) == 1


def test_a_match_whose_end_is_taken_back_is_on_again() -> None:
    hub, viewers = ViewHub(), ViewHub()
    lines = listed(("on", True), ("before", True))
    for one in (hub, viewers):
        shows(one, 1, "on", "match over")
    assert unseen(lines, hub, [viewers]) == 0
    shows(hub, 2, "on")
    assert unseen(lines, hub, [viewers]) == 1


def test_the_last_turns_of_a_match_are_seen_although_no_other_follows() -> None:
    line = DelayLine(Delay(turns=3))
    line.put(snapshot(1, 5), 0.0)
    assert line.take(0.0) == []
    last = msgspec.structs.replace(view(2, 6), phase="match over")
    line.put(PackedView(2, msgspec.json.encode(last), ""), 0.0)
    assert shown(line, 0.0) == [1, 2]
