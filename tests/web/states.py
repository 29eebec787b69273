"""Every page in every state that people meet, by name: axe looks at each, and a picture is taken of each.

with the_house(browser) as house:
    house.look(320, 568, "cs", "dark")
    STATES["desk, a play corrected"](house)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, get_args

import msgspec

from controller.app.report_view import NO_PLAYS, legal_in, report_of
from controller.app.status_sentence import status_at
from controller.record.model import Record
from controller.referee.events import Why
from controller.referee.phrases import in_words
from controller.referee.state import ToPlay
from controller.rules import LANGUAGES, MATCH, Position, Side
from controller.rules.codes import OF_TOURNAMENTS, Code, Wording
from tests.record.examples import example_records
from tests.transcript.matches import misread
from tests.web.browser import Browser, enter
from tests.web.first_time import PLACE, SEEN, FirstTime, grey_picture
from tests.web.table import TableHub, TableReferee
from tests.web.test_desk_browser import CHOUETTE
from tests.web.test_verdict_browser import VERDICT
from tests.web.views import late_game, played_view, rolled_view, start_view
from vision.sentence import Sentence
from web.app import create_app
from web.desk import Desk
from web.hub import ViewHub
from web.joining import Guest, HubSeen
from web.operator import Coached, CoachedTurn, FoundBoard, GameLines, Legal, NoBoard, PlayerLine
from web.overlays import PARTS
from web.security import PinKeeper
from web.server import serve
from web.view import CubeView, FlagView, PlayView, ResignView, StakeView, View
from web.wizard import CameraSeen, PanelSeen, SetUpStep
from web.words import message, worded

CLICK = "document.querySelector(arguments[0]).click()"
SHOWN = "return document.body.dataset.sequence === arguments[0] && !('waits' in document.body.dataset)"
LEGAL = "return document.querySelectorAll('#legal button').length"
OPENED = "document.querySelectorAll('details').forEach((one) => { one.open = true; })"
DARK_ROOM = (
    Sentence("Too dark: grain is {value} % of the board's contrast, {bound} % may be.", value=20, bound=14),
    Sentence("Put a lamp over the board."),
)
NO_CAMERA = Sentence("{name} gives no picture. Close other programs that use it, or plug it in again.", name="camera:0")
PLAYED = played_view()
ROLL_STANDS = (Why(Wording.ROLL_STANDS),)
WEAK = (message(DARK_ROOM[0].followed_by(DARK_ROOM[1])),)
TURNS = (
    CoachedTurn(2, "dark", "64: 24/14", "64: 24/14", 0.0, 0.104),
    CoachedTurn(1, "light", "31: 24/23 24/21", "31: 8/5 6/5", 0.25, 0.0),
)
EARLIER = (
    GameLines(
        1,
        "Jana",
        "Marián",
        (0, 0),
        "light",
        2,
        (*PLAYED.plays, PlayView(2, "dark", (6, 4), "24/14", legal=False)),
    ),
)


def spoken(view: View) -> View:
    """The same with the sentences that the program says of it in each language, so that none here is older than the program's."""
    words = {language: status_words(view, language) for language in LANGUAGES}
    flags = tuple(in_the_programs_words(flag, (view.light.name, view.dark.name)) for flag in view.flags)
    return msgspec.structs.replace(view, status=words.pop("en"), status_translations=words, flags=flags)


def status_words(view: View, language: str) -> str:
    """Where the match stands; of the phases that the states here are in."""
    row = "paused" if view.paused else "resignation" if view.resigning else view.phase
    row = "won" if row == "match over" else row
    names = {"light": view.light.name, "dark": view.dark.name}
    who = view.resigning.side if view.resigning else view.cube.offered or view.turn
    name = names[max(names, key=lambda side: getattr(view, side).score) if row == "won" else who or "light"]
    dice = "-".join(map(str, view.dice))
    return status_at(row, language, name=name, dice=dice, cube=2 * view.cube.value)


def in_the_programs_words(flag: FlagView, names: tuple[str, str]) -> FlagView:
    """What a flag says in each language."""
    other = "dark" if flag.side == "light" else "light"
    said = in_words((Why(flag.code, {"side": other}), *(ROLL_STANDS if flag.code == Code.ROLLED_EARLY else ())), names)
    tournament = flag.code in OF_TOURNAMENTS
    return msgspec.structs.replace(flag, text=said.pop("en"), translations=said, tournament=tournament)


