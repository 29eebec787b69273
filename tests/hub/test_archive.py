"""The archive of a hub: matches that boards have played, listed, searched, stepped through, taken away, judged."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import urllib.error
import urllib.request
import zipfile
from contextlib import closing
from pathlib import Path

import msgspec
import psycopg
import pytest

from controller.app.corrections import corrected
from controller.app.match_journal import MatchJournal
from controller.config import WebConfig
from controller.hub import archivist_process
from controller.hub.archive import BLUNDER, ArchiveLine, ErrorFilter, HubArchive, ListedMatch
from controller.hub.archivist import Archivist
from controller.hub.course import BoardFold
from controller.hub.pages import create_hub_app
from controller.hub.services import Hall
from controller.hub.settings import FeedSettings
from controller.hub.shown import BoardViews
from controller.hub.store import Store
from controller.hub.wall import Wall
from controller.record.analysis import is_over
from controller.record.formats import parse_record
from controller.record.gnubg import GnubgError, find_gnubg
from controller.record.model import Record
from controller.record.of_journal import held_of_match, record_of_match, records_of
from controller.record.turns import turns_of
from controller.record.wire import EventBatch, Here, SentEvent
from controller.referee.commands import Correct
from controller.referee.events import Played
from controller.referee.folding import fold
from controller.referee.state import Phase
from controller.rules import MATCH, Side, format_play, legal_plays, position_from_id
from controller.run.simulated_boards import SimulatedBoard
from tests.hub.table import Stranger, eventually, hub, rows, table


def fetched(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=20) as answer:
        found: bytes = answer.read()
        return found


def _blunders(archive: HubArchive, entry: ListedMatch) -> int:
    verdict, _ = archive.analysis(entry.key)
    return sum(mistake["lost"] >= BLUNDER for mistake in json.loads(verdict or "")["worst"])


def test_a_match_whose_line_no_database_takes_holds_up_no_other(hall: Hall, tmp_path: Path) -> None:
    aside = SimulatedBoard(tmp_path / "aside", 1, 1)
    aside.act()
    first = next(one for one in aside.journal.events() if one.kind == "match")
    aside.close()
    bad = Stranger(hall, "board-29")
    with hub(hall), table(hall.board("board-30"), tmp_path / "good", 2) as good:
        bad.say("boards/board-29/here", Here("r"))
        # A number beyond the column's, and a text that is too long for the column's index.
        wrong = {"length": 1 << 40}, {"event": "".join(f"{number:x}" for number in range(5000))}
        for number, fields in enumerate(wrong, start=1):
            payload = json.dumps(json.loads(first.payload) | fields)
            sent = msgspec.structs.replace(
                SentEvent.of(first), sequence=number, match=f"wrong-{number}", payload=payload
            )
            bad.say("boards/board-29/events", EventBatch("r", (SentEvent.of(sent.stored),)))
        eventually(lambda: bad.answers and bad.answers[-1].confirmed == len(wrong))
        good.play(5)
        archive = HubArchive(hall.database.url)
        eventually(lambda: archive.search("", "board-30"))
        found = eventually(lambda: len(lines := archive.search("", "board-29")) == len(wrong) and lines)
        assert all(one.problem.startswith("This match can't be read here") for one in found)
        archive.close()
    bad.close()


def test_a_match_that_no_file_can_be_made_of_is_missing_in_the_zip_alone(hall: Hall, tmp_path: Path) -> None:
    aside = SimulatedBoard(tmp_path, 3, 1)
    while aside.state.phase is not Phase.MATCH_OVER:
        aside.act()
    events = [SentEvent.of(one) for one in aside.journal.events()]
    aside.close()
    at, play = next((at, one) for at, one in enumerate(events) if one.kind == "play")
    beyond = json.dumps(json.loads(play.payload) | {"moves": [[70, 60]]})
    wrong = msgspec.structs.replace(play, payload=beyond)
    sent = [*events[:at], SentEvent.of(wrong.stored), *events[at + 1 :]]
    board = Stranger(hall, "board-31")
    with hub(hall) as here:
        board.say("boards/board-31/here", Here("r"))
        board.say("boards/board-31/events", EventBatch("r", tuple(sent)))
        root, match = here.running.address, play.match
        archive = HubArchive(hall.database.url)
        eventually(lambda: any(one.is_over for one in archive.search("", "board-31")))
        archive.close()
        with zipfile.ZipFile(io.BytesIO(fetched(f"{root}matches.zip?board=board-31"))) as files:
            assert [name.rpartition(".")[2] for name in files.namelist()] == ["json"]
        with pytest.raises(urllib.error.HTTPError) as refused:
            fetched(f"{root}boards/board-31/api/matches/{match}/export.mat")
        assert refused.value.code == 404
    board.close()


def test_a_match_from_the_board_to_the_archive(hall: Hall, tmp_path: Path) -> None:
    with hub(hall) as here, table(hall.board("board-21"), tmp_path, 7, length=1) as one:
        while one.board.state.phase is not Phase.MATCH_OVER:
            one.play(1)
        eventually(lambda: one.is_confirmed)
        one.play(5)  # The next one begins.
        records = {record.match_id: record for record in records_of(one.board.journal.events(), "board-21")}
        (over, record), (on, _) = records.items()
        root, light = here.running.address, record.players[0].name

        def listed() -> str:
            """The page once both lines are there, and that of the first is made of all its events."""
            text = fetched(f"{root}matches?board=board-21").decode()
            return text if text.count("<tr>") == 3 and text.count("not over") == 1 else ""

        page = eventually(listed)
        assert f"match={over}" in page
        assert f"match={on}" in page
        archive = HubArchive(hall.database.url)
        assert [entry.key.match for entry in archive.search(f"{light.upper()} open 2", "board-21")] in (
            [over],
            [on, over],
        )
        assert archive.search("nobody of this name") == ()
        assert archive.search("x' or '1'='1\0") == ()
        # A link to it stays; files of it open again as what was played.
        base = f"{root}boards/board-21/"
        assert b"replay.js" in fetched(f"{base}replay?match={over}")
        for match, offers_files in ((over, True), (on, False), ("none", False), ("%00", False)):
            section = re.findall(r'<section class="keep"[^>]*>', fetched(f"{base}replay?match={match}").decode())[0]
            assert ("hidden" not in section) == offers_files
        assert json.loads(fetched(f"{base}api/matches/{over}"))["games"]
        for form in ("mat", "sgf", "json"):
            games = parse_record(fetched(f"{base}api/matches/{over}/export.{form}")).games
            assert [game.winner for game in games] == [game.winner for game in record.games]
        with zipfile.ZipFile(io.BytesIO(fetched(f"{root}matches.zip?board=board-21"))) as files:
            assert sorted(name.rpartition(".")[2] for name in files.namelist()) == ["json", "mat", "sgf"]
        # Of the one that is on there is no file yet.
        for address in (
            f"{base}api/matches/{on}/export.mat",
            f"{base}api/matches/none",
            f"{base}api/matches/none/analysis",
        ):
            with pytest.raises(urllib.error.HTTPError) as refused:
                fetched(address)
            assert refused.value.code == 404
        if find_gnubg() is not None:
            verdict = eventually(lambda: json.loads(fetched(f"{base}api/matches/{over}/analysis")).get("players"))
            assert [player["name"] for player in verdict] == [player.name for player in record.players]
            rated = archive.search("", "board-21")[-1]
            rates = [rate for rate in rated.error_rates if rate is not None]
            high = max(rates)
            for errors, there in (
                (ErrorFilter(least=high), True), (ErrorFilter(least=high + 1), False), (ErrorFilter(most=min(rates)), True),
                (ErrorFilter(most=min(rates) - 0.01), False), (ErrorFilter(blunder=True), _blunders(archive, rated) > 0),
                (ErrorFilter(flag=True), False),
            ):  # fmt: skip
                assert (archive.search("", "board-21", errors=errors) == (rated,)) is there, errors
            address = f"{root}matches?board=board-21&least="
            assert over in fetched(f"{address}{str(high).replace('.', ',')}").decode()
            assert over not in fetched(f"{address}{high + 1}").decode()
            # What is no number asks for nothing.
            assert over in fetched(f"{address}nan&wrong=%00&most=-1").decode()
        # For the world, where the settings show it what is played: what is over, later, and nothing else.
        feed = FeedSettings(show=True, delay_s=0.0)
        for shown, there in ((feed, 200), (FeedSettings(show=True, delay_s=900.0), 404), (FeedSettings(), 401)):
            settings = msgspec.structs.replace(hall.settings(WebConfig(), public=False), feed=shown)
            wall = Wall()
            stranger = create_hub_app(wall, BoardViews(wall), settings).test_client()
            base = "/boards/board-21"
            for path in (f"api/matches/{over}", f"api/matches/{over}/export.mat", f"api/matches/{over}/analysis"):
                assert stranger.get(f"{base}/{path}").status_code == there, path
            for path in (f"api/matches/{on}", f"api/matches/{on}/analysis"):
                assert stranger.get(f"{base}/{path}").status_code == (401 if there == 401 else 404)
            opened = stranger.get(f"{base}/replay?match={over}")
            assert opened.status_code == (303 if there == 401 else 200)
            assert there == 401 or (b'aria-labelledby="keep-title" hidden' in opened.data) == (there == 404)
            for closed in (
                "/matches",
                "/matches.zip",
                "/rates",
                f"{base}/",
                f"{base}/api/state",
                "/boards/board-21/desk",
            ):
                assert stranger.get(closed).status_code in (303, 401), closed
            assert stranger.post(f"{base}/api/matches/{over}").status_code in (401, 405)
        archive.close()


def test_a_list_that_is_not_all_of_it_says_so(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.hub.archive_pages.MOST", 2)
    monkeypatch.setattr("controller.hub.archive_pages.ZIPPED", 1)
    with closing(Store(hall.database.url)) as store:
        store.begin_life("many", 1, "r")
    client = create_hub_app(Wall(), BoardViews(Wall()), hall.settings(WebConfig())).test_client()
    for number in (1, 2, 3):
        with psycopg.connect(hall.database.url) as connection:
            connection.execute(
                "insert into matches (board, life, match, first, last, made_of) values ('many', 1, %s, 1, 2, 2)",
                (str(number),),
            )
        page = client.get("/matches?board=many").get_data(True)
        assert page.count("replay?match=") == min(number, 2)
        assert ("The newest 1 of these as a zip file" in page) is (number > 1)
        assert ("Only the newest 2 are shown." in page) is (number > 2)
    # Nor do error rates pass over events and players that they leave out; an event that is asked about is in the list.
    with psycopg.connect(hall.database.url) as connection:
        connection.execute(
            "update matches set event = 'Cup ' || match, day = '2099-01-0' || match where board = 'many'"
        )
        connection.execute(
            "insert into analyses (board, life, match, made_of, verdict) select board, life, match, made_of, json_build_object("
            "'players', json_build_array(json_build_object('name', 'Many ' || match, 'decisions', 1, 'error_rate', match::int)))"
            " from matches where board = 'many'"
        )
    page = client.get("/rates?event=Cup+1").get_data(True)
    assert re.findall(r"<option[^>]*>(Cup \d)", page) == ["Cup 1", "Cup 2", "Cup 3"]
    assert "Only the newest 2 events are in the list." in page
    assert "Only the 2 who lost least are shown." not in page
    page = client.get("/rates").get_data(True)
    assert re.findall(r"<option[^>]*>(Cup \d)", page) == ["Cup 2", "Cup 3"]
    assert page.count('<td><a href="matches?q=') == 2
    assert "Only the 2 who lost least are shown." in page
    with psycopg.connect(hall.database.url) as connection:
        for kept in ("analyses", "matches"):
            connection.execute(f"delete from {kept} where board = 'many'".encode())


def test_a_board_that_gets_another_name_brings_nothing_a_second_time(
    hall: Hall, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It sends all of its journal again, and goes on; and nothing is judged again."""
    judged = list[str]()

    class Judged:
        def shown(self, record: Record) -> dict[str, list[str]]:
            return {"players": [], "worst": [record.match_id]}

    def analyse(record: Record) -> Judged:
        judged.append(record.match_id)
        return Judged()

    monkeypatch.setattr("controller.hub.archivist.analyse", analyse)
    with (
        closing(SimulatedBoard(tmp_path, 3, 1)) as board,
        closing(Store(hall.database.url)) as store,
        closing(HubArchive(hall.database.url)) as archive,
    ):
        for name in ("named-first", "named-then"):
            board.act()
            while board.state.phase is not Phase.MATCH_OVER:
                board.act()
            first, *others = map(SentEvent.of, board.journal.events())
            by = f'{first.payload[:-1]},"by":"Přejmenovaná"}}'
            done = SentEvent.of(msgspec.structs.replace(first, payload=by).stored)
            store.begin_life(name, 1, "r")
            store.add([(name, 1, [done, *others])])
            store.at_desk("Přejmenovaná", name, 1, done, dated=False)
            archivist = Archivist(hall.database.url)
            while archivist.lines(archive) or archivist.judge(archive):
                pass
        keys = [one.key for one in archive.search() if one.key.board.startswith("named")]
        assert len(archive.search(board="named-then")) == 2
        for key in keys:
            assert judged.count(key.match) == 1
        verdicts = [
            archive.analysis(one.key) for name in ("named-first", "named-then") for one in archive.search(board=name)
        ]
        assert all(verdict is not None for verdict, _ in verdicts)
        assert len({*verdicts}) == 2
        acts = [row[2:] for row in archive._rows("select * from acts where who = 'Přejmenovaná'")]
    assert [key.board for key in keys] == ["named-then", "named-first"]
    assert len({key.match for key in keys}) == 2
    assert [about.partition(",")[0] for *_, about in acts] == ["named-first"]


