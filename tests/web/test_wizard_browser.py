"""The set-up in a real Chromium beside a referee that is told what to see: by keyboard alone, by finger, in three languages."""

from __future__ import annotations

import time
from itertools import pairwise

import msgspec
import pytest

from tests.web.browser import GO_ON, Browser
from tests.web.first_time import FirstTime, table
from tests.web.standing import Standing
from tests.web.table import TableReferee
from tests.web.views import START, board, played_view, start_view
from web.app import create_app
from web.desk import Desk
from web.hub import ViewHub
from web.operator import FoundBoard, NoBoard
from web.security import PinKeeper
from web.server import Server
from web.view import FlagView, PlayView
from web.wizard import At, CameraSeen, Difference, PanelSeen, UseCamera

CLICK = "document.querySelector(arguments[0]).click()"
TEXT = "return document.querySelector(arguments[0]).innerText"
AT = "return document.body.dataset.step === arguments[0]"
HIDDEN = "return document.getElementById(arguments[0]).hidden"
KEEPER = PinKeeper(None)


@pytest.fixture
def wizard() -> FirstTime:
    return FirstTime()


@pytest.fixture
def referee() -> TableReferee:
    return table()


@pytest.fixture
def hub() -> ViewHub:
    hub = ViewHub()
    hub.publish(start_view(1))
    return hub


@pytest.fixture
def server(stand: Standing, hub: ViewHub, referee: TableReferee, wizard: FirstTime) -> Server:
    return stand.put(create_app(hub, streams=8, desk=Desk(referee, KEEPER, wizard=wizard)))


@pytest.fixture
def person(browser: Browser, stand: Standing, server: Server) -> Browser:
    """Somebody with a phone who has signed in; the set-up is in English."""
    browser.screen(360, 740)
    stand.begin(browser)
    browser.open(f"{stand.base}/setup")
    if browser.run("return document.querySelector('form.card #pin') !== null"):
        browser.run("document.getElementById('pin').value = arguments[0]", KEEPER.fresh)
        browser.run(CLICK, "form.card button")
    browser.wait_for("return document.body.dataset.step")
    browser.complaints()
    return browser


def go_to(person: Browser, step: str) -> None:
    person.run(CLICK, f'#progress a[href="#{step}"]')
    person.wait_for(AT, step)


