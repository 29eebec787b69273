"""The desk in a real Chromium: a turn in two taps, a correction, a match replayed."""

from __future__ import annotations

import time

import cv2
import msgspec
import numpy as np
import pytest

from controller.app.answers import refused
from controller.app.report_view import report_of
from controller.referee.commands import CommandError
from controller.rules import Position, Side, position_id
from tests.transcript.matches import TURNS, game, misread
from tests.transcript.matches import said as match_said
from tests.web.browser import SMALL_FIELDS, Browser
from tests.web.standing import Standing
from tests.web.table import TableReferee
from tests.web.views import played_view, rolled_view, start_view
from web.app import create_app
from web.desk import Desk
from web.hub import ViewHub
from web.operator import Answer, MatchLine
from web.security import PinKeeper
from web.server import Server, serve
from web.view import (
    ChouetteView,
    ClockView,
    CubeView,
    FlagView,
    PlannedView,
    PlayerView,
    PlayView,
    ResignView,
    StakeView,
    TeamView,
)

SHOWN = "return document.body.dataset.sequence === String(arguments[0]) && !('waits' in document.body.dataset)"
"""That view is there, and what the desk holds back until nothing of it moves any more."""
CLICK = "document.querySelector(arguments[0]).click()"
KEEPER = PinKeeper(None)


@pytest.fixture
def hub() -> ViewHub:
    hub = ViewHub()
    hub.publish(start_view(1))
    return hub


@pytest.fixture
def referee() -> TableReferee:
    referee = TableReferee()
    referee.camera = cv2.imencode(".jpg", np.full((720, 1280, 3), 120, np.uint8))[1].tobytes()
    return referee


@pytest.fixture
def server(stand: Standing, hub: ViewHub, referee: TableReferee) -> Server:
    return stand.put(create_app(hub, lambda flag: referee.camera, streams=8, desk=Desk(referee, KEEPER)))


@pytest.fixture
def desk(browser: Browser, stand: Standing, server: Server) -> Browser:
    """Signed in on a phone, as a person does it."""
    browser.screen(360, 740)
    stand.begin(browser)
    browser.open(f"http://127.0.0.1:{server.port}/desk")
    if browser.run("return document.getElementById('pin') !== null"):
        browser.run("document.getElementById('pin').value = arguments[0]", KEEPER.fresh)
        browser.run(CLICK, "form button")
    browser.wait_for(SHOWN, 1)
    browser.complaints()
    return browser


def said(referee: TableReferee, kind: str, times: int = 1) -> None:
    """Waits until the referee has heard a command of that kind, so often."""
    end = time.monotonic() + 10
    while [told["type"] for told in referee.told].count(kind) < times:
        assert time.monotonic() < end, referee.told
        time.sleep(0.02)


def test_a_turn_takes_two_taps(desk: Browser, referee: TableReferee, hub: ViewHub) -> None:
    desk.run(CLICK, '#who [data-side="light"]')
    desk.run(CLICK, '[data-roll="31"]')
    desk.wait_for("return document.querySelectorAll('#legal button').length === 2")
    desk.run(f"{CLICK}; {CLICK}", '#legal [data-play="8/5 6/5"]')  # twice, as fingers do
    said(referee, "play")
    hub.publish(played_view(2))
    desk.wait_for(SHOWN, 2)
    assert [told["type"] for told in referee.told] == ["roll", "play"]
    assert referee.told[0] == {"type": "roll", "dice": [3, 1], "side": "light"}
    assert desk.complaints() == []


LOSES_ANSWERS = """
const ask = window.fetch.bind(window), goesOn = new Promise((released) => { window.goOn = released; });
window.ordered = 0;
window.fetch = async (address, options) => {
  const isCommand = String(address).includes('api/command');
  window.ordered += isCommand;
  const answer = await ask(address, options);
  await (isCommand ? new Promise(() => {}) : goesOn);
  return answer;
};
"""
"""And what else is asked is answered only from goOn() on."""


def test_a_play_whose_answer_was_lost_holds_the_next_turn_s_up_no_longer(
    desk: Browser, referee: TableReferee, hub: ViewHub
) -> None:
    hub.publish(rolled_view(2))
    desk.wait_for(SHOWN, 2)
    desk.run(CLICK, '[data-roll="31"]')
    desk.wait_for("return document.querySelectorAll('#legal button').length === 2")
    desk.run(LOSES_ANSWERS)
    ordered, play = f"{CLICK}; return window.ordered", '#legal [data-play="8/5 6/5"]'
    assert [desk.run(ordered, play), desk.run(ordered, play)] == [1, 1]
    said(referee, "play")
    hub.publish(played_view(3))
    desk.wait_for(SHOWN, 3)
    assert desk.run(ordered, play) == 1  # the second tap may come as late, and meets the button of the turn before
    desk.run("window.goOn()")
    desk.wait_for(f"{CLICK}; return window.ordered === 2", play)
    said(referee, "play", 2)


def test_what_is_taken_back_is_taken_back_at_the_view_that_is_shown(
    desk: Browser, referee: TableReferee, hub: ViewHub
) -> None:
    """By that the referee knows which of two desks has not seen what the other did. To one's own acts a view may come late."""
    hub.publish(rolled_view(2))
    desk.wait_for(SHOWN, 2)
    desk.run(CLICK, '[data-command*="undo"]')
    said(referee, "undo")
    assert referee.seen == 2
    desk.run("document.body.dataset.sequence = '1'")
    desk.wait_for(
        f"{CLICK}; return window.performance.now() > (window.until ??= window.performance.now() + 800)",
        '[data-command*="undo"]',
    )
    said(referee, "undo", 2)
    assert referee.seen == 2


def test_a_play_is_put_right_although_the_game_goes_on_meanwhile(desk: Browser, hub: ViewHub) -> None:
    hub.publish(played_view(2))
    desk.wait_for(SHOWN, 2)
    desk.run(CLICK, "#edit-last")
    desk.wait_for("return document.querySelectorAll('#legal button').length")
    desk.run(LOSES_ANSWERS)
    played = played_view(3)
    answer = msgspec.structs.replace(played.plays[0], number=2, side="dark")
    hub.publish(msgspec.structs.replace(played, plays=(*played.plays, answer)))
    desk.wait_for(SHOWN, 3)
    assert desk.run(f"{CLICK}; return window.ordered", "#legal button") == 1


MARK = """
const choice = document.querySelector("#record select.mark");
choice.value = arguments[0];
choice.dispatchEvent(new Event("change", {bubbles: true}));
"""
CHOSEN = "return document.querySelector('#record select.mark')?.value === arguments[0]"