def test_a_match_that_goes_on_by_a_board_s_other_name_is_listed_by_that(hall: Hall, tmp_path: Path) -> None:
    """Also one that is put right there; and each board has what it has sent."""
    with (
        closing(SimulatedBoard(tmp_path, 4, 1)) as board,
        closing(Store(hall.database.url)) as store,
        closing(HubArchive(hall.database.url)) as archive,
    ):
        lists = []
        for name, copied in (("begun-by", "copy-of-begun"), ("played-by", "copy-of-played")):
            for _ in range(12):
                board.act()
            sent = tuple(map(SentEvent.of, board.journal.events()))
            later = (msgspec.structs.replace(one, wall_time="2026-11-01T10:00:00+00:00") for one in sent)
            others = tuple(SentEvent.of(one.stored) for one in later)
            # Two cards that were copied have the same match, too, and go on by themselves.
            for sender, events in ((name, sent), (copied, others)):
                store.begin_life(sender, 1, "r")
                store.add([(sender, 1, events)])
            while Archivist(hall.database.url).lines(archive):
                pass
            lists.append({one.key.board for one in archive.search() if one.key.match == sent[0].match})
        assert lists == [{"begun-by", "copy-of-begun"}, {"played-by", "copy-of-played"}]
        for name in ("begun-by", "played-by"):
            assert [one.key.board for one in archive.search(board=name)] == [name]


