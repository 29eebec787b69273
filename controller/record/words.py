"""The words of a transcript in the languages it is written in, for reading all of them and printing one."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from controller.record.draft import Hop
from controller.record.model import Level
from controller.referee.events import Mark

# Source: the game record in the Czech rules text ("Zdvojnásobení na 2", "Přijato", "4/ven") and the glossary.
_ALTERNATIVES = {
    "wins": r"Wins|Vyhrává|Vyhráva|Výhra",
    "losses": r"Losses|Loses|Prohrává|Prehráva",
    "double": r"(?:Re)?Doubles?|Zdvojnásobení|Zdvojení|Zdvojnásobenie|Zdvojenie|Zdvojuji|Zdvojujem",
    "beaver": r"Beavers?|Bobr|Bobor",
    "raccoon": r"Racc?oons?|Mýval",
    "take": r"Takes?|Accepts|Přijato|Přijímám|Prijaté|Prijímam",
    "pass": r"Drops?|Pass(?:es)?|Rejects|Odmítnuto|Odmítám|Odmietnuté|Odmietam",
    "resign": r"Resigns?|Concedes|Vzdáno|Vzdává|Vzdané|Vzdáva",
}
_AMOUNT = r"(?:(?:\s*=>\s*|\s+to\s+|\s+na\s+|\s+)(\d{1,9})\b(?:\s*(?:points?|body|bodů|bodov|bod)\b)?)?"


@dataclass(frozen=True)
class RecordWords:
    """How a transcript is printed in one language. {0}: a number. points: for 1, for 2 to 4, for more. resign, refused: empty
    where the result alone says it. levels: of a resignation. marks: what was thought of a play is said, too. draws, cube: before a
    game's first row, the draws for its start and what the centred cube shows then; empty where a transcript has no place for it."""

    match: str
    game: str = "Game {0}"
    double: str = "Doubles => {0}"
    beaver: str = "Beavers => {0}"
    raccoon: str = "Raccoons => {0}"
    take: str = "Takes"
    pass_: str = "Drops"
    wins: str = "Wins {0} {1}"
    points: tuple[str, str, str] = ("point", "points", "points")
    and_match: str = " and the match"
    resign: str = ""
    refused: str = ""
    levels: tuple[str, str, str] = ("a single game", "a gammon", "a backgammon")
    marks: bool = True
    dance: str = "Cannot Move"
    off: str = "off"
    draws: str = ""
    cube: str = ""

    def plural(self, number: int) -> str:
        """The word for points after a number."""
        return self.points[0 if number == 1 else 1 if 2 <= number <= 4 else 2]


MAT_WORDS = RecordWords(" {0} point match", marks=False)
"""The words that every program knows."""

PRINTED = {
    "en": replace(
        MAT_WORDS,
        resign="Resigns",
        refused="Rejects",
        marks=True,
        dance="",
        draws="Draw: {0}",
        cube="Cube at the start: {0}",
    ),
    "cs": RecordWords(
        match="Zápas na {0} {1}",
        game="Hra {0}",
        double="Zdvojnásobení na {0}",
        beaver="Bobr na {0}",
        raccoon="Mýval na {0}",
        take="Přijato",
        pass_="Odmítnuto",
        wins="Vyhrává {0} {1}",
        points=("bod", "body", "bodů"),
        and_match=" a zápas",
        resign="Vzdáno",
        refused="Odmítnuto",
        levels=("hra", "gammon", "backgammon"),
        dance="",
        off="ven",
        draws="Losování: {0}",
        cube="Zdvojovací kostka na začátku: {0}",
    ),
    "sk": RecordWords(
        match="Zápas na {0} {1}",
        game="Hra {0}",
        double="Zdvojnásobenie na {0}",
        beaver="Bobor na {0}",
        raccoon="Mýval na {0}",
        take="Prijaté",
        pass_="Odmietnuté",
        wins="Vyhráva {0} {1}",
        points=("bod", "body", "bodov"),
        and_match=" a zápas",
        resign="Vzdané",
        refused="Odmietnuté",
        levels=("hra", "gammon", "backgammon"),
        dance="",
        off="von",
        draws="Losovanie: {0}",
        cube="Zdvojovacia kocka na začiatku: {0}",
    ),
}
"""The printable record by language; by the Czech rules text a roll that can't be played stands alone, and everything but
plays is said in words. Source: that text's own example, and the glossary."""