def test_what_somebody_thinks_of_a_play_is_chosen_beside_it(desk: Browser, referee: TableReferee, hub: ViewHub) -> None:
    """Text 002: "? pro chybný tah, ?? pro velice chybný tah, ! pro silný tah"."""
    shown = played_view(2)
    hub.publish(shown)
    desk.wait_for(SHOWN, 2)
    for sequence, mark in enumerate(("?", "!", ""), start=3):
        referee.told.clear()
        desk.run(MARK, mark)
        said(referee, "mark")
        assert referee.told == [{"type": "mark", "turn": 1, "mark": mark}]
        plays = (msgspec.structs.replace(shown.plays[0], mark=mark),)
        hub.publish(msgspec.structs.replace(shown, sequence=sequence, plays=plays))
        desk.wait_for(SHOWN, sequence)
        desk.wait_for(CHOSEN, mark)
    assert desk.run("return document.querySelector('#record select.mark').getAttribute('aria-label')").endswith(
        "play 1"
    )
    assert desk.complaints() == []


TAP = "document.querySelector(`[data-tap=\"${arguments[0]}\"]`).dispatchEvent(new MouseEvent('click', {bubbles: true}))"
GOALS = "return [...document.querySelectorAll('.tap.goal')].map((one) => Number(one.dataset.tap)).join()"


def rolled(desk: Browser, hub: ViewHub) -> None:
    """Light has rolled 3-1, and the board can be tapped."""
    desk.run(CLICK, '[data-roll="31"]')
    hub.publish(rolled_view(2))
    desk.wait_for(SHOWN, 2)
    desk.wait_for("return document.querySelectorAll('.tap.source').length === 4")


def test_a_play_is_tapped_on_the_board(desk: Browser, referee: TableReferee, hub: ViewHub) -> None:
    rolled(desk, hub)
    desk.run(TAP, 8)
    assert desk.run(GOALS) == "7,5,4"
    desk.run(TAP, 5)
    assert desk.run("return document.querySelectorAll('.checker.light').length") == 15
    assert desk.run("return document.getElementById('tap-again').hidden") is False
    desk.run(CLICK, "#tap-again")
    assert desk.run("return document.getElementById('tap-again').hidden") is True
    desk.run(TAP, 8)
    desk.run(TAP, 4)
    said(referee, "play")
    before = list(Position.start().light)
    before[7], before[3] = 2, 1
    after = Position(tuple(before), Position.start().dark)
    assert referee.told[-1] == {"type": "play", "after": position_id(after, Side.LIGHT)}
    assert desk.complaints() == []


def test_a_play_is_tapped_with_the_keyboard(desk: Browser, referee: TableReferee, hub: ViewHub) -> None:
    for key in "31":
        desk.run("document.body.dispatchEvent(new KeyboardEvent('keydown', {key: arguments[0], bubbles: true}))", key)
    said(referee, "roll")
    rolled(desk, hub)
    press = "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: arguments[0], bubbles: true}))"
    desk.run("document.querySelector('[data-tap=\"24\"]').focus()")
    for key, focused in (("ArrowRight", 13), ("ArrowRight", 8), ("Enter", 8), ("Escape", 8), ("Enter", 8)):
        desk.run(press, key)
        assert desk.run("return Number(document.activeElement.dataset.tap)") == focused
    desk.run(press, "ArrowRight")
    assert desk.run("return document.activeElement.getAttribute('aria-label')") == "To 7"
    desk.run(press, "ArrowRight")  # point 6, then 5
    desk.run(press, "ArrowRight")
    desk.run(press, "Enter")
    assert desk.run("return document.querySelector('[data-tap=\"6\"]').classList.contains('source')")
    desk.run("document.querySelector('[data-tap=\"6\"]').focus()")
    desk.run(press, "Enter")
    desk.run("document.querySelector('[data-tap=\"5\"].goal').focus()")
    desk.run(press, " ")
    said(referee, "play")
    assert referee.told[-1]["after"] == "4HPwATCwZ/ABMA"


def test_nothing_is_wider_than_the_phone(desk: Browser) -> None:
    desk.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert desk.run("return document.documentElement.scrollWidth") <= 360
    small = desk.run(
        "return [...document.querySelectorAll('button')].filter((one) => one.offsetParent && one.offsetHeight < 40).length"
    )
    assert small == 0
    lines = "return [...document.querySelectorAll('.languages button')].map((one) => one.offsetHeight)"
    desk.run(
        "document.querySelectorAll('.languages button').forEach((one) => one.setAttribute('aria-current', 'true'))"
    )
    assert max(desk.run(lines)) < 50  # no name of a language is broken, the chosen one's, which is bold, neither


CUT = """
const shown = [...document.querySelectorAll('.player .name, .player .score, .top h1')];
const letters = (one) => one.clientWidth / parseFloat(getComputedStyle(one).fontSize);
const room = (one) => one.matches(".name") ? letters(one) > 2.5 : one.scrollWidth <= one.clientWidth + 1;
return shown.filter((one) => !room(one)).map((one) => `${one.textContent} ${one.clientWidth}`);
"""
TITLE = """
const title = document.querySelector('.top h1');
return title.offsetHeight / parseFloat(getComputedStyle(title).fontSize);
"""
DOUBLED = """
document.documentElement.style.fontSize = '200%';
document.querySelector('.menu')?.setAttribute('open', '');
"""


def test_letters_of_twice_the_size_can_be_read_on_a_phone(desk: Browser, server: Server) -> None:
    for page in ("desk", ""):
        desk.open(f"http://127.0.0.1:{server.port}/{page}")
        desk.wait_for("return document.body.dataset.sequence")
        desk.run(DOUBLED)
        assert desk.run(CUT) == []
        assert desk.run(TITLE) < 1.5  # no column of letters
        assert desk.run("return document.querySelector('.sheet')?.getBoundingClientRect().left ?? 0") >= 0


BELOW_THE_BOARD = """
const edge = document.querySelector('.stage').getBoundingClientRect().bottom;
const shown = [...document.querySelectorAll('.tapping > *')].filter((one) => one.checkVisibility());
return shown.map((one) => one.getBoundingClientRect().top - edge);
"""


def test_on_a_phone_on_its_side_nothing_lies_under_the_board_and_no_title_is_a_column(
    desk: Browser, server: Server, hub: ViewHub
) -> None:
    desk.screen(740, 360)
    hub.publish(msgspec.structs.replace(played_view(2), status="Cube offered at 4. Take or pass: Jana, who sits below"))
    desk.wait_for(SHOWN, 2)
    assert min(desk.run(BELOW_THE_BOARD)) >= 0
    desk.command("Network.clearBrowserCookies")
    desk.open(f"http://127.0.0.1:{server.port}/desk")
    assert desk.run(TITLE.replace(".top h1", ".signin h1")) < 1.5


