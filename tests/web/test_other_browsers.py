"""Safari, an iPhone's only browser, and Firefox show the pages too: what they lack is not used, or stands beside what they have."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

WEB = Path(__file__).parents[2] / "web"
SCRIPTS = sorted((WEB / "static").rglob("*.js"))
STYLES = sorted((WEB / "static").glob("*.css"))
FIELD = re.compile(r'<input name="(?:notation|id|set|xgid|boards)"[^>]*>')

NEWER = {
    "looking behind in a pattern": r"\(\?<[=!]",
    "an array's copy, changed": r"\.(toSorted|toReversed|toSpliced|with)\(",
    "grouping": r"\b(Object|Map)\.groupBy\(",
    "a promise with its ends": r"\bPromise\.(withResolvers|try)\(",
    "an array of what comes": r"\bArray\.fromAsync\(",
    "steps of an iterator": r"\.(keys|values|entries)\(\)\.(map|filter|take|drop|flatMap|reduce|toArray|forEach|some|every|find)\(",
    "sets reckoned with": r"\.(union|intersection|difference|symmetricDifference|isSubsetOf|isSupersetOf|isDisjointFrom)\(",
    "limits that are put together": r"\bAbortSignal\.(any|timeout)\(",
    "what is imported with its kind": r"^import .* (with|assert) \{",
    "blocks of a class": r"\bstatic \{",
    "pages that change by themselves": r"\bstartViewTransition\b",
    "popovers": r"\b(showPopover|popover)\b",
}
"""What Safari 15.4 or Firefox 104 lacks: docs/page.md names them as the oldest that show the board."""


@pytest.mark.parametrize("what", NEWER)
def test_no_script_needs_a_newer_browser_than_the_documents_say(what: str) -> None:
    needed = re.compile(NEWER[what], re.MULTILINE)
    assert [path.name for path in SCRIPTS if needed.search(path.read_text("utf-8"))] == []


def test_safari_hears_of_what_is_not_to_be_selected() -> None:
    for path in STYLES:
        style = path.read_text("utf-8")
        every = re.findall(r"(?<!-)\buser-select: (\w+);", style)
        assert re.findall(r"-webkit-user-select: (\w+);", style) == every, path.name


def test_no_keyboard_of_a_phone_writes_a_code_in_its_own_way() -> None:
    """A capital at its beginning, or a dash for two, makes another of a Position ID or a rule."""
    fields = [field for path in (WEB / "templates").glob("*.html") for field in FIELD.findall(path.read_text("utf-8"))]
    assert len(fields) == 8
    for field in fields:
        assert 'autocapitalize="none"' in field
        assert 'spellcheck="false"' in field


def test_a_phone_offers_its_camera_beside_its_photographs() -> None:
    """Chrome on Android 14 leaves the camera out where all that is accepted are pictures; with capture there is nothing else."""
    (field,) = re.findall(r'<input id="photo"[^>]*>', (WEB / "templates" / "desk.html").read_text("utf-8"))
    (accepted,) = re.findall(r'accept="([^"]*)"', field)
    assert "capture" not in field
    assert {kind.partition("/")[0] for kind in accepted.split(",")} == {"image", "android"}
