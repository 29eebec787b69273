"""The commonest tasks at the desk as a person does them: real touches on what is seen, counted and timed.

hand = Hand(browser)
TASKS["undo"].do(hand)
hand.taps, hand.keys, hand.swipes
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from controller.rules import Position, Side, position_id
from tests.web.browser import Browser

PLACE = """
const found = [...document.querySelectorAll(arguments[0])].filter((one) => one.getClientRects().length);
if (!found.length || found[0].disabled) return null;
const part = found[0].querySelector(':scope > .area') ?? found[0];
let swiped = false;
const inside = (box) => box.top >= 0 && box.bottom <= innerHeight;
if (!inside(part.getBoundingClientRect())) {
  found[0].scrollIntoView({ block: 'center', behavior: 'instant' });
  swiped = true;
}
const box = part.getBoundingClientRect();
const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
const top = document.elementFromPoint(x, y);
const hit = top && (found[0].contains(top) || top.contains(found[0]));
return hit ? { x, y, swiped } : null;
"""
"""Where an element can be touched, scrolled to where it is out of sight; nothing while it is hidden, covered or disabled."""

SAY = """
const headers = { "X-CSRF-Token": document.querySelector('meta[name="csrf"]').content };
return fetch("api/command", { method: "POST", headers, body: arguments[0] }).then((answer) => answer.json());
"""
STATE = "return fetch('api/state').then((answer) => answer.json())"
WITHIN = 20.0
"""Seconds that a busy machine may need to show what was done."""


class Hand:
    """One finger at the desk. taps: touches so far, of them two for a choice in a list that opens; keys: characters typed;
    swipes: how often something had to be scrolled to."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.taps = self.keys = self.swipes = 0

    def tap(self, selector: str) -> None:
        """Touches the first such element that is there to be touched."""
        place: dict[str, Any] = self.browser.wait_for(PLACE, selector, seconds=WITHIN)
        self.swipes += bool(place["swiped"])
        while (now := self.browser.wait_for(PLACE, selector, seconds=WITHIN)) != place:  # it still moves
            place = now
        at = {"x": place["x"], "y": place["y"], "button": "left", "clickCount": 1}
        self.browser.command("Input.dispatchMouseEvent", type="mousePressed", **at)
        self.browser.command("Input.dispatchMouseEvent", type="mouseReleased", **at)
        self.taps += 1

    def write(self, selector: str, text: str) -> None:
        """Touches a field and types: what stood there gives way, as the desk marks it when it is touched."""
        self.tap(selector)
        self.browser.command("Input.insertText", text=text)
        self.keys += len(text)

    def choose(self, selector: str, value: str) -> None:
        """Opens a list and touches one of its lines. The list itself is the system's: no page can reach into it."""
        self.tap(selector)
        self.browser.run(
            "const one = document.querySelector(arguments[0]); one.value = arguments[1];"
            "for (const kind of ['input', 'change']) one.dispatchEvent(new Event(kind, { bubbles: true }))",
            selector,
            value,
        )
        self.taps += 1

    def wait_for(self, holds: Callable[[dict[str, Any]], object]) -> None:
        """Until the desk's newest view is so."""
        end = time.monotonic() + WITHIN
        while not holds(state := self.browser.run(STATE)):
            assert time.monotonic() < end, state
            time.sleep(0.02)
        self.browser.wait_for("return Number(document.body.dataset.sequence) >= arguments[0]", state["sequence"])


@dataclass(frozen=True)
class Task:
    """do: the touches; done: what the view shows then; most: taps it may take; before: commands that lead up to it."""

    do: Callable[[Hand], None]
    done: Callable[[dict[str, Any]], object]
    most: int
    before: tuple[dict[str, Any], ...] = ()


def roll(high: int, low: int, side: str | None = None) -> dict[str, Any]:
    """What says a roll."""
    return {"type": "roll", "dice": [high, low], "side": side}


def play(notation: str, **more: Any) -> dict[str, Any]:
    """What says a play."""
    return {"type": "play", "notation": notation, **more}


NEW: dict[str, Any] = {"type": "match", "light": "Jana", "dark": "Marián", "length": 7, "clock": False}
OPENED = (roll(3, 1, "light"), play("8/5 6/5"))
LONG = (*OPENED, roll(6, 5), play("24/13"), roll(4, 2), play("8/4 6/4"), roll(5, 5), play("13/3(2)"))
LATER = (*LONG, roll(6, 3), play("24/15"), roll(2, 1), play("13/11 6/5"), roll(6, 6), play("24/18 13/7(3)"))


