"""What the referee says about things the rules alone can't see: dice, timing and the camera. Glossary, R01-R04, R19-R24."""

from __future__ import annotations

LANGUAGES = ("en", "cs", "sk")

_PHRASES: dict[str, tuple[str, str, str]] = {
    "R01": (
        "Die not flat. Roll both dice again.",
        "Kostka neleží rovně. Hoďte znovu oběma kostkami.",
        "Kocka neleží rovno. Hoďte znova oboma kockami.",
    ),
    "R02": (
        "Die outside the right half. Roll both again.",
        "Kostka je mimo pravou polovinu. Hoďte znovu oběma.",
        "Kocka je mimo pravej polovice. Hoďte znova oboma.",
    ),
    "R04": (
        "Rolled early. {side} has not ended the turn.",
        "Předčasný hod. {side} ještě neukončil tah.",
        "Predčasný hod. {side} ešte neukončil ťah.",
    ),
    "R19": (
        "Illegal play noted; it stands (next roll made).",
        "Nelegální tah zaznamenán; zůstává v platnosti (už bylo hozeno).",
        "Nelegálny ťah zaznamenaný; zostáva v platnosti (už sa hádzalo).",
    ),
}


def phrase(code: str, name: str = "", language: str = "en") -> str:
    """The sentence for a code; `name` is what the player it speaks of is called. KeyError for a code that has none."""
    return _PHRASES[code][LANGUAGES.index(language)].format(side=name)