def may_be_played(view: View) -> Legal:
    """What the desk may tap: the plays of light's turn, from the board as it was before what stands there was moved."""
    if view.phase != "to play" or view.paused:
        return NO_PLAYS
    points = [0, *view.points, view.light.bar]
    for source, target in (move for flag in view.flags if flag.resolved is None for move in flag.moved):
        points[target] -= 1
        points[source] += 1
    light = {point: count for point, count in enumerate(points) if count > 0}
    dark = {25 - point: -count for point, count in enumerate(points) if count < 0} | {25: view.dark.bar}
    high, low = view.dice
    return legal_in(ToPlay(Side.LIGHT, (high, low), Position.of(light, dark)), MATCH)


class Kept(TableReferee):
    """A match to step through, a report of another, a game before the running one.

    now: what may be played in the turn that is on.
    """

    now = NO_PLAYS

    def legal(
        self,
        line: int | None = None,
        dice: tuple[int, int] | None = None,
        game: int | None = None,
        match: str | None = None,
    ) -> Legal:
        return self.now if line is None else super().legal(line, dice, game, match)

    def match(self, identity: str, *, judged: bool) -> Record | None:
        return example_records()["crawford"] if identity == "abc" else None

    def players(self, hidden: frozenset[str]) -> tuple[PlayerLine, ...]:
        return super().players(hidden) if self.verdict else ()

    def find(self) -> FoundBoard | NoBoard:
        found = super().find()
        return msgspec.structs.replace(found, weak_messages=WEAK) if isinstance(found, FoundBoard) else found


class House:
    """A served page, with what it shows, and the browser that looks at it, signed in."""

    def __init__(self, browser: Browser, keeper: PinKeeper) -> None:
        self.browser, self.pin = browser, str(keeper.fresh)
        self.hub, self.referee, self.wizard, self.joiner = ViewHub(), Kept(), FirstTime(), TableHub()
        self.base = self.empty = ""
        self._sequence = 0
        self._language = ""
        self.again()

    def again(self) -> None:
        """Everything as it was: a late game, a set-up not walked through."""
        self.referee.__init__()  # type: ignore[misc]  # the application holds this one
        self.wizard.__init__()  # type: ignore[misc]
        self.joiner.__init__()  # type: ignore[misc]
        self.referee.verdict = VERDICT
        self.referee.camera = grey_picture()
        self.referee.overlooked = report_of(misread(), "evening.mp4", lambda line: False)
        self.wizard.state_now = msgspec.structs.replace(self.wizard.state_now, ready=True)
        self.wizard.board = msgspec.structs.replace(SEEN, weak_messages=WEAK)
        self.show(late_game())

    def show(self, view: View, **changes: Any) -> None:
        """Publishes it as the newest view, in the words that the program has for it."""
        self._sequence += 1
        view = spoken(msgspec.structs.replace(view, sequence=self._sequence, match_id="abc", **changes))
        self.referee.now = may_be_played(view)
        self.hub.publish(view)

    def look(self, width: int, height: int, language: str, scheme: str) -> None:
        """With this screen, in this language and appearance, signed in."""
        self.browser.screen(width, height, scheme)
        self.browser.command("Network.setBlockedURLs", urls=[])  # after a state without a connection
        self._language = language
        self.browser.open(f"{self.base}/?lang={language}")
        self.sign_in()

    def sign_in(self) -> None:
        enter(self.browser, self.base, self.pin)

    def sign_out(self) -> None:
        self.browser.command("Network.clearBrowserCookies")
        self.browser.open(f"{self.base}/?lang={self._language}")

    def open(self, path: str, ready: str = "", *arguments: object) -> None:
        """Opens a page, and waits until it shows the newest view, or until `ready` is true."""
        self.browser.open(f"{self.base}/{path}")
        if ready:
            self.browser.wait_for(ready, *arguments, seconds=30)
        else:
            self.browser.wait_for(SHOWN, str(self._sequence), seconds=30)

    def press(self, selector: str, ready: str = "return true") -> None:
        self.browser.run(CLICK, selector)
        self.browser.wait_for(ready, seconds=30)


State = Callable[[House], None]
STATES: dict[str, State] = {}


def state(name: str) -> Callable[[State], State]:
    """Keeps the way to a state under its name."""

    def keep(reach: State) -> State:
        STATES[name] = reach
        return reach

    return keep


def seen(name: str, path: str, view: View, **changes: Any) -> None:
    """A state that is a page with a view."""

    def reach(house: House) -> None:
        house.show(view, **changes)
        house.open(path)

    STATES[name] = reach


def signed_out(reach: State) -> State:
    """For who has not signed in; afterwards the browser is signed in again."""

    def around(house: House) -> None:
        house.sign_out()
        reach(house)

    return around


