"""A tournament from the list of its players to the standings: drawn, brought to the boards, played, and counted by itself."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterator
from contextlib import closing, suppress
from io import BytesIO
from pathlib import Path

import msgspec
import pytest
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.app.corrections import corrected
from controller.app.match_journal import MatchJournal
from controller.config import WebConfig
from controller.hub.archive import HubArchive
from controller.hub.archivist import Archivist
from controller.hub.feed import MOST_EVENTS, Feed
from controller.hub.pages import create_hub_app
from controller.hub.people import Register
from controller.hub.services import Hall
from controller.hub.settings import FeedSettings, HubSettings
from controller.hub.shown import BoardViews
from controller.hub.store import Store
from controller.hub.tournament.draw import DrawError, Meeting
from controller.hub.tournament.ledger import Pairing, Terms, TournamentError, Tournaments
from controller.hub.tournament.lists import ListError, meetings_in, players_in
from controller.hub.tournament.world import rounds_without_news
from controller.hub.wall import Wall
from controller.record.of_journal import held_of_match
from controller.record.turns import turns_of
from controller.record.wire import SentEvent
from controller.referee.commands import Correct
from controller.referee.events import AnyEvent, Played
from controller.referee.folding import fold
from controller.referee.history import effective
from controller.referee.state import Phase
from controller.rules import MATCH, Side, format_play, legal_plays, position_from_id
from controller.run.simulated_boards import SimulatedBoard
from tests.hub.table import eventually, hub, table
from tests.web.languages import in_language
from tests.web.views import start_view
from web.delay import Delay
from web.hub import PackedView


def open_to_the_world(hall: Hall) -> HubSettings:
    """A hub that shows a feed to everybody, at once."""
    settings = hall.settings(WebConfig())
    return msgspec.structs.replace(settings, feed=FeedSettings(show=True, delay_s=0.0))


@pytest.fixture
def ledger(hall: Hall) -> Iterator[Tournaments]:
    Store(hall.database.url).close()
    made = Tournaments(hall.database.url)
    yield made
    made.close()


def test_a_tournament_goes_to_the_boards_and_its_results_come_back(
    hall: Hall, ledger: Tournaments, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.hub.archive.IDLE_S", 0.2)
    monkeypatch.setattr("controller.hub.archivist.LOOK_S", 0.2)
    monkeypatch.setattr("controller.hub.tournament.seating.LOOK_S", 0.2)
    names = ("Alena", "Bořek", "Čeněk", "Dana")
    terms = Terms("Zimní pohár", "single elimination", 1, boards=("board-25", "board-26"))
    number = ledger.make(terms, names, "Hana")
    ledger.draw(number, "Hana")
    with (
        hub(hall),
        table(hall.board("board-25"), tmp_path / "8", 8, 1) as first,
        table(hall.board("board-26"), tmp_path / "9", 9, 1) as second,
    ):

        def over() -> bool:
            for one in (first, second):
                while not one.board.idle:
                    one.play(1)
            return all(pairing.meeting.winner for pairing in ledger.rounds(number)[-1])

        eventually(over)
        (semifinals,) = ledger.rounds(number)
        assert [one.meeting.players for one in semifinals] == [("Alena", "Dana"), ("Bořek", "Čeněk")]
        assert {one.board for one in semifinals} == {"board-25", "board-26"}
        assert all(one.match is not None and not one.typed_by for one in semifinals)
        ledger.draw(number, "Hana")
        eventually(over)
        final = ledger.rounds(number)[-1][0]
        assert set(final.meeting.players) == {one.meeting.winner for one in semifinals}
        assert final.board == "board-25"
        with pytest.raises(TournamentError, match="played"):
            ledger.take_back(number, "Hana")
        # What the world is told of it, and all of its matches as files.
        client = create_hub_app(Wall(), BoardViews(Wall()), open_to_the_world(hall), Feed(FeedSettings())).test_client()
        told = client.get(f"/feed/tournaments/{number}").json
        assert told is not None
        assert [len(one) for one in told["rounds"]] == [2, 1]
        assert told["standings"][0]["name"] == final.meeting.winner
        with zipfile.ZipFile(BytesIO(client.get(f"/tournaments/{number}.zip").get_data())) as files:
            assert len(files.namelist()) == 9
        # A typed result counts before the board's, and what the board says counts again when it is taken back.
        loser = final.meeting.loser
        points = (9, 0) if loser == final.meeting.first else (0, 9)
        ledger.decide(number, 2, 1, points, "Sára")
        assert ledger.rounds(number)[-1][0].meeting.winner == loser
        ledger.decide(number, 2, 1, None, "Sára")
        assert ledger.rounds(number)[-1][0].meeting.winner == final.meeting.winner


def test_a_match_of_another_length_or_at_another_board_is_no_result(
    hall: Hall, ledger: Tournaments, tmp_path: Path
) -> None:
    number = ledger.make(Terms("Jiná délka", "swiss", 5, rounds=1), ("Alena", "Bořek"), "Hana")
    ledger.draw(number, "Hana")
    ledger.place(number, 1, 1, "board-23", "Hana")
    (planned,) = [one for name, one in ledger.seat().items() if name == "board-23"]
    assert (planned.light, planned.dark, planned.length, planned.event, planned.round) == (
        "Alena", "Bořek", 5, "Jiná délka", "1",
    )  # fmt: skip
    with ledger.transaction():
        for board, length in (("board-23", 3), ("board-24", 5)):
            for statement in (
                "insert into boards (name) values (%s) on conflict do nothing returning name",
                "insert into lives (board, life, run) values (%s, 1, 'r') on conflict do nothing returning board",
            ):
                ledger._rows(statement, (board,))
            ledger._rows(
                "insert into matches (board, life, match, first, last, made_of, light, dark, event, round, length, score_light, "
                "is_over) values (%s, 1, 'm', 1, 2, 2, 'Bořek', 'Alena', 'Jiná délka', '1', %s, %s, true) returning board",
                (board, length, length),
            )
    assert ledger.rounds(number)[0][0].match is None
    ledger._rows("update matches set length = 5, score_light = 5 where board = 'board-23' and match = 'm' returning 1")
    ended = ledger.rounds(number)[0][0]
    assert (ended.meeting.winner, ended.meeting.points) == ("Bořek", (0, 5))
    assert "board-23" not in ledger.seat()


NAMES = ("Alena", "Bořek", "Čeněk", "Dana")


def drawn(ledger: Tournaments, title: str, length: int = 1, *boards: str) -> int:
    """A tournament of these four whose first round is drawn: Alena meets Čeněk, and Bořek Dana."""
    number = ledger.make(Terms(title, "swiss", length, rounds=2, boards=boards), NAMES, "Hana")
    ledger.draw(number, "Hana")
    return number


class Sending:
    """A simulated board at whose hub the intake, the archivist and the seating are done at once."""

    def __init__(self, hall: Hall, name: str, folder: Path, seed: int) -> None:
        self._name, self.board = name, SimulatedBoard(folder, seed, 1)
        self._store, self.archive = Store(hall.database.url), HubArchive(hall.database.url)
        self._archivist, self._ledger = Archivist(hall.database.url), Tournaments(hall.database.url)
        self._store.begin_life(name, 1, "r")
        self.end()  # what was on before the tournament

    def end(self) -> None:
        """Plays until a match is over."""
        while self.board.state.phase is not Phase.MATCH_OVER:
            self.board.act()

    def planned(self) -> tuple[str, str] | None:
        """Who plays here next, after all that the board has written."""
        life = self._store.life(self._name)
        assert life is not None
        news = [SentEvent.of(event) for event in self.board.journal.events(life.last)]
        self._store.add([(self._name, 1, news)])
        while self._archivist.lines(self.archive):
            pass
        found = self._ledger.seat().get(self._name)
        self.board.plan(found)
        return (found.light, found.dark) if found else None

    def close(self) -> None:
        for opened in (self._store, self.archive, self._ledger, self.board):
            opened.close()


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.hub.archive.IDLE_S", 0)


@pytest.mark.usefixtures("at_once")
def test_a_round_that_boards_have_begun_by_themselves_is_taken_back_until_somebody_plays(
    hall: Hall, ledger: Tournaments, tmp_path: Path
) -> None:
    number = drawn(ledger, "Zpět", 1, "sent")
    with closing(Sending(hall, "sent", tmp_path, 2)) as one:
        assert one.planned() == ("Alena", "Čeněk")
        one.board.act()
        one.planned()
        pairing = ledger.rounds(number)[0][0]
        assert (pairing.playing, pairing.begun) == ((0, 0), False)
        ledger.take_back(number, "Hana")
        ledger.draw(number, "Hana")
        assert one.planned() == ("Alena", "Čeněk")
        for board in ("elsewhere", "sent"):
            ledger.place(number, 1, 1, board, "Hana")
        one.board.act()
        one.planned()
        assert ledger.rounds(number)[0][0].begun
        for change in (
            lambda: ledger.take_back(number, "Hana"), lambda: ledger.place(number, 1, 1, "elsewhere", "Hana")
        ):  # fmt: skip
            with pytest.raises(TournamentError):
                change()


def without_an_end(held: list[AnyEvent]) -> tuple[AnyEvent, ...]:
    """A correction of a play after which the match is not over."""
    for line in turns_of(held):
        if isinstance(line.event, Played):
            before = position_from_id(line.event.before, Side.LIGHT)
            *_, other = legal_plays(before, line.event.side, line.event.dice, MATCH)
            then = corrected(held, fold(held), Correct(turn=line.line, game=1, notation=format_play(other), sure=True))
            if fold(effective([*held, *then])).phase is not Phase.MATCH_OVER:
                return then
    raise AssertionError("a match of which nothing can be corrected")


@pytest.mark.usefixtures("at_once")
def test_a_match_that_a_correction_left_without_an_end_is_not_begun_anew(
    hall: Hall, ledger: Tournaments, tmp_path: Path
) -> None:
    number = drawn(ledger, "Opraveno", 1, "mended")
    with closing(Sending(hall, "mended", tmp_path, 2)) as one:
        assert one.planned() == ("Alena", "Čeněk")
        one.board.act()
        one.end()
        assert one.planned() == ("Bořek", "Dana")
        one.board.act()
        # Meanwhile a play of the first one is put right, and what follows does not.
        ended = ledger.rounds(number)[0][0].match
        assert ended is not None
        then = without_an_end(held_of_match(one.archive.events(ended)))
        MatchJournal(one.board.journal, print).amend(ended.match, then, "Dora")
        one.end()
        assert one.planned() is None
    pairings = ledger.rounds(number)[0]
    assert [bool(one.meeting.winner) for one in pairings] == [False, True]
    with pytest.raises(DrawError, match="Round 1 is not over"):
        ledger.draw(number, "Hana")
    with pytest.raises(DrawError, match="Round 1 is not over"):
        ledger.draw(number, "Hana", meetings_in("Alena, Bořek", set(NAMES)))
    ledger.decide(number, 1, 1, (1, 0), "Sára")
    ledger.draw(number, "Hana")
    assert ledger.seat()["mended"].round == "2"


def test_the_world_hears_nothing_that_is_newer_than_the_delay() -> None:
    first = tuple(
        Pairing(1, at, Meeting(a, b, a, (5, 1)), None, age_s=age)
        for at, (a, b, age) in enumerate((("A", "B", 90.0), ("C", "D", 10.0)), start=1)
    )
    second = (Pairing(2, 1, Meeting("A", "C"), None),)
    assert [one.meeting.winner for one in rounds_without_news((first, second), 60)[0]] == ["A", None]
    assert len(rounds_without_news((first, second), 60)) == 1
    assert rounds_without_news((first, second), 5) == (first, second)


def test_the_boards_of_one_event_are_one_stream() -> None:
    with Feed(FeedSettings(show=True, delay_s=0.0)) as feed:
        for number, event in ((1, "Cup"), (2, "Cup"), (3, "Other")):
            view = msgspec.structs.replace(start_view(), event=event)
            feed.put(f"board-{number}", PackedView.of(view))
        eventually(lambda: feed.event("Other").tile("board-3") and feed.event("Cup").tile("board-2"))
        tiles = json.loads(feed.event("Cup").latest.body)["tiles"]
        assert sorted((tile["board"], tile["view"]["event"]) for tile in tiles) == [
            ("board-1", "Cup"),
            ("board-2", "Cup"),
        ]


def test_whoever_asks_for_many_old_events_takes_none_from_those_who_follow_one() -> None:
    with Feed(FeedSettings(show=True, delay_s=0.0)) as feed, feed.event("Cup").watch() as watcher:
        watcher.next(0.0)
        for asked in range(2 * MOST_EVENTS):
            feed.event(f"of {asked} years ago")
        feed.put("board-1", PackedView.of(msgspec.structs.replace(start_view(), event="Cup")))
        assert isinstance(watcher.next(10.0), PackedView)


@pytest.fixture
def client(hall: Hall, ledger: Tournaments) -> Iterator[FlaskClient]:
    people = Register(hall.database.url)
    password = people.add("Hana", "director", replace=True)
    people.close()
    wall = Wall()
    app = create_hub_app(wall, BoardViews(wall), hall.settings(WebConfig(), public=False))
    with app.test_client() as made:
        made.post("/signin", data={"name": "Hana", "password": password})
        yield made


def sent(client: FlaskClient, path: str, **fields: object) -> tuple[int, str]:
    token = re.findall(r'name="csrf" value="([^"]+)"', client.get("/alerts").get_data(True))[0]
    answer = client.post(path, data={"csrf": token, **fields}, follow_redirects=True)
    return answer.status_code, answer.get_data(True)


def test_a_director_makes_it_on_the_page(client: FlaskClient, ledger: Tournaments) -> None:
    assert client.post("/tournaments", data={"name": "x"}).status_code == 403
    terms = {
        "name": "Jarní <b>turnaj</b>",
        "format": "swiss",
        "length": "5",
        "rules": "match",
        "boards": "board-1 board-2",
    }
    status, page = sent(client, "/tournaments", **terms, players="Alena\nBořek\nAlena")
    assert status == 422
    assert "Alena is there twice" in page
    listed = (BytesIO("Jméno;Nasazení\r\nČeněk;2\r\nAlena;1\r\nBořek;3\r\n".encode("cp1250")), "hráči.csv")
    status, page = sent(client, "/tournaments", **terms, file=listed)
    assert status == 200
    assert "Jarní &lt;b&gt;turnaj&lt;/b&gt;" in page
    here = re.findall(r'action="(/tournaments/\d+)/round"', page)[0]
    _, page = sent(client, f"{here}/round")
    assert "Bořek: bye" in page
    status, page = sent(client, f"{here}/round")
    assert status == 422
    assert "Round 1 is not over: a result is missing." in page
    assert sent(client, f"{here}/result", round="1", pairing="1", first="5", second="5")[0] == 422
    status, page = sent(client, f"{here}/result", round="1", pairing="1", first="5")
    assert (status, "One of the two must have more points." in page) == (422, True)
    token = re.findall(r'name="csrf" value="([^"]+)"', page)[0]
    refused = client.post(f"{here}/round", data={"csrf": token})  # from there, too, another language can be chosen
    assert '<html lang="cs">' in in_language(client, refused, "cs").text
    client.get(f"{here}?lang=en")
    assert sent(client, f"{here}/result", round="1", pairing="x", first="5", second="5")[0] == 400
    _, page = sent(client, f"{here}/result", round="1", pairing="1", first="5", second="3")
    assert re.search(r"5 : 3 *\(Hana\)", page)
    assert "<td>−2</td>" in page
    assert re.findall(r'data-player="(\w+)"', page) == ["Alena", "Bořek", "Čeněk"]
    _, page = sent(client, f"{here}/player", name="Dana", add="1")
    _, page = sent(client, f"{here}/player", name="Čeněk", withdraw="1")
    assert "(withdrawn)" in page
    status, page = sent(client, f"{here}/round", hand="1", pairings="Alena, Dana, Bořek")
    assert status == 422
    _, page = sent(client, f"{here}/round", hand="1", pairings="Alena, Dana\nBořek")
    assert "Round 2" in page
    _, page = sent(client, f"{here}/round", back="1")
    assert "Round 2" not in page.replace("Draw round 2", "")
    assert sent(client, f"{here}/remove")[0] == 422
    for asked in ("/matches?board=%00", "/boards/board-1/api/matches/%00", "/boards/board-1/api/matches/%00/analysis"):
        assert client.get(asked).status_code == 400, "the database is there"
    assert client.post("/join/ask", json={"found": "\0", "nonce": ""}).status_code == 400
    assert sent(client, f"{here}/player", name="a\0", withdraw="1")[0] == 400
    assert (
        sent(client, "/tournaments", **{**terms, "name": "Place", "place": "a\0b\u202ec\nd"}, players="A\nB")[0] == 200
    )
    excel = (BytesIO("Name\tClub\r\nČeněk\tA\r\nJan\tB\r\n".encode("utf-16")), "players.txt")
    status, page = sent(client, "/tournaments", **{**terms, "name": "Excel"}, file=excel)
    assert re.findall(r'data-player="(\w+)"', page) == ["Čeněk", "Jan"]
    assert next(one.terms.place for one in ledger.all() if one.terms.name == "Place") == "a b c d"
    assert sent(client, f"{here}/delay", seconds="901", turns="0")[0] == 422
    for seconds, turns, delays in (("120", "2", {terms["name"]: Delay(120.0, 2)}), ("0", "", {})):
        assert sent(client, f"{here}/delay", seconds=seconds, turns=turns)[0] == 200
        assert ledger.delays() == delays
    assert client.get("/tournaments/999999").status_code == 404
    acts = client.get("/alerts").get_data(True)
    assert "has typed a result Jarní" in acts


def test_a_page_that_is_out_of_date_gives_nobody_anothers_result(client: FlaskClient, ledger: Tournaments) -> None:
    number = drawn(ledger, "Dva prohlížeče", 5)
    here = f"/tournaments/{number}"
    forms = re.findall(
        r'<form class="inline"[^>]*/(result|board)">(.*?)</form>', client.get(here).get_data(True), re.DOTALL
    )
    fields = [(form, re.findall(r'name="(round|pairing|meets)" value="([^"]*)"', text)) for form, text in forms]
    old = {form: {name: [value for one, value in found if one == name] for name, _ in found} for form, found in fields}
    assert old["result"]["meets"] == ["Bořek", "Dana"]
    ledger.take_back(number, "Hana")
    ledger.draw(number, "Hana", meetings_in("Alena, Dana\nBořek, Čeněk", set(NAMES)))
    for form, typed in (("result", {"first": "5", "second": "0"}), ("board", {"board": "board-7"})):
        status, page = sent(client, f"{here}/{form}", **old[form], **typed)
        assert (status, "There is no such pairing any more." in page) == (422, True)
    assert [(one.meeting.winner, one.board) for one in ledger.rounds(number)[0]] == [(None, None)] * 2
    newer = {**old["result"], "meets": ["Bořek", "Čeněk"]}
    assert sent(client, f"{here}/result", **newer, first="5", second="0")[0] == 200
    assert ledger.rounds(number)[0][1].meeting.winner == "Bořek"


def test_a_page_that_is_out_of_date_takes_no_other_round_back(client: FlaskClient, ledger: Tournaments) -> None:
    """Neither one that was paired by hand in its place, nor the one after it."""
    number = drawn(ledger, "Tři prohlížeče", 5)
    here = f"/tournaments/{number}"

    def mark() -> str:
        """Of the round that the page would take back."""
        (found,) = re.findall(r'name="mark" value="(\w+)"', client.get(here).text)
        return str(found)

    old = mark()
    ledger.take_back(number, "Hana")
    ledger.draw(number, "Hana", meetings_in("Alena, Dana\nBořek, Čeněk", set(NAMES)))
    by_hand = mark()
    for at in (1, 2):
        ledger.decide(number, 1, at, (5, 0), "Hana")
    ledger.draw(number, "Hana", meetings_in("Alena, Dana\nBořek, Čeněk", set(NAMES)))
    for meant in (old, by_hand):
        status, page = sent(client, f"{here}/round", back="1", mark=meant)
        assert (status, "The rounds have changed" in page, len(ledger.rounds(number))) == (422, True, 2)
    assert sent(client, f"{here}/round", back="1", mark=mark())[0] == 200
    assert len(ledger.rounds(number)) == 1


def test_of_a_match_that_was_sent_again_the_newer_course_of_the_journal_counts(ledger: Tournaments) -> None:
    number = ledger.make(Terms("Záloha", "swiss", 5, rounds=1), ("Alena", "Bořek"), "Hana")
    ledger.draw(number, "Hana")
    ledger.place(number, 1, 1, "restored", "Hana")
    ledger._rows("insert into boards (name) values ('restored') returning name")
    for life, light, is_over in ((1, 5, True), (2, 4, False)):
        ledger._rows("insert into lives (board, life, run) values ('restored', %s, 'r') returning board", (life,))
        ledger._rows(
            "insert into matches (board, life, match, first, last, made_of, light, dark, event, round, length, score_light, "
            "is_over, touched) values ('restored', %s, 'm', 1, 2, 2, 'Alena', 'Bořek', 'Záloha', '1', 5, %s, %s, now()) "
            "returning board",
            (life, light, is_over),
        )
    (pairing,) = ledger.rounds(number)[0]
    assert (pairing.meeting.winner, pairing.playing) == (None, (4, 0))


def test_what_was_over_before_the_tournament_was_made_is_no_result_of_it(ledger: Tournaments) -> None:
    """As last month's of the same name, written down at a board without a tournament at the hub."""
    number = ledger.make(Terms("Pondělní", "swiss", 5, rounds=1), ("Alena", "Bořek"), "Hana")
    ledger.draw(number, "Hana")
    ledger.place(number, 1, 1, "monday", "Hana")
    ledger._rows("insert into boards (name) values ('monday') returning name")
    ledger._rows("insert into lives (board, life, run) values ('monday', 1, 'r') returning board")
    for match, since, light in (("old", "-1 month", 5), ("new", "1 second", 2)):
        ledger._rows(
            "insert into matches (board, life, match, first, last, made_of, light, dark, event, round, length, score_light, "
            "is_over, touched) values ('monday', 1, %s, 1, 2, 2, 'Alena', 'Bořek', 'Pondělní', '1', 5, %s, %s, "
            "now() + %s::interval) returning board",
            (match, light, light == 5, since),
        )
        (pairing,) = ledger.rounds(number)[0]
        assert pairing.meeting.winner is None
        assert ("monday" in ledger.seat(), pairing.playing) == (True, (2, 0) if match == "new" else None)


