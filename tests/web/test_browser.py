"""The page in a real Chromium: it draws what is published, says it in words, and comes back after the server was gone."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from controller.panel.plan import PanelState, PointLamp, words
from controller.rules import Side
from tests.web.browser import HASTE, Browser, hasty
from tests.web.network import network
from tests.web.standing import Standing
from tests.web.views import board, played_view, rolled_view, start_view
from web.app import create_app
from web.hub import ViewHub
from web.limits import Limits, limits_here
from web.server import Server, serve
from web.view import CubeView, FlagView, PlayerView, PlayView

CHECKERS = """
return [...document.querySelectorAll(`#board .checker.${arguments[0]}`)].map((g) =>
  [g.firstChild.getAttribute("href"), g.style.transform])
"""
SHOWN = "return document.body.dataset.sequence === String(arguments[0])"
TEXT = "return document.getElementById(arguments[0]).innerText"


@pytest.fixture
def hub() -> ViewHub:
    return ViewHub()


@pytest.fixture
def server(stand: Standing, hub: ViewHub) -> Server:
    return stand.put(create_app(hub, streams=8))


@pytest.fixture
def page(browser: Browser, stand: Standing, server: Server) -> Browser:
    browser.screen(360, 740)
    stand.begin(browser)
    browser.open(f"{stand.base}/")
    browser.complaints()
    return browser


def test_it_follows_a_play(page: Browser, hub: ViewHub) -> None:
    assert page.run(TEXT, "waiting") == "Waiting for the board"
    hub.publish(start_view(1))
    page.wait_for(SHOWN, 1)
    before = page.run(CHECKERS, "light")
    hub.publish(rolled_view(2))
    page.wait_for(SHOWN, 2)
    assert len(page.run("return [...document.querySelectorAll('#board .dice > g')].map(String)")) == 2
    hub.publish(played_view(3))
    page.wait_for(SHOWN, 3)
    after = page.run(CHECKERS, "light")
    assert len(after) == 15
    assert len({tuple(checker) for checker in before} - {tuple(checker) for checker in after}) == 2  # two have moved
    assert "8/5 6/5" in page.run(TEXT, "plays")
    assert page.run(TEXT, "standing").startswith("Rolled early. White has not ended the turn.")
    assert page.run(TEXT, "status") == "Marián to roll."
    assert page.run("return document.querySelector('.player.on-roll .name').title") == "Marián"
    assert page.complaints() == []


def test_it_is_announced_in_words(page: Browser, hub: ViewHub) -> None:
    for view in (start_view(1), rolled_view(2), played_view(3)):
        hub.publish(view)
        page.wait_for(SHOWN, view.sequence)
    assert page.run("return document.getElementById('announcer').textContent") == (
        "Jana, three and one: 8/5 6/5. Rolled early. White has not ended the turn."
    )
    page.run("document.getElementById('text-view').open = true")
    assert page.run(TEXT, "text-light-list").splitlines() == [
        "Point 24: 2 checkers",
        "Point 13: 5 checkers",
        "Point 8: 2 checkers",
        "Point 6: 4 checkers",
        "Point 5: 2 checkers",
    ]
    assert page.run(TEXT, "text-summary") == "Marián to roll. On roll: Marián. The cube is centred. Score: 0 to 0."
    assert page.run(TEXT, "text-light") == "White: Jana"
    unnamed = msgspec.structs.replace(start_view().light, name="Light", score=-2)
    doubled = CubeView(2, None)  # by equal dice of the draw
    hub.publish(msgspec.structs.replace(start_view(4), light=unnamed, cube=doubled, status="To roll: White"))
    page.wait_for(SHOWN, 4)
    assert page.run(TEXT, "text-summary") == "To roll: White. The cube is centred at 2. Score: −2 to 0."
    assert page.run(TEXT, "text-light") == "White"


def test_dice_that_still_lie_are_those_of_whoever_threw_them(
    page: Browser, browser: Browser, server: Server, hub: ViewHub
) -> None:
    """A person has told the play, or hit the clock, before anybody has lifted the dice."""
    lying = msgspec.structs.replace(played_view(3), dice=(1, 3), flags=())
    for view in (rolled_view(2), lying):
        hub.publish(view)
        page.wait_for(SHOWN, view.sequence)
    said = "return document.getElementById('announcer').textContent"
    assert page.run(said) == "Jana, three and one: 8/5 6/5."
    colours = "return [...document.querySelectorAll(arguments[0])].map((die) => die.getAttribute('fill')).join()"
    bone, ebony = "url(#bone),url(#bone)", "url(#ebony),url(#ebony)"
    parts = {
        "overlay/bar": ".dice-row rect:nth-of-type(2)",
        "overlay/roll": ".dice rect:nth-of-type(2)",
        "": "#board .dice rect:nth-of-type(2)",
    }
    for path, dice in parts.items():
        browser.open(f"http://127.0.0.1:{server.port}/{path}")
        browser.wait_for(SHOWN, 3)
        assert browser.run(colours, dice) == bone, path
    # The opponent throws the same.
    hub.publish(msgspec.structs.replace(lying, sequence=4, phase="to play"))
    page.wait_for(SHOWN, 4)
    assert page.run(said) == "Marián rolled one and three."
    assert browser.run(colours, parts[""]) == ebony


def test_the_last_roll_stays_in_a_stream_s_picture_for_its_game_alone(
    browser: Browser, server: Server, hub: ViewHub
) -> None:
    lifted = msgspec.structs.replace(start_view(3), turn="light", phase="to play")
    views = (
        rolled_view(2),
        lifted,
        msgspec.structs.replace(rolled_view(4), practice=True, dice=(6, 6)),
        msgspec.structs.replace(lifted, sequence=5),
        msgspec.structs.replace(rolled_view(6), match_id="another"),
        msgspec.structs.replace(start_view(7), match_id="a third"),
    )
    seen = []
    browser.open(f"http://127.0.0.1:{server.port}/overlay/roll")
    for view in views:
        hub.publish(view)
        browser.wait_for(SHOWN, view.sequence)
        seen.append(browser.run("return document.querySelector('.dice')?.getAttribute('aria-label') ?? ''"))
    assert seen == ["3-1", "3-1", "6-6", "", "3-1", ""]


def test_of_a_game_that_is_another_nothing_is_announced_as_news(page: Browser, hub: ViewHub) -> None:
    """When the match goes on after a practice game its turns were read out, and what the two had not in common as corrected."""
    practised = msgspec.structs.replace(rolled_view(3), practice=True, plays=(PlayView(1, "dark", (6, 5), "24/13"),))
    on = msgspec.structs.replace(played_view(2), match_id="a")
    said = []
    for view in (
        on,
        practised,
        msgspec.structs.replace(practised, sequence=4, dice=(2, 2)),
        msgspec.structs.replace(on, sequence=5),
        msgspec.structs.replace(practised, sequence=6, practice=False, match_id="b"),
    ):
        hub.publish(view)
        page.wait_for(SHOWN, view.sequence)
        said.append(page.run("return document.getElementById('announcer').textContent"))
    board = "The board is being set up. Nothing of this is written down."
    assert said[1:] == [board, board, "Marián to roll.", "Jana to play 3-1."]


def test_stacks_bar_tray_and_cube(page: Browser, hub: ViewHub) -> None:
    view = msgspec.structs.replace(
        start_view(7),
        light=PlayerView("Jana", 3, 60, 2, 3),
        dark=PlayerView("Marián", 5, 40, 0, 7),
        points=board("light 6:8 5:2; dark 3:6 1:2"),
        cube=CubeView(4, "dark"),
    )
    hub.publish(view)
    page.wait_for(SHOWN, 7)
    counts = page.run("return [...document.querySelectorAll('#board .count')].map((text) => text.textContent)")
    assert sorted(counts) == ["6", "8"]
    shapes = [shape for shape, _ in page.run(CHECKERS, "dark")]
    assert (shapes.count("#slab-dark"), shapes.count("#checker-dark")) == (7, 8)
    assert page.run("return document.querySelector('#board .cube text').textContent") == "4"
    assert page.run("return document.querySelector('.player[data-side=dark] .cube-chip').innerText").endswith("4")


def test_a_picture_that_is_hard_to_read_says_why_unless_something_worse_is_to_be_said(
    page: Browser, hub: ViewHub
) -> None:
    told = "const line = document.getElementById('camera'); return line.hidden ? '' : line.textContent"
    weak = ("Shaken: edges are smeared by 3.9 px in one direction, 2.2 px may be.", "Fix the camera.")
    for number, camera, expected in ((11, "ok", " ".join(weak)), (12, "No pictures come.", "No pictures come.")):
        hub.publish(msgspec.structs.replace(start_view(number), camera=camera, picture=(weak,)))
        page.wait_for(SHOWN, number)
        assert page.run(told) == expected
    hub.publish(start_view(13))
    page.wait_for(SHOWN, 13)
    assert page.run(told) == ""


RINGS = """
const rings = document.querySelector('#board .rings');
return [rings.getAttribute('class'), rings.children.length, document.querySelectorAll('#board .marks .reached').length,
  document.querySelectorAll('#board .marks .left').length]