def press(person: Browser, key: str, code: int, text: str = "") -> None:
    """A key, as the keyboard gives it."""
    for kind in ("keyDown", "keyUp"):
        more = {"text": text} if text and kind == "keyDown" else {}
        person.command("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, **more)


def tab_to(person: Browser, selector: str) -> None:
    for _ in range(40):
        if person.run("return document.activeElement.matches(arguments[0])", selector):
            return
        press(person, "Tab", 9)
    pytest.fail(f"the keyboard does not reach {selector}")


def enter_next(person: Browser, step: str) -> None:
    """To that step by keyboard: a press counts a moment after the last."""
    tab_to(person, "#next")
    while person.run(HIDDEN, step):
        press(person, "Enter", 13, "\r")
    person.wait_for(AT, step)


def heard(wizard: FirstTime, what: object) -> None:
    end = time.monotonic() + 10
    while what not in wizard.told:
        assert time.monotonic() < end, wizard.told
        time.sleep(0.02)


def test_by_keyboard_alone(person: Browser, wizard: FirstTime, referee: TableReferee) -> None:
    go_to(person, "language")
    for after in ("pin", "picture", "corners"):
        enter_next(person, after)
    person.wait_for("return document.querySelectorAll('#taken .handle').length === 4")
    tab_to(person, '[data-corner="2"]')
    press(person, "ArrowLeft", 37)
    enter_next(person, "direction")
    saved = [told for told in referee.told if told["type"] == "table"]
    assert saved == [{"type": "table", "corners": "200,100 1080,110 1098,640 180,630", "home": "top-left"}]
    assert person.run("return document.activeElement.id") == "direction"
    heard(wizard, At("direction", "corners"))
    tab_to(person, "#turn")
    press(person, "Enter", 13, "\r")
    assert "top of the picture and bears off at the left" in person.run(TEXT, "#direction-words")
    assert person.complaints() == []


def test_a_second_tap_on_next_skips_no_step(person: Browser, wizard: FirstTime) -> None:
    go_to(person, "language")
    person.run(f"{CLICK}; await new Promise((later) => setTimeout(later, 100)); {CLICK}", "#next")
    person.wait_for(AT, "pin")
    person.run(GO_ON, "pin")  # the next press that counts
    person.wait_for(AT, "picture")
    heard(wizard, At("picture", "pin"))


def test_a_second_tap_on_next_begins_no_match(person: Browser, wizard: FirstTime, referee: TableReferee) -> None:
    """The button that begins it may come to lie under the finger."""
    wizard.state_now = msgspec.structs.replace(wizard.state_now, under_way=False)
    go_to(person, "game")
    person.wait_for("return document.querySelector('#new-match [name=light]').value === 'Jana'")
    go_to(person, "direction")
    begin = "document.querySelector('#new-match').requestSubmit()"
    person.run(f"{CLICK}; await new Promise((later) => setTimeout(later, 100)); {begin}", "#next")
    person.wait_for(AT, "game")
    person.run(GO_ON, "game")
    person.wait_for(AT, "position")
    assert "match" not in {told["type"] for told in referee.told}


def test_a_corner_is_dragged_under_the_loupe(person: Browser, referee: TableReferee) -> None:
    go_to(person, "corners")
    person.wait_for("return document.querySelectorAll('#taken .handle').length === 4")
    weak = person.run("return document.getElementById('weak').textContent")
    assert weak == "Too dark: grain is 20 % of the board's contrast, 14 % may be. Put a lamp over the board."
    x, y, scale = person.run(
        "const ring = document.querySelector('[data-corner=\"0\"]').getBoundingClientRect();"
        "const scale = document.getElementById('taken').getBoundingClientRect().width / 1280;"
        "return [ring.x + ring.width / 2, ring.y + ring.height / 2, scale]"
    )
    # The finger lands 3 px beside the middle: the ring keeps that distance.
    for kind, by in (("mousePressed", 0), ("mouseMoved", 20), ("mouseMoved", 40)):
        person.command(
            "Input.dispatchMouseEvent", type=kind, x=x + 3 + by, y=y + 3 + by / 2, button="left", clickCount=1
        )
    assert person.run("return getComputedStyle(document.getElementById('loupe')).visibility") == "visible"
    person.command("Input.dispatchMouseEvent", type="mouseReleased", x=x + 43, y=y + 23, button="left", clickCount=1)
    assert person.run("return getComputedStyle(document.getElementById('loupe')).visibility") == "hidden"
    person.run(CLICK, "#next")
    person.wait_for(AT, "direction")
    first = [int(value) for value in referee.told[-1]["corners"].split()[0].split(",")]
    assert first == pytest.approx([200 + 40 / scale, 100 + 20 / scale], abs=4)


def test_whoever_goes_on_by_a_step_s_own_link_keeps_the_corners(
    person: Browser, wizard: FirstTime, referee: TableReferee
) -> None:
    go_to(person, "corners")
    person.wait_for("return document.querySelectorAll('#taken .handle').length === 4")
    person.run("document.querySelector('[data-corner=\"2\"]').focus()")
    press(person, "ArrowLeft", 37)
    go_to(person, "lamps")
    saved = [told["corners"] for told in referee.told if told["type"] == "table"]
    assert saved == ["200,100 1080,110 1098,640 180,630"]
    heard(wizard, At("lamps", "corners"))
    go_to(person, "picture")
    assert wizard.told[-1] == At("picture")


def test_a_ring_follows_the_finger_that_holds_it_and_no_other(person: Browser) -> None:
    go_to(person, "corners")
    person.wait_for("return document.querySelectorAll('#taken .handle').length === 4")
    person.run("document.getElementById('taken').scrollIntoView({block: 'center'})")
    middles = """return [...document.querySelectorAll('#taken .handle')].map((ring) => {
        const at = ring.getBoundingClientRect(); return [at.x + at.width / 2, at.y + at.height / 2] })"""
    before = person.run(middles)
    held = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate((before[0], before[2]))]
    moved = [held[0], {**held[1], "x": held[1]["x"] - 30}]
    for kind, fingers in (
        ("touchStart", held[:1]),
        ("touchStart", held),
        ("touchMove", moved),
        ("touchMove", moved[1:]),
        ("touchMove", [{**moved[1], "y": moved[1]["y"] - 15}]),
        ("touchEnd", []),
    ):
        person.command("Input.dispatchTouchEvent", type=kind, touchPoints=fingers)
    after = person.run(middles)
    assert [after[0], after[1], after[3]] == [before[0], before[1], before[3]]
    assert after[2] == pytest.approx([before[2][0] - 30, before[2][1] - 15], abs=1)


