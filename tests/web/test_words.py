"""The page's languages: nothing untranslated, places and plurals kept, and the .po files read as gettext means them."""

from __future__ import annotations

import re
from pathlib import Path

import polib
import pytest
from flask.testing import FlaskClient

from tests.web.messages import messages
from tests.web.views import start_view
from vision.board.weaknesses import Weakness
from vision.sentence import Sentence
from web.app import ERRORS, create_app
from web.errors import WebError
from web.hub import ViewHub
from web.overlays import PARTS
from web.words import FROM_THE_REFEREE, LANGUAGES, Words, load_words, message, parse_po, plural_form, words_for

WEB = Path(__file__).parents[2] / "web"
STRING = r"""("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')"""
CALLED = re.compile(rf"\bt\(\s*{STRING}")
COUNTED = re.compile(rf"\btn\(\s*{STRING},\s*{STRING}")
LOOKED_UP = re.compile(
    r"^const (?:ANSWERS|BUTTONS|CONNECTION|COSTS|CUBE|FORMS|NUMBERS|TITLES|WEAK) = ([\[{].*?[\]}]);",
    re.MULTILINE | re.DOTALL,
)
CALLS = CALLED, COUNTED
COMMENT = re.compile(r"^\s*//[^\n]*|/\*.*?\*/", re.MULTILINE | re.DOTALL)


def said_in_the_source() -> set[str]:
    """Every English text that the page's sources ask a translation for (of a plural: the singular)."""
    found: set[str] = {*ERRORS.values(), *FROM_THE_REFEREE, *PARTS.values(), *messages()}
    for file in [*WEB.glob("templates/*.html"), *WEB.glob("static/js/*.js")]:
        source = file.read_text(encoding="utf-8")
        found |= {call[0][1:-1] if isinstance(call, tuple) else call[1:-1] for x in CALLS for call in x.findall(source)}
        for table in LOOKED_UP.findall(source):
            found |= {text[1:-1] for text in re.findall(STRING, table)}
    return found


@pytest.mark.parametrize("language", ["cs", "sk"])
def test_every_text_is_translated_and_no_translation_is_left_over(language: str) -> None:
    said = said_in_the_source()
    assert len(said) > 60
    assert set(load_words(language).table) == said


@pytest.mark.parametrize("language", ["cs", "sk"])
def test_no_text_is_translated_twice(language: str) -> None:
    texts = [entry.msgid for entry in polib.pofile(str(WEB / "translations" / f"{language}.po"))]
    assert sorted(set(texts)) == sorted(texts)


@pytest.mark.parametrize("language", ["cs", "sk"])
def test_translations_keep_the_places_for_values(language: str) -> None:
    for text, forms in load_words(language).table.items():
        assert len(forms) in (1, 3)
        for form in forms:
            assert set(re.findall(r"\{\w+\}", form)) == set(re.findall(r"\{\w+\}", text)), text