REWRITTEN = (PlayView(1, "light", (3, 1), "8/5 6/5", corrected=True), PlayView(2, "dark", (6, 4), "24/14*"))
OFFERED: dict[str, Any] = {
    "cube": CubeView(2, "dark", "light"),
    "phase": "cube offered",
    "flags": (),
    "turn": "light",
}
PAUSED: dict[str, Any] = {
    "paused": True,
    "phase": "paused",
    "flags": (),
}
OVER: dict[str, Any] = {
    "phase": "match over",
    "turn": None,
    "flags": (),
    "clock": None,
}
MONEY: dict[str, Any] = {"match_length": 0, "chouette": CHOUETTE, "stake": StakeView("2.50 €")}

seen("viewer", "", late_game())
seen("viewer, the start", "", start_view())
seen("viewer, a cube offered", "", PLAYED, answers=("take", "pass"), **OFFERED)
seen("viewer, a play rewritten", "", PLAYED, plays=REWRITTEN)
seen("viewer, a chouette", "", PLAYED, **MONEY)
seen(
    "viewer, a dark room",
    "",
    late_game(),
    flags=(),
    picture=(tuple(map(str, DARK_ROOM)),),
    picture_messages=WEAK,
)
seen("viewer, no camera", "", late_game(), camera=str(NO_CAMERA), camera_message=message(NO_CAMERA))
seen("viewer, the set-up is on", "", PLAYED, practice=True)
seen("viewer, a pause", "", PLAYED, **PAUSED)


@state("viewer, settings")
def _settings(house: House) -> None:
    house.open("")
    house.press("details.menu summary")


@state("viewer, shown to others")
def _others(house: House) -> None:
    house.open("")
    house.press("#hand-on", "return document.querySelector('#others').checkVisibility()")


@state("viewer, no connection")
def _lost(house: House) -> None:
    house.open("")
    house.browser.command("Network.enable")
    house.browser.command("Network.setBlockedURLs", urls=["*/events*", "*/api/state*"])
    house.browser.open(f"{house.base}/?")
    house.browser.wait_for("return document.body.dataset.connection === 'lost'", seconds=30)


@state("viewer, the match over")
def _over(house: House) -> None:
    house.show(late_game(), **OVER)
    house.open("", "return document.querySelectorAll('#finished .errors li').length === 2")


@state("viewer, a coach")
def _coach(house: House) -> None:
    house.referee.coaching = {None: Coached(TURNS), "light": Coached(TURNS), "dark": Coached(TURNS)}
    house.show(PLAYED, role="coach")
    house.open("", "return document.querySelectorAll('.coached li').length === 2")


@state("viewer, nothing yet")
def _nothing(house: House) -> None:
    house.browser.open(f"{house.empty}/?lang={house._language}")
    house.browser.wait_for("return document.readyState === 'complete'")


@state("sign-in")
@signed_out
def _sign_in(house: House) -> None:
    house.open("desk", "return document.getElementById('pin')")


@state("sign-in, a wrong PIN")
@signed_out
def _wrong_pin(house: House) -> None:
    house.open("desk", "return document.getElementById('pin')")
    house.browser.run("const { pin } = document.forms[0]; pin.value = '000000'; pin.form.submit()")
    house.browser.wait_for("return document.getElementById('why') !== null")


@state("sign-in, locked")
def _locked(house: House) -> None:
    house.browser.open(f"{house.empty}/desk?lang={house._language}")
    for _ in range(6):
        house.browser.run("document.getElementById('why')?.remove()")
        house.browser.run("const { pin } = document.forms[0]; pin.value = '000000'; pin.form.submit()")
        house.browser.wait_for("return document.getElementById('why') || document.getElementById('wait')")
        if house.browser.run("return document.getElementById('wait') !== null"):
            return
    raise AssertionError("six wrong PINs, and no wait")


@state("desk")
def _desk(house: House) -> None:
    house.open("desk")
    house.browser.wait_for(LEGAL)


@state("desk, all of it open")
def _desk_open(house: House) -> None:
    house.referee.earlier = EARLIER
    house.open("desk")
    house.browser.run(OPENED)


@state("desk, a play corrected")
def _correcting(house: House) -> None:
    house.show(PLAYED)
    house.open("desk")
    house.press("#edit-last", "return document.querySelectorAll('.tap.source').length")


@state("desk, a turn put in")
def _insert(house: House) -> None:
    _correcting(house)
    house.press("#edit-insert", "return document.getElementById('insert').open")