CELL = re.compile(
    r"(?P<dice>[0-9][0-9])\s*:|\b(?=[^\W\d_])(?:"
    + "|".join(rf"(?P<{kind}>(?:{words})\b)" for kind, words in _ALTERNATIVES.items())
    + ")",
    re.IGNORECASE,
)
"""Where a cell of a row begins: a roll, or a word for a cube action or a result."""

AMOUNT = re.compile(_AMOUNT, re.IGNORECASE)
"""What follows such a word: " => 2", " na 2", " 2 points"."""

LEVEL = re.compile(r"\s*\(?(?:an?\s+)?(backgammon|gammon|single(?:\s+game)?|hr[ua])\b\)?", re.IGNORECASE)
"""What may follow a resignation: " gammon", " a single game", " hra", " (gammon)"."""

MARK = re.compile(r"(?<![?!])([?!]{1,2})\s*$")
"""What somebody thought of it, at the end of a cell."""


def counted(number: int, word: str, words: str = "") -> str:
    """ "1 point", "2 points"; words: the plural, where it has not only an s more."""
    return f"{number} {word if number == 1 else words or word + 's'}"


def level_in(text: str) -> Level | None:
    """The level of a resignation that a cell's words begin with; None where they name none."""
    found = LEVEL.match(text)
    word = found[1].lower() if found else ""
    return {"backgammon": 3, "gammon": 2}.get(word, 1) if word else None  # type: ignore[return-value]


def mark_in(text: str) -> Mark:
    """The mark at the end of a cell."""
    found = MARK.search(text)
    return found[1] if found else ""  # type: ignore[return-value]  # the expression knows no other


DRAWS = re.compile(
    r"^\s*(?:Draws?|Losování|Losovanie)\s*:\s*([1-6]-[1-6](?:\s*,\s*[1-6]-[1-6]){0,99})\s*$", re.IGNORECASE
)
"""The line of a game's draws, each as the left player's die and the right one's."""

CUBE = re.compile(
    r"^\s*(?:Cube at the start|(?:Zdvojovací )?kostka na začátku|(?:Zdvojovacia )?kocka na začiatku)\s*:\s*(\d{1,9})\s*$",
    re.IGNORECASE,
)
"""The line of a cube that the draw has doubled. Before it was told apart from a die it was called only "Kostka"."""

AND_MATCH = re.compile(r"\b(?:and\s+the\s+match|a\s+zápas)\b", re.IGNORECASE)
"""What follows the result that ends the match."""

DANCE = re.compile(
    r"^\(?(?:Cannot\s+Move|No\s+play|No\s+move|Dance[sd]?|Hod\s+propadá|Hod\s+prepadá|-+)\)?[.]?$", re.IGNORECASE
)
UNKNOWN_PLAY = re.compile(r"^\?{3,}")
"""What stands for a play that is not known; two of them are what somebody thought of a dance."""

_OFF = r"(?:off|out|ven|von)"
_HOP = re.compile(
    rf"^(?P<source>bar|\d{{1,2}})(?P<targets>(?:/(?:{_OFF}|bar|\d{{1,2}})\*?)+)(?:\((?P<count>\d)\))?\*?$",
    re.IGNORECASE,
)
_TARGET = re.compile(rf"/({_OFF}|\d{{1,2}})(\*?)", re.IGNORECASE)


def parse_hops(text: str) -> tuple[Hop, ...] | None:
    """The hops of a play such as "bar/21*/20 6/5(2)"; None where a word of it is no move. "" is no hops."""
    hops: list[Hop] = []
    for word in text.split():
        bare = word.rstrip("?!,")
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