@pytest.mark.parametrize("file", sorted(WEB.glob("templates/*.html")), ids=lambda file: file.name)
def test_no_text_stands_in_a_template_outside_the_table(file: Path) -> None:
    source = re.sub(r"\{%.*?%\}|\{\{.*?\}\}", "", file.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert not re.findall(r'(?:title|aria-label|alt|placeholder)="[^"]*[^\W\d_][^"]*"', source)
    words = re.sub(r"<[^>]*>", " ", source).split()
    assert {word for word in words if any(letter.isalpha() for letter in word)} <= {"Vrhcáb"}


@pytest.mark.parametrize("file", sorted(WEB.glob("static/js/*.js")), ids=lambda file: file.name)
def test_no_text_stands_in_a_script_outside_the_table(file: Path) -> None:
    source = file.read_text(encoding="utf-8")
    for known in (COMMENT, LOOKED_UP, COUNTED, CALLED):
        source = known.sub("", source)
    texts = {text[1:-1] for text in re.findall(STRING, source)}
    names = {"Enter", "Escape"} | {"Light", "Dark"}  # of keys, and of players whom nobody has named
    assert {text for text in texts if re.match(r"[A-Z][a-z]+", text)} <= names


@pytest.mark.parametrize(
    ("language", "n", "expected"),
    [
        ("en", 1, "Match to 1 point"),
        ("en", 7, "Match to 7 points"),
        ("cs", 1, "Zápas na 1 bod"),
        ("cs", 3, "Zápas na 3 body"),
        ("cs", 5, "Zápas na 5 bodů"),
        ("sk", 2, "Zápas na 2 body"),
        ("sk", 11, "Zápas na 11 bodov"),
    ],
)
def test_counts_take_the_form_of_their_language(language: str, n: int, expected: str) -> None:
    assert load_words(language).count("Match to {n} point", "Match to {n} points", n) == expected


@pytest.mark.parametrize("n", range(30))
def test_plural_forms_are_those_of_the_gettext_header(n: int) -> None:
    assert plural_form("cs", n) == plural_form("sk", n) == (0 if n == 1 else 1 if 2 <= n <= 4 else 2)


def test_the_glossary_s_collisions_are_kept_apart() -> None:
    czech, slovak = load_words("cs"), load_words("sk")
    assert czech.translate("Owns the cube") == "Má zdvojovací kostku"  # never a bare "kostka", which is a die
    assert slovak.translate("Owns the cube") == "Má zdvojovaciu kocku"
    for words in (czech, slovak):
        assert words.translate("Point {point}: {checkers}", point=5, checkers="x").startswith(("Klín 5", "Klin 5"))


@pytest.mark.parametrize(
    ("language", "others"), [("cs", "skóre|partie|přesuny?|vteřin[ay]?"), ("sk", "skóre|partia|presuny?|akcia")]
)
def test_one_thing_has_one_word(language: str, others: str) -> None:
    """That of the glossary; and a picture has pixels, since points are the score's."""
    for text, forms in load_words(language).table.items():
        assert not any(re.search(rf"\b(?:{others})\b", form, re.IGNORECASE) for form in forms), text
        assert "pixel" not in text or all("pixel" in form for form in forms), text


@pytest.mark.parametrize("language", ["cs", "sk"])
def test_a_player_may_be_a_woman(language: str) -> None:
    """No verb in the past tense, which has a gender in both languages, is said of a name."""
    verb = re.compile(
        r"\b(?:ne)?(?:ukončil|hodil|hrál|hral|viděl|videl|vypadl|vypadol|odstoupil|odstúpil|pozval)\b", re.IGNORECASE
    )
    for text, forms in load_words(language).table.items():
        if re.search(r"\{(?:name|player|side|light|dark)\}|^withdrawn|^Out after", text):
            assert not any(map(verb.search, forms)), text


@pytest.mark.parametrize("language", ["cs", "sk"])
def test_a_counted_thing_stands_apart_from_its_number_unless_the_sentence_has_plurals(language: str) -> None:
    for text, forms in load_words(language).table.items():
        assert not any(re.search(r"\{(?:checkers|count)\} (?!míst|namiest)[^\W\d_]", form) for form in forms), text


@pytest.mark.parametrize(
    ("language", "sure"),
    [
        ("cs", ("0 řádků je jistých", "1 řádek je jistý", "2 řádky jsou jisté", "22 řádků je jistých")),
        ("sk", ("0 riadkov je istých", "1 riadok je istý", "2 riadky sú isté", "22 riadkov je istých")),
    ],
)
def test_a_sentence_agrees_with_its_number(language: str, sure: tuple[str, ...]) -> None:
    words = load_words(language)
    assert tuple(words.count("{n} line is sure", "{n} lines are sure", n) for n in (0, 1, 2, 22)) == sure


def test_po_entries_may_span_lines_and_untranslated_ones_are_left_out() -> None:
    table = parse_po(
        "\n".join(
            [
                'msgid ""',
                'msgstr "Language: cs\\n"',
                "# a comment",
                'msgid "One "',
                '"two"',
                'msgstr "Jedna \\"dvě\\""',
                'msgid "n"',
                'msgid_plural "ns"',
                'msgstr[0] "a"',
                'msgstr[1] "b"',
                'msgstr[2] "c"',
                'msgid "later"',
                'msgstr ""',
            ]
        )
    )
    assert table == {"One two": ('Jedna "dvě"',), "n": ("a", "b", "c")}


def test_a_damaged_po_file_is_named_by_its_line() -> None:
    with pytest.raises(WebError, match="line 3"):
        parse_po('msgid "a"\nmsgstr "b"\nwhat is this')


def test_an_unknown_text_stays_english() -> None:
    assert Words("cs").translate("No {word} for it", word="Czech") == "No Czech for it"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_is_said_in_every_language(language: str) -> None:
    assert len(messages()) > 300
    assert {code: said for code in messages() if (said := wrongly_said(code, language))} == {}


def wrongly_said(code: str, language: str) -> str | None:
    """What is said of a message where it isn't said in that language, or not with all its values."""
    values = {name: f"<{name}>" for name in re.findall(r"\{(\w+)\}", code)}
    said = message(Sentence(code, **values)).words[language]
    as_in_english = language == "en" or not re.search("[a-z]{2}", re.sub("{.*?}", "", code))
    right = (
        "{" not in said
        and all(value in said for value in values.values())
        and (said == code.format_map(values)) is as_in_english
    )
    return None if right else said


def test_decimals_have_a_comma_where_the_language_has_one() -> None:
    blurred = Weakness("blurred", 4.26, 3.0, "px", "", "Put a lamp over the board.").sentences[0]
    assert blurred == "Out of focus: edges are smeared by 4.3 px, 3.0 px may be."
    words = message(blurred).words
    assert words["en"] == blurred
    assert "4,3 px, smí být nejvýš o 3,0 px" in words["cs"]
    assert "4,3 px, smú byť najviac o 3,0 px" in words["sk"]
    assert [load_words(language).number(5.25, 1) for language in LANGUAGES] == ["5.2", "5,2", "5,2"]


def test_a_message_says_the_sentences_in_it_too() -> None:
    code = next(one for one in messages() if one.startswith("The journal {path} is damaged"))
    sentence = Sentence(code, path="x", what=Sentence("event {number} is missing", number=3))
    found = message(sentence)
    assert found.values == {"path": "x", "what": "event 3 is missing"}
    assert found.words["en"] == str(sentence)
    assert "(chybí událost 3)" in found.words["cs"]
    assert (
        message(Sentence("{first} {second}", first=Sentence("No game is on."), second="x")).words["sk"].endswith(" x")
    )
    several = Sentence(
        "By these rules the answer can be: {answers}.", answers=(Sentence("stands"), Sentence("corrected"))
    )
    assert "opraveno" in message(several).words["cs"]


@pytest.mark.parametrize("name", ["White", "Black", "Undo", "none", "takes"])
def test_a_player_called_like_a_word_of_the_page_keeps_his_name(name: str) -> None:
    assert name in load_words("cs").table
    found = message(Sentence("{player} has no cube in this game.", player=name))
    assert all(name in words for words in found.words.values())
    assert found.values == {"player": name}


def test_a_sentence_that_came_as_plain_text_is_said_in_every_language() -> None:
    found = message(Sentence("The hub says: {why}", why="No game is on."))
    assert found.words["cs"].endswith(message("No game is on.").words["cs"])


@pytest.fixture
def client() -> FlaskClient:
    hub = ViewHub()
    hub.publish(start_view())
    return create_app(hub).test_client()


@pytest.mark.parametrize(
    ("accepted", "language"),
    [("cs,en;q=0.5", "cs"), ("sk-SK,sk;q=0.9,en;q=0.8", "sk"), ("de,fr", "en"), ("", "en"), ("pl,cs;q=0.3", "cs")],
)
def test_the_browser_s_language_comes_first(client: FlaskClient, accepted: str, language: str) -> None:
    page = client.get("/", headers={"Accept-Language": accepted}).text
    assert f'<html lang="{language}">' in page


def test_a_chosen_language_is_kept(client: FlaskClient) -> None:
    answer = client.get("/?lang=sk")
    assert (answer.status_code, answer.headers["Location"]) == (302, "./")
    assert '<html lang="sk">' in client.get("/", headers={"Accept-Language": "cs"}).text
    assert "Tu nie je žiadna stránka." in client.get("/nothing").text
    client.get("/?lang=xx")
    assert '<html lang="sk">' in client.get("/").text
    assert list(LANGUAGES) == ["en", "cs", "sk"]


def test_a_page_carries_its_own_words_and_those_of_the_referee() -> None:
    viewer, desk = words_for("cs", "main.js").table, words_for("cs", "desk.js").table
    assert set(FROM_THE_REFEREE) <= set(viewer)
    assert {"Live", "On roll", "{n} pip", "Corrected", "bar", "off"} <= set(viewer)
    assert {"Correcting turn {number}: {name}", "This turn"} <= set(desk)
    assert not {"Correct the last play", "Press each button once", "This turn"} & set(viewer)
    assert not (messages() - {*FROM_THE_REFEREE}) & set(viewer)  # they come with their words
