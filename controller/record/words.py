"""The words of a transcript in the languages it is written in, for reading all of them and printing one."""

from __future__ import annotations

import re

from controller.record.draft import Hop

# Source: the game record in the Czech rules text ("Zdvojnásobení na 2", "Přijato", "4/ven") and the glossary.
_ALTERNATIVES = {
    "wins": r"Wins|Vyhrává|Vyhráva|Výhra",
    "losses": r"Losses|Loses|Prohrává|Prehráva",
    "double": r"(?:Re)?Doubles?|Zdvojnásobení|Zdvojení|Zdvojnásobenie|Zdvojenie",
    "beaver": r"Beavers?|Bobr|Bobor",
    "raccoon": r"Racc?oons?|Mýval",
    "take": r"Takes?|Accepts|Přijato|Prijaté",
    "pass": r"Drops?|Pass(?:es)?|Rejects|Odmítnuto|Odmietnuté",
    "resign": r"Resigns?|Concedes|Vzdáno|Vzdává|Vzdané|Vzdáva",
}
_AMOUNT = r"(?:(?:\s*=>\s*|\s+to\s+|\s+na\s+|\s+)(\d{1,9})\b(?:\s*(?:points?|body|bodů|bodov|bod)\b)?)?"

CELL = re.compile(
    r"(?P<dice>[0-9][0-9])\s*:|" + "|".join(rf"(?P<{kind}>\b(?:{words})\b)" for kind, words in _ALTERNATIVES.items()),
    re.IGNORECASE,
)
"""Where a cell of a row begins: a roll, or a word for a cube action or a result."""

AMOUNT = re.compile(_AMOUNT, re.IGNORECASE)
"""What follows such a word: " => 2", " na 2", " 2 points"."""

DANCE = re.compile(r"^\(?(?:Cannot Move|No play|No move|Dance[sd]?|Hod propadá|Hod prepadá|-+)\)?[.]?$", re.IGNORECASE)
UNKNOWN_PLAY = re.compile(r"^\?{2,}")

_OFF = r"(?:off|out|ven|von)"
_HOP = re.compile(
    rf"^(?P<source>bar|\d{{1,2}})(?P<targets>(?:/(?:{_OFF}|bar|\d{{1,2}})\*?)+)(?:\((?P<count>\d)\))?\*?$",
    re.IGNORECASE,
)
_TARGET = re.compile(rf"/({_OFF}|\d{{1,2}})(\*?)", re.IGNORECASE)
_ANNOTATION = re.compile(r"[?!]+$")


def parse_hops(text: str) -> tuple[Hop, ...] | None:
    """The hops of a play such as "bar/21*/20 6/5(2)"; None where a word of it is no move. "" is no hops."""
    hops: list[Hop] = []
    for word in text.split():
        bare = _ANNOTATION.sub("", word)
        if not bare:
            continue
        match = _HOP.match(bare)
        if not match or "bar" in match["targets"].lower():
            return None
        points = [_point(match["source"]), *(_point(target) for target, _ in _TARGET.findall(match["targets"]))]
        marks = [bool(mark) for _, mark in _TARGET.findall(match["targets"])]
        if bare.endswith("*"):
            marks[-1] = True
        if max(points) > 25 or points[0] == 0 or points[-1] == 25:
            return None
        chain = [Hop(s, t, hit) for s, t, hit in zip(points, points[1:], marks, strict=False)]
        hops.extend(chain * int(match["count"] or 1))
    return tuple(hops)


def _point(word: str) -> int:
    if word.isdigit():
        return int(word)
    return 25 if word.lower() == "bar" else 0
