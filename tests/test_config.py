"""The configuration names what is wrong together with what is allowed."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import fields

from controller.config import Config, ConfigError, config_from, example, journal_path, load_config
from controller.rules import ruleset_from

WHOLE = """
[camera]
source = "frames:games/final"
corners = "387,81 973,121 967,639 333,600"
light_home = "top-left"
fps = 10
size = [1280, 720]

[web]
host = "0.0.0.0"
port = 80

[panel]
kind = "gpio"
pins = { turn_light = 17, turn_dark = 27 }

[rules]
preset = "money"
cube.beavers = 2
start.first = "high"

[match]
length = 11
names = ["Jana", "Petr"]

[journal]
path = "games.sqlite3"
"""


DOCS = Path(__file__).resolve().parents[1] / "docs"


def written(folder: Path, text: str) -> Path:
    path = folder / "vrhcab.toml"
    path.write_text(text, "utf-8")
    return path


class TestLoading:
    def test_nothing_configured_is_a_configuration(self) -> None:
        config = load_config()
        assert config == Config()
        assert (config.camera.source, config.web.port, config.match.length) == ("camera:0", 8080, None)

    def test_an_empty_file_is_the_same(self, tmp_path: Path) -> None:
        assert load_config(written(tmp_path, "")) == Config()

    def test_every_key(self, tmp_path: Path) -> None:
        config = load_config(written(tmp_path, WHOLE))
        assert config.camera.light_home == "top-left"
        assert config.camera.fps == 10.0
        assert config.camera.size == (1280, 720)
        assert (config.web.host, config.web.port) == ("0.0.0.0", 80)
        assert config.panel.pins == {"turn_light": 17, "turn_dark": 27}
        assert config.rules.preset == "money"
        assert config.rules.keys == {"cube": {"beavers": 2}, "start": {"first": "high"}}
        assert config.match.names == ("Jana", "Petr")

    def test_the_documented_file_is_every_default(self, tmp_path: Path) -> None:
        text = (DOCS / "config.md").read_text("utf-8")
        example = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)[0]
        config = load_config(written(tmp_path, example))
        assert config == Config()
        written_out = tomllib.loads(example)
        for section in fields(Config):
            for key in fields(type(section.default)):
                said = getattr(section.default, key.name) is not None and (section.name, key.name) != ("rules", "keys")
                assert (key.name in written_out[section.name]) == said, key.name
                assert f"`{key.name}`" in text or (section.name, key.name) == ("rules", "keys")

    def test_a_byte_order_mark_is_no_trouble(self, tmp_path: Path) -> None:
        assert load_config(written(tmp_path, "\ufeff[web]\nport = 81")).web.port == 81

    @pytest.mark.parametrize(
        ("text", "key", "expected"),
        [
            ('camera.source = "frames:games"', "source", "frames:{folder}/games"),
            ('camera.source = "video:game.mp4"', "source", "video:{folder}/game.mp4"),
            ('camera.source = " video : game.mp4"', "source", "video:{folder}/game.mp4"),
            ('camera.source = "frames: games "', "source", "frames:{folder}/games"),
            ('camera.source = " camera: 0 "', "source", "camera:0"),
            ('camera.source = "video:/games/game.mp4"', "source", "video:/games/game.mp4"),
            ('camera.source = "video:~/game.mp4"', "source", "video:~/game.mp4"),
            ('camera.source = "camera:0"', "source", "camera:0"),
            ('camera.corners = "@truth.jsonl"', "corners", "@{folder}/truth.jsonl"),
        ],
    )
    def test_paths_are_relative_to_the_file(self, tmp_path: Path, text: str, key: str, expected: str) -> None:
        camera = load_config(written(tmp_path, text)).camera
        assert getattr(camera, key) == expected.format(folder=tmp_path)


class TestOverrides:
    def test_the_command_line_goes_over_the_file(self, tmp_path: Path) -> None:
        path = written(tmp_path, WHOLE)
        overrides = {"camera.source": "video:game.mp4", "web.port": 9000, "match.names": ["A", "B"], "web.host": None}
        config = load_config(path, overrides)
        assert config.camera.source == "video:game.mp4"
        assert (config.web.host, config.web.port) == ("0.0.0.0", 9000)
        assert config.match.names == ("A", "B")
        assert config.camera.corners == "387,81 973,121 967,639 333,600"

    def test_single_rules_too(self, tmp_path: Path) -> None:
        config = load_config(written(tmp_path, WHOLE), {"rules.preset": "match", "rules.cube.beavers": 0})
        assert config.rules.preset == "match"
        assert ruleset_from({"preset": config.rules.preset, **config.rules.keys}).cube.beavers == 0
        assert config.rules.keys == {"cube": {"beavers": 0}, "start": {"first": "high"}}

    @pytest.mark.parametrize(
        ("corners", "sentence"),
        [
            ("0,0 9,9 9,0 0,9", "The corners cross"),
            ("@", "can't be read"),
            ("@none.jsonl", "No such file"),
            ("@~nobodyx/corners.jsonl", "nobody here knows the home folder"),
        ],
    )
    def test_corners_of_no_board(self, corners: str, sentence: str) -> None:
        with pytest.raises(ConfigError, match=f"The command line: camera.corners: .*{sentence}"):
            load_config(None, {"camera.corners": corners})

    def test_are_checked_as_the_file_is(self) -> None:
        with pytest.raises(ConfigError, match=r"The command line: web\.port should be a whole number from 1 to 65535"):
            load_config(None, {"web.port": 70_000})
        with pytest.raises(ConfigError, match=r"\[web\] has no key 'prot'\. Did you mean 'port'"):
            load_config(None, {"web.prot": 80})


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("hub.local", ("hub.local", 8883)),
        ("hub.local:1883", ("hub.local", 1883)),
        ("192.168.1.7:8884", ("192.168.1.7", 8884)),
        ("fe80::1%eth0", ("fe80::1%eth0", 8883)),
        ("[fe80::1]:1883", ("fe80::1", 1883)),
    ],
)
def test_where_the_hub_is(address: str, place: tuple[str, int]) -> None:
    assert config_from({"hub": {"address": address}}).hub.place == place


class TestJournalPath:
    def test_configured(self, tmp_path: Path) -> None:
        config = load_config(written(tmp_path, WHOLE))
        assert journal_path(config, {}) == tmp_path / "games.sqlite3"

    def test_in_the_state_folder(self) -> None:
        assert journal_path(Config(), {"XDG_STATE_HOME": "/state"}) == Path("/state/vrhcab/journal.sqlite3")

    @pytest.mark.parametrize("environ", [{}, {"XDG_STATE_HOME": ""}, {"XDG_STATE_HOME": "not/absolute"}])
    def test_in_the_home_folder(self, environ: dict[str, str]) -> None:
        assert journal_path(Config(), environ) == Path.home() / ".local/state/vrhcab/journal.sqlite3"

    @pytest.mark.parametrize("named", [True, False])
    def test_what_lies_there_must_be_a_file(self, tmp_path: Path, named: bool) -> None:
        path = tmp_path / "vrhcab" / "journal.sqlite3"
        path.mkdir(parents=True)
        config = config_from({"journal": {"path": str(path)}} if named else {})
        with pytest.raises(ConfigError, match=r"journal\.sqlite3 can't be the journal: it is a folder"):
            journal_path(config, {"XDG_STATE_HOME": str(tmp_path)})

    def test_without_a_home_folder(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("os.path.expanduser", lambda path: path)
        with pytest.raises(ConfigError, match=r"no home folder for the journal\. Say where it shall lie"):
            journal_path(Config(), {})


def fields_of(section: str) -> list[str]:
    return [field.name for field in fields(type(getattr(Config(), section)))]


class TestMistakes:
    @pytest.mark.parametrize(
        ("text", "sentence"),
        [
            (
                '[camera]\nsorce = "camera:0"',
                r"\[camera\] has no key 'sorce'\. Did you mean 'source'\? Allowed: corners, fps",
            ),
            (
                "[camra]",
                r"no section \[camra\]\. Did you mean 'camera'\? Allowed: analysis, camera, hub, journal, match",
            ),
            ("[zzz]", r"no section \[zzz\]\. Allowed"),
            ("port = 80", r"no section \[port\]"),
            ("web = 80", "web should be a section, but it is 80"),
            ('[web]\nport = "80"', r'web\.port should be a whole number from 1 to 65535, but it is "80"'),
            ("[web]\nport = 0", "from 1 to 65535, but it is 0"),
            ("[web]\nport = true", "but it is true"),
            (
                '[camera]\nlight_home = "right"',
                r'one of "bottom-left", "bottom-right", "top-left", "top-right", but it is "right"',
            ),
            ('[camera]\nsource = ""', "that is not empty"),
            ("[camera]\nfps = 0", "a number above 0"),
            ("[camera]\nmains_hz = 55", r"camera\.mains_hz should be one of 50, 60, but it is 55"),
            ("[camera]\nsize = [1280]", r"camera\.size should be \[a, b\] with each a whole number from 64"),
            ("[camera]\nsize = [1280, 7]", r"but it is \[1280, 7\]"),
            ('[panel]\nkind = "lamps"', 'one of "emulated", "gpio", "none", "serial", "virtual"'),
            ("[panel.pins]\nturn_light = 40", "each with a whole number from 0 to 27"),
            ("[panel.pins]\nturn_light = 4\nerror = 4", r"panel.pins: .* both turn_light and error on GPIO 4"),
            ("[panel.pins]\nundo = 17", r"both turn_light and undo on GPIO 17"),
            ("[panel.pins]\nlamp = 4", r"The pin map has no lamp: its names are turn_light"),
            ('[panel]\ncube = "digits"\npins = { cube_2 = 4 }', r"The pin map has no cube_2"),
            ("[rules]\npreset = 7", r'rules\.preset should be a text in "quotes" that is not empty, but it is 7'),
            ("rules = 7", "rules should be a section"),
            ('[match]\nnames = ["Jana", ""]', "each a text .* of 1 to 40 letters"),
            ("[match]\nlength = 1979-05-27", 'but it is "1979-05-27"'),
            ("[camera]\nfps = nan", r"at most 240, but it is nan, which is no number to count with\. .* fps = 15\.0"),
            ("[web]\ndelay_s = -inf", r"from 0 to 3600, but it is -inf, which is no number .* delay_s = 0\.0"),
            ("[web]\ndelay_s = -1", r"a number from 0 to 3600, but it is -1"),
            ("[web]\nport = " + "9" * 400, r"but it is a number of 401 digits\. Write for example: port = 8080"),
            ("[web]\nport = " + "9" * 5000, "a number in it is far too long"),
            (
                f"[match]\nteam = {[f'Jana {number}' for number in range(11)]}",
                r'match\.team should be a list of at most 10, .*"Jana 7", \.\.\.\]\. .*: team = \["Cyril", "Dana"\]',
            ),
            ('[web]\nhttps = "yes"', r'should be true or false, but it is "yes"\. Write for example: https = false'),
            ('[match]\nevent = "' + "x" * 300 + '"', r'of at most 200 letters, but it is "x{60}\.\.\."'),
            ('[mqtt]\ntopic = "a#"', r"without \+ and #"),
            ('[mqtt]\ntopic = "a\\u0000"', "without signs that nobody sees"),
            ('[mqtt]\ntopic = "' + "x" * 70_000 + '"', r"mqtt\.topic should be .* of 1 to 1000 letters"),
            ('[mqtt]\nusername = "' + "x" * 70_000 + '"', r"mqtt\.username should be .* of at most 10000 letters"),
            ('[mqtt]\nhost = "' + "x" * 300 + '"', r"mqtt\.host should be .* of 1 to 253 letters"),
            ('[hub]\npassword = "' + "x" * 70_000 + '"', r"hub\.password .* but it is something else\."),
            ('[hub]\npassword = "a\\u0000"', "without zero bytes, but it is something else"),
            ("[mqtt]\npassword = 1234567", "but it is something else"),
            ("[web]\nport = 1\nhttps = true\nport = 2\n[mqtt]\n", "the key port is there twice, again at line 4"),
            ("[web]\nport = 1\nport = 2\n\n", "the key port is there twice, again at line 3"),
            ('[match]\nnames = ["Jana", "Ota"]\nnames = ["Jana",\n"Jan"]\n', "a key is there twice, again at line 4"),
            (
                '[mqtt]\nhost = "localhost"\npassword = "x"',
                r"mqtt\.username is not there\. Write for example: username = \"vrhcab\"",
            ),
            ("camera = 3", r'Write for example: \[camera\] and below it source = "camera:0"'),
            ("[panel.pins]\nturn_light = nan", r"{turn_light = nan.* Write for example: pins = {turn_light = 17}"),
            ('[journal]\npath = ""', "that is not empty"),
            ('[camera]\nlens = "\\u0000"', "holds a zero byte"),
            (
                '[journal]\npath = "~nobodyx/j"',
                r"journal\.path can't be '~nobodyx/j': nobody here knows the home folder",
            ),
            ('[camera]\nsource = "video:~nobodyx/l.mp4"', r"camera\.source can't be 'video:~nobodyx/l\.mp4'"),
            ('[camera]\nlens = "~nobodyx/l.json"', r"camera\.lens can't be"),
            ('[web]\ncertificate = "~nobodyx/c.pem"', r"web\.certificate can't be"),
            ('[web]\nkey = "~nobodyx/k.pem"', r"web\.key can't be"),
            (
                '[web]\nnames = ["http://board.example.org"]',
                r'such as board\.example\.org, but .* Write for example: names = \["board\.example\.org"\]',
            ),
            ('[hub]\nca = "~nobodyx/ca.crt"', r"hub\.ca can't be .* Write the whole path\."),
            (
                '[hub]\nname = "Board 1"',
                r"hub\.name should be a text .* small letters, digits and hyphens.* name = \"board-1\"",
            ),
            ('[hub]\naddress = "a:b"', r"hub\.address should be .* such as hub\.local or hub\.local:8883, but it is"),
            ('[hub]\naddress = "[::1"', r"hub\.address should be"),
            (
                '[hub]\naddress = "a:99999"',
                "the port of hub.address should be a whole number from 1 to 65535, but it is 99999",
            ),
            ("[match]\nevent = 2026-01-01", r'but it is "2026-01-01", which without quotes is a date or a time\.'),
            ("[web]\nport = 1\n[camera]\n[web]\n", r"is not TOML: the section \[web\] begins twice \(at line 4"),
            ("foo = 1", r"no section \[foo\], and as a key foo needs its section above it\. Allowed: analysis"),
            ('[rules]\n"cube.max" = 3', r'a key in quotes, "cube\.max"\. Write it without them: cube\.max = \.\.\.'),
            ("[web]\nport = " + "[" * 5000, "too deep inside one another"),
            ("[web]\nport" + ".a" * 5000 + " = 1", "too deep inside one another"),
            ("[rules]\ncube" + ".a" * 5000 + " = 1", "too deep inside one another"),
            ("[rules.cube]\nbeavers = 99999999999999999999", r"rules\.cube\.beavers is 9+, which is far too large"),
            ("#" * 1_000_001, "larger than 1 MB"),
        ],
    )
    def test_what_is_wrong_and_what_is_allowed(self, tmp_path: Path, text: str, sentence: str) -> None:
        path = written(tmp_path, text)
        with pytest.raises(ConfigError, match=sentence) as raised:
            load_config(path)
        assert str(path) in str(raised.value)

    @pytest.mark.parametrize(
        "keys",
        [(section, key) for section in Config.__struct_fields__ for key in fields_of(section) if section != "rules"],
    )
    def test_every_example_can_be_written_so(self, tmp_path: Path, keys: tuple[str, str]) -> None:
        load_config(written(tmp_path, f"[{keys[0]}]\n{example(keys)}"))

    def test_the_line_of_a_slip_is_named(self, tmp_path: Path) -> None:
        with pytest.raises(ConfigError, match=r"is not TOML: .*at line 2"):
            load_config(written(tmp_path, "[camera]\nsource = camera:0\n"))

    def test_no_file(self, tmp_path: Path) -> None:
        with pytest.raises(ConfigError, match=r"none\.toml' can't be read \(No such file"):
            load_config(tmp_path / "none.toml")

    def test_bytes_that_are_no_text_on_the_command_line(self) -> None:
        with pytest.raises(ConfigError, match="is no readable text"):
            load_config(None, {"camera.light_home": "left\udcff"})

    def test_a_file_of_another_kind(self, tmp_path: Path) -> None:
        (tmp_path / "picture.jpg").write_bytes(b"\xff\xd8\xff\xe0")
        with pytest.raises(ConfigError, match="is not text in UTF-8"):
            load_config(tmp_path / "picture.jpg")


SECTIONS = ["camera", "web", "panel", "rules", "match", "journal", "other"]
KEYS = ["source", "corners", "fps", "size", "port", "host", "kind", "pins", "preset", "length", "names", "path", "any"]
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.dates(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@given(st.dictionaries(st.sampled_from(SECTIONS), VALUES | st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=3)))
def test_no_table_crashes_it(table: dict[str, object]) -> None:
    try:
        config = config_from(table)
    except ConfigError:
        return
    assert 1 <= config.web.port <= 65_535
    assert config.camera.source


@given(st.text() | st.sampled_from(WHOLE.splitlines()).map(lambda line: WHOLE.replace(line, line[:-2])))
def test_no_text_crashes_it(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = written(tmp_path_factory.getbasetemp(), text.encode("utf-8", "replace").decode())
    try:
        load_config(path)
    except ConfigError:
        return
    assert isinstance(tomllib.loads(path.read_bytes().decode("utf-8-sig")), dict)
