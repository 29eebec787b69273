"""Asks axe-core what it has against the page that a browser shows (WCAG 2.1 A and AA)."""

from __future__ import annotations

import os
from pathlib import Path

from tests.web.browser import Browser

MODULES = Path(os.environ.get("VRHCAB_NODE_MODULES", Path(__file__).parents[2] / "build/node/node_modules"))
AXE = MODULES / "axe-core" / "axe.min.js"
"""Not there where npm has not fetched it: tests/system-packages.sh does."""

START = """
window.found = null;
axe.run(document, {
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"], resultTypes: ["violations"], elementRef: false, selectors: false,
}).then(({violations, passes}) => {
  window.found = {rules: passes.length, bad: violations.map(({id, nodes}) => `${id}: ${nodes.map((one) => one.html).join(" ")}`)};
});
"""
OPENED = "document.querySelectorAll('details').forEach((one) => { one.open = true; })"


def objections(browser: Browser) -> list[str]:
    """What it objects to, each as its rule and the elements; everything that can be opened is."""
    browser.run(OPENED)
    if not browser.run("return 'axe' in window"):
        browser.run(AXE.read_text("utf-8"))
    browser.run(START)
    found = browser.wait_for("return window.found", seconds=60)
    assert found["rules"] > 1
    return list(found["bad"])
