"""Every choice of board and checkers can be told apart: the contrasts of board.css, after WCAG 2.1 (1.4.3, 1.4.11)."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest

from web.overlays import BOARDS, CHECKERS

CSS = (Path(__file__).parents[2] / "web/static/board.css").read_text("utf-8")
TEXT, GRAPHIC = 4.5, 3.0
"""Least contrast of text, and of a part of a drawing that must be seen."""


def colours(kind: str, name: str) -> dict[str, str]:
    """The variables of one choice; the first board and checkers have no name."""
    blocks = re.findall(r"^:root(\[data-\w+=\"\w+\"\])? \{\n(.*?)^\}", CSS, re.MULTILINE | re.DOTALL)
    chosen = f'[data-{kind}="{name}"]' if name else ""
    found = dict(
        pair for which, text in blocks if which == chosen for pair in re.findall(r"--([\w-]+): (#\w{6});", text)
    )
    assert found, (kind, name)
    return found


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ['[data-theme="dark"]', ""])
def test_what_the_keyboard_is_at_can_be_seen(scheme: str) -> None:
    page = (Path(__file__).parents[2] / "web/static/page.css").read_text("utf-8")
    block = re.search(rf"^:root{re.escape(scheme)} \{{\n(.*?)^\}}", page, re.MULTILINE | re.DOTALL)
    ring = re.search(r"^:focus-visible \{ outline: 3px solid var\(--([\w-]+)\);", page, re.MULTILINE)
    assert block
    assert ring
    known = dict(re.findall(r"--([\w-]+): (#\w{6});", block[1]))
    assert min(contrast(known[ring[1]], known[ground]) for ground in ("paper", "card", "notice")) >= GRAPHIC


@pytest.mark.parametrize("name", ["", *BOARDS])
def test_point_numbers_can_be_read(name: str) -> None:
    board = colours("board", name)
    assert min(contrast(board["label"], board[f"wood-{n}"]) for n in (1, 2, 3)) >= TEXT


@pytest.mark.parametrize("name", ["", *CHECKERS])
def test_the_sides_differ_in_brightness_and_carry_marks(name: str) -> None:
    checkers = colours("checkers", name)
    assert contrast(checkers["light-2"], checkers["dark-2"]) >= TEXT
    assert contrast(checkers["dark-mark"], checkers["dark-2"]) >= GRAPHIC


@pytest.mark.parametrize(("board_name", "checkers_name"), [*product(["", *BOARDS], ["", *CHECKERS])])
def test_a_checker_stands_out_wherever_it_can_lie(board_name: str, checkers_name: str) -> None:
    board, checkers = colours("board", board_name), colours("checkers", checkers_name)
    for place in ("point-a", "point-b", "felt", "rail", "pit"):
        for shade in (value for key, value in board.items() if key.startswith(place)):
            for side, parts in (("light", ("2", "edge")), ("dark", ("2", "edge", "mark"))):
                seen = max(contrast(checkers[f"{side}-{part}"], shade) for part in parts)
                assert seen >= GRAPHIC, (place, shade, side)
