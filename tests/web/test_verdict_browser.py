"""A kept match with GNU Backgammon's verdict in a real Chromium: every viewer sees who erred, where, and what was better."""

from __future__ import annotations

import json
from collections.abc import Iterator

import msgspec
import pytest

from controller.record.model import Record
from controller.rules import Position, Side, format_play, legal_plays
from tests.record.examples import CRAWFORD, record
from tests.web.browser import Browser
from tests.web.table import TableReferee
from tests.web.views import played_view
from web.app import Audience, create_app
from web.delay import Delay
from web.desk import Desk
from web.hub import ViewHub
from web.operator import Coached, CoachedTurn, MatchAnalysis, Mistake, Moment, PlayerAnalysis, Refusal
from web.security import PinKeeper
from web.server import Server, serve
from web.view import PlayView

CLICK = "document.querySelector(arguments[0]).click()"
TEXT = "return document.querySelector(arguments[0]).innerText"
AT = "return document.body.dataset.step === arguments[0]"
LYING = """
const lying = [...document.querySelectorAll('#board .checker.light')].map((one) => one.dataset.place);
return Object.fromEntries(lying.map((place) => [place, lying.filter((other) => other === place).length]));
"""
ERRED = "return [...document.querySelectorAll('.errors .marker use')].map((one) => one.getAttribute('href'))"
VERDICT = MatchAnalysis(
    (PlayerAnalysis("Jan", 61.4, 5, 0.12), PlayerAnalysis("Eva", None, 0, -0.12)),
    (
        Mistake(1, 5, 0, "52: 13/8 24/22", "52: 13/11 13/8", 0.071),
        Mistake(3, 3, 0, "double", "no double", 0.204),
    ),
    (
        (Moment(1, 0.54, 0.1), Moment(2, 0.5, -0.02), Moment(5, 0.48, -0.11)),
        (Moment(1, 0.54, 0.1), Moment(2, 0.5, 0.04)),
        (Moment(1, 0.55, 0.12), Moment(2, 0.5, 0.0), Moment(5, 0.6, 0.3)),
    ),
)


PASSED = """\
3 point match

 Game 1
 Jan : 0                             Eva : 0
  1) 31: 8/5 6/5                    64: 24/14
  2)  Doubles => 2                   Drops
      Wins 1 point
"""


class Keeper(TableReferee):
    """Keeps the match; of it alone there is a verdict."""

    def match(self, identity: str, *, judged: bool) -> Record | None:
        return record(CRAWFORD) if identity == "abc" else None


@pytest.fixture
def referee() -> Keeper:
    keeper = Keeper()
    keeper.verdict = VERDICT
    return keeper


@pytest.fixture
def server(referee: Keeper) -> Iterator[Server]:
    with serve(create_app(ViewHub(), streams=4, desk=Desk(referee, PinKeeper(None))), "127.0.0.1", 0) as server:
        yield server


@pytest.fixture
def viewer(browser: Browser, server: Server) -> Browser:
    """Somebody who has not signed in, with a phone."""
    browser.command("Network.clearBrowserCookies")
    browser.screen(390, 844)
    browser.open(f"http://127.0.0.1:{server.port}/replay?match=abc#1")
    browser.wait_for("return document.querySelectorAll('.errors li').length === 2")
    browser.complaints()
    return browser


def test_each_error_opens_its_position_with_what_was_better(viewer: Browser) -> None:
    assert viewer.run(TEXT, "#verdict table").split("\n")[1].split() == ["Jan", "61.4", "5", "0.12"]
    assert "thousandths of the cube's value" in viewer.run(TEXT, "#verdict table ~ .hint, #verdict .scroll ~ .hint")
    assert viewer.run("return document.querySelectorAll('.graph polyline').length") == 3
    assert viewer.run("return document.querySelectorAll('.graph .error-dot').length") == 2
    costly, other = viewer.run("return [...document.querySelectorAll('.errors li')].map((one) => one.innerText)")
    assert "Game 3, turn 3: double; better no double −0.204" in costly
    assert "Game 1, turn 5: 5-2: 13/8 24/22; better 5-2: 13/11 13/8 −0.071" in other
    viewer.run(CLICK, ".errors li:last-child button")
    assert viewer.run(AT, "6")
    assert viewer.run(LYING) == {"24": 2, "13": 3, "11": 1, "8": 3, "6": 4, "5": 2}
    assert viewer.run("return document.querySelector('.marks').classList.contains('better')")
    assert viewer.run(TEXT, "#error-words") == "Better 5-2: 13/11 13/8 (−0.071)"
    viewer.run(CLICK, "#as-played")
    assert viewer.run(LYING) == {"24": 1, "22": 1, "13": 4, "8": 3, "6": 4, "5": 2}
    viewer.run(CLICK, "#next-error")
    assert "doubles to 2" in viewer.run(TEXT, "#status")
    viewer.run(CLICK, "#next-error")
    assert viewer.run(AT, "6")
    dot = "document.querySelector('.error-dot:last-of-type').dispatchEvent(new MouseEvent('click'))"
    viewer.run(dot)
    assert viewer.complaints() == []


