"""The documents speak of files that are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "vision" / "weights").glob("*.md")])
PATH = re.compile(r"`((?:controller|vision|web|firmware|tests|benchmarks|docs|install)/[\w/.-]+?)`")
LINK = re.compile(r"\]\(([\w/.-]+\.(?:md|svg|jpg|png))\)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_path_that_a_page_names_exists(page: Path) -> None:
    text = page.read_text("utf-8")
    named = [ROOT / path for path in PATH.findall(text)] + [page.parent / path for path in LINK.findall(text)]
    assert [str(path.relative_to(ROOT)) for path in named if not path.exists()] == []


def test_all_results_are_written_with_the_same_ends_of_lines() -> None:
    assert [path.name for path in (ROOT / "benchmarks").glob("*.csv") if b"\r" in path.read_bytes()] == []


THREAD = re.compile(r"""(?:Thread\([^\n]*name=|thread_name_prefix=|Lane\([\w.]+, )"([\w-]+)\"""")
DEVELOPMENT = {"emulated-controller"}  # the controller that ships to be tried without hardware


def test_the_table_of_threads_names_every_thread_of_the_program() -> None:
    table = (ROOT / "docs" / "architecture.md").read_text("utf-8").partition("## Threads")[2].partition("\n## ")[0]
    named = set(
        re.findall(r"[a-z-]+", " ".join(row.split("|")[1] for row in table.splitlines() if row.startswith("| ")))
    )
    sources = [path for room in ("controller", "vision", "web") for path in (ROOT / room).rglob("*.py")]
    begun = {name for path in sources for name in THREAD.findall(path.read_text("utf-8"))}
    assert {"capture", "page", "panel-link", "photos"} <= begun
    assert begun - DEVELOPMENT <= named
