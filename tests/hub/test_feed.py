"""The feed for the world: later than the board, for other sites only where the settings name them."""

from __future__ import annotations

import msgspec
import pytest

from controller.app.status import Status
from controller.config import WebConfig
from controller.hub.course import drawn
from controller.hub.feed import Feed
from controller.hub.intake import BoardAtHub
from controller.hub.pages import create_hub_app
from controller.hub.settings import DatabaseSettings, FeedSettings, HubSettings
from controller.hub.shown import BoardViews
from controller.hub.wall import Tile, Wall
from controller.record.journal import StoredEvent
from controller.referee.events import VERSION, GameStarted, MatchStarted, Rolled, encode, kind
from controller.rules import Position, Side, position_id
from tests.hub.table import eventually
from tests.web.views import played_view, rolled_view
from web.delay import Delay
from web.hub import PackedView
from web.view import View


def settings(**feed: object) -> HubSettings:
    return HubSettings(web=WebConfig(), feed=FeedSettings(show=True, **feed))  # type: ignore[arg-type]  # as the test says


def test_nobody_sees_a_turn_before_the_next_one_was_played() -> None:
    chosen = settings(delay_s=0.0, delay_turns=1, origins=("https://club.example",))
    with Feed(chosen.feed) as feed:
        wall = Wall()
        client = create_hub_app(wall, BoardViews(wall, feed), chosen, feed).test_client()
        feed.put("board-1", PackedView.of(rolled_view(1)))
        assert client.get("/feed/boards").json == []
        assert client.get("/feed/boards/board-1/state").status_code == 404
        feed.put("board-1", PackedView.of(played_view(2)))
        eventually(lambda: client.get("/feed/boards").json)
        ours = {"Origin": "https://club.example"}
        state = client.get("/feed/boards/board-1/state", headers=ours)
        assert state.json is not None
        assert state.json["sequence"] == 1
        assert state.headers["Access-Control-Allow-Origin"] == "https://club.example"
        other = client.get("/feed/boards/board-1/state", headers={"Origin": "https://elsewhere.example"})
        assert "Access-Control-Allow-Origin" not in other.headers
        # What is not the feed stays behind the door, and no other site's page may read it.
        wanted = client.get("/api/wall", headers=ours)
        assert wanted.status_code == 401
        assert "Access-Control-Allow-Origin" not in wanted.headers
        document = client.get("/api/openapi.json").json
        assert document is not None
        assert {
            "/feed/boards",
            "/feed/boards/{name}/state",
            "/feed/boards/{name}/events",
            "/feed/tournaments/{number}/events",
        } <= set(document["paths"])
        stream = client.get("/feed/boards/board-1/events")
        assert stream.mimetype == "text/event-stream"
        assert b"id: 1" in stream.get_data()


def test_where_the_database_is_away_the_hub_says_so_and_what_to_do() -> None:
    nowhere = DatabaseSettings(url="host=127.0.0.1 port=1")
    chosen = msgspec.structs.replace(settings(), database=nowhere)
    wall, feed = Wall(), Feed(chosen.feed)
    client = create_hub_app(wall, BoardViews(wall, feed), chosen, feed).test_client()
    for language, said in (("en", "database or its broker does not answer"), ("cs", "neodpovíd"), ("sk", "neodpoved")):
        client.set_cookie("lang", language)
        answer = client.get("/feed/tournaments")
        assert (answer.status_code, said in answer.get_data(True)) == (503, True)
        assert "referee sees the board" not in answer.get_data(True)


def test_a_board_that_the_world_sees_is_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []

    def counted(status: Status, sequence: int, *, lines: bool) -> View | None:
        asked.append(lines)
        return drawn(status, sequence, lines=lines)

    monkeypatch.setattr("controller.hub.shown.drawn", counted)
    board = BoardAtHub("board-1")
    for number, event in enumerate(
        (
            MatchStarted(
                length=5, light="Jana", dark="Petr", rules="match", position=position_id(Position.start(), Side.LIGHT)
            ),
            GameStarted(number=1),
            Rolled(side=Side.LIGHT, dice=(3, 1)),
        ),
        start=1,
    ):
        board.course.take(StoredEvent(number, "b", "m", 1, kind(event), VERSION, "", encode(event)))
    wall, tiles = Wall(), list[Tile]()
    alone, watched = BoardViews(wall), BoardViews(wall, Feed(settings().feed))
    for views in (alone, watched):
        views.show([board])
        found = wall.tile("board-1")
        assert found is not None
        tiles.append(msgspec.json.decode(found, type=Tile))
    assert asked == [False, True]
    # The wall sees the same either way, without the lines.
    assert tiles[0] == tiles[1]
    page = alone.open("board-1")
    assert page is not None
    alone.show([board])
    assert asked == [False, True, True, True]
    assert page.latest is not None


def test_a_tournament_has_a_delay_of_its_own() -> None:
    def of(event: str, view: View) -> PackedView:
        return PackedView.of(msgspec.structs.replace(view, event=event))

    with Feed(settings(delay_s=0.0).feed, None) as feed:
        for board, event in (("board-1", "Cup"), ("board-2", "")):
            feed.put(board, of(event, rolled_view(1)))
        feed.delay_events({"Cup": Delay(0.0, 1)})
        eventually(lambda: feed.find("board-2"))
        assert feed.find("board-1") is None
        feed.put("board-1", of("Cup", played_view(2)))
        eventually(lambda: feed.find("board-1"))
        held = feed.find("board-1")
        assert held is not None
        assert held.latest is not None
        assert held.latest.sequence == 1
        feed.delay_events({})
        eventually(lambda: held.latest is not None and held.latest.sequence == 2)


def test_a_board_in_a_frame_of_another_site() -> None:
    chosen = settings(delay_s=0.0, origins=("https://club.example",))
    with Feed(chosen.feed) as feed:
        wall = Wall()
        client = create_hub_app(wall, BoardViews(wall, feed), chosen, feed).test_client()
        assert client.get("/embed/boards/board-1").status_code == 404
        feed.put("board-1", PackedView.of(rolled_view(1)))
        eventually(lambda: feed.find("board-1"))
        page = client.get("/embed/boards/board-1?lang=cs")
        assert 'data-root="/feed/boards/board-1/"' in page.text
        assert 'lang="cs"' in page.text
        policy = page.headers["Content-Security-Policy"]
        assert "frame-ancestors 'self' https://club.example" in policy
        assert "connect-src 'self';" in policy
        for path in ("/", "/feed/boards"):
            assert "frame-ancestors 'none'" in client.get(path).headers["Content-Security-Policy"]


def test_without_the_setting_there_is_no_feed() -> None:
    wall = Wall()
    client = create_hub_app(wall, BoardViews(wall), HubSettings()).test_client()
    for path in ("/feed/boards", "/feed/boards/board-1/state", "/api/openapi.json", "/embed/boards/board-1"):
        assert client.get(path).status_code == 404


@pytest.mark.parametrize("origin", ["club.example", "https://x.example/path", "https://x.example, *"])
def test_an_origin_is_one(origin: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"origins": [origin]}, FeedSettings)