def test_error_rates_by_player_and_event(hall: Hall) -> None:
    Store(hall.database.url).close()
    with psycopg.connect(hall.database.url) as connection:
        connection.execute("insert into boards (name) values ('rated')")
        connection.execute("insert into lives (board, life, run) values ('rated', 1, 'r'), ('rated', 2, 'r')")
        for match, life, event, name, mine, decisions in (
            ("a", 1, "Autumn's <cup>", "ráchel", 2.0, 10),
            ("b", 1, "Autumn's <cup>", "Ráchel", 8.0, 20),
            ("c", 1, "Spring", "Ráchel", 20.0, 10),
            ("c", 2, "Spring", "Ráchel", 5.0, 30),  # the same match again, in the journal's newer course
            ("d", 1, "Spring", "Ráchel", None, 0),
            ("e", 1, "", "Light", 3.0, 10),  # whom nobody has named
        ):
            players = [
                {"name": name, "error_rate": mine, "decisions": decisions, "luck": 0},
                {"name": "Somebody", "error_rate": 30.0, "decisions": 5, "luck": 0},
                {"name": "", "error_rate": 1.0, "decisions": 5, "luck": 0},  # of a chouette
            ]
            connection.execute(
                "insert into matches (board, life, match, first, last, made_of, event, touched) "
                "values ('rated', %s, %s, 1, 2, 2, %s, '2026-11-01'::timestamptz + make_interval(days => ascii(%s)))",
                (life, match, event, match),
            )
            connection.execute(
                "insert into analyses (board, life, match, made_of, verdict) values ('rated', %s, %s, 2, %s)",
                (life, match, json.dumps({"players": players})),
            )
    archive = HubArchive(hall.database.url)
    found = {one.name: one for one in archive.rates()}
    assert not found.keys() & {"Light", "ráchel"}
    assert (found["Ráchel"].matches, found["Ráchel"].decisions) == (3, 60)
    assert found["Ráchel"].error_rate == pytest.approx((2 * 10 + 8 * 20 + 5 * 30) / 60)
    (first, _) = archive.rates("Autumn's <cup>")
    assert (first.name, first.matches, first.error_rate) == ("Ráchel", 2, pytest.approx(6.0))
    assert archive.rates("no such event") == ()
    assert {"Autumn's <cup>", "Spring"} <= set(archive.events_played())
    archive.close()
    wall = Wall()
    client = create_hub_app(wall, BoardViews(wall), hall.settings(WebConfig())).test_client()
    page = client.get("/rates", query_string={"event": "Autumn's <cup>"}).get_data(True)
    assert "Ráchel" in page
    assert ">6.0<" in page
    assert "<cup>" not in page
    assert client.get("/rates?event=%00").status_code == 200
    with psycopg.connect(hall.database.url) as connection:
        for table_ in ("analyses", "matches", "lives"):
            connection.execute(f"delete from {table_} where board = 'rated'".encode())
        connection.execute("delete from boards where name = 'rated'")


