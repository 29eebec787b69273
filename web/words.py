"""The page's words in each language: English in the source, the others from gettext .po files.

    words = load_words("cs")
    words.translate("Game {number}", number=3)                  # 'Hra 3'
    words.count("{n} point", "{n} points", 5)                   # '5 bodů'

The page's scripts get the same table as JSON and say it the same way (static/js/words.js). The .po files are read as
they are, so that a translator's change needs no build step.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib import resources

import msgspec
import polib

from web.errors import WebError
from web.view import Message

LANGUAGES = {"en": "English", "cs": "Čeština", "sk": "Slovenčina"}
"""Each language by its own name, in the order of the page's switch."""


class Words(msgspec.Struct, frozen=True):
    """One language's table. table: the forms (one, or one for each plural form) by English text."""

    language: str
    table: dict[str, tuple[str, ...]] = {}

    def translate(self, text: str, **values: object) -> str:
        """The text in this language, with the values in their {places}. English where it has no translation."""
        return self.table.get(text, (text,))[0].format(**values)

    def number(self, value: float, digits: int) -> str:
        """A number with so many decimals, behind a comma where the language has one."""
        return _pointed(self.language, f"{value:.{digits}f}")

    def count(self, one: str, many: str, n: int, **values: object) -> str:
        """The form that the language uses for n things, with n and the values in their {places}."""
        forms = self.table.get(one, (one, many))
        form = forms[min(plural_form(self.language, n), len(forms) - 1)]
        return form.format(n=n, **values)


def message(sentence: str) -> Message:
    """A sentence of the program in every language, by what it knows of itself: its code, and the values in it, which may be
    sentences too. A plain sentence has itself for a code.

        message(Sentence("This game has {count} lines.", count=3)).words["cs"]
    """
    code, values = _parts(sentence)
    english = load_words("en")
    plain = {
        name: one if isinstance(one, int | float) else _value_in_words(english, one) for name, one in values.items()
    }
    return Message(code, plain, {language: _in_words(load_words(language), sentence) for language in LANGUAGES})


def worded(code: str, **values: str | int) -> Message:
    """A sentence of the page's own, by its code and the values in it, in every language."""
    return Message(code, dict(values), {one: load_words(one).translate(code, **values) for one in LANGUAGES})


def _parts(sentence: str) -> tuple[str, Mapping[str, object]]:
    return getattr(sentence, "code", str(sentence)), getattr(sentence, "values", {})


def _in_words(words: Words, sentence: str) -> str:
    code, values = _parts(sentence)
    text = words.table.get(code, (code,))[0]
    return text.format_map({name: _value_in_words(words, one) for name, one in values.items()}) if values else text


def _value_in_words(words: Words, value: object) -> str:
    """A value of a sentence: a sentence too, by language, several, or as it is: a player may be called like a word of the page."""
    if isinstance(value, str) and (hasattr(value, "code") or value.endswith(".")):
        return _in_words(words, value)  # One that came as text from another program has lost its code, but ends as one.
    if isinstance(value, Mapping):
        return str(value[words.language])
    if isinstance(value, tuple):
        return ", ".join(_value_in_words(words, one) for one in value)
    return _pointed(words.language, str(value)) if isinstance(value, float) else str(value)


def _pointed(language: str, number: str) -> str:
    """A number as that language writes it."""
    return number if language == "en" else number.replace(".", ",")


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
    "condoned",
    "corrected",
    "no view of the board",
)
"""Words of the view that the page translates: notations that are no play, and how a flag ended."""

WRONG_PIN = "That is not the PIN."
POOR_PIN = "A PIN has 6 to 16 digits, not all the same and not in a row."
"""Answers that a template gives too."""

_IMPORTED = re.compile(r'from "\./([\w.]+)"')


@cache
def words_for(language: str, script: str) -> Words:
    """What of the table stands in a page's script (in static/js) and in those that it imports."""
    own = _source(script)
    return Words(
        language,
        {
            text: translated
            for text, translated in load_words(language).table.items()
            if text in FROM_THE_REFEREE or json.dumps(text, ensure_ascii=False) in own or f"'{text}'" in own
        },
    )


@cache
def words_later(language: str, part: str) -> Words:
    """The table for a script that a page fetches later, with what it imports."""
    return words_for(language, part)


@cache
def scripts_of(script: str) -> tuple[str, ...]:
    """The names of a script and of all that it imports, in turn."""
    own = [script]
    for name in own:
        own += [one for one in dict.fromkeys(_IMPORTED.findall(_text(name))) if one not in own]
    return tuple(own)


def _source(script: str) -> str:
    """The text of a script with all that it imports."""
    return "\n".join(map(_text, scripts_of(script)))


def _text(script: str) -> str:
    return (resources.files("web") / "static" / "js" / script).read_text(encoding="utf-8")


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