"""


def test_the_board_marks_what_was_moved_last_and_what_is_wrong(page: Browser, hub: ViewHub) -> None:
    hub.publish(start_view(1))
    page.wait_for(SHOWN, 1)
    assert page.run(RINGS)[1:] == [0, 0, 0]
    hub.publish(played_view(3))
    page.wait_for(SHOWN, 3)
    assert page.run(RINGS) == ["rings last", 2, 1, 2]
    slipped = FlagView(
        2, "R05", "dark", "Play does not match 6-2.", 2, moved=((24, 18), (13, 10)), played="24/18 13/10", dice=(6, 2)
    )
    view = played_view(4)
    stands = msgspec.structs.replace(
        view,
        points=board("light 24:2 13:5 8:2 6:4 5:2; dark 24:1 18:1 13:4 10:1 8:3 6:5"),
        flags=(msgspec.structs.replace(slipped, possible="24/18 13/11"),),
        dice=(6, 2),
        phase="to play",
    )
    hub.publish(stands)
    page.wait_for(SHOWN, 4)
    assert page.run(RINGS) == ["rings wrong", 2, 2, 2]
    sentence = "Marián played 24/18 13/10 with 6-2. Play does not match 6-2. Possible would have been 24/18 13/11."
    assert page.run(TEXT, "standing").startswith(sentence)
    assert "R05" not in page.run("return document.body.innerText")


def test_a_notation_is_read_as_moves(page: Browser) -> None:
    read = "return (await import('./static/js/moved.js')).movesOf(arguments[0])"
    for notation, moves in (
        ("8/5 6/5", [[8, 5], [6, 5]]),
        ("13/9(2)", [[13, 9], [13, 9]]),
        ("bar/20*/14 6/off", [[25, 14], [6, 0]]),
        ("takes", []),
        ("no legal move", []),
    ):
        assert page.run(read, notation) == moves


def test_the_numbers_of_the_points_stay_put_and_can_be_read(page: Browser, hub: ViewHub) -> None:
    labels = "return [...document.querySelectorAll('#board .labels text')].map((one) => one.textContent).join()"
    hub.publish(msgspec.structs.replace(start_view(1), turn="light", phase="to roll"))
    page.wait_for(SHOWN, 1)
    first = page.run(labels)
    hub.publish(played_view(2))
    page.wait_for(SHOWN, 2)
    assert page.run(labels) == first
    assert page.run("return document.querySelector('#board .labels text').getBoundingClientRect().height") > 12


def test_nothing_moves_where_less_motion_is_asked_for(page: Browser, hub: ViewHub) -> None:
    features = [{"name": "prefers-reduced-motion", "value": "reduce"}]
    page.command("Emulation.setEmulatedMedia", features=features)
    hub.publish(start_view(1))
    page.wait_for(SHOWN, 1)
    hub.publish(played_view(3))
    page.wait_for(SHOWN, 3)
    assert page.run("return document.getAnimations().length") == 0
    page.command("Emulation.setEmulatedMedia", features=[])
    hub.publish(start_view(4))
    page.wait_for(SHOWN, 4)
    assert page.run("return document.getAnimations().length") > 0


def test_an_offered_cube_says_who_answers_and_an_owned_one_lies_there(page: Browser, hub: ViewHub) -> None:
    view = msgspec.structs.replace(played_view(1), turn="light", phase="cube offered", cube=CubeView(1, None, "dark"))
    hub.publish(view)
    page.wait_for(SHOWN, 1)
    awaited = page.run(TEXT, "status")
    assert "Marián" in awaited or "Black" in awaited  # a narrow phone has no room for it beside the name
    page.screen(414, 740)
    assert "Takes or passes?" in page.run(TEXT, "player-top")
    assert "Takes or passes?" not in page.run(TEXT, "player-bottom")
    hub.publish(msgspec.structs.replace(view, sequence=2, phase="to roll", cube=CubeView(2, "dark")))
    page.wait_for(SHOWN, 2)
    page.run("return new Promise((done) => setTimeout(done, 700))")
    cube, stage = page.run(
        "return ['#board .cube > g', '#board'].map((one) => document.querySelector(one).getBoundingClientRect().toJSON())"
    )
    assert cube["bottom"] < stage["top"] + stage["height"] / 4  # at the edge where dark sits


@pytest.mark.parametrize("language", ["en", "cs", "sk"])
def test_the_header_is_whole_on_the_narrowest_phone(page: Browser, server: Server, hub: ViewHub, language: str) -> None:
    page.screen(320, 640)
    page.open(f"http://127.0.0.1:{server.port}/?lang={language}")
    hub.publish(msgspec.structs.replace(played_view(1), crawford=True, match_length=17, game=12))
    page.wait_for(SHOWN, 1)
    cut = page.run(
        "const m = document.getElementById('match');"
        "return [m.scrollHeight - m.clientHeight, m.scrollWidth - m.clientWidth]"
    )
    assert cut == [0, 0]
    assert page.run("return document.documentElement.scrollWidth") <= 320


def test_viewers_see_that_an_earlier_play_was_rewritten(page: Browser, hub: ViewHub) -> None:
    view = played_view(2)
    hub.publish(view)
    page.wait_for(SHOWN, 2)
    assert "Corrected" not in page.run(TEXT, "plays")
    corrected = msgspec.structs.replace(view.plays[0], notation="8/4", corrected=True)
    hub.publish(msgspec.structs.replace(view, sequence=3, plays=(corrected,)))
    page.wait_for(SHOWN, 3)
    assert "Corrected" in page.run(TEXT, "plays")
    heard = "return document.getElementById('announcer').textContent"
    assert page.run(heard) == "Turn 1 was corrected: Jana, three and one: 8/4."


def test_flipping_turns_the_board_half_round_and_is_remembered(page: Browser, hub: ViewHub) -> None:
    hub.publish(start_view(1))
    page.wait_for(SHOWN, 1)
    before = {tuple(place) for _, place in page.run(CHECKERS, "light")}
    page.run("document.getElementById('flip').click()")
    after = {tuple(place) for _, place in page.run(CHECKERS, "light")}
    assert before.isdisjoint(after)
    assert page.run("return document.querySelector('#player-top .name').title") == "Jana"
    page.run("location.reload()")
    page.wait_for("return document.querySelector('#player-top .name')?.title === 'Jana'")


def test_a_touch_beside_the_settings_closes_them(page: Browser, hub: ViewHub) -> None:
    """Also one of which no click is made, as on an iPhone where nothing is done with what was touched."""
    hub.publish(start_view(1))
    page.wait_for(SHOWN, 1)
    page.run("document.querySelector('.menu').open = true")
    touch = "document.querySelector(arguments[0]).dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))"
    page.run(touch, ".menu select")
    assert page.run("return document.querySelector('.menu').open")
    page.run(touch, ".status")
    assert not page.run("return document.querySelector('.menu').open")


def test_colours_of_board_and_checkers_are_chosen_and_remembered(page: Browser, server: Server, hub: ViewHub) -> None:
    felt = "return getComputedStyle(document.querySelector('#felt stop')).stopColor"
    checker = "return getComputedStyle(document.querySelector('#ebony stop')).stopColor"
    hub.publish(start_view(1))
    page.wait_for(SHOWN, 1)
    before = page.run(felt), page.run(checker)
    choose = "const one = document.getElementById(arguments[0]); one.value = arguments[1]; one.dispatchEvent(new Event('change'))"
    page.run(choose, "board-colours", "navy")
    page.run(choose, "checkers-colours", "red")
    chosen = page.run(felt), page.run(checker)
    assert chosen[0] != before[0]
    assert chosen[1] != before[1]
    page.open(f"http://127.0.0.1:{server.port}/")
    page.wait_for(SHOWN, 1)
    assert (page.run(felt), page.run(checker)) == chosen
    assert page.run("return document.getElementById('board-colours').value") == "navy"
    page.run("localStorage.clear()")
    assert page.complaints() == []


def test_hostile_names_stay_text(page: Browser, hub: ViewHub) -> None:
    name = "<img src=x onerror=\"document.title='taken'\"><b>x</b>"
    hub.publish(start_view(1, light=name))
    page.wait_for(SHOWN, 1)
    assert page.run("return document.querySelector('#player-bottom .name').title") == name
    assert page.run("return document.querySelectorAll('.name img, .name b').length") == 0
    assert page.run("return document.title").startswith("<img")
    assert page.complaints() == []


def test_it_comes_back_after_the_server_was_gone(page: Browser, browser: Browser) -> None:
    hub = ViewHub()
    hub.publish(start_view(5))
    server = serve(create_app(hub, streams=8), "127.0.0.1", 0)
    page.open(f"http://127.0.0.1:{server.port}/")
    page.wait_for(SHOWN, 5)
    server.close()
    page.wait_for("return document.getElementById('connection').dataset.state === 'lost'")
    fresh = ViewHub()
    fresh.publish(played_view(2))  # a new run may count its views from the beginning
    with serve(create_app(fresh, streams=8), "127.0.0.1", server.port):
        back = time.monotonic()
        page.wait_for(SHOWN, 2)
        assert time.monotonic() - back < 5
        page.wait_for("return document.getElementById('connection').dataset.state === 'live'")


@pytest.mark.parametrize(
    "woken", ["document.dispatchEvent(new Event('visibilitychange'))", "dispatchEvent(new Event('online'))"]
)
def test_a_phone_that_wakes_is_current_at_once(page: Browser, server: Server, hub: ViewHub, woken: str) -> None:
    with network(server.port) as between:
        page.open(f"http://127.0.0.1:{between.port}/")
        hub.publish(start_view(1))
        page.wait_for(SHOWN, 1)
        between.change()
        hub.publish(played_view(2))
        page.run("return new Promise((done) => setTimeout(done, 300))")
        assert page.run("return document.body.dataset.sequence") == "1"  # its connection is dead, and says nothing
        page.run(woken)
        # By itself the page would find out only after 4.5 s of silence (stream.js).
        page.wait_for(SHOWN, 2)


STATE = "return document.getElementById('connection').dataset.state === arguments[0]"
SERVING = """
import time
from tests.web.views import start_view
from web.app import create_app
from web.hub import ViewHub
from dataclasses import replace
from web.limits import limits_here
from web.server import serve

