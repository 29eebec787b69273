"""Every English sentence that the program may send to the page, out of its sources: the codes of its messages."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCES = (
    "controller/referee/*_commands.py",
    "controller/referee/coaching.py",
    "controller/referee/command_context.py",
    "controller/referee/events.py",
    "controller/referee/obey.py",
    "controller/referee/spoken.py",
    "controller/referee/folding.py",
    "controller/hub/*.py",
    "controller/hub/tournament/*.py",
    "controller/page/*.py",
    "controller/panel/[aeglsv]*.py",
    "controller/app/*.py",
    "controller/record/analysis.py",
    "controller/record/board.py",
    "controller/record/joining.py",
    "controller/rules/chouette.py",
    "controller/rules/ids.py",
    "controller/rules/match.py",
    "controller/rules/notation.py",
    "controller/rules/opening.py",
    "controller/rules/ruleset*.py",
    "controller/rules/stake.py",
    "controller/rules/xgid.py",
    "controller/record/gnubg.py",
    "controller/record/journal*.py",
    "controller/record/mat_writer.py",
    "controller/record/sgf_writer.py",
    "controller/record/table.py",
    "controller/run/broker_client.py",
    "controller/run/hub_line.py",
    "controller/run/joining.py",
    "controller/run/outbox.py",
    "controller/run/unreachable.py",
    "controller/stills/p*.py",
    "controller/transcript/corrected.py",
    "vision/board/geometry.py",
    "vision/board/weaknesses.py",
    "vision/finding/__init__.py",
    "vision/pictures/files.py",
    "vision/sources/cameras.py",
    "vision/sources/lens.py",
    "vision/sources/retry.py",
    "vision/watching/watcher.py",
    "web/desk.py",
    "web/records_pages.py",
    "web/report*.py",
    "web/wizard_pages.py",
    "web/words.py",
)
SAYING = {
    "AmbiguousPlayError",
    "BoardPlaceError",
    "BrokerError",
    "CommandError",
    "CornersError",
    "CornersUnfit",
    "DrawError",
    "EventError",
    "EyesBusy",
    "GeometryError",
    "GnubgError",
    "JoiningError",
    "JournalError",
    "ListError",
    "NoBoard",
    "NotFound",
    "NotNowError",
    "NotationError",
    "PanelError",
    "PhotoError",
    "PictureError",
    "RecordError",
    "RuleSetError",
    "RulesError",
    "ScoreChangesError",
    "Sentence",
    "SourceError",
    "StillError",
    "StrangeCertificateError",
    "TournamentError",
    "worded",
}
"""What is made of such a sentence."""
CONSTANTS = {
    "_REFUSALS",
    "_WHO_BEGINS",
    "AWAY",
    "NOT_ADMIN",
    "NOT_YET",
    "_WHY_NOT",
    "_OVER",
    "_MUST_BE",
    "BUSY",
    "TOO_SLOW",
    "MATCH_IS_ON",
    "MOVED",
    "NO_BOARD",
    "NEEDS_KEY",
    "_ADVICE",
    "_TEXTS",
    "NO_PICTURE",
    "PIN_NOT_KEPT",
    "POOR_PIN",
    "SEEKING",
    "TOO_DARK",
    "WRONG_PIN",
    "UNKNOWN",
    "AT_IT",
    "INSTALL_HINT",
    "NO_COACH",
}
"""Sentences under a name."""


ELSEWHERE = {
    "load_corners_file", "fixed_corners", "_corners_of", "load_picture", "__post_init__", "position_id", "match_id", "_letters",
    "_exponent",
}  # fmt: skip
"""Functions whose sentences only the command line says."""


MADE_UP = "A sentence with values put in: "
"""Before one that no catalogue can have."""


@cache
def messages() -> frozenset[str]:
    """All of them."""
    found = {
        text for pattern in SOURCES for file in ROOT.glob(pattern) for text in _of(ast.parse(file.read_text("utf-8")))
    }
    return frozenset(text for text in found if re.search(r"[^\W\d_]{2} ?.* .*[^\W\d_]", re.sub(r"\{\w+\}", "", text)))


def _of(tree: ast.AST) -> Iterator[str]:
    for node in _walk(tree):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if name in SAYING and node.args:
                yield from _texts(node.args[0])
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            name = getattr(target, "id", "")
            if name in CONSTANTS or name == "text":
                yield from (text for text in _texts(node.value) if text[:1].isupper() or text[:1] == "{")


def _walk(tree: ast.AST) -> Iterator[ast.AST]:
    """As ast.walk, but past the functions of ELSEWHERE."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if not (isinstance(node, ast.FunctionDef) and node.name in ELSEWHERE):
            yield node
            waiting.extend(ast.iter_child_nodes(node))


def _texts(node: ast.AST) -> Iterator[str]:
    """The sentence of a string, of either branch of a choice, of a table's values."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield MADE_UP + ast.unparse(node)
    elif isinstance(node, ast.IfExp):
        yield from (*_texts(node.body), *_texts(node.orelse))
    elif isinstance(node, ast.Dict):
        for value in node.values:
            yield from _texts(value)