@state("desk, is it meant?")
def _sure(house: House) -> None:
    house.show(PLAYED)
    house.open("desk")
    house.browser.run("document.getElementById('new-match-section').open = true")
    house.press("#new-match button.main", "return document.getElementById('sure').open")


@state("desk, refused")
def _refused(house: House) -> None:
    house.show(PLAYED)
    house.open("desk")
    house.referee.refusal = Sentence("No game is on.")
    house.press('[data-command*="undo"]', "return document.getElementById('answer')?.textContent")


@state("desk, what the camera saw")
def _saw(house: House) -> None:
    house.show(PLAYED, doubtful=(1,))
    house.open("desk")
    house.browser.run("document.getElementById('doubts-section').open = true")
    house.browser.wait_for("return document.querySelector('#doubts .thumbnail img')?.naturalWidth")
    house.press("#doubts .thumbnail", "return document.querySelectorAll('#shots figure').length === 2")


seen("desk, the start", "desk", start_view())
seen("desk, a cube offered", "desk", PLAYED, answers=("take", "pass", "beaver"), **OFFERED)
seen("desk, a resignation", "desk", PLAYED, resigning=ResignView("dark", 2), flags=())
seen("desk, a draw for the start", "desk", start_view(), draws=True, colours=True)
seen("desk, a chouette", "desk", PLAYED, **MONEY)
seen("desk, a pause", "desk", PLAYED, **PAUSED)
seen("desk, the match over", "desk", late_game(), **OVER)
seen("desk, no camera", "desk", late_game(), camera=str(NO_CAMERA), camera_message=message(NO_CAMERA))
seen("table", "table", late_game())
seen("table, a cube offered", "table", PLAYED, **OFFERED)


@state("table, a viewer's")
@signed_out
def _viewers_table(house: House) -> None:
    house.open("table")


@state("replay")
def _replay(house: House) -> None:
    house.open("replay?match=abc#1", "return document.querySelectorAll('.errors li').length === 2")


@state("replay, what was better")
def _better(house: House) -> None:
    house.open("replay?match=abc#6", "return document.querySelectorAll('.errors li').length === 2")
    house.press(".errors li:last-child button", "return document.querySelector('.marks.better') !== null")


@state("replay, nobody has judged it")
def _unjudged(house: House) -> None:
    house.referee.verdict = None
    house.open("replay?match=abc#1", "return document.querySelector('#verdict').innerText.trim()")


@state("replay, an unknown match")
def _unknown(house: House) -> None:
    house.open("replay?match=elsewhere", "return document.querySelector('main p')")


@state("replay, no such turn")
def _no_turn(house: House) -> None:
    house.open("replay?match=abc#9.9", "return document.querySelectorAll('.errors li').length === 2")


@state("my games")
def _games(house: House) -> None:
    house.open("games?player=jana", "return document.querySelectorAll('#matches tr').length === 4")


@state("my games, none yet")
def _no_games(house: House) -> None:
    house.referee.verdict = None
    house.open("games", "return document.getElementById('said').innerText")


@state("report")
def _report(house: House) -> None:
    house.open("report", "return document.body.dataset.lines")


@state("report, a line corrected")
def _report_line(house: House) -> None:
    _report(house)
    house.press("[data-answer=edit]", LEGAL)


@state("overlays")
def _overlays(house: House) -> None:
    shown = "document.getElementById('preview').contentDocument?.body?.dataset.sequence"
    house.open("overlays", f"return document.querySelector('#parts input').value && {shown}")


def _overlay(part: str, house: House) -> None:
    house.show(late_game(), event="Pražský open", place="Praha", round="semifinále")
    house.open(f"overlay/{part}?lang={house._language}")


for one in PARTS:
    STATES[f"overlay, {one}"] = partial(_overlay, one)


@state("error, no such page")
def _no_page(house: House) -> None:
    house.open("nothing", "return document.querySelector('main p')")


@state("error, sign in first")
@signed_out
def _closed(house: House) -> None:
    house.open("report", "return document.querySelector('main p')")


def set_up(house: House, step: str) -> None:
    """A step of the set-up."""
    if house.browser.run("return location.pathname") != "/setup":
        house.open("setup", "return document.body.dataset.step")
    house.press(f"#progress a[href='#{step}']", f"return document.body.dataset.step === '{step}'")
    house.browser.wait_for("return !document.getElementById(arguments[0]).hidden", step)


for one in get_args(SetUpStep):
    STATES[f"set-up, {one}"] = partial(lambda step, house: set_up(house, step), one)