def test_a_match_that_a_board_puts_right_afterwards_is_so_at_the_hub(
    hall: Hall, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.hub.archive.IDLE_S", 0)
    board, store, archive = SimulatedBoard(tmp_path, 7, 1), Store(hall.database.url), HubArchive(hall.database.url)
    store.begin_life("amended", 1, "r")
    archivist = Archivist(hall.database.url)

    def send() -> None:
        """What the board has written since; the archivist makes what there is news of."""
        life = store.life("amended")
        assert life is not None
        store.add([("amended", 1, [SentEvent.of(event) for event in board.journal.events(life.last)])])
        while archivist.lines(archive):
            pass

    while board.state.phase is not Phase.MATCH_OVER:
        board.act()
    board.act()
    board.act()
    send()
    old, on = sorted(archive.search("", "amended"), key=lambda entry: not entry.is_over)
    held = held_of_match(archive.events(old.key))
    line = next(one for one in turns_of(held) if isinstance(one.event, Played))
    assert isinstance(line.event, Played)
    dice, light = line.event.dice, position_from_id(line.event.before, Side.LIGHT)
    *_, other = legal_plays(light, line.event.side, dice, MATCH)
    then = corrected(held, fold(held), Correct(turn=line.line, game=1, notation=format_play(other), sure=True))
    MatchJournal(board.journal, print).amend(old.key.match, then, "Dora")
    before = store.newest_match("amended", 1)
    send()
    record = record_of_match(archive.events(old.key), "amended")
    assert record.games[0].actions[0].corrected
    (kept,) = rows(hall, "select last, made_of from matches where match = %s", old.key.match)
    assert kept == (board.journal.last, board.journal.last)
    judged = rows(hall, "select made_of from analyses where match = %s", old.key.match)
    assert judged == ([(board.journal.last,)] if is_over(record) else judged)
    # What the wall shows of the board is the match that is on.
    assert (store.newest_match("amended", 1), before[0].match) == (before, on.key.match)
    fold_ = BoardFold()
    for event in board.journal.events():
        fold_.take(event)
    assert (fold_.match, fold_.unknown, fold_.state.names) == (on.key.match, 0, board.state.names)
    archive.close()
    store.close()
    board.close()


def test_nobody_waits_for_the_verdict_of_a_match_that_is_put_right_meanwhile(
    hall: Hall, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.hub.archive.IDLE_S", 0)
    url = f"{hall.database.url} options='-c lock_timeout=3000'"
    board, store, archive, other = SimulatedBoard(tmp_path, 7, 1), Store(url), HubArchive(url), HubArchive(url)
    store.begin_life("judged", 1, "r")
    archivist = Archivist(url)
    while board.state.phase is not Phase.MATCH_OVER:
        board.act()
    *_, ended = board.journal.events()
    match = ended.match
    said = iter(("of what was", "of what is"))

    def send() -> None:
        life = store.life("judged")
        assert life is not None
        store.add([("judged", 1, [SentEvent.of(event) for event in board.journal.events(life.last)])])
        while archivist.lines(other):
            pass

    def thinking(record: Record) -> None:
        """As GNU Backgammon, which takes its time; meanwhile the match is put right, each time again."""
        if record.match_id == match:
            if (word := next(said)) == "of what was":
                for _ in range(2):
                    MatchJournal(board.journal, print).amend(match, (), "Dora")
                    send()
            raise GnubgError(word)
        raise GnubgError("another")

    monkeypatch.setattr("controller.hub.archivist.analyse", thinking)
    send()
    key = archive.find("judged", match)
    assert key is not None
    while archivist.judge(archive):
        pass
    assert archive.analysis(key) == (None, "of what is")
    # One that goes on, as its end was taken back, has none from its next event on.
    (last,) = rows(hall, "update matches set last = last + 1 where match = %s returning last", match)[0]
    assert archive.analysis(key) == (None, None)
    archive.keep_line(key, last, ArchiveLine())
    assert not rows(hall, "select * from analyses where match = %s", match)
    for opened in (store, archive, other, board):
        opened.close()


def test_a_match_of_nonsense_is_listed_and_shown_to_nobody(hall: Hall) -> None:
    from controller.record.wire import EventBatch, Here
    from tests.hub.test_bad_days import event

    with hub(hall) as here:
        board = Stranger(hall, "board-22")
        board.say("boards/board-22/here", Here("r"))
        nonsense = event(1, '{"type": "play", "side": "light", "dice": [9, 9]}', "<b>m</b>")
        board.say("boards/board-22/events", EventBatch("r", (nonsense,)))
        root = here.running.address
        text = eventually(lambda: "board-22" in (page := fetched(f"{root}matches").decode()) and page)
        assert "This match can't be read here." in text.replace("&#39;", "'")
        assert "<b>m</b>" not in text
        board.close()


def test_the_archivist_is_a_process_that_is_started_again(
    hall: Hall, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archivist_process, "AGAIN_S", 0.05)
    board = SimulatedBoard(tmp_path, 3, length=1)
    store, archive = Store(hall.database.url), HubArchive(hall.database.url)
    store.begin_life("archived-1", 1, "run")

    def sent(match: int) -> None:
        store.add([("archived-1", 1, [SentEvent.of(event) for event in board.journal.events(store_last())])])
        eventually(lambda: len(archive.search(board="archived-1")) == match)

    def store_last() -> int:
        life = store.life("archived-1")
        return life.last if life else 0

    with archivist_process.ArchivistProcess(hall.database.url) as one:
        board.act()
        sent(1)
        os.kill(one.pid, signal.SIGKILL)
        while board.state.phase is not Phase.MATCH_OVER:
            board.act()
        board.act()  # The next one begins.
        sent(2)
        assert os.getpriority(os.PRIO_PROCESS, one.pid) >= archivist_process.NICE
        last = one.pid
    with pytest.raises(ProcessLookupError):
        os.kill(last, 0)
    for opened in (store, archive, board):
        opened.close()