def test_a_doubtful_play_is_corrected(desk: Browser, referee: TableReferee, hub: ViewHub) -> None:
    hub.publish(msgspec.structs.replace(played_view(2), doubtful=(1,)))
    desk.wait_for("return document.querySelectorAll('#doubts li').length === 1")
    assert desk.run("return document.getElementById('doubts-title').innerText") == "1 turn was read with doubt"
    desk.run("document.getElementById('doubts-section').open = true")
    desk.wait_for("return document.querySelector('#doubts .thumbnail img')?.naturalWidth > 0")
    desk.run(CLICK, "#doubts .thumbnail")
    desk.wait_for(
        "return document.getElementById('picture').open && document.querySelectorAll('#shots figure').length === 2"
    )
    assert desk.run("return document.getElementById('shots').innerText.split('\\n').join()") == "Before,After"
    desk.run(CLICK, "#picture button")
    above = "document.querySelector(arguments[0]).getBoundingClientRect().top"
    assert desk.run(f"return {above}", "#doubts") > desk.run(f"return {above}", "#other")
    desk.complaints()
    desk.run("[...document.querySelectorAll('#doubts .answers button')].at(-1).click()")
    desk.wait_for("return document.querySelectorAll('#legal button').length === 2")
    desk.run(CLICK, '#legal [data-play="24/23 13/10"]')
    said(referee, "correct")
    assert referee.told[-1] == {"type": "correct", "turn": 1, "dice": [3, 1], "after": "4HPwATDgc+IBKA"}


VISIBLE = """
const box = document.querySelector(arguments[0]).getBoundingClientRect();
return box.height > 0 && box.top >= 0 && box.bottom <= innerHeight;
"""


@pytest.mark.parametrize("size", [(320, 568), (390, 844), (768, 1024), (1440, 900)])
def test_the_last_play_is_corrected_in_three_taps_from_the_page_s_top(
    desk: Browser, referee: TableReferee, hub: ViewHub, size: tuple[int, int]
) -> None:
    desk.screen(*size)
    hub.publish(played_view(2))
    desk.wait_for(SHOWN, 2)
    assert desk.run(VISIBLE, "#edit-last")
    desk.run(CLICK, "#edit-last")  # one
    desk.wait_for("return document.querySelectorAll('.tap.source').length === 4")
    assert desk.run("return document.getElementById('status').innerText") == "Correcting turn 1: Jana"
    stands = "return document.querySelectorAll('#board .checker.light[data-place=\"5\"]').length"
    assert desk.run(stands) == 0  # the board before that turn
    assert referee.asked[-1] == (1, (3, 1))
    desk.run(TAP, 8)  # two
    desk.run(TAP, 4)  # three
    said(referee, "correct")
    before = list(Position.start().light)
    before[7], before[3] = 2, 1
    after = position_id(Position(tuple(before), Position.start().dark), Side.LIGHT)
    assert referee.told[-1] == {"type": "correct", "turn": 1, "dice": [3, 1], "after": after}
    desk.wait_for("return document.getElementById('status').innerText === 'Marián to roll.'")
    assert desk.complaints() == []


def test_other_dice_of_an_earlier_turn_and_a_play_that_stands(
    desk: Browser, referee: TableReferee, hub: ViewHub
) -> None:
    hub.publish(played_view(2))
    desk.wait_for(SHOWN, 2)
    pressed = "return document.querySelector('#dice [aria-pressed=true]')?.dataset.roll === arguments[0]"
    desk.run(CLICK, "#record button")
    # As that turn was played; of two questions at once the server may hear the later one first.
    desk.wait_for(pressed, "31")
    desk.run(CLICK, '[data-roll="62"]')
    desk.wait_for(pressed, "62")
    assert referee.asked[-1] == (1, (6, 2))
    assert [told["type"] for told in referee.told] == []
    desk.run("document.querySelector('#other [name=notation]').value = '8/4'")
    desk.run("document.querySelector('#other [name=stands]').checked = true")
    desk.run(CLICK, "#other button")
    said(referee, "correct")
    assert referee.told[-1] == {"type": "correct", "turn": 1, "dice": [6, 2], "notation": "8/4", "stands": True}
    desk.run(CLICK, "#record button")
    desk.run(CLICK, "#edit-end")
    assert desk.run("return document.getElementById('status').innerText") == "Marián to roll."


def test_nines_are_no_dice(desk: Browser, referee: TableReferee, hub: ViewHub) -> None:
    hub.publish(played_view(2))
    desk.wait_for(SHOWN, 2)
    desk.run(CLICK, "#record button")
    desk.run(CLICK, "#edit-insert")
    dice = "return document.querySelector('#insert [name=dice]').validity.valid"
    for text, valid in (("9-9", False), ("7-1", False), ("6-5", True), ("65", True), ("6 5", True), ("6", False)):
        desk.run("document.querySelector('#insert [name=dice]').value = arguments[0]", text)
        assert desk.run(dice) is valid, text
    desk.run("document.querySelector('#insert [name=dice]').value = '9-9'")
    desk.run(CLICK, "#insert button[value=insert]")
    assert desk.run("return document.getElementById('insert').open")
    assert referee.told == []
    assert desk.complaints() == []  # an invalid pattern would be one


def test_what_a_tournament_has_for_the_board_is_asked_about_while_a_match_is_on(
    desk: Browser, referee: TableReferee, hub: ViewHub
) -> None:
    planned = PlannedView("Eva", "Ota", 5, "match", False, "Cup", "", "2")
    hub.publish(msgspec.structs.replace(played_view(2), planned=planned))
    desk.wait_for(SHOWN, 2)
    assert "Eva – Ota, to 5 · Cup · 2" in desk.run("return document.getElementById('planned').innerText")
    desk.run(CLICK, "#planned-begin")
    desk.wait_for("return document.getElementById('sure').open")
    assert referee.told == []
    desk.run(CLICK, "#sure [value=yes]")
    said(referee, "match")
    asked_for = {"type": "match", **{key: value for key, value in msgspec.to_builtins(planned).items() if value}}
    assert asked_for.items() <= referee.told[-1].items()
    hub.publish(start_view(3))
    desk.wait_for(SHOWN, 3)
    assert desk.run("return document.getElementById('planned').hidden")


@pytest.mark.parametrize(("game", "light", "dark"), [(2, 0, 0), (1, -4, 2)])
def test_a_session_between_two_games_is_asked_about_too(
    desk: Browser, referee: TableReferee, hub: ViewHub, game: int, light: int, dark: int
) -> None:
    """In a chouette the box may have lost as much as its captain has won, or more."""
    sides = (PlayerView("Jana", light, 167, 0, 0), PlayerView("Marián", dark, 167, 0, 0))
    hub.publish(msgspec.structs.replace(start_view(2), game=game, light=sides[0], dark=sides[1], match_length=0))
    desk.wait_for(SHOWN, 2)
    desk.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    desk.run(CLICK, "#new-match button")
    desk.wait_for("return document.getElementById('sure').open")
    assert referee.told == []


