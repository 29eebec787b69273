"""The configuration: a TOML file and what the command line says over it, checked and frozen. docs/config.md has more.

    config = load_config(Path("vrhcab.toml"), {"camera.source": "camera:1"})

What is wrong is named together with what is allowed, in a sentence.
"""

from __future__ import annotations

import difflib
import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct, inspect

from controller.panel.adapter import PanelError
from controller.panel.pins import pin_map
from controller.panel.plan import DEFAULT_BRIGHTNESS
from vision.pictures.files import CornersError, parse_corners

Home = Literal["bottom-right", "bottom-left", "top-right", "top-left"]
"""The corner of the board, as the camera sees it, where light's home board lies."""

SERVICE_STATE = Path("/var/lib/vrhcab")
"""Where install/vrhcab.service keeps its games."""

PATH_SOURCES = ("video:", "frames:")
"""Sources whose text goes on with a path."""


class ConfigError(ValueError):
    """One sentence or two for the player: what is wrong in the configuration, and what it may be."""


class CameraConfig(Struct, frozen=True, kw_only=True):
    """Where the frames come from, and how the board lies in them.

    source: as vision.sources.open_source takes it, or "simulator".
    corners: "x,y x,y x,y x,y" px, or "@FILE" with JSON lines; None: to be found in the picture.
    lens: file of `vrhcab calibrate`; the corners are then those of the straightened picture.
    fps: frames a second, None: what suits the source. size: (width, height) px asked of a camera.
    """

    source: Annotated[str, Meta(min_length=1)] = "camera:0"
    corners: str | None = None
    lens: str | None = None
    light_home: Home = "bottom-right"
    fps: Annotated[float, Meta(gt=0, le=240)] | None = None
    size: tuple[Annotated[int, Meta(ge=64, le=16_384)], Annotated[int, Meta(ge=64, le=16_384)]] | None = None


class WebConfig(Struct, frozen=True, kw_only=True):
    """Where the page is served. host "0.0.0.0" lets phones on the network see it, "127.0.0.1" only this machine.

    https: a server in front of the page speaks https, so that the desk's cookie may insist on it.
    delay_s, delay_turns: how much later viewers see the board; overlay_delay_s, overlay_delay_turns: the same for overlays.
    overlay_key: what an overlay's address must carry, "" for nothing.
    """

    host: Annotated[str, Meta(min_length=1)] = "127.0.0.1"
    port: Annotated[int, Meta(ge=1, le=65_535)] = 8080
    https: bool = False
    delay_s: Annotated[float, Meta(ge=0, le=3600)] = 0.0
    delay_turns: Annotated[int, Meta(ge=0, le=50)] = 0
    overlay_delay_s: Annotated[float, Meta(ge=0, le=3600)] = 0.0
    overlay_delay_turns: Annotated[int, Meta(ge=0, le=50)] = 0
    overlay_key: Annotated[str, Meta(max_length=200)] = ""


class PanelConfig(Struct, frozen=True, kw_only=True):
    """The lamps: none but the page's own (none or virtual), on the Pi's pins, on a Pico, or on an emulated Pico.

    port: of the serial link, None: the first Pico found; pins: GPIO number (as gpiozero counts, BCM) by lamp or button;
    cube: six LEDs or two seven-segment digits; pin_factory: the library that reaches the pins;
    brightness: of every lamp, 1..255; sound: whether a buzzer may be heard.
    """

    kind: Literal["none", "virtual", "gpio", "serial", "emulated"] = "none"
    port: str | None = None
    pins: dict[str, Annotated[int, Meta(ge=0, le=27)]] = {}
    cube: Literal["leds", "digits"] = "leds"
    pin_factory: Literal["auto", "lgpio", "rpigpio", "mock"] = "auto"
    brightness: Annotated[int, Meta(ge=1, le=255)] = DEFAULT_BRIGHTNESS
    sound: bool = True


class RulesConfig(Struct, frozen=True, kw_only=True):
    """preset: the rule set to start from; keys: single rules over it, {"cube": {"jacoby": true}}, unchecked."""

    preset: Annotated[str, Meta(min_length=1)] = "match"
    keys: dict[str, Any] = {}


class MatchConfig(Struct, frozen=True, kw_only=True):
    """length: points that win the match, 0 for single games without end; names: of light and of dark; clock: one is kept.

    event, place, round: what is being played, for the record.
    """

    length: Annotated[int, Meta(ge=0, le=99)] = 7
    names: tuple[
        Annotated[str, Meta(min_length=1, max_length=40)], Annotated[str, Meta(min_length=1, max_length=40)]
    ] = (
        "Light",
        "Dark",
    )
    clock: bool = False
    event: Annotated[str, Meta(max_length=200)] = ""
    place: Annotated[str, Meta(max_length=200)] = ""
    round: Annotated[str, Meta(max_length=200)] = ""