def _new_match(hand: Hand) -> None:
    hand.tap("#new-match-section > summary")
    hand.write("#new-match [name=light]", "Eva")
    hand.write("#new-match [name=dark]", "Petr")
    hand.write("#new-match [name=length]", "5")
    hand.tap("#new-match button.main")
    hand.tap("#sure [value=yes]")


def _turn(hand: Hand) -> None:
    hand.tap('#dice [data-roll="65"]')
    hand.tap('#legal [data-play="24/13"]')


def _last_play(hand: Hand) -> None:
    hand.tap("#edit-last")
    hand.tap('.tap[data-tap="8"]')
    hand.tap('.tap.goal[data-tap="4"]')


def _earlier_play(hand: Hand) -> None:
    hand.tap('#record [data-line="3"]')
    hand.browser.wait_for("return document.querySelector('#legal button') !== null")
    hand.tap('#dice [data-roll="43"]')
    hand.tap('#legal [data-play="24/20 13/10"]')


def _double(hand: Hand) -> None:
    hand.tap("[data-command*='\"double\"']")
    hand.tap("[data-command*='\"take\"']")


def _names(hand: Hand) -> None:
    hand.tap("#match-section > summary")
    hand.write("#names [name=light]", "Eva")
    hand.tap("#names button")


def _score(hand: Hand) -> None:
    hand.tap("#match-section > summary")
    hand.write("#score [name=light]", "3")
    hand.tap("#score button")


def _undo(hand: Hand) -> None:
    hand.tap("[data-command*='\"undo\"']")


def _resign(hand: Hand) -> None:
    hand.tap("#match-section > summary")
    hand.tap("#resign button")
    hand.tap("#resignation [data-command*='accept']")


def _flag(hand: Hand) -> None:
    hand.tap("#flags .answers button")


def _answered(state: dict[str, Any]) -> bool:
    return any(flag["resolved"] == "stands" for flag in state["flags"])


TASKS = {
    "a new match over a running one": Task(
        _new_match, lambda view: (view["light"]["name"], view["match_length"]) == ("Eva", 5), 6, OPENED
    ),
    "a turn by hand": Task(_turn, lambda view: len(view["plays"]) == 2, 2, OPENED),
    "the last play corrected": Task(_last_play, lambda view: view["plays"][0]["notation"] == "8/4", 3, OPENED),
    "an earlier play corrected": Task(
        _earlier_play, lambda view: view["plays"][2]["notation"] == "24/20 13/10", 3, LATER
    ),
    "a double taken": Task(_double, lambda view: view["cube"]["owner"] == "light", 2, OPENED),
    "a name changed": Task(_names, lambda view: view["light"]["name"] == "Eva", 3, OPENED),
    "the score set": Task(_score, lambda view: view["light"]["score"] == 3, 3, OPENED),
    "the last act undone": Task(_undo, lambda view: not view["plays"], 1, OPENED),
    "a resignation accepted": Task(
        _resign, lambda view: view["light"]["score"] + view["dark"]["score"] == 1, 3, OPENED
    ),
    "a flag answered": Task(
        _flag,
        _answered,
        1,
        ({**NEW, "clock": True, "set": ["clock.minutes_per_point=0", "clock.delay_s=0"]}, *OPENED),
    ),
}
"""By what a person wants."""

GAMMON = Task(
    lambda hand: None,
    lambda view: True,
    0,
    (
        {
            "type": "position",
            "position": position_id(Position.of(light={1: 4}, dark={7: 1, 1: 14}), Side.LIGHT),
            "turn": "light",
        },
        *(roll(2, 1), play("1/off(2)"), roll(2, 1), play("7/4"), roll(3, 1), play("1/off(2)")),
        *(roll(3, 1, "light"), play("8/5 6/5")),
    ),
)
"""Light has won the first game as a gammon; the second has begun."""


def begin(browser: Browser, base: str, task: Task) -> Hand:
    """A match in which the task is to be done, its desk open at the top."""
    if browser.run("return location.href") != f"{base}/desk":
        browser.open(f"{base}/desk")
        browser.wait_for("return document.body.dataset.sequence")
    for command in (NEW, *task.before):
        answer = browser.run(SAY, json.dumps(command))
        assert answer["ok"], (command, answer)
    browser.open(f"{base}/desk")
    hand = Hand(browser)
    browser.wait_for("return !('waits' in document.body.dataset)")
    return hand


def timed(hand: Hand, task: Task) -> float:
    """Does it; seconds until the page shows that it was done."""
    began = time.monotonic()
    task.do(hand)
    hand.wait_for(task.done)
    return time.monotonic() - began