def test_a_second_tap_on_its_button_sends_no_form_twice(desk: Browser, referee: TableReferee, hub: ViewHub) -> None:
    """Two equal draws would turn the cube twice, and two matches begin of which one is never played."""
    hub.publish(msgspec.structs.replace(start_view(2), draws=True))
    desk.wait_for(SHOWN, 2)
    desk.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    for form, kind in (("draw", "draw"), ("new-match", "match")):
        twice = """
        const form = document.getElementById(arguments[0]);
        for (const name of ['light', 'dark']) if (!form.elements[name].value) form.elements[name].value = name;
        form.requestSubmit();
        await new Promise((later) => setTimeout(later, 250));  // what it asked for is done by then
        for (const name of ['light', 'dark']) if (!form.elements[name].value) form.elements[name].value = name;
        form.requestSubmit();
        await new Promise((later) => setTimeout(later, 250));
        """
        desk.run(twice, form)
        assert [told["type"] for told in referee.told].count(kind) == 1


def test_a_second_tap_takes_nothing_more_back_until_a_moment_later(desk: Browser, referee: TableReferee) -> None:
    """Two acts are taken back by two taps, but not by one whose finger bounces."""
    undo, again = '[data-command*="undo"]', time.monotonic() + 10
    desk.run(2 * f"{CLICK}; await new Promise((later) => setTimeout(later, 250)); ", undo)
    said(referee, "undo")
    assert [told["type"] for told in referee.told] == ["undo"]
    while len(referee.told) == 1:
        assert time.monotonic() < again
        desk.run(CLICK, undo)
    assert [told["type"] for told in referee.told] == ["undo", "undo"]


def test_a_new_match_over_a_running_one_is_asked_about(desk: Browser, referee: TableReferee, hub: ViewHub) -> None:
    hub.publish(played_view(2))
    desk.wait_for(SHOWN, 2)
    desk.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    desk.run("document.querySelector('#new-match [name=light]').value = 'Eva'")
    desk.run(CLICK, "#new-match button")
    desk.wait_for("return document.getElementById('sure').open")
    assert "A match is on: Jana 0 : 0 Marián." in desk.run("return document.getElementById('sure').innerText")
    desk.run(CLICK, "#sure button[value='']")
    assert desk.run("return document.querySelector('#new-match [name=light]').value") == "Eva"
    assert referee.told == []
    desk.run(CLICK, "#new-match button")
    desk.wait_for("return document.getElementById('sure').open")
    desk.run(CLICK, "#sure button[value=yes]")
    said(referee, "match")
    typed = "const field = document.querySelector('#score [name=light]'); field.value = '7';"
    desk.run(typed + "field.dispatchEvent(new Event('input', {bubbles: true}))")
    desk.run(CLICK, "#score button")
    desk.wait_for("return document.getElementById('sure').open")
    assert "the match is over" in desk.run("return document.getElementById('sure').innerText")
    desk.run(CLICK, "#sure button[value='']")


BEGINS = "document.querySelector('#new-match [name=begins]')"


def test_where_the_players_agree_who_begins_they_are_asked(desk: Browser, referee: TableReferee, hub: ViewHub) -> None:
    """Text 003 knows no draw: a tap says it, and the next match asks."""
    hub.publish(msgspec.structs.replace(start_view(2), agrees=True, match_id="another"))
    desk.wait_for(SHOWN, 2)
    desk.wait_for(f"return {BEGINS}.closest('label').hidden === false")
    desk.run(CLICK, '#who [data-side="dark"]')
    said(referee, "begins")
    assert referee.told == [{"type": "begins", "side": "dark"}]
    desk.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    chosen = "const rules = document.querySelector('#new-match [name=rules]'); rules.value = arguments[0];"
    chosen += "rules.dispatchEvent(new Event('change', {bubbles: true}));"
    desk.run(chosen, "text-002")
    assert desk.run(f"return {BEGINS}.closest('label').hidden") is True
    desk.run(chosen, "text-003")
    desk.run(f"{BEGINS}.value = 'light'")
    desk.run(CLICK, "#new-match button")
    said(referee, "match")
    assert (referee.told[-1]["rules"], referee.told[-1]["begins"]) == ("text-003", "light")
    assert desk.complaints() == []


def test_forms_show_what_is(desk: Browser, hub: ViewHub) -> None:
    view = msgspec.structs.replace(
        played_view(2),
        light=msgspec.structs.replace(played_view(2).light, score=3),
        dark=msgspec.structs.replace(played_view(2).dark, score=5),
        cube=CubeView(4, "dark"),
    )
    hub.publish(view)
    desk.wait_for(SHOWN, 2)
    value = "return document.querySelector(arguments[0]).value"
    shown = [
        "#score [name=light]",
        "#score [name=dark]",
        "#cube [name=value]",
        "#cube [name=owner]",
        "#new-match [name=length]",
    ]
    assert [desk.run(value, field) for field in shown] == ["3", "5", "4", "dark", "7"]
    assert "Jana" in desk.run("return document.getElementById('resign').textContent")
    typed = (
        "const one = document.querySelector(arguments[0]);"
        "one.value = '6'; one.dispatchEvent(new Event('input', {bubbles: true}))"
    )
    desk.run(typed, "#score [name=light]")
    hub.publish(msgspec.structs.replace(view, sequence=3))
    desk.wait_for(SHOWN, 3)
    assert desk.run(value, "#score [name=light]") == "6"  # what somebody is changing stays


LOSES_ONE_ANSWER = """
const ask = window.fetch.bind(window);
let lost = false;
window.fetch = async (address, options) => {
  const answer = await ask(address, options);
  if (lost || !String(address).includes('api/command')) return answer;
  lost = true;
  return new Promise((answered, failed) => options.signal.addEventListener('abort', () => failed(options.signal.reason)));
};
"""


def test_an_act_whose_answer_was_lost_is_taken_back_once_and_the_next_soon_after(
    desk: Browser, referee: TableReferee
) -> None:
    """The page sends it again some seconds later, under the same key: the referee has done it already."""
    undo, again = '[data-command*="undo"]', time.monotonic() + 12
    desk.run(LOSES_ONE_ANSWER)
    desk.run(CLICK, undo)
    said(referee, "undo")
    while len(referee.told) == 1:  # it rests until the answer has come after all
        assert time.monotonic() < again
        desk.run(CLICK, undo)
    assert [told["type"] for told in referee.told] == ["undo", "undo"]
    assert desk.run("return document.getElementById('answer')") is None


def test_the_same_that_is_ordered_again_after_no_answer_at_all_is_done_once(
    desk: Browser, referee: TableReferee, hub: ViewHub
) -> None:
    undo = '[data-command*="undo"]'
    fails = "window.fetch = (...asked) => window.goesOn(...asked).then(() => Promise.reject(new TypeError()));"
    desk.run(f"window.goesOn = window.fetch; {fails}")
    desk.run(CLICK, undo)
    desk.wait_for(NO_ANSWER, "answer")
    desk.run("window.fetch = window.goesOn")
    desk.run(CLICK, undo)
    desk.wait_for("return document.getElementById('answer') === null")
    assert [told["type"] for told in referee.told] == ["undo"]
    desk.run("await new Promise((later) => setTimeout(later, 700))")
    desk.run(CLICK, undo)
    said(referee, "undo", 2)