class JournalConfig(Struct, frozen=True, kw_only=True):
    """path: of the SQLite file that keeps every game; None: in the user's state folder, see journal_path.

    evidence_mb: what the pictures of flags beside it may take on the disk; beyond that the oldest go.
    """

    path: Annotated[str, Meta(min_length=1)] | None = None
    evidence_mb: Annotated[int, Meta(ge=0, le=1_000_000)] = 500


class MqttConfig(Struct, frozen=True, kw_only=True):
    """An MQTT broker that is told the state. host: None for none. topic: where this board's messages begin.

    discovery: where Home Assistant looks for devices, "" for no such messages. tls: with the system's certificates.
    """

    host: Annotated[str, Meta(min_length=1)] | None = None
    port: Annotated[int, Meta(ge=1, le=65_535)] = 1883
    username: str | None = None
    password: str | None = None
    tls: bool = False
    topic: Annotated[str, Meta(min_length=1, pattern="^[^+#]+$")] = "vrhcab/board-1"
    discovery: Annotated[str, Meta(pattern="^[^+#]*$")] = "homeassistant"


class Config(Struct, frozen=True, kw_only=True):
    """Everything that can be configured; every key has a default."""

    camera: CameraConfig = CameraConfig()
    web: WebConfig = WebConfig()
    panel: PanelConfig = PanelConfig()
    rules: RulesConfig = RulesConfig()
    match: MatchConfig = MatchConfig()
    journal: JournalConfig = JournalConfig()
    mqtt: MqttConfig = MqttConfig()


def load_config(path: Path | None = None, overrides: Mapping[str, object] | None = None) -> Config:
    """The configuration in the file, or the defaults without one, with overrides over it.

    Paths in the file are relative to the file, those in overrides to where the program runs.

    overrides: values by dotted key ("camera.source"), as the command line gives them; None says nothing.

    Raises:
        ConfigError: the file is missing or no TOML, a key is unknown, or a value has a wrong type.
    """
    table, where = ({}, "The settings") if path is None else (_read(path), str(path))
    config = config_from(_relative_to(table, path.parent.absolute()) if path is not None else table, where)
    given = {key: value for key, value in (overrides or {}).items() if value is not None}
    if not given:
        return config
    merged: dict[str, Any] = msgspec.to_builtins(config)
    merged["rules"] = {"preset": config.rules.preset, **config.rules.keys}
    for key, value in given.items():
        merged = _merged(merged, key.split("."), value)
    return config_from(merged, "The command line")


def config_from(table: Mapping[str, Any], where: str = "The settings") -> Config:
    """The configuration in a table as TOML gives it; where begins the sentences.

    Raises:
        ConfigError: an unknown key, named with the allowed ones, or a value of a wrong type or out of its range.
    """
    table = {section: _rules_table(keys) if section == "rules" else keys for section, keys in table.items()}
    _refuse_unknown(table, where)
    try:
        config = msgspec.convert(table, Config)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{where}: {_sentence(str(error), table)}") from error
    except UnicodeEncodeError as error:
        # A command line can hold bytes that are no text.
        raise ConfigError(f"{where}: {error.object!a} is no readable text. Write it in UTF-8.") from error
    _check_corners(config.camera.corners, where)
    _check_panel(config.panel, where)
    _check_journal(config.journal, where)
    return config


def journal_path(config: Config, environ: Mapping[str, str] = os.environ) -> Path:
    """Where the journal lies: as configured, else in the user's state folder (XDG base directory specification 0.8).

    For the service of an installed machine and its administrator that is SERVICE_STATE, so that both mean the same games.
    """
    if config.journal.path is not None:
        return Path(config.journal.path).expanduser()
    base = environ.get("XDG_STATE_HOME", "")
    if not base and os.access(SERVICE_STATE, os.W_OK):
        return SERVICE_STATE / "journal.sqlite3"
    folder = Path(base) if base.startswith("/") else Path("~/.local/state").expanduser()
    return folder / "vrhcab" / "journal.sqlite3"


def archive_path(config: Config, environ: Mapping[str, str] = os.environ) -> Path:
    """Where the archive of finished matches lies: beside the journal."""
    return journal_path(config, environ).with_name("archive.sqlite3")


def evidence_path(config: Config, environ: Mapping[str, str] = os.environ) -> Path:
    """The folder with the pictures of what the referee said: beside the journal."""
    return journal_path(config, environ).with_name("evidence")


def desk_path(journal: Path) -> Path:
    """Where the hash of the desk's PIN lies: beside the journal."""
    return journal.with_name("desk.json")