def test_what_a_pass_has_lost_stands_beside_it_alone(browser: Browser) -> None:
    class Passed(Keeper):
        """The match is over with a cube that should have been taken."""

        def match(self, identity: str, *, judged: bool) -> Record | None:
            return record(PASSED)

    referee = Passed()
    mistake, course = Mistake(1, 4, 1, "pass", "take", 0.3), (Moment(1, 0.5, 0.1), Moment(4, 0.7, 0.6))
    referee.verdict = MatchAnalysis(VERDICT.players, (mistake,), (course,))
    with serve(create_app(ViewHub(), streams=4, desk=Desk(referee, PinKeeper(None))), "127.0.0.1", 0) as server:
        browser.open(f"http://127.0.0.1:{server.port}/replay?match=abc#1.4")
        browser.wait_for("return document.querySelectorAll('.errors li').length === 1")
        lost = "return [...document.querySelectorAll('#turns .lost')].map((one) => one.parentElement.innerText)"
        assert browser.run(lost) == ["5.  passes −0.300"]
        assert browser.run(TEXT, "#error-words") == "Better take (−0.300)"
        browser.run(CLICK, "#on")
        assert browser.run("return document.getElementById('error').hidden")


def test_of_a_chouette_box_and_team_are_judged(viewer: Browser, server: Server, referee: Keeper) -> None:
    unnamed = tuple(msgspec.structs.replace(player, name="") for player in VERDICT.players)
    referee.verdict = msgspec.structs.replace(VERDICT, players=unnamed)
    viewer.open(f"http://127.0.0.1:{server.port}/replay?match=abc&chouette#1")
    viewer.wait_for("return document.querySelectorAll('.errors li').length === 2")
    rows = viewer.run(TEXT, "#verdict table").split("\n")[1:]
    assert [row.split()[0] for row in rows] == ["box", "team"]


@pytest.mark.parametrize("width", [320, 390])
def test_with_letters_of_twice_the_size_it_is_no_wider_than_a_phone(viewer: Browser, width: int) -> None:
    viewer.screen(width, 800)
    viewer.run("document.documentElement.style.fontSize = '200%'")
    assert viewer.run("return document.documentElement.scrollWidth") <= width
    assert viewer.run("return document.querySelector('#verdict .scroll').scrollWidth") > width - 80  # it is moved alone


def test_all_of_it_is_printed_whatever_the_screen_scrolls(viewer: Browser) -> None:
    cut = """
    return ['body', '.table', '.work', '#turns'].filter((name) => {
      const one = document.querySelector(name);
      return getComputedStyle(one).overflowY !== 'visible' && one.scrollHeight > one.clientHeight;
    });
    """
    viewer.screen(1440, 500)
    assert "#turns" in viewer.run(cut)
    viewer.command("Emulation.setEmulatedMedia", media="print")
    try:
        assert viewer.run(cut) == []
        high = viewer.run("return document.querySelector('.stage').clientHeight")
        assert high < 600  # a sheet on its side has some 700
    finally:
        viewer.command("Emulation.setEmulatedMedia", media="")