def test_what_was_undone_is_done_again(desk: Browser, referee: TableReferee) -> None:
    desk.run(CLICK, '[data-command*="redo"]')
    said(referee, "redo")


def test_a_flag_is_answered_and_a_refusal_is_read_out(desk: Browser, referee: TableReferee, hub: ViewHub) -> None:
    flag = FlagView(1, "R04", "dark", "Rolled too early.", 1, options=("put right", "condoned"))
    hub.publish(msgspec.structs.replace(rolled_view(2), flags=(flag,)))
    desk.wait_for("return document.querySelectorAll('#flags .answers button').length === 2")
    referee.refusal = "That flag has been answered already."
    desk.run("document.querySelector('#flags .answers button').click()")
    desk.wait_for("return document.getElementById('answer')?.textContent === arguments[0]", referee.refusal)
    assert desk.run("return document.getElementById('answer').getAttribute('role')") == "alert"


def test_a_second_tap_answers_nothing_of_the_next_line(desk: Browser, referee: TableReferee, hub: ViewHub) -> None:
    """It lies under the finger as soon as the one before is gone."""
    flags = tuple(FlagView(number, "R04", "dark", "Rolled too early.", 1, options=("condoned",)) for number in (1, 2))
    hub.publish(msgspec.structs.replace(rolled_view(2), flags=flags))
    desk.wait_for("return document.querySelectorAll('#flags .answers button').length === 2")
    desk.run("document.querySelectorAll('#flags .answers button').forEach((one) => one.click())")
    said(referee, "flag")
    desk.run(CLICK, '[data-command*="undo"]')
    said(referee, "undo")
    assert [told["type"] for told in referee.told] == ["flag", "undo"]
    assert referee.told[0]["number"] == 1


NEAR = """
const answer = document.getElementById('answer');
if (!answer) return null;
const [box, asked] = [answer, document.querySelector(arguments[0])].map((one) => one.getBoundingClientRect());
const seen = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2) === answer;
return [seen, Math.max(box.top - asked.bottom, asked.top - box.bottom, 0)];
"""


ASKED = (
    '[data-roll="66"]',
    '[data-command*="undo"]',
    "#flags .answers button",
    "#cube button",
    "#score button",
    "#position button",
    "#new-match button",
)


@pytest.mark.parametrize("size", [(320, 568), (390, 844), (768, 1024), (1440, 900)])
def test_a_refusal_stands_where_the_finger_is_and_what_was_typed_stays(
    desk: Browser, referee: TableReferee, hub: ViewHub, size: tuple[int, int]
) -> None:
    hub.publish(played_view(2))
    desk.wait_for(SHOWN, 2)
    desk.screen(*size)
    desk.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    typed = {"#position [name=id]": "XGID=nonsense", "#new-match [name=light]": "Eva", "#new-match [name=dark]": "Jan"}
    for field, text in typed.items():
        desk.run("document.querySelector(arguments[0]).value = arguments[1]", field, text)
    for number, asked in enumerate(ASKED):
        referee.refusal = f"The referee is busy and did not answer. Say it again ({number})."
        desk.run("document.querySelector(arguments[0]).scrollIntoView({block: 'center'})", asked)
        desk.run(CLICK, asked)
        if desk.run("return document.getElementById('sure').open"):
            desk.run(CLICK, "#sure [value=yes]")
        desk.wait_for("return document.getElementById('answer')?.textContent === arguments[0]", referee.refusal)
        seen, away = desk.run(NEAR, asked)
        assert seen, asked
        assert away < 250, asked
    for field, text in typed.items():
        assert desk.run("return document.querySelector(arguments[0]).value", field) == text
    referee.refusal = ""
    desk.run(CLICK, '[data-command*="undo"]')
    desk.wait_for("return document.getElementById('answer') === null")


def test_a_cube_without_an_end_is_put_right_by_hand_too(desk: Browser, referee: TableReferee, hub: ViewHub) -> None:
    hub.publish(msgspec.structs.replace(played_view(2), cube=CubeView(128, "light")))
    desk.wait_for(SHOWN, 2)
    choices = "return [...document.querySelectorAll('#cube [name=value] option')].map((one) => one.value)"
    assert desk.run(choices) == ["1", "2", "4", "8", "16", "32", "64", "128", "256"]
    desk.run("const form = document.getElementById('cube'); form.owner.value = 'dark'; form.requestSubmit()")
    said(referee, "cube")
    assert referee.told == [{"type": "cube", "value": 128, "owner": "dark"}]


def test_a_missed_turn_is_taken_for_that_of_whoever_was_on_roll_there(desk: Browser, hub: ViewHub) -> None:
    view = played_view(2)
    plays = (view.plays[0], PlayView(2, "dark", (2, 1), "6/5 24/22"), PlayView(3, "dark", (6, 1), "13/7 8/7"))
    hub.publish(msgspec.structs.replace(view, plays=plays))
    desk.wait_for(SHOWN, 2)
    for number, side in ((1, "dark"), (2, "dark"), (3, "light")):
        desk.run(CLICK, f'#record [data-line="{number}"]')
        desk.run(CLICK, "#edit-insert")
        assert desk.run("return document.querySelector('#insert [name=side]').value") == side
        desk.run("document.getElementById('insert').close()")


NO_NETWORK = "window.fetch = () => Promise.reject(new TypeError('no network'));"
PHOTO = """
const [photo, files] = [document.getElementById('photo'), new DataTransfer()];
files.items.add(new File(['x'], 'board.jpg', { type: 'image/jpeg' }));
photo.files = files.files;
photo.dispatchEvent(new Event('change'));
"""
NO_ANSWER = "return document.getElementById(arguments[0])?.textContent.startsWith('The program does not answer')"


def test_what_the_network_has_lost_is_said_not_to_be_done(desk: Browser) -> None:
    desk.run(NO_NETWORK)
    desk.run(CLICK, "#leave")
    desk.wait_for(NO_ANSWER, "answer")
    assert desk.run("return location.pathname") == "/desk"
    desk.run(PHOTO)
    desk.wait_for(NO_ANSWER, "photo-answer")
    assert desk.run("return document.getElementById('photo').files.length") == 0  # the same one can be chosen again
    desk.run("document.getElementById('records').open = true")
    desk.wait_for(NO_ANSWER, "analysis")