hub = ViewHub()
hub.publish(start_view(1))
limits = limits_here()
limits = replace(limits, keep_alive=limits.keep_alive / {haste})
with serve(create_app(hub, streams={streams}), "127.0.0.1", 0, limits) as server:
    print(server.port, flush=True)
    time.sleep(120)
"""


@contextmanager
def program(streams: int, haste: int = 1) -> Iterator[tuple[int, subprocess.Popen[str]]]:
    """The page's server as a process of its own, and its port. haste: how many times as often it says that it is there."""
    script = SERVING.format(streams=streams, haste=haste)
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield int(process.stdout.readline()), process
        finally:
            process.send_signal(signal.SIGCONT)
            process.kill()


@pytest.mark.parametrize("streams", [8, 0])  # a page that follows, and one that asks because all places are taken
def test_a_frozen_server_is_not_called_live(browser: Browser, streams: int) -> None:
    browser.screen(320, 640)
    with program(streams, HASTE) as (port, process), hasty(browser):
        browser.open(f"http://127.0.0.1:{port}/")
        browser.wait_for(SHOWN, 1)
        browser.wait_for(STATE, "live")
        shown = browser.run("return document.querySelector('.top').getBoundingClientRect().height")
        process.send_signal(signal.SIGSTOP)
        browser.wait_for(STATE, "lost", seconds=20)
        assert "No connection" in browser.run("return document.querySelector('.top').innerText")
        assert browser.run("return document.documentElement.scrollWidth") <= 320
        assert browser.run("return document.querySelector('.top').getBoundingClientRect().height") == shown
        process.send_signal(signal.SIGCONT)
        browser.wait_for(STATE, "live", seconds=20)