def test_games_swipes_turning_and_playing_by_itself(viewer: Browser) -> None:
    viewer.run(CLICK, "#game-on")
    assert viewer.run(TEXT, "#status").startswith("Game 2")
    viewer.run(CLICK, "#game-back")
    assert viewer.run(AT, "1")
    x, y = viewer.run(
        "const b = document.getElementById('board').getBoundingClientRect(); return [b.x + 200, b.y + 90]"
    )
    for kind, by in (("mousePressed", 0), ("mouseMoved", -80), ("mouseReleased", -120)):
        viewer.command("Input.dispatchMouseEvent", type=kind, x=x + by, y=y, button="left", clickCount=1)
    viewer.wait_for(AT, "2")
    assert viewer.run("return document.querySelector('#player-bottom').dataset.side") == "light"
    viewer.run(CLICK, "#flip")
    assert viewer.run("return document.querySelector('#player-bottom').dataset.side") == "dark"
    viewer.run(CLICK, "#flip")
    viewer.run(CLICK, "#play")
    viewer.wait_for("return Number(document.body.dataset.step) >= 4")
    viewer.run(CLICK, "#back")
    assert viewer.run("return document.getElementById('play').getAttribute('aria-pressed')") == "false"
    assert viewer.run("return document.documentElement.scrollWidth") <= 390


def test_a_match_without_a_verdict_and_one_that_is_not_there_say_so(
    viewer: Browser, server: Server, referee: Keeper
) -> None:
    referee.verdict = None
    viewer.open(f"http://127.0.0.1:{server.port}/replay?match=abc&again#2")
    viewer.wait_for("return document.getElementById('verdict').innerText.startsWith('Nobody has had this match')")
    viewer.open(f"http://127.0.0.1:{server.port}/replay?match=elsewhere")
    assert "There is no such match here." in viewer.run(TEXT, "main")


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "There is no such match here."),
        ("cs", "Takový zápas tu není."),
        ("sk", "Taký zápas tu nie je."),
    ],
)
def test_an_unknown_match_has_a_page_that_says_so(referee: Keeper, language: str, words: str) -> None:
    client = create_app(ViewHub(), streams=4, desk=Desk(referee, PinKeeper(None))).test_client()
    for address in ("replay?match=elsewhere", "replay?match=", "replay", "replay?match=%00%ff"):
        answer = client.get(f"/{address}", headers={"Accept-Language": language})
        assert answer.status_code == 404
        assert words in answer.text
        assert f'<html lang="{language}">' in answer.text
    assert client.get("/replay?match=abc").status_code == 200


def test_a_link_names_game_and_turn(viewer: Browser, server: Server) -> None:
    base = f"http://127.0.0.1:{server.port}/replay?match=abc&from=elsewhere"
    for number, (link, step) in enumerate((("3.3", 18), ("2.0", 9), ("2.99", 14), ("9.1", 1), ("4", 4))):
        viewer.open(f"{base}{number}#{link}")
        viewer.wait_for(AT, str(step))
    viewer.run("location.hash = '#1.5.better'")
    viewer.wait_for(AT, "6")
    viewer.wait_for("return document.querySelector('.marks').classList.contains('better')")
    assert viewer.run(TEXT, "#error-words") == "Better 5-2: 13/11 13/8 (−0.071)"


def test_after_the_match_the_verdict_comes_to_every_viewer(browser: Browser, referee: Keeper) -> None:
    hub, verdict = ViewHub(), referee.verdict
    verdict = msgspec.structs.replace(verdict, light=(0, 0, 1))
    referee.verdict, referee.no_verdict = None, Refusal("Nobody has had this match analysed yet.", again_s=0.05)
    hub.publish(msgspec.structs.replace(played_view(1), match_id="abc"))
    with serve(create_app(hub, streams=4, desk=Desk(referee, PinKeeper(None))), "127.0.0.1", 0) as server:
        browser.screen(390, 844)
        browser.open(f"http://127.0.0.1:{server.port}/?lang=en")
        browser.wait_for("return document.body.dataset.sequence === '1'")
        loaded = "return performance.getEntriesByType('resource').some(({ name }) => name.endsWith('verdict.js'))"
        assert not browser.run(loaded)
        hub.publish(msgspec.structs.replace(played_view(2), match_id="abc", phase="match over"))
        browser.wait_for("return document.querySelector('#finished .after')?.innerText.startsWith('Nobody has had')")
        said = browser.run(TEXT, "#finished-links")
        assert "GNU Backgammon, XG" in said
        assert "Share the match" in said
        referee.verdict = verdict
        browser.wait_for("return document.querySelectorAll('#finished .errors li').length === 2")
        assert browser.run("return document.querySelectorAll('#finished .graph polyline').length") == 3
        assert browser.run(ERRED) == ["#checker-dark", "#checker-light"]
        assert browser.run("return document.documentElement.scrollWidth") <= 390
        browser.run(CLICK, "#finished .errors li:last-child button")
        browser.wait_for("return document.querySelector('.marks')?.classList.contains('better')")
        assert browser.run("return location.hash") == "#1.5.better"
        assert browser.complaints() == []