def test_a_dialog_stays_open_with_what_was_typed(desk: Browser, referee: TableReferee, hub: ViewHub) -> None:
    hub.publish(played_view(2))
    desk.wait_for(SHOWN, 2)
    desk.run(CLICK, "#record button")
    desk.run(CLICK, "#edit-insert")
    desk.wait_for("return document.getElementById('insert').open")
    desk.run("document.querySelector('#insert [name=dice]').value = '3-1'")
    desk.run("document.querySelector('#insert [name=notation]').value = '8/4'")
    referee.refusal = "8/4 is no legal play with 3-1."
    desk.run(CLICK, "#insert button[value=insert]")
    desk.wait_for("return document.querySelector('#insert #answer')?.textContent === arguments[0]", referee.refusal)
    assert desk.run("return document.getElementById('insert').open")
    assert desk.run("return document.querySelector('#insert [name=notation]').value") == "8/4"
    referee.refusal, before = "", len(referee.told)
    desk.run(f"{CLICK}; {CLICK}", "#insert button[value=insert]")  # twice: before a gap it would be put in twice
    desk.wait_for("return !document.getElementById('insert').open")
    assert [told["type"] for told in referee.told[before:]] == ["insert"]


def test_the_players_names_are_corrected(desk: Browser, referee: TableReferee) -> None:
    desk.run(
        "const form = document.getElementById('names'); form.closest('details').open = true;"
        "form.light.value = ' Jana N. '; form.requestSubmit()"
    )
    end = time.monotonic() + 10
    while {"type": "names", "light": "Jana N.", "dark": "Marián"} not in referee.told:
        assert time.monotonic() < end, referee.told
        time.sleep(0.02)


def test_a_match_is_replayed_from_a_link(desk: Browser, server: Server) -> None:
    desk.open(f"http://127.0.0.1:{server.port}/replay?match=abc#3")
    desk.wait_for("return document.body.dataset.step === '3'")
    assert "doubles to 2" in desk.run("return document.getElementById('status').innerText")
    desk.run("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}))")
    desk.wait_for("return document.body.dataset.step === '4'")
    desk.run("Object.defineProperty(navigator, 'clipboard', {value: undefined})")  # as on plain http
    for what, ending in (("match", ""), ("game", "#1.0"), ("turn", "#1.3")):
        desk.run(CLICK, f"[data-share={what}]")
        desk.wait_for("return document.querySelector('#shared .link')?.value.endsWith(arguments[0])", f"=abc{ending}")
    desk.run(CLICK, "#first")
    desk.wait_for("return location.hash === '#1.0'")
    assert desk.run("return document.querySelectorAll('#board .checker').length") == 30
    assert desk.complaints() == []


def test_a_finished_match_can_be_taken_away(desk: Browser, server: Server, hub: ViewHub) -> None:
    desk.open(f"http://127.0.0.1:{server.port}/")
    desk.wait_for(SHOWN, 1)
    assert desk.run("return document.getElementById('finished').hidden") is True
    hub.publish(msgspec.structs.replace(played_view(2), phase="match over", match_id="abc"))
    desk.wait_for(SHOWN, 2)
    links = "return [...document.querySelectorAll('#finished a')].filter((a) => a.offsetParent).map((a) => a.getAttribute('href'))"
    addresses = desk.wait_for(links.replace("return ", "const found = ") + "; return found.length > 6 && found")
    assert [address.rsplit(".")[-1] for address in addresses[1:]] == ["mat", "sgf", "json", "csv", "txt", "html"]
    desk.open(f"http://127.0.0.1:{server.port}/{addresses[0]}")
    desk.wait_for("return document.querySelectorAll('#keep a').length === 6")
    fetched = "return fetch(document.querySelector('#keep a').href).then((answer) => answer.text())"
    assert desk.run(fetched) == " 7 point match"


def test_the_clock_goes_on_between_two_views(desk: Browser, server: Server, hub: ViewHub) -> None:
    hub.publish(msgspec.structs.replace(rolled_view(2), clock=ClockView(125.0, -3.0, 0.0, "light", 10.0)))
    desk.open(f"http://127.0.0.1:{server.port}/")
    desk.wait_for(SHOWN, 2)
    assert desk.run("return document.querySelector('[data-clock=dark]').textContent") == "−0:03"
    desk.wait_for("return document.querySelector('[data-clock=light]').textContent === '2:04'")


@pytest.mark.parametrize("path", ["", "desk", "table", "overlay/clock", "overlay/bar"])
def test_whoever_comes_in_the_middle_of_a_turn_sees_the_clock_as_all_others_do(
    desk: Browser, server: Server, hub: ViewHub, path: str
) -> None:
    hub.publish(msgspec.structs.replace(rolled_view(2), clock=ClockView(59.0, 30.0, 1.0, "light", 10.0)))
    time.sleep(2.3)
    desk.open(f"http://127.0.0.1:{server.port}/{path}")
    desk.wait_for(SHOWN, 2)
    left = "return document.querySelector('[data-clock=light]').textContent"
    assert desk.run(left) <= "0:58"
    if not path:
        desk.wait_for(f"{left} <= '0:57'")
        desk.run(CLICK, "#flip")  # draws the players anew
        assert desk.run(left) <= "0:57"


def test_the_clock_is_as_late_where_the_page_has_no_stream(desk: Browser, hub: ViewHub) -> None:
    with serve(create_app(hub, streams=0), "127.0.0.1", 0) as without:
        hub.publish(msgspec.structs.replace(rolled_view(2), clock=ClockView(59.0, 30.0, 1.0, "light", 10.0)))
        time.sleep(2.3)
        desk.open(f"http://127.0.0.1:{without.port}/")
        desk.wait_for(SHOWN, 2)
        assert desk.run("return document.querySelector('[data-clock=light]').textContent") <= "0:58"


@pytest.mark.parametrize(("language", "word"), [("cs", "Opravit poslední tah"), ("sk", "Opraviť posledný ťah")])
def test_the_desk_speaks_its_operator_s_language(
    desk: Browser, server: Server, hub: ViewHub, language: str, word: str
) -> None:
    desk.open(f"http://127.0.0.1:{server.port}/?lang={language}")
    desk.open(f"http://127.0.0.1:{server.port}/desk")
    hub.publish(played_view(3))
    desk.wait_for(SHOWN, 3)
    assert word in desk.run("return document.body.innerText")


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("cs", "To není přípustný tah. Nejdříve kámen z přepážky."),
        ("sk", "To nie je prípustný ťah. Najprv kameň z prepážky."),
    ],
)
def test_the_rules_reasons_are_said_in_the_operator_s_language(
    desk: Browser, server: Server, language: str, words: str
) -> None:
    desk.open(f"http://127.0.0.1:{server.port}/?lang={language}")
    reasons = {
        "en": "Checker on the bar must enter first.",
        "cs": "Nejdříve kámen z přepážky.",
        "sk": "Najprv kameň z prepážky.",
    }
    answer = msgspec.to_builtins(refused(CommandError("That is no legal play.", reasons)))
    assert answer["sentence"] == "That is no legal play. Checker on the bar must enter first."
    assert (answer["lead"], answer["said"]) == ("That is no legal play.", reasons)
    say = "return (await import('./static/js/words.js')).refusalWords(arguments[0])"
    assert desk.run(say, answer) == words