def test_a_network_that_swallows_everything_is_not_called_live(browser: Browser, hub: ViewHub) -> None:
    hub.publish(start_view(1))
    limits = limits_here()
    beats = replace(limits, keep_alive=limits.keep_alive / HASTE)
    with (
        serve(create_app(hub), "127.0.0.1", 0, beats) as server,
        network(server.port) as between,
        hasty(browser) as page,
    ):
        page.open(f"http://127.0.0.1:{between.port}/")
        page.wait_for(STATE, "live")
        between.swallow()
        page.wait_for(STATE, "lost", seconds=20)
        page.run("return new Promise((done) => setTimeout(done, 2000))")
        assert page.run(STATE, "lost")  # a connection that is made and stays silent is none
        between.swallow(False)
        hub.publish(played_view(2))
        page.wait_for(SHOWN, 2, seconds=20)
        page.wait_for(STATE, "live", seconds=20)


def test_silence_lasts_two_beats_and_five_seconds_at_most() -> None:
    script = (Path(__file__).parents[2] / "web" / "static" / "js" / "stream.js").read_text(encoding="utf-8")
    silence, ask, patience = (
        int(re.findall(rf"const {name}_MS = (\d+);", script)[0]) for name in ("SILENCE", "ASK_EVERY", "PATIENCE")
    )
    assert 2 * Limits(connections=1).keep_alive * 1000 < silence <= 5000
    assert ask + patience <= 5000