def _read(path: Path) -> dict[str, Any]:
    try:
        # Editors on Windows put a byte order mark first, which TOML does not allow.
        return tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise ConfigError(
            f"The configuration {str(path)!r} can't be read ({error.strerror}). Check the path."
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        why = str(error) if isinstance(error, tomllib.TOMLDecodeError) else "it is not text in UTF-8"
        raise ConfigError(f'{path} is not TOML: {why}. A line looks like: source = "camera:0"') from error


def _relative_to(table: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The table with its relative paths made absolute."""
    table = {key: dict(value) if isinstance(value, dict) else value for key, value in table.items()}
    for section, key, prefixes in (
        ("camera", "source", PATH_SOURCES),
        ("camera", "corners", ("@",)),
        ("camera", "lens", ("",)),
        ("journal", "path", ("",)),
    ):
        keys = table.get(section)
        if not isinstance(keys, dict) or not isinstance(value := keys.get(key), str):
            continue
        for prefix in prefixes:
            if value.startswith(prefix) and value != prefix and not value.removeprefix(prefix).startswith("~"):
                keys[key] = prefix + str(folder / value.removeprefix(prefix))
    return table


def _rules_table(keys: object) -> object:
    """[rules] with all but the preset gathered as the rules take them; whether they exist is for the rules to say."""
    if not isinstance(keys, Mapping):
        return keys
    preset = {"preset": keys["preset"]} if "preset" in keys else {}
    return {**preset, "keys": {str(name): value for name, value in keys.items() if name != "preset"}}


def _merged(table: Mapping[str, Any], path: list[str], value: object) -> dict[str, Any]:
    """The table with a value put at a path of keys, for example ["rules", "cube", "beavers"]."""
    inner = table.get(path[0])
    if len(path) > 1:
        value = _merged(inner if isinstance(inner, Mapping) else {}, path[1:], value)
    return {**table, path[0]: value}


def _refuse_unknown(table: Mapping[str, Any], where: str) -> None:
    sections = {field.name: field.default for field in msgspec.structs.fields(Config)}
    for section, keys in table.items():
        if section not in sections:
            raise ConfigError(f"{where}: there is no section [{section}].{_nearest(section, sections)}")
        allowed = [field.name for field in msgspec.structs.fields(type(sections[section]))]
        for key in keys if isinstance(keys, Mapping) else ():
            if key not in allowed:
                raise ConfigError(f"{where}: [{section}] has no key {key!r}.{_nearest(key, allowed)}")


def _nearest(word: str, allowed: Mapping[str, object] | list[str]) -> str:
    near = difflib.get_close_matches(word.lower(), allowed, n=1)
    guess = f" Did you mean {near[0]!r}?" if near else ""
    return f"{guess} Allowed: {', '.join(sorted(allowed))}."


def _sentence(message: str, table: Mapping[str, Any]) -> str:
    """msgspec's message in words: the key, what it should be, and what it is."""
    found = re.search(r"at `\$\.([^`\[]*)", message)
    if found is None:
        return message
    keys = found[1].split(".")
    kind: inspect.Type = inspect.type_info(Config)
    value: Any = table
    for key in keys:
        if isinstance(kind, inspect.StructType):
            kind = next(field.type for field in kind.fields if field.name == key)
            value = value[key]
    shown = msgspec.json.encode(value, enc_hook=str).decode()
    return f"{'.'.join(keys)} should be {_in_words(kind)}, but it is {shown}."


def _in_words(kind: inspect.Type) -> str:
    match kind:
        case inspect.UnionType(types=types):
            return " or ".join(_in_words(one) for one in types if not isinstance(one, inspect.NoneType))
        case inspect.IntType(ge=low, le=high):
            return f"a whole number from {low} to {high}"
        case inspect.FloatType(le=high):
            return f"a number above 0, at most {high:g}"
        case inspect.StrType(min_length=shortest, max_length=longest):
            size = f" of 1 to {longest} letters" if longest else " that is not empty" if shortest else ""
            return f'a text in "quotes"{size}'
        case inspect.LiteralType(values=values):
            return "one of " + ", ".join(f'"{value}"' for value in values)
        case inspect.TupleType(item_types=items):
            return f"[a, b] with each {_in_words(items[0])}"
        case inspect.DictType(value_type=value):
            return f"a section of names, each with {_in_words(value)}"
    return "a section"


def _check_corners(corners: str | None, where: str) -> None:
    if corners is None or (corners.startswith("@") and len(corners) > 1):
        return
    try:
        parse_corners(corners)
    except CornersError as error:
        raise ConfigError(f"{where}: camera.corners: {error}") from error


def _check_journal(journal: JournalConfig, where: str) -> None:
    if journal.path is not None and (not Path(journal.path).name or "\0" in journal.path):
        raise ConfigError(f"{where}: journal.path should be the name of a file, but it is {journal.path!r}.")


def _check_panel(panel: PanelConfig, where: str) -> None:
    try:
        pin_map(panel.pins, panel.cube)
    except PanelError as error:
        raise ConfigError(f"{where}: panel.pins: {error}") from error
