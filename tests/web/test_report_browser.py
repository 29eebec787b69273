"""A transcribed match is put right in a real Chromium: one press, and the record on the disk is another."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import numpy as np
import pytest

from controller.record.formats import read_record
from controller.record.model import PlayAction
from controller.referee.events import Played
from controller.transcript.corrected import CorrectedReport
from controller.transcript.report import Pictured, Transcript, thumbnail, write_report
from tests.transcript.matches import misread
from tests.web.browser import Browser
from web.report_app import create_report_app
from web.server import serve

KEY = "the key"
CLICK = "document.querySelector(arguments[0]).click()"
NOTATIONS = "return [...document.querySelectorAll('.over > li .play')].map((one) => one.textContent.trim())"


@pytest.fixture
def match(tmp_path: Path) -> CorrectedReport:
    """A match that was misread, with grey pictures."""
    held = misread()
    picture = thumbnail(np.full((360, 640, 3), 90, np.uint8))
    pictures = [Pictured(one.seconds, one.side, picture) for one in held if isinstance(one, Played)]
    path = tmp_path / "report.json"
    write_report(path, Transcript("evening.mp4", "game.json", held), pictures)
    return CorrectedReport(path)


@pytest.fixture
def page(match: CorrectedReport, browser: Browser) -> Iterator[Browser]:
    """The report, loaded."""
    with serve(create_report_app(match, KEY), "127.0.0.1", 0) as server:
        browser.open(f"http://127.0.0.1:{server.port}/?key=the%20key")
        browser.wait_for("return document.body.dataset.lines === '7'")
        yield browser
        assert [one for one in browser.complaints() if "409" not in one] == []  # a refusal is heard of on the page


def third(match: CorrectedReport) -> tuple[str, bool]:
    """What the record on the disk says of White's second turn."""
    turn = read_record(match.output).games[0].actions[2]
    assert isinstance(turn, PlayAction)
    return turn.after, turn.legal


COUNTS = """
const ask = window.fetch.bind(window);
window.ordered = 0;
window.fetch = (address, options) => {
  window.ordered += String(address).includes('api/command');
  return ask(address, options);
};
"""


def test_one_press_says_what_was_played_and_the_record_is_written_anew(page: Browser, match: CorrectedReport) -> None:
    (other,) = match.report().lines[1].others
    assert not match.output.exists()
    assert page.run("return document.querySelector('#first li:nth-child(2) img').complete") is not None
    page.run(COUNTS)
    page.run(f"{CLICK}; {CLICK}", '[data-line="1/3"] [data-answer="other"]')
    page.wait_for("return document.querySelectorAll('#first li').length === 2")
    assert page.run("return window.ordered") == 1  # a second tap says nothing more
    assert "24/20 13/8" in " ".join(page.run(NOTATIONS))
    assert third(match) == (other.after, True)
    page.run(f"{CLICK}; {CLICK}", "#undo")
    page.wait_for("return document.querySelectorAll('#first li').length === 3")
    assert page.run("return document.querySelectorAll('.answer').length") == 0
    assert third(match) != (other.after, True)
    page.run(CLICK, '[data-line="1/3"] [data-answer="edit"]')
    page.wait_for("return document.querySelectorAll('#legal button').length > 3")
    page.run(f"{CLICK}; {CLICK}", "#legal button")
    page.wait_for("return document.querySelectorAll('#first li').length === 2")
    assert page.run("return window.ordered") == 3


def test_any_legal_play_is_tapped_on_the_board(page: Browser, match: CorrectedReport) -> None:
    page.run(CLICK, '[data-line="1/3"] [data-answer="edit"]')
    for place in ("13", "8", "6", "2"):
        page.wait_for(f"""return document.querySelector('.taps [data-tap="{place}"]')""")
        page.run(
            """document.querySelector(arguments[0]).dispatchEvent(new MouseEvent("click", { bubbles: true }))""",
            f'.taps [data-tap="{place}"]',
        )
    page.wait_for("return document.querySelector(arguments[0]).dataset.doubt === ''", '[data-line="1/3"]')
    assert "13/8 6/2" in " ".join(page.run(NOTATIONS))
    assert third(match)[1]


def test_a_missed_turn_is_taken_for_that_of_whoever_was_on_roll_there(page: Browser, match: CorrectedReport) -> None:
    """Of any other the referee says that it was not his turn."""
    lines = match.report().lines
    found = {}
    for line in (one for one in lines if one.dice and one.line > 1):
        before = next(one for one in lines if (one.game, one.line) == (line.game, line.line - 1))
        if before.dice:
            page.run(CLICK, f'[data-line="{line.game}/{line.line}"] [data-answer="edit"]')
            page.run(CLICK, "#edit-insert")
            found[line.game, line.line] = page.run("return document.querySelector('#insert [name=side]').value")
            page.run("document.getElementById('insert').close()")
            assert found[line.game, line.line] == ("dark" if before.side == "light" else "light")
    assert set(found.values()) == {"light", "dark"}


def test_what_can_t_be_is_refused_where_the_finger_is(page: Browser, match: CorrectedReport) -> None:
    page.run(CLICK, '[data-line="1/3"] [data-answer="edit"]')
    page.wait_for("return document.querySelectorAll('#legal button').length > 3")
    page.run("document.querySelector('#other').notation.value = '8/1'")
    page.run(CLICK, "#other button")
    page.wait_for("return document.querySelector('#other .refusal')")
    assert not match.output.exists()


def test_a_turn_that_was_missed_is_put_in(page: Browser, match: CorrectedReport) -> None:
    page.run(CLICK, '[data-line="2/3"] [data-answer="insert"]')
    page.wait_for("return document.querySelector('#insert').open")
    page.run(
        "const form = document.querySelector('#insert form'); form.dice.value = '4-3'; form.notation.value = '24/20 13/10'"
    )
    page.run(CLICK, "#insert [value=insert]")
    page.wait_for("return document.body.dataset.lines === '8'")
    assert len([one for one in read_record(match.output).games[1].actions if isinstance(one, PlayAction)]) == 3


@pytest.mark.parametrize("path", ["", "report", "api/report", "?key=another", "static/js/report.js"])
def test_without_the_key_nothing_of_the_match_is_shown(match: CorrectedReport, path: str) -> None:
    with serve(create_report_app(match, KEY), "127.0.0.1", 0) as server:
        try:
            with urlopen(f"http://127.0.0.1:{server.port}/{path}", timeout=10) as answer:
                body = answer.read().decode()
        except OSError as refused:
            body = refused.read().decode()  # type: ignore[attr-defined]  # an HTTPError
    assert "evening" not in body
    assert "24/20" not in body


def test_opening_a_report_signs_nobody_out_of_the_desk_or_of_another_report(match: CorrectedReport) -> None:
    """A browser keeps one set of cookies for all programs of a machine, whatever their ports."""
    names = set()
    for key in (KEY, "another"):
        answer = create_report_app(match, key).test_client().get("/", query_string={"key": key})
        assert answer.status_code == 303
        names.add(answer.headers["Set-Cookie"].partition("=")[0])
    assert len(names | {"desk"}) == 3


def test_whoever_comes_without_the_key_is_told_where_it_stands_and_sent_to_no_board(match: CorrectedReport) -> None:
    answer = create_report_app(match, KEY).test_client().get("/")
    assert (answer.status_code, "Open the address that vrhcab report has printed" in answer.text) == (403, True)
    assert "<a " not in answer.text  # there is none