def test_a_page_that_nobody_sees_lets_its_stream_go(page: Browser, server: Server, hub: ViewHub) -> None:
    hub.publish(start_view(1))
    page.open(f"http://127.0.0.1:{server.port}/")
    page.wait_for(SHOWN, 1)
    hide = """
      Object.defineProperty(document, 'visibilityState', {value: arguments[0], configurable: true});
      const later = window.setTimeout;
      window.setTimeout = (what, ms) => later(what, ms === 20000 ? 0 : ms);
      document.dispatchEvent(new Event('visibilitychange'));
      window.setTimeout = later;
    """
    page.run(hide, "hidden")
    page.wait_for(STATE, "connecting")
    end = time.monotonic() + 10
    while hub.watchers:
        assert time.monotonic() < end
        time.sleep(0.05)
    hub.publish(played_view(2))
    page.run(hide, "visible")
    page.wait_for(SHOWN, 2)
    assert page.run(STATE, "live")


def test_an_answer_that_comes_when_nobody_looks_any_more_begins_nothing(browser: Browser, hub: ViewHub) -> None:
    hub.publish(start_view(1))
    hold = """
      const ask = window.fetch.bind(window);
      window.fetch = async (...more) => {
        const answer = await ask(...more);
        await new Promise((go) => { window.letGo = go; });
        return answer;
      };
    """
    hide = """
      Object.defineProperty(document, 'visibilityState', {value: 'hidden', configurable: true});
      const later = window.setTimeout;
      window.setTimeout = (what, ms) => later(what, ms === 20000 ? 0 : ms);
      document.dispatchEvent(new Event('visibilitychange'));
      window.setTimeout = later;
    """
    with serve(create_app(hub, streams=0), "127.0.0.1", 0, replace(limits_here(), linger=0.0)) as server:
        browser.open(f"http://127.0.0.1:{server.port}/")
        browser.wait_for(SHOWN, 1)
        browser.run(hold)
        browser.wait_for("return Boolean(window.letGo)")
        browser.run(hide)
        browser.wait_for(STATE, "connecting")
        browser.run("window.letGo(); return new Promise((done) => setTimeout(done, 300))")
        assert browser.run(STATE, "connecting")