def test_a_swiss_tournament_that_grows_has_the_rounds_that_leave_one_unbeaten(ledger: Tournaments) -> None:
    """Where nobody has chosen how many: with a fifth player there are three."""
    for rounds, drawn in ((0, 3), (2, 2)):
        number = ledger.make(Terms(f"Roste {rounds}", "swiss", 5, rounds=rounds), ("A", "B", "C", "D"), "Hana")
        ledger.add_player(number, "E", "Hana")
        for played in range(drawn):
            ledger.draw(number, "Hana")
            for at, one in enumerate(ledger.rounds(number)[played], start=1):
                if one.meeting.second is not None:
                    ledger.decide(number, played + 1, at, (5, 0), "Hana")
        with pytest.raises(DrawError, match="over"):
            ledger.draw(number, "Hana")


def test_a_result_that_was_typed_by_mistake_shows_the_world_no_later_one_early(ledger: Tournaments) -> None:
    number = ledger.make(Terms("Zpoždění", "swiss", 5, rounds=1), ("Alena", "Bořek"), "Hana")
    ledger.draw(number, "Hana")
    ledger.place(number, 1, 1, "board-23", "Hana")
    ledger.decide(number, 1, 1, (5, 0), "Sára")
    ledger.decide(number, 1, 1, None, "Sára")
    ledger._rows("update pairings set said_at = now() - interval '1 hour' where tournament = %s returning 1", (number,))
    for statement in (
        "insert into boards (name) values ('board-23') on conflict do nothing returning name",
        "insert into lives (board, life, run) values ('board-23', 1, 'r') on conflict do nothing returning board",
        "insert into matches (board, life, match, first, last, made_of, light, dark, event, round, length, score_dark, is_over) "
        "values ('board-23', 1, 'later', 1, 2, 2, 'Alena', 'Bořek', 'Zpoždění', '1', 5, 5, true) returning board",
    ):
        ledger._rows(statement)
    (pairing,) = ledger.rounds(number)[0]
    assert pairing.meeting.winner == "Bořek"
    assert pairing.age_s < 60
    assert rounds_without_news(((pairing,),), 60.0)[0][0].meeting.winner is None
    # Typed again it is as old as that, whatever the board has said since.
    ledger.decide(number, 1, 1, (5, 0), "Sára")
    ledger._rows("update pairings set said_at = now() - interval '1 hour' where tournament = %s returning 1", (number,))
    assert ledger.rounds(number)[0][0].age_s > 3000