LOSES = """
const ask = window.fetch.bind(window);
const waits = [];
AbortSignal.timeout = () => {
  waits.push(new AbortController());
  return waits.at(-1).signal;
};
window.lost = 0;
window.fetch = (address, options) => {
  if (!String(address).includes(arguments[0]) || window.lost) return ask(address, options);
  window.lost += 1;
  return new Promise((_, fail) => {
    options.signal?.addEventListener('abort', fail);
    waits.at(-1)?.abort();
  });
};
"""
"""As over a connection that has died: no answer comes, however long one waits."""


def test_an_answer_that_is_lost_on_the_way_ends_no_waiting(browser: Browser, referee: Keeper) -> None:
    hub, verdict = ViewHub(), referee.verdict
    referee.verdict, referee.no_verdict = None, Refusal("Nobody has had this match analysed yet.", again_s=0.05)
    hub.publish(msgspec.structs.replace(played_view(1), match_id="abc", phase="match over"))
    with serve(create_app(hub, streams=4, desk=Desk(referee, PinKeeper(None))), "127.0.0.1", 0) as server:
        browser.open(f"http://127.0.0.1:{server.port}/?lang=en")
        browser.wait_for("return document.querySelector('#finished .after')?.innerText.startsWith('Nobody has had')")
        browser.run(LOSES.replace("arguments[0]", "'/analysis'"))
        browser.wait_for("return window.lost === 1")
        referee.verdict = verdict
        browser.wait_for("return document.querySelectorAll('#finished .errors li').length === 2")
        referee.coaching = {None: Coached(again_s=0.05)}
        hub.publish(msgspec.structs.replace(played_view(2), match_id="abc", role="coach"))
        browser.wait_for("return document.querySelector('#coach .hint')?.innerText.startsWith('After each turn')")
        browser.run(LOSES.replace("arguments[0]", "'api/coach'"))
        browser.wait_for("return window.lost === 1")
        referee.coaching = {None: Coached((CoachedTurn(1, "light", "31: 24/23 24/21", "31: 8/5 6/5", 0.25, 0.0),))}
        browser.wait_for("return document.querySelectorAll('.coached li').length === 1")
        browser.run(FAILS)
        hub.publish(msgspec.structs.replace(played_view(3), match_id="abc", game=2, role="coach"))
        browser.wait_for("return document.getElementById('coach').hidden")
        browser.run("window.fetch = window.works")
        hub.publish(msgspec.structs.replace(played_view(4), match_id="abc", game=3, role="coach"))
        browser.wait_for("return !document.getElementById('coach').hidden")


FAILS = """
window.works = window.fetch.bind(window);
window.fetch = async (address, options) =>
  String(address).includes('api/coach') ? Response.json({ error: 'Not now.' }, { status: 503 }) : window.works(address, options);
"""


def test_the_coach_speaks_to_his_side_first(browser: Browser, referee: Keeper) -> None:
    turn = CoachedTurn(1, "light", "31: 24/23 24/21", "31: 8/5 6/5", 0.25, 0.0)
    second = CoachedTurn(2, "dark", "64: 24/14", "64: 24/14", 0.0, 0.104)
    referee.coaching = {"light": Coached((turn,)), None: Coached()}
    hub = ViewHub()
    hub.publish(msgspec.structs.replace(played_view(1), match_id="abc", role="coach"))
    with serve(create_app(hub, streams=4, desk=Desk(referee, PinKeeper(None))), "127.0.0.1", 0) as server:
        browser.screen(390, 844)
        browser.open(f"http://127.0.0.1:{server.port}/?lang=en")
        browser.wait_for("return document.querySelector('#coach .hint')?.innerText.startsWith('After each turn')")
        browser.run(
            "const one = document.querySelector('#coach select'); one.value = 'light';"
            "one.dispatchEvent(new Event('change'))"
        )
        browser.wait_for("return document.querySelectorAll('.coached li').length === 1")
        assert "3-1: 24/23 24/21 Better 8/5 6/5 −0.250" in browser.run(TEXT, ".coached")
        referee.coaching["light"] = Coached((second, turn))
        hub.publish(
            msgspec.structs.replace(
                played_view(2),
                match_id="abc",
                role="coach",
                plays=(*played_view(1).plays, PlayView(2, "dark", (6, 4), "24/14")),
            )
        )
        browser.wait_for("return document.querySelectorAll('.coached li').length === 2")
        assert "6-4: 24/14 The best play. To double first was better −0.104" in browser.run(TEXT, ".coached")
        hub.publish(msgspec.structs.replace(played_view(3), match_id="abc", role="monitor"))
        browser.wait_for("return !document.getElementById('coach').checkVisibility()")
        browser.run("localStorage.clear()")
        assert browser.complaints() == []