def test_only_the_answers_that_the_rules_allow_can_be_given_to_the_cube(
    desk: Browser, hub: ViewHub, referee: TableReferee
) -> None:
    answers = ("take", "pass", "beaver")
    hub.publish(msgspec.structs.replace(start_view(2), phase="cube offered", turn="dark", answers=answers))
    desk.wait_for(SHOWN, 2)
    shown = "[...document.querySelectorAll('[data-answer]')].filter((one) => !one.hidden && !one.disabled)"
    assert desk.run(f"return {shown}.map((one) => one.dataset.answer).join()") == "take,pass,beaver"
    desk.run(CLICK, "[data-answer=beaver]")
    said(referee, "beaver")


def test_a_resignation_is_offered_and_refused_with_buttons(desk: Browser, hub: ViewHub, referee: TableReferee) -> None:
    assert desk.run("return document.getElementById('resignation').hidden")
    desk.run("document.getElementById('resign').requestSubmit()")
    said(referee, "resign-offer")
    waits = ResignView("dark", 1)
    hub.publish(msgspec.structs.replace(start_view(2), phase="to roll", turn="dark", resigning=waits))
    desk.wait_for(SHOWN, 2)
    assert not desk.run("return document.getElementById('resignation').hidden")
    desk.run(CLICK, "#resignation button:last-child")
    said(referee, "resign-refuse")


def test_a_draw_for_the_start_is_told_with_both_dice(desk: Browser, hub: ViewHub, referee: TableReferee) -> None:
    hub.publish(msgspec.structs.replace(start_view(2), phase="opening", turn=None, draws=True))
    desk.wait_for(SHOWN, 2)
    fill = "const form = document.getElementById('draw'); form.light.value = '5'; form.dark.value = '2'; form.requestSubmit()"
    desk.run(fill)
    said(referee, "draw")
    assert referee.told[-1] == {"type": "draw", "light": 5, "dark": 2}


CHOUETTE = ChouetteView(
    (
        TeamView("Anna", "box", 3, "7.50 €"),
        TeamView("Bedřich", "captain", -1, "-2.50 €", cube=2, owner="team", may=()),
        TeamView("Cyril", "team", -2, "-5.00 €", cube=1, offered=True, may=("take", "pass", "beaver")),
    ),
    advice=True,
)


def test_each_player_of_a_chouette_answers_on_his_own_cube(desk: Browser, referee: TableReferee, hub: ViewHub) -> None:
    stake = StakeView("2.50 €")
    hub.publish(msgspec.structs.replace(played_view(3), match_length=0, chouette=CHOUETTE, stake=stake))
    desk.wait_for(SHOWN, 3)
    rows = desk.run(
        "return [...document.querySelectorAll('#chouette tr')].map((row) => row.innerText.trim().split(/\\s+/).join(' '))"
    )
    assert rows == [
        "Anna box 3 (7.50 €)",
        "Bedřich captain −1 (−2.50 €) 2 · team",
        "Cyril team −2 (−5.00 €) offered at 2 · in the middle Take Pass Beaver",
    ]
    assert "a point: 2.50 €" in desk.run("return document.getElementById('match').textContent")
    assert desk.run("return document.documentElement.scrollWidth") <= 360
    # A second tap may meet what the same player may do next.
    desk.run("for (const at of [1, 0]) document.querySelectorAll('#chouette button')[at].click()")
    said(referee, "stake")
    desk.run(CLICK, '[data-command*="undo"]')
    said(referee, "undo")
    assert referee.told[:-1] == [{"type": "stake", "player": "Cyril", "act": "pass"}]
    hub.publish(played_view(4))
    desk.wait_for(SHOWN, 4)
    assert desk.run("return document.getElementById('chouette').hidden")
    assert desk.complaints() == []


def test_after_the_match_no_roll_is_offered_but_to_put_a_play_right(desk: Browser, hub: ViewHub) -> None:
    offered = "return ['who', 'dice'].map((id) => document.getElementById(id).getClientRects().length > 0)"
    assert desk.run(offered) == [True, True]
    hub.publish(msgspec.structs.replace(played_view(2), turn=None, dice=(), phase="match over"))
    desk.wait_for(SHOWN, 2)
    assert desk.run(offered) == [False, False]
    desk.run(CLICK, "#edit-last")
    assert desk.run(offered) == [True, True]
    desk.run(CLICK, "#edit-end")
    assert desk.run(offered) == [False, False]
    hub.publish(msgspec.structs.replace(start_view(3), turn=None))
    desk.wait_for(SHOWN, 3)
    assert desk.run(offered) == [True, True]
    assert desk.complaints() == []


def test_a_turn_of_a_game_that_is_over_is_put_right_no_longer_where_nobody_saw_the_next_one_begin(
    desk: Browser, hub: ViewHub
) -> None:
    """A phone that slept meanwhile sees the next game with as many turns."""
    hub.publish(played_view(2))
    desk.wait_for(SHOWN, 2)
    desk.run(CLICK, "#edit-last")
    assert desk.run("return document.getElementById('edit-end').hidden") is False
    desk.run(CLICK, "#edit-insert")
    hub.publish(msgspec.structs.replace(played_view(3), game=2))
    desk.wait_for(SHOWN, 3)
    assert desk.run("return document.getElementById('edit-end').hidden") is True
    assert desk.run("return document.getElementById('insert').open") is False


def test_what_has_the_same_number_in_another_match_or_game_has_another_picture(
    desk: Browser, server: Server, hub: ViewHub, referee: TableReferee
) -> None:
    shown = """return ['#doubts', '#flags'].map((list) => document.querySelector(`${list} img`)?.getAttribute('src'))"""
    looked = "return document.getElementById('picture-image').getAttribute('src')"
    told: list[list[str]] = []
    for sequence, match, nth in ((2, "a", 1), (3, "a", 2), (4, "b", 1)):
        hub.publish(msgspec.structs.replace(played_view(sequence), match_id=match, game=nth, doubtful=(1,)))
        desk.wait_for(SHOWN, sequence)
        told.append(desk.run(shown))
    assert len({turn for turn, _ in told}) == 3
    assert [flag for _, flag in told].index(told[2][1]) == 2
    desk.open(f"http://127.0.0.1:{server.port}/")
    desk.wait_for(SHOWN, 4)
    desk.run(CLICK, "#standing .look")
    before = desk.run(looked)
    assert desk.wait_for("return document.getElementById('picture-image').naturalWidth")
    hub.publish(msgspec.structs.replace(played_view(5), match_id="c"))
    desk.wait_for(SHOWN, 5)
    desk.run(CLICK, "#standing .look")
    assert desk.run(looked) != before
    referee.camera = None  # others have taken its place
    hub.publish(msgspec.structs.replace(played_view(6), match_id="d"))
    desk.wait_for(SHOWN, 6)
    desk.run(CLICK, "#standing .look")
    desk.wait_for("return document.getElementById('picture-image').alt === 'There is no picture.'")