def test_where_streams_are_full_the_page_asks_instead(browser: Browser, hub: ViewHub) -> None:
    hub.publish(start_view(1))
    with serve(create_app(hub, streams=0), "127.0.0.1", 0) as server, hasty(browser):
        browser.open(f"http://127.0.0.1:{server.port}/")
        browser.wait_for(SHOWN, 1)
        hub.publish(rolled_view(2))
        browser.wait_for(SHOWN, 2)


def test_nothing_runs_over_the_edge(page: Browser, hub: ViewHub) -> None:
    name = "J" * 200
    view = played_view(1)
    view = msgspec.structs.replace(
        view, light=PlayerView(name, 17, 163, 0, 0), match_length=25, status=name, camera=name
    )
    hub.publish(view)
    page.wait_for(SHOWN, 1)
    for width, height in ((360, 740), (740, 360), (768, 1024), (1280, 720), (1920, 1080)):
        for scheme in ("light", "dark"):
            page.screen(width, height, scheme)
            page.run("return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            _fits(page, width, height)


def _fits(page: Browser, width: int, height: int) -> None:
    assert page.run("return [innerWidth, innerHeight]") == [width, height]
    assert page.run("return document.documentElement.scrollWidth") <= width
    box = page.run(
        "const b = document.getElementById('board').getBoundingClientRect(); return [b.left, b.right, b.bottom]"
    )
    player = page.run("const p = document.querySelector('.side').getBoundingClientRect(); return [p.left, p.top]")
    assert player[0] >= box[1] or player[1] >= box[2]
    assert box[0] >= 0
    assert box[1] <= width
    assert box[2] <= height


def test_the_keyboard_reaches_every_control(page: Browser, hub: ViewHub) -> None:
    hub.publish(played_view(1))
    page.wait_for(SHOWN, 1)
    unreachable = page.run("""
      const controls = document.querySelectorAll('button, summary, select, a[href]');
      return [...controls].filter((c) => c.checkVisibility() && c.tabIndex < 0).map((c) => c.outerHTML)
    """)
    assert unreachable == []
    unnamed = page.run("""
      const controls = document.querySelectorAll('.top button, .top summary');
      return [...controls].filter((c) => !c.getAttribute('aria-label')).map((c) => c.outerHTML)
    """)
    assert unnamed == []


@pytest.mark.parametrize("language", ["cs", "sk"])
def test_every_lamp_that_is_lit_is_named_in_the_page_s_language(
    page: Browser, server: Server, hub: ViewHub, language: str
) -> None:
    points = [(point, lamp) for lamp in (PointLamp.SOURCE, PointLamp.GOAL) for point in (0, 7, 25)]
    states = (
        PanelState(Side.LIGHT, True, 4, Side.DARK, points=tuple(points), host_ok=False),
        PanelState(Side.DARK, False, 2, None),
        PanelState(None, False, 2, None, Side.LIGHT),
    )
    lit = tuple(name for state in states for name in words(state))
    hub.publish(msgspec.structs.replace(played_view(3), panel=lit))
    page.open(f"http://127.0.0.1:{server.port}/?lang={language}")
    page.wait_for(SHOWN, 3)
    shown = page.run("return [...document.querySelectorAll('#panel li')].map((one) => one.innerText.trim())")
    assert len(shown) == len(lit)
    assert not {*shown} & {*lit}
    assert not [one for one in shown if "checker" in one or "may" in one]


def test_the_page_speaks_czech_when_asked_to(page: Browser, server: Server, hub: ViewHub) -> None:
    hub.publish(played_view(3))
    page.open(f"http://127.0.0.1:{server.port}/?lang=cs")
    page.wait_for(SHOWN, 3)
    assert page.run("return document.documentElement.lang") == "cs"
    assert page.run(TEXT, "match") == "Zápas na 7 bodů · Hra 1"
    assert page.run(TEXT, "status") == "Hází: Marián"
    assert page.run(TEXT, "panel").split("\n")[0] == "na tahu: Marián"
    hub.publish(start_view(4, light="Light", dark="Dark"))
    page.wait_for(SHOWN, 4)
    assert (
        page.run("return [...document.querySelectorAll('.name')].map((one) => one.lastChild.data).join()")
        == "Černý,Bílý"
    )
    page.run("const s = document.getElementById('language'); s.value = 'en'; s.dispatchEvent(new Event('change'))")
    page.wait_for("return document.documentElement.lang === 'en' && document.getElementById('plays').children.length")


def test_overlays_lie_over_nothing_and_follow_the_game(browser: Browser, server: Server, hub: ViewHub) -> None:
    hub.publish(rolled_view(2))
    browser.screen(600, 300)
    browser.complaints()
    shown = {}
    for part in ("board", "score", "roll", "pips"):
        browser.open(f"http://127.0.0.1:{server.port}/overlay/{part}?lang=en&theme=clear")
        browser.wait_for(SHOWN, hub.latest.sequence if hub.latest else 0)
        assert browser.run("return getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)"
        assert browser.run("return document.documentElement.scrollHeight") <= 300
        hub.publish(played_view(hub.latest.sequence + 1 if hub.latest else 1))
        browser.wait_for(SHOWN, hub.latest.sequence if hub.latest else 0)
        shown[part] = browser.run("return document.getElementById('overlay').innerText").split()
    assert browser.complaints() == []
    assert shown["score"][:4] == ["Marián", "0", "Jana", "0"]
    assert shown["pips"][:4] == ["Marián", "167", "Jana", "163"]
    browser.open(f"http://127.0.0.1:{server.port}/overlay/roll")
    browser.wait_for("return document.querySelector('.dice')?.getAttribute('aria-label') === '3-1'")
