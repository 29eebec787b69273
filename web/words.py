"""The page's words in each language: English in the source, the others from gettext .po files.

    words = load_words("cs")
    words.translate("Game {number}", number=3)                  # 'Hra 3'
    words.count("{n} point", "{n} points", 5)                   # '5 bodů'

The page's scripts get the same table as JSON and say it the same way (static/js/words.js). The .po files are read as
they are, so that a translator's change needs no build step.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources

import msgspec
import polib

from web.errors import WebError

LANGUAGES = {"en": "English", "cs": "Čeština", "sk": "Slovenčina"}
"""Each language by its own name, in the order of the page's switch."""


class Words(msgspec.Struct, frozen=True):
    """One language's table. table: the forms (one, or one for each plural form) by English text."""

    language: str
    table: dict[str, tuple[str, ...]] = {}

    def translate(self, text: str, **values: object) -> str:
        """The text in this language, with the values in their {places}. English where it has no translation."""
        return self.table.get(text, (text,))[0].format(**values)

    def count(self, one: str, many: str, n: int, **values: object) -> str:
        """The form that the language uses for n things, with n and the values in their {places}."""
        forms = self.table.get(one, (one, many))
        form = forms[min(plural_form(self.language, n), len(forms) - 1)]
        return form.format(n=n, **values)


FROM_THE_REFEREE = (
    "no legal move",
    "illegal play",
    "closed out",
    "begun at this position",
    "a gap: nobody saw what was played",
    "takes",
    "passes",
    "put right",
    "stands",
    "no view of the board",
)
"""Words of the view that the page translates: notations that are no play, and how a flag ended."""

WRONG_PIN = "That is not the PIN."
POOR_PIN = "A PIN has 6 to 16 digits, not all the same and not in a row."
"""Answers that a template gives too."""

_IMPORTED = re.compile(r'from "\./([\w.]+)"')


@cache
def words_for(language: str, script: str) -> Words:
    """The table without what only other pages say: what a page of that script (in static/js) needs."""
    words = load_words(language)
    own, others = _sources(script)
    called = re.compile(r"""\btn?\(\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')""")
    elsewhere = {double or single for double, single in called.findall(others)} - {
        *FROM_THE_REFEREE,
        POOR_PIN,
        WRONG_PIN,
    }
    return Words(
        language, {text: said for text, said in words.table.items() if text not in elsewhere or f'"{text}"' in own}
    )


@cache
def words_later(language: str, part: str) -> Words:
    """The table for a script that a page fetches later, with what it imports."""
    own, _ = _sources(part)
    words = load_words(language)
    return Words(language, {text: said for text, said in words.table.items() if f'"{text}"' in own})


def _sources(script: str) -> tuple[str, str]:
    """The text of a script with all that it imports, and that of the other scripts and the templates."""
    web = resources.files("web")
    scripts = {file.name: file.read_text(encoding="utf-8") for file in (web / "static" / "js").iterdir()}
    own = [script]
    for name in own:
        own += [one for one in dict.fromkeys(_IMPORTED.findall(scripts[name])) if one not in own]
    templates = (file.read_text(encoding="utf-8") for file in (web / "templates").iterdir())
    others = [text for name, text in scripts.items() if name not in own]
    return "\n".join(scripts[name] for name in own), "\n".join((*others, *templates))


def plural_form(language: str, n: int) -> int:
    """Which form a count takes: Czech and Slovak have three (glossary, plurals), English two."""
    if language == "en":
        return 0 if n == 1 else 1
    return 0 if n == 1 else 1 if 2 <= n <= 4 else 2


@cache
def load_words(language: str) -> Words:
    """The table of one of LANGUAGES.

    Raises:
        WebError: its file can't be read as a .po file.
    """
    if language == "en":
        return Words(language)
    file = resources.files("web") / "translations" / f"{language}.po"
    return Words(language, parse_po(file.read_text(encoding="utf-8")))


def parse_po(text: str) -> dict[str, tuple[str, ...]]:
    """The translations in a .po file's text, by msgid; empty ones and the header are left out. GNU gettext manual, PO Files.

    Raises:
        WebError: a line is neither a comment, nor a keyword with a quoted string, nor such a string alone.
    """
    try:
        entries = polib.pofile(text)
    except (OSError, ValueError) as error:
        raise WebError(f"A translation is no .po file: {error}. Restore the file.") from error
    return {entry.msgid: _forms(entry) for entry in entries.translated_entries()}


def _forms(entry: polib.POEntry) -> tuple[str, ...]:
    """One for each plural form, or the only one."""
    return tuple(entry.msgstr_plural[n] for n in sorted(entry.msgstr_plural)) or (entry.msgstr,)