def test_an_earlier_match_is_opened_from_the_list_and_put_right(
    desk: Browser, server: Server, referee: TableReferee
) -> None:
    referee.overlooked = report_of(misread(), "", lambda line: False)
    desk.run("document.getElementById('records').open = true")
    desk.wait_for("return document.querySelector('#matches a[href=\"report?match=abc\"]')")
    desk.run(CLICK, '#matches a[href="report?match=abc"]')
    desk.wait_for("return document.body.dataset.lines === '7'")
    desk.run(CLICK, '[data-line="1/3"] [data-answer="other"]')
    said(referee, "correct")
    assert [(told["match"], told["game"], told["turn"]) for told in referee.told] == [("abc", 1, 3)]
    desk.run(CLICK, '[data-line="1/3"] [data-answer="edit"]')
    desk.wait_for("return document.querySelectorAll('#legal button').length === 2")
    assert desk.complaints() == []


def test_a_report_stays_with_its_match_whatever_is_begun_meanwhile(
    desk: Browser, server: Server, referee: TableReferee
) -> None:
    report = report_of(misread(), "", lambda line: False)
    referee.overlooked = msgspec.structs.replace(
        report, match="abc", checkers=13
    )  # two fewer, as none is in another game
    desk.open(f"http://127.0.0.1:{server.port}/report")
    desk.wait_for("return document.body.dataset.lines === '7'")
    off = "return document.querySelectorAll('#board .checker.light[data-place=off]').length"
    assert desk.run(off) == 0
    desk.run(CLICK, '[data-line="1/3"] [data-answer="other"]')
    said(referee, "correct")
    assert [(told["match"], told["turn"]) for told in referee.told] == [("abc", 3)]


def test_a_double_shows_the_board_as_it_stood(desk: Browser, server: Server, referee: TableReferee) -> None:
    turns = [*game(TURNS[:2]), {"type": "double"}, {"type": "take"}, *game(TURNS[2:3])]
    referee.overlooked = report_of(match_said(turns).held, "", lambda line: False)
    desk.open(f"http://127.0.0.1:{server.port}/report?match=abc")
    desk.wait_for("return document.body.dataset.lines === '5'")
    placed = (
        """return [...document.querySelectorAll('#board .checker')].map((one) => one.dataset.place).sort().join()"""
    )
    desk.run(CLICK, '[data-line="1/2"]')
    before = desk.run(placed)
    assert "off" not in before
    for line in (3, 4):
        desk.run(CLICK, f'[data-line="1/{line}"]')
        assert desk.run("return document.querySelector('.chosen').dataset.line") == f"1/{line}"
        assert desk.run(placed) == before


def test_players_whom_nobody_has_named_are_listed_by_their_colours(
    desk: Browser, referee: TableReferee, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = MatchLine("abc", "Light", "Dark", 7, (2, 1), 1, False, "2026-11-21")
    monkeypatch.setattr(referee, "matches", lambda: (match,))
    desk.run("document.getElementById('records').open = true")
    desk.wait_for("return document.querySelector('#matches .words')?.innerText.startsWith('White – Black 2 : 1')")


def test_a_match_without_a_turn_is_said_to_have_none(desk: Browser, server: Server, referee: TableReferee) -> None:
    referee.overlooked = msgspec.structs.replace(report_of(misread(), "", lambda line: False), lines=())
    desk.open(f"http://127.0.0.1:{server.port}/report?match=abc")
    desk.wait_for("return document.body.dataset.lines === '0'")
    assert desk.run("return document.getElementById('written').innerText") == "Nothing has been played yet."
    assert desk.run("return document.getElementById('board').getClientRects().length") == 0  # not 30 checkers borne off


def test_a_match_that_is_not_there_is_said_not_to_be(desk: Browser, server: Server) -> None:
    desk.open(f"http://127.0.0.1:{server.port}/report?match=other")
    desk.wait_for("return document.getElementById('written').innerText === 'There is no such match here.'")


def test_a_turn_that_is_put_right_before_the_last_answer_came_stays_open(
    desk: Browser, server: Server, referee: TableReferee
) -> None:
    referee.overlooked = report_of(misread(), "", lambda line: False)
    desk.open(f"http://127.0.0.1:{server.port}/report?match=abc")
    desk.wait_for("return document.body.dataset.lines === '7'")
    desk.run(
        "const line = document.querySelector('[data-line=\"1/3\"]'); line.classList.add('read-before');"
        "line.querySelector('[data-answer=other]').click(); line.querySelector('[data-answer=edit]').click();"
    )
    desk.wait_for("return document.querySelector('.read-before') === null")
    desk.wait_for("return document.querySelectorAll('#legal button').length === 2")
    assert desk.complaints() == []


HEARS_OF_THE_END = """
window.heard = false;
document.getElementById('sure').addEventListener('close', () => { window.heard = true; }, { once: true });
"""
"""The page hears that a question is answered a moment after it is gone, and until then takes another tap for the second of two."""


def test_a_correction_on_the_report_that_changes_the_score_is_asked_about_in_the_page_s_own_words(
    desk: Browser, server: Server, referee: TableReferee, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = referee.command
    asking = Answer(False, "The score would change.", asks=True)
    monkeypatch.setattr(referee, "command", lambda told, by="": done(told, by) if told.sure else asking)
    referee.overlooked = report_of(misread(), "", lambda line: False)
    desk.open(f"http://127.0.0.1:{server.port}/report?match=abc")
    desk.wait_for("return document.body.dataset.lines === '7'")
    for press, told in (("", 0), ("yes", 1)):
        desk.run(CLICK, '[data-line="1/3"] [data-answer="other"]')
        desk.wait_for("return document.getElementById('sure').open")
        assert "The score would change." in desk.run("return document.getElementById('sure').innerText")
        desk.run(HEARS_OF_THE_END)
        desk.run(CLICK, f"#sure button[value='{press}']")
        desk.wait_for("return window.heard && !document.getElementById('sure').open")
        if told:
            said(referee, "correct")
        assert len(referee.told) == told


@pytest.mark.parametrize("path", ["", "desk", "setup", "overlays", "games"])
def test_no_field_has_letters_into_which_an_iphone_zooms(desk: Browser, server: Server, path: str) -> None:
    """Smaller than 16 px; whoever has typed would have to zoom out again by hand."""
    desk.open(f"http://127.0.0.1:{server.port}/{path}")
    assert desk.run(SMALL_FIELDS) == []


def test_two_quick_taps_zoom_into_nothing(desk: Browser) -> None:
    tapped = "return [...document.querySelectorAll('.board, button')].map((one) => getComputedStyle(one).touchAction)"
    assert set(desk.run(tapped)) == {"manipulation"}