def test_corners_beyond_the_picture_s_edge_can_be_dragged_too(
    person: Browser, referee: TableReferee, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut_off = FoundBoard("-70,100 1080,110 1390,770 -20,630", "top-left", 0.9, (1280, 720), ())
    monkeypatch.setattr(referee, "find", lambda: cut_off)
    go_to(person, "corners")
    person.wait_for("return document.querySelectorAll('#taken .handle').length === 4")
    shown = person.run(
        "const picture = document.getElementById('taken').getBoundingClientRect();"
        "return [...document.querySelectorAll('#taken .handle')].every((ring) => {"
        "  const at = ring.getBoundingClientRect();"
        "  return at.left >= picture.left - 1 && at.right <= picture.right + 1"
        "    && at.top >= picture.top - 1 && at.bottom <= picture.bottom + 1 });"
    )
    assert shown, "every ring is seen"
    x, y, scale = person.run(
        "const ring = document.querySelector('[data-corner=\"2\"]').getBoundingClientRect();"
        "const svg = document.getElementById('taken');"
        "const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;"
        "return [ring.x + ring.width / 2, ring.y + ring.height / 2, scale]"
    )
    for kind, by in (("mousePressed", 0), ("mouseMoved", 10), ("mouseMoved", 20), ("mouseReleased", 20)):
        person.command("Input.dispatchMouseEvent", type=kind, x=x - by, y=y, button="left", clickCount=1)
    person.run(CLICK, "#next")
    person.wait_for(AT, "direction")
    corners = [[int(value) for value in pair.split(",")] for pair in referee.told[-1]["corners"].split()]
    assert corners[:2] == [[-70, 100], [1080, 110]]
    assert corners[2] == pytest.approx([1390 - 20 / scale, 770], abs=4)
    assert person.complaints() == []


@pytest.mark.parametrize("size", [(640, 480), (1280, 720), (1920, 1080), (2592, 1944), (3840, 2160)])
def test_corners_shown_by_hand_are_those_of_the_camera_s_own_picture(
    person: Browser, referee: TableReferee, wizard: FirstTime, size: tuple[int, int]
) -> None:
    wizard.state_now = msgspec.structs.replace(wizard.state_now, place=None)
    referee.no_board = NoBoard("There is no board in the picture.", size)
    width, height = size
    go_to(person, "corners")
    person.wait_for("return document.querySelectorAll('#taken .handle').length === 4")
    person.wait_for("return document.getElementById('corners-found').innerText.startsWith('The board was not found.')")
    drawn = person.run("const p = document.getElementById('taken').getBoundingClientRect(); return [p.x, p.y, p.width]")
    left, top, scale = drawn[0], drawn[1], drawn[2] / width
    wanted = [(0.3, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)]  # shares of the picture
    rings = [(0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.8)]
    for ring, to in zip(rings, wanted, strict=True):
        for kind, (x, y) in (("mousePressed", ring), ("mouseMoved", to), ("mouseReleased", to)):
            at = {"x": left + x * width * scale, "y": top + y * height * scale}
            person.command("Input.dispatchMouseEvent", type=kind, button="left", clickCount=1, **at)
    person.run(CLICK, "#next")
    person.wait_for(AT, "direction")
    saved = [tuple(map(int, corner.split(","))) for corner in referee.told[-1]["corners"].split()]
    for (x, y), (share_x, share_y) in zip(saved, wanted, strict=True):
        assert (x, y) == pytest.approx((share_x * width, share_y * height), abs=2 / scale)


def test_without_a_picture_there_are_no_corners_to_drag(
    person: Browser, referee: TableReferee, wizard: FirstTime
) -> None:
    wizard.state_now = msgspec.structs.replace(wizard.state_now, place=None)
    referee.no_board = NoBoard("There is no picture: no camera sees the board.", None)
    go_to(person, "corners")
    person.wait_for("return document.getElementById('corners-found').innerText === 'There is no picture.'")
    assert person.run("return document.querySelectorAll('#taken .handle').length") == 0
    person.run(CLICK, "#next")
    person.wait_for(AT, "direction")
    assert [told for told in referee.told if told["type"] == "table"] == []


def test_a_tap_on_the_picture_says_where_white_bears_off(person: Browser, referee: TableReferee) -> None:
    go_to(person, "direction")
    person.wait_for("return document.querySelectorAll('#ways .quarter').length === 4")
    person.run(
        "document.querySelector('[data-home=bottom-left]').dispatchEvent(new MouseEvent('click', {bubbles: true}))"
    )
    assert person.run("return document.querySelector('[name=home]:checked').value") == "bottom-left"
    person.run(CLICK, "#next")
    person.wait_for(AT, "game")
    assert (referee.told[-1]["type"], referee.told[-1]["home"]) == ("table", "bottom-left")


def test_what_is_wrong_on_the_board_is_named(person: Browser, wizard: FirstTime) -> None:
    go_to(person, "position")
    person.wait_for("return document.querySelectorAll('#differences li').length === 3")
    assert person.run(TEXT, "#differences").splitlines() == [
        "Point 7 (Black counts 18): there should be nothing, and 1× White is seen.",
        "Point 8 (Black counts 17): there should be 3× White, and 2× White is seen.",
        "To put it right: 1× White 7 → 8",
    ]
    assert person.run(TEXT, "#dice-read") == "A die does not lie flat. Throw it again."
    assert person.run("return document.querySelectorAll('#seen .wrong').length") == 2
    assert person.run(TEXT, "#next") == "Skip"
    right = msgspec.structs.replace(wizard.board, points=board(START), differences=(), dice=wizard.board.dice[:1] * 2)  # type: ignore[type-var, union-attr]
    wizard.board = right
    person.wait_for("return document.getElementById('next').innerText === 'Next'")
    several = [Difference(6, 5, 2), Difference(25, 0, 2), Difference(19, -5, -6), Difference(24, 2, 2)]
    moves = "return (await import('./static/js/trying.js')).putRight(JSON.parse(arguments[0]))"
    assert person.run(moves, msgspec.json.encode(several).decode()) == [
        "2× White bar → 6",
        "1× White beside the board → 6",
        "1× Black 19 → beside the board",
    ]
    assert person.run(TEXT, "#dice-read") == "The dice show six and six."


def test_a_practice_play_is_judged(person: Browser, wizard: FirstTime, hub: ViewHub) -> None:
    wizard.state_now = msgspec.structs.replace(wizard.state_now, waits=True)
    go_to(person, "practice")
    person.wait_for("return document.querySelectorAll('#tried .todo').length === 3")
    play = PlayView(1, "light", (3, 1), "illegal play", legal=False)
    flag = FlagView(1, "R05", "light", "Play does not match 3-1.", 1)
    hub.publish(msgspec.structs.replace(start_view(2), plays=(play,), flags=(flag,), practice=True, turn="dark"))
    person.wait_for("return document.querySelectorAll('#tried .done').length === 3")
    told = person.run(TEXT, "#tried")
    assert "Judged: not a legal play" in told
    assert "Play does not match 3-1." in told


def test_no_panel_is_an_answer(person: Browser, wizard: FirstTime) -> None:
    wizard.state_now = msgspec.structs.replace(wizard.state_now, panel=PanelSeen("none", "No lamps."))
    go_to(person, "lamps")
    person.wait_for("return document.getElementById('lamps-lead').innerText.startsWith('No panel is connected')")
    assert person.run("return document.getElementById('lamp-panel').checkVisibility()") is False
    person.run(CLICK, "#next")
    heard(wizard, At("practice", "lamps"))


def test_no_picture_says_what_to_do(person: Browser, wizard: FirstTime) -> None:
    sentence = "Camera 0 can't be opened. Plug it in."
    wizard.state_now = msgspec.structs.replace(wizard.state_now, picture=False, camera=sentence, place=None)
    go_to(person, "picture")
    person.wait_for("return document.getElementById('no-picture').checkVisibility()")
    person.wait_for("return document.getElementById('trouble').innerText === arguments[0]", sentence)
    person.run(CLICK, "#next")
    person.wait_for(AT, "corners")
    heard(wizard, At("corners", "picture", "skipped"))
    assert person.run(TEXT, "#corners-found") == "There is no picture."
    for left, step in pairwise(("corners", "direction", "game", "position", "lamps")):
        person.run(GO_ON, left)
        person.wait_for(AT, step)
    heard(wizard, At("lamps", "position", "skipped"))


HOLD_BACK = """
const ask = window.fetch.bind(window);
window.late = 0;
window.fetch = async (address, options) => {
  const answer = await ask(address, options);
  if (!window.late && String(options?.body).includes('"still":true')) {
    window.late = 1;
    await new Promise((go) => { window.letGo = go; });
    setTimeout(() => { window.late = 2; }, 100);
  }
  return answer;
};
"""


def test_an_answer_that_was_overtaken_is_not_shown(person: Browser, wizard: FirstTime) -> None:
    person.run(HOLD_BACK)
    person.wait_for("return window.late === 1")
    wizard.state_now = msgspec.structs.replace(wizard.state_now, picture=False, camera="No camera.", place=None)
    go_to(person, "picture")
    person.wait_for("return document.getElementById('no-picture').checkVisibility()")
    person.run("window.letGo()")
    person.wait_for("return window.late === 2")
    assert person.run("return document.getElementById('no-picture').checkVisibility()")


def test_a_page_that_another_has_overtaken_says_so(person: Browser, wizard: FirstTime) -> None:
    go_to(person, "picture")
    assert person.run("return document.getElementById('elsewhere').hidden")
    wizard.state_now = msgspec.structs.replace(wizard.state_now, by="another phone")
    person.wait_for("return !document.getElementById('elsewhere').hidden")
    go_to(person, "corners")
    person.wait_for("return document.getElementById('elsewhere').hidden")


LEAVES_SLOWLY = """
const ask = window.fetch.bind(window);
window.fetch = async (address, options) => {
  if (String(address).endsWith('setup/leave')) {
    sessionStorage.setItem('after', '0');
    await new Promise((done) => setTimeout(done, 2200));
  } else if (String(address).endsWith('setup/at') && sessionStorage.getItem('after')) sessionStorage.setItem('after', '1');
  return ask(address, options);
};
"""


def test_whoever_leaves_is_at_no_step_any_more(person: Browser, wizard: FirstTime) -> None:
    go_to(person, "corners")
    person.run(LEAVES_SLOWLY)
    person.run(CLICK, "#leave")
    person.wait_for("return location.pathname === '/desk'")
    assert person.run("return sessionStorage.getItem('after')") == "0"
    heard(wizard, "leave")


def test_whoever_leaves_a_page_that_another_has_overtaken_ends_nothing(person: Browser, wizard: FirstTime) -> None:
    go_to(person, "corners")
    wizard.state_now = msgspec.structs.replace(wizard.state_now, by="another phone")
    person.wait_for("return !document.getElementById('elsewhere').hidden")
    person.run(CLICK, "#leave")
    person.wait_for("return location.pathname === '/desk'")
    assert "leave" not in wizard.told


def test_whoever_comes_back_to_a_page_that_was_left_finds_it_new(person: Browser) -> None:
    go_to(person, "corners")
    person.run(f"{LEAVES_SLOWLY} window.kept = true; document.querySelector('#leave').click()")
    person.run("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    person.wait_for("return window.kept === undefined && document.body.dataset.step === 'corners'")
    go_to(person, "direction")


def test_a_refusal_is_read_out_and_the_step_stays(person: Browser, referee: TableReferee) -> None:
    go_to(person, "corners")
    person.wait_for("return document.querySelectorAll('#taken .handle').length === 4")
    referee.refusal = "Those corners can't be a board's."
    person.run(CLICK, "#next")
    person.wait_for("return document.getElementById('answer').innerText === arguments[0]", referee.refusal)
    assert person.run(AT, "corners")


def test_the_game_is_chosen_with_its_variant_its_stake_and_single_rules(
    person: Browser, wizard: FirstTime, referee: TableReferee
) -> None:
    wizard.state_now = msgspec.structs.replace(wizard.state_now, under_way=False)
    go_to(person, "game")
    person.wait_for("return document.querySelector('#new-match [name=light]').value === 'Jana'")
    person.run(
        "const form = document.getElementById('new-match').elements;"
        "Object.assign(form.light, {value: 'Eva'}); Object.assign(form.dark, {value: 'Jan'});"
        "form.clock.checked = true; form.rules.value = 'money'; form.rules.dispatchEvent(new Event('change', {bubbles: true}));"
        "form.rules.dispatchEvent(new Event('input', {bubbles: true}));"
        "form.variant.value = 'variant=nackgammon'; form.stacks.value = 'move.stack_limit=5'; form.stake.value = '0,50 €';"
        "form.namedItem('set').value = 'cube.max=64 cube.beavers=2'"
    )
    person.run(CLICK, "#new-match button.main")
    person.wait_for(AT, "position")
    (told,) = [told for told in referee.told if told["type"] == "match"]
    chosen = ["variant=nackgammon", "move.stack_limit=5", "stake.point=0,50 €", "cube.max=64", "cube.beavers=2"]
    assert (told["rules"], told["length"], told["set"], told["clock"]) == ("money", 0, chosen, False)
    heard(wizard, At("position", "game"))


@pytest.mark.parametrize(("language", "word"), [("cs", "Rohy"), ("sk", "Ďalej")])
def test_it_speaks_the_language_that_was_chosen(person: Browser, language: str, word: str) -> None:
    go_to(person, "language")
    person.run(CLICK, f'#language button[value="{language}"]')
    person.wait_for("return document.documentElement.lang === arguments[0]", language)
    person.wait_for(AT, "pin")
    go_to(person, "corners")
    assert word in person.run("return document.body.innerText")


@pytest.mark.parametrize("language", ["en", "cs", "sk"])
def test_every_step_fits_a_phone(person: Browser, server: Server, language: str) -> None:
    person.open(f"http://127.0.0.1:{server.port}/setup?lang={language}")
    person.wait_for(AT, "pin")
    steps = person.run("return [...document.querySelectorAll('.step')].map((one) => one.id)")
    for step in steps:
        go_to(person, step)
        person.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        assert person.run("return document.documentElement.scrollWidth") <= 360, step
        small = (
            "return [...document.querySelectorAll('button, .progress a')]"
            ".filter((one) => one.checkVisibility() && one.offsetHeight < 40).map((one) => one.outerHTML)"
        )
        assert person.run(small) == [], step


def test_the_set_up_asks_who_plays_and_whether_the_device_speaks(
    person: Browser, referee: TableReferee, wizard: FirstTime, hub: ViewHub
) -> None:
    wizard.state_now = msgspec.structs.replace(wizard.state_now, under_way=False)
    unnamed = msgspec.structs.replace(start_view(2, "Light", "Dark"), role="recorder")
    hub.publish(unnamed)
    person.wait_for("return document.body.dataset.sequence === '2'")
    go_to(person, "game")
    person.wait_for("return document.querySelector('#role :checked')?.value === 'recorder'")
    assert person.run(TEXT, "#next") == "Skip"
    type_names = """
    for (const [name, value] of Object.entries({ light: 'Jana', dark: 'Marián' })) {
      document.querySelector(`#new-match [name=${name}]`).value = value;
    }
    const rules = document.querySelector('#new-match [name=rules]');
    rules.value = 'money';
    rules.dispatchEvent(new Event('change', { bubbles: true }));
    rules.dispatchEvent(new Event('input', { bubbles: true }));
    document.querySelector('#role [value=monitor]').click();
    """
    person.run(type_names)
    assert person.run(TEXT, "#next") == "Next"
    person.run(CLICK, "#next")
    person.wait_for(AT, "position")
    begun, role = referee.told
    assert [begun[name] for name in ("type", "light", "dark", "length", "rules")] == [
        "match",
        "Jana",
        "Marián",
        0,
        "money",
    ]
    assert role == {"type": "role", "role": "monitor"}
    heard(wizard, At("position", "game", "done"))
    wizard.state_now = msgspec.structs.replace(wizard.state_now, under_way=True)
    hub.publish(msgspec.structs.replace(played_view(3), role="monitor"))
    go_to(person, "game")
    person.wait_for("return document.getElementById('game-lead').innerText.includes('it goes on')")
    assert not person.run("return document.getElementById('new-match').checkVisibility()")
    person.run(GO_ON, "game")
    person.wait_for(AT, "position")
    assert len(referee.told) == 2


def test_a_refused_match_keeps_what_was_entered(person: Browser, referee: TableReferee, wizard: FirstTime) -> None:
    wizard.state_now = msgspec.structs.replace(wizard.state_now, under_way=False)
    go_to(person, "game")
    person.wait_for("return document.querySelector('#new-match [name=light]').value === 'Jana'")
    person.run(
        "const points = document.querySelector('#new-match [name=length]'); points.value = '9';"
        "points.dispatchEvent(new Event('input', { bubbles: true }))"
    )
    referee.refusal = "The journal can't be written."
    person.run(CLICK, "#next")
    person.wait_for("return document.getElementById('answer').innerText === arguments[0]", referee.refusal)
    assert person.run("return document.querySelector('#new-match [name=length]').value") == "9"


READY = "return document.getElementById('ready-lead').innerText"


def test_what_does_not_work_is_never_said_to(person: Browser, wizard: FirstTime) -> None:
    steps = wizard.state_now.steps
    every = dict.fromkeys(steps, "done")
    working = msgspec.structs.replace(wizard.state_now, done=every, under_way=True)
    for state, said in [
        (msgspec.structs.replace(working, picture=False, place=None, camera="No camera."), "there is no picture"),
        (msgspec.structs.replace(working, place=None), "no board is found"),
        (msgspec.structs.replace(working, camera="It is too dark."), "It is too dark."),
        (msgspec.structs.replace(working, done=every | {"position": "skipped"}), "nobody has looked yet"),
        (msgspec.structs.replace(working, done=every | {"lamps": "skipped"}), "It works."),
        (working, "Have a good game"),
    ]:
        wizard.state_now = state
        go_to(person, "ready")
        person.wait_for(f"{READY}.includes(arguments[0])", said)
    wizard.state_now = msgspec.structs.replace(working, done={})
    person.wait_for("return document.querySelectorAll('#summary .todo').length === arguments[0]", len(steps) - 1)
    assert "A lamp that stays dark is found only during the match." in person.run(TEXT, "#summary")
    assert person.run("return document.querySelector('#ready .qr')") is None
    assert "Other devices can't reach this page" in person.run(TEXT, "#ready")


def test_a_camera_is_chosen_by_what_it_sees(person: Browser, wizard: FirstTime) -> None:
    wizard.plugged_in = (CameraSeen("camera:0", "Desk lamp", True), CameraSeen("picamera", "Raspberry Pi", False))
    go_to(person, "picture")
    loaded = "return [...document.querySelectorAll('#camera-list img')].filter((one) => one.naturalWidth > 0).length"
    person.wait_for(f"{loaded} === 2")
    assert person.run(TEXT, "#camera-list [aria-pressed=true]").split("\n")[0] == "Desk lamp"
    person.run(CLICK, "#camera-list [aria-pressed=false]")
    person.wait_for(
        "return document.querySelector('#camera-list [aria-pressed=true]')?.innerText.startsWith('Raspberry Pi')"
    )
    assert UseCamera("picamera") in wizard.told
    assert person.complaints() == []
    wizard.plugged_in = (CameraSeen("picamera", "Raspberry Pi", True),)
    person.wait_for("return document.getElementById('cameras').hidden")


def test_corners_in_one_camera_s_picture_are_not_taken_for_those_in_another_s(
    person: Browser, wizard: FirstTime, referee: TableReferee, monkeypatch: pytest.MonkeyPatch
) -> None:
    wizard.plugged_in = (CameraSeen("camera:0", "Desk lamp", True), CameraSeen("picamera", "Raspberry Pi", False))
    go_to(person, "corners")
    person.wait_for("return document.querySelectorAll('#taken .handle').length === 4")
    go_to(person, "picture")
    seeing = wizard.state_now
    wizard.state_now = msgspec.structs.replace(seeing, picture=False, place=None, done={})  # it is being opened
    nothing, there = NoBoard("There is no picture: no camera sees the board.", None), referee.find()
    monkeypatch.setattr(referee, "find", lambda: there if wizard.state_now.picture else nothing)
    person.wait_for("return document.querySelector('#camera-list [aria-pressed=false]') !== null")
    person.run(CLICK, "#camera-list [aria-pressed=false]")
    heard(wizard, UseCamera("picamera"))
    go_to(person, "corners")
    person.wait_for("return document.getElementById('corners-found').innerText === 'There is no picture.'")
    there = FoundBoard("300,150 1000,160 1010,600 290,590", "top-left", 0.9, (1280, 720), ())
    wizard.state_now = msgspec.structs.replace(seeing, place=None, done={})
    person.wait_for("return document.querySelector('[data-corner=\"0\"]').getAttribute('cx') === '300'")
    person.run(CLICK, "#next")
    person.wait_for(AT, "direction")
    assert [told["corners"] for told in referee.told if told["type"] == "table"][
        -1
    ] == "300,150 1000,160 1010,600 290,590"