def test_viewers_who_see_the_board_later_have_no_coach_s_card(browser: Browser, referee: Keeper) -> None:
    hub, later = ViewHub(), Audience(viewers=Delay(seconds=0.05))
    with serve(
        create_app(hub, streams=4, desk=Desk(referee, PinKeeper(None)), audience=later), "127.0.0.1", 0
    ) as server:
        hub.publish(msgspec.structs.replace(played_view(1), role="coach"))
        browser.open(f"http://127.0.0.1:{server.port}/?lang=en")
        browser.wait_for("return document.querySelector('#coach .after') && document.getElementById('coach').hidden")
        hub.publish(msgspec.structs.replace(played_view(2), role="coach"))
        browser.wait_for("return document.body.dataset.sequence === '2'")
        assert browser.run("return document.getElementById('coach').hidden")


def test_plays_are_written_as_the_referee_writes_them(viewer: Browser) -> None:
    position, asked, expected = Position.start(), [], []
    rolls = [(1, 1), (6, 5), (3, 3), (6, 6), (4, 2), (2, 2), (5, 3), (6, 1), (5, 5), (4, 4)]
    for turn, dice in enumerate(rolls * 3):
        side = Side.LIGHT if turn % 2 == 0 else Side.DARK
        plays = legal_plays(position, side, dice)
        own = {one.name.lower(): list(position.own(one)) for one in Side}
        for play in plays:
            moves = [(move.source, move.target) for move in play.moves]
            asked.append([own, side.name.lower(), moves])
            expected.append([format_play(play), {one.name.lower(): list(play.result.own(one)) for one in Side}])
        position = plays[turn * 7 % len(plays)].result
    assert sum("*" in text for text, _ in expected) > 20
    assert sum("(2)" in text for text, _ in expected) > 20
    script = """
    const { playOn, written, movesIn } = await import('./static/js/turning.js');
    return JSON.parse(arguments[0]).map(([own, side, moves]) => {
      const { counts, hits } = playOn(own, side, moves);
      const text = written(moves, hits);
      return [text, counts, playOn(own, side, movesIn(text)).counts];
    });
    """
    for (text, counts, again), (wanted, after) in zip(viewer.run(script, json.dumps(asked)), expected, strict=True):
        assert (text, counts) == (wanted, after)
        assert again == after or "bar" in text or text.count("/") > 1, text


def test_the_verdict_is_kept_as_it_was_given(viewer: Browser, server: Server) -> None:
    address = "api/matches/abc/analysis"
    found = viewer.run(f"return (await fetch('{address}')).json()")
    assert msgspec.convert(found, MatchAnalysis) == VERDICT
    refused = viewer.run(f"return (await fetch('{address}', {{ method: 'POST' }})).status")
    assert refused == 401


def test_players_whom_nobody_has_named_are_called_by_their_colours(
    browser: Browser, server: Server, referee: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    unnamed = tuple(
        msgspec.structs.replace(player, name=name)
        for player, name in zip(VERDICT.players, ("Light", "Dark"), strict=True)
    )
    referee.verdict = msgspec.structs.replace(VERDICT, players=unnamed)
    kept = record(CRAWFORD)
    players = tuple(msgspec.structs.replace(player, name=player.color.capitalize()) for player in kept.players)
    monkeypatch.setattr(referee, "match", lambda identity, *, judged: msgspec.structs.replace(kept, players=players))
    browser.open(f"http://127.0.0.1:{server.port}/replay?match=abc#1")
    browser.wait_for("return document.querySelectorAll('.errors li').length === 2")
    assert browser.run("return document.title") == "White – Black · Vrhcáb"
    shown = browser.run("return document.getElementById('verdict').textContent")
    assert "White" in shown
    assert "Light" not in shown
    assert "Dark" not in shown