@state("set-up, practice")
def _practice(house: House) -> None:
    house.show(rolled_view(), practice=True)
    house.wizard.state_now = msgspec.structs.replace(house.wizard.state_now, waits=True)
    set_up(house, "practice")
    house.browser.wait_for("return document.querySelectorAll('#tried li').length")


@state("set-up, no picture")
def _no_picture(house: House) -> None:
    house.wizard.state_now = msgspec.structs.replace(
        house.wizard.state_now, picture=False, place=None, camera=str(NO_CAMERA), camera_message=message(NO_CAMERA)
    )
    set_up(house, "picture")
    house.browser.wait_for("return document.getElementById('no-picture').checkVisibility()")


@state("set-up, which camera")
def _cameras(house: House) -> None:
    house.wizard.plugged_in = (CameraSeen("camera:0", "Desk lamp", True), CameraSeen("picamera", "Raspberry Pi", False))
    set_up(house, "picture")
    loaded = "[...document.querySelectorAll('#camera-list img')].filter((one) => one.naturalWidth > 0).length"
    house.browser.wait_for(f"return {loaded} === 2")


@state("set-up, no panel")
def _no_panel(house: House) -> None:
    house.wizard.state_now = msgspec.structs.replace(house.wizard.state_now, panel=PanelSeen("none", "No lamps."))
    set_up(house, "lamps")


@state("set-up, nothing wrong")
def _all_right(house: House) -> None:
    dice = tuple(msgspec.structs.replace(die, flat=True) for die in SEEN.dice)
    house.wizard.board = msgspec.structs.replace(SEEN, points=start_view().points, dice=dice, differences=(), weak=())
    set_up(house, "position")


@state("set-up, it works")
def _it_works(house: House) -> None:
    now = house.wizard.state_now
    house.wizard.state_now = msgspec.structs.replace(
        now, done=dict.fromkeys(now.steps, "done"), under_way=True, place=PLACE
    )
    set_up(house, "ready")


@state("hub, none")
def _no_hub(house: House) -> None:
    house.open("hub", ENTERED)


@state("hub, a wrong code")
def _wrong_code(house: House) -> None:
    house.joiner.refusal = worded("This code holds no longer, or never did. Ask a director of the hub for another.")
    house.open("hub", ENTERED)
    house.browser.run("document.getElementById('invitation').value = '7KQF-2M9X-4TBW@hub.local:8443'")
    house.press("button.main", "return document.getElementById('why')")


@state("hub, joined")
def _joined(house: House) -> None:
    house.joiner.hub = HubSeen("board-7", "hub.local:8883", sent=True)
    house.open("hub", ENTERED)


@state("hub, away")
def _hub_away(house: House) -> None:
    why = "Hub: {host} port {port}: {why}. The journal keeps everything, and it is sent once the hub is there."
    said = worded(why, host="hub.local", port=8883, why="Not authorized")
    house.joiner.hub = HubSeen("board-7", "hub.local:8883", said, fixed=True)
    house.open("hub", "return document.querySelector('.refusal')")


@state("hub, sent by it")
def _sent_by_hub(house: House) -> None:
    house.joiner.passes["good"] = Guest("Jana Nováková", "scorer", "one")
    house.open("hub/enter?pass=good", "return document.querySelector('button.main')")


@state("hub, an old pass")
def _old_pass(house: House) -> None:
    house.open("hub/enter?pass=old", "return document.querySelector('.refusal')")


ENTERED = "return document.getElementById('invitation')"


@contextmanager
def the_house(browser: Browser) -> Iterator[House]:
    """Served until the block ends; beside it an empty one, at whose desk nobody gets in."""
    keeper = PinKeeper(None)
    house = House(browser, keeper)
    desk = Desk(house.referee, keeper, wizard=house.wizard, host=lambda: "192.168.1.7", joiner=house.joiner)
    with (
        serve(create_app(house.hub, lambda flag: house.referee.camera, streams=8, desk=desk), "127.0.0.1", 0) as server,
        serve(create_app(ViewHub(), desk=Desk(TableReferee(), PinKeeper(None))), "127.0.0.1", 0) as empty,
    ):
        house.base = f"http://127.0.0.1:{server.port}"
        house.empty = f"http://127.0.0.1:{empty.port}"
        yield house


def visit(house: House, name: str) -> None:
    """Comes to a state, whatever was there before; whoever was signed out is signed in again first."""
    house.browser.command("Network.setBlockedURLs", urls=[])
    house.again()
    if not house.browser.run("return location.href").startswith(house.base) or not house.browser.run(SIGNED_IN):
        house.sign_in()
    STATES[name](house)


SIGNED_IN = "return fetch('/api/legal').then((answer) => answer.status !== 401)"