def test_every_rule_set_is_called_by_its_name(client: FlaskClient) -> None:
    page = client.get("/tournaments", headers={"Accept-Language": "cs"}).get_data(True)
    (choice,) = re.findall(r'<select name="rules">(.*?)</select>', page, re.DOTALL)
    named = dict(re.findall(r'<option value="([^"]+)"[^>]*>([^<]+)</option>', choice))
    assert named["text-000"] == "česká příručka: začíná nižší hod, bodování 4-3-2-1, bez zdvojovací kostky"
    assert not {*named} & {*named.values()}


def test_lists_as_people_bring_them() -> None:
    assert players_in("Alena\n\n  Bořek  Malý \n") == ("Alena", "Bořek Malý")
    assert players_in("\ufeffFirst name,Surname,Club\nAna,Nová,Brno\nJan,Starý,Praha") == ("Ana Nová", "Jan Starý")
    assert players_in("Seed\tPlayer\n2\tB\n1\tA\n\tC") == ("A", "B", "C")
    for surnames in (
        "Jméno;Příjmení\nJan;Novák\nEva;Malá",
        "Priezvisko;Meno\nNovák;Jan\nMalá;Eva",
        "Name,Surname\nJan,Novák\nEva,Malá",
    ):
        assert players_in(surnames) == ("Jan Novák", "Eva Malá")
    assert players_in("Jme\u0301no;Pr\u030ci\u0301jmeni\u0301\nJan;Novák") == ("Jan Novák",)
    assert players_in("Full name;Surname\nJan Novák;Novák") == ("Jan Novák",)
    assert players_in("C\u030cen\u011bk\nJan") == ("Čeněk", "Jan")
    assert [one.players for one in meetings_in("C\u030cen\u011bk", {"Čeněk"})] == [("Čeněk",)]
    assert players_in('"Honza\nPetr "Rychlý" Malý\nJana') == ("Honza", 'Petr "Rychlý" Malý', "Jana")
    assert players_in("Name;Seed\nB;2\nA;1\n;\n;;\n") == ("A", "B")
    assert [one.players for one in meetings_in("A;B\n;\n", {"A", "B"})] == [("A", "B")]
    with pytest.raises(ListError, match=r"^.{1,200}$"):
        players_in("x" * 9000)
    for wrong in (
        "A,B\nC,D",
        "A\nA",
        "x" * 41,
        "name\n ,\n",
        "a\u202eb",
        "Čeněk\nC\u030cen\u011bk",
    ):
        with pytest.raises(ListError):
            players_in(wrong)
    assert [one.players for one in meetings_in("A;B\nC", {"A", "B", "C"})] == [("A", "B"), ("C",)]
    for wrong in ("A,B\nA,C", "A,A", "A,X", "", "A,B,C"):
        with pytest.raises(ListError):
            meetings_in(wrong, {"A", "B", "C"})


@settings(max_examples=50)
@given(st.text(max_size=200))
def test_whatever_is_typed_is_a_list_or_refused(text: str) -> None:
    with suppress(ListError):
        names = players_in(text)
        assert len(set(names)) == len(names)
        assert all(1 <= len(name) <= 40 and name.isprintable() for name in names)
    with suppress(ListError):
        assert {name for one in meetings_in(text, {"A", "B"}) for name in one.players} <= {"A", "B"}
