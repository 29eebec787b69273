"""Every English sentence that the program may send to the page, out of its sources: values stand in them as {1}, {2}, ..."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCES = (
    "controller/referee/*_commands.py",
    "controller/referee/coaching.py",
    "controller/referee/command_context.py",
    "controller/referee/obey.py",
    "controller/referee/spoken.py",
    "controller/hub/shown.py",
    "controller/page/*.py",
    "controller/record/analysis.py",
    "controller/record/gnubg.py",
    "controller/stills/p*.py",
    "controller/transcript/corrected.py",
    "vision/sources/cameras.py",
    "vision/board/weaknesses.py",
    "vision/finding/__init__.py",
    "web/desk.py",
    "web/report*.py",
    "web/words.py",
)
SAYING = {
    "CommandError",
    "NoBoard",
    "Refusal",
    "Answer",
    "StillError",
    "PhotoError",
    "GnubgError",
    "SourceError",
    "NotFound",
    "Weakness",
}
"""What is made of such a sentence."""
CONSTANTS = {
    "_WHY_NOT",
    "_OVER",
    "BUSY",
    "POOR_PIN",
    "WRONG_PIN",
    "NO_BOARD",
    "NO_CHOICE",
    "NO_PICTURE",
    "NEEDS_KEY",
    "TOO_SMALL",
    "UNKNOWN",
    "AT_IT",
    "INSTALL_HINT",
    "NO_COACH",
}
"""Sentences under a name."""


def messages() -> set[str]:
    """All of them."""
    found = {
        text for pattern in SOURCES for file in ROOT.glob(pattern) for text in _of(ast.parse(file.read_text("utf-8")))
    }
    return {
        text
        for text in found
        if " " in text and (text[0].isupper() or text[0] == "{") and any(letter.isalpha() for letter in text)
    }


def _of(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if name in SAYING:
                for value in (*node.args, *(one.value for one in node.keywords)):
                    yield from _texts(value)
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            name = getattr(target, "id", "")
            if name in CONSTANTS or name == "sentence":
                yield from _texts(node.value)
        elif isinstance(node, ast.Return) and node.value is not None:
            yield from (text for text in _texts(node.value) if text.endswith("."))


def _texts(node: ast.AST) -> Iterator[str]:
    """The sentence of a string, of either branch of a choice, of a table's values."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield "".join(_part(part, node) for part in node.values)
    elif isinstance(node, ast.IfExp):
        yield from (*_texts(node.body), *_texts(node.orelse))
    elif isinstance(node, ast.Dict):
        for value in node.values:
            yield from _texts(value)


def _part(part: ast.expr, whole: ast.JoinedStr) -> str:
    if isinstance(part, ast.Constant):
        return str(part.value)
    values = [one for one in whole.values if isinstance(one, ast.FormattedValue)]
    return f"{{{values.index(part) + 1}}}"  # type: ignore[arg-type]  # the rest of an f-string are values
